"""Collective operations: C functions that call MPI, which the host has loaded.

A function is ``static int32_t st_NAME(const st_runtime *, const st_NAME_lengths *, ...)`` with its
integers in a struct, ``allreduce`` with a version for each dtype. ``number`` is the number
of the operation in its program, and ``digest`` describes all operations of the program: the ranks
compare them (``st_mpi_agree``), in each call unless lengths are ``fixed``. The last argument is a
token, a number that the next operation takes, so that the order is the same on all ranks.

MPI is reached through a table (``runtime/mpi.py``), of which each function has a pointer with its
own state. The text is the same for libraries whose handles are ints and for those whose handles are
pointers. A function returns 0, MPI's error code, or a negative number of ``head.c``.
"""

from __future__ import annotations

from functools import partial

from symtheano.codegen.record import MPI
from symtheano.codegen.template import file_text, fill
from symtheano.dtypes import ALL, CONTINUOUS, real_of, short_name
from symtheano.loopir.routine import Routine, signature, struct_of
from symtheano.scalar.render import stored_type

MPI_DTYPES = tuple(dtype for dtype in ALL if dtype != "float16")
"""The dtypes of MPI, in the order of ``st_mpi.types``."""

MPI_FUNCTIONS = ("Allreduce", "Bcast", "Send", "Recv", "Allgatherv", "Iallreduce", "Wait", "Test")
"""The functions in the order of ``st_mpi.fn``, without their prefix."""

OPERATIONS = ("sum", "prod", "max", "min")
"""The operations of ``allreduce`` in the order of ``st_mpi.operations``."""

DIFFERENT, NO_MEMORY, NO_ROOT = -1, -2, -3
"""Results of the functions, besides 0 and MPI's error codes; see ``head.c``."""

_REDUCED = tuple(dtype for dtype in CONTINUOUS if dtype != "float16")
"""The dtypes of gradients."""

_FLOATS = {"float32": 32, "float64": 64}
_BYTE = str(MPI_DTYPES.index("uint8"))


def _head() -> str:
    numbers = ", ".join(f"ST_MPI_{name.upper()}" for name in MPI_FUNCTIONS)
    words = {
        "TYPES": str(len(MPI_DTYPES)),
        "FUNCTIONS": str(len(MPI_FUNCTIONS)),
        "NUMBERS": numbers,
        "BYTE": _BYTE,
        "INT64": str(MPI_DTYPES.index("int64")),
    }
    return fill(file_text(__file__, "head.c"), words)


def _sections(file: str, struct: str, dtype: str) -> tuple[str, ...]:
    """Return the text of a function, after what it needs."""
    bits = _FLOATS.get(dtype, 64)
    words = {
        "TYPE": stored_type(dtype),
        "REAL": stored_type(real_of(dtype)),
        "SUFFIX": short_name(dtype),
        "NUMBER": str(MPI_DTYPES.index(dtype) if dtype in MPI_DTYPES else 0),
        "BYTE": _BYTE,
        "FLOAT64": str(MPI_DTYPES.index("float64")),
        "ORDERED": str(int(dtype in _FLOATS)),
        "KEY": f"int{bits}_t",
        "UKEY": f"uint{bits}_t",
        "KEYS": str(MPI_DTYPES.index(f"int{bits}")),
    }
    buckets = [file_text(__file__, "buckets.c")] * file.startswith("bucket")
    return (_head(), *buckets, struct, fill(file_text(__file__, f"{file}.c"), {}, words))


def _routine(name: str, integers: str, others: str, typed: bool = False) -> Routine:
    lengths = struct_of(f"st_{name}" if typed else f"st_{name}_lengths", integers.split(", "))
    return Routine(
        name,
        signature(f"{integers}, {others}"),
        partial(_sections, name, lengths.declaration),
        _REDUCED if typed and name.startswith("bucket") else MPI_DTYPES,
        status=True,
        links=(MPI,),
        symbols=("memcpy", "memset", "malloc", "free", "realloc"),
        typed=typed,
        struct=lengths,
        progress="st_mpi_progress" if name.startswith("bucket") else "",
    )


_OUT = "token: out int64"

COLLECTIVES = (
    _routine(
        "allreduce", "number, digest, fixed, operation, count", f"x: in T, y: out T, {_OUT}", True
    ),
    _routine("broadcast", "number, digest, fixed, root, bytes", f"y: inout any, {_OUT}"),
    _routine(
        "allgather",
        "number, digest, fixed, bytes",
        f"x: in any, lengths: in int64, y: out any, {_OUT}",
    ),
    _routine(
        "scatter", "number, digest, fixed, root, rows, bytes", f"x: in any, y: out any, {_OUT}"
    ),
    _routine(
        "rank_share",
        "number, digest, divides, lengths",
        f"own: in float64, share: out float64, {_OUT}",
    ),
    _routine("same_number", "number, digest, fixed, count", f"result: out int64, {_OUT}"),
    _routine("bucket_put", "bucket, offset, count, total", "factor: R, x: in T", True),
    _routine("bucket_start", "number, digest, fixed, bucket, total, type, size, overlap", _OUT),
    _routine("bucket_take", "number, bucket, offset, count", f"y: out T, {_OUT}", True),
    Routine(
        "world_number",
        signature("which, number: out int64"),
        lambda _: (_head(), file_text(__file__, "number.c")),
        ("int64",),
        links=(MPI,),
        typed=False,
    ),
)
"""``allreduce``, ``broadcast``, ``allgather`` and ``scatter`` of arrays; the share of a rank in a
sum; a number that is the same on all ranks; parts of buckets, which are put in, added up over ranks
and taken out; the number of this rank or of all ranks."""
