"""The message if compiled code gets no memory for an array or for the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from symtheano.codegen.frame import Lowered
from symtheano.errors import format_error, printable_name
from symtheano.function.request import Request
from symtheano.loopir.names import writes
from symtheano.loopir.nodes import Allocate, Call
from symtheano.loopir.operands import Place
from symtheano.loopir.program import Program
from symtheano.loopir.run import Run

# More lines than these would hide the rest of a message.
_MOST_PLACES = 3
_MOST_PARTS = 12

_Row = tuple[str, str]


def shortage(
    label: str, request: Request, outputs: Sequence[Any], lowered: Lowered, values: Sequence[int]
) -> str:
    """Return the message of a MemoryError.

    Parameters
    ----------
    label
        The name of the function.
    request, outputs
        What was given to ``function``, and the outputs of its graph.
    lowered
        The program.
    values
        The bytes that were requested, and for what: the number of an output, -1 for the workspace,
        or a number below it for an argument, which is copied if it is not contiguous. Then, of an
        output its lengths, and of a workspace 1 if the host was asked for it: otherwise the number
        of bytes has overflowed.
    """
    bytes_, number, *refused = values
    rows: list[_Row] = []
    places: list[Any] = []
    if number >= 0:
        rows, places, bytes_ = _array(lowered.program, number, refused)
        wanted = "an intermediate array"
        if number < len(outputs):
            wanted, places = f"output {number}", [outputs[number].origin]
    elif number < -1:
        item = request.given[-2 - number]
        wanted = f"a contiguous copy of input {printable_name(item.name or -2 - number)}"
    else:
        wanted = "its workspace"
        rows, places = _workspace(lowered.program)
        if refused and not refused[0]:
            bytes_ = 0
    size = f"{bytes_:,} bytes for " if bytes_ > 0 else "more than 2**62 bytes for "
    return format_error(
        f"{label}: there is not enough memory for {size}{wanted}",
        operands=rows,
        places=places,
        hint="use smaller inputs, or compute in parts",
    )


def _array(
    program: Program, number: int, refused: Sequence[int]
) -> tuple[list[_Row], list[Any], int]:
    """Describe an array of the caller's; return its line and its bytes as well."""
    buffer, axes = next(
        (s.buffer, len(s.shape))
        for s in program.statements()
        if isinstance(s, Allocate) and number in s.positions
    )
    routine, place = _users(program).get(buffer.name, ("", None))
    shape = tuple(refused[:axes])
    text = f"{buffer.dtype}, {buffer.size} elements" + f", {routine}" * bool(routine)
    rows = [(buffer.name, text), ("shape", str(shape))]
    return rows, [place], prod(shape) * np.dtype(buffer.dtype).itemsize


def _workspace(program: Program) -> tuple[list[_Row], list[Any]]:
    """Describe the parts of the workspace; return their lines as well, if these are few."""
    users = _users(program)
    slots = [
        (slot.size, [(buffer.name, *users.get(buffer.name, ("", None))) for buffer in slot.buffers])
        for slot in program.arena
    ]
    lines = {place.place: place for _, held in slots for _, _, place in held if place is not None}
    rows = []
    for size, held in slots[:_MOST_PARTS]:
        names = " or ".join(name for name, _, _ in held)
        told = (_told(routine, place if len(lines) > 1 else None) for _, routine, place in held)
        shown = " or ".join(dict.fromkeys(filter(None, told)))
        rows.append((names, f"{size} bytes" + f", {shown}" * bool(shown)))
    if len(slots) > _MOST_PARTS:
        rows.append(("others", f"{len(slots) - _MOST_PARTS} more parts"))
    return rows, list(lines.values()) if len(lines) <= _MOST_PLACES else []


def _told(routine: str, place: Place | None) -> str:
    """Return who uses memory, and the line."""
    return " ".join([*[routine] * bool(routine), *[f"at {p.place}" for p in [place] if p]])


def _users(program: Program) -> dict[str, tuple[str, Place | None]]:
    """Return for each array the routine that first writes it, if one does, and the line."""
    users: dict[str, tuple[str, Place | None]] = {}
    for statement in program.statements():
        routine, origins = "", tuple[Place, ...]()
        if isinstance(statement, Call):
            routine = statement.routine.name
            origins = () if statement.origin is None else (statement.origin,)
        elif isinstance(statement, Run):
            origins = statement.origins
            if not origins:
                continue
        for buffer in writes(statement):
            users.setdefault(buffer.name, (routine, origins[0] if origins else None))
    return users
