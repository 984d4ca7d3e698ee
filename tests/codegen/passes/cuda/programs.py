"""Programs for a device, and what they compute when they are emulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtheano import Function, config, function
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.loopir import For, If, Index, LetIndex, Load, Program, Statement, Store, Value
from symtheano.loopir.memory import SHARED, STACK
from symtheano.loopir.verify import verify
from tests.support.devices import DEVICE


def cuda_program(inputs: Sequence[Any], outputs: Any, **options: Any) -> Program:
    """Return a function's program for CUDA, which is verified."""
    with config.change_flags(mode="INTERPRET"):
        f = function(list(inputs), outputs, on_unused_input="ignore", **options)
    program = lower(f.stages.final, f.stages.request.donors, target=CUDA).program
    verify(program, CUDA.dialect)
    return program


def emulated(inputs: Sequence[Any], outputs: Any, **options: Any) -> Function:
    """Return a function on the emulated device."""
    with config.change_flags(device=DEVICE):
        return function(list(inputs), outputs, on_unused_input="ignore", **options)


def assert_emulated(
    inputs: Sequence[Any], outputs: Any, values: Sequence[Any], atol: float = 1e-9
) -> None:
    """Fail unless the emulated device has the interpreter's results."""
    with config.change_flags(mode="INTERPRET"):
        oracle = function(list(inputs), outputs, on_unused_input="ignore")
    results, wanted = emulated(inputs, outputs)(*values), oracle(*values)
    if not isinstance(wanted, list):
        results, wanted = [results], [wanted]
    for mine, its in zip(results, wanted, strict=True):
        np.testing.assert_allclose(mine, its, 1e-6, atol)


def steps_between_threads(statements: Sequence[Statement], thread: str = "") -> set[str]:
    """Return the distances of elements that neighbours among threads load and store in memory.

    Loops over the elements of a thread begin at an index that its number is part of.
    """
    steps: set[str] = set()
    starts: dict[str, Index] = {}
    for s in statements:
        if isinstance(s, LetIndex):
            starts[s.target.name] = s.index
        elif isinstance(s, For):
            inner: Sequence[Statement] = s.body
            if s.kind in ("thread", "lane"):
                thread = s.index.name
            elif thread in s.start.names():
                begin = LetIndex(s.index, s.start)
                inner = [begin, *s.body]
            steps |= steps_between_threads(_begun(inner, starts), thread)
        elif isinstance(s, If):
            for body in (s.then, s.otherwise):
                steps |= steps_between_threads(_begun(body, starts), thread)
        elif isinstance(s, Load | Store) and thread and s.buffer.memory not in (STACK, SHARED):
            steps.add(str(s.index.replace(starts).replace(starts).coefficient(thread)))
    return steps


def _begun(body: Sequence[Statement], starts: Mapping[str, Index]) -> Sequence[Statement]:
    known = (LetIndex(Value(name, "int64"), index) for name, index in starts.items())
    return [*known, *body]
