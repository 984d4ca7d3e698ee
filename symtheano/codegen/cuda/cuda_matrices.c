/* Decompositions, by cuSOLVER, and triangular systems, by cuBLAS: one matrix after the other, but for
   batches of small ones. */
#define ST_CUSOLVER_FUNCTIONS(each) \
    each(Create, cusolverDnCreate, (st_handle *)) \
    each(CreateParams, cusolverDnCreateParams, (st_handle *)) \
    each(SetStream, cusolverDnSetStream, (st_handle, st_handle)) \
    each(PotrfSize, cusolverDnXpotrf_bufferSize, (st_handle, st_handle, int, int64_t, int, \
         const void *, int64_t, int, size_t *, size_t *)) \
    each(Potrf, cusolverDnXpotrf, (st_handle, st_handle, int, int64_t, int, void *, int64_t, int, \
         void *, size_t, void *, size_t, int *)) \
    each(GetrfSize, cusolverDnXgetrf_bufferSize, (st_handle, st_handle, int64_t, int64_t, int, \
         const void *, int64_t, int, size_t *, size_t *)) \
    each(Getrf, cusolverDnXgetrf, (st_handle, st_handle, int64_t, int64_t, int, void *, int64_t, \
         int64_t *, int, void *, size_t, void *, size_t, int *)) \
    each(Getrs, cusolverDnXgetrs, (st_handle, st_handle, int, int64_t, int64_t, int, const void *, \
         int64_t, const int64_t *, int, void *, int64_t, int *)) \
    each(SyevdSize, cusolverDnXsyevd_bufferSize, (st_handle, st_handle, int, int, int64_t, int, \
         const void *, int64_t, int, const void *, int, size_t *, size_t *)) \
    each(Syevd, cusolverDnXsyevd, (st_handle, st_handle, int, int, int64_t, int, void *, int64_t, \
         int, void *, int, void *, size_t, void *, size_t, int *)) \
    each(GeqrfSize, cusolverDnXgeqrf_bufferSize, (st_handle, st_handle, int64_t, int64_t, int, \
         const void *, int64_t, int, const void *, int, size_t *, size_t *)) \
    each(Geqrf, cusolverDnXgeqrf, (st_handle, st_handle, int64_t, int64_t, int, void *, int64_t, int, \
         void *, int, void *, size_t, void *, size_t, int *)) \
    each(SorgqrSize, cusolverDnSorgqr_bufferSize, (st_handle, int, int, int, const void *, int, \
         const void *, int *)) \
    each(DorgqrSize, cusolverDnDorgqr_bufferSize, (st_handle, int, int, int, const void *, int, \
         const void *, int *)) \
    each(CungqrSize, cusolverDnCungqr_bufferSize, (st_handle, int, int, int, const void *, int, \
         const void *, int *)) \
    each(ZungqrSize, cusolverDnZungqr_bufferSize, (st_handle, int, int, int, const void *, int, \
         const void *, int *)) \
    each(Sorgqr, cusolverDnSorgqr, (st_handle, int, int, int, void *, int, const void *, void *, int, \
         int *)) \
    each(Dorgqr, cusolverDnDorgqr, (st_handle, int, int, int, void *, int, const void *, void *, int, \
         int *)) \
    each(Cungqr, cusolverDnCungqr, (st_handle, int, int, int, void *, int, const void *, void *, int, \
         int *)) \
    each(Zungqr, cusolverDnZungqr, (st_handle, int, int, int, void *, int, const void *, void *, int, \
         int *)) \
    each(GesvdSize, cusolverDnXgesvd_bufferSize, (st_handle, st_handle, signed char, signed char, \
         int64_t, int64_t, int, const void *, int64_t, int, const void *, int, const void *, int64_t, \
         int, const void *, int64_t, int, size_t *, size_t *)) \
    each(Gesvd, cusolverDnXgesvd, (st_handle, st_handle, signed char, signed char, int64_t, int64_t, \
         int, void *, int64_t, int, void *, int, void *, int64_t, int, void *, int64_t, int, void *, \
         size_t, void *, size_t, int *))

