"""Metrics of counts of classes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano.nn.metrics import (
    AUC,
    R2,
    Accuracy,
    ConfusionMatrix,
    FBeta,
    IoU,
    MeanIoU,
    MeanLoss,
    Precision,
    Recall,
    Specificity,
)
from tests.nn.metrics.cases import FOUND, INTERPRET, RECORDED, over_batches


def test_labels_as_predictions() -> None:
    found = over_batches(ConfusionMatrix(4), FOUND, "labels")
    assert_allclose(found, RECORDED["sklearn_confusion"])


def test_nothing_and_one_class_only() -> None:
    for metric in (Accuracy(), MeanLoss("mse"), R2(), MeanIoU(2)):
        assert np.isnan(metric.result(np.zeros(metric.shape)))
    for metric in (Precision(), Recall(), Specificity(), FBeta(), AUC(), AUC(curve="PR")):
        assert metric.result(np.zeros(metric.shape)) == 0.0
    ones = np.ones(3)
    sums = AUC().totals(np.array([0.1, 0.5, 0.9]), ones).eval(mode=INTERPRET)
    assert AUC().result(sums) == 0.0
    assert AUC(curve="PR").result(sums) == pytest.approx(1.0)
    assert np.isnan(IoU(3).result(IoU(3).totals(ones, ones).eval(mode=INTERPRET))).tolist() == [
        True,
        False,
        True,
    ]


def test_a_label_that_is_no_class() -> None:
    with pytest.raises((IndexError, ValueError)):
        ConfusionMatrix(3).totals(np.array([0, 1]), np.array([0, 3])).eval(mode=INTERPRET)
