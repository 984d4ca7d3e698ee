/* The dispatcher: from a Python call to a generated entry point and back.

   All functions share one extension module. A call whose arguments are numbers, or arrays of the
   right dtype and number of dims, is handled in C. All other arguments are passed to Python (the
   hooks `bind` and `accept`), which converts them or raises an error.

   Everything here runs with the GIL held, except between `leave` and `come_back`. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

/*ABI*/
/*workspace.c*/
/*strided.c*/

typedef int32_t (*entry_function)(const st_runtime *, const st_array *, st_array *, st_error *);

/* The GIL is released for inputs and outputs of more than this many bytes. */
#define LONG_BYTES (1 << 20)
/* Outputs are kept for reuse, at most this many arrays for each one. */
#define POOLED_ARRAYS 2

/* After this number of seconds, a long call tests whether a signal has arrived. */
#define LOOK_SECONDS 0.05
/* A loop releases the GIL after this number of seconds. */
#define SHORT_SECONDS 50e-6

/* Containers of which a thread claims the values, or for which it waits. It is part of the call's
   stack; all functions change and read the lists only while they hold the GIL. */
typedef struct claim {
    struct claim *next;
    unsigned long thread;
    PyObject *const *cells;
    Py_ssize_t count;
} claim;

/* What all dispatchers of a process share: the claims and waits of calls, the number of calls that
   write into shared values without the GIL, and whether a thread is about to fork. */
typedef struct {
    claim *claims, *waits;
    int64_t writing, forking;
} shared_state;

static shared_state *state;  /* in a bytearray of the module `claims` */
static PyObject *python_claims; /* list of tuples (thread, cells) */
static int forked; /* whether this process was forked after threads were used */
static int used_threads; /* whether a call may have started threads of OpenMP */

typedef struct {
    int type_num, ndim;
    int argument;          /* its index among the arguments, or -1 */
    Py_ssize_t first;      /* position of its lengths among those of all inputs */
    int donates;           /* whether an output may be stored in its memory */
    const npy_intp *shape; /* static shape, -1 for unknown lengths; NULL: nothing is known */
    PyObject *cell;        /* list whose first item is the value of a shared variable, or the
                              default of an argument, or NULL */
    PyObject *constant;    /* the value itself, or NULL */
} input_spec;

typedef struct {
    int type_num, ndim;
    int donor;      /* index of the input in whose memory it is stored, or -1 */
    int varies;     /* whether one call has asked for several shapes: none is kept for later */
    PyObject *cell; /* list whose first item is set to it, or NULL */
    PyArrayObject *pool[POOLED_ARRAYS];
} output_spec;

typedef struct {
    PyObject *function; /* arrays -> list of contiguous arrays of the declared types */
    Py_ssize_t count;
    int *type_nums, *ndims; /* of its inputs */
} python_op;

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    entry_function entry;
    Py_ssize_t arguments, inputs, outputs, returned, operations, steps, dims;
    input_spec *input;
    output_spec *output;
    python_op *operation;
    npy_intp *shapes;
    PyObject **cells;  /* all cells that it reads or sets; the first `updated` ones are set */
    Py_ssize_t updated, kept;
    PyObject *bind, *accept, *fail, *keys, *record, *limit, *stack, *alive;
    /* Bytes of the stack of a thread that may call it, and of one that may use more threads. */
    Py_ssize_t least_stack, ample_stack;
    const st_blas *blas;
    void *const *functions;
    int32_t threads;
    char single;
} dispatcher;

/* The state of one call, which its callbacks share. */
typedef struct {
    dispatcher *self;
    PyArrayObject **results;
    PyObject *alive;
    block *blocks;      /* memory that this call uses until it ends */
    const st_array *lent; /* the inputs, as the entry point gets them */
    npy_intp *dims;     /* lengths of all inputs, which Python code could change in the arrays */
    int64_t refused[6]; /* lengths of an output for which there is no memory; or 1 for a workspace */
    npy_intp axes;      /* the lengths of all axes of inputs, combined by `or` */
    int settled;        /* whether no other thread updates what this call uses */
    int stale;          /* whether Python code or other threads ran after inputs were lent */
    st_runtime *runtime;
    PyThreadState *thread;
    claim own;          /* what it updates */
    int marked;         /* whether `own` is in the list of claims */
    int in_place;       /* whether it writes into shared values */
    double looked;      /* when signals were last looked for */
    PyObject *raised[3]; /* the exception of a signal's handler */
    int step;           /* the step that is running, if steps are measured */
    double begin;
    double *spent;      /* seconds of each step, negative if it has not run */
} call_context;

static double now(void);

/* Raise MemoryError, with a message as long as there is memory for that. */
static void *no_memory(const char *what)
{
    PyErr_Format(PyExc_MemoryError, "function: there is not enough memory for %s", what);
    return NULL;
}

/* -- shared variables and threads ------------------------------------------------------------ */

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

/* Keep the current exception until the call ends. */
static void keep_exception(call_context *call)
{
    if (call->raised[0] != NULL) PyErr_Clear();
    else PyErr_Fetch(&call->raised[0], &call->raised[1], &call->raised[2]);
    call->runtime->ended = 1;
}

/* The number of threads that this thread may start; negative if it is not known. */
static _Thread_local int32_t allowed = -1, asked;

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
        const long number = found == NULL ? -1 : PyLong_AsLong(found);
        Py_XDECREF(found);
        if (PyErr_Occurred()) keep_exception(call);
        else allowed = (int32_t)number, asked = wanted;
    }
    call->runtime->threads = allowed < 1 || stack_bytes < call->self->ample_stack ? 1
        : wanted < allowed ? wanted : allowed;
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
    call->thread = PyEval_SaveThread();
}

