/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_sqr_add_mul_part_given {
    const float *a;
    const float *b;
    float *out;
} kernel_0_sqr_add_mul_part_given;

ST_KERNEL void kernel_0_sqr_add_mul_part(const int64_t begin, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_0_sqr_add_mul_part_given *const st_given = given;
    const float *a = st_given->a;
    const float *b = st_given->b;
    float *out = st_given->out;
    #pragma omp simd
    for (int64_t i = begin; i < end; i++) {
        const float a_i = a[i];
        /* models.py:55: return function([a, b], a * a + b * b + 2 * a * b, name="polynomial") */
        const float v = a_i * a_i;
        const float b_i = b[i];
        const float v_2 = b_i * b_i;
        const float v_3 = v + v_2;
        const float v_4 = a_i * b_i;
        const float v_5 = v_4 * 2.0f;
        const float v_6 = v_3 + v_5;
        out[i] = v_6;
    }
}

/* sqr, add, mul over a_d0 */
/* models.py:55: return function([a, b], a * a + b * b + 2 * a * b, name="polynomial") */
ST_KERNEL void kernel_0_sqr_add_mul(const st_runtime *runtime, const float *a, const float *b,
        float *out, const int64_t a_d0) {
    const kernel_0_sqr_add_mul_part_given st_given_1 = {a, b, out};
    if (st_parallel(runtime, a_d0*6)) {
        st_share_out(runtime, kernel_0_sqr_add_mul_part, &st_given_1, a_d0, 256);
    } else {
        kernel_0_sqr_add_mul_part(0, a_d0, 0, &st_given_1);
    }
}

/* polynomial
   inputs: float32 a[a_d0], float32 b[a_d0]
   outputs: float32 out[a_d0]
   1. out = kernel_0_sqr_add_mul(a, b): sqr, add, mul over a_d0; reads a_d0*8, writes a_d0*4
       bytes */
ST_EXPORT int32_t polynomial(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *a = inputs[0].data;
    const int64_t a_d0 = inputs[0].shape[0];
    const float *b = inputs[1].data;
    const int64_t b_d0 = inputs[1].shape[0];

    /* models.py:55: return function([a, b], a * a + b * b + 2 * a * b, name="polynomial") */
    ST_REQUIRE(a_d0 == b_d0, SHAPE, 0, a_d0, b_d0);

    float *out = ST_ALLOCATE(0, a_d0);
    ST_REQUIRE(out, MEMORY, -1, a_d0*4, 0);

    kernel_0_sqr_add_mul(runtime, a, b, out, a_d0);
done:
    return status;
}
