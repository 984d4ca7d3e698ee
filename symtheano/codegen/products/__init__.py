"""Our own matrix products: a library beside BLAS.

BLAS libraries are optimized for large matrices: they first copy the factors to another layout,
which takes as long as a small or narrow product. The kernels in ``gemm.c`` read the factors
directly; those in ``blocked.c`` copy them.

- *outer*: a tile of C is held in registers while rows of op(b) are multiplied by elements of
  op(a). A panel of op(b) is copied only if its columns are not contiguous, or if it is read often.
- *across*: the same for the transposed product, if op(a) is read by rows.
- *inner*: a tile of C is held as vectors of partial sums along the inner axis, which are added at
  the end. Both factors are contiguous along this axis; a narrow op(b) is transposed for it.
- *blocked*: both factors are copied, block by block, op(b) to panels of two vectors and op(a) to
  strips of as many rows as there are registers for; see Goto and van de Geijn, "Anatomy of
  high-performance matrix multiplication", ACM Transactions on Mathematical Software 34 (2008). It
  is for large products, and chosen if vectors have 64 bytes.
- *vector*: op(b) is a vector and n is 1. Rows of ``a`` are multiplied by it, eight at a time, or,
  if ``a`` is transposed, added up in up to eight vectors (``gemv.c``).
- *pack* copies op(b) to ``c``, panel by panel, for several products with it (*packed*), to which
  ``c`` is then given as ``b``. It has ``(n + 15) * k + 16`` elements, of which the first one says
  whether it was copied: it is not if products of m rows gain nothing (``packed.c``).
  *panels* copies it in any case, for products of any number of rows.

The library exports, for row-major matrices with m, n and k of at least 1::

    int32_t st_own_gemm(form, threads, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c,
                        ldc)

The result is bitwise the same with any number of threads. ``form`` is the number of one of
:data:`FORMS`. With "choose", the form is selected by shape. If a BLAS library is the better choice,
as for large products with more than four threads or with vectors that are not 64 bytes long, or a
large matrix and a vector, the function returns 0 without computing anything. ``docs/blas.md`` has
the measurements behind the bounds.

With threads, it also exports ``st_share(parts, part, job)``, which calls ``part(job, number)`` for
each number below ``parts``, each in its own thread. Generated code uses it to divide large products
of a BLAS library.
"""

from __future__ import annotations

from symtheano.codegen.library import Algorithm, Library
from symtheano.codegen.registers import REGISTERS
from symtheano.codegen.template import file_text, fill
from symtheano.tensor.linalg.packed import LEAST_ELEMENTS, MOST_BYTES, MOST_ROWS

FORMS = ("choose", "outer", "across", "inner", "blocked", "vector", "pack", "packed", "panels")
"""The forms of a product, in the order of their numbers."""

FLAGS = (
    *("-O2", "-ffp-contract=fast"),
    *("-fno-gcse", "-fno-ivopts", "-fno-schedule-insns2", "-fno-tree-vectorize", "-fno-tree-vrp"),
)
"""Flags in addition to those of generated code. Products need not be bitwise equal to NumPy's, so
multiplication and addition may be fused, as in BLAS libraries. The passes that are disabled take a
quarter of the compile time and do not make these kernels faster."""

# The C type, and an integer type of the same size, whose bytes are the last number.
_TYPES = {"float32": ("float", "int32_t", "4"), "float64": ("double", "int64_t", "8")}


def vectors_text(dtype: str) -> str:
    """Return the beginning of the C text of a library: vectors of single or double precision."""
    words = dict(zip(("TYPE", "WORD", "WIDTH"), _TYPES[dtype], strict=True))
    head = fill(file_text(__file__, "head.c"), words)
    return "\n".join((REGISTERS, head, file_text(__file__, "vectors.c")))


LIBRARY = Library(
    name="product",
    module=__file__,
    dtypes=tuple(_TYPES),
    wanted=FORMS,
    algorithms=(
        Algorithm("gemv", wanted=("vector",)),
        Algorithm("gemm", wanted=("outer", "across", "inner")),
        Algorithm("blocked", wanted=("blocked",)),
        Algorithm("packed", wanted=("pack", "packed", "panels")),
    ),
    exports={"run": "st_own_gemm", "share": "st_share"},
    head=vectors_text,
    files=("bounds",),
    table="exports",
    words={
        "MOST_ROWS": str(MOST_ROWS),
        "LEAST_ELEMENTS": str(LEAST_ELEMENTS),
        "MOST_BYTES": str(MOST_BYTES),
    },
    flags=FLAGS,
)
"""The declaration."""
