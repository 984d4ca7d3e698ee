#include <stdbool.h>

__attribute__((simd("notinbranch"), const)) float tanhf(float);

enum { ST_NO_TRANS = 111, ST_TRANS = 112, ST_CONJ_TRANS = 113 };

#define ST_MAX(a, b) ((a) > (b) ? (a) : (b))
#define ST_ABS(a) ((a) < 0 ? -(a) : (a))

/* A routine whose integers hold numbers up to the largest one given, or NULL. The work it will
   do, in multiplications, is announced to the host. */
static inline void *st_routine(const st_runtime *runtime, int number, int64_t largest,
                               double work) {
    const st_blas *blas = runtime->blas;
    st_announce(runtime, work);
    return blas && (blas->ilp64 || largest <= INT32_MAX) ? blas->fn[number] : NULL;
}

/* From this work on threads gain more than they cost; they cost milliseconds where another
   process keeps a core busy. Below the other bound no library starts any. */
#define ST_BLAS_PARALLEL 4000000
#define ST_BLAS_ALONE 9000

static inline void st_lock(st_blas *blas) {
    while (__atomic_exchange_n(&blas->lock, 1, __ATOMIC_ACQUIRE)) {}
}

static inline void st_unlock(st_blas *blas) {
    __atomic_store_n(&blas->lock, 0, __ATOMIC_RELEASE);
}

