"""Interchange: short sums of a broadcast operand run side by side, their terms one after the other.

In the distances of ``n`` points to ``m`` others, each sum has as many terms as a point has
coordinates, too few for vectors. The loop over terms moves outside of that over sums. The operand
that is the same for all indices of the loop around both is contiguous along the terms; its part is
first copied, transposed, to memory on the stack. The terms of a sum are added in order, and in
their own dtype if they are never negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from symtheano.codegen.passes.narrow import narrow_sums
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import work_of
from symtheano.codegen.rows import apply_row
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    Declare,
    For,
    If,
    Index,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Reduce,
    Statement,
    Store,
    Update,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Copier, base_name, names_used, with_loops
from symtheano.scalar.table import scalar_op

# Rows of the loop around that use one copy.
_ROWS = 32
# Numbers of terms for which there are loops of their own: coordinates of points.
_USUAL = (2, 3)


def interchange(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Interchange a short loop that sums and the one around it; bodies must be naive."""

    def change(loop: For) -> Sequence[Statement] | None:
        parts = _find(loop)
        if parts is None:
            return None
        outer, inner, terms, loads = parts
        length = terms.stop.constant
        if length is not None and length > target.rows.short:
            context.note(terms, "not, its length {} is more than {}", length, target.rows.short)
            return None
        context.note(
            terms, "outside of {}, if at most {} long", inner.index.name, target.rows.short
        )
        side_by_side = _Sums(outer, inner, terms, loads, target, context.names).write()
        if length is not None:
            return side_by_side
        b = Builder(context.names)
        short = b.let(
            "le", "bool", [b.operand(terms.stop), Literal(target.rows.short, "int64")], "short"
        )
        b.emit(If(short, tuple(side_by_side), (loop,)))
        return b.statements()

    changed = with_loops(kernel, change)
    context.otherwise("not, no sums of a broadcast operand")
    return changed


def _find(loop: For) -> tuple[For, For, For, list[Load]] | None:
    """Return a loop, the loop over sums inside, that over terms, and what is copied."""
    if not _is_plain(loop, "independent") or len(loop.body) != 1:
        return None
    (inner,) = loop.body
    if not isinstance(inner, For) or not _is_plain(inner, "independent"):
        return None
    rows = [s for s in inner.body if isinstance(s, For)]
    if len(rows) != 1 or not _is_plain(rows[0], "reduce"):
        return None
    terms = rows[0]
    at = inner.body.index(terms)
    counters = {loop.index.name, inner.index.name}
    sums = {s.target.name for s in inner.body[:at] if isinstance(s, Declare)}
    if (
        not all(isinstance(s, Declare) and isinstance(s.initial, Literal) for s in inner.body[:at])
        or not all(isinstance(s, Let | LetIndex | Load | Store) for s in inner.body[at + 1 :])
        or not all(isinstance(s, Let | Load | Reduce) for s in terms.body)
        or not all(s.target.name in sums for s in terms.body if isinstance(s, Reduce))
        or not counters.isdisjoint([*terms.stop.names(), *inner.stop.names()])
        or sums & {name for s in terms.body if not isinstance(s, Reduce) for name in names_used(s)}
    ):
        return None
    loads = _apart(loop, inner, terms)
    return (loop, inner, terms, loads) if loads else None


def _is_plain(loop: For, kind: str) -> bool:
    return loop.kind == kind and loop.start == 0 and loop.step == 1


def _apart(outer: For, inner: For, terms: For) -> list[Load] | None:
    """Return the loads that are apart from one sum to the next; None if one can't be copied."""
    inside = {v.name for s in (*inner.body, *terms.body) for v in definitions(s)}
    loads: dict[tuple[str, Index], Load] = {}
    for statement in terms.body:
        if not isinstance(statement, Load):
            continue
        if not inside.isdisjoint(statement.index.names()):
            return None
        across = statement.index.coefficient(inner.index.name)
        if across in (0, 1):
            continue
        along = statement.index.coefficient(terms.index.name)
        if along != 1 or statement.index.coefficient(outer.index.name) != 0:
            return None
        loads[statement.buffer.name, statement.index] = statement
    return list(loads.values())


