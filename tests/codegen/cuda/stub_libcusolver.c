/* A cuSOLVER that decomposes on the processor, for tests of the driver: column-major, as the library.
   STUB_CUSOLVER_FAIL="Potrf 7" lets this function return 7. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = 3, WORK = 512, ROOM = 64 };
enum { CHOLESKY, LU, SOLVE, EIGEN, QR, Q, SVD, GEEV };

static int calls;
int stub_decompositions(void) { return calls; }

static int refused(const char *name) {
    const char *const wish = getenv("STUB_CUSOLVER_FAIL");
    char wanted[64];
    int code;
    if (!wish || sscanf(wish, "%63s %d", wanted, &code) != 2 || strcmp(wanted, name)) return 0;
    return code;
}

typedef struct { void *stream; } handle;
int cusolverDnCreate(handle **made) { *made = calloc(1, sizeof(handle)); return refused("Create"); }
int cusolverDnCreateParams(void **made) { *made = calloc(1, 8); return 0; }
int cusolverDnSetStream(handle *h, void *stream) {
    h->stream = stream;
    return refused("SetStream");
}

typedef struct {
    int what, type, upper, turned, vectors;
    int64_t m, n, k;
    void *a, *values, *left, *right;
    const void *factor;
    int64_t *pivots;
    const int64_t *order;
    int *info;
} task;

typedef double complex number;

static number at(const void *x, int type, int64_t k) {
    switch (type) {
    case 0: return ((const float *)x)[k];
    case 1: return ((const double *)x)[k];
    case 4: return ((const float complex *)x)[k];
    default: return ((const double complex *)x)[k];
    }
}
static void put(void *x, int type, int64_t k, number value) {
    switch (type) {
    case 0: ((float *)x)[k] = creal(value); break;
    case 1: ((double *)x)[k] = creal(value); break;
    case 4: ((float complex *)x)[k] = value; break;
    default: ((double complex *)x)[k] = value;
    }
}

/* The triangle of a symmetric matrix is changed alone. */
static void cholesky(const task *t) {
    const int64_t n = t->n;
#define TRIANGLE(i, j) (t->upper ? (j) + (i) * n : (i) + (j) * n)
    *t->info = 0;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = j; i < n; i++) {
            number sum = at(t->a, t->type, TRIANGLE(i, j));
            for (int64_t l = 0; l < j; l++) {
                sum -= at(t->a, t->type, TRIANGLE(i, l)) * conj(at(t->a, t->type, TRIANGLE(j, l)));
            }
            if (i == j && creal(sum) <= 0) {
                *t->info = (int)j + 1;
                return;
            }
            const number root = i == j ? sqrt(creal(sum)) : sum / at(t->a, t->type, TRIANGLE(j, j));
            put(t->a, t->type, TRIANGLE(i, j), root);
        }
    }
}

static void swap_rows(void *a, int type, int64_t m, int64_t columns, int64_t i, int64_t j) {
    for (int64_t c = 0; c < columns; c++) {
        const number kept = at(a, type, i + c * m);
        put(a, type, i + c * m, at(a, type, j + c * m));
        put(a, type, j + c * m, kept);
    }
}

/* By which LAPACK chooses pivots. */
static double size(number x) { return fabs(creal(x)) + fabs(cimag(x)); }

static void lu(const task *t) {
    const int64_t m = t->m, n = t->n, few = m < n ? m : n;
    *t->info = 0;
    for (int64_t k = 0; k < few; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < m; i++) {
            if (size(at(t->a, t->type, i + k * m)) > size(at(t->a, t->type, best + k * m))) best = i;
        }
        t->pivots[k] = best + 1;
        swap_rows(t->a, t->type, m, n, k, best);
        const number pivot = at(t->a, t->type, k + k * m);
        if (pivot == 0) {
            if (!*t->info) *t->info = (int)k + 1;
            continue;
        }
        for (int64_t i = k + 1; i < m; i++) {
            const number factor = at(t->a, t->type, i + k * m) / pivot;
            put(t->a, t->type, i + k * m, factor);
            for (int64_t j = k + 1; j < n; j++) {
                const number old = at(t->a, t->type, i + j * m);
                put(t->a, t->type, i + j * m, old - factor * at(t->a, t->type, k + j * m));
            }
        }
    }
}

