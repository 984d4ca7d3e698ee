"""Keys that tell processes with one seed apart, as in NumPy's SeedSequence."""

from __future__ import annotations

import multiprocessing
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.sandbox.rng_mrg import MRG_RandomStreams
from symtheano.tensor.random import PhiloxStreams, RandomStreams
from symtheano.tensor.random.mrg31k3p import M1, M2

CLASSES = (RandomStreams, MRG_RandomStreams, PhiloxStreams)
KEYS = ((), (0,), (1,), (2**40,), (0, 0), (1, 0), (0, 1), tuple(range(9)))


def drawn(streams: Any) -> np.ndarray[Any, Any]:
    """Return numbers of three random variables."""
    variables = [streams.uniform((4,), dtype="float64") for _ in range(3)]
    return np.stack(function([], variables, mode="INTERPRET")())


@pytest.mark.parametrize("key", KEYS)
def test_numbers_are_numpys_for_the_key(key: tuple[int, ...]) -> None:
    root = np.random.SeedSequence(12, spawn_key=key)
    wanted = [np.random.default_rng(one).random(4) for one in (root, *root.spawn(2))]
    np.testing.assert_array_equal(drawn(RandomStreams(12, spawn_key=key)), wanted)


@pytest.mark.parametrize("kind", CLASSES)
def test_without_a_key_nothing_changes(kind: Any) -> None:
    np.testing.assert_array_equal(drawn(kind(5)), drawn(kind(5, spawn_key=())))


@pytest.mark.parametrize("kind", CLASSES)
def test_keys_of_equal_length_have_no_common_numbers(kind: Any) -> None:
    keys = [(k,) for k in range(20)]
    numbers = np.concatenate([drawn(kind(5, spawn_key=key)).ravel() for key in keys])
    assert len(np.unique(numbers)) == numbers.size
    again = np.concatenate([drawn(kind(5, spawn_key=key)).ravel() for key in keys])
    np.testing.assert_array_equal(numbers, again)


def test_words_are_those_of_numpys_sequence() -> None:
    sequence = np.random.SeedSequence(7, spawn_key=(3, 1))
    state = PhiloxStreams(7, spawn_key=(3, 1)).uniform((2,)).rng
    assert state.get_value()[0] == sequence.generate_state(1, "uint64")[0]
    words = np.random.SeedSequence([7] * 6, spawn_key=(3, 1)).generate_state(6, "uint64")
    moduli = [M1] * 3 + [M2] * 3
    first = [1 + int(word) % (modulus - 1) for word, modulus in zip(words, moduli, strict=True)]
    assert MRG_RandomStreams(7, spawn_key=(3, 1)).rstate.tolist() == first


@pytest.mark.parametrize("kind", CLASSES)
def test_seeding_with_a_key(kind: Any) -> None:
    streams = kind(5)
    variables = [streams.uniform((4,), dtype="float64") for _ in range(3)]
    f = function([], variables, mode="INTERPRET")
    before = np.stack(f())
    streams.seed(spawn_key=(8,))
    np.testing.assert_array_equal(f(), drawn(kind(5, spawn_key=(8,))))
    streams.seed(6, spawn_key=[8])
    np.testing.assert_array_equal(f(), drawn(kind(6, spawn_key=(8,))))
    streams.seed()
    np.testing.assert_array_equal(f(), before)


@pytest.mark.parametrize("kind", CLASSES)
def test_seeding_without_one_keeps_that_of_the_instance(kind: Any) -> None:
    streams = kind(5, spawn_key=(2,))
    f = function([], streams.uniform((4,), dtype="float64"), mode="INTERPRET")
    first = f()
    streams.seed()
    np.testing.assert_array_equal(f(), first)
    streams.seed(spawn_key=())
    np.testing.assert_array_equal(f(), drawn(kind(5))[0])


@pytest.mark.parametrize("kind", [RandomStreams, PhiloxStreams])
def test_a_seed_of_the_system_with_a_key(kind: Any) -> None:
    assert (drawn(kind(None, spawn_key=(1,))) != drawn(kind(None, spawn_key=(1,)))).all()


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize(
    ("key", "error", "message"),
    [
        (3, TypeError, r"the spawn_key must be a sequence of integers, such as \(0,\), not int 3"),
        ((1.5,), TypeError, "sequence of integers"),
        ("ab", TypeError, "sequence of integers"),
        ((0, -1), ValueError, r"the spawn_key \(0, -1\) has a negative number"),
    ],
)
def test_keys_that_are_none(kind: Any, key: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"{kind.__name__}: .*{message}"):
        kind(5, spawn_key=key)
    streams = kind(5)
    f = function([], streams.uniform((2,)), mode="INTERPRET")
    before = streams.get_state()
    with pytest.raises(error, match=message):
        streams.seed(spawn_key=key)
    np.testing.assert_array_equal(streams.get_state(), before)
    assert f().shape == (2,)


@pytest.mark.needs_cc
@pytest.mark.parametrize("kind", CLASSES)
def test_forked_children_draw_numbers_of_their_own(kind: Any) -> None:
    streams = kind(5)
    f = function([], T.floor(2**30 * streams.uniform((4,), dtype="float64")))
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()

    def work(key: tuple[int, ...] | None) -> None:
        if key is not None:
            streams.seed(spawn_key=key)
        results.put(f().tolist())

    found = []
    for key in (None, None, (0,), (1,)):
        child = context.Process(target=work, args=(key,))
        child.start()
        child.join(60)
        assert child.exitcode == 0
        found.append(results.get())
    assert found[0] == found[1] == f().tolist(), "a child has the states of its parent"
    assert found[0] != found[2] != found[3] != found[0]
