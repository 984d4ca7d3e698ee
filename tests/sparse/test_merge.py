"""Structures that are made of those of other matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_array_equal

import symtheano.tensor as T
from symtheano import function
from symtheano.sparse.csm import pack
from symtheano.sparse.merge import converted, kept, ordered, summed, union, values_at
from symtheano.sparse.parts import Parts

MODES = [None, "INTERPRET"]
A = scipy.sparse.csr_matrix(np.array([[0.0, 1, 2], [0, 0, 0], [3, 0, 4]]))
B = scipy.sparse.csr_matrix(np.array([[5.0, 0, 6], [0, 7, 0], [0, 0, 8]]))
# Elements in no order, with a duplicate and a stored zero.
UNTIDY = scipy.sparse.csr_matrix(
    (np.array([2.0, 1, 5, 0, 3]), np.array([2, 0, 2, 1, 0]), np.array([0, 4, 4, 5])), (3, 3)
)


def result(make: Any, mode: Any, *matrices: Any) -> Any:
    """Return what is made of the components of matrices, which are passed as they are."""
    inputs, parts, values = [], [], []
    for matrix in matrices:
        vectors = [T.dvector(), T.ivector(), T.ivector()]
        inputs += vectors
        parts.append(Parts("csr", *vectors, T.constant(matrix.shape[1])))
        values += [matrix.data, matrix.indices, matrix.indptr]
    return function(inputs, make(*parts), mode=mode)(*values)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("matrix", [A, UNTIDY], ids=["tidy", "untidy"])
def test_formats_and_order(matrix: Any, mode: Any) -> None:
    other = result(lambda x: pack(converted(x, "csc")), mode, matrix)
    assert other.format == "csc"
    assert_array_equal(other.toarray(), matrix.toarray())
    sorted_ = result(lambda x: pack(ordered(x)), mode, matrix)
    assert sorted_.nnz == matrix.nnz
    assert all((np.diff(row) >= 0).all() for row in np.split(sorted_.indices, sorted_.indptr[1:-1]))


@pytest.mark.parametrize("mode", MODES)
def test_duplicates_are_added(mode: Any) -> None:
    found = result(lambda x: pack(summed(x)), mode, UNTIDY)
    assert found.nnz == 4  # the stored zero stays
    assert_array_equal(found.toarray(), UNTIDY.toarray())


@pytest.mark.parametrize("mode", MODES)
def test_a_union_has_the_elements_of_both(mode: Any) -> None:
    def make(x: Any, y: Any) -> list[Any]:
        both = union("f", x, y)
        return [pack(both.parts.with_data(item)) for item in (both.left, both.right)]

    left, right = result(make, mode, A, B)
    assert left.nnz == right.nnz == ((A != 0) + (B != 0)).nnz
    assert_array_equal(left.toarray(), A.toarray())
    assert_array_equal(right.toarray(), B.toarray())


@pytest.mark.parametrize("mode", MODES)
def test_elements_at_the_places_of_another_matrix(mode: Any) -> None:
    found = result(values_at, mode, B, A)
    assert_array_equal(found, [B[i, j] for i, j in zip(*A.nonzero(), strict=True)])


@pytest.mark.parametrize("mode", MODES)
def test_elements_that_are_kept(mode: Any) -> None:
    found = result(lambda x: pack(kept(x, T.gt(x.data, 2))), mode, A)
    assert found.nnz == 2
    assert_array_equal(found.toarray(), np.where(A.toarray() > 2, A.toarray(), 0))
