"""Distributions of RandomStreams that are more than shifted and scaled numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import NullTypeGradError
from symtheano.tensor.shared_randomstreams import RandomStreams

P = np.array([0.2, 0.5, 0.3])
ROWS = np.array([[0.2, 0.5, 0.3], [0.6, 0.4, 0.0]])
X = np.arange(12.0).reshape(3, 4)
CASES: dict[str, tuple[Callable[[RandomStreams], Any], Callable[[np.random.Generator], Any]]] = {
    "permutation": (lambda s: s.permutation((3,), 7),
                    lambda g: np.array([g.permutation(7) for _ in range(3)])),
    "one permutation": (lambda s: s.permutation(n=1000), lambda g: g.permutation(1000)),
    "empty permutation": (lambda s: s.permutation((2,), n=0), lambda g: np.zeros((2, 0))),
    "rows": (lambda s: s.shuffle_row_elements(X),
             lambda g: np.array([row[g.permutation(4)] for row in X])),
    "choice": (lambda s: s.choice((4, 5), 9), lambda g: g.choice(9, (4, 5))),
    "items": (lambda s: s.choice((4,), np.array([1.5, 2.5])), lambda g: g.choice([1.5, 2.5], 4)),
    "weighted choice": (lambda s: s.choice((4, 50), 3, p=P), lambda g: g.choice(3, (4, 50), p=P)),
    "different": (lambda s: s.choice((4,), 9, False), lambda g: g.choice(9, 4, False)),
    "weighted, different": (lambda s: s.choice((2,), 3, False, P),
                            lambda g: g.choice(3, 2, False, P)),
    "gamma": (lambda s: s.gamma((100,), 2.5, 3.0), lambda g: g.gamma(2.5, 3.0, 100)),
    "small gamma": (lambda s: s.gamma(None, X[1] / 10), lambda g: g.gamma(X[1] / 10)),
    "beta": (lambda s: s.beta((3, 4), 0.5, X + 0.1), lambda g: g.beta(0.5, X + 0.1)),
    "poisson": (lambda s: s.poisson((50, 3, 4), X), lambda g: g.poisson(X, (50, 3, 4))),
    "binomial": (lambda s: s.binomial((100,), 40, 0.3), lambda g: g.binomial(40, 0.3, 100)),
    "binomials": (lambda s: s.binomial((3, 4), X.astype("int64"), prob=0.3),
                  lambda g: g.binomial(X.astype("int64"), 0.3)),
    "multinomial": (lambda s: s.multinomial((5,), 40, P), lambda g: g.multinomial(40, P, 5)),
    "multinomials": (lambda s: s.multinomial(None, np.array([3, 4]), ROWS),
                     lambda g: g.multinomial([3, 4], ROWS)),
}  # fmt: skip


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
@pytest.mark.parametrize("name", CASES)
def test_numbers_and_states_are_those_of_numpy(name: str, mode: Any) -> None:
    draw, plain = CASES[name]
    for seed in range(5):
        srng, rng = RandomStreams(seed), np.random.default_rng(seed)
        drawn = draw(srng)
        f = function([], drawn, mode=mode)
        for _ in range(2):
            found, expected = f(), plain(rng)
            assert found.shape == expected.shape
            assert (found == expected).all()
        assert srng[drawn.rng].bit_generator.state == rng.bit_generator.state


GAMMAS = [(0.0,), (1e-3,), (0.3,), (0.999,), (1.0,), (1.5,), (30.0,), (1e5,)]
BETAS = [(0.5, 0.5), (1.0, 1.0), (1e-200, 1e-200), (1e-5, 1e-6), (1e-3, 2e-3), (2.0, 0.3),
         (0.01, 0.02), (5.0, 50.0), (1e-310, 1e-110)]  # fmt: skip
MEANS = [(0.0,), (1e-5,), (1.0,), (9.99,), (10.0,), (12.0,), (100.0,), (1e6,), (1e15,)]
TRIALS = [(0, 0.5), (10, 0.0), (10, 1.0), (1, 0.3), (20, 0.5), (60, 0.5), (61, 0.5), (100, 0.31),
          (1000, 0.5), (1000, 0.999), (10**6, 0.3), (10**12, 0.7), (10**5, 1e-4),
          (500, 0.1)]  # fmt: skip
OUTCOMES = [(5, P), (1000, P), (0, P), (100, [0.0, 0.5, 0.5]), (100, [1.0, 0.0, 0.0]),
            (10**6, [0.1] * 10), (3, [1.0])]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "parameters"),
    [(name, given) for name, list_ in [("gamma", GAMMAS), ("beta", BETAS), ("poisson", MEANS),
                                       ("binomial", TRIALS), ("multinomial", OUTCOMES)]
     for given in list_],
    ids=str,
)  # fmt: skip
def test_routines_draw_numpys_bits(name: str, parameters: Any) -> None:
    srng, rng = RandomStreams(5), np.random.default_rng(5)
    drawn = getattr(srng, name)((20_000,), *parameters)
    f = function([], drawn)
    for _ in range(2):
        assert (f() == getattr(rng, name)(*parameters, size=20_000)).all()
    assert srng[drawn.rng].bit_generator.state == rng.bit_generator.state


@pytest.mark.parametrize("p", [1e-300, 1e-16, 1e-9, 0.1, 0.3, 0.5, 0.7, 1 - 1e-16, 1 - 2.0**-52])
def test_single_trials_have_numpys_bits(p: float) -> None:
    srng, rng = RandomStreams(5), np.random.default_rng(5)
    drawn = srng.binomial((500_000,), 1, np.float64(p))
    assert (function([], drawn)() == rng.binomial(1, p, 500_000)).all()
    assert srng[drawn.rng].bit_generator.state == rng.bit_generator.state


def test_single_trials_at_the_edge_have_numpys_bits() -> None:
    """The uniform numbers are within some units of the probability of failure."""
    u = np.random.default_rng(9).random(100_000)
    for units in (-8, -2, -1, 0, 1, 2, 8):
        p = np.clip(1 - u + units * 2.0**-53, 0, 1)
        found = function([], RandomStreams(9).binomial(None, 1, p))()
        assert (found == np.random.default_rng(9).binomial(1, p)).all()


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_bits_with_other_parameters_for_each_element(mode: Any) -> None:
    values = np.random.default_rng(0)
    mean, n = values.uniform(0, 40, 5000), values.integers(0, 300, 5000)
    p = values.uniform(0, 1, 5000)
    srng, rng = RandomStreams(5), np.random.default_rng(5)
    rngs = [rng, *np.random.default_rng(5).spawn(2)]
    f = function([], [srng.poisson(None, mean), srng.gamma(None, mean / 10),
                      srng.binomial(None, n, p)], mode=mode)  # fmt: skip
    a, b, c = f()
    assert (a == rngs[0].poisson(mean)).all()
    assert (b == rngs[1].gamma(mean / 10)).all()
    assert (c == rngs[2].binomial(n, p)).all()


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_parameters_are_checked(mode: Any) -> None:
    x = T.dvector("x")
    n = T.cast(x, "int64")
    for name, draw, good, bad in [
        ("gamma", lambda s: s.gamma(None, x), [0.0], [-1.0, np.nan]),
        ("beta", lambda s: s.beta(None, x, 1.0), [0.5], [0.0, np.nan]),
        ("beta", lambda s: s.beta(None, 1.0, x), [0.5], [-1.0]),
        ("poisson", lambda s: s.poisson(None, x), [0.0], [-1.0, np.nan, 1e19]),
        ("binomial", lambda s: s.binomial(None, 3, x), [1.0], [1.1, -0.1, np.nan]),
        ("binomial", lambda s: s.binomial(None, n, 0.5), [3.0], [-1.0]),
        ("multinomial", lambda s: s.multinomial(None, n, P), [3.0], [-1.0]),
        ("multinomial", lambda s: s.multinomial((), 3, T.stack([x[0]] * 3)), [1 / 3], [0.6]),
    ]:  # fmt: skip
        f = function([x], draw(RandomStreams(1)), mode=mode)
        for value in good:
            f([value])
        for value in bad:
            with pytest.raises(ValueError, match=name):
                f([value])


def test_laplace_and_truncated_numbers() -> None:
    srng, rng = RandomStreams(3), np.random.default_rng(3)
    x, y = function([], [srng.laplace((1000,), 1.0, 2.0), srng.truncated_normal((20_000,), 3.0)])()
    assert x == pytest.approx(rng.laplace(1.0, 2.0, 1000))
    assert abs(y - 3).max() < 2 / 0.8796
    assert abs(y.mean() - 3) < 0.04
    assert abs(y.std() - 1) < 0.02


def test_scale_has_a_gradient_and_shape_has_none() -> None:
    srng, scale, shape = RandomStreams(3), T.dscalar("scale"), T.dscalar("shape")
    drawn = srng.gamma((3,), shape, scale)
    f = function([shape, scale], [drawn, grad(drawn.sum(), scale)])
    found, slope = f(2.0, 3.0)
    assert slope == pytest.approx(found.sum() / 3)
    with pytest.raises(NullTypeGradError, match="standard_gamma"):
        grad(drawn.sum(), shape)


def test_errors() -> None:
    srng, n = RandomStreams(3), T.lscalar("n")
    with pytest.raises(ValueError, match="at least one dim"):
        srng.shuffle_row_elements(T.dscalar())
    with pytest.raises(ValueError, match="the items must be a vector"):
        srng.choice((2,), T.dmatrix())
    with pytest.raises(ValueError, match="probabilities must be a vector"):
        srng.choice((2,), 3, p=T.dmatrix())
    with pytest.raises(TypeError, match="not an integer"):
        srng.binomial((2,), 1.5)
    with pytest.raises(ValueError, match="must have an axis of outcomes"):
        srng.multinomial((2,), 3, T.dscalar())
    f = function([n], srng.choice((n,), 3, replace=False))
    with pytest.raises(ValueError, match="fewer items than are drawn"):
        f(4)
    assert sorted(f(3)) == [0, 1, 2]
