"""Values of expressions that are known before they are computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import EmptyConstantError, NotScalarConstantError
from symtheano.tensor.constant_values import (
    default,
    extract_constant,
    get_scalar_constant_value,
    get_vector_length,
    is_flat,
    setdefault,
)


def test_numbers_that_are_known() -> None:
    x = T.matrix("x")
    fixed = T.specify_shape(x, (3, None))
    known: list[tuple[Any, float]] = [
        (T.constant(5), 5), (2.5, 2.5), (np.float32(2), 2), (np.full((2, 3), 7), 7),
        (T.zeros((2, x.shape[0])), 0), (T.constant(5).dimshuffle("x", "x"), 5),
        (T.fill(x, 3.0), 3), (T.zeros((4, 2)).shape[0], 4), (fixed.shape[0], 3),
        (T.constant(2) * 3 + 1, 7), (T.stack([T.constant(1), T.constant(8)])[1], 8),
        (T.as_tensor_variable([x.shape[0], 6])[-1], 6), (T.cast(T.constant(2.7), "int32"), 2),
        (T.concatenate([fixed.shape, T.constant([9])])[2], 9),
        (T.constant([4, 6])[1], 6), ((T.constant([4, 6]) * 2 + 1)[-1], 13),
        (T.constant([4, 6, 8])[1:][1], 8), (T.constant([4, 6, 8])[::-1][0], 8),
        (T.as_tensor_variable([x.shape[0], 6, 7])[1:][0], 6),
        ((T.zeros((8, 5)).shape // 2)[0], 4), ((T.constant([4, 6]) + T.constant([1]))[1], 7),
    ]  # fmt: skip
    for expression, number in known:
        found = get_scalar_constant_value(expression)
        assert isinstance(found, np.ndarray)
        assert found.shape == ()
        assert found == number


def test_numbers_that_are_not_known() -> None:
    x = T.matrix("x")
    for expression in (
        x, x.shape[0], T.constant([1, 2]), T.constant(1) + x[0, 0], T.arange(3),
        T.as_tensor_variable([x.shape[0], 6])[0], (x.shape * 2)[0], x.shape[1:][0], x[0][0],
        T.as_tensor_variable([1, 2])[T.lscalar("i")],
    ):  # fmt: skip
        with pytest.raises(NotScalarConstantError, match="not known to be a single number"):
            get_scalar_constant_value(expression)
        assert extract_constant(expression) is expression
    with pytest.raises(EmptyConstantError, match="has no elements"):
        get_scalar_constant_value(T.constant(np.zeros((0, 3))))


def test_how_far_to_look() -> None:
    y = T.constant(2) + T.constant(3)
    with pytest.raises(NotScalarConstantError):
        get_scalar_constant_value(y, elemwise=False)
    with pytest.raises(NotScalarConstantError):
        get_scalar_constant_value((T.constant([1, 2]) * 2)[1], elemwise=False)
    with pytest.raises(NotScalarConstantError):
        get_scalar_constant_value(y, only_process_constants=True)
    with pytest.raises(NotScalarConstantError):
        get_scalar_constant_value(T.exp(T.exp(y)), max_recur=2)
    assert get_scalar_constant_value(T.constant(4), only_process_constants=True) == 4
    assert extract_constant(y) == 5


def test_lengths_dims_and_defaults() -> None:
    assert get_vector_length(T.tensor3("x").shape) == 3
    assert get_vector_length(T.stack([T.scalar("a"), T.scalar("b")])) == 2
    assert get_vector_length([1, 2, 3]) == 3
    with pytest.raises(ValueError, match="the length is not known"):
        get_vector_length(T.vector("v"))
    with pytest.raises(TypeError, match="takes a vector, got 2 dims"):
        get_vector_length(T.matrix("x"))
    assert is_flat(T.vector("v"))
    assert is_flat(T.matrix("x"), 2)
    assert not is_flat(T.matrix("x"), outdim=1)
    v = T.vector("v")
    assert default(v, 3) is v
    assert int(setdefault(None, 3).eval()) == 3
