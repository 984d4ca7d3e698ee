/* void st_mrg_uniform_@SUFFIX@(const st_runtime *runtime, int64_t n, int64_t streams, @TYPE@ *y,
                              int32_t *states) */

typedef @TYPE@ st_mrg_reals_@SUFFIX@
    __attribute__((vector_size(8 * sizeof(@TYPE@)), aligned(sizeof(@TYPE@)), may_alias));

/* Draw the elements from position `from` on of one stream. */
static void st_mrg_stream_@SUFFIX@(int64_t from, int64_t n, int64_t streams, @TYPE@ *y,
                                 int32_t *states) {
    uint32_t *const x = (uint32_t *)states;
    uint32_t p0 = x[0], p1 = x[1], p2 = x[2], q0 = x[3], q1 = x[4], q2 = x[5], z;
    ST_MRG_VALID(uint32_t);
    for (int64_t i = from; i < n; i += streams) {
        ST_MRG_STEP(uint32_t, z);
        y[i] = (@TYPE@)(int32_t)z * @NORM@;
    }
    x[0] = p0, x[1] = p1, x[2] = p2, x[3] = q0, x[4] = q1, x[5] = q2;
}

/* Draw the elements of eight streams that all have one; return the position after the last. */
static int64_t st_mrg_eight_@SUFFIX@(int64_t first, int64_t n, int64_t streams, @TYPE@ *y,
                                   int32_t *states) {
    const int64_t stop = n - ST_MRG_LANES + 1;
    uint32_t turned[6 * ST_MRG_LANES];
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < ST_MRG_LANES; j++)
            turned[ST_MRG_LANES * k + j] = (uint32_t)states[6 * j + k];
    st_mrg_lanes *const x = (st_mrg_lanes *)turned;
    st_mrg_lanes p0 = x[0], p1 = x[1], p2 = x[2], q0 = x[3], q1 = x[4], q2 = x[5], z;
    ST_MRG_VALID(st_mrg_lanes);
    int64_t i = first;
    for (; i < stop; i += streams) {
        ST_MRG_STEP(st_mrg_lanes, z);
        *(st_mrg_reals_@SUFFIX@ *)(y + i) =
            __builtin_convertvector((st_mrg_wholes)z, st_mrg_reals_@SUFFIX@) * @NORM@;
    }
    x[0] = p0, x[1] = p1, x[2] = p2, x[3] = q0, x[4] = q1, x[5] = q2;
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < ST_MRG_LANES; j++)
            states[6 * j + k] = (int32_t)turned[ST_MRG_LANES * k + j];
    return i;
}

static void st_mrg_streams_@SUFFIX@(int64_t first, int64_t last, int64_t n, int64_t streams, @TYPE@ *y,
                                  int32_t *states) {
    int64_t s = first;
    for (; s + ST_MRG_LANES <= last; s += ST_MRG_LANES) {
        const int64_t i = st_mrg_eight_@SUFFIX@(s, n, streams, y, states + 6 * s);
        for (int j = 0; j < ST_MRG_LANES; j++)
            st_mrg_stream_@SUFFIX@(i + j, n, streams, y, states + 6 * (s + j));
    }
    for (; s < last; s++) st_mrg_stream_@SUFFIX@(s, n, streams, y, states + 6 * s);
}

static void st_mrg_uniform_@SUFFIX@(const st_runtime *runtime, int64_t n, int64_t streams, @TYPE@ *y,
                                  int32_t *states) {
    st_announce(runtime, 4 * (double)n);
    const int64_t used = streams < n ? streams : n;
#ifdef _OPENMP
    if (runtime->threads > 1 && n > 65536 && used >= 64) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(used, ST_MRG_LANES);
            st_mrg_streams_@SUFFIX@(share.begin, share.end, n, streams, y, states);
        }
        return;
    }
#endif
    st_mrg_streams_@SUFFIX@(0, used, n, streams, y, states);
}
