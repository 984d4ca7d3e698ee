/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_add_le_switch_part_given {
    const float *x;
    const float *b;
    float *out;
    const int64_t x_d1;
} kernel_0_add_le_switch_part_given;

ST_KERNEL void kernel_0_add_le_switch_part(const int64_t begin, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_0_add_le_switch_part_given *const st_given = given;
    const float *x = st_given->x;
    const float *b = st_given->b;
    float *out = st_given->out;
    const int64_t x_d1 = st_given->x_d1;
    for (int64_t i = begin; i < end; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < x_d1; j++) {
            const float x_i = x[i*x_d1 + j];
            const float b_i = b[j];
            /* models.py:61: return function([x, b], T.nnet.relu(x + b), name="add_bias") */
            const float v = x_i + b_i;
            const bool v_2 = v <= 0.0f;
            const float v_3 = v_2 ? 0.0f : v;
            out[i*x_d1 + j] = v_3;
        }
    }
}

/* add, le, switch over x_d0 x x_d1 */
/* models.py:61: return function([x, b], T.nnet.relu(x + b), name="add_bias") */
ST_KERNEL void kernel_0_add_le_switch(const st_runtime *runtime, const float *x, const float *b,
        float *out, const int64_t x_d1, const int64_t x_d0) {
    const bool filled = x_d1 > 0LL;
    const int64_t stop = filled ? x_d0 : 0LL;
    const kernel_0_add_le_switch_part_given st_given_1 = {x, b, out, x_d1};
    if (st_parallel(runtime, x_d0*x_d1*3)) {
        st_share_out(runtime, kernel_0_add_le_switch_part, &st_given_1, stop, 1);
    } else {
        kernel_0_add_le_switch_part(0, stop, 0, &st_given_1);
    }
}

/* add_bias
   inputs: float32 x[x_d0*x_d1], float32 b[x_d1]
   outputs: float32 out[x_d0*x_d1]
   1. out = kernel_0_add_le_switch(x, b): add, le, switch over x_d0 x x_d1; reads (x_d0*4 +
       4)*x_d1, writes x_d0*x_d1*4 bytes */
ST_EXPORT int32_t add_bias(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];
    const float *b = inputs[1].data;
    const int64_t b_d0 = inputs[1].shape[0];

    /* models.py:61: return function([x, b], T.nnet.relu(x + b), name="add_bias") */
    ST_REQUIRE(x_d1 == b_d0, SHAPE, 0, x_d1, b_d0);

    float *out = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, 0);

    kernel_0_add_le_switch(runtime, x, b, out, x_d1, x_d0);
done:
    return status;
}
