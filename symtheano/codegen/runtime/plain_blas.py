"""A fallback BLAS: a few routines in simple C, compiled if no library is found.

They follow the CBLAS interface with 64-bit integers, for both storage orders and all
transpositions. Matrices are described by two strides each, so that order and transposition are
exchanges of strides.
"""

from __future__ import annotations

_HEADER = """\
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
enum { ROW_MAJOR = 101, NO_TRANS = 111, CONJ_TRANS = 113 };
/* Rows of a strip of A, and depth and width of a block of B, which fits in the L2 cache. */
enum { ROWS = 4, DEPTH = 128, WIDTH = 128 };

/* BLAS passes the lowest address of a vector. If inc < 0, this is its last element. */
#define FIRST(x, n, inc) ((inc) < 0 ? (x) - ((n) - 1) * (inc) : (x))
"""

_ROUTINES = """\

static void scale_NAME(int64_t m, int64_t n, TYPE beta, TYPE *c, int64_t rs, int64_t cs) {
    if (beta == 1) return;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            /* Not 0 * c, because c may contain NaN. */
            c[i * rs + j * cs] = beta == 0 ? 0 : beta * c[i * rs + j * cs];
}

TILE/* Copy rows x k elements, k outermost, padded with zeros to full strips. */
static void pack_NAME(int64_t rows, int64_t full, int64_t k, const TYPE *x, int64_t rs,
                      int64_t ks, int conjugated, TYPE *packed) {
    for (int64_t p = 0; p < k; p++)
        for (int64_t i = 0; i < full; i++) {
            TYPE value = i < rows ? x[i * rs + p * ks] : 0;
            packed[p * full + i] = conjugated ? CONJ(value) : value;
        }
}

static void multiply_NAME(int64_t m, int64_t n, int64_t k, TYPE alpha, const TYPE *a, int64_t ar,
                          int64_t ac, int conj_a, const TYPE *b, int64_t br, int64_t bc,
                          int conj_b, TYPE *c, int64_t cr, int64_t cc) {
    TYPE strip[ROWS * DEPTH], block[DEPTH * WIDTH], acc[ROWS][LANES];
    for (int64_t j0 = 0; j0 < n; j0 += WIDTH)
    for (int64_t p0 = 0; p0 < k; p0 += DEPTH) {
        const int64_t width = n - j0 < WIDTH ? n - j0 : WIDTH;
        const int64_t depth = k - p0 < DEPTH ? k - p0 : DEPTH;
        for (int64_t j = 0; j < width; j += LANES)
            pack_NAME(width - j, LANES, depth, b + p0 * br + (j0 + j) * bc, bc, br, conj_b,
                      block + j * depth);
        for (int64_t i0 = 0; i0 < m; i0 += ROWS) {
            const int64_t rows = m - i0 < ROWS ? m - i0 : ROWS;
            pack_NAME(rows, ROWS, depth, a + i0 * ar + p0 * ac, ar, ac, conj_a, strip);
            for (int64_t j = 0; j < width; j += LANES) {
                const int64_t lanes = width - j < LANES ? width - j : LANES;
                TYPE *corner = c + i0 * cr + (j0 + j) * cc;
                tile_NAME(depth, strip, block + j * depth, acc);
                for (int64_t i = 0; i < rows; i++)
                    for (int64_t l = 0; l < lanes; l++)
                        corner[i * cr + l * cc] += alpha * acc[i][l];
            }
        }
    }
}

EXPORT void cblas_LETTERgemm(int order, int transa, int transb, int64_t m, int64_t n, int64_t k,
                        SCALAR alpha_, const TYPE *a, int64_t lda, const TYPE *b, int64_t ldb,
                        SCALAR beta_, TYPE *c, int64_t ldc) {
    const TYPE alpha = VALUE(alpha_), beta = VALUE(beta_);
    const int row_a = (order == ROW_MAJOR) == (transa == NO_TRANS);
    const int row_b = (order == ROW_MAJOR) == (transb == NO_TRANS);
    const int64_t cr = order == ROW_MAJOR ? ldc : 1, cc = order == ROW_MAJOR ? 1 : ldc;
    scale_NAME(m, n, beta, c, cr, cc);
    if (alpha == 0) return;
    multiply_NAME(m, n, k, alpha, a, row_a ? lda : 1, row_a ? 1 : lda, transa == CONJ_TRANS,
                  b, row_b ? ldb : 1, row_b ? 1 : ldb, transb == CONJ_TRANS, c, cr, cc);
}

EXPORT void cblas_LETTERgemv(int order, int trans, int64_t m, int64_t n, SCALAR alpha_,
                        const TYPE *a, int64_t lda, const TYPE *x, int64_t incx, SCALAR beta_,
                        TYPE *y, int64_t incy) {
    const TYPE alpha = VALUE(alpha_), beta = VALUE(beta_);
    const int row = (order == ROW_MAJOR) == (trans == NO_TRANS);
    const int64_t outputs = trans == NO_TRANS ? m : n, terms = trans == NO_TRANS ? n : m;
    x = FIRST(x, terms, incx);
    y = FIRST(y, outputs, incy);
    scale_NAME(outputs, 1, beta, y, incy, 1);
    if (alpha == 0) return;
    if (row)
        for (int64_t i = 0; i < outputs; i++) {
            TYPE sum = 0;
            SIMD_SUM
            for (int64_t p = 0; p < terms; p++) {
                const TYPE value = a[i * lda + p];
                sum += (trans == CONJ_TRANS ? CONJ(value) : value) * x[p * incx];
            }
            y[i * incy] += alpha * sum;
        }
    else
        for (int64_t p = 0; p < terms; p++) {
            const TYPE factor = alpha * x[p * incx];
            for (int64_t i = 0; i < outputs; i++) {
                const TYPE value = a[i + p * lda];
                y[i * incy] += factor * (trans == CONJ_TRANS ? CONJ(value) : value);
            }
        }
}

EXPORT void cblas_LETTERgerSUFFIX(int order, int64_t m, int64_t n, SCALAR alpha_, const TYPE *x,
                        int64_t incx, const TYPE *y, int64_t incy, TYPE *a, int64_t lda) {
    const TYPE alpha = VALUE(alpha_);
    const int64_t rs = order == ROW_MAJOR ? lda : 1, cs = order == ROW_MAJOR ? 1 : lda;
    x = FIRST(x, m, incx);
    y = FIRST(y, n, incy);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) a[i * rs + j * cs] += alpha * x[i * incx] * y[j * incy];
}

static TYPE dot_NAME(int64_t n, const TYPE *x, int64_t incx, const TYPE *y, int64_t incy) {
    TYPE sum = 0;
    x = FIRST(x, n, incx);
    y = FIRST(y, n, incy);
    SIMD_SUM
    for (int64_t i = 0; i < n; i++) sum += x[i * incx] * y[i * incy];
    return sum;
}
"""

