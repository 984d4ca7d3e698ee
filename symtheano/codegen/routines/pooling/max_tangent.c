/* The derivative of the largest elements along a direction: the sum of g over those elements of a
   window that are equal to its largest one. */
static void st_plain_@NAME@_@SUFFIX@(const st_pools *w, const @TYPE@ *x, const @TYPE@ *y, const @TYPE@ *g,
                                 @TYPE@ *made) {
    for (int64_t t0 = 0; t0 < w->t[0]; t0++)
    for (int64_t t1 = 0; t1 < w->t[1]; t1++)
    for (int64_t t2 = 0; t2 < w->t[2]; t2++, y++) {
        const st_span in0 = st_pool_elements(w, 0, t0), in1 = st_pool_elements(w, 1, t1);
        const st_span in2 = st_pool_elements(w, 2, t2);
        @TYPE@ sum = 0;
        for (int64_t i0 = in0.begin; i0 < in0.end; i0++)
        for (int64_t i1 = in1.begin; i1 < in1.end; i1++)
        for (int64_t i2 = in2.begin; i2 < in2.end; i2++) {
            const int64_t at = (i0 * w->i[1] + i1) * w->i[2] + i2;
            if (x[at] == *y) sum += g[at];
        }
        *made++ = sum;
    }
}
