/* Sizes of memory: sums and products of lengths, none of which is negative. No size is larger than
   ST_MOST_SIZE, which no memory has: one that would be is ST_MOST_SIZE, and so is what is made of it,
   so that no size is less than what is needed. */

#define ST_MOST_SIZE ((int64_t)1 << 62)

static inline int64_t st_size_plus(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) || sum > ST_MOST_SIZE ? ST_MOST_SIZE : sum;
}

static inline int64_t st_size_times(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) || product > ST_MOST_SIZE ? ST_MOST_SIZE
                                                                            : product;
}

/* The bytes of `count` items, as whole cache lines. */
static inline int64_t st_size_of(int64_t count, int64_t item) {
    const int64_t bytes = st_size_times(count, item);
    return st_size_plus(bytes, 63) / 64 * 64;
}
