static inline int32_t st_int_div_i32(int32_t a, int32_t b) {
    if (b == 0) return 0;
    if (b == -1) return (int32_t)-a;
    return (int32_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

static inline int64_t st_int_div_i64(int64_t a, int64_t b) {
    if (b == 0) return 0;
    if (b == -1) return (int64_t)-a;
    return (int64_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

ST_DEVICE double st_warp_add_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = first + second;
    }
    return value;
}

/* convolution */
/* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
ST_KERNEL(256) kernel_convolution_3(const float *x_device, const float *v_device, float *h_switch,
        int32_t x_d0, int32_t x_d2, int32_t x_d3) {
    const unsigned st_blocks_3 = (x_d2*x_d3 + 255)/256;
    const unsigned st_blocks_2 = 4;
    const unsigned st_blocks_1 = 1;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1*st_blocks_2*st_blocks_3);
    const int32_t item = (int32_t)st_outer_0;
    const unsigned st_outer_1 = (st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) / (st_blocks_2*st_blocks_3);
    const int32_t group = (int32_t)st_outer_1;
    const unsigned st_outer_2 = ((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) - st_outer_1*(st_blocks_2*st_blocks_3)) / (st_blocks_3);
    const int32_t filter = (int32_t)st_outer_2;
    const int32_t first_5 = (int32_t)(((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) - st_outer_1*(st_blocks_2*st_blocks_3)) - st_outer_2*(st_blocks_3))*256;
    {
        const int32_t thread_5 = st_thread();
        const int32_t place = first_5 + thread_5;
        const int32_t k_23 = x_d2*x_d3;
        /* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
        const bool v_30 = place < k_23;
        if (v_30) {
            const int32_t t_2 = (int32_t)((uint32_t)place / (uint32_t)x_d3);
            const int32_t t_3 = (int32_t)((uint32_t)t_2 / (uint32_t)x_d2);
            float total_2 = 0.0f;
            for (int32_t channel = 0; channel < 3; channel++) {
                for (int32_t i_10 = 0; i_10 < 1; i_10++) {
                    for (int32_t j_7 = 0; j_7 < 3; j_7++) {
                        for (int32_t k_24 = 0; k_24 < 3; k_24++) {
                            const int32_t k_25 = t_3 - i_10;
                            const bool v_31 = k_25 >= 0LL;
                            const bool v_32 = k_25 < 1LL;
                            const int32_t k_26 = t_2 - t_3*x_d2 - j_7 + 1;
                            const bool v_33 = k_26 >= 0LL;
                            const bool v_34 = k_26 < x_d2;
                            const int32_t k_27 = place - t_2*x_d3 - k_24 + 1;
                            const bool v_35 = k_27 >= 0LL;
                            const bool v_36 = k_27 < x_d3;
                            const bool v_37 = v_31 & v_32;
                            const bool v_38 = v_37 & v_33;
                            const bool v_39 = v_38 & v_34;
                            const bool v_40 = v_39 & v_35;
                            const bool v_41 = v_40 & v_36;
                            if (v_41) {
                                const float x_i = x_device[((channel + group*3 + item*3 - i_10)*x_d2 - j_7 + 1)*x_d3 + place - k_24 + 1];
                                const float v_i_3 = v_device[channel*9 + filter*27 + group*108 + i_10*9 + j_7*3 + k_24];
                                const float v_42 = x_i * v_i_3;
                                const float v_43 = total_2 + v_42;
                                total_2 = v_43;
                            }
                        }
                    }
                }
            }
            h_switch[((filter + group*4 + item*4)*x_d3)*x_d2 + place] = total_2;
        }
    }
}

/* add, le, switch over x_d0 x 4 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
ST_KERNEL(256) epilogue_2(const float *b_device, float *h_switch, uint8_t *h_le, int32_t x_d0,
        int32_t x_d2, int32_t x_d3) {
    alignas(16) float h_switch_four[4];
    alignas(16) uint8_t h_le_four[4];
    const unsigned st_blocks_2 = (x_d2*x_d3 + 1023)/1024;
    const unsigned st_blocks_1 = 4;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1*st_blocks_2);
    const int32_t i = (int32_t)st_outer_0;
    const unsigned st_outer_1 = (st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2)) / (st_blocks_2);
    const int32_t j = (int32_t)st_outer_1;
    const int32_t first = (int32_t)((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2)) - st_outer_1*(st_blocks_2))*1024;
    const int32_t k_6 = first + 1024;
    const int32_t k_7 = x_d2*x_d3;
    const int32_t stop = k_6 < k_7 ? k_6 : k_7;
    const float b_i = b_device[j];
    const bool aligned = st_is_aligned(&h_switch[((i*4 + j)*x_d3)*x_d2 + first]);
    const bool aligned_2 = st_is_aligned(&h_le[((i*4 + j)*x_d3)*x_d2 + first]);
    const bool vectors = aligned & aligned_2;
    const int32_t k_8 = stop - first;
    const int32_t whole = k_8 & (-4);
    const int32_t in_vectors = vectors ? whole : 0;
    const int32_t rest = first + in_vectors;
    {
        const int32_t thread = st_thread();
        const int32_t k_9 = first + thread*4;
        const bool some = k_9 < rest;
        if (some) {
            const st_four<float> four = st_load_four(&h_switch[((i*4 + j)*x_d3)*x_d2 + k_9]);
            *(st_four<float> *)&h_switch_four[0] = four;
            ST_UNROLL
            for (int32_t k_10 = 0; k_10 < 4; k_10++) {
                const float h_switch_i_2 = h_switch_four[k_10];
                /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
                const float v_17 = h_switch_i_2 + b_i;
                const bool v_18 = v_17 <= 0.0f;
                const float v_19 = v_18 ? 0.0f : v_17;
                h_le_four[k_10] = v_18;
                h_switch_four[k_10] = v_19;
            }
            const st_four<uint8_t> four_2 = *(const st_four<uint8_t> *)&h_le_four[0];
            st_store_four(&h_le[((i*4 + j)*x_d3)*x_d2 + k_9], four_2);
            const st_four<float> four_3 = *(const st_four<float> *)&h_switch_four[0];
            st_store_four(&h_switch[((i*4 + j)*x_d3)*x_d2 + k_9], four_3);
        }
        for (int32_t k = rest + thread; k < stop; k += 256) {
            const float h_switch_i = h_switch[((i*4 + j)*x_d3)*x_d2 + k];
            const float v_2 = h_switch_i + b_i;
            const bool v_3 = v_2 <= 0.0f;
            const float v_4 = v_3 ? 0.0f : v_2;
            h_le[((i*4 + j)*x_d3)*x_d2 + k] = v_3;
            h_switch[((i*4 + j)*x_d3)*x_d2 + k] = v_4;
        }
    }
}

/* pool_max */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
ST_KERNEL(256) kernel_pool_max_2(const float *h_switch, float *h_pooling, int32_t x_d0, int32_t n,
        int32_t n_2, int32_t x_d2, int32_t x_d3) {
    const unsigned st_blocks_1 = (n*n_2 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t item_6 = (int32_t)st_outer_0;
    const int32_t first_10 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_10 = st_thread();
        const int32_t place_6 = first_10 + thread_10;
        const int32_t k_52 = n*n_2;
        /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
        const bool v_100 = place_6 < k_52;
        if (v_100) {
            const int32_t most = 1 > 1 ? 1 : 1;
            const int32_t k0 = 1 < most ? 1 : most;
            const int32_t most_2 = x_d2 > 1 ? x_d2 : 1;
            const int32_t k1 = 2 < most_2 ? 2 : most_2;
            const int32_t most_3 = x_d3 > 1 ? x_d3 : 1;
            const int32_t k2 = 2 < most_3 ? 2 : most_3;
            const int32_t t_6 = (int32_t)((uint32_t)place_6 / (uint32_t)n_2);
            const int32_t t_7 = (int32_t)((uint32_t)t_6 / (uint32_t)n);
            float total_7 = 0.0f;
            const int32_t k_53 = k0*t_7;
            const int32_t begin = k_53 > 0 ? k_53 : 0;
            const int32_t k_54 = (t_7 + 1)*k0;
            const int32_t end = k_54 < 1 ? k_54 : 1;
            const int32_t k_55 = (t_6 - n*t_7)*k1;
            const int32_t begin_2 = k_55 > 0 ? k_55 : 0;
            const int32_t k_56 = (t_6 - n*t_7 + 1)*k1;
            const int32_t end_2 = k_56 < x_d2 ? k_56 : x_d2;
            const int32_t k_57 = (place_6 - n_2*t_6)*k2;
            const int32_t begin_3 = k_57 > 0 ? k_57 : 0;
            const int32_t k_58 = (place_6 - n_2*t_6 + 1)*k2;
            const int32_t end_3 = k_58 < x_d3 ? k_58 : x_d3;
            for (int32_t i2 = begin_3; i2 < end_3; i2++) {
                float column_3 = 0.0f;
                for (int32_t i0 = begin; i0 < end; i0++) {
                    for (int32_t i1 = begin_2; i1 < end_2; i1++) {
                        const float x_i_3 = h_switch[((i0 + item_6)*x_d2 + i1)*x_d3 + i2];
                        const bool v_101 = i0 == begin;
                        const bool v_102 = i1 == begin_2;
                        const bool v_103 = v_101 & v_102;
                        const float v_104 = column_3 > x_i_3 || column_3 != column_3 ? column_3 : x_i_3;
                        const float v_105 = v_103 ? x_i_3 : v_104;
                        column_3 = v_105;
                    }
                }
                const float v_106 = total_7 > column_3 || total_7 != total_7 ? total_7 : column_3;
                const bool v_107 = i2 == begin_3;
                const float v_108 = v_107 ? column_3 : v_106;
                total_7 = v_108;
            }
            h_pooling[item_6*n*n_2 + place_6] = total_7;
        }
    }
}

/* convolution */
/* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
ST_KERNEL(256) kernel_convolution_2_2(const float *h_pooling, const float *w_device,
        float *z_convolution, int32_t x_d0, int32_t n, int32_t n_2) {
    const unsigned st_blocks_3 = (n*n_2 + 255)/256;
    const unsigned st_blocks_2 = 2;
    const unsigned st_blocks_1 = 1;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1*st_blocks_2*st_blocks_3);
    const int32_t item_2 = (int32_t)st_outer_0;
    const unsigned st_outer_1 = (st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) / (st_blocks_2*st_blocks_3);
    const int32_t group_2 = (int32_t)st_outer_1;
    const unsigned st_outer_2 = ((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) - st_outer_1*(st_blocks_2*st_blocks_3)) / (st_blocks_3);
    const int32_t filter_2 = (int32_t)st_outer_2;
    const int32_t first_6 = (int32_t)(((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) - st_outer_1*(st_blocks_2*st_blocks_3)) - st_outer_2*(st_blocks_3))*256;
    {
        const int32_t thread_6 = st_thread();
        const int32_t place_2 = first_6 + thread_6;
        const int32_t k_28 = n*n_2;
        /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
        const bool v_44 = place_2 < k_28;
        if (v_44) {
            const int32_t t_4 = (int32_t)((uint32_t)place_2 / (uint32_t)n_2);
            const int32_t t_5 = (int32_t)((uint32_t)t_4 / (uint32_t)n);
            float total_3 = 0.0f;
            for (int32_t channel_2 = 0; channel_2 < 4; channel_2++) {
                for (int32_t i_11 = 0; i_11 < 1; i_11++) {
                    for (int32_t j_8 = 0; j_8 < 3; j_8++) {
                        for (int32_t k_29 = 0; k_29 < 3; k_29++) {
                            const int32_t k_30 = t_5 - i_11;
                            const bool v_45 = k_30 >= 0LL;
                            const bool v_46 = k_30 < 1LL;
                            const int32_t k_31 = t_4 - n*t_5 - j_8 + 1;
                            const bool v_47 = k_31 >= 0LL;
                            const bool v_48 = k_31 < n;
                            const int32_t k_32 = place_2 - n_2*t_4 - k_29 + 1;
                            const bool v_49 = k_32 >= 0LL;
                            const bool v_50 = k_32 < n_2;
                            const bool v_51 = v_45 & v_46;
                            const bool v_52 = v_51 & v_47;
                            const bool v_53 = v_52 & v_48;
                            const bool v_54 = v_53 & v_49;
                            const bool v_55 = v_54 & v_50;
                            if (v_55) {
                                const float h_pooling_i = h_pooling[((channel_2 + group_2*4 + item_2*4 - i_11)*n - j_8 + 1)*n_2 + place_2 - k_29 + 1];
                                const float w_i_3 = w_device[channel_2*9 + filter_2*36 + group_2*72 + i_11*9 + j_8*3 + k_29];
                                const float v_56 = h_pooling_i * w_i_3;
                                const float v_57 = total_3 + v_56;
                                total_3 = v_57;
                            }
                        }
                    }
                }
            }
            z_convolution[((filter_2 + group_2*2 + item_2*2)*n_2)*n + place_2] = total_3;
        }
    }
}

/* sub, sqr, sum, mul over x_d0 x 2 x n x n_2 */
/* models.py:124: cost = T.sqr(z - t).mean() */
ST_KERNEL(256) kernel_4_sub_sqr_sum_2(const float *z_convolution, const float *t_device,
        float *cost_mul, double *sum_f64_parts, int32_t chunks, int32_t rows, int32_t n,
        int32_t n_2, int32_t x_d0, float s_7) {
    const int32_t chunk = (int32_t)st_block_of_row();
    const int32_t start = chunk*rows;
    const int32_t k_11 = rows + start;
    const int32_t k_12 = n*n_2*x_d0*2;
    const int32_t stop_2 = k_11 < k_12 ? k_11 : k_12;
    double sum_f64_3 = 0.0;
    ST_SHARED(double, part, 8);
    {
        const int32_t warp = st_warp();
        double sum_f64_5 = 0.0;
        {
            const int32_t lane = st_lane();
            for (int32_t i_2 = lane + start + warp*32; i_2 < stop_2; i_2 += 256) {
                const float z_convolution_i = z_convolution[i_2];
                const float t_i = t_device[i_2];
                /* models.py:124: cost = T.sqr(z - t).mean() */
                const float v_5 = z_convolution_i - t_i;
                const float v_6 = v_5 * v_5;
                const double v_7 = (double)v_6;
                sum_f64_5 += v_7;
                const float v_8 = v_5 * s_7;
                cost_mul[i_2] = v_8;
            }
        }
        sum_f64_5 = st_warp_add_float64(sum_f64_5);
        if (st_lane() == 0) {
            part[warp] = sum_f64_5;
        }
    }
    st_wait_for_block();
    for (int32_t warp_2 = 0; warp_2 < 8; warp_2++) {
        const double part_i = part[warp_2];
        sum_f64_3 += part_i;
    }
    if (st_thread() == 0) {
        sum_f64_parts[chunk] = sum_f64_3;
    }
}

/* sub, sqr, sum, mul over x_d0 x 2 x n x n_2 */
/* models.py:124: cost = T.sqr(z - t).mean() */
ST_KERNEL(256) kernel_4_sub_sqr_sum_3(const double *sum_f64_parts, double *total, int32_t chunks) {
    const int32_t one = (int32_t)st_block_of_row();
    double sum_f64_4 = 0.0;
    ST_SHARED(double, part_2, 8);
    {
        const int32_t warp_3 = st_warp();
        double sum_f64_6 = 0.0;
        {
            const int32_t lane_2 = st_lane();
            for (int32_t chunk_3 = lane_2 + warp_3*32; chunk_3 < chunks; chunk_3 += 256) {
                const double sum_f64_parts_i_2 = sum_f64_parts[chunk_3];
                sum_f64_6 += sum_f64_parts_i_2;
            }
        }
        sum_f64_6 = st_warp_add_float64(sum_f64_6);
        if (st_lane() == 0) {
            part_2[warp_3] = sum_f64_6;
        }
    }
    st_wait_for_block();
    for (int32_t warp_4 = 0; warp_4 < 8; warp_4++) {
        const double part_i_2 = part_2[warp_4];
        sum_f64_4 += part_i_2;
    }
    if (st_thread() == 0) {
        total[0] = sum_f64_4;
    }
}

/* convolution_inputs */
/* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
ST_KERNEL(256) kernel_convolution_inputs_2(const float *w_device, const float *cost_mul,
        float *z_convolution_2, int32_t x_d0, int32_t n, int32_t n_2) {
    const unsigned st_blocks_3 = (n*n_2 + 255)/256;
    const unsigned st_blocks_2 = 4;
    const unsigned st_blocks_1 = 1;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1*st_blocks_2*st_blocks_3);
    const int32_t item_3 = (int32_t)st_outer_0;
    const unsigned st_outer_1 = (st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) / (st_blocks_2*st_blocks_3);
    const int32_t group_3 = (int32_t)st_outer_1;
    const unsigned st_outer_2 = ((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) - st_outer_1*(st_blocks_2*st_blocks_3)) / (st_blocks_3);
    const int32_t channel_3 = (int32_t)st_outer_2;
    const int32_t first_7 = (int32_t)(((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2*st_blocks_3)) - st_outer_1*(st_blocks_2*st_blocks_3)) - st_outer_2*(st_blocks_3))*256;
    {
        const int32_t thread_7 = st_thread();
        const int32_t place_3 = first_7 + thread_7;
        const int32_t k_33 = n*n_2;
        /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
        const bool v_58 = place_3 < k_33;
        if (v_58) {
            const int32_t i_12 = (int32_t)((uint32_t)place_3 / (uint32_t)n_2);
            const int32_t i_13 = (int32_t)((uint32_t)i_12 / (uint32_t)n);
            float total_4 = 0.0f;
            for (int32_t filter_3 = 0; filter_3 < 2; filter_3++) {
                for (int32_t i_14 = 0; i_14 < 1; i_14++) {
                    for (int32_t j_9 = 0; j_9 < 3; j_9++) {
                        for (int32_t k_34 = 0; k_34 < 3; k_34++) {
                            const int32_t k_35 = i_13 + i_14;
                            const bool v_59 = k_35 >= 0LL;
                            const bool v_60 = k_35 < 1LL;
                            const int32_t k_36 = i_12 + j_9 - i_13*n - 1;
                            const bool v_61 = k_36 >= 0LL;
                            const bool v_62 = k_36 < n;
                            const int32_t k_37 = k_34 + place_3 - i_12*n_2 - 1;
                            const bool v_63 = k_37 >= 0LL;
                            const bool v_64 = k_37 < n_2;
                            const bool v_65 = v_59 & v_60;
                            const bool v_66 = v_65 & v_61;
                            const bool v_67 = v_66 & v_62;
                            const bool v_68 = v_67 & v_63;
                            const bool v_69 = v_68 & v_64;
                            if (v_69) {
                                const float w_i_4 = w_device[channel_3*9 + filter_3*36 + group_3*72 + i_14*9 + j_9*3 + k_34];
                                const float cost_mul_i = cost_mul[((filter_3 + group_3*2 + i_14 + item_3*2)*n + j_9 - 1)*n_2 + k_34 + place_3 - 1];
                                const float v_70 = w_i_4 * cost_mul_i;
                                const float v_71 = total_4 + v_70;
                                total_4 = v_71;
                            }
                        }
                    }
                }
            }
            z_convolution_2[((channel_3 + group_3*4 + item_3*4)*n_2)*n + place_3] = total_4;
        }
    }
}

/* pool_max_image */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
ST_KERNEL(256) kernel_pool_max_image_2(const float *h_switch, const float *h_pooling,
        const float *z_convolution_2, float *h_pooling_2, int32_t x_d0, int32_t x_d2, int32_t x_d3,
        int32_t n, int32_t n_2) {
    const unsigned st_blocks_1 = (x_d2*x_d3 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t item_7 = (int32_t)st_outer_0;
    const int32_t first_11 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_11 = st_thread();
        const int32_t place_7 = first_11 + thread_11;
        const int32_t k_59 = x_d2*x_d3;
        /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
        const bool v_109 = place_7 < k_59;
        if (v_109) {
            const int32_t most_4 = 1 > 1 ? 1 : 1;
            const int32_t k0_2 = 1 < most_4 ? 1 : most_4;
            const int32_t most_5 = x_d2 > 1 ? x_d2 : 1;
            const int32_t k1_2 = 2 < most_5 ? 2 : most_5;
            const int32_t most_6 = x_d3 > 1 ? x_d3 : 1;
            const int32_t k2_2 = 2 < most_6 ? 2 : most_6;
            const int32_t i_17 = (int32_t)((uint32_t)place_7 / (uint32_t)x_d3);
            const int32_t i_18 = (int32_t)((uint32_t)i_17 / (uint32_t)x_d2);
            float total_8 = 0.0f;
            const float x_i_4 = h_switch[item_7*x_d2*x_d3 + place_7];
            const int32_t k_60 = i_18 - k0_2;
            const int32_t v_110 = st_int_div_i32(k_60, k0_2);
            const int32_t k_61 = v_110 + 1;
            const int32_t begin_4 = k_61 > 0 ? k_61 : 0;
            const int32_t v_111 = st_int_div_i32(i_18, k0_2);
            const int32_t k_62 = v_111 + 1;
            const int32_t end_4 = k_62 < 1 ? k_62 : 1;
            const int32_t k_63 = i_17 - i_18*x_d2 - k1_2;
            const int32_t v_112 = st_int_div_i32(k_63, k1_2);
            const int32_t k_64 = v_112 + 1;
            const int32_t begin_5 = k_64 > 0 ? k_64 : 0;
            const int32_t k_65 = i_17 - i_18*x_d2;
            const int32_t v_113 = st_int_div_i32(k_65, k1_2);
            const int32_t k_66 = v_113 + 1;
            const int32_t end_5 = k_66 < n ? k_66 : n;
            const int32_t k_67 = place_7 - i_17*x_d3 - k2_2;
            const int32_t v_114 = st_int_div_i32(k_67, k2_2);
            const int32_t k_68 = v_114 + 1;
            const int32_t begin_6 = k_68 > 0 ? k_68 : 0;
            const int32_t k_69 = place_7 - i_17*x_d3;
            const int32_t v_115 = st_int_div_i32(k_69, k2_2);
            const int32_t k_70 = v_115 + 1;
            const int32_t end_6 = k_70 < n_2 ? k_70 : n_2;
            for (int32_t t0 = begin_4; t0 < end_4; t0++) {
                for (int32_t t1 = begin_5; t1 < end_5; t1++) {
                    for (int32_t back = 0; back < end_6 - begin_6; back++) {
                        const float y_i = h_pooling[((item_7 + t0)*n + t1)*n_2 + end_6 - back - 1];
                        const bool v_116 = x_i_4 == y_i;
                        if (v_116) {
                            const float g_i = z_convolution_2[((item_7 + t0)*n + t1)*n_2 + end_6 - back - 1];
                            const float v_117 = total_8 + g_i;
                            total_8 = v_117;
                        }
                    }
                }
            }
            h_pooling_2[item_7*x_d2*x_d3 + place_7] = total_8;
        }
    }
}

/* switch, sum, mul, sub over 4 x x_d0 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL(256) kernel_7_switch_sum_mul_2(const uint8_t *h_le, const float *h_pooling_2,
        float *h_switch_2, double *sum_f64_parts_2, int32_t chunks_2, int32_t rows_2, int32_t x_d0,
        int32_t x_d2, int32_t x_d3) {
    const unsigned st_blocks_1 = chunks_2;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t i_6 = (int32_t)st_outer_0;
    const int32_t chunk_4 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1));
    double sum_f64_7 = 0.0;
    const int32_t start_2 = chunk_4*rows_2;
    const int32_t k_13 = rows_2 + start_2;
    const int32_t stop_3 = k_13 < x_d0 ? k_13 : x_d0;
    ST_SHARED(double, part_4, 8);
    {
        const int32_t warp_5 = st_warp();
        double sum_f64_9 = 0.0;
        {
            const int32_t lane_3 = st_lane();
            for (int32_t element = lane_3 + warp_5*32; element < ((stop_3 - start_2)*x_d3)*x_d2; element += 256) {
                const int32_t k_15 = x_d2*x_d3;
                const int32_t row = (int32_t)((uint32_t)element / (uint32_t)k_15);
                const int32_t j_6 = row + start_2;
                const int32_t k_14 = element - row*x_d2*x_d3;
                const bool h_le_i_2 = h_le[((i_6 + j_6*4)*x_d3)*x_d2 + k_14] != 0;
                const float h_pooling_2_i_2 = h_pooling_2[((i_6 + j_6*4)*x_d3)*x_d2 + k_14];
                /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
                const float v_20 = h_le_i_2 ? 0.0f : h_pooling_2_i_2;
                const double v_21 = (double)v_20;
                sum_f64_9 += v_21;
                h_switch_2[((i_6 + j_6*4)*x_d3)*x_d2 + k_14] = v_20;
            }
        }
        sum_f64_9 = st_warp_add_float64(sum_f64_9);
        if (st_lane() == 0) {
            part_4[warp_5] = sum_f64_9;
        }
    }
    st_wait_for_block();
    for (int32_t warp_6 = 0; warp_6 < 8; warp_6++) {
        const double part_i_3 = part_4[warp_6];
        sum_f64_7 += part_i_3;
    }
    if (st_thread() == 0) {
        sum_f64_parts_2[chunk_4 + i_6*64] = sum_f64_7;
    }
}

/* switch, sum, mul, sub over 4 x x_d0 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL(256) kernel_7_switch_sum_mul_3(const double *sum_f64_parts_2, const float *b_device,
        float *out, int32_t chunks_2) {
    const int32_t first_2 = (int32_t)st_block_of_row()*32;
    const int32_t k_16 = first_2 + 32;
    const int32_t stop_4 = k_16 < 4 ? k_16 : 4;
    ST_SHARED(double, sum_f64_parts_3, 256);
    {
        const int32_t warp_7 = st_warp();
        {
            const int32_t lane_4 = st_lane();
            for (int32_t column = first_2 + lane_4; column < stop_4; column += 32) {
                double sum_f64_10 = 0.0;
                for (int32_t part_5 = warp_7; part_5 < chunks_2; part_5 += 8) {
                    const double sum_f64_parts_2_i_2 = sum_f64_parts_2[column*64 + part_5];
                    sum_f64_10 += sum_f64_parts_2_i_2;
                }
                sum_f64_parts_3[column + warp_7*32 - first_2] = sum_f64_10;
            }
        }
    }
    st_wait_for_block();
    if (st_thread() < 32) {
        const int32_t thread_2 = st_thread();
        for (int32_t column_2 = first_2 + thread_2; column_2 < stop_4; column_2 += 32) {
            double sum_f64_11 = 0.0;
            for (int32_t part_6 = 0; part_6 < 8; part_6++) {
                const double sum_f64_parts_3_i = sum_f64_parts_3[column_2 + part_6*32 - first_2];
                sum_f64_11 += sum_f64_parts_3_i;
            }
            /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
            const float sum_4 = (float)sum_f64_11;
            /* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
            const float v_24 = sum_4 * 0.1f;
            const float b_i_4 = b_device[column_2];
            const float v_25 = b_i_4 - v_24;
            out[column_2] = v_25;
        }
    }
}

/* convolution_weights */
/* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
ST_KERNEL(256) kernel_convolution_weights_3(const float *x_device, const float *h_switch_2,
        float *y_convolution, int32_t x_d0, int32_t x_d2, int32_t x_d3) {
    const unsigned st_blocks_2 = (282)/256;
    const unsigned st_blocks_1 = 4;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1*st_blocks_2);
    const int32_t group_4 = (int32_t)st_outer_0;
    const unsigned st_outer_1 = (st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2)) / (st_blocks_2);
    const int32_t filter_4 = (int32_t)st_outer_1;
    const int32_t first_8 = (int32_t)((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2)) - st_outer_1*(st_blocks_2))*256;
    {
        const int32_t thread_8 = st_thread();
        const int32_t place_4 = first_8 + thread_8;
        /* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
        const bool v_72 = place_4 < 27LL;
        if (v_72) {
            const int32_t channel_4 = (int32_t)((uint32_t)place_4 / (uint32_t)9);
            const int32_t k_38 = place_4 - channel_4*9;
            const int32_t k_39 = (int32_t)((uint32_t)k_38 / (uint32_t)3);
            const int32_t k_40 = (int32_t)((uint32_t)k_39 / (uint32_t)3);
            float total_5 = 0.0f;
            for (int32_t item_4 = 0; item_4 < x_d0; item_4++) {
                for (int32_t i_15 = 0; i_15 < 1; i_15++) {
                    for (int32_t j_10 = 0; j_10 < x_d2; j_10++) {
                        for (int32_t k_41 = 0; k_41 < x_d3; k_41++) {
                            const int32_t k_42 = i_15 - k_40;
                            const bool v_73 = k_42 >= 0LL;
                            const bool v_74 = k_42 < 1LL;
                            const int32_t k_43 = j_10 + k_40*3 - k_39 + 1;
                            const bool v_75 = k_43 >= 0LL;
                            const bool v_76 = k_43 < x_d2;
                            const int32_t k_44 = k_39*3 + k_41 - k_38 + 1;
                            const bool v_77 = k_44 >= 0LL;
                            const bool v_78 = k_44 < x_d3;
                            const bool v_79 = v_73 & v_74;
                            const bool v_80 = v_79 & v_75;
                            const bool v_81 = v_80 & v_76;
                            const bool v_82 = v_81 & v_77;
                            const bool v_83 = v_82 & v_78;
                            if (v_83) {
                                const float x_i_2 = x_device[((channel_4 + group_4*3 + i_15 + item_4*3 - k_40)*x_d2 + j_10 + k_40*3 - k_39 + 1)*x_d3 + k_39*3 + k_41 - k_38 + 1];
                                const float h_switch_2_i = h_switch_2[((filter_4 + group_4*4 + i_15 + item_4*4)*x_d2 + j_10)*x_d3 + k_41];
                                const float v_84 = x_i_2 * h_switch_2_i;
                                const float v_85 = total_5 + v_84;
                                total_5 = v_85;
                            }
                        }
                    }
                }
            }
            y_convolution[filter_4*27 + group_4*108 + place_4] = total_5;
        }
    }
}

/* mul, sub over 4 x 3 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL(256) kernel_9_mul_sub_2(const float *y_convolution, float *v_device) {
    alignas(16) float y_convolution_four[4];
    alignas(16) float v_four[4];
    const int32_t first_3 = (int32_t)st_block_of_row()*1024;
    const int32_t k_17 = first_3 + 1024;
    const int32_t stop_5 = k_17 < 108 ? k_17 : 108;
    const bool aligned_3 = st_is_aligned(&y_convolution[first_3]);
    const bool aligned_4 = st_is_aligned(&v_device[first_3]);
    const bool vectors_2 = aligned_3 & aligned_4;
    const int32_t k_18 = stop_5 - first_3;
    const int32_t whole_2 = k_18 & (-4);
    const int32_t in_vectors_2 = vectors_2 ? whole_2 : 0;
    const int32_t rest_2 = first_3 + in_vectors_2;
    {
        const int32_t thread_3 = st_thread();
        const int32_t i_8 = first_3 + thread_3*4;
        const bool some_2 = i_8 < rest_2;
        if (some_2) {
            const st_four<float> four_4 = st_load_four(&y_convolution[i_8]);
            *(st_four<float> *)&y_convolution_four[0] = four_4;
            const st_four<float> four_5 = st_load_four(&v_device[i_8]);
            *(st_four<float> *)&v_four[0] = four_5;
            ST_UNROLL
            for (int32_t k_19 = 0; k_19 < 4; k_19++) {
                const float y_convolution_i_2 = y_convolution_four[k_19];
                /* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
                const float v_26 = y_convolution_i_2 * 0.1f;
                const float v_i_2 = v_four[k_19];
                const float v_27 = v_i_2 - v_26;
                v_four[k_19] = v_27;
            }
            const st_four<float> four_6 = *(const st_four<float> *)&v_four[0];
            st_store_four(&v_device[i_8], four_6);
        }
        for (int32_t i_4 = rest_2 + thread_3; i_4 < stop_5; i_4 += 256) {
            const float y_convolution_i = y_convolution[i_4];
            const float v_13 = y_convolution_i * 0.1f;
            const float v_i = v_device[i_4];
            const float v_14 = v_i - v_13;
            v_device[i_4] = v_14;
        }
    }
}

/* convolution_weights */
/* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
ST_KERNEL(256) kernel_convolution_weights_2_2(const float *h_pooling, const float *cost_mul,
        float *z_convolution_3, int32_t x_d0, int32_t n, int32_t n_2) {
    const unsigned st_blocks_2 = (291)/256;
    const unsigned st_blocks_1 = 2;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1*st_blocks_2);
    const int32_t group_5 = (int32_t)st_outer_0;
    const unsigned st_outer_1 = (st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2)) / (st_blocks_2);
    const int32_t filter_5 = (int32_t)st_outer_1;
    const int32_t first_9 = (int32_t)((st_block_of_row() - st_outer_0*(st_blocks_1*st_blocks_2)) - st_outer_1*(st_blocks_2))*256;
    {
        const int32_t thread_9 = st_thread();
        const int32_t place_5 = first_9 + thread_9;
        /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
        const bool v_86 = place_5 < 36LL;
        if (v_86) {
            const int32_t channel_5 = (int32_t)((uint32_t)place_5 / (uint32_t)9);
            const int32_t k_45 = place_5 - channel_5*9;
            const int32_t k_46 = (int32_t)((uint32_t)k_45 / (uint32_t)3);
            const int32_t k_47 = (int32_t)((uint32_t)k_46 / (uint32_t)3);
            float total_6 = 0.0f;
            for (int32_t item_5 = 0; item_5 < x_d0; item_5++) {
                for (int32_t i_16 = 0; i_16 < 1; i_16++) {
                    for (int32_t j_11 = 0; j_11 < n; j_11++) {
                        for (int32_t k_48 = 0; k_48 < n_2; k_48++) {
                            const int32_t k_49 = i_16 - k_47;
                            const bool v_87 = k_49 >= 0LL;
                            const bool v_88 = k_49 < 1LL;
                            const int32_t k_50 = j_11 + k_47*3 - k_46 + 1;
                            const bool v_89 = k_50 >= 0LL;
                            const bool v_90 = k_50 < n;
                            const int32_t k_51 = k_46*3 + k_48 - k_45 + 1;
                            const bool v_91 = k_51 >= 0LL;
                            const bool v_92 = k_51 < n_2;
                            const bool v_93 = v_87 & v_88;
                            const bool v_94 = v_93 & v_89;
                            const bool v_95 = v_94 & v_90;
                            const bool v_96 = v_95 & v_91;
                            const bool v_97 = v_96 & v_92;
                            if (v_97) {
                                const float h_pooling_i_2 = h_pooling[((channel_5 + group_5*4 + i_16 + item_5*4 - k_47)*n + j_11 + k_47*3 - k_46 + 1)*n_2 + k_46*3 + k_48 - k_45 + 1];
                                const float cost_mul_i_2 = cost_mul[((filter_5 + group_5*2 + i_16 + item_5*2)*n + j_11)*n_2 + k_48];
                                const float v_98 = h_pooling_i_2 * cost_mul_i_2;
                                const float v_99 = total_6 + v_98;
                                total_6 = v_99;
                            }
                        }
                    }
                }
            }
            z_convolution_3[filter_5*36 + group_5*72 + place_5] = total_6;
        }
    }
}

/* mul, sub over 2 x 4 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL(256) kernel_11_mul_sub_2(const float *z_convolution_3, float *w_device) {
    alignas(16) float z_convolution_four[4];
    alignas(16) float w_four[4];
    const int32_t first_4 = (int32_t)st_block_of_row()*1024;
    const int32_t k_20 = first_4 + 1024;
    const int32_t stop_6 = k_20 < 72 ? k_20 : 72;
    const bool aligned_5 = st_is_aligned(&z_convolution_3[first_4]);
    const bool aligned_6 = st_is_aligned(&w_device[first_4]);
    const bool vectors_3 = aligned_5 & aligned_6;
    const int32_t k_21 = stop_6 - first_4;
    const int32_t whole_3 = k_21 & (-4);
    const int32_t in_vectors_3 = vectors_3 ? whole_3 : 0;
    const int32_t rest_3 = first_4 + in_vectors_3;
    {
        const int32_t thread_4 = st_thread();
        const int32_t i_9 = first_4 + thread_4*4;
        const bool some_3 = i_9 < rest_3;
        if (some_3) {
            const st_four<float> four_7 = st_load_four(&z_convolution_3[i_9]);
            *(st_four<float> *)&z_convolution_four[0] = four_7;
            const st_four<float> four_8 = st_load_four(&w_device[i_9]);
            *(st_four<float> *)&w_four[0] = four_8;
            ST_UNROLL
            for (int32_t k_22 = 0; k_22 < 4; k_22++) {
                const float z_convolution_3_i_2 = z_convolution_four[k_22];
                /* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
                const float v_28 = z_convolution_3_i_2 * 0.1f;
                const float w_i_2 = w_four[k_22];
                const float v_29 = w_i_2 - v_28;
                w_four[k_22] = v_29;
            }
            const st_four<float> four_9 = *(const st_four<float> *)&w_four[0];
            st_store_four(&w_device[i_9], four_9);
        }
        for (int32_t i_5 = rest_3 + thread_4; i_5 < stop_6; i_5 += 256) {
            const float z_convolution_3_i = z_convolution_3[i_5];
            const float v_15 = z_convolution_3_i * 0.1f;
            const float w_i = w_device[i_5];
            const float v_16 = w_i - v_15;
            w_device[i_5] = v_16;
        }
    }
}

ST_KERNEL(1) convolution_step_2(const double *total, float *out_2, float s_6) {
    const int32_t one_8 = (int32_t)st_block_of_row();
    {
        const double sum_f64_12 = total[0];
        /* models.py:124: cost = T.sqr(z - t).mean() */
        const float sum_5 = (float)sum_f64_12;
        const float s_9 = sum_5 / s_6;
        out_2[0] = s_9;
    }
}

