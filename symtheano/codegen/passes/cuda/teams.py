"""Teams: the threads of a warp, or of a block, share the loops of a body that they run together.

Scalars around the loops are computed by all of them alike. Of a loop, each takes every so manieth
iteration; of nested loops that reduce, every so manieth iteration of them all, so that neighbours
among threads have neighbours in the innermost one, and short ones keep all threads busy. What a
loop reduces is added up by lanes, in an order that is always the same, and then in the order of
warps. If each iteration has sums of its own, warps have an iteration each, and lanes share its
loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from symtheano.codegen.passes.cuda.nests import (
    around,
    chain,
    contiguous,
    dependent,
    in_order,
    is_apart,
    is_open,
    loops_in,
    reduced_outside,
    strided,
    unravelled,
)
from symtheano.codegen.passes.work import scalar_cost
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Device
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    If,
    Index,
    LetIndex,
    Load,
    Local,
    Reduce,
    Statement,
    Store,
    Update,
    Value,
    While,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Kind
from symtheano.loopir.rewrite import Body, Copier, base_name, with_bodies

_MOST_COST = 16
"""Additions for scalars of an outer iteration that threads compute for each inner one."""

_ROUNDS = 4
"""Iterations of a thread in an inner loop, from which on few threads are idle in the last one."""


class Team:
    """The threads of one warp."""

    one: Kind = "lane"

    def __init__(self, device: Device, names: Names) -> None:
        self.device, self.names = device, names

    def body(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Return what threads run together for statements that were written for one thread."""
        block: list[Statement] = []
        for stored, group in groupby(statements, lambda s: isinstance(s, Store | Update)):
            own = [*group]
            block += self._by_one(own) if stored else self._together(own)
        return tuple(block)

    def _together(self, statements: Sequence[Statement]) -> Sequence[Statement]:
        """Return what threads run together for statements of which none stores."""
        block: list[Statement] = []
        for s in statements:
            if isinstance(s, For):
                block += self._loop(s)
            elif isinstance(s, If):
                block.append(replace(s, then=self.body(s.then), otherwise=self.body(s.otherwise)))
            elif isinstance(s, While):
                test, body = self.body(s.test), self.body(s.body)
                block.append(replace(s, test=test, body=body))
            else:
                block.append(s)
        return block

    def _by_one(self, statements: Sequence[Statement]) -> Sequence[Statement]:
        """Let one thread store."""
        b = Builder(self.names)
        with b.loop("one", 1, kind=self.one):
            for statement in statements:
                b.emit(statement)
        return b.statements()

    def _loop(self, loop: For) -> Sequence[Statement]:
        loops = chain(loop)
        apart = [number for number, inner in enumerate(loops) if is_apart(inner)]
        if apart and not reduced_outside(loop):
            return self.shared_out(loops, apart)
        if loops and _only_reduces(loop):
            return self.reduced(loop)
        body = self.body(loop.body)
        return [replace(loop, body=body, kind="serial", reductions=(), work=None, worker=None)]

    def shared_out(self, loops: Sequence[For], apart: Sequence[int]) -> Sequence[Statement]:
        """Return nested loops of which the innermost independent one is shared out."""
        b = Builder(self.names)
        with b.loop("lane", self.device.warp, kind="lane") as lane:
            b.emit(_around(loops, {apart[-1]: (lane, self.device.warp)}))
        return b.statements()

    def reduced(self, loop: For) -> Sequence[Statement]:
        """Return a loop of whose terms each lane adds some."""
        b = Builder(self.names)
        reductions = reduced_outside(loop)
        with b.loop("lane", self.device.warp, kind="lane", reductions=reductions) as lane:
            b.emit(_share(self.names, loop, lane, self.device.warp))
        return b.statements()


class Block(Team):
    """The threads of one block."""

    one: Kind = "thread"

    def shared_out(self, loops: Sequence[For], apart: Sequence[int]) -> Sequence[Statement]:
        """Return nested loops: warps share one, and lanes another, if there are two."""
        b, device = Builder(self.names), self.device
        if len(apart) == 1:
            with b.loop("thread", device.threads, kind="thread") as thread:
                b.emit(_around(loops, {apart[0]: (thread, device.threads)}))
            return b.statements()
        with (
            b.loop("warp", device.warps, kind="warp") as warp,
            b.loop("lane", device.warp, kind="lane") as lane,
        ):
            shares = {apart[-2]: (warp, device.warps),
                      apart[-1]: (lane, device.warp)}  # fmt: skip
            b.emit(_around(loops, shares))
        return b.statements()

    def reduced(self, loop: For) -> Sequence[Statement]:
        """Return a loop that warps reduce, and then the combination of what they have."""
        b, device = Builder(self.names), self.device
        reductions = reduced_outside(loop)
        warps = Index.of(device.warps)
        by_warps = _has_long_rows(loop, device)
        parts = {value.name: Buffer(self.names.fresh("part"), value.dtype, "shared", warps)
                 for value, _ in reductions}  # fmt: skip
        for buffer in parts.values():
            b.emit(Local(buffer))
        with b.loop("warp", warps, kind="warp") as warp:
            own = {value.name: b.declare(base_name(value.name), neutral_element(op, value.dtype))
                   for value, op in reductions}  # fmt: skip
            if by_warps:
                rows = replace(loop, body=Team(device, self.names).body(loop.body))
                self._emit(b, _every(rows, warp, device.warps), own)
            else:
                lanes = tuple((own[value.name], op) for value, op in reductions)
                with b.loop("lane", device.warp, kind="lane", reductions=lanes) as lane:
                    first = warp * device.warp + lane
                    self._emit(b, _share(self.names, loop, first, device.threads), own)
            with b.loop("one", 1, kind="lane"):
                for name, buffer in parts.items():
                    b.emit(Store(buffer, warp, own[name]))
        with b.loop("warp", warps) as number:
            for value, op in reductions:
                part = Value(self.names.fresh("part_i"), value.dtype)
                b.emit(Load(part, parts[value.name], number))
                b.emit(Reduce(value, op, part))
        return b.statements()

    @staticmethod
    def _emit(b: Builder, loop: For, own: dict[str, Value]) -> None:
        """Write a loop that reduces into accumulators of its own."""
        for statement in Copier(None, values=own).statement(loop):
            b.emit(statement)


