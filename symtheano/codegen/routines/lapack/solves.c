/* section eliminate */
/* Matrices of up to this number of rows are eliminated here: a call of LAPACK takes longer. */
#define ST_FEW_ROWS 8

#if @IS_REAL@
/* Solve a x = b for an n × n matrix a, which is overwritten, and n × k matrix x, which has the
   content of b. Pivots are LAPACK's: the first of the largest elements. Returns whether one is
   zero. */
static int st_eliminate_@SUFFIX@(int64_t n, int64_t k, @TYPE@ *a, @TYPE@ *x) {
    for (int64_t step = 0; step < n; step++) {
        @TYPE@ *const row = a + step * n, *const right = x + step * k;
        int64_t best = step;
        @REAL@ largest = 0;
        for (int64_t i = step; i < n; i++) {
            const @TYPE@ value = a[i * n + step], size = value < 0 ? -value : value;
            if (size > largest) largest = size, best = i;
        }
        if (largest == 0) return 1;
        if (best != step) {
            for (int64_t j = step; j < n; j++) {
                const @TYPE@ kept = row[j];
                row[j] = a[best * n + j], a[best * n + j] = kept;
            }
            for (int64_t j = 0; j < k; j++) {
                const @TYPE@ kept = right[j];
                right[j] = x[best * k + j], x[best * k + j] = kept;
            }
        }
        for (int64_t i = step + 1; i < n; i++) {
            const @TYPE@ factor = a[i * n + step] / row[step];
            for (int64_t j = step + 1; j < n; j++) a[i * n + j] -= factor * row[j];
            for (int64_t j = 0; j < k; j++) x[i * k + j] -= factor * right[j];
        }
    }
    for (int64_t step = n - 1; step >= 0; step--) {
        const @TYPE@ *const row = a + step * n;
        @TYPE@ *const right = x + step * k;
        for (int64_t i = step + 1; i < n; i++)
            for (int64_t j = 0; j < k; j++) right[j] -= row[i] * x[i * k + j];
        for (int64_t j = 0; j < k; j++) right[j] /= row[step];
    }
    return 0;
}
#endif

/* section inverse */
static int64_t st_inverse_bytes_@SUFFIX@(const st_runtime *runtime, const st_squares *args) {
    int64_t batch = args->batch, n = args->n;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    int64_t info = 0, ask = -1;
    @TYPE@ best = 0;
    if (!n || !batch) return 0;
    if (!st_lapack_takes(lapack, n)) return ST_MOST_SIZE;
    ST_CALL(getri, (st_p, st_p, st_p, st_p, st_p, st_p, st_p), &n, &best, &n, &info, &best, &ask,
            &info);
    return st_size_plus(st_part_bytes(n, sizeof(int64_t)),
                        st_part_bytes(st_max(st_length_@SUFFIX@(best), n), sizeof best));
}

/* The inverse of each n × n matrix. LAPACK sees the matrix and its inverse transposed. */
static int32_t st_inverse_@SUFFIX@(const st_runtime *runtime, const st_squares *args,
                                 const @TYPE@ *a, @TYPE@ *inverse, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n;
    enum { FIRST_OF = @FIRST@ };
    if (!n || !batch) return 0;
    ST_BEGIN(batch, 2. * n * n * n);
    ST_ROOM;
    int64_t *const pivots = st_take(&room, n, sizeof *pivots);
    @TYPE@ *const work = (@TYPE@ *)room.begin;
    int64_t info = 0, length = st_left(lapack, &room, sizeof *work);
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch; number++, a += n * n, inverse += n * n) {
        info = 0;
        if (!st_finite_@SUFFIX@(n * n, a)) {
            st_fill_nan_@SUFFIX@(n * n, inverse);
            continue;
        }
#if @IS_REAL@
        if (n <= ST_FEW_ROWS) {
            @TYPE@ copy[ST_FEW_ROWS * ST_FEW_ROWS];
            memcpy(copy, a, (size_t)(n * n) * sizeof *a);
            for (int64_t i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0;
            if (st_eliminate_@SUFFIX@(n, n, copy, inverse))
                status = (int32_t)st_min(number, 0x7ffffff0) + 2;
            continue;
        }
#endif
        memcpy(inverse, a, (size_t)(n * n) * sizeof *a);
        ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &n, &n, inverse, &n, pivots, &info);
        if (!st_lapack_int(lapack, info))
            ST_CALL(getri, (st_p, st_p, st_p, st_p, st_p, st_p, st_p), &n, inverse, &n, pivots,
                    work, &length, &info);
        if (st_lapack_int(lapack, info)) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
    }
    st_lapack_end(lapack, held);
    return status;
}

