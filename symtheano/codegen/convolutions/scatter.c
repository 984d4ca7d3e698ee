/* Images, from products of filters with panels of results whose rows are added to the elements that
   they met. Lanes of a panel belong to one row of the result; a vector may not be full. */

typedef struct scatter {
    const st_windows *w;
    planes planes;
    int64_t terms;             /* elements of all filters of a group, for one filter of a result */
    int64_t vectors, panels;   /* of a result */
    int64_t *offset, *where;
    int64_t *at;               /* where each vector begins in a plane */
    TYPE *a, *plane, *panel;
    int threads;
} scatter;

/* Elements of a plane, with room for a vector that begins at its end. */
INLINE int64_t channel_size(const scatter *t) { return plane_size(&t->planes) + LANES; }

static void plan_scatter(scatter *t, const TYPE *kernel, arena *memory) {
    const st_windows *w = t->w;
    const int64_t rows = w->t[0] * w->t[1], each = VECTORS(w->t[2]), taps = st_volume(w->k);
    t->planes = planes_of_image(w);
    t->terms = w->c * taps, t->vectors = rows * each, t->panels = (t->vectors + NV - 1) / NV;
    t->offset = take(memory, t->terms * 8), t->where = take(memory, t->terms * 8);
    t->at = take(memory, t->vectors * 8);
    t->a = take_elements(memory, w->groups * w->o * t->terms);
    t->plane = take_elements(memory, w->c * channel_size(t));
    t->panel = take_elements(memory, t->panels * w->o * NP);
    if (!memory->base) return;
    find_terms(w, &t->planes, t->offset, t->where);
    for (int64_t v = 0; v < t->vectors; v++)
        t->at[v] = position(w, &t->planes, v / each * w->t[2] + v % each * LANES);
    /* Rows of the product are the elements of one channel after the other. */
    for (int64_t group = 0; group < w->groups; group++)
        for (int64_t c = 0; c < w->c; c++) {
            TYPE *to = t->a + (group * w->c + c) * w->o * taps;
            for (int64_t tile = 0; tile < tiles(taps); tile++)
                for (int64_t o = 0; o < w->o; o++)
                    for (int64_t k = tile_row(taps, tile); k < tile_row(taps, tile + 1); k++)
                        *to++ = kernel[(group * w->o + o) * t->terms + t->where[c * taps + k]];
        }
}

/* Bring a result of one group to panels, of which each has NP lanes of all filters. */
static void pack_result(const scatter *t, const TYPE *result, int64_t number) {
    const st_windows *w = t->w;
    const int64_t each = VECTORS(w->t[2]), places = st_volume(w->t);
    TYPE *to = t->panel + number * w->o * NP;
    for (int64_t v = 0; v < NV; v++) {
        const int64_t vector_number = number * NV + v, x = vector_number % each * LANES;
        const int there = vector_number < t->vectors;
        const int64_t count = there ? MIN(LANES, w->t[2] - x) : 0;
        const TYPE *from = result + (there ? vector_number / each * w->t[2] + x : 0);
        for (int64_t o = 0; o < w->o; o++, from += places) {
            TYPE *lane = to + o * NP + v * LANES;
            if (count == LANES) *(vector *)lane = load(from);
            else for (int64_t l = 0; l < LANES; l++) lane[l] = l < count ? from[l] : 0;
        }
    }
}

/* Compute the plane of one channel. */
static void scatter_channel(const scatter *t, int64_t channel, TYPE *plane) {
    const st_windows *w = t->w;
    const int64_t taps = st_volume(w->k), each = VECTORS(w->t[2]);
    const int64_t rest = w->t[2] % LANES ? w->t[2] % LANES : LANES;
    static const WORD lanes[2 * LANES] = {[0 ... LANES - 1] = -1};
    const mask_vector mask = *(const mask_vector *)(lanes + LANES - rest);
    const TYPE *a = t->a + channel * w->o * taps;
    const int64_t *offset = t->offset;  /* of the first channel: the plane is this channel's */
    clear(plane, plane_size(&t->planes));
    for (int64_t p = 0; p < t->panels; p++)
        for (int64_t tile = 0; tile < tiles(taps); tile++) {
            const int64_t row = tile_row(taps, tile), rows = tile_row(taps, tile + 1) - row;
            vector sums[MR * NV];
            tile_functions[rows](w->o, a + row * w->o, t->panel + p * w->o * NP, (TYPE *)sums, NP, 0);
            for (int64_t v = 0; v < MIN(NV, t->vectors - p * NV); v++) {
                const int64_t number = p * NV + v;
                TYPE *to = plane + t->at[number];
                const int last = number % each == each - 1;
                for (int64_t i = 0; i < rows; i++) {
                    vector sum = sums[i * NV + v];
                    if (last) sum = (vector)((mask_vector)sum & mask);
                    loose_vector *place = (loose_vector *)(to + offset[row + i]);
                    *place = *place + sum;
                }
            }
        }
}

static void run_scatter(const scatter *t, const TYPE *result, TYPE *image,
                        void (*finish)(const void *, int64_t, int64_t), const void *context) {
    const st_windows *w = t->w;
    const int64_t pixels = st_volume(w->i), places = st_volume(w->t);
    for (int64_t item = 0; item < w->n; item++) {
        for (int64_t group = 0; group < w->groups; group++) {
            const TYPE *from = result + (item * w->groups + group) * w->o * places;
            TYPE *to = image + (item * w->groups + group) * w->c * pixels;
#ifdef _OPENMP
#pragma omp parallel num_threads(t->threads) if (t->threads > 1)
#endif
            {
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
                for (int64_t p = 0; p < t->panels; p++) pack_result(t, from, p);
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
                for (int64_t c = 0; c < w->c; c++) {
                    TYPE *plane = t->plane + c * channel_size(t);
                    scatter_channel(t, group * w->c + c, plane);
                    read_plane(&t->planes, w->i, plane, to + c * pixels);
                }
            }
        }
        if (finish) finish(context, item, item + 1);
    }
}
