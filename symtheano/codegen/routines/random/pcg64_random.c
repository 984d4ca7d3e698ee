/* Uniform numbers. Long arrays are made by four states that take turns, each of which leaps over
   the others, because a state has to wait for the product that makes it from the one before. */
static __attribute__((noinline)) void
st_pcg64_fill_random_f64(const st_runtime *runtime, int64_t n, double *y, uint64_t *words) {
    st_announce(runtime, 4 * (double)n);
    st_pcg64 g = st_pcg64_open(words);
    int64_t i = 0;
    if (n >= 16) {
        const st_wide a = ST_PCG64_FACTOR, c = g.increment, a2 = a * a;
        const st_wide leap = a2 * a2, shift = (a2 + 1) * (a + 1) * c;
        st_wide state[4] = {g.state * a + c};
        for (int k = 1; k < 4; k++) state[k] = state[k - 1] * a + c;
        st_wide s0 = state[0], s1 = state[1], s2 = state[2], s3 = state[3];
        for (; i + 4 <= n; i += 4) {
            y[i] = (double)(st_pcg64_output(s0) >> 11) * 0x1p-53;
            y[i + 1] = (double)(st_pcg64_output(s1) >> 11) * 0x1p-53;
            y[i + 2] = (double)(st_pcg64_output(s2) >> 11) * 0x1p-53;
            y[i + 3] = (double)(st_pcg64_output(s3) >> 11) * 0x1p-53;
            g.state = s3;
            s0 = s0 * leap + shift;
            s1 = s1 * leap + shift;
            s2 = s2 * leap + shift;
            s3 = s3 * leap + shift;
        }
    }
    for (; i < n; i++) y[i] = st_pcg64_double(&g);
    st_pcg64_close(words, &g);
}

#define st_pcg64_one_random_f64 st_pcg64_double
ST_PCG64_DRAW(random_f64, double)
