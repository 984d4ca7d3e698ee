"""Rotated rows are read in order: two loops, three, or copies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.rotate import rotate
from symtheano.loopir import For, Let, Load, Local
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x

_BIG = sum((T.exp(x * k) for k in range(9)), T.roll(x, 1, 1))


def loops(output: Any) -> list[For]:
    """Return the innermost loops of a program after the pass."""
    after = change(rotate, [x, v], output, first=[hoist]).after
    every = [s for s in walk(after.body) if isinstance(s, For)]
    return [loop for loop in every if not any(isinstance(s, For) for s in loop.body)]


def divides(loop: For) -> bool:
    """Return whether a loop computes a remainder."""
    return any(isinstance(s, Let) and s.op == "mod" for s in loop.body)


def test_one_shift_makes_two_loops(golden: Golden) -> None:
    result = change(rotate, [x, v], T.roll(x, 1, 1) * 2 + x, first=[hoist])
    golden(result.text, "passes/rotate.txt")


@pytest.mark.parametrize(
    ("output", "count", "dividing"),
    [
        (T.roll(x, 1, 1) + x, 2, 0),
        (T.roll(x, 1, 1) * T.roll(x, 1, 1) + x, 2, 0),
        (T.roll(x, 1, 1) + T.roll(x, -1, 1), 5, 0),
        (T.roll(x, 40, 1) + T.roll(x, -1, 1), 5, 0),
        (T.roll(x, 1, 0) + x, 1, 0),  # a row is chosen before the loop
        (T.roll(v, 1) + T.roll(v, -1), 3, 2),
        (T.roll(v, 17) + T.roll(v, -1), 5, 0),
        (_BIG, 3, 0),
        (T.roll(x[:, :3], 1, 1) + T.roll(x[:, :3], -1, 1), 5, 0),
        (x + v, 1, 0),
    ],
)
def test_loops(output: Any, count: int, dividing: int) -> None:
    every = loops(output)
    assert len(every) == count
    assert sum(map(divides, every)) == dividing


def test_rows_that_several_operands_read_are_copied_once() -> None:
    output = T.roll(x, 1, 1) * T.roll(x, -2, 1) + T.sqr(T.roll(x, 1, 1))
    kernel = change(rotate, [x, v], output, first=[hoist]).after
    assert sum(isinstance(s, Local) for s in walk(kernel.body)) == 2
    last = [s for s in walk(kernel.body) if isinstance(s, For)][-1]
    assert sum(isinstance(s, Load) for s in last.body) == 2


@pytest.mark.parametrize("n", [0, 1, 2, 3, 15, 16, 17, 33, 200])
@pytest.mark.parametrize("dtype", ["float32", "int16", "complex128"])
def test_all_lengths(n: int, dtype: str) -> None:
    rows, row = T.matrix("rows", dtype=dtype), T.vector("row", dtype=dtype)

    def outputs(m: Any, rows: Any, row: Any) -> list[Any]:
        several = sum(m.roll(rows, k, 1) * k for k in (-17, -2, 1, 16))
        deep = m.roll(rows, 3, 1) * m.roll(rows, -1, 0)
        ring = m.roll(row, 5) + m.roll(row, -16) - row
        return [several, deep, ring, m.roll(rows, -5, 1), (deep + several).sum(1), ring.sum()]

    f = function([rows, row], outputs(T, rows, row))
    random = np.random.default_rng(n)
    for count in (1, 5, 64):
        at = [random.integers(-3, 3, size=shape).astype(dtype) for shape in ((count, n), (n,))]
        for result, wanted in zip(f(*at), outputs(np, *at), strict=True):
            assert_allclose(result, wanted, rtol=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 40, 300])
def test_the_first_of_equal_extrema_is_located(n: int) -> None:
    row = T.dvector("row")

    def located(m: Any, row: Any) -> list[Any]:
        ring = m.roll(row, 1) + m.roll(row, -1)
        return [m.argmax(ring), m.argmin(ring * m.roll(row, -2))]

    f = function([row], located(T, row))
    for seed in range(20):
        at = np.random.default_rng(seed).integers(0, min(seed + 1, 3), n).astype("float64")
        assert list(map(int, f(at))) == list(map(int, located(np, at)))
