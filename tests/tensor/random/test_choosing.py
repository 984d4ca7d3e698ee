"""Choice without replacement, compared with NumPy's bits and states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.errors import DisconnectedInputError
from symtheano.tensor.random import RandomStreams
from symtheano.tensor.random.choosing import DifferentItems
from symtheano.tensor.random.state import random_state_type

MODES = [None, "INTERPRET"]


@pytest.mark.parametrize("mode", MODES)
def test_items_and_states_are_those_of_numpy(mode: Any) -> None:
    srng, rng = RandomStreams(3), np.random.default_rng(3)
    n, number = T.lscalar("n"), T.lscalar("number")
    f = function([n, number], srng.choice((n,), number, replace=False), mode=mode)
    # Above 10,000 items of which more than a 50th is drawn, NumPy shuffles all.
    for size, items in [
        (0, 0), (0, 5), (1, 1), (1, 9), (2, 2), (9, 9), (5, 100), (100, 100), (1000, 10_000),
        (10_000, 10_000), (200, 10_001), (201, 10_001), (10_001, 10_001), (300, 20_000),
        (3, 2**31), (3, 2**32), (3, 2**40), (50, 2**32 + 10), (0, 20_000),
    ]:  # fmt: skip
        found, expected = f(size, items), rng.choice(items, size, replace=False)
        assert (found == expected).all()
        state = srng[srng.state_updates[0][0]].bit_generator.state
        assert state == rng.bit_generator.state


@pytest.mark.parametrize("mode", MODES)
def test_weighted_items_are_those_of_numpy(mode: Any) -> None:
    srng, rng, draws = RandomStreams(3), np.random.default_rng(3), np.random.default_rng(8)
    n, p = T.lscalar("n"), T.dvector("p")
    f = function([n, p], srng.choice((n,), p.shape[0], replace=False, p=p), mode=mode)
    for size, items in [(0, 3), (1, 1), (2, 2), (3, 9), (9, 9), (50, 60), (60, 60), (200, 1000)]:
        weights = draws.random(items) ** 4
        weights[size + 1 :: 7] = 0
        weights /= weights.sum()
        expected = rng.choice(items, size, replace=False, p=weights)
        assert (f(size, weights) == expected).all()
        state = srng[srng.state_updates[0][0]].bit_generator.state
        assert state == rng.bit_generator.state


def test_shapes_and_items() -> None:
    srng, rng = RandomStreams(3), np.random.default_rng(3)
    f = function([], srng.choice((3, 4), 20, replace=False))
    assert (f() == rng.choice(20, (3, 4), replace=False)).all()
    assert "pcg64_different" in f.c_source
    one = function([], srng.choice((), np.arange(5) * 1.5, replace=False))
    assert one() == np.random.default_rng(3).spawn(1)[0].choice(np.arange(5) * 1.5)


@pytest.mark.parametrize("mode", MODES)
def test_errors(mode: Any) -> None:
    srng = RandomStreams(3)
    n, number, p = T.lscalar("n"), T.lscalar("number"), T.dvector("p")
    f = function([n, number], srng.choice((n,), number, replace=False), mode=mode)
    for size, items in ((4, 3), (1, 0), (1, -1), (20_000, 15_000)):
        with pytest.raises(ValueError, match="fewer items than are drawn"):
            f(size, items)
    with pytest.raises(ValueError, match="length -1"):
        f(-1, 3)
    f = function([n, p], srng.choice((n,), 3, replace=False, p=p), mode=mode)
    with pytest.raises(ValueError, match="fewer items than are drawn"):
        f(3, [0.5, 0.5, 0.0])
    for wrong in ([1.5, -0.5, 0.0], [np.nan, 0.5, 0.5]):
        with pytest.raises(ValueError, match="a probability is negative or NaN"):
            f(2, wrong)
    with pytest.raises(ValueError, match="negative or do not sum to 1"):
        f(2, [0.5, 0.6, 0.5])
    with pytest.raises(ValueError, match="is not the number of probabilities"):
        f(2, [0.5, 0.5])
    state = random_state_type()
    for weighted, items in ((False, p), (True, number), (False, T.iscalar())):
        with pytest.raises(TypeError, match="choice: the second operand is not a"):
            DifferentItems(weighted)(state, items, n)
    with pytest.raises(TypeError, match="not a random state"):
        DifferentItems(False)(T.TensorType("uint64", (5,))(), number, n)


def test_chosen_items_have_a_gradient() -> None:
    srng, items, p = RandomStreams(3), T.dvector("items"), T.dvector("p")
    drawn = srng.choice((2,), items, replace=False, p=p)
    f = function([items, p], [drawn, grad(drawn.sum(), items)])
    found, slope = f([1.0, 2.0, 3.0, 4.0], [0.1, 0.2, 0.3, 0.4])
    assert (np.isin([1.0, 2.0, 3.0, 4.0], found) == slope).all()
    with pytest.raises(DisconnectedInputError):
        grad(drawn.sum(), p)


@pytest.mark.parametrize("mode", MODES)
def test_steps_of_a_loop_choose(mode: Any) -> None:
    srng, rng = RandomStreams(3), np.random.default_rng(3)
    rows, updates = scan(lambda: srng.choice((4,), 30, replace=False), n_steps=5)
    f = function([], rows, updates=updates, mode=mode)
    for _ in range(2):
        assert (f() == [rng.choice(30, 4, replace=False) for _ in range(5)]).all()
