"""Naive programs for tests of passes over programs."""

from __future__ import annotations

from typing import Any

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.trace import Trace
from symtheano.loopir import Buffer, Builder, Index, Kernel, Literal, Program, Statement, View
from symtheano.loopir.builder import Names

N = Index.symbol("n")
VECTOR = Buffer("vector", "float64", "input", N, 0)
OUT = Buffer("out", "float64", "output", N * N, 0)


def program_context(trace: Trace | None = None) -> ProgramContext:
    """Return what passes need."""
    return ProgramContext(Names(), trace)


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
    """Return a program of a vector, whose length is n."""
    return Program("f", (VECTOR,), (("n",),), (OUT,), body)
