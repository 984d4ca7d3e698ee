/* void st_mrg_uniform_SUFFIX(const st_runtime *runtime, int64_t n, int64_t streams, TYPE *y,
                              int32_t *states) */

/* Draw the elements from position `from` on of one stream. */
static void st_mrg_stream_SUFFIX(int64_t from, int64_t n, int64_t streams, TYPE *y,
                                 int32_t *states) {
    uint32_t x[6], z;
    for (int k = 0; k < 6; k++) x[k] = (uint32_t)states[k];
    for (int64_t i = from; i < n; i += streams) {
        ST_MRG_STEP(uint32_t, x, z);
        y[i] = (TYPE)(int32_t)z * NORM;
    }
    for (int k = 0; k < 6; k++) states[k] = (int32_t)x[k];
}

static void st_mrg_streams_SUFFIX(int64_t first, int64_t last, int64_t n, int64_t streams, TYPE *y,
                                  int32_t *states) {
    int64_t s = first;
    for (; s + ST_MRG_LANES <= last; s += ST_MRG_LANES) {
        int32_t *const own = states + 6 * s;
        const int64_t whole = n - s - ST_MRG_LANES + 1;  /* where all lanes have an element */
        st_mrg_lanes x[6], z;
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < ST_MRG_LANES; j++) x[k][j] = (uint32_t)own[6 * j + k];
        int64_t i = 0;
        for (; i < whole; i += streams) {
            ST_MRG_STEP(st_mrg_lanes, x, z);
            for (int j = 0; j < ST_MRG_LANES; j++) y[s + i + j] = (TYPE)(int32_t)z[j] * NORM;
        }
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < ST_MRG_LANES; j++) own[6 * j + k] = (int32_t)x[k][j];
        for (int j = 0; j < ST_MRG_LANES; j++)
            st_mrg_stream_SUFFIX(s + i + j, n, streams, y, own + 6 * j);
    }
    for (; s < last; s++) st_mrg_stream_SUFFIX(s, n, streams, y, states + 6 * s);
}

static void st_mrg_uniform_SUFFIX(const st_runtime *runtime, int64_t n, int64_t streams, TYPE *y,
                                  int32_t *states) {
    st_announce(runtime, 4 * (double)n);
    const int64_t used = streams < n ? streams : n;
#ifdef _OPENMP
    if (runtime->threads > 1 && n > 65536 && used >= 64) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(used, ST_MRG_LANES);
            st_mrg_streams_SUFFIX(share.begin, share.end, n, streams, y, states);
        }
        return;
    }
#endif
    st_mrg_streams_SUFFIX(0, used, n, streams, y, states);
}
