"""Calling compiled files: arrays, outputs, errors, Python ops, threads, vector functions."""

from __future__ import annotations

import ctypes
import gc
import shutil
import subprocess
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano.codegen import abi
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.record import OutputSpec
from symtheano.codegen.runtime.load import (
    ArraySpec,
    CompiledEntry,
    EntryError,
    OutputPool,
    PythonOp,
    symbol_address,
)

F64, I64 = np.dtype(np.float64), np.dtype(np.int64)
HEAD = (
    "ST_EXPORT int32_t entry(const st_runtime *rt, const st_array *in, st_array *out,\n"
    "                        st_error *error) {\n"
)
INCREMENT = """\
    const int64_t *shape = in[0].shape, n = shape[0] * shape[1];
    double *y = rt->allocate(rt->context, 0, shape);
    if (!y) return ST_ERROR_MEMORY;
    const double *x = in[0].data;
    #pragma omp parallel for simd num_threads(rt->threads)
    for (int64_t i = 0; i < n; i++) y[i] = x[i] + 1.0;
    return ST_OK;
"""
# out = op0(in) + 1: what a compiled segment around a Python op looks like.
AROUND_PYTHON = """\
    st_array middle[1] = {{0}};
    st_array given[1] = {in[0]};
    if (rt->python(rt->context, 0, given, middle)) return ST_ERROR_PYTHON;
    double *y = rt->allocate(rt->context, 0, middle[0].shape);
    if (!y) return ST_ERROR_MEMORY;
    for (int64_t i = 0; i < middle[0].shape[0]; i++) y[i] = ((double *)middle[0].data)[i] + 1.0;
    return ST_OK;
"""

Build = Callable[..., CompiledEntry]


@pytest.fixture
def build(cache: Cache, toolchain: Toolchain) -> Build:
    """Return a function that compiles the body of an entry point."""

    def compile_body(body: str, before: str = "") -> CompiledEntry:
        return CompiledEntry(cache.obtain(f"{abi.ABI}{before}{HEAD}{body}}}\n", toolchain), "entry")

    return compile_body


def python_op(function: Callable[..., Any], ndim: int = 1) -> PythonOp:
    return PythonOp(function, (ArraySpec(F64, ndim),), (ArraySpec(F64, ndim),))


def test_shipped_declarations_agree_with_the_abi(tmp_path: Path) -> None:
    abi.write_ffi(tmp_path / "fresh.py")
    shipped = Path(abi.__file__).with_name("_abi_ffi.py").read_text()

    def lines(text: str) -> list[str]:
        # cffi writes the version of its format, which may rise by itself.
        return [line for line in text.splitlines() if "_version" not in line]

    assert lines(shipped) == lines((tmp_path / "fresh.py").read_text())


@pytest.mark.needs_cc
@pytest.mark.parametrize("shape", [(3, 4), (1, 1), (0, 5), (5, 0), (300, 500)])
@pytest.mark.parametrize("threads", [1, 3])
def test_elementwise(build: Build, shape: tuple[int, int], threads: int) -> None:
    x = np.random.default_rng(0).normal(size=shape)
    (y,) = build(INCREMENT)([x], [OutputSpec(F64, 2)], threads=threads)
    assert y.dtype == F64
    assert y.shape == shape
    np.testing.assert_array_equal(y, x + 1.0)


@pytest.mark.needs_cc
def test_read_only_input(build: Build) -> None:
    x = np.broadcast_to(np.float64(2.0), (1, 1))
    assert build(INCREMENT)([x], [OutputSpec(F64, 2)])[0] == [[3.0]]


@pytest.mark.needs_cc
def test_arrays_without_dimensions(build: Build) -> None:
    entry = build(
        "    int64_t *y = rt->allocate(rt->context, 0, NULL);\n"
        "    if (!y) return ST_ERROR_MEMORY;\n"
        "    *y = 2 * *(const int64_t *)in[0].data;\n"
        "    return ST_OK;\n"
    )
    (y,) = entry([np.array(21)], [OutputSpec(I64, 0)])
    assert isinstance(y, np.ndarray)
    assert y.shape == ()
    assert y == 42


@pytest.mark.needs_cc
def test_several_outputs_and_a_donor(build: Build) -> None:
    entry = build(
        "    double *x = in[0].data;\n"
        "    for (int64_t i = 0; i < in[0].shape[0]; i++) x[i] *= 2.0;\n"
        "    int64_t *n = rt->allocate(rt->context, 1, in[0].shape + 1);\n"
        "    if (!n) return ST_ERROR_MEMORY;\n"
        "    *n = in[0].shape[0];\n"
        "    return ST_OK;\n"
    )
    x = np.arange(3.0)
    doubled, count = entry([x], [OutputSpec(F64, 1, donor=0), OutputSpec(I64, 0)])
    assert doubled is x
    np.testing.assert_array_equal(x, [0.0, 2.0, 4.0])
    assert count == 3


