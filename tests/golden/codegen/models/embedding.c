/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct kernel_0_max_min_part_given {
    const int64_t *ids;
    int64_t *max_parts;
    int64_t *min_parts;
    const int64_t rows;
    const int64_t ids_d0;
} kernel_0_max_min_part_given;

typedef struct kernel_1_tanh_cosh_reciprocal_part_given {
    const int64_t *ids;
    const float *table;
    float *cost_sqr;
    double *sum_f64_parts;
    const int64_t rows_2;
    const int64_t ids_d0;
    const int64_t table_d1;
    const int64_t table_d0;
} kernel_1_tanh_cosh_reciprocal_part_given;

ST_KERNEL void kernel_0_max_min_part(const int64_t begin_2, const int64_t end, const int64_t thread,
        const void *given) {
    const kernel_0_max_min_part_given *const st_given = given;
    const int64_t *ids = st_given->ids;
    int64_t *max_parts = st_given->max_parts;
    int64_t *min_parts = st_given->min_parts;
    const int64_t rows = st_given->rows;
    const int64_t ids_d0 = st_given->ids_d0;
    for (int64_t chunk = begin_2; chunk < end; chunk++) {
        const int64_t start = chunk*rows;
        const int64_t k = rows + start;
        const int64_t stop = k < ids_d0 ? k : ids_d0;
        int64_t max_2 = INT64_MIN;
        int64_t min_2 = 9223372036854775807;
        #pragma omp simd reduction(st_reduce_larger_i64 : max_2) reduction(st_reduce_smaller_i64 : min_2)
        for (int64_t i = start; i < stop; i++) {
            const int64_t ids_i = ids[i];
            /* models.py:79: cost = T.tanh(table[ids]).sum() */
            max_2 = ids_i > max_2 ? ids_i : max_2;
            min_2 = ids_i < min_2 ? ids_i : min_2;
        }
        max_parts[chunk] = max_2;
        min_parts[chunk] = min_2;
    }
}

