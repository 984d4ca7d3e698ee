/* Sort rows in place.

   As in NumPy, NaN comes last, and complex numbers are ordered by their real parts first. The sort
   keys are the bits of the numbers, mapped to integers in the same order. Long rows are sorted by
   digits, several short rows at once by a network, and others by merging without branches. The
   order of equal numbers with different bits is undefined, and NaN may lose its payload.

   void st_sort_@SUFFIX@(const st_runtime *runtime, const st_rows *args, @TYPE@ *x, void *memory,
                       int64_t bytes) */

#include "network.inc"
#include "merging.inc"
#include "digits.inc"
#include "threads.inc"

#if IS_REAL
enum { ST_SHORT_@SUFFIX@ = 128, ST_ABREAST_@SUFFIX@ = 128 / sizeof(@TYPE@) };

/* Sort a few short rows together, as columns. */
static void st_sort_abreast_@SUFFIX@(int64_t rows, int64_t n, st_key_@KEYS@ *x) {
    enum { ABREAST = ST_ABREAST_@SUFFIX@ };
    @INTS@ block[ST_SHORT_@SUFFIX@ * ABREAST];
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < rows; i++) block[j * ABREAST + i] = (@INTS@)x[i * n + j];
        for (int64_t i = rows; i < ABREAST; i++) block[j * ABREAST + i] = 0;
    }
    for (int64_t k = 0; k < n * ABREAST; k++)
        block[k] = (@INTS@)(@ORDERED@((@BITS@)block[k]) ^ ST_TURN_@KEYS@);
    st_network_@KEYS@(n, ABREAST, 1, block);
    for (int64_t k = 0; k < n * ABREAST; k++)
        block[k] = (@INTS@)@UNORDERED@((@BITS@)block[k] ^ ST_TURN_@KEYS@);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < n; j++) x[i * n + j] = (@BITS@)block[j * ABREAST + i];
}

static void st_sort_row_@SUFFIX@(int64_t n, @TYPE@ *x, @TYPE@ *work) {
    st_key_@KEYS@ *const keys = (st_key_@KEYS@ *)x;
    for (int64_t i = 0; i < n; i++) keys[i] = @ORDERED@(keys[i]);
    st_sort_keys_@KEYS@(n, keys, (st_key_@KEYS@ *)work, 0);
    for (int64_t i = 0; i < n; i++) keys[i] = @UNORDERED@(keys[i]);
}

static void st_sort_rows_@SUFFIX@(int64_t rows, int64_t n, @TYPE@ *x, @TYPE@ *work) {
    int64_t row = 0;
    while (n <= ST_SHORT_@SUFFIX@ && rows - row >= 4) {
        const int64_t rest = rows - row, most = ST_ABREAST_@SUFFIX@;
        const int64_t abreast = rest < most ? rest : most;
        st_sort_abreast_@SUFFIX@(abreast, n, (st_key_@KEYS@ *)(x + row * n));
        row += abreast;
    }
    for (; row < rows; row++) st_sort_row_@SUFFIX@(n, x + row * n, work);
}
#endif

#if IS_COMPLEX
static void st_merge_values_@SUFFIX@(int64_t n, @TYPE@ *x, @TYPE@ *work) {
    enum { SHORT = 16 };
    for (int64_t begin = 0; begin < n; begin += SHORT) {
        const int64_t end = begin + SHORT < n ? begin + SHORT : n;
        for (int64_t i = begin + 1; i < end; i++) {
            const @TYPE@ value = x[i];
            int64_t j = i;
            for (; j > begin && @LESS@(value, x[j - 1]); j--) x[j] = x[j - 1];
            x[j] = value;
        }
    }
    @TYPE@ *from = x, *to = work;
    for (int64_t width = SHORT; width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            const int64_t middle = begin + width < n ? begin + width : n;
            const int64_t end = middle + width < n ? middle + width : n;
            int64_t i = begin, j = middle;
            for (int64_t k = begin; k < end; k++) {
                const int second = i >= middle || (j < end && @LESS@(from[j], from[i]));
                to[k] = second ? from[j++] : from[i++];
            }
        }
        @TYPE@ *const other = from;
        from = to, to = other;
    }
    if (from != x) __builtin_memcpy(x, from, (size_t)n * sizeof *x);
}

/* Complex numbers are sorted by one key with the real part in the upper bits. If a number has no
   such key (NaN, or a real part of -0), they are sorted by comparisons. */
static void st_sort_row_@SUFFIX@(int64_t n, @TYPE@ *x, @TYPE@ *work) {
    enum { HALF = 8 * sizeof(@REAL@) };
    const @UNITS@ lowest = (@UNITS@)1 << (HALF - 1);
    st_key_@KEYS@ *const keys = (st_key_@KEYS@ *)x;
    int plain = 1;
    for (int64_t i = 0; i < n; i++) {
        const @UNITS@ real = (@UNITS@)keys[i], imaginary = (@UNITS@)(keys[i] >> HALF);
        plain &= (x[i] == x[i]) & (real != lowest);
    }
    if (!plain) {
        st_merge_values_@SUFFIX@(n, x, work);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const @UNITS@ real = @ORDERED@((@UNITS@)keys[i]), other = @ORDERED@((@UNITS@)(keys[i] >> HALF));
        keys[i] = (@BITS@)real << HALF | other;
    }
    st_sort_keys_@KEYS@(n, keys, (st_key_@KEYS@ *)work, 0);
    for (int64_t i = 0; i < n; i++) {
        const @UNITS@ real = @UNORDERED@((@UNITS@)(keys[i] >> HALF)), other = @UNORDERED@((@UNITS@)keys[i]);
        keys[i] = (@BITS@)other << HALF | real;
    }
}

static void st_sort_rows_@SUFFIX@(int64_t rows, int64_t n, @TYPE@ *x, @TYPE@ *work) {
    for (int64_t row = 0; row < rows; row++) st_sort_row_@SUFFIX@(n, x + row * n, work);
}
#endif

static inline double st_sort_work_@SUFFIX@(int64_t rows, int64_t n) {
    return 10.0 * (double)rows * (double)n;
}

static int64_t st_sort_bytes_@SUFFIX@(const st_runtime *runtime, const st_rows *args) {
    const int64_t rows = args->rows, n = args->n;
    if (rows <= 0 || n <= 1) return 0;
    const int64_t parts = st_row_parts(runtime, rows, st_sort_work_@SUFFIX@(rows, n));
    return st_size_of(st_size_times(parts, n), sizeof(@TYPE@));
}

static __attribute__((noinline)) void st_sort_@SUFFIX@(const st_runtime *runtime,
                                            const st_rows *args, @TYPE@ *x, void *memory,
                                            int64_t bytes) {
    const int64_t rows = args->rows, n = args->n;
    @TYPE@ *const work = memory;
    (void)bytes;
    if (rows <= 0 || n <= 1) return;
    const double additions = st_sort_work_@SUFFIX@(rows, n);
    const int64_t parts = st_row_parts(runtime, rows, additions);
    st_announce(runtime, additions);
    if (parts == 1) {
        /* Starting a parallel region takes as long as sorting a short row. */
        st_sort_rows_@SUFFIX@(rows, n, x, work);
        return;
    }
#pragma omp parallel for num_threads(parts)
    for (int64_t part = 0; part < parts; part++) {
        const int64_t begin = rows * part / parts, end = rows * (part + 1) / parts;
        st_sort_rows_@SUFFIX@(end - begin, n, x + begin * n, work + part * n);
    }
}
