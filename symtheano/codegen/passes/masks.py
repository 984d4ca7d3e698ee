"""Masks: truth values that select numbers of 8 bytes are made by comparing integers as wide.

With AVX-512, gcc 12 cannot widen a comparison of bytes to 8 bytes, but it can widen a sign: a byte
is true if the integer with its value, negated, is negative. Where truth values select narrower
numbers, comparing bytes is faster.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Builder, For, If, Kernel, Let, Literal, Load, Statement, Value
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, with_bodies, with_loops

_EIGHT_BYTES = ("float64", "int64", "uint64")


def masks(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Widen the bytes that are true or false in loops over elements of 8 bytes."""

    def change(loop: For) -> Sequence[Statement] | None:
        if not loop.kind.endswith("simd"):
            return None
        wide = _wide_masks(loop)
        if not wide:
            return None
        context.note(loop, "bytes become masks of 8 bytes")
        return [replace(loop, body=_widened(loop.body, wide, context))]

    widened = with_loops(kernel, change)
    context.otherwise("not, no loop selects numbers of 8 bytes by truth values that it loads")
    return widened


def _wide_masks(loop: For) -> set[str]:
    """Return the names of truth values that are bytes, but take part in what has 8 bytes."""
    inside = [s for s in walk(loop.body) if isinstance(s, Let | Load)]
    wide: set[str] = set()
    for s in reversed(inside):
        if isinstance(s, Let) and (s.target.dtype in _EIGHT_BYTES or s.target.name in wide):
            wide.update(operand.name for operand in s.arguments
                        if isinstance(operand, Value) and operand.dtype == "bool")  # fmt: skip
    return {s.target.name for s in inside if _is_mask(s) and s.target.name in wide}


def _is_mask(s: Let | Load) -> bool:
    """Return whether a byte becomes a truth value."""
    if s.target.dtype != "bool":
        return False
    return isinstance(s, Load) or (s.op == "cast" and s.arguments[0].dtype in ("int8", "uint8"))


def _widened(statements: Body, wide: set[str], context: Context) -> Body:
    b = Builder(context.names)
    for s in statements:
        if isinstance(s, If):
            s = with_bodies(s, lambda body: _widened(body, wide, context))
        if not isinstance(s, Let | Load) or s.target.name not in wide:
            b.emit(s)
            continue
        name = f"{s.target.name}_byte"
        byte: Operand
        if isinstance(s, Load):
            byte = Value(context.names.fresh(name), "int64")
            b.emit(Load(byte, s.buffer, s.index))
        else:
            byte = b.cast(b.cast(s.arguments[0], "uint8", name), "int64", name)
        negated = b.let("neg", "int64", [byte])
        b.emit(Let(s.target, "lt", (negated, Literal(0, "int64"))))
    return b.statements()
