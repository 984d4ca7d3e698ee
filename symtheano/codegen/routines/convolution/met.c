/* Half-open range of positions t along an axis at which element k of a filter meets the image. */
typedef struct st_met { int64_t begin, end, first; } st_met;

static inline st_met st_where(const st_windows *w, int axis, int64_t k) {
    const int64_t s = w->s[axis], i = w->i[axis], t = w->t[axis];
    const int64_t first = (w->flip ? w->k[axis] - 1 - k : k) * w->d[axis] - w->p[axis];
    const int64_t begin = first >= 0 ? 0 : (s - 1 - first) / s;
    const int64_t end = i <= first ? 0 : (i - first + s - 1) / s;
    return (st_met){begin, end < t ? end : t, first};
}

static inline double st_convolution_work(const st_windows *w) {
    return (double)w->n * (double)w->groups * (double)w->o * (double)w->c
           * (double)st_volume(w->k) * (double)st_volume(w->t);
}
