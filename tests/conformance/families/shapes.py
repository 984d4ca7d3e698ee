"""The same elements under another shape, with other axes, or repeated along new ones."""

from __future__ import annotations

import numpy as np

from tests.conformance.draws import Array, size
from tests.conformance.row import FEW, Arg, Row, each


def length(text: str) -> Arg:
    """Return a 0-d int64 argument: what an expression of the sizes is."""
    return Arg("", "int64", size(text))


N, M, FREE = (length(text) for text in ("n", "m", "-1"))
LENGTHS = {"v": Arg("2", "int64", size("(m, n)")), "w": Arg("2", "int64", size("(n, -1)"))}
RESHAPED = [
    Row(
        "[x.reshape(()), x.reshape((1, 1)), T.reshape(x, (-1,)), x.flatten()]",
        {"x": Arg()},
        dtypes=FEW,
    ),
    *each(
        ["[T.reshape(x, (-1,)), x.reshape((1, -1, 1)), T.flatten(x), x.flatten(), x.ravel()]"],
        ["n", "n m", "n m k"],
        letters=FEW,
    ),
    Row(
        "[T.flatten(x, 2), x.flatten(2), T.flatten(x, ndim=3)]",
        {"x": Arg("n m k")},
        plain="[T.flatten(x, 2), T.flatten(x, 2), x]",
        dtypes=FEW,
    ),
    Row(
        "[x.reshape((x.shape[1], x.shape[0])), x.reshape((x.size,)), x.reshape(x.shape)]",
        {"x": Arg("n m")},
        dtypes=FEW,
    ),
    # with an axis of length 0, -1 means 0 here, and is an error in NumPy
    Row("x.reshape((x.shape[2], -1))", {"x": Arg("n m k")}, least={"k": 1}, dtypes=FEW),
    Row(
        "[x.reshape((-1, 2, 3)), x.reshape((3, x.shape[0], 2)), x.reshape((-1,))[1:]]",
        {"x": Arg("n 6")},
        dtypes=FEW,
    ),
    Row("x.reshape((2, 6))", {"x": Arg("n m")}, slope=False, dtypes=FEW),
    Row("x.reshape((4, -1))", {"x": Arg("n m")}, slope=False, dtypes=FEW),
    Row("[x.reshape((a, b)), x.reshape((b, 1, a))]", {"x": Arg("n m"), "a": M, "b": N}),
    Row(
        "[x.reshape((a, c)), x.reshape((c, a)), x.reshape((c,))]",
        {"x": Arg("n m"), "a": M, "c": FREE},
        least={"m": 1},
        dtypes=FEW,
    ),
    Row(
        "[x.reshape(v), T.reshape(x, v, ndim=2)]",
        {"x": Arg("n m"), **LENGTHS},
        plain="2 * [x.reshape(v)]",
        dtypes=FEW,
    ),
    Row("x.reshape(w)", {"x": Arg("n m"), **LENGTHS}, least={"n": 1}, dtypes=FEW),
    Row(
        "x.reshape((a, b))",
        {"x": Arg("n m"), "a": length("abs(n + m - 3)"), "b": N},
        slope=False,
        dtypes=FEW,
    ),
    Row(
        "[x.T.reshape((-1,)), x[::-1].reshape((x.shape[1], -1)), x[:, :2].flatten()]",
        {"x": Arg("n m")},
        least={"m": 1},
        dtypes=FEW,
    ),
]

AXES = [
    *each(
        ["[x.T, T.transpose(x), x.transpose(), x.copy()]"],
        ["", "n", "n m", "n m k", "n m k j"],
        letters=FEW,
    ),
    Row(
        "[x.transpose(2, 0, 1), x.transpose((1, 2, 0)), T.transpose(x, (-1, 0, 1)), "
        "T.transpose(x, axes=[0, 2, 1])]",
        {"x": Arg("n m k")},
    ),
    Row(
        "[x.swapaxes(0, -1), T.swapaxes(x, 1, 2), T.swapaxes(x, -3, 1)]",
        {"x": Arg("n m k")},
        dtypes=FEW,
    ),
    Row(
        "[T.moveaxis(x, 0, -1), T.moveaxis(x, (0, 1), (-1, 0)), T.moveaxis(x, [2], [1])]",
        {"x": Arg("n m k")},
        dtypes=FEW,
    ),
    Row(
        "[T.rollaxis(x, 2), T.rollaxis(x, 0, 3), T.rollaxis(x, -1, 1), T.rollaxis(x, 1, -1)]",
        {"x": Arg("n m k")},
        dtypes=FEW,
    ),
    Row(
        "[x.dimshuffle('x'), x.dimshuffle(('x', 'x')), x.dimshuffle()]",
        {"x": Arg()},
        plain="[x[None], x[None, None], x]",
        dtypes=FEW,
    ),
    Row(
        "[x.dimshuffle(0, 'x'), x.dimshuffle('x', 0, 'x'), x.dimshuffle(0)]",
        {"x": Arg("n")},
        plain="[x[:, None], x[None, :, None], x]",
        dtypes=FEW,
    ),
    Row(
        "[x.dimshuffle(1, 0), x.dimshuffle(1, 'x', 0), x.dimshuffle(['x', 0, 1])]",
        {"x": Arg("n m")},
        plain="[x.T, x.T[:, None], x[None]]",
    ),
    Row(
        "[x.dimshuffle(2, 0), x.dimshuffle(0, 'x', 2)]",
        {"x": Arg("n 1 m")},
        plain="[x[:, 0].T, x]",
        dtypes=FEW,
    ),
    Row(
        "x.dimshuffle(2, 'x', 0, 1)",
        {"x": Arg("n m k")},
        plain="x.transpose(2, 0, 1)[:, None]",
        dtypes=FEW,
    ),
    Row(
        "[T.expand_dims(x, 0), T.expand_dims(x, -1), T.expand_dims(x, 1)]",
        {"x": Arg("n m")},
        dtypes=FEW,
    ),
    Row(
        "[T.expand_dims(x, (0, -1)), T.expand_dims(x, [1, 2]), T.expand_dims(x, ())]",
        {"x": Arg("n m")},
        dtypes=FEW,
    ),
    Row(
        "[T.squeeze(x), x.squeeze(), T.squeeze(x, 1), x.squeeze(axis=-2), x.squeeze((1,))]",
        {"x": Arg("n 1 m")},
        plain="5 * [x[:, 0]]",
    ),
    Row(
        "[x.squeeze(), x.squeeze((0, -1)), T.squeeze(x, 0)]",
        {"x": Arg("1 n 1")},
        plain="[x[0, :, 0], x[0, :, 0], x[0]]",
        dtypes=FEW,
    ),
    Row("[T.squeeze(x), x.squeeze(0)]", {"x": Arg("1")}, dtypes=FEW),
    *each(
        ["[T.shape_padleft(x), T.shape_padleft(x, 2), T.shape_padright(x, n_ones=2)]"],
        ["", "n m"],
        plain="[x[None], x[None, None], x[..., None, None]]",
        letters=FEW,
    ),
    Row(
        "[T.shape_padaxis(x, 0), T.shape_padaxis(x, 1), T.shape_padaxis(x, axis=-1)]",
        {"x": Arg("n m")},
        plain="[x[None], x[:, None], x[..., None]]",
        dtypes=FEW,
    ),
    *each(
        ["[T.atleast_1d(x), T.atleast_2d(x), T.atleast_3d(x)]"],
        ["", "n", "n m", "n m k"],
        letters=FEW,
    ),
    Row("T.atleast_2d(x, y, z)", {"x": Arg("n m"), "y": Arg("k"), "z": Arg()}, dtypes=FEW),
]

