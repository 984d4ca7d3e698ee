"""Compiled code on disk, found by the digest of everything from which it was made.

There are no locks. Files are replaced atomically by ``os.replace``; two processes that compile the
same text write the same bytes; and files are checked against their digests before they are loaded.
At worst, after a crash or with a full disk, a file is compiled again. ``docs/cache.md`` describes
the files, and what happens in case of failures.
"""

from __future__ import annotations

import os
import stat
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from symtheano.codegen.native import entries
from symtheano.codegen.native.ancestry import anchored
from symtheano.codegen.native.compiler import NO_DESCRIPTORS, NO_MEMORY, CompilerTroubleError
from symtheano.codegen.native.directory import (
    cache_directory,
    holds_code,
    make_private,
    private_directory,
    temporary_directory,
)
from symtheano.codegen.native.toolchain import Toolchain, compile_shared
from symtheano.errors import CompileError
from symtheano.graph.digest import new_digest
from symtheano.graph.origin import user_stacklevel

if TYPE_CHECKING:
    from pathlib import Path

    from symtheano.codegen.native.entries import StrPath
    from symtheano.codegen.native.inventory import CacheEntry, CacheStatistics

FORMAT = 4
"""Version of the ABI and of the cache's layout; a new one leaves all old entries unused."""

DEFAULT_LIMIT = 1 << 30
"""Size in bytes above which the least recently used entries are removed."""

T = TypeVar("T")

Maker = Callable[[str, str, Toolchain], None]
"""A function that makes the library of a text, at a path."""


def entry_key(source: str, toolchain: Toolchain) -> str:
    """Return the name of compiled code: the digest of everything that determines its behavior.

    Examples
    --------
    >>> toolchain = Toolchain(("cc",), "cc 1.0", ("-O1",), (), "a cpu", frozenset())
    >>> len(entry_key("int x;", toolchain))
    64
    """
    digest = new_digest()
    ingredients = (
        f"symtheano {FORMAT}",
        toolchain.version,
        toolchain.build,
        toolchain.cpu,
        *("flags", *toolchain.command[1:], *toolchain.flags),
        *("libraries", *toolchain.link_flags, "source"),
        source,
    )
    for text in ingredients:
        data = text.encode()
        # The length before each text makes the encoding unambiguous.
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()


