/* The filter, if it has enough of them to fill vectors: results are transposed, pixel by pixel, and
   multiplied by elements of the image. A tile of the filter, MR elements of NV vectors of filters,
   is held in registers while the pixels of a block pass.

   Threads share groups, parts of the blocks and, if these are few, ranges of the elements. Each
   part has its own sums, which are added in order. Their number depends on shapes only. */

enum { PIXELS = 512, PART_SUMS = 262144 };

typedef struct across {
    const st_windows *w;       /* those of the call, or `other` */
    planes planes;
    int64_t terms, width;      /* elements of a filter; filters, rounded up to panels of NP */
    int64_t *offset, *where;
    int64_t items, pixels;     /* of a block: one item and some pixels, or several whole items */
    int64_t blocks, parts;     /* of a group */
    int64_t ranges;            /* of the elements of a part, for one thread each */
    TYPE *sums;                /* (groups, parts, terms, width) */
    char *own;                 /* memory of each thread: see `bench` */
    int64_t own_bytes;
    int swapped;               /* whether image and result have changed places */
    int threads;
    st_windows other;          /* with channels and filters swapped */
} across;

/* What a thread works with. */
typedef struct bench {
    int64_t *pixel;            /* where each pixel of a block is in planes of the block's items */
    TYPE *plane, *result;
    int64_t held;              /* the items in `plane`, by the number of their first block, or -1 */
} bench;

INLINE int in_place(const across *t) { return are_channels(&t->planes, t->w->i); }

static bench lay_out(const across *t, arena *memory) {
    const int64_t copied = in_place(t) ? 0 : t->items * t->w->c;
    bench b = {.held = -1};
    b.pixel = take(memory, t->pixels, 8);
    b.plane = take_elements(memory, size_of_planes(&t->planes, copied));
    b.result = take_elements(memory, st_size_times(t->pixels, t->width));
    return b;
}

/* For all shapes. A filter of one element is the gradient of fewer channels than filters if image and
   result change places: what is met is the result. */
static int fits_across(const call *c, void *plan) {
    const st_windows *w = c->w;
    across *t = plan;
    *t = (across){.w = w, .other = *w, .threads = c->threads};
    t->swapped = is_pointwise(w) && w->c >= LANES && w->c < w->o;
    if (t->swapped) t->other.c = w->o, t->other.o = w->c, t->w = &t->other;
    return 1;
}

static void plan_across(const call *c, void *plan, arena *memory) {
    across *t = plan;
    const st_windows *w = t->w;
    const int64_t places = MAX(st_volume(w->t), 1);
    t->planes = planes_of_image(w);
    t->terms = w->c * st_volume(w->k), t->width = (w->o + NP - 1) / NP * NP;
    t->items = MAX(MIN(PIXELS / places, w->n), 1);
    t->pixels = t->items > 1 ? t->items * places : MIN(PIXELS, places);
    t->blocks = t->items > 1 ? (w->n + t->items - 1) / t->items
                             : w->n * ((places + PIXELS - 1) / PIXELS);
    const int64_t sums = st_size_times(t->terms, t->width);
    const int is_small = sums <= PART_SUMS / (int64_t)sizeof(TYPE);
    t->parts = is_small && w->groups < MOST_PARTS ? MAX(MIN(MOST_PARTS, t->blocks), 1) : 1;
    t->ranges = MIN(MAX(t->threads / (w->groups * t->parts), 1), tiles(t->terms));
    t->offset = take(memory, t->terms, 8), t->where = take(memory, t->terms, 8);
    t->sums = take_elements(memory, st_size_times(st_size_times(w->groups, t->parts), sums));
    arena measured = {0};
    lay_out(t, &measured);
    t->own_bytes = measured.used;
    t->own = take(memory, t->own_bytes, t->threads);
    if (memory->base) find_terms(w, &t->planes, t->offset, t->where);
}