/* The host. */

/* convolution */
/* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
ST_KERNEL int32_t kernel_convolution(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, const float *v_device, float *h_switch, const int64_t x_d0,
        const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&x_device, (void *)&v_device, (void *)&h_switch,
            (void *)&x_d0, (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 0,
            !st_fits(((st_extent(x_d0)*4 + st_extent(x_d2) + st_extent(x_d3) + 9)*st_extent(x_d3) + 256)*st_extent(x_d2) + st_extent(x_d0)*4 + st_extent(x_d3)*256 + 264),
            st_block_count(x_d0, 1) * st_block_count(1, 1) * st_block_count(4, 1) * st_block_count(x_d2*x_d3, 256),
            256, st_arguments_1);
done:
    return status;
}

/* add, le, switch over x_d0 x 4 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
ST_KERNEL int32_t epilogue(const st_runtime *runtime, st_call *call, st_error *error,
        const float *b_device, float *h_switch, uint8_t *h_le, const int64_t x_d0,
        const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_2[] = {(void *)&b_device, (void *)&h_switch, (void *)&h_le, (void *)&x_d0,
            (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 1,
            !st_fits(((st_extent(x_d0)*4 + 7)*st_extent(x_d3) + 1)*st_extent(x_d2) + st_extent(x_d0)*4 + st_extent(x_d3) + 1540),
            st_block_count(x_d0, 1) * st_block_count(4, 1) * st_block_count(x_d2*x_d3, 1024), 256,
            st_arguments_2);
done:
    return status;
}

/* pool_max */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
ST_KERNEL int32_t kernel_pool_max(const st_runtime *runtime, st_call *call, st_error *error,
        const float *h_switch, float *h_pooling, const int64_t x_d0, const int64_t n,
        const int64_t n_2, const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_3[] = {(void *)&h_switch, (void *)&h_pooling, (void *)&x_d0, (void *)&n,
            (void *)&n_2, (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 2,
            !st_fits(((((st_extent(x_d2) + 2)*st_extent(n) + st_extent(n_2) + st_extent(x_d2)*2 + 3)*st_extent(x_d3) + (st_extent(x_d2) + 2)*st_extent(n) + st_extent(n_2)*2 + st_extent(x_d0)*4 + st_extent(x_d2) + 2)*st_extent(n_2) + (st_extent(x_d3)*256 + 256)*st_extent(x_d2) + st_extent(x_d3)*512 + 512)*st_extent(n) + ((st_extent(x_d0)*4 + 514)*st_extent(x_d2) + st_extent(n_2)*256 + 771)*st_extent(x_d3) + st_extent(n_2)*512 + st_extent(x_d0)*4 + st_extent(x_d2)*257 + 515),
            st_block_count(x_d0*4, 1) * st_block_count(n*n_2, 256), 256, st_arguments_3);
done:
    return status;
}

/* convolution */
/* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
ST_KERNEL int32_t kernel_convolution_2(const st_runtime *runtime, st_call *call, st_error *error,
        const float *h_pooling, const float *w_device, float *z_convolution, const int64_t x_d0,
        const int64_t n, const int64_t n_2) {
    int32_t status = ST_OK;
    void *st_arguments_4[] = {(void *)&h_pooling, (void *)&w_device, (void *)&z_convolution,
            (void *)&x_d0, (void *)&n, (void *)&n_2};
    ST_ASK(launch, 3,
            !st_fits(((st_extent(n) + st_extent(n_2) + st_extent(x_d0)*4 + 10)*st_extent(n_2) + 256)*st_extent(n) + st_extent(n_2)*256 + st_extent(x_d0)*2 + 260),
            st_block_count(x_d0, 1) * st_block_count(1, 1) * st_block_count(2, 1) * st_block_count(n*n_2, 256),
            256, st_arguments_4);
done:
    return status;
}

/* sub, sqr, sum, mul over x_d0 x 2 x n x n_2 */
/* models.py:124: cost = T.sqr(z - t).mean() */
ST_KERNEL int32_t kernel_4_sub_sqr_sum(const st_runtime *runtime, st_call *call, st_error *error,
        const float *z_convolution, const float *t_device, float *cost_mul, double *sum_f64_parts,
        double *total, const int64_t n, const int64_t n_2, const int64_t x_d0, const float s_7) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(n*n_2*x_d0*2, 1, 8192, 1024);
    const int64_t chunks = (n*n_2*x_d0*2 + rows - 1) / rows;
    void *st_arguments_5[] = {(void *)&z_convolution, (void *)&t_device, (void *)&cost_mul,
            (void *)&sum_f64_parts, (void *)&chunks, (void *)&rows, (void *)&n, (void *)&n_2,
            (void *)&x_d0, (void *)&s_7};
    ST_ASK(launch, 4,
            !st_fits((st_extent(rows) + 1)*st_extent(chunks) + (st_extent(n_2)*st_extent(x_d0)*2 + 1)*st_extent(n) + st_extent(n_2) + st_extent(rows) + st_extent(x_d0) + 544),
            st_block_count(chunks, 1), 256, st_arguments_5);
    void *st_arguments_6[] = {(void *)&sum_f64_parts, (void *)&total, (void *)&chunks};
    ST_ASK(launch, 5, !st_fits(st_extent(chunks) + 544), st_block_count(1, 1), 256, st_arguments_6);
done:
    return status;
}

