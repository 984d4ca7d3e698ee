/* Rows of one rank's array: each rank gets a part, and the first ones a row more if need be. */
static int32_t st_scatter(const st_runtime *runtime, const st_scatter_lengths *args, const void *x,
                          void *y, int64_t *token) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    st_mpi *const mpi = st_mpi_enter(runtime, calls);
    const int64_t size = mpi->size, each = args->rows / size, more = args->rows % size;
    *token = args->number + 1;
    int32_t status = st_mpi_agree(calls, args->number, args->digest, args->fixed,
                                  args->root, args->bytes);
    if (!status && args->root >= size) status = ST_MPI_NO_ROOT;
    if (status) return st_mpi_leave(mpi, status);
    if (mpi->rank != args->root) {
        const int64_t rows = each + (mpi->rank < more);
        return st_mpi_leave(mpi, st_mpi_receive(mpi, y, rows * args->bytes, (int)args->root));
    }
    const char *from = x;
    for (int64_t r = 0; !status && r < size; r++) {
        const int64_t bytes = (each + (r < more)) * args->bytes;
        if (r == args->root)
            memcpy(y, from, (size_t)bytes);
        else
            status = st_mpi_send(mpi, from, bytes, (int)r);
        from += bytes;
    }
    return st_mpi_leave(mpi, status);
}
