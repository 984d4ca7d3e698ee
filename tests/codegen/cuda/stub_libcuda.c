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

static int allocated, asked, retained;
static long copies;
static void do_copies(void *stream, long last);

int stub_allocated(void) { return allocated; }
int stub_asked(void) { return asked; }
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

int cuCtxGetCurrent(void **context) {
    *context = current > 0 ? contexts[current - 1] : NULL;
    return 0;
}
int cuCtxGetDevice(int *device) { *device = 0; return 0; }

/* Memory of another library, which tests tell of. */
static struct { uint64_t address, bytes; void *context; int device; } foreign;
void stub_own(uint64_t address, uint64_t bytes, void *context, int device) {
    foreign.address = address, foreign.bytes = bytes;
    foreign.context = context, foreign.device = device;
}
int cuPointerGetAttribute(void *data, int attribute, uint64_t address) {
    if (address < foreign.address || address >= foreign.address + foreign.bytes) return 1;
    if (attribute == 1) *(void **)data = foreign.context;
    else *(int *)data = attribute == 2 ? 2 : foreign.device;
    return 0;
}

static int contexts_synchronized;
int stub_contexts_synchronized(void) { return contexts_synchronized; }
int cuCtxSynchronize(void) {
    contexts_synchronized++;
    return refused("CtxSynchronize") ? REFUSED : 0;
}

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

/* A launch or a copy of a graph. Arguments are copied: those of captured launches end with NULL. */
typedef struct {
    const function *kernel;
    int64_t blocks;
    int threads;
    _Alignas(16) unsigned char slots[256][16];
    void *arguments[256];
    void *target;
    const void *source;
    size_t bytes;
    void (*run)(const void *); /* of another library, with a copy of what it is given */
    char given[256];
} node;
typedef struct { int count; node *nodes; } graph;
typedef struct { graph *capturing; int broken; } stub_stream;

/* The graph that a stream captures; those with the numbers 1 and 2 are the default ones. */
static graph *capturing_of(void *stream) {
    return (uintptr_t)stream <= 2 ? NULL : ((stub_stream *)stream)->capturing;
}

/* Copies from and to memory that cuMemHostAlloc has made, graphs, and waits for other streams, wait until
   something needs them. */
typedef struct {
    void *stream, *target;
    const void *source;
    size_t bytes;
    long number;
    graph *whole;
    void *other; /* the stream that is waited for, up to one of its copies */
    long last;
} copy;
static copy waiting[256];
static int waiting_count;
static pthread_mutex_t waiting_lock = PTHREAD_MUTEX_INITIALIZER;
static int graphs, captures, graph_launches;
int stub_graphs(void) { return graphs; }
int stub_captures(void) { return captures; }
int stub_graph_launches(void) { return graph_launches; }

static node *new_node(graph *of) {
    of->nodes = realloc(of->nodes, (of->count + 1) * sizeof(node));
    return memset(&of->nodes[of->count++], 0, sizeof(node));
}
static void run_kernel(const function *made, int64_t blocks, int threads, void **arguments) {
    typedef void run(const void *, int64_t, int, void **, void *);
    static __thread struct { void *start; size_t bytes; } stacks;
    run *const start = (run *)dlsym(made->module, "st_run_kernel");
    start(made->kernel, blocks, threads, arguments, &stacks);
}
static void run_graph(const graph *g) {
    for (int k = 0; k < g->count; k++) {
        node *const n = &g->nodes[k];
        for (int a = 0; a < 256; a++) n->arguments[a] = n->slots[a];
        if (n->kernel) run_kernel(n->kernel, n->blocks, n->threads, n->arguments);
        else if (n->run) n->run(n->given);
        else memcpy(n->target, n->source, n->bytes);
    }
}

/* A launch has the arguments of its time, whatever is set in the graph before it runs. */
static graph *copy_of(const graph *g) {
    graph *const made = malloc(sizeof *made);
    const size_t bytes = g->count * sizeof(node);
    *made = (graph){g->count, memcpy(malloc(bytes + 1), g->nodes, bytes)};
    return made;
}
static void run_and_free(graph *g) {
    run_graph(g);
    free(g->nodes);
    free(g);
}

