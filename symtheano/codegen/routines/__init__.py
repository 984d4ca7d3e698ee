"""The routines that compiled code calls: for each, its declaration beside its C text.

``memory.py`` has those that copy and clear arrays, ``own.py`` sorting and transforms, ``blas/``
products, ``attention/`` attention, ``convolution/`` convolutions, ``pooling/`` pooling, ``lapack/``
decompositions, ``random/`` random numbers, and ``mpi/`` operations on all ranks of MPI.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from symtheano.codegen.routines.memory import MEMORY
from symtheano.loopir.routine import Routine

_FAMILIES = {
    "blas": "PRODUCTS",
    "own": "OWN",
    "lapack": "DECOMPOSITIONS",
    "random": "RANDOM",
    "attention": "ATTENTION",
    "convolution": "CONVOLUTIONS",
    "pooling": "POOLINGS",
    "mpi": "COLLECTIVES",
}
"""Modules that are imported for a name that is not known yet, and their lists of routines."""


class _Routines(Mapping[str, Routine]):
    """The routines by name. What only others than those of a program need is not imported."""

    def __init__(self) -> None:
        self._routines = {routine.name: routine for routine in MEMORY}
        self._left = dict(_FAMILIES)

    def __getitem__(self, name: str) -> Routine:
        while name not in self._routines and self._left:
            self._import_one()
        return self._routines[name]

    def _import_one(self) -> None:
        module, content = next(iter(self._left.items()))
        routines = getattr(import_module(f"{__name__}.{module}"), content)
        self._routines.update((routine.name, routine) for routine in routines)
        self._left.pop(module, None)

    def __iter__(self) -> Iterator[str]:
        while self._left:
            self._import_one()
        return iter(self._routines)

    def __len__(self) -> int:
        return sum(1 for _ in self)


ROUTINES: Mapping[str, Routine] = _Routines()
"""All routines by name."""
