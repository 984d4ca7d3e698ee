"""Graphs of launches: captured when a sequence is there again, and replayed; else plain ones."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Function, In, Out, config, function, grad, scan, shared, to_device
from symtheano.codegen.runtime.cuda import LIBCUDA
from symtheano.errors import DeviceError
from symtheano.tensor.signal.pool import pool_2d
from tests.codegen.conftest import STUBS
from tests.support.devices import on_cuda

pytestmark = pytest.mark.needs_cxx


def values(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(shape).normal(size=shape).astype("float32")


def several_kernels(monkeypatch: pytest.MonkeyPatch, **options: Any) -> Function:
    """Return a function of a matrix that launches several kernels."""
    x = T.fmatrix("x")
    outputs = [T.nnet.softmax(x).sum(axis=0) + T.cumsum(x, axis=0)[-1], T.tanh(x).sum(axis=1)]
    return on_cuda([x], outputs, monkeypatch, **options)


def check(f: Function, value: np.ndarray[Any, Any]) -> None:
    """Fail unless the function of several kernels has the right results."""
    columns, rows = f(value)
    e = np.exp(value - value.max(axis=1, keepdims=True, initial=-np.inf))
    wanted = (e / e.sum(axis=1, keepdims=True)).sum(axis=0) + value.sum(axis=0)
    np.testing.assert_allclose(columns, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(rows, np.tanh(value).sum(axis=1), rtol=1e-4, atol=1e-5)


def test_a_graph_is_captured_once_and_replayed(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = several_kernels(monkeypatch)
    graphs, captures = libcuda.stub_graphs(), libcuda.stub_captures()
    check(f, values(5, 3))
    launches, replayed = libcuda.stub_launches(), libcuda.stub_graph_launches()
    for k in range(4):
        check(f, k + values(5, 3))
    assert libcuda.stub_launches() == launches, "only the first call launches kernels"
    made = libcuda.stub_captures() - captures
    assert made >= 1
    assert libcuda.stub_graph_launches() - replayed == 4 * made
    assert libcuda.stub_graphs() - graphs == made
    del f
    gc.collect()
    assert libcuda.stub_graphs() == graphs


def test_lengths_have_graphs_of_their_own(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = several_kernels(monkeypatch)
    for _ in range(3):
        for rows in (1, 7, 40):
            for _ in range(3):
                check(f, values(rows, 3))
        with pytest.raises(IndexError):
            f(values(0, 3))
    assert libcuda.stub_graphs() <= 8


def test_updates_change_pointers(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """New values are new arrays, so each step has other arguments than the one before."""
    x, start = T.fmatrix("x"), values(4, 3)
    results = []
    for device in ("cuda", "cpu"):
        w, v = shared(start, "w"), shared(np.zeros_like(start), "v")
        cost = T.tanh(T.dot(x, w)).sum(axis=1).mean()
        new = np.float32(0.5) * v - np.float32(0.1) * grad(cost, w)
        updates = [(v, new), (w, w + new)]
        step = (
            function([x], cost, updates=updates, device="cpu")
            if device == "cpu"
            else on_cuda([x], cost, monkeypatch, updates=updates)
        )
        costs = [float(step(values(6, 4))) for _ in range(25)]
        results.append((costs, w.get_value(), v.get_value()))
    for mine, theirs in zip(*results, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-6)
    assert libcuda.stub_graphs() <= 8


@pytest.mark.parametrize("where", ["new", "in_place"])
def test_a_training_step_is_one_launch(
    where: str, libcuda: ctypes.CDLL, cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Products are part of the graph, and arrays are again where they were some steps before."""
    x, target = T.fmatrix("x"), T.fmatrix("target")
    data, wanted = to_device(values(6, 4), "cuda"), to_device(values(6, 2), "cuda")
    pairs = []
    for device in ("cuda", "cpu"):
        w, v = shared(values(4, 5), "w"), shared(values(5, 2), "v")
        error = T.dot(T.tanh(T.dot(x, w)), v) - target
        cost = (error * error).mean()
        updates = [(p, p - np.float32(0.1) * grad(cost, p)) for p in (w, v)]
        with config.change_flags(device_updates=where):
            step = (
                function([x, target], cost, updates=updates, device="cpu")
                if device == "cpu"
                else on_cuda([x, target], Out(cost, borrow=True), monkeypatch, on_device=(0, 1),
                             updates=updates)
            )  # fmt: skip
        pairs.append((step, w, v))
    (step, w, v), (reference, *theirs) = pairs
    step.wait()

    def asked() -> list[int]:
        return [libcuda.stub_launches(), cublas.stub_products(), libcuda.stub_asked()]

    for k in range(17):
        if k == 9:
            before, replayed = asked(), libcuda.stub_graph_launches()
        result, its = step(data, wanted), reference(data.to_host(), wanted.to_host())
        np.testing.assert_allclose(float(result), its, rtol=1e-4)
    assert asked() == before, "all is replayed, and no memory is asked for"
    assert libcuda.stub_graph_launches() - replayed == 8
    monkeypatch.setenv("STUB_FAIL", "GraphLaunch 1")
    with pytest.raises(DeviceError, match="GraphLaunch: refused") as failure:
        step(data, wanted)
    assert ("may have new values" in str(failure.value)) is (where == "in_place")
    monkeypatch.delenv("STUB_FAIL")
    for mine, its in zip((w, v), theirs, strict=True):
        np.testing.assert_allclose(mine.get_value(), its.get_value(), rtol=1e-4, atol=1e-6)
    step.free()


