/* A cuBLAS that multiplies on the processor, for tests of the driver: column-major, as the library. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = 7, FAILED = 13 };

static int products, tf32s;
int stub_products(void) { return products; }
int stub_tf32s(void) { return tf32s; }

typedef struct { void *stream, *workspace; size_t bytes; } handle;

int cublasCreate_v2(void **made) { return (*made = calloc(1, sizeof(handle))) ? 0 : FAILED; }
int cublasSetStream_v2(void *h, void *stream) {
    if (!h || !stream) return INVALID;
    *(handle *)h = (handle){stream, NULL, 0};
    return 0;
}
int cublasSetWorkspace_v2(void *h, void *workspace, size_t bytes) {
    if (!h || !workspace || bytes != 32 << 20) return INVALID;
    ((handle *)h)->workspace = workspace, ((handle *)h)->bytes = bytes;
    return 0;
}

static double complex at(const void *array, int type, int64_t k) {
    switch (type) {
    case 0: return ((const float *)array)[k];
    case 1: return ((const double *)array)[k];
    case 4: return ((const float complex *)array)[k];
    default: return ((const double complex *)array)[k];
    }
}

static void put(void *array, int type, int64_t k, double complex value) {
    switch (type) {
    case 0: ((float *)array)[k] = creal(value); break;
    case 1: ((double *)array)[k] = creal(value); break;
    case 4: ((float complex *)array)[k] = value; break;
    default: ((double complex *)array)[k] = value;
    }
}

typedef struct {
    int transa, transb, type;
    int64_t m, n, k, lda, astep, ldb, bstep, ldc, cstep, count;
    const void *a, *b;
    void *c, *workspace;
    double complex alpha, beta;
} product;

static void multiply(const void *given) {
    const product p = *(const product *)given;
    if (p.workspace) memset(p.workspace, 0xff, 64);
    for (int64_t item = 0; item < p.count; item++) {
        for (int64_t i = 0; i < p.m; i++) {
            for (int64_t j = 0; j < p.n; j++) {
                double complex sum = 0;
                for (int64_t l = 0; l < p.k; l++) {
                    const int64_t ka = p.transa ? l + i * p.lda : i + l * p.lda;
                    const int64_t kb = p.transb ? j + l * p.ldb : l + j * p.ldb;
                    sum += at(p.a, p.type, item * p.astep + ka) * at(p.b, p.type, item * p.bstep + kb);
                }
                const int64_t place = item * p.cstep + i + j * p.ldc;
                sum *= p.alpha;
                if (p.beta != 0) sum += p.beta * at(p.c, p.type, place);
                put(p.c, p.type, place, sum);
            }
        }
    }
}

int cublasGemmStridedBatchedEx_64(
    void *h, int transa, int transb, int64_t m, int64_t n, int64_t k, const void *alpha,
    const void *a, int atype, int64_t lda, long long astep, const void *b, int btype, int64_t ldb,
    long long bstep, const void *beta, void *c, int ctype, int64_t ldc, long long cstep,
    int64_t count, int compute, int algorithm) {
    const int types = atype == btype && atype == ctype;
    const int wanted = atype == 0 || atype == 4 ? 68 : 70;
    if (compute == 77 && atype == 0) compute = wanted, tf32s++;
    if (!types || compute != wanted || algorithm != -1 || m < 0 || n < 0 || k < 0) return INVALID;
    const int64_t arows = transa ? k : m, brows = transb ? n : k;
    if (lda < (arows > 1 ? arows : 1) || ldb < (brows > 1 ? brows : 1)) return INVALID;
    if (ldc < (m > 1 ? m : 1)) return INVALID;
    if (getenv("STUB_CUBLAS_FAIL")) return FAILED;
    products++;
    const product p = {
        transa, transb, atype, m, n, k, lda, astep, ldb, bstep, ldc, cstep, count, a, b, c,
        ((handle *)h)->workspace, at(alpha, atype, 0), at(beta, atype, 0),
    };
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    in_order *const act = (in_order *)dlsym(RTLD_DEFAULT, "stub_do");
    if (act) act(((handle *)h)->stream, multiply, &p, sizeof p);
    else multiply(&p);
    return 0;
}

#ifndef WITHOUT_LT
/* cuBLASLt: products of float with a row that is added. */
typedef struct { int turned_a, turned_b, epilogue; const float *bias; } operation;
typedef struct { uint64_t rows, columns; int64_t distance; } layout;
typedef struct { uint64_t workspace; uint32_t alignments[4]; } wish;
typedef struct { uint64_t number, rest[7]; } algorithm;
typedef struct { algorithm best; size_t workspace; int state; float waves; int reserved[4]; } proposal;

