/* Rows of all ranks, those of the first rank first; `lengths` is their number for each rank. */
static int32_t st_allgather(const st_runtime *runtime, const st_allgather_lengths *args,
                            const void *x, const int64_t *lengths, void *y, int64_t *token) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    st_mpi *const mpi = st_mpi_enter(runtime, calls);
    const int64_t size = mpi->size, bytes = args->bytes;
    int *const counts = mpi->counts, *const places = counts + size;
    *token = args->number + 1;
    int32_t status = st_mpi_agree(calls, args->number, args->digest, args->fixed, size,
                                  bytes);
    int64_t total = 0;
    for (int64_t r = 0; r < size; r++) total += lengths[r] * bytes;
    if (status || !total) return st_mpi_leave(mpi, status);
    if (total > ST_MPI_MOST) {
        char *to = y;
        for (int64_t r = 0; !status && r < size; to += lengths[r] * bytes, r++) {
            if (r == mpi->rank) memcpy(to, x, (size_t)(lengths[r] * bytes));
            status = st_mpi_bcast(mpi, to, lengths[r] * bytes, (int)r);
        }
        return st_mpi_leave(mpi, status);
    }
    for (int64_t r = 0, place = 0; r < size; r++) {
        counts[r] = (int)(lengths[r] * bytes);
        places[r] = (int)place;
        place += counts[r];
    }
    if (mpi->ints)
        status = ((int (*)(const void *, int, int, void *, const int *, const int *, int, int))
                      mpi->fn[ST_MPI_ALLGATHERV])(
            x, counts[mpi->rank], (int)mpi->types[@BYTE@], y, counts, places,
            (int)mpi->types[@BYTE@], (int)mpi->comm);
    else
        status = ((int (*)(const void *, int, void *, void *, const int *, const int *, void *,
                           void *))mpi->fn[ST_MPI_ALLGATHERV])(
            x, counts[mpi->rank], (void *)mpi->types[@BYTE@], y, counts, places,
            (void *)mpi->types[@BYTE@], (void *)mpi->comm);
    return st_mpi_leave(mpi, status);
}
