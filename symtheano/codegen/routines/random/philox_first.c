/* The first number of each of some streams, whose numbers grow by `by`. All numbers of a block are
   made in the way of arrays, and the first one is taken.

   void st_philox_first_NAME_SUFFIX(const st_runtime *runtime, int64_t n, TYPE *y,
                                    const uint64_t *key, const uint64_t *stream, int64_t by) */
enum {
    ST_PHILOX_EACH_NAME_SUFFIX = 16 / sizeof(TYPE),
    ST_PHILOX_STREAMS_NAME_SUFFIX = ST_PHILOX_WORDS / 2,
};

static void st_philox_first_range_NAME_SUFFIX(int64_t begin, int64_t end, TYPE *y, uint64_t key,
                                              uint64_t stream, uint64_t by) {
    enum {
        each = ST_PHILOX_EACH_NAME_SUFFIX,
        part = ST_PHILOX_STREAMS_NAME_SUFFIX,
        count = each * part,
    };
    for (int64_t i = begin; i < end; i += part) {
        _Alignas(64) BITS words[count];
        TYPE to[count];
        st_philox_fill((uint64_t *)words, ST_PHILOX_WORDS, key, stream + (uint64_t)i * by, 0, 0, by);
        MAKE_NUMBERS
        const int64_t left = end - i;
        for (int64_t j = 0; j < part && j < left; j++) y[i + j] = to[j * each];
    }
}

static void st_philox_first_NAME_SUFFIX(const st_runtime *runtime, int64_t n, TYPE *y,
                                        const uint64_t *key, const uint64_t *stream, int64_t by) {
    const bool parallel = st_parallel(runtime, ST_PHILOX_EACH_NAME_SUFFIX * WORK * n);
#ifdef _OPENMP
    if (parallel) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(n, ST_PHILOX_STREAMS_NAME_SUFFIX);
            st_philox_first_range_NAME_SUFFIX(share.begin, share.end, y, *key, *stream,
                                              (uint64_t)by);
        }
        return;
    }
#endif
    st_philox_first_range_NAME_SUFFIX(0, n, y, *key, *stream, (uint64_t)by);
}
