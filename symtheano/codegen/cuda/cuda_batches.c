/* Batches of small matrices: what cuBLAS and cuSOLVER do with all of them at once, by their addresses. */
enum { ST_SMALL_MATRIX = 256, ST_MOST_SIDES = 1 << 30 };

/* Cholesky factors of float and of double. They destroy the other triangle. */
static int (*cusolver_batches[2])(st_handle, int, int, void *const *, int, int *, int);

/* Memory of the host for a library, which it may use until the call ends; NULL if there is none. */
static void *st_host_memory(st_cuda_call *call, size_t bytes) {
    st_host_piece *const piece = malloc(sizeof *piece + (bytes > 0 ? bytes : 1));
    if (!piece) {
        snprintf(st_why, sizeof st_why, "the host has no memory for a decomposition");
        return NULL;
    }
    piece->next = call->host_pieces;
    call->host_pieces = piece;
    return piece->bytes;
}

/* Whether all matrices are given to one function. LU factors and systems with them agree on that: their
   pivots then have 32 bits. */
static bool st_is_batch(const st_matrices *t) {
    if (t->type > 1 || t->batch < 2 || t->batch > INT32_MAX || t->n > ST_SMALL_MATRIX || t->alone) return false;
    switch (t->kind) {
    case ST_CHOLESKY: return cusolver_batches[t->type] != NULL;
    case ST_LU:
    case ST_SOLVE: return cublas.factorize[t->type] && cublas.solve_lu[t->type];
    case ST_TRIANGULAR: return cublas.solve_many[t->type] != NULL;
    default: return false;
    }
}

/* The addresses of matrices and of their factors on the device, those of right sides from a column on. */
static void **st_addresses(st_cuda_call *call, const st_matrices *t, int64_t first) {
    const int64_t width = t->type ? 8 : 4, n = t->n;
    const bool sides = t->kind == ST_SOLVE || t->kind == ST_TRIANGULAR;
    const size_t bytes = 2 * (size_t)t->batch * sizeof(void *);
    void **const there = st_work_memory(call, (int64_t)bytes);
    char **const here = there ? st_host_memory(call, bytes) : NULL;
    if (!here) return NULL;
    for (int64_t number = 0; number < t->batch; number++) {
        here[number] = (char *)t->a + (number * n * (sides ? t->k : n) + first * n) * width;
        here[t->batch + number] = (char *)t->factor + number * n * n * width;
    }
    const int code = cuda.CopyToDevice((st_pointer)(uintptr_t)there, here, bytes, call->stream);
    if (code != 0) st_failed("addresses of matrices", code);
    return code == 0 ? there : NULL;
}

/* Systems with LU factors, some of their columns after the others. */
static int32_t st_solve_batch(st_handle handle, st_cuda_call *call, const st_matrices *t) {
    for (int64_t first = 0; first < t->k; first += ST_MOST_SIDES) {
        const int sides = (int)(t->k - first < ST_MOST_SIDES ? t->k - first : ST_MOST_SIDES);
        const int n = (int)t->n, count = (int)t->batch;
        void **const a = st_addresses(call, t, first);
        int told = 0;
        if (!a) return 1;
        const void *const *const factors = (const void *const *)a + t->batch;
        const int code = cublas.solve_lu[t->type](handle, t->turned ? 1 : 0, n, sides, factors, n,
                                                  (const int *)t->order, a, n, &told, count);
        if (code != 0 || told != 0) return st_cublas_failed("systems of equations", code);
    }
    return 0;
}

static int32_t st_run_batch(st_handle handle, st_cuda_call *call, const st_matrices *t) {
    static const float one = 1;
    static const double one_wide = 1;
    const int n = (int)t->n, count = (int)t->batch;
    if (t->kind == ST_SOLVE) return st_solve_batch(handle, call, t);
    void **const a = st_addresses(call, t, 0);
    if (!a) return 1;
    if (t->kind == ST_LU) {
        const int code = cublas.factorize[t->type](handle, n, a, n, (int *)t->pivots, t->info, count);
        return code == 0 ? 0 : st_cublas_failed("LU factors", code);
    }
    const void *const *const factors = (const void *const *)a + t->batch;
    const void *const alpha = t->type ? (const void *)&one_wide : &one;
    const int code = cublas.solve_many[t->type](handle, 1, t->upper ? 1 : 0, t->turned ? 1 : 0,
                                                t->unit ? 1 : 0, t->k, t->n, alpha, factors, t->n, a, t->k,
                                                t->batch);
    return code == 0 ? 0 : st_cublas_failed("triangular systems", code);
}

/* Give a batch to cuBLAS. */
static int32_t st_batch_by_cublas(int32_t device, st_cuda_call *call, const st_matrices *t) {
    st_handle *const handle = &st_cublas_handles[device];
    pthread_mutex_lock(&st_cublas_lock);
    int code = *handle ? 0 : cublas.create(handle);
    if (code == 0) code = cublas.set_stream(*handle, call->stream);
    const int32_t failed = code == 0 ? st_run_batch(*handle, call, t) : st_cublas_failed("a batch", code);
    pthread_mutex_unlock(&st_cublas_lock);
    return failed;
}
