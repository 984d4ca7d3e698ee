/* section eigh */
#if @IS_REAL@
#define ST_EIGH_@SUFFIX@(work, length, parts, parts_length, whole, whole_length)                   \
    ST_CALL(syevd,                                                                               \
            (const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,   \
             size_t, size_t),                                                                    \
            jobz, triangle, &n, copy, &n, w, work, length, whole, whole_length, &info, 1, 1)
#else
#define ST_EIGH_@SUFFIX@(work, length, parts, parts_length, whole, whole_length)                   \
    ST_CALL(syevd,                                                                               \
            (const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,   \
             st_p, st_p, size_t, size_t),                                                        \
            jobz, triangle, &n, copy, &n, w, work, length, parts, parts_length, whole,           \
            whole_length, &info, 1, 1)
#endif

/* The lengths of parts of a workspace, as LAPACK documents them. */
static inline int64_t st_eigh_parts_@SUFFIX@(int64_t n, int64_t vectors) {
    if (@IS_REAL@ || !vectors) return @IS_REAL@ ? 0 : n;
    return st_size_plus(1, st_size_times(n, st_size_plus(5, st_size_times(2, n))));
}

static inline int64_t st_eigh_whole_@SUFFIX@(int64_t n, int64_t vectors) {
    return vectors ? st_size_plus(3, st_size_times(5, n)) : 1;
}

static int64_t st_eigh_bytes_@SUFFIX@(const st_runtime *runtime, const st_eigh *args) {
    int64_t batch = args->batch, n = args->n, lower = args->lower, vectors = args->vectors;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    if (!n || !batch) return 0;
    /* A workspace has up to so many elements. */
    if (!st_lapack_takes(lapack, st_size_times(n, st_size_plus(10, st_size_times(2, n)))))
        return ST_MOST_SIZE;
    const char *const jobz = vectors ? "V" : "N", *const triangle = lower ? "L" : "U";
    int64_t info = 0, ask = -1, count = 1;
    @TYPE@ best = 0, *const copy = &best;
    @REAL@ parts_best = 0, *const w = &parts_best;
    ST_EIGH_@SUFFIX@(&best, &ask, &parts_best, &ask, &count, &ask);
    const int64_t parts = st_part_bytes(st_eigh_parts_@SUFFIX@(n, vectors), sizeof parts_best);
    const int64_t whole = st_part_bytes(st_eigh_whole_@SUFFIX@(n, vectors), sizeof count);
    const int64_t rest = st_part_bytes(st_length_@SUFFIX@(best), sizeof best);
    return st_size_plus(st_size_plus(st_part_bytes(st_square(n), sizeof best), parts),
                        st_size_plus(whole, rest));
}

/* Eigenvalues and, if `vectors`, eigenvectors of Hermitian matrices. One triangle is read. */
static int32_t st_eigh_@SUFFIX@(const st_runtime *runtime, const st_eigh *args, const @TYPE@ *a,
                              @REAL@ *w, @TYPE@ *v, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n, lower = args->lower, vectors = args->vectors;
    enum { FIRST_OF = @FIRST@ };
    if (!n || !batch) return 0;
    ST_BEGIN(batch, 8. * n * n * n);
    const char *const jobz = vectors ? "V" : "N", *const triangle = lower ? "L" : "U";
    ST_ROOM;
    int64_t parts_length = st_eigh_parts_@SUFFIX@(n, vectors);
    int64_t whole_length = st_eigh_whole_@SUFFIX@(n, vectors);
    @TYPE@ *const copy = st_take(&room, n * n, sizeof *copy);
    @REAL@ *const parts = st_take(&room, parts_length, sizeof *parts);
    int64_t *const whole = st_take(&room, whole_length, sizeof *whole);
    @TYPE@ *const work = (@TYPE@ *)room.begin;
    int64_t info = 0, length = st_left(lapack, &room, sizeof *work);
    (void)parts;
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, w += n) {
        info = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                copy[j * n + i] = (lower ? j <= i : j >= i) ? a[i * n + j] : 0;
        const int finite = st_finite_@SUFFIX@(n * n, copy);
        if (finite) ST_EIGH_@SUFFIX@(work, &length, parts, &parts_length, whole, &whole_length);
        if (st_lapack_int(lapack, info)) status = ST_DIVERGED;
        for (int64_t i = 0; !finite && i < n; i++) w[i] = (@REAL@)__builtin_nan("");
        if (!vectors) continue;
        st_transpose_@SUFFIX@(n, n, copy, v);
        if (!finite) st_fill_nan_@SUFFIX@(n * n, v);
        v += n * n;
    }
    st_lapack_end(lapack, held);
    return status;
}