static void come_back(call_context *call)
{
    PyEval_RestoreThread(call->thread);
    state->writing -= call->in_place;
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
    if (is_main_thread()) {
        come_back(call);
        if (PyErr_CheckSignals() < 0) keep_exception(call);
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

/* -- outputs --------------------------------------------------------------------------------- */

/* Return whether only the pool refers to an array: no other references, no weak references. */
static int is_dropped(PyArrayObject *array)
{
    const Py_ssize_t offset = Py_TYPE(array)->tp_weaklistoffset;
    return Py_REFCNT(array) == 1 && (offset <= 0 || *(PyObject **)((char *)array + offset) == NULL);
}

/* Return whether an array is like a new one from `PyArray_SimpleNew`: the caller may have changed
   its dtype, shape, strides or flags. */
static int is_as_new(const output_spec *spec, PyArrayObject *array, const npy_intp *shape)
{
    const int wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_WRITEABLE | NPY_ARRAY_OWNDATA
        | NPY_ARRAY_ALIGNED;
    if (!PyArray_CheckExact(array) || (PyArray_FLAGS(array) & wanted) != wanted
        || PyArray_BASE(array) != NULL || PyArray_NDIM(array) != spec->ndim) return 0;
    npy_intp stride = PyArray_ITEMSIZE(array);
    for (int axis = spec->ndim; axis-- > 0; stride *= shape[axis]) {
        if (PyArray_DIM(array, axis) != shape[axis] || PyArray_STRIDE(array, axis) != stride) {
            return 0;
        }
    }
    /* There is one native descriptor without metadata for each type. */
    PyArray_Descr *native = PyArray_DescrFromType(spec->type_num);
    const int same = PyArray_DESCR(array) == native;
    Py_XDECREF(native);
    return same;
}

static PyArrayObject *take_from_pool(output_spec *spec, const npy_intp *shape)
{
    for (int k = 0; k < POOLED_ARRAYS; k++) {
        PyArrayObject *array = spec->pool[k];
        if (array == NULL || !is_dropped(array)) continue;
        spec->pool[k] = NULL;
        if (is_as_new(spec, array, shape)) return array;
        Py_DECREF(array);
    }
    return NULL;
}

/*outputs.c*/

static void *allocate(void *context, int32_t number, const int64_t *shape)
{
    call_context *call = context;
    output_spec *spec = &call->self->output[number];
    const int away = call->thread != NULL;
    if (away) come_back(call);
    /* Temporary memory of a loop is asked for in each iteration. */
    PyArrayObject *array = call->results[number];
    for (int axis = 0; array != NULL && axis < spec->ndim; axis++) {
        if (PyArray_DIM(array, axis) != shape[axis]) array = NULL;
    }
    if (array == NULL) {
        if (call->results[number] != NULL) spec->varies = 1;
        Py_CLEAR(call->results[number]);
        array = take_from_pool(spec, (const npy_intp *)shape);
    }
    if (array == NULL) {
        array = new_output(
            call->self, spec->ndim, (const npy_intp *)shape, spec->type_num, call->lent);
    }
    call->results[number] = array;
    for (int axis = 0; array == NULL && axis < spec->ndim && axis < 6; axis++) {
        call->refused[axis] = shape[axis];
    }
    if (away) leave(call);
    return array == NULL ? NULL : PyArray_DATA(array);
}

/* Keep a reference to a result, so the next call can use the array when the caller has dropped it:
   making and freeing an array takes longer than all else in a call, and new pages than most kernels. */
static void keep_for_later(output_spec *spec, PyArrayObject *array)
{
    for (int k = 0; k < POOLED_ARRAYS; k++) {
        if (spec->pool[k] == NULL) {
            Py_INCREF(array);
            spec->pool[k] = array;
            return;
        }
    }
}

/* -- memory that is used during a call ------------------------------------------------------- */

static void *take_memory(call_context *call, size_t bytes)
{
    block *one = take_block(bytes);
    if (one == NULL) return NULL;
    one->next = call->blocks;
    call->blocks = one;
    return block_data(one);
}

static void leave_memory(call_context *call)
{
    for (block *one = call->blocks, *next; one != NULL; one = next) {
        next = one->next;
        leave_block(one);
    }
    call->blocks = NULL;
}

static void *workspace(void *context, int64_t bytes)
{
    void *memory = take_memory(context, (size_t)bytes);
    ((call_context *)context)->refused[0] = memory == NULL;
    return memory;
}

/* -- Python ops ------------------------------------------------------------------------------ */

static PyObject *copied_inputs(const python_op *op, const st_array *inputs)
{
    PyObject *arguments = PyTuple_New(op->count);
    for (Py_ssize_t i = 0; arguments != NULL && i < op->count; i++) {
        PyArrayObject *copy = (PyArrayObject *)PyArray_SimpleNew(
            op->ndims[i], (npy_intp *)inputs[i].shape, op->type_nums[i]);
        if (copy == NULL) {
            Py_CLEAR(arguments);
        } else {
            memcpy(PyArray_DATA(copy), inputs[i].data, (size_t)PyArray_NBYTES(copy));
            PyTuple_SET_ITEM(arguments, i, (PyObject *)copy);
        }
    }
    return arguments;
}

static int32_t run_python_op(call_context *call, int32_t node, st_array *inputs, st_array *outputs)
{
    PyObject *arguments = copied_inputs(&call->self->operation[node], inputs);
    if (arguments == NULL) return ST_ERROR_PYTHON;
    PyObject *results = PyObject_Call(call->self->operation[node].function, arguments, NULL);
    Py_DECREF(arguments);
    if (results == NULL) return ST_ERROR_PYTHON;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(results); i++) {
        /* A view, because the op may keep the array and change its shape. */
        PyArrayObject *array = (PyArrayObject *)PyArray_View(
            (PyArrayObject *)PyList_GET_ITEM(results, i), NULL, &PyArray_Type);
        if (array == NULL) {
            Py_DECREF(results);
            return ST_ERROR_PYTHON;
        }
        PyList_SetItem(results, i, (PyObject *)array);
        outputs[i].data = PyArray_DATA(array);
        outputs[i].shape = (const int64_t *)PyArray_DIMS(array);
    }
    const int failed = PyList_Append(call->alive, results);
    Py_DECREF(results);
    return failed ? ST_ERROR_PYTHON : ST_OK;
}

static int32_t call_python(void *context, int32_t node, st_array *inputs, st_array *outputs)
{
    call_context *call = context;
    const int away = call->thread != NULL;
    if (away) come_back(call);
    const int32_t code = run_python_op(call, node, inputs, outputs);
    if (away) leave(call);
    return code;
}

/* -- inputs ---------------------------------------------------------------------------------- */

static inline int fits(const input_spec *spec, PyArrayObject *array)
{
    const int type_num = PyArray_TYPE(array);
    if (PyArray_NDIM(array) != spec->ndim
        || (type_num != spec->type_num && !PyArray_EquivTypenums(type_num, spec->type_num))) {
        return 0;
    }
    if (spec->shape != NULL) {
        for (int axis = 0; axis < spec->ndim; axis++) {
            if (spec->shape[axis] >= 0 && spec->shape[axis] != PyArray_DIM(array, axis)) return 0;
        }
    }
    return 1;
}

/* Store a number in the 16 bytes at `place` if it has the input's type or is exact in it. Return
   whether it was stored; all other values are converted by Python. */
static int take_number(const input_spec *spec, PyObject *value, void *place)
{
    if (spec->ndim != 0) return 0;
    if (PyFloat_CheckExact(value)) {
        if (spec->type_num != NPY_DOUBLE) return 0;
        *(double *)place = PyFloat_AS_DOUBLE(value);
        return 1;
    }
    if (PyLong_CheckExact(value)) {
        int overflow;
        const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow) return 0;
        if (PyArray_EquivTypenums(spec->type_num, NPY_INT64)) {
            *(npy_int64 *)place = number;
        } else if (spec->type_num == NPY_INT32 && number == (npy_int32)number) {
            *(npy_int32 *)place = (npy_int32)number;
        } else if (spec->type_num == NPY_DOUBLE && llabs(number) < (1LL << 53)) {
            *(double *)place = (double)number;
        } else if (spec->type_num == NPY_FLOAT && llabs(number) < (1LL << 24)) {
            *(float *)place = (float)number;
        } else {
            return 0;
        }
        return 1;
    }
    if (Py_IS_TYPE(value, &PyDoubleArrType_Type) && spec->type_num == NPY_DOUBLE) {
        *(double *)place = PyArrayScalar_VAL(value, Double);
        return 1;
    }
    if (Py_IS_TYPE(value, &PyFloatArrType_Type) && spec->type_num == NPY_FLOAT) {
        *(float *)place = PyArrayScalar_VAL(value, Float);
        return 1;
    }
    return 0;
}

