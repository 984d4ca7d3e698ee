/* The positions which sort rows; equal numbers stay in order, NaN comes last.

   int32_t st_argsort_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x,
                             int64_t *order)
   returns 0, or 1 when there was no memory. */

#if IS_REAL
typedef struct st_item_SUFFIX { BITS key; int64_t position; } st_item_SUFFIX;

/* The item's bits, ordered as numbers are; both zeros have the same. */
static inline st_item_SUFFIX st_item_of_SUFFIX(TYPE x, int64_t position) {
    const TYPE value = x == 0 ? 0 : x;
    BITS bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return (st_item_SUFFIX){ORDERED(value, bits), position};
}

static inline int st_before_SUFFIX(const st_item_SUFFIX *a, const st_item_SUFFIX *b) {
    return a->key < b->key;
}
#endif
#if IS_COMPLEX
typedef struct st_item_SUFFIX { TYPE value; int64_t position; } st_item_SUFFIX;

static inline st_item_SUFFIX st_item_of_SUFFIX(TYPE x, int64_t position) {
    return (st_item_SUFFIX){x, position};
}

static inline int st_before_SUFFIX(const st_item_SUFFIX *a, const st_item_SUFFIX *b) {
    return LESS(a->value, b->value);
}
#endif

/* Merge two runs which follow each other, without branches: from both ends at once, as long as
   neither end can run past its run; then what is left between them. */
static void st_merge_pair_SUFFIX(int64_t m, int64_t n, const st_item_SUFFIX *x, st_item_SUFFIX *y) {
    const st_item_SUFFIX *i = x, *j = x + m, *p = x + m - 1, *q = x + m + n - 1;
    st_item_SUFFIX *back = y + m + n - 1;
    for (int64_t k = 0; k < (m < n ? m : n); k++) {
        const int second = st_before_SUFFIX(j, i), first = st_before_SUFFIX(q, p);
        *y++ = *(second ? j : i);
        *back-- = *(first ? p : q);
        j += second, i += 1 - second;
        p -= first, q -= 1 - first;
    }
    while (i <= p && j <= q) {
        const int second = st_before_SUFFIX(j, i);
        *y++ = *(second ? j : i);
        j += second, i += 1 - second;
    }
    while (i <= p) *y++ = *i++;
    while (j <= q) *y++ = *j++;
}

static void st_merge_items_SUFFIX(int64_t n, st_item_SUFFIX *x, st_item_SUFFIX *work,
                                  int64_t *order) {
    enum { SHORT = 4 };
    for (int64_t begin = 0; begin < n; begin += SHORT) {
        const int64_t end = begin + SHORT < n ? begin + SHORT : n;
        for (int64_t i = begin + 1; i < end; i++) {
            const st_item_SUFFIX item = x[i];
            int64_t j = i;
            for (; j > begin && st_before_SUFFIX(&item, x + j - 1); j--) x[j] = x[j - 1];
            x[j] = item;
        }
    }
    st_item_SUFFIX *from = x, *to = work;
    for (int64_t width = SHORT; width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            const int64_t rest = n - begin, first = rest < width ? rest : width;
            const int64_t second = rest - first < width ? rest - first : width;
            st_merge_pair_SUFFIX(first, second, from + begin, to + begin);
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
        for (int64_t i = 0; i < n; i++) items[i] = st_item_of_SUFFIX(x[row * n + i], i);
        st_merge_items_SUFFIX(n, items, items + n, order + row * n);
    }
    free(items);
    return 0;
}
