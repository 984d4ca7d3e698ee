"""Workspaces of calls: memory that the statements of a program measure and declare for them."""

from __future__ import annotations

from collections.abc import Callable, Container

from symtheano.codegen.passes.cuda.routines.calls import calls_of
from symtheano.loopir import Call, Local, Measure, Program, Statement
from symtheano.loopir.names import walk


class Workspaces:
    """The memory that a naive program declares for the calls of some routines.

    Parameters
    ----------
    program
        The program, before ``measure``.
    routines
        Names of the routines.
    takes
        Function that tells whether a call is meant; by default, all calls are.

    Attributes
    ----------
    calls
        Whether there are such calls.
    """

    def __init__(
        self,
        program: Program,
        routines: Container[str],
        takes: Callable[[Call], bool] = lambda call: True,
    ) -> None:
        calls = [s for s in calls_of(program, routines) if takes(s)]
        self.calls = bool(calls)
        self._memory = {s.workspace.name for s in calls if s.workspace is not None}
        self._sizes = {
            s.buffer.size.name
            for s in (walk(program.body) if self._memory else ())
            if isinstance(s, Local) and s.buffer.name in self._memory
        }

    def declares(self, s: Statement) -> bool:
        """Return whether a statement measures or declares such memory."""
        if isinstance(s, Measure):
            return s.target.name in self._sizes
        return isinstance(s, Local) and s.buffer.name in self._memory
