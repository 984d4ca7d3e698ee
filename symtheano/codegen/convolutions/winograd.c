/* Filters of 3 x 3 elements, by Winograd's F(2, 3): four results, two along each of two axes, are
   made of 16 products instead of 36. See A. Lavin and S. Gray, "Fast algorithms for convolutional
   neural networks" (2016).

   A tile of results depends on 4 x 4 elements of the image. Planes have them in four phases, even
   and odd rows and columns, so that the same elements of neighbouring tiles are neighbours. Tiles
   are numbered along these phases; the few that are not in the image are computed and not stored. */

enum { PARTS_OF_TILE = 16, TILE_GROUPS = 4 };

typedef struct winograd {
    const st_windows *w;
    int64_t read, made;        /* channels of a group that are read and made */
    int64_t low[2];            /* zeros before both axes */
    int64_t in[2], out[2];     /* lengths of what is read and made */
    int64_t tile[2];           /* tiles along both axes */
    int64_t rows, width;       /* of a phase, which has one more row and column than tiles */
    int64_t items;             /* items that are computed at once */
    TYPE *u;                   /* transformed filters: (groups, parts, tiles of rows, read) */
    TYPE *plane;               /* phases of the channels: (read, 4, items, rows, width) */
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

/* -- filters ----------------------------------------------------------------------------------- */

/* Transform a filter of 3 x 3 elements; its parts are `step` apart. */
static void transform_filter(const TYPE *w, int backwards, TYPE *to, int64_t step) {
    TYPE x[4][3], r[3][3];
    for (int a = 0; a < 9; a++) r[a / 3][a % 3] = w[backwards ? 8 - a : a];
    for (int b = 0; b < 3; b++) {
        const TYPE outer = r[0][b] + r[2][b];
        x[0][b] = r[0][b], x[3][b] = r[2][b];
        x[1][b] = (outer + r[1][b]) / 2, x[2][b] = (outer - r[1][b]) / 2;
    }
    for (int a = 0; a < 4; a++, to += 4 * step) {
        const TYPE outer = x[a][0] + x[a][2];
        to[0] = x[a][0], to[3 * step] = x[a][2];
        to[step] = (outer + x[a][1]) / 2, to[2 * step] = (outer - x[a][1]) / 2;
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
        for (int64_t tile = 0; tile < tiles(t->made); tile++)
            for (int64_t c = 0; c < t->read; c++)
                for (int64_t o = tile_row(t->made, tile); o < tile_row(t->made, tile + 1); o++)
                    transform_filter(kernel + o * row + c * column, backwards, to++, part);
    }
}

static void plan_winograd(winograd *t, int of_image, const TYPE *kernel, arena *memory) {
    const st_windows *w = t->w;
    t->read = of_image ? w->o : w->c, t->made = of_image ? w->c : w->o;
    for (int axis = 0; axis < 2; axis++) {
        t->in[axis] = (of_image ? w->t : w->i)[axis + 1];
        t->out[axis] = (of_image ? w->i : w->t)[axis + 1];
        t->low[axis] = of_image ? 2 - w->p[axis + 1] : w->p[axis + 1];
        t->tile[axis] = (t->out[axis] + 1) / 2;
    }
    t->rows = t->tile[0] + 1, t->width = t->tile[1] + 1;
    const int64_t wanted = (int64_t)t->threads * TILE_GROUPS * NP * 4;
    t->items = MAX(MIN(w->n, wanted / MAX(phase_size(t), 1)), 1);
    t->u = take_elements(memory, w->groups * PARTS_OF_TILE * t->made * t->read);
    t->plane = take_elements(memory, t->read * 4 * t->items * phase_size(t) + t->width + NP);
    t->v_memory = (PARTS_OF_TILE * part_size(t->read) + 63) / 64 * 64;
    t->m_memory = (PARTS_OF_TILE * part_size(t->made) + 63) / 64 * 64;
    t->v = take_elements(memory, t->v_memory * t->threads);
    t->m = take_elements(memory, t->m_memory * t->threads);
    if (memory->base) transform_filters(t, kernel, of_image);
}

/* -- images ------------------------------------------------------------------------------------ */

/* Divide a row of an image into even and odd columns, with zeros around them. */
static void split_row(const winograd *t, const TYPE *from, TYPE *even, TYPE *odd) {
    const int64_t low = t->low[1], length = t->in[1];
    int64_t x = 0;
    for (; x < t->width && 2 * x < low; x++) {
        even[x] = 0;
        odd[x] = 2 * x + 1 == low && length > 0 ? from[0] : 0;
    }
    for (; x + LANES <= t->width && 2 * (x + LANES) - low <= length; x += LANES) {
        const vector a = load(from + 2 * x - low), b = load(from + 2 * x - low + LANES);
        *(loose_vector *)(even + x) = evens(a, b), *(loose_vector *)(odd + x) = odds(a, b);
    }
    for (; x < t->width; x++) {
        const int64_t j = 2 * x - low;
        even[x] = j < length ? from[j] : 0;
        odd[x] = j + 1 < length ? from[j + 1] : 0;
    }
}

/* Copy a channel to its four phases, with zeros around it. */
static void fill_phases(const winograd *t, const TYPE *from, TYPE *to, int64_t step) {
    for (int64_t r = 0; r < 2 * t->rows; r++) {
        TYPE *even = to + r % 2 * 2 * step + r / 2 * t->width;
        const int64_t i = r - t->low[0];
        if (i >= 0 && i < t->in[0]) {
            split_row(t, from + i * t->in[1], even, even + step);
        } else {
            clear(even, t->width);
            clear(even + step, t->width);
        }
    }
}

/* Transform a vector of tiles: the differences of Winograd's matrix along both axes. */
INLINE void transform_vector(const TYPE *phases, int64_t step, int64_t width, TYPE *to,
                             int64_t part) {
    vector d[4][4];
    UNROLL for (int j = 0; j < 4; j++) {
        vector x[4];
        UNROLL for (int i = 0; i < 4; i++)
            x[i] = load(phases + (i % 2 * 2 + j % 2) * step + i / 2 * width + j / 2);
        d[0][j] = x[0] - x[2], d[1][j] = x[1] + x[2], d[2][j] = x[2] - x[1], d[3][j] = x[1] - x[3];
    }
    UNROLL for (int i = 0; i < 4; i++) {
        *(vector *)(to + (4 * i + 0) * part) = d[i][0] - d[i][2];
        *(vector *)(to + (4 * i + 1) * part) = d[i][1] + d[i][2];
        *(vector *)(to + (4 * i + 2) * part) = d[i][2] - d[i][1];
        *(vector *)(to + (4 * i + 3) * part) = d[i][1] - d[i][3];
    }
}

/* Transform `panels` panels of tiles from number q on: parts of (panels, read, NP). */
static void transform_image(const winograd *t, int64_t q, int64_t panels, TYPE *v) {
    const int64_t step = t->items * phase_size(t), part = part_size(t->read);
    for (int64_t p = 0; p < panels; p++)
        for (int64_t c = 0; c < t->read; c++)
            for (int64_t x = 0; x < NP; x += LANES)
                transform_vector(t->plane + c * 4 * step + q + p * NP + x, step, t->width,
                                 v + (p * t->read + c) * NP + x, part);
}

/* -- results ----------------------------------------------------------------------------------- */

/* Bring the parts of one filter's results in a panel to two rows, two columns for each tile. */
INLINE void restore(const TYPE *m, int64_t part, TYPE rows[2][2 * NP]) {
    for (int64_t x = 0; x < NP; x += LANES) {
        vector s[2][4];
        UNROLL for (int j = 0; j < 4; j++) {
            const vector a = load(m + j * part + x), b = load(m + (4 + j) * part + x);
            const vector c = load(m + (8 + j) * part + x), d = load(m + (12 + j) * part + x);
            s[0][j] = a + b + c, s[1][j] = b - c - d;
        }
        UNROLL for (int i = 0; i < 2; i++) {
            const vector even = s[i][0] + s[i][1] + s[i][2], odd = s[i][1] - s[i][2] - s[i][3];
            vector both[2];
            interleave(even, odd, both);
            *(loose_vector *)(rows[i] + 2 * x) = both[0];
            *(loose_vector *)(rows[i] + 2 * x + LANES) = both[1];
        }
    }
}

/* Store the tiles of a panel that begins with number q; `made` is that of the first item. */
static void store_panel(const winograd *t, const TYPE *m, int64_t q, int64_t items, TYPE *made) {
    const int64_t part = part_size(t->made), area = t->out[0] * t->out[1];
    for (int64_t o = 0; o < t->made; o++, m += NP, made += area) {
        TYPE rows[2][2 * NP];
        restore(m, part, rows);
        for (int64_t x = 0; x < NP;) {
            const int64_t item = (q + x) / phase_size(t), at = (q + x) % phase_size(t);
            const int64_t row = at / t->width, column = at % t->width;
            const int64_t some = MIN(NP - x, t->width - column);
            if (item < items && row < t->tile[0] && column < t->tile[1]) {
                const int64_t count = MIN(2 * MIN(some, t->tile[1] - column),
                                          t->out[1] - 2 * column);
                TYPE *to = made + item * t->w->groups * t->made * area + 2 * row * t->out[1]
                           + 2 * column;
                for (int64_t i = 0; i < 2 && 2 * row + i < t->out[0]; i++)
                    copy_exactly(to + i * t->out[1], rows[i] + 2 * x, count);
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
                                * size, t->plane + channel * 4 * step + item * phase_size(t),
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
