
/* The host. */

/* pooling
   inputs: float32 x[x_d0*x_d1*x_d2*x_d3], float32 g[n_2*n_4*x_d0*x_d1]
   outputs: float32 out[n_2*n_4*x_d0*x_d1], float32 out_2[n_2*n_4*x_d0*x_d1],
       float32 out_3[x_d0*x_d1*x_d2*x_d3], float32 out_4[x_d0*x_d1*x_d2*x_d3]
   workspace: workspace_bytes_3 bytes
   1. out = st_pool_max_f32(x): reads x_d0*x_d1*x_d2*x_d3*4, writes n_2*n_4*x_d0*x_d1*4 bytes
   2. out_2 = st_pool_sum_f32(x): reads x_d0*x_d1*x_d2*x_d3*4, writes n_2*n_4*x_d0*x_d1*4 bytes
   3. out_3 = st_pool_max_image_f32(x, out, g): reads ((n_2*n_4*8 + x_d2*x_d3*4)*x_d1)*x_d0,
       writes x_d0*x_d1*x_d2*x_d3*4 bytes
   4. out_4 = st_pool_sum_image_f32(g): reads n_2*n_4*x_d0*x_d1*4, writes x_d0*x_d1*x_d2*x_d3*4
       bytes */
ST_EXPORT int32_t pooling(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1], x_d2 = inputs[0].shape[2],
            x_d3 = inputs[0].shape[3];
    const float *g = inputs[1].data;
    const int64_t g_d0 = inputs[1].shape[0], g_d1 = inputs[1].shape[1], g_d2 = inputs[1].shape[2],
            g_d3 = inputs[1].shape[3];

    /* models.py:144: grads = [grad((made * g).sum(), x) for made in (y, z)] */
    ST_REQUIRE(x_d0 == g_d0, SHAPE, 0, x_d0, g_d0);
    ST_REQUIRE(x_d1 == g_d1, SHAPE, 1, x_d1, g_d1);
    const int64_t s = x_d2 + (-1LL);
    const int64_t n = st_int_div_i64(s, 2LL);
    const int64_t s_3 = n + 1LL;
    const int64_t n_2 = s_3 > 0LL ? s_3 : 0LL;
    ST_REQUIRE(n_2 == g_d2, SHAPE, 2, n_2, g_d2);
    const int64_t s_5 = x_d3 + (-1LL);
    const int64_t n_3 = st_int_div_i64(s_5, 2LL);
    const int64_t s_7 = n_3 + 1LL;
    const int64_t n_4 = s_7 > 0LL ? s_7 : 0LL;
    ST_REQUIRE(n_4 == g_d3, SHAPE, 3, n_4, g_d3);
    const int64_t pool_max_bytes = st_pool_max_bytes_f32(runtime, &(st_pools){.n = x_d0*x_d1,
            .i = {1, x_d2, x_d3}, .t = {1, n_2, n_4}, .k = {1, 3, 3}, .s = {1, 2, 2},
            .p = {0, 1, 1}, .counted = 0});
    const int64_t pool_sum_bytes = st_pool_sum_bytes_f32(runtime, &(st_pools){.n = x_d0*x_d1,
            .i = {1, x_d2, x_d3}, .t = {1, n_2, n_4}, .k = {1, 3, 3}, .s = {1, 2, 2},
            .p = {0, 1, 1}, .counted = 2});
    const int64_t pool_max_image_bytes = st_pool_max_image_bytes_f32(runtime,
            &(st_pools){.n = x_d0*x_d1, .i = {1, x_d2, x_d3}, .t = {1, n_2, n_4}, .k = {1, 3, 3},
            .s = {1, 2, 2}, .p = {0, 1, 1}, .counted = 0});
    const int64_t pool_sum_image_bytes = st_pool_sum_image_bytes_f32(runtime,
            &(st_pools){.n = x_d0*x_d1, .i = {1, x_d2, x_d3}, .t = {1, n_2, n_4}, .k = {1, 3, 3},
            .s = {1, 2, 2}, .p = {0, 1, 1}, .counted = 2});
    const int64_t workspace_bytes = pool_max_bytes > pool_sum_bytes ? pool_max_bytes : pool_sum_bytes;
    const int64_t workspace_bytes_2 = workspace_bytes > pool_max_image_bytes ? workspace_bytes : pool_max_image_bytes;
    const int64_t workspace_bytes_3 = workspace_bytes_2 > pool_sum_image_bytes ? workspace_bytes_2 : pool_sum_image_bytes;

    float *out = ST_ALLOCATE(0, x_d0, x_d1, n_2, n_4);
    ST_REQUIRE(out, MEMORY, -1, n_2*n_4*x_d0*x_d1*4, 0);
    float *out_2 = ST_ALLOCATE(1, x_d0, x_d1, n_2, n_4);
    ST_REQUIRE(out_2, MEMORY, -1, n_2*n_4*x_d0*x_d1*4, 1);
    float *out_3 = ST_ALLOCATE(2, x_d0, x_d1, x_d2, x_d3);
    ST_REQUIRE(out_3, MEMORY, -1, x_d0*x_d1*x_d2*x_d3*4, 2);
    float *out_4 = ST_ALLOCATE(3, x_d0, x_d1, x_d2, x_d3);
    ST_REQUIRE(out_4, MEMORY, -1, x_d0*x_d1*x_d2*x_d3*4, 3);

    const int64_t arena_bytes = st_padded(workspace_bytes_3);
    arena = st_arena_open(runtime, arena_bytes, 1.0*workspace_bytes_3);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;
    int8_t *workspace_2 = (int8_t *)arena;
    int8_t *workspace_3 = (int8_t *)arena;
    int8_t *workspace_4 = (int8_t *)arena;

    /* models.py:142: y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1)) */
    st_pool_max_f32(runtime, &(st_pools){.n = x_d0*x_d1, .i = {1, x_d2, x_d3}, .t = {1, n_2, n_4},
            .k = {1, 3, 3}, .s = {1, 2, 2}, .p = {0, 1, 1}, .counted = 0}, x, out, workspace,
            pool_max_bytes);
    ST_LEAVE_IF_ENDED;
    /* models.py:143: z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad") */
    st_pool_sum_f32(runtime, &(st_pools){.n = x_d0*x_d1, .i = {1, x_d2, x_d3}, .t = {1, n_2, n_4},
            .k = {1, 3, 3}, .s = {1, 2, 2}, .p = {0, 1, 1}, .counted = 2}, x, out_2, workspace_2,
            pool_sum_bytes);
    ST_LEAVE_IF_ENDED;
    /* models.py:142: y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1)) */
    st_pool_max_image_f32(runtime, &(st_pools){.n = x_d0*x_d1, .i = {1, x_d2, x_d3},
            .t = {1, n_2, n_4}, .k = {1, 3, 3}, .s = {1, 2, 2}, .p = {0, 1, 1}, .counted = 0}, x,
            out, g, out_3, workspace_3, pool_max_image_bytes);
    ST_LEAVE_IF_ENDED;
    /* models.py:143: z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad") */
    st_pool_sum_image_f32(runtime, &(st_pools){.n = x_d0*x_d1, .i = {1, x_d2, x_d3},
            .t = {1, n_2, n_4}, .k = {1, 3, 3}, .s = {1, 2, 2}, .p = {0, 1, 1}, .counted = 2}, g,
            out_4, workspace_4, pool_sum_image_bytes);
done:
    st_arena_close(runtime, arena);
    return status;
}
