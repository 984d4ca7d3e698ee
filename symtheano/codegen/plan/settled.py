"""Settled edges: what all iterations of a loop leave as it was before the loop."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.plan.memory import MemoryPlan
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.steps import OpStep
from symtheano.lowering import Parts
from symtheano.tensor.variable import Tensor


def settled_edges(
    schedule: Schedule, memory: MemoryPlan, carried: Sequence[int | None]
) -> frozenset[Tensor]:
    """Return the results whose edges need not be copied in an iteration.

    Such a result is a state of which an op changes all but the edges, in other memory. The edges
    are the same after each iteration, so both of the arrays of the state have them if both begin as
    the initial state.

    Parameters
    ----------
    schedule, memory
        The steps of an iteration, and where their results are.
    carried
        For each output the number of the input that it replaces, or None.
    """
    nodes = {step.node for step in schedule.steps if isinstance(step, OpStep)}
    settled = set()
    for position, (output, number) in enumerate(zip(schedule.outputs, carried, strict=True)):
        if number is None or position in memory.donated:
            continue
        node = output.owner
        if node is None or node not in nodes:
            continue
        lowering = node.op.lowering
        if not isinstance(lowering, Parts) or lowering.overwrites is None:
            continue
        start = schedule.operands.inputs(node)[lowering.overwrites]
        state = schedule.graph.inputs[number]
        here = memory.buffers.get(output) == memory.outputs[position]
        if start is state and here and lowering.leaves_edges(node.op, node):
            settled.add(output)
    return frozenset(settled)
