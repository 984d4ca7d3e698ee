/* mul, sub, add over w_d0 */
/* models.py:87: new = np.float32(0.9) * v - np.float32(0.1) * g */
/* models.py:88: return function([g], [], updates=[(v, new), (w, w + new)], name="momentum") */
ST_KERNEL(256) kernel_0_mul_sub_add_2(float *v_device, const float *g_device, float *w_device,
        int32_t w_d0) {
    alignas(16) float v_four[4];
    alignas(16) float g_four[4];
    alignas(16) float w_four[4];
    const int32_t first = (int32_t)st_block_of_row()*1024;
    const int32_t k = first + 1024;
    const int32_t stop = k < w_d0 ? k : w_d0;
    const bool aligned = st_is_aligned(&v_device[first]);
    const bool aligned_2 = st_is_aligned(&g_device[first]);
    const bool vectors = aligned & aligned_2;
    const bool aligned_3 = st_is_aligned(&w_device[first]);
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
            const st_four<float> four = st_load_four(&v_device[i_2]);
            *(st_four<float> *)&v_four[0] = four;
            const st_four<float> four_2 = st_load_four(&g_device[i_2]);
            *(st_four<float> *)&g_four[0] = four_2;
            const st_four<float> four_3 = st_load_four(&w_device[i_2]);
            *(st_four<float> *)&w_four[0] = four_3;
            ST_UNROLL
            for (int32_t k_3 = 0; k_3 < 4; k_3++) {
                const float v_i_2 = v_four[k_3];
                /* models.py:87: new = np.float32(0.9) * v - np.float32(0.1) * g */
                const float v_6 = v_i_2 * 0.9f;
                const float g_i_2 = g_four[k_3];
                const float v_7 = g_i_2 * 0.1f;
                const float v_8 = v_6 - v_7;
                const float w_i_2 = w_four[k_3];
                /* models.py:88: return function([g], [], updates=[(v, new), (w, w + new)], name="momentum") */
                const float v_9 = w_i_2 + v_8;
                v_four[k_3] = v_8;
                w_four[k_3] = v_9;
            }
            const st_four<float> four_4 = *(const st_four<float> *)&v_four[0];
            st_store_four(&v_device[i_2], four_4);
            const st_four<float> four_5 = *(const st_four<float> *)&w_four[0];
            st_store_four(&w_device[i_2], four_5);
        }
        for (int32_t i = rest + thread; i < stop; i += 256) {
            const float v_i = v_device[i];
            /* models.py:87: new = np.float32(0.9) * v - np.float32(0.1) * g */
            const float v_2 = v_i * 0.9f;
            const float g_i = g_device[i];
            const float v_3 = g_i * 0.1f;
            const float v_4 = v_2 - v_3;
            const float w_i = w_device[i];
            /* models.py:88: return function([g], [], updates=[(v, new), (w, w + new)], name="momentum") */
            const float v_5 = w_i + v_4;
            v_device[i] = v_4;
            w_device[i] = v_5;
        }
    }
}

/* The host. */

/* mul, sub, add over w_d0 */
/* models.py:87: new = np.float32(0.9) * v - np.float32(0.1) * g */
/* models.py:88: return function([g], [], updates=[(v, new), (w, w + new)], name="momentum") */
ST_KERNEL int32_t kernel_0_mul_sub_add(const st_runtime *runtime, st_call *call, st_error *error,
        float *v_device, const float *g_device, float *w_device, const int64_t w_d0) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&v_device, (void *)&g_device, (void *)&w_device,
            (void *)&w_d0};
    ST_ASK(launch, 0, !st_fits(st_extent(w_d0)*3 + 1540), st_block_count(w_d0, 1024), 256,
            st_arguments_1);
done:
    return status;
}

/* momentum
   inputs: float32 g[w_d0]
   changed: float32 v[w_d0], float32 w[w_d0]
   outputs: float32 g_device[w_d0], float32 v_device[w_d0], float32 w_device[w_d0]
   1. v_device, w_device = kernel_0_mul_sub_add(g_device): mul, sub, add over w_d0; reads w_d0*4,
       writes w_d0*8 bytes */
ST_EXPORT int32_t momentum(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
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

    float *v_device = st_device_memory(call, w_d0*4, 4.0*w_d0);
    ST_REQUIRE(v_device, MEMORY, -1, w_d0*4, ST_ON_DEVICE - 1);

    ST_ASK(to_device, v_device, v, w_d0*4);

    float *g_device = st_device_memory(call, w_d0*4, 4.0*w_d0);
    ST_REQUIRE(g_device, MEMORY, -1, w_d0*4, ST_ON_DEVICE - 2);

    ST_ASK(to_device, g_device, g, w_d0*4);

    float *w_device = st_device_memory(call, w_d0*4, 4.0*w_d0);
    ST_REQUIRE(w_device, MEMORY, -1, w_d0*4, ST_ON_DEVICE - 3);

    ST_ASK(to_device, w_device, w, w_d0*4);
    status = kernel_0_mul_sub_add(runtime, call, error, v_device, g_device, w_device, w_d0);
    if (status != ST_OK) goto done;
    ST_ASK(to_host, v, v_device, w_d0*4);
    ST_ASK(to_host, w, w_device, w_d0*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
