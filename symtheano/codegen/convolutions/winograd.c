/* Filters of 3 x 3 elements, by Winograd's F(2, 3) or F(4, 3): the results of a tile, two or four
   along each of two axes, are made of 16 products instead of 36, or of 36 instead of 144. See
   A. Lavin and S. Gray, "Fast algorithms for convolutional neural networks" (2016).

   A tile of results depends on 4 x 4 or 6 x 6 elements of the image. Planes have the image in
   phases, one for each element along the edge of a tile in both axes, so that the same elements of
   neighbouring tiles are neighbours. Tiles are numbered along these phases; the few that are not in
   the image are computed and not stored. */

/* Results along the edge of a tile, the parts of a line of a tile, and of a tile. */
enum { EDGE = WINOGRAD ? WINOGRAD : 2, PARTS_OF_LINE = EDGE + 2 };
enum { PARTS_OF_TILE = PARTS_OF_LINE * PARTS_OF_LINE, PHASES = EDGE * EDGE };
/* Panels that are computed at a time: their parts are in the L2 cache. */
enum { TILE_GROUPS = EDGE == 2 ? 4 : 2 };

typedef struct winograd {
    const st_windows *w;
    int64_t read, made;        /* channels of a group that are read and made */
    int64_t low[2];            /* zeros before both axes */
    int64_t in[2], out[2];     /* lengths of what is read and made */
    int64_t tile[2];           /* tiles along both axes */
    int64_t rows, width;       /* of a phase, which has one more row and column than tiles */
    int64_t items;             /* items that are computed at once */
    TYPE *u;                   /* transformed filters: (groups, parts, tiles of rows, read) */
    TYPE *plane;               /* phases of the channels: (read, PHASES, items, rows, width) */
    TYPE *v, *m;               /* of each thread: transformed images and results */
    int64_t v_memory, m_memory;
    int threads;
} winograd;

/* Elements of a part of transformed channels. A few more than there are keep parts from falling into
   the same lines of the cache. */
INLINE int64_t part_size(int64_t channels) {
    return TILE_GROUPS * NP * channels + 3 * LANES;
}
INLINE int64_t phase_size(const winograd *t) { return t->rows * t->width; }

/* -- lines of a tile --------------------------------------------------------------------------- */

/* F(4, 3) evaluates polynomials at 0, A, -A, B, -B and infinity. With these numbers errors are a
   quarter of those of 1 and 2. */
#define A ((TYPE)0.625)
#define B ((TYPE)1.5)

/* The parts of three elements of filters. */
INLINE void line_of_filter(const vector *x, vector *y) {
    if (EDGE == 2) {
        const vector outer = x[0] + x[2];
        y[0] = x[0], y[1] = (outer + x[1]) / 2, y[2] = (outer - x[1]) / 2, y[3] = x[2];
        return;
    }
    const TYPE a = 1 / (2 * A * A * (A * A - B * B)), b = 1 / (2 * B * B * (B * B - A * A));
    y[0] = x[0] / (A * A * B * B);
    y[1] = a * (x[0] + A * A * x[2] + A * x[1]), y[2] = a * (x[0] + A * A * x[2] - A * x[1]);
    y[3] = b * (x[0] + B * B * x[2] + B * x[1]), y[4] = b * (x[0] + B * B * x[2] - B * x[1]);
    y[5] = x[2];
}

/* The parts of a line of an image. */
INLINE void line_of_image(const vector *x, vector *y) {
    if (EDGE == 2) {
        y[0] = x[0] - x[2], y[1] = x[1] + x[2], y[2] = x[2] - x[1], y[3] = x[1] - x[3];
        return;
    }
    const vector p = x[4] - B * B * x[2], q = A * (x[3] - B * B * x[1]);
    const vector r = x[4] - A * A * x[2], s = B * (x[3] - A * A * x[1]);
    y[1] = p + q, y[2] = p - q, y[3] = r + s, y[4] = r - s;
    y[0] = A * A * B * B * x[0] - (A * A + B * B) * x[2] + x[4];
    y[5] = A * A * B * B * x[1] - (A * A + B * B) * x[3] + x[5];
}

/* The results of the parts of a line. */
INLINE void line_of_result(const vector *x, vector *y) {
    if (EDGE == 2) {
        y[0] = x[0] + x[1] + x[2], y[1] = x[1] - x[2] - x[3];
        return;
    }
    const vector p = x[1] + x[2], q = x[1] - x[2], r = x[3] + x[4], s = x[3] - x[4];
    y[0] = x[0] + p + r, y[1] = A * q + B * s;
    y[2] = A * A * p + B * B * r, y[3] = A * A * A * q + B * B * B * s + x[5];
}
#undef A
#undef B

