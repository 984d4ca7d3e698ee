/* Images of two or three channels, with stride 2 along rows. The even columns of an image meet other
   columns of a filter than the odd ones; a tile in registers has both, of all channels. What a strip
   of columns reads of the results is copied: a ring of rows, each of all filters, to which one is
   added for each row of a phase of the image. */

/* Channels and, of each phase, vectors of a tile; rows of each phase that a thread makes one after
   the other, and bytes of the rings of several strips, for which rows are copied together. */
enum { STRIP_CHANNELS = 3, STRIP_VECTORS = 3, BAND = 28, RINGS = 262144 };

/* What elements s u + r of an axis of the image meet: places u + first, ... of the result and, for
   each, an element of the filter, from `tap` on in steps of -s. */
typedef struct meeting { int64_t first, count, tap; } meeting;

typedef struct strips {
    const st_windows *w;
    meeting even, odd;         /* of columns; the odd ones begin and end at the same, or the next */
    int64_t grid[2];           /* rows and columns of a phase of the image */
    int64_t low[2], rows;      /* least distances along the axes, and rows of the ring */
    int64_t pitch;             /* of a row of one filter */
    int64_t width, at_once;    /* columns of a strip, and strips that are made together */
    TYPE *a;                   /* (groups, phases of rows, rows, filters, columns, channels) */
    TYPE *rings;               /* of each thread: (strips, rows, filters, pitch) */
    int64_t ring_size;
    int threads;
} strips;

static meeting find_meeting(const st_windows *w, int axis, int64_t r) {
    const int64_t s = w->s[axis], least = (r + w->p[axis]) % s;
    const int64_t count = w->k[axis] > least ? (w->k[axis] - least + s - 1) / s : 0;
    const int64_t tap = least + (count - 1) * s;
    return (meeting){quotient(r + w->p[axis] - tap, s), count, tap};
}

static int fits_strips(const call *c, void *plan) {
    const st_windows *w = c->w;
    *(strips *)plan = (strips){.w = w, .threads = c->threads};
    if (w->c < 2 || w->c > STRIP_CHANNELS || w->s[2] != 2) return 0;
    if (w->k[1] < w->s[1] || w->k[2] < w->s[2]) return 0;
    return is_flat(w) && w->d[1] == 1 && w->d[2] == 1;
}

/* Pack the elements in the order in which they are used. */
static void pack_strips(const strips *t, const TYPE *kernel, TYPE *to) {
    const st_windows *w = t->w;
    const int64_t taps = w->k[1] * w->k[2];
    for (int64_t r = 0; r < w->s[1]; r++) {
        const meeting m = find_meeting(w, 1, r);
        for (int64_t row = 0; row < m.count; row++)
        for (int64_t o = 0; o < w->o; o++)
        for (int64_t x = t->even.first; x < t->odd.first + t->odd.count; x++)
        for (int64_t phase = 0; phase < 2; phase++) {
            const meeting *n = phase ? &t->odd : &t->even;
            const int64_t i = x - n->first;
            const int64_t at = (m.tap - row * w->s[1]) * w->k[2] + n->tap - 2 * i;
            for (int64_t c = 0; c < w->c && i >= 0 && i < n->count; c++)
                *to++ = kernel[(o * w->c + c) * taps + (w->flip ? taps - 1 - at : at)];
        }
    }
}

