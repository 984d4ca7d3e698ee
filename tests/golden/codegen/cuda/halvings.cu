ST_DEVICE double st_warp_larger_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = second > first ? second : first;
    }
    return value;
}

ST_DEVICE double st_warp_nan_or_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = second != second ? second : first;
    }
    return value;
}

/* copy x_d0 elements */
/* models.py:151: rows, _ = scan( */
ST_KERNEL(256) kernel_copy_3(const double *x_device, double *scan, int32_t x_d0) {
    alignas(16) double x_four[4];
    alignas(16) double scan_four[4];
    const int32_t first = (int32_t)st_block_of_row()*1024;
    const int32_t k = first + 1024;
    const int32_t stop = k < x_d0 ? k : x_d0;
    const bool aligned = st_is_aligned(&x_device[first]);
    const bool aligned_2 = st_is_aligned(&scan[first]);
    const bool vectors = aligned & aligned_2;
    const int32_t k_2 = stop - first;
    const int32_t whole = k_2 & (-4);
    const int32_t in_vectors = vectors ? whole : 0;
    const int32_t rest = first + in_vectors;
    {
        const int32_t thread = st_thread();
        const int32_t i_5 = first + thread*4;
        const bool some = i_5 < rest;
        if (some) {
            const st_four<double> four = st_load_four(&x_device[i_5]);
            *(st_four<double> *)&x_four[0] = four;
            ST_UNROLL
            for (int32_t k_3 = 0; k_3 < 4; k_3++) {
                const double x_i_2 = x_four[k_3];
                scan_four[k_3] = x_i_2;
            }
            const st_four<double> four_2 = *(const st_four<double> *)&scan_four[0];
            st_store_four(&scan[i_5], four_2);
        }
        for (int32_t i_3 = rest + thread; i_3 < stop; i_3 += 256) {
            const double x_i = x_device[i_3];
            scan[i_3] = x_i;
        }
    }
}

/* copy rows*x_d0 + x_d0 elements */
/* models.py:151: rows, _ = scan( */
ST_KERNEL(256) kernel_copy_2_2(const double *scan, double *scan_larger, int32_t rows,
        int32_t x_d0) {
    alignas(16) double scan_four_2[4];
    alignas(16) double scan_larger_four[4];
    const int32_t first_2 = (int32_t)st_block_of_row()*1024;
    const int32_t k_4 = first_2 + 1024;
    const int32_t k_5 = (rows + 1)*x_d0;
    const int32_t stop_2 = k_4 < k_5 ? k_4 : k_5;
    const bool aligned_3 = st_is_aligned(&scan[first_2]);
    const bool aligned_4 = st_is_aligned(&scan_larger[first_2]);
    const bool vectors_2 = aligned_3 & aligned_4;
    const int32_t k_6 = stop_2 - first_2;
    const int32_t whole_2 = k_6 & (-4);
    const int32_t in_vectors_2 = vectors_2 ? whole_2 : 0;
    const int32_t rest_2 = first_2 + in_vectors_2;
    {
        const int32_t thread_2 = st_thread();
        const int32_t i_6 = first_2 + thread_2*4;
        const bool some_2 = i_6 < rest_2;
        if (some_2) {
            const st_four<double> four_3 = st_load_four(&scan[i_6]);
            *(st_four<double> *)&scan_four_2[0] = four_3;
            ST_UNROLL
            for (int32_t k_7 = 0; k_7 < 4; k_7++) {
                const double scan_i_3 = scan_four_2[k_7];
                scan_larger_four[k_7] = scan_i_3;
            }
            const st_four<double> four_4 = *(const st_four<double> *)&scan_larger_four[0];
            st_store_four(&scan_larger[i_6], four_4);
        }
        for (int32_t i_4 = rest_2 + thread_2; i_4 < stop_2; i_4 += 256) {
            const double scan_i_2 = scan[i_4];
            scan_larger[i_4] = scan_i_2;
        }
    }
}

