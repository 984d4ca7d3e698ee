/* What the library exports; see __init__.py. */
static const algorithm algorithms[] = {
    @ALGORITHMS@
};

/* Work for which one more thread is worth waiting for it. */
enum { WORK = 100000 };

/* Whether there are kernels for the windows: arrays are possible, images and results have elements,
   and borders are not so wide that most elements of windows are in them. Plain loops pass over such
   elements, and need no memory. */
static int usable(const st_pools *w) {
    int64_t pixels = w->n > 1 ? w->n : 1, places = pixels;
    for (int axis = 0; axis < 3; axis++) {
        if (w->i[axis] < 1 || w->t[axis] < 1 || w->p[axis] > w->i[axis]) return 0;
        pixels = st_size_times(pixels, w->i[axis]);
        places = st_size_times(places, w->t[axis]);
    }
    return pixels < ST_MOST_SIZE && places < ST_MOST_SIZE;
}

/* The number of threads that share the images; each needs memory. */
static int64_t parts_of(const st_pools *w, int threads) {
    const double taps = (double)w->k[0] * (double)w->k[1] + (double)w->k[2];
    const double work = (double)w->n * (double)st_pool_pixels(w) * taps;
    return threads < 2 || work < WORK ? 1 : w->n < threads ? w->n : threads;
}

/* Bytes of memory for one image. */
static int64_t bytes_of(int wanted, const st_pools *w) {
    return st_size_of(algorithms[wanted].memory(w), sizeof(TYPE));
}

/* Bytes of memory for a call; -1 if there is no kernel. */
static int64_t bytes_for(int wanted, const st_pools *w, int threads) {
    if (!usable(w)) return -1;
    if (!w->n) return 0;
    const int64_t bytes = st_size_times(parts_of(w, threads), bytes_of(wanted, w));
    return bytes == ST_MOST_SIZE ? -1 : bytes;
}

EXPORT int64_t @MEMORY@(int wanted, const st_pools *w, int threads) {
    const int64_t bytes = bytes_for(wanted, w, threads);
    return bytes < 0 ? 0 : bytes;
}

/* Compute `made` from arrays, of which some are NULL; return 0 if there is no kernel, or too little
   memory. */
EXPORT int32_t @RUN@(int wanted, const st_pools *w, int threads, const TYPE *x, const TYPE *y,
                       const TYPE *g, TYPE *made, void *memory, int64_t bytes) {
    const int64_t needed = bytes_for(wanted, w, threads);
    if (needed < 0 || bytes < needed) return 0;
    const int64_t parts = parts_of(w, threads), each = bytes_of(wanted, w);
    const int64_t pixels = st_pool_pixels(w), places = st_pool_places(w);
#pragma omp parallel for num_threads(parts) if (parts > 1)
    for (int64_t part = 0; part < parts; part++) {
        TYPE *const own = (TYPE *)((char *)memory + part * each);
        for (int64_t n = w->n * part / parts; n < w->n * (part + 1) / parts; n++) {
            const int64_t pixel = n * pixels, place = n * places;
            const int of_image = wanted == MAX_IMAGE || wanted == SUM_IMAGE;
            const arrays all = {
                x ? x + pixel : 0, y ? y + place : 0,
                g ? g + (wanted == MAX_TANGENT ? pixel : place) : 0, made + (of_image ? pixel : place),
            };
            algorithms[wanted].run(w, &all, own);
        }
    }
    return 1;
}
