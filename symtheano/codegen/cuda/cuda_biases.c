/* Products of float to whose rows a row is added, by cuBLASLt, which is a part of cuBLAS. It is asked for an
   algorithm before a product waits for its launch; where it has none, the program does without. */
typedef struct st_algorithm { uint64_t data[8]; } st_algorithm;

typedef struct st_proposal {
    st_algorithm algorithm;
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
} st_proposal;

#define ST_CUBLASLT_FUNCTIONS(each) \
    each(Create, cublasLtCreate, (st_handle *)) \
    each(CreateProduct, cublasLtMatmulDescCreate, (st_handle *, int, int)) \
    each(SetProduct, cublasLtMatmulDescSetAttribute, (st_handle, int, const void *, size_t)) \
    each(FreeProduct, cublasLtMatmulDescDestroy, (st_handle)) \
    each(CreateMatrix, cublasLtMatrixLayoutCreate, (st_handle *, int, uint64_t, uint64_t, int64_t)) \
    each(FreeMatrix, cublasLtMatrixLayoutDestroy, (st_handle)) \
    each(CreateWish, cublasLtMatmulPreferenceCreate, (st_handle *)) \
    each(SetWish, cublasLtMatmulPreferenceSetAttribute, (st_handle, int, const void *, size_t)) \
    each(FreeWish, cublasLtMatmulPreferenceDestroy, (st_handle)) \
    each(Propose, cublasLtMatmulAlgoGetHeuristic, (st_handle, st_handle, st_handle, st_handle, st_handle, \
         st_handle, st_handle, int, st_proposal *, int *)) \
    each(Multiply, cublasLtMatmul, (st_handle, st_handle, const void *, const void *, st_handle, \
         const void *, st_handle, const void *, const void *, st_handle, void *, st_handle, \
         const st_algorithm *, void *, size_t, st_handle))

static struct { ST_CUBLASLT_FUNCTIONS(ST_DECLARE) } cublaslt;
static bool st_has_cublaslt;
static st_handle st_cublaslt_handles[ST_MOST_DEVICES];

