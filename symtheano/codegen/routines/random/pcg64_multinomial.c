/* Numbers of outcomes, a row each.

   void st_pcg64_multinomial_i64(const st_runtime *runtime, int64_t rows, int64_t n, int64_t *y,
                                 uint64_t *words, const int64_t *trials, int64_t trials_step,
                                 const double *p, int64_t p_step) */
static void st_pcg64_multinomial_i64(const st_runtime *runtime, int64_t rows, int64_t n, int64_t *y,
                                     uint64_t *words, const int64_t *trials, int64_t trials_step,
                                     const volatile double *p, int64_t p_step) {
    st_announce(runtime, 60 * (double)rows * n);
    st_pcg64 g = st_pcg64_open(words);
    for (int64_t i = 0; i < rows; i++)
        st_pcg64_one_multinomial(&g, n, y + i * n, trials[i * trials_step], p + i * n * p_step,
                                 p_step);
    st_pcg64_close(words, &g);
}
