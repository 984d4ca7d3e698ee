/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_1_sqr_sum_part_given {
    const float *parts_rfftop;
    float *out;
} kernel_1_sqr_sum_part_given;

ST_KERNEL void kernel_1_sqr_sum_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_1_sqr_sum_part_given *const st_given = given;
    const float *parts_rfftop = st_given->parts_rfftop;
    float *out = st_given->out;
    #pragma omp simd
    for (int64_t i = begin; i < end; i++) {
        const float parts_rfftop_i_2 = parts_rfftop[i*2];
        /* models.py:103: return function([x], (parts**2).sum(axis=2), name="spectrum") */
        const float v_3 = parts_rfftop_i_2 * parts_rfftop_i_2;
        const float v_4 = 0.0f + v_3;
        const float parts_rfftop_i_3 = parts_rfftop[i*2 + 1];
        const float v_5 = parts_rfftop_i_3 * parts_rfftop_i_3;
        const float v_6 = v_4 + v_5;
        out[i] = v_6;
    }
}

/* sqr, sum over x_d0 x n + 1 x 2 */
/* models.py:103: return function([x], (parts**2).sum(axis=2), name="spectrum") */
ST_KERNEL void kernel_1_sqr_sum(const st_runtime *runtime, const float *parts_rfftop, float *out,
        const int64_t n, const int64_t x_d0) {
    const kernel_1_sqr_sum_part_given st_given_1 = {parts_rfftop, out};
    if (st_parallel(runtime, (n*4 + 4)*x_d0)) {
        st_share_out(runtime, kernel_1_sqr_sum_part, &st_given_1, (n + 1)*x_d0, 256);
    } else {
        kernel_1_sqr_sum_part(0, (n + 1)*x_d0, 0, &st_given_1);
    }
}

/* spectrum
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[(n + 1)*x_d0]
   workspace: (n*8 + 8)*x_d0 + rfft_bytes bytes
   1. parts_rfftop = st_rfft_f32(x): reads x_d0*x_d1*4, writes (n*8 + 8)*x_d0 bytes
   2. out = kernel_1_sqr_sum(parts_rfftop): sqr, sum over x_d0 x n + 1 x 2; reads (n*8 + 8)*x_d0,
       writes (n*4 + 4)*x_d0 bytes */
ST_EXPORT int32_t spectrum(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    /* models.py:102: parts = T.fft.theano_rfft(x, norm="ortho") */
    ST_REQUIRE(x_d1 > 0, SHAPE, 0, x_d1);
    const int64_t n = x_d1 / 2LL;
    const int64_t rfft_bytes = st_rfft_bytes_f32(runtime, x_d0, x_d1, 1, 1);

    float *out = ST_ALLOCATE(0, x_d0, n + 1);
    ST_REQUIRE(out, MEMORY, -1, (n*4 + 4)*x_d0, 0);

    const int64_t st_workspace_at = st_padded((n*8 + 8)*x_d0);
    const int64_t arena_bytes = st_workspace_at + st_padded(rfft_bytes);
    arena = st_arena_open(runtime, arena_bytes, 8.0*x_d0 + 1.0*rfft_bytes + 8.0*n*x_d0);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *parts_rfftop = (float *)arena;
    int8_t *workspace = (int8_t *)(arena + st_workspace_at);

    const int64_t status_ = st_rfft_f32(runtime, x_d0, x_d1, 1, 1, x, parts_rfftop, workspace,
            rfft_bytes);
    ST_REQUIRE(status_ == 0, MEMORY, 1, x_d1*32);
    ST_LEAVE_IF_ENDED;
    kernel_1_sqr_sum(runtime, parts_rfftop, out, n, x_d0);
done:
    st_arena_close(runtime, arena);
    return status;
}
