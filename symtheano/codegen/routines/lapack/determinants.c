/* section slogdet */
static int64_t st_slogdet_bytes_@SUFFIX@(const st_runtime *runtime, const st_squares *args) {
    int64_t batch = args->batch, n = args->n;
    if (!batch) return 0;
    if (!st_lapack_takes(runtime->functions[ST_LAPACK], n)) return ST_MOST_SIZE;
    return st_size_plus(st_part_bytes(n, sizeof(int64_t)),
                        st_part_bytes(st_square(n), sizeof(@TYPE@)));
}

/* Sign and logarithm of the absolute value of the determinant of each n × n matrix. */
static void st_slogdet_@SUFFIX@(const st_runtime *runtime, const st_squares *args, const @TYPE@ *a,
                              @TYPE@ *sign, @REAL@ *logarithm, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n;
    enum { FIRST_OF = @FIRST@ };
    if (!batch) return;
    ST_BEGIN(batch, (double)n * n * n);
    ST_ROOM;
    int64_t *const pivots = st_take(&room, n, sizeof *pivots);
    @TYPE@ *const lu = st_take(&room, n * n, sizeof *lu);
    for (int64_t number = 0; number < batch; number++, a += n * n) {
        int64_t info = 0;
        memcpy(lu, a, (size_t)(n * n) * sizeof *a);
        if (n)
            ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &n, &n, lu, &n, pivots, &info);
        @TYPE@ turn = 1;
        @REAL@ sum = 0;
        for (int64_t k = 0; k < n; k++) {
            const int64_t pivot = lapack->ilp64 ? pivots[k] : ((const int32_t *)pivots)[k];
            const @TYPE@ d = lu[k * n + k];
            const @REAL@ size = st_size_@SUFFIX@(d);
            turn *= size == 0 ? 0 : d / size;
            if (pivot != k + 1) turn = -turn;
            sum += (@REAL@)__builtin_log((double)size);
        }
        int nan = 0; /* also for infinities, whose differences depend on the order of rows */
        for (int64_t k = 0; k < n * n; k++) nan |= a[k] - a[k] != 0;
        if (nan) turn = sum = (@REAL@)__builtin_nan("");
        sign[number] = turn;
        logarithm[number] = sum;
    }
    st_lapack_end(lapack, held);
}

/* section det */
static int64_t st_det_bytes_@SUFFIX@(const st_runtime *runtime, const st_squares *args) {
    int64_t batch = args->batch, n = args->n;
    if (!batch) return 0;
    if (!st_lapack_takes(runtime->functions[ST_LAPACK], n)) return ST_MOST_SIZE;
    return st_size_plus(st_part_bytes(n, sizeof(int64_t)),
                        st_part_bytes(st_square(n), sizeof(@TYPE@)));
}

/* Multiply by a power of two. */
static @TYPE@ st_shift_@SUFFIX@(@TYPE@ x, int64_t exponent) {
    @REAL@ *const part = (@REAL@ *)&x;
    const int power = (int)st_max(st_min(exponent, 8000), -8000);
    for (int k = 0; k < (@IS_REAL@ ? 1 : 2); k++)
        part[k] = (@REAL@)__builtin_ldexp((double)part[k], power);
    return x;
}

/* Scale a number to an absolute value near 1, and add the power of two to `exponent`. Otherwise, a
   product could overflow or underflow before its last factor. */
static @TYPE@ st_near_one_@SUFFIX@(@TYPE@ x, int64_t *exponent) {
    const @REAL@ *const part = (const @REAL@ *)&x;
    double size = 0;
    int power = 0;
    for (int k = 0; k < (@IS_REAL@ ? 1 : 2); k++) {
        const double here = part[k] < 0 ? -(double)part[k] : (double)part[k];
        if (!(here <= __DBL_MAX__)) return x;
        if (here > size) size = here;
    }
    (void)__builtin_frexp(size, &power);
    *exponent += power;
    return st_shift_@SUFFIX@(x, -(int64_t)power);
}

