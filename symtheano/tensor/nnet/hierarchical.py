"""Softmax over many classes; only some of them are computed."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.linalg.dot import dot, tensordot
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.operands import float_operand
from symtheano.tensor.nnet.softmax import logsumexp, softmax
from symtheano.tensor.shapes.join import join


def h_softmax(
    x: Any,
    batch_size: Any,
    n_outputs: Any,
    n_classes: Any,
    n_outputs_per_class: Any,
    W1: Any,
    b1: Any,
    W2: Any,
    b2: Any,
    target: Any = None,
) -> Tensor:
    """Return the probabilities of a hierarchical softmax: over groups, and within each group.

    See Goodman, 2001, Classes for fast maximum entropy training.

    Parameters
    ----------
    x
        Matrix of shape (batch_size, features).
    batch_size, n_outputs, n_classes, n_outputs_per_class
        The number of rows, of outputs, of groups, and of outputs in each group. The product of the
        last two is at least ``n_outputs``.
    W1, b1
        Weights (features, n_classes) and biases (n_classes,) of the groups.
    W2, b2
        Weights (n_classes, features, n_outputs_per_class) and biases (n_classes,
        n_outputs_per_class) of the outputs in each group.
    target
        Integer vector with one output for each row, or None for all outputs.

    Returns
    -------
    The probability of each row's target, or a matrix of shape (batch_size, n_outputs). With a
    target, only the weights of its group are used.

    Examples
    --------
    >>> W1, W2 = np.zeros((3, 2)), np.zeros((2, 3, 2))
    >>> weights = (W1, np.zeros(2), W2, np.zeros((2, 2)))
    >>> h_softmax(np.ones((1, 3)), 1, 4, 2, 2, *weights).eval().tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    >>> h_softmax(np.ones((1, 3)), 1, 4, 2, 2, *weights, np.array([3])).eval().tolist()
    [0.25]
    """
    x, W1, b1, W2, b2 = (float_operand(item) for item in (x, W1, b1, W2, b2))
    if (x.ndim, W1.ndim, b1.ndim, W2.ndim, b2.ndim) != (2, 2, 1, 3, 2):
        what = "h_softmax: x and W1 are matrices, b1 is a vector, W2 has 3 axes, b2 has 2"
        raise TypeError(build_message(what, x, W1, b1, W2, b2))
    groups = softmax(dot(x, W1) + b1, axis=-1)
    if target is None:
        inner = softmax(tensordot(x, W2, [[1], [1]]) + b2, axis=-1)
        whole = groups.dimshuffle(0, 1, "x") * inner
        return whole.reshape((batch_size, n_classes * n_outputs_per_class))[:, :n_outputs]
    target = as_tensor_variable(target)
    if not dtypes.is_discrete(target.dtype):
        raise TypeError(build_message("h_softmax: targets must be integers", target))
    target, rows = target.flatten(), arange(batch_size)
    group, place = target // n_outputs_per_class, target % n_outputs_per_class
    scores = (x.dimshuffle(0, 1, "x") * W2[group]).sum(axis=1) + b2[group]
    return groups[rows, group] * softmax(scores, axis=-1)[rows, place]


def sampled_softmax(
    x: TensorLike,
    W: TensorLike,
    b: TensorLike,
    targets: TensorLike,
    sampled: TensorLike,
    target_logits: Any = None,
    sampled_logits: Any = None,
) -> Tensor:
    """Return the cross-entropy of a softmax over the true class and some sampled classes.

    It is an estimate for training with many classes; see Jean et al., 2015, On using very large
    target vocabulary for neural machine translation.

    Parameters
    ----------
    x
        Matrix of shape (n, features).
    W, b
        Weights (classes, features) and biases (classes,). Only the rows of targets and samples are
        used. An update by the gradient changes only these rows, in place.
    targets
        Integer vector of n labels.
    sampled
        Integer vector of the sampled classes. If the label of a row is among them, this sample is
        ignored for the row.
    target_logits, sampled_logits
        Logarithms of the expected numbers of samples of each target and of each sampled class. They
        are subtracted from the scores. None if all classes are equally likely.

    Returns
    -------
    Vector of n losses.

    Examples
    --------
    >>> W, b = np.zeros((9, 2)), np.zeros(9)
    >>> sampled_softmax(np.ones((1, 2)), W, b, np.array([0]), np.array([3, 0])).eval().round(4)
    array([0.6931])
    """
    x, W, b = (float_operand(item) for item in (x, W, b))
    targets, sampled = as_tensor_variable(targets), as_tensor_variable(sampled)
    if (x.ndim, W.ndim, b.ndim, targets.ndim, sampled.ndim) != (2, 2, 1, 1, 1):
        what = "sampled_softmax: x and W are matrices; b, targets and sampled are vectors"
        raise TypeError(build_message(what, x, W, b, targets, sampled))
    right = (x * W[targets]).sum(axis=1) + b[targets]
    others = dot(x, W[sampled].T) + b[sampled]
    if target_logits is not None:
        right = right - float_operand(target_logits)
    if sampled_logits is not None:
        others = others - float_operand(sampled_logits)
    same = scalar.eq(targets.dimshuffle(0, "x"), sampled.dimshuffle("x", 0))
    others = scalar.switch(same, others.constant_like(-np.inf), others)
    return logsumexp(join(1, right.dimshuffle(0, "x"), others), axis=1) - right
