"""Theano's modules of linear algebra have our functions."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.tensor import nlinalg, slinalg


def test_theanos_modules_name_them() -> None:
    for module in (nlinalg, slinalg):
        for name in module.__all__:
            assert callable(getattr(module, name))
    a = T.matrix("a")
    assert slinalg.Cholesky(lower=True)(a).type == a.type
    assert slinalg.Solve(A_structure="lower_triangular")(a, a[0]).ndim == 1
    assert nlinalg.Det()(a).ndim == 0
