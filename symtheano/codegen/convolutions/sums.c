/* The filter: each element is the sum of products of results and of the elements of the image that
   it met. Rows of results are padded to whole vectors; rows of several items are a block. */

/* Filters and elements of a tile: of several filters, and of a single one. */
enum { DR = BYTES == 64 ? 8 : 4, DK = 3, DL = 9, BLOCK = 1024 };

typedef struct sums {
    const st_windows *w;
    planes planes;
    int64_t rows, length;      /* rows of a result, and their length in memory */
    int64_t items, at_once;    /* items of a block, and rows of a block with one item */
    int64_t terms;             /* elements of a filter */
    int64_t *offset, *where;
    int64_t *row;              /* where the first element of each row is in a plane */
    TYPE *plane, *result;      /* planes (items, c), rows (o, items) */
    int threads;
} sums;

/* For few filters, and if there is nothing to add. */
static int fits_sums(const call *c, void *plan) {
    const st_windows *w = c->w;
    *(sums *)plan = (sums){.w = w, .threads = c->threads};
    return w->o < LANES || !w->n || !st_volume(w->t);
}

static void plan_sums(const call *c, void *plan, arena *memory) {
    sums *t = plan;
    const st_windows *w = t->w;
    t->planes = planes_of_image(w);
    t->rows = w->t[0] * w->t[1], t->length = VECTORS(w->t[2]) * LANES;
    const int64_t size = MAX(st_size_times(t->rows, t->length), 1);
    const int64_t block = w->o < DR ? 4 * BLOCK : BLOCK;
    t->items = MAX(MIN(w->n, block / size), 1);
    t->at_once = MAX(block / MAX(t->length, 1), 1);
    t->terms = w->c * st_volume(w->k);
    t->offset = take(memory, t->terms, 8), t->where = take(memory, t->terms, 8);
    t->row = take(memory, t->rows, 8);
    const int64_t planes = size_of_planes(&t->planes, st_size_times(t->items, w->c));
    t->plane = take_elements(memory, st_size_plus(planes, LANES));
    t->result = take_elements(memory, st_size_times(st_size_times(t->items, w->o), size));
    if (!memory->base) return;
    find_terms(w, &t->planes, t->offset, t->where);
    for (int64_t r = 0; r < t->rows; r++)
        t->row[r] = position(w, &t->planes, r * w->t[2]);
}

/* Add up rows of a block for `rows` filters and `columns` elements. */
INLINE void sum_tile(const int rows, const int columns, const sums *t, int64_t items,
                     int64_t begin, int64_t end, const TYPE *const *result,
                     const TYPE *const *image, vector *all) {
    vector s[DR][DL];
    const int64_t whole = t->w->t[2] / LANES * LANES, rest = t->w->t[2] - whole;
    const int64_t size = t->rows * t->length, plane = t->w->c * plane_size(&t->planes);
    static const WORD lanes[2 * LANES] = {[0 ... LANES - 1] = -1};
    const mask_vector mask = *(const mask_vector *)(lanes + LANES - rest);
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int j = 0; j < columns; j++) s[i][j] = (vector){0};
    for (int64_t item = 0; item < items; item++)
        for (int64_t row = begin; row < end; row++) {
            const int64_t to = item * size + row * t->length;
            const int64_t from = item * plane + t->row[row];
            vector x[DL];
            for (int64_t v = 0; v < whole; v += LANES) {
                UNROLL for (int j = 0; j < columns; j++) {
                    x[j] = load(image[j] + from + v);
                    KEEP(x[j]);
                }
                UNROLL for (int i = 0; i < rows; i++) {
                    vector y = load(result[i] + to + v);
                    KEEP(y);
                    UNROLL for (int j = 0; j < columns; j++) s[i][j] += y * x[j];
                }
            }
            if (rest) {
                UNROLL for (int j = 0; j < columns; j++)
                    x[j] = (vector)(*(const mask_vector *)(image[j] + from + whole) & mask);
                UNROLL for (int i = 0; i < rows; i++) {
                    vector y = load(result[i] + to + whole);
                    KEEP(y);
                    UNROLL for (int j = 0; j < columns; j++) s[i][j] += y * x[j];
                }
            }
        }
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int j = 0; j < columns; j++) all[i * columns + j] = s[i][j];
}