static PyArrayObject *contiguous(const input_spec *spec, PyArrayObject *array)
{
    const int wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED;
    return (PyArrayObject *)PyArray_FromArray(array, PyArray_DescrFromType(spec->type_num), wanted);
}

static inline int is_readable(PyArrayObject *array)
{
    return PyArray_CHKFLAGS(array, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED)
        && PyArray_ISNOTSWAPPED(array);
}

/* Return whether `copy_strided` can copy an array. */
static int is_copyable(const input_spec *spec, PyArrayObject *array)
{
    return PyArray_ISALIGNED(array) && PyArray_ISNOTSWAPPED(array) && !spec->donates
        && PyArray_NDIM(array) <= MOST_AXES && is_copied_width(PyArray_ITEMSIZE(array));
}

/* Set the exception of an error code, made from its numbers. */
static void raise_error(const dispatcher *self, int32_t code, int32_t site, PyObject *values)
{
    PyObject *raised = values == NULL ? NULL
        : PyObject_CallFunction(self->fail, "iiN", (int)code, (int)site, values);
    if (raised != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
        Py_DECREF(raised);
    }
}

/* Return a copy in C order that is valid until the call ends, or NULL with an error set. */
static void *copied_input(
    call_context *call, Py_ssize_t number, PyArrayObject *array, const npy_intp *dims)
{
    const input_spec *spec = &call->self->input[number];
    const npy_intp bytes = PyArray_NBYTES(array);
    npy_intp strides[MOST_AXES];
    for (int axis = 0; axis < spec->ndim; axis++) strides[axis] = PyArray_STRIDE(array, axis);
    void *copy = take_memory(call, (size_t)bytes);
    if (copy == NULL) {
        /* Numbers of outputs are not negative, that of the workspace is -1. */
        PyObject *values = Py_BuildValue("nn", (Py_ssize_t)bytes, -2 - number);
        return raise_error(call->self, ST_ERROR_MEMORY, -1, values), NULL;
    }
    /* No other thread may run between reading a shared variable and the call. */
    PyThreadState *away = bytes < LONG_BYTES || spec->cell != NULL ? NULL : PyEval_SaveThread();
    copy_strided(copy, PyArray_BYTES(array), spec->ndim, dims, strides, PyArray_ITEMSIZE(array));
    if (away != NULL) PyEval_RestoreThread(away);
    return copy;
}

/* Return a new reference to an array that C can read, directly or after `copied_input`. NULL
   without an error means that the value is a number and was stored at `place`. */
static PyArrayObject *take_input(
    const dispatcher *self, Py_ssize_t number, PyObject *value, void *place)
{
    const input_spec *spec = &self->input[number];
    PyObject *accepted = NULL;
    if (!PyArray_CheckExact(value) || !fits(spec, (PyArrayObject *)value)) {
        if (spec->argument >= 0 && take_number(spec, value, place)) return NULL;
        accepted = PyObject_CallFunction(self->accept, "nO", number, value);
        if (accepted == NULL) return NULL;
        if (!PyArray_Check(accepted) || !fits(spec, (PyArrayObject *)accepted)) {
            PyErr_Format(PyExc_SystemError, "the converted input %zd has the wrong type", number);
            Py_DECREF(accepted);
            return NULL;
        }
        value = accepted;
    }
    PyArrayObject *array = (PyArrayObject *)value;
    if (is_readable(array) || is_copyable(spec, array)) {
        Py_INCREF(array);
    } else {
        array = contiguous(spec, array);
    }
    Py_XDECREF(accepted);
    return array;
}

/* Return whether an array owns its memory and only its container refers to it, so that no other
   object is changed by writing to it. */
static int may_be_written(PyArrayObject *array)
{
    /* One reference is in the cell, the other one in `taken`. */
    return Py_REFCNT(array) <= 2 && PyArray_ISWRITEABLE(array)
        && PyArray_CHKFLAGS(array, NPY_ARRAY_OWNDATA);
}

static inline npy_intp bytes_of(PyArrayObject *array)
{
    npy_intp bytes = PyArray_ITEMSIZE(array);
    for (int axis = 0; axis < PyArray_NDIM(array); axis++) bytes *= PyArray_DIM(array, axis);
    return bytes;
}

