/* Groups of one channel and one filter, along two axes: depthwise convolutions. A plane with zeros
   around a channel stays in the first-level cache. Four rows of what is made, or of the results
   that a filter's elements are summed over, are used at a time: each vector that is read from the
   plane meets all elements of a column of the filter. */

enum { DEEP_ROWS = 4, WIDEST = 9, TALLEST = 7 };

typedef struct depthwise {
    const st_windows *w;
    planes planes;
    int64_t lengths[3];        /* of the channels that planes are made of */
    int64_t grid[2];           /* rows and columns that are made, or summed over */
    int64_t offset[WIDEST];    /* of the columns of the filter */
    int backwards;             /* whether the filter's elements are met in the opposite order */
    int64_t parts;             /* of the items, with sums of their own */
    TYPE *plane;               /* of each thread */
    int64_t apart;             /* from one thread's to the next */
    TYPE *sums;                /* (groups, parts, elements of a filter) */
    int threads;
} depthwise;

/* Whether an image is made of a result that lies in every second of its rows and columns. */
static int is_spread(const st_windows *w, int wanted) {
    return wanted == IMAGE && w->s[1] == 2 && w->s[2] == 2 && w->d[1] == 1 && w->d[2] == 1;
}

/* Whether there is a kernel for these lengths of filters, for enough planes to share. */
static int fits_depthwise(const call *c, void *plan) {
    const st_windows *w = c->w;
    *(depthwise *)plan = (depthwise){.w = w, .threads = c->threads};
    if (w->c > 1 || w->o > 1 || w->n * w->groups < MOST_PARTS) return 0;
    if (!is_flat(w) || w->t[1] < DEEP_ROWS || w->t[2] < 1) return 0;
    if (w->k[1] % 2 == 0 || w->k[1] < 3 || w->k[1] > TALLEST || w->k[2] > WIDEST) return 0;
    if (is_spread(w, c->wanted)) return w->i[1] >= 2 * DEEP_ROWS;
    if (c->wanted == IMAGE)
        return w->s[1] == 1 && w->s[2] == 1 && w->d[1] == 1 && w->i[1] >= DEEP_ROWS;
    return w->s[1] <= 2 && w->d[1] == 1;
}

/* Elements of memory of a thread: a plane, and a result whose rows are shorter than a vector. */
INLINE int64_t deep_size(const depthwise *t) {
    return st_size_plus(size_of_planes(&t->planes, 1), st_size_times(t->grid[0] + 2, LANES));
}

static void plan_depthwise(const call *c, void *plan, arena *memory) {
    depthwise *t = plan;
    const st_windows *w = t->w;
    const int wanted = c->wanted;
    planes *p = &t->planes;
    *p = planes_of_image(w);
    t->backwards = (w->flip != 0) != (wanted == IMAGE && !is_spread(w, wanted));
    t->parts = w->groups < MOST_PARTS ? MAX(MIN(w->n, MOST_PARTS), 1) : 1;
    for (int axis = 0; axis < 3; axis++) t->lengths[axis] = (wanted == IMAGE ? w->t : w->i)[axis];
    for (int axis = 0; axis < 2; axis++) t->grid[axis] = (wanted == IMAGE ? w->i : w->t)[axis + 1];
    if (is_spread(w, wanted)) {  /* a plane has each element that a row of the image meets */
        for (int axis = 1; axis < 3; axis++) p->low[axis] = w->k[axis] / 2;
        p->low[0] = 0, p->rows[0] = p->phases = 1;
        p->rows[1] = p->low[1] + MAX(w->t[1], (w->i[1] + w->p[1]) / 2 + 1);
        p->width = p->low[2] + MAX(w->t[2], (w->i[2] + w->p[2]) / 2 + 1) + LANES;
    } else if (wanted == IMAGE) {  /* stride 1: planes are those of the result */
        for (int axis = 0; axis < 3; axis++)
            p->low[axis] = (w->k[axis] - 1) * w->d[axis] - w->p[axis];
        p->rows[0] = 1, p->rows[1] = w->i[1] + w->k[1] - 1, p->phases = 1;
        p->width = w->i[2] + (w->k[2] - 1) * w->d[2];
    }
    for (int64_t j = 0; j < w->k[2]; j++) t->offset[j] = place(p, 0, 0, j * w->d[2]);
    t->plane = take_for_each(memory, deep_size(t), t->threads, &t->apart);
    if (wanted == FILTER)
        t->sums = take_elements(memory, st_size_times(w->groups * w->k[1] * w->k[2], t->parts));
    for (int thread = 0; memory->base && thread < t->threads; thread++)
        clear(t->plane + thread * t->apart, deep_size(t));
}

/* -- planes: their zeros are written once ------------------------------------------------------ */

