/* section cholesky */
/* The Cholesky factor of each n × n matrix: the lower one from its lower triangle, or the upper one
   from its upper triangle. If `nan`, the factor of a matrix that is not positive definite is NaN.
   The lower triangle of A by rows is the upper triangle of its conjugate by columns, and their
   factors have the same relation. */
static int32_t st_cholesky_@SUFFIX@(const st_runtime *runtime, const st_cholesky *args,
                                  const @TYPE@ *a, @TYPE@ *factor) {
    int64_t batch = args->batch, n = args->n, lower = args->lower, nan = args->nan;
    enum { FIRST_OF = @FIRST@ };
    if (!n) return 0;
    ST_BEGIN(batch, (double)n * n * n / 3);
    int32_t status = 0;
    const char *const triangle = lower ? "U" : "L";
    for (int64_t number = 0; number < batch; number++, a += n * n, factor += n * n) {
        int64_t info = 0;
        int finite = 1;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                const int read = lower ? j <= i : j >= i;
                factor[i * n + j] = read ? a[i * n + j] : 0;
            }
        finite = st_finite_@SUFFIX@(n * n, factor);
        if (finite)
            ST_CALL(potrf, (const char *, st_p, st_p, st_p, st_p, size_t), triangle, &n, factor,
                    &n, &info, 1);
        if (!finite || st_lapack_int(lapack, info) || !st_finite_@SUFFIX@(n * n, factor)) {
            if (!nan) {
                status = (int32_t)st_min(number, 0x7ffffff0) + 2;
                break;
            }
            st_fill_nan_@SUFFIX@(n * n, factor);
        }
    }
    st_lapack_end(lapack, held);
    return status;
}

/* section qr */
static int64_t st_qr_bytes_@SUFFIX@(const st_runtime *runtime, const st_qr *args) {
    int64_t batch = args->batch, m = args->m, n = args->n, width = args->width;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    int64_t k = st_min(m, n), info = 0, ask = -1;
    @TYPE@ best[2] = {0, 0};
    if (!k || !batch) return 0;
    if (!st_lapack_takes(lapack, st_max(m, n))) return ST_MOST_SIZE;
    ST_CALL(geqrf, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, best, &m, best, best,
            &ask, &info);
    ST_CALL(orgqr, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &width, &k, best,
            &m, best, best + 1, &ask, &info);
    const int64_t length = st_max(st_length_@SUFFIX@(best[0]), st_length_@SUFFIX@(best[1]));
    const int64_t turned = st_part_bytes(st_size_times(m, st_max(n, width)), sizeof *best);
    return st_size_plus(st_size_plus(st_part_bytes(k, sizeof *best), turned),
                        st_part_bytes(length, sizeof *best));
}

/* Each m × n matrix as q r. q has `width` columns and r has `width` rows: min(m, n), or m. q may be
   0. */
static void st_qr_@SUFFIX@(const st_runtime *runtime, const st_qr *args, const @TYPE@ *a, @TYPE@ *q,
                         @TYPE@ *r, void *memory, int64_t bytes) {
    int64_t batch = args->batch, m = args->m, n = args->n, width = args->width;
    enum { FIRST_OF = @FIRST@ };
    int64_t k = st_min(m, n), info = 0;
    if (!k || !batch) {
        for (int64_t i = 0; q && i < batch * m * width; i++)
            q[i] = i % (m * width) % (width + 1) == 0;
        for (int64_t i = 0; i < batch * width * n; i++) r[i] = 0;
        return;
    }
    ST_BEGIN(batch, 4. * m * n * k);
    ST_ROOM;
    @TYPE@ *const tau = st_take(&room, k, sizeof *tau);
    /* Memory for the matrix and for additional columns of q. */
    @TYPE@ *const turned = st_take(&room, m * st_max(n, width), sizeof *turned);
    @TYPE@ *const work = (@TYPE@ *)room.begin;
    int64_t length = st_left(lapack, &room, sizeof *work);
    for (int64_t number = 0; number < batch; number++, a += m * n) {
        const int finite = st_finite_@SUFFIX@(m * n, a);
        st_transpose_@SUFFIX@(m, n, a, turned);
        if (finite)
            ST_CALL(geqrf, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, turned, &m,
                    tau, work, &length, &info);
        for (int64_t i = 0; i < width; i++)
            for (int64_t j = 0; j < n; j++) r[i * n + j] = j >= i && i < m ? turned[j * m + i] : 0;
        if (!finite) st_fill_nan_@SUFFIX@(width * n, r);
        r += width * n;
        if (!q) continue;
        if (finite)
            ST_CALL(orgqr, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &width, &k,
                    turned, &m, tau, work, &length, &info);
        st_transpose_@SUFFIX@(width, m, turned, q);
        if (!finite) st_fill_nan_@SUFFIX@(m * width, q);
        q += m * width;
    }
    st_lapack_end(lapack, held);
}

