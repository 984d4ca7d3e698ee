/* The number of this rank, or of all ranks. */
static void st_world_number(const st_runtime *runtime, int64_t which, int64_t *number) {
    const st_mpi *const mpi = ((const st_mpi_calls *)runtime->functions[ST_MPI])->mpi;
    *number = which ? mpi->size : mpi->rank;
}
