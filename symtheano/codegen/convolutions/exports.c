/* What the library exports; see kernels.py. `wanted` is 0 for results, 1 for images, 2 for
   filters. */

/* Elements of so many arrays of these lengths, where an empty axis does not make others possible. */
static int64_t possible(int64_t count, int64_t channels, const int64_t *lengths) {
    int64_t size = st_size_times(MAX(count, 1), MAX(channels, 1));
    for (int axis = 0; axis < 3; axis++) size = st_size_times(size, MAX(lengths[axis], 1));
    return size;
}

/* Whether there are kernels for the windows, of arrays that are possible. */
static int usable(const st_windows *w) {
    if (w->unshared || w->c < 1 || w->o < 1 || w->groups < 1) return 0;
    for (int axis = 0; axis < 3; axis++) if (w->k[axis] < 1) return 0;
    const int64_t items = st_size_times(MAX(w->n, 1), w->groups);
    return possible(items, w->c, w->i) < ST_MOST_SIZE && possible(items, w->o, w->t) < ST_MOST_SIZE
           && possible(st_size_times(w->groups, w->o), w->c, w->k) < ST_MOST_SIZE;
}

static double real_volume(const int64_t *lengths) {
    return (double)lengths[0] * (double)lengths[1] * (double)lengths[2];
}

/* Whether memory would have zeros for the most part, which plain loops pass over: filters are far
   larger than the arrays, or images have very wide borders. */
static int is_wasteful(const st_windows *w, int threads, int64_t bytes) {
    enum { MUCH = 1 << 30, MOST_TIMES = 64 };
    const double read = (double)w->c * real_volume(w->i) + (double)w->o * real_volume(w->t);
    const double filters = (double)w->o * (double)w->c * real_volume(w->k);
    const double elements = (double)w->groups * ((double)w->n * read + filters);
    return bytes > MUCH && (double)bytes > MOST_TIMES * threads * elements * sizeof(TYPE);
}

/* Whether an image is better scattered than gathered, by estimates of cycles for each element of the
   filters. A panel is copied for its rows, by runs of neighbours, and what is made with a stride is
   stored element by element; sums are added for each filter. */
static int is_scattered(const st_windows *w) {
    if (st_volume(w->k) < MR / 2) return 0;  /* tiles have the elements of one channel */
    const double vectors = (double)w->t[0] * w->t[1] * VECTORS(w->t[2]) * LANES;
    const double gathered = real_volume(w->i) / real_volume(w->s);
    const double runs = 3. * NP * w->s[2] / MAX(w->i[2], 1), stores = w->s[2] > 1 ? 14 : 0;
    const double copies = w->c <= FEW ? 2 : 4 + runs + stores;
    return vectors * w->c * (1 + 20. / w->o) < gathered * (w->c + copies);
}

/* Whether Winograd's products are fewer than those of elements: of 3 x 3 elements side by side, in
   enough channels that the transforms are little work. */
static int is_winograd(const st_windows *w, int of_image) {
    if (!WINOGRAD || !is_flat(w)) return 0;
    for (int axis = 1; axis < 3; axis++)
        if (w->k[axis] != 3 || w->s[axis] != 1 || w->d[axis] != 1 || w->p[axis] > 2) return 0;
    if (w->c < 16 || w->o < 16) return 0;
    const int64_t *made = of_image ? w->i : w->t;
    double count = 1;
    for (int axis = 1; axis < 3; axis++) count *= (made[axis] + EDGE - 1) / EDGE;
    return w->n * count >= NP && count * PARTS_OF_TILE * 1.4 < (double)made[1] * made[2] * 9;
}

/* Whether a filter of one element is the gradient of fewer channels than filters: then the image is
   transposed, and the result is what is met. */
static int is_swapped(const st_windows *w) {
    return is_pointwise(w) && w->c >= LANES && w->c < w->o;
}

static st_windows swapped(const st_windows *w) {
    st_windows other = *w;
    other.c = w->o, other.o = w->c;
    return other;
}

static void plan(task *t, int wanted, const TYPE *kernel, arena *memory) {
    if (wanted == 0) plan_result(t, kernel, memory);
    else plan_image(t, kernel, memory);
}

/* Multiplications for which one more thread is worth waiting for it. */
enum { WORK = 500000 };

static int threads_for(const st_windows *w, int threads) {
    const double work = (double)w->n * w->groups * w->c * w->o * real_volume(w->k)
                        * real_volume(w->t);
    return work >= (double)threads * WORK ? threads : MAX((int)(work / WORK), 1);
}

