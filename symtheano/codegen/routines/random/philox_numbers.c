/* The numbers of a stream from one position to another one. Those after the last are computed
   too, so that all numbers are computed in the same way.

   void st_philox_NAME_SUFFIX(const st_runtime *runtime, int64_t n, TYPE *y, const uint64_t *key,
                              const uint64_t *stream) */
enum { ST_PHILOX_COUNT_NAME_SUFFIX = 8 * ST_PHILOX_WORDS / sizeof(TYPE) };

static void st_philox_range_NAME_SUFFIX(int64_t begin, int64_t end, TYPE *y, uint64_t key,
                                        uint64_t stream) {
    const int64_t count = ST_PHILOX_COUNT_NAME_SUFFIX;
    _Alignas(64) BITS words[ST_PHILOX_COUNT_NAME_SUFFIX];
    TYPE last[ST_PHILOX_COUNT_NAME_SUFFIX];
    for (int64_t i = begin; i < end; i += count) {
        TYPE *const to = i + count <= end ? y + i : last;
        st_philox_fill((uint64_t *)words, key, stream, (uint64_t)i * sizeof(TYPE) / 16);
        MAKE_NUMBERS
        if (to == last) __builtin_memcpy(y + i, last, (size_t)(end - i) * sizeof(TYPE));
    }
}

static void st_philox_NAME_SUFFIX(const st_runtime *runtime, int64_t n, TYPE *y,
                                  const uint64_t *key, const uint64_t *stream) {
    const bool parallel = st_parallel(runtime, WORK * n);
#ifdef _OPENMP
    if (parallel) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(n, ST_PHILOX_COUNT_NAME_SUFFIX);
            st_philox_range_NAME_SUFFIX(share.begin, share.end, y, *key, *stream);
        }
        return;
    }
#endif
    st_philox_range_NAME_SUFFIX(0, n, y, *key, *stream);
}
