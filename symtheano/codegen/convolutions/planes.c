/* Planes: copies of the channels of an image with zeros around them. Element x of a row of a plane
   is at (x % phases) * width + x / phases, so elements that are a stride apart are neighbours. */

typedef struct planes {
    int64_t low[3];            /* zeros before each axis, or, if negative, elements left out */
    int64_t rows[2];           /* rows along the first two axes */
    int64_t phases, width;     /* a row has phases * width elements */
} planes;

INLINE int64_t row_size(const planes *g) { return g->phases * g->width; }
INLINE int64_t plane_size(const planes *g) { return g->rows[0] * g->rows[1] * row_size(g); }
/* Elements of some planes, before they are known to have memory. */
INLINE int64_t size_of_planes(const planes *g, int64_t count) {
    const int64_t rows = st_size_times(g->rows[0], g->rows[1]);
    return st_size_times(st_size_times(count, rows), st_size_times(g->phases, g->width));
}

/* Whether planes are the channels as they are. */
INLINE int are_channels(const planes *g, const int64_t *lengths) {
    return !g->low[0] && !g->low[1] && !g->low[2] && g->phases == 1 && g->rows[0] == lengths[0]
           && g->rows[1] == lengths[1] && g->width == lengths[2];
}

/* Where element x of row (r, s) of a plane is. */
INLINE int64_t place(const planes *g, int64_t r, int64_t s, int64_t x) {
    return (r * g->rows[1] + s) * row_size(g) + x % g->phases * g->width + x / g->phases;
}

static void clear(TYPE *to, int64_t count) { __builtin_memset(to, 0, count * sizeof(TYPE)); }

/* Copy elements to two phases of a row, after `before` other ones. */
static void split_phases(const planes *g, int64_t before, const TYPE *from, int64_t count,
                         TYPE *to) {
    TYPE *even = to + place(g, 0, 0, before), *odd = to + place(g, 0, 0, before + 1);
    int64_t x = 0;
    for (; x + 2 * LANES <= count; x += 2 * LANES, even += LANES, odd += LANES) {
        const vector a = load(from + x), b = load(from + x + LANES);
        *(loose_vector *)even = evens(a, b), *(loose_vector *)odd = odds(a, b);
    }
    for (; x < count; x++) *(x % 2 ? odd++ : even++) = from[x];
}

static void fill_row(const planes *g, int64_t length, const TYPE *from, TYPE *to) {
    if (g->phases == 1) {
        const int64_t first = MAX(-g->low[2], 0), before = MIN(MAX(g->low[2], 0), g->width);
        const int64_t count = MAX(MIN(length - first, g->width - before), 0);
        clear(to, before);
        __builtin_memcpy(to + before, from + (count ? first : 0), count * sizeof(TYPE));
        clear(to + before + count, g->width - before - count);
        return;
    }
    if (g->phases == 2 && g->low[2] >= 0) {
        clear(to, row_size(g));
        split_phases(g, g->low[2], from, MIN(length, row_size(g) - g->low[2]), to);
        return;
    }
    for (int64_t phase = 0; phase < g->phases; phase++, to += g->width) {
        int64_t x = phase - g->low[2], w = 0;
        for (; w < g->width && x < 0; w++, x += g->phases) to[w] = 0;
        for (; w < g->width && x < length; w++, x += g->phases) to[w] = from[x];
        if (w < g->width) clear(to + w, g->width - w);
    }
}

/* Copy a channel of an image of the given lengths to a plane. */
static void fill_plane(const planes *g, const int64_t *lengths, const TYPE *from, TYPE *to) {
    for (int64_t r = 0; r < g->rows[0]; r++)
        for (int64_t s = 0; s < g->rows[1]; s++, to += row_size(g)) {
            const int64_t i = r - g->low[0], j = s - g->low[1];
            if (i < 0 || i >= lengths[0] || j < 0 || j >= lengths[1]) clear(to, row_size(g));
            else fill_row(g, lengths[2], from + (i * lengths[1] + j) * lengths[2], to);
        }
}