static int biases, questions, described;
int stub_biases(void) { return biases; }
int stub_questions(void) { return questions; }
int stub_described(void) { return described; }

int cublasLtCreate(void **made) { return (*made = calloc(1, 8)) ? 0 : FAILED; }
int cublasLtMatmulDescCreate(void **made, int compute, int scale) {
    tf32s += compute == 77;
    if ((compute != 68 && compute != 77) || scale != 0) return INVALID;
    described++;
    return (*made = calloc(1, sizeof(operation))) ? 0 : FAILED;
}
int cublasLtMatmulDescSetAttribute(operation *o, int what, const void *value, size_t size) {
    if (what == 3) o->turned_a = *(const int *)value;
    else if (what == 4) o->turned_b = *(const int *)value;
    else if (what == 7) o->epilogue = *(const int *)value;
    else if (what == 8) o->bias = *(const float *const *)value;
    else return INVALID;
    return size == (what == 8 ? 8 : 4) ? 0 : INVALID;
}
int cublasLtMatmulDescDestroy(void *o) { free(o); described--; return 0; }
int cublasLtMatrixLayoutCreate(void **made, int type, uint64_t rows, uint64_t columns, int64_t distance) {
    layout *const l = calloc(1, sizeof *l);
    *l = (layout){rows, columns, distance};
    *made = l, described++;
    return type == 0 && rows > 0 && columns > 0 && distance >= (int64_t)rows ? 0 : INVALID;
}
int cublasLtMatrixLayoutDestroy(void *l) { free(l); described--; return 0; }
int cublasLtMatmulPreferenceCreate(void **made) { described++; return (*made = calloc(1, sizeof(wish))) ? 0 : FAILED; }
int cublasLtMatmulPreferenceSetAttribute(wish *w, int what, const void *value, size_t size) {
    if (what == 1 && size == 8) w->workspace = *(const uint64_t *)value;
    else if (what >= 5 && what <= 8 && size == 4) w->alignments[what - 5] = *(const uint32_t *)value;
    else return INVALID;
    return 0;
}
int cublasLtMatmulPreferenceDestroy(void *w) { free(w); described--; return 0; }

/* STUB_CUBLASLT_REFUSES lets there be no algorithm; there is none for products of 7 columns, either. */
int cublasLtMatmulAlgoGetHeuristic(void *h, operation *o, layout *a, layout *b, layout *c, layout *d, wish *w,
                                   int most, proposal *made, int *count) {
    questions++;
    *count = 0;
    if (!h || c != d || most != 1 || o->epilogue != 4 || !o->bias || c->rows < 1) return INVALID;
    if (getenv("STUB_CUBLASLT_REFUSES") || c->rows == 7) return 0;
    made->best.number = 42 + (w->alignments[0] >= 16), made->workspace = w->workspace, made->state = 0;
    *count = 1;
    return 0;
}

typedef struct { product p; const float *bias; } biased;
static void add_bias(const void *given) {
    const biased b = *(const biased *)given;
    multiply(&b.p);
    for (int64_t j = 0; j < b.p.n; j++) {
        for (int64_t i = 0; i < b.p.m; i++) ((float *)b.p.c)[i + j * b.p.ldc] += b.bias[i];
    }
}
int cublasLtMatmul(void *h, operation *o, const float *alpha, const void *a, layout *la, const void *b,
                   layout *lb, const float *beta, const void *c, layout *lc, void *d, layout *ld,
                   const algorithm *best, void *workspace, size_t bytes, void *stream) {
    if (best->number != 42 + ((uintptr_t)a % 16 == 0) || c != d || lc != ld || *beta != 0) return INVALID;
    if ((bytes > 0) != (workspace != NULL) || !stream) return INVALID;
    if (getenv("STUB_CUBLAS_FAIL")) return FAILED;
    biases++;
    const int64_t m = lc->rows, n = lc->columns, k = o->turned_a ? la->rows : la->columns;
    if ((o->turned_a ? la->columns : la->rows) != m || (o->turned_b ? lb->rows : lb->columns) != n) return INVALID;
    if ((o->turned_b ? lb->columns : lb->rows) != k) return INVALID;
    const biased task = {
        {o->turned_a, o->turned_b, 0, m, n, k, la->distance, 0, lb->distance, 0, lc->distance, 0, 1, a, b, d,
         workspace, *alpha, 0},
        o->bias,
    };
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    in_order *const act = (in_order *)dlsym(RTLD_DEFAULT, "stub_do");
    if (act) act(stream, add_bias, &task, sizeof task);
    else add_bias(&task);
    return 0;
}
#endif

