"""Rules that draw the random numbers of iterations before the loop."""

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, scan
from symtheano.loops.scan_op import Scan
from symtheano.rewrites import scan_draws
from symtheano.rewrites.rule import Rule
from symtheano.scan_module import until
from symtheano.tensor.random import PhiloxStreams, RandomStreams
from symtheano.tensor.random.state import state_words

STATE = T.constant(state_words(np.random.default_rng(1)))
PHILOX = T.constant(np.array([3, 2**64 - 3], "uint64"))
RULES = ("draws_before_loops", "counters_from_steps")


def draws(v, size=()):
    """Return the sums of a walk, with NumPy's numbers."""

    def step(row, total, state):
        state, z = T.raw_random.normal(state, size, dtype="float64")
        return total + T.exp(z).sum() * row, state

    total = T.constant(np.float64(0))
    return scan(step, v.astype("float64"), [total, STATE])[0][0]


def counted(v, item=1):
    """Return the sums of a walk, with numbers of Philox."""
    source = PhiloxStreams(1).normal((), dtype="float64").owner.op.scalar_op

    def step(row, total, state):
        z = source(state[0], state[1] + np.uint64(5), np.uint64(0))
        after = T.stack([state[0], state[item] + np.uint64(2)])
        return total + z * row, after

    total = T.constant(np.float64(0))
    return scan(step, v.astype("float64"), [total, PHILOX])[0][0]


FIRES = {
    "draws_before_loops": lambda v: draws(v),
    "counters_from_steps": lambda v: counted(v),
}
RESTS = {
    "draws_before_loops": lambda v: draws(v, (17,)),
    "counters_from_steps": lambda v: counted(v, 0),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scan_draws).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


STEPS = {
    "normal": lambda r: r.normal((), dtype="float64"),
    "normal_f32": lambda r: r.normal((), dtype="float32"),
    "uniform_f32": lambda r: r.uniform((), dtype="float32"),
    "exponential": lambda r: r.exponential((), dtype="float64"),
    "exponential_f32": lambda r: r.exponential((), dtype="float32"),
    "integers": lambda r: r.random_integers((), -5, 12),
    "many_integers": lambda r: r.random_integers((), -(2**62), 2**62),
    "gamma": lambda r: r.gamma((), 0.3, dtype="float64"),
    "beta": lambda r: r.beta((), 0.5, 1.5, dtype="float64"),
    "poisson": lambda r: r.poisson((), 13.5),
    "binomial": lambda r: r.binomial((), 40, 0.3),
    "few": lambda r: r.normal((3,), dtype="float32"),
    "many": lambda r: r.uniform((5, 4), dtype="float64"),
    "truncated": lambda r: r.truncated_normal((), dtype="float64"),
    "choice": lambda r: r.choice((2,), 5),
    "permutation": lambda r: r.permutation((), 4),
}


def loops_of(f: Any) -> list[Any]:
    """Return the numbers of states of the loops that a function runs."""
    return [node.op.layout.states for node in f.fgraph.nodes if isinstance(node.op, Scan)]


@pytest.mark.parametrize("kind", [RandomStreams, PhiloxStreams])
@pytest.mark.parametrize("name", STEPS)
def test_numbers_and_states_are_those_of_the_loop(kind: Any, name: str) -> None:
    made = []
    for mode in (None, Mode().excluding(*RULES), "INTERPRET"):
        srng, n = kind(5), T.lscalar("n")

        def step(x: Any, srng: Any = srng) -> Any:
            return x + 1, STEPS[name](srng)

        (_, rows), updates = scan(step, outputs_info=[np.float64(0), None], n_steps=n)
        made.append((srng, function([n], rows, updates=updates, mode=mode)))
    for count in (3, 0, 1, 70):
        found, plain, slow = (f(count) for _, f in made)
        assert (found.dtype, found.shape) == (plain.dtype, plain.shape)
        assert (found == plain).all()
        assert found == pytest.approx(slow, rel=1e-6, abs=1e-6)
    states = [srng.get_state() for srng, _ in made]
    for state in states[1:]:
        assert all(map(np.array_equal, states[0], state))


def metropolis(srng: Any, n: Any) -> Any:
    def step(x: Any) -> Any:
        q = x + srng.normal((), dtype="float64")
        u = srng.uniform((), dtype="float64")
        return T.switch(T.log(u) < 0.5 * (x**2 - q**2), q, x)

    return scan(step, outputs_info=np.float64(0), n_steps=n)


