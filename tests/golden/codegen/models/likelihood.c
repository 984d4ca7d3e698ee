/* Not inlined: one thread and many run the very same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_sub_mul_sum_part(const int64_t begin, const int64_t end, const double *x,
        double *partial, double *partial_2, double *partial_3, const int64_t rows,
        const int64_t x_d0, const double mu_2, const double s_4, const double s_2) {
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < x_d0 ? k : x_d0;
        double sum = 0.0;
        double sum_2 = 0.0;
        double sum_3 = 0.0;
        #pragma omp simd reduction(+ : sum, sum_2, sum_3)
        for (int64_t i = start; i < stop; i++) {
            const double x_i = x[i];
            /* models.py:47: z = (x - mu) * T.exp(-s) */
            const double v = x_i - mu_2;
            const double v_2 = v * s_4;
            /* models.py:48: cost = (-0.5 * T.sqr(z) - s).sum() */
            const double v_3 = v_2 * v_2;
            const double v_4 = v_3 * (-0.5);
            const double v_5 = v_4 - s_2;
            const double v_6 = sum + v_5;
            sum = v_6;
            /* models.py:47: z = (x - mu) * T.exp(-s) */
            const double v_7 = sum_2 + v;
            sum_2 = v_7;
            const double v_8 = v_2 * v;
            const double v_9 = sum_3 + v_8;
            sum_3 = v_9;
        }
        partial[chunk] = sum;
        partial_2[chunk] = sum_2;
        partial_3[chunk] = sum_3;
    }
}

/* sub, mul, sqr, sum over x_d0 */
/* models.py:47: z = (x - mu) * T.exp(-s) */
/* models.py:48: cost = (-0.5 * T.sqr(z) - s).sum() */
ST_KERNEL void kernel_0_sub_mul_sum(const st_runtime *runtime, const double *x, const int64_t x_d0,
        const double mu_2, const double s_4, const double s_2, double *st_sum_4, double *st_sum_5,
        double *st_sum_6) {
    _Alignas(64) double partial[64];
    _Alignas(64) double partial_2[64];
    _Alignas(64) double partial_3[64];
    const int64_t rows = st_chunk_rows(x_d0, 1, 32768, 64);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    if (st_parallel(runtime, x_d0*12)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(chunks, 1);
            kernel_0_sub_mul_sum_part(share.begin, share.end, x, partial, partial_2, partial_3,
                    rows, x_d0, mu_2, s_4, s_2);
        }
    } else {
        kernel_0_sub_mul_sum_part(0, chunks, x, partial, partial_2, partial_3, rows, x_d0, mu_2,
                s_4, s_2);
    }
    double sum_4 = 0.0;
    for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
        const double partial_i = partial[chunk_2];
        /* models.py:48: cost = (-0.5 * T.sqr(z) - s).sum() */
        const double v_10 = sum_4 + partial_i;
        sum_4 = v_10;
    }
    double sum_5 = 0.0;
    for (int64_t chunk_3 = 0; chunk_3 < chunks; chunk_3++) {
        const double partial_2_i = partial_2[chunk_3];
        /* models.py:47: z = (x - mu) * T.exp(-s) */
        const double v_11 = sum_5 + partial_2_i;
        sum_5 = v_11;
    }
    double sum_6 = 0.0;
    for (int64_t chunk_4 = 0; chunk_4 < chunks; chunk_4++) {
        const double partial_3_i = partial_3[chunk_4];
        const double v_12 = sum_6 + partial_3_i;
        sum_6 = v_12;
    }
    *st_sum_4 = sum_4;
    *st_sum_5 = sum_5;
    *st_sum_6 = sum_6;
}

ST_EXPORT int32_t likelihood(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const double *x = inputs[0].data;
    const double *mu = inputs[1].data;
    const double *s = inputs[2].data;
    const int64_t x_d0 = inputs[0].shape[0];
    const double s_2 = s[0];
    /* models.py:47: z = (x - mu) * T.exp(-s) */
    const double s_3 = -s_2;
    double *out = runtime->allocate(runtime->context, 0, (const int64_t[]){0});
    if (!out) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){8, 0});
        goto done;
    }
    double *out_2 = runtime->allocate(runtime->context, 1, (const int64_t[]){0});
    if (!out_2) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){8, 1});
        goto done;
    }
    double *out_3 = runtime->allocate(runtime->context, 2, (const int64_t[]){0});
    if (!out_3) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){8, 2});
        goto done;
    }
    const double mu_2 = mu[0];
    const double s_4 = exp(s_3);
    double sum_4;
    double sum_5;
    double sum_6;
    kernel_0_sub_mul_sum(runtime, x, x_d0, mu_2, s_4, s_2, &sum_4, &sum_5, &sum_6);
    out[0] = sum_4;
    const double s_5 = sum_5 * s_4;
    const double s_6 = s_5 * s_4;
    out_2[0] = s_6;
    /* models.py:48: cost = (-0.5 * T.sqr(z) - s).sum() */
    const double s_7 = (double)x_d0;
    /* models.py:47: z = (x - mu) * T.exp(-s) */
    const double s_8 = sum_6 * s_4;
    const double s_9 = s_8 - s_7;
    out_3[0] = s_9;
done:
    return status;
}
