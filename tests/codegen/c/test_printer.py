"""Functions of a C file: kernels, parts of parallel loops, and the workspace of the entry point."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from symtheano.codegen.abi import ErrorCode
from symtheano.codegen.c.needs import find_needs
from symtheano.codegen.c.printer import Printer
from symtheano.codegen.c.program import print_c
from symtheano.codegen.runtime.load import EntryError
from symtheano.loopir import (
    Allocate,
    Builder,
    For,
    Index,
    Kernel,
    Literal,
)
from symtheano.loopir.host import Reserve
from symtheano.loopir.program import Slot
from tests.codegen.c.programs import (
    ZERO,
    Case,
    M,
    N,
    Run,
    axpy,
    collatz,
    given,
    make,
    result,
    slot,
    total,
)

RNG = np.random.default_rng(0)


@pytest.mark.needs_cc
@pytest.mark.parametrize("size", [0, 1, 5, 100, 1000, 100_003])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_axpy(run: Run, size: int, threads: int) -> None:
    x, y = RNG.normal(size=(2, size)).astype("float32")
    (out,) = run(axpy(), x, y, threads=threads)
    np.testing.assert_array_equal(out, np.float32(2.5) * x + y)


@pytest.mark.needs_cc
@pytest.mark.parametrize("size", [0, 1, 999, 1000, 1001, 250_001])
def test_total_has_the_same_bits_on_any_number_of_threads(run: Run, size: int) -> None:
    x = RNG.normal(size=size)
    sums = [run(total(), x, threads=threads)[0] for threads in (1, 2, 5)]
    np.testing.assert_allclose(sums[0], x.sum(), atol=1e-9)
    assert len({s.tobytes() for s in sums}) == 1


@pytest.mark.needs_cc
def test_vectors_begin_where_they_begin_on_one_thread(run: Run) -> None:
    x, out = given("x", "float32", 0, N), result("y", "float32", 0, N)
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    with b.loop("i", N - 1, 1, kind="parallel simd") as i:
        b.store(out, [i], b.let("exp", "float32", [b.load(x, [i])]))
    case = make([x], [out], b)
    for size in (3, 255, 258, 259, 514, 520, 2050, 5000):
        x_ = RNG.normal(size=size).astype("float32")
        one, *more = (run(case, x_, threads=t)[0][1:-1] for t in (1, 2, 3, 7))
        np.testing.assert_allclose(one, np.exp(x_[1:-1]), rtol=1e-6)
        assert all(other.tobytes() == one.tobytes() for other in more)


@pytest.mark.needs_cc
def test_no_memory_for_the_arena(run: Run) -> None:
    x = given("x", "int8", 0, N)
    huge = slot("huge", "complex128", "arena", N, N, N, N, N)
    b = Builder()
    b.emit(Reserve())
    b.store(huge, [ZERO] * 5, Literal(0, "complex128"))
    case = make([x], [], b, arena=(Slot((huge.buffer,), huge.buffer.size * 16),))
    # 16 * 65536**5 is 2**84, which is 0 in 64 bits.
    for size in (3000, 65536):
        with pytest.raises(EntryError) as raised:
            run(case, np.zeros(size, "int8"))
        assert raised.value.code is ErrorCode.MEMORY
        padding = (raised.value.values[0] - 16 * size**5) % 2**64
        assert padding < 4096


@pytest.mark.needs_cc
def test_slots_lie_apart_and_buffers_of_one_slot_share_it(run: Run) -> None:
    x, out = given("x", "float64", 0, N, M), result("y", "float64", 0, Index.of(2))
    rows, columns = slot("rows", "float64", "arena", N), slot("columns", "float64", "arena", M)
    again = slot("again", "float64", "arena", N)
    b = Builder()
    b.emit(Reserve())
    b.store(rows, [N - 1], Literal(1.0, "float64"))
    b.store(columns, [ZERO], Literal(2.0, "float64"))
    b.emit(Allocate(out.buffer, out.shape))
    both = b.let("add", "float64", [b.load(rows, [N - 1]), b.load(columns, [ZERO])])
    b.store(out, [ZERO], both)
    b.store(again, [N - 1], Literal(5.0, "float64"))
    b.store(out, [Index.of(1)], b.load(rows, [N - 1]))
    arena = (Slot((rows.buffer, again.buffer), N * 8), Slot((columns.buffer,), M * 8))
    case = make([x], [out], b, arena=arena)
    for shape in ((100_000, 1), (1, 1), (8, 100_000), (9, 2)):
        assert run(case, np.zeros(shape))[0].tolist() == [3.0, 5.0]


@pytest.mark.needs_cc
def test_an_output_in_its_donor(run: Run) -> None:
    x = given("x", "float32", 0, N)
    b = Builder()
    with b.loop("i", N, kind="simd") as i:
        b.store(x, [i], b.let("neg", "float32", [b.load(x, [i])]))
    data = np.arange(5, dtype="float32")
    (out,) = run(make([x], [x], b), data)
    assert out is data
    assert data.tolist() == [0, -1, -2, -3, -4]


@pytest.mark.needs_cc
def test_external_functions(run: Run) -> None:
    x, out = given("x", "float64", 0, N), result("y", "float64", 0, N)
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    k = Builder(b.names)
    with k.loop("i", N, kind="parallel") as i:
        k.store(out, [i], k.let("i0", "float64", [k.load(x, [i])]))
    b.emit(Kernel("bessel", "", k.statements()))
    case = make([x], [out], b)
    assert print_c(case.program).links == ("i0",)
    stand_in = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int)(lambda v, _: 3 * v)
    address = ctypes.cast(stand_in, ctypes.c_void_p).value
    data = np.array([1.0, 2.0])
    assert run(case, data, functions=[address])[0].tolist() == [3.0, 6.0]


def test_printing_takes_linear_time_and_no_recursion() -> None:
    b = Builder()
    v: Any = Literal(1.0, "float64")
    for _ in range(20_000):
        v = b.let("add", "float64", [v, v])
    assert print_c(make([], [], b).program).text.count("\n") > 20_000


def functions_of(case: Case) -> list[str]:
    """Return the heads of the functions of a file, but that of its entry point."""
    printer = Printer(case.program, find_needs(case.program))
    printer.entry()
    return [text.split("{")[0].split("*/")[-1].strip() for text in printer.texts]


def test_a_kernel_gets_what_it_uses() -> None:
    head = " ".join(functions_of(axpy())[-1].split())
    assert head.startswith("ST_KERNEL void axpy(const st_runtime *runtime, ")
    assert {word.strip(" *),") for word in head.split("(")[1].split()} >= {"x", "y", "out0", "n"}
    assert "const float *restrict x" in head or "const float *x" in head


def test_a_parallel_loop_is_a_function_of_a_range() -> None:
    part, kernel = functions_of(axpy())
    words = " ".join(part.split()).split("(")[1]
    assert words.startswith("const int64_t begin, const int64_t end, const int64_t thread, ")
    assert "begin" not in kernel


def test_a_parallel_loop_that_uses_nothing_is_given_nothing() -> None:
    b = Builder()
    loop = For(b.value("i", "int64"), ZERO, Index.of(1 << 20), (), "parallel")
    b.emit(Kernel("nothing", "", (loop,)))
    text = print_c(make([], [], b).program).text
    assert "nothing_part(0, 1048576, 0, NULL)" in text
    assert "_given" not in text


def test_the_only_result_of_a_kernel_is_returned() -> None:
    (head,) = (head for head in functions_of(total()) if "sum_of_sums" in head)
    assert head.startswith("ST_KERNEL double")
    (head,) = (head for head in functions_of(collatz()) if "collatz" in head)
    assert head.startswith("ST_KERNEL int32_t")  # it can fail: results are written to addresses
