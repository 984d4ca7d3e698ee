"""Activation functions beside sigmoid, softplus and tanh."""

from __future__ import annotations

from typing import Any

from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable


def relu(x: Any, alpha: float = 0) -> Any:
    """Return ``x`` where it is positive and ``alpha * x`` elsewhere; the slope at 0 is alpha.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> T.nnet.relu(T.constant([-1.0, 2.0])).eval()
    array([0., 2.], dtype=float32)
    """
    x = as_tensor_variable(x)
    return scalar.switch(scalar.gt(x, 0), x, alpha * x if alpha else x.constant_like(0))


def leaky_relu(x: Any, alpha: float = 0.01) -> Any:
    """Return ``x`` where it is positive and ``alpha * x`` elsewhere."""
    return relu(x, alpha)


def elu(x: Any, alpha: float = 1) -> Any:
    """Return ``x`` where it is positive and ``alpha * (exp(x) - 1)`` elsewhere."""
    x = as_tensor_variable(x)
    return scalar.switch(scalar.gt(x, 0), x, alpha * scalar.expm1(x))


def hard_sigmoid(x: Any) -> Any:
    """Return ``clip(0.2 * x + 0.5, 0, 1)``, a sigmoid of straight lines."""
    x = as_tensor_variable(x)
    line = x * x.constant_like(0.2) + x.constant_like(0.5)
    return scalar.clip(line, x.constant_like(0), x.constant_like(1))


def ultra_fast_sigmoid(x: Any) -> Any:
    """Return the sigmoid; compiled code is fast without an approximation."""
    return scalar.sigmoid(as_tensor_variable(x))
