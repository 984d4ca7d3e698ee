/* Calls of functions: what the host's part of a program asks for. */
typedef struct st_piece { struct st_piece *next; st_pointer memory; int64_t bytes; } st_piece;

enum { ST_MOST_EVENTS = 256 };

/* The events with which the last steps of a measured call begin. */
typedef struct st_events {
    int32_t count;
    int32_t steps[ST_MOST_EVENTS];
    st_handle events[ST_MOST_EVENTS]; /* made when they are first needed */
    st_times times;                   /* of the steps before */
} st_events;

/* Memory of the host that a library uses. */
typedef struct st_host_piece { struct st_host_piece *next; char bytes[]; } st_host_piece;

typedef struct st_cuda_call {
    st_call call;
    struct st_cuda_call *next;
    st_handle stream;
    /* The memory of this call, which the next one with the same lengths uses again; and where the
       next piece stands in it. */
    st_piece *pieces, **place;
    st_pointer work; /* memory of libraries, one after the other; 0: none */
    int64_t work_bytes;
    st_host_piece *host_pieces;
    st_stage *stage; /* of its large copies, or NULL */
    st_queue *queue; /* of its launches; NULL before the first one */
    st_events *events; /* NULL if it has never been measured */
    st_handle outer;   /* the stream of the call in which this one runs, by Python, or NULL */
    int64_t outer_frees; /* the arrays that had been freed when that call last waited */
    st_handle caller;  /* the stream of the caller's on which it runs, or NULL */
    st_handle done[2]; /* events: the last calls on such a stream have ended; made when they are needed */
    int turn;          /* which of them is the last one's */
    bool captured;     /* it is part of a graph that the caller captures, which uses its memory from then on */
} st_cuda_call;

/* The kernels of a program on a device, and the calls that do not run now. */
typedef struct st_module {
    st_driver driver;
    struct st_module *next, **link; /* in the list of all */
    int32_t device;
    st_handle context, module;
    pthread_mutex_t lock;
    st_cuda_call *idle, *captured;
    char *refusal; /* why no call can be part of a caller's graph, or NULL */
    char **sizes; /* of the arguments of each kernel, before a 0 */
    st_wide wide;
    st_handle kernels[];
} st_module;

static st_wide *st_wide_of(st_driver *driver) { return &((st_module *)driver)->wide; }

static st_module *st_modules;
static pthread_mutex_t st_modules_lock = PTHREAD_MUTEX_INITIALIZER;

/* Free pieces from a place on; whether there were any. */
static bool st_free_pieces(st_cuda_call *call, st_piece **place) {
    const bool some = *place != NULL;
    for (st_piece *piece = *place, *next; piece; piece = next) {
        next = piece->next;
        cuda.MemFree(piece->memory, call->stream);
        free(piece);
    }
    *place = NULL;
    return some;
}

/* Free the memory of libraries; whether there was any. */
static bool st_free_work(st_cuda_call *call) {
    if (!call->work) return false;
    cuda.MemFree(call->work, call->stream);
    call->work = 0;
    return true;
}

/* Free what the calls of a module keep that do not run; whether there was anything. */
static bool st_free_idle(st_module *module) {
    bool some = false;
    pthread_mutex_lock(&module->lock);
    for (st_cuda_call *call = module->idle; call; call = call->next) {
        const bool freed = st_free_workspace(call->queue), work = st_free_work(call);
        if (!st_free_pieces(call, &call->pieces) && !freed && !work) continue;
        some = true;
        cuda.StreamSynchronize(call->stream);
    }
    pthread_mutex_unlock(&module->lock);
    return some;
}

static bool st_free_kept(st_handle context) {
    bool some = false;
    for (int32_t device = 0; device < ST_MOST_DEVICES; device++) {
        if (st_places[device].context == context && st_empty_pool(device)) some = true;
    }
    pthread_mutex_lock(&st_modules_lock);
    for (st_module *module = st_modules; module; module = module->next) {
        if (module->context == context && st_free_idle(module)) some = true;
    }
    pthread_mutex_unlock(&st_modules_lock);
    return some;
}

/* Free the memory that calls keep for later ones, and that of arrays which are not there any more. */
ST_EXPORT void st_release(st_driver *driver) {
    st_module *const module = (st_module *)driver;
    if (st_enter(module->context) != 0) return;
    st_free_idle(module);
    st_empty_pool(module->device);
    st_leave();
}