/* Fill the descriptor of an array that C can read, with a copy of its lengths. */
static inline __attribute__((always_inline)) void describe(
    call_context *call, Py_ssize_t i, PyArrayObject *array, st_array *lent)
{
    const input_spec *spec = &call->self->input[i];
    npy_intp *dims = call->dims + spec->first;
    for (int axis = 0; axis < spec->ndim; axis++) {
        dims[axis] = PyArray_DIM(array, axis);
        call->axes |= dims[axis];
    }
    lent[i].data = PyArray_DATA(array);
    lent[i].shape = (const int64_t *)dims;
}

/* Replace a value that was taken, but that C cannot read without a conversion. An array that was
   copied for this call is not needed any more: `taken` is NULL. */
static __attribute__((noinline)) int convert_input(
    call_context *call, Py_ssize_t i, PyArrayObject **taken, st_array *lent, void *place,
    npy_intp *bytes)
{
    const input_spec *spec = &call->self->input[i];
    PyObject *value = (PyObject *)taken[i];
    taken[i] = NULL;
    /* Other threads may run during Python code and NumPy's copies. They must not replace a value
       that this call updates. */
    if (call->settled) mark(call, 1);
    call->stale = 1;
    PyArrayObject *array = take_input(call->self, i, value, place);
    Py_DECREF(value);
    if (array == NULL) {
        lent[i].data = place;
        lent[i].shape = NULL;
        return PyErr_Occurred() ? -1 : 0;
    }
    *bytes += bytes_of(array);
    describe(call, i, array, lent);
    if (is_readable(array)) {
        taken[i] = array;
        return 0;
    }
    lent[i].data = copied_input(call, i, array, call->dims + spec->first);
    Py_DECREF(array);
    return lent[i].data == NULL ? -1 : 0;
}

/* Return whether C can read a value as it is. */
static inline __attribute__((always_inline)) int is_direct(
    const input_spec *spec, PyObject *value)
{
    return PyArray_CheckExact(value) && fits(spec, (PyArrayObject *)value)
        && is_readable((PyArrayObject *)value);
}

/* Take a value, and describe it if C can read it as it is; otherwise its `shape` is NULL. */
static inline __attribute__((always_inline)) int lend_direct(
    call_context *call, Py_ssize_t i, PyObject *value, PyArrayObject **taken, st_array *lent,
    npy_intp *bytes)
{
    Py_INCREF(value);
    taken[i] = (PyArrayObject *)value;
    lent[i].shape = NULL;
    if (!is_direct(&call->self->input[i], value)) return 0;
    *bytes += bytes_of(taken[i]);
    describe(call, i, taken[i], lent);
    return 1;
}

/* Describe the arrays again: while one input was converted, or while this call waited, Python code
   may have changed the shape, the dtype or the memory of others. */
static __attribute__((noinline)) int describe_again(
    call_context *call, PyArrayObject **taken, st_array *lent, npy_clongdouble *places,
    npy_intp *bytes)
{
    for (Py_ssize_t i = 0; i < call->self->inputs; i++) {
        PyArrayObject *array = taken[i];
        if (array == NULL) continue;
        if (fits(&call->self->input[i], array) && is_readable(array)) {
            describe(call, i, array, lent);
            continue;
        }
        mark(call, 1);
        if (convert_input(call, i, taken, lent, &places[i], bytes) < 0) return -1;
    }
    return 0;
}

/* Generated code relies on it that no axis is longer, not even of an array without elements: it is
   `MOST_ALONG_AXIS` in Python, where the error is raised. */
#define MOST_ALONG_AXIS ((npy_intp)1 << 44)

static __attribute__((cold, noinline)) int refuse_long_axes(
    call_context *call, PyArrayObject **taken)
{
    for (Py_ssize_t i = 0; i < call->self->inputs; i++) {
        if (taken[i] == NULL) continue;
        PyObject *value = PyObject_CallFunction(call->self->accept, "nO", i, taken[i]);
        if (value == NULL) return -1;
        Py_DECREF(value);
    }
    return 0;
}

/* Return whether an input's value is read from its cell: None stands for the default. */
static inline int is_stored(const input_spec *spec, PyObject *const *arguments)
{
    return spec->argument < 0 || (spec->cell != NULL && arguments[spec->argument] == Py_None);
}

static int take_inputs(
    call_context *call, PyObject *const *arguments, PyArrayObject **taken, st_array *lent,
    npy_clongdouble *places, npy_intp *bytes)
{
    const dispatcher *self = call->self;
    int donors = 0;
    /* Converting an argument may run Python and other threads, so shared variables are read
       afterwards, all at one time. From then on, no other thread runs unless this call has marked
       what it updates. */
    for (Py_ssize_t i = 0; i < self->inputs; i++) {
        if (is_stored(&self->input[i], arguments)) continue;
        PyObject *value = arguments[self->input[i].argument];
        if (lend_direct(call, i, value, taken, lent, bytes)) continue;
        if (convert_input(call, i, taken, lent, &places[i], bytes) < 0) return -1;
    }
    if (self->kept > 0 && !is_free(self)) {
        if (wait_until_free(self) < 0) return -1;
        call->stale = 1;
    }
    call->settled = 1;
    Py_ssize_t others = 0;
    for (Py_ssize_t i = 0; i < self->inputs; i++) {
        const input_spec *spec = &self->input[i];
        if (!is_stored(spec, arguments)) continue;
        PyObject *value = spec->cell != NULL ? PyList_GET_ITEM(spec->cell, 0) : spec->constant;
        others += !lend_direct(call, i, value, taken, lent, bytes);
        donors += spec->donates;
    }
    for (Py_ssize_t i = 0; others > 0 && i < self->inputs; i++) {
        if (!is_stored(&self->input[i], arguments) || lent[i].shape != NULL) continue;
        others--;
        if (convert_input(call, i, taken, lent, &places[i], bytes) < 0) return -1;
    }
    if (call->stale && describe_again(call, taken, lent, places, bytes) < 0) return -1;
    for (Py_ssize_t i = 0; donors > 0 && i < self->inputs; i++) {
        if (!self->input[i].donates) continue;
        if (may_be_written(taken[i]) && !is_badly_placed(self, lent, i, taken[i])) {
            call->in_place = 1;
            continue;
        }
        mark(call, 1); /* Other threads may run while NumPy copies. */
        PyArrayObject *copy = placed_copy(self, &self->input[i], taken[i], lent);
        if (copy == NULL) return -1;
        Py_SETREF(taken[i], copy);
        describe(call, i, copy, lent);
    }
    return 0;
}

/* -- a call ---------------------------------------------------------------------------------- */

static int run(call_context *call, const st_array *lent, st_array *outputs, npy_intp bytes)
{
    dispatcher *self = call->self;
    st_error error;
    st_runtime runtime = {
        .context = call, .allocate = allocate, .python = call_python, .busy = busy, .poll = poll,
        .tick = call->spent != NULL ? tick : NULL,
        .blas = self->blas, .threads = self->threads, .functions = self->functions,
        .workspace = workspace,
    };
    call->runtime = &runtime;
    call->lent = lent;
    if (self->operations) mark(call, 1);
    if (bytes >= LONG_BYTES) leave(call);
    const int32_t code = self->entry(&runtime, lent, outputs, &error);
    if (call->thread != NULL) come_back(call);
    call->runtime = NULL;
    if (code == ST_OK) return 0;
    mark(call, 0);
    if (call->raised[0] != NULL) return -1;
    /* The message made from the memory plan is more useful than NumPy's. */
    if (code == ST_ERROR_MEMORY) {
        PyErr_Clear();
        memcpy(error.values + 2, call->refused, sizeof call->refused);
    }
    if (!PyErr_Occurred()) {
        PyObject *values = PyTuple_New(ST_MOST_VALUES);
        for (int k = 0; values != NULL && k < ST_MOST_VALUES; k++) {
            PyTuple_SET_ITEM(values, k, PyLong_FromLongLong(error.values[k]));
        }
        raise_error(self, code, error.site, values);
    }
    return -1;
}

/* Store the new values of all shared variables before other code can run: nothing in this function
   fails, calls Python or frees an object. The old values are moved to `results`. */
static void store_updates(dispatcher *self, PyArrayObject **taken, PyArrayObject **results)
{
    for (Py_ssize_t k = 0; k < self->outputs; k++) {
        output_spec *spec = &self->output[k];
        if (spec->donor >= 0) {
            results[k] = taken[spec->donor];
            Py_INCREF(results[k]);
        }
        if (spec->cell != NULL) {
            PyObject *old = PyList_GET_ITEM(spec->cell, 0);
            PyList_SET_ITEM(spec->cell, 0, (PyObject *)results[k]);
            results[k] = (PyArrayObject *)old;
        }
    }
}

/* Make the list or the dict of the results, which is filled later without running Python. */
static PyObject *new_results(const dispatcher *self)
{
    if (self->keys == NULL) return PyList_New(self->returned);
    PyObject *dict = PyDict_New();
    for (Py_ssize_t k = 0; dict != NULL && k < self->returned; k++) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(self->keys, k), Py_None) < 0) Py_CLEAR(dict);
    }
    return dict;
}

/* Return the results: one array, or the list or dict from `new_results`. */
static PyObject *gather(dispatcher *self, PyArrayObject **results, PyObject *many)
{
    for (Py_ssize_t k = 0; k < self->outputs; k++) {
        output_spec *spec = &self->output[k];
        if (results[k] == NULL) continue; /* temporary memory of a branch that did not run */
        if (spec->donor >= 0 || spec->varies) continue;
        if (PyArray_CheckExact(results[k])) keep_for_later(spec, results[k]);
    }
    if (self->single) {
        Py_INCREF(results[0]);
        return (PyObject *)results[0];
    }
    for (Py_ssize_t k = 0; k < self->returned; k++) {
        if (self->keys != NULL) {
            PyObject *key = PyTuple_GET_ITEM(self->keys, k);
            if (PyDict_SetItem(many, key, (PyObject *)results[k]) < 0) return NULL;
        } else {
            Py_INCREF(results[k]);
            PyList_SET_ITEM(many, k, (PyObject *)results[k]);
        }
    }
    Py_INCREF(many);
    return many;
}

#define ON_STACK 24
#define DIMS_ON_STACK 64

static PyObject *call_with(dispatcher *self, PyObject *const *arguments, double *spent)
{
    PyArrayObject *few_taken[ON_STACK], *few_results[ON_STACK];
    st_array few_lent[ON_STACK], few_outputs[ON_STACK];
    npy_clongdouble few_places[ON_STACK];
    npy_intp few_dims[DIMS_ON_STACK];
    PyArrayObject **taken = few_taken, **results = few_results;
    st_array *lent = few_lent, *outputs = few_outputs;
    npy_clongdouble *places = few_places;
    void *block = NULL;
    PyObject *result = NULL, *many = NULL;
    npy_intp bytes = 0;
    call_context call;

    call.dims = few_dims, call.stale = call.settled = 0, call.axes = 0, call.refused[0] = 0;
    if (self->inputs > ON_STACK || self->outputs > ON_STACK || self->dims > DIMS_ON_STACK) {
        const size_t each = sizeof *places + sizeof *taken + sizeof *lent;
        const size_t many = (size_t)(self->inputs + self->outputs);
        places = block = PyMem_Malloc(many * each + (size_t)self->dims * sizeof *call.dims);
        if (block == NULL) return no_memory("the arguments of a call");
        lent = (st_array *)(places + self->inputs);
        outputs = lent + self->inputs;
        taken = (PyArrayObject **)(outputs + self->outputs);
        results = taken + self->inputs;
        call.dims = (npy_intp *)(results + self->outputs);
    }
    for (Py_ssize_t i = 0; i < self->inputs; i++) taken[i] = NULL;
    for (Py_ssize_t k = 0; k < self->outputs; k++) results[k] = NULL;
    call.self = self, call.results = results, call.alive = NULL, call.blocks = NULL;
    call.thread = NULL, call.marked = 0, call.in_place = 0, call.looked = 0;
    call.step = -1, call.spent = spent, call.raised[0] = NULL;
    /* Made first, because this may run the garbage collector. */
    if (!self->single && (many = new_results(self)) == NULL) goto done;
    if (self->operations && (call.alive = PyList_New(0)) == NULL) goto done;
    if (take_inputs(&call, arguments, taken, lent, places, &bytes) < 0) goto done;
    if (call.axes > MOST_ALONG_AXIS && refuse_long_axes(&call, taken) < 0) goto done;
    if (run(&call, lent, outputs, bytes) < 0) goto done;
    /* The order matters: values are stored, then marks are removed, then Python may run. */
    store_updates(self, taken, results);
    mark(&call, 0);
    result = gather(self, results, many);
done:
    mark(&call, 0);
    if (call.blocks != NULL) leave_memory(&call);
    for (Py_ssize_t i = 0; i < self->inputs; i++) Py_XDECREF(taken[i]);
    for (Py_ssize_t k = 0; k < self->outputs; k++) Py_XDECREF(results[k]);
    Py_XDECREF(call.alive);
    Py_XDECREF(many);
    PyMem_Free(block);
    if (call.raised[0] != NULL) {
        /* Everything was stored, or nothing. */
        Py_CLEAR(result);
        PyErr_Clear();
        PyErr_Restore(call.raised[0], call.raised[1], call.raised[2]);
    }
    return result;
}

