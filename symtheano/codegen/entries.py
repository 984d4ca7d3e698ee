"""The files of the cache: how one is written, when one is believed, which belong together.

An entry is either a compiled library, ``KEY.so`` with its text ``KEY.c`` and ``KEY.sha256``, the
seal that makes it count, or a record, ``KEY.graph``. Both lie in the folder ``KEY[:2]``.

Small files are *sealed*: their first line is a digest over their own name and what follows, so
that neither a changed byte nor a file that was put in another's place is taken for right.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    AnyPath = str | os.PathLike[str]

FOLDERS = 256
"""How many folders the entries are spread over, evenly: their names are digests."""

RECENT = 600.0
"""Seconds for which an entry that was made or used may be about to be loaded by someone."""

_ABANDONED = 3600.0
_DIGITS = "0123456789abcdef"
# The files of an entry by its kind; the first one makes it count, and its time is the last use.
_FILES = {"library": (".sha256", ".so", ".c"), "graph": (".graph",), "failed": (".failed.c",)}
_KINDS = {suffix: kind for kind, suffixes in _FILES.items() for suffix in suffixes}
# What a killed process leaves: a compiler's workplace, or a file that was still being written.
_REMAINS = (".build-", ".symtheano-probe-", ".symtheano-write-")
_PLAIN = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


class CacheEntry(NamedTuple):
    """One thing that the cache keeps.

    Attributes
    ----------
    key
        64 hexadecimal digits.
    kind
        ``"library"`` for compiled code, ``"graph"`` for what is remembered about a graph,
        ``"failed"`` for a text that the compiler refused.
    path
        The library, the record, or the text.
    bytes
        Size of all its files.
    used
        When it was last used, in seconds since 1970, by the clock of that moment.
    """

    key: str
    kind: str
    path: Path
    bytes: int
    used: float

    def recent(self, now: float) -> bool:
        """Whether somebody is using it; its file is asked, and the future not believed."""
        used = self.used
        with suppress(OSError):
            used = os.lstat(self.path.with_name(self.key + _FILES[self.kind][0])).st_mtime
        return abs(now - used) <= RECENT

    def age(self, now: float) -> tuple[bool, float]:
        """Return what sorts entries by their last use, the latest one last.

        A stamp from the future was made by a clock that was wrong, so it comes first.
        """
        return (self.used <= now + RECENT, self.used)


def is_key(text: str) -> bool:
    """Whether a text is the name of an entry.

    Examples
    --------
    >>> is_key("0" * 64), is_key("../etc/passwd")
    (True, False)
    """
    return len(text) == 64 and not text.strip(_DIGITS)


# -- single files --------------------------------------------------------------------------------


def read_own(path: AnyPath) -> bytes:
    """Return what a plain file holds that belongs to this user and that no other can change.

    Raises
    ------
    OSError
        When there is no such file.
    """
    descriptor = os.open(path, os.O_RDONLY | _PLAIN)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not is_own(status):
            raise PermissionError(f"{path} is not a file that is only this user's to change")
        return file.read()


def is_own(status: os.stat_result) -> bool:
    """Whether a file belongs to this user, and no other may change it."""
    if os.name != "posix":
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def write_whole(path: AnyPath, data: bytes) -> None:
    """Write a file that appears at once and whole, or not at all.

    Raises
    ------
    OSError
        When it can't be written.
    """
    # The tempfile module would do; importing it costs as much as all of a warm start.
    folder = os.path.dirname(path)
    unfinished = os.path.join(folder, f".symtheano-write-{os.urandom(8).hex()}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(unfinished, path)
    except BaseException:
        remove_path(unfinished)
        raise


def write_sealed(path: AnyPath, data: bytes) -> None:
    """Write a file that :func:`read_sealed` believes.

    Raises
    ------
    OSError
        When it can't be written.
    """
    write_whole(path, _seal(path, data) + b"\n" + data)


def read_sealed(path: AnyPath) -> bytes:
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


def _seal(path: AnyPath, data: bytes) -> bytes:
    return hashlib.sha256(os.path.basename(path).encode() + b"\n" + data).hexdigest().encode()


def touch(path: AnyPath) -> None:
    """Note that an entry is used; a cache that can't be written to forgets it."""
    with suppress(OSError):
        os.utime(path)


