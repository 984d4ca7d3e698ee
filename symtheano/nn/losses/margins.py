"""Losses for scores that should differ by a margin, and for overlapping regions.

For ``reduction`` and ``weights``, see :func:`~symtheano.nn.losses.reduction.reduced`.
"""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.nn.documentation import described_by
from symtheano.nn.floats import as_float, like
from symtheano.nn.losses.reduction import one_hot, over_last, pair, reduced
from symtheano.nn.losses.regression import cosine


def _positive(x: Any) -> Any:
    return T.maximum(x, like(0, x))


def _signs(t: Any) -> Any:
    """Return 1 for positive targets, and -1 for zero and negative ones."""
    return T.switch(t > 0, like(1, t), like(-1, t))


@described_by(reduced)
def hinge(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the hinge loss, ``mean(max(0, 1 - t * x))`` over the last axis.

    Parameters
    ----------
    predictions
        Scores x, an array of any shape.
    targets
        Classes t of the same shape: 1 and -1, or 1 and 0. A target of 0 counts as -1.

    Examples
    --------
    >>> hinge(np.array([3.0, 0.5]), np.array([0, 1]), reduction=None).eval()
    array([4. , 0.5])
    """
    x, t = pair("hinge", predictions, targets)
    return reduced(over_last(_positive(1 - _signs(t) * x)), reduction, weights)


@described_by(hinge)
def squared_hinge(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the squared hinge loss, ``mean(max(0, 1 - t * x)**2)`` over the last axis.

    Examples
    --------
    >>> squared_hinge(np.array([3.0, 0.5]), np.array([0, 1]), reduction=None).eval()
    array([16.  ,  0.25])
    """
    x, t = pair("squared_hinge", predictions, targets)
    return reduced(over_last(T.sqr(_positive(1 - _signs(t) * x))), reduction, weights)


@described_by(reduced)
def categorical_hinge(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the hinge loss of classes, ``max(0, 1 + best wrong score - right score)``.

    The classes are along the last axis. As in Keras, the best wrong score is the maximum of
    ``(1 - t) * x``, so it is at least 0. :func:`multi_margin` does not have this limit.

    Parameters
    ----------
    predictions
        Scores x, an array of shape (..., classes).
    targets
        One-hot rows t of the same shape, or integer labels.

    Examples
    --------
    >>> categorical_hinge(np.array([[3.0, 2.5, 1.0]]), np.array([0])).eval()
    array(0.5)
    """
    x = as_float(predictions)
    t = one_hot("categorical_hinge", x, targets)
    right, wrong = (t * x).sum(axis=x.ndim - 1), ((1 - t) * x).max(axis=x.ndim - 1)
    return reduced(_positive(1 + wrong - right), reduction, weights)


@described_by(reduced)
def multi_margin(
    predictions: Any,
    targets: Any,
    *,
    p: int = 1,
    margin: float = 1.0,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the margin loss of classes, ``sum(max(0, margin + wrong - right)**p) / classes``.

    The sum is taken over the wrong classes. See Crammer and Singer, 2001, On the algorithmic
    implementation of multiclass kernel-based vector machines.

    Parameters
    ----------
    predictions
        Scores, an array of shape (..., classes).
    targets
        One-hot rows of the same shape, or integer labels.
    p
        The exponent, 1 or 2.
    margin
        The difference between the right score and a wrong score from which on the loss is 0.

    Examples
    --------
    >>> multi_margin(np.array([[3.0, 2.5, 1.0, 0.0]]), np.array([0])).eval()
    array(0.125)
    """
    if p not in (1, 2):
        raise ValueError(f"multi_margin: p must be 1 or 2, not {p}")
    x = as_float(predictions)
    t = one_hot("multi_margin", x, targets)
    right = (t * x).sum(axis=x.ndim - 1, keepdims=True)
    missing = _positive(like(margin, x) + x - right)
    losses = (1 - t) * (missing if p == 1 else T.sqr(missing))
    return reduced(losses.mean(axis=x.ndim - 1), reduction, weights)


@described_by(reduced)
def multi_label_margin(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the margin loss of several classes per item.

    It is the sum of ``max(0, 1 + wrong - right)`` over all pairs of a right and a wrong score,
    divided by the number of classes.

    Parameters
    ----------
    predictions
        Scores, an array of shape (..., classes).
    targets
        An array of the same shape with 1 for the classes of an item and 0 for all others. (Torch
        takes lists of labels instead.)

    Examples
    --------
    >>> multi_label_margin(np.array([[3.0, 2.5, 1.0, 0.0]]), np.array([[1, 0, 0, 0]])).eval()
    array(0.125)
    """
    x, t = pair("multi_label_margin", predictions, targets)
    axis = x.ndim - 1
    right, wrong = T.shape_padright(T.neq(t, 0)), T.expand_dims(T.eq(t, 0), axis)
    missing = _positive(1 - T.shape_padright(x) + T.expand_dims(x, axis))
    pairs = T.switch(T.and_(right, wrong), missing, like(0, x))
    losses = pairs.sum(axis=(axis, axis + 1)) / T.cast(x.shape[axis], x.dtype)
    return reduced(losses, reduction, weights)


@described_by(hinge)
def soft_margin(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the logistic loss, ``mean(log(1 + exp(-t * x)))`` over the last axis.

    It equals the binary cross-entropy of logits, and torch's multi-label soft margin loss.

    Examples
    --------
    >>> soft_margin(np.array([0.0, 1000.0]), np.array([1, -1]), reduction=None).eval().round(4)
    array([6.931e-01, 1.000e+03])
    """
    x, t = pair("soft_margin", predictions, targets)
    return reduced(over_last(T.nnet.softplus(-_signs(t) * x)), reduction, weights)


@described_by(reduced)
def hinge_embedding(
    predictions: Any,
    targets: Any,
    *,
    margin: float = 1.0,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return ``x`` where the target is 1, and ``max(0, margin - x)`` where it is -1 or 0.

    The loss makes distances of similar pairs small, and those of other pairs at least ``margin``.

    Parameters
    ----------
    predictions
        Distances x of pairs, an array of any shape.
    targets
        An array of the same shape: 1 for similar pairs, and -1 or 0 for other pairs.
    margin
        The distance from which on other pairs have no loss.

    Examples
    --------
    >>> hinge_embedding(np.array([0.25, 0.25]), np.array([1, -1]), reduction=None).eval()
    array([0.25, 0.75])
    """
    x, t = pair("hinge_embedding", predictions, targets)
    losses = T.switch(t > 0, x, _positive(like(margin, x) - x))
    return reduced(over_last(losses), reduction, weights)


@described_by(reduced)
def cosine_embedding(
    left: Any,
    right: Any,
    targets: Any,
    *,
    margin: float = 0.0,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return ``1 - cos`` for similar pairs of vectors, and ``max(0, cos - margin)`` for others.

    Parameters
    ----------
    left, right
        Vectors along the last axis, two arrays of shape (..., n).
    targets
        An array of shape (...): 1 for similar pairs, and -1 or 0 for other pairs.
    margin
        The cosine up to which other pairs have no loss.

    Examples
    --------
    >>> pair = np.array([[3.0, 4.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> cosine_embedding(*pair, np.array([1, -1]), reduction=None).eval().round(4)
    array([0.4, 0.6])
    """
    left, right = pair("cosine_embedding", left, right)
    cosines = cosine(left, right)
    cosines, t = pair("cosine_embedding", cosines, targets)
    return reduced(T.switch(t > 0, 1 - cosines, _positive(cosines - like(margin, cosines))),
        reduction, weights)  # fmt: skip


@described_by(reduced)
def margin_ranking(
    left: Any,
    right: Any,
    targets: Any,
    *,
    margin: float = 0.0,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the ranking loss, ``max(0, margin - t * (left - right))`` by elements.

    Parameters
    ----------
    left, right
        Scores, two arrays of equal shapes.
    targets
        An array t of the same shape: 1 where the left score should be larger, and -1 or 0 where
        the right score should be larger. A target of 0 counts as -1.
    margin
        The difference of the scores from which on the loss is 0.

    Examples
    --------
    >>> margin_ranking(np.ones(2), np.zeros(2), np.array([1, -1]), reduction=None).eval()
    array([0., 1.])
    """
    left, right = pair("margin_ranking", left, right)
    left, t = pair("margin_ranking", left, targets)
    return reduced(_positive(like(margin, left) - _signs(t) * (left - right)), reduction, weights)


@described_by(reduced)
def triplet_margin(
    anchor: Any,
    positive: Any,
    negative: Any,
    *,
    margin: float = 1.0,
    p: float = 2.0,
    swap: bool = False,
    epsilon: float = 1e-6,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the triplet loss, ``max(0, margin + d(anchor, positive) - d(anchor, negative))``.

    The distance d of two vectors is the p-norm of their difference plus ``epsilon``. See Balntas et
    al., 2016, Learning local feature descriptors with triplets and shallow convolutional neural
    networks.

    Parameters
    ----------
    anchor, positive, negative
        Vectors along the last axis, three arrays of shape (..., n). The positive vectors should be
        near the anchors, and the negative ones far away.
    margin
        How much farther the negative vector must be than the positive one for a loss of 0.
    p
        The exponent of the norm. The default is 2, the Euclidean norm.
    swap
        Whether ``d(positive, negative)`` is used in place of ``d(anchor, negative)`` if it is
        smaller.
    epsilon
        The number that is added to all differences, because a norm has no derivative at 0.

    Examples
    --------
    >>> a, p, n = np.zeros((1, 2)), np.array([[3.0, 4.0]]), np.array([[0.0, 2.0]])
    >>> triplet_margin(a, p, n).eval().round(4)
    np.float64(4.0)
    """
    anchor, positive = pair("triplet_margin", anchor, positive)
    anchor, negative = pair("triplet_margin", anchor, negative)

    def distance(one: Any, two: Any) -> Any:
        d = one - two + like(epsilon, one)
        if p == 2:
            return T.sqrt((d * d).sum(axis=d.ndim - 1))
        return (abs(d) ** like(p, d)).sum(axis=d.ndim - 1) ** like(1 / p, d)

    far = distance(anchor, negative)
    if swap:
        far = T.minimum(far, distance(positive, negative))
    losses = _positive(like(margin, anchor) + distance(anchor, positive) - far)
    return reduced(losses, reduction, weights)


@described_by(reduced)
def tversky(
    predictions: Any,
    targets: Any,
    *,
    alpha: float = 0.5,
    beta: float = 0.5,
    epsilon: float = 1e-7,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the Tversky loss of overlapping regions, such as masks of images.

    It is ``1 - i / (i + alpha * false positives + beta * false negatives)`` for each item, where
    ``i = sum(t * p)`` is the overlap. The sums are taken over all axes but the first. Keras also
    sums over the batch, and exchanges the two factors. See Salehi et al., 2017, Tversky loss
    function for image segmentation.

    Parameters
    ----------
    predictions
        Probabilities p, an array of shape (items, ...).
    targets
        Masks t of the same shape, 1 inside of the region and 0 outside.
    alpha
        The factor of the false positives, ``sum((1 - t) * p)``.
    beta
        The factor of the false negatives, ``sum(t * (1 - p))``.
    epsilon
        A small number that is added to the numerator and to the denominator.

    Examples
    --------
    >>> tversky(np.array([[1.0, 1.0, 0.0]]), np.array([[1, 0, 1]])).eval().round(4)
    np.float64(0.5)
    """
    p, t = pair("tversky", predictions, targets)
    axes = tuple(range(1, p.ndim))
    common = (t * p).sum(axis=axes)
    extra, missed = ((1 - t) * p).sum(axis=axes), (t * (1 - p)).sum(axis=axes)
    tiny = like(epsilon, p)
    whole = common + like(alpha, p) * extra + like(beta, p) * missed
    return reduced(1 - (common + tiny) / (whole + tiny), reduction, weights)


@described_by(tversky)
def dice(
    predictions: Any,
    targets: Any,
    *,
    epsilon: float = 1e-7,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the Dice loss of overlapping regions, ``1 - 2 * sum(t * p) / (sum(t) + sum(p))``.

    The sums are taken over all axes but the first. It is :func:`tversky` with equal factors. See
    Milletari et al., 2016, V-Net.

    Parameters
    ----------
    epsilon
        A small number that avoids a division by zero, as in :func:`tversky`.

    Examples
    --------
    >>> dice(np.array([[1.0, 1.0, 0.0]]), np.array([[1, 0, 1]])).eval().round(4)
    np.float64(0.5)
    """
    return tversky(predictions, targets, epsilon=epsilon, reduction=reduction, weights=weights)
