"""Statistics: quantiles, weighted means, covariances, without NaN; comparison of arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from symtheano import dtypes
from tests.conformance.draws import Array, positive, within
from tests.conformance.row import Arg, Row, each

FILLED = {"n": 1, "m": 1, "k": 1}
"""Reduced axes are not empty, because NumPy's functions disagree about their results."""


def narrow(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with results in the widest dtype of its floats, as ours are."""

    def narrowed(*values: Array) -> Any:
        names = [value.dtype.name for value in values if value.dtype.name in dtypes.CONTINUOUS]
        found = np.asarray(function(*values))
        if not names or found.dtype.name not in dtypes.CONTINUOUS:
            return found
        dtype = dtypes.upcast(*names)
        complex_ = dtypes.is_complex(found.dtype.name)
        return found.astype(dtypes.complex_of(dtype) if complex_ else dtypes.real_of(dtype))

    return narrowed


def in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of narrow floats computed in double precision, then rounded."""
    wide = {"float16": "float64", "float32": "float64", "complex64": "complex128"}

    def computed(*values: Array) -> Any:
        return function(
            *(value.astype(wide.get(value.dtype.name, value.dtype)) for value in values)
        )

    def rounded(*values: Array) -> Any:
        return narrow(lambda *_: computed(*values))(*values)

    return rounded


def function_of(text: str, *names: str) -> Callable[..., Any]:
    """Return a text as a function of NumPy arrays."""
    found: Callable[..., Any] = eval(
        f"lambda {', '.join(names)}: {text.replace('T.', 'np.')}", {"np": np}
    )
    return found


def quantiles() -> Iterator[Row]:
    """Yield rows of quantiles; those of 64-bit integers are NumPy's of doubles."""
    for text, dims in [
        ("T.quantile(x, 0.3)", "n"),
        ("T.quantile(x, 0.75)", "n m"),
        ("T.quantile(x, 0.5, axis=0)", "n m"),
        ("T.quantile(x, 0.25, axis=(0, -1), keepdims=True)", "n m k"),
        ("T.quantile(x, 0.4, axis=1, method='lower')", "n m"),
        ("T.quantile(x, 0.4, axis=1, method='higher')", "n m"),
        ("T.quantile(x, 0.4, axis=0, method='nearest')", "n m"),
        ("T.quantile(x, 0.4, method='midpoint')", "n m"),
        ("T.percentile(x, 75.0)", "n"),
        ("T.percentile(x, 80.0, axis=1, method='lower', keepdims=True)", "n m"),
        ("T.median(x)", ""),
        ("T.median(x)", "n m"),
        ("T.median(x, axis=0)", "n m"),
        ("T.median(x, axis=(0, 2), keepdims=True)", "n m k"),
    ]:
        plain = as_float(function_of(text, "x"))
        # Between infinities NumPy finds NaN; it has a median of nothing, but no other quantile.
        median = "median" in text
        yield from each([text], [dims], "iuf", plain=plain, x_edges=median, least=FILLED)
    q = {"q": Arg("k", "float64", within(0, 1))}
    for text in ("T.quantile(x, q, axis=0)", "T.quantile(x, q, 1, keepdims=True)"):
        yield from each([text], ["n m"], "iuD", args=q, x_edges=False, least=FILLED)
    q = {"q": Arg("", "float64", within(0, 100))}
    yield from each(["T.percentile(x, q)"], ["n m"], "iuD", args=q, x_edges=False, least=FILLED)


def as_float(function: Callable[[Array], Any]) -> Callable[[Array], Any]:
    """Return a function that gets integers as doubles."""
    return lambda x: function(x.astype("float64") if x.dtype.kind in "iu" else x)


def means() -> Iterator[Row]:
    """Yield rows of weighted means; ours is NaN where the weights' sum is zero, NumPy raises."""
    x, pair = {"x": Arg("n m")}, {"x": Arg("n m"), "w": Arg("n m", draw=positive, edges=False)}
    one = {"x": Arg("n m"), "w": Arg("m", draw=positive, edges=False)}
    rows: list[tuple[str, dict[str, Arg], Callable[..., Any]]] = [
        ("T.average(x)", {"x": Arg("")}, np.average),
        ("T.average(x)", {"x": Arg("n")}, np.average),
        ("T.average(x)", x, np.average),
        ("T.average(x, axis=0)", x, lambda x: np.average(x, 0)),
        (
            "T.average(x, axis=(0, -1), keepdims=True)",
            {"x": Arg("n m k")},
            lambda x: np.average(x, (0, -1), keepdims=True),
        ),
        ("T.average(x, weights=w)", pair, lambda x, w: np.average(x, weights=w)),
        (
            "T.average(x, 1, w, keepdims=True)",
            one,
            lambda x, w: np.average(x, 1, w, keepdims=True),
        ),
    ]
    for text, args, plain in rows:
        yield Row(text, args, plain=in_double(plain), least=FILLED)
    mixed = {"x": Arg("n m", "float64"), "w": one["w"]}
    yield Row("T.average(x, axis=-1, weights=w, returned=True)", mixed, "iuF", least=FILLED)


def covariances() -> Iterator[Row]:
    """Yield rows of covariances; those of narrow floats are narrow."""
    two = {"x": Arg("n m"), "y": Arg("k m")}
    for text, args in [
        ("T.cov(x)", {"x": Arg("n")}),
        ("T.cov(x)", {"x": Arg("n m")}),
        ("T.cov(x, rowvar=False)", {"x": Arg("n m")}),
        ("T.cov(x, bias=True)", {"x": Arg("n m")}),
        ("T.cov(x, ddof=2)", {"x": Arg("n m")}),
        ("T.cov(x, y)", two),
    ]:
        plain = narrow(function_of(text, *args))
        yield Row(text, args, "biuFc", plain=plain, least={"n": 2, "m": 3, "k": 1}, squares=True)
    x, often = Arg("n m", "float64"), Arg("m", "int64", within(1, 4))
    weights = Arg("m", "float64", positive)
    for text, args in [
        ("T.cov(x, fweights=f)", {"x": x, "f": often}),
        ("T.cov(x, aweights=a)", {"x": x, "a": weights}),
        ("T.cov(x, None, True, True, None, f, a)", {"x": x, "f": often, "a": weights}),
        ("T.cov(x, fweights=f, aweights=a, ddof=2)", {"x": x, "f": often, "a": weights}),
    ]:
        yield Row(text, args, "D", least={"n": 2, "m": 4})
    for text, args in [
        ("T.corrcoef(x)", {"x": Arg("n m", draw=within(0, 4))}),
        ("T.corrcoef(x, rowvar=False)", {"x": Arg("n m", draw=within(0, 4))}),
        ("T.corrcoef(x, y)", {name: Arg(arg.dims, draw=within(0, 4)) for name, arg in two.items()}),
    ]:
        plain = narrow(function_of(text, *args))
        least = {"n": 3, "m": 3, "k": 1}
        yield Row(text, args, "Fc", plain=plain, edges=False, least=least)


def without_nan() -> Iterator[Row]:
    """Yield rows of reductions that pass over NaN."""
    for text, dims in [
        ("T.nansum(x)", "n m"),
        ("T.nansum(x, axis=0)", "n m"),
        ("T.nansum(x, (0, 2), keepdims=True)", "n m k"),
        ("T.nanmean(x)", "n m"),
        ("T.nanmean(x, 1, keepdims=True)", "n m"),
        ("T.nanvar(x)", "n m"),
        ("T.nanvar(x, axis=0)", "n m"),
        ("T.nanvar(x, axis=1, ddof=1, keepdims=True)", "n m"),
        ("T.nanstd(x, 0)", "n m"),
    ]:
        smooth = "std" not in text and "ddof" not in text  # as one number's spread is not
        yield from each([text], [dims], draw=within(0, 4), slope=smooth)
    for text, dims in [
        ("T.nanprod(x)", "n"),
        ("T.nanprod(x, axis=1, keepdims=True)", "n m"),
        ("T.nanmax(x)", "n m"),
        ("T.nanmax(x, axis=0)", "n m"),
        ("T.nanmin(x, 1, keepdims=True)", "n m"),
        ("T.nanmin(x, axis=(0, -1))", "n m k"),
    ]:
        yield from each([text], [dims], draw=positive)
    yield from each(
        ["T.nansum(x, dtype='float64')", "T.nanmean(x, dtype='float64')"], ["n"], "biuf"
    )


def numbers_for_nan() -> Iterator[Row]:
    """Yield rows of replacements of NaN."""
    yield from each(["T.nan_to_num(x)"], ["", "n", "n m"])
    yield from each(["T.nan_to_num(x, nan=0.5, posinf=8, neginf=-8)"], ["n m"])
    yield from each(["T.nan_to_num(x, False, nan=2)"], ["n"], plain="np.nan_to_num(x, nan=2)")


def compared() -> Iterator[Row]:
    """Yield rows of comparisons up to rounding, and of several arrays."""
    for text in (
        "T.isclose(x, y)",
        "T.isclose(x, y, rtol=0.5, atol=0.25)",
        "T.isclose(x, y, 0.3, 1.3, equal_nan=True)",
        "T.allclose(x, y)",
        "T.allclose(x, y, rtol=4, atol=8, equal_nan=True)",
    ):
        for args in ({"x": Arg("n m"), "y": Arg("n m")}, {"x": Arg("n"), "y": Arg("")}):
            yield Row(text, args, slope=False)
    yield from each(["T.isclose(x, x, equal_nan=True)", "T.allclose(x, x)"], ["n"], slope=False)
    three = {"x": Arg("n m"), "y": Arg("m"), "z": Arg("")}
    yield Row("T.smallest(x, y, z)", three, plain="np.minimum(np.minimum(x, y), z)")
    yield Row("T.largest(x, y, z)", three, plain="np.maximum(np.maximum(x, y), z)")
    yield Row("T.largest(x)", {"x": Arg("n")}, plain="x")
    half = "np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x)"
    for text in ("T.round(x)", "x.round()", "T.round(x, mode='half_to_even')"):
        yield from each([text], ["n"], "iuf", plain="np.round(x)", slope=False)
    for text in ("T.round(x, mode='half_away_from_zero')", "x.round('half_away_from_zero')"):
        yield from each([text], ["n"], "f", plain=half, slope=False)
    pair = {"x": Arg("n"), "y": Arg("n")}
    yield Row("T.ceil_intdiv(x, y)", pair, "iu", plain="x // y + (x % y != 0)")
    yield Row("T.divmod(x, y)", pair, "iuf", slope=False)


ROWS: list[Row] = [
    *quantiles(),
    *means(),
    *covariances(),
    *without_nan(),
    *numbers_for_nan(),
    *compared(),
]