/* The determinant of each n × n matrix. */
static void st_det_@SUFFIX@(const st_runtime *runtime, const st_squares *args, const @TYPE@ *a,
                          @TYPE@ *det, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n;
    enum { FIRST_OF = @FIRST@ };
    if (!batch) return;
    ST_BEGIN(batch, (double)n * n * n);
    ST_ROOM;
    int64_t *const pivots = st_take(&room, n, sizeof *pivots);
    @TYPE@ *const lu = st_take(&room, n * n, sizeof *lu);
    for (int64_t number = 0; number < batch; number++, a += n * n) {
        int64_t info = 0;
        memcpy(lu, a, (size_t)(n * n) * sizeof *a);
        if (n)
            ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &n, &n, lu, &n, pivots, &info);
        @TYPE@ product = 1;
        int64_t exponent = 0;
        int nan = 0;
        for (int64_t k = 0; k < n; k++) {
            const int64_t pivot = lapack->ilp64 ? pivots[k] : ((const int32_t *)pivots)[k];
            const @TYPE@ d = st_near_one_@SUFFIX@(lu[k * n + k], &exponent);
            product = st_near_one_@SUFFIX@(product * (pivot == k + 1 ? d : -d), &exponent);
        }
        for (int64_t k = 0; k < n * n; k++) nan |= a[k] - a[k] != 0;
        det[number] = nan ? (@REAL@)__builtin_nan("") : st_shift_@SUFFIX@(product, exponent);
    }
    st_lapack_end(lapack, held);
}

/* section near */
/* The largest sum of absolute values of a column. */
static @REAL@ st_norm_@SUFFIX@(int64_t n, const @TYPE@ *a) {
    @REAL@ largest = 0;
    for (int64_t j = 0; j < n; j++) {
        @REAL@ sum = 0;
        for (int64_t i = 0; i < n; i++) sum += st_size_@SUFFIX@(a[i * n + j]);
        if (!(sum <= largest)) largest = sum;
    }
    return largest;
}

/* Compute the inverse of a matrix; 1 if it is so far from singular matrices that it is accurate. */
static int st_is_far_@SUFFIX@(const st_runtime *runtime, int64_t n, const @TYPE@ *a, @TYPE@ *inverse,
                            void *memory, int64_t bytes) {
    const @REAL@ bound = sizeof(@REAL@) == 4 ? (@REAL@)3.4526698e-4 : (@REAL@)1.4901161193847656e-8;
    const st_squares one = {.batch = 1, .n = n};
    return !st_inverse_@SUFFIX@(runtime, &one, a, inverse, memory, bytes)
           && 1 / (st_norm_@SUFFIX@(n, a) * st_norm_@SUFFIX@(n, inverse)) > bound;
}

/* section cofactors */
static int64_t st_cofactors_bytes_@SUFFIX@(const st_runtime *runtime, const st_squares *args) {
    int64_t batch = args->batch, n = args->n;
    if (!n || !batch) return 0;
    const st_squares one = {.batch = 1, .n = n};
    const st_svd singular = {.batch = 1, .m = n, .n = n, .job = 2};
    const int64_t inverse = st_inverse_bytes_@SUFFIX@(runtime, &one);
    const int64_t det = st_det_bytes_@SUFFIX@(runtime, &one);
    const int64_t svd = st_svd_bytes_@SUFFIX@(runtime, &singular);
    const int64_t copies = st_part_bytes(st_size_times(2, st_square(n)), sizeof(@TYPE@));
    return st_size_plus(st_size_plus(copies, st_part_bytes(n, sizeof(@REAL@))),
                        st_max(inverse, st_max(det, svd)));
}

/* The cofactors of each n × n matrix: from its inverse, or from its singular values if that would
   be inaccurate. */
