/* The numbers of a stream from one position to another one, in tiles, and at the end in smaller ones.
   Those after the last are computed too, so that all numbers are computed in the same way.

   void st_philox_@NAME@_@SUFFIX@(const st_runtime *runtime, int64_t n, @TYPE@ *y, const uint64_t *key,
                              const uint64_t *stream) */
enum { ST_PHILOX_COUNT_@NAME@_@SUFFIX@ = 8 * ST_PHILOX_WORDS / sizeof(@TYPE@) };

ST_NUMBER void st_philox_tile_@NAME@_@SUFFIX@(@TYPE@ *to, int64_t first, int count, uint64_t key,
                                          uint64_t stream) {
    _Alignas(64) @BITS@ words[ST_PHILOX_COUNT_@NAME@_@SUFFIX@];
    st_philox_fill((uint64_t *)words, count * sizeof(@TYPE@) / 8, key, stream,
                   (uint64_t)first * sizeof(@TYPE@) / 16, 1, 0);
    @MAKE_NUMBERS@
}

static void st_philox_range_@NAME@_@SUFFIX@(int64_t begin, int64_t end, @TYPE@ *y, uint64_t key,
                                        uint64_t stream) {
    enum { whole = ST_PHILOX_COUNT_@NAME@_@SUFFIX@, part = whole / 4 };
    int64_t i = begin;
    for (; i + whole <= end; i += whole)
        st_philox_tile_@NAME@_@SUFFIX@(y + i, i, whole, key, stream);
    for (; i < end; i += part) {
        @TYPE@ last[part];
        st_philox_tile_@NAME@_@SUFFIX@(last, i, part, key, stream);
        __builtin_memcpy(y + i, last, (i + part <= end ? part : end - i) * sizeof(@TYPE@));
    }
}

static void st_philox_@NAME@_@SUFFIX@(const st_runtime *runtime, int64_t n, @TYPE@ *y,
                                  const uint64_t *key, const uint64_t *stream) {
    const bool parallel = st_parallel(runtime, @WORK@ * n);
#ifdef _OPENMP
    if (parallel) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(n, ST_PHILOX_COUNT_@NAME@_@SUFFIX@);
            st_philox_range_@NAME@_@SUFFIX@(share.begin, share.end, y, *key, *stream);
        }
        return;
    }
#endif
    st_philox_range_@NAME@_@SUFFIX@(0, n, y, *key, *stream);
}
