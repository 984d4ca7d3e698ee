ST_SELDOM void st_plain_gemv_@SUFFIX@(int trans, int64_t m, int64_t n, @TYPE@ alpha, const @TYPE@ *a,
                          int64_t lda, const @TYPE@ *x, int64_t incx, @TYPE@ beta, @TYPE@ *y,
                          int64_t incy) {
    const int64_t outputs = trans == ST_NO_TRANS ? m : n, terms = trans == ST_NO_TRANS ? n : m;
    const int64_t ai = trans == ST_NO_TRANS ? lda : 1, ap = trans == ST_NO_TRANS ? 1 : lda;
    for (int64_t i = 0; i < outputs; i++) {
        @TYPE@ sum = 0;
        for (int64_t p = 0; p < terms; p++) {
            const @TYPE@ value = a[i * ai + p * ap];
            sum += (trans == ST_CONJ_TRANS ? @CONJ@(value) : value) * x[p * incx];
        }
        y[i * incy] = (beta == 0 ? 0 : beta * y[i * incy]) + alpha * sum;
    }
}

typedef struct st_gemv_job_@SUFFIX@ {
    const st_blas *blas;
    void *fn;
    int trans;
    int64_t m, n, lda, incx, incy, step;
    @TYPE@ alpha, beta;
    const @TYPE@ *a, *x;
    @TYPE@ *y;
} st_gemv_job_@SUFFIX@;

/* Some elements of y. */
static void st_gemv_part_@SUFFIX@(const void *job, int64_t number) {
    const st_gemv_job_@SUFFIX@ *const j = job;
    const int straight = j->trans == ST_NO_TRANS;
    const int64_t first = number * j->step, length = straight ? j->m : j->n;
    const int64_t count = ST_MIN(j->step, length - first);
    if (count <= 0) return;
    const int64_t m = straight ? count : j->m, n = straight ? j->n : count;
    const @TYPE@ *a = j->a + (straight ? first * j->lda : first);
    @TYPE@ *y = j->y + (j->incy < 0 ? first + count - 1 : first) * j->incy;
    const @TYPE@ alpha = j->alpha, beta = j->beta;
    @CALL@
}

/* y = alpha op(a) x + beta y */
ST_ONCE void st_gemv_@SUFFIX@(const st_runtime *runtime, const st_gemv *args, @TYPE@ alpha,
                    const @TYPE@ *a, const @TYPE@ *x, @TYPE@ beta, @TYPE@ *y) {
    const int trans = (int)args->trans;
    const int64_t m = args->m, n = args->n;
    int64_t lda = args->lda, incx = args->incx, incy = args->incy;
    const int64_t outputs = trans == ST_NO_TRANS ? m : n, terms = trans == ST_NO_TRANS ? n : m;
    if (m <= 1) lda = ST_MAX(n, 1);
    if (terms == 1) incx = 1;
    if (outputs == 1) incy = 1;
@OWN@    const int64_t sizes = ST_MAX(ST_MAX(m, n), lda), steps = ST_MAX(ST_ABS(incx), ST_ABS(incy));
    void *fn = st_routine(runtime, @NUMBER@ /* @ROUTINE@ */, ST_MAX(sizes, steps),
                          (double)m * n);
    if (!fn || outputs <= 0 || terms <= 0 || lda < n || incx == 0 || incy == 0) {
        st_plain_gemv_@SUFFIX@(trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
        return;
    }
    /* Some libraries multiply y by beta even if beta is 0, which would keep a NaN in y. */
    if (beta == 0)
        for (int64_t i = 0; i < outputs; i++) y[i * incy] = 0;
    if (incx < 0) x += (terms - 1) * incx;
    const int64_t parts = st_parts(runtime, ST_GEMV_TERM * m * n);
    const st_gemv_job_@SUFFIX@ job = {runtime->blas, fn, trans, m, n, lda, incx, incy,
                                    st_step(outputs, parts), alpha, beta, a, x, y};
    st_run(runtime, (double)m * n, parts, st_gemv_part_@SUFFIX@, &job);
}