def remove_path(path: AnyPath) -> None:
    """Remove a file, or whatever has taken its place; what can't be removed stays."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError:
        from shutil import rmtree

        rmtree(path, ignore_errors=True)


# -- libraries -----------------------------------------------------------------------------------


def beside(library: AnyPath, suffix: str) -> str:
    """Return the path of the file of a library's entry that has another suffix.

    Examples
    --------
    >>> beside("01/0123.so", ".c")
    '01/0123.c'
    """
    return os.path.splitext(library)[0] + suffix


def seal_library(library: AnyPath) -> None:
    """Write the seal over a library and its text.

    Raises
    ------
    OSError
        When one of the three files can't be read or written.
    """
    digests = (_digest(library), _digest(beside(library, ".c")))
    write_sealed(beside(library, ".sha256"), " ".join(digests).encode())


def is_whole_library(library: AnyPath) -> bool:
    """Whether a library is the one that was sealed."""
    with suppress(OSError, ValueError):
        return _digests(library)[0] == _digest(library)
    return False


def read_text(library: AnyPath) -> str:
    """Return the text which a library was compiled from.

    Raises
    ------
    OSError, ValueError
        When the text is not there, or not the one that was sealed.
    """
    path = beside(library, ".c")
    text = read_own(path)
    if hashlib.sha256(text).hexdigest() != _digests(library)[1]:
        raise ValueError(f"{path} is damaged")
    return text.decode()


def _digests(library: AnyPath) -> tuple[str, str]:
    of_library, of_text = read_sealed(beside(library, ".sha256")).decode().split()
    return of_library, of_text


def _digest(path: AnyPath) -> str:
    return hashlib.sha256(read_own(path)).hexdigest()


# -- what lies in a directory --------------------------------------------------------------------


def is_whole(entry: CacheEntry) -> bool:
    """Whether all files of an entry are what was written."""
    try:
        if entry.kind == "graph":
            read_sealed(entry.path)
        if entry.kind == "library":
            read_text(entry.path)
    except (OSError, ValueError):
        return False
    return entry.kind != "library" or is_whole_library(entry.path)


def remove(entry: CacheEntry) -> None:
    """Remove the files of an entry, the one that makes it count first."""
    for suffix in _FILES[entry.kind]:
        remove_path(entry.path.with_name(entry.key + suffix))


def folders_of(directory: AnyPath) -> list[str]:
    """Return the folders of a cache's directory, in the order of the keys."""
    names = (name for name in _names(directory) if len(name) == 2 and not name.strip(_DIGITS))
    return [os.path.join(directory, name) for name in sorted(names)]


def entries_of(directory: AnyPath) -> Iterator[CacheEntry]:
    """Yield all entries below a cache's directory, in the order of their keys."""
    for folder in folders_of(directory):
        yield from entries_in(folder)


def entries_in(folder: AnyPath) -> Iterator[CacheEntry]:
    """Yield the entries that lie in one folder, in the order of their keys."""
    from pathlib import Path

    found: dict[tuple[str, str], dict[str, os.stat_result]] = {}
    # Another process may be clearing the same directory.
    with suppress(OSError), os.scandir(folder) as files_there:
        for file in files_there:
            key, suffix = file.name[:64], file.name[64:]
            if suffix in _KINDS and is_key(key):
                with suppress(OSError):
                    status = file.stat(follow_symlinks=False)
                    found.setdefault((key, _KINDS[suffix]), {})[suffix] = status
    for (key, kind), files in sorted(found.items()):
        seal = files.get(_FILES[kind][0])
        used = max(file.st_mtime for file in files.values()) if seal is None else seal.st_mtime
        path = Path(folder, key + (".so" if kind == "library" else _FILES[kind][0]))
        yield CacheEntry(key, kind, path, sum(file.st_size for file in files.values()), used)


def remove_remains(directory: AnyPath, everything: bool = False) -> None:
    """Remove what killed processes left in a directory, or all that anybody left unfinished.

    Parameters
    ----------
    directory
        A cache's directory, or one of its folders.
    everything
        Whether what is not older than an hour goes, too: it may be in use.
    """
    now = time.time()
    for name in _names(directory):
        if name.startswith(_REMAINS):
            path = os.path.join(directory, name)
            with suppress(OSError):
                if everything or abs(now - os.lstat(path).st_mtime) > _ABANDONED:
                    remove_path(path)


def _names(directory: AnyPath) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []
