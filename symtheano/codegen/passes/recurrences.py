"""Recurrences: loops of the user's program, outside of kernels, wait for fewer operations.

An iteration of such a loop needs the numbers of the one before, so it takes as long as its longest
chain of operations. A division by a known number is a product, as in kernels. A product with a
power of two that is only a term of a sum is multiplied and added at once. Such a product is exact,
so the sum is rounded as before, unless the product is subnormal; then the fused sum is the more
accurate one.
"""

from __future__ import annotations

from collections import Counter
from math import frexp

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.quotients import multiplied
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Assign,
    For,
    Kernel,
    Let,
    Literal,
    Program,
    Reduce,
    Statement,
    Value,
    While,
)
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, names_used, unless_same, with_bodies

_DTYPES = ("float32", "float64")
_SMALLEST = 2.0**-20
"""Products with smaller numbers are left alone."""


def recurrences(program: Program, target: Target, context: ProgramContext) -> Program:
    """Shorten the chains of operations in loops outside of kernels."""

    def block(body: Body) -> Body:
        return unless_same([changed(s) for s in body], body)

    def changed(statement: Statement) -> Statement:
        if isinstance(statement, Kernel) and not statement.region:
            return statement
        if isinstance(statement, For | While):
            return replace(statement, body=_shortened(block(statement.body)))
        return with_bodies(statement, block)

    return replace(program, body=block(program.body))


def _shortened(body: Body) -> Body:
    """Return the statements of a loop with shorter chains."""
    new = [(multiplied(s) or s) if isinstance(s, Let) else s for s in body]
    uses = Counter(name for s in walk(new) for name in names_used(s))
    products = {
        s.target.name: s
        for s in new
        if isinstance(s, Let) and _is_exact(s) and uses[s.target.name] == 1
    }
    fused: set[str] = set()
    for k, s in enumerate(new):
        for target in _assigned(s):  # a factor that changes before the sum
            products = {n: p for n, p in products.items() if target not in p.arguments}
        if isinstance(s, Let) and (product := _term_of(s, products)) is not None:
            new[k] = _fused(s, product)
            fused.add(product.target.name)
    kept = [s for s in new if not (isinstance(s, Let) and s.target.name in fused)]
    return unless_same(kept, body)


def _assigned(statement: Statement) -> list[Value]:
    """Return the declared scalars that a statement, or one inside it, assigns."""
    return [s.target for s in walk((statement,)) if isinstance(s, Assign | Reduce)]


def _is_exact(let: Let) -> bool:
    """Return whether a statement is a product with a power of two less than one."""
    if let.op != "mul" or let.target.dtype not in _DTYPES or len(let.arguments) != 2:
        return False
    return any(isinstance(each, Literal) and _is_power(each) for each in let.arguments)


def _is_power(literal: Literal) -> bool:
    value = literal.value
    if not isinstance(value, float) or not _SMALLEST <= abs(value) < 1:
        return False
    return abs(frexp(value)[0]) == 0.5


def _term_of(total: Let, products: dict[str, Let]) -> Let | None:
    """Return the product that is a term of a sum, or is subtracted from a number."""
    if total.op not in ("add", "sub") or len(total.arguments) != 2:
        return None
    terms = total.arguments if total.op == "add" else total.arguments[1:]
    for term in terms:
        product = products.get(term.name) if isinstance(term, Value) else None
        if product is not None and product.target.dtype == total.target.dtype:
            return product
    return None


def _fused(total: Let, product: Let) -> Let:
    """Return a sum that multiplies as it adds."""
    other: list[Operand] = [each for each in total.arguments if each != product.target]
    factors = [
        _negated(each) if isinstance(each, Literal) and total.op == "sub" else each
        for each in product.arguments
    ]
    return replace(total, op="plus_product", arguments=(*other, *factors))


def _negated(literal: Literal) -> Literal:
    assert isinstance(literal.value, float)
    return replace(literal, value=-literal.value)
