/* The gradient of the largest elements: each element that is equal to the largest one of a window
   gets the gradient of that window.

   Element s j + q of a row, if windows are s apart, is element j of its phase q. So neighbours of a
   phase meet neighbours among the windows, and are a vector. Results and gradients are copied with
   gaps between their rows, in which gradients are zero; a vector that would reach beyond its row
   begins earlier. */
enum { ST_NAME_LANES_SUFFIX = ST_POOL_VECTOR / sizeof(TYPE) };
typedef TYPE st_NAME_vector_SUFFIX
    __attribute__((vector_size(ST_POOL_VECTOR), aligned(sizeof(TYPE)), may_alias));
typedef INTEGER st_NAME_mask_SUFFIX __attribute__((vector_size(ST_POOL_VECTOR)));

#if defined(__clang__)
#define ST_NAME_MIXED_SUFFIX(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define ST_NAME_MIXED_SUFFIX(x, y, ...) \
    __builtin_shuffle(x, y, (st_NAME_mask_SUFFIX){__VA_ARGS__})
#endif

/* Rows of the image, from number `first` on, with `count` elements in each phase. Phases are `step`
   apart, or mixed, if there are two and it is 0; rows are `length` apart. They meet windows of
   `planes` planes, whose first one is at y and g; rows of windows are `pitch` apart. */
typedef struct st_NAME_block_SUFFIX {
    const TYPE *x, *y, *g;
    TYPE *to;
    int64_t first, rows, count, step, length, planes, plane, pitch;
} st_NAME_block_SUFFIX;

/* The gradients of a vector of elements of phase q, the first of which is number `at`, from `rows`
   rows of windows; these have k elements, and are s apart after a border of p. */
static inline __attribute__((always_inline)) st_NAME_vector_SUFFIX st_NAME_sum_SUFFIX(
    const st_NAME_block_SUFFIX *b, st_NAME_vector_SUFFIX x, const TYPE *y, const TYPE *g,
    int64_t at, int64_t q, int64_t k, int64_t s, int64_t p, int64_t planes, int64_t rows) {
    typedef st_NAME_vector_SUFFIX vector;
    typedef st_NAME_mask_SUFFIX mask;
    vector sum = {0};
    for (int64_t plane = 0; plane < planes; plane++)
    _Pragma("GCC unroll 4") for (int64_t row = 0; row < rows; row++)
    _Pragma("GCC unroll 4") for (int64_t m = 0; m * s + (q + p) % s < k; m++) {
        const int64_t from = plane * b->plane + row * b->pitch + at + (q + p) / s - m;
        const vector ys = *(const vector *)(y + from), gs = *(const vector *)(g + from);
        sum += (vector)((mask)(x == ys) & (mask)gs);
    }
    return sum;
}

/* The gradients of a row, which begins at x. */
static inline __attribute__((always_inline)) void st_NAME_row_SUFFIX(
    const st_NAME_block_SUFFIX *b, const TYPE *x, const TYPE *y, const TYPE *g, TYPE *to,
    int64_t k, int64_t s, int64_t p, int64_t planes, int64_t rows, int mixed) {
    typedef st_NAME_vector_SUFFIX vector;
    const int64_t lanes = ST_NAME_LANES_SUFFIX, last = b->count - lanes;
    for (int64_t j = 0; j < b->count; j += lanes) {
        const int64_t at = j > last && last >= 0 ? last : j;
        if (mixed) {
            const vector left = *(const vector *)(x + 2 * at);
            const vector right = *(const vector *)(x + 2 * at + lanes);
            const vector x0 = ST_NAME_MIXED_SUFFIX(left, right, EVEN_LANES);
            const vector x1 = ST_NAME_MIXED_SUFFIX(left, right, ODD_LANES);
            const vector even = st_NAME_sum_SUFFIX(b, x0, y, g, at, 0, k, 2, p, planes, rows);
            const vector odd = st_NAME_sum_SUFFIX(b, x1, y, g, at, 1, k, 2, p, planes, rows);
            *(vector *)(to + 2 * at) = ST_NAME_MIXED_SUFFIX(even, odd, LOW_LANES);
            *(vector *)(to + 2 * at + lanes) = ST_NAME_MIXED_SUFFIX(even, odd, HIGH_LANES);
            continue;
        }
        for (int64_t q = 0; q < s; q++)
            *(vector *)(to + q * b->step + at) = st_NAME_sum_SUFFIX(
                b, *(const vector *)(x + q * b->step + at), y, g, at, q, k, s, p, planes, rows);
    }
}

