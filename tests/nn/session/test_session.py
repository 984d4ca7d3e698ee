"""Sessions: fetches, feeds, errors, and what is compiled."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import symtheano
from symtheano import nn
from symtheano.nn.session import session as module


def test_axes_are_those_of_what_is_fed() -> None:
    x = nn.placeholder("float32")
    session = nn.Session(backend="numpy")
    for value in (1.0, [1, 2, 3], np.ones((2, 2)), np.zeros((0, 3))):
        found = session.run(x * 2, {x: value})
        np.testing.assert_array_equal(found, np.asarray(value) * 2)
        assert found.dtype == "float32"


@pytest.mark.parametrize("backend", ["c", "numpy"])
def test_fetches_of_any_nesting(backend: str) -> None:
    Pair = namedtuple("Pair", "first second")
    with nn.Graph(seed=0).as_default(), nn.Session(backend=backend) as session:
        x = nn.placeholder("float32", (None, 2), "x")
        w = nn.Variable([1.0, 2.0], "w")
        value = nn.dense(x, 1, kernel_initializer="ones")
        feed = {x: [[1, 2]]}
        found = session.run({"a": [x, (w, "w")], "b": Pair(value, nn.no_op()), "c": []}, feed)
        assert found["a"][0].tolist() == [[1, 2]]
        assert type(found["a"][1]) is tuple
        assert found["a"][1][1].tolist() == [1, 2]
        assert (found["b"].first.tolist(), found["b"].second) == ([[3]], None)
        assert found["c"] == []
        assert session.run([]) == []
        assert session.run(x[0] @ w, feed) == 5


def test_results_are_the_users() -> None:
    w = nn.Variable([1.0, 2.0])
    session = nn.Session(backend="numpy")
    session.run(w)[:] = 7
    assert session.run(w).tolist() == [1, 2]


def test_any_array_can_be_fed() -> None:
    with nn.Graph(seed=0).as_default(), nn.Session(backend="numpy") as session:
        x = nn.placeholder("float32", (None, 2), "x")
        w = nn.Variable(3.0)
        hidden = x.sum(axis=1)
        y = hidden * w
        assert session.run(y, {hidden: [1, 2]}).tolist() == [3, 6]
        assert session.run(y, {x: [[1, 1]], w: 5}).tolist() == [10]
        assert w.get_value() == 3
        z = nn.placeholder("float32")
        double = z * 2
        assert session.run(double + 1, {double: [1.0, 2.0]}).tolist() == [2, 3]
        value = nn.dropout(nn.dense(x, 2), 0.5)
        top = nn.dense(value, 1, kernel_initializer="ones")
        for training in (False, True):
            assert session.run(top, {value: [[1, 2]]}, training=training).tolist() == [[3]]


def test_what_was_not_fed_is_named() -> None:
    a = nn.placeholder("float32", (None, 2), "features")
    b = nn.placeholder("int32", name="labels")
    w = nn.Variable(0.0)
    session = nn.Session()
    with pytest.raises(
        ValueError, match=r"(?s)no value was fed for 'features.*\(None, 2\).*a = nn"
    ):
        session.run(nn.assign(w, a.sum()))
    with pytest.raises(ValueError, match=r"(?s)no value was fed for 'labels.*b = nn.placeholder"):
        session.run([a * 2, b + 1], {a: [[1, 2]]})
    assert w.get_value() == 0


@pytest.mark.parametrize(
    ("dtype", "shape", "value", "text"),
    [
        ("float32", (None, 2), [1, 2], r"takes arrays of shape \(None, 2\), not \(2,\)"),
        ("float32", (None, 2), np.ones((2, 3)), r"not \(2, 3\)"),
        ("int32", None, 1.5, "takes int32, not float64"),
        ("float32", None, ["a"], "takes numbers"),
        ("float32", None, 1j, "takes float32, not complex128"),
        ("bool", None, 2, "takes bool, not int64"),
    ],
)
def test_what_does_not_fit_is_an_error_and_changes_nothing(
    dtype: str, shape: Any, value: Any, text: str
) -> None:
    x = nn.placeholder(dtype, shape, "given")
    w = nn.Variable(0.0)
    step = nn.assign_add(w, nn.cast(nn.reduce_sum(x), "float32"))
    with pytest.raises(ValueError, match=rf"(?s)'given.*{text}.*x = nn\.placeholder"):
        nn.Session().run(step, {x: value})
    assert w.get_value() == 0


def test_an_error_in_the_run_changes_nothing() -> None:
    x, y = nn.placeholder("float32", (None,)), nn.placeholder("float32", (None,))
    w = nn.Variable(0.0)
    with pytest.raises(ValueError, match="add"):
        nn.Session(backend="numpy").run([nn.assign_add(w, 1), x + y], {x: [1, 2], y: [1, 2, 3]})
    assert w.get_value() == 0


def test_what_cannot_be_fetched_or_fed_is_an_error() -> None:
    session = nn.Session()
    with pytest.raises(TypeError, match="fetches must be arrays"):
        session.run([3])
    with pytest.raises(TypeError, match="feed_dict: the keys must be arrays"):
        session.run([], {3: 3})
    with pytest.raises(ValueError, match="backend"):
        nn.Session(backend="fortran")


def test_equal_runs_compile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    real = symtheano.function

    def function(*args: Any, **options: Any) -> Any:
        compiled.append(1)
        return real(*args, **options)

    monkeypatch.setattr(module.symtheano, "function", function)
    x = nn.placeholder("float32")
    y = x * 2
    session = nn.Session(backend="numpy")
    for value, count in ((1.0, 1), (2, 1), ([1], 2), (np.ones(3), 2), (3.0, 2)):
        session.run(y, {x: value})
        assert len(compiled) == count
    session.run([y], {x: 1.0})
    assert len(compiled) == 3
    session.run([y], {x: 1.0}, training=True)
    assert len(compiled) == 4


def test_sessions_of_a_graph_share_variables() -> None:
    w = nn.Variable(1.0)
    one, two = nn.Session(backend="numpy"), nn.Session(backend="numpy")
    one.run(nn.assign_add(w, 1))
    assert two.run(w) == 2


def test_logistic_regression() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(200, 2)).astype("float32")
    labels = (points @ [2.0, -1.0] > 0).astype("int32")
    with nn.Graph(seed=0).as_default(), nn.Session() as session:
        x, y = nn.placeholder("float32", (None, 2)), nn.placeholder("int32", (None,))
        w, b = nn.Variable(np.zeros((2, 2), "float32")), nn.Variable([0.0, 0.0])
        scores = nn.matmul(x, w) + b
        loss = nn.reduce_mean(nn.sparse_softmax_cross_entropy_with_logits(y, scores))
        train = nn.SGD(1.0).minimize(loss)
        feed = {x: points, y: labels}
        losses = [session.run([loss, train], feed)[0] for _ in range(100)]
        right = nn.equal(nn.argmax(scores, 1), y)
        accuracy = session.run(nn.reduce_mean(nn.cast(right, "float32")), feed)
    np.testing.assert_allclose(losses[0], np.log(2), rtol=1e-6)
    assert losses[-1] < 0.15
    assert accuracy > 0.97


def test_integers_are_not_wrapped() -> None:
    k = nn.placeholder("int32", name="k")
    session = nn.Session(backend="numpy")
    assert session.run(k + 1, {k: np.array([3], "int64")}).tolist() == [4]
    with pytest.raises(ValueError, match="out of its range"):
        session.run(k + 1, {k: [2**40]})
    with pytest.raises(ValueError, match="too large for int32; pass dtype='int64'"):
        nn.Variable(2**40)


def test_what_is_no_graph_array_or_dict_is_named() -> None:
    x = nn.placeholder("float32")
    session = nn.Session(backend="numpy")
    for fetches in (np.ones(2), {x}, 3.0, [np.ones(2)]):
        with pytest.raises(TypeError, match="fetches must be arrays of the graph"):
            session.run(fetches, {x: 1.0})
    with pytest.raises(TypeError, match="feed_dict must be a dict"):
        session.run(x, [(x, 1.0)])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="was fed a value that is not an array"):
        session.run(x, {x: [[1, 2], [3]]})
    with pytest.raises(TypeError, match="takes a graph"):
        nn.Session("graph")  # type: ignore[arg-type]
    for item in (x, nn.Input((3,))):
        with pytest.raises(TypeError, match=r"use nn\.where"):
            bool(item)


def test_a_session_shows_its_back_end_and_functions() -> None:
    with nn.Graph().as_default():
        session = nn.Session(backend="numpy")
        assert repr(session) == "<session, backend numpy, 0 functions>"
        session.run(nn.Variable(1.0))
        assert repr(session) == "<session, backend numpy, 1 functions>"
        session.close()
        assert repr(session) == "<session, backend numpy, closed>"
