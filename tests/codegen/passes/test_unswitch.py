"""Loops that correct negative indices have a second form, which does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.unswitch import unswitch
from symtheano.codegen.processors import CPU
from symtheano.gradient import grad
from symtheano.loopir import If, Let
from symtheano.loopir.names import walk
from tests.codegen.passes.kernels import kernels_of
from tests.support.compare import Array

c, w = T.dvectors("c", "w")
m = T.dmatrix("m")
i = T.lvector("i")
short = T.ivector("short")


def test_one_of_two_loops_has_no_corrections() -> None:
    kernels, names = kernels_of("corrected")
    after = run_passes(kernels[-1], names, [unswitch], CPU)
    (choice,) = after.body
    assert isinstance(choice, If)
    assert choice.rare
    operations = [
        [s.op for s in walk(loops) if isinstance(s, Let)]
        for loops in (choice.then, choice.otherwise)
    ]
    assert sorted(operations[0]) == ["add", "lt", "switch"]
    assert operations[1] == []


@pytest.mark.parametrize("name", ["gather", "chosen", "labels", "rows"])
def test_loops_without_flags_stay(name: str) -> None:
    kernels, names = kernels_of(name)
    for kernel in kernels:
        assert run_passes(kernel, names, [unswitch], CPU) == kernel


def choices(output: Any, inputs: list[Any]) -> int:
    """Return how many pairs of loops a function has, one of each for each sign of the indices."""
    program = function(inputs, output, mode="INTERPRET").lowered.program
    return sum(
        isinstance(s, If) and getattr(s.condition, "name", "").startswith("any_negative")
        for s in program.statements()
    )


def test_loops_that_correct_many_indices_have_two_forms() -> None:
    assert choices(c[i] * c[i + 1], [c, i]) == 1
    assert choices(T.inc_subtensor(T.inc_subtensor(c[i], w)[i + 1], w), [c, i, w]) == 1
    assert choices(T.inc_subtensor(c[i], w), [c, i, w]) == 0
    assert choices(m[i] * 2, [m, i]) == 0


def interpolated(c: Any, i: Any, w: Any) -> Any:
    return (((1 - w) * c[i] + w * c[i + 1]) ** 2).sum()


CASES: list[tuple[str, Callable[[Any, Any, Any], Any]]] = [
    ("gather", lambda c, i, w: c[i] * w),
    ("sum", lambda c, i, w: (c[i] * w).sum()),
    ("gradient", lambda c, i, w: grad(interpolated(c, i, w), c)),
    ("added", lambda c, i, w: T.inc_subtensor(T.inc_subtensor(c[i], w)[i + 1], w)),
    ("set", lambda c, i, w: T.set_subtensor(c[i], c[i + 1] * w)),
]


@pytest.mark.needs_cc
@pytest.mark.parametrize("build", [case[1] for case in CASES], ids=[case[0] for case in CASES])
@pytest.mark.parametrize("index", [i, short], ids=["int64", "int32"])
def test_values_with_and_without_negative_indices(build: Any, index: Any) -> None:
    output = build(c, index, w)
    compiled = function([c, index, w], output)
    interpreted = function([c, index, w], output, mode="INTERPRET")
    generator = np.random.default_rng(5)
    table = generator.normal(size=9)
    for count in (0, 1, 7, 100):
        for least in (-8, -1, 0, 3):
            indices = generator.integers(least, 8, count).astype(index.dtype)
            weights: Array = generator.normal(size=count)
            got, wanted = (f(table, indices, weights) for f in (compiled, interpreted))
            assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.needs_cc
def test_an_index_beyond_an_end_is_an_error_in_both() -> None:
    f = function([c, i, w], c[i] * w)
    for outside in (-10, 9):
        with pytest.raises(IndexError):
            f(np.arange(9.0), np.array([0, outside]), np.ones(2))
    assert_array_equal(f(np.arange(9.0), np.array([-9, 8]), np.ones(2)), [0, 8])