/* -- filters ----------------------------------------------------------------------------------- */

/* Transform up to LANES filters of 3 x 3 elements; the parts of each are `step` apart. */
static void transform_some(const TYPE *const *from, int64_t count, int backwards, TYPE *to,
                           int64_t step) {
    vector x[PARTS_OF_LINE][3], y[PARTS_OF_LINE];
    for (int b = 0; b < 3; b++) {
        vector column[3] = {{0}};
        for (int a = 0; a < 3; a++)
            for (int64_t l = 0; l < count; l++)
                ((TYPE *)(column + a))[l] = from[l][backwards ? 8 - 3 * a - b : 3 * a + b];
        line_of_filter(column, y);
        for (int a = 0; a < PARTS_OF_LINE; a++) x[a][b] = y[a];
    }
    for (int a = 0; a < PARTS_OF_LINE; a++) {
        line_of_filter(x[a], y);
        for (int b = 0; b < PARTS_OF_LINE; b++, to += step) {
            if (count == LANES) *(loose_vector *)to = y[b];
            else copy_exactly(to, (const TYPE *)(y + b), count);
        }
    }
}

static void transform_filters(const winograd *t, const TYPE *kernel, int of_image) {
    const st_windows *w = t->w;
    const int backwards = (w->flip != 0) != of_image;
    /* Filters are (filters, channels, 9). */
    const int64_t row = of_image ? 9 : w->c * 9, column = of_image ? w->c * 9 : 9;
    const int64_t part = t->made * t->read;
    for (int64_t group = 0; group < w->groups; group++, kernel += w->o * w->c * 9) {
        TYPE *to = t->u + group * PARTS_OF_TILE * part;
        const TYPE *from[LANES];
        int64_t count = 0;
        for (int64_t tile = 0; tile < tiles(t->made); tile++)
            for (int64_t c = 0; c < t->read; c++)
                for (int64_t o = tile_row(t->made, tile); o < tile_row(t->made, tile + 1); o++) {
                    from[count++] = kernel + o * row + c * column;
                    if (count < LANES) continue;
                    transform_some(from, count, backwards, to, part);
                    to += count, count = 0;
                }
        if (count) transform_some(from, count, backwards, to, part);
    }
}

static void plan_winograd(winograd *t, int of_image, const TYPE *kernel, arena *memory) {
    const st_windows *w = t->w;
    t->read = of_image ? w->o : w->c, t->made = of_image ? w->c : w->o;
    for (int axis = 0; axis < 2; axis++) {
        t->in[axis] = (of_image ? w->t : w->i)[axis + 1];
        t->out[axis] = (of_image ? w->i : w->t)[axis + 1];
        t->low[axis] = of_image ? 2 - w->p[axis + 1] : w->p[axis + 1];
        t->tile[axis] = (t->out[axis] + EDGE - 1) / EDGE;
    }
    t->rows = t->tile[0] + 1, t->width = t->tile[1] + 1;
    const int64_t wanted = (int64_t)t->threads * TILE_GROUPS * NP * 4;
    t->items = MAX(MIN(w->n, wanted / MAX(phase_size(t), 1)), 1);
    t->u = take_elements(memory, w->groups * PARTS_OF_TILE * t->made * t->read);
    t->plane = take_elements(memory, t->read * PHASES * t->items * phase_size(t) + t->width + NP);
    t->v_memory = (PARTS_OF_TILE * part_size(t->read) + 63) / 64 * 64;
    t->m_memory = (PARTS_OF_TILE * part_size(t->made) + 63) / 64 * 64;
    t->v = take_elements(memory, t->v_memory * t->threads);
    t->m = take_elements(memory, t->m_memory * t->threads);
    if (memory->base) transform_filters(t, kernel, of_image);
}

/* -- images ------------------------------------------------------------------------------------ */

