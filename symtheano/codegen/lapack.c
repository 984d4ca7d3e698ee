/* LAPACK's functions: pointers, for each of s, d, c, z in the order of these numbers. */
typedef struct st_lapack {
    int32_t ilp64;
    void *fn[COUNT];
    /* the library's table of threads, or NULL */
    st_blas *blas;
} st_lapack;

enum {
    NUMBERS
};

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);

/* An integer that LAPACK has written, its upper half perhaps not. */
static inline int64_t st_lapack_int(const st_lapack *lapack, int64_t value) {
    return lapack->ilp64 ? value : (int32_t)value;
}

static inline int64_t st_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t st_max(int64_t a, int64_t b) { return a > b ? a : b; }

/* Room for a number of items, at least one. */
static inline void *st_room(int64_t count, size_t size) {
    return malloc((size_t)st_max(count, 1) * size);
}

/* Multiplications in one matrix below which no library starts threads, and from which on it may. */
#define ST_LAPACK_ALONE 9000.
#define ST_LAPACK_PARALLEL 4000000.

/* The table, for work of so many multiplications in each of a batch's matrices: the work is
   announced to the host, and the library held to one thread unless each matrix is worth several. */
static __attribute__((noinline)) const st_lapack *st_lapack_begin(
    const st_runtime *runtime, int64_t batch, double each, int *held) {
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    st_blas *const blas = lapack->blas;
    const int wide = runtime->threads > 1 && each >= ST_LAPACK_PARALLEL;
    st_announce(runtime, (double)batch * each);
    *held = each >= ST_LAPACK_ALONE && !wide && blas && blas->set_threads;
    if (*held) {
        while (__atomic_exchange_n(&blas->lock, 1, __ATOMIC_ACQUIRE)) {}
        if (blas->alone++ == 0) blas->saved = blas->set_threads(1);
        __atomic_store_n(&blas->lock, 0, __ATOMIC_RELEASE);
    }
    return lapack;
}

static __attribute__((noinline)) void st_lapack_end(const st_lapack *lapack, int held) {
    st_blas *const blas = lapack->blas;
    if (!held) return;
    while (__atomic_exchange_n(&blas->lock, 1, __ATOMIC_ACQUIRE)) {}
    if (--blas->alone == 0) blas->set_threads(blas->saved);
    __atomic_store_n(&blas->lock, 0, __ATOMIC_RELEASE);
}

/* What helpers return beside 0, 1 and numbers of matrices: some eigenvalue is not real; an
   iteration has not converged. */
enum { ST_NOT_REAL = -1, ST_DIVERGED = -2 };

/* What a helper begins with: the table, and whether the library is held. */
#define ST_BEGIN(batch, each)                                                                    \
    int held;                                                                                    \
    const st_lapack *const lapack = st_lapack_begin(runtime, batch, each, &held)

/* Every address is passed as one; lengths of strings stand behind them, as Fortran has it. */
typedef void *st_p;
#define ST_CALL(name, types, ...) ((void (*) types)lapack->fn[FIRST_OF + ST_##name])(__VA_ARGS__)

/* section common */
/* Whether all numbers of a matrix are finite. */
static int st_finite_SUFFIX(int64_t count, const TYPE *x) {
    REAL sum = 0;
    const REAL *part = (const REAL *)x;
    for (int64_t k = 0; k < count * (IS_REAL ? 1 : 2); k++) sum += part[k] * 0;
    return sum == 0;
}

static void st_fill_nan_SUFFIX(int64_t count, TYPE *x) {
    for (int64_t k = 0; k < count; k++) x[k] = (REAL)__builtin_nan("");
}

/* y = x transposed: x has m rows of n. */
static void st_turn_SUFFIX(int64_t m, int64_t n, const TYPE *x, TYPE *y) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) y[j * m + i] = x[i * n + j];
}

static inline TYPE st_conj_SUFFIX(TYPE x) {
#if IS_REAL
    return x;
#else
    return ~x;
#endif
}

