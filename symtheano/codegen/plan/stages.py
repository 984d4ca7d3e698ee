"""Planning of a nest: stages, recomputation, memory for what a later stage needs again.

A nest visits each outer index once. Its inner loops run in *stages*: a stage begins where a value
needs a reduction over inner axes that the previous stage has finished. A stage has loops over all
inner axes, and before them loops over those of values that vary along some of them only, such as
the reciprocal of a sum over a middle axis.

An elementwise value that later loops need is loaded if it is stored anyway, recomputed if this is
cheap, and otherwise kept in scratch memory, for which an output that is written later may be used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.steps import Member, Nest
from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Variable
from symtheano.tensor.elemwise import Elemwise

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


@dataclass(eq=False)
class NestPlan:
    """The plan of a nest.

    Attributes
    ----------
    visits
        The inner loops, in order.
    stages
        The number of stages.
    spills
        Values kept for later stages: in the memory of another result, or (None) in memory of the
        nest's own.
    """

    nest: Nest
    schedule: Schedule
    visits: list[Visit] = field(default_factory=list)
    stages: int = 1
    spills: dict[Variable, Variable | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._inner_axes = set(self.nest.inner)
        self._visit: dict[Variable, Visit] = {}
        self.by_result = {m.node.outputs[0]: m for m in self.nest.members}
        self._sources = {
            m: [self.schedule.source(item).variable for item in m.node.inputs]
            for m in self.nest.members
        }
        self.order = {m.node.outputs[0]: k for k, m in enumerate(self.nest.members)}
        self._find_stages()
        self._find_spills()

    @property
    def needs_memory(self) -> bool:
        """Whether the nest may need memory of its own, for rows of accumulators or of values."""
        columns = any(member.role == "column" for member in self.nest.members)
        return columns or None in self.spills.values()

    def inner_axes(self, member: Member) -> tuple[int, ...]:
        """Return the inner axes of the loops in which a member is computed or reduced."""
        return tuple(sorted(self._inner_axes.intersection(member.axes)))

    def is_inner(self, member: Member) -> bool:
        """Return whether a member is computed inside inner loops."""
        return not self._inner_axes.isdisjoint(member.axes)

    def sources(self, member: Member) -> list[Any]:
        """Return the variables from which a member's operands are read."""
        return self._sources[member]

    def inside(self, variable: Any) -> Member | None:
        """Return the member that computes a variable, if it is used within the nest."""
        return self.by_result.get(variable) if variable in self.nest.results else None

    # -- stages ----------------------------------------------------------------------------------

    def _find_stages(self) -> None:
        for member in self.nest.members:
            stage = 0
            for source in self.sources(member):
                maker = self.inside(source)
                if maker is not None and self._reads_inside(member):
                    stage = max(stage, self._visit[source].stage + (maker.role != "point"))
            axes = self.inner_axes(member)
            self._visit[member.node.outputs[0]] = Visit(stage, len(axes), axes)
        self.visits = sorted({visit for visit in self._visit.values() if visit.axes})
        self.stages = 1 + max((visit.stage for visit in self._visit.values()), default=0)

    def members_of(self, stage: int) -> list[Member]:
        """Return the members of a stage that are computed outside of inner loops, in order."""
        return [
            m
            for m in self.nest.members
            if not self.is_inner(m) and self._visit[m.node.outputs[0]].stage == stage
        ]

    def inner_members_of(self, visit: Visit) -> list[Member]:
        """Return the members that some inner loops compute, in order.

        A value that only later loops need is computed there, unless it is stored for them here.
        """
        members = [m for m in self.nest.members if self._visit[m.node.outputs[0]] == visit]
        wanted: set[Any] = set()
        for member in reversed(members):
            (output,) = member.node.outputs
            kept = output in self.nest.stores or output in self.spills
            if member.role != "point" or kept or output in wanted:
                wanted.add(output)
                if self._reads_inside(member):
                    wanted.update(self.sources(member))
        return [m for m in members if m.node.outputs[0] in wanted]

    # -- values used again -----------------------------------------------------------------------

    def _find_spills(self) -> None:
        looks_up = any(m.node.op.form == "locate" for m in self.nest.members)
        if len(self.visits) < 2 and not looks_up:
            return
        last_visits, later = self._last_visits()
        for member in self.nest.members:
            value = member.node.outputs[0]
            if value not in later or member.role != "point" or not self.is_inner(member):
                continue
            if value in self.nest.stores:
                continue
            here, last = self._visit[value], last_visits[value]
            often = any(visit.width > here.width for visit in self.visits if here < visit <= last)
            if self._costs_more(value, _CHEAP_OFTEN if often else _CHEAP):
                self.spills[value] = self._host(value, last)

    def _last_visits(self) -> tuple[dict[Variable, Visit], set[Variable]]:
        """Return the last loops that may need each value, and what later loops use themselves.

        A value that is recomputed needs its operands, at most as long as it is needed.
        """
        last, later = dict(self._visit), set()
        for member in reversed(self.nest.members):
            (output,) = member.node.outputs
            here = until = self._visit[output]
            if member.role == "point" and self.is_inner(member) and output not in self.nest.stores:
                until = last[output]
            if member.node.op.form == "locate":  # the position is searched afterwards
                here = until = Visit(until.stage + 1, until.width, until.axes)
            for source in self.sources(member):
                if source in last:
                    last[source] = max(last[source], until)
                    if here > self._visit[source]:
                        later.add(source)
        return last, later

    def _costs_more(self, value: Variable, limit: int) -> bool:
        """Return whether recomputing a value from memory and spilled values exceeds a cost."""
        total, stack, seen = 0, [value], set()
        while stack and total <= limit:
            item = stack.pop()
            member = self.inside(item)
            if item in seen or member is None or member.role != "point":
                continue
            seen.add(item)
            if item is not value and (item in self.spills or item in self.nest.stores):
                continue
            if not self.is_inner(member):
                continue
            op = member.node.op
            total += op.scalar_op.cost if isinstance(op, Elemwise) else 2
            stack.extend(self.sources(member))
        return total > limit

    def _host(self, value: Any, last: Visit) -> Variable | None:
        """Return a result of the same dtype that is not written before the value's last use."""
        if self._visit[value].width < len(self._inner_axes):
            return None
        taken = [h for h in self.spills.values() if isinstance(h, Variable)]
        for other in self.nest.stores:
            member = self.by_result.get(other)
            if (
                member is not None
                and member.role == "point"
                and other.dtype == value.dtype
                and self._visit[other] >= last
                and {*member.axes} - {None} == {*range(len(self.nest.space))}
                and not any(other is item for item in taken)
            ):
                return other  # type: ignore[no-any-return]
        return None

    def again(self, visit: Visit) -> list[tuple[Variable, str]]:
        """Return what inner loops need of values of earlier ones: (value, how), in order.

        ``how`` is ``load`` (it is stored), ``spill``, ``compute``, or ``total`` (the accumulator of
        a column).
        """
        found: dict[Variable, str] = {}
        readers = self.inner_members_of(visit)
        stack = [s for m in readers if self._reads_inside(m) for s in self.sources(m)]
        while stack:
            value = stack.pop()
            member = self.inside(value)
            if member is None or value in found or not self.is_inner(member):
                continue
            if member.role == "column":
                found[value] = "total"
                continue
            if member.role != "point" or self._visit[value] == visit:
                continue
            if value in self.nest.stores:
                found[value] = "load"
            elif value in self.spills:
                found[value] = "spill"
            else:
                found[value] = "compute"
                if member.node.op.form == "elemwise":
                    stack.extend(self.sources(member))
        return sorted(found.items(), key=lambda item: self.order[item[0]])

    def is_read_often(self, value: Variable) -> bool:
        """Return whether a column is read at each index of an axis along which it does not vary."""
        kept = self._inner_axes.intersection(self.nest.results.get(value, ()))
        return any(
            visit.width > len(kept) and value in dict(self.again(visit)) for visit in self.visits
        )

    def _reads_inside(self, member: Member) -> bool:
        return member.role != "point" or member.node.op.form == "elemwise"
