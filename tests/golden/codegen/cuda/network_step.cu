ST_DEVICE double st_warp_add_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = first + second;
    }
    return value;
}

ST_DEVICE float st_warp_larger_float32(float value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const float first = upper ? other : value, second = upper ? value : other;
        value = second > first ? second : first;
    }
    return value;
}

ST_DEVICE bool st_warp_logical_and_bool(bool value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const bool other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const bool first = upper ? other : value, second = upper ? value : other;
        value = first & second;
    }
    return value;
}

ST_DEVICE float st_warp_nan_or_float32(float value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const float first = upper ? other : value, second = upper ? value : other;
        value = second != second ? second : first;
    }
    return value;
}

/* cast, lt, ge, and_, all over y_d0 */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_0_cast_lt_all_2(const int32_t *y_device, uint8_t *all_parts, int64_t chunks,
        int64_t rows, int64_t y_d0, int64_t W2_d1, int64_t neg_W2_d1) {
    const int64_t chunk = st_block();
    if (chunk >= chunks) return;
    const int64_t start = chunk*rows;
    const int64_t k = rows + start;
    const int64_t stop = k < y_d0 ? k : y_d0;
    uint8_t all_2 = true;
    ST_SHARED(uint8_t, part, 8);
    {
        const int64_t warp = st_warp();
        uint8_t all_4 = true;
        {
            const int64_t lane = st_lane();
            for (int64_t i = lane + start + warp*32; i < stop; i += 256) {
                const int32_t y_i = y_device[i];
                /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                const int64_t v = (int64_t)y_i;
                const bool v_2 = v < W2_d1;
                const bool v_3 = v >= neg_W2_d1;
                const bool v_4 = v_3 & v_2;
                all_4 = all_4 & v_4;
            }
        }
        all_4 = st_warp_logical_and_bool(all_4);
        if (st_lane() == 0) {
            part[warp] = all_4;
        }
    }
    st_wait_for_block();
    for (int64_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const bool part_i = part[warp_2] != 0;
        all_2 = all_2 & part_i;
    }
    if (st_thread() == 0) {
        all_parts[chunk] = all_2;
    }
}

/* cast, lt, ge, and_, all over y_d0 */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_0_cast_lt_all_3(const uint8_t *all_parts, uint8_t *total_3, int64_t chunks) {
    const int64_t one = st_block();
    if (one >= 1) return;
    uint8_t all_3 = true;
    ST_SHARED(uint8_t, part_2, 8);
    {
        const int64_t warp_3 = st_warp();
        uint8_t all_5 = true;
        {
            const int64_t lane_2 = st_lane();
            for (int64_t chunk_3 = lane_2 + warp_3*32; chunk_3 < chunks; chunk_3 += 256) {
                const bool all_parts_i_2 = all_parts[chunk_3] != 0;
                all_5 = all_5 & all_parts_i_2;
            }
        }
        all_5 = st_warp_logical_and_bool(all_5);
        if (st_lane() == 0) {
            part_2[warp_3] = all_5;
        }
    }
    st_wait_for_block();
    for (int64_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const bool part_i_2 = part_2[warp_4] != 0;
        all_3 = all_3 & part_i_2;
    }
    if (st_thread() == 0) {
        total_3[0] = all_3;
    }
}

