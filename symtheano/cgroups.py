"""Limits of containers: how many processors and how much memory this process may use.

Linux's control groups limit both without hiding the others, so counts of processors and of free
memory do not show the limits.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

_ROOT = "/sys/fs/cgroup"


def processor_quota(root: str = _ROOT, own: str = "/proc/self/cgroup") -> int | None:
    """Return the number of processors that the quotas of this process allow, at least 1.

    None if there is no quota. A part of a processor counts as one.

    Parameters
    ----------
    root
        Where the control groups are mounted.
    own
        The file that names those of this process.
    """
    found = []
    for folder in _folders(root, own, "cpu"):
        words = _read(os.path.join(folder, "cpu.max")).split()
        if not words:
            quota = _read(os.path.join(folder, "cpu.cfs_quota_us")).strip()
            words = [quota, _read(os.path.join(folder, "cpu.cfs_period_us")).strip()]
        if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]):
            found.append(max(math.ceil(int(words[0]) / int(words[1])), 1))
    return min(found, default=None)


def free_memory(
    root: str = _ROOT, own: str = "/proc/self/cgroup", system: str = "/proc/meminfo"
) -> int | None:
    """Return how many bytes of memory this process can still get, or None if that is not known.

    Files that the system keeps in memory count as free.

    Parameters
    ----------
    root, own
        As for :func:`processor_quota`.
    system
        The file with the memory of the machine.
    """
    found = []
    for line in _read(system).splitlines():
        name, _, text = line.partition(":")
        if name == "MemAvailable" and text.split()[:1] and text.split()[0].isdigit():
            found.append(int(text.split()[0]) << 10)
    for folder in _folders(root, own, "memory"):
        for most, used in (
            ("memory.max", "memory.current"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        ):
            limit = _read(os.path.join(folder, most)).strip()
            taken = _read(os.path.join(folder, used)).strip()
            if limit.isdigit() and taken.isdigit():
                found.append(max(int(limit) - int(taken) + _kept_files(folder), 0))
    return min(found, default=None)


def _kept_files(folder: str) -> int:
    """Return the bytes of files that a group has in memory, and would give up."""
    for line in _read(os.path.join(folder, "memory.stat")).splitlines():
        name, _, number = line.partition(" ")
        if name in ("inactive_file", "total_inactive_file") and number.isdigit():
            return int(number)
    return 0


def _folders(root: str, own: str, controller: str) -> Iterator[str]:
    """Yield the folders of this process's group and of those around it."""
    for line in _read(own).splitlines():
        number, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if number == "0" and not names:
            base = root
        elif controller in names.split(","):
            base = os.path.join(root, controller)
        else:
            continue
        # In a container, the path is that of the host, and its own group is the root.
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for count in range(len(parts), -1, -1):
            folder = os.path.join(base, *parts[:count])
            if os.path.isdir(folder):
                yield folder


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
