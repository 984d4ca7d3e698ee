/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_cast_lt_all_part(const int64_t begin, const int64_t end, const int32_t *y,
        uint8_t *partial, const int64_t rows, const int64_t y_d0, const int64_t W2_d1,
        const int64_t s) {
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < y_d0 ? k : y_d0;
        uint8_t all_2 = true;
        #pragma omp simd reduction(& : all_2)
        for (int64_t i = start; i < stop; i++) {
            const int32_t y_i = y[i];
            const int64_t v = (int64_t)y_i;
            const bool v_2 = v < W2_d1;
            const bool v_3 = v >= s;
            const bool v_4 = v_3 & v_2;
            const uint8_t v_5 = all_2 & v_4;
            all_2 = v_5;
        }
        partial[chunk] = all_2;
    }
}

/* cast, lt, ge, and_, all over y_d0 */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL bool kernel_0_cast_lt_all(const st_runtime *runtime, const int32_t *y, const int64_t y_d0,
        const int64_t W2_d1, const int64_t s) {
    _Alignas(64) uint8_t partial[64];
    uint8_t all = true;
    const int64_t rows = st_chunk_rows(y_d0, 1, 32768, 64);
    const int64_t chunks = (rows + y_d0 - 1) / rows;
    if (st_parallel(runtime, y_d0*6)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(chunks, 1);
            kernel_0_cast_lt_all_part(share.begin, share.end, y, partial, rows, y_d0, W2_d1, s);
        }
    } else {
        kernel_0_cast_lt_all_part(0, chunks, y, partial, rows, y_d0, W2_d1, s);
    }
    for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
        const bool partial_i = partial[chunk_2] != 0;
        const uint8_t v_6 = all & partial_i;
        all = v_6;
    }
    return all;
}

ST_KERNEL void kernel_2_add_tanh_part(const int64_t begin, const int64_t end, const float *dot,
        const float *b1, float *tanh, const int64_t W1_d1) {
    for (int64_t i_2 = begin; i_2 < end; i_2++) {
        #pragma omp simd
        for (int64_t j = 0; j < W1_d1; j++) {
            const float dot_i = dot[W1_d1*i_2 + j];
            const float b1_i = b1[j];
            const float v_7 = dot_i + b1_i;
            const float v_8 = tanhf(v_7);
            tanh[W1_d1*i_2 + j] = v_8;
        }
    }
}

