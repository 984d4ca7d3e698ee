ST_DEVICE double st_warp_add_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = first + second;
    }
    return value;
}

ST_DEVICE int64_t st_warp_larger_int64(int64_t value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const int64_t other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const int64_t first = upper ? other : value, second = upper ? value : other;
        value = second > first ? second : first;
    }
    return value;
}

ST_DEVICE int64_t st_warp_smaller_int64(int64_t value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const int64_t other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const int64_t first = upper ? other : value, second = upper ? value : other;
        value = second < first ? second : first;
    }
    return value;
}

/* max, min over ids_d0 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_0_max_min_2(const int64_t *ids_device, int64_t *max_parts, int64_t *min_parts,
        int32_t chunks, int32_t rows_2, int32_t ids_d0) {
    const int32_t chunk = (int32_t)st_block_of_row();
    const int32_t start = chunk*rows_2;
    const int32_t k_3 = rows_2 + start;
    const int32_t stop = k_3 < ids_d0 ? k_3 : ids_d0;
    int64_t max_2 = INT64_MIN;
    int64_t min_2 = 9223372036854775807;
    ST_SHARED(int64_t, part, 8);
    ST_SHARED(int64_t, part_2, 8);
    {
        const int32_t warp = st_warp();
        int64_t max_4 = INT64_MIN;
        int64_t min_4 = 9223372036854775807;
        {
            const int32_t lane = st_lane();
            for (int32_t i = lane + start + warp*32; i < stop; i += 256) {
                const int64_t ids_i = ids_device[i];
                /* models.py:79: cost = T.tanh(table[ids]).sum() */
                max_4 = ids_i > max_4 ? ids_i : max_4;
                min_4 = ids_i < min_4 ? ids_i : min_4;
            }
        }
        max_4 = st_warp_larger_int64(max_4);
        min_4 = st_warp_smaller_int64(min_4);
        if (st_lane() == 0) {
            part[warp] = max_4;
            part_2[warp] = min_4;
        }
    }
    st_wait_for_block();
    for (int32_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const int64_t part_i = part[warp_2];
        max_2 = part_i > max_2 ? part_i : max_2;
        const int64_t part_i_2 = part_2[warp_2];
        min_2 = part_i_2 < min_2 ? part_i_2 : min_2;
    }
    if (st_thread() == 0) {
        max_parts[chunk] = max_2;
        min_parts[chunk] = min_2;
    }
}

/* max, min over ids_d0 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_0_max_min_3(const int64_t *max_parts, const int64_t *min_parts,
        int64_t *total, int64_t *total_2, int32_t chunks) {
    const int32_t one = (int32_t)st_block_of_row();
    int64_t max_3 = INT64_MIN;
    int64_t min_3 = 9223372036854775807;
    ST_SHARED(int64_t, part_3, 8);
    ST_SHARED(int64_t, part_4, 8);
    {
        const int32_t warp_3 = st_warp();
        int64_t max_5 = INT64_MIN;
        int64_t min_5 = 9223372036854775807;
        {
            const int32_t lane_2 = st_lane();
            for (int32_t chunk_3 = lane_2 + warp_3*32; chunk_3 < chunks; chunk_3 += 256) {
                const int64_t max_parts_i_2 = max_parts[chunk_3];
                max_5 = max_parts_i_2 > max_5 ? max_parts_i_2 : max_5;
                const int64_t min_parts_i_2 = min_parts[chunk_3];
                min_5 = min_parts_i_2 < min_5 ? min_parts_i_2 : min_5;
            }
        }
        max_5 = st_warp_larger_int64(max_5);
        min_5 = st_warp_smaller_int64(min_5);
        if (st_lane() == 0) {
            part_3[warp_3] = max_5;
            part_4[warp_3] = min_5;
        }
    }
    st_wait_for_block();
    for (int32_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const int64_t part_i_3 = part_3[warp_4];
        max_3 = part_i_3 > max_3 ? part_i_3 : max_3;
        const int64_t part_i_4 = part_4[warp_4];
        min_3 = part_i_4 < min_3 ? part_i_4 : min_3;
    }
    if (st_thread() == 0) {
        total[0] = max_3;
        total_2[0] = min_3;
    }
}

/* tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_1_tanh_cosh_reciprocal_2(const int64_t *cells_i64, const int64_t *ids_device,
        const float *table_device, float *cost_sqr, double *sum_f64_parts, int32_t chunks_2,
        int32_t rows_3, int32_t ids_d0, int32_t table_d1, int32_t table_d0) {
    const int32_t chunk_4 = (int32_t)st_block_of_row();
    const int64_t status_ = cells_i64[0];
    const bool fine = status_ == 0LL;
    if (fine) {
        const int32_t start_2 = chunk_4*rows_3;
        const int32_t k_4 = rows_3 + start_2;
        const int32_t stop_2 = k_4 < ids_d0 ? k_4 : ids_d0;
        double sum_f64_2 = 0.0;
        ST_SHARED(double, part_5, 8);
        {
            const int32_t warp_5 = st_warp();
            double sum_f64_4 = 0.0;
            {
                const int32_t lane_3 = st_lane();
                for (int32_t element = lane_3 + warp_5*32; element < (stop_2 - start_2)*table_d1; element += 256) {
                    const int32_t row = (int32_t)((uint32_t)element / (uint32_t)table_d1);
                    const int32_t i_2 = row + start_2;
                    const int64_t ids_i_2 = ids_device[i_2];
                    /* models.py:79: cost = T.tanh(table[ids]).sum() */
                    const bool v = ids_i_2 < 0LL;
                    const int64_t v_2 = ids_i_2 + (int64_t)table_d0;
                    const int64_t v_3 = v ? v_2 : ids_i_2;
                    const int32_t j = element - row*table_d1;
                    const float table_i = table_device[table_d1*v_3 + j];
                    const float v_4 = tanhf(table_i);
                    const double v_5 = (double)v_4;
                    sum_f64_4 += v_5;
                    const float v_6 = coshf(table_i);
                    const float v_7 = 1 / v_6;
                    const float v_8 = v_7 * v_7;
                    cost_sqr[i_2*table_d1 + j] = v_8;
                }
            }
            sum_f64_4 = st_warp_add_float64(sum_f64_4);
            if (st_lane() == 0) {
                part_5[warp_5] = sum_f64_4;
            }
        }
        st_wait_for_block();
        for (int32_t warp_6 = 0; warp_6 < 8; warp_6++) {
            const double part_i_5 = part_5[warp_6];
            sum_f64_2 += part_i_5;
        }
        if (st_thread() == 0) {
            sum_f64_parts[chunk_4] = sum_f64_2;
        }
    }
}

/* tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_1_tanh_cosh_reciprocal_3(const int64_t *cells_i64,
        const double *sum_f64_parts, double *total_3, int32_t chunks_2) {
    const int32_t one_6 = (int32_t)st_block_of_row();
    const int64_t status_2 = cells_i64[0];
    const bool fine_2 = status_2 == 0LL;
    if (fine_2) {
        double sum_f64_3 = 0.0;
        ST_SHARED(double, part_6, 8);
        {
            const int32_t warp_7 = st_warp();
            double sum_f64_5 = 0.0;
            {
                const int32_t lane_4 = st_lane();
                for (int32_t chunk_6 = lane_4 + warp_7*32; chunk_6 < chunks_2; chunk_6 += 256) {
                    const double sum_f64_parts_i_2 = sum_f64_parts[chunk_6];
                    sum_f64_5 += sum_f64_parts_i_2;
                }
            }
            sum_f64_5 = st_warp_add_float64(sum_f64_5);
            if (st_lane() == 0) {
                part_6[warp_7] = sum_f64_5;
            }
        }
        st_wait_for_block();
        for (int32_t warp_8 = 0; warp_8 < 8; warp_8++) {
            const double part_i_6 = part_6[warp_8];
            sum_f64_3 += part_i_6;
        }
        if (st_thread() == 0) {
            total_3[0] = sum_f64_3;
        }
    }
}

/* zero table_d0*table_d1 elements */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_zero_2(const int64_t *cells_i64, float *out, int32_t table_d0,
        int32_t table_d1) {
    alignas(16) float out_four[4];
    const int32_t first_2 = (int32_t)st_block_of_row()*1024;
    const int64_t status_3 = cells_i64[0];
    const bool fine_3 = status_3 == 0LL;
    if (fine_3) {
        const int32_t k_5 = first_2 + 1024;
        const int32_t k_6 = table_d0*table_d1;
        const int32_t stop_3 = k_5 < k_6 ? k_5 : k_6;
        const bool aligned = st_is_aligned(&out[first_2]);
        const int32_t k_7 = stop_3 - first_2;
        const int32_t whole = k_7 & (-4);
        const int32_t in_vectors = aligned ? whole : 0;
        const int32_t rest = first_2 + in_vectors;
        {
            const int32_t thread_2 = st_thread();
            const int32_t i_6 = first_2 + thread_2*4;
            const bool some = i_6 < rest;
            if (some) {
                ST_UNROLL
                for (int32_t k_8 = 0; k_8 < 4; k_8++) {
                    out_four[k_8] = 0.0f;
                }
                const st_four<float> four = *(const st_four<float> *)&out_four[0];
                st_store_four(&out[i_6], four);
            }
            for (int32_t i_5 = rest + thread_2; i_5 < stop_3; i_5 += 256) {
                out[i_5] = 0.0f;
            }
        }
    }
}

/* AdvancedIncSubtensor1{inc}: numbers of rows */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_advancedincsubtensor1_2_2(const int64_t *cells_i64, const int64_t *ids_device,
        int64_t *rows, int32_t ids_d0, int64_t table_d0) {
    alignas(16) int64_t ids_four[4];
    alignas(16) int64_t rows_four[4];
    const int32_t first_3 = (int32_t)st_block_of_row()*1024;
    const int64_t status_4 = cells_i64[0];
    const bool fine_4 = status_4 == 0LL;
    if (fine_4) {
        const int32_t k_9 = first_3 + 1024;
        const int32_t stop_4 = k_9 < ids_d0 ? k_9 : ids_d0;
        const bool aligned_2 = st_is_aligned(&ids_device[first_3]);
        const bool aligned_3 = st_is_aligned(&rows[first_3]);
        const bool vectors = aligned_2 & aligned_3;
        const int32_t k_10 = stop_4 - first_3;
        const int32_t whole_2 = k_10 & (-4);
        const int32_t in_vectors_2 = vectors ? whole_2 : 0;
        const int32_t rest_2 = first_3 + in_vectors_2;
        {
            const int32_t thread_3 = st_thread();
            const int32_t i_7 = first_3 + thread_3*4;
            const bool some_2 = i_7 < rest_2;
            if (some_2) {
                const st_four<int64_t> four_2 = st_load_four(&ids_device[i_7]);
                *(st_four<int64_t> *)&ids_four[0] = four_2;
                ST_UNROLL
                for (int32_t k_11 = 0; k_11 < 4; k_11++) {
                    const int64_t ids_i_5 = ids_four[k_11];
                    /* models.py:79: cost = T.tanh(table[ids]).sum() */
                    const bool v_22 = ids_i_5 < 0LL;
                    const int64_t v_23 = ids_i_5 + table_d0;
                    const int64_t v_24 = v_22 ? v_23 : ids_i_5;
                    rows_four[k_11] = v_24;
                }
                const st_four<int64_t> four_3 = *(const st_four<int64_t> *)&rows_four[0];
                st_store_four(&rows[i_7], four_3);
            }
            for (int32_t i_4 = rest_2 + thread_3; i_4 < stop_4; i_4 += 256) {
                const int64_t ids_i_4 = ids_device[i_4];
                const bool v_13 = ids_i_4 < 0LL;
                const int64_t v_14 = ids_i_4 + table_d0;
                const int64_t v_15 = v_13 ? v_14 : ids_i_4;
                rows[i_4] = v_15;
            }
        }
    }
}

