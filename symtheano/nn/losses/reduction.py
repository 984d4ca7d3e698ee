"""Functions that all losses use: operands, means over the last axis, weights, reductions."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.nn.floats import as_float

REDUCTIONS = ("mean", "sum", "weighted_mean", None)
"""The values that ``reduction`` can have."""


def reduced(
    losses: Any, reduction: str | None = "mean", weights: Any = None, sizes: Any = None
) -> Any:
    """Return the loss of a batch, from the losses of its items.

    Parameters
    ----------
    losses
        An expression with the loss of each item. Its first axis is the batch.
    reduction
        How the losses are combined. All of them are multiplied by their weights first.
        ``"mean"``: the sum of the losses, divided by their number. ``"sum"``: the sum of the
        losses. ``"weighted_mean"``: the sum of the losses, divided by the sum of the weights.
        None: all losses, not combined.
    weights
        A weight for each loss, an array with the shape of the losses; or a weight for each item, an
        array with the first axes of this shape. None: all weights are 1.
    sizes
        Factors that the losses already contain, such as weights of classes, an array with the shape
        of ``losses``. ``"weighted_mean"`` multiplies the weights in its divisor by them. None: no
        such factors.

    Returns
    -------
    0-d expression of the dtype of ``losses``; if ``reduction`` is None, an expression of the shape
    of ``losses``.

    Raises
    ------
    ValueError
        If ``reduction`` has another value, or the weights have more axes than the losses.

    Examples
    --------
    >>> losses, weights = T.constant(np.array([1.0, 2.0, 6.0])), np.array([1.0, 1.0, 0.0])
    >>> [float(reduced(losses, r, weights).eval()) for r in ("mean", "sum", "weighted_mean")]
    [1.0, 3.0, 1.5]
    """
    if reduction not in REDUCTIONS:
        raise ValueError(
            f"reduction must be 'mean', 'sum', 'weighted_mean' or None, not {reduction!r}"
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
    """Return weights in the dtype of losses, with axes of length 1 added at the end.

    The result has as many axes as the losses.

    Examples
    --------
    >>> spread(T.dvector(), T.fmatrix()).type
    TensorType(float32, col)
    """
    weights = T.cast(T.as_tensor_variable(weights), losses.dtype)
    if weights.ndim > losses.ndim:
        raise ValueError(
            f"the weights have {weights.ndim} axes, but the losses have {losses.ndim}: give a "
            "weight for each item or for each loss"
        )
    return T.shape_padright(weights, losses.ndim - weights.ndim)


def over_last(x: Any) -> Any:
    """Return the mean over the last axis. A vector is returned unchanged: its axis is the batch.

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
        The name of the loss, for error messages.
    predictions
        An array. Integers are converted to ``config.floatX``.
    targets
        An array of the same shape, which is converted to the dtype of the predictions. One of both
        arrays may have one more axis of length 1: shapes (n, 1) and (n,) fit.

    Raises
    ------
    ValueError
        If the numbers of axes differ by more than one.

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
            f"{name}: the predictions have {predictions.ndim} axes, but the targets have "
            f"{targets.ndim}; their shapes must be equal"
        )
    # A reshape does not broadcast: shapes (n, 5) and (n,) are an error.
    return predictions, targets.reshape(predictions.shape, ndim=predictions.ndim)


def is_labels(targets: Any, predictions: Any) -> bool:
    """Return whether targets are integer labels.

    Labels have no axis of classes, or one of length 1.

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
    """Return targets as one-hot rows of the shape and dtype of predictions, (..., classes).

    Integer labels are converted to one-hot rows. Other targets keep their values.

    Examples
    --------
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
            f"{name}: the predictions have {predictions.ndim} axes, but the targets have "
            f"{targets.ndim} and the dtype {targets.dtype}; targets must be integer labels with "
            f"{predictions.ndim - 1} axes, or have the shape of the predictions"
        )
    return T.cast(targets, predictions.dtype)


def without_last(labels: Any, predictions: Any) -> Any:
    """Return labels without the axis of classes, which has length 1 if it exists.

    Examples
    --------
    >>> without_last(T.icol(), T.fmatrix()).ndim
    1
    """
    if labels.ndim == predictions.ndim:
        return labels.dimshuffle(*range(labels.ndim - 1))
    return labels
