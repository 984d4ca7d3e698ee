"""Contract: a product that is only added to a sum in lanes is multiplied and added at once.

Sums whose terms are cheap are limited by the additions and multiplications of a processor, and a
fused multiply-add is both. Its result is rounded once. The order of the terms of such a sum is ours
already, so its last bits are not those of NumPy's in any case. Other products and sums are rounded
as NumPy rounds them. (Compilers call this floating-point contraction.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Builder, For, Kernel, Let, Statement, Update, View
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Operand, Value
from symtheano.loopir.rewrite import names_used, with_loops

_DTYPES = ("float32", "float64")


def contract(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Multiply and add at once where a lane's sum takes a product that nothing else uses."""

    def change(loop: For) -> Sequence[Statement] | None:
        products = _products(loop) if "simd" in loop.kind else {}
        if not products:
            return None
        context.note(loop, "{} products are added as they are computed", len(products))
        return [replace(loop, body=_contracted(loop, products, context.names))]

    contracted = with_loops(kernel, change)
    context.otherwise("not, no sum in lanes takes products that nothing else uses")
    return contracted


def _products(loop: For) -> dict[str, tuple[Operand, Operand]]:
    """Return the factors of products that are used once, as a term of a sum, by name."""
    uses = Counter(name for s in walk(loop.body) for name in names_used(s))
    factors: dict[str, tuple[Operand, Operand]] = {}
    for s in loop.body:
        if isinstance(s, Let) and s.op in ("mul", "sqr") and uses[s.target.name] == 1:
            dtypes = {s.target.dtype, *(factor.dtype for factor in s.arguments)}
            if len(dtypes) == 1 and s.target.dtype in _DTYPES:
                factors[s.target.name] = (s.arguments[0], s.arguments[-1])
    return {
        s.value.name: factors[s.value.name]
        for s in loop.body
        if isinstance(s, Update) and isinstance(s.value, Value) and s.value.name in factors
        and s.op == "add" and s.buffer.memory is STACK and s.buffer.dtype == s.value.dtype
    }  # fmt: skip


def _contracted(
    loop: For, products: dict[str, tuple[Operand, Operand]], names: Names
) -> tuple[Statement, ...]:
    b = Builder(names)
    for s in loop.body:
        b.origin = getattr(s, "origin", None)
        if isinstance(s, Let) and s.target.name in products:
            continue
        if isinstance(s, Update) and isinstance(s.value, Value) and s.value.name in products:
            cell = View(s.buffer, (), (), s.index)
            factors = products[s.value.name]
            total = b.let("plus_product", s.buffer.dtype, [b.load(cell, []), *factors])
            b.store(cell, [], total)
        else:
            b.emit(s)
    return b.statements()
