"""``theano.scalar.basic``: types of numbers, and ops on them.

A number in a graph is an array without axes here, so a type of numbers is the ``TensorType`` of
such arrays, and an op is applied to numbers as to arrays.
"""

from __future__ import annotations

import builtins as _builtins
from collections.abc import Callable, Sequence
from functools import cache as _cache
from typing import Any

import numpy as np

from symtheano import Apply, Op, config as _config
from symtheano.compat.ccode.numbers import (
    NumberElemwise as _NumberElemwise,
    NumberVariable as ScalarVariable,
    Scalar,
)
from symtheano.compat.op_classes import op_class as _op_class
from symtheano.dtypes import DISCRETE as _DISCRETE, upcast
from symtheano.graph.type import DisconnectedType as _Disconnected, NullType as _Null
from symtheano.scalar import table as _table
from symtheano.scalar.row import ScalarOp as _Row
from symtheano.tensor import as_tensor_variable, cast as _cast, constant, vectorize_graph
from symtheano.tensor.elemwise import (
    broadcast_dim as _broadcast_dim,
    broadcast_static as _broadcast_static,
    check_broadcast as _check_broadcast,
    elemwise as _of_row,
    fit_grad as _fit_grad,
    pad_left as _pad_left,
)
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorConstant

builtin_bool, builtin_complex = _builtins.bool, _builtins.complex
builtin_int, builtin_float = _builtins.int, _builtins.float


class ComplexError(Exception):
    """An operation that is not defined for complex numbers."""


class IntegerDivisionError(Exception):
    """A division of integers, if they are forbidden."""


# -- types --


@_cache
def get_scalar_type(dtype: Any) -> Scalar:
    """Return the type of numbers of a dtype."""
    return Scalar(dtype)


ScalarConstant = TensorConstant