/* Copy a channel to a plane whose zeros are there. */
static void fill_inside(const planes *g, const int64_t *lengths, const TYPE *from, TYPE *to) {
    if (g->phases > 2) {
        fill_plane(g, lengths, from, to);
        return;
    }
    const int64_t first = MAX(-g->low[2], 0), before = MAX(g->low[2], 0);
    const int64_t count = MIN(lengths[2] - first, row_size(g) - before);
    for (int64_t r = MAX(g->low[1], 0); r < MIN(g->rows[1], lengths[1] + g->low[1]); r++) {
        const TYPE *row = from + (r - g->low[1]) * lengths[2] + first;
        TYPE *start = to + r * row_size(g);
        if (g->phases == 2) split_phases(g, before, row, count, start);
        else if (count > 0) copy_exactly(start + before, row, count);
    }
}

/* The plane of a channel: the channel itself if it has all rows and whole vectors. */
static const TYPE *plane_of(const depthwise *t, const TYPE *channel) {
    TYPE *plane = t->plane + THREAD * t->apart;
    if (t->grid[1] >= LANES && are_channels(&t->planes, t->lengths)) return channel;
    fill_inside(&t->planes, t->lengths, channel, plane);
    return plane;
}

/* A result, from which whole vectors are read. */
static const TYPE *rows_of(const depthwise *t, const TYPE *result) {
    TYPE *copy = t->plane + THREAD * t->apart + plane_size(&t->planes) + LANES;
    if (t->grid[1] >= LANES) return result;
    copy_exactly(copy, result, t->grid[0] * t->grid[1]);
    return copy;
}

/* -- results and images ------------------------------------------------------------------------ */

/* Add what a column of a filter makes of a plane to four rows; `step` is the stride. */
INLINE void apply_column(const int tall, const int step, const TYPE *from, int64_t pitch,
                         const vector *a, vector *s) {
    UNROLL for (int i = 0; i < (DEEP_ROWS - 1) * step + tall; i++) {
        vector read = load(from + i * pitch);
        KEEP(read);
        UNROLL for (int r = 0; r < DEEP_ROWS; r++)
            if (i >= r * step && i < r * step + tall) s[r] += a[i - r * step] * read;
    }
}

/* Apply a filter whose columns are one after the other. One of 3 x 3 elements is in registers. */
INLINE void apply_of(const int tall, const int step, const int is_square, const depthwise *t,
                     const TYPE *plane, const vector *taps, TYPE *made) {
    const int64_t pitch = row_size(&t->planes), length = t->grid[1], wide = t->w->k[2];
    const int64_t count = MIN(length, LANES);
    vector a[9];
    UNROLL for (int k = 0; k < 9 && is_square; k++) a[k] = taps[k];
    for (int64_t top = 0; top < t->grid[0]; top += DEEP_ROWS) {
        const int64_t row = MIN(top, t->grid[0] - DEEP_ROWS);
        for (int64_t left = 0; left < length; left += LANES) {
            const int64_t x = MAX(MIN(left, length - LANES), 0);
            const TYPE *from = plane + row * step * pitch + x;
            vector s[DEEP_ROWS] = {{0}};
            if (is_square) {
                UNROLL for (int j = 0; j < 3; j++)
                    apply_column(3, step, from + t->offset[j], pitch, a + 3 * j, s);
            } else {
                vector odd[DEEP_ROWS] = {{0}};  /* the processor adds both at the same time */
                for (int64_t j = 0; j < wide; j += 2) {
                    apply_column(tall, step, from + t->offset[j], pitch, taps + j * tall, s);
                    if (j + 1 == wide) break;
                    apply_column(tall, step, from + t->offset[j + 1], pitch,
                                 taps + (j + 1) * tall, odd);
                }
                UNROLL for (int r = 0; r < DEEP_ROWS; r++) s[r] += odd[r];
            }
            TYPE *to = made + row * length + x;
            UNROLL for (int r = 0; r < DEEP_ROWS; r++) {
                if (count == LANES) *(loose_vector *)(to + r * length) = s[r];
                else __builtin_memcpy(to + r * length, &s[r], count * sizeof(TYPE));
            }
        }
    }
}

/* Make the rows of an image that are even, or odd, of a result with stride 2: each is the sum of
   `tall` rows of the plane, one after the other from `top`. Columns are even and odd in turn. */
