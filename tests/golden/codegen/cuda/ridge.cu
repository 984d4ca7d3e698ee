/* eye over x_d1 x x_d1 */
/* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
ST_KERNEL(256) kernel_0_eye_2(float *normal_eye, int64_t x_d1) {
    const int64_t st_blocks_1 = (x_d1 + 1023)/1024;
    const int64_t st_outer_0 = st_block() / (st_blocks_1);
    const int64_t i = st_outer_0;
    if (i >= x_d1) return;
    const int64_t first = (st_block() - st_outer_0*(st_blocks_1))*1024;
    if (first >= x_d1) return;
    const int64_t k = first + 1024;
    const int64_t stop = k < x_d1 ? k : x_d1;
    {
        const int64_t thread = st_thread();
        for (int64_t j = first + thread; j < stop; j += 256) {
            /* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
            const bool v = j == i;
            const float v_2 = v ? (float)1 : (float)0;
            normal_eye[i*x_d1 + j] = v_2;
        }
    }
}

/* The host. */

/* eye over x_d1 x x_d1 */
/* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
ST_KERNEL int32_t kernel_0_eye(const st_runtime *runtime, st_call *call, st_error *error,
        float *normal_eye, const int64_t x_d1) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&normal_eye, (void *)&x_d1};
    ST_ASK(launch, 0, st_block_count(x_d1, 1) * st_block_count(x_d1, 1024), 256, st_arguments_1);
done:
    return status;
}

/* Cholesky{is_lower=True, on_error=raise} */
/* models.py:110: factor = T.slinalg.cholesky(normal) */
ST_KERNEL int32_t kernel_cholesky(const st_runtime *runtime, st_call *call, st_error *error,
        const float *normal_gemm, float *normal_gemm_host_2, float *factor_cholesky,
        const int64_t x_d1) {
    int32_t status = ST_OK;
    ST_ASK(to_host, normal_gemm_host_2, normal_gemm, x_d1*x_d1*4);
    const int64_t status_ = st_cholesky_f32(runtime, &(st_cholesky){.batch = 1, .n = x_d1,
            .lower = 1, .nan = 0}, normal_gemm_host_2, factor_cholesky);
    ST_REQUIRE(status_ == 0, VALUE, 1, status_, 1);
done:
    return status;
}

/* Solve{A_structure=lower_triangular, is_lower=True, unit_diagonal=False} */
/* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
ST_KERNEL int32_t kernel_solve(const st_runtime *runtime, st_error *error,
        const float *factor_cholesky, const float *weights_dot, float *weights_solve,
        int8_t *workspace, const int64_t x_d1, const int64_t solve_triangular_bytes) {
    int32_t status = ST_OK;
    const int64_t status_2 = st_solve_triangular_f32(runtime, &(st_solve_triangular){.batch = 1,
            .n = x_d1, .k = 1, .lower = 1, .unit = 0, .transposed = 0}, factor_cholesky,
            weights_dot, weights_solve, workspace, solve_triangular_bytes);
    ST_REQUIRE(status_2 == 0, VALUE, 2, status_2, x_d1);
done:
    return status;
}

/* Solve{A_structure=upper_triangular, is_lower=False, unit_diagonal=False} */
/* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
ST_KERNEL int32_t kernel_solve_2(const st_runtime *runtime, st_error *error,
        const float *factor_cholesky, const float *weights_solve, float *out, int8_t *workspace_2,
        const int64_t x_d1, const int64_t solve_triangular_bytes_2) {
    int32_t status = ST_OK;
    const int64_t status_3 = st_solve_triangular_f32(runtime, &(st_solve_triangular){.batch = 1,
            .n = x_d1, .k = 1, .lower = 0, .unit = 0, .transposed = 1}, factor_cholesky,
            weights_solve, out, workspace_2, solve_triangular_bytes_2);
    ST_REQUIRE(status_3 == 0, VALUE, 3, status_3, x_d1);
done:
    return status;
}

/* ridge
   inputs: float32 x[x_d0*x_d1], float32 y[x_d0]
   outputs: float32 out[x_d1], float32 normal_gemm_host[x_d1*x_d1],
       float32 normal_gemm_host_2[x_d1*x_d1]
   workspace: (x_d1*8 + 8)*x_d1 + workspace_bytes bytes
   1. normal_eye = kernel_0_eye(): eye over x_d1 x x_d1; writes x_d1*x_d1*4 bytes
   2. normal_gemm_host = st_gemm_f32(x, normal_gemm_host): reads (x_d0*4 + x_d1*4)*x_d1, writes
       x_d1*x_d1*4 bytes
   3. normal_gemm_host_2 = kernel_cholesky(normal_gemm): Cholesky; reads x_d1*x_d1*4, writes
       x_d1*x_d1*4 bytes
   4. weights_dot = st_gemv_f32(x, y): reads (x_d1*4 + 4)*x_d0, writes x_d1*4 bytes
   5. kernel_solve(factor_cholesky, weights_dot): Solve; reads (x_d1*4 + 4)*x_d1 bytes
   6. out = kernel_solve_2(factor_cholesky, weights_solve): Solve; reads (x_d1*4 + 4)*x_d1,
       writes x_d1*4 bytes */
