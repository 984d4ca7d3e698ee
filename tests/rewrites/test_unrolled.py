"""Small arrays of static shape are computed element by element, in straight-line code."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.errors import ShapeError
from symtheano.function.modes import Mode
from symtheano.rewrites import engine, unrolled
from symtheano.rewrites.rule import Rule
from symtheano.tensor.linalg.dot import BatchedDot, Dot
from symtheano.tensor.linalg.gemm import Dot22Scalar, Gemm, gemm
from symtheano.tensor.shapes.shape import MakeVector, Reshape

FIRES = {
    "unroll_product": lambda pair: T.dot(pair, pair.T),
    "unroll_elementwise": lambda pair: T.dot(pair, pair) + pair[0],
    "unroll_reduction": lambda pair: T.dot(pair, pair[0]).sum(),
    "unroll_arrangement": lambda pair: T.dot(pair, pair)[1:, ::-1].T,
}

RESTS = {
    "unroll_product": lambda pair, x: T.dot(x, pair),
    "unroll_elementwise": lambda pair, x: T.dot(pair, pair)[0] + T.dot(x, x)[:, :3],
    "unroll_reduction": lambda pair: T.exp(pair).sum(axis=0),
    "unroll_arrangement": lambda pair: pair[1:, ::-1].T + 1,
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(unrolled).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize(
    "example",
    [
        lambda pair: T.dot(pair, pair).max(axis=0) - T.dot(pair, pair).prod(axis=1, keepdims=True),
        lambda pair: T.set_subtensor(T.dot(pair, pair)[0], pair[1])[:, None],
        lambda pair: T.inc_subtensor(T.dot(pair, pair)[::2, 1], pair[1, 1:]),
        lambda pair: T.concatenate([T.dot(pair, pair[0])[None], T.eye(3), pair[:1]], axis=0),
        lambda pair: T.dot(T.diag(T.diag(pair)), pair[0]).dimshuffle("x", 0, "x"),
        lambda pair: 2 * T.dot(pair, pair[0]) - 3 * T.dot(pair, pair[1]),
        lambda pair: T.batched_dot(pair[:, :1, None], T.dot(pair, pair)[:, None]).reshape((9,)),
        lambda pair: T.alloc(T.dot(pair, pair[0]), 2, 3),
    ],
)
def test_small_arrays_in_every_dtype(example, fires):
    fires("unroll_product", example)


def matrix(rows, columns, name="x", dtype="float64"):
    return T.tensor(name, dtype, shape=(rows, columns))


def is_straight(f):
    """Return whether all arrays that a function computes are made of scalars."""
    made = [n.op for n in f.graph.nodes if n.outputs[0].ndim]
    return all(isinstance(op, MakeVector | Reshape) for op in made)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_special_values(dtype):
    x, y = matrix(2, 3, "x", dtype), matrix(3, 2, "y", dtype)
    f = function([x, y], T.dot(x, y))
    assert is_straight(f)
    special = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0]
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = (rng.choice(special, size=s).astype(dtype) for s in ((2, 3), (3, 2)))
        with np.errstate(all="ignore"):
            wanted = (a[:, :, None] * b[None]).sum(axis=1)
        np.testing.assert_array_equal(f(a, b), wanted)


def test_a_filter_is_straight_and_in_place():
    rng = np.random.default_rng(0)
    transition, observed = np.eye(4) + 0.1 * rng.normal(size=(4, 4)), rng.normal(size=(1, 4))
    state, spread = rng.normal(size=4), np.eye(4)
    x, p = shared(state, name="x", shape=(4,)), shared(spread, name="p", shape=(4, 4))
    a, h, z = matrix(4, 4, "a"), matrix(1, 4, "h"), T.dscalar("z")
    before, covariance = T.dot(a, x), T.dot(T.dot(a, p), a.T) + 0.1 * T.eye(4)
    gain = T.dot(covariance, h.T)[:, 0]
    gain = gain / (T.dot(h, gain)[0] + 0.5)
    after = before + gain * (z - T.dot(h, before)[0])
    narrowed = covariance - T.dot(gain[:, None], T.dot(h, covariance))
    f = function([z, a, h], T.dot(h, after)[0], updates=[(x, after), (p, narrowed)])
    assert is_straight(f)
    assert "ST_KERNEL void" not in f.c_source
    for number in range(3):
        found = f(number, transition, observed)
        state, spread = transition @ state, transition @ spread @ transition.T + 0.1 * np.eye(4)
        gain = spread @ observed[0] / (observed[0] @ spread @ observed[0] + 0.5)
        state = state + gain * (number - observed[0] @ state)
        spread = spread - np.outer(gain, observed @ spread)
        np.testing.assert_allclose(found, observed[0] @ state)
        np.testing.assert_allclose(x.get_value(), state)
        np.testing.assert_allclose(p.get_value(), spread)


def test_new_states_are_read_before_they_are_stored():
    p = shared(np.arange(9.0).reshape(3, 3), shape=(3, 3))
    f = function([], T.dot(p, p)[0], updates=[(p, T.dot(p, p).T)])
    old = p.get_value()
    np.testing.assert_array_equal(f(), (old @ old)[0])
    np.testing.assert_array_equal(p.get_value(), (old @ old).T)


def test_gradients_of_a_chain_of_rotations_are_straight():
    q = T.tensor("q", "float64", shape=(3,))

    def turn(angle):
        c, s = T.cos(angle), T.sin(angle)
        return T.stack([T.stack([c, -s, s * 0.5]), T.stack([s, c, c * 0.5]),
                        T.constant(np.array([0.0, 0.0, 1.0]))])  # fmt: skip

    end = T.dot(T.dot(turn(q[0]), turn(q[1])), turn(q[2]))
    results = [end, grad(T.sqr(end[:2, 2]).sum(), q)]
    f = function([q], results)
    assert is_straight(f)
    plain = function([q], results, mode=Mode().excluding("unrolled"))
    assert not is_straight(plain)
    for angles in np.random.default_rng(0).normal(size=(3, 3)):
        for found, wanted in zip(f(angles), plain(angles), strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-14)


@pytest.mark.parametrize("number", [0.0, 2.0])
def test_a_product_that_is_added_does_not_read_what_zero_multiplies(number):
    x, z, beta = matrix(3, 3), matrix(3, 3, "z"), T.dscalar("beta")
    f = function([z, x, beta], gemm(z, T.constant(2.0, dtype="float64"), x, x, beta))
    assert is_straight(f)
    a, c = np.arange(9.0).reshape(3, 3), np.full((3, 3), np.nan if number == 0 else 1.0)
    wanted = 2 * a @ a if number == 0 else number * c + 2 * a @ a
    np.testing.assert_allclose(f(c, a, number), wanted)


def test_values_that_do_not_fit_are_reported_by_the_call():
    x = matrix(3, 4)
    f = function([x], T.set_subtensor(T.dot(x, x.T)[0], x[1]))
    with pytest.raises(ShapeError, match="does not fit"):
        f(np.ones((3, 4)))


def test_larger_products_stay_and_graphs_do_not_explode(monkeypatch):
    def products(f):
        return [n for n in f.graph.nodes if isinstance(n.op, Dot | Gemm | Dot22Scalar | BatchedDot)]

    x = matrix(7, 7)
    assert products(function([x], T.dot(x, x), mode=Mode(linker="py")))
    monkeypatch.setattr(engine, "_GROWTH", 300)
    y = matrix(4, 4)
    power = y
    for _ in range(6):
        power = T.dot(power, T.exp(y))
    f = function([y], power)
    assert 0 < len(products(f)) < 6
    a = np.random.default_rng(0).normal(size=(4, 4))
    wanted = a @ np.linalg.matrix_power(np.exp(a), 6)
    np.testing.assert_allclose(f(a), wanted, rtol=1e-10)
