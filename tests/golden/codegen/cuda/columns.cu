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

/* sum, max over x_d0 x x_d1 */
/* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
ST_KERNEL(256) kernel_0_sum_max_2(double *sum_parts, const float *x_device, float *out_2,
        int32_t chunks, int32_t rows, int32_t x_d0, int32_t x_d1) {
    double sum_parts_held_2[16];
    alignas(16) float x_four[4];
    const int32_t chunk_5 = (int32_t)st_block_of_row();
    const int32_t start_2 = chunk_5*rows;
    const int32_t k_7 = rows + start_2;
    const int32_t stop_4 = k_7 < x_d0 ? k_7 : x_d0;
    {
        const int32_t thread_6 = st_thread();
        for (int32_t j_9 = thread_6; j_9 < x_d1; j_9 += 256) {
            sum_parts[chunk_5*x_d1 + j_9] = 0.0;
        }
    }
    {
        ST_UNROLL
        for (int32_t k_10 = 0; k_10 < 16; k_10++) {
            sum_parts_held_2[k_10] = 0.0;
        }
    }
    st_wait_for_block();
    for (int32_t i_2 = start_2; i_2 < stop_4; i_2++) {
        float max_3 = -__builtin_inff();
        float nan_3 = 0.0f;
        ST_SHARED(float, part_4, 8);
        ST_SHARED(float, part_5, 8);
        st_wait_for_block();
        {
            const int32_t warp_4 = st_warp();
            float max_4 = -__builtin_inff();
            float nan_4 = 0.0f;
            {
                const int32_t lane_3 = st_lane();
                const bool aligned = st_is_aligned(&x_device[i_2*x_d1]);
                ST_UNROLL
                for (int32_t group_3 = 0; group_3 < 16; group_3 += 4) {
                    const int32_t first_5 = group_3*256 + lane_3*4 + warp_4*128;
                    const bool some_3 = first_5 < x_d1;
                    if (some_3) {
                        if (aligned) {
                            const st_four<float> four = st_load_four(&x_device[i_2*x_d1 + first_5]);
                            *(st_four<float> *)&x_four[0] = four;
                        } else {
                            ST_UNROLL
                            for (int32_t k_8 = 0; k_8 < 4; k_8++) {
                                const float element = x_device[i_2*x_d1 + first_5 + k_8];
                                x_four[k_8] = element;
                            }
                        }
                        ST_UNROLL
                        for (int32_t k_9 = 0; k_9 < 4; k_9++) {
                            const int32_t j_10 = first_5 + k_9;
                            const float x_i_3 = x_four[k_9];
                            /* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
                            const double v_7 = (double)x_i_3;
                            const double sum_parts_held_2_i = sum_parts_held_2[group_3 + k_9];
                            const double v_13 = sum_parts_held_2_i + v_7;
                            max_4 = x_i_3 > max_4 ? x_i_3 : max_4;
                            nan_4 = x_i_3 != x_i_3 ? x_i_3 : nan_4;
                            sum_parts_held_2[group_3 + k_9] = v_13;
                        }
                    }
                }
                for (int32_t j_11 = lane_3 + warp_4*32 + 4096; j_11 < x_d1; j_11 += 256) {
                    const float x_i_4 = x_device[i_2*x_d1 + j_11];
                    const double v_9 = (double)x_i_4;
                    const double sum_parts_i_4 = sum_parts[chunk_5*x_d1 + j_11];
                    const double v_14 = sum_parts_i_4 + v_9;
                    max_4 = x_i_4 > max_4 ? x_i_4 : max_4;
                    nan_4 = x_i_4 != x_i_4 ? x_i_4 : nan_4;
                    sum_parts[chunk_5*x_d1 + j_11] = v_14;
                }
            }
            max_4 = st_warp_larger_float32(max_4);
            nan_4 = st_warp_nan_or_float32(nan_4);
            if (st_lane() == 0) {
                part_4[warp_4] = max_4;
                part_5[warp_4] = nan_4;
            }
        }
        st_wait_for_block();
        for (int32_t warp_5 = 0; warp_5 < 8; warp_5++) {
            const float part_i_3 = part_4[warp_5];
            max_3 = part_i_3 > max_3 ? part_i_3 : max_3;
            const float part_i_4 = part_5[warp_5];
            nan_3 = part_i_4 != part_i_4 ? part_i_4 : nan_3;
        }
        const float v_8 = nan_3 != nan_3 ? nan_3 : max_3;
        if (st_thread() == 0) {
            out_2[i_2] = v_8;
        }
    }
    st_wait_for_block();
    {
        const int32_t thread_8 = st_thread();
        ST_UNROLL
        for (int32_t group_4 = 0; group_4 < 16; group_4 += 4) {
            const int32_t first_6 = group_4*256 + thread_8*4;
            const bool some_4 = first_6 < x_d1;
            if (some_4) {
                ST_UNROLL
                for (int32_t k_11 = 0; k_11 < 4; k_11++) {
                    const int32_t j_12 = first_6 + k_11;
                    const double held_6 = sum_parts_held_2[group_4 + k_11];
                    const double sum_parts_i_5 = sum_parts[chunk_5*x_d1 + j_12];
                    const double v_15 = sum_parts_i_5 + held_6;
                    sum_parts[chunk_5*x_d1 + j_12] = v_15;
                }
            }
        }
    }
}

/* sum, max over x_d0 x x_d1 */
/* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
ST_KERNEL(256) kernel_0_sum_max_3(double *sum_parts, const float *x_device, float *out_2,
        int32_t chunks, int32_t rows, int32_t x_d0, int32_t x_d1) {
    double sum_parts_held[16];
    const int32_t chunk = (int32_t)st_block_of_row();
    const int32_t start = chunk*rows;
    const int32_t k = rows + start;
    const int32_t stop = k < x_d0 ? k : x_d0;
    {
        const int32_t thread = st_thread();
        for (int32_t j_4 = thread; j_4 < x_d1; j_4 += 256) {
            sum_parts[chunk*x_d1 + j_4] = 0.0;
        }
    }
    {
        ST_UNROLL
        for (int32_t k_5 = 0; k_5 < 16; k_5++) {
            sum_parts_held[k_5] = 0.0;
        }
    }
    st_wait_for_block();
    for (int32_t i = start; i < stop; i++) {
        float max = -__builtin_inff();
        float nan = 0.0f;
        ST_SHARED(float, part, 8);
        ST_SHARED(float, part_2, 8);
        st_wait_for_block();
        {
            const int32_t warp = st_warp();
            float max_2 = -__builtin_inff();
            float nan_2 = 0.0f;
            {
                const int32_t lane = st_lane();
                ST_UNROLL
                for (int32_t group = 0; group < 16; group += 4) {
                    const int32_t first_3 = group*256;
                    const bool some = first_3 < x_d1;
                    if (some) {
                        ST_UNROLL
                        for (int32_t k_4 = 0; k_4 < 4; k_4++) {
                            const int32_t j_2 = group*256 + k_4*256 + lane + warp*32;
                            const bool inside = j_2 < x_d1;
                            if (inside) {
                                const float x_i = x_device[i*x_d1 + j_2];
                                /* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
                                const double v = (double)x_i;
                                const double sum_parts_held_i = sum_parts_held[group + k_4];
                                const double v_16 = sum_parts_held_i + v;
                                max_2 = x_i > max_2 ? x_i : max_2;
                                nan_2 = x_i != x_i ? x_i : nan_2;
                                sum_parts_held[group + k_4] = v_16;
                            }
                        }
                    }
                }
                for (int32_t j_7 = lane + warp*32 + 4096; j_7 < x_d1; j_7 += 256) {
                    const float x_i_2 = x_device[i*x_d1 + j_7];
                    const double v_6 = (double)x_i_2;
                    const double sum_parts_i_6 = sum_parts[chunk*x_d1 + j_7];
                    const double v_17 = sum_parts_i_6 + v_6;
                    max_2 = x_i_2 > max_2 ? x_i_2 : max_2;
                    nan_2 = x_i_2 != x_i_2 ? x_i_2 : nan_2;
                    sum_parts[chunk*x_d1 + j_7] = v_17;
                }
            }
            max_2 = st_warp_larger_float32(max_2);
            nan_2 = st_warp_nan_or_float32(nan_2);
            if (st_lane() == 0) {
                part[warp] = max_2;
                part_2[warp] = nan_2;
            }
        }
        st_wait_for_block();
        for (int32_t warp_2 = 0; warp_2 < 8; warp_2++) {
            const float part_i = part[warp_2];
            max = part_i > max ? part_i : max;
            const float part_i_2 = part_2[warp_2];
            nan = part_i_2 != part_i_2 ? part_i_2 : nan;
        }
        const float v_2 = nan != nan ? nan : max;
        if (st_thread() == 0) {
            out_2[i] = v_2;
        }
    }
    st_wait_for_block();
    {
        const int32_t thread_5 = st_thread();
        ST_UNROLL
        for (int32_t group_2 = 0; group_2 < 16; group_2 += 4) {
            const int32_t first_4 = group_2*256;
            const bool some_2 = first_4 < x_d1;
            if (some_2) {
                ST_UNROLL
                for (int32_t k_6 = 0; k_6 < 4; k_6++) {
                    const int32_t j_8 = group_2*256 + k_6*256 + thread_5;
                    const bool inside_2 = j_8 < x_d1;
                    if (inside_2) {
                        const double held_5 = sum_parts_held[group_2 + k_6];
                        const double sum_parts_i_7 = sum_parts[chunk*x_d1 + j_8];
                        const double v_18 = sum_parts_i_7 + held_5;
                        sum_parts[chunk*x_d1 + j_8] = v_18;
                    }
                }
            }
        }
    }
}

/* sum, max over x_d0 x x_d1 */
/* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
ST_KERNEL(256) kernel_0_sum_max_4(const double *sum_parts, double *sum, float *out, int32_t x_d1,
        int32_t chunks) {
    const int32_t first_2 = (int32_t)st_block_of_row()*32;
    const int32_t k_3 = first_2 + 32;
    const int32_t stop_3 = k_3 < x_d1 ? k_3 : x_d1;
    ST_SHARED(double, held_parts, 256);
    {
        const int32_t warp_3 = st_warp();
        {
            const int32_t lane_2 = st_lane();
            for (int32_t column = first_2 + lane_2; column < stop_3; column += 32) {
                double held_3 = 0.0;
                for (int32_t chunk_4 = warp_3; chunk_4 < chunks; chunk_4 += 8) {
                    const double sum_parts_i_3 = sum_parts[chunk_4*x_d1 + column];
                    held_3 += sum_parts_i_3;
                }
                held_parts[column + warp_3*32 - first_2] = held_3;
            }
        }
    }
    st_wait_for_block();
    if (st_thread() < 32) {
        const int32_t thread_3 = st_thread();
        for (int32_t column_2 = first_2 + thread_3; column_2 < stop_3; column_2 += 32) {
            sum[column_2] = 0.0;
            double held_4 = 0.0;
            for (int32_t part_3 = 0; part_3 < 8; part_3++) {
                const double held_parts_i = held_parts[column_2 + part_3*32 - first_2];
                held_4 += held_parts_i;
            }
            const double sum_i = sum[column_2];
            const double v_19 = sum_i + held_4;
            sum[column_2] = v_19;
            const double total_3 = sum[column_2];
            /* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
            const float v_5 = (float)total_3;
            out[column_2] = v_5;
        }
    }
}

/* sum, max over x_d0 x x_d1 */
/* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
ST_KERNEL(256) kernel_0_sum_max_5(double *sum, const double *sum_parts, float *out, int32_t x_d1,
        int32_t chunks) {
    const int32_t first = (int32_t)st_block_of_row()*256;
    const int32_t k_2 = first + 256;
    const int32_t stop_2 = k_2 < x_d1 ? k_2 : x_d1;
    {
        const int32_t thread_2 = st_thread();
        for (int32_t j_6 = first + thread_2; j_6 < stop_2; j_6 += 256) {
            sum[j_6] = 0.0;
            double held_2 = 0.0;
            for (int32_t chunk_3 = 0; chunk_3 < chunks; chunk_3++) {
                const double sum_parts_i_2 = sum_parts[chunk_3*x_d1 + j_6];
                held_2 += sum_parts_i_2;
            }
            const double sum_i_2 = sum[j_6];
            const double v_20 = sum_i_2 + held_2;
            sum[j_6] = v_20;
            const double total_2 = sum[j_6];
            /* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
            const float v_4 = (float)total_2;
            out[j_6] = v_4;
        }
    }
}

/* The host. */