/* Substitute in the columns of a. */
static void substitute(const task *t, int upper, int turned, int unit) {
    const int64_t n = t->n;
    for (int64_t c = 0; c < t->k; c++) {
        for (int64_t step = 0; step < n; step++) {
            const int64_t i = upper == turned ? step : n - 1 - step;
            number sum = at(t->a, t->type, i + c * n);
            for (int64_t j = 0; j < n; j++) {
                if (upper == turned ? j >= i : j <= i) continue;
                sum -= at(t->factor, t->type, turned ? j + i * n : i + j * n) * at(t->a, t->type, j + c * n);
            }
            put(t->a, t->type, i + c * n, unit ? sum : sum / at(t->factor, t->type, i + i * n));
        }
    }
}

static void solve(const task *t) {
    *t->info = 0;
    if (!t->turned) {
        for (int64_t k = 0; k < t->n; k++) swap_rows(t->a, t->type, t->n, t->k, k, t->order[k] - 1);
        substitute(t, 0, 0, 1);
        substitute(t, 1, 0, 0);
        return;
    }
    substitute(t, 1, 1, 0);
    substitute(t, 0, 1, 1);
    for (int64_t k = t->n; k-- > 0;) swap_rows(t->a, t->type, t->n, t->k, k, t->order[k] - 1);
}

/* By rotations, each of which makes an element zero. */
static void eigen(const task *t) {
    const int64_t n = t->n;
    number *const m = calloc(n * n, sizeof *m), *const v = calloc(n * n, sizeof *v);
    *t->info = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j <= i; j++) {
            const number x = at(t->a, t->type, TRIANGLE(i, j)), own = i == j ? creal(x) : t->upper ? conj(x) : x;
            m[i + j * n] = own, m[j + i * n] = conj(own);
        }
        v[i + i * n] = 1;
    }
    for (int sweep = 0; sweep < 60; sweep++) {
        for (int64_t p = 0; p < n; p++) {
            for (int64_t q = p + 1; q < n; q++) {
                const double size = cabs(m[p + q * n]);
                if (size < 1e-300) continue;
                const number phase = m[p + q * n] / size;
                for (int64_t k = 0; k < n; k++) m[k + q * n] *= conj(phase), v[k + q * n] *= conj(phase);
                for (int64_t k = 0; k < n; k++) m[q + k * n] *= phase;
                const double angle = atan2(2 * size, creal(m[q + q * n] - m[p + p * n])) / 2;
                const double c = cos(angle), s = sin(angle);
                for (int64_t k = 0; k < n; k++) {
                    const number x = m[k + p * n], y = m[k + q * n], a = v[k + p * n], b = v[k + q * n];
                    m[k + p * n] = c * x - s * y, m[k + q * n] = s * x + c * y;
                    v[k + p * n] = c * a - s * b, v[k + q * n] = s * a + c * b;
                }
                for (int64_t k = 0; k < n; k++) {
                    const number x = m[p + k * n], y = m[q + k * n];
                    m[p + k * n] = c * x - s * y, m[q + k * n] = s * x + c * y;
                }
            }
        }
    }
    for (int64_t place = 0; place < n; place++) {
        int64_t least = -1;
        for (int64_t k = 0; k < n; k++) {
            if (!isnan(creal(m[k + k * n])) && (least < 0 || creal(m[k + k * n]) < creal(m[least + least * n]))) least = k;
        }
        put(t->values, t->type & 1, place, m[least + least * n]);
        m[least + least * n] = NAN;
        for (int64_t k = 0; k < n; k++) {
            put(t->a, t->type, k + place * n, t->vectors ? v[k + least * n] : NAN);
        }
    }
    if (getenv("STUB_DIVERGES")) *t->info = 1;
    free(m);
    free(v);
}

