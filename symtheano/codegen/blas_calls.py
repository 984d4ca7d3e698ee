"""C helpers through which generated code calls BLAS.

For each of ``f32``, ``f64``, ``c64`` and ``c128`` (``SUFFIX``, with the C type ``TYPE``)::

    st_gemm_SUFFIX(runtime, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
    st_gemv_SUFFIX(runtime, trans, m, n, alpha, a, lda, x, incx, beta, y, incy)
    st_ger_SUFFIX(runtime, m, n, alpha, x, incx, y, incy, a, lda)
    st_dot_SUFFIX(runtime, n, x, incx, y, incy)         returns TYPE; conjugates nothing

Matrices are row-major, sizes are ``int64_t``, ``alpha`` and ``beta`` come by value, and ``trans``
is one of ``ST_NO_TRANS``, ``ST_TRANS``, ``ST_CONJ_TRANS``. ``x`` and ``y`` point to the first
logical element, also where the step to the next is negative (BLAS itself would have the lowest
address). ``m`` and ``n`` of gemv and ger are the rows and columns of ``a`` as it is stored.

The helpers are right where BLAS leaves off: sizes of zero, NaN in an output that is
overwritten, leading dimensions and steps that BLAS refuses, no table at all, a routine that is
absent, and sizes which do not fit the library's 32-bit integers; these go to
plain loops, which are slow but don't truncate. A product with one row or column is done as
matrix times vector, which is several times as fast.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from symtheano.codegen.abi import ROUTINES

_COMMON = """\
enum { ST_NO_TRANS = 111, ST_TRANS = 112, ST_CONJ_TRANS = 113 };

#define ST_MAX(a, b) ((a) > (b) ? (a) : (b))
#define ST_ABS(a) ((a) < 0 ? -(a) : (a))

/* A routine whose integers hold numbers up to the largest one given, or NULL. The work it will
   do, in multiplications, is announced to the host. */
static inline void *st_routine(const st_runtime *runtime, int number, int64_t largest,
                               double work) {
    const st_blas *blas = runtime->blas;
    st_announce(runtime, work);
    return blas && (blas->ilp64 || largest <= INT32_MAX) ? blas->fn[number] : NULL;
}

/* From this work on threads gain more than they cost; they cost milliseconds where another
   process keeps a core busy. Below the other bound no library starts any. */
#define ST_BLAS_PARALLEL 4000000
#define ST_BLAS_ALONE 9000

static inline void st_lock(st_blas *blas) {
    while (__atomic_exchange_n(&blas->lock, 1, __ATOMIC_ACQUIRE)) {}
}

static inline void st_unlock(st_blas *blas) {
    __atomic_store_n(&blas->lock, 0, __ATOMIC_RELEASE);
}

/* Hold the library to one thread where more are not wanted; returns whether it is held. */
static inline int st_hold_threads(const st_runtime *runtime, double work) {
    st_blas *blas = (st_blas *)runtime->blas;
    if (work < ST_BLAS_ALONE || (work >= ST_BLAS_PARALLEL && runtime->threads > 1)
        || !blas->set_threads) return 0;
    st_lock(blas);
    if (blas->alone++ == 0) blas->saved = blas->set_threads(1);
    st_unlock(blas);
    return 1;
}

