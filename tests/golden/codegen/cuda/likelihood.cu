ST_DEVICE double st_warp_add_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = first + second;
    }
    return value;
}

/* sub, sqr, sum over x_d0 */
/* models.py:47: z = (x - mu) * T.exp(-s) */
ST_KERNEL(256) kernel_0_sub_sqr_sum_2(const double *x_device, double *sum_parts,
        double *sum_parts_2, int32_t chunks, int32_t rows, int32_t x_d0, double mu_value) {
    const int32_t chunk = (int32_t)st_block_of_row();
    const int32_t start = chunk*rows;
    const int32_t k = rows + start;
    const int32_t stop = k < x_d0 ? k : x_d0;
    double sum_3 = 0.0;
    double sum_4 = 0.0;
    ST_SHARED(double, part, 8);
    ST_SHARED(double, part_2, 8);
    {
        const int32_t warp = st_warp();
        double sum_7 = 0.0;
        double sum_8 = 0.0;
        {
            const int32_t lane = st_lane();
            for (int32_t i = lane + start + warp*32; i < stop; i += 256) {
                const double x_i = x_device[i];
                /* models.py:47: z = (x - mu) * T.exp(-s) */
                const double v = x_i - mu_value;
                const double v_2 = v * v;
                sum_7 += v_2;
                sum_8 += v;
            }
        }
        sum_7 = st_warp_add_float64(sum_7);
        sum_8 = st_warp_add_float64(sum_8);
        if (st_lane() == 0) {
            part[warp] = sum_7;
            part_2[warp] = sum_8;
        }
    }
    st_wait_for_block();
    for (int32_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const double part_i = part[warp_2];
        sum_3 += part_i;
        const double part_i_2 = part_2[warp_2];
        sum_4 += part_i_2;
    }
    if (st_thread() == 0) {
        sum_parts[chunk] = sum_3;
        sum_parts_2[chunk] = sum_4;
    }
}

/* sub, sqr, sum over x_d0 */
/* models.py:47: z = (x - mu) * T.exp(-s) */
ST_KERNEL(256) kernel_0_sub_sqr_sum_3(const double *sum_parts, const double *sum_parts_2,
        double *total, double *total_2, int32_t chunks) {
    const int32_t one = (int32_t)st_block_of_row();
    double sum_5 = 0.0;
    double sum_6 = 0.0;
    ST_SHARED(double, part_3, 8);
    ST_SHARED(double, part_4, 8);
    {
        const int32_t warp_3 = st_warp();
        double sum_9 = 0.0;
        double sum_10 = 0.0;
        {
            const int32_t lane_2 = st_lane();
            for (int32_t chunk_3 = lane_2 + warp_3*32; chunk_3 < chunks; chunk_3 += 256) {
                const double sum_parts_i_2 = sum_parts[chunk_3];
                sum_9 += sum_parts_i_2;
                const double sum_parts_2_i_2 = sum_parts_2[chunk_3];
                sum_10 += sum_parts_2_i_2;
            }
        }
        sum_9 = st_warp_add_float64(sum_9);
        sum_10 = st_warp_add_float64(sum_10);
        if (st_lane() == 0) {
            part_3[warp_3] = sum_9;
            part_4[warp_3] = sum_10;
        }
    }
    st_wait_for_block();
    for (int32_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const double part_i_3 = part_3[warp_4];
        sum_5 += part_i_3;
        const double part_i_4 = part_4[warp_4];
        sum_6 += part_i_4;
    }
    if (st_thread() == 0) {
        total[0] = sum_5;
        total_2[0] = sum_6;
    }
}

ST_KERNEL(1) likelihood_2(const double *total, const double *total_2, double *cells_f64) {
    const int32_t one_6 = (int32_t)st_block_of_row();
    {
        const double sum_11 = total[0];
        const double sum_12 = total_2[0];
        cells_f64[0] = sum_11;
        cells_f64[1] = sum_12;
    }
}

ST_KERNEL(1) likelihood_3(const double *cells_f64, double *out, double *out_2, double *out_3,
        double exp_neg_s_value, double s_5, double x_d0_f64) {
    const int32_t one_8 = (int32_t)st_block_of_row();
    {
        const double sum_13 = cells_f64[0];
        const double sum_2_2 = cells_f64[1];
        /* models.py:47: z = (x - mu) * T.exp(-s) */
        const double s_13 = sum_13 * exp_neg_s_value;
        const double s_14 = s_13 * exp_neg_s_value;
        /* models.py:48: cost = (-0.5 * T.sqr(z) - s).sum() */
        const double s_15 = s_14 * (-0.5);
        const double s_16 = s_15 + s_5;
        out[0] = s_16;
        /* models.py:47: z = (x - mu) * T.exp(-s) */
        const double s_17 = sum_2_2 * exp_neg_s_value;
        const double s_18 = s_17 * exp_neg_s_value;
        out_2[0] = s_18;
        const double s_19 = s_14 - x_d0_f64;
        out_3[0] = s_19;
    }
}

/* The host. */

