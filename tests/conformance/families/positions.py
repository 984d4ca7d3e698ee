"""Items by their positions: take, choose, positions of nonzero elements, flat positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.conformance.draws import Array, Sizes, one_of, permutation, position, size
from tests.conformance.row import FEW, Arg, Row, each

P, TABLE = (Arg(dims, "int64", position("n")) for dims in ("j", "j h"))
AT = Arg("", "int64", position("n"))
WILD = Arg("j", "int64", one_of(*range(-9, 10)))
TAKE = [
    Row(
        "[T.take(x, i), x.take(p), T.take(x, t)]",
        {"x": Arg("n"), "i": AT, "p": P, "t": TABLE},
        dtypes=FEW,
    ),
    Row("[T.take(x, p), x.take(t)]", {"x": Arg("n m"), "p": P, "t": TABLE}, least={"m": 1}),
    Row(
        "[T.take(x, i, axis=0), T.take(x, p, axis=0), x.take(t, axis=-3), T.take(x, [0, -1], 0)]",
        {"x": Arg("n m k"), "i": AT, "p": P, "t": TABLE},
        dtypes=FEW,
    ),
    Row(
        "[T.take(x, p, 1), x.take(t, axis=1), T.take(x, i, axis=-2)]",
        {"x": Arg("m n k"), "p": P, "t": TABLE, "i": AT},
        least={"n": 1},
        dtypes=FEW,
    ),
    Row(
        "[x.take(p, axis=-1), T.take(x, i, -1)]",
        {"x": Arg("m n"), "p": P, "i": AT},
        least={"n": 1},
        dtypes=FEW,
    ),
    Row(
        "[T.take(x, w, 0, mode='wrap'), T.take(x, w, 0, mode='clip')]",
        {"x": Arg("n m"), "w": WILD},
        least={"n": 1},
        dtypes=FEW,
    ),
    Row(
        "[x.take(w, mode='wrap'), x.take(w, mode='clip'), x.take(w[0], axis=1, mode='clip')]",
        {"x": Arg("n m"), "w": WILD},
        least={"n": 1, "m": 1, "j": 1},
        dtypes=FEW,
    ),
    Row(
        "[T.take(x, p, 0), T.take(x, p, 0, mode='wrap'), T.take(x, p, 0, mode='clip')]",
        {"x": Arg("n m", "float32"), "p": Arg("j", draw=position("n"), edges=False)},
        "iu",
        # NumPy's take rejects uint64
        "3 * [x[p.astype('int64')]] if p.dtype.kind == 'u' else [x.take(p, 0), "
        "x.take(p, 0, mode='wrap'), x.take(p, 0, mode='clip')]",
        slope=False,
        least={"n": 1},
    ),
    Row(
        "T.take(x, w, axis=0)",
        {"x": Arg("n"), "w": Arg("j", "int64", size("n - 4"))},
        slope=False,
        dtypes=FEW,
    ),
]

WHICH = Arg("n m", "int64", one_of(0, 1, 2))
WILDER = Arg("n m", "int64", one_of(*range(-4, 8)))
CHOICES = {"x": Arg("n m"), "y": Arg("m"), "z": Arg("n 1")}
CHOOSE = [
    Row("T.choose(w, [x, y, z])", {"w": WHICH, **CHOICES}),
    Row(
        "[T.choose(w, [x, y, z], mode=mode) for mode in ('wrap', 'clip')]",
        {"w": WILDER, **CHOICES},
        dtypes=FEW,
    ),
    Row(
        "[T.choose(w, x), T.choose(w[0], x)]",
        {"w": WHICH, "x": Arg("3 m")},
        least={"n": 1},
        dtypes=FEW,
    ),
    Row("T.choose(w, x, mode='wrap')", {"w": WILDER, "x": Arg("3 m")}, dtypes=FEW),
    Row("w.choose(x, mode='clip')", {"w": WILDER, "x": Arg("3 m")}, slope=False, dtypes=FEW),
    Row(
        "T.choose(w, x)",
        {"w": Arg("n m", "int64", position("k", False)), "x": Arg("k n m")},
        least={"k": 1},
        dtypes=FEW,
    ),
    Row(
        "T.choose(w, x)", {"w": Arg("", "int64", position("k", False)), "x": Arg("k n")}, dtypes=FEW
    ),
    Row(
        "T.choose(w, [x, x + x, -x])",
        {"w": Arg("n", "int64", size("n - 1")), "x": Arg("n")},
        "f",
        slope=False,
    ),
    Row(
        "T.choose(w, [x, -x])",
        {"w": Arg("n", draw=one_of(0, 1), edges=False), "x": Arg("n", "float64")},
        "iu",
        "np.choose(w.astype('int64'), [x, -x])",
        slope=False,
    ),
]

FOUND = [
    *each(
        ["[*T.nonzero(x), *x.nonzero(), T.flatnonzero(x), T.argwhere(x)]"],
        ["n", "n m", "n m k"],
        slope=False,
    ),
    Row(
        "T.nonzero(x, return_matrix=True)",
        {"x": Arg("n m")},
        plain="np.array(np.nonzero(x))",
        slope=False,
        dtypes=FEW,
    ),
    *each(
        ["[T.nonzero_values(x), x.nonzero_values()]"],
        ["n", "n m k"],
        plain="2 * [x[np.nonzero(x)]]",
        letters=FEW,
    ),
    Row("T.where(b, x, y)", {"b": Arg("n m", "bool"), "x": Arg("n m"), "y": Arg("m")}),
    Row("T.where(b, x, y)", {"b": Arg("n 1", "bool"), "x": Arg("m"), "y": Arg()}, dtypes=FEW),
    Row(
        "T.where(b, x, y)",
        {"b": Arg("n", draw=one_of(0, 1)), "x": Arg("n", "int8"), "y": Arg("n", "float32")},
        slope=False,
        dtypes=FEW,
    ),
    Row("T.compress(b, x)", {"b": Arg("n", "bool"), "x": Arg("n m")}, least={"m": 1}, dtypes=FEW),
    Row("T.compress(b, x, axis=0)", {"b": Arg("n", "bool"), "x": Arg("n m")}),
    Row("T.compress(b, x, axis=-1)", {"b": Arg("n", "bool"), "x": Arg("m k n")}, dtypes=FEW),
    Row(
        "b.compress(x, axis=1)",
        {"b": Arg("n", "bool"), "x": Arg("m n")},
        plain="np.compress(b, x, 1)",
        slope=False,
        dtypes=FEW,
    ),
    Row("T.compress(b, x, axis=0)", {"b": Arg("n"), "x": Arg("n", "float64")}, slope=False),
    Row(
        "T.compress([True, False, True], x, axis=0)", {"x": Arg("n m")}, least={"n": 3}, dtypes=FEW
    ),
]


def put_along(x: Array, indices: Array, values: Any, axis: int | None) -> Array:
    """Return what ``numpy.put_along_axis`` makes of a copy."""
    y = x.copy()
    np.put_along_axis(y, indices, values, axis)
    return y


ORDER = Arg("n m", "int64", permutation)
ALONG = [
    Row(
        "T.take_along_axis(x, p, axis=0)",
        {"x": Arg("n m"), "p": Arg("j m", "int64", position("n"))},
    ),
    Row(
        "T.take_along_axis(x, p, 1)",
        {"x": Arg("m n k"), "p": Arg("m j k", "int64", position("n"))},
        dtypes=FEW,
    ),
    Row(
        "T.take_along_axis(x, p, -1)",
        {"x": Arg("m n"), "p": Arg("1 j", "int64", position("n"))},
        least={"n": 1},
        dtypes=FEW,
    ),
    Row(
        "T.take_along_axis(x, p, axis=None)", {"x": Arg("n m"), "p": P}, least={"m": 1}, dtypes=FEW
    ),
    Row(
        "T.take_along_axis(x, p, 0)",
        {"x": Arg("n", "float64"), "p": Arg("j", draw=position("n"), edges=False)},
        "iu",
        slope=False,
    ),
    Row(
        "T.put_along_axis(x, p, y, axis=1)",
        {"x": Arg("n m"), "p": ORDER, "y": Arg("n m")},
        plain=lambda x, p, y: put_along(x, p, y, 1),
    ),
    Row(
        "T.put_along_axis(x, p, y, 0)",
        {"x": Arg("n m"), "p": Arg("1 m", "int64", position("n")), "y": Arg("m")},
        plain=lambda x, p, y: put_along(x, p, y, 0),
        least={"n": 1},
        dtypes=FEW,
    ),
    Row(
        "T.put_along_axis(x, p, y)",
        {"x": Arg("k m n"), "p": Arg("k m 1", "int64", position("n")), "y": Arg()},
        plain=lambda x, p, y: put_along(x, p, y, -1),
        least={"n": 1},
        dtypes=FEW,
    ),
    Row(
        "T.put_along_axis(x, p, y, axis=None)",
        {"x": Arg("n m"), "p": Arg("n", "int64", permutation), "y": Arg("n")},
        plain=lambda x, p, y: put_along(x, p, y, None),
        least={"m": 1},
        dtypes=FEW,
    ),
]


def inverse(order: Array) -> Array:
    """Return the permutation that undoes one, along the last axis."""
    return np.argsort(order, axis=-1).astype(order.dtype)


def permuted(x: Array, y: Array, inverted: bool = False) -> Array:
    """Return rows in the order that ``y`` gives, both repeated to one shape."""
    x, y = np.broadcast_arrays(x, np.argsort(y, -1) if inverted else y)
    return np.take_along_axis(x, y, -1)


PERMUTATIONS = [
    *each(
        ["T.inverse_permutation(x)"],
        ["n", "n m"],
        "iu",
        plain=inverse,
        draw=permutation,
        x_edges=False,
        slope=False,
    ),
    Row("T.permute_row_elements(x, p)", {"x": Arg("n m"), "p": ORDER}, plain=permuted),
    Row(
        "T.permute_row_elements(x, p, inverse=True)",
        {"x": Arg("m"), "p": ORDER},
        plain=lambda x, p: permuted(x, p, True),
        dtypes=FEW,
    ),
    Row(
        "T.permute_row_elements(x, p, True)",
        {"x": Arg("k n m"), "p": Arg("m", "int64", permutation)},
        plain=lambda x, p: permuted(x, p, True),
        dtypes=FEW,
    ),
]


def flat(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return positions in a flat array of n times m elements; -1 where it is empty."""
    count = sizes["n"] * sizes["m"]
    return np.asarray(
        random.integers(min(count, 1) - 1, max(count, 1) - (count == 0), shape)
    ).astype(dtype)


