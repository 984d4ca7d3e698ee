"""Activation functions by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import symtheano.tensor as T
from symtheano.nn.lookup import look_up

Activation = str | Callable[[Any], Any] | None


def linear(x: Any) -> Any:
    """Return x itself."""
    return x


def softmax(x: Any) -> Any:
    """Return the softmax along the last axis."""
    return T.nnet.softmax(x, axis=-1)


def log_softmax(x: Any) -> Any:
    """Return the logarithm of the softmax along the last axis."""
    return T.nnet.logsoftmax(x, axis=-1)


def relu6(x: Any) -> Any:
    """Return x between 0 and 6."""
    return T.clip(x, 0, 6)


def exponential(x: Any) -> Any:
    """Return e to the power of x."""
    return T.exp(x)


def gelu_tanh(x: Any) -> Any:
    """Return the approximation of gelu by tanh."""
    return T.nnet.gelu(x, approximate=True)


TABLE: dict[str, Callable[[Any], Any]] = {
    "elu": T.nnet.elu,
    "exponential": exponential,
    "gelu": T.nnet.gelu,
    "gelu_tanh": gelu_tanh,
    "hard_sigmoid": T.nnet.hard_sigmoid,
    "leaky_relu": T.nnet.leaky_relu,
    "linear": linear,
    "log_softmax": log_softmax,
    "mish": T.nnet.mish,
    "relu": T.nnet.relu,
    "relu6": relu6,
    "selu": T.nnet.selu,
    "sigmoid": T.nnet.sigmoid,
    "silu": T.nnet.silu,
    "softmax": softmax,
    "softplus": T.nnet.softplus,
    "softsign": T.nnet.softsign,
    "sparsemax": T.nnet.sparsemax,
    "swish": T.nnet.silu,
    "tanh": T.tanh,
}


def get(activation: Activation) -> Callable[[Any], Any]:
    """Return an activation function: one by name, a function itself, or for None the identity.

    Examples
    --------
    >>> get("relu")(T.constant([-1.0, 2.0])).eval()
    array([0., 2.], dtype=float32)
    """
    if activation is None:
        return linear
    return activation if callable(activation) else look_up("activation", activation, TABLE)