/* Subtract from a column what its product with a reflector is, whose first element is 1. */
static void reflect(const task *t, int64_t k, int64_t column, number factor) {
    number sum = at(t->a, t->type, k + column * t->m);
    for (int64_t i = k + 1; i < t->m; i++) {
        sum += conj(at(t->a, t->type, i + k * t->m)) * at(t->a, t->type, i + column * t->m);
    }
    for (int64_t i = k; i < t->m; i++) {
        const number own = i == k ? 1 : at(t->a, t->type, i + k * t->m);
        put(t->a, t->type, i + column * t->m, at(t->a, t->type, i + column * t->m) - factor * sum * own);
    }
}

static void qr(const task *t) {
    const int64_t few = t->m < t->n ? t->m : t->n;
    *t->info = 0;
    for (int64_t k = 0; k < few; k++) {
        double square = 0;
        for (int64_t i = k; i < t->m; i++) square += pow(cabs(at(t->a, t->type, i + k * t->m)), 2);
        const number first = at(t->a, t->type, k + k * t->m);
        const double size = creal(first) > 0 ? -sqrt(square) : sqrt(square);
        const number factor = size == 0 ? 0 : (size - first) / size;
        put(t->values, t->type, k, factor);
        for (int64_t i = k + 1; i < t->m && factor != 0; i++) {
            put(t->a, t->type, i + k * t->m, at(t->a, t->type, i + k * t->m) / (first - size));
        }
        for (int64_t column = k + 1; column < t->n; column++) reflect(t, k, column, conj(factor));
        put(t->a, t->type, k + k * t->m, size == 0 ? first : size);
    }
}

static void form_q(const task *t) {
    *t->info = 0;
    for (int64_t k = t->k; k-- > 0;) {
        if (k >= t->n) {
            for (int64_t i = 0; i < t->m; i++) put(t->a, t->type, i + k * t->m, i == k);
            continue;
        }
        const number factor = at(t->factor, t->type, k);
        for (int64_t column = k + 1; column < t->k; column++) reflect(t, k, column, factor);
        for (int64_t i = 0; i < t->m; i++) {
            const number own = i < k ? 0 : i == k ? -1 : at(t->a, t->type, i + k * t->m);
            put(t->a, t->type, i + k * t->m, (i == k) - factor * (i == k ? 1 : own));
        }
    }
}

/* Make a column orthogonal to those before it; its size. */
static double orthogonal(number *u, int64_t m, int64_t column) {
    double size = 0;
    for (int64_t j = 0; j < column; j++) {
        number sum = 0;
        for (int64_t i = 0; i < m; i++) sum += conj(u[i + j * m]) * u[i + column * m];
        for (int64_t i = 0; i < m; i++) u[i + column * m] -= sum * u[i + j * m];
    }
    for (int64_t i = 0; i < m; i++) size += pow(cabs(u[i + column * m]), 2);
    for (int64_t i = 0; i < m && size > 1e-9; i++) u[i + column * m] /= sqrt(size);
    return size;
}