static void plan_strips(const call *c, void *plan, arena *memory) {
    strips *t = plan;
    const st_windows *w = t->w;
    t->even = find_meeting(w, 2, 0), t->odd = find_meeting(w, 2, 1);
    int64_t high[2] = {INT64_MIN, INT64_MIN};
    t->low[0] = t->low[1] = INT64_MAX;
    for (int axis = 1; axis < 3; axis++) {
        t->grid[axis - 1] = (w->i[axis] + w->s[axis] - 1) / w->s[axis];
        for (int64_t r = 0; r < w->s[axis]; r++) {
            const meeting m = find_meeting(w, axis, r);
            t->low[axis - 1] = MIN(t->low[axis - 1], m.first);
            high[axis - 1] = MAX(high[axis - 1], m.first + m.count - 1);
        }
    }
    t->rows = high[0] - t->low[0] + 1, t->width = (5 - w->c) * LANES;
    t->pitch = VECTORS(t->width + high[1] - t->low[1]) * LANES;
    t->ring_size = st_size_plus(st_size_times(st_size_times(t->rows, w->o), t->pitch), LANES);
    t->at_once = MAX(RINGS / (int64_t)sizeof(TYPE) / t->ring_size, 1);
    t->at_once = MIN(t->at_once, (t->grid[1] + t->width - 1) / t->width);
    const int64_t size = w->o * w->c * st_volume(w->k);
    const packing packed = take_packing(memory, w, 0, w->groups * size);
    t->a = packed.a;
    const int64_t of_thread = st_size_times(t->ring_size, t->at_once);
    t->rings = take_elements(memory, st_size_times(of_thread, t->threads));
    if (!memory->base) return;
    for (int64_t group = 0; group < w->groups && !packed.is_done; group++)
        pack_strips(t, c->kernel + group * size, t->a + group * size);
    keep_filter(&packed);
}

/* Copy what strips from column `left` on meet of a row of the results. */
static void fill_rings(const strips *t, const TYPE *result, int64_t row, int64_t left,
                       int64_t count, TYPE *to) {
    const st_windows *w = t->w;
    const int64_t length = w->t[2], pitch = t->pitch;
    const int there = row >= 0 && row < w->t[1];
    const TYPE *from = result + (there ? row : 0) * length;
    for (int64_t o = 0; o < w->o; o++, from += w->t[1] * length, to += pitch)
        for (int64_t i = 0; i < count; i++) {
            const int64_t x = left + i * t->width + t->low[1];
            TYPE *ring = to + i * t->ring_size;
            if (there && x >= 0 && x + pitch <= length) {
                __builtin_prefetch(from + x + length);
                copy_over(ring, from + x, pitch);
                continue;
            }
            const int64_t begin = MIN(MAX(-x, 0), pitch), end = MIN(length - x, pitch);
            for (int64_t l = 0; l < pitch; l += LANES) *(loose_vector *)(ring + l) = (vector){0};
            if (there && end > begin) copy_exactly(ring + begin, from + x + begin, end - begin);
        }
}

/* Add the products with a vector of the results, or more, to the sums of `phases` phases. */
INLINE const TYPE *meet(const int phases, const int channels, const int vectors, const TYPE *from,
                        const TYPE *a, vector s[][STRIP_CHANNELS][STRIP_VECTORS]) {
    vector x[STRIP_VECTORS];
    UNROLL for (int v = 0; v < vectors; v++) {
        x[v] = load(from + v * LANES);
        KEEP(x[v]);
    }
    UNROLL for (int phase = 0; phase < phases; phase++)
        UNROLL for (int c = 0; c < channels; c++) {
            const TYPE element = *a++;
            UNROLL for (int v = 0; v < vectors; v++) s[phase][c][v] += element * x[v];
        }
    return a;
}

/* Make a row of a strip: `ring` has the rows that it meets from number `first` on. */
INLINE void strip_tile(const int channels, const int vectors, const strips *t, int64_t first,
                       int64_t rows, const TYPE *a, const TYPE *ring, int64_t left, TYPE *made) {
    const int64_t o = t->w->o, pitch = t->pitch, length = t->w->i[2];
    const int64_t before = t->odd.first - t->even.first, both = t->even.count - before;
    const int64_t after = t->odd.count - both;
    vector s[2][STRIP_CHANNELS][STRIP_VECTORS] = {{{{0}}}};
    for (int64_t row = first; row < first + rows; row++) {
        const TYPE *from = ring + row % t->rows * o * pitch;
        for (int64_t i = 0; i < o; i++, from += pitch) {
            const TYPE *x = from;
            if (before) a = meet(1, channels, vectors, x++, a, s);
            for (int64_t j = 0; j < both; j++) a = meet(2, channels, vectors, x++, a, s);
            if (after) a = meet(1, channels, vectors, x, a, s + 1);
        }
    }
    const int64_t count = MIN(length - 2 * left, 2 * vectors * LANES);
    made += 2 * left;
    UNROLL for (int c = 0; c < channels; c++, made += t->w->i[1] * length) {
        vector row[2 * STRIP_VECTORS];
        UNROLL for (int v = 0; v < vectors; v++)
            interleave(s[0][c][v], s[1][c][v], row + 2 * v);
        if (count == 2 * vectors * LANES) {
            UNROLL for (int v = 0; v < 2 * vectors; v++)
                *(loose_vector *)(made + v * LANES) = row[v];
        } else {
            __builtin_memcpy(made, row, count * sizeof(TYPE));
        }
    }
}

