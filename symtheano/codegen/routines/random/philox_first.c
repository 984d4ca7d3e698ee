/* The first number of each of some streams, whose numbers grow by `by`. It is made of the first @USED@
   words of a block, in the way of arrays.

   void st_philox_first_@NAME@_@SUFFIX@(const st_runtime *runtime, int64_t n, @TYPE@ *y,
                                    const uint64_t *key, const uint64_t *stream, int64_t by) */
enum {
    ST_PHILOX_EACH_@NAME@_@SUFFIX@ = 16 / sizeof(@TYPE@),
    ST_PHILOX_STREAMS_@NAME@_@SUFFIX@ = ST_PHILOX_WORDS / 2,
};

static void st_philox_first_range_@NAME@_@SUFFIX@(int64_t begin, int64_t end, @TYPE@ *y, uint64_t key,
                                              uint64_t stream, uint64_t by) {
    enum {
        each = ST_PHILOX_EACH_@NAME@_@SUFFIX@,
        part = ST_PHILOX_STREAMS_@NAME@_@SUFFIX@,
        count = @USED@ * part,
    };
    for (int64_t i = begin; i < end; i += part) {
        _Alignas(64) @BITS@ all[each * part];
        _Alignas(64) @BITS@ words[count];
        _Alignas(64) @TYPE@ to[count], first[part];
        st_philox_fill((uint64_t *)all, ST_PHILOX_WORDS, key, stream + (uint64_t)i * by, 0, 0, by);
        _Pragma("GCC unroll 16") for (int j = 0; j < part; j++)
            __builtin_memcpy(words + @USED@ * j, all + each * j, @USED@ * sizeof(@BITS@));
        @MAKE_NUMBERS@
        _Pragma("GCC unroll 16") for (int j = 0; j < part; j++) first[j] = to[@USED@ * j];
        __builtin_memcpy(y + i, first, (i + part <= end ? part : end - i) * sizeof(@TYPE@));
    }
}

static void st_philox_first_@NAME@_@SUFFIX@(const st_runtime *runtime, int64_t n, @TYPE@ *y,
                                        const uint64_t *key, const uint64_t *stream, int64_t by) {
    const bool parallel = st_parallel(runtime, 2 * @WORK@ * n);
#ifdef _OPENMP
    if (parallel) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(n, ST_PHILOX_STREAMS_@NAME@_@SUFFIX@);
            st_philox_first_range_@NAME@_@SUFFIX@(share.begin, share.end, y, *key, *stream,
                                              (uint64_t)by);
        }
        return;
    }
#endif
    st_philox_first_range_@NAME@_@SUFFIX@(0, n, y, *key, *stream, (uint64_t)by);
}
