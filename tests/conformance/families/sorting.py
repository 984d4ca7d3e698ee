"""Sorting, the largest items, distinct items, counting and looking up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from symtheano import dtypes
from tests.conformance.draws import Array, ascending, number, size, within
from tests.conformance.row import Arg, Row, each

FEW = within(0, 3)
"""Numbers among which some are equal."""


def topk(x: Array, k: Any, axis: int | None = -1) -> list[Array]:
    """Return the largest items, the largest first, and where they are; of equals the last ones."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    k = int(k)
    if k == 0 or abs(k) > x.shape[axis]:
        raise ValueError("there are not so many items")
    order = np.argsort(x, axis, kind="stable")
    order = np.flip(order, axis) if k > 0 else order
    where = np.take(order, range(abs(k)), axis)
    return [np.take_along_axis(x, where, axis), where]


def largest() -> Iterator[Row]:
    """Yield rows of the largest and smallest items."""
    for text, dims, k, axis in [
        ("T.topk_and_argtopk(x, 2)", "n", 2, -1),
        ("T.topk_and_argtopk(x, -2, axis=0)", "n m", -2, 0),
        ("T.topk_and_argtopk(x, 3, axis=None)", "n m", 3, None),
        ("T.topk_and_argtopk(x, 1, sorted=False)", "n m k", 1, -1),
    ]:
        # Fewer items than requested are an error, which has no derivatives.
        plain: Callable[..., Any] = lambda x, k=k, axis=axis: topk(x, k, axis)  # noqa: E731
        yield from each([text], [dims], plain=plain, slope=False)
    two: dict[str, Any] = {"least": {"n": 2, "m": 2}}
    yield from each(["T.topk(x, 2)"], ["n", "n m"], plain=lambda x: topk(x, 2)[0], **two)
    yield from each(["x.topk(2, axis=0)"], ["n m"], plain=lambda x: topk(x, 2, 0)[0], **two)
    yield from each(["T.argtopk(x, -2)", "x.argtopk(-2)"], ["n"], plain=lambda x: topk(x, -2)[1])
    yield from each(
        ["T.argtopk(x, 2, 0, idx_dtype='int32')"], ["n m"],
        plain=lambda x: topk(x, 2, 0)[1].astype("int32"),
    )  # fmt: skip
    args = {"x": Arg("n"), "kth": Arg("", "int64", size("n - 1"))}
    yield Row("T.topk_and_argtopk(x, kth)", args, plain=topk, **two)
    yield Row("T.topk(x, -kth, 0)", args, plain=lambda x, kth: topk(x, -kth)[0], **two)


def distinct() -> Iterator[Row]:
    """Yield rows of distinct items."""
    yield from each(["T.unique(x)"], ["", "n", "n m"])
    yield from each(
        ["T.unique(x, return_index=True, return_inverse=True, return_counts=True)"],
        ["n", "n m"], draw=FEW, plain="np.unique(x, True, True, True)",
    )  # fmt: skip
    yield from each(
        ["T.unique(x, return_counts=True)", "T.unique(x, return_inverse=True)"], ["n"], draw=FEW
    )
    # In rows of half precision, NumPy's order of NaN depends on its position.
    yield from each(["T.unique(x, axis=0)", "T.unique(x, axis=-1)"], ["n 2"], "biuFc", draw=FEW)
    yield from each(["T.unique(x, axis=-2)"], ["n 2"], "h", draw=FEW, edges=False)
    yield from each(
        ["T.unique(x, True, True, True, axis=0)", "T.unique(x, True, False, True, axis=1)"],
        ["n 2 2"], "biuFc", draw=within(0, 2),
    )  # fmt: skip
    yield from each(
        ["T.Unique(return_index=True, return_counts=True)(x)"], ["n"], draw=FEW,
        plain="np.unique(x, return_index=True, return_counts=True)",
    )  # fmt: skip


def looked_up() -> Iterator[Row]:
    """Yield rows of positions in sorted vectors."""
    x, real = Arg("n", draw=ascending, edges=False), "biuf"
    for v in ("", "m", "m k"):
        args = {"x": x, "v": Arg(v)}
        yield Row("T.searchsorted(x, v)", args, real)
        yield Row("T.searchsorted(x, v, side='right')", args, real)
    args = {"x": Arg("n", edges=False), "v": Arg("m")}
    yield Row("T.searchsorted(x, v, 'right', sorter=T.argsort(x))", args, real)
    args = {"x": Arg("n", draw=ascending), "v": Arg("m", "float32")}
    yield Row("x.searchsorted(v)", args, real, edges=False)
    for text in ("T.digitize(x, bins)", "T.digitize(x, bins, right=True)"):
        for dims in ("m", "m k"):
            yield Row(text, {"x": Arg(dims), "bins": x}, real)
    args = {"x": Arg("m"), "bins": x}
    yield Row("T.digitize(x, bins[::-1])", args, real)
    yield Row("T.digitize(x, bins[::-1], True)", args, real)
    yield Row(
        "T.histogram_counts(x, edges)", {"x": Arg("m"), "edges": x}, "iuf",
        plain="np.histogram(x, edges)[0]", least={"n": 2},
    )  # fmt: skip


