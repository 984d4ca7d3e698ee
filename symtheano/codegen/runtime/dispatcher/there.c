/* Arrays that are not in the memory of the host, but elsewhere: in a place that a function names.

   Their class is written in Python. What C needs of it are the places of its slots, through which arrays
   are read and made without running Python. Whatever is not an array of the right type in the right
   memory is left to Python: the call declines, and changes nothing. */

/* Where the arrays of a function are that are elsewhere. */
struct elsewhere {
    PyTypeObject *type;
    PyObject *memory; /* which all of them name */
    Py_ssize_t memory_at, address_at, shape_at, dtype_at, owner_at; /* slots */
    void *(*allocate)(int32_t number, int64_t bytes);
    void (*release)(int32_t number, void *data, int64_t bytes);
    int32_t (*copy)(int32_t number, void *target, const void *source, int64_t bytes, int32_t direction);
    int32_t number;
};

#define TO_HOST 1 /* a direction of copies */

/* Owns memory elsewhere. */
typedef struct {
    PyObject_HEAD
    void *data;
    int64_t bytes;
    void (*release)(int32_t, void *, int64_t);
    int32_t number;
    PyObject *memory; /* keeps what `release` is part of */
} owner;

#if PY_VERSION_HEX >= 0x030D0000
#define is_ending Py_IsFinalizing
#else
#define is_ending _Py_IsFinalizing
#endif

static void free_owner(PyObject *object)
{
    owner *self = (owner *)object;
    /* By the end of the process, what is elsewhere may be gone. Python may be asked, also while an error
       is on its way. */
    if (!is_ending()) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        self->release(self->number, self->data, self->bytes);
        PyErr_Restore(type, value, traceback);
    }
    Py_XDECREF(self->memory);
    Py_TYPE(object)->tp_free(object);
}

static PyTypeObject owner_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "symtheano.codegen.runtime.dispatch.Owner",
    .tp_doc = "What owns memory that is not the host's.",
    .tp_basicsize = sizeof(owner),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = free_owner,
};

static PyObject **slot_of(PyObject *array, Py_ssize_t offset)
{
    return (PyObject **)((char *)array + offset);
}

/* Return the place of a slot in the objects of a class, or -1 with an error set. */
static Py_ssize_t place_of_slot(PyTypeObject *type, const char *name)
{
    PyObject *slot = PyObject_GetAttrString((PyObject *)type, name);
    if (slot == NULL) return -1;
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(slot, &PyMemberDescr_Type)) {
        offset = ((PyMemberDescrObject *)slot)->d_member->offset;
    } else {
        PyErr_Format(PyExc_TypeError, "%s.%s is not a slot", type->tp_name, name);
    }
    Py_DECREF(slot);
    return offset;
}

static void forget_elsewhere(elsewhere *place)
{
    if (place == NULL) return;
    Py_XDECREF(place->type);
    Py_XDECREF(place->memory);
    PyMem_Free(place);
}

/* (type, memory, number, allocate, release, copy), or None for a function of the host's arrays. */
static int read_elsewhere(dispatcher *self, PyObject *item)
{
    if (item == Py_None) return 0;
    PyObject *memory;
    PyTypeObject *type;
    int number;
    unsigned long long allocate, release, copy;
    if (!PyArg_ParseTuple(item, "O!OiKKK", &PyType_Type, &type, &memory, &number, &allocate,
                          &release, &copy)) return -1;
    elsewhere *place = self->place = PyMem_Calloc(1, sizeof *place);
    if (place == NULL) return no_memory("a function"), -1;
    Py_INCREF(type);
    Py_INCREF(memory);
    place->type = type, place->memory = memory, place->number = number;
    place->allocate = (void *(*)(int32_t, int64_t))(uintptr_t)allocate;
    place->release = (void (*)(int32_t, void *, int64_t))(uintptr_t)release;
    place->copy = (int32_t (*)(int32_t, void *, const void *, int64_t, int32_t))(uintptr_t)copy;
    place->memory_at = place_of_slot(type, "memory");
    place->address_at = place_of_slot(type, "address");
    place->shape_at = place_of_slot(type, "shape");
    place->dtype_at = place_of_slot(type, "dtype");
    place->owner_at = place_of_slot(type, "owner");
    return PyErr_Occurred() ? -1 : 0;
}

