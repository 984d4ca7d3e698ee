/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct convolution_step_epilogue_given {
    const float *b;
    float *h_switch;
    uint8_t *h_le;
    const int64_t x_d2;
    const int64_t x_d3;
} convolution_step_epilogue_given;

typedef struct kernel_4_sub_sqr_sum_part_given {
    const float *z_convolution;
    const float *t;
    float *cost_mul;
    double *sum_f64_parts;
    const int64_t rows;
    const int64_t n;
    const int64_t n_2;
    const int64_t x_d0;
    const float s_7;
} kernel_4_sub_sqr_sum_part_given;

typedef struct kernel_7_switch_sum_mul_part_given {
    const uint8_t *h_le;
    const float *h_pooling_2;
    float *h_switch_2;
    const float *b;
    float *b_new;
    const int64_t x_d2;
    const int64_t x_d3;
    const int64_t x_d0;
} kernel_7_switch_sum_mul_part_given;

ST_KERNEL void convolution_step_epilogue(const void *given, const int64_t begin,
        const int64_t end) {
    const convolution_step_epilogue_given *const st_given = given;
    const float *b = st_given->b;
    float *h_switch = st_given->h_switch;
    uint8_t *h_le = st_given->h_le;
    const int64_t x_d2 = st_given->x_d2;
    const int64_t x_d3 = st_given->x_d3;
    for (int64_t i = begin; i < end; i++) {
        for (int64_t j = 0; j < 4; j++) {
            const float b_i = b[j];
            #pragma omp simd
            for (int64_t k = 0; k < x_d2*x_d3; k++) {
                const float h_switch_i = h_switch[((i*4 + j)*x_d3)*x_d2 + k];
                /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
                const float v_2 = h_switch_i + b_i;
                const bool v_3 = v_2 <= 0.0f;
                const float v_4 = v_3 ? 0.0f : v_2;
                h_le[((i*4 + j)*x_d3)*x_d2 + k] = v_3;
                h_switch[((i*4 + j)*x_d3)*x_d2 + k] = v_4;
            }
        }
    }
}

ST_KERNEL void kernel_4_sub_sqr_sum_part(const int64_t begin, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_4_sub_sqr_sum_part_given *const st_given = given;
    const float *z_convolution = st_given->z_convolution;
    const float *t = st_given->t;
    float *cost_mul = st_given->cost_mul;
    double *sum_f64_parts = st_given->sum_f64_parts;
    const int64_t rows = st_given->rows;
    const int64_t n = st_given->n;
    const int64_t n_2 = st_given->n_2;
    const int64_t x_d0 = st_given->x_d0;
    const float s_7 = st_given->s_7;
    _Alignas(64) double sum_f64_lanes[8];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k_6 = rows + start;
        const int64_t k_7 = n*n_2*x_d0*2;
        const int64_t stop = k_6 < k_7 ? k_6 : k_7;
        double sum_f64_3 = 0.0;
        const int64_t k_8 = stop - start;
        const int64_t i_count = k_8 > 0LL ? k_8 : 0LL;
        const int64_t i_whole = i_count & (-8LL);
        #pragma omp simd
        for (int64_t i_lane = 0; i_lane < 8; i_lane++) {
            sum_f64_lanes[i_lane] = 0.0;
        }
        for (int64_t i_6 = start; i_6 < i_whole + start; i_6 += 8) {
            #pragma omp simd
            for (int64_t i_lane_2 = 0; i_lane_2 < 8; i_lane_2++) {
                const float z_convolution_i_2 = z_convolution[i_6 + i_lane_2];
                const float t_i_2 = t[i_6 + i_lane_2];
                /* models.py:124: cost = T.sqr(z - t).mean() */
                const float v_17 = z_convolution_i_2 - t_i_2;
                const float v_18 = v_17 * v_17;
                const double v_19 = (double)v_18;
                const double sum_f64_lanes_i_2 = sum_f64_lanes[i_lane_2];
                const double v_25 = sum_f64_lanes_i_2 + v_19;
                const float v_20 = v_17 * s_7;
                cost_mul[i_6 + i_lane_2] = v_20;
                sum_f64_lanes[i_lane_2] = v_25;
            }
        }
        #pragma GCC unroll 8
        for (int64_t i_lane_3 = 0; i_lane_3 < 8; i_lane_3++) {
            const double sum_f64_lanes_i = sum_f64_lanes[i_lane_3];
            sum_f64_3 += sum_f64_lanes_i;
        }
        ST_SCALAR
        for (int64_t i_7 = i_whole + start; i_7 < stop; i_7++) {
            const float z_convolution_i_3 = z_convolution[i_7];
            const float t_i_3 = t[i_7];
            const float v_21 = z_convolution_i_3 - t_i_3;
            const float v_22 = v_21 * v_21;
            const double v_23 = (double)v_22;
            sum_f64_3 += v_23;
            const float v_24 = v_21 * s_7;
            cost_mul[i_7] = v_24;
        }
        sum_f64_parts[chunk] = sum_f64_3;
    }
}

