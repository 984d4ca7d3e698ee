"""Functions by TensorFlow's names."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.session import elementwise, functions

FUNCTIONS = {
    name: value
    for module in (elementwise, functions)
    for name, value in vars(module).items()
    if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
}

X = np.array([[0.5, -2.0, 3.0], [1.0, 0.25, -0.5]], "float32")
LABELS = np.array([2, 0], "int32")


def log_softmax(x: Any) -> Any:
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


EXPECTED: dict[str, tuple[tuple[Any, ...], Any]] = {
    "add": ((X,), X + X),
    "cumsum": ((1,), X.cumsum(1)),
    "greater_equal": ((0.25,), X >= 0.25),
    "less_equal": ((0.25,), X <= 0.25),
    "log_softmax": ((), log_softmax(X)),
    "mod": ((2,), X % 2),
    "reduce_logsumexp": ((1,), np.log(np.exp(X).sum(1))),
    "rsqrt": ((), 1 / np.sqrt(np.abs(X))),
    "tile": (((2, 1),), np.tile(X, (2, 1))),
    "argmax": ((1,), X.argmax(1)),
    "argmin": ((1,), X.argmin(1)),
    "cast": (("int32",), X.astype("int32")),
    "clip_by_value": ((-1, 1), X.clip(-1, 1)),
    "divide": ((X + 4,), X / (X + 4)),
    "equal": ((X.T.T,), X == X),
    "expand_dims": ((0,), X[np.newaxis]),
    "gather": (([1, 1],), X[[1, 1]]),
    "greater": ((0,), X > 0),
    "less": ((0,), X < 0),
    "matmul": ((X.T,), X @ X.T),
    "maximum": ((0,), np.maximum(X, 0)),
    "minimum": ((0,), np.minimum(X, 0)),
    "multiply": ((X,), X * X),
    "not_equal": ((0.5,), X != 0.5),
    "pow": ((2,), X**2),
    "reduce_all": ((1,), X.all(1)),
    "reduce_any": ((), X.any()),
    "reduce_max": (([0, 1],), X.max()),
    "reduce_mean": ((0, True), X.mean(0, keepdims=True)),
    "reduce_min": ((-1,), X.min(-1)),
    "reduce_prod": ((), X.prod()),
    "reduce_sum": ((0,), X.sum(0)),
    "relu": ((), X * (X > 0)),
    "sigmoid": ((), 1 / (1 + np.exp(-X))),
    "softmax": ((), np.exp(log_softmax(X))),
    "softplus": ((), np.log1p(np.exp(X))),
    "subtract": ((1,), X - 1),
    "tensordot": ((X, 2), (X * X).sum()),
    "transpose": ((), X.T),
}


# Those whose first argument is no array of floats have a test below.
OTHERS = {
    "concat",
    "logical_and",
    "logical_not",
    "logical_or",
    "one_hot",
    "squeeze",
    "stack",
    "stop_gradient",
    "where",
} | {name for name in FUNCTIONS if "cross_entropy" in name}


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - OTHERS))
def test_functions_are_those_of_numpy(name: str) -> None:
    given = np.abs(X) if name in ("log", "rsqrt", "sqrt") else X
    args, expected = EXPECTED.get(name, ((), None))
    if expected is None:
        expected = getattr(np, name)(given)
    session, function = nn.Session(backend="numpy"), getattr(nn, name)
    for shape in (None, (None, 3)):
        x = nn.placeholder("float32", shape)
        found = session.run(function(x, *args), {x: given})
        np.testing.assert_allclose(found, expected, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("shape", [None, (None, 3)])
def test_functions_with_other_arguments(shape: Any) -> None:
    session, x = nn.Session(backend="numpy"), nn.placeholder("float32", shape)
    labels = nn.placeholder("int32", None if shape is None else (None,))
    feed = {x: X, labels: LABELS}
    cases = [
        (nn.concat([x, x], 1), np.concatenate([X, X], 1)),
        (nn.stack([x, x]), np.stack([X, X])),
        (nn.logical_and(x > 0, x < 1), (X > 0) & (X < 1)),
        (nn.logical_or(x > 1, nn.logical_not(x > 0)), (X > 1) | ~(X > 0)),
        (nn.where(x > 0, x, 0.0), np.where(X > 0, X, 0)),
        (nn.squeeze(nn.expand_dims(x, 1), 1), X),
        (nn.one_hot(labels, 3), np.eye(3)[LABELS]),
        (nn.gradients(nn.stop_gradient(x) * x, [x])[0], X),
        (nn.sigmoid_cross_entropy_with_logits(labels=1.0, logits=x), np.log1p(np.exp(-X))),
        (
            nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x),
            -log_softmax(X)[[0, 1], LABELS],
        ),
        (
            nn.softmax_cross_entropy_with_logits(labels=nn.one_hot(labels, 3), logits=x),
            -log_softmax(X)[[0, 1], LABELS],
        ),
    ]
    for found, expected in cases:
        np.testing.assert_allclose(session.run(found, feed), expected, rtol=2e-6, atol=1e-6)


def test_every_function_is_a_name_of_the_package() -> None:
    assert {name: getattr(nn, name) for name in FUNCTIONS} == FUNCTIONS
    assert set(FUNCTIONS) <= set(nn.__all__)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_help_shows_arguments_and_a_sentence(name: str) -> None:
    parameters = inspect.signature(getattr(nn, name)).parameters
    assert not {"args", "options"} & set(parameters)
    if name.startswith("reduce_"):
        assert list(parameters) == ["x", "axis", "keepdims"]
    summary = (getattr(nn, name).__doc__ or "").partition("\n")[0]
    assert summary.startswith("Return ")
    assert summary.endswith(".")


def test_wrong_arguments_are_those_of_the_function() -> None:
    with pytest.raises(TypeError, match="reduce_sum has no argument 'axes'"):
        nn.reduce_sum(X, axes=1)  # type: ignore[call-arg]


def test_names_of_results() -> None:
    assert nn.exp(T.dvector(), name="e").name == "e"
    assert nn.clip_by_value(X, clip_value_min=0, clip_value_max=1).eval().max() == 1
