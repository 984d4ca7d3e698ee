"""Keys of processes and tasks, and the words that they give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano.tensor.random.base import checked_spawn_key, spawned_words


def test_keys_are_sequences_of_integers() -> None:
    assert checked_spawn_key([np.int8(3), 0], "Streams") == (3, 0)
    assert checked_spawn_key((), "Streams") == ()


@pytest.mark.parametrize("value", [3, None, [1.5], ["a"]])
def test_what_is_no_key(value: Any) -> None:
    with pytest.raises(TypeError, match="Streams: the spawn_key must be a sequence of integers"):
        checked_spawn_key(value, "Streams")


def test_negative_numbers() -> None:
    with pytest.raises(ValueError, match=r"the spawn_key \(1, -1\) has a negative number"):
        checked_spawn_key([1, -1], "Streams")


def test_words_are_numpys() -> None:
    child = np.random.SeedSequence(5).spawn(2)[1]
    assert (spawned_words(5, (1,), 3) == child.generate_state(3, "uint64")).all()
