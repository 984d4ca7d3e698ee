/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_max_exp_reciprocal_part(const int64_t begin, const int64_t end,
        const float *x, float *out, const int64_t x_d0, const int64_t x_d1) {
    _Alignas(64) float max[32];
    _Alignas(64) float nan[32];
    _Alignas(64) float kept[32];
    _Alignas(64) double sum[32];
    _Alignas(64) float kept_2[32];
    for (int64_t block = begin*32; block < end*32; block += 32) {
        const int64_t k = x_d0 - block;
        const int64_t lanes = k < 32LL ? k : 32LL;
        #pragma omp simd
        for (int64_t lane = 0; lane < lanes; lane++) {
            max[lane] = -__builtin_inff();
            nan[lane] = 0.0f;
        }
        for (int64_t j = 0; j < x_d1; j++) {
            #pragma omp simd
            for (int64_t lane_2 = 0; lane_2 < lanes; lane_2++) {
                const float max_i = max[lane_2];
                float max_2 = max_i;
                const float nan_i = nan[lane_2];
                float nan_2 = nan_i;
                const float x_i = x[(block + lane_2)*x_d1 + j];
                const float v = x_i > max_2 ? x_i : max_2;
                max_2 = v;
                const float v_2 = x_i != x_i ? x_i : nan_2;
                nan_2 = v_2;
                max[lane_2] = max_2;
                nan[lane_2] = nan_2;
            }
        }
        #pragma omp simd
        for (int64_t lane_3 = 0; lane_3 < lanes; lane_3++) {
            const float max_i_2 = max[lane_3];
            const float nan_i_2 = nan[lane_3];
            const float v_3 = nan_i_2 != nan_i_2 ? nan_i_2 : max_i_2;
            const bool v_4 = __builtin_fabsf(v_3) == __builtin_inff();
            const float v_5 = v_4 ? 0.0f : v_3;
            kept[lane_3] = v_5;
            sum[lane_3] = 0.0;
        }
        for (int64_t j_2 = 0; j_2 < x_d1; j_2++) {
            #pragma omp simd
            for (int64_t lane_4 = 0; lane_4 < lanes; lane_4++) {
                const float kept_i = kept[lane_4];
                const double sum_i = sum[lane_4];
                double sum_2 = sum_i;
                const float x_i_2 = x[(block + lane_4)*x_d1 + j_2];
                const float v_6 = x_i_2 - kept_i;
                const float v_7 = expf(v_6);
                const double v_8 = (double)v_7;
                const double v_9 = sum_2 + v_8;
                sum_2 = v_9;
                out[(block + lane_4)*x_d1 + j_2] = v_7;
                sum[lane_4] = sum_2;
            }
        }
        #pragma omp simd
        for (int64_t lane_5 = 0; lane_5 < lanes; lane_5++) {
            const double sum_i_2 = sum[lane_5];
            const float v_10 = (float)sum_i_2;
            const float v_11 = 1 / v_10;
            kept_2[lane_5] = v_11;
        }
        for (int64_t j_3 = 0; j_3 < x_d1; j_3++) {
            #pragma omp simd
            for (int64_t lane_6 = 0; lane_6 < lanes; lane_6++) {
                const float kept_2_i = kept_2[lane_6];
                const float out_i = out[(block + lane_6)*x_d1 + j_3];
                const float v_12 = out_i * kept_2_i;
                out[(block + lane_6)*x_d1 + j_3] = v_12;
            }
        }
    }
}

