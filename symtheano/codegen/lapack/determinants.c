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
        int nan = 0; /* also for infinities, whose differences depend on the order of rows */
        for (int64_t k = 0; k < n * n; k++) nan |= a[k] - a[k] != 0;
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

/* Scale a number to an absolute value near 1, and add the power of two to `exponent`. Otherwise, a
   product could overflow or underflow before its last factor. */
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
        for (int64_t k = 0; k < n * n; k++) nan |= a[k] - a[k] != 0;
        det[number] = nan ? (REAL)__builtin_nan("") : st_shift_SUFFIX(product, exponent);
    }
    free(pivots);
    free(lu);
    st_lapack_end(lapack, held);
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

/* The cofactors of each n × n matrix: from its inverse, or from its singular values if that would
   be inaccurate. */
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
