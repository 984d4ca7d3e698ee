"""Metrics: recorded numbers over batches, dtypes, edges, names, errors."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano.nn import metrics
from symtheano.nn.losses import Loss
from symtheano.nn.metrics import (
    AUC,
    R2,
    Accuracy,
    BinaryAccuracy,
    CategoricalAccuracy,
    ConfusionMatrix,
    CosineSimilarity,
    FBeta,
    IoU,
    MeanIoU,
    MeanLoss,
    Metric,
    Precision,
    Recall,
    RootMeanSquaredError,
    Specificity,
    TopKAccuracy,
    from_config,
    get,
)
from tests.nn.metrics.cases import DATA, INTERPRET, ONE_HOT, RECORDED, over_batches

CASES: dict[str, tuple[Metric, Any, Any]] = {
    "keras_binary_accuracy": (BinaryAccuracy(0.4), "probability", "bits"),
    "keras_categorical_accuracy": (CategoricalAccuracy(), "scores", ONE_HOT),
    "keras_sparse_categorical_accuracy": (CategoricalAccuracy(), "scores", "labels"),
    "keras_top_k_accuracy": (TopKAccuracy(2), "scores", "labels"),
    "keras_precision": (Precision(0.4), "probability", "bits"),
    "keras_recall": (Recall(0.4), "probability", "bits"),
    "keras_auc": (AUC(), "probability", "bits"),
    "keras_auc_few": (AUC(7), "probability", "bits"),
    "keras_auc_pr": (AUC(curve="PR"), "probability", "bits"),
    "keras_mean_iou": (MeanIoU(4), "scores", "labels"),
    "keras_r2": (R2(2), "numbers", "targets"),
    "keras_cosine_similarity": (CosineSimilarity(), "numbers", "targets"),
    "keras_rmse": (RootMeanSquaredError(), "numbers", "targets"),
    "keras_mse": (MeanLoss("mse"), "numbers", "targets"),
    "keras_log_cosh": (MeanLoss("log_cosh"), "numbers", "targets"),
    "sklearn_f1": (FBeta(0.4), "probability", "bits"),
    "sklearn_f2": (FBeta(0.4, beta=2.0), "probability", "bits"),
    "sklearn_specificity": (Specificity(0.4), "probability", "bits"),
    "sklearn_roc": (AUC(10_001), "probability", "bits"),
    "sklearn_confusion": (ConfusionMatrix(4), "scores", "labels"),
    "sklearn_iou": (IoU(4), "scores", "labels"),
    "sklearn_mean_iou": (MeanIoU(4), "scores", "labels"),
    "sklearn_r2": (R2(2), "numbers", "targets"),
}


AVERAGES = {"precision": Precision, "recall": Recall, "f1": FBeta}


def recorded_cases() -> list[tuple[str, bool]]:
    found = [(name, False) for name in CASES if name in RECORDED]
    return found + [(name, True) for name in CASES if f"{name}_weights" in RECORDED]


def test_all_are_recorded() -> None:
    names = {f"{name}{'_weights' * weights}" for name, weights in recorded_cases()}
    averages = {f"sklearn_{name}" for name in ("macro", "micro", "weighted", "None")}
    assert names | averages == RECORDED.keys()
    kinds = {type(row[0]) for row in CASES.values()}
    assert kinds | {Accuracy} >= set(metrics.METRICS.values())


@pytest.mark.parametrize(("name", "weights"), recorded_cases())
def test_recorded_numbers(name: str, weights: bool) -> None:
    found = over_batches(*CASES[name], weights)
    assert_allclose(found, RECORDED[f"{name}_weights" if weights else name], rtol=2e-6)


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", CASES)
def test_c_computes_the_same(name: str) -> None:
    for weights in (False, True):
        expected = over_batches(*CASES[name], weights)
        assert_allclose(over_batches(*CASES[name], weights, mode=None), expected, rtol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_predictions_of_float32(name: str) -> None:
    found = over_batches(*CASES[name], dtype="float32")
    assert_allclose(found, over_batches(*CASES[name]), rtol=1e-5)


@pytest.mark.parametrize("kind", AVERAGES)
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
@pytest.mark.parametrize("targets", ["labels", ONE_HOT], ids=["labels", "one-hot"])
def test_several_classes(kind: str, average: str | None, targets: Any) -> None:
    metric = AVERAGES[kind](classes=4, average=average)
    found = over_batches(metric, "scores", targets, weights=kind == "recall")
    assert_allclose(found, RECORDED[f"sklearn_{average}"][kind], rtol=1e-9)


def test_r2_of_equal_targets() -> None:
    t = np.full(5, 3.0)
    assert R2().result(R2().totals(t, t).eval(mode=INTERPRET)) == 1.0
    assert R2().result(R2().totals(t + 1, t).eval(mode=INTERPRET)) == 0.0


def test_weights_of_zero_leave_items_out() -> None:
    weights = (np.arange(30) < 20).astype("float64")
    for metric, predictions, targets in CASES.values():
        x = DATA[predictions] if isinstance(predictions, str) else predictions
        t = DATA[targets] if isinstance(targets, str) else targets
        some = metric.result(metric.totals(x[:20], t[:20]).eval(mode=INTERPRET))
        assert_allclose(
            metric.result(metric.totals(x, t, weights).eval(mode=INTERPRET)), some, rtol=1e-12
        )


def test_names() -> None:
    expected = {
        "accuracy": "accuracy", "top_k_accuracy": "top_5_accuracy", "f1_score": "f1",
        "auc": "auc", "r2": "r2", "rmse": "root_mean_squared_error", "mae": "mean_absolute_error",
        "precision": "precision", "categorical_accuracy": "categorical_accuracy",
    }  # fmt: skip
    assert {name: get(name).name for name in expected} == expected
    assert (MeanIoU(2).name, IoU(2).name, ConfusionMatrix(2).name) == (
        "mean_iou", "iou", "confusion_matrix",
    )  # fmt: skip


def test_get() -> None:
    for name, kind in metrics.METRICS.items():
        assert type(get(name)) is kind
        assert type(get(kind)) is kind
    own = TopKAccuracy(3)
    assert get(own) is own
    assert get(Loss("huber", delta=2.0)).loss.options == {"delta": 2.0}

    def largest(x: Any, t: Any) -> Any:
        return abs(x - t).max(axis=1)

    metric = get(largest)
    assert metric.name == "largest"
    sums = metric.totals(T.constant(np.eye(2)), T.constant(np.zeros((2, 2)))).eval(mode=INTERPRET)
    assert metric.result(sums) == 1.0
    with pytest.raises(ValueError, match="unknown metric 'acuracy'; did you mean 'accuracy'"):
        get("acuracy")
    with pytest.raises(TypeError, match=r"needs arguments: write MeanIoU\("):
        get("mean_iou")
    with pytest.raises(TypeError, match="a name, a Metric, a Loss or a function, not 3"):
        get(3)


@pytest.mark.parametrize(
    "metric", [*(row[0] for row in CASES.values()), MeanLoss(Loss("huber", delta=2.0))], ids=repr
)
def test_descriptions_come_back(metric: Metric) -> None:
    config = json.loads(json.dumps(metric.config()))
    back = from_config(config)
    assert type(back) is type(metric)
    assert back.config() == metric.config() == config
    assert get(config).config() == config


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Precision(average="mean"), "'macro', 'micro', 'weighted' or None, not 'mean'"),
        (lambda: AUC(curve="LIFT"), "curve must be 'ROC' or 'PR', not 'LIFT'"),
        (lambda: AUC(1), "thresholds must be at least 2, not 1"),
        (
            lambda: ConfusionMatrix(3).totals(np.ones((2, 3)), np.ones((2, 2, 2))),
            "confusion_matrix: the scores have 2 axes, but the targets have 3",
        ),
    ],
)
def test_wrong_arguments(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_several_outputs_must_be_known() -> None:
    with pytest.raises(ValueError, match=r"several outputs; write R2\(n\)"):
        metrics.R2().totals(np.ones((4, 3)), np.ones((4, 3)))