/* Transpose pixels of some filters: `result` has `filters` rows that are `row` apart. */
static void transpose_pixels(const TYPE *result, int64_t row, int64_t filters, int64_t count,
                             TYPE *to) {
    for (int64_t p = 0; p < count; p += LANES, result += LANES, to += LANES * NP) {
        vector x[LANES];
        const int64_t high = MIN(LANES, count - p);
        if (high == LANES) {
            UNROLL for (int i = 0; i < LANES; i++)
                x[i] = i < filters ? load(result + i * row) : (vector){0};
        } else {
            for (int i = 0; i < LANES; i++) {
                x[i] = (vector){0};
                for (int64_t l = 0; i < filters && l < high; l++) x[i][l] = result[i * row + l];
            }
        }
        transpose(x);
        if (high == LANES) {
            UNROLL for (int l = 0; l < LANES; l++) *(loose_vector *)(to + l * NP) = x[l];
        } else {
            for (int l = 0; l < high; l++) *(loose_vector *)(to + l * NP) = x[l];
        }
    }
}

/* Add the products of a block to `rows` elements of `vectors` vectors of filters. */
INLINE void across_tile(const int rows, const int vectors, const across *t, const bench *b,
                        int64_t count, const TYPE *const *image, const TYPE *result, TYPE *sums,
                        int add) {
    vector s[MR][NV], y[NV];
    const int64_t width = t->width, *pixel = b->pixel;
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < vectors; v++)
            s[i][v] = add ? load(sums + i * width + v * LANES) : (vector){0};
    for (int64_t p = 0; p < count; p++, result += NP) {
        const int64_t at = pixel[p];
        UNROLL for (int v = 0; v < vectors; v++) {
            y[v] = load(result + v * LANES);
            KEEP(y[v]);
        }
        UNROLL for (int i = 0; i < rows; i++) {
            const TYPE element = image[i][at];
            UNROLL for (int v = 0; v < vectors; v++) s[i][v] += element * y[v];
        }
    }
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < vectors; v++)
            *(loose_vector *)(sums + i * width + v * LANES) = s[i][v];
}

INLINE void across_rows(const int rows, const across *t, const bench *b, const TYPE *plane,
                        int64_t term, int64_t count, TYPE *sums, int add) {
    const TYPE *image[MR], *result = b->result;
    UNROLL for (int i = 0; i < rows; i++) image[i] = plane + t->offset[term + i];
    for (int64_t o = 0; o < t->w->o; o += NP, result += t->pixels * NP, sums += NP) {
        if (o + LANES < t->w->o) across_tile(rows, NV, t, b, count, image, result, sums, add);
        else across_tile(rows, 1, t, b, count, image, result, sums, add);
    }
}

typedef void across_function(const across *, const bench *, const TYPE *, int64_t, int64_t, TYPE *,
                             int);
#define ACROSS(rows) \
    static void across_##rows(const across *t, const bench *b, const TYPE *plane, int64_t term, \
                              int64_t count, TYPE *sums, int add) { \
        across_rows(rows, t, b, plane, term, count, sums, add); \
    }
FOR_ROWS(ACROSS)
#define ACROSS_OF(rows) across_##rows,
static across_function *const across_functions[] = {0, FOR_ROWS(ACROSS_OF)};

/* Find where `count` pixels from `begin` on are, in planes that begin at `start`. */
static void find_pixels(const across *t, int64_t begin, int64_t count, int64_t start,
                        int64_t *pixel) {
    const int64_t length = t->w->t[2];
    for (int64_t p = 0, x = begin % length; p < count; x = 0) {
        const int64_t row = start + position(t->w, &t->planes, begin + p);
        const int64_t some = MIN(length - x, count - p);
        for (int64_t i = 0; i < some; i++) pixel[p++] = row + i;
    }
}