def test_libraries_are_part_of_a_graph(
    device_library: Callable[[str], ctypes.CDLL],
    libcuda: ctypes.CDLL,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What cuDNN has done once, and all transforms, wait with the kernels around them."""
    device_library("cufft")
    cudnn = device_library("cudnn")
    image, filters = T.ftensor4("image"), T.ftensor4("filters")
    y = pool_2d(T.tanh(T.nnet.conv2d(image, filters)), ws=(2, 2), ignore_border=True)
    spectrum, gradient = abs(T.fft.rfft(y, axis=3)), grad(y.sum(), filters)
    outputs = [Out(each, borrow=True) for each in (spectrum, gradient)]
    f = on_cuda([image, filters], outputs, monkeypatch, on_device=(0, 1))
    f.wait()
    its = function([image, filters], [spectrum, gradient], mode="INTERPRET")
    arrays = [values(2, 2, 9, 7), values(3, 2, 2, 2)]
    there = [to_device(each, "cuda") for each in arrays]
    kept: list[Any] = []
    for _ in range(16):
        launches, replayed = libcuda.stub_launches(), libcuda.stub_graph_launches()
        asked = cudnn.stub_convolutions(), cudnn.stub_pools()
        kept = [*kept[-1:], f(*there)]  # results have the memory of those before the last ones
        for mine, theirs in zip(kept[-1], its(*arrays), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5)
    assert (libcuda.stub_launches(), libcuda.stub_graph_launches()) == (launches, replayed + 1)
    assert (cudnn.stub_convolutions(), cudnn.stub_pools()) == asked
    monkeypatch.setenv("STUB_CUDNN_FAIL", "Result 3000")
    with pytest.raises(DeviceError, match="refuses what it has done before"):
        f(*(to_device(each, "cuda") for each in arrays))
    monkeypatch.delenv("STUB_CUDNN_FAIL")
    for mine, theirs in zip(f(*there), its(*arrays), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5)
    del f, kept, mine, there
    gc.collect()


def test_numbers_that_change_are_changed_in_graphs(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adam's steps differ in numbers, and new values in places; all but the first are replayed."""
    x, both = T.fmatrix("x"), []
    for device in ("cuda", "cpu"):
        w, m, v = (shared(values(4, 3) * k, name) for k, name in ((1, "w"), (0, "m"), (0, "v")))
        n = shared(np.float32(0), "n")
        g = grad(T.tanh(T.dot(x, w)).sum(axis=1).mean(), w)
        m_new, v_new, n_new = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g, n + 1
        rate = 0.1 * T.sqrt(1 - 0.99**n_new) / (1 - 0.9**n_new)
        new = w - rate * m_new / (T.sqrt(v_new) + 1e-4)
        updates = [
            (old, T.cast(value, "float32"))
            for old, value in ((w, new), (m, m_new), (v, v_new), (n, n_new))
        ]
        step = (
            function([x], [], updates=updates, device="cpu")
            if device == "cpu"
            else on_cuda([x], [], monkeypatch, updates=updates)
        )
        both.append((step, w))
    (step, w), (reference, its) = both
    step.wait()
    data = values(6, 4)
    for k in range(24):
        if k == 12:
            launches, changes = libcuda.stub_launches(), libcuda.stub_changes()
        step(data)
        reference(data)
        np.testing.assert_allclose(w.get_value(), its.get_value(), rtol=1e-3, atol=1e-4)
    assert libcuda.stub_launches() == launches
    assert libcuda.stub_changes() > changes
    monkeypatch.setenv("STUB_FAIL", "SetLaunch 1")
    for _ in range(3):
        step(data)
        reference(data)
    monkeypatch.delenv("STUB_FAIL")
    for _ in range(3):
        step(data)
        reference(data)
    np.testing.assert_allclose(w.get_value(), its.get_value(), rtol=1e-3, atol=1e-4)
    assert libcuda.stub_launches() > launches


def test_more_pointers_than_graphs(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """The value of a shared variable is at another address in each call."""
    x, v = T.fvector("x"), shared(values(9), "v")
    f = on_cuda([x], [T.exp(x) * v, T.cumsum(x * v), v.sum()], monkeypatch)
    kept: list[Any] = []
    for k in range(2 * 12):
        if k < 12:
            v.set_value(values(9) + k)
        else:
            v.set_value(kept[k - 12], borrow=True)
        x_value, v_value = values(9) - k, v.get_value()
        product, running, total = f(x_value)
        kept.append(v.get_value(borrow=True, return_internal_type=True))
        np.testing.assert_allclose(product, np.exp(x_value) * v_value, rtol=1e-4)
        np.testing.assert_allclose(running, np.cumsum(x_value * v_value), rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(total, v_value.sum(), rtol=1e-4)
    assert libcuda.stub_graphs() <= 8


@pytest.mark.parametrize(
    "step", ["BeginCapture", "CapturedLaunch", "EndCapture", "GraphInstantiate"]
)
def test_what_can_not_be_captured_is_launched(
    step: str, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = several_kernels(monkeypatch)
    before = libcuda.stub_graph_launches()
    monkeypatch.setenv("STUB_FAIL", f"{step} 1")
    for k in range(4):
        check(f, values(5, 3) - k)
    assert libcuda.stub_graph_launches() == before
    monkeypatch.delenv("STUB_FAIL")
    for k in range(3):
        check(f, values(6, 3) - k)
    assert libcuda.stub_graph_launches() > before


def test_graphs_that_the_driver_does_not_launch(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = several_kernels(monkeypatch)
    for _ in range(3):
        check(f, values(5, 3))
    monkeypatch.setenv("STUB_FAIL", "GraphLaunch 1")
    with pytest.raises(DeviceError, match="GraphLaunch: refused by the stub"):
        f(values(5, 3))
    monkeypatch.delenv("STUB_FAIL")
    check(f, values(5, 3))


def test_loops_are_graphs_as_a_whole(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Launches of all iterations are one; those of very many are a few."""
    x, h, n = T.fmatrix("x"), T.fvector("h"), T.lscalar("n")
    rows, _ = scan(lambda h: T.tanh(T.dot(x, h)), outputs_info=h, n_steps=n)
    f = on_cuda([x, h, n], Out(rows[-1], borrow=True), monkeypatch, on_device=(0, 1))
    f.wait()
    matrix, start = values(3, 3), values(3)
    there = to_device(matrix, "cuda"), to_device(start, "cuda")
    for count in (1, 150, 400, 3000):
        wanted = start
        for _ in range(count):
            wanted = np.tanh(matrix @ wanted)
        for _ in range(4):
            launches, replayed = libcuda.stub_launches(), libcuda.stub_graph_launches()
            y = np.asarray(f(*there, count))
            np.testing.assert_allclose(y, wanted, rtol=1e-3, atol=1e-4)
        if count > 1:
            assert libcuda.stub_launches() == launches
            assert libcuda.stub_graph_launches() - replayed == 1 + (count == 3000)


def test_arguments_of_all_sizes(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large arguments are copied at once, small ones wait with the launches."""
    x, y = T.fvector("x"), T.fvector("y")
    f = on_cuda([x, y], [x.sum() + y, T.cumsum(y) * 2, T.exp(y)], monkeypatch)
    for size in (0, 1, 3000, 4095, 4096, 4097, 300_000, 3000, 1):
        for k in range(3):
            small, large = np.float32(k) + values(5), np.float32(k) + values(size)
            first, running, exponentials = f(large, small)
            np.testing.assert_allclose(first, large.sum() + small, rtol=1e-3)
            np.testing.assert_allclose(running, 2 * np.cumsum(small), rtol=1e-4, atol=1e-4)
            np.testing.assert_allclose(exponentials, np.exp(small), rtol=1e-4)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float64", "complex64", "complex128"])
def test_scalars_are_arguments_of_kernels(
    dtype: str, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, s = T.tensor("x", dtype, (None,)), T.tensor("s", dtype, ())
    f = on_cuda([x, s], [T.switch(T.eq(x, s), x, s), T.eq(x, s).sum(), x.sum()], monkeypatch)
    array = np.array([0, 1, 1, 0, 1]).astype(dtype)
    for scalar in (0, 1, 1, 0, 0, 1):
        value = np.dtype(dtype).type(scalar)
        chosen, count, total = f(array, value)
        np.testing.assert_array_equal(chosen, np.where(array == value, array, value))
        assert (count, total) == ((array == value).sum(), array.sum())


def test_measured_calls_have_no_graphs(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = several_kernels(monkeypatch, profile=True)
    before = libcuda.stub_graph_launches()
    for _ in range(4):
        check(f, values(5, 3))
    assert libcuda.stub_graph_launches() == before


def test_checks_and_defaults(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that ends early leaves nothing to the next one."""
    x, k = T.fvector("x"), T.lvector("k")
    total = T.fvector("total")
    f = on_cuda(
        [x, k, In(total, value=np.zeros(3, "float32"), update=total + x[k])],
        [T.exp(x[k]), T.cumsum(x)], monkeypatch,
    )  # fmt: skip
    array, index = values(5), np.array([0, 4, 2])
    for number in range(1, 6):
        with pytest.raises(IndexError):
            f(array, np.array([0, 5, 2]))
        np.testing.assert_allclose(f(array, index)[0], np.exp(array[index]), rtol=1e-5)
        np.testing.assert_allclose(f[total], number * array[index], rtol=1e-5)


def test_threads(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    f = several_kernels(monkeypatch)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: check(f, values(4 + k % 2, 3) + k), range(40)))


def test_a_libcuda_without_graphs(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    f = several_kernels(monkeypatch)
    check(f, values(5, 3))
    path = tmp_path / "libcuda.so.1"
    command = ["cc", "-shared", "-fPIC", "-w", "-DWITHOUT_GRAPHS", "-o", str(path)]
    subprocess.run([*command, str(STUBS / "stub_libcuda.c"), "-ldl"], check=True)
    program = (
        "import numpy as np, symtheano as st, symtheano.tensor as T\n"
        "x = T.fmatrix('x')\n"
        "columns = T.nnet.softmax(x).sum(axis=0) + T.cumsum(x, axis=0)[-1]\n"
        "outputs = [columns, T.tanh(x).sum(axis=1)]\n"
        "f = st.function([x], outputs, device='cuda')\n"
        "value = np.arange(15, dtype='float32').reshape(5, 3)\n"
        "results = [f(value) for _ in range(4)]\n"
        "for result in results:\n"
        "    np.testing.assert_allclose(result[1], np.tanh(value).sum(axis=1), rtol=1e-4)\n"
    )
    environment = {**os.environ, LIBCUDA: str(path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
