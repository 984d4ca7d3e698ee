/* Products of small and narrow matrices of TYPE without copying them; see __init__.py. */

/* The position of a tile of C, and how its sums are stored. The last vector of each row begins at
   `last`, and at `b_last` in op(b); it overlaps the previous one if the width is not a multiple of
   a vector. op(b) is prefetched `ahead` elements ahead. */
typedef struct tile {
    TYPE *c;
    int64_t row, column, width, last, b_last, ahead;
    TYPE alpha, beta;
    int scattered;
} tile;

/* Whether rows of n elements are computed in halves of vectors: with two of them, copying op(b) is
   faster if op(a) has many rows. */
#define HALVES(m, n) \
    (HALF > 1 && (n) >= HALF && (n) < LANES && ((n) == HALF || (m) <= LANES))

/* -- storing tiles ----------------------------------------------------------------------------- */

/* c = alpha sums + beta c, for at most LANES elements. */
INLINE void store_some(TYPE *c, int64_t count, const TYPE *sums, const tile *t) {
    if (count < HALF) {
        for (int64_t i = 0; i < count; i++)
            c[i] = t->beta == 0 ? t->alpha * sums[i] : t->alpha * sums[i] + t->beta * c[i];
        return;
    }
    half_vector *head = (half_vector *)c, *tail = (half_vector *)(c + count - HALF);
    half_vector first = t->alpha * *(const half_vector *)sums;
    half_vector second = t->alpha * *(const half_vector *)(sums + count - HALF);
    if (t->beta != 0) first += t->beta * *head, second += t->beta * *tail;
    *head = first, *tail = second;
}

/* Store a tile whose rows are shorter than a vector, or which is stored by columns. */
static __attribute__((noinline)) void scatter(const tile *t, int64_t rows, int64_t vectors,
                                              const vector *sums) {
    if (t->column == 1) {
        for (int64_t i = 0; i < rows; i++)
            store_some(t->c + i * t->row, t->width, (const TYPE *)(sums + i), t);
        return;
    }
    for (int64_t i0 = 0; i0 < rows; i0 += LANES)
        for (int64_t v = 0; v < vectors; v++) {
            const int64_t high = MIN(LANES, rows - i0);
            vector x[LANES];
            UNROLL for (int64_t i = 0; i < LANES; i++)
                x[i] = i < high ? sums[(i0 + i) * vectors + v] : (vector){0};
            transpose(x);
            /* Columns before `last` belong to the previous vector. */
            const int64_t base = v < vectors - 1 ? v * LANES : t->last;
            const int64_t end = MIN(LANES, t->width - base);
            TYPE *c = t->c + i0 * t->row + base * t->column;
            for (int64_t l = v * LANES - base; l < end; l++)
                store_some(c + l * t->column, high, (const TYPE *)(x + l), t);
        }
}

/* Add up the lanes of partial sums, and store the tile. */
static __attribute__((noinline)) void collect(const tile *t, int64_t rows, int64_t columns,
                                              const vector *sums) {
    TYPE *c = t->c;
    for (int64_t j = 0, left = rows * columns; left > 0; left -= LANES, sums += LANES) {
        const vector sum = t->alpha * totals(sums);
        const int64_t count = MIN(left, LANES);
        for (int64_t l = 0; l < count; l++) {
            const TYPE value = ((const TYPE *)&sum)[l];
            c[j] = t->beta == 0 ? value : value + t->beta * c[j];
            if (++j == columns) j = 0, c += t->row;
        }
    }
}

/* -- tiles ------------------------------------------------------------------------------------- */

