"""C helpers through which generated code calls BLAS.

For each of ``f32``, ``f64``, ``c64`` and ``c128`` (``SUFFIX``, with the C type ``TYPE``)::

    st_gemm_SUFFIX(runtime, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
    st_batched_gemm_SUFFIX(runtime, transa, transb, count, m, n, k, alpha, a, a_step, lda, b,
                           b_step, ldb, beta, c, c_step, ldc)
    st_gemv_SUFFIX(runtime, trans, m, n, alpha, a, lda, x, incx, beta, y, incy)
    st_ger_SUFFIX(runtime, m, n, alpha, x, incx, y, incy, a, lda)
    st_dot_SUFFIX(runtime, n, x, incx, y, incy)         returns TYPE; conjugates nothing

Matrices are row-major, sizes are ``int64_t``, ``alpha`` and ``beta`` are passed by value, and
``trans`` is one of ``ST_NO_TRANS``, ``ST_TRANS``, ``ST_CONJ_TRANS``. ``x`` and ``y`` point to the
first logical element, even if the stride is negative (BLAS uses the lowest address). A batch is
``count`` products whose matrices have strides of ``a_step``, ``b_step`` and ``c_step`` elements.
``m`` and ``n`` of gemv and ger are the rows and columns of ``a`` as it is stored.

The helpers also handle cases that BLAS does not support: sizes of zero, NaN in an output that is
overwritten, invalid leading dimensions and strides, a missing table or routine, and sizes that
exceed the library's 32-bit integers; these use plain loops, which are slow but correct. Small and
narrow products use our own kernels (``gemm_kernels.py``); others with one row or column are
computed as matrix-vector products, which is several times as fast.
"""

from __future__ import annotations

from functools import partial

from symtheano.codegen.abi import BLAS_FUNCTIONS
from symtheano.codegen.record import BLAS
from symtheano.codegen.routines.gemm_kernels import OWN_TYPES
from symtheano.dataclass import dataclass
from symtheano.loopir.routine import Routine, signature
from symtheano.scalar.render import short_name

_COMMON = """\
enum { ST_NO_TRANS = 111, ST_TRANS = 112, ST_CONJ_TRANS = 113 };

/* One copy of each function; rarely called ones are optimized for size. */
#define ST_ONCE static __attribute__((noinline, unused))
#define ST_SELDOM static __attribute__((noinline, unused, cold))

#define ST_MAX(a, b) ((a) > (b) ? (a) : (b))
#define ST_MIN(a, b) ((a) < (b) ? (a) : (b))
#define ST_ABS(a) ((a) < 0 ? -(a) : (a))

/* The host's table. It is followed by our own kernels, and by a function that runs the parts of a
   job in threads; NULL if there are none. */
typedef void st_part(const void *job, int64_t number);
typedef struct st_products {
    st_blas library;
    void *own[ST_OWN_COUNT];
    void (*share)(int64_t parts, st_part *part, const void *job);
} st_products;

/* A routine whose integers can represent the given largest number, or NULL. Its work, in
   multiplications, is announced to the host. */
static inline void *st_routine(const st_runtime *runtime, int number, int64_t largest,
                               double work) {
    const st_blas *blas = runtime->blas;
    st_announce(runtime, work);
    return blas && (blas->ilp64 || largest <= INT32_MAX) ? blas->fn[number] : NULL;
}

/* Minimum multiplications per thread; below the other bound, no library starts threads. */
#define ST_BLAS_PARALLEL 2000000
#define ST_BLAS_ALONE 9000
/* A matrix-vector product is limited by memory: the relative cost of one multiplication. */
#define ST_GEMV_TERM 5.

static inline void st_lock(st_blas *blas) {
    while (__atomic_exchange_n(&blas->lock, 1, __ATOMIC_ACQUIRE)) {}
}

static inline void st_unlock(st_blas *blas) {
    __atomic_store_n(&blas->lock, 0, __ATOMIC_RELEASE);
}

/* Limit the library to one thread, if possible; returns whether it is limited. */
static inline int st_hold_threads(const st_runtime *runtime) {
    st_blas *blas = (st_blas *)runtime->blas;
    if (!blas->set_threads) return 0;
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

/* Number of parts of a product, each computed by one of our threads: the library's threads would
   compete with them for the processors. */
static inline int64_t st_parts(const st_runtime *runtime, double work) {
    const double parts = work / ST_BLAS_PARALLEL;
    if (parts < 2 || runtime->threads < 2 || !((const st_products *)runtime->blas)->share
        || !runtime->blas->set_threads) return 1;
    return parts < runtime->threads ? (int64_t)parts : runtime->threads;
}

/* The length of each part. */
static inline int64_t st_step(int64_t length, int64_t parts) {
    return parts == 1 ? length : (length / parts + 15) / 16 * 16;
}

/* Run the parts of a product. With a single part, the library's threads may be used. */
ST_ONCE void st_run(const st_runtime *runtime, double work, int64_t parts, st_part *part,
                    const void *job) {
    const int wide = parts == 1 && work >= 2 * ST_BLAS_PARALLEL && runtime->threads > 1;
    const int held = work >= ST_BLAS_ALONE && !wide && st_hold_threads(runtime);
    if (parts == 1) part(job, 0);
    else ((const st_products *)runtime->blas)->share(parts, part, job);
    if (held) st_free_threads(runtime);
}
"""

