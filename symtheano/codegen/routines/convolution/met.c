/* Half-open range of positions at which element k of a filter meets the image along an axis, and the
   element that it meets first; so no address outside of the image is computed. */
typedef struct st_met { int64_t begin, end, first; } st_met;

static inline st_met st_where(const st_windows *w, int axis, int64_t k) {
    const int64_t s = w->s[axis], i = w->i[axis], t = w->t[axis];
    const int64_t first = (w->flip ? w->k[axis] - 1 - k : k) * w->d[axis] - w->p[axis];
    const int64_t begin = first >= 0 ? 0 : (s - 1 - first) / s;
    const int64_t last = i <= first ? 0 : (i - first + s - 1) / s, end = last < t ? last : t;
    return begin < end ? (st_met){begin, end, begin * s + first} : (st_met){0, 0, 0};
}

/* The row of an image that positions t0 and t1 meet, from the first element on. */
static inline int64_t st_row_met(const st_windows *w, const st_met *m, int64_t t0, int64_t t1) {
    const int64_t i0 = m[0].first + (t0 - m[0].begin) * w->s[0];
    return (i0 * w->i[1] + m[1].first + (t1 - m[1].begin) * w->s[1]) * w->i[2] + m[2].first;
}

static inline double st_convolution_work(const st_windows *w) {
    double work = (double)w->n * (double)w->groups * (double)w->o * (double)w->c;
    for (int axis = 0; axis < 3; axis++) work *= (double)w->k[axis] * (double)w->t[axis];
    return work;
}