class _Sums:
    def __init__(
        self, outer: For, inner: For, terms: For, loads: list[Load], target: Target, names: Names
    ) -> None:
        # here, sums are known to be short
        body, _ = narrow_sums(inner.body, lambda loop: True)
        self.outer, self.inner, self.loads = outer, replace(inner, body=body), loads
        (self.terms,) = (s for s in body if isinstance(s, For))
        self.b, self.names, self.target = Builder(names), names, target
        length = terms.stop.constant
        self.most = target.rows.short if length is None else length
        each = max(sum(np.dtype(load.buffer.dtype).itemsize for load in loads), 1)
        self.width = target.rows.lanes
        while (
            self.width < target.rows.block
            and self.width * 4 * self.most * each <= target.caches.near
        ):
            self.width *= 2

    def write(self) -> Sequence[Statement]:
        """Return loops over blocks of both loops."""
        b, outer, inner = self.b, self.outer, self.inner
        self.cells = {
            s.target.name: Buffer(
                self.names.fresh(base_name(s.target.name)), s.target.dtype, "stack",
                Index.of(self.width),
            )
            for s in inner.body if isinstance(s, Declare)
        }  # fmt: skip
        with b.loop("block", outer.stop, step=_ROWS, kind="independent",
                    work=work_of(outer)) as rows:  # fmt: skip
            stop = b.minimum(rows + _ROWS, outer.stop, "stop")
            with b.loop("block", inner.stop, step=self.width, kind="independent") as self.block:
                self.count = b.minimum(inner.stop - self.block, self.width, "lanes")
                self.copies = [*map(self._copy, self.loads)]
                with b.loop(base_name(outer.index.name), stop, rows, kind="independent") as i:
                    counters = {outer.index.name: i}
                    self._any_length(counters)
        return b.statements()

    def _any_length(self, counters: dict[str, Index]) -> None:
        """Write the sums in one loop if their length is known, or one of the most usual ones."""
        b, length = self.b, self.terms.stop
        if length.constant is not None and length.constant <= self.target.rows.longest:
            self._unrolled(length.constant, counters)
            return
        if length.constant is not None:
            self._sums(counters)
            return
        with b.block() as otherwise:
            self._sums(counters)
        for number in _USUAL:
            same = b.let("eq", "bool", [b.operand(length), Literal(number, "int64")], "usual")
            with b.block() as unrolled:
                self._unrolled(number, counters)
            otherwise = [If(same, tuple(unrolled), tuple(otherwise))]
        b.emit(*otherwise)

    def _unrolled(self, length: int, counters: dict[str, Index]) -> None:
        """Write all terms of each sum in one loop."""
        b, at = self.b, self.inner.body.index(self.terms)
        with b.loop("lane", self.count, kind="independent") as lane:
            here = {**counters, self.inner.index.name: self.block + lane}
            sums: dict[str, Operand] = {}
            for statement in self.inner.body[:at]:
                assert isinstance(statement, Declare)
                sums[statement.target.name] = statement.initial
            for number in range(length):
                k = Index.of(number)
                copier = Copier(self.names, {**here, self.terms.index.name: k})
                for name, op, value in self._term(copier, k, lane):
                    dtype = value.dtype
                    sums[name] = apply_row(b, scalar_op(op), [sums[name], value], dtype)
            self._finish(Copier(self.names, here), sums)

    def _copy(self, load: Load) -> Buffer:
        b, size = self.b, Index.of(self.width * self.most)
        buffer = Buffer(self.names.fresh("tile"), load.buffer.dtype, "stack", size)
        wish = base_name(self.terms.index.name)
        with (
            b.loop("lane", self.count, kind="independent") as lane,
            b.loop(wish, self.terms.stop) as k,
        ):
            here = {self.inner.index.name: self.block + lane, self.terms.index.name: k}
            element = b.value(base_name(load.target.name), load.target.dtype)
            b.emit(Load(element, load.buffer, load.index.replace(here)))
            b.store(View(buffer, (), (), k * self.width + lane), [], element)
        return buffer

    def _sums(self, counters: dict[str, Index]) -> None:
        """Write the sums of one index of the outer loop, for a block of the inner one."""
        b, at = self.b, self.inner.body.index(self.terms)
        with b.loop("lane", self.count, kind="independent") as lane:
            for statement in self.inner.body[:at]:
                assert isinstance(statement, Declare)
                cell = View(self.cells[statement.target.name], (), (), lane)
                b.store(cell, [], statement.initial)
        wish = base_name(self.terms.index.name)
        with (
            b.loop(wish, self.terms.stop, kind="reduce") as k,
            b.loop("lane", self.count, kind="independent") as lane,
        ):
            here = {**counters, self.inner.index.name: self.block + lane, self.terms.index.name: k}
            terms = self._term(Copier(self.names, here), k, lane)
            for name, op, value in terms:
                b.emit(Update(self.cells[name], lane, op, value, b.origin))
        with b.loop("lane", self.count, kind="independent") as lane:
            copier = Copier(self.names, {**counters, self.inner.index.name: self.block + lane})
            places = {name: View(cell, (), (), lane) for name, cell in self.cells.items()}
            self._finish(copier, {name: b.load(place, []) for name, place in places.items()})

    def _finish(self, copier: Copier, sums: dict[str, Operand]) -> None:
        """Write what follows the sums."""
        for name, total in sums.items():
            copier.values[name] = total
            if total.dtype == "int64":
                copier.indices[name] = self.b.as_index(total)
        at = self.inner.body.index(self.terms)
        for statement in copier.block(self.inner.body[at + 1 :]):
            self.b.emit(statement)

    def _term(self, copier: Copier, k: Index, lane: Index) -> Iterator[tuple[str, str, Operand]]:
        """Write one term of each sum; yield the sums' names, their ops and the values."""
        places = {
            (load.buffer.name, load.index): copy
            for load, copy in zip(self.loads, self.copies, strict=True)
        }
        for statement in self.terms.body:
            key = (statement.buffer.name, statement.index) if isinstance(statement, Load) else None
            if isinstance(statement, Reduce):
                self.b.origin = statement.origin
                yield statement.target.name, statement.op, copier.operand(statement.value)
            elif isinstance(statement, Load) and key in places:
                place = k * self.width + lane
                self.b.emit(Load(copier.fresh(statement.target), places[key], place))
            else:
                for new in copier.statement(statement):
                    self.b.emit(new)
