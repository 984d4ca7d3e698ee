"""Elementwise functions have the signatures with which they can be called."""

from __future__ import annotations

import inspect

import pytest

import symtheano.tensor as T
from symtheano.scalar.table import TABLE
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.row_signature import signature_of


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tanh", "(a: 'TensorLike', /, *, name: 'str | None' = None) -> 'Tensor'"),
        ("add", "(a: 'TensorLike', /, *more: 'TensorLike', name: 'str | None' = None) -> 'Tensor'"),
        (
            "arctan2",
            "(a: 'TensorLike', b: 'TensorLike', /, *, name: 'str | None' = None) -> 'Tensor'",
        ),
    ],
)
def test_functions_have_the_signature_of_their_row(name: str, text: str) -> None:
    assert str(inspect.signature(getattr(T, name))) == text


def test_the_class_has_its_own_signature() -> None:
    assert list(inspect.signature(Elemwise).parameters) == ["scalar_op"]
    assert not hasattr(Elemwise, "__signature__")


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("count", range(6))
def test_a_call_fits_the_signature_if_the_op_takes_it(name: str, count: int) -> None:
    row = TABLE[name]
    operands = [1] * count
    try:
        signature_of(row).bind(*operands)
    except TypeError:
        with pytest.raises(TypeError, match=r"takes \d operands?, got"):
            getattr(T, name)(*operands)
    else:
        getattr(T, name)(*operands, name="y")
