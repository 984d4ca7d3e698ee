/* The positions of the `number` largest elements of each row, the largest first; if `number` is
   negative, of the -number smallest ones. They are the end, or the beginning, of argsort's order.

   void st_argtop_@SUFFIX@(const st_runtime *runtime, const st_argtop *args, const @TYPE@ *x,
                         int64_t *order, void *memory, int64_t bytes) */

#include "network.inc" /* uint64_t */
#include "merging.inc" /* uint64_t */
#include "digits.inc" /* uint64_t */
#include "ranks.inc"
#include "threads.inc"

static void st_argtop_sorted_@SUFFIX@(int64_t n, int64_t number, const @TYPE@ *x, int64_t *order,
                                    int64_t *work) {
    st_order_rows_@SUFFIX@(n, 1, x, work, work + n);
    for (int64_t k = 0; k < number; k++) order[k] = work[n - 1 - k];
    for (int64_t k = 0; k < -number; k++) order[k] = work[k];
}

#if IS_REAL
#include "network.inc" /* uint128_t */
#include "merging.inc" /* uint128_t */

/* Keep the elements that can be among the largest. When `kept` is full, it is sorted, and all but
   the largest `count` elements are dropped. */
static void st_argtop_chosen_@SUFFIX@(int64_t n, int64_t number, const @TYPE@ *x, int64_t *order,
                                    st_key_k128 *kept, int64_t room) {
    const int64_t count = number < 0 ? -number : number;
    const uint64_t turn = number < 0 ? (uint64_t)-1 : 0;
    st_key_k128 *const work = kept + room;
    uint64_t least = 0;
    int64_t there = 0;
    for (int64_t i = 0; i <= n; i++) {
        const uint64_t rank = i < n ? st_rank_@SUFFIX@(x[i]) ^ turn : 0;
        if (i < n && rank < least) continue;
        if (there == room || i == n) {
            for (int64_t k = 0; k < there; k++) kept[k] = ~kept[k];
            st_merge_sort_k128(there, kept, work);
            for (int64_t k = 0; k < there; k++) kept[k] = ~kept[k];
            there = count;
            least = (uint64_t)(kept[count - 1] >> 64);
            if (i == n) break;
        }
        kept[there++] = (st_key_k128)rank << 64 | ((uint64_t)i ^ turn);
    }
    for (int64_t k = 0; k < count; k++) order[k] = (int64_t)((uint64_t)kept[k] ^ turn);
}
#endif

static void st_argtop_row_@SUFFIX@(int64_t n, int64_t number, const @TYPE@ *x, int64_t *order,
                                 int64_t *work) {
#if IS_REAL
    const int64_t count = number < 0 ? -number : number;
    const int64_t room = count < 16 ? 64 : 4 * count;
    if (4 * room <= n) {
        st_argtop_chosen_@SUFFIX@(n, number, x, order, (st_key_k128 *)work, room);
        return;
    }
#endif
    st_argtop_sorted_@SUFFIX@(n, number, x, order, work);
}

static inline double st_argtop_work_@SUFFIX@(int64_t rows, int64_t n) {
    return 10.0 * (double)rows * (double)n;
}

static int64_t st_argtop_bytes_@SUFFIX@(const st_runtime *runtime, const st_argtop *args) {
    const int64_t rows = args->rows, n = args->n, number = args->number;
    if (rows <= 0 || n <= 0 || !number) return 0;
    const int64_t parts = st_row_parts(runtime, rows, st_argtop_work_@SUFFIX@(rows, n));
    return st_size_of(st_size_times(2 * parts, n), sizeof(int64_t));
}

static __attribute__((noinline)) void st_argtop_@SUFFIX@(
    const st_runtime *runtime, const st_argtop *args, const @TYPE@ *x, int64_t *order, void *memory,
    int64_t bytes) {
    const int64_t rows = args->rows, n = args->n, number = args->number;
    int64_t *const work = memory;
    (void)bytes;
    if (rows <= 0 || n <= 0 || !number) return;
    const double additions = st_argtop_work_@SUFFIX@(rows, n);
    const int64_t parts = st_row_parts(runtime, rows, additions);
    const int64_t count = number < 0 ? -number : number, each = 2 * n;
    st_announce(runtime, additions);
#pragma omp parallel for num_threads(parts) if (parts > 1)
    for (int64_t part = 0; part < parts; part++)
        for (int64_t row = rows * part / parts; row < rows * (part + 1) / parts; row++)
            st_argtop_row_@SUFFIX@(n, number, x + row * n, order + row * count, work + part * each);
}
