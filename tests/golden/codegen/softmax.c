#include <stdbool.h>

#if defined __FMA__ || defined __ARM_FEATURE_FMA
#define ST_PART static inline __attribute__((always_inline))
#define ST_MATH(lanes) ST_PART

ST_PART uint32_t st_bitsf(float x) { uint32_t b; __builtin_memcpy(&b, &x, 4); return b; }

ST_PART float st_float(uint32_t b) { float x; __builtin_memcpy(&x, &b, 4); return x; }

/* As st_exp. If n exceeds its limit, r is large and the result infinite. */
ST_MATH(8) float st_expf(float x) {
    const int falls = __builtin_constant_p(x > 0) && !__builtin_constant_p(x);
    const float bias = falls ? 0x1.80017ep23f : 0x1.8001fcp23f;
    const int32_t rounded = (int32_t)st_bitsf(__builtin_fmaf(x, 0x1.715476p0f, bias));
    const int32_t most = 0x4b40019c, least = rounded < most ? rounded : most;
    const uint32_t k = (uint32_t)(falls ? rounded : least);
    const float n = st_float(k) - bias, near = __builtin_fmaf(n, -0x1.62e430p-1f, x);
    const float r = __builtin_fmaf(n, 0x1.05c610p-29f, near), r2 = r * r;
    const float c1 = __builtin_fmaf(0x1.55585ap-5f, near, 0x1.55548cp-3f);
    const float c3 = __builtin_fmaf(0x1.6aba9ep-10f, near, 0x1.123d8ap-7f);
    const float low = __builtin_fmaf(0x1.fffffcp-2f, r2, r);
    const float y = __builtin_fmaf(__builtin_fmaf(c3, r2, c1), r2 * near, low);
    const uint32_t whole = k << 23, half = falls ? whole : (k << 22) & 0x7f800000;
    const float scale = st_float(half), rest = falls ? 0x1p-64f : st_float(whole - half);
    const float e = __builtin_fmaf(scale, y, scale) * rest;
    return x < -105 ? 0 : e;
}

#define expf(x) st_expf(x)
#else
__attribute__((simd("notinbranch"), const)) float expf(float);
#endif

#pragma omp declare reduction(st_reduce_maximum_f32 : float : \
    omp_out = omp_out > omp_in || omp_out != omp_out ? omp_out : omp_in) \
    initializer(omp_priv = -__builtin_inff())

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

typedef struct softmax_part_given {
    const float *x;
    float *out0;
    const int64_t m;
} softmax_part_given;

ST_KERNEL void softmax_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const softmax_part_given *const st_given = given;
    const float *x = st_given->x;
    float *out0 = st_given->out0;
    const int64_t m = st_given->m;
    for (int64_t i = begin; i < end; i++) {
        float largest = -__builtin_inff();
        #pragma omp simd reduction(st_reduce_maximum_f32 : largest)
        for (int64_t j = 0; j < m; j++) {
            const float x_i = x[i*m + j];
            const float v = largest > x_i || largest != largest ? largest : x_i;
            largest = v;
        }
        float total = 0.0f;
        #pragma omp simd reduction(+ : total)
        for (int64_t j_2 = 0; j_2 < m; j_2++) {
            const float x_i_2 = x[i*m + j_2];
            const float v_2 = x_i_2 - largest;
            const float v_3 = expf(v_2);
            out0[i*m + j_2] = v_3;
            const float v_4 = total + v_3;
            total = v_4;
        }
        #pragma omp simd
        for (int64_t j_3 = 0; j_3 < m; j_3++) {
            const float out0_i = out0[i*m + j_3];
            const float v_5 = out0_i / total;
            out0[i*m + j_3] = v_5;
        }
    }
}

/* softmax of rows */
/* model.py:3: p = T.nnet.softmax(x) */
ST_KERNEL void softmax(const st_runtime *runtime, const float *x, float *out0, const int64_t n,
        const int64_t m) {
    const softmax_part_given st_given_1 = {x, out0, m};
    if (st_parallel(runtime, m*n*20)) {
        st_share_out(runtime, softmax_part, &st_given_1, n, 1);
    } else {
        softmax_part(0, n, 0, &st_given_1);
    }
}

/* entry
   inputs: float32 x[m*n]
   outputs: float32 out0[m*n]
   1. out0 = softmax(x): softmax of rows; reads m*n*4, writes m*n*4 bytes */
ST_EXPORT int32_t entry(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const float *x = inputs[0].data;
    const int64_t n = inputs[0].shape[0], m = inputs[0].shape[1];

    float *out0 = ST_ALLOCATE(0, n, m);
    ST_REQUIRE(out0, MEMORY, -1, m*n*4, 0);

    softmax(runtime, x, out0, n, m);
done:
    return status;
}
