"""Loops whose iterations change each element of their states by itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from symtheano.codegen.plan.elements import cost_of
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.stages import NestPlan
from symtheano.codegen.plan.steps import Member, Nest
from symtheano.graph.variable import Apply
from symtheano.lowering import Elementwise
from symtheano.tensor.variable import Tensor

if TYPE_CHECKING:
    from symtheano.loops.scan_op import Scan

# In an iteration, numbers are computed for each strip of elements, and not once for all of them:
# at most so many times the cost of an element, which is paid for each vector of a strip.
_MOST_ALONE = 4
_OTHER = 2


def is_elementwise(node: Apply, schedule: Schedule, nests: Mapping[Nest, NestPlan]) -> bool:
    """Return whether each element can go through all iterations of a loop by itself.

    Then all results are states, sequences are read as scalars, and an iteration is made of nests of
    points over the same axes, which read states only at the element that they change.

    Parameters
    ----------
    node
        The node of the loop.
    schedule
        The steps of one iteration.
    nests
        The plans of its nests.
    """
    op, inputs = cast("Scan", node.op), schedule.graph.inputs
    carried = [inputs[k] for k in op.carried() if k is not None]
    steps = [step for step in schedule.steps if isinstance(step, Nest)]
    if len(carried) < len(schedule.outputs) or len(steps) < len(schedule.steps):
        return False
    if any(v.ndim and s.is_row for v, s in zip(inputs, op.sources(), strict=True)):
        return False
    stores = [item for step in steps for item in step.stores]
    if not stores or set(stores) != {output for output in schedule.outputs if output.ndim}:
        return False
    if len(stores) != sum(output.ndim > 0 for output in schedule.outputs):
        return False
    if len({step.space for step in steps}) > 1 or schedule.is_late(steps[0].space):
        return False
    states = {state for state in carried if state.ndim}
    return all(_are_points(nests[step]) for step in steps) and _is_apart(
        steps, schedule, states, {*states, *stores}
    )


def _are_points(plan: NestPlan) -> bool:
    """Return whether a nest only has points, all in the same loops."""
    axes = tuple(range(len(plan.nest.space)))
    return (
        all(member.role == "point" for member in plan.nest.members)
        and plan.stages == 1
        and [visit.axes for visit in plan.visits] == [axes]
        and all(plan.is_inner(member) for member in plan.nest.members)
    )


def _is_apart(
    nests: Sequence[Nest],
    schedule: Schedule,
    states: Collection[Tensor],
    changed: Collection[Tensor],
) -> bool:
    """Return whether states are only read at the element that is changed, before it is."""
    members = [(nest, member) for nest in nests for member in nest.members]
    homes = {member.axes for nest, member in members if member.result in nest.stores}
    if len(homes) != 1:
        return False
    (home,) = homes

    def reads_here(nest: Nest, member: Member, item: Tensor) -> bool:
        source = schedule.views.source(item)
        if source.variable in nest.results:
            return True
        if not any(root in changed for root in schedule.operands.roots(item, nest.inline)):
            return True
        whole = source.axes == tuple(range(len(home))) and member.axes == home
        return source.variable in states and whole and member.is_pointwise

    numbers = [v.owner for v in schedule.entry if v.owner and v.owner.op.lowering.reads_elements]
    kinds = [node.op.lowering for node in numbers]
    alone = sum(kind.row.cost if isinstance(kind, Elementwise) else _OTHER for kind in kinds)
    if alone > _MOST_ALONE * sum(cost_of(member) for _, member in members):
        return False
    read = [root for node in numbers for v in node.inputs for root in schedule.operands.roots(v)]
    return all(root not in changed for root in read) and all(
        reads_here(nest, member, item) for nest, member in members for item in member.node.inputs
    )
