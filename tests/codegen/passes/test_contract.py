"""Contract: products that only a lane's sum takes are multiplied and added at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.accumulators import accumulators
from symtheano.codegen.passes.contract import contract
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.loopir import Kernel, Let
from symtheano.loopir.names import walk
from tests.codegen.passes.change import change
from tests.codegen.passes.kernels import k, v, x, y
from tests.support.compare import compiled

BEFORE = [vectorize, accumulators]


def ops(kernel: Kernel) -> list[str]:
    return [s.op for s in walk(kernel.body) if isinstance(s, Let)]


@pytest.mark.parametrize("term", [T.sqr(x), x * y, T.exp(x) * y, T.sqr(x - y)])
def test_products_are_added_as_they_are_computed(term: Any) -> None:
    found = change(contract, [x, y], term.sum(), first=BEFORE)
    assert ops(found.after).count("plus_product") == 1
    assert found.reasons == ("j_lane_2: 1 products are added as they are computed",)


def test_each_sum_for_itself() -> None:
    found = change(contract, [v], [T.sqr(v).sum(), v.sum(), (T.exp(v) * v).sum()], first=BEFORE)
    assert ops(found.after).count("plus_product") == 2


@pytest.mark.parametrize(
    "result",
    [
        x.sum(),
        T.sqr(x).max(),
        T.exp(T.sqr(x)).sum(),  # the product is no term
        [(x * y).sum(), T.exp(x * y).sum()],  # something else uses it
        T.sqr(T.cast(x, "float32")).sum(),  # rounded to float32 before it is added
        T.sqr(k).sum(),
    ],
)
def test_other_sums(result: Any) -> None:
    reason = "not, no sum in lanes takes products that nothing else uses"
    change(contract, [x, y, k], result, first=BEFORE).assert_refused(reason)


@pytest.mark.needs_cc
def test_elements_are_rounded_as_by_numpy() -> None:
    f = function([x, y], x * x + y)
    a, b = (np.random.default_rng(seed).standard_normal((7, 33)) for seed in (1, 2))
    np.testing.assert_array_equal(f(a, b), a * a + b)


@pytest.mark.needs_cc
@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 64, 1001])
def test_values(length: int) -> None:
    a, b = (np.random.default_rng(seed).standard_normal(length) for seed in (1, 2))
    w = T.dvector("w")
    f = compiled([v, w], [(v * w).sum(), T.sqr(v - w).sum()])
    exact = math.fsum(a * b), math.fsum((a - b) ** 2)
    np.testing.assert_allclose(f(a, b), exact, rtol=1e-14, atol=1e-14)
    for special, value in ((np.inf, np.inf), (np.nan, np.nan), (1e200, np.inf)):
        np.testing.assert_array_equal(f(np.full(9, special), np.ones(9))[1], value)
