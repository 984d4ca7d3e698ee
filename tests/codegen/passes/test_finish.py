"""Finish: reductions, updates and positions become what printers understand."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.finish import better, finish
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.codegen.processors import CPU
from symtheano.dataclass import replace
from symtheano.loopir import Buffer, Builder, Kernel, Literal, Local, Locate, Reduce, Update
from symtheano.loopir.names import reads, walk, writes
from tests.codegen.passes.change import Golden, assert_same, text_of
from tests.codegen.passes.kernels import naive_kernels, x, y
from tests.support.loops import Machine


def finished(outputs: object, *passes: object) -> tuple[Kernel, Kernel]:
    """Return a kernel as it was written, and as printers get it."""
    ((naive, *_), names) = naive_kernels([x, y], outputs)
    kernel = run_passes(naive, names, passes, CPU)  # type: ignore[arg-type]
    after = finish(kernel, names, lambda buffer: replace(buffer, space="arena"))
    assert not any(isinstance(s, Reduce | Update | Locate | Local) for s in walk(after.body))
    return naive, after


def test_a_sum_is_an_assignment(golden: Golden) -> None:
    naive, after = finished([x.sum(1), x.argmin(1)], vectorize)
    golden(text_of(after), "passes/finish.txt")
    assert_same(naive, after)


def test_memory_gets_its_place() -> None:
    """The accumulators of chunks are in the workspace of the function."""
    _, after = finished(x.sum(0), chunk)
    found = {b.name: b.space for s in walk(after.body) for b in (*reads(s), *writes(s))}
    assert found == {"x": "input", "out": "output", "out_parts": "arena"}


def test_what_is_finished_stays() -> None:
    _, after = finished(x * 2 + y)
    _, names = naive_kernels([x, y], x * 2 + y)

    def refuse(buffer: Buffer) -> Buffer:
        raise AssertionError(buffer)

    assert finish(after, names, refuse) == after


@pytest.mark.parametrize("op", ["argmax", "argmin"])
def test_which_of_two_is_better(op: str) -> None:
    """The first NaN is, and of equal numbers the first one."""
    for value, best in ((1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (np.nan, 1.0), (np.nan, np.nan),
                        (1.0, np.nan), (np.inf, 1.0), (-0.0, 0.0)):  # fmt: skip
        b = Builder()
        wins = better(b, op, Literal(value, "float64"), Literal(best, "float64"))
        machine = Machine({}, {})
        machine.run(b.statements())
        found = getattr(np, op)([best, value])
        assert bool(machine.operand(wins)) == (found == 1), (value, best)
