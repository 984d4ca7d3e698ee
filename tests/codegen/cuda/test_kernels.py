"""Kernels in CUDA C++: loops over threads, reductions of lanes, types."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.cuda.kernels import KernelPrinter, device_type, table_text
from symtheano.codegen.cuda.program import print_cuda
from symtheano.codegen.devices import CUDA
from symtheano.dataclass import replace
from symtheano.loopir import Buffer, Builder, Index, Literal, Store, Value
from symtheano.loopir.extents import narrow_integers
from symtheano.loopir.program import Function
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program

pytestmark = pytest.mark.needs_cxx

ROWS = np.linspace(-3, 3, 12).reshape(3, 4)


def kernels(inputs: list[T.TensorVariable], output: T.TensorVariable) -> str:
    """Return the text of a function's kernels."""
    return print_cuda(cuda_program(inputs, output), frozenset(), "libm", CUDA).kernels


def test_threads_compute_elements() -> None:
    x = T.fvector("x")
    lines = [line.strip() for line in kernels([x], x * 2).splitlines()]
    assert "const int32_t first = (int32_t)st_block_of_row()*1024;" in lines
    assert "const int32_t thread = st_thread();" in lines
    assert "const float v = x_device_i * 2.0f;" in lines or "const float v = x_i * 2.0f;" in lines


def test_lanes_reduce_in_pairs() -> None:
    x = T.TensorType("float32", (None, 1000))("x")
    text = kernels([x], x.sum(axis=1))
    assert "ST_DEVICE double st_warp_add_float64(double value) {" in text
    assert text.count("= st_warp_add_float64(") == 1


def test_names_of_cpp_and_of_functions_are_not_taken() -> None:
    names = ("template", "sqrt", "threadIdx", "class")
    inputs = [T.vector(name) for name in names]
    total = T.sqrt(inputs[1]) + inputs[0] + inputs[2] * inputs[3]
    assert_emulated(inputs, total, [np.array([1.0, 4.0])] * 4)
    assert "template_" in kernels(inputs, total) or "template_device" in kernels(inputs, total)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "complex64"])
def test_dtypes(dtype: str) -> None:
    x = T.matrix("x", dtype=dtype)
    assert_emulated([x], [x.T + x.T, x.sum(axis=0), x.max(axis=1)], [ROWS.astype(dtype)])


def test_types() -> None:
    assert [device_type(d) for d in ("bool", "float16", "complex128")] == [
        "bool", "_Float16", "st_complex128",
    ]  # fmt: skip
    assert table_text("t", "int8", [1, 2]) == "ST_TABLE int8_t t[2] = {1, 2};\n"
    assert table_text("t", "bool", []) == "ST_TABLE uint8_t t[1] = {0};\n"


def test_blocks_of_nested_grids() -> None:
    b, n = Builder(), Index.symbol("n")
    out = Buffer("out", "int64", "arena", n * n, place="device")
    with (
        b.loop("i", n, kind="grid") as i,
        b.loop("j", n, 4, step=8, kind="grid") as j,
        b.loop("t", 1, kind="thread"),
    ):
        b.emit(Store(out, i * n + j, Literal(1, "int64")))
    kernel = Function("k", b.statements(), (out,), (), frozenset(["out"]))
    lines = [line.strip() for line in KernelPrinter({}, {"k": 1}, 32).kernel(kernel).splitlines()]
    assert lines[1:6] == [
        "const int64_t st_blocks_1 = (n + 3)/8;",
        "const int64_t st_outer_0 = st_block() / (st_blocks_1);",
        "const int64_t i = st_outer_0;",
        "if (i >= n) return;",
        "const int64_t j = 4 + (st_block() - st_outer_0*(st_blocks_1))*8;",
    ]


@pytest.mark.parametrize("narrow", [True, False])
def test_integers_of_addresses_have_32_bits_if_they_are_narrow(narrow: bool) -> None:
    """The host launches more blocks than are in a row as several rows, of a number of 64 bits."""
    n, b = Value("n", "int64"), Builder()
    out = Buffer("out", "int64", "arena", n.index, place="device")
    with (
        b.loop("i", n.index, kind="grid") as i,
        b.loop("j", 8, step=8, kind="grid") as j,
        b.loop("t", 1, kind="thread"),
    ):
        half = b.let("place_div", "int64", [n, Literal(2, "int64")], "half")
        data = b.let("mul", "int64", [half, Literal(3, "int64")], "data")
        assert isinstance(half, Value)
        b.emit(Store(out, i + j + half.index, data))
    kernel = Function("k", b.statements(), (out,), (n,), frozenset(["out"]))
    if narrow:
        kernel = replace(kernel, narrow=narrow_integers(kernel))
    text = KernelPrinter({}, {"k": 1}, 32).kernel(kernel)
    lines = [line.strip() for line in text.splitlines()]
    if narrow:
        assert lines[0] == "ST_KERNEL(1) k(int64_t *out, int32_t n) {"
        assert "const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);" in lines
        assert "const int32_t i = (int32_t)st_outer_0;" in lines
        assert "const int32_t half = (int32_t)((uint32_t)n / (uint32_t)2);" in lines
        assert "const int64_t data = (int64_t)half * 3LL;" in lines
    else:
        assert lines[0] == "ST_KERNEL(1) k(int64_t *out, int64_t n) {"
        assert "const int64_t st_outer_0 = st_block() / (st_blocks_1);" in lines
        assert "const int64_t data = half * 3LL;" in lines
        assert "int32_t" not in text