/* section solve */
static int64_t st_solve_bytes_@SUFFIX@(const st_runtime *runtime, const st_solve *args) {
    int64_t batch = args->batch, n = args->n, k = args->k;
    if (!n || !k || !batch) return 0;
    if (!st_lapack_takes(runtime->functions[ST_LAPACK], st_max(n, k))) return ST_MOST_SIZE;
    return st_size_plus(st_part_bytes(n, sizeof(int64_t)),
                        st_part_bytes(st_size_times(n, st_size_plus(n, k)), sizeof(@TYPE@)));
}

/* Solve a x = b for each n × n matrix a, which may be stored transposed, and n × k matrix b. */
static int32_t st_solve_@SUFFIX@(const st_runtime *runtime, const st_solve *args, const @TYPE@ *a,
                               const @TYPE@ *b, @TYPE@ *x, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n, k = args->k, transposed = args->transposed;
    enum { FIRST_OF = @FIRST@ };
    if (!n || !k || !batch) return 0;
    ST_BEGIN(batch, (double)n * n * (n + 2 * k));
    ST_ROOM;
    int64_t *const pivots = st_take(&room, n, sizeof *pivots);
    @TYPE@ *const lu = st_take(&room, n * n + n * k, sizeof *lu), *const turned = lu + n * n;
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch;
         number++, a += n * n, b += n * k, x += n * k) {
        int64_t info = 0;
        if (!st_finite_@SUFFIX@(n * n, a)) {
            st_fill_nan_@SUFFIX@(n * k, x);
            continue;
        }
#if @IS_REAL@
        if (n <= ST_FEW_ROWS) {
            if (transposed) st_transpose_@SUFFIX@(n, n, a, lu);
            else memcpy(lu, a, (size_t)(n * n) * sizeof *a);
            memcpy(x, b, (size_t)(n * k) * sizeof *b);
            if (st_eliminate_@SUFFIX@(n, k, lu, x))
                status = (int32_t)st_min(number, 0x7ffffff0) + 2;
            continue;
        }
#endif
        memcpy(lu, a, (size_t)(n * n) * sizeof *a);
        st_transpose_@SUFFIX@(n, k, b, turned);
        ST_CALL(getrf, (st_p, st_p, st_p, st_p, st_p, st_p), &n, &n, lu, &n, pivots, &info);
        if (st_lapack_int(lapack, info)) {
            status = (int32_t)st_min(number, 0x7ffffff0) + 2;
            break;
        }
        ST_CALL(getrs, (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, size_t),
                transposed ? "N" : "T", &n, &k, lu, &n, pivots, turned, &n, &info, 1);
        st_transpose_@SUFFIX@(k, n, turned, x);
    }
    st_lapack_end(lapack, held);
    return status;
}

/* section substitute */
#if @IS_REAL@
/* Rows of a triangle that are eliminated one by one; larger ones are products. */
#define ST_TRIANGLE 32
typedef @TYPE@ st_solved_@SUFFIX@
    __attribute__((vector_size(32), aligned(sizeof(@TYPE@)), may_alias));

/* Solve t x = x for the columns of four vectors in x, whose rows are `step` apart, and a lower
   triangle t. */
static void st_strip_@SUFFIX@(int64_t rows, int64_t unit, const @TYPE@ *t, @TYPE@ *x, int64_t step) {
    for (int64_t i = 0; i < rows; i++) {
        st_solved_@SUFFIX@ *const own = (void *)(x + i * step);
        const @TYPE@ divisor = unit ? 1 : t[i * ST_TRIANGLE + i];
        st_solved_@SUFFIX@ a = own[0], b = own[1], c = own[2], d = own[3];
        for (int64_t j = 0; j < i; j++) {
            const st_solved_@SUFFIX@ *const other = (const void *)(x + j * step);
            const @TYPE@ factor = t[i * ST_TRIANGLE + j];
            a -= factor * other[0], b -= factor * other[1];
            c -= factor * other[2], d -= factor * other[3];
        }
        own[0] = a / divisor, own[1] = b / divisor, own[2] = c / divisor, own[3] = d / divisor;
    }
}

