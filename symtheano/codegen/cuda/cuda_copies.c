/* Large copies, through memory of the host that the device reaches itself: one half is filled while
   the other one is copied. There are at most a few such buffers; without one, copies are plain. */
enum { ST_HALF_BYTES = 1 << 22, ST_LEAST_STAGED = 1 << 20, ST_MOST_STAGES = 4 };

typedef struct st_stage {
    struct st_stage *next;
    char *halves[2];
    st_handle copied[2]; /* events: the last copy of a half has ended */
    bool used[2];
} st_stage;

static struct { st_stage *idle; int32_t count; } st_stages[ST_MOST_DEVICES];
static pthread_mutex_t st_stages_lock = PTHREAD_MUTEX_INITIALIZER;

static void st_free_stage(st_stage *stage) {
    for (int k = 0; k < 2; k++) {
        if (stage->halves[k]) cuda.HostFree(stage->halves[k]);
        if (stage->copied[k]) cuda.EventDestroy(stage->copied[k]);
    }
    free(stage);
}

static st_stage *st_new_stage(void) {
    st_stage *const stage = calloc(1, sizeof *stage);
    if (!stage) return NULL;
    for (int k = 0; k < 2; k++) {
        if (cuda.HostAlloc((void **)&stage->halves[k], ST_HALF_BYTES, 0) != 0) stage->halves[k] = NULL;
        if (cuda.EventCreate(&stage->copied[k], 2) != 0) stage->copied[k] = NULL; /* no times */
    }
    if (stage->halves[0] && stage->halves[1] && stage->copied[0] && stage->copied[1]) return stage;
    st_free_stage(stage);
    return NULL;
}

/* A buffer for copies of one stream, or NULL. The context of the device is current. */
static st_stage *st_take_stage(int32_t device) {
    pthread_mutex_lock(&st_stages_lock);
    st_stage *stage = st_stages[device].idle;
    const bool more = !stage && st_stages[device].count < ST_MOST_STAGES;
    if (stage) st_stages[device].idle = stage->next;
    if (more) st_stages[device].count++;
    pthread_mutex_unlock(&st_stages_lock);
    if (!more) return stage;
    stage = st_new_stage();
    if (!stage) {
        pthread_mutex_lock(&st_stages_lock);
        st_stages[device].count--;
        pthread_mutex_unlock(&st_stages_lock);
    }
    return stage;
}

/* Wait for what has been copied from and to a buffer. */
static int32_t st_settle_stage(st_stage *stage) {
    for (int half = 0; stage && half < 2; half++) {
        if (stage->used[half]) ST_CUDA(EventSynchronize, stage->copied[half]);
    }
    return 0;
}

/* Give a buffer back whose copies have ended. */
static void st_give_stage(int32_t device, st_stage *stage) {
    if (!stage) return;
    stage->used[0] = stage->used[1] = false;
    pthread_mutex_lock(&st_stages_lock);
    stage->next = st_stages[device].idle;
    st_stages[device].idle = stage;
    pthread_mutex_unlock(&st_stages_lock);
}

static size_t st_part(int64_t bytes, int64_t from) {
    return (size_t)(bytes - from < ST_HALF_BYTES ? bytes - from : ST_HALF_BYTES);
}

/* Copy to the device. The source may change as soon as this returns. */
static int32_t st_copy_in(st_stage *stage, st_handle stream, st_pointer target, const void *source,
                          int64_t bytes) {
    int half = 0;
    for (int64_t from = 0; from < bytes; from += ST_HALF_BYTES, half ^= 1) {
        const size_t size = st_part(bytes, from);
        if (stage->used[half]) ST_CUDA(EventSynchronize, stage->copied[half]);
        memcpy(stage->halves[half], (const char *)source + from, size);
        ST_CUDA(CopyToDevice, target + (st_pointer)from, stage->halves[half], size, stream);
        stage->used[half] = true;
        ST_CUDA(EventRecord, stage->copied[half], stream);
    }
    return 0;
}

/* Copy to the host, and wait for it. */
static int32_t st_copy_out(st_stage *stage, st_handle stream, void *target, st_pointer source,
                           int64_t bytes) {
    int half = 0;
    for (int64_t next = 0, from = 0; from < bytes; from += ST_HALF_BYTES, half ^= 1) {
        for (; next < bytes && next <= from + ST_HALF_BYTES; next += ST_HALF_BYTES) {
            const int to = next == from ? half : half ^ 1;
            const st_pointer part = source + (st_pointer)next;
            ST_CUDA(CopyToHost, stage->halves[to], part, st_part(bytes, next), stream);
            stage->used[to] = true;
            ST_CUDA(EventRecord, stage->copied[to], stream);
        }
        ST_CUDA(EventSynchronize, stage->copied[half]);
        memcpy((char *)target + from, stage->halves[half], st_part(bytes, from));
    }
    return 0;
}

/* Copy bytes from the host (direction 0), to the host (1), or on the device (2). */
ST_EXPORT int32_t st_copy(int32_t device, void *target, const void *source, int64_t bytes,
                          int32_t direction) {
    if (bytes <= 0) return 0;
    const st_place *const place = st_enter_device(device);
    if (!place) return 1;
    const st_handle stream = place->stream;
    const st_pointer to = (st_pointer)(uintptr_t)target, from = (st_pointer)(uintptr_t)source;
    const bool large = direction < 2 && bytes >= ST_LEAST_STAGED;
    st_stage *const stage = large ? st_take_stage(device) : NULL;
    int32_t failed = st_follow(device, stream);
    if (failed) {
        /* nothing is copied */
    } else if (stage) {
        failed = direction == 0 ? st_copy_in(stage, stream, to, source, bytes)
                                : st_copy_out(stage, stream, target, from, bytes);
    } else {
        const size_t size = (size_t)bytes;
        const int code = direction == 0   ? cuda.CopyToDevice(to, source, size, stream)
                         : direction == 1 ? cuda.CopyToHost(target, from, size, stream)
                                          : cuda.CopyWithin(to, from, size, stream);
        if (code != 0) failed = st_failed("a copy", code);
    }
    const int code = cuda.StreamSynchronize(stream);
    if (code != 0 && !failed) failed = st_failed("a copy", code);
    st_give_stage(device, stage);
    st_leave();
    return failed;
}
