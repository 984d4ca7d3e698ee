"""Reductions over axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from symtheano import dtypes
from tests.conformance.draws import Array, factor, within
from tests.conformance.row import Arg, Row, each

DIMS = ("", "n", "n m")
EXTREME = "biufc"
EVERY = "(0, 1, 2, (0, 1), (0, 2), (1, 2), None)"
TWO = {"n": 2, "m": 2}
MANY: Any = {
    "draw": within(100, 240), "least": {"n": 3000}, "slope": False, "edges": False,
}  # fmt: skip
"""Half precision holds neither the sum of so many numbers nor how many there are."""


def wide(reduce: Callable[[Array], Any]) -> Callable[[Array], Any]:
    """Return a reduction that accumulates as ours do: floats in the next wider dtype."""

    def reduced(x: Array) -> Any:
        dtype = {"float16": "float32", "float32": "float64", "complex64": "complex128"}
        found = np.asarray(reduce(x.astype(dtype.get(x.dtype.name, x.dtype))))
        return found.astype(x.dtype) if x.dtype.name in dtype else found

    return reduced


def spread(measure: Callable[[Array], Any]) -> Callable[[Array], Any]:
    """Return a variance or deviation whose mean is divided before it is rounded."""

    def measured(x: Array) -> Any:
        dtype = {"float16": "float64", "complex64": "complex128"}
        found = np.asarray(measure(x.astype(dtype.get(x.dtype.name, x.dtype))))
        narrow = x.dtype.name in dtype
        return found.astype(dtypes.real_of(x.dtype.name)) if narrow else found

    return measured


def spreads() -> Iterator[Row]:
    """Yield rows of variances and deviations; a deviation of one number has no derivative."""
    for text, dims, options in [
        ("T.var(x)", "", {}),
        ("T.var(x)", "n", {}),
        ("T.var(x)", "n m", {}),
        ("T.var(x, axis=0)", "n m", {}),
        ("T.var(x, axis=(0, 1))", "n m k", {}),
        ("x.var(axis=-1, keepdims=True)", "n m", {}),
        ("T.std(x)", "n m", {"least": TWO}),
        ("x.std(0)", "n m", {"least": TWO}),
        ("T.std(x, axis=1, keepdims=True)", "n m", {"slope": False}),
        ("T.var(x, axis=0, ddof=1)", "n m", {"slope": False}),
        ("T.std(x, 1, ddof=1)", "n m", {"slope": False}),
        ("T.var(x, axis=1, ddof=3, keepdims=True)", "n m", {"slope": False}),
        ("T.var(x, ddof=2)", "n", {"least": {"n": 3}}),
        ("x.std(ddof=1)", "n", {"least": {"n": 3}}),
    ]:
        plain = spread(eval(f"lambda x: {text.replace('T.', 'np.')}", {"np": np}))
        # Not of equal numbers: their variance is zero up to what their mean is rounded by.
        yield from each([text], [dims], plain=plain, draw=within(0, 4), **options)
    for text in ("T.var(x, 0)", "T.std(x, 0)"):
        which: Any = np.var if "var" in text else np.std
        plain = spread(lambda x, which=which: which(x, 0))  # type: ignore[misc]
        yield from each([text], ["n 3"], "f", plain=plain, **MANY)


def floating(x: Array) -> str:
    """Return the dtype in which functions of integers are computed: float32 up to 16 bits."""
    return dtypes.upgrade_to_float(x.dtype.name)


def norm(x: Array, order: Any = 2, axis: Any = None, keepdims: bool = False) -> Array:
    """Return Theano's norm: over all axes by default; sums and extrema keep integer dtypes."""
    lengths = np.abs(x) if order in (0, 1, np.inf, -np.inf) else np.abs(x.astype(floating(x)))
    if order == 0:
        return np.asarray((x != 0).sum(axis, keepdims=keepdims))
    if order in (np.inf, -np.inf):
        return np.asarray((np.max if order > 0 else np.min)(lengths, axis, keepdims=keepdims))
    if order == 1:
        return np.asarray(lengths.sum(axis, keepdims=keepdims))
    powers = np.asarray(lengths.astype("float64") ** order)
    return np.asarray(powers.sum(axis, keepdims=keepdims) ** (1 / order)).astype(lengths.dtype)


def with_acc(ufunc: Any, acc: str, result: Any = None, axis: Any = None) -> Callable[[Array], Any]:
    """Return a reduction with the accumulator and the result of given dtypes."""
    return lambda x: np.asarray(ufunc.reduce(x.astype(acc), axis)).astype(result or x.dtype)


def extremum_and_place(axis: Any = None, keepdims: bool = False) -> Callable[[Array], Any]:
    """Return what ``max_and_argmax`` gives."""
    return lambda x: [
        np.max(x, axis, keepdims=keepdims),
        np.argmax(x, axis, keepdims=keepdims),
    ]


