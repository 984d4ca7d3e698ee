"""LAPACK's functions: the table of their addresses.

The functions are those of the BLAS provider's library, or SciPy's if it has none. Integers are
passed by address as 64-bit integers. Their lower half comes first, so a library with 32-bit
integers reads the right value.
"""

from __future__ import annotations

import ctypes
from functools import cache

from symtheano.codegen.routines.lapack import LAPACK_FUNCTIONS, LETTERS, symbols
from symtheano.codegen.runtime.blas import BlasProvider, table
from symtheano.codegen.runtime.library import symbol_address

# Prefixes and suffixes of Fortran names: SciPy's builds, 64-bit builds, MKL, Accelerate.
_SPELLINGS = (
    *(("scipy_", "_64_"), ("", "_64_"), ("scipy_", "_"), ("", "_"), ("", "_64")),
    *(("", "$NEWLAPACK$ILP64"), ("", "$NEWLAPACK")),
)


class _Table(ctypes.Structure):
    """``st_lapack`` of ``head.c``."""

    _fields_ = (
        ("ilp64", ctypes.c_int32),
        ("fn", ctypes.c_void_p * (len(LETTERS) * len(LAPACK_FUNCTIONS))),
        ("blas", ctypes.c_void_p),
    )


@cache
def lapack_table(provider: BlasProvider) -> ctypes.Structure:
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
    own = _from_library(provider)
    ilp64, pointers = own if own is not None else (False, _from_scipy())
    threads = None if own is None else ctypes.addressof(table(provider))
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
