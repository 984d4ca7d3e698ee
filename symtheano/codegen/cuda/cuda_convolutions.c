/* Convolutions, by cuDNN. Of its algorithms, those are used that have the same bits in each run, and add
   up products as they are: transforms would spread NaN and lose digits. */
#define ST_CUDNN_FUNCTIONS(each) \
    each(Create, cudnnCreate, (st_handle *)) \
    each(SetStream, cudnnSetStream, (st_handle, st_handle)) \
    each(CreateTensor, cudnnCreateTensorDescriptor, (st_handle *)) \
    each(SetTensor, cudnnSetTensorNdDescriptor, (st_handle, int, int, const int *, const int *)) \
    each(CreateFilter, cudnnCreateFilterDescriptor, (st_handle *)) \
    each(SetFilter, cudnnSetFilterNdDescriptor, (st_handle, int, int, int, const int *)) \
    each(CreateWindows, cudnnCreateConvolutionDescriptor, (st_handle *)) \
    each(SetWindows, cudnnSetConvolutionNdDescriptor, (st_handle, int, const int *, const int *, \
         const int *, int, int)) \
    each(SetGroups, cudnnSetConvolutionGroupCount, (st_handle, int)) \
    each(SetMath, cudnnSetConvolutionMathType, (st_handle, int)) \
    each(ResultSize, cudnnGetConvolutionForwardWorkspaceSize, (st_handle, st_handle, st_handle, \
         st_handle, st_handle, int, size_t *)) \
    each(Result, cudnnConvolutionForward, (st_handle, const void *, st_handle, const void *, \
         st_handle, const void *, st_handle, int, void *, size_t, const void *, st_handle, void *)) \
    each(ImageSize, cudnnGetConvolutionBackwardDataWorkspaceSize, (st_handle, st_handle, st_handle, \
         st_handle, st_handle, int, size_t *)) \
    each(Image, cudnnConvolutionBackwardData, (st_handle, const void *, st_handle, const void *, \
         st_handle, const void *, st_handle, int, void *, size_t, const void *, st_handle, void *)) \
    each(KernelSize, cudnnGetConvolutionBackwardFilterWorkspaceSize, (st_handle, st_handle, st_handle, \
         st_handle, st_handle, int, size_t *)) \
    each(Kernel, cudnnConvolutionBackwardFilter, (st_handle, const void *, st_handle, const void *, \
         st_handle, const void *, st_handle, int, void *, size_t, const void *, st_handle, void *))

static struct { ST_CUDNN_FUNCTIONS(ST_DECLARE) } cudnn;
static pthread_mutex_t st_cudnn_lock = PTHREAD_MUTEX_INITIALIZER;

/* What a device has of cuDNN: its handle, and descriptions of one convolution after the other. */
typedef struct st_cudnn { st_handle handle, image, kernel, result, windows; } st_cudnn;
static st_cudnn st_cudnns[ST_MOST_DEVICES];

/* Find what pools. */
static void st_find_poolings(void *library);

/* Load cuDNN. */
ST_EXPORT int32_t st_open_cudnn(const char *path) {
    void *const library = st_open_library(path);
    if (!library) return 1;
#define ST_FIND_OF_CUDNN(field, name, parameters) ST_FIND(cudnn.field, name)
    ST_CUDNN_FUNCTIONS(ST_FIND_OF_CUDNN)
    st_find_poolings(library);
    return 0;
}

/* What cuDNN has said the last time when it was asked for something with these lengths and alignments: only
   what it has done before may wait, as nobody else could do it then. */
enum { ST_ANSWERS = 128, ST_QUESTION_WORDS = 32 };
enum { ST_NOT_KNOWN, ST_DECLINED, ST_DONE };
typedef struct st_answer {
    int64_t question[ST_QUESTION_WORDS];
    int state, way; /* the way, and the memory, by which it has been done */
    size_t bytes;
} st_answer;
static st_answer st_answers[ST_ANSWERS];

