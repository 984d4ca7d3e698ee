"""Regressors: shapes of targets, and training in parts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.nn.estimators.cases import LINE, POINTS, regressor


@pytest.mark.parametrize("outputs", [None, 1, 3])
def test_shape_of_predictions_is_that_of_targets(outputs: int | None) -> None:
    y = LINE if outputs is None else np.stack([LINE * (k + 1) for k in range(outputs)], axis=1)
    net = regressor().fit(POINTS, y)
    assert net.predict(POINTS).shape == y.shape
    assert net.n_outputs_ == (outputs or 1)
    assert net.score(POINTS, y) > 0.9


def test_partial_fit_is_an_epoch() -> None:
    line = regressor().partial_fit(POINTS, LINE).partial_fit(POINTS, LINE)
    assert line.n_iter_ == 2
    with pytest.raises(ValueError, match=r"y must have 1 outputs, .* not 2"):
        line.partial_fit(POINTS, np.stack([LINE, LINE], 1))