/* section eig */
#if @IS_REAL@
#define ST_GEEV_@SUFFIX@(work, length)                                                             \
    ST_CALL(geev,                                                                                \
            (const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,   \
             st_p, st_p, st_p, size_t, size_t),                                                  \
            "N", vectors ? "V" : "N", &n, copy, &n, w, parts, &one, &one, right, &n, work, length,     \
            &info, 1, 1)
#else
#define ST_GEEV_@SUFFIX@(work, length)                                                             \
    ST_CALL(geev,                                                                                \
            (const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,   \
             st_p, st_p, st_p, size_t, size_t),                                                  \
            "N", vectors ? "V" : "N", &n, copy, &n, w, &one, &one, right, &n, work, length, parts,     \
            &info, 1, 1)
#endif

static int64_t st_eig_bytes_@SUFFIX@(const st_runtime *runtime, const st_eig *args) {
    int64_t batch = args->batch, n = args->n, vectors = args->vectors;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    if (!n || !batch) return 0;
    if (!st_lapack_takes(lapack, n)) return ST_MOST_SIZE;
    int64_t info = 0, ask = -1, one = 1;
    @TYPE@ best = 0, *const copy = &best, *const w = copy, *const right = copy;
    @REAL@ first = 0, *const parts = &first;
    ST_GEEV_@SUFFIX@(&best, &ask);
    const int64_t copies = st_part_bytes(st_size_times(2, st_square(n)), sizeof best);
    const int64_t pairs = st_part_bytes(st_size_times(2, n), sizeof first);
    return st_size_plus(st_size_plus(copies, pairs),
                        st_part_bytes(st_length_@SUFFIX@(best), sizeof best));
}

/* Eigenvalues and, if `vectors`, eigenvectors of any square matrices. Returns ST_NOT_REAL if a real
   matrix has an eigenvalue that is not real. */
static int32_t st_eig_@SUFFIX@(const st_runtime *runtime, const st_eig *args, const @TYPE@ *a,
                             @TYPE@ *w, @TYPE@ *v, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n, vectors = args->vectors;
    enum { FIRST_OF = @FIRST@ };
    if (!n || !batch) return 0;
    ST_BEGIN(batch, 20. * n * n * n);
    ST_ROOM;
    @TYPE@ *const copy = st_take(&room, 2 * n * n, sizeof *copy), *const right = copy + n * n;
    @REAL@ *const parts = st_take(&room, 2 * n, sizeof *parts);
    @TYPE@ *const work = (@TYPE@ *)room.begin;
    int64_t info = 0, one = 1, length = st_left(lapack, &room, sizeof *work);
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, w += n) {
        info = 0;
        const int finite = st_finite_@SUFFIX@(n * n, a);
        st_transpose_@SUFFIX@(n, n, a, copy);
        if (finite) ST_GEEV_@SUFFIX@(work, &length);
        if (!finite || st_lapack_int(lapack, info)) {
            status = finite ? ST_DIVERGED : (int32_t)st_min(number, 0x7ffffff0) + 2;
            break;
        }
        for (int64_t i = 0; @IS_REAL@ && i < n; i++)
            if (parts[i] != 0) status = ST_NOT_REAL;
        if (!vectors) continue;
        st_transpose_@SUFFIX@(n, n, right, v);
        v += n * n;
    }
    st_lapack_end(lapack, held);
    return status;
}
