/* Fourier transforms of tiles of real numbers, a tile in each lane of the vectors, by the passes of
   codegen/fourier, in place.

   A tile has size[0] rows of size[1] elements. Rows of real numbers are transformed as rows of
   complex numbers of half the length, columns as they are. Each frequency is handed to a product
   wherever the passes leave it. Transforms are not scaled: backwards, results are
   2 size[0] size[1] times as large as the elements were. Lengths are products of 2 and 3, and all
   memory is that of the call. */

enum { AT_ONCE = 4 };

/* Transforms of columns, and of halves of rows, whose roots are those of whole rows. */
typedef struct transform {
    int64_t size[2];
    st_plan_t plans[2];
} transform;

INLINE int64_t half_row(const transform *t) { return t->size[1] / 2; }
/* Vectors of a row. A few more than there are keep columns from falling into the same lines of the
   cache. */
INLINE int64_t row_step(const transform *t) { return t->size[1] + 2; }
INLINE int64_t tile_vectors(const transform *t) { return t->size[0] * row_step(t); }
/* Frequencies of real tiles: the others are their conjugates. */
INLINE int64_t frequencies(const transform *t) {
    return t->size[0] * (half_row(t) - 1) + 2 * (t->size[0] / 2 + 1);
}

static void plan_transform(transform *t, arena *memory) {
    for (int axis = 0; axis < 2; axis++) {
        st_plan_t *plan = t->plans + axis;
        st_plan_passes_t(plan, axis ? half_row(t) : t->size[0], axis + 1);
        int64_t *places = take(memory, plan->n + 1, 8);
        st_pair_t *roots = take(memory, t->size[axis], sizeof(st_pair_t));
        plan->places = places, plan->roots = roots;
        if (!memory->base) continue;
        st_fill_places_t(plan, places);
        st_fill_roots_t(t->size[axis], roots);
    }
}

static void pass_forwards(const st_plan_t *plan, int64_t number, st_wide_t *x, st_lines_t g) {
    st_any_pass_t(plan, number, 0, x, plan->n, g);
}
static void pass_backwards(const st_plan_t *plan, int64_t number, st_wide_t *x, st_lines_t g) {
    st_any_pass_t(plan, number, 1, x, plan->n, g);
}

/* Transform lines along an axis. */
static void transform_lines(const transform *t, int axis, vector *x, int64_t count,
                            int backwards) {
    const st_plan_t *plan = t->plans + axis;
    const int64_t row = row_step(t) / 2;
    const st_lines_t g = axis ? (st_lines_t){1, row, count} : (st_lines_t){row, 1, count};
    st_wide_t *const numbers = (st_wide_t *)x;
    for (int64_t i = 0; i < plan->count; i++) {
        if (backwards) pass_backwards(plan, plan->count - 1 - i, numbers, g);
        else pass_forwards(plan, i, numbers, g);
    }
}

/* -- rows of real numbers ---------------------------------------------------------------------- */

/* Transform rows. The first two vectors of each become the lowest and the highest frequency, which
   are real; elements are doubled. */
static void transform_rows(const transform *t, vector *x, int64_t rows) {
    const st_plan_t *plan = t->plans + 1;
    const int64_t half = plan->n, *places = plan->places;
    transform_lines(t, 1, x, rows, 0);
    for (int64_t r = 0; r < rows; r++, x += row_step(t)) {
        st_wide_t *const z = (st_wide_t *)x;
        const vector low = x[0] + x[1], high = x[0] - x[1];
        x[0] = low + low, x[1] = high + high;
        for (int64_t k = 1; 2 * k <= half; k++)
            st_split_t(z + places[k], z + places[half - k], st_spread_t(plan->roots[k]));
    }
}

/* Undo it; elements are multiplied by the length of a row. */
static void restore_rows(const transform *t, vector *x, int64_t rows) {
    const st_plan_t *plan = t->plans + 1;
    const int64_t half = plan->n, *places = plan->places;
    for (int64_t r = 0; r < rows; r++) {
        vector *const row = x + r * row_step(t), low = row[0];
        st_wide_t *const z = (st_wide_t *)row;
        row[0] = low + row[1], row[1] = low - row[1];
        for (int64_t k = 1; 2 * k <= half; k++)
            st_merge_t(z + places[k], z + places[half - k], st_spread_t(plan->roots[k]));
    }
    transform_lines(t, 1, x, rows, 1);
}

/* -- columns, and where the frequencies of tiles are stored ------------------------------------- */

/* Transform the columns of a tile and call `store` for a frequency's number and its vectors. The
   first column has two columns of real numbers. */
#define TRANSFORM_COLUMNS(t, x, store) \
    for (int64_t c = 0; c < half_row(t); c += AT_ONCE) { \
        const int64_t columns = MIN(AT_ONCE, half_row(t) - c), rows = (t)->size[0]; \
        transform_lines(t, 0, (x) + 2 * c, columns, 0); \
        for (int64_t k = 0; c == 0 && 2 * k <= rows; k++) { \
            const vector *a = (x) + (t)->plans[0].places[k] * row_step(t); \
            const vector *b = (x) + (t)->plans[0].places[k ? rows - k : 0] * row_step(t); \
            const TYPE h = (TYPE)0.5; \
            store(2 * k, h * (a[0] + b[0]), h * (a[1] - b[1])) \
            store(2 * k + 1, h * (a[1] + b[1]), h * (b[0] - a[0])) \
        } \
        for (int64_t r = 0; r < rows; r++) \
            for (int64_t i = c ? c : 1; i < c + columns; i++) { \
                const vector *a = (x) + r * row_step(t) + 2 * i; \
                store(2 * (rows / 2 + 1) + r * (half_row(t) - 1) + i - 1, a[0], a[1]) \
            } \
    }

/* Read the frequencies of a tile, which are `step` elements apart, and transform columns back. */
static void restore_columns(const transform *t, const TYPE *from, int64_t step, vector *x) {
    const int64_t rows = t->size[0], width = half_row(t) - 1;
    for (int64_t c = 0; c <= width; c += AT_ONCE) {
        const int64_t columns = MIN(AT_ONCE, width + 1 - c);
        for (int64_t k = 0; c == 0 && 2 * k <= rows; k++) {
            const TYPE *one = from + 2 * k * step, *two = one + step;
            const st_wide_t p = {load(one), load(one + LANES)};
            const st_wide_t q = {load(two), load(two + LANES)};
            vector *a = x + t->plans[0].places[k] * row_step(t);
            vector *b = x + t->plans[0].places[k ? rows - k : 0] * row_step(t);
            b[0] = p.re + q.im, b[1] = q.re - p.im;
            a[0] = p.re - q.im, a[1] = p.im + q.re;
        }
        for (int64_t r = 0; r < rows; r++)
            for (int64_t i = c ? c : 1; i < c + columns; i++) {
                const TYPE *one = from + (2 * (rows / 2 + 1) + r * width + i - 1) * step;
                vector *a = x + r * row_step(t) + 2 * i;
                a[0] = load(one), a[1] = load(one + LANES);
            }
        transform_lines(t, 0, x + 2 * c, columns, 1);
    }
}
