"""The comment above an entry point: what it reads and makes, and its steps."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

import numpy as np

from symtheano.codegen.c.printer import Printer
from symtheano.codegen.c.text import WIDTH, comment_of
from symtheano.loopir.index import Index, total
from symtheano.loopir.memory import ARENA, INPUT, STACK
from symtheano.loopir.names import Uses, uses, usual
from symtheano.loopir.nodes import Allocate, Call, Statement
from symtheano.loopir.operands import Address, Argument, Buffer, Literal
from symtheano.loopir.run import Run

# Steps and arrays that are listed, and terms of a formula, at most.
_STEPS = 12
_ARRAYS = 12
_TERMS = 12
_WIDTH = WIDTH - 6
# A space at which no line is broken.
_TIED = "\N{NO-BREAK SPACE}"


def summary(printer: Printer) -> str:
    """Return the comment, after everything was printed: functions have their names then.

    For each step it has the arrays that are read and written, and how many bytes these have. A
    gather may read less.
    """
    program = printer.program
    changed = {buffer.name for buffer in program.outputs if buffer.memory is INPUT}
    outputs = [s.buffer for s in program.whole if isinstance(s, Allocate)]
    outputs.sort(key=lambda buffer: buffer.position or 0)
    lines = [
        f"{printer.spell(program.name)}",
        *_arrays(printer, "inputs", [b for b in program.inputs if b.name not in changed]),
        *_arrays(printer, "changed", [b for b in program.inputs if b.name in changed]),
        *_arrays(printer, "outputs", outputs),
        *_workspace(printer),
        *_steps(printer),
    ]
    return comment_of(lines) + "\n"


def _filled(text: str) -> list[str]:
    """Return lines of a text, none too long if possible."""
    if len(text) <= _WIDTH:
        return [text.replace(_TIED, " ")]
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + len(word) >= _WIDTH:
            lines.append(line)
            line = "   "
        line += f" {word}" if line else word
    return [each.replace(_TIED, " ") for each in (*lines, line)]


def _arrays(printer: Printer, head: str, buffers: Sequence[Buffer]) -> list[str]:
    """Return lines with arrays, their dtypes and numbers of elements."""
    shown = [f"{b.dtype}{_TIED}{_array(printer, b)}" for b in buffers[:_ARRAYS]]
    more = len(buffers) - len(shown)
    shown += [f"{more} more"] * bool(more)
    return _filled(f"{head}: {', '.join(shown)}") if shown else []


def _array(printer: Printer, buffer: Buffer) -> str:
    size = printer.index(buffer.size).replace(" ", _TIED)
    return f"{printer.spell(buffer.name)}[{size}]"


def _workspace(printer: Printer) -> list[str]:
    slots = printer.program.arena
    if not slots:
        return []
    return _filled(f"workspace: {_formula(printer, [slot.size for slot in slots])} bytes")


def _formula(printer: Printer, sizes: Sequence[Index]) -> str:
    """Return a sum as text."""
    size = total(sizes)
    return printer.index(size) if len(size.terms) <= _TERMS else "many"


def _steps(printer: Printer) -> Iterator[str]:
    """Yield lines with the kernels and calls, what they read and write, in order."""
    defined = {buffer.name for buffer in printer.program.inputs}
    shown = set(map(id, usual(printer.program.whole)))
    steps = [step for step in printer.steps if id(step[0]) in shown]
    for number, (statement, name) in enumerate(steps[:_STEPS], 1):
        used = uses([statement])
        arrays = [b for b in used.buffers if not _is_own(b, statement, used, defined)]
        read = [b for b in arrays if b.name in _reads(statement, used, defined)]
        written = [b for b in arrays if b.name in used.written]
        yield from _filled(f"{number}. {_step(printer, name, statement, read, written)}")
        defined.update(buffer.name for buffer in arrays)
    if len(steps) > _STEPS:
        yield f"{_STEPS + 1} to {len(steps)}. ..."


def _step(
    printer: Printer,
    name: str,
    statement: Statement,
    read: Sequence[Buffer],
    written: Sequence[Buffer],
) -> str:
    """Return one step: what it makes, its function, the arrays and their bytes."""
    run = statement if isinstance(statement, Run) else None
    title = printer.functions[run.function].title if run else ""
    results = [printer.spell(buffer.name) for buffer in written]
    results += [printer.spell(value.name) for value in (run.results if run else ())]
    operands = ", ".join(printer.spell(b.name) for b in read)
    target = f"{', '.join(results)} = " if results else ""
    what = [title.partition("{")[0]] if title else []
    traffic = [
        f"{verb} {_formula(printer, [b.size * np.dtype(b.dtype).itemsize for b in buffers])}"
        for verb, buffers in (("reads", read), ("writes", written))
        if buffers
    ]
    what += [f"{', '.join(traffic)} bytes"] if traffic else []
    return f"{target}{name}({operands})" + (f": {'; '.join(what)}" if what else "")


def _is_own(buffer: Buffer, statement: Statement, used: Uses, defined: Container[str]) -> bool:
    """Return whether a step alone uses an array as memory."""
    if isinstance(statement, Call):
        return buffer == statement.workspace
    both = buffer.name in used.read and buffer.name in used.written
    new = buffer.memory is ARENA and buffer.name not in defined
    return buffer.memory is STACK or (new and both)


def _reads(statement: Statement, used: Uses, defined: Container[str]) -> set[str]:
    """Return the names of the arrays whose content a step needs, given those that have one."""
    if not isinstance(statement, Call):
        return {name for name in used.read if name in defined or name not in used.written}
    names = set()
    pairs = list(zip(statement.routine.parameters, statement.arguments, strict=True))
    replaces = any(p.name == "beta" and _is_zero(argument) for p, argument in pairs)
    for parameter, argument in pairs:
        reads = parameter.access == "in" or (parameter.access == "inout" and not replaces)
        if reads and isinstance(argument, Address):
            names.add(argument.buffer.name)
    return names


def _is_zero(argument: Argument) -> bool:
    return isinstance(argument, Literal) and argument.value == 0
