"""Arrays put one after the other, along an axis or a new one, and cut into pieces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.conformance.draws import Array, size
from tests.conformance.row import FEW, Arg, Row

VECTORS = {"x": Arg("n"), "y": Arg("m"), "z": Arg("k")}
MATRICES = {"x": Arg("n m"), "y": Arg("k m"), "z": Arg("1 m")}
ALIKE = {"x": Arg("n m"), "y": Arg("n m")}
JOINED = [
    Row(
        "[T.concatenate([x, y]), T.concatenate((x, y, z, x), axis=0), T.join(0, x, y[::-1], z)]",
        VECTORS,
    ),
    Row(
        "[T.join(0, x, y), T.join(-2, x, y, z), T.join(0, x[1:], z, y[:, ::-1])]",
        MATRICES,
        dtypes=FEW,
    ),
    Row(
        "[T.concatenate([x, y], 1), T.concatenate([x, y, x[:, :1]], axis=-1)]",
        {"x": Arg("n m"), "y": Arg("n k")},
    ),
    Row(
        "[T.concatenate([x, y], 1), T.concatenate([x, x], axis=-1), T.concatenate([x, x], 0)]",
        {"x": Arg("n m k"), "y": Arg("n j k")},
        dtypes=FEW,
    ),
    Row("[T.concatenate([x]), T.concatenate([x.T, x.T], axis=1)]", {"x": Arg("n m")}, dtypes=FEW),
    Row(
        "T.concatenate([x, y, z], axis=1)",
        {"x": Arg("n m", "float32"), "y": Arg("n 2"), "z": Arg("n 1", "int16")},
        slope=False,
        dtypes=FEW,
    ),
    Row(
        "T.concatenate([x, y], axis=0)", {"x": Arg("n m"), "y": Arg("k 4")}, slope=False, dtypes=FEW
    ),
    Row(
        "T.concatenate([x, y], axis=1)", {"x": Arg("n m"), "y": Arg("3 k")}, slope=False, dtypes=FEW
    ),
    Row("T.concatenate([x, y])", {"x": Arg("4"), "y": Arg("6")}, slope=False, dtypes=FEW),
]

STACKED = [
    Row("[T.stack([x, y]), T.stack([x, y, x], axis=-1), T.stack((x,))]", {"x": Arg(), "y": Arg()}),
    Row(
        "[T.stack([x, y]), T.stack([x, y], 1), T.stack([x, y], axis=-1)]",
        {"x": Arg("n"), "y": Arg("n")},
        dtypes=FEW,
    ),
    Row(
        "[T.stack([x, y, x]), T.stack([x, y], axis=1), T.stack([x, y], -1), T.stack([x, y], -3)]",
        ALIKE,
    ),
    Row("T.stack([x, y])", {"x": Arg("n 4"), "y": Arg("3 m")}, slope=False, dtypes=FEW),
    Row("T.stack([x, y])", {"x": Arg(), "y": Arg("", "int8")}, slope=False, dtypes=FEW),
    Row("T.stacklists([[x, y], [y, x], [x, x]])", {"x": Arg(), "y": Arg()}, dtypes=FEW),
    Row("T.stacklists([[x, y], (y, x)])", ALIKE, dtypes=FEW),
    Row(
        "[T.vstack([x, y]), T.hstack((x, y)), T.dstack([x, y]), T.column_stack([x, y])]",
        {"x": Arg("n"), "y": Arg("n")},
        dtypes=FEW,
    ),
    Row("[T.vstack([x, y]), T.hstack([x, y]), T.dstack((x, y, x)), T.column_stack((x, y))]", ALIKE),
    Row(
        "[T.vstack([x, y]), T.hstack([x, y]), T.dstack([x, y])]",
        {"x": Arg("n m k"), "y": Arg("n m k")},
        dtypes=FEW,
    ),
    Row(
        "[T.vstack([x, y]), T.hstack([x, y]), T.dstack([x, y]), T.column_stack([x, y])]",
        {"x": Arg(), "y": Arg()},
        dtypes=FEW,
    ),
    Row(
        "[T.vstack([x, y]), T.column_stack([z, x, z])]",
        {"x": Arg("n m"), "y": Arg("m"), "z": Arg("n")},
        dtypes=FEW,
    ),
    Row(
        "[T.horizontal_stack(x, y), T.vertical_stack(x, z)]",
        {"x": Arg("n m"), "y": Arg("n k"), "z": Arg("j m")},
        dtypes=FEW,
    ),
]


def pieces(x: Array, lengths: Sequence[int], axis: int = 0) -> list[Array]:
    """Return an array cut into pieces of these lengths.

    Raises
    ------
    ValueError
        If the lengths are not those of pieces of the axis.
    """
    if min(lengths) < 0 or sum(lengths) != x.shape[axis]:
        raise ValueError(f"pieces of {lengths} of {x.shape[axis]}")
    return np.split(x, np.cumsum(lengths)[:-1], axis)


A, LENGTHS = Arg("", "int64", size("n - 1")), Arg("3", "int64", size("(n - 2, 2, 0)"))
SPLIT = [
    Row(
        "T.split(x, [a, 1], 2)",
        {"x": Arg("n"), "a": A},
        least={"n": 1},
        plain=lambda x, a: pieces(x, [a, 1]),
    ),
    Row(
        "T.split(x, [1, a, 0], 3, axis=1)",
        {"x": Arg("m n"), "a": A},
        least={"n": 1},
        plain=lambda x, a: pieces(x, [1, a, 0], 1),
        dtypes=FEW,
    ),
    Row(
        "T.split(x, s, 3, axis=0)",
        {"x": Arg("n m"), "s": LENGTHS},
        least={"n": 2},
        plain=pieces,
        dtypes=FEW,
    ),
    Row(
        "T.split(x, s, n_splits=3, axis=-1)",
        {"x": Arg("m k n"), "s": LENGTHS},
        least={"n": 2},
        plain=lambda x, s: pieces(x, s, -1),
        dtypes=FEW,
    ),
    Row("T.split(x, s, 3)", {"x": Arg("n"), "s": LENGTHS}, plain=pieces, slope=False, dtypes=FEW),
    Row(
        "T.split(x, [2, 1], 2)",
        {"x": Arg("n m")},
        plain=lambda x: pieces(x, [2, 1]),
        slope=False,
        dtypes=FEW,
    ),
    Row(
        "T.Split(3)(x, 1, [1, 0, 2])",
        {"x": Arg("m 3")},
        plain=lambda x: pieces(x, [1, 0, 2], 1),
        dtypes=FEW,
    ),
]

ROWS: list[Row] = [*JOINED, *STACKED, *SPLIT]
