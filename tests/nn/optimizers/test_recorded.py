"""Each optimizer, step by step, against the numbers of torch and Keras."""

from __future__ import annotations

from typing import Any

import pytest
from numpy.testing import assert_allclose

from symtheano.nn import SGD, AdamW, Optimizer, optimizers
from symtheano.nn.optimizers import (
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AMSGrad,
    Lion,
    NAdam,
    RMSProp,
)
from tests.nn.optimizers.steps import RECORDED, compare, steps

BETAS = {"beta_1": 0.7, "beta_2": 0.8}


NO_EPSILON: dict[str, Any] = {**BETAS, "epsilon": 1e-30}


RULES = {
    "sgd": SGD(0.1),
    "sgd_decay": SGD(0.1, weight_decay=0.2),
    "momentum": SGD(0.1, 0.8),
    "nesterov": SGD(0.1, 0.8, nesterov=True),
    "dampening": SGD(0.1, 0.8, dampening=0.3, weight_decay=0.2),
    "adagrad": Adagrad(),
    "adagrad_options": Adagrad(0.2, 0.1, 0.3, weight_decay=0.2),
    "adadelta": Adadelta(),
    "adadelta_options": Adadelta(0.5, 0.7, 1e-3, weight_decay=0.2),
    "rmsprop": RMSProp(),
    "rmsprop_momentum": RMSProp(rho=0.8, momentum=0.7, epsilon=1e-3),
    "rmsprop_centered": RMSProp(rho=0.8, momentum=0.7, centered=True, weight_decay=0.2),
    "adam": Adam(),
    "adam_options": Adam(0.1, **BETAS, epsilon=1e-2, weight_decay=0.2),
    "amsgrad": AMSGrad(0.1, **BETAS),
    "adamw": AdamW(),
    "adamw_options": AdamW(0.1, **BETAS, amsgrad=True, weight_decay=0.3),
    "adamax": Adamax(),
    "adamax_options": Adamax(0.1, **BETAS, epsilon=1e-2, weight_decay=0.2),
    "nadam": NAdam(),
    "nadam_options": NAdam(0.1, **BETAS, momentum_decay=0.3, weight_decay=0.2),
    "keras_sgd": SGD(0.1),
    "keras_momentum": SGD(0.1, 0.8),
    "keras_nesterov": SGD(0.1, 0.8, nesterov=True),
    "keras_clipvalue": SGD(0.1, clipvalue=0.3),
    "keras_clipnorm": SGD(0.1, clipnorm=0.5),
    "keras_global_clipnorm": SGD(0.1, global_clipnorm=0.5),
    "keras_adagrad": Adagrad(0.1, 0.0, 0.1, epsilon=1e-30),
    "keras_adadelta": Adadelta(0.5, 0.7, 1e-3),
    "keras_rmsprop": RMSProp(0.1, 0.8, 0.7, epsilon=1e-30),
    "keras_rmsprop_centered": RMSProp(0.1, 0.8, centered=True, epsilon=1e-30),
    "keras_adam": Adam(0.1, **NO_EPSILON),
    "keras_amsgrad": Adam(0.1, **NO_EPSILON, amsgrad=True),
    "keras_adamw": AdamW(0.1, **NO_EPSILON, weight_decay=0.3),
    "keras_adamax": Adamax(0.1, **NO_EPSILON),
    "keras_nadam": NAdam(0.1, **NO_EPSILON, momentum_decay=1.0),
    "keras_lion": Lion(0.1, **BETAS),
    "keras_lion_decay": Lion(0.1, **BETAS, weight_decay=0.3),
}


def again(rule: Optimizer) -> Optimizer:
    """Return an equal optimizer with a new state."""
    made: Optimizer = optimizers.from_config(rule.config())
    return made


def test_all_are_recorded() -> None:
    assert RULES.keys() == RECORDED.keys()


@pytest.mark.parametrize("name", RULES)
def test_the_interpreter_computes_the_recorded_numbers(name: str) -> None:
    compare(name, steps(again(RULES[name]).updates))


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", RULES)
def test_c_computes_the_recorded_numbers(name: str) -> None:
    compare(name, steps(again(RULES[name]).updates, mode=None))


@pytest.mark.parametrize("name", RULES)
def test_in_float32(name: str) -> None:
    found = steps(again(RULES[name]).updates, "float32")
    assert_allclose(found, RECORDED[name], rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", RULES)
def test_in_float16(name: str) -> None:
    found = steps(again(RULES[name]).updates, "float16")
    assert_allclose(found, RECORDED[name], rtol=0.05, atol=0.03)