static void st_find_cublaslt(void *library) {
    st_has_cublaslt = true;
#define ST_FIND_OF_CUBLASLT(field, name, parameters) \
    *(void **)&cublaslt.field = dlsym(library, #name); \
    if (!cublaslt.field) st_has_cublaslt = false;
    ST_CUBLASLT_FUNCTIONS(ST_FIND_OF_CUBLASLT)
}

/* What an algorithm depends on; there are no bytes between the fields. */
typedef struct st_shape {
    int64_t device, tf32, transa, transb, m, n, k, lda, ldb, ldc, workspace, alignments[4];
} st_shape;

/* The algorithms of the last shapes, each in the place that the shape selects. */
enum { ST_ALGORITHMS = 128 };
typedef struct st_algorithm_entry { st_shape shape; bool known, refused; st_algorithm algorithm; } st_algorithm_entry;
static st_algorithm_entry st_algorithms[ST_ALGORITHMS];

static int64_t st_alignment(const void *address) {
    const uintptr_t bits = (uintptr_t)address | 256;
    return (int64_t)(bits & -bits);
}

static st_shape st_shape_of(int32_t device, size_t workspace, const st_product *p) {
    return (st_shape){
        device, p->tf32, p->transa, p->transb, p->m, p->n, p->k, st_row(p->lda), st_row(p->ldb), st_row(p->ldc),
        (int64_t)workspace,
        {st_alignment(p->a), st_alignment(p->b), st_alignment(p->c), st_alignment(p->bias)},
    };
}

/* A product as cuBLASLt describes it: its factors change places, as those of cuBLAS. */
typedef struct st_description { st_handle product, a, b, c; } st_description;

static void st_free_description(st_description *d) {
    if (d->product) cublaslt.FreeProduct(d->product);
    if (d->a) cublaslt.FreeMatrix(d->a);
    if (d->b) cublaslt.FreeMatrix(d->b);
    if (d->c) cublaslt.FreeMatrix(d->c);
    *d = (st_description){NULL};
}

static int st_describe_product(st_description *d, const st_product *p) {
    const int32_t turned_a = p->transb, turned_b = p->transa, with_bias = 4;
    const uint64_t m = (uint64_t)p->n, n = (uint64_t)p->m, k = (uint64_t)p->k;
    int code = cublaslt.CreateProduct(&d->product, p->tf32 ? ST_TF32 : 68, 0);
    if (code == 0) code = cublaslt.SetProduct(d->product, 3, &turned_a, sizeof turned_a);
    if (code == 0) code = cublaslt.SetProduct(d->product, 4, &turned_b, sizeof turned_b);
    if (code == 0) code = cublaslt.SetProduct(d->product, 7, &with_bias, sizeof with_bias);
    if (code == 0) code = cublaslt.SetProduct(d->product, 8, &p->bias, sizeof p->bias);
    if (code == 0) {
        code = cublaslt.CreateMatrix(&d->a, 0, turned_a ? k : m, turned_a ? m : k, st_row(p->ldb));
    }
    if (code == 0) {
        code = cublaslt.CreateMatrix(&d->b, 0, turned_b ? n : k, turned_b ? k : n, st_row(p->lda));
    }
    if (code == 0) code = cublaslt.CreateMatrix(&d->c, 0, m, n, st_row(p->ldc));
    return code;
}

/* Ask for an algorithm that needs no more memory, and no larger alignment, than there is. */
static int st_propose(const st_description *d, const st_shape *shape, st_proposal *proposal) {
    const uint32_t a = (uint32_t)shape->alignments[1], b = (uint32_t)shape->alignments[0];
    const uint32_t c = (uint32_t)shape->alignments[2];
    const uint64_t most = (uint64_t)shape->workspace;
    st_handle wish = NULL;
    int count = 0, code = cublaslt.CreateWish(&wish);
    if (code == 0) code = cublaslt.SetWish(wish, 1, &most, sizeof most);
    if (code == 0) code = cublaslt.SetWish(wish, 5, &a, sizeof a);
    if (code == 0) code = cublaslt.SetWish(wish, 6, &b, sizeof b);
    if (code == 0) code = cublaslt.SetWish(wish, 7, &c, sizeof c);
    if (code == 0) code = cublaslt.SetWish(wish, 8, &c, sizeof c);
    if (code == 0) {
        code = cublaslt.Propose(st_cublaslt_handles[shape->device], d->product, d->a, d->b, d->c, d->c,
                                wish, 1, proposal, &count);
    }
    if (wish) cublaslt.FreeWish(wish);
    return code == 0 && count == 1 ? proposal->state : 1;
}

/* The algorithm for a product that is described; NULL if there is none. */
static const st_algorithm *st_algorithm_for(const st_description *d, const st_shape *shape) {
    uint64_t mixed = 0;
    for (size_t k = 0; k < sizeof *shape / 8; k++) {
        mixed = (mixed ^ ((const uint64_t *)shape)[k]) * 0x9e3779b97f4a7c15u;
    }
    st_algorithm_entry *const entry = &st_algorithms[mixed >> 32 & (ST_ALGORITHMS - 1)];
    if (!entry->known || memcmp(&entry->shape, shape, sizeof *shape) != 0) {
        st_proposal proposal;
        memset(&proposal, 0, sizeof proposal);
        *entry = (st_algorithm_entry){.shape = *shape, .known = true};
        entry->refused = st_propose(d, shape, &proposal) != 0;
        entry->algorithm = proposal.algorithm;
    }
    return entry->refused ? NULL : &entry->algorithm;
}

static int32_t st_begin_cublaslt(int32_t device) {
    st_handle *const handle = &st_cublaslt_handles[device];
    const int code = *handle ? 0 : cublaslt.Create(handle);
    return code == 0 ? 0 : st_cublas_failed("cublasLtCreate", code);
}

/* Whether cuBLASLt has an algorithm for a product with a row, and memory of a size. */
static bool st_takes_bias(int32_t device, size_t workspace, const st_product *p) {
    if (!st_has_cublaslt || p->type != 0 || p->count != 1 || p->k <= 0) return false;
    pthread_mutex_lock(&st_cublas_lock);
    const st_shape shape = st_shape_of(device, workspace, p);
    st_description d = {NULL};
    const bool takes = st_begin_cublaslt(device) == 0 && st_describe_product(&d, p) == 0
        && st_algorithm_for(&d, &shape) != NULL;
    st_free_description(&d);
    pthread_mutex_unlock(&st_cublas_lock);
    return takes;
}

static int32_t st_add_bias_locked(int32_t device, st_handle stream, st_pointer workspace, size_t bytes,
                                  const st_product *p) {
    const st_shape shape = st_shape_of(device, bytes, p);
    st_description d = {NULL};
    if (st_begin_cublaslt(device) != 0) return 1;
    int code = st_describe_product(&d, p);
    const st_algorithm *const algorithm = code == 0 ? st_algorithm_for(&d, &shape) : NULL;
    if (code == 0) {
        code = !algorithm ? 15 : cublaslt.Multiply(
            st_cublaslt_handles[device], d.product, p->alpha, p->b, d.a, p->a, d.b, p->beta, p->c, d.c, p->c,
            d.c, algorithm, (void *)(uintptr_t)workspace, bytes, stream);
    }
    st_free_description(&d);
    return code == 0 ? 0 : st_cublas_failed("a product with a bias", code);
}

/* Multiply and add a row, as `st_takes_bias` has told for a workspace of as many bytes. */
static int32_t st_add_bias(int32_t device, st_handle stream, st_pointer workspace, const st_product *p) {
    const size_t bytes = workspace ? st_places[device].workspace : 0;
    pthread_mutex_lock(&st_cublas_lock);
    const int32_t failed = st_add_bias_locked(device, stream, workspace, bytes, p);
    pthread_mutex_unlock(&st_cublas_lock);
    return failed;
}
