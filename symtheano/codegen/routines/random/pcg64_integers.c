/* Integers between two bounds, which are both possible.

   void st_pcg64_integers_i64(const st_runtime *runtime, int64_t n, int64_t *y, uint64_t *words,
                              const int64_t *low, int64_t low_step, const int64_t *high,
                              int64_t high_step) */
static void st_pcg64_integers_i64(const st_runtime *runtime, int64_t n, int64_t *y,
                                  uint64_t *words, const int64_t *low, int64_t low_step,
                                  const int64_t *high, int64_t high_step) {
    st_announce(runtime, 4 * (double)n);
    st_pcg64 g = st_pcg64_open(words);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t least = (uint64_t)low[i * low_step];
        y[i] = (int64_t)(least + st_pcg64_below(&g, (uint64_t)high[i * high_step] - least));
    }
    st_pcg64_close(words, &g);
}
