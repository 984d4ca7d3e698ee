typedef struct st_batch_@SUFFIX@ {
    const st_runtime *runtime;
    const st_batched_gemm *all;
    st_gemm each;
    int64_t parts;
    @TYPE@ alpha, beta;
    const @TYPE@ *a, *b;
    @TYPE@ *c;
} st_batch_@SUFFIX@;

/* Some products of a batch. */
static void st_batch_part_@SUFFIX@(const void *job, int64_t number) {
    const st_batch_@SUFFIX@ *const j = job;
    const st_batched_gemm *const args = j->all;
    const int64_t end = (number + 1) * args->count / j->parts;
    for (int64_t i = number * args->count / j->parts; i < end; i++)
        st_gemm_@SUFFIX@(j->runtime, &j->each, j->alpha, j->a + i * args->a_step,
                       j->b + i * args->b_step, j->beta, j->c + i * args->c_step);
}

/* c[i] = alpha op(a[i]) op(b[i]) + beta c[i] */
ST_ONCE void st_batched_gemm_@SUFFIX@(const st_runtime *runtime, const st_batched_gemm *args,
                    @TYPE@ alpha, const @TYPE@ *a, const @TYPE@ *b, @TYPE@ beta, @TYPE@ *c) {
    const int64_t count = args->count;
    st_gemm product = {
        .transa = args->transa, .transb = args->transb, .m = args->m, .n = args->n, .k = args->k,
        .lda = args->lda, .ldb = args->ldb, .ldc = args->ldc};
    /* One b for rows of a that follow each other: the batch is one product. */
    if (args->b_step == 0 && args->transa == ST_NO_TRANS
        && args->a_step == args->m * args->lda
        && args->c_step == args->m * args->ldc) {
        product.m *= count;
        st_gemm_@SUFFIX@(runtime, &product, alpha, a, b, beta, c);
        return;
    }
    if (count <= 0) return;
    const double each = (double)args->m * args->n * args->k;
    const int64_t parts = st_batch_parts(runtime, count, each);
    const st_runtime alone = st_alone(runtime);
    const st_batch_@SUFFIX@ job = {
        parts > 1 ? &alone : runtime, args, product, parts, alpha, beta, a, b, c};
    st_announce(runtime, count * each);
    if (parts == 1) {
        st_batch_part_@SUFFIX@(&job, 0);
        return;
    }
    const int held = each >= ST_BLAS_ALONE && st_hold_threads(runtime);
    ((const st_products *)runtime->blas)->share(parts, st_batch_part_@SUFFIX@, &job);
    if (held) st_free_threads(runtime);
}
