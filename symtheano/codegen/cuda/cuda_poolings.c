/* Largest elements and means of windows, by cuDNN. Their gradients are kernels of ours: cuDNN gives the slope
   of equal largest elements to one of them. */
static struct {
    int (*create)(st_handle *);
    int (*describe)(st_handle, int, int, int, const int *, const int *, const int *);
    int (*pool)(st_handle, st_handle, const void *, st_handle, const void *, const void *, st_handle, void *);
} cudnn_pools;
static st_handle st_pools[ST_MOST_DEVICES];

static void st_find_poolings(void *library) {
    *(void **)&cudnn_pools.create = dlsym(library, "cudnnCreatePoolingDescriptor");
    *(void **)&cudnn_pools.describe = dlsym(library, "cudnnSetPoolingNdDescriptor");
    *(void **)&cudnn_pools.pool = dlsym(library, "cudnnPoolingForward");
}

/* How many items are channels: blocks of a launch are limited along some axes, and items are many. */
static int64_t st_channels(int64_t items) {
    const int64_t most = 1 << 10, even = items & -items;
    return even < most ? even : most;
}

/* Whether windows are those of cuDNN: each has an element, and none goes beyond the border. */
static bool st_is_pooling(const st_pooling *p) {
    const int64_t i[] = {p->i0, p->i1, p->i2}, t[] = {p->t0, p->t1, p->t2}, k[] = {p->k0, p->k1, p->k2};
    const int64_t s[] = {p->s0, p->s1, p->s2}, pad[] = {p->p0, p->p1, p->p2};
    int64_t image = 1, result = 1;
    bool fits = cudnn_pools.create && cudnn_pools.describe && cudnn_pools.pool;
    fits = fits && st_extend(&image, p->n) && st_extend(&result, p->n);
    for (int a = 0; a < 3 && fits; a++) {
        fits = st_extend(&image, i[a]) && st_extend(&result, t[a]) && k[a] >= 1 && k[a] <= INT_MAX;
        if (!fits || s[a] < 1 || s[a] > INT_MAX || pad[a] < 0 || pad[a] >= k[a]) return false;
        const int64_t left = i[a] + 2 * pad[a] - k[a] - (t[a] - 1) * s[a];
        fits = left >= 0 && left < s[a];
    }
    return fits && p->n / st_channels(p->n) < 1 << 16;
}

static int32_t st_pool_on(st_cudnn *d, st_handle *pool, st_handle stream, const st_pooling *p) {
    static const float scales[] = {1, 0};
    static const double wide_scales[] = {1, 0};
    const void *const one = p->type ? (const void *)wide_scales : scales;
    const void *const none = p->type ? (const void *)(wide_scales + 1) : scales + 1;
    const bool flat = p->i0 == 1 && p->k0 == 1 && p->t0 == 1 && p->p0 == 0;
    const int axes = flat ? 2 : 3, skipped = 3 - axes;
    const int i[] = {(int)p->i0, (int)p->i1, (int)p->i2}, t[] = {(int)p->t0, (int)p->t1, (int)p->t2};
    const int k[] = {(int)p->k0, (int)p->k1, (int)p->k2}, s[] = {(int)p->s0, (int)p->s1, (int)p->s2};
    const int pad[] = {(int)p->p0, (int)p->p1, (int)p->p2};
    const int channels = (int)st_channels(p->n), items = (int)(p->n / channels);
    int images[5] = {items, channels}, results[5] = {items, channels};
    memcpy(images + 2, i + skipped, (size_t)axes * sizeof *i);
    memcpy(results + 2, t + skipped, (size_t)axes * sizeof *t);
    int32_t code = st_begin_cudnn(d);
    if (code == 0 && !*pool) code = st_cudnn_code("CreatePooling", cudnn_pools.create(pool));
    if (code == 0) code = st_cudnn_code("SetStream", cudnn.SetStream(d->handle, stream));
    if (code == 0) code = st_describe_tensor(d->image, p->type, axes + 2, images);
    if (code == 0) code = st_describe_tensor(d->result, p->type, axes + 2, results);
    if (code == 0) { /* NaN stays what it is; the border counts for means, or does not */
        const int refused = cudnn_pools.describe(*pool, (int)p->counted, 1, axes, k + skipped, pad + skipped,
                                                 s + skipped);
        code = st_cudnn_code("SetPooling", refused);
    }
    if (code != 0) return code;
    return st_cudnn_code("Pool", cudnn_pools.pool(d->handle, *pool, one, d->image, p->x, none, d->result,
                                                  p->output));
}

static st_answer *st_find_pooling(int32_t device, const st_pooling *p) {
    return st_find_answer(ST_WINDOWS, device, p, sizeof *p, offsetof(st_pooling, x));
}

static int32_t st_issue_windows(int32_t device, st_handle stream, const st_slot *slots) {
    st_pooling asked;
    memcpy(&asked, slots, sizeof asked);
    pthread_mutex_lock(&st_cudnn_lock);
    int32_t failed = st_pool_on(&st_cudnns[device], &st_pools[device], stream, &asked);
    if (failed) failed = st_again(failed, st_find_pooling(device, &asked));
    pthread_mutex_unlock(&st_cudnn_lock);
    return failed;
}

static int32_t st_cuda_pooling(st_call *base, const st_pooling *p) {
    st_cuda_call *const call = (st_cuda_call *)base;
    const int32_t device = ((const st_module *)base->driver)->device;
    if (!st_is_pooling(p)) return ST_REFUSED;
    pthread_mutex_lock(&st_cudnn_lock);
    const int state = st_find_pooling(device, p)->state;
    pthread_mutex_unlock(&st_cudnn_lock);
    if (state == ST_DECLINED) return ST_REFUSED;
    if (state == ST_DONE && st_let_wait(call, ST_WINDOWS, p, sizeof *p)) return 0;
    if (st_capturing) return st_refuse_capture(ST_NOT_ASKED_YET);
    if (st_flush(call->queue) != 0) return 1;
    pthread_mutex_lock(&st_cudnn_lock);
    const int32_t failed = st_pool_on(&st_cudnns[device], &st_pools[device], call->stream, p);
    if (failed == 0 || failed == ST_REFUSED) {
        st_find_pooling(device, p)->state = failed ? ST_DECLINED : ST_DONE;
    }
    pthread_mutex_unlock(&st_cudnn_lock);
    return failed;
}
