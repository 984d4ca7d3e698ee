"""Widen: sums of float32 elements in float64 are written as vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.codegen.passes.widen import widen
from symtheano.loopir import Declare
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import g, x
from tests.support.compare import compiled

needs_cc = pytest.mark.needs_cc
LENGTHS = (0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 100, 515)


def test_sums_of_float32(golden: Golden) -> None:
    golden(change(widen, [g], g.sum(1), first=[vectorize]).text, "passes/widen.txt")


def test_many_sums_have_fewer_vectors() -> None:
    sums = [(T.cast(g, "float64") + number).sum(1) for number in range(1, 10)]
    for count, vectors in ((1, 2), (4, 2), (5, 1), (8, 1), (9, 0)):
        found = change(widen, [g], sums[:count], first=[vectorize])
        declared = [s for s in walk(found.after.body) if isinstance(s, Declare)]
        in_vectors = [s for s in declared if s.target.dtype == "float64x4"]
        assert len(in_vectors) == vectors * count


def test_what_is_not_widened() -> None:
    found = change(widen, [x], x.sum(1), first=[vectorize])
    found.assert_refused("j: not, it widens no elements that it loads")


def test_functions_are_left_to_the_compiler() -> None:
    found = change(widen, [g], T.exp(g).sum(1), first=[vectorize])
    found.assert_refused("j: not, it computes exp in float32")


def _wide(x: Any, w: Any, c: Any) -> list[Any]:
    wide = x.astype("float64")
    return [x.sum(1, dtype="float64").astype("float32"), (wide**2 * w - c).sum(1), wide.sum()]


@needs_cc
def test_sums_of_widened_elements() -> None:
    x, w, c = T.fmatrix("x"), T.dmatrix("w"), T.dscalar("c")
    wide = T.cast(x, "float64")
    f = compiled([x, w, c], [x.sum(1), (T.sqr(wide) * w - c).sum(1), wide.sum()])
    assert "st_widened" in str(f.c_source)
    random = np.random.default_rng(0)
    for length in LENGTHS:
        for rows in (1, 3, 4, 6):
            # elements that lie at any place
            memory = random.normal(size=rows * length + 1).astype("float32")
            values = memory[1:].reshape(rows, length)
            weights = random.normal(size=(rows, length))
            wanted = _wide(values, weights, 0.5)
            for made, its in zip(f(values, weights, 0.5), wanted, strict=True):
                np.testing.assert_allclose(made, its, rtol=1e-6, atol=1e-12)


@needs_cc
def test_rows_are_added_in_the_same_order_wherever_they_are() -> None:
    x = T.fmatrix("x")
    f = compiled([x], x.sum(1, acc_dtype="float64", dtype="float64"))
    row = np.random.default_rng(1).normal(size=77).astype("float32") * 2.0 ** np.arange(-38, 39)
    for rows in (1, 4, 7):
        made = f(np.tile(row.astype("float32"), (rows, 1)))
        assert len(set(made.tolist())) == 1


@needs_cc
@pytest.mark.parametrize("length", [3, 4, 8, 30])
def test_numbers_that_are_not_finite(length: int) -> None:
    x = T.fmatrix("x")
    f = compiled([x], x.sum(1))
    for special in (np.nan, np.inf, -np.inf, 3e38, -0.0):
        for place in range(length):
            values = np.zeros((5, length), "float32")
            values[2, place] = special
            np.testing.assert_array_equal(f(values), values.sum(1))
    both = np.full((5, length), np.inf, "float32")
    both[:, 1] = -np.inf
    assert np.isnan(f(both)).all()
    large = np.full((5, length), 3e38, "float32")
    large[:, ::2] *= -1
    np.testing.assert_array_equal(f(large), large.sum(1, dtype="float64").astype("float32"))


@needs_cc
def test_other_loops_are_left_to_the_compiler() -> None:
    x = T.fmatrix("x")
    usual = compiled([x], [T.exp(x).sum(1), x.max(1), T.sqr(x).sum(0)])
    assert "st_widened" not in str(usual.c_source)
    without = compiled([x], x.sum(1), mode=Mode().excluding("widen"))
    assert "st_widened" not in str(without.c_source)


@needs_cc
def test_loads_that_do_not_change_with_the_counter() -> None:
    x, u = T.fmatrix("x"), T.dvector("u")
    centered = T.sqr(T.cast(x, "float64") - u[:, None]).sum(1)
    f = compiled([x, u], centered, mode=Mode().excluding("hoist"))
    assert "st_widened" in str(f.c_source)
    values, means = np.arange(55.0).reshape(5, 11).astype("float32"), np.arange(5.0)
    np.testing.assert_allclose(f(values, means), ((values - means[:, None]) ** 2).sum(1))
