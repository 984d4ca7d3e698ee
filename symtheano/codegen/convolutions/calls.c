/* Calls of the library, and what an algorithm for them is. */

/* What is computed of the two other arrays, by its number. */
enum { @WANTED@ };

typedef struct call {
    const st_windows *w;
    int wanted, threads;
    const TYPE *image, *kernel, *result;  /* those that are read, or NULL */
    TYPE *made;
    /* Is called for items that are complete, from a first one to before a last one, or NULL. */
    void (*finish)(const void *, int64_t, int64_t);
    const void *context;
} call;

/* The array that meets the filter. */
INLINE const TYPE *read_by(const call *c) { return c->wanted == IMAGE ? c->result : c->image; }

/* An algorithm. What it does is in a plan of a type of its own. */
typedef struct algorithm {
    int wanted;                                       /* a bit for each number that it computes */
    int (*fits)(const call *, void *plan);            /* whether it is for the shapes; begins a plan */
    void (*plan)(const call *, void *plan, arena *);  /* take memory, and pack filters if there is any */
    int (*is_safe)(const call *);                     /* whether it is for the elements; NULL: for all */
    void (*run)(const call *, const void *plan);
} algorithm;

/* A part of what is computed of one item. */
typedef void job(const call *, const void *plan, int64_t item, int64_t number);

/* Threads share the items or, if these are few, the jobs of each item. */
static void share_jobs(const call *c, const void *plan, int64_t jobs, job *run) {
    const int64_t n = c->w->n;
    if (n >= c->threads) {
#pragma omp parallel for num_threads(c->threads) if (c->threads > 1) schedule(static)
        for (int64_t item = 0; item < n; item++) {
            for (int64_t number = 0; number < jobs; number++) run(c, plan, item, number);
            if (c->finish) c->finish(c->context, item, item + 1);
        }
        return;
    }
    for (int64_t item = 0; item < n; item++) {
#pragma omp parallel for num_threads(c->threads) schedule(static)
        for (int64_t number = 0; number < jobs; number++) run(c, plan, item, number);
        if (c->finish) c->finish(c->context, item, item + 1);
    }
}