typedef void strip_function(const strips *, int64_t, int64_t, const TYPE *, const TYPE *, int64_t,
                            TYPE *);
#define STRIP(channels, vectors) \
    static void strip_##channels##_##vectors(const strips *t, int64_t first, int64_t rows, \
                                             const TYPE *a, const TYPE *ring, int64_t left, \
                                             TYPE *made) { \
        strip_tile(channels, vectors, t, first, rows, a, ring, left, made); \
    }
STRIP(2, 1) STRIP(2, 2) STRIP(2, 3) STRIP(3, 1) STRIP(3, 2)
static strip_function *const strip_functions[][STRIP_VECTORS] = {
    {strip_2_1, strip_2_2, strip_2_3}, {strip_3_1, strip_3_2},
};

INLINE int64_t bands(const strips *t) { return (t->grid[0] + BAND - 1) / BAND; }
INLINE int64_t parts_of_image(const strips *t) {
    const int64_t columns = t->at_once * t->width;
    return bands(t) * ((t->grid[1] + columns - 1) / columns);
}

/* Make a part of an image: a band of rows of the phases, and some strips. */
static void make_part(const strips *t, int64_t group, int64_t part, const TYPE *result,
                      TYPE *image) {
    const st_windows *w = t->w;
    const int64_t begin = part % bands(t) * BAND, end = MIN(begin + BAND, t->grid[0]);
    const int64_t left = part / bands(t) * t->at_once * t->width;
    const int64_t count = MIN(t->at_once, (t->grid[1] - left + t->width - 1) / t->width);
    TYPE *rings = t->rings + THREAD * t->at_once * t->ring_size;
    for (int64_t u = begin; u < end; u++) {
        for (int64_t row = u == begin ? u : u + t->rows - 1; row < u + t->rows; row++)
            fill_rings(t, result, row + t->low[0], left, count,
                       rings + row % t->rows * w->o * t->pitch);
        for (int64_t i = 0; i < count; i++) {
            const int64_t x = left + i * t->width;
            const int64_t vectors = MIN(VECTORS(t->grid[1] - x), t->width / LANES);
            const TYPE *a = t->a + group * w->o * w->c * st_volume(w->k);
            for (int64_t r = 0; r < w->s[1] && u * w->s[1] + r < w->i[1]; r++) {
                const meeting m = find_meeting(w, 1, r);
                strip_functions[w->c - 2][vectors - 1](
                    t, u + m.first - t->low[0], m.count, a, rings + i * t->ring_size, x,
                    image + (u * w->s[1] + r) * w->i[2]);
                a += m.count * w->o * w->c * w->k[2];
            }
        }
    }
}

static void make_job(const call *c, const void *plan, int64_t item, int64_t job) {
    const strips *t = plan;
    const st_windows *w = t->w;
    const int64_t parts = parts_of_image(t), group = job / parts, at = item * w->groups + group;
    make_part(t, group, job % parts, c->result + at * w->o * st_volume(w->t),
              c->made + at * w->c * st_volume(w->i));
}

static void run_strips(const call *c, const void *plan) {
    share_jobs(c, plan, c->w->groups * parts_of_image(plan), make_job);
}
