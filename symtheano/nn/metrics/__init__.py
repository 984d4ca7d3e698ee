"""Metrics: numbers that measure the quality of predictions, computed from sums over batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from symtheano.names import hide_submodules
from symtheano.nn.configuration import build, find
from symtheano.nn.lookup import look_up
from symtheano.nn.losses import LOSSES
from symtheano.nn.metrics.accuracy import (
    Accuracy,
    BinaryAccuracy,
    CategoricalAccuracy,
    TopKAccuracy,
)
from symtheano.nn.metrics.base import (
    R2,
    CosineSimilarity,
    MeanLoss,
    Metric,
    RootMeanSquaredError,
)
from symtheano.nn.metrics.counts import (
    ConfusionMatrix,
    FBeta,
    IoU,
    MeanIoU,
    Precision,
    Recall,
    Specificity,
)
from symtheano.nn.metrics.curves import AUC
from symtheano.nn.missing import missing_in

__all__ = [
    "AUC", "METRICS", "R2", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "ConfusionMatrix",
    "CosineSimilarity", "FBeta", "IoU", "MeanIoU", "MeanLoss", "Metric", "Precision", "Recall",
    "RootMeanSquaredError", "Specificity", "TopKAccuracy", "from_config", "get",
]  # fmt: skip

METRICS: dict[str, Callable[..., Metric]] = {
    "accuracy": Accuracy, "acc": Accuracy, "binary_accuracy": BinaryAccuracy,
    "categorical_accuracy": CategoricalAccuracy, "sparse_categorical_accuracy": CategoricalAccuracy,
    "top_k_accuracy": TopKAccuracy, "top_k_categorical_accuracy": TopKAccuracy,
    "rmse": RootMeanSquaredError, "root_mean_squared_error": RootMeanSquaredError,
    "cosine_similarity": CosineSimilarity, "r2": R2, "r2_score": R2, "precision": Precision,
    "recall": Recall, "specificity": Specificity, "f1": FBeta, "f1_score": FBeta, "auc": AUC,
}  # fmt: skip
"""Metrics by name. Metrics with required arguments are not included."""

_CLASSES = {**METRICS, "fbeta": FBeta, "confusion_matrix": ConfusionMatrix, "iou": IoU,
            "mean_iou": MeanIoU, "mean_loss": MeanLoss}  # fmt: skip


def get(what: Any) -> Metric:
    """Return a metric.

    Parameters
    ----------
    what
        The name of a metric such as ``"accuracy"``, a :class:`Metric`, or the result of its
        ``config``. Or the name of a loss such as ``"mae"``, a :class:`~symtheano.nn.losses.Loss`,
        or a function of predictions and targets: the metric is then the mean of this loss.

    Raises
    ------
    ValueError
        If there is no metric or loss of this name.
    TypeError
        If the argument is something else, or names a metric with required arguments.

    Examples
    --------
    >>> get("accuracy"), get("mae")
    (Accuracy(threshold=0.5), MeanLoss(loss=Loss('mean_absolute_error')))
    """
    if isinstance(what, str):
        entry = look_up("metric", what, {**LOSSES, **_CLASSES})
        if entry in METRICS.values():
            return get(entry)
        if entry in LOSSES.values():
            return MeanLoss(what)
        raise TypeError(f"the metric {what!r} needs arguments: write {entry.__name__}(...)")
    expected = "a name, a Metric, a Loss or a function"
    metric = find("metric", what, {}, Metric, from_config, expected)
    return metric if isinstance(metric, Metric) else MeanLoss(metric)


def from_config(config: Mapping[str, Any]) -> Metric:
    """Return the metric from the result of :meth:`Metric.config`.

    Examples
    --------
    >>> from_config(AUC(100).config())
    AUC(thresholds=100, curve='ROC')
    """
    return build("metric", config, _CLASSES)


__getattr__ = missing_in(__name__, __all__)
hide_submodules(__name__, ("accuracy",))
