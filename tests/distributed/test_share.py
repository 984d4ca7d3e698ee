"""The share of a rank: its value, and the numbers by which shapes are compared."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.distributed.share import Share, _factor

pytestmark = pytest.mark.needs_mpi


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_the_share_of_one_rank(mode: str | None) -> None:
    own, x = T.dscalar("own"), T.fmatrix("x")
    outputs = [Share(divides, 2)(own, x) for divides in (True, False)]
    f = function([own, x], outputs, mode=mode)
    for weight, share in ((3.0, 1.0), (0.0, 0.0)):
        assert [float(value) for value in f(weight, np.ones((2, 3), "float32"))] == [share, weight]


def test_the_weight_has_double_precision() -> None:
    with pytest.raises(TypeError, match="the weight is not a 0-d float64"):
        Share(True, 1)(T.fscalar("own"))
    with pytest.raises(TypeError, match="2 operands, not 1"):
        Share(True, 1)(T.dscalar("own"), T.fscalar("x"))


def test_the_factors_of_lengths_are_odd_and_differ() -> None:
    factors = [_factor(number) for number in range(1000)]
    assert all(factor % 2 == 1 and factor < 1 << 20 for factor in factors)
    assert len(set(factors)) > 990
