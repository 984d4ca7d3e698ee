"""Conversions, order, stacking, and components, against SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.errors import ShapeError
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
