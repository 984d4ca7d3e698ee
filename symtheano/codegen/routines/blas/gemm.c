ST_SELDOM void st_plain_gemm_@SUFFIX@(int transa, int transb, int64_t m, int64_t n, int64_t k,
                          @TYPE@ alpha, const @TYPE@ *a, int64_t lda, const @TYPE@ *b, int64_t ldb,
                          @TYPE@ beta, @TYPE@ *c, int64_t ldc) {
    const int64_t ai = transa == ST_NO_TRANS ? lda : 1, ap = transa == ST_NO_TRANS ? 1 : lda;
    const int64_t bp = transb == ST_NO_TRANS ? ldb : 1, bj = transb == ST_NO_TRANS ? 1 : ldb;
    for (int64_t i = 0; i < m; i++) {
        @TYPE@ *row = c + i * ldc;
        for (int64_t j = 0; j < n; j++) row[j] = beta == 0 ? 0 : beta * row[j];
        for (int64_t p = 0; p < k; p++) {
            const @TYPE@ x = a[i * ai + p * ap];
            const @TYPE@ factor = alpha * (transa == ST_CONJ_TRANS ? @CONJ@(x) : x);
            for (int64_t j = 0; j < n; j++) {
                const @TYPE@ y = b[p * bp + j * bj];
                row[j] += factor * (transb == ST_CONJ_TRANS ? @CONJ@(y) : y);
            }
        }
    }
}

typedef struct st_gemm_job_@SUFFIX@ {
    const st_blas *blas;
    void *fn;
    int transa, transb, by_rows;
    int64_t m, n, k, lda, ldb, ldc, step;
    @TYPE@ alpha, beta;
    const @TYPE@ *a, *b;
    @TYPE@ *c;
} st_gemm_job_@SUFFIX@;

/* Some rows or columns of c. */
static void st_gemm_part_@SUFFIX@(const void *job, int64_t number) {
    const st_gemm_job_@SUFFIX@ *const j = job;
    const int64_t first = number * j->step, length = j->by_rows ? j->m : j->n;
    const int64_t count = ST_MIN(j->step, length - first);
    if (count <= 0) return;
    const int64_t m = j->by_rows ? count : j->m, n = j->by_rows ? j->n : count;
    const int64_t row = j->by_rows ? first : 0, column = first - row;
    const @TYPE@ *a = j->a + (j->transa == ST_NO_TRANS ? row * j->lda : row);
    const @TYPE@ *b = j->b + (j->transb == ST_NO_TRANS ? column : column * j->ldb);
    @TYPE@ *c = j->c + row * j->ldc + column;
    const @TYPE@ alpha = j->alpha, beta = j->beta;
    @CALL@
}

/* c = alpha op(a) op(b) + beta c */
ST_ONCE void st_gemm_@SUFFIX@(const st_runtime *runtime, const st_gemm *args, @TYPE@ alpha,
                    const @TYPE@ *a, const @TYPE@ *b, @TYPE@ beta, @TYPE@ *c) {
    const int transa = (int)args->transa, transb = (int)args->transb;
    const int64_t m = args->m, n = args->n, k = args->k;
    int64_t lda = args->lda, ldb = args->ldb, ldc = args->ldc;
    const int a_straight = transa == ST_NO_TRANS, b_straight = transb == ST_NO_TRANS;
    if (m <= 0 || n <= 0) return;
    /* BLAS has no matrix-vector product that conjugates without transposing. */
    if (m == 1 && @A_IS_PLAIN@ && @B_IS_PLAIN@) {
        const st_gemv row = {
            .trans = b_straight ? ST_TRANS : ST_NO_TRANS, .m = b_straight ? k : n,
            .n = b_straight ? n : k, .lda = ldb, .incx = a_straight ? 1 : lda, .incy = 1};
        st_gemv_@SUFFIX@(runtime, &row, alpha, b, a, beta, c);
        return;
    }
    if (n == 1 && @B_IS_PLAIN@) {
        const st_gemv column = {
            .trans = transa, .m = a_straight ? m : k, .n = a_straight ? k : m, .lda = lda,
            .incx = b_straight ? ldb : 1, .incy = ldc};
        st_gemv_@SUFFIX@(runtime, &column, alpha, a, b, beta, c);
        return;
    }
    const int64_t a_width = a_straight ? k : m, b_width = b_straight ? n : k;
    /* The stride of a single row has no meaning, but BLAS checks it. */
    if ((a_straight ? m : k) == 1) lda = a_width;
    if ((b_straight ? k : n) == 1) ldb = b_width;
    if (m == 1) ldc = n;
@OWN@    const int64_t sizes = ST_MAX(ST_MAX(m, n), k), leads = ST_MAX(ST_MAX(lda, ldb), ldc);
    void *fn = st_routine(runtime, @NUMBER@ /* @ROUTINE@ */, ST_MAX(sizes, leads),
                          (double)m * n * k);
    if (!fn || k <= 0 || lda < a_width || ldb < b_width || ldc < n) {
        st_plain_gemm_@SUFFIX@(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
        return;
    }
    const double work = (double)m * n * k;
    const int64_t parts = st_parts(runtime, work);
    const st_gemm_job_@SUFFIX@ job = {
        runtime->blas, fn, transa, transb, m >= n, m, n, k, lda, ldb, ldc,
        st_step(ST_MAX(m, n), parts), alpha, beta, a, b, c};
    st_run(runtime, work, parts, st_gemm_part_@SUFFIX@, &job);
}
