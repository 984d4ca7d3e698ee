/* identity over x_d1 x x_d0 */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_0_identity_2(const float *x_device, float *identity, int32_t x_d1,
        int32_t x_d0) {
    float x_early[4];
    float tile_early[4];
    const unsigned st_blocks_1 = (x_d0 + 31)/32;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t tile = (int32_t)st_outer_0*32;
    const int32_t tile_2 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*32;
    ST_SHARED(float, tile_3, 1056);
    const int32_t k = tile + 32;
    const int32_t stop = k < x_d1 ? k : x_d1;
    const int32_t k_2 = tile_2 + 32;
    const int32_t stop_2 = k_2 < x_d0 ? k_2 : x_d0;
    {
        const int32_t warp = st_warp();
        {
            const int32_t lane = st_lane();
            ST_UNROLL
            for (int32_t k_3 = 0; k_3 < 4; k_3++) {
                const int32_t j_5 = k_3*8 + tile_2 + warp;
                const bool inside = j_5 < stop_2;
                if (inside) {
                    const int32_t i_6 = lane + tile;
                    const bool inside_2 = i_6 < stop;
                    if (inside_2) {
                        const float x_i_5 = x_device[j_5*x_d1 + i_6];
                        x_early[k_3] = x_i_5;
                    }
                }
            }
            ST_UNROLL
            for (int32_t k_4 = 0; k_4 < 4; k_4++) {
                const int32_t j_6 = k_4*8 + tile_2 + warp;
                const bool inside_3 = j_6 < stop_2;
                if (inside_3) {
                    const int32_t i_7 = lane + tile;
                    const bool inside_4 = i_7 < stop;
                    if (inside_4) {
                        const float x_i_6 = x_early[k_4];
                        tile_3[i_7*33 + j_6 - tile*33 - tile_2] = x_i_6;
                    }
                }
            }
        }
    }
    st_wait_for_block();
    {
        const int32_t warp_2 = st_warp();
        {
            const int32_t lane_2 = st_lane();
            ST_UNROLL
            for (int32_t k_5 = 0; k_5 < 4; k_5++) {
                const int32_t i_8 = k_5*8 + tile + warp_2;
                const bool inside_5 = i_8 < stop;
                if (inside_5) {
                    const int32_t j_7 = lane_2 + tile_2;
                    const bool inside_6 = j_7 < stop_2;
                    if (inside_6) {
                        const float x_i_7 = tile_3[i_8*33 + j_7 - tile*33 - tile_2];
                        tile_early[k_5] = x_i_7;
                    }
                }
            }
            ST_UNROLL
            for (int32_t k_6 = 0; k_6 < 4; k_6++) {
                const int32_t i_9 = k_6*8 + tile + warp_2;
                const bool inside_7 = i_9 < stop;
                if (inside_7) {
                    const int32_t j_8 = lane_2 + tile_2;
                    const bool inside_8 = j_8 < stop_2;
                    if (inside_8) {
                        const float x_i_8 = tile_early[k_6];
                        identity[i_9*x_d0 + j_8] = x_i_8;
                    }
                }
            }
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_3(const float *sort, float *sorted, int32_t x_d1, int32_t x_d0) {
    const unsigned st_blocks_1 = (x_d0 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row = (int32_t)st_outer_0;
    const int32_t first_2 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_2 = st_thread();
        const int32_t place = first_2 + thread_2;
        /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
        const bool v = place < x_d0;
        if (v) {
            const float sort_i_8 = sort[row*x_d0 + place];
            int64_t rank = 0;
            for (int32_t k_17 = 0; k_17 < x_d0; k_17++) {
                const float sort_i_9 = sort[row*x_d0 + k_17];
                const bool v_2 = sort_i_8 < sort_i_9;
                const bool v_3 = sort_i_8 == sort_i_8;
                const bool v_4 = sort_i_9 != sort_i_9;
                const bool v_5 = v_3 & v_4;
                const bool v_6 = v_2 | v_5;
                const bool v_7 = !v_6;
                const bool v_8 = k_17 < place;
                const bool v_9 = sort_i_9 < sort_i_8;
                const bool v_10 = sort_i_9 == sort_i_9;
                const bool v_11 = sort_i_8 != sort_i_8;
                const bool v_12 = v_10 & v_11;
                const bool v_13 = v_9 | v_12;
                const bool v_14 = v_8 ? v_7 : v_13;
                const int64_t v_15 = v_14 ? (int64_t)1 : (int64_t)0;
                const int64_t v_16 = rank + v_15;
                rank = v_16;
            }
            const int64_t rank_2 = rank;
            sorted[row*x_d0 + rank_2] = sort_i_8;
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_4(const float *sorted, float *sort, int32_t x_d1, int32_t x_d0) {
    const unsigned st_blocks_1 = (x_d0 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_2 = (int32_t)st_outer_0;
    const int32_t first_3 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_3 = st_thread();
        const int32_t place_2 = first_3 + thread_3;
        /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
        const bool v_17 = place_2 < x_d0;
        if (v_17) {
            const float sorted_i = sorted[row_2*x_d0 + place_2];
            sort[row_2*x_d0 + place_2] = sorted_i;
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_5(float *sort, int32_t x_d1, int32_t x_d0, int32_t k_18) {
    const unsigned st_blocks_1 = (x_d0 + 1023)/1024;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_3 = (int32_t)st_outer_0;
    const int32_t first_4 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*1024;
    ST_SHARED(float, keys, 1024);
    ST_SHARED(int64_t, order, 2048);
    const int32_t k_19 = x_d0 - first_4;
    /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
    const int32_t v_38 = 1024 < k_19 ? 1024 : k_19;
    {
        const int32_t thread_4 = st_thread();
        for (int32_t part = 0; part < 4; part++) {
            const int32_t place_3 = part*256 + thread_4;
            const bool v_39 = place_3 < v_38;
            if (v_39) {
                const float sort_i_10 = sort[row_3*x_d0 + first_4 + place_3];
                keys[place_3] = sort_i_10;
                order[place_3] = place_3;
            }
        }
    }
    for (int32_t step = 0; step < k_18; step++) {
        st_wait_for_block();
        const int32_t v_40 = step & 1;
        {
            const int32_t thread_5 = st_thread();
            for (int32_t part_2 = 0; part_2 < 4; part_2++) {
                const int32_t place_4 = part_2*256 + thread_5;
                const bool v_41 = place_4 < v_38;
                if (v_41) {
                    const int64_t order_i = order[place_4 + v_40*1024];
                    const float keys_i = keys[order_i];
                    const int64_t v_42 = (uint64_t)(int64_t)step < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)step : 0;
                    const int64_t v_43 = (uint64_t)(int64_t)step < sizeof(int64_t) * 8 ? (int64_t)place_4 >> (int64_t)step : -((int64_t)place_4 < 0);
                    const int64_t v_44 = v_43 & 1LL;
                    const bool v_45 = v_44 == 1LL;
                    const int64_t v_46 = (uint64_t)(int64_t)step < sizeof(int64_t) * 8 ? (uint64_t)v_43 << (int64_t)step : 0;
                    const int64_t k_20 = v_46 - v_42;
                    const int64_t k_21 = v_42 + v_46;
                    const int64_t v_47 = v_45 ? k_20 : k_21;
                    const int64_t k_22 = v_38 - v_47;
                    const int64_t v_48 = v_42 < k_22 ? v_42 : k_22;
                    const int64_t v_49 = v_48 > 0LL ? v_48 : 0LL;
                    int64_t low = 0;
                    int64_t high = v_49;
                    for (int32_t halving = 0; halving < step + 1; halving++) {
                        const bool v_50 = low < high;
                        if (v_50) {
                            const int64_t v_51 = low + high;
                            const int64_t v_52 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_51 >> 1LL : -(v_51 < 0);
                            const int64_t order_i_2 = order[v_40*1024 + v_47 + v_52];
                            const float keys_i_2 = keys[order_i_2];
                            const bool v_53 = keys_i < keys_i_2;
                            const bool v_54 = keys_i == keys_i;
                            const bool v_55 = keys_i_2 != keys_i_2;
                            const bool v_56 = v_54 & v_55;
                            const bool v_57 = v_53 | v_56;
                            const bool v_58 = !v_57;
                            const bool v_59 = keys_i_2 < keys_i;
                            const bool v_60 = keys_i_2 == keys_i_2;
                            const bool v_61 = keys_i != keys_i;
                            const bool v_62 = v_60 & v_61;
                            const bool v_63 = v_59 | v_62;
                            const bool v_64 = v_45 ? v_58 : v_63;
                            const int64_t k_23 = v_52 + 1;
                            const int64_t v_65 = v_64 ? k_23 : low;
                            low = v_65;
                            const int64_t v_66 = v_64 ? high : v_52;
                            high = v_66;
                        }
                    }
                    const int64_t rank_3 = low;
                    const int64_t v_67 = v_46 < v_47 ? v_46 : v_47;
                    order[place_4 + rank_3 + v_67 - v_40*1024 - v_46 + 1024] = order_i;
                }
            }
        }
    }
    st_wait_for_block();
    const int32_t v_68 = k_18 & 1;
    {
        const int32_t thread_6 = st_thread();
        for (int32_t part_3 = 0; part_3 < 4; part_3++) {
            const int32_t place_5 = part_3*256 + thread_6;
            const bool v_69 = place_5 < v_38;
            if (v_69) {
                const int64_t order_i_3 = order[place_5 + v_68*1024];
                const float keys_i_3 = keys[order_i_3];
                sort[row_3*x_d0 + first_4 + place_5] = keys_i_3;
            }
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_6(const float *sort, float *sorted, int32_t x_d1, int32_t x_d0,
        int32_t now) {
    const unsigned st_blocks_1 = (x_d0 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_4 = (int32_t)st_outer_0;
    const int32_t first_5 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_7 = st_thread();
        const int32_t place_6 = first_5 + thread_7;
        /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
        const bool v_72 = place_6 < x_d0;
        if (v_72) {
            const float sort_i_11 = sort[row_4*x_d0 + place_6];
            const int64_t v_73 = (uint64_t)(int64_t)now < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)now : 0;
            const int64_t v_74 = (uint64_t)(int64_t)now < sizeof(int64_t) * 8 ? (int64_t)place_6 >> (int64_t)now : -((int64_t)place_6 < 0);
            const int64_t v_75 = v_74 & 1LL;
            const bool v_76 = v_75 == 1LL;
            const int64_t v_77 = (uint64_t)(int64_t)now < sizeof(int64_t) * 8 ? (uint64_t)v_74 << (int64_t)now : 0;
            const int64_t k_24 = v_77 - v_73;
            const int64_t k_25 = v_73 + v_77;
            const int64_t v_78 = v_76 ? k_24 : k_25;
            const int64_t k_26 = x_d0 - v_78;
            const int64_t v_79 = v_73 < k_26 ? v_73 : k_26;
            const int64_t v_80 = v_79 > 0LL ? v_79 : 0LL;
            int64_t low_2 = 0;
            int64_t high_2 = v_80;
            for (int32_t halving_2 = 0; halving_2 < now + 1; halving_2++) {
                const bool v_81 = low_2 < high_2;
                if (v_81) {
                    const int64_t v_82 = low_2 + high_2;
                    const int64_t v_83 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_82 >> 1LL : -(v_82 < 0);
                    const float sort_i_12 = sort[row_4*x_d0 + v_78 + v_83];
                    const bool v_84 = sort_i_11 < sort_i_12;
                    const bool v_85 = sort_i_11 == sort_i_11;
                    const bool v_86 = sort_i_12 != sort_i_12;
                    const bool v_87 = v_85 & v_86;
                    const bool v_88 = v_84 | v_87;
                    const bool v_89 = !v_88;
                    const bool v_90 = sort_i_12 < sort_i_11;
                    const bool v_91 = sort_i_12 == sort_i_12;
                    const bool v_92 = sort_i_11 != sort_i_11;
                    const bool v_93 = v_91 & v_92;
                    const bool v_94 = v_90 | v_93;
                    const bool v_95 = v_76 ? v_89 : v_94;
                    const int64_t k_27 = v_83 + 1;
                    const int64_t v_96 = v_95 ? k_27 : low_2;
                    low_2 = v_96;
                    const int64_t v_97 = v_95 ? high_2 : v_83;
                    high_2 = v_97;
                }
            }
            const int64_t rank_4 = low_2;
            const int64_t v_98 = v_77 < v_78 ? v_77 : v_78;
            sorted[row_4*x_d0 + place_6 + rank_4 + v_98 - v_77] = sort_i_11;
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_7(const float *sorted, float *sort, int32_t x_d1, int32_t x_d0,
        int32_t now) {
    const unsigned st_blocks_1 = (x_d0 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_5 = (int32_t)st_outer_0;
    const int32_t first_6 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_8 = st_thread();
        const int32_t place_7 = first_6 + thread_8;
        /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
        const bool v_99 = place_7 < x_d0;
        if (v_99) {
            const float sorted_i_2 = sorted[row_5*x_d0 + place_7];
            const int32_t k_28 = now + 1;
            const int64_t v_100 = (uint64_t)(int64_t)k_28 < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)k_28 : 0;
            const int32_t k_29 = now + 1;
            const int64_t v_101 = (uint64_t)(int64_t)k_29 < sizeof(int64_t) * 8 ? (int64_t)place_7 >> (int64_t)k_29 : -((int64_t)place_7 < 0);
            const int64_t v_102 = v_101 & 1LL;
            const bool v_103 = v_102 == 1LL;
            const int32_t k_30 = now + 1;
            const int64_t v_104 = (uint64_t)(int64_t)k_30 < sizeof(int64_t) * 8 ? (uint64_t)v_101 << (int64_t)k_30 : 0;
            const int64_t k_31 = v_104 - v_100;
            const int64_t k_32 = v_100 + v_104;
            const int64_t v_105 = v_103 ? k_31 : k_32;
            const int64_t k_33 = x_d0 - v_105;
            const int64_t v_106 = v_100 < k_33 ? v_100 : k_33;
            const int64_t v_107 = v_106 > 0LL ? v_106 : 0LL;
            int64_t low_3 = 0;
            int64_t high_3 = v_107;
            for (int32_t halving_3 = 0; halving_3 < now + 2; halving_3++) {
                const bool v_108 = low_3 < high_3;
                if (v_108) {
                    const int64_t v_109 = low_3 + high_3;
                    const int64_t v_110 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_109 >> 1LL : -(v_109 < 0);
                    const float sorted_i_3 = sorted[row_5*x_d0 + v_105 + v_110];
                    const bool v_111 = sorted_i_2 < sorted_i_3;
                    const bool v_112 = sorted_i_2 == sorted_i_2;
                    const bool v_113 = sorted_i_3 != sorted_i_3;
                    const bool v_114 = v_112 & v_113;
                    const bool v_115 = v_111 | v_114;
                    const bool v_116 = !v_115;
                    const bool v_117 = sorted_i_3 < sorted_i_2;
                    const bool v_118 = sorted_i_3 == sorted_i_3;
                    const bool v_119 = sorted_i_2 != sorted_i_2;
                    const bool v_120 = v_118 & v_119;
                    const bool v_121 = v_117 | v_120;
                    const bool v_122 = v_103 ? v_116 : v_121;
                    const int64_t k_34 = v_110 + 1;
                    const int64_t v_123 = v_122 ? k_34 : low_3;
                    low_3 = v_123;
                    const int64_t v_124 = v_122 ? high_3 : v_110;
                    high_3 = v_124;
                }
            }
            const int64_t rank_5 = low_3;
            const int64_t v_125 = v_104 < v_105 ? v_104 : v_105;
            sort[row_5*x_d0 + place_7 + rank_5 + v_125 - v_104] = sorted_i_2;
        }
    }
}

/* copy x_d0*x_d1 elements */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_copy_2(const float *x_device, float *sort_2, int32_t x_d0, int32_t x_d1) {
    alignas(16) float x_four[4];
    alignas(16) float sort_four[4];
    const int32_t first = (int32_t)st_block_of_row()*1024;
    const int32_t k_7 = first + 1024;
    const int32_t k_8 = x_d0*x_d1;
    const int32_t stop_3 = k_7 < k_8 ? k_7 : k_8;
    const bool aligned = st_is_aligned(&x_device[first]);
    const bool aligned_2 = st_is_aligned(&sort_2[first]);
    const bool vectors = aligned & aligned_2;
    const int32_t k_9 = stop_3 - first;
    const int32_t whole = k_9 & (-4);
    const int32_t in_vectors = vectors ? whole : 0;
    const int32_t rest = first + in_vectors;
    {
        const int32_t thread = st_thread();
        const int32_t i_10 = first + thread*4;
        const bool some = i_10 < rest;
        if (some) {
            const st_four<float> four = st_load_four(&x_device[i_10]);
            *(st_four<float> *)&x_four[0] = four;
            ST_UNROLL
            for (int32_t k_10 = 0; k_10 < 4; k_10++) {
                const float x_i_9 = x_four[k_10];
                sort_four[k_10] = x_i_9;
            }
            const st_four<float> four_2 = *(const st_four<float> *)&sort_four[0];
            st_store_four(&sort_2[i_10], four_2);
        }
        for (int32_t i_3 = rest + thread; i_3 < stop_3; i_3 += 256) {
            const float x_i_2 = x_device[i_3];
            sort_2[i_3] = x_i_2;
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_2_2(const float *sort_2, float *sorted_2, int32_t x_d0, int32_t x_d1) {
    const unsigned st_blocks_1 = (x_d0*x_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_6 = (int32_t)st_outer_0;
    const int32_t first_7 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_9 = st_thread();
        const int32_t place_8 = first_7 + thread_9;
        const int32_t k_37 = x_d0*x_d1;
        /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
        const bool v_126 = place_8 < k_37;
        if (v_126) {
            const float sort_2_i_2 = sort_2[row_6*x_d0*x_d1 + place_8];
            int64_t rank_6 = 0;
            for (int32_t k_38 = 0; k_38 < x_d0*x_d1; k_38++) {
                const float sort_2_i_3 = sort_2[row_6*x_d0*x_d1 + k_38];
                const bool v_127 = sort_2_i_2 < sort_2_i_3;
                const bool v_128 = sort_2_i_2 == sort_2_i_2;
                const bool v_129 = sort_2_i_3 != sort_2_i_3;
                const bool v_130 = v_128 & v_129;
                const bool v_131 = v_127 | v_130;
                const bool v_132 = !v_131;
                const bool v_133 = k_38 < place_8;
                const bool v_134 = sort_2_i_3 < sort_2_i_2;
                const bool v_135 = sort_2_i_3 == sort_2_i_3;
                const bool v_136 = sort_2_i_2 != sort_2_i_2;
                const bool v_137 = v_135 & v_136;
                const bool v_138 = v_134 | v_137;
                const bool v_139 = v_133 ? v_132 : v_138;
                const int64_t v_140 = v_139 ? (int64_t)1 : (int64_t)0;
                const int64_t v_141 = rank_6 + v_140;
                rank_6 = v_141;
            }
            const int64_t rank_7 = rank_6;
            sorted_2[row_6*x_d0*x_d1 + rank_7] = sort_2_i_2;
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_2_3(const float *sorted_2, float *sort_2, int32_t x_d0, int32_t x_d1) {
    const unsigned st_blocks_1 = (x_d0*x_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_7 = (int32_t)st_outer_0;
    const int32_t first_8 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_10 = st_thread();
        const int32_t place_9 = first_8 + thread_10;
        const int32_t k_39 = x_d0*x_d1;
        /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
        const bool v_142 = place_9 < k_39;
        if (v_142) {
            const float sorted_2_i = sorted_2[row_7*x_d0*x_d1 + place_9];
            sort_2[row_7*x_d0*x_d1 + place_9] = sorted_2_i;
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_2_4(float *sort_2, int32_t x_d0, int32_t x_d1, int32_t k_50) {
    const unsigned st_blocks_1 = (x_d0*x_d1 + 1023)/1024;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_8 = (int32_t)st_outer_0;
    const int32_t first_9 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*1024;
    ST_SHARED(float, keys_2, 1024);
    ST_SHARED(int64_t, order_2, 2048);
    const int32_t k_51 = x_d0*x_d1 - first_9;
    /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
    const int32_t v_163 = 1024 < k_51 ? 1024 : k_51;
    {
        const int32_t thread_11 = st_thread();
        for (int32_t part_4 = 0; part_4 < 4; part_4++) {
            const int32_t place_10 = part_4*256 + thread_11;
            const bool v_164 = place_10 < v_163;
            if (v_164) {
                const float sort_2_i_4 = sort_2[row_8*x_d0*x_d1 + first_9 + place_10];
                keys_2[place_10] = sort_2_i_4;
                order_2[place_10] = place_10;
            }
        }
    }
    for (int32_t step_3 = 0; step_3 < k_50; step_3++) {
        st_wait_for_block();
        const int32_t v_165 = step_3 & 1;
        {
            const int32_t thread_12 = st_thread();
            for (int32_t part_5 = 0; part_5 < 4; part_5++) {
                const int32_t place_11 = part_5*256 + thread_12;
                const bool v_166 = place_11 < v_163;
                if (v_166) {
                    const int64_t order_2_i = order_2[place_11 + v_165*1024];
                    const float keys_2_i = keys_2[order_2_i];
                    const int64_t v_167 = (uint64_t)(int64_t)step_3 < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)step_3 : 0;
                    const int64_t v_168 = (uint64_t)(int64_t)step_3 < sizeof(int64_t) * 8 ? (int64_t)place_11 >> (int64_t)step_3 : -((int64_t)place_11 < 0);
                    const int64_t v_169 = v_168 & 1LL;
                    const bool v_170 = v_169 == 1LL;
                    const int64_t v_171 = (uint64_t)(int64_t)step_3 < sizeof(int64_t) * 8 ? (uint64_t)v_168 << (int64_t)step_3 : 0;
                    const int64_t k_52 = v_171 - v_167;
                    const int64_t k_53 = v_167 + v_171;
                    const int64_t v_172 = v_170 ? k_52 : k_53;
                    const int64_t k_54 = v_163 - v_172;
                    const int64_t v_173 = v_167 < k_54 ? v_167 : k_54;
                    const int64_t v_174 = v_173 > 0LL ? v_173 : 0LL;
                    int64_t low_4 = 0;
                    int64_t high_4 = v_174;
                    for (int32_t halving_4 = 0; halving_4 < step_3 + 1; halving_4++) {
                        const bool v_175 = low_4 < high_4;
                        if (v_175) {
                            const int64_t v_176 = low_4 + high_4;
                            const int64_t v_177 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_176 >> 1LL : -(v_176 < 0);
                            const int64_t order_2_i_2 = order_2[v_165*1024 + v_172 + v_177];
                            const float keys_2_i_2 = keys_2[order_2_i_2];
                            const bool v_178 = keys_2_i < keys_2_i_2;
                            const bool v_179 = keys_2_i == keys_2_i;
                            const bool v_180 = keys_2_i_2 != keys_2_i_2;
                            const bool v_181 = v_179 & v_180;
                            const bool v_182 = v_178 | v_181;
                            const bool v_183 = !v_182;
                            const bool v_184 = keys_2_i_2 < keys_2_i;
                            const bool v_185 = keys_2_i_2 == keys_2_i_2;
                            const bool v_186 = keys_2_i != keys_2_i;
                            const bool v_187 = v_185 & v_186;
                            const bool v_188 = v_184 | v_187;
                            const bool v_189 = v_170 ? v_183 : v_188;
                            const int64_t k_55 = v_177 + 1;
                            const int64_t v_190 = v_189 ? k_55 : low_4;
                            low_4 = v_190;
                            const int64_t v_191 = v_189 ? high_4 : v_177;
                            high_4 = v_191;
                        }
                    }
                    const int64_t rank_8 = low_4;
                    const int64_t v_192 = v_171 < v_172 ? v_171 : v_172;
                    order_2[place_11 + rank_8 + v_192 - v_165*1024 - v_171 + 1024] = order_2_i;
                }
            }
        }
    }
    st_wait_for_block();
    const int32_t v_193 = k_50 & 1;
    {
        const int32_t thread_13 = st_thread();
        for (int32_t part_6 = 0; part_6 < 4; part_6++) {
            const int32_t place_12 = part_6*256 + thread_13;
            const bool v_194 = place_12 < v_163;
            if (v_194) {
                const int64_t order_2_i_3 = order_2[place_12 + v_193*1024];
                const float keys_2_i_3 = keys_2[order_2_i_3];
                sort_2[row_8*x_d0*x_d1 + first_9 + place_12] = keys_2_i_3;
            }
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_2_5(const float *sort_2, float *sorted_2, int32_t x_d0, int32_t x_d1,
        int32_t now_2) {
    const unsigned st_blocks_1 = (x_d0*x_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_9 = (int32_t)st_outer_0;
    const int32_t first_10 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_14 = st_thread();
        const int32_t place_13 = first_10 + thread_14;
        const int32_t k_57 = x_d0*x_d1;
        /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
        const bool v_197 = place_13 < k_57;
        if (v_197) {
            const float sort_2_i_5 = sort_2[row_9*x_d0*x_d1 + place_13];
            const int64_t v_198 = (uint64_t)(int64_t)now_2 < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)now_2 : 0;
            const int64_t v_199 = (uint64_t)(int64_t)now_2 < sizeof(int64_t) * 8 ? (int64_t)place_13 >> (int64_t)now_2 : -((int64_t)place_13 < 0);
            const int64_t v_200 = v_199 & 1LL;
            const bool v_201 = v_200 == 1LL;
            const int64_t v_202 = (uint64_t)(int64_t)now_2 < sizeof(int64_t) * 8 ? (uint64_t)v_199 << (int64_t)now_2 : 0;
            const int64_t k_58 = v_202 - v_198;
            const int64_t k_59 = v_198 + v_202;
            const int64_t v_203 = v_201 ? k_58 : k_59;
            const int64_t k_60 = x_d0*x_d1 - v_203;
            const int64_t v_204 = v_198 < k_60 ? v_198 : k_60;
            const int64_t v_205 = v_204 > 0LL ? v_204 : 0LL;
            int64_t low_5 = 0;
            int64_t high_5 = v_205;
            for (int32_t halving_5 = 0; halving_5 < now_2 + 1; halving_5++) {
                const bool v_206 = low_5 < high_5;
                if (v_206) {
                    const int64_t v_207 = low_5 + high_5;
                    const int64_t v_208 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_207 >> 1LL : -(v_207 < 0);
                    const float sort_2_i_6 = sort_2[row_9*x_d0*x_d1 + v_203 + v_208];
                    const bool v_209 = sort_2_i_5 < sort_2_i_6;
                    const bool v_210 = sort_2_i_5 == sort_2_i_5;
                    const bool v_211 = sort_2_i_6 != sort_2_i_6;
                    const bool v_212 = v_210 & v_211;
                    const bool v_213 = v_209 | v_212;
                    const bool v_214 = !v_213;
                    const bool v_215 = sort_2_i_6 < sort_2_i_5;
                    const bool v_216 = sort_2_i_6 == sort_2_i_6;
                    const bool v_217 = sort_2_i_5 != sort_2_i_5;
                    const bool v_218 = v_216 & v_217;
                    const bool v_219 = v_215 | v_218;
                    const bool v_220 = v_201 ? v_214 : v_219;
                    const int64_t k_61 = v_208 + 1;
                    const int64_t v_221 = v_220 ? k_61 : low_5;
                    low_5 = v_221;
                    const int64_t v_222 = v_220 ? high_5 : v_208;
                    high_5 = v_222;
                }
            }
            const int64_t rank_9 = low_5;
            const int64_t v_223 = v_202 < v_203 ? v_202 : v_203;
            sorted_2[row_9*x_d0*x_d1 + place_13 + rank_9 + v_223 - v_202] = sort_2_i_5;
        }
    }
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL(256) kernel_sort_2_6(const float *sorted_2, float *sort_2, int32_t x_d0, int32_t x_d1,
        int32_t now_2) {
    const unsigned st_blocks_1 = (x_d0*x_d1 + 255)/256;
    const unsigned st_outer_0 = st_block_of_row() / (st_blocks_1);
    const int32_t row_10 = (int32_t)st_outer_0;
    const int32_t first_11 = (int32_t)(st_block_of_row() - st_outer_0*(st_blocks_1))*256;
    {
        const int32_t thread_15 = st_thread();
        const int32_t place_14 = first_11 + thread_15;
        const int32_t k_62 = x_d0*x_d1;
        /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
        const bool v_224 = place_14 < k_62;
        if (v_224) {
            const float sorted_2_i_2 = sorted_2[row_10*x_d0*x_d1 + place_14];
            const int32_t k_63 = now_2 + 1;
            const int64_t v_225 = (uint64_t)(int64_t)k_63 < sizeof(int64_t) * 8 ? (uint64_t)1LL << (int64_t)k_63 : 0;
            const int32_t k_64 = now_2 + 1;
            const int64_t v_226 = (uint64_t)(int64_t)k_64 < sizeof(int64_t) * 8 ? (int64_t)place_14 >> (int64_t)k_64 : -((int64_t)place_14 < 0);
            const int64_t v_227 = v_226 & 1LL;
            const bool v_228 = v_227 == 1LL;
            const int32_t k_65 = now_2 + 1;
            const int64_t v_229 = (uint64_t)(int64_t)k_65 < sizeof(int64_t) * 8 ? (uint64_t)v_226 << (int64_t)k_65 : 0;
            const int64_t k_66 = v_229 - v_225;
            const int64_t k_67 = v_225 + v_229;
            const int64_t v_230 = v_228 ? k_66 : k_67;
            const int64_t k_68 = x_d0*x_d1 - v_230;
            const int64_t v_231 = v_225 < k_68 ? v_225 : k_68;
            const int64_t v_232 = v_231 > 0LL ? v_231 : 0LL;
            int64_t low_6 = 0;
            int64_t high_6 = v_232;
            for (int32_t halving_6 = 0; halving_6 < now_2 + 2; halving_6++) {
                const bool v_233 = low_6 < high_6;
                if (v_233) {
                    const int64_t v_234 = low_6 + high_6;
                    const int64_t v_235 = (uint64_t)1LL < sizeof(int64_t) * 8 ? v_234 >> 1LL : -(v_234 < 0);
                    const float sorted_2_i_3 = sorted_2[row_10*x_d0*x_d1 + v_230 + v_235];
                    const bool v_236 = sorted_2_i_2 < sorted_2_i_3;
                    const bool v_237 = sorted_2_i_2 == sorted_2_i_2;
                    const bool v_238 = sorted_2_i_3 != sorted_2_i_3;
                    const bool v_239 = v_237 & v_238;
                    const bool v_240 = v_236 | v_239;
                    const bool v_241 = !v_240;
                    const bool v_242 = sorted_2_i_3 < sorted_2_i_2;
                    const bool v_243 = sorted_2_i_3 == sorted_2_i_3;
                    const bool v_244 = sorted_2_i_2 != sorted_2_i_2;
                    const bool v_245 = v_243 & v_244;
                    const bool v_246 = v_242 | v_245;
                    const bool v_247 = v_228 ? v_241 : v_246;
                    const int64_t k_69 = v_235 + 1;
                    const int64_t v_248 = v_247 ? k_69 : low_6;
                    low_6 = v_248;
                    const int64_t v_249 = v_247 ? high_6 : v_235;
                    high_6 = v_249;
                }
            }
            const int64_t rank_10 = low_6;
            const int64_t v_250 = v_229 < v_230 ? v_229 : v_230;
            sort_2[row_10*x_d0*x_d1 + place_14 + rank_10 + v_250 - v_229] = sorted_2_i_2;
        }
    }
}

ST_KERNEL(1) sorted_columns_2(const float *sort_2, float *out_2, int32_t n) {
    const int32_t one = (int32_t)st_block_of_row();
    {
        const float sort_2_i_7 = sort_2[n];
        out_2[0] = sort_2_i_7;
    }
}

/* The host. */

/* identity over x_d1 x x_d0 */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL int32_t kernel_0_identity(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, float *identity, const int64_t x_d1, const int64_t x_d0) {
    int32_t status = ST_OK;
    void *st_arguments_1[] = {(void *)&x_device, (void *)&identity, (void *)&x_d1, (void *)&x_d0};
    ST_ASK(launch, 0, !st_fits((st_extent(x_d1) + 41)*st_extent(x_d0) + st_extent(x_d1)*66 + 1352),
            st_block_count(x_d1, 32) * st_block_count(x_d0, 32), 256, st_arguments_1);
done:
    return status;
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL int32_t kernel_sort(const st_runtime *runtime, st_call *call, st_error *error,
        float *sort, float *sorted, const int64_t x_d0, const int64_t x_d1) {
    int32_t status = ST_OK;
    const bool short_rows = x_d0 <= 64LL;
    if (short_rows) {
        void *st_arguments_2[] = {(void *)&sort, (void *)&sorted, (void *)&x_d1, (void *)&x_d0};
        ST_ASK(launch, 1, !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1) + 257),
                st_block_count(x_d1, 1) * st_block_count(x_d0, 256), 256, st_arguments_2);
        void *st_arguments_3[] = {(void *)&sorted, (void *)&sort, (void *)&x_d1, (void *)&x_d0};
        ST_ASK(launch, 2, !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(x_d1) + 257),
                st_block_count(x_d1, 1) * st_block_count(x_d0, 256), 256, st_arguments_3);
    } else {
        const bool v_18 = 1LL < x_d0;
        const int64_t v_19 = v_18 ? (int64_t)1 : (int64_t)0;
        const bool v_20 = 2LL < x_d0;
        const int64_t v_21 = v_20 ? (int64_t)1 : (int64_t)0;
        const bool v_22 = 4LL < x_d0;
        const int64_t v_23 = v_22 ? (int64_t)1 : (int64_t)0;
        const bool v_24 = 8LL < x_d0;
        const int64_t v_25 = v_24 ? (int64_t)1 : (int64_t)0;
        const bool v_26 = 16LL < x_d0;
        const int64_t v_27 = v_26 ? (int64_t)1 : (int64_t)0;
        const bool v_28 = 32LL < x_d0;
        const int64_t v_29 = v_28 ? (int64_t)1 : (int64_t)0;
        const bool v_30 = 64LL < x_d0;
        const int64_t v_31 = v_30 ? (int64_t)1 : (int64_t)0;
        const bool v_32 = 128LL < x_d0;
        const int64_t v_33 = v_32 ? (int64_t)1 : (int64_t)0;
        const bool v_34 = 256LL < x_d0;
        const int64_t v_35 = v_34 ? (int64_t)1 : (int64_t)0;
        const bool v_36 = 512LL < x_d0;
        const int64_t v_37 = v_36 ? (int64_t)1 : (int64_t)0;
        const int64_t k_18 = v_19 + v_21 + v_23 + v_25 + v_27 + v_29 + v_31 + v_33 + v_35 + v_37;
        void *st_arguments_4[] = {(void *)&sort, (void *)&x_d1, (void *)&x_d0, (void *)&k_18};
        ST_ASK(launch, 3,
                !st_fits((st_extent(x_d1) + 2)*st_extent(x_d0) + st_extent(k_18)*1024 + st_extent(x_d1) + 3331),
                st_block_count(x_d1, 1) * st_block_count(x_d0, 1024), 256, st_arguments_4);
        int64_t step_2 = 10;
        for (;;) {
            const int64_t v_70 = (uint64_t)step_2 < sizeof(int64_t) * 8 ? (uint64_t)1LL << step_2 : 0;
            const bool v_71 = v_70 < x_d0;
            if (!v_71) break;
            const int64_t now = step_2;
            void *st_arguments_5[] = {(void *)&sort, (void *)&sorted, (void *)&x_d1, (void *)&x_d0,
                    (void *)&now};
            ST_ASK(launch, 4,
                    !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(now) + st_extent(x_d1) + 259),
                    st_block_count(x_d1, 1) * st_block_count(x_d0, 256), 256, st_arguments_5);
            void *st_arguments_6[] = {(void *)&sorted, (void *)&sort, (void *)&x_d1, (void *)&x_d0,
                    (void *)&now};
            ST_ASK(launch, 5,
                    !st_fits((st_extent(x_d1) + 1)*st_extent(x_d0) + st_extent(now) + st_extent(x_d1) + 259),
                    st_block_count(x_d1, 1) * st_block_count(x_d0, 256), 256, st_arguments_6);
            const int64_t k_35 = now + 2;
            step_2 = k_35;
        }
    }
done:
    return status;
}

/* copy x_d0*x_d1 elements */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL int32_t kernel_copy(const st_runtime *runtime, st_call *call, st_error *error,
        const float *x_device, float *sort_2, const int64_t x_d0, const int64_t x_d1) {
    int32_t status = ST_OK;
    void *st_arguments_7[] = {(void *)&x_device, (void *)&sort_2, (void *)&x_d0, (void *)&x_d1};
    ST_ASK(launch, 6, !st_fits((st_extent(x_d1)*3 + 1)*st_extent(x_d0) + st_extent(x_d1) + 1540),
            st_block_count(x_d0*x_d1, 1024), 256, st_arguments_7);
done:
    return status;
}

/* sort */
/* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
ST_KERNEL int32_t kernel_sort_2(const st_runtime *runtime, st_call *call, st_error *error,
        float *sort_2, float *sorted_2, const int64_t x_d0, const int64_t x_d1) {
    int32_t status = ST_OK;
    const int64_t k_36 = x_d0*x_d1;
    const bool short_rows_2 = k_36 <= 64LL;
    if (short_rows_2) {
        void *st_arguments_8[] = {(void *)&sort_2, (void *)&sorted_2, (void *)&x_d0, (void *)&x_d1};
        ST_ASK(launch, 7, !st_fits((st_extent(x_d1)*2 + 1)*st_extent(x_d0) + st_extent(x_d1) + 257),
                st_block_count(1, 1) * st_block_count(x_d0*x_d1, 256), 256, st_arguments_8);
        void *st_arguments_9[] = {(void *)&sorted_2, (void *)&sort_2, (void *)&x_d0, (void *)&x_d1};
        ST_ASK(launch, 8, !st_fits((st_extent(x_d1)*2 + 1)*st_extent(x_d0) + st_extent(x_d1) + 257),
                st_block_count(1, 1) * st_block_count(x_d0*x_d1, 256), 256, st_arguments_9);
    } else {
        const int64_t k_40 = x_d0*x_d1;
        const bool v_143 = 1LL < k_40;
        const int64_t v_144 = v_143 ? (int64_t)1 : (int64_t)0;
        const int64_t k_41 = x_d0*x_d1;
        const bool v_145 = 2LL < k_41;
        const int64_t v_146 = v_145 ? (int64_t)1 : (int64_t)0;
        const int64_t k_42 = x_d0*x_d1;
        const bool v_147 = 4LL < k_42;
        const int64_t v_148 = v_147 ? (int64_t)1 : (int64_t)0;
        const int64_t k_43 = x_d0*x_d1;
        const bool v_149 = 8LL < k_43;
        const int64_t v_150 = v_149 ? (int64_t)1 : (int64_t)0;
        const int64_t k_44 = x_d0*x_d1;
        const bool v_151 = 16LL < k_44;
        const int64_t v_152 = v_151 ? (int64_t)1 : (int64_t)0;
        const int64_t k_45 = x_d0*x_d1;
        const bool v_153 = 32LL < k_45;
        const int64_t v_154 = v_153 ? (int64_t)1 : (int64_t)0;
        const int64_t k_46 = x_d0*x_d1;
        const bool v_155 = 64LL < k_46;
        const int64_t v_156 = v_155 ? (int64_t)1 : (int64_t)0;
        const int64_t k_47 = x_d0*x_d1;
        const bool v_157 = 128LL < k_47;
        const int64_t v_158 = v_157 ? (int64_t)1 : (int64_t)0;
        const int64_t k_48 = x_d0*x_d1;
        const bool v_159 = 256LL < k_48;
        const int64_t v_160 = v_159 ? (int64_t)1 : (int64_t)0;
        const int64_t k_49 = x_d0*x_d1;
        const bool v_161 = 512LL < k_49;
        const int64_t v_162 = v_161 ? (int64_t)1 : (int64_t)0;
        const int64_t k_50 = v_144 + v_146 + v_148 + v_150 + v_152 + v_154 + v_156 + v_158 + v_160 + v_162;
        void *st_arguments_10[] = {(void *)&sort_2, (void *)&x_d0, (void *)&x_d1, (void *)&k_50};
        ST_ASK(launch, 9,
                !st_fits((st_extent(x_d1)*2 + 1)*st_extent(x_d0) + st_extent(k_50)*1024 + st_extent(x_d1) + 3331),
                st_block_count(1, 1) * st_block_count(x_d0*x_d1, 1024), 256, st_arguments_10);
        int64_t step_4 = 10;
        for (;;) {
            const int64_t v_195 = (uint64_t)step_4 < sizeof(int64_t) * 8 ? (uint64_t)1LL << step_4 : 0;
            const int64_t k_56 = x_d0*x_d1;
            const bool v_196 = v_195 < k_56;
            if (!v_196) break;
            const int64_t now_2 = step_4;
            void *st_arguments_11[] = {(void *)&sort_2, (void *)&sorted_2, (void *)&x_d0,
                    (void *)&x_d1, (void *)&now_2};
            ST_ASK(launch, 10,
                    !st_fits((st_extent(x_d1)*2 + 1)*st_extent(x_d0) + st_extent(now_2) + st_extent(x_d1) + 259),
                    st_block_count(1, 1) * st_block_count(x_d0*x_d1, 256), 256, st_arguments_11);
            void *st_arguments_12[] = {(void *)&sorted_2, (void *)&sort_2, (void *)&x_d0,
                    (void *)&x_d1, (void *)&now_2};
            ST_ASK(launch, 11,
                    !st_fits((st_extent(x_d1)*2 + 1)*st_extent(x_d0) + st_extent(now_2) + st_extent(x_d1) + 259),
                    st_block_count(1, 1) * st_block_count(x_d0*x_d1, 256), 256, st_arguments_12);
            const int64_t k_70 = now_2 + 2;
            step_4 = k_70;
        }
    }
done:
    return status;
}

/* sorted_columns
   inputs: float32 x[x_d0*x_d1]
   outputs: float32 out[x_d0*x_d1], float32 out_host[x_d0*x_d1], float32 out_2[1],
       float32 out_2_host[1], float32 x_device[x_d0*x_d1]
   workspace: x_d0*x_d1*12 + workspace_bytes bytes
   1. identity = kernel_0_identity(x_device): identity over x_d1 x x_d0; reads x_d0*x_d1*4,
       writes x_d0*x_d1*4 bytes
   2. kernel_sort(): sort
   3. sort_2 = kernel_copy(x_device): copy x_d0*x_d1 elements; reads x_d0*x_d1*4, writes
       x_d0*x_d1*4 bytes
   4. sort_2 = kernel_sort_2(sort_2): sort; reads x_d0*x_d1*4, writes x_d0*x_d1*4 bytes
   5. out = kernel_0_identity(sort): identity over x_d1 x x_d0; reads x_d0*x_d1*4, writes
       x_d0*x_d1*4 bytes */
ST_EXPORT int32_t sorted_columns(const st_runtime *runtime, const st_array *inputs,
        st_array *outputs, st_error *error) {
    int32_t status = ST_OK;
    st_call *const call = st_begin(runtime);
    if (!call) return ST_ERROR_DEVICE;
    char *arena = NULL;
    char *device_arena = NULL;
    const float *x = inputs[0].data;
    const int64_t x_d0 = inputs[0].shape[0], x_d1 = inputs[0].shape[1];

    /* models.py:95: [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns" */
    const int64_t s = x_d0 * x_d1;
    const int64_t n = st_int_div_i64(s, 2LL);
    ST_REQUIRE((n >= (-s)) & (n < s), INDEX, 0, n, s);
    const int64_t sort_bytes = 0;
    const int64_t sort_bytes_2 = 0;
    const int64_t workspace_bytes = sort_bytes > sort_bytes_2 ? sort_bytes : sort_bytes_2;

    float *out = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(out, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 1);
    float *out_2 = st_device_memory(call, 4, 4.0);
    ST_REQUIRE(out_2, MEMORY, -1, 4, ST_ON_DEVICE - 2);
    float *x_device = st_device_memory(call, x_d0*x_d1*4, 4.0*x_d0*x_d1);
    ST_REQUIRE(x_device, MEMORY, -1, x_d0*x_d1*4, ST_ON_DEVICE - 3);

    ST_ASK(to_device, x_device, x, x_d0*x_d1*4);

    const int64_t arena_bytes = st_padded(workspace_bytes);
    arena = st_arena_open(runtime, arena_bytes, 1.0*workspace_bytes);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *workspace = (int8_t *)arena;
    int8_t *workspace_2 = (int8_t *)arena;

    const int64_t st_sort_2_at = st_padded(x_d0*x_d1*4);
    const int64_t st_sorted_at = st_sort_2_at + st_padded(x_d0*x_d1*4);
    const int64_t device_arena_bytes = st_sorted_at + st_padded(x_d0*x_d1*4);
    device_arena = st_device_memory(call, device_arena_bytes, 12.0*x_d0*x_d1);
    ST_REQUIRE(device_arena, MEMORY, -1, device_arena_bytes, ST_ON_DEVICE);
    float *identity = (float *)device_arena;
    float *sort = (float *)device_arena;
    float *sort_2 = (float *)(device_arena + st_sort_2_at);
    float *sorted = (float *)(device_arena + st_sorted_at);
    float *sorted_2 = (float *)(device_arena + st_sorted_at);

    status = kernel_0_identity(runtime, call, error, x_device, identity, x_d1, x_d0);
    if (status != ST_OK) goto done;
    status = kernel_sort(runtime, call, error, sort, sorted, x_d0, x_d1);
    if (status != ST_OK) goto done;
    status = kernel_copy(runtime, call, error, x_device, sort_2, x_d0, x_d1);
    if (status != ST_OK) goto done;
    status = kernel_sort_2(runtime, call, error, sort_2, sorted_2, x_d0, x_d1);
    if (status != ST_OK) goto done;
    status = kernel_0_identity(runtime, call, error, sort, out, x_d0, x_d1);
    if (status != ST_OK) goto done;
    void *st_arguments_13[] = {(void *)&sort_2, (void *)&out_2, (void *)&n};
    ST_ASK(launch, 12, !st_fits(st_extent(n) + 2), st_block_count(1, 1), 1, st_arguments_13);

    float *out_host = ST_ALLOCATE(0, x_d0, x_d1);
    ST_REQUIRE(out_host, MEMORY, -1, x_d0*x_d1*4, 0);

    ST_ASK(to_host, out_host, out, x_d0*x_d1*4);

    float *out_2_host = ST_ALLOCATE(1, 1);
    ST_REQUIRE(out_2_host, MEMORY, -1, 4, 1);

    ST_ASK(to_host, out_2_host, out_2, 4);
done:
    st_arena_close(runtime, arena);
    if (call->driver->end(call) != 0 && status == ST_OK)
        status = ST_ERROR_DEVICE;
    return status;
}
