"""Sizes of random variables."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.tensor.random.sizes import check_lengths, shape_of_values, size_of
from symtheano.tensor.type import TensorType


def known(dims: list[Any]) -> list[int | None]:
    return [int(dim.data) if hasattr(dim, "data") else None for dim in dims]


def test_sizes() -> None:
    n = T.lscalar("n")
    assert known(size_of("f", 3, None, [])) == [3]
    assert known(size_of("f", (2, n), None, [])) == [2, None]
    assert known(size_of("f", (), None, [])) == []
    assert len(size_of("f", T.lvector(), 2, [])) == 2


def test_without_a_size_the_parameters_decide() -> None:
    column, row = TensorType("float64", (3, 1))(), TensorType("float64", (4,))()
    assert known(size_of("f", None, None, [column, row, T.scalar()])) == [3, 4]
    assert size_of("f", None, None, [T.scalar()]) == []


@pytest.mark.parametrize(
    ("size", "ndim", "parameters", "message"),
    [
        (T.lvector(), None, [], "f: the number of axes is unknown"),
        ((2, 3), 1, [], "f: ndim is 1, but size has 2 lengths"),
        ((2,), None, [T.matrix()], "f: a parameter has 2 axes, but size has 1 lengths"),
    ],
)
def test_sizes_that_do_not_fit(size: Any, ndim: Any, parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        size_of("f", size, ndim, parameters)


def test_lengths() -> None:
    check_lengths("f", [T.lscalar(), T.constant(0, dtype="int64")])
    with pytest.raises(TypeError, match="f: a length must be a 0-d int64"):
        check_lengths("f", [T.iscalar()])
    with pytest.raises(ValueError, match="f: axis 1 of the size can't have length -1"):
        check_lengths("f", [T.lscalar(), T.constant(-1, dtype="int64")])
    node = T.exp(T.scalar()).owner
    assert shape_of_values(node, [2, 0]) == (2, 0)
    with pytest.raises(ValueError, match="axis 0 of the size can't have length -2"):
        shape_of_values(node, [-2])
