/* add, sqrt, true_div over 4 */
/* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
ST_KERNEL(256) kernel_0_add_sqrt_true_div_2(const float *var_device, const float *scale_device,
        float *y_true_div) {
    alignas(16) float var_four[4];
    alignas(16) float scale_four[4];
    alignas(16) float y_true_div_four[4];
    const int32_t first = (int32_t)st_block_of_row()*1024;
    const int32_t k_2 = first + 1024;
    const int32_t stop = k_2 < 4 ? k_2 : 4;
    const bool aligned = st_is_aligned(&var_device[first]);
    const bool aligned_2 = st_is_aligned(&scale_device[first]);
    const bool vectors = aligned & aligned_2;
    const bool aligned_3 = st_is_aligned(&y_true_div[first]);
    const bool vectors_2 = vectors & aligned_3;
    const int32_t k_3 = stop - first;
    const int32_t whole = k_3 & (-4);
    const int32_t in_vectors = vectors_2 ? whole : 0;
    const int32_t rest = first + in_vectors;
    {
        const int32_t thread = st_thread();
        const int32_t i_3 = first + thread*4;
        const bool some = i_3 < rest;
        if (some) {
            const st_four<float> four = st_load_four(&var_device[i_3]);
            *(st_four<float> *)&var_four[0] = four;
            const st_four<float> four_2 = st_load_four(&scale_device[i_3]);
            *(st_four<float> *)&scale_four[0] = four_2;
            ST_UNROLL
            for (int32_t k_4 = 0; k_4 < 4; k_4++) {
                const float var_i_2 = var_four[k_4];
                /* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
                const float v_9 = var_i_2 + 0.0001f;
                const float v_10 = __builtin_sqrtf(v_9);
                const float scale_i_2 = scale_four[k_4];
                const float v_11 = scale_i_2 / v_10;
                y_true_div_four[k_4] = v_11;
            }
            const st_four<float> four_3 = *(const st_four<float> *)&y_true_div_four[0];
            st_store_four(&y_true_div[i_3], four_3);
        }
        for (int32_t i = rest + thread; i < stop; i += 256) {
            const float var_i = var_device[i];
            const float v = var_i + 0.0001f;
            const float v_2 = __builtin_sqrtf(v);
            const float scale_i = scale_device[i];
            const float v_3 = scale_i / v_2;
            y_true_div[i] = v_3;
        }
    }
}

/* convolution */
/* models.py:134: y = T.nnet.conv2d(x, w, border_mode="half", filter_shape=(4, 3, 3, 3)) */
ST_KERNEL(256) kernel_convolution_2(const float *x_device, const float *w_device, float *out,
        int32_t x_d0, int32_t x_d2, int32_t x_d3) {
    const unsigned st_blocks_3 = (x_d2*x_d3 + 255)/256;
    const unsigned st_blocks_2 = 4;
    const unsigned st_blocks_1 = 1;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1*st_blocks_2*st_blocks_3);
    const int32_t item = (int32_t)st_outer_0;
    const unsigned st_outer_1 = (st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) / (st_blocks_2*st_blocks_3);
    const int32_t group = (int32_t)st_outer_1;
    const unsigned st_outer_2 = ((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) - st_outer_1*(st_blocks_2*st_blocks_3)) / (st_blocks_3);
    const int32_t filter = (int32_t)st_outer_2;
    const int32_t first_3 = (int32_t)(((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) - st_outer_1*(st_blocks_2*st_blocks_3)) - st_outer_2*(st_blocks_3))*256;
    {
        const int32_t thread_3 = st_thread();
        const int32_t place = first_3 + thread_3;
        const int32_t k_10 = x_d2*x_d3;
        /* models.py:134: y = T.nnet.conv2d(x, w, border_mode="half", filter_shape=(4, 3, 3, 3)) */
        const bool v_17 = place < k_10;
        if (v_17) {
            const int32_t t = (int32_t)((uint32_t)place / (uint32_t)x_d3);
            const int32_t t_2 = (int32_t)((uint32_t)t / (uint32_t)x_d2);
            float total = 0.0f;
            for (int32_t channel = 0; channel < 3; channel++) {
                for (int32_t i_4 = 0; i_4 < 1; i_4++) {
                    for (int32_t j_2 = 0; j_2 < 3; j_2++) {
                        for (int32_t k_11 = 0; k_11 < 3; k_11++) {
                            const int32_t k_12 = t_2 - i_4;
                            const bool v_18 = k_12 >= 0LL;
                            const bool v_19 = k_12 < 1LL;
                            const int32_t k_13 = t - t_2*x_d2 - j_2 + 1;
                            const bool v_20 = k_13 >= 0LL;
                            const bool v_21 = k_13 < x_d2;
                            const int32_t k_14 = place - t*x_d3 - k_11 + 1;
                            const bool v_22 = k_14 >= 0LL;
                            const bool v_23 = k_14 < x_d3;
                            const bool v_24 = v_18 & v_19;
                            const bool v_25 = v_24 & v_20;
                            const bool v_26 = v_25 & v_21;
                            const bool v_27 = v_26 & v_22;
                            const bool v_28 = v_27 & v_23;
                            if (v_28) {
                                const float x_i = x_device[((channel + group*3 + item*3 - i_4)*x_d2 - j_2 + 1)*x_d3 + place - k_11 + 1];
                                const float w_i = w_device[channel*9 + filter*27 + group*108 + i_4*9 + j_2*3 + k_11];
                                const float v_29 = x_i * w_i;
                                const float v_30 = total + v_29;
                                total = v_30;
                            }
                        }
                    }
                }
            }
            out[((filter + group*4 + item*4)*x_d3)*x_d2 + place] = total;
        }
    }
}

