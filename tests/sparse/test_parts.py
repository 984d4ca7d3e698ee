"""Components of a sparse matrix, and what follows from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import function
from symtheano.sparse.parts import Parts

A = scipy.sparse.csr_matrix(np.array([[0.0, 1, 2], [0, 0, 0]]))


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_numbers_and_places(format: str, mode: Any) -> None:
    matrix = A.asformat(format)
    vectors = [T.dvector(), T.ivector(), T.ivector()]
    parts = Parts(format, *vectors, T.constant(3 if format == "csr" else 2))
    shape = [T.as_tensor_variable(item) for item in (*parts.shape, parts.count)]
    outputs = [*shape, parts.segments, *parts.coordinates]
    f = function(vectors, outputs, mode=mode, on_unused_input="ignore")
    rows, columns, count, segments, i, j = f(matrix.data, matrix.indices, matrix.indptr)
    assert (rows, columns, count) == (2, 3, 2)
    assert (i.tolist(), j.tolist()) == ([0, 0], [1, 2])
    assert segments.tolist() == (i if format == "csr" else j).tolist()


def test_a_transpose_has_the_other_format_and_the_same_components() -> None:
    vectors = [T.dvector(), T.ivector(), T.ivector()]
    parts = Parts("csr", *vectors, T.constant(3))
    other = parts.transposed
    assert other.format == "csc"
    assert (other.data, other.indices, other.indptr) == tuple(vectors)
    data = T.dvector()
    assert parts.with_data(data).data is data
