"""Choices: numbers by a switch, expensive work by a branch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.ifelse import ifelse

x = T.dvector("x")
W = T.dmatrix("W")
s, c = T.dscalar("s"), T.bscalar("c")
VECTOR, MATRIX = np.array([1.0, -2.0, 3.0]), np.arange(9.0).reshape(3, 3)


def names(f: Any) -> list[str]:
    return [str(node.op) for node in f.maker.fgraph.toposort()]


def is_branch(f: Any) -> bool:
    return any("IfElse" in name for name in names(f))


def test_branch_of_known_condition() -> None:
    f = function([W], ifelse(T.eq(T.zeros((3, 2)).shape[0], 3), W + 1, T.exp(W)))
    assert not is_branch(f)
    np.testing.assert_array_equal(f(MATRIX), MATRIX + 1)
    without = function(
        [W], ifelse(T.eq(T.zeros((3, 2)).shape[0], 3), W + 1, T.exp(W)),
        mode=symtheano.Mode().excluding("branch_of_known_condition"),
    )  # fmt: skip
    np.testing.assert_array_equal(without(MATRIX), MATRIX + 1)


def test_choose_numbers() -> None:
    f = function([c, s], ifelse(c, [T.exp(s), s], [s * 2, s + 1]))
    assert not is_branch(f)
    for flag in (0, 1):
        found = f(flag, 1.5)
        np.testing.assert_allclose(found, [np.exp(1.5), 1.5] if flag else [3, 2.5])


def test_much_work_on_numbers_remains_a_branch() -> None:
    made = s
    for _ in range(40):
        made = T.sin(T.exp(made))
    f = function([c, s], ifelse(c, made, s))
    assert is_branch(f)
    assert f(0, 1.5) == 1.5


@pytest.mark.parametrize("flag", [0, 1])
def test_branch_of_switch(flag: int) -> None:
    """The product is only computed if it is chosen; lengths are checked in any case."""
    for other, plain in [(x, VECTOR), (T.constant(0.0), np.zeros(3)), (T.exp(x), np.exp(VECTOR))]:
        f = function([c, W, x], T.switch(c, T.dot(W, x), other))
        assert is_branch(f)
        np.testing.assert_allclose(f(flag, MATRIX, VECTOR), MATRIX @ VECTOR if flag else plain)
        with pytest.raises(ShapeError):
            f(flag, MATRIX, VECTOR[:2])


@pytest.mark.parametrize("flag", [0, 1])
def test_decompositions(flag: int) -> None:
    f = function([c, W], T.switch(c, T.nlinalg.matrix_inverse(W + 10 * T.eye(3)), W.T))
    assert is_branch(f)
    wanted = np.linalg.inv(MATRIX + 10 * np.eye(3)) if flag else MATRIX.T
    np.testing.assert_allclose(f(flag, MATRIX), wanted)
    np.testing.assert_array_equal(f(0, MATRIX - np.inf), (MATRIX - np.inf).T)


def test_what_remains_a_switch() -> None:
    """Elementwise work, conditions with dims, and work that others need."""
    product = T.dot(W, x)
    for inputs, made in [
        ([c, x], T.switch(c, T.exp(x), x)),
        ([W, x], T.switch(x > 0, product, x)),
        ([c, W, x], T.switch(c, product, x) + product),
    ]:
        assert not is_branch(function(inputs, made))


def test_ops_of_users_run_as_before() -> None:
    ran: list[int] = []

    @symtheano.as_op([T.dvector], [T.dvector], infer_shape=lambda node, shapes: shapes)
    def noted(value: Any) -> Any:
        ran.append(1)
        return value

    f = function([c, W, x], T.switch(c, noted(T.dot(W, x)), x))
    f(0, MATRIX, VECTOR)
    assert ran
