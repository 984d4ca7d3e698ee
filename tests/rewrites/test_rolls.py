"""Arrays whose elements are moved cyclically."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.rewrites import rolls
from symtheano.rewrites.rule import Rule
from symtheano.tensor.shapes.rolling import Roll

FIRES = {
    "roll_by_nothing": lambda x: T.roll(x, 0, 1),
    "roll_of_roll": lambda x: T.roll(T.roll(x, 3, 0), -1, 0),
    "roll_of_parts": lambda x: T.concatenate([x[2:], x[:2]]) * 2,
    "part_of_roll": lambda x: T.roll(x, -1, 0)[:-1],
}

RESTS = {
    "roll_by_nothing": lambda x: T.roll(x, 1, 1),
    "roll_of_roll": lambda x: T.roll(T.roll(x, 3, 0), -1, 1),
    "roll_of_parts": lambda x: T.concatenate([x[2:], x[:1]]),
    "part_of_roll": lambda x: T.roll(x, 2, 0)[1:],
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(rolls).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize(
    "expression",
    [
        lambda x: T.concatenate([x[1:], x[:2]]),
        lambda x: T.concatenate([x[:1], x[1:]]),
        lambda x: T.concatenate([x[1:], x[:1], x]),
        lambda x: T.concatenate([x[1:], (2 * x)[:1]]),
        lambda x: T.concatenate([x[1::2], x[:1:2]]),
    ],
)
def test_what_is_joined(expression, rests):
    rests("roll_of_parts", expression)


def rolled_axes(*outputs):
    """Return the axes along which a function of x moves elements."""
    x = T.dmatrix("x")
    f = function([x], [output(x) for output in outputs])
    return [node.op.axis for node in f.fgraph.nodes if isinstance(node.op, Roll)]


def test_moves_are_added():
    assert rolled_axes(lambda x: T.roll(T.roll(x, 3, 1), -3, 1)) == []
    assert rolled_axes(lambda x: T.roll(T.roll(x, 1, 0), -1, 1) + x) == [0, 1]
    assert rolled_axes(lambda x: T.roll(T.roll(x, 1, 0), 1, 0)) == [0]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("part", [slice(1, None), slice(3, None), slice(None, -1), slice(None, -3)])
def test_parts_without_the_elements_that_went_around(n, part):
    x = T.dvector("x")
    at = np.arange(n) ** 2.0
    places = [1, 3, -1, -3, 4]
    f = function([x], [T.roll(x, k)[part] for k in places])
    for result, k in zip(f(at), places, strict=True):
        assert_array_equal(result, np.roll(at, k)[part])


@pytest.mark.parametrize("start", [0, 1, 3, 7, -1, -3, -7])
@pytest.mark.parametrize("known", [False, True])
def test_parts_that_begin_anywhere(start, known):
    s = T.lscalar("s")
    for n in (0, 1, 3, 5):
        x = T.TensorType("float64", (n if known else None,))("x")
        f = function([x, s], [T.concatenate([x[k:], x[:k]]) for k in (start, s)])
        for result in f(np.arange(n) ** 2.0, start):
            at = np.arange(n) ** 2.0
            assert_array_equal(result, np.concatenate([at[start:], at[:start]]))


def stencil(m, x):
    """Return sums of arrays that are rolled along one axis, both, or twice along one."""
    corner = m.roll(m.roll(x, -2, 0), 1, 1)
    again = m.roll(m.roll(x, 1, 0), 2, 0)
    other = m.concatenate([x[2:], x[:2]]) * 3 - m.concatenate([x[-3:], x[:-3]])
    return m.roll(x, 1, 0) + corner * x + m.roll(x, -1, 1) - 2 * again, other / m.roll(x, 3, 1)


@pytest.mark.parametrize("known", [False, True])
def test_short_and_empty_axes(known):
    random = np.random.default_rng(3)
    x = T.dmatrix("x")
    f = function([x], stencil(T, x))
    for shape in [(9, 8), (4, 4), (3, 5), (2, 3), (1, 4), (5, 1), (1, 1), (0, 3), (3, 0), (0, 0)]:
        if known:
            x = T.TensorType("float64", shape)("x")
            f = function([x], stencil(T, x))
        at = random.normal(size=shape)
        for result, expected in zip(f(at), stencil(np, at), strict=True):
            assert_allclose(result, expected, rtol=1e-14)


def test_elements_are_those_of_rolled_arrays():
    x = T.TensorType("float32", (None, None))("x")
    f = function([x], sum(T.roll(x, k, 1) * 2.0**k for k in range(-8, 9)))
    at = np.zeros((3, 20), "float32")
    at[0, 1], at[1, 19], at[2, 0] = np.nan, -np.inf, -0.0
    assert_array_equal(f(at), sum(np.roll(at, k, 1) * np.float32(2.0**k) for k in range(-8, 9)))
    assert_array_equal(f(at[::-1, ::2]), f(np.ascontiguousarray(at[::-1, ::2])))


def test_numbers_of_places_may_be_beyond_the_axis():
    x = T.dvector("x")
    f = function([x], T.roll(x, 7) - 2 * T.roll(x, -12) + T.roll(x, 16))
    for n in (0, 1, 3, 7, 12, 16, 30):
        at = np.arange(n) ** 2.0
        assert_array_equal(f(at), np.roll(at, 7) - 2 * np.roll(at, -12) + np.roll(at, 16))


def test_a_wave_on_a_ring():
    u, v = T.dvectors("u", "v")

    def step(u, v):
        v = v + 0.1 * (T.roll(u, 1) + T.roll(u, -1) - 2 * u)
        return u + v, v

    (us, _), _ = scan(step, outputs_info=[u, v], n_steps=20)
    f = function([u, v], [us[-1], grad((us[-1] ** 2).sum(), u)])
    at, speed = np.random.default_rng(4).normal(size=(2, 11))

    def last(at, speed):
        for _ in range(20):
            speed = speed + 0.1 * (np.roll(at, 1) + np.roll(at, -1) - 2 * at)
            at = at + speed
        return at

    result, g = f(at, speed)
    assert_allclose(result, last(at, speed), rtol=1e-12)
    step = 1e-6 * np.eye(11)
    costs = [(last(at + d, speed) ** 2).sum() - (last(at - d, speed) ** 2).sum() for d in step]
    assert_allclose(g, np.array(costs) / 2e-6, rtol=1e-6)
