"""Quantiles, averages, covariances, and statistics of what is not NaN."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import BoundsError
from symtheano.tensor.statistics import (
    METHODS,
    average,
    corrcoef,
    cov,
    median,
    nan_to_num,
    nanmax,
    nanmean,
    nanmin,
    nanprod,
    nanstd,
    nansum,
    nanvar,
    percentile,
    quantile,
)
from symtheano.verify import verify_grad, verify_rop
from tests.support.compare import Array, check, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc

AXES: list[Any] = [None, 0, 1, -1, (0, 2)]


# -- order -----------------------------------------------------------------------------------------


def test_medians_and_quantiles() -> None:
    x, q, p = T.tensor3("x"), T.vector("q"), T.scalar("p")
    outputs = [median(x, axis) for axis in AXES] + [quantile(x, p, axis) for axis in AXES]
    outputs += [quantile(x, q, axis) for axis in AXES]
    outputs += [quantile(x, p, 1, method) for method in METHODS]
    outputs += [percentile(x, q * 100, 1), percentile(x, 50), median(x, 1, keepdims=True)]
    outputs += [quantile(x, q, (0, 2), keepdims=True)]

    def reference(x: Array, q: Array, p: Array) -> list[Array]:
        found = [np.median(x, axis) for axis in AXES] + [np.quantile(x, p, axis) for axis in AXES]
        found += [np.quantile(x, q, axis) for axis in AXES]
        found += [np.quantile(x, p, 1, method=method) for method in METHODS]
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
    with pytest.raises(TypeError, match="bool has no quantiles"):
        median(T.vector("b", "bool"))
    with pytest.raises(ValueError, match="method 'best'"):
        quantile(x, 0.5, method="best")
    with pytest.raises(ValueError, match="q is a number or a vector"):
        quantile(x, [[0.5]])
    v, p = T.vector("v"), T.scalar("p")
    for h in (compiled([v, p], quantile(v, p)), oracle([v, p], quantile(v, p))):
        for wrong in (-0.1, 1.1):
            found = outcome(h, [np.ones(3), np.array(wrong)])
            assert found == (ValueError, "quantile: q is not between 0 and 1")
        assert outcome(h, [np.ones(0), np.array(0.5)])[0] is BoundsError


def test_gradients_of_quantiles() -> None:
    point = np.random.default_rng(2).permutation(12).reshape(3, 4) / 3.0
    verify_grad(lambda x: median(x, 1), [point])
    verify_grad(lambda x, q: quantile(x, q, 0) ** 2, [point, np.array([0.2, 0.6])])
    verify_rop(lambda x: quantile(x, 0.3, 1), [point])


# -- means -----------------------------------------------------------------------------------------


def test_averages() -> None:
    x, w, v = T.matrix("x"), T.matrix("w"), T.vector("v")
    outputs = [
        average(x), average(x, 0), average(x, weights=w), average(x, 1, w), average(x, 0, v),
        *average(x, 0, v, returned=True), average(x, 1, w, keepdims=True), average([1, 2, 4]),
        *average(x, 1, returned=True),
    ]  # fmt: skip

    def reference(x: Array, w: Array, v: Array) -> list[Any]:
        both, plain = np.average(x, 0, v, returned=True), np.average(x, 1, returned=True)
        return [
            np.average(x), np.average(x, 0), np.average(x, weights=w), np.average(x, 1, w),
            np.average(x, 0, v), *both, np.average(x, 1, w, keepdims=True), np.average([1, 2, 4]),
            *plain,
        ]  # fmt: skip

    random = np.random.default_rng(3)
    calls = [[random.uniform(0.5, 1, s) for s in ((n, 3), (n, 3), n)] for n in (1, 4)]
    check([x, w, v], outputs, calls, reference, kind="statistics")
    with pytest.raises(TypeError, match="a vector of weights lies along one axis"):
        average(x, weights=v)
    with pytest.raises(TypeError, match="the weights have another shape"):
        average(x, weights=T.tensor3("t"))
    verify_grad(lambda x, v: average(x, 0, v), [calls[1][0], calls[1][2]])


def test_covariances() -> None:
    x, y, f, a = T.matrix("x"), T.matrix("y"), T.ivector("f"), T.vector("a")
    z = T.zmatrix("z")
    options: list[dict[str, Any]] = [
        {}, {"bias": True}, {"ddof": 0}, {"ddof": 2}, {"rowvar": False},
    ]  # fmt: skip
    outputs = [cov(x, **kwargs) for kwargs in options]
    outputs += [cov(x, y), cov(x[0]), cov(x[0], x[1]), corrcoef(x), corrcoef(x, y), corrcoef(x[0])]
    outputs += [cov(x, fweights=f), cov(x, aweights=a), cov(x, fweights=f, aweights=a), cov(z)]
    outputs += [cov(x, y, False, aweights=a[:3])]

    def reference(x: Array, y: Array, f: Array, a: Array, z: Array) -> list[Any]:
        found = [np.cov(x, **kwargs) for kwargs in options]
        found += [np.cov(x, y), np.cov(x[0]), np.cov(x[0], x[1])]
        found += [np.corrcoef(x), np.corrcoef(x, y), np.corrcoef(x[0])]
        found += [np.cov(x, fweights=f), np.cov(x, aweights=a)]
        found += [np.cov(x, fweights=f, aweights=a), np.cov(z)]
        return [*found, np.cov(x, y, False, aweights=a[:3])]

    random = np.random.default_rng(4)
    args = [random.uniform(-1, 1, (3, 5)) for _ in "xy"]
    args += [random.integers(1, 4, 5).astype("i4"), random.uniform(0.5, 1, 5)]
    args.append(random.uniform(-1, 1, (2, 4)) + 1j * random.uniform(-1, 1, (2, 4)))
    check([x, y, f, a, z], outputs, [args], reference, kind="statistics")
    verify_grad(cov, args[:1])
    verify_grad(lambda x, y: corrcoef(x, y)[0, 3], args[:2])
    with pytest.raises(ValueError, match="3 dims where a matrix is needed"):
        cov(T.tensor3("t"))
    with pytest.raises(ValueError, match=r"ddof=0\.5 is not an integer"):
        cov(x, ddof=0.5)
    with pytest.raises(ValueError, match="weights are vectors"):
        cov(x, aweights=y)


# -- without NaN -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_statistics_of_what_is_not_nan(dtype: str) -> None:
    x = T.matrix("x", dtype)
    pairs: list[tuple[Any, Any]] = [
        (nansum, np.nansum), (nanprod, np.nanprod), (nanmax, np.nanmax), (nanmin, np.nanmin),
        (nanmean, np.nanmean), (nanvar, np.nanvar), (nanstd, np.nanstd),
    ]  # fmt: skip
    outputs = [mine(x, axis) for mine, _ in pairs for axis in (None, 0, 1)]
    outputs += [mine(x, 0, keepdims=True) for mine, _ in pairs]

    def reference(x: Array) -> list[Array]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wide = x.astype("f8") if x.dtype == "f4" else x
            found = [its(wide, axis) for _, its in pairs for axis in (None, 0, 1)]
            found += [its(wide, 0, keepdims=True) for _, its in pairs]
        return [np.asarray(f, o.dtype) for f, o in zip(found, outputs, strict=True)]

    holes = np.array([[1, np.nan, 3, np.nan], [np.nan, 2, -2, np.nan]])
    values = [holes, np.full((2, 2), np.nan), np.ones((2, 3))]
    if dtype == "int16":
        values = [np.array([[3, -1], [2, 2]])]
    calls = [[value.astype(dtype)] for value in values]
    check([x], outputs, calls, reference, kind="statistics")


def test_numbers_for_nan() -> None:
    x, z, n = T.vector("x", "float32"), T.zvector("z"), T.ivector("n")
    outputs = [
        nan_to_num(x), nan_to_num(x, nan=7.0, posinf=8.0, neginf=-9.0), nan_to_num(z), nan_to_num(n)
    ]  # fmt: skip

    def reference(x: Array, z: Array, n: Array) -> list[Array]:
        changed = np.nan_to_num(x, nan=7.0, posinf=8.0, neginf=-9.0)
        return [np.nan_to_num(x), changed, np.nan_to_num(z), n]

    special = np.array([np.nan, np.inf, -np.inf, 1.5, -0.0])
    pairs = zip(special, special[::-1], strict=True)
    args = [special.astype("f4"), np.array([complex(*pair) for pair in pairs]), np.arange(3)]
    args[2] = args[2].astype("i4")
    check([x, z, n], outputs, [args], reference, kind="statistics")
    verify_grad(lambda x: nan_to_num(x) * nansum(x * 2), [np.array([1.0, 2.0])])
    verify_grad(lambda x: nanvar(x), [np.array([1.0, 2.0, 4.0])])
