/* Dispatchers as Python objects: connection to an entry point, garbage collection, methods. */

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
    Py_CLEAR(self->renew);
    Py_CLEAR(self->before);
    Py_CLEAR(self->alive);
    Py_CLEAR(self->choices);
    Py_CLEAR(self->fallback);
    forget_elsewhere(self->place);
    self->place = NULL;
}

/* (type_num, ndim, argument, donates, elsewhere, shape, cell, constant) */
static int read_input(dispatcher *self, Py_ssize_t i, PyObject *item, npy_intp **room)
{
    input_spec *spec = &self->input[i];
    PyObject *shape, *cell, *constant;
    if (!PyArg_ParseTuple(item, "iiippOOO", &spec->type_num, &spec->axes, &spec->argument,
                          &spec->donates, &spec->elsewhere, &shape, &cell, &constant)) return -1;
    spec->ndim = spec->elsewhere ? -1 : spec->axes;
    if (cell != Py_None && (!PyList_CheckExact(cell) || PyList_GET_SIZE(cell) != 1)) {
        PyErr_SetString(PyExc_TypeError, "a cell must be a list of one item");
        return -1;
    }
    spec->cell = optional(cell), spec->constant = optional(constant);
    if (shape == Py_None) return 0;
    spec->shape = *room;
    for (int axis = 0; axis < spec->axes; axis++) {
        PyObject *dim = PyTuple_GetItem(shape, axis);
        const npy_intp length = dim == NULL ? -1 : PyLong_AsSsize_t(dim);
        if (length == -1 && PyErr_Occurred()) return -1;
        *(*room)++ = length;
    }
    return 0;
}

/* (type_num, ndim, donor, elsewhere, cell) */
static int read_output(dispatcher *self, Py_ssize_t k, PyObject *item)
{
    output_spec *spec = &self->output[k];
    PyObject *cell;
    if (!PyArg_ParseTuple(item, "iiiiO", &spec->type_num, &spec->ndim, &spec->donor,
                          &spec->elsewhere, &cell)) return -1;
    spec->varies = spec->elsewhere != 0;
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
        self->dims += self->input[i].axes;
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
"         renew, place, alive)\n--\n\n"
"Bind this object to a compiled entry point.");

static PyObject *connect(PyObject *object, PyObject *arguments)
{
    dispatcher *self = (dispatcher *)object;
    unsigned long long entry, blas, functions;
    PyObject *inputs, *outputs, *operations, *bind, *accept, *fail, *keys;
    PyObject *record, *limit, *stack, *renew, *place, *alive;
    Py_ssize_t returned, steps, least_stack, ample_stack;
    int single, threads;
    if (!PyArg_ParseTuple(arguments, "KO!O!O!npKKinnnOOOOOOOOOO", &entry, &PyTuple_Type, &inputs,
                          &PyTuple_Type, &outputs, &PyTuple_Type, &operations, &returned, &single,
                          &blas, &functions, &threads, &steps, &least_stack, &ample_stack, &bind,
                          &accept, &fail, &keys, &record, &limit, &stack, &renew, &place,
                          &alive)) {
        return NULL;
    }
    disconnect(self);
    self->arguments = 0;
    if (read_specs(self, inputs, outputs, operations) < 0 || collect_cells(self) < 0
        || read_elsewhere(self, place) < 0) {
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
    self->renew = optional(renew);
    self->least_bytes = self->place == NULL ? 0 : LONG_BYTES;
    self->vectorcall = self->renew == NULL ? call : call_early;
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
    Py_VISIT(self->renew);
    Py_VISIT(self->before);
    Py_VISIT(self->alive);
    Py_VISIT(self->choices);
    Py_VISIT(self->fallback);
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
    {"_choose", choose, METH_VARARGS, choose_doc},
    {"_connect", connect, METH_VARARGS, connect_doc},
    {"_exchange", exchange, METH_VARARGS, exchange_doc},
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
