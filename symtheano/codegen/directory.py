"""Where compiled code is kept: a directory that nobody else can write to.

What lies there is loaded into the process, so whoever can write there can run code as us.
"""

from __future__ import annotations

import os
import stat
import warnings
from functools import cache
from pathlib import Path


def default_directory() -> Path:
    """Return ``$XDG_CACHE_HOME/symtheano``, or ``~/.cache/symtheano``.

    Raises
    ------
    RuntimeError
        When the user has no home directory.
    """
    base = os.environ.get("XDG_CACHE_HOME")
    # The XDG specification has relative paths ignored.
    return (Path(base) if base and os.path.isabs(base) else Path.home() / ".cache") / "symtheano"


@cache
def cache_directory(directory: Path | None = None) -> Path:
    """Return a private, writable directory for compiled code, made if need be.

    Where the wanted one can't be had, or others may write to it, a warning says why and a
    directory that lasts as long as the process takes its place.

    Parameters
    ----------
    directory
        The wanted directory; by default :func:`default_directory`.
    """
    try:
        wanted = default_directory() if directory is None else directory.expanduser().absolute()
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
        trouble = _trouble(wanted)
    except (OSError, RuntimeError) as error:
        trouble = str(error)
    if trouble is None:
        return wanted
    substitute = _temporary_directory()
    warnings.warn(
        f"compiled code will not be kept: {trouble}; using {substitute} for this process",
        RuntimeWarning,
        stacklevel=3,
    )
    return substitute


def _trouble(directory: Path) -> str | None:
    """Say why a directory can't hold compiled code, or return None."""
    status = directory.stat()
    if not stat.S_ISDIR(status.st_mode):
        return f"{directory} is not a directory"
    if os.name == "posix":
        if status.st_uid != os.geteuid():
            return f"{directory} belongs to another user"
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"others may write to {directory} (chmod 700 makes it private)"
    if not os.access(directory, os.W_OK | os.X_OK):
        return f"{directory} can't be written to"
    return None


@cache
def _temporary_directory() -> Path:
    import atexit
    import shutil
    import tempfile

    path = Path(tempfile.mkdtemp(prefix="symtheano-"))
    owner = os.getpid()

    def remove() -> None:
        # A forked child runs this as well, but the directory is its parent's.
        if os.getpid() == owner:
            shutil.rmtree(path, ignore_errors=True)

    atexit.register(remove)
    return path
