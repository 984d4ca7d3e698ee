"""What passes over a program share: names that are new."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.lower import write
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.program import run
from symtheano.codegen.processors import CPU
from symtheano.loopir.program import all_names


def test_new_names_are_in_no_use_in_the_program() -> None:
    x = T.dmatrix("x")
    stages = function([x], [T.nnet.softmax(x), x.sum(0)], mode="INTERPRET").stages
    frame, _, naive = write(stages.final)
    context = ProgramContext(frame.b.names)
    assert context.trace is None
    before = all_names(naive)
    added = all_names(run(naive, CPU, context)) - before
    assert "x_d0" in before
    assert added
    for name in ("x", "x_d0", next(iter(added))):
        assert context.names.fresh(name) not in before | added
