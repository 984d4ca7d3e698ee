/* Results and images: which products they are, and how items and points are divided among threads. */

/* Memory that is given out in parts, each aligned to 64 bytes; with no base, it is only measured. */
typedef struct arena { char *base; int64_t used; } arena;

static void *take(arena *memory, int64_t bytes) {
    char *const part = memory->base ? memory->base + memory->used : 0;
    memory->used += (bytes + 63) / 64 * 64;
    return part;
}
static TYPE *take_elements(arena *memory, int64_t count) {
    return take(memory, (count + LANES) * (int64_t)sizeof(TYPE));
}

/* The products that make one array, and the memory for them. */
typedef struct task {
    const st_windows *w;
    int64_t count;             /* products: one, or one for each phase of an image */
    gather *products;          /* of one group; those of the next one have other rows of a */
    planes planes;
    const int64_t *lengths;    /* of the array that is read */
    int64_t read, made;        /* channels of a group that are read and made */
    int64_t taps;              /* elements of a of one group */
    TYPE *plane, *panel;
    int64_t plane_memory, panel_memory;
    int threads;
} task;

INLINE int by_items(const task *t) { return t->w->n >= t->threads; }

static int is_few(const gather *g) { return g->m <= FEW; }

static void finish_memory(task *t, arena *memory) {
    int64_t most = 0;
    for (int64_t j = 0; j < t->count; j++) most = MAX(most, t->products ? t->products[j].k : 0);
    t->plane_memory = t->read * plane_size(&t->planes) + LANES;
    t->plane = take_elements(memory, t->plane_memory * (by_items(t) ? t->threads : 1));
    t->panel_memory = (panel_memory(t->read * st_volume(t->w->k)) + 63) / 64 * 64;
    t->panel = take_elements(memory, t->panel_memory * t->threads);
}

/* Where the element of a filter at a position is. */
INLINE int64_t tap(const st_windows *w, const int64_t *k) {
    int64_t found = 0;
    for (int axis = 0; axis < 3; axis++)
        found = found * w->k[axis] + (w->flip ? w->k[axis] - 1 - k[axis] : k[axis]);
    return found;
}

/* The result: one product, of filters with planes of the image. */
static void plan_result(task *t, const TYPE *kernel, arena *memory) {
    const st_windows *w = t->w;
    const int64_t taps = st_volume(w->k), terms = w->c * taps;
    int64_t extent[3];
    for (int axis = 0; axis < 3; axis++)
        extent[axis] = MAX((w->t[axis] - 1) * w->s[axis] + (w->k[axis] - 1) * w->d[axis] + 1, 0);
    t->planes = (planes){{w->p[0], w->p[1], w->p[2]}, {extent[0], extent[1]}, w->s[2],
                         (extent[2] + w->s[2] - 1) / w->s[2]};
    t->lengths = w->i, t->read = w->c, t->made = w->o, t->count = 1, t->taps = w->o * terms;
    t->products = take(memory, sizeof(gather));
    int64_t *offset = take(memory, terms * 8), *where = take(memory, terms * 8);
    TYPE *a = take_elements(memory, w->groups * t->taps);
    if (memory->base) {
        const planes *p = &t->planes;
        const int64_t across = p->rows[1] * row_size(p);
        int64_t k[3], n = 0;
        for (int64_t c = 0; c < w->c; c++)
        for (k[0] = 0; k[0] < w->k[0]; k[0]++)
        for (k[1] = 0; k[1] < w->k[1]; k[1]++)
        for (k[2] = 0; k[2] < w->k[2]; k[2]++, n++) {
            offset[n] = c * plane_size(p) + place(p, k[0] * w->d[0], k[1] * w->d[1], k[2] * w->d[2]);
            where[n] = c * taps + tap(w, k);
        }
        for (int64_t group = 0; group < w->groups; group++)
            pack_rows(w->o, terms, kernel + group * t->taps, terms, where, a + group * t->taps);
        *t->products = (gather){
            w->o, terms, {w->t[0], w->t[1], w->t[2]}, {w->s[0] * across, w->s[1] * row_size(p)},
            {w->t[1] * w->t[2], w->t[2], 1}, 0, st_volume(w->t), 1, offset, a,
        };
    }
    finish_memory(t, memory);
}

