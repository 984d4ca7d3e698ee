"""Theano's functions of a softmax and its cross-entropy with labels, and of rows to prepend to.

They are compositions of public functions, which rules make stable and fuse.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from symtheano import dtypes
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.subtensor import inc_subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.labels import class_labels
from symtheano.tensor.nnet.losses import losses_of_labels
from symtheano.tensor.nnet.operands import float_operand
from symtheano.tensor.nnet.softmax import softmax
from symtheano.tensor.reductions.argmax import argmax, max_and_argmax
from symtheano.tensor.shapes.join import join


def softmax_with_bias(x: Any, b: Any) -> Tensor:
    """Return ``softmax(x + b)`` for a matrix and a vector.

    Examples
    --------
    >>> softmax_with_bias([[1.0, 2.0]], [1.0, 0.0]).eval().tolist()
    [[0.5, 0.5]]
    """
    return softmax(_with_bias("softmax_with_bias", x, b), axis=-1)


def _with_bias(name: str, x: Any, b: Any) -> Any:
    x, b = float_operand(x), float_operand(b)
    if x.ndim != 2 or b.ndim != 1:
        raise ValueError(build_message(f"{name} takes a matrix x and a vector b", x, b))
    return x + b


def _labels(name: str, y: Any) -> Any:
    y = as_tensor_variable(y)
    if y.ndim != 1 or not dtypes.is_discrete(y.dtype):
        raise ValueError(build_message(f"{name}: the labels must be an integer vector", y))
    return y


def crossentropy_categorical_1hot(coding_dist: Any, true_one_of_n: Any) -> Tensor:
    """Return ``-log(coding_dist[i, true_one_of_n[i]])`` for each row of a matrix.

    Examples
    --------
    >>> crossentropy_categorical_1hot([[0.5, 0.5]], [1]).eval().round(4)
    array([0.6931], dtype=float32)
    """
    name = "crossentropy_categorical_1hot"
    return losses_of_labels(name, float_operand(coding_dist), _labels(name, true_one_of_n))


def crossentropy_categorical_1hot_grad(g_y: Any, coding_dist: Any, true_one_of_n: Any) -> Tensor:
    """Return the gradient of the probabilities in ``crossentropy_categorical_1hot``.

    Parameters
    ----------
    g_y
        The gradient of the losses, a vector.
    coding_dist, true_one_of_n
        The function's operands.

    Examples
    --------
    >>> crossentropy_categorical_1hot_grad([1.0], [[0.5, 0.5]], [1]).eval().tolist()
    [[0.0, -2.0]]
    """
    name = "crossentropy_categorical_1hot_grad"
    p = float_operand(coding_dist)
    labels = class_labels(name, _labels(name, true_one_of_n), p)
    place = (arange(p.shape[0]), labels)
    return inc_subtensor(p.zeros_like()[place], -float_operand(g_y) / p[place])


def crossentropy_softmax_argmax_1hot_with_bias(x: Any, b: Any, y_idx: Any) -> list[Tensor]:
    """Return the losses of the softmax of ``x + b``, the softmax, and the most likely classes.

    Parameters
    ----------
    x
        Matrix with a row for each example and a column for each class.
    b
        Vector that is added to each row.
    y_idx
        Integer vector of labels.

    Returns
    -------
    Losses (vector), softmax (matrix), and the positions of the maxima (vector, of the dtype of
    ``y_idx``).

    Examples
    --------
    >>> nll, p, best = crossentropy_softmax_argmax_1hot_with_bias([[1.0, 2.0]], [1.0, 0.0], [1])
    >>> nll.eval().round(4), p.eval().tolist(), best.eval().tolist()
    (array([0.6931], dtype=float32), [[0.5, 0.5]], [0])
    """
    name = "crossentropy_softmax_argmax_1hot_with_bias"
    scores, labels = _with_bias(name, x, b), _labels(name, y_idx)
    p = softmax(scores, axis=-1)
    best = argmax(scores, axis=1)
    return [losses_of_labels(name, p, labels), p, cast(best, labels.dtype)]


def crossentropy_softmax_1hot_with_bias_dx(dy: Any, sm: Any, y_idx: Any) -> Tensor:
    """Return ``dy * (sm - one_hot(y_idx))``, the gradient of x in the function without ``_dx``.

    Examples
    --------
    >>> crossentropy_softmax_1hot_with_bias_dx([2.0], [[0.5, 0.5]], [1]).eval().tolist()
    [[1.0, -1.0]]
    """
    dy, sm = float_operand(dy), float_operand(sm)
    name = "crossentropy_softmax_1hot_with_bias_dx"
    labels = class_labels(name, _labels(name, y_idx), sm)
    scaled = sm * dy.dimshuffle(0, "x")
    return inc_subtensor(scaled[arange(sm.shape[0]), labels], -dy)


def crossentropy_softmax_1hot_with_bias(x: Any, b: Any, y_idx: Any) -> list[Tensor]:
    """Return the losses of the softmax of ``x + b``, and the softmax.

    Examples
    --------
    >>> crossentropy_softmax_1hot_with_bias([[1.0, 2.0]], [1.0, 0.0], [1])[0].eval().round(4)
    array([0.6931], dtype=float32)
    """
    return crossentropy_softmax_argmax_1hot_with_bias(x, b, y_idx)[:2]


def crossentropy_softmax_1hot(x: Any, y_idx: Any) -> list[Tensor]:
    """Return the losses of the softmax of ``x``, and the softmax.

    Examples
    --------
    >>> crossentropy_softmax_1hot([[2.0, 2.0]], [1])[0].eval().round(4)
    array([0.6931], dtype=float32)
    """
    x = float_operand(x)
    return crossentropy_softmax_1hot_with_bias(x, alloc(x.constant_like(0), x.shape[1]), y_idx)


def crossentropy_softmax_max_and_argmax_1hot_with_bias(x: Any, b: Any, y_idx: Any) -> list[Tensor]:
    """Return losses and softmax of ``x + b``, its largest probabilities and their positions.

    Examples
    --------
    >>> made = crossentropy_softmax_max_and_argmax_1hot_with_bias([[1.0, 2.0]], [1.0, 0.0], [1])
    >>> made[2].eval().tolist(), made[3].eval().tolist()
    ([0.5], [0])
    """
    losses, p = crossentropy_softmax_1hot_with_bias(x, b, y_idx)
    return [losses, p, *max_and_argmax(p, axis=-1)]


def crossentropy_softmax_max_and_argmax_1hot(x: Any, y_idx: Any) -> list[Tensor]:
    """Return losses and softmax of ``x``, its largest probabilities and their positions.

    Examples
    --------
    >>> crossentropy_softmax_max_and_argmax_1hot([[2.0, 2.0]], [1])[2].eval().tolist()
    [0.5]
    """
    losses, p = crossentropy_softmax_1hot(x, y_idx)
    return [losses, p, *max_and_argmax(p, axis=-1)]


# -- rows with one more column ------------------------------------------------------------------


def prepend_scalar_to_each_row(val: TensorLike, mat: TensorLike) -> Tensor:
    """Return a matrix with a number prepended to each row, in the dtype of the matrix.

    Examples
    --------
    >>> prepend_scalar_to_each_row(7.0, [[1.0, 2.0]]).eval().tolist()
    [[7.0, 1.0, 2.0]]
    """
    val, mat = as_tensor_variable(val), as_tensor_variable(mat)
    if val.ndim != 0 or mat.ndim != 2:
        what = "prepend_scalar_to_each_row: a 0-d value and a matrix"
        raise TypeError(build_message(what, val, mat))
    return join(1, alloc(cast(val, mat.dtype), mat.shape[0], 1), mat)


def prepend_0_to_each_row(mat: Any) -> Tensor:
    """Return a matrix with 0 prepended to each row.

    Examples
    --------
    >>> prepend_0_to_each_row([[1.0, 2.0]]).eval().tolist()
    [[0.0, 1.0, 2.0]]
    """
    return prepend_scalar_to_each_row(0, mat)


def prepend_1_to_each_row(mat: Any) -> Tensor:
    """Return a matrix with 1 prepended to each row.

    Examples
    --------
    >>> prepend_1_to_each_row([[3.0, 2.0]]).eval().tolist()
    [[1.0, 3.0, 2.0]]
    """
    return prepend_scalar_to_each_row(1, mat)


def Prepend_scalar_constant_to_each_row(val: Any = 0) -> Callable[[Any], Any]:
    """Return the function that prepends this number to each row.

    Examples
    --------
    >>> Prepend_scalar_constant_to_each_row(5)([[1.0]]).eval().tolist()
    [[5.0, 1.0]]
    """
    return partial(prepend_scalar_to_each_row, val)


def Prepend_scalar_to_each_row() -> Callable[[Any, Any], Any]:
    """Return ``prepend_scalar_to_each_row``, which is a class in Theano.

    Examples
    --------
    >>> Prepend_scalar_to_each_row()(5.0, [[1.0]]).eval().tolist()
    [[5.0, 1.0]]
    """
    return prepend_scalar_to_each_row
