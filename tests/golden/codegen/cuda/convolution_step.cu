ST_DEVICE double st_warp_add_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = first + second;
    }
    return value;
}

/* add, le, switch over x_d0 x 4 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
ST_KERNEL(256) epilogue_2(const float *b_device, float *h_switch, uint8_t *h_le, int64_t x_d0,
        int64_t x_d2, int64_t x_d3) {
    const int64_t st_blocks_2 = (x_d2*x_d3 + 1023)/1024;
    const int64_t st_blocks_1 = 4;
    const int64_t st_outer_0 = st_block() / (st_blocks_1*st_blocks_2);
    const int64_t i = st_outer_0;
    if (i >= x_d0) return;
    const int64_t st_outer_1 = (st_block() - st_outer_0*(st_blocks_1*st_blocks_2)) / (st_blocks_2);
    const int64_t j = st_outer_1;
    if (j >= 4) return;
    const int64_t first = ((st_block() - st_outer_0*(st_blocks_1*st_blocks_2)) - st_outer_1*(st_blocks_2))*1024;
    if (first >= x_d2*x_d3) return;
    const int64_t k_6 = first + 1024;
    const int64_t k_7 = x_d2*x_d3;
    const int64_t stop = k_6 < k_7 ? k_6 : k_7;
    const float b_i = b_device[j];
    {
        const int64_t thread = st_thread();
        for (int64_t k = first + thread; k < stop; k += 256) {
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

/* sub, sqr, sum, mul over x_d0 x 2 x n x n_2 */
/* models.py:124: cost = T.sqr(z - t).mean() */
ST_KERNEL(256) kernel_4_sub_sqr_sum_2(const float *z_convolution, const float *t_device,
        float *cost_mul, double *sum_f64_parts, int64_t chunks, int64_t rows, int64_t n,
        int64_t n_2, int64_t x_d0, float s_7) {
    const int64_t chunk = st_block();
    if (chunk >= chunks) return;
    const int64_t start = chunk*rows;
    const int64_t k_8 = rows + start;
    const int64_t k_9 = n*n_2*x_d0*2;
    const int64_t stop_2 = k_8 < k_9 ? k_8 : k_9;
    double sum_f64_3 = 0.0;
    ST_SHARED(double, part, 8);
    {
        const int64_t warp = st_warp();
        double sum_f64_5 = 0.0;
        {
            const int64_t lane = st_lane();
            for (int64_t i_2 = lane + start + warp*32; i_2 < stop_2; i_2 += 256) {
                const float z_convolution_i = z_convolution[i_2];
                const float t_i = t_device[i_2];
                /* models.py:124: cost = T.sqr(z - t).mean() */
                const float v_5 = z_convolution_i - t_i;
                const float v_6 = v_5 * v_5;
                const double v_7 = (double)v_6;
                sum_f64_5 += v_7;
                const float v_8 = v_5 * s_7;
                cost_mul[i_2] = v_8;
            }
        }
        sum_f64_5 = st_warp_add_float64(sum_f64_5);
        if (st_lane() == 0) {
            part[warp] = sum_f64_5;
        }
    }
    st_wait_for_block();
    for (int64_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const double part_i = part[warp_2];
        sum_f64_3 += part_i;
    }
    if (st_thread() == 0) {
        sum_f64_parts[chunk] = sum_f64_3;
    }
}

