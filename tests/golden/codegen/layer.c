#include <stdbool.h>

#if defined __FMA__ || defined __ARM_FEATURE_FMA
#define ST_PART static inline __attribute__((always_inline))
#define ST_MATH(lanes) ST_PART

ST_PART uint32_t st_bitsf(float x) { uint32_t b; __builtin_memcpy(&b, &x, 4); return b; }

ST_PART float st_float(uint32_t b) { float x; __builtin_memcpy(&x, &b, 4); return x; }

/* A condition that is rarely true. A single value need not wait for the choice, which becomes a
   branch; loops in vectors do not change. */
ST_PART int st_rarely(int condition) {
    return __builtin_expect_with_probability(condition, 0, 0.999);
}

/* As st_tanh. */
ST_MATH(8) float st_tanhf(float x) {
    const float size = __builtin_fabsf(x), a = st_rarely(10 < size) ? 10 : size;
    const float t = __builtin_fmaf(a, 0x1.715476p1f, 0x1.8000fep23f), n = t - 0x1.8000fep23f;
    const float r = __builtin_fmaf(n, -0x1.62e430p-1f, 2 * a), rest = n * 0x1.05c610p-29f;
    const float r2 = r * r, c0 = __builtin_fmaf(0x1.5554aap-3f, r, 0x1.fffffep-2f);
    const float c3 = __builtin_fmaf(0x1.6ac9e4p-10f, r, 0x1.122be6p-7f);
    const float high = __builtin_fmaf(c3, r, 0x1.55579ap-5f);
    const float p = __builtin_fmaf(__builtin_fmaf(high, r2, c0), r2, rest);
    const float scale = st_float(st_bitsf(t) << 23);
    const float e = __builtin_fmaf(scale, p, __builtin_fmaf(scale, r, scale - 1));
    return __builtin_copysignf(e / (e + 2), x);
}

#define tanhf(x) st_tanhf(x)
#else
__attribute__((simd("notinbranch"), const)) float tanhf(float);
#endif

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

/* Leaves the function because the host wants to end the call. */
#define ST_LEAVE do { status = ST_ERROR_PYTHON; goto done; } while (0)
#define ST_LEAVE_IF_ENDED do { if (runtime->ended) ST_LEAVE; } while (0)

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

/* Larger arrays are copied and cleared by all threads. */
#define ST_PARALLEL_BYTES 4194304

static void st_copy(const st_runtime *runtime, void *to, const void *from, int64_t bytes) {
    if (to == from) return;  /* it already uses this memory */
    st_announce(runtime, (double)bytes / 8);
#ifdef _OPENMP
    if (runtime->threads > 1 && bytes > ST_PARALLEL_BYTES) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(bytes, 4096);
            __builtin_memcpy((char *)to + share.begin, (const char *)from + share.begin,
                             (size_t)(share.end - share.begin));
        }
        return;
    }
#endif
    __builtin_memcpy(to, from, (size_t)bytes);
}

enum { ST_NO_TRANS = 111, ST_TRANS = 112, ST_CONJ_TRANS = 113 };

/* One copy of each function; rarely called ones are optimized for size. */
#define ST_ONCE static __attribute__((noinline, unused))
#define ST_SELDOM static __attribute__((noinline, unused, cold))

#define ST_MAX(a, b) ((a) > (b) ? (a) : (b))
#define ST_MIN(a, b) ((a) < (b) ? (a) : (b))
#define ST_ABS(a) ((a) < 0 ? -(a) : (a))

/* The host's table. It is followed by our own kernels, and by a function that runs the parts of a
   job in threads; NULL if there are none. */
typedef void st_part(const void *job, int64_t number);
typedef struct st_products {
    st_blas library;
    void *own[2];
    void (*share)(int64_t parts, st_part *part, const void *job);
} st_products;

/* A routine whose integers can represent the given largest number, or NULL. Its work, in
   multiplications, is announced to the host. */
static inline void *st_routine(const st_runtime *runtime, int number, int64_t largest,
                               double work) {
    const st_blas *blas = runtime->blas;
    st_announce(runtime, work);
    return blas && (blas->ilp64 || largest <= INT32_MAX) ? blas->fn[number] : NULL;
}

/* Minimum multiplications per thread; below the other bound, no library starts threads. */
#define ST_BLAS_PARALLEL 2000000
#define ST_BLAS_ALONE 9000
/* Minimum rows of all products for which a factor is packed. */
#define ST_PACK_ROWS 64
/* A matrix-vector product is limited by memory: the relative cost of one multiplication. */
#define ST_GEMV_TERM 5.

