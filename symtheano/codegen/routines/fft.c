#include "../fourier/numbers.inc"
#include "../fourier/roots.inc"
#include "../fourier/passes.inc"
#include "fourier_lanes.inc"
#include "fourier_tables.inc"
#include "fourier_steps.inc"
#include "fourier.inc"
#include "fourier_calls.inc"
#include "fourier_whole.inc"

static int64_t st_fft_bytes_@SUFFIX@(const st_runtime *runtime, int64_t outer, int64_t n,
                                   int64_t inner, int64_t inverse, int64_t norm) {
    (void)inverse, (void)norm;
    if (outer <= 0 || n <= 0 || inner <= 0) return 0;
    if (!st_is_possible_@PART@(outer, n, inner)) return ST_MOST_SIZE;
    st_call_@PART@ call = {.n = n, .outer = outer, .inner = inner};
    st_shape_@PART@(&call.f, n, st_together_@PART@(outer, n, inner));
    return st_bytes_of_@PART@(runtime, &call);
}

/* Transform numbers along the middle axis of an array of outer * n * inner; y is complex.

   int32_t st_fft_@SUFFIX@(const st_runtime *runtime, int64_t outer, int64_t n, int64_t inner,
                         int64_t inverse, int64_t norm, const @TYPE@ *x, void *y,
                         void *memory, int64_t bytes)
   inverse is 0 or 1; norm is 0 for no factor, 1 for 1 / sqrt(n), 2 for 1 / n.
   x and y may be the same. Returns 0, or 1 if there is not enough memory. */
static __attribute__((noinline)) int32_t st_fft_@SUFFIX@(
    const st_runtime *runtime, int64_t outer, int64_t n, int64_t inner, int64_t inverse,
    int64_t norm, const @TYPE@ *x, void *y, void *memory, int64_t bytes) {
    (void)bytes;
    if (outer <= 0 || n <= 0 || inner <= 0) return 0;
    st_call_@PART@ call = {
        .n = n, .given = n, .made = n, .outer = outer, .inner = inner, .swap = (int)inverse,
        .scale = st_scale_@PART@(norm, n), .run = st_run_fft_@PART@,
        .to = st_complex_@PART@(y, n, inner)};
#if IS_REAL
    call.from = st_real_@PART@(x, n, inner);
#endif
#if IS_COMPLEX
    call.from = st_complex_@PART@(x, n, inner);
#endif
    st_shape_@PART@(&call.f, n, st_together_@PART@(outer, n, inner));
    if (st_begin_@PART@(&call.f)) return 1;
    st_run_@PART@(runtime, &call, memory);
    st_end_@PART@(&call.f);
    return 0;
}
