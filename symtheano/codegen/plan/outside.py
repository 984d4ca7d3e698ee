"""What the graph of a loop or branch has from outside: lengths under their names, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from symtheano.codegen.plan.naming import OuterLengths
from symtheano.codegen.plan.schedule import Schedule
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply
from symtheano.loopir import Index

if TYPE_CHECKING:
    from symtheano.loops.scan_op import Scan


def rows_of(node: Apply, around: Schedule) -> list[tuple[Index, ...]]:
    """Return for each input of the graph of a loop its lengths, by those around the loop."""
    inputs = around.operands.inputs(node)
    return [
        around.shapes.dims(inputs[source.number])[int(source.is_row) :]
        for source in cast("Scan", node.op).sources()
    ]


def named_outside(
    graph: FunctionGraph, shapes: Sequence[Sequence[Index]], around: Schedule
) -> OuterLengths:
    """Return the lengths that a graph has from outside under the names there."""
    return {
        (variable, axis): length
        for variable, dims in zip(graph.inputs, shapes, strict=True)
        for axis, length in enumerate(dims)
        if (length.name or length.constant is not None) and not around.is_late([length])
    }
