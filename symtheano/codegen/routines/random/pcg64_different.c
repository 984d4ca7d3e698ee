/* Different integers below a number, as Generator.choice draws them: where they are many, the last
   ones of a permutation, and else by the method of Floyd (Bentley and Floyd 1987, "A sample of
   brilliance"), with a table of those that are drawn, which are then permuted.

   void st_pcg64_different_i64(const st_runtime *runtime, int64_t n, int64_t number, int64_t *y,
                               uint64_t *words) */
static inline bool st_different_many(int64_t n, int64_t number) {
    return number > 10000 && n > number / 50;
}

/* One less than the number of places in the table, a power of 2. */
static inline uint64_t st_different_mask(int64_t n) {
    const uint64_t least = (uint64_t)(1.2 * (double)n);
    return least ? ~0ull >> __builtin_clzll(least) : 0;
}

static int64_t st_pcg64_different_bytes_i64(const st_runtime *runtime, int64_t n, int64_t number) {
    (void)runtime;
    const bool many = st_different_many(n, number);
    /* No table for more items is possible. */
    if (n >= (int64_t)1 << 60) return ST_MOST_SIZE;
    const int64_t count = many ? number : (int64_t)st_different_mask(n) + 1;
    return st_size_of(count, sizeof(int64_t));
}

/* Exchange the items after the first ones with random ones before them. */
static void st_different_shuffle(st_pcg64 *g, int64_t n, int64_t first, int64_t *y) {
    for (int64_t i = n - 1; i >= first; i--) {
        const int64_t j = (int64_t)st_pcg64_below(g, (uint64_t)i), kept = y[j];
        y[j] = y[i];
        y[i] = kept;
    }
}

/* Put an item into the table, unless it is there. */
static inline bool st_different_put(uint64_t *table, uint64_t mask, uint64_t item) {
    uint64_t place = item & mask;
    while (table[place] != UINT64_MAX && table[place] != item) place = (place + 1) & mask;
    const bool lacks = table[place] != item;
    table[place] = item;
    return lacks;
}

static void st_pcg64_different_i64(const st_runtime *runtime, int64_t n, int64_t number, int64_t *y,
                                   uint64_t *words, void *memory, int64_t bytes) {
    (void)bytes;
    st_announce(runtime, 10 * (double)n);
    st_pcg64 g = st_pcg64_open(words);
    if (st_different_many(n, number)) {
        int64_t *const all = memory;
        for (int64_t i = 0; i < number; i++) all[i] = i;
        st_different_shuffle(&g, number, number > n ? number - n : 1, all);
        for (int64_t i = 0; i < n; i++) y[i] = all[number - n + i];
    } else {
        const uint64_t mask = st_different_mask(n);
        uint64_t *const table = memory;
        for (uint64_t i = 0; i <= mask; i++) table[i] = UINT64_MAX;
        for (int64_t i = 0; i < n; i++) {
            const uint64_t last = (uint64_t)(number - n + i), item = st_pcg64_below(&g, last);
            const bool lacks = st_different_put(table, mask, item);
            if (!lacks) st_different_put(table, mask, last);
            y[i] = (int64_t)(lacks ? item : last);
        }
        st_different_shuffle(&g, n, 1, y);
    }
    st_pcg64_close(words, &g);
}