/* mul, max over x_d0 */
/* models.py:152: lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n */
ST_KERNEL(256) kernel_0_mul_max_2(const double *state, double *next, double *max_parts,
        double *nan_parts, int32_t chunks, int32_t rows_2, int32_t x_d0) {
    const int32_t chunk = (int32_t)st_block_of_row();
    const int32_t start = chunk*rows_2;
    const int32_t k_8 = rows_2 + start;
    const int32_t stop_3 = k_8 < x_d0 ? k_8 : x_d0;
    double max_2 = -__builtin_inf();
    double nan_2 = 0.0;
    ST_SHARED(double, part, 8);
    ST_SHARED(double, part_2, 8);
    {
        const int32_t warp = st_warp();
        double max_4 = -__builtin_inf();
        double nan_4 = 0.0;
        {
            const int32_t lane = st_lane();
            for (int32_t i = lane + start + warp*32; i < stop_3; i += 256) {
                const double state_i = state[i];
                /* models.py:152: lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n */
                const double v_5 = state_i * 0.5;
                max_4 = state_i > max_4 ? state_i : max_4;
                nan_4 = state_i != state_i ? state_i : nan_4;
                next[i] = v_5;
            }
        }
        max_4 = st_warp_larger_float64(max_4);
        nan_4 = st_warp_nan_or_float64(nan_4);
        if (st_lane() == 0) {
            part[warp] = max_4;
            part_2[warp] = nan_4;
        }
    }
    st_wait_for_block();
    for (int32_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const double part_i = part[warp_2];
        max_2 = part_i > max_2 ? part_i : max_2;
        const double part_i_2 = part_2[warp_2];
        nan_2 = part_i_2 != part_i_2 ? part_i_2 : nan_2;
    }
    if (st_thread() == 0) {
        max_parts[chunk] = max_2;
        nan_parts[chunk] = nan_2;
    }
}

/* mul, max over x_d0 */
/* models.py:152: lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n */
ST_KERNEL(256) kernel_0_mul_max_3(const double *max_parts, const double *nan_parts, double *total,
        double *total_2, int32_t chunks) {
    const int32_t one = (int32_t)st_block_of_row();
    double max_3 = -__builtin_inf();
    double nan_3 = 0.0;
    ST_SHARED(double, part_3, 8);
    ST_SHARED(double, part_4, 8);
    {
        const int32_t warp_3 = st_warp();
        double max_5 = -__builtin_inf();
        double nan_5 = 0.0;
        {
            const int32_t lane_2 = st_lane();
            for (int32_t chunk_3 = lane_2 + warp_3*32; chunk_3 < chunks; chunk_3 += 256) {
                const double max_parts_i_2 = max_parts[chunk_3];
                max_5 = max_parts_i_2 > max_5 ? max_parts_i_2 : max_5;
                const double nan_parts_i_2 = nan_parts[chunk_3];
                nan_5 = nan_parts_i_2 != nan_parts_i_2 ? nan_parts_i_2 : nan_5;
            }
        }
        max_5 = st_warp_larger_float64(max_5);
        nan_5 = st_warp_nan_or_float64(nan_5);
        if (st_lane() == 0) {
            part_3[warp_3] = max_5;
            part_4[warp_3] = nan_5;
        }
    }
    st_wait_for_block();
    for (int32_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const double part_i_3 = part_3[warp_4];
        max_3 = part_i_3 > max_3 ? part_i_3 : max_3;
        const double part_i_4 = part_4[warp_4];
        nan_3 = part_i_4 != part_i_4 ? part_i_4 : nan_3;
    }
    if (st_thread() == 0) {
        total[0] = max_3;
        total_2[0] = nan_3;
    }
}

/* identity over n_6 x x_d0 */
/* models.py:151: rows, _ = scan( */
ST_KERNEL(256) kernel_1_identity_2(const double *scan, double *out, int32_t n_6, int32_t x_d0) {
    alignas(16) double scan_four_3[4];
    alignas(16) double out_four[4];
    const int32_t first_3 = (int32_t)st_block_of_row()*1024;
    const int32_t k_9 = first_3 + 1024;
    const int32_t k_10 = n_6*x_d0;
    const int32_t stop_4 = k_9 < k_10 ? k_9 : k_10;
    const bool aligned_5 = st_is_aligned(&scan[first_3 + x_d0]);
    const bool aligned_6 = st_is_aligned(&out[first_3]);
    const bool vectors_3 = aligned_5 & aligned_6;
    const int32_t k_11 = stop_4 - first_3;
    const int32_t whole_3 = k_11 & (-4);
    const int32_t in_vectors_3 = vectors_3 ? whole_3 : 0;
    const int32_t rest_3 = first_3 + in_vectors_3;
    {
        const int32_t thread_3 = st_thread();
        const int32_t i_7 = first_3 + thread_3*4;
        const bool some_3 = i_7 < rest_3;
        if (some_3) {
            const st_four<double> four_5 = st_load_four(&scan[i_7 + x_d0]);
            *(st_four<double> *)&scan_four_3[0] = four_5;
            ST_UNROLL
            for (int32_t k_12 = 0; k_12 < 4; k_12++) {
                const double scan_i_4 = scan_four_3[k_12];
                out_four[k_12] = scan_i_4;
            }
            const st_four<double> four_6 = *(const st_four<double> *)&out_four[0];
            st_store_four(&out[i_7], four_6);
        }
        for (int32_t i_2 = rest_3 + thread_3; i_2 < stop_4; i_2 += 256) {
            const double scan_i = scan[i_2 + x_d0];
            out[i_2] = scan_i;
        }
    }
}

