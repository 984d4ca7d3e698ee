"""Errors of a workspace, and of arrays made in between, name what needs the memory and its line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import printable
from tests.support.memory import little_memory

pytestmark = pytest.mark.needs_cc


def refused(f: Any, *given: Any) -> str:
    """Return the message of a call for which there is no memory."""
    with little_memory(), pytest.raises(MemoryError) as raised:
        f(*given)
    assert printable(str(raised.value)) == str(raised.value)
    return str(raised.value)


def test_the_parts_of_a_workspace() -> None:
    n, k = T.lscalars("n", "k")
    rows = T.sort(T.alloc(1.0, n, k), axis=0)
    spectrum = T.fft.fft(rows)
    text = refused(function([n, k], spectrum.sum()), 2**20, 2**20)
    assert "bytes for its workspace\n" in text
    assert "      rows = T.sort(T.alloc(1.0, n, k), axis=0)\n" in text
    assert "      spectrum = T.fft.fft(rows)\n" in text
    assert "sort at test_shortage.py:" in text
    assert "fft at test_shortage.py:" in text


def test_a_workspace_that_overflows() -> None:
    n = T.lscalar("n")
    text = refused(function([n], T.argsort(T.alloc(1.0, n))[:3]), 2**61)
    assert "more than 2**62 bytes for its workspace" in text
    assert "T.argsort(T.alloc(1.0, n))[:3]" in text
    assert "argsort_bytes bytes, argsort" in text


def test_an_array_whose_length_is_only_known_late() -> None:
    x = T.lvector("x")
    length = x.sum()
    f = function([x], T.argsort(T.alloc(1.0, length))[:3])
    for total in (2**40, 2**60, 2**61):
        text = refused(f, np.array([total]))
        assert "for an intermediate array\n" in text
        assert "T.argsort(T.alloc(1.0, length))[:3]" in text
        assert f"shape:    ({total},)" in text
    assert f(np.array([5])).tolist() == [0, 1, 2]


def test_parts_of_many_lines_are_counted() -> None:
    x = T.dmatrix("x")
    n = T.lscalar("n")
    outputs = [T.cumsum(T.sort(T.alloc(float(k), n + k)))[:3] for k in range(20)]
    text = refused(function([x, n], outputs, on_unused_input="ignore"), np.ones((1, 1)), 2**40)
    assert len(text.splitlines()) < 24
