ST_DEVICE double st_warp_add_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = first + second;
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

/* lt, ge, and_, all over ids_d0 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_0_lt_ge_all_2(const int64_t *ids_device, uint8_t *all_parts, int64_t chunks,
        int64_t rows, int64_t ids_d0, int64_t table_d0, int64_t neg_table_d0) {
    const int64_t chunk = st_block();
    if (chunk >= chunks) return;
    const int64_t start = chunk*rows;
    const int64_t k = rows + start;
    const int64_t stop = k < ids_d0 ? k : ids_d0;
    uint8_t all_2 = true;
    ST_SHARED(uint8_t, part, 8);
    {
        const int64_t warp = st_warp();
        uint8_t all_4 = true;
        {
            const int64_t lane = st_lane();
            for (int64_t i = lane + start + warp*32; i < stop; i += 256) {
                const int64_t ids_i = ids_device[i];
                /* models.py:79: cost = T.tanh(table[ids]).sum() */
                const bool v = ids_i < table_d0;
                const bool v_2 = ids_i >= neg_table_d0;
                const bool v_3 = v_2 & v;
                all_4 = all_4 & v_3;
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

/* lt, ge, and_, all over ids_d0 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_0_lt_ge_all_3(const uint8_t *all_parts, uint8_t *total, int64_t chunks) {
    const int64_t one = st_block();
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
        total[0] = all_3;
    }
}

/* tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_1_tanh_cosh_reciprocal_2(const int64_t *cells_i64, const int64_t *ids_device,
        const float *table_device, float *cost_sqr, double *sum_f64_parts, int64_t chunks_2,
        int64_t rows_2, int64_t ids_d0, int64_t table_d0, int64_t table_d1) {
    const int64_t chunk_4 = st_block();
    if (chunk_4 >= chunks_2) return;
    const int64_t status_3 = cells_i64[0];
    const bool fine = status_3 == 0LL;
    if (fine) {
        const int64_t start_2 = chunk_4*rows_2;
        const int64_t k_2 = rows_2 + start_2;
        const int64_t stop_2 = k_2 < ids_d0 ? k_2 : ids_d0;
        double sum_f64_2 = 0.0;
        ST_SHARED(double, part_3, 8);
        {
            const int64_t warp_5 = st_warp();
            double sum_f64_4 = 0.0;
            {
                const int64_t lane_3 = st_lane();
                for (int64_t i_2 = lane_3 + start_2 + warp_5*32; i_2 < stop_2; i_2 += 256) {
                    const int64_t ids_i_2 = ids_device[i_2];
                    /* models.py:79: cost = T.tanh(table[ids]).sum() */
                    const bool v_4 = ids_i_2 < 0LL;
                    const int64_t v_5 = ids_i_2 + table_d0;
                    const int64_t v_6 = v_4 ? v_5 : ids_i_2;
                    for (int64_t j = 0; j < table_d1; j++) {
                        const float table_i = table_device[table_d1*v_6 + j];
                        const float v_7 = tanhf(table_i);
                        const double v_8 = (double)v_7;
                        sum_f64_4 += v_8;
                        const float v_9 = coshf(table_i);
                        const float v_10 = 1 / v_9;
                        const float v_11 = v_10 * v_10;
                        cost_sqr[i_2*table_d1 + j] = v_11;
                    }
                }
            }
            sum_f64_4 = st_warp_add_float64(sum_f64_4);
            if (st_lane() == 0) {
                part_3[warp_5] = sum_f64_4;
            }
        }
        st_wait_for_block();
        for (int64_t warp_6 = 0; warp_6 < 8; warp_6++) {
            const double part_i_3 = part_3[warp_6];
            sum_f64_2 += part_i_3;
        }
        if (st_thread() == 0) {
            sum_f64_parts[chunk_4] = sum_f64_2;
        }
    }
}

/* tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_1_tanh_cosh_reciprocal_3(const int64_t *cells_i64,
        const double *sum_f64_parts, double *total_2, int64_t chunks_2) {
    const int64_t one_6 = st_block();
    const int64_t status_4 = cells_i64[0];
    const bool fine_2 = status_4 == 0LL;
    if (fine_2) {
        double sum_f64_3 = 0.0;
        ST_SHARED(double, part_4, 8);
        {
            const int64_t warp_7 = st_warp();
            double sum_f64_5 = 0.0;
            {
                const int64_t lane_4 = st_lane();
                for (int64_t chunk_6 = lane_4 + warp_7*32; chunk_6 < chunks_2; chunk_6 += 256) {
                    const double sum_f64_parts_i_2 = sum_f64_parts[chunk_6];
                    sum_f64_5 += sum_f64_parts_i_2;
                }
            }
            sum_f64_5 = st_warp_add_float64(sum_f64_5);
            if (st_lane() == 0) {
                part_4[warp_7] = sum_f64_5;
            }
        }
        st_wait_for_block();
        for (int64_t warp_8 = 0; warp_8 < 8; warp_8++) {
            const double part_i_4 = part_4[warp_8];
            sum_f64_3 += part_i_4;
        }
        if (st_thread() == 0) {
            total_2[0] = sum_f64_3;
        }
    }
}

/* zero table_d0*table_d1 elements */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_zero_2(const int64_t *cells_i64, float *out, int64_t table_d0,
        int64_t table_d1) {
    alignas(16) float out_four[4];
    const int64_t first = st_block()*1024;
    if (first >= table_d0*table_d1) return;
    const int64_t status_5 = cells_i64[0];
    const bool fine_3 = status_5 == 0LL;
    if (fine_3) {
        const int64_t k_3 = first + 1024;
        const int64_t k_4 = table_d0*table_d1;
        const int64_t stop_3 = k_3 < k_4 ? k_3 : k_4;
        const bool aligned = st_is_aligned(&out[first]);
        const int64_t k_5 = stop_3 - first;
        const int64_t whole = k_5 & (-4LL);
        const int64_t in_vectors = aligned ? whole : 0LL;
        const int64_t rest = first + in_vectors;
        {
            const int64_t thread = st_thread();
            const int64_t i_5 = first + thread*4;
            const bool some = i_5 < rest;
            if (some) {
                ST_UNROLL
                for (int64_t k_6 = 0; k_6 < 4; k_6++) {
                    out_four[k_6] = 0.0f;
                }
                const st_four<float> four = *(const st_four<float> *)&out_four[0];
                st_store_four(&out[i_5], four);
            }
            for (int64_t i_4 = rest + thread; i_4 < stop_3; i_4 += 256) {
                out[i_4] = 0.0f;
            }
        }
    }
}

/* AdvancedIncSubtensor1{inc} */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_advancedincsubtensor1_2(const int64_t *cells_i64, const int64_t *ids_device,
        const float *cost_sqr, float *out, int64_t ranges, int64_t table_d1, int64_t rows_3,
        int64_t table_d0, int64_t ids_d0) {
    const int64_t st_blocks_1 = (table_d1 + 255)/256;
    const int64_t st_outer_0 = st_block() / (st_blocks_1);
    const int64_t range = st_outer_0;
    if (range >= ranges) return;
    const int64_t first_2 = (st_block() - st_outer_0*(st_blocks_1))*256;
    if (first_2 >= table_d1) return;
    const int64_t status_6 = cells_i64[0];
    const bool fine_4 = status_6 == 0LL;
    if (fine_4) {
        const int64_t start_3 = range*rows_3;
        const int64_t k_7 = rows_3 + start_3;
        const int64_t stop_4 = k_7 < table_d0 ? k_7 : table_d0;
        const int64_t k_8 = first_2 + 256;
        const int64_t last = k_8 < table_d1 ? k_8 : table_d1;
        {
            const int64_t thread_2 = st_thread();
            for (int64_t j_2 = first_2 + thread_2; j_2 < last; j_2 += 256) {
                for (int64_t i_3 = 0; i_3 < ids_d0; i_3++) {
                    const int64_t ids_i_3 = ids_device[i_3];
                    /* models.py:79: cost = T.tanh(table[ids]).sum() */
                    const bool v_12 = ids_i_3 < 0LL;
                    const int64_t v_13 = ids_i_3 + table_d0;
                    const int64_t v_14 = v_12 ? v_13 : ids_i_3;
                    const bool v_16 = v_14 >= start_3;
                    const bool v_17 = v_14 < stop_4;
                    const bool v_18 = v_16 & v_17;
                    if (v_18) {
                        const float cost_sqr_i = cost_sqr[i_3*table_d1 + j_2];
                        const float out_i = out[table_d1*v_14 + j_2];
                        const float v_15 = out_i + cost_sqr_i;
                        out[table_d1*v_14 + j_2] = v_15;
                    }
                }
            }
        }
    }
}

ST_KERNEL(1) embedding_2(const uint8_t *total, int64_t *cells_i64) {
    const int64_t one_11 = st_block();
    {
        const bool all_6 = total[0] != 0;
        /* models.py:79: cost = T.tanh(table[ids]).sum() */
        const bool failed_2 = !all_6;
        const int64_t status_2 = failed_2 ? 1LL : 0LL;
        cells_i64[0] = status_2;
    }
}

