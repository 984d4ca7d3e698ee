/* What happens during a call: threads are limited, the GIL is released, signals are handled, and
   the time of steps is measured. Generated code calls these functions (`st_runtime`). */

/* Keep the current exception until the call ends. */
static void keep_exception(call_context *call)
{
    if (call->raised[0] != NULL) PyErr_Clear();
    else PyErr_Fetch(&call->raised[0], &call->raised[1], &call->raised[2]);
    call->runtime->ended = 1;
}

/* The number of threads that this thread may start; negative if it is not known. */
static _Thread_local int32_t allowed = -1, asked;

/* OpenMP's function of the calling thread's limit, or NULL; the limit if none has been set. */
static int (*openmp_limit)(void);
static int openmp_initial;

/* The processors of this process. */
static int processors = 1;

/* The size of this thread's stack; 0 if it is not known yet. */
static _Thread_local Py_ssize_t stack_bytes;

/* Test whether threads can be started, since OpenMP ends the process if they can't. */
static __attribute__((noinline)) void limit_threads(call_context *call)
{
    const int32_t wanted = call->self->threads;
    if (forked) allowed = 1, asked = wanted;
    if (allowed < 0 || (asked < wanted && allowed == asked)) {
        mark(call, 1); /* Python code runs. */
        PyObject *found = PyObject_CallFunction(call->self->limit, "i", (int)wanted);
        int number, initial, usable;
        unsigned long long address;
        if (found == NULL || !PyArg_ParseTuple(found, "iKii", &number, &address, &initial, &usable)) {
            keep_exception(call);
        } else {
            allowed = number, asked = wanted, processors = usable;
            if (address) openmp_initial = initial, openmp_limit = (int (*)(void))(uintptr_t)address;
        }
        Py_XDECREF(found);
    }
    int32_t most = allowed < 1 || stack_bytes < call->self->ample_stack ? 1
        : wanted < allowed ? wanted : allowed;
    if (most > 1 && openmp_limit != NULL) {
        /* What threadpoolctl or a map has set for this thread. */
        const int limit = openmp_limit();
        if (0 < limit && limit < openmp_initial && limit < most) most = limit;
    }
    /* Calls of several threads divide the processors. A call keeps its part, which a loop of
       several threads may have read. */
    if (call->share == 0) {
        const int32_t all = processors < most ? most : processors;
        call->share = running == 0 ? all : all / (running + 1) < 1 ? 1 : all / (running + 1);
    }
    if (most > call->share) most = call->share;
    call->runtime->threads = most;
    used_threads |= call->runtime->threads > 1;
}

static void leave(call_context *call)
{
    if (call->self->threads > 1) limit_threads(call);
    if (call->looked == 0) call->looked = now();
    /* A child must not get a value that is half written. */
    if (call->in_place && state->forking) return;
    mark(call, 1);
    state->writing += call->in_place;
    running++;
    call->thread = PyEval_SaveThread();
}

static void come_back(call_context *call)
{
    PyEval_RestoreThread(call->thread);
    state->writing -= call->in_place;
    running--;
    call->thread = NULL;
}

static int is_main_thread(void)
{
#ifdef __linux__
    return syscall(SYS_gettid) == getpid();
#else
    return 1;
#endif
}

/* Run the handlers of signals that have arrived. If one raises, the call ends where it can. */
static __attribute__((noinline)) void look_for_signals(call_context *call)
{
    if (is_main_thread() || call->early) {
        come_back(call);
        if (PyErr_CheckSignals() < 0 || renew(call->self, IN_CALL) < 0) keep_exception(call);
        else if (call->self->entry != call->entry) call->left = 1, call->runtime->ended = 1;
        leave(call);
    }
    call->looked = now();
}

/* Called by the entry point before a large amount of work: release the GIL. */
static void busy(void *context)
{
    call_context *call = context;
    if (call->thread == NULL) leave(call);
    else if (!call->runtime->ended && now() - call->looked > LOOK_SECONDS) look_for_signals(call);
}

/* Called in loops that may take long, also by the first one of several threads. */
static void poll(void *context)
{
    call_context *call = context;
    const double time = now();
    if (call->runtime->ended) return;
    if (call->looked == 0) call->looked = time;
    else if (call->thread != NULL ? time - call->looked > LOOK_SECONDS
             : time - call->looked > SHORT_SECONDS) busy(context);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void tick(void *context, int32_t step)
{
    call_context *call = context;
    const double time = now();
    if (call->step >= 0) {
        double *spent = &call->spent[call->step];
        *spent = time - call->begin + (*spent > 0 ? *spent : 0);
    }
    call->step = step < call->self->steps ? step : -1;
    call->begin = time;
}
