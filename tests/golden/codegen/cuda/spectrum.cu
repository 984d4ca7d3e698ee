/* sqr, sum over x_d0 x n + 1 x 2 */
/* models.py:103: return function([x], (parts**2).sum(axis=2), name="spectrum") */
ST_KERNEL(256) kernel_1_sqr_sum_2(const float *parts_rfftop, float *out, int32_t n, int32_t x_d0) {
    const int32_t first = (int32_t)st_block_of_row()*256;
    const int32_t k_2 = first + 256;
    const int32_t k_3 = (n + 1)*x_d0;
    const int32_t stop = k_2 < k_3 ? k_2 : k_3;
    {
        const int32_t thread = st_thread();
        for (int32_t i = first + thread; i < stop; i += 256) {
            double sum_f64 = 0.0;
            for (int32_t k = 0; k < 2; k++) {
                const float parts_rfftop_i = parts_rfftop[i*2 + k];
                /* models.py:103: return function([x], (parts**2).sum(axis=2), name="spectrum") */
                const float v = parts_rfftop_i * parts_rfftop_i;
                const double v_2 = (double)v;
                sum_f64 += v_2;
            }
            const float sum = (float)sum_f64;
            out[i] = sum;
        }
    }
}

/* The host. */

/* RFFTOp{factor=1/sqrt(n), axis=-1, pairs=True} */
/* models.py:102: parts = T.fft.theano_rfft(x, norm="ortho") */
ST_KERNEL int32_t kernel_rfftop(const st_runtime *runtime, st_call *call, st_error *error,
        float *parts_rfftop, float *parts_rfftop_host, const float *x, int8_t *workspace,
        const int64_t n, const int64_t x_d0, const int64_t x_d1, const int64_t rfft_bytes) {
    int32_t status = ST_OK;
    ST_ASK(to_host, parts_rfftop_host, parts_rfftop, (n*8 + 8)*x_d0);
    const int64_t status_ = st_rfft_f32(runtime, x_d0, x_d1, 1, 1, x, parts_rfftop_host, workspace,
            rfft_bytes);
    ST_ASK(to_device, parts_rfftop, parts_rfftop_host, (n*8 + 8)*x_d0);
    ST_REQUIRE(status_ == 0, MEMORY, 1, x_d1*32);
done:
    return status;
}

/* sqr, sum over x_d0 x n + 1 x 2 */
/* models.py:103: return function([x], (parts**2).sum(axis=2), name="spectrum") */
ST_KERNEL int32_t kernel_1_sqr_sum(const st_runtime *runtime, st_call *call, st_error *error,
        const float *parts_rfftop, float *out, const int64_t n, const int64_t x_d0) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&parts_rfftop, (void *)&out, (void *)&n, (void *)&x_d0};
    ST_ASK(launch, 0, !st_fits((st_extent(x_d0)*2 + 1)*st_extent(n) + st_extent(x_d0)*2 + 514),
            st_block_count((n + 1)*x_d0, 256), 256, st_arguments_1);
done:
    return status;
}

/* spectrum
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[(n + 1)*x_d0], float32 out_host[(n + 1)*x_d0],
       float32 parts_rfftop_host[(n*2 + 2)*x_d0]
   workspace: (n*8 + 8)*x_d0 + rfft_bytes bytes
   1. parts_rfftop_host = kernel_rfftop(x): RFFTOp; reads x_d0*x_d1*4, writes (n*8 + 8)*x_d0
       bytes
   2. out = kernel_1_sqr_sum(parts_rfftop): sqr, sum over x_d0 x n + 1 x 2; reads (n*8 + 8)*x_d0,
       writes (n*4 + 4)*x_d0 bytes */
ST_EXPORT int32_t spectrum(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    /* models.py:102: parts = T.fft.theano_rfft(x, norm="ortho") */
    ST_REQUIRE(x_d1 > 0, SHAPE, 0, x_d1);
    const int64_t n = x_d1 / 2LL;
    const int64_t rfft_bytes = st_rfft_bytes_f32(runtime, x_d0, x_d1, 1, 1);

    float *out = st_device_memory(call, (n*4 + 4)*x_d0, 4.0*x_d0 + 4.0*n*x_d0);
    ST_REQUIRE(out, MEMORY, -1, (n*4 + 4)*x_d0, ST_ON_DEVICE - 1);
    float *parts_rfftop_host = ST_ALLOCATE(1, (n*2 + 2)*x_d0);
    ST_REQUIRE(parts_rfftop_host, MEMORY, -1, (n*8 + 8)*x_d0, 1);

    const int64_t arena_bytes = st_padded(rfft_bytes);
    arena = st_arena_open(runtime, arena_bytes, 1.0*rfft_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;

    const int64_t device_arena_bytes = st_padded((n*8 + 8)*x_d0);
    device_arena = st_device_memory(call, device_arena_bytes, 8.0*x_d0 + 8.0*n*x_d0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *parts_rfftop = (float *)device_arena;

    status = kernel_rfftop(runtime, call, error, parts_rfftop, parts_rfftop_host, x, workspace, n,
            x_d0, x_d1, rfft_bytes);
    if (status != ST_OK) goto done;
    status = kernel_1_sqr_sum(runtime, call, error, parts_rfftop, out, n, x_d0);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, x_d0, n + 1);
    ST_REQUIRE(out_host, MEMORY, -1, (n*4 + 4)*x_d0, 0);

    ST_ASK(to_host, out_host, out, (n*4 + 4)*x_d0);
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
