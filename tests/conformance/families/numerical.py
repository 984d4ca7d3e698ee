"""Samples, polynomials, products of vectors and kinds of numbers, as NumPy computes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano import dtypes
from tests.conformance.draws import Array, ascending
from tests.conformance.matrices import general
from tests.conformance.row import Arg, Row, as_list, each

MODES = "'full', 'same', 'valid'"
FOLDED_PAIR = {"x": Arg("n"), "y": Arg("m", edges=False)}


def in_ours(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with results in the dtype that ours have, NumPy's often in float64."""

    def computed(*values: Array) -> list[Array]:
        dtype = dtypes.upcast(*(dtypes.upgrade_to_float(value.dtype.name) for value in values))
        return [np.asarray(item).astype(dtype) for item in as_list(function(*values))]

    return computed


def powers(x: Array) -> list[Array]:
    """Return powers in the dtype of products of the elements."""
    dtype = np.prod(x).dtype
    found = [np.vander(x), np.vander(x, 3), np.vander(x, 4, increasing=True)]
    return [item.astype(dtype) for item in found]


def with_initial(function: np.ufunc, x: Array, axis: int) -> Array:
    """Return the cumulative results of a ufunc along an axis, with the initial one before."""
    found = function.accumulate(x, axis, dtype=function.reduce(x, axis).dtype)
    shape = list(x.shape)
    shape[axis] = 1
    return np.concatenate([np.full(shape, function.identity, found.dtype), found], axis)


FOLDED = [
    Row(f"[T.{name}(x, y, mode) for mode in ({MODES})]", FOLDED_PAIR, "iuFc")
    for name in ("convolve", "correlate")
]

CUMULATIVE = [
    Row(f"[T.{name}(x), T.{name}(y, axis=0), T.{name}(y, axis=-1, include_initial=True)]",
        {"x": Arg("n"), "y": Arg("n m")}, "biuFc", slack=10,
        plain=lambda x, y, f=function: [
            with_initial(f, x, 0)[1:], with_initial(f, y, 0)[1:], with_initial(f, y, 1)])
    for name, function in (("cumulative_sum", np.add), ("cumulative_prod", np.multiply))
]  # fmt: skip

SAMPLES = [
    Row("[T.trapezoid(x), T.trapezoid(x, axis=0, dx=0.5)]", {"x": Arg("n m")}, "iuFc",
        plain=in_ours(lambda x: [np.trapezoid(x), np.trapezoid(x, axis=0, dx=0.5)])),
    Row("[T.trapezoid(x, y), T.trapezoid(x, x)]", {"x": Arg("n m"), "y": Arg("m")}, "F"),
    Row("[*T.gradient(x), T.gradient(x, 0.5, axis=0, edge_order=2)]",
        {"x": Arg("n m", draw=general)}, "iuFc",
        plain=in_ours(lambda x: [*np.gradient(x), np.gradient(x, 0.5, axis=0, edge_order=2)]),
        slack=10),
    *each(["T.gradient(x, y, axis=-1)", "T.gradient(x, y, axis=-1, edge_order=2)"], ["n m"], "FD",
          args={"y": Arg("m", draw=ascending)}, least={"m": 3}, slack=1e4, edges=False),
    Row("T.sinc(x)", {"x": Arg("n m")}, "lFc", slack=10, plain=in_ours(np.sinc)),
]  # fmt: skip

POLYNOMIALS = [
    Row("T.polyval(T.specify_shape(y, (3,)), x)", {"x": Arg("n m"), "y": Arg("3")}, "biuFc",
        slack=10),
    Row("[T.vander(x), T.vander(x, 3), T.vander(x, 4, increasing=True)]", {"x": Arg("n")}, "biFc",
        plain=powers, slack=10),
    Row("[T.polyfit(x, y, 2), T.polyfit(x, z, 1)]",
        {"x": Arg("n", draw=ascending), "y": Arg("n"), "z": Arg("n m")}, "F", least={"n": 3},
        plain=in_ours(lambda x, y, z: [np.polyfit(x, y, 2), np.polyfit(x, z, 1)]),
        slack=1e4, edges=False),
]  # fmt: skip

PRODUCTS = [
    *(Row("T.cross(x, y)", {"x": Arg(x), "y": Arg(y)}, "iuFc", slack=10)
      for x, y in (("3", "3"), ("n m 3", "m 3"))),
    Row("[T.cross(x, y, 0, -1, 0), T.cross(x, x + 1, axis=0)]",
        {"x": Arg("3 n"), "y": Arg("n 3")}, "F", slack=10),
    *(Row("T.matvec(x, y)", {"x": Arg(x), "y": Arg(y)}, "biuFc", plain="(x @ y[..., None])[..., 0]")
      for x, y in (("n m", "m"), ("j n m", "j m"))),
    *(Row("T.vecmat(x, y)", {"x": Arg(x), "y": Arg(y)}, "biuFc",
          plain="(x.conj()[..., None, :] @ y)[..., 0, :]")
      for x, y in (("n", "n m"), ("j n", "n m"))),
]  # fmt: skip

KINDS = [
    Row("[T.isreal(x), T.iscomplex(x)]", {"x": Arg("n m")}, slope=False),
    Row("[T.isposinf(x), T.isneginf(x)]", {"x": Arg("n m")}, "biuf", slope=False,
        plain="[np.isinf(x) & (x > 0), np.isinf(x) & (x < 0)]"),
]  # fmt: skip

ROWS: list[Row] = [*FOLDED, *CUMULATIVE, *SAMPLES, *POLYNOMIALS, *PRODUCTS, *KINDS]
