"""Workspaces of the calls of a routine, and of no others."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.codegen.passes.cuda.routines.workspaces import Workspaces
from symtheano.dataclass import replace
from symtheano.loopir import Local, Measure
from symtheano.loopir.names import walk


def test_memory_of_some_calls() -> None:
    x = T.fmatrix("x")
    with config.change_flags(mode="INTERPRET"):
        f = function([x], [T.fft.fft(x), T.linalg.inv(x)])
    naive = lower(f.stages.final, target=replace(CUDA, program_passes=())).program
    statements = [s for s in walk(naive.body) if isinstance(s, Measure | Local)]
    workspaces = Workspaces(naive, ["fft"])
    assert workspaces.calls
    provided = [type(s) for s in statements if workspaces.declares(s)]
    assert provided == [Measure, Local]
    assert len(statements) == 4
    nothing = Workspaces(naive, ["svd"])
    assert not nothing.calls
    assert not any(map(nothing.declares, statements))
