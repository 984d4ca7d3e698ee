#include "fourier.inc"

/* Transforms of rows of real numbers: y has n / 2 + 1 pairs (real part, imaginary part) for a row.

   int32_t st_rfft_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x,
                          TYPE *y)
   returns 0, or 1 when there was no memory. */

/* The spectrum of a row from that of its pairs of neighbours: z holds n / 2 + 1 numbers. */
static void st_split_SUFFIX(int64_t n, const st_pair_SUFFIX *w, st_pair_SUFFIX *z) {
    const int64_t half = n / 2;
    z[half] = z[0];
    for (int64_t k = 0; 2 * k <= half; k++) {
        const st_pair_SUFFIX a = z[k], b = {z[half - k].re, -z[half - k].im};
        const st_pair_SUFFIX even = {(a.re + b.re) / 2, (a.im + b.im) / 2};
        const st_pair_SUFFIX odd = {(a.im - b.im) / 2, (b.re - a.re) / 2};
        const st_pair_SUFFIX turned = st_times_SUFFIX(odd, w[k]);
        z[k] = st_plus_SUFFIX(even, turned);
        z[half - k] = (st_pair_SUFFIX){even.re - turned.re, turned.im - even.im};
    }
}

static __attribute__((noinline)) int32_t st_rfft_SUFFIX(
    const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x, TYPE *y) {
    if (rows <= 0 || n <= 0) return 0;
    st_announce(runtime, 40.0 * (double)rows * (double)n);
    const int64_t width = n / 2 + 1, length = n % 2 ? n : n / 2;
    st_fourier_SUFFIX f;
    if (st_begin_SUFFIX(&f, length, 1)) return 1;
    st_pair_SUFFIX *const line = malloc(2 * ((size_t)n + 1) * sizeof *line);
    if (!line) {
        free(f.roots);
        return 1;
    }
    st_pair_SUFFIX *const turns = line + n + 1;
    if (n % 2 == 0) st_roots_SUFFIX(n, 1, turns);
    for (int64_t row = 0; row < rows; row++) {
        const TYPE *const from = x + row * n;
        st_pair_SUFFIX *const to = (st_pair_SUFFIX *)(y + row * 2 * width);
        if (n % 2) for (int64_t k = 0; k < n; k++) line[k] = (st_pair_SUFFIX){from[k], 0};
        else __builtin_memcpy(line, from, (size_t)n * sizeof *from);
        st_transform_SUFFIX(&f, line);
        if (n % 2 == 0) st_split_SUFFIX(n, turns, line);
        __builtin_memcpy(to, line, (size_t)width * sizeof *to);
    }
    free(line);
    free(f.roots);
    return 0;
}