/* sum, max over x_d0 x x_d1 */
/* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
ST_KERNEL int32_t kernel_0_sum_max(const st_runtime *runtime, st_call *call, st_error *error,
        double *sum_parts, const float *x_device, float *out_2, double *sum, float *out,
        const int64_t x_d0, const int64_t x_d1) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(x_d0, x_d1, 8192, 128);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    const int64_t v_10 = x_d1 & 3LL;
    const bool v_11 = v_10 == 0LL;
    const bool v_12 = 1024LL <= x_d1;
    const bool in_fours = v_11 & v_12;
    if (in_fours) {
        void *st_arguments_1[] = {(void *)&sum_parts, (void *)&x_device, (void *)&out_2,
                (void *)&chunks, (void *)&rows, (void *)&x_d0, (void *)&x_d1};
        ST_ASK(launch, 0,
                !st_fits(((st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 1)*st_extent(x_d1) + (st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 5252),
                st_block_count(chunks, 1), 256, st_arguments_1);
    } else {
        void *st_arguments_2[] = {(void *)&sum_parts, (void *)&x_device, (void *)&out_2,
                (void *)&chunks, (void *)&rows, (void *)&x_d0, (void *)&x_d1};
        ST_ASK(launch, 1,
                !st_fits(((st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 1)*st_extent(x_d1) + (st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 5408),
                st_block_count(chunks, 1), 256, st_arguments_2);
    }
    const bool few_columns = x_d1 <= 32768LL;
    if (few_columns) {
        void *st_arguments_3[] = {(void *)&sum_parts, (void *)&sum, (void *)&out, (void *)&x_d1,
                (void *)&chunks};
        ST_ASK(launch, 2,
                !st_fits((st_extent(x_d1) + 1)*st_extent(chunks) + st_extent(x_d1)*9 + 288),
                st_block_count(x_d1, 32), 256, st_arguments_3);
    } else {
        void *st_arguments_4[] = {(void *)&sum, (void *)&sum_parts, (void *)&out, (void *)&x_d1,
                (void *)&chunks};
        ST_ASK(launch, 3, !st_fits((st_extent(x_d1) + 1)*st_extent(chunks) + st_extent(x_d1) + 512),
                st_block_count(x_d1, 256), 256, st_arguments_4);
    }
done:
    return status;
}

/* columns
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[x_d1], float32 out_host[x_d1], float32 out_2[x_d0],
       float32 out_2_host[x_d0], float32 x_device[x_d0*x_d1]
   workspace: x_d1*1032 bytes
   1. out_2, out = kernel_0_sum_max(x_device): sum, max over x_d0 x x_d1; reads x_d0*x_d1*4,
       writes x_d0*4 + x_d1*4 bytes */
