/* LAPACK's functions: pointers, for each of s, d, c, z in the order of these numbers. */
typedef struct st_lapack {
    int32_t ilp64;
    void *fn[COUNT];
    /* the library's table of threads, or NULL */
    st_blas *blas;
} st_lapack;

enum {
    NUMBERS
};

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);

/* An integer that LAPACK has written, its upper half perhaps not. */
static inline int64_t st_lapack_int(const st_lapack *lapack, int64_t value) {
    return lapack->ilp64 ? value : (int32_t)value;
}

static inline int64_t st_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t st_max(int64_t a, int64_t b) { return a > b ? a : b; }

/* Room for a number of items, at least one. */
static inline void *st_room(int64_t count, size_t size) {
    return malloc((size_t)st_max(count, 1) * size);
}

/* Multiplications in one matrix below which no library starts threads, and from which on it may. */
#define ST_LAPACK_ALONE 9000.
#define ST_LAPACK_PARALLEL 4000000.

/* The table, for work of so many multiplications in each of a batch's matrices: the work is
   announced to the host, and the library held to one thread unless each matrix is worth several. */
static __attribute__((noinline)) const st_lapack *st_lapack_begin(
    const st_runtime *runtime, int64_t batch, double each, int *held) {
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    st_blas *const blas = lapack->blas;
    const int wide = runtime->threads > 1 && each >= ST_LAPACK_PARALLEL;
    st_announce(runtime, (double)batch * each);
    *held = each >= ST_LAPACK_ALONE && !wide && blas && blas->set_threads;
    if (*held) {
        while (__atomic_exchange_n(&blas->lock, 1, __ATOMIC_ACQUIRE)) {}
        if (blas->alone++ == 0) blas->saved = blas->set_threads(1);
        __atomic_store_n(&blas->lock, 0, __ATOMIC_RELEASE);
    }
    return lapack;
}

static __attribute__((noinline)) void st_lapack_end(const st_lapack *lapack, int held) {
    st_blas *const blas = lapack->blas;
    if (!held) return;
    while (__atomic_exchange_n(&blas->lock, 1, __ATOMIC_ACQUIRE)) {}
    if (--blas->alone == 0) blas->set_threads(blas->saved);
    __atomic_store_n(&blas->lock, 0, __ATOMIC_RELEASE);
}

/* What helpers return beside 0, 1 and numbers of matrices: some eigenvalue is not real; an
   iteration has not converged. */
enum { ST_NOT_REAL = -1, ST_DIVERGED = -2 };

/* What a helper begins with: the table, and whether the library is held. */
#define ST_BEGIN(batch, each)                                                                    \
    int held;                                                                                    \
    const st_lapack *const lapack = st_lapack_begin(runtime, batch, each, &held)

/* Every address is passed as one; lengths of strings stand behind them, as Fortran has it. */
typedef void *st_p;
#define ST_CALL(name, types, ...) ((void (*) types)lapack->fn[FIRST_OF + ST_##name])(__VA_ARGS__)
