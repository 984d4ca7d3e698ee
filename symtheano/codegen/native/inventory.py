"""The content of a cache directory: entries, their last use, and remains of failed writes.

It is not imported in warm starts, which do not need it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from symtheano.codegen.native.entries import (
    is_key,
    is_whole_library,
    read_sealed,
    read_text,
    remove_path,
)
from symtheano.dataclass import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from symtheano.codegen.native.entries import StrPath

FOLDERS = 256
"""Number of folders, which are filled evenly, because the names are digests."""

RECENT = 600.0
"""Seconds during which a process may be about to load an entry that was made or used."""

_ABANDONED = 3600.0
_DIGITS = "0123456789abcdef"
# The files of an entry by kind; the first one makes it valid, and its time is the last use.
_FILES = {"library": (".seal", ".so", ".c"), "graph": (".graph",), "failed": (".failed.c",)}
_KINDS = {suffix: kind for kind, suffixes in _FILES.items() for suffix in suffixes}
# Remains of a killed process: a compiler's directory, or an incomplete file.
_REMAINS = (".build-", ".symtheano-probe-", ".symtheano-write-")


@dataclass(frozen=True)
class CacheEntry:
    """One entry of the cache.

    Attributes
    ----------
    key
        64 hexadecimal digits.
    kind
        ``"library"`` for compiled code, ``"graph"`` for what is remembered about a graph,
        ``"failed"`` for a text that the compiler refused.
    place
        The path of the library, the record, or the text.
    bytes
        Size of all its files.
    used
        When it was last used, in seconds since 1970, by the clock of that moment.
    """

    key: str
    kind: str
    place: str
    bytes: int
    used: float

    @property
    def path(self) -> Path:
        """The library, the record, or the text."""
        from pathlib import Path  # whose imports cost more than all that a compilation looks up

        return Path(self.place)

    def file(self, suffix: str) -> str:
        """Return the path of one of its files."""
        return os.path.join(os.path.dirname(self.place), self.key + suffix)

    def recent(self, now: float) -> bool:
        """Whether it was used recently; times in the future are ignored."""
        used = self.used
        with suppress(OSError):
            used = os.lstat(self.file(_FILES[self.kind][0])).st_mtime
        return abs(now - used) <= RECENT

    def age(self, now: float) -> tuple[bool, float]:
        """Return a sort key by last use, the latest one last.

        A time in the future comes from a wrong clock, so it is sorted first.
        """
        return (self.used <= now + RECENT, self.used)


@dataclass(frozen=True)
class CacheStatistics:
    """Statistics of a cache and of its use in this process.

    Attributes
    ----------
    entries, bytes
        Number and size of all entries.
    records
        How many of them are records of graphs.
    hits, misses
        How often this process found compiled code, and how often it had to compile.
    limit
        Bytes that the cache may take; 0 if there is no limit.
    """

    entries: int
    bytes: int
    records: int
    hits: int
    misses: int
    limit: int


def is_whole(entry: CacheEntry) -> bool:
    """Whether all files of an entry are what was written."""
    try:
        if entry.kind == "graph":
            read_sealed(entry.place)
        if entry.kind == "library":
            read_text(entry.place)
    except (OSError, ValueError):
        return False
    return entry.kind != "library" or is_whole_library(entry.place)


def remove(entry: CacheEntry) -> None:
    """Remove the files of an entry, starting with the one that makes it valid."""
    for suffix in _FILES[entry.kind]:
        remove_path(entry.file(suffix))


def folders_of(directory: StrPath) -> list[str]:
    """Return the folders of a cache's directory, in the order of the keys."""
    names = (name for name in _names(directory) if len(name) == 2 and not name.strip(_DIGITS))
    return [os.path.join(directory, name) for name in sorted(names)]


def entries_of(directory: StrPath) -> Iterator[CacheEntry]:
    """Yield all entries below a cache's directory, in the order of their keys."""
    for folder in folders_of(directory):
        yield from entries_in(folder)


def entries_in(folder: StrPath) -> Iterator[CacheEntry]:
    """Yield the entries of one folder, in the order of their keys."""
    files_of: dict[tuple[str, str], dict[str, os.stat_result]] = {}
    # Another process may be clearing the same directory.
    with suppress(OSError), os.scandir(folder) as files_there:
        for file in files_there:
            key, suffix = file.name[:64], file.name[64:]
            if suffix in _KINDS and is_key(key):
                with suppress(OSError):
                    status = file.stat(follow_symlinks=False)
                    files_of.setdefault((key, _KINDS[suffix]), {})[suffix] = status
    for (key, kind), files in sorted(files_of.items()):
        seal = files.get(_FILES[kind][0])
        used = max(file.st_mtime for file in files.values()) if seal is None else seal.st_mtime
        place = os.path.join(folder, key + (".so" if kind == "library" else _FILES[kind][0]))
        yield CacheEntry(key, kind, place, sum(file.st_size for file in files.values()), used)


def remove_remains(directory: StrPath, everything: bool = False) -> None:
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


def _names(directory: StrPath) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []
