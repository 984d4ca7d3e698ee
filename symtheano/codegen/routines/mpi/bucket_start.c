/* Begin to add up a bucket over all ranks. */
static int32_t st_bucket_start(const st_runtime *runtime, const st_bucket_start_lengths *args,
                               int64_t *token) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    st_mpi *const mpi = st_mpi_enter(runtime, calls);
    *token = args->number + 1;
    int32_t status = st_mpi_agree(calls, args->number, args->digest, args->fixed,
                                  args->type, args->total);
    st_bucket *const bucket = &calls->buckets[args->bucket];
    st_mpi_progress(runtime);
    if (status) return st_mpi_leave(mpi, status);
    if (!args->overlap || args->total > ST_MPI_MOST) {
        status = st_mpi_reduce(mpi, bucket->memory, bucket->memory, args->total, (size_t)args->size,
                               (int)args->type, 0);
        return st_mpi_leave(mpi, status);
    }
    if (mpi->ints)
        status = ((int (*)(const void *, void *, int, int, int, int, void *))
                      mpi->fn[ST_MPI_IALLREDUCE])(
            mpi->in_place, bucket->memory, (int)args->total, (int)mpi->types[args->type],
            (int)mpi->operations[0], (int)mpi->comm, &bucket->request);
    else
        status = ((int (*)(const void *, void *, int, void *, void *, void *, void *))
                      mpi->fn[ST_MPI_IALLREDUCE])(
            mpi->in_place, bucket->memory, (int)args->total, (void *)mpi->types[args->type],
            (void *)mpi->operations[0], (void *)mpi->comm, &bucket->request);
    bucket->pending = !status;
    return st_mpi_leave(mpi, status);
}
