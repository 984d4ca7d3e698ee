"""The NumPy interpreter: runs any graph node by node. The oracle of the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Constant, Variable


def interpret(graph: FunctionGraph, values: Sequence[Any]) -> list[Any]:
    """Return the values of ``graph.outputs`` for the values of ``graph.inputs``.

    A value is dropped when the last node that needs it has run.

    Raises
    ------
    ShapeError, IndexError, ValueError
        Where an op refuses its operands; the message names the user's lines.
    """
    storage: dict[Variable, Any] = dict(zip(graph.inputs, values, strict=True))
    last = last_uses(graph)
    for position, node in enumerate(graph.nodes):
        evaluate_node(node, storage)
        for item in last.get(position, ()):
            storage.pop(item, None)
    return [value_of(item, storage) for item in graph.outputs]


def last_uses(graph: FunctionGraph) -> dict[int, list[Variable]]:
    """Return for each node's position the variables that no later node needs."""
    keep = set(graph.outputs)
    where: dict[Variable, int] = {}
    for position, node in enumerate(graph.nodes):
        for item in (*node.inputs, *node.outputs):
            where[item] = position
    result: dict[int, list[Variable]] = {}
    for item, position in where.items():
        if item not in keep:
            result.setdefault(position, []).append(item)
    return result


def value_of(variable: Variable, storage: Mapping[Variable, Any]) -> Any:
    """Return a constant's value, or the one in ``storage``."""
    return variable.data if isinstance(variable, Constant) else storage[variable]


def evaluate_node(node: Apply, storage: dict[Variable, Any]) -> None:
    """Run one node's ``perform`` on the values in ``storage`` and put its results there."""
    cells: list[list[Any]] = [[None] for _ in node.outputs]
    node.op.perform(node, [value_of(item, storage) for item in node.inputs], cells)
    for output, cell in zip(node.outputs, cells, strict=True):
        storage[output] = conform(node, output, cell[0])


def conform(node: Apply, output: Variable, value: Any) -> Any:
    """Return a result as a value of its variable's type, or say which op broke its promise."""
    try:
        return output.type.filter(value, allow_downcast=True)
    except TypeError as error:
        raise TypeError(
            format_error(
                f"{node.op} computed a value unlike its type: {error}", places=[node.origin]
            )
        ) from None


def make_interpreted(graph: FunctionGraph) -> Callable[[Sequence[Any]], list[Any]]:
    """Return a callable that runs ``graph``."""
    return lambda values: interpret(graph, values)
