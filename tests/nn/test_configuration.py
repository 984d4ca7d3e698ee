"""Objects by name, class or description, and as data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano.nn import constraints, initializers, losses, metrics, optimizers, regularizers

KINDS: dict[str, tuple[Any, str, Any]] = {
    "constraint": (constraints, "non_negative", constraints.NonNegative),
    "regularizer": (regularizers, "l2", regularizers.L2),
    "initializer": (initializers, "he_normal", initializers.HeNormal),
    "loss": (losses, "huber", losses.Loss),
    "metric": (metrics, "accuracy", metrics.Accuracy),
    "optimizer": (optimizers, "adam", optimizers.Adam),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_a_class_a_description_and_an_object(kind: str) -> None:
    module, name, cls = KINDS[kind]
    made = module.get(name)
    assert type(made) is cls
    assert module.get(made) is made
    again = module.get(made.config())
    assert (type(again), again.config()) == (cls, made.config())
    if kind != "loss":  # which has arguments
        assert module.get(cls).config() == made.config()


@pytest.mark.parametrize("kind", KINDS)
def test_anything_else_is_an_error(kind: str) -> None:
    module, name, _ = KINDS[kind]
    with pytest.raises(ValueError, match=f"unknown {kind} '{name}9'"):
        module.get(f"{name}9")
    for wrong in (object(), int, np.ndarray):
        with pytest.raises(TypeError, match=f"^an? {kind} must be a name"):
            module.get(wrong)


@pytest.mark.parametrize("kind", ["constraint", "regularizer", "initializer", "loss"])
def test_functions_take_the_place_of_objects(kind: str) -> None:
    def function(x: Any, *others: Any) -> Any:
        return x

    assert KINDS[kind][0].get(function) is function


def test_what_may_be_missing() -> None:
    assert constraints.get(None) is None
    assert regularizers.get(None) is None
    for kind in ("initializer", "loss", "metric", "optimizer"):
        with pytest.raises(TypeError, match="not None"):
            KINDS[kind][0].get(None)
    with pytest.raises(TypeError, match="an optimizer must be a name or an Optimizer"):
        optimizers.get(lambda cost: cost)
