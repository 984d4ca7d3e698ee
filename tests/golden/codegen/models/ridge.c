/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_eye_part_given {
    float *normal_eye;
    const int64_t x_d1;
} kernel_0_eye_part_given;

ST_KERNEL void kernel_0_eye_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_0_eye_part_given *const st_given = given;
    float *normal_eye = st_given->normal_eye;
    const int64_t x_d1 = st_given->x_d1;
    for (int64_t i = begin; i < end; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < x_d1; j++) {
            normal_eye[i*x_d1 + j] = 0.0f;
        }
        normal_eye[(x_d1 + 1)*i] = 1.0f;
    }
}

/* eye over x_d1 x x_d1 */
/* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
ST_KERNEL void kernel_0_eye(const st_runtime *runtime, float *normal_eye, const int64_t x_d1) {
    const kernel_0_eye_part_given st_given_1 = {normal_eye, x_d1};
    if (st_parallel(runtime, x_d1*x_d1)) {
        st_share_out(runtime, kernel_0_eye_part, &st_given_1, x_d1, 1);
    } else {
        kernel_0_eye_part(0, x_d1, 0, &st_given_1);
    }
}

/* ridge
   inputs: float32 x[x_d0*x_d1], float32 y[x_d0]
   outputs: float32 weights[x_d1]
   workspace: (x_d1*8 + 8)*x_d1 + workspace_bytes bytes
   1. normal_eye = kernel_0_eye(): eye over x_d1 x x_d1; writes x_d1*x_d1*4 bytes
   2. normal_gemm = st_gemm_f32(x, normal_gemm): reads (x_d0*4 + x_d1*4)*x_d1, writes x_d1*x_d1*4
       bytes
   3. factor_cholesky = st_cholesky_f32(normal_gemm): reads x_d1*x_d1*4, writes x_d1*x_d1*4 bytes
   4. weights_dot = st_gemv_f32(x, y): reads (x_d1*4 + 4)*x_d0, writes x_d1*4 bytes
   5. weights_solve = st_solve_triangular_f32(factor_cholesky, weights_dot): reads (x_d1*4 +
       4)*x_d1, writes x_d1*4 bytes
   6. weights = st_solve_triangular_f32(factor_cholesky, weights_solve): reads (x_d1*4 + 4)*x_d1,
       writes x_d1*4 bytes */
ST_EXPORT int32_t ridge(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
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

    float *weights = ST_ALLOCATE(0, x_d1);
    ST_REQUIRE(weights, MEMORY, -1, x_d1*4, 0);

    const int64_t st_factor_cholesky_at = st_padded(x_d1*x_d1*4);
    const int64_t st_weights_dot_at = st_factor_cholesky_at + st_padded(x_d1*x_d1*4);
    const int64_t st_weights_solve_at = st_weights_dot_at + st_padded(x_d1*4);
    const int64_t st_workspace_at = st_weights_solve_at + st_padded(x_d1*4);
    const int64_t arena_bytes = st_workspace_at + st_padded(workspace_bytes);
    arena = st_arena_open(runtime, arena_bytes, 8.0*x_d1*x_d1 + 8.0*x_d1 + 1.0*workspace_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *normal_eye = (float *)arena;
    float *normal_gemm = (float *)arena;
    float *factor_cholesky = (float *)(arena + st_factor_cholesky_at);
    float *weights_dot = (float *)(arena + st_weights_dot_at);
    float *weights_solve = (float *)(arena + st_weights_solve_at);
    int8_t *workspace = (int8_t *)(arena + st_workspace_at);
    int8_t *workspace_2 = (int8_t *)(arena + st_workspace_at);

    kernel_0_eye(runtime, normal_eye, x_d1);
    ST_LEAVE_IF_ENDED;
    /* models.py:109: normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32") */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_TRANS, .transb = ST_NO_TRANS, .m = x_d1, .n = x_d1,
            .k = x_d0, .lda = x_d1, .ldb = x_d1, .ldc = x_d1}, 1.0f, x, x, 1.0f, normal_gemm);
    ST_LEAVE_IF_ENDED;
    /* models.py:110: factor = T.slinalg.cholesky(normal) */
    const int64_t status_ = st_cholesky_f32(runtime, &(st_cholesky){.batch = 1, .n = x_d1,
            .lower = 1, .nan = 0}, normal_gemm, factor_cholesky);
    ST_REQUIRE(status_ == 0, VALUE, 1, status_, 1);
    ST_LEAVE_IF_ENDED;
    /* models.py:111: weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y)) */
    st_gemv_f32(runtime, &(st_gemv){.trans = ST_TRANS, .m = x_d0, .n = x_d1, .lda = x_d1, .incx = 1,
            .incy = 1}, 1.0f, x, y, 0.0f, weights_dot);
    ST_LEAVE_IF_ENDED;
    const int64_t status_2 = st_solve_triangular_f32(runtime, &(st_solve_triangular){.batch = 1,
            .n = x_d1, .k = 1, .lower = 1, .unit = 0, .transposed = 0}, factor_cholesky,
            weights_dot, weights_solve, workspace, solve_triangular_bytes);
    ST_REQUIRE(status_2 == 0, VALUE, 2, status_2, x_d1);
    ST_LEAVE_IF_ENDED;
    const int64_t status_3 = st_solve_triangular_f32(runtime, &(st_solve_triangular){.batch = 1,
            .n = x_d1, .k = 1, .lower = 0, .unit = 0, .transposed = 1}, factor_cholesky,
            weights_solve, weights, workspace_2, solve_triangular_bytes_2);
    ST_REQUIRE(status_3 == 0, VALUE, 3, status_3, x_d1);
done:
    st_arena_close(runtime, arena);
    return status;
}
