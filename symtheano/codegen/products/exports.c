/* How a form is chosen, and what the library exports; see __init__.py. */

/* Return the fastest form of a product, or CHOOSE if the library is faster. */
static int best_form(int a_straight, int b_straight, int64_t m, int64_t n, int64_t k,
                     int64_t ldb) {
    /* Rows at distances of a large power of two share few sets of the cache. */
    const int close = k * n * (int64_t)sizeof(TYPE) <= CLOSE;
    const int crowded = b_straight && !close && m < 64 && ldb * sizeof(TYPE) % 1024 == 0;
    /* If k is small, most of the time is spent on reading and writing C; measured. */
    const int flat = k < (sizeof(TYPE) == 4 ? 8 : 2) && (double)m * n > 1024;
    const int small = (double)m * n * k <= SMALL && !flat;
    const int narrow = n <= NARROW || (m <= NARROW && !(crowded && m >= 24));
    const int short_k = k <= NARROW && k >= (sizeof(TYPE) == 4 ? 24 : 2)
        && (!HUGE_C(m, n) || by_rows_of_c(m, n, k));
    if (!small && !narrow && !short_k) {
        /* The last vector of a row may compute elements a second time, or zeros. */
        const int fills = (double)VECTORS(n) * LANES <= 1.06 * n;
        return !WIDE || !fills ? CHOOSE : m < 4 * STRIP ? OUTER : BLOCKED;
    }
    /* The cost of each form in half cycles: vector multiplications, copies, stores. */
    const double outer = (double)m * VECTORS(n) * k * (1 + crowded)
        + (n < LANES && !(b_straight && HALVES(m, n)) ? 16. * k : b_straight ? 0. : (double)n * k);
    const double across = (double)n * VECTORS(m) * k
        + (m < LANES ? 16. * k : a_straight ? (double)m * k : 0.) + 3. * m * n * (1 + k / 512);
    const double inner = 1.25 * m * n * VECTORS(k) + 6. * m * n + (b_straight ? 2. * n * k : 0.);
    if (a_straight && k >= LANES && (n <= 64 || !b_straight) && inner < MIN(outer, across))
        return INNER;
    return across < outer ? ACROSS : OUTER;
}

/* `all` is m or n of the whole product, whichever `form` divides into panels. */
static void product(int form, int64_t all, int a_straight, int b_straight, int64_t m, int64_t n,
                    int64_t k, TYPE alpha, const TYPE *a, int64_t lda, const TYPE *b, int64_t ldb,
                    TYPE beta, TYPE *c, int64_t ldc) {
    const int64_t ar = a_straight ? lda : 1, ac = a_straight ? 1 : lda;
    const int64_t br = b_straight ? ldb : 1, bc = b_straight ? 1 : ldb;
    if (form == BLOCKED
        && blocked_product(m, n, k, alpha, a, ar, ac, b, br, bc, beta, c, ldc)) return;
    if (form == OUTER || form == BLOCKED)
        outer_product(m, n, all, k, alpha, a, ar, ac, b, br, bc, beta, c, ldc, 1);
    else if (form == ACROSS)
        outer_product(n, m, all, k, alpha, b, bc, br, a, ac, ar, beta, c, 1, ldc);
    else if (b_straight)
        narrow_product(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    else
        inner_product(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

EXPORT int32_t @RUN@(int form, int threads, int transa, int transb, int64_t m, int64_t n,
                           int64_t k, TYPE alpha, const TYPE *a, int64_t lda, const TYPE *b,
                           int64_t ldb, TYPE beta, TYPE *c, int64_t ldc) {
    const int a_straight = transa == NO_TRANS, b_straight = transb == NO_TRANS;
    const double work = (double)m * n * k;
    if (form == VECTOR)
        return vector_product(a_straight, m, k, alpha, a, lda, b, ldb, beta, c, ldc);
    if (form == PACK || form == PANELS)
        return pack_all(form == PANELS, b_straight, m, n, k, b, ldb, c);
    if (form == PACKED)
        return prepared_product(threads, a_straight, m, n, k, alpha, a, lda, b, beta, c, ldc);
    /* For the smallest products, choosing a form would take longer than the product. */
    if (form == CHOOSE)
        form = b_straight && n >= MAX(HALF, 2) && n <= 2 * LANES && m <= 2 * LANES && k <= 4 * LANES
            ? OUTER : best_form(a_straight, b_straight, m, n, k, ldb);
    if (form == CHOOSE || (work >= LARGE && threads > (THREADED ? PARTS : 1))) return 0;
    const int64_t all = form == ACROSS ? m : n;
    if (work < 2 * PART) {
        product(form, all, a_straight, b_straight, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
        return 1;
    }
    /* The parts depend only on the shape, so results do not depend on the number of threads. If
       there are enough panels, each part has some of them, and otherwise some of the rows. */
    const int64_t most = work < PARTS * PART ? 2 : PARTS;
    /* How a blocked product is divided changes no bit, and each part copies a factor. */
    const int64_t parts = form == BLOCKED ? MIN(threads, most) : most;
    const int by_panels = (form == OUTER || form == ACROSS) && all >= parts * 2 * LANES;
    const int by_rows = by_panels ? form == ACROSS : m >= n;
    const int64_t length = by_rows ? m : n,
                  unit = by_panels ? LANES : form == BLOCKED ? (by_rows ? STRIP : 2 * LANES) : 24;
    const int64_t part = ((length + parts - 1) / parts + unit - 1) / unit * unit;
#pragma omp parallel for num_threads(MIN(threads, parts)) if (threads > 1) schedule(static)
    for (int64_t i = 0; i < length; i += part) {
        const int64_t size = MIN(part, length - i);
        const TYPE *x = by_rows ? a + (a_straight ? i * lda : i) : a;
        const TYPE *y = by_rows ? b : b + (b_straight ? i : i * ldb);
        product(form, all, a_straight, b_straight, by_rows ? size : m, by_rows ? n : size, k, alpha,
                x, lda, y, ldb, beta, c + (by_rows ? i * ldc : i), ldc);
    }
    return 1;
}

#ifdef _OPENMP
/* Run each part of a job in its own thread. */
EXPORT void @SHARE@(int64_t parts, void (*part)(const void *, int64_t), const void *job) {
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int64_t i = 0; i < parts; i++) part(job, i);
}
#endif