@pytest.mark.needs_cc
def test_entry_point_that_is_not_there(cache: Cache, toolchain: Toolchain) -> None:
    path = cache.obtain(f"{abi.ABI}{HEAD}return 0;}}\n", toolchain)
    with pytest.raises(AttributeError, match="other"):
        CompiledEntry(path, "other")


@pytest.mark.needs_cc
@pytest.mark.parametrize("code", [code for code in abi.ErrorCode if code])
def test_error_code_is_carried_out(build: Build, code: abi.ErrorCode) -> None:
    # Of a device's errors, only programs for a device have the name.
    name = "6" if code == abi.ErrorCode.DEVICE else f"ST_ERROR_{code.name}"
    entry = build(
        f"    error->site = 7; error->values[0] = -1; error->values[23] = INT64_MAX;\n"
        f"    return error->code = {name};\n"
    )
    with pytest.raises(EntryError) as info:
        entry([], [])
    assert (info.value.code, info.value.site) == (code, 7)
    # Of missing memory, the lengths that were refused follow the first two values; here are none.
    memory = code == abi.ErrorCode.MEMORY
    assert info.value.values == ((-1, 0) if memory else (-1, *[0] * 22, 2**63 - 1))


@pytest.mark.needs_cc
def test_output_that_does_not_fit_into_memory(build: Build) -> None:
    entry = build(
        "    const int64_t shape[1] = {INT64_MAX / 16};\n"
        "    return rt->allocate(rt->context, 0, shape) ? ST_OK : ST_ERROR_MEMORY;\n"
    )
    with pytest.raises(EntryError) as raised:
        entry([], [OutputSpec(F64, 1)])
    assert raised.value.code == abi.ErrorCode.MEMORY


@pytest.mark.needs_cc
def test_python_op(build: Build) -> None:
    entry = build(AROUND_PYTHON)
    x = np.arange(4.0)
    (y,) = entry([x], [OutputSpec(F64, 1)], [python_op(lambda a: [a[::-2] * 3.0])])
    np.testing.assert_array_equal(y, [10.0, 4.0])