/* add, tanh over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_2_add_tanh_2(const float *h_dot, const float *b1_device, float *h_tanh,
        int64_t y_d0, int64_t W1_d1) {
    const int64_t st_blocks_1 = (W1_d1 + 1023)/1024;
    const int64_t st_outer_0 = st_block() / (st_blocks_1);
    const int64_t i_2 = st_outer_0;
    if (i_2 >= y_d0) return;
    const int64_t first = (st_block() - st_outer_0*(st_blocks_1))*1024;
    if (first >= W1_d1) return;
    const int64_t k_2 = first + 1024;
    const int64_t stop_2 = k_2 < W1_d1 ? k_2 : W1_d1;
    {
        const int64_t thread = st_thread();
        for (int64_t j = first + thread; j < stop_2; j += 256) {
            const float h_dot_i = h_dot[W1_d1*i_2 + j];
            const float b1_i = b1_device[j];
            /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
            const float v_5 = h_dot_i + b1_i;
            const float v_6 = tanhf(v_5);
            h_tanh[W1_d1*i_2 + j] = v_6;
        }
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_2(double *sum, int64_t W2_d1) {
    const int64_t first_2 = st_block()*1024;
    if (first_2 >= W2_d1) return;
    const int64_t k_4 = first_2 + 1024;
    const int64_t stop_4 = k_4 < W2_d1 ? k_4 : W2_d1;
    {
        const int64_t thread_2 = st_thread();
        for (int64_t j_2 = first_2 + thread_2; j_2 < stop_4; j_2 += 256) {
            sum[j_2] = 0.0;
        }
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_3(double *sum_parts, const float *p_dot,
        const float *b2_device, const int32_t *y_device, float *p_mul, double *sum_f64_parts,
        int64_t chunks_2, int64_t rows_2, int64_t y_d0, int64_t W2_d1, float reciprocal_y_d0_f32) {
    const int64_t chunk_4 = st_block();
    if (chunk_4 >= chunks_2) return;
    const int64_t start_2 = chunk_4*rows_2;
    const int64_t k_3 = rows_2 + start_2;
    const int64_t stop_3 = k_3 < y_d0 ? k_3 : y_d0;
    double sum_f64_3 = 0.0;
    {
        const int64_t thread_3 = st_thread();
        for (int64_t j_10 = thread_3; j_10 < W2_d1; j_10 += 256) {
            sum_parts[W2_d1*chunk_4 + j_10] = 0.0;
        }
    }
    st_wait_for_block();
    for (int64_t i_3 = start_2; i_3 < stop_3; i_3++) {
        float max = -__builtin_inff();
        float nan = 0.0f;
        ST_SHARED(float, part_3, 8);
        ST_SHARED(float, part_4, 8);
        st_wait_for_block();
        {
            const int64_t warp_5 = st_warp();
            float max_2 = -__builtin_inff();
            float nan_2 = 0.0f;
            {
                const int64_t lane_3 = st_lane();
                for (int64_t j_3 = lane_3 + warp_5*32; j_3 < W2_d1; j_3 += 256) {
                    const float p_dot_i = p_dot[W2_d1*i_3 + j_3];
                    const float b2_i = b2_device[j_3];
                    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                    const float v_7 = p_dot_i + b2_i;
                    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                    max_2 = v_7 > max_2 ? v_7 : max_2;
                    nan_2 = v_7 != v_7 ? v_7 : nan_2;
                }
            }
            max_2 = st_warp_larger_float32(max_2);
            nan_2 = st_warp_nan_or_float32(nan_2);
            if (st_lane() == 0) {
                part_3[warp_5] = max_2;
            }
            if (st_lane() == 0) {
                part_4[warp_5] = nan_2;
            }
        }
        st_wait_for_block();
        for (int64_t warp_6 = 0; warp_6 < 8; warp_6++) {
            const float part_i_3 = part_3[warp_6];
            max = part_i_3 > max ? part_i_3 : max;
            const float part_i_4 = part_4[warp_6];
            nan = part_i_4 != part_i_4 ? part_i_4 : nan;
        }
        const float v_8 = nan != nan ? nan : max;
        const bool isinf_ = __builtin_fabsf(v_8) == __builtin_inff();
        const float v_9 = isinf_ ? 0.0f : v_8;
        const int32_t y_i_2 = y_device[i_3];
        const int64_t v_10 = (int64_t)y_i_2;
        const bool v_11 = v_10 < 0LL;
        const int64_t v_12 = v_10 + W2_d1;
        const int64_t v_13 = v_11 ? v_12 : v_10;
        const float p_dot_i_2 = p_dot[W2_d1*i_3 + v_13];
        const float b2_i_2 = b2_device[v_13];
        const float v_14 = p_dot_i_2 + b2_i_2;
        const float v_15 = v_14 - v_9;
        double sum_f64_2 = 0.0;
        ST_SHARED(double, part_5, 8);
        {
            const int64_t warp_7 = st_warp();
            double sum_f64_5 = 0.0;
            {
                const int64_t lane_4 = st_lane();
                for (int64_t j_4 = lane_4 + warp_7*32; j_4 < W2_d1; j_4 += 256) {
                    const float p_dot_i_3 = p_dot[W2_d1*i_3 + j_4];
                    const float b2_i_3 = b2_device[j_4];
                    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                    const float v_16 = p_dot_i_3 + b2_i_3;
                    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                    const float v_17 = v_16 - v_9;
                    const float v_18 = expf(v_17);
                    const double v_19 = (double)v_18;
                    sum_f64_5 += v_19;
                    p_mul[W2_d1*i_3 + j_4] = v_18;
                }
            }
            sum_f64_5 = st_warp_add_float64(sum_f64_5);
            if (st_lane() == 0) {
                part_5[warp_7] = sum_f64_5;
            }
        }
        st_wait_for_block();
        for (int64_t warp_8 = 0; warp_8 < 8; warp_8++) {
            const double part_i_5 = part_5[warp_8];
            sum_f64_2 += part_i_5;
        }
        const float sum_2 = (float)sum_f64_2;
        const float log = logf(sum_2);
        const float v_20 = v_15 - log;
        const double v_21 = (double)v_20;
        sum_f64_3 += v_21;
        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
        const float reciprocal = 1 / sum_2;
        {
            const int64_t thread_4 = st_thread();
            for (int64_t j_5 = thread_4; j_5 < W2_d1; j_5 += 256) {
                const float p_mul_i = p_mul[W2_d1*i_3 + j_5];
                const float v_22 = p_mul_i * reciprocal;
                const bool v_23 = j_5 == v_13;
                const float v_24 = v_23 ? (float)1 : (float)0;
                const float v_25 = v_22 - v_24;
                const float v_26 = v_25 * reciprocal_y_d0_f32;
                const double v_27 = (double)v_26;
                const double sum_parts_i_2 = sum_parts[W2_d1*chunk_4 + j_5];
                const double v_38 = sum_parts_i_2 + v_27;
                p_mul[W2_d1*i_3 + j_5] = v_26;
                sum_parts[W2_d1*chunk_4 + j_5] = v_38;
            }
        }
    }
    if (st_thread() == 0) {
        sum_f64_parts[chunk_4] = sum_f64_3;
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_4(const double *sum_f64_parts, double *total_4,
        int64_t chunks_2) {
    const int64_t one_6 = st_block();
    if (one_6 >= 1) return;
    double sum_f64_4 = 0.0;
    ST_SHARED(double, part_6, 8);
    {
        const int64_t warp_9 = st_warp();
        double sum_f64_6 = 0.0;
        {
            const int64_t lane_5 = st_lane();
            for (int64_t chunk_7 = lane_5 + warp_9*32; chunk_7 < chunks_2; chunk_7 += 256) {
                const double sum_f64_parts_i_2 = sum_f64_parts[chunk_7];
                sum_f64_6 += sum_f64_parts_i_2;
            }
        }
        sum_f64_6 = st_warp_add_float64(sum_f64_6);
        if (st_lane() == 0) {
            part_6[warp_9] = sum_f64_6;
        }
    }
    st_wait_for_block();
    for (int64_t warp_10 = 0; warp_10 < 8; warp_10++) {
        const double part_i_6 = part_6[warp_10];
        sum_f64_4 += part_i_6;
    }
    if (st_thread() == 0) {
        total_4[0] = sum_f64_4;
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_5(const double *sum_parts, double *sum, int64_t W2_d1,
        int64_t chunks_2) {
    const int64_t first_3 = st_block()*256;
    if (first_3 >= W2_d1) return;
    const int64_t k_5 = first_3 + 256;
    const int64_t stop_5 = k_5 < W2_d1 ? k_5 : W2_d1;
    {
        const int64_t thread_5 = st_thread();
        for (int64_t j_11 = first_3 + thread_5; j_11 < stop_5; j_11 += 256) {
            double held = 0.0;
            for (int64_t chunk_6 = 0; chunk_6 < chunks_2; chunk_6++) {
                const double sum_parts_i = sum_parts[W2_d1*chunk_6 + j_11];
                held += sum_parts_i;
            }
            const double sum_i = sum[j_11];
            const double v_39 = sum_i + held;
            sum[j_11] = v_39;
        }
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_6(const double *sum, float *p_sum, int64_t W2_d1) {
    const int64_t first_4 = st_block()*1024;
    if (first_4 >= W2_d1) return;
    const int64_t k_6 = first_4 + 1024;
    const int64_t stop_6 = k_6 < W2_d1 ? k_6 : W2_d1;
    {
        const int64_t thread_6 = st_thread();
        for (int64_t j_6 = first_4 + thread_6; j_6 < stop_6; j_6 += 256) {
            const double total = sum[j_6];
            /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
            const float v_28 = (float)total;
            p_sum[j_6] = v_28;
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_6_sqr_sub_sum_2(double *sum_4, int64_t W1_d1) {
    const int64_t first_5 = st_block()*1024;
    if (first_5 >= W1_d1) return;
    const int64_t k_8 = first_5 + 1024;
    const int64_t stop_8 = k_8 < W1_d1 ? k_8 : W1_d1;
    {
        const int64_t thread_7 = st_thread();
        for (int64_t j_7 = first_5 + thread_7; j_7 < stop_8; j_7 += 256) {
            sum_4[j_7] = 0.0;
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_6_sqr_sub_sum_3(double *sum_parts_2, const float *h_tanh,
        const float *p_dot_2, float *h_mul, int64_t chunks_3, int64_t rows_3, int64_t y_d0,
        int64_t W1_d1) {
    const int64_t first_6 = st_block()*8;
    if (first_6 >= chunks_3) return;
    const int64_t k_10 = first_6 + 8;
    const int64_t stop_10 = k_10 < chunks_3 ? k_10 : chunks_3;
    {
        const int64_t warp_11 = st_warp();
        for (int64_t chunk_8 = first_6 + warp_11; chunk_8 < stop_10; chunk_8 += 8) {
            const int64_t start_3 = chunk_8*rows_3;
            const int64_t k_7 = rows_3 + start_3;
            const int64_t stop_7 = k_7 < y_d0 ? k_7 : y_d0;
            st_wait_for_warp();
            {
                const int64_t lane_6 = st_lane();
                for (int64_t j_12 = lane_6; j_12 < W1_d1; j_12 += 32) {
                    sum_parts_2[W1_d1*chunk_8 + j_12] = 0.0;
                }
            }
            st_wait_for_warp();
            {
                const int64_t lane_7 = st_lane();
                for (int64_t j_8 = lane_7; j_8 < W1_d1; j_8 += 32) {
                    double held_2 = 0.0;
                    for (int64_t i_4 = start_3; i_4 < stop_7; i_4++) {
                        const float h_tanh_i = h_tanh[W1_d1*i_4 + j_8];
                        /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
                        const float v_29 = h_tanh_i * h_tanh_i;
                        const float v_30 = 1.0f - v_29;
                        const float p_dot_2_i = p_dot_2[W1_d1*i_4 + j_8];
                        const float v_31 = p_dot_2_i * v_30;
                        const double v_32 = (double)v_31;
                        held_2 += v_32;
                        h_mul[W1_d1*i_4 + j_8] = v_31;
                    }
                    const double sum_parts_2_i_2 = sum_parts_2[W1_d1*chunk_8 + j_8];
                    const double v_44 = sum_parts_2_i_2 + held_2;
                    sum_parts_2[W1_d1*chunk_8 + j_8] = v_44;
                }
            }
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_6_sqr_sub_sum_4(double *sum_parts_2, const float *h_tanh,
        const float *p_dot_2, float *h_mul, int64_t chunks_3, int64_t rows_3, int64_t y_d0,
        int64_t W1_d1) {
    const int64_t chunk_10 = st_block();
    if (chunk_10 >= chunks_3) return;
    const int64_t start_4 = chunk_10*rows_3;
    const int64_t k_9 = rows_3 + start_4;
    const int64_t stop_9 = k_9 < y_d0 ? k_9 : y_d0;
    {
        const int64_t thread_8 = st_thread();
        for (int64_t j_14 = thread_8; j_14 < W1_d1; j_14 += 256) {
            sum_parts_2[W1_d1*chunk_10 + j_14] = 0.0;
        }
    }
    st_wait_for_block();
    {
        const int64_t thread_9 = st_thread();
        for (int64_t j_15 = thread_9; j_15 < W1_d1; j_15 += 256) {
            double held_4 = 0.0;
            for (int64_t i_7 = start_4; i_7 < stop_9; i_7++) {
                const float h_tanh_i_2 = h_tanh[W1_d1*i_7 + j_15];
                /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
                const float v_40 = h_tanh_i_2 * h_tanh_i_2;
                const float v_41 = 1.0f - v_40;
                const float p_dot_2_i_2 = p_dot_2[W1_d1*i_7 + j_15];
                const float v_42 = p_dot_2_i_2 * v_41;
                const double v_43 = (double)v_42;
                held_4 += v_43;
                h_mul[W1_d1*i_7 + j_15] = v_42;
            }
            const double sum_parts_2_i_3 = sum_parts_2[W1_d1*chunk_10 + j_15];
            const double v_45 = sum_parts_2_i_3 + held_4;
            sum_parts_2[W1_d1*chunk_10 + j_15] = v_45;
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_6_sqr_sub_sum_5(const double *sum_parts_2, double *sum_4, int64_t W1_d1,
        int64_t chunks_3) {
    const int64_t first_7 = st_block()*256;
    if (first_7 >= W1_d1) return;
    const int64_t k_11 = first_7 + 256;
    const int64_t stop_11 = k_11 < W1_d1 ? k_11 : W1_d1;
    {
        const int64_t thread_10 = st_thread();
        for (int64_t j_13 = first_7 + thread_10; j_13 < stop_11; j_13 += 256) {
            double held_3 = 0.0;
            for (int64_t chunk_9 = 0; chunk_9 < chunks_3; chunk_9++) {
                const double sum_parts_2_i = sum_parts_2[W1_d1*chunk_9 + j_13];
                held_3 += sum_parts_2_i;
            }
            const double sum_4_i = sum_4[j_13];
            const double v_46 = sum_4_i + held_3;
            sum_4[j_13] = v_46;
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_6_sqr_sub_sum_6(const double *sum_4, float *h_sum, int64_t W1_d1) {
    const int64_t first_8 = st_block()*1024;
    if (first_8 >= W1_d1) return;
    const int64_t k_12 = first_8 + 1024;
    const int64_t stop_12 = k_12 < W1_d1 ? k_12 : W1_d1;
    {
        const int64_t thread_11 = st_thread();
        for (int64_t j_9 = first_8 + thread_11; j_9 < stop_12; j_9 += 256) {
            const double total_2 = sum_4[j_9];
            /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
            const float v_33 = (float)total_2;
            h_sum[j_9] = v_33;
        }
    }
}

/* mul, sub over W1_d1 */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL(256) kernel_8_mul_sub_2(const float *h_sum, float *b1_device, int64_t W1_d1,
        float rate_value) {
    const int64_t first_9 = st_block()*1024;
    if (first_9 >= W1_d1) return;
    const int64_t k_13 = first_9 + 1024;
    const int64_t stop_13 = k_13 < W1_d1 ? k_13 : W1_d1;
    {
        const int64_t thread_12 = st_thread();
        for (int64_t i_5 = first_9 + thread_12; i_5 < stop_13; i_5 += 256) {
            const float h_sum_i = h_sum[i_5];
            /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
            const float v_34 = h_sum_i * rate_value;
            const float b1_i_2 = b1_device[i_5];
            const float v_35 = b1_i_2 - v_34;
            b1_device[i_5] = v_35;
        }
    }
}