/* argsort */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(1) kernel_argsort_2(const double *total_3, float *cells_f32) {
    const int32_t one_13 = (int32_t)st_block_of_row();
    {
        const double sum_f64_6 = total_3[0];
        /* models.py:79: cost = T.tanh(table[ids]).sum() */
        const float sum_2 = (float)sum_f64_6;
        cells_f32[0] = sum_2;
    }
}

/* argsort */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_argsort_3(const int64_t *cells_i64, const int64_t *rows, int64_t *order,
        int32_t ids_d0) {
    const unsigned st_blocks_1 = (ids_d0 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_2 = (int32_t)st_outer_0;
    const int32_t first_4 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int64_t status_5 = cells_i64[0];
    const bool fine_5 = status_5 == 0LL;
    if (fine_5) {
        {
            const int32_t thread_4 = st_thread();
            const int32_t place = first_4 + thread_4;
            /* models.py:79: cost = T.tanh(table[ids]).sum() */
            const bool v_25 = place < ids_d0;
            if (v_25) {
                const int64_t rows_i_4 = rows[ids_d0*row_2 + place];
                int64_t rank = 0;
                for (int32_t k_12 = 0; k_12 < ids_d0; k_12++) {
                    const int64_t rows_i_5 = rows[ids_d0*row_2 + k_12];
                    const bool v_26 = rows_i_4 < rows_i_5;
                    const bool v_27 = !v_26;
                    const bool v_28 = k_12 < place;
                    const bool v_29 = rows_i_5 < rows_i_4;
                    const bool v_30 = v_28 ? v_27 : v_29;
                    const int64_t v_31 = v_30 ? (int64_t)1 : (int64_t)0;
                    const int64_t v_32 = rank + v_31;
                    rank = v_32;
                }
                const int64_t rank_2 = rank;
                order[ids_d0*row_2 + rank_2] = place;
            }
        }
    }
}

/* argsort */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_argsort_4(const int64_t *cells_i64, const int64_t *rows, int64_t *order,
        int32_t ids_d0, int32_t k_13) {
    const unsigned st_blocks_1 = (ids_d0 + 1023)/1024;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_3 = (int32_t)st_outer_0;
    const int32_t first_5 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*1024;
    const int64_t status_6 = cells_i64[0];
    const bool fine_6 = status_6 == 0LL;
    if (fine_6) {
        ST_SHARED(int64_t, keys, 1024);
        ST_SHARED(int64_t, order_2, 2048);
        const int32_t k_14 = ids_d0 - first_5;
        /* models.py:79: cost = T.tanh(table[ids]).sum() */
        const int32_t v_53 = 1024 < k_14 ? 1024 : k_14;
        {
            const int32_t thread_5 = st_thread();
            for (int32_t part_7 = 0; part_7 < 4; part_7++) {
                const int32_t place_2 = part_7*256 + thread_5;
                const bool v_54 = place_2 < v_53;
                if (v_54) {
                    const int64_t rows_i_6 = rows[ids_d0*row_3 + first_5 + place_2];
                    keys[place_2] = rows_i_6;
                    order_2[place_2] = place_2;
                }
            }
        }
        for (int32_t step = 0; step < k_13; step++) {
            st_wait_for_block();
            const int32_t v_55 = step & 1;
            {
                const int32_t thread_6 = st_thread();
                for (int32_t part_8 = 0; part_8 < 4; part_8++) {
                    const int32_t place_3 = part_8*256 + thread_6;
                    const bool v_56 = place_3 < v_53;
                    if (v_56) {
                        const int64_t order_2_i = order_2[place_3 + v_55*1024];
                        const int64_t keys_i = keys[order_2_i];
                        const int64_t v_57 = (uint64_t)(int64_t)step < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)step : 0;
                        const int64_t v_58 = (uint64_t)(int64_t)step < sizeof(int64_t) * 8 ? (int64_t)place_3 >> (int64_t)step : -((int64_t)place_3 < 0);
                        const int64_t v_59 = v_58 & 1LL;
                        const bool v_60 = v_59 == 1LL;
                        const int64_t v_61 = (uint64_t)(int64_t)step < sizeof(int64_t) * 8 ? (uint64_t)v_58 << (int64_t)step : 0;
                        const int64_t k_15 = v_61 - v_57;
                        const int64_t k_16 = v_57 + v_61;
                        const int64_t v_62 = v_60 ? k_15 : k_16;
                        const int64_t k_17 = v_53 - v_62;
                        const int64_t v_63 = v_57 < k_17 ? v_57 : k_17;
                        const int64_t v_64 = v_63 > 0LL ? v_63 : 0LL;
                        int64_t low = 0;
                        int64_t high = v_64;
                        for (int32_t halving = 0; halving < step + 1; halving++) {
                            const bool v_65 = low < high;
                            if (v_65) {
                                const int64_t v_66 = low + high;
                                const int64_t v_67 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_66 >> 1LL : -(v_66 < 0);
                                const int64_t order_2_i_2 = order_2[v_55*1024 + v_62 + v_67];
                                const int64_t keys_i_2 = keys[order_2_i_2];
                                const bool v_68 = keys_i < keys_i_2;
                                const bool v_69 = !v_68;
                                const bool v_70 = keys_i_2 < keys_i;
                                const bool v_71 = v_60 ? v_69 : v_70;
                                const int64_t k_18 = v_67 + 1;
                                const int64_t v_72 = v_71 ? k_18 : low;
                                low = v_72;
                                const int64_t v_73 = v_71 ? high : v_67;
                                high = v_73;
                            }
                        }
                        const int64_t rank_3 = low;
                        const int64_t v_74 = v_61 < v_62 ? v_61 : v_62;
                        order_2[place_3 + rank_3 + v_74 - v_55*1024 - v_61 + 1024] = order_2_i;
                    }
                }
            }
        }
        st_wait_for_block();
        const int32_t v_75 = k_13 & 1;
        {
            const int32_t thread_7 = st_thread();
            for (int32_t part_9 = 0; part_9 < 4; part_9++) {
                const int32_t place_4 = part_9*256 + thread_7;
                const bool v_76 = place_4 < v_53;
                if (v_76) {
                    const int64_t order_2_i_3 = order_2[place_4 + v_75*1024];
                    const int64_t keys_i_3 = keys[order_2_i_3];
                    const int64_t k_19 = first_5 + order_2_i_3;
                    order[ids_d0*row_3 + first_5 + place_4] = k_19;
                }
            }
        }
    }
}