/* The absolute value. */
static inline REAL st_size_SUFFIX(TYPE x) {
#if IS_REAL
    return x < 0 ? -x : x;
#else
    return (REAL)__builtin_hypot((double)__real__ x, (double)__imag__ x);
#endif
}

/* The length of a workspace, as LAPACK says it in the first element. */
static inline int64_t st_length_SUFFIX(TYPE x) {
    const REAL length = *(const REAL *)&x;
    return (int64_t)(length * (REAL)1.0001) + 1;
}

/* section cholesky */
/* The factor of each n × n matrix: lower of its lower triangle, or upper of its upper one. With nan
   a matrix that has none becomes NaN. In rows, the lower triangle of A is the upper one of the
   conjugate of A in columns, whose factor is the one wanted. */
static int32_t st_cholesky_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n,
                                  int64_t lower, int64_t nan, const TYPE *a, TYPE *factor) {
    enum { FIRST_OF = FIRST };
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
        finite = st_finite_SUFFIX(n * n, factor);
        if (n && finite)
            ST_CALL(potrf, (const char *, st_p, st_p, st_p, st_p, size_t), triangle, &n, factor,
                    &n, &info, 1);
        if (!finite || st_lapack_int(lapack, info) || !st_finite_SUFFIX(n * n, factor)) {
            if (!nan) {
                status = (int32_t)st_min(number, 0x7ffffff0) + 2;
                break;
            }
            st_fill_nan_SUFFIX(n * n, factor);
        }
    }
    st_lapack_end(lapack, held);
    return status;
}

/* section inverse */
/* The inverse of each n × n matrix. In columns the matrix is transposed, and so is its inverse. */
static int32_t st_inverse_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n, const TYPE *a,
                                 TYPE *inverse) {
    enum { FIRST_OF = FIRST };
    if (!n || !batch) return 0;
    ST_BEGIN(batch, 2. * n * n * n);
    int64_t info = 0, ask = -1;
    TYPE best = 0;
    ST_CALL(getri, (st_p, st_p, st_p, st_p, st_p, st_p, st_p), &n, inverse, &n, &info, &best, &ask,
            &info);
    int64_t length = st_max(st_length_SUFFIX(best), n);
    int64_t *const pivots = st_room(n, sizeof *pivots);
    TYPE *const work = st_room(length, sizeof *work);
    int32_t status = pivots && work ? 0 : 1;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, inverse += n * n) {
        info = 0;
        if (!st_finite_SUFFIX(n * n, a)) {
            st_fill_nan_SUFFIX(n * n, inverse);
            continue;
        }
        memcpy(inverse, a, (size_t)(n * n) * sizeof *a);
        ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &n, &n, inverse, &n, pivots, &info);
        if (!st_lapack_int(lapack, info))
            ST_CALL(getri, (st_p, st_p, st_p, st_p, st_p, st_p, st_p), &n, inverse, &n, pivots,
                    work, &length, &info);
        if (st_lapack_int(lapack, info)) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
    }
    free(pivots);
    free(work);
    st_lapack_end(lapack, held);
    return status;
}

/* section slogdet */
/* Sign and logarithm of the absolute value of the determinant of each n × n matrix. */
static int32_t st_slogdet_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n, const TYPE *a,
                                 TYPE *sign, REAL *logarithm) {
    enum { FIRST_OF = FIRST };
    ST_BEGIN(batch, (double)n * n * n);
    int64_t *const pivots = st_room(n, sizeof *pivots);
    TYPE *const lu = st_room(n * n, sizeof *lu);
    const int32_t status = pivots && lu ? 0 : 1;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n) {
        int64_t info = 0;
        memcpy(lu, a, (size_t)(n * n) * sizeof *a);
        if (n)
            ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &n, &n, lu, &n, pivots, &info);
        TYPE turn = 1;
        REAL sum = 0;
        for (int64_t k = 0; k < n; k++) {
            const int64_t pivot = lapack->ilp64 ? pivots[k] : ((const int32_t *)pivots)[k];
            const TYPE d = lu[k * n + k];
            const REAL size = st_size_SUFFIX(d);
            turn *= size == 0 ? 0 : d / size;
            if (pivot != k + 1) turn = -turn;
            sum += (REAL)__builtin_log((double)size);
        }
        int nan = 0;
        for (int64_t k = 0; k < n * n; k++) nan |= a[k] != a[k];
        if (nan) turn = sum = (REAL)__builtin_nan("");
        sign[number] = turn;
        logarithm[number] = sum;
    }
    free(pivots);
    free(lu);
    st_lapack_end(lapack, held);
    return status;
}