_REAL_TILE = """\
typedef TYPE vector_NAME __attribute__((vector_size(32), aligned(sizeof(TYPE))));

/* acc = one strip of A times one panel of B, both packed. The sums are separate variables, which
   stay in registers; this is twice as fast. */
static void tile_NAME(int64_t k, const TYPE *restrict a, const TYPE *restrict b,
                      TYPE acc[restrict ROWS][LANES]) {
    vector_NAME s00 = {0}, s01 = {0}, s10 = {0}, s11 = {0};
    vector_NAME s20 = {0}, s21 = {0}, s30 = {0}, s31 = {0};
    for (int64_t p = 0; p < k; p++, a += ROWS, b += LANES) {
        const vector_NAME b0 = *(const vector_NAME *)b;
        const vector_NAME b1 = *(const vector_NAME *)(b + LANES / 2);
        s00 += a[0] * b0, s01 += a[0] * b1, s10 += a[1] * b0, s11 += a[1] * b1;
        s20 += a[2] * b0, s21 += a[2] * b1, s30 += a[3] * b0, s31 += a[3] * b1;
    }
    vector_NAME *out = (vector_NAME *)acc;
    out[0] = s00, out[1] = s01, out[2] = s10, out[3] = s11;
    out[4] = s20, out[5] = s21, out[6] = s30, out[7] = s31;
}

"""

_COMPLEX_TILE = """\
/* acc = one strip of A times one panel of B, both packed. */
static void tile_NAME(int64_t k, const TYPE *restrict a, const TYPE *restrict b,
                      TYPE acc[restrict ROWS][LANES]) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < LANES; j++) acc[i][j] = 0;
    for (int64_t p = 0; p < k; p++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < LANES; j++) acc[i][j] += a[p * ROWS + i] * b[p * LANES + j];
}

"""

_REAL_DOT = """\

EXPORT TYPE cblas_LETTERdot(int64_t n, const TYPE *x, int64_t incx, const TYPE *y, int64_t incy) {
    return dot_NAME(n, x, incx, y, incy);
}
"""

_COMPLEX_DOT = """\

EXPORT void cblas_LETTERdotu_sub(int64_t n, const TYPE *x, int64_t incx, const TYPE *y,
                            int64_t incy, TYPE *result) {
    *result = dot_NAME(n, x, incx, y, incy);
}
"""

# Letter of the routines, type, passing of scalars, lanes of a tile (two AVX registers of reals).
_KINDS = (
    ("s", "float", False, 16),
    ("d", "double", False, 8),
    ("c", "float _Complex", True, 4),
    ("z", "double _Complex", True, 4),
)


def plain_blas_source() -> str:
    """Return the C text of all routines.

    Examples
    --------
    >>> "cblas_zgemv(" in plain_blas_source()
    True
    """
    return _HEADER + "".join(_routines(*kind) for kind in _KINDS)


def _routines(letter: str, scalar_type: str, is_complex: bool, lanes: int) -> str:
    """Write the routines of one letter by filling in the words of the templates."""
    words = {
        "TILE": _COMPLEX_TILE if is_complex else _REAL_TILE,
        "TYPE": scalar_type,
        "NAME": letter,
        "LETTER": letter,
        "LANES": str(lanes),
        "SUFFIX": "u" if is_complex else "",
        "SCALAR": f"const {scalar_type} *" if is_complex else f"const {scalar_type}",
        "VALUE": "*" if is_complex else "",
        "SIMD_SUM": "" if is_complex else '_Pragma("omp simd reduction(+ : sum)")',
        "CONJ(": ("__builtin_conjf(" if letter == "c" else "__builtin_conj(")
        if is_complex
        else "(",
    }
    text = _ROUTINES + (_COMPLEX_DOT if is_complex else _REAL_DOT)
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text
