"""Running sums and products, and differences of neighbours."""

from __future__ import annotations

from tests.conformance.draws import factor, within
from tests.conformance.row import Arg, Row, each

DIMS = ("", "n", "n m")

ROWS: list[Row] = [
    *each(["T.cumsum(x)"], DIMS),
    *each(["T.cumsum(x, axis=0)", "T.cumsum(x, -1)"], ["n m", "n m k"]),
    *each(["x.cumsum(axis=1)"], ["n m k"]),
    *each(["T.cumprod(x)"], DIMS, draw=factor),
    *each(["T.cumprod(x, axis=0)", "T.cumprod(x, -1)"], ["n m", "n m k"], draw=factor),
    *each(["x.cumprod(1)"], ["n m k"], draw=factor),
    *each(["T.cumprod(x, axis=1)"], ["n m"], draw=within(0, 2), x_edges=False),
    # The dtype of the result is that of the sums.
    *each(["T.cumsum(x, dtype='float64')"], ["n m"], "biuf"),
    *each(["T.cumsum(x, 0, dtype='int8')"], ["n m"], "biu"),
    *each(["T.cumsum(x, 1, dtype='complex128')"], ["n m"]),
    *each(
        ["T.cumprod(x, 1, dtype='float32')"],
        ["n m"],
        "biuf",
        draw=factor,
        plain="np.cumprod(x.astype('float32'), 1)",
    ),
    # Ops, which keep the operand's dtype.
    *each(["T.CumOp(axis=1)(x)"], ["n m"], plain="np.cumsum(x, 1, x.dtype)"),
    *each(["T.CumOp(0, mode='mul')(x)"], ["n m"], draw=factor, plain="np.cumprod(x, 0, x.dtype)"),
    # Views in, and elementwise ops around.
    *each(["T.cumsum(x.T, axis=1)", "T.cumsum(x[::-1], axis=0)[::-1]"], ["n m"]),
    *each(
        ["T.cumsum(x * y, axis=0) - y"],
        ["n m"],
        "iufc",
        args={"y": Arg("n m")},
        plain="np.cumsum(x * y, axis=0) - y",
    ),
    # Differences.
    *each(["T.diff(x)"], ["n", "n m"]),
    *each(["T.diff(x, axis=0)", "T.diff(x, n=2, axis=1)", "T.diff(x, 3, 0)"], ["n m"]),
    *each(["T.diff(x, n=0)"], ["n"]),
    *each(["T.diff(x, n=5, axis=-2)"], ["n m k"]),
    *each(["T.diff(T.cumsum(x, axis=1), axis=1)"], ["n m"], "f"),
]
