"""Optimizers as functions give the recorded numbers of other libraries."""

from __future__ import annotations

from typing import Any

import pytest

from symtheano import grad
from symtheano.nn import updates
from tests.nn.optimizers.steps import compare, steps

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
