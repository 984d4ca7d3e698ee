"""Statements in place of calls: the kernel around a call is opened, and its loops are kernels."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.libraries import without_calls
from symtheano.dataclass import replace
from symtheano.loopir import Call, Kernel, LetIndex, Program, Statement
from symtheano.loopir.builder import Names
from symtheano.loopir.index import Index
from symtheano.loopir.names import walk


def naive() -> Program:
    x = T.fmatrix("x")
    with config.change_flags(mode="INTERPRET"):
        f = function([x], T.exp(T.fft.rfft(T.exp(x)).real))
    return lower(f.stages.final, target=replace(CUDA, program_passes=())).program


def test_calls_are_replaced() -> None:
    program, seen = naive(), []

    def write(call: Call) -> list[Statement]:
        seen.append(call.routine.name)
        assert call.target is not None
        return [LetIndex(call.target, Index.of(0))]

    changed = without_calls(program, ["rfft"], ProgramContext(Names()), write)
    assert seen == ["rfft"]
    assert not any(isinstance(s, Call) for s in walk(changed.body))
    before, after = (sum(isinstance(s, Kernel) for s in p.body) for p in (program, changed))
    assert after == before - 1


def test_other_programs_stay_as_they_are() -> None:
    program = naive()
    assert without_calls(program, ["svd"], ProgramContext(Names()), lambda call: []) is program