/* The place of the answer to a question, which has words and then addresses. */
static st_answer *st_find_answer(int64_t kind, int32_t device, const void *asked, size_t bytes,
                                 size_t addresses) {
    int64_t question[ST_QUESTION_WORDS] = {kind, device};
    uint64_t mixed = 0;
    memcpy(question + 2, asked, bytes);
    for (size_t k = 2 + addresses / 8; k < 2 + bytes / 8; k++) {
        question[k] = st_alignment((const void *)(uintptr_t)question[k]);
    }
    for (int k = 0; k < ST_QUESTION_WORDS; k++) {
        mixed = (mixed ^ (uint64_t)question[k]) * 0x9e3779b97f4a7c15u;
    }
    st_answer *const answer = &st_answers[mixed >> 32 & (ST_ANSWERS - 1)];
    if (memcmp(answer->question, question, sizeof question) != 0) {
        *answer = (st_answer){.state = ST_NOT_KNOWN};
        memcpy(answer->question, question, sizeof question);
    }
    return answer;
}

/* What is wrong if cuDNN does not do again what it has done. */
static int32_t st_again(int32_t failed, st_answer *answer) {
    if (failed != ST_REFUSED) return failed;
    answer->state = ST_DECLINED;
    snprintf(st_why, sizeof st_why, "cuDNN refuses what it has done before");
    return 1;
}

/* What cuDNN 9 says of arguments and of what it lacks, before it computes anything: refusals. */
static int32_t st_cudnn_failed(const char *what, int code) {
    if (code >= 1000 && code < 4000) return ST_REFUSED;
    snprintf(st_why, sizeof st_why, "cuDNN: %s (cuDNN error %d)", what, code);
    return 1;
}

static int32_t st_cudnn_code(const char *what, int code) {
    return code == 0 ? 0 : st_cudnn_failed(what, code);
}