/* sub, mul, add, le, switch over x_d0 x 4 x x_d2 x x_d3 */
/* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
/* models.py:136: return function([x, w, scale, shift, mean, var], T.nnet.relu(y), name="convolution_layer") */
ST_KERNEL(256) epilogue_2(const float *mean_device, const float *y_true_div,
        const float *shift_device, float *out, int32_t x_d0, int32_t x_d2, int32_t x_d3) {
    alignas(16) float out_four[4];
    const unsigned st_blocks_2 = (x_d2*x_d3 + 1023)/1024;
    const unsigned st_blocks_1 = 4;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1*st_blocks_2);
    const int32_t i_2 = (int32_t)st_outer_0;
    const unsigned st_outer_1 = (st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2)) / (st_blocks_2);
    const int32_t j = (int32_t)st_outer_1;
    const int32_t first_2 = (int32_t)((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2)) - st_outer_1*(st_blocks_2))*1024;
    const int32_t k_5 = first_2 + 1024;
    const int32_t k_6 = x_d2*x_d3;
    const int32_t stop_2 = k_5 < k_6 ? k_5 : k_6;
    const float mean_i = mean_device[j];
    const float y_true_div_i = y_true_div[j];
    const float shift_i = shift_device[j];
    const bool aligned_4 = st_is_aligned(&out[((i_2*4 + j)*x_d3)*x_d2 + first_2]);
    const int32_t k_7 = stop_2 - first_2;
    const int32_t whole_2 = k_7 & (-4);
    const int32_t in_vectors_2 = aligned_4 ? whole_2 : 0;
    const int32_t rest_2 = first_2 + in_vectors_2;
    {
        const int32_t thread_2 = st_thread();
        const int32_t k_8 = first_2 + thread_2*4;
        const bool some_2 = k_8 < rest_2;
        if (some_2) {
            const st_four<float> four_4 = st_load_four(&out[((i_2*4 + j)*x_d3)*x_d2 + k_8]);
            *(st_four<float> *)&out_four[0] = four_4;
            ST_UNROLL
            for (int32_t k_9 = 0; k_9 < 4; k_9++) {
                const float out_i_2 = out_four[k_9];
                /* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
                const float v_12 = out_i_2 - mean_i;
                const float v_13 = v_12 * y_true_div_i;
                const float v_14 = v_13 + shift_i;
                /* models.py:136: return function([x, w, scale, shift, mean, var], T.nnet.relu(y), name="convolution_layer") */
                const bool v_15 = v_14 <= 0.0f;
                const float v_16 = v_15 ? 0.0f : v_14;
                out_four[k_9] = v_16;
            }
            const st_four<float> four_5 = *(const st_four<float> *)&out_four[0];
            st_store_four(&out[((i_2*4 + j)*x_d3)*x_d2 + k_8], four_5);
        }
        for (int32_t k = rest_2 + thread_2; k < stop_2; k += 256) {
            const float out_i = out[((i_2*4 + j)*x_d3)*x_d2 + k];
            /* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
            const float v_4 = out_i - mean_i;
            const float v_5 = v_4 * y_true_div_i;
            const float v_6 = v_5 + shift_i;
            /* models.py:136: return function([x, w, scale, shift, mean, var], T.nnet.relu(y), name="convolution_layer") */
            const bool v_7 = v_6 <= 0.0f;
            const float v_8 = v_7 ? 0.0f : v_6;
            out[((i_2*4 + j)*x_d3)*x_d2 + k] = v_8;
        }
    }
}

