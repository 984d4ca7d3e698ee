/* Integers between two bounds, which are both possible.

   void st_pcg64_integers_i64(const st_runtime *runtime, int64_t n, int64_t *y, uint64_t *words,
                              const int64_t *low, int64_t low_step, const int64_t *high,
                              int64_t high_step) */
/* An integer from 0 to `most`: Lemire 2019, "Fast random integer generation in an interval", with 32
   bits where they suffice. */
static inline uint64_t st_pcg64_below(st_pcg64 *g, uint64_t most) {
    if (most == 0) return 0;
    if (most == UINT32_MAX) return st_pcg64_next_half(g);
    if (most < UINT32_MAX) {
        const uint32_t count = (uint32_t)most + 1;
        uint64_t product = (uint64_t)st_pcg64_next_half(g) * count;
        if (ST_RARE((uint32_t)product < count)) {
            const uint32_t least = -count % count;
            while ((uint32_t)product < least) product = (uint64_t)st_pcg64_next_half(g) * count;
        }
        return product >> 32;
    }
    if (most == UINT64_MAX) return st_pcg64_next(g);
    const uint64_t count = most + 1;
    st_wide product = (st_wide)st_pcg64_next(g) * count;
    if (ST_RARE((uint64_t)product < count)) {
        const uint64_t least = -count % count;
        while ((uint64_t)product < least) product = (st_wide)st_pcg64_next(g) * count;
    }
    return (uint64_t)(product >> 64);
}

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
