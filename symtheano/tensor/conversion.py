"""Conversion of values to symbolic arrays: constants, and as_tensor_variable."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.errors import ArgumentError, AsTensorError, MisfitError, describe_value
from symtheano.graph.type import checked_name
from symtheano.graph.variable import Apply, Op, Variable
from symtheano.scalar.operand import Tensor
from symtheano.tensor.arrays import as_array, holds, is_array_like
from symtheano.tensor.messages import build_message, called
from symtheano.tensor.type import TensorType


def constant(x: Any, name: str | None = None, ndim: int | None = None, dtype: Any = None) -> Tensor:
    """Return a constant.

    Parameters
    ----------
    x
        Number, list or array. ``config.cast_policy`` determines the dtype of Python numbers.
    name
        Name for printing.
    ndim
        Number of dimensions; missing ones are added in front.
    dtype
        Dtype to convert to.

    Examples
    --------
    >>> constant(2), constant([1.5, 2.5]).type
    (TensorConstant{2}, TensorType(float32, (2)))
    """
    plain = dtype is None or dtype.__class__ is str
    if ndim is None and plain and x.__class__ in (bool, int, float):
        kind, data = _number(x, dtype)
        scalar_constant: Tensor = kind.constant_class(kind, data, checked_name(name))
        return scalar_constant
    if dtype is not None:
        data = _converted(x, dtypes.canonical(dtype))
    elif isinstance(x, bool | int | float | complex) and not isinstance(x, np.generic):
        data = np.asarray(x, dtype=dtypes.constant_dtype(x))
    else:
        data = _array_of_numbers(x)
    if ndim is not None:
        if data.ndim > ndim:
            raise ValueError(
                build_message(f"constant: the value has {data.ndim} dims, but ndim is {ndim}")
            )
        data = data.reshape((1,) * (ndim - data.ndim) + data.shape)
    dtypes.canonical(data.dtype)
    fixed = np.array(data, dtype=data.dtype.newbyteorder("="), order="C")
    fixed.flags.writeable = False
    kind = TensorType(fixed.dtype.name, fixed.shape)
    array_constant: Tensor = kind.constant_class(kind, fixed, checked_name(name))
    return array_constant


def _number(x: bool | int | float, dtype: str | None) -> tuple[TensorType, np.ndarray[Any, Any]]:
    """Return type and value of a Python number; cached, because they are used very often."""
    key = (x.__class__, x, str(x) if x == 0 else "", dtype, config.cast_policy, config.floatX)
    entry = _numbers.get(key)
    if entry is None:
        if dtype is None:
            data = np.asarray(x, dtype=dtypes.constant_dtype(x))
        else:
            data = _converted(x, dtypes.canonical(dtype))
        data.flags.writeable = False
        if len(_numbers) > _REMEMBERED:
            _numbers.clear()
        entry = _numbers[key] = (TensorType(data.dtype.name, ()), data)
    return entry


_PYTHON = (bool, int, float, complex)


_CONSTANTS = (list, tuple, np.ndarray, np.generic, *_PYTHON)


_REMEMBERED = 10_000


_numbers: dict[tuple[Any, ...], tuple[TensorType, np.ndarray[Any, Any]]] = {}


def _converted(x: Any, dtype: str) -> np.ndarray[Any, Any]:
    """Return numbers as an array of a dtype."""
    data = np.asarray(x) if x.__class__ in _PYTHON else _as_array(x)
    if data.dtype.kind == "O" and not all(isinstance(item, int) for item in data.flat):
        raise _no_number(x)
    try:
        return dtypes.convert(data, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise AsTensorError(
            build_message(f"{called()}: {describe_value(x)} can't become {dtype}: {error}")
        ) from None


def _array_of_numbers(x: Any) -> np.ndarray[Any, Any]:
    """Convert arrays, and nested lists whose Python numbers are typed by the cast policy.

    With ``config.theano_semantics``, lists have NumPy's dtypes.
    """
    data = _as_array(x)
    if data.dtype.kind not in "biufc":
        raise _no_number(x)
    numbers = isinstance(x, list | tuple) and data.dtype.kind in "if"
    if (
        numbers
        and config.cast_policy == "custom"
        and (not config.theano_semantics or not data.size)
    ):
        flat = data.reshape(-1)
        names = {dtypes.constant_dtype(value.item()) for value in flat} or {config.floatX}
        data = data.astype(dtypes.upcast(*names))
    return data


def _as_array(x: Any) -> np.ndarray[Any, Any]:
    """Return a value as an array, or raise an error for the call."""
    try:
        return as_array(x)
    except MisfitError as error:
        what = f"{called()}: {describe_value(x)}: {error.what}"
        raise AsTensorError(build_message(what, hint=error.hint)) from None
    except ValueError:
        raise ValueError(
            build_message(
                f"{called()}: {describe_value(x)}: a ragged list can't become a symbolic array",
                hint="give rows of equal lengths",
            )
        ) from None


def _no_number(x: Any) -> AsTensorError:
    hint = "give a variable, a number, an array of numbers, or a list of these"
    if hasattr(x, "toarray"):
        hint = _SPARSE
    return AsTensorError(
        build_message(f"{called()}: {describe_value(x)} can't become a symbolic array", hint=hint)
    )


_SPARSE = "make it dense: x.toarray(), or use the functions of symtheano.sparse"


def as_tensor_variable(x: Any, name: str | None = None, ndim: int | None = None) -> Tensor:
    """Return ``x`` as a symbolic array: variables unchanged, numbers and arrays as constants.

    Lists and tuples that contain variables are stacked along a new first axis. Objects of other
    classes can define a method ``_as_TensorVariable``, which returns the array.

    Raises
    ------
    AsTensorError
        If ``x`` can't be an array.
    ValueError
        If it is a list of rows of unequal lengths, or has more than ``ndim`` dimensions.

    Examples
    --------
    >>> x = T.dscalar("x")
    >>> as_tensor_variable(x) is x, as_tensor_variable([x, x]).type
    (True, TensorType(float64, (2)))
    """
    if isinstance(x, Tensor):
        variable = x
    elif isinstance(x, Variable):
        raise AsTensorError(
            build_message(
                f"{called()}: {x} of type {x.type} is not a symbolic array",
                x,
                hint=_SPARSE if hasattr(x, "toarray") else None,
            )
        )
    elif isinstance(x, Apply):
        return as_tensor_variable(_only_output(x), name, ndim)
    elif isinstance(x, list | tuple) and holds(x, Variable):
        variable = _first_variable(x).stack_with(x)
    elif hasattr(type(x), "_as_TensorVariable"):
        return as_tensor_variable(x._as_TensorVariable(), name, ndim)
    elif isinstance(x, _CONSTANTS) or is_array_like(x):
        return constant(x, name=name, ndim=ndim)
    else:
        raise _no_number(x)
    if ndim is not None and variable.ndim != ndim:
        if variable.ndim > ndim:
            raise ValueError(
                build_message(f"{variable.ndim} dims, but at most {ndim} are allowed", variable)
            )
        missing = ndim - variable.ndim
        variable = variable.dimshuffle(*["x"] * missing, *builtins.range(variable.ndim))
    return variable


def standing_for(x: Any) -> Any:
    """Return the array that an object of another class stands for, anything else as it is."""
    return x._as_TensorVariable() if hasattr(type(x), "_as_TensorVariable") else x


def _first_variable(items: Sequence[Any]) -> Any:
    """Return a symbolic array in a nested list, which knows how to join the list."""
    for item in items:
        if isinstance(item, list | tuple) and holds(item, Variable):
            return _first_variable(item)
        if isinstance(item, Variable):
            return as_tensor_variable(item)
    raise AssertionError("the list has no variable")


def _only_output(node: Apply) -> Any:
    """Return the output of a node that stands for it."""
    place = node.op.default_output
    if place is None and len(node.outputs) != 1:
        counted = f"{node.op} has {len(node.outputs)} outputs; choose one of them"
        raise ArgumentError(build_message(f"as_tensor_variable: {counted}", *node.inputs))
    return node.outputs[place or 0]


as_tensor = as_tensor_variable
Op.as_array = as_tensor_variable