/* section lu */
static int64_t st_lu_bytes_@SUFFIX@(const st_runtime *runtime, const st_lu *args) {
    int64_t batch = args->batch, m = args->m, n = args->n;
    if (!m || !batch) return 0;
    if (!st_lapack_takes(runtime->functions[ST_LAPACK], st_max(m, n))) return ST_MOST_SIZE;
    return st_size_plus(st_part_bytes(st_size_times(m, n), sizeof(@TYPE@)),
                        st_part_bytes(st_size_plus(st_min(m, n), m), sizeof(int64_t)));
}

/* Each m × n matrix as p l u: a permutation, an m × k lower and a k × n upper triangle, where
   k = min(m, n). */
static void st_lu_@SUFFIX@(const st_runtime *runtime, const st_lu *args, const @TYPE@ *a, @REAL@ *p,
                         @TYPE@ *l, @TYPE@ *u, void *memory, int64_t bytes) {
    int64_t batch = args->batch, m = args->m, n = args->n;
    enum { FIRST_OF = @FIRST@ };
    if (!m || !batch) return;
    const int64_t k = st_min(m, n);
    ST_BEGIN(batch, (double)m * n * k);
    ST_ROOM;
    @TYPE@ *const turned = st_take(&room, m * n, sizeof *turned);
    int64_t *const pivots = st_take(&room, k + m, sizeof *pivots), *const order = pivots + k;
    for (int64_t number = 0; number < batch;
         number++, a += m * n, p += m * m, l += m * k, u += k * n) {
        int64_t info = 0;
        const int finite = st_finite_@SUFFIX@(m * n, a);
        for (int64_t i = 0; i < m; i++) order[i] = i;
        st_transpose_@SUFFIX@(m, n, a, turned);
        if (finite && k) {
            ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, turned, &m, pivots,
                    &info);
            for (int64_t i = 0; i < k; i++) {
                const int64_t pivot =
                    (lapack->ilp64 ? pivots[i] : ((const int32_t *)pivots)[i]) - 1;
                const int64_t other = order[i];
                order[i] = order[pivot], order[pivot] = other;
            }
        }
        for (int64_t i = 0; i < m * m; i++) p[i] = 0;
        for (int64_t i = 0; i < m; i++) {
            p[order[i] * m + i] = 1;
            for (int64_t j = 0; j < k; j++)
                l[i * k + j] = i > j ? turned[j * m + i] : i == j;
        }
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j < n; j++) u[i * n + j] = i <= j ? turned[j * m + i] : 0;
        if (finite) continue;
        st_fill_nan_@SUFFIX@(m * k, l);
        st_fill_nan_@SUFFIX@(k * n, u);
    }
    st_lapack_end(lapack, held);
}

/* section reflectors */
#if @IS_REAL@
#define ST_GEQP3_@SUFFIX@(a, columns, tau, work, length, parts)                                    \
    ST_CALL(geqp3, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, a, &m,        \
            columns, tau, work, length, &info)
