"""Quantiles and medians, with and without NaN."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.errors import BoundsError
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor.reductions.statistics import median, percentile, quantile
from symtheano.tensor.sorting.quantiles import METHODS, nanmedian, nanpercentile, nanquantile
from tests.support.compare import Array, assert_same, check, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc

AXES: list[Any] = [None, 0, 1, -1, (0, 2)]
SOME = ("lower", "higher", "midpoint", "nearest", "weibull")


def test_medians_and_quantiles() -> None:
    x, q, p = T.tensor3("x"), T.vector("q"), T.scalar("p")
    outputs = [median(x, axis) for axis in AXES] + [quantile(x, p, axis) for axis in AXES]
    outputs += [quantile(x, q, axis) for axis in AXES]
    outputs += [quantile(x, p, 1, method) for method in SOME]
    outputs += [percentile(x, q * 100, 1), percentile(x, 50), median(x, 1, keepdims=True)]
    outputs += [quantile(x, q, (0, 2), keepdims=True)]

    def reference(x: Array, q: Array, p: Array) -> list[Array]:
        found = [np.median(x, axis) for axis in AXES] + [np.quantile(x, p, axis) for axis in AXES]
        found += [np.quantile(x, q, axis) for axis in AXES]
        found += [np.quantile(x, p, 1, method=method) for method in SOME]
        found += [np.percentile(x, q * 100, 1), np.percentile(x, 50)]
        return [
            *found, np.median(x, 1, keepdims=True), np.quantile(x, q, (0, 2), keepdims=True)
        ]  # fmt: skip

    random = np.random.default_rng(1)
    calls = [
        [random.uniform(-1, 1, shape), np.array([0, 0.25, 0.7, 1]), np.array(0.4)]
        for shape in ((2, 3, 4), (1, 1, 1), (2, 5, 1))
    ]
    holes = random.uniform(-1, 1, (2, 3, 4))
    holes[0, 1, 2] = np.nan
    calls.append([holes, np.array([0.5]), np.array(1.0)])
    check([x, q, p], outputs, calls, reference, kind="statistics")


def test_quantiles_of_other_dtypes() -> None:
    x, f = T.lvector("x"), T.fvector("f")
    values = [np.array([5, 1, 4, 2]), np.array([1, 7, 3], "f4")]

    def reference(x: Array, f: Array) -> list[Array]:
        found = [np.median(x), np.quantile(x, 0.3), np.median(f).astype("f4")]
        return [np.asarray(item) for item in found]

    outputs = [median(x), quantile(x, np.float64(0.3)), median(f)]
    check([x, f], outputs, [values], reference, kind="statistics")
    with pytest.raises(TypeError, match="quantiles of bool are not supported"):
        median(T.vector("b", "bool"))
    with pytest.raises(ValueError, match="method 'best'"):
        quantile(x, 0.5, method="best")
    v, p = T.vector("v"), T.scalar("p")
    for h in (compiled([v, p], quantile(v, p)), oracle([v, p], quantile(v, p))):
        for wrong in (-0.1, 1.1):
            found = outcome(h, [np.ones(3), np.array(wrong)])
            assert found == (ValueError, "quantile: q is not between 0 and 1")
        assert outcome(h, [np.ones(0), np.array(0.5)])[0] is BoundsError


def test_quantiles_of_what_is_not_nan_by_every_method() -> None:
    x, q, m, p = T.tensor3("x"), T.vector("q"), T.matrix("m"), T.scalar("p")
    cases = [(method, axis) for method in METHODS for axis in (None, 1, (0, 2))]
    outputs = [nanquantile(x, q, axis, method) for method, axis in cases]
    outputs += [quantile(x, m, axis, method, keepdims=True) for method, axis in cases]
    outputs += [nanquantile(x, m, 1), nanmedian(x), nanmedian(x, 1, keepdims=True)]
    outputs += [nanmedian(x, (0, 2)), nanpercentile(x, p * 100, 0)]

    def reference(x: Array, q: Array, m: Array, p: Array) -> list[Array]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            found = [np.nanquantile(x, q, axis, method=method) for method, axis in cases]  # type: ignore[call-overload]
            found += [
                np.quantile(x, m, axis, method=method, keepdims=True)  # type: ignore[call-overload]
                for method, axis in cases
            ]
            found += [np.nanquantile(x, m, 1), np.nanmedian(x), np.nanmedian(x, 1, keepdims=True)]
            return [*found, np.nanmedian(x, (0, 2)), np.nanpercentile(x, p * 100, 0)]

    random = np.random.default_rng(11)
    shares, table = np.array([0, 0.25, 0.3, 0.5, 1]), np.array([[0.1, 0.5, 0.75], [0.6, 1, 0]])
    f = oracle([x, q, m, p], outputs)
    for holes in range(3):
        value = random.normal(size=(2, 5, 3))
        value[0, holes : 2 * holes, 0] = value[: holes // 2] = np.nan
        args = [value, shares, table, np.array(0.4)]
        for got, want in zip(f(*args), reference(*args), strict=True):
            assert_same(got, np.asarray(want))
    some = [nanquantile(x, q, 1, "hazen"), nanmedian(x, (0, 2)), quantile(x, m, 0, "inverted_cdf")]

    def expected(x: Array, q: Array, m: Array) -> list[Array]:
        return [
            np.nanquantile(x, q, 1, method="hazen"), np.nanmedian(x, (0, 2)),
            np.quantile(x, m, 0, method="inverted_cdf"),
        ]  # fmt: skip

    value[...] = np.nan_to_num(value)
    value[0, 1, 2] = np.nan
    check([x, q, m], some, [[value, shares, table]], expected, kind="statistics")
    assert np.isnan(nanmedian(np.full(3, np.nan)).eval())


def test_gradients_of_quantiles() -> None:
    point = np.random.default_rng(2).permutation(12).reshape(3, 4) / 3.0
    verify_grad(lambda x: median(x, 1), [point])
    verify_grad(lambda x, q: quantile(x, q, 0) ** 2, [point, np.array([0.2, 0.6])])
    verify_rop(lambda x: quantile(x, 0.3, 1), [point], mode="INTERPRET")
    for method in ("hazen", "averaged_inverted_cdf", "closest_observation"):
        verify_grad(
            lambda x, method=method: nanquantile(x, 0.3, 1, method), [point], mode="INTERPRET"
        )
    holed = point.copy()
    holed[0, 2] = np.nan
    x = T.matrix("x")
    slope = oracle([x], grad(nanmedian(x, 1).sum(), x))(holed)
    middle = holed == np.nanmedian(holed, 1)[:, None]
    np.testing.assert_array_equal(slope[0], middle[0])