class Cache:
    """A directory of compiled code and of records about graphs.

    Parameters
    ----------
    directory
        The directory; by default the user's cache directory. If others can write to it, a warning
        is given and a temporary directory is used.
    limit
        Maximum size in bytes; 0 for no limit. Entries used in the last ten minutes are always kept.

    Raises
    ------
    ValueError
        When the limit is negative.
    CompileError
        If files can't be created anywhere.
    """

    def __init__(self, directory: StrPath | None = None, limit: int = DEFAULT_LIMIT) -> None:
        if limit < 0:
            raise ValueError(f"the cache's limit is {limit} bytes; 0 means no limit")
        self.place = cache_directory(directory)
        self.limit = limit
        self._hits = 0
        self._misses = 0
        self._room = 0
        self._spare: Cache | None = None
        self._told = False

    @property
    def directory(self) -> Path:
        """The directory."""
        from pathlib import Path

        return Path(self.place)

    # -- compiled code ----------------------------------------------------------------------------

    def obtain(self, source: str, toolchain: Toolchain) -> Path:
        """Return the library compiled from ``source``: from the cache, or a new one.

        Load it with :meth:`load`, or by :func:`loadable`.

        Raises
        ------
        CompileError
            If the compiler rejects the text, or no disk has space for its result.
        """
        from pathlib import Path

        return Path(self._obtain(source, toolchain))

    def _obtain(
        self,
        source: str,
        toolchain: Toolchain,
        quiet: bool = False,
        make: Maker = compile_shared,
    ) -> str:
        key = entry_key(source, toolchain)
        library = self.path_of(key)
        if library is not None:
            return library
        self._misses += 1
        try:
            return self._make(key, source, toolchain, make)
        except CompileError as error:
            return self._make_elsewhere(key, source, toolchain, error, quiet, make)

    def load(
        self,
        source: str,
        toolchain: Toolchain,
        loader: Callable[[str], T],
        quiet: bool = False,
        make: Maker = compile_shared,
    ) -> T:
        """Return the result of ``loader`` for the library compiled from ``source``.

        If it can't be loaded, because another process has just removed it or because it is damaged,
        it is compiled again in a private directory. With ``quiet``, there is no warning if it can't
        be stored, for use in background threads. ``make`` compiles the text to a library.

        Raises
        ------
        CompileError
            When it can't be compiled, or not be loaded the second time.
        """
        library = self._obtain(source, toolchain, quiet, make)
        try:
            return loader(loadable(library))
        except (OSError, ImportError) as error:
            if any(reason in str(error) for reason in (NO_DESCRIPTORS, NO_MEMORY)):
                raise CompilerTroubleError(f"compiled code can't be loaded: {error}") from error
            self._forget(os.path.basename(library)[:64])
        self._misses += 1
        # With a new path and inode, because the dynamic loader returns libraries that it knows.
        fresh = os.path.join(self._fresh_directory(), os.path.basename(library))
        make(source, fresh, toolchain)
        try:
            return loader(loadable(fresh))
        except (OSError, ImportError) as error:
            raise CompileError(f"compiled code can't be loaded: {error}") from error

    def load_unkept(self, name: str, make: Callable[[str], None], loader: Callable[[str], T]) -> T:
        """Return the result of ``loader`` for a library that is in no cache.

        ``make`` writes it to a path in a directory of its own, which is removed once it is loaded.

        Raises
        ------
        CompileError
            If the compiler fails.
        OSError, ImportError
            If files can't be written, or the library not be loaded.
        """
        folder = self._fresh_directory()
        os.mkdir(folder, mode=0o700)
        try:
            path = os.path.join(folder, name)
            make(path)
            return loader(loadable(path))
        finally:
            entries.remove_path(folder)

    def find(self, key: str, loader: Callable[[str], T]) -> T | None:
        """Return the result of ``loader`` for the library of a key, if the cache has it."""
        path = self.path_of(key)
        if path is not None:
            with suppress(OSError, ImportError):
                return loader(loadable(path))
        return None

    def path_of(self, key: str) -> str | None:
        """Return the library of a key from :func:`entry_key`, if it is in the cache and valid."""
        library = self._path(key, ".so")
        with suppress(OSError):
            location = loadable(library)
            if _is_private(os.path.dirname(location)):
                # First of all, so that no other process removes it.
                entries.touch(entries.beside(location, ".seal"))
                if entries.is_whole_library(location):
                    self._hits += 1
                    return library
        spare = None if self._spare is None else self._spare.path_of(key)
        self._hits += spare is not None
        return spare

    def has(self, key: str) -> bool:
        """Return whether there is an entry of a key, which may be damaged."""
        return os.path.exists(self._path(key, ".seal"))

    def source_of(self, key: str) -> str:
        """Return the C text of a key.

        Raises
        ------
        FileNotFoundError
            If it is not in the cache, or was changed; the entry is then removed.
        """
        for store in filter(None, (self, self._spare)):
            with suppress(OSError, ValueError):
                return entries.read_text(loadable(store._path(key, ".so")))
        self._forget(key)
        raise FileNotFoundError(f"the cache keeps no C text for {key}")

    def _make(self, key: str, source: str, toolchain: Toolchain, make: Maker) -> str:
        """Compile into the cache."""
        library = self._path(key, ".so")
        self._prepare(library)
        make(source, library, toolchain)
        # Without a seal, as on a full disk, the entry is used now and compiled again next time.
        with suppress(OSError):
            entries.seal_library(library)
        self._tidy(library, sum(map(_size, (library, entries.beside(library, ".c")))))
        return library

    def _make_elsewhere(
        self,
        key: str,
        source: str,
        toolchain: Toolchain,
        error: CompileError,
        quiet: bool,
        make: Maker,
    ) -> str:
        """Compile where the process keeps its temporary files.

        A full disk, or another process that clears the cache, cannot always be distinguished from a
        text that the compiler rejects, which will be rejected here as well.
        """
        try:
            spare = self._spare or Cache(temporary_directory(), 0)
            if spare.place == self.place:
                raise error
            library = spare._make(key, source, toolchain, make)
        except (CompileError, OSError):
            raise error from None
        self._spare = spare
        if not quiet and not self._told:
            self._told = True
            reason = str(error).splitlines()[0]
            warnings.warn(
                f"compiled code can't be kept in {self.place}: {reason}; "
                f"using {spare.place} for this process",
                RuntimeWarning,
                stacklevel=user_stacklevel(),
            )
        return library

    def _fresh_directory(self) -> str:
        name = f".build-{os.urandom(8).hex()}"
        with suppress(OSError):
            if holds_code(temporary_directory()):
                return os.path.join(temporary_directory(), name)
        return os.path.join(self.place, name)

    def _forget(self, key: str) -> None:
        """Remove compiled code that turned out to be unusable."""
        from symtheano.codegen.native import inventory

        inventory.remove(inventory.CacheEntry(key, "library", self._path(key, ".so"), 0, 0))

    # -- records of graphs ------------------------------------------------------------------------

    def remember(self, key: str, record: bytes) -> None:
        """Store a small record under the caller's key; a full disk is ignored.

        Raises
        ------
        ValueError
            When the key is not 64 hexadecimal digits.
        """
        path = self._path(key, ".graph")
        with suppress(OSError, CompileError):
            self._prepare(path)
            entries.write_sealed(path, record)
            self._tidy(path, len(record))

    def recall(self, key: str) -> bytes | None:
        """Return the record of a key, or None if it is missing or damaged."""
        path = self._path(key, ".graph")
        with suppress(OSError, ValueError):
            path = loadable(path)
            if _is_private(os.path.dirname(path)):
                record = entries.read_sealed(path)
                entries.touch(path)
                return record
        return None

    # -- the directory ----------------------------------------------------------------------------

    def entries(self) -> Iterator[CacheEntry]:
        """Yield the entries, in the order of the keys."""
        from symtheano.codegen.native import inventory

        yield from inventory.entries_of(self.place)

    def verify(self) -> list[CacheEntry]:
        """Remove the entries that do not match their digests, and return them."""
        from symtheano.codegen.native import inventory

        damaged = [entry for entry in self.entries() if not inventory.is_whole(entry)]
        for entry in damaged:
            inventory.remove(entry)
        return damaged

    def clear(self) -> int:
        """Remove all entries and remains of killed compilers; return the number of entries.

        This includes what other processes are compiling, which they compile again.
        """
        from symtheano.codegen.native import inventory

        removed = list(self.entries())
        for entry in removed:
            inventory.remove(entry)
        for folder in (self.place, *inventory.folders_of(self.place)):
            inventory.remove_remains(folder, everything=True)
        for notes in self.directory.glob("compiler-*.txt"):
            entries.remove_path(notes)
        return len(removed)

    def statistics(self) -> CacheStatistics:
        """Return the number and size of the entries, and how often one was found or missed."""
        from symtheano.codegen.native import inventory

        kept = list(self.entries())
        return inventory.CacheStatistics(
            entries=len(kept),
            bytes=sum(entry.bytes for entry in kept),
            records=sum(entry.kind == "graph" for entry in kept),
            hits=self._hits,
            misses=self._misses,
            limit=self.limit,
        )

    def _path(self, key: str, suffix: str) -> str:
        if not entries.is_key(key):
            raise ValueError(
                f"{key!r} is not a key of the cache: it must have 64 hexadecimal digits"
            )
        return os.path.join(self.place, key[:2], key + suffix)

    def _prepare(self, path: str) -> None:
        """Create the folder of a new entry, and remove obstacles.

        Raises
        ------
        CompilerTroubleError
            If the folder can't be created.
        """
        folder = os.path.dirname(path)
        try:
            # It may have been removed, and another object with its name may not be ours.
            if not os.path.isdir(self.place):
                private_directory(self.place)
            make_private(folder)
            if not _is_private(folder) and not os.path.islink(folder):
                os.chmod(folder, 0o700)
            if not _is_private(folder):
                raise PermissionError(f"{folder} is not a directory that only this user can change")
        except OSError as error:
            raise CompilerTroubleError(
                f"compiled code can't be written to {folder}: {error}"
            ) from error
        for suffix in (".so", ".c", ".seal", ".graph"):
            if os.path.isdir(entries.beside(path, suffix)):
                entries.remove_path(entries.beside(path, suffix))

    def _tidy(self, new: str, written: int) -> None:
        """After a write: remove old remains, and entries if the cache is too large.

        Entries are distributed evenly, so the size of one folder gives an estimate of the total.
        """
        from symtheano.codegen.native import inventory

        folder = os.path.dirname(new)
        inventory.remove_remains(self.place)
        inventory.remove_remains(folder)
        self._room -= written
        if not self.limit or self._room > 0:
            return
        here = sum(entry.bytes for entry in inventory.entries_in(folder))
        if here * inventory.FOLDERS > self.limit:
            self._evict(new)

    def _evict(self, new: str) -> None:
        """Remove the least recently used entries, down to three quarters of the limit."""
        from symtheano.codegen.native import inventory

        now = time.time()
        kept = sorted(self.entries(), key=lambda entry: entry.age(now))
        total = sum(entry.bytes for entry in kept)
        goal = self.limit if total <= self.limit else self.limit * 3 // 4
        for entry in kept:
            if total <= goal:
                break
            # The clock may have jumped: new entries are kept, independent of their time stamps.
            if entry.place != new and not entry.recent(now):
                inventory.remove(entry)
                total -= entry.bytes
        # Other processes write as well, so the size is measured again after this many bytes.
        self._room = (self.limit - total) // 4


def loadable(path: str) -> str:
    """Return the path by which to load or read a file of a cache.

    It leads to the directory that was checked, even if another one has its name by now.

    Raises
    ------
    OSError
        If other users could change or replace the directory.
    """
    folder, name = os.path.split(path)
    place, folder = os.path.split(folder)
    return os.path.join(anchored(place), folder, name)


def _is_private(folder: str) -> bool:
    """Whether a folder of the cache is there, and this user's alone."""
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and entries.is_own(status)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
