/* Filters of 3 x 3 elements, by Winograd's F(2, 3) or F(4, 3): the results of a tile, two or four
   along each of two axes, are made of 16 products instead of 36, or of 36 instead of 144. See
   A. Lavin and S. Gray, "Fast algorithms for convolutional neural networks" (2016).

   A tile of results depends on 4 x 4 or 6 x 6 elements of the image. Planes have the image in
   phases, one for each element along the edge of a tile in both axes, so that the same elements of
   neighbouring tiles are neighbours. Tiles are numbered row by row, through all items that are
   computed at once, so that panels are full. */

/* Results along the edge of a tile, the parts of a line of a tile, and of a tile. */
enum { EDGE = @EDGE@, PARTS_OF_LINE = EDGE + 2 };
enum { PARTS_OF_TILE = PARTS_OF_LINE * PARTS_OF_LINE, PHASES = EDGE * EDGE };
/* Panels that are computed at a time: their parts are in the L2 cache. */
enum { TILE_GROUPS = EDGE == 2 ? 4 : 2, GROUP = TILE_GROUPS * NP };

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

/* Tiles of a group that are neighbours in an item. */
typedef struct strip {
    int64_t from;              /* where their first elements are in phases */
    int64_t at, count;         /* the first one in the group, and their number */
    int64_t item, row, column;
} strip;

/* Elements of a part of transformed channels, of GROUP tiles each. A few more than there are keep
   parts from falling into the same lines of the cache. */
INLINE int64_t part_size(int64_t channels) { return GROUP * channels + 3 * LANES; }
INLINE int64_t phase_size(const winograd *t) { return t->rows * t->width; }
INLINE int64_t tiles_of_item(const winograd *t) { return t->tile[0] * t->tile[1]; }

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
    TYPE lanes[9][LANES] = {{0}};
    for (int64_t l = 0; l < count; l++)
        UNROLL for (int k = 0; k < 9; k++) lanes[backwards ? 8 - k : k][l] = from[l][k];
    for (int b = 0; b < 3; b++) {
        const vector column[3] = {load(lanes[b]), load(lanes[3 + b]), load(lanes[6 + b])};
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

/* Transform the filters of one tile of rows: (parts, read, rows of the tile). */
static void transform_tile(const winograd *t, int64_t tile, const TYPE *kernel, int of_image,
                           TYPE *to) {
    const int64_t first = tile_row(t->made, tile), last = tile_row(t->made, tile + 1);
    /* Filters are (filters, channels, 9). */
    const int64_t row = of_image ? 9 : t->w->c * 9, column = of_image ? t->w->c * 9 : 9;
    const int backwards = (t->w->flip != 0) != of_image;
    const int64_t part = t->made * t->read;
    const TYPE *from[LANES];
    int64_t count = 0;
    for (int64_t c = 0; c < t->read; c++)
        for (int64_t o = first; o < last; o++) {
            from[count++] = kernel + o * row + c * column;
            if (count < LANES) continue;
            transform_some(from, count, backwards, to, part);
            to += count, count = 0;
        }
    if (count) transform_some(from, count, backwards, to, part);
}

static void transform_filters(const winograd *t, const TYPE *kernel, int of_image) {
    const int64_t each = tiles(t->made), part = t->made * t->read;
#pragma omp parallel for num_threads(t->threads) if (t->threads > 1) schedule(static)
    for (int64_t n = 0; n < t->w->groups * each; n++)
        transform_tile(t, n % each, kernel + n / each * part * 9, of_image,
                       t->u + n / each * PARTS_OF_TILE * part
                           + tile_row(t->made, n % each) * t->read);
}

/* Whether its products are fewer than those of elements: of 3 x 3 elements side by side, in enough
   channels that the transforms are little work. */
static int fits_winograd(const call *c, void *plan) {
    const st_windows *w = c->w;
    *(winograd *)plan = (winograd){.w = w, .threads = c->threads};
    if (!is_flat(w)) return 0;
    for (int axis = 1; axis < 3; axis++)
        if (w->k[axis] != 3 || w->s[axis] != 1 || w->d[axis] != 1 || w->p[axis] > 2) return 0;
    if (w->c < 16 || w->o < 16) return 0;
    const int64_t *made = c->wanted == IMAGE ? w->i : w->t;
    double count = 1;
    for (int axis = 1; axis < 3; axis++) count *= (made[axis] + EDGE - 1) / EDGE;
    return w->n * count >= NP && count * PARTS_OF_TILE * 1.4 < (double)made[1] * made[2] * 9;
}

static void plan_winograd(const call *c, void *plan, arena *memory) {
    winograd *t = plan;
    const st_windows *w = t->w;
    const int of_image = c->wanted == IMAGE;
    t->read = of_image ? w->o : w->c, t->made = of_image ? w->c : w->o;
    for (int axis = 0; axis < 2; axis++) {
        t->in[axis] = (of_image ? w->t : w->i)[axis + 1];
        t->out[axis] = (of_image ? w->i : w->t)[axis + 1];
        t->low[axis] = of_image ? 2 - w->p[axis + 1] : w->p[axis + 1];
        t->tile[axis] = (t->out[axis] + EDGE - 1) / EDGE;
    }
    t->rows = t->tile[0] + 1, t->width = t->tile[1] + 1;
    t->items = MAX(MIN(w->n, (int64_t)t->threads * GROUP * 4 / MAX(tiles_of_item(t), 1)), 1);
    st_windows filters = *w;
    for (int axis = 0; axis < 3; axis++) filters.i[axis] = filters.t[axis] = filters.p[axis] = 0;
    const int64_t count = st_size_times(st_size_times(w->groups * t->made, t->read), PARTS_OF_TILE);
    const packing packed = take_packing(memory, &filters, 0, count);
    t->u = packed.a;
    const int64_t plane = st_size_times(t->rows, t->width);
    const int64_t phases = st_size_times(st_size_times(t->read, t->items), plane);
    t->plane = take_elements(memory, st_size_plus(st_size_times(PHASES, phases), t->width + NP));
    const int64_t v = PARTS_OF_TILE * part_size(t->read), m = PARTS_OF_TILE * part_size(t->made);
    t->v = take_for_each(memory, v, t->threads, &t->v_memory);
    t->m = take_for_each(memory, m, t->threads, &t->m_memory);
    if (memory->base && !packed.is_done) transform_filters(t, c->kernel, of_image);
    keep_filter(&packed);
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
            *(loose_vector *)(to + (PARTS_OF_LINE * i + j) * part) = y[j];
    }
}