ST_EXPORT int32_t ridge(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];
    const float *y = inputs[1].data;
    const int64_t y_d0 = inputs[1].shape[0];

    /* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
    ST_REQUIRE(x_d0 == y_d0, SHAPE, 0, x_d0, y_d0);
    const int64_t solve_triangular_bytes = st_solve_triangular_bytes_f32(runtime,
            &(st_solve_triangular){.batch = 1, .n = x_d1, .k = 1, .lower = 1, .unit = 0,
            .transposed = 0});
    const int64_t solve_triangular_bytes_2 = st_solve_triangular_bytes_f32(runtime,
            &(st_solve_triangular){.batch = 1, .n = x_d1, .k = 1, .lower = 0, .unit = 0,
            .transposed = 1});
    const int64_t workspace_bytes = solve_triangular_bytes > solve_triangular_bytes_2 ? solve_triangular_bytes : solve_triangular_bytes_2;

    float *out = ST_ALLOCATE(0, x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d1*4, 0);

    const int64_t st_weights_dot_at = st_padded(x_d1*x_d1*4);
    const int64_t st_weights_solve_at = st_weights_dot_at + st_padded(x_d1*4);
    const int64_t st_workspace_at = st_weights_solve_at + st_padded(x_d1*4);
    const int64_t arena_bytes = st_workspace_at + st_padded(workspace_bytes);
    arena = st_arena_open(runtime, arena_bytes, 4.0*x_d1*x_d1 + 8.0*x_d1 + 1.0*workspace_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *factor_cholesky = (float *)arena;
    float *weights_dot = (float *)(arena + st_weights_dot_at);
    float *weights_solve = (float *)(arena + st_weights_solve_at);
    int8_t *workspace = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_2 = (int8_t *)(arena + st_workspace_at);

    const int64_t device_arena_bytes = st_padded(x_d1*x_d1*4);
    device_arena = st_device_memory(call, device_arena_bytes, 4.0*x_d1*x_d1);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, -1);
    float *normal_eye = (float *)device_arena;
    float *normal_gemm = (float *)device_arena;

    status = kernel_0_eye(runtime, call, error, normal_eye, x_d1);
    if (status != ST_OK) goto done;

    float *normal_gemm_host = ST_ALLOCATE(1, x_d1*x_d1);
    ST_REQUIRE(normal_gemm_host, MEMORY, -1, x_d1*x_d1*4, 1);

    ST_ASK(to_host, normal_gemm_host, normal_gemm, x_d1*x_d1*4);
    /* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_TRANS, .transb = ST_NO_TRANS, .m = x_d1, .n = x_d1,
            .k = x_d0, .lda = x_d1, .ldb = x_d1, .ldc = x_d1}, 1.0f, x, x, 1.0f, normal_gemm_host);
    ST_ASK(to_device, normal_gemm, normal_gemm_host, x_d1*x_d1*4);

    float *normal_gemm_host_2 = ST_ALLOCATE(2, x_d1*x_d1);
    ST_REQUIRE(normal_gemm_host_2, MEMORY, -1, x_d1*x_d1*4, 2);

    ST_LEAVE_IF_ENDED;
    status = kernel_cholesky(runtime, call, error, normal_gemm, normal_gemm_host_2, factor_cholesky,
            x_d1);
    if (status != ST_OK) goto done;
    ST_LEAVE_IF_ENDED;
    /* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
    st_gemv_f32(runtime, &(st_gemv){.trans = ST_TRANS, .m = x_d0, .n = x_d1, .lda = x_d1, .incx = 1,
            .incy = 1}, 1.0f, x, y, 0.0f, weights_dot);
    ST_LEAVE_IF_ENDED;
    status = kernel_solve(runtime, error, factor_cholesky, weights_dot, weights_solve, workspace,
            x_d1, solve_triangular_bytes);
    if (status != ST_OK) goto done;
    ST_LEAVE_IF_ENDED;
    status = kernel_solve_2(runtime, error, factor_cholesky, weights_solve, out, workspace_2, x_d1,
            solve_triangular_bytes_2);
    if (status != ST_OK) goto done;
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
