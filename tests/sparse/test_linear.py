"""Linear ops: each computes the same from stored elements as from dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.sparse import linear
from tests.sparse.harness import FORMATS, interpreted, random_sparse, same

OPS = {
    "add": (linear.Add(), 2),
    "neg": (linear.Neg(), 1),
    "transpose": (linear.Transpose(), 1),
    "converted": (linear.Converted("csc", "float32"), 1),
    "tidied": (linear.Tidied("sorted"), 1),
    "hstack": (linear.Stacked("hstack", "csr", "float64"), 2),
    "vstack": (linear.Stacked("vstack", "csc", "float64"), 2),
}


@pytest.mark.parametrize("format", FORMATS)
def test_stored_and_dense_elements(format: str) -> None:
    matrices = [S.matrix(format, "x"), S.matrix(format, "y")]
    arrays = [T.matrix("a"), T.matrix("b")]
    values = [random_sparse(seed, format=format) for seed in (1, 2)]
    stored = [op(*matrices[:count]) for op, count in OPS.values()]
    dense = [op.dense(*arrays[:count]) for op, count in OPS.values()]
    got = interpreted(matrices, stored)(*values)
    want = interpreted(arrays, dense)(*(value.toarray() for value in values))
    for name, mine, its in zip(OPS, got, want, strict=True):
        same(mine.toarray(), its, name)


def test_formats_and_dtypes() -> None:
    x = S.csr_matrix("x", "complex64")
    assert linear.Transpose()(x).type.format == "csc"
    assert (linear.cast(x, "complex128").dtype, linear.neg(x).dtype) == ("complex128", "complex64")
    assert linear.in_format(x, "csr") is x
    assert linear.in_format(x, "csc").type.format == "csc"
    d = T.matrix("d")
    assert linear.in_format(d, "csc") is d


def test_gradients_made_from_dense_matrices_become_dense_again() -> None:
    d, x = T.matrix("d"), S.csr_matrix("x")
    full = linear.Neg()(linear.Transpose()(linear.FromDense("csr")(d)))
    assert linear.is_full(full)
    assert not linear.is_full(linear.Neg()(x))
    value = random_sparse(1).toarray()
    made = linear.densified(full)
    np.testing.assert_array_equal(interpreted([d], made)(value), -value.T)
    nodes, stack = [], [made]
    while stack:
        node = stack.pop().owner
        if node is not None:
            nodes.append(node)
            stack.extend(node.inputs)
    assert not any(isinstance(node.op, linear.FromDense) for node in nodes)


def test_real_parts_of_complex_matrices() -> None:
    x = S.csr_matrix("x", "complex128")
    a = random_sparse(1, dtype="complex128")
    got: Any = interpreted([x], linear.Converted("csr", "float64")(x))(a)
    np.testing.assert_array_equal(got.toarray(), a.toarray().real)
