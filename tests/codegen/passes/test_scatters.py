"""Scatters into one array, one after the other, become one loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.lower import write
from symtheano.codegen.passes.scatters import scatters
from symtheano.codegen.processors import CPU
from symtheano.gradient import grad
from symtheano.loopir import For, Load
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from tests.support.naive_programs import program_context

c, w = T.dvectors("c", "w")
m = T.dmatrix("m")
i, k = T.lvectors("i", "k")


def scatters_of(inputs: list[Any], output: Any) -> list[For]:
    """Return the loops in order of a function's program after the pass."""
    stages = function(inputs, output, mode="INTERPRET", on_unused_input="ignore").stages
    _, _, naive = write(stages.final, wishes=stages.request.wishes)
    program = scatters(naive, CPU, program_context())
    verify(program)
    return [s for s in walk(program.body) if isinstance(s, For) and s.kind == "serial"]


def several(x: Any, i: Any, *values: Any, step: Callable[..., Any] = T.inc_subtensor) -> Any:
    for places, value in enumerate(values):
        x = step(x[i + places], value)
    return x


def interpolated(c: Any, i: Any, w: Any) -> Any:
    return (((1 - w) * c[i] + w * c[i + 1]) ** 2).sum()


@pytest.mark.parametrize(
    ("inputs", "output", "count"),
    [
        ([c, i, w], several(T.zeros_like(c), i, w, 2 * w, w * w), 1),
        ([c, i, w], grad(interpolated(c, i, w), c), 1),
        ([c, i, k, w], T.inc_subtensor(T.inc_subtensor(c[i], w)[k], w), 2),  # other lengths
        ([c, i, w], several(c, i, w, 2 * w, step=T.set_subtensor), 2),
        ([m, i], several(T.zeros_like(m), i, m, 2 * m), 1),
        ([c, i, w], several(T.zeros_like(c), i, *[w * n for n in range(9)]), 2),
    ],
)
def test_loops(inputs: list[Any], output: Any, count: int) -> None:
    assert len(scatters_of(inputs, output)) == count


def test_moved_indices_are_not_stored() -> None:
    (loop,) = scatters_of([c, i, w], several(T.zeros_like(c), i, w, w, w))
    loads = {s.buffer.name for s in walk(loop.body) if isinstance(s, Load)}
    assert len(loads) == 3  # the indices, the values and the result


def test_values() -> None:
    indices = np.random.default_rng(0).integers(-4, 3, 50)
    weights = np.random.default_rng(1).normal(size=50)
    at = np.arange(7.0)
    f = function([c, i, w], several(c, i, w, 2 * w, w * w, w))
    expected = at.copy()
    for places, value in enumerate([weights, 2 * weights, weights * weights, weights]):
        np.add.at(expected, indices + places, value)
    assert_allclose(f(at, indices, weights), expected, rtol=1e-12)
    for wrong in (-8, 4):
        with pytest.raises(IndexError, match=r"out of bounds|outside"):
            f(at, np.array([wrong, 0]), weights[:2])
    assert_array_equal(f(at, indices[:0], weights[:0]), at)


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint16", "int64"])
def test_moved_indices_of_all_dtypes(dtype: str) -> None:
    j = T.vector("j", dtype=dtype)
    f = function([c, j, w], [several(c, j, w, w), c[j + 1]])
    at, indices = np.arange(9.0), np.array([0, 5, 5, 7], dtype)
    expected = at.copy()
    for places in (0, 1):
        np.add.at(expected, indices + places, [1.0, 2.0, 3.0, 4.0])
    result, part = f(at, indices, np.array([1.0, 2.0, 3.0, 4.0]))
    assert_array_equal(result, expected)
    assert_array_equal(part, at[indices + 1])


def test_indices_that_change_themselves() -> None:
    x = T.lvector("x")
    f = function([x], T.inc_subtensor(T.inc_subtensor((2 * x)[2 * x + 1], 5)[2 * x], 1))
    at = np.array([0, 1, 2, 0, 1, 1, 0])
    expected = 2 * at
    np.add.at(expected, 2 * at + 1, 5)
    np.add.at(expected, 2 * at, 1)
    assert_array_equal(f(at), expected)
    y = 2 * x
    g = function([x], T.set_subtensor(y[y + 1], -1))
    expected = 2 * at
    expected[2 * at + 1] = -1
    assert_array_equal(g(at), expected)


def test_rows_and_two_indices() -> None:
    random = np.random.default_rng(2)
    at, rows, columns = (
        random.normal(size=(6, 4)),
        random.integers(0, 5, 9),
        random.integers(-4, 3, 9),
    )

    def gathered(m: Any, i: Any, k: Any) -> Any:
        return m[i, k] * 2 - m[i + 1, k] + m[i, k + 1] * m[i + 1, k + 1]

    f = function([m, i, k], [gathered(m, i, k), grad(gathered(m, i, k).sum(), m)])
    value, slope = f(at, rows, columns)
    assert_allclose(value, gathered(at, rows, columns), rtol=1e-12)
    for place in np.ndindex(6, 4):
        step = np.zeros((6, 4))
        step[place] = 1e-6
        ends = [gathered(at + s * step, rows, columns).sum() for s in (1, -1)]
        assert_allclose(slope[place], (ends[0] - ends[1]) / 2e-6, atol=1e-6)
