/* eye over x_d1 x x_d1 */
/* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
ST_KERNEL(256) kernel_0_eye_2(float *normal_eye, int32_t x_d1) {
    alignas(16) float normal_eye_four[4];
    const unsigned st_blocks_1 = (x_d1 + 1023)/1024;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i = (int32_t)st_outer_0;
    const int32_t first = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*1024;
    const int32_t k_3 = first + 1024;
    const int32_t stop = k_3 < x_d1 ? k_3 : x_d1;
    const bool aligned = st_is_aligned(&normal_eye[i*x_d1 + first]);
    const int32_t k_4 = stop - first;
    const int32_t whole = k_4 & (-4);
    const int32_t in_vectors = aligned ? whole : 0;
    const int32_t rest = first + in_vectors;
    {
        const int32_t thread = st_thread();
        const int32_t j_3 = first + thread*4;
        const bool some = j_3 < rest;
        if (some) {
            ST_UNROLL
            for (int32_t k_5 = 0; k_5 < 4; k_5++) {
                const int32_t j_4 = j_3 + k_5;
                /* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
                const bool v_6 = j_4 == i;
                const float v_7 = v_6 ? (float)1 : (float)0;
                normal_eye_four[k_5] = v_7;
            }
            const st_four<float> four = *(const st_four<float> *)&normal_eye_four[0];
            st_store_four(&normal_eye[i*x_d1 + j_3], four);
        }
        for (int32_t j = rest + thread; j < stop; j += 256) {
            const bool v = j == i;
            const float v_2 = v ? (float)1 : (float)0;
            normal_eye[i*x_d1 + j] = v_2;
        }
    }
}

/* gemm */
/* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
ST_KERNEL(256) kernel_gemm_2(const float *x_device, float *normal_gemm, int32_t x_d1,
        int32_t x_d0) {
    const unsigned st_blocks_1 = (x_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_2 = (int32_t)st_outer_0;
    const int32_t first_2 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int32_t k_6 = first_2 + 256;
    const int32_t stop_2 = k_6 < x_d1 ? k_6 : x_d1;
    {
        const int32_t thread_2 = st_thread();
        for (int32_t j_2 = first_2 + thread_2; j_2 < stop_2; j_2 += 256) {
            float dot = 0.0f;
            for (int32_t k = 0; k < x_d0; k++) {
                const float x_i = x_device[k*x_d1 + i_2];
                const float x_i_2 = x_device[k*x_d1 + j_2];
                /* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
                const float v_3 = x_i * x_i_2;
                dot += v_3;
            }
            const float normal_gemm_i = normal_gemm[i_2*x_d1 + j_2];
            const float v_4 = dot + normal_gemm_i;
            normal_gemm[i_2*x_d1 + j_2] = v_4;
        }
    }
}

/* gemv */
/* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
ST_KERNEL(256) kernel_gemv_2(const float *x_device, const float *y_device, float *weights_dot,
        int32_t x_d1, int32_t x_d0) {
    const int32_t first_3 = (int32_t)st_block_of_row()*256;
    const int32_t k_7 = first_3 + 256;
    const int32_t stop_3 = k_7 < x_d1 ? k_7 : x_d1;
    {
        const int32_t thread_3 = st_thread();
        for (int32_t i_3 = first_3 + thread_3; i_3 < stop_3; i_3 += 256) {
            float dot_2 = 0.0f;
            for (int32_t k_2 = 0; k_2 < x_d0; k_2++) {
                const float x_i_3 = x_device[k_2*x_d1 + i_3];
                const float y_i = y_device[k_2];
                /* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
                const float v_5 = x_i_3 * y_i;
                dot_2 += v_5;
            }
            weights_dot[i_3] = dot_2;
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
    ST_ASK(launch, 0, !st_fits((st_extent(x_d1) + 3)*st_extent(x_d1) + 1540),
            st_block_count(x_d1, 1) * st_block_count(x_d1, 1024), 256, st_arguments_1);
done:
    return status;
}

/* gemm */
/* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
ST_KERNEL int32_t kernel_gemm(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, float *normal_gemm, const int64_t x_d1, const int64_t x_d0) {
    int32_t status = ST_OK;
    void *st_arguments_2[] = {(void *)&x_device, (void *)&normal_gemm, (void *)&x_d1,
            (void *)&x_d0};
    ST_ASK(launch, 1,
            !st_fits((st_extent(x_d0) + st_extent(x_d1) + 1)*st_extent(x_d1) + st_extent(x_d0) + 512),
            st_block_count(x_d1, 1) * st_block_count(x_d1, 256), 256, st_arguments_2);
done:
    return status;
}

/* Cholesky{is_lower=True, on_error=raise} */
/* models.py:110: factor = T.slinalg.cholesky(normal) */
ST_KERNEL int32_t kernel_cholesky(const st_runtime *runtime, st_call *call, st_error *error,
        const float *normal_gemm, float *normal_gemm_host, float *factor_cholesky,
        const int64_t x_d1) {
    int32_t status = ST_OK;
    ST_ASK(to_host, normal_gemm_host, normal_gemm, x_d1*x_d1*4);
    const int64_t status_ = st_cholesky_f32(runtime, &(st_cholesky){.batch = 1, .n = x_d1,
            .lower = 1, .nan = 0}, normal_gemm_host, factor_cholesky);
    ST_REQUIRE(status_ == 0, VALUE, 1, status_, 1);
done:
    return status;
}

