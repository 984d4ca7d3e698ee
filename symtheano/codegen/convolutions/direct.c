/* The same products without panels: a tile of made is a few rows of up to DV vectors that are read
   where they are in the planes. A vector has neighbours of one row of the grid; the last one of a
   row begins earlier if it would not be full, and computes some points again. For few rows, and if
   panels would be used by few tiles, and planes stay in the first-level cache while the rows of a
   filter pass over them. */

enum { FEW = 4, DV = 4, SMALL_PLANES = 12288, NOT_MANY = 64, DIRECT_PART = 24 };

/* Whether panels would not pay; `bytes` of planes are read for each row of the grid. */
static int is_direct(const product *g, int64_t bytes) {
    const int64_t length = g->grid[2];
    if (g->m <= FEW) return 1;
    return g->m <= NOT_MANY && bytes <= SMALL_PLANES && g->stride[2] == 1
           && 8 * length >= 7 * LANES * VECTORS(length);
}

/* Where the first elements of vectors are in planes and in made. */
typedef struct spot { int64_t from, to; } spot;

INLINE void direct_tile(const int rows, const int vectors, const product *g, const spot *spots,
                        const TYPE *plane, const TYPE *a, TYPE *made) {
    vector s[DM][DV], x[DV];
    const TYPE *from[DV];
    UNROLL for (int v = 0; v < vectors; v++) from[v] = plane + spots[v].from;
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < vectors; v++) s[i][v] = (vector){0};
    for (const int64_t *k = g->offset; k < g->offset + g->k; k++, a += rows) {
        UNROLL for (int v = 0; v < vectors; v++) {
            x[v] = load(from[v] + *k);
            KEEP(x[v]);
        }
        UNROLL for (int i = 0; i < rows; i++) {
            const TYPE element = a[i];
            UNROLL for (int v = 0; v < vectors; v++) s[i][v] += element * x[v];
        }
    }
    const int64_t count = MIN(g->grid[2], LANES), step = g->stride[2];
    UNROLL for (int i = 0; i < rows; i++, made += g->row)
        UNROLL for (int v = 0; v < vectors; v++) {
            TYPE *to = made + spots[v].to;
            if (count == LANES && step == 1) *(loose_vector *)to = s[i][v];
            else for (int64_t l = 0; l < count; l++) to[l * step] = s[i][v][l];
        }
}

typedef void direct_function(const product *, int64_t, const spot *, const TYPE *, const TYPE *,
                             TYPE *);
/* Three rows, or more, leave registers for three vectors only. */
#define DIRECT(rows) \
    static void direct_##rows(const product *g, int64_t vectors, const spot *spots, \
                              const TYPE *plane, const TYPE *a, TYPE *made) { \
        if (vectors == 1) direct_tile(rows, 1, g, spots, plane, a, made); \
        else if (vectors == 2) direct_tile(rows, 2, g, spots, plane, a, made); \
        else if (vectors == 3) direct_tile(rows, 3, g, spots, plane, a, made); \
        else if (rows < 3) direct_tile(rows, 4, g, spots, plane, a, made); \
    }
DIRECT(1) DIRECT(2) DIRECT(3) DIRECT(4)
#if BYTES == 64
DIRECT(5) DIRECT(6) DIRECT(7) DIRECT(8)
#endif
static direct_function *const direct_functions[] = {
    0, direct_1, direct_2, direct_3, direct_4,
#if BYTES == 64
    direct_5, direct_6, direct_7, direct_8,
#endif
};

INLINE int64_t grid_vectors(const product *g) {
    return g->grid[0] * g->grid[1] * VECTORS(g->grid[2]);
}

/* Compute vectors begin to end of the grid. */
static void multiply_direct(const product *g, int64_t begin, int64_t end, const TYPE *plane,
                            TYPE *made) {
    const int64_t each = VECTORS(g->grid[2]), most = g->m < 3 ? 4 : 3, length = g->grid[2];
    int64_t row = begin / each, v = begin % each, r = row / g->grid[1], s = row % g->grid[1];
    while (begin < end) {
        const int64_t vectors = MIN(most, end - begin);
        spot spots[DV];
        for (int64_t i = 0; i < vectors; i++) {
            const int64_t x = MAX(MIN(v * LANES, length - LANES), 0);
            spots[i].from = r * g->step[0] + s * g->step[1] + x;
            spots[i].to = g->start + r * g->stride[0] + s * g->stride[1] + x * g->stride[2];
            if (++v == each) {
                v = 0;
                if (++s == g->grid[1]) s = 0, r++;
            }
        }
        for (int64_t tile = 0; tile < tiles_of(g->m, DM); tile++) {
            const int64_t first = first_row_of(g->m, DM, tile);
            const int64_t rows = first_row_of(g->m, DM, tile + 1) - first;
            direct_functions[rows](g, vectors, spots, plane, g->a + first * g->k,
                                   made + first * g->row);
        }
        begin += vectors;
    }
}
