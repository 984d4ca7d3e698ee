"""Layers as functions: from the output so far to the next one.

Each function makes a layer and applies it. What it returns has the expressions in training and at
test, the output's shape, and the parameters up to there; see :class:`symtheano.nn.Value`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtheano.nn.foreign import check_keywords
from symtheano.nn.layers.attention import Attention, MultiHeadAttention
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.convolution import Conv1D, Conv2D, Conv3D
from symtheano.nn.layers.dense import Activation, Dense
from symtheano.nn.layers.embedding import Embedding
from symtheano.nn.layers.merging import Concatenate
from symtheano.nn.layers.noise import Dropout
from symtheano.nn.layers.normalization import BatchNorm, LayerNorm
from symtheano.nn.layers.pooling import (
    AveragePool1D,
    AveragePool2D,
    AveragePool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
)
from symtheano.nn.layers.recurrent import GRU, LSTM, SimpleRNN
from symtheano.nn.layers.shapes import Flatten, Reshape
from symtheano.nn.layers.wrappers import Bidirectional, TimeDistributed
from symtheano.nn.values import Value

States = Sequence[Value]
Maker = Callable[..., Callable[[Value], Value]]


def dense(x: Value, units: int, activation: Any = None, **options: Any) -> Value:
    """Return products with a matrix, plus a vector; the options are those of :class:`Dense`.

    Examples
    --------
    >>> from symtheano import nn
    >>> y = nn.dense(nn.Input((3,)), 2, "tanh")
    >>> y.shape, y.parameters
    ((2,), [dense/kernel, dense/bias])
    """
    return Dense(units, activation, **options)(x)


def linear(x: Any, units: int | None = None, **options: Any) -> Any:
    """Return products with a matrix, plus a vector: :func:`dense` without an activation function.

    Without a number of units, it is the identity, as an activation function.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.linear(nn.Input((3,)), 2)
    Value(float32, (n, 2) of dense)
    """
    if units is None and not options:
        return x
    return Dense(units, **options)(x)  # type: ignore[arg-type]


def conv(x: Value, filters: int, kernel_size: Any, activation: Any = None, **options: Any) -> Value:
    """Return a convolution over all axes but the channels; see :class:`Conv2D` for the options.

    The channels are the first axis of a sample, or with ``data_format="channels_last"`` the last.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.conv(nn.Input((1, 28, 28)), 8, 5, "relu").shape
    (8, 24, 24)
    """
    return by_axes("conv", x)(filters, kernel_size, activation=activation, **options)(x)


def maxpool(x: Value, pool_size: Any = 2, **options: Any) -> Value:
    """Return the maxima of windows over all axes but the channels; see :class:`MaxPool2D`.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.maxpool(nn.Input((8, 24, 24))).shape
    (8, 12, 12)
    """
    return by_axes("maxpool", x)(pool_size, **options)(x)


def avgpool(x: Value, pool_size: Any = 2, **options: Any) -> Value:
    """Return the means of windows over all axes but the channels; see :class:`AveragePool2D`."""
    return by_axes("avgpool", x)(pool_size, **options)(x)


def activation(x: Value, function: Any) -> Value:
    """Return an activation function of the output; see :class:`Activation`."""
    return Activation(function)(x)


def dropout(x: Value, rate: float = 0.5, **options: Any) -> Value:
    """Return the output with random zeros in training; see :class:`Dropout`."""
    return Dropout(rate, **options)(x)


def batch_norm(x: Value, **options: Any) -> Value:
    """Return the output normalized over the batch; see :class:`BatchNorm`."""
    return BatchNorm(**options)(x)


def layer_norm(x: Value, **options: Any) -> Value:
    """Return the output normalized over the features; see :class:`LayerNorm`."""
    return LayerNorm(**options)(x)


def embedding(x: Value, input_dim: int, output_dim: int, **options: Any) -> Value:
    """Return rows of a table by their numbers; see :class:`Embedding`."""
    return Embedding(input_dim, output_dim, **options)(x)


def rnn(
    x: Value, units: int, activation: Any = "tanh", *, states: States = (), **options: Any
) -> Any:
    """Return the states of a simple recurrent layer; see :class:`SimpleRNN`.

    Examples
    --------
    >>> from symtheano import nn
    >>> y = nn.rnn(nn.Input((None, 3)), 4)
    >>> y, y.states
    (Value(float32, (n, 4) of simple_rnn), (Value(float32, (n, 4)),))
    """
    return SimpleRNN(units, activation, **options)(x, *states)


def gru(
    x: Value, units: int, activation: Any = "tanh", *, states: States = (), **options: Any
) -> Any:
    """Return the states of a gated recurrent unit; see :class:`GRU`."""
    return GRU(units, activation, **options)(x, *states)


def lstm(
    x: Value, units: int, activation: Any = "tanh", *, states: States = (), **options: Any
) -> Any:
    """Return the states of a long short-term memory; see :class:`LSTM`.

    With ``return_state=True``, they are the first of a tuple with the final states.

    Parameters
    ----------
    x
        Samples of shape (steps, features).
    units, activation, options
        The arguments of :class:`LSTM`.
    states
        The initial states, such as ``y.states`` of another output; zeros if they are not given.

    Examples
    --------
    >>> from symtheano import nn
    >>> read = nn.lstm(nn.Input((None, 3)), 4)
    >>> nn.lstm(nn.Input((None, 5)), 4, return_sequences=True, states=read.states)
    Value(float32, (n, ?, 4) of lstm)
    """
    return LSTM(units, activation, **options)(x, *states)


def bidirectional(x: Value, layer: Layer, **options: Any) -> Any:
    """Return the outputs of a recurrent layer in both directions; see :class:`Bidirectional`."""
    return Bidirectional(layer, **options)(x)


def time_distributed(x: Value, layer: Layer) -> Value:
    """Return the outputs of a layer for each step; see :class:`TimeDistributed`."""
    return TimeDistributed(layer)(x)


def attention(query: Value, value: Value, key: Value | None = None, **options: Any) -> Value:
    """Return means of a value's steps, weighted by a query; see :class:`Attention`."""
    return Attention(**options)(query, value, *(() if key is None else (key,)))


