"""Diagonals of sparse matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from tests.sparse.harness import (
    CLASSES,
    FORMATS,
    check,
    compiled,
    samples,
)

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("format", FORMATS)
def test_diagonals(format: str) -> None:
    x, v = S.matrix(format, "x"), T.vector("v")
    outputs = [S.diag(x), S.square_diagonal(v), S.diag(x.T)]

    def reference(x: Any, v: Any) -> list[Any]:
        return [x.diagonal(), CLASSES["csc"](np.diag(v)), x.T.diagonal()]

    calls = [(a, np.arange(1.0, 4.0)) for a, _ in samples(format) if min(a.shape)]
    check([x, v], outputs, calls, reference)
    empty = compiled([v], S.square_diagonal(v))(np.zeros(0))
    assert empty.shape == (0, 0)
    with pytest.raises(TypeError, match="square_diagonal takes a vector"):
        S.square_diagonal(T.matrix("m"))
