"""Statements that concern the host."""

from __future__ import annotations

import pytest

from symtheano.loopir import Announce, Buffer, Builder, Index, Literal, Poll, Program, Store
from symtheano.loopir.nodes import Kernel
from symtheano.loopir.text import statements_text
from symtheano.loopir.verify import VerificationError, verify

n = Index.symbol("n")
x = Buffer("x", "float64", "input", n, 0)
y = Buffer("y", "float64", "output", n, 0)


def program(kind: str) -> Program:
    """Return a program whose only loop polls."""
    b = Builder()
    with b.loop("i", n, kind=kind) as i:
        b.emit(Store(x, i, Literal(0.5, "float64")))
        b.emit(Poll(3))
    return Program("f", (x,), (("n",),), (), (Kernel("k", "", b.statements()),))


def test_a_poll_stands_in_loops_of_the_host_and_of_threads() -> None:
    verify(program("serial"))
    verify(program("parallel"))


def test_a_poll_does_not_stand_in_lanes() -> None:
    with pytest.raises(VerificationError, match="Poll in a simd loop"):
        verify(program("simd"))


def test_work_is_not_announced_in_lanes() -> None:
    b = Builder()
    with b.loop("i", n, kind="simd"):
        b.emit(Announce(n))
    with pytest.raises(VerificationError, match="Announce in a simd loop"):
        verify(Program("f", (x,), (("n",),), (), (Kernel("k", "", b.statements()),)))


def test_text() -> None:
    assert statements_text([Announce(n * 2)]) == "announce work of n*2\n"
    assert statements_text([Poll(3)]) == "poll after work of 3\n"
    assert statements_text([Poll(256, True)]) == "poll after work of 256, and what took long\n"
