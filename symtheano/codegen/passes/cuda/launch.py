"""Launch: loops over independent iterations become grids of blocks of threads.

If neighbours along the innermost one of them are neighbours in memory, each thread computes some
elements alone, or the warps of a block share the loops for each of few elements. Else, iterations
are rows, and the threads of a warp share each one, or those of a block if it is long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from symtheano.codegen.passes.cuda.column_tiles import can_be_tiled, write_tile
from symtheano.codegen.passes.cuda.functions import missing_function
from symtheano.codegen.passes.cuda.nests import (
    around,
    contiguous,
    is_apart,
    is_open,
    loops_in,
    strided,
)
from symtheano.codegen.passes.cuda.teams import Block, Team
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Device, Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Builder,
    For,
    If,
    Index,
    Kernel,
    Let,
    Literal,
    Local,
    Partition,
    Statement,
)
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import Body, Copier

_COLUMNS, _COLUMNS_OF_CHUNKS = 1 << 15, 1 << 11
"""Elements of which there are enough for all threads of a device, if each has one; those for which
there are chunks as well."""


def launch(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Make grids of the outermost loops; before, their iterations are independent."""
    limits = {s.count.name: s.most for s in walk(kernel.body) if isinstance(s, Partition)}

    def block(statements: Body) -> Body:
        body: list[Statement] = []
        for s in statements:
            if isinstance(s, If):
                body.append(replace(s, then=block(s.then), otherwise=block(s.otherwise)))
            elif isinstance(s, For) and (name := missing_function(s, target)):
                context.note(s, "not, the device lacks {}", name)
                body.append(s)
            elif isinstance(s, For) and is_apart(s):
                body += _Launch(s, target.device, context, limits).write()
            else:
                body.append(s)
        return tuple(body)

    launched = replace(kernel, body=block(kernel.body))
    context.otherwise("not, the kernel has no loop")
    return launched


