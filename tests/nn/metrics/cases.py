"""Metrics, and data for them."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import Mode, function
from symtheano.nn.metrics import (
    Metric,
)
from tests.nn.recorded import load

RECORDED = load("metrics")


DATA = {name: np.array(value) for name, value in RECORDED.pop("batches").items()}


INTERPRET = Mode("interpret", "fast_run")


ONE_HOT = np.eye(4)[DATA["labels"]]


FOUND = DATA["scores"].argmax(1)


def over_batches(
    metric: Metric,
    predictions: Any,
    targets: Any,
    weights: bool = False,
    dtype: str = "float64",
    mode: Any = INTERPRET,
) -> Any:
    """Return the result of three batches of different lengths, and check the totals."""
    predictions = DATA[predictions] if isinstance(predictions, str) else predictions
    targets = DATA[targets] if isinstance(targets, str) else targets
    if predictions.dtype.kind == "f":
        predictions = predictions.astype(dtype)
    arrays = [predictions, targets, DATA["weights"]]
    inputs = [T.tensor(array.dtype.name, shape=(None,) * array.ndim) for array in arrays]
    sums = metric.totals(*inputs[:2], inputs[2] if weights else None)
    assert sums.dtype == "float64"
    step = function(inputs, sums, mode=mode, on_unused_input="ignore")
    total = np.zeros(metric.shape)
    for part in (slice(0, 13), slice(13, 14), slice(14, 30)):
        found = step(*(array[part] for array in arrays))
        assert found.shape == metric.shape
        total += found
    return metric.result(total)
