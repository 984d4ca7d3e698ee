"""Planning of a nest: stages, recomputation, memory for what a later stage needs again.

A nest visits each outer index once. Its inner loops run in *stages*: a stage begins where a value
needs a reduction over the inner axes that the previous stage has finished. An elementwise value
that a later stage needs is loaded if it is stored anyway, recomputed if this is cheap, and
otherwise kept in scratch memory, for which an output that is written later may be used.
"""

from __future__ import annotations

from typing import Any

from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.steps import Member, Nest
from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Variable
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.reduce import ArgReduce

# Maximum cost of recomputing a value in a later stage, in additions.
_CHEAP = 8


@dataclass(eq=False)
class NestPlan:
    """The plan of a nest.

    Attributes
    ----------
    stage
        For each member's result the stage in which it is computed.
    stages
        Their number.
    spills
        Values kept for later stages: in the memory of another result, or (None) in memory of the
        nest's own.
    """

    nest: Nest
    schedule: Schedule
    stage: dict[Variable, int] = field(default_factory=dict)
    stages: int = 1
    spills: dict[Variable, Variable | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._inner_axes = set(self.nest.inner)
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

    def is_inner(self, member: Member) -> bool:
        """Return whether a member is computed inside the inner loops."""
        return not self._inner_axes.isdisjoint(member.axes)

    def sources(self, member: Member) -> list[Any]:
        """Return the variables from which a member's operands are read."""
        return self._sources[member]

    def inside(self, variable: Any) -> Member | None:
        """Return the member that computes a variable, if it is used within the nest."""
        member = self.by_result.get(variable)
        return member if member is not None and member.role in ("point", "row") else None

    # -- stages ----------------------------------------------------------------------------------

    def _find_stages(self) -> None:
        for member in self.nest.members:
            stage = 0
            for source in self.sources(member):
                maker = self.inside(source)
                if maker is not None and self._reads_inside(member):
                    stage = max(stage, self.stage[source] + (maker.role == "row"))
            self.stage[member.node.outputs[0]] = stage
        self.stages = 1 + max(self.stage.values(), default=0)

    def members_of(self, stage: int) -> list[Member]:
        """Return the members of a stage, in order."""
        return [m for m in self.nest.members if self.stage[m.node.outputs[0]] == stage]

    def inner_members_of(self, stage: int) -> list[Member]:
        """Return the members that a stage's inner loops compute, in order.

        A value that only later stages need is computed there, unless it is stored for them here.
        """
        members = [m for m in self.members_of(stage) if self.is_inner(m)]
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
        looks_up = any(isinstance(m.node.op, ArgReduce) for m in self.nest.members)
        if self.stages == 1 and not looks_up:
            return
        last_stages = self._last_stages()
        for member in self.nest.members:
            value = member.node.outputs[0]
            if member.role != "point" or not self.is_inner(member) or value in self.nest.stores:
                continue
            last = last_stages[value]
            if last > self.stage[value] and self._cost_again(value) > _CHEAP:
                self.spills[value] = self._host(value, last)

    def _last_stages(self) -> dict[Variable, int]:
        """Return the last stage that needs each value, including recomputed values."""
        last = dict(self.stage)
        for member in reversed(self.nest.members):
            (output,) = member.node.outputs
            again = member.role == "point" and self.is_inner(member)
            until = last[output] if again and output not in self.nest.stores else self.stage[output]
            if isinstance(member.node.op, ArgReduce):
                until += 1  # the position of the extremum is searched after the stage
            for source in self.sources(member):
                if source in last:
                    last[source] = max(last[source], until)
        return last

    def _cost_again(self, value: Variable) -> int:
        """Return the cost of recomputing a value from memory and spilled values."""
        total, stack, seen = 0, [value], set()
        while stack:
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
        return total

    def _host(self, value: Any, last: int) -> Variable | None:
        """Return a result of the same dtype that is not written before the value's last use."""
        taken = [h for h in self.spills.values() if isinstance(h, Variable)]
        for other in self.nest.stores:
            member = self.by_result.get(other)
            if (
                member is not None
                and member.role == "point"
                and other.dtype == value.dtype
                and self.stage[other] >= last
                and {*member.axes} - {None} == {*range(len(self.nest.space))}
                and not any(other is item for item in taken)
            ):
                return other  # type: ignore[no-any-return]
        return None

    def again(self, stage: int) -> list[tuple[Variable, str]]:
        """Return earlier stages' inner values that a stage needs: (value, how), in order.

        ``how`` is ``load`` (it is stored), ``spill`` or ``compute``.
        """
        found: dict[Variable, str] = {}
        outer = [m for m in self.members_of(stage) if not self.is_inner(m)]
        readers = [*outer, *self.inner_members_of(stage)]
        stack = [s for m in readers if self._reads_inside(m) for s in self.sources(m)]
        while stack:
            value = stack.pop()
            member = self.inside(value)
            if member is None or value in found or member.role != "point":
                continue
            if not self.is_inner(member) or self.stage[value] >= stage:
                continue
            if value in self.nest.stores:
                found[value] = "load"
            elif value in self.spills:
                found[value] = "spill"
            else:
                found[value] = "compute"
                if isinstance(member.node.op, Elemwise):
                    stack.extend(self.sources(member))
        return sorted(found.items(), key=lambda item: self.order[item[0]])

    def _reads_inside(self, member: Member) -> bool:
        return member.role != "point" or isinstance(member.node.op, Elemwise)
