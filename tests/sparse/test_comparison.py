"""Comparisons of sparse matrices with each other and with dense operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.errors import ShapeError
from tests.sparse.harness import (
    CLASSES,
    FORMATS,
    check,
    compiled,
    interpreted,
    random_sparse,
    samples,
)

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("format", FORMATS)
def test_comparisons(format: str) -> None:
    x, y, d = S.matrix(format, "x"), S.matrix(format, "y"), T.matrix("d")
    made = CLASSES[format]
    names = ("eq", "neq", "lt", "gt", "le", "ge")
    rows = (np.equal, np.not_equal, np.less, np.greater, np.less_equal, np.greater_equal)
    compare = [getattr(S, name) for name in names]
    outputs = [
        *(f(x, y) for f in compare), *(f(x, d) for f in compare), *(f(d, x) for f in compare),
        x < y, x >= d, x > 0,
    ]  # fmt: skip

    def reference(x: Any, y: Any, d: Any) -> list[Any]:
        a, b = x.toarray(), y.toarray()
        return [
            *(made(row(a, b).astype("uint8")) for row in rows),
            *(row(a, d).astype("uint8") for row in rows),
            *(row(d, a).astype("uint8") for row in rows),
            made((a < b).astype("uint8")), (a >= d).astype("uint8"), (a > 0).astype("uint8"),
        ]  # fmt: skip

    calls = [(a, b, b.toarray()) for a, b in samples(format)]
    check([x, y, d], outputs, calls, reference, c=format == "csr")
    kinds = ("equal", "not_equal", "less_than", "greater_than", "less_equal", "greater_equal")
    for kind, row in zip(kinds, rows, strict=True):
        both = [getattr(S, f"{kind}_s_s")(x, y), getattr(S, f"{kind}_s_d")(x, d)]
        a, b, dense = calls[0]
        got = interpreted([x, y, d], both)(a, b, dense)
        want = row(a.toarray(), dense).astype("uint8")
        assert got[0].dtype == got[1].dtype == "uint8"
        np.testing.assert_array_equal(got[0].toarray(), want)
        np.testing.assert_array_equal(got[1], want)


def test_operands_that_do_not_fit() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    for make in (interpreted, compiled):
        with pytest.raises(ShapeError, match="lt: the sparse matrix has length 4"):
            make([x, d], S.lt(x, d))(random_sparse(1), np.ones((5, 1)))
    with pytest.raises(TypeError, match="neither operand is sparse"):
        S.eq(d, d)
    with pytest.raises(TypeError, match="lt takes a matrix or a number"):
        S.lt(x, T.vector("v"))