typedef struct { int upper, turned, unit, type; int64_t m, n; const void *a; void *x; } triangle;

/* x * op(a) = x, with x of m rows. */
static void substitute(const void *given) {
    const triangle t = *(const triangle *)given;
    const int forward = t.upper != t.turned;
    for (int64_t row = 0; row < t.m; row++) {
        for (int64_t step = 0; step < t.n; step++) {
            const int64_t j = forward ? step : t.n - 1 - step;
            double complex sum = at(t.x, t.type, row + j * t.m);
            for (int64_t l = 0; l < t.n; l++) {
                if (forward ? l >= j : l <= j) continue;
                const int64_t place = t.turned ? j + l * t.n : l + j * t.n;
                sum -= at(t.x, t.type, row + l * t.m) * at(t.a, t.type, place);
            }
            put(t.x, t.type, row + j * t.m, t.unit ? sum : sum / at(t.a, t.type, j + j * t.n));
        }
    }
}

static int solve(int type, handle *h, int side, int upper, int turned, int unit, int64_t m, int64_t n,
                 const void *alpha, const void *a, int64_t lda, void *x, int64_t ldx) {
    const triangle t = {upper, turned, unit, type, m, n, a, x};
    if (side != 1 || lda != n || ldx != m || at(alpha, type, 0) != 1 || !h->stream) return INVALID;
    if (getenv("STUB_CUBLAS_FAIL")) return FAILED;
    products++;
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    ((in_order *)dlsym(RTLD_DEFAULT, "stub_do"))(h->stream, substitute, &t, sizeof t);
    return 0;
}

int cublasStrsm_v2_64(void *h, int side, int upper, int turned, int unit, int64_t m, int64_t n,
                      const float *alpha, const float *a, int64_t lda, float *x, int64_t ldx) {
    return solve(0, h, side, upper, turned, unit, m, n, alpha, a, lda, x, ldx);
}
int cublasDtrsm_v2_64(void *h, int side, int upper, int turned, int unit, int64_t m, int64_t n,
                      const double *alpha, const double *a, int64_t lda, double *x, int64_t ldx) {
    return solve(1, h, side, upper, turned, unit, m, n, alpha, a, lda, x, ldx);
}

int cublasCtrsm_v2_64(void *h, int side, int upper, int turned, int unit, int64_t m, int64_t n,
                      const void *alpha, const void *a, int64_t lda, void *x, int64_t ldx) {
    return solve(4, h, side, upper, turned, unit, m, n, alpha, a, lda, x, ldx);
}
int cublasZtrsm_v2_64(void *h, int side, int upper, int turned, int unit, int64_t m, int64_t n,
                      const void *alpha, const void *a, int64_t lda, void *x, int64_t ldx) {
    return solve(5, h, side, upper, turned, unit, m, n, alpha, a, lda, x, ldx);
}

/* Batches of matrices, by their addresses on the device. */
typedef struct {
    int what, type, turned, unit, upper, n, count;
    int64_t k;
    const void *const *factors;
    void *const *a;
    int *pivots, *info;
    const int *order;
} batch;
static int batches;
int stub_batches(void) { return batches; }

static void swap_rows(void *a, int type, int64_t n, int64_t columns, int64_t i, int64_t j) {
    for (int64_t c = 0; c < columns; c++) {
        const double kept = creal(at(a, type, i + c * n));
        put(a, type, i + c * n, at(a, type, j + c * n));
        put(a, type, j + c * n, kept);
    }
}

static void factorize_one(int type, int64_t n, void *a, int *pivots, int *info) {
    *info = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++) {
            if (cabs(at(a, type, i + k * n)) > cabs(at(a, type, best + k * n))) best = i;
        }
        pivots[k] = (int)best + 1;
        swap_rows(a, type, n, n, k, best);
        const double pivot = creal(at(a, type, k + k * n));
        if (pivot == 0 && !*info) *info = (int)k + 1;
        for (int64_t i = k + 1; i < n && pivot != 0; i++) {
            const double factor = creal(at(a, type, i + k * n)) / pivot;
            put(a, type, i + k * n, factor);
            for (int64_t j = k + 1; j < n; j++) {
                put(a, type, i + j * n, at(a, type, i + j * n) - factor * at(a, type, k + j * n));
            }
        }
    }
}

static void columns_of(int type, int64_t n, int64_t k, const void *a, void *x, int upper, int turned,
                       int unit) {
    const int forward = upper == turned;
    for (int64_t c = 0; c < k; c++) {
        for (int64_t step = 0; step < n; step++) {
            const int64_t i = forward ? step : n - 1 - step;
            double sum = creal(at(x, type, i + c * n));
            for (int64_t j = 0; j < n; j++) {
                if (forward ? j >= i : j <= i) continue;
                sum -= creal(at(a, type, turned ? j + i * n : i + j * n) * at(x, type, j + c * n));
            }
            put(x, type, i + c * n, unit ? sum : sum / creal(at(a, type, i + i * n)));
        }
    }
}