/* The gradient of the last element of a row, which makes no pair. */
static TYPE st_NAME_last_SUFFIX(const st_NAME_block_SUFFIX *b, TYPE x, const TYPE *y, const TYPE *g,
                                int64_t rows, int64_t k, int64_t p) {
    TYPE sum = 0;
    for (int64_t plane = 0; plane < b->planes; plane++)
    for (int64_t row = 0; row < rows; row++)
    for (int64_t m = 0; 2 * m + p < k; m++) {
        const int64_t at = plane * b->plane + row * b->pitch + b->count - m;
        sum += x == y[at] ? g[at] : 0;
    }
    return sum;
}

/* The gradients of all rows. Windows of OWN_K elements are as many in both directions, and meet at
   most three rows; the numbers of rows are known then. */
static inline __attribute__((always_inline)) void st_NAME_rows_SUFFIX(
    const st_pools *w, const st_NAME_block_SUFFIX *block, int64_t k, int64_t s, int64_t p,
    int64_t planes, int mixed, int own) {
    const st_NAME_block_SUFFIX b = *block; /* a copy, which no store changes */
    const int64_t most = (k + s - 1) / s;
    st_span in = {0, 0};
    for (int64_t i = 0; i < b.rows; i++) {
        st_pool_advance(w, 1, b.first + i, &in);
        const int64_t rows = in.end - in.begin;
        const TYPE *const x = b.x + i * b.length;
        const TYPE *const y = b.y + in.begin * b.pitch, *const g = b.g + in.begin * b.pitch;
        TYPE *const to = b.to + i * b.length;
        if (!own) st_NAME_row_SUFFIX(&b, x, y, g, to, k, s, p, planes, rows, mixed);
        else if (rows == 1) st_NAME_row_SUFFIX(&b, x, y, g, to, k, s, p, 1, 1, mixed);
        else if (most > 1 && rows == 2) st_NAME_row_SUFFIX(&b, x, y, g, to, k, s, p, 1, 2, mixed);
        else if (most > 2 && rows == 3) st_NAME_row_SUFFIX(&b, x, y, g, to, k, s, p, 1, 3, mixed);
        else st_NAME_row_SUFFIX(&b, x, y, g, to, k, s, p, 1, 0, mixed);
        if (mixed && b.count * 2 < b.length)
            to[b.length - 1] = st_NAME_last_SUFFIX(&b, x[b.length - 1], y, g, rows, k, p);
    }
}

static void st_NAME_block_of_SUFFIX(const st_pools *w, const st_NAME_block_SUFFIX *b) {
    const int64_t k = w->k[2], s = w->s[2], p = w->p[2] % s;
    const int mixed = s == 2 && !b->step;
    if (OWN_K && (mixed || s == 1))
        st_NAME_rows_SUFFIX(w, b, OWN_K, OWN_S, OWN_P, 1, OWN_S == 2, 1);
    else if (!OWN_K && mixed) st_NAME_rows_SUFFIX(w, b, k, 2, p, b->planes, 1, 0);
    else st_NAME_rows_SUFFIX(w, b, k, s, p, b->planes, 0, 0);
}

/* Divide elements into phases, which are `step` apart. */
static void st_NAME_split_SUFFIX(const TYPE *restrict x, int64_t s, TYPE *restrict to, int64_t step,
                                 int64_t count) {
    if (s == 1) {
        __builtin_memcpy(to, x, (size_t)count * sizeof(TYPE));
    } else if (s == 2) {
        for (int64_t j = 0; j < count; j++) to[j] = x[2 * j], to[step + j] = x[2 * j + 1];
    } else if (s == 3) {
        for (int64_t j = 0; j < count; j++)
            to[j] = x[3 * j], to[step + j] = x[3 * j + 1], to[2 * step + j] = x[3 * j + 2];
    } else {
        for (int64_t q = 0; q < s; q++)
            for (int64_t j = 0; j < count; j++) to[q * step + j] = x[j * s + q];
    }
}

/* The inverse. */
static void st_NAME_merge_SUFFIX(const TYPE *restrict from, int64_t step, int64_t s,
                                 TYPE *restrict to, int64_t count) {
    if (s == 1) {
        __builtin_memcpy(to, from, (size_t)count * sizeof(TYPE));
    } else if (s == 2) {
        for (int64_t j = 0; j < count; j++) to[2 * j] = from[j], to[2 * j + 1] = from[step + j];
    } else if (s == 3) {
        for (int64_t j = 0; j < count; j++)
            to[3 * j] = from[j], to[3 * j + 1] = from[step + j], to[3 * j + 2] = from[2 * step + j];
    } else {
        for (int64_t q = 0; q < s; q++)
            for (int64_t j = 0; j < count; j++) to[j * s + q] = from[q * step + j];
    }
}

