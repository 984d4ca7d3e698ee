"""Row functions: functions of what rows reduce to are computed for several rows at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.codegen.passes.row_functions import row_functions
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x
from tests.support.compare import compiled, oracle

g = T.fmatrix("g")


def score(a: Any) -> Any:
    """Return rows, multiplied by functions of their sums."""
    total = a.sum(1)
    return a * (T.nnet.softplus(total) * T.tanh(total))[:, None]


def test_a_loop_over_rows_is_distributed(golden: Golden) -> None:
    golden(change(row_functions, [x], score(x)).text, "passes/row_functions.txt")


def test_how_many_calls() -> None:
    (reason,) = change(row_functions, [x], score(x)).reasons
    assert reason == "i: 2 calls of functions for 16 rows at once"
    found = change(row_functions, [x], x * T.exp(x.sum(1))[:, None])
    found.assert_refused("i: not, rows need 1 calls of functions, at least 2")


def test_long_rows_are_read_from_the_cache() -> None:
    wide = T.TensorType("float64", (None, 5000))("wide")
    found = change(row_functions, [wide], score(wide))
    found.assert_refused("i: not, rows of 5000 elements are read twice")
    few = T.TensorType("float64", (3, None))("few")
    change(row_functions, [few], score(few)).assert_refused("i: not, there are only 3 rows")


def test_elements_have_vectors_anyway() -> None:
    found = change(row_functions, [x], T.exp(x) * T.tanh(x))
    found.assert_refused("not, no loop computes functions of what rows reduce to")


def test_products_of_rows_and_columns() -> None:
    (reason,) = change(row_functions, [x, v], weighted(x * v)).reasons
    assert reason == "i: 4 calls of functions for 16 rows at once"


def weighted(a: Any) -> list[Any]:
    return [score(a), T.exp(-a.sum(1)) + T.nnet.sigmoid(a.sum(1))]


def with_maximum(a: Any) -> list[Any]:
    top = a.max(1, keepdims=True)
    total = T.exp(a - top).sum(1, keepdims=True)
    return [a - top - T.log(total) * T.tanh(total), (T.log(total) + T.exp(top)).sum()]


def gradients(a: Any) -> list[Any]:
    cost = (T.nnet.softplus(a.sum(1)) * T.nnet.sigmoid((a * 2).sum(1))).sum()
    return [cost, grad(cost, a)]


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("expression", [weighted, with_maximum, gradients])
def test_values(expression: Callable[[Any], list[Any]], dtype: str) -> None:
    a = T.TensorType(dtype, (None, None))("a")
    f, slow = compiled([a], expression(a)), oracle([a], expression(a))
    rng = np.random.default_rng(0)
    tolerance = 2e-5 if dtype == "float32" else 1e-12
    for shape in ((0, 20), (3, 0), (1, 17), (16, 20), (37, 33), (5, 1100)):
        value = (rng.normal(size=shape) / (1 + shape[1])).astype(dtype)
        if expression is with_maximum and 0 in shape:
            continue  # there is no largest element
        if value.size > 100:
            value[1, 3] = np.nan
            value[2, 3] = np.inf
            value[3, 3] = -np.inf
        with np.errstate(all="ignore"):
            expected = slow(value)
        for mine, other in zip(f(value), expected, strict=True):
            np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance)


@pytest.mark.needs_cc
def test_rows_that_indices_select() -> None:
    table, other, w = T.fmatrix("table"), T.lmatrix("other"), T.fmatrix("w")
    score_of = (table[other] * w[:, None]).sum(2)
    cost = T.nnet.softplus(score_of).sum(1).mean()
    outputs = [cost, *grad(cost, [table, w])]
    f, slow = compiled([table, other, w], outputs), oracle([table, other, w], outputs)
    rng = np.random.default_rng(1)
    for width, count in ((20, 5), (64, 33), (1030, 3)):
        values = (
            rng.normal(size=(50, width)).astype("f4"),
            rng.integers(-50, 50, (7, count)),
            rng.normal(size=(7, width)).astype("f4") / width,
        )
        for mine, expected in zip(f(*values), slow(*values), strict=True):
            np.testing.assert_allclose(mine, expected, rtol=2e-4, atol=2e-5)


@pytest.mark.needs_cc
def test_numbers_of_a_row_that_all_parts_need() -> None:
    a, w, k = T.dmatrix("a"), T.dvector("w"), T.lvector("k")
    total = (a * 2).sum(1)
    factor = T.nnet.softplus(total + w) * T.tanh(total * k) * w * k
    outputs = [(a + w[:, None] + k[:, None]) * factor[:, None]]
    f, slow = compiled([a, w, k], outputs), oracle([a, w, k], outputs)
    rng = np.random.default_rng(2)
    values = rng.normal(size=(37, 30)) / 30, rng.normal(size=37), rng.integers(1, 9, 37)
    np.testing.assert_allclose(f(*values)[0], slow(*values)[0], rtol=1e-12, atol=1e-12)
