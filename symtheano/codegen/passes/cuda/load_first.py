"""Load first: of few iterations of loops, a thread loads the elements of all of them first.

A thread that stores an element before it loads the next one waits for memory each time, since the
compiler can't know that both are different ones. Loops are unrolled that have few iterations in
each thread, as those over a tile: how many there may be follows from their bounds. What is loaded
passes through small arrays, whose indices are constants, so that these are registers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import takewhile

import numpy as np

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.work import scalar_cost
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    Index,
    Kernel,
    Leave,
    Let,
    LetIndex,
    Load,
    Statement,
    Store,
    Value,
    While,
)
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import reads, walk, writes
from symtheano.loopir.rewrite import Body, Copier, base_name, unless_same, with_bodies

_MOST = 8
"""Iterations that are unrolled."""
_MOST_WORDS = 32
"""Registers for what is loaded."""
_MOST_COST = 100
"""Additions for an iteration up to which waiting for memory takes most of the time."""


def load_first(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Unroll loops of few iterations of a thread, loads of all of them first."""
    known = {s.target.name: s for s in walk(kernel.body) if isinstance(s, Let | LetIndex)}
    writer = _Writer(context, known)
    changed = with_bodies(kernel, lambda body: writer.block(body, frozenset()))
    context.otherwise("not, no thread has few iterations of a loop that loads and stores")
    return changed


@dataclass(frozen=True)
class _Loops:
    """Nested loops of few iterations each: how many at most, and what the inner one does."""

    loops: tuple[For, ...]
    counts: tuple[int, ...]

    @property
    def body(self) -> Body:
        """The statements of the innermost loop."""
        return self.loops[-1].body

    @property
    def count(self) -> int:
        """The most iterations of all."""
        return int(np.prod(self.counts))