/* argsort */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_argsort_5(const int64_t *cells_i64, const int64_t *order, const int64_t *rows,
        int64_t *sorted, int32_t ids_d0, int32_t now) {
    const unsigned st_blocks_1 = (ids_d0 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_4 = (int32_t)st_outer_0;
    const int32_t first_6 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int64_t status_7 = cells_i64[0];
    const bool fine_7 = status_7 == 0LL;
    if (fine_7) {
        {
            const int32_t thread_8 = st_thread();
            const int32_t place_5 = first_6 + thread_8;
            /* models.py:79: cost = T.tanh(table[ids]).sum() */
            const bool v_79 = place_5 < ids_d0;
            if (v_79) {
                const int64_t order_i_4 = order[ids_d0*row_4 + place_5];
                const int64_t rows_i_7 = rows[ids_d0*row_4 + order_i_4];
                const int64_t v_80 = (uint64_t)(int64_t)now < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)now : 0;
                const int64_t v_81 = (uint64_t)(int64_t)now < sizeof(int64_t) * 8 ? (int64_t)place_5 >> (int64_t)now : -((int64_t)place_5 < 0);
                const int64_t v_82 = v_81 & 1LL;
                const bool v_83 = v_82 == 1LL;
                const int64_t v_84 = (uint64_t)(int64_t)now < sizeof(int64_t) * 8 ? (uint64_t)v_81 << (int64_t)now : 0;
                const int64_t k_20 = v_84 - v_80;
                const int64_t k_21 = v_80 + v_84;
                const int64_t v_85 = v_83 ? k_20 : k_21;
                const int64_t k_22 = ids_d0 - v_85;
                const int64_t v_86 = v_80 < k_22 ? v_80 : k_22;
                const int64_t v_87 = v_86 > 0LL ? v_86 : 0LL;
                int64_t low_2 = 0;
                int64_t high_2 = v_87;
                for (int32_t halving_2 = 0; halving_2 < now + 1; halving_2++) {
                    const bool v_88 = low_2 < high_2;
                    if (v_88) {
                        const int64_t v_89 = low_2 + high_2;
                        const int64_t v_90 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_89 >> 1LL : -(v_89 < 0);
                        const int64_t order_i_5 = order[ids_d0*row_4 + v_85 + v_90];
                        const int64_t rows_i_8 = rows[ids_d0*row_4 + order_i_5];
                        const bool v_91 = rows_i_7 < rows_i_8;
                        const bool v_92 = !v_91;
                        const bool v_93 = rows_i_8 < rows_i_7;
                        const bool v_94 = v_83 ? v_92 : v_93;
                        const int64_t k_23 = v_90 + 1;
                        const int64_t v_95 = v_94 ? k_23 : low_2;
                        low_2 = v_95;
                        const int64_t v_96 = v_94 ? high_2 : v_90;
                        high_2 = v_96;
                    }
                }
                const int64_t rank_4 = low_2;
                const int64_t v_97 = v_84 < v_85 ? v_84 : v_85;
                sorted[ids_d0*row_4 + place_5 + rank_4 + v_97 - v_84] = order_i_4;
            }
        }
    }
}

