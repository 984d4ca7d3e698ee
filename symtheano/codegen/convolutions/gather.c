/* Products with gathered elements: made[m][q] = sum over k of a[m][k] * planes[offset[k] + at(q)],
   for the points q of a grid. A panel of points is copied so that its elements for each k are
   neighbours; a tile of made, MR rows of NV vectors, is held in registers. */

enum { MR = BYTES == 64 ? 14 : 6, NV = 2, NP = NV * LANES };
/* Rows of a tile that is read without panels, for three vectors. */
enum { DM = BYTES == 64 ? 8 : 4 };
/* Elements of the inner axis, and bytes of panels, that are used at a time; elements of the inner
   axis by which memory is asked for before it is copied. */
enum { DEPTH = 2048, PANELS = 163840, AHEAD = 6 };

typedef struct product {
    int64_t m, k;              /* rows, and terms of each sum */
    int64_t grid[3], step[2];  /* points, and the distance in planes of those along two axes */
    int64_t stride[3], start;  /* where made has them; rows of made are `row` apart */
    int64_t row;
    const int64_t *offset;
    const TYPE *a;             /* packed: see pack_rows */
    int direct;                /* whether it is computed without panels: see direct.c */
    int exact;                 /* whether nothing beyond the points may be read */
} product;

/* Make points whose rows follow one another one row. */
INLINE void join_axes(product *g) {
    g->grid[2] *= g->grid[0] * g->grid[1], g->grid[0] = g->grid[1] = 1;
}

/* Tiles of m rows, of at most `most` rows each. */
INLINE int64_t tiles_of(int64_t m, int64_t most) { return (m + most - 1) / most; }
/* First row of such a tile. */
INLINE int64_t first_row_of(int64_t m, int64_t most, int64_t tile) {
    return m * tile / tiles_of(m, most);
}
INLINE int64_t tiles(int64_t m) { return tiles_of(m, MR); }
INLINE int64_t tile_row(int64_t m, int64_t tile) { return first_row_of(m, MR, tile); }

/* Pack a: its tiles one after the other, and in a tile the elements for each k. Element (m, k) is
   a[m * row + where[k]]. */
static void pack_rows(int64_t m, int64_t most, int64_t k, const TYPE *a, int64_t row,
                      const int64_t *where, TYPE *to) {
    for (int64_t tile = 0; tile < tiles_of(m, most); tile++) {
        const int64_t begin = first_row_of(m, most, tile), end = first_row_of(m, most, tile + 1);
        for (int64_t j = 0; j < k; j++)
            for (int64_t i = begin; i < end; i++) *to++ = a[i * row + where[j]];
    }
}

/* -- panels ------------------------------------------------------------------------------------ */

typedef struct run { int64_t from, to, count; } run;

/* Split `count` points from q on into runs of neighbours; return their number. */
static int64_t find_runs(const product *g, int64_t q, int64_t count, run *runs) {
    int64_t found = 0, x = q % g->grid[2], row = q / g->grid[2];
    int64_t r = row / g->grid[1], s = row % g->grid[1];
    for (int64_t done = 0; done < count; x = 0) {
        const int64_t length = MIN(g->grid[2] - x, count - done);
        runs[found++] = (run){r * g->step[0] + s * g->step[1] + x,
                              g->start + r * g->stride[0] + s * g->stride[1] + x * g->stride[2],
                              length};
        done += length;
        if (++s == g->grid[1]) s = 0, r++;
    }
    return found;
}

/* Whether a panel is full, and its points are neighbours in what is made. */
INLINE int is_run(const product *g, const run *runs, int64_t count) {
    int64_t length = 0;
    for (int64_t r = 0; r < count; r++) length += runs[r].count;
    const run *last = runs + count - 1;
    return g->stride[2] == 1 && length == NP && last->to + last->count - runs->to == NP;
}

/* Elements from one panel to the next: copies may reach beyond the end of a panel. */
INLINE int64_t panel_step(int64_t depth) { return depth * NP + LANES; }

/* Copy panels of `depth` terms each; the elements of all for one k are read before
   the next k, because planes are far apart. */
static void pack_panels(const int64_t *offset, int64_t depth, int exact, const TYPE *plane,
                        const run (*runs)[NP], const int64_t *counts, int64_t panels, TYPE *to) {
    for (int64_t k = 0; k < depth; k++, to += NP) {
        const TYPE *from = plane + offset[k], *next = plane + offset[MIN(k + AHEAD, depth - 1)];
        for (int64_t p = 0; p < panels; p++) {
            TYPE *panel = to + p * panel_step(depth);
            __builtin_prefetch(next + runs[p]->from);
            if (counts[p] == 1 && runs[p]->count == NP) {
                UNROLL for (int v = 0; v < NV; v++)
                    *(loose_vector *)(panel + v * LANES) = load(from + runs[p]->from + v * LANES);
                continue;
            }
            for (int64_t r = 0; r < counts[p]; panel += runs[p][r].count, r++) {
                const TYPE *start = from + runs[p][r].from;
                if (exact) copy_exactly(panel, start, runs[p][r].count);
                else copy_over(panel, start, runs[p][r].count);
            }
        }
    }
}

