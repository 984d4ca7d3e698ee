/* The largest element, or the sum, of each window: first over the rows of a window, which are
   neighbours in memory, then along them. An average divides by the number of elements. */
static inline TYPE @NAME@_two(TYPE a, TYPE b) { return @TWO@; }

/* Results whose windows are inside the image along its rows. */
static void @NAME@_inside(const TYPE *restrict row, TYPE *restrict y, int64_t count, int64_t k,
                        int64_t s) {
    if (k == 2 && s == 2) {
        for (int64_t t = 0; t < count; t++) y[t] = @NAME@_two(row[2 * t], row[2 * t + 1]);
    } else if (k == 3 && s == 2) {
        for (int64_t t = 0; t < count; t++)
            y[t] = @NAME@_two(@NAME@_two(row[2 * t], row[2 * t + 1]), row[2 * t + 2]);
    } else if (k == 3 && s == 1) {
        for (int64_t t = 0; t < count; t++)
            y[t] = @NAME@_two(@NAME@_two(row[t], row[t + 1]), row[t + 2]);
    } else if (s == 1) {
        for (int64_t t = 0; t < count; t++) y[t] = row[t];
        for (int64_t a = 1; a < k; a++)
            for (int64_t t = 0; t < count; t++) y[t] = @NAME@_two(y[t], row[t + a]);
    } else {
        for (int64_t t = 0; t < count; t++) {
            TYPE made = row[t * s];
            for (int64_t a = 1; a < k; a++) made = @NAME@_two(made, row[t * s + a]);
            y[t] = made;
        }
    }
}

/* One row of a result, from one of the image or of combined rows of it. */
static void @NAME@_along(const st_pools *w, const TYPE *row, TYPE *y) {
    const int64_t k = w->k[2], s = w->s[2], p = w->p[2], count = w->t[2];
    const int64_t first = (p + s - 1) / s, room = w->i[2] + p - k;
    const int64_t last = room < 0 ? 0 : room / s + 1, end = last < count ? last : count;
    if (first < end) @NAME@_inside(row + first * s - p, y + first, end - first, k, s);
    for (int64_t t = 0; t < count; t++) {
        if (t >= first && t < end) t = end;
        if (t >= count) break;
        const st_span in = st_pool_elements(w, 2, t);
        TYPE made = row[in.begin];
        for (int64_t i = in.begin + 1; i < in.end; i++) made = @NAME@_two(made, row[i]);
        y[t] = made;
    }
}

/* The rows of a window in one: the only one, or a combined one. */
static const TYPE *@NAME@_rows(const st_pools *w, const TYPE *x, st_span in0, st_span in1,
                             TYPE *restrict row) {
    const int64_t length = w->i[2];
    const TYPE *const first = x + (in0.begin * w->i[1] + in1.begin) * length;
    if (in0.end - in0.begin == 1 && in1.end - in1.begin == 3) {
        for (int64_t i = 0; i < length; i++)
            row[i] = @NAME@_two(@NAME@_two(first[i], first[length + i]), first[2 * length + i]);
        return row;
    }
    int64_t met = 0;
    for (int64_t i0 = in0.begin; i0 < in0.end; i0++)
        for (int64_t i1 = in1.begin; i1 < in1.end; i1++, met++) {
            const TYPE *const other = x + (i0 * w->i[1] + i1) * length;
            if (met == 1)
                for (int64_t i = 0; i < length; i++) row[i] = @NAME@_two(first[i], other[i]);
            if (met > 1)
                for (int64_t i = 0; i < length; i++) row[i] = @NAME@_two(row[i], other[i]);
        }
    return met > 1 ? row : first;
}

/* Windows of two rows and two columns that do not overlap. */
static void @NAME@_pairs(const TYPE *restrict a, const TYPE *restrict b, TYPE *restrict y,
                       int64_t count) {
    for (int64_t t = 0; t < count; t++)
        y[t] = @NAME@_two(@NAME@_two(a[2 * t], b[2 * t]), @NAME@_two(a[2 * t + 1], b[2 * t + 1]));
}

static void @NAME@_result(const st_pools *w, const TYPE *x, TYPE *y, TYPE *row) {
    const int pairs = w->k[2] == 2 && w->s[2] == 2 && w->k[0] == 1 && w->p[2] == 0
                      && w->i[2] >= 2 * w->t[2];
    TYPE *const counts = row + w->i[2];
    if (w->counted)
        for (int64_t t = 0; t < w->t[2]; t++) counts[t] = (TYPE)st_pool_count(w, 2, t);
    for (int64_t t0 = 0; t0 < w->t[0]; t0++)
    for (int64_t t1 = 0; t1 < w->t[1]; t1++, y += w->t[2]) {
        const st_span in0 = st_pool_elements(w, 0, t0), in1 = st_pool_elements(w, 1, t1);
        if (pairs && in1.end - in1.begin == 2 && in0.end - in0.begin == 1) {
            const TYPE *const a = x + (in0.begin * w->i[1] + in1.begin) * w->i[2];
            @NAME@_pairs(a, a + w->i[2], y, w->t[2]);
        } else {
            @NAME@_along(w, @NAME@_rows(w, x, in0, in1, row), y);
        }
        if (w->counted) {
            const TYPE rows = (TYPE)(st_pool_count(w, 0, t0) * st_pool_count(w, 1, t1));
            for (int64_t t = 0; t < w->t[2]; t++) y[t] /= rows * counts[t];
        }
    }
}

static int64_t memory_@NAME@(const st_pools *w) { return rows_of_memory(w); }

static void run_@NAME@(const st_pools *w, const arrays *a, TYPE *memory) {
    @NAME@_result(w, a->x, a->made, memory);
}