/* Ask cuDNN, and leave the function if it fails or refuses. */
#define ST_CUDNN(name, ...) \
    do { \
        const int st_code = cudnn.name(__VA_ARGS__); \
        if (st_code != 0) return st_cudnn_failed(#name, st_code); \
    } while (0)

static int32_t st_begin_cudnn(st_cudnn *d) {
    if (!d->handle) ST_CUDNN(Create, &d->handle);
    if (!d->image) ST_CUDNN(CreateTensor, &d->image);
    if (!d->result) ST_CUDNN(CreateTensor, &d->result);
    if (!d->kernel) ST_CUDNN(CreateFilter, &d->kernel);
    if (!d->windows) ST_CUDNN(CreateWindows, &d->windows);
    return 0;
}

/* Multiply a size by a length of at least 1; false if cuDNN, which has 32 bits, can't represent it. */
static bool st_extend(int64_t *size, int64_t length) {
    if (length < 1 || length > INT_MAX) return false;
    *size *= length;
    return *size <= INT_MAX;
}

/* Whether sizes are those of cuDNN, and borders the same at both ends; and, for gradients, no distances
   in the kernel: not all its algorithms have them. */
static bool st_is_convolution(const st_convolve *c) {
    const int64_t i[] = {c->i0, c->i1, c->i2}, k[] = {c->k0, c->k1, c->k2}, t[] = {c->t0, c->t1, c->t2};
    const int64_t p[] = {c->p0, c->p1, c->p2}, s[] = {c->s0, c->s1, c->s2}, d[] = {c->d0, c->d1, c->d2};
    const int64_t farthest = c->kind == ST_FOR_RESULT ? INT_MAX : 1;
    int64_t images = 1, kernels = 1, results = 1;
    bool fits = st_extend(&images, c->n) && st_extend(&images, c->groups) && st_extend(&images, c->c);
    fits = fits && st_extend(&kernels, c->groups) && st_extend(&kernels, c->o) && st_extend(&kernels, c->c);
    fits = fits && st_extend(&results, c->n) && st_extend(&results, c->groups) && st_extend(&results, c->o);
    for (int a = 0; a < 3 && fits; a++) {
        fits = st_extend(&images, i[a]) && st_extend(&kernels, k[a]) && st_extend(&results, t[a]);
        if (!fits || p[a] < 0 || p[a] > INT_MAX || s[a] > INT_MAX || d[a] > farthest) return false;
        const int64_t left = i[a] + 2 * p[a] - (k[a] - 1) * d[a] - 1 - (t[a] - 1) * s[a];
        if (left < 0 || left >= s[a]) return false;
    }
    return fits;
}

/* Describe an array in C order, by a number of axes, the last ones of these. */
static int32_t st_describe_tensor(st_handle tensor, int type, int axes, const int *lengths) {
    int steps[5], step = 1;
    for (int k = axes; k-- > 0; step *= lengths[k]) steps[k] = step;
    ST_CUDNN(SetTensor, tensor, type, axes, lengths, steps);
    return 0;
}

/* Describe a convolution. One along three axes that are not the first one's is one along two. */
static int32_t st_describe_convolution(const st_cudnn *d, const st_convolve *c) {
    const bool flat = c->i0 == 1 && c->k0 == 1 && c->t0 == 1 && c->p0 == 0;
    const int axes = flat ? 4 : 5, skipped = flat ? 1 : 0;
    const int image[] = {(int)c->i0, (int)c->i1, (int)c->i2}, result[] = {(int)c->t0, (int)c->t1, (int)c->t2};
    const int kernel[] = {(int)c->k0, (int)c->k1, (int)c->k2}, pad[] = {(int)c->p0, (int)c->p1, (int)c->p2};
    const int stride[] = {(int)c->s0, (int)c->s1, (int)c->s2}, apart[] = {(int)c->d0, (int)c->d1, (int)c->d2};
    int images[5] = {(int)c->n, (int)(c->groups * c->c)}, results[5] = {(int)c->n, (int)(c->groups * c->o)};
    int kernels[5] = {(int)(c->groups * c->o), (int)c->c};
    for (int k = skipped; k < 3; k++) {
        images[k - skipped + 2] = image[k];
        results[k - skipped + 2] = result[k];
        kernels[k - skipped + 2] = kernel[k];
    }
    int32_t code = st_describe_tensor(d->image, c->type, axes, images);
    if (code == 0) code = st_describe_tensor(d->result, c->type, axes, results);
    if (code != 0) return code;
    ST_CUDNN(SetFilter, d->kernel, c->type, 0, axes, kernels);
    ST_CUDNN(SetWindows, d->windows, axes - 2, pad + skipped, stride + skipped, apart + skipped,
             c->flip ? 0 : 1, c->type);
    ST_CUDNN(SetGroups, d->windows, (int)c->groups);
    ST_CUDNN(SetMath, d->windows, c->tf32 ? 0 : 3); /* products and sums, with TF32 or without */
    return 0;
}

/* Choose an algorithm of a convolution that is described, and tell how much memory it needs. */
static int32_t st_choose_way(const st_cudnn *d, const st_convolve *c, int *way, size_t *bytes) {
    *way = 1; /* implicit products; for results, with indices that are computed before */
    if (c->kind == ST_FOR_IMAGE) {
        ST_CUDNN(ImageSize, d->handle, d->kernel, d->result, d->windows, d->image, *way, bytes);
    } else if (c->kind == ST_FOR_KERNEL) {
        ST_CUDNN(KernelSize, d->handle, d->image, d->result, d->windows, d->kernel, *way, bytes);
    } else if (cudnn.ResultSize(d->handle, d->image, d->kernel, d->windows, d->result, *way, bytes) != 0) {
        *way = 0;
        ST_CUDNN(ResultSize, d->handle, d->image, d->kernel, d->windows, d->result, *way, bytes);
    }
    return 0;
}

/* Begin a convolution on a stream. */
static int32_t st_begin_convolution(st_cudnn *d, st_handle stream, const st_convolve *c) {
    const int32_t code = st_begin_cudnn(d);
    if (code != 0) return code;
    ST_CUDNN(SetStream, d->handle, stream);
    return st_describe_convolution(d, c);
}

/* Compute a convolution that has begun. */
static int32_t st_convolve_by(const st_cudnn *d, const st_convolve *c, int way, void *work, size_t bytes) {
    static const float scales[] = {1, 0};
    static const double wide_scales[] = {1, 0};
    const void *const one = c->type ? (const void *)wide_scales : scales;
    const void *const none = c->type ? (const void *)(wide_scales + 1) : scales + 1;
    if (c->kind == ST_FOR_RESULT) {
        ST_CUDNN(Result, d->handle, one, d->image, c->image, d->kernel, c->kernel, d->windows, way, work,
                 bytes, none, d->result, c->output);
    } else if (c->kind == ST_FOR_IMAGE) {
        ST_CUDNN(Image, d->handle, one, d->kernel, c->kernel, d->result, c->result, d->windows, way, work,
                 bytes, none, d->image, c->output);
    } else {
        ST_CUDNN(Kernel, d->handle, one, d->image, c->image, d->result, c->result, d->windows, way, work,
                 bytes, none, d->kernel, c->output);
    }
    return 0;
}

/* A convolution with all that it needs; there are no bytes between the fields. */
typedef struct st_waiting_convolution {
    st_convolve asked;
    void *work;
    uint64_t bytes;
    int64_t way;
} st_waiting_convolution;

static st_answer *st_find_convolution(int32_t device, const st_convolve *c) {
    return st_find_answer(ST_CONVOLUTION, device, c, sizeof *c, offsetof(st_convolve, image));
}

static int32_t st_issue_convolution(int32_t device, st_handle stream, const st_slot *slots) {
    st_cudnn *const d = &st_cudnns[device];
    st_waiting_convolution w;
    memcpy(&w, slots, sizeof w);
    pthread_mutex_lock(&st_cudnn_lock);
    int32_t failed = st_begin_convolution(d, stream, &w.asked);
    if (!failed) failed = st_convolve_by(d, &w.asked, (int)w.way, w.work, w.bytes);
    if (failed) failed = st_again(failed, st_find_convolution(device, &w.asked));
    pthread_mutex_unlock(&st_cudnn_lock);
    return failed;
}

/* Compute a convolution for the first time; nothing else waits. */
static int32_t st_convolve_at_once(int32_t device, st_cuda_call *call, const st_convolve *c) {
    st_cudnn *const d = &st_cudnns[device];
    int way = 0;
    size_t bytes = 0;
    int32_t failed = st_begin_convolution(d, call->stream, c);
    if (!failed) failed = st_choose_way(d, c, &way, &bytes);
    void *const work = failed ? NULL : st_work_memory(call, (int64_t)bytes);
    if (!failed) failed = !work ? 1 : st_convolve_by(d, c, way, work, bytes);
    if (failed != 0 && failed != ST_REFUSED) return failed;
    st_answer *const answer = st_find_convolution(device, c);
    answer->state = failed ? ST_DECLINED : ST_DONE;
    answer->way = way, answer->bytes = bytes;
    return failed;
}

static int32_t st_cuda_convolve(st_call *base, const st_convolve *c) {
    st_cuda_call *const call = (st_cuda_call *)base;
    const int32_t device = ((const st_module *)base->driver)->device;
    if (!st_is_convolution(c)) return ST_REFUSED;
    pthread_mutex_lock(&st_cudnn_lock);
    const st_answer answer = *st_find_convolution(device, c);
    pthread_mutex_unlock(&st_cudnn_lock);
    if (answer.state == ST_DECLINED) return ST_REFUSED;
    if (answer.state == ST_DONE) {
        void *const work = st_work_memory(call, (int64_t)answer.bytes);
        if (!work) return 1;
        const st_waiting_convolution waiting = {*c, work, answer.bytes, answer.way};
        if (st_let_wait(call, ST_CONVOLUTION, &waiting, sizeof waiting)) return 0;
    }
    if (st_capturing) return st_refuse_capture(ST_NOT_ASKED_YET);
    if (st_flush(call->queue) != 0) return 1;
    pthread_mutex_lock(&st_cudnn_lock);
    const int32_t failed = st_convolve_at_once(device, call, c);
    pthread_mutex_unlock(&st_cudnn_lock);
    return failed;
}
