/* What this machine can do, as one JSON object: memory traffic, multiply-adds, functions.

   The loops are ordinary C that the compiler vectorizes; the number of threads is
   OpenMP's. Every rate is the best of many short passes. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void) { return 1; }
#endif

#define VECTOR __attribute__((simd("notinbranch"), const))
VECTOR float expf(float);
VECTOR float logf(float);
VECTOR float sinf(float);
VECTOR float tanhf(float);
VECTOR float erff(float);
VECTOR double exp(double);
VECTOR double log(double);
VECTOR double sin(double);
VECTOR double tanh(double);
VECTOR double erf(double);

enum { LENGTH = 6000000, SHORT = 2048, CHAINS = 12, SUMS = 64 };

static volatile double sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

#define BEST(label, work, passes, ...)                                     \
    do {                                                                   \
        double best = 1e30;                                                \
        for (int pass = 0; pass < (passes); pass++) {                      \
            double taken = -now();                                         \
            __VA_ARGS__;                                                   \
            taken += now();                                                \
            if (taken < best)                                              \
                best = taken;                                              \
        }                                                                  \
        printf("\"%s\": %.6g,\n", label, (double)(work) / best);           \
    } while (0)

#define MULTIPLY_ADD(name, type)                                           \
    static void name(long count)                                           \
    {                                                                      \
        _Pragma("omp parallel")                                            \
        {                                                                  \
            typedef type vector __attribute__((vector_size(WIDTH)));       \
            vector a[CHAINS], b, c, sum = {0};                             \
            for (size_t k = 0; k < WIDTH / sizeof(type); k++) {            \
                b[k] = (type)0.999999;                                     \
                c[k] = (type)1e-7;                                         \
            }                                                              \
            for (int i = 0; i < CHAINS; i++)                               \
                a[i] = b;                                                  \
            for (long n = 0; n < count; n++) {                             \
                _Pragma("GCC unroll 12")                                   \
                for (int i = 0; i < CHAINS; i++)                           \
                    a[i] = a[i] * b + c;                                   \
            }                                                              \
            for (int i = 0; i < CHAINS; i++)                               \
                sum += a[i];                                               \
            sink = sum[0];                                                 \
        }                                                                  \
    }

#ifdef __AVX512F__
#define WIDTH 64
#elif defined(__AVX__)
#define WIDTH 32
#else
#define WIDTH 16
#endif
MULTIPLY_ADD(multiply_add_f32, float)
MULTIPLY_ADD(multiply_add_f64, double)

#define MAP(name, type, expression)                                        \
    static void name(const type *restrict x, type *restrict y, long repeat) \
    {                                                                      \
        _Pragma("omp parallel")                                            \
        {                                                                  \
            type mine[SHORT], result[SHORT];                               \
            memcpy(mine, x, sizeof mine);                                  \
            for (long r = 0; r < repeat; r++) {                            \
                _Pragma("omp simd")                                        \
                for (int i = 0; i < SHORT; i++) {                          \
                    type v = mine[i];                                      \
                    result[i] = expression;                                \
                }                                                          \
                __asm__ volatile("" :: "r"(mine), "r"(result) : "memory"); \
            }                                                              \
            _Pragma("omp critical")                                        \
            memcpy(y, result, sizeof result);                              \
        }                                                                  \
    }
MAP(map_exp_f32, float, expf(v))
MAP(map_exp_f64, double, exp(v))
MAP(map_log_f32, float, logf(v))
MAP(map_log_f64, double, log(v))
MAP(map_sin_f32, float, sinf(v))
MAP(map_sin_f64, double, sin(v))
MAP(map_tanh_f32, float, tanhf(v))
MAP(map_tanh_f64, double, tanh(v))
MAP(map_erf_f32, float, erff(v))
MAP(map_erf_f64, double, erf(v))

/* In huge pages, as NumPy asks for. */
static double *array(void)
{
    size_t page = 1 << 21;
    size_t size = (LENGTH * sizeof(double) + page - 1) / page * page;
    double *memory = aligned_alloc(page, size);
#ifdef MADV_HUGEPAGE
    if (memory)
        madvise(memory, size, MADV_HUGEPAGE);
#endif
    return memory;
}

int main(void)
{
    int threads = omp_get_max_threads();
    double *a = array(), *b = array(), *c = array();
    if (!a || !b || !c)
        return 1;
#pragma omp parallel for
    for (long i = 0; i < LENGTH; i++) {
        a[i] = 1;
        b[i] = 2;
        c[i] = 0.5;
    }
    printf("{\n\"threads\": %d,\n", threads);
    BEST("copy", LENGTH * 16.0, 150, _Pragma("omp parallel for simd")
         for (long i = 0; i < LENGTH; i++) c[i] = a[i]);
    BEST("memcpy", LENGTH * 16.0, 150, _Pragma("omp parallel for")
         for (int t = 0; t < threads; t++) {
             long part = LENGTH / threads;
             memcpy(c + t * part, a + t * part, part * sizeof *c);
         });
    BEST("triad", LENGTH * 24.0, 150, _Pragma("omp parallel for simd")
         for (long i = 0; i < LENGTH; i++) a[i] = b[i] + 3.0 * c[i]);
    double sums[SUMS] = {0};
    BEST("read", LENGTH * 8.0, 150, _Pragma("omp parallel for reduction(+ : sums[:SUMS])")
         for (long i = 0; i < LENGTH; i += SUMS)
             for (int k = 0; k < SUMS; k++) sums[k] += a[i + k]);
    sink = sums[0];

    long count = 400000;
    double vector = WIDTH * 2.0 * CHAINS * count * threads;
    BEST("flops_float32", vector / sizeof(float), 150, multiply_add_f32(count));
    BEST("flops_float64", vector / sizeof(double), 150, multiply_add_f64(count));

    static float x32[SHORT], y32[SHORT];
    static double x64[SHORT], y64[SHORT];
    for (int i = 0; i < SHORT; i++)
        x32[i] = x64[i] = 0.1 + 3.0 * i / SHORT;
    long repeat = 400;
    double elements = (double)SHORT * repeat * threads;
#define RATES(f)                                                           \
    BEST(#f "_float32", elements, 30, map_##f##_f32(x32, y32, repeat));    \
    BEST(#f "_float64", elements, 30, map_##f##_f64(x64, y64, repeat))
    RATES(exp);
    RATES(log);
    RATES(sin);
    RATES(tanh);
    RATES(erf);
    printf("\"end\": 0\n}\n");
    return 0;
}
