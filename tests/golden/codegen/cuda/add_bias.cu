/* add, le, switch over x_d0 x x_d1 */
/* models.py:61: return function([x, b], T.nnet.relu(x + b), name="add_bias") */
ST_KERNEL(256) kernel_0_add_le_switch_2(const float *x_device, const float *b_device, float *out,
        int32_t x_d0, int32_t x_d1) {
    alignas(16) float x_four[4];
    alignas(16) float b_four[4];
    alignas(16) float out_four[4];
    const unsigned st_blocks_1 = (x_d1 + 1023)/1024;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i = (int32_t)st_outer_0;
    const int32_t first = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*1024;
    const int32_t k = first + 1024;
    const int32_t stop = k < x_d1 ? k : x_d1;
    const bool aligned = st_is_aligned(&x_device[i*x_d1 + first]);
    const bool aligned_2 = st_is_aligned(&b_device[first]);
    const bool vectors = aligned & aligned_2;
    const bool aligned_3 = st_is_aligned(&out[i*x_d1 + first]);
    const bool vectors_2 = vectors & aligned_3;
    const int32_t k_2 = stop - first;
    const int32_t whole = k_2 & (-4);
    const int32_t in_vectors = vectors_2 ? whole : 0;
    const int32_t rest = first + in_vectors;
    {
        const int32_t thread = st_thread();
        const int32_t j_2 = first + thread*4;
        const bool some = j_2 < rest;
        if (some) {
            const st_four<float> four = st_load_four(&x_device[i*x_d1 + j_2]);
            *(st_four<float> *)&x_four[0] = four;
            const st_four<float> four_2 = st_load_four(&b_device[j_2]);
            *(st_four<float> *)&b_four[0] = four_2;
            ST_UNROLL
            for (int32_t k_3 = 0; k_3 < 4; k_3++) {
                const float x_i_2 = x_four[k_3];
                const float b_i_2 = b_four[k_3];
                /* models.py:61: return function([x, b], T.nnet.relu(x + b), name="add_bias") */
                const float v_4 = x_i_2 + b_i_2;
                const bool v_5 = v_4 <= 0.0f;
                const float v_6 = v_5 ? 0.0f : v_4;
                out_four[k_3] = v_6;
            }
            const st_four<float> four_3 = *(const st_four<float> *)&out_four[0];
            st_store_four(&out[i*x_d1 + j_2], four_3);
        }
        for (int32_t j = rest + thread; j < stop; j += 256) {
            const float x_i = x_device[i*x_d1 + j];
            const float b_i = b_device[j];
            const float v = x_i + b_i;
            const bool v_2 = v <= 0.0f;
            const float v_3 = v_2 ? 0.0f : v;
            out[i*x_d1 + j] = v_3;
        }
    }
}

/* The host. */

/* add, le, switch over x_d0 x x_d1 */
/* models.py:61: return function([x, b], T.nnet.relu(x + b), name="add_bias") */
ST_KERNEL int32_t kernel_0_add_le_switch(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, const float *b_device, float *out, const int64_t x_d0,
        const int64_t x_d1) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&x_device, (void *)&b_device, (void *)&out, (void *)&x_d0,
            (void *)&x_d1};
    ST_ASK(launch, 0, !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1)*3 + 1540),
            st_block_count(x_d0, 1) * st_block_count(x_d1, 1024), 256, st_arguments_1);
done:
    return status;
}

/* add_bias
   inputs: float32 x[x_d0*x_d1], float32 b[x_d1]
   outputs: float32 out[x_d0*x_d1], float32 out_host[x_d0*x_d1], float32 b_device[x_d1],
       float32 x_device[x_d0*x_d1]
   1. out = kernel_0_add_le_switch(x_device, b_device): add, le, switch over x_d0 x x_d1; reads
       (x_d0*4 + 4)*x_d1, writes x_d0*x_d1*4 bytes */
ST_EXPORT int32_t add_bias(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];
    const float *b = inputs[1].data;
    const int64_t b_d0 = inputs[1].shape[0];

    /* models.py:61: return function([x, b], T.nnet.relu(x + b), name="add_bias") */
    ST_REQUIRE(x_d1 == b_d0, SHAPE, 0, x_d1, b_d0);

    float *out = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 1);
    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 2);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);

    float *b_device = st_device_memory(call, x_d1*4, 4.0*x_d1);
    ST_REQUIRE(b_device, MEMORY, -1, x_d1*4, ST_ON_DEVICE - 3);

    ST_ASK(to_device, b_device, b, x_d1*4);
    status = kernel_0_add_le_switch(runtime, call, error, x_device, b_device, out, x_d0, x_d1);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out_host, MEMORY, -1, x_d0*x_d1*4, 0);

    ST_ASK(to_host, out_host, out, x_d0*x_d1*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
