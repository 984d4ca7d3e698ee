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

/* pool_max */
/* models.py:142: y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1)) */
ST_KERNEL(256) kernel_pool_max_2(const float *x_device, float *out, int32_t x_d0, int32_t x_d1,
        int32_t n_2, int32_t n_4, int32_t x_d2, int32_t x_d3) {
    const unsigned st_blocks_1 = (n_2*n_4 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t item = (int32_t)st_outer_0;
    const int32_t first = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread = st_thread();
        const int32_t place = first + thread;
        const int32_t k = n_2*n_4;
        /* models.py:142: y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1)) */
        const bool v = place < k;
        if (v) {
            const int32_t most = 1 > 1 ? 1 : 1;
            const int32_t k0 = 1 < most ? 1 : most;
            const int32_t k_2 = x_d2 + 2;
            const int32_t most_2 = k_2 > 1 ? k_2 : 1;
            const int32_t k1 = 3 < most_2 ? 3 : most_2;
            const int32_t k_3 = x_d3 + 2;
            const int32_t most_3 = k_3 > 1 ? k_3 : 1;
            const int32_t k2 = 3 < most_3 ? 3 : most_3;
            const int32_t k_4 = x_d2 + 2;
            const int32_t most_4 = k_4 > 1 ? k_4 : 1;
            const int32_t s1 = 2 < most_4 ? 2 : most_4;
            const int32_t k_5 = x_d3 + 2;
            const int32_t most_5 = k_5 > 1 ? k_5 : 1;
            const int32_t s2 = 2 < most_5 ? 2 : most_5;
            const int32_t t = (int32_t)((uint32_t)place / (uint32_t)n_4);
            const int32_t t_2 = (int32_t)((uint32_t)t / (uint32_t)n_2);
            float total = 0.0f;
            const int32_t k_6 = k0*t_2;
            const int32_t begin = k_6 > 0 ? k_6 : 0;
            const int32_t k_7 = (t_2 + 1)*k0;
            const int32_t end = k_7 < 1 ? k_7 : 1;
            const int32_t k_8 = (t - n_2*t_2)*s1 - 1;
            const int32_t begin_2 = k_8 > 0 ? k_8 : 0;
            const int32_t k_9 = (t - n_2*t_2)*s1 + k1 - 1;
            const int32_t end_2 = k_9 < x_d2 ? k_9 : x_d2;
            const int32_t k_10 = (place - n_4*t)*s2 - 1;
            const int32_t begin_3 = k_10 > 0 ? k_10 : 0;
            const int32_t k_11 = (place - n_4*t)*s2 + k2 - 1;
            const int32_t end_3 = k_11 < x_d3 ? k_11 : x_d3;
            for (int32_t i2 = begin_3; i2 < end_3; i2++) {
                float column = 0.0f;
                for (int32_t i0 = begin; i0 < end; i0++) {
                    for (int32_t i1 = begin_2; i1 < end_2; i1++) {
                        const float x_i = x_device[((i0 + item)*x_d2 + i1)*x_d3 + i2];
                        const bool v_2 = i0 == begin;
                        const bool v_3 = i1 == begin_2;
                        const bool v_4 = v_2 & v_3;
                        const float v_5 = column > x_i || column != column ? column : x_i;
                        const float v_6 = v_4 ? x_i : v_5;
                        column = v_6;
                    }
                }
                const float v_7 = total > column || total != total ? total : column;
                const bool v_8 = i2 == begin_3;
                const float v_9 = v_8 ? column : v_7;
                total = v_9;
            }
            out[item*n_2*n_4 + place] = total;
        }
    }
}