/* argsort */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(256) kernel_argsort_6(const int64_t *cells_i64, const int64_t *sorted,
        const int64_t *rows, int64_t *order, int32_t ids_d0, int32_t now) {
    const unsigned st_blocks_1 = (ids_d0 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_5 = (int32_t)st_outer_0;
    const int32_t first_7 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    const int64_t status_8 = cells_i64[0];
    const bool fine_8 = status_8 == 0LL;
    if (fine_8) {
        {
            const int32_t thread_9 = st_thread();
            const int32_t place_6 = first_7 + thread_9;
            /* models.py:79: cost = T.tanh(table[ids]).sum() */
            const bool v_98 = place_6 < ids_d0;
            if (v_98) {
                const int64_t sorted_i = sorted[ids_d0*row_5 + place_6];
                const int64_t rows_i_9 = rows[ids_d0*row_5 + sorted_i];
                const int32_t k_24 = now + 1;
                const int64_t v_99 = (uint64_t)(int64_t)k_24 < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)k_24 : 0;
                const int32_t k_25 = now + 1;
                const int64_t v_100 = (uint64_t)(int64_t)k_25 < sizeof(int64_t) * 8 ? (int64_t)place_6 >> (int64_t)k_25 : -((int64_t)place_6 < 0);
                const int64_t v_101 = v_100 & 1LL;
                const bool v_102 = v_101 == 1LL;
                const int32_t k_26 = now + 1;
                const int64_t v_103 = (uint64_t)(int64_t)k_26 < sizeof(int64_t) * 8 ? (uint64_t)v_100 << (int64_t)k_26 : 0;
                const int64_t k_27 = v_103 - v_99;
                const int64_t k_28 = v_103 + v_99;
                const int64_t v_104 = v_102 ? k_27 : k_28;
                const int64_t k_29 = ids_d0 - v_104;
                const int64_t v_105 = v_99 < k_29 ? v_99 : k_29;
                const int64_t v_106 = v_105 > 0LL ? v_105 : 0LL;
                int64_t low_3 = 0;
                int64_t high_3 = v_106;
                for (int32_t halving_3 = 0; halving_3 < now + 2; halving_3++) {
                    const bool v_107 = low_3 < high_3;
                    if (v_107) {
                        const int64_t v_108 = low_3 + high_3;
                        const int64_t v_109 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_108 >> 1LL : -(v_108 < 0);
                        const int64_t sorted_i_2 = sorted[ids_d0*row_5 + v_104 + v_109];
                        const int64_t rows_i_10 = rows[ids_d0*row_5 + sorted_i_2];
                        const bool v_110 = rows_i_9 < rows_i_10;
                        const bool v_111 = !v_110;
                        const bool v_112 = rows_i_10 < rows_i_9;
                        const bool v_113 = v_102 ? v_111 : v_112;
                        const int64_t k_30 = v_109 + 1;
                        const int64_t v_114 = v_113 ? k_30 : low_3;
                        low_3 = v_114;
                        const int64_t v_115 = v_113 ? high_3 : v_109;
                        high_3 = v_115;
                    }
                }
                const int64_t rank_5 = low_3;
                const int64_t v_116 = v_103 < v_104 ? v_103 : v_104;
                order[ids_d0*row_5 + place_6 + rank_5 + v_116 - v_103] = sorted_i;
            }
        }
    }
}

/* AdvancedIncSubtensor1{inc}: segments of rows */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL(64) kernel_advancedincsubtensor1_3_2(const int64_t *cells_i64, const int64_t *order,
        const int64_t *rows, const float *cost_sqr, float *out, int32_t table_d1, int32_t ids_d0) {
    const unsigned st_blocks_1 = ids_d0;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t first = (int32_t)st_outer_0*64;
    const int32_t segment = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1));
    const int64_t status_9 = cells_i64[0];
    const bool fine_9 = status_9 == 0LL;
    if (fine_9) {
        const int64_t order_i = order[segment];
        const int64_t rows_i = rows[order_i];
        const int32_t k = segment - 1;
        /* models.py:79: cost = T.tanh(table[ids]).sum() */
        const int32_t before = k > 0 ? k : 0;
        const int64_t order_i_2 = order[before];
        const int64_t rows_i_2 = rows[order_i_2];
        const bool v_16 = segment == 0LL;
        const bool v_17 = rows_i_2 != rows_i;
        const bool v_18 = v_16 | v_17;
        if (v_18) {
            {
                const int32_t thread = st_thread();
                const int32_t column = first + thread;
                const bool v_19 = column < table_d1;
                if (v_19) {
                    for (int32_t k_2 = segment; k_2 < ids_d0; k_2++) {
                        const int64_t order_i_3 = order[k_2];
                        const int64_t rows_i_3 = rows[order_i_3];
                        const bool v_20 = rows_i_3 != rows_i;
                        if (v_20) break;
                        const float cost_sqr_i_2 = cost_sqr[order_i_3*table_d1 + column];
                        const float out_i_2 = out[rows_i_3*table_d1 + column];
                        const float v_21 = out_i_2 + cost_sqr_i_2;
                        out[rows_i_3*table_d1 + column] = v_21;
                    }
                }
            }
        }
    }
}

ST_KERNEL(1) embedding_2(const int64_t *total, const int64_t *total_2, int64_t *cells_i64,
        int64_t table_d0) {
    const int32_t one_11 = (int32_t)st_block_of_row();
    {
        const int64_t max_6 = total[0];
        const int64_t min_6 = total_2[0];
        const int64_t condition_5 = -table_d0;
        const bool condition_6 = min_6 >= condition_5;
        const bool condition_7 = max_6 < table_d0;
        const bool condition_8 = condition_6 & condition_7;
        /* models.py:79: cost = T.tanh(table[ids]).sum() */
        const bool failed_2 = !condition_8;
        if (failed_2) {
            cells_i64[0] = 1;
        } else {
            cells_i64[0] = 0;
        }
    }
}

ST_KERNEL(1) embedding_3(const float *cells_f32, float *out_2) {
    const int32_t one_15 = (int32_t)st_block_of_row();
    {
        const float sum_3 = cells_f32[0];
        out_2[0] = sum_3;
    }
}

