/* 2.5 x + y */

#include <stdbool.h>

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

typedef struct axpy_part_given {
    const float *x;
    const float *y;
    float *out0;
} axpy_part_given;

ST_KERNEL void axpy_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const axpy_part_given *const st_given = given;
    const float *x = st_given->x;
    const float *y = st_given->y;
    float *out0 = st_given->out0;
    #pragma omp simd
    for (int64_t i = begin; i < end; i++) {
        const float x_i = x[i];
        /* model.py:12: scaled = 2.5 * x */
        const float v = x_i * 2.5f;
        const float y_i = y[i];
        /* model.py:13: out = scaled + y # h = f(x) / * * / ? ?/ \ */
        const float v_2 = v + y_i;
        out0[i] = v_2;
    }
}

/* scale and add */
/* model.py:12: scaled = 2.5 * x */
/* model.py:13: out = scaled + y */
ST_KERNEL void axpy(const st_runtime *runtime, const float *x, const float *y, float *out0,
        const int64_t n) {
    const axpy_part_given st_given_1 = {x, y, out0};
    if (st_parallel(runtime, n)) {
        st_share_out(runtime, axpy_part, &st_given_1, n, 256);
    } else {
        axpy_part(0, n, 0, &st_given_1);
    }
}

/* entry
   inputs: float32 x[n], float32 y[n]
   outputs: float32 out0[n]
   1. out0 = axpy(x, y): scale and add; reads n*8, writes n*4 bytes */
ST_EXPORT int32_t entry(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *x = inputs[0].data;
    const int64_t n = inputs[0].shape[0];
    const float *y = inputs[1].data;
    const int64_t m = inputs[1].shape[0];

    const bool same = n == m;
    ST_REQUIRE(same, SHAPE, 7, n, m);

    float *out0 = ST_ALLOCATE(0, n);
    ST_REQUIRE(out0, MEMORY, -1, n*4, 0);

    axpy(runtime, x, y, out0, n);
done:
    return status;
}
