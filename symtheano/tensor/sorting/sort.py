"""Sorting along an axis: sort, argsort, lexsort, partition, the largest items."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import NotScalarConstantError
from symtheano.graph.variable import Variable
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.constant_values import get_scalar_constant_value
from symtheano.tensor.indexing.positions import take_along_axis
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.reduce import all as all_
from symtheano.tensor.shapes.axis_numbers import axis_number, normalize_axis
from symtheano.tensor.shapes.shape import dim_value
from symtheano.tensor.sorting.ordering import ArgSort, ArgTop, Sort

KINDS = ("quicksort", "mergesort", "heapsort", "stable")


def prepared(name: str, a: Any, axis: Any, kind: str | None, order: Any) -> tuple[Any, int]:
    """Return the array and the axis along which it is sorted, after checking the arguments."""
    if kind is not None and kind not in KINDS:
        raise ValueError(
            build_message(f"{name}: kind {kind!r} is not one of {', '.join(KINDS)}; all are stable")
        )
    if order is not None:
        raise ValueError(build_message(f"{name}: order={order!r}, but there are no named fields"))
    a = as_tensor_variable(a)
    if axis is None:
        return a.flatten(), 0
    if a.ndim == 0:
        raise ValueError(build_message(f"{name}: a 0-d array has no axis to sort along", a))
    return a, normalize_axis(_known_axis(name, a, axis), a.ndim)[0]


def _known_axis(name: str, a: Any, axis: Any) -> int:
    """Return an axis that has to be known when the graph is built."""
    try:
        return axis_number(axis)
    except TypeError:
        if not isinstance(axis, Variable):
            raise
        raise NotImplementedError(
            build_message(
                f"{name}: the axis must be an integer that is known when the graph is built",
                a,
                axis,
                hint="build one graph for each axis, and choose one by switch()",
            )
        ) from None


def _is_open(a: Any, axis: Any) -> bool:
    """Return whether only a call knows along which axis an array is sorted."""
    if not isinstance(axis, Variable) or axis.type.ndim or as_tensor_variable(a).ndim == 0:
        return False
    try:
        get_scalar_constant_value(axis)
    except NotScalarConstantError:
        return True
    return False


def _along_any(name: str, function: Any, a: TensorLike, axis: Any, *options: Any) -> Tensor:
    """Return what a function gives along an axis that only a call knows: one of all."""
    a, place = as_tensor_variable(a), cast(axis, "int64")
    inside = scalar.and_(scalar.ge(place, -a.ndim), scalar.lt(place, a.ndim))
    place = required(place, inside, f"{name}: the axis is out of range for {a.ndim} dims")
    place = scalar.switch(scalar.lt(place, 0), place + a.ndim, place)
    result = function(a, 0, *options)
    for k in range(1, a.ndim):
        result = scalar.switch(scalar.eq(place, k), function(a, k, *options), result)
    chosen: Tensor = result
    return chosen


def sort(a: Any, axis: Any = -1, kind: str | None = None, order: Any = None) -> Tensor:
    """Return the items along ``axis`` in ascending order, with NaN at the end.

    Parameters
    ----------
    a
        Array of any dtype; complex numbers are ordered by real part, then imaginary part.
    axis
        The axis; None sorts the flattened array. If it is a 0-d variable, the array is sorted along
        each axis, and a call chooses one of the results.
    kind
        Any of NumPy's names; sorting is always stable.
    order
        Must be None; symbolic arrays have no named fields.

    Examples
    --------
    >>> sort([[3, 1, 2]]).eval().tolist()
    [[1, 2, 3]]
    """
    if _is_open(a, axis):
        return _along_any("sort", sort, a, axis, kind, order)
    a, position = prepared("sort", a, axis, kind, order)
    ordered: Tensor = Sort()(a.swapaxes(position, -1)).swapaxes(position, -1)
    return ordered


def argsort(a: Any, axis: Any = -1, kind: str | None = None, order: Any = None) -> Tensor:
    """Return the positions that sort the items along ``axis``; arguments as for :func:`sort`.

    Equal items keep their order.

    Examples
    --------
    >>> argsort([3, 1, 2]).eval().tolist()
    [1, 2, 0]
    """
    if _is_open(a, axis):
        return _along_any("argsort", argsort, a, axis, kind, order)
    a, position = prepared("argsort", a, axis, kind, order)
    positions: Tensor = ArgSort()(a.swapaxes(position, -1)).swapaxes(position, -1)
    return positions


def lexsort(keys: TensorLike, axis: Any = -1) -> Tensor:
    """Return the positions that sort by several keys; the last key is the primary one.

    Parameters
    ----------
    keys
        Sequence of arrays of one shape, or an array whose first length is known.
    axis
        The axis along which each key is sorted.

    Raises
    ------
    TypeError
        If the number of keys is not known.
    ValueError
        If there are none.

    Examples
    --------
    >>> lexsort([[1, 2, 1], [5, 4, 4]]).eval().tolist()
    [2, 1, 0]
    """
    if not isinstance(keys, list | tuple):
        keys = as_tensor_variable(keys)
        count = keys.type.shape[0] if keys.ndim else None
        if count is None:
            raise TypeError(
                build_message("lexsort: the number of keys is not known", keys, hint="pass a list")
            )
        keys = [keys[number] for number in range(count)]
    if not keys:
        raise ValueError(build_message("lexsort: there are no keys"))
    first, *others = [as_tensor_variable(key) for key in keys]
    first, position = prepared("lexsort", first, axis, None, None)
    positions = argsort(first, position)
    for key in others:
        if key.ndim != first.ndim:
            raise ValueError(
                build_message("lexsort: the keys must have the same number of dims", first, key)
            )
        again = argsort(take_along_axis(key, positions, position), position)
        positions = take_along_axis(positions, again, position)
    return positions


# -- partitions ---------------------------------------------------------------------------------


def partition(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Tensor:
    """Return the items along ``axis`` partitioned around position ``kth``, with NaN at the end.

    In NumPy, the order of the items on each side is undefined. Here, all items are sorted.

    Parameters
    ----------
    a
        Array of any dtype.
    kth
        An integer, symbolic or not, or a sequence of integers. Negative integers count from the
        end.
    axis
        The axis; None uses the flattened array.
    kind
        Must be ``"introselect"``, NumPy's name of its algorithm.
    order
        Must be None; symbolic arrays have no named fields.

    Raises
    ------
    ValueError
        In a call, if there is no position ``kth``.

    Examples
    --------
    >>> partition([3, 1, 2], 1).eval().tolist()
    [1, 2, 3]
    """
    a, position = _partitioned("partition", a, kth, axis, kind, order)
    return sort(a, position)


def argpartition(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Tensor:
    """Return the positions of a :func:`partition` of the items, with the same arguments.

    Examples
    --------
    >>> argpartition([3, 1, 2], 1).eval().tolist()
    [1, 2, 0]
    """
    a, position = _partitioned("argpartition", a, kth, axis, kind, order)
    return argsort(a, position)


def _partitioned(name: str, a: Any, kth: Any, axis: Any, kind: str, order: Any) -> tuple[Any, int]:
    """Return the array, with a check in calls that position ``kth`` exists, and the axis."""
    if kind != "introselect":
        raise ValueError(build_message(f"{name}: kind {kind!r} is not introselect"))
    a, position = prepared(name, a, axis, None, order)
    places = as_tensor_variable(kth)
    if places.dtype not in dtypes.INTEGER or places.ndim > 1:
        raise TypeError(
            build_message(f"{name}: kth must be an integer or a vector of integers", places)
        )
    length = cast(a.shape[position], "int64")
    places = cast(places, "int64")
    there = all_(scalar.and_(scalar.le(-length, places), scalar.lt(places, length)))
    return required(a, there, f"{name}: kth is out of bounds"), position


# -- the largest --------------------------------------------------------------------------------


def topk_and_argtopk(
    x: Any, kth: Any, axis: Any = -1, sorted: bool = True, idx_dtype: Any = "int64"
) -> list[Tensor]:
    """Return the largest or smallest items along ``axis``, and their positions.

    Parameters
    ----------
    x
        Array of any dtype; NaN is the largest value.
    kth
        Number of items: ``k`` for the largest, ``-k`` for the smallest. A 0-d integer, symbolic or
        not.
    axis
        The axis; None uses the flattened array.
    sorted
        Accepted; the items are always sorted, with the most extreme one first.
    idx_dtype
        Integer dtype of the positions.

    Returns
    -------
    list
        Values and positions. The values have gradients.

    Raises
    ------
    ValueError
        If ``kth`` is 0 or exceeds the number of items.

    Examples
    --------
    >>> [item.eval().tolist() for item in topk_and_argtopk([3, 9, 5], 2)]
    [[9, 5], [1, 2]]
    """
    x, position = prepared("topk", x, axis, None, None)
    if dtypes.canonical(idx_dtype) not in dtypes.INTEGER:
        raise TypeError(build_message(f"topk: idx_dtype {idx_dtype} is not an integer dtype", x))
    where = ArgTop()(x.swapaxes(position, -1), _how_many(x, kth)).swapaxes(position, -1)
    return [take_along_axis(x, where, position), cast(where, idx_dtype)]


def _how_many(x: Any, kth: Any) -> Any:
    """Return ``kth`` as 0-d int64."""
    kth = constant(int(kth), dtype="int64") if isinstance(kth, int | np.integer) else kth
    kth = as_tensor_variable(kth)
    if kth.ndim or kth.dtype not in dtypes.INTEGER:
        raise TypeError(build_message("topk: kth must be a 0-d integer", kth))
    if dim_value(kth) == 0:
        raise ValueError(build_message("topk: kth is 0", x, hint="use 1 for the largest item"))
    return cast(kth, "int64")


def topk(x: Any, kth: Any, axis: Any = -1, sorted: bool = True, idx_dtype: Any = "int64") -> Tensor:
    """Return the largest or smallest items along ``axis``; see :func:`topk_and_argtopk`.

    Examples
    --------
    >>> topk([3, 9, 5], 2).eval().tolist(), topk([3, 9, 5], -2).eval().tolist()
    ([9, 5], [3, 5])
    """
    return topk_and_argtopk(x, kth, axis, sorted, idx_dtype)[0]


def argtopk(
    x: Any, kth: Any, axis: Any = -1, sorted: bool = True, idx_dtype: Any = "int64"
) -> Tensor:
    """Return the positions of the largest or smallest items; see :func:`topk_and_argtopk`.

    Examples
    --------
    >>> argtopk([3, 9, 5], 1).eval().tolist()
    [1]
    """
    return topk_and_argtopk(x, kth, axis, sorted, idx_dtype)[1]
