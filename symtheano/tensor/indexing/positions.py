"""Positions: gather and scatter along an axis, permutations, flat positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Variable
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.call_broadcast import broadcast_all, broadcast_in_call, joint_length
from symtheano.tensor.indexing.subtensor import set_subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.reduce import all as all_
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.repetition import broadcast_arrays, broadcast_shape
from symtheano.tensor.shapes.shape import (
    as_dim,
    as_dims,
    dim_value,
    dims_product,
    fits_array,
    shape_of,
)


def integers(name: str, array: Any) -> Any:
    """Return an argument as an integer array.

    Raises
    ------
    TypeError
        If it does not contain integers.
    """
    array = as_tensor_variable(array)
    if array.dtype not in dtypes.INTEGER:
        raise TypeError(build_message(f"{name} takes integers", array))
    return array


def _selection(name: str, x: Tensor, indices: Any, axis: int) -> Tensor:
    """Return the items at positions along an axis as a part of ``x`` that can be set."""
    if indices.ndim != x.ndim:
        raise ValueError(
            build_message(f"{name}: positions of {indices.ndim} dims for {x.ndim} dims", x, indices)
        )
    key = []
    for other in range(x.ndim):
        if other == axis:
            key.append(indices)
            continue
        place: list[Any] = ["x"] * x.ndim
        place[other] = 0
        length = x.type.shape[other]
        count = arange(x.shape[other] if length is None else length)
        key.append(count.dimshuffle(*place))
    return x[tuple(key)]


def take_along_axis(arr: TensorLike, indices: Any, axis: int | None = -1) -> Tensor:
    """Return the items at ``indices`` along ``axis``, with separate indices for each row.

    Parameters
    ----------
    arr
        Array.
    indices
        Integers, with the number of dimensions of ``arr``. The other axes have the lengths of
        ``arr`` or static length 1.
    axis
        The axis; None uses the flattened array.

    Raises
    ------
    IndexError
        In a call, if a position is outside the axis.

    Examples
    --------
    >>> take_along_axis([[1, 2], [3, 4]], [[1], [0]], axis=1).eval().tolist()
    [[2], [3]]
    """
    arr, indices = as_tensor_variable(arr), integers("take_along_axis", indices)
    if axis is None:
        arr, axis = arr.flatten(), 0
    (position,) = normalize_axis(axis, arr.ndim)
    return _selection("take_along_axis", arr, indices, position)


def put_along_axis(arr: TensorLike, indices: Any, values: Any, axis: int | None = -1) -> Tensor:
    """Return ``arr`` with the items at ``indices`` along ``axis`` set to ``values``.

    Unlike NumPy's function, which modifies ``arr``, this returns a new array. Other arguments are
    as for :func:`take_along_axis`; ``values`` is broadcast along axes of static length 1.

    Examples
    --------
    >>> put_along_axis([[1, 2], [3, 4]], [[1], [0]], 0, axis=1).eval().tolist()
    [[1, 0], [0, 4]]
    """
    arr, indices = as_tensor_variable(arr), integers("put_along_axis", indices)
    if axis is None:
        flat = _selection("put_along_axis", arr.flatten(), indices, 0)
        return set_subtensor(flat, values).reshape(arr.shape)
    (position,) = normalize_axis(axis, arr.ndim)
    return set_subtensor(_selection("put_along_axis", arr, indices, position), values)


# -- permutations -------------------------------------------------------------------------------


def inverse_permutation(perm: Any) -> Tensor:
    """Return the inverse of a permutation, or of the permutation in each row of a matrix.

    Examples
    --------
    >>> inverse_permutation([2, 0, 1]).eval().tolist()
    [1, 2, 0]
    """
    perm = integers("inverse_permutation", perm)
    if perm.ndim < 1:
        raise ValueError(
            build_message("inverse_permutation needs at least one dim, got a 0-d array", perm)
        )
    return put_along_axis(perm.zeros_like(), perm, cast(arange(perm.shape[-1]), perm.dtype), -1)


def permute_row_elements(x: TensorLike, y: Any, inverse: bool = False) -> Tensor:
    """Return ``x`` with each row, along the last axis, permuted by ``y``.

    Parameters
    ----------
    x
        Array of at least one dimension.
    y
        Permutations along the last axis. Other axes of ``x`` and ``y`` are broadcast if their
        static length is 1.
    inverse
        Whether to store ``x[..., i]`` at ``y[..., i]``. If false, element ``i`` is read from
        ``y[..., i]``.

    Examples
    --------
    >>> permute_row_elements([5, 6, 7], [2, 0, 1]).eval().tolist()
    [7, 5, 6]
    """
    x, y = as_tensor_variable(x), integers("permute_row_elements", y)
    if x.ndim < 1 or y.ndim < 1:
        raise ValueError(
            build_message("permute_row_elements needs at least one dim, got a 0-d array", x, y)
        )
    order = inverse_permutation(y) if inverse else y
    x, order = broadcast_arrays(x, order)
    return take_along_axis(x, order, -1)


# -- flat positions -----------------------------------------------------------------------------


def _lengths(name: str, dims: Any, ndim: int | None, order: str) -> list[Any]:
    if order not in ("C", "F"):
        raise ValueError(build_message(f"{name}: order {order!r} is neither 'C' nor 'F'"))
    if isinstance(dims, np.ndarray):
        dims = dims.tolist()
    lengths = as_dims(dims, ndim)
    if ndim is not None and len(lengths) != ndim:
        raise ValueError(build_message(f"{name}: {len(lengths)} lengths, but ndim={ndim}"))
    return lengths


def unravel_index(
    indices: Any, dims: Any = None, order: str = "C", ndim: int | None = None, shape: Any = None
) -> Any:
    """Return the position along each axis for flat indices of elements.

    Parameters
    ----------
    indices
        Integer array of any shape: flat indices of elements.
    dims
        Shape of the array: integers, symbolic or not, or an integer vector.
    order
        Order of the flat indices: ``C`` or ``F`` (Fortran).
    ndim
        Length of ``dims``, if it is a vector of unknown length.
    shape
        NumPy's name of ``dims``.

    Returns
    -------
    tuple of int64 arrays
        One array per axis, in the shape of ``indices``.

    Raises
    ------
    ValueError
        In a call, if an index is outside the array.

    Examples
    --------
    >>> [i.eval().tolist() for i in unravel_index([1, 5], (2, 3))]
    [[0, 1], [1, 2]]
    """
    if (dims is None) == (shape is None):
        raise TypeError(build_message("unravel_index takes dims or shape, one of the two"))
    lengths = _lengths("unravel_index", shape if dims is None else dims, ndim, order)
    rest = cast(integers("unravel_index", indices), "int64")
    if not lengths and rest.ndim:
        raise ValueError(build_message("unravel_index: a 0-d array has one element", rest))
    inside = all_(scalar.and_(rest >= 0, rest < dims_product(lengths)))
    rest = required(rest, inside, "unravel_index: an index is outside the array")
    coordinates = []
    for length in lengths[::-1] if order == "C" else lengths:
        coordinates.append(rest % length)
        rest = rest // length
    return tuple(coordinates[::-1] if order == "C" else coordinates)


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Tensor:
    """Return the flat indices of elements for their positions along each axis.

    Parameters
    ----------
    multi_index
        An integer array for each axis.
    dims, order
        As for :func:`unravel_index`.
    mode
        What to do about positions outside an axis: ``raise``, ``wrap`` or ``clip``; or one mode per
        axis.

    Raises
    ------
    ValueError
        In a call, if a position is outside its axis and the mode is ``raise``, or if the axis is
        empty.

    Examples
    --------
    >>> ravel_multi_index(([0, 1], [1, 2]), (2, 3)).eval().tolist()
    [1, 5]
    """
    if isinstance(multi_index, Variable):
        table = as_tensor_variable(multi_index)
        count = table.type.shape[0]
        if count is None:
            raise ValueError(
                build_message("ravel_multi_index: the number of axes is not known", table)
            )
        multi_index = [table[axis] for axis in range(count)]
    lengths = _lengths("ravel_multi_index", dims, len(multi_index), order)
    modes = [mode] * len(lengths) if isinstance(mode, str) else list(mode)
    if len(modes) != len(lengths):
        raise ValueError(
            build_message(f"ravel_multi_index: {len(modes)} modes for {len(lengths)} axes")
        )
    name = "ravel_multi_index"
    arrays = broadcast_all(name, [cast(integers(name, item), "int64") for item in multi_index])
    parts = [
        _fitted(name, array, length, kind)
        for array, length, kind in zip(arrays, lengths, modes, strict=True)
    ]
    possible = fits_array([dim_value(length) for length in lengths])
    if possible is not True:
        parts[0] = required(parts[0], possible, f"{name}: no array can have this shape")
    pairs = list(zip(parts, lengths, strict=True))
    total: Any = None
    for part, length in pairs if order == "C" else pairs[::-1]:
        total = part if total is None else total * length + part
    result: Tensor = total
    return result


def _fitted(name: str, indices: Any, length: Any, mode: str) -> Any:
    """Map positions into an axis according to a mode."""
    if mode == "raise":
        inside = all_(scalar.and_(indices >= 0, indices < length))
        return required(indices, inside, f"{name}: a position is outside its axis")
    if mode not in ("wrap", "clip"):
        raise ValueError(build_message(f"{name}: mode {mode!r} is not one of raise, wrap, clip"))
    length = dim_value(length)
    if not isinstance(length, int) or length == 0:
        possible = scalar.or_(as_dim(length) > 0, scalar.eq(as_dim(indices.size), 0))
        indices = required(indices, possible, f"{name}: an empty axis has no positions")
    return indices % length if mode == "wrap" else scalar.clip(indices, 0, length - 1)


# -- choices ------------------------------------------------------------------------------------


def choose(a: Any, choices: TensorLike, out: Any = None, mode: str = "raise") -> Tensor:
    """Return an array whose elements are chosen from several arrays by an array of integers.

    Parameters
    ----------
    a
        Integer array.
    choices
        A list of arrays, or one array with the choices along its first axis. The choices and ``a``
        are broadcast along axes of length 1, even if the length is only known in a call.
    out
        Only None.
    mode
        What to do about integers that select no choice: ``raise``, ``wrap`` or ``clip``.

    Raises
    ------
    ValueError
        In a call with such an integer, if the mode is ``raise``.

    Examples
    --------
    >>> choose([1, 0], [[1, 2], [3, 4]]).eval().tolist()
    [3, 2]
    """
    if out is not None:
        raise NotImplementedError(build_message("choose: out is not supported; use the result"))
    a = cast(integers("choose", a), "int64")
    if isinstance(choices, list | tuple):
        items = [as_tensor_variable(item) for item in choices]
        if not items:
            raise ValueError(build_message("choose: there are no choices", a))
        a, *items = broadcast_all("choose", [a, *items])
        number = _fitted("choose", a, len(items), mode)
        chosen = items[-1]
        for k in reversed(range(len(items) - 1)):
            chosen = scalar.switch(scalar.eq(number, k), items[k], chosen)
        return alloc(chosen, *broadcast_shape(a, chosen)) if len(items) == 1 else chosen
    table = as_tensor_variable(choices)
    if table.ndim == 0:
        raise ValueError(build_message("choose: choices must have at least one dim", table))
    ndim = max(a.ndim, table.ndim - 1)
    a = as_tensor_variable(a, ndim=ndim)
    count, *own = shape_of(table)
    own = [1] * (ndim - len(own)) + own
    joint = [joint_length(pair) for pair in zip(shape_of(a), own, strict=True)]
    a = broadcast_in_call("choose", a, joint)
    table = broadcast_in_call("choose", table, [count, *joint[ndim - table.ndim + 1 :]])
    key: list[Any] = [_fitted("choose", a, count, mode)]
    for axis, length in enumerate(shape_of(table)[1:], start=ndim - table.ndim + 1):
        place: list[Any] = ["x"] * ndim
        place[axis] = 0
        key.append(arange(length).dimshuffle(*place))
    return table[tuple(key)]
