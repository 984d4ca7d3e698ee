/* The gradient of the largest elements: each element that is equal to the largest one of a window
   gets the gradient of that window. */
static inline TYPE st_NAME_part_SUFFIX(TYPE x, TYPE y, TYPE g) { return x == y ? g : 0; }

/* One row of the image meets one row of the result. Where windows do not overlap along rows, and
   the row is met once, elements are stored; else they are added. */
static void st_NAME_row_SUFFIX(const st_pools *w, const TYPE *restrict x, const TYPE *restrict y,
                               const TYPE *restrict g, TYPE *restrict to, int once) {
    const int64_t k = w->k[2], s = w->s[2], p = w->p[2];
    if (k == 2 && s == 2 && p == 0 && once) {
        const int64_t whole = w->i[2] / 2 < w->t[2] ? w->i[2] / 2 : w->t[2];
        for (int64_t t = 0; t < whole; t++) {
            to[2 * t] = st_NAME_part_SUFFIX(x[2 * t], y[t], g[t]);
            to[2 * t + 1] = st_NAME_part_SUFFIX(x[2 * t + 1], y[t], g[t]);
        }
        for (int64_t i = 2 * whole; i < w->i[2]; i++)
            to[i] = i / 2 < w->t[2] ? st_NAME_part_SUFFIX(x[i], y[i / 2], g[i / 2]) : 0;
        return;
    }
    if (once) for (int64_t i = 0; i < w->i[2]; i++) to[i] = 0;
    for (int64_t a = 0; a < k; a++) {
        const st_span met = st_pool_met(w, 2, a);
        if (s == 1) {
            for (int64_t t = met.begin; t < met.end; t++)
                to[t + a - p] += st_NAME_part_SUFFIX(x[t + a - p], y[t], g[t]);
        } else {
            for (int64_t t = met.begin; t < met.end; t++)
                to[t * s + a - p] += st_NAME_part_SUFFIX(x[t * s + a - p], y[t], g[t]);
        }
    }
}

/* The part of an element in windows u, u - 1 and, if they are one apart, u - 2 of one row. */
static inline TYPE st_NAME_parts_SUFFIX(TYPE x, const TYPE *y, const TYPE *g, int64_t u, int64_t s) {
    const TYPE two = st_NAME_part_SUFFIX(x, y[u], g[u]) + st_NAME_part_SUFFIX(x, y[u - 1], g[u - 1]);
    return s == 2 ? two : two + st_NAME_part_SUFFIX(x, y[u - 2], g[u - 2]);
}

/* One row of the image, from all rows of the result whose windows contain it, 1 to 3, if windows
   are three wide and one or two apart. Element u s + q is in windows u and before. */
static inline __attribute__((always_inline)) void st_NAME_line_SUFFIX(
    const TYPE *restrict x, const TYPE *restrict y, const TYPE *restrict g, int64_t pitch,
    TYPE *restrict to, int64_t count, int64_t s, int64_t rows) {
    for (int64_t u = 0; u < count; u++) {
        TYPE even = st_NAME_parts_SUFFIX(x[u * s], y, g, u, s);
        if (rows > 1) even += st_NAME_parts_SUFFIX(x[u * s], y + pitch, g + pitch, u, s);
        if (rows > 2) even += st_NAME_parts_SUFFIX(x[u * s], y + 2 * pitch, g + 2 * pitch, u, s);
        to[u * s] = even;
        if (s == 2) {
            TYPE odd = st_NAME_part_SUFFIX(x[2 * u + 1], y[u], g[u]);
            if (rows > 1) odd += st_NAME_part_SUFFIX(x[2 * u + 1], y[pitch + u], g[pitch + u]);
            to[2 * u + 1] = odd;
        }
    }
}

/* Images of two axes with windows of 3 x 3 that are one or two apart. Results and gradients are
   copied with two elements on both sides of each row, whose gradients are zero. */
static void st_NAME_threes_SUFFIX(const st_pools *w, const TYPE *x, const TYPE *y, const TYPE *g,
                                  TYPE *to, TYPE *memory) {
    const int64_t pitch = w->t[2] + 4, s = w->s[2], p = w->p[2], length = w->i[2];
    TYPE *const ys = memory + 2, *const gs = ys + w->t[1] * pitch;
    for (int64_t k = 0; k < 2 * w->t[1] * pitch; k++) memory[k] = 0;
    for (int64_t t1 = 0; t1 < w->t[1]; t1++)
        for (int64_t t = 0; t < w->t[2]; t++) {
            ys[t1 * pitch + t] = y[t1 * w->t[2] + t];
            gs[t1 * pitch + t] = g[t1 * w->t[2] + t];
        }
    /* pairs of elements, if windows are two apart, begin at an even distance from the border */
    const int64_t first = s == 2 ? p % 2 : 0, u = (first + p) / s, count = (length - first) / s;
    for (int64_t i1 = 0; i1 < w->i[1]; i1++, x += length, to += length) {
        const st_span in = st_pool_windows(w, 1, i1);
        const TYPE *const yr = ys + in.begin * pitch, *const gr = gs + in.begin * pitch;
        const int64_t rows = in.end - in.begin;
#define ST_LINE(s, rows) \
    st_NAME_line_SUFFIX(x + first, yr + u, gr + u, pitch, to + first, count, s, rows)
        if (rows < 1) for (int64_t i = 0; i < length; i++) to[i] = 0;
        else if (s == 2 && rows == 1) ST_LINE(2, 1);
        else if (s == 2) ST_LINE(2, 2);
        else if (rows == 1) ST_LINE(1, 1);
        else if (rows == 2) ST_LINE(1, 2);
        else ST_LINE(1, 3);
#undef ST_LINE
        for (int64_t i = 0; i < length; i++) {
            if (i == first) i += count * s;
            if (i >= length) break;
            const st_span met = st_pool_windows(w, 2, i);
            to[i] = 0;
            for (int64_t row = 0; row < rows; row++)
                for (int64_t t = met.begin; t < met.end; t++)
                    to[i] += st_NAME_part_SUFFIX(x[i], yr[row * pitch + t], gr[row * pitch + t]);
        }
    }
}

static void st_NAME_item_SUFFIX(const st_pools *w, int64_t counted, const TYPE *x, const TYPE *y,
                                 const TYPE *g, TYPE *to, TYPE *memory) {
    (void)counted;
    if (st_pool_threes(w)) {
        st_NAME_threes_SUFFIX(w, x, y, g, to, memory);
        return;
    }
    for (int64_t i0 = 0; i0 < w->i[0]; i0++)
    for (int64_t i1 = 0; i1 < w->i[1]; i1++, x += w->i[2], to += w->i[2]) {
        const st_span in0 = st_pool_windows(w, 0, i0), in1 = st_pool_windows(w, 1, i1);
        int once = 1;
        for (int64_t t0 = in0.begin; t0 < in0.end; t0++)
            for (int64_t t1 = in1.begin; t1 < in1.end; t1++, once = 0) {
                const int64_t row = (t0 * w->t[1] + t1) * w->t[2];
                st_NAME_row_SUFFIX(w, x, y + row, g + row, to, once);
            }
        if (once) for (int64_t i = 0; i < w->i[2]; i++) to[i] = 0;
    }
}
