"""Places: what is copied between host and device, and when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import scan, shared
from symtheano.ifelse import ifelse
from symtheano.loopir import Call, Launch, Program, ReadBack, Run, Transfer
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program, emulated

pytestmark = pytest.mark.needs_cxx

x, v, k = T.matrix("x"), T.vector("v"), T.lscalar("k")
X, V = np.arange(12.0).reshape(3, 4), np.array([3.0, 1.0, 2.0])


def copies(program: Program) -> list[str]:
    """Return what is copied, in order: the names of target and source."""
    return [f"{s.target.name} = {s.source.name}" for s in program.body if isinstance(s, Transfer)]


def test_inputs_go_there_and_outputs_come_back() -> None:
    program = cuda_program([x], [x * 2, x.sum(axis=1)])
    assert copies(program) == ["x_device = x", "out_host = out", "out_2_host = out_2"]
    assert_emulated([x], [x * 2, x.sum(axis=1)], [X])


def test_what_no_kernel_uses_stays_on_the_host() -> None:
    program = cuda_program([k], k + 1)
    assert copies(program) == []
    assert program.kernels == ()
    assert_emulated([k], k + 1, [5])


def test_the_host_reads_its_own_copy_of_an_input() -> None:
    y = x[v.argmax()] * v[0]
    program = cuda_program([x, v], y)
    reads = [s for s in walk(program.body) if isinstance(s, ReadBack)]
    assert all(s.buffer.name not in ("x_device", "v_device") for s in reads)
    assert_emulated([x, v], y, [X, V])


def test_a_length_is_read_back() -> None:
    y = v[: T.cast(v.min(), "int64")] * 2
    program = cuda_program([v], y)
    every = [*walk(program.body), *(s for f in program.functions for s in walk(f.body))]
    names = {s.buffer.name for s in every if isinstance(s, ReadBack)}
    assert any(name.startswith("total") for name in names)
    assert_emulated([v], y, [V])


def test_a_routine_of_the_host_has_copies() -> None:
    y = T.fft.rfft(v * 2).real + 1
    program = cuda_program([v], y)
    (function,) = (f for f in program.functions if any(isinstance(s, Call) for s in f.body))
    first, *_, last = (s for s in function.body if isinstance(s, Transfer))
    assert first.target.name == f"{first.source.name}_host"
    assert last.source.name == f"{last.target.name}_host"
    assert_emulated([v], y, [V])


def test_what_python_makes_is_copied() -> None:
    doubled = symtheano.as_op([v.type], [v.type])(lambda a: 2 * a)
    y = doubled(v + 1) * 3
    program = cuda_program([v], y)
    assert any(s.source.name.endswith("_host") for s in program.body if isinstance(s, Transfer))
    assert_emulated([v], y, [V])


def test_an_input_that_is_written_changes_at_the_end() -> None:
    state = shared(np.zeros(3), "state")
    f = emulated([v], (state * v).sum(), updates=[(state, state + v)])
    assert f(V) == 0
    np.testing.assert_array_equal(state.get_value(), V)
    with pytest.raises(ValueError, match="state"):
        f(np.zeros(2))
    np.testing.assert_array_equal(state.get_value(), V)


@pytest.mark.parametrize(
    ("inputs", "output", "values"),
    [
        ([x, k], T.switch(T.gt(k, 1), x, x.T[:3, :3].sum()), [X, 2]),
        ([x], ifelse(T.gt(x.sum(), 1), x * 2, T.sort(x, axis=1)), [X]),
        ([v], scan(lambda a, b: a * b + 1, sequences=v, outputs_info=v[0])[0], [V]),
        ([x], scan(lambda r, s: T.tanh(r + s), sequences=x, outputs_info=x[0])[0], [X]),
        ([v, k], T.inc_subtensor(v[k], v.sum()), [V, 1]),
        ([x], x[x > 4], [X]),
        ([v], T.arange(v.sum()) * 2, [V]),
        ([x], [T.dot(x, x.T), T.nlinalg.svd(x)[1]], [X]),
        ([x], T.dot(x.T, x) + T.eye(4) * x.sum(), [X]),
    ],
)
def test_programs_of_host_and_device(inputs: Any, output: Any, values: Any) -> None:
    assert_emulated(inputs, output, values)


def test_each_launch_is_the_devices() -> None:
    program = cuda_program([x], T.nnet.softmax(x))
    (run,) = (s for s in program.body if isinstance(s, Run))
    assert {b.place for b in run.buffers} == {"device"}
    launches = [s for f in program.functions for s in walk(f.body) if isinstance(s, Launch)]
    assert len(launches) >= len(program.kernels) > 4  # short rows, whole fours, few long rows
