"""The share of a rank: its value, and the numbers by which shapes are compared."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.routines.mpi import DIFFERENT
from symtheano.distributed.share import Share, _factor
from symtheano.formats import MOST_VALUES

pytestmark = pytest.mark.needs_mpi


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_the_share_of_one_rank(mode: str | None) -> None:
    own, x = T.dscalar("own"), T.fmatrix("x")
    outputs = [Share(divides, 2)(own, x) for divides in (True, False)]
    f = function([own, x], outputs, mode=mode)
    for weight, share in ((3.0, 1.0), (0.0, 0.0)):
        assert [float(value) for value in f(weight, np.ones((2, 3), "float32"))] == [share, weight]


@pytest.mark.needs_cc
def test_more_parameters_than_a_message_has_lengths() -> None:
    own, models = T.dscalar("own"), [T.fmatrix(f"x{k}") for k in range(MOST_VALUES)]
    op = Share(True, len(models) + 1)
    share = op(own, *models)
    f = function([own, *models], share)
    assert f(2.0, *[np.ones((k + 1, 2), "float32") for k in range(len(models))]) == 1
    message = op.explain(share.owner, [DIFFERENT, *range(MOST_VALUES - 1)])
    assert "the shapes of parameters differ" in message
    assert f"it is x{(MOST_VALUES - 1) // 2} or a later one" in message


def test_the_weight_has_double_precision() -> None:
    with pytest.raises(TypeError, match="the weight is not a 0-d float64"):
        Share(True, 1)(T.fscalar("own"))
    with pytest.raises(TypeError, match="2 operands, not 1"):
        Share(True, 1)(T.dscalar("own"), T.fscalar("x"))


def test_the_factors_of_lengths_are_odd_and_differ() -> None:
    factors = [_factor(number) for number in range(1000)]
    assert all(factor % 2 == 1 and factor < 1 << 20 for factor in factors)
    assert len(set(factors)) > 990
