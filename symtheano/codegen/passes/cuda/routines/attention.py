"""Attention: calls of our routines become products and loops over rows of scores.

The host's routines have a block of scores in memory; a device has all of them, as the plain
operations from which the rules have made attention, but twice at most, and with one loop over rows
between the products. A product of a batch is one call of the device's library, where three axes of
items are one; else the host goes through the outer ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.attention_calls import (
    MOST_COLUMNS,
    ONE,
    ZERO,
    AttentionCall,
    Matrices,
    Position,
)
from symtheano.codegen.passes.cuda.routines.calls import calls_of, replaced
from symtheano.codegen.passes.cuda.routines.workspaces import Workspaces
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Allocate,
    Buffer,
    Call,
    If,
    Index,
    Literal,
    Program,
    Statement,
)
from symtheano.loopir.index import product
from symtheano.loopir.names import reads, walk
from symtheano.loopir.operands import Address, Operand


def attention(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let the device compute what calls of attention and of its gradient do.

    Calls whose rows are short remain, for kernels of their own.
    """
    calls = calls_of(program, _WRITERS)
    if not calls:
        return program
    read = _read_by_others(program, calls)
    memory = KernelMemory(program)
    writers = {id(s): _Attention(s, memory, target, context) for s in calls}
    workspaces = Workspaces(program, _WRITERS, lambda call: writers[id(call)].fits(read) is False)

    def change(s: Statement) -> Sequence[Statement] | None:
        if id(s) in writers:
            return writers[id(s)].statements(read)
        return () if workspaces.declares(s) else None

    program = replaced(program, change)
    return replace(program, arena=(*program.arena, *memory.slots))


def _read_by_others(program: Program, calls: Sequence[Call]) -> set[str]:
    """Return the names of arrays that anything but attention reads, or the caller."""
    own = {id(s) for s in calls}
    others = (s for s in walk(program.body) if id(s) not in own)
    return {buffer.name for s in others for buffer in reads(s)} | {
        buffer.name for buffer in program.outputs
    }


