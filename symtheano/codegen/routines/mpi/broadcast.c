static int32_t st_broadcast(const st_runtime *runtime, const st_broadcast_lengths *args, void *y,
                            int64_t *token) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    st_mpi *const mpi = st_mpi_enter(runtime, calls);
    *token = args->number + 1;
    int32_t status = st_mpi_agree(calls, args->number, args->digest, args->fixed,
                                  args->root, args->bytes);
    if (!status && args->root >= mpi->size) status = ST_MPI_NO_ROOT;
    if (!status) status = st_mpi_bcast(mpi, y, args->bytes, (int)args->root);
    return st_mpi_leave(mpi, status);
}
