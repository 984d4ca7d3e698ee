typedef struct st_batch_@SUFFIX@ {
    const st_runtime *runtime;
    int transa, transb;
    int64_t count, parts, m, n, k, a_step, lda, b_step, ldb, c_step, ldc;
    @TYPE@ alpha, beta;
    const @TYPE@ *a, *b;
    @TYPE@ *c;
} st_batch_@SUFFIX@;

/* Some products of a batch. */
static void st_batch_part_@SUFFIX@(const void *job, int64_t number) {
    const st_batch_@SUFFIX@ *const j = job;
    const int64_t end = (number + 1) * j->count / j->parts;
    for (int64_t i = number * j->count / j->parts; i < end; i++)
        st_gemm_@SUFFIX@(j->runtime, j->transa, j->transb, j->m, j->n, j->k, j->alpha,
                       j->a + i * j->a_step, j->lda, j->b + i * j->b_step, j->ldb, j->beta,
                       j->c + i * j->c_step, j->ldc);
}

/* c[i] = alpha op(a[i]) op(b[i]) + beta c[i] */
ST_ONCE void st_batched_gemm_@SUFFIX@(const st_runtime *runtime, int transa, int transb,
                    int64_t count, int64_t m, int64_t n, int64_t k, @TYPE@ alpha, const @TYPE@ *a,
                    int64_t a_step, int64_t lda, const @TYPE@ *b, int64_t b_step, int64_t ldb,
                    @TYPE@ beta, @TYPE@ *c, int64_t c_step, int64_t ldc) {
    /* One b for rows of a that follow each other: the batch is one product. */
    if (b_step == 0 && transa == ST_NO_TRANS && a_step == m * lda && c_step == m * ldc) {
        st_gemm_@SUFFIX@(runtime, transa, transb, count * m, n, k, alpha, a, lda, b, ldb, beta, c,
                       ldc);
        return;
    }
    if (count <= 0) return;
    const double each = (double)m * n * k;
    const int64_t parts = st_batch_parts(runtime, count, each);
    const st_runtime alone = st_alone(runtime);
    const st_batch_@SUFFIX@ job = {
        parts > 1 ? &alone : runtime, transa, transb, count, parts, m, n, k, a_step, lda, b_step,
        ldb, c_step, ldc, alpha, beta, a, b, c};
    st_announce(runtime, count * each);
    if (parts == 1) {
        st_batch_part_@SUFFIX@(&job, 0);
        return;
    }
    const int held = each >= ST_BLAS_ALONE && st_hold_threads(runtime);
    ((const st_products *)runtime->blas)->share(parts, st_batch_part_@SUFFIX@, &job);
    if (held) st_free_threads(runtime);
}