/* Divide vectors of a row into phases; neighbours are EDGE elements apart afterwards. */
INLINE void divide(const TYPE *from, TYPE *const *to, int64_t at) {
    vector x[EDGE], y[EDGE];
    UNROLL for (int i = 0; i < EDGE; i++) x[i] = load(from + i * LANES);
    UNROLL for (int i = 0; i < EDGE / 2; i++) {
        y[i] = evens(x[2 * i], x[2 * i + 1]), y[EDGE / 2 + i] = odds(x[2 * i], x[2 * i + 1]);
    }
    if (EDGE == 4) {
        const vector a = y[0], b = y[1], c = y[2], d = y[3];
        y[0] = evens(a, b), y[2 % EDGE] = odds(a, b), y[1] = evens(c, d), y[3 % EDGE] = odds(c, d);
    }
    UNROLL for (int i = 0; i < EDGE; i++) *(loose_vector *)(to[i] + at) = y[i];
}

/* Divide a row of an image into the phases of columns, with zeros around them. */
static void split_row(const winograd *t, const TYPE *from, TYPE *const *to) {
    const int64_t low = t->low[1], length = t->in[1];
    for (int64_t x = 0; x < t->width;) {
        if (EDGE * x >= low && EDGE * (x + LANES) - low <= length && x + LANES <= t->width) {
            divide(from + EDGE * x - low, to, x);
            x += LANES;
            continue;
        }
        for (int64_t i = 0; i < EDGE; i++) {
            const int64_t j = EDGE * x + i - low;
            to[i][x] = j >= 0 && j < length ? from[j] : 0;
        }
        x++;
    }
}

/* Copy a channel to its phases, with zeros around it. */
static void fill_phases(const winograd *t, const TYPE *from, TYPE *plane, int64_t step) {
    for (int64_t r = 0; r < EDGE * t->rows; r++) {
        TYPE *to[EDGE];
        for (int64_t i = 0; i < EDGE; i++)
            to[i] = plane + (r % EDGE * EDGE + i) * step + r / EDGE * t->width;
        const int64_t row = r - t->low[0];
        if (row >= 0 && row < t->in[0]) split_row(t, from + row * t->in[1], to);
        else for (int64_t i = 0; i < EDGE; i++) clear(to[i], t->width);
    }
}

/* Transform a vector of tiles along both axes. */
INLINE void transform_vector(const TYPE *phases, int64_t step, int64_t width, TYPE *to,
                             int64_t part) {
    vector d[PARTS_OF_LINE][PARTS_OF_LINE], x[PARTS_OF_LINE], y[PARTS_OF_LINE];
    UNROLL for (int j = 0; j < PARTS_OF_LINE; j++) {
        UNROLL for (int i = 0; i < PARTS_OF_LINE; i++)
            x[i] = load(phases + (i % EDGE * EDGE + j % EDGE) * step + i / EDGE * width + j / EDGE);
        line_of_image(x, y);
        UNROLL for (int i = 0; i < PARTS_OF_LINE; i++) d[i][j] = y[i];
    }
    UNROLL for (int i = 0; i < PARTS_OF_LINE; i++) {
        line_of_image(d[i], y);
        UNROLL for (int j = 0; j < PARTS_OF_LINE; j++)
            *(vector *)(to + (PARTS_OF_LINE * i + j) * part) = y[j];
    }
}

/* Transform `panels` panels of tiles from number q on: parts of (panels, read, NP). */
static void transform_image(const winograd *t, int64_t q, int64_t panels, TYPE *v) {
    const int64_t step = t->items * phase_size(t), part = part_size(t->read);
    for (int64_t p = 0; p < panels; p++)
        for (int64_t c = 0; c < t->read; c++)
            for (int64_t x = 0; x < NP; x += LANES)
                transform_vector(t->plane + c * PHASES * step + q + p * NP + x, step, t->width,
                                 v + (p * t->read + c) * NP + x, part);
}

/* -- results ----------------------------------------------------------------------------------- */

/* Bring the parts of one filter's results in a panel to rows, EDGE columns for each tile. */
INLINE void restore(const TYPE *m, int64_t part, TYPE rows[EDGE][EDGE * NP]) {
    for (int64_t v = 0; v < NP; v += LANES) {
        vector s[EDGE][PARTS_OF_LINE], x[PARTS_OF_LINE], y[EDGE];
        UNROLL for (int j = 0; j < PARTS_OF_LINE; j++) {
            UNROLL for (int i = 0; i < PARTS_OF_LINE; i++)
                x[i] = load(m + (PARTS_OF_LINE * i + j) * part + v);
            line_of_result(x, y);
            UNROLL for (int i = 0; i < EDGE; i++) s[i][j] = y[i];
        }
        UNROLL for (int i = 0; i < EDGE; i++) {
            vector all[EDGE];
            line_of_result(s[i], y);
            if (EDGE == 2) {
                interleave(y[0], y[1], all);
            } else {
                vector even[2], odd[2];
                interleave(y[0], y[2 % EDGE], even);
                interleave(y[1], y[3 % EDGE], odd);
                interleave(even[0], odd[0], all);
                interleave(even[1], odd[1], all + 2 % EDGE);
            }
            UNROLL for (int j = 0; j < EDGE; j++)
                *(loose_vector *)(rows[i] + EDGE * v + j * LANES) = all[j];
        }
    }
}

