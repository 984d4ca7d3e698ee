"""Terms: functions that are added up are computed in one loop, and added in another one.

The number of sums side by side follows from the dtypes, so that results are the same on all
processors, and vectors of such a loop are no wider. A loop that only computes has the vectors of
the processor, and its compiler decides about the elements that remain. So terms that call
functions are stored in a tile in the nearest cache, and then added. With vectors of 64 bytes, sums
of exponentials and softmax of long rows took half to two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from symtheano import dtypes
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.passes.vectorize import reductions_of
from symtheano.codegen.passes.work import is_call
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Reduce,
    Statement,
    Store,
    Value,
    View,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import definitions
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, base_name, names_used, unless_same, with_nested

_TILE = 256
"""Terms of a tile."""
_LARGEST_TILE = 1024
_FEWEST = 16
_MOST_SUMS = 4


def terms(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Distribute innermost loops that reduce functions over their terms and their reductions."""

    def block(statements: Body, outer: For | None) -> Body:
        body: list[Statement] = []
        for s in statements:
            new: Sequence[Statement] | None = None
            if isinstance(s, For):
                new = _distributed(s, outer, context)
            if new is None:
                around = s if isinstance(s, For) else outer
                new = [with_nested(s, partial(block, outer=around))]
            body += new
        return unless_same(body, statements)

    changed = with_nested(kernel, partial(block, outer=None))
    context.otherwise("not, no innermost loop reduces functions")
    return changed


def _distributed(loop: For, outer: For | None, context: Context) -> Sequence[Statement] | None:
    """Return the loops that take the place of a loop; None if it stays."""
    if loop.kind not in ("reduce", "simd") or loop.step != 1:
        return None
    if not all(isinstance(s, Let | LetIndex | Load | Store | Reduce) for s in loop.body):
        return None
    sums = [s for s in loop.body if isinstance(s, Reduce)]
    if not sums or not any(map(is_call, loop.body)):
        return None
    if any(dtypes.is_discrete(s.target.dtype) for s in sums) or len(sums) > _MOST_SUMS:
        context.note(loop, "not, it has other reductions")
        return None
    totals = {s.target.name for s in sums}
    values = [s for s in loop.body if not isinstance(s, Reduce)]
    if not totals.isdisjoint(name for s in values for name in names_used(s)):
        context.note(loop, "not, terms depend on the sum")
        return None
    count = (loop.stop - loop.start).constant
    if count is not None and count < _FEWEST:
        context.note(loop, "not, there are only {} elements", count)
        return None
    size = _TILE
    is_block = outer is not None and 1 < outer.step <= _LARGEST_TILE and _is_part(loop, outer)
    if is_block:
        assert outer is not None
        size = outer.step
    elif count is not None and count <= _TILE:
        size, is_block = count, True
    context.note(loop, "{} terms are computed before they are added", size)
    return _Terms(loop, size, context.names).write(is_block)


def _is_part(loop: For, outer: For) -> bool:
    """Return whether a loop has at most as many iterations as the step of the one around it."""
    end = outer.index.index + outer.step
    ends = {s.target.name for s in outer.body if isinstance(s, LetIndex) and s.index == end}
    stops = [
        s.target.index
        for s in outer.body
        if isinstance(s, Let)
        and s.op == "minimum"
        and not ends.isdisjoint(getattr(item, "name", "") for item in s.arguments)
    ]
    return loop.start == outer.index.index and loop.stop in stops


class _Terms:
    """Writes both loops."""

    def __init__(self, loop: For, size: int, names: Names) -> None:
        self.loop, self.size, self.names = loop, size, names
        self.b = Builder(names)
        self.counter = base_name(loop.index.name)
        casts = {s.target.name: s for s in loop.body if isinstance(s, Let) and s.op == "cast"}
        self.tiles: list[tuple[Reduce, Operand, Buffer]] = []
        for s in loop.body:
            if isinstance(s, Reduce):
                narrow: Operand = s.value
                cast = casts.get(s.value.name) if isinstance(s.value, Value) else None
                if cast is not None and cast.arguments[0].dtype == "float32":
                    narrow = cast.arguments[0]
                name = names.fresh(f"{base_name(s.target.name)}_terms")
                tile = Buffer(name, narrow.dtype, "stack", Index.of(size))
                self.tiles.append((s, narrow, tile))

    def write(self, is_block: bool) -> Sequence[Statement]:
        """Return the loops over tiles, or those over one if the loop has no more terms."""
        b, loop = self.b, self.loop
        if is_block:
            self._tile(loop.start, loop.stop - loop.start)
            return b.statements()
        with b.loop("block", loop.stop, loop.start, step=self.size, kind="reduce") as block:
            self._tile(block, b.minimum(loop.stop - block, self.size, "count"))
        return b.statements()

    def _tile(self, start: Index, count: Index) -> None:
        b = self.b
        needed = {
            name for s in self.loop.body if not isinstance(s, Reduce) for name in names_used(s)
        } | {term.name for _, term, _ in self.tiles if isinstance(term, Value)}
        computed = [
            s for s in self.loop.body
            if not isinstance(s, Reduce)
            and (isinstance(s, Store) or any(v.name in needed for v in definitions(s)))
        ]  # fmt: skip
        simd = self.loop.kind == "simd"
        with b.loop(self.counter, count, kind="simd" if simd else "independent") as j:
            copier = Copier(self.names, {self.loop.index.name: start + j})
            for s in copier.block(computed):
                b.emit(s)
            for _, term, tile in self.tiles:
                b.store(View(tile, (), (), j), [], copier.operand(term))
        adding = Builder(self.names)
        with adding.loop(self.counter, count, kind="reduce") as j:
            for s, _, tile in self.tiles:
                value = adding.load(View(tile, (), (), j), [])
                if value.dtype != s.value.dtype:
                    value = adding.cast(value, s.value.dtype)
                adding.emit(replace(s, value=value))
        *_, loop = adding.statements()
        assert isinstance(loop, For)
        b.emit(replace(loop, kind="simd", reductions=reductions_of(loop)) if simd else loop)
