"""Elementwise scans: values, how many kernels are launched, and which loops remain the host's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.loopir import For, Load, Program, Store
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import cuda_program, emulated

pytestmark = pytest.mark.needs_cxx

a, x = T.fscalar("a"), T.fmatrix("x")
times = T.fvector("times")


def loops_of_host(program: Program) -> int:
    return sum(isinstance(s, For) for s in walk(program.body))


def smoothed(x: Any, **options: Any) -> Any:
    values, _ = scan(lambda row, mean: a * row + (1 - a) * mean, sequences=x,
                     outputs_info=T.zeros_like(x[0]), **options)  # fmt: skip
    return values


def outputs() -> Sequence[Any]:
    """Return histories and last values of states of several kinds."""
    everything = smoothed(T.tanh(x))
    backwards = smoothed(x, go_backwards=True)[-1]
    (first, second), _ = scan(
        lambda row, time, one, other: (other, one * a + row * time), sequences=[x, times],
        outputs_info=[x[0], T.ones_like(x[0])],
    )  # fmt: skip
    taps, _ = scan(lambda row, before, last: row + a * before - last, sequences=x[2:],
                   outputs_info={"initial": x[:2], "taps": [-2, -1]})  # fmt: skip
    seen, _ = scan(lambda row, seen: T.or_(seen, row > 1), sequences=x,
                   outputs_info=T.zeros_like(x[0], dtype="bool"))  # fmt: skip
    pairs, _ = scan(lambda row, state: state * a + row[:, None], sequences=x,
                    outputs_info=T.zeros((x.shape[1], 3), "float32"))  # fmt: skip
    slopes = grad(T.sqr(everything).sum(), x)
    return [everything, backwards, first, second[-1], taps, seen[-1], seen, pairs[-1], slopes]


def test_values() -> None:
    inputs, results = [a, x, times], outputs()
    mine, its = emulated(inputs, results), function(inputs, results)
    rng = np.random.default_rng(0)
    for rows, columns in ((5, 300), (2, 1), (3, 0), (12, 2)):
        given = [np.float32(0.3), *(rng.normal(size=shape).astype("float32")
                                    for shape in ((rows, columns), rows))]  # fmt: skip
        for one, other in zip(mine(*given), its(*given), strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_loops_are_inside_of_kernels() -> None:
    program = cuda_program([a, x, times], outputs())
    assert loops_of_host(program) == 0


def test_states_are_in_registers() -> None:
    """Only the last value is stored, after the loop."""
    program = cuda_program([a, x], smoothed(x)[-1])
    kernel = program.kernels[-1]
    (loop,) = (s for s in walk(kernel.body) if isinstance(s, For) and s.index.name == "step")
    assert sum(isinstance(s, Load) for s in walk(loop.body)) == 1
    assert not any(isinstance(s, Store) for s in walk(loop.body))


@pytest.mark.parametrize(
    "step",
    [
        lambda row, state: state[::-1] + row,
        lambda row, state: state + T.exp(row).sum(),
        lambda row, state: T.kv(1, state) + row,
    ],
)
def test_other_loops_are_the_hosts(step: Any) -> None:
    """Elements pass to others, or are summed, or need a function that the device lacks."""
    values, _ = scan(step, sequences=x, outputs_info=x[0])
    assert loops_of_host(cuda_program([x], values)) == 1


def test_no_steps() -> None:
    n = T.lscalar("n")
    last, _ = scan(lambda state: T.cos(state), outputs_info=x, n_steps=n)
    every = T.concatenate([x[None], last])
    mine, its = emulated([x, n], every), function([x, n], every)
    given = np.ones((2, 3), "float32")
    for count in (0, 1, 3):
        np.testing.assert_allclose(mine(given, count), its(given, count), rtol=1e-6)
