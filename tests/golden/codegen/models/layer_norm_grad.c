/* Not inlined: one thread and many run the very same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_sum_sqrt_true_div_part(const int64_t begin, const int64_t end,
        double *partial, double *partial_2, const float *x, const float *c, const float *g,
        const float *b, float *out_3, float *out_4, const int64_t rows, const int64_t c_d0,
        const int64_t c_d1, const float s_7, const float s_8) {
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < c_d0 ? k : c_d0;
        #pragma omp simd
        for (int64_t j = 0; j < c_d1; j++) {
            partial[c_d1*chunk + j] = 0.0;
            partial_2[c_d1*chunk + j] = 0.0;
        }
        for (int64_t i = start; i < stop; i++) {
            double sum = 0.0;
            #pragma omp simd reduction(+ : sum)
            for (int64_t j_2 = 0; j_2 < c_d1; j_2++) {
                const float x_i = x[c_d1*i + j_2];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v = (double)x_i;
                const double v_2 = sum + v;
                sum = v_2;
                const float c_i = c[c_d1*i + j_2];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const double v_3 = (double)c_i;
                const double partial_2_i = partial_2[c_d1*chunk + j_2];
                const double v_4 = partial_2_i + v_3;
                partial_2[c_d1*chunk + j_2] = v_4;
            }
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const float v_5 = (float)sum;
            const float v_6 = v_5 * s_7;
            double sum_2 = 0.0;
            #pragma omp simd reduction(+ : sum_2)
            for (int64_t j_3 = 0; j_3 < c_d1; j_3++) {
                const float x_i_2 = x[c_d1*i + j_3];
                const float v_7 = x_i_2 - v_6;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_8 = v_7 * v_7;
                const double v_9 = (double)v_8;
                const double v_10 = sum_2 + v_9;
                sum_2 = v_10;
            }
            const float v_11 = (float)sum_2;
            const float v_12 = v_11 * s_7;
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const float v_13 = v_12 + 1.0e-05f;
            const float v_14 = __builtin_sqrtf(v_13);
            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
            const float v_15 = 0.5f / v_14;
            double sum_3 = 0.0;
            #pragma omp simd reduction(+ : sum_3)
            for (int64_t j_4 = 0; j_4 < c_d1; j_4++) {
                const float x_i_3 = x[c_d1*i + j_4];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_16 = x_i_3 - v_6;
                const float c_i_2 = c[c_d1*i + j_4];
                const float g_i = g[j_4];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_17 = c_i_2 * g_i;
                const float v_18 = v_16 / v_14;
                const float v_19 = v_18 * g_i;
                const float b_i = b[j_4];
                const float v_20 = v_19 + b_i;
                const float v_21 = v_17 / v_14;
                const float v_22 = v_21 * v_18;
                const double v_23 = (double)v_22;
                const double v_24 = sum_3 + v_23;
                sum_3 = v_24;
                const float v_25 = c_i_2 * v_18;
                const double v_26 = (double)v_25;
                const double partial_i = partial[c_d1*chunk + j_4];
                const double v_27 = partial_i + v_26;
                partial[c_d1*chunk + j_4] = v_27;
                out_3[c_d1*i + j_4] = v_20;
            }
            const float v_28 = (float)sum_3;
            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
            const float v_29 = v_28 * v_15;
            double sum_4 = 0.0;
            #pragma omp simd reduction(+ : sum_4)
            for (int64_t j_5 = 0; j_5 < c_d1; j_5++) {
                const float x_i_4 = x[c_d1*i + j_5];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_30 = x_i_4 - v_6;
                const float c_i_3 = c[c_d1*i + j_5];
                const float g_i_2 = g[j_5];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_31 = c_i_3 * g_i_2;
                const float v_32 = v_31 / v_14;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_33 = v_29 * v_30;
                const float v_34 = v_33 * s_8;
                const float v_35 = v_32 + v_34;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v_36 = (double)v_35;
                const double v_37 = sum_4 + v_36;
                sum_4 = v_37;
                out_4[c_d1*i + j_5] = v_35;
            }
            const float v_38 = (float)sum_4;
            const float v_39 = v_38 * s_7;
            #pragma omp simd
            for (int64_t j_6 = 0; j_6 < c_d1; j_6++) {
                const float out_4_i = out_4[c_d1*i + j_6];
                const float v_40 = out_4_i - v_39;
                out_4[c_d1*i + j_6] = v_40;
            }
        }
    }
}

/* sum, mul, sub, sqr, add, sqrt, true_div over c_d0 x c_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL void kernel_0_sum_sqrt_true_div(const st_runtime *runtime, double *partial,
        double *partial_2, const float *x, const float *c, const float *g, const float *b,
        float *out_3, float *out_4, float *out, float *out_2, const int64_t c_d0,
        const int64_t c_d1, const float s_7, const float s_8) {
    const int64_t rows = st_chunk_rows(c_d0, c_d1, 32768, 16);
    const int64_t chunks = (c_d0 + rows - 1) / rows;
    if (st_parallel(runtime, c_d0*c_d1*44)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(chunks, 1);
            kernel_0_sum_sqrt_true_div_part(share.begin, share.end, partial, partial_2, x, c, g, b,
                    out_3, out_4, rows, c_d0, c_d1, s_7, s_8);
        }
    } else {
        kernel_0_sum_sqrt_true_div_part(0, chunks, partial, partial_2, x, c, g, b, out_3, out_4,
                rows, c_d0, c_d1, s_7, s_8);
    }
    for (int64_t j_7 = 0; j_7 < c_d1; j_7++) {
        double total = 0.0;
        for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
            const double partial_i_2 = partial[c_d1*chunk_2 + j_7];
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const double v_41 = total + partial_i_2;
            total = v_41;
        }
        const float v_42 = (float)total;
        out[j_7] = v_42;
    }
    for (int64_t j_8 = 0; j_8 < c_d1; j_8++) {
        double total_2 = 0.0;
        for (int64_t chunk_3 = 0; chunk_3 < chunks; chunk_3++) {
            const double partial_2_i_2 = partial_2[c_d1*chunk_3 + j_8];
            const double v_43 = total_2 + partial_2_i_2;
            total_2 = v_43;
        }
        const float v_44 = (float)total_2;
        out_2[j_8] = v_44;
    }
}

ST_EXPORT int32_t layer_norm_grad(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const float *g = inputs[1].data;
    const float *b = inputs[2].data;
    const float *c = inputs[3].data;
    const int64_t x_d0 = inputs[0].shape[0];
    const int64_t x_d1 = inputs[0].shape[1];
    const int64_t g_d0 = inputs[1].shape[0];
    const int64_t b_d0 = inputs[2].shape[0];
    const int64_t c_d0 = inputs[3].shape[0];
    const int64_t c_d1 = inputs[3].shape[1];
    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
    const bool s = x_d1 == g_d0;
    if (!s) {
        status = st_fail(error, ST_ERROR_SHAPE, 0, 2, (const int64_t[]){x_d1, g_d0});
        goto done;
    }
    const bool s_2 = x_d1 == b_d0;
    if (!s_2) {
        status = st_fail(error, ST_ERROR_SHAPE, 1, 2, (const int64_t[]){x_d1, b_d0});
        goto done;
    }
    const bool s_3 = c_d1 == g_d0;
    if (!s_3) {
        status = st_fail(error, ST_ERROR_SHAPE, 2, 2, (const int64_t[]){c_d1, g_d0});
        goto done;
    }
    const bool s_4 = c_d0 == x_d0;
    if (!s_4) {
        status = st_fail(error, ST_ERROR_SHAPE, 3, 2, (const int64_t[]){c_d0, x_d0});
        goto done;
    }
    const bool s_5 = c_d1 == x_d1;
    if (!s_5) {
        status = st_fail(error, ST_ERROR_SHAPE, 4, 2, (const int64_t[]){c_d1, x_d1});
        goto done;
    }
    float *out_3 = runtime->allocate(runtime->context, 0, (const int64_t[]){c_d0, c_d1});
    if (!out_3) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){c_d0*c_d1*4, 0});
        goto done;
    }
    float *out_4 = runtime->allocate(runtime->context, 1, (const int64_t[]){c_d0, c_d1});
    if (!out_4) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){c_d0*c_d1*4, 1});
        goto done;
    }
    float *out = runtime->allocate(runtime->context, 2, (const int64_t[]){c_d1});
    if (!out) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){c_d1*4, 2});
        goto done;
    }
    float *out_2 = runtime->allocate(runtime->context, 3, (const int64_t[]){c_d1});
    if (!out_2) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){c_d1*4, 3});
        goto done;
    }
    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
    const float s_6 = (float)x_d1;
    const float s_7 = 1 / s_6;
    /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
    const float s_8 = (-2.0f) / s_6;
    const int64_t slot = st_padded(c_d1*128);
    const int64_t arena_bytes = slot + st_padded(c_d1*128);
    arena = st_arena_open(arena_bytes, 128.0*c_d1 + 128.0*c_d1);
    if (!arena) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){arena_bytes, -1});
        goto done;
    }
    double *partial = (double *)arena;
    double *partial_2 = (double *)(arena + slot);
    kernel_0_sum_sqrt_true_div(runtime, partial, partial_2, x, c, g, b, out_3, out_4, out, out_2,
            c_d0, c_d1, s_7, s_8);
done:
    free(arena);
    return status;
}
