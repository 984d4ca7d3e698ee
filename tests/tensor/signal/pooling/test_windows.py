"""Windows of pooling: numbers, lengths of results, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.signal.pooling import windows
from symtheano.tensor.signal.pooling.windows import Windows
from tests.support.compare import ORACLE


def count(length: int, ws: int, stride: int, pad: int, ignore_border: bool) -> int:
    """Return the number of windows, one by one."""
    if ignore_border:
        return len(range(-pad, length + pad - ws + 1, stride))
    starts = list(range(0, length, stride))
    # The last window is the first that reaches the end of the image.
    return next((k + 1 for k, start in enumerate(starts) if start + ws >= length), len(starts))


@pytest.mark.parametrize("ignore_border", [True, False])
def test_numbers_of_windows(ignore_border: bool) -> None:
    n = T.lscalar("n")
    for ws, stride, pad in ((1, 1, 0), (2, 2, 0), (3, 2, 0), (3, 1, 0), (2, 3, 0), (3, 2, 1)):
        if pad and not ignore_border:
            continue
        at = Windows((ws,), ignore_border, (stride,), (pad,))
        symbolic = at.length(0, n)
        for length in range(1, 12):
            expected = count(length, ws, stride, pad, ignore_border)
            assert at.length(0, length) == expected
            assert eval(at.formula(0), {"length": length, "max": max}) == expected
        assert symbolic.eval({n: 11}, mode=ORACLE) == expected
    assert at.length(0, None) is None


def test_shapes_of_results() -> None:
    at = Windows((2, 3), True, (2, 3), (0, 0))
    assert at.lengths((5, None, 8, 9)) == (5, None, 4, 3)
    assert at.dims == 2
    assert not at.is_empty(0)
    assert Windows((1,), False, (2,), (0,)).is_empty(0) is False
    assert Windows((2,), True, (1,), (1,)).is_empty(0)


def test_numbers_that_are_known() -> None:
    two = T.constant(2)
    for given in ((2, 2), np.array([2, 2]), T.constant([2, 2]), (two, two + 0)):
        assert windows.numbers_of("ws", given) == (2, 2)
    assert windows.numbers_of("pad", (0, 1), least=0) == (0, 1)


@pytest.mark.parametrize("given", [(0, 1), (1.5, 2), "22", 3, (True, 1), (1 << 31,)])
def test_what_is_no_number(given: Any) -> None:
    with pytest.raises(ValueError, match="pooling: ws="):
        windows.numbers_of("ws", given)


def test_numbers_that_a_call_decides() -> None:
    for given in (T.lvector("n"), (T.lscalar("n"), 2)):
        with pytest.raises(NotImplementedError, match="must be known when the graph is built"):
            windows.numbers_of("ws", given)


def test_numbers_that_do_not_agree() -> None:
    windows.check(Windows((3, 3), True, (1, 1), (2, 2)))
    with pytest.raises(ValueError, match="one number for each axis"):
        windows.check(Windows((3, 3), True, (1,), (0, 0)))
    with pytest.raises(NotImplementedError, match="must be smaller than ws"):
        windows.check(Windows((3,), True, (1,), (3,)))
    with pytest.raises(NotImplementedError, match="needs ignore_border=True"):
        windows.check(Windows((3,), False, (1,), (1,)))
