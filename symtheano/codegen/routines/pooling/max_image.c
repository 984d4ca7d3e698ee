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

/* The same for a distance and a number of rows; the arguments' addresses do not overlap. */
#define ST_LINE(s, rows) \
    static __attribute__((noinline)) void st_NAME_line_##s##_##rows##_SUFFIX( \
        const TYPE *restrict x, const TYPE *restrict y, const TYPE *restrict g, int64_t pitch, \
        TYPE *restrict to, int64_t count) { \
        st_NAME_line_SUFFIX(x, y, g, pitch, to, count, s, rows); \
    }
ST_LINE(1, 1)
ST_LINE(1, 2)
ST_LINE(1, 3)
ST_LINE(2, 1)
ST_LINE(2, 2)
#undef ST_LINE

/* Images of two axes with windows of 3 x 3 that are one or two apart. Results and gradients are
   copied with two elements on both sides of each row, whose gradients are zero. */
static void st_NAME_threes_SUFFIX(const st_pools *w, const TYPE *x, const TYPE *y, const TYPE *g,
                                  TYPE *to, TYPE *memory) {
    const int64_t pitch = w->t[2] + 4, s = w->s[2], p = w->p[2], length = w->i[2];
    TYPE *const ys = memory + 2, *const gs = ys + w->t[1] * pitch;
    const size_t row = (size_t)w->t[2] * sizeof(TYPE);
    for (int64_t t1 = 0; t1 < w->t[1]; t1++, y += w->t[2], g += w->t[2]) {
        TYPE *const yt = ys + t1 * pitch, *const gt = gs + t1 * pitch;
        yt[-2] = yt[-1] = yt[w->t[2]] = yt[w->t[2] + 1] = 0;
        gt[-2] = gt[-1] = gt[w->t[2]] = gt[w->t[2] + 1] = 0;
        __builtin_memcpy(yt, y, row);
        __builtin_memcpy(gt, g, row);
    }
    /* pairs of elements, if windows are two apart, begin at an even distance from the border */
    const int64_t first = s == 2 ? p % 2 : 0, u = (first + p) / s, count = (length - first) / s;
    for (int64_t i1 = 0; i1 < w->i[1]; i1++, x += length, to += length) {
        const st_span in = st_pool_windows(w, 1, i1);
        const TYPE *const yr = ys + in.begin * pitch, *const gr = gs + in.begin * pitch;
        const int64_t rows = in.end - in.begin;
        const TYPE *const from = x + first, *const yu = yr + u, *const gu = gr + u;
        if (rows < 1) for (int64_t i = 0; i < length; i++) to[i] = 0;
        else if (s == 2 && rows == 1) st_NAME_line_2_1_SUFFIX(from, yu, gu, pitch, to + first, count);
        else if (s == 2) st_NAME_line_2_2_SUFFIX(from, yu, gu, pitch, to + first, count);
        else if (rows == 1) st_NAME_line_1_1_SUFFIX(from, yu, gu, pitch, to + first, count);
        else if (rows == 2) st_NAME_line_1_2_SUFFIX(from, yu, gu, pitch, to + first, count);
        else st_NAME_line_1_3_SUFFIX(from, yu, gu, pitch, to + first, count);
        for (int64_t i = 0; i < length; i++) {
            if (i == first) i += count * s;
            if (i >= length) break;
            const int64_t at = (i + p) / 2; /* only images of pairs have other elements */
            to[i] = 0;
            for (int64_t row = 0; row < rows; row++) {
                const TYPE *const yt = yr + row * pitch, *const gt = gr + row * pitch;
                to[i] += (i + p) % 2 ? st_NAME_part_SUFFIX(x[i], yt[at], gt[at])
                                     : st_NAME_parts_SUFFIX(x[i], yt, gt, at, 2);
            }
        }
    }
}

static void st_NAME_item_SUFFIX(const st_pools *w, int64_t counted, const TYPE *x, const TYPE *y,
                                 const TYPE *g, TYPE *to, TYPE *memory) {
    (void)counted;
    if (st_pool_threes(w)) {
        const int64_t pixels = w->i[1] * w->i[2], places = w->t[1] * w->t[2];
        for (int64_t i0 = 0; i0 < w->i[0]; i0++)
            st_NAME_threes_SUFFIX(w, x + i0 * pixels, y + i0 * places, g + i0 * places,
                                  to + i0 * pixels, memory);
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
