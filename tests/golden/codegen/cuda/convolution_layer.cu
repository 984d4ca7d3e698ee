/* add, sqrt, true_div over 4 */
/* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
ST_KERNEL(256) kernel_0_add_sqrt_true_div_2(const float *var_device, const float *scale_device,
        float *y_true_div) {
    const int64_t first = st_block()*1024;
    if (first >= 4) return;
    const int64_t k_2 = first + 1024;
    const int64_t stop = k_2 < 4LL ? k_2 : 4LL;
    {
        const int64_t thread = st_thread();
        for (int64_t i = first + thread; i < stop; i += 256) {
            const float var_i = var_device[i];
            /* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
            const float v = var_i + 0.0001f;
            const float v_2 = __builtin_sqrtf(v);
            const float scale_i = scale_device[i];
            const float v_3 = scale_i / v_2;
            y_true_div[i] = v_3;
        }
    }
}

/* sub, mul, add, le, switch over x_d0 x 4 x x_d2 x x_d3 */
/* models.py:135: y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial") */
/* models.py:136: return function([x, w, scale, shift, mean, var], T.nnet.relu(y), name="convolution_layer") */
ST_KERNEL(256) epilogue_2(const float *mean_device, const float *y_true_div,
        const float *shift_device, float *out, int64_t x_d0, int64_t x_d2, int64_t x_d3) {
    const int64_t st_blocks_2 = (x_d2*x_d3 + 1023)/1024;
    const int64_t st_blocks_1 = 4;
    const int64_t st_outer_0 = st_block() / (st_blocks_1*st_blocks_2);
    const int64_t i_2 = st_outer_0;
    if (i_2 >= x_d0) return;
    const int64_t st_outer_1 = (st_block() - st_outer_0*(st_blocks_1*st_blocks_2)) / (st_blocks_2);
    const int64_t j = st_outer_1;
    if (j >= 4) return;
    const int64_t first_2 = ((st_block() - st_outer_0*(st_blocks_1*st_blocks_2)) - st_outer_1*(st_blocks_2))*1024;
    if (first_2 >= x_d2*x_d3) return;
    const int64_t k_3 = first_2 + 1024;
    const int64_t k_4 = x_d2*x_d3;
    const int64_t stop_2 = k_3 < k_4 ? k_3 : k_4;
    const float mean_i = mean_device[j];
    const float y_true_div_i = y_true_div[j];
    const float shift_i = shift_device[j];
    {
        const int64_t thread_2 = st_thread();
        for (int64_t k = first_2 + thread_2; k < stop_2; k += 256) {
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
    ST_ASK(launch, 0, st_block_count(4, 1024), 256, st_arguments_1);
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
    void *st_arguments_2[] = {(void *)&mean_device, (void *)&y_true_div, (void *)&shift_device,
            (void *)&out, (void *)&x_d0, (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 1,
            st_block_count(x_d0, 1) * st_block_count(4, 1) * st_block_count(x_d2*x_d3, 1024), 256,
            st_arguments_2);
done:
    return status;
}

/* convolution_layer
   inputs: float32 x[x_d0*x_d2*x_d3*3], float32 w[108], float32 scale[4], float32 shift[4],
       float32 mean[4], float32 var[4]
   outputs: float32 out[x_d0*x_d2*x_d3*4], float32 out_host[x_d0*x_d2*x_d3*4],
       float32 mean_device[4], float32 scale_device[4], float32 shift_device[4],
       float32 var_device[4], float32 out_host_2[x_d0*x_d2*x_d3*4]
   workspace: convolution_bytes + 16 bytes
   1. y_true_div = kernel_0_add_sqrt_true_div(var_device, scale_device): add, sqrt, true_div over
       4; reads 32, writes 16 bytes
   2. out_host_2 = st_convolution_f32(x, w): reads x_d0*x_d2*x_d3*12 + 432, writes
       x_d0*x_d2*x_d3*16 bytes
   3. out = epilogue(mean_device, y_true_div, shift_device): sub, mul, add, le, switch over x_d0
       x 4 x x_d2 x x_d3; reads 48, writes x_d0*x_d2*x_d3*16 bytes */
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
    const int64_t convolution_bytes = st_convolution_bytes_f32(runtime, &(st_windows){.n = x_d0,
            .groups = 1, .c = 3, .o = 4, .i = {1, x_d2, x_d3}, .k = {1, 3, 3}, .t = {1, x_d2, x_d3},
            .p = {0, 1, 1}, .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0);

    float *out = st_device_memory(call, x_d0*x_d2*x_d3*16, 16.0*x_d0*x_d2*x_d3);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d2*x_d3*16, -1);
    float *var_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(var_device, MEMORY, -1, 16, -1);

    ST_ASK(to_device, var_device, var, 16);

    float *scale_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(scale_device, MEMORY, -1, 16, -1);

    ST_ASK(to_device, scale_device, scale, 16);

    const int64_t arena_bytes = st_padded(convolution_bytes);
    arena = st_arena_open(runtime, arena_bytes, 1.0*convolution_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;

    const int64_t device_arena_bytes = st_padded(16);
    device_arena = st_device_memory(call, device_arena_bytes, 16.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, -1);
    float *y_true_div = (float *)device_arena;

    status = kernel_0_add_sqrt_true_div(runtime, call, error, var_device, scale_device, y_true_div);
    if (status != ST_OK) goto done;

    float *out_host_2 = ST_ALLOCATE(5, x_d0*x_d2*x_d3*4);
    ST_REQUIRE(out_host_2, MEMORY, -1, x_d0*x_d2*x_d3*16, 5);

    ST_ASK(to_host, out_host_2, out, x_d0*x_d2*x_d3*16);
    /* models.py:134: y = T.nnet.conv2d(x, w, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    st_convolution_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 3, .o = 4,
            .i = {1, x_d2, x_d3}, .k = {1, 3, 3}, .t = {1, x_d2, x_d3}, .p = {0, 1, 1},
            .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0, x, w, out_host_2,
            workspace, convolution_bytes, NULL, NULL);
    ST_ASK(to_device, out, out_host_2, x_d0*x_d2*x_d3*16);

    float *mean_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(mean_device, MEMORY, -1, 16, -1);

    ST_ASK(to_device, mean_device, mean, 16);

    float *shift_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(shift_device, MEMORY, -1, 16, -1);

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
