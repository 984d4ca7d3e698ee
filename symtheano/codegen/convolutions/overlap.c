/* Large filters, by Fourier transforms: what is read is cut into tiles that overlap; tiles and
   filters are transformed, multiplied frequency by frequency, and transformed back. Of each tile,
   the results are stored that depend on its elements only. The method is known as overlap-save; for
   many channels see M. Mathieu, M. Henaff and Y. LeCun, "Fast training of convolutional networks
   through FFTs" (2014). Lanes of the vectors have different tiles. */

typedef struct overlap {
    const st_windows *w;
    int64_t read, made;        /* channels of a group that are read and made */
    int64_t low[2];            /* zeros before both axes */
    int64_t in[2], out[2];     /* lengths of what is read and made */
    tiling cut;
    transform transform;
    int64_t units;             /* vectors of tiles, of all items */
    int64_t units_at_once, groups_at_once;
    int64_t u_step, v_step, m_step; /* from one frequency to the next */
    packing packed;            /* where u is */
    TYPE *u;                   /* filters: (frequencies, groups, tiles of rows, read, rows, 2) */
    TYPE *v, *m;               /* tiles: (frequencies, groups, units, channels, 2, LANES) */
    TYPE *buffer;              /* of each thread: a tile and a copy of a row in each lane */
    int64_t buffer_memory;
    int backwards;             /* whether filters are read backwards */
    int of_image, threads;
} overlap;

/* Bytes of transformed tiles that are held at once. A frequency of a vector of tiles, or of filters,
   has POINT elements. */
enum { TILES_AT_ONCE = 1 << 23, POINT = 2 * LANES };

/* An odd number of lines of the cache, so that frequencies do not fall into the same ones. */
INLINE int64_t odd_lines(int64_t elements) {
    const int64_t line = 64 / (int64_t)sizeof(TYPE);
    return ((elements + line - 1) / line | 1) * line;
}

/* Find the size of tiles for a result or an image. */
static int find_overlap(const st_windows *w, int of_image, int64_t *size) {
    const int64_t *out = (of_image ? w->i : w->t) + 1;
    const int64_t made = of_image ? w->c : w->o, read = of_image ? w->o : w->c;
    return find_tile(w, out, overlap_cost, product_cost(w, out, made, read), size);
}

/* -- memory ------------------------------------------------------------------------------------ */

static int fits_overlap(const call *c, void *plan) {
    overlap *t = plan;
    *t = (overlap){.w = c->w, .threads = c->threads};
    return find_overlap(c->w, c->wanted == IMAGE, t->transform.size);
}

static int is_safe_overlap(const call *c) {
    const st_windows *w = c->w;
    const int64_t items = w->n * w->groups;
    const int64_t each = c->wanted == IMAGE ? w->o * st_volume(w->t) : w->c * st_volume(w->i);
    return are_moderate(c->kernel, w->groups * w->o * w->c * st_volume(w->k), c->threads)
           && are_moderate(read_by(c), items * each, c->threads);
}

static void plan_overlap(const call *c, void *plan, arena *memory) {
    overlap *t = plan;
    const st_windows *w = t->w;
    const int of_image = c->wanted == IMAGE;
    const int64_t *size = t->transform.size;
    t->of_image = of_image, t->backwards = (w->flip != 0) != of_image;
    t->read = of_image ? w->o : w->c, t->made = of_image ? w->c : w->o;
    for (int axis = 0; axis < 2; axis++) {
        const int64_t k = w->k[axis + 1], p = w->p[axis + 1];
        t->in[axis] = (of_image ? w->t : w->i)[axis + 1];
        t->out[axis] = (of_image ? w->i : w->t)[axis + 1];
        t->low[axis] = of_image ? k - 1 - p : p;
    }
    t->cut = tiling_of(w, t->out, size);
    plan_transform(&t->transform, memory);
    const int64_t count = frequencies(&t->transform);
    const int64_t unit = count * (t->read + t->made) * POINT * (int64_t)sizeof(TYPE);
    const int64_t most = MAX(TILES_AT_ONCE / unit, 1);
    t->units = VECTORS(count_tiles(w, t->cut));
    t->units_at_once = MIN(most, t->units);
    t->groups_at_once = MIN(MAX(most / t->units, 1), w->groups);
    const int64_t at_once = t->units_at_once * t->groups_at_once * POINT;
    t->u_step = odd_lines(VECTORS(w->groups * w->o * w->c) * POINT);
    t->v_step = odd_lines(at_once * t->read), t->m_step = odd_lines(at_once * t->made);
    t->packed = take_packing(memory, w, size, count * t->u_step);
    t->u = t->packed.a;
    t->v = take_elements(memory, count * t->v_step);
    t->m = take_elements(memory, count * t->m_step);
    const int64_t buffer = odd_lines((tile_vectors(&t->transform) + size[1]) * LANES);
    t->buffer = take_for_each(memory, buffer, t->threads, &t->buffer_memory);
}