static int32_t st_new_call(st_module *module, st_cuda_call **created) {
    st_cuda_call *const call = calloc(1, sizeof *call);
    if (!call) {
        snprintf(st_why, sizeof st_why, "the host has no memory for a call");
        return 1;
    }
    call->call.driver = &module->driver;
    const int code = cuda.StreamCreate(&call->stream, 1); /* it does not wait for the default one */
    if (code != 0) {
        free(call);
        return st_failed("StreamCreate", code);
    }
    *created = call;
    return 0;
}

/* Let another call use the memory of one that does not run any more. */
static void st_put_back(st_cuda_call *call) {
    st_module *const module = (st_module *)call->call.driver;
    st_cuda_call **const list = call->captured ? &module->captured : &module->idle;
    st_running = call->outer, st_frees_seen = call->outer_frees, st_capturing = false;
    pthread_mutex_lock(&module->lock);
    call->next = *list;
    *list = call;
    pthread_mutex_unlock(&module->lock);
    st_leave();
}

/* Whether launches of a call may wait. */
static bool st_has_queue(st_cuda_call *call);

/* Begin a call whose launches become part of a caller's graph when it ends. */
static st_call *st_begin_captured(st_cuda_call *call) {
    const char *const refusal = ((const st_module *)call->call.driver)->refusal;
    if (refusal || !st_has_queue(call)) {
        st_refuse_capture(refusal ? refusal : "the host has no memory for it");
        st_put_back(call);
        return NULL;
    }
    st_running = NULL, st_capture_refused = false;
    st_capturing = call->queue->holds = true;
    return &call->call;
}

/* Put the launches of a call into the caller's graph, if nothing was refused before. */
static int32_t st_end_captured(st_cuda_call *call) {
    st_queue *const queue = call->queue;
    const st_handle own = queue->stream;
    queue->stream = call->caller;
    call->captured = true;
    const int32_t failed = st_issue(queue, &queue->waiting, NULL);
    queue->stream = own;
    return failed;
}

static st_call *st_cuda_begin(const st_driver *driver) {
    st_module *const module = (st_module *)driver;
    if (st_enter(module->context) != 0) return NULL;
    pthread_mutex_lock(&module->lock);
    st_cuda_call *call = module->idle;
    if (call) module->idle = call->next;
    pthread_mutex_unlock(&module->lock);
    if (!call && st_new_call(module, &call) != 0) {
        st_leave();
        return NULL;
    }
    call->place = &call->pieces;
    call->caller = st_named[module->device];
    call->outer = st_running, st_running = call->stream;
    call->outer_frees = st_frees_seen;
    if (call->caller && st_is_captured(call->caller)) return st_begin_captured(call);
    st_frees_seen = __atomic_load_n(&st_frees, __ATOMIC_ACQUIRE);
    if (st_follow(module->device, call->stream) != 0) {
        st_put_back(call);
        return NULL;
    }
    return &call->call;
}

/* Add up the times between events, of which the last one is kept. */
static int32_t st_add_times(st_cuda_call *call) {
    st_events *const e = call->events;
    ST_CUDA(StreamSynchronize, call->stream);
    for (int32_t k = 0; k + 1 < e->count; k++) {
        float milliseconds = 0;
        if (e->steps[k] < 0) continue;
        ST_CUDA(EventElapsed, &milliseconds, e->events[k], e->events[k + 1]);
        st_spend(&e->times, e->steps[k], 1e-3 * milliseconds);
    }
    if (e->count > 0) {
        const st_handle last = e->events[e->count - 1];
        e->events[e->count - 1] = e->events[0];
        e->events[0] = last;
        e->steps[0] = e->steps[e->count - 1];
        e->count = 1;
    }
    return 0;
}

static int32_t st_cuda_tick(st_call *base, int32_t step) {
    st_cuda_call *const call = (st_cuda_call *)base;
    if (st_capturing) return st_refuse_capture("its steps are measured");
    if (st_flush(call->queue) != 0) return 1;
    if (!call->events && !(call->events = calloc(1, sizeof *call->events))) {
        snprintf(st_why, sizeof st_why, "the host has no memory for a profile");
        return 1;
    }
    st_events *const e = call->events;
    if (e->count == ST_MOST_EVENTS && st_add_times(call) != 0) return 1;
    st_handle *const event = &e->events[e->count];
    if (!*event) ST_CUDA(EventCreate, event, 0);
    ST_CUDA(EventRecord, *event, call->stream);
    e->steps[e->count++] = step;
    return 0;
}