static int32_t st_cofactors_@SUFFIX@(const st_runtime *runtime, const st_squares *args,
                                   const @TYPE@ *a, @TYPE@ *cofactors, void *memory,
                                   int64_t bytes) {
    int64_t batch = args->batch, n = args->n;
    if (!n || !batch) return 0;
    const st_squares one = {.batch = 1, .n = n};
    const st_svd singular = {.batch = 1, .m = n, .n = n, .job = 2};
    st_announce(runtime, 3. * batch * n * n * n);
    ST_ROOM;
    @TYPE@ *const u = st_take(&room, 2 * n * n, sizeof *u), *const vh = u + n * n;
    @REAL@ *const s = st_take(&room, n, sizeof *s);
    void *const rest = room.begin;
    const int64_t left = room.end - room.begin;
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, cofactors += n * n) {
        @TYPE@ det = 0, turn = 0;
        if (!st_finite_@SUFFIX@(n * n, a)) {
            st_fill_nan_@SUFFIX@(n * n, cofactors);
            continue;
        }
        if (st_is_far_@SUFFIX@(runtime, n, a, u, rest, left)) {
            st_det_@SUFFIX@(runtime, &one, a, &det, rest, left);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) cofactors[i * n + j] = det * u[j * n + i];
            continue;
        }
        status = st_svd_@SUFFIX@(runtime, &singular, a, u, s, vh, rest, left);
        if (status) break;
        st_det_@SUFFIX@(runtime, &one, u, &det, rest, left);
        st_det_@SUFFIX@(runtime, &one, vh, &turn, rest, left);
        for (int64_t k = 0; k < n; k++) {
            @TYPE@ others = det * turn;
            for (int64_t l = 0; l < n; l++)
                if (l != k) others *= s[l];
            for (int64_t i = 0; i < n; i++) u[i * n + k] = st_conj_@SUFFIX@(u[i * n + k]) * others;
        }
        for (int64_t i = 0; i < n; i++) {
            for (int64_t j = 0; j < n; j++) cofactors[i * n + j] = 0;
            for (int64_t k = 0; k < n; k++)
                for (int64_t j = 0; j < n; j++)
                    cofactors[i * n + j] += u[i * n + k] * st_conj_@SUFFIX@(vh[k * n + j]);
        }
    }
    return status;
}

/* section cofactors_tangent */
static int64_t st_cofactors_tangent_bytes_@SUFFIX@(const st_runtime *runtime,
                                            const st_squares *args) {
    int64_t batch = args->batch, n = args->n;
    if (!n || !batch) return 0;
    const st_squares one = {.batch = 1, .n = n};
    const st_svd singular = {.batch = 1, .m = n, .n = n, .job = 2};
    const st_solve system = {.batch = 1, .n = n, .k = n, .transposed = 0};
    const int64_t inverse = st_inverse_bytes_@SUFFIX@(runtime, &one);
    const int64_t solve = st_solve_bytes_@SUFFIX@(runtime, &system);
    const int64_t det = st_det_bytes_@SUFFIX@(runtime, &one);
    const int64_t svd = st_svd_bytes_@SUFFIX@(runtime, &singular);
    const int64_t copies = st_part_bytes(st_size_times(4, st_square(n)), sizeof(@TYPE@));
    return st_size_plus(st_size_plus(copies, st_part_bytes(n, sizeof(@REAL@))),
                        st_max(st_max(inverse, solve), st_max(det, svd)));
}

/* z = x y for n × n matrices; `left` is 1 if x is conjugated, 2 if it is transposed too, and so is
   `right` for y. */
static void st_turned_product_@SUFFIX@(int64_t n, int left, const @TYPE@ *x, int right, const @TYPE@ *y,
                                     @TYPE@ *z) {
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) z[i * n + j] = 0;
        for (int64_t k = 0; k < n; k++) {
            const @TYPE@ item = left == 2 ? x[k * n + i] : x[i * n + k];
            const @TYPE@ factor = left ? st_conj_@SUFFIX@(item) : item;
            for (int64_t j = 0; j < n; j++) {
                const @TYPE@ other = right == 2 ? y[j * n + k] : y[k * n + j];
                z[i * n + j] += factor * (right ? st_conj_@SUFFIX@(other) : other);
            }
        }
    }
}

