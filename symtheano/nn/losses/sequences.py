"""Losses of sequences."""

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
    """Return the loss of labels that are not aligned with the steps of a sequence.

    It is minus the logarithm of the probability of the labels, summed over all alignments. See
    Graves et al., 2006, Connectionist temporal classification.

    Parameters
    ----------
    predictions
        Scores of shape (items, steps, classes), of which the softmax is taken inside. Class 0 is
        the blank.
    targets
        Integer matrix, a row of labels for each item; negative ones are padding.
    lengths
        How many steps of each item count, an integer vector; all of them by default.
    reduction, weights
        See :func:`~symtheano.nn.losses.reduction.reduced`. The mean is that of the items' losses,
        as in Keras; torch divides each by the number of its labels.

    Returns
    -------
    Loss, infinite if an item has too few steps for its labels.

    Examples
    --------
    >>> import numpy as np
    >>> ctc(np.zeros((1, 2, 3)), np.array([[1, -1]])).eval().round(4)  # 3 of 9 alignments
    np.float64(1.0986)
    """
    scores = as_float(predictions)
    if scores.ndim != 3:
        raise ValueError(f"ctc: scores are (items, steps, classes), not with {scores.ndim} axes")
    if lengths is None:
        lengths = T.alloc(scores.shape[1], scores.shape[0])
    losses = T.nnet.ctc.ctc(scores.dimshuffle(1, 0, 2), targets, lengths)
    return reduced(losses, reduction, weights)