/* Solve for rows of which all others that they depend on are known and subtracted. */
static void st_substitute_@SUFFIX@(const st_solve_triangular *args, const @TYPE@ *a, @TYPE@ *x,
                                   int64_t first, int64_t count) {
    enum { STRIP = 4 * 32 / sizeof(@TYPE@) };
    const int64_t n = args->n, k = args->k;
    const int64_t begin = args->lower ? first : first + count - 1, step = args->lower ? 1 : -1;
    const int64_t row = args->transposed ? step : step * n, column = args->transposed ? step * n : step;
    @TYPE@ t[ST_TRIANGLE * ST_TRIANGLE];
    a += begin * (n + 1), x += begin * k;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j <= i; j++) t[i * ST_TRIANGLE + j] = a[i * row + j * column];
    int64_t c = 0;
    for (; c + STRIP <= k; c += STRIP)
        st_strip_@SUFFIX@(count, args->unit, t, x + c, step * k);
    if (c == k) return;
    /* The last columns are a strip of their own, with zeros beside them. */
    @TYPE@ strip[ST_TRIANGLE * STRIP];
    const size_t width = (size_t)(k - c) * sizeof *x;
    memset(strip, 0, (size_t)count * STRIP * sizeof *x);
    for (int64_t i = 0; i < count; i++) memcpy(strip + i * STRIP, x + c + i * step * k, width);
    st_strip_@SUFFIX@(count, args->unit, t, strip, STRIP);
    for (int64_t i = 0; i < count; i++) memcpy(x + c + i * step * k, strip + i * STRIP, width);
}

/* Solve for rows, one half after the other: what the second one needs of the first is a product. */
static void st_triangle_@SUFFIX@(const st_runtime *runtime, const st_solve_triangular *args,
                                 const @TYPE@ *a, @TYPE@ *x, int64_t first, int64_t count) {
    if (count <= ST_TRIANGLE) {
        st_substitute_@SUFFIX@(args, a, x, first, count);
        return;
    }
    const int64_t half = (count / 2 + ST_TRIANGLE - 1) / ST_TRIANGLE * ST_TRIANGLE;
    const int64_t n = args->n, k = args->k, middle = first + half, rest = count - half;
    const int64_t solved = args->lower ? first : middle, next = args->lower ? middle : first;
    const st_gemm product = {
        .transa = args->transposed ? ST_TRANS : ST_NO_TRANS, .transb = ST_NO_TRANS,
        .m = args->lower ? rest : half, .n = k, .k = args->lower ? half : rest,
        .lda = n, .ldb = k, .ldc = k};
    st_triangle_@SUFFIX@(runtime, args, a, x, solved, product.k);
    st_gemm_@SUFFIX@(runtime, &product, -1, a + (args->transposed ? solved * n + next : next * n + solved),
                     x + solved * k, 1, x + next * k);
    st_triangle_@SUFFIX@(runtime, args, a, x, next, product.m);
}

/* Solve as `st_solve_triangular` does, without LAPACK, for one matrix. */
static int64_t st_solve_columns_@SUFFIX@(const st_runtime *runtime, const st_solve_triangular *args,
                                         const @TYPE@ *a, const @TYPE@ *b, @TYPE@ *x) {
    const int64_t n = args->n;
    if (!args->unit)
        for (int64_t i = 0; i < n; i++)
            if (a[i * (n + 1)] == 0) return i + 1;
    memcpy(x, b, (size_t)(n * args->k) * sizeof *b);
    st_triangle_@SUFFIX@(runtime, args, a, x, 0, n);
    return 0;
}
#endif

/* section solve_triangular */
/* From this number of columns on, products are faster than LAPACK, which takes them transposed. */
#define ST_COLUMNS 8

static int64_t st_solve_triangular_bytes_@SUFFIX@(const st_runtime *runtime,
                                            const st_solve_triangular *args) {
    int64_t batch = args->batch, n = args->n, k = args->k;
    const int64_t bytes = st_part_bytes(st_size_times(n, k), sizeof(@TYPE@));
    if (!n || !k || !batch) return 0;
    if (@IS_REAL@ && k >= ST_COLUMNS) return bytes < ST_MOST_SIZE ? 0 : bytes;
    return st_lapack_takes(runtime->functions[ST_LAPACK], st_max(n, k)) ? bytes : ST_MOST_SIZE;
}

/* Solve a x = b, where only one triangle of a is read, without its diagonal if `unit`; a may be
   stored transposed. A zero at position p of matrix k's diagonal is reported as k n + p + 2. */
