static int32_t st_allreduce_@SUFFIX@(const st_runtime *runtime, const st_allreduce *args,
                                     const @TYPE@ *x, @TYPE@ *y, int64_t *token) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    st_mpi *const mpi = st_mpi_enter(runtime, calls);
    const int64_t count = args->count;
    *token = args->number + 1;
    int32_t status = st_mpi_agree(calls, args->number, args->digest, args->fixed,
                                  args->operation, count);
    if (status) return st_mpi_leave(mpi, status);
#if @ORDERED@
    /* The largest and smallest numbers: MPI does not say what becomes of NaN, so numbers are mapped
       to integers in the same order, of which NaN is the last. */
    if (args->operation >= 2) {
        const @KEY@ all = (@KEY@)(((@UKEY@)-1) >> 1), last = args->operation == 2 ? all : -all - 1;
        for (int64_t i = 0; i < count; i++) {
            @KEY@ key;
            memcpy(&key, &x[i], sizeof key);
            key = x[i] != x[i] ? last : key < 0 ? key ^ all : key;
            memcpy(&y[i], &key, sizeof key);
        }
        status = st_mpi_reduce(mpi, y, y, count, sizeof *y, @KEYS@, (int)args->operation);
        for (int64_t i = 0; !status && i < count; i++) {
            @KEY@ key;
            memcpy(&key, &y[i], sizeof key);
            key = key < 0 ? key ^ all : key;
            memcpy(&y[i], &key, sizeof key);
        }
        return st_mpi_leave(mpi, status);
    }
#endif
    status = st_mpi_reduce(mpi, x, y, count, sizeof *y, @NUMBER@, (int)args->operation);
    return st_mpi_leave(mpi, status);
}
