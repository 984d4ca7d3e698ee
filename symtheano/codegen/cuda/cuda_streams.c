/* Streams of callers. A thread may name one: its calls then begin when the work on it has been done, and
   work that follows on it begins when the call has ended, all without the host. Until the work of such a
   stream has ended, whatever the driver does on other streams waits for it, on the device: so arrays may
   be freed, used again, or read while calls still use them. */
enum { ST_MOST_STREAMS = 16 };

/* A stream that threads name now, or, if there are none, the event of its last work. */
typedef struct st_lane { st_handle stream, event; int32_t users; } st_lane;

static struct { int32_t count; st_lane lanes[ST_MOST_STREAMS]; } st_lanes[ST_MOST_DEVICES];
static pthread_mutex_t st_lanes_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread st_handle st_named[ST_MOST_DEVICES];

/* How many arrays have been freed, so far, and when this thread's call last waited for callers' streams. */
static int64_t st_frees;
static __thread int64_t st_frees_seen;
static __thread st_handle st_running; /* the stream of this thread's call, or NULL */

/* Whether this thread's call is part of a graph that the caller captures. Nothing is done then before the
   end of the call, and what can't be part of a graph is refused. */
static __thread bool st_capturing, st_capture_refused;

static int32_t st_refuse_capture(const char *why) {
    st_capture_refused = true;
    snprintf(st_why, sizeof st_why, "a call can't be part of a graph that is captured: %s", why);
    return 1;
}

#define ST_NO_MEMORY_YET \
    "it needs memory; call the function before, with the same lengths, and drop what it returns"
#define ST_NOT_ASKED_YET \
    "a library is asked for the first time; call the function before, with the same lengths"

/* Whether a caller captures what follows on a stream, as a part of a graph. */
static bool st_is_captured(st_handle stream) {
    int status = 0;
    const st_handle *nodes = NULL;
    size_t count = 0;
    return cuda_has_updates && cuda_updates.CaptureInfo(stream, &status, NULL, NULL, &nodes, &count) == 0
        && status == 1;
}

static void st_remove_lane(int32_t device, int32_t number) {
    st_lane *const lanes = st_lanes[device].lanes;
    cuda.EventDestroy(lanes[number].event);
    const int32_t left = st_lanes[device].count - 1;
    lanes[number] = lanes[left];
    __atomic_store_n(&st_lanes[device].count, left, __ATOMIC_RELAXED);
}

static int32_t st_follow_locked(int32_t device, st_handle stream) {
    for (int32_t k = st_lanes[device].count - 1; k >= 0; k--) {
        const st_lane *const lane = &st_lanes[device].lanes[k];
        if (lane->users > 0 && st_is_captured(lane->stream)) {
            continue; /* what is captured does not run yet, and no other stream may be drawn in */
        } else if (lane->users > 0) {
            ST_CUDA(EventRecord, lane->event, lane->stream);
        } else if (cuda.EventQuery(lane->event) == 0) {
            st_remove_lane(device, k);
            continue;
        }
        ST_CUDA(StreamWaitEvent, stream, lane->event, 0);
    }
    return 0;
}

/* Let a stream wait for the work of callers' streams. The context of the device is current. */
static int32_t st_follow(int32_t device, st_handle stream) {
    if (__atomic_load_n(&st_lanes[device].count, __ATOMIC_RELAXED) == 0) return 0;
    pthread_mutex_lock(&st_lanes_lock);
    const int32_t failed = st_follow_locked(device, stream);
    pthread_mutex_unlock(&st_lanes_lock);
    return failed;
}

/* Before memory of an array is used again: it may have been freed since the call began. */
static int32_t st_follow_frees(int32_t device) {
    if (!st_running || __atomic_load_n(&st_lanes[device].count, __ATOMIC_RELAXED) == 0) return 0;
    const int64_t frees = __atomic_load_n(&st_frees, __ATOMIC_ACQUIRE);
    if (frees == st_frees_seen) return 0;
    st_frees_seen = frees;
    return st_follow(device, st_running);
}

