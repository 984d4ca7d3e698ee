/* Memory of devices, outside of calls. */
enum { ST_MOST_DEVICES = 64 };

/* A device: its primary context, the stream on which memory of arrays is allocated and copied, and the
   bytes that cuBLAS should have for itself on each stream: 32 MiB since Hopper, and 4 MiB before. */
typedef struct st_place { st_handle context, stream; size_t workspace; } st_place;

static st_place st_places[ST_MOST_DEVICES];
static pthread_mutex_t st_places_lock = PTHREAD_MUTEX_INITIALIZER;

static int32_t st_enter(st_handle context) {
    ST_CUDA(PushCurrent, context);
    return 0;
}

static void st_leave(void) {
    st_handle context;
    cuda.PopCurrent(&context);
}

static int32_t st_open_place(st_place *place, int32_t device) {
    int handle, major;
    st_handle context, stream;
    ST_CUDA(DeviceGet, &handle, device);
    ST_CUDA(DeviceGetAttribute, &major, 75, handle);
    ST_CUDA(PrimaryRetain, &context, handle);
    if (st_enter(context) != 0) return 1;
    const int code = cuda.StreamCreate(&stream, 1); /* it does not wait for the default one */
    st_leave();
    if (code != 0) return st_failed("StreamCreate", code);
    *place = (st_place){context, stream, (size_t)(major >= 9 ? 32 : 4) << 20};
    return 0;
}

/* A device, whose context is then current in this thread until `st_leave`; NULL if that fails. */
static const st_place *st_enter_device(int32_t device) {
    if (device < 0 || device >= ST_MOST_DEVICES) {
        snprintf(st_why, sizeof st_why, "device %d", device);
        return NULL;
    }
    st_place *const place = &st_places[device];
    pthread_mutex_lock(&st_places_lock);
    const int32_t failed = place->context ? 0 : st_open_place(place, device);
    pthread_mutex_unlock(&st_places_lock);
    return failed || st_enter(place->context) != 0 ? NULL : place;
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