static inline void st_lock(st_blas *blas) {
    while (__atomic_exchange_n(&blas->lock, 1, __ATOMIC_ACQUIRE)) {}
}

static inline void st_unlock(st_blas *blas) {
    __atomic_store_n(&blas->lock, 0, __ATOMIC_RELEASE);
}

/* Limit the library to one thread, if possible; returns whether it is limited. */
static inline int st_hold_threads(const st_runtime *runtime) {
    st_blas *blas = (st_blas *)runtime->blas;
    if (!blas->set_threads) return 0;
    st_lock(blas);
    if (blas->alone++ == 0) blas->saved = blas->set_threads(1);
    st_unlock(blas);
    return 1;
}

static inline void st_free_threads(const st_runtime *runtime) {
    st_blas *blas = (st_blas *)runtime->blas;
    st_lock(blas);
    if (--blas->alone == 0) blas->set_threads(blas->saved);
    st_unlock(blas);
}

/* Number of parts of a product, each computed by one of our threads: the library's threads would
   compete with them for the processors. */
static inline int64_t st_parts(const st_runtime *runtime, double work) {
    const double parts = work / ST_BLAS_PARALLEL;
    if (parts < 2 || runtime->threads < 2 || !((const st_products *)runtime->blas)->share
        || !runtime->blas->set_threads) return 1;
    return parts < runtime->threads ? (int64_t)parts : runtime->threads;
}

/* The length of each part. */
static inline int64_t st_step(int64_t length, int64_t parts) {
    return parts == 1 ? length : (length / parts + 15) / 16 * 16;
}

/* Run the parts of a product. With a single part, the library's threads may be used. */
ST_ONCE void st_run(const st_runtime *runtime, double work, int64_t parts, st_part *part,
                    const void *job) {
    const int wide = parts == 1 && work >= 2 * ST_BLAS_PARALLEL && runtime->threads > 1;
    const int held = work >= ST_BLAS_ALONE && !wide && st_hold_threads(runtime);
    if (parts == 1) part(job, 0);
    else ((const st_products *)runtime->blas)->share(parts, part, job);
    if (held) st_free_threads(runtime);
}

typedef struct st_gemv { int64_t trans, m, n, lda, incx, incy; } st_gemv;

typedef struct st_gemm { int64_t transa, transb, m, n, k, lda, ldb, ldc; } st_gemm;

ST_SELDOM void st_plain_gemv_f32(int trans, int64_t m, int64_t n, float alpha, const float *a,
                          int64_t lda, const float *x, int64_t incx, float beta, float *y,
                          int64_t incy) {
    const int64_t outputs = trans == ST_NO_TRANS ? m : n, terms = trans == ST_NO_TRANS ? n : m;
    const int64_t ai = trans == ST_NO_TRANS ? lda : 1, ap = trans == ST_NO_TRANS ? 1 : lda;
    for (int64_t i = 0; i < outputs; i++) {
        float sum = 0;
        for (int64_t p = 0; p < terms; p++) {
            const float value = a[i * ai + p * ap];
            sum += (trans == ST_CONJ_TRANS ? (value) : value) * x[p * incx];
        }
        y[i * incy] = (beta == 0 ? 0 : beta * y[i * incy]) + alpha * sum;
    }
}

typedef struct st_gemv_job_f32 {
    const st_blas *blas;
    void *fn;
    int trans;
    int64_t m, n, lda, incx, incy, step;
    float alpha, beta;
    const float *a, *x;
    float *y;
} st_gemv_job_f32;

/* Some elements of y. */
static void st_gemv_part_f32(const void *job, int64_t number) {
    const st_gemv_job_f32 *const j = job;
    const int straight = j->trans == ST_NO_TRANS;
    const int64_t first = number * j->step, length = straight ? j->m : j->n;
    const int64_t count = ST_MIN(j->step, length - first);
    if (count <= 0) return;
    const int64_t m = straight ? count : j->m, n = straight ? j->n : count;
    const float *a = j->a + (straight ? first * j->lda : first);
    float *y = j->y + (j->incy < 0 ? first + count - 1 : first) * j->incy;
    const float alpha = j->alpha, beta = j->beta;
    typedef void (*wide)(int, int, int64_t, int64_t, float, const float *, int64_t, const float *, int64_t, float, float *, int64_t);
    typedef void (*narrow)(int, int, int32_t, int32_t, float, const float *, int32_t, const float *, int32_t, float, float *, int32_t);
    if (j->blas->ilp64) ((wide)j->fn)(101, j->trans, m, n, alpha, a, j->lda, j->x, j->incx, beta, y, j->incy);
    else ((narrow)j->fn)(101, j->trans, m, n, alpha, a, j->lda, j->x, j->incx, beta, y, j->incy);
}

