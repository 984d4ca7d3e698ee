"""Areas below curves of probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.nn.metrics import (
    AUC,
)
from tests.nn.metrics.cases import INTERPRET


def test_probabilities_at_the_ends() -> None:
    p, t = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0, 1, 0, 1])
    assert AUC().result(AUC().totals(p, t).eval(mode=INTERPRET)) == pytest.approx(0.5)
    assert AUC().result(AUC().totals(p, p).eval(mode=INTERPRET)) == pytest.approx(1.0)
    assert AUC().result(AUC().totals(p, 1 - p).eval(mode=INTERPRET)) == pytest.approx(0.0)