/* Add a block to the sums of tiles `first` to `last` of the elements of a group's filters. */
static void add_block(const across *t, bench *b, int64_t group, int64_t block, int64_t first,
                      int64_t last, const TYPE *image, const TYPE *result, TYPE *sums, int add) {
    const st_windows *w = t->w;
    const int64_t volume = st_volume(w->i), places = st_volume(w->t);
    const int64_t each = (places + PIXELS - 1) / PIXELS;
    const int64_t item = t->items > 1 ? block * t->items : block / each;
    const int64_t begin = t->items > 1 ? 0 : block % each * PIXELS;
    const int64_t items = MIN(t->items, w->n - item), pixels = MIN(PIXELS, places - begin);
    const int64_t size = (in_place(t) ? w->groups : 1) * w->c * plane_size(&t->planes);
    const TYPE *x = image + (item * w->groups + group) * w->c * volume;
    const TYPE *y = result + (item * w->groups + group) * w->o * places + begin;
    if (!in_place(t) && b->held != block - begin / PIXELS) {
        const int64_t taps = st_volume(w->k);
        const int64_t from = tile_row(t->terms, first) / taps;
        const int64_t to = (tile_row(t->terms, last) + taps - 1) / taps;
        for (int64_t i = 0; i < items; i++)
            for (int64_t c = from; c < to; c++)
                fill_plane(&t->planes, w->i, x + (i * w->groups * w->c + c) * volume,
                           b->plane + (i * w->c + c) * plane_size(&t->planes));
        b->held = block - begin / PIXELS;
    }
    for (int64_t i = 0; i < items; i++) {
        find_pixels(t, begin, pixels, i * size, b->pixel + i * places);
        for (int64_t o = 0; o < w->o; o += LANES)
            transpose_pixels(y + (i * w->groups * w->o + o) * places, places, w->o - o, pixels,
                             b->result + o / NP * t->pixels * NP + i * places * NP + o % NP);
    }
    for (int64_t tile = first; tile < last; tile++) {
        const int64_t term = tile_row(t->terms, tile);
        const int64_t rows = tile_row(t->terms, tile + 1) - term;
        across_functions[rows](t, b, in_place(t) ? x : b->plane, term, items * pixels,
                               sums + term * t->width, add);
    }
}

/* Add the parts of an element of all filters. */
static void add_parts(const across *t, TYPE *sums) {
    for (int64_t o = 0; o < t->w->o && t->parts > 1; o += LANES) {
        vector sum = load(sums + o);
        for (int64_t part = 1; part < t->parts; part++)
            sum += load(sums + part * t->terms * t->width + o);
        *(loose_vector *)(sums + o) = sum;
    }
}

/* Store some elements, from `first` on, of all filters of a group. */
static void store_elements(const across *t, int64_t group, int64_t first, TYPE *kernel) {
    const int64_t filters = t->w->o, terms = t->terms, count = MIN(terms - first, LANES);
    TYPE *from[LANES];
    for (int64_t i = 0; i < LANES; i++) {
        const int64_t term = t->where[first + MIN(i, count - 1)];  /* its own inverse */
        from[i] = t->sums + (group * t->parts * terms + term) * t->width;
        if (i < count) add_parts(t, from[i]);
    }
    for (int64_t o = 0; o < filters; o += LANES) {
        const int64_t some = MIN(filters - o, LANES);
        vector x[LANES];
        for (int64_t i = 0; i < LANES; i++) x[i] = load(from[i] + o);
        if (!t->swapped) transpose(x);
        const int64_t rows = t->swapped ? count : some, row = t->swapped ? filters : terms;
        const int64_t length = t->swapped ? some : count;
        TYPE *to = kernel + group * filters * terms
                   + (t->swapped ? first * filters + o : o * terms + first);
        for (int64_t i = 0; i < rows; i++, to += row) {
            if (length == LANES) *(loose_vector *)to = x[i];
            else __builtin_memcpy(to, &x[i], length * sizeof(TYPE));
        }
    }
}

static void run_across(const call *c, const void *plan) {
    const across *t = plan;
    const st_windows *w = t->w;
    const TYPE *const image = t->swapped ? c->result : c->image;
    const TYPE *const result = t->swapped ? c->image : c->result;
    const int64_t parts = t->parts, ranges = t->ranges, size = t->terms * t->width;
#pragma omp parallel num_threads(t->threads) if (t->threads > 1)
    {
        arena memory = {.base = t->own + THREAD * t->own_bytes};
        bench b = lay_out(t, &memory);
        int64_t last_group = -1, last_range = -1;
#pragma omp for schedule(static)
        for (int64_t job = 0; job < w->groups * parts * ranges; job++) {
            const int64_t range = job % ranges, part = job / ranges % parts;
            const int64_t group = job / ranges / parts;
            if (group != last_group || range != last_range) b.held = -1;
            last_group = group, last_range = range;
            const int64_t end = t->blocks * (part + 1) / parts;
            for (int64_t first = t->blocks * part / parts, block = first; block < end; block++)
                add_block(t, &b, group, block, tiles(t->terms) * range / ranges,
                          tiles(t->terms) * (range + 1) / ranges, image, result,
                          t->sums + (group * parts + part) * size, block > first);
        }
#pragma omp for schedule(static)
        for (int64_t k = 0; k < w->groups * VECTORS(t->terms); k++)
            store_elements(t, k / VECTORS(t->terms), k % VECTORS(t->terms) * LANES, c->made);
    }
}
