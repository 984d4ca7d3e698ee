"""Our own matrix products for small and narrow matrices: a library compiled once per element type.

BLAS libraries are optimized for large matrices: they first copy the factors to another layout,
which takes as long as a small or narrow product. The kernels in ``gemm_kernels.c`` read the factors
directly.

- *outer*: a tile of C is held in registers while rows of op(b) are multiplied by elements of
  op(a). A panel of op(b) is copied only if its columns are not contiguous, or if it is read often.
- *across*: the same for the transposed product, if op(a) is read by rows.
- *inner*: a tile of C is held as vectors of partial sums along the inner axis, which are added at
  the end. Both factors are contiguous along this axis; a narrow op(b) is transposed for it.
- *vector*: op(b) is a vector and n is 1. Rows of ``a`` are multiplied by it, eight at a time, or,
  if ``a`` is transposed, added up in up to eight vectors (``gemv_kernels.c``).
- *pack* copies op(b) to ``c``, panel by panel, for several products with it (*packed*), to which
  ``c`` is then given as ``b``. It has ``(n + 15) * k + 16`` elements, of which the first one says
  whether it was copied: it is not if products of m rows gain nothing (``packed_kernels.c``).
  *panels* copies it in any case, for products of any number of rows.

The library exports, for row-major matrices with m, n and k of at least 1::

    int32_t st_own_gemm(form, threads, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c,
                        ldc)

The result is bitwise the same with any number of threads. ``form`` is the number of one of
:data:`FORMS`. With "choose", the form is selected by shape. If a BLAS library is the better choice,
as for large products with more than four threads, or a large matrix and a vector, the function
returns 0 without computing anything. ``docs/blas.md`` has the measurements behind the bounds.

With threads, it also exports ``st_share(parts, part, job)``, which calls ``part(job, number)`` for
each number below ``parts``, each in its own thread. Generated code uses it to divide large products
of a BLAS library.
"""

from __future__ import annotations

from symtheano.codegen.template import file_text
from symtheano.tensor.linalg.packed import LEAST_ELEMENTS, MOST_BYTES, MOST_ROWS

FORMS = ("choose", "outer", "across", "inner", "vector", "pack", "packed", "panels")
"""The forms of a product, in the order of their numbers."""

OWN_TYPES = {"f32": ("float", "int32_t", 4), "f64": ("double", "int64_t", 8)}
"""For each library: its C type, an integer type of the same size, and its size in bytes."""

OWN_FLAGS = (
    *("-O2", "-ffp-contract=fast"),
    *("-fno-gcse", "-fno-ivopts", "-fno-schedule-insns2", "-fno-tree-vectorize", "-fno-tree-vrp"),
)
"""Flags in addition to those of generated code. Products need not be bitwise equal to NumPy's, so
multiplication and addition may be fused, as in BLAS libraries. The passes that are disabled take a
quarter of the compile time and do not make these kernels faster."""

_BOUNDS = f"""\
enum {{ NO_TRANS = 111 }};
enum {{ CHOOSE, OUTER, ACROSS, INNER, VECTOR, PACK, PACKED, PANELS }};
enum {{ MOST_ROWS = 8 }};
/* Bytes of the copy of a panel, of an op(b) that fits in the L1 and in the L2 cache, and of a C
   that does not. */
enum {{ PANEL = 32768, CLOSE = 24576, NEAR = 524288, FAR = 1048576 }};
#define HUGE_C(m, n) ((double)(m) * (n) * sizeof(TYPE) > FAR)
/* Maximum multiplications of a small product, and rows or columns of a narrow one. */
enum {{ SMALL = 128 * 128 * 128, NARROW = 32 }};
/* Packed matrices: elements before the first panel, and rows of a panel in the L1 cache. */
enum {{ PACKED_HEAD = 16, PACKED_DEPTH = 256 }};
/* Maximum number of parts of a product, which can run in threads, and minimum multiplications of a
   part. A LARGE product is faster in the library with more threads than there are parts. */
enum {{ PARTS = 4, PART = 400000, LARGE = 4000000 }};
#ifdef _OPENMP
enum {{ THREADED = 1 }};
#else
enum {{ THREADED = 0 }};
#endif

/* Packed matrices: maximum rows of their products, minimum elements, maximum bytes. */
enum {{ PACKED_ROWS = {MOST_ROWS}, PACKED_LEAST = {LEAST_ELEMENTS}, PACKED_BYTES = {MOST_BYTES} }};
"""

_HEADER = """\
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 64")
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Bytes of a vector register. */
#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif

#ifdef __has_builtin
#define SHUFFLES __has_builtin(__builtin_shufflevector)
#else
#define SHUFFLES 0
#endif

/* Keep a value in a register, so that it is not loaded again by each instruction that uses it. */
#if defined(__x86_64__) && defined(__AVX__)
#define KEEP(value) __asm__("" : "+x"(value))
#else
#define KEEP(value)
#endif

"""


def own_kernels_source(suffix: str) -> str:
    """Return the C text of the library for one of :data:`OWN_TYPES`.

    Examples
    --------
    >>> "#define TYPE double" in own_kernels_source("f64")
    True
    """
    names = ("gemv_kernels", "gemm_kernels", "packed_kernels", "kernel_exports")
    return "\n".join((vectors_source(suffix), _BOUNDS, *map(_file, names)))


def vectors_source(suffix: str) -> str:
    """Return the beginning of the C text of a library: vectors of one of :data:`OWN_TYPES`."""
    c_type, word, width = OWN_TYPES[suffix]
    type_ = f"#define TYPE {c_type}\n#define WORD {word}\n#define WIDTH {width}\n"
    return f"{_HEADER}{type_}\n{_file('kernel_vectors')}"


def _file(name: str) -> str:
    return file_text(__file__, f"{name}.c")
