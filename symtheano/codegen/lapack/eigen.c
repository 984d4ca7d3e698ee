/* section eigh */
/* Eigenvalues and eigenvectors (v may be 0) of Hermitian matrices. One triangle is read. */
static int32_t st_eigh_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n, int64_t lower,
                              const TYPE *a, REAL *w, TYPE *v) {
    enum { FIRST_OF = FIRST };
    if (!n || !batch) return 0;
    ST_BEGIN(batch, 8. * n * n * n);
    const char *const jobz = v ? "V" : "N", *const triangle = lower ? "L" : "U";
    int64_t info = 0, ask = -1, count = 1;
    TYPE best = 0;
    REAL parts_best = 0;
    TYPE *const copy = st_room(n * n, sizeof *copy);
#if IS_REAL
#define ST_EIGH(work, length, parts, parts_length, whole, whole_length)                          \
    ST_CALL(syevd,                                                                               \
            (const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,   \
             size_t, size_t),                                                                    \
            jobz, triangle, &n, copy, &n, w, work, length, whole, whole_length, &info, 1, 1)
#else
#define ST_EIGH(work, length, parts, parts_length, whole, whole_length)                          \
    ST_CALL(syevd,                                                                               \
            (const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,   \
             st_p, st_p, size_t, size_t),                                                        \
            jobz, triangle, &n, copy, &n, w, work, length, parts, parts_length, whole,           \
            whole_length, &info, 1, 1)
#endif
    TYPE *work = 0;
    REAL *parts = 0;
    int64_t *whole = 0, length = 0, parts_length = 0, whole_length = 0;
    if (copy) {
        ST_EIGH(&best, &ask, &parts_best, &ask, &count, &ask);
        length = st_length_SUFFIX(best);
        parts_length = (int64_t)parts_best + 1;
        whole_length = st_lapack_int(lapack, count);
        work = st_room(length, sizeof *work);
        parts = st_room(parts_length, sizeof *parts);
        whole = st_room(whole_length, sizeof *whole);
    }
    int32_t status = work && parts && whole ? 0 : 1;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, w += n) {
        info = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                copy[j * n + i] = (lower ? j <= i : j >= i) ? a[i * n + j] : 0;
        const int finite = st_finite_SUFFIX(n * n, copy);
        if (finite) ST_EIGH(work, &length, parts, &parts_length, whole, &whole_length);
        if (st_lapack_int(lapack, info)) status = ST_DIVERGED;
        for (int64_t i = 0; !finite && i < n; i++) w[i] = (REAL)__builtin_nan("");
        if (!v) continue;
        st_transpose_SUFFIX(n, n, copy, v);
        if (!finite) st_fill_nan_SUFFIX(n * n, v);
        v += n * n;
    }
#undef ST_EIGH
    free(copy);
    free(work);
    free(parts);
    free(whole);
    st_lapack_end(lapack, held);
    return status;
}

/* section eig */
/* Eigenvalues and eigenvectors (v may be 0) of any square matrices. Returns ST_NOT_REAL if a real
   matrix has an eigenvalue that is not real. */
static int32_t st_eig_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n, const TYPE *a,
                             TYPE *w, TYPE *v) {
    enum { FIRST_OF = FIRST };
    if (!n || !batch) return 0;
    ST_BEGIN(batch, 20. * n * n * n);
    int64_t info = 0, ask = -1, one = 1;
    TYPE best = 0;
    TYPE *const copy = st_room(2 * n * n, sizeof *copy), *const right = copy + n * n;
    REAL *const parts = st_room(2 * n, sizeof *parts);
#if IS_REAL
#define ST_GEEV(work, length)                                                                    \
    ST_CALL(geev,                                                                                \
            (const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,   \
             st_p, st_p, st_p, size_t, size_t),                                                  \
            "N", v ? "V" : "N", &n, copy, &n, w, parts, &one, &one, right, &n, work, length,     \
            &info, 1, 1)
#else
#define ST_GEEV(work, length)                                                                    \
    ST_CALL(geev,                                                                                \
            (const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p,   \
             st_p, st_p, st_p, size_t, size_t),                                                  \
            "N", v ? "V" : "N", &n, copy, &n, w, &one, &one, right, &n, work, length, parts,     \
            &info, 1, 1)
#endif
    TYPE *work = 0;
    int64_t length = 0;
    if (copy && parts) {
        ST_GEEV(&best, &ask);
        length = st_length_SUFFIX(best);
        work = st_room(length, sizeof *work);
    }
    int32_t status = work ? 0 : 1;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, w += n) {
        info = 0;
        const int finite = st_finite_SUFFIX(n * n, a);
        st_transpose_SUFFIX(n, n, a, copy);
        if (finite) ST_GEEV(work, &length);
        if (!finite || st_lapack_int(lapack, info)) {
            status = finite ? ST_DIVERGED : (int32_t)st_min(number, 0x7ffffff0) + 2;
            break;
        }
        for (int64_t i = 0; IS_REAL && i < n; i++)
            if (parts[i] != 0) status = ST_NOT_REAL;
        if (!v) continue;
        st_transpose_SUFFIX(n, n, right, v);
        v += n * n;
    }
#undef ST_GEEV
    free(copy);
    free(parts);
    free(work);
    st_lapack_end(lapack, held);
    return status;
}