/* The host. */

/* max, min over ids_d0 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_0_max_min(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *ids_device, int64_t *max_parts, int64_t *min_parts, int64_t *total,
        int64_t *total_2, const int64_t ids_d0) {
    int32_t status = ST_OK;
    const int64_t rows_2 = st_chunk_rows(ids_d0, 1, 8192, 1024);
    const int64_t chunks = (ids_d0 + rows_2 - 1) / rows_2;
    void *st_arguments_1[] = {(void *)&ids_device, (void *)&max_parts, (void *)&min_parts,
            (void *)&chunks, (void *)&rows_2, (void *)&ids_d0};
    ST_ASK(launch, 0,
            !st_fits((st_extent(rows_2) + 1)*st_extent(chunks) + st_extent(ids_d0) + st_extent(rows_2) + 544),
            st_block_count(chunks, 1), 256, st_arguments_1);
    void *st_arguments_2[] = {(void *)&max_parts, (void *)&min_parts, (void *)&total,
            (void *)&total_2, (void *)&chunks};
    ST_ASK(launch, 1, !st_fits(st_extent(chunks) + 544), st_block_count(1, 1), 256, st_arguments_2);
done:
    return status;
}

/* tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1 */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_1_tanh_cosh_reciprocal(const st_runtime *runtime, st_call *call,
        st_error *error, const int64_t *cells_i64, const int64_t *ids_device,
        const float *table_device, float *cost_sqr, double *sum_f64_parts, double *total_3,
        const int64_t ids_d0, const int64_t table_d1, const int64_t table_d0) {
    int32_t status = ST_OK;
    const int64_t rows_3 = st_chunk_rows(ids_d0, table_d1, 8192, 1024);
    const int64_t chunks_2 = (ids_d0 + rows_3 - 1) / rows_3;
    void *st_arguments_4[] = {(void *)&cells_i64, (void *)&ids_device, (void *)&table_device,
            (void *)&cost_sqr, (void *)&sum_f64_parts, (void *)&chunks_2, (void *)&rows_3,
            (void *)&ids_d0, (void *)&table_d1, (void *)&table_d0};
    ST_ASK(launch, 2,
            !st_fits((((st_extent(table_d1)*4 + 3)*st_extent(chunks_2) + st_extent(table_d1)*2 + 1)*st_extent(rows_3) + (st_extent(table_d1)*2 + 1)*st_extent(ids_d0) + 576)*st_extent(table_d1) + (st_extent(rows_3) + 1)*st_extent(chunks_2) + st_extent(ids_d0) + st_extent(rows_3) + st_extent(table_d0) + 544),
            st_block_count(chunks_2, 1), 256, st_arguments_4);
    void *st_arguments_5[] = {(void *)&cells_i64, (void *)&sum_f64_parts, (void *)&total_3,
            (void *)&chunks_2};
    ST_ASK(launch, 3, !st_fits(st_extent(chunks_2) + 544), st_block_count(1, 1), 256,
            st_arguments_5);
done:
    return status;
}

/* zero table_d0*table_d1 elements */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_zero(const st_runtime *runtime, st_call *call, st_error *error,
        const int64_t *cells_i64, float *out, const int64_t table_d0, const int64_t table_d1) {
    int32_t status = ST_OK;
    void *st_arguments_6[] = {(void *)&cells_i64, (void *)&out, (void *)&table_d0,
            (void *)&table_d1};
    ST_ASK(launch, 4,
            !st_fits((st_extent(table_d1)*3 + 1)*st_extent(table_d0) + st_extent(table_d1) + 1540),
            st_block_count(table_d0*table_d1, 1024), 256, st_arguments_6);
done:
    return status;
}

/* AdvancedIncSubtensor1{inc}: numbers of rows */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_advancedincsubtensor1_2(const st_runtime *runtime, st_call *call,
        st_error *error, const int64_t *cells_i64, const int64_t *ids_device, int64_t *rows,
        const int64_t ids_d0, const int64_t table_d0) {
    int32_t status = ST_OK;
    void *st_arguments_7[] = {(void *)&cells_i64, (void *)&ids_device, (void *)&rows,
            (void *)&ids_d0, (void *)&table_d0};
    ST_ASK(launch, 5, !st_fits(st_extent(ids_d0)*3 + 1540), st_block_count(ids_d0, 1024), 256,
            st_arguments_7);
done:
    return status;
}

