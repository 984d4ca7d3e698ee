"""Operators, attributes and methods of symbolic arrays, and functions that convert them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.conformance.draws import Array, Draw, number, permutation, position, within
from tests.conformance.row import Arg, Row, each

TWO = {"x": Arg("n m"), "y": Arg("n m")}
PLAIN: dict[str, Any] = {"edges": False}


def pair(draw: Draw, dims: str = "n m") -> dict[str, Arg]:
    """Return two arguments, the second of another draw."""
    return {"x": Arg(dims), "y": Arg(dims, draw=draw)}


OPERATORS = [
    Row("[x + y, y * x]", TWO, "biufc"),
    Row("[x - y, -x, +x]", TWO, "iufc"),
    Row("x / y", TWO, "biuf", slope=False),
    Row("x / y", pair(within(0.5, 3), "n"), "Fc", slack=10, **PLAIN),
    Row("[x // y, x % y, *divmod(x, y)]", TWO, "iuf", slope=False),
    Row("[x // y, x % y, *divmod(x, y)]", {"x": Arg("n m"), "y": Arg("1 m")}, "uF", slope=False),
    Row("x**y", pair(within(0, 3)), "iuF", slope=False, **PLAIN),
    Row("[x**2, x**3]", {"x": Arg("n m")}, "ifc", slack=10),
    Row("[x < y, x <= y, x > y, x >= y]", TWO, "biufc", slope=False),
    Row("[x & y, x | y, x ^ y, ~x]", TWO, "biu", slope=False),
    Row("[x << y, x >> y]", pair(within(0, 9)), "iu", slope=False),
    Row("abs(x)", {"x": Arg("n m")}, "biufc"),
    Row("[x + 1, x * 2, x - 3, 5 - x, 1 + x, 3 * x]", {"x": Arg("n m")}, "iF"),
    Row("[x + 0.5, x / 4, 1 / x, 7 // x, x // 2, 7 % x, x % 2.5, *divmod(x, 2), *divmod(7, x)]",
        {"x": Arg("n m")}, "F", slope=False),
    Row("[x < 2, 2 <= x, x > 1, 1 >= x]", {"x": Arg("n m")}, "iuF", slope=False),
    Row("[x & 3, 3 & x, x | 3, 3 | x, x ^ 3, 3 ^ x, x << 2, 1 << abs(x), x >> 1, 64 >> abs(x)]",
        {"x": Arg("n m")}, "i", slope=False, **PLAIN),
    Row("[x // 2, 7 // x, x % 3, 7 % x, 2 ** abs(x)]", {"x": Arg("n m")}, "i", slope=False,
        **PLAIN),
    Row("x @ y", {"x": Arg("n m"), "y": Arg("m k")}, "biufc", slack=10),
    Row("x @ y", {"x": Arg("n"), "y": Arg("n m")}, "iFc", slack=10),
    Row("[np.ones((3, 3)) @ x, x @ np.eye(3), np.arange(3.0) * x, np.float64(2) - x]",
        {"x": Arg("3 3")}, "D"),
    Row("x + y", {"x": Arg("n 1"), "y": Arg("m")}, "biufc"),
    Row("x * y", {"x": Arg("n m"), "y": Arg("")}, "biufc"),
]  # fmt: skip

ATTRIBUTES = [
    *each(["[x.T, x.real, x.conj(), x.conjugate()]", "(x + x).T"], ["n m"]),
    *each(["x.imag"], ["n m"], slope=False),
    *each(["x.size", "[x.shape[0], x.shape[-1]]"], ["n m", "j n m"], "fc", slope=False),
    Row("x.shape", {"x": Arg("j n m")}, "iF", plain=lambda x: np.array(x.shape), slope=False),
    Row("[row + row for row in x]", {"x": Arg("3 n")}, "biufc", slope=False),
    Row("T.specify_shape(x, (3, 2)) * len(T.specify_shape(x, (3, 2)))", {"x": Arg("3 2")}, "iFc"),
    Row("[*T.specify_shape(x, (3,))][0] + x[-1] * x[:, None][1:]", {"x": Arg("3")}, "iFc",
        slack=10),
    Row("(lambda a, b: a - b)(*T.specify_shape(x, (2, 3)))", {"x": Arg("2 3")}, "iFc"),
]  # fmt: skip

# -- methods -------------------------------------------------------------------------------------

FUNCTIONS: dict[str, tuple[str, Draw]] = {
    "arccos arcsin arctanh log1p": ("fc", within(-0.9, 0.9)),
    "arccosh log log10 log2 sqrt": ("fc", within(1.1, 4)),
    "arcsinh arctan cos cosh exp expm1 sin sinh tan tanh": ("fc", within(-1.2, 1.2)),
    "deg2rad exp2 rad2deg": ("f", number),
}


def methods(names: str) -> tuple[str, str]:
    """Return the text of methods without arguments, and of NumPy's functions of these names."""
    listed = names.split()
    return (f"[{', '.join(f'x.{name}()' for name in listed)}]",
            f"[{', '.join(f'np.{name}(x)' for name in listed)}]")  # fmt: skip


