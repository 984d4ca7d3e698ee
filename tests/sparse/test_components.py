"""Sparse matrices from components, and back."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.errors import ShapeError
from symtheano.sparse.components import csx_from_dense, piled, scattered
from symtheano.sparse.csm import open_sparse, pack
from tests.sparse.harness import FORMATS, doubled, interpreted, random_sparse, valid


@pytest.mark.parametrize("format", FORMATS)
def test_nonzero_elements_of_dense_matrices(format: str) -> None:
    d = T.matrix("d")
    f = interpreted([d], csx_from_dense(d, format))
    for dense in (random_sparse(1).toarray(), np.zeros((3, 0)), np.zeros((0, 3)), np.eye(2)):
        made = f(dense)
        valid(made)
        assert (made.format, made.nnz) == (format, np.count_nonzero(dense))
        np.testing.assert_array_equal(made.toarray(), dense)


@pytest.mark.parametrize("format", FORMATS)
def test_elements_that_are_stored_twice_are_added(format: str) -> None:
    x = S.matrix(format, "x")
    a = random_sparse(1, format=format)
    np.testing.assert_allclose(interpreted([x], scattered(x))(doubled(a)), a.toarray())


def test_rows_of_matrices() -> None:
    x, y = S.csr_matrix("x"), S.csc_matrix("y")
    blocks = [open_sparse(x), open_sparse(y)]
    f = interpreted([x, y], pack(piled(blocks, "piled: lengths {} and {}", "float64")))
    a, b = random_sparse(1, (3, 4)), random_sparse(2, (2, 4), "csc")
    made = f(a, b)
    valid(made)
    np.testing.assert_array_equal(made.toarray(), scipy.sparse.vstack([a, b]).toarray())
    with pytest.raises(ShapeError, match="piled: lengths 4 and 5"):
        f(a, random_sparse(2, (2, 5), "csc"))
