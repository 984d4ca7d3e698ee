/* Images, from products of filters with panels of results. A vector of a panel has elements of one
   row of the result, and may not be full.

   For each row of the padded image there is one row of sums for each column of the filter, in which
   sums are where the result's elements are. So vectors that are added to each other begin at the
   same places, and the processor does not wait for what it has just written. When a row of the
   image is complete, its rows of sums are added, shifted by their columns. Only a ring of rows is
   in memory. */

enum { SCATTER_PANELS = 4 };

typedef struct scatter {
    const st_windows *w;
    int64_t padded[2];         /* rows of the image that are met, with zeros before it */
    int64_t terms;             /* elements of all filters of a group, for one filter of a result */
    int64_t vectors;           /* of a result */
    int64_t margin, pitch;     /* zeros before a row, and the distance of rows */
    int64_t rows;              /* of the ring; each has a row for each column of the filter */
    int64_t *shift;            /* (elements) from where the first one is added to where each is */
    int64_t *where;            /* (elements) where each is in a filter */
    int64_t *column;           /* (phases, columns) what to add of a row of the ring */
    TYPE *a;
    TYPE *own;                 /* memory of each thread: see `scatter_bench` */
    int64_t own_size;
    int threads;
} scatter;

/* What a thread works with. */
typedef struct scatter_bench { TYPE *ring, *panel, *row; } scatter_bench;

INLINE int64_t ring_row(const scatter *t) { return t->w->k[2] * t->pitch; }
INLINE int64_t all_rows(const scatter *t) { return st_size_times(t->padded[0], t->padded[1]); }

static scatter_bench find_bench(const scatter *t, arena *memory) {
    const st_windows *w = t->w;
    const int64_t length = (w->i[2] + w->s[2] - 1) / w->s[2] + LANES;
    const int64_t rows = st_size_times(w->c, t->rows);
    const int64_t ring = st_size_times(rows, st_size_times(w->k[2], t->pitch));
    return (scatter_bench){take_elements(memory, ring),
                           take_elements(memory, st_size_times(SCATTER_PANELS * NP, w->o)),
                           take_elements(memory, st_size_times(length, w->s[2]))};
}

/* Row of the padded image that the first row of a filter meets at a row of the result. */
INLINE int64_t first_row(const scatter *t, int64_t row) {
    const st_windows *w = t->w;
    return row / w->t[1] * w->s[0] * t->padded[1] + row % w->t[1] * w->s[1];
}

/* Rows of a product are the elements that filters have for one channel. */
static void pack_channel(const scatter *t, const TYPE *kernel, int64_t c, TYPE *to) {
    const int64_t taps = st_volume(t->w->k);
    for (int64_t tile = 0; tile < tiles(taps); tile++) {
        const int64_t first = tile_row(taps, tile), last = tile_row(taps, tile + 1);
        for (int64_t o = 0; o < t->w->o; o++)
            for (int64_t k = first; k < last; k++)
                *to++ = kernel[o * t->terms + c * taps + t->where[k]];
    }
}

/* Find the columns of the filter that meet each phase of a row of the image, and where what they
   add is; -1 follows the last one. */
static void find_columns(scatter *t) {
    const st_windows *w = t->w;
    for (int64_t phase = 0; phase < w->s[2]; phase++) {
        int64_t *to = t->column + phase * (w->k[2] + 1);
        for (int64_t j = 0; j < w->k[2]; j++) {
            const int64_t at = phase + w->p[2] - j * w->d[2];
            if (at % w->s[2] == 0) *to++ = j * t->pitch + t->margin + at / w->s[2];
        }
        *to = -1;
    }
}

/* Whether an image is better scattered than gathered, by estimates for each element of the filters.
   To gather, a panel is copied for its rows, by runs of neighbours, and what is made with a stride is
   stored element by element; to scatter, sums are added for each filter. */
static int fits_scatter(const call *c, void *plan) {
    const st_windows *w = c->w;
    *(scatter *)plan = (scatter){.w = w, .threads = c->threads};
    if (st_volume(w->k) < MR / 2) return 0;  /* tiles have the elements of one channel */
    const double vectors = (double)w->t[0] * w->t[1] * VECTORS(w->t[2]) * LANES;
    const double gathered = real_volume(w->i) / real_volume(w->s);
    const double runs = (double)@scatter.run@ * NP * w->s[2] / MAX(w->i[2], 1);
    const double stores = w->s[2] > 1 ? @scatter.store@ : 0;
    const double copies = w->c <= FEW ? @scatter.direct@ : @scatter.copy@ + runs + stores;
    const double added = (double)@scatter.add@ / w->o;
    return vectors * w->c * (1 + added) < gathered * (w->c + copies);
}

