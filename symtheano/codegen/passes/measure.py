"""Measure: the memory of calls is one part of the workspace, measured before that is opened.

In a naive program, each call has memory of its own, whose size is measured before it. A call needs
the memory only while it runs, so all calls get the same part of the workspace, of the largest of
their sizes. These are measured where the workspace is opened. A size that depends on integers that
are known later is measured before the step, and the caller provides the memory.
"""

from __future__ import annotations

from functools import partial

from symtheano.codegen.passes.arena import LateMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    Call,
    Index,
    Kernel,
    Local,
    Measure,
    Program,
    Reserve,
    Routine,
    Slot,
    Statement,
    Value,
    While,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.names import walk
from symtheano.loopir.rewrite import Body, unless_same, with_bodies
from symtheano.loopir.routine import ALIGNMENT


def measure(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let all calls share one part of the workspace, whose size is known where it is opened."""
    if not any(isinstance(s, Measure) for s in walk(program.body)):
        return program
    memory = _CallMemory(program, context.names)
    changed = memory.block(program.body)
    sizes, slots = memory.shared()
    body: list[Statement] = []
    for statement in changed:
        body += (*sizes, statement) if isinstance(statement, Reserve) else (statement,)
    return replace(program, body=tuple(body), arena=(*program.arena, *slots))


class _CallMemory:
    """The memory of the calls of one program.

    Parameters
    ----------
    program
        The program.
    names
        Where names of sizes and of memory come from.
    """

    def __init__(self, program: Program, names: Names) -> None:
        self.names, self.late = names, LateMemory(program)
        # What is measured before the workspace is opened, and the memory of that size.
        self._early: dict[tuple[Routine, str, tuple[Index, ...]], tuple[Measure, Buffer]] = {}
        # The memory of each size, and in place of each buffer, by the names of the naive program.
        self._of_size: dict[str, Buffer] = {}
        self._instead: dict[str, Buffer] = {}

    def block(self, statements: Body, around: list[Statement] | None = None) -> Body:
        """Return statements whose calls have their memory.

        Parameters
        ----------
        statements
            The statements.
        around
            For those of a kernel, which allocates nothing: takes the statements before it.
        """
        new: list[Statement] = []
        before = new if around is None else around
        for s in statements:
            if isinstance(s, Measure):
                before += self._measured(s)
            elif isinstance(s, Local) and s.buffer.size.name in self._of_size:
                self._instead[s.buffer.name] = self._of_size[s.buffer.size.name]
            elif isinstance(s, Call) and s.workspace is not None:
                new.append(replace(s, workspace=self._instead[s.workspace.name]))
            elif isinstance(s, While):
                test, body = self.block(s.test, around), self.block(s.body, around)
                new.append(replace(s, test=test, body=body))
            else:
                outer = before if isinstance(s, Kernel) and not s.region else around
                new.append(with_bodies(s, partial(self.block, around=outer)))
        return unless_same(new, statements)

    def _measured(self, s: Measure) -> list[Statement]:
        """Provide memory of a size; return what measures and allocates it there."""
        key = (s.routine, s.dtype, s.integers)
        if key in self._early:
            self._of_size[s.target.name] = self._early[key][1]
            return []
        size = Value(self.names.fresh(f"{s.routine.name}_bytes"), "int64")
        measured = replace(s, target=size)
        memory = Buffer(self.names.fresh("workspace"), "int8", "arena", size.index)
        if not self.late.is_late(s.integers):
            self._early[key] = measured, memory
            self._of_size[s.target.name] = memory
            return []
        allocate = self.late.allocation(memory, ALIGNMENT)
        self._of_size[s.target.name] = allocate.buffer
        return [measured, allocate]

    def shared(self) -> tuple[Body, tuple[Slot, ...]]:
        """Return what computes sizes before the workspace is opened, and the part of all calls."""
        if not self._early:
            return (), ()
        b = Builder(self.names)
        for each, _ in self._early.values():
            b.emit(each)
        buffers = tuple(memory for _, memory in self._early.values())
        largest, *others = (memory.size for memory in buffers)
        for size in others:
            largest = b.maximum(largest, size, "workspace_bytes")
        return b.statements(), (Slot(buffers, largest),)