/* section det */
/* Multiply by a power of two. */
static TYPE st_shift_SUFFIX(TYPE x, int64_t exponent) {
    REAL *const part = (REAL *)&x;
    const int power = (int)st_max(st_min(exponent, 8000), -8000);
    for (int k = 0; k < (IS_REAL ? 1 : 2); k++)
        part[k] = (REAL)__builtin_ldexp((double)part[k], power);
    return x;
}

/* A number near 1 in size, and what it is to be shifted by: products of many would leave the range
   of numbers on the way to a result inside it. */
static TYPE st_near_one_SUFFIX(TYPE x, int64_t *exponent) {
    const REAL *const part = (const REAL *)&x;
    double size = 0;
    int power = 0;
    for (int k = 0; k < (IS_REAL ? 1 : 2); k++) {
        const double here = part[k] < 0 ? -(double)part[k] : (double)part[k];
        if (!(here <= __DBL_MAX__)) return x;
        if (here > size) size = here;
    }
    (void)__builtin_frexp(size, &power);
    *exponent += power;
    return st_shift_SUFFIX(x, -(int64_t)power);
}

/* The determinant of each n × n matrix. */
static int32_t st_det_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n, const TYPE *a,
                             TYPE *det) {
    enum { FIRST_OF = FIRST };
    ST_BEGIN(batch, (double)n * n * n);
    int64_t *const pivots = st_room(n, sizeof *pivots);
    TYPE *const lu = st_room(n * n, sizeof *lu);
    const int32_t status = pivots && lu ? 0 : 1;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n) {
        int64_t info = 0;
        memcpy(lu, a, (size_t)(n * n) * sizeof *a);
        if (n)
            ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &n, &n, lu, &n, pivots, &info);
        TYPE product = 1;
        int64_t exponent = 0;
        int nan = 0;
        for (int64_t k = 0; k < n; k++) {
            const int64_t pivot = lapack->ilp64 ? pivots[k] : ((const int32_t *)pivots)[k];
            const TYPE d = st_near_one_SUFFIX(lu[k * n + k], &exponent);
            product = st_near_one_SUFFIX(product * (pivot == k + 1 ? d : -d), &exponent);
        }
        for (int64_t k = 0; k < n * n; k++) nan |= a[k] != a[k];
        det[number] = nan ? (REAL)__builtin_nan("") : st_shift_SUFFIX(product, exponent);
    }
    free(pivots);
    free(lu);
    st_lapack_end(lapack, held);
    return status;
}

/* section solve */
/* x with a x = b for each n × n matrix a and n × k matrix b. */
static int32_t st_solve_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n, int64_t k,
                               const TYPE *a, const TYPE *b, TYPE *x) {
    enum { FIRST_OF = FIRST };
    if (!n || !k || !batch) return 0;
    ST_BEGIN(batch, (double)n * n * (n + 2 * k));
    int64_t *const pivots = st_room(n, sizeof *pivots);
    TYPE *const lu = st_room(n * n + n * k, sizeof *lu), *const turned = lu + n * n;
    int32_t status = pivots && lu ? 0 : 1;
    for (int64_t number = 0; !status && number < batch;
         number++, a += n * n, b += n * k, x += n * k) {
        int64_t info = 0;
        if (!st_finite_SUFFIX(n * n, a)) {
            st_fill_nan_SUFFIX(n * k, x);
            continue;
        }
        memcpy(lu, a, (size_t)(n * n) * sizeof *a);
        st_turn_SUFFIX(n, k, b, turned);
        ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &n, &n, lu, &n, pivots, &info);
        if (st_lapack_int(lapack, info)) {
            status = (int32_t)st_min(number, 0x7ffffff0) + 2;
            break;
        }
        ST_CALL(getrs, (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, size_t), "T",
                &n, &k, lu, &n, pivots, turned, &n, &info, 1);
        st_turn_SUFFIX(k, n, turned, x);
    }
    free(pivots);
    free(lu);
    st_lapack_end(lapack, held);
    return status;
}