/* convolution_inputs */
/* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
ST_KERNEL int32_t kernel_convolution_inputs(const st_runtime *runtime, st_call *call,
        st_error *error, const float *w_device, const float *cost_mul, float *z_convolution_2,
        const int64_t x_d0, const int64_t n, const int64_t n_2) {
    int32_t status = ST_OK;
    void *st_arguments_7[] = {(void *)&w_device, (void *)&cost_mul, (void *)&z_convolution_2,
            (void *)&x_d0, (void *)&n, (void *)&n_2};
    ST_ASK(launch, 6,
            !st_fits(((st_extent(n) + st_extent(n_2) + st_extent(x_d0)*4 + 9)*st_extent(n_2) + 256)*st_extent(n) + st_extent(n_2)*256 + st_extent(x_d0)*4 + 260),
            st_block_count(x_d0, 1) * st_block_count(1, 1) * st_block_count(4, 1) * st_block_count(n*n_2, 256),
            256, st_arguments_7);
done:
    return status;
}

/* pool_max_image */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
ST_KERNEL int32_t kernel_pool_max_image(const st_runtime *runtime, st_call *call, st_error *error,
        const float *h_switch, const float *h_pooling, const float *z_convolution_2,
        float *h_pooling_2, const int64_t x_d0, const int64_t x_d2, const int64_t x_d3,
        const int64_t n, const int64_t n_2) {
    int32_t status = ST_OK;
    void *st_arguments_8[] = {(void *)&h_switch, (void *)&h_pooling, (void *)&z_convolution_2,
            (void *)&h_pooling_2, (void *)&x_d0, (void *)&x_d2, (void *)&x_d3, (void *)&n,
            (void *)&n_2};
    ST_ASK(launch, 7,
            !st_fits((((st_extent(n) + st_extent(x_d2) + 1)*st_extent(n_2) + st_extent(x_d0)*4 + st_extent(x_d2) + st_extent(x_d3)*3 + 3)*st_extent(x_d3) + st_extent(n_2)*257 + 257)*st_extent(x_d2) + ((st_extent(x_d0)*4 + 260)*st_extent(n_2) + 1)*st_extent(n) + st_extent(n_2)*262 + st_extent(x_d0)*4 + st_extent(x_d3)*769 + 777),
            st_block_count(x_d0*4, 1) * st_block_count(x_d2*x_d3, 256), 256, st_arguments_8);
done:
    return status;
}

