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

ST_DEVICE float st_warp_nan_or_float32(float value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const float first = upper ? other : value, second = upper ? value : other;
        value = second != second ? second : first;
    }
    return value;
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL(256) kernel_0_max_exp_reciprocal_2(const float *x_device, float *max_parts,
        float *nan_parts, int32_t x_d0, int32_t chunks, int32_t rows, int32_t x_d1) {
    const unsigned st_blocks_1 = chunks;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_2 = (int32_t)st_outer_0;
    const int32_t chunk = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1));
    float max_2 = -__builtin_inff();
    float nan_2 = 0.0f;
    const int32_t start = chunk*rows;
    const int32_t k = rows + start;
    const int32_t stop = k < x_d1 ? k : x_d1;
    ST_SHARED(float, part_4, 8);
    ST_SHARED(float, part_5, 8);
    {
        const int32_t warp = st_warp();
        float max_5 = -__builtin_inff();
        float nan_5 = 0.0f;
        {
            const int32_t lane = st_lane();
            for (int32_t j_4 = lane + start + warp*32; j_4 < stop; j_4 += 256) {
                const float x_i_3 = x_device[i_2*x_d1 + j_4];
                /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                max_5 = x_i_3 > max_5 ? x_i_3 : max_5;
                nan_5 = x_i_3 != x_i_3 ? x_i_3 : nan_5;
            }
        }
        max_5 = st_warp_larger_float32(max_5);
        nan_5 = st_warp_nan_or_float32(nan_5);
        if (st_lane() == 0) {
            part_4[warp] = max_5;
            part_5[warp] = nan_5;
        }
    }
    st_wait_for_block();
    for (int32_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const float part_i = part_4[warp_2];
        max_2 = part_i > max_2 ? part_i : max_2;
        const float part_i_2 = part_5[warp_2];
        nan_2 = part_i_2 != part_i_2 ? part_i_2 : nan_2;
    }
    if (st_thread() == 0) {
        max_parts[chunk + i_2*128] = max_2;
        nan_parts[chunk + i_2*128] = nan_2;
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL(256) kernel_0_max_exp_reciprocal_3(const float *max_parts, const float *nan_parts,
        const float *x_device, float *out, double *sum_f64_parts, int32_t x_d0, int32_t chunks,
        int32_t rows, int32_t x_d1) {
    const unsigned st_blocks_1 = chunks;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_3 = (int32_t)st_outer_0;
    const int32_t chunk_2 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1));
    float max_3 = -__builtin_inff();
    float nan_3 = 0.0f;
    ST_SHARED(float, part_6, 8);
    ST_SHARED(float, part_7, 8);
    {
        const int32_t warp_3 = st_warp();
        float max_6 = -__builtin_inff();
        float nan_6 = 0.0f;
        {
            const int32_t lane_2 = st_lane();
            for (int32_t part = lane_2 + warp_3*32; part < chunks; part += 256) {
                const float max_parts_i = max_parts[i_3*128 + part];
                max_6 = max_parts_i > max_6 ? max_parts_i : max_6;
                const float nan_parts_i = nan_parts[i_3*128 + part];
                nan_6 = nan_parts_i != nan_parts_i ? nan_parts_i : nan_6;
            }
        }
        max_6 = st_warp_larger_float32(max_6);
        nan_6 = st_warp_nan_or_float32(nan_6);
        if (st_lane() == 0) {
            part_6[warp_3] = max_6;
            part_7[warp_3] = nan_6;
        }
    }
    st_wait_for_block();
    for (int32_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const float part_i_3 = part_6[warp_4];
        max_3 = part_i_3 > max_3 ? part_i_3 : max_3;
        const float part_i_4 = part_7[warp_4];
        nan_3 = part_i_4 != part_i_4 ? part_i_4 : nan_3;
    }
    /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
    const float v_7 = nan_3 != nan_3 ? nan_3 : max_3;
    const bool isinf_2 = __builtin_fabsf(v_7) == __builtin_inff();
    const float v_8 = isinf_2 ? 0.0f : v_7;
    double sum_f64_2 = 0.0;
    const int32_t start_2 = chunk_2*rows;
    const int32_t k_2 = rows + start_2;
    const int32_t stop_2 = k_2 < x_d1 ? k_2 : x_d1;
    ST_SHARED(double, part_8, 8);
    {
        const int32_t warp_5 = st_warp();
        double sum_f64_4 = 0.0;
        {
            const int32_t lane_3 = st_lane();
            for (int32_t j_5 = lane_3 + start_2 + warp_5*32; j_5 < stop_2; j_5 += 256) {
                const float x_i_4 = x_device[i_3*x_d1 + j_5];
                const float v_9 = x_i_4 - v_8;
                const float v_10 = expf(v_9);
                const double v_11 = (double)v_10;
                sum_f64_4 += v_11;
                out[i_3*x_d1 + j_5] = v_10;
            }
        }
        sum_f64_4 = st_warp_add_float64(sum_f64_4);
        if (st_lane() == 0) {
            part_8[warp_5] = sum_f64_4;
        }
    }
    st_wait_for_block();
    for (int32_t warp_6 = 0; warp_6 < 8; warp_6++) {
        const double part_i_5 = part_8[warp_6];
        sum_f64_2 += part_i_5;
    }
    if (st_thread() == 0) {
        sum_f64_parts[chunk_2 + i_3*128] = sum_f64_2;
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL(256) kernel_0_max_exp_reciprocal_4(const float *max_parts, const float *nan_parts,
        const double *sum_f64_parts, float *out, int32_t x_d0, int32_t chunks, int32_t rows,
        int32_t x_d1) {
    const unsigned st_blocks_1 = chunks;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_4 = (int32_t)st_outer_0;
    const int32_t chunk_3 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1));
    float max_4 = -__builtin_inff();
    float nan_4 = 0.0f;
    ST_SHARED(float, part_9, 8);
    ST_SHARED(float, part_10, 8);
    {
        const int32_t warp_7 = st_warp();
        float max_7 = -__builtin_inff();
        float nan_7 = 0.0f;
        {
            const int32_t lane_4 = st_lane();
            for (int32_t part_2 = lane_4 + warp_7*32; part_2 < chunks; part_2 += 256) {
                const float max_parts_i_2 = max_parts[i_4*128 + part_2];
                max_7 = max_parts_i_2 > max_7 ? max_parts_i_2 : max_7;
                const float nan_parts_i_2 = nan_parts[i_4*128 + part_2];
                nan_7 = nan_parts_i_2 != nan_parts_i_2 ? nan_parts_i_2 : nan_7;
            }
        }
        max_7 = st_warp_larger_float32(max_7);
        nan_7 = st_warp_nan_or_float32(nan_7);
        if (st_lane() == 0) {
            part_9[warp_7] = max_7;
            part_10[warp_7] = nan_7;
        }
    }
    st_wait_for_block();
    for (int32_t warp_8 = 0; warp_8 < 8; warp_8++) {
        const float part_i_6 = part_9[warp_8];
        max_4 = part_i_6 > max_4 ? part_i_6 : max_4;
        const float part_i_7 = part_10[warp_8];
        nan_4 = part_i_7 != part_i_7 ? part_i_7 : nan_4;
    }
    /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
    const float v_12 = nan_4 != nan_4 ? nan_4 : max_4;
    const bool isinf_3 = __builtin_fabsf(v_12) == __builtin_inff();
    const float v_13 = isinf_3 ? 0.0f : v_12;
    double sum_f64_3 = 0.0;
    ST_SHARED(double, part_11, 8);
    {
        const int32_t warp_9 = st_warp();
        double sum_f64_5 = 0.0;
        {
            const int32_t lane_5 = st_lane();
            for (int32_t part_3 = lane_5 + warp_9*32; part_3 < chunks; part_3 += 256) {
                const double sum_f64_parts_i = sum_f64_parts[i_4*128 + part_3];
                sum_f64_5 += sum_f64_parts_i;
            }
        }
        sum_f64_5 = st_warp_add_float64(sum_f64_5);
        if (st_lane() == 0) {
            part_11[warp_9] = sum_f64_5;
        }
    }
    st_wait_for_block();
    for (int32_t warp_10 = 0; warp_10 < 8; warp_10++) {
        const double part_i_8 = part_11[warp_10];
        sum_f64_3 += part_i_8;
    }
    const float sum_2 = (float)sum_f64_3;
    const float reciprocal_2 = 1 / sum_2;
    const int32_t start_3 = chunk_3*rows;
    const int32_t k_3 = rows + start_3;
    const int32_t stop_3 = k_3 < x_d1 ? k_3 : x_d1;
    {
        const int32_t thread = st_thread();
        for (int32_t j_6 = start_3 + thread; j_6 < stop_3; j_6 += 256) {
            const float out_i_2 = out[i_4*x_d1 + j_6];
            const float v_14 = out_i_2 * reciprocal_2;
            out[i_4*x_d1 + j_6] = v_14;
        }
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL(256) kernel_0_max_exp_reciprocal_5(const float *x_device, float *out, int32_t x_d0,
        int32_t x_d1) {
    alignas(16) float x_held_2[32];
    float out_held_2[32];
    alignas(16) float out_four[4];
    const int32_t first_5 = (int32_t)st_block_of_row()*8;
    const int32_t k_8 = first_5 + 8;
    const int32_t stop_5 = k_8 < x_d0 ? k_8 : x_d0;
    {
        const int32_t warp_16 = st_warp();
        for (int32_t i_6 = first_5 + warp_16; i_6 < stop_5; i_6 += 8) {
            float max_10 = -__builtin_inff();
            float nan_10 = 0.0f;
            {
                const int32_t lane_11 = st_lane();
                const bool aligned = st_is_aligned(&x_device[i_6*x_d1]);
                ST_UNROLL
                for (int32_t group_4 = 0; group_4 < 32; group_4 += 4) {
                    const int32_t first_6 = group_4*32 + lane_11*4;
                    const bool some_4 = first_6 < x_d1;
                    if (some_4) {
                        if (aligned) {
                            const st_four<float> four = st_load_four(&x_device[i_6*x_d1 + first_6]);
                            *(st_four<float> *)&x_held_2[group_4] = four;
                        } else {
                            ST_UNROLL
                            for (int32_t k_9 = 0; k_9 < 4; k_9++) {
                                const float element = x_device[i_6*x_d1 + first_6 + k_9];
                                x_held_2[group_4 + k_9] = element;
                            }
                        }
                    }
                }
                ST_UNROLL
                for (int32_t group_5 = 0; group_5 < 32; group_5 += 4) {
                    const int32_t first_7 = group_5*32 + lane_11*4;
                    const bool some_5 = first_7 < x_d1;
                    if (some_5) {
                        ST_UNROLL
                        for (int32_t k_10 = 0; k_10 < 4; k_10++) {
                            const int32_t j_10 = first_7 + k_10;
                            const float x_i_7 = x_held_2[group_5 + k_10];
                            /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                            max_10 = x_i_7 > max_10 ? x_i_7 : max_10;
                            nan_10 = x_i_7 != x_i_7 ? x_i_7 : nan_10;
                        }
                    }
                }
            }
            max_10 = st_warp_larger_float32(max_10);
            nan_10 = st_warp_nan_or_float32(nan_10);
            const float v_21 = nan_10 != nan_10 ? nan_10 : max_10;
            const bool isinf_5 = __builtin_fabsf(v_21) == __builtin_inff();
            const float v_22 = isinf_5 ? 0.0f : v_21;
            double sum_f64_8 = 0.0;
            {
                const int32_t lane_12 = st_lane();
                ST_UNROLL
                for (int32_t group_6 = 0; group_6 < 32; group_6 += 4) {
                    const int32_t first_8 = group_6*32 + lane_12*4;
                    const bool some_6 = first_8 < x_d1;
                    if (some_6) {
                        ST_UNROLL
                        for (int32_t k_11 = 0; k_11 < 4; k_11++) {
                            const int32_t j_11 = first_8 + k_11;
                            const float x_i_8 = x_held_2[group_6 + k_11];
                            const float v_23 = x_i_8 - v_22;
                            const float v_24 = expf(v_23);
                            const double v_25 = (double)v_24;
                            sum_f64_8 += v_25;
                            out_held_2[group_6 + k_11] = v_24;
                        }
                    }
                }
            }
            sum_f64_8 = st_warp_add_float64(sum_f64_8);
            const float sum_4 = (float)sum_f64_8;
            const float reciprocal_4 = 1 / sum_4;
            st_wait_for_warp();
            {
                const int32_t lane_13 = st_lane();
                const bool aligned_2 = st_is_aligned(&out[i_6*x_d1]);
                ST_UNROLL
                for (int32_t group_7 = 0; group_7 < 32; group_7 += 4) {
                    const int32_t first_9 = group_7*32 + lane_13*4;
                    const bool some_7 = first_9 < x_d1;
                    if (some_7) {
                        ST_UNROLL
                        for (int32_t k_12 = 0; k_12 < 4; k_12++) {
                            const int32_t j_12 = first_9 + k_12;
                            const float out_i_4 = out_held_2[group_7 + k_12];
                            const float v_26 = out_i_4 * reciprocal_4;
                            out_four[k_12] = v_26;
                        }
                        if (aligned_2) {
                            const st_four<float> four_2 = *(const st_four<float> *)&out_four[0];
                            st_store_four(&out[i_6*x_d1 + first_9], four_2);
                        } else {
                            ST_UNROLL
                            for (int32_t k_13 = 0; k_13 < 4; k_13++) {
                                const float element_2 = out_four[k_13];
                                out[i_6*x_d1 + first_9 + k_13] = element_2;
                            }
                        }
                    }
                }
            }
        }
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL(256) kernel_0_max_exp_reciprocal_6(const float *x_device, float *out, int32_t x_d0,
        int32_t x_d1) {
    float x_held[32];
    float out_held[32];
    const int32_t first = (int32_t)st_block_of_row()*8;
    const int32_t k_4 = first + 8;
    const int32_t stop_4 = k_4 < x_d0 ? k_4 : x_d0;
    {
        const int32_t warp_11 = st_warp();
        for (int32_t i = first + warp_11; i < stop_4; i += 8) {
            float max = -__builtin_inff();
            float nan = 0.0f;
            {
                const int32_t lane_6 = st_lane();
                ST_UNROLL
                for (int32_t group = 0; group < 32; group += 4) {
                    const int32_t first_2 = group*32;
                    const bool some = first_2 < x_d1;
                    if (some) {
                        ST_UNROLL
                        for (int32_t k_5 = 0; k_5 < 4; k_5++) {
                            const int32_t j = group*32 + k_5*32 + lane_6;
                            const bool inside = j < x_d1;
                            if (inside) {
                                const float x_i = x_device[i*x_d1 + j];
                                x_held[group + k_5] = x_i;
                                /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                                max = x_i > max ? x_i : max;
                                nan = x_i != x_i ? x_i : nan;
                            }
                        }
                    }
                }
            }
            max = st_warp_larger_float32(max);
            nan = st_warp_nan_or_float32(nan);
            const float v = nan != nan ? nan : max;
            const bool isinf_ = __builtin_fabsf(v) == __builtin_inff();
            const float v_2 = isinf_ ? 0.0f : v;
            double sum_f64 = 0.0;
            {
                const int32_t lane_7 = st_lane();
                ST_UNROLL
                for (int32_t group_2 = 0; group_2 < 32; group_2 += 4) {
                    const int32_t first_3 = group_2*32;
                    const bool some_2 = first_3 < x_d1;
                    if (some_2) {
                        ST_UNROLL
                        for (int32_t k_6 = 0; k_6 < 4; k_6++) {
                            const int32_t j_2 = group_2*32 + k_6*32 + lane_7;
                            const bool inside_2 = j_2 < x_d1;
                            if (inside_2) {
                                const float x_i_2 = x_held[group_2 + k_6];
                                const float v_3 = x_i_2 - v_2;
                                const float v_4 = expf(v_3);
                                const double v_5 = (double)v_4;
                                sum_f64 += v_5;
                                out_held[group_2 + k_6] = v_4;
                            }
                        }
                    }
                }
            }
            sum_f64 = st_warp_add_float64(sum_f64);
            const float sum = (float)sum_f64;
            const float reciprocal = 1 / sum;
            st_wait_for_warp();
            {
                const int32_t lane_8 = st_lane();
                ST_UNROLL
                for (int32_t group_3 = 0; group_3 < 32; group_3 += 4) {
                    const int32_t first_4 = group_3*32;
                    const bool some_3 = first_4 < x_d1;
                    if (some_3) {
                        ST_UNROLL
                        for (int32_t k_7 = 0; k_7 < 4; k_7++) {
                            const int32_t j_3 = group_3*32 + k_7*32 + lane_8;
                            const bool inside_3 = j_3 < x_d1;
                            if (inside_3) {
                                const float out_i = out_held[group_3 + k_7];
                                const float v_6 = out_i * reciprocal;
                                out[i*x_d1 + j_3] = v_6;
                            }
                        }
                    }
                }
            }
        }
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL(256) kernel_0_max_exp_reciprocal_7(const float *x_device, float *out, int32_t x_d0,
        int32_t x_d1) {
    alignas(16) float x_held_4[16];
    float out_held_4[16];
    alignas(16) float out_four_2[4];
    const int32_t i_7 = (int32_t)st_block_of_row();
    float max_11 = -__builtin_inff();
    float nan_11 = 0.0f;
    ST_SHARED(float, part_15, 8);
    ST_SHARED(float, part_16, 8);
    {
        const int32_t warp_17 = st_warp();
        float max_12 = -__builtin_inff();
        float nan_12 = 0.0f;
        {
            const int32_t lane_14 = st_lane();
            const bool aligned_3 = st_is_aligned(&x_device[i_7*x_d1]);
            ST_UNROLL
            for (int32_t group_11 = 0; group_11 < 16; group_11 += 4) {
                const int32_t first_13 = group_11*256 + lane_14*4 + warp_17*128;
                const bool some_11 = first_13 < x_d1;
                if (some_11) {
                    if (aligned_3) {
                        const st_four<float> four_3 = st_load_four(&x_device[i_7*x_d1 + first_13]);
                        *(st_four<float> *)&x_held_4[group_11] = four_3;
                    } else {
                        ST_UNROLL
                        for (int32_t k_17 = 0; k_17 < 4; k_17++) {
                            const float element_3 = x_device[i_7*x_d1 + first_13 + k_17];
                            x_held_4[group_11 + k_17] = element_3;
                        }
                    }
                }
            }
            ST_UNROLL
            for (int32_t group_12 = 0; group_12 < 16; group_12 += 4) {
                const int32_t first_14 = group_12*256 + lane_14*4 + warp_17*128;
                const bool some_12 = first_14 < x_d1;
                if (some_12) {
                    ST_UNROLL
                    for (int32_t k_18 = 0; k_18 < 4; k_18++) {
                        const int32_t j_16 = first_14 + k_18;
                        const float x_i_11 = x_held_4[group_12 + k_18];
                        /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                        max_12 = x_i_11 > max_12 ? x_i_11 : max_12;
                        nan_12 = x_i_11 != x_i_11 ? x_i_11 : nan_12;
                    }
                }
            }
            for (int32_t j_19 = lane_14 + warp_17*32 + 4096; j_19 < x_d1; j_19 += 256) {
                const float x_i_13 = x_device[i_7*x_d1 + j_19];
                max_12 = x_i_13 > max_12 ? x_i_13 : max_12;
                nan_12 = x_i_13 != x_i_13 ? x_i_13 : nan_12;
            }
        }
        max_12 = st_warp_larger_float32(max_12);
        nan_12 = st_warp_nan_or_float32(nan_12);
        if (st_lane() == 0) {
            part_15[warp_17] = max_12;
            part_16[warp_17] = nan_12;
        }
    }
    st_wait_for_block();
    for (int32_t warp_18 = 0; warp_18 < 8; warp_18++) {
        const float part_i_12 = part_15[warp_18];
        max_11 = part_i_12 > max_11 ? part_i_12 : max_11;
        const float part_i_13 = part_16[warp_18];
        nan_11 = part_i_13 != part_i_13 ? part_i_13 : nan_11;
    }
    const float v_34 = nan_11 != nan_11 ? nan_11 : max_11;
    const bool isinf_6 = __builtin_fabsf(v_34) == __builtin_inff();
    const float v_35 = isinf_6 ? 0.0f : v_34;
    double sum_f64_9 = 0.0;
    ST_SHARED(double, part_17, 8);
    {
        const int32_t warp_19 = st_warp();
        double sum_f64_10 = 0.0;
        {
            const int32_t lane_15 = st_lane();
            ST_UNROLL
            for (int32_t group_13 = 0; group_13 < 16; group_13 += 4) {
                const int32_t first_15 = group_13*256 + lane_15*4 + warp_19*128;
                const bool some_13 = first_15 < x_d1;
                if (some_13) {
                    ST_UNROLL
                    for (int32_t k_19 = 0; k_19 < 4; k_19++) {
                        const int32_t j_17 = first_15 + k_19;
                        const float x_i_12 = x_held_4[group_13 + k_19];
                        const float v_36 = x_i_12 - v_35;
                        const float v_37 = expf(v_36);
                        const double v_38 = (double)v_37;
                        sum_f64_10 += v_38;
                        out_held_4[group_13 + k_19] = v_37;
                    }
                }
            }
            for (int32_t j_20 = lane_15 + warp_19*32 + 4096; j_20 < x_d1; j_20 += 256) {
                const float x_i_14 = x_device[i_7*x_d1 + j_20];
                const float v_40 = x_i_14 - v_35;
                const float v_41 = expf(v_40);
                const double v_42 = (double)v_41;
                sum_f64_10 += v_42;
                out[i_7*x_d1 + j_20] = v_41;
            }
        }
        sum_f64_10 = st_warp_add_float64(sum_f64_10);
        if (st_lane() == 0) {
            part_17[warp_19] = sum_f64_10;
        }
    }
    st_wait_for_block();
    for (int32_t warp_20 = 0; warp_20 < 8; warp_20++) {
        const double part_i_14 = part_17[warp_20];
        sum_f64_9 += part_i_14;
    }
    const float sum_5 = (float)sum_f64_9;
    const float reciprocal_5 = 1 / sum_5;
    {
        const int32_t thread_3 = st_thread();
        const bool aligned_4 = st_is_aligned(&out[i_7*x_d1]);
        ST_UNROLL
        for (int32_t group_14 = 0; group_14 < 16; group_14 += 4) {
            const int32_t first_16 = group_14*256 + thread_3*4;
            const bool some_14 = first_16 < x_d1;
            if (some_14) {
                ST_UNROLL
                for (int32_t k_20 = 0; k_20 < 4; k_20++) {
                    const int32_t j_18 = first_16 + k_20;
                    const float out_i_6 = out_held_4[group_14 + k_20];
                    const float v_39 = out_i_6 * reciprocal_5;
                    out_four_2[k_20] = v_39;
                }
                if (aligned_4) {
                    const st_four<float> four_4 = *(const st_four<float> *)&out_four_2[0];
                    st_store_four(&out[i_7*x_d1 + first_16], four_4);
                } else {
                    ST_UNROLL
                    for (int32_t k_21 = 0; k_21 < 4; k_21++) {
                        const float element_4 = out_four_2[k_21];
                        out[i_7*x_d1 + first_16 + k_21] = element_4;
                    }
                }
            }
        }
        for (int32_t j_21 = thread_3 + 4096; j_21 < x_d1; j_21 += 256) {
            const float out_i_7 = out[i_7*x_d1 + j_21];
            const float v_43 = out_i_7 * reciprocal_5;
            out[i_7*x_d1 + j_21] = v_43;
        }
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL(256) kernel_0_max_exp_reciprocal_8(const float *x_device, float *out, int32_t x_d0,
        int32_t x_d1) {
    float x_held_3[16];
    float out_held_3[16];
    const int32_t i_5 = (int32_t)st_block_of_row();
    float max_8 = -__builtin_inff();
    float nan_8 = 0.0f;
    ST_SHARED(float, part_12, 8);
    ST_SHARED(float, part_13, 8);
    {
        const int32_t warp_12 = st_warp();
        float max_9 = -__builtin_inff();
        float nan_9 = 0.0f;
        {
            const int32_t lane_9 = st_lane();
            ST_UNROLL
            for (int32_t group_8 = 0; group_8 < 16; group_8 += 4) {
                const int32_t first_10 = group_8*256;
                const bool some_8 = first_10 < x_d1;
                if (some_8) {
                    ST_UNROLL
                    for (int32_t k_14 = 0; k_14 < 4; k_14++) {
                        const int32_t j_7 = group_8*256 + k_14*256 + lane_9 + warp_12*32;
                        const bool inside_4 = j_7 < x_d1;
                        if (inside_4) {
                            const float x_i_5 = x_device[i_5*x_d1 + j_7];
                            x_held_3[group_8 + k_14] = x_i_5;
                            /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                            max_9 = x_i_5 > max_9 ? x_i_5 : max_9;
                            nan_9 = x_i_5 != x_i_5 ? x_i_5 : nan_9;
                        }
                    }
                }
            }
            for (int32_t j_13 = lane_9 + warp_12*32 + 4096; j_13 < x_d1; j_13 += 256) {
                const float x_i_9 = x_device[i_5*x_d1 + j_13];
                max_9 = x_i_9 > max_9 ? x_i_9 : max_9;
                nan_9 = x_i_9 != x_i_9 ? x_i_9 : nan_9;
            }
        }
        max_9 = st_warp_larger_float32(max_9);
        nan_9 = st_warp_nan_or_float32(nan_9);
        if (st_lane() == 0) {
            part_12[warp_12] = max_9;
            part_13[warp_12] = nan_9;
        }
    }
    st_wait_for_block();
    for (int32_t warp_13 = 0; warp_13 < 8; warp_13++) {
        const float part_i_9 = part_12[warp_13];
        max_8 = part_i_9 > max_8 ? part_i_9 : max_8;
        const float part_i_10 = part_13[warp_13];
        nan_8 = part_i_10 != part_i_10 ? part_i_10 : nan_8;
    }
    const float v_15 = nan_8 != nan_8 ? nan_8 : max_8;
    const bool isinf_4 = __builtin_fabsf(v_15) == __builtin_inff();
    const float v_16 = isinf_4 ? 0.0f : v_15;
    double sum_f64_6 = 0.0;
    ST_SHARED(double, part_14, 8);
    {
        const int32_t warp_14 = st_warp();
        double sum_f64_7 = 0.0;
        {
            const int32_t lane_10 = st_lane();
            ST_UNROLL
            for (int32_t group_9 = 0; group_9 < 16; group_9 += 4) {
                const int32_t first_11 = group_9*256;
                const bool some_9 = first_11 < x_d1;
                if (some_9) {
                    ST_UNROLL
                    for (int32_t k_15 = 0; k_15 < 4; k_15++) {
                        const int32_t j_8 = group_9*256 + k_15*256 + lane_10 + warp_14*32;
                        const bool inside_5 = j_8 < x_d1;
                        if (inside_5) {
                            const float x_i_6 = x_held_3[group_9 + k_15];
                            const float v_17 = x_i_6 - v_16;
                            const float v_18 = expf(v_17);
                            const double v_19 = (double)v_18;
                            sum_f64_7 += v_19;
                            out_held_3[group_9 + k_15] = v_18;
                        }
                    }
                }
            }
            for (int32_t j_14 = lane_10 + warp_14*32 + 4096; j_14 < x_d1; j_14 += 256) {
                const float x_i_10 = x_device[i_5*x_d1 + j_14];
                const float v_30 = x_i_10 - v_16;
                const float v_31 = expf(v_30);
                const double v_32 = (double)v_31;
                sum_f64_7 += v_32;
                out[i_5*x_d1 + j_14] = v_31;
            }
        }
        sum_f64_7 = st_warp_add_float64(sum_f64_7);
        if (st_lane() == 0) {
            part_14[warp_14] = sum_f64_7;
        }
    }
    st_wait_for_block();
    for (int32_t warp_15 = 0; warp_15 < 8; warp_15++) {
        const double part_i_11 = part_14[warp_15];
        sum_f64_6 += part_i_11;
    }
    const float sum_3 = (float)sum_f64_6;
    const float reciprocal_3 = 1 / sum_3;
    {
        const int32_t thread_2 = st_thread();
        ST_UNROLL
        for (int32_t group_10 = 0; group_10 < 16; group_10 += 4) {
            const int32_t first_12 = group_10*256;
            const bool some_10 = first_12 < x_d1;
            if (some_10) {
                ST_UNROLL
                for (int32_t k_16 = 0; k_16 < 4; k_16++) {
                    const int32_t j_9 = group_10*256 + k_16*256 + thread_2;
                    const bool inside_6 = j_9 < x_d1;
                    if (inside_6) {
                        const float out_i_3 = out_held_3[group_10 + k_16];
                        const float v_20 = out_i_3 * reciprocal_3;
                        out[i_5*x_d1 + j_9] = v_20;
                    }
                }
            }
        }
        for (int32_t j_15 = thread_2 + 4096; j_15 < x_d1; j_15 += 256) {
            const float out_i_5 = out[i_5*x_d1 + j_15];
            const float v_33 = out_i_5 * reciprocal_3;
            out[i_5*x_d1 + j_15] = v_33;
        }
    }
}

/* The host. */

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL int32_t kernel_0_max_exp_reciprocal(const st_runtime *runtime, st_call *call,
        st_error *error, const float *x_device, float *max_parts, float *nan_parts, float *out,
        double *sum_f64_parts, const int64_t x_d1, const int64_t x_d0) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(x_d1, 1, 8192, 128);
    const int64_t chunks = (rows + x_d1 - 1) / rows;
    const bool few_rows = x_d0 <= 128LL;
    const bool long_rows = 16384LL <= x_d1;
    const bool few_long_rows = few_rows & long_rows;
    if (few_long_rows) {
        void *st_arguments_1[] = {(void *)&x_device, (void *)&max_parts, (void *)&nan_parts,
                (void *)&x_d0, (void *)&chunks, (void *)&rows, (void *)&x_d1};
        ST_ASK(launch, 0,
                !st_fits((st_extent(rows) + st_extent(x_d0) + 1)*st_extent(chunks) + (st_extent(x_d1) + 128)*st_extent(x_d0) + st_extent(rows) + st_extent(x_d1) + 544),
                st_block_count(x_d0, 1) * st_block_count(chunks, 1), 256, st_arguments_1);
        void *st_arguments_2[] = {(void *)&max_parts, (void *)&nan_parts, (void *)&x_device,
                (void *)&out, (void *)&sum_f64_parts, (void *)&x_d0, (void *)&chunks, (void *)&rows,
                (void *)&x_d1};
        ST_ASK(launch, 1,
                !st_fits((st_extent(rows) + st_extent(x_d0) + 1)*st_extent(chunks) + (st_extent(x_d1) + 128)*st_extent(x_d0) + st_extent(rows) + st_extent(x_d1) + 544),
                st_block_count(x_d0, 1) * st_block_count(chunks, 1), 256, st_arguments_2);
        void *st_arguments_3[] = {(void *)&max_parts, (void *)&nan_parts, (void *)&sum_f64_parts,
                (void *)&out, (void *)&x_d0, (void *)&chunks, (void *)&rows, (void *)&x_d1};
        ST_ASK(launch, 2,
                !st_fits((st_extent(rows) + st_extent(x_d0) + 1)*st_extent(chunks) + (st_extent(x_d1) + 128)*st_extent(x_d0) + st_extent(rows) + st_extent(x_d1) + 544),
                st_block_count(x_d0, 1) * st_block_count(chunks, 1), 256, st_arguments_3);
    } else {
        const bool short_rows = x_d1 <= 1024LL;
        if (short_rows) {
            const int64_t v_27 = x_d1 & 3LL;
            const bool v_28 = v_27 == 0LL;
            const bool v_29 = 128LL <= x_d1;
            const bool in_fours = v_28 & v_29;
            if (in_fours) {
                void *st_arguments_4[] = {(void *)&x_device, (void *)&out, (void *)&x_d0,
                        (void *)&x_d1};
                ST_ASK(launch, 3,
                        !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1)*8 + 1156),
                        st_block_count(x_d0, 8), 256, st_arguments_4);
            } else {
                void *st_arguments_5[] = {(void *)&x_device, (void *)&out, (void *)&x_d0,
                        (void *)&x_d1};
                ST_ASK(launch, 4,
                        !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1)*8 + 1184),
                        st_block_count(x_d0, 8), 256, st_arguments_5);
            }
        } else {
            const int64_t v_44 = x_d1 & 3LL;
            const bool v_45 = v_44 == 0LL;
            const bool v_46 = 1024LL <= x_d1;
            const bool in_fours_2 = v_45 & v_46;
            if (in_fours_2) {
                void *st_arguments_6[] = {(void *)&x_device, (void *)&out, (void *)&x_d0,
                        (void *)&x_d1};
                ST_ASK(launch, 5,
                        !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1) + 5252),
                        st_block_count(x_d0, 1), 256, st_arguments_6);
            } else {
                void *st_arguments_7[] = {(void *)&x_device, (void *)&out, (void *)&x_d0,
                        (void *)&x_d1};
                ST_ASK(launch, 6,
                        !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1) + 5408),
                        st_block_count(x_d0, 1), 256, st_arguments_7);
            }
        }
    }