/* section solve_triangular */
/* x with a x = b, where one triangle of a is read, its diagonal perhaps not. A zero in place p of
   matrix k's diagonal is told as k n + p + 2. */
static int64_t st_solve_triangular_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n,
                                          int64_t k, int64_t lower, int64_t unit, const TYPE *a,
                                          const TYPE *b, TYPE *x) {
    enum { FIRST_OF = FIRST };
    if (!n || !k || !batch) return 0;
    ST_BEGIN(batch, (double)n * n * k);
    TYPE *const turned = st_room(n * k, sizeof *turned);
    int64_t status = turned ? 0 : 1;
    for (int64_t number = 0; !status && number < batch;
         number++, a += n * n, b += n * k, x += n * k) {
        int64_t info = 0;
        st_turn_SUFFIX(n, k, b, turned);
        ST_CALL(trtrs,
                (const char *, const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p,
                 size_t, size_t, size_t),
                lower ? "U" : "L", "T", unit ? "U" : "N", &n, &k, (st_p)a, &n, turned, &n, &info, 1,
                1, 1);
        if (st_lapack_int(lapack, info))
            status = number * n + st_max(st_lapack_int(lapack, info), 1) + 1;
        st_turn_SUFFIX(k, n, turned, x);
    }
    free(turned);
    st_lapack_end(lapack, held);
    return status;
}

/* section solve_symmetric */
/* x with a x = b, where one triangle of a is read and the other one is its mirror image. */
static int32_t st_solve_symmetric_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n,
                                         int64_t k, int64_t lower, const TYPE *a, const TYPE *b,
                                         TYPE *x) {
    enum { FIRST_OF = FIRST };
    if (!n || !k || !batch) return 0;
    ST_BEGIN(batch, (double)n * n * (n + 2 * k));
    const char *const triangle = lower ? "U" : "L";
    int64_t info = 0, ask = -1;
    TYPE best = 0;
    ST_CALL(sysv,
            (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, size_t),
            triangle, &n, &k, x, &n, &info, x, &n, &best, &ask, &info, 1);
    int64_t length = st_length_SUFFIX(best);
    int64_t *const pivots = st_room(n, sizeof *pivots);
    TYPE *const copy = st_room(n * n + n * k + length, sizeof *copy);
    TYPE *const turned = copy + n * n, *const work = turned + n * k;
    int32_t status = pivots && copy ? 0 : 1;
    for (int64_t number = 0; !status && number < batch;
         number++, a += n * n, b += n * k, x += n * k) {
        info = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                copy[i * n + j] = (lower ? j <= i : j >= i) ? a[i * n + j] : 0;
        if (!st_finite_SUFFIX(n * n, copy)) {
            st_fill_nan_SUFFIX(n * k, x);
            continue;
        }
        st_turn_SUFFIX(n, k, b, turned);
        ST_CALL(sysv,
                (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, size_t),
                triangle, &n, &k, copy, &n, pivots, turned, &n, work, &length, &info, 1);
        if (st_lapack_int(lapack, info)) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
        st_turn_SUFFIX(k, n, turned, x);
    }
    free(pivots);
    free(copy);
    st_lapack_end(lapack, held);
    return status;
}

/* section svd */
/* Each m × n matrix as u diag(s) vh. job is 0: s alone; 1: thin u and vh; 2: square ones. */
static int32_t st_svd_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t m, int64_t n,
                             int64_t job, const TYPE *a, TYPE *u, REAL *s, TYPE *vh) {
    enum { FIRST_OF = FIRST };
    const int64_t k = st_min(m, n);
    /* Columns of u, and rows of vh. */
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
        st_turn_SUFFIX(m, n, a, copy);
        const int finite = st_finite_SUFFIX(m * n, a);
        if (finite) ST_GESDD(work, &length);
        if (st_lapack_int(lapack, info)) status = ST_DIVERGED;
        if (!finite) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
        if (status) break;
        st_turn_SUFFIX(columns, m, left, u);
        st_turn_SUFFIX(n, rows, right, vh);
    }
