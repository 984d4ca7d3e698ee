"""Counting: numbers that a loop in order passes on, by blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.prefix import prefix
from symtheano.loopir import Builder, Index, Kernel, Literal, Store
from symtheano.sparse.segments import Runs, Starts
from tests.codegen.passes.change import TINY, change, changed
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.codegen.passes.cuda.test_launch import buffer
from tests.cuda_programs import counts

LENGTHS = (0, 1, 2, 255, 256, 257, 4096, 4097, 9000)
REST = CUDA.passes[CUDA.passes.index(prefix) + 1 :]
mask, matrix = T.vector("mask", "bool"), T.matrix("matrix", "bool")
lengths, other = T.lvector("lengths"), T.ivector("other")


def chosen(*shape: int) -> list[np.ndarray[Any, Any]]:
    some = np.random.default_rng(6).integers(0, 3, shape) == 0
    return [some, np.zeros(shape, "bool"), np.ones(shape, "bool")]


def outputs_of(op: Any, *inputs: Any) -> list[Any]:
    return list(op.make_node(*inputs).outputs)


@pytest.mark.needs_cxx
@pytest.mark.parametrize("rows", [1, 3])
def test_positions_of_what_is_selected(rows: int) -> None:
    f = emulated([mask, matrix], [*T.nonzero(mask), *T.nonzero(matrix)])
    for length in LENGTHS:
        for vector, array in zip(chosen(length), chosen(rows, length), strict=True):
            wanted = [*np.nonzero(vector), *np.nonzero(array)]
            for mine, its in zip(f(vector, array), wanted, strict=True):
                np.testing.assert_array_equal(mine, its)


@pytest.mark.needs_cxx
def test_beginnings_and_runs() -> None:
    outputs = [*outputs_of(Starts(), lengths), *outputs_of(Runs(), lengths, other)]
    f = emulated([lengths, other], outputs)
    for length in LENGTHS:
        rng = np.random.default_rng(length)
        one, two = rng.integers(0, 4, length), rng.integers(0, 2, length).astype("int32")
        starts, end, runs, count = f(one, two)
        np.testing.assert_array_equal(starts, [0, *np.cumsum(one)])
        assert end == one.sum()
        differ = (one[1:] != one[:-1]) | (two[1:] != two[:-1])
        np.testing.assert_array_equal(runs, [0, *np.cumsum(differ)][:length])
        assert count == (runs[-1] + 1 if length else 0)


def test_no_thread_is_in_the_way_of_another() -> None:
    shapes = ((7, 5), (9, 2), (1, 1), (17, 17))
    for outputs in (outputs_of(Starts(), lengths), outputs_of(Runs(), lengths, other)):
        found = change(prefix, [lengths, other], outputs, then=REST, target=TINY, shapes=shapes)
        assert found.kinds[:4] == ["independent", "reduce", "grid", "thread"]


def test_what_is_launched() -> None:
    outputs = [*T.nonzero(matrix), *outputs_of(Starts(), lengths)]
    assert counts(cuda_program([matrix, lengths], outputs)).long == ()


def assert_in_order(place: str) -> None:
    """Fail unless a loop that stores at a place stays as it is."""
    b, n = Builder(), Index.symbol("x_d0")
    b.names.fresh("out")
    out = buffer("out", "output", n * n + 1, 0)
    number = b.declare("number", Literal(0, "int64"))
    with b.loop("i", n) as i:
        even = b.let("le", "bool", [b.operand(i), Literal(2, "int64")])
        places = {"number twice": number.index * 2, "half": Index.of(0), "number": number.index}
        b.emit(Store(out, places[place], Literal(1.0, "float64")))
        item = b.cast(even, "int64") if place != "number" else b.operand(i)
        b.assign(number, b.let("add", "int64", [number, item]))
    kernel = Kernel("kernel", "steps", b.statements())
    found = changed(prefix, kernel, b.names, target=TINY, shapes=((7,), (1,)))
    found.assert_refused("not, the kernel is no running sum or product")


@pytest.mark.parametrize("place", ["number twice", "half", "number"])
def test_stores_that_may_collide(place: str) -> None:
    """Places are those of the number itself, and only where zero or one is added to it."""
    assert_in_order(place)
