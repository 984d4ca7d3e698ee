#include <stdbool.h>

__attribute__((const)) double exp(double);

static __attribute__((cold, noinline)) int32_t st_fail(st_error *error, int32_t code, int32_t site,
                                                       int32_t count, const int64_t *values) {
    error->code = code;
    error->site = site;
    for (int32_t i = 0; i < count; i++) error->values[i] = values[i];
    return code;
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

static const double table[4] = {0.0, -0.0, 1.0, -__builtin_inf()};

ST_KERNEL void main__part(const int64_t begin, const int64_t end, const int64_t status_,
        const int64_t *double_, double *exp_) {
    _Alignas(64) double recent[2];
    for (int64_t i = begin; i < end; i++) {
        const int64_t double_i = double_[i];
        const double table_i = table[double_i];
        recent[0] = table_i;
        const double recent_i = recent[0];
        const double v = exp(recent_i);
        recent[1] = v;
        const double recent_i_2 = recent[1];
        exp_[i] = recent_i_2;
    }
}

ST_EXPORT int32_t main_(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const int64_t *double_ = inputs[0].data;
    const int64_t n = inputs[0].shape[0];
    double *exp_ = runtime->allocate(runtime->context, 0, (const int64_t[]){n});
    if (!exp_) {
        status = st_fail(error, ST_ERROR_MEMORY, -1, 2, (const int64_t[]){n*8, 0});
        goto done;
    }
    if (st_parallel(runtime, n*1000000)) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(n, 1);
            main__part(share.begin, share.end, share.thread, double_, exp_);
        }
    } else {
        main__part(0, n, 0, double_, exp_);
    }
done:
    return status;
}