/* pool_sum */
/* models.py:143: z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad") */
ST_KERNEL(256) kernel_pool_sum_2(const float *x_device, float *out_2, int32_t x_d0, int32_t x_d1,
        int32_t n_2, int32_t n_4, int32_t x_d2, int32_t x_d3) {
    const unsigned st_blocks_1 = (n_2*n_4 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t item_2 = (int32_t)st_outer_0;
    const int32_t first_2 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_2 = st_thread();
        const int32_t place_2 = first_2 + thread_2;
        const int32_t k_12 = n_2*n_4;
        /* models.py:143: z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad") */
        const bool v_10 = place_2 < k_12;
        if (v_10) {
            const int32_t most_6 = 1 > 1 ? 1 : 1;
            const int32_t k0_2 = 1 < most_6 ? 1 : most_6;
            const int32_t k_13 = x_d2 + 2;
            const int32_t most_7 = k_13 > 1 ? k_13 : 1;
            const int32_t k1_2 = 3 < most_7 ? 3 : most_7;
            const int32_t k_14 = x_d3 + 2;
            const int32_t most_8 = k_14 > 1 ? k_14 : 1;
            const int32_t k2_2 = 3 < most_8 ? 3 : most_8;
            const int32_t k_15 = x_d2 + 2;
            const int32_t most_9 = k_15 > 1 ? k_15 : 1;
            const int32_t s1_2 = 2 < most_9 ? 2 : most_9;
            const int32_t k_16 = x_d3 + 2;
            const int32_t most_10 = k_16 > 1 ? k_16 : 1;
            const int32_t s2_2 = 2 < most_10 ? 2 : most_10;
            const int32_t t_3 = (int32_t)((uint32_t)place_2 / (uint32_t)n_4);
            const int32_t t_4 = (int32_t)((uint32_t)t_3 / (uint32_t)n_2);
            float total_2 = 0.0f;
            const int32_t k_17 = k0_2*t_4;
            const int32_t begin_4 = k_17 > 0 ? k_17 : 0;
            const int32_t k_18 = (t_4 + 1)*k0_2;
            const int32_t end_4 = k_18 < 1 ? k_18 : 1;
            const int32_t k_19 = (t_3 - n_2*t_4)*s1_2 - 1;
            const int32_t begin_5 = k_19 > 0 ? k_19 : 0;
            const int32_t k_20 = (t_3 - n_2*t_4)*s1_2 + k1_2 - 1;
            const int32_t end_5 = k_20 < x_d2 ? k_20 : x_d2;
            const int32_t k_21 = (place_2 - n_4*t_3)*s2_2 - 1;
            const int32_t begin_6 = k_21 > 0 ? k_21 : 0;
            const int32_t k_22 = (place_2 - n_4*t_3)*s2_2 + k2_2 - 1;
            const int32_t end_6 = k_22 < x_d3 ? k_22 : x_d3;
            for (int32_t i2_2 = begin_6; i2_2 < end_6; i2_2++) {
                float column_2 = 0.0f;
                for (int32_t i0_2 = begin_4; i0_2 < end_4; i0_2++) {
                    for (int32_t i1_2 = begin_5; i1_2 < end_5; i1_2++) {
                        const float x_i_2 = x_device[((i0_2 + item_2)*x_d2 + i1_2)*x_d3 + i2_2];
                        const bool v_11 = i0_2 == begin_4;
                        const bool v_12 = i1_2 == begin_5;
                        const bool v_13 = v_11 & v_12;
                        const float v_14 = column_2 + x_i_2;
                        const float v_15 = v_13 ? x_i_2 : v_14;
                        column_2 = v_15;
                    }
                }
                const float v_16 = total_2 + column_2;
                const bool v_17 = i2_2 == begin_6;
                const float v_18 = v_17 ? column_2 : v_16;
                total_2 = v_18;
            }
            const int32_t k_23 = k0_2*t_4;
            const int32_t begin_7 = k_23 > 0 ? k_23 : 0;
            const int32_t k_24 = (t_4 + 1)*k0_2;
            const int32_t end_7 = k_24 < 1 ? k_24 : 1;
            const int32_t k_25 = (t_3 - n_2*t_4)*s1_2 - 1;
            const int32_t begin_8 = k_25 > 0 ? k_25 : 0;
            const int32_t k_26 = (t_3 - n_2*t_4)*s1_2 + k1_2 - 1;
            const int32_t end_8 = k_26 < x_d2 ? k_26 : x_d2;
            const int32_t k_27 = (begin_8 - end_8)*begin_7 + (end_8 - begin_8)*end_7;
            const int32_t k_28 = (place_2 - n_4*t_3)*s2_2 - 1;
            const int32_t begin_9 = k_28 > 0 ? k_28 : 0;
            const int32_t k_29 = (place_2 - n_4*t_3)*s2_2 + k2_2 - 1;
            const int32_t end_9 = k_29 < x_d3 ? k_29 : x_d3;
            const int32_t k_30 = end_9 - begin_9;
            const float v_19 = (float)k_30;
            const float v_20 = (float)k_27;
            const float v_21 = v_20 * v_19;
            const float v_22 = total_2 / v_21;
            total_2 = v_22;
            out_2[item_2*n_2*n_4 + place_2] = total_2;
        }
    }
}

