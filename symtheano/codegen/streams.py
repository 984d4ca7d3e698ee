"""Loops of reductions: several rows at once, or two halves of a row at once."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from symtheano import dtypes
from symtheano.codegen.choices import KernelChoices
from symtheano.codegen.elements import cost_of
from symtheano.loopir import Index, Literal
from symtheano.loopir.index import product
from symtheano.tensor.reduce import ArgReduce

# Maximum cost of an element, in additions, for which the latency of sums is the limit.
_CHEAP_SUMS = 16
_ROWS_AT_ONCE = 4


class KernelStreams(KernelChoices):
    """Writes outer loops and stages."""

    def _work(self) -> Index:
        """Return the nest's total work in additions."""
        cost = sum(cost_of(member) for member in self.nest.members)
        return product(tuple(self.nest.space)) * max(cost, 1)

    def _reads_more_than_it_computes(self, role: str) -> bool:
        """Return whether a nest does little besides reducing, so that memory limits it."""
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
        """Reduce several rows at once; return the next row.

        The additions of one sum are a dependency chain, and memory is read faster in several
        streams.
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

    def _outer_body(self) -> None:
        """Write what happens for one outer index: stage after stage."""
        with self._scope() if self.nest.outer else ExitStack():
            for stage in range(self.plan.stages):
                self._outer_members(stage)
                self._stage(stage)
            self._store_outer()

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
        elif self._is_second_pass(stage) and (ahead := self._read_ahead(stage)):
            self._loops_with_prefetch(stage, groups[0], ahead)
        elif len(groups) == 1 and self._waits_for_sums(stage) and not self.alike:
            self._two_streams(stage, groups[0], Index.of(0), self._length(groups[0]))
        elif (place := self._place_of_choice(stage, groups)) is not None:
            self._loop_around(stage, groups[0], place)
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

    # -- sums ------------------------------------------------------------------------------------

    def _waits_for_sums(self, stage: int) -> bool:
        """Return whether the latency of additions is the limit."""
        members = self.plan.inner_members_of(stage)
        adds = {row for m in members if m.role in ("row", "full")
                for value, row in self.accumulators[m.node.outputs[0]]
                if row in ("add", "mul") and not dtypes.is_discrete(value.dtype)}  # fmt: skip
        stores = any(m.node.outputs[0] in self.nest.stores and m.role == "point" for m in members)
        only = all(m.role != "column" for m in members)
        cheap = sum(cost_of(member) for member in members) <= _CHEAP_SUMS
        return bool(adds) and only and not stores and not self.plan.spills and cheap

    def _two_streams(self, stage: int, group: int, start: Index, stop: Index) -> None:
        """Accumulate two halves of a loop at once, so that their additions overlap."""
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
