"""The state of the package's own files: a change of one may affect the compiled code."""

from __future__ import annotations

import os
from collections.abc import Callable
from stat import S_ISDIR

import numpy as np

Entry = tuple[str, int, int, bool]
"""Of a directory: name, bytes, time of modification in nanoseconds, whether it is a directory."""

LATER_LAYERS = {"__pycache__", "printing", "interop", "compile", "compat", "nn", "cli"}
"""Directories on whose files nothing that is compiled depends: layers that use functions."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_digests: list[str] = []


def package_state(lister: Callable[[str], list[Entry]]) -> str:
    """Return a digest of the files of the package that affect compiled code; computed once.

    Parameters
    ----------
    lister
        :func:`list_directory`, or the dispatcher's function of this name, which returns the same.
    """
    if not _digests:
        from symtheano.graph.digest import digest

        files = package_files(lister)
        numbers = np.array([state for _, *state in files], np.int64)
        _digests.append(digest("\n".join(path for path, *_ in files).encode() + numbers.tobytes()))
    return _digests[0]


def package_files(lister: Callable[[str], list[Entry]]) -> list[tuple[str, int, int]]:
    """Return path in the package, bytes and time of modification of each file, in order.

    Examples
    --------
    >>> ("/rewrites/algebra.py" in [path for path, *_ in package_files(list_directory)])
    True
    """
    waiting = [""]
    files = []
    while waiting:
        folder = waiting.pop()
        for name, size, modified, is_directory in lister(_PACKAGE + folder):
            if name.endswith((".py", ".c", ".h", ".inc")):
                files.append((f"{folder}/{name}", size, modified))
            elif is_directory and name not in LATER_LAYERS:
                waiting.append(f"{folder}/{name}")
    return sorted(files)


def list_directory(path: str) -> list[Entry]:
    """Return the entries of a directory, as the dispatcher does."""
    return [_entry(path, name) for name in os.listdir(path)]


def _entry(path: str, name: str) -> Entry:
    try:
        status = os.stat(os.path.join(path, name))
    except OSError:
        return (name, -1, -1, False)
    return (name, status.st_size, status.st_mtime_ns, S_ISDIR(status.st_mode))