/* The host. */

/* copy x_d0 elements */
/* models.py:151: rows, _ = scan( */
ST_KERNEL int32_t kernel_copy(const st_runtime *runtime, st_call *call, st_error *error,
        const double *x_device, double *scan, const int64_t x_d0) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&x_device, (void *)&scan, (void *)&x_d0};
    ST_ASK(launch, 0, !st_fits(st_extent(x_d0)*3 + 1540), st_block_count(x_d0, 1024), 256,
            st_arguments_1);
done:
    return status;
}

/* copy rows*x_d0 + x_d0 elements */
/* models.py:151: rows, _ = scan( */
ST_KERNEL int32_t kernel_copy_2(const st_runtime *runtime, st_call *call, st_error *error,
        const double *scan, double *scan_larger, const int64_t rows, const int64_t x_d0) {
    int32_t status = ST_OK;
    void *st_arguments_2[] = {(void *)&scan, (void *)&scan_larger, (void *)&rows, (void *)&x_d0};
    ST_ASK(launch, 1, !st_fits((st_extent(x_d0)*3 + 1)*st_extent(rows) + st_extent(x_d0)*3 + 1540),
            st_block_count((rows + 1)*x_d0, 1024), 256, st_arguments_2);
done:
    return status;
}

/* mul, max over x_d0 */
/* models.py:152: lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n */
ST_KERNEL int32_t kernel_0_mul_max(const st_runtime *runtime, st_call *call, st_error *error,
        const double *state, double *next, double *max_parts, double *nan_parts, double *total,
        double *total_2, const int64_t x_d0, double *st_v_6) {
    int32_t status = ST_OK;
    const int64_t rows_2 = st_chunk_rows(x_d0, 1, 8192, 1024);
    const int64_t chunks = (rows_2 + x_d0 - 1) / rows_2;
    void *st_arguments_3[] = {(void *)&state, (void *)&next, (void *)&max_parts, (void *)&nan_parts,
            (void *)&chunks, (void *)&rows_2, (void *)&x_d0};
    ST_ASK(launch, 2,
            !st_fits((st_extent(rows_2) + 1)*st_extent(chunks) + st_extent(rows_2) + st_extent(x_d0) + 544),
            st_block_count(chunks, 1), 256, st_arguments_3);
    void *st_arguments_4[] = {(void *)&max_parts, (void *)&nan_parts, (void *)&total,
            (void *)&total_2, (void *)&chunks};
    ST_ASK(launch, 3, !st_fits(st_extent(chunks) + 544), st_block_count(1, 1), 256, st_arguments_4);
    double max;
    ST_ASK(to_host, &max, &total[0], sizeof max);
    double nan;
    ST_ASK(to_host, &nan, &total_2[0], sizeof nan);
    const double v_6 = nan != nan ? nan : max;
    *st_v_6 = v_6;
done:
    return status;
}

/* identity over n_6 x x_d0 */
/* models.py:151: rows, _ = scan( */
ST_KERNEL int32_t kernel_1_identity(const st_runtime *runtime, st_call *call, st_error *error,
        const double *scan, double *out, const int64_t n_6, const int64_t x_d0) {
    int32_t status = ST_OK;
    void *st_arguments_5[] = {(void *)&scan, (void *)&out, (void *)&n_6, (void *)&x_d0};
    ST_ASK(launch, 4, !st_fits((st_extent(x_d0)*3 + 1)*st_extent(n_6) + st_extent(x_d0) + 1540),
            st_block_count(n_6*x_d0, 1024), 256, st_arguments_5);
done:
    return status;
}

/* halvings
   inputs: float64 x[x_d0], int64 n_7[1]
   outputs: float64 out[n_6*x_d0], float64 out_host[n_6*x_d0], float64 x_device[x_d0]
   workspace: (n_5*8 + 8)*x_d0 + 16408 bytes
   1. scan = kernel_copy(x_device): copy x_d0 elements; reads x_d0*8, writes (n_6*8 + 8)*x_d0
       bytes
   2. next, v_6 = kernel_0_mul_max(state): mul, max over x_d0; reads x_d0*8, writes x_d0*8 bytes
   3. out = kernel_1_identity(scan): identity over n_6 x x_d0; reads (n_6*8 + 8)*x_d0, writes
       n_6*x_d0*8 bytes */