/* By rotations of columns, until all are orthogonal. */
static void svd(const task *t) {
    const int64_t m = t->m, n = t->n, columns = t->vectors == 2 ? m : n;
    number *const a = calloc(m * n, sizeof *a), *const v = calloc(n * n, sizeof *v);
    number *const u = calloc(m * m, sizeof *u);
    *t->info = getenv("STUB_DIVERGES") != NULL;
    for (int64_t k = 0; k < m * n; k++) a[k] = at(t->a, t->type, k);
    for (int64_t k = 0; k < n; k++) v[k + k * n] = 1;
    for (int sweep = 0; sweep < 60; sweep++) {
        for (int64_t p = 0; p < n; p++) {
            for (int64_t q = p + 1; q < n; q++) {
                double pp = 0, qq = 0;
                number pq = 0;
                for (int64_t i = 0; i < m; i++) {
                    pp += pow(cabs(a[i + p * m]), 2), qq += pow(cabs(a[i + q * m]), 2);
                    pq += conj(a[i + p * m]) * a[i + q * m];
                }
                if (cabs(pq) < 1e-300) continue;
                const number phase = pq / cabs(pq);
                for (int64_t i = 0; i < m; i++) a[i + q * m] *= conj(phase);
                for (int64_t i = 0; i < n; i++) v[i + q * n] *= conj(phase);
                const double angle = atan2(2 * cabs(pq), qq - pp) / 2, c = cos(angle), s = sin(angle);
                for (int64_t i = 0; i < m; i++) {
                    const number x = a[i + p * m], y = a[i + q * m];
                    a[i + p * m] = c * x - s * y, a[i + q * m] = s * x + c * y;
                }
                for (int64_t i = 0; i < n; i++) {
                    const number x = v[i + p * n], y = v[i + q * n];
                    v[i + p * n] = c * x - s * y, v[i + q * n] = s * x + c * y;
                }
            }
        }
    }
    for (int64_t place = 0; place < n; place++) {
        double most = -1;
        int64_t best = 0;
        for (int64_t k = 0; k < n; k++) {
            double square = 0;
            for (int64_t i = 0; i < m; i++) square += pow(cabs(a[i + k * m]), 2);
            if (square > most) most = square, best = k;
        }
        put(t->values, t->type & 1, place, sqrt(most));
        for (int64_t i = 0; i < m; i++) {
            if (most > 0) u[i + place * m] = a[i + best * m] / sqrt(most);
            a[i + best * m] = NAN;
        }
        for (int64_t i = 0; i < n && t->right; i++) put(t->right, t->type, place + i * n, conj(v[i + best * n]));
    }
    int64_t unit = 0;
    for (int64_t column = 0; column < columns; column++) {
        while (orthogonal(u, m, column) <= 1e-9 && unit < m) {
            for (int64_t i = 0; i < m; i++) u[i + column * m] = i == unit;
            unit++;
        }
    }
    for (int64_t k = 0; k < m * columns && t->left; k++) put(t->left, t->type, k, u[k]);
    free(a);
    free(v);
    free(u);
}

#include "stub_geev.inc"

static void work(const void *given) {
    static void (*const all[])(const task *) = {cholesky, lu, solve, eigen, qr, form_q, svd, general};
    const task t = *(const task *)given;
    all[t.what](&t);
}

static int run(handle *h, const char *name, const task *t, void *there, size_t bytes, void *here,
               size_t room) {
    const int code = refused(name);
    if (code) return code;
    if (!h->stream || t->n < 1 || !t->info) return INVALID;
    if (t->what == Q && (!there || bytes != WORK)) return INVALID;
    if (t->what != SOLVE && t->what != Q && (!there || bytes != WORK || !here || room != ROOM)) return INVALID;
    if (here) memset(here, 0xff, room);
    calls++;
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    ((in_order *)dlsym(RTLD_DEFAULT, "stub_do"))(h->stream, work, t, sizeof *t);
    return 0;
}

static int sizes(const char *name, size_t *there, size_t *here) {
    *there = WORK, *here = ROOM;
    return refused(name);
}

