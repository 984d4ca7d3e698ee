/* Image from filter and result: each element of the result is spread over the elements it met. */
static void st_plain_convolution_inputs_@SUFFIX@(const st_windows *w, int64_t item, int64_t channel,
                                               const @TYPE@ *kernel, const @TYPE@ *result,
                                               @TYPE@ *image) {
    const int64_t pixels = st_volume(w->i), taps = st_volume(w->k), places = st_volume(w->t);
    const int64_t step = w->unshared ? w->c * taps : 0, group = channel / w->c;
    @TYPE@ *const x = image + (item * w->groups * w->c + channel) * pixels;
    for (int64_t i = 0; i < pixels; i++) x[i] = 0;
    for (int64_t filter = group * w->o; filter < (group + 1) * w->o; filter++) {
        const @TYPE@ *const y = result + (item * w->groups * w->o + filter) * places;
        const @TYPE@ *tap = kernel + (filter * (w->unshared ? places : 1) * w->c + channel % w->c) * taps;
        for (int64_t k0 = 0; k0 < w->k[0]; k0++)
        for (int64_t k1 = 0; k1 < w->k[1]; k1++)
        for (int64_t k2 = 0; k2 < w->k[2]; k2++, tap++) {
            const st_met m[] = {st_where(w, 0, k0), st_where(w, 1, k1), st_where(w, 2, k2)};
            const int64_t count = m[2].end - m[2].begin, s = w->s[2];
            for (int64_t t0 = m[0].begin; t0 < m[0].end; t0++)
            for (int64_t t1 = m[1].begin; t1 < m[1].end; t1++) {
                const int64_t row = (t0 * w->t[1] + t1) * w->t[2] + m[2].begin;
                @TYPE@ *const to = x + st_row_met(w, m, t0, t1);
                if (s == 1 && !step) {
                    for (int64_t t = 0; t < count; t++) to[t] += y[row + t] * *tap;
                } else {
                    for (int64_t t = 0; t < count; t++)
                        to[t * s] += y[row + t] * tap[(row + t) * step];
                }
            }
        }
    }
}
