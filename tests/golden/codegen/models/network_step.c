/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_max_min_part_given {
    const int32_t *y;
    int32_t *max_parts;
    int32_t *min_parts;
    const int64_t rows;
    const int64_t y_d0;
} kernel_0_max_min_part_given;

typedef struct kernel_2_add_tanh_part_given {
    const float *h_dot;
    const float *b1;
    float *h_tanh;
    const int64_t W1_d1;
} kernel_2_add_tanh_part_given;

typedef struct kernel_4_exp_log_reciprocal_part_given {
    double *sum_parts;
    const int32_t *y;
    const float *p_dot;
    const float *b2;
    float *p_mul;
    double *sum_f64_parts;
    const int64_t rows_2;
    const int64_t y_d0;
    const int64_t W2_d1;
    const float reciprocal_y_d0_f32;
} kernel_4_exp_log_reciprocal_part_given;

typedef struct kernel_6_sqr_sub_sum_part_given {
    double *sum_parts_3;
    const float *h_tanh;
    const float *p_dot_2;
    float *h_mul;
    const int64_t rows_3;
    const int64_t y_d0;
    const int64_t W1_d1;
} kernel_6_sqr_sub_sum_part_given;

typedef struct kernel_8_mul_sub_part_given {
    const float *h_sum;
    float *b1;
    const float rate_value;
} kernel_8_mul_sub_part_given;

ST_KERNEL void kernel_0_max_min_part(const int64_t begin_3, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_0_max_min_part_given *const st_given = given;
    const int32_t *y = st_given->y;
    int32_t *max_parts = st_given->max_parts;
    int32_t *min_parts = st_given->min_parts;
    const int64_t rows = st_given->rows;
    const int64_t y_d0 = st_given->y_d0;
    for (int64_t chunk = begin_3; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < y_d0 ? k : y_d0;
        int32_t max_3 = INT32_MIN;
        int32_t min_2 = 2147483647;
        #pragma omp simd reduction(st_reduce_larger_i32 : max_3) reduction(st_reduce_smaller_i32 : min_2)
        for (int64_t i = start; i < stop; i++) {
            const int32_t y_i = y[i];
            /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
            max_3 = y_i > max_3 ? y_i : max_3;
            min_2 = y_i < min_2 ? y_i : min_2;
        }
        max_parts[chunk] = max_3;
        min_parts[chunk] = min_2;
    }
}

/* max, min over y_d0 */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL void kernel_0_max_min(const st_runtime *runtime, const int32_t *y, const int64_t y_d0,
        int32_t *st_max, int32_t *st_min) {
    _Alignas(64) int32_t max_parts[64];
    _Alignas(64) int32_t min_parts[64];
    int32_t max = INT32_MIN;
    int32_t min = 2147483647;
    const int64_t rows = st_chunk_rows(y_d0, 1, 32768, 64);
    const int64_t chunks = (rows + y_d0 - 1) / rows;
    const kernel_0_max_min_part_given st_given_1 = {y, max_parts, min_parts, rows, y_d0};
    if (st_parallel(runtime, y_d0*4)) {
        st_share_out(runtime, kernel_0_max_min_part, &st_given_1, chunks, 1);
    } else {
        kernel_0_max_min_part(0, chunks, 0, &st_given_1);
    }
    for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
        const int32_t max_parts_i = max_parts[chunk_2];
        max = max_parts_i > max ? max_parts_i : max;
        const int32_t min_parts_i = min_parts[chunk_2];
        min = min_parts_i < min ? min_parts_i : min;
    }
    *st_max = max;
    *st_min = min;
}

ST_KERNEL void kernel_2_add_tanh_part(const int64_t begin_3, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_2_add_tanh_part_given *const st_given = given;
    const float *h_dot = st_given->h_dot;
    const float *b1 = st_given->b1;
    float *h_tanh = st_given->h_tanh;
    const int64_t W1_d1 = st_given->W1_d1;
    for (int64_t i_2 = begin_3; i_2 < end; i_2++) {
        #pragma omp simd
        for (int64_t j = 0; j < W1_d1; j++) {
            const float h_dot_i = h_dot[W1_d1*i_2 + j];
            const float b1_i = b1[j];
            /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
            const float v = h_dot_i + b1_i;
            const float v_2 = tanhf(v);
            h_tanh[W1_d1*i_2 + j] = v_2;
        }
    }
}

