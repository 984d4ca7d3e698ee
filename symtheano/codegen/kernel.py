"""Writes one nest as a LoopIR kernel: loops, loads, scalar statements, accumulators, stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

import numpy as np

from symtheano import dtypes
from symtheano.codegen.nest import CHUNK_WORK, NestPlan
from symtheano.codegen.schedule import Member, Schedule, Source, is_unit, result_axes
from symtheano.graph.origin import Origin
from symtheano.graph.variable import Variable
from symtheano.loopir import Buffer, Builder, Index, Kernel, Literal, Partition, Value, View
from symtheano.loopir.index import product
from symtheano.loopir.names import definitions, indices, operands
from symtheano.loopir.nodes import Operand, Statement
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.reduce import ArgReduce, CAReduce

Strides = tuple[Index, ...]

_CHEAP_SUMS = 6


class Surroundings(Protocol):
    """What a kernel asks of the entry point around it."""

    schedule: Schedule

    def scalar(self, variable: Any) -> Operand:
        """Return a 0-d value, computed before the kernel."""

    def view(self, variable: Any) -> View:
        """Return an array in memory as a view."""

    def need(self, *indices: Index) -> None:
        """Have every name in the indices defined."""


class KernelWriter:
    """Writes the kernel of a planned nest.

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
        self.accumulators: dict[Variable, Value] = {}
        self.where: dict[Variable, Value] = {}
        self.counters: dict[int, Index] = {}
        self.chunk: Index = Index.of(0)
        self.axes = _merge_axes(self)

    # -- what members read ----------------------------------------------------------------------

    def strides(self, member: Member, item: Any) -> tuple[View, Strides]:
        """Return the view an operand is read through and its stride along each nest axis."""
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
        """Return the memory that keeps a value for a later stage."""
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
        """Load the current element, once in each scope."""
        position = self.address(view, strides)
        key = (view.buffer.name, position)
        known = self.loads.get(key)
        if known is None:
            known = self.loads[key] = self.b.load(View(view.buffer, (), (), position), [], name)
        return known

    # -- the whole --------------------------------------------------------------------------------

    def write(self, name: str) -> dict[Variable, Value]:
        """Write the kernel; return its scalar results."""
        self._prepare()
        results: dict[Variable, Value] = {}
        with self.b.block() as body:
            if self.plan.chunked:
                self._chunks(results)
            elif self.nest.outer:
                with self._parallel_outer():
                    self._outer_body()
            elif not self.nest.space or any(m.role == "row" for m in self.nest.members):
                self._outer_body()
                for member in self.nest.members:
                    if member.role == "row":
                        result = member.node.outputs[0]
                        value = self.values[result]
                        assert isinstance(value, Value)
                        results[result] = value
            else:
                self._flat()
        origins = tuple(dict.fromkeys(_origins(self.nest.members)))
        kernel = Kernel(name, self.title(), tuple(body), tuple(results.values()), origins)
        self.b.emit(kernel)
        return results

    def wish(self, position: int) -> str:
        """Return a name for the kernel: its place in the order and its most telling ops."""
        costs = {_label(member): _cost(member) for member in self.nest.members}
        telling = sorted(costs, key=lambda label: -costs[label])[:3]
        return "_".join([f"kernel_{position}", *(label for label in costs if label in telling)])

    def title(self) -> str:
        """Return what the kernel computes, in words of the graph."""
        names = dict.fromkeys(_label(member) for member in self.nest.members)
        dims = " x ".join(str(dim) for dim in self.nest.space)
        return f"{', '.join(names)} over {dims}"

    def _prepare(self) -> None:
        """Have everything from outside computed before the kernel begins."""
        for member in self.nest.members:
            for item in member.node.inputs:
                source = self.schedule.source(item).variable
                if self.plan.inside(source) is not None and self._reads_inside(member):
                    continue
                self._prepare_source(item, source)
        for stored in self.nest.stores:
            self.around.view(stored)

    def _prepare_source(self, item: Any, source: Any) -> None:
        if is_unit(source):
            self.around.scalar(source)
        elif source in self.nest.inline:
            for part in source.owner.inputs:
                self._prepare_source(part, self.schedule.source(part).variable)
            self.around.need(*self.schedule.shapes.scalars(source.owner))
        else:
            self.around.view(item)

    def _reads_inside(self, member: Member) -> bool:
        return member.role != "point" or isinstance(member.node.op, Elemwise)

    # -- loops --------------------------------------------------------------------------------------

    def _groups(self, axes: Sequence[int]) -> list[int]:
        return [g for g, merged in enumerate(self.axes) if merged[0] in axes]

    def _length(self, group: int) -> Index:
        return product(tuple(self.nest.space[a] for a in self.axes[group]))

    @contextmanager
    def _loop(self, group: int, start: Index | int = 0, stop: Index | None = None,
              **options: Any) -> Iterator[None]:  # fmt: skip
        wish = "ijklmnpq"[group % 8]
        with self.b.loop(wish, self._length(group) if stop is None else stop, start, **options) as counter:  # fmt: skip
            self.counters[group] = counter
            yield
            del self.counters[group]

    @contextmanager
    def _scope(self) -> Iterator[None]:
        """Forget at the end what was computed and loaded inside."""
        values, loads, made = dict(self.values), dict(self.loads), dict(self.made)
        yield
        self.values, self.loads, self.made = values, loads, made

    def _work(self) -> Index:
        """Return the nest's total work in additions."""
        cost = sum(_cost(member) for member in self.nest.members)
        return product(tuple(self.nest.space)) * max(cost, 1)

    @contextmanager
    def _parallel_outer(self) -> Iterator[None]:
        first, *rest = self._groups(self.nest.outer)
        with ExitStack() as stack:
            self._load_invariant(set(range(len(self.nest.space))))
            stack.enter_context(self._loop(first, kind="parallel", work=self._work()))
            for group in rest:
                stack.enter_context(self._loop(group))
            yield

    def _flat(self) -> None:
        """Write a nest of points alone."""
        groups = self._groups(self.nest.inner)
        with self._scope():
            self._load_invariant(set(self.nest.inner))
            self._flat_loops(groups, self._work())

    def _flat_loops(self, groups: list[int], work: Index | None, **first: Any) -> None:
        if not groups:
            self._inner_body(0)
            return
        with ExitStack() as stack:
            for position, group in enumerate(groups):
                last = position == len(groups) - 1
                kinds = (["parallel"] if position == 0 and work is not None else []) + (
                    ["simd"] if last else []
                )
                options: dict[str, Any] = {"kind": " ".join(kinds) or "serial"}
                if position == 0 and work is not None:
                    options["work"] = work
                if last:
                    options["reductions"] = self._reductions(0)
                if position == 0:
                    options.update(first)
                stack.enter_context(self._loop(group, **options))
                if not last:
                    remaining = {a for g in groups[position + 1 :] for a in self.axes[g]}
                    self._load_invariant(remaining)
            self._inner_body(0)

    # -- bodies -------------------------------------------------------------------------------------

    def _outer_body(self) -> None:
        """Write what happens for one outer index: stage after stage."""
        with self._scope() if self.nest.outer else ExitStack():
            for stage in range(self.plan.stages):
                self._outer_members(stage)
                self._stage(stage)
            self._store_outer()

    def _outer_members(self, stage: int) -> None:
        for member in self.plan.members_of(stage):
            if self.plan.is_inner(member):
                continue
            if member.role == "point":
                self._compute(member)
            elif member.role == "row":
                self._row_without_loop(member)
            else:
                self._accumulate(member)

    def _row_without_loop(self, member: Member) -> None:
        """A reduction over axes of length one is the element itself."""
        op = member.node.op
        (output,) = member.node.outputs
        self.b.origin = member.node.origin
        if isinstance(op, ArgReduce):
            self.values[output] = Literal(0, "int64")
        else:
            self.values[output] = self.b.cast(self._read(member, 0), output.dtype)

    def _stage(self, stage: int) -> None:
        members = self.plan.inner_members_of(stage)
        if not members:
            return
        for member in members:
            if member.role == "row":
                self._declare(member)
        groups = self._groups(self.nest.inner)
        self._load_invariant(set(self.nest.inner), stage)
        plain = any(isinstance(m.node.op, ArgReduce) for m in members)
        with self._scope(), ExitStack() as stack:
            for position, group in enumerate(groups):
                last = position == len(groups) - 1
                options: dict[str, Any] = {}
                if last and not plain:
                    options = {"kind": "simd", "reductions": self._reductions(stage)}
                stack.enter_context(self._loop(group, **options))
                if not last:
                    remaining = {a for g in groups[position + 1 :] for a in self.axes[g]}
                    self._load_invariant(remaining, stage)
            self._inner_body(stage)
        for member in members:
            if member.role == "row":
                self._finish_row(member)

    def _inner_body(self, stage: int) -> None:
        """Write what happens for one element: load, compute, accumulate, store."""
        with self._scope():
            for value, how in self.plan.again(stage):
                if how == "compute":
                    self._compute(self.plan.by_result[value])
                else:
                    place = self.stored(value) if how == "load" else self.spilled(value)
                    self.values[value] = self.load(*place)
            members = self.plan.inner_members_of(stage)
            for member in members:
                if member.role == "point":
                    self._compute(member)
                else:
                    self._accumulate(member)
            for member in members:
                self._store_point(member)

    def _store_point(self, member: Member) -> None:
        (output,) = member.node.outputs
        if member.role != "point":
            return
        if output in self.plan.spills:
            self._store(self.spilled(output), self.values[output])
        if output in self.nest.stores:
            self._store(self.stored(output), self.values[output])

    def _store(self, place: tuple[View, Strides], value: Operand) -> None:
        view, strides = place
        self.b.store(View(view.buffer, (), (), self.address(view, strides)), [], value)

    def _store_outer(self) -> None:
        for stored in self.nest.stores:
            member = self.plan.by_result[stored]
            if member.role == "row" or (member.role == "point" and not self.plan.is_inner(member)):
                self._store(self.stored(stored), self.values[stored])

    def _load_invariant(self, axes: set[int], stage: int | None = None) -> None:
        """Load what does not change along ``axes`` before the loops over them begin."""
        members = self.nest.members if stage is None else self.plan.members_of(stage)
        extra = [] if stage is None else [self.plan.by_result[v] for v, _ in self.plan.again(stage)]
        for member in [*extra, *members]:
            if not self._reads_inside(member):
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
        """Make what does not change in the loops to come of an inline element, before they begin.

        The element is written on trial, at an index that is not known yet along those loops, and
        the statements which do not depend on it are kept.
        """
        source = self.schedule.source(item)
        opened = {axis: self._counter(axis) for g in self.counters for axis in self.axes[g]}
        index = [Index.of(0)] * source.variable.ndim
        for position, axis in enumerate(source.axes):
            place = member.axes[position]
            if axis is not None and place is not None:
                index[axis] = opened.get(place, _LATER)
        loads, made = dict(self.loads), dict(self.made)
        with self.b.block() as trial:
            self.read_at(source.variable, index)
        late = {"later"}
        for statement in trial:
            if late.isdisjoint(_names_read(statement)):
                self.b.adopt(statement)
            else:
                late.update(value.name for value in definitions(statement))
        for mine, before in ((self.loads, loads), (self.made, made)):
            for key, value in list(mine.items()):
                if key not in before and isinstance(value, Value) and value.name in late:
                    del mine[key]  # type: ignore[arg-type]

    # -- members ------------------------------------------------------------------------------------

    def _made(self, member: Member, item: Any) -> Operand:
        """Return the current element of an operand that is made where it is read."""
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
        """Return one element of an operand at any index: of what is in memory or generated."""
        source = self.schedule.source(variable)
        if is_unit(source.variable):
            return self.around.scalar(source.variable)
        if source.variable in self.nest.inline:
            where = _through(source, index)
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

    # -- accumulators -------------------------------------------------------------------------------

    def _reductions(self, stage: int) -> tuple[tuple[Value, str], ...]:
        return tuple(
            (self.accumulators[m.node.outputs[0]], m.node.op.scalar_name)
            for m in self.plan.members_of(stage)
            if isinstance(m.node.op, CAReduce)
            and m.role in ("row", "full")
            and self.plan.is_inner(m)
        )

    def _declare(self, member: Member) -> None:
        """Declare a reduction's accumulator before its loops."""
        (output,) = member.node.outputs
        self.b.origin = member.node.origin
        op = member.node.op
        if isinstance(op, ArgReduce):
            dtype = member.node.inputs[0].dtype
            lowest = identity_literal("max" if op.which == "argmin" else "min", dtype)
            self.accumulators[output] = self.b.declare("best", lowest)
            self.where[output] = self.b.declare("where", Literal(0, "int64"))
        else:
            assert isinstance(op, CAReduce)
            start = identity_literal(op.row.identity, op.acc_dtype)
            self.accumulators[output] = self.b.declare(_accumulator_name(op), start)

    def _accumulate(self, member: Member) -> None:
        """Add the current element to a reduction."""
        op, b = member.node.op, self.b
        (output,) = member.node.outputs
        b.origin = member.node.origin
        if isinstance(op, ArgReduce):
            self._accumulate_position(member, op)
            return
        assert isinstance(op, CAReduce)
        element = b.cast(self._read(member, 0), op.acc_dtype)
        if member.role == "column":
            self._accumulate_column(member, op, element)
            return
        total = self.accumulators[output]
        b.assign(total, apply_row(b, op.row, [total, element], op.acc_dtype))

    def _accumulate_position(self, member: Member, op: ArgReduce) -> None:
        b = self.b
        (output,) = member.node.outputs
        best, where = self.accumulators[output], self.where[output]
        element = self._read(member, 0)
        better: Operand = b.let("gt" if op.which == "argmax" else "lt", "bool", [element, best])
        if not dtypes.is_discrete(element.dtype):
            is_nan = b.let("neq", "bool", [element, element])
            was_number = b.let("eq", "bool", [best, best])
            first_nan = b.let("and_", "bool", [is_nan, was_number])
            better = b.let("or_", "bool", [better, first_nan])
        with b.branch(better):
            b.assign(best, element)
            b.assign(where, b.operand(self._counter(self.nest.inner[-1])))

    def _accumulate_column(self, member: Member, op: CAReduce, element: Operand) -> None:
        place = self._column_place(member)
        before = self.b.load(place, [])
        self.b.store(place, [], apply_row(self.b, op.row, [before, element], op.acc_dtype))

    def _column_place(self, member: Member) -> View:
        """Return the accumulator of the current inner index in the current chunk."""
        buffer = self.plan.partials[member.node.outputs[0]]
        return View(buffer, (), (), self._inner_position(self.chunk))

    def _inner_position(self, row: Index) -> Index:
        position = row
        for group in self._groups(self.nest.inner):
            position = position * self._length(group) + self.counters[group]
        return position

    def _finish_row(self, member: Member) -> None:
        (output,) = member.node.outputs
        self.b.origin = member.node.origin
        if isinstance(member.node.op, ArgReduce):
            self.values[output] = self.where[output]
        else:
            self.values[output] = self.b.cast(self.accumulators[output], output.dtype)

    # -- chunks -------------------------------------------------------------------------------------

    def _chunks(self, results: dict[Variable, Value]) -> None:
        """Write the nest in chunks of its outermost loop, and combine their accumulators."""
        b = self.b
        b.origin = None
        groups = self._groups(self.nest.outer or self.nest.inner)
        chunk_axis = groups[0]
        rows, count = self._chunk_sizes(chunk_axis)
        full = [m for m in self.nest.members if m.role == "full"]
        partials = {m: self._partial_buffer(m) for m in full}
        with b.loop("chunk", count, kind="parallel", work=self._work()) as chunk, self._scope():
            self.chunk = chunk
            start = b.index_value(chunk * rows, "start").index
            stop = self._minimum(start + rows, self._length(chunk_axis), "stop")
            for member in full:
                self._declare(member)
            self._clear_columns()
            self._chunk_body(groups, start, stop)
            for member, buffer in partials.items():
                total = self.accumulators[member.node.outputs[0]]
                b.store(View(buffer, (), (), chunk), [], total)
        for member, buffer in partials.items():
            results[member.node.outputs[0]] = self._combine_full(member, buffer, count)
        self._combine_columns(count)

    def _chunk_body(self, groups: list[int], start: Index, stop: Index) -> None:
        if not self.nest.outer:
            self._load_invariant(set(self.nest.inner))
            if len(groups) == 1 and self._waits_for_sums():
                self._two_streams(groups[0], start, stop)
            else:
                self._flat_loops(groups, None, start=start, stop=stop)
            return
        with ExitStack() as stack:
            stack.enter_context(self._loop(groups[0], start, stop))
            for group in groups[1:]:
                stack.enter_context(self._loop(group))
            self._outer_body()

    def _waits_for_sums(self) -> bool:
        """Tell whether adding up takes longer than everything else: one sum waits for the last."""
        work = sum(_cost(member) for member in self.nest.members)
        waits = any(
            isinstance(member.node.op, CAReduce) and not dtypes.is_discrete(member.node.op.acc_dtype)
            for member in self.nest.members
        )
        return waits and not self.nest.stores and work <= _CHEAP_SUMS

    def _two_streams(self, group: int, start: Index, stop: Index) -> None:
        """Accumulate the two halves of a chunk side by side, so that their sums overlap."""
        b = self.b
        half = b.let("int_div", "int64", [b.operand(stop - start), Literal(2, "int64")], "half")
        full = [m for m in self.nest.members if m.role == "full"]
        first = dict(self.accumulators)
        for member in full:
            self._declare(member)
        second = dict(self.accumulators)
        names = {m.node.outputs[0]: m.node.op.scalar_name for m in full}
        reductions = tuple((acc[v], names[v]) for acc in (first, second) for v in names)
        with self._loop(group, start, start + half.index, kind="simd", reductions=reductions):
            here = self.counters[group]
            for accumulators, offset in ((first, Index.of(0)), (second, half.index)):
                self.accumulators = accumulators
                self.counters[group] = here + offset
                self._inner_body(0)
        self.accumulators = first
        for member in full:
            op = member.node.op
            assert isinstance(op, CAReduce)
            (output,) = member.node.outputs
            pair = [first[output], second[output]]
            b.assign(first[output], apply_row(b, op.row, pair, op.acc_dtype))
        with self._loop(group, start + half.index * 2, stop):
            self._inner_body(0)

    def _chunk_sizes(self, group: int) -> tuple[Index, Index]:
        """Return how many outer indices a chunk holds and how many chunks there are."""
        b = self.b
        unit = product(tuple(self._length(g) for g in range(len(self.axes)) if g != group))
        rows, count = b.value("rows", "int64"), b.value("chunks", "int64")
        b.emit(Partition(rows, count, self._length(group), unit, CHUNK_WORK, self.plan.chunks))
        return rows.index, count.index

    def _minimum(self, a: Index, c: Index, name: str) -> Index:
        operands = [self.b.operand(a), self.b.operand(c)]
        return self.b.let("minimum", "int64", operands, name).index

    def _partial_buffer(self, member: Member) -> Buffer:
        acc_dtype = member.node.op.acc_dtype  # type: ignore[attr-defined]
        return Buffer(
            self.b.names.fresh("partial"), acc_dtype, "stack", Index.of(self.plan.chunks)
        )

    def _clear_columns(self) -> None:
        columns = [m for m in self.nest.members if m.role == "column"]
        if not columns:
            return
        size = product(tuple(self.nest.space[a] for a in self.nest.inner))
        with self.b.loop("j", size, kind="simd") as j:
            for member in columns:
                op = member.node.op
                assert isinstance(op, CAReduce)
                buffer = self.plan.partials[member.node.outputs[0]]
                start = identity_literal(op.row.identity, op.acc_dtype)
                self.b.store(View(buffer, (), (), self.chunk * size + j), [], start)

    def _combine_full(self, member: Member, buffer: Buffer, count: Index) -> Value:
        """Combine the chunks' accumulators in order."""
        op, b = member.node.op, self.b
        assert isinstance(op, CAReduce)
        (output,) = member.node.outputs
        b.origin = member.node.origin
        name = output.name or _accumulator_name(op)
        total = b.declare(name, identity_literal(op.row.identity, op.acc_dtype))
        with b.loop("chunk", count) as chunk:
            part = b.load(View(buffer, (), (), chunk), [])
            b.assign(total, apply_row(b, op.row, [total, part], op.acc_dtype))
        return b.let("cast", output.dtype, [total], name) if op.acc_dtype != output.dtype else total

    def _combine_columns(self, count: Index) -> None:
        b = self.b
        columns = [m for m in self.nest.members if m.role == "column"]
        if not columns:
            return
        groups = self._groups(self.nest.inner)
        self.counters.clear()
        for member in columns:
            op = member.node.op
            assert isinstance(op, CAReduce)
            (output,) = member.node.outputs
            b.origin = member.node.origin
            buffer = self.plan.partials[output]
            with ExitStack() as stack:
                for group in groups:
                    stack.enter_context(self._loop(group))
                total = b.declare("total", identity_literal(op.row.identity, op.acc_dtype))
                size = product(tuple(self._length(g) for g in groups))
                with b.loop("chunk", count) as chunk:
                    place = View(buffer, (), (), chunk * size + self._inner_position(Index.of(0)))
                    part = b.load(place, [])
                    b.assign(total, apply_row(b, op.row, [total, part], op.acc_dtype))
                self._store(self.stored(output), total)