def _topk(x: Array) -> list[Any]:
    """Return the two largest in descending order, and where the largest is."""
    return [np.sort(x)[:, :-3:-1], np.argsort(x, kind="stable")[:, -1:]]


METHODS = [
    *(Row(text, {"x": Arg("n", draw=draw)}, letters, plain=plain, slack=10, **PLAIN)
      for names, (letters, draw) in FUNCTIONS.items() for text, plain in [methods(names)]),
    Row("[x.ceil(), x.floor(), x.trunc()]", {"x": Arg("n m")}, "f", slope=False,
        plain="[np.ceil(x), np.floor(x), np.trunc(x)]"),
    *each(["x.astype('float64')", "x.astype('int16')"], ["n m"], "biuf", slope=False, **PLAIN),
    *each(["x.astype('complex128')"], ["n m"]),
    *each(["x.astype('bool')"], ["n m"], "biuf", slope=False),
    *each(["[x.ravel(), x.flatten(), x.flatten(2), x.copy()]"], ["j n m"],
          plain="[x.ravel(), x.ravel(), x.reshape(len(x), x[:1].size), x.copy()]", least={"j": 1}),
    *each(["[x.transpose(), x.transpose(1, 2, 0), x.transpose((2, 0, 1)), x.swapaxes(0, -1)]"],
          ["j n m"], "iFc"),
    Row("[x.dimshuffle(1, 'x', 0), x.dimshuffle(0, 1)]", {"x": Arg("n m")}, "iFc",
        plain="[x.T[:, None], x]"),
    Row("[x.reshape(-1), x.reshape((x.shape[1], x.shape[0])), x.squeeze()]", {"x": Arg("n m")},
        "iFc", plain="[x.ravel(), x.reshape(x.shape[1], x.shape[0]), x]"),
    Row("[x.squeeze(), x.squeeze(0), x.squeeze(axis=(0, 2))]", {"x": Arg("1 n 1")}, "iFc",
        plain="[x[0, :, 0], x[0], x[0, :, 0]]"),
    Row("x.clip(-1, 2)", {"x": Arg("n m")}, "iF"),
    Row("x.clip(a_min=y, a_max=z)",
        {"x": Arg("n m"), "y": Arg("m", draw=within(0, 1)), "z": Arg("", draw=within(2, 3))}, "iuF",
        plain="x.clip(y, z)"),
    Row("[x.fill(y), x.zeros_like(), x.ones_like(), x.ones_like('int8')]",
        {"x": Arg("n m"), "y": Arg("")}, "biufc", slope=False,
        plain="[np.full(x.shape, y), np.zeros_like(x), np.ones_like(x), np.ones(x.shape, 'int8')]"),
    Row("x.dot(y)", {"x": Arg("n m"), "y": Arg("m k")}, "iFc", slack=10),
    Row("[x.sum(), x.sum(0), x.prod(axis=1), x.mean(-1, keepdims=True), x.any(0), x.all(1)]",
        {"x": Arg("n m", draw=within(-1.5, 1.5))}, "biFc", slack=10),
    Row("[x.var(0), x.std(axis=1, ddof=1), x.var(keepdims=True)]",
        {"x": Arg("n m", draw=within(-4, 4))}, "F",
        slack=10, least={"n": 2, "m": 2}, **PLAIN),
    Row("[x.max(0), x.min(axis=1, keepdims=True), x.argmax(0), x.argmin(), x.ptp(axis=1)]",
        {"x": Arg("n m", draw=permutation)}, "iuF",
        plain="[x.max(0), x.min(axis=1, keepdims=True), x.argmax(0), x.argmin(), "
        "np.ptp(x, axis=1)]",
        slope=False, **PLAIN),
    Row("[x.norm(2), x.norm(1, axis=0), x.norm(2, 1, keepdims=True)]", {"x": Arg("n m")}, "F",
        plain="[np.linalg.norm(x), np.linalg.norm(x, 1, 0), np.linalg.norm(x, 2, 1, True)]",
        slack=10),
    Row("[x.take(i), x.take(i, axis=0), x.take(i, 1, mode='wrap'), x.take(i, 1, 'clip')]",
        {"x": Arg("n n"), "i": Arg("k", "int64", position("n"))}, "iFc", least={"n": 1},
        plain="[x.take(i), x.take(i, axis=0), x.take(i, 1, mode='wrap'), "
        "x.take(i, 1, mode='clip')]"),
    Row("[x.sort(), x.sort(axis=0), x.argsort(), x.argsort(axis=None)]", {"x": Arg("n m")}, "biuF",
        plain="[np.sort(x), np.sort(x, 0), np.argsort(x, kind='stable'), "
        "np.argsort(x, None, kind='stable')]", slope=False),
    Row("[x.topk(2), x.argtopk(1)]", {"x": Arg("n m", draw=permutation)}, "iF", plain=_topk,
        least={"m": 2}, slope=False, **PLAIN),
    Row("[x.cumsum(), x.cumsum(axis=1), x.cumprod(axis=0)]",
        {"x": Arg("n m", draw=within(-1.5, 1.5))}, "iFc", slack=10, **PLAIN),
    Row("[x.diagonal(), x.diagonal(1), x.trace(), x.trace(-1)]", {"x": Arg("n m")}, "iFc"),
    Row("T.nlinalg.trace(x)", {"x": Arg("n m")}, "biuFc"),
    Row("T.nlinalg.trace(x, offset=-1)", {"x": Arg("j n m")}, "iFc"),
    Row("[x.repeat(2), x.repeat(3, axis=1)]", {"x": Arg("n m")}, "iFc"),
    Row("[x.nonzero_values(), *x.nonzero()]", {"x": Arg("n m")}, "biuF",
        plain="[x[x.nonzero()], *x.nonzero()]", slope=False),
    Row("x.searchsorted(y)", {"x": Arg("n", draw=lambda *args: np.sort(number(*args))),
                              "y": Arg("m")}, "iF", slope=False, **PLAIN),
    Row("[i.choose(x), i.compress(x, axis=1)]",
        {"i": Arg("m", "int64", within(0, 2)), "x": Arg("2 m")}, "iF",
        plain="[i.choose(x), np.compress(i, x, axis=1)]", slope=False),
    Row("T.dimshuffle(x, 1, 'x', 0)", {"x": Arg("n m")}, "iFc"),
    Row("x.transfer('cpu')", {"x": Arg("n m")}, "iFc", plain="x"),
    Row("[x.round(), x.round('half_to_even')]", {"x": Arg("n m")}, "f", slope=False,
        plain="[np.round(x), np.round(x)]"),
]  # fmt: skip

