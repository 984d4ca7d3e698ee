"""Steps: what a measured program tells its driver, so that kernels and copies are timed.

Each launch, each copy and each routine of the host is a step, which begins and ends with a message
to the driver. Launches of one kernel are one step. Other programs have no such messages.
"""

from __future__ import annotations

from itertools import chain

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Call,
    Launch,
    LibraryCall,
    Product,
    Program,
    PythonCall,
    ReadBack,
    Statement,
    Transfer,
)
from symtheano.loopir.host import Tick
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import While
from symtheano.loopir.program import Function
from symtheano.loopir.rewrite import Body, with_bodies
from symtheano.loopir.run import Run

OF_DEVICE = Launch | LibraryCall | Product | ReadBack | Transfer
"""Statements that ask the device."""
_MEASURED = OF_DEVICE | Call | PythonCall | Run


def steps(program: Program, target: Target, context: ProgramContext) -> Program:
    """Say before and after each launch, copy and routine that it begins and ends, if measured."""
    if context.steps is None:
        return program
    functions = {function.name: function for function in program.functions}
    asking = {
        name for name, function in functions.items() if _asks_device(function.body, functions)
    }
    if not _asks_device(program.body, functions):
        return program
    writer = _Steps(program, asking, context.steps)
    return replace(
        program,
        body=writer.block(program.body, ""),
        functions=tuple(
            replace(function, body=writer.block(function.body, function.name))
            if function.name in asking
            else function
            for function in program.functions
        ),
    )


def host_steps(program: Program) -> list[tuple[str, str | None]]:
    """Return what the host of a device computes itself, with the user's line, each only once."""
    functions = {function.name: function for function in program.functions}
    asking = [each.body for each in program.functions if _asks_device(each.body, functions)]
    steps: dict[tuple[str, str | None], None] = {}
    for s in chain.from_iterable(map(walk, (program.body, *asking))):
        if isinstance(s, Run) and not _asks_device(functions[s.function].body, functions):
            own = functions[s.function]
            steps[own.title or own.name, _place(own)] = None
        elif isinstance(s, Call):
            steps[s.routine.name, None if s.origin is None else s.origin.place] = None
        elif isinstance(s, PythonCall):
            steps["an op in Python", None if s.origin is None else s.origin.place] = None
    return [*steps]


def _asks_device(body: Body, functions: dict[str, Function]) -> bool:
    """Return whether statements ask the device for anything, also in functions that they run."""
    return any(
        isinstance(s, OF_DEVICE)
        or (isinstance(s, Run) and _asks_device(functions[s.function].body, functions))
        for s in walk(body)
    )


class _Steps:
    """Numbers the steps of one program.

    Parameters
    ----------
    program
        The program.
    asking
        Names of the functions that ask the device. Others are the host's, and a step as a whole.
    labels
        Where the steps are listed: what each does, and the user's line.
    """

    def __init__(
        self, program: Program, asking: set[str], labels: list[tuple[str, str | None]]
    ) -> None:
        self.asking, self.labels = asking, labels
        self.numbers: dict[tuple[str, str | None], int] = {}
        self.places = {
            function.name: _place(function) for function in (*program.functions, *program.kernels)
        }

    def block(self, statements: Body, inside: str) -> Body:
        """Return statements of a function, by its name, with messages around what is measured."""
        new: list[Statement] = []
        for s in statements:
            if isinstance(s, _MEASURED) and not (isinstance(s, Run) and s.function in self.asking):
                new += [Tick(self._number(*self._step(s, inside))), s, Tick(-1)]
            elif isinstance(s, While):
                test, body = self.block(s.test, inside), self.block(s.body, inside)
                new.append(replace(s, test=test, body=body))
            else:
                new.append(with_bodies(s, lambda body: self.block(body, inside)))
        return tuple(new)

    def _number(self, label: str, place: str | None) -> int:
        number = self.numbers.setdefault((label, place), len(self.labels))
        if number == len(self.labels):
            self.labels.append((label, place))
        return number

    def _step(self, s: Statement, inside: str) -> tuple[str, str | None]:
        """Return what a statement does, and the user's line."""
        if isinstance(s, Launch):
            return s.kernel, self.places[s.kernel]
        if isinstance(s, Run):
            return f"{s.function}, on the host", self.places[s.function]
        if isinstance(s, Transfer):
            return f"copy of {s.source.name} to the {s.target.place}", None
        if isinstance(s, ReadBack):
            return f"copy of {s.buffer.name} to the host", None
        if isinstance(s, Product):
            return f"{inside or s.c.name}, by a library", self.places.get(inside)
        if isinstance(s, LibraryCall):
            place = None if s.origin is None else s.origin.place
            return f"{s.written[0].name}, by a library", place
        if isinstance(s, Call):
            place = None if s.origin is None else s.origin.place
            return f"{s.routine.name}, on the host", place
        return "an op in Python", None


def _place(function: Function) -> str | None:
    """Return the user's line of a function, or of its first statement that has one."""
    lines = [place.place for place in function.origins]
    origins = (getattr(s, "origin", None) for s in walk(function.body))
    lines += [origin.place for origin in origins if origin is not None]
    return lines[0] if lines else None
