"""MPI: this process among all ranks, the table of its functions, and what a function keeps.

mpi4py finds the library and starts it. Its functions are called from generated C by their
addresses, with handles of the size of a pointer.
"""

from __future__ import annotations

import ctypes
import platform
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from symtheano.codegen.affinity import processors
from symtheano.codegen.routines.mpi import MPI_DTYPES, MPI_FUNCTIONS, OPERATIONS
from symtheano.codegen.runtime.library import symbol_address
from symtheano.extras import needed

_TYPES = {
    "bool": "UINT8_T", "float32": "FLOAT", "float64": "DOUBLE",
    "complex64": "C_FLOAT_COMPLEX", "complex128": "C_DOUBLE_COMPLEX",
}  # fmt: skip


class MpiTable(ctypes.Structure):
    """``st_mpi`` of ``head.c``."""

    _fields_ = (
        ("ints", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("size", ctypes.c_int32),
        ("waiting", ctypes.c_int32),
        ("calls", ctypes.c_int64),
        ("collectives", ctypes.c_int64),
        ("comm", ctypes.c_void_p),
        ("types", ctypes.c_void_p * len(MPI_DTYPES)),
        ("operations", ctypes.c_void_p * len(OPERATIONS)),
        ("in_place", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("fn", ctypes.c_void_p * len(MPI_FUNCTIONS)),
    )


class World:
    """All processes that ``mpiexec`` has started, and this one among them.

    Attributes
    ----------
    mpi
        The module ``mpi4py.MPI``.
    comm, control
        Communicators of our own: that of operations on arrays, and that of what Python sends.
    rank, size
        The number of this process, from 0, and the number of all.
    sharing
        The number of processes that may run on the same processors as this one, itself included.
    table
        The table ``st_mpi``.
    """

    def __init__(self, mpi: Any) -> None:
        self.mpi = mpi
        self.comm, self.control = mpi.COMM_WORLD.Dup(), mpi.COMM_WORLD.Dup()
        for comm in (self.comm, self.control):
            comm.Set_errhandler(mpi.ERRORS_RETURN)
        self.rank, self.size = int(self.comm.rank), int(self.comm.size)
        self.sharing = _sharing(self.control.allgather(_place()), self.rank)
        self._counts = (ctypes.c_int * (2 * self.size))()
        self.table = self._filled()

    def _filled(self) -> MpiTable:
        mpi = self.mpi
        library = ctypes.CDLL(mpi.__file__)
        names = [_TYPES.get(dtype, f"{dtype.upper()}_T") for dtype in MPI_DTYPES]
        table = MpiTable(
            ints=int(mpi._sizeof(mpi.Comm) < ctypes.sizeof(ctypes.c_void_p)),
            rank=self.rank,
            size=self.size,
            comm=self._handle(self.comm),
            in_place=int(mpi.IN_PLACE) % (1 << 64),
            counts=ctypes.addressof(self._counts),
        )
        table.types[:] = [self._handle(getattr(mpi, name)) for name in names]
        table.operations[:] = [self._handle(getattr(mpi, name.upper())) for name in OPERATIONS]
        table.fn[:] = [symbol_address(library, f"MPI_{name}") for name in MPI_FUNCTIONS]
        return table

    def _handle(self, thing: Any) -> int:
        return int(self.mpi._handleof(thing)) % (1 << 64)

    def error_text(self, status: int) -> str:
        """Return MPI's text for an error code."""
        return str(self.mpi.Get_error_string(status))

    def waiting(self, call: Callable[[], Any]) -> Any:
        """Return the result of a function that waits for other ranks, watched as calls of C are."""
        self.table.collectives += 1
        self.table.calls += 1
        self.table.waiting = 1
        try:
            return call()
        finally:
            self.table.waiting = 0

    def __repr__(self) -> str:
        return f"<rank {self.rank} of {self.size}>"


def _place() -> tuple[str, frozenset[int]]:
    """Return this machine, and the processors on which this process may run."""
    return platform.node(), processors()


def _sharing(places: Sequence[tuple[str, frozenset[int]]], rank: int) -> int:
    """Return how many ranks may run on the processors of one.

    Examples
    --------
    >>> places = [("a", frozenset([0, 1])), ("a", frozenset([1])), ("b", frozenset([1]))]
    >>> [_sharing(places, rank) for rank in range(3)]
    [2, 2, 1]
    """
    node, processors = places[rank]
    return sum(other == node and bool(its & processors) for other, its in places)


class _Calls(ctypes.Structure):
    """``st_mpi_calls`` of ``head.c``."""

    _fields_ = (
        ("mpi", ctypes.c_void_p),
        ("agreed", ctypes.c_int64),
        ("buckets", ctypes.c_void_p),
        ("count", ctypes.c_int64),
    )


class _Bucket(ctypes.Structure):
    """``st_bucket`` of ``buckets.c``."""

    _fields_ = (
        ("memory", ctypes.c_void_p),
        ("bytes", ctypes.c_int64),
        ("pending", ctypes.c_int64),
        ("request", ctypes.c_void_p),
    )


class Collectives:
    """What the collective operations of one function keep from call to call.

    Their buckets are freed with it, except those to which MPI may still write.
    """

    def __init__(self) -> None:
        self._calls = _Calls()  # also if there is no MPI, because this is freed in any case
        self._calls.mpi = ctypes.addressof(world().table)

    @property
    def address(self) -> int:
        """The address of ``st_mpi_calls``."""
        return ctypes.addressof(self._calls)

    def buckets(self) -> list[_Bucket]:
        """Return the buckets."""
        count, address = self._calls.count, self._calls.buckets
        return list((_Bucket * count).from_address(address)) if address else []

    def __del__(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        """Free the buckets: no call is running any more."""
        if ending():  # names of modules may be gone, and so may be MPI
            return
        buckets = self.buckets()
        for bucket in buckets:
            if bucket.memory and not bucket.pending:
                _free(bucket.memory)
        if buckets and not any(bucket.pending for bucket in buckets):
            _free(self._calls.buckets)


def _free(address: int) -> None:
    function = ctypes.CDLL(None).free
    function.restype, function.argtypes = None, [ctypes.c_void_p]
    function(address)


_worlds: list[World] = []
_starting = threading.Lock()
started: list[Callable[[World], None]] = []
"""What is done once, when the world is first needed; set by ``symtheano/distributed``."""


def world() -> World:
    """Return the world. The first call starts MPI, on all ranks.

    Raises
    ------
    ImportError
        If mpi4py or an MPI library is not installed.

    Examples
    --------
    >>> world()
    <rank 0 of 1>
    """
    with _starting:
        if not _worlds:
            try:
                mpi = needed("mpi4py.MPI", "symtheano.distributed", "mpi")
            except RuntimeError as error:  # mpi4py is there, but no MPI library
                raise ImportError(f"symtheano.distributed needs an MPI library: {error}") from error
            _worlds.append(World(mpi))
            for call in started:
                call(_worlds[0])
    return _worlds[0]


def is_started() -> bool:
    """Return whether this process has used :func:`world`."""
    return bool(_worlds) and "mpi4py.MPI" in sys.modules
