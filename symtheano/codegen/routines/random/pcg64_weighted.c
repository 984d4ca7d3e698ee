/* Different integers with probabilities, as Generator.choice draws them: as many as are missing are
   searched in the distribution function, those that were drawn before are left out, and what
   remains is drawn from the other ones.

   void st_pcg64_weighted_i64(const st_runtime *runtime, int64_t n, int64_t number, int64_t *y,
                              uint64_t *words, const double *p) */
static int64_t st_pcg64_weighted_bytes_i64(const st_runtime *runtime, int64_t n, int64_t number) {
    (void)runtime, (void)n;
    return st_size_of(st_size_times(2, number), sizeof(double));
}

static void st_pcg64_weighted_i64(const st_runtime *runtime, int64_t n, int64_t number, int64_t *y,
                                  uint64_t *words, const double *p, void *memory,
                                  int64_t bytes) {
    (void)bytes;
    double *const left = memory, *const sums = left + number;
    st_announce(runtime, 10 * (double)n + 4 * (double)number);
    st_pcg64 g = st_pcg64_open(words);
    for (int64_t i = 0; i < number; i++) left[i] = p[i];
    for (int64_t found = 0; found < n;) {
        double sum = 0;
        for (int64_t i = 0; i < number; i++) sums[i] = sum += left[i];
        for (int64_t i = 0; i < number; i++) sums[i] /= sum;
        for (int64_t missing = n - found; missing > 0; missing--) {
            const double u = st_pcg64_double(&g);
            int64_t first = 0, last = number - 1;
            while (first < last) {
                const int64_t middle = first + (last - first) / 2;
                if (sums[middle] > u) last = middle;
                else first = middle + 1;
            }
            if (left[first] > 0) {
                left[first] = 0;
                y[found++] = first;
            }
        }
    }
    st_pcg64_close(words, &g);
}