#undef ST_GESDD
    free(parts);
    free(pivots);
    free(copy);
    free(work);
    st_lapack_end(lapack, held);
    return status;
}

/* section qr */
/* Each m × n matrix as q r, with width columns of q and rows of r: min(m, n), or m. q may be 0. */
static int32_t st_qr_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t m, int64_t n,
                            int64_t width, const TYPE *a, TYPE *q, TYPE *r) {
    enum { FIRST_OF = FIRST };
    int64_t k = st_min(m, n), info = 0, ask = -1;
    if (!k) {
        for (int64_t i = 0; q && i < batch * m * width; i++)
            q[i] = i % (m * width) % (width + 1) == 0;
        for (int64_t i = 0; i < batch * width * n; i++) r[i] = 0;
        return 0;
    }
    ST_BEGIN(batch, 4. * m * n * k);
    TYPE best[2] = {0, 0};
    TYPE *const tau = st_room(k, sizeof *tau);
    /* Room for the matrix, and for further columns of q. */
    TYPE *const turned = st_room(m * st_max(n, width), sizeof *turned), *work = 0;
    int64_t length = 0;
    if (tau && turned) {
        ST_CALL(geqrf, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, turned, &m, tau,
                best, &ask, &info);
        ST_CALL(orgqr, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &width, &k,
                turned, &m, tau, best + 1, &ask, &info);
        length = st_max(st_length_SUFFIX(best[0]), st_length_SUFFIX(best[1]));
        work = st_room(length, sizeof *work);
    }
    const int32_t status = work ? 0 : 1;
    for (int64_t number = 0; !status && number < batch; number++, a += m * n) {
        const int finite = st_finite_SUFFIX(m * n, a);
        st_turn_SUFFIX(m, n, a, turned);
        if (finite)
            ST_CALL(geqrf, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &n, turned, &m,
                    tau, work, &length, &info);
        for (int64_t i = 0; i < width; i++)
            for (int64_t j = 0; j < n; j++) r[i * n + j] = j >= i && i < m ? turned[j * m + i] : 0;
        if (!finite) st_fill_nan_SUFFIX(width * n, r);
        r += width * n;
        if (!q) continue;
        if (finite)
            ST_CALL(orgqr, (st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p), &m, &width, &k,
                    turned, &m, tau, work, &length, &info);
        st_turn_SUFFIX(width, m, turned, q);
        if (!finite) st_fill_nan_SUFFIX(m * width, q);
        q += m * width;
    }
    free(tau);
    free(turned);
    free(work);
    st_lapack_end(lapack, held);
    return status;
}

/* section eigh */
/* Eigenvalues and vectors (v may be 0) of Hermitian matrices, of which one triangle is read. */
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
        st_turn_SUFFIX(n, n, copy, v);
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
/* Eigenvalues and vectors (v may be 0) of any matrices. Real ones must have real eigenvalues:
   ST_NOT_REAL is returned otherwise. */
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
        st_turn_SUFFIX(n, n, a, copy);
        if (finite) ST_GEEV(work, &length);
        if (!finite || st_lapack_int(lapack, info)) {
            status = finite ? ST_DIVERGED : (int32_t)st_min(number, 0x7ffffff0) + 2;
            break;
        }
        for (int64_t i = 0; IS_REAL && i < n; i++)
            if (parts[i] != 0) status = ST_NOT_REAL;
        if (!v) continue;
        st_turn_SUFFIX(n, n, right, v);
        v += n * n;
    }
#undef ST_GEEV
    free(copy);
    free(parts);
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
        st_turn_SUFFIX(m, n, a, copy);
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
/* The Moore-Penrose inverse of each m × n matrix: singular values (of Hermitian matrices, sizes of
   eigenvalues) up to rcond times the largest are taken for zero. */
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

