
static void scale_@LETTER@(int64_t m, int64_t n, @TYPE@ beta, @TYPE@ *c, int64_t rs, int64_t cs) {
    if (beta == 1) return;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            /* Not 0 * c, because c may contain NaN. */
            c[i * rs + j * cs] = beta == 0 ? 0 : beta * c[i * rs + j * cs];
}

@TILE@/* Copy rows x k elements, k outermost, padded with zeros to full strips. */
static void pack_@LETTER@(int64_t rows, int64_t full, int64_t k, const @TYPE@ *x, int64_t rs,
                      int64_t ks, int conjugated, @TYPE@ *packed) {
    for (int64_t p = 0; p < k; p++)
        for (int64_t i = 0; i < full; i++) {
            @TYPE@ value = i < rows ? x[i * rs + p * ks] : 0;
            packed[p * full + i] = conjugated ? @CONJ@(value) : value;
        }
}

static void multiply_@LETTER@(int64_t m, int64_t n, int64_t k, @TYPE@ alpha, const @TYPE@ *a, int64_t ar,
                          int64_t ac, int conj_a, const @TYPE@ *b, int64_t br, int64_t bc,
                          int conj_b, @TYPE@ *c, int64_t cr, int64_t cc) {
    @TYPE@ strip[ROWS * DEPTH], block[DEPTH * WIDTH], acc[ROWS][@LANES@];
    for (int64_t j0 = 0; j0 < n; j0 += WIDTH)
    for (int64_t p0 = 0; p0 < k; p0 += DEPTH) {
        const int64_t width = n - j0 < WIDTH ? n - j0 : WIDTH;
        const int64_t depth = k - p0 < DEPTH ? k - p0 : DEPTH;
        for (int64_t j = 0; j < width; j += @LANES@)
            pack_@LETTER@(width - j, @LANES@, depth, b + p0 * br + (j0 + j) * bc, bc, br, conj_b,
                      block + j * depth);
        for (int64_t i0 = 0; i0 < m; i0 += ROWS) {
            const int64_t rows = m - i0 < ROWS ? m - i0 : ROWS;
            pack_@LETTER@(rows, ROWS, depth, a + i0 * ar + p0 * ac, ar, ac, conj_a, strip);
            for (int64_t j = 0; j < width; j += @LANES@) {
                const int64_t lanes = width - j < @LANES@ ? width - j : @LANES@;
                @TYPE@ *corner = c + i0 * cr + (j0 + j) * cc;
                tile_@LETTER@(depth, strip, block + j * depth, acc);
                for (int64_t i = 0; i < rows; i++)
                    for (int64_t l = 0; l < lanes; l++)
                        corner[i * cr + l * cc] += alpha * acc[i][l];
            }
        }
    }
}

EXPORT void cblas_@LETTER@gemm(int order, int transa, int transb, int64_t m, int64_t n, int64_t k,
                        @SCALAR@ alpha_, const @TYPE@ *a, int64_t lda, const @TYPE@ *b, int64_t ldb,
                        @SCALAR@ beta_, @TYPE@ *c, int64_t ldc) {
    const @TYPE@ alpha = @VALUE@(alpha_), beta = @VALUE@(beta_);
    const int row_a = (order == ROW_MAJOR) == (transa == NO_TRANS);
    const int row_b = (order == ROW_MAJOR) == (transb == NO_TRANS);
    const int64_t cr = order == ROW_MAJOR ? ldc : 1, cc = order == ROW_MAJOR ? 1 : ldc;
    scale_@LETTER@(m, n, beta, c, cr, cc);
    if (alpha == 0) return;
    multiply_@LETTER@(m, n, k, alpha, a, row_a ? lda : 1, row_a ? 1 : lda, transa == CONJ_TRANS,
                  b, row_b ? ldb : 1, row_b ? 1 : ldb, transb == CONJ_TRANS, c, cr, cc);
}

EXPORT void cblas_@LETTER@gemv(int order, int trans, int64_t m, int64_t n, @SCALAR@ alpha_,
                        const @TYPE@ *a, int64_t lda, const @TYPE@ *x, int64_t incx, @SCALAR@ beta_,
                        @TYPE@ *y, int64_t incy) {
    const @TYPE@ alpha = @VALUE@(alpha_), beta = @VALUE@(beta_);
    const int row = (order == ROW_MAJOR) == (trans == NO_TRANS);
    const int64_t outputs = trans == NO_TRANS ? m : n, terms = trans == NO_TRANS ? n : m;
    x = FIRST(x, terms, incx);
    y = FIRST(y, outputs, incy);
    scale_@LETTER@(outputs, 1, beta, y, incy, 1);
    if (alpha == 0) return;
    if (row)
        for (int64_t i = 0; i < outputs; i++) {
            @TYPE@ sum = 0;
            @SIMD_SUM@
            for (int64_t p = 0; p < terms; p++) {
                const @TYPE@ value = a[i * lda + p];
                sum += (trans == CONJ_TRANS ? @CONJ@(value) : value) * x[p * incx];
            }
            y[i * incy] += alpha * sum;
        }
    else
        for (int64_t p = 0; p < terms; p++) {
            const @TYPE@ factor = alpha * x[p * incx];
            for (int64_t i = 0; i < outputs; i++) {
                const @TYPE@ value = a[i + p * lda];
                y[i * incy] += factor * (trans == CONJ_TRANS ? @CONJ@(value) : value);
            }
        }
}

EXPORT void cblas_@LETTER@ger@SUFFIX@(int order, int64_t m, int64_t n, @SCALAR@ alpha_, const @TYPE@ *x,
                        int64_t incx, const @TYPE@ *y, int64_t incy, @TYPE@ *a, int64_t lda) {
    const @TYPE@ alpha = @VALUE@(alpha_);
    const int64_t rs = order == ROW_MAJOR ? lda : 1, cs = order == ROW_MAJOR ? 1 : lda;
    x = FIRST(x, m, incx);
    y = FIRST(y, n, incy);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) a[i * rs + j * cs] += alpha * x[i * incx] * y[j * incy];
}

static @TYPE@ dot_@LETTER@(int64_t n, const @TYPE@ *x, int64_t incx, const @TYPE@ *y, int64_t incy) {
    @TYPE@ sum = 0;
    x = FIRST(x, n, incx);
    y = FIRST(y, n, incy);
    @SIMD_SUM@
    for (int64_t i = 0; i < n; i++) sum += x[i * incx] * y[i * incy];
    return sum;
}
