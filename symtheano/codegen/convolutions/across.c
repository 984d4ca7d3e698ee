/* The filter, if it has enough of them to fill vectors: results are transposed, pixel by pixel, and
   multiplied by elements of the image. A tile of the filter, MR elements of NV vectors of filters,
   is held in registers while the pixels of a block pass. */

enum { PIXELS = 256 };

typedef struct across {
    const st_windows *w;
    planes planes;
    int64_t terms, width;      /* elements of a filter; filters, rounded up to panels of NP */
    int64_t *offset, *where;
    int64_t pixels;            /* of a block, which may have several items */
    int64_t *pixel;            /* where each is in planes of the block's items */
    TYPE *plane, *result, *sums;
    int swapped;               /* whether image and result have changed places */
    int threads;
} across;

/* The items of a block if it has more than one, else 1. */
INLINE int64_t items_of(const st_windows *w) {
    const int64_t places = MAX(st_volume(w->t), 1);
    return MAX(MIN(PIXELS / places, w->n), 1);
}

static void plan_across(across *t, arena *memory) {
    const st_windows *w = t->w;
    const int64_t items = items_of(w), places = st_volume(w->t);
    t->planes = planes_of_image(w);
    t->terms = w->c * st_volume(w->k), t->width = (w->o + NP - 1) / NP * NP;
    t->pixels = items > 1 ? items * places : MIN(PIXELS, places);
    t->offset = take(memory, t->terms * 8), t->where = take(memory, t->terms * 8);
    t->pixel = take(memory, t->pixels * 8);
    const int64_t copied = are_channels(&t->planes, w->i) ? 0 : items * w->c;
    t->plane = take_elements(memory, copied * plane_size(&t->planes));
    t->result = take_elements(memory, t->pixels * t->width);
    t->sums = take_elements(memory, t->terms * t->width);
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
INLINE void across_tile(const int rows, const int vectors, const across *t, int64_t count,
                        const TYPE *const *image, const TYPE *result, TYPE *sums, int add) {
    vector s[MR][NV], y[NV];
    const int64_t width = t->width;
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < vectors; v++)
            s[i][v] = add ? load(sums + i * width + v * LANES) : (vector){0};
    for (int64_t p = 0; p < count; p++, result += NP) {
        const int64_t at = t->pixel[p];
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

INLINE void across_rows(const int rows, const across *t, const TYPE *plane, int64_t term,
                        int64_t count, int add) {
    const TYPE *image[MR], *result = t->result;
    UNROLL for (int i = 0; i < rows; i++) image[i] = plane + t->offset[term + i];
    TYPE *sums = t->sums + term * t->width;
    for (int64_t o = 0; o < t->w->o; o += NP, result += t->pixels * NP, sums += NP) {
        if (o + LANES < t->w->o) across_tile(rows, NV, t, count, image, result, sums, add);
        else across_tile(rows, 1, t, count, image, result, sums, add);
    }
}

static void across_block(const across *t, const TYPE *plane, int64_t count, int add) {
    const int64_t whole = t->terms / MR;
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
    for (int64_t i = 0; i <= whole; i++) {
        if (i < whole) {
            across_rows(MR, t, plane, i * MR, count, add);
            continue;
        }
        int64_t term = whole * MR;
        for (; MR > 8 && term + 8 <= t->terms; term += 8) across_rows(8, t, plane, term, count, add);
        for (; term + 4 <= t->terms; term += 4) across_rows(4, t, plane, term, count, add);
        for (; term < t->terms; term++) across_rows(1, t, plane, term, count, add);
    }
}

static void sum_across(const across *t, const TYPE *image, const TYPE *result, TYPE *kernel) {
    const st_windows *w = t->w;
    const int64_t pixels = st_volume(w->i), places = st_volume(w->t), items = items_of(w);
    const int64_t channels = w->groups * w->c, filters = w->groups * w->o;
    const int in_place = are_channels(&t->planes, w->i);
    const int64_t item_size = (in_place ? channels : w->c) * plane_size(&t->planes);
    for (int64_t group = 0; group < w->groups; group++, kernel += w->o * t->terms) {
        const TYPE *x = image + group * w->c * pixels, *y = result + group * w->o * places;
#ifdef _OPENMP
#pragma omp parallel num_threads(t->threads) if (t->threads > 1)
#endif
        for (int64_t first = 0; first < w->n; first += items) {
            const int64_t some = MIN(items, w->n - first);
            const TYPE *plane = in_place ? x + first * channels * pixels : t->plane;
#ifdef _OPENMP
#pragma omp for schedule(static) nowait
#endif
            for (int64_t c = 0; c < (in_place ? 0 : some * w->c); c++)
                fill_plane(&t->planes, w->i,
                           x + ((first + c / w->c) * channels + c % w->c) * pixels,
                           t->plane + c * plane_size(&t->planes));
            for (int64_t begin = 0; begin < places; begin += items > 1 ? places : t->pixels) {
                const int64_t each = items > 1 ? places : MIN(t->pixels, places - begin);
#ifdef _OPENMP
#pragma omp single nowait
#endif
                for (int64_t p = 0; p < some * each; p++)
                    t->pixel[p] = p / each * item_size + position(w, &t->planes, begin + p % each);
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
                for (int64_t u = 0; u < some * VECTORS(w->o); u++) {
                    const int64_t item = u / VECTORS(w->o), o = u % VECTORS(w->o) * LANES;
                    transpose_pixels(y + ((first + item) * filters + o) * places + begin, places,
                                     w->o - o, each,
                                     t->result + o / NP * t->pixels * NP + item * each * NP
                                         + o % NP);
                }
                across_block(t, plane, some * each, first > 0 || begin > 0);
            }
        }
        for (int64_t k = 0; k < t->terms; k++)
            for (int64_t o = 0; o < w->o; o++)
                kernel[t->swapped ? t->where[k] * w->o + o : o * t->terms + t->where[k]] =
                    t->sums[k * t->width + o];
    }
}