/* The host. */

/* cast, lt, ge, and_, all over y_d0 */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL int32_t kernel_0_cast_lt_all(const st_runtime *runtime, st_call *call, st_error *error,
        const int32_t *y_device, uint8_t *all_parts, uint8_t *total_3, const int64_t y_d0,
        const int64_t W2_d1, const int64_t neg_W2_d1, bool *st_all) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(y_d0, 1, 8192, 1024);
    const int64_t chunks = (rows + y_d0 - 1) / rows;
    void *st_arguments_1[] = {(void *)&y_device, (void *)&all_parts, (void *)&chunks, (void *)&rows,
            (void *)&y_d0, (void *)&W2_d1, (void *)&neg_W2_d1};
    ST_ASK(launch, 0, st_block_count(chunks, 1), 256, st_arguments_1);
    void *st_arguments_2[] = {(void *)&all_parts, (void *)&total_3, (void *)&chunks};
    ST_ASK(launch, 1, st_block_count(1, 1), 256, st_arguments_2);
    uint8_t st_read_all;
    ST_ASK(to_host, &st_read_all, &total_3[0], 1);
    const bool all = st_read_all != 0;
    *st_all = all;
done:
    return status;
}

/* add, tanh over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL int32_t kernel_2_add_tanh(const st_runtime *runtime, st_call *call, st_error *error,
        const float *h_dot, const float *b1_device, float *h_tanh, const int64_t y_d0,
        const int64_t W1_d1) {
    int32_t status = ST_OK;
    void *st_arguments_3[] = {(void *)&h_dot, (void *)&b1_device, (void *)&h_tanh, (void *)&y_d0,
            (void *)&W1_d1};
    ST_ASK(launch, 2, st_block_count(y_d0, 1) * st_block_count(W1_d1, 1024), 256, st_arguments_3);
done:
    return status;
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL int32_t kernel_4_exp_log_reciprocal(const st_runtime *runtime, st_call *call,
        st_error *error, double *sum, double *sum_parts, const float *p_dot, const float *b2_device,
        const int32_t *y_device, float *p_mul, double *sum_f64_parts, double *total_4, float *p_sum,
        const int64_t W2_d1, const int64_t y_d0, const float reciprocal_y_d0_f32, float *st_sum_3) {
    int32_t status = ST_OK;
    void *st_arguments_4[] = {(void *)&sum, (void *)&W2_d1};
    ST_ASK(launch, 3, st_block_count(W2_d1, 1024), 256, st_arguments_4);
    const int64_t rows_2 = st_chunk_rows(y_d0, W2_d1, 8192, 128);
    const int64_t chunks_2 = (rows_2 + y_d0 - 1) / rows_2;
    void *st_arguments_5[] = {(void *)&sum_parts, (void *)&p_dot, (void *)&b2_device,
            (void *)&y_device, (void *)&p_mul, (void *)&sum_f64_parts, (void *)&chunks_2,
            (void *)&rows_2, (void *)&y_d0, (void *)&W2_d1, (void *)&reciprocal_y_d0_f32};
    ST_ASK(launch, 4, st_block_count(chunks_2, 1), 256, st_arguments_5);
    void *st_arguments_6[] = {(void *)&sum_f64_parts, (void *)&total_4, (void *)&chunks_2};
    ST_ASK(launch, 5, st_block_count(1, 1), 256, st_arguments_6);
    double sum_f64;
    ST_ASK(to_host, &sum_f64, &total_4[0], sizeof sum_f64);
    void *st_arguments_7[] = {(void *)&sum_parts, (void *)&sum, (void *)&W2_d1, (void *)&chunks_2};
    ST_ASK(launch, 6, st_block_count(W2_d1, 256), 256, st_arguments_7);
    void *st_arguments_8[] = {(void *)&sum, (void *)&p_sum, (void *)&W2_d1};
    ST_ASK(launch, 7, st_block_count(W2_d1, 1024), 256, st_arguments_8);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float sum_3 = (float)sum_f64;
    *st_sum_3 = sum_3;
done:
    return status;
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL int32_t kernel_6_sqr_sub_sum(const st_runtime *runtime, st_call *call, st_error *error,
        double *sum_4, double *sum_parts_2, const float *h_tanh, const float *p_dot_2, float *h_mul,
        float *h_sum, const int64_t W1_d1, const int64_t y_d0) {
    int32_t status = ST_OK;
    void *st_arguments_9[] = {(void *)&sum_4, (void *)&W1_d1};
    ST_ASK(launch, 8, st_block_count(W1_d1, 1024), 256, st_arguments_9);
    const int64_t rows_3 = st_chunk_rows(y_d0, W1_d1, 8192, 128);
    const int64_t chunks_3 = (rows_3 + y_d0 - 1) / rows_3;
    const bool short_rows = W1_d1 <= 1024LL;
    if (short_rows) {
        void *st_arguments_10[] = {(void *)&sum_parts_2, (void *)&h_tanh, (void *)&p_dot_2,
                (void *)&h_mul, (void *)&chunks_3, (void *)&rows_3, (void *)&y_d0, (void *)&W1_d1};
        ST_ASK(launch, 9, st_block_count(chunks_3, 8), 256, st_arguments_10);
    } else {
        void *st_arguments_11[] = {(void *)&sum_parts_2, (void *)&h_tanh, (void *)&p_dot_2,
                (void *)&h_mul, (void *)&chunks_3, (void *)&rows_3, (void *)&y_d0, (void *)&W1_d1};
        ST_ASK(launch, 10, st_block_count(chunks_3, 1), 256, st_arguments_11);
    }
    void *st_arguments_12[] = {(void *)&sum_parts_2, (void *)&sum_4, (void *)&W1_d1,
            (void *)&chunks_3};
    ST_ASK(launch, 11, st_block_count(W1_d1, 256), 256, st_arguments_12);
    void *st_arguments_13[] = {(void *)&sum_4, (void *)&h_sum, (void *)&W1_d1};
    ST_ASK(launch, 12, st_block_count(W1_d1, 1024), 256, st_arguments_13);
done:
    return status;
}

/* mul, sub over W1_d1 */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL int32_t kernel_8_mul_sub(const st_runtime *runtime, st_call *call, st_error *error,
        const float *h_sum, float *b1_device, const int64_t W1_d1, const float rate_value) {
    int32_t status = ST_OK;
    void *st_arguments_14[] = {(void *)&h_sum, (void *)&b1_device, (void *)&W1_d1,
            (void *)&rate_value};
    ST_ASK(launch, 13, st_block_count(W1_d1, 1024), 256, st_arguments_14);
done:
    return status;
}