static inline void st_free_threads(const st_runtime *runtime) {
    st_blas *blas = (st_blas *)runtime->blas;
    st_lock(blas);
    if (--blas->alone == 0) blas->set_threads(blas->saved);
    st_unlock(blas);
}
"""

_GEMM = """\
static inline void st_plain_gemm_SUFFIX(int transa, int transb, int64_t m, int64_t n, int64_t k,
                          TYPE alpha, const TYPE *a, int64_t lda, const TYPE *b, int64_t ldb,
                          TYPE beta, TYPE *c, int64_t ldc) {
    const int64_t ai = transa == ST_NO_TRANS ? lda : 1, ap = transa == ST_NO_TRANS ? 1 : lda;
    const int64_t bp = transb == ST_NO_TRANS ? ldb : 1, bj = transb == ST_NO_TRANS ? 1 : ldb;
    for (int64_t i = 0; i < m; i++) {
        TYPE *row = c + i * ldc;
        for (int64_t j = 0; j < n; j++) row[j] = beta == 0 ? 0 : beta * row[j];
        for (int64_t p = 0; p < k; p++) {
            const TYPE x = a[i * ai + p * ap];
            const TYPE factor = alpha * (transa == ST_CONJ_TRANS ? CONJ(x) : x);
            for (int64_t j = 0; j < n; j++) {
                const TYPE y = b[p * bp + j * bj];
                row[j] += factor * (transb == ST_CONJ_TRANS ? CONJ(y) : y);
            }
        }
    }
}

