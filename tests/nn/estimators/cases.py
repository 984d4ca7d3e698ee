"""Samples and small estimators for the tests of estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano import nn

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.datasets import make_blobs

RNG = np.random.default_rng(0)
POINTS, CLASSES = make_blobs(120, centers=3, n_features=2, random_state=0, cluster_std=0.6)
POINTS = POINTS.astype("float32")
NAMES = np.array(["red", "green", "blue"])[CLASSES]
LINE = POINTS @ np.array([0.5, -0.25], "float32") + 1


def classifier(**options: Any) -> nn.Classifier:
    """Return a classifier that is trained in a moment."""
    return nn.Classifier(
        **{"hidden": (8,), "learning_rate": 0.05, "epochs": 20, "random_state": 0} | options
    )


def regressor(**options: Any) -> nn.Regressor:
    """Return a regressor that is trained in a moment."""
    return nn.Regressor(
        **{"hidden": (8,), "learning_rate": 0.05, "epochs": 40, "random_state": 0} | options
    )
