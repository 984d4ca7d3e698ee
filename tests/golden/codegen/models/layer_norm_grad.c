/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_sqrt_reciprocal_true_div_part(const int64_t begin, const int64_t end,
        double *partial, double *partial_2, const float *x, const float *c, float *out_3,
        float *out_4, const float *g, const float *b, const int64_t rows, const int64_t x_d0,
        const int64_t x_d1, const float s_6) {
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < x_d0 ? k : x_d0;
        #pragma omp simd
        for (int64_t j = 0; j < x_d1; j++) {
            partial[chunk*x_d1 + j] = 0.0;
            partial_2[chunk*x_d1 + j] = 0.0;
        }
        for (int64_t i = start; i < stop; i++) {
            double sum = 0.0;
            #pragma omp simd reduction(+ : sum)
            for (int64_t j_2 = 0; j_2 < x_d1; j_2++) {
                const float x_i = x[i*x_d1 + j_2];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v = (double)x_i;
                const double v_2 = sum + v;
                sum = v_2;
                const float c_i = c[i*x_d1 + j_2];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const double v_3 = (double)c_i;
                const double partial_2_i = partial_2[chunk*x_d1 + j_2];
                const double v_4 = partial_2_i + v_3;
                partial_2[chunk*x_d1 + j_2] = v_4;
            }
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const float v_5 = (float)sum;
            const float v_6 = v_5 * s_6;
            double sum_2 = 0.0;
            const int64_t k_2 = x_d0*x_d1;
            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
            const bool many = k_2 > 262144LL;
            for (int64_t block = 0; block < x_d1; block += 512) {
                const int64_t k_3 = block + 512;
                const int64_t stop_2 = k_3 < x_d1 ? k_3 : x_d1;
                if (many) {
                    for (int64_t k_4 = block; k_4 < stop_2; k_4 += 16) {
                        __builtin_prefetch(&x[(i + 1)*x_d1 + k_4]);
                        __builtin_prefetch(&c[(i + 1)*x_d1 + k_4]);
                        __builtin_prefetch(&out_3[i*x_d1 + k_4], 1);
                        __builtin_prefetch(&out_4[i*x_d1 + k_4], 1);
                    }
                }
                #pragma omp simd reduction(+ : sum_2)
                for (int64_t j_3 = block; j_3 < stop_2; j_3++) {
                    const float x_i_2 = x[i*x_d1 + j_3];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_7 = x_i_2 - v_6;
                    /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                    const float v_8 = v_7 * v_7;
                    const double v_9 = (double)v_8;
                    const double v_10 = sum_2 + v_9;
                    sum_2 = v_10;
                }
            }
            const float v_11 = (float)sum_2;
            const float v_12 = v_11 * s_6;
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const float v_13 = v_12 + 1.0e-05f;
            const float v_14 = __builtin_sqrtf(v_13);
            const float v_15 = 1 / v_14;
            const float v_16 = 0.5f / v_14;
            double sum_3 = 0.0;
            #pragma omp simd reduction(+ : sum_3)
            for (int64_t j_4 = 0; j_4 < x_d1; j_4++) {
                const float x_i_3 = x[i*x_d1 + j_4];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_17 = x_i_3 - v_6;
                const float c_i_2 = c[i*x_d1 + j_4];
                const float g_i = g[j_4];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_18 = c_i_2 * g_i;
                const float v_19 = v_17 * v_15;
                const float v_20 = v_19 * g_i;
                const float b_i = b[j_4];
                const float v_21 = v_20 + b_i;
                const float v_22 = v_18 * v_15;
                const float v_23 = v_22 * v_19;
                const double v_24 = (double)v_23;
                const double v_25 = sum_3 + v_24;
                sum_3 = v_25;
                const float v_26 = c_i_2 * v_19;
                const double v_27 = (double)v_26;
                const double partial_i = partial[chunk*x_d1 + j_4];
                const double v_28 = partial_i + v_27;
                out_3[i*x_d1 + j_4] = v_21;
                partial[chunk*x_d1 + j_4] = v_28;
            }
            const float v_29 = (float)sum_3;
            const float v_30 = v_29 * v_16;
            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
            const float v_31 = v_30 * s_6;
            double sum_4 = 0.0;
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const int64_t half = st_int_div_i64(x_d1, 2LL);
            double sum_5 = 0.0;
            #pragma omp simd reduction(+ : sum_4, sum_5)
            for (int64_t j_5 = 0; j_5 < half; j_5++) {
                const float x_i_4 = x[i*x_d1 + j_5];
                const float v_32 = x_i_4 - v_6;
                const float c_i_3 = c[i*x_d1 + j_5];
                const float g_i_2 = g[j_5];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_33 = c_i_3 * g_i_2;
                const float v_34 = v_33 * v_15;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_35 = v_32 * v_31;
                const float v_36 = v_35 * (-2.0f);
                const float v_37 = v_34 + v_36;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v_38 = (double)v_37;
                const double v_39 = sum_4 + v_38;
                sum_4 = v_39;
                const float x_i_5 = x[i*x_d1 + half + j_5];
                const float v_40 = x_i_5 - v_6;
                const float c_i_4 = c[i*x_d1 + half + j_5];
                const float g_i_3 = g[half + j_5];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_41 = c_i_4 * g_i_3;
                const float v_42 = v_41 * v_15;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_43 = v_40 * v_31;
                const float v_44 = v_43 * (-2.0f);
                const float v_45 = v_42 + v_44;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v_46 = (double)v_45;
                const double v_47 = sum_5 + v_46;
                sum_5 = v_47;
            }
            const double v_48 = sum_4 + sum_5;
            sum_4 = v_48;
            for (int64_t j_6 = half*2; j_6 < x_d1; j_6++) {
                const float x_i_6 = x[i*x_d1 + j_6];
                const float v_49 = x_i_6 - v_6;
                const float c_i_5 = c[i*x_d1 + j_6];
                const float g_i_4 = g[j_6];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_50 = c_i_5 * g_i_4;
                const float v_51 = v_50 * v_15;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_52 = v_49 * v_31;
                const float v_53 = v_52 * (-2.0f);
                const float v_54 = v_51 + v_53;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v_55 = (double)v_54;
                const double v_56 = sum_4 + v_55;
                sum_4 = v_56;
            }
            const float v_57 = (float)sum_4;
            const float v_58 = v_57 * s_6;
            #pragma omp simd
            for (int64_t j_7 = 0; j_7 < x_d1; j_7++) {
                const float x_i_7 = x[i*x_d1 + j_7];
                const float v_59 = x_i_7 - v_6;
                const float c_i_6 = c[i*x_d1 + j_7];
                const float g_i_5 = g[j_7];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_60 = c_i_6 * g_i_5;
                const float v_61 = v_60 * v_15;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_62 = v_59 * v_31;
                const float v_63 = v_62 * (-2.0f);
                const float v_64 = v_61 + v_63;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_65 = v_64 - v_58;
                out_4[i*x_d1 + j_7] = v_65;
            }
        }
    }
}

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL void kernel_0_sqrt_reciprocal_true_div(const st_runtime *runtime, double *partial,
        double *partial_2, const float *x, const float *c, float *out_3, float *out_4,
        const float *g, const float *b, float *out, float *out_2, const int64_t x_d0,
        const int64_t x_d1, const float s_6) {
    const int64_t rows = st_chunk_rows(x_d0, x_d1, 32768, 16);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    if (st_parallel(runtime, x_d0*x_d1*43)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(chunks, 1);
            kernel_0_sqrt_reciprocal_true_div_part(share.begin, share.end, partial, partial_2, x, c,
                    out_3, out_4, g, b, rows, x_d0, x_d1, s_6);
        }
    } else {
        kernel_0_sqrt_reciprocal_true_div_part(0, chunks, partial, partial_2, x, c, out_3, out_4, g,
                b, rows, x_d0, x_d1, s_6);
    }
    for (int64_t j_8 = 0; j_8 < x_d1; j_8++) {
        double total = 0.0;
        for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
            const double partial_i_2 = partial[chunk_2*x_d1 + j_8];
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const double v_66 = total + partial_i_2;
            total = v_66;
        }
        const float v_67 = (float)total;
        out[j_8] = v_67;
    }
    for (int64_t j_9 = 0; j_9 < x_d1; j_9++) {
        double total_2 = 0.0;
        for (int64_t chunk_3 = 0; chunk_3 < chunks; chunk_3++) {
            const double partial_2_i_2 = partial_2[chunk_3*x_d1 + j_9];
            const double v_68 = total_2 + partial_2_i_2;
            total_2 = v_68;
        }
        const float v_69 = (float)total_2;
        out_2[j_9] = v_69;
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
    /* models.py:40: cost = (y * c).sum() */
    const bool s = x_d0 == c_d0;
    if (!s) {
        status = st_fail(error, ST_ERROR_SHAPE, 0, 2, (const int64_t[]){x_d0, c_d0});
        goto done;
    }
    const bool s_2 = x_d1 == c_d1;
    if (!s_2) {
        status = st_fail(error, ST_ERROR_SHAPE, 1, 2, (const int64_t[]){x_d1, c_d1});
        goto done;
    }
    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
    const bool s_3 = x_d1 == g_d0;
    if (!s_3) {
        status = st_fail(error, ST_ERROR_SHAPE, 2, 2, (const int64_t[]){x_d1, g_d0});
        goto done;
    }
    const bool s_4 = x_d1 == b_d0;
    if (!s_4) {
        status = st_fail(error, ST_ERROR_SHAPE, 3, 2, (const int64_t[]){x_d1, b_d0});
        goto done;
    }
    float *out_3 = runtime->allocate(runtime->context, 0, (const int64_t[]){x_d0, x_d1});
    if (!out_3) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){x_d0*x_d1*4, 0});
        goto done;
    }
    float *out_4 = runtime->allocate(runtime->context, 1, (const int64_t[]){x_d0, x_d1});
    if (!out_4) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){x_d0*x_d1*4, 1});
        goto done;
    }
    float *out = runtime->allocate(runtime->context, 2, (const int64_t[]){x_d1});
    if (!out) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){x_d1*4, 2});
        goto done;
    }
    float *out_2 = runtime->allocate(runtime->context, 3, (const int64_t[]){x_d1});
    if (!out_2) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){x_d1*4, 3});
        goto done;
    }
    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
    const float s_5 = (float)x_d1;
    const float s_6 = 1 / s_5;
    const int64_t slot = st_padded(x_d1*128);
    const int64_t arena_bytes = slot + st_padded(x_d1*128);
    arena = st_arena_open(runtime, arena_bytes, 128.0*x_d1 + 128.0*x_d1);
    if (!arena) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){arena_bytes, -1});
        goto done;
    }
    double *partial = (double *)arena;
    double *partial_2 = (double *)(arena + slot);
    kernel_0_sqrt_reciprocal_true_div(runtime, partial, partial_2, x, c, out_3, out_4, g, b, out,
            out_2, x_d0, x_d1, s_6);
done:
    st_arena_close(runtime, arena);
    return status;
}
