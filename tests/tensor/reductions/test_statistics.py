"""Averages, covariances, and statistics without NaN."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.reductions.statistics import (
    average,
    corrcoef,
    cov,
    nan_to_num,
    nanargmax,
    nanargmin,
    nancumprod,
    nancumsum,
    nanmax,
    nanmean,
    nanmin,
    nanprod,
    nanstd,
    nansum,
    nanvar,
)
from tests.support.compare import Array, check, compiled, oracle, outcome
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc

AXES: list[Any] = [None, 0, 1, -1, (0, 2)]


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
    with pytest.raises(TypeError, match="weights of 1 dims must have"):
        average(x, weights=v)
    with pytest.raises(TypeError, match="weights of 3 dims must have"):
        average(x, weights=T.tensor3("t"))
    value = random.uniform(0.5, 1, (2, 3, 4))
    for axes in ((0, 2), (2, 0), (-1, 1)):
        weights = random.uniform(0.5, 1, [value.shape[axis] for axis in axes])
        got = average(value, axes, weights).eval()
        np.testing.assert_allclose(got, np.average(value, axes, weights))
    check_derivatives([(lambda x, v: average(x, 0, v), [calls[1][0], calls[1][2]])])


def test_covariances() -> None:
    x, y, f, a = T.matrix("x"), T.matrix("y"), T.ivector("f"), T.vector("a")
    z = T.zmatrix("z")
    options: list[dict[str, Any]] = [
        {}, {"bias": True}, {"ddof": 0}, {"ddof": 2}, {"rowvar": False},
    ]  # fmt: skip
    outputs = [cov(x, **kwargs) for kwargs in options]
    outputs += [cov(x, y), cov(x[0]), cov(x[0], x[1]), corrcoef(x), corrcoef(x, y), corrcoef(x[0])]
    outputs += [cov(x, fweights=f), cov(x, aweights=a), cov(x, fweights=f, aweights=a), cov(z)]
    outputs += [cov(x, y, False, aweights=a[:3]), cov(x, dtype="float32"), corrcoef(x, dtype="c16")]

    def reference(x: Array, y: Array, f: Array, a: Array, z: Array) -> list[Any]:
        found = [np.cov(x, **kwargs) for kwargs in options]
        found += [np.cov(x, y), np.cov(x[0]), np.cov(x[0], x[1])]
        found += [np.corrcoef(x), np.corrcoef(x, y), np.corrcoef(x[0])]
        found += [np.cov(x, fweights=f), np.cov(x, aweights=a)]
        found += [np.cov(x, fweights=f, aweights=a), np.cov(z)]
        found += [np.cov(x, y, False, aweights=a[:3]), np.cov(x, dtype="float32")]
        return [*found, np.corrcoef(x, dtype="c16")]

    random = np.random.default_rng(4)
    args = [random.uniform(-1, 1, (3, 5)) for _ in "xy"]
    args += [random.integers(1, 4, 5).astype("i4"), random.uniform(0.5, 1, 5)]
    args.append(random.uniform(-1, 1, (2, 4)) + 1j * random.uniform(-1, 1, (2, 4)))
    check([x, y, f, a, z], outputs, [args], reference, kind="statistics")
    check_derivatives([(cov, args[:1]), (lambda x, y: corrcoef(x, y)[0, 3], args[:2])])
    with pytest.raises(ValueError, match="a vector or a matrix, not 3 dims"):
        cov(T.tensor3("t"))
    with pytest.raises(ValueError, match=r"ddof=0\.5 is not an integer"):
        cov(x, ddof=0.5)
    with pytest.raises(ValueError, match="weights must be vectors"):
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


def test_positions_and_running_totals_of_what_is_not_nan() -> None:
    x, n = T.matrix("x"), T.lmatrix("n")
    outputs = [f(x, axis) for f in (nanargmax, nanargmin) for axis in (None, 0, 1)]
    outputs += [nanargmax(x, 0, keepdims=True), nanargmin(n, 1), nancumsum(n, 0), nancumprod(n)]
    outputs += [f(x, axis) for f in (nancumsum, nancumprod) for axis in (None, 0, 1)]
    outputs += [nancumsum(x, 1, "float32"), nanvar(x, 1, dtype="float32"), nanstd(n, 0, 1)]

    def reference(x: Array, n: Array) -> list[Any]:
        found = [f(x, axis) for f in (np.nanargmax, np.nanargmin) for axis in (None, 0, 1)]
        found += [np.nanargmax(x, 0, keepdims=True), np.nanargmin(n, 1), np.nancumsum(n, 0)]
        found += [np.nancumprod(n)]
        found += [f(x, axis) for f in (np.nancumsum, np.nancumprod) for axis in (None, 0, 1)]
        found += [np.nancumsum(x, 1, "float32"), np.nanvar(x, 1, "float32")]
        return [*found, np.nanstd(n, 0, ddof=1)]

    random = np.random.default_rng(12)
    holes = np.where(np.eye(3, 4), np.nan, random.normal(size=(3, 4)))
    numbers = random.integers(-5, 5, (3, 4))
    calls = [[values, numbers] for values in (np.abs(holes), holes, np.nan_to_num(holes))]
    check([x, n], outputs, calls, reference, kind="statistics", tolerance=1e-6)
    for h in (compiled([x], nanargmax(x, 1)), oracle([x], nanargmax(x, 1))):
        found = outcome(h, [np.array([[1.0], [np.nan]])])
        assert found == (ValueError, "nanargmax: there are only NaN")
    for wrong in (lambda: nanvar(x, dtype="int64"), lambda: cov(T.zmatrix("z"), dtype="float64")):
        with pytest.raises(TypeError, match="can't hold the result"):
            wrong()


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
    point = np.array([1.0, 2.0, 4.0])
    check_derivatives([(lambda x: nan_to_num(x) * nansum(x * 2), [point]), (nanvar, [point])])