/* Multiply rows of op(a) by a panel of op(b): elements of a by vectors of b. */
INLINE void outer_tile(const int rows, const int vectors, int64_t k, const TYPE *a, int64_t ar,
                       int64_t ac, const TYPE *b, int64_t br, const tile *t) {
    vector s[MOST_ROWS][4], x[4], e[4];
    UNROLL for (int i = 0; i < rows; i++) {
        UNROLL for (int v = 0; v < vectors; v++) s[i][v] = (vector){0};
        __builtin_prefetch(t->c + i * t->row);
    }
    for (int64_t p = 0; p < k; p++, a += ac, b += br) {
        __builtin_prefetch(b + t->ahead);
        if (vectors < 4) {
            UNROLL for (int v = 0; v < vectors; v++) {
                x[v] = load(b + (v < vectors - 1 ? v * LANES : t->b_last));
                KEEP(x[v]);
            }
            UNROLL for (int i = 0; i < rows; i++) {
                const TYPE element = a[i * ar];
                UNROLL for (int v = 0; v < vectors; v++) s[i][v] += element * x[v];
            }
        } else {
            /* There are not enough registers for all of b, so the elements of a are kept. */
            UNROLL for (int i = 0; i < rows; i++) {
                e[i] = (vector){0} + a[i * ar];
                KEEP(e[i]);
            }
            UNROLL for (int v = 0; v < vectors; v++) {
                vector y = load(b + (v < vectors - 1 ? v * LANES : t->b_last));
                KEEP(y);
                UNROLL for (int i = 0; i < rows; i++) s[i][v] += e[i] * y;
            }
        }
    }
    if (t->scattered) {
        vector sums[MOST_ROWS * 4];
        UNROLL for (int i = 0; i < rows; i++)
            UNROLL for (int v = 0; v < vectors; v++) sums[i * vectors + v] = s[i][v];
        scatter(t, rows, vectors, sums);
        return;
    }
    const TYPE alpha = t->alpha, beta = t->beta;
    UNROLL for (int i = 0; i < rows; i++) {
        TYPE *c = t->c + i * t->row;
        /* All vectors are loaded before any is stored, because the last one may overlap. */
        UNROLL for (int v = 0; v < vectors; v++) {
            s[i][v] *= alpha;
            if (beta != 0) s[i][v] += beta * load(c + (v < vectors - 1 ? v * LANES : t->last));
        }
        UNROLL for (int v = 0; v < vectors; v++)
            *(loose_vector *)(c + (v < vectors - 1 ? v * LANES : t->last)) = s[i][v];
    }
}

/* Multiply rows of op(a) by rows of op(b) that are shorter than a vector, in one half of a vector
   or in two, which overlap unless a row has LANES elements. */
INLINE void half_tile(const int rows, const int halves, int64_t k, const TYPE *a, int64_t ar,
                      int64_t ac, const TYPE *b, int64_t br, const tile *t) {
    half_vector s[8][2], x[2];
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < halves; v++) s[i][v] = (half_vector){0};
    for (int64_t p = 0; p < k; p++, a += ac, b += br) {
        UNROLL for (int v = 0; v < halves; v++) x[v] = *(const half_vector *)(b + v * t->last);
        UNROLL for (int i = 0; i < rows; i++)
            UNROLL for (int v = 0; v < halves; v++) s[i][v] += a[i * ar] * x[v];
    }
    UNROLL for (int i = 0; i < rows; i++) {
        TYPE *c = t->c + i * t->row;
        UNROLL for (int v = 0; v < halves; v++) {
            s[i][v] *= t->alpha;
            if (t->beta != 0) s[i][v] += t->beta * *(const half_vector *)(c + v * t->last);
        }
        UNROLL for (int v = 0; v < halves; v++) *(half_vector *)(c + v * t->last) = s[i][v];
    }
}

/* Multiply rows of op(a) by columns of op(b), both contiguous along k; k is at least LANES. */
INLINE void inner_tile(const int rows, const int columns, int64_t k, const TYPE *a, int64_t ar,
                       const TYPE *b, int64_t bc, const tile *t) {
    vector s[4][3], x[3], sums[4 * 3 + LANES];
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int j = 0; j < columns; j++) s[i][j] = (vector){0};
    int64_t p = 0;
    for (; p + LANES <= k; p += LANES) {
        UNROLL for (int j = 0; j < columns; j++) {
            x[j] = load(b + j * bc + p);
            KEEP(x[j]);
        }
        UNROLL for (int i = 0; i < rows; i++) {
            vector y = load(a + i * ar + p);
            KEEP(y);
            UNROLL for (int j = 0; j < columns; j++) s[i][j] += y * x[j];
        }
    }
    if (p < k) {
        const int64_t done = LANES - (k - p);
        p = k - LANES;
        UNROLL for (int j = 0; j < columns; j++) x[j] = load_from(b + j * bc + p, done);
        UNROLL for (int i = 0; i < rows; i++) {
            const vector y = load_from(a + i * ar + p, done);
            UNROLL for (int j = 0; j < columns; j++) s[i][j] += y * x[j];
        }
    }
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int j = 0; j < columns; j++) sums[i * columns + j] = s[i][j];
    collect(t, rows, columns, sums);
}

