/* What nutpie calls: its signatures, on top of a compiled function's. */
#include <math.h>

typedef struct st_called {
    int (*run)(const double *x, double *first, double *second, void *data);
    void *data;
    uint64_t length, size;
} st_called;

typedef struct st_model { st_called density, expanded; } st_model;

ST_EXPORT int64_t st_nutpie_density(uint64_t length, const double *x, double *gradient,
                                    double *density, void *data) {
    const st_called *const called = &((const st_model *)data)->density;
    if (length != called->length) return -1;
    if (called->run(x, density, gradient, called->data) != 0) return 1;
    for (uint64_t k = 0; k < length; k++)
        if (!isfinite(gradient[k])) return 3;
    return isfinite(*density) ? 0 : 4;
}

ST_EXPORT int64_t st_nutpie_expanded(uint64_t length, uint64_t size, const double *x,
                                     double *values, void *data) {
    const st_called *const called = &((const st_model *)data)->expanded;
    if (length != called->length || size != called->size) return -1;
    return called->run(x, values, NULL, called->data) == 0 ? 0 : -2;
}
