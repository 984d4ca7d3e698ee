#include "fourier_lanes.inc"
#include "fourier_passes.inc"
#include "fourier_tables.inc"
#include "fourier_steps.inc"
#include "fourier.inc"
#include "fourier_calls.inc"
#include "fourier_halves.inc"

static void st_run_rfft_PART(const st_call_PART *call, st_place_PART from, st_place_PART to,
                             int64_t count, st_wide_PART *room, int64_t threads) {
    const st_fourier_PART *const f = &call->f;
    const int odd = call->n % 2;
    const st_pair_PART *const turns = odd ? NULL : st_numbers_PART(call->turns);
    const REAL scale = odd ? call->scale : call->scale / 2;
    if (f->roots) {
        st_load_PART(from, f->n, count, 0, room);
        st_wide_PART *const z =
            st_passes_PART(f->n, st_numbers_PART(f->roots), room, room + f->n + 1);
        if (!odd) st_halves_PART(f->n, turns, 0, z);
        st_store_PART(z, call->made, count, 0, scale, to);
        return;
    }
    st_pair_PART *const line = to.step == 2 && !odd ? (st_pair_PART *)to.at : (st_pair_PART *)room;
    const st_place_PART place = {&line->re, 1, 2, 2};
    st_transform_PART(f, from, 0, scale, place, room + call->extra, threads);
    if (!odd) st_halves_of_one_PART(f->n, turns, 0, line);
    if (&line->re != to.at) st_copy_pairs_PART(call->made, place, to);
}

static int64_t st_rfft_bytes_SUFFIX(const st_runtime *runtime, int64_t outer, int64_t n,
                                    int64_t inner, int64_t norm) {
    (void)norm;
    return st_real_bytes_PART(runtime, outer, n, inner);
}

/* Transform real numbers along the middle axis of an array of outer * n * inner. Along this axis, y
   has n / 2 + 1 pairs of a real and an imaginary part.

   int32_t st_rfft_SUFFIX(const st_runtime *runtime, int64_t outer, int64_t n, int64_t inner,
                          int64_t norm, const TYPE *x, void *y,
                          void *memory, int64_t bytes)
   norm is 0 for no factor, 1 for 1 / sqrt(n), 2 for 1 / n.
   Returns 0, or 1 if there is not enough memory. */
static __attribute__((noinline)) int32_t st_rfft_SUFFIX(
    const st_runtime *runtime, int64_t outer, int64_t n, int64_t inner, int64_t norm,
    const TYPE *x, void *y, void *memory, int64_t bytes) {
    (void)bytes;
    if (outer <= 0 || n <= 0 || inner <= 0) return 0;
    st_call_PART call = {
        .n = n, .given = n, .made = n / 2 + 1, .outer = outer, .inner = inner,
        .scale = st_scale_PART(norm, n), .run = st_run_rfft_PART,
        .from = n % 2 ? st_real_PART(x, n, inner) : st_paired_PART(x, n, inner),
        .to = st_complex_PART(y, n / 2 + 1, inner)};
    if (st_begin_real_PART(&call)) return 1;
    st_run_PART(runtime, &call, memory);
    if (call.turns) st_leave_table_PART(call.turns);
    st_end_PART(&call.f);
    return 0;
}
