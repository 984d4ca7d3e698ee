"""Fully connected layers, activation layers, and layers from functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import symtheano.tensor as T
from symtheano.nn import activations
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Format, Shape


@dataclass(eq=False)
class Dense(Layer):
    """Fully connected layer: ``activation(x @ kernel + bias)``.

    The product is taken along the last axis of the input, which must have a known length. The
    output has the shape of the input, except for the last axis, whose length is ``units``.

    Parameters
    ----------
    units
        The number of units, which is the length of the last axis of the output.
    activation
        The activation function: a name such as ``"relu"``, a function of an expression, or None for
        no activation function.
    use_bias
        Whether a bias vector of length ``units`` is added.
    kernel_initializer, bias_initializer
        Initial values of the kernel, whose shape is (features, units), and of the bias: the name of
        an initializer, an :class:`Initializer`, a number, or an array.
    kernel_regularizer, bias_regularizer
        Penalties on the kernel and on the bias, which are added to the loss: a name such as
        ``"l2"``, a :class:`Regularizer`, or None.
    kernel_constraint, bias_constraint
        Conditions that the kernel and the bias satisfy after each update: a name such as
        ``"max_norm"``, a :class:`Constraint`, or None.
    activity_regularizer
        A penalty on the output. It is divided by the number of samples and added to the loss.

    Examples
    --------
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
        self.kernel = self.described("kernel", (inputs, self.columns))
        if self.use_bias:
            self.bias = self.described("bias", (self.columns,))

    def output_shape(self, *shapes: Shape) -> Shape:
        self.last(shapes[0])
        return (*shapes[0][:-1], self.units)

    def apply(self, *inputs: Any, training: bool) -> Any:
        y = T.dot(inputs[0], self.matrix(training))
        y = activations.applied(self.activation, y + self.bias if self.use_bias else y)
        self.regularize(y, self.activity_regularizer)
        return y

    def matrix(self, training: bool) -> Any:
        """Return the matrix that the input is multiplied by."""
        return self.kernel

    @property
    def columns(self) -> int:
        """The number of columns of the kernel."""
        return self.units

    def last(self, shape: Shape) -> int:
        """Return the length of the last axis, which must be known."""
        if not shape:
            raise self.error(
                "takes samples with at least one axis, but these are single numbers: use "
                "x[:, np.newaxis] to make each of them a vector"
            )
        if shape[-1] is None:
            raise self.error(
                "the length of the input's last axis must be known, as in nn.Input((3,)) or "
                "T.tensor('x', 'float32', (None, 3))"
            )
        return shape[-1]


@dataclass(eq=False)
class Activation(Layer):
    """Applies an activation function to each input.

    Parameters
    ----------
    activation
        The activation function: a name such as ``"tanh"``, a function of an expression, or None for
        the identity.
    activity_regularizer
        A penalty on the output. It is divided by the number of samples and added to the loss.

    Examples
    --------
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
    """Parametric rectifier: ``x`` where ``x`` is positive, and ``slope * x`` elsewhere.

    Each element of a sample has its own slope, which is learned. See He et al., 2015, Delving Deep
    into Rectifiers.

    Parameters
    ----------
    initializer
        Initial values of the slopes: the name of an initializer, an :class:`Initializer`, a number,
        or an array. The default is 0.25.
    shared_axes
        An axis, or a tuple of axes, along which all elements share one slope. Axis 1 is the first
        axis of a sample, and -1 is the last one. By default, no slope is shared.

    Examples
    --------
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
            raise self.error("the lengths of all axes that are not in shared_axes must be known")
        self.slope = self.parameter("slope", tuple(n for n in lengths if n), self.initializer)

    def apply(self, *inputs: Any, training: bool) -> Any:
        slope: T.TensorVariable = self.slope
        ones = tuple(k - 1 for k in self._ones)
        if ones:
            slope = T.patternbroadcast(slope, [k in ones for k in range(slope.ndim)])
        return T.switch(inputs[0] >= 0, inputs[0], slope * inputs[0])


@dataclass(eq=False)
class Lambda(Layer):
    """Applies a function of symbolic arrays.

    Parameters
    ----------
    function
        The function. It takes the symbolic inputs and returns the symbolic output. The first axis
        of all of them is the batch.
    shape
        The shape of one sample of the output, without the batch axis: a tuple, or a function that
        takes the shapes of the inputs and returns this tuple. None: that of the output.

    Examples
    --------
    >>> nn.Lambda(T.sqr)(nn.Input((3,)))
    Value(float32, (n, 3) of lambda)
    """

    function: Any
    shape: Any = None

    arity = None

    @property
    def infers_shape(self) -> bool:
        return self.shape is None

    def output_shape(self, *shapes: Shape) -> Shape:
        if self.shape is None:
            return shapes[0]
        return tuple(self.shape(*shapes) if callable(self.shape) else self.shape)

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        return data_format if shape == shapes[0] and len(shape) > 1 else None

    def apply(self, *inputs: Any, training: bool) -> Any:
        return self.function(*inputs)
