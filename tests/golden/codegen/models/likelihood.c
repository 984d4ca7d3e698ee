/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_sub_sqr_sum_part_given {
    const double *x;
    double *sum_parts;
    double *sum_parts_2;
    const int64_t rows;
    const int64_t x_d0;
    const double mu_value;
} kernel_0_sub_sqr_sum_part_given;

ST_KERNEL void kernel_0_sub_sqr_sum_part(const int64_t begin, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_0_sub_sqr_sum_part_given *const st_given = given;
    const double *x = st_given->x;
    double *sum_parts = st_given->sum_parts;
    double *sum_parts_2 = st_given->sum_parts_2;
    const int64_t rows = st_given->rows;
    const int64_t x_d0 = st_given->x_d0;
    const double mu_value = st_given->mu_value;
    _Alignas(64) double sum_lanes[4];
    _Alignas(64) double sum_lanes_2[4];
    _Alignas(64) double sum_lanes_3[4];
    _Alignas(64) double sum_lanes_4[4];
    _Alignas(64) double sum_lanes_5[4];
    _Alignas(64) double sum_lanes_6[4];
    _Alignas(64) double sum_lanes_7[4];
    _Alignas(64) double sum_lanes_8[4];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < x_d0 ? k : x_d0;
        double sum_3 = 0.0;
        double sum_4 = 0.0;
        const int64_t k_2 = stop - start;
        const int64_t part = k_2 / 4LL;
        double sum_5 = 0.0;
        double sum_6 = 0.0;
        double sum_7 = 0.0;
        double sum_8 = 0.0;
        double sum_9 = 0.0;
        double sum_10 = 0.0;
        const int64_t i_whole = part & (-4LL);
        #pragma omp simd
        for (int64_t i_lane = 0; i_lane < 4; i_lane++) {
            sum_lanes[i_lane] = 0.0;
            sum_lanes_2[i_lane] = 0.0;
            sum_lanes_3[i_lane] = 0.0;
            sum_lanes_4[i_lane] = 0.0;
            sum_lanes_5[i_lane] = 0.0;
            sum_lanes_6[i_lane] = 0.0;
            sum_lanes_7[i_lane] = 0.0;
            sum_lanes_8[i_lane] = 0.0;
        }
        for (int64_t i_3 = start; i_3 < i_whole + start; i_3 += 4) {
            #pragma omp simd
            for (int64_t i_lane_2 = 0; i_lane_2 < 4; i_lane_2++) {
                const double x_i_6 = x[i_3 + i_lane_2];
                /* models.py:47: z = (x - mu) * T.exp(-s) */
                const double v_11 = x_i_6 - mu_value;
                const double sum_lanes_i_2 = sum_lanes[i_lane_2];
                const double v_27 = st_plus_product_f64(sum_lanes_i_2, v_11, v_11);
                sum_lanes[i_lane_2] = v_27;
                const double sum_lanes_2_i_2 = sum_lanes_2[i_lane_2];
                const double v_31 = sum_lanes_2_i_2 + v_11;
                const double x_i_7 = x[i_3 + i_lane_2 + part];
                const double v_13 = x_i_7 - mu_value;
                const double sum_lanes_3_i_2 = sum_lanes_3[i_lane_2];
                const double v_28 = st_plus_product_f64(sum_lanes_3_i_2, v_13, v_13);
                sum_lanes_3[i_lane_2] = v_28;
                const double sum_lanes_4_i_2 = sum_lanes_4[i_lane_2];
                const double v_32 = sum_lanes_4_i_2 + v_13;
                const double x_i_8 = x[i_3 + i_lane_2 + part*2];
                const double v_15 = x_i_8 - mu_value;
                const double sum_lanes_5_i_2 = sum_lanes_5[i_lane_2];
                const double v_29 = st_plus_product_f64(sum_lanes_5_i_2, v_15, v_15);
                sum_lanes_5[i_lane_2] = v_29;
                const double sum_lanes_6_i_2 = sum_lanes_6[i_lane_2];
                const double v_33 = sum_lanes_6_i_2 + v_15;
                const double x_i_9 = x[i_3 + i_lane_2 + part*3];
                const double v_17 = x_i_9 - mu_value;
                const double sum_lanes_7_i_2 = sum_lanes_7[i_lane_2];
                const double v_30 = st_plus_product_f64(sum_lanes_7_i_2, v_17, v_17);
                sum_lanes_7[i_lane_2] = v_30;
                const double sum_lanes_8_i_2 = sum_lanes_8[i_lane_2];
                const double v_34 = sum_lanes_8_i_2 + v_17;
                sum_lanes_2[i_lane_2] = v_31;
                sum_lanes_4[i_lane_2] = v_32;
                sum_lanes_6[i_lane_2] = v_33;
                sum_lanes_8[i_lane_2] = v_34;
            }
        }
        #pragma GCC unroll 4
        for (int64_t i_lane_3 = 0; i_lane_3 < 4; i_lane_3++) {
            const double sum_lanes_i = sum_lanes[i_lane_3];
            sum_3 += sum_lanes_i;
            const double sum_lanes_2_i = sum_lanes_2[i_lane_3];
            sum_4 += sum_lanes_2_i;
            const double sum_lanes_3_i = sum_lanes_3[i_lane_3];
            sum_5 += sum_lanes_3_i;
            const double sum_lanes_4_i = sum_lanes_4[i_lane_3];
            sum_6 += sum_lanes_4_i;
            const double sum_lanes_5_i = sum_lanes_5[i_lane_3];
            sum_7 += sum_lanes_5_i;
            const double sum_lanes_6_i = sum_lanes_6[i_lane_3];
            sum_8 += sum_lanes_6_i;
            const double sum_lanes_7_i = sum_lanes_7[i_lane_3];
            sum_9 += sum_lanes_7_i;
            const double sum_lanes_8_i = sum_lanes_8[i_lane_3];
            sum_10 += sum_lanes_8_i;
        }
        ST_SCALAR
        for (int64_t i_4 = i_whole + start; i_4 < part + start; i_4++) {
            const double x_i_10 = x[i_4];
            const double v_19 = x_i_10 - mu_value;
            const double v_20 = v_19 * v_19;
            sum_3 += v_20;
            sum_4 += v_19;
            const double x_i_11 = x[i_4 + part];
            const double v_21 = x_i_11 - mu_value;
            const double v_22 = v_21 * v_21;
            sum_5 += v_22;
            sum_6 += v_21;
            const double x_i_12 = x[i_4 + part*2];
            const double v_23 = x_i_12 - mu_value;
            const double v_24 = v_23 * v_23;
            sum_7 += v_24;
            sum_8 += v_23;
            const double x_i_13 = x[i_4 + part*3];
            const double v_25 = x_i_13 - mu_value;
            const double v_26 = v_25 * v_25;
            sum_9 += v_26;
            sum_10 += v_25;
        }
        sum_3 += sum_5;
        sum_4 += sum_6;
        sum_3 += sum_7;
        sum_4 += sum_8;
        sum_3 += sum_9;
        sum_4 += sum_10;
        for (int64_t i = part*4 + start; i < stop; i++) {
            const double x_i = x[i];
            const double v = x_i - mu_value;
            const double v_2 = v * v;
            sum_3 += v_2;
            sum_4 += v;
        }
        sum_parts[chunk] = sum_3;
        sum_parts_2[chunk] = sum_4;
    }
}