#else
#define ST_GEQP3_@SUFFIX@(a, columns, tau, work, length, parts)                                    \
    ST_CALL(geqp3, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, a, &m,  \
            columns, tau, work, length, parts, &info)
#endif

/* The bytes of the workspace of LAPACK's geqrf, or geqp3 if `pivoting`, with all that it needs. */
static int64_t st_reflectors_bytes_@SUFFIX@(const st_runtime *runtime, const st_reflectors *args) {
    int64_t batch = args->batch, m = args->m, n = args->n, pivoting = args->pivoting;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    int64_t info = 0, ask = -1;
    @TYPE@ best[2] = {0, 0};
    if (!m || !n || !batch) return 0;
    if (!st_lapack_takes(lapack, st_max(m, n))) return ST_MOST_SIZE;
    if (pivoting)
        ST_GEQP3_@SUFFIX@(best, &info, best, best, &ask, best);
    else
        ST_CALL(geqrf, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, best, &m, best,
                best, &ask, &info);
    const int64_t columns = st_part_bytes(n, sizeof info);
    const int64_t parts = st_part_bytes(st_size_times(2, n), sizeof(@REAL@));
    const int64_t results = args->stored ? 0 : st_size_times(m, st_size_plus(n, 1));
    return st_size_plus(st_size_plus(columns, parts),
                        st_size_plus(st_part_bytes(results, sizeof *best),
                                     st_part_bytes(st_length_@SUFFIX@(best[0]), sizeof *best)));
}

/* Of each m × n matrix, the reflectors of its QR decomposition and R, transposed, and the factors of
   the reflectors; both are 0 if not `stored`. If `pivoting`, p has which column of the matrix each
   column of the product is. */
static void st_reflectors_@SUFFIX@(const st_runtime *runtime, const st_reflectors *args,
                                 const @TYPE@ *a, @TYPE@ *h, @TYPE@ *tau, int64_t *p, void *memory,
                                 int64_t bytes) {
    int64_t batch = args->batch, m = args->m, n = args->n, pivoting = args->pivoting;
    enum { FIRST_OF = @FIRST@ };
    const int64_t k = st_min(m, n), stored = args->stored;
    for (int64_t i = 0; pivoting && i < batch * n; i++) p[i] = i % n;
    if (!k || !batch) return;
    ST_BEGIN(batch, 2. * m * n * k);
    ST_ROOM;
    int64_t *const columns = st_take(&room, n, sizeof *columns);
    @REAL@ *const parts = st_take(&room, 2 * n, sizeof *parts);
    @TYPE@ *const results = st_take(&room, stored ? 0 : m * (n + 1), sizeof *results);
    if (!stored) h = results, tau = results + m * n;
    @TYPE@ *const work = (@TYPE@ *)room.begin;
    int64_t info = 0, length = st_left(lapack, &room, sizeof *work);
    (void)parts;
    for (int64_t number = 0; number < batch; number++) {
        const int finite = st_finite_@SUFFIX@(m * n, a);
        st_transpose_@SUFFIX@(m, n, a, h);
        if (!finite) {
            st_fill_nan_@SUFFIX@(m * n, h);
            st_fill_nan_@SUFFIX@(k, tau);
        } else if (!pivoting) {
            ST_CALL(geqrf, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, h, &m, tau,
                    work, &length, &info);
        } else {
            memset(columns, 0, (size_t)n * sizeof *columns);
            ST_GEQP3_@SUFFIX@(h, columns, tau, work, &length, parts);
            for (int64_t j = 0; j < n; j++)
                p[j] = (lapack->ilp64 ? columns[j] : ((const int32_t *)columns)[j]) - 1;
        }
        a += m * n;
        if (stored) h += m * n, tau += k;
        if (pivoting) p += n;
    }
    st_lapack_end(lapack, held);
}