#define OUTER_TILE(rows, vectors) \
    static void outer_##rows##_##vectors(int64_t k, const TYPE *a, int64_t ar, int64_t ac, \
                                         const TYPE *b, int64_t br, const tile *t) { \
        outer_tile(rows, vectors, k, a, ar, ac, b, br, t); \
    }
#define INNER_TILE(rows, columns) \
    static void inner_##rows##_##columns(int64_t k, const TYPE *a, int64_t ar, const TYPE *b, \
                                         int64_t bc, const tile *t) { \
        inner_tile(rows, columns, k, a, ar, b, bc, t); \
    }
OUTER_TILE(1, 1) OUTER_TILE(2, 1) OUTER_TILE(3, 1) OUTER_TILE(4, 1)
OUTER_TILE(5, 1) OUTER_TILE(6, 1) OUTER_TILE(7, 1) OUTER_TILE(8, 1)
OUTER_TILE(1, 2) OUTER_TILE(2, 2) OUTER_TILE(3, 2) OUTER_TILE(4, 2) OUTER_TILE(5, 2) OUTER_TILE(6, 2)
OUTER_TILE(1, 3) OUTER_TILE(2, 3) OUTER_TILE(3, 3) OUTER_TILE(4, 3)
OUTER_TILE(1, 4) OUTER_TILE(2, 4) OUTER_TILE(3, 4)
INNER_TILE(1, 1) INNER_TILE(2, 1) INNER_TILE(3, 1) INNER_TILE(4, 1)
INNER_TILE(1, 2) INNER_TILE(2, 2) INNER_TILE(3, 2) INNER_TILE(4, 2)
INNER_TILE(1, 3) INNER_TILE(2, 3) INNER_TILE(3, 3) INNER_TILE(4, 3)

/* The number of rows is limited by the registers for the vectors of b and an element of a. */
typedef void outer_function(int64_t, const TYPE *, int64_t, int64_t, const TYPE *, int64_t,
                            const tile *);
static outer_function *const outer_tiles[4][MOST_ROWS] = {
    {outer_1_1, outer_2_1, outer_3_1, outer_4_1, outer_5_1, outer_6_1, outer_7_1, outer_8_1},
    {outer_1_2, outer_2_2, outer_3_2, outer_4_2, outer_5_2, outer_6_2},
    {outer_1_3, outer_2_3, outer_3_3, outer_4_3},
    {outer_1_4, outer_2_4, outer_3_4},
};
static const int64_t most_rows[4] = {8, 6, 4, 3};

typedef void inner_function(int64_t, const TYPE *, int64_t, const TYPE *, int64_t, const tile *);
static inner_function *const inner_tiles[3][4] = {
    {inner_1_1, inner_2_1, inner_3_1, inner_4_1},
    {inner_1_2, inner_2_2, inner_3_2, inner_4_2},
    {inner_1_3, inner_2_3, inner_3_3, inner_4_3},
};

/* -- products ---------------------------------------------------------------------------------- */

/* Set the width of the next panel of op(b) and return its number of vectors. A panel has at least
   LANES columns, unless the matrix has fewer. */
static int64_t next_panel(tile *t, int64_t left, int64_t most) {
    const int64_t whole = left / LANES, rest = left % LANES;
    const int64_t vectors = whole + (rest != 0) <= 3 ? whole + (rest != 0)
        : most == 4 && (whole > 4 || rest == 0) ? 4 : 2;
    t->width = MIN(left, vectors * LANES);
    t->last = t->b_last = MAX(t->width - LANES, 0);
    return vectors;
}

