"""Reads and computations of a kernel's members: addresses, loads, elements, by scope."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from symtheano.codegen.elements import LATER, apply_row, element_of, names_read, through
from symtheano.codegen.nest import NestPlan
from symtheano.codegen.schedule import Schedule
from symtheano.codegen.steps import Member, is_unit, result_axes
from symtheano.graph.variable import Variable
from symtheano.loopir import Buffer, Builder, Index, Let, Load, Value, View
from symtheano.loopir.index import product
from symtheano.loopir.names import definitions
from symtheano.loopir.nodes import Operand
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.reduce import CAReduce

Strides = tuple[Index, ...]
Accumulators = tuple[tuple[Value, str], ...]
"""Accumulators of a reduction: values, and the scalar rows that combine them with elements."""

State = tuple[
    dict[Variable, Operand],
    dict[tuple[str, Index], Operand],
    dict[tuple[Any, tuple[Index, ...]], Operand],
    dict[Variable, Accumulators],
]


class Tile(NamedTuple):
    """A copy of a part of a transposed operand.

    Attributes
    ----------
    buffer, side
        Its memory, and the lengths of its rows and columns.
    start
        The position of its first element relative to a tile that begins at zero.
    along, inner
        The loops over its rows and its columns.
    """

    buffer: Buffer
    side: int
    start: Index
    along: int
    inner: int


class Surroundings(Protocol):
    """What a kernel requires from the entry point that contains it."""

    schedule: Schedule

    def scalar(self, variable: Any) -> Operand:
        """Return a 0-d value, computed before the kernel."""

    def view(self, variable: Any) -> View:
        """Return an array in memory as a view."""

    def need(self, *indices: Index) -> None:
        """Define every name in the indices."""


class KernelAccess:
    """Reads and computes single elements of a nest.

    Parameters
    ----------
    plan
        Stages, spills and chunks.
    around
        Scalars and arrays from outside.
    builder
        Where to write.
    """

    def __init__(self, plan: NestPlan, around: Surroundings, builder: Builder) -> None:
        self.plan, self.nest, self.around, self.b = plan, plan.nest, around, builder
        self.schedule = around.schedule
        self.values: dict[Variable, Operand] = {}
        self.loads: dict[tuple[str, Index], Operand] = {}
        self.made: dict[tuple[Any, tuple[Index, ...]], Operand] = {}
        self.accumulators: dict[Variable, Accumulators] = {}
        self.columns: dict[Variable, Operand] = {}
        self.counters: dict[int, Index] = {}
        self.tiles: dict[tuple[str, Index, Strides], Tile] = {}
        self.alike = False  # whether rows must be accumulated in the same way as the previous ones
        self.chunk: Index = Index.of(0)
        self.axes = _merge_axes(self)

    # -- what members read -----------------------------------------------------------------------

    def strides(self, member: Member, item: Any) -> tuple[View, Strides]:
        """Return the view of an operand and its stride along each nest axis."""
        view = self.around.view(item)
        return view, self._along(view, member.axes, item)

    def _along(self, view: View, axes: Sequence[int | None], item: Any) -> Strides:
        strides = [Index.of(0)] * len(self.nest.space)
        for position, length in enumerate(item.type.shape):
            axis = axes[position]
            if axis is not None and length != 1:
                strides[axis] = view.strides[position]
        return tuple(strides)

    def stored(self, variable: Any) -> tuple[View, Strides]:
        """Return the memory of a result of this nest and its stride along each nest axis."""
        member = self.plan.by_result[variable]
        view = self.around.view(variable)
        return view, self._along(view, result_axes(member), variable)

    def spilled(self, variable: Any) -> tuple[View, Strides]:
        """Return the memory of a value that is needed in a later stage."""
        host = self.plan.spills[variable]
        if isinstance(host, Variable):
            return self.stored(host)
        inner = self.nest.inner
        size = product(tuple(self.nest.space[a] for a in inner))
        strides = [Index.of(0)] * len(self.nest.space)
        step = Index.of(1)
        for axis in reversed(inner):
            strides[axis] = step
            step = step * self.nest.space[axis]
        return View(host, (), (), self.chunk * size), tuple(strides)

    def address(self, view: View, strides: Strides) -> Index:
        """Return the linear index of the current element."""
        index = view.offset
        for group, counter in self.counters.items():
            index = index + counter * strides[self.axes[group][-1]]
        return index

    def load(self, view: View, strides: Strides, name: str = "") -> Operand:
        """Load the current element, once per scope."""
        tile = self.tiles.get((view.buffer.name, view.offset, strides))
        if tile is not None:
            row, column = self.counters[tile.along], self.counters[tile.inner]
            place = row * tile.side + column - tile.start
            return self.b.load(View(tile.buffer, (), (), place), [], name)
        position = self.address(view, strides)
        key = (view.buffer.name, position)
        known = self.loads.get(key)
        if known is None:
            known = self.loads[key] = self.b.load(View(view.buffer, (), (), position), [], name)
        return known

    def _groups(self, axes: Sequence[int]) -> list[int]:
        return [g for g, merged in enumerate(self.axes) if merged[0] in axes]

    def _length(self, group: int) -> Index:
        return product(tuple(self.nest.space[a] for a in self.axes[group]))

    @contextmanager
    def _loop(self, group: int, start: Index | int = 0, stop: Index | None = None,
              **options: Any) -> Iterator[None]:  # fmt: skip
        wish = "ijklmnpq"[group % 8]
        until = self._length(group) if stop is None else stop
        with self.b.loop(wish, until, start, **options) as counter:
            self.counters[group] = counter
            yield
            del self.counters[group]

    @contextmanager
    def _scope(self) -> Iterator[None]:
        """Discard at the end the values that were computed and loaded inside."""
        before = self._state()
        yield
        self._restore(before)

    def _state(self) -> State:
        """Return what has been computed and loaded so far."""
        return dict(self.values), dict(self.loads), dict(self.made), dict(self.accumulators)

    def _restore(self, state: State) -> None:
        values, loads, made, accumulators = state
        self.values, self.loads, self.made = dict(values), dict(loads), dict(made)
        self.accumulators = dict(accumulators)

    def _store(self, place: tuple[View, Strides], value: Operand) -> None:
        view, strides = place
        self.b.store(View(view.buffer, (), (), self.address(view, strides)), [], value)

    # -- before the loops begin ------------------------------------------------------------------

    def _load_invariant(self, axes: set[int], stage: int | None = None) -> None:
        """Load loop invariants before the loops over ``axes``."""
        members = self.nest.members if stage is None else self.plan.members_of(stage)
        extra = [] if stage is None else [self.plan.by_result[v] for v, _ in self.plan.again(stage)]
        for member in [*extra, *members]:
            if not self._reads_inside(member):
                self._read_invariant(member)
                continue
            for item in member.node.inputs:
                source = self.schedule.source(item).variable
                if self.plan.inside(source) or is_unit(source):
                    continue
                if source in self.nest.inline:
                    self._make_invariant(member, item)
                    continue
                view, strides = self.strides(member, item)
                open_axes = {a for g in self.counters for a in self.axes[g]}
                fixed = all(strides[a] == 0 for a in axes)
                known = all(strides[a] == 0 or a in open_axes for a in range(len(strides)))
                if fixed and known:
                    self.load(view, strides, source.name or "")

    def _make_invariant(self, member: Member, item: Any) -> None:
        """Compute the loop-invariant parts of an inline element before the loops."""
        source = self.schedule.source(item)
        opened = {axis: self._counter(axis) for g in self.counters for axis in self.axes[g]}
        index = [Index.of(0)] * source.variable.ndim
        for position, axis in enumerate(source.axes):
            place = member.axes[position]
            if axis is not None and place is not None:
                index[axis] = opened.get(place, LATER)
        self._keep_invariant(lambda: self.read_at(source.variable, index))

    def _read_invariant(self, member: Member) -> None:
        """Read the loop-invariant parts of an element, such as the index of a row."""
        opened = {axis: self._counter(axis) for g in self.counters for axis in self.axes[g]}
        if not opened:
            return
        index = [Index.of(0) if a is None else opened.get(a, LATER) for a in member.axes]
        self._keep_invariant(lambda: element_of(self, member.node, index))

    def _keep_invariant(self, write: Callable[[], Operand]) -> None:
        """Generate an element, and keep only its loop-invariant statements.

        The index of the element along those loops is not known yet. The builder reuses a kept
        statement when the element is generated again.
        """
        loads, made = dict(self.loads), dict(self.made)
        with self.b.block() as trial:
            write()
        late = {"later"}
        for statement in trial:
            if late.isdisjoint(names_read(statement)) and isinstance(statement, Let | Load):
                self.b.adopt(statement)
            else:
                late.update(value.name for value in definitions(statement))
        for mine, before in ((self.loads, loads), (self.made, made)):
            for key, value in list(mine.items()):
                if key not in before and isinstance(value, Value) and value.name in late:
                    del mine[key]  # type: ignore[arg-type]

    # -- members ---------------------------------------------------------------------------------

    def _made(self, member: Member, item: Any) -> Operand:
        """Return the current element of an inline operand."""
        source = self.schedule.source(item)
        index = [Index.of(0)] * source.variable.ndim
        for position, axis in enumerate(source.axes):
            place = member.axes[position]
            if axis is not None and place is not None:
                index[axis] = self._counter(place)
        return self.read_at(source.variable, index)

    def _read(self, member: Member, number: int) -> Operand:
        """Return the current element of an operand."""
        item = member.node.inputs[number]
        source = self.schedule.source(item).variable
        if self.plan.inside(source) is not None:
            return self.values[source]
        if is_unit(source):
            return self.around.scalar(source)
        if source in self.nest.inline:
            return self._made(member, item)
        view, strides = self.strides(member, item)
        return self.load(view, strides, f"{source.name}_i" if source.name else "")

    def _compute(self, member: Member) -> None:
        node = member.node
        (output,) = node.outputs
        self.b.origin = node.origin
        if isinstance(node.op, Elemwise):
            operands = [self._read(member, k) for k in range(len(node.inputs))]
            self.values[output] = apply_row(
                self.b, node.op.scalar_op, operands, output.dtype, output.name or ""
            )
        else:
            self.values[output] = self._element(member)

    def _element(self, member: Member) -> Operand:
        node = member.node
        (output,) = node.outputs
        position = [Index.of(0) if a is None else self._counter(a) for a in member.axes]
        value = element_of(self, node, position)
        return self.b.cast(value, output.dtype)

    def _counter(self, axis: int) -> Index:
        group = next(g for g, merged in enumerate(self.axes) if axis in merged)
        return self.counters[group]

    def read_at(self, variable: Any, index: Sequence[Index]) -> Operand:
        """Return one element of an operand, in memory or inline, at any index."""
        source = self.schedule.source(variable)
        if is_unit(source.variable):
            return self.around.scalar(source.variable)
        if source.variable in self.nest.inline:
            where = through(source, index)
            key = (source.variable.owner, tuple(where))
            if key not in self.made:
                self.made[key] = element_of(self, source.variable.owner, where)
            return self.b.cast(self.made[key], variable.dtype)
        view = self.around.view(variable)
        position = view.at(index)
        whole = (view.buffer.name, position)
        if whole not in self.loads:
            place = View(view.buffer, (), (), position)
            self.loads[whole] = self.b.load(place, [], f"{view.buffer.name}_i")
        return self.loads[whole]

    def _reads_inside(self, member: Member) -> bool:
        return member.role != "point" or isinstance(member.node.op, Elemwise)


def _merge_axes(writer: KernelAccess) -> list[tuple[int, ...]]:
    """Merge adjacent axes along which all arrays are contiguous, for fewer and longer loops."""
    nest = writer.nest
    count = len(nest.space)
    groups: list[tuple[int, ...]] = [(axis,) for axis in range(count)]
    if any(not isinstance(m.node.op, Elemwise | CAReduce) for m in nest.members):
        return groups
    arrays = []
    for member in nest.members:
        for item in member.node.inputs:
            source = writer.schedule.source(item).variable
            if writer.plan.inside(source) is not None or is_unit(source):
                continue
            if source in nest.inline:
                return groups
            arrays.append(writer.strides(member, item)[1])
    arrays += [writer.stored(v)[1] for v in nest.stores if writer.plan.by_result[v].role != "full"]
    merged: list[tuple[int, ...]] = []
    for axis in range(count):
        same_side = axis != (nest.split or 0)
        if (
            merged
            and same_side
            and all(strides[axis - 1] == strides[axis] * nest.space[axis] for strides in arrays)
        ):
            merged[-1] = (*merged[-1], axis)
        else:
            merged.append((axis,))
    return merged
