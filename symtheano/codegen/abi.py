"""The binary interface between a generated C file and its caller.

A generated file is C11 and does not depend on Python: it uses plain arrays, a table of BLAS
pointers and callbacks. The C text here is the only definition of the interface; the C printer
writes :data:`ABI` at the top of each file, and the foreign-function declarations are extracted from
the same text (:func:`declarations`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

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


ROUTINES = (
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
"""BLAS routines in the order of ``st_blas.fn``. New ones are appended."""

_ERROR_DEFINES = "\n".join(
    f"#define ST_{'OK' if code is ErrorCode.OK else 'ERROR_' + code.name} {code.value}"
    for code in ErrorCode
)

_TYPES = """\
/* A C-contiguous, aligned array in native byte order. */
typedef struct st_array { void *data; const int64_t *shape; } st_array;

/* What went wrong: its kind, the place in the graph, and the numbers the message needs. */
typedef struct st_error { int32_t code; int32_t site; int64_t values[8]; } st_error;

/* BLAS routines, NULL where absent; ilp64 says whether their integers are 64 bits wide.
   set_threads sets the number of the library's threads and returns the one before, or is NULL;
   alone counts the calls that want one thread just now, and saved is what they found. */
typedef struct st_blas {
    int32_t ilp64;
    int32_t lock;
    void *fn[ST_BLAS_COUNT];
    int (*set_threads)(int);
    int32_t alone;
    int32_t saved;
} st_blas;

/* What the host lends for one call. */
typedef struct st_runtime {
    void *context;
    /* storage for one output; NULL: out of memory */
    void *(*allocate)(void *context, int32_t output, const int64_t *shape);
    /* run a Python op; the host fills in the outputs, which live until the call ends;
       nonzero: it raised */
    int32_t (*python)(void *context, int32_t node, st_array *inputs, st_array *outputs);
    /* much work lies ahead: the host may let others run in the meantime; may be NULL */
    void (*busy)(void *context);
    /* a step begins whose time is measured; -1: the last one has ended; may be NULL */
    void (*tick)(void *context, int32_t step);
    const st_blas *blas;
    int32_t threads;
    /* addresses of functions that the C library lacks, in the order the file asks for them */
    void *const *functions;
    /* memory for temporaries that lasts as long as the call, aligned to 64 bytes; returns NULL
       when there is none; may be NULL: the file then takes and frees its own */
    void *(*workspace)(void *context, int64_t bytes);
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
#define ST_BLAS_COUNT {len(ROUTINES)}

{_ERROR_DEFINES}

{_TYPES}
/* Work of more than this many additions, some 50 microseconds, is announced to the host. */
#define ST_LONG_WORK 100000

static inline void st_announce(const st_runtime *runtime, double work) {{
    if (work > ST_LONG_WORK && runtime->busy) runtime->busy(runtime->context);
}}
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
    return _TYPES.replace("ST_BLAS_COUNT", str(len(ROUTINES))) + _ENTRY_TYPE


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
