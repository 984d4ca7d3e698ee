"""What is known of index arrays when the graph is built."""

from __future__ import annotations

import numpy as np

import symtheano.tensor as T
from symtheano.tensor.indexing.index_facts import (
    counts_from_zero,
    distinct,
    known_elements,
    never_negative,
    surely_inside,
    without_shift,
)

N = T.lscalar("n")


def constant(*values: int) -> T.TensorVariable:
    return T.constant(np.array(values))


def test_elements_of_constants_are_known_whatever_the_order_of_axes() -> None:
    found = known_elements(constant(2, 0).dimshuffle("x", 0))
    assert found is not None
    assert found.tolist() == [2, 0]
    assert known_elements(T.lvector()) is None


def test_what_is_never_negative() -> None:
    assert never_negative(constant(0, 2))
    assert never_negative(T.arange(N))
    assert never_negative(T.argmax(T.matrix(), axis=0))
    assert not never_negative(constant(0, -1))
    assert not never_negative(T.arange(-3, N))
    assert not never_negative(T.lvector())
    assert not never_negative(T.arange(N, dtype="int8"))  # which wraps around


def test_what_is_distinct() -> None:
    assert distinct([constant(2, 0)])
    assert distinct([T.arange(N)])
    assert not distinct([constant(2, 2)])
    assert not distinct([constant(0, -1)])  # may be one element
    assert not distinct([T.lvector()])


def test_what_is_inside() -> None:
    assert surely_inside(constant(0, -3, 2), 3)
    assert not surely_inside(constant(0, 3), 3)
    assert not surely_inside(constant(0), N)
    assert surely_inside(constant(), N)


def test_counters() -> None:
    assert counts_from_zero(T.arange(N))
    assert not counts_from_zero(T.arange(1, N))
    assert not counts_from_zero(T.arange(0, N, 2))


def test_what_is_added_to_an_index_is_taken_off() -> None:
    i = T.lvector("i")
    assert without_shift(i + 3 - 5) == (i, -2)
    assert without_shift(2 + i) == (i, 2)
    for array in (i + (1 << 40), i * 2, 2 - i, i + T.lscalar(), T.cast(i, "int32") + 1):
        assert without_shift(array)[1] == 0
    assert without_shift(T.ivector() + 1)[1] == 0  # which may wrap around within the axis
