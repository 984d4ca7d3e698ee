"""Distributions of streams that seed a generator for each number, against NumPy's generators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

import symtheano.tensor as T
from symtheano import config, function, grad, scan
from symtheano.errors import NullTypeGradError
from symtheano.tensor.random import MRG_RandomStreams, PhiloxStreams, RandomStreams
from symtheano.tensor.random.seeded import INCREMENT, SEEDED, SeededNumbers

MODES = [None, "INTERPRET"]
KINDS = [PhiloxStreams, MRG_RandomStreams]
P = np.array([0.2, 0.5, 0.3])


def generator(words: Any) -> np.random.Generator:
    """Return the generator with a state of two words."""
    made = np.random.PCG64(0)
    state = int(words[0]) << 64 | int(words[1])
    made.state = {**made.state, "state": {"state": state, "inc": INCREMENT}}
    return np.random.Generator(made)


CASES: dict[str, list[tuple[tuple[Any, ...], Callable[..., Any]]]] = {
    "standard_gamma": [((2.5,), lambda g, a: g.standard_gamma(a)),
                       ((np.linspace(0, 3, 12).reshape(3, 4),), lambda g, a: g.standard_gamma(a))],
    "beta": [((0.5, np.linspace(0.1, 3, 12).reshape(3, 4)), lambda g, a, b: g.beta(a, b))],
    "poisson": [((3.0,), lambda g, a: g.poisson(a)),
                ((np.linspace(0, 50, 12).reshape(3, 4),), lambda g, a: g.poisson(a))],
    "binomial": [((40, 0.3), lambda g, n, p: g.binomial(n, p)),
                 ((np.arange(12).reshape(3, 4) * 20, np.linspace(0, 1, 12).reshape(3, 4)),
                  lambda g, n, p: g.binomial(n, p))],
    "multinomial": [((np.arange(12).reshape(3, 4), np.full((3, 4, 3), P)),
                     lambda g, n, p: g.multinomial(n, p))],
}  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SEEDED)
def test_each_number_is_that_of_its_generator(name: str, mode: Any) -> None:
    words = np.random.default_rng(4).integers(0, 2**64, (3, 4, 2), "uint64")
    seeds = T.TensorType("uint64", (None, None, None))("seeds")
    for parameters, plain in CASES[name]:
        given = [np.asarray(item, "int64" if np.asarray(item).dtype.kind == "i" else "float64")
                 for item in parameters]  # fmt: skip
        f = function([seeds], SeededNumbers(name)(seeds, *given), mode=mode)
        found = f(words)
        for index in np.ndindex(3, 4):
            values = [item[index] if np.ndim(item) else item for item in parameters]
            assert (found[index] == plain(generator(words[index]), *values)).all()
        if not any(np.ndim(item) for item in parameters):
            assert f(words[:0]).shape == (0, 4)
            assert (f(words[:2, :1]) == found[:2, :1]).all()


@pytest.mark.parametrize("mode", MODES)
def test_words_and_parameters_are_checked(mode: Any) -> None:
    seeds, a = T.TensorType("uint64", (None, None))("seeds"), T.dvector("a")
    f = function([seeds, a], SeededNumbers("poisson")(seeds, a), mode=mode)
    with pytest.raises(ValueError, match="a state has 3 words, not 2"):
        f(np.zeros((2, 3), "uint64"), np.ones(2))
    with pytest.raises(
        ValueError, match="a parameter has length 3 along axis 0, but the size has 2"
    ):
        f(np.zeros((2, 2), "uint64"), np.ones(3))
    with pytest.raises(ValueError, match="no 'random' numbers"):
        SeededNumbers("random")
    with pytest.raises(TypeError, match="two uint64 each"):
        SeededNumbers("poisson")(T.lmatrix(), a)
    with pytest.raises(TypeError, match="a parameter does not fit"):
        SeededNumbers("poisson")(seeds, T.lvector())
    with pytest.raises(TypeError, match="2 parameters"):
        SeededNumbers("beta")(seeds, a)


@pytest.mark.parametrize("kind", KINDS)
def test_distributions(kind: Any) -> None:
    srng, n = kind(7), 30_000
    made = {
        "gamma": (srng.gamma((n,), 2.5, 3.0, dtype="float64"), stats.gamma(2.5, scale=3)),
        "small gamma": (srng.gamma((n,), 0.3, dtype="float64"), stats.gamma(0.3)),
        "beta": (srng.beta((n,), 2.0, 3.0, dtype="float64"), stats.beta(2, 3)),
        "small beta": (srng.beta((n,), 0.5, 0.3, dtype="float64"), stats.beta(0.5, 0.3)),
    }
    found = function([], [drawn for drawn, _ in made.values()])()
    for name, values, (_, law) in zip(made, found, made.values(), strict=True):
        assert stats.kstest(values, law.cdf).pvalue > 1e-3, name
        assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 0.03, name
    discrete = {
        "poisson": (srng.poisson((n,), 3.0), stats.poisson(3)),
        "larger poisson": (srng.poisson((n,), 30.0), stats.poisson(30)),
        "binomial": (srng.binomial((n,), 20, 0.3), stats.binom(20, 0.3)),
        "one trial": (srng.binomial((n,), 1, 0.3), stats.binom(1, 0.3)),
        "larger binomial": (srng.binomial((n,), 400, 0.4), stats.binom(400, 0.4)),
        "multinomial": (srng.multinomial((n,), 9, P)[:, 1], stats.binom(9, 0.5)),
        "one outcome": (srng.multinomial((n,), 1, P)[:, 1], stats.binom(1, 0.5)),
    }
    found = function([], [drawn for drawn, _ in discrete.values()])()
    for name, values, (_, law) in zip(discrete, found, discrete.values(), strict=True):
        expected = n * law.pmf(np.arange(1000))
        kept = expected > 10
        counts = np.bincount(values, minlength=1000)
        observed = [*counts[kept], counts[~kept].sum()]
        wanted = np.array([*expected[kept], expected[~kept].sum()])
        if wanted[-1] < 1:
            observed, wanted = observed[:-1], wanted[:-1] * sum(observed[:-1]) / wanted[:-1].sum()
        assert stats.chisquare(observed, wanted * sum(observed) / sum(wanted)).pvalue > 1e-3, name


@pytest.mark.parametrize("kind", KINDS)
def test_shapes_dtypes_and_parameters(kind: Any) -> None:
    srng, x, k = kind(7), T.dmatrix("x"), T.lvector("k")
    outputs = [
        srng.gamma(None, x, 2.0), srng.beta((), 1.0, 2.0, dtype="float32"), srng.poisson(None, x),
        srng.binomial(None, k, 0.5), srng.multinomial(None, k, P), srng.poisson((0,), 2.0),
        srng.multinomial((2, 2), 3, P), srng.gamma(x.shape, 0.0),
    ]  # fmt: skip
    for mode in MODES:
        f = function([x, k], outputs, mode=mode)
        found = f(np.ones((2, 3)), np.array([0, 5, 1000]))
        assert [item.shape for item in found] == [
            (2, 3), (), (2, 3), (3,), (3, 3), (0,), (2, 2, 3), (2, 3),
        ]  # fmt: skip
        assert found[1].dtype == "float32"
        assert found[3][0] == 0
        assert found[4].sum(1).tolist() == [0, 5, 1000]
        assert (found[6].sum(-1) == 3).all()
        assert (found[7] == 0).all()
    f = function([x], srng.gamma(None, x))
    with pytest.raises(ValueError, match="a shape is negative"):
        f(-np.ones((1, 1)))


@pytest.mark.parametrize("kind", KINDS)
def test_modes_draw_the_same_numbers(kind: Any) -> None:
    def drawn(mode: Any) -> list[Any]:
        srng = kind(3)
        made = [srng.gamma((5,), 2.5, dtype="float64"), srng.poisson((2, 3), 4.0),
                srng.multinomial((4,), 7, P), srng.beta((), 0.4, 0.7, dtype="float64")]  # fmt: skip
        f = function([], made, mode=mode)
        return [*f(), *f()]

    assert all(map(np.array_equal, drawn(None), drawn("INTERPRET")))


@pytest.mark.parametrize("kind", KINDS)
def test_threads_share_the_work(kind: Any) -> None:
    found = []
    for threads in (1, 2, 3):
        srng = kind(seed=11)
        made = [srng.gamma((30_001,), 0.7), srng.poisson((30_001,), 5.0),
                srng.multinomial((10_001,), 9, P)]  # fmt: skip
        with config.change_flags(threads=threads):
            f = function([], made)
            found.append([*f(), *f()])
    for other in found[1:]:
        assert all(map(np.array_equal, found[0], other))


def test_longer_arrays_begin_with_shorter_ones() -> None:
    srng, n = PhiloxStreams(1), T.lscalar("n")
    for drawn in (srng.gamma((n,), 2.0), srng.poisson((n,), 4.0), srng.binomial((n,), 9, 0.4)):
        f = function([n], drawn, no_default_updates=True)
        assert (f(7) == f(50)[:7]).all()


def test_scale_has_a_gradient_and_a_shape_has_none() -> None:
    srng, shape, scale = PhiloxStreams(1), T.dscalar("shape"), T.dscalar("scale")
    drawn = srng.gamma((4,), shape, scale)
    f = function([shape, scale], [drawn, grad(drawn.sum(), scale)])
    found, slope = f(2.0, 3.0)
    assert slope == pytest.approx(found.sum() / 3)
    with pytest.raises(
        (NullTypeGradError, TypeError), match="no gradient with respect to this parameter"
    ):
        function([shape, scale], grad(drawn.sum(), shape))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_steps_of_a_loop_draw_on(kind: Any, mode: Any) -> None:
    srng = kind(3)
    counts, updates = scan(lambda: srng.poisson((3,), 100.0), n_steps=4)
    f = function([], counts, updates=updates, mode=mode)
    rows = np.concatenate([f(), f()])
    assert rows.shape == (8, 3)
    assert len({tuple(row) for row in rows.tolist()}) == 8


def test_a_random_variable_of_a_step_is_drawn_anew_and_a_non_sequence_once() -> None:
    srng = RandomStreams(7)
    noise = srng.normal((2,), dtype="float64")
    anew, updates = scan(lambda: 2 * noise, n_steps=3)
    draw = function([], [anew, noise], updates=updates, mode="INTERPRET")
    numbers = np.random.default_rng(7).normal(size=6).reshape(3, 2)
    rows, outside = draw()
    assert_array_equal(rows, 2 * numbers)
    assert_array_equal(outside, numbers[0])
    once, updates = scan(lambda x: 2 * x, non_sequences=[noise], n_steps=3)
    assert not updates
    rows = function([], once, mode="INTERPRET")()
    assert_array_equal(rows, rows[[0, 0, 0]])