static void plan_scatter(const call *call, void *plan, arena *memory) {
    scatter *t = plan;
    const st_windows *w = t->w;
    const TYPE *const kernel = call->kernel;
    const int64_t each = VECTORS(w->t[2]), taps = st_volume(w->k);
    const int64_t wide = span_of(w->k[2], w->d[2]) - 1;
    for (int axis = 0; axis < 2; axis++) t->padded[axis] = reach(w, axis);
    t->terms = w->c * taps, t->vectors = w->t[0] * w->t[1] * each;
    t->margin = VECTORS(MAX(wide - w->p[2], 0) / w->s[2] + 1) * LANES;
    const int64_t columns = st_size_plus(w->i[2], w->p[2]) / w->s[2] + 1;
    t->pitch = st_size_plus(t->margin, LANES * MAX(each, VECTORS(columns)));
    t->rows = all_rows(t);
    if (t->padded[0] == 1) {
        const int64_t most = (SCATTER_PANELS * NV - 1 + each - 1) / each;
        const int64_t between = st_size_times(most, w->s[1]);
        t->rows = MIN(t->rows, st_size_plus(between, span_of(w->k[1], w->d[1])));
    }
    t->shift = take(memory, taps, 8), t->where = take(memory, taps, 8);
    t->column = take(memory, st_size_times(w->s[2], w->k[2] + 1), 8);
    const packing packed = take_packing(memory, w, 0, w->groups * w->o * t->terms);
    t->a = packed.a;
    arena measured = {0};
    find_bench(t, &measured);
    t->own_size = measured.used / (int64_t)sizeof(TYPE);
    t->own = take(memory, measured.used, t->threads);
    if (!memory->base) return;
    clear(t->own, t->own_size * t->threads);
    int64_t k[3], n = 0;
    for (k[0] = 0; k[0] < w->k[0]; k[0]++)
    for (k[1] = 0; k[1] < w->k[1]; k[1]++)
    for (k[2] = 0; k[2] < w->k[2]; k[2]++, n++) {
        t->shift[n] = (k[0] * w->d[0] * t->padded[1] + k[1] * w->d[1]) * ring_row(t)
                      + k[2] * t->pitch;
        t->where[n] = tap(w, k);
    }
    find_columns(t);
    for (int64_t group = 0; group < w->groups && !packed.is_done; group++)
        for (int64_t c = 0; c < w->c; c++)
            pack_channel(t, kernel + group * w->o * t->terms, c,
                         t->a + (group * w->c + c) * w->o * taps);
    keep_filter(&packed);
}

/* Bring vectors of a result of one group to panels, of which each has NP lanes of all filters. */
static void pack_result(const scatter *t, const TYPE *result, int64_t first, int64_t panels,
                        TYPE *to) {
    const st_windows *w = t->w;
    const int64_t each = VECTORS(w->t[2]), places = st_volume(w->t);
    int64_t from[SCATTER_PANELS * NV], count[SCATTER_PANELS * NV];
    for (int64_t v = 0; v < panels * NV; v++) {
        const int64_t number = first * NV + v, x = number % each * LANES;
        const int there = number < t->vectors;
        from[v] = there ? number / each * w->t[2] + x : 0;
        count[v] = there ? MIN(LANES, w->t[2] - x) : 0;
    }
    for (int64_t o = 0; o < w->o; o++, result += places)
        for (int64_t v = 0; v < panels * NV; v++) {
            TYPE *lane = to + (v / NV * w->o + o) * NP + v % NV * LANES;
            const TYPE *read = result + from[v];
            if (count[v] == LANES) *(vector *)lane = load(read);
            else for (int64_t l = 0; l < LANES; l++) lane[l] = l < count[v] ? read[l] : 0;
        }
}

/* Add the products of panels `first` to `last` to the ring of a channel. */
static void scatter_panels(const scatter *t, int64_t channel, int64_t first, int64_t last,
                           const TYPE *panels, TYPE *ring) {
    static const WORD lanes[2 * LANES] = {[0 ... LANES - 1] = -1};
    const st_windows *w = t->w;
    const int64_t taps = st_volume(w->k), each = VECTORS(w->t[2]);
    const int64_t size = t->rows * ring_row(t);
    const int64_t rest = w->t[2] % LANES ? w->t[2] % LANES : LANES;
    const mask_vector mask = *(const mask_vector *)(lanes + LANES - rest);
    const TYPE *a = t->a + channel * w->o * taps;
    int64_t begin[SCATTER_PANELS * NV];
    for (int64_t v = 0; v < (last - first) * NV; v++) {
        const int64_t number = first * NV + v;
        begin[v] = first_row(t, number / each) % t->rows * ring_row(t) + t->margin
                   + number % each * LANES;
    }
    for (int64_t tile = 0; tile < tiles(taps); tile++) {
        const int64_t tap = tile_row(taps, tile), rows = tile_row(taps, tile + 1) - tap;
        for (int64_t p = 0; p < last - first; p++) {
            vector sums[MR * NV];
            tile_functions[rows](w->o, a + tap * w->o, panels + p * w->o * NP, NP, (TYPE *)sums,
                                 NP, 0);
            for (int64_t v = p * NV; v < MIN(p * NV + NV, t->vectors - first * NV); v++) {
                const int is_last = (first * NV + v) % each == each - 1;
                for (int64_t i = 0; i < rows; i++) {
                    vector sum = sums[i * NV + v - p * NV];
                    if (is_last) sum = (vector)((mask_vector)sum & mask);
                    const int64_t at = begin[v] + t->shift[tap + i];
                    *(vector *)(ring + (at < size ? at : at - size)) += sum;
                }
            }
        }
    }
}