/* add, tanh over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL void kernel_2_add_tanh(const st_runtime *runtime, const float *h_dot, const float *b1,
        float *h_tanh, const int64_t W1_d1, const int64_t y_d0) {
    const bool filled = W1_d1 > 0LL;
    const int64_t stop_2 = filled ? y_d0 : 0LL;
    const kernel_2_add_tanh_part_given st_given_1 = {h_dot, b1, h_tanh, W1_d1};
    if (st_parallel(runtime, W1_d1*y_d0*16)) {
        st_share_out(runtime, kernel_2_add_tanh_part, &st_given_1, stop_2, 1);
    } else {
        kernel_2_add_tanh_part(0, stop_2, 0, &st_given_1);
    }
}

ST_KERNEL void kernel_4_exp_log_reciprocal_part(const int64_t begin_3, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_4_exp_log_reciprocal_part_given *const st_given = given;
    double *sum_parts = st_given->sum_parts;
    const int32_t *y = st_given->y;
    const float *p_dot = st_given->p_dot;
    const float *b2 = st_given->b2;
    float *p_mul = st_given->p_mul;
    double *sum_f64_parts = st_given->sum_f64_parts;
    const int64_t rows_2 = st_given->rows_2;
    const int64_t y_d0 = st_given->y_d0;
    const int64_t W2_d1 = st_given->W2_d1;
    const float reciprocal_y_d0_f32 = st_given->reciprocal_y_d0_f32;
    _Alignas(64) int32_t y_tile[32];
    _Alignas(64) float p_dot_tile[512];
    _Alignas(64) float max_4[32];
    _Alignas(64) float nan_2[32];
    _Alignas(64) float v_34[32];
    _Alignas(64) int64_t v_36[32];
    _Alignas(64) float v_35[32];
    _Alignas(64) double sum_f64_4[32];
    _Alignas(64) float p_mul_tile[512];
    _Alignas(64) float reciprocal_2[32];
    _Alignas(64) float sum_f64_terms[256];
    _Alignas(64) double sum_f64_lanes[8];
    _Alignas(64) double sum_parts_lanes[32];
    _Alignas(64) float max_lanes[16];
    _Alignas(64) float nan_lanes[16];
    _Alignas(64) float sum_f64_terms_2[256];
    _Alignas(64) double sum_f64_lanes_2[8];
    for (int64_t chunk_3 = begin_3; chunk_3 < end; chunk_3++) {
        const int64_t start_2 = chunk_3*rows_2;
        const int64_t k_2 = rows_2 + start_2;
        const int64_t stop_3 = k_2 < y_d0 ? k_2 : y_d0;
        double sum_f64_3 = 0.0;
        #pragma omp simd
        for (int64_t j_10 = 0; j_10 < W2_d1; j_10++) {
            sum_parts[W2_d1*chunk_3 + j_10] = 0.0;
        }
        const bool short_rows = W2_d1 <= 16LL;
        if (short_rows) {
            for (int64_t block = start_2; block < stop_3; block += 32) {
                const int64_t k_3 = stop_3 - block;
                const int64_t lanes = k_3 < 32LL ? k_3 : 32LL;
                const int64_t k_4 = lanes + 15;
                const int64_t groups = k_4 / 16LL;
                const int64_t last = lanes - 1;
                const bool whole = lanes == 32LL;
                ST_SCALAR
                for (int64_t lane = 0; lane < groups*16; lane++) {
                    const int64_t row = lane < last ? lane : last;
                    const int32_t element = y[block + row];
                    y_tile[lane] = element;
                }
                if (whole) {
                    for (int64_t j_13 = 0; j_13 < W2_d1; j_13++) {
                        #pragma omp simd
                        for (int64_t lane_3 = 0; lane_3 < 32; lane_3++) {
                            const float element_3 = p_dot[(block + lane_3)*W2_d1 + j_13];
                            p_dot_tile[j_13*32 + lane_3] = element_3;
                        }
                    }
                } else {
                    const bool filled_2 = W2_d1 > 0LL;
                    const int64_t k_12 = groups*16;
                    const int64_t stop_5 = filled_2 ? k_12 : 0LL;
                    ST_SCALAR
                    for (int64_t lane_2 = 0; lane_2 < stop_5; lane_2++) {
                        const int64_t row_2 = lane_2 < last ? lane_2 : last;
                        ST_SCALAR
                        for (int64_t j_12 = 0; j_12 < W2_d1; j_12++) {
                            const float element_2 = p_dot[(block + row_2)*W2_d1 + j_12];
                            p_dot_tile[j_12*32 + lane_2] = element_2;
                        }
                    }
                }
                #pragma omp simd
                for (int64_t lane_4 = 0; lane_4 < groups*16; lane_4++) {
                    max_4[lane_4] = -__builtin_inff();
                    nan_2[lane_4] = 0.0f;
                }
                for (int64_t j_14 = 0; j_14 < W2_d1; j_14++) {
                    #pragma omp simd
                    for (int64_t lane_5 = 0; lane_5 < groups*16; lane_5++) {
                        const float p_dot_i_4 = p_dot_tile[j_14*32 + lane_5];
                        const float b2_i_5 = b2[j_14];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_37 = p_dot_i_4 + b2_i_5;
                        const float max_4_i_2 = max_4[lane_5];
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_132 = v_37 > max_4_i_2 ? v_37 : max_4_i_2;
                        const float nan_2_i_2 = nan_2[lane_5];
                        const float v_133 = v_37 != v_37 ? v_37 : nan_2_i_2;
                        max_4[lane_5] = v_132;
                        nan_2[lane_5] = v_133;
                    }
                }
                #pragma omp simd
                for (int64_t lane_6 = 0; lane_6 < groups*16; lane_6++) {
                    const int64_t row_3 = lane_6 < last ? lane_6 : last;
                    const float max_4_i = max_4[lane_6];
                    const float nan_2_i = nan_2[lane_6];
                    const float v_38 = nan_2_i != nan_2_i ? nan_2_i : max_4_i;
                    const bool isinf_2 = __builtin_fabsf(v_38) == __builtin_inff();
                    const float v_39 = isinf_2 ? 0.0f : v_38;
                    v_34[lane_6] = v_39;
                    const int32_t y_i_3 = y_tile[lane_6];
                    const int64_t v_40 = (int64_t)y_i_3;
                    const bool v_41 = v_40 < 0LL;
                    const int64_t v_42 = v_40 + W2_d1;
                    const int64_t v_43 = v_41 ? v_42 : v_40;
                    v_36[lane_6] = v_43;
                    const float p_dot_i_5 = p_dot[(block + row_3)*W2_d1 + v_43];
                    const float b2_i_6 = b2[v_43];
                    const float v_44 = p_dot_i_5 + b2_i_6;
                    const float v_45 = v_44 - v_39;
                    v_35[lane_6] = v_45;
                    sum_f64_4[lane_6] = 0.0;
                }
                for (int64_t j_15 = 0; j_15 < W2_d1; j_15++) {
                    #pragma omp simd
                    for (int64_t lane_7 = 0; lane_7 < groups*16; lane_7++) {
                        const float v_34_i = v_34[lane_7];
                        const float p_dot_i_6 = p_dot_tile[j_15*32 + lane_7];
                        const float b2_i_7 = b2[j_15];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_46 = p_dot_i_6 + b2_i_7;
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_47 = v_46 - v_34_i;
                        const float v_48 = expf(v_47);
                        const double v_49 = (double)v_48;
                        const double sum_f64_4_i_3 = sum_f64_4[lane_7];
                        const double v_134 = sum_f64_4_i_3 + v_49;
                        p_mul_tile[j_15*32 + lane_7] = v_48;
                        sum_f64_4[lane_7] = v_134;
                    }
                }
                for (int64_t block_3 = 0; block_3 < lanes; block_3 += 256) {
                    const int64_t k_8 = lanes - block_3;
                    const int64_t count = k_8 < 256LL ? k_8 : 256LL;
                    #pragma omp simd
                    for (int64_t lane_12 = 0; lane_12 < count; lane_12++) {
                        const double sum_f64_4_i_2 = sum_f64_4[block_3 + lane_12];
                        const float v_35_i_2 = v_35[block_3 + lane_12];
                        const float sum_6 = (float)sum_f64_4_i_2;
                        const float log_3 = logf(sum_6);
                        const float v_58 = v_35_i_2 - log_3;
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float reciprocal_4 = 1 / sum_6;
                        reciprocal_2[block_3 + lane_12] = reciprocal_4;
                        sum_f64_terms[lane_12] = v_58;
                    }
                    int64_t begin = 0;
                    const bool is_long = count >= 128LL;
                    if (is_long) {
                        const int64_t lane_whole = count & (-64LL);
                        #pragma omp simd
                        for (int64_t lane_lane = 0; lane_lane < 8; lane_lane++) {
                            sum_f64_lanes[lane_lane] = 0.0;
                        }
                        for (int64_t lane_14 = 0; lane_14 < lane_whole; lane_14 += 64) {
                            #pragma omp simd
                            for (int64_t lane_lane_2 = 0; lane_lane_2 < 8; lane_lane_2++) {
                                const float sum_f64_terms_i_2 = sum_f64_terms[lane_14 + lane_lane_2];
                                const float sum_f64_terms_i_3 = sum_f64_terms[lane_14 + lane_lane_2 + 8];
                                const float sum_f64_terms_i_4 = sum_f64_terms[lane_14 + lane_lane_2 + 16];
                                const float sum_f64_terms_i_5 = sum_f64_terms[lane_14 + lane_lane_2 + 24];
                                const float sum_f64_terms_i_6 = sum_f64_terms[lane_14 + lane_lane_2 + 32];
                                const float sum_f64_terms_i_7 = sum_f64_terms[lane_14 + lane_lane_2 + 40];
                                const float sum_f64_terms_i_8 = sum_f64_terms[lane_14 + lane_lane_2 + 48];
                                const float sum_f64_terms_i_9 = sum_f64_terms[lane_14 + lane_lane_2 + 56];
                                const float v_64 = sum_f64_terms_i_2 + sum_f64_terms_i_3;
                                const float v_65 = sum_f64_terms_i_4 + sum_f64_terms_i_5;
                                const float v_66 = sum_f64_terms_i_6 + sum_f64_terms_i_7;
                                const float v_67 = sum_f64_terms_i_8 + sum_f64_terms_i_9;
                                const float v_68 = v_64 + v_65;
                                const float v_69 = v_66 + v_67;
                                const float v_70 = v_68 + v_69;
                                const double v_71 = (double)v_70;
                                const double sum_f64_lanes_i_9 = sum_f64_lanes[lane_lane_2];
                                const double v_135 = sum_f64_lanes_i_9 + v_71;
                                sum_f64_lanes[lane_lane_2] = v_135;
                            }
                        }
                        const double sum_f64_lanes_i = sum_f64_lanes[0];
                        const double sum_f64_lanes_i_2 = sum_f64_lanes[1];
                        const double sum_f64_lanes_i_3 = sum_f64_lanes[2];
                        const double sum_f64_lanes_i_4 = sum_f64_lanes[3];
                        const double sum_f64_lanes_i_5 = sum_f64_lanes[4];
                        const double sum_f64_lanes_i_6 = sum_f64_lanes[5];
                        const double sum_f64_lanes_i_7 = sum_f64_lanes[6];
                        const double sum_f64_lanes_i_8 = sum_f64_lanes[7];
                        const double v_72 = sum_f64_lanes_i + sum_f64_lanes_i_2;
                        const double v_73 = sum_f64_lanes_i_3 + sum_f64_lanes_i_4;
                        const double v_74 = sum_f64_lanes_i_5 + sum_f64_lanes_i_6;
                        const double v_75 = sum_f64_lanes_i_7 + sum_f64_lanes_i_8;
                        const double v_76 = v_72 + v_73;
                        const double v_77 = v_74 + v_75;
                        const double v_78 = v_76 + v_77;
                        const double v_79 = __builtin_fabs(v_78);
                        const bool is_finite = v_79 <= 1.7976931348623157e+308;
                        const double v_80 = is_finite ? v_78 : 0.0;
                        sum_f64_3 += v_80;
                        const int64_t v_81 = is_finite ? lane_whole : 0LL;
                        begin = v_81;
                    }
                    const int64_t k_10 = count - begin;
                    const int64_t lane_count = k_10 > 0LL ? k_10 : 0LL;
                    const int64_t lane_whole_2 = lane_count & (-8LL);
                    st_f64v sum_f64_lanes_3 = {0.0, 0.0, 0.0, 0.0};
                    st_f64v sum_f64_lanes_4 = {0.0, 0.0, 0.0, 0.0};
                    for (int64_t lane_15 = begin; lane_15 < begin + lane_whole_2; lane_15 += 8) {
                        const st_f32v sum_f64_terms_i_10 = *(const st_f32v *)&sum_f64_terms[lane_15];
                        const st_f64v v_100 = st_widened(sum_f64_terms_i_10);
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        sum_f64_lanes_3 += v_100;
                        const st_f32v sum_f64_terms_i_11 = *(const st_f32v *)&sum_f64_terms[lane_15 + 4];
                        const st_f64v v_101 = st_widened(sum_f64_terms_i_11);
                        sum_f64_lanes_4 += v_101;
                    }
                    const st_f64v v_102 = sum_f64_lanes_3 + sum_f64_lanes_4;
                    const double v_103 = st_total(v_102);
                    sum_f64_3 += v_103;
                    for (int64_t lane_16 = begin + lane_whole_2; lane_16 < count; lane_16++) {
                        const float sum_f64_terms_i_12 = sum_f64_terms[lane_16];
                        const double v_104 = (double)sum_f64_terms_i_12;
                        sum_f64_3 += v_104;
                    }
                }
                for (int64_t j_16 = 0; j_16 < W2_d1; j_16++) {
                    double sum_parts_2 = 0.0;
                    const int64_t lane_whole_3 = lanes & (-32LL);
                    #pragma GCC ivdep
                    #pragma GCC unroll 32
                    for (int64_t lane_lane_3 = 0; lane_lane_3 < 32; lane_lane_3++) {
                        sum_parts_lanes[lane_lane_3] = 0.0;
                    }
                    for (int64_t lane_17 = 0; lane_17 < lane_whole_3; lane_17 += 32) {
                        #pragma GCC ivdep
                        #pragma GCC unroll 32
                        for (int64_t lane_lane_4 = 0; lane_lane_4 < 32; lane_lane_4++) {
                            const float reciprocal_2_i_2 = reciprocal_2[lane_17 + lane_lane_4];
                            const int64_t v_36_i_2 = v_36[lane_17 + lane_lane_4];
                            const float p_mul_i_3 = p_mul_tile[j_16*32 + lane_17 + lane_lane_4];
                            /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                            const float v_110 = p_mul_i_3 * reciprocal_2_i_2;
                            const int64_t j_25 = j_16;
                            const bool v_111 = j_25 == v_36_i_2;
                            const float v_112 = v_111 ? (float)1 : (float)0;
                            const float v_113 = v_110 - v_112;
                            const float v_114 = v_113 * reciprocal_y_d0_f32;
                            const double v_115 = (double)v_114;
                            const double sum_parts_lanes_i_4 = sum_parts_lanes[lane_lane_4];
                            const double v_136 = sum_parts_lanes_i_4 + v_115;
                            p_mul_tile[j_16*32 + lane_17 + lane_lane_4] = v_114;
                            sum_parts_lanes[lane_lane_4] = v_136;
                        }
                    }
                    const int64_t lane_ended = lanes & (-8LL);
                    for (int64_t lane_18 = lane_whole_3; lane_18 < lane_ended; lane_18 += 8) {
                        #pragma omp simd
                        for (int64_t lane_lane_5 = 0; lane_lane_5 < 8; lane_lane_5++) {
                            const float reciprocal_2_i_3 = reciprocal_2[lane_18 + lane_lane_5];
                            const int64_t v_36_i_3 = v_36[lane_18 + lane_lane_5];
                            const float p_mul_i_4 = p_mul_tile[j_16*32 + lane_18 + lane_lane_5];
                            const float v_116 = p_mul_i_4 * reciprocal_2_i_3;
                            const int64_t j_26 = j_16;
                            const bool v_117 = j_26 == v_36_i_3;
                            const float v_118 = v_117 ? (float)1 : (float)0;
                            const float v_119 = v_116 - v_118;
                            const float v_120 = v_119 * reciprocal_y_d0_f32;
                            const double v_121 = (double)v_120;
                            const double sum_parts_lanes_i_5 = sum_parts_lanes[lane_lane_5];
                            const double v_137 = sum_parts_lanes_i_5 + v_121;
                            p_mul_tile[j_16*32 + lane_18 + lane_lane_5] = v_120;
                            sum_parts_lanes[lane_lane_5] = v_137;
                        }
                    }
                    #pragma GCC ivdep
                    #pragma GCC unroll 16
                    for (int64_t lane_lane_6 = 0; lane_lane_6 < 16; lane_lane_6++) {
                        const double sum_parts_lanes_i = sum_parts_lanes[lane_lane_6 + 16];
                        const double sum_parts_lanes_i_6 = sum_parts_lanes[lane_lane_6];
                        const double v_138 = sum_parts_lanes_i_6 + sum_parts_lanes_i;
                        sum_parts_lanes[lane_lane_6] = v_138;
                    }
                    #pragma GCC ivdep
                    #pragma GCC unroll 8
                    for (int64_t lane_lane_7 = 0; lane_lane_7 < 8; lane_lane_7++) {
                        const double sum_parts_lanes_i_2 = sum_parts_lanes[lane_lane_7 + 8];
                        const double sum_parts_lanes_i_7 = sum_parts_lanes[lane_lane_7];
                        const double v_139 = sum_parts_lanes_i_7 + sum_parts_lanes_i_2;
                        sum_parts_lanes[lane_lane_7] = v_139;
                    }
                    #pragma GCC unroll 8
                    for (int64_t lane_lane_8 = 0; lane_lane_8 < 8; lane_lane_8++) {
                        const double sum_parts_lanes_i_3 = sum_parts_lanes[lane_lane_8];
                        sum_parts_2 += sum_parts_lanes_i_3;
                    }
                    ST_SCALAR
                    for (int64_t lane_19 = lane_ended; lane_19 < lanes; lane_19++) {
                        const float reciprocal_2_i_4 = reciprocal_2[lane_19];
                        const int64_t v_36_i_4 = v_36[lane_19];
                        const float p_mul_i_5 = p_mul_tile[j_16*32 + lane_19];
                        const float v_122 = p_mul_i_5 * reciprocal_2_i_4;
                        const int64_t j_27 = j_16;
                        const bool v_123 = j_27 == v_36_i_4;
                        const float v_124 = v_123 ? (float)1 : (float)0;
                        const float v_125 = v_122 - v_124;
                        const float v_126 = v_125 * reciprocal_y_d0_f32;
                        const double v_127 = (double)v_126;
                        sum_parts_2 += v_127;
                        p_mul_tile[j_16*32 + lane_19] = v_126;
                    }
                    const double sum_parts_i_2 = sum_parts[W2_d1*chunk_3 + j_16];
                    const double v_140 = sum_parts_i_2 + sum_parts_2;
                    sum_parts[W2_d1*chunk_3 + j_16] = v_140;
                }
                if (whole) {
                    for (int64_t j_19 = 0; j_19 < W2_d1; j_19++) {
                        #pragma omp simd
                        for (int64_t lane_11 = 0; lane_11 < 32; lane_11++) {
                            const float element_5 = p_mul_tile[j_19*32 + lane_11];
                            p_mul[(block + lane_11)*W2_d1 + j_19] = element_5;
                        }
                    }
                } else {
                    const bool filled_3 = W2_d1 > 0LL;
                    const int64_t stop_6 = filled_3 ? lanes : 0LL;
                    ST_SCALAR
                    for (int64_t lane_10 = 0; lane_10 < stop_6; lane_10++) {
                        ST_SCALAR
                        for (int64_t j_18 = 0; j_18 < W2_d1; j_18++) {
                            const float element_4 = p_mul_tile[j_18*32 + lane_10];
                            p_mul[(block + lane_10)*W2_d1 + j_18] = element_4;
                        }
                    }
                }
            }
        } else {
            for (int64_t i_3 = start_2; i_3 < stop_3; i_3++) {
                float max_2 = -__builtin_inff();
                float nan = 0.0f;
                const int64_t j_whole_3 = W2_d1 & (-16LL);
                #pragma GCC ivdep
                #pragma GCC unroll 16
                for (int64_t j_lane_3 = 0; j_lane_3 < 16; j_lane_3++) {
                    max_lanes[j_lane_3] = -__builtin_inff();
                    nan_lanes[j_lane_3] = 0.0f;
                }
                for (int64_t j_28 = 0; j_28 < j_whole_3; j_28 += 16) {
                    #pragma GCC ivdep
                    #pragma GCC unroll 16
                    for (int64_t j_lane_4 = 0; j_lane_4 < 16; j_lane_4++) {
                        const float p_dot_i_8 = p_dot[W2_d1*i_3 + j_28 + j_lane_4];
                        const float b2_i_9 = b2[j_28 + j_lane_4];
                        const float v_128 = p_dot_i_8 + b2_i_9;
                        const float max_lanes_i_4 = max_lanes[j_lane_4];
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_141 = v_128 > max_lanes_i_4 ? v_128 : max_lanes_i_4;
                        const float nan_lanes_i_4 = nan_lanes[j_lane_4];
                        const float v_142 = v_128 != v_128 ? v_128 : nan_lanes_i_4;
                        max_lanes[j_lane_4] = v_141;
                        nan_lanes[j_lane_4] = v_142;
                    }
                }
                const bool v_129 = W2_d1 >= 8LL;
                const int64_t j_ended = v_129 ? W2_d1 : 0LL;
                for (int64_t j_29 = j_whole_3; j_29 < j_ended; j_29 += 8) {
                    const int64_t k_13 = W2_d1 - 8;
                    const int64_t first = j_29 < k_13 ? j_29 : k_13;
                    #pragma omp simd
                    for (int64_t j_lane_5 = 0; j_lane_5 < 8; j_lane_5++) {
                        const float p_dot_i_9 = p_dot[W2_d1*i_3 + first + j_lane_5];
                        const float b2_i_10 = b2[first + j_lane_5];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_130 = p_dot_i_9 + b2_i_10;
                        const float max_lanes_i_5 = max_lanes[j_lane_5];
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_143 = v_130 > max_lanes_i_5 ? v_130 : max_lanes_i_5;
                        const float nan_lanes_i_5 = nan_lanes[j_lane_5];
                        const float v_144 = v_130 != v_130 ? v_130 : nan_lanes_i_5;
                        max_lanes[j_lane_5] = v_143;
                        nan_lanes[j_lane_5] = v_144;
                    }
                }
                #pragma GCC ivdep
                #pragma GCC unroll 8
                for (int64_t j_lane_6 = 0; j_lane_6 < 8; j_lane_6++) {
                    const float max_lanes_i = max_lanes[j_lane_6 + 8];
                    const float max_lanes_i_6 = max_lanes[j_lane_6];
                    const float v_145 = max_lanes_i > max_lanes_i_6 ? max_lanes_i : max_lanes_i_6;
                    const float nan_lanes_i = nan_lanes[j_lane_6 + 8];
                    const float nan_lanes_i_6 = nan_lanes[j_lane_6];
                    const float v_146 = nan_lanes_i != nan_lanes_i ? nan_lanes_i : nan_lanes_i_6;
                    max_lanes[j_lane_6] = v_145;
                    nan_lanes[j_lane_6] = v_146;
                }
                #pragma GCC ivdep
                #pragma GCC unroll 4
                for (int64_t j_lane_7 = 0; j_lane_7 < 4; j_lane_7++) {
                    const float max_lanes_i_2 = max_lanes[j_lane_7 + 4];
                    const float max_lanes_i_7 = max_lanes[j_lane_7];
                    const float v_147 = max_lanes_i_2 > max_lanes_i_7 ? max_lanes_i_2 : max_lanes_i_7;
                    const float nan_lanes_i_2 = nan_lanes[j_lane_7 + 4];
                    const float nan_lanes_i_7 = nan_lanes[j_lane_7];
                    const float v_148 = nan_lanes_i_2 != nan_lanes_i_2 ? nan_lanes_i_2 : nan_lanes_i_7;
                    max_lanes[j_lane_7] = v_147;
                    nan_lanes[j_lane_7] = v_148;
                }
                #pragma GCC unroll 4
                for (int64_t j_lane_8 = 0; j_lane_8 < 4; j_lane_8++) {
                    const float max_lanes_i_3 = max_lanes[j_lane_8];
                    max_2 = max_lanes_i_3 > max_2 ? max_lanes_i_3 : max_2;
                    const float nan_lanes_i_3 = nan_lanes[j_lane_8];
                    nan = nan_lanes_i_3 != nan_lanes_i_3 ? nan_lanes_i_3 : nan;
                }
                ST_SCALAR
                for (int64_t j_30 = j_ended; j_30 < W2_d1; j_30++) {
                    const float p_dot_i_10 = p_dot[W2_d1*i_3 + j_30];
                    const float b2_i_11 = b2[j_30];
                    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                    const float v_131 = p_dot_i_10 + b2_i_11;
                    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                    max_2 = v_131 > max_2 ? v_131 : max_2;
                    nan = v_131 != v_131 ? v_131 : nan;
                }
                const float v_4 = nan != nan ? nan : max_2;
                const bool isinf = __builtin_fabsf(v_4) == __builtin_inff();
                const float v_5 = isinf ? 0.0f : v_4;
                const int32_t y_i_2 = y[i_3];
                const int64_t v_6 = (int64_t)y_i_2;
                const bool v_7 = v_6 < 0LL;
                const int64_t v_8 = v_6 + W2_d1;
                const int64_t v_9 = v_7 ? v_8 : v_6;
                const float p_dot_i_2 = p_dot[W2_d1*i_3 + v_9];
                const float b2_i_2 = b2[v_9];
                const float v_10 = p_dot_i_2 + b2_i_2;
                const float v_11 = v_10 - v_5;
                double sum_f64_2 = 0.0;
                const int64_t k_5 = W2_d1*y_d0;
                const bool many = k_5 > 262144LL;
                for (int64_t block_2 = 0; block_2 < W2_d1; block_2 += 256) {
                    const int64_t k_6 = block_2 + 256;
                    const int64_t stop_4 = k_6 < W2_d1 ? k_6 : W2_d1;
                    if (many) {
                        for (int64_t k_7 = block_2; k_7 < stop_4; k_7 += 16) {
                            __builtin_prefetch(&p_dot[(i_3 + 1)*W2_d1 + k_7]);
                            __builtin_prefetch(&p_mul[(i_3 + 1)*W2_d1 + k_7], 1);
                        }
                    }
                    #pragma omp simd
                    for (int64_t j_20 = 0; j_20 < stop_4 - block_2; j_20++) {
                        const float p_dot_i_7 = p_dot[W2_d1*i_3 + block_2 + j_20];
                        const float b2_i_8 = b2[block_2 + j_20];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_60 = p_dot_i_7 + b2_i_8;
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_61 = v_60 - v_5;
                        const float v_62 = expf(v_61);
                        p_mul[W2_d1*i_3 + block_2 + j_20] = v_62;
                        sum_f64_terms_2[j_20] = v_62;
                    }
                    const int64_t k_9 = stop_4 - block_2;
                    const int64_t j_count = k_9 > 0LL ? k_9 : 0LL;
                    int64_t begin_2 = 0;
                    const bool is_long_2 = j_count >= 128LL;
                    if (is_long_2) {
                        const int64_t j_whole = j_count & (-64LL);
                        #pragma omp simd
                        for (int64_t j_lane = 0; j_lane < 8; j_lane++) {
                            sum_f64_lanes_2[j_lane] = 0.0;
                        }
                        for (int64_t j_22 = 0; j_22 < j_whole; j_22 += 64) {
                            #pragma omp simd
                            for (int64_t j_lane_2 = 0; j_lane_2 < 8; j_lane_2++) {
                                const float sum_f64_terms_2_i_2 = sum_f64_terms_2[j_22 + j_lane_2];
                                const float sum_f64_terms_2_i_3 = sum_f64_terms_2[j_22 + j_lane_2 + 8];
                                const float sum_f64_terms_2_i_4 = sum_f64_terms_2[j_22 + j_lane_2 + 16];
                                const float sum_f64_terms_2_i_5 = sum_f64_terms_2[j_22 + j_lane_2 + 24];
                                const float sum_f64_terms_2_i_6 = sum_f64_terms_2[j_22 + j_lane_2 + 32];
                                const float sum_f64_terms_2_i_7 = sum_f64_terms_2[j_22 + j_lane_2 + 40];
                                const float sum_f64_terms_2_i_8 = sum_f64_terms_2[j_22 + j_lane_2 + 48];
                                const float sum_f64_terms_2_i_9 = sum_f64_terms_2[j_22 + j_lane_2 + 56];
                                const float v_82 = sum_f64_terms_2_i_2 + sum_f64_terms_2_i_3;
                                const float v_83 = sum_f64_terms_2_i_4 + sum_f64_terms_2_i_5;
                                const float v_84 = sum_f64_terms_2_i_6 + sum_f64_terms_2_i_7;
                                const float v_85 = sum_f64_terms_2_i_8 + sum_f64_terms_2_i_9;
                                const float v_86 = v_82 + v_83;
                                const float v_87 = v_84 + v_85;
                                const float v_88 = v_86 + v_87;
                                const double v_89 = (double)v_88;
                                const double sum_f64_lanes_2_i_9 = sum_f64_lanes_2[j_lane_2];
                                const double v_149 = sum_f64_lanes_2_i_9 + v_89;
                                sum_f64_lanes_2[j_lane_2] = v_149;
                            }
                        }
                        const double sum_f64_lanes_2_i = sum_f64_lanes_2[0];
                        const double sum_f64_lanes_2_i_2 = sum_f64_lanes_2[1];
                        const double sum_f64_lanes_2_i_3 = sum_f64_lanes_2[2];
                        const double sum_f64_lanes_2_i_4 = sum_f64_lanes_2[3];
                        const double sum_f64_lanes_2_i_5 = sum_f64_lanes_2[4];
                        const double sum_f64_lanes_2_i_6 = sum_f64_lanes_2[5];
                        const double sum_f64_lanes_2_i_7 = sum_f64_lanes_2[6];
                        const double sum_f64_lanes_2_i_8 = sum_f64_lanes_2[7];
                        const double v_90 = sum_f64_lanes_2_i + sum_f64_lanes_2_i_2;
                        const double v_91 = sum_f64_lanes_2_i_3 + sum_f64_lanes_2_i_4;
                        const double v_92 = sum_f64_lanes_2_i_5 + sum_f64_lanes_2_i_6;
                        const double v_93 = sum_f64_lanes_2_i_7 + sum_f64_lanes_2_i_8;
                        const double v_94 = v_90 + v_91;
                        const double v_95 = v_92 + v_93;
                        const double v_96 = v_94 + v_95;
                        const double v_97 = __builtin_fabs(v_96);
                        const bool is_finite_2 = v_97 <= 1.7976931348623157e+308;
                        const double v_98 = is_finite_2 ? v_96 : 0.0;
                        sum_f64_2 += v_98;
                        const int64_t v_99 = is_finite_2 ? j_whole : 0LL;
                        begin_2 = v_99;
                    }
                    const int64_t k_11 = stop_4 - begin_2 - block_2;
                    const int64_t j_count_2 = k_11 > 0LL ? k_11 : 0LL;
                    const int64_t j_whole_2 = j_count_2 & (-8LL);
                    st_f64v sum_f64_lanes_5 = {0.0, 0.0, 0.0, 0.0};
                    st_f64v sum_f64_lanes_6 = {0.0, 0.0, 0.0, 0.0};
                    for (int64_t j_23 = begin_2; j_23 < begin_2 + j_whole_2; j_23 += 8) {
                        const st_f32v sum_f64_terms_2_i_10 = *(const st_f32v *)&sum_f64_terms_2[j_23];
                        const st_f64v v_105 = st_widened(sum_f64_terms_2_i_10);
                        sum_f64_lanes_5 += v_105;
                        const st_f32v sum_f64_terms_2_i_11 = *(const st_f32v *)&sum_f64_terms_2[j_23 + 4];
                        const st_f64v v_106 = st_widened(sum_f64_terms_2_i_11);
                        sum_f64_lanes_6 += v_106;
                    }
                    const st_f64v v_107 = sum_f64_lanes_5 + sum_f64_lanes_6;
                    const double v_108 = st_total(v_107);
                    sum_f64_2 += v_108;
                    for (int64_t j_24 = begin_2 + j_whole_2; j_24 < stop_4 - block_2; j_24++) {
                        const float sum_f64_terms_2_i_12 = sum_f64_terms_2[j_24];
                        const double v_109 = (double)sum_f64_terms_2_i_12;
                        sum_f64_2 += v_109;
                    }
                }
                const float sum_2 = (float)sum_f64_2;
                const float log = logf(sum_2);
                const float v_16 = v_11 - log;
                const double v_17 = (double)v_16;
                sum_f64_3 += v_17;
                /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                const float reciprocal = 1 / sum_2;
                #pragma omp simd
                for (int64_t j_5 = 0; j_5 < W2_d1; j_5++) {
                    const float p_mul_i = p_mul[W2_d1*i_3 + j_5];
                    const float v_18 = p_mul_i * reciprocal;
                    const bool v_19 = j_5 == v_9;
                    const float v_20 = v_19 ? (float)1 : (float)0;
                    const float v_21 = v_18 - v_20;
                    const float v_22 = v_21 * reciprocal_y_d0_f32;
                    const double v_23 = (double)v_22;
                    const double sum_parts_i_3 = sum_parts[W2_d1*chunk_3 + j_5];
                    const double v_150 = sum_parts_i_3 + v_23;
                    p_mul[W2_d1*i_3 + j_5] = v_22;
                    sum_parts[W2_d1*chunk_3 + j_5] = v_150;
                }
            }
        }
        sum_f64_parts[chunk_3] = sum_f64_3;
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL float kernel_4_exp_log_reciprocal(const st_runtime *runtime, double *sum,
        double *sum_parts, const int32_t *y, const float *p_dot, const float *b2, float *p_mul,
        float *p_sum, const int64_t W2_d1, const int64_t y_d0, const float reciprocal_y_d0_f32) {
    _Alignas(64) double sum_f64_parts[16];
    double sum_f64 = 0.0;
    #pragma omp simd
    for (int64_t j_2 = 0; j_2 < W2_d1; j_2++) {
        sum[j_2] = 0.0;
    }
    const int64_t rows_2 = st_chunk_rows(y_d0, W2_d1*7, 32768, 16);
    const int64_t chunks_2 = (rows_2 + y_d0 - 1) / rows_2;
    const kernel_4_exp_log_reciprocal_part_given st_given_1 = {sum_parts, y, p_dot, b2, p_mul,
            sum_f64_parts, rows_2, y_d0, W2_d1, reciprocal_y_d0_f32};
    if (st_parallel(runtime, W2_d1*y_d0*28)) {
        st_share_out(runtime, kernel_4_exp_log_reciprocal_part, &st_given_1, chunks_2, 1);
    } else {
        kernel_4_exp_log_reciprocal_part(0, chunks_2, 0, &st_given_1);
    }
    for (int64_t chunk_4 = 0; chunk_4 < chunks_2; chunk_4++) {
        const double sum_f64_parts_i = sum_f64_parts[chunk_4];
        sum_f64 += sum_f64_parts_i;
    }
    const bool filled_4 = W2_d1 > 0LL;
    const int64_t stop_7 = filled_4 ? chunks_2 : 0LL;
    for (int64_t chunk_5 = 0; chunk_5 < stop_7; chunk_5++) {
        #pragma omp simd
        for (int64_t j_11 = 0; j_11 < W2_d1; j_11++) {
            const double sum_parts_i = sum_parts[W2_d1*chunk_5 + j_11];
            const double sum_i = sum[j_11];
            const double v_151 = sum_i + sum_parts_i;
            sum[j_11] = v_151;
        }
    }
    #pragma omp simd
    for (int64_t j_6 = 0; j_6 < W2_d1; j_6++) {
        const double total = sum[j_6];
        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
        const float v_24 = (float)total;
        p_sum[j_6] = v_24;
    }
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float sum_3 = (float)sum_f64;
    return sum_3;
}

ST_KERNEL void kernel_6_sqr_sub_sum_part(const int64_t begin_3, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_6_sqr_sub_sum_part_given *const st_given = given;
    double *sum_parts_3 = st_given->sum_parts_3;
    const float *h_tanh = st_given->h_tanh;
    const float *p_dot_2 = st_given->p_dot_2;
    float *h_mul = st_given->h_mul;
    const int64_t rows_3 = st_given->rows_3;
    const int64_t y_d0 = st_given->y_d0;
    const int64_t W1_d1 = st_given->W1_d1;
    for (int64_t chunk_6 = begin_3; chunk_6 < end; chunk_6++) {
        const int64_t start_3 = chunk_6*rows_3;
        const int64_t k_14 = rows_3 + start_3;
        const int64_t stop_8 = k_14 < y_d0 ? k_14 : y_d0;
        #pragma omp simd
        for (int64_t j_31 = 0; j_31 < W1_d1; j_31++) {
            sum_parts_3[W1_d1*chunk_6 + j_31] = 0.0;
        }
        for (int64_t i_4 = start_3; i_4 < stop_8; i_4++) {
            #pragma omp simd
            for (int64_t j_8 = 0; j_8 < W1_d1; j_8++) {
                const float h_tanh_i = h_tanh[W1_d1*i_4 + j_8];
                /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
                const float v_25 = h_tanh_i * h_tanh_i;
                const float v_26 = 1.0f - v_25;
                const float p_dot_2_i = p_dot_2[W1_d1*i_4 + j_8];
                const float v_27 = p_dot_2_i * v_26;
                const double v_28 = (double)v_27;
                const double sum_parts_3_i_2 = sum_parts_3[W1_d1*chunk_6 + j_8];
                const double v_152 = sum_parts_3_i_2 + v_28;
                h_mul[W1_d1*i_4 + j_8] = v_27;
                sum_parts_3[W1_d1*chunk_6 + j_8] = v_152;
            }
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL void kernel_6_sqr_sub_sum(const st_runtime *runtime, double *sum_4, double *sum_parts_3,
        const float *h_tanh, const float *p_dot_2, float *h_mul, float *h_sum, const int64_t W1_d1,
        const int64_t y_d0) {
    #pragma omp simd
    for (int64_t j_7 = 0; j_7 < W1_d1; j_7++) {
        sum_4[j_7] = 0.0;
    }
    const int64_t rows_3 = st_chunk_rows(y_d0, W1_d1, 32768, 16);
    const int64_t chunks_3 = (rows_3 + y_d0 - 1) / rows_3;
    const bool filled_5 = W1_d1 > 0LL;
    const int64_t stop_9 = filled_5 ? chunks_3 : 0LL;
    const kernel_6_sqr_sub_sum_part_given st_given_1 = {sum_parts_3, h_tanh, p_dot_2, h_mul, rows_3,
            y_d0, W1_d1};
    if (st_parallel(runtime, W1_d1*y_d0*6)) {
        st_share_out(runtime, kernel_6_sqr_sub_sum_part, &st_given_1, stop_9, 1);
    } else {
        kernel_6_sqr_sub_sum_part(0, stop_9, 0, &st_given_1);
    }
    const bool filled_6 = W1_d1 > 0LL;
    const int64_t stop_10 = filled_6 ? chunks_3 : 0LL;
    for (int64_t chunk_7 = 0; chunk_7 < stop_10; chunk_7++) {
        #pragma omp simd
        for (int64_t j_32 = 0; j_32 < W1_d1; j_32++) {
            const double sum_parts_3_i = sum_parts_3[W1_d1*chunk_7 + j_32];
            const double sum_4_i = sum_4[j_32];
            const double v_153 = sum_4_i + sum_parts_3_i;
            sum_4[j_32] = v_153;
        }
    }
    #pragma omp simd
    for (int64_t j_9 = 0; j_9 < W1_d1; j_9++) {
        const double total_2 = sum_4[j_9];
        const float v_29 = (float)total_2;
        h_sum[j_9] = v_29;
    }
}

ST_KERNEL void kernel_8_mul_sub_part(const int64_t begin_3, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_8_mul_sub_part_given *const st_given = given;
    const float *h_sum = st_given->h_sum;
    float *b1 = st_given->b1;
    const float rate_value = st_given->rate_value;
    #pragma omp simd
    for (int64_t i_5 = begin_3; i_5 < end; i_5++) {
        const float h_sum_i = h_sum[i_5];
        /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
        const float v_30 = h_sum_i * rate_value;
        const float b1_i_2 = b1[i_5];
        const float v_31 = b1_i_2 - v_30;
        b1[i_5] = v_31;
    }
}

/* mul, sub over W1_d1 */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL void kernel_8_mul_sub(const st_runtime *runtime, const float *h_sum, float *b1,
        const int64_t W1_d1, const float rate_value) {
    const kernel_8_mul_sub_part_given st_given_1 = {h_sum, b1, rate_value};
    if (st_parallel(runtime, W1_d1*2)) {
        st_share_out(runtime, kernel_8_mul_sub_part, &st_given_1, W1_d1, 256);
    } else {
        kernel_8_mul_sub_part(0, W1_d1, 0, &st_given_1);
    }
}

