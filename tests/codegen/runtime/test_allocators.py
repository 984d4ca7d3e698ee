"""Allocators of the caller's behind the driver of CUDA devices."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Out, config, on_stream, set_allocator, shared, to_device
from tests.function.test_allocators import Pool
from tests.support.devices import on_cuda

pytestmark = pytest.mark.needs_cxx


@pytest.fixture
def pool(libcuda: ctypes.CDLL) -> Iterator[Pool]:
    """Let the arrays of a device come from a pool until the test ends."""
    pool = Pool()
    set_allocator(pool.allocate, "cuda")
    yield pool
    gc.collect()
    set_allocator(None, "cuda")


def test_arrays_of_calls(pool: Pool, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of those on streams, for whose end is waited before the pool has its memory back."""
    x, w = T.fvector("x"), shared(np.arange(40, dtype="float32"), "w")
    given = to_device(np.ones(40, "float32"), "cuda")
    f = on_cuda([x], Out(T.tanh(w).sum() + T.exp(x) * w, borrow=True), monkeypatch, on_device=(0,),
                updates=[(w, w + x)])  # fmt: skip
    before = libcuda.stub_allocated()
    for k in range(6):
        value = np.arange(40, dtype="float32") + k
        wanted = np.tanh(value).sum() + np.exp(np.float32(1)) * value
        np.testing.assert_allclose(f(given), wanted, rtol=1e-5)
    assert pool.asked > 12
    with on_stream(0, "cuda"):
        result = f(given)
    used = pool.used
    del result
    assert pool.used < used
    assert libcuda.stub_allocated() - before < 8, "calls have their own memory, arrays none"
    with monkeypatch.context() as patched:
        patched.setenv("STUB_FAIL", "StreamSynchronize 1")
        with pytest.raises(MemoryError, match="work of another library: refused by the stub"):
            to_device(np.ones(4, "float32"), "cuda")
    del f, w, given
    gc.collect()
    assert pool.used == 0
    with config.change_flags(device="cuda"):
        set_allocator(None)
