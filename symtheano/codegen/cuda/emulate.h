/* What stands before device.h when the text of kernels is compiled for the processor by g++: the
   threads of a block are fibres, which take turns where they wait for each other. */

#define ST_EMULATED
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#ifdef __SANITIZE_ADDRESS__
extern "C" void __asan_unpoison_memory_region(const volatile void *, size_t);
#endif

using std::copysign;
using std::isinf;
using std::isnan;

#define ST_DEVICE static inline
#define ST_CALLED static
#define ST_KERNEL(threads) static void
#define ST_SHARED(type, name, count) static thread_local type name[count]
#define ST_TABLE static const
#define ST_UNROLL
/* These may be parts of any type. */
typedef unsigned st_word __attribute__((may_alias));
typedef unsigned st_word2 __attribute__((may_alias, vector_size(8)));
typedef unsigned st_word4 __attribute__((may_alias, vector_size(16)));
template <typename W> ST_DEVICE void st_store_word(W *place, W word) { *place = word; }

enum st_waiting { ST_RUNS, ST_WAITS_FOR_WARP, ST_WAITS_FOR_BLOCK, ST_ENDED };

struct st_fibre {
    jmp_buf here;
    st_waiting waiting;
    bool begun;
    unsigned bits;
};

static const int ST_WARP = 32, ST_MOST = 1024;
static const size_t ST_STACK = 1 << 16;

/* The block that runs on a thread of the processor, and its threads. */
static thread_local int64_t st_block_number;
static thread_local int st_thread_number, st_thread_count;
static thread_local st_fibre st_fibres[ST_MOST];
static thread_local jmp_buf st_scheduler;
static thread_local char *st_stacks;
static thread_local void (*st_body)(void **);
static thread_local void **st_arguments;

template <typename T> ST_DEVICE void st_add_atomically(T *place, T value) { *place += value; }

ST_DEVICE int64_t st_block() { return st_block_number; }
ST_DEVICE unsigned st_block_of_row() { return (unsigned)st_block_number; }
ST_DEVICE int st_thread() { return st_thread_number; }
ST_DEVICE int st_warp() { return st_thread_number / ST_WARP; }
ST_DEVICE int st_lane() { return st_thread_number % ST_WARP; }

static void st_wait(st_waiting waiting) {
    st_fibre *const own = &st_fibres[st_thread_number];
    own->waiting = waiting;
    if (_setjmp(own->here) == 0) _longjmp(st_scheduler, 1);
}
ST_DEVICE void st_wait_for_block() { st_wait(ST_WAITS_FOR_BLOCK); }
ST_DEVICE void st_wait_for_warp() { st_wait(ST_WAITS_FOR_WARP); }

ST_DEVICE unsigned st_exchanged_bits(unsigned bits, int apart) {
    const int own = st_thread_number;
    st_fibres[own].bits = bits;
    st_wait_for_warp();
    const unsigned other = st_fibres[own ^ apart].bits;
    st_wait_for_warp();
    return other;
}

/* What a fibre does: a thread of one block after the other. */
static void st_threads() {
    for (;;) {
        st_body(st_arguments);
        st_wait(ST_ENDED);
    }
}

/* Let a thread run until it waits or ends. */
static void st_turn(int thread) {
    st_thread_number = thread;
    if (_setjmp(st_scheduler) != 0) return;
    if (st_fibres[thread].begun) _longjmp(st_fibres[thread].here, 1);
    st_fibres[thread].begun = true;
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = st_stacks + thread * ST_STACK;
    context.uc_stack.ss_size = ST_STACK;
    context.uc_link = nullptr;
    makecontext(&context, st_threads, 0);
    setcontext(&context);
}

/* Let those go on that have waited until all others, of the warp or of the block, wait as well;
   return whether there are any. */
static bool st_released() {
    bool all = true, any = false;
    for (int first = 0; first < st_thread_count; first += ST_WARP) {
        const int end = first + ST_WARP < st_thread_count ? first + ST_WARP : st_thread_count;
        bool together = true;
        for (int t = first; t < end; t++) {
            together &= st_fibres[t].waiting == ST_WAITS_FOR_WARP || st_fibres[t].waiting == ST_ENDED;
            all &= st_fibres[t].waiting == ST_WAITS_FOR_BLOCK || st_fibres[t].waiting == ST_ENDED;
        }
        for (int t = first; t < end && together; t++) {
            if (st_fibres[t].waiting == ST_WAITS_FOR_WARP) {
                st_fibres[t].waiting = ST_RUNS;
                any = true;
            }
        }
    }
    for (int t = 0; t < st_thread_count && all; t++) {
        if (st_fibres[t].waiting == ST_WAITS_FOR_BLOCK) {
            st_fibres[t].waiting = ST_RUNS;
            any = true;
        }
    }
    return any;
}

