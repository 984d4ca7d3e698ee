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

@ABI@
@workspace.c@
@strided.c@

typedef int32_t (*entry_function)(const st_runtime *, const st_array *, st_array *, st_error *);

/* The GIL is released for inputs and outputs of more than this many bytes. */
#define LONG_BYTES (1 << 20)
/* Outputs are kept for reuse, at most this many arrays for each one. */
#define POOLED_ARRAYS 2

/* After this number of seconds, a long call tests whether a signal has arrived. */
#define LOOK_SECONDS 0.05
/* Inputs of more than this many bytes wait for optimized code: in one kernel, a call can't end. */
#define PATIENT_BYTES ((npy_intp)64 << 20)
/* A loop releases the GIL after this number of seconds. */
#define SHORT_SECONDS 50e-6

/* Generated code relies on it that no axis is longer, not even of an array without elements: it is
   `MOST_ALONG_AXIS` in Python, where the error is raised. */
#define MOST_ALONG_AXIS ((npy_intp)1 << 44)

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
static int running; /* the number of calls that run without the GIL */

typedef struct elsewhere elsewhere;

typedef struct {
    int type_num, ndim;    /* ndim is -1 for arrays elsewhere, which no array of NumPy's has */
    int argument;          /* its index among the arguments, or -1 */
    Py_ssize_t first;      /* position of its lengths among those of all inputs */
    int donates;           /* whether an output may be stored in its memory */
    int elsewhere, axes;   /* whether it is not in the host's memory; its number of dims */
    const npy_intp *shape; /* static shape, -1 for unknown lengths; NULL: nothing is known */
    PyObject *cell;        /* list whose first item is the value of a shared variable, or the
                              default of an argument, or NULL */
    PyObject *constant;    /* the value itself, or NULL */
} input_spec;

typedef struct {
    int type_num, ndim;
    int donor;      /* index of the input in whose memory it is stored, or -1 */
    int varies;     /* whether none is kept for later: a call has asked for several shapes */
    int elsewhere;  /* bytes of an element if it is not in the host's memory, else 0 */
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
    elsewhere *place;  /* of the arrays that are not in the host's memory, or NULL */
    PyObject *choices, *fallback; /* of a function with code for several places; see choice.c */
    npy_intp least_bytes; /* of all inputs, at least: LONG_BYTES if calls wait for other devices */
    PyObject **cells;  /* all cells that it reads or sets; the first `updated` ones are set */
    Py_ssize_t updated, kept;
    PyObject *bind, *accept, *fail, *keys, *record, *limit, *stack, *alive;
    PyObject *renew;   /* while code of the first tier runs: looks for optimized code; or NULL */
    PyObject *before;  /* keeps the first tier loaded while calls run in it, after the exchange */
    Py_ssize_t early;  /* number of calls that run in it */
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
    entry_function entry; /* the code in which it runs */
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
    int early;          /* whether it runs in code of the first tier */
    int left;           /* whether it is left, to be begun again in optimized code, or by Python */
    int32_t share;      /* its part of the processors, if there are other calls; 0: not known yet */
    double looked;      /* when signals were last looked for */
    PyObject *raised[3]; /* the exception of a signal's handler */
    int step;           /* the step that is running, if steps are measured */
    double begin;
    double *spent;      /* seconds of each step, negative if it has not run */
} call_context;

static double now(void);
/* When Python is asked for optimized code; see `Function._renew`. */
enum { IN_CALL, BEFORE_CALL, WAITING };

static int renew(dispatcher *self, int occasion);

/* Raise MemoryError, with a message as long as there is memory for that. */
static void *no_memory(const char *what)
{
    PyErr_Format(PyExc_MemoryError, "function: there is not enough memory for %s", what);
    return NULL;
}

@claims.c@
@signals.c@
@there.c@
@pools.c@
@python_ops.c@
@inputs.c@
@calls.c@
@tiers.c@
@choice.c@
@objects.c@
@directories.c@

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
        running = 0;
        keep_own(&state->claims);
        keep_own(&state->waits);
        forked |= used_threads;
    }
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"adopt", adopt, METH_O, adopt_doc},
    {"list_directory", list_directory, METH_O, list_directory_doc},
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
    if (PyType_Ready(&dispatcher_type) < 0 || PyType_Ready(&owner_type) < 0) return NULL;
    PyObject *made = PyModule_Create(&module);
    if (made != NULL && PyModule_AddObjectRef(made, "Dispatcher", (PyObject *)&dispatcher_type) < 0) {
        Py_CLEAR(made);
    }
    return made;
}
