"""Segments: what is stored at computed rows is sorted by rows first.

A loop in order may store to one row several times, as the gradient of a lookup does. The numbers of
rows are stored, and sorted with their positions; then each segment of equal numbers is one row's,
and threads go through it in order. The sort is stable, so the order of stores to an element stays,
and results have the same bits as in a loop. The work is that of a sort, where :mod:`ranges` lets
each block read all numbers. Where the target permits any order, as ``device_atomics`` says, threads
add at once instead (:mod:`atomics`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.collapse import collapse
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.atomics import added_atomically
from symtheano.codegen.passes.cuda.groups import find_grouping, grouped
from symtheano.codegen.passes.cuda.lift import lift
from symtheano.codegen.passes.cuda.nests import unravelled
from symtheano.codegen.passes.cuda.ranges import Scatter, find_scatter
from symtheano.codegen.passes.cuda.segment_elements import find_segment_elements
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Allocate,
    Buffer,
    Builder,
    For,
    Index,
    Kernel,
    Leave,
    Literal,
    Program,
    Statement,
    Value,
    While,
)
from symtheano.loopir.index import product
from symtheano.loopir.names import definitions
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, names_used, unless_same, with_bodies
from symtheano.loopir.view import View

_FEW = 64
"""Iterations for which sorting is not worth its launches, if their number is known."""
_ACROSS = 64
"""Threads of a block, which have elements of one row."""


def segments(program: Program, target: Target, context: ProgramContext) -> Program:
    """Sort what loops in order store to rows, and let each row be a thread's, or a block's."""
    memory = KernelMemory(program)

    def block(body: Body) -> Body:
        after: list[Statement] = []
        for s in body:
            if isinstance(s, Kernel) and not s.region:
                if (grouping := find_grouping(s)) is not None:
                    after += grouped(s, grouping, memory, target, context)
                    continue
                after += _sorted(s, memory, target, context) or (s,)
            elif isinstance(s, While):
                after.append(replace(s, test=block(s.test), body=block(s.body)))
            else:
                after.append(with_bodies(s, block))
        return unless_same(after, body)

    body = block(program.body)
    return replace(program, body=body, arena=(*program.arena, *memory.slots))


def _sorted(
    kernel: Kernel, memory: KernelMemory, target: Target, context: ProgramContext
) -> tuple[Statement, ...]:
    """Return the statements in place of a kernel whose last loop stores to rows, else none."""
    *first, last = kernel.body
    if kernel.results or not all(isinstance(s, For) for s in kernel.body):
        return ()
    alone = replace(kernel, body=(last,))
    scatter = _found(alone, target, context)
    if scatter is None:
        after = _sorted_elements(alone, memory, target, context)
    else:
        after = _written(alone, scatter, memory, target, context)
    if not first or not after:
        return after
    return (replace(kernel, name=context.names.fresh(kernel.name), body=tuple(first)), *after)


def _sorted_elements(
    kernel: Kernel, memory: KernelMemory, target: Target, context: ProgramContext
) -> tuple[Statement, ...]:
    """Return the statements if the loop is over segments, and stores to rows, else none."""
    elements = find_segment_elements(kernel)
    if elements is None:
        return ()
    numbers = Buffer(context.names.fresh("segments"), "int64", "local", elements.count)
    if _found(elements.joined(numbers, context.names), target, context) is None:
        return ()
    used: list[int] = []
    placed = memory.place(numbers, used)
    before: list[Statement] = [placed] if isinstance(placed, Allocate) else []
    numbers = placed.buffer if isinstance(placed, Allocate) else placed
    before.append(elements.searched(numbers, context.names))
    joined = elements.joined(numbers, context.names)
    scatter = _found(joined, target, context)
    assert scatter is not None
    return (*before, *_Segments(joined, scatter, memory, target, context, used).write())


def _found(kernel: Kernel, target: Target, context: ProgramContext) -> Scatter | None:
    """Return what a kernel does if it stores to rows in order, and nothing else."""
    if kernel.results or len(kernel.body) != 1 or not isinstance(kernel.body[0], For):
        return None
    lifted = run_passes(kernel, context.names, [collapse, hoist, lift], target)
    if len(lifted.body) != 1 or not isinstance(lifted.body[0], For):
        return None
    scatter = find_scatter(lifted.body[0], context.names)
    if scatter is None or not _are_plain(scatter.loops):
        return None
    count = product(tuple(loop.stop for loop in scatter.loops)).constant
    inside = {name for s in _of_row(scatter) for name in names_used(s)}
    if scatter.kept is not None and scatter.kept.index.name in inside:
        return None
    return None if count is not None and count <= _FEW else scatter


def _are_plain(loops: Sequence[For]) -> bool:
    """Return whether loops have lengths that are known before, and begin at zero."""
    own = {loop.index.name for loop in loops}
    return all(
        loop.start == 0 and loop.step == 1 and own.isdisjoint(loop.stop.names()) for loop in loops
    )


def _of_row(scatter: Scatter) -> Body:
    """Return the statements of an iteration that compute the number of its row."""
    last = next(k for k, s in enumerate(scatter.body, 1) if scatter.row in definitions(s))
    return scatter.body[:last]


def _written(
    kernel: Kernel, scatter: Scatter, memory: KernelMemory, target: Target, context: ProgramContext
) -> tuple[Statement, ...]:
    """Return the statements in place of a kernel."""
    if target.device.atomics and (atomic := added_atomically(kernel, scatter, context.names)):
        return (atomic,)
    return _Segments(kernel, scatter, memory, target, context).write()


class _Segments:
    """Writes the kernels of one scatter.

    Attributes
    ----------
    lengths, count
        The lengths of the loops in order, and the number of their iterations.
    used
        Parts of the workspace that the kernels use.
    is_bounded
        Whether all numbers of rows are less than their count. Others, of elements of no segment,
        are left out.
    """

    def __init__(
        self,
        kernel: Kernel,
        scatter: Scatter,
        memory: KernelMemory,
        target: Target,
        context: ProgramContext,
        used: list[int] | None = None,
    ) -> None:
        self.kernel, self.scatter = kernel, scatter
        self.memory, self.names = memory, context.names
        self.threads = target.device.threads
        self.b = Builder(context.names, target.routines)
        self.b.origin = kernel.origins[0] if kernel.origins else None
        self.lengths = tuple(loop.stop for loop in scatter.loops)
        self.count = product(self.lengths)
        self.used, self.is_bounded = used or [], used is None

    def write(self) -> tuple[Statement, ...]:
        """Return the statements: number rows, sort them, store."""
        rows, order = self._memory("rows"), self._memory("order")
        with self._kernel("numbers of rows"):
            self._number(rows)
        self.b.call("argsort", 1, self.count, rows.address, order.address)
        with self._kernel("segments of rows"):
            self._store(rows, order)
        return self.b.statements()

    def _memory(self, wish: str) -> View:
        """Return memory for a number of each iteration."""
        buffer = Buffer(self.names.fresh(wish), "int64", "local", self.count)
        placed = self.memory.place(buffer, self.used)
        if isinstance(placed, Allocate):
            self.b.emit(placed)
            placed = placed.buffer
        return View.contiguous(placed, (self.count,))

    @contextmanager
    def _kernel(self, what: str) -> Iterator[None]:
        """Open a kernel."""
        with self.b.block() as body:
            yield
        name = self.names.fresh(self.kernel.name)
        title = f"{self.kernel.title}: {what}"
        self.b.emit(Kernel(name, title, tuple(body), (), self.kernel.origins))

    def _number(self, rows: View) -> None:
        """Store the number of the row of each iteration."""
        b = self.b
        with ExitStack() as stack:
            counters = [
                stack.enter_context(b.loop("i", length, kind="independent"))
                for length in self.lengths
            ]
            copier = self._copier(counters)
            for s in copier.block(_of_row(self.scatter)):
                b.emit(s)
            place = Index.of(0)
            for counter, length in zip(counters, self.lengths, strict=True):
                place = place * length + counter
            b.store(rows, [place], copier.operand(self.scatter.row))

    def _copier(self, counters: Sequence[Index], column: Index | None = None) -> Copier:
        """Return what copies statements of an iteration."""
        loops = zip(self.scatter.loops, counters, strict=True)
        indices = {loop.index.name: counter for loop, counter in loops}
        if column is not None and self.scatter.kept is not None:
            indices[self.scatter.kept.index.name] = column
        return Copier(self.names, indices)

    # -- segments --------------------------------------------------------------------------------

    def _store(self, rows: View, order: View) -> None:
        """Launch a block for each segment and some elements of its row, or a thread for each."""
        b, kept = self.b, self.scatter.kept
        if kept is None:
            with (
                b.loop("first", self.count, step=self.threads, kind="grid") as first,
                b.loop("thread", self.threads, kind="thread") as thread,
            ):
                place = b.index_value(first + thread, "place")
                with (
                    b.branch(b.let("lt", "bool", [place, b.operand(self.count)])),
                    self._segment(rows, order, place.index) as row,
                ):
                    self._go_through(rows, order, place.index, row, None)
            return
        with (
            b.loop("first", kept.stop, step=_ACROSS, kind="grid") as first,
            b.loop("segment", self.count, kind="grid") as segment,
            self._segment(rows, order, segment) as row,
            b.loop("thread", _ACROSS, kind="thread") as thread,
        ):
            column = b.index_value(first + thread, "column")
            with b.branch(b.let("lt", "bool", [column, b.operand(kept.stop)])):
                self._go_through(rows, order, segment, row, column.index)

    @contextmanager
    def _segment(self, rows: View, order: View, place: Index) -> Iterator[Operand]:
        """Open a branch for places where a segment begins; give its row."""
        b = self.b
        row = self._row(rows, order, place)
        before = self._row(rows, order, b.maximum(place - 1, 0, "before"))
        first = b.let("eq", "bool", [b.operand(place), Literal(0, "int64")])
        other = b.let("neq", "bool", [before, row])
        begins = b.let("or_", "bool", [first, other])
        if not self.is_bounded:
            inside = b.let("lt", "bool", [row, b.operand(self.scatter.count)])
            begins = b.let("and_", "bool", [begins, inside])
        with b.branch(begins):
            yield row

    def _row(self, rows: View, order: View, place: Index) -> Operand:
        """Return the number of the row at a place of the order."""
        return self.b.load(rows, [self.b.as_index(self.b.load(order, [place]))])

    def _go_through(
        self, rows: View, order: View, place: Index, row: Operand, column: Index | None
    ) -> None:
        """Run the iterations of a segment, for one element of its row."""
        b = self.b
        with b.loop("k", self.count, place) as k:
            iteration = b.load(order, [k])
            own = b.load(rows, [b.as_index(iteration)])
            b.emit(Leave(b.let("neq", "bool", [own, row])))
            copier = self._copier(self._counters(iteration), column)
            known = {value.name for s in _of_row(self.scatter) for value in definitions(s)}
            used = {name for s in self._after_row() for name in names_used(s)}
            if known & used <= {self.scatter.row.name}:
                assert isinstance(own, Value)
                copier.values[self.scatter.row.name] = own
                copier.indices[self.scatter.row.name] = own.index
                body = self._after_row()
            else:
                body = self.scatter.body
            for s in copier.block(body):
                b.emit(s)

    def _after_row(self) -> Body:
        return self.scatter.body[len(_of_row(self.scatter)) :]

    def _counters(self, iteration: Operand) -> list[Index]:
        """Return the counters of the loops in order, in an iteration."""
        return unravelled(self.b, iteration, self.lengths, "i")