/* sub, sqr, sum over x_d0 */
/* models.py:47: z = (x - mu) * T.exp(-s) */
ST_KERNEL int32_t kernel_0_sub_sqr_sum(const st_runtime *runtime, st_call *call, st_error *error,
        const double *x_device, double *sum_parts, double *sum_parts_2, double *total,
        double *total_2, const int64_t x_d0, const double mu_value) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(x_d0, 1, 8192, 1024);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    void *st_arguments_1[] = {(void *)&x_device, (void *)&sum_parts, (void *)&sum_parts_2,
            (void *)&chunks, (void *)&rows, (void *)&x_d0, (void *)&mu_value};
    ST_ASK(launch, 0,
            !st_fits((st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 544),
            st_block_count(chunks, 1), 256, st_arguments_1);
    void *st_arguments_2[] = {(void *)&sum_parts, (void *)&sum_parts_2, (void *)&total,
            (void *)&total_2, (void *)&chunks};
    ST_ASK(launch, 1, !st_fits(st_extent(chunks) + 544), st_block_count(1, 1), 256, st_arguments_2);
done:
    return status;
}

/* likelihood
   inputs: float64 x[x_d0], float64 mu[1], float64 s[1]
   outputs: float64 out[1], float64 out_host[1], float64 out_2[1], float64 out_2_host[1],
       float64 out_3[1], float64 out_3_host[1], float64 cells_f64[2], float64 x_device[x_d0]
   workspace: 16400 bytes
   1. total, total_2 = kernel_0_sub_sqr_sum(x_device): sub, sqr, sum over x_d0; reads x_d0*8,
       writes 16 bytes */
ST_EXPORT int32_t likelihood(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *device_arena = NULL;
    const double *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0];
    const double *mu = inputs[1].data;
    const double *s = inputs[2].data;

    double *cells_f64 = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(cells_f64, MEMORY, -1, 16, ST_ON_DEVICE - 1);
    double *out = st_device_memory(call, 8, 8.0);
    ST_REQUIRE(out, MEMORY, -1, 8, ST_ON_DEVICE - 2);
    double *out_2 = st_device_memory(call, 8, 8.0);
    ST_REQUIRE(out_2, MEMORY, -1, 8, ST_ON_DEVICE - 3);
    double *out_3 = st_device_memory(call, 8, 8.0);
    ST_REQUIRE(out_3, MEMORY, -1, 8, ST_ON_DEVICE - 4);

    const double mu_value = mu[0];

    double *x_device = st_device_memory(call, x_d0*8, 8.0*x_d0);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*8, ST_ON_DEVICE - 5);

    ST_ASK(to_device, x_device, x, x_d0*8);

    const int64_t st_sum_parts_2_at = st_padded(8192);
    const int64_t st_total_at = st_sum_parts_2_at + st_padded(8192);
    const int64_t st_total_2_at = st_total_at + st_padded(8);
    const int64_t device_arena_bytes = st_total_2_at + st_padded(8);
    device_arena = st_device_memory(call, device_arena_bytes, 16400.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    double *sum_parts = (double *)device_arena;
    double *sum_parts_2 = (double *)(device_arena + st_sum_parts_2_at);
    double *total = (double *)(device_arena + st_total_at);
    double *total_2 = (double *)(device_arena + st_total_2_at);

    status = kernel_0_sub_sqr_sum(runtime, call, error, x_device, sum_parts, sum_parts_2, total,
            total_2, x_d0, mu_value);
    if (status != ST_OK) goto done;
    /* models.py:48: cost = (-0.5 * T.sqr(z) - s).sum() */
    const double x_d0_f64 = (double)x_d0;
    void *st_arguments_3[] = {(void *)&total, (void *)&total_2, (void *)&cells_f64};
    ST_ASK(launch, 2, false, st_block_count(1, 1), 1, st_arguments_3);
    const double s_value = s[0];
    const double s_2 = s_value * x_d0_f64;
    const double s_3 = -s_2;
    const bool s_4 = x_d0_f64 == 0.0;
    const double s_5 = s_4 ? 0.0 : s_3;
    /* models.py:47: z = (x - mu) * T.exp(-s) */
    const double neg_s_value = -s_value;
    const double exp_neg_s_value = exp(neg_s_value);
    void *st_arguments_4[] = {(void *)&cells_f64, (void *)&out, (void *)&out_2, (void *)&out_3,
            (void *)&exp_neg_s_value, (void *)&s_5, (void *)&x_d0_f64};
    ST_ASK(launch, 3, false, st_block_count(1, 1), 1, st_arguments_4);

    double *out_host = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out_host, MEMORY, -1, 8, 0);

    ST_ASK(to_host, out_host, out, 8);

    double *out_2_host = ST_ALLOCATE(1, 1);
    ST_REQUIRE(out_2_host, MEMORY, -1, 8, 1);

    ST_ASK(to_host, out_2_host, out_2, 8);

    double *out_3_host = ST_ALLOCATE(2, 1);
    ST_REQUIRE(out_3_host, MEMORY, -1, 8, 2);

    ST_ASK(to_host, out_3_host, out_3, 8);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
