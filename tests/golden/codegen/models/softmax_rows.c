/* Not inlined: one thread and many run the very same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void kernel_0_max_exp_true_div_part(const int64_t begin, const int64_t end,
        const float *x, float *out, const int64_t x_d1) {
    for (int64_t i = begin; i < end; i++) {
        float max = -__builtin_inff();
        #pragma omp simd reduction(st_reduce_maximum_f32 : max)
        for (int64_t j = 0; j < x_d1; j++) {
            const float x_i = x[i*x_d1 + j];
            const float v = max > x_i || max != max ? max : x_i;
            max = v;
        }
        const bool v_2 = __builtin_fabsf(max) == __builtin_inff();
        const float v_3 = v_2 ? 0.0f : max;
        double sum = 0.0;
        #pragma omp simd reduction(+ : sum)
        for (int64_t j_2 = 0; j_2 < x_d1; j_2++) {
            const float x_i_2 = x[i*x_d1 + j_2];
            const float v_4 = x_i_2 - v_3;
            const float v_5 = expf(v_4);
            const double v_6 = (double)v_5;
            const double v_7 = sum + v_6;
            sum = v_7;
            out[i*x_d1 + j_2] = v_5;
        }
        const float v_8 = (float)sum;
        #pragma omp simd
        for (int64_t j_3 = 0; j_3 < x_d1; j_3++) {
            const float out_i = out[i*x_d1 + j_3];
            const float v_9 = out_i / v_8;
            out[i*x_d1 + j_3] = v_9;
        }
    }
}

/* max, isinf, switch, sub, exp, sum, true_div over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL void kernel_0_max_exp_true_div(const st_runtime *runtime, const float *x, float *out,
        const int64_t x_d0, const int64_t x_d1) {
    if (st_parallel(runtime, x_d0*x_d1*21)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(x_d0, 1);
            kernel_0_max_exp_true_div_part(share.begin, share.end, x, out, x_d1);
        }
    } else {
        kernel_0_max_exp_true_div_part(0, x_d0, x, out, x_d1);
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
    kernel_0_max_exp_true_div(runtime, x, out, x_d0, x_d1);
done:
    return status;
}
