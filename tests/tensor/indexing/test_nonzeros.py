"""Positions of elements that are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from tests.support.compare import check

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "complex128"])
def test_nonzero(dtype: str) -> None:
    x = T.TensorType(dtype, (None, None))("x")
    values = np.array([[0, 1, 0], [2, 0, 3]]).astype(dtype)
    special = values.copy()
    if special.dtype.kind in "fc":
        special[0, 0], special[0, 1] = np.nan, -0.0
    outputs = [
        *T.nonzero(x),
        T.nonzero(x, return_matrix=True),
        T.flatnonzero(x),
        T.nonzero_values(x),
    ]

    def reference(x: Any) -> list[Any]:
        return [*np.nonzero(x), np.array(np.nonzero(x)), np.flatnonzero(x), x[np.nonzero(x)]]

    calls = [(values,), (special[:, ::-1],), (np.asfortranarray(values),), (values[:0],)]
    check([x], outputs, calls, reference, kind="masks")