/* gemv */
/* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
ST_KERNEL int32_t kernel_gemv(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, const float *y_device, float *weights_dot, const int64_t x_d1,
        const int64_t x_d0) {
    int32_t status = ST_OK;
    void *st_arguments_3[] = {(void *)&x_device, (void *)&y_device, (void *)&weights_dot,
            (void *)&x_d1, (void *)&x_d0};
    ST_ASK(launch, 2, !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1) + 512),
            st_block_count(x_d1, 256), 256, st_arguments_3);
done:
    return status;
}

/* Solve{A_structure=lower_triangular, is_lower=True, unit_diagonal=False} */
/* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
ST_KERNEL int32_t kernel_solve(const st_runtime *runtime, st_call *call, st_error *error,
        const float *weights_dot, float *weights_dot_host, const float *factor_cholesky,
        float *weights_solve, int8_t *workspace, const int64_t x_d1,
        const int64_t solve_triangular_bytes) {
    int32_t status = ST_OK;
    ST_ASK(to_host, weights_dot_host, weights_dot, x_d1*4);
    const int64_t status_2 = st_solve_triangular_f32(runtime, &(st_solve_triangular){.batch = 1,
            .n = x_d1, .k = 1, .lower = 1, .unit = 0, .transposed = 0}, factor_cholesky,
            weights_dot_host, weights_solve, workspace, solve_triangular_bytes);
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
   outputs: float32 out[x_d1], float32 x_device[x_d0*x_d1], float32 y_device[x_d0],
       float32 normal_gemm_host[x_d1*x_d1], float32 weights_dot_host[x_d1]
   workspace: (x_d1*8 + 8)*x_d1 + workspace_bytes bytes
   1. normal_eye = kernel_0_eye(): eye over x_d1 x x_d1; writes x_d1*x_d1*4 bytes
   2. kernel_gemm(x_device): gemm; reads x_d0*x_d1*4 bytes
   3. normal_gemm_host = kernel_cholesky(normal_gemm): Cholesky; reads x_d1*x_d1*4, writes
       x_d1*x_d1*4 bytes
   4. weights_dot = kernel_gemv(x_device, y_device): gemv; reads (x_d1*4 + 4)*x_d0, writes x_d1*4
       bytes
   5. weights_dot_host = kernel_solve(weights_dot, factor_cholesky): Solve; reads (x_d1*4 +
       4)*x_d1, writes x_d1*4 bytes
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

    const int64_t st_weights_solve_at = st_padded(x_d1*x_d1*4);
    const int64_t st_workspace_at = st_weights_solve_at + st_padded(x_d1*4);
    const int64_t arena_bytes = st_workspace_at + st_padded(workspace_bytes);
    arena = st_arena_open(runtime, arena_bytes, 4.0*x_d1*x_d1 + 4.0*x_d1 + 1.0*workspace_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *factor_cholesky = (float *)arena;
    float *weights_solve = (float *)(arena + st_weights_solve_at);
    int8_t *workspace = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_2 = (int8_t *)(arena + st_workspace_at);

    const int64_t st_weights_dot_at = st_padded(x_d1*x_d1*4);
    const int64_t device_arena_bytes = st_weights_dot_at + st_padded(x_d1*4);
    device_arena = st_device_memory(call, device_arena_bytes, 4.0*x_d1*x_d1 + 4.0*x_d1);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *normal_eye = (float *)device_arena;
    float *normal_gemm = (float *)device_arena;
    float *weights_dot = (float *)(device_arena + st_weights_dot_at);

    status = kernel_0_eye(runtime, call, error, normal_eye, x_d1);
    if (status != ST_OK) goto done;

    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 1);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);
    status = kernel_gemm(runtime, call, error, x_device, normal_gemm, x_d1, x_d0);
    if (status != ST_OK) goto done;

    float *normal_gemm_host = ST_ALLOCATE(3, x_d1*x_d1);
    ST_REQUIRE(normal_gemm_host, MEMORY, -1, x_d1*x_d1*4, 3);

    status = kernel_cholesky(runtime, call, error, normal_gemm, normal_gemm_host, factor_cholesky,
            x_d1);
    if (status != ST_OK) goto done;

    float *y_device = st_device_memory(call, x_d0*4, 4.0*x_d0);
    ST_REQUIRE(y_device, MEMORY, -1, x_d0*4, ST_ON_DEVICE - 2);

    ST_ASK(to_device, y_device, y, x_d0*4);
    status = kernel_gemv(runtime, call, error, x_device, y_device, weights_dot, x_d1, x_d0);
    if (status != ST_OK) goto done;

    float *weights_dot_host = ST_ALLOCATE(4, x_d1);
    ST_REQUIRE(weights_dot_host, MEMORY, -1, x_d1*4, 4);

    ST_LEAVE_IF_ENDED;
    status = kernel_solve(runtime, call, error, weights_dot, weights_dot_host, factor_cholesky,
            weights_solve, workspace, x_d1, solve_triangular_bytes);
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