_GEMM = """\
ST_SELDOM void st_plain_gemm_SUFFIX(int transa, int transb, int64_t m, int64_t n, int64_t k,
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

typedef struct st_gemm_job_SUFFIX {
    const st_blas *blas;
    void *fn;
    int transa, transb, by_rows;
    int64_t m, n, k, lda, ldb, ldc, step;
    TYPE alpha, beta;
    const TYPE *a, *b;
    TYPE *c;
} st_gemm_job_SUFFIX;

/* Some rows or columns of c. */
static void st_gemm_part_SUFFIX(const void *job, int64_t number) {
    const st_gemm_job_SUFFIX *const j = job;
    const int64_t first = number * j->step, length = j->by_rows ? j->m : j->n;
    const int64_t count = ST_MIN(j->step, length - first);
    if (count <= 0) return;
    const int64_t m = j->by_rows ? count : j->m, n = j->by_rows ? j->n : count;
    const int64_t row = j->by_rows ? first : 0, column = first - row;
    const TYPE *a = j->a + (j->transa == ST_NO_TRANS ? row * j->lda : row);
    const TYPE *b = j->b + (j->transb == ST_NO_TRANS ? column : column * j->ldb);
    TYPE *c = j->c + row * j->ldc + column;
    const TYPE alpha = j->alpha, beta = j->beta;
    CALL
}

/* c = alpha op(a) op(b) + beta c */
ST_ONCE void st_gemm_SUFFIX(const st_runtime *runtime, int transa, int transb, int64_t m,
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
    /* The stride of a single row has no meaning, but BLAS checks it. */
    if ((a_straight ? m : k) == 1) lda = a_width;
    if ((b_straight ? k : n) == 1) ldb = b_width;
    if (m == 1) ldc = n;
OWN    const int64_t sizes = ST_MAX(ST_MAX(m, n), k), leads = ST_MAX(ST_MAX(lda, ldb), ldc);
    void *fn = st_routine(runtime, NUMBER /* ROUTINE */, ST_MAX(sizes, leads),
                          (double)m * n * k);
    if (!fn || k <= 0 || lda < a_width || ldb < b_width || ldc < n) {
        st_plain_gemm_SUFFIX(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
        return;
    }
    const double work = (double)m * n * k;
    const int64_t parts = st_parts(runtime, work);
    const st_gemm_job_SUFFIX job = {
        runtime->blas, fn, transa, transb, m >= n, m, n, k, lda, ldb, ldc,
        st_step(ST_MAX(m, n), parts), alpha, beta, a, b, c};
    st_run(runtime, work, parts, st_gemm_part_SUFFIX, &job);
}
"""

