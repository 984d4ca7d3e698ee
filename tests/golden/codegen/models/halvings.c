/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_mul_max_part_given {
    const double *state;
    double *next;
    double *max_parts;
    double *nan_parts;
    const int64_t rows_2;
    const int64_t x_d0;
} kernel_0_mul_max_part_given;

ST_KERNEL void kernel_0_mul_max_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_0_mul_max_part_given *const st_given = given;
    const double *state = st_given->state;
    double *next = st_given->next;
    double *max_parts = st_given->max_parts;
    double *nan_parts = st_given->nan_parts;
    const int64_t rows_2 = st_given->rows_2;
    const int64_t x_d0 = st_given->x_d0;
    _Alignas(64) double max_lanes[8];
    _Alignas(64) double nan_lanes[8];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows_2;
        const int64_t k = rows_2 + start;
        const int64_t stop = k < x_d0 ? k : x_d0;
        double max_2 = -__builtin_inf();
        double nan_2 = 0.0;
        const int64_t k_2 = stop - start;
        const int64_t i_count = k_2 > 0LL ? k_2 : 0LL;
        const int64_t i_whole = i_count & (-8LL);
        #pragma GCC ivdep
        #pragma GCC unroll 8
        for (int64_t i_lane = 0; i_lane < 8; i_lane++) {
            max_lanes[i_lane] = -__builtin_inf();
            nan_lanes[i_lane] = 0.0;
        }
        for (int64_t i_3 = start; i_3 < i_whole + start; i_3 += 8) {
            #pragma GCC ivdep
            #pragma GCC unroll 8
            for (int64_t i_lane_2 = 0; i_lane_2 < 8; i_lane_2++) {
                const double state_i_2 = state[i_3 + i_lane_2];
                /* models.py:152: lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n */
                const double v_9 = state_i_2 * 0.5;
                const double max_lanes_i_4 = max_lanes[i_lane_2];
                const double v_12 = state_i_2 > max_lanes_i_4 ? state_i_2 : max_lanes_i_4;
                const double nan_lanes_i_4 = nan_lanes[i_lane_2];
                const double v_13 = state_i_2 != state_i_2 ? state_i_2 : nan_lanes_i_4;
                next[i_3 + i_lane_2] = v_9;
                max_lanes[i_lane_2] = v_12;
                nan_lanes[i_lane_2] = v_13;
            }
        }
        const int64_t i_ended = i_count & (-4LL);
        for (int64_t i_4 = i_whole + start; i_4 < i_ended + start; i_4 += 4) {
            #pragma omp simd
            for (int64_t i_lane_3 = 0; i_lane_3 < 4; i_lane_3++) {
                const double state_i_3 = state[i_4 + i_lane_3];
                const double v_10 = state_i_3 * 0.5;
                const double max_lanes_i_5 = max_lanes[i_lane_3];
                const double v_14 = state_i_3 > max_lanes_i_5 ? state_i_3 : max_lanes_i_5;
                const double nan_lanes_i_5 = nan_lanes[i_lane_3];
                const double v_15 = state_i_3 != state_i_3 ? state_i_3 : nan_lanes_i_5;
                next[i_4 + i_lane_3] = v_10;
                max_lanes[i_lane_3] = v_14;
                nan_lanes[i_lane_3] = v_15;
            }
        }
        #pragma GCC ivdep
        #pragma GCC unroll 4
        for (int64_t i_lane_4 = 0; i_lane_4 < 4; i_lane_4++) {
            const double max_lanes_i = max_lanes[i_lane_4 + 4];
            const double max_lanes_i_6 = max_lanes[i_lane_4];
            const double v_16 = max_lanes_i > max_lanes_i_6 ? max_lanes_i : max_lanes_i_6;
            const double nan_lanes_i = nan_lanes[i_lane_4 + 4];
            const double nan_lanes_i_6 = nan_lanes[i_lane_4];
            const double v_17 = nan_lanes_i != nan_lanes_i ? nan_lanes_i : nan_lanes_i_6;
            max_lanes[i_lane_4] = v_16;
            nan_lanes[i_lane_4] = v_17;
        }
        #pragma GCC ivdep
        #pragma GCC unroll 2
        for (int64_t i_lane_5 = 0; i_lane_5 < 2; i_lane_5++) {
            const double max_lanes_i_2 = max_lanes[i_lane_5 + 2];
            const double max_lanes_i_7 = max_lanes[i_lane_5];
            const double v_18 = max_lanes_i_2 > max_lanes_i_7 ? max_lanes_i_2 : max_lanes_i_7;
            const double nan_lanes_i_2 = nan_lanes[i_lane_5 + 2];
            const double nan_lanes_i_7 = nan_lanes[i_lane_5];
            const double v_19 = nan_lanes_i_2 != nan_lanes_i_2 ? nan_lanes_i_2 : nan_lanes_i_7;
            max_lanes[i_lane_5] = v_18;
            nan_lanes[i_lane_5] = v_19;
        }
        #pragma GCC unroll 2
        for (int64_t i_lane_6 = 0; i_lane_6 < 2; i_lane_6++) {
            const double max_lanes_i_3 = max_lanes[i_lane_6];
            max_2 = max_lanes_i_3 > max_2 ? max_lanes_i_3 : max_2;
            const double nan_lanes_i_3 = nan_lanes[i_lane_6];
            nan_2 = nan_lanes_i_3 != nan_lanes_i_3 ? nan_lanes_i_3 : nan_2;
        }
        ST_SCALAR
        for (int64_t i_5 = i_ended + start; i_5 < stop; i_5++) {
            const double state_i_4 = state[i_5];
            const double v_11 = state_i_4 * 0.5;
            max_2 = state_i_4 > max_2 ? state_i_4 : max_2;
            nan_2 = state_i_4 != state_i_4 ? state_i_4 : nan_2;
            next[i_5] = v_11;
        }
        max_parts[chunk] = max_2;
        nan_parts[chunk] = nan_2;
    }
}

