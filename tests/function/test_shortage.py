"""Errors of a workspace, and of arrays made in between, name what needs the memory and its line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Out, function
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


@pytest.mark.needs_cxx
def test_arrays_on_a_device() -> None:
    n = T.lscalar("n")
    rows = T.alloc(np.float32(1), n, n)
    f = function([n], [T.exp(rows).sum(), T.exp(rows)], device="emulated")
    for length, size in ((2**20, f"{2**42:,} bytes"), (2**31, "more than 2**62 bytes")):
        with pytest.raises(MemoryError) as raised:
            f(length)
        text = str(raised.value)
        assert f"the device has not enough memory for {size} for " in text
        assert "device:" in text
        assert "n*n*4 bytes" in text
    np.testing.assert_allclose(f(3)[1], np.full((3, 3), np.e), rtol=1e-6)


@pytest.mark.needs_cxx
def test_results_on_a_device() -> None:
    n = T.lscalar("n")
    f = function([n], Out(T.exp(T.alloc(1.0, n)), borrow=True), device="emulated")
    with pytest.raises(MemoryError) as raised:
        f(2**40)
    text = str(raised.value)
    assert f"{2**42:,} bytes for output 0" in text
    assert "device: the emulated device has no memory" in text


def test_parts_of_many_lines_are_counted() -> None:
    x = T.dmatrix("x")
    n = T.lscalar("n")
    outputs = [T.cumsum(T.sort(T.alloc(float(k), n + k)))[:3] for k in range(20)]
    text = refused(function([x, n], outputs, on_unused_input="ignore"), np.ones((1, 1)), 2**40)
    assert len(text.splitlines()) < 24
