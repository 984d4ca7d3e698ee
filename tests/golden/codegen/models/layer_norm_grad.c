/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_sqrt_reciprocal_true_div_part_given {
    double *sum_parts;
    double *sum_parts_2;
    const float *x;
    const float *c;
    float *y;
    float *x_grad;
    const float *g;
    const float *b;
    const int64_t rows;
    const int64_t x_d0;
    const int64_t x_d1;
    const float reciprocal_x_d1_f32;
    const bool s;
} kernel_0_sqrt_reciprocal_true_div_part_given;

ST_KERNEL void kernel_0_sqrt_reciprocal_true_div_part(const int64_t begin_2, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_0_sqrt_reciprocal_true_div_part_given *const st_given = given;
    double *sum_parts = st_given->sum_parts;
    double *sum_parts_2 = st_given->sum_parts_2;
    const float *x = st_given->x;
    const float *c = st_given->c;
    float *y = st_given->y;
    float *x_grad = st_given->x_grad;
    const float *g = st_given->g;
    const float *b = st_given->b;
    const int64_t rows = st_given->rows;
    const int64_t x_d0 = st_given->x_d0;
    const int64_t x_d1 = st_given->x_d1;
    const float reciprocal_x_d1_f32 = st_given->reciprocal_x_d1_f32;
    const bool s = st_given->s;
    _Alignas(64) double sum_f64_lanes_2[8];
    _Alignas(64) double sum_f64_lanes[8];
    _Alignas(64) double sum_f64_lanes_3[8];
    _Alignas(64) double sum_f64_lanes_4[8];
    _Alignas(64) double sum_f64_lanes_5[8];
    for (int64_t chunk = begin_2; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < x_d0 ? k : x_d0;
        #pragma omp simd
        for (int64_t j_7 = 0; j_7 < x_d1; j_7++) {
            sum_parts[chunk*x_d1 + j_7] = 0.0;
            sum_parts_2[chunk*x_d1 + j_7] = 0.0;
        }
        for (int64_t i = start; i < stop; i++) {
            double sum_f64 = 0.0;
            const int64_t j_whole_2 = x_d1 & (-8LL);
            #pragma omp simd
            for (int64_t j_lane_3 = 0; j_lane_3 < 8; j_lane_3++) {
                sum_f64_lanes_2[j_lane_3] = 0.0;
            }
            for (int64_t j_10 = 0; j_10 < j_whole_2; j_10 += 8) {
                #pragma omp simd
                for (int64_t j_lane_4 = 0; j_lane_4 < 8; j_lane_4++) {
                    const float x_i_13 = x[i*x_d1 + j_10 + j_lane_4];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const double v_69 = (double)x_i_13;
                    const double sum_f64_lanes_2_i_2 = sum_f64_lanes_2[j_lane_4];
                    const double v_101 = sum_f64_lanes_2_i_2 + v_69;
                    const float c_i_4 = c[i*x_d1 + j_10 + j_lane_4];
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const double v_70 = (double)c_i_4;
                    const double sum_parts_i_2 = sum_parts[chunk*x_d1 + j_10 + j_lane_4];
                    const double v_102 = sum_parts_i_2 + v_70;
                    sum_f64_lanes_2[j_lane_4] = v_101;
                    sum_parts[chunk*x_d1 + j_10 + j_lane_4] = v_102;
                }
            }
            #pragma GCC unroll 8
            for (int64_t j_lane_5 = 0; j_lane_5 < 8; j_lane_5++) {
                const double sum_f64_lanes_2_i = sum_f64_lanes_2[j_lane_5];
                sum_f64 += sum_f64_lanes_2_i;
            }
            ST_SCALAR
            for (int64_t j_11 = j_whole_2; j_11 < x_d1; j_11++) {
                const float x_i_14 = x[i*x_d1 + j_11];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v_71 = (double)x_i_14;
                sum_f64 += v_71;
                const float c_i_5 = c[i*x_d1 + j_11];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const double v_72 = (double)c_i_5;
                const double sum_parts_i_3 = sum_parts[chunk*x_d1 + j_11];
                const double v_103 = sum_parts_i_3 + v_72;
                sum_parts[chunk*x_d1 + j_11] = v_103;
            }
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const float sum_3 = (float)sum_f64;
            const float mean = sum_3 * reciprocal_x_d1_f32;
            double sum_f64_2 = 0.0;
            const int64_t k_2 = x_d0*x_d1;
            const bool many = k_2 > 262144LL;
            for (int64_t block = 0; block < x_d1; block += 256) {
                const int64_t k_3 = block + 256;
                const int64_t stop_2 = k_3 < x_d1 ? k_3 : x_d1;
                if (many) {
                    for (int64_t k_4 = block; k_4 < stop_2; k_4 += 16) {
                        __builtin_prefetch(&x[(i + 1)*x_d1 + k_4]);
                        __builtin_prefetch(&c[(i + 1)*x_d1 + k_4]);
                        __builtin_prefetch(&y[i*x_d1 + k_4], 1);
                        __builtin_prefetch(&x_grad[i*x_d1 + k_4], 1);
                    }
                }
                const int64_t k_5 = stop_2 - block;
                const int64_t j_count = k_5 > 0LL ? k_5 : 0LL;
                int64_t begin = block;
                const bool is_long = j_count >= 128LL;
                if (is_long) {
                    const int64_t j_whole = j_count & (-64LL);
                    #pragma omp simd
                    for (int64_t j_lane = 0; j_lane < 8; j_lane++) {
                        sum_f64_lanes[j_lane] = 0.0;
                    }
                    for (int64_t j_9 = block; j_9 < block + j_whole; j_9 += 64) {
                        #pragma omp simd
                        for (int64_t j_lane_2 = 0; j_lane_2 < 8; j_lane_2++) {
                            const float x_i_5 = x[i*x_d1 + j_9 + j_lane_2];
                            const float v_35 = x_i_5 - mean;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_36 = v_35 * v_35;
                            const float x_i_6 = x[i*x_d1 + j_9 + j_lane_2 + 8];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_37 = x_i_6 - mean;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_38 = v_37 * v_37;
                            const float x_i_7 = x[i*x_d1 + j_9 + j_lane_2 + 16];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_39 = x_i_7 - mean;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_40 = v_39 * v_39;
                            const float x_i_8 = x[i*x_d1 + j_9 + j_lane_2 + 24];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_41 = x_i_8 - mean;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_42 = v_41 * v_41;
                            const float x_i_9 = x[i*x_d1 + j_9 + j_lane_2 + 32];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_43 = x_i_9 - mean;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_44 = v_43 * v_43;
                            const float x_i_10 = x[i*x_d1 + j_9 + j_lane_2 + 40];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_45 = x_i_10 - mean;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_46 = v_45 * v_45;
                            const float x_i_11 = x[i*x_d1 + j_9 + j_lane_2 + 48];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_47 = x_i_11 - mean;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_48 = v_47 * v_47;
                            const float x_i_12 = x[i*x_d1 + j_9 + j_lane_2 + 56];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_49 = x_i_12 - mean;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_50 = v_49 * v_49;
                            const float v_51 = v_36 + v_38;
                            const float v_52 = v_40 + v_42;
                            const float v_53 = v_44 + v_46;
                            const float v_54 = v_48 + v_50;
                            const float v_55 = v_51 + v_52;
                            const float v_56 = v_53 + v_54;
                            const float v_57 = v_55 + v_56;
                            const double v_58 = (double)v_57;
                            const double sum_f64_lanes_i_9 = sum_f64_lanes[j_lane_2];
                            const double v_104 = sum_f64_lanes_i_9 + v_58;
                            sum_f64_lanes[j_lane_2] = v_104;
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
                    const double v_59 = sum_f64_lanes_i + sum_f64_lanes_i_2;
                    const double v_60 = sum_f64_lanes_i_3 + sum_f64_lanes_i_4;
                    const double v_61 = sum_f64_lanes_i_5 + sum_f64_lanes_i_6;
                    const double v_62 = sum_f64_lanes_i_7 + sum_f64_lanes_i_8;
                    const double v_63 = v_59 + v_60;
                    const double v_64 = v_61 + v_62;
                    const double v_65 = v_63 + v_64;
                    const double v_66 = __builtin_fabs(v_65);
                    const bool is_finite = v_66 <= 1.7976931348623157e+308;
                    const double v_67 = is_finite ? v_65 : 0.0;
                    sum_f64_2 += v_67;
                    const int64_t k_6 = block + j_whole;
                    const int64_t v_68 = is_finite ? k_6 : block;
                    begin = v_68;
                }
                const int64_t k_7 = stop_2 - begin;
                const int64_t j_count_2 = k_7 > 0LL ? k_7 : 0LL;
                const int64_t j_whole_3 = j_count_2 & (-8LL);
                #pragma omp simd
                for (int64_t j_lane_6 = 0; j_lane_6 < 8; j_lane_6++) {
                    sum_f64_lanes_3[j_lane_6] = 0.0;
                }
                for (int64_t j_12 = begin; j_12 < begin + j_whole_3; j_12 += 8) {
                    #pragma omp simd
                    for (int64_t j_lane_7 = 0; j_lane_7 < 8; j_lane_7++) {
                        const float x_i_15 = x[i*x_d1 + j_12 + j_lane_7];
                        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                        const float v_73 = x_i_15 - mean;
                        /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                        const float v_74 = v_73 * v_73;
                        const double v_75 = (double)v_74;
                        const double sum_f64_lanes_3_i_2 = sum_f64_lanes_3[j_lane_7];
                        const double v_105 = sum_f64_lanes_3_i_2 + v_75;
                        sum_f64_lanes_3[j_lane_7] = v_105;
                    }
                }
                #pragma GCC unroll 8
                for (int64_t j_lane_8 = 0; j_lane_8 < 8; j_lane_8++) {
                    const double sum_f64_lanes_3_i = sum_f64_lanes_3[j_lane_8];
                    sum_f64_2 += sum_f64_lanes_3_i;
                }
                ST_SCALAR
                for (int64_t j_13 = begin + j_whole_3; j_13 < stop_2; j_13++) {
                    const float x_i_16 = x[i*x_d1 + j_13];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_76 = x_i_16 - mean;
                    /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                    const float v_77 = v_76 * v_76;
                    const double v_78 = (double)v_77;
                    sum_f64_2 += v_78;
                }
            }
            const float sum_4 = (float)sum_f64_2;
            const float mean_sqr = sum_4 * reciprocal_x_d1_f32;
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const float v_6 = mean_sqr + 1.0e-05f;
            const float sqrt = __builtin_sqrtf(v_6);
            const float reciprocal = 1 / sqrt;
            const float true_div = 0.5f / sqrt;
            double sum_f64_3 = 0.0;
            double sum_f64_4 = 0.0;
            const int64_t j_whole_4 = x_d1 & (-8LL);
            #pragma omp simd
            for (int64_t j_lane_9 = 0; j_lane_9 < 8; j_lane_9++) {
                sum_f64_lanes_4[j_lane_9] = 0.0;
                sum_f64_lanes_5[j_lane_9] = 0.0;
            }
            for (int64_t j_14 = 0; j_14 < j_whole_4; j_14 += 8) {
                #pragma omp simd
                for (int64_t j_lane_10 = 0; j_lane_10 < 8; j_lane_10++) {
                    const float x_i_17 = x[i*x_d1 + j_14 + j_lane_10];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_79 = x_i_17 - mean;
                    const float c_i_6 = c[i*x_d1 + j_14 + j_lane_10];
                    const float g_i_3 = g[j_14 + j_lane_10];
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_80 = c_i_6 * g_i_3;
                    const float v_81 = v_79 * reciprocal;
                    const float v_82 = v_81 * g_i_3;
                    const float b_i_2 = b[j_14 + j_lane_10];
                    const float v_83 = v_82 + b_i_2;
                    const float v_84 = v_80 * reciprocal;
                    const float v_85 = v_84 * v_81;
                    const double v_86 = (double)v_85;
                    const double sum_f64_lanes_4_i_2 = sum_f64_lanes_4[j_lane_10];
                    const double v_106 = sum_f64_lanes_4_i_2 + v_86;
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const double v_87 = (double)v_84;
                    const double sum_f64_lanes_5_i_2 = sum_f64_lanes_5[j_lane_10];
                    const double v_107 = sum_f64_lanes_5_i_2 + v_87;
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_88 = c_i_6 * v_81;
                    const double v_89 = (double)v_88;
                    const double sum_parts_2_i_2 = sum_parts_2[chunk*x_d1 + j_14 + j_lane_10];
                    const double v_108 = sum_parts_2_i_2 + v_89;
                    y[i*x_d1 + j_14 + j_lane_10] = v_83;
                    sum_f64_lanes_4[j_lane_10] = v_106;
                    sum_f64_lanes_5[j_lane_10] = v_107;
                    sum_parts_2[chunk*x_d1 + j_14 + j_lane_10] = v_108;
                }
            }
            #pragma GCC unroll 8
            for (int64_t j_lane_11 = 0; j_lane_11 < 8; j_lane_11++) {
                const double sum_f64_lanes_4_i = sum_f64_lanes_4[j_lane_11];
                sum_f64_3 += sum_f64_lanes_4_i;
                const double sum_f64_lanes_5_i = sum_f64_lanes_5[j_lane_11];
                sum_f64_4 += sum_f64_lanes_5_i;
            }
            ST_SCALAR
            for (int64_t j_15 = j_whole_4; j_15 < x_d1; j_15++) {
                const float x_i_18 = x[i*x_d1 + j_15];
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_90 = x_i_18 - mean;
                const float c_i_7 = c[i*x_d1 + j_15];
                const float g_i_4 = g[j_15];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_91 = c_i_7 * g_i_4;
                const float v_92 = v_90 * reciprocal;
                const float v_93 = v_92 * g_i_4;
                const float b_i_3 = b[j_15];
                const float v_94 = v_93 + b_i_3;
                const float v_95 = v_91 * reciprocal;
                const float v_96 = v_95 * v_92;
                const double v_97 = (double)v_96;
                sum_f64_3 += v_97;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const double v_98 = (double)v_95;
                sum_f64_4 += v_98;
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_99 = c_i_7 * v_92;
                const double v_100 = (double)v_99;
                const double sum_parts_2_i_3 = sum_parts_2[chunk*x_d1 + j_15];
                const double v_109 = sum_parts_2_i_3 + v_100;
                y[i*x_d1 + j_15] = v_94;
                sum_parts_2[chunk*x_d1 + j_15] = v_109;
            }
            const float sum_5 = (float)sum_f64_3;
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const float sum_6 = (float)sum_f64_4;
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const float v_18 = sum_5 * true_div;
            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
            const float v_19 = v_18 * reciprocal_x_d1_f32;
            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
            const float v_20 = mean * v_19;
            const float v_21 = v_20 * 0.0f;
            const float v_22 = v_21 * (-2.0f);
            const float v_23 = s ? 0.0f : v_22;
            const float v_24 = sum_6 + v_23;
            const float v_25 = v_24 * reciprocal_x_d1_f32;
            #pragma omp simd
            for (int64_t j_5 = 0; j_5 < x_d1; j_5++) {
                const float x_i_4 = x[i*x_d1 + j_5];
                const float v_26 = x_i_4 - mean;
                const float c_i_3 = c[i*x_d1 + j_5];
                const float g_i_2 = g[j_5];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_27 = c_i_3 * g_i_2;
                const float v_28 = v_27 * reciprocal;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_29 = v_26 * v_19;
                const float v_30 = v_29 * (-2.0f);
                const float v_31 = v_28 + v_30;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_32 = v_31 - v_25;
                x_grad[i*x_d1 + j_5] = v_32;
            }
        }
    }
}

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL void kernel_0_sqrt_reciprocal_true_div(const st_runtime *runtime, double *sum,
        double *sum_2, double *sum_parts, double *sum_parts_2, const float *x, const float *c,
        float *y, float *x_grad, const float *g, const float *b, float *g_grad, float *b_grad,
        const int64_t x_d1, const int64_t x_d0, const float reciprocal_x_d1_f32, const bool s) {
    #pragma omp simd
    for (int64_t j = 0; j < x_d1; j++) {
        sum[j] = 0.0;
        sum_2[j] = 0.0;
    }
    const int64_t rows = st_chunk_rows(x_d0, x_d1*6, 32768, 16);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    const bool filled = x_d1 > 0LL;
    const int64_t stop_3 = filled ? chunks : 0LL;
    const kernel_0_sqrt_reciprocal_true_div_part_given st_given_1 = {sum_parts, sum_parts_2, x, c,
            y, x_grad, g, b, rows, x_d0, x_d1, reciprocal_x_d1_f32, s};
    if (st_parallel(runtime, x_d0*x_d1*35)) {
        st_share_out(runtime, kernel_0_sqrt_reciprocal_true_div_part, &st_given_1, stop_3, 1);
    } else {
        kernel_0_sqrt_reciprocal_true_div_part(0, stop_3, 0, &st_given_1);
    }
    const bool filled_2 = x_d1 > 0LL;
    const int64_t stop_4 = filled_2 ? chunks : 0LL;
    for (int64_t chunk_2 = 0; chunk_2 < stop_4; chunk_2++) {
        #pragma omp simd
        for (int64_t j_8 = 0; j_8 < x_d1; j_8++) {
            const double sum_parts_i = sum_parts[chunk_2*x_d1 + j_8];
            const double sum_2_i = sum_2[j_8];
            const double v_110 = sum_2_i + sum_parts_i;
            const double sum_parts_2_i = sum_parts_2[chunk_2*x_d1 + j_8];
            const double sum_i = sum[j_8];
            const double v_111 = sum_i + sum_parts_2_i;
            sum_2[j_8] = v_110;
            sum[j_8] = v_111;
        }
    }
    #pragma omp simd
    for (int64_t j_6 = 0; j_6 < x_d1; j_6++) {
        const double total = sum[j_6];
        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
        const float v_33 = (float)total;
        g_grad[j_6] = v_33;
        const double total_2 = sum_2[j_6];
        const float v_34 = (float)total_2;
        b_grad[j_6] = v_34;
    }
}

/* layer_norm_grad
   inputs: float32 x[x_d0*x_d1], float32 g[x_d1], float32 b[x_d1], float32 c[x_d0*x_d1]
   outputs: float32 y[x_d0*x_d1], float32 x_grad[x_d0*x_d1], float32 g_grad[x_d1],
       float32 b_grad[x_d1]
   workspace: x_d1*272 bytes
   1. y, x_grad, g_grad, b_grad = kernel_0_sqrt_reciprocal_true_div(x, c, g, b): sum, mul, sub,
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

    float *y = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(y, MEMORY, -1, x_d0*x_d1*4, 0);
    float *x_grad = ST_ALLOCATE(1, x_d0, x_d1);
    ST_REQUIRE(x_grad, MEMORY, -1, x_d0*x_d1*4, 1);
    float *g_grad = ST_ALLOCATE(2, x_d1);
    ST_REQUIRE(g_grad, MEMORY, -1, x_d1*4, 2);
    float *b_grad = ST_ALLOCATE(3, x_d1);
    ST_REQUIRE(b_grad, MEMORY, -1, x_d1*4, 3);

    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
    const float x_d1_f32 = (float)x_d1;
    const float reciprocal_x_d1_f32 = 1 / x_d1_f32;
    const bool s = x_d1 == 0LL;

    const int64_t st_sum_2_at = st_padded(x_d1*8);
    const int64_t st_sum_parts_at = st_sum_2_at + st_padded(x_d1*8);
    const int64_t st_sum_parts_2_at = st_sum_parts_at + st_padded(x_d1*128);
    const int64_t arena_bytes = st_sum_parts_2_at + st_padded(x_d1*128);
    arena = st_arena_open(runtime, arena_bytes, 272.0*x_d1);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    double *sum = (double *)arena;
    double *sum_2 = (double *)(arena + st_sum_2_at);
    double *sum_parts = (double *)(arena + st_sum_parts_at);
    double *sum_parts_2 = (double *)(arena + st_sum_parts_2_at);

    kernel_0_sqrt_reciprocal_true_div(runtime, sum, sum_2, sum_parts, sum_parts_2, x, c, y, x_grad,
            g, b, g_grad, b_grad, x_d1, x_d0, reciprocal_x_d1_f32, s);
done:
    st_arena_close(runtime, arena);
    return status;
}
