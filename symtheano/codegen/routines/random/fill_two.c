/* Numbers with two parameters, volatile as that of numbers with one. */
static void st_pcg64_NAME_SUFFIX(const st_runtime *runtime, int64_t n, TYPE *y, uint64_t *words,
                                 const volatile FIRST *a, int64_t a_step,
                                 const volatile double *b, int64_t b_step) {
    st_announce(runtime, WORK * (double)n);
    st_pcg64 g = st_pcg64_open(words);
    for (int64_t i = 0; i < n; i++) y[i] = st_pcg64_one_NAME(&g, a[i * a_step], b[i * b_step]);
    st_pcg64_close(words, &g);
}
