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
ST_KERNEL(256) kernel_0_max_exp_reciprocal_2(const float *x_device, float *out, int64_t x_d0,
        int64_t x_d1) {
    float x_held[32];
    float out_held[32];
    const int64_t first = st_block()*8;
    if (first >= x_d0) return;
    const int64_t k = first + 8;
    const int64_t stop = k < x_d0 ? k : x_d0;
    {
        const int64_t warp = st_warp();
        for (int64_t i = first + warp; i < stop; i += 8) {
            float max = -__builtin_inff();
            float nan = 0.0f;
            {
                const int64_t lane = st_lane();
                ST_UNROLL
                for (int64_t group = 0; group < 32; group += 4) {
                    const int64_t first_2 = group*32;
                    const bool some = first_2 < x_d1;
                    if (some) {
                        ST_UNROLL
                        for (int64_t k_2 = 0; k_2 < 4; k_2++) {
                            const int64_t j = group*32 + k_2*32 + lane;
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
                const int64_t lane_2 = st_lane();
                ST_UNROLL
                for (int64_t group_2 = 0; group_2 < 32; group_2 += 4) {
                    const int64_t first_3 = group_2*32;
                    const bool some_2 = first_3 < x_d1;
                    if (some_2) {
                        ST_UNROLL
                        for (int64_t k_3 = 0; k_3 < 4; k_3++) {
                            const int64_t j_2 = group_2*32 + k_3*32 + lane_2;
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
                const int64_t lane_3 = st_lane();
                ST_UNROLL
                for (int64_t group_3 = 0; group_3 < 32; group_3 += 4) {
                    const int64_t first_4 = group_3*32;
                    const bool some_3 = first_4 < x_d1;
                    if (some_3) {
                        ST_UNROLL
                        for (int64_t k_4 = 0; k_4 < 4; k_4++) {
                            const int64_t j_3 = group_3*32 + k_4*32 + lane_3;
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
ST_KERNEL(256) kernel_0_max_exp_reciprocal_3(const float *x_device, float *out, int64_t x_d0,
        int64_t x_d1) {
    float x_held_2[16];
    float out_held_2[16];
    const int64_t i_2 = st_block();
    if (i_2 >= x_d0) return;
    float max_2 = -__builtin_inff();
    float nan_2 = 0.0f;
    ST_SHARED(float, part, 8);
    ST_SHARED(float, part_2, 8);
    {
        const int64_t warp_2 = st_warp();
        float max_3 = -__builtin_inff();
        float nan_3 = 0.0f;
        {
            const int64_t lane_4 = st_lane();
            ST_UNROLL
            for (int64_t group_4 = 0; group_4 < 16; group_4 += 4) {
                const int64_t first_5 = group_4*256;
                const bool some_4 = first_5 < x_d1;
                if (some_4) {
                    ST_UNROLL
                    for (int64_t k_5 = 0; k_5 < 4; k_5++) {
                        const int64_t j_4 = group_4*256 + k_5*256 + lane_4 + warp_2*32;
                        const bool inside_4 = j_4 < x_d1;
                        if (inside_4) {
                            const float x_i_3 = x_device[i_2*x_d1 + j_4];
                            x_held_2[group_4 + k_5] = x_i_3;
                            /* models.py:31: return function([x], T.nnet.softmax(x), name="softmax_rows") */
                            max_3 = x_i_3 > max_3 ? x_i_3 : max_3;
                            nan_3 = x_i_3 != x_i_3 ? x_i_3 : nan_3;
                        }
                    }
                }
            }
            for (int64_t j_7 = lane_4 + warp_2*32 + 4096; j_7 < x_d1; j_7 += 256) {
                const float x_i_5 = x_device[i_2*x_d1 + j_7];
                max_3 = x_i_5 > max_3 ? x_i_5 : max_3;
                nan_3 = x_i_5 != x_i_5 ? x_i_5 : nan_3;
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
    for (int64_t warp_3 = 0; warp_3 < 8; warp_3++) {
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
        const int64_t warp_4 = st_warp();
        double sum_f64_3 = 0.0;
        {
            const int64_t lane_5 = st_lane();
            ST_UNROLL
            for (int64_t group_5 = 0; group_5 < 16; group_5 += 4) {
                const int64_t first_6 = group_5*256;
                const bool some_5 = first_6 < x_d1;
                if (some_5) {
                    ST_UNROLL
                    for (int64_t k_6 = 0; k_6 < 4; k_6++) {
                        const int64_t j_5 = group_5*256 + k_6*256 + lane_5 + warp_4*32;
                        const bool inside_5 = j_5 < x_d1;
                        if (inside_5) {
                            const float x_i_4 = x_held_2[group_5 + k_6];
                            const float v_9 = x_i_4 - v_8;
                            const float v_10 = expf(v_9);
                            const double v_11 = (double)v_10;
                            sum_f64_3 += v_11;
                            out_held_2[group_5 + k_6] = v_10;
                        }
                    }
                }
            }
            for (int64_t j_8 = lane_5 + warp_4*32 + 4096; j_8 < x_d1; j_8 += 256) {
                const float x_i_6 = x_device[i_2*x_d1 + j_8];
                const float v_13 = x_i_6 - v_8;
                const float v_14 = expf(v_13);
                const double v_15 = (double)v_14;
                sum_f64_3 += v_15;
                out[i_2*x_d1 + j_8] = v_14;
            }
        }
        sum_f64_3 = st_warp_add_float64(sum_f64_3);
        if (st_lane() == 0) {
            part_3[warp_4] = sum_f64_3;
        }
    }
    st_wait_for_block();
    for (int64_t warp_5 = 0; warp_5 < 8; warp_5++) {
        const double part_i_3 = part_3[warp_5];
        sum_f64_2 += part_i_3;
    }
    const float sum_2 = (float)sum_f64_2;
    const float reciprocal_2 = 1 / sum_2;
    {
        const int64_t thread = st_thread();
        ST_UNROLL
        for (int64_t group_6 = 0; group_6 < 16; group_6 += 4) {
            const int64_t first_7 = group_6*256;
            const bool some_6 = first_7 < x_d1;
            if (some_6) {
                ST_UNROLL
                for (int64_t k_7 = 0; k_7 < 4; k_7++) {
                    const int64_t j_6 = group_6*256 + k_7*256 + thread;
                    const bool inside_6 = j_6 < x_d1;
                    if (inside_6) {
                        const float out_i_2 = out_held_2[group_6 + k_7];
                        const float v_12 = out_i_2 * reciprocal_2;
                        out[i_2*x_d1 + j_6] = v_12;
                    }
                }
            }
        }
        for (int64_t j_9 = thread + 4096; j_9 < x_d1; j_9 += 256) {
            const float out_i_3 = out[i_2*x_d1 + j_9];
            const float v_16 = out_i_3 * reciprocal_2;
            out[i_2*x_d1 + j_9] = v_16;
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
        void *st_arguments_1[] = {(void *)&x_device, (void *)&out, (void *)&x_d0, (void *)&x_d1};
        ST_ASK(launch, 0, st_block_count(x_d0, 8), 256, st_arguments_1);
    } else {
        void *st_arguments_2[] = {(void *)&x_device, (void *)&out, (void *)&x_d0, (void *)&x_d1};
        ST_ASK(launch, 1, st_block_count(x_d0, 1), 256, st_arguments_2);
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
