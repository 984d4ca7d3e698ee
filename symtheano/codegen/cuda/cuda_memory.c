/* Memory of devices, outside of calls. */
enum { ST_MOST_DEVICES = 64 };

/* A device: its context, the stream on which memory of arrays is allocated and copied, and the
   bytes that cuBLAS should have for itself on each stream: 32 MiB since Hopper, and 4 MiB before. */
typedef struct st_place { st_handle context, stream; size_t workspace; } st_place;

static st_place st_places[ST_MOST_DEVICES];
static pthread_mutex_t st_places_lock = PTHREAD_MUTEX_INITIALIZER;

/* A child that is forked can't use CUDA. Other threads may have held locks. */
static bool st_is_child;

static void st_begin_child(void) { st_is_child = true; }

static int32_t st_refuse_child(void) {
    if (!st_is_child) return 0;
    snprintf(st_why, sizeof st_why, "a process that was forked from one with CUDA can't use it; "
             "use the methods spawn or forkserver");
    return 1;
}

static int32_t st_enter(st_handle context) {
    if (st_refuse_child() != 0) return 1;
    ST_CUDA(PushCurrent, context);
    return 0;
}

static void st_leave(void) {
    st_handle context;
    cuda.PopCurrent(&context);
}

/* Open a device with its primary context, or with another one of it. */
static int32_t st_open_place(st_place *place, int32_t device, st_handle context) {
    int handle, major;
    st_handle stream;
    ST_CUDA(DeviceGet, &handle, device);
    ST_CUDA(DeviceGetAttribute, &major, 75, handle);
    if (!context) ST_CUDA(PrimaryRetain, &context, handle);
    if (st_enter(context) != 0) return 1;
    const int code = cuda.StreamCreate(&stream, 1); /* it does not wait for the default one */
    st_leave();
    if (code != 0) return st_failed("StreamCreate", code);
    *place = (st_place){context, stream, (size_t)(major >= 9 ? 32 : 4) << 20};
    return 0;
}

/* A device, whose context is then current in this thread until `st_leave`; NULL if that fails. */
static const st_place *st_enter_device(int32_t device) {
    if (st_refuse_child() != 0) return NULL;
    if (device < 0 || device >= ST_MOST_DEVICES) {
        snprintf(st_why, sizeof st_why, "device %d", device);
        return NULL;
    }
    st_place *const place = &st_places[device];
    pthread_mutex_lock(&st_places_lock);
    const int32_t failed = place->context ? 0 : st_open_place(place, device, NULL);
    pthread_mutex_unlock(&st_places_lock);
    return failed || st_enter(place->context) != 0 ? NULL : place;
}

/* Open a device with the context of this thread, if that is one of it; else, it is opened later. */
ST_EXPORT void st_adopt(int32_t device) {
    int handle, own;
    st_handle context = NULL;
    if (st_is_child || device < 0 || device >= ST_MOST_DEVICES) return;
    if (cuda.CurrentContext(&context) != 0 || !context || cuda.ContextDevice(&own) != 0) return;
    if (cuda.DeviceGet(&handle, device) != 0 || handle != own) return;
    st_place *const place = &st_places[device];
    pthread_mutex_lock(&st_places_lock);
    if (!place->context) st_open_place(place, device, context);
    pthread_mutex_unlock(&st_places_lock);
}

/* What memory of another library is to a device. */
enum { ST_OF_CONTEXT, ST_OF_OTHER_CONTEXT, ST_OF_OTHER_DEVICE };

/* Whose an address is, and of which device; that of the host, or of nobody that is known, is taken for
   the device's. */
ST_EXPORT int32_t st_owner(int32_t device, const void *address, int32_t *owner) {
    const st_pointer pointer = (st_pointer)(uintptr_t)address;
    const st_place *const place = st_enter_device(device);
    st_handle context = NULL;
    int type = 0, number = device;
    if (!place) return ST_OF_CONTEXT;
    const bool there = cuda.PointerAttribute(&type, 2, pointer) == 0 && type == 2;
    if (there && cuda.PointerAttribute(&number, 9, pointer) != 0) number = device;
    if (there && cuda.PointerAttribute(&context, 1, pointer) != 0) context = NULL;
    st_leave();
    *owner = number;
    if (number != device) return ST_OF_OTHER_DEVICE;
    return context && context != place->context ? ST_OF_OTHER_CONTEXT : ST_OF_CONTEXT;
}

static int32_t st_copy_between(const st_place *place, st_pointer to, st_handle context,
                               st_pointer from, int64_t bytes) {
    if (st_enter(context) != 0) return 1;
    const int code = cuda.ContextSynchronize(); /* who wrote it may have used any stream */
    st_leave();
    if (code != 0) return st_failed("work of another library", code);
    ST_CUDA(CopyPeer, to, place->context, from, context, (size_t)bytes, place->stream);
    ST_CUDA(StreamSynchronize, place->stream);
    return 0;
}

/* Let a stream wait for the work of callers' streams, which may still use what is copied to. */
static int32_t st_follow(int32_t device, st_handle stream);

/* Copy bytes of another context of a device, after all work there. */
ST_EXPORT int32_t st_fetch(int32_t device, void *target, const void *source, int64_t bytes) {
    const st_pointer to = (st_pointer)(uintptr_t)target, from = (st_pointer)(uintptr_t)source;
    const st_place *const place = st_enter_device(device);
    st_handle context = NULL;
    if (!place) return 1;
    const int code = cuda.PointerAttribute(&context, 1, from);
    int32_t failed = code != 0 ? st_failed("the context of an array", code) : 0;
    if (!failed) failed = st_follow(device, place->stream);
    if (!failed) failed = st_copy_between(place, to, context, from, bytes);
    st_leave();
    return failed;
}

/* Say how much memory is left, after what has failed. */
static void st_tell_memory(int64_t bytes) {
    size_t left = 0, whole = 0;
    cuda.MemInfo(&left, &whole);
    const size_t used = strlen(st_why);
    snprintf(st_why + used, sizeof st_why - used, "; asked for %lld bytes, %lld of %lld are free",
             (long long)bytes, (long long)left, (long long)whole);
}

/* Free memory of a context that is kept for later calls and arrays; whether there was any. */
static bool st_free_kept(st_handle context);

/* Memory for work on a stream; 0 if there is none. */
static st_pointer st_allocate_for(st_handle context, st_handle stream, int64_t bytes) {
    if (bytes < 0) {
        snprintf(st_why, sizeof st_why, "the device has less than 2**62 bytes");
        return 0;
    }
    st_pointer memory = 0;
    const size_t size = bytes > 0 ? (size_t)bytes : 1;
    int code = cuda.MemAlloc(&memory, size, stream);
    if (code != 0 && st_free_kept(context)) code = cuda.MemAlloc(&memory, size, stream);
    if (code == 0) return memory;
    st_failed("MemAlloc", code);
    st_tell_memory(bytes);
    return 0;
}
