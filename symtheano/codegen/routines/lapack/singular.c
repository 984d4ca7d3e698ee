/* section svd */
#if @IS_REAL@
#define ST_GESDD_@SUFFIX@(w, l)                                                                    \
    ST_CALL(gesdd,                                                                               \
            (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,     \
             st_p, st_p, size_t),                                                                \
            jobz, &m, &n, copy, &m, s, left, &m, right, &ldv, w, l, pivots, &info, 1)
#else
#define ST_GESDD_@SUFFIX@(w, l)                                                                    \
    ST_CALL(gesdd,                                                                               \
            (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,     \
             st_p, st_p, st_p, size_t),                                                          \
            jobz, &m, &n, copy, &m, s, left, &m, right, &ldv, w, l, parts, pivots, &info, 1)
#endif

/* The sizes of the results of one decomposition, and of parts of the workspace. job is 0 for s only,
   1 for thin u and vh, 2 for full ones. */
typedef struct st_svd_sizes_@SUFFIX@ {
    int64_t k, columns, rows, us, vs, parts;
} st_svd_sizes_@SUFFIX@;

static inline st_svd_sizes_@SUFFIX@ st_svd_sizes_of_@SUFFIX@(int64_t m, int64_t n, int64_t job) {
    const int64_t k = st_min(m, n), wide = st_max(m, n);
    /* The number of columns of u, and of rows of vh. */
    const int64_t columns = job == 0 ? 0 : job == 1 ? k : m;
    const int64_t rows = job == 0 ? 0 : job == 1 ? k : n;
    const int64_t few = st_size_plus(st_size_times(5, k), 7);
    const int64_t many = st_size_plus(st_size_times(2, st_size_plus(wide, k)), 1);
    const int64_t parts = @IS_REAL@ ? 1 : st_size_plus(st_size_times(k, st_max(few, many)), wide);
    return (st_svd_sizes_@SUFFIX@){
        k, columns, rows, st_size_times(m, columns), st_size_times(rows, n), parts};
}

static int64_t st_svd_bytes_@SUFFIX@(const st_runtime *runtime, const st_svd *args) {
    int64_t batch = args->batch, m = args->m, n = args->n, job = args->job;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    if (!m || !n || !batch) return 0;
    const st_svd_sizes_@SUFFIX@ size = st_svd_sizes_of_@SUFFIX@(m, n, job);
    /* A workspace has up to so many elements, besides rows or columns by its blocks. */
    const int64_t most = st_size_plus(st_size_times(4, st_square(size.k)), st_max(m, n));
    if (!st_lapack_takes(lapack, most)) return ST_MOST_SIZE;
    const char *const jobz = job == 0 ? "N" : job == 1 ? "S" : "A";
    int64_t ldv = st_max(size.rows, 1), info = 0, ask = -1, *const pivots = &info;
    @TYPE@ best = 0, *const copy = &best, *const left = copy, *const right = copy;
    @REAL@ first = 0, *const s = &first, *const parts = s;
    (void)parts;
    ST_GESDD_@SUFFIX@(&best, &ask);
    const int64_t arrays = st_size_plus(st_size_times(m, n), st_size_plus(size.us, size.vs));
    const int64_t pivot_bytes = st_part_bytes(st_size_times(8, size.k), sizeof info);
    const int64_t rest = st_part_bytes(st_length_@SUFFIX@(best), sizeof best);
    return st_size_plus(st_size_plus(st_part_bytes(size.parts, sizeof first), pivot_bytes),
                        st_size_plus(st_part_bytes(arrays, sizeof best), rest));
}

/* Each m × n matrix as u diag(s) vh. */
static int32_t st_svd_@SUFFIX@(const st_runtime *runtime, const st_svd *args, const @TYPE@ *a,
                             @TYPE@ *u, @REAL@ *s, @TYPE@ *vh, void *memory, int64_t bytes) {
    int64_t batch = args->batch, m = args->m, n = args->n, job = args->job;
    enum { FIRST_OF = @FIRST@ };
    const st_svd_sizes_@SUFFIX@ size = st_svd_sizes_of_@SUFFIX@(m, n, job);
    const int64_t k = size.k, columns = size.columns, rows = size.rows, us = size.us, vs = size.vs;
    if (!k || !batch) {
        for (int64_t number = 0; (us || vs) && number < batch; number++, u += us, vh += vs) {
            for (int64_t i = 0; i < us; i++) u[i] = i % (m + 1) == 0;
            for (int64_t i = 0; i < vs; i++) vh[i] = i % (n + 1) == 0;
        }
        return 0;
    }
    ST_BEGIN(batch, 8. * m * n * k);
    const char *const jobz = job == 0 ? "N" : job == 1 ? "S" : "A";
    ST_ROOM;
    @REAL@ *const parts = st_take(&room, size.parts, sizeof *parts);
    int64_t *const pivots = st_take(&room, 8 * k, sizeof *pivots);
    @TYPE@ *const copy = st_take(&room, m * n + us + vs, sizeof *copy);
    @TYPE@ *const left = copy + m * n, *const right = left + us, *const work = (@TYPE@ *)room.begin;
    int64_t ldv = st_max(rows, 1), info = 0, length = st_left(lapack, &room, sizeof *work);
    (void)parts;
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch;
         number++, a += m * n, u += us, s += k, vh += vs) {
        info = 0;
        st_transpose_@SUFFIX@(m, n, a, copy);
        const int finite = st_finite_@SUFFIX@(m * n, a);
        if (finite) ST_GESDD_@SUFFIX@(work, &length);
        if (st_lapack_int(lapack, info)) status = ST_DIVERGED;
        if (!finite) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
        if (status) break;
        st_transpose_@SUFFIX@(columns, m, left, u);
        st_transpose_@SUFFIX@(n, rows, right, vh);
    }
    st_lapack_end(lapack, held);
    return status;
}

