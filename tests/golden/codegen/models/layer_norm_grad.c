/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_sqrt_reciprocal_true_div_part(const int64_t begin, const int64_t end,
        double *partial, double *partial_2, const float *x, const float *c, float *out_3,
        float *out_4, const float *g, const float *b, const int64_t rows, const int64_t x_d0,
        const int64_t x_d1, const float s_2, const bool s_3) {
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < x_d0 ? k : x_d0;
        #pragma omp simd
        for (int64_t j_9 = 0; j_9 < x_d1; j_9++) {
            partial[chunk*x_d1 + j_9] = 0.0;
            partial_2[chunk*x_d1 + j_9] = 0.0;
        }
        for (int64_t i = start; i < stop; i++) {
            double sum_3 = 0.0;
            #pragma omp simd reduction(+ : sum_3)
            for (int64_t j_3 = 0; j_3 < x_d1; j_3++) {
                const float x_i = x[i*x_d1 + j_3];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v = (double)x_i;
                const double v_44 = sum_3 + v;
                sum_3 = v_44;
                const float c_i = c[i*x_d1 + j_3];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const double v_2 = (double)c_i;
                const double partial_i_2 = partial[chunk*x_d1 + j_3];
                const double v_45 = partial_i_2 + v_2;
                partial[chunk*x_d1 + j_3] = v_45;
            }
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const float v_3 = (float)sum_3;
            const float v_4 = v_3 * s_2;
            double sum_4 = 0.0;
            const int64_t k_2 = x_d0*x_d1;
            const bool many = k_2 > 262144LL;
            for (int64_t block = 0; block < x_d1; block += 256) {
                const int64_t k_3 = block + 256;
                const int64_t stop_2 = k_3 < x_d1 ? k_3 : x_d1;
                if (many) {
                    for (int64_t k_4 = block; k_4 < stop_2; k_4 += 16) {
                        __builtin_prefetch(&x[(i + 1)*x_d1 + k_4]);
                        __builtin_prefetch(&c[(i + 1)*x_d1 + k_4]);
                        __builtin_prefetch(&out_3[i*x_d1 + k_4], 1);
                        __builtin_prefetch(&out_4[i*x_d1 + k_4], 1);
                    }
                }
                #pragma omp simd reduction(+ : sum_4)
                for (int64_t j_4 = block; j_4 < stop_2; j_4++) {
                    const float x_i_2 = x[i*x_d1 + j_4];
                    const float v_5 = x_i_2 - v_4;
                    /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                    const float v_6 = v_5 * v_5;
                    const double v_7 = (double)v_6;
                    const double v_46 = sum_4 + v_7;
                    sum_4 = v_46;
                }
            }
            const float v_8 = (float)sum_4;
            const float v_9 = v_8 * s_2;
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const float v_10 = v_9 + 1.0e-05f;
            const float v_11 = __builtin_sqrtf(v_10);
            const float v_12 = 1 / v_11;
            const float v_13 = 0.5f / v_11;
            double sum_5 = 0.0;
            double sum_6 = 0.0;
            #pragma omp simd reduction(+ : sum_5, sum_6)
            for (int64_t j_5 = 0; j_5 < x_d1; j_5++) {
                const float x_i_3 = x[i*x_d1 + j_5];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_14 = x_i_3 - v_4;
                const float c_i_2 = c[i*x_d1 + j_5];
                const float g_i = g[j_5];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_15 = c_i_2 * g_i;
                const float v_16 = v_14 * v_12;
                const float v_17 = v_16 * g_i;
                const float b_i = b[j_5];
                const float v_18 = v_17 + b_i;
                const float v_19 = v_15 * v_12;
                const float v_20 = v_19 * v_16;
                const double v_21 = (double)v_20;
                const double v_47 = sum_5 + v_21;
                sum_5 = v_47;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v_22 = (double)v_19;
                const double v_48 = sum_6 + v_22;
                sum_6 = v_48;
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_23 = c_i_2 * v_16;
                const double v_24 = (double)v_23;
                const double partial_2_i_2 = partial_2[chunk*x_d1 + j_5];
                const double v_49 = partial_2_i_2 + v_24;
                out_3[i*x_d1 + j_5] = v_18;
                partial_2[chunk*x_d1 + j_5] = v_49;
            }
            const float v_25 = (float)sum_5;
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const float v_26 = (float)sum_6;
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const float v_27 = v_25 * v_13;
            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
            const float v_28 = v_27 * s_2;
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const float v_29 = v_4 * v_28;
            const float v_30 = v_29 * 0.0f;
            const float v_31 = v_30 * (-2.0f);
            const float v_32 = s_3 ? 0.0f : v_31;
            const float v_33 = v_26 + v_32;
            const float v_34 = v_33 * s_2;
            #pragma omp simd
            for (int64_t j_6 = 0; j_6 < x_d1; j_6++) {
                const float x_i_4 = x[i*x_d1 + j_6];
                const float v_35 = x_i_4 - v_4;
                const float c_i_3 = c[i*x_d1 + j_6];
                const float g_i_2 = g[j_6];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_36 = c_i_3 * g_i_2;
                const float v_37 = v_36 * v_12;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_38 = v_35 * v_28;
                const float v_39 = v_38 * (-2.0f);
                const float v_40 = v_37 + v_39;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_41 = v_40 - v_34;
                out_4[i*x_d1 + j_6] = v_41;
            }
        }
    }
}

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL void kernel_0_sqrt_reciprocal_true_div(const st_runtime *runtime, double *sum,
        double *sum_2, double *partial, double *partial_2, const float *x, const float *c,
        float *out_3, float *out_4, const float *g, const float *b, float *out, float *out_2,
        const int64_t x_d1, const int64_t x_d0, const float s_2, const bool s_3) {
    #pragma omp simd
    for (int64_t j = 0; j < x_d1; j++) {
        sum[j] = 0.0;
    }
    #pragma omp simd
    for (int64_t j_2 = 0; j_2 < x_d1; j_2++) {
        sum_2[j_2] = 0.0;
    }
    const int64_t rows = st_chunk_rows(x_d0, x_d1, 32768, 16);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    const bool filled = x_d1 > 0LL;
    const int64_t stop_3 = filled ? chunks : 0LL;
    if (st_parallel(runtime, x_d0*x_d1*35)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(stop_3, 1);
            kernel_0_sqrt_reciprocal_true_div_part(share.begin, share.end, partial, partial_2, x, c,
                    out_3, out_4, g, b, rows, x_d0, x_d1, s_2, s_3);
        }
    } else {
        kernel_0_sqrt_reciprocal_true_div_part(0, stop_3, partial, partial_2, x, c, out_3, out_4, g,
                b, rows, x_d0, x_d1, s_2, s_3);
    }
    const bool filled_2 = x_d1 > 0LL;
    const int64_t stop_4 = filled_2 ? chunks : 0LL;
    for (int64_t chunk_2 = 0; chunk_2 < stop_4; chunk_2++) {
        #pragma omp simd
        for (int64_t j_10 = 0; j_10 < x_d1; j_10++) {
            const double partial_i = partial[chunk_2*x_d1 + j_10];
            const double sum_2_i = sum_2[j_10];
            const double v_50 = sum_2_i + partial_i;
            sum_2[j_10] = v_50;
        }
    }
    const bool filled_3 = x_d1 > 0LL;
    const int64_t stop_5 = filled_3 ? chunks : 0LL;
    for (int64_t chunk_3 = 0; chunk_3 < stop_5; chunk_3++) {
        #pragma omp simd
        for (int64_t j_11 = 0; j_11 < x_d1; j_11++) {
            const double partial_2_i = partial_2[chunk_3*x_d1 + j_11];
            const double sum_i = sum[j_11];
            const double v_51 = sum_i + partial_2_i;
            sum[j_11] = v_51;
        }
    }
    #pragma omp simd
    for (int64_t j_7 = 0; j_7 < x_d1; j_7++) {
        const double total = sum[j_7];
        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
        const float v_42 = (float)total;
        out[j_7] = v_42;
    }
    #pragma omp simd
    for (int64_t j_8 = 0; j_8 < x_d1; j_8++) {
        const double total_2 = sum_2[j_8];
        const float v_43 = (float)total_2;
        out_2[j_8] = v_43;
    }
}

