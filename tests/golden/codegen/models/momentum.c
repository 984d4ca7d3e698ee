/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_mul_sub_add_part_given {
    float *v;
    const float *g;
    float *w;
} kernel_0_mul_sub_add_part_given;

ST_KERNEL void kernel_0_mul_sub_add_part(const int64_t begin, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_0_mul_sub_add_part_given *const st_given = given;
    float *v = st_given->v;
    const float *g = st_given->g;
    float *w = st_given->w;
    #pragma omp simd
    for (int64_t i = begin; i < end; i++) {
        const float v_i = v[i];
        /* models.py:87: new = np.float32(0.9) * v - np.float32(0.1) * g */
        const float v_2 = v_i * 0.9f;
        const float g_i = g[i];
        const float v_3 = g_i * 0.1f;
        const float v_4 = v_2 - v_3;
        const float w_i = w[i];
        /* models.py:88: return function([g], [], updates=[(v, new), (w, w + new)], name="momentum") */
        const float v_5 = w_i + v_4;
        v[i] = v_4;
        w[i] = v_5;
    }
}

/* mul, sub, add over w_d0 */
/* models.py:87: new = np.float32(0.9) * v - np.float32(0.1) * g */
/* models.py:88: return function([g], [], updates=[(v, new), (w, w + new)], name="momentum") */
ST_KERNEL void kernel_0_mul_sub_add(const st_runtime *runtime, float *v, const float *g, float *w,
        const int64_t w_d0) {
    const kernel_0_mul_sub_add_part_given st_given_1 = {v, g, w};
    if (st_parallel(runtime, w_d0*4)) {
        st_share_out(runtime, kernel_0_mul_sub_add_part, &st_given_1, w_d0, 256);
    } else {
        kernel_0_mul_sub_add_part(0, w_d0, 0, &st_given_1);
    }
}

/* momentum
   inputs: float32 g[w_d0]
   changed: float32 v[w_d0], float32 w[w_d0]
   1. v, w = kernel_0_mul_sub_add(v, g, w): mul, sub, add over w_d0; reads w_d0*12, writes w_d0*8
       bytes */
ST_EXPORT int32_t momentum(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *g = inputs[0].data;
    const int64_t g_d0 = inputs[0].shape[0];
    float *v = inputs[1].data;
    const int64_t v_d0 = inputs[1].shape[0];
    float *w = inputs[2].data;
    const int64_t w_d0 = inputs[2].shape[0];

    /* models.py:87: new = np.float32(0.9) * v - np.float32(0.1) * g */
    ST_REQUIRE(v_d0 == g_d0, SHAPE, 0, v_d0, g_d0);
    /* models.py:88: return function([g], [], updates=[(v, new), (w, w + new)], name="momentum") */
    ST_REQUIRE(w_d0 == v_d0, SHAPE, 1, w_d0, v_d0);
    kernel_0_mul_sub_add(runtime, v, g, w, w_d0);
done:
    return status;
}