/* switch, sum, mul, sub over 4 x x_d0 x x_d2 x x_d3 */
/* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL int32_t kernel_7_switch_sum_mul(const st_runtime *runtime, st_call *call, st_error *error,
        const uint8_t *h_le, const float *h_pooling_2, float *h_switch_2, double *sum_f64_parts_2,
        const float *b_device, float *out, const int64_t x_d0, const int64_t x_d2,
        const int64_t x_d3) {
    int32_t status = ST_OK;
    const int64_t rows_2 = st_chunk_rows(x_d0, x_d2*x_d3, 8192, 64);
    const int64_t chunks_2 = (rows_2 + x_d0 - 1) / rows_2;
    void *st_arguments_9[] = {(void *)&h_le, (void *)&h_pooling_2, (void *)&h_switch_2,
            (void *)&sum_f64_parts_2, (void *)&chunks_2, (void *)&rows_2, (void *)&x_d0,
            (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 8,
            !st_fits(((((st_extent(x_d2)*st_extent(x_d3)*10 + 6)*st_extent(chunks_2) + st_extent(x_d2)*st_extent(x_d3)*5 + 1)*st_extent(rows_2) + (st_extent(x_d2)*st_extent(x_d3)*5 + 1)*st_extent(x_d0) + 1444)*st_extent(x_d3) + 1)*st_extent(x_d2) + (st_extent(rows_2) + 4)*st_extent(chunks_2) + st_extent(rows_2) + st_extent(x_d0) + st_extent(x_d3) + 544),
            st_block_count(4, 1) * st_block_count(chunks_2, 1), 256, st_arguments_9);
    void *st_arguments_10[] = {(void *)&sum_f64_parts_2, (void *)&b_device, (void *)&out,
            (void *)&chunks_2};
    ST_ASK(launch, 9, !st_fits(st_extent(chunks_2) + 2312), st_block_count(4, 32), 256,
            st_arguments_10);
done:
    return status;
}

/* convolution_weights */
/* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
ST_KERNEL int32_t kernel_convolution_weights(const st_runtime *runtime, st_call *call,
        st_error *error, const float *x_device, const float *h_switch_2, float *y_convolution,
        const int64_t x_d0, const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_11[] = {(void *)&x_device, (void *)&h_switch_2, (void *)&y_convolution,
            (void *)&x_d0, (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 10,
            !st_fits(((st_extent(x_d0)*4 + 3118)*st_extent(x_d3) + 1)*st_extent(x_d2) + st_extent(x_d0) + st_extent(x_d3)*11322 + 11321),
            st_block_count(1, 1) * st_block_count(4, 1) * st_block_count(27, 256), 256,
            st_arguments_11);
done:
    return status;
}

/* mul, sub over 4 x 3 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL int32_t kernel_9_mul_sub(const st_runtime *runtime, st_call *call, st_error *error,
        const float *y_convolution, float *v_device) {
    int32_t status = ST_OK;
    void *st_arguments_12[] = {(void *)&y_convolution, (void *)&v_device};
    ST_ASK(launch, 11, false, st_block_count(108, 1024), 256, st_arguments_12);
done:
    return status;
}

/* convolution_weights */
/* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
ST_KERNEL int32_t kernel_convolution_weights_2(const st_runtime *runtime, st_call *call,
        st_error *error, const float *h_pooling, const float *cost_mul, float *z_convolution_3,
        const int64_t x_d0, const int64_t n, const int64_t n_2) {
    int32_t status = ST_OK;
    void *st_arguments_13[] = {(void *)&h_pooling, (void *)&cost_mul, (void *)&z_convolution_3,
            (void *)&x_d0, (void *)&n, (void *)&n_2};
    ST_ASK(launch, 12,
            !st_fits(((st_extent(x_d0)*4 + 3218)*st_extent(n_2) + 1)*st_extent(n) + st_extent(n_2)*11682 + st_extent(x_d0) + 11681),
            st_block_count(1, 1) * st_block_count(2, 1) * st_block_count(36, 256), 256,
            st_arguments_13);
done:
    return status;
}

/* mul, sub over 2 x 4 x 3 x 3 */
/* models.py:126: updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)] */
ST_KERNEL int32_t kernel_11_mul_sub(const st_runtime *runtime, st_call *call, st_error *error,
        const float *z_convolution_3, float *w_device) {
    int32_t status = ST_OK;
    void *st_arguments_14[] = {(void *)&z_convolution_3, (void *)&w_device};
    ST_ASK(launch, 13, false, st_block_count(72, 1024), 256, st_arguments_14);
done:
    return status;
}