/* -- tiles ------------------------------------------------------------------------------------- */

/* Each number of rows of a tile, for the functions that are compiled for each. */
#if BYTES == 64
#define FOR_ROWS(f) \
    f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14)
#else
#define FOR_ROWS(f) f(1) f(2) f(3) f(4) f(5) f(6)
#endif

/* Rows of b are `step` apart, rows of c `row`. */
INLINE void tile_of(const int rows, int64_t depth, const TYPE *a, const TYPE *b, int64_t step,
                    TYPE *c, int64_t row, int add) {
    vector s[MR][NV], x[NV];
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < NV; v++)
            s[i][v] = add ? load(c + i * row + v * LANES) : (vector){0};
    for (int64_t k = 0; k < depth; k++, a += rows, b += step) {
        UNROLL for (int v = 0; v < NV; v++) {
            x[v] = load(b + v * LANES);
            KEEP(x[v]);
        }
        UNROLL for (int i = 0; i < rows; i++) {
            const TYPE element = a[i];
            UNROLL for (int v = 0; v < NV; v++) s[i][v] += element * x[v];
        }
    }
    UNROLL for (int i = 0; i < rows; i++)
        UNROLL for (int v = 0; v < NV; v++)
            *(loose_vector *)(c + i * row + v * LANES) = s[i][v];
}

typedef void tile_function(int64_t, const TYPE *, const TYPE *, int64_t, TYPE *, int64_t, int);
#define TILE(rows) \
    static void tile_##rows(int64_t depth, const TYPE *a, const TYPE *b, int64_t step, TYPE *c, \
                            int64_t row, int add) { \
        if (add) tile_of(rows, depth, a, b, step, c, row, 1); \
        else tile_of(rows, depth, a, b, step, c, row, 0); \
    }
FOR_ROWS(TILE)
#define TILE_OF(rows) tile_##rows,
static tile_function *const tile_functions[] = {0, FOR_ROWS(TILE_OF)};

/* Store a tile point by point. */
static void spread_tile(const TYPE *tile, int64_t rows, const product *g, const run *runs,
                        int64_t count, TYPE *made, int add) {
    for (int64_t i = 0; i < rows; i++, made += g->row) {
        const TYPE *from = tile + i * NP;
        for (int64_t r = 0; r < count; from += runs[r].count, r++) {
            TYPE *to = made + runs[r].to;
            for (int64_t x = 0; x < runs[r].count; x++)
                to[x * g->stride[2]] = add ? to[x * g->stride[2]] + from[x] : from[x];
        }
    }
}

/* -- whole products ---------------------------------------------------------------------------- */

INLINE int64_t points(const product *g) { return g->grid[0] * g->grid[1] * g->grid[2]; }
/* Panels that are multiplied by a tile of a before the next one. */
INLINE int64_t panels_at_once(int64_t k) {
    const int64_t bytes = MIN(k, DEPTH) * NP * (int64_t)sizeof(TYPE);
    return MAX(1, MIN(8, PANELS / MAX(bytes, 1)));
}
/* Elements of memory for one thread, for products of at most k terms. */
INLINE int64_t panel_memory(int64_t k) {
    const int64_t one = MIN(k, DEPTH) * NP;
    return MIN(8 * one, MAX(one, PANELS / (int64_t)sizeof(TYPE))) + 8 * LANES;
}
INLINE int64_t panel_groups(const product *g) {
    const int64_t group = panels_at_once(g->k) * NP;
    return (points(g) + group - 1) / group;
}

/* Compute one group of panels; `memory` is aligned to vectors. */
static void multiply(const product *g, int64_t number, const TYPE *plane, TYPE *made,
                     TYPE *memory) {
    const int64_t most = panels_at_once(g->k), all = points(g);
    const int64_t begin = number * most * NP, panels = MIN(most, (all - begin + NP - 1) / NP);
    run runs[8][NP];
    int64_t counts[8], whole[8];
    for (int64_t p = 0; p < panels; p++) {
        const int64_t q = begin + p * NP;
        counts[p] = find_runs(g, q, MIN(NP, all - q), runs[p]);
        whole[p] = is_run(g, runs[p], counts[p]);
    }
    for (int64_t k = 0; k == 0 || k < g->k; k += DEPTH) {
        const int64_t depth = MIN(DEPTH, g->k - k);
        pack_panels(g->offset + k, depth, g->exact, plane, runs, counts, panels, memory);
        for (int64_t tile = 0; tile < tiles(g->m); tile++) {
            const int64_t row = tile_row(g->m, tile), rows = tile_row(g->m, tile + 1) - row;
            const TYPE *a = g->a + row * g->k + k * rows;
            for (int64_t p = 0; p < panels; p++) {
                const TYPE *panel = memory + p * panel_step(depth);
                if (whole[p]) {
                    TYPE *to = made + row * g->row + runs[p]->to;
                    tile_functions[rows](depth, a, panel, NP, to, g->row, k > 0);
                } else {
                    TYPE sums[MR * NP];
                    tile_functions[rows](depth, a, panel, NP, sums, NP, 0);
                    spread_tile(sums, rows, g, runs[p], counts[p], made + row * g->row, k > 0);
                }
            }
        }
    }
}
