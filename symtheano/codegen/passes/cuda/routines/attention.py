"""Attention: calls of our routines become products and loops over rows of scores.

The host's routines have a block of scores in memory; a device has all of them, as the plain
operations from which the rules have made attention, but twice at most, and with one loop over rows
between the products. A product of a batch is one call of the device's library, where three axes of
items are one; else the host goes through the outer ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall, replaced
from symtheano.codegen.passes.cuda.routines.lent import Lent
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Allocate,
    Buffer,
    Call,
    Index,
    Literal,
    Program,
    Statement,
)
from symtheano.loopir.index import product
from symtheano.loopir.operands import Address, Operand
from symtheano.loopir.view import View

_ZERO, _ONE = Index.of(0), Index.of(1)


def attention(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let the device compute what calls of attention and of its gradient do."""
    lent = Lent(program, _WRITERS)
    if not lent.calls:
        return program
    memory = KernelMemory(program)

    def change(s: Statement) -> Sequence[Statement] | None:
        if isinstance(s, Call) and s.routine.name in _WRITERS:
            return _Attention(s, memory, target, context).statements()
        return () if lent.provides(s) else None

    program = replaced(program, change)
    return replace(program, arena=(*program.arena, *memory.slots))


@dataclass(frozen=True)
class _Matrices:
    """The matrices of items: where they begin, the steps of three axes of items, and of rows."""

    buffer: Buffer
    offset: Index
    steps: tuple[Index, ...]
    row: Index


