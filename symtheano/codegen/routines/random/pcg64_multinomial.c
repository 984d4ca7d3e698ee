/* Numbers of outcomes, a row each: binomial numbers of what the outcomes before have left.

   void st_pcg64_multinomial_i64(const st_runtime *runtime, int64_t rows, int64_t n, int64_t *y,
                                 uint64_t *words, const int64_t *trials, int64_t trials_step,
                                 const double *p, int64_t p_step) */
static void st_pcg64_multinomial_i64(const st_runtime *runtime, int64_t rows, int64_t n, int64_t *y,
                                     uint64_t *words, const int64_t *trials, int64_t trials_step,
                                     const volatile double *p, int64_t p_step) {
    st_announce(runtime, 60 * (double)rows * n);
    st_pcg64 g = st_pcg64_open(words);
    for (int64_t row = 0; row < rows; row++, y += n, p += n * p_step) {
        int64_t left = trials[row * trials_step], k = 0;
        double rest = 1;
        for (; k < n - 1 && left > 0; k++) {
            y[k] = st_pcg64_one_binomial(&g, left, p[k * p_step] / rest);
            left -= y[k];
            rest -= p[k * p_step];
        }
        for (; k < n; k++) y[k] = k == n - 1 && left > 0 ? left : 0;
    }
    st_pcg64_close(words, &g);
}