/* network_step
   inputs: float32 x[x_d1*y_d0], int32 y[y_d0], float32 rate[1]
   changed: float32 W1[W1_d1*x_d1], float32 b1[W1_d1], float32 W2[W1_d1*W2_d1], float32 b2[W2_d1]
   outputs: float32 out[1], float32 b1_device[W1_d1], float32 b2_device[W2_d1],
       int32 y_device[y_d0], float32 h_dot_host[W1_d1*y_d0], float32 h_tanh_host[W1_d1*y_d0],
       float32 p_dot_host[W2_d1*y_d0], float32 p_mul_host[W2_d1*y_d0],
       float32 p_dot_2_host[W1_d1*y_d0], float32 h_mul_host[W1_d1*y_d0],
       float32 h_tanh_host_2[W1_d1*y_d0], float32 p_mul_host_2[W2_d1*y_d0]
   workspace: (y_d0*8 + 1036)*W1_d1 + (y_d0*8 + 1036)*W2_d1 + 1033 bytes
   1. all = kernel_0_cast_lt_all(y_device): cast, lt, ge, and_, all over y_d0; reads y_d0*4 bytes
   2. h_dot_host = st_gemm_f32(x, W1): reads (W1_d1*4 + y_d0*4)*x_d1, writes W1_d1*y_d0*4 bytes
   3. h_tanh = kernel_2_add_tanh(h_dot, b1_device): add, tanh over y_d0 x W1_d1; reads (y_d0*4 +
       4)*W1_d1, writes W1_d1*y_d0*4 bytes
   4. p_dot_host = st_gemm_f32(h_tanh_host, W2): reads (W2_d1*4 + y_d0*4)*W1_d1, writes
       W2_d1*y_d0*4 bytes
   5. p_sum, sum_3 = kernel_4_exp_log_reciprocal(p_dot, b2_device, y_device): add, max, isinf,
       switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1; reads (y_d0*4 + 4)*W2_d1 +
       y_d0*4, writes W2_d1*4 bytes
   6. p_dot_2_host = st_gemm_f32(p_mul_host, W2): reads (W1_d1*4 + y_d0*4)*W2_d1, writes
       W1_d1*y_d0*4 bytes
   7. h_mul, h_sum = kernel_6_sqr_sub_sum(h_tanh, p_dot_2): sqr, sub, mul, sum over y_d0 x W1_d1;
       reads W1_d1*y_d0*8, writes (y_d0*4 + 4)*W1_d1 bytes
   8. W1 = st_gemm_f32(x, h_mul_host, W1): reads (x_d1*4 + y_d0*4)*W1_d1 + x_d1*y_d0*4, writes
       W1_d1*x_d1*4 bytes
   9. b1_device = kernel_8_mul_sub(h_sum, b1_device): mul, sub over W1_d1; reads W1_d1*8, writes
       W1_d1*4 bytes
   10. W2 = st_gemm_f32(h_tanh_host_2, p_mul_host_2, W2): reads (W2_d1*4 + y_d0*4)*W1_d1 +
       W2_d1*y_d0*4, writes W1_d1*W2_d1*4 bytes
   11. b2_device = kernel_8_mul_sub(p_sum, b2_device): mul, sub over W1_d1; reads W2_d1*8, writes
       W2_d1*4 bytes */
