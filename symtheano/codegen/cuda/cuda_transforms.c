/* Fourier transforms, by cuFFT. Plans are kept for the next transforms of the same lengths. They have
   no memory of their own for their work: calls, which may run side by side, lend them theirs. */
#define ST_CUFFT_FUNCTIONS(each) \
    each(Create, cufftCreate, (int *)) \
    each(Destroy, cufftDestroy, (int)) \
    each(SetAutoAllocation, cufftSetAutoAllocation, (int, int)) \
    each(MakePlan, cufftMakePlanMany64, (int, int, long long *, long long *, long long, long long, \
         long long *, long long, long long, int, long long, size_t *)) \
    each(SetStream, cufftSetStream, (int, st_handle)) \
    each(SetWorkArea, cufftSetWorkArea, (int, void *)) \
    each(ExecC2C, cufftExecC2C, (int, void *, void *, int)) \
    each(ExecZ2Z, cufftExecZ2Z, (int, void *, void *, int)) \
    each(ExecR2C, cufftExecR2C, (int, void *, void *)) \
    each(ExecD2Z, cufftExecD2Z, (int, void *, void *)) \
    each(ExecC2R, cufftExecC2R, (int, void *, void *)) \
    each(ExecZ2D, cufftExecZ2D, (int, void *, void *))

static struct { ST_CUFFT_FUNCTIONS(ST_DECLARE) } cufft;
static pthread_mutex_t st_cufft_lock = PTHREAD_MUTEX_INITIALIZER;

/* Load cuFFT. */
ST_EXPORT int32_t st_open_cufft(const char *path) {
    void *const library = st_open_library(path);
    if (!library) return 1;
#define ST_FIND_OF_CUFFT(field, name, parameters) ST_FIND(cufft.field, name)
    ST_CUFFT_FUNCTIONS(ST_FIND_OF_CUFFT)
    return 0;
}