# Our own kernel, if it supports the product.
_OWN = """\
    const st_products *products = (const st_products *)runtime->blas;
    if (products && products->own[KERNEL_SLOT] && k > 0 && lda >= a_width && ldb >= b_width
        && ldc >= n) {
        typedef int32_t (*function)(int, int, int, int, int64_t, int64_t, int64_t, TYPE,
                                    const TYPE *, int64_t, const TYPE *, int64_t, TYPE, TYPE *,
                                    int64_t);
        st_announce(runtime, (double)m * n * k);
        if (((function)products->own[KERNEL_SLOT])(0, runtime->threads, transa, transb, m, n, k,
                                                   alpha, a, lda, b, ldb, beta, c, ldc)) return;
    }
"""

_BATCHED_GEMM = """\
typedef struct st_batch_SUFFIX {
    const st_runtime *runtime;
    int transa, transb;
    int64_t count, parts, m, n, k, a_step, lda, b_step, ldb, c_step, ldc;
    TYPE alpha, beta;
    const TYPE *a, *b;
    TYPE *c;
} st_batch_SUFFIX;

/* Some products of a batch. */
static void st_batch_part_SUFFIX(const void *job, int64_t number) {
    const st_batch_SUFFIX *const j = job;
    const int64_t end = (number + 1) * j->count / j->parts;
    for (int64_t i = number * j->count / j->parts; i < end; i++)
        st_gemm_SUFFIX(j->runtime, j->transa, j->transb, j->m, j->n, j->k, j->alpha,
                       j->a + i * j->a_step, j->lda, j->b + i * j->b_step, j->ldb, j->beta,
                       j->c + i * j->c_step, j->ldc);
}

/* c[i] = alpha op(a[i]) op(b[i]) + beta c[i] */
ST_ONCE void st_batched_gemm_SUFFIX(const st_runtime *runtime, int transa, int transb,
                    int64_t count, int64_t m, int64_t n, int64_t k, TYPE alpha, const TYPE *a,
                    int64_t a_step, int64_t lda, const TYPE *b, int64_t b_step, int64_t ldb,
                    TYPE beta, TYPE *c, int64_t c_step, int64_t ldc) {
    /* One b for rows of a that follow each other: the batch is one product. */
    if (b_step == 0 && transa == ST_NO_TRANS && a_step == m * lda && c_step == m * ldc) {
        st_gemm_SUFFIX(runtime, transa, transb, count * m, n, k, alpha, a, lda, b, ldb, beta, c,
                       ldc);
        return;
    }
    if (count <= 0) return;
    const double each = (double)m * n * k;
    const int64_t parts = st_batch_parts(runtime, count, each);
    const st_runtime alone = st_alone(runtime);
    const st_batch_SUFFIX job = {
        parts > 1 ? &alone : runtime, transa, transb, count, parts, m, n, k, a_step, lda, b_step,
        ldb, c_step, ldc, alpha, beta, a, b, c};
    st_announce(runtime, count * each);
    if (parts == 1) {
        st_batch_part_SUFFIX(&job, 0);
        return;
    }
    const int held = each >= ST_BLAS_ALONE && st_hold_threads(runtime);
    ((const st_products *)runtime->blas)->share(parts, st_batch_part_SUFFIX, &job);
    if (held) st_free_threads(runtime);
}
"""

