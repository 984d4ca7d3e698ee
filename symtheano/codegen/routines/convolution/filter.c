/* Filter from image and result: each of its elements is a sum over all elements that it met. */
static void st_plain_convolution_weights_@SUFFIX@(const st_windows *w, int64_t filter,
                                                const @TYPE@ *image, const @TYPE@ *result,
                                                @TYPE@ *kernel) {
    const int64_t pixels = st_volume(w->i), taps = st_volume(w->k), places = st_volume(w->t);
    const int64_t step = w->unshared ? w->c * taps : 0, group = filter / w->o;
    @TYPE@ *const own = kernel + filter * (w->unshared ? places : 1) * w->c * taps;
    for (int64_t k = 0; k < (w->unshared ? places : 1) * w->c * taps; k++) own[k] = 0;
    for (int64_t item = 0; item < w->n; item++)
    for (int64_t c = 0; c < w->c; c++) {
        const @TYPE@ *const x = image + ((item * w->groups + group) * w->c + c) * pixels;
        const @TYPE@ *const y = result + (item * w->groups * w->o + filter) * places;
        @TYPE@ *tap = own + c * taps;
        for (int64_t k0 = 0; k0 < w->k[0]; k0++)
        for (int64_t k1 = 0; k1 < w->k[1]; k1++)
        for (int64_t k2 = 0; k2 < w->k[2]; k2++, tap++) {
            const st_met m[] = {st_where(w, 0, k0), st_where(w, 1, k1), st_where(w, 2, k2)};
            const int64_t count = m[2].end - m[2].begin, s = w->s[2];
            @TYPE@ sum = 0;
            for (int64_t t0 = m[0].begin; t0 < m[0].end; t0++)
            for (int64_t t1 = m[1].begin; t1 < m[1].end; t1++) {
                const int64_t row = (t0 * w->t[1] + t1) * w->t[2] + m[2].begin;
                const @TYPE@ *const from = x + st_row_met(w, m, t0, t1);
                @TYPE@ part = 0;
                if (step) {
                    for (int64_t t = 0; t < count; t++)
                        tap[(row + t) * step] += from[t * s] * y[row + t];
                } else {
                    for (int64_t t = 0; t < count; t++) part += from[t * s] * y[row + t];
                }
                sum += part;
            }
            if (!step) *tap += sum;
        }
    }
}

static void st_convolution_weights_@SUFFIX@(const st_runtime *runtime, const st_windows *w,
                                          const @TYPE@ *image, const @TYPE@ *result, @TYPE@ *kernel,
                                          void *memory, int64_t bytes) {
    st_announce(runtime, st_convolution_work(w));
    @KERNEL@
#pragma omp parallel for num_threads(runtime->threads) if (runtime->threads > 1)
    for (int64_t filter = 0; filter < w->groups * w->o; filter++)
        st_plain_convolution_weights_@SUFFIX@(w, filter, image, result, kernel);
}
