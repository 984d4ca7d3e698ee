/* The gradient of large filters, by Fourier transforms: it correlates tiles of the image with those
   of the result, which have zeros where tiles of the image overlap. Products of tiles are added,
   frequency by frequency. Lanes of the vectors have different channels. */

typedef struct correlation {
    const st_windows *w;
    tiling cut;
    transform transform;
    int64_t tiles, at_once;    /* tiles of all items, and those that are added at once */
    int by_filters;            /* whether lanes are filters, and rows channels, or the reverse */
    int64_t lanes, rows;
    int64_t u_step, v_step, m_step; /* from one frequency to the next */
    TYPE *u, *v;               /* tiles of rows: (tiles, rows, 2); of lanes: (tiles, vectors, 2) */
    TYPE *m;                   /* sums: (rows, vectors of lanes, 2) */
    TYPE *buffer;
    int64_t buffer_memory;
    int threads;
} correlation;

/* Whether lanes are filters: there are more of them then. */
static int are_lanes_filters(const st_windows *w) { return w->o > w->c; }

/* Estimated nanoseconds, as those of tiling.c. */
static double correlation_cost(const st_windows *w, const int64_t *out, const int64_t *size) {
    const int64_t lanes = MAX(w->o, w->c), rows = MIN(w->o, w->c);
    const double tiles = (double)count_tiles(w, tiling_of(w, out, size));
    const double vectors = (double)((lanes + 7) / 8), sums = vectors * (double)rows;
    const double transforms = vectors + (double)((rows + 7) / 8);
    const double area = (double)w->groups * size[0] * size[1];
    return area * (tiles * (@correlation.transform@ * transforms + @correlation.add@ * sums)
                   + @correlation.restore@ * sums);
}

/* Find the size of tiles for filters. */
static int find_correlation(const st_windows *w, int64_t *size) {
    const double products = (double)w->n * w->groups * w->c * w->o * st_volume(w->k);
    return find_tile(w, w->t + 1, correlation_cost, products * st_volume(w->t) / 8 * @across.multiply@,
                     size);
}

static int fits_correlation(const call *c, void *plan) {
    correlation *t = plan;
    *t = (correlation){.w = c->w, .threads = c->threads};
    return find_correlation(c->w, t->transform.size);
}

static int is_safe_correlation(const call *c) {
    const st_windows *w = c->w;
    const int64_t items = w->n * w->groups;
    return are_moderate(c->image, items * w->c * st_volume(w->i), c->threads)
           && are_moderate(c->result, items * w->o * st_volume(w->t), c->threads);
}

static void plan_correlation(const call *c, void *plan, arena *memory) {
    correlation *t = plan;
    const st_windows *w = t->w;
    const int64_t *size = t->transform.size;
    t->cut = tiling_of(w, w->t + 1, size);
    t->tiles = count_tiles(w, t->cut);
    plan_transform(&t->transform, memory);
    t->by_filters = are_lanes_filters(w);
    t->lanes = MAX(w->o, w->c), t->rows = MIN(w->o, w->c);
    const int64_t count = frequencies(&t->transform), vectors = VECTORS(t->lanes);
    const int64_t each = (vectors + VECTORS(t->rows)) * POINT;
    const int64_t most = 2 * TILES_AT_ONCE / (count * each * (int64_t)sizeof(TYPE));
    t->at_once = MIN(MAX(most, 1), t->tiles);
    t->u_step = odd_lines(t->at_once * VECTORS(t->rows) * POINT);
    t->v_step = odd_lines(t->at_once * vectors * POINT);
    t->m_step = odd_lines(t->rows * vectors * POINT);
    t->u = take_elements(memory, count * t->u_step);
    t->v = take_elements(memory, count * t->v_step);
    t->m = take_elements(memory, count * t->m_step);
    const int64_t buffer = odd_lines((tile_vectors(&t->transform) + size[1]) * LANES);
    t->buffer = take_for_each(memory, buffer, t->threads, &t->buffer_memory);
}

