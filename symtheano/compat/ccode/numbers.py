"""Types of numbers in C code: an array without axes is an array there, a number is a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.variable import Apply
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import Elemwise, elemwise
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorVariable

Sub = dict[str, str]


class Scalar(TensorType):
    """The type of numbers of a dtype. It is equal to that of arrays without axes.

    Parameters
    ----------
    dtype
        The dtype.

    Examples
    --------
    >>> Scalar("int32") == TensorType("int32", ())
    True
    """

    __slots__ = ()

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype, ())

    def __reduce__(self) -> tuple[Any, ...]:
        return Scalar, (self.dtype,)

    def __str__(self) -> str:
        return self.dtype

    def __repr__(self) -> str:
        return f"Scalar({self.dtype})"


class NumberElemwise(Elemwise):
    """A row applied to numbers; it equals the row, as in Theano, and is printed as one."""

    def make_node(self, *inputs: Any, **options: Any) -> Apply:
        """Apply the row to numbers, or the elementwise op to arrays with axes."""
        if any(getattr(each, "ndim", 0) for each in inputs):
            return elemwise(self.scalar_op).make_node(*inputs, **options)
        return super().make_node(*inputs, **options)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of a number."""
        return [Scalar(each.dtype) for each in super().infer(*inputs)]

    def __eq__(self, other: object) -> bool:
        return other is self.scalar_op or super().__eq__(other)

    def __hash__(self) -> int:
        return super().__hash__()

    def __str__(self) -> str:
        return str(self.scalar_op.name)


class NumberVariable(TensorVariable):
    """A number in a graph."""

    def apply_scalar(self, op: ScalarOp, operands: Sequence[Any]) -> Any:
        """Apply a row: to numbers, or to each element of arrays."""
        if all(isinstance(getattr(each, "type", None), Scalar) for each in operands):
            return NumberElemwise(op)(*operands)
        return super().apply_scalar(op, operands)


Scalar.variable_class = NumberVariable


class NumberCode:
    """The C code for a number: a C variable of its type."""

    def __init__(self, type: TensorType) -> None:
        self.type = type

    def c_element_type(self) -> str:
        """Return the C type."""
        return self.type.c_element_type()

    def c_declare(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return the declaration of the number, and of a type that has its name."""
        kind = self.c_element_type()
        alias = f"typedef {kind} {name}_dtype;\ntypedef {kind} dtype_{name};\n"
        return f"{alias if check_input else ''}{kind} {name};"

    def c_init(self, name: str, sub: Sub) -> str:
        """Return code that makes it zero."""
        return f"{name} = 0;"

    def c_extract(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that takes it from an array or a number."""
        number = self.type.dtype_specs()[2]
        return f"""{{
            PyArrayObject *array = (PyArrayObject *)PyArray_FROMANY(
                py_{name}, {number}, 0, 0, NPY_ARRAY_CARRAY | NPY_ARRAY_FORCECAST);
            if (array == NULL) {sub["fail"]}
            {name} = *({self.c_element_type()} *)PyArray_DATA(array);
            Py_DECREF(array);
        }}"""

    def c_cleanup(self, name: str, sub: Sub) -> str:
        """Return no code."""
        return ""

    def c_sync(self, name: str, sub: Sub) -> str:
        """Return code that makes an array without axes."""
        number = self.type.dtype_specs()[2]
        return f"""Py_XDECREF(py_{name});
        py_{name} = PyArray_SimpleNew(0, NULL, {number});
        if (py_{name} != NULL)
            *({self.c_element_type()} *)PyArray_DATA((PyArrayObject *)py_{name}) = {name};
        else {{
            py_{name} = Py_None;
            Py_INCREF(Py_None);
            {sub["fail"]}
        }}"""


def is_on_numbers(node: Apply) -> bool:
    """Return whether a node's op computes numbers of numbers.

    Inputs may have got other types, since those of numbers are equal to those of arrays.
    """
    return all(isinstance(item.type, Scalar) for item in node.outputs) and all(
        isinstance(item.type, TensorType) and item.type.ndim == 0 for item in node.inputs
    )
