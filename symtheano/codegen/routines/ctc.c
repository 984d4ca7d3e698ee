/* Connectionist temporal classification (Graves et al., 2006): for each item the negative logarithm
   of the probability of its labels, summed over all alignments, and the gradient of the scores.
   Sums over alignments are logarithms, added forwards (a) and backwards (b) in double precision.

   void st_ctc_@SUFFIX@(const st_runtime *runtime, int64_t steps, int64_t items, int64_t classes,
                      int64_t most, const @TYPE@ *scores, const int64_t *labels,
                      const int64_t *lengths, @TYPE@ *costs, @TYPE@ *slopes, void *memory,
                      int64_t bytes)

   The scores are (steps, items, classes), the labels (items, most); negative ones are padding. */

#include "alignments.inc"

/* Numbers of 8 bytes: of each step two for each place and a total, and three lines of places. */
static int64_t st_ctc_bytes_@SUFFIX@(const st_runtime *runtime, int64_t steps, int64_t items,
                                   int64_t classes, int64_t most) {
    (void)runtime, (void)classes;
    const int64_t width = st_size_plus(st_size_times(2, most), 1);
    const int64_t each = st_size_plus(st_size_times(2, width), 1);
    const int64_t lines = st_size_times(3, width);
    return items <= 0 ? 0 : st_size_of(st_size_plus(st_size_times(steps, each), lines), 8);
}

static __attribute__((noinline)) void st_ctc_@SUFFIX@(
    const st_runtime *runtime, int64_t steps, int64_t items, int64_t classes, int64_t most,
    const @TYPE@ *scores, const int64_t *labels, const int64_t *lengths, @TYPE@ *costs, @TYPE@ *slopes,
    void *memory, int64_t bytes) {
    (void)bytes;
    if (items <= 0) return;
    const double nothing = -__builtin_inf();
    const int64_t width = 2 * most + 1, row = items * classes;
    double *logs = (double *)memory, *a = logs + steps * width, *b = a + steps * width;
    double *later = b + width, *totals = later + width;
    int64_t *label = (int64_t *)(totals + steps);
    st_announce(runtime, 60.0 * (double)steps * (double)items * (double)(classes + width));
    for (int64_t item = 0; item < items; item++) {
        const int64_t length = lengths[item];
        const @TYPE@ *x = scores + item * classes;
        @TYPE@ *slope = slopes + item * classes;
        int64_t places = 1;
        label[0] = 0;
        for (int64_t k = 0; k < most; k++)
            if (labels[item * most + k] >= 0) {
                label[places] = labels[item * most + k];
                label[places + 1] = 0;
                places += 2;
            }
        for (int64_t t = 0; t < length; t++) {
            double top = nothing, sum = 0;
            for (int64_t c = 0; c < classes; c++) top = x[t * row + c] > top ? x[t * row + c] : top;
            for (int64_t c = 0; c < classes; c++) sum += exp(x[t * row + c] - top);
            totals[t] = top + log(sum);
            for (int64_t s = 0; s < places; s++)
                logs[t * width + s] = x[t * row + label[s]] - totals[t];
            for (int64_t s = 0; s < places; s++)
                a[t * width + s] = t == 0
                    ? (s < 2 ? logs[s] : nothing)
                    : logs[t * width + s]
                        + st_ctc_reach(a + (t - 1) * width, label, s, -1, places);
        }
        double total = length == 0 && places == 1 ? 0 : nothing;
        if (length > 0) {
            const double *last = a + (length - 1) * width;
            total = last[places - 1];
            if (places > 1) total = st_ctc_add(total, last[places - 2]);
        }
        costs[item] = (@TYPE@)(0 - total);
        for (int64_t t = 0; t < steps; t++)
            for (int64_t c = 0; c < classes; c++)
                slope[t * row + c] = t < length && total != nothing
                    ? (@TYPE@)exp(x[t * row + c] - totals[t]) : 0;
        if (total == nothing) continue;
        for (int64_t t = length - 1; t >= 0; t--) {
            for (int64_t s = 0; s < places; s++)
                b[s] = t == length - 1
                    ? (s >= places - 2 ? 0 : nothing)
                    : st_ctc_reach(later, label, s, 1, places);
            for (int64_t s = 0; s < places; s++) {
                slope[t * row + label[s]] -= (@TYPE@)exp(a[t * width + s] + b[s] - total);
                later[s] = b[s] + logs[t * width + s];
            }
        }
    }
}
