"""Matrices of data, indices and starts, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.errors import BoundsError, ShapeError
from tests.sparse.harness import (
    CLASSES,
    FORMATS,
    check,
    compiled,
    interpreted,
    random_sparse,
    shuffled,
)

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("format", FORMATS)
def test_components(format: str) -> None:
    x, v = S.matrix(format, "x"), T.vector("v")
    data, indices, indptr, shape = S.csm_properties(x)
    assert S.csm_data(x) is data
    twice = S.CSM(format)(data * 2, indices, indptr, shape)
    other = S.CSM(format)(v, [1, 0, 2, 1], [0, 2, 2, 4], (3, 3))
    outputs = [data, indices, indptr, shape, twice, other]
    a = shuffled(random_sparse(1, format=format))
    values = np.arange(1.0, 5.0)

    def reference(x: Any, v: Any) -> list[Any]:
        made = CLASSES[format]((v, [1, 0, 2, 1], [0, 2, 2, 4]), shape=(3, 3))
        return [x.data, x.indices, x.indptr, np.array(x.shape, "int64"), x * 2, made]

    check([x, v], outputs, [(a, values)], reference)
    assert S.csm_indices(twice).owner.inputs[0] is indices


def test_structures_that_are_refused_in_a_call() -> None:
    v, i, p = T.vector("v"), T.ivector("i"), T.ivector("p")
    x = S.CSR(v, i, p, (2, 3))
    good = [np.ones(2), np.array([0, 2], "int32"), np.array([0, 1, 2], "int32")]
    cases: list[tuple[int, list[int], type[Exception], str]] = [
        (1, [0, 3], BoundsError, "outside its axis of length 3"),
        (1, [-1, 2], BoundsError, "outside its axis of length 3"),
        (1, [0], ShapeError, "1 indices for 2 stored elements"),
        (2, [0, 2], ShapeError, "indptr describes 1 rows or columns, the shape 2"),
        (2, [0, 3, 2], ValueError, "does not rise from 0 to the number of stored elements, 2"),
        (2, [1, 1, 2], ValueError, "does not rise"),
        (2, [0, 1, 3], ValueError, "does not rise"),
        (2, [0, -1, 2], ValueError, "does not rise"),
    ]
    for make in (interpreted, compiled):
        f = make([v, i, p], x.toarray())
        np.testing.assert_array_equal(f(*good), [[1, 0, 0], [0, 0, 1]])
        for position, wrong, error, message in cases:
            args = [*good]
            args[position] = np.array(wrong, "int32")
            with pytest.raises(error, match=message):
                f(*args)


def test_what_makes_no_matrix() -> None:
    v, i = T.vector("v"), T.ivector("i")
    with pytest.raises(TypeError, match="data must be a vector"):
        S.CSR(T.matrix("m"), i, i, (2, 2))
    with pytest.raises(TypeError, match="indices must be a vector of integers"):
        S.CSR(v, v, i, (2, 2))
    with pytest.raises(ValueError, match="a shape has two lengths, not 3"):
        S.CSR(v, i, i, (2, 2, 2))
    with pytest.raises(NotImplementedError, match="kmap"):
        S.CSM("csr", kmap=[0])
    with pytest.raises(
        NotImplementedError, match="'bsr' is not supported; csr and csc are"
    ) as caught:
        S.CSM("bsr")
    assert "convert others by asformat" in str(caught.value)
    with pytest.raises(TypeError, match="csr_from_dense takes a matrix, not 1 dims"):
        S.csr_from_dense(v)