/* -- filters ----------------------------------------------------------------------------------- */

/* Where the filter of an element of u begins: u has tiles of rows of each group, for each channel. */
static int64_t filter_at(const overlap *t, int64_t element) {
    const int64_t each = t->made * t->read, group = element / each;
    int64_t rest = element % each, tile = 0;
    while (tile_row(t->made, tile + 1) * t->read <= rest) tile++;
    const int64_t row = tile_row(t->made, tile), rows = tile_row(t->made, tile + 1) - row;
    rest -= row * t->read;
    const int64_t channel = rest / rows, made = row + rest % rows;
    const int64_t o = t->of_image ? channel : made, c = t->of_image ? made : channel;
    return ((group * t->w->o + o) * t->w->c + c) * st_volume(t->w->k);
}

/* Transform the filters of a vector of elements: conjugates, for the products of a correlation. */
static void transform_filter_unit(const overlap *t, int64_t unit, const TYPE *kernel, vector *x) {
    const transform *f = &t->transform;
    const int64_t all = t->w->groups * t->made * t->read, taps = st_volume(t->w->k);
    const int64_t rows = t->w->k[1], columns = t->w->k[2], row = row_step(f);
    __builtin_memset(x, 0, tile_vectors(f) * sizeof(vector));
    for (int64_t l = 0; l < LANES && unit * LANES + l < all; l++) {
        const TYPE *from = kernel + filter_at(t, unit * LANES + l);
        TYPE *to = (TYPE *)x + l;
        for (int64_t r = 0; r < rows; r++)
            for (int64_t c = 0; c < columns; c++) {
                const int64_t at = r * columns + c;
                to[(r * row + c) * LANES] = from[t->backwards ? taps - 1 - at : at];
            }
    }
    for (int64_t r = 0; r < rows; r += AT_ONCE)
        transform_rows(f, x + r * row, MIN(AT_ONCE, rows - r));
    const TYPE scale = 1 / (4 * (TYPE)f->size[0] * (TYPE)f->size[1]);
    TYPE *const to = t->u + unit * POINT;
#define STORE_FILTERS(number, real, imaginary) { \
        vector both[2]; \
        interleave(scale * (real), -scale * (imaginary), both); \
        *(vector *)(to + (number) * t->u_step) = both[0]; \
        *(vector *)(to + (number) * t->u_step + LANES) = both[1]; \
    }
    TRANSFORM_COLUMNS(f, x, STORE_FILTERS)
}

/* -- tiles ------------------------------------------------------------------------------------- */

/* What a lane reads: an image or none, from a row and a column on. */
typedef struct piece { const TYPE *image; int64_t at[2]; } piece;

/* Where a tile is: its item, and its first row and column of results. */
typedef struct corner { int64_t item, at[2]; } corner;

INLINE corner corner_of(int64_t tile, tiling cut) {
    const int64_t row = tile / cut.count[1], column = tile % cut.count[1];
    return (corner){row / cut.count[0],
                    {row % cut.count[0] * cut.valid[0], column * cut.valid[1]}};
}

static void find_corners(const overlap *t, int64_t unit, corner *corners) {
    for (int64_t l = 0; l < LANES; l++)
        corners[l] = corner_of(unit * LANES + l, t->cut);
}

/* Return where the row of a tile is that begins with element x of a row of the image, or copy it,
   with zeros around it. */
static const TYPE *row_of_tile(const TYPE *from, int64_t length, int64_t x, int64_t size,
                               TYPE *copy) {
    if (x >= 0 && x + size <= length) return from + x;
    const int64_t begin = MIN(MAX(-x, 0), size), end = MIN(MAX(length - x, begin), size);
    for (int64_t i = 0; i < size; i += LANES) *(vector *)(copy + i) = (vector){0};
    copy_exactly(copy + begin, from + x + begin, end - begin);
    return copy;
}

/* Load `rows` rows of `columns` elements of images of lengths `in`, with zeros around them, and
   transform them. Memory for copies follows the tile. */