/* sub, sqr, sum, mul over x_d0 x 2 x n x n_2 */
/* models.py:124: cost = T.sqr(z - t).mean() */
ST_KERNEL(256) kernel_4_sub_sqr_sum_3(const double *sum_f64_parts, double *total, int64_t chunks) {
    const int64_t one = st_block();
    if (one >= 1) return;
    double sum_f64_4 = 0.0;
    ST_SHARED(double, part_2, 8);
    {
        const int64_t warp_3 = st_warp();
        double sum_f64_6 = 0.0;
        {
            const int64_t lane_2 = st_lane();
            for (int64_t chunk_3 = lane_2 + warp_3*32; chunk_3 < chunks; chunk_3 += 256) {
                const double sum_f64_parts_i_2 = sum_f64_parts[chunk_3];
                sum_f64_6 += sum_f64_parts_i_2;
            }
        }
        sum_f64_6 = st_warp_add_float64(sum_f64_6);
        if (st_lane() == 0) {
            part_2[warp_3] = sum_f64_6;
        }
    }
    st_wait_for_block();
    for (int64_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const double part_i_2 = part_2[warp_4];
        sum_f64_4 += part_i_2;
    }
    if (st_thread() == 0) {
        total[0] = sum_f64_4;
    }
}

/* switch, sum, mul, sub over 4 x x_d0 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL(256) kernel_7_switch_sum_mul_2(const uint8_t *h_le, const float *h_pooling_2,
        float *h_switch_2, const float *b_device, float *out, int64_t x_d0, int64_t x_d2,
        int64_t x_d3) {
    const int64_t first_2 = st_block()*8;
    if (first_2 >= 4) return;
    const int64_t k_11 = first_2 + 8;
    const int64_t stop_3 = k_11 < 4LL ? k_11 : 4LL;
    {
        const int64_t warp_5 = st_warp();
        for (int64_t i_3 = first_2 + warp_5; i_3 < stop_3; i_3 += 8) {
            double sum_f64_2 = 0.0;
            st_wait_for_warp();
            {
                const int64_t lane_3 = st_lane();
                for (int64_t j_3 = 0; j_3 < x_d0; j_3++) {
                    for (int64_t k_3 = lane_3; k_3 < x_d2*x_d3; k_3 += 32) {
                        const bool h_le_i = h_le[((i_3 + j_3*4)*x_d3)*x_d2 + k_3] != 0;
                        const float h_pooling_2_i = h_pooling_2[((i_3 + j_3*4)*x_d3)*x_d2 + k_3];
                        /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
                        const float v_9 = h_le_i ? 0.0f : h_pooling_2_i;
                        const double v_10 = (double)v_9;
                        sum_f64_2 += v_10;
                        h_switch_2[((i_3 + j_3*4)*x_d3)*x_d2 + k_3] = v_9;
                    }
                }
            }
            sum_f64_2 = st_warp_add_float64(sum_f64_2);
            const float sum_2 = (float)sum_f64_2;
            /* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
            const float v_11 = sum_2 * 0.1f;
            const float b_i_2 = b_device[i_3];
            const float v_12 = b_i_2 - v_11;
            if (st_lane() == 0) {
                out[i_3] = v_12;
            }
        }
    }
}

/* switch, sum, mul, sub over 4 x x_d0 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL(256) kernel_7_switch_sum_mul_3(const uint8_t *h_le, const float *h_pooling_2,
        float *h_switch_2, const float *b_device, float *out, int64_t x_d0, int64_t x_d2,
        int64_t x_d3) {
    const int64_t i_6 = st_block();
    if (i_6 >= 4) return;
    double sum_f64_7 = 0.0;
    ST_SHARED(double, part_3, 8);
    {
        const int64_t warp_6 = st_warp();
        double sum_f64_8 = 0.0;
        {
            const int64_t lane_4 = st_lane();
            for (int64_t j_6 = 0; j_6 < x_d0; j_6++) {
                for (int64_t k_10 = lane_4 + warp_6*32; k_10 < x_d2*x_d3; k_10 += 256) {
                    const bool h_le_i_2 = h_le[((i_6 + j_6*4)*x_d3)*x_d2 + k_10] != 0;
                    const float h_pooling_2_i_2 = h_pooling_2[((i_6 + j_6*4)*x_d3)*x_d2 + k_10];
                    /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
                    const float v_17 = h_le_i_2 ? 0.0f : h_pooling_2_i_2;
                    const double v_18 = (double)v_17;
                    sum_f64_8 += v_18;
                    h_switch_2[((i_6 + j_6*4)*x_d3)*x_d2 + k_10] = v_17;
                }
            }
        }
        sum_f64_8 = st_warp_add_float64(sum_f64_8);
        if (st_lane() == 0) {
            part_3[warp_6] = sum_f64_8;
        }
    }
    st_wait_for_block();
    for (int64_t warp_7 = 0; warp_7 < 8; warp_7++) {
        const double part_i_3 = part_3[warp_7];
        sum_f64_7 += part_i_3;
    }
    const float sum_3 = (float)sum_f64_7;
    /* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
    const float v_19 = sum_3 * 0.1f;
    const float b_i_3 = b_device[i_6];
    const float v_20 = b_i_3 - v_19;
    if (st_thread() == 0) {
        out[i_6] = v_20;
    }
}

/* mul, sub over 4 x 3 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL(256) kernel_9_mul_sub_2(const float *y_convolution, float *v_device) {
    const int64_t first_3 = st_block()*1024;
    if (first_3 >= 108) return;
    const int64_t k_12 = first_3 + 1024;
    const int64_t stop_4 = k_12 < 108LL ? k_12 : 108LL;
    {
        const int64_t thread_2 = st_thread();
        for (int64_t i_4 = first_3 + thread_2; i_4 < stop_4; i_4 += 256) {
            const float y_convolution_i = y_convolution[i_4];
            /* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
            const float v_13 = y_convolution_i * 0.1f;
            const float v_i = v_device[i_4];
            const float v_14 = v_i - v_13;
            v_device[i_4] = v_14;
        }
    }
}

/* mul, sub over 2 x 4 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL(256) kernel_11_mul_sub_2(const float *z_convolution_3, float *w_device) {
    const int64_t first_4 = st_block()*1024;
    if (first_4 >= 72) return;
    const int64_t k_13 = first_4 + 1024;
    const int64_t stop_5 = k_13 < 72LL ? k_13 : 72LL;
    {
        const int64_t thread_3 = st_thread();
        for (int64_t i_5 = first_4 + thread_3; i_5 < stop_5; i_5 += 256) {
            const float z_convolution_3_i = z_convolution_3[i_5];
            /* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
            const float v_15 = z_convolution_3_i * 0.1f;
            const float w_i = w_device[i_5];
            const float v_16 = w_i - v_15;
            w_device[i_5] = v_16;
        }
    }
}

ST_KERNEL(1) convolution_step_2(const double *total, float *cells_f32) {
    const int64_t one_9 = st_block();
    if (one_9 >= 1) return;
    {
        const double sum_f64_9 = total[0];
        /* models.py:124: cost = T.sqr(z - t).mean() */
        const float sum_4 = (float)sum_f64_9;
        cells_f32[0] = sum_4;
    }
}

