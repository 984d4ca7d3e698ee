"""Sorting along an axis: sort, argsort, the largest items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation import arange
from symtheano.tensor.elemwise import TensorOp
from symtheano.tensor.messages import build_message
from symtheano.tensor.positions import put_along_axis, take_along_axis
from symtheano.tensor.reduce import normalize_axis
from symtheano.tensor.routine import call_routine, count_rows
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View

KINDS = ("quicksort", "mergesort", "heapsort", "stable")


class Ordered(TensorOp):
    """What sorting and its positions share: the last axis is sorted, stably, NaN last."""

    __props__ = ()
    may_fail = True

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The operand's shape."""
        (x,) = inputs
        if x.ndim == 0:
            raise ValueError(build_message(f"{self}: a number has no axis to sort along", x))
        return [TensorType(self.result_dtype(x.dtype), x.type.shape)]

    def result_dtype(self, dtype: str) -> str:
        """Return the result's dtype."""
        return dtype

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The operand's shape."""
        return [shapes[0]]

    def accepts(self, number: int, view: View) -> bool:
        """Rows are sorted where their items follow each other."""
        return view.is_contiguous()

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Sort the last axis of each."""
        return [self(batch.inputs[0])]


class Sort(Ordered):
    """The last axis in ascending order."""

    overwrites = 0

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        output_storage[0][0] = np.sort(inputs[0], axis=-1, kind="stable")

    def accepts(self, number: int, view: View) -> bool:
        """Whatever there is is copied to the result, and sorted there."""
        return True

    def lower(
        self, b: Builder, node: Apply, inputs: list[View], outputs: list[View], scalars: list[Index]
    ) -> None:
        """Sort each row of the result, which holds what is to be sorted."""
        (y,) = outputs
        n = y.shape[-1]
        call_routine(b, "sort", count_rows(y), n, y.address, room=(n, y.dtype))

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Give each item the gradient of the place it came to."""
        (x,) = inputs
        if not dtypes.is_continuous(x.dtype):
            return [None]
        return [put_along_axis(x.zeros_like(), ArgSort()(x), output_grads[0], -1)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Bring the direction into the same order."""
        if eval_points[0] is None:
            return [None]
        return [take_along_axis(eval_points[0], ArgSort()(inputs[0]), -1)]


class ArgSort(Ordered):
    """For each place of the sorted last axis where its item came from; int64."""

    def result_dtype(self, dtype: str) -> str:
        """Return int64."""
        return "int64"

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        output_storage[0][0] = np.argsort(inputs[0], axis=-1, kind="stable").astype("int64")

    def lower(
        self, b: Builder, node: Apply, inputs: list[View], outputs: list[View], scalars: list[Index]
    ) -> None:
        """Sort pairs of item and position."""
        (x,), (order,) = inputs, outputs
        n = x.shape[-1]
        given = (count_rows(x), n, x.address, order.address)
        call_routine(b, "argsort", *given, room=(n * 4, "int64"))

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Positions are not smooth."""
        return [None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Positions are not smooth."""
        return [None]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Positions are not smooth."""
        return [[False]]


def _prepared(name: str, a: Any, axis: int | None, kind: str | None, order: Any) -> tuple[Any, int]:
    """Return the array and the axis along which it is sorted, arguments checked."""
    if kind is not None and kind not in KINDS:
        raise ValueError(
            build_message(f"{name}: kind {kind!r} is none of {', '.join(KINDS)}; all are stable")
        )
    if order is not None:
        raise ValueError(build_message(f"{name}: order={order!r}, but there are no named fields"))
    a = as_tensor_variable(a)
    if axis is None:
        return a.flatten(), 0
    if not isinstance(axis, int):
        raise NotImplementedError(
            build_message(f"{name}: the axis is a number that is known", hint="use swapaxes first")
        )
    if a.ndim == 0:
        raise ValueError(build_message(f"{name}: a number has no axis to sort along", a))
    return a, normalize_axis(axis, a.ndim)[0]


def sort(a: Any, axis: int | None = -1, kind: str | None = None, order: Any = None) -> Any:
    """Return the items along ``axis`` in ascending order, NaN last.

    Parameters
    ----------
    a
        Array of any dtype; complex numbers are ordered by real part, then imaginary part.
    axis
        The axis; None sorts the flat array.
    kind
        Any of NumPy's names; the order is stable with each.
    order
        Only None: symbolic arrays have no named fields.

    Examples
    --------
    >>> sort([[3, 1, 2]]).eval().tolist()
    [[1, 2, 3]]
    """
    a, position = _prepared("sort", a, axis, kind, order)
    return Sort()(a.swapaxes(position, -1)).swapaxes(position, -1)


def argsort(a: Any, axis: int | None = -1, kind: str | None = None, order: Any = None) -> Any:
    """Return the positions that sort the items along ``axis``; arguments as for :func:`sort`.

    Equal items keep their order.

    Examples
    --------
    >>> argsort([3, 1, 2]).eval().tolist()
    [1, 2, 0]
    """
    a, position = _prepared("argsort", a, axis, kind, order)
    return ArgSort()(a.swapaxes(position, -1)).swapaxes(position, -1)


# -- the largest --------------------------------------------------------------------------------


def topk_and_argtopk(
    x: Any, kth: Any, axis: int | None = -1, sorted: bool = True, idx_dtype: Any = "int64"
) -> list[Any]:
    """Return the largest or smallest items along ``axis``, and their positions.

    Parameters
    ----------
    x
        Array of any dtype; NaN counts as largest.
    kth
        How many: ``k`` for the largest, ``-k`` for the smallest. A 0-d integer, symbolic or not.
    axis
        The axis; None takes from the flat array.
    sorted
        Whether their order matters; they always come in order, the most extreme first.
    idx_dtype
        Integer dtype of the positions.

    Returns
    -------
    list
        Values and positions. Gradients pass through the values.

    Raises
    ------
    ValueError
        If ``kth`` is 0, or there are fewer items.

    Examples
    --------
    >>> [item.eval().tolist() for item in topk_and_argtopk([3, 9, 5], 2)]
    [[9, 5], [1, 2]]
    """
    x, position = _prepared("topk", x, axis, None, None)
    if dtypes.canonical(idx_dtype) not in dtypes.INTEGER:
        raise TypeError(build_message(f"topk: positions have no dtype {idx_dtype}", x))
    order = argsort(x, position)
    chosen = _extremes(x, kth, x.shape[position])
    where = order[(*[slice(None)] * position, chosen)]
    return [take_along_axis(x, where, position), cast(where, idx_dtype)]


def _extremes(x: Any, kth: Any, length: Any) -> Any:
    """Return the places in a sorted axis that hold the ``kth`` extremes."""
    from symtheano.tensor.assertion import required

    if isinstance(kth, int | np.integer):
        if kth == 0:
            raise ValueError(build_message("topk: kth is 0", x, hint="use 1 for the largest item"))
        count: Any = abs(int(kth))
        condition = scalar.le(count, length)
    else:
        kth = as_tensor_variable(kth)
        if kth.ndim or kth.dtype not in dtypes.INTEGER:
            raise TypeError(build_message("topk: kth is a 0-d integer, and this is not", kth))
        kth = cast(kth, "int64")
        count = scalar.abs(kth)
        condition = scalar.and_(scalar.le(count, length), scalar.neq(kth, 0))
    length = required(length, condition, "topk: kth is 0, or asks for more items than there are")
    places = arange(count)
    if isinstance(kth, int | np.integer):
        return length - 1 - places if kth > 0 else places + cast(length, "int64") * 0
    return scalar.switch(kth > 0, length - 1 - places, places)


def topk(
    x: Any, kth: Any, axis: int | None = -1, sorted: bool = True, idx_dtype: Any = "int64"
) -> Any:
    """Return the largest or smallest items along ``axis``; see :func:`topk_and_argtopk`.

    Examples
    --------
    >>> topk([3, 9, 5], 2).eval().tolist(), topk([3, 9, 5], -2).eval().tolist()
    ([9, 5], [3, 5])
    """
    return topk_and_argtopk(x, kth, axis, sorted, idx_dtype)[0]


def argtopk(
    x: Any, kth: Any, axis: int | None = -1, sorted: bool = True, idx_dtype: Any = "int64"
) -> Any:
    """Return where the largest or smallest items are; see :func:`topk_and_argtopk`.

    Examples
    --------
    >>> argtopk([3, 9, 5], 1).eval().tolist()
    [1]
    """
    return topk_and_argtopk(x, kth, axis, sorted, idx_dtype)[1]
