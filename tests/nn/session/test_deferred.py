"""What is computed from placeholders of any shape is recorded, and computed as NumPy does."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

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
