/* Claims: which thread updates which shared variables, and waiting for others.

   Lists of claims are in memory that all dispatchers of a process share. They are changed and read
   only while the GIL is held. */

static int has_cell(PyObject *const *cells, Py_ssize_t count, const PyObject *cell)
{
    for (Py_ssize_t k = 0; k < count; k++) {
        if (cells[k] == cell) return 1;
    }
    return 0;
}

/* Return the thread of the claim at which a search stands if the claim concerns one of the cells
   and is not of the thread `own`; else 0. */
static unsigned long thread_of_claim(const claim *one, unsigned long own, PyObject *const *cells,
                                     Py_ssize_t count)
{
    if (one->thread == own) return 0;
    for (Py_ssize_t k = 0; k < one->count; k++) {
        if (has_cell(cells, count, one->cells[k])) return one->thread;
    }
    return 0;
}

static unsigned long thread_of_python_claim(Py_ssize_t number, unsigned long own,
                                            PyObject *const *cells, Py_ssize_t count)
{
    PyObject *pair = PyList_GET_ITEM(python_claims, number);
    const unsigned long thread = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(pair, 0));
    PyObject *storages = PyTuple_GET_ITEM(pair, 1);
    if (thread == own) return 0;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(storages); k++) {
        if (has_cell(cells, count, PyTuple_GET_ITEM(storages, k))) return thread;
    }
    return 0;
}

static __attribute__((noinline)) int is_claimed(PyObject *const *cells, Py_ssize_t count)
{
    const unsigned long own = PyThread_get_thread_ident();
    for (const claim *one = state->claims; one != NULL; one = one->next) {
        if (thread_of_claim(one, own, cells, count)) return 1;
    }
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(python_claims); k++) {
        if (thread_of_python_claim(k, own, cells, count)) return 1;
    }
    return 0;
}

static inline int is_free(const dispatcher *self)
{
    return (state->claims == NULL && PyList_GET_SIZE(python_claims) == 0)
        || !is_claimed(self->cells, self->kept);
}

static int waits_for(unsigned long thread, unsigned long target, int depth);

/* Return whether a thread with claims on the cells is the target, or waits for it. */
static int leads_to(PyObject *const *cells, Py_ssize_t count, unsigned long waiting,
                    unsigned long target, int depth)
{
    for (const claim *one = state->claims; one != NULL; one = one->next) {
        const unsigned long found = thread_of_claim(one, waiting, cells, count);
        if (found && (found == target || waits_for(found, target, depth))) return 1;
    }
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(python_claims); k++) {
        const unsigned long found = thread_of_python_claim(k, waiting, cells, count);
        if (found && (found == target || waits_for(found, target, depth))) return 1;
    }
    return 0;
}

static int waits_for(unsigned long thread, unsigned long target, int depth)
{
    if (depth > 32) return 0;
    for (const claim *wait = state->waits; wait != NULL; wait = wait->next) {
        if (wait->thread == thread
            && leads_to(wait->cells, wait->count, thread, target, depth + 1)) return 1;
    }
    return 0;
}

static void add_claim(claim **list, claim *one)
{
    one->next = *list;
    *list = one;
}

static void remove_claim(claim **list, claim *one)
{
    while (*list != NULL && *list != one) list = &(*list)->next;
    if (*list != NULL) *list = one->next;
}

/* Wait without the GIL: first shortly, then longer. */
static void rest(int turn)
{
    struct timespec pause = {0, turn < 24 ? 1000L << (turn > 16 ? turn - 16 : 0) : 200000};
    Py_BEGIN_ALLOW_THREADS
    if (turn < 16) sched_yield();
    else nanosleep(&pause, NULL);
    Py_END_ALLOW_THREADS
}

/* Wait until no other thread claims a value. Return whether other threads ran meanwhile, or -1 for
   an exception: of a signal's handler, or because the threads wait for each other, which only
   calls within Python ops do. */
static __attribute__((noinline)) int wait_until_free(const dispatcher *self)
{
    const unsigned long own = PyThread_get_thread_ident();
    claim wait = {NULL, own, self->cells, self->kept};
    int result = 1;
    add_claim(&state->waits, &wait);
    for (int turn = 0; !is_free(self); turn++) {
        rest(turn);
        if (PyErr_CheckSignals() < 0) {
            result = -1;
            break;
        }
        if (turn > 24 && leads_to(self->cells, self->kept, own, own, 0)) {
            PyErr_SetString(PyExc_RuntimeError,
                "functions called within Python ops wait for each other's updates: this call needs "
                "values that another thread updates, and that thread waits for updates of this "
                "one; update the shared variables in one function, or in the same order in all");
            result = -1;
            break;
        }
    }
    remove_claim(&state->waits, &wait);
    return result;
}

static void mark(call_context *call, int wanted)
{
    if (call->self->updated == 0 || call->marked == wanted) return;
    call->marked = wanted;
    if (wanted) {
        call->own = (claim){
            NULL, PyThread_get_thread_ident(), call->self->cells, call->self->updated};
        add_claim(&state->claims, &call->own);
    } else {
        remove_claim(&state->claims, &call->own);
    }
}
