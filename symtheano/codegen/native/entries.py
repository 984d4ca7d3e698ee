"""The files of the cache: writing, validation, and the files of an entry.

An entry is either compiled code, a library or an object file ``KEY.so`` with its text ``KEY.c`` and
its seal ``KEY.seal``, or a record, ``KEY.graph``. Both are in the folder ``KEY[:2]``.
``inventory.py`` lists the content of a directory.

Small files are *sealed*: their first line is a digest of their name and content, so that changed
and misplaced files are detected.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from symtheano.files import replace_file
from symtheano.graph.digest import digest

if TYPE_CHECKING:
    StrPath = str | os.PathLike[str]

LARGEST = 1 << 28
"""Size in bytes above which a file is not read: no compiled function comes near to it."""

_DIGITS = "0123456789abcdef"
_PLAIN = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


def is_key(text: str) -> bool:
    """Whether a text is the name of an entry.

    Examples
    --------
    >>> is_key("0" * 64), is_key("../etc/passwd")
    (True, False)
    """
    return len(text) == 64 and not text.strip(_DIGITS)


# -- single files --------------------------------------------------------------------------------


def read_own(path: StrPath) -> bytes:
    """Return what a plain file holds that belongs to this user and that no other can change.

    Raises
    ------
    OSError
        When there is no such file.
    ValueError
        If it is larger than :data:`LARGEST`.
    """
    descriptor = os.open(path, os.O_RDONLY | _PLAIN)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not is_own(status):
            raise PermissionError(f"{path} is not a file that only this user can change")
        if status.st_size > LARGEST:
            raise ValueError(f"{path} has {status.st_size} bytes; no file of the cache is so large")
        return file.read(status.st_size)


def is_own(status: os.stat_result) -> bool:
    """Whether a file belongs to this user, and no other may change it."""
    if os.name != "posix":
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def write_whole(path: StrPath, data: bytes) -> None:
    """Write a file atomically.

    Raises
    ------
    OSError
        When it can't be written.
    """
    # Importing the tempfile module would cost as much as a whole warm start.
    unfinished = f".symtheano-write-{os.urandom(8).hex()}"
    replace_file(path, os.path.join(os.path.dirname(path), unfinished), data, 0o600)


def write_sealed(path: StrPath, data: bytes) -> None:
    """Write a file for :func:`read_sealed`.

    Raises
    ------
    OSError
        When it can't be written.
    """
    write_whole(path, _seal(path, data) + b"\n" + data)


def read_sealed(path: StrPath) -> bytes:
    """Return what :func:`write_sealed` wrote.

    Raises
    ------
    OSError
        When there is no such file.
    ValueError
        When it is not what was written under this name.
    """
    seal, _, data = read_own(path).partition(b"\n")
    if seal != _seal(path, data):
        raise ValueError(f"{path} is damaged")
    return data


def _seal(path: StrPath, data: bytes) -> bytes:
    return digest(os.path.basename(path).encode() + b"\n" + data).encode()


def touch(path: StrPath) -> None:
    """Record that an entry is used, if the cache is writable."""
    with suppress(OSError):
        os.utime(path)


def remove_path(path: StrPath) -> None:
    """Remove a file, or another object with its name; errors are ignored."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # another process removed it first
    except OSError:  # a directory
        from shutil import rmtree

        rmtree(path, ignore_errors=True)


# -- libraries -----------------------------------------------------------------------------------


def beside(library: StrPath, suffix: str) -> str:
    """Return the path of the file of a library's entry that has another suffix.

    Examples
    --------
    >>> beside("01/0123.so", ".c")
    '01/0123.c'
    """
    return os.path.splitext(library)[0] + suffix


def seal_library(library: StrPath) -> None:
    """Write the seal over a library and its text.

    Raises
    ------
    OSError
        When one of the three files can't be read or written.
    """
    digests = (_digest(library), _digest(beside(library, ".c")))
    write_sealed(beside(library, ".seal"), " ".join(digests).encode())


def is_whole_library(library: StrPath) -> bool:
    """Whether a library is the one that was sealed."""
    with suppress(OSError, ValueError):
        return _digests(library)[0] == _digest(library)
    return False


def read_text(library: StrPath) -> str:
    """Return the text which a library was compiled from.

    Raises
    ------
    OSError, ValueError
        When the text is not there, or not the one that was sealed.
    """
    path = beside(library, ".c")
    text = read_own(path)
    if digest(text) != _digests(library)[1]:
        raise ValueError(f"{path} is damaged")
    return text.decode()


def _digests(library: StrPath) -> tuple[str, str]:
    of_library, of_text = read_sealed(beside(library, ".seal")).decode().split()
    return of_library, of_text


def _digest(path: StrPath) -> str:
    return digest(read_own(path))
