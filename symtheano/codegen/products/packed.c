/* Products with one op(b) that is copied to panels before; see __init__.py. */

/* Whether packing pays for several products of m rows. */
static int worth_packing(int64_t m, int64_t n, int64_t k) {
    const double size = (double)k * n;
    return m > 1 && m <= PACKED_ROWS && n >= 2 * LANES && k >= LANES && size >= PACKED_LEAST
        && size * sizeof(TYPE) <= PACKED_BYTES;
}

/* Copy op(b) to panels, `always`, or if products of m rows gain by it: the first element says
   whether, with 2 if products of any number of rows are to use it. */
static int32_t pack_all(int always, int straight, int64_t m, int64_t n, int64_t k, const TYPE *b,
                        int64_t ldb, TYPE *packed) {
    const int64_t br = straight ? ldb : 1, bc = straight ? 1 : ldb;
    *packed = always ? 2 : worth_packing(m, n, k);
    if (*packed == 0) return 0;
    tile t;
    TYPE *panel = packed + PACKED_HEAD;
    for (int64_t j = 0; j < n; j += t.width) {
        const int64_t vectors = next_panel(&t, n - j, 2);
        pack(k, b + j * bc, br, bc, &t, vectors, panel);
        panel += k * vectors * LANES;
    }
    return 1;
}

/* Some columns of a product, from a panel on. */
static void packed_columns(int64_t m, int64_t n, int64_t k, TYPE alpha, const TYPE *a, int64_t ar,
                           int64_t ac, const TYPE *panel, TYPE beta, TYPE *c, int64_t cr) {
    tile t = {.row = cr, .column = 1, .alpha = alpha, .scattered = n < LANES};
    const int64_t blocks = (k + PACKED_DEPTH - 1) / PACKED_DEPTH;
    const int64_t depth = (k + blocks - 1) / blocks;
    for (int64_t j = 0; j < n; j += t.width) {
        const int64_t vectors = next_panel(&t, n - j, 2), step = vectors * LANES;
        t.b_last = step - LANES;
        for (int64_t p = 0, deep; p < k; p += deep, panel += deep * step) {
            deep = MIN(depth, k - p);
            t.beta = p == 0 ? beta : 1;
            panel_product(m, deep, a + p * ac, ar, ac, panel, step, vectors, c + j, &t);
        }
    }
}

/* c = alpha op(a) op(b) + beta c, for a packed op(b). Returns 0, and does nothing, if it isn't. */
static int32_t prepared_product(int threads, int straight, int64_t m, int64_t n, int64_t k,
                                TYPE alpha, const TYPE *a, int64_t lda, const TYPE *packed,
                                TYPE beta, TYPE *c, int64_t ldc) {
    if (*packed == 0 || (*packed == 1 && !worth_packing(m, n, k))) return 0;
    const int64_t ar = straight ? lda : 1, ac = straight ? 1 : lda;
    /* The parts depend only on the shape: whole panels, of which none is wider than two vectors. */
    const double work = (double)m * n * k;
    const int64_t parts = work < 2 * PART ? 1 : work < PARTS * PART ? 2 : PARTS;
    const int64_t panels = MAX(n / (2 * LANES) - 1, 0), even = panels * 2 * LANES;
    const int64_t each = (panels + parts - 1) / parts * 2 * LANES;
    packed += PACKED_HEAD;
#pragma omp parallel for num_threads(MIN(threads, parts)) if (threads > 1 && parts > 1)
    for (int64_t i = 0; i < parts; i++) {
        const int64_t first = MIN(i * each, even);
        const int64_t stop = i == parts - 1 ? n : MIN(first + each, even);
        if (first < stop)
            packed_columns(m, stop - first, k, alpha, a, ar, ac, packed + first * k, beta,
                           c + first, ldc);
    }
    return 1;
}
