"""Numbers of the recurrences, and distances of streams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from symtheano import function
from symtheano.sandbox.rng_mrg import (
    MRG_RandomStreams,
    ff_2p72,
    ff_2p134,
    guess_n_streams,
)
from tests.tensor.random.recurrences import M1, M2, MODES, numbers

Matrix = list[list[int]]


def power(matrix: Matrix, exponent: int, modulus: int) -> Matrix:
    """Return a power of a matrix."""

    def times(a: Matrix, b: Matrix) -> Matrix:
        return [
            [sum(a[i][k] * b[k][j] for k in range(3)) % modulus for j in range(3)] for i in range(3)
        ]

    found = [[int(i == j) for j in range(3)] for i in range(3)]
    for bit in bin(exponent)[2:]:
        found = times(found, found)
        found = times(found, matrix) if bit == "1" else found
    return found


def far(state: Sequence[int], steps: int) -> list[int]:
    """Return a state after a number of steps."""
    first = power([[0, 4194304, 129], [1, 0, 0], [0, 1, 0]], steps, M1)
    second = power([[32768, 0, 32769], [1, 0, 0], [0, 1, 0]], steps, M2)
    values = [int(v) for v in state]
    return [
        *(sum(a * x for a, x in zip(row, values[:3], strict=True)) % M1 for row in first),
        *(sum(a * x for a, x in zip(row, values[3:], strict=True)) % M2 for row in second),
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("dtype", "factor"), [("float64", 2.0**-31), ("float32", 4.6566126e-10)])
def test_numbers_are_those_of_the_recurrences(mode: Any, dtype: str, factor: float) -> None:
    for seed in (12345, 1, M2 - 1, [1, 2, 3, 4, 5, 6], [M1 - 1] * 3 + [M2 - 1] * 3):
        for n, streams in (
            (0, None),
            (1, None),
            (5, None),
            (100, 7),
            (3001, 33),
            (50, 64),
            (96, 8),
        ):
            srng = MRG_RandomStreams(seed)
            drawn = srng.uniform((n,), dtype=dtype, nstreams=streams)
            states = drawn.rstate.get_value()
            f = function([], drawn, mode=mode)
            sources = [numbers(state) for state in states]
            for _ in range(2):
                whole = [next(sources[i % len(sources)]) for i in range(n)]
                expected = np.array(whole, "int64").astype(dtype) * np.dtype(dtype).type(factor)
                found = f()
                assert found.dtype == dtype
                assert (found == expected).all()
    assert np.float32(M1) * np.float32(4.6566126e-10) < 1


def test_streams_are_jumps_apart() -> None:
    srng = MRG_RandomStreams([11, 12, 13, 14, 15, 16])
    first, second = srng.uniform((30,)), srng.uniform((2, 2), nstreams=3)
    assert first.rstate.get_value().shape == (guess_n_streams((30,)), 6) == (5, 6)
    state = [11, 12, 13, 14, 15, 16]
    for drawn in (first, second):
        for k, row in enumerate(drawn.rstate.get_value().tolist()):
            assert row == far(state, k * 2**72)
        state = far(state, 2**134)
    assert srng.rstate.tolist() == state
    assert ff_2p72(state).tolist() == far(state, 2**72)
    assert ff_2p134(state).tolist() == far(state, 2**134)
    kept = srng.get_substream_rstates(2, inc_rstate=False)
    assert (kept == srng.get_substream_rstates(2)).all()


def test_many_streams_are_jumps_apart() -> None:
    rows = MRG_RandomStreams(7).get_substream_rstates(100)
    assert rows[99].tolist() == far([7] * 6, 99 * 2**72)
