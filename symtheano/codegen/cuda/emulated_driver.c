/* The driver of the emulated device. During the first operations of a call, and between calls, its
   memory can be reached only while kernels run and arrays are copied. What follows an array can
   never be reached. New memory has no zeros. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

@driver.h@
#define ST_EXPORT __attribute__((visibility("default")))

@times.h@
static __thread char st_why[256];

@allocator.h@
@wide.h@

/* Why the last function of this thread has failed. */
ST_EXPORT const char *st_reason(void) { return st_why; }

/* -- memory ----------------------------------------------------------------------------------- */

typedef struct st_piece {
    struct st_piece *next;
    char *start;  /* of whole pages */
    size_t bytes; /* of the pages; one more follows */
    int64_t asked;
    void *memory;
} st_piece;

/* An address sanitizer also watches what follows an array in its last vector. */
#ifdef __SANITIZE_ADDRESS__
void __asan_poison_memory_region(const volatile void *, size_t);
void __asan_unpoison_memory_region(const volatile void *, size_t);
#define st_forbid __asan_poison_memory_region
#define st_allow __asan_unpoison_memory_region
#else
#define st_forbid(start, bytes) ((void)0)
#define st_allow(start, bytes) ((void)0)
#endif

static pthread_mutex_t st_lock = PTHREAD_MUTEX_INITIALIZER;
static st_piece *st_pieces;
static int st_users;
static int64_t st_bytes, st_most_bytes;

/* A child that is forked lacks threads that may have held the lock. */
static void st_begin_child(void) { pthread_mutex_init(&st_lock, NULL); }

static __attribute__((constructor)) void st_watch_forks(void) {
    pthread_atfork(NULL, NULL, st_begin_child);
}

static void st_protect(int protection) {
    for (st_piece *piece = st_pieces; piece; piece = piece->next) {
        mprotect(piece->start, piece->bytes, protection);
    }
}

static void st_enter(void) {
    pthread_mutex_lock(&st_lock);
    if (st_users++ == 0) st_protect(PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&st_lock);
}

static void st_leave(void) {
    pthread_mutex_lock(&st_lock);
    if (--st_users == 0) st_protect(PROT_NONE);
    pthread_mutex_unlock(&st_lock);
}

static void *st_refused(int64_t bytes) {
    if (bytes < 0) {
        snprintf(st_why, sizeof st_why, "the emulated device has less than 2**62 bytes");
    } else {
        snprintf(st_why, sizeof st_why, "the emulated device has no memory for %lld bytes",
                 (long long)bytes);
    }
    return NULL;
}

/* Memory of the device; NULL if there is none. */
static void *st_allocate_own(int64_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), most = (size_t)1 << 40;
    if (bytes < 0 || (size_t)bytes > most) return st_refused(bytes);
    const size_t whole = ((size_t)bytes / page + 1) * page;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    st_piece *const piece = malloc(sizeof *piece);
    if (!piece) return st_refused(bytes);
    void *const start = mmap(NULL, whole + page, PROT_NONE, flags, -1, 0);
    if (start == MAP_FAILED) {
        free(piece);
        return st_refused(bytes);
    }
    const size_t vectors = ((size_t)bytes + 63) / 64 * 64;
    *piece = (st_piece){NULL, start, whole, bytes, (char *)start + whole - vectors};
    mprotect(start, whole, PROT_READ | PROT_WRITE);
    st_forbid((char *)piece->memory + bytes, vectors - (size_t)bytes);
    memset(piece->memory, 0xff, bytes < 1 << 20 ? (size_t)bytes : (size_t)1 << 20);
    pthread_mutex_lock(&st_lock);
    if (st_users == 0) mprotect(start, whole, PROT_NONE);
    piece->next = st_pieces;
    st_pieces = piece;
    st_bytes += bytes;
    if (st_bytes > st_most_bytes) st_most_bytes = st_bytes;
    pthread_mutex_unlock(&st_lock);
    return piece->memory;
}

