"""Layers as functions of values.

Each function creates a layer and applies it to a :class:`symtheano.nn.Value`. The result is a value
with the expressions in training and at test, the shape of the output, and the parameters of all
layers up to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import symtheano.tensor as T
from symtheano.nn.documentation import described_by
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
from symtheano.nn.values import Value, as_value

States = Sequence[Value]
Maker = Callable[..., Callable[[T.TensorVariable], Value]]


@described_by(Dense)
def dense(x: T.TensorVariable, units: int, activation: Any = None, **options: Any) -> Value:
    """Return the output of a fully connected layer, ``activation(x @ kernel + bias)``.

    Parameters
    ----------
    x
        A value whose last axis has a known length.

    Examples
    --------
    >>> y = nn.dense(nn.Input((3,)), 2, "tanh")
    >>> y.shape, y.parameters
    ((2,), [dense/kernel, dense/bias])
    """
    return Dense(units, activation, **options)(x)


@described_by(Dense)
def linear(x: Any, units: int | None = None, **options: Any) -> Any:
    """Return the output of a fully connected layer without an activation function.

    Without ``units``, ``x`` is returned unchanged, so it can be used as an activation function.

    Parameters
    ----------
    x
        A value whose last axis has a known length.

    Examples
    --------
    >>> nn.linear(nn.Input((3,)), 2)
    Value(float32, (n, 2) of dense)
    """
    if units is None and not options:
        return x
    return Dense(units, **options)(x)  # type: ignore[arg-type]


@described_by(Conv2D)
def conv(
    x: T.TensorVariable, filters: int, kernel_size: Any, activation: Any = None, **options: Any
) -> Value:
    """Return a convolution over all axes but the channels.

    The layer is :class:`Conv1D`, :class:`Conv2D` or :class:`Conv3D`, by the number of axes of
    ``x``. The channels are the first axis of a sample, or the last one with
    ``data_format="channels_last"``.

    Parameters
    ----------
    x
        A value with samples of shape (channels, *lengths), with 1 to 3 lengths.
    kernel_size
        The lengths of the window: one integer for all axes, or one for each axis.

    Examples
    --------
    >>> nn.conv(nn.Input((1, 28, 28)), 8, 5, "relu").shape
    (8, 24, 24)
    """
    return by_axes("conv", x)(filters, kernel_size, activation=activation, **options)(x)


@described_by(MaxPool2D)
def maxpool(x: T.TensorVariable, pool_size: Any = 2, **options: Any) -> Value:
    """Return the max pooling over all axes but the channels.

    The layer is :class:`MaxPool1D`, :class:`MaxPool2D` or :class:`MaxPool3D`, by the number of axes
    of ``x``.

    Parameters
    ----------
    x
        A value with samples of shape (channels, *lengths), with 1 to 3 lengths.
    pool_size
        The lengths of the window: one integer for all axes, or one for each axis.

    Examples
    --------
    >>> nn.maxpool(nn.Input((8, 24, 24))).shape
    (8, 12, 12)
    """
    return by_axes("maxpool", x)(pool_size, **options)(x)


@described_by(AveragePool2D)
def avgpool(x: T.TensorVariable, pool_size: Any = 2, **options: Any) -> Value:
    """Return the average pooling over all axes but the channels.

    The layer is :class:`AveragePool1D`, :class:`AveragePool2D` or :class:`AveragePool3D`, by the
    number of axes of ``x``.

    Parameters
    ----------
    x
        A value with samples of shape (channels, *lengths), with 1 to 3 lengths.
    pool_size
        The lengths of the window: one integer for all axes, or one for each axis.
    """
    return by_axes("avgpool", x)(pool_size, **options)(x)


def activation(x: T.TensorVariable, function: Any) -> Value:
    """Return the result of an activation function.

    Parameters
    ----------
    x
        A value of any shape.
    function
        The name of an activation function, such as ``"relu"``, or a function of an expression.
    """
    return Activation(function)(x)


@described_by(Dropout)
def dropout(x: T.TensorVariable, rate: float = 0.5, **options: Any) -> Value:
    """Return ``x`` with random elements set to zero in training.

    Parameters
    ----------
    x
        A value of any shape.
    """
    return Dropout(rate, **options)(x)


@described_by(BatchNorm)
def batch_norm(x: T.TensorVariable, **options: Any) -> Value:
    """Return ``x`` normalized over the samples of the batch.

    Parameters
    ----------
    x
        A value with at least one axis besides the batch.
    """
    return BatchNorm(**options)(x)


@described_by(LayerNorm)
def layer_norm(x: T.TensorVariable, **options: Any) -> Value:
    """Return ``x`` normalized over the features of each sample.

    Parameters
    ----------
    x
        A value whose last axis has a known length.
    """
    return LayerNorm(**options)(x)


@described_by(Embedding)
def embedding(x: T.TensorVariable, input_dim: int, output_dim: int, **options: Any) -> Value:
    """Return a learned vector for each integer of ``x``.

    Parameters
    ----------
    x
        A value of integers from 0 to ``input_dim - 1``.
    """
    return Embedding(input_dim, output_dim, **options)(x)


@described_by(SimpleRNN)
def rnn(
    x: T.TensorVariable,
    units: int,
    activation: Any = "tanh",
    *,
    states: States = (),
    **options: Any,
) -> Any:
    """Return the output of a simple recurrent layer; see :class:`SimpleRNN`.

    Parameters
    ----------
    x
        A value with samples of shape (steps, features).
    states
        The initial states, such as ``y.states`` of another output. By default, zeros.

    Examples
    --------
    >>> y = nn.rnn(nn.Input((None, 3)), 4)
    >>> y, y.states
    (Value(float32, (n, 4) of simple_rnn), (Value(float32, (n, 4)),))
    """
    return SimpleRNN(units, activation, **options)(x, *states)


@described_by(GRU)
def gru(
    x: T.TensorVariable,
    units: int,
    activation: Any = "tanh",
    *,
    states: States = (),
    **options: Any,
) -> Any:
    """Return the output of a gated recurrent unit; see :class:`GRU`.

    Parameters
    ----------
    x
        A value with samples of shape (steps, features).
    states
        The initial states, such as ``y.states`` of another output. By default, zeros.
    """
    return GRU(units, activation, **options)(x, *states)


@described_by(LSTM)
def lstm(
    x: T.TensorVariable,
    units: int,
    activation: Any = "tanh",
    *,
    states: States = (),
    **options: Any,
) -> Any:
    """Return the output of a long short-term memory; see :class:`LSTM`.

    With ``return_state=True``, a tuple of the output and the final states is returned.

    Parameters
    ----------
    x
        A value with samples of shape (steps, features).
    states
        The initial states, such as ``y.states`` of another output. By default, zeros.

    Examples
    --------
    >>> read = nn.lstm(nn.Input((None, 3)), 4)
    >>> nn.lstm(nn.Input((None, 5)), 4, return_sequences=True, states=read.states)
    Value(float32, (n, ?, 4) of lstm)
    """
    return LSTM(units, activation, **options)(x, *states)


@described_by(Bidirectional)
def bidirectional(x: T.TensorVariable, layer: Layer, **options: Any) -> Any:
    """Return the merged outputs of a recurrent layer in both directions of time.

    Parameters
    ----------
    x
        A value with samples of shape (steps, features).
    """
    return Bidirectional(layer, **options)(x)


@described_by(TimeDistributed)
def time_distributed(x: T.TensorVariable, layer: Layer) -> Value:
    """Return the output of a layer for each step of ``x``.

    Parameters
    ----------
    x
        A value with samples of shape (steps, *shape).
    """
    return TimeDistributed(layer)(x)


@described_by(Attention)
def attention(query: Value, value: Value, key: Value | None = None, **options: Any) -> Value:
    """Return the attention of a query to the steps of a value.

    Parameters
    ----------
    query
        A value with samples of shape (steps, features).
    value
        A value with samples of shape (value steps, results).
    key
        A value with samples of shape (value steps, features). None: ``value``.
    """
    return Attention(**options)(query, value, *(() if key is None else (key,)))


@described_by(MultiHeadAttention)
def multi_head_attention(
    query: Value,
    heads: int,
    key_dim: int,
    *,
    value: Value | None = None,
    key: Value | None = None,
    **options: Any,
) -> Value:
    """Return the output of multi-head attention; see :class:`MultiHeadAttention`.

    Parameters
    ----------
    query
        A value with samples of shape (steps, features).
    value
        A value with samples of shape (steps, features). None: the query.
    key
        A value with samples of shape (steps, features). None: ``value``.

    Examples
    --------
    >>> nn.multi_head_attention(nn.Input((None, 8)), 2, 4, causal=True)
    Value(float32, (n, ?, 8) of multi_head_attention)
    """
    others = [v for v in (value, key) if v is not None]
    return MultiHeadAttention(heads, key_dim, **options)(query, *others)


def flatten(x: T.TensorVariable) -> Value:
    """Return ``x`` with each sample flattened to a vector.

    Parameters
    ----------
    x
        A value of any shape.
    """
    return Flatten()(x)


@described_by(Reshape)
def reshape(x: T.TensorVariable, shape: tuple[int, ...]) -> Value:
    """Return ``x`` with samples of another shape.

    Parameters
    ----------
    x
        A value of any shape.
    """
    return Reshape(shape)(x)


def concatenate(*values: Value, axis: int = -1) -> Value:
    """Return several values joined along an axis.

    Parameters
    ----------
    values
        Two or more values whose shapes differ at most in this axis.
    axis
        The axis along which to join. Axis 1 is the first axis of a sample. Negative numbers count
        from the last axis, which is the default.
    """
    return Concatenate(axis)(*values)


BY_AXES: dict[str, dict[int, Any]] = {
    "conv": {1: Conv1D, 2: Conv2D, 3: Conv3D},
    "maxpool": {1: MaxPool1D, 2: MaxPool2D, 3: MaxPool3D},
    "avgpool": {1: AveragePool1D, 2: AveragePool2D, 3: AveragePool3D},
}
"""Layers by the number of axes besides the channels."""


def by_axes(what: str, x: Any) -> Maker:
    """Return the class of the layer for the number of axes besides the channels."""
    axes = as_value(x).ndim - 2
    if axes not in BY_AXES[what]:
        raise ValueError(
            f"{what} takes samples of shape (channels, 1 to 3 lengths), or (1 to 3 lengths, "
            f'channels) with data_format="channels_last", not {x}'
        )
    kind: Maker = BY_AXES[what][axes]
    return kind


class ByAxes:
    """A layer of a chain whose class depends on the number of axes of its input.

    Parameters
    ----------
    what
        The kind of the layer: ``"conv"``, ``"maxpool"`` or ``"avgpool"``.
    args, options
        The arguments of the layer.

    Attributes
    ----------
    layers
        A list with the layer. It is empty until the layer is called for the first time.

    Examples
    --------
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
