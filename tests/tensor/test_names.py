"""The names of the tensor module: those of rows too, which are made functions when asked for."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.scalar import table
from symtheano.tensor.elemwise import Elemwise


@pytest.mark.parametrize("name", ["exp", "power", "matrix", "fmatrix", "dot", "nnet"])
def test_completion_knows_the_name(name: str) -> None:
    assert name in dir(T)


def test_a_star_import_brings_rows_and_constructors() -> None:
    names: dict[str, Any] = {}
    exec("from symtheano.tensor import *", names)
    assert names["exp"] is T.exp
    assert names["power"] is T.power
    assert names["fmatrix"] is T.fmatrix
    assert names["dot"] is T.dot


def test_every_public_name_is_there() -> None:
    assert all(hasattr(T, name) for name in T.__all__)


def test_a_row_is_one_function_under_all_its_names() -> None:
    assert isinstance(T.power, Elemwise)
    assert T.power is T.pow
    assert T.power.scalar_op is table.scalar_op("pow")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'exponential'"):
        T.exponential  # noqa: B018
