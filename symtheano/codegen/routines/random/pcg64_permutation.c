/* Permutations, a row each: items are exchanged with random ones before them (Durstenfeld 1964).

   void st_pcg64_permutation_i64(const st_runtime *runtime, int64_t rows, int64_t n, int64_t *y,
                                 uint64_t *words) */
/* An integer from 0 to `most`, positive: bits are drawn until they are one. */
static inline uint64_t st_pcg64_within(st_pcg64 *g, uint64_t most) {
    const uint64_t mask = ~0ull >> __builtin_clzll(most);
    uint64_t bits;
    do {
        bits = (most <= UINT32_MAX ? st_pcg64_next_half(g) : st_pcg64_next(g)) & mask;
    } while (bits > most);
    return bits;
}

static void st_pcg64_permutation_i64(const st_runtime *runtime, int64_t rows, int64_t n, int64_t *y,
                                     uint64_t *words) {
    st_announce(runtime, 8 * (double)rows * n);
    st_pcg64 g = st_pcg64_open(words);
    for (int64_t row = 0; row < rows; row++, y += n) {
        for (int64_t i = 0; i < n; i++) y[i] = i;
        for (int64_t i = n - 1; i > 0; i--) {
            const int64_t j = (int64_t)st_pcg64_within(&g, (uint64_t)i), kept = y[i];
            y[i] = y[j];
            y[j] = kept;
        }
    }
    st_pcg64_close(words, &g);
}
