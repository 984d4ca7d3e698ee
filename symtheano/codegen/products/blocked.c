/* Products of large matrices, for which both factors are copied; see __init__.py. */

/* Elements of an axis of both factors, columns of op(b), and rows of op(a) that are copied together.
   A strip of op(a) stays in the L1 cache while it is multiplied by the panels of op(b), which stay in
   the L2 cache; rows of C are written one after the other. */
enum { DEEP = 384, BROAD = 2048 / sizeof(TYPE), TALL = 8 * STRIP };
/* Vectors of a column of a strip, and what they have more than it. */
enum { SETS = VECTORS(STRIP), SLACK = SETS * LANES - STRIP };

/* Multiply the rows of a strip of op(a), element by element, by a panel of op(b). The first `high`
   rows of C are stored. */
INLINE void strip_tile(const int rows, const int vectors, int64_t high, int64_t k, const TYPE *a,
                       const TYPE *b, const tile *t) {
    vector s[STRIP][2];
    UNROLL for (int i = 0; i < rows; i++) {
        UNROLL for (int v = 0; v < vectors; v++) s[i][v] = (vector){0};
        __builtin_prefetch(t->c + MIN(i, high - 1) * t->row);
        __builtin_prefetch(t->c + MIN(i, high - 1) * t->row + t->last);
    }
    for (int64_t p = 0; p < k; p++, a += STRIP, b += vectors * LANES) {
        vector x[2];
        __builtin_prefetch(b + 4 * vectors * LANES);
        if (vectors > 1) __builtin_prefetch(b + (4 * vectors + 1) * LANES);
        UNROLL for (int v = 0; v < vectors; v++) {
            x[v] = load(b + v * LANES);
            KEEP(x[v]);
        }
        UNROLL for (int i = 0; i < rows; i++) {
            const TYPE element = a[i];
            UNROLL for (int v = 0; v < vectors; v++) s[i][v] += element * x[v];
        }
    }
    const TYPE alpha = t->alpha, beta = t->beta;
    UNROLL for (int i = 0; i < rows; i++) {
        if (i >= high) return;
        TYPE *c = t->c + i * t->row;
        if (t->scattered) {
            store_some(c, t->width, (const TYPE *)&s[i][0], t);
            continue;
        }
        /* All vectors are loaded before any is stored, because the last one may overlap. */
        UNROLL for (int v = 0; v < vectors; v++) {
            s[i][v] *= alpha;
            if (beta != 0) s[i][v] += beta * load(c + (v < vectors - 1 ? v * LANES : t->last));
        }
        UNROLL for (int v = 0; v < vectors; v++)
            *(loose_vector *)(c + (v < vectors - 1 ? v * LANES : t->last)) = s[i][v];
    }
}

#define STRIP_TILE(rows, vectors) \
    static void strip_##rows##_##vectors(int64_t high, int64_t k, const TYPE *a, const TYPE *b, \
                                         const tile *t) { \
        strip_tile(rows, vectors, high, k, a, b, t); \
    }
/* Strips with fewer rows than STRIP: powers of two are 14s, and perhaps an 8 or a 4. */
#if BYTES == 64
STRIP_TILE(4, 1) STRIP_TILE(8, 1) STRIP_TILE(14, 1) STRIP_TILE(4, 2) STRIP_TILE(8, 2) STRIP_TILE(14, 2)
#define STRIP_TILES(vectors) strip_4_##vectors, strip_8_##vectors, strip_14_##vectors
static const int strip_rows[3] = {4, 8, 14};
#else
STRIP_TILE(2, 1) STRIP_TILE(4, 1) STRIP_TILE(6, 1) STRIP_TILE(2, 2) STRIP_TILE(4, 2) STRIP_TILE(6, 2)
#define STRIP_TILES(vectors) strip_2_##vectors, strip_4_##vectors, strip_6_##vectors
static const int strip_rows[3] = {2, 4, 6};
#endif
typedef void strip_function(int64_t, int64_t, const TYPE *, const TYPE *, const tile *);
static strip_function *const strip_tiles[2][3] = {{STRIP_TILES(1)}, {STRIP_TILES(2)}};

/* Copy `high` rows of op(a) to a strip, column after column, with zeros below. Up to SLACK elements
   are written behind it. */