static void load_tiles(const transform *f, const piece *pieces, const int64_t *in, int64_t rows,
                       int64_t columns, vector *x) {
    TYPE *const copies = (TYPE *)(x + tile_vectors(f));
    for (int64_t r = 0; r < rows; r++) {
        vector *row = x + r * row_step(f);
        const TYPE *from[LANES];
        for (int64_t l = 0; l < LANES; l++) {
            const piece *k = pieces + l;
            const int64_t i = k->at[0] + r, j = k->at[1];
            const int there = k->image && i >= 0 && i < in[0];
            from[l] = row_of_tile(there ? k->image + i * in[1] : copies,
                                  there ? MIN(in[1], j + columns) : 0, j, f->size[1],
                                  copies + l * f->size[1]);
        }
        for (int64_t c = 0; c < f->size[1]; c += LANES) {
            vector part[LANES];
            UNROLL for (int l = 0; l < LANES; l++) part[l] = load(from[l] + c);
            transpose(part);
            UNROLL for (int l = 0; l < LANES; l++) row[c + l] = part[l];
        }
        const int64_t done = r % AT_ONCE + 1;
        if (done == AT_ONCE || r + 1 == rows)
            transform_rows(f, row - (done - 1) * row_step(f), done);
    }
    for (int64_t r = rows; r < f->size[0]; r++)
        __builtin_memset(x + r * row_step(f), 0, row_step(f) * sizeof(vector));
}

/* Transform a vector of tiles of a channel; `read` is that of the first item. */
static void transform_unit(const overlap *t, int64_t unit, const TYPE *read, TYPE *to, vector *x) {
    const transform *f = &t->transform;
    const int64_t step = t->w->groups * t->read * t->in[0] * t->in[1];
    piece pieces[LANES];
    for (int64_t l = 0; l < LANES; l++) {
        const corner k = corner_of(unit * LANES + l, t->cut);
        pieces[l] = (piece){k.item < t->w->n ? read + k.item * step : 0,
                            {k.at[0] - t->low[0], k.at[1] - t->low[1]}};
    }
    load_tiles(f, pieces, t->in, f->size[0], f->size[1], x);
#define STORE_TILES(number, real, imaginary) { \
        *(vector *)(to + (number) * t->v_step) = real; \
        *(vector *)(to + (number) * t->v_step + LANES) = imaginary; \
    }
    TRANSFORM_COLUMNS(f, x, STORE_TILES)
}

/* Transform a vector of tiles back; `made` is the channel of the first item. */
static void restore_unit(const overlap *t, int64_t unit, const TYPE *from, TYPE *made, vector *x) {
    const transform *f = &t->transform;
    const int64_t area = t->out[0] * t->out[1], step = t->w->groups * t->made * area;
    corner corners[LANES];
    find_corners(t, unit, corners);
    restore_columns(f, from, t->m_step, x);
    const int64_t rows = MIN(t->cut.valid[0], t->out[0]);
    for (int64_t r = 0; r < rows; r++) {
        vector *row = x + r * row_step(f);
        if (r % AT_ONCE == 0) restore_rows(f, row, MIN(AT_ONCE, rows - r));
        for (int64_t c = 0; c < MIN(t->cut.valid[1], t->out[1]); c += LANES) {
            vector part[LANES];
            UNROLL for (int l = 0; l < LANES; l++) part[l] = row[c + l];
            transpose(part);
            for (int l = 0; l < LANES; l++) {
                const corner *k = corners + l;
                const int64_t i = k->at[0] + r, j = k->at[1] + c;
                if (k->item >= t->w->n || i >= t->out[0]) continue;
                TYPE *to = made + k->item * step + i * t->out[1] + j;
                const int64_t count = MIN(t->cut.valid[1] - c, t->out[1] - j);
                if (count >= LANES) *(loose_vector *)to = part[l];
                else for (int64_t y = 0; y < count; y++) to[y] = part[l][y];
            }
        }
    }
}

/* -- products ---------------------------------------------------------------------------------- */

/* Complex products c[i] = sum over k of a[k][i] * b[k], with rows of a and of b, and elements of c,
   so many elements apart. */
typedef struct steps { int64_t a, b, c; } steps;

