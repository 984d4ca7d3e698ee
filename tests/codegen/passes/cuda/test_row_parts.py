"""Row parts: which rows may be written again, and what is written of them."""

from __future__ import annotations

import pytest

from symtheano.codegen.passes.cuda.row_parts import (
    RowParts,
    begins_neutral,
    keeps_order,
    loops_along,
)
from symtheano.loopir import Buffer, Builder, Declare, For, Index, Literal, Reduce, Store, View
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Operand
from tests.codegen.passes.cuda.test_launch import ROWS, ZERO, buffer

N = Index.symbol("x_d1")
ONE = Literal(1.0, "float64")


def centred(initial: Operand = ZERO, cleared: str = "", loaded: str = "") -> tuple[For, Names]:
    """Write the difference of each row from its sum; before, an array may be cleared, or loaded."""
    b = Builder()
    for name in ("x", "out", "sums"):
        b.names.fresh(name)
    arrays = {
        "x": buffer("x", "input", ROWS * N, 0),
        "out": buffer("out", "output", ROWS * N, 0),
        "sums": buffer("sums", "output", ROWS, 1),
    }
    with b.loop("i", ROWS, kind="independent") as i:
        if cleared:
            b.emit(Store(arrays[cleared], i, ZERO))
        if loaded:
            b.load(View(arrays[loaded], (), (), i), [])
        total = b.declare("total", initial)
        with b.loop("j", N, kind="reduce") as j:
            b.emit(Reduce(total, "add", b.load(View(arrays["x"], (), (), i * N + j), [])))
        with b.loop("k", N, kind="independent") as k:
            element = b.load(View(arrays["x"], (), (), i * N + k), [])
            difference = b.let("sub", "float64", [element, total])
            b.emit(Store(arrays["out"], i * N + k, difference))
        b.emit(Store(arrays["sums"], i, total))
    (loop,) = b.statements()
    assert isinstance(loop, For)
    return loop, b.names


@pytest.mark.parametrize(
    ("cleared", "loaded", "kept"),
    [
        ("", "", True),
        ("sums", "", True),  # no loop uses it
        ("", "x", True),
        ("out", "", False),  # a loop stores there
        ("x", "", False),  # a loop reads that
        ("", "out", False),  # it has another value after the loops
        ("sums", "sums", False),  # it is loaded after it was stored
    ],
)
def test_what_may_be_written_again(cleared: str, loaded: str, kept: bool) -> None:
    assert keeps_order(centred(cleared=cleared, loaded=loaded)[0]) is kept


def test_accumulators_begin_with_the_neutral_element() -> None:
    assert begins_neutral(centred()[0])
    assert not begins_neutral(centred(initial=ONE)[0])


class Halves(RowParts):
    """Two parts of each row."""

    @property
    def count(self) -> Index:
        """Two."""
        return Index.of(2)

    def place(self, i: Index, part: Index) -> Index:
        """Return where the result of a row's part is."""
        return i * 2 + part


def test_results_of_loops_are_combined() -> None:
    row, names = centred()
    b = Builder(names)
    halves = Halves(row, b)
    total, elements = loops_along(row)
    ((value, op),) = halves.reduced(total).items()
    assert op == "add"
    assert not halves.reduced(elements)
    halves.parts[value.name] = Buffer(halves.name(value), "float64", "local", ROWS * 2), op
    copier = halves.again(row.body[: row.body.index(elements)], Index.symbol("row"))
    declared, combined = b.statements()
    assert isinstance(declared, Declare)
    assert isinstance(combined, For)
    assert combined.stop == 2
    assert [s.target for s in walk(combined.body) if isinstance(s, Reduce)] == [declared.target]
    assert copier.operand(value) == declared.target
    halves.leave(total, copier, Index.symbol("row"), Index.of(1))
    stored = b.statements()[-1]
    assert isinstance(stored, Store)
    assert stored.index == Index.symbol("row") * 2 + 1
    assert stored.value == declared.target


def test_rows_store_once() -> None:
    row, names = centred()
    for last in (False, True):
        b = Builder(names)
        halves = Halves(row, b)
        halves._own.clear()  # nothing is combined
        halves.again(row.body, Index.symbol("row"), last)
        assert any(isinstance(s, Store) for s in b.statements()) is last
