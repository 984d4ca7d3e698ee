"""The binary interface between a generated C file and its caller.

A generated file is C11 and does not depend on Python: it uses plain arrays, a table of BLAS
pointers and callbacks. The C text here is the only definition of the interface; the C printer
writes :data:`ABI` at the top of each file, and the foreign-function declarations are extracted from
the same text (:func:`declarations`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from symtheano.formats import MOST_VALUES

if TYPE_CHECKING:
    from pathlib import Path


class ErrorCode(IntEnum):
    """Return value of a generated function: 0, or the kind of its error."""

    OK = 0
    SHAPE = 1
    INDEX = 2
    VALUE = 3
    MEMORY = 4
    PYTHON = 5
    DEVICE = 6
    """Only in programs for a device, whose text defines it."""


ON_DEVICE = -(1 << 20)
"""What an error of memory is about, for devices: their workspace, or, with smaller numbers, the
arrays of a program that are allocated there, in order."""

BLAS_FUNCTIONS = (
    "cblas_sgemm",
    "cblas_dgemm",
    "cblas_cgemm",
    "cblas_zgemm",
    "cblas_sgemv",
    "cblas_dgemv",
    "cblas_cgemv",
    "cblas_zgemv",
    "cblas_sger",
    "cblas_dger",
    "cblas_sdot",
    "cblas_ddot",
    "cblas_cdotu_sub",
    "cblas_zdotu_sub",
    "cblas_cgeru",
    "cblas_zgeru",
)
"""BLAS functions in the order of ``st_blas.fn``. New ones are appended."""

_ERROR_DEFINES = "\n".join(
    f"#define ST_{'OK' if code is ErrorCode.OK else 'ERROR_' + code.name} {code.value}"
    for code in ErrorCode
    if code is not ErrorCode.DEVICE
)

_TYPES = """\
/* A C-contiguous, aligned array in native byte order. */
typedef struct st_array { void *data; const int64_t *shape; } st_array;

/* An error: its kind, the number of the check, and the values for the message. */
typedef struct st_error { int32_t code; int32_t site; int64_t values[ST_MOST_VALUES]; } st_error;

/* BLAS routines, or NULL; ilp64: whether their integers have 64 bits. set_threads sets the number
   of the library's threads and returns the previous one, or is NULL; alone is the number of calls
   that currently need one thread, and saved the number of threads before them. */
typedef struct st_blas {
    int32_t ilp64;
    int32_t lock;
    void *fn[ST_BLAS_COUNT];
    int (*set_threads)(int);
    int32_t alone;
    int32_t saved;
} st_blas;

/* What the host provides for one call. */
typedef struct st_runtime {
    void *context;
    /* allocates one output; returns NULL if there is no memory */
    void *(*allocate)(void *context, int32_t output, const int64_t *shape);
    /* runs a Python op; the host sets the outputs, which are valid until the end of the call;
       returns nonzero for an exception */
    int32_t (*python)(void *context, int32_t node, st_array *inputs, st_array *outputs);
    /* called before long computations: the host may run other threads; may be NULL */
    void (*busy)(void *context);
    /* called at the beginning of each measured step, and with -1 at the end; may be NULL */
    void (*tick)(void *context, int32_t step);
    const st_blas *blas;
    int32_t threads;
    /* addresses of functions that the C library does not have, in the order of the file */
    void *const *functions;
    /* allocates temporary memory for the call, aligned to 64 bytes; returns NULL if there is
       none; may be NULL: the file then uses aligned_alloc and free */
    void *(*workspace)(void *context, int64_t bytes);
    /* set by the host, in a callback, if the call is to end early: it is tested between long
       computations, and in loops, before the first input is written */
    int32_t ended;
    /* called in loops, about every 50 microseconds of work: the host may run other threads, and
       set `ended`; may be NULL */
    void (*poll)(void *context);
} st_runtime;
"""

_ENTRY_TYPE = (
    "typedef int32_t (*st_entry)(const st_runtime *runtime, const st_array *inputs,\n"
    "                            st_array *outputs, st_error *error);\n"
)

ABI = f"""\
#include <stdint.h>
#include <stddef.h>

#define ST_EXPORT __attribute__((visibility("default")))
#define ST_BLAS_COUNT {len(BLAS_FUNCTIONS)}
#define ST_MOST_VALUES {MOST_VALUES}

{_ERROR_DEFINES}

{_TYPES}
"""
"""The C declarations at the top of every generated file.

Its functions are hidden unless they are marked ``ST_EXPORT``; an entry point reads
``ST_EXPORT int32_t NAME(const st_runtime *runtime, const st_array *inputs,
st_array *outputs, st_error *error)`` and returns ``ST_OK`` or ``error->code``.
"""

_GENERATED = '''\
"""Foreign-function types of the ABI. Written by ``abi.write_ffi``; do not edit."""

# mypy: ignore-errors
'''


def declarations() -> str:
    """Return the ABI's types for the foreign-function parser, without preprocessor directives.

    Examples
    --------
    >>> "#" in declarations(), "st_entry" in declarations()
    (False, True)
    """
    types = _TYPES.replace("ST_BLAS_COUNT", str(len(BLAS_FUNCTIONS)))
    return types.replace("ST_MOST_VALUES", str(MOST_VALUES)) + _ENTRY_TYPE


def write_ffi(path: Path) -> None:
    """Write the parsed form of :func:`declarations` as a Python module.

    The module is part of the package, because parsing C would cost each process about 80 ms, and
    reading the parsed form about 3 ms. A test checks that it is up to date.

    Parameters
    ----------
    path
        File to write; its module is named ``symtheano.codegen._abi_ffi``.
    """
    import cffi

    builder = cffi.FFI()
    builder.cdef(declarations())
    builder.set_source("symtheano.codegen._abi_ffi", None)
    builder.emit_python_code(str(path))
    path.write_text(_GENERATED + path.read_text())


if __name__ == "__main__":
    from pathlib import Path

    write_ffi(Path(__file__).with_name("_abi_ffi.py"))
