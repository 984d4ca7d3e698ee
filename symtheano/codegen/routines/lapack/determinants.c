/* section slogdet */
static int64_t st_slogdet_bytes_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n) {
    (void)runtime;
    if (!batch) return 0;
    return st_part_bytes(n, sizeof(int64_t)) + st_part_bytes(n * n, sizeof(TYPE));
}

/* Sign and logarithm of the absolute value of the determinant of each n × n matrix. */
static void st_slogdet_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n, const TYPE *a,
                              TYPE *sign, REAL *logarithm, void *memory, int64_t bytes) {
    enum { FIRST_OF = FIRST };
    if (!batch) return;
    ST_BEGIN(batch, (double)n * n * n);
    ST_ROOM;
    int64_t *const pivots = st_take(&room, n, sizeof *pivots);
    TYPE *const lu = st_take(&room, n * n, sizeof *lu);
    for (int64_t number = 0; number < batch; number++, a += n * n) {
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
    st_lapack_end(lapack, held);
}

/* section det */
static int64_t st_det_bytes_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n) {
    (void)runtime;
    if (!batch) return 0;
    return st_part_bytes(n, sizeof(int64_t)) + st_part_bytes(n * n, sizeof(TYPE));
}

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
static void st_det_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n, const TYPE *a,
                          TYPE *det, void *memory, int64_t bytes) {
    enum { FIRST_OF = FIRST };
    if (!batch) return;
    ST_BEGIN(batch, (double)n * n * n);
    ST_ROOM;
    int64_t *const pivots = st_take(&room, n, sizeof *pivots);
    TYPE *const lu = st_take(&room, n * n, sizeof *lu);
    for (int64_t number = 0; number < batch; number++, a += n * n) {
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
    st_lapack_end(lapack, held);
}

/* section cofactors */
static int64_t st_cofactors_bytes_SUFFIX(const st_runtime *runtime, int64_t batch, int64_t n) {
    if (!n || !batch) return 0;
    const int64_t inverse = st_inverse_bytes_SUFFIX(runtime, 1, n);
    const int64_t det = st_det_bytes_SUFFIX(runtime, 1, n);
    const int64_t svd = st_svd_bytes_SUFFIX(runtime, 1, n, n, 2);
    return st_part_bytes(2 * n * n, sizeof(TYPE)) + st_part_bytes(n, sizeof(REAL))
           + st_max(inverse, st_max(det, svd));
}

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
                                   const TYPE *a, TYPE *cofactors, void *memory, int64_t bytes) {
    if (!n || !batch) return 0;
    st_announce(runtime, 3. * batch * n * n * n);
    const REAL bound = sizeof(REAL) == 4 ? (REAL)3.4526698e-4 : (REAL)1.4901161193847656e-8;
    ST_ROOM;
    TYPE *const u = st_take(&room, 2 * n * n, sizeof *u), *const vh = u + n * n;
    REAL *const s = st_take(&room, n, sizeof *s);
    void *const rest = room.begin;
    const int64_t left = room.end - room.begin;
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, cofactors += n * n) {
        TYPE det = 0, turn = 0;
        if (!st_finite_SUFFIX(n * n, a)) {
            st_fill_nan_SUFFIX(n * n, cofactors);
            continue;
        }
        status = st_inverse_SUFFIX(runtime, 1, n, a, u, rest, left);
        if (!status && 1 / (st_norm_SUFFIX(n, a) * st_norm_SUFFIX(n, u)) > bound) {
            st_det_SUFFIX(runtime, 1, n, a, &det, rest, left);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) cofactors[i * n + j] = det * u[j * n + i];
            continue;
        }
        status = st_svd_SUFFIX(runtime, 1, n, n, 2, a, u, s, vh, rest, left);
        if (status) break;
        st_det_SUFFIX(runtime, 1, n, u, &det, rest, left);
        st_det_SUFFIX(runtime, 1, n, vh, &turn, rest, left);
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
    return status;
}
