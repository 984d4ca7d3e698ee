/* The driver that emulates a device, with the kernels of one program. What is allocated can be
   reached only while kernels run and arrays are copied. */
#include <sys/mman.h>
#include <unistd.h>

struct st_emulated_call {
    st_call call;
    char *memory;
    size_t used;
};

static const size_t ST_DEVICE_BYTES = (size_t)1 << 36;

static void st_protect(st_emulated_call *call, int protection) {
    if (call->used) mprotect(call->memory, call->used, protection);
}

static st_call *st_emulated_begin(const st_driver *driver) {
    st_emulated_call *const call = (st_emulated_call *)calloc(1, sizeof(st_emulated_call));
    if (!call) return nullptr;
    call->call.driver = driver;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *const memory = mmap(nullptr, ST_DEVICE_BYTES, PROT_NONE, flags, -1, 0);
    if (memory == MAP_FAILED) {
        free(call);
        return nullptr;
    }
    call->memory = (char *)memory;
    return &call->call;
}

static int32_t st_emulated_end(st_call *given) {
    st_emulated_call *const call = (st_emulated_call *)given;
    munmap(call->memory, ST_DEVICE_BYTES);
    free(call);
    return 0;
}

static int32_t st_emulated_launch(st_call *given, int32_t kernel, int64_t blocks, int32_t threads,
                                  void **arguments) {
    st_emulated_call *const call = (st_emulated_call *)given;
    st_protect(call, PROT_READ | PROT_WRITE);
    st_launch(&st_kernels[kernel], blocks, threads, arguments);
    st_protect(call, PROT_NONE);
    return 0;
}

static int32_t st_emulated_copy(st_call *given, void *target, const void *source, int64_t bytes) {
    st_emulated_call *const call = (st_emulated_call *)given;
    st_protect(call, PROT_READ | PROT_WRITE);
    memcpy(target, source, (size_t)bytes);
    st_protect(call, PROT_NONE);
    return 0;
}

static void *st_emulated_allocate(st_call *given, int64_t bytes) {
    st_emulated_call *const call = (st_emulated_call *)given;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes < 0 || (size_t)bytes >= ST_DEVICE_BYTES - call->used - page) return nullptr;
    char *const memory = call->memory + call->used;
    call->used += ((size_t)bytes / page + 1) * page;
    return memory;
}

/* For other drivers: a kernel by its name, and its launch. */
#define ST_EXPORT extern "C" __attribute__((visibility("default")))

ST_EXPORT const st_kernel *st_find_kernel(const char *name) {
    for (const st_kernel &kernel : st_kernels) {
        if (strcmp(kernel.name, name) == 0) return &kernel;
    }
    return nullptr;
}

ST_EXPORT void st_run_kernel(const st_kernel *kernel, int64_t blocks, int threads,
                             void **arguments) {
    st_launch(kernel, blocks, threads, arguments);
}

ST_EXPORT const st_driver st_emulated_driver = {
    nullptr,          st_emulated_begin, st_emulated_end,      st_emulated_launch,
    st_emulated_copy, st_emulated_copy,  st_emulated_allocate,
};