/* Read the lengths of an array elsewhere. Return whether they are those of an input. */
static int read_lengths(const input_spec *spec, PyObject *shape, npy_intp *dims)
{
    if (shape == NULL || !PyTuple_CheckExact(shape)) return 0;
    if (PyTuple_GET_SIZE(shape) != spec->axes) return 0;
    for (int axis = 0; axis < spec->axes; axis++) {
        PyObject *item = PyTuple_GET_ITEM(shape, axis);
        const npy_intp length = PyLong_CheckExact(item) ? PyLong_AsSsize_t(item) : -1;
        if (length < 0 || length > MOST_ALONG_AXIS) return PyErr_Clear(), 0;
        if (spec->shape != NULL && spec->shape[axis] >= 0 && spec->shape[axis] != length) return 0;
        dims[axis] = length;
    }
    return 1;
}

/* Describe an array elsewhere. Return whether it is one of the type that an input has. */
static int describe_elsewhere(call_context *call, Py_ssize_t i, PyObject *value, st_array *lent)
{
    const elsewhere *place = call->self->place;
    const input_spec *spec = &call->self->input[i];
    npy_intp *dims = call->dims + spec->first;
    if (!Py_IS_TYPE(value, place->type) || *slot_of(value, place->memory_at) != place->memory) return 0;
    PyObject *dtype = *slot_of(value, place->dtype_at), *address = *slot_of(value, place->address_at);
    if (dtype == NULL || !PyArray_DescrCheck(dtype) || address == NULL || !PyLong_Check(address)) {
        return 0;
    }
    const PyArray_Descr *descr = (const PyArray_Descr *)dtype;
    if (!PyArray_ISNBO(descr->byteorder)) return 0;
    if (descr->type_num != spec->type_num
        && !PyArray_EquivTypenums(descr->type_num, spec->type_num)) return 0;
    if (!read_lengths(spec, *slot_of(value, place->shape_at), dims)) return 0;
    lent[i].data = (void *)(uintptr_t)PyLong_AsUnsignedLongLongMask(address);
    lent[i].shape = (const int64_t *)dims;
    return 1;
}

/* Return whether C takes a value that is not an array as its input is, in a function some of whose
   arrays are elsewhere: an array of the host, or a number. */
static int is_plain(PyObject *value)
{
    return PyArray_CheckExact(value) || PyFloat_CheckExact(value) || PyLong_CheckExact(value)
        || PyArray_CheckScalar(value);
}

/* Read the number in an array elsewhere that the host's part of the code needs: 16 bytes have room for it. */
static int read_number(call_context *call, Py_ssize_t i, PyObject *value, st_array *lent, void *room)
{
    const elsewhere *place = call->self->place;
    const input_spec *spec = &call->self->input[i];
    if (spec->axes != 0 || spec->argument >= 0 || spec->donates) return 0;
    if (!describe_elsewhere(call, i, value, lent)) return 0;
    PyArray_Descr *descr = PyArray_DescrFromType(spec->type_num);
    const int64_t bytes = descr == NULL ? 0 : PyDataType_ELSIZE(descr);
    Py_XDECREF(descr);
    if (bytes <= 0 || bytes > 16) return 0;
    if (call->settled) mark(call, 1);
    call->stale = 1;
    int32_t failed;
    Py_BEGIN_ALLOW_THREADS
    failed = place->copy(place->number, room, lent[i].data, bytes, TO_HOST);
    Py_END_ALLOW_THREADS
    if (failed) return 0; /* Python tells why. */
    lent[i].data = room;
    lent[i].shape = NULL;
    return 1;
}

/* Describe a value for the entry point, in a function some of whose arrays are elsewhere. Return 1 if that
   is done, 0 if it is one of the host's that is to be converted, and -1 if the call declines. */