ST_KERNEL(1) convolution_step_3(const float *cells_f32, float *out_2, float s_6) {
    const int64_t one_11 = st_block();
    if (one_11 >= 1) return;
    {
        const float sum_5 = cells_f32[0];
        /* models.py:124: cost = T.sqr(z - t).mean() */
        const float s_9 = sum_5 / s_6;
        out_2[0] = s_9;
    }
}

/* The host. */

/* add, le, switch over x_d0 x 4 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
ST_KERNEL int32_t epilogue(const st_runtime *runtime, st_call *call, st_error *error,
        const float *b_device, float *h_switch, uint8_t *h_le, const int64_t x_d0,
        const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&b_device, (void *)&h_switch, (void *)&h_le, (void *)&x_d0,
            (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 0,
            st_block_count(x_d0, 1) * st_block_count(4, 1) * st_block_count(x_d2*x_d3, 1024), 256,
            st_arguments_1);
done:
    return status;
}

/* sub, sqr, sum, mul over x_d0 x 2 x n x n_2 */
/* models.py:124: cost = T.sqr(z - t).mean() */
ST_KERNEL int32_t kernel_4_sub_sqr_sum(const st_runtime *runtime, st_call *call, st_error *error,
        const float *z_convolution, const float *t_device, float *cost_mul, double *sum_f64_parts,
        double *total, const int64_t n, const int64_t n_2, const int64_t x_d0, const float s_7) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(n*n_2*x_d0*2, 1, 8192, 1024);
    const int64_t chunks = (n*n_2*x_d0*2 + rows - 1) / rows;
    void *st_arguments_2[] = {(void *)&z_convolution, (void *)&t_device, (void *)&cost_mul,
            (void *)&sum_f64_parts, (void *)&chunks, (void *)&rows, (void *)&n, (void *)&n_2,
            (void *)&x_d0, (void *)&s_7};
    ST_ASK(launch, 1, st_block_count(chunks, 1), 256, st_arguments_2);
    void *st_arguments_3[] = {(void *)&sum_f64_parts, (void *)&total, (void *)&chunks};
    ST_ASK(launch, 2, st_block_count(1, 1), 256, st_arguments_3);
