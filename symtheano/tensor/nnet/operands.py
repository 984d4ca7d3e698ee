"""Operands of the functions of networks: real floats, and parameters along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.same_shape import SameShape
from symtheano.tensor.shapes.shape import as_dims, shape_of


def float_operand(x: Any) -> Tensor:
    """Return ``x`` as a variable of floats: integers as the floats that hold them.

    Examples
    --------
    >>> float_operand(T.lvector()).dtype
    'float64'
    """
    x = as_tensor_variable(x)
    return cast(x, dtypes.upgrade_to_float(x.dtype))


def parameter_like(value: Any, x: Tensor) -> Tensor:
    """Return a parameter: a Python number in the dtype of ``x``, anything else as a variable.

    A number such as 0.1 would otherwise make float32 operands float64.

    Examples
    --------
    >>> parameter_like(0.1, T.fvector()).dtype
    'float32'
    """
    if isinstance(value, int | float):
        return x.constant_like(value)
    return as_tensor_variable(value)


def along(name: str, parameter: Any, x: Tensor, kept: Sequence[int]) -> Tensor:
    """Return a parameter that broadcasts against ``x``, and varies along some of its axes.

    Parameters
    ----------
    name
        The function's name, for errors.
    parameter
        A 0-d variable, a variable with one axis for each of ``kept``, or a variable with all axes
        of ``x``, where axes that are not in ``kept`` have length 1.
    x
        The operand.
    kept
        Axes, ascending.

    Examples
    --------
    >>> along("f", T.vector(), T.tensor4(), [1]).broadcastable
    (True, False, True, True)
    """
    if parameter.ndim == 0:
        result: Tensor = parameter
        return result
    if parameter.ndim == x.ndim:
        from symtheano.tensor.shapes.static_shape import addbroadcast

        others = [axis for axis in range(x.ndim) if axis not in kept]
        return addbroadcast(parameter, *others) if others else parameter
    if parameter.ndim != len(kept):
        what = f"{name}: a parameter has {len(kept)} or {x.ndim} axes"
        raise ValueError(build_message(what, parameter, x))
    parameter = of_lengths(name, parameter, [shape_of(x)[axis] for axis in kept])
    places = {axis: number for number, axis in enumerate(kept)}
    placed: Tensor = parameter.dimshuffle(*[places.get(axis, "x") for axis in range(x.ndim)])
    return placed


def of_lengths(name: str, parameter: Any, lengths: Sequence[Any]) -> Any:
    """Return a parameter with a check that it has these lengths: its message names the parameter.

    Axes of the static length 1 are broadcast.

    Raises
    ------
    ShapeError
        If static lengths differ; else in a call.

    Examples
    --------
    >>> of_lengths("f", T.vector(), [T.lscalar()]).type
    TensorType(float64, vector)
    """
    own = parameter.type.shape
    wanted = [1 if n == 1 else length for n, length in zip(own, lengths, strict=True)]
    for axis, (n, length) in enumerate(zip(own, wanted, strict=True)):
        if isinstance(length, int) and n not in (None, length):
            what = f"{name}: axis {axis} has length {n}, but must have length {length}"
            raise ShapeError(build_message(what, parameter))
    if all(isinstance(length, int) and length == n for n, length in zip(own, wanted, strict=True)):
        return parameter
    return SameShape(name=name)(parameter, *as_dims(wanted))


def widened(x: Any) -> Any:
    """Return ``x`` in float32 if it is float16, in which squares overflow from 256 on.

    Examples
    --------
    >>> widened(T.vector(dtype="float16")).dtype, widened(T.dvector()).dtype
    ('float32', 'float64')
    """
    return cast(x, "float32") if x.dtype == "float16" else x
