"""Rearranging axes and elements: moveaxis, flip, rot90, roll, atleast_1d and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from symtheano.graph.variable import Variable
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.rolling import Roll
from symtheano.tensor.shapes.shape import as_dim, shape_of

# -- axes ---------------------------------------------------------------------------------------


def moveaxis(a: TensorLike, source: Any, destination: Any) -> Tensor:
    """Return ``a`` with axes moved to other positions; the others keep their order.

    Parameters
    ----------
    a
        Array.
    source, destination
        An axis and its new position, or sequences of the same length.

    Examples
    --------
    >>> moveaxis(T.zeros((2, 3, 4)), 0, -1).type
    TensorType(float64, (3, 4, 2))
    """
    a = as_tensor_variable(a)
    old = _axes(source, a.ndim)
    new = _axes(destination, a.ndim)
    if len(old) != len(new):
        raise ValueError(build_message(f"moveaxis: {len(old)} axes for {len(new)} places", a))
    order = [axis for axis in range(a.ndim) if axis not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place, axis)
    return a.dimshuffle(*order)


def _axes(axis: Any, ndim: int) -> list[int]:
    """Return axes in the given order, as distinct non-negative numbers."""
    normalize_axis(axis, ndim)
    return [int(one) % ndim for one in (axis if isinstance(axis, list | tuple) else (axis,))]


def rollaxis(a: TensorLike, axis: int, start: int = 0) -> Tensor:
    """Return ``a`` with one axis moved before the axis ``start``.

    Examples
    --------
    >>> rollaxis(T.zeros((2, 3, 4)), 2).type
    TensorType(float64, (4, 2, 3))
    """
    a = as_tensor_variable(a)
    (old,) = normalize_axis(axis, a.ndim)
    if not -a.ndim <= start <= a.ndim:
        raise ValueError(build_message(f"rollaxis: start {start} is outside {a.ndim} dims", a))
    place = start + a.ndim if start < 0 else start
    return moveaxis(a, old, place - 1 if old < place else place)


def _at_least(arrays: Sequence[Any], ndim: int, after: int) -> Any:
    """Insert new axes in front, and one at the end if there are ``after`` dimensions or more."""
    views = []
    for array in (as_tensor_variable(item) for item in arrays):
        behind = ["x"] if ndim - array.ndim > 0 and array.ndim >= after else []
        front = ["x"] * (ndim - array.ndim - len(behind))
        missing = array.ndim < ndim
        views.append(array.dimshuffle(*front, *range(array.ndim), *behind) if missing else array)
    return views[0] if len(views) == 1 else views


@overload
def atleast_1d(ary: Any, /) -> Tensor: ...
@overload
def atleast_1d(*arys: Any) -> list[Tensor]: ...
def atleast_1d(*arys: Any) -> Any:
    """Return the arrays with at least one axis; a single array is not returned in a list.

    Examples
    --------
    >>> atleast_1d(5).eval().tolist()
    [5]
    """
    return _at_least(arys, 1, 1)


@overload
def atleast_2d(ary: Any, /) -> Tensor: ...
@overload
def atleast_2d(*arys: Any) -> list[Tensor]: ...
def atleast_2d(*arys: Any) -> Any:
    """Return the arrays with at least two axes; new axes are in front.

    Examples
    --------
    >>> atleast_2d([5, 6]).eval().tolist()
    [[5, 6]]
    """
    return _at_least(arys, 2, 2)


@overload
def atleast_3d(ary: Any, /) -> Tensor: ...
@overload
def atleast_3d(*arys: Any) -> list[Tensor]: ...
def atleast_3d(*arys: Any) -> Any:
    """Return arrays of at least three axes; vectors use the middle one, matrices the first two.

    Examples
    --------
    >>> atleast_3d([5, 6]).eval().tolist()
    [[[5], [6]]]
    """
    return _at_least(arys, 3, 1)


def ravel(a: TensorLike, order: str = "C") -> Tensor:
    """Return the elements of ``a`` as a vector, in C order or (``F``) in Fortran order.

    Examples
    --------
    >>> ravel([[1, 2], [3, 4]], order="F").eval().tolist()
    [1, 3, 2, 4]
    """
    a = as_tensor_variable(a)
    if order not in ("C", "F"):
        raise ValueError(build_message(f"ravel: order {order!r} is neither 'C' nor 'F'", a))
    return (a if order == "C" else a.T).flatten()


# -- items --------------------------------------------------------------------------------------


def flip(m: TensorLike, axis: Any = None) -> Tensor:
    """Return ``m`` with its elements in reverse order along ``axis`` (all axes by default).

    Examples
    --------
    >>> flip([[1, 2], [3, 4]], 1).eval().tolist()
    [[2, 1], [4, 3]]
    """
    m = as_tensor_variable(m)
    axes = normalize_axis(axis, m.ndim)
    if not axes:
        return m
    return m[tuple(slice(None, None, -1 if a in axes else None) for a in range(m.ndim))]


def fliplr(m: Any) -> Tensor:
    """Return ``m`` with its columns in reverse order.

    Examples
    --------
    >>> fliplr([[1, 2], [3, 4]]).eval().tolist()
    [[2, 1], [4, 3]]
    """
    return flip(_least("fliplr", m, 2), 1)


def flipud(m: Any) -> Tensor:
    """Return ``m`` with its rows in reverse order.

    Examples
    --------
    >>> flipud([[1, 2], [3, 4]]).eval().tolist()
    [[3, 4], [1, 2]]
    """
    return flip(_least("flipud", m, 1), 0)


def _least(name: str, m: Any, ndim: int) -> Any:
    m = as_tensor_variable(m)
    if m.ndim < ndim:
        raise ValueError(build_message(f"{name}: {m.ndim} dims, but at least {ndim} are needed", m))
    return m


def rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Tensor:
    """Return ``m`` rotated by ``k`` times 90 degrees, from the first of two axes to the second.

    Examples
    --------
    >>> rot90([[1, 2], [3, 4]]).eval().tolist()
    [[2, 4], [1, 3]]
    """
    m = _least("rot90", m, 2)
    first, second = _axes(axes, m.ndim)
    if isinstance(k, Variable):
        raise TypeError(build_message("rot90: the number of turns must be a Python int", k))
    turns = k % 4
    if turns == 0:
        result: Tensor = m
        return result
    if turns == 2:
        return flip(m, (first, second))
    if turns == 1:
        return flip(m, second).swapaxes(first, second)
    return flip(m.swapaxes(first, second), second)


def roll(x: TensorLike, shift: Any, axis: Any = None) -> Tensor:
    """Return ``x`` with its elements shifted cyclically along ``axis``.

    Parameters
    ----------
    x
        Array.
    shift
        Number of positions: an integer, which may be negative or symbolic; or a tuple with one
        integer per axis.
    axis
        The axis, or a tuple; None shifts the elements of the flattened array.

    Examples
    --------
    >>> roll([1, 2, 3], 1).eval().tolist()
    [3, 1, 2]
    """
    x = as_tensor_variable(x)
    if axis is None:
        return roll(x, shift, 0) if x.ndim == 1 else roll(x.flatten(), shift, 0).reshape(x.shape)
    axes = axis if isinstance(axis, list | tuple) else (axis,)
    shifts = shift if isinstance(shift, list | tuple) else (shift,) * len(axes)
    axes = axes * len(shifts) if len(axes) == 1 else axes
    if len(axes) != len(shifts):
        raise ValueError(build_message(f"roll: {len(shifts)} shifts along {len(axes)} axes", x))
    for one, places in zip(axes, shifts, strict=True):
        (position,) = normalize_axis(one, x.ndim)
        x = Roll(position)(x, as_dim(int(places) if isinstance(places, np.integer) else places))
    return x


# -- parts --------------------------------------------------------------------------------------


def append(arr: TensorLike, values: TensorLike, axis: int | None = None) -> Tensor:
    """Return ``arr`` followed by ``values`` along ``axis``; both are flattened by default.

    Examples
    --------
    >>> append([[1, 2]], [[3, 4]], axis=0).eval().tolist(), append([[1, 2]], 3).eval().tolist()
    ([[1, 2], [3, 4]], [1, 2, 3])
    """
    arrays = as_tensor_variable(arr), as_tensor_variable(values)
    if axis is None:
        return join(0, *(array.flatten() for array in arrays))
    return join(axis, *arrays)


def array_split(ary: TensorLike, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Split ``ary`` along ``axis`` into parts; the first parts may be longer by one.

    Parameters
    ----------
    ary
        Array.
    indices_or_sections
        Number of parts, or a sequence of the positions, symbolic or not, where parts begin.
    axis
        The axis.

    Examples
    --------
    >>> [part.eval().tolist() for part in array_split([1, 2, 3, 4, 5], 2)]
    [[1, 2, 3], [4, 5]]
    >>> [part.eval().tolist() for part in array_split([1, 2, 3, 4, 5], [1, 3])]
    [[1], [2, 3], [4, 5]]
    """
    ary = as_tensor_variable(ary)
    (position,) = normalize_axis(axis, ary.ndim)
    if isinstance(indices_or_sections, int | np.integer):
        count = int(indices_or_sections)
        if count < 1:
            raise ValueError(
                build_message(
                    f"array_split: the number of parts must be positive, not {count}", ary
                )
            )
        length = shape_of(ary)[position]
        each, more = length // count, length % count
        bounds = [k * each + _smaller(k, more) for k in range(1, count)]
    else:
        bounds = list(indices_or_sections)
    before = [slice(None)] * position
    starts, stops = [None, *bounds], [*bounds, None]
    return [ary[(*before, slice(*ends))] for ends in zip(starts, stops, strict=True)]