# -- functions -------------------------------------------------------------------------------------


def _away(x: Array) -> Array:
    """Return the nearest integer, halves away from zero."""
    wide = x.astype("float64")
    return np.asarray(np.copysign(np.floor(abs(wide) + 0.5), wide).astype(x.dtype))


def halves(random: np.random.Generator, dtype: str, shape: Any, sizes: Any) -> Array:
    """Return numbers that end in one half, among others."""
    return (np.round(random.uniform(-9, 9, shape)) / 2).astype(dtype)


def _cast(dtype: str) -> Callable[[Array], Array]:
    return lambda x: np.asarray(x.astype(dtype))


CONVERSIONS = [
    *each(["T.round(x)", "T.round(x, mode='half_to_even')"], ["n m"], "f", draw=halves,
          plain=np.round, slope=False),
    *each(["T.round(x, 'half_away_from_zero')"], ["n m"], "f", draw=halves, plain=_away,
          slope=False),
    *(Row(f"T.cast(x, '{dtype}')", {"x": Arg("n m")}, "biuf", plain=_cast(dtype), slope=False,
          **PLAIN) for dtype in ("bool", "int8", "uint32", "float16")),
    *(Row(f"T.cast(x, dtype='{dtype}')", {"x": Arg("n m")}, "biufc", plain=_cast(dtype),
          slope=dtype == "complex128") for dtype in ("complex64", "complex128")),
    Row("[T.as_tensor_variable(x) + 0, T.as_tensor(x), T.as_tensor_variable([x, x])]",
        {"x": Arg("n m")}, "iFc", plain="[x, x, np.stack([x, x])]"),
    Row("[T.constant([[1, 2], [3, 4]], dtype='int16') * x, x.constant_like(2) + x, "
        "T.constant(0.5) * x]", {"x": Arg("2 2")}, "D",
        plain="[np.array([[1, 2], [3, 4]]) * x, 2 + x, 0.5 * x]"),
    Row("[T.tensor_from_scalar(T.scalar_from_tensor(x)), T.identity(x), T.tensor_copy(x)]",
        {"x": Arg("")}, "iFc", plain="[x, x, x]"),
    Row("[T.transfer(x, 'cpu'), T.default(None, x), T.default(x, 3), T.setdefault(None, x)]",
        {"x": Arg("n")}, "iFc", plain="[x, x, x, x]"),
    Row("x + T.shared(np.arange(3.0)) * T.scalar_constructor(2.0)", {"x": Arg("3")}, "D",
        plain="x + np.arange(3.0) * 2"),
    Row("x[T.extract_constant(T.constant(1)):] * T.get_scalar_constant_value(T.constant(2)) "
        "+ T.get_vector_length(x) + T.is_flat(x)", {"x": Arg("3")}, "D", plain="x[1:] * 2 + 3 + 1",
        slope=False),
]  # fmt: skip

ROWS: list[Row] = [*OPERATORS, *ATTRIBUTES, *METHODS, *CONVERSIONS]