/* mul, max over x_d0 */
/* models.py:152: lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n */
ST_KERNEL double kernel_0_mul_max(const st_runtime *runtime, const double *state, double *next,
        const int64_t x_d0) {
    _Alignas(64) double max_parts[64];
    _Alignas(64) double nan_parts[64];
    double max = -__builtin_inf();
    double nan = 0.0;
    const int64_t rows_2 = st_chunk_rows(x_d0, 1, 32768, 64);
    const int64_t chunks = (rows_2 + x_d0 - 1) / rows_2;
    const kernel_0_mul_max_part_given st_given_1 = {state, next, max_parts, nan_parts, rows_2,
            x_d0};
    if (st_parallel(runtime, x_d0*5)) {
        st_share_out(runtime, kernel_0_mul_max_part, &st_given_1, chunks, 1);
    } else {
        kernel_0_mul_max_part(0, chunks, 0, &st_given_1);
    }
    for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
        const double max_parts_i = max_parts[chunk_2];
        max = max_parts_i > max ? max_parts_i : max;
        const double nan_parts_i = nan_parts[chunk_2];
        nan = nan_parts_i != nan_parts_i ? nan_parts_i : nan;
    }
    const double v_6 = nan != nan ? nan : max;
    return v_6;
}

/* halvings
   inputs: float64 x[x_d0], int64 n_7[1]
   outputs: float64 out[n_6*x_d0]
   workspace: (n_5*8 + 8)*x_d0 + 8 bytes
   1. scan = st_copy(x): reads x_d0*8, writes (n_6*8 + 8)*x_d0 bytes
   2. next, v_6 = kernel_0_mul_max(state): mul, max over x_d0; reads x_d0*8, writes x_d0*8 bytes
   3. out = st_copy(scan): reads (n_6*8 + 8)*x_d0, writes n_6*x_d0*8 bytes */
ST_EXPORT int32_t halvings(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
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

    const int64_t st_scan_2_at = st_padded((n_5*8 + 8)*x_d0);
    const int64_t arena_bytes = st_scan_2_at + st_padded(8);
    arena = st_arena_open(runtime, arena_bytes, 8.0*x_d0 + 8.0*n_5*x_d0 + 8.0);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    double *scan_reserved = (double *)arena;
    int64_t *scan_2 = (int64_t *)(arena + st_scan_2_at);

    double *scan = scan_reserved;
    int64_t turn = 2;
    int64_t rows = n_5;
    st_copy(runtime, scan, x, x_d0*8);
    int64_t count = 0;
    uint8_t more = true;
    ST_LEAVE_IF_ENDED;
    for (;;) {
        const bool v = count < n;
        const bool v_2 = v & more;
        if (!v_2) break;
        const bool full = count >= rows;
        if (__builtin_expect(full, 0)) {
            const int64_t v_3 = rows + rows;
            const int64_t more_2 = v_3 < n ? v_3 : n;
            double *scan_larger = ST_ALLOCATE(turn, more_2 + 1, x_d0);
            ST_REQUIRE(scan_larger, MEMORY, -1, (more_2*8 + 8)*x_d0, turn);
            st_copy(runtime, scan_larger, scan, (rows*8 + 8)*x_d0);
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
        const double v_6 = kernel_0_mul_max(runtime, state, next, x_d0);
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

    double *out = ST_ALLOCATE(0, n_6, x_d0);
    ST_REQUIRE(out, MEMORY, -1, n_6*x_d0*8, 0);

    /* identity over n_6 x x_d0 */
    ST_LEAVE_IF_ENDED;
    st_copy(runtime, out, &scan[x_d0], n_6*x_d0*8);
done:
    st_arena_close(runtime, arena);
    return status;
}
