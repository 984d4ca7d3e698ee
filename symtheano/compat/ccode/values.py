"""C code that converts values between Python and C: arrays, objects, and values of users' types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano.compat.ccode.numbers import NumberCode, Scalar
from symtheano.graph.type import Generic
from symtheano.tensor.type import TensorType

Sub = dict[str, str]


class ArrayCode:
    """The C code for arrays of a type: a pointer ``PyArrayObject *``, NULL if there is none."""

    def __init__(self, type: TensorType) -> None:
        self.type = type

    def c_element_type(self) -> str:
        """Return the C type of an element."""
        return self.type.c_element_type()

    def c_declare(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return the declaration of the pointer, and of a type of its elements."""
        alias = f"typedef {self.c_element_type()} dtype_{name};\n" if check_input else ""
        return f"{alias}PyArrayObject *{name};"

    def c_init(self, name: str, sub: Sub) -> str:
        """Return code that makes the pointer NULL."""
        return f"{name} = NULL;"

    def c_extract(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that takes the array from its object."""
        number = self.type.dtype_specs()[2]
        return f"""{name} = NULL;
        if (!PyArray_Check(py_{name})) {{
            PyErr_SetString(PyExc_ValueError, "expected an array");
            {sub["fail"]}
        }}
        if (PyArray_TYPE((PyArrayObject *)py_{name}) != {number}
            || PyArray_NDIM((PyArrayObject *)py_{name}) != {self.type.ndim}) {{
            PyErr_SetString(PyExc_TypeError, "expected an array of type {self.type}");
            {sub["fail"]}
        }}
        {name} = (PyArrayObject *)py_{name};
        Py_INCREF({name});"""

    def c_cleanup(self, name: str, sub: Sub) -> str:
        """Return code that releases the array."""
        return f"Py_XDECREF({name});\n{name} = NULL;"

    def c_sync(self, name: str, sub: Sub) -> str:
        """Return code that makes the array the object."""
        return f"""Py_XDECREF(py_{name});
        py_{name} = {name} ? (PyObject *){name} : Py_None;
        Py_INCREF(py_{name});"""


class ObjectCode:
    """The C code for any objects: a pointer ``PyObject *``."""

    def c_declare(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return the declaration of the pointer."""
        return f"PyObject *{name};"

    def c_init(self, name: str, sub: Sub) -> str:
        """Return code that makes the pointer NULL."""
        return f"{name} = NULL;"

    def c_extract(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that takes the object."""
        return f"{name} = py_{name};\nPy_INCREF({name});"

    def c_cleanup(self, name: str, sub: Sub) -> str:
        """Return code that releases the object."""
        return f"Py_XDECREF({name});\n{name} = NULL;"

    def c_sync(self, name: str, sub: Sub) -> str:
        """Return code that makes the pointer the object."""
        return f"""Py_XDECREF(py_{name});
        py_{name} = {name} ? {name} : Py_None;
        Py_INCREF(py_{name});"""


def code_of(type: Any, number: bool = False) -> Any:
    """Return what has the C code of a type's values: the type, if it has methods for that.

    Parameters
    ----------
    type
        The type.
    number
        Whether an array without axes is a number.

    Raises
    ------
    NotImplementedError
        If there is none.
    """
    if isinstance(type, Scalar) or (number and isinstance(type, TensorType)):
        return NumberCode(type)
    if isinstance(type, TensorType):
        return ArrayCode(type)
    if isinstance(type, Generic):
        return ObjectCode()
    if hasattr(type, "c_declare"):
        return type
    raise NotImplementedError(f"C code: {type} has no methods such as c_declare")


def extract_out(code: Any, name: str, sub: Sub, check_input: bool = True) -> str:
    """Return code that takes an output's object, if there is one."""
    own: Callable[..., str] | None = getattr(code, "c_extract_out", None)
    if own is not None:
        return with_check(own, name, sub, check_input)
    return extract_or_init(code, name, sub, check_input)


def extract_or_init(code: Any, name: str, sub: Sub, check_input: bool = True) -> str:
    """Return code that takes an object's value, or, of None, makes an initial one."""
    extracted = with_check(code.c_extract, name, sub, check_input)
    return f"if (py_{name} == Py_None) {{\n{code.c_init(name, sub)}\n}} else {{\n{extracted}\n}}"


def with_check(method: Callable[..., str], name: str, sub: Sub, check_input: bool) -> str:
    """Return the result of a method that may or may not take ``check_input``."""
    from inspect import signature

    parameters = signature(method).parameters
    takes = "check_input" in parameters or len(parameters) > 2
    return method(name, sub, check_input) if takes else method(name, sub)
