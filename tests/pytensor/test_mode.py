"""The phases of PyTensor's rewrites that the mode leaves to symtheano."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import optdb

from symtheano_pytensor.mode import OWN
from tests.pytensor.comparison import WITH_ALL_PHASES

EXTREME = np.array([-750.0, -40.0, -1e-9, 0.0, 1e-9, 1.5, 40.0, 750.0])

STABLE = {
    "log(1 + exp(x))": lambda x: pt.log(1 + pt.exp(x)),
    "log(1 - exp(-|x|))": lambda x: pt.log(1 - pt.exp(-abs(x) - 1e-9)),
    "log(sigmoid(x))": lambda x: pt.log(pt.sigmoid(x)),
    "log(1 - sigmoid(x))": lambda x: pt.log(1 - pt.sigmoid(x)),
    "log(sum(exp(x)))": lambda x: pt.log(pt.sum(pt.exp(x))),
    "log(softmax(x))": lambda x: pt.log(pt.special.softmax(x)),
    "exp(x) - 1": lambda x: pt.exp(x) - 1,
    "log(1 + x)": lambda x: pt.log(1 + x * 1e-20),
    "1 / (1 + exp(x))": lambda x: 1 / (1 + pt.exp(x)),
    "1 - sigmoid(x)": lambda x: 1 - pt.sigmoid(x),
    "log(exp(x))": lambda x: pt.log(pt.exp(x)),
    "logaddexp(x, 1)": lambda x: pt.logaddexp(x, 1.0),
    "log(prod(exp(x)))": lambda x: pt.log(pt.prod(abs(x) + 1)),
    "erfc(x)": lambda x: pt.log(pt.erfc(x)),
}


@pytest.mark.parametrize("name", STABLE)
def test_values_and_gradients_are_as_exact_as_with_all_phases(name: str) -> None:
    x = pt.dvector("x")
    result = STABLE[name](x)
    outputs = [result, pytensor.grad(result.sum(), x)]
    ours = pytensor.function([x], outputs, mode="SYMTHEANO")
    wanted = pytensor.function([x], outputs, mode=WITH_ALL_PHASES)
    for got, want in zip(ours(EXTREME), wanted(EXTREME), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", OWN)
def test_phases_exist(name: str) -> None:
    known: Any = optdb.__position__
    assert name in known
