/* The windows that contain element i, from those of the element before. */
static inline void advance(const st_pools *w, int axis, int64_t i, st_span *in) {
    const int64_t s = w->s[axis], at = i + w->p[axis];
    while (in->begin < w->t[axis] && in->begin * s + w->k[axis] <= at) in->begin++;
    while (in->end < w->t[axis] && in->end * s <= at) in->end++;
}

/* The windows that meet the image with their element k. */
static inline st_span met_by(const st_pools *w, int axis, int64_t k) {
    const int64_t s = w->s[axis], first = w->p[axis] - k, last = w->i[axis] + first;
    const int64_t begin = first > 0 ? (first + s - 1) / s : 0;
    const int64_t end = last > 0 ? (last + s - 1) / s : 0;
    return (st_span){begin, end < w->t[axis] ? end : w->t[axis]};
}

/* Elements of memory for a row of the image, and two of the result. */
static int64_t rows_of_memory(const st_pools *w) {
    return st_size_plus(w->i[2], st_size_times(2, w->t[2]));
}
