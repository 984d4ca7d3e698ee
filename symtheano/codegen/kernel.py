"""Generates one nest as a LoopIR kernel: loops, loads, scalar statements, accumulators, stores."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from symtheano.codegen.elements import cost_of, label_of, origins_of
from symtheano.codegen.lanes import KernelLanes
from symtheano.codegen.nest import CHUNK_WORK
from symtheano.codegen.steps import is_unit
from symtheano.graph.variable import Variable
from symtheano.loopir import Index, Kernel, Partition, Value, View
from symtheano.loopir.index import product


class KernelWriter(KernelLanes):
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
        """Return a name for the kernel: its number and its most important ops."""
        costs = {label_of(member): cost_of(member) for member in self.nest.members}
        telling = sorted(costs, key=lambda label: -costs[label])[:3]
        return "_".join([f"kernel_{position}", *(label for label in costs if label in telling)])

    def title(self) -> str:
        """Return a description of what the kernel computes."""
        names = dict.fromkeys(label_of(member) for member in self.nest.members)
        dims = " x ".join(str(dim) for dim in self.nest.space)
        return f"{', '.join(names)} over {dims}"

    def _prepare(self) -> None:
        """Compute everything from outside before the kernel."""
        for member in self.nest.members:
            self.around.need(*self.schedule.shapes.scalars(member.node))
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

    def _flat(self) -> None:
        """Generate a nest without reductions."""
        groups = self._groups(self.nest.inner)
        pair = self._tiled_pair(groups)
        with self._scope():
            self._load_invariant(set(self.nest.inner))
            if pair is None:
                self._flat_loops(groups, self._work())
            else:
                self._tiled_loops(groups, *pair, self._work())

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
                    if position == 0 and len(groups) == 2:
                        self._ask_for_rows()
            self._inner_body(0)

    def _outer_loops(self) -> None:
        first, *rest = self._groups(self.nest.outer)
        inner = self._groups(self.nest.inner)
        options: dict[str, Any] = {"kind": "parallel", "work": self._work()}

        def one_by_one(start: Index, **options: Any) -> None:
            with self._loop(first, start, **options), ExitStack() as stack:
                for group in rest:
                    stack.enter_context(self._loop(group))
                self._outer_body()

        with self._scope():
            self._load_invariant(set(range(len(self.nest.space))))
            if not rest and len(inner) == 1 and self._reads_more_than_it_computes("row"):
                start = self._rows_at_once(first, inner[0], **options)
                self.alike = True
                one_by_one(start)
            else:
                zero, length = Index.of(0), self._length(first)
                self._rows_by_length(
                    lambda: self._lanes(first, zero, length, **options),
                    lambda: one_by_one(zero, **options),
                )

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

        def loop_over_chunks(**body: Any) -> None:
            work = self._work()
            with b.loop("chunk", count, kind="parallel", work=work) as chunk, self._scope():
                self.chunk = chunk
                start = b.index_value(chunk * rows, "start").index
                stop = self._minimum(start + rows, self._length(chunk_axis), "stop")
                for member in full:
                    self._declare(member)
                self._clear_columns()
                self._chunk_body(groups, start, stop, **body)
                for member, buffer in partials.items():
                    b.store(View(buffer, (), (), chunk), [], self._total(member))

        self._rows_by_length(lambda: loop_over_chunks(in_lanes=True), loop_over_chunks)
        for member, buffer in partials.items():
            results[member.node.outputs[0]] = self._combine_full(member, buffer, count)
        self._combine_columns(count)

    def _chunk_body(
        self, groups: list[int], start: Index, stop: Index, in_lanes: bool = False
    ) -> None:
        if not self.nest.outer:
            self._load_invariant(set(self.nest.inner))
            if len(groups) == 1 and self._waits_for_sums(0):
                self._two_streams(0, groups[0], start, stop)
            else:
                self._flat_loops(groups, None, start=start, stop=stop)
            return
        inner = self._groups(self.nest.inner)
        flat = all(self.plan.is_inner(member) for member in self.nest.members)
        together = flat and self._reads_more_than_it_computes("column")
        if len(groups) == len(inner) == 1 and together:
            start = self._rows_together(groups[0], inner[0], start, stop)
        if in_lanes:
            self._lanes(groups[0], start, stop)
            return
        with ExitStack() as stack:
            stack.enter_context(self._loop(groups[0], start, stop))
            for group in groups[1:]:
                stack.enter_context(self._loop(group))
            self._outer_body()

    def _chunk_sizes(self, group: int) -> tuple[Index, Index]:
        """Return the number of outer indices per chunk and the number of chunks."""
        b = self.b
        unit = product(tuple(self._length(g) for g in range(len(self.axes)) if g != group))
        rows, count = b.value("rows", "int64"), b.value("chunks", "int64")
        b.emit(Partition(rows, count, self._length(group), unit, CHUNK_WORK, self.plan.chunks))
        return rows.index, count.index