class _Writer:
    """Unrolls the loops of a kernel.

    Parameters
    ----------
    context
        As for the pass.
    known
        The statements that define scalars, by their names.
    """

    def __init__(self, context: Context, known: Mapping[str, Let | LetIndex]) -> None:
        self.context, self.known = context, known

    def block(self, body: Body, threads: frozenset[str]) -> Body:
        """Return statements in which loops are unrolled.

        ``threads`` are the numbers of threads that are known around: none is negative.
        """
        new: list[Statement] = []
        for s in body:
            if not isinstance(s, For):
                new.append(with_bodies(s, lambda inner: self.block(inner, threads)))
            elif s.kind in ("grid", "thread", "warp", "lane"):
                own = threads | {s.index.name} if s.kind != "grid" else threads
                new.append(with_bodies(s, lambda inner, own=own: self.block(inner, own)))  # type: ignore[misc]
            elif threads and (nested := self._nested(s, threads)) is not None:
                self.context.note(s, "loads of {} iterations come first", nested.count)
                new += self._written(nested)
            else:
                new.append(with_bodies(s, lambda inner: self.block(inner, threads)))
        return unless_same(new, body)

    def _nested(self, loop: For, threads: frozenset[str]) -> _Loops | None:
        """Return loops of few iterations that load before they store, or None."""
        loops: list[For] = []
        counts: list[int] = []
        inner: Statement = loop
        while isinstance(inner, For) and (most := self._most(inner, threads)) is not None:
            loops.append(inner)
            counts.append(most)
            if len(inner.body) != 1:
                break
            (inner,) = inner.body
        nested = _Loops(tuple(loops), tuple(counts))
        if not loops or not 1 < nested.count <= _MOST or not _loads_and_stores(nested.body):
            return None
        words = sum(_words(s.buffer) for s in _loads(nested.body)) * nested.count
        fits = words <= _MOST_WORDS and scalar_cost(nested.body) <= _MOST_COST
        return nested if fits else None

    def _most(self, loop: For, threads: frozenset[str]) -> int | None:
        """Return the largest number of iterations, if that is known."""
        if loop.kind != "serial" or loop.step < 1:
            return None
        lengths = [
            bound for stop in self._bounds(loop.stop)
            if (bound := _largest(stop - self._known(loop.start), threads)) is not None
        ]  # fmt: skip
        return max(0, -(-min(lengths) // loop.step)) if lengths else None

    def _bounds(self, stop: Index) -> list[Index]:
        """Return indices that a bound does not exceed."""
        let = self.known.get(stop.name or "")
        if isinstance(let, Let) and let.op == "minimum":
            values = [a for a in let.arguments if isinstance(a, Value)]
            return [self._known(value.index) for value in values]
        return [self._known(stop)]

    def _known(self, index: Index) -> Index:
        """Return an index in which names that have been given to indices are replaced by these."""
        indices = {name: s.index for name, s in self.known.items() if isinstance(s, LetIndex)}
        while not indices.keys().isdisjoint(index.names()):
            index = index.replace(indices)
        return index

    def _written(self, nested: _Loops) -> Sequence[Statement]:
        """Return the loads of all iterations, and then what else each of them does."""
        b, names = Builder(self.context.names), self.context.names
        loads = _loads(nested.body)
        arrays = {
            id(s): Buffer(
                names.fresh(f"{base_name(s.buffer.name)}_early"), s.buffer.dtype, "stack",
                Index.of(nested.count),
            )
            for s in loads
        }  # fmt: skip
        before = nested.body[: nested.body.index(loads[-1]) + 1]
        early: list[Statement] = []
        for s in before:
            early.append(s)
            if isinstance(s, Load) and id(s) in arrays:
                early.append(Store(arrays[id(s)], _NUMBER, s.target))
        late = [
            Load(s.target, arrays[id(s)], _NUMBER)
            if isinstance(s, Load) and id(s) in arrays else s
            for s in nested.body
        ]  # fmt: skip
        self._unrolled(b, nested, early)
        self._unrolled(b, nested, late)
        return b.statements()

    def _unrolled(self, b: Builder, nested: _Loops, body: Sequence[Statement]) -> None:
        """Write unrolled loops, each of whose iterations is done if there is one."""

        def nest(number: int, place: Index, indices: Mapping[str, Index]) -> None:
            if number == len(nested.loops):
                copier = Copier(self.context.names, {**indices, _PLACE: place})
                for s in copier.block(body):
                    b.emit(s)
                return
            loop, count = nested.loops[number], nested.counts[number]
            with ExitStack() as stack:
                k = Index.of(0)
                if count > 1:
                    k = stack.enter_context(b.loop("k", count, kind="unrolled"))
                start = loop.start.replace(indices)
                index = b.index_value(start + k * loop.step, base_name(loop.index.name))
                stop = b.operand(loop.stop.replace(indices))
                stack.enter_context(b.branch(b.let("lt", "bool", [index, stop], "inside")))
                nest(number + 1, place * count + k, {**indices, loop.index.name: index.index})

        nest(0, Index.of(0), {})


_PLACE = "number of an iteration"
_NUMBER = Index.symbol(_PLACE)


def _loads(body: Body) -> list[Load]:
    """Return the loads from memory with which a body begins, besides scalars."""
    first = takewhile(lambda s: isinstance(s, Let | LetIndex | Load), body)
    return [s for s in first if isinstance(s, Load) and s.buffer.memory is not STACK]


def _loads_and_stores(body: Body) -> bool:
    """Return whether iterations load first what none of them writes, and then store elements."""
    every = list(walk(body))
    if any(isinstance(s, While | For | Leave) for s in every):
        return False
    written = {buffer for s in every for buffer in writes(s)}
    loads = _loads(body)
    early = {buffer for s in loads for buffer in reads(s)}
    return bool(written) and bool(loads) and written.isdisjoint(early)


def _words(buffer: Buffer) -> int:
    return max(1, np.dtype(buffer.dtype).itemsize // 4)


def _largest(index: Index, threads: frozenset[str]) -> int | None:
    """Return the largest value of an index, if it falls with numbers of threads only."""
    falls = all(
        not names or (factor < 0 and len(names) == 1 and names[0] in threads)
        for names, factor in index.terms
    )
    return next((factor for names, factor in index.terms if not names), 0) if falls else None
