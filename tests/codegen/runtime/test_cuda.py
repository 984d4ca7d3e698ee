"""CUDA devices: the driver in front of a libcuda that runs kernels on the processor."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Function, Out, config, function, scan, shared, to_device
from symtheano.codegen.runtime import cuda, dlpack
from symtheano.codegen.runtime.cuda import LIBCUDA, device_number
from symtheano.dataclass import replace
from symtheano.errors import DeviceError, MisfitError
from symtheano.function.devices import DeviceCall
from tests.support.devices import Exporter, Foreign, on_cuda

pytestmark = pytest.mark.needs_cxx


def emulate_variant(f: Function, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stub load the kernels of a function for arguments that are on the device."""
    on_device = frozenset(range(len(f.inputs)))
    stages = f.stages.for_device_arguments(on_device)
    stages.options = replace(stages.options, device="emulated")
    module = stages.link().module
    assert module is not None
    path = module.library._name
    monkeypatch.setenv("STUB_KERNELS", os.path.realpath(path) if "/fd/" in path else path)


def test_results(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    x = T.fmatrix("x")
    f = on_cuda([x], [T.nnet.softmax(x), x.sum(), T.sort(x.sum(axis=0))], monkeypatch)
    value = np.random.default_rng(0).normal(size=(33, 70)).astype("float32")
    rows, total, columns = f(value)
    exponentials = np.exp(value - value.max(axis=1, keepdims=True))
    np.testing.assert_allclose(
        rows, exponentials / exponentials.sum(axis=1, keepdims=True), rtol=1e-5
    )
    np.testing.assert_allclose(total, value.sum(), rtol=1e-4)
    np.testing.assert_allclose(columns, np.sort(value.sum(axis=0)), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "step", ["StreamCreate", "MemAlloc", "CopyToDevice", "LaunchKernel", "CopyToHost",
             "StreamSynchronize"]
)  # fmt: skip
def test_what_the_driver_refuses(
    step: str, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is updated, the message says what has failed, and the next call works."""
    state, x = shared(np.zeros(5, "float32"), "state"), T.fvector("x")
    f = on_cuda([x], (x * state).sum(), monkeypatch, updates=[(state, state + x)])
    value = np.ones(5, "float32")
    monkeypatch.setenv("STUB_FAIL", f"{step} 1")
    with pytest.raises((DeviceError, MemoryError)) as failure:
        f(value)
    if step != "MemAlloc":
        assert "refused by the stub (CUDA error 700)" in str(failure.value)
    monkeypatch.delenv("STUB_FAIL")
    np.testing.assert_array_equal(state.get_value(), np.zeros(5))
    assert f(value) == 0
    np.testing.assert_array_equal(state.get_value(), value)
    if step not in ("StreamCreate", "MemAlloc"):  # of which the second call needs nothing
        f.wait()
        # The launches are a graph by now: the sequence was there in the call that failed.
        again = "GraphLaunch" if step == "LaunchKernel" else step
        monkeypatch.setenv("STUB_FAIL", f"{again} 1")
        with pytest.raises(DeviceError, match="refused by the stub"):
            f(value)
        monkeypatch.delenv("STUB_FAIL")
        np.testing.assert_array_equal(state.get_value(), value)
    assert f(value) == 5


SIZES = [1 << 18, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 2 << 20, (2 << 20) + 77, 5 << 20]
"""Numbers of float32: below, at and above the parts in which arrays are copied."""


@pytest.mark.parametrize("size", SIZES)
def test_large_copies_are_staged(
    size: int, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stub copies as late as it may: what is staged too early is overwritten."""
    x, y = T.fvector("x"), T.fvector("y")
    f = on_cuda([x, y], [x + y, x - y], monkeypatch)
    first, second = (np.random.default_rng(k).normal(size=size).astype("float32") for k in (0, 1))
    before = libcuda.stub_copies()
    for _ in range(2):
        total, difference = f(first, second)
        np.testing.assert_array_equal(total, first + second)
        np.testing.assert_array_equal(difference, first - second)
    parts = -(-4 * size // (4 << 20))
    assert libcuda.stub_copies() - before == (8 * parts if 4 * size >= 1 << 20 else 0)
    assert libcuda.stub_host_buffers() <= 8
    there = to_device(first, "cuda")
    np.testing.assert_array_equal(there.to_host(), first)


@pytest.mark.parametrize("step", ["HostAlloc 1", "HostAlloc 2", "EventCreate 1"])
def test_no_memory_for_stages(step: str, libcuda: ctypes.CDLL) -> None:
    """Another process, whose driver has no stages yet, copies without them."""
    program = (
        "import numpy as np, symtheano as st\n"
        "value = np.arange(1 << 20, dtype='float32')\n"
        "there = st.to_device(value, 'cuda')\n"
        "np.testing.assert_array_equal(there.copy().to_host(), value)\n"
    )
    environment = {**os.environ, "STUB_FAIL": step}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


@pytest.mark.parametrize("step", ["CopyToDevice 2", "EventRecord 3", "CopyToHost 2",
                                  "EventSynchronize 2", "StreamSynchronize 1"])  # fmt: skip
def test_staged_copies_that_the_driver_refuses(
    step: str, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = T.fvector("x")
    f = on_cuda([x], x * 9, monkeypatch)
    value = np.arange(5 << 20, dtype="float32")
    np.testing.assert_array_equal(f(value), value * 9)
    for _ in range(6):
        monkeypatch.setenv("STUB_FAIL", step)
        with pytest.raises(DeviceError, match="refused by the stub"):
            f(value)
        with pytest.raises((DeviceError, MemoryError), match="refused by the stub"):
            to_device(value, "cuda").to_host()
        monkeypatch.delenv("STUB_FAIL")
        np.testing.assert_array_equal(f(value), value * 9)
    assert libcuda.stub_host_buffers() <= 8


def test_memory_is_kept_for_calls_with_the_same_lengths(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = T.fmatrix("x")
    f = on_cuda([x], T.nnet.softmax(x) - x.sum(axis=0), monkeypatch)
    values = [np.random.default_rng(n).normal(size=(n, 3)).astype("float32") for n in (2, 5, 2)]
    before = libcuda.stub_allocated()
    results = [f(value) for value in values]
    kept = libcuda.stub_allocated() - before
    monkeypatch.setenv("STUB_FAIL", "MemAlloc 1")
    for value, result in zip(values[2:], results[2:], strict=True):
        np.testing.assert_array_equal(f(value), result)
    with pytest.raises(MemoryError):
        f(values[1])
    monkeypatch.delenv("STUB_FAIL")
    np.testing.assert_array_equal(f(values[1]), results[1])
    assert libcuda.stub_allocated() - before == kept > 0
    f.free()
    assert libcuda.stub_allocated() == before
    np.testing.assert_array_equal(f(values[1]), results[1])


def test_kept_memory_is_freed_for_others(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = T.fvector("x")
    f = on_cuda([x], T.exp(x) * 3, monkeypatch)
    value = np.ones(7, "float32")
    result, before = f(value), libcuda.stub_allocated()
    monkeypatch.setenv("STUB_ROOM", str(before))
    there = to_device(value, "cuda")
    np.testing.assert_array_equal(there, value)
    monkeypatch.setenv("STUB_ROOM", "1")
    with pytest.raises(MemoryError):
        to_device(value, "cuda")
    monkeypatch.delenv("STUB_ROOM")
    np.testing.assert_array_equal(f(value), result)


def test_arguments_of_other_libraries(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read where they are; other layouts and dtypes are copied, or refused."""
    x = T.fmatrix("x")
    f = on_cuda([x], T.tanh(x).sum(axis=1), monkeypatch)
    value = np.random.default_rng(0).normal(size=(4, 3)).astype("float32")
    there = Exporter(value, (dlpack.CUDA, 0), True)
    with monkeypatch.context() as patched:
        emulate_variant(f, patched)
        wanted = np.tanh(value).sum(axis=1)
        for argument in (there, Foreign(value, stream=1)):
            np.testing.assert_allclose(f(argument), wanted, rtol=1e-5)
    assert there.streams == [f.stages.device.memory.stream()]
    f.wait()
    np.testing.assert_allclose(f(to_device(value, "cuda")), wanted, rtol=1e-5)
    with monkeypatch.context() as patched:
        patched.setattr(DeviceCall, "__call__", None)  # the dispatcher calls the code
        for argument in (there, Foreign(value)):
            np.testing.assert_allclose(f(argument), wanted, rtol=1e-5)
            np.testing.assert_allclose(f(x=argument), wanted, rtol=1e-5)
    for argument in (
        Foreign(value.T, strides=value.T.strides),
        Foreign(value.astype(">f4"), typestr=">f4"),
        Foreign(np.array(value, "int16")),
    ):
        np.testing.assert_allclose(f(argument), np.tanh(argument.array).sum(axis=1), rtol=1e-5)
    with pytest.raises(MisfitError, match="bad value for input x"):
        f(Foreign(value.astype("float64")))
    with pytest.raises(TypeError, match="it is on device 1, and not on cuda:0"):
        f(Exporter(value, (dlpack.CUDA, 1), True))
    with monkeypatch.context() as patched:
        patched.setenv("STUB_FAIL", "StreamSynchronize 1")
        with pytest.raises(DeviceError, match="work of another library"):
            f(Foreign(value, stream=1))


def test_copies_of_arrays_of_other_libraries(libcuda: ctypes.CDLL) -> None:
    value = np.arange(6, dtype="float32").reshape(2, 3)
    for argument in (Exporter(value, (dlpack.CUDA, 1), False), Foreign(value.T, strides=(4, 12))):
        there = to_device(argument, "cuda:1")
        assert there.device == "cuda:1"
        np.testing.assert_array_equal(there, value if isinstance(argument, Exporter) else value.T)


def test_a_shortage_says_what_is_free(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = T.fvector("x")
    f = on_cuda([x], T.exp(x) * 7, monkeypatch)
    monkeypatch.setenv("STUB_FAIL", "MemAlloc 2")
    with pytest.raises(MemoryError) as failure:
        f(np.ones(5, "float32"))
    text = str(failure.value)
    assert "the device has not enough memory for 20 bytes for " in text
    assert "out of memory (CUDA error 2); asked for 20 bytes, 1000 of 2000 are free" in text
    assert "x_d0*4 bytes" in text
    monkeypatch.delenv("STUB_FAIL")
    kept, long = on_cuda([x], Out(T.exp(x) * 7, borrow=True), monkeypatch), np.ones(600, "float32")
    kept.wait()
    kept(np.ones(5, "float32"))
    monkeypatch.setenv("STUB_FAIL", "MemAlloc 1")
    texts = []
    for call in (lambda: kept(long), lambda: kept._slow((long,), {})):
        with pytest.raises(MemoryError) as failure:
            call()
        texts.append(str(failure.value))
        kept.free()
    assert "2,400 bytes for output 0" in texts[0]
    assert texts[0] == texts[1], "with the dispatcher and without it"
    monkeypatch.delenv("STUB_FAIL")
    n = T.lscalar("n")
    huge = on_cuda([n], T.exp(T.alloc(np.float32(1), n, n)), monkeypatch)
    with pytest.raises(MemoryError, match=r"the device has less than 2\*\*62 bytes"):
        huge(2**31)


def test_profiles_use_events(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    x = T.fvector("x")
    f = on_cuda([x], T.exp(x) + x.sum(), monkeypatch, profile=True)
    before = libcuda.stub_events()
    for _ in range(3):
        f(np.ones(5, "float32"))
    steps = {step.label: step for step in f.profile.steps}
    assert {"copy of x to the device", "copy of out to the host"} < steps.keys()
    assert {step.calls for step in steps.values()} == {3}
    assert all(step.seconds > 0 for step in steps.values())
    assert libcuda.stub_events() > before
    del f
    gc.collect()
    assert libcuda.stub_events() == before
    plain = on_cuda([x], T.exp(x) + x.sum(), monkeypatch)
    plain(np.ones(5, "float32"))
    assert libcuda.stub_events() == before


def test_profiles_of_more_steps_than_events(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, n = T.fmatrix("x"), T.lscalar("n")
    rows, _ = scan(lambda h: T.tanh(T.dot(x, h)), outputs_info=x[0], n_steps=n)
    f = on_cuda([x, n], rows[-1], monkeypatch, profile=True)
    for count in (1, 400):
        f(np.ones((3, 3), "float32"), count)
    assert max(step.calls for step in f.profile.steps) >= 401
    assert all(step.seconds >= 0 for step in f.profile.steps)


@pytest.mark.parametrize("step", ["EventCreate", "EventRecord"])
def test_profiles_that_the_driver_refuses(
    step: str, libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = T.fvector("x")
    f = on_cuda([x], x * 5, monkeypatch, profile=True)
    monkeypatch.setenv("STUB_FAIL", f"{step} 2")
    with pytest.raises(DeviceError, match=f"{step}: refused by the stub"):
        f(np.ones(5, "float32"))
    monkeypatch.delenv("STUB_FAIL")
    np.testing.assert_array_equal(f(np.ones(5, "float32")), np.full(5, 5))
    assert {step.calls for step in f.profile.steps} == {1}


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_products_by_cublas(
    dtype: str, cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)

    def values(*shape: int) -> np.ndarray[Any, Any]:
        return rng.normal(size=shape).astype(dtype)

    a, b = T.tensor("a", dtype, (None,) * 2), T.tensor("b", dtype, (None,) * 2)
    v, c = T.tensor("v", dtype, (None,)), T.tensor("c", dtype, (None,) * 3)
    outputs = [
        T.dot(a, b), T.dot(a.T, a), T.dot(b, b.T), T.dot(a.T, b.T), 2 * T.dot(a, b) + T.dot(a, a),
        T.dot(a, v), T.dot(v, a), T.batched_dot(c, c), T.dot(a * 2, b) * 3,
    ]  # fmt: skip
    A, B, V, C = values(4, 4), values(4, 4), values(4), values(3, 4, 4)
    f = on_cuda([a, b, v, c], outputs, monkeypatch)
    results = f(A, B, V, C)
    wanted = [A @ B, A.T @ A, B @ B.T, A.T @ B.T, 2 * (A @ B) + A @ A, A @ V, V @ A, C @ C,
              (A * 2) @ B * 3]  # fmt: skip
    for mine, its in zip(results, wanted, strict=True):
        np.testing.assert_allclose(mine, its, rtol=1e-4, atol=1e-5)
    assert cublas.stub_products() >= 9
    g = on_cuda([a, b], T.dot(a, b), monkeypatch)
    for shapes in (((3, 5), (5, 2)), ((1, 3), (3, 1)), ((0, 3), (3, 2)), ((2, 0), (0, 3))):
        left, right = (values(*shape) for shape in shapes)
        np.testing.assert_allclose(g(left, right), left @ right, rtol=1e-4, atol=1e-5)


def test_what_cublas_refuses(cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    a = T.fmatrix("a")
    f = on_cuda([a], T.dot(a, a), monkeypatch)
    monkeypatch.setenv("STUB_CUBLAS_FAIL", "1")
    with pytest.raises(DeviceError, match=r"a product \(cuBLAS error 13\)"):
        f(np.ones((3, 3), "float32"))
    monkeypatch.delenv("STUB_CUBLAS_FAIL")
    np.testing.assert_array_equal(f(np.ones((3, 3), "float32")), np.full((3, 3), 3))


def test_layouts_that_cublas_does_not_take(
    cublas: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, v = T.fmatrix("a"), T.fvector("v")
    f = on_cuda([a, v], [T.dot(a[:, :2], a[:2]), T.dot(a, v[::-1]), T.dot(v, v)], monkeypatch)
    A, V = np.arange(12, dtype="float32").reshape(3, 4), np.arange(4, dtype="float32")
    for mine, its in zip(f(A, V), [A[:, :2] @ A[:2], A @ V[::-1], V @ V], strict=True):
        np.testing.assert_array_equal(mine, its)


def test_kernels_that_the_driver_rejects(
    libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = T.fvector("x")
    monkeypatch.setenv("STUB_FAIL", "ModuleLoad 1")
    with pytest.raises(DeviceError, match="the kernels can't be loaded: refused by the stub"):
        on_cuda([x], x * 3, monkeypatch)


def failure_of(use: Callable[[], object]) -> str:
    """Return the message of the error that a use of a device raises."""
    try:
        use()
    except (DeviceError, MemoryError) as error:
        return str(error)
    return ""


def test_a_child_that_is_forked(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told so, by every use of the device, and the parent goes on."""
    v, x = shared(np.ones(3, "float32"), "v"), T.fvector("x")
    f = on_cuda([x], Out(v * x, borrow=True), monkeypatch, updates=[(v, v + x)])
    f.wait()
    value = np.ones(3, "float32")
    results = [f(value), f(value)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forks of processes with threads
        child = os.fork()
    if child == 0:
        uses = (lambda: f(value), results[0].to_host, v.get_value, lambda: to_device(1, "cuda"))
        told = sum("a process that was forked" in failure_of(use) for use in uses)
        del results
        os._exit(told)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 4
    np.testing.assert_array_equal(results[1].to_host(), value * 2)
    np.testing.assert_array_equal(f(value).to_host(), value * 3)
    np.testing.assert_array_equal(v.get_value(), value * 4)


def test_a_device_that_is_not_there(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    x = T.fvector("x")
    with (
        config.change_flags(device="cuda:7"),
        pytest.raises(DeviceError, match="there is no CUDA device 7: there are 2"),
    ):
        function([x], x * 2)


def test_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIBCUDA, "/nowhere/libcuda.so.1")
    x = T.fvector("x")
    with (
        config.change_flags(device="cuda"),
        pytest.raises(DeviceError, match=r"there is no CUDA driver: .*nowhere"),
    ):
        function([x], x * 2)


def test_numbers_of_devices() -> None:
    assert [device_number(name) for name in ("cuda", "cuda0", "cuda:3", "cuda11")] == [0, 0, 3, 11]
    assert cuda.DeviceProperties("any", 89).architecture == "sm_89"
