/* Return whether all elements of a matrix are finite. */
static int st_finite_@SUFFIX@(int64_t count, const @TYPE@ *x) {
    @REAL@ sum = 0;
    const @REAL@ *part = (const @REAL@ *)x;
    for (int64_t k = 0; k < count * (@IS_REAL@ ? 1 : 2); k++) sum += part[k] * 0;
    return sum == 0;
}

static void st_fill_nan_@SUFFIX@(int64_t count, @TYPE@ *x) {
    for (int64_t k = 0; k < count; k++) x[k] = (@REAL@)__builtin_nan("");
}

/* Transpose: x is m × n, y is n × m. */
static void st_transpose_@SUFFIX@(int64_t m, int64_t n, const @TYPE@ *x, @TYPE@ *y) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) y[j * m + i] = x[i * n + j];
}

static inline @TYPE@ st_conj_@SUFFIX@(@TYPE@ x) {
#if @IS_REAL@
    return x;
#else
    return ~x;
#endif
}

/* Return the absolute value. */
static inline @REAL@ st_size_@SUFFIX@(@TYPE@ x) {
#if @IS_REAL@
    return x < 0 ? -x : x;
#else
    return (@REAL@)__builtin_hypot((double)__real__ x, (double)__imag__ x);
#endif
}

/* Return the length of a workspace that LAPACK has stored in its first element. */
static inline int64_t st_length_@SUFFIX@(@TYPE@ x) {
    const @REAL@ length = *(const @REAL@ *)&x * (@REAL@)1.0001;
    return length < (@REAL@)ST_MOST_SIZE ? (int64_t)length + 1 : ST_MOST_SIZE;
}
