/* A cuDNN that convolves on the processor by the definition, for tests of the driver.
   STUB_CUDNN_FAIL="Result 7" lets this function return 7. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID = 3, UNSUPPORTED = 3000, WORK = 256 };

static int calls, flat, tf32s;
int stub_tf32s(void) { return tf32s; }
int stub_convolutions(void) { return calls; }
int stub_flat_convolutions(void) { return flat; }

static int refused(const char *name) {
    const char *const wish = getenv("STUB_CUDNN_FAIL");
    char wanted[64];
    int code;
    if (!wish || sscanf(wish, "%63s %d", wanted, &code) != 2 || strcmp(wanted, name)) return 0;
    return code;
}

typedef struct { int type, axes, lengths[5]; } array;
typedef struct { int axes, pad[3], stride[3], apart[3], mode, type, groups, math; } windows;
typedef struct { void *stream; } handle;

int cudnnCreate(handle **made) { *made = calloc(1, sizeof(handle)); return refused("Create"); }
int cudnnSetStream(handle *h, void *stream) { h->stream = stream; return refused("SetStream"); }
int cudnnCreateTensorDescriptor(array **made) { *made = calloc(1, sizeof(array)); return 0; }
int cudnnCreateFilterDescriptor(array **made) { *made = calloc(1, sizeof(array)); return 0; }
int cudnnCreateConvolutionDescriptor(windows **made) { *made = calloc(1, sizeof(windows)); return 0; }

static int describe(array *a, int type, int axes, const int *lengths) {
    *a = (array){type, axes};
    for (int k = 0; k < axes; k++) {
        if (lengths[k] < 1) return INVALID;
        a->lengths[k] = lengths[k];
    }
    return axes < 4 || axes > 5 ? INVALID : 0;
}
int cudnnSetTensorNdDescriptor(array *a, int type, int axes, const int *lengths, const int *steps) {
    int step = 1;
    for (int k = axes; k-- > 0; step *= lengths[k]) {
        if (steps[k] != step) return INVALID;
    }
    return describe(a, type, axes, lengths);
}
int cudnnSetFilterNdDescriptor(array *a, int type, int format, int axes, const int *lengths) {
    return format == 0 ? describe(a, type, axes, lengths) : INVALID;
}
int cudnnSetConvolutionNdDescriptor(windows *w, int axes, const int *pad, const int *stride,
                                    const int *apart, int mode, int type) {
    *w = (windows){.axes = axes, .mode = mode, .type = type, .groups = 1};
    for (int k = 0; k < axes; k++) {
        if (pad[k] < 0 || stride[k] < 1 || apart[k] < 1) return INVALID;
        w->pad[k] = pad[k], w->stride[k] = stride[k], w->apart[k] = apart[k];
    }
    return 0;
}
int cudnnSetConvolutionGroupCount(windows *w, int groups) { w->groups = groups; return 0; }
int cudnnSetConvolutionMathType(windows *w, int math) { w->math = math; return 0; }

/* The lengths along three axes; the first one is 1 where there are two. */
typedef struct { int type, made, n, groups, c, o, i[3], k[3], t[3], p[3], s[3], d[3], turned; } sizes;
typedef struct { sizes z; const void *first, *second; void *made, *work; } task;

static int size_of(const array *x, const array *w, const windows *v, const array *y, sizes *z) {
    const int axes = v->axes, skipped = 3 - axes;
    if (x->axes != axes + 2 || y->axes != axes + 2 || w->axes != axes + 2) return INVALID;
    if (v->math != 3 && v->math != 0) return INVALID;
    if (x->type != v->type || y->type != v->type || w->type != v->type) return INVALID;
    *z = (sizes){.type = v->type, .n = x->lengths[0], .groups = v->groups, .c = w->lengths[1],
                 .o = w->lengths[0] / v->groups, .turned = v->mode == 0};
    if (x->lengths[1] != z->groups * z->c || y->lengths[1] != w->lengths[0]) return INVALID;
    if (y->lengths[0] != z->n || w->lengths[0] % z->groups) return INVALID;
    for (int a = 0; a < 3; a++) {
        const int here = a - skipped;
        z->i[a] = here < 0 ? 1 : x->lengths[here + 2];
        z->k[a] = here < 0 ? 1 : w->lengths[here + 2];
        z->t[a] = here < 0 ? 1 : y->lengths[here + 2];
        z->p[a] = here < 0 ? 0 : v->pad[here];
        z->s[a] = here < 0 ? 1 : v->stride[here];
        z->d[a] = here < 0 ? 1 : v->apart[here];
        const int left = z->i[a] + 2 * z->p[a] - ((z->k[a] - 1) * z->d[a] + 1);
        if (left < 0 || z->t[a] != left / z->s[a] + 1) return INVALID;
    }
    return 0;
}

