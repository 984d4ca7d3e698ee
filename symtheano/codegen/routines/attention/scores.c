/* Scores: what attention and its gradient share. An item is one pair of matrices of a batch; blocks of
   its scores, of some rows (queries) and some columns (keys), are the only ones in memory. */

/* The most rows and columns of a block, and elements between the ends of its rows. */
enum { ST_SCORES_ROWS = 96, ST_SCORES_KEYS = 256, ST_SCORES_PAD = 16 };
enum { ST_SCORES_STEP = ST_SCORES_KEYS + ST_SCORES_PAD };

/* Where an item of an array begins. */
static inline int64_t st_item_place(const int64_t *batch, const int64_t *steps, int64_t item) {
    const int64_t last = item % batch[2], rest = item / batch[2];
    return rest / batch[1] * steps[0] + rest % batch[1] * steps[1] + last * steps[2];
}

static inline int64_t st_blocks(int64_t length, int64_t each) {
    return st_size_plus(length, each - 1) / each;
}

/* Rows of a block: a multiple of those of a product's tile, so that the blocks are about equal. */
static inline int64_t st_rows_at_once(int64_t rows) {
    const int64_t blocks = st_blocks(rows, ST_SCORES_ROWS);
    return blocks < 1 ? 1 : (st_blocks(rows, blocks) + 5) / 6 * 6;
}

/* Elements for a copy of n columns and k rows to panels. */
static inline int64_t st_panels_size(int64_t n, int64_t k) {
    return st_size_plus(st_size_times(st_size_plus(n, 15), k), 31) / 16 * 16;
}

/* What a call is about: lengths of the arrays, whether later keys are left out, and of how many keys
   the exponentials of a row are kept. */
typedef struct st_attention_lengths {
    int64_t items, rows, keys, depth, width, causal, kept;
} st_attention_lengths;

static inline double st_attention_work(const st_attention_lengths *l) {
    return (double)l->items * (double)l->rows * (double)l->keys
           * ((double)l->depth + (double)l->width);
}

/* How many threads share the items, and into how many tasks each item is divided. */
typedef struct st_shared_items { int64_t threads, pieces; } st_shared_items;

static inline st_shared_items st_share_items(const st_runtime *runtime,
                                             const st_attention_lengths *l) {
    const int64_t threads = runtime->threads, items = l->items;
    const int64_t blocks = st_blocks(l->rows, st_rows_at_once(l->rows));
    const double work = st_attention_work(l);
    /* If our kernels are not there, a library must not start threads in ours. */
    if (threads < 2 || work < 20 * ST_LONG_WORK || !runtime->blas || !runtime->blas->set_threads)
        return (st_shared_items){1, 1};
    if (items % threads == 0 || items >= 4 * threads) return (st_shared_items){threads, 1};
    const int64_t pieces = ST_MAX(ST_MIN(threads, blocks), 1);
    return (st_shared_items){ST_MAX(ST_MIN(threads, items * pieces), 1), pieces};
}

/* Steps are those of three axes of items, of rows and, of what is added and chosen, of columns: 0 or
   1. Scores where `chosen` is false are `fill`. If it is causal, so are those of later columns. */
typedef struct st_scores_@SUFFIX@ {
    const st_runtime *runtime;
    int64_t rows, keys, depth, width;
    const int64_t *batch, *q_steps, *k_steps, *v_steps, *bias_steps, *chosen_steps;
    @TYPE@ scale, fill;
    int64_t causal;
    const @TYPE@ *q, *k, *v, *bias;
    const bool *chosen;
} st_scores_@SUFFIX@;

/* Whether scores of a block are needed: with a causal choice, some keys come after all rows. */
static inline int st_is_seen_@SUFFIX@(const st_scores_@SUFFIX@ *s, int64_t end, int64_t key) {
    return !s->causal || key < end;
}

/* Write what a row of scores is after the product: from a column on, `count` of them. */
ST_ONCE void st_finish_scores_@SUFFIX@(const st_scores_@SUFFIX@ *s, int64_t row, int64_t key,
                                     int64_t count, @TYPE@ *x) {
    if (s->bias) {
        const int64_t column = s->bias_steps[4];
        const @TYPE@ *bias = s->bias + row * s->bias_steps[3] + key * column;
        if (column) {
            #pragma omp simd
            for (int64_t j = 0; j < count; j++) x[j] += bias[j];
        } else {
            const @TYPE@ one = *bias;
            #pragma omp simd
            for (int64_t j = 0; j < count; j++) x[j] += one;
        }
    }
    if (s->chosen) {
        const int64_t column = s->chosen_steps[4];
        const bool *chosen = s->chosen + row * s->chosen_steps[3] + key * column;
        const @TYPE@ fill = s->fill;
        if (column) {
            #pragma omp simd
            for (int64_t j = 0; j < count; j++) x[j] = chosen[j] ? x[j] : fill;
        } else if (!*chosen) {
            for (int64_t j = 0; j < count; j++) x[j] = fill;
        }
    }
    if (s->causal)
        for (int64_t j = ST_MAX(row + 1 - key, 0); j < count; j++) x[j] = s->fill;
}
