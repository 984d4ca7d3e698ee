/* section tridiagonal_lu */
/* The size by which LAPACK chooses pivots. */
static inline @REAL@ st_pivot_size_@SUFFIX@(@TYPE@ x) {
#if @IS_REAL@
    return st_size_@SUFFIX@(x);
#else
    const @REAL@ real = __real__ x, imaginary = __imag__ x;
    return (real < 0 ? -real : real) + (imaginary < 0 ? -imaginary : imaginary);
#endif
}

/* The LU decomposition of tridiagonal matrices of n rows, of which below, d and above are the
   diagonals. `factors` are the multipliers of rows; pivots, first and second are the diagonals of U;
   p has the row with which each row was exchanged. */
static void st_tridiagonal_lu_@SUFFIX@(const st_runtime *runtime, const st_squares *args,
                                     const @TYPE@ *below, const @TYPE@ *d, const @TYPE@ *above,
                                     @TYPE@ *factors, @TYPE@ *pivots, @TYPE@ *first,
                                     @TYPE@ *second, int64_t *p) {
    int64_t batch = args->batch, n = args->n;
    if (!n || !batch) return;
    st_announce(runtime, 4. * (double)batch * (double)n);
    const int64_t beside = n - 1, twice = st_max(n - 2, 0);
    for (int64_t number = 0; number < batch; number++) {
        for (int64_t i = 0; i < n; i++) pivots[i] = d[i], p[i] = i;
        for (int64_t i = 0; i < beside; i++) factors[i] = below[i], first[i] = above[i];
        for (int64_t i = 0; i < twice; i++) second[i] = 0;
        for (int64_t i = 0; i < beside; i++) {
            if (st_pivot_size_@SUFFIX@(pivots[i]) >= st_pivot_size_@SUFFIX@(factors[i])) {
                if (st_pivot_size_@SUFFIX@(pivots[i]) == 0) continue;
                factors[i] /= pivots[i];
                pivots[i + 1] -= factors[i] * first[i];
                continue;
            }
            const @TYPE@ factor = pivots[i] / factors[i], moved = first[i];
            pivots[i] = factors[i];
            factors[i] = factor;
            first[i] = pivots[i + 1];
            pivots[i + 1] = moved - factor * pivots[i + 1];
            p[i] = i + 1;
            if (i == twice) continue;
            second[i] = first[i + 1];
            first[i + 1] = -factor * first[i + 1];
        }
        below += beside, d += n, above += beside;
        factors += beside, pivots += n, first += beside, second += twice, p += n;
    }
}

/* section tridiagonal_solve */
/* x = (a batch's matrix, transposed if `transposed` is 1, conjugated as well if it is 2)^-1 b, where
   b is n × k, from what `tridiagonal_lu` stores. */
static void st_tridiagonal_solve_@SUFFIX@(const st_runtime *runtime, const st_tridiagonal_solve *args,
                                        const @TYPE@ *factors, const @TYPE@ *pivots,
                                        const @TYPE@ *first, const @TYPE@ *second,
                                        const int64_t *p, const @TYPE@ *b, @TYPE@ *x) {
    const int64_t batch = args->batch, n = args->n, k = args->k, transposed = args->transposed;
    if (!n || !k || !batch) return;
    st_announce(runtime, 6. * (double)batch * (double)n * (double)k);
    const int64_t beside = n - 1, twice = st_max(n - 2, 0);
#define ST_ITEM(array, i) (transposed == 2 ? st_conj_@SUFFIX@((array)[i]) : (array)[i])
    for (int64_t number = 0; number < batch; number++) {
        for (int64_t i = 0; i < n * k; i++) x[i] = b[i];
        /* L^-1, with its exchanges of rows */
        for (int64_t i = 0; !transposed && i < beside; i++) {
            @TYPE@ *const row = x + i * k, *const next = row + k;
            const int exchanges = p[i] != i;
            for (int64_t j = 0; j < k; j++) {
                const @TYPE@ kept = exchanges ? next[j] : row[j];
                const @TYPE@ other = exchanges ? row[j] : next[j];
                row[j] = kept;
                next[j] = other - factors[i] * kept;
            }
        }
        /* U^-1, or that of its transpose from the first row on */
        for (int64_t step = 0; step < n; step++) {
            const int64_t i = transposed ? step : n - 1 - step, to = transposed ? -k : k;
            @TYPE@ *const row = x + i * k;
            const @TYPE@ pivot = ST_ITEM(pivots, i);
            const @TYPE@ one = step > 0 ? ST_ITEM(first, transposed ? i - 1 : i) : 0;
            const @TYPE@ two = step > 1 ? ST_ITEM(second, transposed ? i - 2 : i) : 0;
            for (int64_t j = 0; j < k; j++) {
                @TYPE@ sum = row[j];
                if (step > 0) sum -= one * row[j + to];
                if (step > 1) sum -= two * row[j + 2 * to];
                row[j] = sum / pivot;
            }
        }
        for (int64_t i = beside - 1; transposed && i >= 0; i--) {
            @TYPE@ *const row = x + i * k, *const next = row + k;
            const @TYPE@ factor = ST_ITEM(factors, i);
            const int exchanges = p[i] != i;
            for (int64_t j = 0; j < k; j++) {
                const @TYPE@ kept = next[j], other = row[j] - factor * kept;
                row[j] = exchanges ? kept : other;
                next[j] = exchanges ? other : kept;
            }
        }
        factors += beside, pivots += n, first += beside, second += twice, p += n;
        b += n * k, x += n * k;
    }
#undef ST_ITEM
}
