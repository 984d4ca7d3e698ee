"""LAPACK from C: addresses of its functions, and C helpers for batches of row-major matrices.

The functions are those of the BLAS provider's library, or SciPy's if it has none. Integers are
passed by address as 64-bit integers. Their lower half comes first, so a library with 32-bit
integers reads the right value.

A helper is ``static int32_t st_NAME_SUFFIX(const st_runtime *runtime, int64_t batch, ...)``: a
section of one of the files here, for one dtype; ``head.c`` and ``common.c`` are shared by all. The
table is one of the host's functions. A helper returns 0 for success; 1 if there is not enough
memory; the index of the first matrix without a result, plus 2; or a negative number that is
explained in its comment.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from symtheano.codegen.blas import BlasProvider, table
from symtheano.codegen.library import symbol_address
from symtheano.scalar.render import c_type, short_name

LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
"""First letters of LAPACK's names, by dtype."""

ROUTINES = (
    *("potrf", "getrf", "getri", "getrs", "trtrs", "sysv", "gesdd", "geqrf", "orgqr", "syevd"),
    *("geev", "gelsd"),
)
"""LAPACK's functions that the helpers call, by their names for real numbers."""

_FILES = {
    "factors": ("cholesky", "qr", "lu"),
    "solves": ("inverse", "solve", "solve_triangular", "solve_symmetric"),
    "determinants": ("slogdet", "det", "cofactors"),
    "eigen": ("eigh", "eig"),
    "singular": ("svd", "lstsq", "pinv"),
}

HELPERS = tuple(name for names in _FILES.values() for name in names)
"""The C helpers."""

# The helpers that other helpers call.
_CALLED = {"pinv": ("eigh", "svd"), "cofactors": ("inverse", "det", "svd")}
_COMPLEX_NAMES = {"orgqr": "ungqr", "syevd": "heevd"}
_PARTS = {"complex64": "float32", "complex128": "float64"}
_WORD = re.compile(r"\b(TYPE|REAL|IS_REAL|FIRST)\b|SUFFIX")

# Prefixes and suffixes of Fortran names: SciPy's builds, 64-bit builds, MKL, Accelerate.
_SPELLINGS = (
    *(("scipy_", "_64_"), ("", "_64_"), ("scipy_", "_"), ("", "_"), ("", "_64")),
    *(("", "$NEWLAPACK$ILP64"), ("", "$NEWLAPACK")),
)


def symbols() -> tuple[str, ...]:
    """Return the names of all functions, in their order in the table.

    Examples
    --------
    >>> symbols()[0], symbols()[-1]
    ('spotrf', 'zgelsd')
    """
    return tuple(
        letter + (_COMPLEX_NAMES.get(routine, routine) if letter in "cz" else routine)
        for letter in LETTERS.values()
        for routine in ROUTINES
    )


class _Table(ctypes.Structure):
    """``st_lapack`` of ``head.c``."""

    _fields_ = (
        ("ilp64", ctypes.c_int32),
        ("fn", ctypes.c_void_p * (len(LETTERS) * len(ROUTINES))),
        ("blas", ctypes.c_void_p),
    )


@cache
def lapack_table(provider: BlasProvider) -> Any:
    """Return the table ``st_lapack``, which lives as long as the process.

    Parameters
    ----------
    provider
        The BLAS library: its own LAPACK is taken, so that there is one pool of threads.

    Raises
    ------
    ImportError
        If it has none, and SciPy is not there either.
    """
    found = _from_library(provider)
    ilp64, pointers = found if found is not None else (False, _from_scipy())
    threads = None if found is None else ctypes.addressof(table(provider))
    return _Table(ilp64, (ctypes.c_void_p * len(pointers))(*pointers), threads)


def _from_library(provider: BlasProvider) -> tuple[bool, list[int]] | None:
    """Return the width of integers and the addresses of a library's functions."""
    if not provider.path:
        return None
    try:
        library = ctypes.CDLL(provider.path)
    except OSError:
        return None
    for prefix, suffix in _SPELLINGS:
        names = [f"{prefix}{name}{suffix}" for name in symbols()]
        if hasattr(library, names[0]):
            try:
                pointers = [symbol_address(library, name) for name in names]
            except AttributeError:
                continue
            return _has_wide_integers(pointers[symbols().index("dpotrf")]), pointers
    return None


def _has_wide_integers(dpotrf: int) -> bool:
    """Tell by a trial whether integers have 64 bits: the upper half of ``info`` is written then."""
    integer, matrix = ctypes.c_int64, (ctypes.c_double * 1)(1.0)
    n, lda, info = integer(1), integer(1), integer(-1)
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5, ctypes.c_size_t)(dpotrf)
    function(ctypes.c_char_p(b"L"), ctypes.addressof(n), ctypes.addressof(matrix),
             ctypes.addressof(lda), ctypes.addressof(info), 1)  # fmt: skip
    return info.value == 0


def _from_scipy() -> list[int]:
    """Return the addresses of SciPy's functions."""
    from scipy.linalg import cython_lapack

    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsules = (cython_lapack.__pyx_capi__[name] for name in symbols())
    return [int(pointer_of(capsule, name_of(capsule)) or 0) for capsule in capsules]


def lapack_texts(calls: Sequence[tuple[str, str]], place: int) -> str:
    """Return the C text of helpers, given by name and dtype.

    Parameters
    ----------
    calls
        Which helpers, in any order.
    place
        The table's number among the host's functions.

    Raises
    ------
    KeyError
        When there is no such helper.

    Examples
    --------
    >>> text = lapack_texts([("cholesky", "float64")], 0)
    >>> "static int32_t st_cholesky_f64(" in text
    True
    """
    seen: dict[str, None] = {f"#define ST_LAPACK {place}\n{_head()}": None}
    for name, dtype in sorted(set(calls)):
        if name not in HELPERS:
            raise KeyError(f"LAPACK has no helper called {name}")
        seen[_typed(_file("common"), dtype)] = None
        for part in (*_CALLED.get(name, ()), name):
            seen[_typed(_section(part), dtype)] = None
    return "\n".join(seen)


def _head() -> str:
    count = len(LETTERS) * len(ROUTINES)
    numbers = "".join(f"    ST_{name} = {k},\n" for k, name in enumerate(ROUTINES))
    return _file("head").replace("COUNT", str(count)).replace("    NUMBERS\n", numbers)


def _section(helper: str) -> str:
    """Return the text of a helper, which is a section of its file."""
    (file,) = (file for file, helpers in _FILES.items() if helper in helpers)
    _, _, text = _file(file).partition(f"/* section {helper} */\n")
    return text.partition("\n/* section ")[0]


@cache
def _file(name: str) -> str:
    path = os.path.join(os.path.dirname(__file__), f"{name}.c")
    with open(path, encoding="utf-8") as file:
        return file.read()


def _typed(text: str, dtype: str) -> str:
    meanings = {
        "TYPE": c_type(dtype),
        "REAL": c_type(_PARTS.get(dtype, dtype)),
        "SUFFIX": short_name(dtype),
        "IS_REAL": str(int(dtype not in _PARTS)),
        "FIRST": str(list(LETTERS).index(dtype) * len(ROUTINES)),
    }
    return _WORD.sub(lambda match: meanings[match.group()], text)
