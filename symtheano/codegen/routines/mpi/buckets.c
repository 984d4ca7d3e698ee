/* Gradients that are reduced together: they are copied into memory that outlives a call, so that a
   call which ends early leaves nothing that MPI still writes to. */
typedef struct st_bucket {
    char *memory;
    int64_t bytes, pending;
    st_mpi_request request;
} st_bucket;

void *realloc(void *, size_t);

static int st_mpi_finish(const st_mpi *mpi, st_bucket *bucket) {
    int64_t ignored[16]; /* larger than MPI_Status */
    if (!bucket->pending) return 0;
    bucket->pending = 0;
    return ((int (*)(void *, void *))mpi->fn[ST_MPI_WAIT])(&bucket->request, ignored);
}

/* Return a bucket with memory for some bytes, or NULL. */
static st_bucket *st_bucket_of(st_mpi_calls *calls, int64_t number, int64_t bytes) {
    if (number >= calls->count) {
        st_bucket *const grown = realloc(calls->buckets, (size_t)(number + 1) * sizeof *grown);
        if (!grown) return NULL;
        memset(grown + calls->count, 0, (size_t)(number + 1 - calls->count) * sizeof *grown);
        calls->buckets = grown;
        calls->count = number + 1;
    }
    st_bucket *const bucket = &calls->buckets[number];
    if (bucket->bytes < bytes) {
        free(bucket->memory);
        bucket->memory = malloc((size_t)bytes);
        bucket->bytes = bucket->memory ? bytes : 0;
        if (!bucket->memory) return NULL;
    }
    return bucket;
}

/* Let MPI work on buckets that are pending: it does so in its calls only. An error is that of the
   wait. */
static void st_mpi_progress(const st_runtime *runtime) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    for (int64_t k = 0; k < calls->count; k++) {
        st_bucket *const bucket = &calls->buckets[k];
        int64_t ignored[16]; /* larger than MPI_Status */
        int done = 0;
        if (!bucket->pending) continue;
        const int status = ((int (*)(void *, int *, void *))calls->mpi->fn[ST_MPI_TEST])(
            &bucket->request, &done, ignored);
        bucket->pending = status || !done;
    }
}
