"""Values: expressions in training and at test, shapes, and what they depend on."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import nn


def test_an_input_is_one_variable_in_training_and_at_test() -> None:
    x = nn.Input((3, None), "float64", "x")
    assert x.train is x.test
    assert (x.shape, x.dtype, x.train.name, x.train.ndim) == ((3, None), "float64", "x", 3)
    assert (x.layer, x.inputs, x.parameters, x.updates, x.penalty) == (None, (), [], [], 0)


@pytest.mark.parametrize("shape", [(-1,), (2.0,), ("n",)])
def test_lengths_of_inputs_are_checked(shape: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="non-negative integer or None"):
        nn.Input(shape)


def test_a_variable_of_the_user_can_be_the_input() -> None:
    x = T.fmatrix("features")
    assert nn.Input((3,), variable=x).train is x
    with pytest.raises(ValueError, match=r"features has 2 axes.*\(n, 3, 4\), has 3"):
        nn.Input((3, 4), variable=x)


def test_parameters_and_updates_of_everything_before_are_found_once() -> None:
    x = nn.Input((3,), seed=0)
    shared = nn.Dense(3, name="twice", kernel_regularizer="l2")
    y = shared(shared(x))
    z = nn.batch_norm(y) + x
    assert [p.name for p in y.parameters] == ["twice/kernel", "twice/bias"]
    assert len(z.updates) == 2
    assert [layer.name for layer in z.layers] == ["twice", "batch_norm", "add"]
    kernel = shared.kernel.get_value()
    assert z.penalty.eval() == pytest.approx(0.01 * (kernel**2).sum(), rel=1e-6)


def test_values_are_added_subtracted_and_multiplied() -> None:
    x = nn.Input((2,))
    given = {x.test: np.array([[2.0, 3.0]], "float32")}
    for value, expected in ((x + x, [4, 6]), (x - x, [0, 0]), (x * x, [4, 9])):
        assert value.shape == (2,)
        assert value.test.eval(given).tolist() == [expected]


def test_values_are_arrays_for_functions_and_gradients() -> None:
    x = T.tensor("x", "float64", (None, 3))
    model = nn.Model(seed=0)
    model.add(nn.Dense(2, "tanh"))
    y = model(x)
    data = np.random.default_rng(0).normal(size=(4, 3))
    wanted = model.predict(data.astype("float32"))
    assert np.allclose(symtheano.function([x], y)(data), wanted, atol=1e-6)
    slope = symtheano.grad((y * y).sum(), x)
    assert slope.eval({x: data}).shape == (4, 3)
    assert np.allclose(T.concatenate([y, y], axis=1).eval({x: data})[:, 2:], wanted, atol=1e-6)
    layer_input = nn.Input((3,), seed=0)
    z = nn.dense(layer_input, 2)
    f = symtheano.function([layer_input], [z, symtheano.grad(z.sum(), layer_input)])
    assert [item.shape for item in f(data.astype("float32"))] == [(4, 2), (4, 3)]


def test_arrays_that_differ_in_training_must_be_chosen() -> None:
    x = nn.Input((3,), seed=0)
    y = nn.dropout(nn.dense(x, 2))
    for what in (y, y.sum(), nn.dense(y, 1)):
        with pytest.raises(TypeError, match="in training and at test: use the attribute train"):
            symtheano.function([x], what)
        with pytest.raises(TypeError, match="different expressions in training and at test"):
            T.tanh(what)
    assert symtheano.function([x], y.test)(np.ones((1, 3), "float32")).shape == (1, 2)