INLINE void spread_rows(const int tall, const depthwise *t, int64_t first, int64_t top,
                        const TYPE *plane, const vector *taps, TYPE *made) {
    const st_windows *w = t->w;
    const int64_t pitch = row_size(&t->planes), length = w->i[2];
    const int64_t rows = (w->i[1] - first + 1) / 2;
    for (int64_t above = 0; above < rows; above += DEEP_ROWS) {
        const int64_t row = MIN(above, rows - DEEP_ROWS);
        const TYPE *from = plane + (top + row) * pitch + t->planes.low[2];
        for (int64_t u = 0; 2 * u < length; u += LANES) {
            vector s[2][DEEP_ROWS] = {{{0}}}, both[2];
            for (int64_t j = 0; j < w->k[2]; j++) {
                const int odd = (j + w->p[2]) % 2;
                apply_column(tall, 1, from + u + (odd + w->p[2] - j) / 2, pitch, taps + j * tall,
                             s[odd]);
            }
            const int64_t left = length - 2 * u;
            TYPE *to = made + (first + 2 * row) * length + 2 * u;
            UNROLL for (int r = 0; r < DEEP_ROWS; r++, to += 2 * length) {
                interleave(s[0][r], s[1][r], both);
                if (left >= 2 * LANES) {
                    *(loose_vector *)to = both[0];
                    *(loose_vector *)(to + LANES) = both[1];
                } else {
                    __builtin_memcpy(to, both, left * sizeof(TYPE));
                }
            }
        }
    }
}

/* Apply a filter to a result with stride 2. An element of the image meets the elements of the filter
   whose distance from it is even. */
static void spread_plane(const depthwise *t, const TYPE *plane, const vector *taps, TYPE *made) {
    const st_windows *w = t->w;
    for (int64_t first = 0; first < 2; first++) {
        const int64_t i = (first + w->p[1]) % 2, count = (w->k[1] - i + 1) / 2;
        const int64_t top = (first + w->p[1] - i) / 2 - (count - 1) + t->planes.low[1];
        vector a[(TALLEST + 1) / 2 * WIDEST];
        for (int64_t j = 0; j < w->k[2]; j++)
            for (int64_t m = 0; m < count; m++)
                a[j * count + count - 1 - m] = taps[j * w->k[1] + i + 2 * m];
        if (count == 1) spread_rows(1, t, first, top, plane, a, made);
        else if (count == 2) spread_rows(2, t, first, top, plane, a, made);
        else if (count == 3) spread_rows(3, t, first, top, plane, a, made);
        else spread_rows(4, t, first, top, plane, a, made);
    }
}

/* Add the sums of a plane for `columns` columns of a filter; lanes that count have a mask. */
INLINE void sums_of(const int rows, const int tall, const int step, const int columns,
                    const depthwise *t, int64_t begin, int64_t end, const int64_t *offset,
                    const TYPE *plane, const TYPE *result, vector *sums) {
    static const WORD lanes[3 * LANES] = {[LANES ... 2 * LANES - 1] = -1};
    const int64_t pitch = row_size(&t->planes), length = t->grid[1];
    const WORD *last = lanes + (length < LANES ? 2 * LANES - length : length % LANES);
    vector s[3 * TALLEST];
    UNROLL for (int k = 0; k < columns * tall; k++) s[k] = sums[k];
    for (int64_t row = begin; row + rows <= end; row += rows)
        for (int64_t left = 0; left < length; left += LANES) {
            const int is_last = left + LANES > length;
            const int64_t x = MAX(MIN(left, length - LANES), 0);
            const mask_vector mask = *(const mask_vector *)(is_last ? last : lanes + LANES);
            vector y[DEEP_ROWS];
            UNROLL for (int r = 0; r < rows; r++) {
                y[r] = load(result + (row + r) * length + x);
                y[r] = (vector)((mask_vector)y[r] & mask);
            }
            UNROLL for (int j = 0; j < columns; j++) {
                const TYPE *from = plane + row * step * pitch + offset[j] + x;
                UNROLL for (int i = 0; i < (rows - 1) * step + tall; i++) {
                    const mask_vector whole = *(const mask_vector *)(from + i * pitch);
                    vector read = (vector)(whole & mask);
                    KEEP(read);
                    UNROLL for (int r = 0; r < rows; r++)
                        if (i >= r * step && i < r * step + tall)
                            s[j * tall + i - r * step] += y[r] * read;
                }
            }
        }
    UNROLL for (int k = 0; k < columns * tall; k++) sums[k] = s[k];
}

INLINE void sums_of_rows(const int tall, const int step, const int columns, const depthwise *t,
                         const int64_t *offset, const TYPE *plane, const TYPE *result,
                         vector *sums) {
    const int64_t rows = t->grid[0], whole = rows / DEEP_ROWS * DEEP_ROWS;
    sums_of(DEEP_ROWS, tall, step, columns, t, 0, whole, offset, plane, result, sums);
    sums_of(1, tall, step, columns, t, whole, rows, offset, plane, result, sums);
}

