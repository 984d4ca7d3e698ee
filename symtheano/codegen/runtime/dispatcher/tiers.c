/* Calls in code of the first tier, which is not optimized.

   Python compiles the optimized code in the background and exchanges it, when a call asks for it:
   before it begins, and about every 50 ms while it runs. A call that runs then ends where a signal
   could end it, which changes nothing, and begins again. Only these calls know of tiers: the
   exchange sets `vectorcall` to `call`. */

static PyObject *optional(PyObject *object)
{
    if (object == Py_None) return NULL;
    Py_INCREF(object);
    return object;
}

/* Use optimized code if it is there. Return -1 for an exception. */
static int renew(dispatcher *self, int occasion)
{
    PyObject *hook = self->renew;
    if (hook == NULL) return 0;
    Py_INCREF(hook);
    PyObject *none = PyObject_CallFunction(hook, "i", occasion);
    Py_DECREF(hook);
    Py_XDECREF(none);
    return none == NULL ? -1 : 0;
}

static PyObject *call_early(
    PyObject *object, PyObject *const *arguments, size_t flags, PyObject *names)
{
    dispatcher *self = (dispatcher *)object;
    for (int occasion = BEFORE_CALL;; occasion = WAITING) {
        if (renew(self, occasion) < 0) return NULL;
        self->early++;
        PyObject *result = call(object, arguments, flags, names);
        if (--self->early == 0) Py_CLEAR(self->before);
        if (result != NULL || PyErr_Occurred()) return result;
    }
}

PyDoc_STRVAR(exchange_doc,
"_exchange(entry, alive)\n--\n\n"
"From now on, call optimized code; or, if `entry` is 0, the code of the first tier for ever.");

static PyObject *exchange(PyObject *object, PyObject *arguments)
{
    dispatcher *self = (dispatcher *)object;
    unsigned long long entry;
    PyObject *alive;
    if (!PyArg_ParseTuple(arguments, "KO", &entry, &alive)) return NULL;
    /* Another thread may have been faster. */
    if (self->renew == NULL) Py_RETURN_NONE;
    PyObject *hook = self->renew, *before = NULL;
    self->renew = NULL;
    self->vectorcall = call;
    if (entry != 0) {
        before = self->alive;
        self->alive = optional(alive);
        self->entry = (entry_function)(uintptr_t)entry;
    }
    if (self->early > 0) self->before = before, before = NULL;
    Py_DECREF(hook);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}