static int lend_placed(call_context *call, Py_ssize_t i, PyArrayObject **taken, st_array *lent, void *room)
{
    const input_spec *spec = &call->self->input[i];
    PyObject *value = (PyObject *)taken[i];
    if (spec->elsewhere && describe_elsewhere(call, i, value, lent)) return 1;
    if (!spec->elsewhere && is_plain(value)) return 0;
    if (!spec->elsewhere && read_number(call, i, value, lent, room)) {
        taken[i] = NULL;
        Py_DECREF(value); /* its variable has it */
        return 1;
    }
    call->left = 1;
    return -1;
}

/* Decline a call that would write into an array to which anything but its variable refers. */
static int decline_shared(call_context *call, PyArrayObject *array)
{
    /* One reference is in the cell, the other one in `taken`. */
    if (Py_REFCNT(array) > 2) return call->left = 1;
    call->in_place = 1;
    return 0;
}

/* Return an array elsewhere that owns memory; the memory is released if there is none. */
static PyObject *array_elsewhere(const elsewhere *place, int ndim, const int64_t *shape, int type_num,
                                 void *data, int64_t bytes)
{
    owner *own = PyObject_New(owner, &owner_type);
    if (own == NULL) {
        place->release(place->number, data, bytes);
        return NULL;
    }
    Py_INCREF(place->memory);
    own->data = data, own->bytes = bytes, own->release = place->release;
    own->number = place->number, own->memory = place->memory;
    PyObject *array = place->type->tp_alloc(place->type, 0), *lengths = PyTuple_New(ndim);
    PyObject *dtype = (PyObject *)PyArray_DescrFromType(type_num);
    PyObject *address = PyLong_FromUnsignedLongLong((uintptr_t)data);
    int complete = array != NULL && lengths != NULL && dtype != NULL && address != NULL;
    for (int axis = 0; complete && axis < ndim; axis++) {
        PyObject *length = PyLong_FromLongLong(shape[axis]);
        complete = length != NULL;
        PyTuple_SET_ITEM(lengths, axis, length);
    }
    if (!complete) {
        Py_XDECREF(array);
        Py_XDECREF(lengths);
        Py_XDECREF(dtype);
        Py_XDECREF(address);
        Py_DECREF(own);
        return NULL;
    }
    Py_INCREF(place->memory);
    *slot_of(array, place->memory_at) = place->memory;
    *slot_of(array, place->shape_at) = lengths;
    *slot_of(array, place->dtype_at) = dtype;
    *slot_of(array, place->address_at) = address;
    *slot_of(array, place->owner_at) = (PyObject *)own;
    return array;
}

/* The number of bytes of an array; -1 if there are too many. */
static int64_t bytes_elsewhere(const output_spec *spec, const int64_t *shape)
{
    int64_t bytes = spec->elsewhere;
    for (int axis = 0; axis < spec->ndim; axis++) {
        if (shape[axis] == 0) return 0;
    }
    for (int axis = 0; axis < spec->ndim; axis++) {
        if (__builtin_mul_overflow(bytes, shape[axis], &bytes) || bytes >> 62) return -1;
    }
    return bytes;
}

/* Allocate an output that is elsewhere. The driver is asked without the GIL. */
static void *allocate_elsewhere(call_context *call, int32_t number, const int64_t *shape)
{
    const output_spec *spec = &call->self->output[number];
    const elsewhere *place = call->self->place;
    const int64_t bytes = bytes_elsewhere(spec, shape);
    void *data = place->allocate(place->number, bytes);
    const int away = call->thread != NULL;
    if (away) come_back(call);
    Py_CLEAR(call->results[number]);
    PyObject *array = data == NULL ? NULL
        : array_elsewhere(place, spec->ndim, shape, spec->type_num, data, bytes);
    call->results[number] = (PyArrayObject *)array;
    for (int axis = 0; array == NULL && axis < spec->ndim && axis < 6; axis++) {
        call->refused[axis] = shape[axis];
    }
    if (away) leave(call);
    return array == NULL ? NULL : data;
}
