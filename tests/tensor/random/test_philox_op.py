"""Arrays of random numbers are those of their positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.scalar.philox import BY_KIND
from symtheano.tensor.random.philox_op import FirstPhiloxNumbers, PhiloxNumbers
from tests.tensor.random.counters import KINDS, MODES


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_have_the_numbers_of_their_positions(kind: tuple[str, str]) -> None:
    number, n = T.TensorType("uint64", (None,))("number"), T.lscalar("n")
    key, stream = (T.TensorType("uint64", ())(name) for name in ("key", "stream"))
    drawn = PhiloxNumbers(*kind)(key, stream, n)
    one = function([key, stream, number], BY_KIND[kind](key, stream, number))
    f = function([key, stream, n], drawn)
    g = function([key, stream, n], drawn, mode="INTERPRET")
    given = np.uint64(2**63 + 12345), np.uint64(2**40 + 3)
    expected = one(*given, np.arange(300, dtype="uint64"))
    for length in (0, 1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 129, 300):
        assert (f(*given, length) == expected[:length]).all()
        assert (g(*given, length) == expected[:length]).all()
    table = function([key, stream, n], PhiloxNumbers(*kind)(key, stream, n, n + 1))
    for length in (0, 1, 5, 12):
        assert (
            table(*given, length) == expected[: length * (length + 1)].reshape(length, length + 1)
        ).all()
    with pytest.raises(ValueError, match="length -1"):
        f(*given, -1)


@pytest.mark.parametrize("kind", KINDS)
def test_first_numbers_of_streams(kind: tuple[str, str]) -> None:
    n = T.lscalar("n")
    key, stream = (T.TensorType("uint64", ())(name) for name in ("key", "stream"))
    streams = T.TensorType("uint64", (None,))("streams")
    one = function([key, streams], BY_KIND[kind](key, streams, np.uint64(0)))
    given = np.uint64(2**63 + 12345), np.uint64(2**64 - 40)
    for by in (0, 1, 3, 2**62):
        drawn = FirstPhiloxNumbers(*kind, by)(key, stream, n)
        f = function([key, stream, n], drawn)
        g = function([key, stream, n], drawn, mode="INTERPRET")
        expected = one(given[0], given[1] + np.arange(100, dtype="uint64") * np.uint64(by))
        for length in (0, 1, 3, 4, 15, 16, 17, 64, 99):
            assert (f(*given, length) == expected[:length]).all()
            assert (g(*given, length) == expected[:length]).all()
        with pytest.raises(ValueError, match="length -1"):
            f(*given, -1)
    with pytest.raises(ValueError, match="do not grow by -1"):
        FirstPhiloxNumbers(*kind, -1)


@pytest.mark.parametrize("mode", MODES)
def test_too_many_numbers(mode: Any) -> None:
    key, stream = (T.TensorType("uint64", ())(name) for name in ("key", "stream"))
    n, m = T.lscalars("n", "m")
    first = function([key, stream, n], FirstPhiloxNumbers("random", "float64", 3)(key, stream, n),
                     mode=mode)  # fmt: skip
    row = function([key, stream, n], PhiloxNumbers("random", "float64")(key, stream, n), mode=mode)
    table = function([key, stream, n, m], PhiloxNumbers("random", "float64")(key, stream, n, m),
                     mode=mode)  # fmt: skip
    for length in (2**62, 2**63 - 1):
        for f in (first, row):
            with pytest.raises(MemoryError, match="not enough memory"):
                f(1, 2, length)
    for lengths in ((2**32, 2**32), (2**63 - 1, 3), (3, 2**62)):
        with pytest.raises(MemoryError, match=r"not enough memory|too large"):
            table(1, 2, *lengths)


def test_wrong_arguments_are_refused() -> None:
    key = T.TensorType("uint64", ())("key")
    with pytest.raises(ValueError, match="'random' numbers of dtype 'int64' are not supported"):
        PhiloxNumbers("random", "int64")
    for wrong in (T.lscalar("n"), T.TensorType("uint64", (None,))("v")):
        with pytest.raises(TypeError):
            PhiloxNumbers("random", "float64")(key, wrong, 3)
