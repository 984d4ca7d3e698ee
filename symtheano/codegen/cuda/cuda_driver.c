/* The driver of CUDA devices: libcuda, which is looked up when it is first needed. Each call has a
   stream of its own while it runs, so that calls of several threads run side by side. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

@DRIVER@
#define ST_EXPORT __attribute__((visibility("default")))

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
    each(MemInfo, cuMemGetInfo_v2, (size_t *, size_t *)) \
    each(ErrorString, cuGetErrorString, (int, const char **))

#define ST_DECLARE(field, name, parameters) int (*field) parameters;
static struct { ST_FUNCTIONS(ST_DECLARE) } cuda;

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

/* Load libcuda. */
ST_EXPORT int32_t st_open(const char *path) {
    void *const library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        snprintf(st_why, sizeof st_why, "%s", dlerror());
        return 1;
    }
#define ST_FIND(field, name, parameters) \
    *(void **)&cuda.field = dlsym(library, #name); \
    if (!cuda.field) { \
        snprintf(st_why, sizeof st_why, "%s has no function %s", path, #name); \
        return 1; \
    }
    ST_FUNCTIONS(ST_FIND)
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

/* -- memory ----------------------------------------------------------------------------------- */

enum { ST_MOST_DEVICES = 64 };

/* A device: its primary context, and the stream on which memory of arrays is allocated and copied. */
typedef struct st_place { st_handle context, stream; } st_place;

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
    int handle;
    st_handle context, stream;
    ST_CUDA(DeviceGet, &handle, device);
    ST_CUDA(PrimaryRetain, &context, handle);
    if (st_enter(context) != 0) return 1;
    const int code = cuda.StreamCreate(&stream, 1); /* it does not wait for the default one */
    st_leave();
    if (code != 0) return st_failed("StreamCreate", code);
    *place = (st_place){context, stream};
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

/* Memory of a device; NULL if there is none. */
ST_EXPORT void *st_allocate(int32_t device, int64_t bytes) {
    const st_place *const place = st_enter_device(device);
    if (!place) return NULL;
    st_pointer memory = 0;
    int code = cuda.MemAlloc(&memory, bytes > 0 ? (size_t)bytes : 1, place->stream);
    if (code != 0) {
        st_failed("MemAlloc", code);
        st_tell_memory(bytes);
        memory = 0;
    } else if ((code = cuda.StreamSynchronize(place->stream)) != 0) {
        st_failed("earlier work", code);
        cuda.MemFree(memory, place->stream);
        memory = 0;
    }
    st_leave();
    return (void *)(uintptr_t)memory;
}

/* Free memory of a device; no call uses it. */
ST_EXPORT void st_free(int32_t device, void *memory) {
    const st_place *const place = st_enter_device(device);
    if (!place) return;
    cuda.MemFree((st_pointer)(uintptr_t)memory, place->stream);
    st_leave();
}

/* Copy bytes from the host (direction 0), to the host (1), or on the device (2). */
ST_EXPORT int32_t st_copy(int32_t device, void *target, const void *source, int64_t bytes,
                          int32_t direction) {
    if (bytes <= 0) return 0;
    const st_place *const place = st_enter_device(device);
    if (!place) return 1;
    const st_pointer to = (st_pointer)(uintptr_t)target, from = (st_pointer)(uintptr_t)source;
    const size_t size = (size_t)bytes;
    int code = direction == 0   ? cuda.CopyToDevice(to, source, size, place->stream)
               : direction == 1 ? cuda.CopyToHost(target, from, size, place->stream)
                                : cuda.CopyWithin(to, from, size, place->stream);
    if (code == 0) code = cuda.StreamSynchronize(place->stream);
    st_leave();
    return code == 0 ? 0 : st_failed("a copy", code);
}

/* Wait for a stream of another library. */
ST_EXPORT int32_t st_wait(int32_t device, void *stream) {
    if (!st_enter_device(device)) return 1;
    const int code = cuda.StreamSynchronize(stream);
    st_leave();
    return code == 0 ? 0 : st_failed("work of another library", code);
}

/* -- products --------------------------------------------------------------------------------- */

/* The functions of cuBLAS that are called. Those with 64-bit integers are there since CUDA 12. */
static struct {
    int (*create)(st_handle *);
    int (*set_stream)(st_handle, st_handle);
    int (*multiply)(st_handle, int, int, int64_t, int64_t, int64_t, const void *, const void *, int,
                    int64_t, int64_t, const void *, int, int64_t, int64_t, const void *, void *, int,
                    int64_t, int64_t, int64_t, int, int);
} cublas;

static pthread_mutex_t st_cublas_lock = PTHREAD_MUTEX_INITIALIZER;
static st_handle st_cublas_handles[ST_MOST_DEVICES];

/* Load cuBLAS. */
ST_EXPORT int32_t st_open_cublas(const char *path) {
    void *const library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        snprintf(st_why, sizeof st_why, "%s", dlerror());
        return 1;
    }
    *(void **)&cublas.create = dlsym(library, "cublasCreate_v2");
    *(void **)&cublas.set_stream = dlsym(library, "cublasSetStream_v2");
    *(void **)&cublas.multiply = dlsym(library, "cublasGemmStridedBatchedEx_64");
    if (cublas.create && cublas.set_stream && cublas.multiply) return 0;
    snprintf(st_why, sizeof st_why, "%s is older than CUDA 12", path);
    return 1;
}

static int32_t st_cublas_failed(const char *what, int code) {
    snprintf(st_why, sizeof st_why, "%s (cuBLAS error %d)", what, code);
    return 1;
}

/* The distance of rows, of which there may be none. */
static int64_t st_row(int64_t distance) { return distance > 0 ? distance : 1; }

/* Row-major matrices are the transposed ones of cuBLAS, so the factors change places. */
static int32_t st_multiply_on(int32_t device, st_handle stream, const st_product *p) {
    static const int types[] = {0, 1, 4, 5}, compute[] = {68, 70, 68, 70};
    st_handle *const handle = &st_cublas_handles[device];
    int code = *handle ? 0 : cublas.create(handle);
    if (code != 0) return st_cublas_failed("cublasCreate", code);
    code = cublas.set_stream(*handle, stream);
    if (code != 0) return st_cublas_failed("cublasSetStream", code);
    const int type = types[p->type];
    code = cublas.multiply(*handle, p->transb, p->transa, p->n, p->m, p->k, p->alpha, p->b, type,
                           st_row(p->ldb), p->b_step, p->a, type, st_row(p->lda), p->a_step,
                           p->beta, p->c, type, st_row(p->ldc), p->c_step, p->count, compute[p->type], -1);
    return code == 0 ? 0 : st_cublas_failed("a product", code);
}

/* -- modules ---------------------------------------------------------------------------------- */

typedef struct st_piece { struct st_piece *next; st_pointer memory; } st_piece;

typedef struct st_cuda_call {
    st_call call;
    struct st_cuda_call *next;
    st_handle stream;
    st_piece *pieces;
} st_cuda_call;

/* The kernels of a program on a device, and the calls that do not run now. */
typedef struct st_module {
    st_driver driver;
    int32_t device;
    st_handle context, module;
    pthread_mutex_t lock;
    st_cuda_call *idle;
    st_handle kernels[];
} st_module;

static int32_t st_new_call(st_module *module, st_cuda_call **made) {
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
    *made = call;
    return 0;
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
    return &call->call;
}

static int32_t st_cuda_end(st_call *given) {
    st_cuda_call *const call = (st_cuda_call *)given;
    st_module *const module = (st_module *)given->driver;
    for (st_piece *piece = call->pieces, *next; piece; piece = next) {
        next = piece->next;
        cuda.MemFree(piece->memory, call->stream);
        free(piece);
    }
    call->pieces = NULL;
    /* kernels report their errors here */
    const int code = cuda.StreamSynchronize(call->stream);
    pthread_mutex_lock(&module->lock);
    call->next = module->idle;
    module->idle = call;
    pthread_mutex_unlock(&module->lock);
    st_leave();
    return code == 0 ? 0 : st_failed("a kernel", code);
}

static int32_t st_cuda_launch(st_call *given, int32_t kernel, int64_t blocks, int32_t threads,
                              void **arguments) {
    if (blocks <= 0) return 0;
    const int64_t most = 2147483647;
    const int64_t rows = (blocks - 1) / most + 1;
    if (rows > 65535) {
        snprintf(st_why, sizeof st_why, "a launch of %lld blocks", (long long)blocks);
        return 1;
    }
    const st_module *const module = (const st_module *)given->driver;
    ST_CUDA(LaunchKernel, module->kernels[kernel], (unsigned)((blocks - 1) / rows + 1),
            (unsigned)rows, 1, (unsigned)threads, 1, 1, 0, ((st_cuda_call *)given)->stream,
            arguments, NULL);
    return 0;
}

static int32_t st_cuda_to_device(st_call *given, void *target, const void *source, int64_t bytes) {
    if (bytes <= 0) return 0;
    const st_handle stream = ((st_cuda_call *)given)->stream;
    ST_CUDA(CopyToDevice, (st_pointer)(uintptr_t)target, source, (size_t)bytes, stream);
    return 0;
}

static int32_t st_cuda_to_host(st_call *given, void *target, const void *source, int64_t bytes) {
    if (bytes <= 0) return 0;
    const st_handle stream = ((st_cuda_call *)given)->stream;
    ST_CUDA(CopyToHost, target, (st_pointer)(uintptr_t)source, (size_t)bytes, stream);
    ST_CUDA(StreamSynchronize, stream);
    return 0;
}

static void *st_cuda_allocate(st_call *given, int64_t bytes) {
    st_cuda_call *const call = (st_cuda_call *)given;
    st_piece *const piece = malloc(sizeof *piece);
    if (!piece) return NULL;
    st_pointer memory = 0;
    const int code = cuda.MemAlloc(&memory, bytes > 0 ? (size_t)bytes : 1, call->stream);
    if (code != 0) {
        free(piece);
        st_failed("MemAlloc", code);
        st_tell_memory(bytes);
        return NULL;
    }
    *piece = (st_piece){call->pieces, memory};
    call->pieces = piece;
    return (void *)(uintptr_t)memory;
}

static int32_t st_cuda_multiply(st_call *given, const st_product *p) {
    if (p->count <= 0 || p->m <= 0 || p->n <= 0) return 0;
    const st_module *const module = (const st_module *)given->driver;
    pthread_mutex_lock(&st_cublas_lock);
    const st_handle stream = ((st_cuda_call *)given)->stream;
    const int32_t failed = st_multiply_on(module->device, stream, p);
    pthread_mutex_unlock(&st_cublas_lock);
    return failed;
}

static const st_driver st_cuda = {
    NULL,
    st_cuda_begin,
    st_cuda_end,
    st_cuda_launch,
    st_cuda_to_device,
    st_cuda_to_host,
    st_cuda_allocate,
    st_cuda_multiply,
};

static int32_t st_load_into(st_module *module, int32_t device, const void *image, int32_t count,
                       const char *const *names) {
    const st_place *const place = st_enter_device(device);
    if (!place) return 1;
    module->device = device;
    module->context = place->context;
    int code = cuda.ModuleLoad(&module->module, image);
    for (int32_t k = 0; k < count && code == 0; k++) {
        code = cuda.ModuleFunction(&module->kernels[k], module->module, names[k]);
    }
    st_leave();
    return code == 0 ? 0 : st_failed("the kernels can't be loaded", code);
}

/* Load kernels onto a device; NULL if that fails. What is returned is a driver. */
ST_EXPORT st_driver *st_load(int32_t device, const void *image, int32_t count,
                                  const char *const *names) {
    st_module *const module = calloc(1, sizeof *module + (size_t)count * sizeof(st_handle));
    if (!module) return NULL;
    module->driver = st_cuda;
    pthread_mutex_init(&module->lock, NULL);
    if (st_load_into(module, device, image, count, names) != 0) {
        free(module);
        return NULL;
    }
    return &module->driver;
}

/* Unload kernels; no call of theirs runs. */
ST_EXPORT void st_unload(st_driver *driver) {
    st_module *const module = (st_module *)driver;
    if (st_enter(module->context) == 0) {
        for (st_cuda_call *call = module->idle, *next; call; call = next) {
            next = call->next;
            cuda.StreamDestroy(call->stream);
            free(call);
        }
        cuda.ModuleUnload(module->module);
        st_leave();
    }
    free(module);
}
