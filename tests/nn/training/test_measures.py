"""The loss and the metrics of samples, as a tuple and by name."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

from symtheano import nn
from symtheano.nn.training.measures import Measures

MEASURES = Measures({"loss": 0.25, "accuracy": 0.5})


def test_as_a_tuple() -> None:
    loss, accuracy = MEASURES
    assert (loss, accuracy) == (MEASURES[0], MEASURES[1]) == (0.25, 0.5)
    assert MEASURES[-1] == 0.5
    assert MEASURES[:1] == (0.25,)
    assert list(MEASURES) == [0.25, 0.5]
    assert json.loads(json.dumps(MEASURES)) == [0.25, 0.5]
    assert "Loss {:.2f}, accuracy {:.1f}".format(*MEASURES) == "Loss 0.25, accuracy 0.5"
    with pytest.raises(IndexError):
        MEASURES[2]


def test_by_name() -> None:
    assert MEASURES["accuracy"] == 0.5
    assert dict(MEASURES) == {**MEASURES} == {"loss": 0.25, "accuracy": 0.5}
    assert list(MEASURES.items()) == [("loss", 0.25), ("accuracy", 0.5)]
    assert list(zip(MEASURES.keys(), MEASURES.values(), strict=True)) == list(MEASURES.items())
    assert (MEASURES.get("loss"), MEASURES.get("auc"), MEASURES.get("auc", 0)) == (0.25, None, 0)
    assert "loss" in MEASURES
    assert 0.5 in MEASURES
    assert "auc" not in MEASURES
    with pytest.raises(KeyError, match="'auc' was not measured: there are loss, accuracy"):
        MEASURES["auc"]


def test_as_text() -> None:
    assert repr(MEASURES) == f"{MEASURES}" == "Measures(loss=0.25, accuracy=0.5)"


def test_one_measure_is_a_number() -> None:
    only = Measures({"loss": 0.25})
    assert f"{only:.3f}" == "0.250"
    assert float(only) == 0.25
    with pytest.raises(TypeError, match="several numbers: loss, accuracy"):
        f"{MEASURES:.3f}"


def test_copies() -> None:
    for again in (pickle.loads(pickle.dumps(MEASURES)), copy.deepcopy(MEASURES)):
        assert type(again) is Measures
        assert dict(again) == dict(MEASURES)


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
        loss, error = measures
        assert (loss, error) == (measures["loss"], measures["mean_absolute_error"])
