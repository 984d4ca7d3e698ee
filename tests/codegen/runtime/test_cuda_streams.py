"""Calls on streams of the caller's: ordered by events, without the host."""

from __future__ import annotations

import ctypes
import gc
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import DeviceArray, Out, function, on_stream, shared, to_device
from symtheano.compile import as_op
from symtheano.errors import DeviceError
from tests.support.devices import Exporter, on_cuda

pytestmark = pytest.mark.needs_cxx
STEP = np.full(9, 0.1, "float32")


class User:
    """A program that works on a stream of its own, through the driver."""

    def __init__(self, libcuda: ctypes.CDLL, size: int) -> None:
        self.libcuda, self.stream = libcuda, ctypes.c_void_p()
        libcuda.cuStreamCreate(ctypes.byref(self.stream), 1)
        self.buffers = []
        for _ in range(2):
            address = ctypes.c_void_p()
            self.ask("cuMemHostAlloc", ctypes.byref(address), ctypes.c_size_t(4 * size), 0)
            numbers = (ctypes.c_float * size).from_address(address.value or 0)
            self.buffers.append(np.frombuffer(numbers, "float32"))

    @property
    def ptr(self) -> int | None:
        """The address of the stream, as CuPy names it."""
        return self.stream.value

    def ask(self, name: str, *arguments: Any) -> None:
        """Call a function of the driver's with the context of the device."""
        self.libcuda.cuCtxPushCurrent_v2(ctypes.c_void_p(1))
        code = getattr(self.libcuda, name)(*arguments)
        self.libcuda.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))
        assert code == 0

    def write(self, array: DeviceArray, value: np.ndarray[Any, Any]) -> None:
        """Copy to an array, some time later."""
        self.buffers[0][:] = value
        target = ctypes.c_uint64(array.address)
        source = ctypes.c_void_p(self.buffers[0].ctypes.data)
        size = ctypes.c_size_t(value.nbytes)
        self.ask("cuMemcpyHtoDAsync_v2", target, source, size, self.stream)

    def read(self, array: DeviceArray) -> np.ndarray[Any, Any]:
        """Return a copy of an array that is made on the stream."""
        source = ctypes.c_uint64(array.address)
        target = ctypes.c_void_p(self.buffers[1].ctypes.data)
        size = ctypes.c_size_t(array.nbytes)
        self.ask("cuMemcpyDtoHAsync_v2", target, source, size, self.stream)
        self.ask("cuStreamSynchronize", self.stream)
        return self.buffers[1].copy()

    def close(self) -> None:
        """Free the stream and the buffers."""
        for buffer in self.buffers:
            self.ask("cuMemFreeHost", ctypes.c_void_p(buffer.ctypes.data))
        self.ask("cuStreamDestroy_v2", self.stream)


def test_calls_on_a_stream(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call waits for the caller's work and the caller's for it; the host waits for neither."""
    x, rate = T.fvector("x"), T.fvector("rate")
    v = shared(np.ones(9, "float32"), "v")
    y = T.cumsum(T.exp(-x) * v) + T.tanh(x).sum()
    updates = [(v, v + rate * T.cumsum(x))]
    f = on_cuda([x, rate], Out(y, borrow=True), monkeypatch, on_device=(0,), updates=updates)
    twin = shared(np.ones(9, "float32"))
    g = function([x, rate], T.cumsum(T.exp(-x) * twin) + T.tanh(x).sum(),
                 updates=[(twin, twin + rate * T.cumsum(x))], device="cpu")  # fmt: skip
    f.wait()
    user, there = User(libcuda, 9), to_device(np.zeros(9, "float32"), "cuda")
    for _ in range(6):
        f(there, 0 * STEP)
        g(np.zeros(9, "float32"), 0 * STEP)
    with on_stream(user, "cuda"):
        for k in range(8):
            value = np.linspace(-1, 1, 9, dtype="float32") + k
            user.write(there, value)
            before = libcuda.stub_waits()
            result = f(there, STEP)
            waits = libcuda.stub_waits() - before
            assert k < 4 or waits == 0, "once memory is there"
            wanted = g(value, STEP)
            np.testing.assert_allclose(user.read(result), wanted, rtol=1e-4, atol=1e-5)
        monkeypatch.setenv("STUB_BUSY", "1")
        before = libcuda.stub_waits()
        for k in range(5):
            rate_now = k * STEP
            f(there, rate_now)
            g(value, rate_now)
        assert libcuda.stub_waits() - before == 4, "the first one may be on its way with the last"
        monkeypatch.delenv("STUB_BUSY")
        user.write(there, value)
        last = f(there, STEP)
        wanted = g(value, STEP)
        described = last.__cuda_array_interface__
        assert described["stream"] == user.ptr
    np.testing.assert_allclose(np.asarray(last), wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(v.get_value(), twin.get_value(), rtol=1e-4, atol=1e-4)
    user.close()
    f(there, STEP)
    f(there, STEP)
    assert "stream" not in last.__cuda_array_interface__
    del f, result, last
    gc.collect()


def test_arrays_are_used_again_in_order(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a call on a stream still reads is freed, and used by a call that is on none."""
    x = T.fvector("x")
    y = T.cumsum(T.exp(x)) * T.tanh(x) + T.cumsum(x)
    f = on_cuda([x], Out(y, borrow=True), monkeypatch, on_device=(0,))
    f.wait()
    value = np.linspace(-1, 1, 50, dtype="float32")
    wanted = np.cumsum(np.exp(value)) * np.tanh(value) + np.cumsum(value)
    for _ in range(4):
        f(to_device(value, "cuda"))
    user = User(libcuda, 50)

    def work(number: int) -> None:
        there = to_device(value + number, "cuda")
        if number % 2:
            with on_stream(user, "cuda"):
                kept = f(there)
        else:
            kept = f(there)
        del there
        other = to_device(np.zeros(50, "float32"), "cuda")
        shifted = value + number
        its = np.cumsum(np.exp(shifted)) * np.tanh(shifted) + np.cumsum(shifted)
        np.testing.assert_allclose(np.asarray(kept), its, rtol=1e-3, atol=1e-4)
        assert not np.asarray(other).any()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(12)))
    argument = Exporter(value, (2, 0), True)
    with on_stream(user, "cuda"):
        np.testing.assert_allclose(np.asarray(f(argument)), wanted, rtol=1e-4, atol=1e-5)
    assert argument.streams == [user.ptr]
    user.close()


