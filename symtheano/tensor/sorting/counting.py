"""Counting and searching: bincount, searchsorted, digitize, one-hot rows, interpolation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.errors import ArgumentError, ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.checks import one_of
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.indexing.positions import integers
from symtheano.tensor.indexing.subtensor import set_subtensor
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.reductions.reduce import all as all_, max as max_, min as min_
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS
from symtheano.tensor.shapes.shape import as_dim, as_dims, dim_value, dims_product, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays
    from symtheano.loopir.operands import Operand


class Bincount(Op):
    """Counts of numbers; inputs are an int64 vector, a 0-d minimum length, optional weights.

    With weights, the result is the sum of the weights for each number.
    """

    __call__: Callable[..., Tensor]
    __props__ = ()
    takes = "l1 l0 *1?"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a vector of counts, or of the dtype of the weights."""
        return [TensorType(inputs[2].dtype if len(inputs) > 2 else "int64", (None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The largest number plus one, or the minimum length if that is larger."""
        numbers, least = node.inputs[:2]
        return [(scalar.maximum(max_(numbers, initial=-1) + 1, least),)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """No number is negative, and there is a weight for each."""
        requirements = [
            Requirement(
                all_(scalar.ge(node.inputs[0], 0)), (), partial(_negative, node), code="value"
            ),
            Requirement(
                scalar.ge(node.inputs[1], 0), (), partial(_negative_length, node), code="value"
            ),
            _countable(node, max_(node.inputs[0], initial=-1)),
        ]
        if len(node.inputs) > 2:
            requirements += same_length(shapes[2][0], shapes[0][0], partial(_weights, node))
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy, weights added up in their own dtype."""
        numbers, least = inputs[0], int(inputs[1])
        if (numbers < 0).any():
            raise ValueError(_negative(node, []))
        if least < 0:
            raise ValueError(_negative_length(node, []))
        _countable(node, int(numbers.max(initial=-1))).enforce()
        if len(inputs) < 3:
            output_storage[0][0] = np.bincount(numbers, minlength=least).astype("int64")
            return
        if len(inputs[2]) != len(numbers):
            raise ShapeError(_weights(node, [len(inputs[2]), len(numbers)]))
        result = np.zeros(max(numbers.max(initial=-1) + 1, least), inputs[2].dtype)
        np.add.at(result, numbers, inputs[2])
        output_storage[0][0] = result

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient of each weight is that of its sum."""
        if len(inputs) < 3:
            return [None, None]
        smooth = dtypes.is_continuous(inputs[2].dtype)
        return [None, None, output_grads[0][inputs[0]] if smooth else None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Linear in the weights."""
        if len(inputs) < 3 or eval_points[2] is None:
            return [None]
        return [self(*inputs[:2], eval_points[2])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        numbers, least = batch.inputs[:2]
        count = dim_value(least)
        if batch.batched[1]:
            batch.refuse(node, "its length would differ from item to item")
        if not batch.batched[0]:
            (count,) = shape_of(self(numbers, least))
        elif isinstance(count, int) and count == 0:
            batch.refuse(node, "the largest number of each item decides its length; give minlength")
        else:
            inside = scalar.and_(scalar.ge(numbers, 0), scalar.lt(numbers, least))
            what = "vectorize: bincount: a number of the batch is negative or not below minlength"
            batch.inputs[0] = required(numbers, all_(inside), what)
        # The items are counted together, each in its own range.
        shifts = batch.items() * as_dim(count)
        places = (batch.full(0) + shifts.dimshuffle(*batch.front(), "x")).flatten()
        weights = [batch.full(2).flatten()] if len(batch.inputs) > 2 else []
        total = as_dim(dims_product((*batch.shape, count)))
        return [self(places, total, *weights).reshape(as_dims((*batch.shape, count)))]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Only the weights have a gradient."""
        return [[False], [False], [True]][: len(node.inputs)]

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Set the counts to zero, then add the numbers one after the other."""
        (target,) = arrays.outputs
        nothing, once = (np.asarray(n, target.dtype).item() for n in (0, 1))
        with b.nest(target.shape) as place:
            b.store(target, place, b.literal(nothing, target.dtype))
        with b.loop("i", arrays.inputs[0].shape[0]) as i:
            bin_ = b.as_index(b.load(arrays.inputs[0], [i]))
            more: Operand = b.literal(once, target.dtype)
            if len(arrays.inputs) > 2:
                more = b.load(arrays.inputs[2], [i])
            count = b.let("add", target.dtype, [b.load(target, [bin_]), more])
            b.store(target, [bin_], count)


def _countable(node: Apply, largest: Any) -> Requirement:
    """Require that the length of the counts is a possible one."""
    message = partial(_too_many, node)
    return Requirement(largest < MOST_ELEMENTS, (largest,), message, error=MemoryError)


def _too_many(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"bincount: the largest number is {values[0]}, so there would be {values[0] + 1} counts",
        node,
        node.inputs[0],
    )


def _negative(node: Apply, values: Sequence[int]) -> str:
    return call_message("bincount: a number is negative", node, node.inputs[0])


def _negative_length(node: Apply, values: Sequence[int]) -> str:
    return call_message("bincount: minlength is negative", node, node.inputs[1])


def _weights(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"bincount: {values[0]} weights for {values[1]} numbers", node, *node.inputs
    )


def bincount(
    x: TensorLike, weights: Any = None, minlength: Any = None, assert_nonneg: bool = False
) -> Tensor:
    """Return the number of occurrences of each non-negative integer.

    Parameters
    ----------
    x
        Vector of integers or bool.
    weights
        Vector with a weight for each element. If given, the result has sums of weights, in the
        dtype of the weights (in NumPy, it is always float64).
    minlength
        Minimum length of the result, which is otherwise the largest number plus one.
    assert_nonneg
        Accepted for compatibility with Theano; negative numbers are always an error.

    Raises
    ------
    ValueError
        In a call, if an integer is negative, or the number of weights is not the number of
        elements.

    Examples
    --------
    >>> bincount([1, 1, 3]).eval().tolist()
    [0, 2, 0, 1]
    """
    x = as_tensor_variable(x)
    if x.ndim != 1 or x.dtype not in dtypes.DISCRETE:
        raise TypeError(build_message("bincount takes a vector of integers", x))
    operands = [cast(x, "int64"), as_dim(0 if minlength is None else minlength)]
    if weights is not None:
        weights = as_tensor_variable(weights)
        if weights.ndim != 1:
            raise TypeError(build_message("bincount: the weights must be a vector", weights))
        operands.append(weights)
    return Bincount()(*operands)


# -- looking up ---------------------------------------------------------------------------------


class SearchSorted(Op):
    """Insertion points of values in a sorted vector; inputs of one dtype, int64 result.

    Attributes
    ----------
    side
        ``left``: before equal elements; ``right``: after them. NaN is sorted to the end.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("side",)
    takes = "r1 r*"
    differentiable_inputs = 0

    def __init__(self, side: str) -> None:
        self.side = one_of("side", side, "left", "right")

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [TensorType("int64", inputs[1].type.shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[1]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        positions = np.searchsorted(inputs[0], inputs[1], self.side)
        output_storage[0][0] = np.asarray(positions, "int64")

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Search all values in the same vector."""
        if batch.batched[0]:
            return super().vectorize(node, batch)
        return [self(batch.inputs[0], batch.inputs[1])]

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Search each value, from the position of the one before, because values may be sorted."""
        from symtheano.tensor.sorting.search import search_each

        vector, values = arrays.inputs
        search_each(b, vector, values, arrays.outputs[0], self.side == "left")


def searchsorted(x: TensorLike, v: TensorLike, side: str = "left", sorter: Any = None) -> Tensor:
    """Return the positions where values can be inserted into a sorted vector.

    Parameters
    ----------
    x
        Vector in ascending order, with NaN at the end. The order is not checked.
    v
        Array of values.
    side
        ``left`` for the first possible position, ``right`` for the last one.
    sorter
        Integer vector of positions that sort ``x``; needed if ``x`` is not sorted.

    Returns
    -------
    int64 array
        Positions between 0 and the length of ``x``, in the shape of ``v``.

    Examples
    --------
    >>> searchsorted([1, 2, 3], [2, 9]).eval().tolist()
    [1, 3]
    """
    if side not in ("left", "right"):
        raise ValueError(build_message(f"searchsorted: side {side!r} is neither left nor right"))
    x, v = as_tensor_variable(x), as_tensor_variable(v)
    if x.ndim != 1:
        raise ValueError(build_message(f"searchsorted takes a sorted vector, not {x.ndim} dims", x))
    if dtypes.is_complex(x.dtype) or dtypes.is_complex(v.dtype):
        raise TypeError(build_message("searchsorted: complex numbers have no order", x, v))
    if sorter is not None:
        sorter = as_tensor_variable(sorter)
        if sorter.ndim != 1 or sorter.dtype not in dtypes.INTEGER:
            message = "searchsorted: sorter must be a vector of integers"
            raise ArgumentError(build_message(message, sorter))
        x = x[sorter]
    common = dtypes.upcast(x.dtype, v.dtype)
    return SearchSorted(side)(cast(x, common), cast(v, common))


def digitize(x: TensorLike, bins: TensorLike, right: bool = False) -> Tensor:
    """Return the index of the bin that contains each value.

    Bin ``i`` is between ``bins[i - 1]`` and ``bins[i]``. Values outside of all bins have the
    indices 0 and ``len(bins)``.

    Parameters
    ----------
    x
        Array of values.
    bins
        Vector of edges, ascending or descending.
    right
        Whether a bin contains its right edge instead of its left edge.

    Examples
    --------
    >>> digitize([0.5, 1.0, 9.0], [0.0, 1.0, 2.0]).eval().tolist()
    [1, 2, 3]
    """
    x, bins = as_tensor_variable(x), as_tensor_variable(bins)
    if bins.ndim != 1:
        raise ValueError(build_message("digitize: the limits must be a vector", bins))
    side = "left" if right else "right"
    up = searchsorted(bins, x, side)
    down = bins.shape[0] - searchsorted(bins[::-1], x, side)
    ends = _ends(bins)
    return scalar.switch(scalar.le(*ends), up, down)


def _ends(vector: Any) -> tuple[Any, Any]:
    """Return the first and the last element, or zeros if there are none."""
    padded = zeros((vector.shape[0] + 1,), vector.dtype)
    padded = set_subtensor(padded[:-1], vector)
    return padded[0], padded[scalar.maximum(vector.shape[0] - 1, 0)]


def to_one_hot(y: Any, nb_class: Any, dtype: Any = None) -> Tensor:
    """Return a matrix with one row per label: 1 at the position of the label, 0 elsewhere.

    Parameters
    ----------
    y
        Integer vector of labels.
    nb_class
        Number of classes, the columns of the result.
    dtype
        floatX by default.

    Raises
    ------
    IndexError
        In a call, if a label is not a class.

    Examples
    --------
    >>> to_one_hot([1, 0], 3, "int8").eval().tolist()
    [[0, 1, 0], [1, 0, 0]]
    """
    y = integers("to_one_hot", y)
    if y.ndim != 1:
        raise ValueError(build_message("to_one_hot takes a vector of labels", y))
    rows = zeros((y.shape[0], nb_class), dtypes.canonical(dtype or config.floatX))
    return set_subtensor(rows[arange(y.shape[0]), y], 1)


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Tensor:
    """Return the linear interpolation of a function that is known at some points.

    Parameters
    ----------
    x
        Points at which to evaluate: array of any shape.
    xp, fp
        Vectors: points in ascending order, and the values at these points.
    left, right
        Values before the first point and after the last one; by default the values at these points.
    period
        Period of the function: a number, not 0. The points may then be in any order, and ``left``
        and ``right`` are ignored.

    Returns
    -------
    float array
        Values in the shape of ``x``. There are gradients for ``x``, ``xp`` and ``fp``.

    Raises
    ------
    ValueError
        In a call, if ``xp`` is empty, or the numbers of points and values differ.

    Examples
    --------
    >>> interp([0.5, 9.0], [0.0, 1.0], [10.0, 20.0]).eval().tolist()
    [15.0, 20.0]
    """
    x, xp, fp = (as_tensor_variable(item) for item in (x, xp, fp))
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError(build_message("interp: points and values must be vectors", xp, fp))
    common = dtypes.upgrade_to_float(dtypes.upcast(x.dtype, xp.dtype))
    x, xp = cast(x, common), cast(xp, common)
    fp = cast(fp, dtypes.upgrade_to_float(fp.dtype))
    same = scalar.eq(xp.shape[0], fp.shape[0])
    fp = required(fp, same, "interp: the number of values is not the number of points")
    some = scalar.gt(xp.shape[0], 0)
    x, xp, fp = (required(item, some, "interp: there are no points") for item in (x, xp, fp))
    if period is not None:
        x, xp, fp = _one_period(x, xp, fp, period)
        left = right = None
    last = xp.shape[0] - 1
    after = scalar.clip(searchsorted(xp, x, "right"), scalar.minimum(1, last), last)
    before = scalar.maximum(after - 1, 0)
    width = xp[after] - xp[before]
    flat = scalar.eq(width, 0)
    share = (x - xp[before]) / scalar.switch(flat, width.constant_like(1), width)
    interpolated = fp[before] + share * (fp[after] - fp[before])
    low = fp[0] if left is None else as_tensor_variable(left)
    high = fp[last] if right is None else as_tensor_variable(right)
    interpolated = scalar.switch(scalar.le(x, xp[0]), fp[0], interpolated)
    interpolated = scalar.switch(scalar.ge(x, xp[last]), fp[last], interpolated)
    interpolated = scalar.switch(scalar.lt(x, xp[0]), low, interpolated)
    return scalar.switch(scalar.gt(x, xp[last]), high, interpolated)


def _one_period(x: Any, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """Map points into one period, sorted, with one more point on each side."""
    from symtheano.tensor.shapes.join import join
    from symtheano.tensor.sorting.sort import argsort

    period = as_tensor_variable(period)
    if period.ndim:
        raise ValueError(build_message("interp: the period must be a number", period))
    period = required(period, scalar.neq(period, 0), "interp: the period is 0")
    period = scalar.abs(cast(period, xp.dtype))
    x, xp = x % period, xp % period
    order = argsort(xp)
    xp, fp = xp[order], fp[order]
    xp = join(0, xp[-1:] - period, xp, xp[:1] + period)
    return x, xp, join(0, fp[-1:], fp, fp[:1])


def histogram_counts(x: TensorLike, edges: TensorLike) -> Tensor:
    """Return the number of values between adjacent edges; the last edge is included.

    Parameters
    ----------
    x
        Array of values; those outside, and NaN, are not counted.
    edges
        Vector of at least two edges, in ascending order.

    Examples
    --------
    >>> histogram_counts([0.5, 1.0, 2.0, 9.0], [0.0, 1.0, 2.0]).eval().tolist()
    [1, 2]
    """
    x, edges = as_tensor_variable(x).flatten(), as_tensor_variable(edges)
    bins = edges.shape[0] - 1
    first, last = min_(edges), max_(edges)
    number = scalar.switch(scalar.eq(x, last), bins, searchsorted(edges, x, "right"))
    inside = scalar.and_(x >= first, x <= last)
    counted = scalar.switch(inside, number, 0)
    return bincount(counted, minlength=bins + 1)[1:]
