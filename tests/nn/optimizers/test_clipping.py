"""Limits of gradients."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano.tensor as T
from symtheano import function, shared
from symtheano.nn import SGD
from tests.nn.optimizers.rules import CLIPPING, INTERPRET


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"clipvalue": 2.0}, [[2.0, -2.0], [1.0]]),
        ({"clipnorm": 2.5}, [[1.5, -2.0], [1.0]]),
        ({"clipnorm": 10.0}, [[3.0, -4.0], [1.0]]),
        ({"global_clipnorm": np.sqrt(26) / 2}, [[1.5, -2.0], [0.5]]),
        ({"global_clipnorm": 10.0}, [[3.0, -4.0], [1.0]]),
    ],
)
def test_clipping(options: dict[str, float], expected: list[list[float]]) -> None:
    parameters = [shared(np.zeros(2), "a"), shared(np.zeros(1), "b")]
    gradients = [T.constant(np.array([3.0, -4.0])), T.constant(np.array([1.0]))]
    rule = SGD(1.0, **options)
    function([], [], updates=rule.updates(None, parameters, gradients), mode=INTERPRET)()
    for p, change in zip(parameters, expected, strict=True):
        assert_allclose(p.get_value(), -np.array(change), rtol=1e-15)


def test_clipping_of_zero_and_nan() -> None:
    for options in CLIPPING[1:]:
        p = shared(np.zeros(2), "p")
        rule = SGD(1.0, **options)
        function([], [], updates=rule.updates(None, [p], [T.zeros_like(p)]), mode=INTERPRET)()
        assert_array_equal(p.get_value(), np.zeros(2))
        nan = T.full_like(p, np.nan)
        function([], [], updates=rule.updates(None, [p], [nan]), mode=INTERPRET)()
        assert np.isnan(p.get_value()).all()
