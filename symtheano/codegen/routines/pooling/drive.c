static int64_t st_@NAME@_bytes_@SUFFIX@(const st_runtime *runtime, const st_pools *pools) {
    const st_pools w = st_pool_cut(*pools);
    const st_kernels *kernels = runtime->functions[@LINK@];
    if (!kernels || !kernels->memory) return 0;
    typedef int64_t st_pooling_memory(int, const st_pools *, int);
    return ((st_pooling_memory *)kernels->memory)(@WANTED@, &w, runtime->threads);
}

static void st_@NAME@_@SUFFIX@(const st_runtime *runtime, const st_pools *pools, @PARAMETERS@, void *memory,
                           int64_t bytes) {
    const st_pools w = st_pool_cut(*pools);
    const int64_t pixels = st_pool_pixels(&w), places = st_pool_places(&w);
    const st_kernels *kernels = runtime->functions[@LINK@];
    typedef int32_t st_pool(int, const st_pools *, int, const @TYPE@ *, const @TYPE@ *, const @TYPE@ *,
                            @TYPE@ *, void *, int64_t);
    if (!@MADE_SIZE@) return;  /* there may be any number of images */
    st_announce(runtime, (double)w.n * (double)pixels);
    if (kernels && kernels->run
        && ((st_pool *)kernels->run)(@WANTED@, &w, runtime->threads, @ARRAYS@, memory, bytes)) return;
    for (int64_t n = 0; n < w.n; n++) st_plain_@NAME@_@SUFFIX@(&w, @ITEM@);
}