def logsumexp(x: Array, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the logarithm of the sum of exponentials."""
    a = x.astype("longdouble")
    top = np.max(a, axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0)
    found = np.log(np.exp(a - top).sum(axis, keepdims=True)) + top
    every = tuple(range(x.ndim)) if axis is None else axis
    return np.asarray(found if keepdims else found.squeeze(every)).astype(floating(x))


def norms() -> Iterator[Row]:
    """Yield rows of ``norm``, by order."""
    for order, dims in [
        ("0", "n m"), ("1", "n"), ("1", "n m"), ("2", ""), ("2", "n m"), ("3", "n m"),
        ("2.5", "n"), ("0.5", "n"), ("np.inf", "n m"), ("-np.inf", "n"),
    ]:  # fmt: skip
        value = eval(order, {"np": np})
        yield from each(
            [f"T.norm(x, {order})"],
            [dims],
            slope=order != "0",
            plain=lambda x, value=value: norm(x, value),
        )
    for text, options in [
        ("T.norm(x, 1, axis=0)", {"order": 1, "axis": 0}),
        ("T.norm(x, 3, axis=(0, -1), keepdims=True)", {"order": 3, "axis": (0, -1), "keepdims": 1}),
        ("T.norm(x, np.inf, axis=1)", {"order": np.inf, "axis": 1}),
        ("T.norm(x, axis=1, keepdims=True)", {"axis": 1, "keepdims": 1}),
        ("x.norm(2, axis=-1)", {"axis": -1}),
        ("x.norm(2, 0, keepdims=True)", {"axis": 0, "keepdims": 1}),
    ]:
        yield from each([text], ["n m"], plain=lambda x, options=options: norm(x, **options))  # type: ignore[arg-type]


SUMS = ("T.sum(x, axis=0)", "x.sum(1, keepdims=True)")
PRODUCTS = ("T.prod(x, axis=1)", "x.prod(0, keepdims=True)")
EXTREMA = ("T.max(x, axis=0)", "T.min(x, axis=1, keepdims=True)")
PLACES = ("T.argmax(x, axis=0)", "T.argmin(x, axis=-1, keepdims=True)")
TRUTHS = ("T.any(x, axis=0)", "T.all(x, axis=1, keepdims=True)")

ROWS: list[Row] = [
    # Sums and products.
    *each(["T.sum(x)"], DIMS),
    *each(SUMS, ["n m", "n m k"]),
    *each(["T.sum(x, axis=(0, -1))", "x.sum((0, 2), keepdims=True)"], ["n m k"]),
    *each(["T.sum(x, axis=())"], ["n m"]),
    *each([f"[x.sum(a) for a in {EVERY}]"], ["n m k"], "biuFc"),
    *each([f"[x.{name}(a) for a in {EVERY}]" for name in ("max", "min")], ["n m k"], EXTREME),
    *each([f"[x.{name}(a) for a in {EVERY}]" for name in ("any", "all")], ["n m k"], slope=False),
    *each(["T.sum(x, axis=(1, 3))"], ["2 n 3 m"]),
    *each(["T.prod(x)"], DIMS, draw=factor, plain=wide(np.prod)),
    *each(["T.prod(x, axis=1)"], ["n m", "n m k"], draw=factor, plain=wide(lambda x: x.prod(1))),
    *each(
        ["x.prod(0, keepdims=True)"],
        ["n m"],
        draw=factor,
        plain=wide(lambda x: x.prod(0, keepdims=True)),
    ),
    *each(["T.prod(x, axis=(0, 2))"], ["n m k"], draw=factor, plain=wide(lambda x: x.prod((0, 2)))),
    *each(
        ["T.prod(x, 0, no_zeros_in_input=True)"],
        ["n m"],
        draw=factor,
        plain=wide(lambda x: x.prod(0)),
    ),
    # Requested dtypes: the accumulator is as wide as the default result, or as requested.
    *each(["T.sum(x, dtype='float64')"], ["n m"], "biuf"),
    *each(
        ["T.sum(x, 0, dtype='float32')"],
        ["n m"],
        "biuf",
        plain=with_acc(np.add, "float64", "float32", 0),
    ),
    *each(
        ["T.sum(x, 1, dtype='complex128')"],
        ["n m"],
        plain=with_acc(np.add, "complex128", "complex128", 1),
    ),
    *each(["x.sum(dtype='int8')"], ["n"], "biu"),
    *each(["T.prod(x, dtype='int16')"], ["n"], "biu", draw=factor),
    *each(["T.prod(x, 0, dtype='float64')"], ["n m"], "biuf", draw=factor),
    *each(
        ["T.sum(x, 1, acc_dtype='float64')"],
        ["n m"],
        "f",
        plain=with_acc(np.add, "float64", None, 1),
    ),
    *each(
        ["T.sum(x, acc_dtype='float32')"],
        ["n m"],
        "h",
        plain=with_acc(np.add, "float32", "float16", (0, 1)),
    ),
    *each(
        ["T.prod(x, acc_dtype='float64')"],
        ["n"],
        "f",
        draw=factor,
        plain=with_acc(np.multiply, "float64"),
    ),
    # Extrema and where they are.
    *each(["T.max(x)", "T.min(x)"], DIMS, EXTREME),
    *each(EXTREMA, ["n m", "n m k"], EXTREME),
    *each(["x.max(axis=(0, -1))", "x.min((0, 2), keepdims=True)"], ["n m k"], EXTREME),
    *each(["T.max(x, axis=())"], ["n"]),
    *each(["T.argmax(x)", "T.argmin(x)"], DIMS, "biuf"),
    *each(PLACES, ["n m", "n m k"], "biuf"),
    *each(["x.argmax(1)", "x.argmin(0)"], ["n m"], "biuf"),
    *each(["T.argmax(x, keepdims=True)"], ["n m"], "biuf"),
    *each(["T.argmin(x, axis=-1)"], ["n m"], "biuf", draw=within(0, 2), x_edges=False),
    *each(["T.max_and_argmax(x)"], DIMS, "biuf", plain=extremum_and_place()),
    *each(["T.max_and_argmax(x, axis=0)"], ["n m"], "biuf", plain=extremum_and_place(0)),
    *each(
        ["T.max_and_argmax(x, 1, keepdims=True)"],
        ["n m"],
        "biuf",
        plain=extremum_and_place(1, True),
    ),
    *each(["T.ptp(x)"], ["n", "n m"], "iufc"),
    *each(["T.ptp(x, axis=1)"], ["n m"], "iufc"),
    *each(["x.ptp(0)"], ["n m"], "iufc", plain="np.ptp(x, 0)"),
    # Truth.
    *each(["T.any(x)", "T.all(x)"], DIMS, slope=False),
    *each(TRUTHS, ["n m"], slope=False),
    *each(["x.any((0, 2), keepdims=True)", "x.all(axis=(1, -1))"], ["n m k"], slope=False),
    *each(
        ["T.any(x, 0)", "T.all(x, 1)"],
        ["n m"],
        "biuf",
        draw=within(0, 2),
        x_edges=False,
        slope=False,
    ),
    # Means and spreads.
    *each(["T.mean(x)"], DIMS),
    *each(["T.mean(x, axis=0)", "x.mean(1, keepdims=True)"], ["n m", "n m k"]),
    *each(["T.mean(x, axis=(0, -1))"], ["n m k"]),
    *each(["T.mean(x, 0, dtype='float64')"], ["n m"], "biuf"),
    *each(["x.mean(dtype='float32')"], ["n m"], "biuf"),
    *each(["T.mean(x, 1, acc_dtype='float64')"], ["n m"], "F", plain="np.mean(x, 1)"),
    *each(["T.mean(x, 0)"], ["n 3"], "f", **MANY),
    *spreads(),
    *norms(),
    # Exponentials summed.
    *each(["T.logsumexp(x)"], DIMS, "biuf", plain=logsumexp),
    *each(["T.logsumexp(x, axis=0)"], ["n m"], "biuf", plain=lambda x: logsumexp(x, 0)),
    *each(
        ["T.logsumexp(x, (0, -1), keepdims=True)"],
        ["n m k"],
        "biuf",
        plain=lambda x: logsumexp(x, (0, -1), True),
    ),
    *each(
        ["T.logsumexp(x, axis=1)"],
        ["n m"],
        "f",
        draw=within(-2000, 2000),
        plain=lambda x: logsumexp(x, 1),
    ),
    # What reduces over named axes, as ops are made.
    *each(["T.makeKeepDims(x, T.sum(x, 0), 0)"], ["n m"], plain="x.sum(0, keepdims=True)"),
    *each(["T.CAReduce('maximum', (1,), x.dtype, x.dtype)(x)"], ["n m"], EXTREME, plain="x.max(1)"),
    *each(
        ["T.sum(x, 0) + T.max(y, 0)"],
        ["n m"],
        "iufc",
        args={"y": Arg("n m")},
        plain="np.sum(x, 0) + np.max(y, 0)",
    ),
    *each(
        ["[x.max(1, initial=1), T.min(x, 0, keepdims=True, initial=2), T.max(x, initial=0)]"],
        ["n m"],
        "iufc",
        plain="[x.max(1, initial=1), x.min(0, keepdims=True, initial=2), x.max(initial=0)]",
    ),
    *each(
        ["[T.sum(x, 0, initial=2), T.prod(x, axis=1, initial=3)]"],
        ["n m"],
        "iuFc",
        draw=factor,
    ),
]
