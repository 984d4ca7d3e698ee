"""Each optimizer, step by step, against the numbers of torch and Keras."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import Mode, function, grad, shared
from symtheano.nn import SGD, AdamW, Optimizer, optimizers, updates
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
from tests.nn.recorded import load

RECORDED = load("optimizers")
PROBLEM = {name: np.array(value) for name, value in RECORDED.pop("problem").items()}
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
INTERPRET = Mode("interpret", "fast_run")

# Keras computes the factors of these in float32, with any dtype of the variables.
ROUNDED = {"keras_clipnorm", "keras_global_clipnorm"}


def compare(name: str, found: np.ndarray) -> None:
    assert_allclose(found, RECORDED[name], rtol=1e-7 if name in ROUNDED else 1e-9, atol=1e-11)


def steps(rule: Any, dtype: str = "float64", mode: Any = INTERPRET) -> np.ndarray:
    """Return the parameters after each update; ``rule`` is a function of cost and parameters."""
    w, b = (shared(PROBLEM[name].astype(dtype), name) for name in "wb")
    x, y = T.matrix("x", dtype), T.matrix("y", dtype)
    cost = T.sqr(T.tanh(T.dot(x, w) + b) - y).mean()
    step = function([x, y], [], updates=rule(cost, [w, b]), mode=mode)
    path = []
    for batch in zip(PROBLEM["x"].astype(dtype), PROBLEM["y"].astype(dtype), strict=True):
        step(*batch)
        path.append([*w.get_value().ravel(), *b.get_value()])
    return np.array(path)


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


FUNCTIONS = {
    "sgd": lambda cost, params: updates.sgd(cost, params, 0.1),
    "momentum": lambda cost, params: updates.momentum(cost, params, 0.1, 0.8),
    "nesterov": lambda cost, params: updates.nesterov_momentum(cost, params, 0.1, 0.8),
    "adagrad": lambda cost, params: updates.adagrad(cost, params, 0.01, 1e-10),
    "adadelta": lambda cost, params: updates.adadelta(cost, params, 1.0, 0.9, 1e-6),
    "rmsprop": lambda cost, params: updates.rmsprop(cost, params, 0.01, 0.99, 1e-8),
    "adam": updates.adam,
    "adamw": updates.adamw,
    "adamax": updates.adamax,
    "amsgrad": lambda cost, params: updates.amsgrad(cost, params, 0.1, 0.7, 0.8),
    "nadam": updates.nadam,
    "keras_lion": lambda cost, params: updates.lion(cost, params, 0.1, 0.7, 0.8),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    compare(name, steps(FUNCTIONS[name]))


@pytest.mark.parametrize("name", ["adam", "momentum", "keras_lion"])
def test_functions_of_gradients(name: str) -> None:
    def rule(cost: Any, params: Any) -> Any:
        return FUNCTIONS[name](grad(cost, params), params)

    compare(name, steps(rule))


def test_every_function_is_tested() -> None:
    names = {"nesterov_momentum" if name == "nesterov" else name for name in FUNCTIONS}
    assert {name.removeprefix("keras_") for name in names} == set(updates.__all__)
