/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_sum_part_given {
    const float *x;
    double *sum_f64_parts;
    const int64_t rows;
    const int64_t x_d0;
    const int64_t x_d1;
} kernel_0_sum_part_given;

ST_KERNEL void kernel_0_sum_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_0_sum_part_given *const st_given = given;
    const float *x = st_given->x;
    double *sum_f64_parts = st_given->sum_f64_parts;
    const int64_t rows = st_given->rows;
    const int64_t x_d0 = st_given->x_d0;
    const int64_t x_d1 = st_given->x_d1;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t k_2 = x_d0*x_d1;
        const int64_t stop = k < k_2 ? k : k_2;
        double sum_f64_2 = 0.0;
        const int64_t k_3 = stop - start;
        const int64_t part = k_3 / 4LL;
        double sum_f64_3 = 0.0;
        double sum_f64_4 = 0.0;
        double sum_f64_5 = 0.0;
        const int64_t i_whole = part & (-8LL);
        st_f64v sum_f64_lanes = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_2 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_3 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_4 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_5 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_6 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_7 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_8 = {0.0, 0.0, 0.0, 0.0};
        for (int64_t i_3 = start; i_3 < i_whole + start; i_3 += 8) {
            const st_f32v x_i_6 = *(const st_f32v *)&x[i_3];
            /* models.py:67: return function([x], x.sum(), name="total") */
            const st_f64v v_6 = st_widened(x_i_6);
            sum_f64_lanes += v_6;
            const st_f32v x_i_7 = *(const st_f32v *)&x[i_3 + part];
            const st_f64v v_7 = st_widened(x_i_7);
            sum_f64_lanes_2 += v_7;
            const st_f32v x_i_8 = *(const st_f32v *)&x[i_3 + part*2];
            const st_f64v v_8 = st_widened(x_i_8);
            sum_f64_lanes_3 += v_8;
            const st_f32v x_i_9 = *(const st_f32v *)&x[i_3 + part*3];
            const st_f64v v_9 = st_widened(x_i_9);
            sum_f64_lanes_4 += v_9;
            const st_f32v x_i_10 = *(const st_f32v *)&x[i_3 + 4];
            const st_f64v v_10 = st_widened(x_i_10);
            sum_f64_lanes_5 += v_10;
            const st_f32v x_i_11 = *(const st_f32v *)&x[i_3 + part + 4];
            const st_f64v v_11 = st_widened(x_i_11);
            sum_f64_lanes_6 += v_11;
            const st_f32v x_i_12 = *(const st_f32v *)&x[i_3 + part*2 + 4];
            const st_f64v v_12 = st_widened(x_i_12);
            sum_f64_lanes_7 += v_12;
            const st_f32v x_i_13 = *(const st_f32v *)&x[i_3 + part*3 + 4];
            const st_f64v v_13 = st_widened(x_i_13);
            sum_f64_lanes_8 += v_13;
        }
        const st_f64v v_14 = sum_f64_lanes + sum_f64_lanes_5;
        const double v_15 = st_total(v_14);
        sum_f64_2 += v_15;
        const st_f64v v_16 = sum_f64_lanes_2 + sum_f64_lanes_6;
        const double v_17 = st_total(v_16);
        sum_f64_3 += v_17;
        const st_f64v v_18 = sum_f64_lanes_3 + sum_f64_lanes_7;
        const double v_19 = st_total(v_18);
        sum_f64_4 += v_19;
        const st_f64v v_20 = sum_f64_lanes_4 + sum_f64_lanes_8;
        const double v_21 = st_total(v_20);
        sum_f64_5 += v_21;
        for (int64_t i_4 = i_whole + start; i_4 < part + start; i_4++) {
            const float x_i_14 = x[i_4];
            const double v_22 = (double)x_i_14;
            sum_f64_2 += v_22;
            const float x_i_15 = x[i_4 + part];
            const double v_23 = (double)x_i_15;
            sum_f64_3 += v_23;
            const float x_i_16 = x[i_4 + part*2];
            const double v_24 = (double)x_i_16;
            sum_f64_4 += v_24;
            const float x_i_17 = x[i_4 + part*3];
            const double v_25 = (double)x_i_17;
            sum_f64_5 += v_25;
        }
        sum_f64_2 += sum_f64_3;
        sum_f64_2 += sum_f64_4;
        sum_f64_2 += sum_f64_5;
        for (int64_t i = part*4 + start; i < stop; i++) {
            const float x_i = x[i];
            const double v = (double)x_i;
            sum_f64_2 += v;
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