/* Call with the list of arguments that `bind` returns. It handles names, defaults and a wrong
   number of arguments. */
static PyObject *call_bound(
    dispatcher *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names,
    double *spent)
{
    PyObject *result = NULL, *values = NULL;
    PyObject *positional = PyTuple_New(count), *named = PyDict_New();
    if (positional == NULL || named == NULL) goto done;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_INCREF(arguments[i]);
        PyTuple_SET_ITEM(positional, i, arguments[i]);
    }
    for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(names); i++) {
        if (PyDict_SetItem(named, PyTuple_GET_ITEM(names, i), arguments[count + i]) < 0) goto done;
    }
    values = PyObject_CallFunctionObjArgs(self->bind, positional, named, NULL);
    if (values == NULL) goto done;
    if (!PyList_CheckExact(values) || PyList_GET_SIZE(values) != self->arguments) {
        PyErr_SetString(PyExc_SystemError, "the bound arguments are not a list of their number");
        goto done;
    }
    result = call_with(self, ((PyListObject *)values)->ob_item, spent);
done:
    Py_XDECREF(values);
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return result;
}

/* Call, and record how many seconds the call and its steps took. */
static PyObject *call_measured(
    dispatcher *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names)
{
    double *spent = PyMem_Malloc(sizeof(double) * (size_t)(self->steps + 1));
    if (spent == NULL) return no_memory("the times of a call's steps");
    for (Py_ssize_t k = 0; k < self->steps; k++) spent[k] = -1.0;
    const double begin = now();
    PyObject *result = call_bound(self, arguments, count, names, spent);
    const double seconds = now() - begin;
    PyObject *parts = result == NULL ? NULL : PyTuple_New(self->steps);
    for (Py_ssize_t k = 0; parts != NULL && k < self->steps; k++) {
        PyTuple_SET_ITEM(parts, k, PyFloat_FromDouble(spent[k]));
    }
    PyMem_Free(spent);
    if (result == NULL) return NULL;
    PyObject *none = parts == NULL ? NULL
        : PyObject_CallFunction(self->record, "dN", seconds, parts);
    if (none == NULL) Py_CLEAR(result);
    Py_XDECREF(none);
    return result;
}

/* Return -1 with an error set if this thread's stack is too small, which would end the process. */
static __attribute__((noinline)) int measure_stack(dispatcher *self)
{
    PyObject *found = PyObject_CallFunction(self->stack, "n", self->least_stack);
    const Py_ssize_t bytes = found == NULL ? -1 : PyLong_AsSsize_t(found);
    Py_XDECREF(found);
    if (bytes < 0) return -1;
    stack_bytes = bytes;
    return 0;
}

static PyObject *call(PyObject *object, PyObject *const *arguments, size_t flags, PyObject *names)
{
    dispatcher *self = (dispatcher *)object;
    const Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (self->entry == NULL) {
        PyErr_SetString(PyExc_ValueError, "this function is not connected to compiled code");
        return NULL;
    }
    if (stack_bytes < self->least_stack && measure_stack(self) < 0) return NULL;
    if (self->record != NULL) return call_measured(self, arguments, count, names);
    return names == NULL && count == self->arguments
        ? call_with(self, arguments, NULL) : call_bound(self, arguments, count, names, NULL);
}

/* -- construction and destruction ------------------------------------------------------------ */

static void disconnect(dispatcher *self)
{
    if (self->entry != NULL) free_idle_blocks();
    self->entry = NULL;
    for (Py_ssize_t i = 0; i < self->inputs; i++) {
        Py_CLEAR(self->input[i].cell);
        Py_CLEAR(self->input[i].constant);
    }
    for (Py_ssize_t k = 0; k < self->outputs; k++) {
        Py_CLEAR(self->output[k].cell);
        for (int n = 0; n < POOLED_ARRAYS; n++) Py_CLEAR(self->output[k].pool[n]);
    }
    for (Py_ssize_t n = 0; n < self->operations; n++) {
        Py_CLEAR(self->operation[n].function);
        PyMem_Free(self->operation[n].type_nums);
        self->operation[n].type_nums = NULL;
    }
    self->inputs = self->outputs = self->operations = 0;
    PyMem_Free(self->input);
    PyMem_Free(self->output);
    PyMem_Free(self->operation);
    PyMem_Free(self->shapes);
    PyMem_Free(self->cells);
    self->cells = NULL, self->updated = self->kept = 0;
    self->input = NULL, self->output = NULL, self->operation = NULL, self->shapes = NULL;
    Py_CLEAR(self->bind);
    Py_CLEAR(self->accept);
    Py_CLEAR(self->fail);
    Py_CLEAR(self->keys);
    Py_CLEAR(self->limit);
    Py_CLEAR(self->stack);
    Py_CLEAR(self->record);
    Py_CLEAR(self->alive);
}

static PyObject *optional(PyObject *object)
{
    if (object == Py_None) return NULL;
    Py_INCREF(object);
    return object;
}

