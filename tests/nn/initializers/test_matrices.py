"""Initial values that are matrices with a property."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano.nn.initializers import (
    Identity,
    Orthogonal,
    Sparse,
)
from tests.nn.initializers.generators import rng


@pytest.mark.parametrize("shape", [(4, 4), (6, 3), (3, 6), (8, 2, 2, 2), (3, 4, 5)])
def test_orthogonal(shape: tuple[int, ...]) -> None:
    made = Orthogonal(1.5)(shape, "float64", rng()).reshape(shape[0], -1)
    small = made @ made.T if made.shape[0] <= made.shape[1] else made.T @ made
    np.testing.assert_allclose(small, 2.25 * np.eye(len(small)), atol=1e-12)


def test_orthogonal_has_both_signs_of_the_determinant() -> None:
    signs = {
        float(np.linalg.det(Orthogonal()((3, 3), "float64", seed)).round()) for seed in range(20)
    }
    assert signs == {-1.0, 1.0}


def test_identity() -> None:
    assert_array_equal(Identity()((3, 2), "float64"), np.eye(3, 2))
    filters = Identity(2.0)((2, 3, 3, 5), "float64")
    image = rng().normal(size=(3, 7, 9))
    for out in range(2):
        window = sum(
            filters[out, i, a, b] * image[i, a : a + 5, b : b + 5]
            for i in range(3)
            for a in range(3)
            for b in range(5)
        )
        assert_array_equal(window, 2 * image[out, 1:6, 2:7])


def test_sparse() -> None:
    made = Sparse(0.7, 0.5)((10, 400), "float64", rng())
    assert_array_equal((made == 0).sum(axis=0), np.full(400, 7))
    assert (made == 0).mean(axis=1) == pytest.approx(0.7, abs=0.12)
    assert made[made != 0].std() == pytest.approx(0.5, rel=0.1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Sparse(1.5)