/* convolution_step
   inputs: float32 x[x_d0*x_d2*x_d3*3], float32 t[n*n_2*x_d0*2], float32 b[4]
   changed: float32 v[108], float32 w[72]
   outputs: float32 out_2[1], float32 out_2_host[1], float32 out[4], float32 out_host[4],
       float32 b_device[4], float32 t_device[n*n_2*x_d0*2], float32 v_device[108],
       float32 w_device[72], float32 x_device[x_d0*x_d2*x_d3*3]
   workspace: (n*n_2*40 + x_d2*x_d3*36)*x_d0 + workspace_bytes_6 + 10680 bytes
   1. h_switch = kernel_convolution(x_device, v_device): convolution; reads x_d0*x_d2*x_d3*12 +
       432, writes x_d0*x_d2*x_d3*16 bytes
   2. h_switch, h_le = epilogue(b_device, h_switch): add, le, switch over x_d0 x 4 x x_d2 x x_d3;
       reads x_d0*x_d2*x_d3*16 + 16, writes x_d0*x_d2*x_d3*20 bytes
   3. h_pooling = kernel_pool_max(h_switch): pool_max; reads x_d0*x_d2*x_d3*16, writes
       n*n_2*x_d0*16 bytes
   4. z_convolution = kernel_convolution_2(h_pooling, w_device): convolution; reads n*n_2*x_d0*16
       + 288, writes n*n_2*x_d0*8 bytes
   5. cost_mul, total = kernel_4_sub_sqr_sum(z_convolution, t_device): sub, sqr, sum, mul over
       x_d0 x 2 x n x n_2; reads n*n_2*x_d0*16, writes n*n_2*x_d0*8 + 8 bytes
   6. z_convolution_2 = kernel_convolution_inputs(w_device, cost_mul): convolution_inputs; reads
       n*n_2*x_d0*8 + 288, writes n*n_2*x_d0*16 bytes
   7. h_pooling_2 = kernel_pool_max_image(h_switch, h_pooling, z_convolution_2): pool_max_image;
       reads (n*n_2*32 + x_d2*x_d3*16)*x_d0, writes x_d0*x_d2*x_d3*16 bytes
   8. h_switch_2, out = kernel_7_switch_sum_mul(h_le, h_pooling_2, b_device): switch, sum, mul,
       sub over 4 x x_d0 x x_d2 x x_d3; reads x_d0*x_d2*x_d3*20 + 16, writes x_d0*x_d2*x_d3*16 +
       16 bytes
   9. y_convolution = kernel_convolution_weights(x_device, h_switch_2): convolution_weights;
       reads x_d0*x_d2*x_d3*28, writes 432 bytes
   10. v_device = kernel_9_mul_sub(y_convolution, v_device): mul, sub over 4 x 3 x 3 x 3; reads
       864, writes 432 bytes
   11. z_convolution_3 = kernel_convolution_weights_2(h_pooling, cost_mul): convolution_weights;
       reads n*n_2*x_d0*24, writes 288 bytes
   12. w_device = kernel_11_mul_sub(z_convolution_3, w_device): mul, sub over 2 x 4 x 3 x 3;
       reads 576, writes 288 bytes */