/* Pooling: largest elements with NaN as they are, and means. */
typedef struct { int mode, axes, k[3], pad[3], s[3]; } pooling;
typedef struct { pooling p; int type, n, i[3], t[3]; const void *x; void *made; } pool_task;
static int pools;
int stub_pools(void) { return pools; }
static double at(const void *x, int type, int64_t k);

int cudnnCreatePoolingDescriptor(pooling **made) { *made = calloc(1, sizeof(pooling)); return refused("CreatePooling"); }
int cudnnSetPoolingNdDescriptor(pooling *p, int mode, int nan, int axes, const int *k, const int *pad,
                                const int *s) {
    if (mode < 0 || mode > 2 || nan != 1 || axes < 2 || axes > 3) return INVALID;
    *p = (pooling){mode, axes, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}};
    for (int a = 0; a < axes; a++) {
        const int at = 3 - axes + a;
        p->k[at] = k[a], p->pad[at] = pad[a], p->s[at] = s[a];
        if (pad[a] >= k[a] || pad[a] < 0 || s[a] < 1) return INVALID;
    }
    return 0;
}
static void pool(const void *given) {
    const pool_task g = *(const pool_task *)given;
    const pooling *const p = &g.p;
    int64_t made = 0;
    for (int64_t n = 0; n < g.n; n++)
    for (int t0 = 0; t0 < g.t[0]; t0++)
    for (int t1 = 0; t1 < g.t[1]; t1++)
    for (int t2 = 0; t2 < g.t[2]; t2++, made++) {
        double sum = 0, most = -HUGE_VAL;
        int count = 0;
        for (int k0 = 0; k0 < p->k[0]; k0++)
        for (int k1 = 0; k1 < p->k[1]; k1++)
        for (int k2 = 0; k2 < p->k[2]; k2++) {
            const int i0 = t0 * p->s[0] + k0 - p->pad[0], i1 = t1 * p->s[1] + k1 - p->pad[1];
            const int i2 = t2 * p->s[2] + k2 - p->pad[2];
            if (i0 < 0 || i0 >= g.i[0] || i1 < 0 || i1 >= g.i[1] || i2 < 0 || i2 >= g.i[2]) continue;
            const double x = at(g.x, g.type, ((n * g.i[0] + i0) * g.i[1] + i1) * g.i[2] + i2);
            sum += x, count++;
            if (isnan(x) || x > most) most = x;
            if (isnan(most)) most = NAN;
        }
        const double mean = sum / (p->mode == 1 ? p->k[0] * p->k[1] * p->k[2] : count);
        const double value = p->mode == 0 ? most : mean;
        if (g.type) ((double *)g.made)[made] = value;
        else ((float *)g.made)[made] = value;
    }
}
int cudnnPoolingForward(handle *h, const pooling *p, const void *one, const array *x, const void *given,
                        const void *none, const array *y, void *made) {
    pool_task t = {*p, x->type, x->lengths[0] * x->lengths[1], {1, 1, 1}, {1, 1, 1}, given, made};
    const int code = refused("Pool");
    if (code) return code;
    if (x->axes != p->axes + 2 || y->axes != x->axes || at(one, x->type, 0) != 1 || at(none, x->type, 0) != 0) {
        return INVALID;
    }
    for (int a = 0; a < p->axes; a++) {
        const int at = 3 - p->axes + a;
        t.i[at] = x->lengths[a + 2], t.t[at] = y->lengths[a + 2];
        if (t.t[at] != (t.i[at] + 2 * p->pad[at] - p->k[at]) / p->s[at] + 1) return INVALID;
    }
    pools++;
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    ((in_order *)dlsym(RTLD_DEFAULT, "stub_do"))(h->stream, pool, &t, sizeof t);
    return 0;
}

static double at(const void *x, int type, int64_t k) {
    return type ? ((const double *)x)[k] : ((const float *)x)[k];
}

static int64_t place(const int *lengths, const int *at) {
    return ((int64_t)at[0] * lengths[1] + at[1]) * lengths[2] + at[2];
}

