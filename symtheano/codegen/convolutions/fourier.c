/* Fourier transforms of tiles of real numbers, a tile in each lane of the vectors.

   A tile has size[0] rows of size[1] elements. Rows of real numbers are transformed as rows of
   complex numbers of half the length, columns as they are. Steps of radix 4, 3 and 2 are done in
   place, so that frequencies end up in another order, which steps backwards undo. See C. Van Loan,
   "Computational frameworks for the fast Fourier transform" (1992). Transforms are not scaled:
   backwards, results are 2 size[0] size[1] times as large as the elements were.

   Transforms as routines (codegen/routines/fourier*.inc) have another purpose: they take any length
   and keep the order of frequencies, so they pass from array to array, and keep tables for later
   calls. Here, lengths are products of 2 and 3, the last step hands each frequency to a product,
   wherever it is, and all memory is that of the call. */

enum { MOST_STEPS = 16, AT_ONCE = 4 };

typedef struct complex_vector { vector re, im; } complex_vector;

/* A step: parts of `part` numbers become `radix` parts. Roots of the first of these numbers' parts
   are multiples of `root`. */
typedef struct step { int64_t radix, part, root; } step;

/* Transforms of columns, and of halves of rows. */
typedef struct transform {
    int64_t size[2];
    step steps[2][MOST_STEPS];
    int64_t count_of_steps[2];
    int64_t *place[2];             /* where each frequency is */
    TYPE *roots;                   /* cosines and sines of the `count` parts of a circle */
    int64_t count;
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

/* -- tables ------------------------------------------------------------------------------------ */

static int64_t find_steps(int64_t length, int64_t circle, step *steps) {
    int64_t count = 0, part = length;
    for (int64_t radix = 4; radix > 1; radix--)
        for (; part % radix == 0; part /= radix) steps[count++] = (step){radix, part, circle / part};
    return count;
}

/* Find where steps leave each frequency. */
static void find_places(int64_t length, const step *steps, int64_t count, int64_t *place) {
    for (int64_t at = 0; at < length; at++) {
        int64_t frequency = 0, weight = 1, rest = at;
        for (int64_t i = 0; i < count; weight *= steps[i++].radix) {
            const int64_t each = steps[i].part / steps[i].radix;
            frequency += rest / each * weight;
            rest %= each;
        }
        place[frequency] = at;
    }
}

/* Cosines and negative sines, from those of an eighth of the circle; `count` is a multiple of 8. */
static void find_roots(TYPE *roots, int64_t count) {
    for (int64_t i = 0; 8 * i <= count; i++) {
        const double angle = 6.283185307179586476925 * (double)i / (double)count;
        const TYPE c = (TYPE)__builtin_cos(angle), s = (TYPE)__builtin_sin(angle);
        const TYPE x[8] = {c, s, -s, -c, -c, -s, s, c}, y[8] = {s, c, c, s, -s, -c, -c, -s};
        for (int64_t part = 0; part < 8; part++) {
            const int64_t quarter = (part + 1) / 2 * (count / 4);
            const int64_t at = (part % 2 ? quarter - i : quarter + i) % count;
            roots[2 * at] = x[part], roots[2 * at + 1] = -y[part];
        }
    }
}

static void plan_transform(transform *t, arena *memory) {
    t->count = t->size[1];
    while (t->count % t->size[0]) t->count += t->size[1];
    const int64_t lengths[2] = {t->size[0], half_row(t)};
    t->roots = take_elements(memory, 2 * t->count);
    for (int axis = 0; axis < 2; axis++) {
        t->place[axis] = take(memory, lengths[axis], 8);
        t->count_of_steps[axis] = find_steps(lengths[axis], t->count, t->steps[axis]);
        if (memory->base)
            find_places(lengths[axis], t->steps[axis], t->count_of_steps[axis], t->place[axis]);
    }
    if (memory->base) find_roots(t->roots, t->count);
}

/* -- steps ------------------------------------------------------------------------------------- */

INLINE complex_vector times(complex_vector x, const TYPE *root, int backwards) {
    const TYPE c = root[0], s = backwards ? -root[1] : root[1];
    return (complex_vector){x.re * c - x.im * s, x.im * c + x.re * s};
}
INLINE complex_vector plus(complex_vector x, complex_vector y) {
    return (complex_vector){x.re + y.re, x.im + y.im};
}
INLINE complex_vector minus(complex_vector x, complex_vector y) {
    return (complex_vector){x.re - y.re, x.im - y.im};
}
/* A quarter of a turn: forwards it is a multiplication by -i. */
INLINE complex_vector turned(complex_vector x, int backwards) {
    return backwards ? (complex_vector){-x.im, x.re} : (complex_vector){x.im, -x.re};
}

/* Transform `radix` numbers. */
INLINE void transform_few(const int radix, const int backwards, complex_vector *x) {
    if (radix == 2) {
        const complex_vector a = x[0];
        x[0] = plus(a, x[1]), x[1] = minus(a, x[1]);
    } else if (radix == 3) {
        const TYPE h = (TYPE)0.5, s = (TYPE)0.866025403784438646763723;
        const complex_vector sum = plus(x[1], x[2]), d = turned(minus(x[1], x[2]), backwards);
        const complex_vector middle = {x[0].re - h * sum.re, x[0].im - h * sum.im};
        x[0] = plus(x[0], sum);
        x[1] = (complex_vector){middle.re + s * d.re, middle.im + s * d.im};
        x[2] = (complex_vector){middle.re - s * d.re, middle.im - s * d.im};
    } else {
        const complex_vector a = plus(x[0], x[2]), b = minus(x[0], x[2]);
        const complex_vector c = plus(x[1], x[3]), d = turned(minus(x[1], x[3]), backwards);
        x[0] = plus(a, c), x[2] = minus(a, c), x[1] = plus(b, d), x[3] = minus(b, d);
    }
}

/* Some lines: how long they are, how far in vectors neighbours in them and lines are apart, and how
   many there are. */
typedef struct lines { int64_t length, distance, across, count; } lines;

/* The numbers from `at` on in each of `radix` parts, in all lines. */
INLINE void step_at(const int radix, const int backwards, const int first, vector *at,
                    int64_t each, const lines *g, const TYPE *roots, int64_t root) {
    for (int64_t c = 0; c < g->count; c++, at += g->across) {
        complex_vector x[4];
        UNROLL for (int q = 0; q < radix; q++) {
            x[q] = (complex_vector){at[q * each], at[q * each + 1]};
            if (backwards && q && !first) x[q] = times(x[q], roots + 2 * q * root, 1);
        }
        transform_few(radix, backwards, x);
        UNROLL for (int q = 0; q < radix; q++) {
            if (!backwards && q && !first) x[q] = times(x[q], roots + 2 * q * root, 0);
            at[q * each] = x[q].re, at[q * each + 1] = x[q].im;
        }
    }
}

INLINE void run_step(const int radix, const int backwards, vector *x, const lines *g,
                     const step *s, const TYPE *roots) {
    const int64_t count = s->part / radix, each = count * g->distance;
    for (int64_t begin = 0; begin < g->length; begin += s->part, x += s->part * g->distance) {
        step_at(radix, backwards, 1, x, each, g, roots, 0);
        for (int64_t j = 1; j < count; j++)
            step_at(radix, backwards, 0, x + j * g->distance, each, g, roots, j * s->root);
    }
}

#define STEP(name, radix, backwards) \
    static void name(vector *x, const lines *g, const step *s, const TYPE *roots) { \
        run_step(radix, backwards, x, g, s, roots); \
    }
STEP(twos, 2, 0) STEP(threes, 3, 0) STEP(fours, 4, 0)
STEP(twos_back, 2, 1) STEP(threes_back, 3, 1) STEP(fours_back, 4, 1)

/* Transform lines along an axis. */
static void transform_lines(const transform *t, int axis, vector *x, int64_t count,
                            int backwards) {
    static void (*const functions[2][3])(vector *, const lines *, const step *, const TYPE *) = {
        {twos, threes, fours}, {twos_back, threes_back, fours_back},
    };
    const lines g = axis ? (lines){half_row(t), 2, row_step(t), count}
                         : (lines){t->size[0], row_step(t), 2, count};
    const int64_t steps = t->count_of_steps[axis];
    for (int64_t i = 0; i < steps; i++) {
        const step *s = t->steps[axis] + (backwards ? steps - 1 - i : i);
        functions[backwards][s->radix - 2](x, &g, s, t->roots);
    }
}

/* -- rows of real numbers ---------------------------------------------------------------------- */

/* Transform rows. The first two vectors of each become the lowest and the highest frequency, which
   are real; elements are doubled. */
static void transform_rows(const transform *t, vector *x, int64_t rows) {
    const int64_t half = half_row(t), *place = t->place[1], root = t->count / t->size[1];
    transform_lines(t, 1, x, rows, 0);
    for (int64_t r = 0; r < rows; r++, x += row_step(t)) {
        const vector low = x[0] + x[1], high = x[0] - x[1];
        x[0] = low + low, x[1] = high + high;
        for (int64_t k = 1; 2 * k <= half; k++) {
            vector *a = x + 2 * place[k], *b = x + 2 * place[half - k];
            const complex_vector even = {a[0] + b[0], a[1] - b[1]};
            const complex_vector odd = {a[1] + b[1], b[0] - a[0]};
            const complex_vector o = times(odd, t->roots + 2 * k * root, 0);
            a[0] = even.re + o.re, a[1] = even.im + o.im;
            b[0] = even.re - o.re, b[1] = o.im - even.im;
        }
    }
}

/* Undo it; elements are multiplied by the length of a row. */
static void restore_rows(const transform *t, vector *x, int64_t rows) {
    const int64_t half = half_row(t), *place = t->place[1], root = t->count / t->size[1];
    for (int64_t r = 0; r < rows; r++) {
        vector *const row = x + r * row_step(t), low = row[0];
        row[0] = low + row[1], row[1] = low - row[1];
        for (int64_t k = 1; 2 * k <= half; k++) {
            vector *a = row + 2 * place[k], *b = row + 2 * place[half - k];
            const complex_vector even = {a[0] + b[0], a[1] - b[1]};
            const complex_vector odd = {a[0] - b[0], a[1] + b[1]};
            const complex_vector o = times(odd, t->roots + 2 * k * root, 1);
            a[0] = even.re - o.im, a[1] = even.im + o.re;
            b[0] = even.re + o.im, b[1] = o.re - even.im;
        }
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
            const vector *a = (x) + (t)->place[0][k] * row_step(t); \
            const vector *b = (x) + (t)->place[0][k ? rows - k : 0] * row_step(t); \
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
            const complex_vector p = {load(one), load(one + LANES)};
            const complex_vector q = {load(two), load(two + LANES)};
            vector *a = x + t->place[0][k] * row_step(t);
            vector *b = x + t->place[0][k ? rows - k : 0] * row_step(t);
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
