static __attribute__((noinline)) void
st_pcg64_fill_@NAME@_@SUFFIX@(const st_runtime *runtime, int64_t n, @TYPE@ *y, uint64_t *words) {
    st_announce(runtime, @WORK@ * (double)n);
    st_pcg64 g = st_pcg64_open(words);
    for (int64_t i = 0; i < n; i++) y[i] = st_pcg64_one_@NAME@_@SUFFIX@(&g);
    st_pcg64_close(words, &g);
}

ST_PCG64_DRAW(@NAME@_@SUFFIX@, @TYPE@)