def interpolated(x: Array, xp: Array, fp: Array, left: Any = None, right: Any = None) -> Array:
    """Return NumPy's interpolation, not always in double precision."""
    dtype = dtypes.upgrade_to_float(np.result_type(x, xp).name)
    found = np.interp(x, xp, fp, left, right)
    return np.asarray(found).astype(np.result_type(dtype, dtypes.upgrade_to_float(fp.dtype.name)))


def counted(x: Array, weights: Any = None, minlength: int = 0) -> Array:
    """Return NumPy's counts, which rejects uint64 and converts weights to doubles."""
    found = np.bincount(x.astype("int64"), weights, minlength)
    return found if weights is None else found.astype(weights.dtype)


def counts() -> Iterator[Row]:
    """Yield rows of counts, one-hot rows, and interpolation."""
    x = Arg("n", draw=within(0, 9), edges=False)
    yield Row("T.bincount(x)", {"x": x}, "biu", plain=counted)
    yield Row("T.bincount(x, minlength=5)", {"x": x}, "biu", plain=lambda x: counted(x, None, 5))
    labels = Arg("n", "int64", within(0, 9))
    yield Row("T.bincount(x, weights=w)", {"x": labels, "w": Arg("n")}, "f", plain=counted)
    yield Row(
        "T.bincount(x, w, 12, assert_nonneg=True)", {"x": labels, "w": Arg("n", edges=False)},
        "iu", plain=lambda x, w: counted(x, w, 12), edges=False,
    )  # fmt: skip
    classes = Arg("n", draw=within(0, 5), edges=False)
    yield Row("T.to_one_hot(x, 5)", {"x": classes}, "iu", plain="np.eye(5)[x]")
    yield Row(
        "T.to_one_hot(x, 6, dtype='int8')", {"x": classes}, "iu", plain="np.eye(6, dtype='int8')[x]"
    )
    points = {"xp": Arg("n", "float64", ascending), "fp": Arg("n", "float64")}
    for dims in ("", "m", "m k"):
        yield Row("T.interp(x, xp, fp)", {"x": Arg(dims), **points}, "biuf", plain=interpolated)
    yield Row(
        "T.interp(x, xp, fp, left=-1.5, right=2.5)", {"x": Arg("m"), **points}, "iuf",
        plain=lambda x, xp, fp: interpolated(x, xp, fp, -1.5, 2.5),
    )  # fmt: skip
    args = {"x": Arg("m"), "xp": Arg("n", draw=ascending, edges=False), "fp": Arg("n")}
    yield Row("T.interp(xp=xp, fp=fp, x=x)", args, "F", plain=interpolated, edges=False)


def partitions() -> Iterator[Row]:
    """Yield rows of orders by several keys, and of the properties of partitions."""
    yield Row("T.lexsort((x, y))", {"x": Arg("n"), "y": Arg("n")}, "biuf", slope=False)
    yield Row("T.lexsort((x, y), axis=0)", {"x": Arg("n m"), "y": Arg("n m")}, "biuf", slope=False)
    for text, plain in [
        ("T.partition(x, 2)[:, 2]", "np.sort(x)[:, 2]"),
        ("T.sort(T.partition(x, 1, axis=0)[2:], axis=0)", "np.sort(x, axis=0)[2:]"),
        ("T.take_along_axis(x, T.argpartition(x, 1), 1)[:, 1]", "np.sort(x)[:, 1]"),
    ]:
        least = {"n": 3, "m": 3}
        yield Row(text, {"x": Arg("n m")}, "biuf", plain=plain, slope=False, least=least)


ROWS: list[Row] = [
    *each(["T.sort(x)"], ["n", "n m"]),
    *each(["T.sort(x, axis=0)", "T.sort(x, 1, kind='heapsort')"], ["n m", "n m k"]),
    *each(["T.sort(x, axis=None)"], ["", "n m"]),
    *each(["x.sort(axis=0)"], ["n m"], plain="np.sort(x, axis=0)"),
    *each(["T.sort(x, axis=0)[::-1] * x"], ["n m"], draw=number),
    *each(["T.argsort(x)"], ["n", "n m"], plain="np.argsort(x, kind='stable')"),
    *each(
        ["T.argsort(x, axis=0)", "x.argsort(0, kind='mergesort')"],
        ["n m", "n m k"],
        plain="np.argsort(x, axis=0, kind='stable')",
    ),
    *each(
        ["T.argsort(x, None)"],
        ["", "n m"],
        draw=FEW,
        x_edges=False,
        plain="np.argsort(x, axis=None, kind='stable')",
    ),
    *each(
        ["T.argsort(x, kind='quicksort')"], ["n m"], draw=FEW, plain="np.argsort(x, kind='stable')"
    ),
    *largest(),
    *distinct(),
    *looked_up(),
    *counts(),
    *partitions(),
]
