/* The derivative of the largest elements along a direction v: the sum of v over those elements of a
   window that are equal to its largest one. */
static void max_tangent(const st_pools *w, const TYPE *x, const TYPE *y, const TYPE *v,
                        TYPE *made) {
    const int64_t s = w->s[2], count = w->t[2];
    for (int64_t t0 = 0; t0 < w->t[0]; t0++)
    for (int64_t t1 = 0; t1 < w->t[1]; t1++, y += count, made += count) {
        const st_span in0 = st_pool_elements(w, 0, t0), in1 = st_pool_elements(w, 1, t1);
        for (int64_t t = 0; t < count; t++) made[t] = 0;
        for (int64_t i0 = in0.begin; i0 < in0.end; i0++)
        for (int64_t i1 = in1.begin; i1 < in1.end; i1++)
        for (int64_t a = 0; a < w->k[2]; a++) {
            const st_span met = met_by(w, 2, a);
            const int64_t row = (i0 * w->i[1] + i1) * w->i[2] + a - w->p[2];
            for (int64_t t = met.begin; t < met.end; t++)
                made[t] += x[row + t * s] == y[t] ? v[row + t * s] : 0;
        }
    }
}

static int64_t memory_max_tangent(const st_pools *w) { return rows_of_memory(w); }

static void run_max_tangent(const st_pools *w, const arrays *a, TYPE *memory) {
    (void)memory;
    max_tangent(w, a->x, a->y, a->g, a->made);
}
