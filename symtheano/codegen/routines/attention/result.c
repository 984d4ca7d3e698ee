/* Attention: softmax(scale q k' + bias) v, a block of scores at a time (Dao et al., 2022). A row keeps
   the largest score so far, in `tops`, and the sum of exponentials relative to it; what was added up
   before is scaled when a larger score comes. In the end, an infinite one is 0 in `tops`. */

#pragma omp declare reduction(st_largest_@SUFFIX@ : @TYPE@ : \
    omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = -@INFINITE@)

/* Replace scores by exponentials relative to the largest one so far, `top`, and add them to `total`.
   Return the factor of what was added before. */
static inline @TYPE@ st_exponentials_@SUFFIX@(@TYPE@ *x, int64_t count, @TYPE@ *top, double *total) {
    const @TYPE@ before = *top, infinity = @INFINITE@;
    @TYPE@ most = before;
    #pragma omp simd reduction(st_largest_@SUFFIX@ : most)
    for (int64_t j = 0; j < count; j++) most = x[j] > most ? x[j] : most;
    const @TYPE@ shift = most == infinity || most == -infinity ? 0 : most;
    @TYPE@ sum = 0;
    #pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < count; j++) {
        const @TYPE@ e = @EXP@(x[j] - shift);
        x[j] = e;
        sum += e;
    }
    const @TYPE@ factor = before == -infinity ? 0
        : before == most || most == infinity ? 1 : @EXP@(before - most);
    *top = most;
    *total = *total * factor + sum;
    return factor;
}

/* Bytes for one task. */
static inline int64_t st_attention_task_@SUFFIX@(int64_t rows, int64_t depth, int64_t width) {
    const int64_t panels = st_size_plus(st_panels_size(ST_SCORES_KEYS, depth),
                                        st_panels_size(width, ST_SCORES_KEYS));
    const int64_t elements = st_size_plus(panels, ST_SCORES_ROWS * ST_SCORES_STEP);
    return st_size_plus(st_size_of(rows, 8), st_size_of(elements, sizeof(@TYPE@)));
}

/* Some rows of an item. Exponentials are kept of a single block of columns only. */
static void st_attend_@SUFFIX@(const st_scores_@SUFFIX@ *s, int64_t item, int64_t first, int64_t end,
                             @TYPE@ *result, @TYPE@ *tops, @TYPE@ *sums, @TYPE@ *exponentials,
                             char *memory) {
    const @TYPE@ *q = s->q + st_item_place(s->batch, s->q_steps, item);
    const @TYPE@ *k = s->k + st_item_place(s->batch, s->k_steps, item);
    const @TYPE@ *v = s->v + st_item_place(s->batch, s->v_steps, item);
    const int64_t q_row = s->q_steps[3], k_row = s->k_steps[3], v_row = s->v_steps[3];
    const int64_t depth = s->depth, width = s->width, high = st_rows_at_once(s->rows);
    st_scores_@SUFFIX@ of_item = *s;
    if (s->bias) of_item.bias += st_item_place(s->batch, s->bias_steps, item);
    if (s->chosen) of_item.chosen += st_item_place(s->batch, s->chosen_steps, item);
    double *total = (double *)memory;
    @TYPE@ *scores = (@TYPE@ *)(memory + ((end - first) * 8 + 63) / 64 * 64);
    @TYPE@ *k_panels = scores + ST_SCORES_ROWS * ST_SCORES_STEP;
    @TYPE@ *v_panels = k_panels + st_panels_size(ST_SCORES_KEYS, depth);
    for (int64_t row = first; row < end; row++) {
        total[row - first] = 0;
        tops[row] = -@INFINITE@;
    }
    for (int64_t key = 0; key < s->keys; key += ST_SCORES_KEYS) {
        const int64_t count = ST_MIN(ST_SCORES_KEYS, s->keys - key);
        st_panels_@SUFFIX@(s->runtime, ST_TRANS, s->rows, count, depth, k + key * k_row, k_row,
                         k_panels);
        st_panels_@SUFFIX@(s->runtime, ST_NO_TRANS, s->rows, width, count, v + key * v_row,
                         v_row, v_panels);
        for (int64_t row = first; row < end; row += high) {
            const int64_t m = ST_MIN(high, end - row);
            if (!st_is_seen_@SUFFIX@(s, row + m, key)) continue;
            st_panels_gemm_@SUFFIX@(s->runtime, ST_NO_TRANS, ST_TRANS, m, count, depth, s->scale,
                                  q + row * q_row, q_row, k + key * k_row, k_row, k_panels, 0,
                                  scores, ST_SCORES_STEP);
            for (int64_t i = 0; i < m; i++) {
                @TYPE@ *x = scores + i * ST_SCORES_STEP, *to = result + (row + i) * width;
                st_finish_scores_@SUFFIX@(&of_item, row + i, key, count, x);
                const @TYPE@ factor = st_exponentials_@SUFFIX@(x, count, tops + row + i,
                                                           total + row + i - first);
                if (exponentials)
                    __builtin_memcpy(exponentials + (row + i) * s->keys, x, count * sizeof(@TYPE@));
                if (key == 0 || factor == 1) continue;
                #pragma omp simd
                for (int64_t j = 0; j < width; j++) to[j] *= factor;
            }
            st_panels_gemm_@SUFFIX@(s->runtime, ST_NO_TRANS, ST_NO_TRANS, m, width, count, 1, scores,
                                  ST_SCORES_STEP, v + key * v_row, v_row, v_panels, key > 0,
                                  result + row * width, width);
        }
    }
    for (int64_t row = first; row < end; row++) {
        const @TYPE@ top = tops[row], sum = (@TYPE@)total[row - first];
        const @TYPE@ share = 1 / sum, infinity = @INFINITE@;
        sums[row] = sum;
        tops[row] = top == infinity || top == -infinity ? 0 : top;
        @TYPE@ *to = result + row * width;
        if (s->keys == 0) {
            for (int64_t j = 0; j < width; j++) to[j] = 0;
        } else {
            #pragma omp simd
            for (int64_t j = 0; j < width; j++) to[j] *= share;
        }
    }
}

