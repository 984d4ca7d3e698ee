"""Planning of a nest: stages, recomputation, scratch memory, chunks.

A nest visits each outer index once. Its inner loops run in *stages*: a stage begins where a value
needs a reduction over the inner axes that the previous stage has finished. An elementwise value
that a later stage needs is loaded if it is stored anyway, recomputed if this is cheap, and
otherwise kept in scratch memory, for which an output that is written later may be used.

Reductions over outer indices are computed in chunks of the outermost loop. The number of chunks
depends only on the shape, so the result is the same with any number of threads.
"""

from __future__ import annotations

from typing import Any

from symtheano.codegen.schedule import Schedule
from symtheano.codegen.steps import Member, Nest
from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Variable
from symtheano.loopir import Buffer
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.reduce import ArgReduce

# Maximum number of chunks; fewer if each has a row of accumulators or scratch memory.
CHUNKS = 64
COLUMN_CHUNKS = 16
# Minimum number of elements of a chunk.
CHUNK_WORK = 1 << 15
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
        Values kept for later stages: in the memory of another result, or in a scratch buffer
        with one row of inner length per chunk.
    scratch, partials
        Additional buffers: rows for spills; for each column reduction, one row of accumulators per
        chunk.
    chunked
        Whether the outermost loop runs in chunks.
    """

    nest: Nest
    schedule: Schedule
    names: Names
    stage: dict[Variable, int] = field(default_factory=dict)
    stages: int = 1
    spills: dict[Variable, Variable | Buffer] = field(default_factory=dict)
    scratch: list[Buffer] = field(default_factory=list)
    partials: dict[Variable, Buffer] = field(default_factory=dict)

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
        self._find_partials()

    @property
    def chunked(self) -> bool:
        """Whether the outermost loop runs in chunks."""
        return bool(self.scratch) or any(m.role in ("full", "column") for m in self.nest.members)

    @property
    def chunks(self) -> int:
        """Largest number of chunks."""
        return COLUMN_CHUNKS if self.partials or self.scratch else CHUNKS

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
                host = self._host(value, last)
                self.spills[value] = self._scratch(value) if host is None else host

    def _scratch(self, value: Any) -> Buffer:
        """Return a new buffer with one row of inner length per chunk."""
        inner_size = product(tuple(self.nest.space[a] for a in self.nest.inner))
        name = self.names.fresh("scratch")
        buffer = Buffer(name, value.dtype, "arena", inner_size * COLUMN_CHUNKS)
        self.scratch.append(buffer)
        return buffer

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

    # -- across outer indices --------------------------------------------------------------------

    def _find_partials(self) -> None:
        inner_size = product(tuple(self.nest.space[a] for a in self.nest.inner))
        for member in self.nest.members:
            if member.role == "column":
                result = member.node.outputs[0]
                acc_dtype = member.node.op.acc_dtype  # type: ignore[attr-defined]
                self.partials[result] = Buffer(
                    self.names.fresh("partial"), acc_dtype, "arena", inner_size * COLUMN_CHUNKS
                )

    def buffers(self) -> list[Buffer]:
        """Return the workspace that only this nest uses."""
        return [*self.scratch, *self.partials.values()]

    def move(self, old: Buffer, new: Buffer) -> None:
        """Replace a part of the workspace by another buffer."""
        self.scratch = [new if buffer is old else buffer for buffer in self.scratch]
        for places in (self.spills, self.partials):
            for variable, buffer in places.items():
                if buffer is old:
                    places[variable] = new
