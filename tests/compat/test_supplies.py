"""Names that have gone since Theano's time."""

from __future__ import annotations

import collections
import fractions
import inspect
import pickle
import time
from typing import Any

import numpy as np
import pytest

from symtheano.compat.supplies import supplied


def test_names_are_there_only_within_a_program_of_theano() -> None:
    assert supplied() == []
    assert not hasattr(np, "float")
    assert not hasattr(collections, "Mapping")
    assert pickle.load.__module__ == "_pickle"


def test_names_of_numpy(theano: Any) -> None:
    old: Any = np
    assert old.zeros(2, dtype=old.float).dtype == "float64"
    assert old.cast["int8"](3.7) == 3
    assert old.cast[theano.config.floatX]([1, 2]).dtype == theano.config.floatX
    assert old.asscalar(np.array([2.5])) == 2.5
    assert old.product([2, 3]) == 6
    assert old.asfarray([1, 2]).dtype == "float64"
    assert np.isposinf(old.Inf)
    assert np.bool is np.bool_  # NumPy has this name again


def test_names_of_python(theano: Any) -> None:
    assert isinstance({}, collections.Mapping)  # type: ignore[attr-defined]
    assert fractions.gcd(12, 18) == 6  # type: ignore[attr-defined]
    assert time.clock() <= time.clock()  # type: ignore[attr-defined]

    def function(a: int, b: int = 2, *more: int, **named: int) -> None:
        """Nothing."""

    spec = inspect.getargspec(function)  # type: ignore[attr-defined]
    assert spec == (["a", "b"], "more", "named", (2,))
    with pytest.raises(ValueError, match="keyword only"):
        inspect.getargspec(lambda *, a: a)  # type: ignore[attr-defined]


def test_numbers_of_bytes(theano: Any) -> None:
    data = np.arange(3, dtype="<i4").tobytes()
    fromstring: Any = np.fromstring
    numbers = fromstring(data, dtype="<i4")
    np.testing.assert_array_equal(numbers, [0, 1, 2])
    numbers[0] = 5  # its memory is its own
    np.testing.assert_array_equal(fromstring(data, "<i4", 2), [0, 1])
    np.testing.assert_array_equal(fromstring("1 2", sep=" "), [1, 2])