/* -- rows of the image ------------------------------------------------------------------------- */

/* A vector of elements `phase`, `phase` + stride, ... of a row of the image. */
INLINE vector gather_columns(const scatter *t, const TYPE *ring, int64_t phase, int64_t x) {
    vector sum = {0};
    for (const int64_t *at = t->column + phase * (t->w->k[2] + 1); *at >= 0; at++)
        sum += load(ring + *at + x);
    return sum;
}

/* Make a row of the image of a row of the ring, which is zero afterwards. */
static void finish_row(const scatter *t, TYPE *ring, TYPE *row, TYPE *image) {
    const int64_t length = t->w->i[2], s = t->w->s[2];
    for (int64_t x = 0; x * s < length; x += LANES) {
        if (s == 1) {
            *(loose_vector *)(row + x) = gather_columns(t, ring, 0, x);
        } else if (s == 2) {
            vector both[2];
            interleave(gather_columns(t, ring, 0, x), gather_columns(t, ring, 1, x), both);
            *(loose_vector *)(row + 2 * x) = both[0];
            *(loose_vector *)(row + 2 * x + LANES) = both[1];
        } else {
            for (int64_t phase = 0; phase < s; phase++) {
                const vector sum = gather_columns(t, ring, phase, x);
                for (int64_t l = 0; l < LANES; l++) row[(x + l) * s + phase] = sum[l];
            }
        }
    }
    copy_exactly(image, row, length);
    clear(ring, ring_row(t));
}

/* Finish rows `begin` to `end` of the padded image of a channel. */
static void finish_rows(const scatter *t, int64_t begin, int64_t end, TYPE *ring, TYPE *row,
                        TYPE *image) {
    const st_windows *w = t->w;
    for (int64_t r = begin; r < end; r++) {
        TYPE *const from = ring + r % t->rows * ring_row(t);
        const int64_t i = r / t->padded[1] - w->p[0], j = r % t->padded[1] - w->p[1];
        if (i >= 0 && i < w->i[0] && j >= 0 && j < w->i[1])
            finish_row(t, from, row, image + (i * w->i[1] + j) * w->i[2]);
        else clear(from, ring_row(t));
    }
}

/* Compute channels `first` to `last` of a group of an item. */
static void scatter_channels(const scatter *t, int64_t group, int64_t first, int64_t last,
                             const TYPE *result, TYPE *image) {
    const st_windows *w = t->w;
    const int64_t pixels = st_volume(w->i), each = VECTORS(w->t[2]), end = all_rows(t);
    const int64_t panels = (t->vectors + NV - 1) / NV;
    arena memory = {.base = (char *)(t->own + THREAD * t->own_size)};
    const scatter_bench bench = find_bench(t, &memory);
    if (t->padded[0] < w->i[0] + w->p[0] || t->padded[1] < w->i[1] + w->p[1])
        clear(image + first * pixels, (last - first) * pixels);
    for (int64_t panel = 0, done = 0; panel < panels; panel += SCATTER_PANELS) {
        const int64_t some = MIN(SCATTER_PANELS, panels - panel);
        const int64_t next = (panel + some) * NV, row = next / each;
        const int64_t ready = next >= t->vectors ? end : t->rows < end ? first_row(t, row) : 0;
        pack_result(t, result, panel, some, bench.panel);
        for (int64_t c = first; c < last; c++) {
            TYPE *ring = bench.ring + c * t->rows * ring_row(t);
            scatter_panels(t, group * w->c + c, panel, panel + some, bench.panel, ring);
            finish_rows(t, done, ready, ring, bench.row, image + c * pixels);
        }
        done = MAX(ready, done);
    }
}

/* Ranges of channels that threads share, if there are few items. */
static int64_t ranges_of(const call *c) {
    return c->w->n >= c->threads ? 1 : MIN(c->threads, c->w->c);
}

static void scatter_job(const call *c, const void *plan, int64_t item, int64_t job) {
    const st_windows *w = c->w;
    const int64_t ranges = ranges_of(c), group = job / ranges, range = job % ranges;
    const int64_t at = item * w->groups + group;
    scatter_channels(plan, group, w->c * range / ranges, w->c * (range + 1) / ranges,
                     c->result + at * w->o * st_volume(w->t),
                     c->made + at * w->c * st_volume(w->i));
}

static void run_scatter(const call *c, const void *plan) {
    share_jobs(c, plan, c->w->groups * ranges_of(c), scatter_job);
}