/* Store the tiles of a panel that begins with number q; `made` is that of the first item. */
static void store_panel(const winograd *t, const TYPE *m, int64_t q, int64_t items, TYPE *made) {
    const int64_t part = part_size(t->made), area = t->out[0] * t->out[1];
    for (int64_t o = 0; o < t->made; o++, m += NP, made += area) {
        TYPE rows[EDGE][EDGE * NP];
        restore(m, part, rows);
        for (int64_t x = 0; x < NP;) {
            const int64_t item = (q + x) / phase_size(t), at = (q + x) % phase_size(t);
            const int64_t row = at / t->width, column = at % t->width;
            const int64_t some = MIN(NP - x, t->width - column);
            if (item < items && row < t->tile[0] && column < t->tile[1]) {
                const int64_t count = MIN(EDGE * MIN(some, t->tile[1] - column),
                                          t->out[1] - EDGE * column);
                TYPE *to = made + item * t->w->groups * t->made * area + EDGE * row * t->out[1]
                           + EDGE * column;
                for (int64_t i = 0; i < EDGE && EDGE * row + i < t->out[0]; i++)
                    copy_exactly(to + i * t->out[1], rows[i] + EDGE * x, count);
            }
            x += some;
        }
    }
}

/* Compute a group of panels. */
static void winograd_panels(const winograd *t, int64_t number, int64_t group, int64_t items,
                            TYPE *made) {
    const int64_t all = items * phase_size(t), begin = number * TILE_GROUPS * NP;
    const int64_t panels = MIN(TILE_GROUPS, (all - begin + NP - 1) / NP);
    const int64_t v_part = part_size(t->read), m_part = part_size(t->made);
    TYPE *v = t->v + THREAD * t->v_memory, *m = t->m + THREAD * t->m_memory;
    transform_image(t, begin, panels, v);
    for (int64_t part = 0; part < PARTS_OF_TILE; part++) {
        const TYPE *u = t->u + (group * PARTS_OF_TILE + part) * t->made * t->read;
        for (int64_t tile = 0; tile < tiles(t->made); tile++) {
            const int64_t row = tile_row(t->made, tile), rows = tile_row(t->made, tile + 1) - row;
            for (int64_t p = 0; p < panels; p++)
                tile_functions[rows](t->read, u + row * t->read, v + part * v_part
                                     + p * t->read * NP, m + part * m_part
                                     + (p * t->made + row) * NP, NP, 0);
        }
    }
    for (int64_t p = 0; p < panels; p++)
        store_panel(t, m + p * t->made * NP, begin + p * NP, items, made);
}

static void run_winograd(const winograd *t, const TYPE *read, TYPE *made,
                         void (*finish)(const void *, int64_t, int64_t), const void *context) {
    const int64_t n = t->w->n, groups = t->w->groups, step = t->items * phase_size(t);
    const int64_t size = t->in[0] * t->in[1], area = t->out[0] * t->out[1];
    for (int64_t first = 0; first < n; first += t->items) {
        const int64_t items = MIN(t->items, n - first);
        const int64_t parts = (items * phase_size(t) + TILE_GROUPS * NP - 1) / (TILE_GROUPS * NP);
        for (int64_t group = 0; group < groups; group++) {
#ifdef _OPENMP
#pragma omp parallel num_threads(t->threads) if (t->threads > 1)
#endif
            {
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
                for (int64_t c = 0; c < items * t->read; c++) {
                    const int64_t item = c / t->read, channel = c % t->read;
                    fill_phases(t, read + (((first + item) * groups + group) * t->read + channel)
                                * size, t->plane + channel * PHASES * step + item * phase_size(t),
                                step);
                }
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
                for (int64_t part = 0; part < parts; part++)
                    winograd_panels(t, part, group, items,
                                    made + (first * groups + group) * t->made * area);
            }
        }
        if (finish) finish(context, first, first + items);
    }
}
