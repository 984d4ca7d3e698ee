"""Launches: kernels, their parameters, and the threads of their blocks."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.cuda.launches import grids_of
from symtheano.loopir import For, Launch, Program
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program

x, t, p, q = T.fmatrix("x"), T.ftensor3("t"), T.lvector("p"), T.lvector("q")


def launches_of(program: Program) -> list[Launch]:
    bodies = [program.body, *(function.body for function in program.functions)]
    return [s for body in bodies for s in walk(body) if isinstance(s, Launch)]


def test_a_kernel_has_what_it_uses_as_parameters() -> None:
    program = cuda_program([x], x * 2)
    (launch,), (kernel,) = launches_of(program), program.kernels
    assert (
        [b.name for b in kernel.buffers] == ["x_device", "out"] == [b.name for b in launch.buffers]
    )
    assert kernel.written == {"out"} == {b.name for b in launch.written}
    assert {v.name for v in kernel.values} == {"x_d0", "x_d1"}
    assert (launch.threads, launch.steps) == (256, (1024,))
    assert str(launch.lengths[0]) == "x_d0*x_d1"


def test_no_grid_is_left_on_the_host() -> None:
    program = cuda_program([x], [T.nnet.softmax(x), x.sum(), x.sum(axis=0), T.cumsum(x, axis=1)])
    left = [s for s in program.statements() if isinstance(s, For) and s.kind == "grid"]
    assert left == []
    assert all(kernel.body[0].kind == "grid" for kernel in program.kernels)  # type: ignore[union-attr]
    assert {launch.kernel for launch in launches_of(program)} == {k.name for k in program.kernels}


def test_nested_grids_are_one_launch() -> None:
    program = cuda_program([t], t[:, ::2].transpose(1, 0, 2) * 2)
    counts = [len(launch.lengths) for launch in launches_of(program)]
    assert max(counts) > 1
    for kernel, launch in zip(program.kernels, launches_of(program), strict=True):
        (grid,) = kernel.body
        assert isinstance(grid, For)
        assert len(grids_of(grid)) == len(launch.lengths) == len(launch.steps)


def test_one_thread_is_enough_for_one_element() -> None:
    program = cuda_program([t, p, q], t[p, ..., q - q])
    assert 1 in [launch.threads for launch in launches_of(program)]


@pytest.mark.parametrize("output", [x.T + x, T.nnet.softmax(x)])
def test_what_only_kernels_use_is_not_on_the_hosts_stack(output: T.TensorVariable) -> None:
    program = cuda_program([x], output)
    assert all(b.memory is not STACK for f in program.functions for b in f.stack)


@pytest.mark.needs_cxx
def test_loops_that_differ_in_names_are_one_kernel() -> None:
    """Sums of chunks are added up in the same way, whatever they are sums of."""
    v, w = T.dvector("v"), T.dvector("w")
    outputs = [T.exp(v).sum(), T.sqr(w).sum()]
    program = cuda_program([v, w], outputs)
    names = [launch.kernel for launch in launches_of(program)]
    (shared,) = {name for name in names if names.count(name) > 1}
    assert len(names) == len(program.kernels) + 1
    (kernel,) = (kernel for kernel in program.kernels if kernel.name == shared)
    for launch in launches_of(program):
        if launch.kernel == shared:
            assert len(launch.arguments) == len(kernel.buffers) + len(kernel.values)
    assert_emulated([v, w], outputs, [np.linspace(-1, 1, 9000), np.arange(20000.0)])