/* (type_num, ndim, argument, donates, shape, cell, constant) */
static int read_input(dispatcher *self, Py_ssize_t i, PyObject *item, npy_intp **room)
{
    input_spec *spec = &self->input[i];
    PyObject *shape, *cell, *constant;
    if (!PyArg_ParseTuple(item, "iiipOOO", &spec->type_num, &spec->ndim, &spec->argument,
                          &spec->donates, &shape, &cell, &constant)) return -1;
    if (cell != Py_None && (!PyList_CheckExact(cell) || PyList_GET_SIZE(cell) != 1)) {
        PyErr_SetString(PyExc_TypeError, "a cell must be a list of one item");
        return -1;
    }
    spec->cell = optional(cell), spec->constant = optional(constant);
    if (shape == Py_None) return 0;
    spec->shape = *room;
    for (int axis = 0; axis < spec->ndim; axis++) {
        PyObject *dim = PyTuple_GetItem(shape, axis);
        const npy_intp length = dim == NULL ? -1 : PyLong_AsSsize_t(dim);
        if (length == -1 && PyErr_Occurred()) return -1;
        *(*room)++ = length;
    }
    return 0;
}

/* (type_num, ndim, donor, cell) */
static int read_output(dispatcher *self, Py_ssize_t k, PyObject *item)
{
    output_spec *spec = &self->output[k];
    PyObject *cell;
    if (!PyArg_ParseTuple(item, "iiiO", &spec->type_num, &spec->ndim, &spec->donor, &cell)) {
        return -1;
    }
    spec->cell = optional(cell);
    return 0;
}

/* (function, ((type_num, ndim), ...)) */
static int read_operation(dispatcher *self, Py_ssize_t n, PyObject *item)
{
    python_op *op = &self->operation[n];
    PyObject *function, *types;
    if (!PyArg_ParseTuple(item, "OO!", &function, &PyTuple_Type, &types)) return -1;
    op->function = optional(function);
    op->count = PyTuple_GET_SIZE(types);
    op->type_nums = PyMem_Calloc((size_t)(2 * op->count + 1), sizeof(int));
    if (op->type_nums == NULL) return no_memory("a function"), -1;
    op->ndims = op->type_nums + op->count;
    for (Py_ssize_t i = 0; i < op->count; i++) {
        PyObject *pair = PyTuple_GET_ITEM(types, i);
        if (!PyArg_ParseTuple(pair, "ii", &op->type_nums[i], &op->ndims[i])) return -1;
    }
    return 0;
}

static int read_specs(dispatcher *self, PyObject *inputs, PyObject *outputs, PyObject *operations)
{
    size_t dims = 1;
    const Py_ssize_t counts[3] = {
        PyTuple_GET_SIZE(inputs), PyTuple_GET_SIZE(outputs), PyTuple_GET_SIZE(operations)};
    for (Py_ssize_t i = 0; i < counts[0]; i++) {
        const long ndim = PyLong_AsLong(PyTuple_GetItem(PyTuple_GET_ITEM(inputs, i), 1));
        if (ndim < 0) return -1;
        dims += (size_t)ndim;
    }
    self->input = PyMem_Calloc((size_t)counts[0] + 1, sizeof *self->input);
    self->output = PyMem_Calloc((size_t)counts[1] + 1, sizeof *self->output);
    self->operation = PyMem_Calloc((size_t)counts[2] + 1, sizeof *self->operation);
    self->shapes = PyMem_Calloc(dims, sizeof *self->shapes);
    if (!self->input || !self->output || !self->operation || !self->shapes) {
        return no_memory("a function"), -1;
    }
    self->inputs = counts[0], self->outputs = counts[1], self->operations = counts[2];
    npy_intp *room = self->shapes;
    self->dims = 0;
    for (Py_ssize_t i = 0; i < self->inputs; i++) {
        if (read_input(self, i, PyTuple_GET_ITEM(inputs, i), &room) < 0) return -1;
        self->input[i].first = self->dims;
        self->dims += self->input[i].ndim;
        if (self->input[i].argument >= self->arguments) {
            self->arguments = self->input[i].argument + 1;
        }
    }
    for (Py_ssize_t k = 0; k < self->outputs; k++) {
        if (read_output(self, k, PyTuple_GET_ITEM(outputs, k)) < 0) return -1;
    }
    for (Py_ssize_t n = 0; n < self->operations; n++) {
        if (read_operation(self, n, PyTuple_GET_ITEM(operations, n)) < 0) return -1;
    }
    return 0;
}

/* Collect the cells: first those that are set, then those that are only read. */
static int collect_cells(dispatcher *self)
{
    self->cells = PyMem_Calloc((size_t)(self->inputs + self->outputs) + 1, sizeof *self->cells);
    if (self->cells == NULL) return no_memory("a function"), -1;
    for (Py_ssize_t k = 0; k < self->outputs; k++) {
        PyObject *cell = self->output[k].cell;
        if (cell != NULL && !has_cell(self->cells, self->kept, cell)) {
            self->cells[self->kept++] = cell;
        }
    }
    self->updated = self->kept;
    for (Py_ssize_t i = 0; i < self->inputs; i++) {
        PyObject *cell = self->input[i].cell;
        if (cell != NULL && !has_cell(self->cells, self->updated, cell)) {
            self->cells[self->kept++] = cell;
        }
    }
    return 0;
}

PyDoc_STRVAR(connect_doc,
"_connect(entry, inputs, outputs, operations, returned, single, blas, functions, threads,\n"
"         steps, least_stack, ample_stack, bind, accept, fail, keys, record, limit, stack,\n"
"         alive)\n--\n\n"
"Bind this object to a compiled entry point.");