static void work_on_batch(const void *given) {
    const batch b = *(const batch *)given;
    const int64_t n = b.n;
    for (int number = 0; number < b.count; number++) {
        void *const a = b.a[number];
        if (b.what == 0) {
            factorize_one(b.type, n, a, b.pivots + number * n, b.info + number);
        } else if (b.what == 1) {
            const int *const order = b.order + number * n;
            for (int64_t k = 0; k < n && !b.turned; k++) swap_rows(a, b.type, n, b.k, k, order[k] - 1);
            columns_of(b.type, n, b.k, b.factors[number], a, b.turned, b.turned, !b.turned);
            columns_of(b.type, n, b.k, b.factors[number], a, !b.turned, b.turned, b.turned);
            for (int64_t k = n; k-- > 0 && b.turned;) swap_rows(a, b.type, n, b.k, k, order[k] - 1);
        } else {
            const triangle t = {b.upper, b.turned, b.unit, b.type, b.k, n, b.factors[number], a};
            substitute(&t);
        }
    }
}

static int run_batch(handle *h, const batch *b) {
    if (!h->stream || b->n < 1 || b->count < 2) return INVALID;
    if (getenv("STUB_CUBLAS_FAIL")) return FAILED;
    batches++;
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    ((in_order *)dlsym(RTLD_DEFAULT, "stub_do"))(h->stream, work_on_batch, b, sizeof *b);
    return 0;
}

static int factorize(int type, void *h, int n, void *const *a, int lda, int *pivots, int *info, int count) {
    const batch b = {.what = 0, .type = type, .n = n, .a = a, .pivots = pivots, .info = info, .count = count};
    return lda == n ? run_batch(h, &b) : INVALID;
}
int cublasSgetrfBatched(void *h, int n, void *const *a, int lda, int *pivots, int *info, int count) {
    return factorize(0, h, n, a, lda, pivots, info, count);
}
int cublasDgetrfBatched(void *h, int n, void *const *a, int lda, int *pivots, int *info, int count) {
    return factorize(1, h, n, a, lda, pivots, info, count);
}

static int solve_lu(int type, void *h, int turned, int n, int k, const void *const *factors, int lda,
                    const int *order, void *const *a, int ldb, int *told, int count) {
    const batch b = {.what = 1, .type = type, .turned = turned, .n = n, .k = k, .factors = factors, .a = a,
                     .order = order, .count = count};
    *told = 0;
    return lda == n && ldb == n && k > 0 ? run_batch(h, &b) : INVALID;
}
int cublasSgetrsBatched(void *h, int turned, int n, int k, const void *const *factors, int lda,
                        const int *order, void *const *a, int ldb, int *told, int count) {
    return solve_lu(0, h, turned, n, k, factors, lda, order, a, ldb, told, count);
}
int cublasDgetrsBatched(void *h, int turned, int n, int k, const void *const *factors, int lda,
                        const int *order, void *const *a, int ldb, int *told, int count) {
    return solve_lu(1, h, turned, n, k, factors, lda, order, a, ldb, told, count);
}

static int solve_many(int type, void *h, int side, int upper, int turned, int unit, int64_t m, int64_t n,
                      const void *alpha, const void *const *factors, int64_t lda, void *const *a,
                      int64_t ldx, int64_t count) {
    const batch b = {.what = 2, .type = type, .upper = upper, .turned = turned, .unit = unit, .n = (int)n,
                     .k = m, .factors = factors, .a = a, .count = (int)count};
    return side == 1 && lda == n && ldx == m && at(alpha, type, 0) == 1 ? run_batch(h, &b) : INVALID;
}
int cublasStrsmBatched_64(void *h, int side, int upper, int turned, int unit, int64_t m, int64_t n,
                          const void *alpha, const void *const *factors, int64_t lda, void *const *a,
                          int64_t ldx, int64_t count) {
    return solve_many(0, h, side, upper, turned, unit, m, n, alpha, factors, lda, a, ldx, count);
}
int cublasDtrsmBatched_64(void *h, int side, int upper, int turned, int unit, int64_t m, int64_t n,
                          const void *alpha, const void *const *factors, int64_t lda, void *const *a,
                          int64_t ldx, int64_t count) {
    return solve_many(1, h, side, upper, turned, unit, m, n, alpha, factors, lda, a, ldx, count);
}
