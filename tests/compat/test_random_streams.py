"""Random streams have the numbers of NumPy's ``RandomState``."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

SEED = 234


def stream(theano: Any) -> Any:
    from theano.tensor.shared_randomstreams import RandomStreams

    return RandomStreams(SEED)


def state() -> np.random.RandomState:
    return np.random.RandomState(int(np.random.RandomState(SEED).randint(2**30)))


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("uniform", {"size": (2, 3)}, lambda r: r.uniform(size=(2, 3))),
        ("uniform", {"low": 1.0, "high": np.ones(4) * 3, "size": (4,)},
         lambda r: r.uniform(1.0, 3.0, size=4)),
        ("normal", {"size": (5,), "avg": 2, "std": 0.5}, lambda r: r.normal(2, 0.5, 5)),
        ("binomial", {"size": (6,), "n": 7, "p": 0.3}, lambda r: r.binomial(7, 0.3, 6)),
        ("poisson", {"size": (6,), "lam": 3.0}, lambda r: r.poisson(3.0, 6)),
        ("random_integers", {"size": (8,), "low": -2, "high": 5}, lambda r: r.randint(-2, 6, 8)),
        ("choice", {"size": (5,), "a": 9}, lambda r: r.choice(9, 5)),
        ("choice", {"size": (3,), "a": [4, 8, 9], "replace": False, "p": [0.2, 0.3, 0.5]},
         lambda r: r.choice([4, 8, 9], 3, False, [0.2, 0.3, 0.5])),
        ("permutation", {"size": (2,), "n": 6}, lambda r: [r.permutation(6) for _ in range(2)]),
        ("multinomial", {"size": (2,), "n": 9, "pvals": [0.2, 0.8]},
         lambda r: [r.multinomial(9, [0.2, 0.8]) for _ in range(2)]),
    ],
)  # fmt: skip
def test_same_bits(theano: Any, name: str, options: dict[str, Any], expected: Any) -> None:
    draw = theano.function([], getattr(stream(theano), name)(**options))
    reference = state()
    for _ in range(2):
        wanted = np.asarray(expected(reference))
        result = draw()
        assert result.shape == wanted.shape
        np.testing.assert_array_equal(result, wanted)


def test_the_state_is_a_random_state(theano: Any) -> None:
    streams = stream(theano)
    x = streams.normal((3,))
    draw = theano.function([], x)
    before = x.rng.get_value()
    assert isinstance(before, np.random.RandomState)
    np.testing.assert_array_equal(draw(), before.normal(size=3))
    np.testing.assert_array_equal(draw(), before.normal(size=3))  # one normal number is held
    x.rng.set_value(state())
    np.testing.assert_array_equal(draw(), state().normal(size=3))
    streams.seed(7)
    seeded = np.random.RandomState(int(np.random.RandomState(7).randint(2**30)))
    np.testing.assert_array_equal(draw(), seeded.normal(size=3))
    streams[x.rng] = state()
    assert streams[x.rng].get_state()[2] == state().get_state()[2]
    with pytest.raises(TypeError, match="RandomState"):
        x.rng.set_value(5)


def test_a_state_is_an_input(theano: Any) -> None:
    from theano.tensor import raw_random

    kind = raw_random.random_state_type
    r = kind()
    after, x = raw_random.uniform(r, (2, -1), low=np.zeros(3))
    draw = theano.function([r], [after, x])
    words, numbers = draw(state())
    reference = state()
    np.testing.assert_array_equal(numbers, reference.uniform(size=(2, 3)))
    assert kind.values_eq(words, reference)
    np.testing.assert_array_equal(draw(words)[1], reference.uniform(size=(2, 3)))
    with pytest.raises(ValueError, match="axis 0"):
        raw_random.uniform(r, (-1, 3), low=np.zeros(3))
    with pytest.raises(ValueError, match="2 axes, and the result 1"):
        raw_random.uniform(r, (3,), low=np.zeros((2, 3)))


def test_rows_are_shuffled(theano: Any) -> None:
    shuffled = stream(theano).shuffle_row_elements(theano.tensor.as_tensor_variable(np.eye(3)))
    rows, order = theano.function([], [shuffled, shuffled.permutation])()
    np.testing.assert_array_equal(rows, np.take_along_axis(np.eye(3), order, axis=1))


def gibbs(theano: Any, streams: Any, steps: int) -> Any:
    """Return what a chain of draws, whose lengths are those of its states, ends in."""
    T = theano.tensor
    start = T.dmatrix("start")

    def step(h: Any) -> Any:
        mean = T.nnet.sigmoid(h - 0.5)
        return streams.binomial(size=mean.shape, n=1, p=mean, dtype="float64")

    states, updates = theano.scan(step, outputs_info=start, n_steps=steps)
    return theano.function([start], states, updates=updates)


def test_draws_in_a_loop_have_the_lengths_of_its_states(theano: Any) -> None:
    chain = gibbs(theano, stream(theano), 4)
    reference = state()
    for start in (np.zeros((3, 5)), np.ones((2, 1))):
        h = start
        for drawn in chain(start):
            h = reference.binomial(1, 1 / (1 + np.exp(0.5 - h))).astype("float64")
            np.testing.assert_array_equal(drawn, h)


def test_lengths_of_draws(theano: Any) -> None:
    T = theano.tensor
    streams, n, low = stream(theano), T.lscalar("n"), T.dmatrix("low")
    draws = [
        streams.uniform((n, 2)),
        streams.uniform(low=low),
        streams.permutation(size=(2,), n=n),
        streams.multinomial(size=(n,), n=1, pvals=[0.2, 0.3, 0.5]),
        streams.permutation(n=n),
        streams.uniform(()),
    ]
    f = theano.function([n, low], [each.shape for each in draws])
    wanted = [(4, 2), (3, 1), (2, 4), (4, 3), (4,), ()]
    assert [tuple(each) for each in f(4, np.zeros((3, 1)))] == wanted
    values = theano.function([n, low], draws)(4, np.zeros((3, 1)))
    assert [each.shape for each in values] == wanted


def test_outcomes_of_given_uniform_numbers(theano: Any) -> None:
    multinomial = importlib.import_module("theano.sandbox.multinomial")
    p, u, n = theano.tensor.matrix("p"), theano.tensor.vector("u"), theano.tensor.iscalar("n")
    count = theano.function([p, u, n], multinomial.MultinomialFromUniform("auto")(p, u, n))
    values = [[0.5, 0.5], [0.25, 0.75]]
    assert count(values, [0.4, 0.3], 1).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert count(values, [0.4, 0.3, 0.6, 0.9], 2).tolist() == [[1.0, 1.0], [0.0, 2.0]]
    choose = theano.function([p, u, n], multinomial.ChoiceFromUniform()(p, u, n))
    assert choose(values, [0.4, 0.3, 0.6, 0.9], 2).tolist() == [[0, 1], [1, 0]]
    again = multinomial.ChoiceFromUniform(replace=True)(p, u, n)
    assert theano.function([p, u, n], again)(values, [0.4, 0.3] * 3, 3).tolist() == [
        [0, 0, 0],
        [1, 1, 1],
    ]
    with pytest.raises(ValueError, match="3 draws without replacement of 2"):
        choose(values, np.zeros(6), 3)
    with pytest.raises(ValueError, match="1 numbers for 1 draws of 2 rows"):
        count(values, [0.5], 1)
    with pytest.raises(TypeError, match="got 1, 1, 0"):
        multinomial.MultinomialFromUniform()(u, u)