/* Quotient rounded down. */
INLINE int64_t quotient(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* The image: for each of its phases, a product of the filter's elements that meet it with planes of
   the result. Element x of the image meets element k of the filter at t = (x + p - k d) / s. */
static void plan_image(task *t, const TYPE *kernel, arena *memory) {
    const st_windows *w = t->w;
    const int64_t taps = st_volume(w->k), terms = w->o * taps;
    planes *p = &t->planes;
    int64_t extent[3];
    for (int axis = 0; axis < 3; axis++) {
        const int64_t first = quotient(w->p[axis] - (w->k[axis] - 1) * w->d[axis], w->s[axis]);
        p->low[axis] = -first;
        extent[axis] = MAX(quotient(w->i[axis] - 1 + w->p[axis], w->s[axis]) - first + 1, 0);
    }
    p->rows[0] = extent[0], p->rows[1] = extent[1], p->phases = 1, p->width = extent[2];
    t->lengths = w->t, t->read = w->o, t->made = w->c, t->taps = w->c * terms;
    t->count = st_volume(w->s);
    t->products = take(memory, t->count * (int64_t)sizeof(gather));
    int64_t *offset = take(memory, terms * 8), *where = take(memory, terms * 8);
    TYPE *a = take_elements(memory, w->groups * t->taps);
    if (memory->base) {
        const int64_t across = p->rows[1] * row_size(p);
        int64_t done = 0, r[3], k[3], number = 0;
        for (r[0] = 0; r[0] < w->s[0]; r[0]++)
        for (r[1] = 0; r[1] < w->s[1]; r[1]++)
        for (r[2] = 0; r[2] < w->s[2]; r[2]++, number++) {
            int64_t n = 0;
            for (int64_t o = 0; o < w->o; o++)
            for (k[0] = 0; k[0] < w->k[0]; k[0]++)
            for (k[1] = 0; k[1] < w->k[1]; k[1]++)
            for (k[2] = 0; k[2] < w->k[2]; k[2]++) {
                int64_t at[3], meets = 1;
                for (int axis = 0; axis < 3; axis++) {
                    const int64_t x = r[axis] + w->p[axis] - k[axis] * w->d[axis];
                    meets &= x % w->s[axis] == 0;
                    at[axis] = quotient(x, w->s[axis]) + p->low[axis];
                }
                if (!meets) continue;
                offset[done + n] = o * plane_size(p) + place(p, at[0], at[1], at[2]);
                where[done + n++] = o * w->c * taps + tap(w, k);
            }
            gather *g = t->products + number;
            *g = (gather){.m = w->c, .k = n, .step = {across, row_size(p)}, .row = st_volume(w->i),
                          .offset = offset + done, .a = a + w->c * done,
                          .start = (r[0] * w->i[1] + r[1]) * w->i[2] + r[2],
                          .stride = {w->s[0] * w->i[1] * w->i[2], w->s[1] * w->i[2], w->s[2]},
                          .dense = t->count == 1};
            for (int axis = 0; axis < 3; axis++)
                g->grid[axis] = MAX((w->i[axis] - r[axis] + w->s[axis] - 1) / w->s[axis], 0);
            for (int64_t group = 0; group < w->groups; group++)
                pack_rows(w->c, n, kernel + group * t->taps, taps, where + done,
                          a + group * t->taps + w->c * done);
            done += n;
        }
    }
    finish_memory(t, memory);
}

/* The parts of a product that run side by side. */
INLINE int64_t parts_of(const gather *g) {
    return is_few(g) ? (g->grid[0] * g->grid[1] + 7) / 8 : panel_groups(g);
}

static void run_part(const task *t, const gather *product, int64_t group, int64_t part,
                     const TYPE *plane, TYPE *made, TYPE *panel) {
    gather g = *product;
    g.a += group * t->taps;
    if (is_few(&g)) {
        const int64_t rows = g.grid[0] * g.grid[1];
        if (points(&g)) multiply_few(&g, part * 8, MIN(part * 8 + 8, rows), plane, made);
    } else if (points(&g)) {
        multiply(&g, part, plane, made, panel);
    }
}

static void fill_planes(const task *t, const TYPE *from, int64_t begin, int64_t end, TYPE *plane) {
    for (int64_t c = begin; c < end; c++)
        fill_plane(&t->planes, t->lengths, from + c * st_volume(t->lengths),
                   plane + c * plane_size(&t->planes));
}

/* Compute one group of channels of an item. */
static void run_group(const task *t, int64_t group, const TYPE *from, TYPE *made, TYPE *plane,
                      TYPE *panel) {
    fill_planes(t, from, 0, t->read, plane);
    for (int64_t j = 0; j < t->count; j++)
        for (int64_t part = 0; part < parts_of(t->products + j); part++)
            run_part(t, t->products + j, group, part, plane, made, panel);
}

static void run_task(const task *t, const TYPE *read, TYPE *made,
                     void (*finish)(const void *, int64_t, int64_t), const void *context) {
    const int64_t groups = t->w->groups, size = t->read * st_volume(t->lengths);
    const int64_t out = t->made * t->products->row;
    const int threads = t->threads;
    if (by_items(t)) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static)
#endif
        for (int64_t item = 0; item < t->w->n; item++) {
            const int thread = THREAD;
            for (int64_t group = 0; group < groups; group++) {
                const int64_t at = item * groups + group;
                run_group(t, group, read + at * size, made + at * out,
                          t->plane + thread * t->plane_memory,
                          t->panel + thread * t->panel_memory);
            }
            if (finish) finish(context, item, item + 1);
        }
        return;
    }
    for (int64_t item = 0; item < t->w->n; item++) {
        for (int64_t group = 0; group < groups; group++) {
            const int64_t at = item * groups + group;
            const TYPE *from = read + at * size;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
            {
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
                for (int64_t c = 0; c < t->read; c++) fill_planes(t, from, c, c + 1, t->plane);
                for (int64_t j = 0; j < t->count; j++) {
                    const gather *g = t->products + j;
#ifdef _OPENMP
#pragma omp for schedule(static) nowait
#endif
                    for (int64_t part = 0; part < parts_of(g); part++)
                        run_part(t, g, group, part, t->plane, made + at * out,
                                 t->panel + THREAD * t->panel_memory);
                }
            }
        }
        if (finish) finish(context, item, item + 1);
    }
}
