"""Losses other than cross-entropies: divergences, hinge losses, the Huber loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.operands import float_operand, parameter_like
from symtheano.tensor.reductions.reduce import max as maximum_along


def kl_divergence(p: Any, q: Any, axis: Any = -1) -> Tensor:
    """Return the Kullback-Leibler divergence ``sum(p * log(p / q))``, in nats.

    Parameters
    ----------
    p, q
        Probabilities along the axis; their shapes are broadcast. A term is 0 where ``p`` is 0.
    axis
        The axis or axes of each distribution.

    Returns
    -------
    Array without the axis. If ``q`` is a softmax, the logarithm is computed without overflow.

    Examples
    --------
    >>> kl_divergence(np.array([0.0, 1.0]), np.array([0.5, 0.5])).eval().round(4).tolist()
    0.6931
    """
    p, q = float_operand(p), float_operand(q)
    absent = scalar.eq(p, 0)
    ratio = scalar.log(scalar.switch(absent, p.constant_like(1), p)) - scalar.log(q)
    term = p * ratio
    return scalar.switch(absent, term.constant_like(0), term).sum(axis=axis)


def huber_loss(predictions: Any, targets: Any, delta: Any = 1) -> Tensor:
    """Return the Huber loss: quadratic for small differences, linear beyond ``delta``.

    Parameters
    ----------
    predictions, targets
        Arrays whose shapes broadcast.
    delta
        The difference at which the loss becomes linear; a positive number or an array.

    Returns
    -------
    Array of losses, elementwise: ``d**2 / 2`` or ``delta * (abs(d) - delta / 2)``.

    Examples
    --------
    >>> huber_loss(np.array([0.5, -3.0]), np.zeros(2)).eval().tolist()
    [0.125, 2.5]
    """
    distance = scalar.abs(float_operand(predictions) - float_operand(targets))
    near = scalar.minimum(distance, parameter_like(delta, distance))
    return near * (distance - near.constant_like(0.5) * near)


def binary_hinge_loss(
    predictions: Any, targets: TensorLike, delta: Any = 1, binary: bool = True
) -> Tensor:
    """Return ``max(0, delta - sign * prediction)``, elementwise.

    Parameters
    ----------
    predictions
        Scores, not probabilities.
    targets
        The classes: 0 and 1, or -1 and 1 if ``binary`` is false.
    delta
        The margin.
    binary
        Whether targets are 0 and 1.

    Examples
    --------
    >>> binary_hinge_loss(np.array([3.0, 0.5]), np.array([0, 1])).eval().tolist()
    [4.0, 0.5]
    """
    scores, targets = float_operand(predictions), as_tensor_variable(targets)
    signs = 2 * targets.astype(scores.dtype) - 1 if binary else targets.astype(scores.dtype)
    margin = parameter_like(delta, scores) - signs * scores
    return scalar.maximum(margin, margin.constant_like(0))


def multiclass_hinge_loss(predictions: Any, targets: TensorLike, delta: Any = 1) -> Tensor:
    """Return ``max(0, delta + best wrong score - right score)`` for each row.

    See Crammer and Singer, 2001, On the algorithmic implementation of multiclass kernel-based
    vector machines.

    Parameters
    ----------
    predictions
        Scores, shape (n, classes).
    targets
        Integer vector of n labels, or a matrix of shape (n, classes) with one 1 in each row.
    delta
        The margin.

    Returns
    -------
    Vector of n losses; zeros if there is only one class.

    Examples
    --------
    >>> multiclass_hinge_loss(np.array([[3.0, 2.5, 1.0]]), np.array([0])).eval().tolist()
    [0.5]
    """
    scores, targets = float_operand(predictions), as_tensor_variable(targets)
    if scores.ndim != 2 or targets.ndim not in (1, 2):
        what = "multiclass_hinge_loss takes a matrix of scores, and a vector or matrix of targets"
        raise TypeError(build_message(what, scores, targets))
    if targets.ndim == 1 and dtypes.is_discrete(targets.dtype):
        classes = arange(scores.shape[1])
        places = scalar.switch(scalar.lt(targets, 0), targets + scores.shape[1], targets)
        chosen = scalar.eq(classes.dimshuffle("x", 0), places.dimshuffle(0, "x"))
        right = scores[arange(scores.shape[0]), targets]
    elif targets.ndim == 2:
        chosen = scalar.neq(targets, 0)
        right = scalar.switch(chosen, scores, scores.constant_like(0)).sum(axis=1)
    else:
        raise TypeError(build_message("multiclass_hinge_loss: labels must be integers", targets))
    wrong = scalar.switch(chosen, scores.constant_like(-np.inf), scores)
    margin = parameter_like(delta, scores) + maximum_along(wrong, axis=1) - right
    return scalar.maximum(margin, margin.constant_like(0))
