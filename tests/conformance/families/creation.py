"""Arrays made from shapes and numbers: filled, counted, spaced, grids, triangles, diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.conformance.draws import Array, one_of, positive, size, within
from tests.conformance.row import FEW, Arg, Row, each

SOME = Arg("", "int64", one_of(0, 1, 2, 3, 7))
COUNTS = {"a": SOME, "b": SOME}
OFFSET = Arg("", "int64", one_of(*range(-5, 6)))
TYPE = {"x": Arg(edges=False)}

FILLED = [
    Row(
        "[T.zeros(a), T.zeros((a, 2)), T.zeros((), 'int8'), T.ones((a, b), 'bool')]",
        COUNTS,
        "l",
        slope=False,
    ),
    Row(
        "[T.zeros((a, b), dtype=x.dtype), T.ones(b, x.dtype), T.full((a, 2), 1, dtype=x.dtype)]",
        {**TYPE, **COUNTS},
        slope=False,
    ),
    Row("T.zeros((2, a))", {"x": Arg("n"), "a": Arg("", "int64", size("n - 1"))}, "l", slope=False),
    Row(
        "[T.full((a, b), x), T.full(2, x), T.full((), x), T.full((a,), x, dtype='complex128')]",
        {"x": Arg(), **COUNTS},
    ),
    Row(
        "[T.alloc(x, a, b), T.alloc(x), T.alloc(x, 2, a, 1)]",
        {"x": Arg(), **COUNTS},
        plain="[np.full((a, b), x), x, np.full((2, a, 1), x)]",
    ),
    Row(
        "[T.alloc(x, 2, x.shape[0], a), T.alloc(x[:, 0], 3, x.shape[0])]",
        {"x": Arg("n 1"), "a": SOME},
        plain="[np.broadcast_to(x, (2, len(x), a)), np.broadcast_to(x[:, 0], (3, len(x)))]",
        dtypes=FEW,
    ),
    Row(
        "T.alloc(x, 3, 2, a)",
        {"x": Arg("2 m"), "a": Arg("", "int64", size("min(m, 5)"))},
        slope=False,
        plain=lambda x, a: np.full((3, 2, a), x),
        dtypes=FEW,
    ),
    *each(
        ["[T.zeros_like(x), T.ones_like(x), T.zeros_like(x, 'int16'), T.ones_like(x, dtype=bool)]"],
        ["", "n", "n m k"],
        slope=False,
        letters=FEW,
    ),
    Row(
        "[x.zeros_like(), x.ones_like(dtype='float32'), T.full_like(x, 1)]",
        {"x": Arg("n m")},
        plain="[np.zeros_like(x), np.ones_like(x, 'float32'), np.ones_like(x)]",
        slope=False,
    ),
    Row(
        "[T.full_like(x, y), T.full_like(x, y, dtype='complex64'), T.fill(x, y), x.fill(y)]",
        {"x": Arg("n m"), "y": Arg()},
        plain="[np.full_like(x, y), np.full_like(x, y, 'complex64'), T.fill(x, y), T.fill(x, y)]",
    ),
    Row(
        "[T.set_subtensor(T.empty((a, 2), x.dtype)[:], x), "
        "T.set_subtensor(T.AllocEmpty(x.dtype)(a)[:], x)]",
        {"x": Arg(), "a": SOME},
        plain="[np.full((a, 2), x), np.full(a, x)]",
    ),
    Row(
        "T.set_subtensor(T.empty_like(x)[:], y)",
        {"x": Arg("n m"), "y": Arg("m")},
        plain="np.broadcast_to(y, x.shape)",
        dtypes=FEW,
    ),
    Row(
        "[T.eye(a), T.eye(a, b), T.eye(3, 4, 1, 'int8'), T.eye(a, b, k)]",
        {**COUNTS, "k": OFFSET},
        "l",
        slope=False,
    ),
    Row(
        "[T.eye(a, b, k, dtype=x.dtype), T.eye(n=3, m=a, k=-1, dtype=x.dtype)]",
        {**TYPE, **COUNTS, "k": OFFSET},
        slope=False,
        plain="[np.eye(a, b, k, x.dtype), np.eye(3, a, -1, x.dtype)]",
    ),
    Row(
        "[T.identity_like(x), T.identity_like(x, dtype='int32')]",
        {"x": Arg("n m")},
        slope=False,
        plain="[np.eye(*x.shape, dtype=x.dtype), np.eye(*x.shape, dtype='int32')]",
    ),
]


def counted(*args: Any) -> Array:
    """Return ``numpy.arange`` with our dtype of integers; numbers up to a uint64 are floats."""
    found = np.arange(*args)
    return found if found.dtype.kind == "f" else found.astype("int64")


ENDS = {name: Arg("", "int64", one_of(*range(-6, 9))) for name in "ab"}
STEP = Arg("", "int64", one_of(-3, -1, 1, 2, 4))
COUNTED = [
    Row(
        "T.arange(x)",
        {"x": Arg(draw=one_of(0, 1, 2, 5, 9), edges=False)},
        "iu",
        plain=counted,
        slope=False,
    ),
    Row(
        "[T.arange(a), T.arange(a, b), T.arange(a, b, 2), T.arange(b, a, -1), T.arange(a, b, s)]",
        {**ENDS, "s": STEP},
        "l",
        slope=False,
    ),
    Row(
        "[T.arange(1, 6), T.arange(3, dtype=x.dtype), T.arange(a, dtype=x.dtype), "
        "T.arange(1, a, 2, dtype=x.dtype)]",
        {**TYPE, "a": SOME},
        "iuF",
        slope=False,
    ),
    Row(
        "[T.arange(x.shape[0]), T.arange(1, x.shape[0], 2) * 2, T.arange(x.size)[::-1]]",
        {"x": Arg("n m", "int8")},
        "l",
        slope=False,
    ),
    Row(
        "T.arange(0, 5, s)", {"x": Arg("n"), "s": Arg("", "int64", size("n - 1"))}, "l", slope=False
    ),
    Row(
        "[T.arange(x), T.arange(x, y), T.arange(y, x, -0.75), T.arange(x, 9, 1.25)]",
        {"x": Arg(edges=False), "y": Arg(edges=False)},
        "F",
        # NumPy counts in float64
        "[np.arange(*e).astype(x.dtype) for e in ((x,), (x, y), (y, x, -0.75), (x, 9, 1.25))]",
        slope=False,
    ),
    Row(
        "T.arange(x, y, s)",
        {"x": Arg(edges=False), "y": Arg("", "float64"), "s": Arg(draw=positive, edges=False)},
        "F",
        slope=False,
    ),
    Row("T.arange(x, 9, s)", {"x": Arg(edges=False), "s": Arg(draw=positive, edges=False)}, "D"),
]

PAIR = {"x": Arg(), "y": Arg()}
SPACED = [
    Row(
        "[T.linspace(x, y, 5), T.linspace(x, y, 4, False), *T.linspace(x, y, 3, retstep=True)]",
        PAIR,
        "iuFc",
        tolerance=1e-6,
    ),
    Row("[T.linspace(x, y), T.linspace(x, y, 1), T.linspace(x, y, 0)]", PAIR, "iuFc", edges=False),
    Row(
        "[T.linspace(x, y, a), T.linspace(x, y, num=a, endpoint=False)]",
        {**PAIR, "a": SOME},
        "iuFc",
        edges=False,
    ),
    Row(
        "[T.linspace(x, y, 5, dtype='int32'), T.linspace(x, y, 5, dtype='float32')]",
        PAIR,
        "iuF",
        edges=False,
        slope=False,
    ),
    Row(
        "[T.linspace(x, y, 3), T.linspace(x, y, 3, axis=1), T.linspace(x, y[0], a, axis=-1)]",
        {"x": Arg("n"), "y": Arg("n"), "a": SOME},
        "lFc",
        edges=False,
        least={"n": 1},
    ),
    Row(
        "[T.logspace(x, y, 4), T.logspace(x, y, a, endpoint=False), T.logspace(x, y, 3, base=2.0)]",
        {**{name: Arg(draw=within(-1.5, 1.5), edges=False) for name in "xy"}, "a": SOME},
        "iF",
        tolerance=1e-5,
    ),
    Row(
        "[T.geomspace(x, y, 4), T.geomspace(x, y, a), T.geomspace(-x, -y, 3, endpoint=False)]",
        {**{name: Arg(draw=positive, edges=False) for name in "xy"}, "a": SOME},
        "iF",
        # NumPy's are float64
        "[np.geomspace(*ends).astype(np.result_type(x, 'float64' if x.dtype.kind == 'i' else x)) "
        "for ends in ((x, y, 4), (x, y, a), (-x, -y, 3, False))]",
        tolerance=1e-5,
    ),
    Row("T.bartlett(a)", {"a": Arg(draw=one_of(0, 1, 2, 3, 6, 9), edges=False)}, "iu", slope=False),
]

AXES = {"x": Arg("n"), "y": Arg("m")}
GRIDS = [
    Row("[*T.meshgrid(x, y), *T.meshgrid(x, y, indexing='ij'), *T.meshgrid(x)]", AXES),
    Row(
        "[*T.meshgrid(x, y, sparse=True), *T.meshgrid(x, y, sparse=True, indexing='ij')]",
        AXES,
        dtypes=FEW,
    ),
    Row("T.meshgrid(x, y, z)", {**AXES, "z": Arg("k")}, dtypes=FEW),
    Row(
        "[*T.mgrid[0:a, -1:b], *T.mgrid[-3:a:2, 0:2, :b], T.mgrid[-1:a]]", COUNTS, "l", slope=False
    ),
    Row(
        "[*T.ogrid[0:a, -1:b], *T.ogrid[-3:a:2, 0:2, :b], T.ogrid[-1:a:2]]",
        COUNTS,
        "l",
        slope=False,
    ),
    Row(
        "[T.mgrid[0:1:5j], *T.ogrid[0:2, -1:1:3j]]",
        {},
        "l",
        "[np.mgrid[0:1:5j], np.arange(2)[:, None], np.linspace(-1, 1, 3)[None]]",
        slope=False,
    ),
]

TRIANGLES = [
    Row(
        "[T.tri(a), T.tri(a, b), T.tri(a, b, k), T.tri(3, 4, k=-1, dtype=x.dtype)]",
        {**TYPE, **COUNTS, "k": OFFSET},
        slope=False,
    ),
    *each(
        ["[T.tril(x), T.tril(x, 1), T.tril(x, k=-2), T.triu(x), T.triu(x, -1), T.triu(x, k=2)]"],
        ["n m", "k n m"],
        letters=FEW,
    ),
    Row("[T.tril(x, k), T.triu(x, k)]", {"x": Arg("n m"), "k": OFFSET}),
    Row(
        "[*T.tril_indices(a), *T.tril_indices(a, k, b), *T.triu_indices(a), "
        "*T.triu_indices(4, k=k, m=b)]",
        {**COUNTS, "k": OFFSET},
        "l",
        slope=False,
    ),
    Row(
        "[*T.tril_indices_from(x), *T.tril_indices_from(x, k), *T.triu_indices_from(x, 1), "
        "*T.triu_indices_from(x, k=k)]",
        {"x": Arg("n m"), "k": OFFSET},
        "Db",
        slope=False,
    ),
]


def filled(x: Array, value: Array) -> Array:
    """Return a copy with its diagonal filled."""
    y = x.copy()
    np.fill_diagonal(y, value)
    return y


def on_diagonal(x: Array, value: Any, k: Any = 0) -> Array:
    """Return a copy with a diagonal of the last two axes set."""
    y, k = x.copy(), int(k)
    rows, columns = x.shape[-2:]
    place = np.arange(max(min(rows - max(-k, 0), columns - max(k, 0)), 0))
    y[..., place + max(-k, 0), place + max(k, 0)] = value
    return y


def as_diagonal(v: Array, k: int = 0) -> Array:
    """Return matrices with the last axis of an array on a diagonal."""
    side = v.shape[-1] + abs(k)
    return on_diagonal(np.zeros((*v.shape[:-1], side, side), v.dtype), v, k)


LAST = {"k": Arg("", "int64", one_of(-2, -1, 0, 1, 2))}
DIAGONALS = [
    Row("[T.diag(x), T.diag(x, 1), T.diag(x, k=-2), T.diag(x, k)]", {"x": Arg("n"), **LAST}),
    Row(
        "[T.diag(x), T.diag(x, 1), T.extract_diag(x), T.diag(x, k)]",
        {"x": Arg("n m"), **LAST},
        plain="[np.diag(x), np.diag(x, 1), np.diag(x), np.diag(x, k)]",
        dtypes=FEW,
    ),
    Row(
        "[T.diagonal(x), x.diagonal(offset=2), T.diagonal(x, -1, axis1=1, axis2=0), x.diagonal(k)]",
        {"x": Arg("n m"), "k": OFFSET},
    ),
    Row(
        "[T.diagonal(x), x.diagonal(1, 1, 2), T.diagonal(x, o, 0, 2), "
        "T.diagonal(x, axis1=2, axis2=-3)]",
        {"x": Arg("n m k"), "o": OFFSET},
        dtypes=FEW,
    ),
    Row(
        "[T.ExtractDiag()(x), T.ExtractDiag(-1, 1, 0)(x), T.AllocDiag(1)(x[0])]",
        {"x": Arg("n m")},
        plain="[np.diag(x), np.diagonal(x, -1, 1, 0), np.diag(x[0], 1)]",
        least={"n": 1},
        dtypes=FEW,
    ),
    Row(
        "[T.alloc_diag(x), T.alloc_diag(x, 2), T.alloc_diag(x, -1), T.alloc_diag(x, 1, 2, 0)]",
        {"x": Arg("n m")},
        plain=lambda x: [
            *(as_diagonal(x, k).transpose(1, 2, 0) for k in (0, 2, -1)),
            as_diagonal(x, 1).transpose(2, 0, 1),
        ],
    ),
    Row(
        "[T.trace(x), x.trace(), T.trace(x, 1), x.trace(-2), T.trace(x, offset=k)]",
        {"x": Arg("n m"), "k": OFFSET},
    ),
    Row(
        "[T.trace(x), x.trace(1), T.trace(x, 0, 1, 2), T.trace(x, axis1=2, axis2=0)]",
        {"x": Arg("n m k")},
        dtypes=FEW,
    ),
    *each(["T.fill_diagonal(x, y)"], ["n m", "m m m"], args={"y": Arg()}, plain=filled),
    Row(
        "T.fill_diagonal(x, 1)",
        {"x": Arg("n n n")},
        plain=lambda x: filled(x, np.array(1)),
        dtypes=FEW,
    ),
    Row("T.fill_diagonal(x, y)", {"x": Arg("3 n n"), "y": Arg()}, plain=filled, slope=False),
    Row(
        "[T.fill_diagonal_offset(x, y, 1), T.fill_diagonal_offset(x, y, k)]",
        {"x": Arg("n m"), "y": Arg(), "k": OFFSET},
        plain=lambda x, y, k: [on_diagonal(x, y, 1), on_diagonal(x, y, k)],
        dtypes=FEW,
    ),
    Row(
        "[T.set_diagonal(x, y), T.set_diagonal(x, y[0], 0)]",
        {"x": Arg("m n n"), "y": Arg("1 n")},
        plain=lambda x, y: 2 * [on_diagonal(x, y)],
        dtypes=FEW,
    ),
    Row(
        "T.set_diagonal(x, y, o)",
        {"x": Arg("k n m"), "y": Arg("k 1"), "o": OFFSET},
        plain=on_diagonal,
    ),
]

ROWS: list[Row] = [*FILLED, *COUNTED, *SPACED, *GRIDS, *TRIANGLES, *DIAGONALS]
