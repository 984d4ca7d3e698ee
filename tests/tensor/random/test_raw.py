"""Distributions as functions of a state: the new state, and the numbers."""

from __future__ import annotations

import numpy as np

from symtheano.tensor.random import distributions, raw
from symtheano.tensor.random.state import random_state_type, state_words
from tests.support.compare import oracle


def test_numbers_and_the_next_state() -> None:
    state = random_state_type("state")
    outputs = [*raw.uniform(state, (3,), 1.0, 2.0), *raw.random_integers(state, (2,), 0, 9)]
    start = state_words(np.random.default_rng(5))
    after_uniform, uniform, after_integers, integers = oracle([state], outputs)(start)
    generator = np.random.default_rng(5)
    np.testing.assert_allclose(uniform, 1 + generator.random(3))
    np.testing.assert_array_equal(after_uniform, state_words(generator))
    assert ((integers >= 0) & (integers <= 9)).all()
    assert not np.array_equal(after_integers, start)


def test_names_and_docstrings_are_those_of_the_distributions() -> None:
    assert raw.gamma.__name__ == "gamma"
    assert raw.gamma.__doc__ == distributions.gamma.__doc__
