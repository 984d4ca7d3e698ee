/* identity over x_d1 x x_d0 */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_0_identity_2(const float *x_device, float *identity, int64_t x_d1,
        int64_t x_d0) {
    const int64_t st_blocks_1 = (x_d0 + 31)/32;
    const int64_t st_outer_0 = st_block() / (st_blocks_1);
    const int64_t tile = st_outer_0*32;
    if (tile >= x_d1) return;
    const int64_t tile_2 = (st_block() - st_outer_0*(st_blocks_1))*32;
    if (tile_2 >= x_d0) return;
    ST_SHARED(float, tile_3, 1056);
    const int64_t k = tile + 32;
    const int64_t stop = k < x_d1 ? k : x_d1;
    const int64_t k_2 = tile_2 + 32;
    const int64_t stop_2 = k_2 < x_d0 ? k_2 : x_d0;
    {
        const int64_t warp = st_warp();
        {
            const int64_t lane = st_lane();
            for (int64_t j_3 = tile_2 + warp; j_3 < stop_2; j_3 += 8) {
                for (int64_t i_4 = lane + tile; i_4 < stop; i_4 += 32) {
                    const float x_i_3 = x_device[j_3*x_d1 + i_4];
                    tile_3[i_4*33 + j_3 - tile*33 - tile_2] = x_i_3;
                }
            }
        }
    }
    st_wait_for_block();
    {
        const int64_t warp_2 = st_warp();
        {
            const int64_t lane_2 = st_lane();
            for (int64_t i_5 = tile + warp_2; i_5 < stop; i_5 += 8) {
                for (int64_t j_4 = lane_2 + tile_2; j_4 < stop_2; j_4 += 32) {
                    const float x_i_4 = tile_3[i_5*33 + j_4 - tile*33 - tile_2];
                    identity[i_5*x_d0 + j_4] = x_i_4;
                }
            }
        }
    }
}

/* copy x_d0*x_d1 elements */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_copy_2(const float *x_device, float *sort_2, int64_t x_d0, int64_t x_d1) {
    const int64_t first = st_block()*1024;
    if (first >= x_d0*x_d1) return;
    const int64_t k_3 = first + 1024;
    const int64_t k_4 = x_d0*x_d1;
    const int64_t stop_3 = k_3 < k_4 ? k_3 : k_4;
    {
        const int64_t thread = st_thread();
        for (int64_t i_3 = first + thread; i_3 < stop_3; i_3 += 256) {
            const float x_i_2 = x_device[i_3];
            sort_2[i_3] = x_i_2;
        }
    }
}

ST_KERNEL(1) sorted_columns_2(const float *sort_2, float *out_2, int64_t n) {
    const int64_t one = st_block();
    {
        const float sort_2_i_2 = sort_2[n];
        out_2[0] = sort_2_i_2;
    }
}

/* The host. */

/* identity over x_d1 x x_d0 */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL int32_t kernel_0_identity(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, float *identity, const int64_t x_d1, const int64_t x_d0) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&x_device, (void *)&identity, (void *)&x_d1, (void *)&x_d0};
    ST_ASK(launch, 0, st_block_count(x_d1, 32) * st_block_count(x_d0, 32), 256, st_arguments_1);
done:
    return status;
}

/* copy x_d0*x_d1 elements */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL int32_t kernel_copy(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, float *sort_2, const int64_t x_d0, const int64_t x_d1) {
    int32_t status = ST_OK;
    void *st_arguments_2[] = {(void *)&x_device, (void *)&sort_2, (void *)&x_d0, (void *)&x_d1};
    ST_ASK(launch, 1, st_block_count(x_d0*x_d1, 1024), 256, st_arguments_2);
done:
    return status;
}

