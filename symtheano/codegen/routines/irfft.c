#include "fourier.inc"

/* Rows of n real numbers whose transforms are given by n / 2 + 1 pairs, times n. The imaginary
   parts of the first pair, and of the last one where n is even, do not count.

   int32_t st_irfft_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x,
                           TYPE *y)
   returns 0, or 1 when there was no memory. */
static __attribute__((noinline)) int32_t st_irfft_SUFFIX(
    const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x, TYPE *y) {
    if (rows <= 0 || n <= 0) return 0;
    st_announce(runtime, 40.0 * (double)rows * (double)n);
    const int64_t width = n / 2 + 1, length = n % 2 ? n : n / 2;
    st_fourier_SUFFIX f;
    if (st_begin_SUFFIX(&f, length, -1)) return 1;
    st_pair_SUFFIX *const line = malloc(2 * ((size_t)n + 1) * sizeof *line);
    if (!line) {
        free(f.roots);
        return 1;
    }
    st_pair_SUFFIX *const turns = line + n + 1;
    if (n % 2 == 0) st_roots_SUFFIX(n, -1, turns);
    for (int64_t row = 0; row < rows; row++) {
        const st_pair_SUFFIX *const from = (const st_pair_SUFFIX *)(x + row * 2 * width);
        TYPE *const to = y + row * n;
        if (n % 2) {
            line[0] = (st_pair_SUFFIX){from[0].re, 0};
            for (int64_t k = 1; k < width; k++) {
                line[k] = from[k];
                line[n - k] = (st_pair_SUFFIX){from[k].re, -from[k].im};
            }
            st_transform_SUFFIX(&f, line);
            for (int64_t k = 0; k < n; k++) to[k] = line[k].re;
            continue;
        }
        /* Pairs of neighbours: (even + i odd), with the even and odd halves' spectra. */
        for (int64_t k = 0; k < length; k++) {
            const st_pair_SUFFIX a = {from[k].re, k ? from[k].im : 0};
            const int64_t other = length - k;
            const st_pair_SUFFIX b = {from[other].re, k ? -from[other].im : 0};
            const st_pair_SUFFIX even = st_plus_SUFFIX(a, b);
            const st_pair_SUFFIX odd = st_times_SUFFIX(st_minus_SUFFIX(a, b), turns[k]);
            line[k] = (st_pair_SUFFIX){even.re - odd.im, even.im + odd.re};
        }
        st_transform_SUFFIX(&f, line);
        __builtin_memcpy(to, line, (size_t)n * sizeof *to);
    }
    free(line);
    free(f.roots);
    return 0;
}