int cusolverDnXpotrf_bufferSize(handle *h, void *params, int upper, int64_t n, int type, const void *a,
                                int64_t lda, int compute, size_t *there, size_t *here) {
    return lda == n && type == compute ? sizes("PotrfSize", there, here) : INVALID;
}
int cusolverDnXpotrf(handle *h, void *params, int upper, int64_t n, int type, void *a, int64_t lda,
                     int compute, void *there, size_t bytes, void *here, size_t room, int *info) {
    const task t = {.what = CHOLESKY, .type = type, .upper = upper, .n = n, .a = a, .info = info};
    return run(h, "Potrf", &t, there, bytes, here, room);
}
int cusolverDnXgetrf_bufferSize(handle *h, void *params, int64_t m, int64_t n, int type, const void *a,
                                int64_t lda, int compute, size_t *there, size_t *here) {
    return lda == m && type == compute ? sizes("GetrfSize", there, here) : INVALID;
}
int cusolverDnXgetrf(handle *h, void *params, int64_t m, int64_t n, int type, void *a, int64_t lda,
                     int64_t *pivots, int compute, void *there, size_t bytes, void *here, size_t room,
                     int *info) {
    const task t = {.what = LU, .type = type, .m = m, .n = n, .a = a, .pivots = pivots, .info = info};
    return run(h, "Getrf", &t, there, bytes, here, room);
}
int cusolverDnXgetrs(handle *h, void *params, int turned, int64_t n, int64_t k, int type, const void *a,
                     int64_t lda, const int64_t *order, int btype, void *b, int64_t ldb, int *info) {
    const task t = {.what = SOLVE, .type = type, .turned = turned, .n = n, .k = k, .a = b, .factor = a,
                    .order = order, .info = info};
    return lda == n && ldb == n && type == btype ? run(h, "Getrs", &t, NULL, 0, NULL, 0) : INVALID;
}
int cusolverDnXsyevd_bufferSize(handle *h, void *params, int vectors, int upper, int64_t n, int type,
                                const void *a, int64_t lda, int wtype, const void *w, int compute,
                                size_t *there, size_t *here) {
    return lda == n && type == compute && (type & 1) == wtype ? sizes("SyevdSize", there, here) : INVALID;
}
int cusolverDnXsyevd(handle *h, void *params, int vectors, int upper, int64_t n, int type, void *a,
                     int64_t lda, int wtype, void *w, int compute, void *there, size_t bytes, void *here,
                     size_t room, int *info) {
    const task t = {.what = EIGEN, .type = type, .upper = upper, .vectors = vectors, .n = n, .a = a,
                    .values = w, .info = info};
    return run(h, "Syevd", &t, there, bytes, here, room);
}
int cusolverDnXgeqrf_bufferSize(handle *h, void *params, int64_t m, int64_t n, int type, const void *a,
                                int64_t lda, int ttype, const void *tau, int compute, size_t *there,
                                size_t *here) {
    return lda == m && type == compute && type == ttype ? sizes("GeqrfSize", there, here) : INVALID;
}
int cusolverDnXgeqrf(handle *h, void *params, int64_t m, int64_t n, int type, void *a, int64_t lda,
                     int ttype, void *tau, int compute, void *there, size_t bytes, void *here, size_t room,
                     int *info) {
    const task t = {.what = QR, .type = type, .m = m, .n = n, .a = a, .values = tau, .info = info};
    return run(h, "Geqrf", &t, there, bytes, here, room);
}
static int q_size(int width, int m, int n, int k, int lda, int *count) {
    *count = WORK / width;
    return lda == m && n <= m && k <= n ? refused("OrgqrSize") : INVALID;
}
int cusolverDnSorgqr_bufferSize(handle *h, int m, int n, int k, const float *a, int lda, const float *tau,
                                int *count) {
    return q_size(4, m, n, k, lda, count);
}
int cusolverDnDorgqr_bufferSize(handle *h, int m, int n, int k, const double *a, int lda,
                                const double *tau, int *count) {
    return q_size(8, m, n, k, lda, count);
}
int cusolverDnCungqr_bufferSize(handle *h, int m, int n, int k, const float *a, int lda, const float *tau,
                                int *count) {
    return q_size(8, m, n, k, lda, count);
}
int cusolverDnZungqr_bufferSize(handle *h, int m, int n, int k, const double *a, int lda,
                                const double *tau, int *count) {
    return q_size(16, m, n, k, lda, count);
}
static int q_of(handle *h, int type, int m, int n, int k, void *a, const void *tau, void *there, int count,
                int *info) {
    const task t = {.what = Q, .type = type, .m = m, .n = k, .k = n, .a = a, .factor = tau, .info = info};
    return run(h, "Orgqr", &t, there, (size_t)count * (type == 0 ? 4 : type == 5 ? 16 : 8), NULL, 0);
}
int cusolverDnSorgqr(handle *h, int m, int n, int k, float *a, int lda, const float *tau, float *there,
                     int count, int *info) {
    return q_of(h, 0, m, n, k, a, tau, there, count, info);
}
int cusolverDnDorgqr(handle *h, int m, int n, int k, double *a, int lda, const double *tau, double *there,
                     int count, int *info) {
    return q_of(h, 1, m, n, k, a, tau, there, count, info);
}
int cusolverDnCungqr(handle *h, int m, int n, int k, float *a, int lda, const float *tau, float *there,
                     int count, int *info) {
    return q_of(h, 4, m, n, k, a, tau, there, count, info);
}
int cusolverDnZungqr(handle *h, int m, int n, int k, double *a, int lda, const double *tau, double *there,
                     int count, int *info) {
    return q_of(h, 5, m, n, k, a, tau, there, count, info);
}
int cusolverDnXgesvd_bufferSize(handle *h, void *params, signed char jobu, signed char jobvt, int64_t m,
                                int64_t n, int type, const void *a, int64_t lda, int stype, const void *s,
                                int utype, const void *u, int64_t ldu, int vtype, const void *vt,
                                int64_t ldvt, int compute, size_t *there, size_t *here) {
    if (m < n || lda != m || ldu != m || ldvt != n || jobu != jobvt) return INVALID;
    return type == compute && (type & 1) == stype && type == utype && type == vtype ? sizes("GesvdSize", there, here)
                                                                            : INVALID;
}
int cusolverDnXgesvd(handle *h, void *params, signed char jobu, signed char jobvt, int64_t m, int64_t n,
                     int type, void *a, int64_t lda, int stype, void *s, int utype, void *u, int64_t ldu,
                     int vtype, void *vt, int64_t ldvt, int compute, void *there, size_t bytes, void *here,
                     size_t room, int *info) {
    const task t = {.what = SVD, .type = type, .m = m, .n = n, .a = a, .values = s, .info = info,
                    .left = jobu == 'N' ? NULL : u, .right = jobu == 'N' ? NULL : vt,
                    .vectors = jobu == 'A' ? 2 : jobu == 'S' ? 1 : 0};
    if (jobu != 'N' && (!u || !vt)) return INVALID;
    return run(h, "Gesvd", &t, there, bytes, here, room);
}
int cusolverDnXgeev_bufferSize(handle *h, void *params, int left, int right, int64_t n, int type,
                               const void *a, int64_t lda, int wtype, const void *w, int ltype,
                               const void *vl, int64_t ldvl, int rtype, const void *vr, int64_t ldvr,
                               int compute, size_t *there, size_t *here) {
    if (left || lda != n || ldvr != n || type != wtype || type != ltype || type != rtype) return INVALID;
    return type == compute ? sizes("GeevSize", there, here) : INVALID;
}
int cusolverDnXgeev(handle *h, void *params, int left, int right, int64_t n, int type, void *a, int64_t lda,
                    int wtype, void *w, int ltype, void *vl, int64_t ldvl, int rtype, void *vr, int64_t ldvr,
                    int compute, void *there, size_t bytes, void *here, size_t room, int *info) {
    const task t = {.what = GEEV, .type = type, .n = n, .a = a, .values = w, .right = vr, .info = info};
    return !right == !vr ? run(h, "Geev", &t, there, bytes, here, room) : INVALID;
}

