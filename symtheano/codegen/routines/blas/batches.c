/* Minimum multiplications of a batch per thread, and those that take as long as one call. */
#define ST_BATCH_PARALLEL 500000
#define ST_BATCH_CALL 2000

/* Return the number of threads among which the products of a batch are divided: 1 if it is better
   to divide each product, or if the library would start threads in each. */
static inline int64_t st_batch_parts(const st_runtime *runtime, int64_t count, double each) {
    const double parts = count * (each + ST_BATCH_CALL) / ST_BATCH_PARALLEL;
    const st_products *products = (const st_products *)runtime->blas;
    const int64_t threads = runtime->threads;
    if (threads < 2 || count < 2 || parts < 2 || !products || !products->share) return 1;
    if (each >= ST_BLAS_ALONE && !products->library.set_threads) return 1;
    if (each >= 2 * ST_BLAS_PARALLEL && count % threads && count < 4 * threads) return 1;
    return ST_MIN(ST_MIN((int64_t)parts, count), threads);
}

/* The runtime for one of our threads: a single thread, which does not call the host. */
static inline st_runtime st_alone(const st_runtime *runtime) {
    st_runtime alone = *runtime;
    alone.busy = NULL;
    alone.threads = 1;
    return alone;
}
