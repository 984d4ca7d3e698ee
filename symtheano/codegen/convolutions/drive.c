/* Results and images: which products they are, and how items and points are divided among threads. */

/* The products that make one array, and the memory for them. */
typedef struct gather {
    const st_windows *w;
    int64_t count;             /* products: one, or one for each phase of an image */
    product *products;          /* of one group; those of the next one have other rows of a */
    planes planes;
    const int64_t *lengths;    /* of the array that is read */
    int64_t read, made;        /* channels of a group that are read and made */
    int64_t items;             /* items that are computed at once, whose results are small */
    int64_t taps;              /* elements of a of one group */
    TYPE *plane, *panel;
    int64_t plane_memory, panel_memory;
    int threads;
} gather;

INLINE int by_items(const gather *t) { return t->w->n >= t->threads * t->items; }

/* Elements of the planes of one group of an item. */
INLINE int64_t item_size(const gather *t) { return size_of_planes(&t->planes, t->read); }

/* Bytes of the rows of planes that a filter meets. */
static int64_t bytes_met(const gather *t) {
    return t->read * t->w->k[0] * t->w->k[1] * row_size(&t->planes) * (int64_t)sizeof(TYPE);
}

/* The items that are computed at once: more than one are the first axis of the grid. */
static int64_t items_at_once(const gather *t, const int64_t *lengths) {
    if (lengths[0] != 1 || t->count != 1) return 1;
    return MAX(MIN(t->w->n, 256 / MAX(st_volume(lengths), 1)), 1);
}

static void finish_memory(gather *t, arena *memory) {
    const int64_t planes = st_size_times(t->items, item_size(t));
    t->plane = take_for_each(memory, planes, by_items(t) ? t->threads : 1, &t->plane_memory);
    const int64_t panels = panel_memory(t->read * st_volume(t->w->k));
    t->panel = take_for_each(memory, panels, t->threads, &t->panel_memory);
}

/* Whether a filter has one element, and what it meets is what is made: points are one row. */
static int is_pointwise(const st_windows *w) {
    for (int axis = 0; axis < 3; axis++)
        if (w->k[axis] > 1 || w->s[axis] > 1 || w->p[axis] || w->i[axis] != w->t[axis]) return 0;
    return 1;
}

/* The result: one product, of filters with planes of the image. */
static void plan_result(gather *t, const TYPE *kernel, arena *memory) {
    const st_windows *w = t->w;
    const int64_t terms = w->c * st_volume(w->k);
    t->planes = planes_of_image(w);
    t->lengths = w->i, t->read = w->c, t->made = w->o, t->count = 1, t->taps = w->o * terms;
    t->items = items_at_once(t, w->t);
    t->products = take(memory, 1, sizeof(product));
    int64_t *offset = take(memory, terms, 8), *where = take(memory, terms, 8);
    const packing packed = take_packing(memory, w, 0, w->groups * t->taps);
    TYPE *a = packed.a;
    if (memory->base) {
        const planes *p = &t->planes;
        const int64_t across = p->rows[1] * row_size(p);
        find_terms(w, p, offset, where);
        product *g = t->products;
        *g = (product){
            .m = w->o, .k = terms, .grid = {w->t[0], w->t[1], w->t[2]},
            .step = {w->s[0] * across, w->s[1] * row_size(p)}, .row = st_volume(w->t),
            .stride = {w->t[1] * w->t[2], w->t[2], 1}, .offset = offset, .a = a,
        };
        if (is_pointwise(w)) join_axes(g);
        g->direct = is_direct(g, bytes_met(t));
        for (int64_t group = 0; group < w->groups && !packed.is_done; group++)
            pack_rows(w->o, g->direct ? DM : MR, terms, kernel + group * t->taps, terms, where,
                      a + group * t->taps);
    }
    keep_filter(&packed);
    finish_memory(t, memory);
}

/* Quotient rounded down. */
INLINE int64_t quotient(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* The image: for each of its phases, a product of the filter's elements that meet it with planes of
   the result. Element x of the image meets element k of the filter at t = (x + p - k d) / s. */
static void plan_image(gather *t, const TYPE *kernel, arena *memory) {
    const st_windows *w = t->w;
    const int64_t taps = st_volume(w->k), terms = w->o * taps;
    planes *p = &t->planes;
    int64_t extent[3];
    for (int axis = 0; axis < 3; axis++) {
        const int64_t before = w->p[axis] + 1 - span_of(w->k[axis], w->d[axis]);
        const int64_t first = quotient(before, w->s[axis]);
        const int64_t last = quotient(st_size_plus(w->i[axis] - 1, w->p[axis]), w->s[axis]);
        p->low[axis] = -first;
        extent[axis] = MAX(st_size_plus(last + 1, -first), 0);
    }
    p->rows[0] = extent[0], p->rows[1] = extent[1], p->phases = 1, p->width = extent[2];
    t->lengths = w->t, t->read = w->o, t->made = w->c, t->taps = w->c * terms;
    t->count = size_of_volume(w->s);
    t->items = items_at_once(t, w->i);
    t->products = take(memory, t->count, sizeof(product));
    int64_t *offset = take(memory, terms, 8), *where = take(memory, terms, 8);
    const packing packed = take_packing(memory, w, 0, w->groups * t->taps);
    TYPE *a = packed.a;
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
            product *g = t->products + number;
            *g = (product){.m = w->c, .k = n, .step = {across, row_size(p)}, .row = st_volume(w->i),
                          .offset = offset + done, .a = a + w->c * done,
                          .start = (r[0] * w->i[1] + r[1]) * w->i[2] + r[2],
                          .stride = {w->s[0] * w->i[1] * w->i[2], w->s[1] * w->i[2], w->s[2]}};
            for (int axis = 0; axis < 3; axis++)
                g->grid[axis] = MAX((w->i[axis] - r[axis] + w->s[axis] - 1) / w->s[axis], 0);
            if (is_pointwise(w)) join_axes(g);
            g->direct = is_direct(g, bytes_met(t));
            for (int64_t group = 0; group < w->groups && !packed.is_done; group++)
                pack_rows(w->c, g->direct ? DM : MR, n, kernel + group * t->taps, taps,
                          where + done, a + group * t->taps + w->c * done);
            done += n;
        }
    }
    keep_filter(&packed);
    finish_memory(t, memory);
}

