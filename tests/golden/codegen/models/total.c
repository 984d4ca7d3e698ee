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
    _Alignas(64) double sum_f64_lanes_2[8];
    _Alignas(64) double sum_f64_lanes_3[8];
    _Alignas(64) double sum_f64_lanes_4[8];
    for (int64_t chunk = begin_2; chunk < end; chunk++) {
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
        int64_t begin = start;
        const bool is_long = part >= 128LL;
        if (is_long) {
            const int64_t i_whole = part & (-64LL);
            #pragma omp simd
            for (int64_t i_lane = 0; i_lane < 8; i_lane++) {
                sum_f64_lanes[i_lane] = 0.0;
                sum_f64_lanes_2[i_lane] = 0.0;
                sum_f64_lanes_3[i_lane] = 0.0;
                sum_f64_lanes_4[i_lane] = 0.0;
            }
            for (int64_t i_3 = start; i_3 < i_whole + start; i_3 += 64) {
                #pragma omp simd
                for (int64_t i_lane_2 = 0; i_lane_2 < 8; i_lane_2++) {
                    const float x_i_6 = x[i_3 + i_lane_2];
                    const float x_i_7 = x[i_3 + i_lane_2 + 8];
                    const float x_i_8 = x[i_3 + i_lane_2 + 16];
                    const float x_i_9 = x[i_3 + i_lane_2 + 24];
                    const float x_i_10 = x[i_3 + i_lane_2 + 32];
                    const float x_i_11 = x[i_3 + i_lane_2 + 40];
                    const float x_i_12 = x[i_3 + i_lane_2 + 48];
                    const float x_i_13 = x[i_3 + i_lane_2 + 56];
                    const float v_6 = x_i_6 + x_i_7;
                    const float v_7 = x_i_8 + x_i_9;
                    const float v_8 = x_i_10 + x_i_11;
                    const float v_9 = x_i_12 + x_i_13;
                    const float v_10 = v_6 + v_7;
                    const float v_11 = v_8 + v_9;
                    const float v_12 = v_10 + v_11;
                    const double v_13 = (double)v_12;
                    const double sum_f64_lanes_i_9 = sum_f64_lanes[i_lane_2];
                    const double v_95 = sum_f64_lanes_i_9 + v_13;
                    const float x_i_14 = x[i_3 + i_lane_2 + part];
                    const float x_i_15 = x[i_3 + i_lane_2 + part + 8];
                    const float x_i_16 = x[i_3 + i_lane_2 + part + 16];
                    const float x_i_17 = x[i_3 + i_lane_2 + part + 24];
                    const float x_i_18 = x[i_3 + i_lane_2 + part + 32];
                    const float x_i_19 = x[i_3 + i_lane_2 + part + 40];
                    const float x_i_20 = x[i_3 + i_lane_2 + part + 48];
                    const float x_i_21 = x[i_3 + i_lane_2 + part + 56];
                    const float v_14 = x_i_14 + x_i_15;
                    const float v_15 = x_i_16 + x_i_17;
                    const float v_16 = x_i_18 + x_i_19;
                    const float v_17 = x_i_20 + x_i_21;
                    const float v_18 = v_14 + v_15;
                    const float v_19 = v_16 + v_17;
                    const float v_20 = v_18 + v_19;
                    const double v_21 = (double)v_20;
                    const double sum_f64_lanes_2_i_9 = sum_f64_lanes_2[i_lane_2];
                    const double v_96 = sum_f64_lanes_2_i_9 + v_21;
                    const float x_i_22 = x[i_3 + i_lane_2 + part*2];
                    const float x_i_23 = x[i_3 + i_lane_2 + part*2 + 8];
                    const float x_i_24 = x[i_3 + i_lane_2 + part*2 + 16];
                    const float x_i_25 = x[i_3 + i_lane_2 + part*2 + 24];
                    const float x_i_26 = x[i_3 + i_lane_2 + part*2 + 32];
                    const float x_i_27 = x[i_3 + i_lane_2 + part*2 + 40];
                    const float x_i_28 = x[i_3 + i_lane_2 + part*2 + 48];
                    const float x_i_29 = x[i_3 + i_lane_2 + part*2 + 56];
                    const float v_22 = x_i_22 + x_i_23;
                    const float v_23 = x_i_24 + x_i_25;
                    const float v_24 = x_i_26 + x_i_27;
                    const float v_25 = x_i_28 + x_i_29;
                    const float v_26 = v_22 + v_23;
                    const float v_27 = v_24 + v_25;
                    const float v_28 = v_26 + v_27;
                    const double v_29 = (double)v_28;
                    const double sum_f64_lanes_3_i_9 = sum_f64_lanes_3[i_lane_2];
                    const double v_97 = sum_f64_lanes_3_i_9 + v_29;
                    const float x_i_30 = x[i_3 + i_lane_2 + part*3];
                    const float x_i_31 = x[i_3 + i_lane_2 + part*3 + 8];
                    const float x_i_32 = x[i_3 + i_lane_2 + part*3 + 16];
                    const float x_i_33 = x[i_3 + i_lane_2 + part*3 + 24];
                    const float x_i_34 = x[i_3 + i_lane_2 + part*3 + 32];
                    const float x_i_35 = x[i_3 + i_lane_2 + part*3 + 40];
                    const float x_i_36 = x[i_3 + i_lane_2 + part*3 + 48];
                    const float x_i_37 = x[i_3 + i_lane_2 + part*3 + 56];
                    const float v_30 = x_i_30 + x_i_31;
                    const float v_31 = x_i_32 + x_i_33;
                    const float v_32 = x_i_34 + x_i_35;
                    const float v_33 = x_i_36 + x_i_37;
                    const float v_34 = v_30 + v_31;
                    const float v_35 = v_32 + v_33;
                    const float v_36 = v_34 + v_35;
                    const double v_37 = (double)v_36;
                    const double sum_f64_lanes_4_i_9 = sum_f64_lanes_4[i_lane_2];
                    const double v_98 = sum_f64_lanes_4_i_9 + v_37;
                    sum_f64_lanes[i_lane_2] = v_95;
                    sum_f64_lanes_2[i_lane_2] = v_96;
                    sum_f64_lanes_3[i_lane_2] = v_97;
                    sum_f64_lanes_4[i_lane_2] = v_98;
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
            const double v_38 = sum_f64_lanes_i + sum_f64_lanes_i_2;
            const double v_39 = sum_f64_lanes_i_3 + sum_f64_lanes_i_4;
            const double v_40 = sum_f64_lanes_i_5 + sum_f64_lanes_i_6;
            const double v_41 = sum_f64_lanes_i_7 + sum_f64_lanes_i_8;
            const double v_42 = v_38 + v_39;
            const double v_43 = v_40 + v_41;
            const double v_44 = v_42 + v_43;
            const double sum_f64_lanes_2_i = sum_f64_lanes_2[0];
            const double sum_f64_lanes_2_i_2 = sum_f64_lanes_2[1];
            const double sum_f64_lanes_2_i_3 = sum_f64_lanes_2[2];
            const double sum_f64_lanes_2_i_4 = sum_f64_lanes_2[3];
            const double sum_f64_lanes_2_i_5 = sum_f64_lanes_2[4];
            const double sum_f64_lanes_2_i_6 = sum_f64_lanes_2[5];
            const double sum_f64_lanes_2_i_7 = sum_f64_lanes_2[6];
            const double sum_f64_lanes_2_i_8 = sum_f64_lanes_2[7];
            const double v_45 = sum_f64_lanes_2_i + sum_f64_lanes_2_i_2;
            const double v_46 = sum_f64_lanes_2_i_3 + sum_f64_lanes_2_i_4;
            const double v_47 = sum_f64_lanes_2_i_5 + sum_f64_lanes_2_i_6;
            const double v_48 = sum_f64_lanes_2_i_7 + sum_f64_lanes_2_i_8;
            const double v_49 = v_45 + v_46;
            const double v_50 = v_47 + v_48;
            const double v_51 = v_49 + v_50;
            const double sum_f64_lanes_3_i = sum_f64_lanes_3[0];
            const double sum_f64_lanes_3_i_2 = sum_f64_lanes_3[1];
            const double sum_f64_lanes_3_i_3 = sum_f64_lanes_3[2];
            const double sum_f64_lanes_3_i_4 = sum_f64_lanes_3[3];
            const double sum_f64_lanes_3_i_5 = sum_f64_lanes_3[4];
            const double sum_f64_lanes_3_i_6 = sum_f64_lanes_3[5];
            const double sum_f64_lanes_3_i_7 = sum_f64_lanes_3[6];
            const double sum_f64_lanes_3_i_8 = sum_f64_lanes_3[7];
            const double v_52 = sum_f64_lanes_3_i + sum_f64_lanes_3_i_2;
            const double v_53 = sum_f64_lanes_3_i_3 + sum_f64_lanes_3_i_4;
            const double v_54 = sum_f64_lanes_3_i_5 + sum_f64_lanes_3_i_6;
            const double v_55 = sum_f64_lanes_3_i_7 + sum_f64_lanes_3_i_8;
            const double v_56 = v_52 + v_53;
            const double v_57 = v_54 + v_55;
            const double v_58 = v_56 + v_57;
            const double sum_f64_lanes_4_i = sum_f64_lanes_4[0];
            const double sum_f64_lanes_4_i_2 = sum_f64_lanes_4[1];
            const double sum_f64_lanes_4_i_3 = sum_f64_lanes_4[2];
            const double sum_f64_lanes_4_i_4 = sum_f64_lanes_4[3];
            const double sum_f64_lanes_4_i_5 = sum_f64_lanes_4[4];
            const double sum_f64_lanes_4_i_6 = sum_f64_lanes_4[5];
            const double sum_f64_lanes_4_i_7 = sum_f64_lanes_4[6];
            const double sum_f64_lanes_4_i_8 = sum_f64_lanes_4[7];
            const double v_59 = sum_f64_lanes_4_i + sum_f64_lanes_4_i_2;
            const double v_60 = sum_f64_lanes_4_i_3 + sum_f64_lanes_4_i_4;
            const double v_61 = sum_f64_lanes_4_i_5 + sum_f64_lanes_4_i_6;
            const double v_62 = sum_f64_lanes_4_i_7 + sum_f64_lanes_4_i_8;
            const double v_63 = v_59 + v_60;
            const double v_64 = v_61 + v_62;
            const double v_65 = v_63 + v_64;
            const double v_66 = __builtin_fabs(v_44);
            const bool is_finite = v_66 <= 1.7976931348623157e+308;
            const double v_67 = __builtin_fabs(v_51);
            const bool is_finite_2 = v_67 <= 1.7976931348623157e+308;
            const double v_68 = __builtin_fabs(v_58);
            const bool is_finite_3 = v_68 <= 1.7976931348623157e+308;
            const double v_69 = __builtin_fabs(v_65);
            const bool is_finite_4 = v_69 <= 1.7976931348623157e+308;
            const bool fits = is_finite & is_finite_2;
            const bool fits_2 = fits & is_finite_3;
            const bool fits_3 = fits_2 & is_finite_4;
            const double v_70 = fits_3 ? v_44 : 0.0;
            sum_f64_2 += v_70;
            const double v_71 = fits_3 ? v_51 : 0.0;
            sum_f64_3 += v_71;
            const double v_72 = fits_3 ? v_58 : 0.0;
            sum_f64_4 += v_72;
            const double v_73 = fits_3 ? v_65 : 0.0;
            sum_f64_5 += v_73;
            const int64_t k_4 = i_whole + start;
            const int64_t v_74 = fits_3 ? k_4 : start;
            begin = v_74;
        }
        const int64_t k_5 = part + start - begin;
        const int64_t i_count = k_5 > 0LL ? k_5 : 0LL;
        const int64_t i_whole_2 = i_count & (-8LL);
        st_f64v sum_f64_lanes_5 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_6 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_7 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_8 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_9 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_10 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_11 = {0.0, 0.0, 0.0, 0.0};
        st_f64v sum_f64_lanes_12 = {0.0, 0.0, 0.0, 0.0};
        for (int64_t i_4 = begin; i_4 < begin + i_whole_2; i_4 += 8) {
            const st_f32v x_i_38 = *(const st_f32v *)&x[i_4];
            /* models.py:67: return function([x], x.sum(), name="total") */
            const st_f64v v_75 = st_widened(x_i_38);
            sum_f64_lanes_5 += v_75;
            const st_f32v x_i_39 = *(const st_f32v *)&x[i_4 + part];
            const st_f64v v_76 = st_widened(x_i_39);
            sum_f64_lanes_6 += v_76;
            const st_f32v x_i_40 = *(const st_f32v *)&x[i_4 + part*2];
            const st_f64v v_77 = st_widened(x_i_40);
            sum_f64_lanes_7 += v_77;
            const st_f32v x_i_41 = *(const st_f32v *)&x[i_4 + part*3];
            const st_f64v v_78 = st_widened(x_i_41);
            sum_f64_lanes_8 += v_78;
            const st_f32v x_i_42 = *(const st_f32v *)&x[i_4 + 4];
            const st_f64v v_79 = st_widened(x_i_42);
            sum_f64_lanes_9 += v_79;
            const st_f32v x_i_43 = *(const st_f32v *)&x[i_4 + part + 4];
            const st_f64v v_80 = st_widened(x_i_43);
            sum_f64_lanes_10 += v_80;
            const st_f32v x_i_44 = *(const st_f32v *)&x[i_4 + part*2 + 4];
            const st_f64v v_81 = st_widened(x_i_44);
            sum_f64_lanes_11 += v_81;
            const st_f32v x_i_45 = *(const st_f32v *)&x[i_4 + part*3 + 4];
            const st_f64v v_82 = st_widened(x_i_45);
            sum_f64_lanes_12 += v_82;
        }
        const st_f64v v_83 = sum_f64_lanes_5 + sum_f64_lanes_9;
        const double v_84 = st_total(v_83);
        sum_f64_2 += v_84;
        const st_f64v v_85 = sum_f64_lanes_6 + sum_f64_lanes_10;
        const double v_86 = st_total(v_85);
        sum_f64_3 += v_86;
        const st_f64v v_87 = sum_f64_lanes_7 + sum_f64_lanes_11;
        const double v_88 = st_total(v_87);
        sum_f64_4 += v_88;
        const st_f64v v_89 = sum_f64_lanes_8 + sum_f64_lanes_12;
        const double v_90 = st_total(v_89);
        sum_f64_5 += v_90;
        for (int64_t i_5 = begin + i_whole_2; i_5 < part + start; i_5++) {
            const float x_i_46 = x[i_5];
            const double v_91 = (double)x_i_46;
            sum_f64_2 += v_91;
            const float x_i_47 = x[i_5 + part];
            const double v_92 = (double)x_i_47;
            sum_f64_3 += v_92;
            const float x_i_48 = x[i_5 + part*2];
            const double v_93 = (double)x_i_48;
            sum_f64_4 += v_93;
            const float x_i_49 = x[i_5 + part*3];
            const double v_94 = (double)x_i_49;
            sum_f64_5 += v_94;
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