ST_EXPORT int32_t convolution_step(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1], x_d2 = inputs[0].shape[2],
            x_d3 = inputs[0].shape[3];
    const float *t = inputs[1].data;
    const int64_t t_d0 = inputs[1].shape[0], t_d1 = inputs[1].shape[1], t_d2 = inputs[1].shape[2],
            t_d3 = inputs[1].shape[3];
    float *v = inputs[2].data;
    const int64_t v_d0 = inputs[2].shape[0], v_d1 = inputs[2].shape[1], v_d2 = inputs[2].shape[2],
            v_d3 = inputs[2].shape[3];
    const float *b = inputs[3].data;
    const int64_t b_d0 = inputs[3].shape[0];
    float *w = inputs[4].data;
    const int64_t w_d0 = inputs[4].shape[0], w_d1 = inputs[4].shape[1], w_d2 = inputs[4].shape[2],
            w_d3 = inputs[4].shape[3];

    /* models.py:121: y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3)) */
    ST_REQUIRE(v_d0 == 4, SHAPE, 0, v_d0);
    ST_REQUIRE(v_d1 == 3, SHAPE, 1, v_d1);
    ST_REQUIRE(v_d2 == 3, SHAPE, 2, v_d2);
    ST_REQUIRE(v_d3 == 3, SHAPE, 3, v_d3);
    ST_REQUIRE(x_d1 == 3, SHAPE, 4, x_d0, x_d1, x_d2, x_d3);
    ST_REQUIRE(x_d2 >= 1, SHAPE, 5, x_d0, 3, x_d2, x_d3, x_d2);
    ST_REQUIRE(x_d3 >= 1, SHAPE, 6, x_d0, 3, x_d2, x_d3, x_d3);
    /* models.py:122: h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True) */
    ST_REQUIRE(b_d0 == 4, SHAPE, 7, 4, b_d0);
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    ST_REQUIRE(w_d0 == 2, SHAPE, 8, w_d0);
    ST_REQUIRE(w_d1 == 4, SHAPE, 9, w_d1);
    ST_REQUIRE(w_d2 == 3, SHAPE, 10, w_d2);
    ST_REQUIRE(w_d3 == 3, SHAPE, 11, w_d3);
    /* models.py:124: cost = T.sqr(z - t).mean() */
    const int64_t n = x_d2 / 2LL;
    const int64_t n_2 = x_d3 / 2LL;
    /* models.py:123: z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3)) */
    ST_REQUIRE(n >= 1, SHAPE, 12, x_d0, n, n_2, n);
    ST_REQUIRE(n_2 >= 1, SHAPE, 13, x_d0, n, n_2, n_2);
    /* models.py:124: cost = T.sqr(z - t).mean() */
    ST_REQUIRE(x_d0 == t_d0, SHAPE, 14, x_d0, t_d0);
    ST_REQUIRE(t_d1 == 2, SHAPE, 15, 2, t_d1);
    ST_REQUIRE(n == t_d2, SHAPE, 16, n, t_d2);
    ST_REQUIRE(n_2 == t_d3, SHAPE, 17, n_2, t_d3);
    const int64_t convolution_bytes = 0;
    const int64_t pool_max_bytes = 0;
    const int64_t convolution_bytes_2 = 0;
    const int64_t convolution_inputs_bytes = 0;
    const int64_t pool_max_image_bytes = 0;
    const int64_t convolution_weights_bytes = 0;
    const int64_t convolution_weights_bytes_2 = 0;
    const int64_t workspace_bytes = convolution_bytes > pool_max_bytes ? convolution_bytes : pool_max_bytes;
    const int64_t workspace_bytes_2 = workspace_bytes > convolution_bytes_2 ? workspace_bytes : convolution_bytes_2;
    const int64_t workspace_bytes_3 = workspace_bytes_2 > convolution_inputs_bytes ? workspace_bytes_2 : convolution_inputs_bytes;
    const int64_t workspace_bytes_4 = workspace_bytes_3 > pool_max_image_bytes ? workspace_bytes_3 : pool_max_image_bytes;
    const int64_t workspace_bytes_5 = workspace_bytes_4 > convolution_weights_bytes ? workspace_bytes_4 : convolution_weights_bytes;
    const int64_t workspace_bytes_6 = workspace_bytes_5 > convolution_weights_bytes_2 ? workspace_bytes_5 : convolution_weights_bytes_2;

    float *out_2 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(out_2, MEMORY, -1, 4, ST_ON_DEVICE - 1);
    float *out = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(out, MEMORY, -1, 16, ST_ON_DEVICE - 2);
    float *x_device = st_device_memory(call, x_d0*x_d2*x_d3*12, 12.0*x_d0*x_d2*x_d3);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d2*x_d3*12, ST_ON_DEVICE - 3);

    ST_ASK(to_device, x_device, x, x_d0*x_d2*x_d3*12);

    float *v_device = st_device_memory(call, 432, 432.0);
    ST_REQUIRE(v_device, MEMORY, -1, 432, ST_ON_DEVICE - 4);

    ST_ASK(to_device, v_device, v, 432);

    const int64_t arena_bytes = st_padded(workspace_bytes_6);
    arena = st_arena_open(runtime, arena_bytes, 1.0*workspace_bytes_6);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;
    int8_t *workspace_2 = (int8_t *)arena;
    int8_t *workspace_3 = (int8_t *)arena;
    int8_t *workspace_4 = (int8_t *)arena;
    int8_t *workspace_5 = (int8_t *)arena;
    int8_t *workspace_6 = (int8_t *)arena;
    int8_t *workspace_7 = (int8_t *)arena;

    const int64_t st_h_switch_at = st_padded(x_d0*x_d2*x_d3*4);
    const int64_t st_h_pooling_at = st_h_switch_at + st_padded(x_d0*x_d2*x_d3*16);
    const int64_t st_z_convolution_at = st_h_pooling_at + st_padded(n*n_2*x_d0*16);
    const int64_t st_z_convolution_2_at = st_z_convolution_at + st_padded(n*n_2*x_d0*8);
    const int64_t st_h_pooling_2_at = st_z_convolution_2_at + st_padded(n*n_2*x_d0*16);
    const int64_t st_y_convolution_at = st_h_pooling_2_at + st_padded(x_d0*x_d2*x_d3*16);
    const int64_t st_sum_f64_parts_at = st_y_convolution_at + st_padded(432);
    const int64_t st_total_at = st_sum_f64_parts_at + st_padded(8192);
    const int64_t st_sum_f64_parts_2_at = st_total_at + st_padded(8);
    const int64_t device_arena_bytes = st_sum_f64_parts_2_at + st_padded(2048);
    device_arena = st_device_memory(call, device_arena_bytes,
            36.0*x_d0*x_d2*x_d3 + 40.0*n*n_2*x_d0 + 10680.0);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    uint8_t *h_le = (uint8_t *)device_arena;
    float *h_switch = (float *)(device_arena + st_h_switch_at);
    float *h_switch_2 = (float *)(device_arena + st_h_switch_at);
    float *h_pooling = (float *)(device_arena + st_h_pooling_at);
    float *z_convolution = (float *)(device_arena + st_z_convolution_at);
    float *cost_mul = (float *)(device_arena + st_z_convolution_at);
    float *z_convolution_2 = (float *)(device_arena + st_z_convolution_2_at);
    float *h_pooling_2 = (float *)(device_arena + st_h_pooling_2_at);
    float *y_convolution = (float *)(device_arena + st_y_convolution_at);
    float *z_convolution_3 = (float *)(device_arena + st_y_convolution_at);
    double *sum_f64_parts = (double *)(device_arena + st_sum_f64_parts_at);
    double *total = (double *)(device_arena + st_total_at);
    double *sum_f64_parts_2 = (double *)(device_arena + st_sum_f64_parts_2_at);

    status = kernel_convolution(runtime, call, error, x_device, v_device, h_switch, x_d0, x_d2,
            x_d3);
    if (status != ST_OK) goto done;

    float *b_device = st_device_memory(call, 16, 16.0);
    ST_REQUIRE(b_device, MEMORY, -1, 16, ST_ON_DEVICE - 5);

    ST_ASK(to_device, b_device, b, 16);
    status = epilogue(runtime, call, error, b_device, h_switch, h_le, x_d0, x_d2, x_d3);
    if (status != ST_OK) goto done;
    status = kernel_pool_max(runtime, call, error, h_switch, h_pooling, x_d0, n, n_2, x_d2, x_d3);
    if (status != ST_OK) goto done;

    float *w_device = st_device_memory(call, 288, 288.0);
    ST_REQUIRE(w_device, MEMORY, -1, 288, ST_ON_DEVICE - 6);

    ST_ASK(to_device, w_device, w, 288);
    status = kernel_convolution_2(runtime, call, error, h_pooling, w_device, z_convolution, x_d0, n,
            n_2);
    if (status != ST_OK) goto done;
    const double n_f64 = (double)n_2;
    const double n_f64_2 = (double)n;
    const double x_d0_f64 = (double)x_d0;
    const double s_3 = x_d0_f64 * n_f64_2;
    const double s_4 = s_3 * n_f64;
    const double s_5 = s_4 * 2.0;
    const float s_6 = (float)s_5;
    const float s_7 = 2.0f / s_6;

    float *t_device = st_device_memory(call, n*n_2*x_d0*8, 8.0*n*n_2*x_d0);
    ST_REQUIRE(t_device, MEMORY, -1, n*n_2*x_d0*8, ST_ON_DEVICE - 7);

    ST_ASK(to_device, t_device, t, n*n_2*x_d0*8);
    status = kernel_4_sub_sqr_sum(runtime, call, error, z_convolution, t_device, cost_mul,
            sum_f64_parts, total, n, n_2, x_d0, s_7);
    if (status != ST_OK) goto done;
    status = kernel_convolution_inputs(runtime, call, error, w_device, cost_mul, z_convolution_2,
            x_d0, n, n_2);
    if (status != ST_OK) goto done;
    status = kernel_pool_max_image(runtime, call, error, h_switch, h_pooling, z_convolution_2,
            h_pooling_2, x_d0, x_d2, x_d3, n, n_2);
    if (status != ST_OK) goto done;
    status = kernel_7_switch_sum_mul(runtime, call, error, h_le, h_pooling_2, h_switch_2,
            sum_f64_parts_2, b_device, out, x_d0, x_d2, x_d3);
    if (status != ST_OK) goto done;
    status = kernel_convolution_weights(runtime, call, error, x_device, h_switch_2, y_convolution,
            x_d0, x_d2, x_d3);
    if (status != ST_OK) goto done;
    status = kernel_9_mul_sub(runtime, call, error, y_convolution, v_device);
    if (status != ST_OK) goto done;
    status = kernel_convolution_weights_2(runtime, call, error, h_pooling, cost_mul,
            z_convolution_3, x_d0, n, n_2);
    if (status != ST_OK) goto done;
    status = kernel_11_mul_sub(runtime, call, error, z_convolution_3, w_device);
    if (status != ST_OK) goto done;
    void *st_arguments_15[] = {(void *)&total, (void *)&out_2, (void *)&s_6};
    ST_ASK(launch, 14, false, st_block_count(1, 1), 1, st_arguments_15);

    float *out_2_host = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out_2_host, MEMORY, -1, 4, 0);

    ST_ASK(to_host, out_2_host, out_2, 4);

    float *out_host = ST_ALLOCATE(3, 4);
    ST_REQUIRE(out_host, MEMORY, -1, 16, 3);

    ST_ASK(to_host, out_host, out, 16);
    ST_ASK(to_host, v, v_device, 432);
    ST_ASK(to_host, w, w_device, 288);
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