/* section lstsq */
#if @IS_REAL@
#define ST_GELSD_@SUFFIX@(work, length, parts, whole)                                              \
    ST_CALL(gelsd,                                                                               \
            (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,       \
             st_p),                                                                              \
            &m, &n, &sides, copy, &m, turned, &ldb, s, &rcond, &found, work, length, whole, &info)
#else
#define ST_GELSD_@SUFFIX@(work, length, parts, whole)                                              \
    ST_CALL(gelsd,                                                                               \
            (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, \
             st_p),                                                                              \
            &m, &n, &sides, copy, &m, turned, &ldb, s, &rcond, &found, work, length, parts,      \
            whole, &info)
#endif

/* The lengths of the parts of a workspace besides copies of the operands. */
typedef struct st_lstsq_sizes_@SUFFIX@ { int64_t length, parts, whole; } st_lstsq_sizes_@SUFFIX@;

static st_lstsq_sizes_@SUFFIX@ st_lstsq_sizes_of_@SUFFIX@(const st_lapack *lapack, int64_t m, int64_t n,
                                                      int64_t sides) {
    enum { FIRST_OF = @FIRST@ };
    int64_t ldb = st_max(m, n), info = 0, ask = -1, found = 0, count = 0;
    @TYPE@ best = 0, *const copy = &best, *const turned = copy;
    @REAL@ parts_best = 0, rcond = 0, *const s = &rcond;
    ST_GELSD_@SUFFIX@(&best, &ask, &parts_best, &count);
    return (st_lstsq_sizes_@SUFFIX@){
        st_length_@SUFFIX@(best), (int64_t)parts_best + 1, st_lapack_int(lapack, count)};
}

static int64_t st_lstsq_bytes_@SUFFIX@(const st_runtime *runtime, const st_lstsq *args) {
    int64_t m = args->m, n = args->n, k = args->k;
    if (!m || !n) return 0;
    const int64_t sides = st_max(k, 1);
    /* A workspace has a few hundred elements for each side of the smaller length. */
    const int64_t most = st_size_times(st_min(m, n), st_size_plus(sides, 512));
    if (!st_lapack_takes(runtime->functions[ST_LAPACK], st_max(most, st_max(m, n))))
        return ST_MOST_SIZE;
    const st_lstsq_sizes_@SUFFIX@ size =
        st_lstsq_sizes_of_@SUFFIX@(runtime->functions[ST_LAPACK], m, n, sides);
    const int64_t copies = st_size_plus(st_size_times(m, n), st_size_times(st_max(m, n), sides));
    return st_size_plus(st_size_plus(st_part_bytes(copies, sizeof(@TYPE@)),
                                     st_part_bytes(size.length, sizeof(@TYPE@))),
                        st_size_plus(st_part_bytes(size.parts, sizeof(@REAL@)),
                                     st_part_bytes(size.whole, sizeof(int64_t))));
}

