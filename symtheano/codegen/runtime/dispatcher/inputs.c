/* Inputs: from Python objects to the descriptors that generated code reads. */

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
    if (call->self->place != NULL) {
        const int lent_there = lend_placed(call, i, taken, lent, place);
        if (lent_there != 0) return lent_there > 0 ? 0 : -1;
    }
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
        if (array == NULL || call->self->input[i].elsewhere) continue;
        if (fits(&call->self->input[i], array) && is_readable(array)) {
            describe(call, i, array, lent);
            continue;
        }
        mark(call, 1);
        if (convert_input(call, i, taken, lent, &places[i], bytes) < 0) return -1;
    }
    return 0;
}

static __attribute__((cold, noinline)) int refuse_long_axes(
    call_context *call, PyArrayObject **taken)
{
    for (Py_ssize_t i = 0; i < call->self->inputs; i++) {
        if (taken[i] == NULL || call->self->input[i].elsewhere) continue;
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
        if (self->input[i].elsewhere) {
            if (decline_shared(call, taken[i])) return -1;
            continue;
        }
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
