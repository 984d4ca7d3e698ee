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
    struct st_plan *next;
    st_layout layout;
    int plan;
    bool captured;   /* a graph of a caller's has transforms with it */
    size_t bytes;    /* of the memory that it needs while it runs */
    int64_t time;    /* of its last use; 0: there is none */
    int64_t number;  /* no other plan has had it */
    int64_t waiting; /* transforms that have not been launched yet */
} st_plan;

static st_plan *st_plans[ST_MOST_DEVICES];
static int64_t st_plan_time, st_plan_number;

static int32_t st_set_plan(st_plan *plan, const st_layout *l) {
    static const int types[2][4] = {{0x29, 0x29, 0x2a, 0x2c}, {0x69, 0x69, 0x6a, 0x6c}};
    /* the lengths of all are told, so that steps count */
    long long n = l->n, half = l->n / 2 + 1;
    long long *const from = l->kind == ST_TO_REAL ? &half : &n;
    long long *const to = l->kind == ST_TO_HALF ? &half : &n;
    ST_CUFFT(SetAutoAllocation, plan->plan, 0);
    const int type = types[l->wide][l->kind];
    const int code = cufft.MakePlan(plan->plan, 1, &n, from, l->step, l->from_distance, to, l->step,
                                    l->to_distance, type, l->count, &plan->bytes);
    return code == 0 ? 0 : st_cufft_failed("MakePlan", code) * code;
}

/* Make a plan; what calls keep for later ones is freed if it needs the memory. */
static int32_t st_make_plan(st_plan *plan, const st_layout *layout, st_handle context) {
    for (int again = 0;; again++) {
        ST_CUFFT(Create, &plan->plan);
        const int32_t failed = st_set_plan(plan, layout);
        if (!failed) break;
        cufft.Destroy(plan->plan);
        if (failed != ST_NO_MEMORY_FOR_PLAN || again || !st_free_kept(context)) return 1;
    }
    plan->layout = *layout;
    plan->number = ++st_plan_number;
    plan->time = ++st_plan_time;
    return 0;
}

/* A place for a plan: that of the one that was used least lately, if there are many, and neither what waits
   nor a caller's graph uses it; else a new one. NULL if that fails. */
