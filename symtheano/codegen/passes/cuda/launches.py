"""Launches: what a grid loop does becomes a kernel of the program, and the host launches it.

Loops that differ only in names are one kernel, which takes time to compile.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Buffer, For, Launch, Program, Statement, While
from symtheano.loopir.alike import form_of_function
from symtheano.loopir.builder import Names
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import reads, uses, walk, writes
from symtheano.loopir.program import Function
from symtheano.loopir.rewrite import Body, with_bodies


def launches(program: Program, target: Target, context: ProgramContext) -> Program:
    """Make a kernel of each grid loop, and launch it where the loop was."""
    writer = _Launches(context.names, target.device.warp)
    functions = tuple(
        replace(
            function,
            body=(body := writer.block(function.body, function)),
            stack=_still_used(function.stack, body),
        )
        for function in program.functions
    )
    entry = Function(program.name, program.body)
    body = writer.block(program.body, entry)
    return replace(
        program,
        body=body,
        functions=functions,
        stack=_still_used(program.stack, body),
        kernels=tuple(writer.kernels),
    )


def grids_of(loop: For) -> list[For]:
    """Return the nested grid loops of a launch, the outer one first."""
    grids = [loop]
    while isinstance(inner := grids[-1].body[0] if grids[-1].body else None, For):
        if inner.kind != "grid":
            break
        grids.append(inner)
    return grids


def _still_used(stack: Sequence[Buffer], body: Body) -> tuple[Buffer, ...]:
    """Return those of the arrays on the stack that the host uses, and not a kernel alone."""
    named = {buffer.name for s in walk(body) for buffer in (*reads(s), *writes(s))}
    return tuple(buffer for buffer in stack if buffer.name in named)


class _Launches:
    """Makes the kernels of one program."""

    def __init__(self, names: Names, warp: int) -> None:
        self.names, self.warp = names, warp
        self.kernels: list[Function] = []
        self._alike: dict[tuple[object, ...], Function] = {}

    def block(self, statements: Body, inside: Function) -> Body:
        """Return statements of a function with launches instead of grid loops."""
        new: list[Statement] = []
        for s in statements:
            if isinstance(s, For) and s.kind == "grid":
                new.append(self._launch(s, inside))
            elif isinstance(s, While):
                test, body = self.block(s.test, inside), self.block(s.body, inside)
                new.append(replace(s, test=test, body=body))
            else:
                new.append(with_bodies(s, lambda body: self.block(body, inside)))
        return tuple(new)

    def _launch(self, loop: For, inside: Function) -> Launch:
        needed = uses([loop])
        buffers = tuple(b for b in needed.buffers if b.memory.passed)
        stack = tuple(b for b in needed.buffers if b.memory is STACK)
        kernel = Function(
            self.names.fresh(inside.name),
            (loop,),
            buffers,
            needed.values,
            needed.written & {buffer.name for buffer in buffers},
            stack=stack,
            title=inside.title,
            origins=inside.origins,
        )
        form = form_of_function(kernel.body, (*buffers, *needed.values), ())
        changed = tuple(buffer.name in needed.written for buffer in buffers)
        known = self._alike.setdefault((form.key, changed), kernel)
        if known is kernel:
            self.kernels.append(kernel)
        kernel = known
        grids = grids_of(loop)
        return Launch(
            kernel.name,
            buffers,
            needed.values,
            tuple(buffer for buffer in buffers if buffer.name in needed.read),
            tuple(buffer for buffer in buffers if buffer.name in needed.written),
            tuple(grid.stop - grid.start for grid in grids),
            tuple(grid.step for grid in grids),
            self._threads(grids[-1]),
        )

    def _threads(self, grid: For) -> int:
        """Return how many threads a block needs."""
        most = 1
        for loop in walk(grid.body):
            if isinstance(loop, For):
                count = loop.stop.constant or 0
                if loop.kind == "warp":
                    most = max(most, count * self.warp)
                elif loop.kind == "thread":
                    most = max(most, count)
        return most
