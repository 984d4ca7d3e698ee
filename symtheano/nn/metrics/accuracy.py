"""Accuracies: shares of items whose class is predicted correctly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import symtheano.tensor as T
from symtheano.nn.floats import as_float, like
from symtheano.nn.losses.reduction import is_labels, one_hot, over_last, pair, without_last
from symtheano.nn.metrics.base import Metric, weighted


@dataclass(frozen=True)
class Accuracy(Metric):
    """The share of items whose class is predicted correctly, for two or more classes.

    It is :class:`BinaryAccuracy` if the predictions are a vector or have a last axis of length 1,
    or if the targets are floats without an axis of classes. Otherwise, it is
    :class:`CategoricalAccuracy`.

    Parameters
    ----------
    threshold
        For two classes: probabilities above the threshold count as class 1. The default is 0.5.

    Examples
    --------
    >>> metric = Accuracy()
    >>> metric.result(metric.totals(np.array([0.9, 0.4]), np.array([1, 1])).eval())
    0.5
    """

    threshold: float = 0.5

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        x, t = as_float(predictions), T.as_tensor_variable(targets)
        classes = x.type.shape[-1] if x.ndim > 1 else 1
        if classes == 1 or (t.ndim < x.ndim and t.dtype not in T.integer_dtypes):
            return BinaryAccuracy(self.threshold).totals(x, t, weights)
        several = _hits(x, t)
        if classes is None:  # the number of classes is only known in a call
            first = t if t.ndim < x.ndim else t[..., 0]
            binary = T.eq(x[..., 0] > like(self.threshold, x), as_float(first) > 0.5)
            is_one = T.eq(x.shape[x.ndim - 1], 1)
            several = T.switch(is_one, T.cast(binary, "float64"), several)
        return weighted(several, weights)


@dataclass(frozen=True)
class BinaryAccuracy(Metric):
    """The share of elements whose class, 0 or 1, is predicted correctly.

    Parameters
    ----------
    threshold
        Predictions above the threshold count as class 1. The default is 0.5. Targets above 0.5 are
        class 1, whatever the threshold is.

    Examples
    --------
    >>> metric = BinaryAccuracy(0.3)
    >>> metric.result(metric.totals(np.array([0.9, 0.4]), np.array([1, 1])).eval())
    1.0
    """

    threshold: float = 0.5

    def takes_labels(self) -> bool:
        return False

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        x, t = pair("binary_accuracy", predictions, targets)
        hits = T.eq(x > like(self.threshold, x), t > like(0.5, t))
        return weighted(over_last(T.cast(hits, "float64")), weights)


@dataclass(frozen=True)
class CategoricalAccuracy(Metric):
    """The share of items whose largest score belongs to their class.

    Targets are integer labels or one-hot rows.

    Examples
    --------
    >>> metric = CategoricalAccuracy()
    >>> metric.result(metric.totals(np.array([[0.2, 0.8], [0.6, 0.4]]), np.array([1, 1])).eval())
    0.5
    """

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        return weighted(_hits(as_float(predictions), T.as_tensor_variable(targets)), weights)


def _hits(x: Any, t: Any) -> Any:
    """Return 1 for items whose largest score belongs to their class, and 0 for others."""
    axis = x.ndim - 1
    if is_labels(t, x):
        wanted = without_last(t, x)
    else:
        wanted = T.argmax(one_hot("categorical_accuracy", x, t), axis=axis)
    return T.cast(T.eq(T.argmax(x, axis=axis), wanted), "float64")


@dataclass(frozen=True)
class TopKAccuracy(Metric):
    """The share of items whose class has one of the ``k`` largest scores.

    Targets are integer labels or one-hot rows. Scores that equal the score of the class do not
    count as larger.

    Parameters
    ----------
    k
        The number of largest scores. The default is 5.

    Examples
    --------
    >>> metric = TopKAccuracy(2)
    >>> metric.result(metric.totals(np.array([[0.1, 0.2, 0.7]]), np.array([1])).eval())
    1.0
    """

    k: int = 5

    @property
    def name(self) -> str:
        """The name with the number ``k``, such as ``top_5_accuracy``."""
        return f"top_{self.k}_accuracy"

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        x, axis = as_float(predictions), as_float(predictions).ndim - 1
        chosen = T.neq(one_hot("top_k_accuracy", x, targets), 0)
        own = T.switch(chosen, x, like(0, x)).sum(axis=axis, keepdims=True)
        better = T.cast(x > own, "int64").sum(axis=axis)
        hits = T.and_(better < self.k, T.eq(own, own).all(axis=axis))
        return weighted(T.cast(hits, "float64"), weights)