@pytest.mark.parametrize("another", [False, True])
def test_memory_freed_during_a_call_waits(
    another: bool, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call's result takes memory that a call on a stream, made by Python in it, still reads.

    Or ``another`` call has been between, which waits for that stream itself, on one of its own.
    """
    x, n, value = T.fvector("x"), 200, np.linspace(-1, 1, 200, dtype="float32")
    inner = on_cuda([x], Out(T.cumsum(T.exp(x)), borrow=True), monkeypatch, on_device=(0,))
    there = to_device(value, "cuda")
    inner(there)
    between = on_cuda([x], Out(T.cumsum(x * x), borrow=True), monkeypatch, on_device=(0,))
    between(there)
    user, second, found, kept, addresses = User(libcuda, n), User(libcuda, n), [], [], []

    @as_op([T.fvector], [T.fvector])
    def work(given: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        there = to_device(value, "cuda")
        with on_stream(user, "cuda"):
            found.append(inner(there))
        addresses.append(there.address)
        del there
        if another:
            with on_stream(second, "cuda"):
                kept.append(between(other))
        return given[:n]

    other = to_device(np.zeros(3, "float32"), "cuda")
    outer = on_cuda([x], Out(work(x) * 0, borrow=True), monkeypatch)
    outer.wait()
    for _ in range(6):
        result = outer(np.ones(n + 1, "float32"))
        kept.clear()
        assert result.address == addresses[-1], "the memory is used again"
        np.testing.assert_allclose(user.read(found[-1]), np.cumsum(np.exp(value)), rtol=1e-4)
        assert not np.asarray(result).any()
    found.clear()
    user.close()
    second.close()


@pytest.mark.parametrize("step", ["EventRecord 1", "StreamWaitEvent 1", "StreamWaitEvent 2"])
def test_events_that_the_driver_refuses(
    step: str, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is updated, and the next call works."""
    v, x = shared(np.zeros(3, "float32"), "v"), T.fvector("x")
    f = on_cuda([x], Out(v * 2, borrow=True), monkeypatch, updates=[(v, v + x)])
    f.wait()
    value, user = np.ones(3, "float32"), User(libcuda, 3)
    f(value)
    with on_stream(user, "cuda:0"):
        monkeypatch.setenv("STUB_FAIL", step)
        with pytest.raises(DeviceError, match="refused by the stub"):
            f(value)
        monkeypatch.delenv("STUB_FAIL")
        np.testing.assert_array_equal(v.get_value(), value)
        np.testing.assert_array_equal(np.asarray(f(value)), value * 2)
    context = on_stream(user, "cuda")
    context.__enter__()
    f(value)
    monkeypatch.setenv("STUB_FAIL", "EventRecord 1")
    with pytest.raises(DeviceError, match="EventRecord: refused"):
        context.__exit__(None, None, None)
    monkeypatch.delenv("STUB_FAIL")
    np.testing.assert_array_equal(v.get_value(), value * 3)
    np.testing.assert_array_equal(np.asarray(f(value)), value * 6)
    user.close()


def test_more_streams_than_are_known(libcuda: ctypes.CDLL) -> None:
    users = [User(libcuda, 3) for _ in range(20)]
    for user in users:
        with on_stream(user, "cuda"), on_stream(0, "cuda"):
            pass
    barrier = Barrier(17)

    def work(user: User) -> str:
        try:
            with on_stream(user, "cuda"):
                barrier.wait()
        except DeviceError as error:
            barrier.wait()
            return str(error)
        return ""

    with ThreadPoolExecutor(17) as pool:
        told = sorted(pool.map(work, users[:17]))
    assert told[:16] == [""] * 16
    assert "calls run on 16 streams already" in told[16]
    for user in users:
        user.close()
