"""Loops by value: all kinds of states, conditions and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.scan import until

from tests.pytensor.comparison import compare


def loop(*args: Any, **options: Any) -> Any:
    return pytensor.scan(*args, return_updates=False, **options)


def test_states_sequences_and_outputs() -> None:
    x, start = pt.dmatrix("x"), pt.dvector("start")
    sums, squares = loop(
        lambda row, total: (total + row, row**2), sequences=x, outputs_info=[start, None]
    )
    values = [np.arange(6.0).reshape(3, 2), np.array([10.0, 20.0])]
    gradient = pytensor.grad((sums**2).sum() + squares[-1].sum(), [x, start])
    compare([x, start], [sums, squares, sums[-1], *gradient], values)


def test_taps_and_their_gradients() -> None:
    x, start = pt.dvector("x"), pt.dvector("start")
    rows = loop(
        lambda here, after, older, old: older * here - 0.3 * old * after,
        sequences={"input": x, "taps": [0, 1]},
        outputs_info={"initial": start, "taps": [-2, -1]},
    )
    values = [np.linspace(0.5, 1.5, 7), np.array([1.0, 2.0])]
    compare([x, start], [rows, *pytensor.grad((rows**2).sum(), [x, start])], values)
    compare([x, start], pytensor.grad(rows[-1], [x, start]), values)


def test_second_derivatives_of_loops() -> None:
    x = pt.dvector("x")
    rows = loop(
        lambda before, x: before * x, outputs_info=pt.ones_like(x), non_sequences=x, n_steps=4
    )
    first = pytensor.grad(rows[-1].sum(), x)
    compare([x], [first, pytensor.grad((first**2).sum(), x)], [np.array([0.5, 2.0])])


def test_a_condition_ends_the_loop() -> None:
    x = pt.dscalar("x")
    rows = loop(lambda v: (v / 2, until(v < 1.0)), outputs_info=x, n_steps=50)
    compare([x], [rows, rows[-1], rows.shape[0]], [20.0])
    compare([x], pytensor.grad(rows[-1], x), [20.0])


def test_loops_in_loops_and_numbers_of_steps_in_the_call() -> None:
    x, n = pt.dvector("x"), pt.lscalar("n")

    def outer(row: Any) -> Any:
        inner = loop(
            lambda v, row: v * row, outputs_info=pt.ones_like(row), non_sequences=row, n_steps=n
        )
        return inner[-1]

    rows = loop(outer, sequences=x)
    compare([x, n], [rows, pytensor.grad(rows.sum(), x)], [np.array([1.0, 2.0, 3.0]), 3])


def test_backwards_and_without_results_of_most_iterations() -> None:
    x = pt.dvector("x")
    start = pt.constant(0.0, dtype="float64")
    rows = loop(lambda row, v: 0.5 * v + row, sequences=x, outputs_info=start, go_backwards=True)
    compare([x], [rows, rows[-1], rows[-2:]], [np.arange(5.0)])


def test_random_numbers_in_loops() -> None:
    rng = pytensor.shared(np.random.default_rng(4), "rng")

    def step(total: Any, rng: Any) -> Any:
        following, draw = pt.random.normal(rng=rng, return_next_rng=True)
        return total + draw, following

    total, last = loop(step, outputs_info=[pt.constant(0.0, dtype="float64"), rng], n_steps=5)
    function = pytensor.function([], total, updates={rng: last}, mode="SYMTHEANO")
    wanted = np.random.default_rng(4)
    for _ in range(2):
        np.testing.assert_allclose(function(), np.cumsum(wanted.normal(size=5)))


def test_gradient_of_a_loop_that_reads_two_values_before() -> None:
    s, start = pt.dvector("s"), pt.dvector("start")
    out = loop(
        lambda q, before, last: 2 * before + last * last + q,
        sequences=s,
        outputs_info={"initial": start, "taps": [-2, -1]},
    )
    values = [np.array([0.1, 0.2, 0.3, -0.4]), np.array([0.5, -0.6])]
    compare([s, start], [out, *pytensor.grad(out.sum(), [s, start])], values)
