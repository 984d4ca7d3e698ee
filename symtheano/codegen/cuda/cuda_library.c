/* The functions of libcuda, and what it says of devices. */
typedef void *st_handle;
typedef uint64_t st_pointer;

/* The functions of libcuda that are called, with the versions of their names. */
#define ST_FUNCTIONS(each) \
    each(Init, cuInit, (unsigned)) \
    each(DeviceGetCount, cuDeviceGetCount, (int *)) \
    each(DeviceGet, cuDeviceGet, (int *, int)) \
    each(DeviceGetName, cuDeviceGetName, (char *, int, int)) \
    each(DeviceGetAttribute, cuDeviceGetAttribute, (int *, int, int)) \
    each(PrimaryRetain, cuDevicePrimaryCtxRetain, (st_handle *, int)) \
    each(PushCurrent, cuCtxPushCurrent_v2, (st_handle)) \
    each(PopCurrent, cuCtxPopCurrent_v2, (st_handle *)) \
    each(ContextSynchronize, cuCtxSynchronize, (void)) \
    each(CurrentContext, cuCtxGetCurrent, (st_handle *)) \
    each(ContextDevice, cuCtxGetDevice, (int *)) \
    each(PointerAttribute, cuPointerGetAttribute, (void *, int, st_pointer)) \
    each(CopyPeer, cuMemcpyPeerAsync, (st_pointer, st_handle, st_pointer, st_handle, size_t, \
         st_handle)) \
    each(ModuleLoad, cuModuleLoadData, (st_handle *, const void *)) \
    each(ModuleUnload, cuModuleUnload, (st_handle)) \
    each(ModuleFunction, cuModuleGetFunction, (st_handle *, st_handle, const char *)) \
    each(LaunchKernel, cuLaunchKernel, (st_handle, unsigned, unsigned, unsigned, unsigned, \
         unsigned, unsigned, unsigned, st_handle, void **, void **)) \
    each(StreamCreate, cuStreamCreate, (st_handle *, unsigned)) \
    each(StreamDestroy, cuStreamDestroy_v2, (st_handle)) \
    each(StreamSynchronize, cuStreamSynchronize, (st_handle)) \
    each(MemAlloc, cuMemAllocAsync, (st_pointer *, size_t, st_handle)) \
    each(MemFree, cuMemFreeAsync, (st_pointer, st_handle)) \
    each(CopyToDevice, cuMemcpyHtoDAsync_v2, (st_pointer, const void *, size_t, st_handle)) \
    each(CopyToHost, cuMemcpyDtoHAsync_v2, (void *, st_pointer, size_t, st_handle)) \
    each(CopyWithin, cuMemcpyDtoDAsync_v2, (st_pointer, st_pointer, size_t, st_handle)) \
    each(EventCreate, cuEventCreate, (st_handle *, unsigned)) \
    each(EventDestroy, cuEventDestroy_v2, (st_handle)) \
    each(EventRecord, cuEventRecord, (st_handle, st_handle)) \
    each(EventSynchronize, cuEventSynchronize, (st_handle)) \
    each(EventQuery, cuEventQuery, (st_handle)) \
    each(StreamWaitEvent, cuStreamWaitEvent, (st_handle, st_handle, unsigned)) \
    each(HostAlloc, cuMemHostAlloc, (void **, size_t, unsigned)) \
    each(HostFree, cuMemFreeHost, (void *)) \
    each(EventElapsed, cuEventElapsedTime, (float *, st_handle, st_handle)) \
    each(MemInfo, cuMemGetInfo_v2, (size_t *, size_t *)) \
    each(ErrorString, cuGetErrorString, (int, const char **))

/* Those of graphs, which older ones lack. */
#define ST_GRAPH_FUNCTIONS(each) \
    each(BeginCapture, cuStreamBeginCapture_v2, (st_handle, int)) \
    each(EndCapture, cuStreamEndCapture, (st_handle, st_handle *)) \
    each(Instantiate, cuGraphInstantiateWithFlags, (st_handle *, st_handle, unsigned long long)) \
    each(Launch, cuGraphLaunch, (st_handle, st_handle)) \
    each(Destroy, cuGraphDestroy, (st_handle)) \
    each(ExecDestroy, cuGraphExecDestroy, (st_handle))

