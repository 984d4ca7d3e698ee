"""Files that are replaced atomically: at any moment, the content is the old one or the new one."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    StrPath = str | os.PathLike[str]

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_PLAIN = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


def replace_file(
    path: StrPath,
    unfinished: StrPath,
    data: bytes,
    mode: int,
    begun: Callable[[int], bool] | None = None,
    finished: Callable[[int], None] | None = None,
) -> bool:
    """Write a file under a temporary name, then rename it.

    Parameters
    ----------
    path
        The file, which is replaced if there is one.
    unfinished
        A name in the same directory that does not exist.
    data
        The content.
    mode
        The permissions, before the process's mask is applied.
    begun, finished
        Called with the descriptor before and after the content is written. If the first returns
        False, nothing is written.

    Returns
    -------
    done
        Whether it was written.

    Raises
    ------
    OSError
        When it can't be written; nothing has changed then.
    """
    descriptor = os.open(unfinished, _NEW | _PLAIN, mode)
    try:
        with open(descriptor, "wb") as file:
            if begun is not None and not begun(descriptor):
                return False
            file.write(data)
            file.flush()
            if finished is not None:
                finished(descriptor)
            os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished)
        raise
    return True


def save_file(path: StrPath, data: bytes) -> None:
    """Write a file of the user, so that it survives a crash of the machine.

    An existing file keeps its permissions and, if this is allowed, its owner. If the path is a
    link, the file to which it leads is replaced. Temporary files that killed processes have left
    are removed.

    Raises
    ------
    FileNotFoundError
        If there is no such directory.
    OSError
        If the path does not lead to a regular file, or the file can't be written. Nothing has
        changed then.
    """
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"{path}: there is no directory {folder}")
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise _irregular(path)

    def finish(descriptor: int) -> None:
        if old is not None:
            _copy_permissions(old, descriptor)
        os.fsync(descriptor)

    from zlib import crc32

    prefix = f".symtheano-save-{crc32(os.fsencode(name)):08x}-"
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode) & 0o666
    while True:
        unfinished = os.path.join(folder, prefix + os.urandom(8).hex())
        if replace_file(path, unfinished, data, mode, _hold, finish):
            break
    _remove_abandoned(folder, prefix)


def read_regular(path: StrPath) -> bytes:
    """Return the content of a regular file. Pipes and devices are refused, since they could block.

    Raises
    ------
    OSError
        If there is none, or it can't be read.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):  # opening a device may have effects
        raise _irregular(path)
    descriptor = os.open(path, os.O_RDONLY | (_PLAIN & ~getattr(os, "O_NOFOLLOW", 0)))
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _irregular(path)
        return file.read()


def _irregular(path: StrPath) -> OSError:
    kind = IsADirectoryError if os.path.isdir(path) else OSError
    return kind(
        f"{os.fspath(path)} is not a regular file; open a pipe or a device yourself, and pass the "
        "open file"
    )


def _copy_permissions(old: os.stat_result, descriptor: int) -> None:
    """Give a file the owner and the permissions of another one."""
    if os.name != "posix":
        return
    mode, new = stat.S_IMODE(old.st_mode), os.fstat(descriptor)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except OSError:  # another group may do what all others may
            mode &= ~0o070 | (mode & 0o007) << 3
    os.fchmod(descriptor, mode)


def _hold(descriptor: int) -> bool:
    """Lock an unfinished file; return whether another process has not taken it for abandoned."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except (ImportError, OSError):  # without locks, remains stay
        return True
    return os.fstat(descriptor).st_nlink > 0


def _remove_abandoned(folder: str, prefix: str) -> None:
    """Remove unfinished files that no process holds any longer."""
    with suppress(ImportError, OSError):
        import fcntl

        for name in os.listdir(folder):
            if name.startswith(prefix):
                path = os.path.join(folder, name)
                with suppress(OSError), open(os.open(path, os.O_RDWR | _PLAIN), "rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                        os.unlink(path)
