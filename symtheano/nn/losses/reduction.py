"""What all losses share: operands, means over the last axis, weights, reductions."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.nn.floats import as_float

REDUCTIONS = ("mean", "sum", "weighted_mean", None)
"""What ``reduction`` can be."""


def reduced(
    losses: Any, reduction: str | None = "mean", weights: Any = None, sizes: Any = None
) -> Any:
    """Return the loss of a batch.

    Parameters
    ----------
    losses
        An expression whose first axis is the items of the batch.
    reduction
        ``"mean"``: the sum of weighted losses, divided by the number of losses. ``"sum"``: their
        sum. ``"weighted_mean"``: their sum, divided by the sum of the weights. None: each of them.
    weights
        A weight for each item, or for each loss: an array whose shape is that of ``losses``, or
        begins like it.
    sizes
        What each loss counts besides its weight where ``"weighted_mean"`` divides by their sum: the
        weights of classes, which the losses contain already.

    Returns
    -------
    0-d expression of the dtype of ``losses``, or an expression of its shape for None.

    Raises
    ------
    ValueError
        For another reduction, or weights with more axes than losses.

    Examples
    --------
    >>> import numpy as np
    >>> losses, weights = T.constant(np.array([1.0, 2.0, 6.0])), np.array([1.0, 1.0, 0.0])
    >>> [float(reduced(losses, r, weights).eval()) for r in ("mean", "sum", "weighted_mean")]
    [1.0, 3.0, 1.5]
    """
    if reduction not in REDUCTIONS:
        raise ValueError(
            f"a reduction is 'mean', 'sum', 'weighted_mean' or None, not {reduction!r}"
        )
    if weights is not None:
        weights = spread(weights, losses)
        losses = losses * weights
    if reduction is None:
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean" or (weights is None and sizes is None):
        return losses.mean()
    counted = T.ones_like(losses) if sizes is None else sizes
    return losses.sum() / (counted if weights is None else counted * weights).sum()


def spread(weights: Any, losses: Any) -> Any:
    """Return weights with as many axes as losses, and their dtype; further axes have length 1.

    Examples
    --------
    >>> spread(T.dvector(), T.fmatrix()).type
    TensorType(float32, col)
    """
    weights = T.cast(T.as_tensor_variable(weights), losses.dtype)
    if weights.ndim > losses.ndim:
        raise ValueError(
            f"the weights have {weights.ndim} axes, and the losses have {losses.ndim}: a weight "
            "belongs to an item or to a loss"
        )
    return T.shape_padright(weights, losses.ndim - weights.ndim)


def over_last(x: Any) -> Any:
    """Return the mean over the last axis, but a vector as it is: its elements are the items.

    Examples
    --------
    >>> over_last(T.dmatrix()).ndim, over_last(T.dvector()).ndim
    (1, 1)
    """
    return x.mean(axis=x.ndim - 1) if x.ndim > 1 else x


def pair(name: str, predictions: Any, targets: Any) -> tuple[Any, Any]:
    """Return predictions and targets as floats of equal shapes and dtypes.

    Parameters
    ----------
    name
        The loss, for messages.
    predictions
        An array; integers become ``config.floatX``.
    targets
        An array of the same shape, which gets the dtype of the predictions. Where one of the two
        has an axis more, that axis has length 1: (n, 1) and (n,) fit.

    Raises
    ------
    ValueError
        If the numbers of axes differ by more.

    Examples
    --------
    >>> [x.type for x in pair("mse", T.fmatrix(), T.ivector())]
    [TensorType(float32, matrix), TensorType(float32, matrix)]
    """
    predictions = as_float(predictions)
    targets = T.cast(T.as_tensor_variable(targets), predictions.dtype)
    if predictions.ndim == targets.ndim:
        return predictions, targets
    if abs(predictions.ndim - targets.ndim) > 1:
        raise ValueError(
            f"{name}: the predictions have {predictions.ndim} axes, and the targets have "
            f"{targets.ndim}; they have equal shapes"
        )
    # A reshape, and no axis to broadcast: (n, 5) and (n,) are an error.
    return predictions, targets.reshape(predictions.shape, ndim=predictions.ndim)


def is_labels(targets: Any, predictions: Any) -> bool:
    """Return whether targets are labels: integers without the axis of classes, or with length 1.

    Examples
    --------
    >>> is_labels(T.ivector(), T.fmatrix()), is_labels(T.imatrix(), T.fmatrix())
    (True, False)
    """
    if targets.dtype not in T.integer_dtypes:
        return False
    if targets.ndim == predictions.ndim - 1:
        return True
    return bool(targets.ndim == predictions.ndim and targets.type.shape[-1:] == (1,))


def one_hot(name: str, predictions: Any, targets: Any) -> Any:
    """Return targets of the shape and dtype of predictions, (..., classes), from labels or as is.

    Examples
    --------
    >>> import numpy as np
    >>> one_hot("", T.constant(np.zeros((2, 3))), np.array([0, 2])).eval()
    array([[1., 0., 0.], [0., 0., 1.]])
    """
    targets = T.as_tensor_variable(targets)
    if is_labels(targets, predictions):
        labels = without_last(targets, predictions)
        classes = T.arange(predictions.shape[predictions.ndim - 1])
        return T.cast(T.eq(T.shape_padright(labels), classes), predictions.dtype)
    if targets.ndim != predictions.ndim:
        raise ValueError(
            f"{name}: the predictions have {predictions.ndim} axes, and the targets have "
            f"{targets.ndim}, {targets.dtype}; targets are integer labels with "
            f"{predictions.ndim - 1} axes, or have the shape of the predictions"
        )
    return T.cast(targets, predictions.dtype)


def without_last(labels: Any, predictions: Any) -> Any:
    """Return labels without an axis of length 1 in the place of classes.

    Examples
    --------
    >>> without_last(T.icol(), T.fmatrix()).ndim
    1
    """
    if labels.ndim == predictions.ndim:
        return labels.dimshuffle(*range(labels.ndim - 1))
    return labels