/* Versions before that of CUDA 12.6.2 lack these. */
#define ST_GEEV_FUNCTIONS(each) \
    each(GeevSize, cusolverDnXgeev_bufferSize, (st_handle, st_handle, int, int, int64_t, int, \
         const void *, int64_t, int, const void *, int, const void *, int64_t, int, const void *, \
         int64_t, int, size_t *, size_t *)) \
    each(Geev, cusolverDnXgeev, (st_handle, st_handle, int, int, int64_t, int, void *, int64_t, int, \
         void *, int, void *, int64_t, int, void *, int64_t, int, void *, size_t, void *, size_t, int *))

static struct { ST_CUSOLVER_FUNCTIONS(ST_DECLARE) ST_GEEV_FUNCTIONS(ST_DECLARE) } cusolver;
static pthread_mutex_t st_cusolver_lock = PTHREAD_MUTEX_INITIALIZER;
static st_handle st_cusolver_handles[ST_MOST_DEVICES], st_cusolver_params;

/* Load cuSOLVER. */
ST_EXPORT int32_t st_open_cusolver(const char *path) {
    void *const library = st_open_library(path);
    if (!library) return 1;
#define ST_FIND_OF_CUSOLVER(field, name, parameters) ST_FIND(cusolver.field, name)
    ST_CUSOLVER_FUNCTIONS(ST_FIND_OF_CUSOLVER)
#define ST_LOOK_FOR(field, name, parameters) *(void **)&cusolver.field = dlsym(library, #name);
    ST_GEEV_FUNCTIONS(ST_LOOK_FOR)
    *(void **)&cusolver_batches[0] = dlsym(library, "cusolverDnSpotrfBatched");
    *(void **)&cusolver_batches[1] = dlsym(library, "cusolverDnDpotrfBatched");
    return 0;
}

/* Whether it finds eigenvalues of matrices that are not symmetric. */
ST_EXPORT int32_t st_has_geev(void) { return cusolver.Geev && cusolver.GeevSize; }

static int32_t st_cusolver_failed(const char *what, int code) {
    snprintf(st_why, sizeof st_why, "a decomposition: %s (cuSOLVER error %d)", what, code);
    return 1;
}