/* Hold the library to one thread where more are not wanted; returns whether it is held. */
static inline int st_hold_threads(const st_runtime *runtime, double work) {
    st_blas *blas = (st_blas *)runtime->blas;
    if (work < ST_BLAS_ALONE || (work >= ST_BLAS_PARALLEL && runtime->threads > 1)
        || !blas->set_threads) return 0;
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

static inline void st_plain_gemv_f32(int trans, int64_t m, int64_t n, float alpha, const float *a,
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

/* y = alpha op(a) x + beta y */
static inline void st_gemv_f32(const st_runtime *runtime, int trans, int64_t m, int64_t n,
                    float alpha, const float *a, int64_t lda, const float *x, int64_t incx,
                    float beta, float *y, int64_t incy) {
    const int64_t outputs = trans == ST_NO_TRANS ? m : n, terms = trans == ST_NO_TRANS ? n : m;
    if (m <= 1) lda = ST_MAX(n, 1);
    if (terms == 1) incx = 1;
    if (outputs == 1) incy = 1;
    const int64_t sizes = ST_MAX(ST_MAX(m, n), lda), steps = ST_MAX(ST_ABS(incx), ST_ABS(incy));
    void *fn = st_routine(runtime, 4 /* cblas_sgemv */, ST_MAX(sizes, steps),
                          (double)m * n);
    if (!fn || outputs <= 0 || terms <= 0 || lda < n || incx == 0 || incy == 0) {
        st_plain_gemv_f32(trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
        return;
    }
    /* Some libraries multiply a NaN that lies in y by a beta of 0. */
    if (beta == 0)
        for (int64_t i = 0; i < outputs; i++) y[i * incy] = 0;
    if (incx < 0) x += (terms - 1) * incx;
    if (incy < 0) y += (outputs - 1) * incy;
    typedef void (*wide)(int, int, int64_t, int64_t, float, const float *, int64_t, const float *, int64_t, float, float *, int64_t);
    typedef void (*narrow)(int, int, int32_t, int32_t, float, const float *, int32_t, const float *, int32_t, float, float *, int32_t);
    const int held = st_hold_threads(runtime, (double)m * n);
    if (runtime->blas->ilp64) ((wide)fn)(101, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
    else ((narrow)fn)(101, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
    if (held) st_free_threads(runtime);
}

static inline void st_plain_gemm_f32(int transa, int transb, int64_t m, int64_t n, int64_t k,
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

/* c = alpha op(a) op(b) + beta c */
static inline void st_gemm_f32(const st_runtime *runtime, int transa, int transb, int64_t m,
                    int64_t n, int64_t k, float alpha, const float *a, int64_t lda, const float *b,
                    int64_t ldb, float beta, float *c, int64_t ldc) {
    const int a_straight = transa == ST_NO_TRANS, b_straight = transb == ST_NO_TRANS;
    if (m <= 0 || n <= 0) return;
    /* BLAS has no matrix-vector product that conjugates without transposing. */
    if (m == 1 && 1 && 1) {
        st_gemv_f32(runtime, b_straight ? ST_TRANS : ST_NO_TRANS, b_straight ? k : n,
                b_straight ? n : k, alpha, b, ldb, a, a_straight ? 1 : lda, beta, c, 1);
        return;
    }
    if (n == 1 && 1) {
        st_gemv_f32(runtime, transa, a_straight ? m : k, a_straight ? k : m, alpha, a, lda,
                b, b_straight ? ldb : 1, beta, c, ldc);
        return;
    }
    const int64_t a_width = a_straight ? k : m, b_width = b_straight ? n : k;
    /* What leads from the only row to the next one says nothing; BLAS checks it all the same. */
    if ((a_straight ? m : k) == 1) lda = a_width;
    if ((b_straight ? k : n) == 1) ldb = b_width;
    if (m == 1) ldc = n;
    const int64_t sizes = ST_MAX(ST_MAX(m, n), k), leads = ST_MAX(ST_MAX(lda, ldb), ldc);
    void *fn = st_routine(runtime, 0 /* cblas_sgemm */, ST_MAX(sizes, leads),
                          (double)m * n * k);
    if (!fn || k <= 0 || lda < a_width || ldb < b_width || ldc < n) {
        st_plain_gemm_f32(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
        return;
    }
    typedef void (*wide)(int, int, int, int64_t, int64_t, int64_t, float, const float *, int64_t, const float *, int64_t, float, float *, int64_t);
    typedef void (*narrow)(int, int, int, int32_t, int32_t, int32_t, float, const float *, int32_t, const float *, int32_t, float, float *, int32_t);
    const int held = st_hold_threads(runtime, (double)m * n * k);
    if (runtime->blas->ilp64) ((wide)fn)(101, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    else ((narrow)fn)(101, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    if (held) st_free_threads(runtime);
}

static __attribute__((cold, noinline)) int32_t st_fail(st_error *error, int32_t code, int32_t site,
                                                       int32_t count, const int64_t *values) {
    error->code = code;
    error->site = site;
    for (int32_t i = 0; i < count; i++) error->values[i] = values[i];
    return code;
}

void *aligned_alloc(size_t, size_t);
void free(void *);

/* Slots of the workspace begin at cache lines. */
static inline int64_t st_padded(int64_t bytes) { return (bytes + 63) & -64; }

/* `estimate` is the size in floating point, which tells where `bytes` wrapped around. */
static char *st_arena_open(int64_t bytes, double estimate) {
    return estimate < 4e18 ? aligned_alloc(64, (size_t)(bytes / 64 + 1) * 64) : NULL;
}

/* Loops with less work than this many additions stay on one thread. */
#define ST_PARALLEL_WORK 1048576

#ifdef _OPENMP
int omp_get_thread_num(void);
int omp_get_num_threads(void);
#else
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif

static inline bool st_parallel(const st_runtime *runtime, int64_t work) {
    st_announce(runtime, (double)work);
#ifdef _OPENMP
    return runtime->threads > 1 && work > ST_PARALLEL_WORK;
#else
    return false;
#endif
}

/* The iterations of this thread: whole blocks, so that vectors begin where they would begin
   on one thread, and the results are the same to the bit. The rest goes with the last block. */
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

/* Not inlined: one thread and many run the very same code. */
#define ST_KERNEL static __attribute__((noinline))

ST_KERNEL void activation_part(const int64_t begin, const int64_t end, float *product,
        const float *bias, const int64_t m) {
    for (int64_t i = begin; i < end; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < m; j++) {
            const float product_i = product[i*m + j];
            const float bias_i = bias[j];
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
    if (st_parallel(runtime, m*n*20)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(n, 1);
            activation_part(share.begin, share.end, product, bias, m);
        }
    } else {
        activation_part(0, n, product, bias, m);
    }
}

ST_EXPORT int32_t entry(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    char *arena = NULL;
    const float *x = inputs[0].data;
    const float *w = inputs[1].data;
    const float *bias = inputs[2].data;
    const int64_t n = inputs[0].shape[0];
    const int64_t k = inputs[0].shape[1];
    const int64_t m = inputs[1].shape[1];
    const int64_t slot = st_padded(n);
    const int64_t arena_bytes = slot + st_padded(m*n*4);
    arena = st_arena_open(arena_bytes, 1.0*n + 4.0*m*n);
    if (!arena) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){arena_bytes, -1});
        goto done;
    }
    int8_t *spare = (int8_t *)arena;
    float *product = (float *)(arena + slot);
    /* net.py:5: h = T.tanh(T.dot(x, w) + b) */
    st_gemm_f32(runtime, ST_NO_TRANS, ST_NO_TRANS, n, m, k, 1.0f, x, k, w, m, 0.0f, product, m);
    activation(runtime, product, bias, n, m);
    __builtin_memset(spare, 0, n);
    /* net.py:6: h = f(x) / * * / ? ?/ \ */
    /* sorted by a Python op */
    st_array st_python_inputs_1[] = {
        {(void *)product, (const int64_t[]){n, m}},
    };
    st_array st_python_outputs_1[1];
    if (runtime->python(runtime->context, 0, st_python_inputs_1, st_python_outputs_1)) {
        status = st_fail(error, ST_ERROR_PYTHON, 0, 0, NULL);
        goto done;
    }
    float *ordered = st_python_outputs_1[0].data;
    const int64_t rows = st_python_outputs_1[0].shape[0];
    const int64_t columns = st_python_outputs_1[0].shape[1];
    float *out0 = runtime->allocate(runtime->context, 0, (const int64_t[]){n, m});
    if (!out0) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){m*n*4, 0});
        goto done;
    }
    __builtin_memcpy(out0, ordered, columns*rows*4);
done:
    free(arena);
    return status;
}