/* network_step
   inputs: float32 x[x_d1*y_d0], int32 y[y_d0], float32 rate[1]
   changed: float32 W1[W1_d1*x_d1], float32 b1[W1_d1], float32 W2[W1_d1*W2_d1], float32 b2[W2_d1]
   outputs: float32 loss[1]
   workspace: (y_d0*8 + 140)*W1_d1 + (y_d0*8 + 140)*W2_d1 bytes
   1. max, min = kernel_0_max_min(y): max, min over y_d0; reads y_d0*4 bytes
   2. h_dot = st_gemm_f32(x, W1): reads (W1_d1*4 + y_d0*4)*x_d1, writes W1_d1*y_d0*4 bytes
   3. h_tanh = kernel_2_add_tanh(h_dot, b1): add, tanh over y_d0 x W1_d1; reads (y_d0*4 +
       4)*W1_d1, writes W1_d1*y_d0*4 bytes
   4. p_dot = st_gemm_f32(h_tanh, W2): reads (W2_d1*4 + y_d0*4)*W1_d1, writes W2_d1*y_d0*4 bytes
   5. p_sum, sum_3 = kernel_4_exp_log_reciprocal(y, p_dot, b2): add, max, isinf, switch, sub,
       exp, sum, log, reciprocal, mul over y_d0 x W2_d1; reads (y_d0*4 + 4)*W2_d1 + y_d0*4,
       writes W2_d1*4 bytes
   6. p_dot_2 = st_gemm_f32(p_mul, W2): reads (W1_d1*4 + y_d0*4)*W2_d1, writes W1_d1*y_d0*4 bytes
   7. h_mul, h_sum = kernel_6_sqr_sub_sum(h_tanh, p_dot_2): sqr, sub, mul, sum over y_d0 x W1_d1;
       reads W1_d1*y_d0*8, writes (y_d0*4 + 4)*W1_d1 bytes
   8. W1 = st_gemm_f32(x, h_mul, W1): reads (x_d1*4 + y_d0*4)*W1_d1 + x_d1*y_d0*4, writes
       W1_d1*x_d1*4 bytes
   9. b1 = kernel_8_mul_sub(h_sum, b1): mul, sub over W1_d1; reads W1_d1*8, writes W1_d1*4 bytes
   10. W2 = st_gemm_f32(h_tanh, p_mul, W2): reads (W2_d1*4 + y_d0*4)*W1_d1 + W2_d1*y_d0*4, writes
       W1_d1*W2_d1*4 bytes
   11. b2 = kernel_8_mul_sub(p_sum, b2): mul, sub over W1_d1; reads W2_d1*8, writes W2_d1*4 bytes */
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
    int32_t max;
    int32_t min;
    kernel_0_max_min(runtime, y, y_d0, &max, &min);
    const int64_t min_i64 = (int64_t)min;
    const int64_t max_i64 = (int64_t)max;
    ST_REQUIRE((min_i64 >= (-W2_d1)) & (max_i64 < W2_d1), INDEX, 5, W2_d1);

    float *loss = ST_ALLOCATE(0, 1);
    ST_REQUIRE(loss, MEMORY, -1, 4, 0);

    const int64_t st_p_dot_at = st_padded(W1_d1*y_d0*4);
    const int64_t st_p_mul_at = st_p_dot_at + st_padded(W2_d1*y_d0*4);
    const int64_t st_p_sum_at = st_p_mul_at + st_padded(W2_d1*y_d0*4);
    const int64_t st_p_dot_2_at = st_p_sum_at + st_padded(W2_d1*4);
    const int64_t st_h_sum_at = st_p_dot_2_at + st_padded(W1_d1*y_d0*4);
    const int64_t st_sum_at = st_h_sum_at + st_padded(W1_d1*4);
    const int64_t st_sum_parts_at = st_sum_at + st_padded(W2_d1*8);
    const int64_t st_sum_4_at = st_sum_parts_at + st_padded(W2_d1*128);
    const int64_t st_sum_parts_3_at = st_sum_4_at + st_padded(W1_d1*8);
    const int64_t arena_bytes = st_sum_parts_3_at + st_padded(W1_d1*128);
    arena = st_arena_open(runtime, arena_bytes,
            8.0*W2_d1*y_d0 + 140.0*W2_d1 + 8.0*W1_d1*y_d0 + 140.0*W1_d1);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *h_dot = (float *)arena;
    float *h_tanh = (float *)arena;
    float *p_dot = (float *)(arena + st_p_dot_at);
    float *p_mul = (float *)(arena + st_p_mul_at);
    float *p_sum = (float *)(arena + st_p_sum_at);
    float *p_dot_2 = (float *)(arena + st_p_dot_2_at);
    float *h_mul = (float *)(arena + st_p_dot_2_at);
    float *h_sum = (float *)(arena + st_h_sum_at);
    double *sum = (double *)(arena + st_sum_at);
    double *sum_parts = (double *)(arena + st_sum_parts_at);
    double *sum_4 = (double *)(arena + st_sum_4_at);
    double *sum_parts_3 = (double *)(arena + st_sum_parts_3_at);

    ST_LEAVE_IF_ENDED;
    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_NO_TRANS, .transb = ST_NO_TRANS, .m = y_d0,
            .n = W1_d1, .k = x_d1, .lda = x_d1, .ldb = W1_d1, .ldc = W1_d1}, 1.0f, x, W1, 0.0f,
            h_dot);
    ST_LEAVE_IF_ENDED;
    kernel_2_add_tanh(runtime, h_dot, b1, h_tanh, W1_d1, y_d0);
    ST_LEAVE_IF_ENDED;
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_NO_TRANS, .transb = ST_NO_TRANS, .m = y_d0,
            .n = W2_d1, .k = W1_d1, .lda = W1_d1, .ldb = W2_d1, .ldc = W2_d1}, 1.0f, h_tanh, W2,
            0.0f, p_dot);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float y_d0_f32 = (float)y_d0;
    const float reciprocal_y_d0_f32 = 1 / y_d0_f32;
    ST_LEAVE_IF_ENDED;
    const float sum_3 = kernel_4_exp_log_reciprocal(runtime, sum, sum_parts, y, p_dot, b2, p_mul,
            p_sum, W2_d1, y_d0, reciprocal_y_d0_f32);
    ST_LEAVE_IF_ENDED;
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_NO_TRANS, .transb = ST_TRANS, .m = y_d0,
            .n = W1_d1, .k = W2_d1, .lda = W2_d1, .ldb = W2_d1, .ldc = W1_d1}, 1.0f, p_mul, W2,
            0.0f, p_dot_2);
    ST_LEAVE_IF_ENDED;
    kernel_6_sqr_sub_sum(runtime, sum_4, sum_parts_3, h_tanh, p_dot_2, h_mul, h_sum, W1_d1, y_d0);
    const float rate_value = rate[0];
    /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
    const float neg_rate_value = -rate_value;
    ST_LEAVE_IF_ENDED;
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_TRANS, .transb = ST_NO_TRANS, .m = x_d1,
            .n = W1_d1, .k = y_d0, .lda = x_d1, .ldb = W1_d1, .ldc = W1_d1}, neg_rate_value, x,
            h_mul, 1.0f, W1);
    kernel_8_mul_sub(runtime, h_sum, b1, W1_d1, rate_value);
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_TRANS, .transb = ST_NO_TRANS, .m = W1_d1,
            .n = W2_d1, .k = y_d0, .lda = W1_d1, .ldb = W2_d1, .ldc = W2_d1}, neg_rate_value,
            h_tanh, p_mul, 1.0f, W2);
    kernel_8_mul_sub(runtime, p_sum, b2, W2_d1, rate_value);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float s = sum_3 / y_d0_f32;
    const float s_2 = -s;
    loss[0] = s_2;
done:
    st_arena_close(runtime, arena);
    return status;
}