/* y = alpha op(a) x + beta y */
ST_ONCE void st_gemv_f32(const st_runtime *runtime, const st_gemv *args, float alpha,
                    const float *a, const float *x, float beta, float *y) {
    const int trans = (int)args->trans;
    const int64_t m = args->m, n = args->n;
    int64_t lda = args->lda, incx = args->incx, incy = args->incy;
    const int64_t outputs = trans == ST_NO_TRANS ? m : n, terms = trans == ST_NO_TRANS ? n : m;
    if (m <= 1) lda = ST_MAX(n, 1);
    if (terms == 1) incx = 1;
    if (outputs == 1) incy = 1;
    const st_products *products = (const st_products *)runtime->blas;
    if (products && products->own[0] && m > 0 && n > 0 && lda >= n && incx > 0
        && incy > 0) {
        typedef int32_t (*function)(int, int, int, int, int64_t, int64_t, int64_t, float,
                                    const float *, int64_t, const float *, int64_t, float, float *,
                                    int64_t);
        if (((function)products->own[0])(4 /* vector */, 1, trans, ST_NO_TRANS, outputs,
                                                   1, terms, alpha, a, lda, x, incx, beta, y, incy))
            return;
    }
    const int64_t sizes = ST_MAX(ST_MAX(m, n), lda), steps = ST_MAX(ST_ABS(incx), ST_ABS(incy));
    void *fn = st_routine(runtime, 4 /* cblas_sgemv */, ST_MAX(sizes, steps),
                          (double)m * n);
    if (!fn || outputs <= 0 || terms <= 0 || lda < n || incx == 0 || incy == 0) {
        st_plain_gemv_f32(trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
        return;
    }
    /* Some libraries multiply y by beta even if beta is 0, which would keep a NaN in y. */
    if (beta == 0)
        for (int64_t i = 0; i < outputs; i++) y[i * incy] = 0;
    if (incx < 0) x += (terms - 1) * incx;
    const int64_t parts = st_parts(runtime, ST_GEMV_TERM * m * n);
    const st_gemv_job_f32 job = {runtime->blas, fn, trans, m, n, lda, incx, incy,
                                    st_step(outputs, parts), alpha, beta, a, x, y};
    st_run(runtime, (double)m * n, parts, st_gemv_part_f32, &job);
}

ST_SELDOM void st_plain_gemm_f32(int transa, int transb, int64_t m, int64_t n, int64_t k,
                          float alpha, const float *a, int64_t lda, const float *b, int64_t ldb,
                          float beta, float *c, int64_t ldc) {
    const int64_t ai = transa == ST_NO_TRANS ? lda : 1, ap = transa == ST_NO_TRANS ? 1 : lda;
    const int64_t bp = transb == ST_NO_TRANS ? ldb : 1, bj = transb == ST_NO_TRANS ? 1 : ldb;
    for (int64_t i = 0; i < m; i++) {
        float *row = c + i * ldc;
        for (int64_t j = 0; j < n; j++) row[j] = beta == 0 ? 0 : beta * row[j];
        for (int64_t p = 0; p < k; p++) {
            const float x = a[i * ai + p * ap];
            const float factor = alpha * (transa == ST_CONJ_TRANS ? (x) : x);
            for (int64_t j = 0; j < n; j++) {
                const float y = b[p * bp + j * bj];
                row[j] += factor * (transb == ST_CONJ_TRANS ? (y) : y);
            }
        }
    }
}

typedef struct st_gemm_job_f32 {
    const st_blas *blas;
    void *fn;
    int transa, transb, by_rows;
    int64_t m, n, k, lda, ldb, ldc, step;
    float alpha, beta;
    const float *a, *b;
    float *c;
} st_gemm_job_f32;

/* Some rows or columns of c. */
static void st_gemm_part_f32(const void *job, int64_t number) {
    const st_gemm_job_f32 *const j = job;
    const int64_t first = number * j->step, length = j->by_rows ? j->m : j->n;
    const int64_t count = ST_MIN(j->step, length - first);
    if (count <= 0) return;
    const int64_t m = j->by_rows ? count : j->m, n = j->by_rows ? j->n : count;
    const int64_t row = j->by_rows ? first : 0, column = first - row;
    const float *a = j->a + (j->transa == ST_NO_TRANS ? row * j->lda : row);
    const float *b = j->b + (j->transb == ST_NO_TRANS ? column : column * j->ldb);
    float *c = j->c + row * j->ldc + column;
    const float alpha = j->alpha, beta = j->beta;
    typedef void (*wide)(int, int, int, int64_t, int64_t, int64_t, float, const float *, int64_t, const float *, int64_t, float, float *, int64_t);
    typedef void (*narrow)(int, int, int, int32_t, int32_t, int32_t, float, const float *, int32_t, const float *, int32_t, float, float *, int32_t);
    if (j->blas->ilp64) ((wide)j->fn)(101, j->transa, j->transb, m, n, j->k, alpha, a, j->lda, b, j->ldb, beta, c, j->ldc);
    else ((narrow)j->fn)(101, j->transa, j->transb, m, n, j->k, alpha, a, j->lda, b, j->ldb, beta, c, j->ldc);
}

/* c = alpha op(a) op(b) + beta c */
ST_ONCE void st_gemm_f32(const st_runtime *runtime, const st_gemm *args, float alpha,
                    const float *a, const float *b, float beta, float *c) {
    const int transa = (int)args->transa, transb = (int)args->transb;
    const int64_t m = args->m, n = args->n, k = args->k;
    int64_t lda = args->lda, ldb = args->ldb, ldc = args->ldc;
    const int a_straight = transa == ST_NO_TRANS, b_straight = transb == ST_NO_TRANS;
    if (m <= 0 || n <= 0) return;
    /* BLAS has no matrix-vector product that conjugates without transposing. */
    if (m == 1 && 1 && 1) {
        const st_gemv row = {
            .trans = b_straight ? ST_TRANS : ST_NO_TRANS, .m = b_straight ? k : n,
            .n = b_straight ? n : k, .lda = ldb, .incx = a_straight ? 1 : lda, .incy = 1};
        st_gemv_f32(runtime, &row, alpha, b, a, beta, c);
        return;
    }
    if (n == 1 && 1) {
        const st_gemv column = {
            .trans = transa, .m = a_straight ? m : k, .n = a_straight ? k : m, .lda = lda,
            .incx = b_straight ? ldb : 1, .incy = ldc};
        st_gemv_f32(runtime, &column, alpha, a, b, beta, c);
        return;
    }
    const int64_t a_width = a_straight ? k : m, b_width = b_straight ? n : k;
    /* The stride of a single row has no meaning, but BLAS checks it. */
    if ((a_straight ? m : k) == 1) lda = a_width;
    if ((b_straight ? k : n) == 1) ldb = b_width;
    if (m == 1) ldc = n;
    const st_products *products = (const st_products *)runtime->blas;
    if (products && products->own[0] && k > 0 && lda >= a_width && ldb >= b_width
        && ldc >= n) {
        typedef int32_t (*function)(int, int, int, int, int64_t, int64_t, int64_t, float,
                                    const float *, int64_t, const float *, int64_t, float, float *,
                                    int64_t);
        st_announce(runtime, (double)m * n * k);
        if (((function)products->own[0])(0, runtime->threads, transa, transb, m, n, k,
                                                   alpha, a, lda, b, ldb, beta, c, ldc)) return;
    }
    const int64_t sizes = ST_MAX(ST_MAX(m, n), k), leads = ST_MAX(ST_MAX(lda, ldb), ldc);
    void *fn = st_routine(runtime, 0 /* cblas_sgemm */, ST_MAX(sizes, leads),
                          (double)m * n * k);
    if (!fn || k <= 0 || lda < a_width || ldb < b_width || ldc < n) {
        st_plain_gemm_f32(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
        return;
    }
    const double work = (double)m * n * k;
    const int64_t parts = st_parts(runtime, work);
    const st_gemm_job_f32 job = {
        runtime->blas, fn, transa, transb, m >= n, m, n, k, lda, ldb, ldc,
        st_step(ST_MAX(m, n), parts), alpha, beta, a, b, c};
    st_run(runtime, work, parts, st_gemm_part_f32, &job);
}

static void st_zero(const st_runtime *runtime, void *to, int64_t bytes) {
    st_announce(runtime, (double)bytes / 8);
#ifdef _OPENMP
    if (runtime->threads > 1 && bytes > ST_PARALLEL_BYTES) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(bytes, 4096);
            __builtin_memset((char *)to + share.begin, 0, (size_t)(share.end - share.begin));
        }
        return;
    }
#endif
    __builtin_memset(to, 0, (size_t)bytes);
}

