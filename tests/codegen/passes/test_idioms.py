"""Kernels that copy an array, or fill it with zeros, become calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.loopir import Call, Kernel
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from symtheano.tensor.type import TensorType

X, Y, V, N = T.dmatrix("x"), T.fmatrix("y"), T.dvector("v"), T.lscalar("n")
SMALL = TensorType("float64", (6,))("s")


def calls(outputs: Any) -> tuple[list[str], int]:
    """Return the routines that a program calls, and how many kernels it has."""
    made = function([X, Y, V, N, SMALL], outputs, mode="INTERPRET", on_unused_input="ignore")
    program = made.lowered.program
    verify(program)
    every = [s for f in (program, *program.functions) for s in walk(f.body)]
    kernels = [f for f in program.functions if not f.range]
    assert not any(isinstance(s, Kernel) for s in every)
    return [s.routine.name for s in every if isinstance(s, Call)], len(kernels)


@pytest.mark.parametrize(
    ("output", "routine"),
    [
        (T.zeros((N, 4)), "zero"),
        (T.zeros_like(X), "zero"),
        (T.zeros((N,), dtype="int8"), "zero"),
        (T.zeros((N,), dtype="complex64"), "zero"),
        (X.copy(), "copy"),
        (X[1:].copy(), "copy"),
        (T.concatenate([V, V]), "copy"),
    ],
)
def test_calls(output: Any, routine: str) -> None:
    routines, kernels = calls(output)
    assert set(routines) == {routine}
    assert kernels == 0


@pytest.mark.parametrize(
    "output",
    [
        T.ones((N,)),
        T.alloc(-0.0, N),
        X.T.copy(),
        X[:, 1:].copy(),
        X[::-1].copy(),
        V[::2].copy(),
        T.cast(Y, "float64"),
        T.alloc(V, N, V.shape[0]),
        X + 0.5,
    ],
)
def test_other_kernels_stay(output: Any) -> None:
    routines, kernels = calls(output)
    assert (routines, kernels) == ([], 1)


def test_small_kernels_become_statements() -> None:
    assert calls([T.zeros((6,)), SMALL.copy()]) == ([], 0)


@pytest.mark.needs_cc
def test_states_that_are_copied() -> None:
    """Also where a state begins with zeros, and is another one's value in the next iteration."""

    def step(row: Any, a: Any, b: Any) -> Any:
        return b, a + row

    first, second = scan(step, X, [T.zeros_like(X[0]), X[0]])[0]
    given = np.arange(12.0).reshape(4, 3)
    results = function([X], [first, second])(given)
    a, b = np.zeros(3), given[0]
    for k, row in enumerate(given):
        a, b = b, a + row
        np.testing.assert_array_equal(results[0][k], a)
        np.testing.assert_array_equal(results[1][k], b)


@pytest.mark.needs_cc
def test_empty_and_large_arrays() -> None:
    f = function([X, N], [T.zeros((N, 3)), X[1:].copy()])
    for rows in (1, 2, 200_000):
        given = np.random.default_rng(rows).normal(size=(rows, 3))
        zeros, copied = f(given, rows - 1)
        np.testing.assert_array_equal(zeros, np.zeros((rows - 1, 3)))
        np.testing.assert_array_equal(copied, given[1:])
        assert not np.shares_memory(copied, given)
