/* The gradients of q, k and v. The shares p are computed again, from what attention keeps of each
   row, or of each score; with d = g v' - rowsums(g * result), the gradient of the scores is p * d. A
   column of blocks adds up the gradients of its keys, a row of blocks that of its rows, always in
   the same order: if there are fewer items than threads, both are computed alone, to equal bits. */

/* What is added up: the arrays, and which blocks of an item. */
typedef struct st_slopes_@SUFFIX@ {
    const @TYPE@ *g, *result, *tops, *sums;
    const @TYPE@ *exponentials;  /* 0 if they are not kept */
    const int64_t *g_steps;
    @TYPE@ q_scale, k_scale;
    @TYPE@ *dq, *dk, *dv;
} st_slopes_@SUFFIX@;

/* Replace scores by shares, and what comes from the result by gradients of scores. If exponentials
   were kept, scores are not needed. */
static inline void st_shares_@SUFFIX@(const st_scores_@SUFFIX@ *s, int64_t row, int64_t key,
                                    int64_t count, @TYPE@ top, @TYPE@ share, @TYPE@ inner,
                                    const @TYPE@ *exponentials, @TYPE@ *x, @TYPE@ *d) {
    if (exponentials) {
        #pragma omp simd
        for (int64_t j = 0; j < count; j++) {
            const @TYPE@ p = exponentials[j] * share;
            x[j] = p;
            d[j] = p * (d[j] - inner);
        }
    } else {
        st_finish_scores_@SUFFIX@(s, row, key, count, x);
        #pragma omp simd
        for (int64_t j = 0; j < count; j++) {
            const @TYPE@ p = @EXP@(x[j] - top) * share;
            x[j] = p;
            d[j] = p * (d[j] - inner);
        }
    }
    if (s->chosen) {
        const int64_t column = s->chosen_steps[4];
        const bool *chosen = s->chosen + row * s->chosen_steps[3] + key * column;
        for (int64_t j = 0; j < count; j++) d[j] = chosen[j * column] ? d[j] : 0;
    }
    if (s->causal)
        for (int64_t j = ST_MAX(row + 1 - key, 0); j < count; j++) d[j] = 0;
}

/* Bytes for one task. */
static inline int64_t st_attention_gradient_task_@SUFFIX@(int64_t rows, int64_t depth,
                                                        int64_t width) {
    const int64_t high = st_rows_at_once(rows), blocks = st_blocks(rows, high);
    const int64_t of_block = st_size_plus(st_panels_size(depth, high), st_panels_size(width, high));
    const int64_t parts[] = {
        2 * ST_SCORES_ROWS * ST_SCORES_STEP, st_panels_size(ST_SCORES_KEYS, depth),
        st_panels_size(ST_SCORES_KEYS, width), st_panels_size(depth, ST_SCORES_KEYS),
        st_size_times(blocks, of_block)};
    int64_t elements = rows;
    for (int k = 0; k < 5; k++) elements = st_size_plus(elements, parts[k]);
    return st_size_plus(st_size_of(elements, sizeof(@TYPE@)), 64);
}

/* Add up gradients of keys and values from `key` to `key_end`, of all rows, or of rows from `first` to
   `end`, of all keys; or both, of all. */
