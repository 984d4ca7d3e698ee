/* Numbers with parameters. These are volatile, because compilers round functions of constants in
   another way than the C library: pow(x, 2.) is x * x. */
static void st_pcg64_@NAME@_@SUFFIX@(const st_runtime *runtime, int64_t n, @TYPE@ *y, uint64_t *words,
                                 @PARAMETERS@) {
    st_announce(runtime, @WORK@ * (double)n);
    st_pcg64 g = st_pcg64_open(words);@KEPT@
    for (int64_t i = 0; i < n; i++) y[i] = st_pcg64_one_@NAME@(&g, @VALUES@);
    st_pcg64_close(words, &g);
}
