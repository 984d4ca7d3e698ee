#include <stdbool.h>

static inline int64_t st_int_div_i64(int64_t a, int64_t b) {
    if (b == 0) return 0;
    if (b == -1) return (int64_t)-a;
    return (int64_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

/* Leaves the function with an error unless a condition holds. `kind` is the kind of the error,
   `site` the number of its message, and the integers after it are for the message. */
#define ST_REQUIRE(condition, kind, site, ...) \
    do { \
        if (!(condition)) { \
            status = st_fail(error, ST_ERROR_##kind, site, ST_INTEGERS(__VA_ARGS__)); \
            goto done; \
        } \
    } while (0)
#define ST_INTEGERS(...) \
    sizeof (int64_t[]){__VA_ARGS__} / sizeof(int64_t), (const int64_t[]){__VA_ARGS__}

static __attribute__((cold, noinline)) int32_t st_fail(st_error *error, int32_t code, int32_t site,
                                                       int32_t count, const int64_t *values) {
    error->code = code;
    error->site = site;
    for (int32_t i = 0; i < count; i++) error->values[i] = values[i];
    return code;
}

/* Memory for an output: its number, and its lengths; NULL if there is none. */
#define ST_ALLOCATE(output, ...) \
    runtime->allocate(runtime->context, output, (const int64_t[]){__VA_ARGS__})

void *aligned_alloc(size_t, size_t);
void free(void *);

/* Slots of the workspace are aligned to cache lines, and begin at different places of a page: a
   cache has few lines for each place, and arrays of equal length are read together. */
#ifndef st_guarded
#define st_guarded(arena, bytes) (arena)
static inline int64_t st_padded(int64_t bytes) {
    return ((bytes + 63) & -64) + (bytes < 4096 ? 0 : 11 * 64);
}
#endif

/* `estimate` is the size in floating point, used to detect an overflow of `bytes`. */
static char *st_arena_open(const st_runtime *runtime, int64_t bytes, double estimate) {
    if (estimate >= 4e18) return NULL;
    if (runtime->workspace) return st_guarded(runtime->workspace(runtime->context, bytes), bytes);
    return st_guarded(aligned_alloc(64, (size_t)(bytes / 64 + 1) * 64), bytes);
}

static void st_arena_close(const st_runtime *runtime, char *arena) {
    if (!runtime->workspace) free(arena);
}

#ifdef _OPENMP
int omp_get_thread_num(void);
int omp_get_num_threads(void);
#else
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif

/* Loops with less work than this number of additions run in one thread. */
#define ST_PARALLEL_WORK 524288

static __attribute__((cold, noinline)) bool st_long_loop(const st_runtime *runtime, int64_t work) {
    st_announce(runtime, (double)work);
#ifdef _OPENMP
    return runtime->threads > 1 && work > ST_PARALLEL_WORK;
#else
    return false;
#endif
}

static inline bool st_parallel(const st_runtime *runtime, int64_t work) {
    return work > ST_LONG_WORK && st_long_loop(runtime, work);
}

/* The iterations of this thread: whole blocks, so that vectors begin at the same positions as
   with one thread, and results are bitwise the same. The rest belongs to the last block. */
typedef struct st_share { int64_t begin, end, thread; } st_share;

static inline st_share st_my_share(int64_t count, int64_t block) {
    const int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const int64_t blocks = count < block ? 1 : count / block;
    const int64_t each = blocks / threads, more = blocks % threads;
    st_share share = {(thread * each + (thread < more ? thread : more)) * block, 0, thread};
    share.end = share.begin + (each + (thread < more)) * block;
    if (share.end >= blocks * block && share.end > share.begin) share.end = count;
    return share;
}

/* A loop, of which each thread runs a range. The only parallel regions of loops are here: compilers
   make a function of each. */
typedef void st_loop_part(int64_t begin, int64_t end, int64_t thread, const void *given);

static __attribute__((noinline)) void st_share_out(const st_runtime *runtime, st_loop_part *part,
                                                   const void *given, int64_t count,
                                                   int64_t block) {
#pragma omp parallel num_threads(runtime->threads)
    {
        const st_share share = st_my_share(count, block);
        part(share.begin, share.end, share.thread, given);
    }
}

/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct sum_of_chunks_part_given {
    const double *x;
    double *partial;
    const int64_t n;
} sum_of_chunks_part_given;

ST_KERNEL void sum_of_chunks_part(const int64_t begin, const int64_t end_2, const int64_t thread,
        const void *given) {
    const sum_of_chunks_part_given *const st_given = given;
    const double *x = st_given->x;
    double *partial = st_given->partial;
    const int64_t n = st_given->n;
    for (int64_t c = begin; c < end_2; c++) {
        const int64_t stop = c*1000 + 1000;
        const int64_t end = stop < n ? stop : n;
        double sum = 0.0;
        #pragma omp simd reduction(+ : sum)
        for (int64_t i = c*1000; i < end; i++) {
            const double x_i = x[i];
            const double v_2 = sum + x_i;
            sum = v_2;
        }
        partial[c] = sum;
    }
}

ST_KERNEL void sum_of_chunks(const st_runtime *runtime, const double *x, double *partial,
        const int64_t chunks, const int64_t n) {
    const sum_of_chunks_part_given st_given_1 = {x, partial, n};
    if (st_parallel(runtime, n)) {
        st_share_out(runtime, sum_of_chunks_part, &st_given_1, chunks, 1);
    } else {
        sum_of_chunks_part(0, chunks, 0, &st_given_1);
    }
}

ST_KERNEL double sum_of_sums(const double *partial, const int64_t chunks) {
    double whole = 0.0;
    for (int64_t c_2 = 0; c_2 < chunks; c_2++) {
        const double partial_i = partial[c_2];
        const double v_3 = whole + partial_i;
        whole = v_3;
    }
    return whole;
}

/* entry
   inputs: float64 x[n]
   outputs: float64 out0[1]
   workspace: chunks*8 bytes
   1. partial = sum_of_chunks(x): reads n*8, writes chunks*8 bytes
   2. whole = sum_of_sums(partial): reads chunks*8 bytes */
ST_EXPORT int32_t entry(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const double *x = inputs[0].data;
    const int64_t n = inputs[0].shape[0];

    double *out0 = ST_ALLOCATE(0, 1);
    ST_REQUIRE(out0, MEMORY, -1, 8, 0);

    const int64_t v = n + 999LL;
    const int64_t chunks = st_int_div_i64(v, 1000LL);

    const int64_t arena_bytes = st_padded(chunks*8);
    arena = st_arena_open(runtime, arena_bytes, 8.0*chunks);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    double *partial = (double *)arena;

    sum_of_chunks(runtime, x, partial, chunks, n);
    const double whole = sum_of_sums(partial, chunks);
    out0[0] = whole;
done:
    st_arena_close(runtime, arena);
    return status;
}
