/* Numbers of which each has a generator of its own, whose state is two of the seeds. */
static void st_seeded_range_@NAME@_@SUFFIX@(int64_t begin, int64_t end, @TYPE@ *y, const uint64_t *seeds,
                                        @PARAMETERS@) {@KEPT@
    for (int64_t i = begin; i < end; i++) {
        st_pcg64 g = st_pcg64_seeded(seeds + 2 * i);
        y[i] = st_pcg64_one_@NAME@(&g, @VALUES@);
    }
}

static void st_seeded_@NAME@_@SUFFIX@(const st_runtime *runtime, int64_t n, @TYPE@ *y,
                                  const uint64_t *seeds, @PARAMETERS@) {
    const bool parallel = st_parallel(runtime, @WORK@ * n);
#ifdef _OPENMP
    if (parallel) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(n, 1);
            st_seeded_range_@NAME@_@SUFFIX@(share.begin, share.end, y, seeds, @ARGUMENTS@);
        }
        return;
    }
#endif
    st_seeded_range_@NAME@_@SUFFIX@(0, n, y, seeds, @ARGUMENTS@);
}