/* The parts of a product that run side by side. */
INLINE int64_t parts_of(const product *g) {
    return g->direct ? (grid_vectors(g) + DIRECT_PART - 1) / DIRECT_PART : panel_groups(g);
}

/* Whether channels of items before `end` are read where they are. Vectors may reach beyond the last
   of them: those of the last items are copied, or, if points are one row, read EXACTLY. */
enum { COPIED, IN_PLACE, EXACTLY };
static int is_in_place(const gather *t, int64_t end) {
    const int64_t beyond = (t->w->n - end) * t->w->groups * t->read * st_volume(t->lengths);
    if (!are_channels(&t->planes, t->lengths)) return COPIED;
    if (beyond >= NP) return IN_PLACE;
    return is_pointwise(t->w) && st_volume(t->lengths) >= LANES ? EXACTLY : COPIED;
}

/* A product for some items and one group. */
static product part_of(const gather *t, const product *whole, int64_t group, int64_t items,
                      int in_place) {
    product g = *whole;
    g.a += group * t->taps, g.exact = in_place == EXACTLY;
    if (items > 1) {
        g.grid[0] = items, g.step[0] = item_size(t) * (in_place ? t->w->groups : 1);
        g.stride[0] = t->w->groups * t->made * g.row;
    }
    return g;
}

static void run_part(const product *g, int64_t part, const TYPE *plane, TYPE *made,
                     TYPE *panel) {
    if (!points(g)) return;
    if (g->direct) {
        const int64_t begin = part * DIRECT_PART;
        multiply_direct(g, begin, MIN(begin + DIRECT_PART, grid_vectors(g)), plane, made);
    } else {
        multiply(g, part, plane, made, panel);
    }
}

/* Fill the plane of a channel; those of several items are numbered item by item. */
static void fill_channel(const gather *t, const TYPE *from, int64_t channel, TYPE *plane) {
    const int64_t item = channel / t->read, c = channel % t->read;
    const int64_t size = st_volume(t->lengths);
    fill_plane(&t->planes, t->lengths, from + (item * t->w->groups * t->read + c) * size,
               plane + channel * plane_size(&t->planes));
}

static int fits_gather(const call *c, void *plan) {
    *(gather *)plan = (gather){.w = c->w, .threads = c->threads};
    return 1;
}

static void plan_gather(const call *c, void *plan, arena *memory) {
    if (c->wanted == IMAGE) plan_image(plan, c->kernel, memory);
    else plan_result(plan, c->kernel, memory);
}

static void run_gather(const call *call, const void *plan) {
    const gather *t = plan;
    const TYPE *const read = read_by(call);
    TYPE *const made = call->made;
    const int64_t n = t->w->n, groups = t->w->groups, size = t->read * st_volume(t->lengths);
    const int64_t out = t->made * t->products->row, at_once = t->items;
    const int threads = t->threads;
    if (by_items(t)) {
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static)
        for (int64_t first = 0; first < n; first += at_once) {
            const int64_t items = MIN(at_once, n - first);
            const int in_place = is_in_place(t, first + items);
            TYPE *own = t->plane + THREAD * t->plane_memory;
            TYPE *panel = t->panel + THREAD * t->panel_memory;
            for (int64_t group = 0; group < groups; group++) {
                const int64_t at = first * groups + group;
                const TYPE *plane = in_place ? read + at * size : own;
                for (int64_t c = 0; c < items * t->read && !in_place; c++)
                    fill_channel(t, read + at * size, c, own);
                for (int64_t j = 0; j < t->count; j++) {
                    const product g = part_of(t, t->products + j, group, items, in_place);
                    for (int64_t part = 0; part < parts_of(&g); part++)
                        run_part(&g, part, plane, made + at * out, panel);
                }
            }
            if (call->finish) call->finish(call->context, first, first + items);
        }
        return;
    }
    for (int64_t first = 0; first < n; first += at_once) {
        const int64_t items = MIN(at_once, n - first);
        const int in_place = is_in_place(t, first + items);
        for (int64_t group = 0; group < groups; group++) {
            const int64_t at = first * groups + group;
            const TYPE *plane = in_place ? read + at * size : t->plane;
            const int64_t copied = in_place ? 0 : items * t->read;
#pragma omp parallel num_threads(threads)
            {
#pragma omp for schedule(static)
                for (int64_t c = 0; c < copied; c++)
                    fill_channel(t, read + at * size, c, t->plane);
                for (int64_t j = 0; j < t->count; j++) {
                    const product g = part_of(t, t->products + j, group, items, in_place);
#pragma omp for schedule(static) nowait
                    for (int64_t part = 0; part < parts_of(&g); part++)
                        run_part(&g, part, plane, made + at * out,
                                 t->panel + THREAD * t->panel_memory);
                }
            }
        }
        if (call->finish) call->finish(call->context, first, first + items);
    }
}