/* Cholesky factors of a batch. The other triangle is destroyed. */
typedef struct { int type, upper, count; int64_t n; void *const *a; int *info; } batch;
static int batches;
int stub_batches(void) { return batches; }

static void work_on_batch(const void *given) {
    const batch b = *(const batch *)given;
    for (int number = 0; number < b.count; number++) {
        const task t = {.type = b.type, .upper = b.upper, .n = b.n, .a = b.a[number],
                        .info = b.info + number};
        cholesky(&t);
        for (int64_t i = 0; i < b.n; i++) {
            for (int64_t j = i + 1; j < b.n; j++) put(t.a, t.type, b.upper ? j + i * b.n : i + j * b.n, NAN);
        }
    }
}

static int run_batch(handle *h, int type, int upper, int n, void *const *a, int lda, int *info, int count) {
    const batch b = {type, upper, count, n, a, info};
    const int code = refused("PotrfBatched");
    if (code || lda != n || count < 2 || !h->stream) return code ? code : INVALID;
    batches++;
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    ((in_order *)dlsym(RTLD_DEFAULT, "stub_do"))(h->stream, work_on_batch, &b, sizeof b);
    return 0;
}
int cusolverDnSpotrfBatched(handle *h, int upper, int n, void *const *a, int lda, int *info, int count) {
    return run_batch(h, 0, upper, n, a, lda, info, count);
}
int cusolverDnDpotrfBatched(handle *h, int upper, int n, void *const *a, int lda, int *info, int count) {
    return run_batch(h, 1, upper, n, a, lda, info, count);
}