static st_plan *st_place_for_plan(int32_t device) {
    st_plan *oldest = NULL;
    int count = 0;
    for (st_plan *plan = st_plans[device]; plan; plan = plan->next, count++) {
        if (plan->waiting > 0 || plan->captured) continue;
        if (!oldest || plan->time < oldest->time) oldest = plan;
    }
    if (!oldest || (oldest->time && count < ST_MOST_PLANS)) {
        st_plan *const added = calloc(1, sizeof *added);
        if (!added) snprintf(st_why, sizeof st_why, "the host has no memory for a Fourier transform");
        else added->next = st_plans[device], st_plans[device] = added;
        return added;
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
    return oldest;
}

/* The plan of a layout; NULL if that fails. */
static st_plan *st_find_plan(int32_t device, st_handle context, const st_layout *layout) {
    for (st_plan *plan = st_plans[device]; plan; plan = plan->next) {
        if (!plan->time || memcmp(&plan->layout, layout, sizeof *layout) != 0) continue;
        plan->time = ++st_plan_time;
        return plan;
    }
    if (st_capturing) return st_refuse_capture(ST_NOT_ASKED_YET), NULL;
    st_plan *const plan = st_place_for_plan(device);
    return plan && st_make_plan(plan, layout, context) == 0 ? plan : NULL;
}

/* Transform by a plan, which may be one for either direction. */
static int32_t st_run_plan(const st_plan *plan, int kind, void *x, void *y) {
    const int64_t wide = plan->layout.wide;
    int code;
    if (kind == ST_TO_HALF) {
        code = (wide ? cufft.ExecD2Z : cufft.ExecR2C)(plan->plan, x, y);
    } else if (kind == ST_TO_REAL) {
        code = (wide ? cufft.ExecZ2D : cufft.ExecC2R)(plan->plan, x, y);
    } else {
        const int direction = kind == ST_INVERSE ? 1 : -1;
        code = (wide ? cufft.ExecZ2Z : cufft.ExecC2C)(plan->plan, x, y, direction);
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
    const int64_t in_length = t->kind == ST_TO_REAL ? half : t->n;
    const int64_t out_length = t->kind == ST_TO_HALF ? half : t->n;
    const int64_t number = width * (t->kind == ST_TO_HALF ? 1 : 2);
    const int64_t result = width * (t->kind == ST_TO_REAL ? 1 : 2);
    const bool aligned = !((uintptr_t)t->x % (2 * width)) && !((uintptr_t)t->y % (2 * width));
    const bool pairs = t->kind != ST_TO_HALF && t->kind != ST_TO_REAL && aligned;
    /* kinds of complex numbers differ in nothing else */
    *l = (st_layout){.kind = t->kind == ST_INVERSE ? ST_FORWARD : t->kind, .wide = t->type, .n = t->n,
                     .step = t->inner};
    *from = (st_side){(char *)t->x, in_length * t->inner * number, in_length * t->inner * number};
    *to = (st_side){t->y, out_length * t->inner * result, out_length * t->inner * result};
    if (t->inner == 1 || (pairs && t->inner < t->outer)) {
        l->count = t->outer, l->from_distance = in_length * t->inner, l->to_distance = out_length * t->inner;
        from->bytes *= t->outer, to->bytes *= t->outer;
        from->distance = number, to->distance = result;
        return t->inner;
    }
    l->count = t->inner, l->from_distance = l->to_distance = 1;
    return t->outer;
}

/* Transform part after part. */
static int32_t st_transform_parts(const st_plan *plan, int kind, int64_t parts, st_side from, st_side to,
                                  st_handle stream) {
    for (int64_t k = 0; k < parts; k++) {
        char *const x = from.array + k * from.distance, *const y = to.array + k * to.distance;
        const st_pointer x_copy = (st_pointer)(uintptr_t)from.copy;
        if (from.copy) ST_CUDA(CopyWithin, x_copy, (st_pointer)(uintptr_t)x, (size_t)from.bytes, stream);
        if (st_run_plan(plan, kind, from.copy ? from.copy : x, to.copy ? to.copy : y) != 0) return 1;
        const st_pointer y_copy = (st_pointer)(uintptr_t)to.copy;
        if (to.copy) ST_CUDA(CopyWithin, (st_pointer)(uintptr_t)y, y_copy, (size_t)to.bytes, stream);
    }
    return 0;
}

/* A transform with all that it needs; there are no bytes between the fields. */
typedef struct st_waiting_transform {
    st_transform transform;
    st_plan *plan;
    int64_t number; /* of the plan, in whose place another one may be later */
    st_pointer work;
} st_waiting_transform;

/* The work of a transform: memory of the plan, then copies of both sides. `bytes` is set to its size. */
static int64_t st_lay_out(const st_transform *t, const st_plan *plan, st_pointer work, st_side *from,
                          st_side *to, int64_t *bytes) {
    st_layout layout;
    const int64_t parts = st_divide(t, &layout, from, to);
    const size_t alignment = t->type ? 16 : 8;
    const bool in = st_needs_copy(from, parts, alignment), out = st_needs_copy(to, parts, alignment);
    const int64_t own = st_aligned((int64_t)plan->bytes), before = in ? st_aligned(from->bytes) : 0;
    if (in) from->copy = (char *)(uintptr_t)(work + (uint64_t)own);
    if (out) to->copy = (char *)(uintptr_t)(work + (uint64_t)(own + before));
    *bytes = own + before + (out ? to->bytes : 0);
    return parts;
}

static int32_t st_transform_locked(st_handle stream, const st_waiting_transform *w) {
    st_side from, to;
    int64_t bytes;
    const int64_t parts = st_lay_out(&w->transform, w->plan, w->work, &from, &to, &bytes);
    ST_CUFFT(SetStream, w->plan->plan, stream);
    ST_CUFFT(SetWorkArea, w->plan->plan, (void *)(uintptr_t)w->work);
    return st_transform_parts(w->plan, w->transform.kind, parts, from, to, stream);
}

/* Transform numbers on a stream. */
static int32_t st_transform_on(st_handle stream, const st_waiting_transform *w) {
    pthread_mutex_lock(&st_cufft_lock);
    const int32_t failed = st_transform_locked(stream, w);
    pthread_mutex_unlock(&st_cufft_lock);
    return failed;
}

static int32_t st_issue_transform(st_handle stream, const st_slot *slots) {
    st_waiting_transform waiting;
    memcpy(&waiting, slots, sizeof waiting);
    return st_transform_on(stream, &waiting);
}

static void st_let_go_of_plan(st_plan *plan, bool captured) {
    pthread_mutex_lock(&st_cufft_lock);
    plan->waiting--;
    plan->captured |= captured;
    pthread_mutex_unlock(&st_cufft_lock);
}

static void st_let_go_of_plans(const st_sequence *sequence, bool captured) {
    const st_slot *slot = sequence->slots;
    for (int32_t k = 0; k < sequence->count; k++) {
        st_waiting_transform waiting;
        if (sequence->operations[k].kind == ST_TRANSFORM) {
            memcpy(&waiting, slot, sizeof waiting);
            st_let_go_of_plan(waiting.plan, captured);
        }
        slot += sequence->operations[k].arguments;
    }
}

/* Find the plan of a transform, which is used from now on; NULL if that fails. */
static st_plan *st_take_plan(const st_cuda_call *call, const st_transform *t) {
    const st_module *const module = (const st_module *)call->call.driver;
    st_layout layout;
    st_side from, to;
    st_divide(t, &layout, &from, &to);
    pthread_mutex_lock(&st_cufft_lock);
    st_plan *const plan = st_find_plan(module->device, module->context, &layout);
    if (plan) plan->waiting++;
    pthread_mutex_unlock(&st_cufft_lock);
    return plan;
}

static int32_t st_cuda_transform(st_call *base, const st_transform *t) {
    if (t->outer <= 0 || t->n <= 0 || t->inner <= 0) return 0;
    st_cuda_call *const call = (st_cuda_call *)base;
    st_plan *const plan = st_take_plan(call, t);
    if (!plan) return 1;
    st_side from, to;
    int64_t bytes;
    st_lay_out(t, plan, 0, &from, &to, &bytes);
    const st_pointer work = (st_pointer)(uintptr_t)st_work_memory(call, bytes);
    const st_waiting_transform waiting = {*t, plan, plan->number, work};
    if (work && st_let_wait(call, ST_TRANSFORM, &waiting, sizeof waiting)) return 0;
    int32_t failed = !work || st_flush(call->queue) != 0;
    if (!failed) failed = st_transform_on(call->stream, &waiting);
    st_let_go_of_plan(plan, false);
    return failed;
}
