"""Constraints: recorded numbers of Keras, what holds afterwards, dtypes, names."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from symtheano import Mode, function, shared
from symtheano.nn.constraints import (
    CONSTRAINTS,
    Constraint,
    MaxNorm,
    MinMaxNorm,
    NonNegative,
    UnitNorm,
    from_config,
    get,
    norms,
)
from tests.nn.recorded import load

INTERPRET = Mode("interpret", "fast_run")
RECORDED = load("constraints")
RULES = {
    "max_norm": MaxNorm(0.9),
    "unit_norm": UnitNorm(),
    "min_max_norm": MinMaxNorm(0.6, 0.9, 0.7),
    "non_negative": NonNegative(),
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("which", ["dense", "filters"])
def test_recorded_numbers(name: str, which: str) -> None:
    found = RULES[name](np.array(RECORDED[which])).eval(mode=INTERPRET)
    assert_allclose(found, RECORDED[f"{which}_expected"][name], rtol=1e-6)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_an_update_keeps_dtype_and_shape(name: str, dtype: str) -> None:
    w = shared(np.random.default_rng(1).normal(size=(4, 3)).astype(dtype))
    step = function([], updates={w: RULES[name](w - w / 4)})
    step()
    assert w.get_value().dtype == dtype
    assert w.get_value().shape == (4, 3)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_what_holds_afterwards(dtype: str) -> None:
    x = np.random.default_rng(1).normal(size=(40, 30)).astype(dtype)
    x[:, ::2] *= dtype == "float16" or 0.01
    loose = 4 * np.finfo(dtype).eps

    def lengths(made: Any, axis: int = 0) -> Any:
        return np.sqrt((np.asarray(made, "float64") ** 2).sum(axis))

    assert (lengths(MaxNorm(0.9)(x).eval(mode=INTERPRET)) <= 0.9 * (1 + loose)).all()
    assert_allclose(lengths(UnitNorm()(x).eval(mode=INTERPRET)), 1, rtol=loose)
    assert_allclose(lengths(UnitNorm(axis=1)(x).eval(mode=INTERPRET), 1), 1, rtol=loose)
    bounded = lengths(MinMaxNorm(0.5, 0.9)(x).eval(mode=INTERPRET))
    assert ((bounded >= 0.5 * (1 - loose)) & (bounded <= 0.9 * (1 + loose))).all()
    assert (NonNegative()(x).eval(mode=INTERPRET) >= 0).all()


def test_short_weights_keep_their_bits() -> None:
    x = np.random.default_rng(1).normal(size=(4, 3))
    assert_array_equal(MaxNorm(100.0)(x).eval(mode=INTERPRET), x)
    assert_array_equal(NonNegative()(abs(x)).eval(mode=INTERPRET), abs(x))


@pytest.mark.parametrize("rule", [MaxNorm(1.0), UnitNorm(), MinMaxNorm(0.5, 1.0)], ids=repr)
def test_edges(rule: Constraint) -> None:
    assert_array_equal(rule(np.zeros((3, 2))).eval(mode=INTERPRET), np.zeros((3, 2)))
    assert rule(np.zeros((0, 2))).eval(mode=INTERPRET).shape == (0, 2)
    assert rule(np.zeros((2, 0))).eval(mode=INTERPRET).shape == (2, 0)
    assert_allclose(rule(np.array(-7.0)).eval(mode=INTERPRET), -1.0)
    assert_allclose(rule(np.array([3.0, -4.0])).eval(mode=INTERPRET), [0.6, -0.8])
    with_nan = rule(np.array([[np.nan, 3.0], [1.0, 4.0]])).eval(mode=INTERPRET)
    assert np.isnan(with_nan[:, 0]).all()
    assert_allclose(with_nan[:, 1], [0.6, 0.8])


def test_norms() -> None:
    x = np.random.default_rng(1).normal(size=(2, 3, 4, 5))
    assert_allclose(
        norms(shared(x)).eval(mode=INTERPRET).ravel(), [np.linalg.norm(x[0]), np.linalg.norm(x[1])]
    )
    assert norms(shared(x), axis=(0, 2)).eval(mode=INTERPRET).shape == (1, 3, 1, 5)
    assert norms(shared(x), axis=[0, 2]).eval(mode=INTERPRET).shape == (1, 3, 1, 5)
    big = shared(np.full((2000, 1), 100.0, "float16"))
    assert norms(big).dtype == "float16"
    assert_allclose(norms(big).eval(mode=INTERPRET), 100 * np.sqrt(2000), rtol=1e-3)


def test_get() -> None:
    for name, kind in CONSTRAINTS.items():
        assert type(get(name)) is kind
        assert type(get(kind)) is kind
    rule = MaxNorm(0.5)
    assert get(rule) is rule
    assert get(None) is None
    assert get(abs) is abs
    with pytest.raises(ValueError, match="unknown constraint 'maxnorn'; did you mean 'max_norm'"):
        get("maxnorn")
    with pytest.raises(TypeError, match="a name, a Constraint or None"):
        get(0.5)


@pytest.mark.parametrize("rule", [*RULES.values(), UnitNorm(axis=(0, 1))], ids=repr)
def test_descriptions_come_back(rule: Constraint) -> None:
    back = from_config(json.loads(json.dumps(rule.config())))
    assert back.config() == rule.config()
    x = np.random.default_rng(1).normal(size=(4, 3))
    assert_array_equal(back(x).eval(mode=INTERPRET), rule(x).eval(mode=INTERPRET))


def test_a_subclass_without_a_rule() -> None:
    with pytest.raises(NotImplementedError, match="has no method 'apply'"):
        Constraint()(np.ones(2))
