"""The message if compiled code gets no memory for an array or for the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from symtheano.codegen.abi import ON_DEVICE
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
    label: str,
    request: Request,
    outputs: Sequence[Any],
    lowered: Lowered,
    values: Sequence[int],
    reason: str = "",
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
        of bytes has overflowed. :data:`~symtheano.codegen.abi.ON_DEVICE` is the workspace on a
        device, and numbers below it are arrays there.
    reason
        What the device has said last.
    """
    bytes_, number, *refused = values
    rows: list[_Row] = []
    places: list[Any] = []
    told = [("device", reason)]
    if number >= 0:
        rows, places, bytes_, there = _array(lowered.program, number, refused)
        wanted = "an intermediate array"
        if number < len(outputs):
            wanted, places = f"output {number}", [outputs[number].origin]
        rows += told if there else []
    elif number <= ON_DEVICE:
        return _shortage_there(label, lowered.program, bytes_, ON_DEVICE - number, told)
    elif number < -1:
        item = request.given[-2 - number]
        wanted = f"a contiguous copy of input {printable_name(item.name or -2 - number)}"
    else:
        wanted = "its workspace"
        rows, places = _workspace(lowered.program, "host")
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
) -> tuple[list[_Row], list[Any], int, bool]:
    """Describe an array of the caller's; return its line, bytes, and whether a device has it."""
    buffer, axes = next(
        (s.buffer, len(s.shape))
        for s in program.statements()
        if isinstance(s, Allocate) and number in s.positions
    )
    routine, place = _users(program).get(buffer.name, ("", None))
    shape = tuple(refused[:axes])
    text = f"{buffer.dtype}, {buffer.size} elements" + f", {routine}" * bool(routine)
    rows = [(buffer.name, text), ("shape", str(shape))]
    there = buffer.place == "device"
    return rows, [place], prod(shape) * np.dtype(buffer.dtype).itemsize, there


def _shortage_there(
    label: str, program: Program, bytes_: int, number: int, told: list[_Row]
) -> str:
    """Return the message if a device has no memory for its workspace, or for an array there."""
    from symtheano.codegen.cuda.host import allocated_there

    rows, places = _workspace(program, "device")
    names = ["its workspace", *allocated_there(program)]
    buffers = {s.buffer.name: s.buffer for s in program.statements() if isinstance(s, Allocate)}
    arrays = [
        (name, f"{buffers[name].size * np.dtype(buffers[name].dtype).itemsize} bytes")
        for name in names[1:]
    ]
    left = max(0, _MOST_PARTS - len(rows))
    rows += arrays[:left]
    if len(arrays) > left:
        rows.append(("other arrays", str(len(arrays) - left)))
    size = f"{bytes_:,} bytes" if 0 < bytes_ < 1 << 62 else "more than 2**62 bytes"
    return format_error(
        f"{label}: the device has not enough memory for {size} for {names[number]}",
        operands=[*told, *rows],
        places=places,
        hint="use smaller inputs, or compute in parts",
    )


def _workspace(program: Program, place: str) -> tuple[list[_Row], list[Any]]:
    """Describe the parts of a place's workspace; return their lines as well, if these are few."""
    users = _users(program)
    slots = [
        (slot.size, [(buffer.name, *users.get(buffer.name, ("", None))) for buffer in slot.buffers])
        for slot in program.arena
        if slot.buffers[0].place == place
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
