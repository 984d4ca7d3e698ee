"""The dict of the loss and the metrics, and errors where a list or a number is expected."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

from symtheano import nn
from symtheano.nn.training.measures import Measures

MEASURES = Measures({"loss": 0.25, "accuracy": 0.5})


def test_a_dict() -> None:
    assert MEASURES == {"loss": 0.25, "accuracy": 0.5}
    assert list(MEASURES) == ["loss", "accuracy"]
    assert {name: 1 for name in MEASURES if name != "loss"} == {"accuracy": 1}
    assert dict(MEASURES) == {**MEASURES} == MEASURES | {} == MEASURES.copy()
    assert sorted(MEASURES.items()) == [("accuracy", 0.5), ("loss", 0.25)]
    assert repr(MEASURES) == f"{MEASURES}" == "{'loss': 0.25, 'accuracy': 0.5}"
    assert json.loads(json.dumps(MEASURES)) == MEASURES
    assert [*MEASURES] == ["loss", "accuracy"]
    assert "loss" in MEASURES


def test_copies() -> None:
    for again in (pickle.loads(pickle.dumps(MEASURES)), copy.deepcopy(MEASURES)):
        assert type(again) is Measures
        assert again == MEASURES


def test_unpacking_is_an_error() -> None:
    with pytest.raises(TypeError, match=r'cannot be unpacked: use \["loss"\], \["accuracy"\]'):
        _loss, _accuracy = MEASURES
    with pytest.raises(TypeError, match="unpacked"):
        _loss, *_others = MEASURES
    with pytest.raises(TypeError, match="unpacked"):
        for _name, _value in [MEASURES]:
            pass
    loss, accuracy = MEASURES.values()
    assert (loss, accuracy) == (0.25, 0.5)


def test_indices_and_numbers_are_errors() -> None:
    with pytest.raises(KeyError, match=r'0 was not measured: use \["loss"\]'):
        MEASURES[0]  # type: ignore[index]
    with pytest.raises(TypeError, match="not a number"):
        f"{MEASURES:.3f}"


def test_models_return_them() -> None:
    x = np.random.default_rng(0).normal(size=(20, 3))
    model = nn.Model(seed=0)
    model.add(nn.Dense(1))
    model.compile("mse", "adam", metrics=["mae"])
    for measures in (
        model.train_on_batch(x, x[:, 0]),
        model.test_on_batch(x, x[:, 0]),
        model.evaluate(x, x[:, 0]),
        model.evaluate([(x, x[:, 0])]),
    ):
        assert type(measures) is Measures
        with pytest.raises(TypeError, match="mean_absolute_error"):
            _loss, _error = measures
