/* A call: claims, inputs, the entry point, updates and results. */

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
    call->entry = self->entry, call->early = self->renew != NULL;
    if (self->operations) mark(call, 1);
    if (bytes >= LONG_BYTES) {
        if (bytes >= PATIENT_BYTES && self->renew != NULL) return -1;
        leave(call);
    }
    const int32_t code = call->entry(&runtime, lent, outputs, &error);
    if (call->thread != NULL) come_back(call);
    call->runtime = NULL;
    if (code == ST_OK) return 0;
    mark(call, 0);
    if (call->raised[0] != NULL || call->left) return -1;
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
    npy_intp bytes = self->least_bytes;
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
    call.thread = NULL, call.marked = 0, call.in_place = 0, call.looked = 0, call.left = 0;
    call.step = -1, call.spent = spent, call.raised[0] = NULL, call.share = 0;
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

/* Return the list of arguments that `bind` returns. It handles names, defaults and a wrong number of
   arguments. */
static PyObject *bound_values(
    dispatcher *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names)
{
    PyObject *values = NULL;
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
        Py_CLEAR(values);
    }
done:
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return values;
}

static PyObject *call_bound(
    dispatcher *self, PyObject *const *arguments, Py_ssize_t count, PyObject *names,
    double *spent)
{
    PyObject *values = bound_values(self, arguments, count, names);
    if (values == NULL) return NULL;
    PyObject *result = call_with(self, ((PyListObject *)values)->ob_item, spent);
    Py_DECREF(values);
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
