/* Take `count` numbers out of a bucket when all ranks have added theirs. */
static int32_t st_bucket_take_@SUFFIX@(const st_runtime *runtime, const st_bucket_take *args,
                                       @TYPE@ *y, int64_t *token) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    st_bucket *const bucket = &calls->buckets[args->bucket];
    *token = args->number + 1;
    if (bucket->pending) {
        st_mpi *const mpi = st_mpi_wait(runtime, calls); /* ranks whose sum is complete do not wait */
        const int32_t status = st_mpi_leave(mpi, st_mpi_finish(mpi, bucket));
        if (status) return status;
    }
    if ((args->offset + args->count) * (int64_t)sizeof *y > bucket->bytes) return ST_MPI_DIFFERENT;
    memcpy(y, (const @TYPE@ *)bucket->memory + args->offset, (size_t)args->count * sizeof *y);
    return 0;
}