/* Leave the times of an ended call to its thread. */
static void st_end_times(st_cuda_call *call, bool complete) {
    st_events *const e = call->events;
    if (!e || e->count == 0) return;
    if (complete) st_add_times(call);
    e->count = 0;
    st_publish(&e->times);
}

static void st_free_events(st_events *events) {
    if (!events) return;
    for (int32_t k = 0; k < ST_MOST_EVENTS && events->events[k]; k++) {
        cuda.EventDestroy(events->events[k]);
    }
    free(events->times.steps);
    free(events);
}

/* Let the caller's stream wait for a call. The host waits for copies from its own memory only. */
static int32_t st_hand_over(st_cuda_call *call) {
    if (st_settle_stage(call->stage) != 0) return 1;
    st_handle *const done = &call->done[call->turn ^= 1];
    if (!*done) ST_CUDA(EventCreate, done, 2); /* no times */
    ST_CUDA(EventRecord, *done, call->stream);
    ST_CUDA(StreamWaitEvent, call->caller, *done, 0);
    return 0;
}

static int32_t st_cuda_end(st_call *base) {
    st_cuda_call *const call = (st_cuda_call *)base;
    st_queue *const queue = call->queue;
    if (st_capturing) {
        const int32_t refused = st_capture_refused || st_end_captured(call) != 0;
        st_empty_queue(queue, call->captured);
        queue->holds = false;
        st_put_back(call);
        return refused;
    }
    int32_t failed = st_flush(queue);
    st_free_pieces(call, call->place);
    const bool measured = call->events && call->events->count > 0;
    /* libraries may still use the host's memory */
    bool waits = failed || measured || !call->caller || call->host_pieces;
    if (!waits) failed = st_hand_over(call), waits = failed;
    /* kernels report their errors here */
    const int code = waits ? cuda.StreamSynchronize(call->stream) : 0;
    if (code != 0 && !failed) failed = st_failed("a kernel", code);
    for (st_host_piece *piece = call->host_pieces, *next; piece; piece = next) {
        next = piece->next;
        free(piece);
    }
    call->host_pieces = NULL;
    if (queue && waits) queue->pending[0] = queue->pending[1] = NULL;
    else if (queue && queue->staged_bytes > 0) queue->pending[queue->half] = call->done[call->turn];
    if (queue) queue->staged_bytes = 0, queue->begun = queue->time;
    st_end_times(call, !failed);
    st_give_stage(((const st_module *)base->driver)->device, call->stage);
    call->stage = NULL;
    st_put_back(call);
    return failed;
}

/* Whether launches of a call may wait: not if they are measured. */
static bool st_has_queue(st_cuda_call *call) {
    if (call->events && call->events->count > 0) return false;
    const int32_t device = ((const st_module *)call->call.driver)->device;
    if (!call->queue) call->queue = st_new_queue(device, call->stream);
    return call->queue != NULL;
}

static int32_t st_cuda_launch(st_call *base, int32_t kernel, bool wide, int64_t blocks,
                              int32_t threads, void **arguments) {
    if (blocks <= 0) return 0;
    const int64_t most = 2147483647;
    const int64_t rows = (blocks - 1) / most + 1;
    if (rows > 65535) {
        snprintf(st_why, sizeof st_why, "a launch of %lld blocks", (long long)blocks);
        return 1;
    }
    st_cuda_call *const call = (st_cuda_call *)base;
    const st_driver *const driver = wide ? st_widened(base->driver) : base->driver;
    if (!driver) return 1;
    const st_module *const module = (const st_module *)driver;
    const st_operation launch = {
        .kernel = module->kernels[kernel], .x = (unsigned)((blocks - 1) / rows + 1),
        .y = (unsigned)rows, .threads = (unsigned)threads,
    };
    if (st_has_queue(call)) {
        const char *const sizes = module->sizes[kernel];
        if (st_wait_with_launch(call->queue, &launch, sizes, arguments)) return 0;
        if (st_flush(call->queue) != 0) return 1;
        if (st_wait_with_launch(call->queue, &launch, sizes, arguments)) return 0;
    }
    ST_CUDA(LaunchKernel, launch.kernel, launch.x, launch.y, 1, launch.threads, 1, 1, 0,
            call->stream, arguments, NULL);
    return 0;
}

/* Whether a copy is large, and there is a buffer for it. */
static bool st_has_stage(st_cuda_call *call, int64_t bytes) {
    if (bytes < ST_LEAST_STAGED) return false;
    if (!call->stage) {
        call->stage = st_take_stage(((const st_module *)call->call.driver)->device);
    }
    return call->stage != NULL;
}

