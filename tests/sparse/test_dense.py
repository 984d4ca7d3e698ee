"""Sums of sparse matrices, which are dense."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.sparse.type import DTYPES
from tests.sparse.harness import (
    FORMATS,
    check,
    interpreted,
    random_sparse,
    samples,
)

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("format", FORMATS)
def test_sums(format: str) -> None:
    x = S.matrix(format, "x")
    outputs = [S.sp_sum(x, axis, flag) for axis in (None, 0, 1, -1) for flag in (False, True)]

    def reference(x: Any) -> list[Any]:
        return [x.toarray().sum(axis) for axis in (None, 0, 1, -1) for _ in range(2)]

    check([x], [*outputs, x.sum(0)], [(a,) for a, _ in samples(format)],
          lambda x: [*reference(x), x.toarray().sum(0)])  # fmt: skip
    with pytest.raises(ValueError, match="a matrix has no axis 2"):
        S.sp_sum(x, 2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_of_every_dtype(dtype: str) -> None:
    x, d = S.csr_matrix("x", dtype), T.matrix("d", dtype)
    sums = [S.sp_sum(x, axis) for axis in (None, 0, 1)]
    a = random_sparse(1, dtype=dtype)
    check([x, d], [*sums], [(a, a.toarray())], c=False)
    got = interpreted([x, d], [*sums, d.sum(), d.sum(0), d.sum(1)])(a, a.toarray())
    for mine, its in zip(got[:3], got[3:], strict=True):
        assert mine.dtype == its.dtype
        np.testing.assert_allclose(mine, its, rtol=1e-5)
