/* The host's MPI library. A handle is a pointer or an int; here, all have the size of a pointer. */
typedef struct st_mpi {
    int32_t ints, rank, size;
    /* whether a call waits for other ranks, and the number of such calls: the host's watchdog reads
       both */
    int32_t waiting;
    int64_t calls;
    /* the number of operations in which this rank has taken part, or takes part now: all ranks count
       the same ones */
    int64_t collectives;
    intptr_t comm, types[@TYPES@], operations[4];
    void *in_place;
    /* two numbers for each rank */
    int *counts;
    void *fn[@FUNCTIONS@];
} st_mpi;

typedef union st_mpi_request { int number; void *pointer; } st_mpi_request;

/* What one function keeps from call to call. */
typedef struct st_mpi_calls {
    st_mpi *mpi;
    /* the number of collective operations that all ranks are known to agree on */
    int64_t agreed;
    /* the buckets of gradients */
    struct st_bucket *buckets;
    int64_t count;
} st_mpi_calls;

enum { @NUMBERS@ };

/* Results besides 0 and MPI's positive error codes: the ranks do not do the same; no memory;
   the root is no rank. */
enum { ST_MPI_DIFFERENT = -1, ST_MPI_NO_MEMORY = -2, ST_MPI_NO_ROOT = -3 };

/* MPI's counts are ints: longer arrays are sent in pieces. */
#define ST_MPI_MOST ((int64_t)1 << 30)

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);

static st_mpi *st_mpi_wait(const st_runtime *runtime, st_mpi_calls *calls) {
    st_mpi *const mpi = calls->mpi;
    st_announce(runtime, 1e9); /* other ranks may take long: the host runs other threads */
    __atomic_store_n(&mpi->calls, mpi->calls + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&mpi->waiting, 1, __ATOMIC_RELAXED);
    return mpi;
}

static st_mpi *st_mpi_enter(const st_runtime *runtime, st_mpi_calls *calls) {
    st_mpi *const mpi = calls->mpi;
    __atomic_store_n(&mpi->collectives, mpi->collectives + 1, __ATOMIC_RELAXED);
    return st_mpi_wait(runtime, calls);
}

static int32_t st_mpi_leave(st_mpi *mpi, int32_t status) {
    __atomic_store_n(&mpi->waiting, 0, __ATOMIC_RELAXED);
    return status;
}

/* Combine arrays of all ranks; `from` may be `to`. */
static int st_mpi_reduce(const st_mpi *mpi, const void *from, void *to, int64_t count, size_t size,
                         int type, int operation) {
    int status = 0;
    for (int64_t begin = 0; !status && begin < count; begin += ST_MPI_MOST) {
        const int part = (int)(count - begin < ST_MPI_MOST ? count - begin : ST_MPI_MOST);
        char *const out = (char *)to + (size_t)begin * size;
        const void *const in = from == to ? mpi->in_place : (const char *)from + (size_t)begin * size;
        if (mpi->ints)
            status = ((int (*)(const void *, void *, int, int, int, int))mpi->fn[ST_MPI_ALLREDUCE])(
                in, out, part, (int)mpi->types[type], (int)mpi->operations[operation],
                (int)mpi->comm);
        else
            status = ((int (*)(const void *, void *, int, void *, void *, void *))
                          mpi->fn[ST_MPI_ALLREDUCE])(
                in, out, part, (void *)mpi->types[type], (void *)mpi->operations[operation],
                (void *)mpi->comm);
    }
    return status;
}

static int st_mpi_bcast(const st_mpi *mpi, void *to, int64_t bytes, int root) {
    int status = 0;
    for (int64_t begin = 0; !status && begin < bytes; begin += ST_MPI_MOST) {
        const int part = (int)(bytes - begin < ST_MPI_MOST ? bytes - begin : ST_MPI_MOST);
        if (mpi->ints)
            status = ((int (*)(void *, int, int, int, int))mpi->fn[ST_MPI_BCAST])(
                (char *)to + begin, part, (int)mpi->types[@BYTE@], root, (int)mpi->comm);
        else
            status = ((int (*)(void *, int, void *, int, void *))mpi->fn[ST_MPI_BCAST])(
                (char *)to + begin, part, (void *)mpi->types[@BYTE@], root, (void *)mpi->comm);
    }
    return status;
}

static int st_mpi_send(const st_mpi *mpi, const void *from, int64_t bytes, int rank) {
    int status = 0;
    for (int64_t begin = 0; !status && begin < bytes; begin += ST_MPI_MOST) {
        const int part = (int)(bytes - begin < ST_MPI_MOST ? bytes - begin : ST_MPI_MOST);
        if (mpi->ints)
            status = ((int (*)(const void *, int, int, int, int, int))mpi->fn[ST_MPI_SEND])(
                (const char *)from + begin, part, (int)mpi->types[@BYTE@], rank, 1,
                (int)mpi->comm);
        else
            status = ((int (*)(const void *, int, void *, int, int, void *))mpi->fn[ST_MPI_SEND])(
                (const char *)from + begin, part, (void *)mpi->types[@BYTE@], rank, 1,
                (void *)mpi->comm);
    }
    return status;
}

static int st_mpi_receive(const st_mpi *mpi, void *to, int64_t bytes, int rank) {
    int status = 0;
    int64_t ignored[16]; /* larger than MPI_Status */
    for (int64_t begin = 0; !status && begin < bytes; begin += ST_MPI_MOST) {
        const int part = (int)(bytes - begin < ST_MPI_MOST ? bytes - begin : ST_MPI_MOST);
        if (mpi->ints)
            status = ((int (*)(void *, int, int, int, int, int, void *))mpi->fn[ST_MPI_RECV])(
                (char *)to + begin, part, (int)mpi->types[@BYTE@], rank, 1, (int)mpi->comm,
                ignored);
        else
            status = ((int (*)(void *, int, void *, int, int, void *, void *))mpi->fn[ST_MPI_RECV])(
                (char *)to + begin, part, (void *)mpi->types[@BYTE@], rank, 1, (void *)mpi->comm,
                ignored);
    }
    return status;
}

/* Whether all ranks are about to do the same. What is fixed is compared in the first call only;
   which lengths are not, is part of the digest, so all ranks compare at the same places. */
static __attribute__((noinline)) int32_t st_mpi_agree(st_mpi_calls *calls, int64_t number,
                                                     int64_t digest, int64_t fixed, int64_t kind,
                                                     int64_t count) {
    if (fixed && number < calls->agreed) return 0;
    uint64_t hash = 14695981039346656037u;
    const uint64_t words[] = {(uint64_t)number, (uint64_t)digest, (uint64_t)kind, (uint64_t)count};
    for (int k = 0; k < 4; k++) {
        hash = (hash ^ words[k]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    const int64_t own = (int64_t)(hash >> 2);
    int64_t largest[2] = {own, -own};
    const int status = st_mpi_reduce(calls->mpi, largest, largest, 2, sizeof *largest, @INT64@, 2);
    if (status) return status;
    if (largest[0] != own || largest[1] != -own) return ST_MPI_DIFFERENT;
    if (number >= calls->agreed) calls->agreed = number + 1;
    return 0;
}