done:
    return status;
}

/* switch, sum, mul, sub over 4 x x_d0 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL int32_t kernel_7_switch_sum_mul(const st_runtime *runtime, st_call *call, st_error *error,
        const uint8_t *h_le, const float *h_pooling_2, float *h_switch_2, const float *b_device,
        float *out, const int64_t x_d0, const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    const bool short_rows = x_d0 <= 1024LL;
    if (short_rows) {
        void *st_arguments_5[] = {(void *)&h_le, (void *)&h_pooling_2, (void *)&h_switch_2,
                (void *)&b_device, (void *)&out, (void *)&x_d0, (void *)&x_d2, (void *)&x_d3};
        ST_ASK(launch, 3, st_block_count(4, 8), 256, st_arguments_5);
    } else {
        void *st_arguments_6[] = {(void *)&h_le, (void *)&h_pooling_2, (void *)&h_switch_2,
                (void *)&b_device, (void *)&out, (void *)&x_d0, (void *)&x_d2, (void *)&x_d3};
        ST_ASK(launch, 4, st_block_count(4, 1), 256, st_arguments_6);
    }
done:
    return status;
}

/* mul, sub over 4 x 3 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL int32_t kernel_9_mul_sub(const st_runtime *runtime, st_call *call, st_error *error,
        const float *y_convolution, float *v_device) {
    int32_t status = ST_OK;
    void *st_arguments_7[] = {(void *)&y_convolution, (void *)&v_device};
    ST_ASK(launch, 5, st_block_count(108, 1024), 256, st_arguments_7);
done:
    return status;
}

/* mul, sub over 2 x 4 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL int32_t kernel_11_mul_sub(const st_runtime *runtime, st_call *call, st_error *error,
        const float *z_convolution_3, float *w_device) {
    int32_t status = ST_OK;
    void *st_arguments_8[] = {(void *)&z_convolution_3, (void *)&w_device};
    ST_ASK(launch, 6, st_block_count(72, 1024), 256, st_arguments_8);
done:
    return status;
}

/* convolution_step
   inputs: float32 x[x_d0*x_d2*x_d3*3], float32 t[n*n_2*x_d0*2], float32 b[4]
   changed: float32 v[108], float32 w[72]
   outputs: float32 out_2[1], float32 out_2_host[1], float32 out[4], float32 out_host[4],
       float32 cells_f32[1], float32 b_device[4], float32 t_device[n*n_2*x_d0*2],
       float32 v_device[108], float32 w_device[72], float32 v_device_host[108],
       float32 h_switch_host[x_d0*x_d2*x_d3*4], float32 h_switch_host_2[x_d0*x_d2*x_d3*4], 10
       more
   workspace: (n*n_2*40 + x_d2*x_d3*36)*x_d0 + workspace_bytes_6 + 8632 bytes
   1. h_switch_host = st_convolution_f32(x, v_device_host): reads x_d0*x_d2*x_d3*12 + 432, writes
       x_d0*x_d2*x_d3*16 bytes
   2. h_le = epilogue(b_device): add, le, switch over x_d0 x 4 x x_d2 x x_d3; reads 16, writes
       x_d0*x_d2*x_d3*4 bytes
   3. h_pooling = st_pool_max_f32(h_switch_host_2): reads x_d0*x_d2*x_d3*16, writes n*n_2*x_d0*16
       bytes
   4. z_convolution_host = st_convolution_f32(h_pooling, w_device_host): reads n*n_2*x_d0*16 +
       288, writes n*n_2*x_d0*8 bytes
   5. cost_mul, total = kernel_4_sub_sqr_sum(z_convolution, t_device): sub, sqr, sum, mul over
       x_d0 x 2 x n x n_2; reads n*n_2*x_d0*16, writes n*n_2*x_d0*8 + 8 bytes
   6. z_convolution_2 = st_convolution_inputs_f32(w_device_host_2, cost_mul_host): reads
       n*n_2*x_d0*8 + 288, writes n*n_2*x_d0*16 bytes
   7. h_pooling_2_host = st_pool_max_image_f32(h_switch_host_3, h_pooling, z_convolution_2):
       reads (n*n_2*32 + x_d2*x_d3*16)*x_d0, writes x_d0*x_d2*x_d3*16 bytes
   8. h_switch_2, out = kernel_7_switch_sum_mul(h_le, h_pooling_2, b_device): switch, sum, mul,
       sub over 4 x x_d0 x x_d2 x x_d3; reads x_d0*x_d2*x_d3*20 + 16, writes x_d0*x_d2*x_d3*16 +
       16 bytes
   9. y_convolution_host = st_convolution_weights_f32(x, h_switch_2_host): reads
       x_d0*x_d2*x_d3*28, writes 432 bytes
   10. v_device = kernel_9_mul_sub(y_convolution): mul, sub over 4 x 3 x 3 x 3; reads 432, writes
       432 bytes
   11. z_convolution_3_host = st_convolution_weights_f32(h_pooling, cost_mul_host_2): reads
       n*n_2*x_d0*24, writes 288 bytes
   12. w_device = kernel_11_mul_sub(z_convolution_3): mul, sub over 2 x 4 x 3 x 3; reads 288,
       writes 288 bytes */
