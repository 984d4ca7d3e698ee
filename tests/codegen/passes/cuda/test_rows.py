"""Rows that threads share: which loops these are, and what depends on the position alone."""

from __future__ import annotations

from symtheano.codegen.passes.cuda.rows import rows_in
from symtheano.loopir import Buffer, Builder, Index, Literal, Statement, Store
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import For

N = Index.symbol("n")
X = Buffer("x", "float64", "input", N * N, 0)
ZERO = Literal(0.0, "float64")


def loops() -> tuple[Statement, ...]:
    """Return loops of a block over a row: of its warps, of its threads, and over another row."""
    b = Builder()
    for name in ("n", "r"):
        b.names.fresh(name)
    row = Index.symbol("r") * N
    with (
        b.loop("warp", 2, kind="warp") as warp,
        b.loop("lane", 4, kind="lane") as lane,
        b.loop("i", N, lane + warp * 4, step=8) as i,
    ):
        b.emit(Store(X, row + i, ZERO))
        b.emit(Store(X, row + lane, ZERO))
    with b.loop("thread", 8, kind="thread") as thread, b.loop("i", N, thread, step=8) as i:
        b.emit(Store(X, row + i, ZERO))
    with b.loop("thread", 8, kind="thread") as thread, b.loop("i", N, thread + 1, step=8) as i:
        b.emit(Store(X, row + i, ZERO))
    return b.statements()


def test_threads_have_the_same_positions() -> None:
    by_warps, by_threads, shifted = rows_in(loops(), 4)
    assert by_warps.key == by_threads.key == (Index.of(0), N, 8)
    assert shifted.key == (Index.of(1), N, 8)
    assert shifted.length == N - 1


def test_places_depend_on_positions() -> None:
    by_warps, by_threads, _ = rows_in(loops(), 4)
    ((place, store),) = by_warps.accesses()  # that by the number of the lane is none
    ((other, _),) = by_threads.accesses()
    assert place == other
    assert store is by_warps.loop.body[0]


def test_other_loops() -> None:
    b = Builder()
    with b.loop("i", N) as i:
        b.emit(Store(X, i, ZERO))
    with b.loop("thread", 8, kind="thread") as thread:
        b.emit(Store(X, thread, ZERO))
    with b.loop("thread", 8, kind="thread") as thread, b.loop("i", N, thread * 2, step=16) as i:
        b.emit(Store(X, i, ZERO))
    assert not [*rows_in(b.statements(), 4)]


def test_replaced_loops() -> None:
    (row, *_) = rows_in(loops(), 4)
    without = row.replaced([])
    assert [s.kind for s in walk([without]) if isinstance(s, For)] == ["warp", "lane"]
