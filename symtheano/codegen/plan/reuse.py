"""Reuse of memory: which value may be computed in the memory of another one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symtheano.codegen.plan.lifetimes import Lifetimes
from symtheano.codegen.plan.overlap import reads_its_changes
from symtheano.codegen.plan.stages import NestPlan
from symtheano.codegen.plan.steps import Nest, OpStep
from symtheano.codegen.plan.within import Part
from symtheano.lowering import Elementwise, Python
from symtheano.tensor.variable import Tensor


class Reuse:
    """Which values of a schedule may begin in the memory of others.

    Parameters
    ----------
    lifetimes
        When values are written and read.
    plans
        The plans of nests.
    within
        Values that are made in parts of results.

    Attributes
    ----------
    hosts
        These results.
    """

    def __init__(
        self,
        lifetimes: Lifetimes,
        plans: Mapping[Nest, NestPlan],
        within: Mapping[Tensor, Part] = MappingProxyType({}),
    ) -> None:
        self.lifetimes, self.plans, self.schedule = lifetimes, plans, lifetimes.schedule
        self.within = within
        self.hosts = frozenset(part.node.outputs[0] for part in within.values())

    def chain(self, output: Tensor, through_nests: bool = True) -> list[Tensor]:
        """Return an output and the values computed in its memory before it, in reverse order.

        Each value except the last starts from the next one and overwrites it. All of them share the
        memory, so an input can provide it only if the first computed value may overwrite it.
        """
        chain = [output]
        if any(map(self.schedule.is_late_output, self.lifetimes.places[output])):
            return chain
        while (start := self._start(chain[-1], through_nests)) is not None:
            chain.append(start)
        return chain

    def _start(self, value: Tensor, through_nests: bool) -> Tensor | None:
        """Return the result from which a value starts, if it is not used afterwards, or None."""
        lifetimes = self.lifetimes
        position = lifetimes.first.get(value)
        if position is None or value in self.hosts:
            return None
        step = self.schedule.steps[position]
        if isinstance(step, Nest) and not through_nests:
            return None
        if isinstance(step, Nest):
            starts = [*lifetimes.reads[position]]
        else:
            number = _start_of(step, value)
            if number is None:
                return None
            starts = [self.schedule.operands.inputs(step.node)[number]]
        for start in starts:
            maker = lifetimes.maker(start)
            if maker is None or start in lifetimes.places or lifetimes.last[start] != position:
                continue
            if isinstance(maker, OpStep) and isinstance(maker.node.op.lowering, Python):
                continue
            if self.may_take(value, start, position):
                return start
        return None

    def may_take(self, value: Tensor, operand: Tensor, step: int) -> bool:
        """Return whether ``value``, written at ``step``, may reuse an operand's memory."""
        if value in self.hosts or operand in self.within or self._shows(operand, step):
            return False
        if value.dtype != operand.dtype or self.lifetimes.last.get(operand, -1) > step:
            return False
        if self.schedule.shapes.dims(value) != self.schedule.shapes.dims(operand):
            return False
        if operand not in self.lifetimes.reads[step]:
            return True
        where = self.schedule.steps[step]
        if isinstance(where, OpStep):
            return self._overwrites(where, value, operand)
        return self._elementwise_in_place(where, value, operand)

    def _shows(self, whole: Tensor, step: int) -> bool:
        """Return whether a step reads a value that was made in a part of a result."""
        return whole in self.hosts and any(
            part.node.outputs[0] is whole and value in self.lifetimes.reads[step]
            for value, part in self.within.items()
        )

    def _overwrites(self, step: OpStep, value: Tensor, operand: Tensor) -> bool:
        number = _start_of(step, value)
        operands = self.schedule.operands
        if number is None or operands.inputs(step.node)[number] is not operand:
            return False
        return not reads_its_changes(operands, step.node, step.feeds, number)

    def _elementwise_in_place(self, nest: Nest, value: Tensor, operand: Tensor) -> bool:
        """Return whether a nest reads an operand only at the element that it writes."""
        plan, operands = self.plans[nest], self.schedule.operands
        if plan.stages > 1:
            return False
        home = plan.by_result.get(value)
        if home is None or home.role != "point" or not _is_elementwise(nest):
            return False
        for member in nest.members:
            for item in member.node.inputs:
                source = self.schedule.views.source(item)
                if source.variable in nest.results:
                    continue
                if operands.root(item) is not operand:
                    if operand in operands.roots(item, nest.inline):
                        return False  # at another element, computed from its index
                    continue
                if source.variable is not operand or len(source.axes) != len(home.axes):
                    return False
                if source.axes != tuple(range(operand.ndim)) or member.axes != home.axes:
                    return False
        return True


def _start_of(step: OpStep, value: Tensor) -> int | None:
    """Return the number of the input whose content a result of a step starts from, or None."""
    op = step.node.op
    return None if value.index is None else op.lowering.starts(op).get(value.index)


def _is_elementwise(nest: Nest) -> bool:
    """Return whether a nest reads every operand only at its own index."""
    return all(
        isinstance(member.node.op.lowering, Elementwise) or member.role in ("full", "column")
        for member in nest.members
    )
