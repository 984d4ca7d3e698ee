/* The order that sorts the rows of a matrix, the first column first; equal rows stay in order, NaN
   comes last.

   int32_t st_roworder_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x,
                              int64_t *order)
   returns 0, or 1 when there was no memory. */

static inline int st_row_before_SUFFIX(int64_t n, const TYPE *a, const TYPE *b) {
    for (int64_t i = 0; i < n; i++) {
        if (LESS(a[i], b[i])) return 1;
        if (LESS(b[i], a[i])) return 0;
    }
    return 0;
}

static __attribute__((noinline)) int32_t st_roworder_SUFFIX(
    const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x, int64_t *order) {
    if (rows <= 0) return 0;
    st_announce(runtime, 60.0 * (double)rows);
    int64_t *const work = malloc((size_t)rows * sizeof *work);
    if (!work) return 1;
    int64_t *from = order, *to = work;
    for (int64_t i = 0; i < rows; i++) from[i] = i;
    for (int64_t width = 1; width < rows; width *= 2) {
        for (int64_t begin = 0; begin < rows; begin += 2 * width) {
            const int64_t middle = begin + width < rows ? begin + width : rows;
            const int64_t end = middle + width < rows ? middle + width : rows;
            int64_t i = begin, j = middle;
            for (int64_t k = begin; k < end; k++) {
                const int second = i >= middle
                    || (j < end && st_row_before_SUFFIX(n, x + from[j] * n, x + from[i] * n));
                to[k] = second ? from[j++] : from[i++];
            }
        }
        int64_t *const other = from;
        from = to, to = other;
    }
    if (from != order) __builtin_memcpy(order, from, (size_t)rows * sizeof *order);
    free(work);
    return 0;
}
