"""Files as programs in Python 2 open them, where texts and bytes were one type.

Whatever the mode is, texts and bytes can be written. Lines of a file are texts, as ``csv`` and
programs expect them; ``read()`` of a binary file gives bytes, as ``pickle`` and ``numpy`` expect,
which are equal to a text of the same content. Bytes that are no UTF-8 are kept.
"""

from __future__ import annotations

import io
from typing import Any

_CODING, _ERRORS = "utf-8", "surrogateescape"


def as_text(data: Any) -> Any:
    """Return bytes as text, and anything else as it is.

    Examples
    --------
    >>> as_text(b"ab"), as_text("c")
    ('ab', 'c')
    """
    return data.decode(_CODING, _ERRORS) if isinstance(data, bytes | bytearray) else data


def as_bytes(data: Any) -> Any:
    """Return a text as bytes, and anything else as it is.

    Examples
    --------
    >>> as_bytes("ab"), as_bytes(b"c")
    (b'ab', b'c')
    """
    return data.encode(_CODING, _ERRORS) if isinstance(data, str) else data


class OldBytes(bytes):
    """Bytes of a file, which can be compared and joined with texts.

    Examples
    --------
    >>> word = OldBytes(b"a b")
    >>> word == "a b", word.split(" "), word + "!", "%s" % word
    (True, ['a', 'b'], 'a b!', 'a b')
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return bytes.__eq__(self, as_bytes(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    # Python gives a text and its bytes the same hash if they are ASCII.
    __hash__ = bytes.__hash__

    def __str__(self) -> str:
        return str(as_text(self))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __contains__(self, item: Any) -> bool:
        return bytes.__contains__(self, as_bytes(item))

    def __add__(self, other: Any) -> Any:
        return str(self) + other if isinstance(other, str) else bytes.__add__(self, other)

    def __radd__(self, other: Any) -> Any:
        return other + str(self) if isinstance(other, str) else NotImplemented


def _wrapped(result: Any) -> Any:
    if type(result) is bytes:
        return OldBytes(result)
    return [OldBytes(item) for item in result] if isinstance(result, list) else result


def _with_texts(name: str) -> Any:
    """Return a method that is one of texts if its arguments are."""
    of_bytes, of_texts = getattr(bytes, name), getattr(str, name)

    def method(self: OldBytes, *args: Any, **kwargs: Any) -> Any:
        first = args[0][:1] if args and isinstance(args[0], tuple) else args
        if any(isinstance(item, str) for item in first):
            return of_texts(str(self), *args, **kwargs)
        return _wrapped(of_bytes(self, *args, **kwargs))

    method.__name__ = name
    return method


for _name in """count endswith find index lower lstrip partition replace rfind rindex rpartition
    rsplit rstrip split splitlines startswith strip upper""".split():
    setattr(OldBytes, _name, _with_texts(_name))


class _Lines(io.BufferedIOBase):
    """The part of a binary file that reads."""

    def read(self, size: int | None = -1, /) -> OldBytes:
        """Return bytes that are equal to their text."""
        return OldBytes(super().read(-1 if size is None else size))

    def readline(self, size: int | None = -1, /) -> OldBytes:
        """Return a line as bytes that are equal to their text."""
        return OldBytes(super().readline(-1 if size is None else size))

    def __next__(self) -> Any:
        return as_text(super().__next__())

    def readlines(self, hint: int | None = -1, /) -> list[Any]:
        """Return the lines, as texts."""
        return [as_text(line) for line in super().readlines(-1 if hint is None else hint)]


class _Writing(io.BufferedIOBase):
    """The part of a binary file that writes."""

    def write(self, data: Any, /) -> int:
        """Write bytes or a text."""
        return super().write(as_bytes(data))

    def writelines(self, lines: Any, /) -> None:
        """Write bytes or texts."""
        for line in lines:
            self.write(line)


class _Reader(_Lines, io.BufferedReader):
    """A binary file that is read."""


class _Writer(_Writing, io.BufferedWriter):
    """A binary file that is written."""


class _Both(_Lines, _Writing, io.BufferedRandom):
    """A binary file that is read and written."""


class _Text(io.TextIOWrapper):
    """A file of texts."""

    def write(self, data: Any, /) -> int:
        """Write bytes or a text."""
        return super().write(as_text(data))

    def writelines(self, lines: Any, /) -> None:
        """Write bytes or texts."""
        for line in lines:
            self.write(line)


def open(name: Any, mode: str = "r", buffering: int = -1) -> Any:
    r"""Open a file as Python 2 did.

    Parameters
    ----------
    name, mode, buffering
        As Python 2 took them; ``U`` in the mode lets lines end as on any system.

    Raises
    ------
    OSError
        If it can't be opened.
    ValueError
        If the mode is none.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.csv")
    >>> with open(path, "wb") as file:
    ...     file.write("1,2\n")
    4
    >>> with open(path, "rb") as file:
    ...     list(file)
    ['1,2\n']
    """
    every_end = "U" in mode
    binary = "b" in mode
    kind = mode.replace("U", "").replace("b", "").replace("t", "") or "r"
    raw = io.FileIO(name, kind)
    size = io.DEFAULT_BUFFER_SIZE if buffering < 2 else buffering
    buffer: Any
    if "+" in kind:
        buffer = _Both(raw, size)
    elif kind == "r":
        buffer = _Reader(raw, size)
    else:
        buffer = _Writer(raw, size)
    if binary:
        return buffer
    end = None if every_end else "\n"
    text = _Text(buffer, _CODING, _ERRORS, newline=end, line_buffering=buffering == 1)
    text.mode = mode  # type: ignore[misc]
    return text


file = open
