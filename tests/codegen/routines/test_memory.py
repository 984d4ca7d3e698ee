"""Routines that copy, repeat and clear: compiled alone, and compared with NumPy."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy as np
import pytest

from symtheano.codegen.abi import ABI
from symtheano.codegen.c.needs import find_needs
from symtheano.codegen.c.prelude import prelude
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.routines.memory import MEMORY
from symtheano.loopir import Buffer, Index
from symtheano.loopir.nodes import Call
from symtheano.loopir.operands import Address
from symtheano.loopir.program import Program
from tests.codegen.routines.test_lapack import Runtime

N = Index.symbol("n")
A = Address(Buffer("a", "float64", "arena", N), Index.of(0))


@pytest.fixture(scope="module")
def library(cache: Cache, toolchain: Toolchain) -> ctypes.CDLL:
    """Compile the texts of all three."""
    calls = (
        Call(ROUTINES["copy"], (A, A, N)),
        Call(ROUTINES["zero"], (A, N)),
        Call(ROUTINES["repeat"], (A, A, Index.of(1), Index.of(1), (N,), (N,))),
    )
    text = prelude(find_needs(Program("f", (), (), (), calls)), frozenset())
    assert text.startswith(ABI.rstrip())
    shown = '__attribute__((visibility("default"))) '
    text = re.sub(r"static (?=void st_(copy|zero|repeat)\()", shown, text)
    return ctypes.CDLL(str(cache.obtain(text, toolchain)))


def call(library: ctypes.CDLL, name: str, *arguments: Any, threads: int = 1) -> None:
    given: list[Any] = [ctypes.byref(Runtime(threads=threads))]
    for item in arguments:
        if isinstance(item, np.ndarray):
            given.append(ctypes.c_void_p(item.ctypes.data))
        elif isinstance(item, tuple):
            given.append((ctypes.c_int64 * len(item))(*item))
        else:
            given.append(ctypes.c_int64(item))
    function = getattr(library, f"st_{name}")
    function.restype = None
    function(*given)


@pytest.mark.needs_cc
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.one_in(1)
def test_copy_and_zero(library: ctypes.CDLL, threads: int) -> None:
    for size in (0, 1, 7, 4096, 4_194_304 + 5):  # the last one is shared by threads
        source = np.arange(size, dtype="uint8") + np.uint8(1)
        target = np.full(size + 2, 7, "uint8")
        call(library, "copy", target[1:], source, size, threads=threads)
        np.testing.assert_array_equal(target[1:-1], source)
        call(library, "zero", target[1:], size, threads=threads)
        assert not target[1:-1].any()
        assert target[0] == target[-1] == 7


@pytest.mark.needs_cc
def test_a_copy_to_itself(library: ctypes.CDLL) -> None:
    data = np.arange(5.0)
    call(library, "copy", data, data, data.nbytes)
    assert data.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.needs_cc
def test_repeat_reads_any_strides(library: ctypes.CDLL) -> None:
    whole = np.arange(24.0).reshape(2, 3, 4)
    views = [
        whole, whole.T, whole[:, ::-1], whole[1, ::2], whole[:0], whole[0, 0],
        np.broadcast_to(whole[0], (3, 3, 4)), np.broadcast_to(whole[:, :1], (2, 5, 4)),
    ]  # fmt: skip
    for view in views:
        strides = tuple(step // view.itemsize for step in view.strides)
        target = np.full(max(view.size, 1), np.nan)
        call(library, "repeat", target, view, view.itemsize, view.ndim, view.shape, strides)
        np.testing.assert_array_equal(target[: view.size].reshape(view.shape), view)


def test_each_text_is_there_once_for_all_dtypes() -> None:
    for routine in MEMORY:
        assert not routine.typed
        texts = [routine.sections(dtype) for dtype in ("float32", "int8")]
        assert texts[0] == texts[1]
        assert sum(f"st_{routine.name}(" in text for text in texts[0]) == 1