REPEATED = [
    Row(
        "[T.broadcast_to(x, (2, 3)), T.broadcast_to(x, y.shape), T.broadcast_to(x, ())]",
        {"x": Arg(), "y": Arg("n", "int8")},
        dtypes=FEW,
    ),
    Row(
        "[T.broadcast_to(x, (a, x.shape[0])), T.broadcast_to(x, x.shape)]",
        {"x": Arg("n"), "a": length("n + 1")},
        dtypes=FEW,
    ),
    Row(
        "[T.broadcast_to(x, (x.shape[0], a)), T.broadcast_to(x, (2, x.shape[0], 3))]",
        {"x": Arg("n 1"), "a": length("n - 1")},
        least={"n": 1},
        dtypes=FEW,
    ),
    Row(
        "T.broadcast_to(x, (2, a))",
        {"x": Arg("n"), "a": length("min(n, 3)")},
        slope=False,
        dtypes=FEW,
    ),
    Row("T.broadcast_arrays(x, y)", {"x": Arg("n 1"), "y": Arg("m")}),
    Row("T.broadcast_arrays(x, y, z)", {"x": Arg("n m"), "y": Arg("m"), "z": Arg()}, dtypes=FEW),
    Row(
        "[T.addbroadcast(x[:, :1], 1) + y, T.patternbroadcast(x[:, -1:], (False, True)) + y]",
        {"x": Arg("n m"), "y": Arg("n k")},
        plain="[x[:, :1] + y, x[:, -1:] + y]",
        least={"m": 1},
        dtypes=FEW,
    ),
    Row("T.unbroadcast(x, 0) + y", {"x": Arg("1 m"), "y": Arg("n m")}, plain="x + y", dtypes=FEW),
]


def with_lengths(x: Array, *lengths: int | None) -> Array:
    """Return an array if it has these lengths.

    Raises
    ------
    ValueError
        If it has others.
    """
    for known, wanted in zip(x.shape, lengths, strict=True):
        if wanted is not None and known != wanted:
            raise ValueError(f"length {known}, not {wanted}")
    return x


LENGTHS_OF = [
    *each(
        ["[x.shape, x.size, T.shape(x), T.size(x)]"],
        ["", "n", "n m", "n 3 m"],
        plain="2 * [np.array(x.shape, 'int64'), x.size]",
        slope=False,
        letters=FEW,
    ),
    Row(
        "[x.shape[0], x.shape[-1], T.shape(x)[::-1], x.T.shape, x[1:].size, x.shape[0] + x.size]",
        {"x": Arg("n m")},
        slope=False,
        dtypes=FEW,
    ),
    Row(
        "[T.opt.Shape_i(0)(x), T.opt.shape_i(x, 1)]",
        {"x": Arg("n m")},
        "biufc",
        "[*x.shape]",
        slope=False,
    ),
    Row(
        "T.opt.MakeVector(x.dtype)(x, y, x)",
        {"x": Arg(), "y": Arg()},
        plain=lambda x, y: np.array([x, y, x]),
    ),
    Row(
        "T.specify_shape(x, (3, None))",
        {"x": Arg("n m")},
        slope=False,
        plain=lambda x: with_lengths(x, 3, None),
        dtypes=FEW,
    ),
    Row(
        "[T.specify_shape(x, (None, a)), T.specify_shape(x, x.shape)]",
        {"x": Arg("n m"), "a": M},
        plain="[x, x]",
    ),
    Row(
        "T.specify_shape(x, (a, 4))",
        {"x": Arg("n m"), "a": length("min(n, 5)")},
        slope=False,
        plain=lambda x, a: with_lengths(x, int(a), 4),
        dtypes=FEW,
    ),
]

ROWS: list[Row] = [*RESHAPED, *AXES, *REPEATED, *LENGTHS_OF]