/* For stubs of other libraries: do something in the order of a stream, or when its graph is launched. */
void stub_do(void *stream, void (*run)(const void *), const void *given, size_t bytes) {
    graph *const capturing = capturing_of(stream);
    if (!capturing) {
        do_copies(stream, copies);
        run(given);
        return;
    }
    node *const n = new_node(capturing);
    n->run = run;
    memcpy(n->given, given, bytes);
}

static int launches;
int stub_launches(void) { return launches; }
int cuLaunchKernel(void *kernel, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned ty,
                   unsigned tz, unsigned shared, void *stream, void **arguments, void **extra) {
    graph *const capturing = capturing_of(stream);
    if (refused("LaunchKernel") || !current || !stream || z * ty * tz != 1 || shared || extra
        || (capturing && refused("CapturedLaunch"))) {
        ((stub_stream *)stream)->broken = 1;
        return REFUSED;
    }
    if (capturing) {
        node *const n = new_node(capturing);
        n->kernel = kernel, n->blocks = (int64_t)x * y, n->threads = (int)threads;
        for (int a = 0; arguments[a]; a++) memcpy(n->slots[a], arguments[a], 16);
        return 0;
    }
    do_copies(stream, copies);
    launches++;
    run_kernel(kernel, (int64_t)x * y, (int)threads, arguments);
    return 0;
}

int cuStreamCreate(void **stream, unsigned flags) {
    *stream = flags == 1 ? calloc(1, sizeof(stub_stream)) : NULL;
    return refused("StreamCreate") ? REFUSED : 0;
}
int cuStreamDestroy_v2(void *stream) { free(stream); return 0; }
#ifndef WITHOUT_GRAPHS
int cuStreamBeginCapture_v2(void *stream, int mode) {
    if (refused("BeginCapture") || !current || mode != 1) return REFUSED;
    captures++;
    *(stub_stream *)stream = (stub_stream){calloc(1, sizeof(graph)), 0};
    return 0;
}
int cuStreamEndCapture(void *stream, void **made) {
    stub_stream *const s = stream;
    *made = s->broken ? NULL : s->capturing;
    s->capturing = NULL;
    return refused("EndCapture") || s->broken ? REFUSED : 0;
}
int cuGraphInstantiateWithFlags(void **exec, void *made, unsigned long long flags) {
    if (refused("GraphInstantiate") || flags) return REFUSED;
    const graph *const g = made;
    graph *const copy = malloc(sizeof *copy);
    *copy = (graph){g->count, memcpy(malloc(g->count * sizeof(node)), g->nodes, g->count * sizeof(node))};
    graphs++;
    *exec = copy;
    return 0;
}
#ifndef WITHOUT_UPDATES
/* A node is known by its number. */
int cuStreamGetCaptureInfo_v2(void *stream, int *status, uint64_t *id, void **made, void *const **nodes,
                              size_t *count) {
    static __thread void *last;
    graph *const capturing = capturing_of(stream);
    if (refused("CaptureInfo") || id || made) return REFUSED;
    *status = capturing != NULL, *nodes = &last, *count = capturing != NULL;
    last = capturing ? (void *)(uintptr_t)capturing->count : NULL;
    return 0;
}
typedef struct {
    const function *kernel;
    unsigned x, y, z, threads, ty, tz, shared;
    void **arguments, **extra, *other, *context;
} launch_of_node;
static int changes;
int stub_changes(void) { return changes; }
int cuGraphExecKernelNodeSetParams_v2(void *exec, void *number, const launch_of_node *launch) {
    const graph *const g = exec;
    node *const n = &g->nodes[(uintptr_t)number - 1];
    if (refused("SetLaunch") || (uintptr_t)number > (uintptr_t)g->count || n->kernel != launch->kernel) {
        return REFUSED;
    }
    for (int k = 0; k < waiting_count; k++) { /* what has been launched keeps its arguments */
        if (waiting[k].whole == g) do_copies(waiting[k].stream, copies);
    }
    changes++;
    n->blocks = (int64_t)launch->x * launch->y, n->threads = (int)launch->threads;
    for (int a = 0; launch->arguments[a]; a++) memcpy(n->slots[a], launch->arguments[a], 16);
    return 0;
}
#endif
int cuGraphDestroy(void *made) { free(((graph *)made)->nodes); free(made); return 0; }
int cuGraphExecDestroy(void *exec) { graphs--; return cuGraphDestroy(exec); }
#endif

