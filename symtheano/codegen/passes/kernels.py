"""Kernels of a program go through the passes of a processor, and get memory."""

from __future__ import annotations

from collections.abc import Callable

from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.announce import announce
from symtheano.codegen.passes.arena import KernelMemory
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.finish import finish
from symtheano.codegen.passes.parallelize import parallelize
from symtheano.codegen.passes.repeats import Repeats
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Buffer, Call, Check, For, Kernel, Local, Program, Statement, While
from symtheano.loopir.builder import Names
from symtheano.loopir.empty import skip_empty_loops
from symtheano.loopir.names import walk
from symtheano.loopir.rewrite import Body, unless_same, with_bodies


def kernels(program: Program, target: Target, context: ProgramContext) -> Program:
    """Run the passes over all kernels, wherever they are.

    Work on the rows of what a call computes becomes the call's epilogue, if it can.
    """
    changes = _KernelPasses(target, context, KernelMemory(program))
    body = changes.block(program.body)
    arena = (*program.arena, *changes.memory.slots)
    return replace(program, body=body, arena=arena, repeats=tuple(changes.repeats.repeated))


class _KernelPasses:
    """The kernels of one program, one after the other.

    Attributes
    ----------
    memory
        Gives places to the memory of kernels.
    repeats
        What was done with kernels, for others that differ only in names.
    """

    def __init__(self, target: Target, context: ProgramContext, memory: KernelMemory) -> None:
        self.target, self.context = target, context
        self.names, self.memory = context.names, memory
        self.repeats = Repeats(self._after_passes)

    def block(self, statements: Body) -> Body:
        """Return statements with their kernels changed."""
        new: list[Statement] = []
        for statement in statements:
            if isinstance(statement, Kernel) and not statement.region:
                self._change(statement, new)
            elif isinstance(statement, While):
                new.append(replace(statement, body=self.block(statement.body)))
            else:
                new.append(with_bodies(statement, self.block))
        return unless_same(new, statements)

    def _change(self, kernel: Kernel, before: list[Statement]) -> None:
        """Add a kernel to the statements before it, or change the call that takes it over."""
        if kernel.epilogue:
            # A routine runs on the host, and can't launch anything for its rows.
            loop = self._loop_of_rows(kernel) if self.target.serial else None
            if loop is not None and _take_over(before, loop):
                return
            kernel = replace(kernel, epilogue=False)
        if kernel.scheduled and (self.target.serial or _calls(kernel)):
            told = run_passes(kernel, self.names, [announce], self.target)
            before.append(replace(skip_empty_loops(told, self.names), scheduled=False))
            return
        kernel = replace(kernel, scheduled=False) if kernel.scheduled else kernel
        used: list[int] = []

        def place(buffer: Buffer) -> Buffer:
            placed = self.memory.place(buffer, used)
            if isinstance(placed, Buffer):
                return placed
            before.append(placed)
            return placed.buffer

        alone = self.context.trace is not None
        change = self._after_passes if alone else self.repeats.changed
        before.append(change(kernel, self.names, place))

    def _after_passes(
        self, naive: Kernel, names: Names, place: Callable[[Buffer], Buffer]
    ) -> Kernel:
        trace = self.context.trace
        kernel = run_passes(naive, names, self.target.passes, self.target, trace)
        return self._legal(finish(kernel, names, place), names)

    def _legal(self, kernel: Kernel, names: Names) -> Kernel:
        context = Context(names)
        for each in self.target.legalizations:
            kernel = each(kernel, self.target, context)
        return kernel

    def _loop_of_rows(self, kernel: Kernel) -> For | None:
        """Return the loop over rows that a naive kernel is, after passes inside; None if it isn't.

        Threads run it, so it has no memory of its own, and is not shared by threads again.
        """
        (loop, *more) = kernel.body
        if more or not isinstance(loop, For):
            return None
        alone = [each for each in self.target.passes if each not in (announce, parallelize)]
        row = run_passes(replace(kernel, body=loop.body), self.names, alone, self.target)
        if any(isinstance(s, Local | Check | Call) for s in walk(row.body)):
            return None
        row = self._legal(finish(row, self.names, lambda buffer: buffer), self.names)
        return replace(loop, body=row.body)


def _calls(kernel: Kernel) -> bool:
    return any(isinstance(s, Call | Check) for s in walk(kernel.body))


def _take_over(statements: list[Statement], loop: For) -> bool:
    """Make a loop over rows the epilogue of the last call, if it takes one."""
    for k in reversed(range(len(statements))):
        statement = statements[k]
        if isinstance(statement, Call) and statement.routine.epilogue:
            statements[k] = replace(statement, epilogue=loop)
            return True
        if isinstance(statement, Kernel):
            inside = list(statement.body)
            if not _calls(statement) or not _take_over(inside, loop):
                return False
            statements[k] = replace(statement, body=tuple(inside))
            return True
    return False
