/* Pointers to LAPACK's functions: for each of s, d, c, z, in the order of the constants below. */
typedef struct st_lapack {
    int32_t ilp64;
    void *fn[@COUNT@];
    /* the library's table of threads, or NULL */
    st_blas *blas;
} st_lapack;

enum {
    @NUMBERS@
};

void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);

/* Return an integer that LAPACK has stored; a library with 32-bit integers leaves its upper half
   unset. */
static inline int64_t st_lapack_int(const st_lapack *lapack, int64_t value) {
    return lapack->ilp64 ? value : (int32_t)value;
}

static inline int64_t st_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t st_max(int64_t a, int64_t b) { return a > b ? a : b; }

/* The bytes of a part of a workspace: of a number of items, at least one. */
static inline int64_t st_part_bytes(int64_t count, size_t size) {
    return st_size_of(st_max(count, 1), size);
}

static inline int64_t st_square(int64_t n) { return st_size_times(n, n); }

/* Whether LAPACK's integers can hold a number of rows, columns or elements, and a multiple of it that
   it computes when it is asked for the size of a workspace. */
static inline int st_lapack_takes(const st_lapack *lapack, int64_t count) {
    return count < (int64_t)1 << (lapack->ilp64 ? 46 : 31);
}

/* The rest of a workspace. */
typedef struct st_room { char *begin, *end; } st_room;

static inline void *st_take(st_room *room, int64_t count, size_t size) {
    void *const part = room->begin;
    room->begin += st_part_bytes(count, size);
    return part;
}

/* The number of items for which a rest has memory, as LAPACK can represent it. */
static inline int64_t st_left(const st_lapack *lapack, const st_room *room, size_t size) {
    const int64_t count = (room->end - room->begin) / (int64_t)size;
    return lapack->ilp64 ? count : st_min(count, INT32_MAX);
}

/* With fewer multiplications per matrix than the first bound, no library starts threads; from the
   second bound on, it may. */
#define ST_LAPACK_ALONE 9000.
#define ST_LAPACK_PARALLEL 4000000.

/* Return the table, before work of `each` multiplications per matrix. The work is announced to the
   host, and the library is limited to one thread unless the matrices are large. */
static __attribute__((noinline)) const st_lapack *st_lapack_begin(
    const st_runtime *runtime, int64_t batch, double each, int *held) {
    const st_lapack *const lapack = runtime->functions[ST_LAPACK];
    st_blas *const blas = lapack->blas;
    /* The host may change the number of threads. */
    st_announce(runtime, (double)batch * each);
    const int wide = runtime->threads > 1 && each >= ST_LAPACK_PARALLEL;
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

/* Further results of helpers, besides 0, 1 and the numbers of matrices: an eigenvalue is not real;
   an iteration did not converge. */
enum { ST_NOT_REAL = -1, ST_DIVERGED = -2 };

/* The beginning of each helper: defines the table, and whether the library is limited. */
#define ST_BEGIN(batch, each)                                                                    \
    int held;                                                                                    \
    const st_lapack *const lapack = st_lapack_begin(runtime, batch, each, &held)

/* The rest of the workspace of a helper, whose last arguments are `memory` and `bytes`. */
#define ST_ROOM st_room room = {memory, (char *)memory + bytes}

/* All pointers are passed as void *. As in Fortran, the lengths of strings follow them. */
typedef void *st_p;
#define ST_CALL(name, types, ...) ((void (*) types)lapack->fn[FIRST_OF + ST_##name])(__VA_ARGS__)
