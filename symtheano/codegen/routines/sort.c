/* Sort rows in place.

   NaN comes last, as NumPy has it; complex numbers are ordered by their real parts first. Real
   numbers of long rows are sorted by their bits, some at a time; others are merged. Equal numbers
   that differ in their bits (zeros, NaN) come in any order.

   int32_t st_sort_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, TYPE *x)
   returns 0, or 1 when there was no memory. */

static void st_merge_sort_SUFFIX(int64_t n, TYPE *x, TYPE *work) {
    enum { SHORT = 16 };
    for (int64_t begin = 0; begin < n; begin += SHORT) {
        const int64_t end = begin + SHORT < n ? begin + SHORT : n;
        for (int64_t i = begin + 1; i < end; i++) {
            const TYPE value = x[i];
            int64_t j = i;
            for (; j > begin && LESS(value, x[j - 1]); j--) x[j] = x[j - 1];
            x[j] = value;
        }
    }
    TYPE *from = x, *to = work;
    for (int64_t width = SHORT; width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            const int64_t middle = begin + width < n ? begin + width : n;
            const int64_t end = middle + width < n ? middle + width : n;
            int64_t i = begin, j = middle;
            for (int64_t k = begin; k < end; k++) {
                const int second = i >= middle || (j < end && LESS(from[j], from[i]));
                to[k] = second ? from[j++] : from[i++];
            }
        }
        TYPE *const other = from;
        from = to, to = other;
    }
    if (from != x) __builtin_memcpy(x, from, (size_t)n * sizeof *x);
}

#if IS_REAL
/* A number's bits, changed so that they are ordered as the numbers are. */
static inline BITS st_ordered_SUFFIX(TYPE x) {
    BITS bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return ORDERED(x, bits);
}

static void st_radix_sort_SUFFIX(int64_t n, TYPE *x, TYPE *work) {
    enum { WIDTH = 8 * sizeof(BITS), DIGITS = (WIDTH + 10) / 11, VALUES = 1 << 11 };
    int64_t counts[DIGITS][VALUES] = {0};
    for (int64_t i = 0; i < n; i++) {
        const BITS key = st_ordered_SUFFIX(x[i]);
        for (int d = 0; d < DIGITS; d++) counts[d][(key >> 11 * d) & (VALUES - 1)]++;
    }
    TYPE *from = x, *to = work;
    for (int d = 0; d < DIGITS; d++) {
        int64_t *const count = counts[d];
        if (count[(st_ordered_SUFFIX(x[0]) >> 11 * d) & (VALUES - 1)] == n) continue;
        int64_t total = 0;
        for (int v = 0; v < VALUES; v++) {
            const int64_t here = count[v];
            count[v] = total, total += here;
        }
        for (int64_t i = 0; i < n; i++)
            to[count[(st_ordered_SUFFIX(from[i]) >> 11 * d) & (VALUES - 1)]++] = from[i];
        TYPE *const other = from;
        from = to, to = other;
    }
    if (from != x) __builtin_memcpy(x, from, (size_t)n * sizeof *x);
}
#endif

static __attribute__((noinline)) int32_t st_sort_SUFFIX(const st_runtime *runtime, int64_t rows,
                                                       int64_t n, TYPE *x) {
    if (rows <= 0 || n <= 1) return 0;
    st_announce(runtime, 30.0 * (double)rows * (double)n);
    TYPE *const work = malloc((size_t)n * sizeof *work);
    if (!work) return 1;
    for (int64_t row = 0; row < rows; row++) {
#if IS_REAL
        if (n >= 1024) {
            st_radix_sort_SUFFIX(n, x + row * n, work);
            continue;
        }
#endif
        st_merge_sort_SUFFIX(n, x + row * n, work);
    }
    free(work);
    return 0;
}