static int64_t st_solve_triangular_@SUFFIX@(const st_runtime *runtime,
                                          const st_solve_triangular *args, const @TYPE@ *a,
                                          const @TYPE@ *b, @TYPE@ *x, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n, k = args->k, lower = args->lower,
            unit = args->unit, transposed = args->transposed, status = 0;
    enum { FIRST_OF = @FIRST@ };
    if (!n || !k || !batch) return 0;
#if @IS_REAL@
    if (k >= ST_COLUMNS) {
        for (int64_t number = 0; !status && number < batch;
             number++, a += n * n, b += n * k, x += n * k) {
            const int64_t zero = st_solve_columns_@SUFFIX@(runtime, args, a, b, x);
            if (zero) status = number * n + zero + 1;
        }
        return status;
    }
#endif
    ST_BEGIN(batch, (double)n * n * k);
    ST_ROOM;
    @TYPE@ *const turned = st_take(&room, n * k, sizeof *turned);
    for (int64_t number = 0; !status && number < batch;
         number++, a += n * n, b += n * k, x += n * k) {
        int64_t info = 0;
        st_transpose_@SUFFIX@(n, k, b, turned);
        ST_CALL(trtrs,
                (const char *, const char *, const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p,
                 size_t, size_t, size_t),
                !lower == !transposed ? "L" : "U", transposed ? "N" : "T", unit ? "U" : "N", &n, &k,
                (st_p)a, &n, turned, &n, &info, 1, 1, 1);
        if (st_lapack_int(lapack, info))
            status = number * n + st_max(st_lapack_int(lapack, info), 1) + 1;
        st_transpose_@SUFFIX@(k, n, turned, x);
    }
    st_lapack_end(lapack, held);
    return status;
}

/* section solve_symmetric */
static int64_t st_solve_symmetric_bytes_@SUFFIX@(const st_runtime *runtime,
                                            const st_solve_symmetric *args) {
    int64_t batch = args->batch, n = args->n, k = args->k, lower = args->lower;
    enum { FIRST_OF = @FIRST@ };
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    int64_t info = 0, ask = -1;
    @TYPE@ best = 0;
    if (!n || !k || !batch) return 0;
    if (!st_lapack_takes(lapack, st_max(n, k))) return ST_MOST_SIZE;
    ST_CALL(sysv,
            (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, size_t),
            lower ? "U" : "L", &n, &k, &best, &n, &info, &best, &n, &best, &ask, &info, 1);
    const int64_t copies = st_part_bytes(st_size_times(n, st_size_plus(n, k)), sizeof best);
    return st_size_plus(st_size_plus(st_part_bytes(n, sizeof(int64_t)), copies),
                        st_part_bytes(st_length_@SUFFIX@(best), sizeof best));
}

/* Solve a x = b for symmetric a, of which one triangle is read. */
static int32_t st_solve_symmetric_@SUFFIX@(const st_runtime *runtime,
                                         const st_solve_symmetric *args, const @TYPE@ *a,
                                         const @TYPE@ *b, @TYPE@ *x, void *memory, int64_t bytes) {
    int64_t batch = args->batch, n = args->n, k = args->k, lower = args->lower;
    enum { FIRST_OF = @FIRST@ };
    if (!n || !k || !batch) return 0;
    ST_BEGIN(batch, (double)n * n * (n + 2 * k));
    const char *const triangle = lower ? "U" : "L";
    ST_ROOM;
    int64_t *const pivots = st_take(&room, n, sizeof *pivots);
    @TYPE@ *const copy = st_take(&room, n * n + n * k, sizeof *copy);
    @TYPE@ *const turned = copy + n * n, *const work = (@TYPE@ *)room.begin;
    int64_t info = 0, length = st_left(lapack, &room, sizeof *work);
    int32_t status = 0;
    for (int64_t number = 0; !status && number < batch;
         number++, a += n * n, b += n * k, x += n * k) {
        info = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                copy[i * n + j] = (lower ? j <= i : j >= i) ? a[i * n + j] : 0;
        if (!st_finite_@SUFFIX@(n * n, copy)) {
            st_fill_nan_@SUFFIX@(n * k, x);
            continue;
        }
        st_transpose_@SUFFIX@(n, k, b, turned);
        ST_CALL(sysv,
                (const char *, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, st_p, size_t),
                triangle, &n, &k, copy, &n, pivots, turned, &n, work, &length, &info, 1);
        if (st_lapack_int(lapack, info)) status = (int32_t)st_min(number, 0x7ffffff0) + 2;
        st_transpose_@SUFFIX@(k, n, turned, x);
    }
    st_lapack_end(lapack, held);
    return status;
}
