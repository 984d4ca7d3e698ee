"""The naive writer: a nest becomes the plainest loops that compute it.

There is one loop for each axis. Its kind says what is known of its iterations: they are
``independent``, or they are so but for what they reduce. Everything is read and computed in the
innermost loop that needs it. How the loops run best on a processor is for the passes to decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symtheano.codegen.nests.access import Access
from symtheano.codegen.plan.elements import (
    accumulated,
    accumulator_name,
    cost_of,
    label_of,
    origins_of,
)
from symtheano.codegen.plan.stages import Visit
from symtheano.codegen.plan.steps import Member, reduced_axes
from symtheano.codegen.plan.wishes import statistic_wish
from symtheano.codegen.rows import apply_row, neutral_element
from symtheano.dtypes import short_name
from symtheano.loopir import (
    Buffer,
    Index,
    Kernel,
    Literal,
    Local,
    Locate,
    Reduce,
    Update,
    Value,
    View,
)
from symtheano.loopir.index import product
from symtheano.loopir.operands import Operand
from symtheano.lowering import ArgReduction, Reduction
from symtheano.scalar.table import scalar_op
from symtheano.tensor.variable import Tensor


class NestWriter(Access):
    """Writes a nest."""

    def write(self, name: str) -> Kernel:
        """Return the kernel; its results are those of the members in ``self.results``."""
        self.prepare()
        self.accumulators: dict[Tensor, list[tuple[Value, str]]] = {}
        self.cells: dict[Tensor, Buffer] = {}
        self.converted: dict[Tensor, Buffer] = {}
        self.results: dict[Tensor, Value] = {}
        with self.b.block() as body:
            across = [m for m in self.nest.members if m.role == "full" or self._crosses_outer(m)]
            self._begin(across)
            reduced: set[int] = set().union(*map(self._reduced, across))
            with self.loops(self.nest.outer, "independent", reduced):
                self._outer_body()
            self._finish(across)
        results = tuple(self.results.values())
        origins = tuple(dict.fromkeys(origins_of(self.nest.members)))
        return Kernel(name, self.title(), tuple(body), results, origins)

    def wish(self, position: int) -> str:
        """Return a name for the kernel: its number and its most important ops."""
        costs = {label_of(member): cost_of(member) for member in self.nest.members}
        telling = sorted(costs, key=lambda label: -costs[label])[:3]
        return "_".join([f"kernel_{position}", *(label for label in costs if label in telling)])

    def title(self) -> str:
        """Return a description of what the kernel computes."""
        names = dict.fromkeys(label_of(member) for member in self.nest.members)
        dims = " x ".join(str(dim) for dim in self.nest.space)
        return f"{', '.join(names)} over {dims}"

    def _crosses_outer(self, member: Member) -> bool:
        """Return whether a column accumulates over outer indices."""
        return member.role == "column" and not self._reduced(member).isdisjoint(self.nest.outer)

    def _reduced(self, member: Member) -> set[int]:
        """Return the nest's axes that a reduction removes."""
        return reduced_axes(member.node, member.axes)

    # -- one outer index -------------------------------------------------------------------------

    def _outer_body(self) -> None:
        self.spilled: dict[Tensor, Buffer] = {}
        for value, host in self.plan.spills.items():
            if host is None:
                axes = self.plan.inner_axes(self.plan.by_result[value])
                self.spilled[value] = self._local(value.dtype, "scratch", axes)
        for stage in range(self.plan.stages):
            for member in self.plan.members_of(stage):
                self._outer_member(member)
            for visit in self.plan.visits:
                if visit.stage == stage:
                    self._visit(visit)
        for stored in self.nest.stores:
            member = self.plan.by_result[stored]
            if member.role == "row" or (member.role == "point" and not self.plan.is_inner(member)):
                self.store(self.stored(stored), self.values[stored])
        if not self.nest.outer:
            for member in self.nest.members:
                if member.role == "row":
                    output = member.result
                    result = self.values[output]
                    assert isinstance(result, Value)
                    self.results[output] = result

    def _outer_member(self, member: Member) -> None:
        output = member.result
        if member.role == "point":
            self.compute(member, statistic_wish(member.node))
        elif member.role != "row":
            self._accumulate(member)
        elif isinstance(member.node.op.lowering, ArgReduction):  # over an axis of length 1
            self.values[output] = Literal(0, "int64")
        else:
            self.b.origin = member.node.origin
            self.values[output] = self.b.cast(self.read(member, 0), output.dtype)

    def _visit(self, visit: Visit) -> None:
        """Write inner loops of a stage, and finish what they reduce."""
        members = self.plan.inner_members_of(visit)
        if not members:
            return
        reductions = [member for member in members if member.role != "point"]
        own = [m for m in reductions if m.role != "full" and not self._crosses_outer(m)]
        self._begin(own)
        reduced: set[int] = set().union(*(self._reduced(m) for m in reductions))
        with self.loops(visit.axes, "independent", reduced):
            self._again(visit)
            for member in members:
                if member.role == "point":
                    self.compute(member)
                else:
                    self._accumulate(member)
            for member in members:
                if member.role == "point":
                    self._keep(member)
        self._finish_columns(own)
        for member in own:
            output = member.result
            self.b.origin = member.node.origin
            if member.role == "column":
                continue
            total = self._joined(member)
            where = isinstance(member.node.op.lowering, ArgReduction)
            wish = self._result_wish(member)
            self.values[output] = total if where else self.b.cast(total, output.dtype, wish)

    def _again(self, visit: Visit) -> None:
        """Load or compute again the values of earlier loops that inner loops need."""
        for value, how in self.plan.again(visit):
            if how == "compute":
                self.compute(self.plan.by_result[value])
            elif how == "total":
                self._total(self.plan.by_result[value])
            else:
                place = self.stored(value) if how == "load" else self._spill_place(value)
                self.values[value] = self.load(place, "")

    def _keep(self, member: Member) -> None:
        output = member.result
        if output in self.plan.spills:
            self.store(self._spill_place(output), self.values[output])
        if output in self.nest.stores:
            self.store(self.stored(output), self.values[output])

    def _spill_place(self, value: Tensor) -> View:
        host = self.plan.spills[value]
        if host is not None:
            return self.stored(host)
        axes = self.plan.inner_axes(self.plan.by_result[value])
        return View(self.spilled[value], (), (), self._position(axes))

    def _local(self, dtype: str, wish: str, axes: Sequence[int]) -> Buffer:
        """Declare memory for one value per index of some axes."""
        size = product(tuple(self.nest.space[a] for a in axes))
        buffer = Buffer(self.b.names.fresh(wish), dtype, "local", size)
        self.b.emit(Local(buffer))
        return buffer

    def _position(self, axes: Sequence[int]) -> Index:
        position = Index.of(0)
        for axis in axes:
            position = position * self.nest.space[axis] + self.counters[axis]
        return position

    # -- reductions ------------------------------------------------------------------------------

    def _result_wish(self, member: Member) -> str:
        """Return a name for the result of a reduction to a scalar."""
        return member.node.outputs[0].name or accumulated(member.node)[1][0][1]

    def _begin(self, members: Sequence[Member]) -> None:
        """Declare what reductions accumulate in."""
        for member in members:
            if member.role == "column":
                self._declare_column(member)
            else:
                self._declare(member)
        for axes, columns in self._columns(members):
            with self.loops(axes, "independent"):
                for member in columns:
                    reduction = _reduction(member)
                    self.b.origin = member.node.origin
                    neutral = neutral_element(reduction.row, reduction.dtype)
                    self.store(self._column_cell(member), neutral)

    def _declare(self, member: Member) -> None:
        output = member.result
        self.b.origin = member.node.origin
        dtype, names = accumulated(member.node)
        if isinstance(member.node.op.lowering, ArgReduction):
            best = self.b.declare("best", neutral_element(names[0][0], dtype))
            where = self.b.declare("where", Literal(0, "int64"))
            self.accumulators[output] = [(best, "best"), (where, "where")]
            return
        wide = "" if dtype == output.dtype else f"_{short_name(dtype)}"
        self.accumulators[output] = [
            (self.b.declare(wish + wide, neutral_element(row, dtype)), row) for row, wish in names
        ]

    def _accumulate(self, member: Member) -> None:
        """Reduce the current element."""
        output = member.result
        lowering, origin = member.node.op.lowering, member.node.origin
        self.b.origin = origin
        dtype, _ = accumulated(member.node)
        element = self.b.cast(self.read(member, 0), dtype)
        if member.role == "column":
            cell = self._column_cell(member)
            row = _reduction(member).row.name
            self.b.emit(Update(cell.buffer, cell.offset, row, element, origin))
        elif isinstance(lowering, ArgReduction):
            (best, _), (where, _) = self.accumulators[output]
            position = self.b.operand(self.counters[self.nest.inner[-1]])
            self.b.emit(Locate(best, where, lowering.which, element, position, origin))
        else:
            for total, row in self.accumulators[output]:
                self.b.emit(Reduce(total, row, element, origin))

    def _joined(self, member: Member) -> Operand:
        """Return the value of a reduction from its accumulators."""
        (total, _), *rest = self.accumulators[member.node.outputs[0]]
        if isinstance(member.node.op.lowering, ArgReduction):
            return rest[-1][0]
        result: Operand = total
        for other, row in rest:
            result = apply_row(self.b, scalar_op(row), [result, other], total.dtype)
        return result

    def _finish(self, members: Sequence[Member]) -> None:
        """Convert the accumulated values of reductions over outer indices."""
        self._finish_columns(members)
        for member in members:
            output = member.result
            self.b.origin = member.node.origin
            if member.role != "column":
                total = self._joined(member)
                if _reduction(member).dtype != output.dtype:
                    total = self.b.cast(total, output.dtype, self._result_wish(member))
                assert isinstance(total, Value)
                self.results[output] = total

    def _columns(self, members: Sequence[Member]) -> Iterator[tuple[list[int], list[Member]]]:
        """Yield columns along the same axes together: a loop of each would take long to compile."""
        groups: dict[tuple[int, ...], list[Member]] = {}
        for member in members:
            if member.role == "column":
                groups.setdefault(tuple(self._kept(member)), []).append(member)
        for axes, columns in groups.items():
            yield list(axes), columns

    def _declare_column(self, member: Member) -> None:
        self.b.origin = member.node.origin
        output = member.result
        reduction = _reduction(member)
        stored, cast = output in self.nest.stores, reduction.dtype != output.dtype
        kept = self._kept(member)
        if cast or not stored:
            self.cells[output] = self._local(reduction.dtype, accumulator_name(reduction), kept)
        if cast and not stored and self.plan.is_read_often(output):
            self.converted[output] = self._local(output.dtype, accumulator_name(reduction), kept)

    def _column_cell(self, member: Member) -> View:
        """Return where a column accumulates."""
        output = member.result
        if output in self.cells:
            return View(self.cells[output], (), (), self._position(self._kept(member)))
        return self.stored(output)

    def _column_result(self, member: Member) -> View:
        """Return where the result of a column is when it is complete."""
        output = member.result
        if output in self.nest.stores:
            return self.stored(output)
        if output in self.converted:
            return View(self.converted[output], (), (), self._position(self._kept(member)))
        return self._column_cell(member)

    def _kept(self, member: Member) -> list[int]:
        """Return the axes along which a column has accumulators where they are declared."""
        reduced = self._reduced(member)
        axes = range(len(self.nest.space)) if self._crosses_outer(member) else self.nest.inner
        return [axis for axis in axes if axis not in reduced]

    def _finish_columns(self, members: Sequence[Member]) -> None:
        """Convert the accumulators of columns, if the results are to be in memory."""
        wanted = [
            member
            for member in members
            if member.role == "column"
            and (member.result in self.nest.stores or member.result in self.converted)
            and accumulated(member.node)[0] != member.result.dtype
        ]
        for axes, columns in self._columns(wanted):
            with self.loops(axes, "independent"):
                for member in columns:
                    self.b.origin = member.node.origin
                    total = self.load(self._column_cell(member), "total")
                    cast = self.b.cast(total, member.result.dtype)
                    self.store(self._column_result(member), cast)

    def _total(self, member: Member) -> None:
        """Read the current element of a column that is complete."""
        output = member.result
        total = self.load(self._column_result(member), "")
        self.values[output] = self.b.cast(total, output.dtype)


def _reduction(member: Member) -> Reduction:
    """Return what a reduction by a row accumulates."""
    lowering = member.node.op.lowering
    assert isinstance(lowering, Reduction)
    return lowering
