/* Memory of arrays, which is kept for later ones: a step of training asks the driver for nothing. Sizes
   are rounded up by at most an eighth, so that arrays of similar lengths use the same memory. Work on
   an array has ended when it is freed, or what uses the memory later waits for it (`st_follow`).

   The lowest address is used first. The new values of shared variables are then where the values before
   the last ones were, whatever the order in which these are freed, and graphs of launches fit. */
enum { ST_LEAST_BYTES = 512, ST_SIZES = 512 };

/* The addresses of a size that are kept: a heap, in which each one is above that at half its place. */
typedef struct st_kept { st_pointer *items; int64_t count, room; } st_kept;

static st_kept st_pool[ST_MOST_DEVICES][ST_SIZES];
static pthread_mutex_t st_pool_lock = PTHREAD_MUTEX_INITIALIZER;

static bool st_keep(st_kept *kept, st_pointer memory) {
    if (kept->count == kept->room) {
        const int64_t room = 2 * kept->room + 8;
        st_pointer *const items = realloc(kept->items, (size_t)room * sizeof *items);
        if (!items) return false;
        kept->items = items, kept->room = room;
    }
    int64_t k = kept->count++;
    for (; k > 0 && kept->items[(k - 1) / 2] > memory; k = (k - 1) / 2) {
        kept->items[k] = kept->items[(k - 1) / 2];
    }
    kept->items[k] = memory;
    return true;
}

/* The lowest address, which is no longer kept; 0 if there is none. */
static st_pointer st_take_lowest(st_kept *kept) {
    if (kept->count == 0) return 0;
    st_pointer *const items = kept->items;
    const st_pointer lowest = items[0], last = items[--kept->count];
    int64_t k = 0;
    for (int64_t below = 1; below < kept->count; below = 2 * k + 1) {
        if (below + 1 < kept->count && items[below + 1] < items[below]) below++;
        if (items[below] >= last) break;
        items[k] = items[below];
        k = below;
    }
    items[k] = last;
    return lowest;
}

/* Round a size up: to a multiple of an eighth of the largest power of two that is not larger. */
static int64_t st_rounded(int64_t bytes) {
    if (bytes <= ST_LEAST_BYTES) return ST_LEAST_BYTES;
    const int64_t eighth = (int64_t)1 << (63 - __builtin_clzll((unsigned long long)bytes)) >> 3;
    const int64_t step = eighth > ST_LEAST_BYTES ? eighth : ST_LEAST_BYTES;
    return (bytes + step - 1) / step * step;
}

/* The number of a rounded size. */
static int st_size_number(int64_t rounded) {
    const int power = 63 - __builtin_clzll((unsigned long long)rounded);
    return 8 * power + (int)(rounded >> (power - 3) & 7);
}

/* Free what is kept of a device, whose context is current; whether there was anything. */
static bool st_empty_pool(int32_t device) {
    const st_handle stream = st_places[device].stream;
    bool some = false;
    if (stream && st_follow(device, stream) != 0) return false;
    pthread_mutex_lock(&st_pool_lock);
    for (int k = 0; k < ST_SIZES; k++) {
        st_kept *const kept = &st_pool[device][k];
        for (int64_t item = 0; item < kept->count; item++) cuda.MemFree(kept->items[item], stream);
        some |= kept->count > 0;
        free(kept->items);
        *kept = (st_kept){NULL, 0, 0};
    }
    pthread_mutex_unlock(&st_pool_lock);
    if (some) cuda.StreamSynchronize(stream);
    return some;
}

/* Wait for calls on callers' streams, which may still use what is given back to an allocator. */
ST_EXPORT void st_settle(int32_t device) {
    const st_place *const place = st_is_busy(device) ? st_enter_device(device) : NULL;
    if (!place) return;
    if (st_follow(device, place->stream) == 0) cuda.StreamSynchronize(place->stream);
    st_leave();
}

/* Memory of the caller's allocator, after the work on the default stream, which may still use it. */
static void *st_lent(int32_t device, st_lend lend, int64_t bytes) {
    const st_handle default_stream = (st_handle)1;
    if (!st_enter_device(device)) return NULL;
    void *memory = lend(device, bytes > 0 ? bytes : 1);
    const int code = memory ? cuda.StreamSynchronize(default_stream) : 0;
    st_leave();
    if (code == 0) return memory;
    st_failed("work of another library", code);
    return st_taker_of(device)(device, memory), NULL;
}

/* Whether memory was lent by the caller's allocator, which has it back now. */
static bool st_give_back(int32_t device, void *memory) {
    const st_take take = st_taker_of(device);
    if (!take || !st_enter_device(device)) return false;
    const bool was_the_callers = take(device, memory) != 0;
    st_leave();
    return was_the_callers;
}

/* Keep the memory of an array of a size; no call uses it. */
ST_EXPORT void st_free(int32_t device, void *address, int64_t bytes) {
    if (st_is_child || st_give_back(device, address)) return;
    const st_pointer memory = (st_pointer)(uintptr_t)address;
    pthread_mutex_lock(&st_pool_lock);
    const bool kept = st_keep(&st_pool[device][st_size_number(st_rounded(bytes))], memory);
    __atomic_add_fetch(&st_frees, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&st_pool_lock);
    const st_place *const place = kept ? NULL : st_enter_device(device);
    if (!place) return;
    if (st_follow(device, place->stream) == 0) cuda.MemFree(memory, place->stream);
    st_leave();
}

/* Memory for an array on a device; NULL if there is none. */
ST_EXPORT void *st_allocate(int32_t device, int64_t bytes) {
    if (st_refuse_child() != 0) return NULL;
    if (st_capturing && st_lender_of(device)) {
        return st_refuse_capture("arrays come from an allocator of the caller's"), NULL;
    }
    const st_lend lend = st_lender_of(device);
    if (lend && bytes >= 0) return st_lent(device, lend, bytes);
    const int64_t rounded = bytes < 0 ? bytes : st_rounded(bytes);
    if (device >= 0 && device < ST_MOST_DEVICES && bytes >= 0) {
        pthread_mutex_lock(&st_pool_lock);
        const st_pointer kept = st_take_lowest(&st_pool[device][st_size_number(rounded)]);
        pthread_mutex_unlock(&st_pool_lock);
        void *const memory = (void *)(uintptr_t)kept;
        if (kept && st_follow_frees(device) == 0) return memory;
        if (kept) return st_free(device, memory, bytes), NULL;
    }
    if (st_capturing) return st_refuse_capture(ST_NO_MEMORY_YET), NULL;
    const st_place *const place = st_enter_device(device);
    if (!place) return NULL;
    st_pointer memory = st_allocate_for(place->context, place->stream, rounded);
    const int code = memory ? cuda.StreamSynchronize(place->stream) : 0;
    if (code != 0) {
        st_failed("earlier work", code);
        cuda.MemFree(memory, place->stream);
        memory = 0;
    }
    st_leave();
    return (void *)(uintptr_t)memory;
}

/* Give back what is kept of a device. */
ST_EXPORT void st_free_unused(int32_t device) {
    if (!st_enter_device(device)) return;
    st_empty_pool(device);
    st_leave();
}
