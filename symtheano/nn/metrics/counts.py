"""Metrics that count how often items of each class are predicted as each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.floats import as_float, like
from symtheano.nn.losses.reduction import is_labels, pair, without_last
from symtheano.nn.metrics.base import Metric, Totals, item_weights, labels_of

AVERAGES = ("macro", "micro", "weighted", None)
"""The values that ``average`` can have."""


@dataclass(frozen=True)
class Counts(Metric):
    """Base class of metrics that are computed from true and false positives and negatives.

    Parameters
    ----------
    threshold
        Probabilities above the threshold count as class 1. The default is 0.5.
    classes
        None, the default: there are two classes, and each element of the predictions is a
        probability of class 1. A number: there are so many classes, the last axis of the
        predictions has a score for each of them, and targets are labels or one-hot rows.
    average
        How the numbers of several classes are combined. ``"macro"``, the default: their mean.
        ``"weighted"``: their mean, weighted by the number of items of each class. ``"micro"``: the
        metric of the counts summed over all classes. None: an array with a number for each class.

    Raises
    ------
    ValueError
        If ``average`` has another value.

    Examples
    --------
    >>> Counts().totals(np.array([0.9, 0.9, 0.1, 0.1]), np.array([1, 0, 1, 0])).eval()
    array([[1.], [1.], [1.], [1.]])
    """

    threshold: float = 0.5
    classes: int | None = None
    average: str | None = "macro"

    def __post_init__(self) -> None:
        """Check ``average``."""
        if self.average not in AVERAGES:
            raise ValueError(
                f"{type(self).__name__}: average must be 'macro', 'micro', 'weighted' or None, not "
                f"{self.average!r}"
            )

    def takes_labels(self) -> bool:
        return self.classes is not None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the totals.

        The rows are true positives, false positives, false negatives and true negatives.
        """
        return (4, self.classes or 1)

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        if self.classes is None:
            x, t = pair(self.name, predictions, targets)
            predicted, true = x > like(self.threshold, x), t > like(0.5, t)
            predicted, true = (T.shape_padright(item) for item in (predicted, true))
        else:
            labels = _labels(self.name, predictions, targets, self.threshold)
            classes = np.arange(self.classes)
            predicted, true = (T.eq(T.shape_padright(item), classes) for item in labels)
        own = item_weights(predicted, weights)
        axes = tuple(range(predicted.ndim - 1))
        cells = [(predicted, true), (predicted, T.invert(true)), (T.invert(predicted), true)]
        cells.append((T.invert(predicted), T.invert(true)))
        return T.stack([(own * T.and_(a, b)).sum(axis=axes) for a, b in cells])

    def result(self, totals: Any) -> Any:
        """Return the metric, or an array for all classes, with 0 in the place of 0 / 0."""
        cells = np.asarray(totals, "float64")
        if self.classes is None or self.average == "micro":
            cells = cells.sum(axis=1, keepdims=True)
        each = self.of_cells(*cells)
        if self.classes is not None and self.average is None:
            return each
        sizes = cells[0] + cells[2] if self.average == "weighted" else np.ones_like(each)
        return float(_share((each * sizes).sum(), sizes.sum()))

    def of_cells(self, tp: Totals, fp: Totals, fn: Totals, tn: Totals) -> Totals:
        """Return the metric of each class.

        Parameters
        ----------
        tp, fp, fn, tn
            The true positives, false positives, false negatives and true negatives of each class.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method 'of_cells'")


def _share(part: Any, whole: Any) -> Totals:
    result: Totals = np.divide(part, whole, out=np.zeros_like(part), where=np.asarray(whole != 0))
    return result


class Precision(Counts):
    """The share of predictions of a class that are right: ``tp / (tp + fp)``.

    Examples
    --------
    >>> metric = Precision()
    >>> metric.result(metric.totals(np.array([0.9, 0.8, 0.1]), np.array([1, 0, 1])).eval())
    0.5
    """

    def of_cells(self, tp: Totals, fp: Totals, fn: Totals, tn: Totals) -> Totals:
        return _share(tp, tp + fp)


class Recall(Counts):
    """The share of the items of a class that are predicted as this class: ``tp / (tp + fn)``.

    Examples
    --------
    >>> metric = Recall()
    >>> metric.result(metric.totals(np.array([0.9, 0.8, 0.1]), np.array([1, 0, 1])).eval())
    0.5
    """

    def of_cells(self, tp: Totals, fp: Totals, fn: Totals, tn: Totals) -> Totals:
        return _share(tp, tp + fn)


class Specificity(Counts):
    """The share of the items of other classes that are not predicted as this class.

    It is ``tn / (tn + fp)``.

    Examples
    --------
    >>> metric = Specificity()
    >>> metric.result(metric.totals(np.array([0.9, 0.8, 0.1]), np.array([1, 0, 0])).eval())
    0.5
    """

    def of_cells(self, tp: Totals, fp: Totals, fn: Totals, tn: Totals) -> Totals:
        return _share(tn, tn + fp)


@dataclass(frozen=True)
class FBeta(Counts):
    """The weighted harmonic mean of precision and recall, the F-measure.

    It is ``(1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)``. See van Rijsbergen,
    1979, Information retrieval.

    Parameters
    ----------
    beta
        Recall has the weight ``beta**2``, and precision has the weight 1. The default, 1, gives F1.

    Examples
    --------
    >>> metric = FBeta()
    >>> metric.result(metric.totals(np.array([0.9, 0.8, 0.1]), np.array([1, 0, 1])).eval())
    0.5
    """

    beta: float = 1.0

    @property
    def name(self) -> str:
        """The name with the number ``beta``, such as ``f1``."""
        return f"f{self.beta:g}"

    def of_cells(self, tp: Totals, fp: Totals, fn: Totals, tn: Totals) -> Totals:
        square = self.beta**2
        return _share((1 + square) * tp, (1 + square) * tp + square * fn + fp)


@dataclass(frozen=True)
class ConfusionMatrix(Metric):
    """A matrix that counts how often each class is predicted as each class.

    Rows are the true classes, and columns are the predicted ones.

    Parameters
    ----------
    classes
        The number of classes. Labels must be below it, else a call raises an error.
    threshold
        For predictions without an axis of classes: probabilities above the threshold count as
        class 1. The default is 0.5.

    Examples
    --------
    >>> metric = ConfusionMatrix(3)
    >>> metric.totals(np.eye(3)[[0, 1, 1]], np.array([0, 1, 2])).eval()
    array([[1., 0., 0.], [0., 1., 0.], [0., 1., 0.]])
    """

    classes: int
    threshold: float = 0.5

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.classes, self.classes)

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        predicted, true = _labels(self.name, predictions, targets, self.threshold)
        own = item_weights(true, weights).flatten()
        cells = T.zeros((self.classes, self.classes), dtype="float64")
        return T.inc_subtensor(cells[true.flatten(), predicted.flatten()], own)

    def result(self, totals: Any) -> Any:
        """Return the matrix. Its elements are floats, because items may have weights."""
        return np.asarray(totals, "float64")


class IoU(ConfusionMatrix):
    """Intersection over union of each class, ``tp / (tp + fp + fn)``.

    The result is an array with a number for each class, NaN for classes that do not occur.

    Examples
    --------
    >>> metric = IoU(2)
    >>> metric.result(metric.totals(np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1])).eval()).round(4)
    array([0.5   , 0.6667])
    """

    @property
    def name(self) -> str:
        """The name, ``iou``."""
        return "iou"

    def result(self, totals: Any) -> Any:
        """Return an array with a number for each class."""
        return _intersections(totals)


class MeanIoU(ConfusionMatrix):
    """The mean of the intersection over union, over all classes that occur.

    A class occurs if it is predicted or in the targets. See :class:`IoU`.

    Examples
    --------
    >>> metric = MeanIoU(2)
    >>> sums = metric.totals(np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1])).eval()
    >>> round(metric.result(sums), 4)
    0.5833
    """

    @property
    def name(self) -> str:
        """The name, ``mean_iou``."""
        return "mean_iou"

    def result(self, totals: Any) -> Any:
        """Return the mean over the classes that occur, NaN if there are none."""
        each = _intersections(totals)
        return float(np.nanmean(each)) if not np.isnan(each).all() else float("nan")


def _intersections(totals: Any) -> Any:
    """Return the intersection over union of each class, NaN for those that do not occur."""
    cells = np.asarray(totals, "float64")
    common = np.diagonal(cells)
    union = cells.sum(axis=0) + cells.sum(axis=1) - common
    return np.divide(common, union, out=np.full(len(cells), np.nan), where=union > 0)


def _labels(name: str, predictions: Any, targets: Any, threshold: float) -> tuple[Any, Any]:
    """Return predicted labels and true ones, of equal shapes."""
    x, t = T.as_tensor_variable(predictions), T.as_tensor_variable(targets)
    if x.ndim <= 1 or x.dtype not in T.float_dtypes or x.type.shape[-1] == 1:
        if x.ndim != t.ndim:
            _, t = pair(name, as_float(x), t)
        return labels_of(x, threshold, True), labels_of(t, 0.5, True)
    if is_labels(t, x) or t.ndim == x.ndim - 1:
        true = T.cast(without_last(t, x), "int64")
    elif t.ndim == x.ndim:
        true = labels_of(t, 0.5, False)
    else:
        raise ValueError(
            f"{name}: the scores have {x.ndim} axes, but the targets have {t.ndim}; targets must "
            f"be labels with {x.ndim - 1} axes, or one-hot rows"
        )
    return labels_of(x, threshold, False), true
