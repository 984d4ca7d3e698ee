/* Memory of a call: results, which are reused when the caller has dropped them, and workspaces. */

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

@outputs.c@

static void *allocate(void *context, int32_t number, const int64_t *shape)
{
    call_context *call = context;
    output_spec *spec = &call->self->output[number];
    if (spec->elsewhere) return allocate_elsewhere(call, number, shape);
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