/* sub, sqr, sum over x_d0 */
/* models.py:47: z = (x - mu) * T.exp(-s) */
ST_KERNEL void kernel_0_sub_sqr_sum(const st_runtime *runtime, const double *x, const int64_t x_d0,
        const double mu_value, double *st_sum, double *st_sum_2) {
    _Alignas(64) double sum_parts[64];
    _Alignas(64) double sum_parts_2[64];
    double sum = 0.0;
    double sum_2 = 0.0;
    const int64_t rows = st_chunk_rows(x_d0, 1, 32768, 64);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    const kernel_0_sub_sqr_sum_part_given st_given_1 = {x, sum_parts, sum_parts_2, rows, x_d0,
            mu_value};
    if (st_parallel(runtime, x_d0*6)) {
        st_share_out(runtime, kernel_0_sub_sqr_sum_part, &st_given_1, chunks, 1);
    } else {
        kernel_0_sub_sqr_sum_part(0, chunks, 0, &st_given_1);
    }
    for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
        const double sum_parts_i = sum_parts[chunk_2];
        sum += sum_parts_i;
        const double sum_parts_2_i = sum_parts_2[chunk_2];
        sum_2 += sum_parts_2_i;
    }
    *st_sum = sum;
    *st_sum_2 = sum_2;
}

/* likelihood
   inputs: float64 x[x_d0], float64 mu[1], float64 s[1]
   outputs: float64 cost[1], float64 mu_grad[1], float64 s_grad[1]
   1. sum, sum_2 = kernel_0_sub_sqr_sum(x): sub, sqr, sum over x_d0; reads x_d0*8 bytes */
ST_EXPORT int32_t likelihood(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const double *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0];
    const double *mu = inputs[1].data;
    const double *s = inputs[2].data;

    double *cost = ST_ALLOCATE(0, 1);
    ST_REQUIRE(cost, MEMORY, -1, 8, 0);
    double *mu_grad = ST_ALLOCATE(1, 1);
    ST_REQUIRE(mu_grad, MEMORY, -1, 8, 1);
    double *s_grad = ST_ALLOCATE(2, 1);
    ST_REQUIRE(s_grad, MEMORY, -1, 8, 2);

    const double mu_value = mu[0];
    double sum;
    double sum_2;
    kernel_0_sub_sqr_sum(runtime, x, x_d0, mu_value, &sum, &sum_2);
    /* models.py:48: cost = (-0.5 * T.sqr(z) - s).sum() */
    const double x_d0_f64 = (double)x_d0;
    const double s_value = s[0];
    const double s_2 = s_value * x_d0_f64;
    const double s_3 = -s_2;
    const bool s_4 = x_d0_f64 == 0.0;
    const double s_5 = s_4 ? 0.0 : s_3;
    /* models.py:47: z = (x - mu) * T.exp(-s) */
    const double neg_s_value = -s_value;
    const double exp_neg_s_value = exp(neg_s_value);
    const double s_6 = sum * exp_neg_s_value;
    const double s_7 = s_6 * exp_neg_s_value;
    /* models.py:48: cost = (-0.5 * T.sqr(z) - s).sum() */
    const double s_8 = s_7 * (-0.5);
    const double s_9 = s_8 + s_5;
    cost[0] = s_9;
    /* models.py:47: z = (x - mu) * T.exp(-s) */
    const double s_10 = sum_2 * exp_neg_s_value;
    const double s_11 = s_10 * exp_neg_s_value;
    mu_grad[0] = s_11;
    const double s_12 = s_7 - x_d0_f64;
    s_grad[0] = s_12;
done:
    return status;
}