# -- pieces -----------------------------------------------------------------------------------------


def apply_row(
    b: Builder, row: ScalarOp, operands: Sequence[Operand], dtype: str, name: str = ""
) -> Any:
    """Write a scalar op on operands of any dtypes: cast to its compute dtypes, then compute."""
    if row.name.startswith("cast{"):
        return b.cast(operands[0], dtype, name or "v")
    if row.name in ("identity", "positive"):
        return b.cast(operands[0], dtype, name or "v")
    if row.name == "second":
        return b.cast(operands[1], dtype, name or "v")
    signature = row.signature(tuple(operand.dtype for operand in operands))
    converted = [
        b.cast(operand, wanted) for operand, wanted in zip(operands, signature.compute, strict=True)
    ]
    result = b.let(row.name, signature.result, converted, name or "v")
    return b.cast(result, dtype)


def element_of(writer: Any, node: Any, index: Sequence[Index]) -> Operand:
    """Write one element of a node that is made from its index and elements of its inputs."""
    inputs = node.inputs
    if isinstance(node.op, Elemwise):
        (output,) = node.outputs
        operands = [writer.read_at(item, _own_index(item, index)) for item in inputs]
        made: Operand = apply_row(writer.b, node.op.scalar_op, operands, output.dtype)
        return made

    def read(number: int, where: Sequence[Index]) -> Operand:
        value: Operand = writer.read_at(inputs[number], list(where))
        return value

    scalars = writer.schedule.shapes.scalars(node)
    result: Operand = node.op.element(writer.b, node, list(index), read, scalars)
    return result