/* pool_max_image */
/* models.py:142: y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1)) */
ST_KERNEL(256) kernel_pool_max_image_2(const float *x_device, const float *out,
        const float *g_device, float *out_3, int32_t x_d0, int32_t x_d1, int32_t x_d2, int32_t x_d3,
        int32_t n_2, int32_t n_4) {
    const unsigned st_blocks_1 = (x_d2*x_d3 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t item_3 = (int32_t)st_outer_0;
    const int32_t first_3 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_3 = st_thread();
        const int32_t place_3 = first_3 + thread_3;
        const int32_t k_31 = x_d2*x_d3;
        /* models.py:142: y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1)) */
        const bool v_23 = place_3 < k_31;
        if (v_23) {
            const int32_t most_11 = 1 > 1 ? 1 : 1;
            const int32_t k0_3 = 1 < most_11 ? 1 : most_11;
            const int32_t k_32 = x_d2 + 2;
            const int32_t most_12 = k_32 > 1 ? k_32 : 1;
            const int32_t k1_3 = 3 < most_12 ? 3 : most_12;
            const int32_t k_33 = x_d3 + 2;
            const int32_t most_13 = k_33 > 1 ? k_33 : 1;
            const int32_t k2_3 = 3 < most_13 ? 3 : most_13;
            const int32_t k_34 = x_d2 + 2;
            const int32_t most_14 = k_34 > 1 ? k_34 : 1;
            const int32_t s1_3 = 2 < most_14 ? 2 : most_14;
            const int32_t k_35 = x_d3 + 2;
            const int32_t most_15 = k_35 > 1 ? k_35 : 1;
            const int32_t s2_3 = 2 < most_15 ? 2 : most_15;
            const int32_t i = (int32_t)((uint32_t)place_3 / (uint32_t)x_d3);
            const int32_t i_2 = (int32_t)((uint32_t)i / (uint32_t)x_d2);
            float total_3 = 0.0f;
            const float x_i_3 = x_device[item_3*x_d2*x_d3 + place_3];
            const int32_t k_36 = i_2 - k0_3;
            const int32_t v_24 = st_int_div_i32(k_36, k0_3);
            const int32_t k_37 = v_24 + 1;
            const int32_t begin_10 = k_37 > 0 ? k_37 : 0;
            const int32_t v_25 = st_int_div_i32(i_2, k0_3);
            const int32_t k_38 = v_25 + 1;
            const int32_t end_10 = k_38 < 1 ? k_38 : 1;
            const int32_t k_39 = i - i_2*x_d2 - k1_3 + 1;
            const int32_t v_26 = st_int_div_i32(k_39, s1_3);
            const int32_t k_40 = v_26 + 1;
            const int32_t begin_11 = k_40 > 0 ? k_40 : 0;
            const int32_t k_41 = i - i_2*x_d2 + 1;
            const int32_t v_27 = st_int_div_i32(k_41, s1_3);
            const int32_t k_42 = v_27 + 1;
            const int32_t end_11 = k_42 < n_2 ? k_42 : n_2;
            const int32_t k_43 = place_3 - i*x_d3 - k2_3 + 1;
            const int32_t v_28 = st_int_div_i32(k_43, s2_3);
            const int32_t k_44 = v_28 + 1;
            const int32_t begin_12 = k_44 > 0 ? k_44 : 0;
            const int32_t k_45 = place_3 - i*x_d3 + 1;
            const int32_t v_29 = st_int_div_i32(k_45, s2_3);
            const int32_t k_46 = v_29 + 1;
            const int32_t end_12 = k_46 < n_4 ? k_46 : n_4;
            for (int32_t t0 = begin_10; t0 < end_10; t0++) {
                for (int32_t t1 = begin_11; t1 < end_11; t1++) {
                    for (int32_t back = 0; back < end_12 - begin_12; back++) {
                        const float y_i = out[((item_3 + t0)*n_2 + t1)*n_4 + end_12 - back - 1];
                        const bool v_30 = x_i_3 == y_i;
                        if (v_30) {
                            const float g_i = g_device[((item_3 + t0)*n_2 + t1)*n_4 + end_12 - back - 1];
                            const float v_31 = total_3 + g_i;
                            total_3 = v_31;
                        }
                    }
                }
            }
            out_3[item_3*x_d2*x_d3 + place_3] = total_3;
        }
    }
}