INLINE void sums_of_plane(const int tall, const int step, const int columns, const depthwise *t,
                          const TYPE *plane, const TYPE *result, vector *sums) {
    const int64_t wide = t->w->k[2];
    int64_t j = 0;
    for (; j + columns <= wide; j += columns)
        sums_of_rows(tall, step, columns, t, t->offset + j, plane, result, sums + j * tall);
    for (; j < wide; j++)
        sums_of_rows(tall, step, 1, t, t->offset + j, plane, result, sums + j * tall);
}

typedef void apply_function(const depthwise *, const TYPE *, const vector *, TYPE *);
typedef void sums_function(const depthwise *, const TYPE *, const TYPE *, vector *);
#define DEPTHWISE(tall, step, columns) \
    static void apply_##tall##_##step(const depthwise *t, const TYPE *plane, const vector *taps, \
                                      TYPE *made) { \
        if (tall == 3 && t->w->k[2] == 3) apply_of(tall, step, 1, t, plane, taps, made); \
        else apply_of(tall, step, 0, t, plane, taps, made); \
    } \
    static void sums_##tall##_##step(const depthwise *t, const TYPE *plane, const TYPE *result, \
                                     vector *sums) { \
        sums_of_plane(tall, step, columns, t, plane, result, sums); \
    }
DEPTHWISE(3, 1, 3) DEPTHWISE(5, 1, 2) DEPTHWISE(7, 1, 1)
DEPTHWISE(3, 2, 3) DEPTHWISE(5, 2, 2) DEPTHWISE(7, 2, 1)
static apply_function *const apply_functions[][3] = {
    {apply_3_1, apply_5_1, apply_7_1}, {apply_3_2, apply_5_2, apply_7_2},
};
static sums_function *const sums_functions[][3] = {
    {sums_3_1, sums_5_1, sums_7_1}, {sums_3_2, sums_5_2, sums_7_2},
};

/* Where element i of column j of the filter, as planes meet it, is in memory. */
INLINE int64_t met(const depthwise *t, int64_t i, int64_t j) {
    const int64_t *k = t->w->k;
    return t->backwards ? (k[1] - 1 - i) * k[2] + k[2] - 1 - j : i * k[2] + j;
}

static void apply_channel(const call *c, const void *plan, int64_t item, int64_t channel) {
    const depthwise *t = plan;
    const st_windows *w = t->w;
    const TYPE *const kernel = c->kernel + channel * st_volume(w->k);
    const int64_t at = item * w->groups + channel;
    TYPE *const made = c->made + at * t->grid[0] * t->grid[1];
    vector taps[TALLEST * WIDEST];
    for (int64_t j = 0; j < w->k[2]; j++)
        for (int64_t i = 0; i < w->k[1]; i++)
            taps[j * w->k[1] + i] = (vector){0} + kernel[met(t, i, j)];
    const TYPE *plane = plane_of(t, read_by(c) + at * st_volume(t->lengths));
    if (is_spread(w, c->wanted)) spread_plane(t, plane, taps, made);
    else apply_functions[c->wanted ? 0 : w->s[1] - 1][w->k[1] / 2 - 1](t, plane, taps, made);
}

/* -- filters ----------------------------------------------------------------------------------- */

static void sum_depthwise(const depthwise *t, const TYPE *image, const TYPE *result,
                          TYPE *kernel) {
    const st_windows *w = t->w;
    const int64_t groups = w->groups, parts = t->parts, taps = w->k[1] * w->k[2];
    const int64_t size = st_volume(w->i), area = t->grid[0] * t->grid[1];
    sums_function *const add = sums_functions[w->s[1] - 1][w->k[1] / 2 - 1];
#pragma omp parallel for num_threads(t->threads) if (t->threads > 1) schedule(static)
    for (int64_t job = 0; job < groups * parts; job++) {
        const int64_t group = job / parts, part = job % parts;
        vector sums[TALLEST * WIDEST + LANES] = {{0}};
        for (int64_t item = w->n * part / parts; item < w->n * (part + 1) / parts; item++) {
            const int64_t at = item * groups + group;
            add(t, plane_of(t, image + at * size), rows_of(t, result + at * area), sums);
        }
        for (int64_t k = 0; k < taps; k += LANES) {
            const vector all = totals(sums + k);
            for (int64_t l = 0; l < MIN(LANES, taps - k); l++) t->sums[job * taps + k + l] = all[l];
        }
    }
    for (int64_t group = 0; group < groups; group++)
        for (int64_t k = 0; k < taps; k++) {
            const TYPE *sums = t->sums + group * parts * taps + k;
            TYPE sum = *sums;
            for (int64_t part = 1; part < parts; part++) sum += sums[part * taps];
            kernel[group * taps + met(t, k % w->k[1], k / w->k[1])] = sum;
        }
}

static void run_depthwise(const call *c, const void *plan) {
    if (c->wanted == FILTER) sum_depthwise(plan, c->image, c->result, c->made);
    else share_jobs(c, plan, c->w->groups, apply_channel);
}
