/* a += alpha x y' */
static inline void st_ger_@SUFFIX@(const st_runtime *runtime, const st_ger *args, @TYPE@ alpha,
                   const @TYPE@ *x, const @TYPE@ *y, @TYPE@ *a) {
    const int64_t m = args->m, n = args->n;
    int64_t incx = args->incx, incy = args->incy, lda = args->lda;
    if (m <= 1) lda = ST_MAX(n, 1);
    if (m == 1) incx = 1;
    if (n == 1) incy = 1;
    const int64_t sizes = ST_MAX(ST_MAX(m, n), lda), steps = ST_MAX(ST_ABS(incx), ST_ABS(incy));
    void *fn = st_routine(runtime, @NUMBER@ /* @ROUTINE@ */, ST_MAX(sizes, steps),
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
    @CALL@
    if (held) st_free_threads(runtime);
}
