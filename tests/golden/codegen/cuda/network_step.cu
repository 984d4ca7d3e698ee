ST_DEVICE float st_warp_add_float32(float value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const float first = upper ? other : value, second = upper ? value : other;
        value = first + second;
    }
    return value;
}

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

ST_DEVICE int32_t st_warp_larger_int32(int32_t value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const int32_t other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const int32_t first = upper ? other : value, second = upper ? value : other;
        value = second > first ? second : first;
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

ST_DEVICE int32_t st_warp_smaller_int32(int32_t value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const int32_t other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const int32_t first = upper ? other : value, second = upper ? value : other;
        value = second < first ? second : first;
    }
    return value;
}

/* max, min over y_d0 */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_0_max_min_2(const int32_t *y_device, int32_t *max_parts, int32_t *min_parts,
        int32_t chunks, int32_t rows, int32_t y_d0) {
    const int32_t chunk = (int32_t)st_block_of_row();
    const int32_t start = chunk*rows;
    const int32_t k_6 = rows + start;
    const int32_t stop = k_6 < y_d0 ? k_6 : y_d0;
    int32_t max_3 = INT32_MIN;
    int32_t min_2 = 2147483647;
    ST_SHARED(int32_t, part, 8);
    ST_SHARED(int32_t, part_2, 8);
    {
        const int32_t warp = st_warp();
        int32_t max_5 = INT32_MIN;
        int32_t min_4 = 2147483647;
        {
            const int32_t lane = st_lane();
            for (int32_t i = lane + start + warp*32; i < stop; i += 256) {
                const int32_t y_i = y_device[i];
                /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                max_5 = y_i > max_5 ? y_i : max_5;
                min_4 = y_i < min_4 ? y_i : min_4;
            }
        }
        max_5 = st_warp_larger_int32(max_5);
        min_4 = st_warp_smaller_int32(min_4);
        if (st_lane() == 0) {
            part[warp] = max_5;
            part_2[warp] = min_4;
        }
    }
    st_wait_for_block();
    for (int32_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const int32_t part_i = part[warp_2];
        max_3 = part_i > max_3 ? part_i : max_3;
        const int32_t part_i_2 = part_2[warp_2];
        min_2 = part_i_2 < min_2 ? part_i_2 : min_2;
    }
    if (st_thread() == 0) {
        max_parts[chunk] = max_3;
        min_parts[chunk] = min_2;
    }
}

/* max, min over y_d0 */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_0_max_min_3(const int32_t *max_parts, const int32_t *min_parts,
        int32_t *total_3, int32_t *total_4, int32_t chunks) {
    const int32_t one = (int32_t)st_block_of_row();
    int32_t max_4 = INT32_MIN;
    int32_t min_3 = 2147483647;
    ST_SHARED(int32_t, part_3, 8);
    ST_SHARED(int32_t, part_4, 8);
    {
        const int32_t warp_3 = st_warp();
        int32_t max_6 = INT32_MIN;
        int32_t min_5 = 2147483647;
        {
            const int32_t lane_2 = st_lane();
            for (int32_t chunk_3 = lane_2 + warp_3*32; chunk_3 < chunks; chunk_3 += 256) {
                const int32_t max_parts_i_2 = max_parts[chunk_3];
                max_6 = max_parts_i_2 > max_6 ? max_parts_i_2 : max_6;
                const int32_t min_parts_i_2 = min_parts[chunk_3];
                min_5 = min_parts_i_2 < min_5 ? min_parts_i_2 : min_5;
            }
        }
        max_6 = st_warp_larger_int32(max_6);
        min_5 = st_warp_smaller_int32(min_5);
        if (st_lane() == 0) {
            part_3[warp_3] = max_6;
            part_4[warp_3] = min_5;
        }
    }
    st_wait_for_block();
    for (int32_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const int32_t part_i_3 = part_3[warp_4];
        max_4 = part_i_3 > max_4 ? part_i_3 : max_4;
        const int32_t part_i_4 = part_4[warp_4];
        min_3 = part_i_4 < min_3 ? part_i_4 : min_3;
    }
    if (st_thread() == 0) {
        total_3[0] = max_4;
        total_4[0] = min_3;
    }
}

