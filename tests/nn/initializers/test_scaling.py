"""Initial values whose variance follows from the shape."""

from __future__ import annotations

from math import sqrt

import pytest

from symtheano.nn.initializers import (
    GlorotNormal,
    GlorotUniform,
    HeNormal,
    HeUniform,
    LeCunNormal,
    LeCunUniform,
    VarianceScaling,
    fans,
)
from symtheano.nn.initializers.elements import TRUNCATED_STD
from tests.nn.initializers.generators import rng


@pytest.mark.parametrize(
    ("kind", "variance"),
    [
        (GlorotUniform, lambda i, o: 2 / (i + o)),
        (GlorotNormal, lambda i, o: 2 / (i + o)),
        (HeUniform, lambda i, o: 2 / i),
        (HeNormal, lambda i, o: 2 / i),
        (LeCunUniform, lambda i, o: 1 / i),
        (LeCunNormal, lambda i, o: 1 / i),
    ],
)
@pytest.mark.parametrize(
    ("shape", "axes", "inputs", "outputs"),
    [
        ((300, 500), None, 300, 500),
        ((500, 300), (1, 0), 300, 500),
        ((100, 60, 5, 5), None, 60 * 25, 100 * 25),
        ((5, 5, 60, 100), (-2, -1), 60 * 25, 100 * 25),
    ],
)
def test_variance(
    kind: type[VarianceScaling],
    variance: object,
    shape: tuple[int, ...],
    axes: tuple[int, int] | None,
    inputs: int,
    outputs: int,
) -> None:
    made = kind(gain=3.0, axes=axes)(shape, "float64", rng())
    expected = 3.0 * sqrt(variance(inputs, outputs))
    assert abs(made.mean()) < 0.02 * expected
    assert made.std() == pytest.approx(expected, rel=0.01)
    limit = sqrt(3) if "Uniform" in kind.__name__ else 2 / TRUNCATED_STD
    assert 0.98 * limit * expected < abs(made).max() <= limit * expected


def test_fans() -> None:
    assert fans((2, 3)) == (2, 3)
    assert fans((8, 4, 3)) == (12, 24)
    assert fans((2, 3, 4), (1, 2)) == (6, 8)
    assert fans((7,)) == (7, 7)
    assert fans(()) == (1, 1)
    for axes in [(0, 2), (1, 1), (0, -2), (-3, 0)]:
        with pytest.raises(ValueError, match="not two axes of shape"):
            fans((2, 3), axes)
