"""Loops around empty loops are not run."""

from __future__ import annotations

from typing import Any

from symtheano.loopir import (
    Buffer,
    Builder,
    Declare,
    For,
    Index,
    Kernel,
    Let,
    Literal,
    Statement,
    Store,
)
from symtheano.loopir.empty import skip_empty_loops

_N, _M = Index.symbol("n"), Index.symbol("m")
_X = Buffer("x", "float64", "output", _N * _M, 0)
_ZERO = Literal(0.0, "float64")
_ZERO_INDEX = Literal(0, "int64")


def _skipped(b: Builder) -> tuple[Statement, ...]:
    return skip_empty_loops(Kernel("kernel", "", b.statements()), b.names).body


def _ends(statements: tuple[Statement, ...]) -> list[Any]:
    return [item.stop for item in statements if isinstance(item, For)]


def test_the_outer_loop_ends_at_once() -> None:
    b = Builder()
    with b.loop("i", _N) as i, b.loop("k", 3), b.loop("j", _M) as j:
        b.emit(Store(_X, i * _M + j, _ZERO))
    filled, stop, loop = _skipped(b)
    assert isinstance(filled, Let)
    assert isinstance(stop, Let)
    assert isinstance(loop, For)
    assert (filled.op, filled.arguments) == ("gt", (b.operand(_M), Literal(0, "int64")))
    assert stop.arguments == (filled.target, b.operand(_N), Literal(0, "int64"))
    assert loop.stop == stop.target.index


def test_what_else_happens_is_not_skipped() -> None:
    b = Builder()
    with b.loop("i", _N) as i:
        with b.loop("j", _M) as j:
            b.emit(Store(_X, i * _M + j, _ZERO))
        b.emit(Store(_X, i, _ZERO))
    assert _ends(_skipped(b)) == [_N]


def test_each_of_several_loops_is_empty() -> None:
    b = Builder()
    with b.loop("i", _N) as i:
        for length in (_M, _N * _M):
            with b.loop("k", length), b.loop("j", _M) as j:
                b.emit(Store(_X, i + j, _ZERO))
    assert _ends(_skipped(b)) != [_N]
    b = Builder()
    with b.loop("i", _N) as i:
        for length in (_M, _N * 2 + 1):
            with b.loop("j", length) as j:
                b.emit(Store(_X, i + j, _ZERO))
    assert _ends(_skipped(b)) == [_N]


def test_accumulators_of_a_loop_are_its_own() -> None:
    for inside in (True, False):
        b = Builder()
        total = None if inside else b.declare("total", _ZERO)
        with b.loop("i", _N):
            own = total or b.declare("total", _ZERO)
            with b.loop("j", _M):
                b.assign(own, _ZERO)
            b.assign(own, _ZERO)
        statements = tuple(s for s in _skipped(b) if not isinstance(s, Declare))
        assert (_ends(statements) != [_N]) == inside


def test_short_and_single_loops_are_left_alone() -> None:
    b = Builder()
    with b.loop("i", 4) as i, b.loop("j", _M) as j:
        b.emit(Store(_X, i * _M + j, _ZERO))
    with b.loop("i", _N) as i:
        b.emit(Store(_X, i, _ZERO))
    assert _skipped(b) == b.statements()


def test_what_happens_only_at_a_position_of_the_inner_loop_is_skipped_with_it() -> None:
    for reads_from_inside in (True, False):
        b = Builder()
        with b.loop("i", _N) as i:
            place = b.operand(i)
            low = b.let("ge", "bool", [place, _ZERO_INDEX])
            high = b.let("lt", "bool", [place if reads_from_inside else _ZERO_INDEX, b.operand(_M)])
            inside = b.let("and_", "bool", [low, high])
            with b.loop("j", _M) as j:
                b.emit(Store(_X, i * _M + j, _ZERO))
            with b.branch(inside):
                b.emit(Store(_X, i * _M + i, _ZERO))
        assert (_ends(_skipped(b)) != [_N]) == reads_from_inside