static int waits;
int stub_waits(void) { return waits; }
int cuStreamSynchronize(void *stream) {
    waits++;
    if (refused("StreamSynchronize") || !stream || capturing_of(stream)) return REFUSED;
    do_copies(stream, copies);
    return 0;
}

int cuMemAllocAsync(uint64_t *memory, size_t bytes, void *stream) {
    const char *const room = getenv("STUB_ROOM"); /* for so many arrays */
    if (refused("MemAlloc") || !current || !stream) return NO_MEMORY;
    if (room && allocated >= atoi(room)) return NO_MEMORY;
    allocated++, asked++;
    *memory = (uint64_t)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return 0;
}
int cuMemFreeAsync(uint64_t memory, void *stream) {
    allocated--;
    do_copies(stream, copies);
    free((void *)(uintptr_t)memory);
    return !stream;
}
static struct { char *start; size_t bytes; } pinned[64];
static int host_buffers;
int stub_host_buffers(void) { return host_buffers; }
long stub_copies(void) { return copies; }

/* Do the waiting copies of a stream up to one of a number. */
static void do_copies_locked(void *stream, long last) {
    for (int k = 0; k < waiting_count; k++) {
        const copy c = waiting[k];
        if (c.stream != stream || c.number > last) continue;
        memmove(&waiting[k], &waiting[k + 1], (--waiting_count - k) * sizeof *waiting);
        if (c.other) do_copies_locked(c.other, c.last);
        else if (c.whole) run_and_free(c.whole);
        else memcpy(c.target, c.source, c.bytes);
        k = -1; /* others may be gone, too */
    }
}
static void do_copies(void *stream, long last) {
    pthread_mutex_lock(&waiting_lock);
    do_copies_locked(stream, last);
    pthread_mutex_unlock(&waiting_lock);
}
static int is_pinned(const void *address) {
    for (int k = 0; k < host_buffers; k++) {
        const char *const a = address;
        if (a >= pinned[k].start && a < pinned[k].start + pinned[k].bytes) return 1;
    }
    return 0;
}
static void add_waiting(copy c) {
    pthread_mutex_lock(&waiting_lock);
    c.number = ++copies;
    waiting[waiting_count++] = c;
    if (waiting_count == 256) abort();
    pthread_mutex_unlock(&waiting_lock);
}
static int do_copy(void *target, const void *source, size_t bytes, void *stream) {
    graph *const capturing = capturing_of(stream);
    if (capturing) {
        node *const n = new_node(capturing);
        n->target = target, n->source = source, n->bytes = bytes;
        return 0;
    }
    if (!is_pinned(target) && !is_pinned(source)) {
        do_copies(stream, copies);
        memcpy(target, source, bytes);
        return 0;
    }
    add_waiting((copy){.stream = stream, .target = target, .source = source, .bytes = bytes});
    return 0;
}
#ifndef WITHOUT_GRAPHS
int cuGraphLaunch(void *exec, void *stream) {
    if (refused("GraphLaunch") || !current || !stream) return REFUSED;
    graph_launches++;
    add_waiting((copy){.stream = stream, .whole = copy_of(exec)});
    return 0;
}
#endif
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
int cuMemcpyPeerAsync(uint64_t target, void *to, uint64_t source, void *from, size_t bytes,
                      void *stream) {
    if (refused("CopyPeer") || !current || !stream || to == from) return REFUSED;
    return do_copy((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes, stream);
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
int cuEventQuery(void *made) {
    const event *const e = made;
    int left = getenv("STUB_BUSY") != NULL;
    pthread_mutex_lock(&waiting_lock); /* another thread may do what it has just taken from the list */
    for (int k = 0; k < waiting_count; k++) {
        left |= waiting[k].stream == e->stream && waiting[k].number <= e->last;
    }
    pthread_mutex_unlock(&waiting_lock);
    return left ? 600 : 0;
}
int cuStreamWaitEvent(void *stream, void *made, unsigned flags) {
    if (refused("StreamWaitEvent") || !current || !stream || !made || flags) return REFUSED;
    const event *const e = made;
    if (e->stream && e->stream != stream) {
        add_waiting((copy){.stream = stream, .other = e->stream, .last = e->last});
    }
    return 0;
}
int cuEventSynchronize(void *made) {
    waits++;
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