/* Add what a block contributes to filters from `filter` on. */
INLINE void sum_filters(const int rows, const int columns, const sums *t, int64_t filter,
                        int64_t items, int64_t begin, int64_t end, TYPE *kernel, int add) {
    const int64_t left = MIN(rows, t->w->o - filter), block = t->items * t->rows * t->length;
    const TYPE *result[DR], *image[DL];
    for (int i = 0; i < rows; i++) result[i] = t->result + (filter + MIN(i, left - 1)) * block;
    for (int64_t k = 0; k < t->terms; k += columns) {
        const int64_t count = MIN(columns, t->terms - k);
        for (int j = 0; j < columns; j++) image[j] = t->plane + t->offset[k + MIN(j, count - 1)];
        vector all[DR * DK + LANES] = {{0}};
        sum_tile(rows, columns, t, items, begin, end, result, image, all);
        for (int64_t e = 0; e < rows * columns; e += LANES) {
            const vector total = totals(all + e);
            for (int64_t l = 0; l < MIN(LANES, rows * columns - e); l++) {
                const int64_t i = (e + l) / columns, j = (e + l) % columns;
                if (i >= left || j >= count) continue;
                TYPE *to = kernel + (filter + i) * t->terms + t->where[k + j];
                *to = add ? *to + total[l] : total[l];
            }
        }
    }
}

static void run_sums(const call *call, const void *plan) {
    const sums *t = plan;
    const st_windows *w = t->w;
    const TYPE *const image = call->image, *const result = call->result;
    TYPE *kernel = call->made;
    const int64_t pixels = st_volume(w->i), places = st_volume(w->t);
    if (!w->n || !places) {
        clear(kernel, w->groups * w->o * t->terms);
        return;
    }
    const int64_t rows = w->o < DR ? 1 : DR;
    for (int64_t group = 0; group < w->groups; group++, kernel += w->o * t->terms)
        for (int64_t first = 0; first < w->n; first += t->items) {
            const int64_t items = MIN(t->items, w->n - first);
            const TYPE *x = image + (first * w->groups + group) * w->c * pixels;
            const TYPE *y = result + (first * w->groups + group) * w->o * places;
#pragma omp parallel num_threads(t->threads) if (t->threads > 1)
            {
#pragma omp for schedule(static) nowait
                for (int64_t c = 0; c < items * w->c; c++)
                    fill_plane(&t->planes, w->i,
                               x + (c / w->c * w->groups * w->c + c % w->c) * pixels,
                               t->plane + c * plane_size(&t->planes));
#pragma omp for schedule(static)
                for (int64_t o = 0; o < w->o * items; o++) {
                    const int64_t item = o % items, filter = o / items;
                    const TYPE *from = y + (item * w->groups * w->o + filter) * places;
                    TYPE *to = t->result + (filter * t->items + item) * t->rows * t->length;
                    for (int64_t r = 0; r < t->rows; r++, from += w->t[2], to += t->length) {
                        __builtin_memcpy(to, from, w->t[2] * sizeof(TYPE));
                        clear(to + w->t[2], t->length - w->t[2]);
                    }
                }
                const int64_t at_once = t->items > 1 ? t->rows : t->at_once;
                for (int64_t row = 0; row < t->rows; row += at_once) {
                    const int64_t end = MIN(row + at_once, t->rows);
                    const int add = first > 0 || row > 0;
#pragma omp for schedule(static)
                    for (int64_t o = 0; o < w->o; o += rows) {
                        if (rows == 1) sum_filters(1, DL, t, o, items, row, end, kernel, add);
                        else sum_filters(DR, DK, t, o, items, row, end, kernel, add);
                    }
                }
            }
        }
}