int8, int16, int32, int64 = map(get_scalar_type, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(get_scalar_type, ("uint8", "uint16", "uint32", "uint64"))
float16, float32, float64 = map(get_scalar_type, ("float16", "float32", "float64"))
complex64, complex128 = map(get_scalar_type, ("complex64", "complex128"))

int_types = (int8, int16, int32, int64)
uint_types = (uint8, uint16, uint32, uint64)
float_types = (float16, float32, float64)
complex_types = (complex64, complex128)
integer_types = (*int_types, *uint_types)
bool = get_scalar_type("bool")
discrete_types = (bool, *integer_types)
continuous_types = (*float_types, *complex_types)
all_types = (*discrete_types, *continuous_types)


def as_scalar(x: Any, name: str | None = None) -> Any:
    """Return a number as a variable.

    Raises
    ------
    TypeError
        If ``x`` is an array with axes.
    """
    variable = as_tensor_variable(x, name)
    if variable.ndim:
        raise TypeError(f"as_scalar: {variable.describe()} has {variable.ndim} axes")
    return variable


def as_common_dtype(*variables: Any) -> Any:
    """Return numbers in the dtype that can hold all."""
    dtype = upcast(*[each.dtype for each in variables])
    return tuple(_cast(each, dtype) for each in variables)


def _multi(*types: TensorType) -> Callable[..., Any]:
    def make(names: Any) -> Any:
        (kind,) = types
        if isinstance(names, _builtins.int):
            return [kind() for _ in range(names)]
        made = [kind(name) for name in names]
        return made[0] if len(made) == 1 else made

    return make


ints, floats = _multi(int64), _multi(float64)
complexs = complexs128 = _multi(complex128)
complexs64 = _multi(complex64)


# -- types of results --


def upcast_out(*types: Any) -> tuple[Any, ...]:
    """Return the type that can hold all operands."""
    return (Scalar(upcast(*[each.dtype for each in types])),)


def upcast_out_nobool(*types: Any) -> tuple[Any, ...]:
    """Return :func:`upcast_out`; bools are not allowed."""
    (kind,) = upcast_out(*types)
    if kind.dtype == "bool":
        raise TypeError("bool is not an operand of this op")
    return (kind,)


def upcast_out_min8(*types: Any) -> tuple[Any, ...]:
    """Return :func:`upcast_out`, int8 for bools."""
    (kind,) = upcast_out(*types)
    return (int8 if kind.dtype == "bool" else kind,)


def upgrade_to_float(*types: Any) -> tuple[Any, ...]:
    """Return :func:`upcast_out` of floats; small integers count as float32, others as float64."""
    floats = {"bool": "float32", "int8": "float32", "int16": "float32"}
    floats |= {"uint8": "float32", "uint16": "float32"}
    discrete = {name: floats.get(name, "float64") for name in _DISCRETE}
    return (Scalar(upcast(*[discrete.get(each.dtype, each.dtype) for each in types])),)


def upgrade_to_float64(*types: Any) -> tuple[Any, ...]:
    """Return :func:`upcast_out` of floats, where integers count as float64."""
    return (Scalar(upcast(*["float64" if t.dtype in _DISCRETE else t.dtype for t in types])),)


def upgrade_to_float_no_complex(*types: Any) -> tuple[Any, ...]:
    """Return :func:`upgrade_to_float`; complex numbers are not allowed."""
    _no_complex(types)
    return upgrade_to_float(*types)


def _no_complex(types: Sequence[Any]) -> None:
    if any(each in complex_types for each in types):
        raise TypeError("complex numbers are not operands of this op")


def same_out(kind: Any) -> tuple[Any, ...]:
    """Return the operand's type."""
    return (kind,)


def same_out_nobool(kind: Any) -> tuple[Any, ...]:
    """Return the operand's type; bools are not allowed."""
    return upcast_out_nobool(kind)


def same_out_min8(kind: Any) -> tuple[Any, ...]:
    """Return the operand's type, int8 for bools."""
    return upcast_out_min8(kind)


def same_out_float_only(kind: Any) -> tuple[Any, ...]:
    """Return the operand's type, which must be a float."""
    if kind not in float_types:
        raise TypeError("the operand of this op is a float")
    return (kind,)


def same_out_nocomplex(kind: Any) -> tuple[Any, ...]:
    """Return the operand's type; complex numbers are not allowed."""
    _no_complex([kind])
    return (kind,)


def upcast_out_no_complex(*types: Any) -> tuple[Any, ...]:
    """Return :func:`upcast_out`; complex numbers are not allowed."""
    _no_complex(types)
    return upcast_out(*types)


def int_out(*types: Any) -> tuple[Any, ...]:
    """Return int64."""
    return (int64,)


def float_out(*types: Any) -> tuple[Any, ...]:
    """Return float64."""
    return (float64,)


def int_out_nocomplex(*types: Any) -> tuple[Any, ...]:
    """Return int64; complex numbers are not allowed."""
    _no_complex(types)
    return (int64,)


def float_out_nocomplex(*types: Any) -> tuple[Any, ...]:
    """Return float64; complex numbers are not allowed."""
    _no_complex(types)
    return (float64,)


def real_out(kind: Any) -> tuple[Any, ...]:
    """Return the type of a number's real part."""
    return (Scalar({"complex64": "float32", "complex128": "float64"}.get(kind.dtype, kind.dtype)),)


class specific_out:
    """Function of operands that returns fixed types."""

    def __init__(self, *spec: Any) -> None:
        self.spec = spec

    def __call__(self, *types: Any) -> tuple[Any, ...]:
        return self.spec


class transfer_type:
    """Function of operands that returns those at some positions; other entries are types."""

    def __init__(self, *transfer: Any) -> None:
        self.transfer = transfer

    def __call__(self, *types: Any) -> tuple[Any, ...]:
        (upcasted,) = upcast_out(*types)
        return tuple(
            upcasted if each is None else types[each] if isinstance(each, int) else each
            for each in self.transfer
        )


class unary_out_lookup(dict[Any, Any]):
    """Function of one type that looks the result up."""

    def __init__(self, type_table: Any) -> None:
        super().__init__(type_table)

    def __call__(self, *types: Any) -> tuple[Any, ...]:
        if len(types) != 1 or types[0] not in self:
            raise TypeError(f"{', '.join(map(str, types))} is not an operand of this op")
        found = self[types[0]]
        return tuple(found) if isinstance(found, list | tuple) else (found,)


# -- ops --


class _ScalarOpClass(type):
    """The rows of symtheano's table are instances of ``ScalarOp`` and of its classes, too."""

    rows: tuple[str, ...] | None

    def __instancecheck__(cls, instance: Any) -> Any:
        if isinstance(instance, _NumberElemwise):
            instance = instance.scalar_op
        if isinstance(instance, _Row):
            return cls.accepts(instance)
        return super().__instancecheck__(instance)

    def accepts(cls, row: _Row) -> Any:
        """Return whether a row belongs to the class."""
        nin = vars(cls).get("nin", -1)
        return "rows" in vars(cls) and (nin in (-1, row.nin))


class ScalarOp(metaclass=_ScalarOpClass):
    """A function of numbers that programs define: ``impl`` computes, ``grad`` derives.

    Parameters
    ----------
    output_types_preference
        Function of the types of operands that returns those of results.
    name
        For printing.
    """

    rows = ()
    nin = -1
    nout = 1
    output_types_preference: Any = None
    name: str | None = None

    def __init__(self, output_types_preference: Any = None, name: str | None = None) -> None:
        self.name = name
        if output_types_preference is not None:
            if not callable(output_types_preference):
                raise TypeError(
                    f"{type(self).__name__}: output_types_preference must be a function, got "
                    f"{output_types_preference!r}"
                )
            self.output_types_preference = output_types_preference

    def output_types(self, types: Sequence[Any]) -> tuple[Any, ...]:
        """Return the types of results, by default those that can hold all operands."""
        preference = self.output_types_preference or upcast_out
        return tuple(preference(*types))

    def impl(self, *inputs: Any) -> Any:
        """Compute a result from numbers."""
        raise NotImplementedError(f"{self} has no impl")

    def grad(self, inputs: Any, output_gradients: Any) -> Any:
        """Return the gradients of the operands."""
        raise NotImplementedError(f"{self} has no grad")

    def L_op(self, inputs: Any, outputs: Any, output_gradients: Any) -> Any:
        """Return the gradients of the operands."""
        return self.grad(inputs, output_gradients)

    def make_node(self, *inputs: Any) -> Apply:
        """Return the application to numbers."""
        return PythonElemwise(self).make_node(*inputs)

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        return PythonElemwise(self)(*inputs, **options)

    def __eq__(self, other: object) -> Any:
        mine = getattr(self, "output_types_preference", None)
        return type(self) is type(other) and mine == getattr(other, "output_types_preference", None)

    def __hash__(self) -> Any:
        return hash(type(self))

    def __str__(self) -> str:
        return self.name or type(self).__name__

    __repr__ = __str__


class UnaryScalarOp(ScalarOp):
    """A function of one number."""

    rows = ()
    nin = 1


class BinaryScalarOp(ScalarOp):
    """A function of two numbers."""

    rows = ()
    nin = 2


class PythonElemwise(Op):
    """A :class:`ScalarOp` of a program, applied to each element of arrays."""

    __props__ = ("scalar_op",)

    def __init__(self, scalar_op: ScalarOp) -> None:
        self.scalar_op: Any = scalar_op

    def make_node(self, *inputs: Any) -> Apply:
        row = self.scalar_op
        if row.nin >= 0 and len(inputs) != row.nin:
            raise TypeError(f"{row} takes {row.nin} operands, got {len(inputs)}")
        operands: list[Any] = [as_tensor_variable(item) for item in inputs]
        most = max((item.ndim for item in operands), default=0)
        operands = [_pad_left(item, most) for item in operands]
        shape = _broadcast_static(str(row), operands)
        kinds = row.output_types([Scalar(item.dtype) for item in operands])
        return Apply(self, operands, [TensorType.of(kind.dtype, shape) for kind in kinds])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        shape = tuple(
            _broadcast_dim(
                length,
                [
                    (item.type.shape[axis], shape[axis])
                    for item, shape in zip(node.inputs, shapes, strict=True)
                ],
            )
            for axis, length in enumerate(node.outputs[0].type.shape)
        )
        return [shape] * len(node.outputs)

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        _check_broadcast(node, inputs)
        shape = np.broadcast_shapes(*[value.shape for value in inputs])
        results = [np.empty(shape, output.dtype) for output in node.outputs]
        values = [np.broadcast_to(value, shape) for value in inputs]
        for position in np.ndindex(shape):
            result = self.scalar_op.impl(*[value[position] for value in values])
            parts = result if len(results) > 1 else [result]
            for array, part in zip(results, parts, strict=True):
                array[position] = part
        for storage, array in zip(output_storage, results, strict=True):
            storage[0] = array

    def L_op(self, inputs: Any, outputs: Any, output_gradients: Any) -> Any:
        grads = self.scalar_op.L_op(inputs, outputs, output_gradients)
        return [
            grad
            if grad is None or isinstance(getattr(grad, "type", None), _Null | _Disconnected)
            else _fit_grad(as_tensor_variable(grad), item)
            for grad, item in zip(grads, inputs, strict=True)
        ]

    def __str__(self) -> str:
        return f"Elemwise{{{self.scalar_op},no_inplace}}"


class Composite(ScalarOp):
    """A function of numbers that consists of other ones.

    Parameters
    ----------
    inputs, outputs
        Its graph.
    """

    rows = ()

    def __init__(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        super().__init__()
        self.inputs, self.outputs = list(inputs), list(outputs)
        self.nin, self.nout = len(self.inputs), len(self.outputs)

    def output_types(self, types: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(output.type for output in self.outputs)

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        return apply_elementwise(self, *inputs)

    def make_node(self, *inputs: Any) -> Apply:
        result = self(*inputs)
        node: Apply = (result[0] if isinstance(result, list) else result).owner
        return node

    def impl(self, *inputs: Any) -> Any:
        from symtheano.interpret import interpret
        from symtheano import FunctionGraph

        values = [np.asarray(v, i.dtype) for v, i in zip(inputs, self.inputs, strict=True)]
        results = interpret(FunctionGraph(self.inputs, self.outputs), values)
        return results[0] if self.nout == 1 else results

    def __eq__(self, other: object) -> Any:
        return self is other

    def __hash__(self) -> Any:
        return object.__hash__(self)

    def __str__(self) -> str:
        return f"Composite{{{', '.join(map(str, self.outputs))}}}"


def apply_elementwise(scalar_op: Any, *inputs: Any) -> Any:
    """Apply a row, a program's op, or a composite to each element of arrays."""
    if isinstance(scalar_op, _Row):
        return _of_row(scalar_op)(*inputs)
    if not isinstance(scalar_op, Composite):
        return PythonElemwise(scalar_op)(*inputs)
    operands: list[Any] = [as_tensor_variable(item) for item in inputs]
    given = {
        old: _cast(new, old.dtype) for old, new in zip(scalar_op.inputs, operands, strict=True)
    }
    results = vectorize_graph(scalar_op.outputs, given)
    return results[0] if len(results) == 1 else list(results)


class _RowClass(_ScalarOpClass):
    """The class of one row: ``isinstance(op.scalar_op, theano.scalar.Add)``."""

    def __call__(cls, *args: Any, **options: Any) -> Any:
        return _table.TABLE[cls.rows[0]] if cls.rows else None

    def accepts(cls, row: _Row) -> Any:
        return row.name in (cls.rows or ())


def row_class(name: str, *rows: str) -> Any:
    """Return the class of rows of symtheano's table."""
    return _RowClass(name, (), {"rows": rows, "__doc__": f"Theano's class {name}."})


_CLASSES = """
    LT=lt GT=gt LE=le GE=ge EQ=eq NEQ=neq IsNan=isnan IsInf=isinf Switch=switch OR=or_ XOR=xor
    AND=and_ Invert=invert Maximum=maximum Minimum=minimum Add=add Mul=mul Sub=sub TrueDiv=true_div
    IntDiv=int_div Mod=mod Pow=pow Clip=clip Second=second Identity=identity Abs=abs Sgn=sgn
    Ceil=ceil Floor=floor Trunc=trunc RoundHalfToEven=round_half_to_even
    RoundHalfAwayFromZero=round_half_away_from_zero Neg=neg Inv=reciprocal Log=log Log2=log2
    Log10=log10 Log1p=log1p Exp=exp Exp2=exp2 Expm1=expm1 Sqr=sqr Sqrt=sqrt Deg2Rad=deg2rad
    Rad2Deg=rad2deg Cos=cos ArcCos=arccos Sin=sin ArcSin=arcsin Tan=tan ArcTan=arctan
    ArcTan2=arctan2 Cosh=cosh ArcCosh=arccosh Sinh=sinh ArcSinh=arcsinh Tanh=tanh ArcTanh=arctanh
    Real=real Imag=imag Angle=angle Complex=complex Conj=conj ComplexFromPolar=complex_from_polar
"""
globals().update(
    {name: row_class(name, row) for name, row in (pair.split("=") for pair in _CLASSES.split())}
)
LogicalComparison = row_class("LogicalComparison", "lt", "gt", "le", "ge", "eq", "neq")
FixedLogicalComparison = row_class("FixedLogicalComparison", "isnan", "isinf")
BinaryBitOp = row_class("BinaryBitOp", "and_", "or_", "xor")
UnaryBitOp = row_class("UnaryBitOp", "invert")


def _in_range(openlow: Any, openhi: Any) -> Any:
    above, below = (
        (_table.gt if openlow else _table.ge), (_table.lt if openhi else _table.le)
    )  # fmt: skip
    fields = {"openlow": openlow, "openhi": openhi}
    return (lambda x, low, high: _table.and_(above(x, low), below(x, high))), fields


InRange = _op_class("InRange", make=_in_range)
inopenrange, inclosedrange = InRange(True, True), InRange(False, False)


class Cast(ScalarOp):
    """Conversion of numbers to a type."""

    rows = ()
    nin = 1

    def __init__(self, o_type: Any, name: str | None = None) -> None:
        super().__init__(specific_out(o_type), name or f"Cast{{{o_type.dtype}}}")
        self.o_type = o_type

    def impl(self, *inputs: Any) -> Any:
        return np.asarray(inputs[0]).astype(self.o_type.dtype)

    def grad(self, inputs: Any, output_gradients: Any) -> Any:
        return list(output_gradients)

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        return _cast(inputs[0], self.o_type.dtype)


def cast(x: Any, dtype: str) -> Any:
    """Return a number in another dtype."""
    return _cast(as_tensor_variable(x), _config.floatX if dtype == "floatX" else dtype)


_cast_mapping = {kind.dtype: Cast(kind) for kind in all_types}
globals().update({f"convert_to_{dtype}": op for dtype, op in _cast_mapping.items()})
convert = constant


def div_proxy(x: Any, y: Any) -> Any:
    """Return x / y."""
    return as_tensor_variable(x) / y


int_or_true_div = div_proxy


def mod_check(x: Any, y: Any) -> Any:
    """Return x % y."""
    return as_tensor_variable(x) % y


globals().update(_table.TABLE)
globals().update({name: _table.TABLE[row] for name, row in _table.ALIASES.items()})
floor_div = _table.int_div


def round_half_away_from_zero_(a: Any) -> Any:
    """Return numbers rounded to integers, halves away from zero."""
    return np.copysign(np.floor(np.abs(a) + 0.5), a)


round_half_away_from_zero_vec = round_half_away_from_zero_
