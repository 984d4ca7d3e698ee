"""Attributes that models, layers and optimizers do not have lead to those that they have."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import pytest

from symtheano import nn
from symtheano.nn.missing import (
    METHODS,
    OF_LAYERS,
    OF_OPTIMIZERS,
    MissingMethod,
    MissingNetworkName,
    missing_in,
)


@pytest.mark.parametrize("model", [nn.Model(), nn.Sequential()])
def test_methods_of_others(model: Any) -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'load_state_dict'\n.*set_weights"):
        model.load_state_dict({})
    assert not hasattr(model, "train_one")


def test_methods_that_messages_name_exist() -> None:
    owners: list[tuple[dict[str, str], Any]] = [
        (METHODS, nn.Model), (OF_LAYERS, nn.Layer()), (OF_OPTIMIZERS, nn.Adam())
    ]  # fmt: skip
    for table, owner in owners:
        for name, ours in table.items():
            assert name not in dir(owner)
            for method in re.findall(r"(\w+)\(", ours):
                assert method in (*dir(owner), "model", "summary")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("fitt", "did you mean fit?"),
        ("copy", "it is copy.deepcopy of the model"),
        ("trainable_variables", "it is get_weights(), or parameters"),
        ("Dense", "it is dense"),
        ("MaxPool2D", "it is max_pool2d"),
        ("batch_normalization", "it is batch_norm()"),
        ("get_layer", "it is layers, a list; each has a name"),
        ("dens", "did you mean dense?"),
        ("conv2dd", "did you mean conv2d?"),
        ("image_layer", ""),
        ("merge", ""),
        ("recurrent", ""),
        ("reparametrized", ""),
        ("zzzz", ""),
        ("predict_classes", "it is predict(x), and numpy.argmax along axis 1 of it"),
        ("accuracy", 'it is evaluate(x, y)["accuracy"], with metrics=["accuracy"] in compile'),
    ],
)
def test_what_chains_do_not_have(name: str, hint: str) -> None:
    net = nn.Sequential([nn.Input((4,)), nn.Dense(2)])
    with pytest.raises(AttributeError) as caught:
        getattr(net, name)(3)
    text = f"'Sequential' object has no attribute {name!r}"
    assert str(caught.value) == text + (f"\n  hint: {hint}" if hint else "")
    assert len(net.layers) == 1


def test_a_hint_has_at_most_three_names() -> None:
    with pytest.raises(AttributeError) as caught:
        nn.Sequential().conv4d  # noqa: B018
    assert str(caught.value).endswith("did you mean conv1d, conv2d or conv3d?")
    assert "image_layer" not in dir(nn.Sequential())


def test_layers_of_users_are_methods_of_chains() -> None:
    class Tripled(nn.Layer):
        def call(self, x: Any) -> Any:
            return 3 * x

    assert nn.Sequential().tripled().layers[0].name == "tripled"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("owner", "name", "hint"),
    [
        (nn.Dense(2), "requires_grad", "it is trainable"),
        (nn.Dense(2), "kernel", "parameters are made when the layer is first called"),
        (nn.Dense(2), "get_weight", "did you mean get_weights?"),
        (nn.Dense(2), "unit", "did you mean units?"),
        (nn.Dense(2), "zzz", ""),
        (nn.Adam(), "apply_gradients", "it is updates(cost, parameters), for symtheano.function"),
        (nn.Adam(), "lr", "it is learning_rate"),
        (nn.Dense(2), "output", "it is what a call of the layer returns"),
        (nn.Adam(), "zzz", ""),
    ],
)
def test_what_layers_and_optimizers_do_not_have(owner: Any, name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    assert str(caught.value).partition("\n  hint: ")[2] == hint
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


def test_copies_and_pickles_ask_for_nothing_that_is_not_there() -> None:
    for one in (nn.Dense(2), nn.Adam(), nn.Sequential([nn.Dense(2)]), nn.Model(), nn.LBFGS()):
        assert type(copy.deepcopy(one)) is type(one)
        assert type(pickle.loads(pickle.dumps(one))) is type(one)


def test_errors_are_attribute_errors() -> None:
    assert issubclass(MissingMethod, AttributeError)
    with pytest.raises(MissingNetworkName, match="did you mean hinge"):
        missing_in("symtheano.nn.losses", ["hinge"])("hing")
