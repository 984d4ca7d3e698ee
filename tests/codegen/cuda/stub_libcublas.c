/* A cuBLAS that multiplies on the processor, for tests of the driver: column-major, as the library. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = 7, FAILED = 13 };

static int products;
int stub_products(void) { return products; }

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
