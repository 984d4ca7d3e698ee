/* The positions that sort each row. The sort is stable and NaN comes last.

   void st_argsort_@SUFFIX@(const st_runtime *runtime, const st_rows *args, const @TYPE@ *x,
                          int64_t *order, void *memory, int64_t bytes) */

#include "network.inc" /* uint64_t */
#include "merging.inc" /* uint64_t */
#include "digits.inc" /* uint64_t */
#include "ranks.inc"
#include "threads.inc"

enum { ST_RANKED_@SUFFIX@ = 128, ST_RANKED_ABREAST_@SUFFIX@ = 16 };

/* The positions that sort a few short rows. They are sorted together, as columns of ranks. */
static void st_argsort_abreast_@SUFFIX@(int64_t rows, int64_t n, const @TYPE@ *x, int64_t *order) {
    enum { BELOW = 7, ABREAST = ST_RANKED_ABREAST_@SUFFIX@ };
    int64_t block[ST_RANKED_@SUFFIX@ * ABREAST];
    uint64_t differ = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < ABREAST; i++)
            block[j * ABREAST + i] = (int64_t)st_rank_@SUFFIX@(x[(i < rows ? i : 0) * n + j]);
    for (int64_t k = 0; k < n * ABREAST; k++) differ |= (uint64_t)(block[k] ^ block[0]);
    const st_range_@SUFFIX@ range = st_range_of_@SUFFIX@(differ, BELOW);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < rows; i++) {
            const uint64_t rank = (uint64_t)block[j * ABREAST + i];
            const uint64_t ranked = st_cut_@SUFFIX@(range, rank, BELOW) | (uint64_t)j;
            block[j * ABREAST + i] = (int64_t)(ranked ^ ST_TURN_k64);
        }
    st_network_k64(n, ABREAST, 1, block);
    const int exact = ST_EXACT_@SUFFIX@ && !range.cut;
    const uint64_t turn = exact ? 0 : ST_TURN_k64, mask = exact ? (1 << BELOW) - 1 : (uint64_t)-1;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < n; j++)
            order[i * n + j] = (int64_t)(((uint64_t)block[j * ABREAST + i] ^ turn) & mask);
    for (int64_t i = 0; i < rows && !exact; i++, order += n, x += n)
        if (!st_compare_ranked_@SUFFIX@(n, 1, x, order, BELOW))
            st_merge_rows_@SUFFIX@(n, 1, x, order, block);
}

static void st_argsort_rows_@SUFFIX@(int64_t rows, int64_t n, const @TYPE@ *x, int64_t *order,
                                   int64_t *work) {
    int64_t row = 0;
    while (n <= ST_RANKED_@SUFFIX@ && rows - row >= 4) {
        const int64_t rest = rows - row, most = ST_RANKED_ABREAST_@SUFFIX@;
        const int64_t abreast = rest < most ? rest : most;
        st_argsort_abreast_@SUFFIX@(abreast, n, x + row * n, order + row * n);
        row += abreast;
    }
    for (; row < rows; row++) st_order_rows_@SUFFIX@(n, 1, x + row * n, order + row * n, work);
}

static inline double st_argsort_work_@SUFFIX@(int64_t rows, int64_t n) {
    return 20.0 * (double)rows * (double)n;
}

static int64_t st_argsort_bytes_@SUFFIX@(const st_runtime *runtime, const st_rows *args) {
    const int64_t rows = args->rows, n = args->n;
    if (rows <= 0 || n <= 0) return 0;
    const int64_t parts = st_row_parts(runtime, rows, st_argsort_work_@SUFFIX@(rows, n));
    return st_size_of(st_size_times(parts, n), sizeof(int64_t));
}

static __attribute__((noinline)) void st_argsort_@SUFFIX@(
    const st_runtime *runtime, const st_rows *args, const @TYPE@ *x, int64_t *order, void *memory,
    int64_t bytes) {
    const int64_t rows = args->rows, n = args->n;
    int64_t *const work = memory;
    (void)bytes;
    if (rows <= 0 || n <= 0) return;
    const double additions = st_argsort_work_@SUFFIX@(rows, n);
    const int64_t parts = st_row_parts(runtime, rows, additions);
    st_announce(runtime, additions);
    if (parts == 1) {
        /* Starting a parallel region takes as long as sorting a short row. */
        st_argsort_rows_@SUFFIX@(rows, n, x, order, work);
        return;
    }
#pragma omp parallel for num_threads(parts)
    for (int64_t part = 0; part < parts; part++) {
        const int64_t begin = rows * part / parts, end = rows * (part + 1) / parts;
        st_argsort_rows_@SUFFIX@(end - begin, n, x + begin * n, order + begin * n, work + part * n);
    }
}
