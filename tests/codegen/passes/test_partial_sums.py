"""Partial sums: a few float32 elements are added in float32, and their sum in float64."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.jam import jam
from symtheano.codegen.passes.partial_sums import partial_sums
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.loopir import Update
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Change, Golden, change
from tests.codegen.passes.kernels import g, k, x
from tests.support.compare import compiled

needs_cc = pytest.mark.needs_cc
LENGTHS = (0, 1, 7, 8, 9, 31, 63, 64, 65, 72, 127, 128, 200, 515)
LARGEST = np.finfo("float32").max


def changed(*outputs: object) -> Change:
    return change(partial_sums, [g], [*outputs], first=[vectorize])


def test_sums_of_float32(golden: Golden) -> None:
    golden(changed(g.sum(1)).text, "passes/partial_sums.txt")


def test_fewer_elements_that_cost_more() -> None:
    assert changed(g.sum(1)).reasons == ("j: 8 elements are added in float32 first",)
    y = abs(T.sqr(g - 1) * 2 - g) * g + T.sqr(g)
    assert changed(y.sum(1)).reasons == ("j: 4 elements are added in float32 first",)


def test_rows_that_run_together() -> None:
    """A vector of numbers is wanted for each sum, so that the loop over rows is left alone."""
    found = change(partial_sums, [g], g.sum(1), first=[jam, vectorize])
    cells = [s.buffer for s in walk(found.after.body) if isinstance(s, Update)]
    assert [str(cell.size) for cell in cells] == ["8"]


def test_as_many_sums_as_bytes() -> None:
    m = T.bmatrix("m")
    found = change(partial_sums, [g, m], T.switch(m, g, 0).sum(1), first=[vectorize])
    cells = [s.buffer for s in walk(found.after.body) if isinstance(s, Update)]
    assert [str(cell.size) for cell in cells] == ["32"]


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        ([x.sum(1)], "j: not, it does more than add float32 elements in float64"),
        ([g.sum(1, dtype="float64")], "j: not, its result is not rounded to float32"),
        ([g.max(1)], "j: not, it does more than add float32 elements in float64"),
        ([T.tanh(g).sum(1)], "j: not, an element costs 15 additions, more than 8"),
        ([g * 2], "j: not, it has no sums"),
        ([g[:, k].sum(1)], "j: not, it reads elements that are not neighbours"),
        ([T.specify_shape(g, (3, 100)).sum(1)], "j: not, there are only 100 elements"),
    ],
)
def test_what_is_added_in_float64(outputs: list[T.TensorVariable], reason: str) -> None:
    found = change(partial_sums, [g, x, k], outputs, first=[vectorize])
    assert found.reasons[-1] == reason
    assert found.after == found.before


@needs_cc
def test_values_of_rows_of_any_length() -> None:
    y, a = T.fmatrix("y"), T.fvector("a")
    f = compiled([y, a], [y.sum(1), (T.sqr(y - 1) * 2 + a).mean(1), y.sum(), y.sum(1, "float64")])
    random = np.random.default_rng(0)
    for length in LENGTHS[1:]:
        for rows in (1, 3, 4, 9):
            at, row = (random.normal(size=s).astype("float32") for s in ((rows, length), length))
            wide = at.astype("float64")
            sums, means, total, exact = f(at, row)
            np.testing.assert_allclose(sums, wide.sum(1), rtol=1e-6, atol=length * 1e-6)
            np.testing.assert_allclose(means, (2 * (wide - 1) ** 2 + row).mean(1), rtol=1e-6)
            np.testing.assert_allclose(total, wide.sum(), rtol=1e-6, atol=at.size * 1e-6)
            np.testing.assert_allclose(exact, wide.sum(1), rtol=1e-13, atol=1e-12)
    assert f(np.zeros((2, 0), "float32"), np.zeros(0, "float32"))[0].tolist() == [0, 0]


@needs_cc
def test_sums_do_not_overflow_where_their_result_does_not() -> None:
    y = T.fmatrix("y")
    f = compiled([y], [y.sum(1), y.mean(1), y.sum()])
    at = np.zeros((5, 130), "float32")
    at[0, 0:128:16], at[0, 8:128:16] = LARGEST, -LARGEST  # the same lane
    at[1, [0, 8, 16]] = LARGEST, LARGEST, -LARGEST
    at[2, [3, 129]] = np.inf, 1
    at[3, 70] = np.nan
    at[4] = 1
    sums, means, total = f(at)
    np.testing.assert_array_equal(sums, np.float32([0, LARGEST, np.inf, np.nan, 130]))
    np.testing.assert_allclose(means[:2], [0, LARGEST / 130], rtol=1e-6)
    assert np.isnan(total)
    full = np.full((1, 640), LARGEST, "float32")
    assert np.isinf(f(full)[0]).all()


@needs_cc
def test_rounding_errors_are_those_of_three_additions() -> None:
    y = T.fvector("y")
    f = compiled([y], y.sum())
    random = np.random.default_rng(1)
    for length in (1000, 10**5, 10**6):
        at = (random.normal(size=length) + 0.5).astype("float32")
        error = abs(float(f(at)) - at.astype("float64").sum())
        assert error <= 4 * 2**-24 * np.abs(at.astype("float64")).sum()
        assert error <= 2 * abs(float(at.sum()) - at.astype("float64").sum()) + 1e-7 * length
