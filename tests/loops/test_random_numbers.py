"""Random numbers in the steps of loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.loops.scan_op import Scan
from symtheano.tensor.random import MRG_RandomStreams, PhiloxStreams, RandomStreams


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
@pytest.mark.parametrize("given", [True, False])
def test_metropolis_draws_as_numpy_does(mode: Any, given: bool) -> None:
    srng = RandomStreams(7)

    def step(x: Any) -> Any:
        move, u = srng.normal((), dtype="float64"), srng.uniform((), dtype="float64")
        proposed = x + move
        new = T.switch(T.log(u) < 0.5 * (x**2 - proposed**2), proposed, x)
        return (new, dict([move.update, u.update])) if given else new

    values, updates = scan(step, outputs_info=np.float64(0), n_steps=200)
    assert set(updates) == {rng for rng, _ in srng.state_updates}
    f = function([], values, updates=updates, mode=mode)
    moves, uniforms = np.random.default_rng(7), np.random.default_rng(7).spawn(1)[0]
    for _ in range(2):
        x, expected = 0.0, []
        for _ in range(200):
            proposed, u = x + moves.normal(), uniforms.random()
            x = proposed if np.log(u) < 0.5 * (x**2 - proposed**2) else x
            expected.append(x)
        assert f() == pytest.approx(np.array(expected), abs=1e-12)
    states = [srng[rng].bit_generator.state for rng, _ in srng.state_updates]
    assert states == [moves.bit_generator.state, uniforms.bit_generator.state]


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_each_iteration_draws_an_array(mode: Any) -> None:
    srng, rng = RandomStreams(2), np.random.default_rng(2)
    n = T.lscalar("n")
    rows, updates = scan(lambda: srng.normal((3,), dtype="float64"), n_steps=n)
    f = function([n], rows, updates=updates, mode=mode)
    assert (f(4) == rng.standard_normal((4, 3))).all()
    assert f(0).shape == (0, 3)
    assert (f(2) == rng.standard_normal((2, 3))).all()


def test_gradient_sees_the_numbers_of_the_first_run() -> None:
    srng, rng = RandomStreams(2), np.random.default_rng(2)
    scale = T.dscalar("scale")
    values, updates = scan(
        lambda x, s: x + s * srng.normal((), dtype="float64"),
        outputs_info=np.float64(0), non_sequences=scale, n_steps=5,
    )  # fmt: skip
    f = function([scale], [values[-1], T.grad(values[-1], scale)], updates=updates)
    for _ in range(2):
        z = rng.standard_normal(5)
        assert f(2.0) == pytest.approx([2 * z.sum(), z.sum()])


@pytest.mark.parametrize("kind", [RandomStreams, MRG_RandomStreams, PhiloxStreams])
def test_nested_loops_draw_and_have_gradients(kind: Any) -> None:
    def made(mode: Any) -> tuple[Any, Any]:
        srng, x, n = kind(5), T.dvector("x"), T.lscalar("n")

        def inner(h: Any) -> Any:
            return h * 0.5 + srng.normal(x.shape, dtype="float64") * x

        def outer(h: Any) -> Any:
            rows, updates = scan(inner, outputs_info=h, n_steps=3)
            return rows[-1] + srng.uniform((), dtype="float64"), updates

        rows, updates = scan(outer, outputs_info=x, n_steps=n)
        cost = (rows[-1] ** 2).sum()
        outputs = [cost, T.grad(cost, x), rows]
        return srng, function([x, n], outputs, updates=updates, mode=mode)

    (srng, f), (other, g) = made(None), made("INTERPRET")
    x = np.array([1.0, 2.0, 3.0])
    for n in (1, 4, 2):
        for found, expected in zip(f(x, n), g(x, n), strict=True):
            assert found == pytest.approx(expected, rel=1e-10)
    assert all(map(np.array_equal, srng.get_state(), other.get_state()))

    def cost(value: Any) -> float:
        srng.seed()
        return float(f(value, 2)[0])

    srng.seed()
    slope = f(x, 2)[1]
    for step, expected in zip(1e-6 * np.eye(3), slope, strict=True):
        assert (cost(x + step) - cost(x - step)) / 2e-6 == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("name", ["normal", "uniform", "exponential"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_numbers_that_are_drawn_in_the_loop(name: str, dtype: str) -> None:
    """Those of all layers of a ziggurat, its edges and its tail; two of each in a step."""
    srng, rng = RandomStreams(4), np.random.default_rng(4)
    other = rng.spawn(1)[0]

    def step(x: Any, y: Any) -> Any:
        a, b = (getattr(srng, name)((), dtype=dtype) for _ in "ab")
        return T.switch(x > 1e9, y, a), T.switch(y > 1e9, x, b)

    start, n = T.constant(np.zeros((), dtype)), T.lscalar("n")
    rows, updates = scan(step, outputs_info=[start, start], n_steps=n)
    f = function([n], rows, updates=updates)
    (loop,) = [node.op for node in f.fgraph.nodes if isinstance(node.op, Scan)]
    assert loop.layout.states == 2
    draw = {"normal": "standard_normal", "uniform": "random", "exponential": "standard_exponential"}
    for count in (40_001, 0, 40_000):
        for found, generator in zip(f(count), (rng, other), strict=True):
            expected = getattr(generator, draw[name])(count, dtype=dtype)
            assert found.tobytes() == expected.tobytes()
    states = [srng[state].bit_generator.state for state, _ in srng.state_updates]
    assert states == [rng.bit_generator.state, other.bit_generator.state]