ST_EXPORT int32_t network_step(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];
    const int32_t *y = inputs[1].data;
    const int64_t y_d0 = inputs[1].shape[0];
    const float *rate = inputs[2].data;
    float *W1 = inputs[3].data;
    const int64_t W1_d0 = inputs[3].shape[0], W1_d1 = inputs[3].shape[1];
    float *b1 = inputs[4].data;
    const int64_t b1_d0 = inputs[4].shape[0];
    float *W2 = inputs[5].data;
    const int64_t W2_d0 = inputs[5].shape[0], W2_d1 = inputs[5].shape[1];
    float *b2 = inputs[6].data;
    const int64_t b2_d0 = inputs[6].shape[0];

    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
    ST_REQUIRE(x_d1 == W1_d0, SHAPE, 0, x_d1, W1_d0);
    ST_REQUIRE(W1_d1 == b1_d0, SHAPE, 1, W1_d1, b1_d0);
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    ST_REQUIRE(W1_d1 == W2_d0, SHAPE, 2, W1_d1, W2_d0);
    ST_REQUIRE(W2_d1 == b2_d0, SHAPE, 3, W2_d1, b2_d0);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    ST_REQUIRE(y_d0 == x_d0, SHAPE, 4, y_d0, x_d0);
    const int64_t neg_W2_d1 = -W2_d1;

    int32_t *y_device = st_device_memory(call, y_d0*4, 4.0*y_d0);
    ST_REQUIRE(y_device, MEMORY, -1, y_d0*4, -1);

    ST_ASK(to_device, y_device, y, y_d0*4);

    const int64_t st_p_dot_at = st_padded(W1_d1*y_d0*4);
    const int64_t st_p_mul_at = st_p_dot_at + st_padded(W2_d1*y_d0*4);
    const int64_t st_p_sum_at = st_p_mul_at + st_padded(W2_d1*y_d0*4);
    const int64_t st_p_dot_2_at = st_p_sum_at + st_padded(W2_d1*4);
    const int64_t st_h_sum_at = st_p_dot_2_at + st_padded(W1_d1*y_d0*4);
    const int64_t st_all_parts_at = st_h_sum_at + st_padded(W1_d1*4);
    const int64_t st_total_3_at = st_all_parts_at + st_padded(1024);
    const int64_t st_sum_at = st_total_3_at + st_padded(1);
    const int64_t st_sum_parts_at = st_sum_at + st_padded(W2_d1*8);
    const int64_t st_total_4_at = st_sum_parts_at + st_padded(W2_d1*1024);
    const int64_t st_sum_4_at = st_total_4_at + st_padded(8);
    const int64_t st_sum_parts_2_at = st_sum_4_at + st_padded(W1_d1*8);
    const int64_t device_arena_bytes = st_sum_parts_2_at + st_padded(W1_d1*1024);
    device_arena = st_device_memory(call, device_arena_bytes,
            8.0*W2_d1*y_d0 + 1036.0*W2_d1 + 8.0*W1_d1*y_d0 + 1036.0*W1_d1 + 1033.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, -1);
    float *h_dot = (float *)device_arena;
    float *h_tanh = (float *)device_arena;
    float *p_dot = (float *)(device_arena + st_p_dot_at);
    float *p_mul = (float *)(device_arena + st_p_mul_at);
    float *p_sum = (float *)(device_arena + st_p_sum_at);
    float *p_dot_2 = (float *)(device_arena + st_p_dot_2_at);
    float *h_mul = (float *)(device_arena + st_p_dot_2_at);
    float *h_sum = (float *)(device_arena + st_h_sum_at);
    uint8_t *all_parts = (uint8_t *)(device_arena + st_all_parts_at);
    double *sum_f64_parts = (double *)(device_arena + st_all_parts_at);
    uint8_t *total_3 = (uint8_t *)(device_arena + st_total_3_at);
    double *sum = (double *)(device_arena + st_sum_at);
    double *sum_parts = (double *)(device_arena + st_sum_parts_at);
    double *total_4 = (double *)(device_arena + st_total_4_at);
    double *sum_4 = (double *)(device_arena + st_sum_4_at);
    double *sum_parts_2 = (double *)(device_arena + st_sum_parts_2_at);

    bool all;
    status = kernel_0_cast_lt_all(runtime, call, error, y_device, all_parts, total_3, y_d0, W2_d1,
            neg_W2_d1, &all);
    if (status != ST_OK) goto done;
    ST_REQUIRE(all, INDEX, 5, W2_d1);

    float *out = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out, MEMORY, -1, 4, 0);
    float *h_dot_host = ST_ALLOCATE(8, W1_d1*y_d0);
    ST_REQUIRE(h_dot_host, MEMORY, -1, W1_d1*y_d0*4, 8);

    ST_ASK(to_host, h_dot_host, h_dot, W1_d1*y_d0*4);
    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_NO_TRANS, .transb = ST_NO_TRANS, .m = y_d0,
            .n = W1_d1, .k = x_d1, .lda = x_d1, .ldb = W1_d1, .ldc = W1_d1}, 1.0f, x, W1, 0.0f,
            h_dot_host);
    ST_ASK(to_device, h_dot, h_dot_host, W1_d1*y_d0*4);

    float *b1_device = st_device_memory(call, W1_d1*4, 4.0*W1_d1);
    ST_REQUIRE(b1_device, MEMORY, -1, W1_d1*4, -1);

    ST_ASK(to_device, b1_device, b1, W1_d1*4);
    status = kernel_2_add_tanh(runtime, call, error, h_dot, b1_device, h_tanh, y_d0, W1_d1);
    if (status != ST_OK) goto done;

    float *h_tanh_host = ST_ALLOCATE(9, W1_d1*y_d0);
    ST_REQUIRE(h_tanh_host, MEMORY, -1, W1_d1*y_d0*4, 9);
    float *p_dot_host = ST_ALLOCATE(10, W2_d1*y_d0);
    ST_REQUIRE(p_dot_host, MEMORY, -1, W2_d1*y_d0*4, 10);

    ST_ASK(to_host, h_tanh_host, h_tanh, W1_d1*y_d0*4);
    ST_ASK(to_host, p_dot_host, p_dot, W2_d1*y_d0*4);
    ST_LEAVE_IF_ENDED;
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_NO_TRANS, .transb = ST_NO_TRANS, .m = y_d0,
            .n = W2_d1, .k = W1_d1, .lda = W1_d1, .ldb = W2_d1, .ldc = W2_d1}, 1.0f, h_tanh_host,
            W2, 0.0f, p_dot_host);
    ST_ASK(to_device, p_dot, p_dot_host, W2_d1*y_d0*4);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float y_d0_f32 = (float)y_d0;
    const float reciprocal_y_d0_f32 = 1 / y_d0_f32;

    float *b2_device = st_device_memory(call, W2_d1*4, 4.0*W2_d1);
    ST_REQUIRE(b2_device, MEMORY, -1, W2_d1*4, -1);

    ST_ASK(to_device, b2_device, b2, W2_d1*4);
    float sum_3;
    status = kernel_4_exp_log_reciprocal(runtime, call, error, sum, sum_parts, p_dot, b2_device,
            y_device, p_mul, sum_f64_parts, total_4, p_sum, W2_d1, y_d0, reciprocal_y_d0_f32,
            &sum_3);
    if (status != ST_OK) goto done;

    float *p_mul_host = ST_ALLOCATE(11, W2_d1*y_d0);
    ST_REQUIRE(p_mul_host, MEMORY, -1, W2_d1*y_d0*4, 11);
    float *p_dot_2_host = ST_ALLOCATE(12, W1_d1*y_d0);
    ST_REQUIRE(p_dot_2_host, MEMORY, -1, W1_d1*y_d0*4, 12);

    ST_ASK(to_host, p_mul_host, p_mul, W2_d1*y_d0*4);
    ST_ASK(to_host, p_dot_2_host, p_dot_2, W1_d1*y_d0*4);
    ST_LEAVE_IF_ENDED;
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_NO_TRANS, .transb = ST_TRANS, .m = y_d0,
            .n = W1_d1, .k = W2_d1, .lda = W2_d1, .ldb = W2_d1, .ldc = W1_d1}, 1.0f, p_mul_host, W2,
            0.0f, p_dot_2_host);
    ST_ASK(to_device, p_dot_2, p_dot_2_host, W1_d1*y_d0*4);
    status = kernel_6_sqr_sub_sum(runtime, call, error, sum_4, sum_parts_2, h_tanh, p_dot_2, h_mul,
            h_sum, W1_d1, y_d0);
    if (status != ST_OK) goto done;
    const float rate_value = rate[0];
    /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
    const float neg_rate_value = -rate_value;

    float *h_mul_host = ST_ALLOCATE(13, W1_d1*y_d0);
    ST_REQUIRE(h_mul_host, MEMORY, -1, W1_d1*y_d0*4, 13);

    ST_ASK(to_host, h_mul_host, h_mul, W1_d1*y_d0*4);
    ST_LEAVE_IF_ENDED;
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_TRANS, .transb = ST_NO_TRANS, .m = x_d1,
            .n = W1_d1, .k = y_d0, .lda = x_d1, .ldb = W1_d1, .ldc = W1_d1}, neg_rate_value, x,
            h_mul_host, 1.0f, W1);
    status = kernel_8_mul_sub(runtime, call, error, h_sum, b1_device, W1_d1, rate_value);
    if (status != ST_OK) goto done;

    float *h_tanh_host_2 = ST_ALLOCATE(14, W1_d1*y_d0);
    ST_REQUIRE(h_tanh_host_2, MEMORY, -1, W1_d1*y_d0*4, 14);
    float *p_mul_host_2 = ST_ALLOCATE(15, W2_d1*y_d0);
    ST_REQUIRE(p_mul_host_2, MEMORY, -1, W2_d1*y_d0*4, 15);

    ST_ASK(to_host, h_tanh_host_2, h_tanh, W1_d1*y_d0*4);
    ST_ASK(to_host, p_mul_host_2, p_mul, W2_d1*y_d0*4);
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_TRANS, .transb = ST_NO_TRANS, .m = W1_d1,
            .n = W2_d1, .k = y_d0, .lda = W1_d1, .ldb = W2_d1, .ldc = W2_d1}, neg_rate_value,
            h_tanh_host_2, p_mul_host_2, 1.0f, W2);
    status = kernel_8_mul_sub(runtime, call, error, p_sum, b2_device, W2_d1, rate_value);
    if (status != ST_OK) goto done;
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const float s = sum_3 / y_d0_f32;
    const float s_2 = -s;
    out[0] = s_2;
    ST_ASK(to_host, b1, b1_device, W1_d1*4);
    ST_ASK(to_host, b2, b2_device, W2_d1*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
