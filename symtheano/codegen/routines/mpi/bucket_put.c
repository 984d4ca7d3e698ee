/* Put `count` numbers, times a factor, into a bucket of `total`. A factor of 0 makes zeros: a rank
   without samples has NaN as its mean. */
static int32_t st_bucket_put_@SUFFIX@(const st_runtime *runtime, const st_bucket_put *args,
                                      @REAL@ factor, const @TYPE@ *x) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    int32_t status = 0;
    if (!args->offset && args->bucket < calls->count) /* perhaps of a call that ended early */
        status = st_mpi_finish(calls->mpi, &calls->buckets[args->bucket]);
    st_bucket *const bucket
        = st_bucket_of(calls, args->bucket, args->total * (int64_t)sizeof *x);
    if (status || !bucket) return status ? status : ST_MPI_NO_MEMORY;
    @TYPE@ *const y = (@TYPE@ *)bucket->memory + args->offset;
    st_announce(runtime, (double)args->count);
    if (factor == 1)
        memcpy(y, x, (size_t)args->count * sizeof *x);
    else if (factor == 0)
        memset(y, 0, (size_t)args->count * sizeof *x);
    else
        for (int64_t i = 0; i < args->count; i++) y[i] = factor * x[i];
    return 0;
}
