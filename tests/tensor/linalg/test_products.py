"""Outer, inner and other products against NumPy."""

from __future__ import annotations

import numpy as np

from symtheano.tensor.linalg.products import (
    inner,
    kron,
    matrix_dot,
    multi_dot,
    trace,
    vdot,
)
from tests.tensor.linalg.matrices import (
    arrays,
    same,
    variables,
)


def test_other_products() -> None:
    a, b, v = arrays("complex128", (2, 3), (4, 3), (3,))
    x, y, w = variables(a, b, v)
    same(
        [inner(x, y), inner(x, w), inner(w, w), vdot(x, x), kron(x, y), kron(x, w), kron(w, x),
         matrix_dot(x, y.T, y, w), trace(x), trace(x, 1), trace(x, -1), trace(x, 5)],
        [x, y, w], [a, b, v],
        [np.inner(a, b), np.inner(a, v), np.inner(v, v), np.vdot(a, a), np.kron(a, b),
         np.kron(a, v), np.kron(v, a), a @ b.T @ b @ v, np.trace(a), np.trace(a, 1),
         np.trace(a, -1), np.trace(a, 5)],
        tolerance=1e-12,
    )  # fmt: skip
    c, d = arrays("float64", (2, 3, 2), (2, 2, 2, 3))
    x, y = variables(c, d)
    same(kron(x, y), [x, y], [c, d], np.kron(c, d), tolerance=1e-12)
    same(multi_dot([x[0], y[0, 0], y[0, 1].T]), [x, y], [c, d],
         np.linalg.multi_dot([c[0], d[0, 0], d[0, 1].T]), tolerance=1e-12)  # fmt: skip
    same(inner(x, x[0]), [x, y], [c, d], np.inner(c, c[0]), tolerance=1e-12)