class _Launch:
    """Writes the grid of one loop.

    Parameters
    ----------
    loop, device, context
        The loop, and for what it is written.
    limits
        The largest values of numbers of chunks.
    """

    def __init__(
        self, loop: For, device: Device, context: Context, limits: Mapping[str, int]
    ) -> None:
        self.loop, self.device, self.context, self.limits = loop, device, context, limits
        self.outer: list[For] = []
        inside: set[str] = set()  # what is not known when the grid is launched
        while (nested := around(loop)) is not None and is_apart(nested[1]):
            scalars, inner = nested
            inside |= {loop.index.name, *(v.name for s in scalars for v in definitions(s))}
            if not inside.isdisjoint([*inner.start.names(), *inner.stop.names()]):
                break
            self.outer.append(loop)
            loop = inner
        self.last = loop

    def write(self) -> Sequence[Statement]:
        """Return the grid, or two for rows of different lengths."""
        last, note = self.last, self.context.note
        inner = list(loops_in(last.body))
        if not inner:
            return self._elements()
        own = {value.name for s in last.body for value in definitions(s)} | {last.index.name}
        alone = last.step != 1 or last.stop - last.start == 1
        if not alone and _is_in_order(last.body):
            note(last, "a thread for each, since loops inside run in order")
            return self._by_threads(1)
        outside = [row for row in inner if own.isdisjoint((row.stop - row.start).names())]
        within = _within(last.body, {row.stop for row in outside})
        if alone or not all(
            row in outside or not within.isdisjoint(row.stop.names()) for row in inner
        ):
            note(last, "a block for each, of {} threads", self.device.threads)
            return self._by_blocks(self.loop)
        lengths = [row.stop - row.start for row in outside]
        if len(outside) < len(inner):
            return self._rows(max(lengths, key=lambda length: length.constant or 0))
        elements = [length.constant or self.device.warp for length in lengths]
        if max(elements) * 4 <= self.device.warp:
            note(last, "a thread for each, since rows have {} elements", max(elements))
            return self._by_threads(1)
        along = sum(contiguous([s], s.index.name) for s in walk(last.body) if isinstance(s, For))
        across = contiguous(last.body, last.index.name)
        if across > along:
            return self._columns(across, along)
        return self._rows(max(lengths, key=lambda length: length.constant or 0))

    def _elements(self) -> Sequence[Statement]:
        """Return a grid whose threads compute some elements each: a short row, or some of a row."""
        last, device, note = self.last, self.device, self.context.note
        length = last.stop - last.start
        if self.outer and (length.constant or device.warp) < device.warp:
            self.last = self.outer.pop()
            note(self.last, "a thread for each, with {} elements", length)
            return self._by_threads(1)
        note(last, "each of {} threads computes up to {} elements", device.threads, device.items)
        return self._by_threads(device.items)

    def _rows(self, length: Index) -> Sequence[Statement]:
        """Return grids over rows: a warp for each if they are short, else a block."""
        most, note = self.device.long_row, self.context.note
        constant = length.constant
        if constant is None and self.limits.get(str(length), most + 1) <= most:
            note(self.last, "a warp for each, since rows have at most {} elements", most)
            return self._by_warps(self.loop)
        inside = {loop.index.name for loop in self.outer}
        if constant is not None or not inside.isdisjoint(length.names()):
            short = constant is None or constant <= most
            note(self.last, "a {} for each, since rows have {} elements",
                 "warp" if short else "block", length)  # fmt: skip
            return self._by_warps(self.loop) if short else self._by_blocks(self.loop)
        note(self.last, "a warp for each if {} is at most {}, else a block", length, most)
        b = Builder(self.context.names)
        short_rows = b.let("le", "bool", [b.operand(length), Literal(most, "int64")], "short_rows")
        (again,) = Copier(self.context.names).statement(self.loop)
        assert isinstance(again, For)
        either = tuple(self._by_warps(self.loop)), tuple(self._by_blocks(again))
        b.emit(If(short_rows, *either))
        return b.statements()

    def _columns(self, across: int, along: int) -> Sequence[Statement]:
        """Return grids over columns: a thread for each, or tiles of warps if they are few."""
        last, device, b = self.last, self.device, Builder(self.context.names)
        count, most = last.stop - last.start, _COLUMNS_OF_CHUNKS if self.outer else _COLUMNS
        inside = {loop.index.name for loop in self.outer}
        few = count.constant is None or count.constant <= most
        tiled = few and inside.isdisjoint(count.names()) and can_be_tiled(last, device)
        self.context.note(
            last, "a thread for each, since {} of its accesses are contiguous along it, {} along "
            "loops inside{}", across, along,
            f"; up to {most} are shared by {device.warps} warps" if tiled else "",
        )  # fmt: skip
        if not tiled:
            return self._by_threads(1)
        if count.constant is not None:
            return self._by_tiles()
        test = b.let("le", "bool", [b.operand(count), Literal(most, "int64")], "few_columns")
        (again,) = Copier(self.context.names).statement(self.loop)
        assert isinstance(again, For)
        more = _Launch(again, device, self.context, self.limits)._by_threads(1)
        b.emit(If(test, tuple(self._by_tiles()), tuple(more)))
        return b.statements()

    def _by_tiles(self) -> Sequence[Statement]:
        b = Builder(self.context.names)
        with self._pieces(b, self.loop, self.device.warp) as piece:
            write_tile(b, piece, self.device)
        return b.statements()

    def _by_threads(self, items: int) -> Sequence[Statement]:
        b, threads = Builder(self.context.names), self.device.threads
        with (
            self._pieces(b, self.loop, threads * items) as piece,
            b.loop("thread", threads, kind="thread") as thread,
        ):
            b.emit(strided(piece, thread, threads))
        return b.statements()

    def _by_warps(self, loop: For) -> Sequence[Statement]:
        b, warps = Builder(self.context.names), self.device.warps
        with self._pieces(b, loop, warps) as piece, b.loop("warp", warps, kind="warp") as warp:
            body = Team(self.device, self.context.names).body(piece.body)
            b.emit(replace(strided(piece, warp, warps), body=body))
        return b.statements()

    def _by_blocks(self, loop: For) -> Sequence[Statement]:
        b = Builder(self.context.names)
        with _grids(b, loop, len(self.outer)) as (last, scalars):
            body = Block(self.device, self.context.names).body(last.body)
            b.emit(_grid(last, (*scalars, *body)))
        return b.statements()

    @contextmanager
    def _pieces(self, b: Builder, loop: For, size: int) -> Iterator[For]:
        """Open grids whose blocks have so many iterations of the innermost loop each."""
        with (
            _grids(b, loop, len(self.outer)) as (last, scalars),
            b.loop("first", last.stop, last.start, step=size, kind="grid") as first,
        ):
            stop = b.minimum(first + size, last.stop, "stop")
            for statement in scalars:
                b.emit(statement)
            yield replace(last, start=first, stop=stop)


@contextmanager
def _grids(b: Builder, loop: For, count: int) -> Iterator[tuple[For, list[Statement]]]:
    """Open a grid for each of so many loops; give the loop inside, and the scalars around it."""
    scalars: list[Statement] = []
    with ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(_kept(b, loop))
            nested = around(loop)
            assert nested is not None
            scalars += nested[0]
            loop = nested[1]
        yield loop, scalars


@contextmanager
def _kept(b: Builder, loop: For) -> Iterator[None]:
    with b.block() as body:
        yield
    b.emit(_grid(loop, body))


def _grid(loop: For, body: Sequence[Statement]) -> For:
    return replace(loop, body=tuple(body), kind="grid", reductions=(), work=None)


def _is_in_order(body: Sequence[Statement]) -> bool:
    """Return whether threads can't share the loops inside, nor memory between them."""
    return not any(isinstance(s, Local) or (isinstance(s, For) and is_open(s)) for s in walk(body))


def _within(body: Sequence[Statement], stops: Collection[Index]) -> set[str]:
    """Return the names of the ends of parts of rows, which end at some places at the latest."""
    lets = [s for s in walk(body) if isinstance(s, Let) and s.target.dtype == "int64"]
    minima = [s for s in lets if s.op == "minimum"]
    return {s.target.name for s in minima if any(Builder.as_index(a) in stops for a in s.arguments)}
