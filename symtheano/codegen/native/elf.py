"""The build ID of an ELF file: a hash of its content that its linker has written into it.

The layout is that of the ELF specification, chapters "ELF Header", "Program Header" and "Note
Section".
"""

from __future__ import annotations

import struct
from typing import BinaryIO

_NOTES = 4  # PT_NOTE
_BUILD_ID = 3  # NT_GNU_BUILD_ID
_MOST = 1 << 16  # bytes of notes; a build ID has 20


def build_id(file: BinaryIO) -> bytes | None:
    """Return the build ID of a program.

    Parameters
    ----------
    file
        The program, opened for reading bytes at any position.

    Returns
    -------
    The ID; None if the file is not ELF, or has none.

    Examples
    --------
    >>> import io
    >>> build_id(io.BytesIO(b"#!/bin/sh")) is None
    True
    """
    try:
        ids = (_in_notes(*notes) for notes in _segments(file))
        return next(filter(None, ids), None)
    except (struct.error, ValueError, OverflowError):  # the file ends early, or is damaged
        return None


def _segments(file: BinaryIO) -> list[tuple[str, bytes]]:
    """Return the segments of notes, each with its byte order."""
    file.seek(0)
    identity = file.read(16)
    if len(identity) < 16 or not identity.startswith(b"\x7fELF"):
        return []
    wide, order = identity[4] == 2, "<" if identity[5] == 1 else ">"
    header = struct.Struct(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"))
    entry = struct.Struct(order + ("IIQQQQQQ" if wide else "IIIIIIII"))
    _, _, _, _, start, _, _, _, size, count, *_ = header.unpack(file.read(header.size))
    segments = []
    for number in range(count):
        file.seek(start + number * size)
        fields = entry.unpack(file.read(entry.size))
        offset, length = (fields[2], fields[5]) if wide else (fields[1], fields[4])
        if fields[0] == _NOTES and length <= _MOST:
            file.seek(offset)
            segments.append((order, file.read(length)))
    return segments


def _in_notes(order: str, notes: bytes) -> bytes | None:
    position = 0
    while position + 12 <= len(notes):
        name_size, size, kind = struct.unpack_from(order + "III", notes, position)
        name = position + 12
        value = name + -(-name_size // 4) * 4
        if kind == _BUILD_ID and notes[name : name + name_size] == b"GNU\0":
            return notes[value : value + size] if value + size <= len(notes) else None
        position = value + -(-size // 4) * 4
    return None
