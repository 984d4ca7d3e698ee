/* What the library exports; see __init__.py. */

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
    const int64_t parts = work < PARTS * PART ? 2 : PARTS;
    const int by_panels = (form == OUTER || form == ACROSS) && all >= parts * 2 * LANES;
    const int by_rows = by_panels ? form == ACROSS : m >= n;
    const int64_t length = by_rows ? m : n, unit = by_panels ? LANES : 24;
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
