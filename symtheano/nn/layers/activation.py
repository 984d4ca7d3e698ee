"""Activation functions with arguments, as layers."""

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
    """``max(x, 0)``, or what the arguments make of it.

    Parameters
    ----------
    max_value
        The largest value; None: any.
    negative_slope
        The factor of ``x - threshold`` below the threshold.
    threshold
        Below it, ``x`` does not count.

    Examples
    --------
    >>> from symtheano import nn
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
    """``x`` above zero, and a part of it below (Maas, Hannun and Ng, 2013).

    Parameters
    ----------
    negative_slope
        The factor below zero.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.LeakyReLU(0.2)(nn.Input((3,)))
    Value(float32, (n, 3) of leaky_relu)
    """

    negative_slope: float = 0.3

    keeps_steps = True

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.nnet.leaky_relu(inputs[0], like(self.negative_slope, inputs[0]))


@dataclass(eq=False)
class ELU(Layer):
    """``x`` above zero, and ``alpha * (exp(x) - 1)`` below.

    See Clevert, Unterthiner and Hochreiter, 2016, Exponential Linear Units.

    Parameters
    ----------
    alpha
        The factor below zero.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.ELU()(nn.Input((3,)))
    Value(float32, (n, 3) of elu)
    """

    alpha: float = 1.0

    keeps_steps = True

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.nnet.elu(inputs[0], like(self.alpha, inputs[0]))


@dataclass(eq=False)
class Softmax(Layer):
    """Exponentials divided by their sum along an axis.

    Parameters
    ----------
    axis
        The axis, 1 for the first of a sample, or negative from the last.

    Examples
    --------
    >>> from symtheano import nn
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
    """The maximum of several products with matrices.

    See Goodfellow et al., 2013, Maxout Networks.

    Parameters
    ----------
    pieces
        The number of products for each unit. All else is as in :class:`Dense`; the columns of one
        unit's products are side by side.

    Examples
    --------
    >>> from symtheano import nn
    >>> y = nn.Maxout(4, pieces=3)(nn.Input((5,)))
    >>> y, y.parameters[0].get_value().shape
    (Value(float32, (n, 4) of maxout), (5, 12))
    """

    pieces: int = 2

    counts: ClassVar[tuple[str, ...]] = ("units", "pieces")

    @property
    def columns(self) -> int:
        """The number of the matrix's columns."""
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