/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

typedef struct activation_part_given {
    float *product;
    const float *bias;
    const int64_t m;
} activation_part_given;

ST_KERNEL void activation_part(const int64_t begin, const int64_t end, const int64_t thread,
        const void *given) {
    const activation_part_given *const st_given = given;
    float *product = st_given->product;
    const float *bias = st_given->bias;
    const int64_t m = st_given->m;
    for (int64_t i = begin; i < end; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < m; j++) {
            const float product_i = product[i*m + j];
            const float bias_i = bias[j];
            /* net.py:5: h = T.tanh(T.dot(x, w) + b) */
            const float v = product_i + bias_i;
            const float v_2 = tanhf(v);
            product[i*m + j] = v_2;
        }
    }
}

/* tanh(. + bias) */
/* net.py:5: h = T.tanh(T.dot(x, w) + b) */
ST_KERNEL void activation(const st_runtime *runtime, float *product, const float *bias,
        const int64_t n, const int64_t m) {
    const activation_part_given st_given_1 = {product, bias, m};
    if (st_parallel(runtime, m*n*20)) {
        st_share_out(runtime, activation_part, &st_given_1, n, 1);
    } else {
        activation_part(0, n, 0, &st_given_1);
    }
}

/* entry
   inputs: float32 x[k*n], float32 w[k*m], float32 bias[m]
   outputs: float32 out0[m*n]
   workspace: (m*4 + 1)*n bytes
   1. product = st_gemm_f32(x, w): reads (m*4 + n*4)*k, writes m*n*4 bytes
   2. product = activation(product, bias): tanh(. + bias); reads (n*4 + 4)*m, writes m*n*4 bytes
   3. spare = st_zero(): writes n bytes
   4. op 0 in Python(product): reads m*n*4 bytes
   5. out0 = st_copy(ordered): reads m*n*4, writes m*n*4 bytes */
