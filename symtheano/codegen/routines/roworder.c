/* The order that sorts the rows of a matrix lexicographically, by the first column first. The sort
   is stable and NaN comes last.

   void st_roworder_@SUFFIX@(const st_runtime *runtime, const st_rows *args, const @TYPE@ *x,
                           int64_t *order, void *memory, int64_t bytes) */

#include "network.inc" /* uint64_t */
#include "merging.inc" /* uint64_t */
#include "digits.inc" /* uint64_t */
#include "ranks.inc"

static int64_t st_roworder_bytes_@SUFFIX@(const st_runtime *runtime, const st_rows *args) {
    const int64_t rows = args->rows, n = args->n;
    (void)runtime;
    return rows <= 0 || n <= 0 ? 0 : st_size_of(rows, sizeof(int64_t));
}

static __attribute__((noinline)) void st_roworder_@SUFFIX@(
    const st_runtime *runtime, const st_rows *args, const @TYPE@ *x, int64_t *order, void *memory,
    int64_t bytes) {
    const int64_t rows = args->rows, n = args->n;
    (void)bytes;
    if (rows <= 0) return;
    st_announce(runtime, 60.0 * (double)rows);
    if (n <= 0) {
        for (int64_t i = 0; i < rows; i++) order[i] = i;
        return;
    }
    st_order_rows_@SUFFIX@(rows, n, x, order, memory);
}