/* Ask cuSOLVER, and return 1 from the function if it refuses. */
#define ST_CUSOLVER(name, ...) \
    do { \
        const int st_code = cusolver.name(__VA_ARGS__); \
        if (st_code != 0) return st_cusolver_failed(#name, st_code); \
    } while (0)

/* The bytes that cuSOLVER needs for a matrix, on the device and on the host. */
typedef struct st_work { size_t there, here; } st_work;

/* Which vectors are computed: none, as many as there are values, or all. */
static signed char st_job(const st_matrices *t) { return "NSA"[t->vectors]; }

/* How cuSOLVER names the numbers of matrices, and their real parts. */
static int st_type_of(const st_matrices *t) { return t->type < 2 ? t->type : t->type + 2; }
static int st_real_type_of(const st_matrices *t) { return t->type & 1; }

static int64_t st_real_width(const st_matrices *t) { return t->type & 1 ? 8 : 4; }

/* The columns of Q; its integers have 32 bits. */
static int32_t st_measure_q(st_handle handle, const st_matrices *t, st_work *work) {
    int count = 0;
    if (t->m > INT32_MAX || t->k > INT32_MAX) return st_cusolver_failed("lengths", 0);
    const int m = (int)t->m, k = (int)t->k, few = (int)(t->m < t->n ? t->m : t->n);
    switch (t->type) {
    case 0: ST_CUSOLVER(SorgqrSize, handle, m, k, few, t->a, m, t->reflectors, &count); break;
    case 1: ST_CUSOLVER(DorgqrSize, handle, m, k, few, t->a, m, t->reflectors, &count); break;
    case 2: ST_CUSOLVER(CungqrSize, handle, m, k, few, t->a, m, t->reflectors, &count); break;
    default: ST_CUSOLVER(ZungqrSize, handle, m, k, few, t->a, m, t->reflectors, &count);
    }
    work->there = (size_t)count * (size_t)st_width(t);
    return 0;
}

static int32_t st_form_q(st_handle handle, const st_matrices *t, int64_t number, st_work work,
                         char *there) {
    const int m = (int)t->m, k = (int)t->k, few = (int)(t->m < t->n ? t->m : t->n);
    const int64_t width = st_width(t);
    const int count = (int)(work.there / (size_t)width);
    char *const a = (char *)t->a + number * t->step * width;
    const char *const reflectors = (const char *)t->reflectors + number * few * width;
    int *const info = t->info + number;
    switch (t->type) {
    case 0: ST_CUSOLVER(Sorgqr, handle, m, k, few, a, m, reflectors, there, count, info); break;
    case 1: ST_CUSOLVER(Dorgqr, handle, m, k, few, a, m, reflectors, there, count, info); break;
    case 2: ST_CUSOLVER(Cungqr, handle, m, k, few, a, m, reflectors, there, count, info); break;
    default: ST_CUSOLVER(Zungqr, handle, m, k, few, a, m, reflectors, there, count, info);
    }
    return 0;
}

static int32_t st_find_values(st_handle handle, const st_matrices *t, int64_t number, st_work work,
                              char *there, void *here) {
    const int64_t width = st_width(t), m = t->m, n = t->n, columns = t->vectors == 2 ? m : n;
    const int type = st_type_of(t), real = st_real_type_of(t);
    char *const left = t->left ? (char *)t->left + number * m * columns * width : NULL;
    char *const right = t->right ? (char *)t->right + number * n * n * width : NULL;
    ST_CUSOLVER(Gesvd, handle, st_cusolver_params, st_job(t), st_job(t), m, n, type,
                (char *)t->a + number * m * n * width, m, real,
                (char *)t->values + number * n * st_real_width(t), type, left, m, type, right, n, type, there, work.there, here, work.here, t->info + number);
    return 0;
}

/* Eigenvalues of a real matrix are two real arrays. */
static int32_t st_find_general_values(st_handle handle, const st_matrices *t, int64_t number,
                                      st_work work, char *there, void *here) {
    const int64_t n = t->n, width = st_width(t), parts = t->type < 2 ? 2 : 1;
    const int type = st_type_of(t);
    ST_CUSOLVER(Geev, handle, st_cusolver_params, 0, t->vectors ? 1 : 0, n, type,
                (char *)t->a + number * n * n * width, n, type,
                (char *)t->values + number * parts * n * width, type, NULL, n, type,
                t->right ? (char *)t->right + number * n * n * width : NULL, n, type, there, work.there,
                here, work.here, t->info + number);
    return 0;
}

static int32_t st_measure(st_handle handle, const st_matrices *t, st_work *work) {
    const st_handle params = st_cusolver_params;
    const int type = st_type_of(t), real = st_real_type_of(t), triangle = t->upper ? 1 : 0;
    const int64_t n = t->n;
    *work = (st_work){0, 0};
    switch (t->kind) {
    case ST_CHOLESKY:
        ST_CUSOLVER(PotrfSize, handle, params, triangle, n, type, t->a, n, type, &work->there,
                    &work->here);
        break;
    case ST_LU:
        ST_CUSOLVER(GetrfSize, handle, params, n, n, type, t->a, n, type, &work->there, &work->here);
        break;
    case ST_LONG_LU:
        ST_CUSOLVER(GetrfSize, handle, params, t->m, n, type, t->a, t->m, type, &work->there, &work->here);
        break;
    case ST_EIGEN:
        ST_CUSOLVER(SyevdSize, handle, params, t->vectors ? 1 : 0, triangle, n, type, t->a, n, real,
                    t->values, type, &work->there, &work->here);
        break;
    case ST_QR:
        ST_CUSOLVER(GeqrfSize, handle, params, t->m, n, type, t->a, t->m, type, t->values, type,
                    &work->there, &work->here);
        break;
    case ST_Q:
        return st_measure_q(handle, t, work);
    case ST_GEEV:
        ST_CUSOLVER(GeevSize, handle, params, 0, t->vectors ? 1 : 0, n, type, t->a, n, type, t->values,
                    type, NULL, n, type, t->right, n, type, &work->there, &work->here);
        break;
    case ST_SVD:
        ST_CUSOLVER(GesvdSize, handle, params, st_job(t), st_job(t), t->m, n, type, t->a, t->m, real,
                    t->values, type, t->left, t->m, type, t->right, n, type, &work->there, &work->here);
    }
    return 0;
}

/* Decompose one matrix of a batch, or solve a system with it. */
static int32_t st_decompose(st_handle handle, const st_matrices *t, int64_t number, st_work work,
                            char *there, void *here) {
    const st_handle params = st_cusolver_params;
    const int type = st_type_of(t), real = st_real_type_of(t), triangle = t->upper ? 1 : 0;
    const int64_t n = t->n, width = st_width(t);
    int *const info = t->info + number;
    char *const a = (char *)t->a + number * n * (t->kind == ST_SOLVE ? t->k : n) * width;
    switch (t->kind) {
    case ST_CHOLESKY:
        ST_CUSOLVER(Potrf, handle, params, triangle, n, type, a, n, type, there, work.there, here,
                    work.here, info);
        break;
    case ST_LU:
        ST_CUSOLVER(Getrf, handle, params, n, n, type, a, n, t->pivots + number * n, type, there,
                    work.there, here, work.here, info);
        break;
    case ST_LONG_LU: {
        const int64_t few = t->m < n ? t->m : n;
        ST_CUSOLVER(Getrf, handle, params, t->m, n, type, (char *)t->a + number * t->m * n * width, t->m,
                    t->pivots + number * few, type, there, work.there, here, work.here, info);
        break;
    }
    case ST_SOLVE:
        ST_CUSOLVER(Getrs, handle, params, t->turned ? 1 : 0, n, t->k, type,
                    (const char *)t->factor + number * n * n * width, n, t->order + number * n, type,
                    a, n, info);
        break;
    case ST_EIGEN:
        ST_CUSOLVER(Syevd, handle, params, t->vectors ? 1 : 0, triangle, n, type, a, n, real,
                    (char *)t->values + number * n * st_real_width(t), type, there, work.there, here, work.here,
                    info);
        break;
    case ST_QR: {
        const int64_t few = t->m < n ? t->m : n;
        ST_CUSOLVER(Geqrf, handle, params, t->m, n, type, (char *)t->a + number * t->step * width, t->m,
                    type, (char *)t->values + number * few * width, type, there, work.there, here,
                    work.here, info);
        break;
    }
    case ST_Q:
        return st_form_q(handle, t, number, work, there);
    case ST_GEEV:
        return st_find_general_values(handle, t, number, work, there, here);
    case ST_SVD:
        return st_find_values(handle, t, number, work, there, here);
    }
    return 0;
}

static int32_t st_factorize_batch(st_handle handle, st_cuda_call *call, const st_matrices *t) {
    void **const a = st_addresses(call, t, 0);
    if (!a) return 1;
    const int n = (int)t->n, code = cusolver_batches[t->type](handle, t->upper ? 1 : 0, n, a, n, t->info,
                                                              (int)t->batch);
    return code == 0 ? 0 : st_cusolver_failed("PotrfBatched", code);
}

static int32_t st_decompose_all(int32_t device, st_cuda_call *call, const st_matrices *t) {
    st_handle *const handle = &st_cusolver_handles[device];
    st_work work;
    if (!*handle) ST_CUSOLVER(Create, handle);
    if (!st_cusolver_params) ST_CUSOLVER(CreateParams, &st_cusolver_params);
    ST_CUSOLVER(SetStream, *handle, call->stream);
    if (st_is_batch(t)) return st_factorize_batch(*handle, call, t);
    if (st_measure(*handle, t, &work) != 0) return 1;
    if (work.there > INT64_MAX / 2) return st_cusolver_failed("a workspace", 0);
    void *const there = st_work_memory(call, (int64_t)work.there);
    void *const here = there && work.here ? st_host_memory(call, work.here) : NULL;
    if (!there || (work.here && !here)) return 1;
    for (int64_t number = 0; number < t->batch; number++) {
        if (st_decompose(*handle, t, number, work, there, here) != 0) return 1;
    }
    return 0;
}

static int32_t st_cuda_matrices(st_call *base, const st_matrices *t) {
    const bool solves = t->kind == ST_SOLVE || t->kind == ST_TRIANGULAR || t->kind == ST_Q;
    const bool long_ = t->kind >= ST_QR;
    if (t->batch <= 0 || t->n <= 0 || (solves && t->k <= 0) || (long_ && t->m <= 0)) return 0;
    st_cuda_call *const call = (st_cuda_call *)base;
    const int32_t device = ((const st_module *)base->driver)->device;
    if (st_flush(call->queue) != 0) return 1;
    if (t->kind != ST_CHOLESKY && st_is_batch(t)) return st_batch_by_cublas(device, call, t);
    if (t->kind == ST_TRIANGULAR) return st_solve_triangles(device, call->stream, t);
    pthread_mutex_lock(&st_cusolver_lock);
    const int32_t failed = st_decompose_all(device, call, t);
    pthread_mutex_unlock(&st_cusolver_lock);
    return failed;
}
