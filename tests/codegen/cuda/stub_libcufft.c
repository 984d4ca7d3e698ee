/* A cuFFT that transforms on the processor by the definition, for tests of the driver. As the library
   may, it refuses addresses that are not those of complex numbers, and destroys what it transforms to
   real numbers. A graph that has a transform of a plan which is not there any more ends the process.
   STUB_CUFFT_FAIL="ExecC2C 3" lets this function return 3. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID_PLAN = 1, NO_MEMORY = 2, INVALID_VALUE = 4, INVALID_SIZE = 8, UNALIGNED = 9 };
enum { MOST = 1000, WORK = 4096 };

typedef struct {
    int here, automatic, type, number;
    long long n, istep, idistance, ostep, odistance, count;
    void *stream, *work;
} plan;
static plan plans[MOST];
static int made, alive;

int stub_plans(void) { return made; }
int stub_plans_alive(void) { return alive; }

static int refused(const char *name) {
    const char *const wish = getenv("STUB_CUFFT_FAIL");
    char wanted[64];
    int code;
    if (!wish || sscanf(wish, "%63s %d", wanted, &code) != 2 || strcmp(wanted, name)) return 0;
    return code;
}

int cufftCreate(int *handle) {
    const int code = refused("Create");
    if (code) return code;
    for (int k = 0; k < MOST; k++) {
        if (plans[k].here) continue;
        plans[k] = (plan){.here = 1, .automatic = 1};
        *handle = k;
        alive++;
        return 0;
    }
    return NO_MEMORY;
}

int cufftDestroy(int p) {
    if (!plans[p].here) return INVALID_PLAN;
    plans[p].here = 0;
    alive--;
    return 0;
}

int cufftSetAutoAllocation(int p, int automatic) {
    plans[p].automatic = automatic;
    return 0;
}

int cufftMakePlanMany64(int p, int rank, long long *n, long long *inembed, long long istep,
                        long long idistance, long long *onembed, long long ostep,
                        long long odistance, int type, long long count, size_t *bytes) {
    if (!plans[p].here || plans[p].automatic) return INVALID_PLAN;
    if (rank != 1 || *n < 1 || count < 1 || !inembed || !onembed) return INVALID_SIZE;
    const long long half = *n / 2 + 1;
    if (*inembed != ((type & 7) == 4 ? half : *n)) return INVALID_SIZE;
    if (*onembed != ((type & 7) == 2 ? half : *n)) return INVALID_SIZE;
    const int code = refused("MakePlan");
    if (code) return code;
    made++;
    plans[p] = (plan){1, 0, type, made, *n, istep, idistance, ostep, odistance, count, NULL, NULL};
    *bytes = WORK;
    return 0;
}

int cufftSetStream(int p, void *stream) {
    plans[p].stream = stream;
    return refused("SetStream");
}

int cufftSetWorkArea(int p, void *work) {
    plans[p].work = work;
    return 0;
}

static double complex at(const void *array, int wide, int real, int64_t k) {
    if (real) return wide ? ((const double *)array)[k] : ((const float *)array)[k];
    return wide ? ((const double complex *)array)[k] : ((const float complex *)array)[k];
}

static void put(void *array, int wide, int real, int64_t k, double complex x) {
    if (real && wide) ((double *)array)[k] = creal(x);
    else if (real) ((float *)array)[k] = creal(x);
    else if (wide) ((double complex *)array)[k] = x;
    else ((float complex *)array)[k] = x;
}

typedef struct { plan f; void *x, *y; int direction, handle; } transform;

static void work(const void *given) {
    const transform t = *(const transform *)given;
    const plan *const f = &t.f;
    if (!plans[t.handle].here || plans[t.handle].number != f->number) abort();
    const int wide = f->type >> 6, kind = f->type & 7; /* 1: complex, 2: to a half, 4: to real ones */
    const long long half = f->n / 2 + 1, got = kind == 2 ? half : f->n;
    memset(f->work, 0xff, WORK);
    double complex *const in = calloc(f->n, sizeof *in), *const roots = calloc(f->n, sizeof *in);
    const double pi = 3.14159265358979323846;
    for (long long k = 0; k < f->n; k++) roots[k] = cexp(I * t.direction * 2 * pi * k / f->n);
    for (long long item = 0; item < f->count; item++) {
        for (long long k = 0; k < (kind == 4 ? half : f->n); k++) {
            const long long place = item * f->idistance + k * f->istep;
            in[k] = at(t.x, wide, kind == 2, place);
            if (kind == 4) {
                put(t.x, wide, 0, place, 0.0 / 0.0);
                if (k > 0) in[f->n - k] = conj(in[k]);
            }
        }
        for (long long k = 0; k < got; k++) {
            double complex sum = 0;
            for (long long j = 0; j < f->n; j++) sum += in[j] * roots[j * k % f->n];
            put(t.y, wide, kind == 4, item * f->odistance + k * f->ostep, sum);
        }
    }
    free(in);
    free(roots);
}

static int run(const char *name, int p, int type, void *x, void *y, int direction) {
    const transform t = {plans[p], x, y, direction, p};
    const size_t unit = type >> 6 ? 16 : 8;
    if (!t.f.here || t.f.type != type) return INVALID_PLAN;
    if ((uintptr_t)x % unit || (uintptr_t)y % unit) return UNALIGNED;
    if (!t.f.work || !t.f.stream) return INVALID_VALUE;
    const int code = refused(name);
    if (code) return code;
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    ((in_order *)dlsym(RTLD_DEFAULT, "stub_do"))(t.f.stream, work, &t, sizeof t);
    return 0;
}

int cufftExecC2C(int p, void *x, void *y, int way) { return run("ExecC2C", p, 0x29, x, y, way); }
int cufftExecZ2Z(int p, void *x, void *y, int way) { return run("ExecZ2Z", p, 0x69, x, y, way); }
int cufftExecR2C(int p, void *x, void *y) { return run("ExecR2C", p, 0x2a, x, y, -1); }
int cufftExecD2Z(int p, void *x, void *y) { return run("ExecD2Z", p, 0x6a, x, y, -1); }
int cufftExecC2R(int p, void *x, void *y) { return run("ExecC2R", p, 0x2c, x, y, 1); }
int cufftExecZ2D(int p, void *x, void *y) { return run("ExecZ2D", p, 0x6c, x, y, 1); }
