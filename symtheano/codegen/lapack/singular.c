/* section svd */
/* Each m × n matrix as u diag(s) vh. job is 0 for s only, 1 for thin u and vh, 2 for full ones. */
static int32_t st_svd_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t m, int64_t n,
                             int64_t job, const TYPE *a, TYPE *u, REAL *s, TYPE *vh) {
    enum { FIRST_OF = FIRST };
    const int64_t k = st_min(m, n);
    /* The number of columns of u, and of rows of vh. */
    const int64_t columns = job == 0 ? 0 : job == 1 ? k : m;
    const int64_t rows = job == 0 ? 0 : job == 1 ? k : n;
    const int64_t us = m * columns, vs = rows * n;
    if (!k) {
        for (int64_t number = 0; number < batch; number++, u += us, vh += vs) {
            for (int64_t i = 0; i < us; i++) u[i] = i % (m + 1) == 0;
            for (int64_t i = 0; i < vs; i++) vh[i] = i % (n + 1) == 0;
        }
        return 0;
    }
    ST_BEGIN(batch, 8. * m * n * k);
    const char *const jobz = job == 0 ? "N" : job == 1 ? "S" : "A";
    int64_t ldv = st_max(rows, 1), info = 0, ask = -1;
    TYPE best = 0;
    const int64_t wide = st_max(m, n);
    REAL *const parts = st_room(IS_REAL ? 1 : k * st_max(5 * k + 7, 2 * wide + 2 * k + 1) + wide,
                                sizeof *parts);
    int64_t *const pivots = st_room(8 * k, sizeof *pivots);
#if IS_REAL
#define ST_GESDD(w, l)                                                                           \
    ST_CALL(gesdd,                                                                               \
            (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,     \
             st_p, st_p, size_t),                                                                \
            jobz, &m, &n, copy, &m, s, left, &m, right, &ldv, w, l, pivots, &info, 1)
#else
#define ST_GESDD(w, l)                                                                           \
    ST_CALL(gesdd,                                                                               \
            (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,     \
             st_p, st_p, st_p, size_t),                                                          \
            jobz, &m, &n, copy, &m, s, left, &m, right, &ldv, w, l, parts, pivots, &info, 1)
#endif
    TYPE *const copy = st_room(m * n + us + vs, sizeof *copy);
    TYPE *const left = copy + m * n, *const right = left + us, *work = 0;
    int64_t length = 0;
    if (copy && parts && pivots) {
        ST_GESDD(&best, &ask);
        length = st_length_SUFFIX(best);
        work = st_room(length, sizeof *work);
    }
    int32_t status = work ? 0 : 1;
    for (int64_t number = 0; !status && number < batch;
         number++, a += m * n, u += us, s += k, vh += vs) {
        info = 0;
        st_transpose_SUFFIX(m, n, a, copy);
        const int finite = st_finite_SUFFIX(m * n, a);
        if (finite) ST_GESDD(work, &length);
        if (st_lapack_int(lapack, info)) status = ST_DIVERGED;
        if (!finite) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
        if (status) break;
        st_transpose_SUFFIX(columns, m, left, u);
        st_transpose_SUFFIX(n, rows, right, vh);
    }
#undef ST_GESDD
    free(parts);
    free(pivots);
    free(copy);
    free(work);
    st_lapack_end(lapack, held);
    return status;
}