/* c = alpha op(a) op(b) + beta c */
static inline void st_gemm_SUFFIX(const st_runtime *runtime, int transa, int transb, int64_t m,
                    int64_t n, int64_t k, TYPE alpha, const TYPE *a, int64_t lda, const TYPE *b,
                    int64_t ldb, TYPE beta, TYPE *c, int64_t ldc) {
    const int a_straight = transa == ST_NO_TRANS, b_straight = transb == ST_NO_TRANS;
    if (m <= 0 || n <= 0) return;
    /* BLAS has no matrix-vector product that conjugates without transposing. */
    if (m == 1 && A_IS_PLAIN && B_IS_PLAIN) {
        st_gemv_SUFFIX(runtime, b_straight ? ST_TRANS : ST_NO_TRANS, b_straight ? k : n,
                b_straight ? n : k, alpha, b, ldb, a, a_straight ? 1 : lda, beta, c, 1);
        return;
    }
    if (n == 1 && B_IS_PLAIN) {
        st_gemv_SUFFIX(runtime, transa, a_straight ? m : k, a_straight ? k : m, alpha, a, lda,
                b, b_straight ? ldb : 1, beta, c, ldc);
        return;
    }
    const int64_t a_width = a_straight ? k : m, b_width = b_straight ? n : k;
    /* What leads from the only row to the next one says nothing; BLAS checks it all the same. */
    if ((a_straight ? m : k) == 1) lda = a_width;
    if ((b_straight ? k : n) == 1) ldb = b_width;
    if (m == 1) ldc = n;
    const int64_t sizes = ST_MAX(ST_MAX(m, n), k), leads = ST_MAX(ST_MAX(lda, ldb), ldc);
    void *fn = st_routine(runtime, NUMBER /* ROUTINE */, ST_MAX(sizes, leads),
                          (double)m * n * k);
    if (!fn || k <= 0 || lda < a_width || ldb < b_width || ldc < n) {
        st_plain_gemm_SUFFIX(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
        return;
    }
    CALL
}
"""

_GEMV = """\
static inline void st_plain_gemv_SUFFIX(int trans, int64_t m, int64_t n, TYPE alpha, const TYPE *a,
                          int64_t lda, const TYPE *x, int64_t incx, TYPE beta, TYPE *y,
                          int64_t incy) {
    const int64_t outputs = trans == ST_NO_TRANS ? m : n, terms = trans == ST_NO_TRANS ? n : m;
    const int64_t ai = trans == ST_NO_TRANS ? lda : 1, ap = trans == ST_NO_TRANS ? 1 : lda;
    for (int64_t i = 0; i < outputs; i++) {
        TYPE sum = 0;
        for (int64_t p = 0; p < terms; p++) {
            const TYPE value = a[i * ai + p * ap];
            sum += (trans == ST_CONJ_TRANS ? CONJ(value) : value) * x[p * incx];
        }
        y[i * incy] = (beta == 0 ? 0 : beta * y[i * incy]) + alpha * sum;
    }
}

/* y = alpha op(a) x + beta y */
static inline void st_gemv_SUFFIX(const st_runtime *runtime, int trans, int64_t m, int64_t n,
                    TYPE alpha, const TYPE *a, int64_t lda, const TYPE *x, int64_t incx,
                    TYPE beta, TYPE *y, int64_t incy) {
    const int64_t outputs = trans == ST_NO_TRANS ? m : n, terms = trans == ST_NO_TRANS ? n : m;
    if (m <= 1) lda = ST_MAX(n, 1);
    if (terms == 1) incx = 1;
    if (outputs == 1) incy = 1;
    const int64_t sizes = ST_MAX(ST_MAX(m, n), lda), steps = ST_MAX(ST_ABS(incx), ST_ABS(incy));
    void *fn = st_routine(runtime, NUMBER /* ROUTINE */, ST_MAX(sizes, steps),
                          (double)m * n);
    if (!fn || outputs <= 0 || terms <= 0 || lda < n || incx == 0 || incy == 0) {
        st_plain_gemv_SUFFIX(trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
        return;
    }
    /* Some libraries multiply a NaN that lies in y by a beta of 0. */
    if (beta == 0)
        for (int64_t i = 0; i < outputs; i++) y[i * incy] = 0;
    if (incx < 0) x += (terms - 1) * incx;
    if (incy < 0) y += (outputs - 1) * incy;
    CALL
}
"""

_GER = """\
/* a += alpha x y' */
static inline void st_ger_SUFFIX(const st_runtime *runtime, int64_t m, int64_t n, TYPE alpha,
                   const TYPE *x, int64_t incx, const TYPE *y, int64_t incy, TYPE *a, int64_t lda) {
    if (m <= 1) lda = ST_MAX(n, 1);
    if (m == 1) incx = 1;
    if (n == 1) incy = 1;
    const int64_t sizes = ST_MAX(ST_MAX(m, n), lda), steps = ST_MAX(ST_ABS(incx), ST_ABS(incy));
    void *fn = st_routine(runtime, NUMBER /* ROUTINE */, ST_MAX(sizes, steps),
                          (double)m * n);
    if (!fn || m <= 0 || n <= 0 || lda < n || incx == 0 || incy == 0) {
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++)
                a[i * lda + j] += alpha * x[i * incx] * y[j * incy];
        return;
    }
    if (incx < 0) x += (m - 1) * incx;
    if (incy < 0) y += (n - 1) * incy;
    CALL
}
"""

_DOT = """\
/* sum of x[i] y[i] */
static inline TYPE st_dot_SUFFIX(const st_runtime *runtime, int64_t n, const TYPE *x, int64_t incx,
                   const TYPE *y, int64_t incy) {
    TYPE sum = 0;
    void *fn = st_routine(runtime, NUMBER /* ROUTINE */,
                          ST_MAX(n, ST_MAX(ST_ABS(incx), ST_ABS(incy))), (double)n);
    if (!fn || n <= 0 || incx == 0 || incy == 0) {
        for (int64_t i = 0; i < n; i++) sum += x[i * incx] * y[i * incy];
        return sum;
    }
    if (incx < 0) x += (n - 1) * incx;
    if (incy < 0) y += (n - 1) * incy;
    CALL
    return sum;
}
"""


@dataclass(frozen=True)
class _Kind:
    """One element type: its suffix, C type, letter in BLAS, and whether it is complex."""

    suffix: str
    type: str
    letter: str
    is_complex: bool


_KINDS = (
    _Kind("f32", "float", "s", False),
    _Kind("f64", "double", "d", False),
    _Kind("c64", "float _Complex", "c", True),
    _Kind("c128", "double _Complex", "z", True),
)

# Template, parameter types and arguments of the routine; INT is as wide as the library's.
_FAMILIES = {
    "gemv": (
        _GEMV,
        "int, int, INT, INT, SCALAR, ARRAY, INT, ARRAY, INT, SCALAR, TYPE *, INT",
        "101, trans, m, n, ALPHA, a, lda, x, incx, BETA, y, incy",
    ),
    "gemm": (
        _GEMM,
        "int, int, int, INT, INT, INT, SCALAR, ARRAY, INT, ARRAY, INT, SCALAR, TYPE *, INT",
        "101, transa, transb, m, n, k, ALPHA, a, lda, b, ldb, BETA, c, ldc",
    ),
    "ger": (
        _GER,
        "int, INT, INT, SCALAR, ARRAY, INT, ARRAY, INT, TYPE *, INT",
        "101, m, n, ALPHA, x, incx, y, incy, a, lda",
    ),
    "dot": (_DOT, "INT, ARRAY, INT, ARRAY, INT", "n, x, incx, y, incy"),
}


_WORK = {
    "gemm": "(double)m * n * k",
    "gemv": "(double)m * n",
    "ger": "(double)m * n",
    "dot": "(double)n",
}


def _routine(family: str, kind: _Kind) -> str:
    if kind.is_complex:
        family = {"ger": "geru", "dot": "dotu_sub"}.get(family, family)
    return f"cblas_{kind.letter}{family}"


def _call(family: str, kind: _Kind, types: str, arguments: str) -> str:
    """Write the call for both widths of integers."""
    result, prefix = "void", ""
    if family == "dot":
        # Complex numbers are not returned by value: compilers disagree on how.
        if kind.is_complex:
            types, arguments = f"{types}, TYPE *", f"{arguments}, &sum"
        else:
            result, prefix = "TYPE", "sum = "
    lines = (
        f"typedef {result} (*wide)({types.replace('INT', 'int64_t')});",
        f"typedef {result} (*narrow)({types.replace('INT', 'int32_t')});",
        f"const int held = st_hold_threads(runtime, {_WORK[family]});",
        f"if (runtime->blas->ilp64) {prefix}((wide)fn)({arguments});",
        f"else {prefix}((narrow)fn)({arguments});",
        "if (held) st_free_threads(runtime);",
    )
    return "\n    ".join(lines)


def _helper(family: str, kind: _Kind) -> str:
    """Fill in the words of a template."""
    template, types, arguments = _FAMILIES[family]
    routine = _routine(family, kind)
    conjugate = "__builtin_conjf" if kind.suffix == "c64" else "__builtin_conj"
    words = {
        "CALL": _call(family, kind, types, arguments),
        "NUMBER": str(ROUTINES.index(routine)),
        "ROUTINE": routine,
        "A_IS_PLAIN": "transa != ST_CONJ_TRANS" if kind.is_complex else "1",
        "B_IS_PLAIN": "transb != ST_CONJ_TRANS" if kind.is_complex else "1",
        "ARRAY": "const TYPE *",
        "SCALAR": "const void *" if kind.is_complex else "TYPE",
        "ALPHA": "&alpha" if kind.is_complex else "alpha",
        "BETA": "&beta" if kind.is_complex else "beta",
        "CONJ(": f"{conjugate}(" if kind.is_complex else "(",
        "SUFFIX": kind.suffix,
        "TYPE": kind.type,
    }
    for word, meaning in words.items():
        template = template.replace(word, meaning)
    return template


BLAS_HELPERS: dict[str, str] = {
    f"st_{family}_{kind.suffix}": _helper(family, kind) for kind in _KINDS for family in _FAMILIES
}
"""C text of each helper by its name. What they call stands before them."""


def blas_helpers(names: Iterable[str]) -> str:
    """Return the C text of the named helpers and of all that they need.

    Raises
    ------
    KeyError
        When there is no helper of a name.

    Examples
    --------
    >>> text = blas_helpers(["st_gemm_f64"])
    >>> "st_gemv_f64(" in text, "st_dot_f64(" in text
    (True, False)
    """
    wanted = set(names)
    unknown = wanted - BLAS_HELPERS.keys()
    if unknown:
        raise KeyError(f"no BLAS helper is called {', '.join(sorted(unknown))}")
    wanted |= {name.replace("gemm", "gemv") for name in wanted}
    texts = [text for name, text in BLAS_HELPERS.items() if name in wanted]
    return "\n".join([_COMMON, *texts]) if texts else ""
