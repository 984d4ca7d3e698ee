/* The gradient of sums or averages: each element gets the gradients of its windows, divided by
   their numbers of elements. Rows are added first, then each row is spread along the image. */
static void spread(const st_pools *w, const TYPE *restrict g, TYPE *restrict to) {
    const int64_t k = w->k[2], s = w->s[2], p = w->p[2];
    if (k == 2 && s == 2 && p == 0) {
        const int64_t whole = w->i[2] / 2 < w->t[2] ? w->i[2] / 2 : w->t[2];
        for (int64_t t = 0; t < whole; t++) to[2 * t] = to[2 * t + 1] = g[t];
        for (int64_t i = 2 * whole; i < w->i[2]; i++) to[i] = i / 2 < w->t[2] ? g[i / 2] : 0;
        return;
    }
    for (int64_t i = 0; i < w->i[2]; i++) to[i] = 0;
    if (k == 3 && s == 2) {
        /* element 2 u + q - p, q 0 or 1, is in windows u and, if q is 0, u - 1 */
        const int64_t begin = p / 2 + 1, all = (w->i[2] + p) / 2;
        const int64_t end = all < w->t[2] ? all : w->t[2];
        const int64_t from = begin < end ? 2 * begin - p : 0, until = begin < end ? 2 * end - p : 0;
        for (int64_t u = begin; u < end; u++) {
            to[2 * u - p] = g[u] + g[u - 1];
            to[2 * u + 1 - p] = g[u];
        }
        for (int64_t i = 0; i < w->i[2]; i++) {
            if (i == from) i = until;
            if (i >= w->i[2]) break;
            const st_span in = st_pool_windows(w, 2, i);
            for (int64_t t = in.begin; t < in.end; t++) to[i] += g[t];
        }
        return;
    }
    for (int64_t a = 0; a < k; a++) {
        const st_span met = met_by(w, 2, a);
        if (s == 1) {
            for (int64_t t = met.begin; t < met.end; t++) to[t + a - p] += g[t];
        } else {
            for (int64_t t = met.begin; t < met.end; t++) to[t * s + a - p] += g[t];
        }
    }
}

static void sum_image(const st_pools *w, const TYPE *g, TYPE *to, TYPE *row) {
    const int64_t count = w->t[2];
    TYPE *const counts = row + count;
    for (int64_t t = 0; t < count; t++)
        counts[t] = w->counted ? (TYPE)st_pool_count(w, 2, t) : 1;
    for (int64_t i0 = 0; i0 < w->i[0]; i0++)
    for (int64_t i1 = 0; i1 < w->i[1]; i1++, to += w->i[2]) {
        const st_span in0 = st_pool_windows(w, 0, i0), in1 = st_pool_windows(w, 1, i1);
        for (int64_t t = 0; t < count; t++) row[t] = 0;
        for (int64_t t0 = in0.begin; t0 < in0.end; t0++)
        for (int64_t t1 = in1.begin; t1 < in1.end; t1++) {
            const TYPE *restrict from = g + (t0 * w->t[1] + t1) * count;
            if (!w->counted) {
                for (int64_t t = 0; t < count; t++) row[t] += from[t];
                continue;
            }
            const TYPE rows = (TYPE)(st_pool_count(w, 0, t0) * st_pool_count(w, 1, t1));
            for (int64_t t = 0; t < count; t++) row[t] += from[t] / (rows * counts[t]);
        }
        spread(w, row, to);
    }
}

static int64_t memory_sum_image(const st_pools *w) { return rows_of_memory(w); }

static void run_sum_image(const st_pools *w, const arrays *a, TYPE *memory) {
    sum_image(w, a->g, a->made, memory);
}
