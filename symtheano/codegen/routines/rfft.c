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

static void st_run_rfft_@PART@(const st_call_@PART@ *call, st_place_@PART@ from, st_place_@PART@ to,
                             int64_t count, st_wide_@PART@ *room, int64_t threads) {
    const st_fourier_@PART@ *const f = &call->f;
    const int odd = call->n % 2;
    const st_pair_@PART@ *const turns = odd ? NULL : st_numbers_@PART@(call->turns);
    const @REAL@ scale = odd ? call->scale : call->scale / 2;
    if (f->together) {
        const st_plan_@PART@ *const plan = st_numbers_@PART@(f->several);
        st_load_@PART@(from, f->n, count, 0, room);
        st_run_passes_@PART@(plan, 0, room);
        if (!odd) st_halves_@PART@(f->n, turns, plan->places, 0, room);
        st_store_@PART@(room, plan->places, call->made, count, 0, scale, to);
        return;
    }
    st_pair_@PART@ *const line = to.step == 2 && !odd ? (st_pair_@PART@ *)to.at : (st_pair_@PART@ *)room;
    const st_place_@PART@ place = {&line->re, 1, 2, 2};
    st_transform_@PART@(f, from, 0, scale, place, room + call->extra, threads);
    if (!odd) st_halves_of_one_@PART@(f->n, turns, 0, line);
    if (&line->re != to.at) st_copy_pairs_@PART@(call->made, place, to);
}

static int64_t st_rfft_bytes_@SUFFIX@(const st_runtime *runtime, int64_t outer, int64_t n,
                                    int64_t inner, int64_t norm) {
    (void)norm;
    return st_real_bytes_@PART@(runtime, outer, n, inner);
}

/* Transform real numbers along the middle axis of an array of outer * n * inner. Along this axis, y
   has n / 2 + 1 pairs of a real and an imaginary part.

   int32_t st_rfft_@SUFFIX@(const st_runtime *runtime, int64_t outer, int64_t n, int64_t inner,
                          int64_t norm, const @TYPE@ *x, void *y,
                          void *memory, int64_t bytes)
   norm is 0 for no factor, 1 for 1 / sqrt(n), 2 for 1 / n.
   Returns 0, or 1 if there is not enough memory. */
static __attribute__((noinline)) int32_t st_rfft_@SUFFIX@(
    const st_runtime *runtime, int64_t outer, int64_t n, int64_t inner, int64_t norm,
    const @TYPE@ *x, void *y, void *memory, int64_t bytes) {
    (void)bytes;
    if (outer <= 0 || n <= 0 || inner <= 0) return 0;
    st_call_@PART@ call = {
        .n = n, .given = n, .made = n / 2 + 1, .outer = outer, .inner = inner,
        .scale = st_scale_@PART@(norm, n), .run = st_run_rfft_@PART@,
        .from = n % 2 ? st_real_@PART@(x, n, inner) : st_paired_@PART@(x, n, inner),
        .to = st_complex_@PART@(y, n / 2 + 1, inner)};
    if (st_begin_real_@PART@(&call)) return 1;
    st_run_@PART@(runtime, &call, memory);
    if (call.turns) st_leave_table_@PART@(call.turns);
    st_end_@PART@(&call.f);
    return 0;
}
