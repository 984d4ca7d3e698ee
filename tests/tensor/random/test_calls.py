"""Calls of functions with random variables: failures, threads, other modes, files."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.random import MRG_RandomStreams, PhiloxStreams, RandomStreams
from symtheano.tensor.random.drawing import RandomFunction
from symtheano.tensor.random.mrg_op import MRGUniform

KINDS = [RandomStreams, MRG_RandomStreams, PhiloxStreams]
MODES = [None, "INTERPRET"]


def states(srng: Any) -> list[Any]:
    """Return the states of all random variables."""
    return [state.get_value(return_internal_type=True).copy() for state, _ in srng.updates()]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_call_that_fails_late_changes_no_state(kind: Any, mode: Any) -> None:
    srng, x = kind(3), T.dmatrix("x")
    drawn = [srng.normal((3,)), srng.uniform((2,))]
    f = function([x], [*drawn, T.slinalg.cholesky(x)], mode=mode)
    before = states(srng)
    with pytest.raises(np.linalg.LinAlgError):
        f(-np.eye(2))
    assert all(map(np.array_equal, before, states(srng)))
    first = f(np.eye(2))
    assert not any(map(np.array_equal, before, states(srng)))
    srng.seed()
    assert all(map(np.array_equal, first, f(np.eye(2))))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_calls_in_threads_draw_each_number_once(kind: Any, mode: Any) -> None:
    f = function([], kind(3).uniform((20_000,)), mode=mode)
    found: list[tuple[float, ...]] = []

    def work() -> None:
        found.extend(tuple(f()[:3]) for _ in range(10))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = function([], kind(3).uniform((20_000,)))
    assert sorted(found) == sorted(tuple(alone()[:3]) for _ in range(60))


@pytest.mark.parametrize("kind", KINDS)
def test_debug_mode_compares_the_numbers(kind: Any) -> None:
    srng = kind(3)
    made = [srng.normal((3,)), srng.random_integers((4,), 1, 6), srng.permutation((2,), 3)]
    f = function([], made, mode="DEBUG_MODE")
    expected = kind(3)
    plain = [expected.normal((3,)), expected.random_integers((4,), 1, 6),
             expected.permutation((2,), 3)]  # fmt: skip
    # The last digits of logarithms and cosines differ.
    for one, other in zip(f(), function([], plain)(), strict=True):
        assert one == pytest.approx(other, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_states_of_a_stream_are_kept_and_set(kind: Any) -> None:
    srng = kind(3)
    f = function([], [srng.normal((3,)), srng.uniform((2,))])
    f()
    kept = srng.get_state()
    following = f()
    srng.set_state(kept)
    assert all(map(np.array_equal, f(), following))
    with pytest.raises(ValueError, match="2 random variables, and 1 states"):
        srng.set_state(kept[:1])


def test_ops_draw_only_what_they_know() -> None:
    for name, dtype in [("cauchy", "float64"), ("random", "int64"), ("poisson", "float64")]:
        with pytest.raises(ValueError, match=name):
            RandomFunction(name, dtype)
    with pytest.raises(ValueError, match="float16"):
        MRGUniform("float16")
