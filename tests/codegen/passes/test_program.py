"""All passes over a program: valid before and after, and what each of them leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.codegen.lower import write
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.program import run
from symtheano.codegen.processors import CPU
from symtheano.loopir import Kernel, Local, Reduce, Reserve, Update
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from tests.support.programs import ProgramMachine

x, v = T.dmatrix("x"), T.dvector("v")
image, filters = T.ftensor4("image"), T.ftensor4("filters")

GRAPHS: dict[str, tuple[list[Any], Any]] = {
    "softmax": ([x], T.nnet.softmax(x)),
    "convolution": ([image, filters], T.nnet.relu(T.nnet.conv2d(image, filters))),
    "scan": ([v], scan(lambda a, b: T.tanh(a + b), v, T.zeros(3))[0]),
    "sorting": ([v], T.sort(T.sort(v)[v > 0] * 2)),
    "small": ([v], v[:3] + 1),
    "columns": ([x], [x.sum(0), (x - x.mean(0)).max(0)]),
}


@pytest.mark.parametrize("name", ["softmax", "scan", "sorting", "small", "columns"])
def test_programs_have_the_values_of_the_interpreter(name: str) -> None:
    inputs, outputs = GRAPHS[name]
    f = function(inputs, outputs, mode="INTERPRET")
    values = [np.random.default_rng(0).normal(size=(5, 4)[: item.ndim]) for item in inputs]
    _, _, naive = write(f.stages.final)
    wanted = f(*values)
    wanted = wanted if isinstance(wanted, list) else [wanted]
    for program in (naive, f.lowered.program):
        machine = ProgramMachine(program, [np.copy(value) for value in values])
        for one, other in zip(machine.outputs(), wanted, strict=True):
            np.testing.assert_allclose(one, np.ravel(other), 1e-12)


@pytest.mark.parametrize("name", GRAPHS)
def test_programs_are_valid_before_and_after_each_pass(name: str) -> None:
    inputs, outputs = GRAPHS[name]
    stages = function(inputs, outputs, mode="INTERPRET").stages
    frame, _, program = write(stages.final)
    context = ProgramContext(frame.b.names)
    verify(program)
    assert [s for s in program.body if isinstance(s, Reserve)] == [Reserve()]
    naive = program
    for each in CPU.program_passes:
        program = each(program, CPU, context)
    verify(program, CPU.dialect)
    left = [s for s in walk(program.body) if isinstance(s, Local | Reduce | Update)]
    assert [s for s in left if not isinstance(s, Local) or s.buffer.space == "local"] == []
    assert not any(s.epilogue or s.scheduled for s in walk(program.body) if isinstance(s, Kernel))
    frame, _, again = write(stages.final)
    assert str(again) == str(naive)
    context = ProgramContext(frame.b.names)
    assert str(run(again, CPU, context)) == str(program)