/* Rows of the image to phases, and back. If a row has no whole number of elements of each phase,
   its last elements are moved one by one. */
static void st_NAME_read_SUFFIX(const st_pools *w, const st_pool_block *b, const TYPE *x,
                                int64_t rows, TYPE *to) {
    const int64_t s = w->s[2], length = w->i[2], whole = length / s;
    if (whole * s == length) return st_NAME_split_SUFFIX(x, s, to, b->step, rows * whole);
    for (int64_t row = 0; row < rows; row++, x += length, to += b->length) {
        st_NAME_split_SUFFIX(x, s, to, b->step, whole);
        for (int64_t i = whole * s; i < length; i++) to[i % s * b->step + whole] = x[i];
    }
}

static void st_NAME_write_SUFFIX(const st_pools *w, const st_pool_block *b, const TYPE *from,
                                 int64_t rows, TYPE *to) {
    const int64_t s = w->s[2], length = w->i[2], whole = length / s;
    if (whole * s == length) return st_NAME_merge_SUFFIX(from, b->step, s, to, rows * whole);
    for (int64_t row = 0; row < rows; row++, from += b->length, to += length) {
        st_NAME_merge_SUFFIX(from, b->step, s, to, whole);
        for (int64_t i = whole * s; i < length; i++) to[i] = from[i % s * b->step + whole];
    }
}

/* Copy rows of results or gradients, with zeros before, between and after them. */
static void st_NAME_space_SUFFIX(const st_pools *w, const st_pool_block *b, const TYPE *from,
                                 TYPE *to) {
    const int64_t rows = w->t[0] * w->t[1], length = w->t[2];
    for (int64_t j = 0; j < b->gap; j++) to[j] = 0;
    to += b->gap;
    for (int64_t row = 0; row < rows; row++, from += length, to += b->pitch) {
        int64_t j = 0;
        if (row + 1 < rows && length >= ST_NAME_LANES_SUFFIX)
            for (; j < length; j += ST_NAME_LANES_SUFFIX)
                *(st_NAME_vector_SUFFIX *)(to + j) = *(const st_NAME_vector_SUFFIX *)(from + j);
        else
            __builtin_memcpy(to, from, (size_t)length * sizeof(TYPE));
        for (j = length; j < b->pitch; j++) to[j] = 0;
    }
    for (int64_t j = 0; j < ST_NAME_LANES_SUFFIX; j++) to[j] = 0;
}

static void st_NAME_item_SUFFIX(const st_pools *w, int64_t counted, const TYPE *x, const TYPE *y,
                                 const TYPE *g, TYPE *to, TYPE *memory) {
    (void)counted;
    const int64_t lanes = ST_NAME_LANES_SUFFIX, s = w->s[2], k = w->k[2], p = w->p[2];
    const st_pool_block b = st_pool_block_of(w, lanes);
    TYPE *const phases = memory, *const sums = memory + s * b.step;
    if (!b.has_rows) {
        TYPE *const ys = b.in_place ? memory : sums + s * b.step, *const gs = ys + b.spaced;
        st_NAME_space_SUFFIX(w, &b, y, ys);
        st_NAME_space_SUFFIX(w, &b, g, gs);
        y = ys + b.gap, g = gs + b.gap;
    }
    const int64_t step = b.in_place ? 0 : b.step;
    const int64_t pitch = b.in_place ? w->i[2] : b.length, count = b.in_place ? pitch / s : pitch;
    st_span in0 = {0, 0};
    for (int64_t i0 = 0; i0 < w->i[0]; i0++)
    for (int64_t first = 0; first < w->i[1]; first += b.rows) {
        st_pool_advance(w, 0, i0, &in0);
        const int64_t left = w->i[1] - first, rows = left < b.rows ? left : b.rows;
        if (!b.in_place) st_NAME_read_SUFFIX(w, &b, x, rows, phases);
        const int64_t at = in0.begin * w->t[1] * b.pitch + p / s;
        const st_NAME_block_SUFFIX block = {
            b.in_place ? x : phases, y + at, g + at, b.in_place ? to : sums, first, rows, count,
            step, pitch, in0.end - in0.begin, w->t[1] * b.pitch, b.pitch,
        };
        st_NAME_block_of_SUFFIX(w, &block);
        if (!b.in_place) st_NAME_write_SUFFIX(w, &b, sums, rows, to);
        x += rows * w->i[2], to += rows * w->i[2];
    }
}
