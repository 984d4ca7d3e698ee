"""Singular values: what needs no factorization."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.tensor.linalg.eigen import eigh, eigvalsh
from symtheano.tensor.linalg.inverse import pinv
from symtheano.tensor.linalg.lu import lu
from symtheano.tensor.linalg.matmul import matmul
from symtheano.tensor.linalg.products import (
    kron,
)
from symtheano.tensor.linalg.qr import qr
from symtheano.tensor.linalg.svd import svd
from tests.support.compare import oracle
from tests.tensor.linalg.matrices import (
    arrays,
)


@pytest.mark.needs_cc
def test_shapes_need_no_factorization() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    made = [
        svd(x)[0], svd(x, False)[2], qr(x)[1], qr(x, "complete")[0], pinv(x), lu(x)[1],
        kron(x, y), matmul(x, x.T), eigh(matmul(x, x.T))[1],
    ]  # fmt: skip
    f = function([x, y], [item.shape for item in made], on_unused_input="ignore")
    names = {type(node.op).__name__ for node in f.graph.nodes}
    assert not names & {"SVD", "QR", "MatrixPinv", "LU", "Eigh", "Dot"}
    a, b = arrays("float64", (4, 2), (2, 3))
    got = [tuple(item) for item in f(a, b)]
    assert got == [(4, 4), (2, 2), (2, 2), (4, 4), (2, 4), (4, 2), (8, 6), (4, 4), (4, 4)]


def test_gradients_of_equal_values() -> None:
    a = T.matrix("a")
    eye = np.eye(3)
    for value in (eigh(a)[0], svd(a)[1], svd(a, compute_uv=False), eigvalsh(a)):
        found = oracle([a], grad(value.sum(), a))(eye)
        assert np.allclose(found, eye)
    for value in (eigh(a)[1], svd(a, False)[0]):
        found = oracle([a], grad(value.sum(), a))(eye)
        assert not np.isfinite(found).all()
