/* The gradient of the largest elements: each element that is equal to the largest one of a window
   gets the gradient of that window.

   Element s j + q of a row, if windows are s apart, is element j of its phase q. So neighbours of a
   phase meet neighbours among the windows, and are a vector. Results and gradients are copied with
   gaps between their rows, in which gradients are zero; a vector that would reach beyond its row
   begins earlier. */

/* How an image is read. So many rows are divided into phases at once, each `length` elements long;
   phases are `step` apart in memory, and rows of results with gaps `pitch`. Whether the image is
   read where it is, and whether results are. */
typedef struct plan {
    int64_t rows, length, step, gap, pitch, spaced;
    int in_place, has_rows;
} plan;

static plan plan_of(const st_pools *w) {
    const int64_t s = w->s[2], length = (w->i[2] + s - 1) / s, before = (w->k[2] - 1) / s;
    const int64_t after = length + (s - 1 + w->p[2]) / s - w->t[2];
    const int64_t gap = before > after ? before : after, pitch = w->t[2] + gap;
    const int64_t some = 1024 / (s * length + 1) + 1, rows = some > w->i[1] ? w->i[1] : some;
    const int64_t spaced = st_size_times(st_size_times(w->t[0], w->t[1]), pitch);
    return (plan){
        rows, length, rows * length + LANES, gap, pitch,
        st_size_plus(gap + LANES, spaced), s < 3 && w->i[2] / s >= LANES,
        gap == 0 && length >= LANES,
    };
}

/* The number of elements that a thread needs memory for. */
static int64_t memory_max_image(const st_pools *w) {
    const plan b = plan_of(w);
    return st_size_plus(b.in_place ? 0 : st_size_times(2 * w->s[2], b.step),
                     b.has_rows ? 0 : st_size_times(2, b.spaced));
}

/* Rows of the image, from number `first` on, with `count` elements in each phase. Phases are `step`
   apart, or mixed, if there are two and it is 0; rows are `length` apart. They meet windows of
   `planes` planes, whose first one is at y and g; rows of windows are `pitch` apart. */
typedef struct block {
    const TYPE *x, *y, *g;
    TYPE *to;
    int64_t first, rows, count, step, length, planes, plane, pitch;
} block;

/* The gradients of a vector of elements of phase q, the first of which is number `at`, from `rows`
   rows of windows; these have k elements, and are s apart after a border of p. */
INLINE vector sum_at(
    const block *b, vector x, const TYPE *y, const TYPE *g, int64_t at, int64_t q,
    int64_t k, int64_t s, int64_t p, int64_t planes, int64_t rows) {
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
INLINE void make_row(const block *b, const TYPE *x, const TYPE *y, const TYPE *g, TYPE *to,
                     int64_t k, int64_t s, int64_t p, int64_t planes, int64_t rows, int mixed) {
    const int64_t lanes = LANES, last = b->count - lanes;
    for (int64_t j = 0; j < b->count; j += lanes) {
        const int64_t at = j > last && last >= 0 ? last : j;
        if (mixed) {
            const vector left = *(const vector *)(x + 2 * at);
            const vector right = *(const vector *)(x + 2 * at + lanes);
            const vector x0 = MIXED(left, right, EVEN_LANES);
            const vector x1 = MIXED(left, right, ODD_LANES);
            const vector even = sum_at(b, x0, y, g, at, 0, k, 2, p, planes, rows);
            const vector odd = sum_at(b, x1, y, g, at, 1, k, 2, p, planes, rows);
            *(vector *)(to + 2 * at) = MIXED(even, odd, LOW_LANES);
            *(vector *)(to + 2 * at + lanes) = MIXED(even, odd, HIGH_LANES);
            continue;
        }
        for (int64_t q = 0; q < s; q++)
            *(vector *)(to + q * b->step + at) = sum_at(
                b, *(const vector *)(x + q * b->step + at), y, g, at, q, k, s, p, planes, rows);
    }
}

/* The gradient of the last element of a row, which makes no pair. */
static TYPE last_of(const block *b, TYPE x, const TYPE *y, const TYPE *g, int64_t rows,
                    int64_t k, int64_t p) {
    TYPE sum = 0;
    for (int64_t plane = 0; plane < b->planes; plane++)
    for (int64_t row = 0; row < rows; row++)
    for (int64_t m = 0; 2 * m + p < k; m++) {
        const int64_t at = plane * b->plane + row * b->pitch + b->count - m;
        sum += x == y[at] ? g[at] : 0;
    }
    return sum;
}

/* The gradients of all rows. If `own`, at most three rows of windows of one plane meet an element,
   and not more of them than columns; the numbers of rows are known then. */
INLINE void make_rows(const st_pools *w, const block *given, int64_t k, int64_t s, int64_t p,
                      int64_t planes, int mixed, int own) {
    const block b = *given; /* a copy, which no store changes */
    const int64_t most = (k + s - 1) / s;
    st_span in = {0, 0};
    for (int64_t i = 0; i < b.rows; i++) {
        advance(w, 1, b.first + i, &in);
        const int64_t rows = in.end - in.begin;
        const TYPE *const x = b.x + i * b.length;
        const TYPE *const y = b.y + in.begin * b.pitch, *const g = b.g + in.begin * b.pitch;
        TYPE *const to = b.to + i * b.length;
        if (!own) make_row(&b, x, y, g, to, k, s, p, planes, rows, mixed);
        else if (rows == 1) make_row(&b, x, y, g, to, k, s, p, 1, 1, mixed);
        else if (most > 1 && rows == 2) make_row(&b, x, y, g, to, k, s, p, 1, 2, mixed);
        else if (most > 2 && rows == 3) make_row(&b, x, y, g, to, k, s, p, 1, 3, mixed);
        else make_row(&b, x, y, g, to, k, s, p, 1, 0, mixed);
        if (mixed && b.count * 2 < b.length)
            to[b.length - 1] = last_of(&b, x[b.length - 1], y, g, rows, k, p);
    }
}

/* Functions for some windows, whose lengths are constants in them. */
typedef void own(const st_pools *, const block *);
#define OWN(k, s, p) \
    static void own_##k##s##p(const st_pools *w, const block *b) { \
        make_rows(w, b, k, s, p, 1, s == 2, 1); \
    }