/* sub, sqr, sum, mul over x_d0 x 2 x n x n_2 */
/* models.py:124: cost = T.sqr(z - t).mean() */
ST_KERNEL float kernel_4_sub_sqr_sum(const st_runtime *runtime, const float *z_convolution,
        const float *t, float *cost_mul, const int64_t n, const int64_t n_2, const int64_t x_d0,
        const float s_7) {
    _Alignas(64) double sum_f64_parts[64];
    double sum_f64 = 0.0;
    const int64_t rows = st_chunk_rows(n*n_2*x_d0*2, 1, 32768, 64);
    const int64_t chunks = (n*n_2*x_d0*2 + rows - 1) / rows;
    const kernel_4_sub_sqr_sum_part_given st_given_1 = {z_convolution, t, cost_mul, sum_f64_parts,
            rows, n, n_2, x_d0, s_7};
    if (st_parallel(runtime, n*n_2*x_d0*12)) {
        st_share_out(runtime, kernel_4_sub_sqr_sum_part, &st_given_1, chunks, 1);
    } else {
        kernel_4_sub_sqr_sum_part(0, chunks, 0, &st_given_1);
    }
    for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
        const double sum_f64_parts_i = sum_f64_parts[chunk_2];
        sum_f64 += sum_f64_parts_i;
    }
    const float sum = (float)sum_f64;
    return sum;
}

