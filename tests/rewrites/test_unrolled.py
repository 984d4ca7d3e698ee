"""Small arrays of static shape are computed element by element, in straight-line code."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.errors import ShapeError
from symtheano.function.modes import Mode
from symtheano.gradient import jacobian
from symtheano.rewrites import unrolled, unrolled_groups
from symtheano.rewrites.rule import Rule
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.linalg.dot import BatchedDot, Dot
from symtheano.tensor.linalg.gemm import Dot22Scalar, Gemm, gemm
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.shapes.shape import MakeVector

RULE = "scalarize_small_arrays"

FIRES = {RULE: lambda pair: T.dot(pair, pair.T)}

RESTS = {RULE: lambda pair, x: T.dot(x, pair) + T.exp(pair[1:, ::-1].T)[:, :1].sum(axis=0)}


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
        lambda pair: T.dot(pair, pair) + pair[0],
        lambda pair: T.dot(pair, pair[0]).sum(),
        lambda pair: T.dot(pair, pair)[1:, ::-1].T,
        lambda pair: T.dot(pair, pair).max(axis=0) - T.dot(pair, pair).prod(axis=1, keepdims=True),
        lambda pair: T.set_subtensor(T.dot(pair, pair)[0], pair[1])[:, None],
        lambda pair: T.inc_subtensor(T.dot(pair, pair)[::2, 1], pair[1, 1:]),
        lambda pair: T.concatenate(
            [T.dot(pair, pair[0])[None], T.eye(3, dtype=pair.dtype), pair[:1]], axis=0
        ),
        lambda pair: T.dot(T.diag(T.diag(pair)), pair[0]).dimshuffle("x", 0, "x"),
        lambda pair: 2 * T.dot(pair, pair[0]) - 3 * T.dot(pair, pair[1]),
        lambda pair: T.batched_dot(pair[:, :1, None], T.dot(pair, pair)[:, None]).reshape((9,)),
        lambda pair: T.alloc(T.dot(pair, pair[0]), 2, 3),
    ],
)
def test_small_arrays_in_every_dtype(example, fires):
    fires(RULE, example)


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


def test_products_of_unknown_lengths_stay_beside_small_ones():
    x, y = matrix(3, 3), T.dmatrix("y")
    f = function([x, y], [T.dot(x, x), T.dot(y, x)])
    a = np.arange(9.0).reshape(3, 3)
    assert len(products(f)) == 1
    for found, wanted in zip(f(a, a[:2]), (a @ a, a[:2] @ a), strict=True):
        np.testing.assert_allclose(found, wanted)


def test_many_values_of_a_function_are_a_loop():
    x, y = matrix(8, 3), matrix(3, 8, "y")
    f = function([x, y], T.tanh(T.dot(x, y)))
    assert not is_straight(f)
    a, b = np.random.default_rng(0).normal(size=(2, 24))
    a, b = a.reshape(8, 3), b.reshape(3, 8)
    np.testing.assert_allclose(f(a, b), np.tanh(a @ b))


def products(f):
    return [n for n in f.graph.nodes if isinstance(n.op, Dot | Gemm | Dot22Scalar | BatchedDot)]


def test_larger_products_stay():
    x = matrix(7, 7)
    assert products(function([x], T.dot(x, x), mode=Mode(linker="py")))


def power_of(y, count):
    power = y
    for _ in range(count):
        power = T.dot(power, T.exp(y))
    return power


def test_a_group_is_unrolled_as_a_whole_or_not_at_all(monkeypatch):
    monkeypatch.setattr(unrolled_groups, "_OPERATIONS", 300)
    y, z = matrix(4, 4, "y"), matrix(2, 2, "z")
    f = function([y, z], [power_of(y, 6), power_of(z, 2)])
    assert len(products(f)) == 6
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(4, 4)), rng.normal(size=(2, 2))
    for found, x, count in zip(f(a, b), (a, b), (6, 2), strict=True):
        wanted = x @ np.linalg.matrix_power(np.exp(x), count)
        np.testing.assert_allclose(found, wanted, rtol=1e-10)
    assert not products(function([y], power_of(y, 2)))


def count_products(f):
    """Return the number of multiplications of scalars."""
    names = [n.op.scalar_op.name for n in f.graph.nodes if isinstance(n.op, Elemwise)]
    return names.count("mul") + names.count("plus_product")


def test_products_of_floats_are_rounded_once_where_processors_do_so():
    x, y = matrix(2, 2), matrix(2, 2, "y")
    f = function([x, y], T.dot(x, y))
    assert "st_plus_product_f64" in f.c_source
    a, b = np.array([[-1.0, 1 + 2.0**-30]] * 2), np.array([[1.0] * 2, [1 - 2.0**-30] * 2])
    assert f(a, b)[0, 0] in (-(2.0**-60), 0.0)
    for dtype in ("complex128", "complex64"):
        x, y = matrix(2, 2, "x", dtype), matrix(2, 2, "y", dtype)
        f = function([x, y], T.dot(x, y))
        assert "st_plus_product" not in f.c_source


def test_zeros_and_ones_of_matrices_are_not_multiplied():
    x, c, s = T.tensor("x", "float64", shape=(3,)), T.dscalar("c"), T.dscalar("s")
    turn = T.stack([T.stack([c, -s, 0.0]), T.stack([s, c, 0.0]), T.constant([0.0, 0.0, 1.0])])
    f = function([x, c, s], T.dot(turn, x), mode="INTERPRET")
    assert count_products(f) == 4
    value = np.array([1.0, 2.0, np.inf])
    np.testing.assert_array_equal(f(value, 3.0, 4.0), [3.0 - 8.0, 4.0 + 6.0, np.inf])


def test_zeros_stay_in_elementwise_products():
    x = matrix(2, 2)
    mask = T.constant(np.array([[1.0, 0.0], [0.0, 1.0]]))
    f = function([x], T.dot(x, x) * mask)
    found = f(np.array([[np.nan, 1.0], [1.0, 1.0]]))
    assert np.isnan(found[0]).all()
    assert np.isnan(found[1, 0])


def test_zeros_beside_a_diagonal_and_of_gradients_are_nothing():
    x, y = matrix(2, 2), matrix(2, 2, "y")
    f = function([x, y], [T.dot(T.eye(2), T.dot(x, x)), grad(T.sqr(T.dot(x, y)[0, 0]), x)])
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    scaled, slope = f(a, a)
    np.testing.assert_array_equal(scaled, a @ a)
    np.testing.assert_allclose(slope, [[2 * 7.0 * 1.0, 2 * 7.0 * 3.0], [0.0, 0.0]])
    assert count_products(f) == 12  # as without the identity


def test_products_with_an_identity_element_by_element_keep_nan():
    x = matrix(2, 2)
    found = function([x], T.eye(2) * T.dot(x, x))(np.full((2, 2), np.nan))
    assert np.isnan(found).all()


def test_zero_over_zero_is_not_hidden():
    x = matrix(2, 2)
    with np.errstate(all="ignore"):
        found = function([x], T.dot(x, x) + T.eye(2) / T.eye(2))(np.eye(2))
        np.testing.assert_array_equal(found, np.eye(2) + np.eye(2) / np.eye(2))


def test_sparse_derivatives_of_larger_arrays_are_straight():
    q = T.tensor("q", "float64", shape=(4,))
    pose = T.eye(4)
    for joint in range(4):
        c, s = T.cos(q[joint]), T.sin(q[joint])
        turn = T.stack(
            [T.stack([c, -s, 0.0, 0.3]), T.stack([0.8 * s, 0.8 * c, -0.6, 0.1]),
             T.stack([0.6 * s, 0.6 * c, 0.8, 0.2]), T.constant([0.0, 0.0, 0.0, 1.0])])  # fmt: skip
        pose = T.dot(pose, turn)
    slopes = jacobian(pose[:3].flatten(), q)
    f = function([q], [pose, slopes])
    assert is_straight(f)
    angles = np.array([0.3, -1.2, 0.7, 2.0])
    slope = f(angles)[1]
    for joint in range(4):
        step = np.zeros(4)
        step[joint] = 1e-6
        wanted = (f(angles + step)[0] - f(angles - step)[0])[:3].ravel() / 2e-6
        np.testing.assert_allclose(slope[:, joint], wanted, atol=1e-8)


def test_views_of_inputs_stay_views():
    x = matrix(3, 3)
    f = function([x], [T.dot(x, x.T), x.T])
    assert isinstance(f.graph.outputs[1].owner.op, DimShuffle)
    np.testing.assert_array_equal(
        f(np.arange(9.0).reshape(3, 3))[1], np.arange(9.0).reshape(3, 3).T
    )
