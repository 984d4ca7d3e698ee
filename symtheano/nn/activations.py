"""Activation functions of symbolic arrays, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import symtheano
import symtheano.tensor as T
from symtheano.nn.floats import like
from symtheano.nn.lookup import look_up
from symtheano.nn.missing import MissingNetworkName
from symtheano.tensor import tanh as tanh
from symtheano.tensor.nnet import (
    elu as elu,
    gelu as gelu,
    mish as mish,
    relu as relu,
    selu as selu,
    sigmoid as sigmoid,
    silu as silu,
    softplus as softplus,
    softsign as softsign,
    sparsemax as sparsemax,
)

Activation = str | Callable[[Any], Any] | None


swish = silu


def linear(x: Any) -> Any:
    """Return ``x`` unchanged."""
    return x


def softmax(x: Any) -> Any:
    """Return the softmax along the last axis."""
    return T.nnet.softmax(x, axis=-1)


def log_softmax(x: Any) -> Any:
    """Return the logarithm of the softmax along the last axis."""
    return T.nnet.logsoftmax(x, axis=-1)


def relu6(x: Any) -> Any:
    """Return ``min(max(x, 0), 6)``."""
    return T.clip(x, 0, 6)


def exponential(x: Any) -> Any:
    """Return ``exp(x)``."""
    return T.exp(x)


def gelu_tanh(x: Any) -> Any:
    """Return the approximation of gelu that uses tanh."""
    return T.nnet.gelu(x, approximate=True)


def leaky_relu(x: Any) -> Any:
    """Return ``x`` where ``x`` is positive, and ``0.01 * x`` elsewhere."""
    return T.nnet.leaky_relu(x, like(0.01, x))


def hard_sigmoid(x: Any) -> Any:
    """Return ``(x + 3) / 6``, limited to the range from 0 to 1.

    This is the function of Keras and torch. Theano's ``hard_sigmoid`` has another slope.
    """
    return T.clip(x * like(1 / 6, x) + like(0.5, x), like(0, x), like(1, x))


TABLE: dict[str, Callable[[Any], Any]] = {
    name: globals()[name]
    for name in (
        "elu exponential gelu gelu_tanh hard_sigmoid leaky_relu linear log_softmax mish relu relu6 "
        "selu sigmoid silu softmax softplus softsign sparsemax swish tanh"
    ).split()
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> NoReturn:
        """Say which activation function a missing name may mean."""
        raise MissingNetworkName(__name__, name, TABLE, TABLE)


def __dir__() -> list[str]:
    """Return the names of the activation functions, and ``TABLE`` and ``get``."""
    return sorted({*TABLE, "TABLE", "get"})


def name_of(function: Any) -> str | None:
    """Return the name that a function has in the table, or None if it is not in the table.

    Examples
    --------
    >>> name_of(T.nnet.sigmoid), name_of(abs)
    ('sigmoid', None)
    """
    return next((name for name, activation in TABLE.items() if activation is function), None)


def get(activation: Activation) -> Callable[[Any], Any]:
    """Return an activation function.

    Parameters
    ----------
    activation
        A name such as ``"relu"``; a function of an expression; a layer without parameters, which
        stands for the function that it applies at test; or None for the identity.

    Raises
    ------
    ValueError
        If there is no activation function of this name.
    TypeError
        If the argument is something else, such as a class.

    Examples
    --------
    >>> get("relu")(T.constant([-1.0, 2.0])).eval()
    array([0., 2.], dtype=float32)
    """
    if activation is None:
        return linear
    if isinstance(activation, str):
        return look_up("activation", activation, TABLE)
    argument: Any = activation
    if isinstance(argument, type) or not callable(argument):
        shown = argument.__name__ if isinstance(argument, type) else repr(argument)
        remedy = ""
        if isinstance(argument, int):
            remedy = ": a layer takes the number of its outputs, and finds that of its inputs"
        raise TypeError(
            "an activation must be a name, a function or a layer without parameters, not "
            f"{shown}{remedy}"
        )
    return getattr(activation, "as_function", activation)


def applied(activation: Activation, x: Any) -> Any:
    """Return the result of an activation function, converted to the dtype of its argument.

    Without the conversion, ``lambda x: 0.1 * x`` would turn ``float32`` into ``float64``.

    Examples
    --------
    >>> applied(lambda x: 0.1 * x, T.fvector()).dtype
    'float32'
    """
    y: Any = get(activation)(x)
    if not isinstance(y, symtheano.Variable):
        name = getattr(activation, "__name__", repr(activation))
        raise TypeError(f"the activation {name} must return an expression, not {y!r}")
    result: Any = y
    differs = result.dtype != x.dtype and result.dtype in T.float_dtypes
    return T.cast(result, x.dtype) if differs else result
