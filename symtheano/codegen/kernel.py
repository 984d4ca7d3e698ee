"""Writes one nest as a LoopIR kernel: loops, loads, scalar statements, accumulators, stores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from symtheano import dtypes
from symtheano.codegen.accumulate import KernelReductions
from symtheano.codegen.elements import apply_row, cost_of, label_of, origins_of
from symtheano.codegen.nest import CHUNK_WORK
from symtheano.codegen.steps import Member, is_unit
from symtheano.graph.variable import Variable
from symtheano.loopir import Index, Kernel, Literal, Partition, Value, View
from symtheano.loopir.index import product
from symtheano.tensor.reduce import ArgReduce, CAReduce

_CHEAP_SUMS = 6


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
        work = sum(cost_of(member) for member in self.nest.members)
        waits = any(
            isinstance(member.node.op, CAReduce)
            and not dtypes.is_discrete(member.node.op.acc_dtype)
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
        ops = {m.node.outputs[0]: m.node.op for m in full}
        names = {v: op.scalar_name for v, op in ops.items() if isinstance(op, CAReduce)}
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