/* pool_sum_image */
/* models.py:143: z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad") */
ST_KERNEL(256) kernel_pool_sum_image_2(const float *g_device, float *out_4, int32_t x_d0,
        int32_t x_d1, int32_t x_d2, int32_t x_d3, int32_t n_2, int32_t n_4) {
    const unsigned st_blocks_1 = (x_d2*x_d3 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t item_4 = (int32_t)st_outer_0;
    const int32_t first_4 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_4 = st_thread();
        const int32_t place_4 = first_4 + thread_4;
        const int32_t k_47 = x_d2*x_d3;
        /* models.py:143: z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad") */
        const bool v_32 = place_4 < k_47;
        if (v_32) {
            const int32_t most_16 = 1 > 1 ? 1 : 1;
            const int32_t k0_4 = 1 < most_16 ? 1 : most_16;
            const int32_t k_48 = x_d2 + 2;
            const int32_t most_17 = k_48 > 1 ? k_48 : 1;
            const int32_t k1_4 = 3 < most_17 ? 3 : most_17;
            const int32_t k_49 = x_d3 + 2;
            const int32_t most_18 = k_49 > 1 ? k_49 : 1;
            const int32_t k2_4 = 3 < most_18 ? 3 : most_18;
            const int32_t k_50 = x_d2 + 2;
            const int32_t most_19 = k_50 > 1 ? k_50 : 1;
            const int32_t s1_4 = 2 < most_19 ? 2 : most_19;
            const int32_t k_51 = x_d3 + 2;
            const int32_t most_20 = k_51 > 1 ? k_51 : 1;
            const int32_t s2_4 = 2 < most_20 ? 2 : most_20;
            const int32_t i_3 = (int32_t)((uint32_t)place_4 / (uint32_t)x_d3);
            const int32_t i_4 = (int32_t)((uint32_t)i_3 / (uint32_t)x_d2);
            float total_4 = 0.0f;
            const int32_t k_52 = i_4 - k0_4;
            const int32_t v_33 = st_int_div_i32(k_52, k0_4);
            const int32_t k_53 = v_33 + 1;
            const int32_t begin_13 = k_53 > 0 ? k_53 : 0;
            const int32_t v_34 = st_int_div_i32(i_4, k0_4);
            const int32_t k_54 = v_34 + 1;
            const int32_t end_13 = k_54 < 1 ? k_54 : 1;
            const int32_t k_55 = i_3 - i_4*x_d2 - k1_4 + 1;
            const int32_t v_35 = st_int_div_i32(k_55, s1_4);
            const int32_t k_56 = v_35 + 1;
            const int32_t begin_14 = k_56 > 0 ? k_56 : 0;
            const int32_t k_57 = i_3 - i_4*x_d2 + 1;
            const int32_t v_36 = st_int_div_i32(k_57, s1_4);
            const int32_t k_58 = v_36 + 1;
            const int32_t end_14 = k_58 < n_2 ? k_58 : n_2;
            const int32_t k_59 = place_4 - i_3*x_d3 - k2_4 + 1;
            const int32_t v_37 = st_int_div_i32(k_59, s2_4);
            const int32_t k_60 = v_37 + 1;
            const int32_t begin_15 = k_60 > 0 ? k_60 : 0;
            const int32_t k_61 = place_4 - i_3*x_d3 + 1;
            const int32_t v_38 = st_int_div_i32(k_61, s2_4);
            const int32_t k_62 = v_38 + 1;
            const int32_t end_15 = k_62 < n_4 ? k_62 : n_4;
            for (int32_t back_2 = 0; back_2 < end_15 - begin_15; back_2++) {
                float column_3 = 0.0f;
                for (int32_t t0_2 = begin_13; t0_2 < end_13; t0_2++) {
                    for (int32_t t1_2 = begin_14; t1_2 < end_14; t1_2++) {
                        const float g_i_2 = g_device[((item_4 + t0_2)*n_2 + t1_2)*n_4 + end_15 - back_2 - 1];
                        const int32_t k_63 = k0_4*t0_2;
                        const int32_t begin_16 = k_63 > 0 ? k_63 : 0;
                        const int32_t k_64 = (t0_2 + 1)*k0_4;
                        const int32_t end_16 = k_64 < 1 ? k_64 : 1;
                        const int32_t k_65 = s1_4*t1_2 - 1;
                        const int32_t begin_17 = k_65 > 0 ? k_65 : 0;
                        const int32_t k_66 = s1_4*t1_2 + k1_4 - 1;
                        const int32_t end_17 = k_66 < x_d2 ? k_66 : x_d2;
                        const int32_t k_67 = (begin_17 - end_17)*begin_16 + (end_17 - begin_17)*end_16;
                        const int32_t k_68 = (end_15 - back_2 - 1)*s2_4 - 1;
                        const int32_t begin_18 = k_68 > 0 ? k_68 : 0;
                        const int32_t k_69 = (end_15 - back_2 - 1)*s2_4 + k2_4 - 1;
                        const int32_t end_18 = k_69 < x_d3 ? k_69 : x_d3;
                        const int32_t k_70 = end_18 - begin_18;
                        const float v_39 = (float)k_70;
                        const float v_40 = (float)k_67;
                        const float v_41 = v_40 * v_39;
                        const float v_42 = g_i_2 / v_41;
                        const float v_43 = column_3 + v_42;
                        column_3 = v_43;
                    }
                }
                const float v_44 = total_4 + column_3;
                total_4 = v_44;
            }
            out_4[item_4*x_d2*x_d3 + place_4] = total_4;
        }
    }
}

