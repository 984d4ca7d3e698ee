"""Wrappers that compute the kernel of a layer from other parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.convolution import Convolution
from symtheano.nn.layers.dense import Dense
from symtheano.nn.values import Format, Shape


@dataclass(eq=False)
class Reparametrized(Layer):
    """Base class of wrappers that replace the kernel of a dense layer or a convolution.

    Parameters
    ----------
    layer
        The dense layer or convolution to wrap. It must not have been called yet.
    """

    layer: Layer

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.layer, Dense | Convolution):
            raise self.error(
                f"takes a dense layer or a convolution, not {type(self.layer).__name__}"
            )
        self.differs = self.differs or self.layer.differs
        self.keeps_steps = self.layer.keeps_steps

    def build(self, *shapes: Shape) -> None:
        self.build_part(self.layer, "", *shapes)

    def output_shape(self, *shapes: Shape) -> Shape:
        return self.layer.output_shape(*shapes)

    def take_channels_last(self) -> None:
        self.layer.take_channels_last()

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        return self.layer.output_format(data_format, shapes, shape)

    def apply(self, *inputs: Any, training: bool) -> Any:
        layer: Any = self.layer
        direction = layer.kernel
        layer.kernel = self.kernel_of(direction, training)
        try:
            return self.apply_part(layer, *inputs, training=training)
        finally:
            layer.kernel = direction

    def kernel_of(self, direction: Any, training: bool) -> Any:
        """Return the kernel to use, computed from the parameter that is the layer's kernel."""
        raise NotImplementedError(f"{type(self).__name__} does not define kernel_of")

    @property
    def output_axis(self) -> int:
        """The axis of the kernel that corresponds to the features of the output."""
        transposed = hasattr(self.layer, "output_padding")
        return 0 if isinstance(self.layer, Convolution) and not transposed else 1


@dataclass(eq=False)
class WeightNorm(Reparametrized):
    """Weight normalization: each unit or filter has a kernel with a learned norm and direction.

    The norms begin with those of the initial kernel, which therefore does not change. See Salimans
    and Kingma, 2016, Weight Normalization.

    Examples
    --------
    >>> y = nn.WeightNorm(nn.Dense(2))(nn.Input((3,)))
    >>> y.shape, y.parameters
    ((2,), [weight_norm/kernel, weight_norm/bias, weight_norm/length])
    """

    def build(self, *shapes: Shape) -> None:
        super().build(*shapes)
        layer: Any = self.layer
        kernel = layer.kernel.get_value()
        others = tuple(k for k in range(kernel.ndim) if k != self.output_axis)
        self.length = self.parameter(
            "length", (kernel.shape[self.output_axis],), np.sqrt((kernel**2).sum(axis=others))
        )

    def kernel_of(self, direction: Any, training: bool) -> Any:
        axis = self.output_axis
        others = tuple(k for k in range(direction.ndim) if k != axis)
        norm = T.sqrt(T.sum(T.sqr(direction), axis=others, keepdims=True))
        pattern = ["x" if k != axis else 0 for k in range(direction.ndim)]
        return direction * (self.length.dimshuffle(*pattern) / norm)


@dataclass(eq=False)
class SpectralNorm(Reparametrized):
    """Spectral normalization: the kernel, as a matrix, is divided by its largest singular value.

    Power iteration estimates the singular value. In training, each batch continues the iteration
    with the vector of the previous batch. At test, the vector does not change. See Miyato et al.,
    2018, Spectral Normalization for Generative Adversarial Networks.

    Parameters
    ----------
    power_iterations
        The number of iterations for each batch in training.

    Examples
    --------
    >>> y = nn.SpectralNorm(nn.Dense(2))(nn.Input((3,)))
    >>> y, len(y.updates)
    (Value(float32, (n, 2) of spectral_norm), 1)
    """

    power_iterations: int = 1

    differs = True
    frozen_is_test = True

    def build(self, *shapes: Shape) -> None:
        super().build(*shapes)
        layer: Any = self.layer
        units = layer.kernel.get_value(borrow=True).shape[self.output_axis]
        self.vector = self.parameter("vector", (units,), "normal", trainable=False)

    def kernel_of(self, direction: Any, training: bool) -> Any:
        axis = self.output_axis
        order = (axis, *(k for k in range(direction.ndim) if k != axis))
        matrix = direction.dimshuffle(*order).flatten(2)
        constant, u = symtheano.gradient.disconnected_grad(matrix), unit(self.vector)
        for _ in range(self.power_iterations if training else 0):
            u = unit(T.dot(constant, unit(T.dot(u, constant))))
        v = unit(T.dot(u, constant))
        if training:
            self.update(self.vector, u)
        return direction / T.dot(u, T.dot(matrix, v))


def unit(vector: Any) -> Any:
    """Return a vector divided by its Euclidean norm."""
    return vector / T.sqrt(T.maximum(T.sum(T.sqr(vector)), T.constant(1e-12, dtype=vector.dtype)))