# Only for batches: the number of threads among which the products are divided.
_BATCHES = """\
/* Minimum multiplications of a batch per thread, and those that take as long as one call. */
#define ST_BATCH_PARALLEL 500000
#define ST_BATCH_CALL 2000

/* Return the number of threads among which the products of a batch are divided: 1 if it is better
   to divide each product, or if the library would start threads in each. */
static inline int64_t st_batch_parts(const st_runtime *runtime, int64_t count, double each) {
    const double parts = count * (each + ST_BATCH_CALL) / ST_BATCH_PARALLEL;
    const st_products *products = (const st_products *)runtime->blas;
    const int64_t threads = runtime->threads;
    if (threads < 2 || count < 2 || parts < 2 || !products || !products->share) return 1;
    if (each >= ST_BLAS_ALONE && !products->library.set_threads) return 1;
    if (each >= 2 * ST_BLAS_PARALLEL && count % threads && count < 4 * threads) return 1;
    return ST_MIN(ST_MIN((int64_t)parts, count), threads);
}

/* The runtime for one of our threads: a single thread, which does not call the host. */
static inline st_runtime st_alone(const st_runtime *runtime) {
    st_runtime alone = *runtime;
    alone.busy = NULL;
    alone.threads = 1;
    return alone;
}
"""

