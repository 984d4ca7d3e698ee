/* A cuBLAS that multiplies on the processor, for tests of the driver: column-major, as the library. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

enum { INVALID = 7, FAILED = 13 };

static int products;
int stub_products(void) { return products; }

int cublasCreate_v2(void **handle) { return (*handle = malloc(8)) ? 0 : FAILED; }
int cublasSetStream_v2(void *handle, void *stream) {
    if (!handle || !stream) return INVALID;
    /* what the stub of libcuda has not done yet on this stream */
    void (*work)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "stub_work");
    if (work) work(stream);
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

int cublasGemmStridedBatchedEx_64(
    void *handle, int transa, int transb, int64_t m, int64_t n, int64_t k, const void *alpha,
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
    for (int64_t item = 0; item < count; item++) {
        for (int64_t i = 0; i < m; i++) {
            for (int64_t j = 0; j < n; j++) {
                double complex sum = 0;
                for (int64_t l = 0; l < k; l++) {
                    sum += at(a, atype, item * astep + (transa ? l + i * lda : i + l * lda))
                        * at(b, btype, item * bstep + (transb ? j + l * ldb : l + j * ldb));
                }
                const int64_t place = item * cstep + i + j * ldc;
                sum *= at(alpha, ctype, 0);
                if (at(beta, ctype, 0) != 0) sum += at(beta, ctype, 0) * at(c, ctype, place);
                put(c, ctype, place, sum);
            }
        }
    }
    return 0;
}