/* section cofactors */
/* The largest sum of absolute values of a column. */
static REAL st_norm_SUFFIX(int64_t n, const TYPE *a) {
    REAL largest = 0;
    for (int64_t j = 0; j < n; j++) {
        REAL sum = 0;
        for (int64_t i = 0; i < n; i++) sum += st_size_SUFFIX(a[i * n + j]);
        if (!(sum <= largest)) largest = sum;
    }
    return largest;
}

/* The cofactors of each n × n matrix: by its inverse, or by its singular values where that would
   be inexact. */
static int32_t st_cofactors_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n,
                                   const TYPE *a, TYPE *cofactors) {
    if (!n || !batch) return 0;
    st_announce(runtime, 3. * batch * n * n * n);
    const REAL bound = sizeof(REAL) == 4 ? (REAL)3.4526698e-4 : (REAL)1.4901161193847656e-8;
    TYPE *const u = st_room(2 * n * n, sizeof *u), *const vh = u + n * n;
    REAL *const s = st_room(n, sizeof *s);
    int32_t status = u && s ? 0 : 1;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, cofactors += n * n) {
        TYPE det = 0, turn = 0;
        if (!st_finite_SUFFIX(n * n, a)) {
            st_fill_nan_SUFFIX(n * n, cofactors);
            continue;
        }
        status = st_inverse_SUFFIX(runtime, 1, n, a, u);
        if (status == 1) break;
        if (!status && 1 / (st_norm_SUFFIX(n, a) * st_norm_SUFFIX(n, u)) > bound) {
            status = st_det_SUFFIX(runtime, 1, n, a, &det);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) cofactors[i * n + j] = det * u[j * n + i];
            continue;
        }
        status = st_svd_SUFFIX(runtime, 1, n, n, 2, a, u, s, vh);
        if (!status) status = st_det_SUFFIX(runtime, 1, n, u, &det);
        if (!status) status = st_det_SUFFIX(runtime, 1, n, vh, &turn);
        if (status) break;
        for (int64_t k = 0; k < n; k++) {
            TYPE others = det * turn;
            for (int64_t l = 0; l < n; l++)
                if (l != k) others *= s[l];
            for (int64_t i = 0; i < n; i++) u[i * n + k] = st_conj_SUFFIX(u[i * n + k]) * others;
        }
        for (int64_t i = 0; i < n; i++) {
            for (int64_t j = 0; j < n; j++) cofactors[i * n + j] = 0;
            for (int64_t k = 0; k < n; k++)
                for (int64_t j = 0; j < n; j++)
                    cofactors[i * n + j] += u[i * n + k] * st_conj_SUFFIX(vh[k * n + j]);
        }
    }
    free(u);
    free(s);
    return status;
}

/* section lu */
/* Each m × n matrix as p l u: a permutation, and triangles with the smaller side inside. */
static int32_t st_lu_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t m, int64_t n,
                            const TYPE *a, REAL *p, TYPE *l, TYPE *u) {
    enum { FIRST_OF = FIRST };
    const int64_t k = st_min(m, n);
    ST_BEGIN(batch, (double)m * n * k);
    TYPE *const turned = st_room(m * n, sizeof *turned);
    int64_t *const pivots = st_room(k + m, sizeof *pivots), *const order = pivots + k;
    const int32_t status = turned && pivots ? 0 : 1;
    for (int64_t number = 0; !status && number < batch;
         number++, a += m * n, p += m * m, l += m * k, u += k * n) {
        int64_t info = 0;
        const int finite = st_finite_SUFFIX(m * n, a);
        for (int64_t i = 0; i < m; i++) order[i] = i;
        st_turn_SUFFIX(m, n, a, turned);
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
        st_fill_nan_SUFFIX(m * k, l);
        st_fill_nan_SUFFIX(k * n, u);
    }
    free(turned);
    free(pivots);
    st_lapack_end(lapack, held);
    return status;
}