/* Run the threads of a block, in an order that differs from turn to turn. */
static void st_run_block(unsigned *seed) {
    for (int t = 0; t < st_thread_count; t++) st_fibres[t].waiting = ST_RUNS;
    do {
        *seed = *seed * 1664525u + 1013904223u;
        const int turn = (*seed >> 8) % st_thread_count;
        for (int k = 0; k < st_thread_count; k++) {
            const int thread = (k + turn) % st_thread_count;
            if (st_fibres[thread].waiting == ST_RUNS) st_turn(thread);
        }
    } while (st_released());
    for (int t = 0; t < st_thread_count; t++) {
        if (st_fibres[t].waiting != ST_ENDED) {
            fprintf(stderr, "thread %d waits for others, which do not come\n", t);
            abort();
        }
    }
}

/* A kernel: its name, how it is called, and whether its threads wait for each other. */
struct st_kernel {
    const char *name;
    void (*body)(void **);
    bool waits;
};

template <typename... P, size_t... K>
static void st_unpack(void (*kernel)(P...), void **arguments, std::index_sequence<K...>) {
    kernel(*(P *)arguments[K]...);
}

template <typename... P> static void st_apply(void (*kernel)(P...), void **arguments) {
    st_unpack(kernel, arguments, std::index_sequence_for<P...>());
}
#define ST_ENTRY(kernel, waits) {#kernel, [](void **arguments) { st_apply(kernel, arguments); }, waits}

/* Memory of stacks, which a thread of the processor keeps from launch to launch: new pages take
   longer than most kernels. */
struct st_kept {
    void *start;
    size_t bytes;
};

/* Return stacks for so many threads, or null. */
static char *st_find_stacks(st_kept *kept, int threads) {
    const size_t bytes = ST_STACK * threads;
    if (kept->bytes < bytes) {
        if (kept->bytes) munmap(kept->start, kept->bytes);
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        kept->start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
        kept->bytes = kept->start == MAP_FAILED ? 0 : bytes;
        if (!kept->bytes) return nullptr;
    }
#ifdef __SANITIZE_ADDRESS__
    /* The last kernel's threads have ended inside of functions. */
    __asan_unpoison_memory_region(kept->start, kept->bytes);
#endif
    return (char *)kept->start;
}

/* Run a kernel; return the bytes for stacks of its threads that there are not, or 0. */
static int64_t st_launch(const st_kernel *kernel, int64_t blocks, int threads, void **arguments,
                         st_kept *kept) {
    st_thread_count = threads;
    st_body = kernel->body;
    st_arguments = arguments;
    if (!kernel->waits) {
        for (st_block_number = 0; st_block_number < blocks; st_block_number++) {
            for (st_thread_number = 0; st_thread_number < threads; st_thread_number++) {
                kernel->body(arguments);
            }
        }
        return 0;
    }
    static thread_local unsigned seed = 1;
    st_stacks = st_find_stacks(kept, threads);
    if (!st_stacks) return (int64_t)(ST_STACK * threads);
    for (int t = 0; t < threads; t++) st_fibres[t].begun = false;
    for (st_block_number = 0; st_block_number < blocks; st_block_number++) st_run_block(&seed);
    return 0;
}

static uint16_t st_half_of_double(double value) {
    uint64_t word;
    memcpy(&word, &value, 8);
    const uint16_t sign = (uint16_t)(word >> 48 & 0x8000);
    const double size = std::fabs(value);
    if (size == 0) return sign;
    if (!(size == size)) return (uint16_t)(sign | 0x7e00);
    if (size >= 65520) return (uint16_t)(sign | 0x7c00);
    /* the distance between halves of this size */
    int exponent;
    std::frexp(size, &exponent);
    const int unit = exponent - 11 < -24 ? -24 : exponent - 11;
    const double steps = std::nearbyint(std::ldexp(size, -unit));
    if (unit == -24) return (uint16_t)(sign | (uint16_t)steps);
    return (uint16_t)(sign | (uint16_t)(((exponent + 14) << 10) + (int)steps - 1024));
}
static uint16_t st_half_of_float(float value) { return st_half_of_double(value); }
static float st_float_of_half(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float size = (float)std::ldexp(exponent ? fraction + 1024 : fraction, (exponent ? exponent : 1) - 25);
    if (exponent == 31) size = fraction ? NAN : INFINITY;
    return bits & 0x8000 ? -size : size;
}