static int32_t st_cuda_to_device(st_call *base, void *target, const void *source, int64_t bytes) {
    if (bytes <= 0) return 0;
    if (st_capturing) return st_refuse_capture("it copies from the host");
    st_cuda_call *const call = (st_cuda_call *)base;
    const st_pointer to = (st_pointer)(uintptr_t)target;
    if (st_has_queue(call) && st_wait_with_copy(call->queue, to, source, bytes)) return 0;
    if (st_flush(call->queue) != 0) return 1;
    if (st_has_stage(call, bytes)) return st_copy_in(call->stage, call->stream, to, source, bytes);
    ST_CUDA(CopyToDevice, to, source, (size_t)bytes, call->stream);
    return 0;
}

static int32_t st_cuda_to_host(st_call *base, void *target, const void *source, int64_t bytes) {
    if (bytes <= 0) return 0;
    if (st_capturing) return st_refuse_capture("the host reads what it computes");
    st_cuda_call *const call = (st_cuda_call *)base;
    const st_pointer from = (st_pointer)(uintptr_t)source;
    if (st_flush(call->queue) != 0) return 1;
    if (st_has_stage(call, bytes)) return st_copy_out(call->stage, call->stream, target, from, bytes);
    ST_CUDA(CopyToHost, target, from, (size_t)bytes, call->stream);
    ST_CUDA(StreamSynchronize, call->stream);
    return 0;
}

static void *st_cuda_allocate(st_call *base, int64_t bytes) {
    st_cuda_call *const call = (st_cuda_call *)base;
    st_piece *piece = *call->place;
    if (st_capturing && !(piece && piece->bytes == bytes)) {
        return st_refuse_capture(ST_NO_MEMORY_YET), NULL;
    }
    if (piece && piece->bytes != bytes) {
        st_free_pieces(call, call->place); /* of a call with other lengths */
        piece = NULL;
    }
    if (!piece) {
        piece = malloc(sizeof *piece);
        if (!piece) {
            snprintf(st_why, sizeof st_why, "the host has no memory for a call");
            return NULL;
        }
        const st_handle context = ((const st_module *)base->driver)->context;
        *piece = (st_piece){NULL, st_allocate_for(context, call->stream, bytes), bytes};
        if (!piece->memory) {
            free(piece);
            return NULL;
        }
        *call->place = piece;
    }
    call->place = &piece->next;
    return (void *)(uintptr_t)piece->memory;
}

/* Memory for a library, until it is asked for the next time; NULL if there is none. */
static void *st_work_memory(st_cuda_call *call, int64_t bytes) {
    if (!call->work || call->work_bytes < bytes) {
        if (st_capturing) return st_refuse_capture(ST_NO_MEMORY_YET), NULL;
        if (st_flush(call->queue) != 0) return NULL; /* what waits may use that of before */
        st_free_work(call);
        const st_handle context = ((const st_module *)call->call.driver)->context;
        call->work = st_allocate_for(context, call->stream, bytes);
        call->work_bytes = bytes;
    }
    return (void *)(uintptr_t)call->work;
}

/* Let a call of a library wait; false if it can't. */
static bool st_let_wait(st_cuda_call *call, int64_t kind, const void *asked, size_t bytes) {
    if (!st_has_queue(call)) return false;
    if (st_wait_with_call(call->queue, kind, asked, bytes)) return true;
    return st_flush(call->queue) == 0 && st_wait_with_call(call->queue, kind, asked, bytes);
}

static int32_t st_cuda_multiply(st_call *base, const st_product *p) {
    if (p->count <= 0 || p->m <= 0 || p->n <= 0) return 0;
    st_cuda_call *const call = (st_cuda_call *)base;
    const st_module *const module = (const st_module *)base->driver;
    if (!st_has_queue(call)) {
        if (!p->bias) return st_multiply_on(module->device, call->stream, 0, p);
        if (!st_takes_bias(module->device, 0, p)) return ST_REFUSED;
        return st_add_bias(module->device, call->stream, 0, p);
    }
    st_queue *const queue = call->queue;
    if (st_capturing && !queue->workspace) return st_refuse_capture(ST_NO_MEMORY_YET);
    st_need_workspace(queue);
    const size_t workspace = queue->workspace ? st_places[module->device].workspace : 0;
    if (p->bias && !st_takes_bias(module->device, workspace, p)) return ST_REFUSED;
    if (st_wait_with_product(queue, p)) return 0;
    return st_flush(queue) != 0 || !st_wait_with_product(queue, p);
}
