/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_sum_max_part_given {
    double *sum_parts;
    const float *x;
    float *out_2;
    const int64_t rows;
    const int64_t x_d0;
    const int64_t x_d1;
} kernel_0_sum_max_part_given;

ST_KERNEL void kernel_0_sum_max_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_0_sum_max_part_given *const st_given = given;
    double *sum_parts = st_given->sum_parts;
    const float *x = st_given->x;
    float *out_2 = st_given->out_2;
    const int64_t rows = st_given->rows;
    const int64_t x_d0 = st_given->x_d0;
    const int64_t x_d1 = st_given->x_d1;
    _Alignas(64) float max_lanes[16];
    _Alignas(64) float nan_lanes[16];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < x_d0 ? k : x_d0;
        #pragma omp simd
        for (int64_t j_4 = 0; j_4 < x_d1; j_4++) {
            sum_parts[chunk*x_d1 + j_4] = 0.0;
        }
        for (int64_t i = start; i < stop; i++) {
            float max = -__builtin_inff();
            float nan = 0.0f;
            const int64_t j_whole = x_d1 & (-16LL);
            #pragma GCC ivdep
            #pragma GCC unroll 16
            for (int64_t j_lane = 0; j_lane < 16; j_lane++) {
                max_lanes[j_lane] = -__builtin_inff();
                nan_lanes[j_lane] = 0.0f;
            }
            for (int64_t j_6 = 0; j_6 < j_whole; j_6 += 16) {
                #pragma GCC ivdep
                #pragma GCC unroll 16
                for (int64_t j_lane_2 = 0; j_lane_2 < 16; j_lane_2++) {
                    const float x_i_2 = x[i*x_d1 + j_6 + j_lane_2];
                    /* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
                    const double v_4 = (double)x_i_2;
                    const double sum_parts_i_2 = sum_parts[chunk*x_d1 + j_6 + j_lane_2];
                    const double v_7 = sum_parts_i_2 + v_4;
                    const float max_lanes_i_4 = max_lanes[j_lane_2];
                    const float v_8 = x_i_2 > max_lanes_i_4 ? x_i_2 : max_lanes_i_4;
                    const float nan_lanes_i_4 = nan_lanes[j_lane_2];
                    const float v_9 = x_i_2 != x_i_2 ? x_i_2 : nan_lanes_i_4;
                    sum_parts[chunk*x_d1 + j_6 + j_lane_2] = v_7;
                    max_lanes[j_lane_2] = v_8;
                    nan_lanes[j_lane_2] = v_9;
                }
            }
            const int64_t j_ended = x_d1 & (-8LL);
            for (int64_t j_7 = j_whole; j_7 < j_ended; j_7 += 8) {
                #pragma omp simd
                for (int64_t j_lane_3 = 0; j_lane_3 < 8; j_lane_3++) {
                    const float x_i_3 = x[i*x_d1 + j_7 + j_lane_3];
                    const double v_5 = (double)x_i_3;
                    const double sum_parts_i_3 = sum_parts[chunk*x_d1 + j_7 + j_lane_3];
                    const double v_10 = sum_parts_i_3 + v_5;
                    const float max_lanes_i_5 = max_lanes[j_lane_3];
                    const float v_11 = x_i_3 > max_lanes_i_5 ? x_i_3 : max_lanes_i_5;
                    const float nan_lanes_i_5 = nan_lanes[j_lane_3];
                    const float v_12 = x_i_3 != x_i_3 ? x_i_3 : nan_lanes_i_5;
                    sum_parts[chunk*x_d1 + j_7 + j_lane_3] = v_10;
                    max_lanes[j_lane_3] = v_11;
                    nan_lanes[j_lane_3] = v_12;
                }
            }
            #pragma GCC ivdep
            #pragma GCC unroll 8
            for (int64_t j_lane_4 = 0; j_lane_4 < 8; j_lane_4++) {
                const float max_lanes_i = max_lanes[j_lane_4 + 8];
                const float max_lanes_i_6 = max_lanes[j_lane_4];
                const float v_13 = max_lanes_i > max_lanes_i_6 ? max_lanes_i : max_lanes_i_6;
                const float nan_lanes_i = nan_lanes[j_lane_4 + 8];
                const float nan_lanes_i_6 = nan_lanes[j_lane_4];
                const float v_14 = nan_lanes_i != nan_lanes_i ? nan_lanes_i : nan_lanes_i_6;
                max_lanes[j_lane_4] = v_13;
                nan_lanes[j_lane_4] = v_14;
            }
            #pragma GCC ivdep
            #pragma GCC unroll 4
            for (int64_t j_lane_5 = 0; j_lane_5 < 4; j_lane_5++) {
                const float max_lanes_i_2 = max_lanes[j_lane_5 + 4];
                const float max_lanes_i_7 = max_lanes[j_lane_5];
                const float v_15 = max_lanes_i_2 > max_lanes_i_7 ? max_lanes_i_2 : max_lanes_i_7;
                const float nan_lanes_i_2 = nan_lanes[j_lane_5 + 4];
                const float nan_lanes_i_7 = nan_lanes[j_lane_5];
                const float v_16 = nan_lanes_i_2 != nan_lanes_i_2 ? nan_lanes_i_2 : nan_lanes_i_7;
                max_lanes[j_lane_5] = v_15;
                nan_lanes[j_lane_5] = v_16;
            }
            #pragma GCC unroll 4
            for (int64_t j_lane_6 = 0; j_lane_6 < 4; j_lane_6++) {
                const float max_lanes_i_3 = max_lanes[j_lane_6];
                max = max_lanes_i_3 > max ? max_lanes_i_3 : max;
                const float nan_lanes_i_3 = nan_lanes[j_lane_6];
                nan = nan_lanes_i_3 != nan_lanes_i_3 ? nan_lanes_i_3 : nan;
            }
            ST_SCALAR
            for (int64_t j_8 = j_ended; j_8 < x_d1; j_8++) {
                const float x_i_4 = x[i*x_d1 + j_8];
                const double v_6 = (double)x_i_4;
                const double sum_parts_i_4 = sum_parts[chunk*x_d1 + j_8];
                const double v_17 = sum_parts_i_4 + v_6;
                max = x_i_4 > max ? x_i_4 : max;
                nan = x_i_4 != x_i_4 ? x_i_4 : nan;
                sum_parts[chunk*x_d1 + j_8] = v_17;
            }
            const float v_2 = nan != nan ? nan : max;
            out_2[i] = v_2;
        }
    }
}

/* sum, max over x_d0 x x_d1 */
/* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
ST_KERNEL void kernel_0_sum_max(const st_runtime *runtime, double *sum, double *sum_parts,
        const float *x, float *out_2, float *out, const int64_t x_d1, const int64_t x_d0) {
    #pragma omp simd
    for (int64_t j = 0; j < x_d1; j++) {
        sum[j] = 0.0;
    }
    const int64_t rows = st_chunk_rows(x_d0, x_d1, 32768, 16);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    const kernel_0_sum_max_part_given st_given_1 = {sum_parts, x, out_2, rows, x_d0, x_d1};
    if (st_parallel(runtime, x_d0*x_d1*7)) {
        st_share_out(runtime, kernel_0_sum_max_part, &st_given_1, chunks, 1);
    } else {
        kernel_0_sum_max_part(0, chunks, 0, &st_given_1);
    }
    const bool filled = x_d1 > 0LL;
    const int64_t stop_2 = filled ? chunks : 0LL;
    for (int64_t chunk_2 = 0; chunk_2 < stop_2; chunk_2++) {
        #pragma omp simd
        for (int64_t j_5 = 0; j_5 < x_d1; j_5++) {
            const double sum_parts_i = sum_parts[chunk_2*x_d1 + j_5];
            const double sum_i = sum[j_5];
            const double v_18 = sum_i + sum_parts_i;
            sum[j_5] = v_18;
        }
    }
    #pragma omp simd
    for (int64_t j_3 = 0; j_3 < x_d1; j_3++) {
        const double total = sum[j_3];
        const float v_3 = (float)total;
        out[j_3] = v_3;
    }
}

/* columns
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[x_d1], float32 out_2[x_d0]
   workspace: x_d1*136 bytes
   1. out_2, out = kernel_0_sum_max(x): sum, max over x_d0 x x_d1; reads x_d0*x_d1*4, writes
       x_d0*4 + x_d1*4 bytes */
ST_EXPORT int32_t columns(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    /* models.py:73: return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns") */
    ST_REQUIRE(x_d1 > 0, VALUE, 0, x_d1);

    float *out = ST_ALLOCATE(0, x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d1*4, 0);
    float *out_2 = ST_ALLOCATE(1, x_d0);
    ST_REQUIRE(out_2, MEMORY, -1, x_d0*4, 1);

    const int64_t st_sum_parts_at = st_padded(x_d1*8);
    const int64_t arena_bytes = st_sum_parts_at + st_padded(x_d1*128);
    arena = st_arena_open(runtime, arena_bytes, 136.0*x_d1);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    double *sum = (double *)arena;
    double *sum_parts = (double *)(arena + st_sum_parts_at);

    kernel_0_sum_max(runtime, sum, sum_parts, x, out_2, out, x_d1, x_d0);
done:
    st_arena_close(runtime, arena);
    return status;
}