static void pack_strip(int64_t high, int64_t k, const TYPE *a, int64_t ar, int64_t ac, TYPE *to) {
    int64_t p = 0;
    if (ac == 1)
        for (; p + LANES <= k; p += LANES, to += LANES * STRIP) {
            vector x[SETS][LANES];
            UNROLL for (int64_t s = 0; s < SETS; s++) {
                UNROLL for (int64_t l = 0; l < LANES; l++)
                    x[s][l] = s * LANES + l < high ? load(a + (s * LANES + l) * ar + p) : (vector){0};
                transpose(x[s]);
            }
            UNROLL for (int64_t l = 0; l < LANES; l++)
                UNROLL for (int64_t s = 0; s < SETS; s++)
                    *(loose_vector *)(to + l * STRIP + s * LANES) = x[s][l];
        }
    for (; p < k; p++, to += STRIP)
        for (int64_t i = 0; i < STRIP; i++) to[i] = i < high ? a[i * ar + p * ac] : 0;
}

/* Copy up to TALL rows of op(a) to strips. A transposed matrix is read row by row: parts of rows that
   are as short as a strip would be read from memory several times. */
static void pack_strips(int64_t m, int64_t k, const TYPE *a, int64_t ar, int64_t ac, TYPE *to) {
    const int64_t whole = ar == 1 ? m / STRIP * STRIP : 0;
    for (int64_t p = 0; p < k && whole > 0; p++) {
        if (p + 8 < k)
            for (int64_t i = 0; i < whole; i += 64 / sizeof(TYPE))
                __builtin_prefetch(a + (p + 8) * ac + i);
        for (int64_t i = 0; i < whole; i += STRIP)
            __builtin_memcpy(to + i * k + p * STRIP, a + p * ac + i, STRIP * sizeof(TYPE));
    }
    for (int64_t i = whole; i < m; i += STRIP)
        pack_strip(MIN(STRIP, m - i), k, a + i * ar, ar, ac, to + i * k);
}

/* Set the next panel of op(b): one or two vectors. Return their number. */
static int64_t strip_panel(tile *t, int64_t left) {
    t->width = MIN(left, 2 * LANES);
    t->last = MAX(t->width - LANES, 0);
    t->scattered = t->width < LANES;
    return VECTORS(t->width);
}

/* Compute some columns of C from one block of op(b), whose panels are copied; there is room for the
   strips of TALL rows. */
static void strips_product(int64_t m, int64_t n, int64_t k, const TYPE *a, int64_t ar, int64_t ac,
                           const TYPE *panels, TYPE *strips, TYPE *c, tile *t) {
    for (int64_t i = 0; i < m; i += STRIP) {
        const int64_t high = MIN(STRIP, m - i);
        const int which = high <= strip_rows[0] ? 0 : high <= strip_rows[1] ? 1 : 2;
        if (i % TALL == 0) pack_strips(MIN(TALL, m - i), k, a + i * ar, ar, ac, strips);
        for (int64_t j = 0; j < n; j += t->width) {
            const int64_t vectors = strip_panel(t, n - j);
            t->c = c + i * t->row + j;
            strip_tiles[vectors - 1][which](high, k, strips + i % TALL * k, panels + j * k, t);
        }
    }
}

/* c = alpha op(a) op(b) + beta c; returns 0 if there is no memory for the panels. */
static int blocked_product(int64_t m, int64_t n, int64_t k, TYPE alpha, const TYPE *a, int64_t ar,
                           int64_t ac, const TYPE *b, int64_t br, int64_t bc, TYPE beta, TYPE *c,
                           int64_t cr) {
    const int64_t blocks = (k + DEEP - 1) / DEEP, depth = (k + blocks - 1) / blocks;
    const int64_t broad = MIN(VECTORS(n) * LANES, BROAD), tall = MIN(m + STRIP - 1, TALL);
    TYPE *memory = malloc((size_t)((broad + tall) * depth + SLACK) * sizeof(TYPE) + 64);
    if (memory == 0) return 0;
    TYPE *const panels = (TYPE *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    TYPE *const strips = panels + broad * depth;
    tile t = {.row = cr, .column = 1, .alpha = alpha};
    for (int64_t j = 0; j < n; j += BROAD)
        for (int64_t p = 0; p < k; p += depth) {
            const int64_t wide = MIN(BROAD, n - j), deep = MIN(depth, k - p);
            for (int64_t q = 0; q < wide; q += t.width) {
                const int64_t vectors = strip_panel(&t, wide - q);
                pack(deep, b + p * br + (j + q) * bc, br, bc, &t, vectors, panels + q * deep);
            }
            t.beta = p == 0 ? beta : 1;
            strips_product(m, wide, deep, a + p * ac, ar, ac, panels, strips, c + j, &t);
        }
    free(memory);
    return 1;
}