@pytest.mark.parametrize("kind", [RandomStreams, PhiloxStreams])
def test_a_chain_has_few_states_beside_its_own(kind: Any) -> None:
    n = T.lscalar("n")
    rows, updates = metropolis(kind(5), n)
    normal = kind is RandomStreams  # it is drawn in the loop
    assert loops_of(function([n], rows, updates=updates)) == [normal]
    plain = function([n], rows, updates=updates, mode=Mode().excluding(*RULES))
    assert loops_of(plain) == [2]


@pytest.mark.parametrize("kind", [RandomStreams, PhiloxStreams])
def test_numbers_are_kept_if_the_loop_has_memory_for_them(kind: Any) -> None:
    few = 1 + (kind is RandomStreams)
    for n, states in ((T.lscalar("n"), 3), (T.constant(65536), few), (T.constant(65537), 3)):
        rows, updates = metropolis(kind(5), n)
        inputs = [n] if n.owner is None and not hasattr(n, "data") else []
        assert loops_of(function(inputs, rows[-1], updates=updates)) == [states]


def test_draws_that_depend_on_the_loop_stay() -> None:
    stay = Mode().excluding(*RULES)

    def twice(state: Any, x: Any) -> Any:
        state, a = T.raw_random.normal(state, (), dtype="float64")
        state, b = T.raw_random.uniform(state, (), dtype="float64")
        return state, x + a * b

    def sometimes(state: Any, x: Any) -> Any:
        after, a = T.raw_random.normal(state, (), dtype="float64")
        return T.switch(x > 0, after, state), x * 0.5 + a

    def of_the_state(state: Any, x: Any) -> Any:
        state, a = T.raw_random.poisson(state, (), T.exp(-(x**2)))
        return state, x * 0.5 + a

    def first(state: Any, x: Any) -> Any:
        after, a = T.raw_random.normal(state, (), dtype="float64")
        return after, x + a + T.cast(state[5], "float64")

    def ends(state: Any, x: Any) -> Any:
        state, a = T.raw_random.normal(state, (), dtype="float64")
        return [state, x + a], until(x + a > 1.0)

    x = T.dscalar("x")
    for step in (twice, sometimes, of_the_state, first, ends):
        (states, rows), _ = scan(step, outputs_info=[STATE, x], n_steps=20)
        f, g = (function([x], [states[-1], rows], mode=mode) for mode in (None, stay))
        assert loops_of(f) == loops_of(g)
        for one, other in zip(f(0.5), g(0.5), strict=True):
            assert one.shape == other.shape
            assert (one == other).all()


def test_parameters_that_are_the_same_in_all_iterations() -> None:
    lam = T.dscalar("lam")

    def step(state: Any, lam: Any) -> Any:
        return T.raw_random.poisson(state, (), lam)

    (states, rows), _ = scan(step, outputs_info=[STATE, None], non_sequences=lam, n_steps=40)
    f = function([lam], [states[-1], rows])
    assert loops_of(f) == []
    rng = np.random.default_rng(1)
    after, found = f(3.5)
    assert (found == rng.poisson(3.5, 40)).all()
    assert (after == state_words(rng)).all()
    with pytest.raises(ValueError, match="lam is negative"):
        f(-1.0)


@pytest.mark.parametrize("kind", [RandomStreams, PhiloxStreams])
def test_gradients_and_loops_in_loops(kind: Any) -> None:
    def made(mode: Any) -> list[Any]:
        srng, x, n = kind(1), T.dscalar("x"), T.lscalar("n")

        def inner(h: Any) -> Any:
            return T.tanh(h * 0.5 + x * srng.normal((), dtype="float64"))

        def outer(h: Any) -> Any:
            rows, updates = scan(inner, outputs_info=h, n_steps=3)
            return rows[-1] * srng.uniform((), dtype="float64"), updates

        rows, updates = scan(outer, outputs_info=T.constant(np.float64(0.1)), n_steps=n)
        slope = grad(rows.sum(), x)
        f = function([x, n], [rows, slope, grad(slope, x)], updates=updates, mode=mode)
        return [value for count in (4, 1, 3) for value in f(0.7, count)] + srng.get_state()

    found = made(None)
    for mode in (Mode().excluding(*RULES), "INTERPRET"):
        for one, other in zip(found, made(mode), strict=True):
            assert np.asarray(one) == pytest.approx(np.asarray(other), rel=1e-9, abs=1e-12)
