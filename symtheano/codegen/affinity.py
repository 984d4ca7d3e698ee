"""The processors on which this process may run, also if OpenMP has bound its threads.

``OMP_PROC_BIND``, ``OMP_PLACES`` and ``GOMP_CPU_AFFINITY`` make OpenMP bind each of its threads to
a place, a few processors: the thread that loads it, too, and threads and processes that this one
starts later get its affinity. The affinity of a thread then says nothing of the process.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Collection
from contextlib import suppress

OPENMP_LIBRARIES = ("libgomp.so.1", "libomp.so.5", "libomp.so")
"""Names of OpenMP libraries, GNU's first."""

# Find a library only if it is loaded already.
LOADED = ctypes.DEFAULT_MODE | getattr(os, "RTLD_NOLOAD", 0)
"""The mode in which a library is found only if it has been loaded."""


def processors() -> frozenset[int]:
    """Return the processors on which this process may run.

    They are those of the calling thread; or, if OpenMP has bound this thread, all of its places.

    Examples
    --------
    >>> len(processors()) >= 1
    True
    """
    if not hasattr(os, "sched_getaffinity"):
        return frozenset(range(os.cpu_count() or 1))
    own = frozenset(os.sched_getaffinity(0))
    places = _places()
    return places if own <= places else own


def bound_processors() -> frozenset[int]:
    """Return :func:`processors` if OpenMP binds the threads of this process; else no processors.

    Examples
    --------
    >>> bound_processors() <= processors()
    True
    """
    return processors() & _places()


def run_on(chosen: Collection[int]) -> None:
    """Let the calling thread run on some processors. Without any, nothing changes."""
    if chosen:
        with suppress(OSError):  # a container may have taken processors away meanwhile
            os.sched_setaffinity(0, chosen)


def run_unbound(chosen: Collection[int]) -> None:
    """Let a new process run on some processors, and OpenMP bind none of its threads.

    It would bind each of several such processes to its first place. Without processors, nothing
    changes.
    """
    if chosen:
        os.environ["OMP_PROC_BIND"] = "false"
        run_on(chosen)


def _places() -> frozenset[int]:
    """Return the processors of OpenMP's places; none if it does not bind threads."""
    for name in OPENMP_LIBRARIES:
        with suppress(OSError, AttributeError):
            return _places_of(ctypes.CDLL(name, LOADED))
    return frozenset()


def _places_of(library: ctypes.CDLL) -> frozenset[int]:
    if not library.omp_get_proc_bind():
        return frozenset()
    found: set[int] = set()
    for place in range(library.omp_get_num_places()):
        numbers = (ctypes.c_int * library.omp_get_place_num_procs(place))()
        library.omp_get_place_proc_ids(place, numbers)
        found.update(numbers)
    return frozenset(found)
