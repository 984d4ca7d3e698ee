
static void st_@NAME@_@SUFFIX@(const st_runtime *runtime, const st_windows *w@CONSTANT@,
                           @DECLARED@,
                           void *memory, int64_t bytes,
                           void (*finish)(const void *, int64_t, int64_t), const void *context) {
    st_announce(runtime, st_convolution_work(w));
    @KERNEL@
#pragma omp parallel for num_threads(runtime->threads) if (runtime->threads > 1)
    for (int64_t item = 0; item < w->n; item++) {
        for (int64_t channel = 0; channel < w->groups * w->@CHANNELS@; channel++)
            st_plain_@NAME@_@SUFFIX@(w, item, channel, @ARRAYS@);
        if (finish) finish(context, item, item + 1);
    }
}