/* Least squares of one m × n matrix and k right-hand sides; s has min(m, n) numbers. */
static int32_t st_lstsq_@SUFFIX@(const st_runtime *runtime, const st_lstsq *args, @REAL@ rcond,
                               const @TYPE@ *a, const @TYPE@ *b, @TYPE@ *x, int64_t *rank,
                               @REAL@ *s, void *memory, int64_t bytes) {
    int64_t m = args->m, n = args->n, k = args->k;
    enum { FIRST_OF = @FIRST@ };
    int64_t ldb = st_max(m, n), info = 0, found = 0, sides = st_max(k, 1);
    *rank = 0;
    if (!m || !n || !k) {
        for (int64_t i = 0; i < n * k; i++) x[i] = 0;
        if (!m || !n) return 0;
    }
    ST_BEGIN(1, 8. * m * n * ldb);
    st_lstsq_sizes_@SUFFIX@ size = st_lstsq_sizes_of_@SUFFIX@(lapack, m, n, sides);
    ST_ROOM;
    @TYPE@ *const copy = st_take(&room, m * n + ldb * sides, sizeof *copy);
    @TYPE@ *const turned = copy + m * n, *const work = st_take(&room, size.length, sizeof *work);
    @REAL@ *const parts = st_take(&room, size.parts, sizeof *parts);
    int64_t *const whole = st_take(&room, size.whole, sizeof *whole);
    (void)parts;
    int32_t status = 0;
    st_transpose_@SUFFIX@(m, n, a, copy);
    for (int64_t i = 0; i < ldb * sides; i++) turned[i] = 0;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < k; j++) turned[j * ldb + i] = b[i * k + j];
    const int finite = st_finite_@SUFFIX@(m * n, a) && st_finite_@SUFFIX@(m * k, b);
    if (finite) ST_GELSD_@SUFFIX@(work, &size.length, parts, whole);
    if (st_lapack_int(lapack, info)) status = ST_DIVERGED;
    if (!finite) status = 2;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++) x[i * k + j] = turned[j * ldb + i];
    *rank = st_lapack_int(lapack, found);
    st_lapack_end(lapack, held);
    return status;
}

/* section pinv */
static int64_t st_pinv_bytes_@SUFFIX@(const st_runtime *runtime, const st_pinv *args) {
    int64_t batch = args->batch, m = args->m, n = args->n, hermitian = args->hermitian;
    const int64_t k = st_min(m, n);
    if (!k || !batch) return 0;
    const int64_t copies = st_size_times(k, st_size_plus(m, st_size_times(2, n)));
    const st_eigh eigh = {.batch = 1, .n = n, .lower = 1, .vectors = 1};
    const st_svd svd = {.batch = 1, .m = m, .n = n, .job = 1};
    const int64_t rest = hermitian ? st_eigh_bytes_@SUFFIX@(runtime, &eigh)
                                   : st_svd_bytes_@SUFFIX@(runtime, &svd);
    return st_size_plus(st_size_plus(st_part_bytes(copies, sizeof(@TYPE@)),
                                     st_part_bytes(k, sizeof(@REAL@))), rest);
}

/* The Moore-Penrose inverse of each m × n matrix. Singular values (of Hermitian matrices, absolute
   eigenvalues) up to rcond times the largest are treated as zero. */
static int32_t st_pinv_@SUFFIX@(const st_runtime *runtime, const st_pinv *args, @REAL@ rcond,
                              const @TYPE@ *a, @TYPE@ *inverse, void *memory, int64_t bytes) {
    int64_t batch = args->batch, m = args->m, n = args->n, hermitian = args->hermitian;
    const int64_t k = st_min(m, n);
    const st_eigh eigh = {.batch = 1, .n = n, .lower = 1, .vectors = 1};
    const st_svd svd = {.batch = 1, .m = m, .n = n, .job = 1};
    if (!k || !batch) return 0;
    st_announce(runtime, 10. * batch * m * n * k);
    ST_ROOM;
    @TYPE@ *const u = st_take(&room, m * k + 2 * k * n, sizeof *u);
    @TYPE@ *const vh = u + m * k, *const v = vh + k * n;
    @REAL@ *const s = st_take(&room, k, sizeof *s);
    void *const rest = room.begin;
    const int64_t left = room.end - room.begin;
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch; number++, a += m * n, inverse += n * m) {
        if (!st_finite_@SUFFIX@(m * n, a)) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
        else if (hermitian) status = st_eigh_@SUFFIX@(runtime, &eigh, a, s, u, rest, left);
        else status = st_svd_@SUFFIX@(runtime, &svd, a, u, s, vh, rest, left);
        if (status) break;
        @REAL@ largest = 0;
        for (int64_t j = 0; j < k; j++) largest = s[j] < 0 ? (-s[j] > largest ? -s[j] : largest)
                                                           : (s[j] > largest ? s[j] : largest);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < k; j++) {
                const @REAL@ size = s[j] < 0 ? -s[j] : s[j];
                const @TYPE@ x = hermitian ? u[i * k + j] : st_conj_@SUFFIX@(vh[j * n + i]);
                v[i * k + j] = size > rcond * largest ? x / s[j] : 0;
            }
        for (int64_t i = 0; i < m * k; i++) u[i] = st_conj_@SUFFIX@(u[i]);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < m; j++) {
                @TYPE@ sum = 0;
                for (int64_t l = 0; l < k; l++) sum += v[i * k + l] * u[j * k + l];
                inverse[i * m + j] = sum;
            }
    }
    return status;
}