/* Forget a stream whose work has ended, if there are too many. */
static int32_t st_need_lane(int32_t device) {
    for (int32_t k = 0; k < st_lanes[device].count; k++) {
        if (st_lanes[device].count < ST_MOST_STREAMS) return 0;
        if (st_lanes[device].lanes[k].users > 0) continue;
        ST_CUDA(EventSynchronize, st_lanes[device].lanes[k].event);
        st_remove_lane(device, k);
    }
    if (st_lanes[device].count < ST_MOST_STREAMS) return 0;
    snprintf(st_why, sizeof st_why, "calls run on %d streams already", ST_MOST_STREAMS);
    return 1;
}

static st_lane *st_lane_of(int32_t device, st_handle stream) {
    for (int32_t k = 0; k < st_lanes[device].count; k++) {
        st_lane *const lane = &st_lanes[device].lanes[k];
        if (lane->stream == stream) return lane;
    }
    return NULL;
}

static int32_t st_add_user(int32_t device, st_handle stream) {
    st_lane *lane = st_lane_of(device, stream);
    if (!lane) {
        st_handle event;
        if (st_need_lane(device) != 0) return 1;
        ST_CUDA(EventCreate, &event, 2); /* no times */
        const int32_t count = st_lanes[device].count;
        lane = &st_lanes[device].lanes[count];
        *lane = (st_lane){stream, event, 0};
        __atomic_store_n(&st_lanes[device].count, count + 1, __ATOMIC_RELAXED);
    }
    lane->users++;
    return 0;
}

/* The event of the last work is recorded now: the stream may be gone later. */
static int32_t st_remove_user(int32_t device, st_handle stream) {
    st_lane *const lane = st_lane_of(device, stream);
    if (!lane || --lane->users > 0) return 0;
    const bool captured = st_is_captured(stream);
    const int code = captured ? 0 : cuda.EventRecord(lane->event, stream);
    if (code == 0 && !captured) return 0;
    st_remove_lane(device, (int32_t)(lane - st_lanes[device].lanes));
    return code == 0 ? 0 : st_failed("EventRecord", code);
}

/* Let calls of this thread run on a stream from now on, or, if it is NULL, on their own. `before` is set
   to the one before. */
ST_EXPORT int32_t st_name_stream(int32_t device, void *stream, void **before) {
    if (!st_enter_device(device)) return 1;
    *before = st_named[device];
    pthread_mutex_lock(&st_lanes_lock);
    int32_t failed = stream ? st_add_user(device, stream) : 0;
    if (!failed) {
        st_named[device] = stream;
        if (*before) failed = st_remove_user(device, *before);
    }
    pthread_mutex_unlock(&st_lanes_lock);
    st_leave();
    return failed;
}

/* The stream on which arrays are copied, or the one that this thread has named; NULL if there is none. */
ST_EXPORT void *st_stream(int32_t device) {
    const st_place *const place = st_enter_device(device);
    if (!place) return NULL;
    st_leave();
    return st_named[device] ? st_named[device] : place->stream;
}

/* Whether arrays may still be in work, so that who reads them has to wait. */
ST_EXPORT int32_t st_is_busy(int32_t device) {
    return __atomic_load_n(&st_lanes[device].count, __ATOMIC_RELAXED) > 0;
}

/* Let a stream, such as one of another library, wait for all work on arrays. */
ST_EXPORT int32_t st_lead(int32_t device, void *stream) {
    if (!st_enter_device(device)) return 1;
    const int32_t failed = st_follow(device, stream);
    st_leave();
    return failed;
}

static int32_t st_order_streams(st_handle first, st_handle then) {
    st_handle event;
    ST_CUDA(EventCreate, &event, 2);
    int code = cuda.EventRecord(event, first);
    if (code == 0) code = cuda.StreamWaitEvent(then, event, 0);
    cuda.EventDestroy(event); /* which lasts until it is not needed */
    return code == 0 ? 0 : st_failed("work of another library", code);
}

/* Wait for a stream, such as one of another library: on the device if this thread has named one. */
ST_EXPORT int32_t st_wait(int32_t device, void *stream) {
    if (!st_enter_device(device)) return 1;
    const st_handle named = st_named[device];
    int code = 0;
    int32_t failed = 0;
    if (!named) code = cuda.StreamSynchronize(stream);
    else if (named != stream) failed = st_order_streams(stream, named);
    st_leave();
    return code == 0 ? failed : st_failed("work of another library", code);
}