ST_EXPORT int32_t halvings(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
    const double *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0];
    const int64_t *n_7 = inputs[1].data;
    int64_t st_left = ST_LONG_WORK;

    /* models.py:152: lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n */
    ST_REQUIRE(x_d0 > 0, VALUE, 0, x_d0);
    /* models.py:151: rows, _ = scan( */
    const int64_t s = x_d0 * 8LL;
    const int64_t n_2 = st_int_div_i64(16777216LL, s);
    const int64_t n_3 = n_2 > 1LL ? n_2 : 1LL;
    const int64_t n_value = n_7[0];
    const int64_t n_4 = n_value < n_3 ? n_value : n_3;
    const int64_t n_5 = n_4 > 0LL ? n_4 : 0LL;
    const int64_t n = n_value;

    const int64_t arena_bytes = st_padded(8);
    arena = st_arena_open(runtime, arena_bytes, 8.0);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int64_t *scan_2 = (int64_t *)arena;

    const int64_t st_max_parts_at = st_padded((n_5*8 + 8)*x_d0);
    const int64_t st_nan_parts_at = st_max_parts_at + st_padded(8192);
    const int64_t st_total_at = st_nan_parts_at + st_padded(8192);
    const int64_t st_total_2_at = st_total_at + st_padded(8);
    const int64_t device_arena_bytes = st_total_2_at + st_padded(8);
    device_arena = st_device_memory(call, device_arena_bytes, 8.0*x_d0 + 8.0*n_5*x_d0 + 16400.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    double *scan_reserved = (double *)device_arena;
    double *max_parts = (double *)(device_arena + st_max_parts_at);
    double *nan_parts = (double *)(device_arena + st_nan_parts_at);
    double *total = (double *)(device_arena + st_total_at);
    double *total_2 = (double *)(device_arena + st_total_2_at);

    double *scan = scan_reserved;
    int64_t turn = 2;
    int64_t rows = n_5;

    double *x_device = st_device_memory(call, x_d0*8, 8.0*x_d0);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*8, ST_ON_DEVICE - 1);

    ST_ASK(to_device, x_device, x, x_d0*8);
    status = kernel_copy(runtime, call, error, x_device, scan, x_d0);
    if (status != ST_OK) goto done;
    int64_t count = 0;
    uint8_t more = true;
    for (;;) {
        const bool v = count < n;
        const bool v_2 = v & more;
        if (!v_2) break;
        const bool full = count >= rows;
        if (__builtin_expect(full, 0)) {
            const int64_t v_3 = rows + rows;
            const int64_t more_2 = v_3 < n ? v_3 : n;
            double *scan_larger = st_device_memory(call, (more_2*8 + 8)*x_d0,
                    8.0*x_d0 + 8.0*more_2*x_d0);
            ST_REQUIRE(scan_larger, MEMORY, -1, (more_2*8 + 8)*x_d0, ST_ON_DEVICE - 2);
            status = kernel_copy_2(runtime, call, error, scan, scan_larger, rows, x_d0);
            if (status != ST_OK) goto done;
            double *scan_moved = scan_larger;
            {
                double *const st_before = scan;
                scan = scan_moved;
                scan_moved = st_before;
            }
            const int64_t v_4 = 3LL - turn;
            turn = v_4;
            rows = more_2;
        }
        const double *state = &scan[count*x_d0];
        double *next = &scan[(count + 1)*x_d0];
        double v_6;
        status = kernel_0_mul_max(runtime, call, error, state, next, max_parts, nan_parts, total,
                total_2, x_d0, &v_6);
        if (status != ST_OK) goto done;
        /* models.py:152: lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n */
        const bool s_6 = v_6 < 0.001;
        /* models.py:151: rows, _ = scan( */
        const int8_t s_7 = s_6 ? (int8_t)1 : (int8_t)0;
        const bool s_8 = s_7 != 0;
        const bool v_7 = !s_8;
        more = v_7;
        ST_LEAVE_IF_ENDED;
        ST_POLL(262, ST_LEAVE);
        const int64_t v_8 = count + 1LL;
        count = v_8;
    }
    scan_2[0] = count;
    const int64_t scan_2_0 = scan_2[0];
    const int64_t n_6 = scan_2_0;

    double *out = st_device_memory(call, n_6*x_d0*8, 8.0*n_6*x_d0);
    ST_REQUIRE(out, MEMORY, -1, n_6*x_d0*8, ST_ON_DEVICE - 3);

    status = kernel_1_identity(runtime, call, error, scan, out, n_6, x_d0);
    if (status != ST_OK) goto done;

    double *out_host = ST_ALLOCATE(0, n_6, x_d0);
    ST_REQUIRE(out_host, MEMORY, -1, n_6*x_d0*8, 0);

    ST_ASK(to_host, out_host, out, n_6*x_d0*8);
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