/* argsort */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_argsort(const st_runtime *runtime, st_call *call, st_error *error,
        const double *total_3, float *cells_f32, const int64_t *cells_i64, const int64_t *rows,
        int64_t *order, int64_t *sorted, const int64_t ids_d0) {
    int32_t status = ST_OK;
    const bool short_rows = ids_d0 <= 64LL;
    void *st_arguments_8[] = {(void *)&total_3, (void *)&cells_f32};
    ST_ASK(launch, 6, false, st_block_count(1, 1), 1, st_arguments_8);
    if (short_rows) {
        void *st_arguments_9[] = {(void *)&cells_i64, (void *)&rows, (void *)&order,
                (void *)&ids_d0};
        ST_ASK(launch, 7, !st_fits(st_extent(ids_d0)*2 + 257),
                st_block_count(1, 1) * st_block_count(ids_d0, 256), 256, st_arguments_9);
    } else {
        const bool v_33 = 1LL < ids_d0;
        const int64_t v_34 = v_33 ? (int64_t)1 : (int64_t)0;
        const bool v_35 = 2LL < ids_d0;
        const int64_t v_36 = v_35 ? (int64_t)1 : (int64_t)0;
        const bool v_37 = 4LL < ids_d0;
        const int64_t v_38 = v_37 ? (int64_t)1 : (int64_t)0;
        const bool v_39 = 8LL < ids_d0;
        const int64_t v_40 = v_39 ? (int64_t)1 : (int64_t)0;
        const bool v_41 = 16LL < ids_d0;
        const int64_t v_42 = v_41 ? (int64_t)1 : (int64_t)0;
        const bool v_43 = 32LL < ids_d0;
        const int64_t v_44 = v_43 ? (int64_t)1 : (int64_t)0;
        const bool v_45 = 64LL < ids_d0;
        const int64_t v_46 = v_45 ? (int64_t)1 : (int64_t)0;
        const bool v_47 = 128LL < ids_d0;
        const int64_t v_48 = v_47 ? (int64_t)1 : (int64_t)0;
        const bool v_49 = 256LL < ids_d0;
        const int64_t v_50 = v_49 ? (int64_t)1 : (int64_t)0;
        const bool v_51 = 512LL < ids_d0;
        const int64_t v_52 = v_51 ? (int64_t)1 : (int64_t)0;
        const int64_t k_13 = v_34 + v_36 + v_38 + v_40 + v_42 + v_44 + v_46 + v_48 + v_50 + v_52;
        void *st_arguments_10[] = {(void *)&cells_i64, (void *)&rows, (void *)&order,
                (void *)&ids_d0, (void *)&k_13};
        ST_ASK(launch, 8, !st_fits(st_extent(ids_d0)*2 + st_extent(k_13)*1024 + 3331),
                st_block_count(1, 1) * st_block_count(ids_d0, 1024), 256, st_arguments_10);
        int64_t step_2 = 10;
        for (;;) {
            const int64_t v_77 = (uint64_t)step_2 < sizeof(int64_t) * 8 ? (uint64_t)1LL << step_2 : 0;
            const bool v_78 = v_77 < ids_d0;
            if (!v_78) break;
            const int64_t now = step_2;
            void *st_arguments_11[] = {(void *)&cells_i64, (void *)&order, (void *)&rows,
                    (void *)&sorted, (void *)&ids_d0, (void *)&now};
            ST_ASK(launch, 9, !st_fits(st_extent(ids_d0)*2 + st_extent(now) + 259),
                    st_block_count(1, 1) * st_block_count(ids_d0, 256), 256, st_arguments_11);
            void *st_arguments_12[] = {(void *)&cells_i64, (void *)&sorted, (void *)&rows,
                    (void *)&order, (void *)&ids_d0, (void *)&now};
            ST_ASK(launch, 10, !st_fits(st_extent(ids_d0)*2 + st_extent(now) + 259),
                    st_block_count(1, 1) * st_block_count(ids_d0, 256), 256, st_arguments_12);
            const int64_t k_31 = now + 2;
            step_2 = k_31;
        }
    }
done:
    return status;
}

/* AdvancedIncSubtensor1{inc}: segments of rows */
/* models.py:79: cost = T.tanh(table[ids]).sum() */
ST_KERNEL int32_t kernel_advancedincsubtensor1_3(const st_runtime *runtime, st_call *call,
        st_error *error, const int64_t *cells_i64, const int64_t *order, const int64_t *rows,
        const float *cost_sqr, float *out, const int64_t table_d1, const int64_t ids_d0) {
    int32_t status = ST_OK;
    void *st_arguments_13[] = {(void *)&cells_i64, (void *)&order, (void *)&rows, (void *)&cost_sqr,
            (void *)&out, (void *)&table_d1, (void *)&ids_d0};
    ST_ASK(launch, 11,
            !st_fits((st_extent(table_d1) + 1)*st_extent(ids_d0) + st_extent(table_d1)*2 + 65),
            st_block_count(table_d1, 64) * st_block_count(ids_d0, 1), 64, st_arguments_13);
done:
    return status;
}

/* embedding
   inputs: float32 table[table_d0*table_d1], int64 ids[ids_d0]
   outputs: float32 out_2[1], float32 out_2_host[1], float32 out[table_d0*table_d1],
       float32 out_host[table_d0*table_d1], int64 cells_i64[1], float32 cells_f32[1],
       int64 ids_device[ids_d0], float32 table_device[table_d0*table_d1]
   workspace: (table_d1*4 + 24)*ids_d0 + argsort_bytes + 16400 bytes
   1. total, total_2 = kernel_0_max_min(ids_device): max, min over ids_d0; reads ids_d0*8, writes
       16 bytes
   2. cost_sqr, total_3 = kernel_1_tanh_cosh_reciprocal(cells_i64, ids_device, table_device):
       tanh, sum, cosh, reciprocal, sqr over ids_d0 x table_d1; reads table_d0*table_d1*4 +
       ids_d0*8 + 8, writes ids_d0*table_d1*4 + 8 bytes
   3. out = kernel_zero(cells_i64): zero table_d0*table_d1 elements; reads 8, writes
       table_d0*table_d1*4 bytes
   4. rows = kernel_advancedincsubtensor1_2(cells_i64, ids_device): AdvancedIncSubtensor1; reads
       ids_d0*8 + 8, writes ids_d0*8 bytes
   5. cells_f32 = kernel_argsort(total_3, cells_i64, rows): argsort; reads ids_d0*8 + 16, writes
       4 bytes
   6. out = kernel_advancedincsubtensor1_3(cells_i64, order, rows, cost_sqr, out):
       AdvancedIncSubtensor1; reads (table_d1*4 + 16)*ids_d0 + table_d0*table_d1*4 + 8, writes
       table_d0*table_d1*4 bytes */