/* Ask cuFFT, and return 1 from the function if it refuses. */
#define ST_CUFFT(name, ...) \
    do { \
        const int st_code = cufft.name(__VA_ARGS__); \
        if (st_code != 0) return st_cufft_failed(#name, st_code); \
    } while (0)

static int32_t st_cufft_failed(const char *what, int code) {
    snprintf(st_why, sizeof st_why, "a Fourier transform: %s (cuFFT error %d)", what, code);
    return 1;
}

enum { ST_MOST_PLANS = 32, ST_NO_MEMORY_FOR_PLAN = 2 };

/* How numbers of many transforms lie in memory: the steps between those of one, and between those with
   the same place in two. `wide` is whether numbers are double. */
typedef struct st_layout {
    int64_t kind, wide, n, step, count, from_distance, to_distance;
} st_layout;

typedef struct st_plan {
    st_layout layout;
    int plan;
    size_t bytes;   /* of the memory that it needs while it runs */
    int64_t time;   /* of its last use; 0: there is none */
} st_plan;

static st_plan st_plans[ST_MOST_DEVICES][ST_MOST_PLANS];
static int64_t st_plan_time;

static int32_t st_set_plan(st_plan *made, const st_layout *l) {
    static const int types[2][4] = {{0x29, 0x29, 0x2a, 0x2c}, {0x69, 0x69, 0x6a, 0x6c}};
    /* the lengths of all are told, so that steps count */
    long long n = l->n, half = l->n / 2 + 1;
    long long *const from = l->kind == ST_TO_REAL ? &half : &n;
    long long *const to = l->kind == ST_TO_HALF ? &half : &n;
    ST_CUFFT(SetAutoAllocation, made->plan, 0);
    const int type = types[l->wide][l->kind];
    const int code = cufft.MakePlan(made->plan, 1, &n, from, l->step, l->from_distance, to, l->step,
                                    l->to_distance, type, l->count, &made->bytes);
    return code == 0 ? 0 : st_cufft_failed("MakePlan", code) * code;
}

/* Make a plan; what calls keep for later ones is freed if it needs the memory. */
static int32_t st_make_plan(st_plan *made, const st_layout *layout, st_handle context) {
    for (int again = 0;; again++) {
        const st_plan empty = {.layout = *layout};
        *made = empty;
        ST_CUFFT(Create, &made->plan);
        const int32_t failed = st_set_plan(made, layout);
        if (!failed) return 0;
        cufft.Destroy(made->plan);
        if (failed != ST_NO_MEMORY_FOR_PLAN || again || !st_free_kept(context)) return 1;
    }
}

/* The plan of a layout; NULL if that fails. */
static st_plan *st_find_plan(int32_t device, st_handle context, const st_layout *layout) {
    st_plan *const plans = st_plans[device], *oldest = plans;
    for (int k = 0; k < ST_MOST_PLANS; k++) {
        st_plan *const plan = &plans[k];
        if (plan->time && memcmp(&plan->layout, layout, sizeof *layout) == 0) {
            plan->time = ++st_plan_time;
            return plan;
        }
        if (plan->time < oldest->time) oldest = plan;
    }
    if (oldest->time) {
        /* transforms with it may still run */
        const int code = cuda.ContextSynchronize();
        if (code != 0) {
            st_failed("a kernel", code);
            return NULL;
        }
        oldest->time = 0;
        cufft.Destroy(oldest->plan);
    }
    if (st_make_plan(oldest, layout, context) != 0) return NULL;
    oldest->time = ++st_plan_time;
    return oldest;
}

static int32_t st_run_plan(const st_plan *plan, void *x, void *y) {
    const st_layout *const l = &plan->layout;
    int code;
    if (l->kind == ST_TO_HALF) {
        code = (l->wide ? cufft.ExecD2Z : cufft.ExecR2C)(plan->plan, x, y);
    } else if (l->kind == ST_TO_REAL) {
        code = (l->wide ? cufft.ExecZ2D : cufft.ExecC2R)(plan->plan, x, y);
    } else {
        const int direction = l->kind == ST_INVERSE ? 1 : -1;
        code = (l->wide ? cufft.ExecZ2Z : cufft.ExecC2C)(plan->plan, x, y, direction);
    }
    return code == 0 ? 0 : st_cufft_failed("Exec", code);
}

/* One side of a transform: its arrays are given at distances, or copied to memory that is aligned, as
   cuFFT wants it, if real numbers are not. */
typedef struct st_side {
    char *array;
    int64_t bytes, distance; /* of the numbers of a part; from one part to the next */
    char *copy;              /* NULL: it is not needed */
} st_side;

static bool st_needs_copy(const st_side *side, int64_t parts, size_t alignment) {
    return (uintptr_t)side->array % alignment || (parts > 1 && side->distance % alignment);
}

/* Bytes of memory, rounded up so that what follows is aligned. */
static int64_t st_aligned(int64_t bytes) { return (bytes + 255) / 256 * 256; }

/* Transforms that one plan computes at once are those of a part. Between the parts are the others
   along the axis before, or, if these are fewer, along the axis after. */
static int64_t st_divide(const st_transform *t, st_layout *l, st_side *from, st_side *to) {
    const int64_t half = t->n / 2 + 1, width = t->type ? 8 : 4;
    const int64_t given = t->kind == ST_TO_REAL ? half : t->n;
    const int64_t made = t->kind == ST_TO_HALF ? half : t->n;
    const int64_t number = width * (t->kind == ST_TO_HALF ? 1 : 2);
    const int64_t result = width * (t->kind == ST_TO_REAL ? 1 : 2);
    const bool aligned = !((uintptr_t)t->x % (2 * width)) && !((uintptr_t)t->y % (2 * width));
    const bool pairs = t->kind != ST_TO_HALF && t->kind != ST_TO_REAL && aligned;
    /* kinds of complex numbers differ in nothing else */
    *l = (st_layout){.kind = t->kind == ST_INVERSE ? ST_FORWARD : t->kind, .wide = t->type, .n = t->n,
                     .step = t->inner};
    *from = (st_side){(char *)t->x, given * t->inner * number, given * t->inner * number};
    *to = (st_side){t->y, made * t->inner * result, made * t->inner * result};
    if (t->inner == 1 || (pairs && t->inner < t->outer)) {
        l->count = t->outer, l->from_distance = given * t->inner, l->to_distance = made * t->inner;
        from->bytes *= t->outer, to->bytes *= t->outer;
        from->distance = number, to->distance = result;
        return t->inner;
    }
    l->count = t->inner, l->from_distance = l->to_distance = 1;
    return t->outer;
}

/* Transform part after part. */
static int32_t st_transform_parts(const st_plan *plan, int64_t parts, st_side from, st_side to,
                                  st_handle stream) {
    for (int64_t k = 0; k < parts; k++) {
        char *const x = from.array + k * from.distance, *const y = to.array + k * to.distance;
        const st_pointer x_copy = (st_pointer)(uintptr_t)from.copy;
        if (from.copy) ST_CUDA(CopyWithin, x_copy, (st_pointer)(uintptr_t)x, (size_t)from.bytes, stream);
        if (st_run_plan(plan, from.copy ? from.copy : x, to.copy ? to.copy : y) != 0) return 1;
        const st_pointer y_copy = (st_pointer)(uintptr_t)to.copy;
        if (to.copy) ST_CUDA(CopyWithin, (st_pointer)(uintptr_t)y, y_copy, (size_t)to.bytes, stream);
    }
    return 0;
}

/* Transform numbers on a device. */
static int32_t st_transform_on(int32_t device, st_cuda_call *call, const st_transform *t) {
    st_layout layout;
    st_side from, to;
    const int64_t parts = st_divide(t, &layout, &from, &to);
    const st_handle context = ((const st_module *)call->call.driver)->context;
    st_plan *const kept = st_find_plan(device, context, &layout);
    if (!kept) return 1;
    st_plan plan = *kept;
    plan.layout.kind = t->kind;
    const size_t alignment = t->type ? 16 : 8;
    const bool in = st_needs_copy(&from, parts, alignment), out = st_needs_copy(&to, parts, alignment);
    const int64_t own = st_aligned((int64_t)plan.bytes), before = in ? st_aligned(from.bytes) : 0;
    char *const work = st_work_memory(call, own + before + (out ? to.bytes : 0));
    if (!work) return 1;
    if (in) from.copy = work + own;
    if (out) to.copy = work + own + before;
    ST_CUFFT(SetStream, plan.plan, call->stream);
    ST_CUFFT(SetWorkArea, plan.plan, work);
    return st_transform_parts(&plan, parts, from, to, call->stream);
}

static int32_t st_cuda_transform(st_call *given, const st_transform *t) {
    if (t->outer <= 0 || t->n <= 0 || t->inner <= 0) return 0;
    st_cuda_call *const call = (st_cuda_call *)given;
    if (st_flush(call->queue) != 0) return 1;
    pthread_mutex_lock(&st_cufft_lock);
    const int32_t failed = st_transform_on(((const st_module *)given->driver)->device, call, t);
    pthread_mutex_unlock(&st_cufft_lock);
    return failed;
}