ST_EXPORT int32_t columns(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    /* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
    ST_REQUIRE(x_d1 > 0, VALUE, 0, x_d1);

    float *out = st_device_memory(call, x_d1*4, 4.0*x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d1*4, ST_ON_DEVICE - 1);
    float *out_2 = st_device_memory(call, x_d0*4, 4.0*x_d0);
    ST_REQUIRE(out_2, MEMORY, -1, x_d0*4, ST_ON_DEVICE - 2);
    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 3);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);

    const int64_t st_sum_parts_at = st_padded(x_d1*8);
    const int64_t device_arena_bytes = st_sum_parts_at + st_padded(x_d1*1024);
    device_arena = st_device_memory(call, device_arena_bytes, 1032.0*x_d1);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    double *sum = (double *)device_arena;
    double *sum_parts = (double *)(device_arena + st_sum_parts_at);

    status = kernel_0_sum_max(runtime, call, error, sum_parts, x_device, out_2, sum, out, x_d0,
            x_d1);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, x_d1);
    ST_REQUIRE(out_host, MEMORY, -1, x_d1*4, 0);

    ST_ASK(to_host, out_host, out, x_d1*4);

    float *out_2_host = ST_ALLOCATE(1, x_d0);
    ST_REQUIRE(out_2_host, MEMORY, -1, x_d0*4, 1);

    ST_ASK(to_host, out_2_host, out_2, x_d0*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
