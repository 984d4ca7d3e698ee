"""Functions of arrays by the names that they have in TensorFlow; see also ``elementwise.py``.

They take symbolic arrays, numbers, placeholders of any shape, and outputs of layers. With what is
known in a run only, a call is recorded.
"""

from __future__ import annotations

from typing import Any

import symtheano
import symtheano.tensor as T
from symtheano.nn.losses.crossentropy import categorical_crossentropy
from symtheano.nn.session.deferred import recorded


@recorded
def argmax(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return the position of the first maximum along an axis, by default in all elements."""
    return T.argmax(x, axis, keepdims)


@recorded
def argmin(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return the position of the first minimum along an axis, by default in all elements."""
    return T.argmin(x, axis, keepdims)


@recorded
def cast(x: Any, dtype: Any) -> T.TensorVariable:
    """Return an array converted to a dtype, or itself if it has this dtype."""
    return T.cast(x, dtype)


@recorded
def concat(values: Any, axis: Any) -> T.TensorVariable:
    """Return arrays one after the other along an axis."""
    return T.concatenate(values, axis=axis)


@recorded
def cumsum(x: Any, axis: Any = 0) -> T.TensorVariable:
    """Return the cumulative sum along an axis."""
    return T.cumsum(x, axis=axis)


@recorded
def expand_dims(x: Any, axis: Any) -> T.TensorVariable:
    """Return an array with a new axis of length 1 at a position."""
    return T.expand_dims(x, axis)


@recorded
def gather(x: Any, indices: Any, axis: Any = 0) -> T.TensorVariable:
    """Return the slices at the given positions of an axis."""
    return T.take(x, indices, axis=axis)


@recorded
def log_softmax(x: Any, axis: Any = -1) -> T.TensorVariable:
    """Return the logarithm of the softmax along an axis, without overflow."""
    return T.nnet.logsoftmax(x, axis=axis)


@recorded
def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False
) -> T.TensorVariable:
    """Return the product of matrices, of which either can be transposed; other axes are batches."""
    return T.matmul(_swapped(a) if transpose_a else a, _swapped(b) if transpose_b else b)


@recorded
def one_hot(x: Any, depth: Any, dtype: Any = "float32") -> T.TensorVariable:
    """Return for each integer k a vector of length ``depth`` with 1 at position k, else 0."""
    return T.extra_ops.to_one_hot(x, depth, dtype=dtype)


@recorded
def ones_like(x: Any, dtype: Any = None, shape: Any = None) -> T.TensorVariable:
    """Return ones of an array's shape and dtype, unless others are given."""
    return T.ones_like(x, dtype, shape=shape)


@recorded
def reduce_all(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return whether all elements along axes are true, by default along all axes."""
    return T.all(x, axis=_axes(axis), keepdims=keepdims)


@recorded
def reduce_any(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return whether one of the elements along axes is true, by default along all axes."""
    return T.any(x, axis=_axes(axis), keepdims=keepdims)


@recorded
def reduce_logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return the logarithm of the sum of exponentials along axes, by default along all axes."""
    return T.logsumexp(x, axis=_axes(axis), keepdims=keepdims)


@recorded
def reduce_max(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return the largest element along axes, by default along all axes."""
    return T.max(x, axis=_axes(axis), keepdims=keepdims)


@recorded
def reduce_mean(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return the mean along axes, by default along all axes."""
    return T.mean(x, axis=_axes(axis), keepdims=keepdims)


@recorded
def reduce_min(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return the smallest element along axes, by default along all axes."""
    return T.min(x, axis=_axes(axis), keepdims=keepdims)


@recorded
def reduce_prod(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return the product along axes, by default along all axes."""
    return T.prod(x, axis=_axes(axis), keepdims=keepdims)


@recorded
def reduce_sum(x: Any, axis: Any = None, keepdims: bool = False) -> T.TensorVariable:
    """Return the sum along axes, by default along all axes.

    Parameters
    ----------
    x
        An array.
    axis
        An axis, or several in a list; None for all.
    keepdims
        Whether these axes stay, with length 1.

    Examples
    --------
    >>> reduce_sum([[1, 2], [3, 4]], axis=1, keepdims=True).eval().tolist()
    [[3], [7]]
    """
    return T.sum(x, axis=_axes(axis), keepdims=keepdims)


@recorded
def sigmoid_cross_entropy_with_logits(labels: Any, logits: Any) -> T.TensorVariable:
    """Return the cross entropy of each element, which is finite for all logits."""
    entropy: T.TensorVariable = T.nnet.softplus(logits) - labels * logits
    return entropy


@recorded
def softmax(x: Any, axis: Any = -1) -> T.TensorVariable:
    """Return ``exp(x) / sum(exp(x))`` along an axis."""
    return T.nnet.softmax(x, axis=axis)


@recorded
def softmax_cross_entropy_with_logits(labels: Any, logits: Any) -> T.TensorVariable:
    """Return the cross entropy of each sample; labels are rows of probabilities."""
    return _cross_entropy(labels, logits)


@recorded
def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any) -> T.TensorVariable:
    """Return the cross entropy of each sample; labels are the integers of the classes."""
    return _cross_entropy(labels, logits)


@recorded
def squeeze(x: Any, axis: Any = None) -> T.TensorVariable:
    """Return an array without the given axes, by default without all axes of length 1."""
    return T.squeeze(x, axis)


@recorded
def stack(values: Any, axis: Any = 0) -> T.TensorVariable:
    """Return arrays of one shape along a new axis."""
    return T.stack(values, axis)


@recorded
def stop_gradient(x: Any) -> T.TensorVariable:
    """Return an array that derivatives treat as a constant."""
    constant: T.TensorVariable = symtheano.gradient.disconnected_grad(x)
    return constant


@recorded
def tensordot(a: Any, b: Any, axes: Any = 2) -> T.TensorVariable:
    """Return the product of two arrays, summed over pairs of axes; see :func:`T.tensordot`."""
    return T.tensordot(a, b, axes)


@recorded
def tile(x: Any, reps: Any, ndim: int | None = None) -> T.TensorVariable:
    """Return copies of an array, one after the other along each axis."""
    return T.tile(x, reps, ndim)


@recorded
def transpose(x: Any, perm: Any = None) -> T.TensorVariable:
    """Return an array with its axes in another order, by default reversed."""
    return T.transpose(x, perm)


@recorded
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Return elements of ``x`` where a condition is true, else of ``y``; or its true positions."""
    return T.where(condition, x, y)


@recorded
def zeros_like(x: Any, dtype: Any = None, shape: Any = None) -> T.TensorVariable:
    """Return zeros of an array's shape and dtype, unless others are given."""
    return T.zeros_like(x, dtype, shape=shape)


def _axes(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list) else axis


def _swapped(x: Any) -> T.TensorVariable:
    """Return an array with the last two axes exchanged."""
    x = T.as_tensor_variable(x)
    swapped: T.TensorVariable = x.dimshuffle(*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)
    return swapped


def _cross_entropy(labels: Any, logits: Any) -> T.TensorVariable:
    entropy: T.TensorVariable = categorical_crossentropy(
        logits, labels, from_logits=True, reduction=None
    )
    return entropy