ST_KERNEL(1) embedding_3(const double *total_2, float *out_2) {
    const int64_t one_13 = st_block();
    {
        const double sum_f64_6 = total_2[0];
        /* models.py:79: cost = T.tanh(table[ids]).sum() */
        const float sum_2 = (float)sum_f64_6;
        out_2[0] = sum_2;
    }
}

/* The host. */

/* lt, ge, and_, all over ids_d0 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_0_lt_ge_all(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *ids_device, uint8_t *all_parts, uint8_t *total, const int64_t ids_d0,
        const int64_t table_d0, const int64_t neg_table_d0) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(ids_d0, 1, 8192, 1024);
    const int64_t chunks = (ids_d0 + rows - 1) / rows;
    void *st_arguments_1[] = {(void *)&ids_device, (void *)&all_parts, (void *)&chunks,
            (void *)&rows, (void *)&ids_d0, (void *)&table_d0, (void *)&neg_table_d0};
    ST_ASK(launch, 0, st_block_count(chunks, 1), 256, st_arguments_1);
    void *st_arguments_2[] = {(void *)&all_parts, (void *)&total, (void *)&chunks};
    ST_ASK(launch, 1, st_block_count(1, 1), 256, st_arguments_2);
done:
    return status;
}

/* tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_1_tanh_cosh_reciprocal(const st_runtime *runtime, st_call *call,
        st_error *error, const int64_t *cells_i64, const int64_t *ids_device,
        const float *table_device, float *cost_sqr, double *sum_f64_parts, double *total_2,
        const int64_t ids_d0, const int64_t table_d1, const int64_t table_d0) {
    int32_t status = ST_OK;
    const int64_t rows_2 = st_chunk_rows(ids_d0, table_d1, 8192, 1024);
    const int64_t chunks_2 = (ids_d0 + rows_2 - 1) / rows_2;
    void *st_arguments_4[] = {(void *)&cells_i64, (void *)&ids_device, (void *)&table_device,
            (void *)&cost_sqr, (void *)&sum_f64_parts, (void *)&chunks_2, (void *)&rows_2,
            (void *)&ids_d0, (void *)&table_d0, (void *)&table_d1};
    ST_ASK(launch, 2, st_block_count(chunks_2, 1), 256, st_arguments_4);
    void *st_arguments_5[] = {(void *)&cells_i64, (void *)&sum_f64_parts, (void *)&total_2,
            (void *)&chunks_2};
    ST_ASK(launch, 3, st_block_count(1, 1), 256, st_arguments_5);
done:
    return status;
}

/* zero table_d0*table_d1 elements */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_zero(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, float *out, const int64_t table_d0, const int64_t table_d1) {
    int32_t status = ST_OK;
    void *st_arguments_6[] = {(void *)&cells_i64, (void *)&out, (void *)&table_d0,
            (void *)&table_d1};
    ST_ASK(launch, 4, st_block_count(table_d0*table_d1, 1024), 256, st_arguments_6);
done:
    return status;
}

/* AdvancedIncSubtensor1{inc} */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_advancedincsubtensor1(const st_runtime *runtime, st_call *call,
        st_error *error, const int64_t *cells_i64, const int64_t *ids_device, const float *cost_sqr,
        float *out, const int64_t table_d0, const int64_t table_d1, const int64_t ids_d0) {
    int32_t status = ST_OK;
    const int64_t rows_3 = st_chunk_rows(table_d0, 1, 1, 128);
    const int64_t ranges = (rows_3 + table_d0 - 1) / rows_3;
    void *st_arguments_7[] = {(void *)&cells_i64, (void *)&ids_device, (void *)&cost_sqr,
            (void *)&out, (void *)&ranges, (void *)&table_d1, (void *)&rows_3, (void *)&table_d0,
            (void *)&ids_d0};
    ST_ASK(launch, 5, st_block_count(ranges, 1) * st_block_count(table_d1, 256), 256,
            st_arguments_7);
done:
    return status;
}

/* embedding
   inputs: float32 table[table_d0*table_d1], int64 ids[ids_d0]
   outputs: float32 out_2[1], float32 out_2_host[1], float32 out[table_d0*table_d1],
       float32 out_host[table_d0*table_d1], int64 cells_i64[1], int64 ids_device[ids_d0],
       float32 table_device[table_d0*table_d1]
   workspace: ids_d0*table_d1*4 + 9225 bytes
   1. total = kernel_0_lt_ge_all(ids_device): lt, ge, and_, all over ids_d0; reads ids_d0*8,
       writes 1 bytes
   2. cost_sqr, total_2 = kernel_1_tanh_cosh_reciprocal(cells_i64, ids_device, table_device):
       tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1; reads table_d0*table_d1*4 +
       ids_d0*8 + 8, writes ids_d0*table_d1*4 + 8 bytes
   3. out = kernel_zero(cells_i64): zero table_d0*table_d1 elements; reads 8, writes
       table_d0*table_d1*4 bytes
   4. out = kernel_advancedincsubtensor1(cells_i64, ids_device, cost_sqr, out):
       AdvancedIncSubtensor1; reads (table_d1*4 + 8)*ids_d0 + table_d0*table_d1*4 + 8, writes
       table_d0*table_d1*4 bytes */