/* sorted_columns
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[x_d0*x_d1], float32 out_host[x_d0*x_d1], float32 out_2[1],
       float32 out_2_host[1], float32 x_device[x_d0*x_d1], float32 sort_host[x_d0*x_d1],
       float32 sort_2_host[x_d0*x_d1]
   workspace: x_d0*x_d1*8 + workspace_bytes bytes
   1. identity = kernel_0_identity(x_device): identity over x_d1 x x_d0; reads x_d0*x_d1*4,
       writes x_d0*x_d1*4 bytes
   2. sort_host = st_sort_f32(sort_host): reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes
   3. sort_2 = kernel_copy(x_device): copy x_d0*x_d1 elements; reads x_d0*x_d1*4, writes
       x_d0*x_d1*4 bytes
   4. sort_2_host = st_sort_f32(sort_2_host): reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes
   5. out = kernel_0_identity(sort): identity over x_d1 x x_d0; reads x_d0*x_d1*4, writes
       x_d0*x_d1*4 bytes */
ST_EXPORT int32_t sorted_columns(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
    const int64_t s = x_d0 * x_d1;
    const int64_t n = st_int_div_i64(s, 2LL);
    ST_REQUIRE((n >= (-s)) & (n < s), INDEX, 0, n, s);
    const int64_t sort_bytes = st_sort_bytes_f32(runtime, &(st_rows){.rows = x_d1, .n = x_d0});
    const int64_t sort_bytes_2 = st_sort_bytes_f32(runtime, &(st_rows){.rows = 1, .n = x_d0*x_d1});
    const int64_t workspace_bytes = sort_bytes > sort_bytes_2 ? sort_bytes : sort_bytes_2;

    float *out = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 1);
    float *out_2 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(out_2, MEMORY, -1, 4, ST_ON_DEVICE - 2);
    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 3);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);

    const int64_t arena_bytes = st_padded(workspace_bytes);
    arena = st_arena_open(runtime, arena_bytes, 1.0*workspace_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;
    int8_t *workspace_2 = (int8_t *)arena;

    const int64_t st_sort_2_at = st_padded(x_d0*x_d1*4);
    const int64_t device_arena_bytes = st_sort_2_at + st_padded(x_d0*x_d1*4);
    device_arena = st_device_memory(call, device_arena_bytes, 8.0*x_d0*x_d1);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *identity = (float *)device_arena;
    float *sort = (float *)device_arena;
    float *sort_2 = (float *)(device_arena + st_sort_2_at);

    status = kernel_0_identity(runtime, call, error, x_device, identity, x_d1, x_d0);
    if (status != ST_OK) goto done;

    float *sort_host = ST_ALLOCATE(3, x_d0*x_d1);
    ST_REQUIRE(sort_host, MEMORY, -1, x_d0*x_d1*4, 3);

    ST_ASK(to_host, sort_host, sort, x_d0*x_d1*4);
    st_sort_f32(runtime, &(st_rows){.rows = x_d1, .n = x_d0}, sort_host, workspace, sort_bytes);
    ST_ASK(to_device, sort, sort_host, x_d0*x_d1*4);
    status = kernel_copy(runtime, call, error, x_device, sort_2, x_d0, x_d1);
    if (status != ST_OK) goto done;

    float *sort_2_host = ST_ALLOCATE(4, x_d0*x_d1);
    ST_REQUIRE(sort_2_host, MEMORY, -1, x_d0*x_d1*4, 4);

    ST_ASK(to_host, sort_2_host, sort_2, x_d0*x_d1*4);
    ST_LEAVE_IF_ENDED;
    st_sort_f32(runtime, &(st_rows){.rows = 1, .n = x_d0*x_d1}, sort_2_host, workspace_2,
            sort_bytes_2);
    ST_ASK(to_device, sort_2, sort_2_host, x_d0*x_d1*4);
    status = kernel_0_identity(runtime, call, error, sort, out, x_d0, x_d1);
    if (status != ST_OK) goto done;
    void *st_arguments_3[] = {(void *)&sort_2, (void *)&out_2, (void *)&n};
    ST_ASK(launch, 2, st_block_count(1, 1), 1, st_arguments_3);

    float *out_host = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out_host, MEMORY, -1, x_d0*x_d1*4, 0);

    ST_ASK(to_host, out_host, out, x_d0*x_d1*4);

    float *out_2_host = ST_ALLOCATE(1, 1);
    ST_REQUIRE(out_2_host, MEMORY, -1, 4, 1);

    ST_ASK(to_host, out_2_host, out_2, 4);
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
