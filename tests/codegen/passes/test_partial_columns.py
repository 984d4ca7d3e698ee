"""Partial columns: rows that run together are added in float32, and their sum in float64."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.jam import jam
from symtheano.codegen.passes.partial_columns import partial_columns
from tests.codegen.passes.change import Change, Golden, change
from tests.codegen.passes.kernels import g, x
from tests.support.compare import compiled

needs_cc = pytest.mark.needs_cc
LARGEST = np.finfo("float32").max
NOT = "not, no rows run together that add float32 elements to zeros"


def changed(*outputs: object) -> Change:
    return change(partial_columns, [g, x], [*outputs], first=[jam])


def test_sums_of_columns(golden: Golden) -> None:
    golden(changed(g.sum(0)).text, "passes/partial_columns.txt")


def test_several_sums() -> None:
    found = changed(g.sum(0), T.sqr(g - 1).sum(0))
    assert found.reasons == ("i_2: 4 rows are added in float32 first",)


@pytest.mark.parametrize(
    "outputs",
    [
        [x.sum(0)],
        [g.sum(0, dtype="float64")],
        [g.max(0)],
        [g.sum(0), g.max(0)],
        [g.sum(0), T.cast(g, "float64").sum(0)],
        [g.sum(1)],
    ],
)
def test_what_is_added_in_float64(outputs: list[T.TensorVariable]) -> None:
    changed(*outputs).assert_refused(NOT)


@needs_cc
def test_values_of_any_number_of_rows() -> None:
    y = T.fmatrix("y")
    f = compiled([y], [y.sum(0), T.sqr(y - 1).mean(0), y.sum(0, "float64")])
    random = np.random.default_rng(0)
    for rows in (1, 3, 4, 5, 8, 100, 701):
        for columns in (1, 7, 16, 70):
            at = random.normal(size=(rows, columns)).astype("float32")
            wide = at.astype("float64")
            sums, means, exact = f(at)
            np.testing.assert_allclose(sums, wide.sum(0), rtol=1e-6, atol=rows * 1e-6)
            np.testing.assert_allclose(means, ((wide - 1) ** 2).mean(0), rtol=1e-6)
            np.testing.assert_allclose(exact, wide.sum(0), rtol=1e-13, atol=1e-12)
    assert f(np.zeros((0, 2), "float32"))[0].tolist() == [0, 0]
    assert f(np.zeros((5, 0), "float32"))[0].tolist() == []


@needs_cc
def test_sums_do_not_overflow_where_their_result_does_not() -> None:
    y = T.fmatrix("y")
    f = compiled([y], [y.sum(0), y.mean(0)])
    at = np.zeros((700, 5), "float32")
    at[::8, 0], at[1::8, 0] = LARGEST, -LARGEST
    at[:3, 1] = LARGEST, LARGEST, -LARGEST
    at[5, 2], at[6, 3] = np.inf, np.nan
    at[:, 4] = 1
    sums, means = f(at)
    np.testing.assert_array_equal(sums, np.float32([0, LARGEST, np.inf, np.nan, 700]))
    np.testing.assert_allclose(means[:2], [0, LARGEST / 700], rtol=1e-6)
    assert np.isinf(f(np.full((64, 3), LARGEST, "float32"))[0]).all()