/* add, tanh over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL void kernel_2_add_tanh(const st_runtime *runtime, const float *dot, const float *b1,
        float *tanh, const int64_t W1_d1, const int64_t y_d0) {
    const bool filled = W1_d1 > 0LL;
    const int64_t stop_2 = filled ? y_d0 : 0LL;
    if (st_parallel(runtime, W1_d1*y_d0*16)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(stop_2, 1);
            kernel_2_add_tanh_part(share.begin, share.end, dot, b1, tanh, W1_d1);
        }
    } else {
        kernel_2_add_tanh_part(0, stop_2, dot, b1, tanh, W1_d1);
    }
}

ST_KERNEL void kernel_4_exp_log_reciprocal_part(const int64_t begin, const int64_t end,
        double *partial_3, const float *dot_2, const float *b2, const int32_t *y, float *mul,
        double *partial_2, const int64_t rows_2, const int64_t y_d0, const int64_t W2_d1,
        const float s_3) {
    _Alignas(64) float max_2[32];
    _Alignas(64) float nan_2[32];
    _Alignas(64) float v_35[32];
    _Alignas(64) int64_t v_38[32];
    _Alignas(64) float v_36[32];
    _Alignas(64) double sum_8[32];
    _Alignas(64) float v_37[32];
    for (int64_t chunk_3 = begin; chunk_3 < end; chunk_3++) {
        const int64_t start_2 = chunk_3*rows_2;
        const int64_t k_2 = rows_2 + start_2;
        const int64_t stop_3 = k_2 < y_d0 ? k_2 : y_d0;
        double sum_7 = 0.0;
        #pragma omp simd
        for (int64_t j_7 = 0; j_7 < W2_d1; j_7++) {
            partial_3[W2_d1*chunk_3 + j_7] = 0.0;
        }
        const bool short_rows = W2_d1 <= 16LL;
        if (short_rows) {
            for (int64_t block = start_2; block < stop_3; block += 32) {
                const int64_t k_3 = stop_3 - block;
                const int64_t lanes = k_3 < 32LL ? k_3 : 32LL;
                #pragma omp simd
                for (int64_t lane = 0; lane < lanes; lane++) {
                    max_2[lane] = -__builtin_inff();
                    nan_2[lane] = 0.0f;
                }
                for (int64_t j_9 = 0; j_9 < W2_d1; j_9++) {
                    #pragma omp simd
                    for (int64_t lane_2 = 0; lane_2 < lanes; lane_2++) {
                        const float dot_2_i_4 = dot_2[(block + lane_2)*W2_d1 + j_9];
                        const float b2_i_4 = b2[j_9];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_39 = dot_2_i_4 + b2_i_4;
                        const float max_2_i_2 = max_2[lane_2];
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_64 = v_39 > max_2_i_2 ? v_39 : max_2_i_2;
                        const float nan_2_i_2 = nan_2[lane_2];
                        const float v_65 = v_39 != v_39 ? v_39 : nan_2_i_2;
                        max_2[lane_2] = v_64;
                        nan_2[lane_2] = v_65;
                    }
                }
                #pragma omp simd
                for (int64_t lane_3 = 0; lane_3 < lanes; lane_3++) {
                    const float max_2_i = max_2[lane_3];
                    const float nan_2_i = nan_2[lane_3];
                    const float v_40 = nan_2_i != nan_2_i ? nan_2_i : max_2_i;
                    const bool v_41 = __builtin_fabsf(v_40) == __builtin_inff();
                    const float v_42 = v_41 ? 0.0f : v_40;
                    v_35[lane_3] = v_42;
                    const int32_t y_i_3 = y[block + lane_3];
                    const int64_t v_43 = (int64_t)y_i_3;
                    const bool v_44 = v_43 < 0LL;
                    const int64_t v_45 = v_43 + W2_d1;
                    const int64_t v_46 = v_44 ? v_45 : v_43;
                    v_38[lane_3] = v_46;
                    const float dot_2_i_5 = dot_2[(block + lane_3)*W2_d1 + v_46];
                    const float b2_i_5 = b2[v_46];
                    const float v_47 = dot_2_i_5 + b2_i_5;
                    const float v_48 = v_47 - v_42;
                    v_36[lane_3] = v_48;
                    sum_8[lane_3] = 0.0;
                }
                for (int64_t j_10 = 0; j_10 < W2_d1; j_10++) {
                    #pragma omp simd
                    for (int64_t lane_4 = 0; lane_4 < lanes; lane_4++) {
                        const float v_35_i = v_35[lane_4];
                        const float dot_2_i_6 = dot_2[(block + lane_4)*W2_d1 + j_10];
                        const float b2_i_6 = b2[j_10];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_49 = dot_2_i_6 + b2_i_6;
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_50 = v_49 - v_35_i;
                        const float v_51 = expf(v_50);
                        const double v_52 = (double)v_51;
                        const double sum_8_i_2 = sum_8[lane_4];
                        const double v_66 = sum_8_i_2 + v_52;
                        mul[(block + lane_4)*W2_d1 + j_10] = v_51;
                        sum_8[lane_4] = v_66;
                    }
                }
                #pragma omp simd reduction(+ : sum_7)
                for (int64_t lane_5 = 0; lane_5 < lanes; lane_5++) {
                    const double sum_8_i = sum_8[lane_5];
                    const float v_36_i = v_36[lane_5];
                    const float v_53 = (float)sum_8_i;
                    const float v_54 = logf(v_53);
                    const float v_55 = v_36_i - v_54;
                    const double v_56 = (double)v_55;
                    const double v_67 = sum_7 + v_56;
                    sum_7 = v_67;
                    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                    const float v_57 = 1 / v_53;
                    v_37[lane_5] = v_57;
                }
                for (int64_t j_11 = 0; j_11 < W2_d1; j_11++) {
                    double partial_4 = 0.0;
                    #pragma omp simd reduction(+ : partial_4)
                    for (int64_t lane_6 = 0; lane_6 < lanes; lane_6++) {
                        const float v_37_i = v_37[lane_6];
                        const int64_t v_38_i = v_38[lane_6];
                        const float mul_i_2 = mul[(block + lane_6)*W2_d1 + j_11];
                        const float v_58 = mul_i_2 * v_37_i;
                        const int64_t j_12 = j_11;
                        const bool v_59 = j_12 == v_38_i;
                        const float v_60 = v_59 ? (float)1 : (float)0;
                        const float v_61 = v_58 - v_60;
                        const float v_62 = v_61 * s_3;
                        const double v_63 = (double)v_62;
                        const double v_68 = partial_4 + v_63;
                        partial_4 = v_68;
                        mul[(block + lane_6)*W2_d1 + j_11] = v_62;
                    }
                    const double partial_3_i_2 = partial_3[W2_d1*chunk_3 + j_11];
                    const double v_69 = partial_3_i_2 + partial_4;
                    partial_3[W2_d1*chunk_3 + j_11] = v_69;
                }
            }
        } else {
            for (int64_t i_3 = start_2; i_3 < stop_3; i_3++) {
                float max = -__builtin_inff();
                float nan = 0.0f;
                #pragma omp simd reduction(st_reduce_larger_f32 : max) reduction(st_reduce_nan_or_f32 : nan)
                for (int64_t j_3 = 0; j_3 < W2_d1; j_3++) {
                    const float dot_2_i = dot_2[W2_d1*i_3 + j_3];
                    const float b2_i = b2[j_3];
                    const float v_9 = dot_2_i + b2_i;
                    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                    const float v_70 = v_9 > max ? v_9 : max;
                    max = v_70;
                    const float v_71 = v_9 != v_9 ? v_9 : nan;
                    nan = v_71;
                }
                const float v_10 = nan != nan ? nan : max;
                const bool v_11 = __builtin_fabsf(v_10) == __builtin_inff();
                const float v_12 = v_11 ? 0.0f : v_10;
                const int32_t y_i_2 = y[i_3];
                const int64_t v_13 = (int64_t)y_i_2;
                const bool v_14 = v_13 < 0LL;
                const int64_t v_15 = v_13 + W2_d1;
                const int64_t v_16 = v_14 ? v_15 : v_13;
                const float dot_2_i_2 = dot_2[W2_d1*i_3 + v_16];
                const float b2_i_2 = b2[v_16];
                const float v_17 = dot_2_i_2 + b2_i_2;
                const float v_18 = v_17 - v_12;
                double sum_5 = 0.0;
                const int64_t k_4 = W2_d1*y_d0;
                const bool many = k_4 > 262144LL;
                for (int64_t block_2 = 0; block_2 < W2_d1; block_2 += 256) {
                    const int64_t k_5 = block_2 + 256;
                    const int64_t stop_4 = k_5 < W2_d1 ? k_5 : W2_d1;
                    if (many) {
                        for (int64_t k_6 = block_2; k_6 < stop_4; k_6 += 16) {
                            __builtin_prefetch(&dot_2[(i_3 + 1)*W2_d1 + k_6]);
                            __builtin_prefetch(&mul[(i_3 + 1)*W2_d1 + k_6], 1);
                        }
                    }
                    #pragma omp simd reduction(+ : sum_5)
                    for (int64_t j_4 = block_2; j_4 < stop_4; j_4++) {
                        const float dot_2_i_3 = dot_2[W2_d1*i_3 + j_4];
                        const float b2_i_3 = b2[j_4];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_19 = dot_2_i_3 + b2_i_3;
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_20 = v_19 - v_12;
                        const float v_21 = expf(v_20);
                        const double v_22 = (double)v_21;
                        const double v_72 = sum_5 + v_22;
                        sum_5 = v_72;
                        mul[W2_d1*i_3 + j_4] = v_21;
                    }
                }
                const float v_23 = (float)sum_5;
                const float v_24 = logf(v_23);
                const float v_25 = v_18 - v_24;
                const double v_26 = (double)v_25;
                const double v_73 = sum_7 + v_26;
                sum_7 = v_73;
                /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                const float v_27 = 1 / v_23;
                #pragma omp simd
                for (int64_t j_5 = 0; j_5 < W2_d1; j_5++) {
                    const float mul_i = mul[W2_d1*i_3 + j_5];
                    const float v_28 = mul_i * v_27;
                    const bool v_29 = j_5 == v_16;
                    const float v_30 = v_29 ? (float)1 : (float)0;
                    const float v_31 = v_28 - v_30;
                    const float v_32 = v_31 * s_3;
                    const double v_33 = (double)v_32;
                    const double partial_3_i_3 = partial_3[W2_d1*chunk_3 + j_5];
                    const double v_74 = partial_3_i_3 + v_33;
                    mul[W2_d1*i_3 + j_5] = v_32;
                    partial_3[W2_d1*chunk_3 + j_5] = v_74;
                }
            }
        }
        partial_2[chunk_3] = sum_7;
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL float kernel_4_exp_log_reciprocal(const st_runtime *runtime, double *sum_4,
        double *partial_3, const float *dot_2, const float *b2, const int32_t *y, float *mul,
        float *sum, const int64_t W2_d1, const int64_t y_d0, const float s_3) {
    _Alignas(64) double partial_2[16];
    double sum_3 = 0.0;
    #pragma omp simd
    for (int64_t j_2 = 0; j_2 < W2_d1; j_2++) {
        sum_4[j_2] = 0.0;
    }
    const int64_t rows_2 = st_chunk_rows(y_d0, W2_d1, 32768, 16);
    const int64_t chunks_2 = (rows_2 + y_d0 - 1) / rows_2;
    if (st_parallel(runtime, W2_d1*y_d0*28)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(chunks_2, 1);
            kernel_4_exp_log_reciprocal_part(share.begin, share.end, partial_3, dot_2, b2, y, mul,
                    partial_2, rows_2, y_d0, W2_d1, s_3);
        }
    } else {
        kernel_4_exp_log_reciprocal_part(0, chunks_2, partial_3, dot_2, b2, y, mul, partial_2,
                rows_2, y_d0, W2_d1, s_3);
    }
    for (int64_t chunk_4 = 0; chunk_4 < chunks_2; chunk_4++) {
        const double partial_2_i = partial_2[chunk_4];
        const double v_75 = sum_3 + partial_2_i;
        sum_3 = v_75;
    }
    const bool filled_2 = W2_d1 > 0LL;
    const int64_t stop_5 = filled_2 ? chunks_2 : 0LL;
    for (int64_t chunk_5 = 0; chunk_5 < stop_5; chunk_5++) {
        #pragma omp simd
        for (int64_t j_8 = 0; j_8 < W2_d1; j_8++) {
            const double partial_3_i = partial_3[W2_d1*chunk_5 + j_8];
            const double sum_4_i = sum_4[j_8];
            const double v_76 = sum_4_i + partial_3_i;
            sum_4[j_8] = v_76;
        }
    }
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float sum_6 = (float)sum_3;
    #pragma omp simd
    for (int64_t j_6 = 0; j_6 < W2_d1; j_6++) {
        const double total = sum_4[j_6];
        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
        const float v_34 = (float)total;
        sum[j_6] = v_34;
    }
    return sum_6;
}

ST_KERNEL void kernel_6_sqr_sub_sum_part(const int64_t begin, const int64_t end, double *partial_5,
        const float *tanh, const float *dot_3, float *mul_2, const int64_t rows_3,
        const int64_t y_d0, const int64_t W1_d1) {
    for (int64_t chunk_6 = begin; chunk_6 < end; chunk_6++) {
        const int64_t start_3 = chunk_6*rows_3;
        const int64_t k_7 = rows_3 + start_3;
        const int64_t stop_6 = k_7 < y_d0 ? k_7 : y_d0;
        #pragma omp simd
        for (int64_t j_16 = 0; j_16 < W1_d1; j_16++) {
            partial_5[W1_d1*chunk_6 + j_16] = 0.0;
        }
        for (int64_t i_4 = start_3; i_4 < stop_6; i_4++) {
            #pragma omp simd
            for (int64_t j_14 = 0; j_14 < W1_d1; j_14++) {
                const float tanh_i = tanh[W1_d1*i_4 + j_14];
                const float v_77 = tanh_i * tanh_i;
                const float v_78 = 1.0f - v_77;
                const float dot_3_i = dot_3[W1_d1*i_4 + j_14];
                const float v_79 = dot_3_i * v_78;
                const double v_80 = (double)v_79;
                const double partial_5_i_2 = partial_5[W1_d1*chunk_6 + j_14];
                const double v_82 = partial_5_i_2 + v_80;
                mul_2[W1_d1*i_4 + j_14] = v_79;
                partial_5[W1_d1*chunk_6 + j_14] = v_82;
            }
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL void kernel_6_sqr_sub_sum(const st_runtime *runtime, double *sum_9, double *partial_5,
        const float *tanh, const float *dot_3, float *mul_2, float *sum_2, const int64_t W1_d1,
        const int64_t y_d0) {
    #pragma omp simd
    for (int64_t j_13 = 0; j_13 < W1_d1; j_13++) {
        sum_9[j_13] = 0.0;
    }
    const int64_t rows_3 = st_chunk_rows(y_d0, W1_d1, 32768, 16);
    const int64_t chunks_3 = (rows_3 + y_d0 - 1) / rows_3;
    const bool filled_3 = W1_d1 > 0LL;
    const int64_t stop_7 = filled_3 ? chunks_3 : 0LL;
    if (st_parallel(runtime, W1_d1*y_d0*6)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(stop_7, 1);
            kernel_6_sqr_sub_sum_part(share.begin, share.end, partial_5, tanh, dot_3, mul_2, rows_3,
                    y_d0, W1_d1);
        }
    } else {
        kernel_6_sqr_sub_sum_part(0, stop_7, partial_5, tanh, dot_3, mul_2, rows_3, y_d0, W1_d1);
    }
    const bool filled_4 = W1_d1 > 0LL;
    const int64_t stop_8 = filled_4 ? chunks_3 : 0LL;
    for (int64_t chunk_7 = 0; chunk_7 < stop_8; chunk_7++) {
        #pragma omp simd
        for (int64_t j_17 = 0; j_17 < W1_d1; j_17++) {
            const double partial_5_i = partial_5[W1_d1*chunk_7 + j_17];
            const double sum_9_i = sum_9[j_17];
            const double v_83 = sum_9_i + partial_5_i;
            sum_9[j_17] = v_83;
        }
    }
    #pragma omp simd
    for (int64_t j_15 = 0; j_15 < W1_d1; j_15++) {
        const double total_2 = sum_9[j_15];
        const float v_81 = (float)total_2;
        sum_2[j_15] = v_81;
    }
}

ST_KERNEL void kernel_8_mul_sub_part(const int64_t begin, const int64_t end, const float *sum_2,
        float *b1, const float rate_2) {
    #pragma omp simd
    for (int64_t i_5 = begin; i_5 < end; i_5++) {
        const float sum_2_i = sum_2[i_5];
        const float v_84 = sum_2_i * rate_2;
        const float b1_i_2 = b1[i_5];
        const float v_85 = b1_i_2 - v_84;
        b1[i_5] = v_85;
    }
}

/* mul, sub over W1_d1 */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL void kernel_8_mul_sub(const st_runtime *runtime, const float *sum_2, float *b1,
        const int64_t W1_d1, const float rate_2) {
    if (st_parallel(runtime, W1_d1*2)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(W1_d1, 256);
            kernel_8_mul_sub_part(share.begin, share.end, sum_2, b1, rate_2);
        }
    } else {
        kernel_8_mul_sub_part(0, W1_d1, sum_2, b1, rate_2);
    }
}