static void st_add_slopes_@SUFFIX@(const st_scores_@SUFFIX@ *s, const st_slopes_@SUFFIX@ *to, int64_t item,
                                 int64_t key, int64_t key_end, int of_keys, int64_t first,
                                 int64_t end, int of_rows, char *memory) {
    const @TYPE@ *q = s->q + st_item_place(s->batch, s->q_steps, item);
    const @TYPE@ *k = s->k + st_item_place(s->batch, s->k_steps, item);
    const @TYPE@ *v = s->v + st_item_place(s->batch, s->v_steps, item);
    const @TYPE@ *g = to->g + st_item_place(s->batch, to->g_steps, item);
    const int64_t q_row = s->q_steps[3], k_row = s->k_steps[3], v_row = s->v_steps[3];
    const int64_t g_row = to->g_steps[3], depth = s->depth, width = s->width;
    const int64_t high = st_rows_at_once(s->rows), step = ST_SCORES_STEP;
    const st_runtime *runtime = s->runtime;
    st_scores_@SUFFIX@ of_item = *s;
    if (s->bias) of_item.bias += st_item_place(s->batch, s->bias_steps, item);
    if (s->chosen) of_item.chosen += st_item_place(s->batch, s->chosen_steps, item);
    const @TYPE@ *result = to->result + item * s->rows * width;
    const @TYPE@ *tops = to->tops + item * s->rows, *sums = to->sums + item * s->rows;
    const @TYPE@ *exponentials =
        to->exponentials ? to->exponentials + item * s->rows * s->keys : 0;
    @TYPE@ *dq = to->dq + item * s->rows * depth;
    @TYPE@ *dk = to->dk + item * s->keys * depth, *dv = to->dv + item * s->keys * width;
    @TYPE@ *p = (@TYPE@ *)memory, *d = p + ST_SCORES_ROWS * step, *across = d + ST_SCORES_ROWS * step;
    @TYPE@ *values = across + st_panels_size(ST_SCORES_KEYS, depth);
    @TYPE@ *keys = values + st_panels_size(ST_SCORES_KEYS, width);
    @TYPE@ *panels = keys + st_panels_size(depth, ST_SCORES_KEYS);
    const int64_t q_size = st_panels_size(depth, high), g_size = st_panels_size(width, high);
    @TYPE@ *inner = panels + st_blocks(s->rows, high) * (q_size + g_size);
    for (int64_t row = first; row < end; row++) {
        const @TYPE@ *x = g + row * g_row, *y = result + row * width;
        double sum = 0;
        #pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < width; j++) sum += (double)x[j] * (double)y[j];
        inner[row] = (@TYPE@)sum;
    }
    for (int64_t row = first; of_keys && row < end; row += high) {
        const int64_t m = ST_MIN(high, end - row);
        @TYPE@ *q_panels = panels + row / high * (q_size + g_size);
        st_panels_@SUFFIX@(runtime, ST_NO_TRANS, s->keys, depth, m, q + row * q_row, q_row, q_panels);
        st_panels_@SUFFIX@(runtime, ST_NO_TRANS, s->keys, width, m, g + row * g_row, g_row,
                         q_panels + q_size);
    }
    if (of_rows && s->keys == 0)
        for (int64_t j = first * depth; j < end * depth; j++) dq[j] = 0;
    for (; key < key_end; key += ST_SCORES_KEYS) {
        const int64_t count = ST_MIN(ST_SCORES_KEYS, s->keys - key);
        const @TYPE@ *k_here = k + key * k_row, *v_here = v + key * v_row;
        int begun = 0;
        if (!exponentials)
            st_panels_@SUFFIX@(runtime, ST_TRANS, s->rows, count, depth, k_here, k_row, across);
        st_panels_@SUFFIX@(runtime, ST_TRANS, s->rows, count, width, v_here, v_row, values);
        if (of_rows)
            st_panels_@SUFFIX@(runtime, ST_NO_TRANS, s->rows, depth, count, k_here, k_row, keys);
        for (int64_t row = first; row < end; row += high) {
            const int64_t m = ST_MIN(high, end - row);
            const @TYPE@ *q_here = q + row * q_row, *g_here = g + row * g_row;
            const @TYPE@ *q_panels = panels + row / high * (q_size + g_size);
            if (!st_is_seen_@SUFFIX@(s, row + m, key)) continue;
            if (!exponentials)
                st_panels_gemm_@SUFFIX@(runtime, ST_NO_TRANS, ST_TRANS, m, count, depth, s->scale,
                                      q_here, q_row, k_here, k_row, across, 0, p, step);
            st_panels_gemm_@SUFFIX@(runtime, ST_NO_TRANS, ST_TRANS, m, count, width, 1, g_here, g_row,
                                  v_here, v_row, values, 0, d, step);
            for (int64_t i = 0; i < m; i++)
                st_shares_@SUFFIX@(&of_item, row + i, key, count, tops[row + i], 1 / sums[row + i],
                                 inner[row + i],
                                 exponentials ? exponentials + (row + i) * s->keys + key : 0,
                                 p + i * step, d + i * step);
            if (of_keys) {
                st_panels_gemm_@SUFFIX@(runtime, ST_TRANS, ST_NO_TRANS, count, width, m, 1, p, step,
                                      g_here, g_row, q_panels + q_size, begun, dv + key * width,
                                      width);
                st_panels_gemm_@SUFFIX@(runtime, ST_TRANS, ST_NO_TRANS, count, depth, m, to->k_scale,
                                      d, step, q_here, q_row, q_panels, begun, dk + key * depth,
                                      depth);
            }
            if (of_rows)
                st_panels_gemm_@SUFFIX@(runtime, ST_NO_TRANS, ST_NO_TRANS, m, depth, count,
                                      to->q_scale, d, step, k_here, k_row, keys, key > 0,
                                      dq + row * depth, depth);
            begun = 1;
        }
        if (of_keys && !begun) {
            for (int64_t j = key * depth; j < (key + count) * depth; j++) dk[j] = 0;
            for (int64_t j = key * width; j < (key + count) * width; j++) dv[j] = 0;
        }
    }
}

