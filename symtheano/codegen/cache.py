"""Compiled code on disk, found by the SHA-256 of all that it was made from.

There are no locks. A file appears whole by ``os.replace``; two processes that compile the same
text write the same bytes; and what is loaded is checked against its digest first, so that the
worst which a crash or a full disk can leave behind is a file that gets compiled again.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from symtheano.codegen.directory import cache_directory
from symtheano.codegen.toolchain import Toolchain, compile_shared

FORMAT = 1
"""Version of the ABI and of the cache's layout; a new one leaves all old entries unused."""

_KEY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class CacheEntry:
    """One compiled file: its key, its library, the bytes of its files, and its last use."""

    key: str
    library: Path
    bytes: int
    used: float


@dataclass(frozen=True)
class CacheStatistics:
    """What a cache holds, and what it did in this process."""

    entries: int
    bytes: int
    hits: int
    misses: int


def entry_key(source: str, toolchain: Toolchain) -> str:
    """Return the name of compiled code: the SHA-256 over all that decides what it does.

    Examples
    --------
    >>> toolchain = Toolchain(("cc",), "cc 1.0", ("-O1",), (), "a cpu", frozenset())
    >>> len(entry_key("int x;", toolchain))
    64
    """
    digest = hashlib.sha256()
    ingredients = (
        f"symtheano {FORMAT}",
        toolchain.version,
        toolchain.cpu,
        *("flags", *toolchain.flags, "libraries", *toolchain.link_flags, "source"),
        source,
    )
    for text in ingredients:
        data = text.encode()
        # With its length before each text, no two lists of ingredients run together.
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()


class Cache:
    """A directory of compiled code.

    An entry is ``KEY[:2]/KEY.so`` with ``KEY.c``, the text it came from, and ``KEY.sha256``,
    the digest of the library, which is written last.

    Parameters
    ----------
    directory
        Where to keep it; by default the user's cache directory. One that others can write to is
        not used: a warning is given, and a temporary directory takes its place.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = cache_directory(directory)
        self._hits = 0
        self._misses = 0

    def obtain(self, source: str, toolchain: Toolchain) -> Path:
        """Return the library compiled from ``source``: the kept one, or a new one.

        Raises
        ------
        CompileError
            When the compiler refuses the text or the disk is full.
        """
        key = entry_key(source, toolchain)
        library = self.directory / key[:2] / f"{key}.so"
        digest_file = library.with_suffix(".sha256")
        if _is_whole(library, digest_file):
            self._hits += 1
            with suppress(OSError):
                os.utime(digest_file)  # The last use, for whoever has to choose what to drop.
            return library
        self._misses += 1
        compile_shared(source, library, toolchain)
        self._seal(library, digest_file)
        return library

    def _seal(self, library: Path, digest_file: Path) -> None:
        """Write the digest that makes an entry count."""
        from tempfile import mkstemp

        # Without a digest, as on a full disk, the entry serves this time and is made anew next.
        with suppress(OSError):
            handle, name = mkstemp(dir=library.parent, prefix=".digest-")
            with os.fdopen(handle, "w") as file:
                file.write(_digest(library))
            os.replace(name, digest_file)

    def entries(self) -> Iterator[CacheEntry]:
        """Yield what is kept, in the order of the keys."""
        for library in sorted(self.directory.glob("[0-9a-f][0-9a-f]/*.so")):
            if not _KEY.fullmatch(library.stem):
                continue
            # Another process may be clearing the same directory.
            with suppress(OSError):
                used = library.stat().st_mtime
                with suppress(OSError):
                    used = library.with_suffix(".sha256").stat().st_mtime
                size = sum(path.stat().st_size for path in _files(library) if path.exists())
                yield CacheEntry(library.stem, library, size, used)

    def verify(self) -> list[CacheEntry]:
        """Remove the entries that don't agree with their digest, and return them."""
        damaged = [
            entry
            for entry in self.entries()
            if not _is_whole(entry.library, entry.library.with_suffix(".sha256"))
        ]
        for entry in damaged:
            _remove(entry)
        return damaged

    def clear(self) -> int:
        """Remove all entries, and what killed compilers left; return the number of entries."""
        from shutil import rmtree

        removed = list(self.entries())
        for entry in removed:
            _remove(entry)
        for rubbish in self.directory.glob("[0-9a-f][0-9a-f]/.build-*"):
            rmtree(rubbish, ignore_errors=True)
        return len(removed)

    def statistics(self) -> CacheStatistics:
        """Return the number and size of the entries, and how often one was found or missed."""
        kept = list(self.entries())
        total = sum(entry.bytes for entry in kept)
        return CacheStatistics(len(kept), total, self._hits, self._misses)


def _files(library: Path) -> tuple[Path, ...]:
    """Return the files of an entry, the one that makes it count first."""
    return (library.with_suffix(".sha256"), library, library.with_suffix(".c"))


def _remove(entry: CacheEntry) -> None:
    for path in _files(entry.library):
        path.unlink(missing_ok=True)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_whole(library: Path, digest_file: Path) -> bool:
    try:
        return digest_file.read_text() == _digest(library)
    except (OSError, ValueError):
        return False