/* section lstsq */
/* Least squares of one m × n matrix and k right-hand sides; s has min(m, n) numbers. */
static int32_t st_lstsq_SUFFIX(const st_runtime *runtime, int64_t m, int64_t n, int64_t k,
                               REAL rcond, const TYPE *a, const TYPE *b, TYPE *x, int64_t *rank,
                               REAL *s) {
    enum { FIRST_OF = FIRST };
    int64_t ldb = st_max(m, n), info = 0, ask = -1, found = 0, count = 0;
    *rank = 0;
    if (!m || !n || !k) {
        for (int64_t i = 0; i < n * k; i++) x[i] = 0;
        if (!m || !n) return 0;
    }
    ST_BEGIN(1, 8. * m * n * ldb);
    int64_t sides = st_max(k, 1);
    TYPE best = 0;
    REAL parts_best = 0;
    TYPE *const copy = st_room(m * n + ldb * sides, sizeof *copy), *const turned = copy + m * n;
#if IS_REAL
#define ST_GELSD(work, length, parts, whole)                                                     \
    ST_CALL(gelsd,                                                                               \
            (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,       \
             st_p),                                                                              \
            &m, &n, &sides, copy, &m, turned, &ldb, s, &rcond, &found, work, length, whole, &info)
#else
#define ST_GELSD(work, length, parts, whole)                                                     \
    ST_CALL(gelsd,                                                                               \
            (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, \
             st_p),                                                                              \
            &m, &n, &sides, copy, &m, turned, &ldb, s, &rcond, &found, work, length, parts,      \
            whole, &info)
#endif
    TYPE *work = 0;
    REAL *parts = 0;
    int64_t *whole = 0, length = 0;
    if (copy) {
        ST_GELSD(&best, &ask, &parts_best, &count);
        length = st_length_SUFFIX(best);
        work = st_room(length, sizeof *work);
        parts = st_room((int64_t)parts_best + 1, sizeof *parts);
        whole = st_room(st_lapack_int(lapack, count), sizeof *whole);
    }
    int32_t status = work && parts && whole ? 0 : 1;
    if (!status) {
        st_transpose_SUFFIX(m, n, a, copy);
        for (int64_t i = 0; i < ldb * sides; i++) turned[i] = 0;
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < k; j++) turned[j * ldb + i] = b[i * k + j];
        info = found = 0;
        const int finite = st_finite_SUFFIX(m * n, a) && st_finite_SUFFIX(m * k, b);
        if (finite) ST_GELSD(work, &length, parts, whole);
        if (st_lapack_int(lapack, info)) status = ST_DIVERGED;
        if (!finite) status = 2;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < k; j++) x[i * k + j] = turned[j * ldb + i];
        *rank = st_lapack_int(lapack, found);
    }
#undef ST_GELSD
    free(copy);
    free(work);
    free(parts);
    free(whole);
    st_lapack_end(lapack, held);
    return status;
}

/* section pinv */
/* The Moore-Penrose inverse of each m × n matrix. Singular values (of Hermitian matrices, absolute
   eigenvalues) up to rcond times the largest are treated as zero. */
static int32_t st_pinv_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t m, int64_t n,
                              int64_t hermitian, REAL rcond, const TYPE *a, TYPE *inverse) {
    const int64_t k = st_min(m, n);
    if (!k || !batch) return 0;
    st_announce(runtime, 10. * batch * m * n * k);
    TYPE *const u = st_room(m * k + 2 * k * n, sizeof *u);
    TYPE *const vh = u + m * k, *const v = vh + k * n;
    REAL *const s = st_room(k, sizeof *s);
    int32_t status = u && s ? 0 : 1;
    for (int64_t number = 0; !status && number < batch; number++, a += m * n, inverse += n * m) {
        if (!st_finite_SUFFIX(m * n, a)) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
        else if (hermitian) status = st_eigh_SUFFIX(runtime, 1, n, 1, a, s, u);
        else status = st_svd_SUFFIX(runtime, 1, m, n, 1, a, u, s, vh);
        if (status) break;
        REAL largest = 0;
        for (int64_t j = 0; j < k; j++) largest = s[j] < 0 ? (-s[j] > largest ? -s[j] : largest)
                                                           : (s[j] > largest ? s[j] : largest);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < k; j++) {
                const REAL size = s[j] < 0 ? -s[j] : s[j];
                const TYPE x = hermitian ? u[i * k + j] : st_conj_SUFFIX(vh[j * n + i]);
                v[i * k + j] = size > rcond * largest ? x / s[j] : 0;
            }
        for (int64_t i = 0; i < m * k; i++) u[i] = st_conj_SUFFIX(u[i]);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < m; j++) {
                TYPE sum = 0;
                for (int64_t l = 0; l < k; l++) sum += v[i * k + l] * u[j * k + l];
                inverse[i * m + j] = sum;
            }
    }
    free(u);
    free(s);
    return status;
}
