"""The work of statements, in additions."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.loopir import For, If, Index, Let, Locate, Reduce, Statement, Update
from symtheano.loopir.names import definitions, walk
from symtheano.scalar.table import TABLE

# Of a reduction of one element.
_REDUCTION = 2
_CALL = 8
"""A function of floating-point numbers that costs more additions is a call."""


def scalar_cost(statements: Sequence[Statement]) -> int:
    """Return the cost of the scalar statements of one list, without loops."""
    total = 0
    for statement in statements:
        if isinstance(statement, Let):
            row = TABLE.get(statement.op)
            total += 1 if row is None else row.cost
        elif isinstance(statement, Reduce | Update | Locate):
            total += _REDUCTION
    return total


def is_call(statement: Statement) -> bool:
    """Return whether a statement calls a function of floats, which has a form for vectors."""
    return (
        isinstance(statement, Let)
        and statement.target.dtype in ("float32", "float64")
        and statement.op in TABLE
        and TABLE[statement.op].cost > _CALL
    )


def work_of(loop: For) -> Index:
    """Return the work of a loop; of a body with loops, only that of the loops."""
    inside = _loops_of(loop.body)
    if loop.step != 1:  # the loops inside are over parts of this one
        costs = [scalar_cost(s.body) for s in walk(loop.body) if isinstance(s, For)]
        return _length(loop) * max([*costs, 1])
    if inside:
        each = sum((work_of(inner) for inner in inside), Index.of(0))
    else:
        each = Index.of(max(scalar_cost(loop.body), 1))
    return _length(loop) * each.replace(dict.fromkeys(_defined_in(loop), 0))


def trips_of(loop: For) -> Index:
    """Return how many iterations the innermost loops inside have for one index of a loop.

    Loops over parts of another one, which has steps, are counted by it.
    """
    inside = _loops_of(loop.body)
    if not inside:
        return Index.of(1)
    if loop.step != 1 and inside[0].step == 1:
        return Index.of(1)
    trips = _length(inside[0]) * trips_of(inside[0])
    return trips.replace(dict.fromkeys(_defined_in(loop), 0))


def _defined_in(loop: For) -> set[str]:
    """Return the names that nothing outside of a loop knows."""
    return {loop.index.name, *(value.name for s in loop.body for value in definitions(s))}


def _loops_of(statements: Sequence[Statement]) -> list[For]:
    loops: list[For] = []
    for statement in statements:
        if isinstance(statement, For):
            loops.append(statement)
        elif isinstance(statement, If):
            loops += _loops_of(statement.otherwise)  # if there is no other way, it may be left out
    return loops


def _length(loop: For) -> Index:
    return loop.stop - loop.start
