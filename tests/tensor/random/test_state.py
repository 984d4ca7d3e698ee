"""States of generators."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano import function
from symtheano.tensor import raw_random
from symtheano.tensor.random.state import random_state_type, state_words


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_words_that_no_generator_has(mode: str | None) -> None:
    """Only the bits count that the state of a generator can have."""
    rng = random_state_type("rng")
    after, x = raw_random.uniform(rng, dtype="float64")
    words = state_words(np.random.default_rng(3)).copy()
    words[4:] = 2**64 - 1, 2**40 + 5
    state, number = function([rng], [after, x], mode=mode)(words)
    assert list(state[4:]) == [1, 5]
    assert number == np.random.default_rng(3).random()