_GEMV = """\
ST_SELDOM void st_plain_gemv_SUFFIX(int trans, int64_t m, int64_t n, TYPE alpha, const TYPE *a,
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

typedef struct st_gemv_job_SUFFIX {
    const st_blas *blas;
    void *fn;
    int trans;
    int64_t m, n, lda, incx, incy, step;
    TYPE alpha, beta;
    const TYPE *a, *x;
    TYPE *y;
} st_gemv_job_SUFFIX;

/* Some elements of y. */
static void st_gemv_part_SUFFIX(const void *job, int64_t number) {
    const st_gemv_job_SUFFIX *const j = job;
    const int straight = j->trans == ST_NO_TRANS;
    const int64_t first = number * j->step, length = straight ? j->m : j->n;
    const int64_t count = ST_MIN(j->step, length - first);
    if (count <= 0) return;
    const int64_t m = straight ? count : j->m, n = straight ? j->n : count;
    const TYPE *a = j->a + (straight ? first * j->lda : first);
    TYPE *y = j->y + (j->incy < 0 ? first + count - 1 : first) * j->incy;
    const TYPE alpha = j->alpha, beta = j->beta;
    CALL
}

/* y = alpha op(a) x + beta y */
ST_ONCE void st_gemv_SUFFIX(const st_runtime *runtime, int trans, int64_t m, int64_t n,
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
    /* Some libraries multiply y by beta even if beta is 0, which would keep a NaN in y. */
    if (beta == 0)
        for (int64_t i = 0; i < outputs; i++) y[i * incy] = 0;
    if (incx < 0) x += (terms - 1) * incx;
    const int64_t parts = st_parts(runtime, ST_GEMV_TERM * m * n);
    const st_gemv_job_SUFFIX job = {runtime->blas, fn, trans, m, n, lda, incx, incy,
                                    st_step(outputs, parts), alpha, beta, a, x, y};
    st_run(runtime, (double)m * n, parts, st_gemv_part_SUFFIX, &job);
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
    const st_blas *blas = runtime->blas;
    const int held = (double)m * n >= ST_BLAS_ALONE && st_hold_threads(runtime);
    CALL
    if (held) st_free_threads(runtime);
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
    const st_blas *blas = runtime->blas;
    const int held = (double)n >= ST_BLAS_ALONE && st_hold_threads(runtime);
    CALL
    if (held) st_free_threads(runtime);
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

# Template, parameter types and arguments of the routine; INT has the library's width.
_FAMILIES = {
    "gemv": (
        _GEMV,
        "int, int, INT, INT, SCALAR, ARRAY, INT, ARRAY, INT, SCALAR, TYPE *, INT",
        "101, j->trans, m, n, ALPHA, a, j->lda, j->x, j->incx, BETA, y, j->incy",
    ),
    "gemm": (
        _GEMM,
        "int, int, int, INT, INT, INT, SCALAR, ARRAY, INT, ARRAY, INT, SCALAR, TYPE *, INT",
        "101, j->transa, j->transb, m, n, j->k, ALPHA, a, j->lda, b, j->ldb, BETA, c, j->ldc",
    ),
    "batched_gemm": (_BATCHED_GEMM, "", ""),
    "ger": (
        _GER,
        "int, INT, INT, SCALAR, ARRAY, INT, ARRAY, INT, TYPE *, INT",
        "101, m, n, ALPHA, x, incx, y, incy, a, lda",
    ),
    "dot": (_DOT, "INT, ARRAY, INT, ARRAY, INT", "n, x, incx, y, incy"),
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
    blas = "j->blas" if family in ("gemm", "gemv") else "blas"
    fn = "j->fn" if family in ("gemm", "gemv") else "fn"
    lines = (
        f"typedef {result} (*wide)({types.replace('INT', 'int64_t')});",
        f"typedef {result} (*narrow)({types.replace('INT', 'int32_t')});",
        f"if ({blas}->ilp64) {prefix}((wide){fn})({arguments});",
        f"else {prefix}((narrow){fn})({arguments});",
    )
    return "\n    ".join(lines)


def _helper(family: str, kind: _Kind) -> str:
    """Substitute the names of a template."""
    template, types, arguments = _FAMILIES[family]
    routine = _routine(family.removeprefix("batched_"), kind)
    conjugate = "__builtin_conjf" if kind.suffix == "c64" else "__builtin_conj"
    words = {
        "OWN    ": (_OWN if kind.suffix in OWN_TYPES else "") + "    ",
        "CALL": _call(family, kind, types, arguments),
        "NUMBER": str(BLAS_FUNCTIONS.index(routine)),
        "ROUTINE": routine,
        "A_IS_PLAIN": "transa != ST_CONJ_TRANS" if kind.is_complex else "1",
        "B_IS_PLAIN": "transb != ST_CONJ_TRANS" if kind.is_complex else "1",
        "ARRAY": "const TYPE *",
        "KERNEL_SLOT": str(list(OWN_TYPES).index(kind.suffix)) if kind.suffix in OWN_TYPES else "",
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


def _sections(family: str, dtype: str) -> tuple[str, ...]:
    """Return the text of a helper, after those that it calls."""
    common = _COMMON.replace("ST_OWN_COUNT", str(len(OWN_TYPES)))
    called = {"gemm": ("gemv",), "batched_gemm": ("gemv", "gemm")}.get(family, ())
    batches = (_BATCHES,) if family == "batched_gemm" else ()
    kind = next(kind for kind in _KINDS if kind.suffix == short_name(dtype))
    return (common, *batches, *(_helper(name, kind) for name in (*called, family)))


def _product(family: str, parameters: str) -> Routine:
    return Routine(
        family,
        signature(parameters),
        partial(_sections, family),
        ("float32", "float64", "complex64", "complex128"),
        links=(BLAS,),
    )


PRODUCTS = (
    _product(
        "gemm",
        "transa: transposed, transb: transposed, m, n, k, alpha: T, a: in T, lda, b: in T, ldb, "
        "beta: T, c: inout T, ldc",
    ),
    _product(
        "batched_gemm",
        "transa: transposed, transb: transposed, count, m, n, k, alpha: T, a: in T, a_step, lda, "
        "b: in T, b_step, ldb, beta: T, c: inout T, c_step, ldc",
    ),
    _product(
        "gemv",
        "trans: transposed, m, n, alpha: T, a: in T, lda, x: in T, incx, beta: T, y: inout T, incy",
    ),
    _product("ger", "m, n, alpha: T, x: in T, incx, y: in T, incy, a: inout T, lda"),
    _product("dot", "n, x: in T, incx, y: in T, incy, sum: result T"),
)
"""The products, each with its signature after ``runtime``."""