/* The same for an array: the caller's allocator may lend it. */
ST_EXPORT void *st_allocate(int32_t device, int64_t bytes) {
    const st_lend lend = st_lender_of(device);
    return lend && bytes >= 0 ? lend(device, bytes > 0 ? bytes : 1) : st_allocate_own(bytes);
}

ST_EXPORT void st_settle(int32_t device) {}

static void st_free_own(void *memory) {
    pthread_mutex_lock(&st_lock);
    st_piece **place = &st_pieces;
    while (*place && (*place)->memory != memory) place = &(*place)->next;
    st_piece *const piece = *place;
    if (piece) *place = piece->next, st_bytes -= piece->asked;
    pthread_mutex_unlock(&st_lock);
    if (!piece) return;
    st_allow(piece->start, piece->bytes);
    munmap(piece->start, piece->bytes + (size_t)sysconf(_SC_PAGESIZE));
    free(piece);
}

/* Free the memory of an array, or give it back to the caller's allocator. */
ST_EXPORT void st_free(int32_t device, void *memory, int64_t asked) {
    const st_take take = st_taker_of(device);
    if (!take || !take(device, memory)) st_free_own(memory);
}

/* Copy bytes from the host, to the host, or on the device. */
ST_EXPORT int32_t st_copy(int32_t device, void *target, const void *source, int64_t bytes,
                          int32_t direction) {
    if (bytes <= 0) return 0;
    st_enter();
    memcpy(target, source, (size_t)bytes);
    st_leave();
    return 0;
}

/* There are no streams here. */
ST_EXPORT void *st_stream(int32_t device) { return NULL; }
ST_EXPORT int32_t st_wait(int32_t device, void *stream) { return 0; }
ST_EXPORT int32_t st_is_busy(int32_t device) { return 0; }
ST_EXPORT int32_t st_lead(int32_t device, void *stream) { return 0; }
ST_EXPORT int32_t st_name_stream(int32_t device, void *stream, void **before) {
    *before = NULL;
    return 0;
}

/* The number of arrays and their bytes. */
ST_EXPORT void st_usage(int32_t device, int64_t *count, int64_t *bytes) {
    *count = *bytes = 0;
    pthread_mutex_lock(&st_lock);
    for (const st_piece *piece = st_pieces; piece; piece = piece->next) {
        ++*count;
        *bytes += piece->start + piece->bytes - (char *)piece->memory;
    }
    pthread_mutex_unlock(&st_lock);
}

/* The most bytes there were at once since this was last asked. */
ST_EXPORT int64_t st_peak(int32_t device) {
    pthread_mutex_lock(&st_lock);
    const int64_t most = st_most_bytes;
    st_most_bytes = st_bytes;
    pthread_mutex_unlock(&st_lock);
    return most;
}

/* -- kernels ---------------------------------------------------------------------------------- */

typedef const void *st_kernel_at(int32_t number);

/* Stacks for the threads of a block, which belong to a thread of the processor. */
typedef struct st_kept { void *start; size_t bytes; } st_kept;
static __thread st_kept st_stacks;
static pthread_key_t st_thread_end;

static void st_free_stacks(void *kept) {
    st_kept *const own = kept;
    if (own->bytes) munmap(own->start, own->bytes);
    *own = (st_kept){NULL, 0};
}

static __attribute__((constructor)) void st_watch_threads(void) {
    pthread_key_create(&st_thread_end, st_free_stacks);
}

typedef int64_t st_run(const void *kernel, int64_t blocks, int threads, void **arguments,
                       st_kept *stacks);

typedef struct st_module {
    st_driver driver;
    st_run *run;
    st_wide wide;
    const void *kernels[];
} st_module;

static st_wide *st_wide_of(st_driver *driver) { return &((st_module *)driver)->wide; }

typedef struct st_own { struct st_own *next; void *memory; } st_own;

