/* The gradient of sums or averages: each element gets the gradients of its windows, divided by
   their numbers of elements. */
static void st_plain_@NAME@_@SUFFIX@(const st_pools *w, const @TYPE@ *g, @TYPE@ *made) {
    for (int64_t i0 = 0; i0 < w->i[0]; i0++)
    for (int64_t i1 = 0; i1 < w->i[1]; i1++)
    for (int64_t i2 = 0; i2 < w->i[2]; i2++) {
        const st_span in0 = st_pool_windows(w, 0, i0), in1 = st_pool_windows(w, 1, i1);
        const st_span in2 = st_pool_windows(w, 2, i2);
        @TYPE@ all = 0;
        for (int64_t t2 = in2.end - 1; t2 >= in2.begin; t2--) {
            @TYPE@ column = 0;
            for (int64_t t0 = in0.begin; t0 < in0.end; t0++)
            for (int64_t t1 = in1.begin; t1 < in1.end; t1++) {
                const @TYPE@ rows = (@TYPE@)(st_pool_count(w, 0, t0) * st_pool_count(w, 1, t1));
                const @TYPE@ count = w->counted ? rows * (@TYPE@)st_pool_count(w, 2, t2) : 1;
                column += g[(t0 * w->t[1] + t1) * w->t[2] + t2] / count;
            }
            all += column;
        }
        *made++ = all;
    }
}