/* max, min over ids_d0 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL void kernel_0_max_min(const st_runtime *runtime, const int64_t *ids, const int64_t ids_d0,
        int64_t *st_max, int64_t *st_min) {
    _Alignas(64) int64_t max_parts[64];
    _Alignas(64) int64_t min_parts[64];
    int64_t max = INT64_MIN;
    int64_t min = 9223372036854775807;
    const int64_t rows = st_chunk_rows(ids_d0, 1, 32768, 64);
    const int64_t chunks = (ids_d0 + rows - 1) / rows;
    const kernel_0_max_min_part_given st_given_1 = {ids, max_parts, min_parts, rows, ids_d0};
    if (st_parallel(runtime, ids_d0*4)) {
        st_share_out(runtime, kernel_0_max_min_part, &st_given_1, chunks, 1);
    } else {
        kernel_0_max_min_part(0, chunks, 0, &st_given_1);
    }
    for (int64_t chunk_2 = 0; chunk_2 < chunks; chunk_2++) {
        const int64_t max_parts_i = max_parts[chunk_2];
        max = max_parts_i > max ? max_parts_i : max;
        const int64_t min_parts_i = min_parts[chunk_2];
        min = min_parts_i < min ? min_parts_i : min;
    }
    *st_max = max;
    *st_min = min;
}

ST_KERNEL void kernel_1_tanh_cosh_reciprocal_part(const int64_t begin_2, const int64_t end,
        const int64_t thread, const void *given) {
    const kernel_1_tanh_cosh_reciprocal_part_given *const st_given = given;
    const int64_t *ids = st_given->ids;
    const float *table = st_given->table;
    float *cost_sqr = st_given->cost_sqr;
    double *sum_f64_parts = st_given->sum_f64_parts;
    const int64_t rows_2 = st_given->rows_2;
    const int64_t ids_d0 = st_given->ids_d0;
    const int64_t table_d1 = st_given->table_d1;
    const int64_t table_d0 = st_given->table_d0;
    _Alignas(64) float sum_f64_terms[256];
    _Alignas(64) double sum_f64_lanes[8];
    for (int64_t chunk_3 = begin_2; chunk_3 < end; chunk_3++) {
        const int64_t start_2 = chunk_3*rows_2;
        const int64_t k_2 = rows_2 + start_2;
        const int64_t stop_2 = k_2 < ids_d0 ? k_2 : ids_d0;
        double sum_f64_2 = 0.0;
        const bool filled = table_d1 > 0LL;
        const int64_t stop_3 = filled ? stop_2 : start_2;
        for (int64_t i_2 = start_2; i_2 < stop_3; i_2++) {
            const int64_t ids_i_2 = ids[i_2];
            /* models.py:79: cost = T.tanh(table[ids]).sum() */
            const bool v = ids_i_2 < 0LL;
            const int64_t v_2 = ids_i_2 + table_d0;
            const int64_t v_3 = v ? v_2 : ids_i_2;
            for (int64_t block = 0; block < table_d1; block += 256) {
                const int64_t k_3 = table_d1 - block;
                const int64_t count = k_3 < 256LL ? k_3 : 256LL;
                #pragma omp simd
                for (int64_t j_3 = 0; j_3 < count; j_3++) {
                    const float table_i_2 = table[table_d1*v_3 + block + j_3];
                    const float v_13 = tanhf(table_i_2);
                    const float v_14 = coshf(table_i_2);
                    const float v_15 = 1 / v_14;
                    const float v_16 = v_15 * v_15;
                    cost_sqr[i_2*table_d1 + block + j_3] = v_16;
                    sum_f64_terms[j_3] = v_13;
                }
                int64_t begin = 0;
                const bool is_long = count >= 128LL;
                if (is_long) {
                    const int64_t j_whole = count & (-64LL);
                    #pragma omp simd
                    for (int64_t j_lane = 0; j_lane < 8; j_lane++) {
                        sum_f64_lanes[j_lane] = 0.0;
                    }
                    for (int64_t j_5 = 0; j_5 < j_whole; j_5 += 64) {
                        #pragma omp simd
                        for (int64_t j_lane_2 = 0; j_lane_2 < 8; j_lane_2++) {
                            const float sum_f64_terms_i_2 = sum_f64_terms[j_5 + j_lane_2];
                            const float sum_f64_terms_i_3 = sum_f64_terms[j_5 + j_lane_2 + 8];
                            const float sum_f64_terms_i_4 = sum_f64_terms[j_5 + j_lane_2 + 16];
                            const float sum_f64_terms_i_5 = sum_f64_terms[j_5 + j_lane_2 + 24];
                            const float sum_f64_terms_i_6 = sum_f64_terms[j_5 + j_lane_2 + 32];
                            const float sum_f64_terms_i_7 = sum_f64_terms[j_5 + j_lane_2 + 40];
                            const float sum_f64_terms_i_8 = sum_f64_terms[j_5 + j_lane_2 + 48];
                            const float sum_f64_terms_i_9 = sum_f64_terms[j_5 + j_lane_2 + 56];
                            const float v_18 = sum_f64_terms_i_2 + sum_f64_terms_i_3;
                            const float v_19 = sum_f64_terms_i_4 + sum_f64_terms_i_5;
                            const float v_20 = sum_f64_terms_i_6 + sum_f64_terms_i_7;
                            const float v_21 = sum_f64_terms_i_8 + sum_f64_terms_i_9;
                            const float v_22 = v_18 + v_19;
                            const float v_23 = v_20 + v_21;
                            const float v_24 = v_22 + v_23;
                            const double v_25 = (double)v_24;
                            const double sum_f64_lanes_i_9 = sum_f64_lanes[j_lane_2];
                            const double v_41 = sum_f64_lanes_i_9 + v_25;
                            sum_f64_lanes[j_lane_2] = v_41;
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
                    const double v_26 = sum_f64_lanes_i + sum_f64_lanes_i_2;
                    const double v_27 = sum_f64_lanes_i_3 + sum_f64_lanes_i_4;
                    const double v_28 = sum_f64_lanes_i_5 + sum_f64_lanes_i_6;
                    const double v_29 = sum_f64_lanes_i_7 + sum_f64_lanes_i_8;
                    const double v_30 = v_26 + v_27;
                    const double v_31 = v_28 + v_29;
                    const double v_32 = v_30 + v_31;
                    const double v_33 = __builtin_fabs(v_32);
                    const bool is_finite = v_33 <= 1.7976931348623157e+308;
                    const double v_34 = is_finite ? v_32 : 0.0;
                    sum_f64_2 += v_34;
                    const int64_t v_35 = is_finite ? j_whole : 0LL;
                    begin = v_35;
                }
                const int64_t k_4 = count - begin;
                const int64_t j_count = k_4 > 0LL ? k_4 : 0LL;
                const int64_t j_whole_2 = j_count & (-8LL);
                st_f64v sum_f64_lanes_2 = {0.0, 0.0, 0.0, 0.0};
                st_f64v sum_f64_lanes_3 = {0.0, 0.0, 0.0, 0.0};
                for (int64_t j_6 = begin; j_6 < begin + j_whole_2; j_6 += 8) {
                    const st_f32v sum_f64_terms_i_10 = *(const st_f32v *)&sum_f64_terms[j_6];
                    const st_f64v v_36 = st_widened(sum_f64_terms_i_10);
                    sum_f64_lanes_2 += v_36;
                    const st_f32v sum_f64_terms_i_11 = *(const st_f32v *)&sum_f64_terms[j_6 + 4];
                    const st_f64v v_37 = st_widened(sum_f64_terms_i_11);
                    sum_f64_lanes_3 += v_37;
                }
                const st_f64v v_38 = sum_f64_lanes_2 + sum_f64_lanes_3;
                const double v_39 = st_total(v_38);
                sum_f64_2 += v_39;
                for (int64_t j_7 = begin + j_whole_2; j_7 < count; j_7++) {
                    const float sum_f64_terms_i_12 = sum_f64_terms[j_7];
                    const double v_40 = (double)sum_f64_terms_i_12;
                    sum_f64_2 += v_40;
                }
            }
        }
        sum_f64_parts[chunk_3] = sum_f64_2;
    }
}

/* tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL float kernel_1_tanh_cosh_reciprocal(const st_runtime *runtime, const int64_t *ids,
        const float *table, float *cost_sqr, const int64_t ids_d0, const int64_t table_d1,
        const int64_t table_d0) {
    _Alignas(64) double sum_f64_parts[64];
    double sum_f64 = 0.0;
    const int64_t rows_2 = st_chunk_rows(ids_d0, table_d1*9, 32768, 64);
    const int64_t chunks_2 = (ids_d0 + rows_2 - 1) / rows_2;
    const kernel_1_tanh_cosh_reciprocal_part_given st_given_1 = {ids, table, cost_sqr,
            sum_f64_parts, rows_2, ids_d0, table_d1, table_d0};
    if (st_parallel(runtime, ids_d0*table_d1*38)) {
        st_share_out(runtime, kernel_1_tanh_cosh_reciprocal_part, &st_given_1, chunks_2, 1);
    } else {
        kernel_1_tanh_cosh_reciprocal_part(0, chunks_2, 0, &st_given_1);
    }
    for (int64_t chunk_4 = 0; chunk_4 < chunks_2; chunk_4++) {
        const double sum_f64_parts_i = sum_f64_parts[chunk_4];
        sum_f64 += sum_f64_parts_i;
    }
    const float sum = (float)sum_f64;
    return sum;
}

/* AdvancedIncSubtensor1{inc} */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL void kernel_advancedincsubtensor1(const st_runtime *runtime, const int64_t *ids,
        float *table_grad, const float *cost_sqr, const int64_t ids_d0, const int64_t table_d1,
        const int64_t table_d0) {
    st_announce(runtime, (double)(ids_d0*table_d1));
    const bool filled_2 = table_d1 > 0LL;
    const int64_t stop_5 = filled_2 ? ids_d0 : 0LL;
    for (int64_t i_3 = 0; i_3 < stop_5; i_3++) {
        const int64_t ids_i_3 = ids[i_3];
        const bool v_9 = ids_i_3 < 0LL;
        const int64_t v_10 = ids_i_3 + table_d0;
        const int64_t v_11 = v_9 ? v_10 : ids_i_3;
        const int64_t k_5 = table_d0*table_d1;
        const bool many = k_5 > 65536LL;
        if (many) {
            const int64_t k_6 = i_3 + 8;
            const int64_t k_7 = ids_d0 - 1;
            const int64_t ahead = k_6 < k_7 ? k_6 : k_7;
            const int64_t ids_i_4 = ids[ahead];
            const bool v_42 = ids_i_4 < 0LL;
            const int64_t v_43 = ids_i_4 + table_d0;
            const int64_t v_44 = v_42 ? v_43 : ids_i_4;
            const int64_t stop_4 = table_d1 < 64LL ? table_d1 : 64LL;
            for (int64_t k_8 = 0; k_8 < stop_4; k_8 += 16) {
                __builtin_prefetch(&table_grad[table_d1*v_44 + k_8], 1);
            }
        }
        #pragma omp simd
        for (int64_t j_2 = 0; j_2 < table_d1; j_2++) {
            const float cost_sqr_i = cost_sqr[i_3*table_d1 + j_2];
            const float table_grad_i = table_grad[table_d1*v_11 + j_2];
            const float v_12 = table_grad_i + cost_sqr_i;
            table_grad[table_d1*v_11 + j_2] = v_12;
        }
    }
}

