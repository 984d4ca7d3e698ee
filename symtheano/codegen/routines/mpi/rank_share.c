/* The share of this rank in the sum of a number over all ranks, 0 if the sum is; or the number
   itself. The same sum compares lengths: of two hashes of them, the sum of squares times the number
   of ranks is the square of the sum if and only if all ranks have the same. They have 16 bits, so
   that doubles hold their sums. */
static int32_t st_rank_share(const st_runtime *runtime, const st_rank_share_lengths *args,
                             const double *own, double *share, int64_t *token) {
    st_mpi_calls *const calls = runtime->functions[ST_MPI];
    st_mpi *const mpi = st_mpi_enter(runtime, calls);
    *token = args->number + 1;
    int32_t status
        = st_mpi_agree(calls, args->number, args->digest, 1, args->divides, args->lengths);
    if (status) return st_mpi_leave(mpi, status);
    const uint64_t hash = ((uint64_t)args->lengths + 1) * 0x9e3779b97f4a7c15u;
    const double a = (double)(hash >> 48), b = (double)(hash >> 32 & 0xffff);
    double sums[5] = {*own, a, a * a, b, b * b};
    status = st_mpi_reduce(mpi, sums, sums, 5, sizeof *sums, @FLOAT64@, 0);
    for (int k = 1; k < 5; k += 2) {
        const unsigned __int128 sum = (uint64_t)sums[k], squares = (uint64_t)sums[k + 1];
        if (!status && sum * sum != squares * (uint64_t)mpi->size) status = ST_MPI_DIFFERENT;
    }
    *share = args->divides ? (sums[0] > 0 ? *own / sums[0] : 0) : *own;
    return st_mpi_leave(mpi, status);
}
