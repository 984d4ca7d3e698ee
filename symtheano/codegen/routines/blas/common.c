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
    void *own[@OWN_COUNT@];
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