ST_KERNEL void kernel_7_switch_sum_mul_part(const int64_t begin, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_7_switch_sum_mul_part_given *const st_given = given;
    const uint8_t *h_le = st_given->h_le;
    const float *h_pooling_2 = st_given->h_pooling_2;
    float *h_switch_2 = st_given->h_switch_2;
    const float *b = st_given->b;
    float *b_new = st_given->b_new;
    const int64_t x_d2 = st_given->x_d2;
    const int64_t x_d3 = st_given->x_d3;
    const int64_t x_d0 = st_given->x_d0;
    _Alignas(64) double sum_f64_lanes_2[32];
    for (int64_t i_3 = begin; i_3 < end; i_3++) {
        double sum_f64_2 = 0.0;
        const int64_t k_9 = x_d2*x_d3;
        const bool filled = k_9 > 0LL;
        const int64_t stop_2 = filled ? x_d0 : 0LL;
        for (int64_t j_3 = 0; j_3 < stop_2; j_3++) {
            const int64_t k_10 = x_d2*x_d3;
            const int64_t k_count = k_10 > 0LL ? k_10 : 0LL;
            const int64_t k_whole = k_count & (-32LL);
            #pragma omp simd
            for (int64_t k_lane = 0; k_lane < 32; k_lane++) {
                sum_f64_lanes_2[k_lane] = 0.0;
            }
            for (int64_t k_11 = 0; k_11 < k_whole; k_11 += 32) {
                #pragma omp simd
                for (int64_t k_lane_2 = 0; k_lane_2 < 32; k_lane_2++) {
                    const bool h_le_i_2 = h_le[((i_3 + j_3*4)*x_d3)*x_d2 + k_11 + k_lane_2] != 0;
                    const float h_pooling_2_i_2 = h_pooling_2[((i_3 + j_3*4)*x_d3)*x_d2 + k_11 + k_lane_2];
                    /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
                    const float v_26 = h_le_i_2 ? 0.0f : h_pooling_2_i_2;
                    const double v_27 = (double)v_26;
                    const double sum_f64_lanes_2_i_4 = sum_f64_lanes_2[k_lane_2];
                    const double v_30 = sum_f64_lanes_2_i_4 + v_27;
                    h_switch_2[((i_3 + j_3*4)*x_d3)*x_d2 + k_11 + k_lane_2] = v_26;
                    sum_f64_lanes_2[k_lane_2] = v_30;
                }
            }
            #pragma omp simd
            for (int64_t k_lane_3 = 0; k_lane_3 < 16; k_lane_3++) {
                const double sum_f64_lanes_2_i = sum_f64_lanes_2[k_lane_3 + 16];
                const double sum_f64_lanes_2_i_5 = sum_f64_lanes_2[k_lane_3];
                const double v_31 = sum_f64_lanes_2_i_5 + sum_f64_lanes_2_i;
                sum_f64_lanes_2[k_lane_3] = v_31;
            }
            #pragma omp simd
            for (int64_t k_lane_4 = 0; k_lane_4 < 8; k_lane_4++) {
                const double sum_f64_lanes_2_i_2 = sum_f64_lanes_2[k_lane_4 + 8];
                const double sum_f64_lanes_2_i_6 = sum_f64_lanes_2[k_lane_4];
                const double v_32 = sum_f64_lanes_2_i_6 + sum_f64_lanes_2_i_2;
                sum_f64_lanes_2[k_lane_4] = v_32;
            }
            #pragma GCC unroll 8
            for (int64_t k_lane_5 = 0; k_lane_5 < 8; k_lane_5++) {
                const double sum_f64_lanes_2_i_3 = sum_f64_lanes_2[k_lane_5];
                sum_f64_2 += sum_f64_lanes_2_i_3;
            }
            ST_SCALAR
            for (int64_t k_12 = k_whole; k_12 < x_d2*x_d3; k_12++) {
                const bool h_le_i_3 = h_le[((i_3 + j_3*4)*x_d3)*x_d2 + k_12] != 0;
                const float h_pooling_2_i_3 = h_pooling_2[((i_3 + j_3*4)*x_d3)*x_d2 + k_12];
                const float v_28 = h_le_i_3 ? 0.0f : h_pooling_2_i_3;
                const double v_29 = (double)v_28;
                sum_f64_2 += v_29;
                h_switch_2[((i_3 + j_3*4)*x_d3)*x_d2 + k_12] = v_28;
            }
        }
        const float sum_2 = (float)sum_f64_2;
        /* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
        const float v_11 = sum_2 * 0.1f;
        const float b_i_2 = b[i_3];
        const float v_12 = b_i_2 - v_11;
        b_new[i_3] = v_12;
    }
}

/* switch, sum, mul, sub over 4 x x_d0 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL void kernel_7_switch_sum_mul(const st_runtime *runtime, const uint8_t *h_le,
        const float *h_pooling_2, float *h_switch_2, const float *b, float *b_new,
        const int64_t x_d0, const int64_t x_d2, const int64_t x_d3) {
    const kernel_7_switch_sum_mul_part_given st_given_1 = {h_le, h_pooling_2, h_switch_2, b, b_new,
            x_d2, x_d3, x_d0};
    if (st_parallel(runtime, x_d0*x_d2*x_d3*16)) {
        st_share_out(runtime, kernel_7_switch_sum_mul_part, &st_given_1, 4, 1);
    } else {
        kernel_7_switch_sum_mul_part(0, 4, 0, &st_given_1);
    }
}

/* mul, sub over 4 x 3 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL void kernel_9_mul_sub(const float *y_convolution, float *v) {
    #pragma omp simd
    for (int64_t i_4 = 0; i_4 < 108; i_4++) {
        const float y_convolution_i = y_convolution[i_4];
        const float v_13 = y_convolution_i * 0.1f;
        const float v_i = v[i_4];
        const float v_14 = v_i - v_13;
        v[i_4] = v_14;
    }
}

/* mul, sub over 2 x 4 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL void kernel_11_mul_sub(const float *z_convolution_3, float *w) {
    #pragma omp simd
    for (int64_t i_5 = 0; i_5 < 72; i_5++) {
        const float z_convolution_3_i = z_convolution_3[i_5];
        const float v_15 = z_convolution_3_i * 0.1f;
        const float w_i = w[i_5];
        const float v_16 = w_i - v_15;
        w[i_5] = v_16;
    }
}

/* convolution_step
   inputs: float32 x[x_d0*x_d2*x_d3*3], float32 t[n*n_2*x_d0*2], float32 b[4]
   changed: float32 v[108], float32 w[72]
   outputs: float32 cost[1], float32 b_new[4]
   workspace: (n*n_2*40 + x_d2*x_d3*36)*x_d0 + workspace_bytes_6 + 432 bytes
   1. h_switch, h_le = st_convolution_f32(x, v): reads x_d0*x_d2*x_d3*12 + 432, writes
       x_d0*x_d2*x_d3*20 bytes
   2. h_pooling = st_pool_max_f32(h_switch): reads x_d0*x_d2*x_d3*16, writes n*n_2*x_d0*16 bytes
   3. z_convolution = st_convolution_f32(h_pooling, w): reads n*n_2*x_d0*16 + 288, writes
       n*n_2*x_d0*8 bytes
   4. cost_mul, sum = kernel_4_sub_sqr_sum(z_convolution, t): sub, sqr, sum, mul over x_d0 x 2 x
       n x n_2; reads n*n_2*x_d0*16, writes n*n_2*x_d0*8 bytes
   5. z_convolution_2 = st_convolution_inputs_f32(w, cost_mul): reads n*n_2*x_d0*8 + 288, writes
       n*n_2*x_d0*16 bytes
   6. h_pooling_2 = st_pool_max_image_f32(h_switch, h_pooling, z_convolution_2): reads (n*n_2*32
       + x_d2*x_d3*16)*x_d0, writes x_d0*x_d2*x_d3*16 bytes
   7. h_switch_2, b_new = kernel_7_switch_sum_mul(h_le, h_pooling_2, b): switch, sum, mul, sub
       over 4 x x_d0 x x_d2 x x_d3; reads x_d0*x_d2*x_d3*20 + 16, writes x_d0*x_d2*x_d3*16 + 16
       bytes
   8. y_convolution = st_convolution_weights_f32(x, h_switch_2): reads x_d0*x_d2*x_d3*28, writes
       432 bytes
   9. v = kernel_9_mul_sub(y_convolution, v): mul, sub over 4 x 3 x 3 x 3; reads 864, writes 432
       bytes
   10. z_convolution_3 = st_convolution_weights_f32(h_pooling, cost_mul): reads n*n_2*x_d0*24,
       writes 288 bytes
   11. w = kernel_11_mul_sub(z_convolution_3, w): mul, sub over 2 x 4 x 3 x 3; reads 576, writes
       288 bytes */
ST_EXPORT int32_t convolution_step(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1], x_d2 = inputs[0].shape[2],
            x_d3 = inputs[0].shape[3];
    const float *t = inputs[1].data;
    const int64_t t_d0 = inputs[1].shape[0], t_d1 = inputs[1].shape[1], t_d2 = inputs[1].shape[2],
            t_d3 = inputs[1].shape[3];
    float *v = inputs[2].data;
    const int64_t v_d0 = inputs[2].shape[0], v_d1 = inputs[2].shape[1], v_d2 = inputs[2].shape[2],
            v_d3 = inputs[2].shape[3];
    const float *b = inputs[3].data;
    const int64_t b_d0 = inputs[3].shape[0];
    float *w = inputs[4].data;
    const int64_t w_d0 = inputs[4].shape[0], w_d1 = inputs[4].shape[1], w_d2 = inputs[4].shape[2],
            w_d3 = inputs[4].shape[3];

    /* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    ST_REQUIRE(v_d0 == 4, SHAPE, 0, v_d0);
    ST_REQUIRE(v_d1 == 3, SHAPE, 1, v_d1);
    ST_REQUIRE(v_d2 == 3, SHAPE, 2, v_d2);
    ST_REQUIRE(v_d3 == 3, SHAPE, 3, v_d3);
    ST_REQUIRE(x_d1 == 3, SHAPE, 4, x_d0, x_d1, x_d2, x_d3);
    ST_REQUIRE(x_d2 >= 1, SHAPE, 5, x_d0, 3, x_d2, x_d3, x_d2);
    ST_REQUIRE(x_d3 >= 1, SHAPE, 6, x_d0, 3, x_d2, x_d3, x_d3);
    /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
    ST_REQUIRE(b_d0 == 4, SHAPE, 7, 4, b_d0);
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    ST_REQUIRE(w_d0 == 2, SHAPE, 8, w_d0);
    ST_REQUIRE(w_d1 == 4, SHAPE, 9, w_d1);
    ST_REQUIRE(w_d2 == 3, SHAPE, 10, w_d2);
    ST_REQUIRE(w_d3 == 3, SHAPE, 11, w_d3);
    /* models.py:124: cost = T.sqr(z - t).mean() */
    const int64_t n = x_d2 / 2LL;
    const int64_t n_2 = x_d3 / 2LL;
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    ST_REQUIRE(n >= 1, SHAPE, 12, x_d0, n, n_2, n);
    ST_REQUIRE(n_2 >= 1, SHAPE, 13, x_d0, n, n_2, n_2);
    /* models.py:124: cost = T.sqr(z - t).mean() */
    ST_REQUIRE(x_d0 == t_d0, SHAPE, 14, x_d0, t_d0);
    ST_REQUIRE(t_d1 == 2, SHAPE, 15, 2, t_d1);
    ST_REQUIRE(n == t_d2, SHAPE, 16, n, t_d2);
    ST_REQUIRE(n_2 == t_d3, SHAPE, 17, n_2, t_d3);
    const int64_t convolution_bytes = st_convolution_bytes_f32(runtime, &(st_windows){.n = x_d0,
            .groups = 1, .c = 3, .o = 4, .i = {1, x_d2, x_d3}, .k = {1, 3, 3}, .t = {1, x_d2, x_d3},
            .p = {0, 1, 1}, .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0);
    const int64_t pool_max_bytes = st_pool_max_bytes_f32(runtime, &(st_pools){.n = x_d0*4,
            .i = {1, x_d2, x_d3}, .t = {1, n, n_2}, .k = {1, 2, 2}, .s = {1, 2, 2}, .p = {0, 0, 0},
            .counted = 0});
    const int64_t convolution_bytes_2 = st_convolution_bytes_f32(runtime, &(st_windows){.n = x_d0,
            .groups = 1, .c = 4, .o = 2, .i = {1, n, n_2}, .k = {1, 3, 3}, .t = {1, n, n_2},
            .p = {0, 1, 1}, .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0);
    const int64_t convolution_inputs_bytes = st_convolution_inputs_bytes_f32(runtime,
            &(st_windows){.n = x_d0, .groups = 1, .c = 4, .o = 2, .i = {1, n, n_2}, .k = {1, 3, 3},
            .t = {1, n, n_2}, .p = {0, 1, 1}, .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1,
            .unshared = 0}, 0);
    const int64_t pool_max_image_bytes = st_pool_max_image_bytes_f32(runtime,
            &(st_pools){.n = x_d0*4, .i = {1, x_d2, x_d3}, .t = {1, n, n_2}, .k = {1, 2, 2},
            .s = {1, 2, 2}, .p = {0, 0, 0}, .counted = 0});
    const int64_t convolution_weights_bytes = st_convolution_weights_bytes_f32(runtime,
            &(st_windows){.n = x_d0, .groups = 1, .c = 3, .o = 4, .i = {1, x_d2, x_d3},
            .k = {1, 3, 3}, .t = {1, x_d2, x_d3}, .p = {0, 1, 1}, .s = {1, 1, 1}, .d = {1, 1, 1},
            .flip = 1, .unshared = 0});
    const int64_t convolution_weights_bytes_2 = st_convolution_weights_bytes_f32(runtime,
            &(st_windows){.n = x_d0, .groups = 1, .c = 4, .o = 2, .i = {1, n, n_2}, .k = {1, 3, 3},
            .t = {1, n, n_2}, .p = {0, 1, 1}, .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1,
            .unshared = 0});
    const int64_t workspace_bytes = convolution_bytes > pool_max_bytes ? convolution_bytes : pool_max_bytes;
    const int64_t workspace_bytes_2 = workspace_bytes > convolution_bytes_2 ? workspace_bytes : convolution_bytes_2;
    const int64_t workspace_bytes_3 = workspace_bytes_2 > convolution_inputs_bytes ? workspace_bytes_2 : convolution_inputs_bytes;
    const int64_t workspace_bytes_4 = workspace_bytes_3 > pool_max_image_bytes ? workspace_bytes_3 : pool_max_image_bytes;
    const int64_t workspace_bytes_5 = workspace_bytes_4 > convolution_weights_bytes ? workspace_bytes_4 : convolution_weights_bytes;
    const int64_t workspace_bytes_6 = workspace_bytes_5 > convolution_weights_bytes_2 ? workspace_bytes_5 : convolution_weights_bytes_2;

    float *cost = ST_ALLOCATE(0, 1);
    ST_REQUIRE(cost, MEMORY, -1, 4, 0);
    float *b_new = ST_ALLOCATE(3, 4);
    ST_REQUIRE(b_new, MEMORY, -1, 16, 3);

    const int64_t st_h_switch_at = st_padded(x_d0*x_d2*x_d3*4);
    const int64_t st_h_pooling_at = st_h_switch_at + st_padded(x_d0*x_d2*x_d3*16);
    const int64_t st_z_convolution_at = st_h_pooling_at + st_padded(n*n_2*x_d0*16);
    const int64_t st_z_convolution_2_at = st_z_convolution_at + st_padded(n*n_2*x_d0*8);
    const int64_t st_h_pooling_2_at = st_z_convolution_2_at + st_padded(n*n_2*x_d0*16);
    const int64_t st_y_convolution_at = st_h_pooling_2_at + st_padded(x_d0*x_d2*x_d3*16);
    const int64_t st_workspace_at = st_y_convolution_at + st_padded(432);
    const int64_t arena_bytes = st_workspace_at + st_padded(workspace_bytes_6);
    arena = st_arena_open(runtime, arena_bytes,
            36.0*x_d0*x_d2*x_d3 + 1.0*workspace_bytes_6 + 40.0*n*n_2*x_d0 + 432.0);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    uint8_t *h_le = (uint8_t *)arena;
    float *h_switch = (float *)(arena + st_h_switch_at);
    float *h_switch_2 = (float *)(arena + st_h_switch_at);
    float *h_pooling = (float *)(arena + st_h_pooling_at);
    float *z_convolution = (float *)(arena + st_z_convolution_at);
    float *cost_mul = (float *)(arena + st_z_convolution_at);
    float *z_convolution_2 = (float *)(arena + st_z_convolution_2_at);
    float *h_pooling_2 = (float *)(arena + st_h_pooling_2_at);
    float *y_convolution = (float *)(arena + st_y_convolution_at);
    float *z_convolution_3 = (float *)(arena + st_y_convolution_at);
    int8_t *workspace = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_2 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_3 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_4 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_5 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_6 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_7 = (int8_t *)(arena + st_workspace_at);

    /* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    const convolution_step_epilogue_given st_given_1 = {b, h_switch, h_le, x_d2, x_d3};
    st_convolution_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 3, .o = 4,
            .i = {1, x_d2, x_d3}, .k = {1, 3, 3}, .t = {1, x_d2, x_d3}, .p = {0, 1, 1},
            .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0, x, v, h_switch, workspace,
            convolution_bytes, convolution_step_epilogue, &st_given_1);
    ST_LEAVE_IF_ENDED;
    /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
    st_pool_max_f32(runtime, &(st_pools){.n = x_d0*4, .i = {1, x_d2, x_d3}, .t = {1, n, n_2},
            .k = {1, 2, 2}, .s = {1, 2, 2}, .p = {0, 0, 0}, .counted = 0}, h_switch, h_pooling,
            workspace_2, pool_max_bytes);
    ST_LEAVE_IF_ENDED;
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    st_convolution_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 4, .o = 2,
            .i = {1, n, n_2}, .k = {1, 3, 3}, .t = {1, n, n_2}, .p = {0, 1, 1}, .s = {1, 1, 1},
            .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0, h_pooling, w, z_convolution, workspace_3,
            convolution_bytes_2, NULL, NULL);
    /* models.py:124: cost = T.sqr(z - t).mean() */
    const double n_f64 = (double)n_2;
    const double n_f64_2 = (double)n;
    const double x_d0_f64 = (double)x_d0;
    const double s_3 = x_d0_f64 * n_f64_2;
    const double s_4 = s_3 * n_f64;
    const double s_5 = s_4 * 2.0;
    const float s_6 = (float)s_5;
    const float s_7 = 2.0f / s_6;
    ST_LEAVE_IF_ENDED;
    const float sum = kernel_4_sub_sqr_sum(runtime, z_convolution, t, cost_mul, n, n_2, x_d0, s_7);
    ST_LEAVE_IF_ENDED;
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    st_convolution_inputs_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 4, .o = 2,
            .i = {1, n, n_2}, .k = {1, 3, 3}, .t = {1, n, n_2}, .p = {0, 1, 1}, .s = {1, 1, 1},
            .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0, w, cost_mul, z_convolution_2, workspace_4,
            convolution_inputs_bytes, NULL, NULL);
    ST_LEAVE_IF_ENDED;
    /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
    st_pool_max_image_f32(runtime, &(st_pools){.n = x_d0*4, .i = {1, x_d2, x_d3}, .t = {1, n, n_2},
            .k = {1, 2, 2}, .s = {1, 2, 2}, .p = {0, 0, 0}, .counted = 0}, h_switch, h_pooling,
            z_convolution_2, h_pooling_2, workspace_5, pool_max_image_bytes);
    ST_LEAVE_IF_ENDED;
    kernel_7_switch_sum_mul(runtime, h_le, h_pooling_2, h_switch_2, b, b_new, x_d0, x_d2, x_d3);
    ST_LEAVE_IF_ENDED;
    /* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    st_convolution_weights_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 3, .o = 4,
            .i = {1, x_d2, x_d3}, .k = {1, 3, 3}, .t = {1, x_d2, x_d3}, .p = {0, 1, 1},
            .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, x, h_switch_2, y_convolution,
            workspace_6, convolution_weights_bytes);
    kernel_9_mul_sub(y_convolution, v);
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    st_convolution_weights_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 4, .o = 2,
            .i = {1, n, n_2}, .k = {1, 3, 3}, .t = {1, n, n_2}, .p = {0, 1, 1}, .s = {1, 1, 1},
            .d = {1, 1, 1}, .flip = 1, .unshared = 0}, h_pooling, cost_mul, z_convolution_3,
            workspace_7, convolution_weights_bytes_2);
    kernel_11_mul_sub(z_convolution_3, w);
    /* models.py:124: cost = T.sqr(z - t).mean() */
    const float s_8 = sum / s_6;
    cost[0] = s_8;
done:
    st_arena_close(runtime, arena);
    return status;
}
