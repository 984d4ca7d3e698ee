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
        {
            int64_t i_2 = start;
            st_f64v st_sum_0_0 = {0.0}, st_sum_1_0 = {0.0}, st_sum_2_0 = {0.0}, st_sum_3_0 = {0.0};
            st_f64v st_sum_0_1 = {0.0}, st_sum_1_1 = {0.0}, st_sum_2_1 = {0.0}, st_sum_3_1 = {0.0};
            for (; i_2 <= part + start - 2*ST_LANES; i_2 += 2*ST_LANES) {
                {
                    const st_f32v x_i_2 = *(const st_f32v *)&x[i_2];
                    const st_f64v v_2 = st_widened(x_i_2);
                    st_sum_0_0 += v_2;
                    const st_f32v x_i_3 = *(const st_f32v *)&x[i_2 + part];
                    const st_f64v v_3 = st_widened(x_i_3);
                    st_sum_1_0 += v_3;
                    const st_f32v x_i_4 = *(const st_f32v *)&x[i_2 + part*2];
                    const st_f64v v_4 = st_widened(x_i_4);
                    st_sum_2_0 += v_4;
                    const st_f32v x_i_5 = *(const st_f32v *)&x[i_2 + part*3];
                    const st_f64v v_5 = st_widened(x_i_5);
                    st_sum_3_0 += v_5;
                }
                {
                    const st_f32v x_i_2 = *(const st_f32v *)&x[ST_LANES + i_2];
                    const st_f64v v_2 = st_widened(x_i_2);
                    st_sum_0_1 += v_2;
                    const st_f32v x_i_3 = *(const st_f32v *)&x[ST_LANES + i_2 + part];
                    const st_f64v v_3 = st_widened(x_i_3);
                    st_sum_1_1 += v_3;
                    const st_f32v x_i_4 = *(const st_f32v *)&x[ST_LANES + i_2 + part*2];
                    const st_f64v v_4 = st_widened(x_i_4);
                    st_sum_2_1 += v_4;
                    const st_f32v x_i_5 = *(const st_f32v *)&x[ST_LANES + i_2 + part*3];
                    const st_f64v v_5 = st_widened(x_i_5);
                    st_sum_3_1 += v_5;
                }
            }
            sum_f64_2 += st_total(st_sum_0_0 + st_sum_0_1);
            sum_f64_3 += st_total(st_sum_1_0 + st_sum_1_1);
            sum_f64_4 += st_total(st_sum_2_0 + st_sum_2_1);
            sum_f64_5 += st_total(st_sum_3_0 + st_sum_3_1);
            for (; i_2 < part + start; i_2++) {
                const float x_i_2 = x[i_2];
                const double v_2 = (double)x_i_2;
                sum_f64_2 += v_2;
                const float x_i_3 = x[i_2 + part];
                const double v_3 = (double)x_i_3;
                sum_f64_3 += v_3;
                const float x_i_4 = x[i_2 + part*2];
                const double v_4 = (double)x_i_4;
                sum_f64_4 += v_4;
                const float x_i_5 = x[i_2 + part*3];
                const double v_5 = (double)x_i_5;
                sum_f64_5 += v_5;
            }
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