/* Those that change arguments of a graph that is there. */
#define ST_UPDATE_FUNCTIONS(each) \
    each(CaptureInfo, cuStreamGetCaptureInfo_v2, (st_handle, int *, uint64_t *, st_handle *, \
         const st_handle **, size_t *)) \
    each(SetLaunch, cuGraphExecKernelNodeSetParams_v2, (st_handle, st_handle, const st_node_launch *))

/* A launch of a graph, as libcuda describes it. */
typedef struct st_node_launch {
    st_handle kernel;
    unsigned x, y, z, threads, ty, tz, shared;
    void **arguments, **extra;
    st_handle other, context; /* instead of a kernel */
} st_node_launch;

#define ST_DECLARE(field, name, parameters) int (*field) parameters;
static struct { ST_FUNCTIONS(ST_DECLARE) } cuda;
static struct { ST_GRAPH_FUNCTIONS(ST_DECLARE) } cuda_graphs;
static struct { ST_UPDATE_FUNCTIONS(ST_DECLARE) } cuda_updates;
static bool cuda_has_graphs, cuda_has_updates;

static __thread char st_why[512];

/* Why the last function of this thread has failed. */
ST_EXPORT const char *st_reason(void) { return st_why; }

static int32_t st_failed(const char *what, int code) {
    const char *text = NULL;
    if (cuda.ErrorString) cuda.ErrorString(code, &text);
    snprintf(st_why, sizeof st_why, "%s: %s (CUDA error %d)", what, text ? text : "unknown",
             code);
    return 1;
}

/* Ask libcuda, and return 1 from the function if it refuses. */
#define ST_CUDA(name, ...) \
    do { \
        const int st_code = cuda.name(__VA_ARGS__); \
        if (st_code != 0) return st_failed(#name, st_code); \
    } while (0)

/* Open a library; NULL if it is not there. */
static void *st_open_library(const char *path) {
    void *const library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library) snprintf(st_why, sizeof st_why, "%s", dlerror());
    return library;
}

/* Find a function of an open library, and return 1 from the function if it is not there. */
#define ST_FIND(field, name) \
    do { \
        *(void **)&field = dlsym(library, #name); \
        if (!field) { \
            snprintf(st_why, sizeof st_why, "%s has no function %s", path, #name); \
            return 1; \
        } \
    } while (0);

static void st_begin_child(void);

/* Load libcuda. */
ST_EXPORT int32_t st_open(const char *path) {
    void *const library = st_open_library(path);
    if (!library) return 1;
#define ST_FIND_OF_CUDA(field, name, parameters) ST_FIND(cuda.field, name)
    ST_FUNCTIONS(ST_FIND_OF_CUDA)
    cuda_has_graphs = true;
#define ST_FIND_OF_GRAPHS(field, name, parameters) \
    *(void **)&cuda_graphs.field = dlsym(library, #name); \
    if (!cuda_graphs.field) cuda_has_graphs = false;
    ST_GRAPH_FUNCTIONS(ST_FIND_OF_GRAPHS)
    cuda_has_updates = cuda_has_graphs;
#define ST_FIND_OF_UPDATES(field, name, parameters) \
    *(void **)&cuda_updates.field = dlsym(library, #name); \
    if (!cuda_updates.field) cuda_has_updates = false;
    ST_UPDATE_FUNCTIONS(ST_FIND_OF_UPDATES)
    pthread_atfork(NULL, NULL, st_begin_child);
    ST_CUDA(Init, 0);
    return 0;
}

/* The number of devices, or -1. */
ST_EXPORT int32_t st_count(void) {
    int count = 0;
    const int code = cuda.DeviceGetCount(&count);
    return code == 0 ? count : -st_failed("DeviceGetCount", code);
}

/* The name of a device, and its compute capability. */
ST_EXPORT int32_t st_describe(int32_t device, char *name, int32_t size, int32_t *capability) {
    int handle, major, minor;
    ST_CUDA(DeviceGet, &handle, device);
    ST_CUDA(DeviceGetName, name, size, handle);
    ST_CUDA(DeviceGetAttribute, &major, 75, handle);
    ST_CUDA(DeviceGetAttribute, &minor, 76, handle);
    *capability = 10 * major + minor;
    return 0;
}
