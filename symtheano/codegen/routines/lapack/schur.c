/* section schur */
/* Whether an eigenvalue is among the first, as LAPACK asks for each: in the left half plane, the
   right one, the unit circle with its boundary, or outside of it. */
#if @IS_REAL@
#define ST_SCHUR_VALUE_@SUFFIX@ const @REAL@ *real, const @REAL@ *imaginary
#define ST_SCHUR_REAL_@SUFFIX@ *real
#define ST_SCHUR_SIZE_@SUFFIX@ __builtin_hypot((double)*real, (double)*imaginary)
#define ST_SCHUR_UNUSED_@SUFFIX@ (void)imaginary
#else
#define ST_SCHUR_VALUE_@SUFFIX@ const @TYPE@ *value
#define ST_SCHUR_REAL_@SUFFIX@ __real__ *value
#define ST_SCHUR_SIZE_@SUFFIX@ (double)st_size_@SUFFIX@(*value)
#define ST_SCHUR_UNUSED_@SUFFIX@ (void)value
#endif
static int64_t st_schur_left_@SUFFIX@(ST_SCHUR_VALUE_@SUFFIX@) {
    ST_SCHUR_UNUSED_@SUFFIX@;
    return ST_SCHUR_REAL_@SUFFIX@ < 0;
}
static int64_t st_schur_right_@SUFFIX@(ST_SCHUR_VALUE_@SUFFIX@) {
    ST_SCHUR_UNUSED_@SUFFIX@;
    return ST_SCHUR_REAL_@SUFFIX@ >= 0;
}
static int64_t st_schur_inside_@SUFFIX@(ST_SCHUR_VALUE_@SUFFIX@) {
    return ST_SCHUR_SIZE_@SUFFIX@ <= 1;
}
static int64_t st_schur_outside_@SUFFIX@(ST_SCHUR_VALUE_@SUFFIX@) {
    return ST_SCHUR_SIZE_@SUFFIX@ > 1;
}

typedef int64_t (*st_schur_select_@SUFFIX@)(ST_SCHUR_VALUE_@SUFFIX@);

#if @IS_REAL@
#define ST_GEES_@SUFFIX@(a, w, parts, vectors, work, length, flags)                                \
    ST_CALL(gees,                                                                                \
            (const char *, const char *, st_schur_select_@SUFFIX@, st_p, st_p, st_p, st_p, st_p,   \
             st_p, st_p, st_p, st_p, st_p, st_p, st_p, size_t, size_t),                          \
            "V", sort ? "S" : "N", select, &n, a, &n, &first, w, parts, vectors, &n, work, length, \
            flags, &info, 1, 1)
#else
#define ST_GEES_@SUFFIX@(a, w, parts, vectors, work, length, flags)                                \
    ST_CALL(gees,                                                                                \
            (const char *, const char *, st_schur_select_@SUFFIX@, st_p, st_p, st_p, st_p, st_p,   \
             st_p, st_p, st_p, st_p, st_p, st_p, st_p, size_t, size_t),                          \
            "V", sort ? "S" : "N", select, &n, a, &n, &first, w, vectors, &n, work, length,       \
            parts, flags, &info, 1, 1)
#endif

static int64_t st_schur_bytes_@SUFFIX@(const st_runtime *runtime, const st_schur *args) {
    int64_t batch = args->batch, n = args->n, sort = args->sort;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    if (!n || !batch) return 0;
    if (!st_lapack_takes(lapack, n)) return ST_MOST_SIZE;
    int64_t info = 0, ask = -1, first = 0;
    @TYPE@ best = 0;
    const st_schur_select_@SUFFIX@ select = st_schur_left_@SUFFIX@;
    ST_GEES_@SUFFIX@(&best, &best, &best, &best, &best, &ask, &info);
    const int64_t matrices = st_part_bytes(st_size_times(2, st_square(n)), sizeof best);
    const int64_t values = st_part_bytes(st_size_times(2, n), sizeof best);
    const int64_t rest = st_part_bytes(st_length_@SUFFIX@(best), sizeof best);
    return st_size_plus(st_size_plus(matrices, values),
                        st_size_plus(st_part_bytes(n, sizeof info), rest));
}

/* Each square matrix as z t z^H: t is upper triangular, or has blocks of two rows on its diagonal if
   it is real, and z is unitary. `sort` tells which eigenvalues come first: none if it is 0, or the
   number of one of the functions above. If `nan`, a matrix whose eigenvalues were not found, or not
   sorted, has results of NaN. */