/* The derivative of the cofactors of a diagonal matrix in a direction. Each is a sum of products of
   all but two elements of the diagonal. */
static void st_diagonal_tangent_@SUFFIX@(int64_t n, const @REAL@ *s, const @TYPE@ *d, @TYPE@ *x) {
    for (int64_t i = 0; i < n; i++) x[i * (n + 1)] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            @REAL@ others = 1;
            if (i == j) continue;
            for (int64_t k = 0; k < n; k++)
                if (k != i && k != j) others *= s[k];
            x[i * n + j] = -others * d[j * n + i];
            x[i * (n + 1)] += others * d[j * (n + 1)];
        }
}

/* The derivative of the cofactors of each n × n matrix in a direction: from its inverse, or from its
   singular values if that would be inaccurate. */
static int32_t st_cofactors_tangent_@SUFFIX@(const st_runtime *runtime, const st_squares *args,
                                           const @TYPE@ *a, const @TYPE@ *d, @TYPE@ *tangent,
                                           void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n;
    if (!n || !batch) return 0;
    const st_squares one = {.batch = 1, .n = n};
    const st_svd singular = {.batch = 1, .m = n, .n = n, .job = 2};
    const st_solve system = {.batch = 1, .n = n, .k = n, .transposed = 0};
    const st_solve turned = {.batch = 1, .n = n, .k = n, .transposed = 1};
    st_announce(runtime, 7. * batch * n * n * n);
    ST_ROOM;
    @TYPE@ *const u = st_take(&room, 4 * n * n, sizeof *u), *const vh = u + n * n;
    @TYPE@ *const inner = vh + n * n, *const spare = inner + n * n;
    @REAL@ *const s = st_take(&room, n, sizeof *s);
    void *const rest = room.begin;
    const int64_t left = room.end - room.begin;
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch;
         number++, a += n * n, d += n * n, tangent += n * n) {
        @TYPE@ det = 0, turn = 0, trace = 0;
        if (!st_finite_@SUFFIX@(n * n, a)) {
            st_fill_nan_@SUFFIX@(n * n, tangent);
            continue;
        }
        if (st_is_far_@SUFFIX@(runtime, n, a, u, rest, left)) {
            st_det_@SUFFIX@(runtime, &one, a, &det, rest, left);
            status = st_solve_@SUFFIX@(runtime, &system, a, d, vh, rest, left);
            for (int64_t i = 0; i < n; i++) trace += vh[i * (n + 1)];
            st_transpose_@SUFFIX@(n, n, vh, inner);
            if (!status) status = st_solve_@SUFFIX@(runtime, &turned, a, inner, vh, rest, left);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++)
                    tangent[i * n + j] = det * (trace * u[j * n + i] - vh[i * n + j]);
            continue;
        }
        status = st_svd_@SUFFIX@(runtime, &singular, a, u, s, vh, rest, left);
        if (status) break;
        st_det_@SUFFIX@(runtime, &one, u, &det, rest, left);
        st_det_@SUFFIX@(runtime, &one, vh, &turn, rest, left);
        st_turned_product_@SUFFIX@(n, 2, u, 0, d, spare);
        st_turned_product_@SUFFIX@(n, 0, spare, 2, vh, inner);
        st_diagonal_tangent_@SUFFIX@(n, s, inner, spare);
        st_turned_product_@SUFFIX@(n, 1, u, 0, spare, inner);
        st_turned_product_@SUFFIX@(n, 0, inner, 1, vh, tangent);
        for (int64_t k = 0; k < n * n; k++) tangent[k] *= det * turn;
    }
    return status;
}
