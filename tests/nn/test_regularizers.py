"""Penalties: recorded numbers of Keras, gradients, dtypes, names."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import Mode, grad, nn, shared, verify_grad
from symtheano.nn.regularizers import L1, L1L2, L2, REGULARIZERS, Regularizer, from_config, get
from tests.nn.recorded import load

INTERPRET = Mode("interpret", "fast_run")
RECORDED = load("constraints")
RULES = {"l1": L1(0.3), "l2": L2(0.3), "l1_l2": L1L2(0.3, 0.2)}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("which", ["dense", "filters"])
def test_recorded_numbers(name: str, which: str) -> None:
    found = RULES[name](np.array(RECORDED[which])).eval(mode=INTERPRET)
    assert_allclose(found, RECORDED[f"{which}_expected"][name], rtol=1e-10)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_dtype(name: str, dtype: str) -> None:
    w = shared(np.ones((2, 3), dtype))
    penalty = RULES[name](w)
    assert (penalty.dtype, penalty.ndim) == (dtype, 0)
    assert grad(penalty, w).dtype == dtype


@pytest.mark.parametrize("name", RULES)
def test_gradient(name: str) -> None:
    verify_grad(RULES[name], [np.random.default_rng(3).normal(size=(3, 2))], rng=np.random)


@pytest.mark.parametrize("name", RULES)
def test_edges(name: str) -> None:
    rule = RULES[name]
    assert rule(np.zeros((0, 3))).eval(mode=INTERPRET) == 0
    assert rule(np.array(-2.0)).eval(mode=INTERPRET) == pytest.approx(
        {"l1": 0.6, "l2": 1.2, "l1_l2": 1.4}[name]
    )
    assert rule(np.array([-0.0, 0.0])).eval(mode=INTERPRET) == 0
    assert np.isnan(rule(np.array([1.0, np.nan])).eval(mode=INTERPRET))
    assert rule(np.array([1.0, -np.inf])).eval(mode=INTERPRET) == np.inf
    assert rule(T.constant(np.array([1, -2]))).eval(mode=INTERPRET) == rule(
        np.array([1.0, -2.0])
    ).eval(mode=INTERPRET)


def test_get() -> None:
    for name, kind in REGULARIZERS.items():
        assert type(get(name)) is kind
        assert type(get(kind)) is kind
    rule = L2(0.5)
    assert get(rule) is rule
    assert get(None) is None
    assert get(abs) is abs
    with pytest.raises(ValueError, match="unknown regularizer 'l3'; known: l1, l1_l2, l2"):
        get("l3")
    with pytest.raises(TypeError, match="a name, a Regularizer or None"):
        get(0.5)


@pytest.mark.parametrize("name", RULES)
def test_descriptions_come_back(name: str) -> None:
    config: Any = json.loads(json.dumps(RULES[name].config()))
    assert from_config(config) == RULES[name]
    assert get(config) == RULES[name]


def test_a_subclass_without_a_penalty() -> None:
    with pytest.raises(NotImplementedError, match="has no method 'penalty'"):
        Regularizer()(np.ones(2))


def test_negative_rates_are_errors() -> None:
    for make in (
        lambda: nn.L1(-0.1), lambda: nn.L2(np.nan), lambda: nn.L1L2(0.1, -0.1),
        lambda: nn.Dense(2, kernel_regularizer=nn.L2(-1)),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"L[12]+: (rate|l2) must be at least 0, not"):
            make()
    assert nn.L2(0).rate == 0