class _Attention(RoutineCall):
    """Writes what one call does.

    Attributes
    ----------
    batch
        The lengths of three axes of items.
    used
        The parts of the workspace that the call has.
    """

    def __init__(
        self, call: Call, memory: KernelMemory, target: Target, context: ProgramContext
    ) -> None:
        super().__init__(call, target, context.names)
        self.memory = memory
        batch = self.arguments["batch"]
        assert isinstance(batch, tuple)
        self.batch: tuple[Index, ...] = batch
        self.rows, self.keys = self.integer("rows"), self.integer("keys")
        self.depth, self.width = self.integer("depth"), self.integer("width")
        self.used: list[int] = []

    def statements(self) -> tuple[Statement, ...]:
        """Return the statements in place of the call."""
        _WRITERS[self.call.routine.name](self)
        return self.b.statements()

    # -- arguments -------------------------------------------------------------------------------

    def steps(self, name: str) -> tuple[Index, ...]:
        value = self.arguments[f"{name}_steps"]
        assert isinstance(value, tuple)
        return value

    def matrices(self, name: str) -> _Matrices:
        """Return an argument whose axes have steps."""
        address, steps = self.address(name), self.steps(name)
        return _Matrices(address.buffer, address.offset, steps[:3], steps[3])

    def result(self, name: str, rows: Index, width: Index) -> _Matrices:
        """Return an argument that is contiguous."""
        address = self.address(name)
        return self._contiguous(address.buffer, address.offset, rows, width)

    def scores(self, wish: str) -> _Matrices:
        """Return memory for a number of each row and key."""
        size = product(self.batch) * self.rows * self.keys
        memory = Buffer(self.names.fresh(wish), self.dtype, "local", size)
        placed = self.memory.place(memory, self.used)
        if isinstance(placed, Allocate):
            self.b.emit(placed)
            placed = placed.buffer
        return self._contiguous(placed, _ZERO, self.rows, self.keys)

    def _contiguous(self, buffer: Buffer, offset: Index, rows: Index, width: Index) -> _Matrices:
        _, middle, last = self.batch
        one = rows * width
        return _Matrices(buffer, offset, (one * last * middle, one * last, one), width)

    # -- products --------------------------------------------------------------------------------

    def multiply(
        self,
        alpha: Operand,
        left: tuple[_Matrices, bool],
        right: tuple[_Matrices, bool],
        to: _Matrices,
        sizes: tuple[Index, Index, Index],
    ) -> None:
        """Store products of matrices, each of which may be transposed.

        The sizes are rows, columns and terms.
        """
        b = self.b
        items = (left[0], right[0], to)
        *outer, (count, steps) = self._axes(items) or [(_ONE, (_ZERO,) * 3)]
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

    def _axes(self, items: Sequence[_Matrices]) -> list[tuple[Index, tuple[Index, ...]]]:
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
    def each_row(self, title: str) -> Iterator[tuple[Index, ...]]:
        """Open a kernel with a loop over the rows of all items; give the position of each."""
        b = self.b
        with b.block() as body, ExitStack() as stack:
            position = [
                _ZERO
                if length == 1
                else stack.enter_context(b.loop("item", length, kind="independent"))
                for length in self.batch
            ]
            row = stack.enter_context(b.loop("i", self.rows, kind="independent"))
            yield (*position, row)
        b.emit(self.kernel_with(body, title))

    def of_matrices(self, matrices: _Matrices, place: tuple[Index, ...], column: Index) -> View:
        """Return an element of a row."""
        *items, row = place
        offset = matrices.offset + row * matrices.row + column
        for item, step in zip(items, matrices.steps, strict=True):
            offset = offset + item * step
        return View(matrices.buffer, (), (), offset)

    def of_row(self, name: str, place: tuple[Index, ...]) -> View:
        """Return the element of an argument that has one of each row."""
        return self.of_matrices(self.result(name, self.rows, _ONE), place, _ZERO)

    def mask(self, name: str, place: tuple[Index, ...], column: Index) -> Operand | None:
        """Return an element of what is added to scores, or of what tells which are chosen."""
        if not isinstance(self.arguments[name], Address):
            return None
        step = self.steps(name)[4]
        return self.b.load(self.of_matrices(self.matrices(name), place, column * step), [])

    def is_chosen(self, place: tuple[Index, ...], column: Index) -> Operand | None:
        """Return whether a score is chosen; None if all of them are."""
        if self.integer("causal") == 1:
            return self.b.let("le", "bool", [self.b.operand(column), self.b.operand(place[-1])])
        return self.mask("chosen", place, column)

    def score(
        self, x: Operand, place: tuple[Index, ...], column: Index, chosen: Operand | None
    ) -> Operand:
        """Return a score, of its product."""
        b = self.b
        bias = self.mask("bias", place, column)
        if bias is not None:
            x = b.let("add", self.dtype, [x, bias])
        if chosen is not None:
            x = b.let("switch", self.dtype, [chosen, x, self.number("fill")])
        return x

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

    def _exponentials(self, scores: _Matrices) -> None:
        """Replace scores by exponentials relative to the largest one of their row."""
        b, dtype = self.b, self.dtype
        with self.each_row("attention: exponentials") as place:
            most = b.declare("most", neutral_element("larger", dtype))
            with b.loop("j", self.keys, kind="reduce") as j:
                factors = b.load(self.of_matrices(scores, place, j), [])
                x = self.score(factors, place, j, self.is_chosen(place, j))
                if x != factors:
                    b.store(self.of_matrices(scores, place, j), [], x)
                b.reduce(most, "larger", x)
            infinite = b.let("isinf", "bool", [most])
            top = b.let("switch", dtype, [infinite, Literal(0, dtype), most], "top")
            total = b.declare("total", Literal(0, "float64"))
            with b.loop("j", self.keys, kind="reduce") as j:
                x = b.load(self.of_matrices(scores, place, j), [])
                e = b.let("exp", dtype, [b.let("sub", dtype, [x, top])])
                b.store(self.of_matrices(scores, place, j), [], e)
                b.reduce(total, "add", b.cast(e, "float64"))
            b.store(self.of_row("tops", place), [], top)
            b.store(self.of_row("sums", place), [], b.cast(total, dtype))
            if isinstance(self.arguments["exponentials"], Address):
                count = self.integer("kept")
                kept = self.result("exponentials", self.rows, count)
                with b.loop("j", count, kind="independent") as j:
                    here = b.load(self.of_matrices(scores, place, j), [])
                    b.store(self.of_matrices(kept, place, j), [], here)

    def _divided(self, result: _Matrices) -> None:
        """Divide sums of values by sums of exponentials; without keys, they are zero."""
        b, dtype, zero = self.b, self.dtype, Literal(0, self.dtype)
        with self.each_row("attention: result") as place:
            total = b.load(self.of_row("sums", place), [])
            share: Operand = b.let("reciprocal", dtype, [total])
            if self.keys.constant is None or self.keys == 0:
                none = b.let("eq", "bool", [b.operand(self.keys), Literal(0, "int64")])
                share = b.let("switch", dtype, [none, zero, share])
            with b.loop("j", self.width, kind="independent") as j:
                view = self.of_matrices(result, place, j)
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

    def _slopes(self, shares: _Matrices, slopes: _Matrices, g: _Matrices) -> None:
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
                d = b.load(self.of_matrices(slopes, place, j), [])
                d = b.let("mul", dtype, [p, b.let("sub", dtype, [d, inner])])
                if chosen is not None:
                    d = b.let("switch", dtype, [chosen, d, Literal(0, dtype)])
                b.store(self.of_matrices(shares, place, j), [], p)
                b.store(self.of_matrices(slopes, place, j), [], d)

    def _inner(self, place: tuple[Index, ...], result: _Matrices, g: _Matrices) -> Operand:
        """Return the sum of the products of a row of the result and its gradient."""
        b = self.b
        total = b.declare("inner", Literal(0, "float64"))
        with b.loop("j", self.width, kind="reduce") as j:
            pair = [b.load(self.of_matrices(item, place, j), []) for item in (result, g)]
            term = b.let("mul", "float64", [b.cast(item, "float64") for item in pair])
            b.reduce(total, "add", term)
        return b.cast(total, self.dtype)

    def _exponential(
        self,
        scores: _Matrices,
        place: tuple[Index, ...],
        column: Index,
        chosen: Operand | None,
        top: Operand,
    ) -> Operand:
        """Return the exponential of a score, which may have been kept."""
        b, dtype = self.b, self.dtype
        if self.integer("kept") == self.keys:
            kept = self.result("exponentials", self.rows, self.keys)
            return b.load(self.of_matrices(kept, place, column), [])
        x = b.load(self.of_matrices(scores, place, column), [])
        x = self.score(x, place, column, chosen)
        return b.let("exp", dtype, [b.let("sub", dtype, [x, top])])


_WRITERS: Mapping[str, Callable[[_Attention], None]] = {
    "attention": _Attention.forward,
    "attention_gradient": _Attention.gradient,
}
