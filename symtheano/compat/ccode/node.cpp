/* @TITLE@ */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <numpy/arrayobject.h>
#include <csignal>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <iostream>

/* Names of Python 2 and of older versions of NumPy. */
#define PyInt_Check PyLong_Check
#define PyInt_CheckExact PyLong_CheckExact
#define PyInt_AsLong PyLong_AsLong
#define PyInt_AS_LONG PyLong_AsLong
#define PyInt_FromLong PyLong_FromLong
#define PyInt_FromSsize_t PyLong_FromSsize_t
#define PyNumber_Int PyNumber_Long
#define PyString_Check PyUnicode_Check
#define PyString_FromString PyUnicode_FromString
#define PyString_FromFormat PyUnicode_FromFormat
#define PyString_AsString PyUnicode_AsUTF8
#define PyString_AS_STRING PyUnicode_AsUTF8
#ifndef NPY_C_CONTIGUOUS
#define NPY_C_CONTIGUOUS NPY_ARRAY_C_CONTIGUOUS
#define NPY_CONTIGUOUS NPY_ARRAY_C_CONTIGUOUS
#define NPY_F_CONTIGUOUS NPY_ARRAY_F_CONTIGUOUS
#define NPY_FORTRAN NPY_ARRAY_F_CONTIGUOUS
#define NPY_OWNDATA NPY_ARRAY_OWNDATA
#define NPY_FORCECAST NPY_ARRAY_FORCECAST
#define NPY_ENSURECOPY NPY_ARRAY_ENSURECOPY
#define NPY_ENSUREARRAY NPY_ARRAY_ENSUREARRAY
#define NPY_ELEMENTSTRIDES NPY_ARRAY_ELEMENTSTRIDES
#define NPY_ALIGNED NPY_ARRAY_ALIGNED
#define NPY_NOTSWAPPED NPY_ARRAY_NOTSWAPPED
#define NPY_WRITEABLE NPY_ARRAY_WRITEABLE
#define NPY_BEHAVED NPY_ARRAY_BEHAVED
#define NPY_CARRAY NPY_ARRAY_CARRAY
#define NPY_FARRAY NPY_ARRAY_FARRAY
#define NPY_DEFAULT NPY_ARRAY_DEFAULT
#endif
#ifndef NPY_ARRAY_UPDATEIFCOPY
#define NPY_ARRAY_UPDATEIFCOPY NPY_ARRAY_WRITEBACKIFCOPY
#endif
#ifndef PyArray_TypeNumFromName
#define PyArray_DOUBLE NPY_DOUBLE
#define PyArray_FLOAT NPY_FLOAT
#define PyArray_INT NPY_INT
#define PyArray_LONG NPY_LONG
#endif
typedef npy_complex64 theano_complex64;
typedef npy_complex128 theano_complex128;

@HEADERS@

/* Which node this thread computes: a signal then tells it, before the handler that was there. */
static thread_local const char *computing;
static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction before[sizeof caught / sizeof *caught];

static void tell(const char *text)
{
    if (write(2, text, strlen(text)) < 0) return;
}

static void on_signal(int number)
{
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++)
        if (caught[k] == number) sigaction(number, &before[k], NULL);
    if (computing) {
        tell("\nsymtheano: the C code of an op has crashed: ");
        tell(computing);
        tell("\n");
        computing = NULL;
    }
    raise(number);
}

static void catch_signals()
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK;
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++)
        sigaction(caught[k], &action, &before[k]);
}

@SUPPORT@

namespace {
struct Node {
    PyObject *storage[@COUNT@ + 1];
    char *__label;
@STRUCT@

    Node() { memset((void *)this, 0, sizeof *this); }

    int start()
    {
@START@
        return 0;
    }

    void stop()
    {
@STOP@
    }

    int run()
    {
        int __failure = 0;
@RUN@
        return __failure;
    }
};
}

static void destroy(PyObject *capsule)
{
    Node *node = (Node *)PyCapsule_GetPointer(capsule, "node");
    node->stop();
    for (int k = 0; k < @COUNT@; k++) Py_XDECREF(node->storage[k]);
    free(node->__label);
    delete node;
}

static PyObject *failed(Node *node)
{
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_RuntimeError, "the C code of an op has failed without an exception: %s",
                     node->__label);
    return NULL;
}

/* Return a new node for the lists that hold its values, with a text that tells users which it is. */
static PyObject *make(PyObject *module, PyObject *arguments)
{
    PyObject *storage;
    const char *label;
    if (!PyArg_ParseTuple(arguments, "O!s", &PyTuple_Type, &storage, &label)) return NULL;
    if (PyTuple_GET_SIZE(storage) != @COUNT@) {
        PyErr_SetString(PyExc_TypeError, "storage is a tuple of a list for each variable");
        return NULL;
    }
    Node *node = new Node();
    node->__label = strdup(label);
    for (int k = 0; k < @COUNT@; k++) {
        node->storage[k] = PyTuple_GET_ITEM(storage, k);
        Py_INCREF(node->storage[k]);
    }
    PyObject *capsule = PyCapsule_New(node, "node", destroy);
    if (capsule == NULL) return NULL;
    computing = node->__label;
    const int failure = node->start();
    computing = NULL;
    if (!failure && !PyErr_Occurred()) return capsule;
    failed(node);
    PyObject *type, *value, *traceback; /* Releasing the node may run Python. */
    PyErr_Fetch(&type, &value, &traceback);
    Py_DECREF(capsule);
    PyErr_Restore(type, value, traceback);
    return NULL;
}

/* Compute a node. */
static PyObject *run(PyObject *module, PyObject *capsule)
{
    Node *node = (Node *)PyCapsule_GetPointer(capsule, "node");
    if (node == NULL) return NULL;
    const char *outer = computing;
    computing = node->__label;
    const int failure = node->run();
    computing = outer;
    if (failure || PyErr_Occurred()) return failed(node);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"make", make, METH_VARARGS, NULL},
    {"run", run, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "symtheano_node", NULL, -1, methods, NULL, NULL, NULL, NULL,
};

extern "C" __attribute__((visibility("default"))) PyObject *PyInit_symtheano_node(void)
{
    PyObject *__module = PyModule_Create(&definition);
    if (__module == NULL) return NULL;
    import_array();
    catch_signals();
@INIT@
    if (PyErr_Occurred()) {
        Py_DECREF(__module);
        return NULL;
    }
    return __module;
}
