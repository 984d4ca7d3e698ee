"""What is computed from placeholders of any shape is recorded, and computed as NumPy does."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano import nn
from symtheano.nn.session.deferred import Recorded, record

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "operators": lambda x: (2 - x) * x / (1 + x * x) - -x,
    "reflected": lambda x: (2**x) % 3 + 7 // (1 + x * x),
    "comparison": lambda x: (x > 0) & (x <= 2),
    "method": lambda x: x.sum(axis=-1) * x.mean(),
    "attribute": lambda x: x.T - 1,
    "slice": lambda x: x[..., 1:],
    "index by itself": lambda x: x[0] + x[-1],
    "ufunc": lambda x: np.exp(np.multiply(2.0, x)),
    "function": lambda x: np.concatenate([x, x], axis=0),
    "array at the left": lambda x: np.array([[1.0, 2.0, 3.0]], "float32") * x,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_recorded_is_what_numpy_computes(name: str) -> None:
    function = FUNCTIONS[name]
    x = nn.placeholder("float32")
    y = function(x)
    assert isinstance(y, Recorded)
    session = nn.Session(backend="numpy")
    for shape in ((3,), (2, 3), (2, 1, 3)):
        given = np.random.default_rng(0).normal(size=shape).astype("float32")
        np.testing.assert_allclose(
            session.run(y, {x: given}), function(given), rtol=2e-6, atol=1e-6
        )


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "matmul", "lt", "ge"])
def test_symbolic_array_at_the_left(name: str) -> None:
    function = getattr(operator, name)
    w = np.array([0.5, 2.0, 3.0], "float32")
    x = nn.placeholder("float32")
    y = function(nn.Variable(w), x)
    found = nn.Session(backend="numpy").run(y, {x: [1, 2, 3]})
    np.testing.assert_allclose(found, function(w, np.array([1, 2, 3], "float32")), rtol=1e-6)


def test_long_chains_need_no_recursion() -> None:
    x = nn.placeholder("float64")
    y = x
    for _ in range(3000):
        y = y + 1
    assert nn.Session(backend="numpy").run(y, {x: 0.5}) == 3000.5


def test_what_depends_on_the_rank_is_an_error() -> None:
    x = nn.placeholder("float32")
    with pytest.raises(AttributeError, match="give the placeholder a shape"):
        _ = x.ndim
    with pytest.raises(AttributeError, match="'summ'"):
        x.summ()
    with pytest.raises(TypeError, match="iterable"):
        list(x)
    with pytest.raises(TypeError, match=r"nn\.where"):
        bool(x > 0)
    with pytest.raises(TypeError, match="give placeholders a shape"):
        nn.dense(x, 2)


def test_record_calls_at_once_without_deferred_arguments() -> None:
    assert record(sorted, [3, 1]) == [1, 3]
    nested = record(lambda items, options: items[0] + options["k"], [nn.placeholder()], {"k": 1})
    assert isinstance(nested, Recorded)


def test_errors_name_the_line_that_was_recorded() -> None:
    x = nn.placeholder("float32")
    y = x.sum(axis=1)
    with pytest.raises(ValueError, match="axis") as error:
        nn.Session().run(y, {x: 1.0})
    notes = getattr(error.value, "__notes__", None)
    assert notes is None or "y = x.sum(axis=1)" in notes[0]


def test_expressions_that_do_not_depend_on_the_run_are_checked_at_once() -> None:
    v = nn.dense(nn.Input((3,)), 2)
    with pytest.raises(ValueError, match="reduce_mean: axis 9 is out of range"):
        nn.reduce_mean(v, axis=9)
    with pytest.raises(ValueError, match="axis 9"):
        nn.reduce_mean(nn.exp(v * 2.0), axis=9)
    with pytest.raises(IndexError):
        _ = v[0, 0, 0]
    for array in (v, nn.placeholder("float32"), nn.dropout(v)):
        with pytest.raises(TypeError, match="relu has no argument 'foo'"):
            nn.relu(array, foo=9)
    unknown = nn.reduce_mean(nn.placeholder("float32"), axis=9)  # may be fed with ten axes
    assert nn.Session().run(nn.reduce_mean(v * 0.0), {v: np.ones((4, 2))}) == 0
    assert "recorded reduce_mean" in repr(unknown)


def test_records_say_what_they_are() -> None:
    p, v = nn.placeholder("float32", name="p"), nn.dense(nn.Input((3,)), 2)
    for item, shown in {
        nn.softmax(p): "softmax",
        nn.reduce_sum(p): "reduce_sum",
        nn.abs(p): "abs",
        p + 1: "add",
        p.sum(): "sum",
        p.T: "T",
        np.exp(p): "exp",
        v.mean(axis=1): "mean, TensorType(float32, vector)",
        nn.losses.mean_squared_error(p, 0.0): "mean_squared_error",
    }.items():
        assert repr(item) == f"<recorded {shown}>"


def test_eval_computes_as_symbolic_arrays_do() -> None:
    x = nn.Input((3,), seed=0)
    y, ones = nn.dense(x, 2, kernel_initializer="ones"), np.ones((4, 3), "float32")
    assert_array_equal(y.eval({x: ones}), np.full((4, 2), 3))
    assert_array_equal(y.eval({x.test: ones}), np.full((4, 2), 3))
    assert_array_equal((y + 1.0).eval({x: ones}), np.full((4, 2), 4))
    assert_array_equal((y + 1.0).eval({y: np.zeros((1, 2), "float32")}), np.ones((1, 2)))
    p = nn.placeholder("float32")
    for value in (2.0, [1.0, 2.0]):
        assert_array_equal((p * 2).eval({p: np.asarray(value, "float32")}), 2 * np.asarray(value))
    with pytest.raises(ValueError, match="no value was fed for 'placeholder"):
        (p * 2).eval()
    for item in (nn.dropout(x), nn.dropout(x) + 1.0):
        with pytest.raises(TypeError, match="different expressions in training and at test"):
            item.eval({x: ones})
