"""What items of an index select."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.indexing.keys import as_positions, is_integer, is_mask


@pytest.mark.parametrize(
    "item",
    [True, np.True_, np.zeros(2, bool), [True, False], [[True], [False]], T.vector(dtype="bool")],
)
def test_masks(item: Any) -> None:
    assert is_mask(item)


@pytest.mark.parametrize("item", [1, [0, 1], [], [True, 1], np.zeros(2), T.lvector(), slice(None)])
def test_what_is_no_mask(item: Any) -> None:
    assert not is_mask(item)


def test_integers() -> None:
    assert all(map(is_integer, [1, np.int8(2), np.array(3), T.lscalar()]))
    assert not any(map(is_integer, [[1], slice(1), None, T.lvector(), np.array([3])]))


def test_an_empty_list_is_of_positions() -> None:
    assert as_positions([]).dtype == "int64"
    assert as_positions([[]]).shape == (1, 0)
    assert as_positions([1, 2]) == [1, 2]
    assert as_positions(()).dtype == "int64"
    assert as_positions(((),)).shape == (1, 0)
    assert as_positions((1, 2)) == (1, 2)
    assert is_mask((True, False))
    assert not is_mask(())
