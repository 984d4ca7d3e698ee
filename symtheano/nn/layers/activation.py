"""Layers that apply an activation function with arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import symtheano.tensor as T
from symtheano.nn import activations
from symtheano.nn.floats import like
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.dense import Dense
from symtheano.nn.values import Shape, shown


@dataclass(eq=False)
class ReLU(Layer):
    """Rectified linear unit: ``max(x, 0)`` with the default arguments.

    The output is ``x`` where ``x >= threshold``, else ``negative_slope * (x - threshold)``. It is
    limited to ``max_value``.

    Parameters
    ----------
    max_value
        The largest value of the output. None: no limit.
    negative_slope
        The slope below the threshold. The default is 0.
    threshold
        The value from which on the output is ``x`` itself. The default is 0.

    Examples
    --------
    >>> nn.ReLU(max_value=6)(nn.Input((3,)))
    Value(float32, (n, 3) of relu)
    """

    max_value: float | None = None
    negative_slope: float = 0.0
    threshold: float = 0.0

    keeps_steps = True

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        low, slope = (T.constant(v, dtype=x.dtype) for v in (self.threshold, self.negative_slope))
        if not self.threshold:
            y = T.nnet.relu(x, slope) if self.negative_slope else T.nnet.relu(x)
        else:
            y = T.switch(x >= low, x, slope * (x - low))
        return (
            y if self.max_value is None else T.minimum(y, T.constant(self.max_value, dtype=y.dtype))
        )


@dataclass(eq=False)
class LeakyReLU(Layer):
    """Leaky rectifier: ``x`` where ``x`` is positive, and ``negative_slope * x`` elsewhere.

    See Maas, Hannun and Ng, 2013, Rectifier Nonlinearities Improve Neural Network Acoustic Models.

    Parameters
    ----------
    negative_slope
        The factor of negative elements. The default is 0.3.

    Examples
    --------
    >>> nn.LeakyReLU(0.2)(nn.Input((3,)))
    Value(float32, (n, 3) of leaky_relu)
    """

    negative_slope: float = 0.3

    keeps_steps = True

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.nnet.leaky_relu(inputs[0], like(self.negative_slope, inputs[0]))


@dataclass(eq=False)
class ELU(Layer):
    """Exponential linear unit: ``x`` where it is positive, and ``alpha * (exp(x) - 1)`` elsewhere.

    See Clevert, Unterthiner and Hochreiter, 2016, Exponential Linear Units.

    Parameters
    ----------
    alpha
        The factor for negative elements. The output approaches ``-alpha`` for large negative ones.

    Examples
    --------
    >>> nn.ELU()(nn.Input((3,)))
    Value(float32, (n, 3) of elu)
    """

    alpha: float = 1.0

    keeps_steps = True

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.nnet.elu(inputs[0], like(self.alpha, inputs[0]))


@dataclass(eq=False)
class Softmax(Layer):
    """Softmax: exponentials divided by their sum along an axis.

    Parameters
    ----------
    axis
        The axis of the sum. Axis 1 is the first axis of a sample. Negative numbers count from the
        last axis, which is the default.

    Examples
    --------
    >>> nn.Softmax(1)(nn.Input((4, 3)))
    Value(float32, (n, 4, 3) of softmax)
    """

    axis: int = -1

    keeps_steps = True

    def output_shape(self, *shapes: Shape) -> Shape:
        ndim = len(shapes[0]) + 1
        if not 1 <= (self.axis if self.axis > 0 else self.axis + ndim) < ndim:
            raise self.error(f"samples of shape {shown(shapes[0])} have no axis {self.axis}")
        return shapes[0]

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.nnet.softmax(inputs[0], axis=self.axis)


@dataclass(eq=False)
class Maxout(Dense):
    """Maxout layer: each unit is the maximum of several linear functions of the input.

    The kernel has shape (features, units * pieces). The columns of one unit are adjacent. See
    Goodfellow et al., 2013, Maxout Networks.

    Parameters
    ----------
    pieces
        The number of linear functions for each unit. The default is 2.

    Examples
    --------
    >>> y = nn.Maxout(4, pieces=3)(nn.Input((5,)))
    >>> y, y.parameters[0].get_value().shape
    (Value(float32, (n, 4) of maxout), (5, 12))
    """

    pieces: int = 2

    counts: ClassVar[tuple[str, ...]] = ("units", "pieces")

    @property
    def columns(self) -> int:
        return self.units * self.pieces

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        y = T.dot(x, self.kernel)
        y = y + self.bias if self.use_bias else y
        lengths = [x.shape[k] for k in range(x.ndim - 1)]
        y = T.max(y.reshape((*lengths, self.units, self.pieces), ndim=x.ndim + 1), axis=-1)
        y = activations.applied(self.activation, y)
        self.regularize(y, self.activity_regularizer)
        return y