ST_KERNEL void kernel_0_max_exp_reciprocal_part_2(const int64_t begin, const int64_t end,
        const float *x, float *out, const int64_t x_d1, const int64_t x_d0) {
    for (int64_t i = begin; i < end; i++) {
        float max_3 = -__builtin_inff();
        float nan_3 = 0.0f;
        #pragma omp simd reduction(st_reduce_larger_f32 : max_3) reduction(st_reduce_nan_or_f32 : nan_3)
        for (int64_t j_4 = 0; j_4 < x_d1; j_4++) {
            const float x_i_3 = x[i*x_d1 + j_4];
            const float v_13 = x_i_3 > max_3 ? x_i_3 : max_3;
            max_3 = v_13;
            const float v_14 = x_i_3 != x_i_3 ? x_i_3 : nan_3;
            nan_3 = v_14;
        }
        const float v_15 = nan_3 != nan_3 ? nan_3 : max_3;
        const bool v_16 = __builtin_fabsf(v_15) == __builtin_inff();
        const float v_17 = v_16 ? 0.0f : v_15;
        double sum_3 = 0.0;
        const int64_t k_2 = x_d0*x_d1;
        const bool many = k_2 > 262144LL;
        for (int64_t block_2 = 0; block_2 < x_d1; block_2 += 512) {
            const int64_t k_3 = block_2 + 512;
            const int64_t stop = k_3 < x_d1 ? k_3 : x_d1;
            if (many) {
                for (int64_t k_4 = block_2; k_4 < stop; k_4 += 16) {
                    __builtin_prefetch(&x[(i + 1)*x_d1 + k_4]);
                    __builtin_prefetch(&out[(i + 1)*x_d1 + k_4], 1);
                }
            }
            #pragma omp simd reduction(+ : sum_3)
            for (int64_t j_5 = block_2; j_5 < stop; j_5++) {
                const float x_i_4 = x[i*x_d1 + j_5];
                const float v_18 = x_i_4 - v_17;
                const float v_19 = expf(v_18);
                const double v_20 = (double)v_19;
                const double v_21 = sum_3 + v_20;
                sum_3 = v_21;
                out[i*x_d1 + j_5] = v_19;
            }
        }
        const float v_22 = (float)sum_3;
        const float v_23 = 1 / v_22;
        #pragma omp simd
        for (int64_t j_6 = 0; j_6 < x_d1; j_6++) {
            const float out_i_2 = out[i*x_d1 + j_6];
            const float v_24 = out_i_2 * v_23;
            out[i*x_d1 + j_6] = v_24;
        }
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL void kernel_0_max_exp_reciprocal(const st_runtime *runtime, const float *x, float *out,
        const int64_t x_d1, const int64_t x_d0) {
    const bool short_rows = x_d1 <= 16LL;
    if (short_rows) {
        if (st_parallel(runtime, x_d0*x_d1*22)) {
            #pragma omp parallel num_threads(runtime->threads)
            {
                const st_share share = st_my_share((x_d0 + 31) / 32, 1);
                kernel_0_max_exp_reciprocal_part(share.begin, share.end, x, out, x_d0, x_d1);
            }
        } else {
            kernel_0_max_exp_reciprocal_part(0, (x_d0 + 31) / 32, x, out, x_d0, x_d1);
        }
    } else {
        const bool filled = x_d1 > 0LL;
        const int64_t stop_2 = filled ? x_d0 : 0LL;
        if (st_parallel(runtime, x_d0*x_d1*22)) {
            #pragma omp parallel num_threads(runtime->threads)
            {
                const st_share share = st_my_share(stop_2, 1);
                kernel_0_max_exp_reciprocal_part_2(share.begin, share.end, x, out, x_d1, x_d0);
            }
        } else {
            kernel_0_max_exp_reciprocal_part_2(0, stop_2, x, out, x_d1, x_d0);
        }
    }
}

ST_EXPORT int32_t softmax_rows(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0];
    const int64_t x_d1 = inputs[0].shape[1];
    float *out = runtime->allocate(runtime->context, 0, (const int64_t[]){x_d0, x_d1});
    if (!out) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){x_d0*x_d1*4, 0});
        goto done;
    }
    kernel_0_max_exp_reciprocal(runtime, x, out, x_d1, x_d0);
done:
    return status;
}
