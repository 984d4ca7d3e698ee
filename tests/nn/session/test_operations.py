"""Operations: assignments, gradients, steps of optimizers, functions by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn


def test_assignments_return_the_new_value() -> None:
    w = nn.Variable(np.zeros(2, "float32"))
    x = nn.placeholder("float32")
    session = nn.Session(backend="numpy")
    assert session.run(nn.assign(w, x), {x: [1, 2]}).tolist() == [1, 2]
    assert session.run(nn.assign_add(w, 1)).tolist() == [2, 3]
    assert session.run(nn.assign_sub(w, [1, 0])).tolist() == [1, 3]
    assert session.run(nn.assign(w, 7.0)).tolist() == [7, 7]
    with pytest.raises(TypeError, match="takes a variable first"):
        nn.assign(x, 1)


def test_all_of_a_run_sees_old_values() -> None:
    a, b = nn.Variable(1.0), nn.Variable(2.0)
    session = nn.Session(backend="numpy")
    swap = nn.group(nn.assign(a, b), nn.assign(b, a))
    assert session.run([swap, a, nn.no_op()]) == [None, 1.0, None]
    assert session.run((a, b)) == (2.0, 1.0)


def test_two_values_for_a_variable_are_an_error() -> None:
    a = nn.Variable(1.0)
    with pytest.raises(ValueError, match="in separate runs"):
        nn.Session().run([nn.assign(a, 2.0), nn.assign(a, 3.0)])
    assert a.get_value() == 1
    with pytest.raises(TypeError, match="group takes operations"):
        nn.group(a)


def test_initializer_resets_all_variables() -> None:
    with nn.Graph(seed=0).as_default(), nn.Session(backend="numpy") as session:
        x = nn.placeholder("float32", (None, 2))
        y = nn.dense(x, 3)
        w, calls = nn.Variable(1.0), []
        drawn = nn.Variable(lambda: calls.append(1) or float(len(calls)))
        kernel = y.parameters[0].get_value()
        optimizer = nn.SGD(0.5, momentum=0.9)
        train = optimizer.minimize(nn.reduce_mean(nn.square(y)) + w**2)
        for _ in range(2):
            session.run(train, {x: np.ones((4, 2))})
        assert w.get_value() != 1
        assert optimizer.step == 2
        assert session.run(nn.global_variables_initializer()) is None
        assert (w.get_value(), optimizer.step, drawn.get_value()) == (1, 0, 2)
        np.testing.assert_array_equal(y.parameters[0].get_value(), kernel)


@pytest.mark.parametrize("shape", [None, (None,)])
def test_gradients_of_sums(shape: Any) -> None:
    x = nn.placeholder("float64", shape)
    w = nn.Variable(3.0, dtype="float64")
    found = nn.gradients([x * w, x**2], [x, w])
    values = nn.Session(backend="numpy").run(found, {x: [1.0, 2.0]})
    np.testing.assert_allclose(values[0], [5.0, 7.0])
    np.testing.assert_allclose(values[1], 3.0)


@pytest.mark.parametrize("shape", [None, (None,)])
def test_minimize_steps_downhill(shape: Any) -> None:
    with nn.Graph().as_default(), nn.Session(backend="numpy") as session:
        x = nn.placeholder("float64", shape)
        w, fixed = nn.Variable(np.zeros(())), nn.Variable(1.0, trainable=False)
        loss = nn.reduce_mean((x - w) ** 2) * fixed
        train = nn.SGD(0.25).minimize(loss)
        losses = [session.run([loss, train], {x: [1.0, 3.0]})[0] for _ in range(30)]
    assert losses[0] == 5
    np.testing.assert_allclose(losses[-1], 1, rtol=1e-6)
    np.testing.assert_allclose(w.get_value(), 2, rtol=1e-6)
    assert fixed.get_value() == 1


def test_penalties_are_minimized_where_the_loss_contains_them() -> None:
    with nn.Graph().as_default(), nn.Session(backend="numpy") as session:
        x = nn.placeholder("float32", (None, 1))
        layer = nn.Dense(1, use_bias=False, kernel_initializer="ones", kernel_regularizer="l2")
        y = layer(x)
        data = nn.reduce_mean(y)
        alone, both = (nn.SGD(1.0).minimize(loss) for loss in (data, data + y.penalty))
        found = []
        for step in (alone, both):
            layer.kernel.set_value(np.ones((1, 1), "float32"))
            session.run(step, {x: [[0.25]]})
            found.append(layer.kernel.get_value().item())
    np.testing.assert_allclose(found, [0.75, 0.73], rtol=1e-6)


def test_minimize_of_some_variables() -> None:
    with nn.Graph().as_default(), nn.Session(backend="numpy") as session:
        a, b = nn.Variable(1.0), nn.Variable(1.0)
        session.run(nn.SGD(0.25).minimize((a * b) ** 2, [b]))
    assert (a.get_value(), b.get_value()) == (1, 0.5)


def test_minimize_says_what_is_wrong() -> None:
    with nn.Graph().as_default():
        w = nn.Variable([1.0, 2.0])
        with pytest.raises(ValueError, match="1 axes"):
            nn.SGD(0.1).minimize(w**2)
        with pytest.raises(ValueError, match="does not depend on a trainable variable"):
            nn.SGD(0.1).minimize(T.constant(1.0))


def test_training_uses_the_phase_of_training() -> None:
    with nn.Graph(seed=0).as_default(), nn.Session(backend="numpy") as session:
        x = nn.placeholder("float32", (None, 3))
        norm = nn.BatchNorm(momentum=0.5)
        y = nn.dense(nn.dropout(norm(x), 0.5), 1)
        loss = nn.reduce_mean(nn.square(y - 1.0))
        train = nn.SGD(0.01).minimize(loss)
        given = np.arange(12, dtype="float32").reshape(4, 3)
        before = session.run(loss, {x: given})
        assert session.run(loss, {x: given}) == before, "no dropout at test"
        assert norm.mean.get_value().tolist() == [0, 0, 0]
        session.run(train, {x: given})
        np.testing.assert_allclose(norm.mean.get_value(), given.mean(axis=0) / 2)
        a, b = (session.run(y, {x: given}, training=True) for _ in range(2))
        assert (a != b).any(), "dropout in training"
        np.testing.assert_allclose(norm.mean.get_value(), given.mean(axis=0) / 2)


def test_constraints_hold_after_a_step() -> None:
    with nn.Graph(seed=0).as_default(), nn.Session(backend="numpy") as session:
        x = nn.placeholder("float32", (None, 3))
        layer = nn.Dense(1, kernel_constraint="non_neg", kernel_initializer="zeros")
        session.run(nn.SGD(1.0).minimize(nn.reduce_mean(layer(x))), {x: np.ones((2, 3))})
    assert layer.kernel.get_value().tolist() == [[0], [0], [0]]
    assert layer.bias.get_value().tolist() == [-1]


def test_assignments_keep_shape_and_kind() -> None:
    w, count = nn.Variable(np.zeros(2, "float32"), "w"), nn.Variable(0, "count")
    session = nn.Session(backend="numpy")
    with pytest.raises(ValueError, match="can't have length"):
        session.run(nn.assign(w, np.ones(3, "float32")))
    with pytest.raises(TypeError, match=r"count is int32, but .* float64; use nn\.cast"):
        nn.assign(count, 1.7)
    assert (w.get_value().tolist(), count.get_value()) == ([0, 0], 0)


def test_cross_entropy_of_large_scores() -> None:
    scores = T.constant(np.array([[1e4, -1e4]], "float32"))
    session = nn.Session(backend="numpy")
    for labels in (np.array([1]), np.array([[0.0, 1.0]], "float32")):
        loss = nn.softmax_cross_entropy_with_logits(labels=labels, logits=scores)
        assert session.run(loss).tolist() == [20000]


def test_matrices_are_transposed() -> None:
    a, b = np.ones((2, 3), "float32"), np.arange(6, dtype="float32").reshape(2, 3)
    session = nn.Session(backend="numpy")
    assert session.run(nn.matmul(a, b, transpose_b=True)).tolist() == (a @ b.T).tolist()
    assert session.run(nn.matmul(a, b, transpose_a=True)).tolist() == (a.T @ b).tolist()


def test_one_variable_is_minimized() -> None:
    w = nn.Variable(1.0)
    nn.Session(backend="numpy").run(nn.SGD(0.25).minimize(w**2, var_list=w))
    assert w.get_value() == 0.5


def test_keywords_that_operations_do_not_take() -> None:
    with pytest.raises(TypeError, match=r"reduce_sum has no .*\n  hint: it is axis"):
        nn.reduce_sum(nn.placeholder("float32"), axes=1)
    with pytest.raises(TypeError, match="it is transpose_a"):
        nn.matmul(nn.Variable([[1.0]]), nn.Variable([[1.0]]), transpos_a=True)


@pytest.mark.parametrize("loss", [3, np.float32(3), "mse"])
def test_a_loss_that_is_no_array_is_not_minimized(loss: Any) -> None:
    with pytest.raises(TypeError, match="minimize: the loss must be a symbolic array, not"):
        nn.Adam().minimize(loss)
