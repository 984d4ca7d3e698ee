"""RandomStreams: the numbers and states of NumPy's generators, in all ways of calling."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, function, grad, shared
from symtheano.tensor.random.state import as_generator, state_words
from symtheano.tensor.raw_random import normal, random_state_type, uniform
from symtheano.tensor.shared_randomstreams import RandomStreams

MODES = [None, "INTERPRET"]


def state(generator: np.random.Generator) -> Any:
    """Return a generator's state."""
    return generator.bit_generator.state


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("method", "plain"),
    [("uniform", "random"), ("normal", "standard_normal"), ("exponential", "standard_exponential")],
)
def test_bits_and_state_are_those_of_numpy(mode: Any, dtype: str, method: str, plain: str) -> None:
    for seed in range(12):
        srng, rng = RandomStreams(seed), np.random.default_rng(seed)
        n = T.iscalar("n")
        drawn = getattr(srng, method)((n,), dtype=dtype)
        f = function([n], drawn, mode=mode)
        for length in (1, 0, 15, 16, 17, 3, 5000, 20001):
            found, expected = f(length), getattr(rng, plain)(length, dtype)
            assert found.dtype == expected.dtype
            assert (found == expected).all()
            assert state(srng[drawn.rng]) == state(rng)


@pytest.mark.parametrize("method", ["uniform", "normal", "exponential"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rare_cases_have_numpys_bits(method: str, dtype: str) -> None:
    """A million numbers reach every layer, its edge, and the tail."""
    srng, rng = RandomStreams(99), np.random.default_rng(99)
    f = function([], getattr(srng, method)((1_000_000,), dtype=dtype))
    plain = {"uniform": "random"}.get(method, f"standard_{method}")
    assert (f() == getattr(rng, plain)(1_000_000, dtype)).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("low", "high"),
    [(0, 9), (-5, 2**32 - 6), (0, 2**32 - 2), (0, 2**32), (-(2**63), 2**63 - 1), (3, 3),
     (0, 2**40), (-(2**62), 2**62 + 2**61), (0, 3 << 30)],
)  # fmt: skip
def test_integers_are_those_of_numpy(mode: Any, low: int, high: int) -> None:
    srng, rng = RandomStreams(5), np.random.default_rng(5)
    drawn = srng.random_integers((1000,), low, high)
    f = function([], drawn, mode=mode)
    for _ in range(2):
        assert (f() == rng.integers(low, high, 1000, endpoint=True)).all()
    assert state(srng[drawn.rng]) == state(rng)


@pytest.mark.parametrize("mode", MODES)
def test_parameters_are_broadcast(mode: Any) -> None:
    srng, rngs = RandomStreams(1), [np.random.default_rng(1), *np.random.default_rng(1).spawn(3)]
    avg, std = T.dvector("avg"), T.dcol("std")
    low, high = T.lvector("low"), T.lcol("high")
    outputs = [
        srng.normal(avg=avg, std=std),
        srng.uniform((2, 3), avg, 9.0),
        srng.random_integers(None, low, high),
        srng.exponential((2, 3), std),
    ]
    f = function([avg, std, low, high], outputs, mode=mode)
    a, s = np.array([1.0, 2.0, 3.0]), np.array([[0.5], [4.0]])
    least, most = np.array([1, 2, 3]), np.array([[10], [20]])
    for _ in range(2):
        found = f(a, s, least, most)
        assert (found[0] == rngs[0].normal(a, s)).all()
        assert (found[1] == rngs[1].uniform(a, 9.0, (2, 3))).all()
        assert (found[2] == rngs[2].integers(least, most, endpoint=True)).all()
        assert (found[3] == rngs[3].exponential(s, (2, 3))).all()


def test_shape_is_symbolic_and_numbers_have_a_dtype() -> None:
    srng = RandomStreams(2)
    x, size = T.fmatrix("x"), T.lvector("size")
    made = [srng.uniform(x.shape), srng.normal(size, ndim=2), srng.uniform(), srng.normal(3)]
    f = function([x, size], made)
    found = f(np.zeros((2, 5), "f"), [3, 4])
    assert [item.shape for item in found] == [(2, 5), (3, 4), (), (3,)]
    assert srng.normal((2,), dtype="float16").dtype == "float16"
    assert srng.normal(avg=T.dvector()).dtype == "float64"


def test_gradients_pass_through_shift_and_scale() -> None:
    srng, rng = RandomStreams(4), np.random.default_rng(4)
    avg, std = T.dvector("avg"), T.dscalar("std")
    drawn = srng.normal(avg=avg, std=std)
    f = function([avg, std], [drawn, *grad((drawn**2).sum(), [avg, std])])
    a = np.array([1.0, -2.0])
    y, by_avg, by_std = f(a, 3.0)
    z = rng.standard_normal(2)
    assert (y == a + 3.0 * z).all()
    assert by_avg == pytest.approx(2 * y)
    assert by_std == pytest.approx((2 * y * z).sum())


def test_stream_is_sown_anew() -> None:
    srng = RandomStreams(234)
    u, v = srng.uniform((2, 2), dtype="float64"), srng.normal((2, 2), dtype="float64")
    f = function([], [u, v])
    first = f()
    assert not np.array_equal(first[0], f()[0])
    srng.seed()
    assert all(map(np.array_equal, first, f()))
    srng.seed(7)
    other = f()
    assert (other[0] == np.random.default_rng(7).random((2, 2))).all()
    assert (other[1] == np.random.default_rng(7).spawn(1)[0].standard_normal((2, 2))).all()
    srng[u.rng] = np.random.default_rng(234)
    assert np.array_equal(first[0], f()[0])
    v.rng.set_value(np.random.default_rng(234).spawn(1)[0])
    assert np.array_equal(first[1], f()[1])


def test_default_updates_can_be_left_out() -> None:
    srng = RandomStreams(234)
    drawn = srng.uniform((3,))
    still = function([], drawn, no_default_updates=True)
    assert np.array_equal(still(), still())
    moving = function([], drawn, no_default_updates=[drawn.rng], updates=[drawn.update])
    assert np.array_equal(still(), moving())
    assert not np.array_equal(moving(), moving())
    assert srng.updates() == [drawn.update] == srng.state_updates
    zero = function([], drawn + drawn - 2 * drawn)
    assert (zero() == 0).all()


def test_one_variable_is_drawn_once_in_a_call() -> None:
    srng, rng = RandomStreams(3), np.random.default_rng(3)
    drawn = srng.normal((4,), dtype="float64")
    f = function([], [drawn, T.exp(drawn)])
    a, b = f()
    assert (a == rng.standard_normal(4)).all()
    assert b == pytest.approx(np.exp(a))


def test_state_does_not_change_if_a_call_fails() -> None:
    srng = RandomStreams(3)
    x = T.dvector("x")
    drawn = srng.normal((4,))
    f = function([x], drawn + x)
    before = state(srng[drawn.rng])
    with pytest.raises(ValueError, match="4"):
        f(np.zeros(3))
    assert state(srng[drawn.rng]) == before
    f(np.zeros(4))
    assert state(srng[drawn.rng]) != before


@pytest.mark.parametrize("mode", MODES)
def test_states_are_arguments(mode: Any) -> None:
    rng = random_state_type("rng")
    after, numbers = uniform(rng, (4,), dtype="float64")
    given = In(rng, value=state_words(np.random.default_rng(1)), update=after, mutable=True)
    f = function([given], numbers, mode=mode)
    plain = np.random.default_rng(1)
    for _ in range(3):
        assert (f() == plain.random(4)).all()
    second, more = normal(after, (), dtype="float64")
    g = function([rng], [numbers, more, second], mode=mode)
    a, b, words = g(state_words(np.random.default_rng(8)))
    plain = np.random.default_rng(8)
    assert (a == plain.random(4)).all()
    assert b == plain.standard_normal()
    assert state(as_generator(words)) == state(plain)


def test_functions_and_states_are_pickled() -> None:
    srng = RandomStreams(3)
    f = function([], srng.normal((2,)))
    f()
    g = pickle.loads(pickle.dumps(f))
    assert np.array_equal(f(), g())


def test_numbers_are_used_with_other_updates() -> None:
    srng, rng = RandomStreams(3), np.random.default_rng(3)
    total = shared(np.zeros(3))
    f = function([], updates=[(total, total + srng.normal((3,), dtype="float64"))])
    f()
    f()
    assert (total.get_value() == rng.standard_normal(3) + rng.standard_normal(3)).all()


@pytest.mark.parametrize("mode", MODES)
def test_bad_sizes_and_bounds(mode: Any) -> None:
    srng, n, low = RandomStreams(1), T.lscalar("n"), T.lscalar("low")
    f = function([n], srng.uniform((n,)), mode=mode)
    with pytest.raises(ValueError, match="can't have length -1"):
        f(-1)
    g = function([low], srng.random_integers((2,), low, 3), mode=mode)
    assert (g(3) == 3).all()
    with pytest.raises(ValueError, match="low is larger"):
        g(4)
    h = function([n], srng.normal((n,), avg=np.zeros(3)), mode=mode)
    with pytest.raises(ValueError, match="3"):
        h(4)


def test_bad_arguments() -> None:
    srng = RandomStreams(1)
    with pytest.raises(ValueError, match="can't have length -2"):
        srng.uniform((-2,))
    with pytest.raises(ValueError, match="a parameter has 1 axes"):
        srng.normal((), avg=T.vector())
    with pytest.raises(ValueError, match="ndim is 2"):
        srng.uniform((3,), ndim=2)
    with pytest.raises(ValueError, match="number of axes is unknown"):
        srng.uniform(T.lvector())
    with pytest.raises(TypeError, match="bounds must be integers"):
        srng.random_integers((2,), 0.5)
    with pytest.raises(TypeError, match="int32"):
        srng.uniform((2,), dtype="int32")
    with pytest.raises(TypeError, match="not a generator with PCG64"):
        srng.uniform().rng.set_value(np.random.Generator(np.random.Philox(1)))
    with pytest.raises(TypeError, match="not a random state"):
        uniform(T.vector(), (2,))


def test_shared_generators() -> None:
    rng = shared(np.random.default_rng(7), name="rng")
    rng.default_update, drawn = normal(rng, (2,), dtype="float64")
    f, plain = function([], drawn), np.random.default_rng(7)
    for _ in range(2):
        assert (f() == plain.standard_normal(2)).all()
    assert rng.name == "rng"
    assert state(rng.get_value()) == state(plain)
    other = np.random.Generator(np.random.MT19937(1))
    assert shared(other).type == shared(object()).type