typedef struct st_emulated_call {
    st_call call;
    st_own *own;
    int64_t operations;
    int32_t step; /* that is measured now, or -1 */
    double since;
    st_times times;
} st_emulated_call;

/* So many operations of a call let the host reach the memory only while they run. From then on, it
   stays open until the call ends: to protect hundreds of arrays takes longer than most kernels. */
static const int64_t ST_PROTECTED = 64;

static void st_enter_in(st_emulated_call *call) {
    if (call->operations++ <= ST_PROTECTED) st_enter();
}

static void st_leave_in(st_emulated_call *call) {
    if (call->operations <= ST_PROTECTED) st_leave();
}

static st_call *st_begin(const st_driver *driver) {
    st_emulated_call *const call = calloc(1, sizeof *call);
    if (!call) st_refused(sizeof *call);
    else call->call.driver = driver, call->step = -1;
    return (st_call *)call;
}

static int32_t st_end(st_call *base) {
    st_emulated_call *const call = (st_emulated_call *)base;
    for (st_own *own = call->own, *next; own; own = next) {
        next = own->next;
        st_free_own(own->memory);
        free(own);
    }
    if (call->operations > ST_PROTECTED) st_leave();
    st_publish(&call->times);
    free(call);
    return 0;
}

static int32_t st_tick(st_call *base, int32_t step) {
    st_emulated_call *const call = (st_emulated_call *)base;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (call->step >= 0) st_spend(&call->times, call->step, seconds - call->since);
    call->step = step, call->since = seconds;
    return 0;
}

static int32_t st_launch(st_call *base, int32_t kernel, bool wide, int64_t blocks, int32_t threads,
                         void **arguments) {
    st_emulated_call *const call = (st_emulated_call *)base;
    const st_driver *const driver = wide ? st_widened(base->driver) : base->driver;
    if (!driver) return 1;
    const st_module *const module = (const st_module *)driver;
    st_enter_in(call);
    pthread_setspecific(st_thread_end, &st_stacks);
    const int64_t lacking =
        module->run(module->kernels[kernel], blocks, threads, arguments, &st_stacks);
    st_leave_in(call);
    if (lacking) st_refused(lacking);
    return lacking != 0;
}

static int32_t st_to_device(st_call *base, void *target, const void *source, int64_t bytes) {
    st_emulated_call *const call = (st_emulated_call *)base;
    if (bytes <= 0) return 0;
    st_enter_in(call);
    memcpy(target, source, (size_t)bytes);
    st_leave_in(call);
    return 0;
}

static void *st_own_memory(st_call *base, int64_t bytes) {
    st_emulated_call *const call = (st_emulated_call *)base;
    st_own *const own = malloc(sizeof *own);
    if (!own) return st_refused(bytes);
    *own = (st_own){call->own, st_allocate_own(bytes)};
    if (own->memory) {
        call->own = own;
        return own->memory;
    }
    free(own);
    return NULL;
}

/* The driver of kernels; NULL if there is no memory. */
ST_EXPORT st_driver *st_load(st_kernel_at *kernel_at, st_run *run, int32_t count) {
    st_module *const module = malloc(sizeof *module + (size_t)count * sizeof(void *));
    if (!module) return st_refused(sizeof *module);
    module->driver = (st_driver){
        NULL, st_begin, st_end, st_launch, st_to_device, st_to_device, st_own_memory,
        NULL, NULL, NULL, NULL, NULL, st_tick,
    };
    module->run = run, module->wide = (st_wide){NULL, NULL};
    for (int32_t k = 0; k < count; k++) module->kernels[k] = kernel_at(k);
    return &module->driver;
}

ST_EXPORT void st_unload(st_driver *driver) { free(driver); }

/* Nothing is kept here. */
ST_EXPORT void st_release(st_driver *driver) {}
ST_EXPORT void st_free_unused(int32_t device) {}
