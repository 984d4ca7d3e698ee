"""Accuracies of one column, of several classes and of the best k."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.nn.metrics import (
    Accuracy,
    ConfusionMatrix,
    TopKAccuracy,
)
from tests.nn.metrics.cases import DATA, FOUND, INTERPRET, ONE_HOT, over_batches


@pytest.mark.parametrize("static", [None, 1])
def test_accuracy_of_one_column(static: int | None) -> None:
    """What has one column is binary, even if that is known in a call only."""
    p, t = DATA["probability"][:, None], DATA["bits"]
    expected = np.mean((p[:, 0] > 0.5) == (t > 0.5))
    x = T.tensor("float64", shape=(None, static))
    for shape in (t, t[:, None], t.astype("float64"), t[:, None].astype("float32")):
        y = T.tensor(shape.dtype.name, shape=(None,) * shape.ndim)
        metric = Accuracy()
        sums = function([x, y], metric.totals(x, y), mode=INTERPRET)(p, shape)
        assert metric.result(sums) == pytest.approx(expected)
        table = function([x, y], ConfusionMatrix(2).totals(x, y), mode=INTERPRET)(p, shape)
        assert np.trace(table) / table.sum() == pytest.approx(expected)


def test_accuracy_of_several_classes() -> None:
    expected = np.mean(DATA["labels"] == FOUND)
    for targets in ("labels", ONE_HOT, ONE_HOT.astype("int64")):
        assert over_batches(Accuracy(), "scores", targets) == pytest.approx(expected)
    assert over_batches(Accuracy(), "probability", "bits") == pytest.approx(
        np.mean((DATA["probability"] > 0.5) == DATA["bits"])
    )


def test_top_k_edges() -> None:
    scores = np.array([[1.0, 1.0, 0.0], [np.nan, 1.0, 0.0], [np.inf, -np.inf, 0.0]])
    for k, expected in [(1, [1, 0, 0]), (2, [1, 0, 0]), (3, [1, 0, 1])]:
        for n in range(3):
            sums = (
                TopKAccuracy(k)
                .totals(scores[n : n + 1], np.array([[1, 0, 1][n]]))
                .eval(mode=INTERPRET)
            )
            assert sums.tolist() == [expected[n], 1.0]
