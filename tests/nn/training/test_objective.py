"""Losses and metrics of a program: arguments, means, names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn
from symtheano.nn import losses
from symtheano.nn.training import objective
from tests.support.compare import oracle


def test_names_are_unique() -> None:
    assert objective.unique("loss", {"accuracy"}) == "loss"
    assert objective.unique("loss", {"loss", "loss_1"}) == "loss_2"


def test_losses_and_metrics_in_lists_and_mappings() -> None:
    assert objective.leaves(None) == []
    assert objective.leaves("mse") == ["mse"]
    assert objective.leaves(["mse", None, ["mae", "mse"]]) == ["mse", "mae", "mse"]
    assert objective.leaves({"a": "mse", "b": ["mae"]}) == ["mse", "mae"]
    config = {"class": "Loss"}
    assert objective.leaves(config) == [config]


def test_arguments_for_each_output() -> None:
    x = nn.Input((3,))
    two = [nn.Dense(1, name="a")(x), nn.Dense(1, name="b")(x)]
    assert objective.each(two, "mse", "loss") == ["mse", "mse"]
    assert objective.each(two, ["mse", "mae"], "loss") == ["mse", "mae"]
    assert objective.each(two, {"b": "mae"}, "loss") == [None, "mae"]
    assert objective.each(two, ["mae", "mse"], "metrics", lists=True) == [["mae", "mse"]] * 2
    assert objective.each(two[:1], ["mae", "mse"], "metrics", lists=True) == [["mae", "mse"]]
    with pytest.raises(ValueError, match=r"loss: \['c'\] are not names of outputs"):
        objective.each(two, {"c": "mse"}, "loss")
    with pytest.raises(ValueError, match="an item for each of the 2 outputs, not 3"):
        objective.each(two, ["mse"] * 3, "loss")


def test_objectives_that_are_refused() -> None:
    objective.check_objective(["mse", "mae"], ["accuracy"])
    with pytest.raises(ValueError, match="number 1 of the list is None"):
        objective.check_objective(["mse", None], None)
    with pytest.raises(ValueError, match="minimizes the mean over samples"):
        objective.check_objective(losses.Loss("mse", reduction="sum"), None)
    with pytest.raises(ValueError, match="nothing"):
        objective.check_objective("nothing", None)


def test_weighted_and_masked_means() -> None:
    values, weights = T.matrix("values"), T.vector("weights")
    mask = T.matrix("mask", "bool")
    outputs = [
        objective.mean(values, None), objective.mean(values, weights),
        objective.mean(values, None, mask), objective.mean(values, weights, mask),
    ]  # fmt: skip
    a, w = np.array([[1.0, 2.0], [3.0, math.nan]]), np.array([1.0, 3.0])
    m = np.array([[True, True], [True, False]])
    plain = np.array([[1.0, 2.0], [3.0, 4.0]])
    f = oracle([values, weights, mask], outputs)
    assert f(plain, w, m)[:2] == [2.5, (1.5 * 1 + 3.5 * 3) / 2]
    # What the mask leaves out is not read, whatever it is.
    assert f(a, w, m)[2:] == [2.0, (1 + 2 + 3 * 3) / 3]
    assert f(a, w, np.zeros((2, 2), bool))[2:] == [0, 0]


def test_roots_have_a_gradient_at_zero() -> None:
    y, t = T.matrix("y"), T.matrix("t")
    rmse = losses.get("rmse")
    assert objective.is_root(rmse)
    assert not objective.is_root(losses.get("mse"))
    loss = objective.of_batch(rmse, y, t, (2,), None, None)
    f = oracle([y, t], [loss, T.grad(loss, y)])
    a = np.array([[1.0, 2.0]])
    assert f(a, a)[0] == 0
    np.testing.assert_array_equal(f(a, a)[1], [[0, 0]])
    assert f(a, a + 2)[0] == 2


def test_means_over_batches() -> None:
    sums, shape, result = objective.average(T.constant(3.0), T.constant(4), T.constant(4))
    assert shape == (2,)
    assert oracle([], sums)().tolist() == [12, 4]
    assert result(np.array([12.0, 4.0])) == 3
    assert math.isnan(objective.ratio(np.zeros(2)))


def test_losses_of_users() -> None:
    y, t = T.matrix("y"), T.matrix("t")

    def each_sample(a: Any, b: Any) -> Any:
        return abs(a - b).sum(1)

    found = objective.of_samples(each_sample, y, t, (2,))
    assert oracle([y, t], found)(np.ones((3, 2)), np.zeros((3, 2))).tolist() == [2, 2, 2]
    with pytest.raises(ValueError, match="returns one number; it must return a number for each"):
        objective.of_samples(lambda a, b: (a - b).sum(), y, t, (2,))
    with pytest.raises(TypeError, match="must return a symbolic array"):
        objective.of_samples(lambda a, b: 3.0, y, t, (2,))
    with pytest.raises(ValueError, match="the targets are integer labels"):
        objective.of_samples(losses.get("mse"), y, T.lvector("labels"), (2,))
