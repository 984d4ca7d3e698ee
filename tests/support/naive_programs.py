"""Naive programs for tests of passes over programs."""

from __future__ import annotations

from itertools import count
from typing import Any

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.workspace import StepMemory
from symtheano.loopir import Buffer, Builder, Index, Kernel, Literal, Program, Statement, View

N = Index.symbol("n")
OUT = Buffer("out", "float64", "output", N * N, 0)


def program_context(trace: Trace | None = None) -> ProgramContext:
    """Return what passes need, of a program whose workspace depends on n."""
    b = Builder(routines=ROUTINES)
    memory = StepMemory(b, count(7))
    memory.early.add("n")
    return ProgramContext(b.names, memory, trace)


def filled(name: str, value: float, local: Index | None = None, **options: Any) -> Kernel:
    """Return a kernel that fills a matrix, perhaps by way of a vector of its own."""
    b = Builder()
    with b.loop("i", N, kind="independent") as i:
        if local is not None:
            b.local("own", "float64", local)
        with b.loop("j", N, kind="independent") as j:
            b.store(View(OUT, (), (), i * N + j), [], Literal(value, "float64"))
    return Kernel(name, "fill", b.statements(), **options)


def program(*body: Statement) -> Program:
    """Return a program without inputs."""
    return Program("f", (), (), (OUT,), body)
