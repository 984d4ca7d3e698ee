"""Softmax, its logarithm, and logsumexp, as single ops that rules can recognize.

Before code generation, they are expanded to elementwise ops and reductions, which are fused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply, Op
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.checks import check_axes, some_axes
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.operands import float_operand
from symtheano.tensor.reductions.reduce import extremum_or_least, restore_axes
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.type import TensorType


class AlongAxes(Op):
    """Base class of the three functions along some axes.

    Attributes
    ----------
    axis
        The axes, ascending; by default that of the columns of a matrix, as in Theano.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("axis",)
    takes = "f*"

    def __init__(self, axis: tuple[int, ...] = (1,)) -> None:
        self.axis = some_axes("axis", axis)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        if inputs[0].dtype not in dtypes.FLOAT:
            raise TypeError(
                build_message(f"{self} takes real floating-point operands only", inputs[0])
            )
        check_axes(self, inputs[0], self.axis)
        return [TensorType(inputs[0].dtype, inputs[0].type.shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def _exponentials(self, x: Any) -> tuple[Any, Any, Any]:
        """Return the maximum, exp(x - maximum) and its sum, in NumPy, with axes kept."""
        top = x.max(axis=self.axis, keepdims=True, initial=-np.inf)
        top = np.where(np.isinf(top), x.dtype.type(0), top)
        e = np.exp(x - top)
        wide = {"float16": "float32", "float32": "float64"}.get(x.dtype.name)
        return top, e, e.sum(axis=self.axis, keepdims=True, dtype=wide).astype(x.dtype)

    def written_out(self, x: Tensor, is_centered: bool = False) -> Tensor:
        """Return the expansion to elementwise ops and reductions.

        If the maximum of ``x`` is known to be zero, it is not subtracted again.
        """
        raise NotImplementedError

    def restore(self, reduced: Any, ndim: int) -> Any:
        """Restore the reduced axes with length 1."""
        return restore_axes(reduced, self.axis, ndim)

    def __str__(self) -> str:
        return f"{type(self).__name__}{{axis={list(self.axis)}}}"

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [type(self)(batch.shifted(self.axis))(batch.inputs[0])]


class Softmax(AlongAxes):
    """``exp(x) / sum(exp(x))`` along axes."""

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        with np.errstate(all="ignore"):
            _, e, total = self._exponentials(inputs[0])
            output_storage[0][0] = e / total

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return ``(g - sum(g * y)) * y``."""
        (y,), (g,) = outputs, output_grads
        inner = (g * y).sum(axis=self.axis, keepdims=True)
        return [(g - inner) * y]

    def written_out(self, x: Tensor, is_centered: bool = False) -> Tensor:
        if all(x.type.shape[axis] == 1 for axis in self.axis):
            return (x - x) + x.constant_like(1)  # 1, or NaN for what is not finite
        e, total = shifted(self, x, is_centered)
        return e * scalar.reciprocal(total)


class LogSoftmax(AlongAxes):
    """``x - logsumexp(x)`` along axes."""

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        with np.errstate(all="ignore"):
            top, _, total = self._exponentials(inputs[0])
            output_storage[0][0] = (inputs[0] - top) - np.log(total)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return ``g - exp(y) * sum(g)``."""
        (x,), (g,) = inputs, output_grads
        return [g - Softmax(self.axis)(x) * g.sum(axis=self.axis, keepdims=True)]

    def written_out(self, x: Tensor, is_centered: bool = False) -> Tensor:
        _, total = shifted(self, x, is_centered)
        return (x if is_centered else x - self._top(x)) - scalar.log(total)

    def _top(self, x: Tensor) -> Tensor:
        return finite_max(x, self.axis)


class LogSumExp(AlongAxes):
    """``log(sum(exp(x)))`` over axes, which are removed."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Drop the axes."""
        whole = super().infer(*inputs)[0]
        kept = [d for axis, d in enumerate(whole.shape) if axis not in self.axis]
        return [TensorType(whole.dtype, kept)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [tuple(d for axis, d in enumerate(shapes[0]) if axis not in self.axis)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        with np.errstate(all="ignore"):
            top, _, total = self._exponentials(inputs[0])
            output_storage[0][0] = np.asarray(np.squeeze(top + np.log(total), axis=self.axis))

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return ``g * softmax(x)``."""
        (x,), (g,) = inputs, output_grads
        return [self.restore(g, x.ndim) * Softmax(self.axis)(x)]

    def written_out(self, x: Tensor, is_centered: bool = False) -> Tensor:
        _, total = shifted(self, x, is_centered)
        kept = [axis for axis in range(x.ndim) if axis not in self.axis]
        result = scalar.log(total)
        return (result if is_centered else finite_max(x, self.axis) + result).dimshuffle(*kept)


def finite_max(x: Tensor, axis: tuple[int, ...]) -> Tensor:
    """Return the maximum along axes, which are kept with length 1; 0 where it is infinite."""
    top = extremum_or_least("maximum", x, axis)
    return scalar.switch(scalar.isinf(top), x.constant_like(0), top)


def shifted(op: AlongAxes, x: Tensor, is_centered: bool = False) -> tuple[Tensor, Tensor]:
    """Return ``exp(x - max)`` and its sum, axes kept: no overflow, for any finite x."""
    e = scalar.exp(x if is_centered else x - finite_max(x, op.axis))
    return e, e.sum(axis=op.axis, keepdims=True)


def softmax(c: Any, axis: Any = -1) -> Tensor:
    """Return ``exp(c) / sum(exp(c))`` along ``axis`` (the last by default).

    Examples
    --------
    >>> T.nnet.softmax(T.constant([[1000.0, 1000.0]])).eval()
    array([[0.5, 0.5]], dtype=float32)
    """
    c = float_operand(c)
    return Softmax(normalize_axis(axis, c.ndim))(c)


def softmin(c: Any, axis: Any = -1) -> Tensor:
    """Return ``softmax(-c)`` along ``axis``.

    Examples
    --------
    >>> softmin([[3.0, 3.0]]).eval().tolist()
    [[0.5, 0.5]]
    """
    return softmax(-float_operand(c), axis)


def softmax_grad(dy: TensorLike, sm: TensorLike) -> Tensor:
    """Return the gradient of the operand of a softmax along the last axis.

    Parameters
    ----------
    dy
        The gradient of the softmax.
    sm
        The softmax, of the same shape.

    Examples
    --------
    >>> softmax_grad([[1.0, 0.0]], [[0.5, 0.5]]).eval().tolist()
    [[0.25, -0.25]]
    """
    dy, sm = float_operand(dy), float_operand(sm)
    return (dy - (dy * sm).sum(axis=-1, keepdims=True)) * sm


def logsoftmax(c: Any, axis: Any = -1) -> Tensor:
    """Return ``log(softmax(c))`` without overflow, accurate for small probabilities.

    Examples
    --------
    >>> np.exp(logsoftmax([[1000.0, 1000.0]]).eval()).round(4).tolist()
    [[0.5, 0.5]]
    """
    c = float_operand(c)
    return LogSoftmax(normalize_axis(axis, c.ndim))(c)


def logsumexp(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return ``log(sum(exp(x)))`` over ``axis`` without overflow.

    The result is -inf for an empty axis.

    Examples
    --------
    >>> float(logsumexp(np.array([1000.0, 1000.0])).eval())
    1000.69314718...
    """
    x = float_operand(x)
    axes = normalize_axis(axis, x.ndim)
    if not axes:
        return x
    result = LogSumExp(axes)(x)
    return restore_axes(result, axes, x.ndim) if keepdims else result