/* gemm */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_gemm_6(const int64_t *cells_i64, const float *x_device,
        const float *W1_device, float *h_dot, int32_t y_d0, int32_t W1_d1, int32_t x_d1) {
    const unsigned st_blocks_1 = (W1_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_7 = (int32_t)st_outer_0;
    const int32_t first = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int64_t status_ = cells_i64[0];
    const bool fine = status_ == 0LL;
    if (fine) {
        const int32_t k_7 = first + 256;
        const int32_t stop_2 = k_7 < W1_d1 ? k_7 : W1_d1;
        {
            const int32_t thread = st_thread();
            for (int32_t j_10 = first + thread; j_10 < stop_2; j_10 += 256) {
                float dot = 0.0f;
                for (int32_t k = 0; k < x_d1; k++) {
                    const float x_i = x_device[i_7*x_d1 + k];
                    const float W1_i = W1_device[W1_d1*k + j_10];
                    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
                    const float v_34 = x_i * W1_i;
                    dot += v_34;
                }
                h_dot[W1_d1*i_7 + j_10] = dot;
            }
        }
    }
}

/* add, tanh over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_2_add_tanh_2(const int64_t *cells_i64, const float *h_dot,
        const float *b1_device, float *h_tanh, int32_t y_d0, int32_t W1_d1) {
    alignas(16) float h_dot_four[4];
    alignas(16) float b1_four[4];
    alignas(16) float h_tanh_four[4];
    const unsigned st_blocks_1 = (W1_d1 + 1023)/1024;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_2 = (int32_t)st_outer_0;
    const int32_t first_2 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*1024;
    const int64_t status_2 = cells_i64[0];
    const bool fine_2 = status_2 == 0LL;
    if (fine_2) {
        const int32_t k_8 = first_2 + 1024;
        const int32_t stop_3 = k_8 < W1_d1 ? k_8 : W1_d1;
        const bool aligned = st_is_aligned(&h_dot[W1_d1*i_2 + first_2]);
        const bool aligned_2 = st_is_aligned(&b1_device[first_2]);
        const bool vectors = aligned & aligned_2;
        const bool aligned_3 = st_is_aligned(&h_tanh[W1_d1*i_2 + first_2]);
        const bool vectors_2 = vectors & aligned_3;
        const int32_t k_9 = stop_3 - first_2;
        const int32_t whole = k_9 & (-4);
        const int32_t in_vectors = vectors_2 ? whole : 0;
        const int32_t rest = first_2 + in_vectors;
        {
            const int32_t thread_2 = st_thread();
            const int32_t j_15 = first_2 + thread_2*4;
            const bool some = j_15 < rest;
            if (some) {
                const st_four<float> four = st_load_four(&h_dot[W1_d1*i_2 + j_15]);
                *(st_four<float> *)&h_dot_four[0] = four;
                const st_four<float> four_2 = st_load_four(&b1_device[j_15]);
                *(st_four<float> *)&b1_four[0] = four_2;
                ST_UNROLL
                for (int32_t k_10 = 0; k_10 < 4; k_10++) {
                    const float h_dot_i_2 = h_dot_four[k_10];
                    const float b1_i_3 = b1_four[k_10];
                    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
                    const float v_43 = h_dot_i_2 + b1_i_3;
                    const float v_44 = tanhf(v_43);
                    h_tanh_four[k_10] = v_44;
                }
                const st_four<float> four_3 = *(const st_four<float> *)&h_tanh_four[0];
                st_store_four(&h_tanh[W1_d1*i_2 + j_15], four_3);
            }
            for (int32_t j = rest + thread_2; j < stop_3; j += 256) {
                const float h_dot_i = h_dot[W1_d1*i_2 + j];
                const float b1_i = b1_device[j];
                const float v = h_dot_i + b1_i;
                const float v_2 = tanhf(v);
                h_tanh[W1_d1*i_2 + j] = v_2;
            }
        }
    }
}

/* gemm */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
ST_KERNEL(256) kernel_gemm_2_2(const int64_t *cells_i64, const float *h_tanh,
        const float *W2_device, float *p_dot, int32_t y_d0, int32_t W2_d1, int32_t W1_d1) {
    const unsigned st_blocks_1 = (W2_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_8 = (int32_t)st_outer_0;
    const int32_t first_3 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int64_t status_3 = cells_i64[0];
    const bool fine_3 = status_3 == 0LL;
    if (fine_3) {
        const int32_t k_11 = first_3 + 256;
        const int32_t stop_4 = k_11 < W2_d1 ? k_11 : W2_d1;
        {
            const int32_t thread_3 = st_thread();
            for (int32_t j_11 = first_3 + thread_3; j_11 < stop_4; j_11 += 256) {
                float dot_2 = 0.0f;
                for (int32_t k_2 = 0; k_2 < W1_d1; k_2++) {
                    const float h_tanh_i_2 = h_tanh[W1_d1*i_8 + k_2];
                    const float W2_i = W2_device[W2_d1*k_2 + j_11];
                    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                    const float v_35 = h_tanh_i_2 * W2_i;
                    dot_2 += v_35;
                }
                p_dot[W2_d1*i_8 + j_11] = dot_2;
            }
        }
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_2(const int64_t *cells_i64, double *sum_parts,
        const float *p_dot, const float *b2_device, const int32_t *y_device, float *p_mul,
        double *sum_f64_parts, int32_t chunks_2, int32_t rows_2, int32_t y_d0, int32_t W2_d1,
        float reciprocal_y_d0_f32) {
    double sum_parts_held_2[16];
    alignas(16) float p_dot_held_2[16];
    alignas(16) float b2_held_2[16];
    float p_mul_held_2[16];
    alignas(16) float p_mul_four[4];
    const int32_t chunk_10 = (int32_t)st_block_of_row();
    const int64_t status_4 = cells_i64[0];
    const bool fine_4 = status_4 == 0LL;
    if (fine_4) {
        const int32_t start_3 = chunk_10*rows_2;
        const int32_t k_20 = rows_2 + start_3;
        const int32_t stop_8 = k_20 < y_d0 ? k_20 : y_d0;
        double sum_f64_7 = 0.0;
        {
            const int32_t thread_10 = st_thread();
            for (int32_t j_23 = thread_10; j_23 < W2_d1; j_23 += 256) {
                sum_parts[W2_d1*chunk_10 + j_23] = 0.0;
            }
        }
        {
            ST_UNROLL
            for (int32_t k_26 = 0; k_26 < 16; k_26++) {
                sum_parts_held_2[k_26] = 0.0;
            }
        }
        st_wait_for_block();
        for (int32_t i_12 = start_3; i_12 < stop_8; i_12++) {
            float max_8 = -__builtin_inff();
            float nan_3 = 0.0f;
            ST_SHARED(float, part_10, 8);
            ST_SHARED(float, part_11, 8);
            st_wait_for_block();
            {
                const int32_t warp_12 = st_warp();
                float max_9 = -__builtin_inff();
                float nan_4 = 0.0f;
                {
                    const int32_t lane_7 = st_lane();
                    const bool aligned_4 = st_is_aligned(&p_dot[W2_d1*i_12]);
                    const bool aligned_5 = st_is_aligned(&b2_device[0]);
                    const bool vectors_3 = aligned_4 & aligned_5;
                    ST_UNROLL
                    for (int32_t group_5 = 0; group_5 < 16; group_5 += 4) {
                        const int32_t first_10 = group_5*256 + lane_7*4 + warp_12*128;
                        const bool some_6 = first_10 < W2_d1;
                        if (some_6) {
                            if (vectors_3) {
                                const st_four<float> four_4 = st_load_four(&p_dot[W2_d1*i_12 + first_10]);
                                *(st_four<float> *)&p_dot_held_2[group_5] = four_4;
                                const st_four<float> four_5 = st_load_four(&b2_device[first_10]);
                                *(st_four<float> *)&b2_held_2[group_5] = four_5;
                            } else {
                                ST_UNROLL
                                for (int32_t k_21 = 0; k_21 < 4; k_21++) {
                                    const float element = p_dot[W2_d1*i_12 + first_10 + k_21];
                                    p_dot_held_2[group_5 + k_21] = element;
                                    const float element_2 = b2_device[first_10 + k_21];
                                    b2_held_2[group_5 + k_21] = element_2;
                                }
                            }
                        }
                    }
                    ST_UNROLL
                    for (int32_t group_6 = 0; group_6 < 16; group_6 += 4) {
                        const int32_t first_11 = group_6*256 + lane_7*4 + warp_12*128;
                        const bool some_7 = first_11 < W2_d1;
                        if (some_7) {
                            ST_UNROLL
                            for (int32_t k_22 = 0; k_22 < 4; k_22++) {
                                const int32_t j_24 = first_11 + k_22;
                                const float p_dot_i_6 = p_dot_held_2[group_6 + k_22];
                                const float b2_i_7 = b2_held_2[group_6 + k_22];
                                /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                                const float v_58 = p_dot_i_6 + b2_i_7;
                                /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                                max_9 = v_58 > max_9 ? v_58 : max_9;
                                nan_4 = v_58 != v_58 ? v_58 : nan_4;
                            }
                        }
                    }
                    for (int32_t j_27 = lane_7 + warp_12*32 + 4096; j_27 < W2_d1; j_27 += 256) {
                        const float p_dot_i_9 = p_dot[W2_d1*i_12 + j_27];
                        const float b2_i_10 = b2_device[j_27];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_79 = p_dot_i_9 + b2_i_10;
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        max_9 = v_79 > max_9 ? v_79 : max_9;
                        nan_4 = v_79 != v_79 ? v_79 : nan_4;
                    }
                }
                max_9 = st_warp_larger_float32(max_9);
                nan_4 = st_warp_nan_or_float32(nan_4);
                if (st_lane() == 0) {
                    part_10[warp_12] = max_9;
                    part_11[warp_12] = nan_4;
                }
            }
            st_wait_for_block();
            for (int32_t warp_13 = 0; warp_13 < 8; warp_13++) {
                const float part_i_9 = part_10[warp_13];
                max_8 = part_i_9 > max_8 ? part_i_9 : max_8;
                const float part_i_10 = part_11[warp_13];
                nan_3 = part_i_10 != part_i_10 ? part_i_10 : nan_3;
            }
            const float v_59 = nan_3 != nan_3 ? nan_3 : max_8;
            const bool isinf_2 = __builtin_fabsf(v_59) == __builtin_inff();
            const float v_60 = isinf_2 ? 0.0f : v_59;
            const int32_t y_i_3 = y_device[i_12];
            const int64_t v_61 = (int64_t)y_i_3;
            const bool v_62 = v_61 < 0LL;
            const int64_t v_63 = v_61 + (int64_t)W2_d1;
            const int64_t v_64 = v_62 ? v_63 : v_61;
            const float p_dot_i_7 = p_dot[W2_d1*i_12 + v_64];
            const float b2_i_8 = b2_device[v_64];
            const float v_65 = p_dot_i_7 + b2_i_8;
            const float v_66 = v_65 - v_60;
            double sum_f64_8 = 0.0;
            ST_SHARED(double, part_12, 8);
            {
                const int32_t warp_14 = st_warp();
                double sum_f64_9 = 0.0;
                {
                    const int32_t lane_8 = st_lane();
                    ST_UNROLL
                    for (int32_t group_7 = 0; group_7 < 16; group_7 += 4) {
                        const int32_t first_12 = group_7*256 + lane_8*4 + warp_14*128;
                        const bool some_8 = first_12 < W2_d1;
                        if (some_8) {
                            ST_UNROLL
                            for (int32_t k_23 = 0; k_23 < 4; k_23++) {
                                const int32_t j_25 = first_12 + k_23;
                                const float p_dot_i_8 = p_dot_held_2[group_7 + k_23];
                                const float b2_i_9 = b2_held_2[group_7 + k_23];
                                /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                                const float v_67 = p_dot_i_8 + b2_i_9;
                                /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                                const float v_68 = v_67 - v_60;
                                const float v_69 = expf(v_68);
                                const double v_70 = (double)v_69;
                                sum_f64_9 += v_70;
                                p_mul_held_2[group_7 + k_23] = v_69;
                            }
                        }
                    }
                    for (int32_t j_28 = lane_8 + warp_14*32 + 4096; j_28 < W2_d1; j_28 += 256) {
                        const float p_dot_i_10 = p_dot[W2_d1*i_12 + j_28];
                        const float b2_i_11 = b2_device[j_28];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_80 = p_dot_i_10 + b2_i_11;
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_81 = v_80 - v_60;
                        const float v_82 = expf(v_81);
                        const double v_83 = (double)v_82;
                        sum_f64_9 += v_83;
                        p_mul[W2_d1*i_12 + j_28] = v_82;
                    }
                }
                sum_f64_9 = st_warp_add_float64(sum_f64_9);
                if (st_lane() == 0) {
                    part_12[warp_14] = sum_f64_9;
                }
            }
            st_wait_for_block();
            for (int32_t warp_15 = 0; warp_15 < 8; warp_15++) {
                const double part_i_11 = part_12[warp_15];
                sum_f64_8 += part_i_11;
            }
            const float sum_5 = (float)sum_f64_8;
            const float log_2 = logf(sum_5);
            const float v_71 = v_66 - log_2;
            const double v_72 = (double)v_71;
            sum_f64_7 += v_72;
            /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
            const float reciprocal_2 = 1 / sum_5;
            {
                const int32_t thread_11 = st_thread();
                const bool aligned_6 = st_is_aligned(&p_mul[W2_d1*i_12]);
                ST_UNROLL
                for (int32_t group_8 = 0; group_8 < 16; group_8 += 4) {
                    const int32_t first_13 = group_8*256 + thread_11*4;
                    const bool some_9 = first_13 < W2_d1;
                    if (some_9) {
                        ST_UNROLL
                        for (int32_t k_24 = 0; k_24 < 4; k_24++) {
                            const int32_t j_26 = first_13 + k_24;
                            const float p_mul_i_5 = p_mul_held_2[group_8 + k_24];
                            const float v_73 = p_mul_i_5 * reciprocal_2;
                            const bool v_74 = j_26 == v_64;
                            const float v_75 = v_74 ? (float)1 : (float)0;
                            const float v_76 = v_73 - v_75;
                            const float v_77 = v_76 * reciprocal_y_d0_f32;
                            const double v_78 = (double)v_77;
                            const double sum_parts_held_2_i = sum_parts_held_2[group_8 + k_24];
                            const double v_93 = sum_parts_held_2_i + v_78;
                            p_mul_four[k_24] = v_77;
                            sum_parts_held_2[group_8 + k_24] = v_93;
                        }
                        if (aligned_6) {
                            const st_four<float> four_6 = *(const st_four<float> *)&p_mul_four[0];
                            st_store_four(&p_mul[W2_d1*i_12 + first_13], four_6);
                        } else {
                            ST_UNROLL
                            for (int32_t k_25 = 0; k_25 < 4; k_25++) {
                                const float element_3 = p_mul_four[k_25];
                                p_mul[W2_d1*i_12 + first_13 + k_25] = element_3;
                            }
                        }
                    }
                }
                for (int32_t j_29 = thread_11 + 4096; j_29 < W2_d1; j_29 += 256) {
                    const float p_mul_i_6 = p_mul[W2_d1*i_12 + j_29];
                    const float v_84 = p_mul_i_6 * reciprocal_2;
                    const bool v_85 = j_29 == v_64;
                    const float v_86 = v_85 ? (float)1 : (float)0;
                    const float v_87 = v_84 - v_86;
                    const float v_88 = v_87 * reciprocal_y_d0_f32;
                    const double v_89 = (double)v_88;
                    const double sum_parts_i_4 = sum_parts[W2_d1*chunk_10 + j_29];
                    const double v_94 = sum_parts_i_4 + v_89;
                    p_mul[W2_d1*i_12 + j_29] = v_88;
                    sum_parts[W2_d1*chunk_10 + j_29] = v_94;
                }
            }
        }
        st_wait_for_block();
        {
            const int32_t thread_13 = st_thread();
            ST_UNROLL
            for (int32_t group_9 = 0; group_9 < 16; group_9 += 4) {
                const int32_t first_14 = group_9*256 + thread_13*4;
                const bool some_10 = first_14 < W2_d1;
                if (some_10) {
                    ST_UNROLL
                    for (int32_t k_27 = 0; k_27 < 4; k_27++) {
                        const int32_t j_30 = first_14 + k_27;
                        const double held_6 = sum_parts_held_2[group_9 + k_27];
                        const double sum_parts_i_5 = sum_parts[W2_d1*chunk_10 + j_30];
                        const double v_95 = sum_parts_i_5 + held_6;
                        sum_parts[W2_d1*chunk_10 + j_30] = v_95;
                    }
                }
            }
        }
        if (st_thread() == 0) {
            sum_f64_parts[chunk_10] = sum_f64_7;
        }
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_3(const int64_t *cells_i64, double *sum_parts,
        const float *p_dot, const float *b2_device, const int32_t *y_device, float *p_mul,
        double *sum_f64_parts, int32_t chunks_2, int32_t rows_2, int32_t y_d0, int32_t W2_d1,
        float reciprocal_y_d0_f32) {
    double sum_parts_held[16];
    float p_dot_held[16];
    float b2_held[16];
    float p_mul_held[16];
    const int32_t chunk_4 = (int32_t)st_block_of_row();
    const int64_t status_5 = cells_i64[0];
    const bool fine_5 = status_5 == 0LL;
    if (fine_5) {
        const int32_t start_2 = chunk_4*rows_2;
        const int32_t k_12 = rows_2 + start_2;
        const int32_t stop_5 = k_12 < y_d0 ? k_12 : y_d0;
        double sum_f64_3 = 0.0;
        {
            const int32_t thread_4 = st_thread();
            for (int32_t j_16 = thread_4; j_16 < W2_d1; j_16 += 256) {
                sum_parts[W2_d1*chunk_4 + j_16] = 0.0;
            }
        }
        {
            ST_UNROLL
            for (int32_t k_18 = 0; k_18 < 16; k_18++) {
                sum_parts_held[k_18] = 0.0;
            }
        }
        st_wait_for_block();
        for (int32_t i_3 = start_2; i_3 < stop_5; i_3++) {
            float max_2 = -__builtin_inff();
            float nan = 0.0f;
            ST_SHARED(float, part_5, 8);
            ST_SHARED(float, part_6, 8);
            st_wait_for_block();
            {
                const int32_t warp_5 = st_warp();
                float max_7 = -__builtin_inff();
                float nan_2 = 0.0f;
                {
                    const int32_t lane_3 = st_lane();
                    ST_UNROLL
                    for (int32_t group = 0; group < 16; group += 4) {
                        const int32_t first_6 = group*256;
                        const bool some_2 = first_6 < W2_d1;
                        if (some_2) {
                            ST_UNROLL
                            for (int32_t k_15 = 0; k_15 < 4; k_15++) {
                                const int32_t j_3 = group*256 + k_15*256 + lane_3 + warp_5*32;
                                const bool inside = j_3 < W2_d1;
                                if (inside) {
                                    const float p_dot_i = p_dot[W2_d1*i_3 + j_3];
                                    p_dot_held[group + k_15] = p_dot_i;
                                    const float b2_i = b2_device[j_3];
                                    b2_held[group + k_15] = b2_i;
                                    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                                    const float v_3 = p_dot_i + b2_i;
                                    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                                    max_7 = v_3 > max_7 ? v_3 : max_7;
                                    nan_2 = v_3 != v_3 ? v_3 : nan_2;
                                }
                            }
                        }
                    }
                    for (int32_t j_19 = lane_3 + warp_5*32 + 4096; j_19 < W2_d1; j_19 += 256) {
                        const float p_dot_i_4 = p_dot[W2_d1*i_3 + j_19];
                        const float b2_i_5 = b2_device[j_19];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_47 = p_dot_i_4 + b2_i_5;
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        max_7 = v_47 > max_7 ? v_47 : max_7;
                        nan_2 = v_47 != v_47 ? v_47 : nan_2;
                    }
                }
                max_7 = st_warp_larger_float32(max_7);
                nan_2 = st_warp_nan_or_float32(nan_2);
                if (st_lane() == 0) {
                    part_5[warp_5] = max_7;
                    part_6[warp_5] = nan_2;
                }
            }
            st_wait_for_block();
            for (int32_t warp_6 = 0; warp_6 < 8; warp_6++) {
                const float part_i_5 = part_5[warp_6];
                max_2 = part_i_5 > max_2 ? part_i_5 : max_2;
                const float part_i_6 = part_6[warp_6];
                nan = part_i_6 != part_i_6 ? part_i_6 : nan;
            }
            const float v_4 = nan != nan ? nan : max_2;
            const bool isinf_ = __builtin_fabsf(v_4) == __builtin_inff();
            const float v_5 = isinf_ ? 0.0f : v_4;
            const int32_t y_i_2 = y_device[i_3];
            const int64_t v_6 = (int64_t)y_i_2;
            const bool v_7 = v_6 < 0LL;
            const int64_t v_8 = v_6 + (int64_t)W2_d1;
            const int64_t v_9 = v_7 ? v_8 : v_6;
            const float p_dot_i_2 = p_dot[W2_d1*i_3 + v_9];
            const float b2_i_2 = b2_device[v_9];
            const float v_10 = p_dot_i_2 + b2_i_2;
            const float v_11 = v_10 - v_5;
            double sum_f64_2 = 0.0;
            ST_SHARED(double, part_7, 8);
            {
                const int32_t warp_7 = st_warp();
                double sum_f64_5 = 0.0;
                {
                    const int32_t lane_4 = st_lane();
                    ST_UNROLL
                    for (int32_t group_2 = 0; group_2 < 16; group_2 += 4) {
                        const int32_t first_7 = group_2*256;
                        const bool some_3 = first_7 < W2_d1;
                        if (some_3) {
                            ST_UNROLL
                            for (int32_t k_16 = 0; k_16 < 4; k_16++) {
                                const int32_t j_4 = group_2*256 + k_16*256 + lane_4 + warp_7*32;
                                const bool inside_2 = j_4 < W2_d1;
                                if (inside_2) {
                                    const float p_dot_i_3 = p_dot_held[group_2 + k_16];
                                    const float b2_i_3 = b2_held[group_2 + k_16];
                                    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                                    const float v_12 = p_dot_i_3 + b2_i_3;
                                    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                                    const float v_13 = v_12 - v_5;
                                    const float v_14 = expf(v_13);
                                    const double v_15 = (double)v_14;
                                    sum_f64_5 += v_15;
                                    p_mul_held[group_2 + k_16] = v_14;
                                }
                            }
                        }
                    }
                    for (int32_t j_20 = lane_4 + warp_7*32 + 4096; j_20 < W2_d1; j_20 += 256) {
                        const float p_dot_i_5 = p_dot[W2_d1*i_3 + j_20];
                        const float b2_i_6 = b2_device[j_20];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_48 = p_dot_i_5 + b2_i_6;
                        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
                        const float v_49 = v_48 - v_5;
                        const float v_50 = expf(v_49);
                        const double v_51 = (double)v_50;
                        sum_f64_5 += v_51;
                        p_mul[W2_d1*i_3 + j_20] = v_50;
                    }
                }
                sum_f64_5 = st_warp_add_float64(sum_f64_5);
                if (st_lane() == 0) {
                    part_7[warp_7] = sum_f64_5;
                }
            }
            st_wait_for_block();
            for (int32_t warp_8 = 0; warp_8 < 8; warp_8++) {
                const double part_i_7 = part_7[warp_8];
                sum_f64_2 += part_i_7;
            }
            const float sum_2 = (float)sum_f64_2;
            const float log = logf(sum_2);
            const float v_16 = v_11 - log;
            const double v_17 = (double)v_16;
            sum_f64_3 += v_17;
            /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
            const float reciprocal = 1 / sum_2;
            {
                const int32_t thread_5 = st_thread();
                ST_UNROLL
                for (int32_t group_3 = 0; group_3 < 16; group_3 += 4) {
                    const int32_t first_8 = group_3*256;
                    const bool some_4 = first_8 < W2_d1;
                    if (some_4) {
                        ST_UNROLL
                        for (int32_t k_17 = 0; k_17 < 4; k_17++) {
                            const int32_t j_5 = group_3*256 + k_17*256 + thread_5;
                            const bool inside_3 = j_5 < W2_d1;
                            if (inside_3) {
                                const float p_mul_i = p_mul_held[group_3 + k_17];
                                const float v_18 = p_mul_i * reciprocal;
                                const bool v_19 = j_5 == v_9;
                                const float v_20 = v_19 ? (float)1 : (float)0;
                                const float v_21 = v_18 - v_20;
                                const float v_22 = v_21 * reciprocal_y_d0_f32;
                                const double v_23 = (double)v_22;
                                const double sum_parts_held_i = sum_parts_held[group_3 + k_17];
                                const double v_96 = sum_parts_held_i + v_23;
                                p_mul[W2_d1*i_3 + j_5] = v_22;
                                sum_parts_held[group_3 + k_17] = v_96;
                            }
                        }
                    }
                }
                for (int32_t j_21 = thread_5 + 4096; j_21 < W2_d1; j_21 += 256) {
                    const float p_mul_i_4 = p_mul[W2_d1*i_3 + j_21];
                    const float v_52 = p_mul_i_4 * reciprocal;
                    const bool v_53 = j_21 == v_9;
                    const float v_54 = v_53 ? (float)1 : (float)0;
                    const float v_55 = v_52 - v_54;
                    const float v_56 = v_55 * reciprocal_y_d0_f32;
                    const double v_57 = (double)v_56;
                    const double sum_parts_i_6 = sum_parts[W2_d1*chunk_4 + j_21];
                    const double v_97 = sum_parts_i_6 + v_57;
                    p_mul[W2_d1*i_3 + j_21] = v_56;
                    sum_parts[W2_d1*chunk_4 + j_21] = v_97;
                }
            }
        }
        st_wait_for_block();
        {
            const int32_t thread_9 = st_thread();
            ST_UNROLL
            for (int32_t group_4 = 0; group_4 < 16; group_4 += 4) {
                const int32_t first_9 = group_4*256;
                const bool some_5 = first_9 < W2_d1;
                if (some_5) {
                    ST_UNROLL
                    for (int32_t k_19 = 0; k_19 < 4; k_19++) {
                        const int32_t j_22 = group_4*256 + k_19*256 + thread_9;
                        const bool inside_4 = j_22 < W2_d1;
                        if (inside_4) {
                            const double held_5 = sum_parts_held[group_4 + k_19];
                            const double sum_parts_i_7 = sum_parts[W2_d1*chunk_4 + j_22];
                            const double v_98 = sum_parts_i_7 + held_5;
                            sum_parts[W2_d1*chunk_4 + j_22] = v_98;
                        }
                    }
                }
            }
        }
        if (st_thread() == 0) {
            sum_f64_parts[chunk_4] = sum_f64_3;
        }
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_4(const int64_t *cells_i64, const double *sum_f64_parts,
        double *total_5, int32_t chunks_2) {
    const int32_t one_6 = (int32_t)st_block_of_row();
    const int64_t status_6 = cells_i64[0];
    const bool fine_6 = status_6 == 0LL;
    if (fine_6) {
        double sum_f64_4 = 0.0;
        ST_SHARED(double, part_8, 8);
        {
            const int32_t warp_9 = st_warp();
            double sum_f64_6 = 0.0;
            {
                const int32_t lane_5 = st_lane();
                for (int32_t chunk_7 = lane_5 + warp_9*32; chunk_7 < chunks_2; chunk_7 += 256) {
                    const double sum_f64_parts_i_2 = sum_f64_parts[chunk_7];
                    sum_f64_6 += sum_f64_parts_i_2;
                }
            }
            sum_f64_6 = st_warp_add_float64(sum_f64_6);
            if (st_lane() == 0) {
                part_8[warp_9] = sum_f64_6;
            }
        }
        st_wait_for_block();
        for (int32_t warp_10 = 0; warp_10 < 8; warp_10++) {
            const double part_i_8 = part_8[warp_10];
            sum_f64_4 += part_i_8;
        }
        if (st_thread() == 0) {
            total_5[0] = sum_f64_4;
        }
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(1) kernel_4_exp_log_reciprocal_5(const double *total_5, double *cells_f64) {
    const int32_t one_20 = (int32_t)st_block_of_row();
    {
        const double sum_f64_10 = total_5[0];
        cells_f64[0] = sum_f64_10;
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_6(const int64_t *cells_i64, const double *sum_parts,
        double *sum, float *p_sum, int32_t W2_d1, int32_t chunks_2) {
    const int32_t first_5 = (int32_t)st_block_of_row()*32;
    const int64_t status_7 = cells_i64[0];
    const bool fine_7 = status_7 == 0LL;
    if (fine_7) {
        const int32_t k_14 = first_5 + 32;
        const int32_t stop_7 = k_14 < W2_d1 ? k_14 : W2_d1;
        ST_SHARED(double, held_parts, 256);
        {
            const int32_t warp_11 = st_warp();
            {
                const int32_t lane_6 = st_lane();
                for (int32_t column = first_5 + lane_6; column < stop_7; column += 32) {
                    double held_3 = 0.0;
                    for (int32_t chunk_9 = warp_11; chunk_9 < chunks_2; chunk_9 += 8) {
                        const double sum_parts_i_3 = sum_parts[W2_d1*chunk_9 + column];
                        held_3 += sum_parts_i_3;
                    }
                    held_parts[column + warp_11*32 - first_5] = held_3;
                }
            }
        }
        st_wait_for_block();
        if (st_thread() < 32) {
            const int32_t thread_7 = st_thread();
            for (int32_t column_2 = first_5 + thread_7; column_2 < stop_7; column_2 += 32) {
                sum[column_2] = 0.0;
                double held_4 = 0.0;
                for (int32_t part_9 = 0; part_9 < 8; part_9++) {
                    const double held_parts_i = held_parts[column_2 + part_9*32 - first_5];
                    held_4 += held_parts_i;
                }
                const double sum_i = sum[column_2];
                const double v_99 = sum_i + held_4;
                sum[column_2] = v_99;
                const double total_7 = sum[column_2];
                /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                const float v_46 = (float)total_7;
                p_sum[column_2] = v_46;
            }
        }
    }
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL(256) kernel_4_exp_log_reciprocal_7(const int64_t *cells_i64, double *sum,
        const double *sum_parts, float *p_sum, int32_t W2_d1, int32_t chunks_2) {
    const int32_t first_4 = (int32_t)st_block_of_row()*256;
    const int64_t status_8 = cells_i64[0];
    const bool fine_8 = status_8 == 0LL;
    if (fine_8) {
        const int32_t k_13 = first_4 + 256;
        const int32_t stop_6 = k_13 < W2_d1 ? k_13 : W2_d1;
        {
            const int32_t thread_6 = st_thread();
            for (int32_t j_18 = first_4 + thread_6; j_18 < stop_6; j_18 += 256) {
                sum[j_18] = 0.0;
                double held_2 = 0.0;
                for (int32_t chunk_8 = 0; chunk_8 < chunks_2; chunk_8++) {
                    const double sum_parts_i_2 = sum_parts[W2_d1*chunk_8 + j_18];
                    held_2 += sum_parts_i_2;
                }
                const double sum_i_2 = sum[j_18];
                const double v_100 = sum_i_2 + held_2;
                sum[j_18] = v_100;
                const double total_6 = sum[j_18];
                /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                const float v_45 = (float)total_6;
                p_sum[j_18] = v_45;
            }
        }
    }
}

/* gemm */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
ST_KERNEL(1) kernel_gemm_3_2(const double *cells_f64, float *cells_f32) {
    const int32_t one_22 = (int32_t)st_block_of_row();
    {
        const double sum_f64_11 = cells_f64[0];
        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
        const float sum_6 = (float)sum_f64_11;
        cells_f32[0] = sum_6;
    }
}

/* gemm */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
ST_KERNEL(256) kernel_gemm_3_3(const int64_t *cells_i64, const float *p_mul, const float *W2_device,
        float *p_dot_2, int32_t y_d0, int32_t W1_d1, int32_t W2_d1) {
    const unsigned st_blocks_1 = (W1_d1 + 7)/8;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_9 = (int32_t)st_outer_0;
    const int32_t first_15 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*8;
    const int64_t status_9 = cells_i64[0];
    const bool fine_9 = status_9 == 0LL;
    if (fine_9) {
        const int32_t k_29 = first_15 + 8;
        const int32_t stop_9 = k_29 < W1_d1 ? k_29 : W1_d1;
        {
            const int32_t warp_16 = st_warp();
            for (int32_t j_12 = first_15 + warp_16; j_12 < stop_9; j_12 += 8) {
                float dot_3 = 0.0f;
                float dot_8 = 0.0f;
                {
                    const int32_t lane_9 = st_lane();
                    for (int32_t k_3 = lane_9; k_3 < W2_d1; k_3 += 32) {
                        const float p_mul_i_2 = p_mul[W2_d1*i_9 + k_3];
                        const float W2_i_2 = W2_device[W2_d1*j_12 + k_3];
                        /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                        const float v_36 = p_mul_i_2 * W2_i_2;
                        dot_8 += v_36;
                    }
                }
                dot_8 = st_warp_add_float32(dot_8);
                dot_3 += dot_8;
                st_wait_for_warp();
                if (st_lane() == 0) {
                    p_dot_2[W1_d1*i_9 + j_12] = dot_3;
                }
            }
        }
    }
}

/* gemm */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
ST_KERNEL(256) kernel_gemm_3_4(const int64_t *cells_i64, const float *p_mul, const float *W2_device,
        float *p_dot_2, int32_t y_d0, int32_t W1_d1, int32_t W2_d1) {
    const unsigned st_blocks_1 = W1_d1;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_13 = (int32_t)st_outer_0;
    const int32_t j_31 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1));
    const int64_t status_10 = cells_i64[0];
    const bool fine_10 = status_10 == 0LL;
    if (fine_10) {
        float dot_6 = 0.0f;
        ST_SHARED(float, part_13, 8);
        {
            const int32_t warp_17 = st_warp();
            float dot_7 = 0.0f;
            {
                const int32_t lane_10 = st_lane();
                for (int32_t k_28 = lane_10 + warp_17*32; k_28 < W2_d1; k_28 += 256) {
                    const float p_mul_i_7 = p_mul[W2_d1*i_13 + k_28];
                    const float W2_i_4 = W2_device[W2_d1*j_31 + k_28];
                    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
                    const float v_101 = p_mul_i_7 * W2_i_4;
                    dot_7 += v_101;
                }
            }
            dot_7 = st_warp_add_float32(dot_7);
            if (st_lane() == 0) {
                part_13[warp_17] = dot_7;
            }
        }
        st_wait_for_block();
        for (int32_t warp_18 = 0; warp_18 < 8; warp_18++) {
            const float part_i_12 = part_13[warp_18];
            dot_6 += part_i_12;
        }
        if (st_thread() == 0) {
            p_dot_2[W1_d1*i_13 + j_31] = dot_6;
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_6_sqr_sub_sum_2(const int64_t *cells_i64, const float *h_tanh,
        const float *p_dot_2, float *h_mul, double *sum_parts_2, int32_t chunks_3, int32_t W1_d1,
        int32_t rows_3, int32_t y_d0) {
    const unsigned st_blocks_1 = (W1_d1 + 31)/32;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t chunk_11 = (int32_t)st_outer_0;
    const int32_t first_17 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*32;
    const int64_t status_11 = cells_i64[0];
    const bool fine_11 = status_11 == 0LL;
    if (fine_11) {
        const int32_t k_33 = first_17 + 32;
        const int32_t stop_13 = k_33 < W1_d1 ? k_33 : W1_d1;
        const int32_t start_4 = chunk_11*rows_3;
        const int32_t k_30 = rows_3 + start_4;
        const int32_t stop_10 = k_30 < y_d0 ? k_30 : y_d0;
        ST_SHARED(double, held_parts_2, 256);
        {
            const int32_t warp_19 = st_warp();
            {
                const int32_t lane_11 = st_lane();
                for (int32_t column_3 = first_17 + lane_11; column_3 < stop_13; column_3 += 32) {
                    double held_10 = 0.0;
                    for (int32_t i_15 = start_4 + warp_19; i_15 < stop_10; i_15 += 8) {
                        const float h_tanh_i_5 = h_tanh[W1_d1*i_15 + column_3];
                        /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
                        const float v_106 = h_tanh_i_5 * h_tanh_i_5;
                        const float v_107 = 1.0f - v_106;
                        const float p_dot_2_i_3 = p_dot_2[W1_d1*i_15 + column_3];
                        const float v_108 = p_dot_2_i_3 * v_107;
                        const double v_109 = (double)v_108;
                        held_10 += v_109;
                        h_mul[W1_d1*i_15 + column_3] = v_108;
                    }
                    held_parts_2[column_3 + warp_19*32 - first_17] = held_10;
                }
            }
        }
        st_wait_for_block();
        if (st_thread() < 32) {
            const int32_t thread_15 = st_thread();
            for (int32_t column_4 = first_17 + thread_15; column_4 < stop_13; column_4 += 32) {
                sum_parts_2[W1_d1*chunk_11 + column_4] = 0.0;
                double held_11 = 0.0;
                for (int32_t part_14 = 0; part_14 < 8; part_14++) {
                    const double held_parts_2_i = held_parts_2[column_4 + part_14*32 - first_17];
                    held_11 += held_parts_2_i;
                }
                const double sum_parts_2_i_4 = sum_parts_2[W1_d1*chunk_11 + column_4];
                const double v_112 = sum_parts_2_i_4 + held_11;
                sum_parts_2[W1_d1*chunk_11 + column_4] = v_112;
            }
        }
    }
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL(256) kernel_6_sqr_sub_sum_3(const int64_t *cells_i64, double *sum_parts_2,
        const float *h_tanh, const float *p_dot_2, float *h_mul, int32_t chunks_3, int32_t W1_d1,
        int32_t rows_3, int32_t y_d0) {
    const unsigned st_blocks_1 = (W1_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t chunk_13 = (int32_t)st_outer_0;
    const int32_t first_16 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int64_t status_12 = cells_i64[0];
    const bool fine_12 = status_12 == 0LL;
    if (fine_12) {
        const int32_t k_32 = first_16 + 256;
        const int32_t stop_12 = k_32 < W1_d1 ? k_32 : W1_d1;
        const int32_t start_5 = chunk_13*rows_3;
        const int32_t k_31 = rows_3 + start_5;
        const int32_t stop_11 = k_31 < y_d0 ? k_31 : y_d0;
        {
            const int32_t thread_14 = st_thread();
            for (int32_t j_34 = first_16 + thread_14; j_34 < stop_12; j_34 += 256) {
                sum_parts_2[W1_d1*chunk_13 + j_34] = 0.0;
                double held_9 = 0.0;
                for (int32_t i_14 = start_5; i_14 < stop_11; i_14++) {
                    const float h_tanh_i_4 = h_tanh[W1_d1*i_14 + j_34];
                    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
                    const float v_102 = h_tanh_i_4 * h_tanh_i_4;
                    const float v_103 = 1.0f - v_102;
                    const float p_dot_2_i_2 = p_dot_2[W1_d1*i_14 + j_34];
                    const float v_104 = p_dot_2_i_2 * v_103;
                    const double v_105 = (double)v_104;
                    held_9 += v_105;
                    h_mul[W1_d1*i_14 + j_34] = v_104;
                }
                const double sum_parts_2_i_5 = sum_parts_2[W1_d1*chunk_13 + j_34];
                const double v_113 = sum_parts_2_i_5 + held_9;
                sum_parts_2[W1_d1*chunk_13 + j_34] = v_113;
            }
        }
    }
}

/* gemm */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL(256) kernel_gemm_4_2(const int64_t *cells_i64, const float *x_device, const float *h_mul,
        float *W1_device, int32_t x_d1, int32_t W1_d1, int32_t y_d0, float neg_rate_value) {
    const unsigned st_blocks_1 = (W1_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_10 = (int32_t)st_outer_0;
    const int32_t first_20 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int64_t status_15 = cells_i64[0];
    const bool fine_15 = status_15 == 0LL;
    if (fine_15) {
        const int32_t k_36 = first_20 + 256;
        const int32_t stop_16 = k_36 < W1_d1 ? k_36 : W1_d1;
        {
            const int32_t thread_18 = st_thread();
            for (int32_t j_13 = first_20 + thread_18; j_13 < stop_16; j_13 += 256) {
                float dot_4 = 0.0f;
                for (int32_t k_4 = 0; k_4 < y_d0; k_4++) {
                    const float x_i_2 = x_device[k_4*x_d1 + i_10];
                    const float h_mul_i = h_mul[W1_d1*k_4 + j_13];
                    /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
                    const float v_37 = x_i_2 * h_mul_i;
                    dot_4 += v_37;
                }
                const float v_38 = neg_rate_value * dot_4;
                const float W1_i_2 = W1_device[W1_d1*i_10 + j_13];
                const float v_39 = v_38 + W1_i_2;
                W1_device[W1_d1*i_10 + j_13] = v_39;
            }
        }
    }
}

/* mul, sub over W1_d1 */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL(256) kernel_8_mul_sub_2(const int64_t *cells_i64, const float *h_sum, float *b1_device,
        int32_t W1_d1, float rate_value) {
    alignas(16) float h_sum_four[4];
    alignas(16) float b1_four_2[4];
    const int32_t first_21 = (int32_t)st_block_of_row()*1024;
    const int64_t status_16 = cells_i64[0];
    const bool fine_16 = status_16 == 0LL;
    if (fine_16) {
        const int32_t k_37 = first_21 + 1024;
        const int32_t stop_17 = k_37 < W1_d1 ? k_37 : W1_d1;
        const bool aligned_7 = st_is_aligned(&h_sum[first_21]);
        const bool aligned_8 = st_is_aligned(&b1_device[first_21]);
        const bool vectors_4 = aligned_7 & aligned_8;
        const int32_t k_38 = stop_17 - first_21;
        const int32_t whole_2 = k_38 & (-4);
        const int32_t in_vectors_2 = vectors_4 ? whole_2 : 0;
        const int32_t rest_2 = first_21 + in_vectors_2;
        {
            const int32_t thread_19 = st_thread();
            const int32_t i_16 = first_21 + thread_19*4;
            const bool some_11 = i_16 < rest_2;
            if (some_11) {
                const st_four<float> four_7 = st_load_four(&h_sum[i_16]);
                *(st_four<float> *)&h_sum_four[0] = four_7;
                const st_four<float> four_8 = st_load_four(&b1_device[i_16]);
                *(st_four<float> *)&b1_four_2[0] = four_8;
                ST_UNROLL
                for (int32_t k_39 = 0; k_39 < 4; k_39++) {
                    const float h_sum_i_2 = h_sum_four[k_39];
                    /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
                    const float v_116 = h_sum_i_2 * rate_value;
                    const float b1_i_4 = b1_four_2[k_39];
                    const float v_117 = b1_i_4 - v_116;
                    b1_four_2[k_39] = v_117;
                }
                const st_four<float> four_9 = *(const st_four<float> *)&b1_four_2[0];
                st_store_four(&b1_device[i_16], four_9);
            }
            for (int32_t i_5 = rest_2 + thread_19; i_5 < stop_17; i_5 += 256) {
                const float h_sum_i = h_sum[i_5];
                const float v_30 = h_sum_i * rate_value;
                const float b1_i_2 = b1_device[i_5];
                const float v_31 = b1_i_2 - v_30;
                b1_device[i_5] = v_31;
            }
        }
    }
}

/* gemm */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL(256) kernel_gemm_5_2(const int64_t *cells_i64, const float *h_tanh, const float *p_mul,
        float *W2_device, int32_t W1_d1, int32_t W2_d1, int32_t y_d0, float neg_rate_value) {
    const unsigned st_blocks_1 = (W2_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_11 = (int32_t)st_outer_0;
    const int32_t first_22 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int64_t status_17 = cells_i64[0];
    const bool fine_17 = status_17 == 0LL;
    if (fine_17) {
        const int32_t k_40 = first_22 + 256;
        const int32_t stop_18 = k_40 < W2_d1 ? k_40 : W2_d1;
        {
            const int32_t thread_20 = st_thread();
            for (int32_t j_14 = first_22 + thread_20; j_14 < stop_18; j_14 += 256) {
                float dot_5 = 0.0f;
                for (int32_t k_5 = 0; k_5 < y_d0; k_5++) {
                    const float h_tanh_i_3 = h_tanh[W1_d1*k_5 + i_11];
                    const float p_mul_i_3 = p_mul[W2_d1*k_5 + j_14];
                    /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
                    const float v_40 = h_tanh_i_3 * p_mul_i_3;
                    dot_5 += v_40;
                }
                const float v_41 = neg_rate_value * dot_5;
                const float W2_i_3 = W2_device[W2_d1*i_11 + j_14];
                const float v_42 = v_41 + W2_i_3;
                W2_device[W2_d1*i_11 + j_14] = v_42;
            }
        }
    }
}

ST_KERNEL(1) network_step_2(const int32_t *total_3, const int32_t *total_4, int64_t *cells_i64,
        int64_t W2_d1) {
    const int32_t one_18 = (int32_t)st_block_of_row();
    {
        const int32_t max_10 = total_3[0];
        const int32_t min_6 = total_4[0];
        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
        const int64_t min_i64_2 = (int64_t)min_6;
        const int64_t max_i64_2 = (int64_t)max_10;
        const int64_t condition_5 = -W2_d1;
        const bool condition_6 = min_i64_2 >= condition_5;
        const bool condition_7 = max_i64_2 < W2_d1;
        const bool condition_8 = condition_6 & condition_7;
        const bool failed_2 = !condition_8;
        if (failed_2) {
            cells_i64[0] = 1;
        } else {
            cells_i64[0] = 0;
        }
    }
}

ST_KERNEL(1) network_step_3(const float *cells_f32, float *out, float y_d0_f32) {
    const int32_t one_24 = (int32_t)st_block_of_row();
    {
        const float sum_3_2 = cells_f32[0];
        /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
        const float s_3 = sum_3_2 / y_d0_f32;
        const float s_4 = -s_3;
        out[0] = s_4;
    }
}

/* The host. */

/* max, min over y_d0 */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL int32_t kernel_0_max_min(const st_runtime *runtime, st_call *call, st_error *error,
        const int32_t *y_device, int32_t *max_parts, int32_t *min_parts, int32_t *total_3,
        int32_t *total_4, const int64_t y_d0) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(y_d0, 1, 8192, 1024);
    const int64_t chunks = (rows + y_d0 - 1) / rows;
    void *st_arguments_1[] = {(void *)&y_device, (void *)&max_parts, (void *)&min_parts,
            (void *)&chunks, (void *)&rows, (void *)&y_d0};
    ST_ASK(launch, 0,
            !st_fits((st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(y_d0) + 544),
            st_block_count(chunks, 1), 256, st_arguments_1);
    void *st_arguments_2[] = {(void *)&max_parts, (void *)&min_parts, (void *)&total_3,
            (void *)&total_4, (void *)&chunks};
    ST_ASK(launch, 1, !st_fits(st_extent(chunks) + 544), st_block_count(1, 1), 256, st_arguments_2);
done:
    return status;
}

/* gemm */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL int32_t kernel_gemm(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, const float *x_device, const float *W1_device, float *h_dot,
        const int64_t y_d0, const int64_t W1_d1, const int64_t x_d1) {
    int32_t status = ST_OK;
    void *st_arguments_4[] = {(void *)&cells_i64, (void *)&x_device, (void *)&W1_device,
            (void *)&h_dot, (void *)&y_d0, (void *)&W1_d1, (void *)&x_d1};
    ST_ASK(launch, 2,
            !st_fits((st_extent(x_d1) + st_extent(y_d0) + 1)*st_extent(W1_d1) + (st_extent(y_d0) + 1)*st_extent(x_d1) + st_extent(y_d0) + 512),
            st_block_count(y_d0, 1) * st_block_count(W1_d1, 256), 256, st_arguments_4);
done:
    return status;
}

/* add, tanh over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL int32_t kernel_2_add_tanh(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, const float *h_dot, const float *b1_device, float *h_tanh,
        const int64_t y_d0, const int64_t W1_d1) {
    int32_t status = ST_OK;
    void *st_arguments_5[] = {(void *)&cells_i64, (void *)&h_dot, (void *)&b1_device,
            (void *)&h_tanh, (void *)&y_d0, (void *)&W1_d1};
    ST_ASK(launch, 3, !st_fits((st_extent(y_d0) + 3)*st_extent(W1_d1) + st_extent(y_d0) + 1540),
            st_block_count(y_d0, 1) * st_block_count(W1_d1, 1024), 256, st_arguments_5);
done:
    return status;
}

/* gemm */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
ST_KERNEL int32_t kernel_gemm_2(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, const float *h_tanh, const float *W2_device, float *p_dot,
        const int64_t y_d0, const int64_t W2_d1, const int64_t W1_d1) {
    int32_t status = ST_OK;
    void *st_arguments_6[] = {(void *)&cells_i64, (void *)&h_tanh, (void *)&W2_device,
            (void *)&p_dot, (void *)&y_d0, (void *)&W2_d1, (void *)&W1_d1};
    ST_ASK(launch, 4,
            !st_fits((st_extent(W2_d1) + st_extent(y_d0) + 1)*st_extent(W1_d1) + (st_extent(y_d0) + 1)*st_extent(W2_d1) + st_extent(y_d0) + 512),
            st_block_count(y_d0, 1) * st_block_count(W2_d1, 256), 256, st_arguments_6);
done:
    return status;
}

/* add, max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1 */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
/* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
ST_KERNEL int32_t kernel_4_exp_log_reciprocal(const st_runtime *runtime, st_call *call,
        st_error *error, const int64_t *cells_i64, double *sum_parts, const float *p_dot,
        const float *b2_device, const int32_t *y_device, float *p_mul, double *sum_f64_parts,
        double *total_5, double *cells_f64, double *sum, float *p_sum, const int64_t y_d0,
        const int64_t W2_d1, const float reciprocal_y_d0_f32) {
    int32_t status = ST_OK;
    const int64_t rows_2 = st_chunk_rows(y_d0, W2_d1, 8192, 128);
    const int64_t chunks_2 = (rows_2 + y_d0 - 1) / rows_2;
    const int64_t v_90 = W2_d1 & 3LL;
    const bool v_91 = v_90 == 0LL;
    const bool v_92 = 1024LL <= W2_d1;
    const bool in_fours = v_91 & v_92;
    if (in_fours) {
        void *st_arguments_7[] = {(void *)&cells_i64, (void *)&sum_parts, (void *)&p_dot,
                (void *)&b2_device, (void *)&y_device, (void *)&p_mul, (void *)&sum_f64_parts,
                (void *)&chunks_2, (void *)&rows_2, (void *)&y_d0, (void *)&W2_d1,
                (void *)&reciprocal_y_d0_f32};
        ST_ASK(launch, 5,
                !st_fits(((st_extent(rows_2) + 1)*st_extent(chunks_2) + st_extent(rows_2) + st_extent(y_d0) + 1)*st_extent(W2_d1) + (st_extent(rows_2) + 1)*st_extent(chunks_2) + st_extent(rows_2) + st_extent(y_d0) + 5252),
                st_block_count(chunks_2, 1), 256, st_arguments_7);
    } else {
        void *st_arguments_8[] = {(void *)&cells_i64, (void *)&sum_parts, (void *)&p_dot,
                (void *)&b2_device, (void *)&y_device, (void *)&p_mul, (void *)&sum_f64_parts,
                (void *)&chunks_2, (void *)&rows_2, (void *)&y_d0, (void *)&W2_d1,
                (void *)&reciprocal_y_d0_f32};
        ST_ASK(launch, 6,
                !st_fits(((st_extent(rows_2) + 1)*st_extent(chunks_2) + st_extent(rows_2) + st_extent(y_d0) + 1)*st_extent(W2_d1) + (st_extent(rows_2) + 1)*st_extent(chunks_2) + st_extent(rows_2) + st_extent(y_d0) + 5408),
                st_block_count(chunks_2, 1), 256, st_arguments_8);
    }
    void *st_arguments_9[] = {(void *)&cells_i64, (void *)&sum_f64_parts, (void *)&total_5,
            (void *)&chunks_2};
    ST_ASK(launch, 7, !st_fits(st_extent(chunks_2) + 544), st_block_count(1, 1), 256,
            st_arguments_9);
    const bool few_columns = W2_d1 <= 32768LL;
    void *st_arguments_10[] = {(void *)&total_5, (void *)&cells_f64};
    ST_ASK(launch, 8, false, st_block_count(1, 1), 1, st_arguments_10);
    if (few_columns) {
        void *st_arguments_11[] = {(void *)&cells_i64, (void *)&sum_parts, (void *)&sum,
                (void *)&p_sum, (void *)&W2_d1, (void *)&chunks_2};
        ST_ASK(launch, 9,
                !st_fits((st_extent(chunks_2) + 9)*st_extent(W2_d1) + st_extent(chunks_2) + 288),
                st_block_count(W2_d1, 32), 256, st_arguments_11);
    } else {
        void *st_arguments_12[] = {(void *)&cells_i64, (void *)&sum, (void *)&sum_parts,
                (void *)&p_sum, (void *)&W2_d1, (void *)&chunks_2};
        ST_ASK(launch, 10,
                !st_fits((st_extent(chunks_2) + 1)*st_extent(W2_d1) + st_extent(chunks_2) + 512),
                st_block_count(W2_d1, 256), 256, st_arguments_12);
    }
done:
    return status;
}

/* gemm */
/* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
ST_KERNEL int32_t kernel_gemm_3(const st_runtime *runtime, st_call *call, st_error *error,
        const double *cells_f64, float *cells_f32, const int64_t *cells_i64, const float *p_mul,
        const float *W2_device, float *p_dot_2, const int64_t W2_d1, const int64_t y_d0,
        const int64_t W1_d1) {
    int32_t status = ST_OK;
    const bool short_rows = W2_d1 <= 1024LL;
    void *st_arguments_13[] = {(void *)&cells_f64, (void *)&cells_f32};
    ST_ASK(launch, 11, false, st_block_count(1, 1), 1, st_arguments_13);
    if (short_rows) {
        void *st_arguments_14[] = {(void *)&cells_i64, (void *)&p_mul, (void *)&W2_device,
                (void *)&p_dot_2, (void *)&y_d0, (void *)&W1_d1, (void *)&W2_d1};
        ST_ASK(launch, 12,
                !st_fits((st_extent(W2_d1) + st_extent(y_d0) + 1)*st_extent(W1_d1) + (st_extent(y_d0) + 9)*st_extent(W2_d1) + st_extent(y_d0) + 64),
                st_block_count(y_d0, 1) * st_block_count(W1_d1, 8), 256, st_arguments_14);
    } else {
        void *st_arguments_15[] = {(void *)&cells_i64, (void *)&p_mul, (void *)&W2_device,
                (void *)&p_dot_2, (void *)&y_d0, (void *)&W1_d1, (void *)&W2_d1};
        ST_ASK(launch, 13,
                !st_fits((st_extent(W2_d1) + st_extent(y_d0) + 1)*st_extent(W1_d1) + (st_extent(y_d0) + 1)*st_extent(W2_d1) + st_extent(y_d0) + 544),
                st_block_count(y_d0, 1) * st_block_count(W1_d1, 1), 256, st_arguments_15);
    }
done:
    return status;
}

/* sqr, sub, mul, sum over y_d0 x W1_d1 */
/* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
ST_KERNEL int32_t kernel_6_sqr_sub_sum(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, const float *h_tanh, const float *p_dot_2, float *h_mul,
        double *sum_parts_2, double *sum_4, float *h_sum, const int64_t y_d0, const int64_t W1_d1) {
    int32_t status = ST_OK;
    const int64_t rows_3 = st_chunk_rows(y_d0, W1_d1, 8192, 128);
    const int64_t chunks_3 = (rows_3 + y_d0 - 1) / rows_3;
    const bool few_columns_2 = W1_d1 <= 2048LL;
    if (few_columns_2) {
        void *st_arguments_16[] = {(void *)&cells_i64, (void *)&h_tanh, (void *)&p_dot_2,
                (void *)&h_mul, (void *)&sum_parts_2, (void *)&chunks_3, (void *)&W1_d1,
                (void *)&rows_3, (void *)&y_d0};
        ST_ASK(launch, 14,
                !st_fits(((st_extent(rows_3) + 1)*st_extent(chunks_3) + st_extent(rows_3) + st_extent(y_d0) + 9)*st_extent(W1_d1) + (st_extent(rows_3) + 1)*st_extent(chunks_3) + st_extent(rows_3) + st_extent(y_d0) + 288),
                st_block_count(chunks_3, 1) * st_block_count(W1_d1, 32), 256, st_arguments_16);
    } else {
        void *st_arguments_17[] = {(void *)&cells_i64, (void *)&sum_parts_2, (void *)&h_tanh,
                (void *)&p_dot_2, (void *)&h_mul, (void *)&chunks_3, (void *)&W1_d1,
                (void *)&rows_3, (void *)&y_d0};
        ST_ASK(launch, 15,
                !st_fits(((st_extent(rows_3) + 1)*st_extent(chunks_3) + st_extent(rows_3) + st_extent(y_d0) + 1)*st_extent(W1_d1) + (st_extent(rows_3) + 1)*st_extent(chunks_3) + st_extent(rows_3) + st_extent(y_d0) + 512),
                st_block_count(chunks_3, 1) * st_block_count(W1_d1, 256), 256, st_arguments_17);
    }
    const bool few_columns_3 = W1_d1 <= 32768LL;
    if (few_columns_3) {
        void *st_arguments_18[] = {(void *)&cells_i64, (void *)&sum_parts_2, (void *)&sum_4,
                (void *)&h_sum, (void *)&W1_d1, (void *)&chunks_3};
        ST_ASK(launch, 9,
                !st_fits((st_extent(chunks_3) + 9)*st_extent(W1_d1) + st_extent(chunks_3) + 288),
                st_block_count(W1_d1, 32), 256, st_arguments_18);
    } else {
        void *st_arguments_19[] = {(void *)&cells_i64, (void *)&sum_4, (void *)&sum_parts_2,
                (void *)&h_sum, (void *)&W1_d1, (void *)&chunks_3};
        ST_ASK(launch, 10,
                !st_fits((st_extent(chunks_3) + 1)*st_extent(W1_d1) + st_extent(chunks_3) + 512),
                st_block_count(W1_d1, 256), 256, st_arguments_19);
    }
done:
    return status;
}

/* gemm */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL int32_t kernel_gemm_4(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, const float *x_device, const float *h_mul, float *W1_device,
        const int64_t x_d1, const int64_t W1_d1, const int64_t y_d0, const float neg_rate_value) {
    int32_t status = ST_OK;
    void *st_arguments_20[] = {(void *)&cells_i64, (void *)&x_device, (void *)&h_mul,
            (void *)&W1_device, (void *)&x_d1, (void *)&W1_d1, (void *)&y_d0,
            (void *)&neg_rate_value};
    ST_ASK(launch, 16,
            !st_fits((st_extent(x_d1) + st_extent(y_d0) + 1)*st_extent(W1_d1) + (st_extent(y_d0) + 1)*st_extent(x_d1) + st_extent(y_d0) + 512),
            st_block_count(x_d1, 1) * st_block_count(W1_d1, 256), 256, st_arguments_20);
done:
    return status;
}

/* mul, sub over W1_d1 */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL int32_t kernel_8_mul_sub(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, const float *h_sum, float *b1_device, const int64_t W1_d1,
        const float rate_value) {
    int32_t status = ST_OK;
    void *st_arguments_21[] = {(void *)&cells_i64, (void *)&h_sum, (void *)&b1_device,
            (void *)&W1_d1, (void *)&rate_value};
    ST_ASK(launch, 17, !st_fits(st_extent(W1_d1)*3 + 1540), st_block_count(W1_d1, 1024), 256,
            st_arguments_21);
done:
    return status;
}

/* gemm */
/* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
ST_KERNEL int32_t kernel_gemm_5(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, const float *h_tanh, const float *p_mul, float *W2_device,
        const int64_t W1_d1, const int64_t W2_d1, const int64_t y_d0, const float neg_rate_value) {
    int32_t status = ST_OK;
    void *st_arguments_22[] = {(void *)&cells_i64, (void *)&h_tanh, (void *)&p_mul,
            (void *)&W2_device, (void *)&W1_d1, (void *)&W2_d1, (void *)&y_d0,
            (void *)&neg_rate_value};
    ST_ASK(launch, 18,
            !st_fits((st_extent(W2_d1) + st_extent(y_d0) + 1)*st_extent(W1_d1) + (st_extent(y_d0) + 1)*st_extent(W2_d1) + st_extent(y_d0) + 512),
            st_block_count(W1_d1, 1) * st_block_count(W2_d1, 256), 256, st_arguments_22);
done:
    return status;
}

/* network_step
   inputs: float32 x[x_d1*y_d0], int32 y[y_d0], float32 rate[1]
   changed: float32 W1[W1_d1*x_d1], float32 b1[W1_d1], float32 W2[W1_d1*W2_d1], float32 b2[W2_d1]
   outputs: float32 out[1], float32 out_host[1], int64 cells_i64[1], float64 cells_f64[1],
       float32 cells_f32[1], float32 W1_device[W1_d1*x_d1], float32 W2_device[W1_d1*W2_d1],
       float32 b1_device[W1_d1], float32 b2_device[W2_d1], float32 x_device[x_d1*y_d0],
       int32 y_device[y_d0]
   workspace: (y_d0*8 + 1036)*W1_d1 + (y_d0*8 + 1036)*W2_d1 + 9232 bytes
   1. total_3, total_4 = kernel_0_max_min(y_device): max, min over y_d0; reads y_d0*4, writes 8
       bytes
   2. h_dot = kernel_gemm(cells_i64, x_device, W1_device): gemm; reads (W1_d1*4 + y_d0*4)*x_d1 +
       8, writes W1_d1*y_d0*4 bytes
   3. h_tanh = kernel_2_add_tanh(cells_i64, h_dot, b1_device): add, tanh over y_d0 x W1_d1; reads
       (y_d0*4 + 4)*W1_d1 + 8, writes W1_d1*y_d0*4 bytes
   4. p_dot = kernel_gemm_2(cells_i64, h_tanh, W2_device): gemm; reads (W2_d1*4 + y_d0*4)*W1_d1 +
       8, writes W2_d1*y_d0*4 bytes
   5. cells_f64, p_sum = kernel_4_exp_log_reciprocal(cells_i64, p_dot, b2_device, y_device): add,
       max, isinf, switch, sub, exp, sum, log, reciprocal, mul over y_d0 x W2_d1; reads (y_d0*4 +
       4)*W2_d1 + y_d0*4 + 8, writes W2_d1*4 + 8 bytes
   6. cells_f32, p_dot_2 = kernel_gemm_3(cells_f64, cells_i64, p_mul, W2_device): gemm; reads
       (W1_d1*4 + y_d0*4)*W2_d1 + 16, writes W1_d1*y_d0*4 + 4 bytes
   7. h_mul, h_sum = kernel_6_sqr_sub_sum(cells_i64, h_tanh, p_dot_2): sqr, sub, mul, sum over
       y_d0 x W1_d1; reads W1_d1*y_d0*8 + 8, writes (y_d0*4 + 4)*W1_d1 bytes
   8. W1_device = kernel_gemm_4(cells_i64, x_device, h_mul, W1_device): gemm; reads (x_d1*4 +
       y_d0*4)*W1_d1 + x_d1*y_d0*4 + 8, writes W1_d1*x_d1*4 bytes
   9. b1_device = kernel_8_mul_sub(cells_i64, h_sum, b1_device): mul, sub over W1_d1; reads
       W1_d1*8 + 8, writes W1_d1*4 bytes
   10. W2_device = kernel_gemm_5(cells_i64, h_tanh, p_mul, W2_device): gemm; reads (W2_d1*4 +
       y_d0*4)*W1_d1 + W2_d1*y_d0*4 + 8, writes W1_d1*W2_d1*4 bytes
   11. b2_device = kernel_8_mul_sub(cells_i64, p_sum, b2_device): mul, sub over W1_d1; reads
       W2_d1*8 + 8, writes W2_d1*4 bytes */
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

    int64_t *cells_i64 = st_device_memory(call, 8, 8.0);
    ST_REQUIRE(cells_i64, MEMORY, -1, 8, ST_ON_DEVICE - 1);
    double *cells_f64 = st_device_memory(call, 8, 8.0);
    ST_REQUIRE(cells_f64, MEMORY, -1, 8, ST_ON_DEVICE - 2);
    float *cells_f32 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(cells_f32, MEMORY, -1, 4, ST_ON_DEVICE - 3);

    /* models.py:20: h = T.tanh(T.dot(x, W1) + b1) */
    ST_REQUIRE(x_d1 == W1_d0, SHAPE, 0, x_d1, W1_d0);
    ST_REQUIRE(W1_d1 == b1_d0, SHAPE, 1, W1_d1, b1_d0);
    /* models.py:21: p = T.nnet.softmax(T.dot(h, W2) + b2) */
    ST_REQUIRE(W1_d1 == W2_d0, SHAPE, 2, W1_d1, W2_d0);
    ST_REQUIRE(W2_d1 == b2_d0, SHAPE, 3, W2_d1, b2_d0);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    ST_REQUIRE(y_d0 == x_d0, SHAPE, 4, y_d0, x_d0);

    int32_t *y_device = st_device_memory(call, y_d0*4, 4.0*y_d0);
    ST_REQUIRE(y_device, MEMORY, -1, y_d0*4, ST_ON_DEVICE - 4);

    ST_ASK(to_device, y_device, y, y_d0*4);

    const int64_t st_p_dot_at = st_padded(W1_d1*y_d0*4);
    const int64_t st_p_mul_at = st_p_dot_at + st_padded(W2_d1*y_d0*4);
    const int64_t st_p_sum_at = st_p_mul_at + st_padded(W2_d1*y_d0*4);
    const int64_t st_p_dot_2_at = st_p_sum_at + st_padded(W2_d1*4);
    const int64_t st_h_sum_at = st_p_dot_2_at + st_padded(W1_d1*y_d0*4);
    const int64_t st_max_parts_at = st_h_sum_at + st_padded(W1_d1*4);
    const int64_t st_min_parts_at = st_max_parts_at + st_padded(4096);
    const int64_t st_total_3_at = st_min_parts_at + st_padded(4096);
    const int64_t st_total_4_at = st_total_3_at + st_padded(4);
    const int64_t st_sum_f64_parts_at = st_total_4_at + st_padded(4);
    const int64_t st_sum_at = st_sum_f64_parts_at + st_padded(1024);
    const int64_t st_sum_parts_at = st_sum_at + st_padded(W2_d1*8);
    const int64_t st_total_5_at = st_sum_parts_at + st_padded(W2_d1*1024);
    const int64_t st_sum_4_at = st_total_5_at + st_padded(8);
    const int64_t st_sum_parts_2_at = st_sum_4_at + st_padded(W1_d1*8);
    const int64_t device_arena_bytes = st_sum_parts_2_at + st_padded(W1_d1*1024);
    device_arena = st_device_memory(call, device_arena_bytes,
            8.0*W2_d1*y_d0 + 1036.0*W2_d1 + 8.0*W1_d1*y_d0 + 1036.0*W1_d1 + 9232.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *h_dot = (float *)device_arena;
    float *h_tanh = (float *)device_arena;
    float *p_dot = (float *)(device_arena + st_p_dot_at);
    float *p_mul = (float *)(device_arena + st_p_mul_at);
    float *p_sum = (float *)(device_arena + st_p_sum_at);
    float *p_dot_2 = (float *)(device_arena + st_p_dot_2_at);
    float *h_mul = (float *)(device_arena + st_p_dot_2_at);
    float *h_sum = (float *)(device_arena + st_h_sum_at);
    int32_t *max_parts = (int32_t *)(device_arena + st_max_parts_at);
    int32_t *min_parts = (int32_t *)(device_arena + st_min_parts_at);
    int32_t *total_3 = (int32_t *)(device_arena + st_total_3_at);
    int32_t *total_4 = (int32_t *)(device_arena + st_total_4_at);
    double *sum_f64_parts = (double *)(device_arena + st_sum_f64_parts_at);
    double *sum = (double *)(device_arena + st_sum_at);
    double *sum_parts = (double *)(device_arena + st_sum_parts_at);
    double *total_5 = (double *)(device_arena + st_total_5_at);
    double *sum_4 = (double *)(device_arena + st_sum_4_at);
    double *sum_parts_2 = (double *)(device_arena + st_sum_parts_2_at);

    status = kernel_0_max_min(runtime, call, error, y_device, max_parts, min_parts, total_3,
            total_4, y_d0);
    if (status != ST_OK) goto done;
    void *st_arguments_3[] = {(void *)&total_3, (void *)&total_4, (void *)&cells_i64,
            (void *)&W2_d1};
    ST_ASK(launch, 19, false, st_block_count(1, 1), 1, st_arguments_3);

    float *out = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(out, MEMORY, -1, 4, ST_ON_DEVICE - 5);
    float *x_device = st_device_memory(call, x_d1*y_d0*4, 4.0*x_d1*y_d0);
    ST_REQUIRE(x_device, MEMORY, -1, x_d1*y_d0*4, ST_ON_DEVICE - 6);

    ST_ASK(to_device, x_device, x, x_d1*y_d0*4);

    float *W1_device = st_device_memory(call, W1_d1*x_d1*4, 4.0*W1_d1*x_d1);
    ST_REQUIRE(W1_device, MEMORY, -1, W1_d1*x_d1*4, ST_ON_DEVICE - 7);

    ST_ASK(to_device, W1_device, W1, W1_d1*x_d1*4);
    status = kernel_gemm(runtime, call, error, cells_i64, x_device, W1_device, h_dot, y_d0, W1_d1,
            x_d1);
    if (status != ST_OK) goto done;

    float *b1_device = st_device_memory(call, W1_d1*4, 4.0*W1_d1);
    ST_REQUIRE(b1_device, MEMORY, -1, W1_d1*4, ST_ON_DEVICE - 8);

    ST_ASK(to_device, b1_device, b1, W1_d1*4);
    status = kernel_2_add_tanh(runtime, call, error, cells_i64, h_dot, b1_device, h_tanh, y_d0,
            W1_d1);
    if (status != ST_OK) goto done;

    float *W2_device = st_device_memory(call, W1_d1*W2_d1*4, 4.0*W1_d1*W2_d1);
    ST_REQUIRE(W2_device, MEMORY, -1, W1_d1*W2_d1*4, ST_ON_DEVICE - 9);

    ST_ASK(to_device, W2_device, W2, W1_d1*W2_d1*4);
    status = kernel_gemm_2(runtime, call, error, cells_i64, h_tanh, W2_device, p_dot, y_d0, W2_d1,
            W1_d1);
    if (status != ST_OK) goto done;
    const float y_d0_f32 = (float)y_d0;
    const float reciprocal_y_d0_f32 = 1 / y_d0_f32;

    float *b2_device = st_device_memory(call, W2_d1*4, 4.0*W2_d1);
    ST_REQUIRE(b2_device, MEMORY, -1, W2_d1*4, ST_ON_DEVICE - 10);

    ST_ASK(to_device, b2_device, b2, W2_d1*4);
    status = kernel_4_exp_log_reciprocal(runtime, call, error, cells_i64, sum_parts, p_dot,
            b2_device, y_device, p_mul, sum_f64_parts, total_5, cells_f64, sum, p_sum, y_d0, W2_d1,
            reciprocal_y_d0_f32);
    if (status != ST_OK) goto done;
    status = kernel_gemm_3(runtime, call, error, cells_f64, cells_f32, cells_i64, p_mul, W2_device,
            p_dot_2, W2_d1, y_d0, W1_d1);
    if (status != ST_OK) goto done;
    status = kernel_6_sqr_sub_sum(runtime, call, error, cells_i64, h_tanh, p_dot_2, h_mul,
            sum_parts_2, sum_4, h_sum, y_d0, W1_d1);
    if (status != ST_OK) goto done;
    const float rate_value = rate[0];
    /* models.py:24: updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)] */
    const float neg_rate_value = -rate_value;
    status = kernel_gemm_4(runtime, call, error, cells_i64, x_device, h_mul, W1_device, x_d1, W1_d1,
            y_d0, neg_rate_value);
    if (status != ST_OK) goto done;
    status = kernel_8_mul_sub(runtime, call, error, cells_i64, h_sum, b1_device, W1_d1, rate_value);
    if (status != ST_OK) goto done;
    status = kernel_gemm_5(runtime, call, error, cells_i64, h_tanh, p_mul, W2_device, W1_d1, W2_d1,
            y_d0, neg_rate_value);
    if (status != ST_OK) goto done;
    status = kernel_8_mul_sub(runtime, call, error, cells_i64, p_sum, b2_device, W2_d1, rate_value);
    if (status != ST_OK) goto done;
    void *st_arguments_23[] = {(void *)&cells_f32, (void *)&out, (void *)&y_d0_f32};
    ST_ASK(launch, 20, false, st_block_count(1, 1), 1, st_arguments_23);
    int64_t status_19;
    ST_ASK(to_host, &status_19, &cells_i64[0], sizeof status_19);
    /* models.py:22: loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) */
    const bool fine_19 = status_19 != 1LL;
    ST_REQUIRE(fine_19, INDEX, 5, W2_d1);

    float *out_host = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out_host, MEMORY, -1, 4, 0);

    ST_ASK(to_host, out_host, out, 4);
    ST_ASK(to_host, W1, W1_device, W1_d1*x_d1*4);
    ST_ASK(to_host, b1, b1_device, W1_d1*4);
    ST_ASK(to_host, W2, W2_device, W1_d1*W2_d1*4);
    ST_ASK(to_host, b2, b2_device, W2_d1*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
