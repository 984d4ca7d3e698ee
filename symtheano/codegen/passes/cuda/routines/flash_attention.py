"""Flash attention: calls of attention become kernels that go through blocks of keys.

A block of threads has some rows, and goes through the keys, a tile of scores at a time (Dao et
al., 2022; Dao, 2023). It keeps the largest score so far of each row, and the sum of exponentials
relative to it; what was added up before is scaled when a larger score comes. The gradient computes
shares again, from what is kept of each row. Gradients of keys and values are added up by blocks
that have some keys, and go through the rows: so no two blocks add to one number, and results have
the same bits in each run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from symtheano.codegen.passes import run_passes
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
from symtheano.codegen.passes.cuda.routines.calls import launched
from symtheano.codegen.passes.cuda.routines.tiles import Part, Tiles
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.codegen.passes.finish import finish
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import Allocate, Buffer, Call, Index, Kernel, Literal, Program
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.loopir.operands import Operand
from symtheano.loopir.view import View


def flash_attention(program: Program, target: Target, context: ProgramContext) -> Program:
    """Launch kernels instead of calling the routines of attention."""
    memory = KernelMemory(program)

    def make(call: Call) -> _Flash:
        return _Flash(call, target, context.names, memory)

    program = launched(program, _WRITERS, make)
    return replace(program, arena=(*program.arena, *memory.slots)) if memory.slots else program


class _Flash(AttentionCall):
    """Writes the launches of one call.

    Attributes
    ----------
    tiles
        What writes products.
    """

    def __init__(self, call: Call, target: Target, names: Names, memory: KernelMemory) -> None:
        super().__init__(call, target, names)
        self.target, self.memory = target, memory
        self.tiles = Tiles(self.b, self.dtype, target.device)

    def kernel(self) -> Kernel:
        """Return the kernel, whose threads wait for each other where they need to."""
        kernel = run_passes(super().kernel(), self.names, [synchronize], self.target)
        return finish(kernel, self.names, lambda buffer: buffer)

    def accumulators(self, wish: str, columns: Index) -> View:
        """Return registers for rows of a result."""
        most, strip = columns.constant, self.tiles.strip
        most = MOST_COLUMNS if most is None else most
        return self.tiles.registers(wish, max(-(-most // strip), 1) * strip)

    @contextmanager
    def blocks(self, wish: str, length: Index) -> Iterator[tuple[Position, Index]]:
        """Open a launch with a block for some rows of each item; give the item, and the first."""
        b = self.b
        with ExitStack() as stack:
            items = tuple(
                ZERO if length == 1 else stack.enter_context(b.loop("item", length, kind="grid"))
                for length in self.batch
            )
            yield (
                items,
                stack.enter_context(b.loop(wish, length, step=self.tiles.size, kind="grid")),
            )

    def of_rows(self, name: str, items: Position, first: Index) -> Part:
        """Return rows of q, or of the gradient of the result."""
        columns = self.depth if name == "q" else self.width
        return Part(self.matrices(name), items, first, self.rows, columns)

    def of_keys(self, name: str, items: Position, first: Index) -> Part:
        """Return rows of k or v."""
        columns = self.depth if name == "k" else self.width
        return Part(self.matrices(name), items, first, self.keys, columns)

    @contextmanager
    def each_key(self, first: Index) -> Iterator[Index]:
        """Open a loop over blocks of keys, those of which rows of a block have scores."""
        end, size = self.keys, self.tiles.size
        if self.is_causal:
            end = self.b.minimum(first + size, end, "end")
        with self.b.loop("key", end, step=size) as key:
            yield key

    def score_of(
        self, products: View, here: list[Index], place: Position, column: Index
    ) -> tuple[Operand, Operand | None]:
        """Return a score, of its product in registers, and whether it is chosen."""
        b = self.b
        scaled = b.let("mul", self.dtype, [self.number("scale"), b.load(products, here)])
        chosen = self.is_chosen(place, column)
        return self.score(scaled, place, column, chosen), chosen

    # -- attention -------------------------------------------------------------------------------

    def forward(self) -> None:
        b, t, dtype = self.b, self.tiles, self.dtype
        total = self.accumulators("total", self.width)
        products = t.registers("products", t.size)
        with self.blocks("first", self.rows) as (items, first):
            scores, strips = t.square("scores"), (t.factor("left"), t.factor("right"))
            tops, factors = t.shared("top", t.size), t.shared("factor", t.size)
            sums = t.shared("sum", t.size, "float64")
            with t.each_row() as row:
                b.store(tops, [row], neutral_element("larger", dtype))
                b.store(sums, [row], Literal(0, "float64"))
            t.clear(total)
            with self.each_key(first) as key:
                q, k = self.of_rows("q", items, first), self.of_keys("k", items, key)
                t.multiply(products, q, k, strips)
                self._scores(products, scores, items, first, key)
                self._exponentials(scores, tops, sums, factors)
                with t.each_element(total) as (row, _, here):
                    kept = b.let("mul", dtype, [b.load(total, here), b.load(factors, [row])])
                    b.store(total, here, kept)
                t.add(total, scores, self.of_keys("v", items, key), strips[1])
            self._end(total, tops, sums, factors, items, first)

    def _scores(
        self, products: View, scores: View, items: Position, first: Index, key: Index
    ) -> None:
        """Store a tile of scores; beyond rows and keys, they are as low as can be."""
        b, t = self.b, self.tiles
        with t.each_element(products) as (row, column, here):
            score = b.declare("score", neutral_element("larger", self.dtype))
            with b.branch(t.inside((first + row, self.rows), (key + column, self.keys))):
                place = *items, first + row
                b.assign(score, self.score_of(products, here, place, key + column)[0])
            b.store(scores, [row, column], score)

    def _exponentials(self, scores: View, tops: View, sums: View, factors: View) -> None:
        """Replace scores by exponentials, and note the factor of what was added before."""
        b, t, dtype = self.b, self.tiles, self.dtype
        zero, one, lowest = Literal(0, dtype), Literal(1, dtype), neutral_element("larger", dtype)
        with t.each_warp() as row:
            before = b.load(tops, [row])
            most = b.declare("most", lowest)
            with t.along(t.size, most, "larger") as j:
                b.reduce(most, "larger", b.load(scores, [row, j]))
            top = b.let("larger", dtype, [before, most])
            infinite = b.let("isinf", "bool", [top])
            shift = b.let("switch", dtype, [infinite, zero, top])
            total = b.declare("total", zero)
            with t.along(t.size, total, "add") as j:
                e = b.let("exp", dtype, [b.let("sub", dtype, [b.load(scores, [row, j]), shift])])
                b.store(scores, [row, j], e)
                b.reduce(total, "add", e)
            same = b.let("eq", "bool", [before, top])
            same = b.let("or_", "bool", [same, infinite])
            factor = b.let("exp", dtype, [b.let("sub", dtype, [before, top])])
            factor = b.let("switch", dtype, [same, one, factor])
            none = b.let("eq", "bool", [before, lowest])
            factor = b.let("switch", dtype, [none, zero, factor])
            with t.one_lane():
                b.store(tops, [row], top)
                b.store(factors, [row], factor)
                wide = [b.cast(item, "float64") for item in (factor, total)]
                kept = b.let("mul", "float64", [b.load(sums, [row]), wide[0]])
                b.store(sums, [row], b.let("add", "float64", [kept, wide[1]]))

    def _end(
        self, total: View, tops: View, sums: View, shares: View, items: Position, first: Index
    ) -> None:
        """Store the result, and what is kept of rows; without keys, the result is zero."""
        b, t, dtype, zero = self.b, self.tiles, self.dtype, Literal(0, self.dtype)
        with t.each_row() as row:
            top, row_sum = b.load(tops, [row]), b.cast(b.load(sums, [row]), dtype)
            share: Operand = b.let("reciprocal", dtype, [row_sum])
            if self.keys.constant is None or self.keys == 0:
                none = b.let("eq", "bool", [b.operand(self.keys), Literal(0, "int64")])
                share = b.let("switch", dtype, [none, zero, share])
            b.store(shares, [row], share)
            infinite = b.let("isinf", "bool", [top])
            top = b.let("switch", dtype, [infinite, zero, top])
            with b.branch(t.inside((first + row, self.rows))):
                place = *items, first + row
                b.store(self.of_row("tops", place), [], top)
                b.store(self.of_row("sums", place), [], row_sum)
        result = Part(self.result("result", self.rows, self.width), items, first,
                      self.rows, self.width)  # fmt: skip
        t.put(total, result, lambda value, row: b.let("mul", dtype, [value, b.load(shares, [row])]))

    # -- the gradient ----------------------------------------------------------------------------

    def gradient(self) -> None:
        inner = self._of_each_row()
        self._gradient_of_rows(inner)
        self._gradient_of_keys(inner)

    def _of_each_row(self) -> Matrices:
        """Return memory for a number of each row."""
        size = product(self.batch) * self.rows
        memory = Buffer(self.names.fresh("inner"), self.dtype, "local", size)
        placed = self.memory.place(memory, [])
        if isinstance(placed, Allocate):
            self.before.append(placed)
            placed = placed.buffer
        return self.contiguous(placed, ZERO, self.rows, ONE)

    def _gradient_of_rows(self, inner: Matrices) -> None:
        """Add up the gradients of rows of q, and note what their results and gradients make."""
        t, total = self.tiles, self.accumulators("total", self.depth)
        shares, slopes = t.registers("shares", t.size), t.registers("slopes", t.size)
        with self.blocks("first", self.rows) as (items, first):
            memory = _Memory.of(t)
            self._sum_products(inner, items, first)
            self._load_rows(memory, inner, items, first)
            t.clear(total)
            with self.each_key(first) as key:
                self._slopes(shares, slopes, memory, items, first, key)
                t.spread(slopes, memory.square)
                t.add(total, memory.square, self.of_keys("k", items, key), memory.strips[1])
            dq = Part(self.result("dq", self.rows, self.depth), items, first, self.rows, self.depth)
            t.put(total, dq, self._times("q_scale"))

    def _gradient_of_keys(self, inner: Matrices) -> None:
        """Add up the gradients of rows of k and v."""
        b, t = self.b, self.tiles
        of_k, of_v = self.accumulators("of_k", self.depth), self.accumulators("of_v", self.width)
        shares, slopes = t.registers("shares", t.size), t.registers("slopes", t.size)
        with self.blocks("key", self.keys) as (items, key):
            memory = _Memory.of(t)
            t.clear(of_k, of_v)
            begin = key if self.is_causal else ZERO
            with b.loop("first", self.rows, begin, step=t.size) as first:
                self._load_rows(memory, inner, items, first)
                self._slopes(shares, slopes, memory, items, first, key)
                for registers, total, name in ((shares, of_v, "g"), (slopes, of_k, "q")):
                    t.spread(registers, memory.square)
                    factor = self.of_rows(name, items, first)
                    t.add(total, memory.square, factor, memory.strips[1], turned=True)
            dk, dv = (
                Part(self.result(name, self.keys, columns), items, key, self.keys, columns)
                for name, columns in (("dk", self.depth), ("dv", self.width))
            )
            t.put(of_k, dk, self._times("k_scale"))
            t.put(of_v, dv, lambda value, row: value)

    def _times(self, name: str) -> Callable[[Operand, Index], Operand]:
        return lambda value, row: self.b.let("mul", self.dtype, [self.number(name), value])

    def _sum_products(self, inner: Matrices, items: Position, first: Index) -> None:
        """Store the sums of the products of rows of the result and of its gradient."""
        b, t = self.b, self.tiles
        result, g = self.result("result", self.rows, self.width), self.matrices("g")
        with t.each_warp() as row, b.branch(t.inside((first + row, self.rows))):
            place, total = (*items, first + row), b.declare("sum", Literal(0, "float64"))
            with t.along(self.width, total, "add") as j:
                pair = [
                    b.cast(b.load(item.element(place, j), []), "float64") for item in (result, g)
                ]
                b.reduce(total, "add", b.let("mul", "float64", pair))
            with t.one_lane():
                b.store(inner.element(place, ZERO), [], total)

    def _load_rows(self, memory: _Memory, inner: Matrices, items: Position, first: Index) -> None:
        """Load what is known of rows: the largest score, the share, and the sum of products."""
        b, t = self.b, self.tiles
        with t.each_row() as row, b.branch(t.inside((first + row, self.rows))):
            place = *items, first + row
            total = b.load(self.of_row("sums", place), [])
            b.store(memory.tops, [row], b.load(self.of_row("tops", place), []))
            b.store(memory.parts, [row], b.let("reciprocal", self.dtype, [total]))
            b.store(memory.inner, [row], b.load(inner.element(place, ZERO), []))

    def _slopes(
        self,
        shares: View,
        slopes: View,
        memory: _Memory,
        items: Position,
        first: Index,
        key: Index,
    ) -> None:
        """Compute a tile of shares, and of gradients of scores; beyond rows and keys, zeros."""
        b, t, dtype, zero = self.b, self.tiles, self.dtype, Literal(0, self.dtype)
        q, g = (self.of_rows(name, items, first) for name in "qg")
        k, v = (self.of_keys(name, items, key) for name in "kv")
        t.multiply(shares, q, k, memory.strips)
        t.multiply(slopes, g, v, memory.strips)
        with t.each_element(shares) as (row, column, here):
            share, slope = b.declare("share", zero), b.declare("slope", zero)
            with b.branch(t.inside((first + row, self.rows), (key + column, self.keys))):
                place = *items, first + row
                x, chosen = self.score_of(shares, here, place, key + column)
                e = b.let("exp", dtype, [b.let("sub", dtype, [x, b.load(memory.tops, [row])])])
                p = b.let("mul", dtype, [e, b.load(memory.parts, [row])])
                d = b.let("sub", dtype, [b.load(slopes, here), b.load(memory.inner, [row])])
                d = b.let("mul", dtype, [p, d])
                if chosen is not None:
                    d = b.let("switch", dtype, [chosen, d, zero])
                b.assign(share, p)
                b.assign(slope, d)
            b.store(shares, here, share)
            b.store(slopes, here, slope)


@dataclass(frozen=True)
class _Memory:
    """The shared memory of a block of the gradient.

    Attributes
    ----------
    square, strips
        A tile, and strips of two factors.
    tops, parts, inner
        Of each row the largest score, the share of an exponential of 1, and the sum of the products
        of the result and its gradient.
    """

    square: View
    strips: tuple[View, View]
    tops: View
    parts: View
    inner: View

    @staticmethod
    def of(t: Tiles) -> _Memory:
        strips = t.factor("left"), t.factor("right")
        names = "top", "part", "inner_of"
        return _Memory(t.square("square"), strips, *(t.shared(name, t.size) for name in names))


_WRITERS: Mapping[str, Callable[[_Flash], None]] = {
    "attention": _Flash.forward,
    "attention_gradient": _Flash.gradient,
}
