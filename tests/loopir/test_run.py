"""Functions of a program, and the statements that run them: text, names and rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from symtheano.loopir import (
    Buffer,
    Function,
    Index,
    Literal,
    Program,
    Run,
    Store,
    Threads,
    Value,
)
from symtheano.loopir.names import definitions, indices, operands, reads, writes
from symtheano.loopir.text import headline
from symtheano.loopir.verify import VerificationError, verify

N = Value("n", "int64")
X, Y = (Buffer(name, "float64", "input", N.index, k) for k, name in enumerate("xy"))
FIRST = Function(
    "first", (Store(X, Index.of(0), Literal(1.0, "float64")),), (X,), (N,), frozenset("x")
)
RUN = Run("first", (Y,), (N,), (), (Y,))


def program(*functions: Function, run: Run = RUN) -> Program:
    return Program("f", (X, Y), (("n",), ("",)), (X, Y), (run,), functions=functions)


def test_what_a_run_uses() -> None:
    total = Value("total", "float64")
    run = replace(RUN, read=(X,), results=(total,), threads=Threads(N.index, 2, None, 1, False))
    assert (reads(run), writes(run), operands(run)) == ((X,), (Y,), (N,))
    assert (definitions(run), indices(run)) == ((total,), (N.index,))


def test_text() -> None:
    assert headline(RUN) == "run first(y, n)"
    shared = replace(RUN, threads=Threads(N.index, 1, N.index * 8, 256, True))
    assert headline(shared) == (
        "run first(y, n) in threads: n iterations in blocks of 256, work n*8"
    )
    text = str(program(FIRST))
    assert text.endswith(
        "run first(y, n)\n\nfunction first(x (written), n):\n  x[0] = 1.0:float64\n"
    )


def test_a_function_is_valid_by_itself() -> None:
    verify(program(FIRST))
    with pytest.raises(VerificationError, match="x has no storage here"):
        verify(program(replace(FIRST, buffers=())))
    with pytest.raises(VerificationError, match="total is not defined here"):
        verify(program(replace(FIRST, results=(Value("total", "float64"),))))


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (replace(RUN, function="second"), "there is no function second"),
        (replace(RUN, values=()), "first takes other arguments"),
        (replace(RUN, results=(N,)), "first takes other arguments"),
        (replace(RUN, written=()), "first writes to x"),
    ],
)
def test_a_run_fits_its_function(run: Run, reason: str) -> None:
    with pytest.raises(VerificationError, match=reason):
        verify(program(FIRST, run=run))