/* Copy a panel of op(b) to contiguous vectors. Lanes beyond its last column are set to 0. */
static void pack(int64_t k, const TYPE *b, int64_t br, int64_t bc, tile *t, int64_t vectors,
                 TYPE *panel) {
    const int64_t step = vectors * LANES, width = MIN(t->width, LANES);
    for (int64_t v = 0; v < vectors; v++) {
        const TYPE *from = b + (v < vectors - 1 ? v * LANES : t->last) * bc;
        TYPE *to = panel + v * LANES;
        int64_t p = 0;
        if (bc == 1 && width == LANES)
            for (; p < k; p++) *(loose_vector *)(to + p * step) = load(from + p * br);
        if (br == 1)
            for (; p + LANES <= k; p += LANES) {
                vector x[LANES];
                UNROLL for (int64_t l = 0; l < LANES; l++)
                    x[l] = l < width ? load(from + l * bc + p) : (vector){0};
                transpose(x);
                UNROLL for (int64_t l = 0; l < LANES; l++)
                    *(loose_vector *)(to + (p + l) * step) = x[l];
            }
        for (; p < k; p++)
            for (int64_t l = 0; l < LANES; l++)
                to[p * step + l] = l < width ? from[p * br + l * bc] : 0;
    }
    t->b_last = (vectors - 1) * LANES;
}

/* Compute all rows of a panel of the product. */
INLINE void panel_product(int64_t m, int64_t k, const TYPE *a, int64_t ar, int64_t ac,
                          const TYPE *b, int64_t br, int64_t vectors, TYPE *c, tile *t) {
    const int64_t rows = most_rows[vectors - 1];
    int64_t left = (m + rows - 1) / rows;
    for (int64_t i = 0, high; i < m; i += high, left--) {
        high = (m - i + left - 1) / left;
        t->c = c + i * t->row;
        outer_tiles[vectors - 1][high - 1](k, a + i * ar, ar, ac, b, br, t);
    }
}

/* Compute a product with copies of the panels of op(b). */
static __attribute__((noinline)) void packed_product(int64_t m, int64_t n, int64_t k,
                                                     const TYPE *a, int64_t ar, int64_t ac,
                                                     const TYPE *b, int64_t br, int64_t bc,
                                                     TYPE *c, tile *t) {
    TYPE panel[PANEL / sizeof(TYPE)] __attribute__((aligned(64)));
    const int64_t most = m <= 3 ? 4 : 2, depth = PANEL / sizeof(TYPE) / (4 * LANES);
    const TYPE beta = t->beta;
    t->ahead = 0;
    for (int64_t p = 0, deep; p < k; p += deep)
        for (int64_t j = 0; j < n; j += t->width) {
            const int64_t vectors = next_panel(t, n - j, most);
            deep = MIN(depth, k - p);
            t->beta = p == 0 ? beta : 1;
            pack(deep, b + p * br + j * bc, br, bc, t, vectors, panel);
            panel_product(m, deep, a + p * ac, ar, ac, panel, vectors * LANES, vectors,
                          c + j * t->column, t);
        }
}

/* Compute a product whose rows have HALF to LANES elements. */
static void half_product(int64_t m, int64_t k, const TYPE *a, int64_t ar, int64_t ac,
                         const TYPE *b, int64_t br, tile *t) {
    int64_t i = 0;
    if (t->last == 0)
        for (; i + 8 <= m; i += 8, t->c += 8 * t->row)
            half_tile(8, 1, k, a + i * ar, ar, ac, b, br, t);
    for (; i + 4 <= m; i += 4, t->c += 4 * t->row)
        if (t->last == 0) half_tile(4, 1, k, a + i * ar, ar, ac, b, br, t);
        else half_tile(4, 2, k, a + i * ar, ar, ac, b, br, t);
    for (; i < m; i++, t->c += t->row) half_tile(1, 2, k, a + i * ar, ar, ac, b, br, t);
}

/* Whether C is computed by rows, for which op(b) must be in a cache, and not by panels. If C is
   large and k small, most of the time is spent on C, and panels fetch its rows again and again. */
