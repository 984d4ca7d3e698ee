/* Bytes of vectors: wider ones than the processor has are not compared at once. */
#ifdef __AVX__
#define ST_POOL_VECTOR 32
#define ST_POOL_LANES(wide, narrow) ST_POOL_LIST wide
#else
#define ST_POOL_VECTOR 16
#define ST_POOL_LANES(wide, narrow) ST_POOL_LIST narrow
#endif
#define ST_POOL_LIST(...) __VA_ARGS__

/* Windows over n images. i and t are the lengths of images and results along three axes, k those of
   a window, s the distance of windows, and p the border of an image; counted tells whether elements
   of the border count in averages. Windows are cut where the image, with its border, ends. */
typedef struct st_pools { int64_t n, i[3], t[3], k[3], s[3], p[3]; } st_pools;

typedef struct st_span { int64_t begin, end; } st_span;

/* The elements of window t along an axis that are in the image. */
static inline st_span st_pool_elements(const st_pools *w, int axis, int64_t t) {
    const int64_t first = t * w->s[axis] - w->p[axis], end = first + w->k[axis];
    return (st_span){first > 0 ? first : 0, end < w->i[axis] ? end : w->i[axis]};
}

/* The windows that contain element i. */
static inline st_span st_pool_windows(const st_pools *w, int axis, int64_t i) {
    const int64_t s = w->s[axis], at = i + w->p[axis], before = at - w->k[axis];
    const int64_t begin = before < 0 ? 0 : before / s + 1, end = at / s + 1;
    return (st_span){begin, end < w->t[axis] ? end : w->t[axis]};
}

/* The windows that contain element i, from those of the element before. */
static inline void st_pool_advance(const st_pools *w, int axis, int64_t i, st_span *in) {
    const int64_t s = w->s[axis], at = i + w->p[axis];
    while (in->begin < w->t[axis] && in->begin * s + w->k[axis] <= at) in->begin++;
    while (in->end < w->t[axis] && in->end * s <= at) in->end++;
}

/* The number of elements of window t by which an average divides. */
static inline int64_t st_pool_count(const st_pools *w, int axis, int64_t t, int64_t counted) {
    const int64_t first = t * w->s[axis], end = first + w->k[axis];
    const int64_t all = w->i[axis] + 2 * w->p[axis];
    const st_span in = st_pool_elements(w, axis, t);
    return counted ? (end < all ? end : all) - first : in.end - in.begin;
}

/* The windows that meet the image with their element k. */
static inline st_span st_pool_met(const st_pools *w, int axis, int64_t k) {
    const int64_t s = w->s[axis], first = w->p[axis] - k, last = w->i[axis] + first;
    const int64_t begin = first > 0 ? (first + s - 1) / s : 0;
    const int64_t end = last > 0 ? (last + s - 1) / s : 0;
    return (st_span){begin, end < w->t[axis] ? end : w->t[axis]};
}

static inline int64_t st_pool_pixels(const st_pools *w) { return w->i[0] * w->i[1] * w->i[2]; }

static inline int64_t st_pool_places(const st_pools *w) { return w->t[0] * w->t[1] * w->t[2]; }

/* The number of threads that share the images; each needs a workspace. */
static inline int64_t st_pool_parts(const st_runtime *runtime, const st_pools *w) {
    const double taps = (double)w->k[0] * (double)w->k[1] + (double)w->k[2];
    return st_row_parts(runtime, w->n, (double)w->n * (double)st_pool_pixels(w) * taps);
}

/* The rows of an image that are divided into phases at once, each `length` elements long, and how
   far phases are apart in memory; rows of results with gaps are `pitch` apart. Whether the image is
   read where it is, and whether results are. */
typedef struct st_pool_block {
    int64_t rows, length, step, gap, pitch, spaced;
    int in_place, has_rows;
} st_pool_block;

static inline st_pool_block st_pool_block_of(const st_pools *w, int64_t lanes) {
    const int64_t s = w->s[2], length = (w->i[2] + s - 1) / s, before = (w->k[2] - 1) / s;
    const int64_t after = length + (s - 1 + w->p[2]) / s - w->t[2];
    const int64_t gap = before > after ? before : after, pitch = w->t[2] + gap;
    const int64_t some = 1024 / (s * length + 1) + 1, rows = some > w->i[1] ? w->i[1] : some;
    return (st_pool_block){
        rows, length, rows * length + lanes, gap, pitch,
        gap + w->t[0] * w->t[1] * pitch + lanes, s < 3 && w->i[2] / s >= lanes,
        gap == 0 && length >= lanes,
    };
}

/* The number of elements that a thread needs memory for: rows, or such blocks. */
static inline int64_t st_pool_rows(const st_pools *w, int64_t lanes) {
    (void)lanes;
    return w->i[2] + 2 * w->t[2];
}

static inline int64_t st_pool_blocks(const st_pools *w, int64_t lanes) {
    const st_pool_block b = st_pool_block_of(w, lanes);
    return (b.in_place ? 0 : 2 * w->s[2] * b.step) + (b.has_rows ? 0 : 2 * b.spaced);
}
