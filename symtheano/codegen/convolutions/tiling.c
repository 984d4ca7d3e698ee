/* Whether Fourier transforms of tiles are worth while, and with which tiles: estimates that depend on
   shapes only, and limits of elements. */

/* How results are cut into tiles: those of a tile, and tiles, along both axes. */
typedef struct tiling { int64_t valid[2], count[2]; } tiling;

static tiling tiling_of(const st_windows *w, const int64_t *out, const int64_t *size) {
    tiling cut;
    for (int axis = 0; axis < 2; axis++) {
        cut.valid[axis] = size[axis] - w->k[axis + 1] + 1;
        cut.count[axis] = (out[axis] + cut.valid[axis] - 1) / cut.valid[axis];
    }
    return cut;
}

/* Tiles of all items. */
INLINE int64_t count_tiles(const st_windows *w, tiling cut) {
    return w->n * cut.count[0] * cut.count[1];
}

/* Estimated nanoseconds with tiles of a size. They are those of vectors of eight numbers on one
   processor, so that the choice is the same everywhere; only their ratios matter. __init__.py says
   what the costs are of, and where they come from. */
static double overlap_cost(const st_windows *w, const int64_t *out, const int64_t *size) {
    const double tiles = (double)count_tiles(w, tiling_of(w, out, size));
    const double units = __builtin_floor((tiles + 7) / 8) * (double)w->groups;
    const double products = (double)w->c * w->o, area = (double)size[0] * size[1];
    const double filters = (double)((w->groups * w->c * w->o + 7) / 8);
    return area * (units * (@overlap.transform@ * (w->c + w->o) + @overlap.pair@ * products)
                   + @overlap.filter@ * filters);
}

/* Estimated nanoseconds of products of elements, in tiles of `rows` channels. */
static double product_cost(const st_windows *w, const int64_t *out, int64_t made, int64_t read) {
    const double vectors = (double)w->n * w->groups * read * st_volume(w->k) * out[0]
                           * ((out[1] + 7) / 8);
    const double rows = (double)made / ((made + 5) / 6);
    return vectors * (@gather.multiply@ * made * (1 + @gather.load@ / rows)
                      + @gather.copy@ * (made > FEW));
}

/* Nanoseconds that transforms must save, the part of the time of products that they may take, and
   how many bytes transformed filters, or a vector of transformed tiles, may take. */
enum { LEAST_GAIN = @overlap.least_gain@, MOST_BYTES = 1 << 27 };
#define MOST_TIME @overlap.most_time@

typedef double cost_function(const st_windows *, const int64_t *, const int64_t *);

/* Find the size of tiles, of `out` results altogether, for which transforms take the least time;
   return whether it is less than that of products of elements. */
static int find_tile(const st_windows *w, const int64_t *out, cost_function *cost, double products,
                     int64_t *size) {
    static const int16_t lengths[] = {1,  8,  12,  16,  24,  32,  48,  64,   96,  128,
                                      192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096};
    enum { LENGTHS = sizeof lengths / sizeof *lengths, LARGEST = 128 * 128 };
    const double most = (double)MOST_BYTES / sizeof(TYPE);
    if (!w->n || !is_flat(w) || w->k[1] * w->k[2] < 9) return 0;
    for (int axis = 1; axis < 3; axis++)
        if (w->s[axis] != 1 || w->d[axis] != 1 || w->t[axis] < 1) return 0;
    double best = products * MOST_TIME - LEAST_GAIN;
    int found = 0;
    for (int i = 0; i < LENGTHS && best > 0; i++) {
        if (lengths[i] < w->k[1] || (lengths[i] == 1 && w->k[1] > 1)) continue;
        for (int j = 3; j < LENGTHS; j++) {
            const int64_t pair[2] = {lengths[i], lengths[j]}, area = pair[0] * pair[1];
            if (pair[1] < w->k[2] || pair[1] % 16 || area > LARGEST) continue;
            if ((double)area * w->groups * w->c * w->o > most) break;
            if ((double)area * (w->c + w->o) * 8 > most) break;
            const double time = cost(w, out, pair);
            if (time < best) best = time, size[0] = pair[0], size[1] = pair[1], found = 1;
            if (pair[1] >= out[1] + w->k[2] - 1) break;
        }
        if (lengths[i] >= out[0] + w->k[1] - 1) break;
    }
    return found;
}

/* Whether all elements are so small that no sum of a transform overflows; NaN is not. */
static int are_moderate(const TYPE *x, int64_t count, int threads) {
    const TYPE limit = sizeof(TYPE) == 4 ? (TYPE)0x1p40 : (TYPE)0x1p500;
    int moderate = 1;
#pragma omp parallel for num_threads(threads) if (threads > 1) reduction(&: moderate)
    for (int64_t begin = 0; begin < count; begin += 4096) {
        const int64_t end = MIN(begin + 4096, count);
        mask_vector good = (mask_vector)((vector){0} == (vector){0});
        int64_t i = begin;
        for (; i + LANES <= end; i += LANES) {
            const vector y = load(x + i);
            good &= (mask_vector)(y <= limit) & (mask_vector)(y >= -limit);
        }
        for (int l = 0; l < LANES; l++) moderate &= good[l] != 0;
        for (; i < end; i++) moderate &= x[i] <= limit && x[i] >= -limit;
    }
    return moderate;
}
