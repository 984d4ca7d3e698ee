/* Shapes of a convolution. A group of c channels has o filters; i, k and t are the lengths of
   images, filters and results along three axes, p the zeros before an image, s the stride and d the
   distance of a filter's elements. */
typedef struct st_windows {
    int64_t n, groups, c, o, i[3], k[3], t[3], p[3], s[3], d[3], flip, unshared;
} st_windows;

static inline int64_t st_volume(const int64_t *lengths) {
    return lengths[0] * lengths[1] * lengths[2];
}
