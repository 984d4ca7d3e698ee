/* Calls from generated code to ops that are written in Python. */

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