/* Copy `count` elements as whole vectors, the last of which may reach beyond the end. */
INLINE void copy_over(TYPE *to, const TYPE *from, int64_t count) {
    for (int64_t i = 0; i < count; i += LANES) *(loose_vector *)(to + i) = load(from + i);
}

/* Copy `count` elements; a last vector that is not full begins earlier. */
INLINE void copy_exactly(TYPE *to, const TYPE *from, int64_t count) {
    if (count < LANES) {
        for (int64_t i = 0; i < count; i++) to[i] = from[i];
        return;
    }
    for (int64_t i = 0; i < count; i += LANES) {
        const int64_t at = MIN(i, count - LANES);
        *(loose_vector *)(to + at) = load(from + at);
    }
}

/* Whether all arrays have two axes: along the first of three there is one element, which is met. */
INLINE int is_flat(const st_windows *w) {
    return w->i[0] == 1 && w->k[0] == 1 && w->t[0] == 1 && !w->p[0];
}

/* Parts of the items whose sums are apart, so that threads share them: as many for any number of
   threads, and no more for what has as many groups. */
enum { MOST_PARTS = 8 };

static double real_volume(const int64_t *lengths) {
    return (double)lengths[0] * (double)lengths[1] * (double)lengths[2];
}

/* -- the planes of an image that filters meet -------------------------------------------------- */

/* Elements along an axis, with zeros around them, that the filters meet. */
static int64_t reach(const st_windows *w, int axis) {
    const int64_t along = span_of(w->t[axis], w->s[axis]);
    return along ? st_size_plus(along, span_of(w->k[axis], w->d[axis]) - 1) : 0;
}

/* Filters reach beyond an image if there are zeros before it, or behind it. */
static planes planes_of_image(const st_windows *w) {
    int64_t extent[3], padded = w->s[2] > 1;
    for (int axis = 0; axis < 3; axis++) {
        extent[axis] = reach(w, axis);
        padded |= w->p[axis] > 0 || extent[axis] > w->i[axis];
    }
    if (!padded) return (planes){{0}, {w->i[0], w->i[1]}, 1, w->i[2]};
    return (planes){{w->p[0], w->p[1], w->p[2]}, {extent[0], extent[1]}, w->s[2],
                    (extent[2] + w->s[2] - 1) / w->s[2]};
}

/* Where the element of a filter at a position is. */
INLINE int64_t tap(const st_windows *w, const int64_t *k) {
    int64_t found = 0;
    for (int axis = 0; axis < 3; axis++)
        found = found * w->k[axis] + (w->flip ? w->k[axis] - 1 - k[axis] : k[axis]);
    return found;
}

/* Find for each element of a filter where it is, and how far what it meets is from what the first
   one meets. */
static void find_terms(const st_windows *w, const planes *g, int64_t *offset, int64_t *where) {
    int64_t k[3], n = 0;
    for (int64_t c = 0; c < w->c; c++)
    for (k[0] = 0; k[0] < w->k[0]; k[0]++)
    for (k[1] = 0; k[1] < w->k[1]; k[1]++)
    for (k[2] = 0; k[2] < w->k[2]; k[2]++, n++) {
        offset[n] = c * plane_size(g) + place(g, k[0] * w->d[0], k[1] * w->d[1], k[2] * w->d[2]);
        where[n] = c * st_volume(w->k) + tap(w, k);
    }
}

/* Where the element is that the first element of a filter meets at a position. */
INLINE int64_t position(const st_windows *w, const planes *g, int64_t t) {
    const int64_t row = t / w->t[2];
    return (row / w->t[1] * w->s[0] * g->rows[1] + row % w->t[1] * w->s[1]) * row_size(g)
           + t % w->t[2];
}
