"""Kernels in CUDA C++: loops over threads, reductions of lanes, types."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.cuda.kernels import KernelPrinter, device_type, table_text
from symtheano.codegen.cuda.program import print_cuda
from symtheano.codegen.devices import CUDA
from symtheano.loopir import Buffer, Builder, Index, Literal, Store
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
    assert lines[lines.index("const int64_t first = st_block()*1024;") + 1] == (
        "if (first >= x_d0) return;"
    )
    assert "const int64_t thread = st_thread();" in lines
    assert "const float v = x_device_i * 2.0f;" in lines or "const float v = x_i * 2.0f;" in lines


def test_lanes_reduce_in_pairs() -> None:
    x = T.fmatrix("x")
    text = kernels([x], x.sum(axis=1))
    assert "ST_DEVICE double st_warp_add_float64(double value) {" in text
    assert text.count("= st_warp_add_float64(") == 2


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


@pytest.mark.parametrize(("length", "short"), [(2**31 - 1, True), (2**31, False)])
def test_numbers_of_blocks_have_32_bits_up_to_a_row(length: int, short: bool) -> None:
    """The host launches more blocks than are in a row as several rows, of a number of 64 bits."""
    b = Builder()
    out = Buffer("out", "int64", "arena", Index.of(length), place="device")
    with (
        b.loop("i", length, kind="grid") as i,
        b.loop("j", 8, step=8, kind="grid") as j,
        b.loop("t", 1, kind="thread"),
    ):
        b.emit(Store(out, i + j, Literal(1, "int64")))
    kernel = Function("k", b.statements(), (out,), (), frozenset(["out"]))
    text = KernelPrinter({}, {"k": 1}, 32).kernel(kernel)
    assert ("const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);" in text) is short
    assert ("const int64_t st_outer_0 = st_block() / (st_blocks_1);" in text) is not short
