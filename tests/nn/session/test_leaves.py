"""Placeholders and variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn


@pytest.mark.parametrize(
    ("initial", "dtype"),
    [
        (1.5, "float32"),
        (2, "int32"),
        (True, "bool"),
        ([[1.0, 2.0]], "float32"),
        (np.ones(2), "float64"),
        (np.float16(1), "float16"),
        (T.zeros((2, 3), dtype="float64"), "float64"),
        (lambda: np.arange(3, dtype="int8"), "int8"),
    ],
)
def test_variables_have_initial_values(initial: Any, dtype: str) -> None:
    w = nn.Variable(initial)
    assert w.dtype == dtype
    assert nn.Session(backend="numpy").run(w).dtype == dtype


def test_dtype_of_a_variable_can_be_given() -> None:
    assert nn.Variable([1, 2], dtype="float64").get_value().tolist() == [1.0, 2.0]
    assert nn.Variable(1, dtype=np.float32).dtype == "float32"
    with pytest.raises(TypeError, match="must consist of numbers"):
        nn.Variable("one")


def test_a_variable_does_not_share_memory_with_its_array() -> None:
    array = np.ones(2)
    w = nn.Variable(array)
    array[:] = 5
    assert w.get_value().tolist() == [1, 1]


def test_only_trainable_variables_are_trained() -> None:
    with nn.Graph().as_default():
        w = nn.Variable(1.0)
        fixed = nn.Variable(1.0, trainable=False)
        assert nn.trainable_variables() == [w]
        assert nn.global_variables() == [w, fixed]


def test_placeholders_have_the_shape_and_dtype_that_is_asked_for() -> None:
    x = nn.placeholder(np.int32, [None, 4])
    assert (x.dtype, x.type.shape) == ("int32", (None, 4))
    assert nn.placeholder(float, 3).type.shape == (3,)
    assert repr(nn.placeholder(name="any")).startswith("<placeholder 'any")


def test_what_is_no_dtype_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"dtype comes first.*placeholder\(.float32., \(None, 3"):
        nn.placeholder((None, 3))
    for given in ("x", None, dict, "U3"):
        with pytest.raises(TypeError, match=r"the dtype must be one such as .float32., not"):
            nn.placeholder(given)
    assert nn.placeholder(np.float64, 3).dtype == "float64"
