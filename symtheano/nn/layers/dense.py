"""Layers of products with a matrix, and what is applied to each element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import symtheano.tensor as T
from symtheano.nn import activations
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Shape


@dataclass(eq=False)
class Dense(Layer):
    """Products with a matrix, plus a vector: ``activation(x @ kernel + bias)``.

    The last axis of the input is the one of the products; all others stay.

    Parameters
    ----------
    units
        The length of the last axis of the output.
    activation
        The name of an activation function, or a function of an expression.
    use_bias
        Whether a vector is added.
    kernel_initializer, bias_initializer
        Initial values: a name, a number, an array, or an initializer.
    kernel_regularizer, bias_regularizer
        Terms of the loss: a name or a regularizer.
    kernel_constraint, bias_constraint
        What values satisfy after each update.
    activity_regularizer
        A term of the loss for the output, divided by the number of samples.

    Examples
    --------
    >>> from symtheano import nn
    >>> y = nn.Dense(2, "relu")(nn.Input((3,), seed=0))
    >>> y, [p.name for p in y.parameters]
    (Value(float32, (n, 2) of dense), ['dense/kernel', 'dense/bias'])
    """

    units: int
    activation: activations.Activation = None
    use_bias: bool = True
    kernel_initializer: Any = "glorot_uniform"
    bias_initializer: Any = "zeros"
    kernel_regularizer: Any = None
    bias_regularizer: Any = None
    kernel_constraint: Any = None
    bias_constraint: Any = None
    activity_regularizer: Any = None

    keeps_steps = True
    counts: ClassVar[tuple[str, ...]] = ("units",)

    def build(self, *shapes: Shape) -> None:
        inputs = self.last(shapes[0])
        self.kernel = self.parameter(
            "kernel",
            (inputs, self.columns),
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )
        if self.use_bias:
            self.bias = self.parameter(
                "bias",
                (self.columns,),
                self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )

    def output_shape(self, *shapes: Shape) -> Shape:
        self.last(shapes[0])
        return (*shapes[0][:-1], self.units)

    def apply(self, *inputs: Any, training: bool) -> Any:
        y = T.dot(inputs[0], self.matrix(training))
        y = activations.applied(self.activation, y + self.bias if self.use_bias else y)
        self.regularize(y, self.activity_regularizer)
        return y

    def matrix(self, training: bool) -> Any:
        """Return the matrix of the products."""
        return self.kernel

    @property
    def columns(self) -> int:
        """The number of the matrix's columns."""
        return self.units

    def last(self, shape: Shape) -> int:
        """Return the length of the last axis, which must be known."""
        if not shape:
            raise self.error(
                "takes samples with axes, and these are single numbers: x[:, np.newaxis] makes "
                "each a vector"
            )
        if shape[-1] is None:
            raise self.error(
                "the length of the input's last axis must be known, as in nn.Input((3,)) or "
                "T.tensor('x', 'float32', (None, 3))"
            )
        return shape[-1]


@dataclass(eq=False)
class Activation(Layer):
    """An activation function as a layer.

    Parameters
    ----------
    activation
        The name of an activation function, or a function of an expression.
    activity_regularizer
        A term of the loss for the output, divided by the number of samples.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Activation("tanh")(nn.Input((3,)))
    Value(float32, (n, 3) of activation)
    """

    activation: activations.Activation
    activity_regularizer: Any = None

    keeps_steps = True

    def apply(self, *inputs: Any, training: bool) -> Any:
        y = activations.applied(self.activation, inputs[0])
        self.regularize(y, self.activity_regularizer)
        return y


@dataclass(eq=False)
class PReLU(Layer):
    """A rectifier whose slope below zero is learned.

    See He et al., 2015, Delving Deep into Rectifiers.

    Parameters
    ----------
    initializer
        Initial values of the slopes.
    shared_axes
        Axes of the input that share one slope; 1 is the first after the samples, -1 the last.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.PReLU()(nn.Input((3,))).parameters[0].get_value()
    array([0.25, 0.25, 0.25], dtype=float32)
    """

    initializer: Any = 0.25
    shared_axes: Any = ()

    keeps_steps = True

    def build(self, *shapes: Shape) -> None:
        self._ones = self.axes_of(self.shared_axes, shapes[0])
        lengths = [1 if k + 1 in self._ones else n for k, n in enumerate(shapes[0])]
        if any(n is None for n in lengths):
            raise self.error("the lengths of axes with slopes of their own must be known")
        self.slope = self.parameter("slope", tuple(n for n in lengths if n), self.initializer)

    def apply(self, *inputs: Any, training: bool) -> Any:
        slope = self.slope
        ones = tuple(k - 1 for k in self._ones)
        if ones:
            slope = T.patternbroadcast(slope, [k in ones for k in range(slope.ndim)])
        return T.switch(inputs[0] >= 0, inputs[0], slope * inputs[0])


@dataclass(eq=False)
class Lambda(Layer):
    """A function of expressions as a layer.

    Parameters
    ----------
    function
        Takes the symbolic inputs and returns the symbolic output.
    shape
        Takes the shapes of the inputs, without the axis of samples, and returns that of the output;
        a tuple: this shape; None: the shape of the first input.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> from symtheano import nn
    >>> nn.Lambda(T.sqr)(nn.Input((3,)))
    Value(float32, (n, 3) of lambda)
    """

    function: Any
    shape: Any = None

    arity = None

    def output_shape(self, *shapes: Shape) -> Shape:
        if self.shape is None:
            return shapes[0]
        return tuple(self.shape(*shapes) if callable(self.shape) else self.shape)

    def apply(self, *inputs: Any, training: bool) -> Any:
        return self.function(*inputs)