def _smaller(a: int, b: Any) -> Any:
    return min(a, b) if isinstance(b, int) else scalar.minimum(a, b)


def _equal_parts(name: str, ary: Any, parts: Any, axis: int, ndim: int) -> list[Any]:
    """Return the parts along an axis; they have equal lengths if their number is given."""
    from symtheano.tensor.assertion import required

    ary = _least(name, ary, ndim)
    if isinstance(parts, int | np.integer) and parts > 0:
        even = scalar.eq(as_dim(shape_of(ary)[axis]) % int(parts), 0)
        ary = required(ary, even, f"{name}: the axis can't be divided into {parts} equal parts")
    return array_split(ary, parts, axis)


def vsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """Split ``ary`` along its first axis, into equal parts or at positions.

    Examples
    --------
    >>> [part.eval().tolist() for part in vsplit([[1, 2], [3, 4]], 2)]
    [[[1, 2]], [[3, 4]]]
    """
    return _equal_parts("vsplit", ary, indices_or_sections, 0, 2)


def hsplit(ary: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split ``ary`` along its second axis, or a vector along its only axis.

    Examples
    --------
    >>> [part.eval().tolist() for part in hsplit([[1, 2], [3, 4]], 2)]
    [[[1], [3]], [[2], [4]]]
    """
    axis = 1 if as_tensor_variable(ary).ndim > 1 else 0
    return _equal_parts("hsplit", ary, indices_or_sections, axis, 1)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """Split ``ary`` along its third axis, into equal parts or at positions.

    Examples
    --------
    >>> [part.eval().tolist() for part in dsplit([[[1, 2]], [[3, 4]]], 2)]
    [[[[1]], [[3]]], [[[2]], [[4]]]]
    """
    return _equal_parts("dsplit", ary, indices_or_sections, 2, 3)


def unstack(x: TensorLike, axis: int = 0) -> tuple[Tensor, ...]:
    """Return a list of the arrays along an axis; its length must be known.

    Raises
    ------
    ValueError
        If it is not known.

    Examples
    --------
    >>> [part.eval().tolist() for part in unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]
    """
    x = as_tensor_variable(x)
    (position,) = normalize_axis(axis, x.ndim)
    length = x.type.shape[position]
    if length is None:
        raise ValueError(
            build_message(
                f"unstack: the length of axis {axis} is not known",
                x,
                hint="declare it with specify_shape",
            )
        )
    return tuple(x[(*[slice(None)] * position, k)] for k in range(length))


def _stacked(axis: int, tup: Sequence[Any], widen: Any) -> Tensor:
    if not isinstance(tup, list | tuple):
        raise TypeError(build_message("stacking takes a list or tuple of arrays"))
    return join(axis, *(widen(item) for item in tup))


def vstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate arrays along the first axis; vectors are rows.

    Examples
    --------
    >>> vstack([[1, 2], [3, 4]]).eval().tolist()
    [[1, 2], [3, 4]]
    """
    return _stacked(0, tup, atleast_2d)


def hstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate arrays along the second axis, or vectors along their only axis.

    Examples
    --------
    >>> hstack([[1, 2], [3]]).eval().tolist()
    [1, 2, 3]
    """
    first = as_tensor_variable(tup[0]) if tup else None
    return _stacked(0 if first is None or first.ndim < 2 else 1, tup, atleast_1d)


def dstack(tup: Sequence[Any]) -> Tensor:
    """Concatenate arrays along the third axis.

    Examples
    --------
    >>> dstack([[1, 2], [3, 4]]).eval().tolist()
    [[[1, 3], [2, 4]]]
    """
    return _stacked(2, tup, atleast_3d)


def column_stack(tup: Sequence[Any]) -> Tensor:
    """Return a matrix of columns: vectors are columns, matrices are stacked horizontally.

    Examples
    --------
    >>> column_stack([[1, 2], [3, 4]]).eval().tolist()
    [[1, 3], [2, 4]]
    """

    def widen(item: Any) -> Any:
        array = as_tensor_variable(item)
        return array if array.ndim > 1 else as_tensor_variable(array, ndim=2).T

    return _stacked(1, tup, widen)