/* embedding
   inputs: float32 table[table_d0*table_d1], int64 ids[ids_d0]
   outputs: float32 cost[1], float32 table_grad[table_d0*table_d1]
   workspace: ids_d0*table_d1*4 bytes
   1. max, min = kernel_0_max_min(ids): max, min over ids_d0; reads ids_d0*8 bytes
   2. cost_sqr, sum = kernel_1_tanh_cosh_reciprocal(ids, table): tanh, sum, cosh, reciprocal, sqr
       over ids_d0 x table_d1; reads table_d0*table_d1*4 + ids_d0*8, writes ids_d0*table_d1*4
       bytes
   3. table_grad = st_zero(): writes table_d0*table_d1*4 bytes
   4. table_grad = kernel_advancedincsubtensor1(ids, table_grad, cost_sqr):
       AdvancedIncSubtensor1; reads (table_d1*4 + 8)*ids_d0 + table_d0*table_d1*4, writes
       table_d0*table_d1*4 bytes */
ST_EXPORT int32_t embedding(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *table = inputs[0].data;
    const int64_t table_d0 = inputs[0].shape[0], table_d1 = inputs[0].shape[1];
    const int64_t *ids = inputs[1].data;
    const int64_t ids_d0 = inputs[1].shape[0];

    int64_t max;
    int64_t min;
    kernel_0_max_min(runtime, ids, ids_d0, &max, &min);
    /* models.py:79: cost = T.tanh(table[ids]).sum() */
    ST_REQUIRE((min >= (-table_d0)) & (max < table_d0), INDEX, 0, table_d0);

    float *cost = ST_ALLOCATE(0, 1);
    ST_REQUIRE(cost, MEMORY, -1, 4, 0);
    float *table_grad = ST_ALLOCATE(1, table_d0, table_d1);
    ST_REQUIRE(table_grad, MEMORY, -1, table_d0*table_d1*4, 1);

    const int64_t arena_bytes = st_padded(ids_d0*table_d1*4);
    arena = st_arena_open(runtime, arena_bytes, 4.0*ids_d0*table_d1);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    float *cost_sqr = (float *)arena;

    ST_LEAVE_IF_ENDED;
    const float sum = kernel_1_tanh_cosh_reciprocal(runtime, ids, table, cost_sqr, ids_d0, table_d1,
            table_d0);
    ST_LEAVE_IF_ENDED;
    st_zero(runtime, table_grad, table_d0*table_d1*4);
    kernel_advancedincsubtensor1(runtime, ids, table_grad, cost_sqr, ids_d0, table_d1, table_d0);
    cost[0] = sum;
done:
    st_arena_close(runtime, arena);
    return status;
}
