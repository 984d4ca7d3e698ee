/* Not inlined: one thread and many run the very same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_max_exp_reciprocal_part(const int64_t begin, const int64_t end,
        const float *x, float *out, const int64_t x_d1, const int64_t x_d0) {
    for (int64_t i = begin; i < end; i++) {
        float max = -__builtin_inff();
        float nan = 0.0f;
        #pragma omp simd reduction(st_reduce_larger_f32 : max) reduction(st_reduce_nan_or_f32 : nan)
        for (int64_t j = 0; j < x_d1; j++) {
            const float x_i = x[i*x_d1 + j];
            const float v = x_i > max ? x_i : max;
            max = v;
            const float v_2 = x_i != x_i ? x_i : nan;
            nan = v_2;
        }
        const float v_3 = nan != nan ? nan : max;
        const bool v_4 = __builtin_fabsf(v_3) == __builtin_inff();
        const float v_5 = v_4 ? 0.0f : v_3;
        double sum = 0.0;
        const int64_t k = x_d0*x_d1;
        const bool many = k > 262144LL;
        for (int64_t block = 0; block < x_d1; block += 128) {
            const int64_t k_2 = block + 128;
            const int64_t stop = k_2 < x_d1 ? k_2 : x_d1;
            if (many) {
                for (int64_t k_3 = block; k_3 < stop; k_3 += 16) {
                    __builtin_prefetch(&x[(i + 1)*x_d1 + k_3]);
                    __builtin_prefetch(&out[(i + 1)*x_d1 + k_3], 1);
                }
            }
            #pragma omp simd reduction(+ : sum)
            for (int64_t j_2 = block; j_2 < stop; j_2++) {
                const float x_i_2 = x[i*x_d1 + j_2];
                const float v_6 = x_i_2 - v_5;
                const float v_7 = expf(v_6);
                const double v_8 = (double)v_7;
                const double v_9 = sum + v_8;
                sum = v_9;
                out[i*x_d1 + j_2] = v_7;
            }
        }
        const float v_10 = (float)sum;
        const float v_11 = 1 / v_10;
        #pragma omp simd
        for (int64_t j_3 = 0; j_3 < x_d1; j_3++) {
            const float out_i = out[i*x_d1 + j_3];
            const float v_12 = out_i * v_11;
            out[i*x_d1 + j_3] = v_12;
        }
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL void kernel_0_max_exp_reciprocal(const st_runtime *runtime, const float *x, float *out,
        const int64_t x_d0, const int64_t x_d1) {
    if (st_parallel(runtime, x_d0*x_d1*22)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(x_d0, 1);
            kernel_0_max_exp_reciprocal_part(share.begin, share.end, x, out, x_d1, x_d0);
        }
    } else {
        kernel_0_max_exp_reciprocal_part(0, x_d0, x, out, x_d1, x_d0);
    }
}

ST_EXPORT int32_t softmax_rows(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0];
    const int64_t x_d1 = inputs[0].shape[1];
    /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
    const bool s = x_d1 > 0LL;
    if (!s) {
        status = st_fail(error, ST_ERROR_VALUE, 0, 1, (const int64_t[]){x_d1});
        goto done;
    }
    float *out = runtime->allocate(runtime->context, 0, (const int64_t[]){x_d0, x_d1});
    if (!out) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){x_d0*x_d1*4, 0});
        goto done;
    }
    kernel_0_max_exp_reciprocal(runtime, x, out, x_d0, x_d1);
done:
    return status;
}
