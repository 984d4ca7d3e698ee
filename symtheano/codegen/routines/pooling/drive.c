static int64_t st_NAME_bytes_SUFFIX(const st_runtime *runtime, LENGTHS) {
    const st_pools w = POOLS;
    const int64_t each = (MEMORY(&w, ST_POOL_VECTOR / sizeof(TYPE)) * (int64_t)sizeof(TYPE) + 63) / 64 * 64;
    (void)counted;
    return st_pool_parts(runtime, &w) * each;
}

static void st_NAME_SUFFIX(const st_runtime *runtime, LENGTHS, PARAMETERS, void *memory,
                           int64_t bytes) {
    const st_pools w = POOLS;
    const int64_t pixels = st_pool_pixels(&w), places = st_pool_places(&w);
    const int64_t parts = st_pool_parts(runtime, &w), each = bytes / parts / (int64_t)sizeof(TYPE);
    st_announce(runtime, (double)w.n * (double)pixels);
#pragma omp parallel for num_threads(parts) if (parts > 1)
    for (int64_t part = 0; part < parts; part++)
        for (int64_t n = w.n * part / parts; n < w.n * (part + 1) / parts; n++)
            st_NAME_item_SUFFIX(&w, counted, ARRAYS, (TYPE *)memory + part * each);
}
