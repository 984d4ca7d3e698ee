/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_max_exp_reciprocal_part_given {
    const float *x;
    float *out;
    const int64_t x_d0;
    const int64_t x_d1;
} kernel_0_max_exp_reciprocal_part_given;

typedef struct kernel_0_max_exp_reciprocal_part_2_given {
    const float *x;
    float *out;
    const int64_t x_d1;
    const int64_t x_d0;
} kernel_0_max_exp_reciprocal_part_2_given;

ST_KERNEL void kernel_0_max_exp_reciprocal_part(const int64_t begin_2, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_0_max_exp_reciprocal_part_given *const st_given = given;
    const float *x = st_given->x;
    float *out = st_given->out;
    const int64_t x_d0 = st_given->x_d0;
    const int64_t x_d1 = st_given->x_d1;
    _Alignas(64) float x_tile[512];
    _Alignas(64) float max_2[32];
    _Alignas(64) float nan_2[32];
    _Alignas(64) float v_7[32];
    _Alignas(64) double sum_f64_2[32];
    _Alignas(64) float out_tile[512];
    _Alignas(64) float reciprocal_2[32];
    for (int64_t block = begin_2*32; block < end*32; block += 32) {
        const int64_t k = x_d0 - block;
        const int64_t lanes = k < 32LL ? k : 32LL;
        const int64_t k_2 = lanes + 15;
        const int64_t groups = k_2 / 16LL;
        const int64_t last = lanes - 1;
        const bool whole = lanes == 32LL;
        if (whole) {
            for (int64_t j_5 = 0; j_5 < x_d1; j_5++) {
                #pragma omp simd
                for (int64_t lane_2 = 0; lane_2 < 32; lane_2++) {
                    const float element_2 = x[(block + lane_2)*x_d1 + j_5];
                    x_tile[j_5*32 + lane_2] = element_2;
                }
            }
        } else {
            const bool filled = x_d1 > 0LL;
            const int64_t k_8 = groups*16;
            const int64_t stop_2 = filled ? k_8 : 0LL;
            ST_SCALAR
            for (int64_t lane = 0; lane < stop_2; lane++) {
                const int64_t row = lane < last ? lane : last;
                ST_SCALAR
                for (int64_t j_4 = 0; j_4 < x_d1; j_4++) {
                    const float element = x[(block + row)*x_d1 + j_4];
                    x_tile[j_4*32 + lane] = element;
                }
            }
        }
        #pragma omp simd
        for (int64_t lane_3 = 0; lane_3 < groups*16; lane_3++) {
            max_2[lane_3] = -__builtin_inff();
            nan_2[lane_3] = 0.0f;
        }
        for (int64_t j_6 = 0; j_6 < x_d1; j_6++) {
            #pragma omp simd
            for (int64_t lane_4 = 0; lane_4 < groups*16; lane_4++) {
                const float x_i_3 = x_tile[j_6*32 + lane_4];
                const float max_2_i_2 = max_2[lane_4];
                /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                const float v_41 = x_i_3 > max_2_i_2 ? x_i_3 : max_2_i_2;
                const float nan_2_i_2 = nan_2[lane_4];
                const float v_42 = x_i_3 != x_i_3 ? x_i_3 : nan_2_i_2;
                max_2[lane_4] = v_41;
                nan_2[lane_4] = v_42;
            }
        }
        #pragma omp simd
        for (int64_t lane_5 = 0; lane_5 < groups*16; lane_5++) {
            const float max_2_i = max_2[lane_5];
            const float nan_2_i = nan_2[lane_5];
            const float v_8 = nan_2_i != nan_2_i ? nan_2_i : max_2_i;
            const bool isinf_2 = __builtin_fabsf(v_8) == __builtin_inff();
            const float v_9 = isinf_2 ? 0.0f : v_8;
            v_7[lane_5] = v_9;
            sum_f64_2[lane_5] = 0.0;
        }
        for (int64_t j_7 = 0; j_7 < x_d1; j_7++) {
            #pragma omp simd
            for (int64_t lane_6 = 0; lane_6 < groups*16; lane_6++) {
                const float v_7_i = v_7[lane_6];
                const float x_i_4 = x_tile[j_7*32 + lane_6];
                const float v_10 = x_i_4 - v_7_i;
                const float v_11 = expf(v_10);
                const double v_12 = (double)v_11;
                const double sum_f64_2_i_2 = sum_f64_2[lane_6];
                const double v_43 = sum_f64_2_i_2 + v_12;
                out_tile[j_7*32 + lane_6] = v_11;
                sum_f64_2[lane_6] = v_43;
            }
        }
        #pragma omp simd
        for (int64_t lane_7 = 0; lane_7 < groups*16; lane_7++) {
            const double sum_f64_2_i = sum_f64_2[lane_7];
            const float sum_2 = (float)sum_f64_2_i;
            const float reciprocal_3 = 1 / sum_2;
            reciprocal_2[lane_7] = reciprocal_3;
        }
        for (int64_t j_8 = 0; j_8 < x_d1; j_8++) {
            #pragma omp simd
            for (int64_t lane_8 = 0; lane_8 < groups*16; lane_8++) {
                const float reciprocal_2_i = reciprocal_2[lane_8];
                const float out_i_2 = out_tile[j_8*32 + lane_8];
                const float v_13 = out_i_2 * reciprocal_2_i;
                out_tile[j_8*32 + lane_8] = v_13;
            }
        }
        if (whole) {
            for (int64_t j_10 = 0; j_10 < x_d1; j_10++) {
                #pragma omp simd
                for (int64_t lane_10 = 0; lane_10 < 32; lane_10++) {
                    const float element_4 = out_tile[j_10*32 + lane_10];
                    out[(block + lane_10)*x_d1 + j_10] = element_4;
                }
            }
        } else {
            const bool filled_2 = x_d1 > 0LL;
            const int64_t stop_3 = filled_2 ? lanes : 0LL;
            ST_SCALAR
            for (int64_t lane_9 = 0; lane_9 < stop_3; lane_9++) {
                ST_SCALAR
                for (int64_t j_9 = 0; j_9 < x_d1; j_9++) {
                    const float element_3 = out_tile[j_9*32 + lane_9];
                    out[(block + lane_9)*x_d1 + j_9] = element_3;
                }
            }
        }
    }
}

