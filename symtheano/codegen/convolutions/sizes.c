/* Sizes of memory: sums and products of lengths. None is larger than MOST_SIZE: one that would be is
   MOST_SIZE, and so is what is made of it, so that no size is less than what is needed. */

#define MOST_SIZE ((int64_t)1 << 62)

INLINE int64_t size_plus(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) || sum > MOST_SIZE ? MOST_SIZE : sum;
}

/* Neither is negative. */
INLINE int64_t size_times(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) || product > MOST_SIZE ? MOST_SIZE : product;
}

INLINE int64_t size_of_volume(const int64_t *lengths) {
    return size_times(size_times(lengths[0], lengths[1]), lengths[2]);
}

/* The length along which `count` elements lie that are `distance` apart. */
INLINE int64_t span_of(int64_t count, int64_t distance) {
    return count ? size_plus(size_times(count - 1, distance), 1) : 0;
}