def multi_head_attention(
    query: Value,
    heads: int,
    key_dim: int,
    *,
    value: Value | None = None,
    key: Value | None = None,
    **options: Any,
) -> Value:
    """Return the attention of several heads; see :class:`MultiHeadAttention`.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.multi_head_attention(nn.Input((None, 8)), 2, 4, causal=True)
    Value(float32, (n, ?, 8) of multi_head_attention)
    """
    others = [v for v in (value, key) if v is not None]
    return MultiHeadAttention(heads, key_dim, **options)(query, *others)


def flatten(x: Value) -> Value:
    """Return all axes of a sample as one; see :class:`Flatten`."""
    return Flatten()(x)


def reshape(x: Value, shape: tuple[int, ...]) -> Value:
    """Return the elements of a sample in another shape; see :class:`Reshape`."""
    return Reshape(shape)(x)


def concatenate(*values: Value, axis: int = -1) -> Value:
    """Return values one after the other along an axis; see :class:`Concatenate`."""
    return Concatenate(axis)(*values)


BY_AXES: dict[str, dict[int, Any]] = {
    "conv": {1: Conv1D, 2: Conv2D, 3: Conv3D},
    "maxpool": {1: MaxPool1D, 2: MaxPool2D, 3: MaxPool3D},
    "avgpool": {1: AveragePool1D, 2: AveragePool2D, 3: AveragePool3D},
}
"""Layers by the number of axes besides the channels."""


def by_axes(what: str, x: Any) -> Maker:
    """Return the layer for the number of axes besides the channels."""
    axes = len(x.shape) - 1 if isinstance(x, Value) else x.ndim - 2
    if axes not in BY_AXES[what]:
        raise ValueError(
            f"{what} takes samples of shape (channels, 1 to 3 axes), or (1 to 3 axes, channels) "
            f'with data_format="channels_last", not {x}'
        )
    kind: Maker = BY_AXES[what][axes]
    return kind


class ByAxes:
    """A layer of a chain whose class follows from the number of axes of its input.

    Parameters
    ----------
    what
        ``"conv"``, ``"maxpool"`` or ``"avgpool"``.
    args, options
        The arguments of the layer.

    Attributes
    ----------
    layers
        The layer, once it is known.

    Examples
    --------
    >>> from symtheano import nn
    >>> ByAxes("conv", 8, 3)(nn.Input((1, 28, 28))), ByAxes("conv", 8, 3)(nn.Input((2, 9)))
    (Value(float32, (n, 8, 26, 26) of conv2d), Value(float32, (n, 8, 7) of conv1d))
    """

    def __init__(self, what: str, *args: Any, **options: Any) -> None:
        check_keywords(BY_AXES[what][2], what, options)
        self.name = what
        self._args, self._options = args, options
        self.layers: list[Layer] = []

    def __call__(self, x: Value) -> Value:
        if not self.layers:
            make: Any = by_axes(self.name, x)
            self.layers.append(make(*self._args, **self._options))
        y: Value = self.layers[0](x)
        return y
