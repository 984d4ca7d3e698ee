"""Interrupts: a call may end between two statements that take long, if the host asks for it."""

from __future__ import annotations

from collections.abc import Callable

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Alias, Call, Choose, For, Interrupt, Kernel, Program, Statement, Swap
from symtheano.loopir.names import uses, walk, writes, written_through


def interrupts(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let the entry point be left between statements that take long.

    A call whose argument has been written goes on to its end.
    """
    writes_argument = writes_input(program)
    firsts = {id(repeat.body): repeat.first for repeat in program.repeats}
    is_long: dict[int, bool] = {}

    def takes_long(statement: Statement) -> bool:
        if not isinstance(statement, Kernel):
            return any(map(_takes_long, walk([statement])))
        body = firsts.get(id(statement.body), statement.body)
        if id(body) not in is_long:
            is_long[id(body)] = any(map(_takes_long, walk(body)))
        return is_long[id(body)]

    body: list[Statement] = []
    was_long = has_written = False
    for statement in program.body:
        if takes_long(statement):
            if was_long and not has_written:
                body.append(Interrupt())
            was_long = True
        has_written = has_written or writes_argument(statement)
        body.append(statement)
    return replace(program, body=tuple(body))


def _takes_long(statement: Statement) -> bool:
    """Return whether a statement calls a library or is a loop that threads share."""
    return isinstance(statement, Call) or (
        isinstance(statement, For) and "parallel" in statement.kind
    )


def writes_input(program: Program) -> Callable[[Statement], bool]:
    """Return a function that tells whether a statement may write into an input of the program."""
    statements = [*walk(program.body)]
    naming = [s for s in statements if isinstance(s, Alias | Choose | Swap)]
    inputs = {buffer.name for buffer in program.inputs}
    written = {buffer.name for s in statements for buffer in writes(s)}
    if inputs.isdisjoint(written_through(written, naming)):
        return lambda statement: False
    return lambda s: not inputs.isdisjoint(written_through(uses((s,)).written, naming))
