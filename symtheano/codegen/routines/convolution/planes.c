/* Planes: copies of the channels of an image with zeros around them. Element x of a row of a plane
   is at (x % phases) * width + x / phases, so elements that are a stride apart are neighbours. */

typedef struct planes {
    int64_t low[3];            /* zeros before each axis, or, if negative, elements left out */
    int64_t rows[2];           /* rows along the first two axes */
    int64_t phases, width;     /* a row has phases * width elements */
} planes;

INLINE int64_t row_size(const planes *g) { return g->phases * g->width; }
INLINE int64_t plane_size(const planes *g) { return g->rows[0] * g->rows[1] * row_size(g); }

/* Where element x of row (r, s) of a plane is. */
INLINE int64_t place(const planes *g, int64_t r, int64_t s, int64_t x) {
    return (r * g->rows[1] + s) * row_size(g) + x % g->phases * g->width + x / g->phases;
}

static void clear(TYPE *to, int64_t count) { __builtin_memset(to, 0, count * sizeof(TYPE)); }

static void fill_row(const planes *g, int64_t length, const TYPE *from, TYPE *to) {
    if (g->phases == 1) {
        const int64_t first = MAX(-g->low[2], 0), before = MIN(MAX(g->low[2], 0), g->width);
        const int64_t count = MAX(MIN(length - first, g->width - before), 0);
        clear(to, before);
        __builtin_memcpy(to + before, from + (count ? first : 0), count * sizeof(TYPE));
        clear(to + before + count, g->width - before - count);
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
