"""The processes of ranks on this machine, and which of them have ended.

A launcher is expected to end all ranks if one has died. Hydra, which comes with MPICH, fails to see
some deaths on busy machines; the ranks see them by themselves with file descriptors of processes
(``pidfd_open(2)`` of Linux).
"""

from __future__ import annotations

import os
import select
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """A process, as others on the same machine know it.

    Attributes
    ----------
    namespace
        What tells the numbers of processes on different machines and in containers apart.
    number
        Its number there.
    """

    namespace: str
    number: int


def this_process() -> Process:
    """Return this process; the namespace is "" where it is not known.

    Examples
    --------
    >>> this_process().number == os.getpid()
    True
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace = f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        namespace = ""
    return Process(namespace, os.getpid())


class Processes:
    """The processes of other ranks that this one can watch.

    Parameters
    ----------
    ranks
        The processes of all ranks.
    rank
        The number of this one.
    """

    def __init__(self, ranks: Sequence[Process], rank: int) -> None:
        self._ranks, self._ended = ranks, set[int]()
        self._poll = select.poll() if hasattr(select, "poll") else None
        self._files: dict[int, int] = {}
        own = ranks[rank].namespace
        if not own or self._poll is None:
            return
        for other, process in enumerate(ranks):
            if other != rank and process.namespace == own:
                self._watch(other, process.number)

    @property
    def numbers(self) -> Mapping[int, int]:
        """The numbers of the processes by rank."""
        return {rank: process.number for rank, process in enumerate(self._ranks)}

    def _watch(self, rank: int, number: int) -> None:
        try:
            file = os.pidfd_open(number)
        except ProcessLookupError:
            self._ended.add(rank)
        except (AttributeError, OSError):  # another system, an old kernel, or it is forbidden
            return
        else:
            self._files[file] = rank
            if self._poll is not None:
                self._poll.register(file, select.POLLIN)

    def ended(self) -> set[int]:
        """Return the ranks whose processes have ended, waited for by their parents or not."""
        for file, _ in self._poll.poll(0) if self._poll is not None else ():
            self._ended.add(self._files[file])
        return set(self._ended)

    def close(self) -> None:
        """Close the files."""
        while self._files:
            file, _ = self._files.popitem()
            if self._poll is not None:
                self._poll.unregister(file)
            os.close(file)