ST_EXPORT int32_t embedding(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *device_arena = NULL;
    const float *table = inputs[0].data;
    const int64_t table_d0 = inputs[0].shape[0], table_d1 = inputs[0].shape[1];
    const int64_t *ids = inputs[1].data;
    const int64_t ids_d0 = inputs[1].shape[0];

    int64_t *cells_i64 = st_device_memory(call, 8, 8.0);
    ST_REQUIRE(cells_i64, MEMORY, -1, 8, ST_ON_DEVICE - 1);

    /* models.py:79: cost = T.tanh(table[ids]).sum() */
    const int64_t neg_table_d0 = -table_d0;

    int64_t *ids_device = st_device_memory(call, ids_d0*8, 8.0*ids_d0);
    ST_REQUIRE(ids_device, MEMORY, -1, ids_d0*8, ST_ON_DEVICE - 2);

    ST_ASK(to_device, ids_device, ids, ids_d0*8);

    const int64_t st_all_parts_at = st_padded(ids_d0*table_d1*4);
    const int64_t st_total_at = st_all_parts_at + st_padded(1024);
    const int64_t st_sum_f64_parts_at = st_total_at + st_padded(1);
    const int64_t st_total_2_at = st_sum_f64_parts_at + st_padded(8192);
    const int64_t device_arena_bytes = st_total_2_at + st_padded(8);
    device_arena = st_device_memory(call, device_arena_bytes, 4.0*ids_d0*table_d1 + 9225.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *cost_sqr = (float *)device_arena;
    uint8_t *all_parts = (uint8_t *)(device_arena + st_all_parts_at);
    uint8_t *total = (uint8_t *)(device_arena + st_total_at);
    double *sum_f64_parts = (double *)(device_arena + st_sum_f64_parts_at);
    double *total_2 = (double *)(device_arena + st_total_2_at);

    status = kernel_0_lt_ge_all(runtime, call, error, ids_device, all_parts, total, ids_d0,
            table_d0, neg_table_d0);
    if (status != ST_OK) goto done;
    void *st_arguments_3[] = {(void *)&total, (void *)&cells_i64};
    ST_ASK(launch, 6, st_block_count(1, 1), 1, st_arguments_3);

    float *out_2 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(out_2, MEMORY, -1, 4, ST_ON_DEVICE - 3);
    float *out = st_device_memory(call, table_d0*table_d1*4, 4.0*table_d0*table_d1);
    ST_REQUIRE(out, MEMORY, -1, table_d0*table_d1*4, ST_ON_DEVICE - 4);
    float *table_device = st_device_memory(call, table_d0*table_d1*4, 4.0*table_d0*table_d1);
    ST_REQUIRE(table_device, MEMORY, -1, table_d0*table_d1*4, ST_ON_DEVICE - 5);

    ST_ASK(to_device, table_device, table, table_d0*table_d1*4);
    status = kernel_1_tanh_cosh_reciprocal(runtime, call, error, cells_i64, ids_device,
            table_device, cost_sqr, sum_f64_parts, total_2, ids_d0, table_d1, table_d0);
    if (status != ST_OK) goto done;
    status = kernel_zero(runtime, call, error, cells_i64, out, table_d0, table_d1);
    if (status != ST_OK) goto done;
    status = kernel_advancedincsubtensor1(runtime, call, error, cells_i64, ids_device, cost_sqr,
            out, table_d0, table_d1, ids_d0);
    if (status != ST_OK) goto done;
    void *st_arguments_8[] = {(void *)&total_2, (void *)&out_2};
    ST_ASK(launch, 7, st_block_count(1, 1), 1, st_arguments_8);
    int64_t status_7;
    ST_ASK(to_host, &status_7, &cells_i64[0], sizeof status_7);
    const bool fine_5 = status_7 != 1LL;
    ST_REQUIRE(fine_5, INDEX, 0, table_d0);

    float *out_2_host = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out_2_host, MEMORY, -1, 4, 0);

    ST_ASK(to_host, out_2_host, out_2, 4);

    float *out_host = ST_ALLOCATE(1, table_d0, table_d1);
    ST_REQUIRE(out_host, MEMORY, -1, table_d0*table_d1*4, 1);

    ST_ASK(to_host, out_host, out, table_d0*table_d1*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