/* Divide `count` tiles from number q on into strips; return how many there are. */
static int64_t find_strips(const winograd *t, int64_t q, int64_t count, strip *strips) {
    int64_t found = 0, item = q / tiles_of_item(t), at = q % tiles_of_item(t);
    int64_t row = at / t->tile[1], column = at % t->tile[1];
    for (int64_t done = 0; done < count; column = 0) {
        const int64_t some = MIN(count - done, t->tile[1] - column);
        strips[found++] = (strip){item * phase_size(t) + row * t->width + column, done, some,
                                  item, row, column};
        done += some;
        if (++row == t->tile[0]) row = 0, item++;
    }
    return found;
}

/* Transform the tiles of a group: parts of (read, GROUP). What a vector writes beyond its strip is
   overwritten by the next strip, or the next channel. */
static void transform_image(const winograd *t, const strip *strips, int64_t count, TYPE *v) {
    const int64_t step = t->items * phase_size(t), part = part_size(t->read);
    const TYPE *plane = t->plane;
    for (int64_t c = 0; c < t->read; c++, plane += PHASES * step, v += GROUP)
        for (const strip *s = strips; s < strips + count; s++)
            for (int64_t x = 0; x < s->count; x += LANES)
                transform_vector(plane + s->from + x, step, t->width, v + s->at + x, part);
}

/* -- results ----------------------------------------------------------------------------------- */

