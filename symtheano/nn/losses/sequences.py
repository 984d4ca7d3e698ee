"""Losses for sequences."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.nn.floats import as_float
from symtheano.nn.losses.reduction import reduced


def ctc(
    predictions: Any,
    targets: Any,
    lengths: Any = None,
    *,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the CTC loss of labels that are not aligned with the steps of a sequence.

    The loss of an item is the negative logarithm of the probability of its labels, summed over all
    alignments. It is infinite if an item has too few steps for its labels. See Graves et al., 2006,
    Connectionist temporal classification.

    Parameters
    ----------
    predictions
        Scores (logits) of shape (items, steps, classes). The loss applies softmax to them. Class 0
        is the blank.
    targets
        An integer matrix with a row of labels for each item. Negative labels are padding.
    lengths
        An integer vector with the number of steps of each item. None: all steps.
    reduction
        How the losses of the items are combined, see
        :func:`~symtheano.nn.losses.reduction.reduced`. ``"mean"`` is the mean of the losses, as in
        Keras. Torch divides each loss by the number of labels first.
    weights
        A weight for each item, or None.

    Returns
    -------
    0-d expression of the dtype of the predictions, or a vector if ``reduction`` is None.

    Examples
    --------
    >>> ctc(np.zeros((1, 2, 3)), np.array([[1, -1]])).eval().round(4)  # 3 of 9 alignments
    np.float64(1.0986)
    """
    scores = as_float(predictions)
    if scores.ndim != 3:
        raise ValueError(
            f"ctc: scores must have shape (items, steps, classes), not {scores.ndim} axes"
        )
    if lengths is None:
        lengths = T.alloc(scores.shape[1], scores.shape[0])
    losses = T.nnet.ctc.ctc(scores.dimshuffle(1, 0, 2), targets, lengths)
    return reduced(losses, reduction, weights)