ST_EXPORT int32_t embedding(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
    const float *table = inputs[0].data;
    const int64_t table_d0 = inputs[0].shape[0], table_d1 = inputs[0].shape[1];
    const int64_t *ids = inputs[1].data;
    const int64_t ids_d0 = inputs[1].shape[0];

    int64_t *cells_i64 = st_device_memory(call, 8, 8.0);
    ST_REQUIRE(cells_i64, MEMORY, -1, 8, ST_ON_DEVICE - 1);
    float *cells_f32 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(cells_f32, MEMORY, -1, 4, ST_ON_DEVICE - 2);

    const int64_t argsort_bytes = 0;

    int64_t *ids_device = st_device_memory(call, ids_d0*8, 8.0*ids_d0);
    ST_REQUIRE(ids_device, MEMORY, -1, ids_d0*8, ST_ON_DEVICE - 3);

    ST_ASK(to_device, ids_device, ids, ids_d0*8);

    const int64_t arena_bytes = st_padded(argsort_bytes);
    arena = st_arena_open(runtime, arena_bytes, 1.0*argsort_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;

    const int64_t st_rows_at = st_padded(ids_d0*table_d1*4);
    const int64_t st_order_at = st_rows_at + st_padded(ids_d0*8);
    const int64_t st_max_parts_at = st_order_at + st_padded(ids_d0*8);
    const int64_t st_min_parts_at = st_max_parts_at + st_padded(8192);
    const int64_t st_total_at = st_min_parts_at + st_padded(8192);
    const int64_t st_total_2_at = st_total_at + st_padded(8);
    const int64_t st_sorted_at = st_total_2_at + st_padded(8);
    const int64_t device_arena_bytes = st_sorted_at + st_padded(ids_d0*8);
    device_arena = st_device_memory(call, device_arena_bytes,
            4.0*ids_d0*table_d1 + 24.0*ids_d0 + 16400.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *cost_sqr = (float *)device_arena;
    int64_t *rows = (int64_t *)(device_arena + st_rows_at);
    int64_t *order = (int64_t *)(device_arena + st_order_at);
    int64_t *max_parts = (int64_t *)(device_arena + st_max_parts_at);
    double *sum_f64_parts = (double *)(device_arena + st_max_parts_at);
    int64_t *min_parts = (int64_t *)(device_arena + st_min_parts_at);
    int64_t *total = (int64_t *)(device_arena + st_total_at);
    double *total_3 = (double *)(device_arena + st_total_at);
    int64_t *total_2 = (int64_t *)(device_arena + st_total_2_at);
    int64_t *sorted = (int64_t *)(device_arena + st_sorted_at);

    status = kernel_0_max_min(runtime, call, error, ids_device, max_parts, min_parts, total,
            total_2, ids_d0);
    if (status != ST_OK) goto done;
    void *st_arguments_3[] = {(void *)&total, (void *)&total_2, (void *)&cells_i64,
            (void *)&table_d0};
    ST_ASK(launch, 12, false, st_block_count(1, 1), 1, st_arguments_3);

    float *out_2 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(out_2, MEMORY, -1, 4, ST_ON_DEVICE - 4);
    float *out = st_device_memory(call, table_d0*table_d1*4, 4.0*table_d0*table_d1);
    ST_REQUIRE(out, MEMORY, -1, table_d0*table_d1*4, ST_ON_DEVICE - 5);
    float *table_device = st_device_memory(call, table_d0*table_d1*4, 4.0*table_d0*table_d1);
    ST_REQUIRE(table_device, MEMORY, -1, table_d0*table_d1*4, ST_ON_DEVICE - 6);

    ST_ASK(to_device, table_device, table, table_d0*table_d1*4);
    status = kernel_1_tanh_cosh_reciprocal(runtime, call, error, cells_i64, ids_device,
            table_device, cost_sqr, sum_f64_parts, total_3, ids_d0, table_d1, table_d0);
    if (status != ST_OK) goto done;
    status = kernel_zero(runtime, call, error, cells_i64, out, table_d0, table_d1);
    if (status != ST_OK) goto done;
    status = kernel_advancedincsubtensor1_2(runtime, call, error, cells_i64, ids_device, rows,
            ids_d0, table_d0);
    if (status != ST_OK) goto done;
    status = kernel_argsort(runtime, call, error, total_3, cells_f32, cells_i64, rows, order,
            sorted, ids_d0);
    if (status != ST_OK) goto done;
    status = kernel_advancedincsubtensor1_3(runtime, call, error, cells_i64, order, rows, cost_sqr,
            out, table_d1, ids_d0);
    if (status != ST_OK) goto done;
    void *st_arguments_14[] = {(void *)&cells_f32, (void *)&out_2};
    ST_ASK(launch, 13, false, st_block_count(1, 1), 1, st_arguments_14);
    int64_t status_10;
    ST_ASK(to_host, &status_10, &cells_i64[0], sizeof status_10);
    /* models.py:79: cost = T.tanh(table[ids]).sum() */
    const bool fine_10 = status_10 != 1LL;
    ST_REQUIRE(fine_10, INDEX, 0, table_d0);

    float *out_2_host = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out_2_host, MEMORY, -1, 4, 0);

    ST_ASK(to_host, out_2_host, out_2, 4);

    float *out_host = ST_ALLOCATE(1, table_d0, table_d1);
    ST_REQUIRE(out_host, MEMORY, -1, table_d0*table_d1*4, 1);

    ST_ASK(to_host, out_host, out, table_d0*table_d1*4);
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