/* Bring the parts of one filter's results of `count` tiles to rows, EDGE columns for each. */
INLINE void restore(const TYPE *m, int64_t part, int64_t count, TYPE rows[EDGE][EDGE * GROUP]) {
    for (int64_t v = 0; v < count; v += LANES) {
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

/* Store the tiles of a group; `made` is that of the first item. */
static void store_group(const winograd *t, const TYPE *m, const strip *strips, int64_t count,
                        TYPE *made) {
    const int64_t area = t->out[0] * t->out[1], item = t->w->groups * t->made * area;
    const strip *end = strips + count;
    for (int64_t o = 0; o < t->made; o++, m += GROUP, made += area) {
        TYPE rows[EDGE][EDGE * GROUP];
        restore(m, part_size(t->made), end[-1].at + end[-1].count, rows);
        for (const strip *s = strips; s < end; s++) {
            const int64_t length = MIN(EDGE * s->count, t->out[1] - EDGE * s->column);
            TYPE *to = made + s->item * item + (s->row * t->out[1] + s->column) * EDGE;
            for (int64_t i = 0; i < EDGE && EDGE * s->row + i < t->out[0]; i++)
                copy_exactly(to + i * t->out[1], rows[i] + EDGE * s->at, length);
        }
    }
}

/* Compute panels `first` to `last` of the tiles of some items: a group. */
static void winograd_panels(const winograd *t, int64_t first, int64_t last, int64_t group,
                            int64_t items, TYPE *made) {
    const int64_t count = MIN((last - first) * NP, items * tiles_of_item(t) - first * NP);
    const int64_t v_part = part_size(t->read), m_part = part_size(t->made);
    TYPE *v = t->v + THREAD * t->v_memory, *m = t->m + THREAD * t->m_memory;
    strip strips[GROUP];
    const int64_t found = find_strips(t, first * NP, count, strips);
    transform_image(t, strips, found, v);
    for (int64_t part = 0; part < PARTS_OF_TILE; part++) {
        const TYPE *u = t->u + (group * PARTS_OF_TILE + part) * t->made * t->read;
        for (int64_t tile = 0; tile < tiles(t->made); tile++) {
            const int64_t row = tile_row(t->made, tile);
            const int64_t rows = tile_row(t->made, tile + 1) - row;
            for (int64_t x = 0; x < count; x += NP)
                tile_functions[rows](t->read, u + row * t->read, v + part * v_part + x, GROUP,
                                     m + part * m_part + row * GROUP + x, GROUP, 0);
        }
    }
    store_group(t, m, strips, found, made);
}

static void run_winograd(const call *call, const void *plan) {
    const winograd *t = plan;
    const TYPE *const read = read_by(call);
    const int64_t n = t->w->n, groups = t->w->groups, step = t->items * phase_size(t);
    const int64_t size = t->in[0] * t->in[1], area = t->out[0] * t->out[1];
    for (int64_t first = 0; first < n; first += t->items) {
        const int64_t items = MIN(t->items, n - first);
        const int64_t panels = (items * tiles_of_item(t) + NP - 1) / NP;
        /* As many groups for each thread, of nearly as many panels. */
        const int64_t each = (panels + TILE_GROUPS * t->threads - 1) / (TILE_GROUPS * t->threads);
        const int64_t parts = each * t->threads;
        TYPE *own = call->made + first * groups * t->made * area;
        for (int64_t group = 0; group < groups; group++) {
#pragma omp parallel num_threads(t->threads) if (t->threads > 1)
            {
#pragma omp for schedule(static)
                for (int64_t c = 0; c < items * t->read; c++) {
                    const int64_t item = c / t->read, channel = c % t->read;
                    fill_phases(t, read + (((first + item) * groups + group) * t->read + channel)
                                * size, t->plane + channel * PHASES * step + item * phase_size(t),
                                step);
                }
#pragma omp for schedule(static)
                for (int64_t part = 0; part < parts; part++) {
                    const int64_t begin = panels * part / parts, end = panels * (part + 1) / parts;
                    if (begin < end)
                        winograd_panels(t, begin, end, group, items, own + group * t->made * area);
                }
            }
        }
        if (call->finish) call->finish(call->context, first, first + items);
    }
}
