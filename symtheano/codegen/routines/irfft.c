#include "../fourier/numbers.inc"
#include "../fourier/roots.inc"
#include "../fourier/passes.inc"
#include "fourier_lanes.inc"
#include "fourier_tables.inc"
#include "fourier_steps.inc"
#include "fourier.inc"
#include "fourier_calls.inc"
#include "../fourier/halves.inc"
#include "fourier_halves.inc"
#include "fourier_back.inc"

static int64_t st_irfft_bytes_@SUFFIX@(const st_runtime *runtime, int64_t outer, int64_t n,
                                     int64_t inner, int64_t norm) {
    (void)norm;
    return st_real_bytes_@PART@(runtime, outer, n, inner);
}

/* Compute real numbers along the middle axis of an array of outer * n * inner from their
   transforms, given as n / 2 + 1 pairs. The imaginary parts of the first pair, and of the last one
   if n is even, are ignored.

   int32_t st_irfft_@SUFFIX@(const st_runtime *runtime, int64_t outer, int64_t n, int64_t inner,
                           int64_t norm, const @TYPE@ *x, void *y,
                           void *memory, int64_t bytes)
   norm is 0 for no factor, 1 for 1 / sqrt(n), 2 for 1 / n.
   Returns 0, or 1 if there is not enough memory. */
static __attribute__((noinline)) int32_t st_irfft_@SUFFIX@(
    const st_runtime *runtime, int64_t outer, int64_t n, int64_t inner, int64_t norm,
    const @TYPE@ *x, void *y, void *memory, int64_t bytes) {
    (void)bytes;
    if (outer <= 0 || n <= 0 || inner <= 0) return 0;
    st_call_@PART@ call = {
        .n = n, .given = n / 2 + 1, .made = n, .outer = outer, .inner = inner,
        .scale = st_scale_@PART@(norm, n), .run = st_run_irfft_@PART@,
        .from = st_complex_@PART@(x, n / 2 + 1, inner),
        .to = n % 2 ? st_real_@PART@(y, n, inner) : st_paired_@PART@(y, n, inner)};
    if (st_begin_real_@PART@(&call)) return 1;
    st_run_@PART@(runtime, &call, memory);
    if (call.turns) st_leave_table_@PART@(call.turns);
    st_end_@PART@(&call.f);
    return 0;
}
