ST_DEVICE double st_warp_add_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = first + second;
    }
    return value;
}

/* sum over x_d0 x x_d1 */
/* models.py:67: return function([x], x.sum(), name="total") */
ST_KERNEL(256) kernel_0_sum_2(const float *x_device, double *sum_f64_parts, int32_t chunks,
        int32_t rows, int32_t x_d0, int32_t x_d1) {
    const int32_t chunk = (int32_t)st_block_of_row();
    const int32_t start = chunk*rows;
    const int32_t k = rows + start;
    const int32_t k_2 = x_d0*x_d1;
    const int32_t stop = k < k_2 ? k : k_2;
    double sum_f64_2 = 0.0;
    ST_SHARED(double, part, 8);
    {
        const int32_t warp = st_warp();
        double sum_f64_4 = 0.0;
        {
            const int32_t lane = st_lane();
            for (int32_t i = lane + start + warp*32; i < stop; i += 256) {
                const float x_i = x_device[i];
                /* models.py:67: return function([x], x.sum(), name="total") */
                const double v = (double)x_i;
                sum_f64_4 += v;
            }
        }
        sum_f64_4 = st_warp_add_float64(sum_f64_4);
        if (st_lane() == 0) {
            part[warp] = sum_f64_4;
        }
    }
    st_wait_for_block();
    for (int32_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const double part_i = part[warp_2];
        sum_f64_2 += part_i;
    }
    if (st_thread() == 0) {
        sum_f64_parts[chunk] = sum_f64_2;
    }
}

/* sum over x_d0 x x_d1 */
/* models.py:67: return function([x], x.sum(), name="total") */
ST_KERNEL(256) kernel_0_sum_3(const double *sum_f64_parts, double *total_2, int32_t chunks) {
    const int32_t one = (int32_t)st_block_of_row();
    double sum_f64_3 = 0.0;
    ST_SHARED(double, part_2, 8);
    {
        const int32_t warp_3 = st_warp();
        double sum_f64_5 = 0.0;
        {
            const int32_t lane_2 = st_lane();
            for (int32_t chunk_3 = lane_2 + warp_3*32; chunk_3 < chunks; chunk_3 += 256) {
                const double sum_f64_parts_i_2 = sum_f64_parts[chunk_3];
                sum_f64_5 += sum_f64_parts_i_2;
            }
        }
        sum_f64_5 = st_warp_add_float64(sum_f64_5);
        if (st_lane() == 0) {
            part_2[warp_3] = sum_f64_5;
        }
    }
    st_wait_for_block();
    for (int32_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const double part_i_2 = part_2[warp_4];
        sum_f64_3 += part_i_2;
    }
    if (st_thread() == 0) {
        total_2[0] = sum_f64_3;
    }
}

ST_KERNEL(1) total_3(const double *total_2, float *out) {
    const int32_t one_6 = (int32_t)st_block_of_row();
    {
        const double sum_f64_6 = total_2[0];
        /* models.py:67: return function([x], x.sum(), name="total") */
        const float sum_2 = (float)sum_f64_6;
        out[0] = sum_2;
    }
}

/* The host. */

/* sum over x_d0 x x_d1 */
/* models.py:67: return function([x], x.sum(), name="total") */
ST_KERNEL int32_t kernel_0_sum(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, double *sum_f64_parts, double *total_2, const int64_t x_d0,
        const int64_t x_d1) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(x_d0*x_d1, 1, 8192, 1024);
    const int64_t chunks = (x_d0*x_d1 + rows - 1) / rows;
    void *st_arguments_1[] = {(void *)&x_device, (void *)&sum_f64_parts, (void *)&chunks,
            (void *)&rows, (void *)&x_d0, (void *)&x_d1};
    ST_ASK(launch, 0,
            !st_fits((st_extent(rows) + 1)*st_extent(chunks) + (st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(rows) + st_extent(x_d1) + 544),
            st_block_count(chunks, 1), 256, st_arguments_1);
    void *st_arguments_2[] = {(void *)&sum_f64_parts, (void *)&total_2, (void *)&chunks};
    ST_ASK(launch, 1, !st_fits(st_extent(chunks) + 544), st_block_count(1, 1), 256, st_arguments_2);
done:
    return status;
}

/* total
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[1], float32 out_host[1], float32 x_device[x_d0*x_d1]
   workspace: 8200 bytes
   1. total_2 = kernel_0_sum(x_device): sum over x_d0 x x_d1; reads x_d0*x_d1*4, writes 8 bytes */
ST_EXPORT int32_t total(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    float *out = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(out, MEMORY, -1, 4, ST_ON_DEVICE - 1);
    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 2);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);

    const int64_t st_total_2_at = st_padded(8192);
    const int64_t device_arena_bytes = st_total_2_at + st_padded(8);
    device_arena = st_device_memory(call, device_arena_bytes, 8200.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    double *sum_f64_parts = (double *)device_arena;
    double *total_2 = (double *)(device_arena + st_total_2_at);

    status = kernel_0_sum(runtime, call, error, x_device, sum_f64_parts, total_2, x_d0, x_d1);
    if (status != ST_OK) goto done;
    void *st_arguments_3[] = {(void *)&total_2, (void *)&out};
    ST_ASK(launch, 2, false, st_block_count(1, 1), 1, st_arguments_3);

    float *out_host = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out_host, MEMORY, -1, 4, 0);

    ST_ASK(to_host, out_host, out, 4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
