/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_sqrt_reciprocal_true_div_part(const int64_t begin, const int64_t end,
        double *partial, double *partial_2, const float *x, const float *c, const float *g,
        const float *b, float *out_3, float *out_4, const int64_t rows, const int64_t x_d0,
        const int64_t x_d1, const float s_6, const bool s_7) {
    _Alignas(64) double sum_7[32];
    _Alignas(64) float v_44[32];
    _Alignas(64) double sum_8[32];
    _Alignas(64) float v_45[32];
    _Alignas(64) float v_46[32];
    _Alignas(64) double sum_9[32];
    _Alignas(64) double sum_10[32];
    _Alignas(64) float v_47[32];
    _Alignas(64) float v_48[32];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < x_d0 ? k : x_d0;
        #pragma omp simd
        for (int64_t j_9 = 0; j_9 < x_d1; j_9++) {
            partial[chunk*x_d1 + j_9] = 0.0;
            partial_2[chunk*x_d1 + j_9] = 0.0;
        }
        const bool short_rows = x_d1 <= 16LL;
        if (short_rows) {
            for (int64_t block = start; block < stop; block += 32) {
                const int64_t k_2 = stop - block;
                const int64_t lanes = k_2 < 32LL ? k_2 : 32LL;
                #pragma omp simd
                for (int64_t lane = 0; lane < lanes; lane++) {
                    sum_7[lane] = 0.0;
                }
                for (int64_t j_12 = 0; j_12 < x_d1; j_12++) {
                    double column = 0.0;
                    #pragma omp simd reduction(+ : column)
                    for (int64_t lane_2 = 0; lane_2 < lanes; lane_2++) {
                        const float x_i_5 = x[(block + lane_2)*x_d1 + j_12];
                        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                        const double v_49 = (double)x_i_5;
                        const double sum_7_i_2 = sum_7[lane_2];
                        const double v_90 = sum_7_i_2 + v_49;
                        const float c_i_4 = c[(block + lane_2)*x_d1 + j_12];
                        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                        const double v_50 = (double)c_i_4;
                        const double v_91 = column + v_50;
                        column = v_91;
                        sum_7[lane_2] = v_90;
                    }
                    const double partial_i_2 = partial[chunk*x_d1 + j_12];
                    const double v_92 = partial_i_2 + column;
                    partial[chunk*x_d1 + j_12] = v_92;
                }
                #pragma omp simd
                for (int64_t lane_3 = 0; lane_3 < lanes; lane_3++) {
                    const double sum_7_i = sum_7[lane_3];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_51 = (float)sum_7_i;
                    const float v_52 = v_51 * s_6;
                    v_44[lane_3] = v_52;
                    sum_8[lane_3] = 0.0;
                }
                for (int64_t j_13 = 0; j_13 < x_d1; j_13++) {
                    #pragma omp simd
                    for (int64_t lane_4 = 0; lane_4 < lanes; lane_4++) {
                        const float v_44_i = v_44[lane_4];
                        const float x_i_6 = x[(block + lane_4)*x_d1 + j_13];
                        const float v_53 = x_i_6 - v_44_i;
                        /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                        const float v_54 = v_53 * v_53;
                        const double v_55 = (double)v_54;
                        const double sum_8_i_2 = sum_8[lane_4];
                        const double v_93 = sum_8_i_2 + v_55;
                        sum_8[lane_4] = v_93;
                    }
                }
                #pragma omp simd
                for (int64_t lane_5 = 0; lane_5 < lanes; lane_5++) {
                    const double sum_8_i = sum_8[lane_5];
                    const float v_56 = (float)sum_8_i;
                    const float v_57 = v_56 * s_6;
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_58 = v_57 + 1.0e-05f;
                    const float v_59 = __builtin_sqrtf(v_58);
                    const float v_60 = 1 / v_59;
                    v_45[lane_5] = v_60;
                    const float v_61 = 0.5f / v_59;
                    v_46[lane_5] = v_61;
                    sum_9[lane_5] = 0.0;
                    sum_10[lane_5] = 0.0;
                }
                for (int64_t j_14 = 0; j_14 < x_d1; j_14++) {
                    double column_2 = 0.0;
                    #pragma omp simd reduction(+ : column_2)
                    for (int64_t lane_6 = 0; lane_6 < lanes; lane_6++) {
                        const float v_44_i_2 = v_44[lane_6];
                        const float v_45_i = v_45[lane_6];
                        const float x_i_7 = x[(block + lane_6)*x_d1 + j_14];
                        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                        const float v_62 = x_i_7 - v_44_i_2;
                        const float c_i_5 = c[(block + lane_6)*x_d1 + j_14];
                        const float g_i_3 = g[j_14];
                        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                        const float v_63 = c_i_5 * g_i_3;
                        const float v_64 = v_62 * v_45_i;
                        const float v_65 = v_64 * g_i_3;
                        const float b_i_2 = b[j_14];
                        const float v_66 = v_65 + b_i_2;
                        const float v_67 = v_63 * v_45_i;
                        const float v_68 = v_67 * v_64;
                        const double v_69 = (double)v_68;
                        const double sum_9_i_2 = sum_9[lane_6];
                        const double v_94 = sum_9_i_2 + v_69;
                        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                        const double v_70 = (double)v_67;
                        const double sum_10_i_2 = sum_10[lane_6];
                        const double v_95 = sum_10_i_2 + v_70;
                        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                        const float v_71 = c_i_5 * v_64;
                        const double v_72 = (double)v_71;
                        const double v_96 = column_2 + v_72;
                        column_2 = v_96;
                        out_3[(block + lane_6)*x_d1 + j_14] = v_66;
                        sum_9[lane_6] = v_94;
                        sum_10[lane_6] = v_95;
                    }
                    const double partial_2_i_2 = partial_2[chunk*x_d1 + j_14];
                    const double v_97 = partial_2_i_2 + column_2;
                    partial_2[chunk*x_d1 + j_14] = v_97;
                }
                #pragma omp simd
                for (int64_t lane_7 = 0; lane_7 < lanes; lane_7++) {
                    const double sum_9_i = sum_9[lane_7];
                    const double sum_10_i = sum_10[lane_7];
                    const float v_46_i = v_46[lane_7];
                    const float v_44_i_3 = v_44[lane_7];
                    const float v_73 = (float)sum_9_i;
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_74 = (float)sum_10_i;
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_75 = v_73 * v_46_i;
                    /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                    const float v_76 = v_75 * s_6;
                    v_47[lane_7] = v_76;
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_77 = v_44_i_3 * v_76;
                    const float v_78 = v_77 * 0.0f;
                    const float v_79 = v_78 * (-2.0f);
                    const float v_80 = s_7 ? 0.0f : v_79;
                    const float v_81 = v_74 + v_80;
                    const float v_82 = v_81 * s_6;
                    v_48[lane_7] = v_82;
                }
                for (int64_t j_15 = 0; j_15 < x_d1; j_15++) {
                    #pragma omp simd
                    for (int64_t lane_8 = 0; lane_8 < lanes; lane_8++) {
                        const float v_44_i_4 = v_44[lane_8];
                        const float v_45_i_2 = v_45[lane_8];
                        const float v_47_i = v_47[lane_8];
                        const float v_48_i = v_48[lane_8];
                        const float x_i_8 = x[(block + lane_8)*x_d1 + j_15];
                        const float v_83 = x_i_8 - v_44_i_4;
                        const float c_i_6 = c[(block + lane_8)*x_d1 + j_15];
                        const float g_i_4 = g[j_15];
                        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                        const float v_84 = c_i_6 * g_i_4;
                        const float v_85 = v_84 * v_45_i_2;
                        /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                        const float v_86 = v_83 * v_47_i;
                        const float v_87 = v_86 * (-2.0f);
                        const float v_88 = v_85 + v_87;
                        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                        const float v_89 = v_88 - v_48_i;
                        out_4[(block + lane_8)*x_d1 + j_15] = v_89;
                    }
                }
            }
        } else {
            const bool filled = x_d1 > 0LL;
            const int64_t stop_3 = filled ? stop : start;
            for (int64_t i = start; i < stop_3; i++) {
                double sum_3 = 0.0;
                #pragma omp simd reduction(+ : sum_3)
                for (int64_t j_3 = 0; j_3 < x_d1; j_3++) {
                    const float x_i = x[i*x_d1 + j_3];
                    const double v = (double)x_i;
                    const double v_98 = sum_3 + v;
                    sum_3 = v_98;
                    const float c_i = c[i*x_d1 + j_3];
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const double v_2 = (double)c_i;
                    const double partial_i_3 = partial[chunk*x_d1 + j_3];
                    const double v_99 = partial_i_3 + v_2;
                    partial[chunk*x_d1 + j_3] = v_99;
                }
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_3 = (float)sum_3;
                const float v_4 = v_3 * s_6;
                double sum_4 = 0.0;
                const int64_t k_3 = x_d0*x_d1;
                const bool many = k_3 > 262144LL;
                for (int64_t block_2 = 0; block_2 < x_d1; block_2 += 512) {
                    const int64_t k_4 = block_2 + 512;
                    const int64_t stop_2 = k_4 < x_d1 ? k_4 : x_d1;
                    if (many) {
                        for (int64_t k_5 = block_2; k_5 < stop_2; k_5 += 16) {
                            __builtin_prefetch(&x[(i + 1)*x_d1 + k_5]);
                            __builtin_prefetch(&c[(i + 1)*x_d1 + k_5]);
                            __builtin_prefetch(&out_3[i*x_d1 + k_5], 1);
                            __builtin_prefetch(&out_4[i*x_d1 + k_5], 1);
                        }
                    }
                    #pragma omp simd reduction(+ : sum_4)
                    for (int64_t j_4 = block_2; j_4 < stop_2; j_4++) {
                        const float x_i_2 = x[i*x_d1 + j_4];
                        const float v_5 = x_i_2 - v_4;
                        /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                        const float v_6 = v_5 * v_5;
                        const double v_7 = (double)v_6;
                        const double v_100 = sum_4 + v_7;
                        sum_4 = v_100;
                    }
                }
                const float v_8 = (float)sum_4;
                const float v_9 = v_8 * s_6;
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
                    const double v_101 = sum_5 + v_21;
                    sum_5 = v_101;
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const double v_22 = (double)v_19;
                    const double v_102 = sum_6 + v_22;
                    sum_6 = v_102;
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_23 = c_i_2 * v_16;
                    const double v_24 = (double)v_23;
                    const double partial_2_i_3 = partial_2[chunk*x_d1 + j_5];
                    const double v_103 = partial_2_i_3 + v_24;
                    out_3[i*x_d1 + j_5] = v_18;
                    partial_2[chunk*x_d1 + j_5] = v_103;
                }
                const float v_25 = (float)sum_5;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_26 = (float)sum_6;
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_27 = v_25 * v_13;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_28 = v_27 * s_6;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_29 = v_4 * v_28;
                const float v_30 = v_29 * 0.0f;
                const float v_31 = v_30 * (-2.0f);
                const float v_32 = s_7 ? 0.0f : v_31;
                const float v_33 = v_26 + v_32;
                const float v_34 = v_33 * s_6;
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
}

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL void kernel_0_sqrt_reciprocal_true_div(const st_runtime *runtime, double *sum,
        double *sum_2, double *partial, double *partial_2, const float *x, const float *c,
        const float *g, const float *b, float *out_3, float *out_4, float *out, float *out_2,
        const int64_t x_d1, const int64_t x_d0, const float s_6, const bool s_7) {
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
    if (st_parallel(runtime, x_d0*x_d1*35)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(chunks, 1);
            kernel_0_sqrt_reciprocal_true_div_part(share.begin, share.end, partial, partial_2, x, c,
                    g, b, out_3, out_4, rows, x_d0, x_d1, s_6, s_7);
        }
    } else {
        kernel_0_sqrt_reciprocal_true_div_part(0, chunks, partial, partial_2, x, c, g, b, out_3,
                out_4, rows, x_d0, x_d1, s_6, s_7);
    }
    const bool filled_2 = x_d1 > 0LL;
    const int64_t stop_4 = filled_2 ? chunks : 0LL;
    for (int64_t chunk_2 = 0; chunk_2 < stop_4; chunk_2++) {
        #pragma omp simd
        for (int64_t j_10 = 0; j_10 < x_d1; j_10++) {
            const double partial_i = partial[chunk_2*x_d1 + j_10];
            const double sum_2_i = sum_2[j_10];
            const double v_104 = sum_2_i + partial_i;
            sum_2[j_10] = v_104;
        }
    }
    const bool filled_3 = x_d1 > 0LL;
    const int64_t stop_5 = filled_3 ? chunks : 0LL;
    for (int64_t chunk_3 = 0; chunk_3 < stop_5; chunk_3++) {
        #pragma omp simd
        for (int64_t j_11 = 0; j_11 < x_d1; j_11++) {
            const double partial_2_i = partial_2[chunk_3*x_d1 + j_11];
            const double sum_i = sum[j_11];
            const double v_105 = sum_i + partial_2_i;
            sum[j_11] = v_105;
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
    const bool s_7 = x_d1 == 0LL;
    const int64_t slot = st_padded(x_d1*8);
    const int64_t slot_2 = slot + st_padded(x_d1*8);
    const int64_t slot_3 = slot_2 + st_padded(x_d1*128);
    const int64_t arena_bytes = slot_3 + st_padded(x_d1*128);
    arena = st_arena_open(runtime, arena_bytes, 8.0*x_d1 + 8.0*x_d1 + 128.0*x_d1 + 128.0*x_d1);
    if (!arena) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){arena_bytes, -1});
        goto done;
    }
    double *sum = (double *)arena;
    double *sum_2 = (double *)(arena + slot);
    double *partial = (double *)(arena + slot_2);
    double *partial_2 = (double *)(arena + slot_3);
    kernel_0_sqrt_reciprocal_true_div(runtime, sum, sum_2, partial, partial_2, x, c, g, b, out_3,
            out_4, out, out_2, x_d1, x_d0, s_6, s_7);
done:
    st_arena_close(runtime, arena);
    return status;
}
