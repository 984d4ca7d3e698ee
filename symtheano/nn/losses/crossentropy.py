"""Losses for classes and probabilities.

For ``reduction`` and ``weights``, see :func:`~symtheano.nn.losses.reduction.reduced`.
"""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.nn.documentation import described_by
from symtheano.nn.floats import as_float, like, setting
from symtheano.nn.losses.reduction import (
    is_labels,
    one_hot,
    over_last,
    pair,
    reduced,
    without_last,
)


def times(share: Any, logs: Any) -> Any:
    """Return ``share * logs``, but 0 where the share is 0, even if the logarithm is infinite.

    Examples
    --------
    >>> times(T.constant(np.array([0.0, 1.0])), T.log(np.array([0.0, 1.0]))).eval()
    array([0., 0.])
    """
    return T.switch(T.eq(share, 0), like(0, logs), share * logs)


def binary_crossentropy(
    predictions: Any,
    targets: Any,
    *,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    positive_weight: Any = None,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the binary cross-entropy, ``-mean(t * log(p) + (1 - t) * log(1 - p))``.

    The mean is taken over the last axis. If the predictions are the output of a sigmoid, the loss
    is computed without overflow. Other probabilities are used as they are: the loss of ``p = 0``
    with ``t = 1`` is infinite.

    Parameters
    ----------
    predictions
        Probabilities p between 0 and 1, an array of any shape.
    targets
        Targets t between 0 and 1, an array of the same shape.
    from_logits
        Whether the predictions are logits x with ``p = sigmoid(x)``, not probabilities.
    label_smoothing
        A number s from 0 to 1. The targets become ``t * (1 - s) + s / 2``. See Szegedy et al.,
        2016, Rethinking the Inception architecture.
    positive_weight
        A factor of the term ``t * log(p)``: a number, or an array that broadcasts to the targets.
        None: no factor.
    reduction
        How the losses of the items are combined: ``"mean"``, ``"sum"``, ``"weighted_mean"``, or
        None for an array of all losses. See :func:`~symtheano.nn.losses.reduction.reduced`.
    weights
        A weight for each item or each loss, or None.

    Examples
    --------
    >>> binary_crossentropy(np.array([0.5, 0.25]), np.array([1, 0]), reduction=None).eval().round(4)
    array([0.6931, 0.2877])
    """
    x, t = pair("binary_crossentropy", predictions, targets)
    t = _smooth(t, label_smoothing, 2)
    return reduced(over_last(_binary(x, t, from_logits, positive_weight)), reduction, weights)


def _binary(x: Any, t: Any, from_logits: bool, positive_weight: Any = None) -> Any:
    """Return the cross-entropy of each element."""
    if from_logits:
        positive, negative = t * T.nnet.softplus(-x), (1 - t) * T.nnet.softplus(x)
    else:
        positive, negative = -times(t, T.log(x)), -times(1 - t, T.log(1 - x))
    if positive_weight is not None:
        positive = positive * T.cast(T.as_tensor_variable(positive_weight), x.dtype)
    return positive + negative


def _smooth(t: Any, smoothing: float, classes: Any) -> Any:
    if not 0 <= smoothing <= 1:
        raise ValueError(f"label_smoothing must be between 0 and 1, not {smoothing}")
    if not smoothing:
        return t
    part = setting("label_smoothing", smoothing)
    return t * like(1 - part, t) + like(part, t) / T.cast(classes, t.dtype)


def categorical_crossentropy(
    predictions: Any,
    targets: Any,
    *,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    class_weights: Any = None,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the cross-entropy of classes, ``-sum(t * log(p))`` over the last axis.

    If the predictions are the output of a softmax, the loss is computed without overflow. Other
    probabilities are used as they are: they are not normalized, and the loss of a class with
    ``p = 0`` is infinite.

    Parameters
    ----------
    predictions
        Probabilities p, an array of shape (..., classes).
    targets
        Probabilities t of the same shape, such as one-hot rows, or integer labels from 0 to
        ``classes - 1``, of shape (...) or (..., 1).
    from_logits
        Whether the predictions are logits x with ``p = softmax(x)``, not probabilities.
    label_smoothing
        A number s from 0 to 1. The targets become ``t * (1 - s) + s / classes``. See Szegedy et
        al., 2016, Rethinking the Inception architecture.
    class_weights
        A vector with a factor for the term of each class. With ``reduction="weighted_mean"``, the
        sum of the losses is divided by the sum of the factors of the targets. Torch does the same
        for labels, but divides by the number of items if targets are probabilities.
    reduction
        How the losses of the items are combined: ``"mean"``, ``"sum"``, ``"weighted_mean"``, or
        None for an array of all losses. See :func:`~symtheano.nn.losses.reduction.reduced`.
    weights
        A weight for each item, or None.

    Raises
    ------
    ValueError
        If the numbers of axes of predictions and targets do not fit.

    Examples
    --------
    >>> p = np.array([[0.5, 0.5], [0.25, 0.75]])
    >>> categorical_crossentropy(p, np.array([0, 1]), reduction=None).eval().round(4)
    array([0.6931, 0.2877])
    """
    predictions, targets = as_float(predictions), T.as_tensor_variable(targets)
    logs = T.nnet.logsoftmax(predictions, axis=-1) if from_logits else T.log(predictions)
    factors = sizes = None
    if class_weights is not None:
        factors = T.cast(T.as_tensor_variable(class_weights), predictions.dtype)
        sizes = of_classes(class_weights, predictions, targets)
    if is_labels(targets, predictions):
        labels = without_last(targets, predictions)
        losses = _of_labels(predictions, logs, labels, from_logits)
        losses = losses if sizes is None else losses * sizes
        if label_smoothing:
            even = -_weighted(logs, factors).mean(axis=logs.ndim - 1)
            part = setting("label_smoothing", label_smoothing, losses.dtype)
            losses = (1 - part) * losses + part * even
    else:
        t = one_hot("categorical_crossentropy", predictions, targets)
        smooth = _smooth(t, label_smoothing, predictions.shape[predictions.ndim - 1])
        losses = -_weighted(times(smooth, logs), factors).sum(axis=logs.ndim - 1)
    return reduced(losses, reduction, weights, sizes)


def _weighted(terms: Any, factors: Any) -> Any:
    """Return the terms of the classes times the factors of the classes, if there are factors."""
    return terms if factors is None else terms * factors


def _of_labels(predictions: Any, logs: Any, labels: Any, from_logits: bool) -> Any:
    """Return the negative logarithms of the probabilities of the labels."""
    if not from_logits:
        return T.nnet.categorical_crossentropy(predictions, labels)
    if logs.ndim == 1:
        return -logs[labels]
    if logs.ndim == 2:
        return -logs[T.arange(labels.shape[0]), labels]
    rows = logs.reshape((-1, logs.shape[logs.ndim - 1]))
    picked = rows[T.arange(rows.shape[0]), labels.flatten()]
    return -picked.reshape(labels.shape, ndim=labels.ndim)


def of_classes(class_weights: Any, predictions: Any, targets: Any) -> Any:
    """Return a weight for each item, which is the weight of its class.

    Parameters
    ----------
    class_weights
        A vector with a weight for each class.
    predictions
        An array of shape (..., classes).
    targets
        Integer labels of shape (...) or (..., 1), or one-hot rows of shape (..., classes).

    Returns
    -------
    Expression of shape (...) and of the dtype of the predictions.

    Examples
    --------
    >>> of_classes([1.0, 3.0], T.constant(np.zeros((3, 2))), np.array([1, 0, 1])).eval()
    array([3., 1., 3.])
    """
    predictions, targets = as_float(predictions), T.as_tensor_variable(targets)
    table = T.cast(T.as_tensor_variable(class_weights), predictions.dtype)
    if is_labels(targets, predictions):
        return table[without_last(targets, predictions)]
    return (T.cast(targets, predictions.dtype) * table).sum(axis=targets.ndim - 1)


@described_by(categorical_crossentropy)
def sparse_categorical_crossentropy(
    predictions: Any,
    targets: Any,
    *,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    class_weights: Any = None,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the cross-entropy of classes for integer labels.

    This is :func:`categorical_crossentropy`, but an error is raised for other targets.

    Parameters
    ----------
    predictions
        Probabilities, an array of shape (..., classes).
    targets
        Integer labels from 0 to ``classes - 1``, of shape (...) or (..., 1).

    Raises
    ------
    ValueError
        If the targets are not integer labels.

    Examples
    --------
    >>> sparse_categorical_crossentropy(np.array([[0.25, 0.75]]), np.array([1])).eval().round(4)
    np.float64(0.2877)
    """
    predictions, targets = as_float(predictions), T.as_tensor_variable(targets)
    if not is_labels(targets, predictions):
        raise ValueError(
            f"sparse_categorical_crossentropy: targets must be integer labels with "
            f"{predictions.ndim - 1} axes, not {targets.dtype} with {targets.ndim} axes"
        )
    return categorical_crossentropy(
        predictions,
        targets,
        from_logits=from_logits,
        label_smoothing=label_smoothing,
        class_weights=class_weights,
        reduction=reduction,
        weights=weights,
    )


@described_by(binary_crossentropy)
def binary_focal_crossentropy(
    predictions: Any,
    targets: Any,
    *,
    gamma: float = 2.0,
    alpha: float | None = None,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the binary focal loss: the binary cross-entropy times ``(1 - q)**gamma``.

    Here ``q = t * p + (1 - t) * (1 - p)`` is the predicted probability of the target. Predictions
    that are nearly right therefore count less. See Lin et al., 2017, Focal loss for dense object
    detection.

    Parameters
    ----------
    gamma
        The exponent, at least 0. The larger it is, the less certain predictions count. 0 gives the
        binary cross-entropy.
    alpha
        The factor of positive items. The factor of negative items is ``1 - alpha``. None: no
        factors. Keras applies them with ``apply_class_balancing=True``, where ``alpha`` is 0.25 by
        default.

    Examples
    --------
    >>> binary_focal_crossentropy(np.array([0.5]), np.array([1.0])).eval().round(4)
    np.float64(0.1733)
    """
    x, t = pair("binary_focal_crossentropy", predictions, targets)
    t = _smooth(t, label_smoothing, 2)
    p = T.nnet.sigmoid(x) if from_logits else x
    missed = t * (1 - p) + (1 - t) * p
    losses = missed ** like(gamma, missed) * _binary(x, t, from_logits)
    if alpha is not None:
        losses = losses * (t * like(alpha, t) + (1 - t) * like(1 - alpha, t))
    return reduced(over_last(losses), reduction, weights)


@described_by(categorical_crossentropy)
def categorical_focal_crossentropy(
    predictions: Any,
    targets: Any,
    *,
    gamma: float = 2.0,
    alpha: Any = 0.25,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the focal loss of classes, ``-sum(alpha * (1 - p)**gamma * t * log(p))``.

    The sum is taken over the last axis, the classes. Predictions that are nearly right count less
    than in the cross-entropy. See Lin et al., 2017, Focal loss for dense object detection.

    Parameters
    ----------
    predictions
        Probabilities p, an array of shape (..., classes).
    targets
        Probabilities t of the same shape, such as one-hot rows, or integer labels.
    gamma
        The exponent, at least 0. The larger it is, the less certain predictions count.
    alpha
        A factor of the loss: a number, or a vector with a number for each class.

    Examples
    --------
    >>> categorical_focal_crossentropy(np.array([[0.5, 0.5]]), np.array([0])).eval().round(4)
    np.float64(0.0433)
    """
    x = as_float(predictions)
    t = one_hot("categorical_focal_crossentropy", x, targets)
    t = _smooth(t, label_smoothing, x.shape[x.ndim - 1])
    p = T.nnet.softmax(x, axis=-1) if from_logits else x
    logs = T.nnet.logsoftmax(x, axis=-1) if from_logits else T.log(x)
    factor = T.cast(T.as_tensor_variable(alpha), x.dtype) * (1 - p) ** like(gamma, p)
    return reduced(-times(t * factor, logs).sum(axis=x.ndim - 1), reduction, weights)


@described_by(reduced)
def kl_divergence(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the Kullback-Leibler divergence, ``sum(t * log(t / p))`` over the last axis.

    Terms with ``t = 0`` are 0. See Kullback and Leibler, 1951, On information and sufficiency.

    Parameters
    ----------
    predictions
        Probabilities p, an array of shape (..., classes).
    targets
        Probabilities t, an array of the same shape.

    Examples
    --------
    >>> kl_divergence(np.array([[0.5, 0.5]]), np.array([[0.0, 1.0]])).eval().round(4)
    np.float64(0.6931)
    """
    p, t = pair("kl_divergence", predictions, targets)
    return reduced(T.nnet.kl_divergence(t, p, axis=p.ndim - 1), reduction, weights)


@described_by(categorical_crossentropy)
def nll(
    predictions: Any,
    targets: Any,
    *,
    class_weights: Any = None,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the negative log-likelihood of labels: minus their predicted log-probabilities.

    Parameters
    ----------
    predictions
        Logarithms of probabilities, an array of shape (..., classes).
    targets
        Integer labels of shape (...) or (..., 1), or one-hot rows of shape (..., classes).

    Examples
    --------
    >>> nll(np.log([[0.25, 0.75]]), np.array([1])).eval().round(4)
    np.float64(0.2877)
    """
    logs, targets = as_float(predictions), T.as_tensor_variable(targets)
    factors = sizes = None
    if class_weights is not None:
        factors = T.cast(T.as_tensor_variable(class_weights), logs.dtype)
        sizes = of_classes(class_weights, logs, targets)
    if is_labels(targets, logs):
        losses = _of_labels(logs, logs, without_last(targets, logs), True)
        losses = losses if sizes is None else losses * sizes
    else:
        terms = times(one_hot("nll", logs, targets), logs)
        losses = -_weighted(terms, factors).sum(axis=logs.ndim - 1)
    return reduced(losses, reduction, weights, sizes)
