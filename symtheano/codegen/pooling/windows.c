/* Windows over n images. i and t are the lengths of images and results along three axes, k those of
   a window, s the distance of windows, and p the border of an image; `counted` is 0 for sums, 1 for
   averages over windows with their part of the border, 2 without it. Windows are cut where the
   image, with its border, ends. */
typedef struct st_pools { int64_t n, i[3], t[3], k[3], s[3], p[3], counted; } st_pools;

typedef struct st_span { int64_t begin, end; } st_span;

/* Windows that are as long, and as far apart, as the image with its border, if they are longer or
   farther apart: they meet the same elements. */
static inline st_pools st_pool_cut(st_pools w) {
    for (int axis = 0; axis < 3; axis++) {
        const int64_t all = w.i[axis] + 2 * w.p[axis], most = all > 1 ? all : 1;
        if (w.k[axis] > most) w.k[axis] = most;
        if (w.s[axis] > most) w.s[axis] = most;
    }
    return w;
}

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

/* The number of elements of window t by which an average divides. */
static inline int64_t st_pool_count(const st_pools *w, int axis, int64_t t) {
    const int64_t first = t * w->s[axis], end = first + w->k[axis];
    const int64_t all = w->i[axis] + 2 * w->p[axis];
    const st_span in = st_pool_elements(w, axis, t);
    return w->counted == 1 ? (end < all ? end : all) - first : in.end - in.begin;
}

static inline int64_t st_pool_pixels(const st_pools *w) { return w->i[0] * w->i[1] * w->i[2]; }

static inline int64_t st_pool_places(const st_pools *w) { return w->t[0] * w->t[1] * w->t[2]; }
