"""The frame: what a program has once, around all of its regions."""

from __future__ import annotations

from symtheano.codegen.frame import Frame
from symtheano.codegen.processors import CPU
from symtheano.loopir.builder import Names
from symtheano.loopir.host import Tick


def frame(measured: bool) -> Frame:
    return Frame(measured, Names(), CPU.routines)


class Node:
    """A node without a line."""

    origin = None


def test_steps_are_told_if_they_are_measured() -> None:
    made = frame(measured=True)
    for label in ("one", "two"):
        made.tick(label, Node())  # type: ignore[arg-type]
    assert [s.step for s in made.b.statements() if isinstance(s, Tick)] == [0, 1]
    assert made.ticks == [("one", None), ("two", None)]


def test_nothing_is_told_without_measuring() -> None:
    made = frame(measured=False)
    made.tick("one", Node())  # type: ignore[arg-type]
    assert made.b.statements() == ()
    assert made.ticks == []