static int32_t st_schur_@SUFFIX@(const st_runtime *runtime, const st_schur *args, const @TYPE@ *a,
                               @TYPE@ *t, @TYPE@ *z, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n, sort = args->sort, nan = args->nan;
    enum { FIRST_OF = @FIRST@ };
    const st_schur_select_@SUFFIX@ selects[4] = {st_schur_left_@SUFFIX@, st_schur_right_@SUFFIX@,
                                               st_schur_inside_@SUFFIX@,
                                               st_schur_outside_@SUFFIX@};
    const st_schur_select_@SUFFIX@ select = selects[sort ? sort - 1 : 0];
    if (!n || !batch) return 0;
    ST_BEGIN(batch, 25. * n * n * n);
    ST_ROOM;
    @TYPE@ *const copy = st_take(&room, 2 * n * n, sizeof *copy), *const vectors = copy + n * n;
    @TYPE@ *const w = st_take(&room, 2 * n, sizeof *w);
    int64_t *const flags = st_take(&room, n, sizeof *flags);
    @TYPE@ *const work = (@TYPE@ *)room.begin;
    int64_t info = 0, first = 0, length = st_left(lapack, &room, sizeof *work);
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch;
         number++, a += n * n, t += n * n, z += n * n) {
        info = 0;
        int good = st_finite_@SUFFIX@(n * n, a);
        st_transpose_@SUFFIX@(n, n, a, copy);
        if (good) ST_GEES_@SUFFIX@(copy, w, w + n, vectors, work, &length, flags);
        if (good && st_lapack_int(lapack, info)) {
            if (!nan) status = ST_DIVERGED;
            good = 0;
        }
        st_transpose_@SUFFIX@(n, n, copy, t);
        st_transpose_@SUFFIX@(n, n, vectors, z);
        if (good) continue;
        st_fill_nan_@SUFFIX@(n * n, t);
        st_fill_nan_@SUFFIX@(n * n, z);
    }
    st_lapack_end(lapack, held);
    return status;
}

/* section qz */
/* Whether an eigenvalue, a quotient, is among the first: in the left half plane, the right one, the
   unit circle, or outside of it, as infinity is. */
#if @IS_REAL@
#define ST_QZ_VALUE_@SUFFIX@ const @REAL@ *real, const @REAL@ *imaginary, const @REAL@ *beta
#define ST_QZ_REAL_@SUFFIX@ (*real / *beta)
#define ST_QZ_SIZE_@SUFFIX@ __builtin_hypot((double)*real, (double)*imaginary)
#define ST_QZ_BETA_@SUFFIX@ (double)(*beta < 0 ? -*beta : *beta)
#define ST_QZ_UNUSED_@SUFFIX@ (void)imaginary
#else
#define ST_QZ_VALUE_@SUFFIX@ const @TYPE@ *alpha, const @TYPE@ *beta
#define ST_QZ_REAL_@SUFFIX@ __real__(*alpha / *beta)
#define ST_QZ_SIZE_@SUFFIX@ (double)st_size_@SUFFIX@(*alpha)
#define ST_QZ_BETA_@SUFFIX@ (double)st_size_@SUFFIX@(*beta)
#define ST_QZ_UNUSED_@SUFFIX@ (void)alpha
#endif
static int64_t st_qz_left_@SUFFIX@(ST_QZ_VALUE_@SUFFIX@) {
    ST_QZ_UNUSED_@SUFFIX@;
    return ST_QZ_BETA_@SUFFIX@ != 0 && ST_QZ_REAL_@SUFFIX@ < 0;
}
static int64_t st_qz_right_@SUFFIX@(ST_QZ_VALUE_@SUFFIX@) {
    ST_QZ_UNUSED_@SUFFIX@;
    return ST_QZ_BETA_@SUFFIX@ != 0 && ST_QZ_REAL_@SUFFIX@ > 0;
}
static int64_t st_qz_inside_@SUFFIX@(ST_QZ_VALUE_@SUFFIX@) {
    return ST_QZ_SIZE_@SUFFIX@ < ST_QZ_BETA_@SUFFIX@;
}
static int64_t st_qz_outside_@SUFFIX@(ST_QZ_VALUE_@SUFFIX@) {
    return ST_QZ_SIZE_@SUFFIX@ > ST_QZ_BETA_@SUFFIX@;
}

typedef int64_t (*st_qz_select_@SUFFIX@)(ST_QZ_VALUE_@SUFFIX@);

#if @IS_REAL@
#define ST_GGES_@SUFFIX@(a, b, alpha, parts, more, beta, left, right, work, length, flags)         \
    ST_CALL(gges,                                                                                \
            (const char *, const char *, const char *, st_qz_select_@SUFFIX@, st_p, st_p, st_p,    \
             st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, \
             size_t, size_t, size_t),                                                            \
            "V", "V", sort ? "S" : "N", select, &n, a, &n, b, &n, &first, parts, more, beta,    \
            left, &n, right, &n, work, length, flags, &info, 1, 1, 1)
