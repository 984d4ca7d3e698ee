"""Areas under curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.losses.reduction import pair
from symtheano.nn.metrics.base import Metric, Totals, item_weights


@dataclass(frozen=True)
class AUC(Metric):
    """The area under a curve over thresholds of a probability.

    The totals are two histograms of predictions between thresholds, of negative and of positive
    items. As in Keras, thresholds are equally spaced, so the area is an approximation that is exact
    if no two of the different predictions are between the same thresholds.

    Parameters
    ----------
    thresholds
        The number of thresholds, at least 2.
    curve
        ``"ROC"``: the share of positive items above a threshold over that of negative ones, with
        trapezoids; see Hanley and McNeil, 1982. ``"PR"``: precision over recall, interpolated as by
        Davis and Goadrich, 2006, The relationship between precision-recall and ROC curves.

    Raises
    ------
    ValueError
        For another curve, or too few thresholds.

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
            raise ValueError(f"AUC: the curve is 'ROC' or 'PR', not {self.curve!r}")
        if self.thresholds < 2:
            raise ValueError(f"AUC: there are at least 2 thresholds, not {self.thresholds}")

    def takes_labels(self) -> bool:
        """Return whether targets may be integers without the axis of classes."""
        return False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the totals."""
        return (2, self.thresholds + 1)

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        """Return the sums of a batch."""
        x, t = pair(self.name, predictions, targets)
        inner = np.arange(1, self.thresholds - 1) / (self.thresholds - 1)
        edges = np.concatenate([[-1e-7], inner, [1 + 1e-7]]).astype(x.dtype)
        places = T.searchsorted(edges, x.flatten())
        own = item_weights(x, weights).flatten()
        is_positive = T.cast(t.flatten() > 0.5, "int64")
        return T.inc_subtensor(T.zeros(self.shape, dtype="float64")[is_positive, places], own)

    def result(self, totals: Any) -> Any:
        """Return the area; 0 if there are only items of one class."""
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
    """Return the area where, between thresholds, true positives are a linear function of all."""
    found = tp + fp
    more_true, more = -np.diff(tp), -np.diff(found)
    slope = np.divide(more_true, more, out=np.zeros_like(more), where=more > 0)
    start = tp[1:] - slope * found[1:]
    both = (found[:-1] > 0) & (found[1:] > 0)
    ratio = np.divide(found[:-1], found[1:], out=np.ones_like(more), where=both)
    return float((slope * (more_true + start * np.log(ratio))).sum() / positives)
