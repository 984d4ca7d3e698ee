"""Directories that no other user can change or replace.

Code is loaded from the cache directory, so it matters who could put another one in its place. A
path is therefore walked from the root, one component at a time, with each directory opened relative
to the one before it and checked by its descriptor. The result is a descriptor of the directory that
was checked. Paths that start with it (:func:`anchored`) stay in that directory, whatever happens to
its name afterwards.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from threading import Lock

_LINKS = 40
_OPEN = sum(getattr(os, n, 0) for n in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC", "O_PATH"))
_ACCESS_LIST = "system.posix_acl_access"

# By path: a descriptor that stays open, and the device and inode that it had.
_anchors: dict[str, tuple[int, tuple[int, int]]] = {}
_anchoring = Lock()


def anchored(place: str) -> str:
    """Return a path to a private directory that leads to the same one even if it is renamed.

    On systems without ``/proc/self/fd`` it is ``place`` itself.

    Parameters
    ----------
    place
        An absolute path without symbolic links.

    Raises
    ------
    OSError
        If it is not there, or other users could change or replace it.
    """
    with _anchoring:
        return _anchored(place)


def _anchored(place: str) -> str:
    anchor = _anchors.get(place)
    if anchor is not None:
        descriptor, identity = anchor
        # A program may have closed all descriptors, or removed and made the directory again.
        if _identity_of(descriptor) == identity == _identity(os.stat(place)):
            return f"/proc/self/fd/{descriptor}"
        del _anchors[place]
        if _identity_of(descriptor) == identity:
            os.close(descriptor)
    real, opened = walk(place)
    if opened is None:
        return place
    if real != place or not os.path.isdir(f"/proc/self/fd/{opened}"):
        os.close(opened)
        if real != place:
            raise PermissionError(f"{place} has been replaced by a link to {real}")
        return place
    opened = _moved_up(opened)
    _anchors[place] = (opened, _identity(os.fstat(opened)))
    return f"/proc/self/fd/{opened}"


def _moved_up(descriptor: int) -> int:
    """Return a copy of a descriptor that is none of those of the standard streams."""
    if descriptor > 2:
        return descriptor
    from fcntl import F_DUPFD_CLOEXEC, fcntl

    moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    return moved


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _identity_of(descriptor: int) -> tuple[int, int] | None:
    try:
        return _identity(os.fstat(descriptor))
    except OSError:
        return None


def walk(path: str, make: bool = False) -> tuple[str, int | None]:
    """Return a private directory's path without links, and its descriptor.

    The descriptor is None on systems that are not POSIX, where nothing is checked.

    Parameters
    ----------
    path
        An absolute path.
    make
        Whether directories that are missing are made, private ones whatever the umask is.

    Raises
    ------
    OSError
        If the directory is not there, belongs to another user, or other users could change or
        replace it or a link that leads to it; the message says how.
    """
    if os.name != "posix":
        if make:
            os.makedirs(path, exist_ok=True)
        return os.path.realpath(path), None
    walker = _Walker(path)
    try:
        while walker.ahead:
            walker.step(make)
        walker.check_last()
    except BaseException:
        os.close(walker.descriptor)
        raise
    return walker.path, walker.descriptor


class _Walker:
    """A position on the way from the root to a directory.

    Attributes
    ----------
    path, descriptor
        Where it is; without links.
    ahead
        The components that are left, the next one last.
    """

    def __init__(self, goal: str) -> None:
        self.goal = goal
        self.links = 0
        self.ahead: list[str] = []
        self.descriptor = os.open("/", _OPEN)
        self.path = "/"
        self.push(goal)
        # In a container, the root of the file system may belong to a user without a number.
        self.trusted = {0, os.geteuid(), os.fstat(self.descriptor).st_uid}

    def push(self, path: str) -> None:
        self.ahead += [part for part in reversed(path.split("/")) if part not in ("", ".")]

    def step(self, make: bool) -> None:
        name = self.ahead.pop()
        if name == "..":
            self.enter(name, os.path.dirname(self.path))
            return
        self.check_above(name)
        there = os.path.join(self.path, name)
        try:
            status = os.lstat(name, dir_fd=self.descriptor)
        except FileNotFoundError:
            if not make:
                raise FileNotFoundError(f"there is no directory {there}") from None
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=self.descriptor)
            status = os.lstat(name, dir_fd=self.descriptor)
        if status.st_uid not in self.trusted:
            raise PermissionError(f"{there}, on the way to {self.goal}, belongs to another user")
        if stat.S_ISLNK(status.st_mode):
            self.follow(name, there)
        elif stat.S_ISDIR(status.st_mode):
            self.enter(name, there)
        else:
            raise NotADirectoryError(f"{there} is not a directory")

    def enter(self, name: str, path: str) -> None:
        before, self.descriptor = self.descriptor, os.open(name, _OPEN, dir_fd=self.descriptor)
        os.close(before)
        self.path = path

    def follow(self, name: str, there: str) -> None:
        self.links += 1
        if self.links > _LINKS:
            raise OSError(f"{there}: too many symbolic links")
        target = os.readlink(name, dir_fd=self.descriptor)
        if target.startswith("/"):
            self.enter("/", "/")
        self.push(target)

    def check_above(self, name: str) -> None:
        """Check that nobody else can rename or replace what is in this directory."""
        status = os.fstat(self.descriptor)
        if status.st_uid not in self.trusted:
            raise PermissionError(
                f"{self.path}, on the way to {self.goal}, belongs to another user"
            )
        # In a sticky directory, only the owners of a file and of the directory can rename it.
        if not status.st_mode & stat.S_ISVTX and self.open_to_others(status):
            raise PermissionError(
                f"others may write to {self.path} and replace {os.path.join(self.path, name)} "
                f"(chmod go-w {self.path})"
            )

    def check_last(self) -> None:
        status = os.fstat(self.descriptor)
        if status.st_uid != os.geteuid():
            raise PermissionError(f"{self.path} belongs to another user")
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError(f"others may write to {self.path} (chmod 700 makes it private)")

    def open_to_others(self, status: os.stat_result) -> bool:
        """Return whether the permissions or the access control list of this directory say so."""
        if status.st_mode & stat.S_IWOTH:
            return True
        # The bits of the group are also the mask of an access control list.
        return bool(status.st_mode & stat.S_IWGRP) and (
            self.has_access_list() or not _is_private_group(status)
        )

    def has_access_list(self) -> bool:
        if not hasattr(os, "getxattr"):
            return False
        try:
            os.getxattr(f"/proc/self/fd/{self.descriptor}", _ACCESS_LIST)
        except OSError:
            return False
        return True


def _is_private_group(status: os.stat_result) -> bool:
    """Return whether a directory's group has no members but the directory's owner.

    Users whose primary group it is are members, too.
    """
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(status.st_uid), grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    return (
        group.gr_name == user.pw_name
        and set(group.gr_mem) <= {user.pw_name}
        and all(
            other.pw_uid == user.pw_uid for other in pwd.getpwall() if other.pw_gid == group.gr_gid
        )
    )
