"""Borders, strides and lengths of results, as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.nnet.convolution import windows


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("half", "half"),
        (2, ((2, 2), (2, 2))),
        ((0, (2, 1)), ((0, 0), (2, 1))),
        (np.array([1, 2]), ((1, 1), (2, 2))),
    ],
)
def test_normal_forms_of_borders(given: Any, expected: Any) -> None:
    assert windows.border_of(given, 2) == expected


@pytest.mark.parametrize("given", ["same", -1, (1, 2, 3), ((1, -1), 0), True])
def test_what_is_no_border(given: Any) -> None:
    with pytest.raises(ValueError, match="border_mode"):
        windows.border_of(given, 2)


def test_counts() -> None:
    assert windows.counts_of("subsample", np.int64(2), 3) == (2, 2, 2)
    assert windows.counts_of("subsample", [1, 2], 2) == (1, 2)
    for wrong in (0, (1, 2, 3), "2", 1.5):
        with pytest.raises(ValueError, match="subsample"):
            windows.counts_of("subsample", wrong, 2)


def test_zeros_around_an_axis() -> None:
    found = [windows.padding(name, 0, 5) for name in ("valid", "half", "full", "causal")]
    assert found == [(0, 0), (2, 2), (4, 4), (4, 0)]
    assert windows.padding(((1, 2), "full"), 0, 5) == (1, 2)
    assert windows.padding(((1, 2), "full"), 1, 5) == (4, 4)


def test_numbers_of_positions() -> None:
    for image in range(12):
        for kernel, stride, apart in ((1, 1, 1), (3, 1, 1), (2, 2, 3), (3, 3, 2)):
            reach = (kernel - 1) * apart + 1
            assert windows.spread(kernel, apart) == reach
            padded = image + 3
            expected = len(range(0, padded - reach + 1, stride))
            found = windows.output_length(((1, 2),), 0, image, kernel, stride, apart)
            assert max(found, 0) == expected
    assert windows.output_length("valid", 0, None, 3, 1, 1) is None
    n = T.lscalar("n")
    assert windows.output_length("half", 0, n, 3, 2, 1).eval({n: 7}) == 4