def _only_reduces(loop: For) -> bool:
    """Return whether all that iterations of a loop have in common are reductions of scalars."""
    scalars = {value.name for value, _ in reduced_outside(loop)}
    open_ = replace(loop, kind="independent", reductions=())
    alone = tuple(s for s in walk([open_]) if isinstance(s, Reduce) and s.target.name in scalars)
    return is_apart(_without(open_, alone))


def _without(loop: For, dropped: Sequence[Statement]) -> For:
    def block(statements: Body) -> Body:
        return tuple(with_bodies(s, block) for s in statements if s not in dropped)

    return replace(loop, body=block(loop.body))


def _around(loops: Sequence[For], shares: dict[int, tuple[Index, int]]) -> For:
    """Return nested loops, some of them strided."""
    inner = in_order(loops[-1])
    assert isinstance(inner, For)
    for number in reversed(range(len(loops))):
        loop = loops[number]
        if number in shares:
            loop = strided(loop, *shares[number])
        outer = in_order(loop)
        assert isinstance(outer, For)
        inner = outer if number == len(loops) - 1 else replace(outer, body=(inner,))
    return inner


def _every(loop: For, first: Index, step: int) -> For:
    """Return every so manieth iteration of a loop, from the first-th on."""
    return replace(
        loop, start=loop.start + first * loop.step, step=loop.step * step, kind="serial",
        reductions=(), work=None, worker=None,
    )  # fmt: skip


def _has_long_rows(loop: For, device: Device) -> bool:
    """Return whether iterations reduce rows, of which lanes of a warp had better share each one.

    Otherwise each thread has some of the iterations, or all loops are one.
    """
    rows = list(loops_in(loop.body))
    own = dependent(loop)
    if not rows or len(_nested(loop)[0]) > 1 or any(isinstance(s, Local) for s in walk(loop.body)):
        return False
    lengths = [row.stop - row.start for row in rows]
    if not all(own.isdisjoint(length.names()) for length in lengths):
        return False
    if max(length.constant or device.warp for length in lengths) * 4 <= device.warp:
        return False
    if not all(is_open(row) for row in rows):
        return False
    along = sum(contiguous(row.body, row.index.name) for row in rows)
    return along >= contiguous(loop.body, loop.index.name)


def _nested(loop: For) -> tuple[list[For], list[Sequence[Statement]]]:
    """Return loops of which each is in the one before, and the scalars that each begins with."""
    loops, scalars = [loop], []
    while (nested := around(loops[-1])) is not None and is_open(nested[1]):
        scalars.append(nested[0])
        loops.append(nested[1])
    return loops, scalars


def _share(names: Names, loop: For, first: Index, step: int) -> For:
    """Return every so manieth iteration of a loop that reduces, or of all loops nested in it."""
    loops, scalars = _nested(loop)
    cost = max(scalar_cost(each) for each in scalars) if scalars else 0
    length = (loops[-1].stop - loops[-1].start).constant
    flat = cost <= _MOST_COST and (length is None or length < _ROUNDS * step)
    if len(loops) > 1 and flat and all(each.step == 1 for each in loops):
        return _flattened(names, loops, scalars, first, step)
    if length is not None and length * 4 <= step and any(scalars):
        return strided(loop, first, step)
    inner = strided(loops[-1], first, step)
    for outer, before in zip(reversed(loops[:-1]), reversed(scalars), strict=True):
        inner = replace(_every(outer, Index.of(0), 1), body=(*before, inner))
    return inner


def _flattened(
    names: Names,
    loops: Sequence[For],
    scalars: Sequence[Sequence[Statement]],
    first: Index,
    step: int,
) -> For:
    """Return one loop over the iterations of nested ones, of which it computes the positions."""
    lengths = [each.stop - each.start for each in loops]
    b = Builder(names)
    with b.loop("element", product(tuple(lengths)), first, step=step) as element:
        places = unravelled(b, b.operand(element), lengths, "row")
        for each, place, before in zip(loops, places, (*scalars, ()), strict=True):
            b.emit(LetIndex(each.index, each.start + place))
            for s in before:
                b.emit(s)
        for s in loops[-1].body:
            b.emit(in_order(s))
    (flat,) = b.statements()
    assert isinstance(flat, For)
    return flat