static void work(const void *given) {
    const task g = *(const task *)given;
    const sizes *const z = &g.z;
    const int64_t is = (int64_t)z->i[0] * z->i[1] * z->i[2], ks = (int64_t)z->k[0] * z->k[1] * z->k[2];
    const int64_t ts = (int64_t)z->t[0] * z->t[1] * z->t[2];
    const int64_t sizes_[] = {z->n * z->groups * z->o * ts, z->n * z->groups * z->c * is,
                              z->groups * z->o * z->c * ks};
    double *const sums = calloc(sizes_[z->made], sizeof *sums);
    memset(g.work, 0xff, WORK);
    for (int64_t n = 0; n < z->n; n++)
    for (int64_t u = 0; u < z->groups; u++)
    for (int64_t o = 0; o < z->o; o++)
    for (int64_t c = 0; c < z->c; c++)
    for (int64_t t = 0; t < ts; t++)
    for (int64_t k = 0; k < ks; k++) {
        const int tt[] = {t / (z->t[1] * z->t[2]), t / z->t[2] % z->t[1], t % z->t[2]};
        const int kk[] = {k / (z->k[1] * z->k[2]), k / z->k[2] % z->k[1], k % z->k[2]};
        int ii[3], inside = 1;
        for (int a = 0; a < 3; a++) {
            const int tap = z->turned ? z->k[a] - 1 - kk[a] : kk[a];
            ii[a] = tt[a] * z->s[a] + tap * z->d[a] - z->p[a];
            inside &= ii[a] >= 0 && ii[a] < z->i[a];
        }
        if (!inside) continue;
        const int64_t x = ((n * z->groups + u) * z->c + c) * is + place(z->i, ii);
        const int64_t w = ((u * z->o + o) * z->c + c) * ks + k, y = ((n * z->groups + u) * z->o + o) * ts + t;
        if (z->made == 0) sums[y] += at(g.first, z->type, x) * at(g.second, z->type, w);
        if (z->made == 1) sums[x] += at(g.first, z->type, w) * at(g.second, z->type, y);
        if (z->made == 2) sums[w] += at(g.first, z->type, x) * at(g.second, z->type, y);
    }
    for (int64_t k = 0; k < sizes_[z->made]; k++) {
        if (z->type) ((double *)g.made)[k] = sums[k];
        else ((float *)g.made)[k] = sums[k];
    }
    free(sums);
}

static int run(const char *name, int made, handle *h, const array *x, const array *w, const windows *v,
               const array *y, const void *one, const void *none, const void *first, const void *second,
               void *to, int way, void *there, size_t bytes) {
    task t = {.first = first, .second = second, .made = to, .work = there};
    int code = refused(name);
    if (code || (code = size_of(x, w, v, y, &t.z))) return code;
    if (bytes != WORK || !there || !h->stream || at(one, v->type, 0) != 1 || at(none, v->type, 0) != 0) {
        return INVALID;
    }
    t.z.made = made;
    calls++;
    flat += v->axes == 2;
    tf32s += v->math == 0;
    typedef void in_order(void *, void (*)(const void *), const void *, size_t);
    ((in_order *)dlsym(RTLD_DEFAULT, "stub_do"))(h->stream, work, &t, sizeof t);
    return 0;
}

static int measure(const char *name, const array *x, const array *w, const windows *v, const array *y,
                   int way, size_t *bytes) {
    sizes z;
    *bytes = WORK;
    const int code = refused(name);
    return code ? code : way > 1 ? UNSUPPORTED : size_of(x, w, v, y, &z);
}

int cudnnGetConvolutionForwardWorkspaceSize(handle *h, array *x, array *w, windows *v, array *y, int way,
                                            size_t *bytes) {
    /* the library takes the second algorithm for other shapes only */
    if (way == 1 && x->lengths[1] == 5) return UNSUPPORTED;
    return measure("ResultSize", x, w, v, y, way, bytes);
}
int cudnnConvolutionForward(handle *h, void *one, array *x, void *image, array *w, void *kernel, windows *v,
                            int way, void *there, size_t bytes, void *none, array *y, void *result) {
    return run("Result", 0, h, x, w, v, y, one, none, image, kernel, result, way, there, bytes);
}
int cudnnGetConvolutionBackwardDataWorkspaceSize(handle *h, array *w, array *y, windows *v, array *x,
                                                 int way, size_t *bytes) {
    return way == 1 ? measure("ImageSize", x, w, v, y, way, bytes) : UNSUPPORTED;
}
int cudnnConvolutionBackwardData(handle *h, void *one, array *w, void *kernel, array *y, void *result,
                                 windows *v, int way, void *there, size_t bytes, void *none, array *x,
                                 void *image) {
    return run("Image", 1, h, x, w, v, y, one, none, kernel, result, image, way, there, bytes);
}
int cudnnGetConvolutionBackwardFilterWorkspaceSize(handle *h, array *x, array *y, windows *v, array *w,
                                                   int way, size_t *bytes) {
    return way == 1 ? measure("KernelSize", x, w, v, y, way, bytes) : UNSUPPORTED;
}
int cudnnConvolutionBackwardFilter(handle *h, void *one, array *x, void *image, array *y, void *result,
                                   windows *v, int way, void *there, size_t bytes, void *none, array *w,
                                   void *kernel) {
    return run("Kernel", 2, h, x, w, v, y, one, none, image, result, kernel, way, there, bytes);
}
