"""Integers of 32 bits in kernels: where lengths are known, and where the host finds out."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.launches import launches
from symtheano.codegen.passes.cuda.narrow_indices import narrow_indices
from symtheano.loopir import Buffer, Builder, Index, Launch, Literal, Program, Store
from tests.codegen.passes.cuda.programs import cuda_program

x = T.fmatrix("x")


def launch_of(program: Program) -> Launch:
    (launch,) = (s for s in program.statements() if isinstance(s, Launch))
    return launch


def known(*shape: int) -> T.TensorVariable:
    return T.TensorType("float32", shape)("known")


def test_nothing_is_found_out_of_known_lengths() -> None:
    y = known(300, 200)
    program = cuda_program([y], y.T * 2)
    assert launch_of(program).bound == 0
    assert all(kernel.narrow for kernel in program.kernels)


def test_known_lengths_may_be_too_large() -> None:
    y = known(1 << 16, 1 << 15)
    program = cuda_program([y], y.T * 2)
    assert launch_of(program).bound == 0
    assert not any(kernel.narrow for kernel in program.kernels)


def test_a_bound_is_of_the_arguments_of_its_launch() -> None:
    """Loops that differ only in names are one kernel, whose launches have other lengths."""
    b = Builder()
    for name in ("u", "w"):
        length = Index.symbol(f"{name}_d0")
        array = Buffer(name, "float32", "output", length, 0, place="device")
        with b.loop("i", length, kind="grid") as i, b.loop("t", 1, kind="thread"):
            b.emit(Store(array, i, Literal(1.0, "float32")))
    context = ProgramContext(b.names)
    program = launches(Program("p", (), (), (), b.statements()), CUDA, context)
    program = narrow_indices(program, CUDA, context)
    first, second = (s for s in program.body if isinstance(s, Launch))
    assert first.kernel == second.kernel
    assert {*first.bound.names()} == {"u_d0"}
    assert {*second.bound.names()} == {"w_d0"}


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_data_keeps_its_bits(dtype: str) -> None:
    a, b = T.TensorType(dtype, (None,))("a"), T.TensorType(dtype, ())("b")
    program = cuda_program([a, b], a * b + T.arange(a.shape[0]).astype(dtype) * b)
    values = {value.name for kernel in program.kernels for value in kernel.values}
    narrow = {name for kernel in program.kernels for name in kernel.narrow}
    assert "b" not in values & narrow
    assert launch_of(program).bound != Index.of(0)
