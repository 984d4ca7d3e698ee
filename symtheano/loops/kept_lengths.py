"""Requirements of the graph of a loop on lengths, checked before any iteration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol, cast

import numpy as np

from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply
from symtheano.interpret import interpret
from symtheano.loops.layout import Layout
from symtheano.loops.lengths import Outside, compares_lengths, lengths_of, requirements_of
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import call_message
from symtheano.tensor.shapes.shape import shape_of


class _Loop(Protocol):
    region: FunctionGraph
    layout: Layout


def changed_length(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for a value whose length changes in an iteration."""
    return call_message(
        f"{node.op}: a state of length {values[1]} along axis {axis} has length {values[0]} after "
        "one iteration",
        node,
        *node.inputs,
        hint="an iteration must return states of unchanged shapes",
    )


def kept_lengths(
    node: Apply, graph: FunctionGraph, lengths: Sequence[Sequence[Any]]
) -> list[Requirement]:
    """Return the requirements that an iteration does not change the lengths of states.

    Parameters
    ----------
    node
        The node of the loop.
    graph
        The graph of an iteration, which may be rewritten.
    lengths
        Those of its results.
    """
    requirements = []
    for number, same in enumerate(cast(_Loop, node.op).layout.same_types()):
        if same is None:
            continue
        pairs = zip(lengths[number], shape_of(graph.inputs[same]), strict=True)
        for axis, (new, old) in enumerate(pairs):
            are_constants = isinstance(new, int) and isinstance(old, int)
            equal = new == old if are_constants else scalar.eq(new, old)
            message = partial(changed_length, node, axis)
            requirements.append(Requirement(equal, (new, old), message, equal=(new, old)))
    return requirements


def check_lengths(node: Apply, inputs: Sequence[Any]) -> None:
    """Check the requirements of an iteration on lengths, even if no iteration runs.

    Compiled code makes the same checks before a loop.

    Parameters
    ----------
    node
        The node of the loop.
    inputs
        The values of its inputs.

    Raises
    ------
    ShapeError, BoundsError, ValueError
        If a requirement is not met.
    """
    loop = cast(_Loop, node.op)
    graph, dims = loop.region, lengths_of(loop.region)
    shapes = [
        np.shape(inputs[source.number])[int(source.is_row) :] for source in loop.layout.sources()
    ]
    outside = Outside(graph, dims, graph.inputs, shapes)
    for requirement in (*requirements_of(graph), *kept_lengths(node, graph, dims)):
        if compares_lengths(requirement.needed):
            told = [as_tensor_variable(outside.told(item)) for item in requirement.needed]
            values = iter(interpret(FunctionGraph([], told), []))
            numbers = [
                item if isinstance(item, int) else int(next(values))
                for item in (requirement.condition, *requirement.values)
            ]
            if not numbers[0]:
                raise requirement.exception(numbers[1:])
