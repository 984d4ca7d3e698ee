"""Joining arrays along an axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import AxisError, ShapeError, describe_value
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply, Variable
from symtheano.keywords import explained
from symtheano.lowering import Parts
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.checks import check_axes, one_axis
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.axis_numbers import axis_number
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS, most
from symtheano.tensor.shapes.shape import joined_length
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View
    from symtheano.loopir.operands import Operand


class Join(Op):
    """Concatenation of arrays with the same number of dimensions along an axis.

    Attributes
    ----------
    axis
        The axis, not negative.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("axis",)
    takes = "**..."

    def __init__(self, axis: int) -> None:
        self.axis = one_axis("axis", axis)

    def make_node(self, *inputs: Any) -> Apply:
        """Promote to one dtype."""
        arrays = [as_tensor_variable(item) for item in inputs]
        if len({array.ndim for array in arrays}) != 1:
            raise TypeError(
                build_message(
                    "join: the arrays have different numbers of dims: "
                    f"{', '.join(str(array.ndim) for array in arrays)}",
                    *arrays,
                )
            )
        dtype = dtypes.upcast(*(array.dtype for array in arrays))
        arrays = [cast(array, dtype) for array in arrays]
        return Apply(self, arrays, self.infer(*arrays))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Add the lengths along the axis, merge the others."""
        check_axes(self, inputs[0], [self.axis])
        shape: list[int | None] = []
        for axis in range(inputs[0].ndim):
            dims = [item.type.shape[axis] for item in inputs]
            if axis == self.axis:
                shape.append(None if None in dims else sum(dims))
                continue
            lengths = {dim for dim in dims if dim is not None}
            if len(lengths) > 1:
                raise ShapeError(
                    build_message(f"join: different lengths along axis {axis}", *inputs)
                )
            shape.append(lengths.pop() if lengths else None)
        return [TensorType(inputs[0].dtype, shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Add the lengths along the axis."""
        total: Any = 0
        for shape in shapes:
            first = isinstance(total, int) and total == 0
            total = shape[self.axis] if first else total + shape[self.axis]
        static = node.outputs[0].type.shape
        dims = [total if axis == self.axis else dim for axis, dim in enumerate(shapes[0])]
        return [
            tuple(
                dim if length is None else length for length, dim in zip(static, dims, strict=True)
            )
        ]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Along every other axis the lengths are equal; their sum does not overflow."""
        requirements: list[Requirement] = []
        added = [shape[self.axis] for shape in shapes]
        if sum(map(most, added)) > MOST_ELEMENTS:
            message = partial(_too_long, node)
            total = joined_length(added)
            condition = scalar.le(total, float(MOST_ELEMENTS))
            requirements.append(
                Requirement(condition, tuple(added[:8]), message, error=MemoryError)
            )
        for axis in range(node.outputs[0].ndim):
            for number, shape in enumerate(shapes[1:], 1):
                if axis != self.axis:
                    message = partial(_message, node, axis, number)
                    requirements += same_length(shapes[0][axis], shape[axis], message)
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        for number, array in enumerate(inputs[1:], 1):
            for axis in range(array.ndim):
                if axis != self.axis and array.shape[axis] != inputs[0].shape[axis]:
                    lengths = [inputs[0].shape[axis], array.shape[axis]]
                    raise ShapeError(_message(node, axis, number, lengths))
        lengths = [array.shape[self.axis] for array in inputs]
        if sum(lengths) > MOST_ELEMENTS:
            raise MemoryError(_too_long(node, lengths))
        output_storage[0][0] = np.concatenate(inputs, axis=self.axis)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient of each array is a slice."""
        (g,) = output_grads
        grads, start = [], 0
        for array in inputs:
            stop = start + array.shape[self.axis]
            part = g[(*[slice(None)] * self.axis, slice(start, stop))]
            grads.append(part)
            start = stop
        return grads

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Join the directions."""
        points = [
            item.zeros_like() if point is None else point
            for item, point in zip(inputs, eval_points, strict=True)
        ]
        return [self(*points)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [Join(self.axis + batch.ndim)(*map(batch.full, range(len(batch.inputs))))]

    def put_inputs(self, node: Apply) -> Sequence[int]:
        """Return the inputs that are stored into a part: all."""
        return range(len(node.inputs))

    def parts(
        self, whole: View, scalars: Sequence[Index], shapes: Sequence[Sequence[Index]]
    ) -> dict[int, View]:
        """Return the part of each array, one after the other."""
        start: Index | int = 0
        views = {}
        for number, shape in enumerate(shapes):
            views[number] = whole.sliced(self.axis, start, shape[self.axis], 1)
            start = start + shape[self.axis]
        return views

    def put(
        self, b: Builder, target: View, place: Sequence[Index], value: Operand, before: View
    ) -> None:
        """Set an element."""
        b.store(target, place, value)

    lowering = Parts(put, parts, put_inputs, shown_inputs=put_inputs)


def _too_long(node: Apply, values: Sequence[int]) -> str:
    lengths = " + ".join(map(str, values)) + (" + ..." if len(values) < len(node.inputs) else "")
    return call_message(f"join: an axis of length {lengths} is too long", node, *node.inputs)


def _message(node: Apply, axis: int, number: int, values: Sequence[int]) -> str:
    first, other = node.inputs[0], node.inputs[number]
    return call_message(
        f"join: different lengths along axis {axis}: {values[0]} and {values[1]}",
        node,
        first,
        other,
    )


def join(axis: int, *tensors_list: Any) -> Tensor:
    """Return the concatenation of arrays along ``axis``.

    Examples
    --------
    >>> join(1, [[1], [2]], [[3], [4]]).eval().tolist()
    [[1, 3], [2, 4]]
    """
    arrays = [as_tensor_variable(item) for item in tensors_list]
    if not arrays:
        raise ValueError(build_message("join: there are no arrays to join"))
    axis = axis_number(axis)
    if len(arrays) == 1:
        return arrays[0]
    if all(array.ndim == 0 for array in arrays):
        raise TypeError(
            build_message("join: numbers have no axis to join", *arrays, hint="use stack")
        )
    if not -arrays[0].ndim <= axis < arrays[0].ndim:
        raise AxisError(
            build_message(f"join: axis {axis} is out of range for {arrays[0].ndim} dims", *arrays)
        )
    return Join(axis % arrays[0].ndim)(*arrays)


@explained({"dim": "axis"})
def concatenate(tensor_list: Sequence[Any], axis: int = 0) -> Tensor:
    """Return the concatenation of arrays along ``axis``.

    Examples
    --------
    >>> concatenate([[1, 2], [3]]).eval().tolist()
    [1, 2, 3]
    """
    if not isinstance(tensor_list, list | tuple):
        raise TypeError(build_message("concatenate takes a list or tuple of arrays"))
    return join(axis, *tensor_list)


concat = concatenate


@explained({"dim": "axis"})
def stack(tensors: Any, axis: Any = 0, *more: Any) -> Tensor:
    """Stack arrays of the same shape along a new axis.

    Theano's older form, ``stack(a, b, c)``, is also accepted. It stacks along a new first axis.

    Examples
    --------
    >>> T.stack([T.vector("a"), T.vector("b")]).type
    TensorType(float64, (2, ?))
    """
    from symtheano.tensor.shapes.axes import expand_dims
    from symtheano.tensor.shapes.axis_numbers import normalize_axis
    from symtheano.tensor.shapes.shape import MakeVector

    single = isinstance(tensors, Variable)
    if more or (single and (tensors.type.ndim == 0 or not isinstance(axis, int | np.integer))):
        tensors, axis = (tensors, axis, *more), 0
    if not hasattr(tensors, "__iter__"):
        hint = "give a list of arrays: stack([x, y])"
        raise TypeError(build_message(f"stack: got {describe_value(tensors)}", hint=hint))
    arrays = [as_tensor_variable(item) for item in tensors]
    if not arrays:
        raise ValueError(build_message("stack: nothing to stack"))
    axis = axis_number(axis)
    if all(array.ndim == 0 for array in arrays) and axis in (0, -1):
        return MakeVector(dtypes.upcast(*(array.dtype for array in arrays)))(*arrays)
    (position,) = normalize_axis(axis, arrays[0].ndim + 1)
    return join(position, *(expand_dims(array, position) for array in arrays))


# -- stacks -------------------------------------------------------------------------------------


def stacklists(arg: TensorLike) -> Tensor:
    """Return nested lists or tuples of variables as one array; each level becomes an axis.

    Examples
    --------
    >>> a, b = T.scalars("a", "b")
    >>> stacklists([[a, b], [b, a]]).eval({a: 1.0, b: 2.0}).tolist()
    [[1.0, 2.0], [2.0, 1.0]]
    """
    if isinstance(arg, list | tuple):
        return stack([stacklists(item) for item in arg])
    return as_tensor_variable(arg)


def _joined_matrices(name: str, axis: int, arrays: Sequence[Any]) -> Tensor:
    matrices = [as_tensor_variable(item) for item in arrays]
    if len(matrices) < 2 or any(item.ndim != 2 for item in matrices):
        raise ValueError(build_message(f"{name} takes two or more matrices", *matrices))
    return join(axis, *matrices)


def horizontal_stack(*args: Any) -> Tensor:
    """Return matrices side by side.

    Examples
    --------
    >>> horizontal_stack([[1], [2]], [[3], [4]]).eval().tolist()
    [[1, 3], [2, 4]]
    """
    return _joined_matrices("horizontal_stack", 1, args)


def vertical_stack(*args: Any) -> Tensor:
    """Return matrices one below the other.

    Examples
    --------
    >>> vertical_stack([[1, 2]], [[3, 4]]).eval().tolist()
    [[1, 2], [3, 4]]
    """
    return _joined_matrices("vertical_stack", 0, args)


# -- and apart ----------------------------------------------------------------------------------


def split(x: Any, splits_size: Any, n_splits: int, axis: int = 0) -> list[Tensor]:
    """Split an array into pieces along an axis.

    Parameters
    ----------
    x
        Array of at least one dim.
    splits_size
        Length of each piece: integers, symbolic or not, or an integer vector.
    n_splits
        Number of pieces.
    axis
        The axis.

    Raises
    ------
    ValueError
        If the number of lengths is not ``n_splits``. In a call, if a length is negative, or the sum
        of the lengths is not the length of the axis.

    Examples
    --------
    >>> [part.eval().tolist() for part in split([1, 2, 3], [1, 2], 2)]
    [[1], [2, 3]]
    """
    from symtheano.tensor.assertion import required
    from symtheano.tensor.shapes.shape import as_dims

    x = as_tensor_variable(x)
    axis = axis_number(axis)
    if not -x.ndim <= axis < x.ndim:
        raise AxisError(build_message(f"split: axis {axis} is out of range for {x.ndim} dims", x))
    position = axis % x.ndim
    if isinstance(splits_size, np.ndarray):
        splits_size = splits_size.tolist()
    sizes_type = getattr(splits_size, "type", None)
    if sizes_type is not None and sizes_type.dtype not in dtypes.INTEGER:
        raise TypeError(build_message("split: lengths must be integers", splits_size))
    if sizes_type is not None and sizes_type.shape == (None,):
        same = scalar.eq(splits_size.shape[0], n_splits)
        message = f"split: the number of lengths is not n_splits={n_splits}"
        splits_size = required(splits_size, same, message)
        sizes = [cast(splits_size[k], "int64") for k in range(n_splits)]
    else:
        sizes = as_dims(splits_size)
    if len(sizes) != n_splits:
        raise ValueError(build_message(f"split: {len(sizes)} lengths, but n_splits={n_splits}", x))
    total = sizes[0] if sizes else as_tensor_variable(0)
    for size in sizes[1:]:
        total = total + size
    x = required(
        x,
        scalar.eq(total, x.shape[position]),
        f"split: the lengths do not add up to that of axis {position}",
    )
    parts, start = [], cast(as_tensor_variable(0), "int64")
    for size in sizes:
        size = required(size, size >= 0, "split: a length is negative")
        parts.append(x[(*[slice(None)] * position, slice(start, start + size))])
        start = start + size
    return parts


class Split:
    """Theano's form of :func:`split`: constructed with the number of pieces, then called."""

    def __init__(self, len_splits: int) -> None:
        self.len_splits = len_splits

    def __call__(self, x: Any, axis: Any, splits: Any) -> list[Any]:
        """Return the pieces of ``x``."""
        return split(x, splits, self.len_splits, axis)
