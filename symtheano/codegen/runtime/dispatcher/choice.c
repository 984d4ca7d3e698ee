/* Functions some of whose arrays are elsewhere. There is code for each set of arguments that are there,
   with a dispatcher of its own; what the user calls chooses one. If none takes the call, Python does. */

/* Return whether the arguments are where the code of a dispatcher wants them. */
static int suits(const dispatcher *one, PyObject *const *arguments, Py_ssize_t count)
{
    if (one->entry == NULL || one->arguments != count) return 0;
    for (Py_ssize_t i = 0; i < one->inputs; i++) {
        const input_spec *spec = &one->input[i];
        if (spec->argument < 0) continue;
        PyObject *value = arguments[spec->argument];
        if (spec->elsewhere != Py_IS_TYPE(value, one->place->type)) return 0;
    }
    return 1;
}

/* Call the first dispatcher of a list that takes the arguments. NULL without an error means that none
   does. */
static PyObject *call_one(PyObject *choices, PyObject *const *arguments, Py_ssize_t count)
{
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(choices); k++) {
        PyObject *item = PyList_GET_ITEM(choices, k);
        dispatcher *one = (dispatcher *)item;
        if (!suits(one, arguments, count)) continue;
        if (stack_bytes < one->least_stack && measure_stack(one) < 0) return NULL;
        Py_INCREF(item);
        PyObject *result = call_with(one, arguments, NULL);
        Py_DECREF(item);
        if (result != NULL || PyErr_Occurred()) return result;
    }
    return NULL;
}

static PyObject *call_choice(dispatcher *self, PyObject *choices, PyObject *const *arguments,
                             Py_ssize_t count, PyObject *names)
{
    if (PyList_GET_SIZE(choices) == 0) return NULL;
    if (names == NULL && count == self->arguments) return call_one(choices, arguments, count);
    PyObject *values = bound_values(self, arguments, count, names);
    if (values == NULL) return NULL;
    PyObject *result = call_one(
        choices, ((PyListObject *)values)->ob_item, PyList_GET_SIZE(values));
    Py_DECREF(values);
    return result;
}

static PyObject *call_chosen(
    PyObject *object, PyObject *const *arguments, size_t flags, PyObject *names)
{
    dispatcher *self = (dispatcher *)object;
    const Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (self->choices == NULL) {
        PyErr_SetString(PyExc_ValueError, "this function is not connected to compiled code");
        return NULL;
    }
    /* Other threads may connect the function to other code meanwhile. */
    PyObject *choices = self->choices, *fallback = self->fallback;
    Py_INCREF(choices);
    Py_INCREF(fallback);
    PyObject *result = call_choice(self, choices, arguments, count, names);
    if (result == NULL && !PyErr_Occurred()) {
        result = PyObject_Vectorcall(fallback, arguments, (size_t)count, names);
    }
    Py_DECREF(choices);
    Py_DECREF(fallback);
    return result;
}

static void disconnect(dispatcher *self);

PyDoc_STRVAR(choose_doc,
"_choose(choices, arguments, bind, fallback)\n--\n\n"
"From now on, call one of the dispatchers in a list that takes the arguments, or `fallback`.");

static PyObject *choose(PyObject *object, PyObject *given)
{
    dispatcher *self = (dispatcher *)object;
    PyObject *choices, *bind, *fallback;
    Py_ssize_t arguments;
    if (!PyArg_ParseTuple(given, "O!nOO", &PyList_Type, &choices, &arguments, &bind, &fallback)) {
        return NULL;
    }
    disconnect(self);
    self->choices = optional(choices), self->bind = optional(bind);
    self->fallback = optional(fallback), self->arguments = arguments;
    self->vectorcall = call_chosen;
    Py_RETURN_NONE;
}
