"""The trace: each pass says why it changed a kernel, or why not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.trace import Context, PassResult, Trace
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Vectors
from symtheano.loopir import For, Index, Value
from symtheano.loopir.builder import Names
from tests.codegen.passes.kernels import PROGRAMS, SMALL, kernels_of


def steps_of(name: str, **numbers: Any) -> list[PassResult]:
    kernels, names = kernels_of(name)
    trace = Trace()
    for kernel in kernels:
        run_passes(kernel, names, CPU.passes, replace(SMALL, **numbers), trace)
    return [step for steps in trace.kernels for step in steps[1:]]


def is_refusal(reason: str) -> bool:
    return reason.startswith("not, ") or ": not, " in reason


@pytest.mark.parametrize("name", PROGRAMS)
def test_reasons_agree_with_changes(name: str) -> None:
    for step in steps_of(name):
        assert step.reasons, step.name
        refused = all(map(is_refusal, step.reasons))
        assert step.changed != refused, (step.name, step.reasons)


@pytest.mark.parametrize(
    ("name", "each", "reason"),
    [
        ("transposed", "tile", "i: y is contiguous along it, not along j: tiles of 8 x 8"),
        ("elementwise", "collapse", "i: not, j depends on it and on j, but not as on one counter"),
        ("rows", "jam", "i: 4 at once, since an element costs 3 additions, at most 16"),
        ("positions", "search", "j: positions are searched in blocks of 8"),
    ],
)
def test_reasons_have_what_was_compared(name: str, each: str, reason: str) -> None:
    found = [step.reasons for step in steps_of(name) if step.name == each]
    assert any(reason in reasons for reasons in found), found


def test_a_limit_that_is_exceeded() -> None:
    found = [
        step.reasons
        for step in steps_of("rows", vectors=Vectors(cheap_sums=2))
        if step.name == "jam"
    ]
    assert found == [("i: not, an element costs 3 additions, more than 2",)]


def test_nothing_is_kept_unless_somebody_listens() -> None:
    loop = For(Value("i", "int64"), Index.of(0), Index.of(3), ())
    for listens in (False, True):
        context = Context(Names(), listens)
        context.note(loop, "changed")
        assert bool(context.taken()) == listens
        assert context.taken() == ()