static int64_t st_attention_bytes_@SUFFIX@(const st_runtime *runtime,
                                         const st_attention_lengths *l) {
    return l->items <= 0 ? 0 : st_size_times(st_share_items(runtime, l).threads,
                                             st_attention_task_@SUFFIX@(l->rows, l->depth, l->width));
}

static void st_attention_@SUFFIX@(const st_runtime *runtime, const st_attention_lengths *l,
        const int64_t *batch,
        const int64_t *q_steps, const int64_t *k_steps, const int64_t *v_steps,
        const int64_t *bias_steps, const int64_t *chosen_steps, const @TYPE@ *q, const @TYPE@ *k,
        const @TYPE@ *v, @TYPE@ scale, const @TYPE@ *bias, const bool *chosen, @TYPE@ fill, @TYPE@ *result,
        @TYPE@ *tops, @TYPE@ *sums, @TYPE@ *exponentials, void *memory, int64_t bytes) {
    const int64_t rows = l->rows, keys = l->keys, width = l->width;
    const int64_t high = st_rows_at_once(rows), blocks = st_blocks(rows, high);
    const st_shared_items shared = st_share_items(runtime, l);
    const int64_t tasks = l->items * shared.pieces;
    const int64_t each = st_attention_task_@SUFFIX@(rows, l->depth, width);
    const st_runtime alone = st_alone(runtime);
    (void)bytes;
    if (rows <= 0) return;  /* there may be any number of items */
    const st_scores_@SUFFIX@ s = {
        &alone, rows, keys, l->depth, width, batch, q_steps, k_steps, v_steps, bias_steps,
        chosen_steps, scale, fill, l->causal, q, k, v, bias, chosen};
    st_announce(runtime, st_attention_work(l));
    const int held = shared.threads > 1 && st_hold_threads(runtime);
#pragma omp parallel for num_threads(shared.threads) if (shared.threads > 1)
    for (int64_t part = 0; part < shared.threads; part++)
        for (int64_t task = tasks * part / shared.threads;
             task < tasks * (part + 1) / shared.threads; task++) {
            const int64_t item = task / shared.pieces, piece = task % shared.pieces;
            const int64_t end = blocks * (piece + 1) / shared.pieces * high;
            st_attend_@SUFFIX@(&s, item, blocks * piece / shared.pieces * high, ST_MIN(end, rows),
                             result + item * rows * width, tops + item * rows, sums + item * rows,
                             l->kept == keys && exponentials ? exponentials + item * rows * keys : 0,
                             (char *)memory + part * each);
        }
    if (held) st_free_threads(runtime);
}
