"""The forms as the package's expressions, their values and gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import grad
from symtheano.tensor.nnet import sigmoid, softmax
from tests.stability.form import EPS
from tests.stability.forms import Form


class Symbolic:
    """NumPy's names for the package's functions."""

    exp, log, sqrt, tanh, cosh, sinh = T.exp, T.log, T.sqrt, T.tanh, T.cosh, T.sinh
    cos, sin, erf, erfc, gamma, gammaln = T.cos, T.sin, T.erf, T.erfc, T.gamma, T.gammaln
    sigmoid, softmax = staticmethod(sigmoid), staticmethod(softmax)
    maximum, where, isinf, clip = T.maximum, T.switch, T.isinf, T.clip
    expm1, log1p = T.expm1, T.log1p

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype
        self.two, self.eps, self.pi = (self.array(x) for x in (2.0, EPS, math.pi))

    def array(self, numbers: Sequence[float] | float) -> Any:
        """Return a constant in the operands' dtype."""
        return T.constant(np.array(numbers, self.dtype))


def expression(form: Form, dtype: str) -> tuple[list[Any], Any, list[Any]]:
    """Return a form's inputs, its values and the gradients of their sum."""
    count = len(form.points[0])
    kind = T.TensorType(dtype, (None, None) if form.rows else (None,))
    inputs = [kind(f"{letter}") for letter in "xyz"[:count]]
    values = form.make(Symbolic(dtype), *inputs)
    return inputs, values, grad(values.sum(), inputs)