/* network_step
   inputs: float32 x[x_d1*y_d0], int32 y[y_d0], float32 rate[1]
   changed: float32 W1[W1_d1*x_d1], float32 b1[W1_d1], float32 W2[W1_d1*W2_d1], float32 b2[W2_d1]
   outputs: float32 out[1]
   workspace: (y_d0*8 + 140)*W1_d1 + (y_d0*8 + 140)*W2_d1 bytes
   1. all = kernel_0_cast_lt_all(y): cast, lt, ge, and_, all over y_d0; reads y_d0*4 bytes
   2. dot = st_gemm_f32(x, W1): reads (W1_d1*4 + y_d0*4)*x_d1, writes W1_d1*y_d0*4 bytes
   3. tanh = kernel_2_add_tanh(dot, b1): add, tanh over y_d0 x W1_d1; reads (y_d0*4 + 4)*W1_d1,
       writes W1_d1*y_d0*4 bytes
   4. dot_2 = st_gemm_f32(tanh, W2): reads (W2_d1*4 + y_d0*4)*W1_d1, writes W2_d1*y_d0*4 bytes
   5. sum, sum_6 = kernel_4_exp_log_reciprocal(dot_2, b2, y): add, max, isinf, switch, sub, exp,
       sum, log, reciprocal, mul over y_d0 x W2_d1; reads (y_d0*4 + 4)*W2_d1 + y_d0*4, writes
       W2_d1*4 bytes
   6. dot_3 = st_gemm_f32(mul, W2): reads (W1_d1*4 + y_d0*4)*W2_d1, writes W1_d1*y_d0*4 bytes
   7. mul_2, sum_2 = kernel_6_sqr_sub_sum(tanh, dot_3): sqr, sub, mul, sum over y_d0 x W1_d1;
       reads W1_d1*y_d0*8, writes (y_d0*4 + 4)*W1_d1 bytes
   8. W1 = st_gemm_f32(x, mul_2, W1): reads (x_d1*4 + y_d0*4)*W1_d1 + x_d1*y_d0*4, writes
       W1_d1*x_d1*4 bytes
   9. b1 = kernel_8_mul_sub(sum_2, b1): mul, sub over W1_d1; reads W1_d1*8, writes W1_d1*4 bytes
   10. W2 = st_gemm_f32(tanh, mul, W2): reads (W2_d1*4 + y_d0*4)*W1_d1 + W2_d1*y_d0*4, writes
       W1_d1*W2_d1*4 bytes
   11. b2 = kernel_8_mul_sub(sum, b2): mul, sub over W2_d1; reads W2_d1*8, writes W2_d1*4 bytes */