/* The host. */

/* add, sqrt, true_div over 4 */
/* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
ST_KERNEL int32_t kernel_0_add_sqrt_true_div(const st_runtime *runtime, st_call *call,
        st_error *error, const float *var_device, const float *scale_device, float *y_true_div) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&var_device, (void *)&scale_device, (void *)&y_true_div};
    ST_ASK(launch, 0, false, st_block_count(4, 1024), 256, st_arguments_1);
done:
    return status;
}

/* convolution */
/* models.py:134: y = T.nnet.conv2d(x, w, border_mode="half", filter_shape=(4, 3, 3, 3)) */
ST_KERNEL int32_t kernel_convolution(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, const float *w_device, float *out, const int64_t x_d0,
        const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_2[] = {(void *)&x_device, (void *)&w_device, (void *)&out, (void *)&x_d0,
            (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 1,
            !st_fits(((st_extent(x_d0)*4 + st_extent(x_d2) + st_extent(x_d3) + 9)*st_extent(x_d3) + 256)*st_extent(x_d2) + st_extent(x_d0)*4 + st_extent(x_d3)*256 + 264),
            st_block_count(x_d0, 1) * st_block_count(1, 1) * st_block_count(4, 1) * st_block_count(x_d2*x_d3, 256),
            256, st_arguments_2);
done:
    return status;
}

/* sub, mul, add, le, switch over x_d0 x 4 x x_d2 x x_d3 */
/* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
/* models.py:136: return function([x, w, scale, shift, mean, var], T.nnet.relu(y), name="convolution_layer") */
ST_KERNEL int32_t epilogue(const st_runtime *runtime, st_call *call, st_error *error,
        const float *mean_device, const float *y_true_div, const float *shift_device, float *out,
        const int64_t x_d0, const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_3[] = {(void *)&mean_device, (void *)&y_true_div, (void *)&shift_device,
            (void *)&out, (void *)&x_d0, (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 2,
            !st_fits(((st_extent(x_d0)*4 + 7)*st_extent(x_d3) + 1)*st_extent(x_d2) + st_extent(x_d0)*4 + st_extent(x_d3) + 1540),
            st_block_count(x_d0, 1) * st_block_count(4, 1) * st_block_count(x_d2*x_d3, 1024), 256,
            st_arguments_3);
done:
    return status;
}

/* convolution_layer
   inputs: float32 x[x_d0*x_d2*x_d3*3], float32 w[108], float32 scale[4], float32 shift[4],
       float32 mean[4], float32 var[4]
   outputs: float32 out[x_d0*x_d2*x_d3*4], float32 out_host[x_d0*x_d2*x_d3*4],
       float32 mean_device[4], float32 scale_device[4], float32 shift_device[4],
       float32 var_device[4], float32 w_device[108], float32 x_device[x_d0*x_d2*x_d3*3]
   workspace: convolution_bytes + 16 bytes
   1. y_true_div = kernel_0_add_sqrt_true_div(var_device, scale_device): add, sqrt, true_div over
       4; reads 32, writes 16 bytes
   2. out = kernel_convolution(x_device, w_device): convolution; reads x_d0*x_d2*x_d3*12 + 432,
       writes x_d0*x_d2*x_d3*16 bytes
   3. out = epilogue(mean_device, y_true_div, shift_device, out): sub, mul, add, le, switch over
       x_d0 x 4 x x_d2 x x_d3; reads x_d0*x_d2*x_d3*16 + 48, writes x_d0*x_d2*x_d3*16 bytes */
ST_EXPORT int32_t convolution_layer(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1], x_d2 = inputs[0].shape[2],
            x_d3 = inputs[0].shape[3];
    const float *w = inputs[1].data;
    const int64_t w_d0 = inputs[1].shape[0], w_d1 = inputs[1].shape[1], w_d2 = inputs[1].shape[2],
            w_d3 = inputs[1].shape[3];
    const float *scale = inputs[2].data;
    const int64_t scale_d0 = inputs[2].shape[0];
    const float *shift = inputs[3].data;
    const int64_t shift_d0 = inputs[3].shape[0];
    const float *mean = inputs[4].data;
    const int64_t mean_d0 = inputs[4].shape[0];
    const float *var = inputs[5].data;
    const int64_t var_d0 = inputs[5].shape[0];

    /* models.py:134: y = T.nnet.conv2d(x, w, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    ST_REQUIRE(w_d0 == 4, SHAPE, 0, w_d0);
    ST_REQUIRE(w_d1 == 3, SHAPE, 1, w_d1);
    ST_REQUIRE(w_d2 == 3, SHAPE, 2, w_d2);
    ST_REQUIRE(w_d3 == 3, SHAPE, 3, w_d3);
    ST_REQUIRE(x_d1 == 3, SHAPE, 4, x_d0, x_d1, x_d2, x_d3);
    ST_REQUIRE(x_d2 >= 1, SHAPE, 5, x_d0, 3, x_d2, x_d3, x_d2);
    ST_REQUIRE(x_d3 >= 1, SHAPE, 6, x_d0, 3, x_d2, x_d3, x_d3);
    /* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
    ST_REQUIRE(mean_d0 == 4, SHAPE, 7, mean_d0, 4);
    ST_REQUIRE(scale_d0 == 4, SHAPE, 8, scale_d0, 4);
    ST_REQUIRE(var_d0 == 4, SHAPE, 9, var_d0, 4);
    ST_REQUIRE(shift_d0 == 4, SHAPE, 10, shift_d0, 4);
    const int64_t convolution_bytes = 0;

    float *out = st_device_memory(call, x_d0*x_d2*x_d3*16, 16.0*x_d0*x_d2*x_d3);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d2*x_d3*16, ST_ON_DEVICE - 1);
    float *var_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(var_device, MEMORY, -1, 16, ST_ON_DEVICE - 2);

    ST_ASK(to_device, var_device, var, 16);

    float *scale_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(scale_device, MEMORY, -1, 16, ST_ON_DEVICE - 3);

    ST_ASK(to_device, scale_device, scale, 16);

    const int64_t arena_bytes = st_padded(convolution_bytes);
    arena = st_arena_open(runtime, arena_bytes, 1.0*convolution_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;

    const int64_t device_arena_bytes = st_padded(16);
    device_arena = st_device_memory(call, device_arena_bytes, 16.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *y_true_div = (float *)device_arena;

    status = kernel_0_add_sqrt_true_div(runtime, call, error, var_device, scale_device, y_true_div);
    if (status != ST_OK) goto done;

    float *x_device = st_device_memory(call, x_d0*x_d2*x_d3*12, 12.0*x_d0*x_d2*x_d3);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d2*x_d3*12, ST_ON_DEVICE - 4);

    ST_ASK(to_device, x_device, x, x_d0*x_d2*x_d3*12);

    float *w_device = st_device_memory(call, 432, 432.0);
    ST_REQUIRE(w_device, MEMORY, -1, 432, ST_ON_DEVICE - 5);

    ST_ASK(to_device, w_device, w, 432);
    status = kernel_convolution(runtime, call, error, x_device, w_device, out, x_d0, x_d2, x_d3);
    if (status != ST_OK) goto done;

    float *mean_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(mean_device, MEMORY, -1, 16, ST_ON_DEVICE - 6);

    ST_ASK(to_device, mean_device, mean, 16);

    float *shift_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(shift_device, MEMORY, -1, 16, ST_ON_DEVICE - 7);

    ST_ASK(to_device, shift_device, shift, 16);
    status = epilogue(runtime, call, error, mean_device, y_true_div, shift_device, out, x_d0, x_d2,
            x_d3);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, x_d0, 4, x_d2, x_d3);
    ST_REQUIRE(out_host, MEMORY, -1, x_d0*x_d2*x_d3*16, 0);

    ST_ASK(to_host, out_host, out, x_d0*x_d2*x_d3*16);
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
