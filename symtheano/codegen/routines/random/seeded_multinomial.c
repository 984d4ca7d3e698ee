/* As pcg64_multinomial, with a generator for each row. */
static void st_seeded_multinomial_rows(int64_t begin, int64_t end, int64_t n, int64_t *y,
                                       const uint64_t *seeds, const int64_t *trials,
                                       int64_t trials_step, const volatile double *p,
                                       int64_t p_step) {
    for (int64_t i = begin; i < end; i++) {
        st_pcg64 g = st_pcg64_seeded(seeds + 2 * i);
        st_pcg64_one_multinomial(&g, n, y + i * n, trials[i * trials_step], p + i * n * p_step,
                                 p_step);
    }
}

static void st_seeded_multinomial_i64(const st_runtime *runtime, int64_t rows, int64_t n,
                                      int64_t *y, const uint64_t *seeds, const int64_t *trials,
                                      int64_t trials_step, const volatile double *p,
                                      int64_t p_step) {
    const bool parallel = st_parallel(runtime, 60 * rows * n);
#ifdef _OPENMP
    if (parallel) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(rows, 1);
            st_seeded_multinomial_rows(share.begin, share.end, n, y, seeds, trials, trials_step, p,
                                       p_step);
        }
        return;
    }
#endif
    st_seeded_multinomial_rows(0, rows, n, y, seeds, trials, trials_step, p, p_step);
}
