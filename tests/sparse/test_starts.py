"""Starts of segments: a vector that increases from zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.sparse.starts import AreStarts, length
from symtheano.tensor.type import TensorType


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
@pytest.mark.parametrize(
    ("starts", "wanted"),
    [([0], True), ([0, 0, 2], True), ([0, 2, 1], False), ([1, 2], False), ([0, -1], False)],
)
def test_what_starts_are(starts: list[int], wanted: bool, mode: Any) -> None:
    x = T.lvector("x")
    good, last = function([x], AreStarts()(x), mode=mode)(np.array(starts))
    assert bool(good) == wanted
    if wanted:
        assert last == starts[-1]


def test_lengths_are_known_if_the_type_has_them() -> None:
    assert length(TensorType("int32", (4,))()) == 4
    assert not isinstance(length(T.ivector()), int)
