ST_DEVICE double st_warp_add_float64(double value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = st_exchanged(value, apart);
        const bool upper = st_lane() & apart;
        const double first = upper ? other : value, second = upper ? value : other;
        value = first + second;
    }
    return value;
}

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL(256) kernel_0_sqrt_reciprocal_true_div_2(double *sum_parts, double *sum_parts_2,
        const float *x_device, const float *c_device, const float *g_device, const float *b_device,
        float *out, float *out_3, int32_t chunks, int32_t rows, int32_t x_d0, int32_t x_d1,
        float reciprocal_x_d1_f32, bool s) {
    double sum_parts_held_3[16];
    double sum_parts_held_4[16];
    alignas(16) float x_held_2[16];
    alignas(16) float c_held_2[16];
    alignas(16) float g_held_2[16];
    alignas(16) float b_four[4];
    alignas(16) float out_four[4];
    alignas(16) float out_four_2[4];
    const int32_t chunk_5 = (int32_t)st_block_of_row();
    const int32_t start_2 = chunk_5*rows;
    const int32_t k_10 = rows + start_2;
    const int32_t stop_4 = k_10 < x_d0 ? k_10 : x_d0;
    {
        const int32_t thread_7 = st_thread();
        for (int32_t j_15 = thread_7; j_15 < x_d1; j_15 += 256) {
            sum_parts[chunk_5*x_d1 + j_15] = 0.0;
            sum_parts_2[chunk_5*x_d1 + j_15] = 0.0;
        }
    }
    {
        ST_UNROLL
        for (int32_t k_20 = 0; k_20 < 16; k_20++) {
            sum_parts_held_3[k_20] = 0.0;
            sum_parts_held_4[k_20] = 0.0;
        }
    }
    st_wait_for_block();
    for (int32_t i_2 = start_2; i_2 < stop_4; i_2++) {
        double sum_f64_9 = 0.0;
        ST_SHARED(double, part_6, 8);
        st_wait_for_block();
        {
            const int32_t warp_8 = st_warp();
            double sum_f64_10 = 0.0;
            {
                const int32_t lane_5 = st_lane();
                const bool aligned = st_is_aligned(&x_device[i_2*x_d1]);
                const bool aligned_2 = st_is_aligned(&c_device[i_2*x_d1]);
                const bool vectors = aligned & aligned_2;
                ST_UNROLL
                for (int32_t group_6 = 0; group_6 < 16; group_6 += 4) {
                    const int32_t first_8 = group_6*256 + lane_5*4 + warp_8*128;
                    const bool some_6 = first_8 < x_d1;
                    if (some_6) {
                        if (vectors) {
                            const st_four<float> four = st_load_four(&x_device[i_2*x_d1 + first_8]);
                            *(st_four<float> *)&x_held_2[group_6] = four;
                            const st_four<float> four_2 = st_load_four(&c_device[i_2*x_d1 + first_8]);
                            *(st_four<float> *)&c_held_2[group_6] = four_2;
                        } else {
                            ST_UNROLL
                            for (int32_t k_11 = 0; k_11 < 4; k_11++) {
                                const float element = x_device[i_2*x_d1 + first_8 + k_11];
                                x_held_2[group_6 + k_11] = element;
                                const float element_2 = c_device[i_2*x_d1 + first_8 + k_11];
                                c_held_2[group_6 + k_11] = element_2;
                            }
                        }
                    }
                }
                ST_UNROLL
                for (int32_t group_7 = 0; group_7 < 16; group_7 += 4) {
                    const int32_t first_9 = group_7*256 + lane_5*4 + warp_8*128;
                    const bool some_7 = first_9 < x_d1;
                    if (some_7) {
                        ST_UNROLL
                        for (int32_t k_12 = 0; k_12 < 4; k_12++) {
                            const int32_t j_16 = first_9 + k_12;
                            const float x_i_9 = x_held_2[group_7 + k_12];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const double v_62 = (double)x_i_9;
                            sum_f64_10 += v_62;
                            const float c_i_7 = c_held_2[group_7 + k_12];
                            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                            const double v_63 = (double)c_i_7;
                            const double sum_parts_held_3_i = sum_parts_held_3[group_7 + k_12];
                            const double v_120 = sum_parts_held_3_i + v_63;
                            sum_parts_held_3[group_7 + k_12] = v_120;
                        }
                    }
                }
                for (int32_t j_20 = lane_5 + warp_8*32 + 4096; j_20 < x_d1; j_20 += 256) {
                    const float x_i_13 = x_device[i_2*x_d1 + j_20];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const double v_94 = (double)x_i_13;
                    sum_f64_10 += v_94;
                    const float c_i_10 = c_device[i_2*x_d1 + j_20];
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const double v_95 = (double)c_i_10;
                    const double sum_parts_i_4 = sum_parts[chunk_5*x_d1 + j_20];
                    const double v_121 = sum_parts_i_4 + v_95;
                    sum_parts[chunk_5*x_d1 + j_20] = v_121;
                }
            }
            sum_f64_10 = st_warp_add_float64(sum_f64_10);
            if (st_lane() == 0) {
                part_6[warp_8] = sum_f64_10;
            }
        }
        st_wait_for_block();
        for (int32_t warp_9 = 0; warp_9 < 8; warp_9++) {
            const double part_i_5 = part_6[warp_9];
            sum_f64_9 += part_i_5;
        }
        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
        const float sum_7 = (float)sum_f64_9;
        const float mean_2 = sum_7 * reciprocal_x_d1_f32;
        double sum_f64_11 = 0.0;
        ST_SHARED(double, part_7, 8);
        {
            const int32_t warp_10 = st_warp();
            double sum_f64_12 = 0.0;
            {
                const int32_t lane_6 = st_lane();
                ST_UNROLL
                for (int32_t group_8 = 0; group_8 < 16; group_8 += 4) {
                    const int32_t first_10 = group_8*256 + lane_6*4 + warp_10*128;
                    const bool some_8 = first_10 < x_d1;
                    if (some_8) {
                        ST_UNROLL
                        for (int32_t k_13 = 0; k_13 < 4; k_13++) {
                            const int32_t j_17 = first_10 + k_13;
                            const float x_i_10 = x_held_2[group_8 + k_13];
                            const float v_64 = x_i_10 - mean_2;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_65 = v_64 * v_64;
                            const double v_66 = (double)v_65;
                            sum_f64_12 += v_66;
                        }
                    }
                }
                for (int32_t j_21 = lane_6 + warp_10*32 + 4096; j_21 < x_d1; j_21 += 256) {
                    const float x_i_14 = x_device[i_2*x_d1 + j_21];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_96 = x_i_14 - mean_2;
                    /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                    const float v_97 = v_96 * v_96;
                    const double v_98 = (double)v_97;
                    sum_f64_12 += v_98;
                }
            }
            sum_f64_12 = st_warp_add_float64(sum_f64_12);
            if (st_lane() == 0) {
                part_7[warp_10] = sum_f64_12;
            }
        }
        st_wait_for_block();
        for (int32_t warp_11 = 0; warp_11 < 8; warp_11++) {
            const double part_i_6 = part_7[warp_11];
            sum_f64_11 += part_i_6;
        }
        const float sum_8 = (float)sum_f64_11;
        const float mean_sqr_2 = sum_8 * reciprocal_x_d1_f32;
        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
        const float v_67 = mean_sqr_2 + 1.0e-05f;
        const float sqrt_2 = __builtin_sqrtf(v_67);
        const float reciprocal_2 = 1 / sqrt_2;
        const float true_div_2 = 0.5f / sqrt_2;
        double sum_f64_13 = 0.0;
        double sum_f64_14 = 0.0;
        ST_SHARED(double, part_8, 8);
        ST_SHARED(double, part_9, 8);
        {
            const int32_t warp_12 = st_warp();
            double sum_f64_15 = 0.0;
            double sum_f64_16 = 0.0;
            {
                const int32_t lane_7 = st_lane();
                const bool aligned_3 = st_is_aligned(&g_device[0]);
                const bool aligned_4 = st_is_aligned(&b_device[0]);
                const bool vectors_2 = aligned_3 & aligned_4;
                const bool aligned_5 = st_is_aligned(&out[i_2*x_d1]);
                const bool vectors_3 = vectors_2 & aligned_5;
                ST_UNROLL
                for (int32_t group_9 = 0; group_9 < 16; group_9 += 4) {
                    const int32_t first_11 = group_9*256 + lane_7*4 + warp_12*128;
                    const bool some_9 = first_11 < x_d1;
                    if (some_9) {
                        if (vectors_3) {
                            const st_four<float> four_3 = st_load_four(&g_device[first_11]);
                            *(st_four<float> *)&g_held_2[group_9] = four_3;
                        } else {
                            ST_UNROLL
                            for (int32_t k_14 = 0; k_14 < 4; k_14++) {
                                const float element_3 = g_device[first_11 + k_14];
                                g_held_2[group_9 + k_14] = element_3;
                            }
                        }
                    }
                }
                ST_UNROLL
                for (int32_t group_10 = 0; group_10 < 16; group_10 += 4) {
                    const int32_t first_12 = group_10*256 + lane_7*4 + warp_12*128;
                    const bool some_10 = first_12 < x_d1;
                    if (some_10) {
                        if (vectors_3) {
                            const st_four<float> four_4 = st_load_four(&b_device[first_12]);
                            *(st_four<float> *)&b_four[0] = four_4;
                        } else {
                            ST_UNROLL
                            for (int32_t k_15 = 0; k_15 < 4; k_15++) {
                                const float element_4 = b_device[first_12 + k_15];
                                b_four[k_15] = element_4;
                            }
                        }
                        ST_UNROLL
                        for (int32_t k_16 = 0; k_16 < 4; k_16++) {
                            const int32_t j_18 = first_12 + k_16;
                            const float x_i_11 = x_held_2[group_10 + k_16];
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_68 = x_i_11 - mean_2;
                            const float c_i_8 = c_held_2[group_10 + k_16];
                            const float g_i_5 = g_held_2[group_10 + k_16];
                            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                            const float v_69 = c_i_8 * g_i_5;
                            const float v_70 = v_68 * reciprocal_2;
                            const float v_71 = v_70 * g_i_5;
                            const float b_i_3 = b_four[k_16];
                            const float v_72 = v_71 + b_i_3;
                            const float v_73 = v_69 * reciprocal_2;
                            const float v_74 = v_73 * v_70;
                            const double v_75 = (double)v_74;
                            sum_f64_15 += v_75;
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const double v_76 = (double)v_73;
                            sum_f64_16 += v_76;
                            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                            const float v_77 = c_i_8 * v_70;
                            const double v_78 = (double)v_77;
                            const double sum_parts_held_4_i = sum_parts_held_4[group_10 + k_16];
                            const double v_122 = sum_parts_held_4_i + v_78;
                            out_four[k_16] = v_72;
                            sum_parts_held_4[group_10 + k_16] = v_122;
                        }
                        if (vectors_3) {
                            const st_four<float> four_5 = *(const st_four<float> *)&out_four[0];
                            st_store_four(&out[i_2*x_d1 + first_12], four_5);
                        } else {
                            ST_UNROLL
                            for (int32_t k_17 = 0; k_17 < 4; k_17++) {
                                const float element_5 = out_four[k_17];
                                out[i_2*x_d1 + first_12 + k_17] = element_5;
                            }
                        }
                    }
                }
                for (int32_t j_22 = lane_7 + warp_12*32 + 4096; j_22 < x_d1; j_22 += 256) {
                    const float x_i_15 = x_device[i_2*x_d1 + j_22];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_99 = x_i_15 - mean_2;
                    const float c_i_11 = c_device[i_2*x_d1 + j_22];
                    const float g_i_7 = g_device[j_22];
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_100 = c_i_11 * g_i_7;
                    const float v_101 = v_99 * reciprocal_2;
                    const float v_102 = v_101 * g_i_7;
                    const float b_i_4 = b_device[j_22];
                    const float v_103 = v_102 + b_i_4;
                    const float v_104 = v_100 * reciprocal_2;
                    const float v_105 = v_104 * v_101;
                    const double v_106 = (double)v_105;
                    sum_f64_15 += v_106;
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const double v_107 = (double)v_104;
                    sum_f64_16 += v_107;
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_108 = c_i_11 * v_101;
                    const double v_109 = (double)v_108;
                    const double sum_parts_2_i_4 = sum_parts_2[chunk_5*x_d1 + j_22];
                    const double v_123 = sum_parts_2_i_4 + v_109;
                    out[i_2*x_d1 + j_22] = v_103;
                    sum_parts_2[chunk_5*x_d1 + j_22] = v_123;
                }
            }
            sum_f64_15 = st_warp_add_float64(sum_f64_15);
            sum_f64_16 = st_warp_add_float64(sum_f64_16);
            if (st_lane() == 0) {
                part_8[warp_12] = sum_f64_15;
                part_9[warp_12] = sum_f64_16;
            }
        }
        st_wait_for_block();
        for (int32_t warp_13 = 0; warp_13 < 8; warp_13++) {
            const double part_i_7 = part_8[warp_13];
            sum_f64_13 += part_i_7;
            const double part_i_8 = part_9[warp_13];
            sum_f64_14 += part_i_8;
        }
        const float sum_9 = (float)sum_f64_13;
        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
        const float sum_10 = (float)sum_f64_14;
        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
        const float v_79 = sum_9 * true_div_2;
        /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
        const float v_80 = v_79 * reciprocal_x_d1_f32;
        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
        const float v_81 = mean_2 * v_80;
        const float v_82 = v_81 * 0.0f;
        const float v_83 = v_82 * (-2.0f);
        const float v_84 = s ? 0.0f : v_83;
        const float v_85 = sum_10 + v_84;
        const float v_86 = v_85 * reciprocal_x_d1_f32;
        {
            const int32_t thread_8 = st_thread();
            const bool aligned_6 = st_is_aligned(&out_3[i_2*x_d1]);
            ST_UNROLL
            for (int32_t group_11 = 0; group_11 < 16; group_11 += 4) {
                const int32_t first_13 = group_11*256 + thread_8*4;
                const bool some_11 = first_13 < x_d1;
                if (some_11) {
                    ST_UNROLL
                    for (int32_t k_18 = 0; k_18 < 4; k_18++) {
                        const int32_t j_19 = first_13 + k_18;
                        const float x_i_12 = x_held_2[group_11 + k_18];
                        const float v_87 = x_i_12 - mean_2;
                        const float c_i_9 = c_held_2[group_11 + k_18];
                        const float g_i_6 = g_held_2[group_11 + k_18];
                        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                        const float v_88 = c_i_9 * g_i_6;
                        const float v_89 = v_88 * reciprocal_2;
                        /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                        const float v_90 = v_87 * v_80;
                        const float v_91 = v_90 * (-2.0f);
                        const float v_92 = v_89 + v_91;
                        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                        const float v_93 = v_92 - v_86;
                        out_four_2[k_18] = v_93;
                    }
                    if (aligned_6) {
                        const st_four<float> four_6 = *(const st_four<float> *)&out_four_2[0];
                        st_store_four(&out_3[i_2*x_d1 + first_13], four_6);
                    } else {
                        ST_UNROLL
                        for (int32_t k_19 = 0; k_19 < 4; k_19++) {
                            const float element_6 = out_four_2[k_19];
                            out_3[i_2*x_d1 + first_13 + k_19] = element_6;
                        }
                    }
                }
            }
            for (int32_t j_23 = thread_8 + 4096; j_23 < x_d1; j_23 += 256) {
                const float x_i_16 = x_device[i_2*x_d1 + j_23];
                const float v_110 = x_i_16 - mean_2;
                const float c_i_12 = c_device[i_2*x_d1 + j_23];
                const float g_i_8 = g_device[j_23];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_111 = c_i_12 * g_i_8;
                const float v_112 = v_111 * reciprocal_2;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_113 = v_110 * v_80;
                const float v_114 = v_113 * (-2.0f);
                const float v_115 = v_112 + v_114;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_116 = v_115 - v_86;
                out_3[i_2*x_d1 + j_23] = v_116;
            }
        }
    }
    st_wait_for_block();
    {
        const int32_t thread_10 = st_thread();
        ST_UNROLL
        for (int32_t group_12 = 0; group_12 < 16; group_12 += 4) {
            const int32_t first_14 = group_12*256 + thread_10*4;
            const bool some_12 = first_14 < x_d1;
            if (some_12) {
                ST_UNROLL
                for (int32_t k_21 = 0; k_21 < 4; k_21++) {
                    const int32_t j_24 = first_14 + k_21;
                    const double held_11 = sum_parts_held_3[group_12 + k_21];
                    const double sum_parts_i_5 = sum_parts[chunk_5*x_d1 + j_24];
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const double v_124 = sum_parts_i_5 + held_11;
                    const double held_12 = sum_parts_held_4[group_12 + k_21];
                    const double sum_parts_2_i_5 = sum_parts_2[chunk_5*x_d1 + j_24];
                    const double v_125 = sum_parts_2_i_5 + held_12;
                    sum_parts[chunk_5*x_d1 + j_24] = v_124;
                    sum_parts_2[chunk_5*x_d1 + j_24] = v_125;
                }
            }
        }
    }
}

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL(256) kernel_0_sqrt_reciprocal_true_div_3(double *sum_parts, double *sum_parts_2,
        const float *x_device, const float *c_device, const float *g_device, const float *b_device,
        float *out, float *out_3, int32_t chunks, int32_t rows, int32_t x_d0, int32_t x_d1,
        float reciprocal_x_d1_f32, bool s) {
    double sum_parts_held[16];
    double sum_parts_held_2[16];
    float x_held[16];
    float c_held[16];
    float g_held[16];
    const int32_t chunk = (int32_t)st_block_of_row();
    const int32_t start = chunk*rows;
    const int32_t k = rows + start;
    const int32_t stop = k < x_d0 ? k : x_d0;
    {
        const int32_t thread = st_thread();
        for (int32_t j_7 = thread; j_7 < x_d1; j_7 += 256) {
            sum_parts[chunk*x_d1 + j_7] = 0.0;
            sum_parts_2[chunk*x_d1 + j_7] = 0.0;
        }
    }
    {
        ST_UNROLL
        for (int32_t k_8 = 0; k_8 < 16; k_8++) {
            sum_parts_held[k_8] = 0.0;
            sum_parts_held_2[k_8] = 0.0;
        }
    }
    st_wait_for_block();
    for (int32_t i = start; i < stop; i++) {
        double sum_f64 = 0.0;
        ST_SHARED(double, part, 8);
        st_wait_for_block();
        {
            const int32_t warp = st_warp();
            double sum_f64_5 = 0.0;
            {
                const int32_t lane = st_lane();
                ST_UNROLL
                for (int32_t group = 0; group < 16; group += 4) {
                    const int32_t first_3 = group*256;
                    const bool some = first_3 < x_d1;
                    if (some) {
                        ST_UNROLL
                        for (int32_t k_4 = 0; k_4 < 4; k_4++) {
                            const int32_t j_2 = group*256 + k_4*256 + lane + warp*32;
                            const bool inside = j_2 < x_d1;
                            if (inside) {
                                const float x_i = x_device[i*x_d1 + j_2];
                                x_held[group + k_4] = x_i;
                                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                                const double v = (double)x_i;
                                sum_f64_5 += v;
                                const float c_i = c_device[i*x_d1 + j_2];
                                c_held[group + k_4] = c_i;
                                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                                const double v_2 = (double)c_i;
                                const double sum_parts_held_i = sum_parts_held[group + k_4];
                                const double v_126 = sum_parts_held_i + v_2;
                                sum_parts_held[group + k_4] = v_126;
                            }
                        }
                    }
                }
                for (int32_t j_10 = lane + warp*32 + 4096; j_10 < x_d1; j_10 += 256) {
                    const float x_i_5 = x_device[i*x_d1 + j_10];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const double v_39 = (double)x_i_5;
                    sum_f64_5 += v_39;
                    const float c_i_4 = c_device[i*x_d1 + j_10];
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const double v_40 = (double)c_i_4;
                    const double sum_parts_i_6 = sum_parts[chunk*x_d1 + j_10];
                    const double v_127 = sum_parts_i_6 + v_40;
                    sum_parts[chunk*x_d1 + j_10] = v_127;
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
            sum_f64 += part_i;
        }
        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
        const float sum_3 = (float)sum_f64;
        const float mean = sum_3 * reciprocal_x_d1_f32;
        double sum_f64_2 = 0.0;
        ST_SHARED(double, part_2, 8);
        {
            const int32_t warp_3 = st_warp();
            double sum_f64_6 = 0.0;
            {
                const int32_t lane_2 = st_lane();
                ST_UNROLL
                for (int32_t group_2 = 0; group_2 < 16; group_2 += 4) {
                    const int32_t first_4 = group_2*256;
                    const bool some_2 = first_4 < x_d1;
                    if (some_2) {
                        ST_UNROLL
                        for (int32_t k_5 = 0; k_5 < 4; k_5++) {
                            const int32_t j_3 = group_2*256 + k_5*256 + lane_2 + warp_3*32;
                            const bool inside_2 = j_3 < x_d1;
                            if (inside_2) {
                                const float x_i_2 = x_held[group_2 + k_5];
                                const float v_3 = x_i_2 - mean;
                                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                                const float v_4 = v_3 * v_3;
                                const double v_5 = (double)v_4;
                                sum_f64_6 += v_5;
                            }
                        }
                    }
                }
                for (int32_t j_11 = lane_2 + warp_3*32 + 4096; j_11 < x_d1; j_11 += 256) {
                    const float x_i_6 = x_device[i*x_d1 + j_11];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_41 = x_i_6 - mean;
                    /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                    const float v_42 = v_41 * v_41;
                    const double v_43 = (double)v_42;
                    sum_f64_6 += v_43;
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
            sum_f64_2 += part_i_2;
        }
        const float sum_4 = (float)sum_f64_2;
        const float mean_sqr = sum_4 * reciprocal_x_d1_f32;
        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
        const float v_6 = mean_sqr + 1.0e-05f;
        const float sqrt_ = __builtin_sqrtf(v_6);
        const float reciprocal = 1 / sqrt_;
        const float true_div = 0.5f / sqrt_;
        double sum_f64_3 = 0.0;
        double sum_f64_4 = 0.0;
        ST_SHARED(double, part_3, 8);
        ST_SHARED(double, part_4, 8);
        {
            const int32_t warp_5 = st_warp();
            double sum_f64_7 = 0.0;
            double sum_f64_8 = 0.0;
            {
                const int32_t lane_3 = st_lane();
                ST_UNROLL
                for (int32_t group_3 = 0; group_3 < 16; group_3 += 4) {
                    const int32_t first_5 = group_3*256;
                    const bool some_3 = first_5 < x_d1;
                    if (some_3) {
                        ST_UNROLL
                        for (int32_t k_6 = 0; k_6 < 4; k_6++) {
                            const int32_t j_4 = group_3*256 + k_6*256 + lane_3 + warp_5*32;
                            const bool inside_3 = j_4 < x_d1;
                            if (inside_3) {
                                const float x_i_3 = x_held[group_3 + k_6];
                                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                                const float v_7 = x_i_3 - mean;
                                const float c_i_2 = c_held[group_3 + k_6];
                                const float g_i = g_device[j_4];
                                g_held[group_3 + k_6] = g_i;
                                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                                const float v_8 = c_i_2 * g_i;
                                const float v_9 = v_7 * reciprocal;
                                const float v_10 = v_9 * g_i;
                                const float b_i = b_device[j_4];
                                const float v_11 = v_10 + b_i;
                                const float v_12 = v_8 * reciprocal;
                                const float v_13 = v_12 * v_9;
                                const double v_14 = (double)v_13;
                                sum_f64_7 += v_14;
                                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                                const double v_15 = (double)v_12;
                                sum_f64_8 += v_15;
                                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                                const float v_16 = c_i_2 * v_9;
                                const double v_17 = (double)v_16;
                                const double sum_parts_held_2_i = sum_parts_held_2[group_3 + k_6];
                                const double v_128 = sum_parts_held_2_i + v_17;
                                out[i*x_d1 + j_4] = v_11;
                                sum_parts_held_2[group_3 + k_6] = v_128;
                            }
                        }
                    }
                }
                for (int32_t j_12 = lane_3 + warp_5*32 + 4096; j_12 < x_d1; j_12 += 256) {
                    const float x_i_7 = x_device[i*x_d1 + j_12];
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const float v_44 = x_i_7 - mean;
                    const float c_i_5 = c_device[i*x_d1 + j_12];
                    const float g_i_3 = g_device[j_12];
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_45 = c_i_5 * g_i_3;
                    const float v_46 = v_44 * reciprocal;
                    const float v_47 = v_46 * g_i_3;
                    const float b_i_2 = b_device[j_12];
                    const float v_48 = v_47 + b_i_2;
                    const float v_49 = v_45 * reciprocal;
                    const float v_50 = v_49 * v_46;
                    const double v_51 = (double)v_50;
                    sum_f64_7 += v_51;
                    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                    const double v_52 = (double)v_49;
                    sum_f64_8 += v_52;
                    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                    const float v_53 = c_i_5 * v_46;
                    const double v_54 = (double)v_53;
                    const double sum_parts_2_i_6 = sum_parts_2[chunk*x_d1 + j_12];
                    const double v_129 = sum_parts_2_i_6 + v_54;
                    out[i*x_d1 + j_12] = v_48;
                    sum_parts_2[chunk*x_d1 + j_12] = v_129;
                }
            }
            sum_f64_7 = st_warp_add_float64(sum_f64_7);
            sum_f64_8 = st_warp_add_float64(sum_f64_8);
            if (st_lane() == 0) {
                part_3[warp_5] = sum_f64_7;
                part_4[warp_5] = sum_f64_8;
            }
        }
        st_wait_for_block();
        for (int32_t warp_6 = 0; warp_6 < 8; warp_6++) {
            const double part_i_3 = part_3[warp_6];
            sum_f64_3 += part_i_3;
            const double part_i_4 = part_4[warp_6];
            sum_f64_4 += part_i_4;
        }
        const float sum_5 = (float)sum_f64_3;
        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
        const float sum_6 = (float)sum_f64_4;
        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
        const float v_18 = sum_5 * true_div;
        /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
        const float v_19 = v_18 * reciprocal_x_d1_f32;
        /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
        const float v_20 = mean * v_19;
        const float v_21 = v_20 * 0.0f;
        const float v_22 = v_21 * (-2.0f);
        const float v_23 = s ? 0.0f : v_22;
        const float v_24 = sum_6 + v_23;
        const float v_25 = v_24 * reciprocal_x_d1_f32;
        {
            const int32_t thread_2 = st_thread();
            ST_UNROLL
            for (int32_t group_4 = 0; group_4 < 16; group_4 += 4) {
                const int32_t first_6 = group_4*256;
                const bool some_4 = first_6 < x_d1;
                if (some_4) {
                    ST_UNROLL
                    for (int32_t k_7 = 0; k_7 < 4; k_7++) {
                        const int32_t j_5 = group_4*256 + k_7*256 + thread_2;
                        const bool inside_4 = j_5 < x_d1;
                        if (inside_4) {
                            const float x_i_4 = x_held[group_4 + k_7];
                            const float v_26 = x_i_4 - mean;
                            const float c_i_3 = c_held[group_4 + k_7];
                            const float g_i_2 = g_held[group_4 + k_7];
                            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                            const float v_27 = c_i_3 * g_i_2;
                            const float v_28 = v_27 * reciprocal;
                            /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                            const float v_29 = v_26 * v_19;
                            const float v_30 = v_29 * (-2.0f);
                            const float v_31 = v_28 + v_30;
                            /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                            const float v_32 = v_31 - v_25;
                            out_3[i*x_d1 + j_5] = v_32;
                        }
                    }
                }
            }
            for (int32_t j_13 = thread_2 + 4096; j_13 < x_d1; j_13 += 256) {
                const float x_i_8 = x_device[i*x_d1 + j_13];
                const float v_55 = x_i_8 - mean;
                const float c_i_6 = c_device[i*x_d1 + j_13];
                const float g_i_4 = g_device[j_13];
                /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                const float v_56 = c_i_6 * g_i_4;
                const float v_57 = v_56 * reciprocal;
                /* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
                const float v_58 = v_55 * v_19;
                const float v_59 = v_58 * (-2.0f);
                const float v_60 = v_57 + v_59;
                /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
                const float v_61 = v_60 - v_25;
                out_3[i*x_d1 + j_13] = v_61;
            }
        }
    }
    st_wait_for_block();
    {
        const int32_t thread_6 = st_thread();
        ST_UNROLL
        for (int32_t group_5 = 0; group_5 < 16; group_5 += 4) {
            const int32_t first_7 = group_5*256;
            const bool some_5 = first_7 < x_d1;
            if (some_5) {
                ST_UNROLL
                for (int32_t k_9 = 0; k_9 < 4; k_9++) {
                    const int32_t j_14 = group_5*256 + k_9*256 + thread_6;
                    const bool inside_5 = j_14 < x_d1;
                    if (inside_5) {
                        const double held_9 = sum_parts_held[group_5 + k_9];
                        const double sum_parts_i_7 = sum_parts[chunk*x_d1 + j_14];
                        /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
                        const double v_130 = sum_parts_i_7 + held_9;
                        const double held_10 = sum_parts_held_2[group_5 + k_9];
                        const double sum_parts_2_i_7 = sum_parts_2[chunk*x_d1 + j_14];
                        const double v_131 = sum_parts_2_i_7 + held_10;
                        sum_parts[chunk*x_d1 + j_14] = v_130;
                        sum_parts_2[chunk*x_d1 + j_14] = v_131;
                    }
                }
            }
        }
    }
}

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL(256) kernel_0_sqrt_reciprocal_true_div_4(const double *sum_parts,
        const double *sum_parts_2, double *sum, double *sum_2, float *out_2, float *out_4,
        int32_t x_d1, int32_t chunks) {
    const int32_t first_2 = (int32_t)st_block_of_row()*32;
    const int32_t k_3 = first_2 + 32;
    const int32_t stop_3 = k_3 < x_d1 ? k_3 : x_d1;
    ST_SHARED(double, held_parts, 256);
    ST_SHARED(double, held_parts_2, 256);
    {
        const int32_t warp_7 = st_warp();
        {
            const int32_t lane_4 = st_lane();
            for (int32_t column = first_2 + lane_4; column < stop_3; column += 32) {
                double held_5 = 0.0;
                double held_6 = 0.0;
                for (int32_t chunk_4 = warp_7; chunk_4 < chunks; chunk_4 += 8) {
                    const double sum_parts_i_3 = sum_parts[chunk_4*x_d1 + column];
                    held_5 += sum_parts_i_3;
                    const double sum_parts_2_i_3 = sum_parts_2[chunk_4*x_d1 + column];
                    held_6 += sum_parts_2_i_3;
                }
                held_parts[column + warp_7*32 - first_2] = held_5;
                held_parts_2[column + warp_7*32 - first_2] = held_6;
            }
        }
    }
    st_wait_for_block();
    if (st_thread() < 32) {
        const int32_t thread_4 = st_thread();
        for (int32_t column_2 = first_2 + thread_4; column_2 < stop_3; column_2 += 32) {
            sum[column_2] = 0.0;
            sum_2[column_2] = 0.0;
            double held_7 = 0.0;
            double held_8 = 0.0;
            for (int32_t part_5 = 0; part_5 < 8; part_5++) {
                const double held_parts_i = held_parts[column_2 + part_5*32 - first_2];
                held_7 += held_parts_i;
                const double held_parts_2_i = held_parts_2[column_2 + part_5*32 - first_2];
                held_8 += held_parts_2_i;
            }
            const double sum_2_i = sum_2[column_2];
            const double v_132 = sum_2_i + held_7;
            const double sum_i = sum[column_2];
            const double v_133 = sum_i + held_8;
            sum_2[column_2] = v_132;
            sum[column_2] = v_133;
            const double total_5 = sum[column_2];
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const float v_37 = (float)total_5;
            out_2[column_2] = v_37;
            const double total_6 = sum_2[column_2];
            const float v_38 = (float)total_6;
            out_4[column_2] = v_38;
        }
    }
}

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL(256) kernel_0_sqrt_reciprocal_true_div_5(double *sum, double *sum_2,
        const double *sum_parts, const double *sum_parts_2, float *out_2, float *out_4,
        int32_t x_d1, int32_t chunks) {
    const int32_t first = (int32_t)st_block_of_row()*256;
    const int32_t k_2 = first + 256;
    const int32_t stop_2 = k_2 < x_d1 ? k_2 : x_d1;
    {
        const int32_t thread_3 = st_thread();
        for (int32_t j_9 = first + thread_3; j_9 < stop_2; j_9 += 256) {
            sum[j_9] = 0.0;
            sum_2[j_9] = 0.0;
            double held_3 = 0.0;
            double held_4 = 0.0;
            for (int32_t chunk_3 = 0; chunk_3 < chunks; chunk_3++) {
                const double sum_parts_i_2 = sum_parts[chunk_3*x_d1 + j_9];
                held_3 += sum_parts_i_2;
                const double sum_parts_2_i_2 = sum_parts_2[chunk_3*x_d1 + j_9];
                held_4 += sum_parts_2_i_2;
            }
            const double sum_2_i_2 = sum_2[j_9];
            const double v_134 = sum_2_i_2 + held_3;
            const double sum_i_2 = sum[j_9];
            const double v_135 = sum_i_2 + held_4;
            sum_2[j_9] = v_134;
            sum[j_9] = v_135;
            const double total_3 = sum[j_9];
            /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
            const float v_35 = (float)total_3;
            out_2[j_9] = v_35;
            const double total_4 = sum_2[j_9];
            const float v_36 = (float)total_4;
            out_4[j_9] = v_36;
        }
    }
}

/* The host. */

/* sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1 */
/* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
/* models.py:38: variance = T.sqr(centred).mean(axis=1, keepdims=True) */
/* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
ST_KERNEL int32_t kernel_0_sqrt_reciprocal_true_div(const st_runtime *runtime, st_call *call,
        st_error *error, double *sum_parts, double *sum_parts_2, const float *x_device,
        const float *c_device, const float *g_device, const float *b_device, float *out,
        float *out_3, double *sum, double *sum_2, float *out_2, float *out_4, const int64_t x_d0,
        const int64_t x_d1, const float reciprocal_x_d1_f32, const bool s) {
    int32_t status = ST_OK;
    const int64_t rows = st_chunk_rows(x_d0, x_d1, 8192, 128);
    const int64_t chunks = (rows + x_d0 - 1) / rows;
    const int64_t v_117 = x_d1 & 3LL;
    const bool v_118 = v_117 == 0LL;
    const bool v_119 = 1024LL <= x_d1;
    const bool in_fours = v_118 & v_119;
    if (in_fours) {
        void *st_arguments_1[] = {(void *)&sum_parts, (void *)&sum_parts_2, (void *)&x_device,
                (void *)&c_device, (void *)&g_device, (void *)&b_device, (void *)&out,
                (void *)&out_3, (void *)&chunks, (void *)&rows, (void *)&x_d0, (void *)&x_d1,
                (void *)&reciprocal_x_d1_f32, (void *)&s};
        ST_ASK(launch, 0,
                !st_fits(((st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 1)*st_extent(x_d1) + (st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 5252),
                st_block_count(chunks, 1), 256, st_arguments_1);
    } else {
        void *st_arguments_2[] = {(void *)&sum_parts, (void *)&sum_parts_2, (void *)&x_device,
                (void *)&c_device, (void *)&g_device, (void *)&b_device, (void *)&out,
                (void *)&out_3, (void *)&chunks, (void *)&rows, (void *)&x_d0, (void *)&x_d1,
                (void *)&reciprocal_x_d1_f32, (void *)&s};
        ST_ASK(launch, 1,
                !st_fits(((st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 1)*st_extent(x_d1) + (st_extent(rows) + 1)*st_extent(chunks) + st_extent(rows) + st_extent(x_d0) + 5408),
                st_block_count(chunks, 1), 256, st_arguments_2);
    }
    const bool few_columns = x_d1 <= 32768LL;
    if (few_columns) {
        void *st_arguments_3[] = {(void *)&sum_parts, (void *)&sum_parts_2, (void *)&sum,
                (void *)&sum_2, (void *)&out_2, (void *)&out_4, (void *)&x_d1, (void *)&chunks};
        ST_ASK(launch, 2,
                !st_fits((st_extent(x_d1) + 1)*st_extent(chunks) + st_extent(x_d1)*9 + 288),
                st_block_count(x_d1, 32), 256, st_arguments_3);
    } else {
        void *st_arguments_4[] = {(void *)&sum, (void *)&sum_2, (void *)&sum_parts,
                (void *)&sum_parts_2, (void *)&out_2, (void *)&out_4, (void *)&x_d1,
                (void *)&chunks};
        ST_ASK(launch, 3, !st_fits((st_extent(x_d1) + 1)*st_extent(chunks) + st_extent(x_d1) + 512),
                st_block_count(x_d1, 256), 256, st_arguments_4);
    }
done:
    return status;
}

/* layer_norm_grad
   inputs: float32 x[x_d0*x_d1], float32 g[x_d1], float32 b[x_d1], float32 c[x_d0*x_d1]
   outputs: float32 out[x_d0*x_d1], float32 out_host[x_d0*x_d1], float32 out_3[x_d0*x_d1],
       float32 out_3_host[x_d0*x_d1], float32 out_2[x_d1], float32 out_2_host[x_d1],
       float32 out_4[x_d1], float32 out_4_host[x_d1], float32 b_device[x_d1],
       float32 c_device[x_d0*x_d1], float32 g_device[x_d1], float32 x_device[x_d0*x_d1]
   workspace: x_d1*2064 bytes
   1. out, out_3, out_2, out_4 = kernel_0_sqrt_reciprocal_true_div(x_device, c_device, g_device,
       b_device): sum, mul, sub, sqr, add, sqrt, reciprocal, true_div, switch over x_d0 x x_d1;
       reads (x_d0*8 + 8)*x_d1, writes (x_d0*8 + 8)*x_d1 bytes */
ST_EXPORT int32_t layer_norm_grad(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];
    const float *g = inputs[1].data;
    const int64_t g_d0 = inputs[1].shape[0];
    const float *b = inputs[2].data;
    const int64_t b_d0 = inputs[2].shape[0];
    const float *c = inputs[3].data;
    const int64_t c_d0 = inputs[3].shape[0], c_d1 = inputs[3].shape[1];

    /* models.py:40: cost = (y * c).sum() */
    ST_REQUIRE(x_d0 == c_d0, SHAPE, 0, x_d0, c_d0);
    ST_REQUIRE(x_d1 == c_d1, SHAPE, 1, x_d1, c_d1);
    /* models.py:39: y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b */
    ST_REQUIRE(x_d1 == g_d0, SHAPE, 2, x_d1, g_d0);
    ST_REQUIRE(x_d1 == b_d0, SHAPE, 3, x_d1, b_d0);

    float *out = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 1);
    float *out_3 = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(out_3, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 2);
    float *out_2 = st_device_memory(call, x_d1*4, 4.0*x_d1);
    ST_REQUIRE(out_2, MEMORY, -1, x_d1*4, ST_ON_DEVICE - 3);
    float *out_4 = st_device_memory(call, x_d1*4, 4.0*x_d1);
    ST_REQUIRE(out_4, MEMORY, -1, x_d1*4, ST_ON_DEVICE - 4);

    /* models.py:37: centred = x - x.mean(axis=1, keepdims=True) */
    const float x_d1_f32 = (float)x_d1;
    const float reciprocal_x_d1_f32 = 1 / x_d1_f32;
    const bool s = x_d1 == 0LL;

    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 5);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);

    float *c_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(c_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 6);

    ST_ASK(to_device, c_device, c, x_d0*x_d1*4);

    float *g_device = st_device_memory(call, x_d1*4, 4.0*x_d1);
    ST_REQUIRE(g_device, MEMORY, -1, x_d1*4, ST_ON_DEVICE - 7);

    ST_ASK(to_device, g_device, g, x_d1*4);

    float *b_device = st_device_memory(call, x_d1*4, 4.0*x_d1);
    ST_REQUIRE(b_device, MEMORY, -1, x_d1*4, ST_ON_DEVICE - 8);

    ST_ASK(to_device, b_device, b, x_d1*4);

    const int64_t st_sum_2_at = st_padded(x_d1*8);
    const int64_t st_sum_parts_at = st_sum_2_at + st_padded(x_d1*8);
    const int64_t st_sum_parts_2_at = st_sum_parts_at + st_padded(x_d1*1024);
    const int64_t device_arena_bytes = st_sum_parts_2_at + st_padded(x_d1*1024);
    device_arena = st_device_memory(call, device_arena_bytes, 2064.0*x_d1);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    double *sum = (double *)device_arena;
    double *sum_2 = (double *)(device_arena + st_sum_2_at);
    double *sum_parts = (double *)(device_arena + st_sum_parts_at);
    double *sum_parts_2 = (double *)(device_arena + st_sum_parts_2_at);

    status = kernel_0_sqrt_reciprocal_true_div(runtime, call, error, sum_parts, sum_parts_2,
            x_device, c_device, g_device, b_device, out, out_3, sum, sum_2, out_2, out_4, x_d0,
            x_d1, reciprocal_x_d1_f32, s);
    if (status != ST_OK) goto done;

    float *out_host = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out_host, MEMORY, -1, x_d0*x_d1*4, 0);

    ST_ASK(to_host, out_host, out, x_d0*x_d1*4);

    float *out_3_host = ST_ALLOCATE(1, x_d0, x_d1);
    ST_REQUIRE(out_3_host, MEMORY, -1, x_d0*x_d1*4, 1);

    ST_ASK(to_host, out_3_host, out_3, x_d0*x_d1*4);

    float *out_2_host = ST_ALLOCATE(2, x_d1);
    ST_REQUIRE(out_2_host, MEMORY, -1, x_d1*4, 2);

    ST_ASK(to_host, out_2_host, out_2, x_d1*4);

    float *out_4_host = ST_ALLOCATE(3, x_d1);
    ST_REQUIRE(out_4_host, MEMORY, -1, x_d1*4, 3);

    ST_ASK(to_host, out_4_host, out_4, x_d1*4);
done:
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
