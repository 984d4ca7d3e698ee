"""Labels and predictions."""

from __future__ import annotations

from typing import Any

import numpy as np

FAR = np.array([[[0.0, 2000, 0], [3000, -3000, 1]], [[1e5, 0, 0], [1, 2, 3]]])


LABELS = np.array([[0, 0], [1, 2]])


def expected() -> tuple[Any, Any]:
    """Return the losses of the labels and the gradients of their sum."""
    e = np.exp(FAR - FAR.max(-1, keepdims=True))
    logs = FAR - FAR.max(-1, keepdims=True) - np.log(e.sum(-1, keepdims=True))
    ones = np.eye(3)[LABELS]
    return -(logs * ones).sum(-1), e / e.sum(-1, keepdims=True) - ones
