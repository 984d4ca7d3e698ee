/* The same products for few rows, without panels: their elements are read from the planes, row by
   row of the grid. */

enum { FEW = 4, DV = 4 };

INLINE void direct_of(const int rows, const int vectors, const gather *g, const TYPE *plane,
                      vector s[FEW][DV]) {
    const TYPE *a = g->a;
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < vectors; v++) s[i][v] = (vector){0};
    for (int64_t k = 0; k < g->k; k++, a += rows) {
        const TYPE *from = plane + g->offset[k];
        vector x[DV];
        UNROLL for (int v = 0; v < vectors; v++) {
            x[v] = load(from + v * LANES);
            KEEP(x[v]);
        }
        UNROLL for (int i = 0; i < rows; i++) {
            const TYPE element = a[i];
            UNROLL for (int v = 0; v < vectors; v++) s[i][v] += element * x[v];
        }
    }
}

/* Compute `count` points of a row of the grid, at most `vectors` vectors. */
INLINE void direct_part(const int rows, const int vectors, const gather *g, const TYPE *plane,
                        int64_t count, TYPE *made) {
    vector s[FEW][DV];
    direct_of(rows, vectors, g, plane, s);
    UNROLL for (int i = 0; i < rows; i++, made += g->row) {
        if (g->stride[2] == 1 && count == vectors * LANES) {
            UNROLL for (int v = 0; v < vectors; v++) *(loose_vector *)(made + v * LANES) = s[i][v];
            continue;
        }
        vector sums[DV];
        UNROLL for (int v = 0; v < vectors; v++) sums[v] = s[i][v];
        for (int64_t x = 0; x < count; x++) made[x * g->stride[2]] = ((const TYPE *)sums)[x];
    }
}

INLINE void direct_row(const int rows, const int most, const gather *g, const TYPE *plane,
                       TYPE *made) {
    const int64_t length = g->grid[2], whole = most * LANES;
    int64_t x = 0;
    for (; x + whole <= length; x += whole)
        direct_part(rows, most, g, plane + x, whole, made + x * g->stride[2]);
    while (x < length) {
        /* A last vector that is not full begins earlier, and computes some points again. */
        const int64_t count = MIN(LANES, length - x);
        const int64_t at = count < LANES && length >= LANES ? length - LANES : x;
        direct_part(rows, 1, g, plane + at, MIN(LANES, length - at), made + at * g->stride[2]);
        x += count;
    }
}

/* Whether a product is that of one filter of 3 x 3 elements, whose rows are as far apart as those
   of the grid: then four rows of the grid share what they read. */
static int is_square(const gather *g) {
    const int64_t *o = g->offset;
    if (g->m != 1 || g->k != 9 || g->grid[2] < LANES || g->stride[2] != 1) return 0;
    for (int k = 0; k < 9; k++)
        if (o[k] - o[0] != k / 3 * g->step[1] + k % 3 * (o[1] - o[0])) return 0;
    return 1;
}

/* Compute four rows of the grid for such a filter. */
static void square_rows(const gather *g, const TYPE *plane, TYPE *made) {
    const int64_t step = g->step[1], next = g->offset[1] - g->offset[0], row = g->stride[1];
    vector a[9];
    UNROLL for (int k = 0; k < 9; k++) a[k] = (vector){0} + g->a[k];
    plane += g->offset[0];
    for (int64_t at = 0; at < g->grid[2]; at += LANES) {
        const int64_t x = MIN(at, g->grid[2] - LANES);
        vector s[4] = {{0}};
        UNROLL for (int i = 0; i < 6; i++)
            UNROLL for (int j = 0; j < 3; j++) {
                vector read = load(plane + i * step + j * next + x);
                KEEP(read);
                UNROLL for (int r = 0; r < 4; r++)
                    if (i >= r && i < r + 3) s[r] += a[3 * (i - r) + j] * read;
            }
        UNROLL for (int r = 0; r < 4; r++) *(loose_vector *)(made + r * row + x) = s[r];
    }
}

/* Compute rows begin to end of the grid. */
static void multiply_few(const gather *g, int64_t begin, int64_t end, const TYPE *plane,
                         TYPE *made) {
    const int square = is_square(g);
    for (int64_t row = begin; row < end; row++) {
        const int64_t r = row / g->grid[1], s = row % g->grid[1];
        const TYPE *from = plane + r * g->step[0] + s * g->step[1];
        TYPE *to = made + g->start + r * g->stride[0] + s * g->stride[1];
        if (square && s + 4 <= g->grid[1] && row + 4 <= end) {
            square_rows(g, from, to);
            row += 3;
            continue;
        }
        switch (g->m) {
        case 1: direct_row(1, DV, g, from, to); break;
        case 2: direct_row(2, DV, g, from, to); break;
        case 3: direct_row(3, 3, g, from, to); break;
        default: direct_row(4, 3, g, from, to);
        }
    }
}