class _Attention(AttentionCall):
    """Writes what one call does.

    Attributes
    ----------
    used
        The parts of the workspace that the call has.
    is_rare
        Whether the statements run for long rows only, and ask for their memory then.
    """

    def __init__(
        self, call: Call, memory: KernelMemory, target: Target, context: ProgramContext
    ) -> None:
        super().__init__(call, target, context.names)
        self.memory = memory
        self.used: list[int] = []
        self.is_rare = False

    def fits(self, read: Collection[str]) -> bool | None:
        """Return whether rows are short enough for kernels of their own; None if it is not known.

        Such kernels keep no exponentials, which only gradients may read then: they are told by the
        same lengths.
        """
        kept = self.arguments["exponentials"]
        is_first = self.call.routine.name == "attention"
        if is_first and isinstance(kept, Address) and kept.buffer.name in read:
            return False
        lengths = [n.constant for n in (self.depth, self.width)]
        if any(n is not None and n > MOST_COLUMNS for n in lengths):
            return False
        return None if None in lengths else True

    def statements(self, read: Collection[str]) -> Sequence[Statement]:
        """Return the statements in place of the call."""
        b, fits = self.b, self.fits(read)
        if fits:
            return [self.call]
        write = _WRITERS[self.call.routine.name]
        if fits is False:
            write(self)
            return b.statements()
        most = Literal(MOST_COLUMNS, "int64")
        narrow = [b.let("le", "bool", [b.operand(n), most]) for n in (self.depth, self.width)]
        both = b.let("and_", "bool", narrow)
        with b.block() as products:
            self.is_rare = True
            write(self)
        b.emit(If(both, (self.call,), tuple(products)))
        return b.statements()

    def scores(self, wish: str) -> Matrices:
        """Return memory for a number of each row and key."""
        size = product(self.batch) * self.rows * self.keys
        memory = Buffer(self.names.fresh(wish), self.dtype, "local", size)
        placed = self.memory.place(memory, self.used, self.is_rare)
        if isinstance(placed, Allocate):
            self.b.emit(placed)
            placed = placed.buffer
        return self.contiguous(placed, ZERO, self.rows, self.keys)

    # -- products --------------------------------------------------------------------------------

    def multiply(
        self,
        alpha: Operand,
        left: tuple[Matrices, bool],
        right: tuple[Matrices, bool],
        to: Matrices,
        sizes: tuple[Index, Index, Index],
    ) -> None:
        """Store products of matrices, each of which may be transposed.

        The sizes are rows, columns and terms.
        """
        b = self.b
        items = (left[0], right[0], to)
        *outer, (count, steps) = self._axes(items) or [(ONE, (ZERO,) * 3)]
        with ExitStack() as stack:
            offsets = [item.offset for item in items]
            for length, distances in outer:
                counter = stack.enter_context(b.loop("item", length))
                moved = zip(offsets, distances, strict=True)
                offsets = [offset + counter * distance for offset, distance in moved]
            one, two, three = (
                (Address(item.buffer, offset), step, item.row)
                for item, offset, step in zip(items, offsets, steps, strict=True)
            )
            nothing = Literal(0, self.dtype)
            b.call(
                "batched_gemm", left[1], right[1], count, *sizes, alpha, *one, *two, nothing, *three
            )

    def _axes(self, items: Sequence[Matrices]) -> list[tuple[Index, tuple[Index, ...]]]:
        """Return lengths and steps of the axes of items, of which neighbours are joined."""
        axes: list[tuple[Index, tuple[Index, ...]]] = []
        for axis, length in enumerate(self.batch):
            if length == 1:
                continue
            steps = tuple(item.steps[axis] for item in items)
            if axes and all(
                outer == inner * length for outer, inner in zip(axes[-1][1], steps, strict=True)
            ):
                length = axes.pop()[0] * length
            axes.append((length, steps))
        return axes

    # -- loops over rows -------------------------------------------------------------------------

    @contextmanager
    def each_row(self, title: str) -> Iterator[Position]:
        """Open a kernel with a loop over the rows of all items; give the position of each."""
        b = self.b
        with b.block() as body, ExitStack() as stack:
            position = [
                ZERO
                if length == 1
                else stack.enter_context(b.loop("item", length, kind="independent"))
                for length in self.batch
            ]
            row = stack.enter_context(b.loop("i", self.rows, kind="independent"))
            yield (*position, row)
        b.emit(self.kernel_with(body, title))

    # -- attention -------------------------------------------------------------------------------

    def forward(self) -> None:
        q, k, v = map(self.matrices, "qkv")
        shares, result = self.scores("scores"), self.result("result", self.rows, self.width)
        sizes = self.rows, self.keys, self.depth
        self.multiply(self.number("scale"), (q, False), (k, True), shares, sizes)
        self._exponentials(shares)
        one = Literal(1, self.dtype)
        sizes = self.rows, self.width, self.keys
        self.multiply(one, (shares, False), (v, False), result, sizes)
        self._divided(result)

    def _exponentials(self, scores: Matrices) -> None:
        """Replace scores by exponentials relative to the largest one of their row."""
        b, dtype = self.b, self.dtype
        with self.each_row("attention: exponentials") as place:
            most = b.declare("most", neutral_element("larger", dtype))
            with b.loop("j", self.keys, kind="reduce") as j:
                factors = b.load(scores.element(place, j), [])
                x = self.score(factors, place, j, self.is_chosen(place, j))
                if x != factors:
                    b.store(scores.element(place, j), [], x)
                b.reduce(most, "larger", x)
            infinite = b.let("isinf", "bool", [most])
            top = b.let("switch", dtype, [infinite, Literal(0, dtype), most], "top")
            total = b.declare("total", Literal(0, "float64"))
            with b.loop("j", self.keys, kind="reduce") as j:
                x = b.load(scores.element(place, j), [])
                e = b.let("exp", dtype, [b.let("sub", dtype, [x, top])])
                b.store(scores.element(place, j), [], e)
                b.reduce(total, "add", b.cast(e, "float64"))
            b.store(self.of_row("tops", place), [], top)
            b.store(self.of_row("sums", place), [], b.cast(total, dtype))
            if isinstance(self.arguments["exponentials"], Address):
                count = self.integer("kept")
                kept = self.result("exponentials", self.rows, count)
                with b.loop("j", count, kind="independent") as j:
                    here = b.load(scores.element(place, j), [])
                    b.store(kept.element(place, j), [], here)

    def _divided(self, result: Matrices) -> None:
        """Divide sums of values by sums of exponentials; without keys, they are zero."""
        b, dtype, zero = self.b, self.dtype, Literal(0, self.dtype)
        with self.each_row("attention: result") as place:
            total = b.load(self.of_row("sums", place), [])
            share: Operand = b.let("reciprocal", dtype, [total])
            if self.keys.constant is None or self.keys == 0:
                none = b.let("eq", "bool", [b.operand(self.keys), Literal(0, "int64")])
                share = b.let("switch", dtype, [none, zero, share])
            with b.loop("j", self.width, kind="independent") as j:
                view = result.element(place, j)
                b.store(view, [], b.let("mul", dtype, [b.load(view, []), share]))

    # -- the gradient ----------------------------------------------------------------------------

    def gradient(self) -> None:
        q, k, v, g = map(self.matrices, "qkvg")
        shares, slopes = self.scores("shares"), self.scores("slopes")
        one = Literal(1, self.dtype)
        rows, keys, depth, width = self.rows, self.keys, self.depth, self.width
        if self.integer("kept") != keys:
            self.multiply(self.number("scale"), (q, False), (k, True), shares, (rows, keys, depth))
        self.multiply(one, (g, False), (v, True), slopes, (rows, keys, width))
        self._slopes(shares, slopes, g)
        dq, dk = self.result("dq", rows, depth), self.result("dk", keys, depth)
        dv = self.result("dv", keys, width)
        q_scale, k_scale = self.number("q_scale"), self.number("k_scale")
        self.multiply(q_scale, (slopes, False), (k, False), dq, (rows, depth, keys))
        self.multiply(k_scale, (slopes, True), (q, False), dk, (keys, depth, rows))
        self.multiply(one, (shares, True), (g, False), dv, (keys, width, rows))

    def _slopes(self, shares: Matrices, slopes: Matrices, g: Matrices) -> None:
        """Replace scores by shares, and what comes from the result by gradients of scores."""
        b, dtype = self.b, self.dtype
        result = self.result("result", self.rows, self.width)
        with self.each_row("attention: gradients of scores") as place:
            inner = self._inner(place, result, g)
            top = b.load(self.of_row("tops", place), [])
            share = b.let("reciprocal", dtype, [b.load(self.of_row("sums", place), [])])
            with b.loop("j", self.keys, kind="independent") as j:
                chosen = self.is_chosen(place, j)
                e = self._exponential(shares, place, j, chosen, top)
                p = b.let("mul", dtype, [e, share])
                d = b.load(slopes.element(place, j), [])
                d = b.let("mul", dtype, [p, b.let("sub", dtype, [d, inner])])
                if chosen is not None:
                    d = b.let("switch", dtype, [chosen, d, Literal(0, dtype)])
                b.store(shares.element(place, j), [], p)
                b.store(slopes.element(place, j), [], d)

    def _inner(self, place: Position, result: Matrices, g: Matrices) -> Operand:
        """Return the sum of the products of a row of the result and its gradient."""
        b = self.b
        total = b.declare("inner", Literal(0, "float64"))
        with b.loop("j", self.width, kind="reduce") as j:
            pair = [b.load(item.element(place, j), []) for item in (result, g)]
            term = b.let("mul", "float64", [b.cast(item, "float64") for item in pair])
            b.reduce(total, "add", term)
        return b.cast(total, self.dtype)

    def _exponential(
        self,
        scores: Matrices,
        place: Position,
        column: Index,
        chosen: Operand | None,
        top: Operand,
    ) -> Operand:
        """Return the exponential of a score, which may have been kept."""
        b, dtype = self.b, self.dtype
        if self.integer("kept") == self.keys:
            kept = self.result("exponentials", self.rows, self.keys)
            return b.load(kept.element(place, column), [])
        x = b.load(scores.element(place, column), [])
        x = self.score(x, place, column, chosen)
        return b.let("exp", dtype, [b.let("sub", dtype, [x, top])])


_WRITERS: Mapping[str, Callable[[_Attention], None]] = {
    "attention": _Attention.forward,
    "attention_gradient": _Attention.gradient,
}
