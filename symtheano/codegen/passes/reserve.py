"""Reserve: the workspace is opened once, as late as possible, and only if there is one."""

from __future__ import annotations

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.interrupts import writes_input
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Program, Reserve, Statement
from symtheano.loopir.names import reads, walk, writes


def reserve(program: Program, target: Target, context: ProgramContext) -> Program:
    """Open the workspace before it is needed first.

    It is opened before an argument is written, too: if there is not enough memory, no argument has
    changed.
    """
    body: list[Statement] = [s for s in program.body if not isinstance(s, Reserve)]
    if program.arena:
        own = {buffer.name for slot in program.arena for buffer in slot.buffers}
        changes_input = writes_input(program)

        def needs(statement: Statement) -> bool:
            used = (b for s in walk((statement,)) for b in (*reads(s), *writes(s)))
            return changes_input(statement) or any(buffer.name in own for buffer in used)

        position = next((k for k, s in enumerate(body) if needs(s)), len(body))
        body.insert(position, Reserve())
    return replace(program, body=tuple(body))
