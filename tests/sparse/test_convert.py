"""Conversions, order, stacking, and components, against SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.errors import BoundsError, ShapeError
from symtheano.sparse.type import DTYPES
from tests.sparse.harness import (
    CLASSES,
    FORMATS,
    check,
    check_sparse,
    compiled,
    interpreted,
    random_sparse,
    samples,
    shuffled,
)

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("format", FORMATS)
def test_conversions(format: str) -> None:
    x, d = S.matrix(format, "x"), T.matrix("d")
    made, flipped = CLASSES[format], {"csr": "csc", "csc": "csr"}[format]
    outputs = [
        x.toarray(), S.dense_from_sparse(x, structured=False), x.T, S.to_format(x, "csr"),
        S.to_format(x, "csc"), S.ensure_sorted_indices(x), S.sum_duplicates(x), S.remove0(x),
        S.clean(x), S.csr_from_dense(d), S.csc_from_dense(d), S.SparseFromDense(format)(d), x.shape,
    ]  # fmt: skip

    def reference(x: Any, d: Any) -> list[Any]:
        a = x.toarray()
        return [
            a, a, CLASSES[flipped](a.T), CLASSES["csr"](a), CLASSES["csc"](a), *[made(a)] * 4,
            CLASSES["csr"](d), CLASSES["csc"](d), made(d), np.array(a.shape, "int64"),
        ]  # fmt: skip

    check([x, d], outputs, [(a, b.toarray()) for a, b in samples(format)], reference)


@pytest.mark.parametrize("format", FORMATS)
def test_order_and_stored_zeros(format: str) -> None:
    x = S.matrix(format, "x")
    a = shuffled(random_sparse(1, format=format))
    a.data[::2] = 0
    in_order = interpreted([x], S.ensure_sorted_indices(x))(a)
    assert not a.has_sorted_indices
    assert in_order.has_sorted_indices
    assert in_order.nnz == a.nnz
    assert interpreted([x], S.remove0(x))(a).nnz == np.count_nonzero(a.data)
    assert interpreted([x], S.clean(x))(a).has_sorted_indices
    for output in (S.ensure_sorted_indices(x), S.remove0(x), S.clean(x), S.to_format(x, "csc")):
        check_sparse([x], output, [(a,)])


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype: str) -> None:
    x, d = S.csc_matrix("x", dtype), T.matrix("d", dtype)
    outputs = [x.toarray(), S.to_format(x, "csr"), S.csc_from_dense(d)]
    a = random_sparse(1, format="csc", dtype=dtype)

    def reference(x: Any, d: Any) -> list[Any]:
        return [x.toarray(), x.tocsr(), x]

    check(
        [x, d], outputs, [(a, a.toarray())], reference, c=dtype in ("bool", "uint16", "complex64")
    )


@pytest.mark.parametrize("format", FORMATS)
def test_stacks(format: str) -> None:
    x, y, z = S.matrix(format, "x"), S.csr_matrix("y", "float32"), S.csc_matrix("z", "int8")
    outputs = [
        S.vstack([x, y]), S.vstack([x, y, z], format="csr"), S.hstack([x, y], dtype="float32"),
        S.hstack([z, z], format="csr"), S.hstack([x]),
    ]  # fmt: skip

    def reference(x: Any, y: Any, z: Any) -> list[Any]:
        return [
            scipy.sparse.vstack([x, y], "csc"), scipy.sparse.vstack([x, y, z], "csr"),
            scipy.sparse.hstack([x, y], "csc", "float32"), scipy.sparse.hstack([z, z], "csr"),
            scipy.sparse.csc_matrix(x),
        ]  # fmt: skip

    calls = [(a, b.tocsr().astype("float32"), b.tocsc().astype("int8")) for a, b in samples(format)]
    check([x, y, z], outputs, calls, reference, c=format == "csr")


def test_stacks_that_do_not_fit() -> None:
    x, y = S.csr_matrix("x"), S.csc_matrix("y")
    a, b = random_sparse(1), random_sparse(2, (4, 5), "csc")
    for make in (interpreted, compiled):
        with pytest.raises(ShapeError, match="vstack: the blocks have 4 and 5 columns"):
            make([x, y], S.vstack([x, y]))(a, b)
        with pytest.raises(ShapeError, match="hstack: the blocks have 5 and 4 rows"):
            make([x, y], S.hstack([x, y]))(a, b)
    with pytest.raises(TypeError, match="takes a list of sparse matrices"):
        S.vstack([])
    with pytest.raises(TypeError, match="is not a sparse matrix"):
        S.hstack([x, T.matrix("d")])


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
