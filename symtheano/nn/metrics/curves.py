"""Areas under ROC curves and precision-recall curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.losses.reduction import pair
from symtheano.nn.metrics.base import Metric, Totals, item_weights


@dataclass(frozen=True)
class AUC(Metric):
    """The area under the ROC curve or the precision-recall curve of a binary classifier.

    The predictions of positive and of negative items are counted in two histograms, whose bins are
    separated by equally spaced thresholds, as in Keras. The area is therefore an approximation. It
    is exact if different predictions are always in different bins.

    Parameters
    ----------
    thresholds
        The number of thresholds between 0 and 1, at least 2. The default is 200.
    curve
        ``"ROC"``, the default: the true positive rate over the false positive rate, integrated with
        trapezoids; see Hanley and McNeil, 1982. ``"PR"``: precision over recall, interpolated as in
        Davis and Goadrich, 2006, The relationship between precision-recall and ROC curves.

    Raises
    ------
    ValueError
        If ``curve`` has another value, or there are fewer than 2 thresholds.

    Examples
    --------
    >>> metric = AUC()
    >>> metric.result(metric.totals(np.array([0.1, 0.4, 0.35, 0.8]), np.array([0, 0, 1, 1])).eval())
    0.75
    """

    thresholds: int = 200
    curve: str = "ROC"

    def __post_init__(self) -> None:
        """Check the arguments."""
        if self.curve not in ("ROC", "PR"):
            raise ValueError(f"AUC: curve must be 'ROC' or 'PR', not {self.curve!r}")
        if self.thresholds < 2:
            raise ValueError(f"AUC: thresholds must be at least 2, not {self.thresholds}")

    def takes_labels(self) -> bool:
        return False

    @property
    def shape(self) -> tuple[int, ...]:
        return (2, self.thresholds + 1)

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        x, t = pair(self.name, predictions, targets)
        inner = np.arange(1, self.thresholds - 1) / (self.thresholds - 1)
        edges = np.concatenate([[-1e-7], inner, [1 + 1e-7]]).astype(x.dtype)
        places = T.searchsorted(edges, x.flatten())
        own = item_weights(x, weights).flatten()
        is_positive = T.cast(t.flatten() > 0.5, "int64")
        return T.inc_subtensor(T.zeros(self.shape, dtype="float64")[is_positive, places], own)

    def result(self, totals: Any) -> Any:
        """Return the area, from the sum of the totals of all batches.

        It is 0 if there are no positive items, or for the ROC curve no negative ones.
        """
        counts = np.asarray(totals, "float64")
        # Items above each threshold, from all to none.
        fp, tp = counts[:, ::-1].cumsum(axis=1)[:, -2::-1]
        negatives, positives = counts.sum(axis=1)
        if not positives or (self.curve == "ROC" and not negatives):
            return 0.0
        if self.curve == "ROC":
            return float(-np.trapezoid(tp / positives, fp / negatives))
        return _precision_over_recall(tp, fp, positives)


def _precision_over_recall(tp: Totals, fp: Totals, positives: float) -> float:
    """Return the area under the precision-recall curve.

    Between two thresholds, the number of true positives is a linear function of the number of
    predicted positives.
    """
    predicted = tp + fp
    more_true, more = -np.diff(tp), -np.diff(predicted)
    slope = np.divide(more_true, more, out=np.zeros_like(more), where=more > 0)
    start = tp[1:] - slope * predicted[1:]
    both = (predicted[:-1] > 0) & (predicted[1:] > 0)
    ratio = np.divide(predicted[:-1], predicted[1:], out=np.ones_like(more), where=both)
    return float((slope * (more_true + start * np.log(ratio))).sum() / positives)
