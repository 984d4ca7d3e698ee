"""Types of sparse matrices, and values that they take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

from symtheano import sparse as S
from symtheano.errors import MisfitError
from symtheano.sparse.type import SparseType
from tests.sparse.harness import random_sparse, same

pytestmark = pytest.mark.needs_cc


def test_types() -> None:
    kind = SparseType("csr", "float32")
    assert kind == SparseType("csr", np.float32) != SparseType("csc", "float32")
    assert hash(kind) == hash(SparseType("csr", "float32"))
    assert kind.clone(dtype="int8") == SparseType("csr", "int8")
    assert S.csr_fmatrix("x").type == kind
    assert S.csc_dmatrix("x").type == S.matrix("csc").type == S.csc_matrix().type
    assert (kind.ndim, kind.broadcastable) == (2, (False, False))
    for format in ("bsr", "coo"):
        with pytest.raises(NotImplementedError, match="is not supported; csr and csc are"):
            SparseType(format, "float32")
    with pytest.raises(TypeError, match="float16 are not supported"):
        SparseType("csr", "float16")


def test_values_that_types_take() -> None:
    kind, a = SparseType("csr", "float32"), random_sparse(1, dtype="float32")
    assert kind.filter(a) is a
    assert kind.filter(a.tocsc()).format == "csr"
    assert kind.filter(a.astype("int8")).dtype == "float32"
    same(kind.filter(a.toarray()), a)
    same(kind.filter(scipy.sparse.csr_array(a)), a)
    same(kind.filter(a.astype("float64"), allow_downcast=True), a)
    cases: list[tuple[Any, bool, str]] = [
        (a.astype("float64"), False, "without losing precision"),
        (a.astype("complex64"), False, "can't take complex numbers"),
        (a.tocsc(), True, "got a csc matrix of float32"),
        ([[1.0]], False, "can't take a value of type list"),
        (np.ones(3), False, "can't take a value of type ndarray"),
    ]
    for value, strict, message in cases:
        with pytest.raises(MisfitError, match=message):
            kind.filter(value, strict=strict)
    assert kind.is_valid_value(a)
    assert not kind.is_valid_value(a.tocsc())
