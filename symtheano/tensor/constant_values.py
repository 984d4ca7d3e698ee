"""Values of expressions that are constant: numbers, lengths, defaults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano.errors import EmptyConstantError, NotScalarConstantError
from symtheano.graph.op import Op
from symtheano.graph.variable import Constant, Variable
from symtheano.scalar.operand import TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.join import Join
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.shapes.shape import MakeVector, Shape_i
from symtheano.tensor.shapes.static_shape import SpecifyShape

_DEPTH = 100


def get_scalar_constant_value(
    orig_v: Any, elemwise: bool = True, only_process_constants: bool = False, max_recur: int = 10
) -> Any:
    """Return the constant value of an expression.

    An array whose elements are all known to be equal is treated as a number.

    Parameters
    ----------
    orig_v
        Variable, number or array.
    elemwise
        Whether to compute elementwise functions of known numbers.
    only_process_constants
        Whether to use only constants, and no expressions computed from them.
    max_recur
        Maximum number of nested elementwise functions to compute.

    Returns
    -------
    0-d array

    Raises
    ------
    NotScalarConstantError
        If the value is not known.
    EmptyConstantError
        If it is an array without elements.

    Examples
    --------
    >>> int(get_scalar_constant_value(T.zeros((2, 3)).shape[1] + 1))
    4
    """
    variable = orig_v if isinstance(orig_v, Variable) else as_tensor_variable(orig_v)
    limit = max_recur if elemwise else 0
    return _value(variable, limit, only_process_constants, _DEPTH)


def _value(variable: Any, elemwise: int, only_constants: bool, depth: int) -> Any:
    if isinstance(variable, Constant):
        return _number(variable)
    owner = variable.owner
    if owner is None or only_constants or depth == 0:
        raise _unknown(variable)
    op, inputs = owner.op, owner.inputs

    def value(item: Any, nested: int = elemwise) -> Any:
        return _value(item, nested, only_constants, depth - 1)

    if isinstance(op, DimShuffle | Alloc | Reshape | SpecifyShape):
        return value(inputs[0])
    if isinstance(op, Shape_i) and inputs[0].type.shape[op.axis] is not None:
        return np.asarray(inputs[0].type.shape[op.axis], "int64")
    if isinstance(op, Elemwise):
        name = op.scalar_op.name
        if name in ("second", "identity"):
            return value(inputs[-1])
        if elemwise > 0:
            return _performed(op, [value(item, elemwise - 1) for item in inputs])
    if isinstance(op, Subtensor) and op.pattern == (None,):
        return _item(inputs[0], int(value(inputs[1])), value, elemwise > 0)
    raise _unknown(variable)


def _item(vector: Any, position: int, value: Callable[[Any], Any], elemwise: bool) -> Any:
    """Return the number at a position of a vector; ``value`` returns that of a 0-d variable."""
    length = vector.type.shape[0]
    if isinstance(vector, Constant) and -length <= position < length:
        return np.asarray(vector.data[position])
    if vector.owner is None:
        raise _unknown(vector)
    op, parts = vector.owner.op, vector.owner.inputs
    if isinstance(op, MakeVector) and -len(parts) <= position < len(parts):
        return value(parts[position])
    if isinstance(op, Join) and position >= 0:
        for part in parts:
            length = part.type.shape[0]
            if length is None:
                break
            if position < length:
                return _item(part, position, value, elemwise)
            position -= length
    if length is None or not -length <= position < length:
        raise _unknown(vector)
    if isinstance(op, DimShuffle) and parts[0].ndim == 0:
        return value(parts[0])
    if isinstance(op, Subtensor) and parts[0].ndim == 1 and parts[0].type.shape[0] is not None:
        # The same items of the positions tell which one it is.
        chosen = _performed(op, [np.arange(parts[0].type.shape[0]), *map(value, parts[1:])])
        return _item(parts[0], int(chosen[position]), value, elemwise)
    if isinstance(op, Elemwise) and elemwise:
        places = [position if part.type.shape[0] != 1 else 0 for part in parts]
        pairs = zip(parts, places, strict=True)
        return _performed(op, [_item(part, place, value, elemwise) for part, place in pairs])
    raise _unknown(vector)


def _performed(op: Op, values: list[Any]) -> Any:
    cells: list[list[Any]] = [[None]]
    op.perform(op.make_node(*values), values, cells)
    return np.asarray(cells[0][0])


def _number(variable: Any) -> Any:
    data = np.asarray(variable.data)
    if data.size == 0:
        raise EmptyConstantError(
            build_message("get_scalar_constant_value: the array has no elements", variable)
        )
    first = data.reshape(-1)[0]
    if data.size > 1 and not (data == first).all():
        raise _unknown(variable)
    return np.asarray(first)


def _unknown(variable: Any) -> NotScalarConstantError:
    return NotScalarConstantError(
        build_message(
            "get_scalar_constant_value: the value is not known to be a single number", variable
        )
    )


def extract_constant(x: Any, elemwise: bool = True, only_process_constants: bool = False) -> Any:
    """Return the constant value of ``x`` if it is known, otherwise ``x``.

    Examples
    --------
    >>> v = T.vector("v")
    >>> float(extract_constant(T.constant(2.0))), extract_constant(v) is v
    (2.0, True)
    """
    try:
        return get_scalar_constant_value(x, elemwise, only_process_constants)
    except NotScalarConstantError:
        return x


def get_vector_length(v: TensorLike) -> int:
    """Return the length of a vector as an int; it must be known.

    Raises
    ------
    TypeError
        If ``v`` is not a vector.
    ValueError
        If its length is only known in a call.

    Examples
    --------
    >>> get_vector_length(T.matrix("x").shape)
    2
    """
    v = as_tensor_variable(v)
    if v.ndim != 1:
        raise TypeError(build_message(f"get_vector_length takes a vector, got {v.ndim} dims", v))
    length = v.type.shape[0]
    if length is None:
        raise ValueError(build_message("get_vector_length: the length is not known", v))
    return int(length)


def is_flat(var: TensorLike, ndim: int | None = None, outdim: int | None = None) -> bool:
    """Return whether an array has ``ndim`` dimensions, so that flattening does not change it.

    Examples
    --------
    >>> is_flat(T.vector("v")), is_flat(T.matrix("x"))
    (True, False)
    """
    wanted = outdim if outdim is not None else ndim
    return bool(as_tensor_variable(var).ndim == (1 if wanted is None else wanted))


def default(x: Any, default: Any) -> Any:
    """Return ``x`` as a symbolic array, or the default value if ``x`` is None.

    Examples
    --------
    >>> int(default(None, 5).eval())
    5
    """
    return as_tensor_variable(default if x is None else x)


setdefault = default
