"""Allocators of the caller's: arrays have their memory, until the last reference is dropped."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Out, function, set_allocator, shared, to_device
from symtheano.codegen.runtime.allocators import address_of
from symtheano.errors import DeviceError

pytestmark = pytest.mark.needs_cxx


class Pool:
    """A pool as those of other libraries, with memory of the host."""

    def __init__(self, most: int = 1 << 20) -> None:
        self.most, self.used, self.asked = most, 0, 0

    def allocate(self, size: int) -> Block:
        """Return memory, which is given back when it is dropped."""
        if self.used + size > self.most:
            raise RuntimeError("the pool is empty")
        return Block(self, size)


class Block:
    """A piece of a pool."""

    def __init__(self, pool: Pool, size: int) -> None:
        self.pool, self.size, self.data = pool, size, np.full(size + 64, 0xFF, "uint8")
        pool.used += size
        pool.asked += 1

    def __int__(self) -> int:
        return int(self.data.ctypes.data) + -int(self.data.ctypes.data) % 64

    def __del__(self) -> None:
        self.pool.used -= self.size


@pytest.fixture
def use() -> Iterator[Callable[[Any], None]]:
    """Return a function that sets an allocator of the emulated device until the test ends."""
    yield lambda allocate: set_allocator(allocate, "emulated")
    set_allocator(None, "emulated")


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="set_allocator: Pool is not a function of a size"):
        set_allocator(Pool(), "emulated")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="device=None is not a device"):
        set_allocator(Pool().allocate)
    with pytest.raises((DeviceError, ValueError)):
        set_allocator(Pool().allocate, "cuda:99")


def test_addresses() -> None:
    named = type("Memory", (), {"ptr": 64})()
    tensor = type("Tensor", (), {"data_ptr": lambda self: 128})()
    assert [address_of(x) for x in (np.int64(32), named, tensor)] == [32, 64, 128]
    with pytest.raises(TypeError, match="str is no memory of a device"):
        address_of("memory")


def test_arrays_come_from_the_pool(use: Callable[[Any], None]) -> None:
    """Copies, results and new values of shared variables, with Python and without."""
    before = to_device(np.ones(3), "emulated")
    pool = Pool()
    use(pool.allocate)
    x, w = T.vector("x"), shared(np.arange(4.0), "w")
    f = function([x], Out(w * x, borrow=True), updates=[(w, w + x)], device="emulated")
    there = to_device(np.ones(4), "emulated")
    for k in range(4):
        result = f(there)
        np.testing.assert_array_equal(result, np.arange(4.0) + k)
    assert pool.used >= 3 * 32
    used = pool.used
    again = f(there)
    assert pool.used == used + 32, "the results of both calls are there"
    del again
    assert to_device(np.ones((0, 3)), "emulated").shape == (0, 3)
    np.testing.assert_array_equal(there.copy(), np.ones(4))
    use(None)
    own = to_device(np.ones(5), "emulated")
    np.testing.assert_array_equal(f(there), np.arange(4.0) + 5)
    del result, there, f, w, x, before
    gc.collect()
    assert pool.used == 0, "all is given back"
    np.testing.assert_array_equal(own, np.ones(5))


def test_a_shortage(use: Callable[[Any], None]) -> None:
    """Nothing has changed, and the message says what the pool has."""
    pool = Pool(most=100)
    w, x = shared(np.arange(4.0), "w"), T.vector("x")
    f = function([x], Out(w * x, borrow=True), updates=[(w, w + x)], device="emulated")
    f(np.ones(4))
    use(pool.allocate)
    for call in (lambda: f(np.ones(4)), lambda: to_device(np.ones(40), "emulated")):
        pool.most = 10
        with pytest.raises(MemoryError, match=r"bytes: RuntimeError: the pool is empty"):
            call()
    np.testing.assert_array_equal(w.get_value(), np.arange(4.0) + 1)
    use(lambda size: 0)
    with pytest.raises(MemoryError, match="has returned the address 0"):
        to_device(np.ones(4), "emulated")
    pool.most = 1000
    use(pool.allocate)
    np.testing.assert_array_equal(f(np.ones(4)), np.arange(4.0) + 1)
