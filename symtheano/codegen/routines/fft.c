#include "fourier.inc"

/* Transform rows of complex numbers in place; inverse is 1, or -1 for the inverse times n.

   int32_t st_fft_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, int64_t inverse,
                         TYPE *x)
   returns 0, or 1 when there was no memory. */
static __attribute__((noinline)) int32_t st_fft_SUFFIX(
    const st_runtime *runtime, int64_t rows, int64_t n, int64_t inverse, TYPE *x) {
    if (rows <= 0 || n <= 0) return 0;
    st_announce(runtime, 80.0 * (double)rows * (double)n);
    st_fourier_SUFFIX f;
    if (st_begin_SUFFIX(&f, n, (int)inverse)) return 1;
    for (int64_t row = 0; row < rows; row++)
        st_transform_SUFFIX(&f, (st_pair_SUFFIX *)x + row * n);
    free(f.roots);
    return 0;
}
