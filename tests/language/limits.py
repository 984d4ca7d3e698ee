"""Integers at the limits of their dtypes in all ops: in their fields, and in arguments of calls.

The ops are those of the conformance table's graphs, so a new op is among them. Each node is made
again alone: with inputs of the same types, of which those of integers get hostile numbers, and with
hostile numbers instead of the integers among its fields.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from symtheano import dtypes, function
from symtheano.graph.fields import check_fields, constructor, fields
from symtheano.graph.variable import Constant
from symtheano.graph.walk import toposort
from symtheano.tensor.type import TensorType
from tests.conformance.cases import draw, lengths
from tests.conformance.row import Row
from tests.conformance.table import FAMILIES, rows
from tests.language.hostile import HOSTILE

REFUSED = (TypeError, ValueError, IndexError, OverflowError, NotImplementedError)
"""Errors of a node that cannot be made."""


@dataclass(frozen=True)
class Alone:
    """A node that is made again, and values of its inputs.

    Attributes
    ----------
    row, dtype
        The row of the conformance table, and the dtype that it runs with.
    op
        The op.
    inputs
        Its inputs: new variables, and constants.
    values
        A value for each variable.
    """

    row: Row
    dtype: str
    op: Any
    inputs: tuple[Any, ...]
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The op without its fields, and the kinds of its inputs."""
        kinds = ", ".join(f"{item.type.dtype} {item.type.ndim}" for item in self.inputs)
        scalar = getattr(self.op, "scalar_op", "")
        return f"{type(self.op).__name__}{{{scalar}}}({kinds})"

    @property
    def kind(self) -> Any:
        """What nodes of which one is enough have in common: also which fields are integers."""
        return type(self.op), self.name, tuple(name for name, _ in integers_of(self.op))

    @property
    def variables(self) -> list[Any]:
        """The inputs that are no constants."""
        return [item for item in self.inputs if not isinstance(item, Constant)]

    def outputs(self, op: Any = None) -> list[Any]:
        """Return the outputs of the node, or of another op in its place."""
        return list((op or self.op).make_checked(*self.inputs).outputs)


@cache
def family(name: str) -> tuple[Alone, ...]:
    """Return the nodes of a family of the table, each kind once."""
    found: dict[Any, Alone] = {}
    for row in rows(name):
        for dtype in ("float64", "int64"):
            if dtype in row.runs or dtype == (*row.runs, "")[0]:
                for alone in _nodes(row, dtype):
                    found.setdefault(alone.kind, alone)
    return tuple(found.values())


@cache
def new_kinds() -> dict[str, tuple[Alone, ...]]:
    """Return for each family its nodes of the kinds that no family before it has."""
    seen: set[Any] = set()
    found = {}
    for name in FAMILIES:
        found[name] = tuple(alone for alone in family(name) if alone.kind not in seen)
        seen |= {alone.kind for alone in found[name]}
    return found


def everything() -> Iterator[Alone]:
    """Yield the nodes of all families, each kind once."""
    for nodes in new_kinds().values():
        yield from nodes


def _nodes(row: Row, dtype: str) -> Iterator[Alone]:
    """Yield the nodes of a row's graph, each with new inputs."""
    named = {name: arg.variable(dtype, name) for name, arg in row.args.items()}
    nodes = [node for node in toposort(row.symbolic(named)) if _is_simple(node)]
    wanted = list(dict.fromkeys(item for node in nodes for item in node.inputs))
    if not nodes:
        return
    compute = function(list(named.values()), wanted, mode="INTERPRET", on_unused_input="ignore")
    values = draw(row, dtype, lengths(row)["ordinary"])
    try:
        known = dict(zip(wanted, compute(*values), strict=True))
    except (ArithmeticError, ValueError, IndexError):  # what the row tests is an error
        return
    for node in nodes:
        for keeps in (False, True):
            inputs = tuple(_again(item, keeps) for item in node.inputs)
            alone = Alone(row, dtype, node.op, inputs, ())
            try:
                alone.outputs()
            except REFUSED:
                continue
            free = [k for k, item in enumerate(inputs) if not isinstance(item, Constant)]
            yield Alone(row, dtype, node.op, inputs,
                        tuple(np.asarray(known[node.inputs[k]]) for k in free))  # fmt: skip
            break


def _is_simple(node: Any) -> bool:
    variables = (*node.inputs, *node.outputs)
    return node.op.region is None and all(type(item.type) is TensorType for item in variables)


def _again(item: Any, keeps: bool) -> Any:
    """Return a new variable of the same type; the same constant if it is kept."""
    return item if keeps and isinstance(item, Constant) else item.type()


# -- integers of calls -----------------------------------------------------------------------------


def hostile_places(alone: Alone) -> list[int]:
    """Return the positions of variables that are integers."""
    variables = alone.variables
    return [k for k, item in enumerate(variables) if item.type.dtype in dtypes.INTEGER]


def hostile_values(alone: Alone, pick: random.Random) -> list[Any]:
    """Return values in which some integers are hostile."""
    values = [np.array(value) for value in alone.values]
    places = [k for k in hostile_places(alone) if values[k].size]
    if not places:
        return values
    for k in pick.sample(places, pick.randint(1, len(places))):
        limits = np.iinfo(values[k].dtype)
        numbers = [n for n in HOSTILE if limits.min <= n <= limits.max]
        numbers += [int(limits.min), int(limits.max)]
        if pick.random() < 0.5:
            values[k][...] = pick.choice(numbers)
        else:
            values[k].flat[pick.randrange(values[k].size)] = pick.choice(numbers)
    return values


# -- integers of fields ----------------------------------------------------------------------------


def integers_of(op: Any) -> list[tuple[str, int | None]]:
    """Return the fields that are integers, and places of integers in fields that are tuples."""
    found: list[tuple[str, int | None]] = []
    for name, value in (fields(op) or {}).items():
        if type(value) is int:
            found.append((name, None))
        elif type(value) is tuple:
            found += [(name, k) for k, item in enumerate(value) if type(item) is int]
    return found


def changed(op: Any, changes: Sequence[tuple[tuple[str, int | None], int]]) -> Any:
    """Return the op with other integers in its fields, checked as those of a file are."""
    values = dict(fields(op) or {})
    for (name, place), number in changes:
        if place is None:
            values[name] = number
        else:
            items = list(values[name])
            items[place] = number
            values[name] = tuple(items)
    check_fields(type(op), values)
    return constructor(type(op))(**values)