/* The host. */

/* pool_max */
/* models.py:142: y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1)) */
ST_KERNEL int32_t kernel_pool_max(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, float *out, const int64_t x_d0, const int64_t x_d1,
        const int64_t n_2, const int64_t n_4, const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&x_device, (void *)&out, (void *)&x_d0, (void *)&x_d1,
            (void *)&n_2, (void *)&n_4, (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 0,
            !st_fits(((((st_extent(x_d2) + 2)*st_extent(n_2) + st_extent(n_4) + st_extent(x_d2)*2 + 3)*st_extent(x_d3) + (st_extent(x_d2) + 2)*st_extent(n_2) + st_extent(x_d0)*st_extent(x_d1) + st_extent(n_4)*2 + st_extent(x_d2) + 2)*st_extent(n_4) + (st_extent(x_d3)*256 + 256)*st_extent(x_d2) + st_extent(x_d3)*512 + 512)*st_extent(n_2) + ((st_extent(x_d0)*st_extent(x_d1) + 514)*st_extent(x_d2) + st_extent(n_4)*256 + 773)*st_extent(x_d3) + (st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(n_4)*512 + st_extent(x_d1) + st_extent(x_d2)*257 + 517),
            st_block_count(x_d0*x_d1, 1) * st_block_count(n_2*n_4, 256), 256, st_arguments_1);
done:
    return status;
}

/* pool_sum */
/* models.py:143: z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad") */
ST_KERNEL int32_t kernel_pool_sum(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, float *out_2, const int64_t x_d0, const int64_t x_d1,
        const int64_t n_2, const int64_t n_4, const int64_t x_d2, const int64_t x_d3) {
    int32_t status = ST_OK;
    void *st_arguments_2[] = {(void *)&x_device, (void *)&out_2, (void *)&x_d0, (void *)&x_d1,
            (void *)&n_2, (void *)&n_4, (void *)&x_d2, (void *)&x_d3};
    ST_ASK(launch, 1,
            !st_fits((((((st_extent(x_d2)*4 + 8)*st_extent(n_2) + st_extent(x_d2)*4 + 8)*st_extent(n_4) + (st_extent(x_d3) + 2050)*st_extent(x_d2) + st_extent(x_d3)*2 + 4100)*st_extent(n_2) + (st_extent(n_4)*2 + st_extent(x_d2)*2 + 3)*st_extent(x_d3) + st_extent(x_d0)*st_extent(x_d1) + st_extent(n_4)*4 + st_extent(x_d2)*2052 + 4110)*st_extent(n_4) + (st_extent(x_d3)*256 + 262656)*st_extent(x_d2) + st_extent(x_d3)*512 + 525312)*st_extent(n_2) + ((st_extent(x_d0)*st_extent(x_d1) + 514)*st_extent(x_d2) + st_extent(n_4)*512 + 773)*st_extent(x_d3) + (st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(n_4)*1024 + st_extent(x_d1) + st_extent(x_d2)*263169 + 527877),
            st_block_count(x_d0*x_d1, 1) * st_block_count(n_2*n_4, 256), 256, st_arguments_2);
done:
    return status;
}

/* pool_max_image */
/* models.py:142: y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1)) */
ST_KERNEL int32_t kernel_pool_max_image(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, const float *out, const float *g_device, float *out_3,
        const int64_t x_d0, const int64_t x_d1, const int64_t x_d2, const int64_t x_d3,
        const int64_t n_2, const int64_t n_4) {
    int32_t status = ST_OK;
    void *st_arguments_3[] = {(void *)&x_device, (void *)&out, (void *)&g_device, (void *)&out_3,
            (void *)&x_d0, (void *)&x_d1, (void *)&x_d2, (void *)&x_d3, (void *)&n_2, (void *)&n_4};
    ST_ASK(launch, 2,
            !st_fits((((st_extent(n_2) + st_extent(x_d2) + 1)*st_extent(n_4) + st_extent(x_d0)*st_extent(x_d1) + st_extent(x_d2) + st_extent(x_d3)*3 + 3)*st_extent(x_d3) + st_extent(n_4)*257 + 257)*st_extent(x_d2) + ((st_extent(x_d0)*st_extent(x_d1) + 260)*st_extent(n_4) + 1)*st_extent(n_2) + (st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(n_4)*264 + st_extent(x_d1) + st_extent(x_d3)*769 + 781),
            st_block_count(x_d0*x_d1, 1) * st_block_count(x_d2*x_d3, 256), 256, st_arguments_3);
done:
    return status;
}

/* pool_sum_image */
/* models.py:143: z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad") */
ST_KERNEL int32_t kernel_pool_sum_image(const st_runtime *runtime, st_call *call, st_error *error,
        const float *g_device, float *out_4, const int64_t x_d0, const int64_t x_d1,
        const int64_t x_d2, const int64_t x_d3, const int64_t n_2, const int64_t n_4) {
    int32_t status = ST_OK;
    void *st_arguments_4[] = {(void *)&g_device, (void *)&out_4, (void *)&x_d0, (void *)&x_d1,
            (void *)&x_d2, (void *)&x_d3, (void *)&n_2, (void *)&n_4};
    ST_ASK(launch, 3,
            !st_fits((((((st_extent(x_d2)*4 + 12)*st_extent(x_d3) + 2066)*st_extent(x_d2) + st_extent(n_2)*4 + st_extent(n_4) + st_extent(x_d3)*8 + 6220)*st_extent(x_d2) + (st_extent(n_4) + 8)*st_extent(n_2) + (st_extent(x_d3)*6 + 18)*st_extent(x_d3) + st_extent(x_d0)*st_extent(x_d1) + st_extent(n_4) + 4182)*st_extent(x_d3) + st_extent(n_2)*1038 + st_extent(n_4)*257 + st_extent(x_d2)*266766 + 806007)*st_extent(x_d2) + ((st_extent(x_d0)*st_extent(x_d1) + 260)*st_extent(n_2) + st_extent(x_d3)*4 + 264)*st_extent(n_4) + (st_extent(x_d1) + 1)*st_extent(x_d0) + (st_extent(x_d3)*1538 + 4639)*st_extent(x_d3) + st_extent(n_2)*2076 + st_extent(x_d1) + 546507),
            st_block_count(x_d0*x_d1, 1) * st_block_count(x_d2*x_d3, 256), 256, st_arguments_4);
done:
    return status;
}

/* pooling
   inputs: float32 x[x_d0*x_d1*x_d2*x_d3], float32 g[n_2*n_4*x_d0*x_d1]
   outputs: float32 out[n_2*n_4*x_d0*x_d1], float32 out_host[n_2*n_4*x_d0*x_d1],
       float32 out_2[n_2*n_4*x_d0*x_d1], float32 out_2_host[n_2*n_4*x_d0*x_d1],
       float32 out_3[x_d0*x_d1*x_d2*x_d3], float32 out_3_host[x_d0*x_d1*x_d2*x_d3],
       float32 out_4[x_d0*x_d1*x_d2*x_d3], float32 out_4_host[x_d0*x_d1*x_d2*x_d3],
       float32 g_device[n_2*n_4*x_d0*x_d1], float32 x_device[x_d0*x_d1*x_d2*x_d3]
   workspace: workspace_bytes_3 bytes
   1. out = kernel_pool_max(x_device): pool_max; reads x_d0*x_d1*x_d2*x_d3*4, writes
       n_2*n_4*x_d0*x_d1*4 bytes
   2. out_2 = kernel_pool_sum(x_device): pool_sum; reads x_d0*x_d1*x_d2*x_d3*4, writes
       n_2*n_4*x_d0*x_d1*4 bytes
   3. out_3 = kernel_pool_max_image(x_device, out, g_device): pool_max_image; reads ((n_2*n_4*8 +
       x_d2*x_d3*4)*x_d1)*x_d0, writes x_d0*x_d1*x_d2*x_d3*4 bytes
   4. out_4 = kernel_pool_sum_image(g_device): pool_sum_image; reads n_2*n_4*x_d0*x_d1*4, writes
       x_d0*x_d1*x_d2*x_d3*4 bytes */
ST_EXPORT int32_t pooling(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1], x_d2 = inputs[0].shape[2],
            x_d3 = inputs[0].shape[3];
    const float *g = inputs[1].data;
    const int64_t g_d0 = inputs[1].shape[0], g_d1 = inputs[1].shape[1], g_d2 = inputs[1].shape[2],
            g_d3 = inputs[1].shape[3];

    /* models.py:144: grads = [grad((made * g).sum(), x) for made in (y, z)] */
    ST_REQUIRE(x_d0 == g_d0, SHAPE, 0, x_d0, g_d0);
    ST_REQUIRE(x_d1 == g_d1, SHAPE, 1, x_d1, g_d1);
    const int64_t s = x_d2 + (-1LL);
    const int64_t n = st_int_div_i64(s, 2LL);
    const int64_t s_3 = n + 1LL;
    const int64_t n_2 = s_3 > 0LL ? s_3 : 0LL;
    ST_REQUIRE(n_2 == g_d2, SHAPE, 2, n_2, g_d2);
    const int64_t s_5 = x_d3 + (-1LL);
    const int64_t n_3 = st_int_div_i64(s_5, 2LL);
    const int64_t s_7 = n_3 + 1LL;
    const int64_t n_4 = s_7 > 0LL ? s_7 : 0LL;
    ST_REQUIRE(n_4 == g_d3, SHAPE, 3, n_4, g_d3);
    const int64_t pool_max_bytes = 0;
    const int64_t pool_sum_bytes = 0;
    const int64_t pool_max_image_bytes = 0;
    const int64_t pool_sum_image_bytes = 0;
    const int64_t workspace_bytes = pool_max_bytes > pool_sum_bytes ? pool_max_bytes : pool_sum_bytes;
    const int64_t workspace_bytes_2 = workspace_bytes > pool_max_image_bytes ? workspace_bytes : pool_max_image_bytes;
    const int64_t workspace_bytes_3 = workspace_bytes_2 > pool_sum_image_bytes ? workspace_bytes_2 : pool_sum_image_bytes;

    float *out = st_device_memory(call, n_2*n_4*x_d0*x_d1*4, 4.0*n_2*n_4*x_d0*x_d1);
    ST_REQUIRE(out, MEMORY, -1, n_2*n_4*x_d0*x_d1*4, ST_ON_DEVICE - 1);
    float *out_2 = st_device_memory(call, n_2*n_4*x_d0*x_d1*4, 4.0*n_2*n_4*x_d0*x_d1);
    ST_REQUIRE(out_2, MEMORY, -1, n_2*n_4*x_d0*x_d1*4, ST_ON_DEVICE - 2);
    float *out_3 = st_device_memory(call, x_d0*x_d1*x_d2*x_d3*4, 4.0*x_d0*x_d1*x_d2*x_d3);
    ST_REQUIRE(out_3, MEMORY, -1, x_d0*x_d1*x_d2*x_d3*4, ST_ON_DEVICE - 3);
    float *out_4 = st_device_memory(call, x_d0*x_d1*x_d2*x_d3*4, 4.0*x_d0*x_d1*x_d2*x_d3);
    ST_REQUIRE(out_4, MEMORY, -1, x_d0*x_d1*x_d2*x_d3*4, ST_ON_DEVICE - 4);
    float *x_device = st_device_memory(call, x_d0*x_d1*x_d2*x_d3*4, 4.0*x_d0*x_d1*x_d2*x_d3);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*x_d2*x_d3*4, ST_ON_DEVICE - 5);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*x_d2*x_d3*4);
    status = kernel_pool_max(runtime, call, error, x_device, out, x_d0, x_d1, n_2, n_4, x_d2, x_d3);
    if (status != ST_OK) goto done;
    status = kernel_pool_sum(runtime, call, error, x_device, out_2, x_d0, x_d1, n_2, n_4, x_d2,
            x_d3);
    if (status != ST_OK) goto done;

    float *g_device = st_device_memory(call, n_2*n_4*x_d0*x_d1*4, 4.0*n_2*n_4*x_d0*x_d1);
    ST_REQUIRE(g_device, MEMORY, -1, n_2*n_4*x_d0*x_d1*4, ST_ON_DEVICE - 6);

    ST_ASK(to_device, g_device, g, n_2*n_4*x_d0*x_d1*4);
    status = kernel_pool_max_image(runtime, call, error, x_device, out, g_device, out_3, x_d0, x_d1,
            x_d2, x_d3, n_2, n_4);
    if (status != ST_OK) goto done;
    status = kernel_pool_sum_image(runtime, call, error, g_device, out_4, x_d0, x_d1, x_d2, x_d3,
            n_2, n_4);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, x_d0, x_d1, n_2, n_4);
    ST_REQUIRE(out_host, MEMORY, -1, n_2*n_4*x_d0*x_d1*4, 0);

    ST_ASK(to_host, out_host, out, n_2*n_4*x_d0*x_d1*4);

    float *out_2_host = ST_ALLOCATE(1, x_d0, x_d1, n_2, n_4);
    ST_REQUIRE(out_2_host, MEMORY, -1, n_2*n_4*x_d0*x_d1*4, 1);

    ST_ASK(to_host, out_2_host, out_2, n_2*n_4*x_d0*x_d1*4);

    float *out_3_host = ST_ALLOCATE(2, x_d0, x_d1, x_d2, x_d3);
    ST_REQUIRE(out_3_host, MEMORY, -1, x_d0*x_d1*x_d2*x_d3*4, 2);

    ST_ASK(to_host, out_3_host, out_3, x_d0*x_d1*x_d2*x_d3*4);

    float *out_4_host = ST_ALLOCATE(3, x_d0, x_d1, x_d2, x_d3);
    ST_REQUIRE(out_4_host, MEMORY, -1, x_d0*x_d1*x_d2*x_d3*4, 3);

    ST_ASK(to_host, out_4_host, out_4, x_d0*x_d1*x_d2*x_d3*4);

    const int64_t arena_bytes = st_padded(workspace_bytes_3);
    arena = st_arena_open(runtime, arena_bytes, 1.0*workspace_bytes_3);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;
    int8_t *workspace_2 = (int8_t *)arena;
    int8_t *workspace_3 = (int8_t *)arena;
    int8_t *workspace_4 = (int8_t *)arena;

done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
