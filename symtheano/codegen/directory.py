"""The directory of compiled code, to which no other user can write.

Files in it are loaded into the process, so anyone who can write to it, or replace it, can run code
as this user.
"""

from __future__ import annotations

import os
import stat
import warnings
from functools import cache
from typing import TYPE_CHECKING

from symtheano.codegen.entries import is_own
from symtheano.errors import CompileError
from symtheano.graph.origin import user_stacklevel

if TYPE_CHECKING:
    from symtheano.codegen.entries import AnyPath

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


def cache_directory(directory: AnyPath | None = None) -> str:
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


def private_directory(directory: AnyPath | None = None) -> str:
    """Return a directory of this user's that no other can write to or replace, made if need be.

    It is returned without symbolic links: what was checked is what will be used.

    Parameters
    ----------
    directory
        As for :func:`cache_directory`.

    Raises
    ------
    OSError, RuntimeError
        When it can't be had; the message says why, and what helps.
    """
    named = directory or os.environ.get("SYMTHEANO_CACHE_DIR")
    wanted = os.path.expanduser(os.fspath(named)) if named else default_directory()
    if wanted.startswith("~"):
        raise FileNotFoundError(f"there is no home directory for {wanted}")
    place = os.path.realpath(wanted)
    _make(place)
    trouble = _trouble(place) or _way_in(place, chosen=bool(named))
    if trouble is None and not holds_code(place):
        trouble = f"{place} is on a disk that no code can be loaded from (noexec)"
    if trouble is not None:
        raise PermissionError(trouble)
    return place


def _make(place: str) -> None:
    """Make a directory and those above it, all of them private whatever the umask."""
    missing = []
    while not os.path.isdir(place):
        missing.append(place)
        if os.path.exists(place):
            raise NotADirectoryError(f"{place} is not a directory")
        place = os.path.dirname(place)
    for folder in reversed(missing):
        make_private(folder)


def make_private(folder: str) -> None:
    """Make a directory for this user alone, if it is not there."""
    try:
        os.mkdir(folder, mode=0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise


def _trouble(directory: str) -> str | None:
    """Return why a directory can't be used for compiled code, or None."""
    status = os.stat(directory)
    if os.name == "posix":
        if status.st_uid != os.geteuid():
            return f"{directory} belongs to another user"
        if not is_own(status):
            return f"others may write to {directory} (chmod 700 makes it private)"
    if not os.access(directory, os.W_OK | os.X_OK):
        return f"{directory} can't be written to"
    return None


def holds_code(directory: AnyPath) -> bool:
    """Whether code can be loaded from a directory's disk."""
    return os.name != "posix" or not os.statvfs(directory).f_flag & getattr(os, "ST_NOEXEC", 0)


def _way_in(directory: str, chosen: bool) -> str | None:
    """Return how others could replace this directory, or None.

    They can where they may write to a directory above it, unless its sticky bit is set. Who owns
    one can, too: that is taken for granted where the user has chosen the place, say on a volume
    that belongs to another user of the host, but not for a home directory that is not ours.
    """
    if os.name != "posix":
        return None
    trusted = {0, os.geteuid(), os.stat("/").st_uid}
    above = directory
    while above != os.path.dirname(above):
        above = os.path.dirname(above)
        status = os.stat(above)
        if not chosen and status.st_uid not in trusted:
            return f"{above}, which contains {directory}, belongs to another user"
        if _others_may_rename(status):
            return f"others may write to {above} and replace {directory} (chmod go-w {above})"
    return None


def _others_may_rename(status: os.stat_result) -> bool:
    """Return whether other users can rename the contents of a directory."""
    if status.st_mode & stat.S_ISVTX:
        return False
    by_group = status.st_mode & stat.S_IWGRP and not _is_private_group(status)
    return bool(by_group or status.st_mode & stat.S_IWOTH)


def _is_private_group(status: os.stat_result) -> bool:
    """Whether a directory's group is that of its owner alone, as many systems set it up."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(status.st_uid), grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    return group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


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
        return _trouble(directory) is None
    except OSError:
        return False


def _new_temporary_directory() -> str:
    import atexit
    import shutil
    import tempfile

    path = tempfile.mkdtemp(prefix="symtheano-")
    owner = os.getpid()

    def remove() -> None:
        # A forked child runs this as well, but the directory is its parent's.
        if os.getpid() == owner:
            shutil.rmtree(path, ignore_errors=True)

    atexit.register(remove)
    return path
