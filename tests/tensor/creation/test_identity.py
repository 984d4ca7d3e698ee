"""Matrices of ones on a diagonal."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from tests.support.compare import Array, check, compiled, oracle

pytestmark = pytest.mark.needs_cc


def test_eye() -> None:
    n, m, k = T.lscalar("n"), T.lscalar("m"), T.lscalar("k")
    outputs = [T.eye(n, m, k), T.eye(n), T.eye(3, 4, -1), T.eye(n, m, k, "int8") + 1]
    calls = [
        [np.array(v) for v in (a, b, c)] for a in (0, 1, 3) for b in (0, 2, 5) for c in (-3, 0, 1)
    ]

    def reference(n: Array, m: Array, k: Array) -> list[Array]:
        whole = np.eye(int(n), int(m), int(k))
        return [whole, np.eye(int(n)), np.eye(3, 4, -1), whole.astype("int8") + np.int8(1)]

    check([n, m, k], outputs, calls, reference, kind="creation")


def test_an_identity_matrix_of_negative_size_is_refused() -> None:
    n = T.lscalar("n")
    f, g = compiled([n], T.nonzero(T.eye(n, 2))), oracle([n], T.nonzero(T.eye(n, 2)))
    for run in (f, g):
        with pytest.raises(ValueError, match="eye: axis 0 can't have length -1"):
            run(np.array(-1))
    with pytest.raises(ValueError, match="eye: a length can't be -2"):
        T.eye(-2)
