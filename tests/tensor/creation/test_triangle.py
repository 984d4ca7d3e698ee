"""Triangles of matrices, and their positions."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.creation.triangle import (
    tri,
    tril_indices,
    tril_indices_from,
    triu_indices,
    triu_indices_from,
)
from symtheano.tensor.type import TensorType
from tests.support.compare import Array, check

pytestmark = pytest.mark.needs_cc


def test_triangles_and_their_positions() -> None:
    n, m, k = T.lscalar("n"), T.lscalar("m"), T.lscalar("k")
    x = TensorType("float64", (None, None))("x")
    outputs = [
        tri(n), tri(n, m), tri(n, m, k, "int8"), *tril_indices(n), *triu_indices(n),
        *tril_indices(n, k, m), *triu_indices(n, k, m), *tril_indices_from(x),
        *triu_indices_from(x, k),
    ]  # fmt: skip

    def reference(n: Array, m: Array, k: Array, x: Array) -> list[Array]:
        a, b, c = int(n), int(m), int(k)
        return [
            np.tri(a), np.tri(a, b), np.tri(a, b, c, "int8"), *np.tril_indices(a),
            *np.triu_indices(a), *np.tril_indices(a, c, b), *np.triu_indices(a, c, b),
            *np.tril_indices_from(x), *np.triu_indices_from(x, c),
        ]  # fmt: skip

    calls = [
        [np.array(a), np.array(b), np.array(c), np.zeros((a, b))]
        for a, b, c in ((3, 4, 0), (4, 2, -1), (0, 3, 1), (2, 2, 5), (3, 3, -4))
    ]
    check([n, m, k, x], outputs, calls, reference, kind="diagonals")
