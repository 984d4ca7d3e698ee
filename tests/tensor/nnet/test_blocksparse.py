"""Products with blocks: gradients by differences, without a batch, bad indices."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import verify_grad
from symtheano.errors import BoundsError
from symtheano.tensor.nnet import blocksparse
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc

ROWS, COLUMNS = np.array([[0, 2], [1, 1]]), np.array([[1, 0, 1], [0, 0, 1]])


def test_gradients() -> None:
    random = np.random.default_rng(1)
    w, h, b = (random.normal(size=shape) for shape in ((3, 2, 4, 5), (2, 2, 4), (2, 5)))
    verify_grad(
        lambda w, h, b: blocksparse.sparse_block_dot(w, h, ROWS, b, COLUMNS) ** 2, [w, h, b],
        rng=random,
    )  # fmt: skip
    x, y = random.normal(size=(2, 2, 4)), random.normal(size=(2, 3, 5))
    verify_grad(
        lambda o, x, y: blocksparse.sparse_block_outer(o, x, y, ROWS, COLUMNS, 2.0) ** 2, [w, x, y],
        rng=random,
    )  # fmt: skip


def test_without_a_batch_there_is_a_batch_of_one() -> None:
    random = np.random.default_rng(2)
    w, h, b = (random.normal(size=shape) for shape in ((3, 2, 4, 5), (2, 4), (2, 5)))
    found = blocksparse.sparse_block_dot(w, h, ROWS[0], b, COLUMNS[0]).eval()
    want = [b[j] + sum(h[k] @ w[i, j] for k, i in enumerate(ROWS[0])) for j in COLUMNS[0]]
    assert found.shape == (1, 3, 5)
    np.testing.assert_allclose(found[0], want)


def test_bad_arguments() -> None:
    w, h, b, i = T.dtensor4("w"), T.dtensor3("h"), T.dmatrix("b"), T.lmatrix("i")
    f = compiled([w, h, b, i], blocksparse.sparse_block_dot(w, h, i, b, i))
    args = np.zeros((2, 2, 1, 1)), np.zeros((1, 1, 1)), np.zeros((2, 1))
    assert f(*args, np.array([[1]])).shape == (1, 1, 1)
    with pytest.raises(BoundsError):
        f(*args, np.array([[2]]))
    with pytest.raises(TypeError, match="one less"):
        blocksparse.sparse_block_dot(w, b, i, b, i)
    with pytest.raises(TypeError, match="integer matrices"):
        blocksparse.sparse_block_gemv(h, w, h, b, b)
    with pytest.raises(TypeError, match="W has 4"):
        blocksparse.sparse_block_gemv(h, h, h, i, i)
    with pytest.raises(TypeError, match="o has 4"):
        blocksparse.sparse_block_outer(h, h, h, i, i)