INLINE void complex_tile_of(const int rows, int64_t depth, const steps *s, const TYPE *a,
                            const TYPE *b, TYPE *c, int add) {
    vector re[MR], im[MR];
    UNROLL for (int i = 0; i < rows; i++) {
        re[i] = add ? load(c + i * s->c) : (vector){0};
        im[i] = add ? load(c + i * s->c + LANES) : (vector){0};
    }
    for (int64_t k = 0; k < depth; k++, a += s->a, b += s->b) {
        vector x = load(b), y = load(b + LANES);
        KEEP(x);
        KEEP(y);
        UNROLL for (int i = 0; i < rows; i++) {
            const TYPE p = a[2 * i], q = a[2 * i + 1];
            re[i] += p * x, im[i] += p * y;
            re[i] -= q * y, im[i] += q * x;
        }
    }
    UNROLL for (int i = 0; i < rows; i++) {
        *(vector *)(c + i * s->c) = re[i];
        *(vector *)(c + i * s->c + LANES) = im[i];
    }
}

typedef void complex_function(int64_t, const steps *, const TYPE *, const TYPE *, TYPE *, int);
#define COMPLEX(rows) \
    static void complex_##rows(int64_t depth, const steps *s, const TYPE *a, const TYPE *b, \
                               TYPE *c, int add) { \
        complex_tile_of(rows, depth, s, a, b, c, add); \
    }
FOR_ROWS(COMPLEX)
#define COMPLEX_OF(rows) complex_##rows,
static complex_function *const complex_functions[] = {0, FOR_ROWS(COMPLEX_OF)};

/* The products of one frequency for some groups and units. */
static void multiply_frequency(const overlap *t, int64_t number, int64_t group, int64_t groups,
                               int64_t units) {
    const int64_t each = t->made * t->read * 2;
    const TYPE *u = t->u + number * t->u_step + group * each, *v = t->v + number * t->v_step;
    TYPE *m = t->m + number * t->m_step;
    for (int64_t g = 0; g < groups; g++, u += each) {
        for (int64_t tile = 0; tile < tiles(t->made); tile++) {
            const int64_t row = tile_row(t->made, tile), rows = tile_row(t->made, tile + 1) - row;
            const steps s = {2 * rows, POINT, POINT};
            for (int64_t unit = 0; unit < units; unit++)
                complex_functions[rows](t->read, &s, u + row * t->read * 2,
                                        v + unit * t->read * POINT,
                                        m + (unit * t->made + row) * POINT, 0);
        }
        v += units * t->read * POINT, m += units * t->made * POINT;
    }
}

/* -- all --------------------------------------------------------------------------------------- */

static void run_overlap(const call *call, const void *plan) {
    const overlap *t = plan;
    const st_windows *w = t->w;
    const TYPE *const read = read_by(call);
    const int64_t size = t->in[0] * t->in[1], area = t->out[0] * t->out[1];
    const int64_t count = frequencies(&t->transform);
    const int64_t filter_units = t->packed.is_done ? 0 : VECTORS(w->groups * w->o * w->c);
#pragma omp parallel num_threads(t->threads) if (t->threads > 1)
    {
        vector *x = (vector *)(t->buffer + THREAD * t->buffer_memory);
#pragma omp for schedule(static)
        for (int64_t unit = 0; unit < filter_units; unit++)
            transform_filter_unit(t, unit, call->kernel, x);
        for (int64_t group = 0; group < w->groups; group += t->groups_at_once)
        for (int64_t first = 0; first < t->units; first += t->units_at_once) {
            const int64_t units = MIN(t->units_at_once, t->units - first);
            const int64_t groups = MIN(t->groups_at_once, w->groups - group);
#pragma omp for schedule(static)
            for (int64_t i = 0; i < groups * units * t->read; i++) {
                const int64_t g = i / t->read / units, unit = i / t->read % units;
                const int64_t channel = (group + g) * t->read + i % t->read;
                transform_unit(t, first + unit, read + channel * size, t->v + i * POINT, x);
            }
#pragma omp for schedule(static)
            for (int64_t number = 0; number < count; number++)
                multiply_frequency(t, number, group, groups, units);
#pragma omp for schedule(static)
            for (int64_t i = 0; i < groups * units * t->made; i++) {
                const int64_t g = i / t->made / units, unit = i / t->made % units;
                const int64_t channel = (group + g) * t->made + i % t->made;
                restore_unit(t, first + unit, t->m + i * POINT, call->made + channel * area, x);
            }
        }
#pragma omp for schedule(static)
        for (int64_t item = 0; item < w->n; item++)
            if (call->finish) call->finish(call->context, item, item + 1);
    }
    keep_filter(&t->packed);
}
