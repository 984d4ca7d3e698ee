/* Products of matrices, by cuBLAS. */
/* The functions of cuBLAS that are called. Those with 64-bit integers are there since CUDA 12. */
static struct {
    int (*create)(st_handle *);
    int (*set_stream)(st_handle, st_handle);
    int (*set_workspace)(st_handle, void *, size_t);
    int (*multiply)(st_handle, int, int, int64_t, int64_t, int64_t, const void *, const void *, int,
                    int64_t, int64_t, const void *, int, int64_t, int64_t, const void *, void *, int,
                    int64_t, int64_t, int64_t, int, int);
    int (*solve[4])(st_handle, int, int, int, int, int64_t, int64_t, const void *, const void *, int64_t,
                    void *, int64_t); /* triangular systems, by type */
    /* for batches, by addresses, or NULL: LU factors, systems with them, and triangular ones */
    int (*factorize[2])(st_handle, int, void *const *, int, int *, int *, int);
    int (*solve_lu[2])(st_handle, int, int, int, const void *const *, int, const int *, void *const *, int,
                       int *, int);
    int (*solve_many[2])(st_handle, int, int, int, int, int64_t, int64_t, const void *,
                         const void *const *, int64_t, void *const *, int64_t, int64_t);
} cublas;

static pthread_mutex_t st_cublas_lock = PTHREAD_MUTEX_INITIALIZER;
static st_handle st_cublas_handles[ST_MOST_DEVICES];

/* Find cuBLASLt, on which cuBLAS depends. */
static void st_find_cublaslt(void *library);

/* Load cuBLAS. */
ST_EXPORT int32_t st_open_cublas(const char *path) {
    void *const library = st_open_library(path);
    if (!library) return 1;
    *(void **)&cublas.create = dlsym(library, "cublasCreate_v2");
    *(void **)&cublas.set_stream = dlsym(library, "cublasSetStream_v2");
    *(void **)&cublas.multiply = dlsym(library, "cublasGemmStridedBatchedEx_64");
    *(void **)&cublas.set_workspace = dlsym(library, "cublasSetWorkspace_v2");
    *(void **)&cublas.solve[0] = dlsym(library, "cublasStrsm_v2_64");
    *(void **)&cublas.solve[1] = dlsym(library, "cublasDtrsm_v2_64");
    *(void **)&cublas.solve[2] = dlsym(library, "cublasCtrsm_v2_64");
    *(void **)&cublas.solve[3] = dlsym(library, "cublasZtrsm_v2_64");
    *(void **)&cublas.factorize[0] = dlsym(library, "cublasSgetrfBatched");
    *(void **)&cublas.factorize[1] = dlsym(library, "cublasDgetrfBatched");
    *(void **)&cublas.solve_lu[0] = dlsym(library, "cublasSgetrsBatched");
    *(void **)&cublas.solve_lu[1] = dlsym(library, "cublasDgetrsBatched");
    *(void **)&cublas.solve_many[0] = dlsym(library, "cublasStrsmBatched_64");
    *(void **)&cublas.solve_many[1] = dlsym(library, "cublasDtrsmBatched_64");
    const bool complete = cublas.create && cublas.set_stream && cublas.set_workspace && cublas.solve[0]
        && cublas.solve[1] && cublas.solve[2] && cublas.solve[3];
    st_find_cublaslt(library);
    if (complete && cublas.multiply) return 0;
    snprintf(st_why, sizeof st_why, "%s is older than CUDA 12", path);
    return 1;
}

static int32_t st_cublas_failed(const char *what, int code) {
    snprintf(st_why, sizeof st_why, "%s (cuBLAS error %d)", what, code);
    return 1;
}

/* The distance of rows, of which there may be none. */
static int64_t st_row(int64_t distance) { return distance > 0 ? distance : 1; }

/* How float is multiplied if factors may be rounded. */
enum { ST_TF32 = 77 };

/* Row-major matrices are the transposed ones of cuBLAS, so the factors change places. */
static int32_t st_multiply_locked(int32_t device, st_handle stream, st_pointer workspace,
                                  const st_product *p) {
    st_handle *const handle = &st_cublas_handles[device];
    const size_t bytes = st_places[device].workspace;
    static const int types[] = {0, 1, 4, 5}, compute[] = {68, 70, 68, 70};
    int code = *handle ? 0 : cublas.create(handle);
    if (code != 0) return st_cublas_failed("cublasCreate", code);
    code = cublas.set_stream(*handle, stream); /* takes the last workspace away */
    if (code != 0) return st_cublas_failed("cublasSetStream", code);
    if (workspace) code = cublas.set_workspace(*handle, (void *)(uintptr_t)workspace, bytes);
    if (code != 0) return st_cublas_failed("cublasSetWorkspace", code);
    const int type = types[p->type], sums = p->type == 0 && p->tf32 ? ST_TF32 : compute[p->type];
    code = cublas.multiply(*handle, p->transb, p->transa, p->n, p->m, p->k, p->alpha, p->b, type,
                           st_row(p->ldb), p->b_step, p->a, type, st_row(p->lda), p->a_step,
                           p->beta, p->c, type, st_row(p->ldc), p->c_step, p->count, sums, -1);
    return code == 0 ? 0 : st_cublas_failed("a product", code);
}

/* Multiply on a stream of a device, with memory for cuBLAS; if that is 0, cuBLAS has its own. */
static int32_t st_multiply_on(int32_t device, st_handle stream, st_pointer workspace,
                              const st_product *p) {
    pthread_mutex_lock(&st_cublas_lock);
    const int32_t failed = st_multiply_locked(device, stream, workspace, p);
    pthread_mutex_unlock(&st_cublas_lock);
    return failed;
}

/* The bytes of a number of a matrix. */
static int64_t st_width(const st_matrices *t) { return (int64_t[]){4, 8, 8, 16}[t->type]; }

static int32_t st_solve_triangles_locked(int32_t device, st_handle stream, const st_matrices *t) {
    st_handle *const handle = &st_cublas_handles[device];
    const int64_t width = st_width(t);
    const float one[2] = {1, 0};
    const double one_wide[2] = {1, 0};
    int code = *handle ? 0 : cublas.create(handle);
    if (code != 0) return st_cublas_failed("cublasCreate", code);
    code = cublas.set_stream(*handle, stream);
    for (int64_t number = 0; number < t->batch && code == 0; number++) {
        const char *const factor = (const char *)t->factor + number * t->n * t->n * width;
        char *const a = (char *)t->a + number * t->n * t->k * width;
        /* from the right side */
        code = cublas.solve[t->type](*handle, 1, t->upper ? 1 : 0, t->turned ? 1 : 0, t->unit ? 1 : 0,
                                     t->k, t->n, t->type & 1 ? (void *)one_wide : (void *)one, factor, t->n,
                                     a, t->k);
    }
    return code == 0 ? 0 : st_cublas_failed("a triangular system", code);
}

/* Solve triangular systems on a stream of a device. */
static int32_t st_solve_triangles(int32_t device, st_handle stream, const st_matrices *t) {
    pthread_mutex_lock(&st_cublas_lock);
    const int32_t failed = st_solve_triangles_locked(device, stream, t);
    pthread_mutex_unlock(&st_cublas_lock);
    return failed;
}