MATRIX = {"x": Arg("n m", "float64")}
PLACES = {
    "p": Arg("j", "int64", position("n", False)),
    "q": Arg("j", "int64", position("m", False)),
}
AROUND = {name: Arg("j", "int64", one_of(*range(-6, 9))) for name in "pq"}
FLAT = [
    Row(
        "[*T.unravel_index(p, x.shape), *T.unravel_index(p, x.shape, order='F')]",
        {**MATRIX, "p": Arg("j", "int64", flat)},
        "l",
        slope=False,
    ),
    Row(
        "T.unravel_index(p, v, ndim=2)",
        {**MATRIX, "p": Arg("", "int64", flat), "v": Arg("2", "int64", size("(n, m)"))},
        "l",
        "np.unravel_index(p, tuple(v))",
        slope=False,
    ),
    Row(
        "T.unravel_index(p, (4, 2, 3))",
        {"p": Arg("n m", draw=one_of(*range(24)), edges=False)},
        "iu",
        slope=False,
    ),
    Row(
        "T.unravel_index(p, (4, a))",
        {"p": Arg("n", "int64", size("n + 5")), "a": Arg("", "int64", size("3"))},
        "l",
        slope=False,
    ),
    Row(
        "[T.ravel_multi_index((p, q), x.shape), T.ravel_multi_index((p, q), x.shape, order='F')]",
        {**MATRIX, **PLACES},
        "l",
        slope=False,
    ),
    Row(
        "[T.ravel_multi_index((p, q), x.shape, mode=mode) "
        "for mode in ('wrap', 'clip', ('wrap', 'clip'))]",
        {**MATRIX, **AROUND},
        "l",
        slope=False,
        least={"n": 1, "m": 1},
    ),
    Row(
        "T.ravel_multi_index(p, (3, 5, 4))",
        {"p": Arg("3 j", draw=one_of(0, 1, 2), edges=False)},
        "iu",
        slope=False,
    ),
]

ROWS: list[Row] = [*TAKE, *CHOOSE, *FOUND, *ALONG, *PERMUTATIONS, *FLAT]
