/* sum of x[i] y[i] */
static inline @TYPE@ st_dot_@SUFFIX@(const st_runtime *runtime, const st_dot *args, const @TYPE@ *x,
                   const @TYPE@ *y) {
    const int64_t n = args->n, incx = args->incx, incy = args->incy;
    @TYPE@ sum = 0;
    void *fn = st_routine(runtime, @NUMBER@ /* @ROUTINE@ */,
                          ST_MAX(n, ST_MAX(ST_ABS(incx), ST_ABS(incy))), (double)n);
    if (!fn || n <= 0 || incx == 0 || incy == 0) {
        for (int64_t i = 0; i < n; i++) sum += x[i * incx] * y[i * incy];
        return sum;
    }
    if (incx < 0) x += (n - 1) * incx;
    if (incy < 0) y += (n - 1) * incy;
    const st_blas *blas = runtime->blas;
    const int held = (double)n >= ST_BLAS_ALONE && st_hold_threads(runtime);
    @CALL@
    if (held) st_free_threads(runtime);
    return sum;
}
