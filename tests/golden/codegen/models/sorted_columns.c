/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_identity_part_given {
    const float *x;
    float *identity;
    const int64_t x_d1;
    const int64_t x_d0;
} kernel_0_identity_part_given;

ST_KERNEL void kernel_0_identity_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_0_identity_part_given *const st_given = given;
    const float *x = st_given->x;
    float *identity = st_given->identity;
    const int64_t x_d1 = st_given->x_d1;
    const int64_t x_d0 = st_given->x_d0;
    _Alignas(64) float tile_3[1024];
    for (int64_t tile = begin*32; tile < end*32; tile += 32) {
        const int64_t k = tile + 32;
        const int64_t stop = k < x_d1 ? k : x_d1;
        for (int64_t tile_2 = 0; tile_2 < x_d0; tile_2 += 32) {
            const int64_t k_2 = tile_2 + 32;
            const int64_t stop_2 = k_2 < x_d0 ? k_2 : x_d0;
            for (int64_t j_3 = tile_2; j_3 < stop_2; j_3++) {
                #pragma omp simd
                for (int64_t i_3 = tile; i_3 < stop; i_3++) {
                    const float x_i_2 = x[j_3*x_d1 + i_3];
                    tile_3[i_3*32 + j_3 - tile*32 - tile_2] = x_i_2;
                }
            }
            for (int64_t i_4 = tile; i_4 < stop; i_4++) {
                #pragma omp simd
                for (int64_t j_4 = tile_2; j_4 < stop_2; j_4++) {
                    const float x_i_3 = tile_3[i_4*32 + j_4 - tile*32 - tile_2];
                    identity[i_4*x_d0 + j_4] = x_i_3;
                }
            }
        }
    }
}

/* identity over x_d1 x x_d0 */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL void kernel_0_identity(const st_runtime *runtime, const float *x, float *identity,
        const int64_t x_d0, const int64_t x_d1) {
    const bool filled = x_d0 > 0LL;
    const int64_t stop_3 = filled ? x_d1 : 0LL;
    const kernel_0_identity_part_given st_given_1 = {x, identity, x_d1, x_d0};
    if (st_parallel(runtime, x_d0*x_d1)) {
        st_share_out(runtime, kernel_0_identity_part, &st_given_1, (stop_3 + 31) / 32, 1);
    } else {
        kernel_0_identity_part(0, (stop_3 + 31) / 32, 0, &st_given_1);
    }
}

/* identity over x_d0 x x_d1 */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL void kernel_3_identity(const st_runtime *runtime, const float *sort, float *out,
        const int64_t x_d1, const int64_t x_d0) {
    const bool filled_2 = x_d1 > 0LL;
    const int64_t stop_6 = filled_2 ? x_d0 : 0LL;
    const kernel_0_identity_part_given st_given_1 = {sort, out, x_d0, x_d1};
    if (st_parallel(runtime, x_d0*x_d1)) {
        st_share_out(runtime, kernel_0_identity_part, &st_given_1, (stop_6 + 31) / 32, 1);
    } else {
        kernel_0_identity_part(0, (stop_6 + 31) / 32, 0, &st_given_1);
    }
}

/* sorted_columns
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[x_d0*x_d1], float32 out_2[1]
   workspace: x_d0*x_d1*8 + workspace_bytes bytes
   1. identity = kernel_0_identity(x): identity over x_d1 x x_d0; reads x_d0*x_d1*4, writes
       x_d0*x_d1*4 bytes
   2. sort = st_sort_f32(sort): reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes
   3. sort_2 = st_copy(x): reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes
   4. sort_2 = st_sort_f32(sort_2): reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes
   5. out = kernel_3_identity(sort): identity over x_d0 x x_d1; reads x_d0*x_d1*4, writes
       x_d0*x_d1*4 bytes */
ST_EXPORT int32_t sorted_columns(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
    const int64_t s = x_d0 * x_d1;
    const int64_t n = st_int_div_i64(s, 2LL);
    ST_REQUIRE((n >= (-s)) & (n < s), INDEX, 0, n, s);
    const int64_t sort_bytes = st_sort_bytes_f32(runtime, &(st_rows){.rows = x_d1, .n = x_d0});
    const int64_t sort_bytes_2 = st_sort_bytes_f32(runtime, &(st_rows){.rows = 1, .n = x_d0*x_d1});
    const int64_t workspace_bytes = sort_bytes > sort_bytes_2 ? sort_bytes : sort_bytes_2;

    float *out = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, 0);
    float *out_2 = ST_ALLOCATE(1, 1);
    ST_REQUIRE(out_2, MEMORY, -1, 4, 1);

    const int64_t st_sort_2_at = st_padded(x_d0*x_d1*4);
    const int64_t st_workspace_at = st_sort_2_at + st_padded(x_d0*x_d1*4);
    const int64_t arena_bytes = st_workspace_at + st_padded(workspace_bytes);
    arena = st_arena_open(runtime, arena_bytes, 8.0*x_d0*x_d1 + 1.0*workspace_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *identity = (float *)arena;
    float *sort = (float *)arena;
    float *sort_2 = (float *)(arena + st_sort_2_at);
    int8_t *workspace = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_2 = (int8_t *)(arena + st_workspace_at);

    kernel_0_identity(runtime, x, identity, x_d0, x_d1);
    ST_LEAVE_IF_ENDED;
    st_sort_f32(runtime, &(st_rows){.rows = x_d1, .n = x_d0}, sort, workspace, sort_bytes);
    ST_LEAVE_IF_ENDED;
    st_copy(runtime, sort_2, x, x_d0*x_d1*4);
    ST_LEAVE_IF_ENDED;
    st_sort_f32(runtime, &(st_rows){.rows = 1, .n = x_d0*x_d1}, sort_2, workspace_2, sort_bytes_2);
    const float sort_2_i = sort_2[n];
    ST_LEAVE_IF_ENDED;
    kernel_3_identity(runtime, sort, out, x_d1, x_d0);
    out_2[0] = sort_2_i;
done:
    st_arena_close(runtime, arena);
    return status;
}