ST_KERNEL void kernel_0_max_exp_reciprocal_part_2(const int64_t begin_2, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_0_max_exp_reciprocal_part_2_given *const st_given = given;
    const float *x = st_given->x;
    float *out = st_given->out;
    const int64_t x_d1 = st_given->x_d1;
    const int64_t x_d0 = st_given->x_d0;
    _Alignas(64) float max_lanes[16];
    _Alignas(64) float nan_lanes[16];
    _Alignas(64) float sum_f64_terms[256];
    _Alignas(64) double sum_f64_lanes[8];
    for (int64_t i = begin_2; i < end; i++) {
        float max = -__builtin_inff();
        float nan = 0.0f;
        const int64_t j_whole_3 = x_d1 & (-16LL);
        #pragma GCC ivdep
        #pragma GCC unroll 16
        for (int64_t j_lane_3 = 0; j_lane_3 < 16; j_lane_3++) {
            max_lanes[j_lane_3] = -__builtin_inff();
            nan_lanes[j_lane_3] = 0.0f;
        }
        for (int64_t j_16 = 0; j_16 < j_whole_3; j_16 += 16) {
            #pragma GCC ivdep
            #pragma GCC unroll 16
            for (int64_t j_lane_4 = 0; j_lane_4 < 16; j_lane_4++) {
                const float x_i_6 = x[i*x_d1 + j_16 + j_lane_4];
                const float max_lanes_i_4 = max_lanes[j_lane_4];
                /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                const float v_44 = x_i_6 > max_lanes_i_4 ? x_i_6 : max_lanes_i_4;
                const float nan_lanes_i_4 = nan_lanes[j_lane_4];
                const float v_45 = x_i_6 != x_i_6 ? x_i_6 : nan_lanes_i_4;
                max_lanes[j_lane_4] = v_44;
                nan_lanes[j_lane_4] = v_45;
            }
        }
        const bool v_40 = x_d1 >= 8LL;
        const int64_t j_ended = v_40 ? x_d1 : 0LL;
        for (int64_t j_17 = j_whole_3; j_17 < j_ended; j_17 += 8) {
            const int64_t k_9 = x_d1 - 8;
            const int64_t first = j_17 < k_9 ? j_17 : k_9;
            #pragma omp simd
            for (int64_t j_lane_5 = 0; j_lane_5 < 8; j_lane_5++) {
                const float x_i_7 = x[i*x_d1 + first + j_lane_5];
                const float max_lanes_i_5 = max_lanes[j_lane_5];
                const float v_46 = x_i_7 > max_lanes_i_5 ? x_i_7 : max_lanes_i_5;
                const float nan_lanes_i_5 = nan_lanes[j_lane_5];
                const float v_47 = x_i_7 != x_i_7 ? x_i_7 : nan_lanes_i_5;
                max_lanes[j_lane_5] = v_46;
                nan_lanes[j_lane_5] = v_47;
            }
        }
        #pragma GCC ivdep
        #pragma GCC unroll 8
        for (int64_t j_lane_6 = 0; j_lane_6 < 8; j_lane_6++) {
            const float max_lanes_i = max_lanes[j_lane_6 + 8];
            const float max_lanes_i_6 = max_lanes[j_lane_6];
            const float v_48 = max_lanes_i > max_lanes_i_6 ? max_lanes_i : max_lanes_i_6;
            const float nan_lanes_i = nan_lanes[j_lane_6 + 8];
            const float nan_lanes_i_6 = nan_lanes[j_lane_6];
            const float v_49 = nan_lanes_i != nan_lanes_i ? nan_lanes_i : nan_lanes_i_6;
            max_lanes[j_lane_6] = v_48;
            nan_lanes[j_lane_6] = v_49;
        }
        #pragma GCC ivdep
        #pragma GCC unroll 4
        for (int64_t j_lane_7 = 0; j_lane_7 < 4; j_lane_7++) {
            const float max_lanes_i_2 = max_lanes[j_lane_7 + 4];
            const float max_lanes_i_7 = max_lanes[j_lane_7];
            const float v_50 = max_lanes_i_2 > max_lanes_i_7 ? max_lanes_i_2 : max_lanes_i_7;
            const float nan_lanes_i_2 = nan_lanes[j_lane_7 + 4];
            const float nan_lanes_i_7 = nan_lanes[j_lane_7];
            const float v_51 = nan_lanes_i_2 != nan_lanes_i_2 ? nan_lanes_i_2 : nan_lanes_i_7;
            max_lanes[j_lane_7] = v_50;
            nan_lanes[j_lane_7] = v_51;
        }
        #pragma GCC unroll 4
        for (int64_t j_lane_8 = 0; j_lane_8 < 4; j_lane_8++) {
            const float max_lanes_i_3 = max_lanes[j_lane_8];
            max = max_lanes_i_3 > max ? max_lanes_i_3 : max;
            const float nan_lanes_i_3 = nan_lanes[j_lane_8];
            nan = nan_lanes_i_3 != nan_lanes_i_3 ? nan_lanes_i_3 : nan;
        }
        ST_SCALAR
        for (int64_t j_18 = j_ended; j_18 < x_d1; j_18++) {
            const float x_i_8 = x[i*x_d1 + j_18];
            max = x_i_8 > max ? x_i_8 : max;
            nan = x_i_8 != x_i_8 ? x_i_8 : nan;
        }
        const float v = nan != nan ? nan : max;
        const bool isinf = __builtin_fabsf(v) == __builtin_inff();
        const float v_2 = isinf ? 0.0f : v;
        double sum_f64 = 0.0;
        const int64_t k_3 = x_d0*x_d1;
        const bool many = k_3 > 262144LL;
        for (int64_t block_2 = 0; block_2 < x_d1; block_2 += 256) {
            const int64_t k_4 = block_2 + 256;
            const int64_t stop = k_4 < x_d1 ? k_4 : x_d1;
            if (many) {
                for (int64_t k_5 = block_2; k_5 < stop; k_5 += 16) {
                    __builtin_prefetch(&x[(i + 1)*x_d1 + k_5]);
                    __builtin_prefetch(&out[(i + 1)*x_d1 + k_5], 1);
                }
            }
            #pragma omp simd
            for (int64_t j_11 = 0; j_11 < stop - block_2; j_11++) {
                const float x_i_5 = x[i*x_d1 + block_2 + j_11];
                const float v_14 = x_i_5 - v_2;
                const float v_15 = expf(v_14);
                out[i*x_d1 + block_2 + j_11] = v_15;
                sum_f64_terms[j_11] = v_15;
            }
            const int64_t k_6 = stop - block_2;
            const int64_t j_count = k_6 > 0LL ? k_6 : 0LL;
            int64_t begin = 0;
            const bool is_long = j_count >= 128LL;
            if (is_long) {
                const int64_t j_whole = j_count & (-64LL);
                #pragma omp simd
                for (int64_t j_lane = 0; j_lane < 8; j_lane++) {
                    sum_f64_lanes[j_lane] = 0.0;
                }
                for (int64_t j_13 = 0; j_13 < j_whole; j_13 += 64) {
                    #pragma omp simd
                    for (int64_t j_lane_2 = 0; j_lane_2 < 8; j_lane_2++) {
                        const float sum_f64_terms_i_2 = sum_f64_terms[j_13 + j_lane_2];
                        const float sum_f64_terms_i_3 = sum_f64_terms[j_13 + j_lane_2 + 8];
                        const float sum_f64_terms_i_4 = sum_f64_terms[j_13 + j_lane_2 + 16];
                        const float sum_f64_terms_i_5 = sum_f64_terms[j_13 + j_lane_2 + 24];
                        const float sum_f64_terms_i_6 = sum_f64_terms[j_13 + j_lane_2 + 32];
                        const float sum_f64_terms_i_7 = sum_f64_terms[j_13 + j_lane_2 + 40];
                        const float sum_f64_terms_i_8 = sum_f64_terms[j_13 + j_lane_2 + 48];
                        const float sum_f64_terms_i_9 = sum_f64_terms[j_13 + j_lane_2 + 56];
                        const float v_17 = sum_f64_terms_i_2 + sum_f64_terms_i_3;
                        const float v_18 = sum_f64_terms_i_4 + sum_f64_terms_i_5;
                        const float v_19 = sum_f64_terms_i_6 + sum_f64_terms_i_7;
                        const float v_20 = sum_f64_terms_i_8 + sum_f64_terms_i_9;
                        const float v_21 = v_17 + v_18;
                        const float v_22 = v_19 + v_20;
                        const float v_23 = v_21 + v_22;
                        const double v_24 = (double)v_23;
                        const double sum_f64_lanes_i_9 = sum_f64_lanes[j_lane_2];
                        const double v_52 = sum_f64_lanes_i_9 + v_24;
                        sum_f64_lanes[j_lane_2] = v_52;
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
                const double v_25 = sum_f64_lanes_i + sum_f64_lanes_i_2;
                const double v_26 = sum_f64_lanes_i_3 + sum_f64_lanes_i_4;
                const double v_27 = sum_f64_lanes_i_5 + sum_f64_lanes_i_6;
                const double v_28 = sum_f64_lanes_i_7 + sum_f64_lanes_i_8;
                const double v_29 = v_25 + v_26;
                const double v_30 = v_27 + v_28;
                const double v_31 = v_29 + v_30;
                const double v_32 = __builtin_fabs(v_31);
                const bool is_finite = v_32 <= 1.7976931348623157e+308;
                const double v_33 = is_finite ? v_31 : 0.0;
                sum_f64 += v_33;
                const int64_t v_34 = is_finite ? j_whole : 0LL;
                begin = v_34;
            }
            const int64_t k_7 = stop - begin - block_2;
            const int64_t j_count_2 = k_7 > 0LL ? k_7 : 0LL;
            const int64_t j_whole_2 = j_count_2 & (-8LL);
            st_f64v sum_f64_lanes_2 = {0.0, 0.0, 0.0, 0.0};
            st_f64v sum_f64_lanes_3 = {0.0, 0.0, 0.0, 0.0};
            for (int64_t j_14 = begin; j_14 < begin + j_whole_2; j_14 += 8) {
                const st_f32v sum_f64_terms_i_10 = *(const st_f32v *)&sum_f64_terms[j_14];
                const st_f64v v_35 = st_widened(sum_f64_terms_i_10);
                sum_f64_lanes_2 += v_35;
                const st_f32v sum_f64_terms_i_11 = *(const st_f32v *)&sum_f64_terms[j_14 + 4];
                const st_f64v v_36 = st_widened(sum_f64_terms_i_11);
                sum_f64_lanes_3 += v_36;
            }
            const st_f64v v_37 = sum_f64_lanes_2 + sum_f64_lanes_3;
            const double v_38 = st_total(v_37);
            sum_f64 += v_38;
            for (int64_t j_15 = begin + j_whole_2; j_15 < stop - block_2; j_15++) {
                const float sum_f64_terms_i_12 = sum_f64_terms[j_15];
                const double v_39 = (double)sum_f64_terms_i_12;
                sum_f64 += v_39;
            }
        }
        const float sum = (float)sum_f64;
        const float reciprocal = 1 / sum;
        #pragma omp simd
        for (int64_t j_3 = 0; j_3 < x_d1; j_3++) {
            const float out_i = out[i*x_d1 + j_3];
            const float v_6 = out_i * reciprocal;
            out[i*x_d1 + j_3] = v_6;
        }
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL void kernel_0_max_exp_reciprocal(const st_runtime *runtime, const float *x, float *out,
        const int64_t x_d1, const int64_t x_d0) {
    const bool short_rows = x_d1 <= 16LL;
    if (short_rows) {
        const kernel_0_max_exp_reciprocal_part_given st_given_1 = {x, out, x_d0, x_d1};
        if (st_parallel(runtime, x_d0*x_d1*19)) {
            st_share_out(runtime, kernel_0_max_exp_reciprocal_part, &st_given_1, (x_d0 + 31) / 32,
                    1);
        } else {
            kernel_0_max_exp_reciprocal_part(0, (x_d0 + 31) / 32, 0, &st_given_1);
        }
    } else {
        const bool filled_3 = x_d1 > 0LL;
        const int64_t stop_4 = filled_3 ? x_d0 : 0LL;
        const kernel_0_max_exp_reciprocal_part_2_given st_given_2 = {x, out, x_d1, x_d0};
        if (st_parallel(runtime, x_d0*x_d1*19)) {
            st_share_out(runtime, kernel_0_max_exp_reciprocal_part_2, &st_given_2, stop_4, 1);
        } else {
            kernel_0_max_exp_reciprocal_part_2(0, stop_4, 0, &st_given_2);
        }
    }
}

/* softmax_rows
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[x_d0*x_d1]
   1. out = kernel_0_max_exp_reciprocal(x): max, isinf, switch, sub, exp, sum, reciprocal, mul
       over x_d0 x x_d1; reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes */
ST_EXPORT int32_t softmax_rows(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    float *out = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, 0);

    kernel_0_max_exp_reciprocal(runtime, x, out, x_d1, x_d0);
done:
    return status;
}
