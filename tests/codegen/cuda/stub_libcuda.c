/* A libcuda that runs kernels on the processor, for tests of the driver: the kernels are those of
   the library that STUB_KERNELS names. STUB_FAIL="LaunchKernel 2" lets the second launch fail. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REFUSED = 700, NO_MEMORY = 2 };

static int allocated, retained;
static long copies;
static void do_copies(void *stream, long last);

int stub_allocated(void) { return allocated; }
int stub_contexts(void) { return retained; }

/* Whether this call of a function is to fail. */
static int refused(const char *name) {
    static int calls;
    const char *const wish = getenv("STUB_FAIL");
    char wanted[64];
    int number;
    if (!wish || sscanf(wish, "%63s %d", wanted, &number) != 2 || strcmp(wanted, name)) return 0;
    if (++calls < number) return 0;
    calls = 0;
    return 1;
}

int cuInit(unsigned flags) { return flags; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDeviceGetName(char *name, int size, int device) {
    snprintf(name, size, "stub %d", device);
    return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    *value = attribute == 75 ? 9 : 0;
    return device < 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
    retained++;
    *context = (void *)(uintptr_t)(device + 1);
    return 0;
}

static __thread void *contexts[16];
static __thread int current;
int cuCtxPushCurrent_v2(void *context) { contexts[current++] = context; return 0; }
int cuCtxPopCurrent_v2(void **context) { *context = contexts[--current]; return current < 0; }

int cuModuleLoadData(void **module, const void *image) {
    if (refused("ModuleLoad") || memcmp(image, "\177ELF", 4) != 0) return REFUSED;
    *module = dlopen(getenv("STUB_KERNELS"), RTLD_NOW);
    return *module ? 0 : REFUSED;
}
int cuModuleUnload(void *module) { return dlclose(module); }

typedef struct { void *module; const void *kernel; } function;
int cuModuleGetFunction(void **found, void *module, const char *name) {
    const void *(*find)(const char *) = (const void *(*)(const char *))dlsym(module, "st_find_kernel");
    function *const made = malloc(sizeof *made);
    *made = (function){module, find(name)};
    *found = made;
    return made->kernel ? 0 : REFUSED;
}

int cuLaunchKernel(void *kernel, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned ty,
                   unsigned tz, unsigned shared, void *stream, void **arguments, void **extra) {
    if (refused("LaunchKernel") || !current || !stream || z * ty * tz != 1 || shared || extra) {
        return REFUSED;
    }
    do_copies(stream, copies);
    const function *const made = kernel;
    void (*run)(const void *, int64_t, int, void **) =
        (void (*)(const void *, int64_t, int, void **))dlsym(made->module, "st_run_kernel");
    run(made->kernel, (int64_t)x * y, (int)threads, arguments);
    return 0;
}

int cuStreamCreate(void **stream, unsigned flags) {
    *stream = malloc(1 + flags);
    return refused("StreamCreate") ? REFUSED : 0;
}
int cuStreamDestroy_v2(void *stream) { free(stream); return 0; }

int cuStreamSynchronize(void *stream) {
    if (refused("StreamSynchronize") || !stream) return REFUSED;
    do_copies(stream, copies);
    return 0;
}

int cuMemAllocAsync(uint64_t *memory, size_t bytes, void *stream) {
    const char *const room = getenv("STUB_ROOM"); /* for so many arrays */
    if (refused("MemAlloc") || !current || !stream) return NO_MEMORY;
    if (room && allocated >= atoi(room)) return NO_MEMORY;
    allocated++;
    *memory = (uint64_t)(uintptr_t)malloc(bytes);
    return 0;
}
int cuMemFreeAsync(uint64_t memory, void *stream) {
    allocated--;
    do_copies(stream, copies);
    free((void *)(uintptr_t)memory);
    return !stream;
}
/* Copies from and to memory that cuMemHostAlloc has made wait until something needs them. */
typedef struct { void *stream, *target; const void *source; size_t bytes; long number; } copy;
static copy waiting[256];
static int waiting_count;
static pthread_mutex_t waiting_lock = PTHREAD_MUTEX_INITIALIZER;
static struct { char *start; size_t bytes; } pinned[64];
static int host_buffers;
int stub_host_buffers(void) { return host_buffers; }
long stub_copies(void) { return copies; }

/* Do the waiting copies of a stream up to one of a number. */
static void do_copies(void *stream, long last) {
    pthread_mutex_lock(&waiting_lock);
    int left = 0;
    for (int k = 0; k < waiting_count; k++) {
        const copy c = waiting[k];
        if (c.stream == stream && c.number <= last) memcpy(c.target, c.source, c.bytes);
        else waiting[left++] = c;
    }
    waiting_count = left;
    pthread_mutex_unlock(&waiting_lock);
}
static int is_pinned(const void *address) {
    for (int k = 0; k < host_buffers; k++) {
        const char *const a = address;
        if (a >= pinned[k].start && a < pinned[k].start + pinned[k].bytes) return 1;
    }
    return 0;
}
static int do_copy(void *target, const void *source, size_t bytes, void *stream) {
    if (!is_pinned(target) && !is_pinned(source)) {
        do_copies(stream, copies);
        memcpy(target, source, bytes);
        return 0;
    }
    pthread_mutex_lock(&waiting_lock);
    waiting[waiting_count++] = (copy){stream, target, source, bytes, ++copies};
    if (waiting_count == 256) abort();
    pthread_mutex_unlock(&waiting_lock);
    return 0;
}
int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
    if (refused("HostAlloc") || !current || flags) return NO_MEMORY;
    *memory = malloc(bytes);
    pinned[host_buffers].start = *memory, pinned[host_buffers++].bytes = bytes;
    return 0;
}
int cuMemFreeHost(void *memory) {
    for (int k = 0; k < host_buffers; k++) {
        if (pinned[k].start == memory) pinned[k] = pinned[--host_buffers];
    }
    free(memory);
    return 0;
}
int cuMemcpyHtoDAsync_v2(uint64_t target, const void *source, size_t bytes, void *stream) {
    if (refused("CopyToDevice") || !current || !stream) return REFUSED;
    return do_copy((void *)(uintptr_t)target, source, bytes, stream);
}
int cuMemcpyDtoHAsync_v2(void *target, uint64_t source, size_t bytes, void *stream) {
    if (refused("CopyToHost") || !current || !stream) return REFUSED;
    return do_copy(target, (const void *)(uintptr_t)source, bytes, stream);
}
int cuMemcpyDtoDAsync_v2(uint64_t target, uint64_t source, size_t bytes, void *stream) {
    if (refused("CopyWithin") || !current || !stream) return REFUSED;
    return do_copy((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes, stream);
}
typedef struct { struct timespec time; void *stream; long last; } event;
static int events;
int stub_events(void) { return events; }
int cuEventCreate(void **made, unsigned flags) {
    if (refused("EventCreate") || !current) return REFUSED;
    events++;
    *made = calloc(1, sizeof(event));
    return 0;
}
int cuEventSynchronize(void *made) {
    if (refused("EventSynchronize") || !made) return REFUSED;
    do_copies(((event *)made)->stream, ((event *)made)->last);
    return 0;
}

int cuEventDestroy_v2(void *made) { events--; free(made); return 0; }
int cuEventRecord(void *made, void *stream) {
    if (refused("EventRecord") || !current || !stream) return REFUSED;
    ((event *)made)->stream = stream, ((event *)made)->last = copies;
    return clock_gettime(CLOCK_MONOTONIC, &((event *)made)->time);
}
int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
    const struct timespec *const a = &((event *)from)->time, *const b = &((event *)to)->time;
    *milliseconds = 1e3f * (b->tv_sec - a->tv_sec) + 1e-6f * (b->tv_nsec - a->tv_nsec);
    return refused("EventElapsed") ? REFUSED : 0;
}
int cuMemGetInfo_v2(size_t *left, size_t *whole) { *left = 1000; *whole = 2000; return 0; }
int cuGetErrorString(int code, const char **text) {
    *text = code == NO_MEMORY ? "out of memory" : "refused by the stub";
    return 0;
}