_LATER = Index.symbol("later")


def _names_read(statement: Statement) -> set[str]:
    """Return the names that a scalar statement depends on."""
    names = {operand.name for operand in operands(statement) if isinstance(operand, Value)}
    return names.union(*(index.names() for index in indices(statement)))


def _through(source: Source, index: Sequence[Index]) -> list[Index]:
    """Return the index of a source's element that shows at an index of the relabelled array."""
    where = [Index.of(0)] * source.variable.ndim
    for position, axis in zip(index, source.axes, strict=True):
        if axis is not None:
            where[axis] = position
    return where


def _own_index(item: Any, index: Sequence[Index]) -> list[Index]:
    """Return an operand's index: zero along what is repeated."""
    lengths = item.type.shape
    return [Index.of(0) if n == 1 else i for n, i in zip(lengths, index, strict=True)]


def identity_literal(identity: Any, dtype: str) -> Literal:
    """Return the neutral element of a reduction in a dtype."""
    if identity in ("max", "min"):
        if dtypes.is_float(dtype):
            return Literal(float("inf") if identity == "max" else float("-inf"), dtype)
        if dtype == "bool":
            return Literal(identity == "max", dtype)
        info = np.iinfo(dtype)
        return Literal(int(info.max if identity == "max" else info.min), dtype)
    kind: Callable[[Any], Any] = int
    if dtype == "bool":
        kind = bool
    elif dtypes.is_complex(dtype):
        kind = complex
    elif dtypes.is_float(dtype):
        kind = float
    return Literal(kind(identity), dtype)


def _cost(member: Member) -> int:
    op = member.node.op
    return op.scalar_op.cost if isinstance(op, Elemwise) else 2


def _label(member: Member) -> str:
    op = member.node.op
    if isinstance(op, Elemwise):
        return op.scalar_op.name.split("{")[0]
    return _accumulator_name(op) if isinstance(op, CAReduce) else type(op).__name__.lower()


def _accumulator_name(op: CAReduce) -> str:
    names = {"add": "sum", "mul": "product", "maximum": "max", "minimum": "min",
             "logical_and": "all", "logical_or": "any"}  # fmt: skip
    return names.get(op.scalar_name, "total")


def _origins(members: Sequence[Member]) -> Iterator[Origin]:
    for member in members:
        if member.node.origin is not None:
            yield member.node.origin


def _merge_axes(writer: KernelWriter) -> list[tuple[int, ...]]:
    """Join neighbouring axes along which every array runs on: fewer and longer loops."""
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
        if merged and same_side and all(
            strides[axis - 1] == strides[axis] * nest.space[axis] for strides in arrays
        ):
            merged[-1] = (*merged[-1], axis)
        else:
            merged.append((axis,))
    return merged
