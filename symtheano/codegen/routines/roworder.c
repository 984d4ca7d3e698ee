/* The order that sorts the rows of a matrix, the first column first; equal rows stay in order, NaN
   comes last.

   int32_t st_roworder_SUFFIX(const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x,
                              int64_t *order)
   returns 0, or 1 when there was no memory. */

#include "network.inc" /* uint64_t */
#include "merging.inc" /* uint64_t */
#include "digits.inc" /* uint64_t */
#include "ranks.inc"

static __attribute__((noinline)) int32_t st_roworder_SUFFIX(
    const st_runtime *runtime, int64_t rows, int64_t n, const TYPE *x, int64_t *order) {
    if (rows <= 0) return 0;
    st_announce(runtime, 60.0 * (double)rows);
    if (n <= 0) {
        for (int64_t i = 0; i < rows; i++) order[i] = i;
        return 0;
    }
    int64_t *const work = malloc((size_t)rows * sizeof *work);
    if (!work) return 1;
    st_order_rows_SUFFIX(rows, n, x, order, work);
    free(work);
    return 0;
}
