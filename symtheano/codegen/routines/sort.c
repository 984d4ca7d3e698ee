/* Sort rows in place.

   NaN comes last, as NumPy has it; complex numbers are ordered by their real parts first. Real
   numbers are sorted by their bits, changed so that they are ordered as the numbers are: long rows
   some bits at a time, others by merging without branches. Equal numbers that differ in their bits
   come in any order, and NaN may lose its payload.

   int32_t st_sort_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, TYPE *x)
   returns 0, or 1 when there was no memory. */

#if IS_REAL
typedef BITS __attribute__((may_alias)) st_key_SUFFIX;

/* Merge two runs which follow each other: from both ends at once, as long as neither end can run
   past its run; then what is left between them. */
static void st_merge_keys_SUFFIX(int64_t m, int64_t n, const st_key_SUFFIX *x, st_key_SUFFIX *y) {
    const st_key_SUFFIX *const z = x + m;
    const int64_t shorter = m < n ? m : n, last = m + n - 1;
    int64_t i = 0, j = 0, k = 0, p = m - 1, q = n - 1;
    for (; k < shorter; k++) {
        const BITS a = x[i], b = z[j], c = x[p], d = z[q];
        const int64_t second = b < a, first = d < c;
        y[k] = second ? b : a;
        y[last - k] = first ? c : d;
        j += second, i += 1 - second;
        p -= first, q -= 1 - first;
    }
    while (i <= p && j <= q) {
        const BITS a = x[i], b = z[j];
        const int64_t second = b < a;
        y[k++] = second ? b : a;
        j += second, i += 1 - second;
    }
    while (i <= p) y[k++] = x[i++];
    while (j <= q) y[k++] = z[j++];
}

#define ST_ORDER(a, b)                                                                           \
    do {                                                                                         \
        const BITS low = b < a ? b : a, high = b < a ? a : b;                                    \
        a = low, b = high;                                                                       \
    } while (0)

static void st_merge_sort_SUFFIX(int64_t n, st_key_SUFFIX *x, st_key_SUFFIX *work) {
    enum { SHORT = 4 };
    int64_t begin = 0;
    for (; begin + SHORT <= n; begin += SHORT) {
        st_key_SUFFIX *const four = x + begin;
        BITS a = four[0], b = four[1], c = four[2], d = four[3];
        ST_ORDER(a, b);
        ST_ORDER(c, d);
        ST_ORDER(a, c);
        ST_ORDER(b, d);
        ST_ORDER(b, c);
        four[0] = a, four[1] = b, four[2] = c, four[3] = d;
    }
    for (int64_t i = begin + 1; i < n; i++) {
        const BITS key = x[i];
        int64_t j = i;
        for (; j > begin && key < x[j - 1]; j--) x[j] = x[j - 1];
        x[j] = key;
    }
    st_key_SUFFIX *from = x, *to = work;
    for (int64_t width = SHORT; width < n; width *= 2) {
        for (begin = 0; begin < n; begin += 2 * width) {
            const int64_t rest = n - begin, first = rest < width ? rest : width;
            const int64_t second = rest - first < width ? rest - first : width;
            st_merge_keys_SUFFIX(first, second, from + begin, to + begin);
        }
        st_key_SUFFIX *const other = from;
        from = to, to = other;
    }
    if (from != x) __builtin_memcpy(x, from, (size_t)n * sizeof *x);
}
#undef ST_ORDER

static void st_radix_sort_SUFFIX(int64_t n, st_key_SUFFIX *x, st_key_SUFFIX *work) {
    enum { WIDTH = 8 * sizeof(BITS), DIGITS = (WIDTH + 10) / 11, VALUES = 1 << 11 };
    int64_t counts[DIGITS][VALUES] = {0};
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++) counts[d][(x[i] >> 11 * d) & (VALUES - 1)]++;
    st_key_SUFFIX *from = x, *to = work;
    for (int d = 0; d < DIGITS; d++) {
        int64_t *const count = counts[d];
        if (count[(x[0] >> 11 * d) & (VALUES - 1)] == n) continue;
        int64_t total = 0;
        for (int v = 0; v < VALUES; v++) {
            const int64_t here = count[v];
            count[v] = total, total += here;
        }
        for (int64_t i = 0; i < n; i++)
            to[count[(from[i] >> 11 * d) & (VALUES - 1)]++] = from[i];
        st_key_SUFFIX *const other = from;
        from = to, to = other;
    }
    if (from != x) __builtin_memcpy(x, from, (size_t)n * sizeof *x);
}

static void st_sort_row_SUFFIX(int64_t n, TYPE *x, TYPE *work) {
    st_key_SUFFIX *const keys = (st_key_SUFFIX *)x;
    for (int64_t i = 0; i < n; i++) keys[i] = ORDERED(x[i], keys[i]);
    if (n >= (sizeof(BITS) > 4 ? 16384 : 1024)) st_radix_sort_SUFFIX(n, keys, (st_key_SUFFIX *)work);
    else st_merge_sort_SUFFIX(n, keys, (st_key_SUFFIX *)work);
    for (int64_t i = 0; i < n; i++) keys[i] = UNORDERED(keys[i]);
}
#endif

#if IS_COMPLEX
static void st_sort_row_SUFFIX(int64_t n, TYPE *x, TYPE *work) {
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
#endif

static __attribute__((noinline)) int32_t st_sort_SUFFIX(const st_runtime *runtime, int64_t rows,
                                                       int64_t n, TYPE *x) {
    if (rows <= 0 || n <= 1) return 0;
    st_announce(runtime, 30.0 * (double)rows * (double)n);
    TYPE *const work = malloc((size_t)n * sizeof *work);
    if (!work) return 1;
    for (int64_t row = 0; row < rows; row++) st_sort_row_SUFFIX(n, x + row * n, work);
    free(work);
    return 0;
}
