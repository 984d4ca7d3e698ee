/* The driver that emulates a device, with the kernels of one program. What is allocated can be
   reached only while kernels run and arrays are copied. */
#include <sys/mman.h>
#include <unistd.h>

struct st_piece {
    st_piece *next;
    char *memory;
    size_t bytes;
};

struct st_emulated_call {
    st_call call;
    st_piece *pieces;
};

static void st_protect(st_emulated_call *call, int protection) {
    for (st_piece *piece = call->pieces; piece; piece = piece->next) {
        mprotect(piece->memory, piece->bytes, protection);
    }
}

static st_call *st_emulated_begin(const st_driver *driver) {
    st_emulated_call *const call = (st_emulated_call *)calloc(1, sizeof(st_emulated_call));
    if (call) call->call.driver = driver;
    return &call->call;
}

static int32_t st_emulated_end(st_call *given) {
    st_emulated_call *const call = (st_emulated_call *)given;
    for (st_piece *piece = call->pieces, *next; piece; piece = next) {
        next = piece->next;
        munmap(piece->memory, piece->bytes);
        free(piece);
    }
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
    const size_t whole = ((size_t)bytes / page + 1) * page;
    st_piece *const piece = (st_piece *)malloc(sizeof(st_piece));
    if (!piece) return nullptr;
    void *const memory = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        free(piece);
        return nullptr;
    }
    *piece = {call->pieces, (char *)memory, whole};
    call->pieces = piece;
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
