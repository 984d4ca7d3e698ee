/* PCG64, the generator of numpy.random.default_rng (O'Neill 2014, "PCG: a family of simple fast
   space-efficient statistically good algorithms for random number generation", XSL-RR 128/64). Its
   state is six words: the state and the increment, high words first; whether half of a number is
   held for the next one of 32 bits, and this half. */
typedef unsigned __int128 st_wide;

typedef struct {
    st_wide state, increment;
    uint32_t holds, held;
} st_pcg64;

#define ST_WIDE(high, low) ((st_wide)(high) << 64 | (low))
#define ST_PCG64_FACTOR ST_WIDE(0x2360ed051fc65da4ull, 0x4385df649fccf645ull)
#define ST_RARE(condition) __builtin_expect(condition, 0)

static inline st_pcg64 st_pcg64_open(const uint64_t *words) {
    return (st_pcg64){ST_WIDE(words[0], words[1]), ST_WIDE(words[2], words[3] | 1),
                      words[4] != 0, (uint32_t)words[5]};
}

static inline void st_pcg64_close(uint64_t *words, const st_pcg64 *g) {
    words[0] = (uint64_t)(g->state >> 64);
    words[1] = (uint64_t)g->state;
    words[3] |= 1;
    words[4] = g->holds;
    words[5] = g->held;
}

static inline uint64_t st_pcg64_output(st_wide state) {
    const uint64_t bits = (uint64_t)(state >> 64) ^ (uint64_t)state;
    const unsigned turn = (unsigned)(state >> 122);
    return bits >> turn | bits << (-turn & 63);
}

static inline uint64_t st_pcg64_next(st_pcg64 *g) {
    g->state = g->state * ST_PCG64_FACTOR + g->increment;
    return st_pcg64_output(g->state);
}

static inline uint32_t st_pcg64_next_half(st_pcg64 *g) {
    if (g->holds) {
        g->holds = 0;
        return g->held;
    }
    const uint64_t bits = st_pcg64_next(g);
    g->holds = 1;
    g->held = (uint32_t)(bits >> 32);
    return (uint32_t)bits;
}

static inline double st_pcg64_double(st_pcg64 *g) {
    return (double)(st_pcg64_next(g) >> 11) * 0x1p-53;
}

static inline float st_pcg64_float(st_pcg64 *g) {
    return (float)(st_pcg64_next_half(g) >> 8) * 0x1p-24f;
}

/* void st_pcg64_NAME_SUFFIX(const st_runtime *runtime, int64_t n, TYPE *y, uint64_t *words)

   Draws n numbers. A single one is drawn where it is needed, so that the rest of a loop's step does
   not wait for it. */
#define ST_PCG64_DRAW(name, type) \
    static inline __attribute__((always_inline)) void st_pcg64_##name( \
        const st_runtime *runtime, int64_t n, type *y, uint64_t *words) { \
        if (__builtin_constant_p(n) && n == 1) { \
            st_pcg64 g = st_pcg64_open(words); \
            *y = st_pcg64_one_##name(&g); \
            st_pcg64_close(words, &g); \
        } else \
            st_pcg64_fill_##name(runtime, n, y, words); \
    }
