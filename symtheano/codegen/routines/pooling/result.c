/* The largest element, or the sum, of each window: first of each column, then of the columns. An
   average divides by the number of elements. */
static inline @TYPE@ st_@NAME@_two_@SUFFIX@(@TYPE@ a, @TYPE@ b) { return @TWO@; }

static void st_plain_@NAME@_@SUFFIX@(const st_pools *w, const @TYPE@ *x, @TYPE@ *made) {
    for (int64_t t0 = 0; t0 < w->t[0]; t0++)
    for (int64_t t1 = 0; t1 < w->t[1]; t1++)
    for (int64_t t2 = 0; t2 < w->t[2]; t2++) {
        const st_span in0 = st_pool_elements(w, 0, t0), in1 = st_pool_elements(w, 1, t1);
        const st_span in2 = st_pool_elements(w, 2, t2);
        @TYPE@ all = 0;
        for (int64_t i2 = in2.begin; i2 < in2.end; i2++) {
            @TYPE@ column = 0;
            for (int64_t i0 = in0.begin; i0 < in0.end; i0++)
            for (int64_t i1 = in1.begin; i1 < in1.end; i1++) {
                const @TYPE@ other = x[(i0 * w->i[1] + i1) * w->i[2] + i2];
                const int first = i0 == in0.begin && i1 == in1.begin;
                column = first ? other : st_@NAME@_two_@SUFFIX@(column, other);
            }
            all = i2 == in2.begin ? column : st_@NAME@_two_@SUFFIX@(all, column);
        }
        if (w->counted) {
            const @TYPE@ rows = (@TYPE@)(st_pool_count(w, 0, t0) * st_pool_count(w, 1, t1));
            all /= rows * (@TYPE@)st_pool_count(w, 2, t2);
        }
        *made++ = all;
    }
}
