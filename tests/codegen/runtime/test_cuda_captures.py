"""Calls as a part of a graph that the caller captures on a stream."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Out, config, on_stream, scan, set_allocator, shared, to_device
from symtheano.errors import DeviceError
from symtheano.tensor.signal.pool import pool_2d
from tests.codegen.runtime.test_cuda_streams import User
from tests.function.test_allocators import Pool
from tests.support.devices import on_cuda

pytestmark = pytest.mark.needs_cxx
ONES = np.ones(40, "float32")


class Capture:
    """A program that captures what runs on its stream, and launches it as a graph."""

    def __init__(self, libcuda: ctypes.CDLL) -> None:
        self.user, self.libcuda, self.graph = User(libcuda, 40), libcuda, ctypes.c_void_p()

    def __enter__(self) -> Capture:
        self.user.ask("cuStreamBeginCapture_v2", self.user.stream, 1)
        self.named = on_stream(self.user, "cuda")
        self.named.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.named.__exit__(None, None, None)
        made = ctypes.c_void_p()
        self.user.ask("cuStreamEndCapture", self.user.stream, ctypes.byref(made))
        self.nodes = ctypes.c_int.from_address(made.value or 0).value
        self.user.ask("cuGraphInstantiateWithFlags", ctypes.byref(self.graph), made,
                      ctypes.c_ulonglong(0))  # fmt: skip
        self.user.ask("cuGraphDestroy", made)

    def replay(self) -> None:
        self.user.ask("cuGraphLaunch", self.graph, self.user.stream)

    def close(self) -> None:
        self.user.ask("cuGraphExecDestroy", self.graph)
        self.user.close()


def test_a_call_is_part_of_a_graph(
    libcuda: ctypes.CDLL, cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs when the graph is launched; plain calls have other memory then."""
    x, w = T.fmatrix("x"), shared(np.eye(8, dtype="float32") * 2, "w")
    y = T.tanh(T.nnet.softmax(T.dot(x, w)).cumsum(axis=0))
    f = on_cuda([x], Out(y, borrow=True), monkeypatch, on_device=(0,))
    f.wait()
    value = np.arange(40, dtype="float32").reshape(5, 8) / 40
    there, other = to_device(value, "cuda"), to_device(-value, "cuda")

    def wanted(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        e = np.exp(value * 2)
        return np.asarray(np.tanh(np.cumsum(e / e.sum(axis=1, keepdims=True), axis=0)))

    for _ in range(3):
        f(there)
    launches, asked = libcuda.stub_launches(), libcuda.stub_asked()
    with Capture(libcuda) as capture:
        result = f(there)
    assert (libcuda.stub_launches(), libcuda.stub_asked()) == (launches, asked)
    assert capture.nodes >= 3
    kept = f(other)
    capture.replay()
    np.testing.assert_allclose(capture.user.read(result).reshape(5, 8), wanted(value), rtol=1e-5)
    np.testing.assert_allclose(kept, wanted(-value), rtol=1e-5)
    capture.user.write(there, value[::-1].copy().ravel())
    capture.replay()
    expected = wanted(value[::-1])
    np.testing.assert_allclose(capture.user.read(result).reshape(5, 8), expected, rtol=1e-5)
    capture.close()
    np.testing.assert_allclose(f(other), wanted(-value), rtol=1e-5)
    del f, result, kept
    gc.collect()


def test_updates_in_place(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each launch of the graph is a step; long sequences are captured as a whole."""
    x, w = T.fvector("x"), shared(ONES, "w")
    states, _ = scan(lambda h: T.tanh(h[::-1] * x), outputs_info=w, n_steps=300)
    updates = [(w, w + states[-1])]
    with config.change_flags(device_updates="in_place"):
        f = on_cuda([x], [], monkeypatch, on_device=(0,), updates=updates)
    f.wait()
    there = to_device(ONES / 2, "cuda")
    for _ in range(3):
        f(there)
    before = w.get_value()
    with Capture(libcuda) as capture:
        f(there)
    np.testing.assert_array_equal(w.get_value(), before)
    assert capture.nodes > 256
    for _ in range(3):
        capture.replay()
    capture.user.ask("cuStreamSynchronize", capture.user.stream)
    after = w.get_value()
    capture.close()
    w.set_value(before)
    for _ in range(3):
        f(there)
    np.testing.assert_array_equal(w.get_value(), after)
    del f
    gc.collect()


x = T.fvector("x")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: T.exp(x), "the host reads what it computes"),
        (lambda: Out(x[T.cast(x[0], "int64")] * x, borrow=True), "the host reads what it computes"),
        (
            lambda: Out(T.linalg.cholesky(T.diag(T.exp(x)))[0], borrow=True),
            "(a library works outside of it|the host reads what it computes)",
        ),
    ],
)
def test_what_is_refused(
    make: Callable[[], Any],
    reason: str,
    device_library: Callable[[str], ctypes.CDLL],
    libcuda: ctypes.CDLL,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is launched before, and plain calls work as before."""
    device_library("cusolver")
    f = on_cuda([x], make(), monkeypatch, on_device=(0,))
    f.wait()
    there = to_device(ONES, "cuda")
    before = [np.asarray(f(there)) for _ in range(3)]
    with Capture(libcuda) as capture, pytest.raises(DeviceError, match=f"captured: {reason}"):
        f(there)
    assert capture.nodes == 0
    np.testing.assert_array_equal(f(there), before[0])
    capture.close()


def test_calls_of_libraries(
    device_library: Callable[[str], ctypes.CDLL],
    libcuda: ctypes.CDLL,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They run when the graph is launched, with plans and memory that nothing else takes."""
    device_library("cufft")
    cudnn = device_library("cudnn")
    filters = shared(np.ones((2, 1, 3, 3), "float32"), "filters")
    images = pool_2d(T.nnet.conv2d(x.reshape((1, 1, 5, 8)), filters), ws=(3, 3), ignore_border=True)
    spectrum = abs(T.fft.rfft(T.tanh(x)))
    y = Out(T.join(0, spectrum[:19], images.flatten()) * 2, borrow=True)
    f = on_cuda([x], y, monkeypatch, on_device=(0,))
    f.wait()
    value = np.linspace(-1, 1, 40, dtype="float32")
    there, other = to_device(value, "cuda"), to_device(-value, "cuda")
    with Capture(libcuda) as early, pytest.raises(DeviceError, match="with the same lengths"):
        f(there)
    wanted = [np.asarray(f(each)) for each in (there, other)]
    np.testing.assert_allclose(wanted[0][:19], 2 * abs(np.fft.rfft(np.tanh(value)))[:19], rtol=1e-4)
    asked = cudnn.stub_convolutions(), cudnn.stub_pools()
    with Capture(libcuda) as capture:
        result = f(there)
    assert (early.nodes, capture.nodes >= 6) == (0, True)
    assert (cudnn.stub_convolutions(), cudnn.stub_pools()) == (asked[0] + 1, asked[1] + 1)
    series = T.fvector("series")
    many = on_cuda([series], T.fft.rfft(series), monkeypatch)
    for length in range(1, 40):
        many(np.ones(length, "float32"))
    for given, expected in zip((value, -value), wanted, strict=True):
        capture.user.write(there, given)
        capture.replay()
        np.testing.assert_array_equal(capture.user.read(result)[: expected.size], expected)
        np.testing.assert_array_equal(f(other), wanted[1])
    for each in (early, capture):
        each.close()
    del f, many, result
    gc.collect()


def test_what_a_call_lacks(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    y = Out(T.cumsum(T.exp(x)) * T.tanh(x), borrow=True)
    f = on_cuda([x], y, monkeypatch, on_device=(0,))
    f.wait()
    there, longer = to_device(ONES, "cuda"), to_device(np.ones(4000, "float32"), "cuda")
    with Capture(libcuda) as capture:
        for argument in (there, longer):
            with pytest.raises(DeviceError, match="captured: it needs memory; call the function"):
                f(argument)
        with pytest.raises(DeviceError, match="captured: it "):
            f(ONES)
    assert capture.nodes == 0
    f(there)
    v = shared(ONES, "v")
    g = on_cuda([x], y, monkeypatch, on_device=(0,), updates=[(v, v + x)])
    g.wait()
    g(there)
    set_allocator(Pool().allocate, "cuda")
    with Capture(libcuda) as again:
        with pytest.raises(DeviceError, match="captured: new values of shared variables are in"):
            g(there)
        with pytest.raises(DeviceError, match="captured: arrays come from an allocator"):
            f(there)
    set_allocator(None, "cuda")
    assert again.nodes == 0
    measured = on_cuda([x], y, monkeypatch, on_device=(0,), profile=True)
    measured.wait()
    measured(there)
    with Capture(libcuda) as last, pytest.raises(DeviceError, match="captured: its steps are me"):
        measured(there)
    assert last.nodes == 0
    np.testing.assert_allclose(f(there), np.cumsum(np.exp(ONES)) * np.tanh(ONES), rtol=1e-5)
    for each in (capture, again, last):
        each.close()
    del f, g, measured
    gc.collect()