/* Bytes of memory for a call; -1 if there is no kernel. */
static int64_t bytes_for(int wanted, const st_windows *w, int threads) {
    arena memory = {0};
    int64_t transforms = 0;  /* elements decide whether they are used */
    if (!usable(w)) return -1;
    threads = threads_for(w, threads);
    if (wanted == 2) transforms = correlation_memory(w, threads);
    else if (!is_winograd(w, wanted)) transforms = overlap_memory(w, wanted, threads);
    if (is_depthwise(w, wanted)) {
        depthwise t = {.w = w, .threads = threads};
        plan_depthwise(&t, wanted, &memory);
    } else if (wanted == 2) {
        sums t = {.w = w};
        const st_windows other = is_swapped(w) ? swapped(w) : *w;
        across u = {.w = &other, .threads = threads};
        if (w->o < LANES) plan_sums(&t, &memory);
        else plan_across(&u, &memory);
    } else if (is_winograd(w, wanted)) {
        winograd t = {.w = w, .threads = threads};
        plan_winograd(&t, wanted, 0, &memory);
    } else if (wanted == 1 && is_striped(w)) {
        strips t = {.w = w, .threads = threads};
        plan_strips(&t, 0, &memory);
    } else if (wanted == 1 && is_scattered(w)) {
        scatter t = {.w = w, .threads = threads};
        plan_scatter(&t, 0, &memory);
    } else {
        task t = {.w = w, .threads = threads};
        plan(&t, wanted, 0, &memory);
    }
    const int64_t bytes = st_size_plus(MAX(memory.used, transforms), 64);
    return bytes == ST_MOST_SIZE || is_wasteful(w, threads, bytes) ? -1 : bytes;
}

EXPORT int64_t st_convolution_memory(int wanted, const st_windows *w, int threads) {
    return MAX(bytes_for(wanted, w, threads), 0);
}

static void convolve(int wanted, const st_windows *w, int threads, const TYPE *first,
                     const TYPE *second, TYPE *made, arena lent,
                     void (*finish)(const void *, int64_t, int64_t), const void *context) {
    if (is_depthwise(w, wanted)) {
        depthwise t = {.w = w, .threads = threads};
        plan_depthwise(&t, wanted, &lent);
        if (wanted == 2) sum_depthwise(&t, first, second, made);
        else run_depthwise(&t, wanted, wanted ? first : second, wanted ? second : first, made,
                           finish, context);
    } else if (wanted == 2 && try_correlation(w, threads, first, second, made, lent)) {
        return;
    } else if (wanted == 2 && w->o < LANES) {
        sums t = {.w = w, .threads = threads};
        plan_sums(&t, &lent);
        sum_up(&t, first, second, made);
    } else if (wanted == 2 && (!w->n || !st_volume(w->t))) {
        clear(made, w->groups * w->o * w->c * st_volume(w->k));
    } else if (wanted == 2) {
        const int other_way = is_swapped(w);
        const st_windows other = other_way ? swapped(w) : *w;
        across t = {.w = &other, .swapped = other_way, .threads = threads};
        plan_across(&t, &lent);
        sum_across(&t, other_way ? second : first, other_way ? first : second, made);
    } else if (is_winograd(w, wanted)) {
        winograd t = {.w = w, .threads = threads};
        plan_winograd(&t, wanted, wanted ? first : second, &lent);
        run_winograd(&t, wanted ? second : first, made, finish, context);
    } else if (try_overlap(w, wanted, threads, wanted ? first : second, wanted ? second : first,
                           made, lent, finish, context)) {
        return;
    } else if (wanted == 1 && is_striped(w)) {
        strips t = {.w = w, .threads = threads};
        plan_strips(&t, first, &lent);
        run_strips(&t, second, made, finish, context);
    } else if (wanted == 1 && is_scattered(w)) {
        scatter t = {.w = w, .threads = threads};
        plan_scatter(&t, first, &lent);
        run_scatter(&t, second, made, finish, context);
    } else {
        task t = {.w = w, .threads = threads};
        plan(&t, wanted, wanted == 0 ? second : first, &lent);
        run_task(&t, wanted == 0 ? first : second, made, finish, context);
    }
}

/* Compute `made` from two arrays; return 0 if there is no kernel, or too little memory. If `call` is
   not 0, it is the number of a call whose filter never changes: it is packed once, into a block of
   `list`. */
EXPORT int32_t st_convolve(int wanted, const st_windows *w, int threads, const TYPE *first,
                           const TYPE *second, TYPE *made, void *memory, int64_t bytes,
                           void (*finish)(const void *, int64_t, int64_t), const void *context,
                           block **list, int64_t call) {
    const int64_t needed = bytes_for(wanted, w, threads);
    if (needed < 0 || bytes < needed) return 0;
    arena lent = {.base = (char *)(((uintptr_t)memory + 63) / 64 * 64), .packed = {list, call}};
    convolve(wanted, w, threads_for(w, threads), first, second, made, lent, finish, context);
    RELEASE(memory, bytes);
    return 1;
}
