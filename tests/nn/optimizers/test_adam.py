"""Adam is one loop, and its shares are below one."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, nn, shared
from symtheano.nn import Adam


@pytest.mark.needs_cc
def test_adam_is_one_loop_in_place() -> None:
    """Both means and the parameter are read and written by one loop over the gradient."""
    w = shared(np.zeros((64, 128), "float32"), "w")
    x, y = T.fmatrix("x"), T.fmatrix("y")
    cost = T.sqr(T.dot(x, w) - y).mean()
    step = function([x, y], cost, updates=Adam().updates(cost, [w]))
    [summary] = [line for line in step.c_source.split("\n   ") if "w_mean, w_square, w = " in line]
    assert "(w_mean, cost_dot_2, w_square, w)" in summary
    assert summary.count("kernel") == 1
    assert step.c_source.count("w_square[i") == 2


@pytest.mark.parametrize("value", [1.0, 1.5, -0.1, np.nan])
def test_shares_that_are_none_are_errors(value: float) -> None:
    for kind, names in {
        nn.Adam: ("beta_1", "beta_2"), nn.AdamW: ("beta_1", "beta_2"),
        nn.Lion: ("beta_1", "beta_2"),
        nn.AMSGrad: ("beta_1", "beta_2"), nn.Adamax: ("beta_1", "beta_2"),
        nn.NAdam: ("beta_1", "beta_2"), nn.SGD: ("momentum",), nn.RMSProp: ("rho", "momentum"),
        nn.Adadelta: ("rho",),
    }.items():  # fmt: skip
        for name in names:
            message = f"{kind.__name__}: {name} must be at least 0 and below 1, not"
            with pytest.raises(ValueError, match=message):
                kind(**{name: value})
            assert getattr(kind(**{name: 0}), name) == 0
    with pytest.raises(ValueError, match="AdamW: weight_decay must be at least 0, not -1"):
        nn.AdamW(weight_decay=-1)