/* Transform a vector of channels of a tile: of the image as they are, of the result conjugates. */
static void transform_channels(const correlation *t, int of_result, int64_t number, int64_t tile,
                               int64_t group, int64_t unit, const TYPE *read, vector *x) {
    const st_windows *w = t->w;
    const transform *f = &t->transform;
    const int64_t *in = of_result ? w->t + 1 : w->i + 1, channels = of_result ? w->o : w->c;
    const corner k = corner_of(tile, t->cut);
    piece pieces[LANES];
    for (int64_t l = 0; l < LANES; l++) {
        const int64_t channel = unit * LANES + l;
        const int64_t at = (k.item * w->groups + group) * channels + channel;
        pieces[l] = (piece){channel < channels ? read + at * in[0] * in[1] : 0,
                            {k.at[0], k.at[1]}};
        for (int axis = 0; axis < 2 && !of_result; axis++) pieces[l].at[axis] -= w->p[axis + 1];
    }
    load_tiles(f, pieces, in, of_result ? t->cut.valid[0] : f->size[0],
               of_result ? t->cut.valid[1] : f->size[1], x);
    const TYPE scale = 1 / (4 * (TYPE)f->size[0] * (TYPE)f->size[1]);
    const TYPE p = of_result ? scale : 1, q = of_result ? -scale : 1;
    if (of_result == t->by_filters) {
        TYPE *const to = t->v + (number * VECTORS(t->lanes) + unit) * POINT;
#define STORE_LANES(number, real, imaginary) { \
            *(vector *)(to + (number) * t->v_step) = p * (real); \
            *(vector *)(to + (number) * t->v_step + LANES) = q * (imaginary); \
        }
        TRANSFORM_COLUMNS(f, x, STORE_LANES)
    } else {
        TYPE *const to = t->u + (number * VECTORS(t->rows) + unit) * POINT;
#define STORE_ROWS(number, real, imaginary) { \
            vector both[2]; \
            interleave(p * (real), q * (imaginary), both); \
            *(vector *)(to + (number) * t->u_step) = both[0]; \
            *(vector *)(to + (number) * t->u_step + LANES) = both[1]; \
        }
        TRANSFORM_COLUMNS(f, x, STORE_ROWS)
    }
}

/* Add the products of some tiles for one frequency. */
static void add_frequency(const correlation *t, int64_t number, int64_t count, int add) {
    const int64_t vectors = VECTORS(t->lanes);
    const steps s = {VECTORS(t->rows) * POINT, vectors * POINT, vectors * POINT};
    const TYPE *u = t->u + number * t->u_step, *v = t->v + number * t->v_step;
    TYPE *m = t->m + number * t->m_step;
    for (int64_t tile = 0; tile < tiles(t->rows); tile++) {
        const int64_t row = tile_row(t->rows, tile), rows = tile_row(t->rows, tile + 1) - row;
        for (int64_t i = 0; i < vectors; i++)
            complex_functions[rows](count, &s, u + 2 * row, v + i * POINT,
                                    m + (row * vectors + i) * POINT, add);
    }
}

/* Transform the sums of a row and a vector of lanes back, and store their filters. */
static void restore_filters(const correlation *t, int64_t row, int64_t unit, TYPE *kernel,
                            vector *x) {
    const st_windows *w = t->w;
    const transform *f = &t->transform;
    const int64_t taps = st_volume(w->k), rows = w->k[1], columns = w->k[2];
    restore_columns(f, t->m + (row * VECTORS(t->lanes) + unit) * POINT, t->m_step, x);
    for (int64_t r = 0; r < rows; r += AT_ONCE)
        restore_rows(f, x + r * row_step(f), MIN(AT_ONCE, rows - r));
    for (int64_t l = 0; l < LANES && unit * LANES + l < t->lanes; l++) {
        const int64_t lane = unit * LANES + l;
        const int64_t o = t->by_filters ? lane : row, c = t->by_filters ? row : lane;
        TYPE *to = kernel + (o * w->c + c) * taps;
        for (int64_t r = 0; r < rows; r++)
            for (int64_t i = 0; i < columns; i++) {
                const int64_t at = r * columns + i;
                to[w->flip ? taps - 1 - at : at] = ((const TYPE *)(x + r * row_step(f) + i))[l];
            }
    }
}

static void run_correlation(const call *c, const void *plan) {
    const correlation *t = plan;
    const st_windows *w = t->w;
    const int64_t of_image = VECTORS(w->c), units = of_image + VECTORS(w->o);
    const int64_t count = frequencies(&t->transform);
#pragma omp parallel num_threads(t->threads) if (t->threads > 1)
    {
        vector *x = (vector *)(t->buffer + THREAD * t->buffer_memory);
        for (int64_t group = 0; group < w->groups; group++) {
            for (int64_t first = 0; first < t->tiles; first += t->at_once) {
                const int64_t some = MIN(t->at_once, t->tiles - first);
#pragma omp for schedule(static)
                for (int64_t i = 0; i < some * units; i++) {
                    const int64_t tile = i / units, unit = i % units;
                    const int of_result = unit >= of_image;
                    transform_channels(t, of_result, tile, first + tile, group,
                                       of_result ? unit - of_image : unit,
                                       of_result ? c->result : c->image, x);
                }
#pragma omp for schedule(static)
                for (int64_t number = 0; number < count; number++)
                    add_frequency(t, number, some, first > 0);
            }
            TYPE *to = c->made + group * w->o * w->c * st_volume(w->k);
#pragma omp for schedule(static)
            for (int64_t i = 0; i < t->rows * VECTORS(t->lanes); i++)
                restore_filters(t, i / VECTORS(t->lanes), i % VECTORS(t->lanes), to, x);
        }
    }
}
