"""Copies: routines that copy or clear become kernels."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import scan
from symtheano.codegen.passes.cuda.routines.copies import copies
from symtheano.codegen.processors import CPU
from symtheano.loopir import Buffer, Builder, Call, Index, Kernel, Program
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Address
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program
from tests.support.loops import Machine

pytestmark = pytest.mark.needs_cxx
N = Index.symbol("n")


def test_what_they_do() -> None:
    from symtheano.codegen.devices import CUDA
    from symtheano.codegen.passes.context import ProgramContext

    b = Builder(routines=CPU.routines)
    names = "x", "y"
    for name in names:
        b.names.fresh(name)
    x, y = (Buffer(name, "int64", "arena", N) for name in names)
    b.call("copy", Address(y, Index.of(1)), Address(x, Index.of(2)), N - 3)
    b.call("zero", Address(x, Index.of(0)), Index.of(2))
    program = Program("f", (), (), (), b.statements())
    after = copies(program, CUDA, ProgramContext(b.names))
    assert [type(s) for s in after.body] == [Kernel, Kernel]
    assert [s.title for s in after.body if isinstance(s, Kernel)] == [
        "copy n - 3 elements", "zero 2 elements",
    ]  # fmt: skip
    arrays = {"x": np.arange(6), "y": np.full(6, -1)}
    for kernel in after.body:
        assert isinstance(kernel, Kernel)
        Machine({"n": 6}, arrays).run(kernel.body)
    np.testing.assert_array_equal(arrays["y"], [-1, 2, 3, 4, -1, -1])
    np.testing.assert_array_equal(arrays["x"], [0, 0, 2, 3, 4, 5])


def test_a_loop_that_keeps_its_states_on_the_device() -> None:
    x, n = T.vector("x"), T.lscalar("n")
    states, _ = scan(lambda s: T.tanh(2 * s), outputs_info=x, n_steps=n)
    program = cuda_program([x, n], states)
    calls = [s.routine.name for s in walk(program.body) if isinstance(s, Call)]
    assert "copy" not in calls
    assert_emulated([x, n], states, [np.array([0.1, -0.2, 0.3]), 5])
