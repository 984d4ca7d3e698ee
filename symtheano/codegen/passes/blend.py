"""Blend: a choice that is the same in all lanes of a loop compares a number, not a truth value.

Compilers take a condition that does not change in a loop for a branch, and can neither run the
branch in vectors nor move it out of a long loop. The comparison of a number is a mask like others.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Builder, For, Kernel, Let, Literal, Statement, Value
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import with_loops

# The dtype whose comparisons make masks for elements of a dtype: one of the same size.
_MASKS = {
    **dict.fromkeys(("float32", "int32", "uint32"), "float32"),
    **dict.fromkeys(("float64", "int64", "uint64"), "float64"),
}


def blend(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Change the switches in lanes whose condition is the same in all lanes."""

    def change(loop: For) -> Sequence[Statement] | None:
        return _blended(loop, context) if loop.kind.endswith("simd") else None

    blended = with_loops(kernel, change)
    context.otherwise("not, no loop in lanes has a switch with the same condition in all lanes")
    return blended


def _blended(loop: For, context: Context) -> Sequence[Statement] | None:
    """Return the numbers to compare, and a loop that compares them; None if there are none."""
    inside = {value.name for s in walk([loop]) for value in definitions(s)}
    before, body = Builder(context.names), Builder(context.names)
    for statement in loop.body:
        condition = _same_condition(statement, inside)
        if condition is None:
            body.emit(statement)
            continue
        assert isinstance(statement, Let)
        dtype = _MASKS[statement.target.dtype]
        choice: list[Value | Literal] = [condition, Literal(1.0, dtype), Literal(0.0, dtype)]
        number = before.let("switch", dtype, choice, condition.name)
        mask = body.let("neq", "bool", [number, Literal(0.0, dtype)])
        body.emit(replace(statement, arguments=(mask, *statement.arguments[1:])))
        context.note(loop, "{} is the same in all lanes", condition.name)
    numbers = before.statements()
    return (*numbers, replace(loop, body=body.statements())) if numbers else None


def _same_condition(statement: Statement, inside: set[str]) -> Value | None:
    """Return the condition of a switch in lanes, if it is known before the loop."""
    if not isinstance(statement, Let) or statement.op != "switch":
        return None
    condition = statement.arguments[0]
    if not isinstance(condition, Value) or condition.name in inside:
        return None
    return condition if statement.target.dtype in _MASKS else None
