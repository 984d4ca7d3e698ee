"""Loops over rows, compared with NumPy's cumulative functions."""

from __future__ import annotations

import numpy as np

from tests.conformance.row import Arg, Row

ROWS: list[Row] = [
    Row("symtheano.scan(lambda row, total: total + row * 0.5, x, T.zeros(x.shape[1:], x.dtype))[0]",
        {"x": Arg("n m", edges=False)}, "F",
        plain=lambda x: np.cumsum(x * x.dtype.type(0.5), axis=0), slack=100),
    Row("symtheano.scan_checkpoints(lambda row, total: total + row * 0.5, x, "
        "T.zeros(x.shape[1:], x.dtype), save_every_N=2)[0]",
        {"x": Arg("4 m", edges=False)}, "F",
        plain=lambda x: np.cumsum(x * x.dtype.type(0.5), axis=0)[1::2], slack=100),
    Row("symtheano.map(lambda row: row * row, x)[0]", {"x": Arg("n m")}, "iuF", plain="x * x"),
    Row("[symtheano.reduce(lambda v, total: total + v, x, T.zeros(x.shape[1:], x.dtype))[0], "
        "symtheano.foldl(lambda v, total: total + v, x, T.zeros(x.shape[1:], x.dtype))[0], "
        "symtheano.foldr(lambda v, total: total + v, x, T.zeros(x.shape[1:], x.dtype))[0]]",
        {"x": Arg("3")}, "F", plain="[x.sum(), x.sum(), x.sum()]", slack=100),
    Row("symtheano.scan(lambda h, w: T.dot(h, w), None, x, y, n_steps=2)[0]",
        {"x": Arg("n m", edges=False), "y": Arg("m m", edges=False)}, "F",
        plain=lambda x, y: np.stack([x @ y, x @ y @ y]), slack=200),
    Row("(lambda v: (lambda op: op(op(x)))(symtheano.OpFromGraph([v], [T.cumsum(v)])))(x.type())",
        {"x": Arg("n", edges=False)}, "F", plain="np.cumsum(np.cumsum(x))", slack=100),
    Row("symtheano.ifelse.ifelse(x[0] > 0, x + x, x[::-1])", {"x": Arg("n")}, "iuF",
        plain=lambda x: x + x if x[0] > 0 else x[::-1]),
]  # fmt: skip
