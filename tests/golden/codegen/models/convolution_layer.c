/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct convolution_layer_epilogue_given {
    const float *mean;
    const float *y_true_div;
    const float *shift;
    float *out;
    const int64_t x_d2;
    const int64_t x_d3;
} convolution_layer_epilogue_given;

ST_KERNEL void convolution_layer_epilogue(const void *given, const int64_t begin,
        const int64_t end) {
    const convolution_layer_epilogue_given *const st_given = given;
    const float *mean = st_given->mean;
    const float *y_true_div = st_given->y_true_div;
    const float *shift = st_given->shift;
    float *out = st_given->out;
    const int64_t x_d2 = st_given->x_d2;
    const int64_t x_d3 = st_given->x_d3;
    for (int64_t i_2 = begin; i_2 < end; i_2++) {
        for (int64_t j = 0; j < 4; j++) {
            const float mean_i = mean[j];
            const float y_true_div_i = y_true_div[j];
            const float shift_i = shift[j];
            #pragma omp simd
            for (int64_t k = 0; k < x_d2*x_d3; k++) {
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
}

/* convolution_layer
   inputs: float32 x[x_d0*x_d2*x_d3*3], float32 w[108], float32 scale[4], float32 shift[4],
       float32 mean[4], float32 var[4]
   outputs: float32 out[x_d0*x_d2*x_d3*4]
   workspace: convolution_bytes + 16 bytes
   1. out = st_convolution_f32(x, w): reads x_d0*x_d2*x_d3*12 + 432, writes x_d0*x_d2*x_d3*16
       bytes */
ST_EXPORT int32_t convolution_layer(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
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

    float *out = ST_ALLOCATE(0, x_d0, 4, x_d2, x_d3);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d2*x_d3*16, 0);

    /* add, sqrt, true_div over 4 */

    const int64_t st_workspace_at = st_padded(16);
    const int64_t arena_bytes = st_workspace_at + st_padded(convolution_bytes);
    arena = st_arena_open(runtime, arena_bytes, 1.0*convolution_bytes + 16.0);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *y_true_div = (float *)arena;
    int8_t *workspace = (int8_t *)(arena + st_workspace_at);

    #pragma omp simd
    for (int64_t i = 0; i < 4; i++) {
        const float var_i = var[i];
        const float v = var_i + 0.0001f;
        const float v_2 = __builtin_sqrtf(v);
        const float scale_i = scale[i];
        const float v_3 = scale_i / v_2;
        y_true_div[i] = v_3;
    }
    /* models.py:134: y = T.nnet.conv2d(x, w, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    const convolution_layer_epilogue_given st_given_1 = {mean, y_true_div, shift, out, x_d2, x_d3};
    st_convolution_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 3, .o = 4,
            .i = {1, x_d2, x_d3}, .k = {1, 3, 3}, .t = {1, x_d2, x_d3}, .p = {0, 1, 1},
            .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0, x, w, out, workspace,
            convolution_bytes, convolution_layer_epilogue, &st_given_1);
done:
    st_arena_close(runtime, arena);
    return status;
}
