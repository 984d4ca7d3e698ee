"""Writes one nest as a LoopIR kernel: loops, loads, scalar statements, accumulators, stores."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from symtheano import dtypes
from symtheano.codegen.accumulate import KernelReductions
from symtheano.codegen.elements import cost_of, label_of, origins_of
from symtheano.codegen.nest import CHUNK_WORK
from symtheano.codegen.steps import Member, is_unit
from symtheano.graph.variable import Variable
from symtheano.loopir import Index, Kernel, Literal, Partition, Value, View
from symtheano.loopir.index import product
from symtheano.tensor.reduce import ArgReduce

_CHEAP_SUMS = 6
_ROWS_AT_ONCE = 4


class KernelWriter(KernelReductions):
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

    # -- the whole -------------------------------------------------------------------------------

    def write(self, name: str) -> dict[Variable, Value]:
        """Write the kernel; return its scalar results."""
        self._prepare()
        results: dict[Variable, Value] = {}
        with self.b.block() as body:
            if self.plan.chunked:
                self._chunks(results)
            elif self.nest.outer:
                self._outer_loops()
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
        origins = tuple(dict.fromkeys(origins_of(self.nest.members)))
        kernel = Kernel(name, self.title(), tuple(body), tuple(results.values()), origins)
        self.b.emit(kernel)
        return results

    def wish(self, position: int) -> str:
        """Return a name for the kernel: its place in the order and its most telling ops."""
        costs = {label_of(member): cost_of(member) for member in self.nest.members}
        telling = sorted(costs, key=lambda label: -costs[label])[:3]
        return "_".join([f"kernel_{position}", *(label for label in costs if label in telling)])

    def title(self) -> str:
        """Return what the kernel computes, in words of the graph."""
        names = dict.fromkeys(label_of(member) for member in self.nest.members)
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

    # -- loops -----------------------------------------------------------------------------------

    def _work(self) -> Index:
        """Return the nest's total work in additions."""
        cost = sum(cost_of(member) for member in self.nest.members)
        return product(tuple(self.nest.space)) * max(cost, 1)

    def _outer_loops(self) -> None:
        first, *rest = self._groups(self.nest.outer)
        start = Index.of(0)
        with self._scope():
            self._load_invariant(set(range(len(self.nest.space))))
            options: dict[str, Any] = {"kind": "parallel", "work": self._work()}
            inner = self._groups(self.nest.inner)
            if not rest and len(inner) == 1 and self._reads_more_than_it_computes("row"):
                start = self._rows_at_once(first, inner[0], **options)
                options, self.alike = {}, True
            with self._loop(first, start, **options), ExitStack() as stack:
                for group in rest:
                    stack.enter_context(self._loop(group))
                self._outer_body()

    def _reads_more_than_it_computes(self, role: str) -> bool:
        """Tell whether a nest does little more than reduce, so that memory should limit it."""
        inner = [m for m in self.nest.members if self.plan.is_inner(m)]
        return (
            any(m.role == role for m in inner)
            and all(
                m.role in ("point", role)
                and self.plan.stage[m.node.outputs[0]] == 0
                and not (m.role == "point" and m.node.outputs[0] in self.nest.stores)
                and not isinstance(m.node.op, ArgReduce)
                for m in inner
            )
            and all(m.role in ("point", role) for m in self.nest.members)
            and sum(map(cost_of, inner)) <= _CHEAP_SUMS
        )

    def _rows_at_once(self, outer: int, inner: int, **options: Any) -> Index:
        """Reduce several rows side by side; return which row is next.

        One sum waits for its last addition, and memory is read faster in several streams.
        """
        until = self._whole(self._length(outer), _ROWS_AT_ONCE)
        with self._loop(outer, 0, until, step=_ROWS_AT_ONCE, **options):
            here = self.counters[outer]
            rows = []
            for row in range(_ROWS_AT_ONCE):
                self.counters[outer] = here + row
                before = self._state()
                self._outer_members(0)
                self._load_invariant(set(self.nest.inner), 0)
                for member in self.plan.inner_members_of(0):
                    if member.role == "row":
                        self._declare(member)
                rows.append((here + row, self._state(), self._reductions(0)))
                self._restore(before)
            reductions = tuple(pair for _, _, some in rows for pair in some)
            with self._loop(inner, kind="simd", reductions=reductions):
                for counter, state, _ in rows:
                    self._restore(state)
                    self.counters[outer] = counter
                    self._inner_body(0)
            for counter, state, _ in rows:
                self._restore(state)
                self.counters[outer] = counter
                for member in self.plan.inner_members_of(0):
                    if member.role == "row":
                        self._finish_row(member)
                for stage in range(1, self.plan.stages):
                    self._outer_members(stage)
                self._store_outer()
            self._restore(before)
        return until

    def _whole(self, length: Index, part: int) -> Index:
        """Return the largest multiple of ``part`` that is not larger than a length."""
        operands = [self.b.operand(length), Literal(part, "int64")]
        return self.b.let("int_div", "int64", operands, "times").index * part

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

    # -- bodies ----------------------------------------------------------------------------------

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
        self._store_columns()

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
        rows = [m for m in members if m.role == "row"]
        for member in rows:
            if not isinstance(member.node.op, ArgReduce):
                self._declare(member)
        groups = self._groups(self.nest.inner)
        self._load_invariant(set(self.nest.inner), stage)
        if any(isinstance(m.node.op, ArgReduce) for m in rows):
            (group,) = groups
            self._positions(stage, group)
        elif len(groups) == 1 and self._waits_for_sums(stage) and not self.alike:
            self._two_streams(stage, groups[0], Index.of(0), self._length(groups[0]))
        else:
            self._stage_loops(stage, groups)
        for member in rows:
            self._finish_row(member)

    def _stage_loops(self, stage: int, groups: list[int]) -> None:
        with self._scope(), ExitStack() as stack:
            for position, group in enumerate(groups):
                last = position == len(groups) - 1
                options: dict[str, Any] = {}
                if last:
                    options = {"kind": "simd", "reductions": self._reductions(stage)}
                stack.enter_context(self._loop(group, **options))
                if not last:
                    remaining = {a for g in groups[position + 1 :] for a in self.axes[g]}
                    self._load_invariant(remaining, stage)
            self._inner_body(stage)

    def _waits_for_sums(self, stage: int) -> bool:
        """Tell whether adding up takes longer than everything else: one sum waits for the last."""
        members = self.plan.inner_members_of(stage)
        adds = {row for m in members if m.role in ("row", "full")
                for value, row in self.accumulators[m.node.outputs[0]]
                if row in ("add", "mul") and not dtypes.is_discrete(value.dtype)}  # fmt: skip
        stores = any(m.node.outputs[0] in self.nest.stores and m.role == "point" for m in members)
        only = all(m.role != "column" for m in members)
        cheap = sum(cost_of(member) for member in members) <= _CHEAP_SUMS
        return bool(adds) and only and not stores and not self.plan.spills and cheap

    def _two_streams(self, stage: int, group: int, start: Index, stop: Index) -> None:
        """Accumulate the two halves of a loop side by side, so that their sums overlap."""
        b = self.b
        half = b.let("int_div", "int64", [b.operand(stop - start), Literal(2, "int64")], "half")
        members = [m for m in self.plan.inner_members_of(stage) if m.role in ("row", "full")]
        first = dict(self.accumulators)
        for member in members:
            self._declare(member)
        second = dict(self.accumulators)
        outputs = [m.node.outputs[0] for m in members]
        reductions = tuple(pair for acc in (first, second) for v in outputs for pair in acc[v])
        with self._loop(group, start, start + half.index, kind="simd", reductions=reductions):
            here = self.counters[group]
            for accumulators, offset in ((first, Index.of(0)), (second, half.index)):
                self.accumulators = accumulators
                self.counters[group] = here + offset
                self._inner_body(stage)
        self.accumulators = first
        for output in outputs:
            for (total, row), (other, _) in zip(first[output], second[output], strict=True):
                self._assign_combined(total, row, other)
        with self._loop(group, start + half.index * 2, stop):
            self._inner_body(stage)

    def _values_again(self, stage: int) -> None:
        """Load or compute what a stage needs of earlier ones."""
        for value, how in self.plan.again(stage):
            if how == "compute":
                self._compute(self.plan.by_result[value])
            else:
                place = self.stored(value) if how == "load" else self.spilled(value)
                self.values[value] = self.load(*place)

    def _inner_body(self, stage: int, more_rows: bool = False) -> None:
        """Write what happens for one element: load, compute, accumulate, store.

        With ``more_rows``, columns' accumulators stay in registers for the rows to come.
        """
        with self._scope():
            self._values_again(stage)
            members = self.plan.inner_members_of(stage)
            for member in members:
                if member.role == "point":
                    self._compute(member)
                else:
                    self._accumulate(member)
            for member in members:
                self._store_point(member)
            if not more_rows:
                self._store_columns()

    def _store_point(self, member: Member) -> None:
        (output,) = member.node.outputs
        if member.role != "point":
            return
        if output in self.plan.spills:
            self._store(self.spilled(output), self.values[output])
        if output in self.nest.stores:
            self._store(self.stored(output), self.values[output])

    def _store_outer(self) -> None:
        for stored in self.nest.stores:
            member = self.plan.by_result[stored]
            if member.role == "row" or (member.role == "point" and not self.plan.is_inner(member)):
                self._store(self.stored(stored), self.values[stored])

    # -- chunks ----------------------------------------------------------------------------------

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
                b.store(View(buffer, (), (), chunk), [], self._total(member))
        for member, buffer in partials.items():
            results[member.node.outputs[0]] = self._combine_full(member, buffer, count)
        self._combine_columns(count)

    def _chunk_body(self, groups: list[int], start: Index, stop: Index) -> None:
        if not self.nest.outer:
            self._load_invariant(set(self.nest.inner))
            if len(groups) == 1 and self._waits_for_sums(0):
                self._two_streams(0, groups[0], start, stop)
            else:
                self._flat_loops(groups, None, start=start, stop=stop)
            return
        inner = self._groups(self.nest.inner)
        together = self._reads_more_than_it_computes("column")
        if len(groups) == len(inner) == 1 and together:
            start = self._rows_together(groups[0], inner[0], start, stop)
        with ExitStack() as stack:
            stack.enter_context(self._loop(groups[0], start, stop))
            for group in groups[1:]:
                stack.enter_context(self._loop(group))
            self._outer_body()

    def _rows_together(self, outer: int, inner: int, start: Index, stop: Index) -> Index:
        """Add several rows at once to the columns' accumulators; return which row is next."""
        until = start + self._whole(stop - start, _ROWS_AT_ONCE)
        with self._loop(outer, start, until, step=_ROWS_AT_ONCE), self._scope():
            here = self.counters[outer]
            with self._loop(inner, kind="simd"):
                for row in range(_ROWS_AT_ONCE):
                    self.counters[outer] = here + row
                    self._inner_body(0, more_rows=row < _ROWS_AT_ONCE - 1)
        return until

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
