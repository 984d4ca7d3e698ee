/* Which algorithm computes a call, and what the library exports. */

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

/* Whether memory would have zeros for the most part, which plain loops pass over: filters are far
   larger than the arrays, or images have very wide borders. */
static int is_wasteful(const st_windows *w, int threads, int64_t bytes) {
    enum { MUCH = 1 << 30, MOST_TIMES = 64 };
    const double read = (double)w->c * real_volume(w->i) + (double)w->o * real_volume(w->t);
    const double filters = (double)w->o * (double)w->c * real_volume(w->k);
    const double elements = (double)w->groups * ((double)w->n * read + filters);
    return bytes > MUCH && (double)bytes > MOST_TIMES * threads * elements * sizeof(TYPE);
}

/* Multiplications for which one more thread is worth waiting for it. */
enum { WORK = 500000 };

static int threads_for(const st_windows *w, int threads) {
    const double work = (double)w->n * w->groups * w->c * w->o * real_volume(w->k)
                        * real_volume(w->t);
    return work >= (double)threads * WORK ? threads : MAX((int)(work / WORK), 1);
}

/* The algorithms, in the order in which they are asked; the last ones are for all shapes. */
static const algorithm algorithms[] = {
    @ALGORITHMS@
};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

typedef union plan { @PLANS@ } plan;

/* The algorithms for a call: one that is for its shapes and, if that one is not for all elements, one
   that is; with their plans, and the bytes of memory for either. */
typedef struct choice {
    const algorithm *algorithms[2];
    plan plans[2];
    int64_t bytes;
} choice;

/* Choose algorithms; return 0 if there is no kernel. */
static int choose(const call *c, choice *to) {
    int64_t number = 0, used = 0;
    if (!usable(c->w)) return 0;
    for (const algorithm *a = algorithms; a < algorithms + ALGORITHMS; a++) {
        if (!(a->wanted >> c->wanted & 1) || (number && a->is_safe)) continue;
        if (!a->fits(c, to->plans + number)) continue;
        arena measured = {0};
        a->plan(c, to->plans + number, &measured);
        to->algorithms[number++] = a, used = MAX(used, measured.used);
        if (!a->is_safe) break;
    }
    to->bytes = st_size_plus(used, 64);
    return to->bytes < ST_MOST_SIZE && !is_wasteful(c->w, c->threads, to->bytes);
}

EXPORT int64_t @MEMORY@(int wanted, const st_windows *w, int threads) {
    const call c = {.w = w, .wanted = wanted, .threads = threads_for(w, threads)};
    choice chosen;
    return choose(&c, &chosen) ? chosen.bytes : 0;
}

/* Compute `made` from two arrays; return 0 if there is no kernel, or too little memory. If `call` is
   not 0, it is the number of a call whose filter never changes: it is packed once, into a block of
   `list`. */
EXPORT int32_t @RUN@(int wanted, const st_windows *w, int threads, const TYPE *first,
                           const TYPE *second, TYPE *made, void *memory, int64_t bytes,
                           void (*finish)(const void *, int64_t, int64_t), const void *context,
                           block **list, int64_t number) {
    const call c = {
        .w = w, .wanted = wanted, .threads = threads_for(w, threads),
        .image = wanted == IMAGE ? 0 : first,
        .kernel = wanted == RESULT ? second : wanted == IMAGE ? first : 0,
        .result = wanted == RESULT ? 0 : second,
        .made = made, .finish = finish, .context = context,
    };
    choice chosen;
    if (!choose(&c, &chosen) || bytes < chosen.bytes) return 0;
    const int other = chosen.algorithms[0]->is_safe && !chosen.algorithms[0]->is_safe(&c);
    const algorithm *a = chosen.algorithms[other];
    arena lent = {.base = (char *)(((uintptr_t)memory + 63) / 64 * 64),
                  .packed = {list, number, a - algorithms, wanted}};
    a->plan(&c, chosen.plans + other, &lent);
    a->run(&c, chosen.plans + other);
    RELEASE(memory, bytes);
    return 1;
}
