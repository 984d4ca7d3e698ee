"""Lifetimes: when each stored value is written, and when it is read last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.slots import Inside
from symtheano.codegen.plan.stages import NestPlan
from symtheano.codegen.plan.steps import Nest, OpStep, Step, stored_by
from symtheano.dataclass import dataclass
from symtheano.loopir import Buffer
from symtheano.lowering import REDUCTIONS
from symtheano.tensor.variable import Tensor


@dataclass(frozen=True, eq=False)
class Lifetimes:
    """The steps between which values have to be in memory.

    Attributes
    ----------
    schedule
        The steps.
    places
        For each output that has memory of its own, its positions among the outputs.
    reads
        What each step reads.
    first
        The first step that writes each stored value.
    last
        The last step that reads each value.
    """

    schedule: Schedule
    places: Mapping[Tensor, tuple[int, ...]]
    reads: Sequence[Mapping[Tensor, None]]
    first: Mapping[Tensor, int]
    last: Mapping[Tensor, int]

    def maker(self, value: Tensor) -> Step | None:
        """Return the first step that writes a value, or None."""
        position = self.first.get(value)
        return None if position is None else self.schedule.steps[position]

    def is_late(self, value: Tensor) -> bool:
        """Return whether the size of a value is only known after some of the work."""
        late = self.schedule.is_late(self.schedule.shapes.dims(value))
        return late or any(map(self.schedule.is_late_output, self.places.get(value, ())))


def find_lifetimes(
    schedule: Schedule, destinations: Sequence[Buffer | None] | None = None
) -> Lifetimes:
    """Return the lifetimes of a schedule's values.

    Parameters
    ----------
    schedule
        The steps.
    destinations
        For the body of a loop: where outputs go; None for a scalar.
    """
    places: dict[Tensor, list[int]] = {}
    for number, output in enumerate(schedule.outputs):
        if destinations is None or destinations[number] is not None:
            places.setdefault(output, []).append(number)
    first: dict[Tensor, int] = {}
    for position, step in enumerate(schedule.steps):
        for variable in stored_by(step):
            first.setdefault(variable, position)
    reads = [schedule.operands.read_by(step) for step in schedule.steps]
    last = _last_uses(schedule, reads)
    for number, output in enumerate(schedule.outputs):
        is_scalar = destinations is not None and destinations[number] is None
        if is_scalar:  # it is read at the end
            last[schedule.operands.root(output)] = len(schedule.steps)
    return Lifetimes(
        schedule,
        MappingProxyType({output: tuple(numbers) for output, numbers in places.items()}),
        tuple(reads),
        MappingProxyType(first),
        MappingProxyType(last),
    )


def _last_uses(schedule: Schedule, reads: Sequence[Mapping[Tensor, None]]) -> dict[Tensor, int]:
    last: dict[Tensor, int] = {}
    for position, arrays in enumerate(reads):
        for variable in arrays:
            last[variable] = position
    for variable in schedule.entry:
        owner = variable.owner
        if owner is None or not owner.op.infers_shape:
            continue
        if isinstance(owner.op.lowering, REDUCTIONS):  # computed in a nest
            continue
        at = schedule.ready.get(variable, 0)
        for item in owner.inputs:
            root = schedule.operands.root(item) if hasattr(item, "ndim") else item
            last[root] = max(last.get(root, -1), at)
    return last


def safe_from(
    lifetimes: Lifetimes, plans: Mapping[Nest, NestPlan], inside: Mapping[Step, Inside]
) -> int:
    """Return the first step from which on no error can occur.

    Parameters
    ----------
    lifetimes
        The steps.
    plans
        The plans of nests.
    inside
        What steps require that are loops over regions.
    """
    schedule = lifetimes.schedule
    last = max(schedule.guards, default=0)
    for position, step in enumerate(schedule.steps):
        fails = isinstance(step, OpStep) and step.node.op.lowering.may_fail
        fails = fails or (step in inside and inside[step].may_fail)
        late = any(map(lifetimes.is_late, stored_by(step)))
        if isinstance(step, Nest) and plans[step].needs_memory:
            late = late or schedule.is_late(step.space)
        if fails or late:
            last = max(last, position + 1)
    for position, output in enumerate(schedule.outputs):
        again = output in schedule.outputs[:position] or output not in lifetimes.first
        if again and schedule.is_late_output(position):
            last = len(schedule.steps)  # it is allocated at the end
    return last
