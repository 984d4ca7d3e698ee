/* What the library exports; see kernels.py. */
enum { MAX_RESULT, MAX_IMAGE, MAX_TANGENT, SUM_RESULT, SUM_IMAGE };

/* Work for which one more thread is worth waiting for it. */
enum { WORK = 100000 };

/* The number of threads that share the images; each needs memory. */
static int64_t parts_of(const st_pools *w, int threads) {
    const double taps = (double)w->k[0] * (double)w->k[1] + (double)w->k[2];
    const double work = (double)w->n * (double)st_pool_pixels(w) * taps;
    return threads < 2 || work < WORK ? 1 : w->n < threads ? w->n : threads;
}

/* Bytes of memory for one image. */
static int64_t bytes_of(int wanted, const st_pools *w) {
    const int64_t rows = w->i[2] + 2 * w->t[2];
    const int64_t count = wanted == MAX_IMAGE ? max_image_memory(w) : rows;
    return (count * (int64_t)sizeof(TYPE) + 63) / 64 * 64;
}

/* Bytes of memory for a call. */
EXPORT int64_t st_pooling_memory(int wanted, const st_pools *w, int threads) {
    return parts_of(w, threads) * bytes_of(wanted, w);
}

/* Compute `made` from arrays, of which some are NULL; return 0 if there is too little memory. */
EXPORT int32_t st_pool(int wanted, const st_pools *w, int threads, const TYPE *x, const TYPE *y,
                       const TYPE *g, TYPE *made, void *memory, int64_t bytes) {
    if (bytes < st_pooling_memory(wanted, w, threads)) return 0;
    const int64_t parts = parts_of(w, threads), each = bytes_of(wanted, w);
    const int64_t pixels = st_pool_pixels(w), places = st_pool_places(w);
#pragma omp parallel for num_threads(parts) if (parts > 1)
    for (int64_t part = 0; part < parts; part++) {
        TYPE *const own = (TYPE *)((char *)memory + part * each);
        for (int64_t n = w->n * part / parts; n < w->n * (part + 1) / parts; n++) {
            const int64_t pixel = n * pixels, place = n * places;
            if (wanted == MAX_RESULT) max_result(w, x + pixel, made + place, own);
            else if (wanted == SUM_RESULT) sum_result(w, x + pixel, made + place, own);
            else if (wanted == SUM_IMAGE) sum_image(w, g + place, made + pixel, own);
            else if (wanted == MAX_IMAGE)
                max_image(w, x + pixel, y + place, g + place, made + pixel, own);
            else max_tangent(w, x + pixel, y + place, g + pixel, made + place);
        }
    }
    return 1;
}
