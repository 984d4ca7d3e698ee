"""Planning of a nest: stages, recomputation, memory for what a later stage needs again.

A nest visits each outer index once. Its inner loops run in *stages*: a stage begins where a value
needs a reduction over inner axes that the previous stage has finished. A stage has loops over all
inner axes, and before them loops over those of values that vary along some of them only, such as
the reciprocal of a sum over a middle axis.

An elementwise value that later loops need is loaded if it is stored anyway, recomputed if this is
cheap, and otherwise kept in scratch memory, for which an output that is written later may be used.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from symtheano.codegen.plan.elements import cost_of
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.steps import Member, Nest, OpStep
from symtheano.codegen.plan.views import Views
from symtheano.dataclass import dataclass, replace
from symtheano.lowering import ArgReduction, Elementwise
from symtheano.tensor.variable import Tensor

# Maximum cost of recomputing a value in a later stage, in additions.
_CHEAP = 8
# The same, if it would be recomputed at each index of an axis along which it does not vary.
_CHEAP_OFTEN = 1


class Visit(NamedTuple):
    """Loops of a stage; visits compare in the order in which they run.

    Attributes
    ----------
    stage
        The stage, from 0.
    width
        Number of axes: within a stage, loops over fewer axes run first.
    axes
        The inner axes they run over.
    """

    stage: int
    width: int
    axes: tuple[int, ...]


How = Literal["load", "spill", "compute", "total"]
"""How loops get a value of earlier ones: it is stored, kept for later stages, computed again, or
the accumulator of a column."""


@dataclass(frozen=True, eq=False)
class NestPlan:
    """The plan of a nest.

    Attributes
    ----------
    nest
        The nest.
    sources
        The variables from which each member's operands are read.
    by_result
        The member that computes each value.
    visit_of
        The loops in which each value is computed.
    visits
        The inner loops, in order.
    stages
        The number of stages.
    spills
        Values kept for later stages: in the memory of another result, or (None) in memory of the
        nest's own.
    """

    nest: Nest
    sources: Mapping[Member, tuple[Tensor, ...]]
    by_result: Mapping[Tensor, Member]
    visit_of: Mapping[Tensor, Visit]
    visits: tuple[Visit, ...]
    stages: int
    spills: Mapping[Tensor, Tensor | None]

    @property
    def needs_memory(self) -> bool:
        """Whether the nest may need memory of its own, for rows of accumulators or of values."""
        columns = any(member.role == "column" for member in self.nest.members)
        return columns or None in self.spills.values()

    def inner_axes(self, member: Member) -> tuple[int, ...]:
        """Return the inner axes of the loops in which a member is computed or reduced."""
        return self.visit_of[member.result].axes

    def is_inner(self, member: Member) -> bool:
        """Return whether a member is computed inside inner loops."""
        return bool(self.visit_of[member.result].axes)

    def inside(self, variable: Tensor) -> Member | None:
        """Return the member that computes a variable, if it is used within the nest."""
        return self.by_result.get(variable) if variable in self.nest.results else None

    def members_of(self, stage: int) -> list[Member]:
        """Return the members of a stage that are computed outside of inner loops, in order."""
        return [
            m
            for m in self.nest.members
            if not self.is_inner(m) and self.visit_of[m.result].stage == stage
        ]

    def inner_members_of(self, visit: Visit) -> list[Member]:
        """Return the members that some inner loops compute, in order.

        A value that only later loops need is computed there, unless it is stored for them here.
        """
        members = [m for m in self.nest.members if self.visit_of[m.result] == visit]
        wanted: set[Tensor] = set()
        for member in reversed(members):
            output = member.result
            kept = output in self.nest.stores or output in self.spills
            if member.role != "point" or kept or output in wanted:
                wanted.add(output)
                if member.is_pointwise:
                    wanted.update(self.sources[member])
        return [m for m in members if m.result in wanted]

    def again(self, visit: Visit) -> list[tuple[Tensor, How]]:
        """Return what inner loops need of values of earlier ones, and how they get it, in order."""
        ways: dict[Tensor, How] = {}
        readers = self.inner_members_of(visit)
        stack = [s for m in readers if m.is_pointwise for s in self.sources[m]]
        while stack:
            value = stack.pop()
            member = self.inside(value)
            if member is None or value in ways or not self.is_inner(member):
                continue
            if member.role == "column":
                ways[value] = "total"
                continue
            if member.role != "point" or self.visit_of[value] == visit:
                continue
            if value in self.nest.stores:
                ways[value] = "load"
            elif value in self.spills:
                ways[value] = "spill"
            else:
                ways[value] = "compute"
                if isinstance(member.node.op.lowering, Elementwise):
                    stack.extend(self.sources[member])
        return [(value, ways[value]) for value in self.by_result if value in ways]

    def is_read_often(self, value: Tensor) -> bool:
        """Return whether a column is read at each index of an axis along which it does not vary."""
        kept = set(self.nest.inner).intersection(self.nest.results.get(value, ()))
        return any(
            visit.width > len(kept) and value in dict(self.again(visit)) for visit in self.visits
        )


def plan_nests(schedule: Schedule) -> Mapping[Nest, NestPlan]:
    """Return the plans of all nests of a schedule, those of feeds and epilogues included."""
    nests: list[Nest] = []
    for step in schedule.steps:
        if isinstance(step, OpStep):
            nests += [*step.feeds.values(), *([step.epilogue] if step.epilogue else [])]
        else:
            nests.append(step)
    return MappingProxyType({nest: plan_nest(nest, schedule.views) for nest in nests})


def plan_nest(nest: Nest, views: Views) -> NestPlan:
    """Return the plan of a nest."""
    sources = {
        m: tuple([views.source(item).variable for item in m.node.inputs]) for m in nest.members
    }
    by_result = {member.result: member for member in nest.members}
    visit_of = _visits(nest, sources, by_result)
    plan = NestPlan(
        nest,
        MappingProxyType(sources),
        MappingProxyType(by_result),
        MappingProxyType(visit_of),
        visits=tuple(sorted({visit for visit in visit_of.values() if visit.axes})),
        stages=1 + max((visit.stage for visit in visit_of.values()), default=0),
        spills=MappingProxyType({}),
    )
    spills = _Spills(plan).find()
    return replace(plan, spills=MappingProxyType(spills)) if spills else plan


def _visits(
    nest: Nest, sources: Mapping[Member, tuple[Tensor, ...]], by_result: Mapping[Tensor, Member]
) -> dict[Tensor, Visit]:
    """Return the loops in which each value of a nest is computed."""
    visits: dict[Tensor, Visit] = {}
    inner = set(nest.inner)
    for member in nest.members:
        stage = 0
        for source in sources[member] if member.is_pointwise else ():
            maker = by_result.get(source) if source in nest.results else None
            if maker is not None:
                stage = max(stage, visits[source].stage + (maker.role != "point"))
        axes = tuple(sorted(inner.intersection(member.axes)))
        visits[member.result] = Visit(stage, len(axes), axes)
    return visits


class _Spills:
    """Finds the values of a nest that are kept for later stages.

    Parameters
    ----------
    plan
        The plan without them.
    """

    def __init__(self, plan: NestPlan) -> None:
        self.plan, self.nest = plan, plan.nest
        self.spills: dict[Tensor, Tensor | None] = {}

    def find(self) -> dict[Tensor, Tensor | None]:
        """Return them, each with the result in whose memory it is kept, or None."""
        plan = self.plan
        looks_up = any(isinstance(m.node.op.lowering, ArgReduction) for m in self.nest.members)
        if len(plan.visits) < 2 and not looks_up:
            return self.spills
        last_visits, later = self._last_visits()
        for member in self.nest.members:
            value = member.result
            if value not in later or member.role != "point" or not plan.is_inner(member):
                continue
            if value in self.nest.stores:
                continue
            here, last = plan.visit_of[value], last_visits[value]
            often = any(visit.width > here.width for visit in plan.visits if here < visit <= last)
            if self._costs_more(value, _CHEAP_OFTEN if often else _CHEAP):
                self.spills[value] = self._host(value, last)
        return self.spills

    def _last_visits(self) -> tuple[dict[Tensor, Visit], set[Tensor]]:
        """Return the last loops that may need each value, and what later loops use themselves.

        A value that is recomputed needs its operands, at most as long as it is needed.
        """
        plan, later = self.plan, set()
        last = dict(plan.visit_of)
        for member in reversed(self.nest.members):
            output = member.result
            here = until = plan.visit_of[output]
            if member.role == "point" and plan.is_inner(member) and output not in self.nest.stores:
                until = last[output]
            if isinstance(member.node.op.lowering, ArgReduction):  # it is searched afterwards
                here = until = Visit(until.stage + 1, until.width, until.axes)
            for source in plan.sources[member]:
                if source in last:
                    last[source] = max(last[source], until)
                    if here > plan.visit_of[source]:
                        later.add(source)
        return last, later

    def _costs_more(self, value: Tensor, limit: int) -> bool:
        """Return whether recomputing a value from memory and spilled values exceeds a cost."""
        total, stack, seen = 0, [value], set[Tensor]()
        while stack and total <= limit:
            item = stack.pop()
            member = self.plan.inside(item)
            if item in seen or member is None or member.role != "point":
                continue
            seen.add(item)
            if item is not value and (item in self.spills or item in self.nest.stores):
                continue
            if not self.plan.is_inner(member):
                continue
            total += cost_of(member)
            stack.extend(self.plan.sources[member])
        return total > limit

    def _host(self, value: Tensor, last: Visit) -> Tensor | None:
        """Return a result of the same dtype that is not written before the value's last use."""
        plan = self.plan
        if plan.visit_of[value].width < len(self.nest.inner):
            return None
        taken = set(self.spills.values())
        for other in self.nest.stores:
            member = plan.by_result.get(other)
            if (
                member is not None
                and member.role == "point"
                and other.dtype == value.dtype
                and plan.visit_of[other] >= last
                and {*member.axes} - {None} == {*range(len(self.nest.space))}
                and other not in taken
            ):
                return other
        return None