/* One of the tasks of an item: if there are several, each has some keys and some rows. */
static void st_slopes_task_@SUFFIX@(const st_scores_@SUFFIX@ *s, const st_slopes_@SUFFIX@ *to,
                                  int64_t item, int64_t piece, int64_t pieces, char *memory) {
    if (pieces == 1) {
        st_add_slopes_@SUFFIX@(s, to, item, 0, s->keys, 1, 0, s->rows, 1, memory);
        return;
    }
    const int64_t high = st_rows_at_once(s->rows), blocks = st_blocks(s->rows, high);
    const int64_t columns = st_blocks(s->keys, ST_SCORES_KEYS);
    const int64_t key_end = columns * (piece + 1) / pieces * ST_SCORES_KEYS;
    st_add_slopes_@SUFFIX@(s, to, item, columns * piece / pieces * ST_SCORES_KEYS,
                         ST_MIN(key_end, s->keys), 1, 0, s->rows, 0, memory);
    const int64_t end = blocks * (piece + 1) / pieces * high;
    st_add_slopes_@SUFFIX@(s, to, item, 0, s->keys, 0, blocks * piece / pieces * high,
                         ST_MIN(end, s->rows), 1, memory);
}

static int64_t st_attention_gradient_bytes_@SUFFIX@(const st_runtime *runtime,
                                                  const st_attention_lengths *l) {
    const int64_t each = st_attention_gradient_task_@SUFFIX@(l->rows, l->depth, l->width);
    return l->items <= 0 ? 0 : st_size_times(st_share_items(runtime, l).threads, each);
}

static void st_attention_gradient_@SUFFIX@(const st_runtime *runtime, const st_attention_lengths *l,
        const int64_t *batch, const int64_t *q_steps, const int64_t *k_steps, const int64_t *v_steps,
        const int64_t *bias_steps, const int64_t *chosen_steps, const int64_t *g_steps,
        const @TYPE@ *q, const @TYPE@ *k, const @TYPE@ *v, @TYPE@ scale, const @TYPE@ *bias,
        const bool *chosen, @TYPE@ fill, const @TYPE@ *result, const @TYPE@ *tops, const @TYPE@ *sums,
        const @TYPE@ *exponentials, const @TYPE@ *g, @TYPE@ q_scale, @TYPE@ k_scale, @TYPE@ *dq, @TYPE@ *dk,
        @TYPE@ *dv, void *memory, int64_t bytes) {
    const st_shared_items shared = st_share_items(runtime, l);
    const int64_t tasks = l->items * shared.pieces;
    const int64_t each = st_attention_gradient_task_@SUFFIX@(l->rows, l->depth, l->width);
    const st_runtime alone = st_alone(runtime);
    (void)bytes;
    /* Without elements, there may be any number of items. */
    if ((l->rows <= 0 && l->keys <= 0) || (l->depth <= 0 && l->width <= 0)) return;
    const st_scores_@SUFFIX@ s = {
        &alone, l->rows, l->keys, l->depth, l->width, batch, q_steps, k_steps, v_steps, bias_steps,
        chosen_steps, scale, fill, l->causal, q, k, v, bias, chosen};
    const st_slopes_@SUFFIX@ to = {
        g, result, tops, sums, l->kept == l->keys ? exponentials : 0, g_steps, q_scale, k_scale, dq, dk,
        dv};
    st_announce(runtime, st_attention_work(l));
    const int held = shared.threads > 1 && st_hold_threads(runtime);
#pragma omp parallel for num_threads(shared.threads) if (shared.threads > 1)
    for (int64_t part = 0; part < shared.threads; part++)
        for (int64_t task = tasks * part / shared.threads;
             task < tasks * (part + 1) / shared.threads; task++)
            st_slopes_task_@SUFFIX@(&s, &to, task / shared.pieces, task % shared.pieces,
                                  shared.pieces, (char *)memory + part * each);
    if (held) st_free_threads(runtime);
}
