"""Python's operators on symbolic arrays and other operands."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.operators import is_operand

BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge"]
DATA = np.array([[1.0, -2.0, 3.5], [4.0, 0.5, -6.0]])


@pytest.mark.parametrize("name", BINARY)
def test_both_orders_of_operands(name: str) -> None:
    f, x = getattr(operator, name), T.matrix("x")
    outputs = [f(x, 2.0), f(2.0, x), f(x, [1.0, 2.0, 3.0]), f(np.ones(3), x)]
    wanted = [f(DATA, 2.0), f(2.0, DATA), f(DATA, [1.0, 2.0, 3.0]), f(np.ones(3), DATA)]
    with np.errstate(all="ignore"):
        for found, want in zip(function([x], outputs, mode="INTERPRET")(DATA), wanted, strict=True):
            assert_array_equal(found, want)


@pytest.mark.parametrize("name", ["neg", "pos", "abs"])
def test_one_operand(name: str) -> None:
    f, x = getattr(operator, name), T.matrix("x")
    assert_array_equal(f(x).eval({x: DATA}), f(DATA))


@pytest.mark.parametrize("name", ["and_", "or_", "xor", "invert"])
def test_bits(name: str) -> None:
    f, x = getattr(operator, name), T.lvector("x")
    others = [] if name == "invert" else [np.array([3, 5, -1])]
    data = np.array([1, -2, 12])
    assert_array_equal(f(x, *others).eval({x: data}), f(data, *others))


def test_products() -> None:
    x = T.matrix("x")
    assert_array_equal((x @ DATA.T).eval({x: DATA}), DATA @ DATA.T)
    assert_array_equal((DATA.T @ x).eval({x: DATA}), DATA.T @ DATA)


@pytest.mark.parametrize("convert", [bool, int, float, iter, list, np.asarray])
def test_values_are_not_known_when_the_graph_is_built(convert: Any) -> None:
    with pytest.raises(TypeError):
        convert(T.scalar("x"))


def test_what_an_operand_is() -> None:
    assert all(map(is_operand, [1, 1.5, 1j, True, np.float32(1), np.ones(2), [1], T.scalar()]))
    assert not any(map(is_operand, ["1", None, {}, object()]))