done:
    return status;
}

/* softmax_rows
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[x_d0*x_d1], float32 out_host[x_d0*x_d1], float32 x_device[x_d0*x_d1]
   workspace: 262144 bytes
   1. out = kernel_0_max_exp_reciprocal(x_device): max, isinf, switch, sub, exp, sum, reciprocal,
       mul over x_d0 x x_d1; reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes */
ST_EXPORT int32_t softmax_rows(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    float *out = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 1);
    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 2);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);

    const int64_t st_nan_parts_at = st_padded(65536);
    const int64_t st_sum_f64_parts_at = st_nan_parts_at + st_padded(65536);
    const int64_t device_arena_bytes = st_sum_f64_parts_at + st_padded(131072);
    device_arena = st_device_memory(call, device_arena_bytes, 262144.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *max_parts = (float *)device_arena;
    float *nan_parts = (float *)(device_arena + st_nan_parts_at);
    double *sum_f64_parts = (double *)(device_arena + st_sum_f64_parts_at);

    status = kernel_0_max_exp_reciprocal(runtime, call, error, x_device, max_parts, nan_parts, out,
            sum_f64_parts, x_d1, x_d0);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out_host, MEMORY, -1, x_d0*x_d1*4, 0);

    ST_ASK(to_host, out_host, out, x_d0*x_d1*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
