"""The directory of compiled code, to which no other user can write.

Files in it are loaded into the process, so anyone who can write to it, or replace it, can run code
as this user.
"""

from __future__ import annotations

import os
import warnings
from functools import cache
from typing import TYPE_CHECKING

from symtheano.codegen.native import ancestry
from symtheano.codegen.native.entries import is_own
from symtheano.errors import CompileError
from symtheano.graph.origin import user_stacklevel

if TYPE_CHECKING:
    from symtheano.codegen.native.entries import StrPath

# Paths are strings here, because importing pathlib would take longer than all of this in a warm
# start.


def default_directory() -> str:
    """Return ``$XDG_CACHE_HOME/symtheano``, or ``~/.cache/symtheano``.

    Raises
    ------
    FileNotFoundError
        When the user has no home directory.
    """
    base = os.environ.get("XDG_CACHE_HOME")
    # The XDG specification has relative paths ignored.
    if base and os.path.isabs(base):
        return os.path.join(base, "symtheano")
    home = os.path.expanduser("~")
    if home == "~":
        raise FileNotFoundError("this user has no home directory")
    if not os.path.isdir(home):
        raise FileNotFoundError(f"the home directory {home} does not exist")
    return os.path.join(home, ".cache", "symtheano")


def cache_directory(directory: StrPath | None = None) -> str:
    """Return a private, writable directory for compiled code; create it if necessary.

    Where the wanted one can't be had, or others may write to it, a warning says why and a
    directory that lasts as long as the process takes its place.

    Parameters
    ----------
    directory
        The wanted directory; by default the one that ``SYMTHEANO_CACHE_DIR`` names, else
        :func:`default_directory`.

    Raises
    ------
    CompileError
        When there is no place for temporary files either.
    """
    return _cache_directory(None if directory is None else os.fspath(directory))


@cache
def _cache_directory(directory: str | None) -> str:
    trouble: object
    try:
        return private_directory(directory)
    except (OSError, RuntimeError) as error:
        trouble = error
    try:
        substitute = temporary_directory()
    except OSError as error:
        raise CompileError(
            f"there is no place for compiled code: {trouble}; {error}; set SYMTHEANO_CACHE_DIR "
            "to a directory of yours"
        ) from None
    warnings.warn(
        f"compiled code will not be kept: {trouble}; using {substitute} for this process",
        RuntimeWarning,
        stacklevel=user_stacklevel(),
    )
    return substitute


def private_directory(directory: StrPath | None = None) -> str:
    """Return a directory that belongs to this user and that no other user can change or replace.

    It is created if necessary. The returned path contains no symbolic links.

    Parameters
    ----------
    directory
        As for :func:`cache_directory`.

    Raises
    ------
    OSError, RuntimeError
        If there is none; the message gives the reason and a remedy.
    """
    named = directory or os.environ.get("SYMTHEANO_CACHE_DIR")
    wanted = os.path.expanduser(os.fspath(named)) if named else default_directory()
    if wanted.startswith("~"):
        raise FileNotFoundError(f"there is no home directory for {wanted}")
    place, descriptor = ancestry.walk(os.path.abspath(wanted), make=True)
    if descriptor is not None:
        os.close(descriptor)
    if not os.access(place, os.W_OK | os.X_OK):
        raise PermissionError(f"{place} can't be written to")
    if not holds_code(place):
        raise PermissionError(f"{place} is on a disk that no code can be loaded from (noexec)")
    return place


def make_private(folder: str) -> None:
    """Make a directory for this user alone, if it is not there."""
    try:
        os.mkdir(folder, mode=0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise


def holds_code(directory: StrPath) -> bool:
    """Return whether code can be loaded from a directory's disk."""
    return os.name != "posix" or not os.statvfs(directory).f_flag & getattr(os, "ST_NOEXEC", 0)


_temporary: list[str] = []


def temporary_directory() -> str:
    """Return a private directory that lasts as long as this process, the same one each time.

    Raises
    ------
    OSError
        When there is no place for temporary files.
    """
    # A forked child uses its parent's while that lasts; afterwards the path is anybody's.
    if not _temporary or not _is_usable(_temporary[-1]):
        _temporary.append(_new_temporary_directory())
    return _temporary[-1]


def _is_usable(directory: str) -> bool:
    try:
        return is_own(os.lstat(directory)) and os.access(directory, os.W_OK | os.X_OK)
    except OSError:
        return False


def _new_temporary_directory() -> str:
    import atexit
    import shutil
    import tempfile

    path = os.path.realpath(tempfile.mkdtemp(prefix="symtheano-"))
    try:
        ancestry.anchored(path)
    except OSError:
        os.rmdir(path)
        raise
    owner = os.getpid()

    def remove() -> None:
        # A forked child runs this as well, but the directory is its parent's.
        if os.getpid() == owner:
            shutil.rmtree(path, ignore_errors=True)

    atexit.register(remove)
    return path
