/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_sum_part_given {
    const float *x;
    double *sum_f64_parts;
    const int64_t rows;
    const int64_t x_d0;
    const int64_t x_d1;
} kernel_0_sum_part_given;

ST_KERNEL void kernel_0_sum_part(const int64_t begin_2, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_0_sum_part_given *const st_given = given;
    const float *x = st_given->x;
    double *sum_f64_parts = st_given->sum_f64_parts;
    const int64_t rows = st_given->rows;
    const int64_t x_d0 = st_given->x_d0;
    const int64_t x_d1 = st_given->x_d1;
    _Alignas(64) double sum_f64_lanes[8];
    for (int64_t chunk = begin_2; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t k_2 = x_d0*x_d1;
        const int64_t stop = k < k_2 ? k : k_2;
        double sum_f64_2 = 0.0;
        const int64_t k_3 = stop - start;
        const int64_t i_count = k_3 > 0LL ? k_3 : 0LL;
        int64_t begin = start;
        const bool is_long = i_count >= 128LL;
        if (is_long) {
            const int64_t i_whole = i_count & (-64LL);
            #pragma omp simd
            for (int64_t i_lane = 0; i_lane < 8; i_lane++) {
                sum_f64_lanes[i_lane] = 0.0;
            }
            for (int64_t i_2 = start; i_2 < i_whole + start; i_2 += 64) {
                __builtin_prefetch(&x[i_2 + 2048]);
                __builtin_prefetch(&x[i_2 + 2064]);
                __builtin_prefetch(&x[i_2 + 2080]);
                __builtin_prefetch(&x[i_2 + 2096]);
                #pragma omp simd
                for (int64_t i_lane_2 = 0; i_lane_2 < 8; i_lane_2++) {
                    const float x_i_2 = x[i_2 + i_lane_2];
                    const float x_i_3 = x[i_2 + i_lane_2 + 8];
                    const float x_i_4 = x[i_2 + i_lane_2 + 16];
                    const float x_i_5 = x[i_2 + i_lane_2 + 24];
                    const float x_i_6 = x[i_2 + i_lane_2 + 32];
                    const float x_i_7 = x[i_2 + i_lane_2 + 40];
                    const float x_i_8 = x[i_2 + i_lane_2 + 48];
                    const float x_i_9 = x[i_2 + i_lane_2 + 56];
                    const float v_2 = x_i_2 + x_i_3;
                    const float v_3 = x_i_4 + x_i_5;
                    const float v_4 = x_i_6 + x_i_7;
                    const float v_5 = x_i_8 + x_i_9;
                    const float v_6 = v_2 + v_3;
                    const float v_7 = v_4 + v_5;
                    const float v_8 = v_6 + v_7;
                    const double v_9 = (double)v_8;
                    const double sum_f64_lanes_i_9 = sum_f64_lanes[i_lane_2];
                    const double v_25 = sum_f64_lanes_i_9 + v_9;
                    sum_f64_lanes[i_lane_2] = v_25;
                }
            }
            const double sum_f64_lanes_i = sum_f64_lanes[0];
            const double sum_f64_lanes_i_2 = sum_f64_lanes[1];
            const double sum_f64_lanes_i_3 = sum_f64_lanes[2];
            const double sum_f64_lanes_i_4 = sum_f64_lanes[3];
            const double sum_f64_lanes_i_5 = sum_f64_lanes[4];
            const double sum_f64_lanes_i_6 = sum_f64_lanes[5];
            const double sum_f64_lanes_i_7 = sum_f64_lanes[6];
            const double sum_f64_lanes_i_8 = sum_f64_lanes[7];
            const double v_10 = sum_f64_lanes_i + sum_f64_lanes_i_2;
            const double v_11 = sum_f64_lanes_i_3 + sum_f64_lanes_i_4;
            const double v_12 = sum_f64_lanes_i_5 + sum_f64_lanes_i_6;
            const double v_13 = sum_f64_lanes_i_7 + sum_f64_lanes_i_8;
            const double v_14 = v_10 + v_11;
            const double v_15 = v_12 + v_13;
            const double v_16 = v_14 + v_15;
            const double v_17 = __builtin_fabs(v_16);
            const bool is_finite = v_17 <= 1.7976931348623157e+308;
            const double v_18 = is_finite ? v_16 : 0.0;
            sum_f64_2 += v_18;
            const int64_t k_4 = i_whole + start;
            const int64_t v_19 = is_finite ? k_4 : start;
            begin = v_19;
        }
        const int64_t k_5 = stop - begin;
        const int64_t i_count_2 = k_5 > 0LL ? k_5 : 0LL;
        const int64_t i_whole_2 = i_count_2 & (-8LL);
        st_f64v sum_f64_lanes_2 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_3 = {0.0, 0.0, 0.0, 0.0};
        for (int64_t i_3 = begin; i_3 < begin + i_whole_2; i_3 += 8) {
            const st_f32v x_i_10 = *(const st_f32v *)&x[i_3];
            /* models.py:67: return function([x], x.sum(), name="total") */
            const st_f64v v_20 = st_widened(x_i_10);
            sum_f64_lanes_2 += v_20;
            const st_f32v x_i_11 = *(const st_f32v *)&x[i_3 + 4];
            const st_f64v v_21 = st_widened(x_i_11);
            sum_f64_lanes_3 += v_21;
        }
        const st_f64v v_22 = sum_f64_lanes_2 + sum_f64_lanes_3;
        const double v_23 = st_total(v_22);
        sum_f64_2 += v_23;
        for (int64_t i_4 = begin + i_whole_2; i_4 < stop; i_4++) {
            const float x_i_12 = x[i_4];
            const double v_24 = (double)x_i_12;
            sum_f64_2 += v_24;
        }
        sum_f64_parts[chunk] = sum_f64_2;
    }
}

/* sum over x_d0 x x_d1 */
/* models.py:67: return function([x], x.sum(), name="total") */
ST_KERNEL float kernel_0_sum(const st_runtime *runtime, const float *x, const int64_t x_d0,
        const int64_t x_d1) {
    _Alignas(64) double sum_f64_parts[64];
    double sum_f64 = 0.0;
    const int64_t rows = st_chunk_rows(x_d0*x_d1, 1, 32768, 64);
    const int64_t chunks = (x_d0*x_d1 + rows - 1) / rows;
    const kernel_0_sum_part_given st_given_1 = {x, sum_f64_parts, rows, x_d0, x_d1};
    if (st_parallel(runtime, x_d0*x_d1*3)) {
        st_share_out(runtime, kernel_0_sum_part, &st_given_1, chunks, 1);
    } else {
        kernel_0_sum_part(0, chunks, 0, &st_given_1);
    }
    for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
        const double sum_f64_parts_i = sum_f64_parts[chunk_2];
        sum_f64 += sum_f64_parts_i;
    }
    const float sum = (float)sum_f64;
    return sum;
}

/* total
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[1]
   1. sum = kernel_0_sum(x): sum over x_d0 x x_d1; reads x_d0*x_d1*4 bytes */
ST_EXPORT int32_t total(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    float *out = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out, MEMORY, -1, 4, 0);

    const float sum = kernel_0_sum(runtime, x, x_d0, x_d1);
    out[0] = sum;
done:
    return status;
}
