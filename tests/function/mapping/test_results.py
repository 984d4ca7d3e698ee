"""Joined, stored and reduced results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano.errors import ShapeError
from symtheano.function.mapping.results import Folded, Joined, Output, Summed, sinks_of, spread

OUTPUT = Output("function f", "output y")


def fed(sink: Any, *results: Any) -> Any:
    start = 0
    for result in results:
        length = 3
        sink.take(start, start + length, result)
        start += length
    return sink.value()


@pytest.mark.parametrize(
    ("dtype", "total", "mean"),
    [
        ("bool", "int64", "float64"),
        ("int8", "int64", "float64"),
        ("uint8", "uint64", "float64"),
        ("float16", "float16", "float16"),
        ("float32", "float32", "float32"),
        ("complex64", "complex64", "complex64"),
    ],
)
def test_dtypes_of_sums_and_means(dtype: str, total: str, mean: str) -> None:
    ones = np.ones((2,), dtype)
    added = fed(Summed(OUTPUT, False), ones, ones)
    assert added.dtype == total
    np.testing.assert_array_equal(added, [2, 2])
    averaged = fed(Summed(OUTPUT, True), ones, ones)
    assert averaged.dtype == mean
    np.testing.assert_array_equal(averaged, [1, 1])


def test_sums_are_wide() -> None:
    assert fed(Summed(OUTPUT, False), *[np.int8(100)] * 20) == 2000
    many = fed(Summed(OUTPUT, False), np.float32(2**24), *[np.float32(1)] * 10)
    assert many == np.float32(2**24 + 10)
    largest = np.uint64(2**63)
    assert fed(Summed(OUTPUT, False), largest, np.uint64(5)) == 2**63 + 5


def test_means_are_weighted_by_rows() -> None:
    sink = Summed(OUTPUT, True)
    sink.take(0, 3, np.float64(1))
    sink.take(3, 4, np.float64(5))
    assert sink.value() == 2
    empty = Summed(OUTPUT, True)
    empty.take(0, 0, np.float64(np.nan))
    assert np.isnan(empty.value())


def test_special_values_propagate() -> None:
    values = [np.array([np.inf, np.inf, 1.0]), np.array([-np.inf, 1.0, np.nan])]
    with np.errstate(invalid="ignore"):
        total = fed(Summed(OUTPUT, False), *values)
    np.testing.assert_array_equal(total, [np.nan, np.inf, np.nan])


def test_results_of_other_shapes_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"(?s)f: map: .*different shapes.*\(2,\).*\(3,\)"):
        fed(Summed(OUTPUT, False), np.ones(2), np.ones(3))
    with pytest.raises(ShapeError, match="have other shapes"):
        fed(Joined(OUTPUT, 0, 6), np.ones((3, 2)), np.ones((3, 1)))
    with pytest.raises(ShapeError, match="not as many rows"):
        fed(Joined(OUTPUT, 0, 6), np.ones(()))
    with pytest.raises(ShapeError, match="elements along axis 1"):
        fed(Joined(OUTPUT, 1, 6), np.ones((3, 2)))


def test_folding_begins_with_the_first_result() -> None:
    assert fed(Folded(lambda left, right: [*left, *right]), [1], [2], [3]) == [1, 2, 3]


def test_one_argument_for_all_or_one_for_each() -> None:
    two = [OUTPUT, OUTPUT]
    assert spread("sum", two, None, "reduce") == ["sum", "sum"]
    assert spread({"b": 1, "a": 2}, two, ("a", "b"), "reduce") == [2, 1]
    assert spread((1, None), two, None, "out", each=True) == [1, None]
    with pytest.raises(ValueError, match="has not the keys of the outputs: 'a', 'b'"):
        spread({"b": 1}, two, ("a", "b"), "reduce")
    assert [type(one) for one in sinks_of(two, None, 0, 3, ["mean", None], None)] == [
        Summed,
        Joined,
    ]
