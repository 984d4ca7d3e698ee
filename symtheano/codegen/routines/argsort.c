/* The positions which sort rows; equal numbers stay in order, NaN comes last.

   int32_t st_argsort_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x,
                             int64_t *order)
   returns 0, or 1 when there was no memory. */

typedef struct st_item_SUFFIX { TYPE value; int64_t position; } st_item_SUFFIX;

static void st_merge_items_SUFFIX(int64_t n, st_item_SUFFIX *x, st_item_SUFFIX *work,
                                  int64_t *order) {
    enum { SHORT = 16 };
    for (int64_t begin = 0; begin < n; begin += SHORT) {
        const int64_t end = begin + SHORT < n ? begin + SHORT : n;
        for (int64_t i = begin + 1; i < end; i++) {
            const st_item_SUFFIX item = x[i];
            int64_t j = i;
            for (; j > begin && LESS(item.value, x[j - 1].value); j--) x[j] = x[j - 1];
            x[j] = item;
        }
    }
    st_item_SUFFIX *from = x, *to = work;
    for (int64_t width = SHORT; width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            const int64_t middle = begin + width < n ? begin + width : n;
            const int64_t end = middle + width < n ? middle + width : n;
            int64_t i = begin, j = middle;
            for (int64_t k = begin; k < end; k++) {
                const int second = i >= middle
                    || (j < end && LESS(from[j].value, from[i].value));
                to[k] = second ? from[j++] : from[i++];
            }
        }
        st_item_SUFFIX *const other = from;
        from = to, to = other;
    }
    for (int64_t i = 0; i < n; i++) order[i] = from[i].position;
}

static __attribute__((noinline)) int32_t st_argsort_SUFFIX(
    const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x, int64_t *order) {
    if (rows <= 0 || n <= 0) return 0;
    st_announce(runtime, 60.0 * (double)rows * (double)n);
    st_item_SUFFIX *const items = malloc(2 * (size_t)n * sizeof *items);
    if (!items) return 1;
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t i = 0; i < n; i++) items[i] = (st_item_SUFFIX){x[row * n + i], i};
        st_merge_items_SUFFIX(n, items, items + n, order + row * n);
    }
    free(items);
    return 0;
}
