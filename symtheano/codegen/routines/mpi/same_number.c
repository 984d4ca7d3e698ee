/* A number, which is the same on all ranks. */
static int32_t st_same_number(const st_runtime *runtime, const st_same_number_lengths *args,
                              int64_t *result, int64_t *token) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    st_mpi *const mpi = st_mpi_enter(runtime, calls);
    *token = args->number + 1;
    *result = args->count;
    return st_mpi_leave(
        mpi, st_mpi_agree(calls, args->number, args->digest, args->fixed, 0, args->count));
}
