"""Index arrays that are broadcast to one shape."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.indexing.joint_index import broadcast_indices
from tests.support.compare import oracle


def test_lengths_that_a_call_brings() -> None:
    i, j = T.lmatrix("i"), T.lmatrix("j")
    f = oracle([i, j], broadcast_indices([i, j]))
    a, b = np.arange(3).reshape(3, 1), np.arange(4).reshape(1, 4)
    for found, expected in zip(f(a, b), np.broadcast_arrays(a, b), strict=True):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="indexing"):
        f(np.zeros((2, 4), "int64"), np.zeros((3, 4), "int64"))


def test_nothing_is_done_where_static_lengths_decide() -> None:
    i, j = T.TensorType("int64", (3,))("i"), T.TensorType("int64", (1,))("j")
    assert broadcast_indices([i, j]) == [i, j]
    positions = T.matrix("x").nonzero()
    assert broadcast_indices(positions) == [*positions]


def test_ranges_are_not_repeated() -> None:
    labels = T.lvector("labels")
    rows = T.arange(labels.shape[0])
    found = broadcast_indices([rows, labels])
    assert found[0] is rows
    column = T.arange(labels.shape[0]).dimshuffle(0, "x")
    assert broadcast_indices([column, T.lmatrix("j")])[0] is column