/* layer_norm_grad
   inputs: float32 x[x_d0*x_d1], float32 g[x_d1], float32 b[x_d1], float32 c[x_d0*x_d1]
   outputs: float32 out_3[x_d0*x_d1], float32 out_4[x_d0*x_d1], float32 out[x_d1],
       float32 out_2[x_d1]
   workspace: x_d1*272 bytes
   1. out_3, out_4, out, out_2 = kernel_0_sqrt_reciprocal_true_div(x, c, g, b): sum, mul, sub,
       sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1; reads (x_d0*8 + 8)*x_d1,
       writes (x_d0*8 + 8)*x_d1 bytes */
ST_EXPORT int32_t layer_norm_grad(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];
    const float *g = inputs[1].data;
    const int64_t g_d0 = inputs[1].shape[0];
    const float *b = inputs[2].data;
    const int64_t b_d0 = inputs[2].shape[0];
    const float *c = inputs[3].data;
    const int64_t c_d0 = inputs[3].shape[0], c_d1 = inputs[3].shape[1];

    /* models.py:40: cost = (y * c).sum() */
    ST_REQUIRE(x_d0 == c_d0, SHAPE, 0, x_d0, c_d0);
    ST_REQUIRE(x_d1 == c_d1, SHAPE, 1, x_d1, c_d1);
    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
    ST_REQUIRE(x_d1 == g_d0, SHAPE, 2, x_d1, g_d0);
    ST_REQUIRE(x_d1 == b_d0, SHAPE, 3, x_d1, b_d0);

    float *out_3 = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out_3, MEMORY, -1, x_d0*x_d1*4, 0);
    float *out_4 = ST_ALLOCATE(1, x_d0, x_d1);
    ST_REQUIRE(out_4, MEMORY, -1, x_d0*x_d1*4, 1);
    float *out = ST_ALLOCATE(2, x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d1*4, 2);
    float *out_2 = ST_ALLOCATE(3, x_d1);
    ST_REQUIRE(out_2, MEMORY, -1, x_d1*4, 3);

    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
    const float s = (float)x_d1;
    const float s_2 = 1 / s;
    const bool s_3 = x_d1 == 0LL;

    const int64_t slot = st_padded(x_d1*8);
    const int64_t slot_2 = slot + st_padded(x_d1*8);
    const int64_t slot_3 = slot_2 + st_padded(x_d1*128);
    const int64_t arena_bytes = slot_3 + st_padded(x_d1*128);
    arena = st_arena_open(runtime, arena_bytes, 8.0*x_d1 + 8.0*x_d1 + 128.0*x_d1 + 128.0*x_d1);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    double *sum = (double *)arena;
    double *sum_2 = (double *)(arena + slot);
    double *partial = (double *)(arena + slot_2);
    double *partial_2 = (double *)(arena + slot_3);

    kernel_0_sqrt_reciprocal_true_div(runtime, sum, sum_2, partial, partial_2, x, c, out_3, out_4,
            g, b, out, out_2, x_d1, x_d0, s_2, s_3);
done:
    st_arena_close(runtime, arena);
    return status;
}