ST_EXPORT int32_t entry(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const int64_t n = inputs[0].shape[0], k = inputs[0].shape[1];
    const float *w = inputs[1].data;
    const int64_t m = inputs[1].shape[1];
    const float *bias = inputs[2].data;

    const int64_t st_product_at = st_padded(n);
    const int64_t arena_bytes = st_product_at + st_padded(m*n*4);
    arena = st_arena_open(runtime, arena_bytes, 1.0*n + 4.0*m*n);
    ST_REQUIRE(arena, MEMORY, -1, arena_bytes, -1);
    int8_t *spare = (int8_t *)arena;
    float *product = (float *)(arena + st_product_at);

    /* net.py:5: h = T.tanh(T.dot(x, w) + b) */
    st_gemm_f32(runtime, &(st_gemm){.transa = ST_NO_TRANS, .transb = ST_NO_TRANS, .m = n, .n = m,
            .k = k, .lda = k, .ldb = m, .ldc = m}, 1.0f, x, w, 0.0f, product);
    ST_LEAVE_IF_ENDED;
    activation(runtime, product, bias, n, m);
    ST_LEAVE_IF_ENDED;
    st_zero(runtime, spare, n);
    /* net.py:6: h = f(x) / * * / ? ?/ \ */
    /* sorted by a Python op */
    st_array st_python_inputs_1[] = {
        {(void *)product, (const int64_t[]){n, m}},
    };
    st_array st_python_outputs_1[1];
    ST_REQUIRE(runtime->python(runtime->context, 0, st_python_inputs_1, st_python_outputs_1) == 0,
            PYTHON, 0, 0);
    float *ordered = st_python_outputs_1[0].data;
    const int64_t rows = st_python_outputs_1[0].shape[0];
    const int64_t columns = st_python_outputs_1[0].shape[1];

    float *out0 = ST_ALLOCATE(0, n, m);
    ST_REQUIRE(out0, MEMORY, -1, m*n*4, 0);

    ST_LEAVE_IF_ENDED;
    st_copy(runtime, out0, ordered, columns*rows*4);
done:
    st_arena_close(runtime, arena);
    return status;
}