static PyObject *connect(PyObject *object, PyObject *arguments)
{
    dispatcher *self = (dispatcher *)object;
    unsigned long long entry, blas, functions;
    PyObject *inputs, *outputs, *operations, *bind, *accept, *fail, *keys;
    PyObject *record, *limit, *stack, *alive;
    Py_ssize_t returned, steps, least_stack, ample_stack;
    int single, threads;
    if (!PyArg_ParseTuple(arguments, "KO!O!O!npKKinnnOOOOOOOO", &entry, &PyTuple_Type, &inputs,
                          &PyTuple_Type, &outputs, &PyTuple_Type, &operations, &returned, &single,
                          &blas, &functions, &threads, &steps, &least_stack, &ample_stack, &bind,
                          &accept, &fail, &keys, &record, &limit, &stack, &alive)) return NULL;
    disconnect(self);
    self->arguments = 0;
    if (read_specs(self, inputs, outputs, operations) < 0 || collect_cells(self) < 0) {
        disconnect(self);
        return NULL;
    }
    self->returned = returned, self->single = (char)single, self->threads = threads;
    self->steps = steps, self->least_stack = least_stack, self->ample_stack = ample_stack;
    self->blas = (const st_blas *)(uintptr_t)blas;
    self->functions = (void *const *)(uintptr_t)functions;
    self->bind = optional(bind), self->accept = optional(accept), self->fail = optional(fail);
    self->keys = optional(keys), self->record = optional(record);
    self->limit = optional(limit), self->stack = optional(stack), self->alive = optional(alive);
    self->entry = (entry_function)(uintptr_t)entry;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(release_doc,
"_release()\n--\n\n"
"Free the memory that is kept for later calls. Return how many bytes of it were workspaces.");

static PyObject *release_method(PyObject *object, PyObject *unused)
{
    dispatcher *self = (dispatcher *)object;
    for (Py_ssize_t k = 0; k < self->outputs; k++) {
        for (int n = 0; n < POOLED_ARRAYS; n++) Py_CLEAR(self->output[k].pool[n]);
    }
    return PyLong_FromSize_t(free_idle_blocks());
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    dispatcher *self = (dispatcher *)type->tp_alloc(type, 0);
    if (self != NULL) self->vectorcall = call;
    return (PyObject *)self;
}

static int traverse(PyObject *object, visitproc visit, void *arg)
{
    dispatcher *self = (dispatcher *)object;
    for (Py_ssize_t i = 0; i < self->inputs; i++) {
        Py_VISIT(self->input[i].cell);
        Py_VISIT(self->input[i].constant);
    }
    for (Py_ssize_t k = 0; k < self->outputs; k++) Py_VISIT(self->output[k].cell);
    for (Py_ssize_t n = 0; n < self->operations; n++) Py_VISIT(self->operation[n].function);
    Py_VISIT(self->bind);
    Py_VISIT(self->accept);
    Py_VISIT(self->fail);
    Py_VISIT(self->keys);
    Py_VISIT(self->limit);
    Py_VISIT(self->stack);
    Py_VISIT(self->record);
    Py_VISIT(self->alive);
    return 0;
}

static int clear(PyObject *object)
{
    disconnect((dispatcher *)object);
    return 0;
}

static void dealloc(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    disconnect((dispatcher *)object);
    Py_TYPE(object)->tp_free(object);
}

static PyMethodDef methods[] = {
    {"_connect", connect, METH_VARARGS, connect_doc},
    {"_release", release_method, METH_NOARGS, release_doc},
    {NULL},
};

static PyTypeObject dispatcher_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "symtheano.codegen.runtime.dispatch.Dispatcher",
    .tp_doc = "A callable that runs a compiled entry point.",
    .tp_basicsize = sizeof(dispatcher),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(dispatcher, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_new = make,
    .tp_dealloc = dealloc,
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_methods = methods,
};

/* Before Python 3.12, a Python class does not inherit the vectorcall flag of its base. */
PyDoc_STRVAR(adopt_doc, "adopt(type)\n--\n\nMake calls of a subclass as fast as its base's.");

static PyObject *adopt(PyObject *module, PyObject *type)
{
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, &dispatcher_type)) {
        PyErr_SetString(PyExc_TypeError, "adopt takes a subclass of Dispatcher");
        return NULL;
    }
    if (((PyTypeObject *)type)->tp_call == PyVectorcall_Call) {
        ((PyTypeObject *)type)->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
    }
    Py_INCREF(type);
    return type;
}

PyDoc_STRVAR(share_doc,
"share(memory, claims)\n--\n\n"
"Use the claims of a process: the memory for those of calls, and the list of those of Python.");

static PyObject *share(PyObject *module, PyObject *arguments)
{
    PyObject *memory, *claims;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyByteArray_Type, &memory, &PyList_Type, &claims)) {
        return NULL;
    }
    if (PyByteArray_GET_SIZE(memory) < (Py_ssize_t)sizeof *state) {
        PyErr_SetString(PyExc_ValueError, "the memory is too small");
        return NULL;
    }
    /* Both live as long as the process. */
    Py_INCREF(memory);
    Py_INCREF(claims);
    state = (shared_state *)PyByteArray_AS_STRING(memory);
    python_claims = claims;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(is_claimed_doc,
"is_claimed_by_call(cell)\n--\n\n"
"Return whether a compiled call of another thread updates the value in a cell.");

static PyObject *is_claimed_by_call(PyObject *module, PyObject *cell)
{
    const unsigned long own = PyThread_get_thread_ident();
    for (const claim *one = state->claims; one != NULL; one = one->next) {
        if (thread_of_claim(one, own, &cell, 1)) Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}

PyDoc_STRVAR(before_fork_doc,
"before_fork()\n--\n\n"
"Wait until no other thread writes into a shared value, and let none begin.");

static PyObject *before_fork(PyObject *module, PyObject *unused)
{
    state->forking = 1;
    for (int turn = 0; state->writing > 0; turn++) rest(turn);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(after_fork_doc,
"after_fork(child)\n--\n\n"
"Let other threads go on; in a child, forget those that it does not have.");

static void keep_own(claim **list)
{
    const unsigned long own = PyThread_get_thread_ident();
    while (*list != NULL) {
        if ((*list)->thread == own) list = &(*list)->next;
        else *list = (*list)->next;
    }
}

static PyObject *after_fork(PyObject *module, PyObject *child)
{
    state->forking = 0;
    if (PyObject_IsTrue(child)) {
        state->writing = 0;
        keep_own(&state->claims);
        keep_own(&state->waits);
        forked |= used_threads;
    }
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"adopt", adopt, METH_O, adopt_doc},
    {"share", share, METH_VARARGS, share_doc},
    {"is_claimed_by_call", is_claimed_by_call, METH_O, is_claimed_doc},
    {"before_fork", before_fork, METH_NOARGS, before_fork_doc},
    {"after_fork", after_fork, METH_O, after_fork_doc},
    {NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "symtheano_dispatch", "Calls of compiled functions.", -1, functions};

PyMODINIT_FUNC PyInit_symtheano_dispatch(void)
{
    import_array();
    prepare_outputs();
    if (PyType_Ready(&dispatcher_type) < 0) return NULL;
    PyObject *made = PyModule_Create(&module);
    if (made != NULL && PyModule_AddObjectRef(made, "Dispatcher", (PyObject *)&dispatcher_type) < 0) {
        Py_CLEAR(made);
    }
    return made;
}