@pytest.mark.needs_cc
def test_python_op_may_keep_and_change_its_inputs(build: Build) -> None:
    kept = []

    def keep(a: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
        kept.append(a)
        a += 1.0
        return [a]

    x = np.zeros(3)
    (y,) = build(AROUND_PYTHON)([x], [OutputSpec(F64, 1)], [python_op(keep)])
    np.testing.assert_array_equal(x, 0.0)
    np.testing.assert_array_equal(kept[0], 1.0)
    np.testing.assert_array_equal(y, 2.0)


@pytest.mark.needs_cc
@pytest.mark.parametrize("error", [ValueError("user's own"), KeyboardInterrupt(), SystemExit(3)])
def test_exception_in_python_op(build: Build, error: BaseException) -> None:
    def fail(a: object) -> list[Any]:
        raise error

    with pytest.raises(type(error)) as info:
        build(AROUND_PYTHON)([np.ones(2)], [OutputSpec(F64, 1)], [python_op(fail)])
    assert info.value is error


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        ([np.ones(2, np.float32)], TypeError, "float32 with 1 dimensions, .* declared float64"),
        ([np.ones((2, 1))], TypeError, "float64 with 2 dimensions"),
        ([], ValueError, "returned 0 of 1 outputs"),
    ],
)
def test_python_op_that_breaks_its_promise(
    build: Build, result: list[Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        build(AROUND_PYTHON)([np.ones(2)], [OutputSpec(F64, 1)], [python_op(lambda a: result)])


@pytest.mark.needs_cc
def test_python_op_without_dimensions(build: Build) -> None:
    entry = build(
        "    st_array middle[1] = {{0}}, given[1] = {in[0]};\n"
        "    if (rt->python(rt->context, 0, given, middle)) return ST_ERROR_PYTHON;\n"
        "    double *y = rt->allocate(rt->context, 0, middle[0].shape);\n"
        "    *y = *(double *)middle[0].data;\n"
        "    return ST_OK;\n"
    )
    (y,) = entry([np.array(3.0)], [OutputSpec(F64, 0)], [python_op(lambda a: [a * 2.0], 0)])
    assert y == 6.0


@pytest.mark.needs_cc
def test_call_within_a_call(build: Build) -> None:
    entry = build(AROUND_PYTHON)
    spec = [OutputSpec(F64, 1)]

    def inner(a: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
        return entry([a], spec, [python_op(lambda b: [b * 10.0])])

    (y,) = entry([np.ones(2)], spec, [python_op(inner)])
    np.testing.assert_array_equal(y, 12.0)


@pytest.mark.needs_cc
def test_calls_side_by_side(build: Build) -> None:
    entry = build(INCREMENT)
    spec = [OutputSpec(F64, 2)]
    wrong: list[int] = []

    def work(seed: int) -> None:
        for i in range(30):
            x = np.full((400, 400), float(seed * 100 + i))
            (y,) = entry([x], spec)
            if not (y == x + 1.0).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.needs_cc
def test_dropped_output_is_used_again(build: Build) -> None:
    entry = build(INCREMENT)
    spec = [OutputSpec(F64, 2)]
    x = np.zeros((512, 512))
    (first,) = entry([x], spec)
    address = first.ctypes.data
    (second,) = entry([x], spec)
    assert not np.shares_memory(first, second)
    row = first[0]
    del first
    (third,) = entry([x], spec)
    assert not np.shares_memory(row, third)
    np.testing.assert_array_equal(row, 1.0)
    del row
    (fourth,) = entry([x + 1.0], spec)
    assert fourth.ctypes.data == address
    np.testing.assert_array_equal(fourth, 2.0)
    np.testing.assert_array_equal(second, 1.0)
    np.testing.assert_array_equal(third, 1.0)


def test_pool_gives_only_what_nobody_else_has() -> None:
    pool = OutputPool()
    shape = (1 << 18,)

    def held(array: np.ndarray[Any, Any]) -> None:
        pool.clear()
        pool.keep(0, array)

    held(np.zeros(shape))
    assert pool.take(0, shape, np.dtype(np.int64)) is None
    held(np.zeros(shape))
    assert pool.take(0, (512, 512), F64) is None
    held(np.zeros(shape))
    assert pool.take(1, shape, F64) is None
    assert pool.take(0, shape, F64) is not None
    assert pool.take(0, shape, F64) is None

    locked = np.zeros(shape)
    locked.flags.writeable = False
    held(locked)
    del locked
    assert pool.take(0, shape, F64) is None

    watched = np.zeros(shape)
    watcher = weakref.ref(watched)
    held(watched)
    del watched
    assert pool.take(0, shape, F64) is None
    pool.clear()
    gc.collect()
    assert watcher() is None

    held(np.zeros(4))
    assert pool.take(0, (4,), F64) is None


@pytest.mark.needs_cc
def test_release_frees_held_memory(build: Build) -> None:
    entry = build(INCREMENT)
    (y,) = entry([np.zeros((512, 512))], [OutputSpec(F64, 2)])
    watcher = weakref.ref(y)
    del y
    assert watcher() is not None
    entry.release()
    assert watcher() is None


@pytest.mark.needs_cc
def test_vectorized_math_functions(build: Build, cache: Cache, toolchain: Toolchain) -> None:
    if "expf" not in toolchain.vector_functions or "gcc" not in toolchain.version:
        pytest.skip("no vector math library for this compiler")
    before = '__attribute__((simd("notinbranch"), const)) float expf(float);\n'
    body = (
        "    const float *restrict x = in[0].data;\n"
        "    float *restrict y = rt->allocate(rt->context, 0, in[0].shape);\n"
        "    if (!y) return ST_ERROR_MEMORY;\n"
        "    #pragma omp simd\n"
        "    for (int64_t i = 0; i < in[0].shape[0]; i++) y[i] = expf(x[i]);\n"
        "    return ST_OK;\n"
    )
    x = np.array([0.0, -0.0, 1.0, -1.0, 88.0, 89.0, -104.0, np.inf, -np.inf, np.nan], np.float32)
    x = np.concatenate([x, np.linspace(-80, 80, 1000, dtype=np.float32)])
    (y,) = build(body, before)([x], [OutputSpec(x.dtype, 1)])
    with np.errstate(over="ignore", under="ignore"):
        np.testing.assert_allclose(y, np.exp(x), rtol=5e-7)
    if shutil.which("nm"):
        library = cache.obtain(f"{abi.ABI}{before}{HEAD}{body}}}\n", toolchain)
        symbols = subprocess.run(["nm", "-D", library], capture_output=True, text=True, check=True)
        assert "_ZGV" in symbols.stdout


@pytest.mark.needs_cc
def test_denormals_survive_loading_compiled_code(build: Build) -> None:
    build(INCREMENT)
    assert np.float64(5e-324) * np.float64(1.0) == 5e-324


@pytest.mark.needs_cc
def test_functions_of_the_host(cache: Cache, toolchain: Toolchain) -> None:
    source = (
        f"{abi.ABI}ST_EXPORT double twice(double x) {{ return 2.0 * x; }}\n{HEAD}"
        "    double *y = rt->allocate(rt->context, 0, NULL);\n"
        "    *y = ((double (*)(double))rt->functions[1])(*(const double *)in[0].data);\n"
        "    return ST_OK;\n}\n"
    )
    path = cache.obtain(source, toolchain)
    twice = symbol_address(ctypes.CDLL(str(path)), "twice")
    (y,) = CompiledEntry(path, "entry", functions=[0, twice])([np.array(4.0)], [OutputSpec(F64, 0)])
    assert y == 8.0