ST_EXPORT int32_t network_step(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];
    const int32_t *y = inputs[1].data;
    const int64_t y_d0 = inputs[1].shape[0];
    const float *rate = inputs[2].data;
    float *W1 = inputs[3].data;
    const int64_t W1_d0 = inputs[3].shape[0], W1_d1 = inputs[3].shape[1];
    float *b1 = inputs[4].data;
    const int64_t b1_d0 = inputs[4].shape[0];
    float *W2 = inputs[5].data;
    const int64_t W2_d0 = inputs[5].shape[0], W2_d1 = inputs[5].shape[1];
    float *b2 = inputs[6].data;
    const int64_t b2_d0 = inputs[6].shape[0];

    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
    ST_REQUIRE(x_d1 == W1_d0, SHAPE, 0, x_d1, W1_d0);
    ST_REQUIRE(W1_d1 == b1_d0, SHAPE, 1, W1_d1, b1_d0);
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    ST_REQUIRE(W1_d1 == W2_d0, SHAPE, 2, W1_d1, W2_d0);
    ST_REQUIRE(W2_d1 == b2_d0, SHAPE, 3, W2_d1, b2_d0);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    ST_REQUIRE(y_d0 == x_d0, SHAPE, 4, y_d0, x_d0);
    const float rate_2 = rate[0];

    float *out = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out, MEMORY, -1, 4, 0);

    const int64_t s = -W2_d1;
    const bool all = kernel_0_cast_lt_all(runtime, y, y_d0, W2_d1, s);
    ST_REQUIRE(all, INDEX, 5, W2_d1);

    const int64_t slot = st_padded(W1_d1*y_d0*4);
    const int64_t slot_2 = slot + st_padded(W2_d1*y_d0*4);
    const int64_t slot_3 = slot_2 + st_padded(W2_d1*y_d0*4);
    const int64_t slot_4 = slot_3 + st_padded(W2_d1*4);
    const int64_t slot_5 = slot_4 + st_padded(W1_d1*y_d0*4);
    const int64_t slot_6 = slot_5 + st_padded(W1_d1*4);
    const int64_t slot_7 = slot_6 + st_padded(W2_d1*8);
    const int64_t slot_8 = slot_7 + st_padded(W2_d1*128);
    const int64_t slot_9 = slot_8 + st_padded(W1_d1*8);
    const int64_t arena_bytes = slot_9 + st_padded(W1_d1*128);
    arena = st_arena_open(runtime, arena_bytes,
            4.0*W1_d1*y_d0 + 4.0*W2_d1*y_d0 + 4.0*W2_d1*y_d0 + 4.0*W2_d1 + 4.0*W1_d1*y_d0 + 4.0*W1_d1 + 8.0*W2_d1 + 128.0*W2_d1 + 8.0*W1_d1 + 128.0*W1_d1);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *dot = (float *)arena;
    float *tanh = (float *)arena;
    float *dot_2 = (float *)(arena + slot);
    float *mul = (float *)(arena + slot_2);
    float *sum = (float *)(arena + slot_3);
    float *dot_3 = (float *)(arena + slot_4);
    float *mul_2 = (float *)(arena + slot_4);
    float *sum_2 = (float *)(arena + slot_5);
    double *sum_4 = (double *)(arena + slot_6);
    double *partial_3 = (double *)(arena + slot_7);
    double *sum_9 = (double *)(arena + slot_8);
    double *partial_5 = (double *)(arena + slot_9);

    ST_LEAVE_IF_ENDED;
    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
    st_gemm_f32(runtime, ST_NO_TRANS, ST_NO_TRANS, y_d0, W1_d1, x_d1, 1.0f, x, x_d1, W1, W1_d1,
            0.0f, dot, W1_d1);
    ST_LEAVE_IF_ENDED;
    kernel_2_add_tanh(runtime, dot, b1, tanh, W1_d1, y_d0);
    ST_LEAVE_IF_ENDED;
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    st_gemm_f32(runtime, ST_NO_TRANS, ST_NO_TRANS, y_d0, W2_d1, W1_d1, 1.0f, tanh, W1_d1, W2, W2_d1,
            0.0f, dot_2, W2_d1);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float s_2 = (float)y_d0;
    const float s_3 = 1 / s_2;
    ST_LEAVE_IF_ENDED;
    const float sum_6 = kernel_4_exp_log_reciprocal(runtime, sum_4, partial_3, dot_2, b2, y, mul,
            sum, W2_d1, y_d0, s_3);
    ST_LEAVE_IF_ENDED;
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    st_gemm_f32(runtime, ST_NO_TRANS, ST_TRANS, y_d0, W1_d1, W2_d1, 1.0f, mul, W2_d1, W2, W2_d1,
            0.0f, dot_3, W1_d1);
    ST_LEAVE_IF_ENDED;
    kernel_6_sqr_sub_sum(runtime, sum_9, partial_5, tanh, dot_3, mul_2, sum_2, W1_d1, y_d0);
    /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
    const float s_4 = -rate_2;
    ST_LEAVE_IF_ENDED;
    st_gemm_f32(runtime, ST_TRANS, ST_NO_TRANS, x_d1, W1_d1, y_d0, s_4, x, x_d1, mul_2, W1_d1, 1.0f,
            W1, W1_d1);
    kernel_8_mul_sub(runtime, sum_2, b1, W1_d1, rate_2);
    st_gemm_f32(runtime, ST_TRANS, ST_NO_TRANS, W1_d1, W2_d1, y_d0, s_4, tanh, W1_d1, mul, W2_d1,
            1.0f, W2, W2_d1);
    kernel_8_mul_sub(runtime, sum, b2, W2_d1, rate_2);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float s_5 = sum_6 / s_2;
    const float s_6 = -s_5;
    out[0] = s_6;
done:
    st_arena_close(runtime, arena);
    return status;
}
