/* sqr, add, mul over a_d0 */
/* models.py:55: return function([a, b], a * a + b * b + 2 * a * b, name="polynomial") */
ST_KERNEL(256) kernel_0_sqr_add_mul_2(const float *a_device, const float *b_device, float *out,
        int32_t a_d0) {
    alignas(16) float a_four[4];
    alignas(16) float b_four[4];
    alignas(16) float out_four[4];
    const int32_t first = (int32_t)st_block_of_row()*1024;
    const int32_t k = first + 1024;
    const int32_t stop = k < a_d0 ? k : a_d0;
    const bool aligned = st_is_aligned(&a_device[first]);
    const bool aligned_2 = st_is_aligned(&b_device[first]);
    const bool vectors = aligned & aligned_2;
    const bool aligned_3 = st_is_aligned(&out[first]);
    const bool vectors_2 = vectors & aligned_3;
    const int32_t k_2 = stop - first;
    const int32_t whole = k_2 & (-4);
    const int32_t in_vectors = vectors_2 ? whole : 0;
    const int32_t rest = first + in_vectors;
    {
        const int32_t thread = st_thread();
        const int32_t i_2 = first + thread*4;
        const bool some = i_2 < rest;
        if (some) {
            const st_four<float> four = st_load_four(&a_device[i_2]);
            *(st_four<float> *)&a_four[0] = four;
            const st_four<float> four_2 = st_load_four(&b_device[i_2]);
            *(st_four<float> *)&b_four[0] = four_2;
            ST_UNROLL
            for (int32_t k_3 = 0; k_3 < 4; k_3++) {
                const float a_i_2 = a_four[k_3];
                /* models.py:55: return function([a, b], a * a + b * b + 2 * a * b, name="polynomial") */
                const float v_7 = a_i_2 * a_i_2;
                const float b_i_2 = b_four[k_3];
                const float v_8 = b_i_2 * b_i_2;
                const float v_9 = v_7 + v_8;
                const float v_10 = a_i_2 * b_i_2;
                const float v_11 = v_10 * 2.0f;
                const float v_12 = v_9 + v_11;
                out_four[k_3] = v_12;
            }
            const st_four<float> four_3 = *(const st_four<float> *)&out_four[0];
            st_store_four(&out[i_2], four_3);
        }
        for (int32_t i = rest + thread; i < stop; i += 256) {
            const float a_i = a_device[i];
            const float v = a_i * a_i;
            const float b_i = b_device[i];
            const float v_2 = b_i * b_i;
            const float v_3 = v + v_2;
            const float v_4 = a_i * b_i;
            const float v_5 = v_4 * 2.0f;
            const float v_6 = v_3 + v_5;
            out[i] = v_6;
        }
    }
}

/* The host. */

/* sqr, add, mul over a_d0 */
/* models.py:55: return function([a, b], a * a + b * b + 2 * a * b, name="polynomial") */
ST_KERNEL int32_t kernel_0_sqr_add_mul(const st_runtime *runtime, st_call *call, st_error *error,
        const float *a_device, const float *b_device, float *out, const int64_t a_d0) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&a_device, (void *)&b_device, (void *)&out, (void *)&a_d0};
    ST_ASK(launch, 0, !st_fits(st_extent(a_d0)*3 + 1540), st_block_count(a_d0, 1024), 256,
            st_arguments_1);
done:
    return status;
}

/* polynomial
   inputs: float32 a[a_d0], float32 b[a_d0]
   outputs: float32 out[a_d0], float32 out_host[a_d0], float32 a_device[a_d0],
       float32 b_device[a_d0]
   1. out = kernel_0_sqr_add_mul(a_device, b_device): sqr, add, mul over a_d0; reads a_d0*8,
       writes a_d0*4 bytes */
ST_EXPORT int32_t polynomial(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    const float *a = inputs[0].data;
    const int64_t a_d0 = inputs[0].shape[0];
    const float *b = inputs[1].data;
    const int64_t b_d0 = inputs[1].shape[0];

    /* models.py:55: return function([a, b], a * a + b * b + 2 * a * b, name="polynomial") */
    ST_REQUIRE(a_d0 == b_d0, SHAPE, 0, a_d0, b_d0);

    float *out = st_device_memory(call, a_d0*4, 4.0*a_d0);
    ST_REQUIRE(out, MEMORY, -1, a_d0*4, ST_ON_DEVICE - 1);
    float *a_device = st_device_memory(call, a_d0*4, 4.0*a_d0);
    ST_REQUIRE(a_device, MEMORY, -1, a_d0*4, ST_ON_DEVICE - 2);

    ST_ASK(to_device, a_device, a, a_d0*4);

    float *b_device = st_device_memory(call, a_d0*4, 4.0*a_d0);
    ST_REQUIRE(b_device, MEMORY, -1, a_d0*4, ST_ON_DEVICE - 3);

    ST_ASK(to_device, b_device, b, a_d0*4);
    status = kernel_0_sqr_add_mul(runtime, call, error, a_device, b_device, out, a_d0);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, a_d0);
    ST_REQUIRE(out_host, MEMORY, -1, a_d0*4, 0);

    ST_ASK(to_host, out_host, out, a_d0*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