OWN(2, 1, 0)
OWN(3, 1, 0)
OWN(2, 2, 0)
OWN(3, 2, 0)
OWN(3, 2, 1)

/* Such a function for windows of k elements, which are s apart after a border of p, or NULL. */
static own *own_of(const st_pools *w, int64_t k, int64_t s, int64_t p) {
    const int64_t most = (k + s - 1) / s;
    if (w->k[0] != 1 || w->s[0] != 1 || (w->k[1] + w->s[1] - 1) / w->s[1] > most) return NULL;
    if (s == 1) return k == 2 ? own_210 : k == 3 ? own_310 : NULL;
    return k == 2 && p == 0 ? own_220 : k == 3 ? p ? own_321 : own_320 : NULL;
}

static void compute(const st_pools *w, const block *b) {
    const int64_t k = w->k[2], s = w->s[2], p = w->p[2] % s;
    const int mixed = s == 2 && !b->step;
    own *const own = mixed || s == 1 ? own_of(w, k, s, p) : NULL;
    if (own) own(w, b);
    else if (mixed) make_rows(w, b, k, 2, p, b->planes, 1, 0);
    else make_rows(w, b, k, s, p, b->planes, 0, 0);
}

/* Divide elements into phases, which are `step` apart. */
static void split(const TYPE *restrict x, int64_t s, TYPE *restrict to, int64_t step,
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
static void merge(const TYPE *restrict from, int64_t step, int64_t s, TYPE *restrict to,
                  int64_t count) {
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
static void read_rows(const st_pools *w, const plan *b, const TYPE *x, int64_t rows, TYPE *to) {
    const int64_t s = w->s[2], length = w->i[2], whole = length / s;
    if (whole * s == length) return split(x, s, to, b->step, rows * whole);
    for (int64_t row = 0; row < rows; row++, x += length, to += b->length) {
        split(x, s, to, b->step, whole);
        for (int64_t i = whole * s; i < length; i++) to[i % s * b->step + whole] = x[i];
    }
}

static void write_rows(const st_pools *w, const plan *b, const TYPE *from, int64_t rows, TYPE *to) {
    const int64_t s = w->s[2], length = w->i[2], whole = length / s;
    if (whole * s == length) return merge(from, b->step, s, to, rows * whole);
    for (int64_t row = 0; row < rows; row++, from += b->length, to += length) {
        merge(from, b->step, s, to, whole);
        for (int64_t i = whole * s; i < length; i++) to[i] = from[i % s * b->step + whole];
    }
}

/* Copy rows of results or gradients, with zeros before, between and after them. */
static void space(const st_pools *w, const plan *b, const TYPE *from, TYPE *to) {
    const int64_t rows = w->t[0] * w->t[1], length = w->t[2];
    for (int64_t j = 0; j < b->gap; j++) to[j] = 0;
    to += b->gap;
    for (int64_t row = 0; row < rows; row++, from += length, to += b->pitch) {
        int64_t j = 0;
        if (row + 1 < rows && length >= LANES)
            for (; j < length; j += LANES) *(vector *)(to + j) = *(const vector *)(from + j);
        else
            __builtin_memcpy(to, from, (size_t)length * sizeof(TYPE));
        for (j = length; j < b->pitch; j++) to[j] = 0;
    }
    for (int64_t j = 0; j < LANES; j++) to[j] = 0;
}

static void max_image(const st_pools *w, const TYPE *x, const TYPE *y, const TYPE *g, TYPE *to,
                      TYPE *memory) {
    const int64_t s = w->s[2], p = w->p[2];
    const plan b = plan_of(w);
    TYPE *const phases = memory, *const sums = memory + s * b.step;
    if (!b.has_rows) {
        TYPE *const ys = b.in_place ? memory : sums + s * b.step, *const gs = ys + b.spaced;
        space(w, &b, y, ys);
        space(w, &b, g, gs);
        y = ys + b.gap, g = gs + b.gap;
    }
    const int64_t step = b.in_place ? 0 : b.step;
    const int64_t pitch = b.in_place ? w->i[2] : b.length, count = b.in_place ? pitch / s : pitch;
    st_span in0 = {0, 0};
    for (int64_t i0 = 0; i0 < w->i[0]; i0++)
    for (int64_t first = 0; first < w->i[1]; first += b.rows) {
        advance(w, 0, i0, &in0);
        const int64_t left = w->i[1] - first, rows = left < b.rows ? left : b.rows;
        if (!b.in_place) read_rows(w, &b, x, rows, phases);
        const int64_t at = in0.begin * w->t[1] * b.pitch + p / s;
        const block part = {
            b.in_place ? x : phases, y + at, g + at, b.in_place ? to : sums, first, rows, count,
            step, pitch, in0.end - in0.begin, w->t[1] * b.pitch, b.pitch,
        };
        compute(w, &part);
        if (!b.in_place) write_rows(w, &b, sums, rows, to);
        x += rows * w->i[2], to += rows * w->i[2];
    }
}

static void run_max_image(const st_pools *w, const arrays *a, TYPE *memory) {
    max_image(w, a->x, a->y, a->g, a->made, memory);
}
