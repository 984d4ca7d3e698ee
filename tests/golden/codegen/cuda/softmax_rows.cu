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
ST_KERNEL(256) kernel_0_max_exp_reciprocal_2(const float *x_device, float *out, int32_t x_d0,
        int32_t x_d1) {
    alignas(16) float x_held_2[32];
    float out_held_2[32];
    alignas(16) float out_four[4];
    const int32_t first_5 = (int32_t)st_block_of_row()*8;
    const int32_t k_5 = first_5 + 8;
    const int32_t stop_2 = k_5 < x_d0 ? k_5 : x_d0;
    {
        const int32_t warp_6 = st_warp();
        for (int32_t i_3 = first_5 + warp_6; i_3 < stop_2; i_3 += 8) {
            float max_4 = -__builtin_inff();
            float nan_4 = 0.0f;
            {
                const int32_t lane_6 = st_lane();
                const bool aligned = st_is_aligned(&x_device[i_3*x_d1]);
                ST_UNROLL
                for (int32_t group_4 = 0; group_4 < 32; group_4 += 4) {
                    const int32_t first_6 = group_4*32 + lane_6*4;
                    const bool some_4 = first_6 < x_d1;
                    if (some_4) {
                        if (aligned) {
                            const st_four<float> four = st_load_four(&x_device[i_3*x_d1 + first_6]);
                            *(st_four<float> *)&x_held_2[group_4] = four;
                        } else {
                            ST_UNROLL
                            for (int32_t k_6 = 0; k_6 < 4; k_6++) {
                                const float element = x_device[i_3*x_d1 + first_6 + k_6];
                                x_held_2[group_4 + k_6] = element;
                            }
                        }
                    }
                }
                ST_UNROLL
                for (int32_t group_5 = 0; group_5 < 32; group_5 += 4) {
                    const int32_t first_7 = group_5*32 + lane_6*4;
                    const bool some_5 = first_7 < x_d1;
                    if (some_5) {
                        ST_UNROLL
                        for (int32_t k_7 = 0; k_7 < 4; k_7++) {
                            const int32_t j_7 = first_7 + k_7;
                            const float x_i_5 = x_held_2[group_5 + k_7];
                            /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                            max_4 = x_i_5 > max_4 ? x_i_5 : max_4;
                            nan_4 = x_i_5 != x_i_5 ? x_i_5 : nan_4;
                        }
                    }
                }
            }
            max_4 = st_warp_larger_float32(max_4);
            nan_4 = st_warp_nan_or_float32(nan_4);
            const float v_13 = nan_4 != nan_4 ? nan_4 : max_4;
            const bool isinf_3 = __builtin_fabsf(v_13) == __builtin_inff();
            const float v_14 = isinf_3 ? 0.0f : v_13;
            double sum_f64_4 = 0.0;
            {
                const int32_t lane_7 = st_lane();
                ST_UNROLL
                for (int32_t group_6 = 0; group_6 < 32; group_6 += 4) {
                    const int32_t first_8 = group_6*32 + lane_7*4;
                    const bool some_6 = first_8 < x_d1;
                    if (some_6) {
                        ST_UNROLL
                        for (int32_t k_8 = 0; k_8 < 4; k_8++) {
                            const int32_t j_8 = first_8 + k_8;
                            const float x_i_6 = x_held_2[group_6 + k_8];
                            const float v_15 = x_i_6 - v_14;
                            const float v_16 = expf(v_15);
                            const double v_17 = (double)v_16;
                            sum_f64_4 += v_17;
                            out_held_2[group_6 + k_8] = v_16;
                        }
                    }
                }
            }
            sum_f64_4 = st_warp_add_float64(sum_f64_4);
            const float sum_3 = (float)sum_f64_4;
            const float reciprocal_3 = 1 / sum_3;
            st_wait_for_warp();
            {
                const int32_t lane_8 = st_lane();
                const bool aligned_2 = st_is_aligned(&out[i_3*x_d1]);
                ST_UNROLL
                for (int32_t group_7 = 0; group_7 < 32; group_7 += 4) {
                    const int32_t first_9 = group_7*32 + lane_8*4;
                    const bool some_7 = first_9 < x_d1;
                    if (some_7) {
                        ST_UNROLL
                        for (int32_t k_9 = 0; k_9 < 4; k_9++) {
                            const int32_t j_9 = first_9 + k_9;
                            const float out_i_3 = out_held_2[group_7 + k_9];
                            const float v_18 = out_i_3 * reciprocal_3;
                            out_four[k_9] = v_18;
                        }
                        if (aligned_2) {
                            const st_four<float> four_2 = *(const st_four<float> *)&out_four[0];
                            st_store_four(&out[i_3*x_d1 + first_9], four_2);
                        } else {
                            ST_UNROLL
                            for (int32_t k_10 = 0; k_10 < 4; k_10++) {
                                const float element_2 = out_four[k_10];
                                out[i_3*x_d1 + first_9 + k_10] = element_2;
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
ST_KERNEL(256) kernel_0_max_exp_reciprocal_3(const float *x_device, float *out, int32_t x_d0,
        int32_t x_d1) {
    float x_held[32];
    float out_held[32];
    const int32_t first = (int32_t)st_block_of_row()*8;
    const int32_t k = first + 8;
    const int32_t stop = k < x_d0 ? k : x_d0;
    {
        const int32_t warp = st_warp();
        for (int32_t i = first + warp; i < stop; i += 8) {
            float max = -__builtin_inff();
            float nan = 0.0f;
            {
                const int32_t lane = st_lane();
                ST_UNROLL
                for (int32_t group = 0; group < 32; group += 4) {
                    const int32_t first_2 = group*32;
                    const bool some = first_2 < x_d1;
                    if (some) {
                        ST_UNROLL
                        for (int32_t k_2 = 0; k_2 < 4; k_2++) {
                            const int32_t j = group*32 + k_2*32 + lane;
                            const bool inside = j < x_d1;
                            if (inside) {
                                const float x_i = x_device[i*x_d1 + j];
                                x_held[group + k_2] = x_i;
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
                const int32_t lane_2 = st_lane();
                ST_UNROLL
                for (int32_t group_2 = 0; group_2 < 32; group_2 += 4) {
                    const int32_t first_3 = group_2*32;
                    const bool some_2 = first_3 < x_d1;
                    if (some_2) {
                        ST_UNROLL
                        for (int32_t k_3 = 0; k_3 < 4; k_3++) {
                            const int32_t j_2 = group_2*32 + k_3*32 + lane_2;
                            const bool inside_2 = j_2 < x_d1;
                            if (inside_2) {
                                const float x_i_2 = x_held[group_2 + k_3];
                                const float v_3 = x_i_2 - v_2;
                                const float v_4 = expf(v_3);
                                const double v_5 = (double)v_4;
                                sum_f64 += v_5;
                                out_held[group_2 + k_3] = v_4;
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
                const int32_t lane_3 = st_lane();
                ST_UNROLL
                for (int32_t group_3 = 0; group_3 < 32; group_3 += 4) {
                    const int32_t first_4 = group_3*32;
                    const bool some_3 = first_4 < x_d1;
                    if (some_3) {
                        ST_UNROLL
                        for (int32_t k_4 = 0; k_4 < 4; k_4++) {
                            const int32_t j_3 = group_3*32 + k_4*32 + lane_3;
                            const bool inside_3 = j_3 < x_d1;
                            if (inside_3) {
                                const float out_i = out_held[group_3 + k_4];
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
ST_KERNEL(256) kernel_0_max_exp_reciprocal_4(const float *x_device, float *out, int32_t x_d0,
        int32_t x_d1) {
    alignas(16) float x_held_4[16];
    float out_held_4[16];
    alignas(16) float out_four_2[4];
    const int32_t i_4 = (int32_t)st_block_of_row();
    float max_5 = -__builtin_inff();
    float nan_5 = 0.0f;
    ST_SHARED(float, part_4, 8);
    ST_SHARED(float, part_5, 8);
    {
        const int32_t warp_7 = st_warp();
        float max_6 = -__builtin_inff();
        float nan_6 = 0.0f;
        {
            const int32_t lane_9 = st_lane();
            const bool aligned_3 = st_is_aligned(&x_device[i_4*x_d1]);
            ST_UNROLL
            for (int32_t group_11 = 0; group_11 < 16; group_11 += 4) {
                const int32_t first_13 = group_11*256 + lane_9*4 + warp_7*128;
                const bool some_11 = first_13 < x_d1;
                if (some_11) {
                    if (aligned_3) {
                        const st_four<float> four_3 = st_load_four(&x_device[i_4*x_d1 + first_13]);
                        *(st_four<float> *)&x_held_4[group_11] = four_3;
                    } else {
                        ST_UNROLL
                        for (int32_t k_14 = 0; k_14 < 4; k_14++) {
                            const float element_3 = x_device[i_4*x_d1 + first_13 + k_14];
                            x_held_4[group_11 + k_14] = element_3;
                        }
                    }
                }
            }
            ST_UNROLL
            for (int32_t group_12 = 0; group_12 < 16; group_12 += 4) {
                const int32_t first_14 = group_12*256 + lane_9*4 + warp_7*128;
                const bool some_12 = first_14 < x_d1;
                if (some_12) {
                    ST_UNROLL
                    for (int32_t k_15 = 0; k_15 < 4; k_15++) {
                        const int32_t j_13 = first_14 + k_15;
                        const float x_i_9 = x_held_4[group_12 + k_15];
                        /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                        max_6 = x_i_9 > max_6 ? x_i_9 : max_6;
                        nan_6 = x_i_9 != x_i_9 ? x_i_9 : nan_6;
                    }
                }
            }
            for (int32_t j_16 = lane_9 + warp_7*32 + 4096; j_16 < x_d1; j_16 += 256) {
                const float x_i_11 = x_device[i_4*x_d1 + j_16];
                max_6 = x_i_11 > max_6 ? x_i_11 : max_6;
                nan_6 = x_i_11 != x_i_11 ? x_i_11 : nan_6;
            }
        }
        max_6 = st_warp_larger_float32(max_6);
        nan_6 = st_warp_nan_or_float32(nan_6);
        if (st_lane() == 0) {
            part_4[warp_7] = max_6;
            part_5[warp_7] = nan_6;
        }
    }
    st_wait_for_block();
    for (int32_t warp_8 = 0; warp_8 < 8; warp_8++) {
        const float part_i_4 = part_4[warp_8];
        max_5 = part_i_4 > max_5 ? part_i_4 : max_5;
        const float part_i_5 = part_5[warp_8];
        nan_5 = part_i_5 != part_i_5 ? part_i_5 : nan_5;
    }
    const float v_26 = nan_5 != nan_5 ? nan_5 : max_5;
    const bool isinf_4 = __builtin_fabsf(v_26) == __builtin_inff();
    const float v_27 = isinf_4 ? 0.0f : v_26;
    double sum_f64_5 = 0.0;
    ST_SHARED(double, part_6, 8);
    {
        const int32_t warp_9 = st_warp();
        double sum_f64_6 = 0.0;
        {
            const int32_t lane_10 = st_lane();
            ST_UNROLL
            for (int32_t group_13 = 0; group_13 < 16; group_13 += 4) {
                const int32_t first_15 = group_13*256 + lane_10*4 + warp_9*128;
                const bool some_13 = first_15 < x_d1;
                if (some_13) {
                    ST_UNROLL
                    for (int32_t k_16 = 0; k_16 < 4; k_16++) {
                        const int32_t j_14 = first_15 + k_16;
                        const float x_i_10 = x_held_4[group_13 + k_16];
                        const float v_28 = x_i_10 - v_27;
                        const float v_29 = expf(v_28);
                        const double v_30 = (double)v_29;
                        sum_f64_6 += v_30;
                        out_held_4[group_13 + k_16] = v_29;
                    }
                }
            }
            for (int32_t j_17 = lane_10 + warp_9*32 + 4096; j_17 < x_d1; j_17 += 256) {
                const float x_i_12 = x_device[i_4*x_d1 + j_17];
                const float v_32 = x_i_12 - v_27;
                const float v_33 = expf(v_32);
                const double v_34 = (double)v_33;
                sum_f64_6 += v_34;
                out[i_4*x_d1 + j_17] = v_33;
            }
        }
        sum_f64_6 = st_warp_add_float64(sum_f64_6);
        if (st_lane() == 0) {
            part_6[warp_9] = sum_f64_6;
        }
    }
    st_wait_for_block();
    for (int32_t warp_10 = 0; warp_10 < 8; warp_10++) {
        const double part_i_6 = part_6[warp_10];
        sum_f64_5 += part_i_6;
    }
    const float sum_4 = (float)sum_f64_5;
    const float reciprocal_4 = 1 / sum_4;
    {
        const int32_t thread_2 = st_thread();
        const bool aligned_4 = st_is_aligned(&out[i_4*x_d1]);
        ST_UNROLL
        for (int32_t group_14 = 0; group_14 < 16; group_14 += 4) {
            const int32_t first_16 = group_14*256 + thread_2*4;
            const bool some_14 = first_16 < x_d1;
            if (some_14) {
                ST_UNROLL
                for (int32_t k_17 = 0; k_17 < 4; k_17++) {
                    const int32_t j_15 = first_16 + k_17;
                    const float out_i_5 = out_held_4[group_14 + k_17];
                    const float v_31 = out_i_5 * reciprocal_4;
                    out_four_2[k_17] = v_31;
                }
                if (aligned_4) {
                    const st_four<float> four_4 = *(const st_four<float> *)&out_four_2[0];
                    st_store_four(&out[i_4*x_d1 + first_16], four_4);
                } else {
                    ST_UNROLL
                    for (int32_t k_18 = 0; k_18 < 4; k_18++) {
                        const float element_4 = out_four_2[k_18];
                        out[i_4*x_d1 + first_16 + k_18] = element_4;
                    }
                }
            }
        }
        for (int32_t j_18 = thread_2 + 4096; j_18 < x_d1; j_18 += 256) {
            const float out_i_6 = out[i_4*x_d1 + j_18];
            const float v_35 = out_i_6 * reciprocal_4;
            out[i_4*x_d1 + j_18] = v_35;
        }
    }
}

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL(256) kernel_0_max_exp_reciprocal_5(const float *x_device, float *out, int32_t x_d0,
        int32_t x_d1) {
    float x_held_3[16];
    float out_held_3[16];
    const int32_t i_2 = (int32_t)st_block_of_row();
    float max_2 = -__builtin_inff();
    float nan_2 = 0.0f;
    ST_SHARED(float, part, 8);
    ST_SHARED(float, part_2, 8);
    {
        const int32_t warp_2 = st_warp();
        float max_3 = -__builtin_inff();
        float nan_3 = 0.0f;
        {
            const int32_t lane_4 = st_lane();
            ST_UNROLL
            for (int32_t group_8 = 0; group_8 < 16; group_8 += 4) {
                const int32_t first_10 = group_8*256;
                const bool some_8 = first_10 < x_d1;
                if (some_8) {
                    ST_UNROLL
                    for (int32_t k_11 = 0; k_11 < 4; k_11++) {
                        const int32_t j_4 = group_8*256 + k_11*256 + lane_4 + warp_2*32;
                        const bool inside_4 = j_4 < x_d1;
                        if (inside_4) {
                            const float x_i_3 = x_device[i_2*x_d1 + j_4];
                            x_held_3[group_8 + k_11] = x_i_3;
                            /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                            max_3 = x_i_3 > max_3 ? x_i_3 : max_3;
                            nan_3 = x_i_3 != x_i_3 ? x_i_3 : nan_3;
                        }
                    }
                }
            }
            for (int32_t j_10 = lane_4 + warp_2*32 + 4096; j_10 < x_d1; j_10 += 256) {
                const float x_i_7 = x_device[i_2*x_d1 + j_10];
                max_3 = x_i_7 > max_3 ? x_i_7 : max_3;
                nan_3 = x_i_7 != x_i_7 ? x_i_7 : nan_3;
            }
        }
        max_3 = st_warp_larger_float32(max_3);
        nan_3 = st_warp_nan_or_float32(nan_3);
        if (st_lane() == 0) {
            part[warp_2] = max_3;
            part_2[warp_2] = nan_3;
        }
    }
    st_wait_for_block();
    for (int32_t warp_3 = 0; warp_3 < 8; warp_3++) {
        const float part_i = part[warp_3];
        max_2 = part_i > max_2 ? part_i : max_2;
        const float part_i_2 = part_2[warp_3];
        nan_2 = part_i_2 != part_i_2 ? part_i_2 : nan_2;
    }
    const float v_7 = nan_2 != nan_2 ? nan_2 : max_2;
    const bool isinf_2 = __builtin_fabsf(v_7) == __builtin_inff();
    const float v_8 = isinf_2 ? 0.0f : v_7;
    double sum_f64_2 = 0.0;
    ST_SHARED(double, part_3, 8);
    {
        const int32_t warp_4 = st_warp();
        double sum_f64_3 = 0.0;
        {
            const int32_t lane_5 = st_lane();
            ST_UNROLL
            for (int32_t group_9 = 0; group_9 < 16; group_9 += 4) {
                const int32_t first_11 = group_9*256;
                const bool some_9 = first_11 < x_d1;
                if (some_9) {
                    ST_UNROLL
                    for (int32_t k_12 = 0; k_12 < 4; k_12++) {
                        const int32_t j_5 = group_9*256 + k_12*256 + lane_5 + warp_4*32;
                        const bool inside_5 = j_5 < x_d1;
                        if (inside_5) {
                            const float x_i_4 = x_held_3[group_9 + k_12];
                            const float v_9 = x_i_4 - v_8;
                            const float v_10 = expf(v_9);
                            const double v_11 = (double)v_10;
                            sum_f64_3 += v_11;
                            out_held_3[group_9 + k_12] = v_10;
                        }
                    }
                }
            }
            for (int32_t j_11 = lane_5 + warp_4*32 + 4096; j_11 < x_d1; j_11 += 256) {
                const float x_i_8 = x_device[i_2*x_d1 + j_11];
                const float v_22 = x_i_8 - v_8;
                const float v_23 = expf(v_22);
                const double v_24 = (double)v_23;
                sum_f64_3 += v_24;
                out[i_2*x_d1 + j_11] = v_23;
            }
        }
        sum_f64_3 = st_warp_add_float64(sum_f64_3);
        if (st_lane() == 0) {
            part_3[warp_4] = sum_f64_3;
        }
    }
    st_wait_for_block();
    for (int32_t warp_5 = 0; warp_5 < 8; warp_5++) {
        const double part_i_3 = part_3[warp_5];
        sum_f64_2 += part_i_3;
    }
    const float sum_2 = (float)sum_f64_2;
    const float reciprocal_2 = 1 / sum_2;
    {
        const int32_t thread = st_thread();
        ST_UNROLL
        for (int32_t group_10 = 0; group_10 < 16; group_10 += 4) {
            const int32_t first_12 = group_10*256;
            const bool some_10 = first_12 < x_d1;
            if (some_10) {
                ST_UNROLL
                for (int32_t k_13 = 0; k_13 < 4; k_13++) {
                    const int32_t j_6 = group_10*256 + k_13*256 + thread;
                    const bool inside_6 = j_6 < x_d1;
                    if (inside_6) {
                        const float out_i_2 = out_held_3[group_10 + k_13];
                        const float v_12 = out_i_2 * reciprocal_2;
                        out[i_2*x_d1 + j_6] = v_12;
                    }
                }
            }
        }
        for (int32_t j_12 = thread + 4096; j_12 < x_d1; j_12 += 256) {
            const float out_i_4 = out[i_2*x_d1 + j_12];
            const float v_25 = out_i_4 * reciprocal_2;
            out[i_2*x_d1 + j_12] = v_25;
        }
    }
}

/* The host. */

/* max, isinf, switch, sub, exp, sum, reciprocal, mul over x_d0 x x_d1 */
/* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
ST_KERNEL int32_t kernel_0_max_exp_reciprocal(const st_runtime *runtime, st_call *call,
        st_error *error, const float *x_device, float *out, const int64_t x_d1,
        const int64_t x_d0) {
    int32_t status = ST_OK;
    const bool short_rows = x_d1 <= 1024LL;
    if (short_rows) {
        const int64_t v_19 = x_d1 & 3LL;
        const bool v_20 = v_19 == 0LL;
        const bool v_21 = 128LL <= x_d1;
        const bool in_fours = v_20 & v_21;
        if (in_fours) {
            void *st_arguments_1[] = {(void *)&x_device, (void *)&out, (void *)&x_d0,
                    (void *)&x_d1};
            ST_ASK(launch, 0,
                    !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1)*8 + 1156),
                    st_block_count(x_d0, 8), 256, st_arguments_1);
        } else {
            void *st_arguments_2[] = {(void *)&x_device, (void *)&out, (void *)&x_d0,
                    (void *)&x_d1};
            ST_ASK(launch, 1,
                    !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1)*8 + 1184),
                    st_block_count(x_d0, 8), 256, st_arguments_2);
        }
    } else {
        const int64_t v_36 = x_d1 & 3LL;
        const bool v_37 = v_36 == 0LL;
        const bool v_38 = 1024LL <= x_d1;
        const bool in_fours_2 = v_37 & v_38;
        if (in_fours_2) {
            void *st_arguments_3[] = {(void *)&x_device, (void *)&out, (void *)&x_d0,
                    (void *)&x_d1};
            ST_ASK(launch, 2,
                    !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1) + 5252),
                    st_block_count(x_d0, 1), 256, st_arguments_3);
        } else {
            void *st_arguments_4[] = {(void *)&x_device, (void *)&out, (void *)&x_d0,
                    (void *)&x_d1};
            ST_ASK(launch, 3,
                    !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1) + 5408),
                    st_block_count(x_d0, 1), 256, st_arguments_4);
        }
    }
done:
    return status;
}

/* softmax_rows
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[x_d0*x_d1], float32 out_host[x_d0*x_d1], float32 x_device[x_d0*x_d1]
   1. out = kernel_0_max_exp_reciprocal(x_device): max, isinf, switch, sub, exp, sum, reciprocal,
       mul over x_d0 x x_d1; reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes */
ST_EXPORT int32_t softmax_rows(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    float *out = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 1);
    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 2);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);
    status = kernel_0_max_exp_reciprocal(runtime, call, error, x_device, out, x_d1, x_d0);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out_host, MEMORY, -1, x_d0*x_d1*4, 0);

    ST_ASK(to_host, out_host, out, x_d0*x_d1*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