ST_EXPORT int32_t convolution_step(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
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

    float *cells_f32 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(cells_f32, MEMORY, -1, 4, -1);

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

    float *out_2 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(out_2, MEMORY, -1, 4, -1);
    float *out = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(out, MEMORY, -1, 16, -1);
    float *v_device_host = ST_ALLOCATE(9, 108);
    ST_REQUIRE(v_device_host, MEMORY, -1, 432, 9);
    float *h_switch_host = ST_ALLOCATE(10, x_d0*x_d2*x_d3*4);
    ST_REQUIRE(h_switch_host, MEMORY, -1, x_d0*x_d2*x_d3*16, 10);
    float *v_device = st_device_memory(call, 432, 432.0);
    ST_REQUIRE(v_device, MEMORY, -1, 432, -1);

    ST_ASK(to_device, v_device, v, 432);
    ST_ASK(to_host, v_device_host, v_device, 432);

    const int64_t st_z_convolution_2_at = st_padded(n*n_2*x_d0*16);
    const int64_t st_workspace_at = st_z_convolution_2_at + st_padded(n*n_2*x_d0*16);
    const int64_t arena_bytes = st_workspace_at + st_padded(workspace_bytes_6);
    arena = st_arena_open(runtime, arena_bytes, 1.0*workspace_bytes_6 + 32.0*n*n_2*x_d0);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *h_pooling = (float *)arena;
    float *z_convolution_2 = (float *)(arena + st_z_convolution_2_at);
    int8_t *workspace = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_2 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_3 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_4 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_5 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_6 = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_7 = (int8_t *)(arena + st_workspace_at);

    const int64_t st_h_switch_at = st_padded(x_d0*x_d2*x_d3*4);
    const int64_t st_z_convolution_at = st_h_switch_at + st_padded(x_d0*x_d2*x_d3*16);
    const int64_t st_h_pooling_2_at = st_z_convolution_at + st_padded(n*n_2*x_d0*8);
    const int64_t st_y_convolution_at = st_h_pooling_2_at + st_padded(x_d0*x_d2*x_d3*16);
    const int64_t st_sum_f64_parts_at = st_y_convolution_at + st_padded(432);
    const int64_t st_total_at = st_sum_f64_parts_at + st_padded(8192);
    const int64_t device_arena_bytes = st_total_at + st_padded(8);
    device_arena = st_device_memory(call, device_arena_bytes,
            36.0*x_d0*x_d2*x_d3 + 8.0*n*n_2*x_d0 + 8632.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, -1);
    uint8_t *h_le = (uint8_t *)device_arena;
    float *h_switch = (float *)(device_arena + st_h_switch_at);
    float *h_switch_2 = (float *)(device_arena + st_h_switch_at);
    float *z_convolution = (float *)(device_arena + st_z_convolution_at);
    float *cost_mul = (float *)(device_arena + st_z_convolution_at);
    float *h_pooling_2 = (float *)(device_arena + st_h_pooling_2_at);
    float *y_convolution = (float *)(device_arena + st_y_convolution_at);
    float *z_convolution_3 = (float *)(device_arena + st_y_convolution_at);
    double *sum_f64_parts = (double *)(device_arena + st_sum_f64_parts_at);
    double *total = (double *)(device_arena + st_total_at);

    ST_ASK(to_host, h_switch_host, h_switch, x_d0*x_d2*x_d3*16);
    /* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    st_convolution_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 3, .o = 4,
            .i = {1, x_d2, x_d3}, .k = {1, 3, 3}, .t = {1, x_d2, x_d3}, .p = {0, 1, 1},
            .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0, x, v_device_host,
            h_switch_host, workspace, convolution_bytes, NULL, NULL);
    ST_ASK(to_device, h_switch, h_switch_host, x_d0*x_d2*x_d3*16);

    float *b_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(b_device, MEMORY, -1, 16, -1);

    ST_ASK(to_device, b_device, b, 16);
    status = epilogue(runtime, call, error, b_device, h_switch, h_le, x_d0, x_d2, x_d3);
    if (status != ST_OK) goto done;

    float *h_switch_host_2 = ST_ALLOCATE(11, x_d0*x_d2*x_d3*4);
    ST_REQUIRE(h_switch_host_2, MEMORY, -1, x_d0*x_d2*x_d3*16, 11);

    ST_ASK(to_host, h_switch_host_2, h_switch, x_d0*x_d2*x_d3*16);
    ST_LEAVE_IF_ENDED;
    /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
    st_pool_max_f32(runtime, &(st_pools){.n = x_d0*4, .i = {1, x_d2, x_d3}, .t = {1, n, n_2},
            .k = {1, 2, 2}, .s = {1, 2, 2}, .p = {0, 0, 0}, .counted = 0}, h_switch_host_2,
            h_pooling, workspace_2, pool_max_bytes);

    float *w_device_host = ST_ALLOCATE(12, 72);
    ST_REQUIRE(w_device_host, MEMORY, -1, 288, 12);
    float *z_convolution_host = ST_ALLOCATE(13, n*n_2*x_d0*2);
    ST_REQUIRE(z_convolution_host, MEMORY, -1, n*n_2*x_d0*8, 13);
    float *w_device = st_device_memory(call, 288, 288.0);
    ST_REQUIRE(w_device, MEMORY, -1, 288, -1);

    ST_ASK(to_device, w_device, w, 288);
    ST_ASK(to_host, w_device_host, w_device, 288);
    ST_ASK(to_host, z_convolution_host, z_convolution, n*n_2*x_d0*8);
    ST_LEAVE_IF_ENDED;
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    st_convolution_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 4, .o = 2,
            .i = {1, n, n_2}, .k = {1, 3, 3}, .t = {1, n, n_2}, .p = {0, 1, 1}, .s = {1, 1, 1},
            .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0, h_pooling, w_device_host,
            z_convolution_host, workspace_3, convolution_bytes_2, NULL, NULL);
    ST_ASK(to_device, z_convolution, z_convolution_host, n*n_2*x_d0*8);
    /* models.py:124: cost = T.sqr(z - t).mean() */
    const double n_f64 = (double)n_2;
    const double n_f64_2 = (double)n;
    const double x_d0_f64 = (double)x_d0;
    const double s_3 = x_d0_f64 * n_f64_2;
    const double s_4 = s_3 * n_f64;
    const double s_5 = s_4 * 2.0;
    const float s_6 = (float)s_5;
    const float s_7 = 2.0f / s_6;

    float *t_device = st_device_memory(call, n*n_2*x_d0*8, 8.0*n*n_2*x_d0);
    ST_REQUIRE(t_device, MEMORY, -1, n*n_2*x_d0*8, -1);

    ST_ASK(to_device, t_device, t, n*n_2*x_d0*8);
    status = kernel_4_sub_sqr_sum(runtime, call, error, z_convolution, t_device, cost_mul,
            sum_f64_parts, total, n, n_2, x_d0, s_7);
    if (status != ST_OK) goto done;
    void *st_arguments_4[] = {(void *)&total, (void *)&cells_f32};
    ST_ASK(launch, 7, st_block_count(1, 1), 1, st_arguments_4);

    float *w_device_host_2 = ST_ALLOCATE(14, 72);
    ST_REQUIRE(w_device_host_2, MEMORY, -1, 288, 14);
    float *cost_mul_host = ST_ALLOCATE(15, n*n_2*x_d0*2);
    ST_REQUIRE(cost_mul_host, MEMORY, -1, n*n_2*x_d0*8, 15);

    ST_ASK(to_host, w_device_host_2, w_device, 288);
    ST_ASK(to_host, cost_mul_host, cost_mul, n*n_2*x_d0*8);
    ST_LEAVE_IF_ENDED;
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    st_convolution_inputs_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 4, .o = 2,
            .i = {1, n, n_2}, .k = {1, 3, 3}, .t = {1, n, n_2}, .p = {0, 1, 1}, .s = {1, 1, 1},
            .d = {1, 1, 1}, .flip = 1, .unshared = 0}, 0, w_device_host_2, cost_mul_host,
            z_convolution_2, workspace_4, convolution_inputs_bytes, NULL, NULL);

    float *h_switch_host_3 = ST_ALLOCATE(16, x_d0*x_d2*x_d3*4);
    ST_REQUIRE(h_switch_host_3, MEMORY, -1, x_d0*x_d2*x_d3*16, 16);
    float *h_pooling_2_host = ST_ALLOCATE(17, x_d0*x_d2*x_d3*4);
    ST_REQUIRE(h_pooling_2_host, MEMORY, -1, x_d0*x_d2*x_d3*16, 17);

    ST_ASK(to_host, h_switch_host_3, h_switch, x_d0*x_d2*x_d3*16);
    ST_ASK(to_host, h_pooling_2_host, h_pooling_2, x_d0*x_d2*x_d3*16);
    ST_LEAVE_IF_ENDED;
    /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
    st_pool_max_image_f32(runtime, &(st_pools){.n = x_d0*4, .i = {1, x_d2, x_d3}, .t = {1, n, n_2},
            .k = {1, 2, 2}, .s = {1, 2, 2}, .p = {0, 0, 0}, .counted = 0}, h_switch_host_3,
            h_pooling, z_convolution_2, h_pooling_2_host, workspace_5, pool_max_image_bytes);
    ST_ASK(to_device, h_pooling_2, h_pooling_2_host, x_d0*x_d2*x_d3*16);
    status = kernel_7_switch_sum_mul(runtime, call, error, h_le, h_pooling_2, h_switch_2, b_device,
            out, x_d0, x_d2, x_d3);
    if (status != ST_OK) goto done;

    float *h_switch_2_host = ST_ALLOCATE(18, x_d0*x_d2*x_d3*4);
    ST_REQUIRE(h_switch_2_host, MEMORY, -1, x_d0*x_d2*x_d3*16, 18);
    float *y_convolution_host = ST_ALLOCATE(19, 108);
    ST_REQUIRE(y_convolution_host, MEMORY, -1, 432, 19);

    ST_ASK(to_host, h_switch_2_host, h_switch_2, x_d0*x_d2*x_d3*16);
    ST_ASK(to_host, y_convolution_host, y_convolution, 432);
    ST_LEAVE_IF_ENDED;
    /* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    st_convolution_weights_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 3, .o = 4,
            .i = {1, x_d2, x_d3}, .k = {1, 3, 3}, .t = {1, x_d2, x_d3}, .p = {0, 1, 1},
            .s = {1, 1, 1}, .d = {1, 1, 1}, .flip = 1, .unshared = 0}, x, h_switch_2_host,
            y_convolution_host, workspace_6, convolution_weights_bytes);
    ST_ASK(to_device, y_convolution, y_convolution_host, 432);
    status = kernel_9_mul_sub(runtime, call, error, y_convolution, v_device);
    if (status != ST_OK) goto done;

    float *cost_mul_host_2 = ST_ALLOCATE(20, n*n_2*x_d0*2);
    ST_REQUIRE(cost_mul_host_2, MEMORY, -1, n*n_2*x_d0*8, 20);
    float *z_convolution_3_host = ST_ALLOCATE(21, 72);
    ST_REQUIRE(z_convolution_3_host, MEMORY, -1, 288, 21);

    ST_ASK(to_host, cost_mul_host_2, cost_mul, n*n_2*x_d0*8);
    ST_ASK(to_host, z_convolution_3_host, z_convolution_3, 288);
    ST_LEAVE_IF_ENDED;
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    st_convolution_weights_f32(runtime, &(st_windows){.n = x_d0, .groups = 1, .c = 4, .o = 2,
            .i = {1, n, n_2}, .k = {1, 3, 3}, .t = {1, n, n_2}, .p = {0, 1, 1}, .s = {1, 1, 1},
            .d = {1, 1, 1}, .flip = 1, .unshared = 0}, h_pooling, cost_mul_host_2,
            z_convolution_3_host, workspace_7, convolution_weights_bytes_2);
    ST_ASK(to_device, z_convolution_3, z_convolution_3_host, 288);
    status = kernel_11_mul_sub(runtime, call, error, z_convolution_3, w_device);
    if (status != ST_OK) goto done;
    void *st_arguments_9[] = {(void *)&cells_f32, (void *)&out_2, (void *)&s_6};
    ST_ASK(launch, 8, st_block_count(1, 1), 1, st_arguments_9);

    float *out_2_host = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out_2_host, MEMORY, -1, 4, 0);

    ST_ASK(to_host, out_2_host, out_2, 4);

    float *out_host = ST_ALLOCATE(3, 4);
    ST_REQUIRE(out_host, MEMORY, -1, 16, 3);

    ST_ASK(to_host, out_host, out, 16);
    ST_ASK(to_host, v, v_device, 432);
    ST_ASK(to_host, w, w_device, 288);
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
