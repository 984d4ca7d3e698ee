"""Functions that are not given the updates that scan returns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan, shared
from symtheano.loops.updated import updates_of_loops
from symtheano.scan_module import until
from symtheano.tensor.random import MRG_RandomStreams, PhiloxStreams, RandomStreams

KINDS = [RandomStreams, MRG_RandomStreams, PhiloxStreams]
MODES = [None, "INTERPRET"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_calls_draw_on_after_the_loop(kind: Any, mode: Any) -> None:
    srng, n = kind(1), T.lscalar("n")
    rows, updates = scan(lambda: srng.uniform((2,), dtype="float64"), n_steps=n)
    f = function([n], rows, mode=mode)
    dropped = np.concatenate([f(3), f(0), f(1), f(4)])
    srng.seed()
    g = function([n], rows, updates=updates, mode=mode)
    assert (dropped == np.concatenate([g(4), g(4)])).all()
    assert len(np.unique(dropped)) == 16


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", [True, False])
def test_loops_in_loops_and_gradients(kind: Any, given: bool) -> None:
    def made(drop: bool) -> list[Any]:
        srng, x = kind(1), T.dscalar("x")

        def inner(h: Any) -> Any:
            z = srng.normal((), dtype="float64")
            return (h * 0.5 + x * z, dict([z.update])) if given else h * 0.5 + x * z

        def outer(h: Any) -> Any:
            rows, updates = scan(inner, outputs_info=h, n_steps=3)
            return rows[-1] if drop else (rows[-1], updates)

        rows, updates = scan(outer, outputs_info=T.constant(np.float64(0)), n_steps=2)
        cost = rows[-1] ** 2
        changes = None if drop else updates
        f = function([x], [rows, grad(cost, x)], updates=changes)
        g = function([x], grad(cost, x), updates=changes)
        return [*f(2.0), g(2.0), *f(1.0), g(3.0)]

    for one, other in zip(made(True), made(False), strict=True):
        assert one == pytest.approx(other, rel=1e-12)


def test_a_loop_with_a_condition_ends_where_it_drew_last() -> None:
    srng, rng = RandomStreams(3), np.random.default_rng(3)

    def step() -> Any:
        u = srng.uniform((), dtype="float64")
        return u, until(u > 0.7)

    f = function([], scan(step, n_steps=100)[0])
    for _ in range(5):
        found = f()
        expected = [rng.random()]
        while expected[-1] <= 0.7:
            expected.append(rng.random())
        assert found.tolist() == expected


def test_given_and_refused_updates_are_left_alone() -> None:
    srng = RandomStreams(3)
    rows, _ = scan(lambda: srng.uniform((), dtype="float64"), n_steps=4)
    ((state, _),) = srng.updates()
    fixed = function([], rows, no_default_updates=True)
    assert (fixed() == fixed()).all()
    again = function([], rows, updates=[(state, state)])
    assert (again() == again()).all()


def test_only_variables_with_default_updates_change() -> None:
    count, other = shared(np.int64(0)), shared(np.int64(0))
    count.default_update = count + 1
    rows, _ = scan(lambda: (count * 10, {other: other + 1}), n_steps=3)
    assert set(updates_of_loops([rows])) == {count, other}
    f = function([], rows)
    assert f().tolist() == [0, 10, 20]
    assert f().tolist() == [30, 40, 50]
    assert (count.get_value(), other.get_value()) == (6, 0)


def test_an_output_that_begins_with_a_shared_variable_is_no_update() -> None:
    start = shared(np.float64(1))
    start.default_update = start + 1
    rows, _ = scan(lambda x: 2 * x, outputs_info=start, n_steps=3)
    f = function([], rows)
    assert f().tolist() == [2, 4, 8]
    assert f().tolist() == [4, 8, 16]