static int by_rows_of_c(int64_t m, int64_t n, int64_t k) {
    const int64_t bytes = k * n * (int64_t)sizeof(TYPE);
    return bytes <= CLOSE || (bytes <= NEAR && k <= NARROW && HUGE_C(m, n));
}

/* `all` is n of the whole product. */
static void outer_product(int64_t m, int64_t n, int64_t all, int64_t k, TYPE alpha, const TYPE *a,
                          int64_t ar, int64_t ac, const TYPE *b, int64_t br, int64_t bc, TYPE beta,
                          TYPE *c, int64_t cr, int64_t cc) {
    const int64_t most = m <= 3 ? 4 : 2;
    const int close = by_rows_of_c(m, all, k);
    tile t = {.row = cr, .column = cc, .alpha = alpha, .beta = beta,
              .scattered = cc != 1 || n < LANES};
    if (HALVES(m, n) && bc == 1 && cc == 1) {
        t.c = c, t.last = n - HALF;
        half_product(m, k, a, ar, ac, b, br, &t);
        return;
    }
    if (bc != 1 || n < LANES || (!close && m >= PACKED_FROM)) {
        packed_product(m, n, k, a, ar, ac, b, br, bc, c, &t);
        return;
    }
    const int64_t strip = close ? most_rows[next_panel(&t, n, most) - 1] : m;
    const int64_t depth = close ? k : cc == 1 ? 64 : 512;
    t.ahead = close ? 0 : most * LANES;
    for (int64_t i = 0; i < m; i += strip)
        for (int64_t p = 0; p < k; p += depth)
            for (int64_t j = 0; j < n; j += t.width) {
                const int64_t vectors = next_panel(&t, n - j, most);
                t.beta = p == 0 ? beta : 1;
                panel_product(MIN(strip, m - i), MIN(depth, k - p), a + i * ar + p * ac, ar, ac,
                              b + p * br + j, br, vectors, c + i * cr + j * cc, &t);
            }
}

static void inner_product(int64_t m, int64_t n, int64_t k, TYPE alpha, const TYPE *a, int64_t ar,
                          const TYPE *b, int64_t bc, TYPE beta, TYPE *c, int64_t cr) {
    tile t = {.row = cr, .column = 1, .alpha = alpha};
    const int64_t blocks = (k + 1023) / 1024, depth = (k + blocks - 1) / blocks;
    for (int64_t p = 0; p < k; p += depth) {
        const int64_t deep = MIN(depth, k - p);
        t.beta = p == 0 ? beta : 1;
        int64_t strips = (m + 3) / 4;
        for (int64_t i = 0, high; i < m; i += high, strips--) {
            high = (m - i + strips - 1) / strips;
            int64_t panels = (n + 2) / 3;
            for (int64_t j = 0, wide; j < n; j += wide, panels--) {
                wide = (n - j + panels - 1) / panels;
                t.c = c + i * cr + j;
                inner_tiles[wide - 1][high - 1](deep, a + i * ar + p, ar, b + j * bc + p, bc, &t);
            }
        }
    }
}

/* The same for a narrow op(b) stored by rows: it is transposed block by block. */
static void narrow_product(int64_t m, int64_t n, int64_t k, TYPE alpha, const TYPE *a, int64_t ar,
                           const TYPE *b, int64_t br, TYPE beta, TYPE *c, int64_t cr) {
    TYPE panel[PANEL / sizeof(TYPE)] __attribute__((aligned(64)));
    const int64_t room = (int64_t)(PANEL / sizeof(TYPE)) / n;
    const int64_t blocks = (k + room - 1) / room, depth = (k + blocks - 1) / blocks;
    for (int64_t p = 0; p < k; p += depth) {
        const int64_t deep = MIN(depth, k - p);
        for (int64_t j = 0; j < n; j++)
            for (int64_t q = 0; q < deep; q++) panel[j * deep + q] = b[(p + q) * br + j];
        inner_product(m, n, deep, alpha, a + p, ar, panel, deep, p == 0 ? beta : 1, c, cr);
    }
}