#else
#define ST_GGES_@SUFFIX@(a, b, alpha, parts, more, beta, left, right, work, length, flags)         \
    ST_CALL(gges,                                                                                \
            (const char *, const char *, const char *, st_qz_select_@SUFFIX@, st_p, st_p, st_p,    \
             st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, \
             size_t, size_t, size_t),                                                            \
            "V", "V", sort ? "S" : "N", select, &n, a, &n, b, &n, &first, alpha, beta, left, &n,  \
            right, &n, work, length, parts, flags, &info, 1, 1, 1)
#endif

static int64_t st_qz_bytes_@SUFFIX@(const st_runtime *runtime, const st_qz *args) {
    int64_t batch = args->batch, n = args->n, sort = args->sort;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    if (!n || !batch) return 0;
    if (!st_lapack_takes(lapack, n)) return ST_MOST_SIZE;
    int64_t info = 0, ask = -1, first = 0;
    @TYPE@ best = 0;
    @REAL@ part = 0;
    const st_qz_select_@SUFFIX@ select = st_qz_left_@SUFFIX@;
    ST_GGES_@SUFFIX@(&best, &best, &best, &part, &part, &best, &best, &best, &best, &ask, &info);
    const int64_t matrices = st_part_bytes(st_size_times(4, st_square(n)), sizeof best);
    const int64_t values = st_part_bytes(st_size_times(8, n), sizeof part);
    const int64_t rest = st_part_bytes(st_length_@SUFFIX@(best), sizeof best);
    return st_size_plus(st_size_plus(matrices, values),
                        st_size_plus(st_part_bytes(n, sizeof info), rest));
}

/* Each pair of square matrices as q s z^H and q t z^H: q and z are unitary, t is upper triangular,
   and s is, too, or has blocks of two rows on its diagonal if it is real. The eigenvalues are
   quotients: of `parts`, their real and imaginary parts if the matrices are real, or of `alpha`, and
   beta. `sort` and `nan` are those of `schur`. */
static int32_t st_qz_@SUFFIX@(const st_runtime *runtime, const st_qz *args, const @TYPE@ *a,
                            const @TYPE@ *b, @TYPE@ *s, @TYPE@ *t, @TYPE@ *alpha, @TYPE@ *beta,
                            @TYPE@ *q, @TYPE@ *z, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n, sort = args->sort, nan = args->nan;
    enum { FIRST_OF = @FIRST@ };
    const st_qz_select_@SUFFIX@ selects[4] = {st_qz_left_@SUFFIX@, st_qz_right_@SUFFIX@,
                                            st_qz_inside_@SUFFIX@, st_qz_outside_@SUFFIX@};
    const st_qz_select_@SUFFIX@ select = selects[sort ? sort - 1 : 0];
    const int64_t width = @IS_REAL@ ? 2 * n : n;
    if (!n || !batch) return 0;
    ST_BEGIN(batch, 66. * n * n * n);
    ST_ROOM;
    @TYPE@ *const first_copy = st_take(&room, 4 * n * n, sizeof *first_copy);
    @TYPE@ *const second_copy = first_copy + n * n, *const left = second_copy + n * n;
    @TYPE@ *const right = left + n * n;
    @REAL@ *const parts = st_take(&room, 8 * n, sizeof *parts);
    int64_t *const flags = st_take(&room, n, sizeof *flags);
    @TYPE@ *const work = (@TYPE@ *)room.begin;
    int64_t info = 0, first = 0, length = st_left(lapack, &room, sizeof *work);
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, b += n * n) {
        info = 0;
        int good = st_finite_@SUFFIX@(n * n, a) && st_finite_@SUFFIX@(n * n, b);
        st_transpose_@SUFFIX@(n, n, a, first_copy);
        st_transpose_@SUFFIX@(n, n, b, second_copy);
        if (good) {
            ST_GGES_@SUFFIX@(first_copy, second_copy, alpha, parts, parts + n, beta, left, right, work,
                           &length, flags);
            info = st_lapack_int(lapack, info);
            /* After sorting, rounding may have moved an eigenvalue over the boundary: n + 2. */
            if (info && info != n + 2) {
                if (!nan) status = ST_DIVERGED;
                good = 0;
            }
        }
#if @IS_REAL@
        if (good) memcpy(alpha, parts, (size_t)width * sizeof *alpha);
#endif
        st_transpose_@SUFFIX@(n, n, first_copy, s);
        st_transpose_@SUFFIX@(n, n, second_copy, t);
        st_transpose_@SUFFIX@(n, n, left, q);
        st_transpose_@SUFFIX@(n, n, right, z);
        if (!good) {
            st_fill_nan_@SUFFIX@(n * n, s);
            st_fill_nan_@SUFFIX@(n * n, t);
            st_fill_nan_@SUFFIX@(width, alpha);
            st_fill_nan_@SUFFIX@(n, beta);
            st_fill_nan_@SUFFIX@(n * n, q);
            st_fill_nan_@SUFFIX@(n * n, z);
        }
        s += n * n, t += n * n, alpha += width, beta += n, q += n * n, z += n * n;
    }
    st_lapack_end(lapack, held);
    return status;
}
