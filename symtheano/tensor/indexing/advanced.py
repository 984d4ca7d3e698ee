"""Indexing by integer arrays: gathers and scatters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import BoundsError, ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Element, Scatter
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.checks import check_axes, one_axis
from symtheano.tensor.elemwise import (
    broadcast_dim,
    broadcast_static,
    fit_grad,
    same_length,
)
from symtheano.tensor.indexing.call_broadcast import written
from symtheano.tensor.indexing.index_errors import (
    index_message,
    label_message,
    labels_message,
    value_message,
)
from symtheano.tensor.indexing.index_facts import (
    counter_of,
    distinct,
    known_elements,
    never_negative,
    positions_below,
    surely_inside,
    without_checks,
    without_shift,
)
from symtheano.tensor.indexing.joint_index import broadcast_indices
from symtheano.tensor.indexing.slices import Change, converted
from symtheano.tensor.messages import build_message, call_message, label
from symtheano.tensor.shapes.shape import as_dim, dim_value, dims_product, join_dims, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.operands import Operand


class Advanced:
    """Integer arrays for consecutive axes: the common part of gathers and scatters.

    Attributes
    ----------
    axis
        The first of the axes. There is one axis per index array. The index arrays are broadcast to
        one shape, which replaces the axes in the result.
    """

    __call__: Callable[..., Tensor]
    __props__: tuple[str, ...] = ("axis",)
    takes = "**..."
    arrays = 1

    def __init__(self, axis: int) -> None:
        self.axis = one_axis("axis", axis)

    def check(self, x: Any, arrays: Sequence[Any]) -> None:
        """Check that there are index arrays of integers, and an axis for each."""
        if not arrays or any(array.dtype not in dtypes.INTEGER for array in arrays):
            raise TypeError(build_message(f"{self}: the indices are integer arrays", x, *arrays))
        if len({array.ndim for array in arrays}) != 1:
            raise TypeError(
                build_message(f"{self}: the indices must have the same number of dims", x, *arrays)
            )
        check_axes(self, x, [self.axis + len(arrays) - 1])

    def indices_of(self, node: Apply) -> list[Any]:
        """Return the index arrays, all with the same number of dimensions."""
        return node.inputs[self.arrays :]

    def selected(self, node: Apply, shapes: list[Any]) -> tuple[Any, ...]:
        """Return the shape of the part which the arrays select."""
        arrays = self.indices_of(node)
        static = broadcast_static(str(self), arrays)
        joint = tuple(
            broadcast_dim(static[k], [(a.type.shape[k], s[k]) for a, s in
                                      zip(arrays, shapes[self.arrays :], strict=True)])
            for k in range(len(static))
        )  # fmt: skip
        whole = shapes[0]
        return (*whole[: self.axis], *joint, *whole[self.axis + len(arrays) :])

    def bounds(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Every index is within its axis, and the index arrays can be broadcast."""
        requirements = []
        for number, array in enumerate(self.indices_of(node)):
            length = shapes[0][self.axis + number]
            if surely_inside(array, length):
                continue
            requirements.append(
                Requirement(
                    condition=_inside_or_unused(array, length),
                    values=(length,),
                    message=partial(outside_message, node, number),
                    code="index",
                )
            )
        requirements.extend(_joint_requirements(self.indices_of(node), node, shapes[self.arrays :]))
        return requirements

    def positions(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, shape: Sequence[Index]
    ) -> list[Index]:
        """Return the position in the whole array of an element of the selected part."""
        from symtheano.loopir import Index

        arrays = self.indices_of(node)
        joint = index[self.axis : self.axis + arrays[0].ndim]
        chosen: list[Index] = []
        for number, array in enumerate(arrays):
            where = [
                Index.of(0) if array.type.shape[k] == 1 else position
                for k, position in enumerate(joint)
            ]
            chosen.append(self._one(b, array, read(self.arrays + number, where), shape, number))
        rest = index[self.axis + arrays[0].ndim :]
        return [*index[: self.axis], *chosen, *rest]

    def _one(
        self, b: Builder, array: Any, value: Operand, shape: Sequence[Index], number: int
    ) -> Index:
        position = b.cast(value, "int64")
        if array.dtype in dtypes.SIGNED and not never_negative(array):
            length = b.operand(shape[self.axis + number])
            negative = b.let("lt", "bool", [position, b.operand(0)])
            wrapped = b.let("add", "int64", [position, length])
            position = b.let("switch", "int64", [negative, wrapped, position])
        return b.as_index(position)

    def numpy_key(self, node: Apply, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the key for NumPy's indexing, bounds and shapes checked."""
        arrays = values[self.arrays :]
        for number, array in enumerate(arrays):
            length = values[0].shape[self.axis + number]
            if array.size and not (array.min() >= -length and array.max() < length):
                raise BoundsError(outside_message(node, number, [length]))
        for axis in range(arrays[0].ndim):
            lengths = [
                value.shape[axis]
                for item, value in zip(self.indices_of(node), arrays, strict=True)
                if item.type.shape[axis] != 1
            ]
            if len(set(lengths)) > 1:
                raise ShapeError(index_message(node, axis, lengths))
        return (*[slice(None)] * self.axis, *arrays)

    def __str__(self) -> str:
        return type(self).__name__ + ("1" if self.axis == 0 else f"{{axis={self.axis}}}")


class AdvancedSubtensor(Advanced, Op):
    """The elements of an array that integer arrays select."""

    differentiable_inputs = 1

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the static shape of the selected part."""
        x, *arrays = inputs
        self.check(x, arrays)
        joint = broadcast_static(str(self), arrays)
        after = x.type.shape[self.axis + len(arrays) :]
        return [TensorType(x.dtype, (*x.type.shape[: self.axis], *joint, *after))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [self.selected(node, shapes)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Return the requirements that all indices are in bounds."""
        return self.bounds(node, shapes)

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the lengths of the whole array, to which negative indices are relative."""
        return list(shapes[0])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.asarray(inputs[0][self.numpy_key(node, inputs)])

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Add the gradient of each element at its position."""
        x, *arrays = inputs
        op = AdvancedIncSubtensor(self.axis, False)
        return [op(x.zeros_like(), output_grads[0], *arrays), *[None] * len(arrays)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Select from the direction."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        if not any(batch.batched[1:]):
            return [AdvancedSubtensor(self.axis + batch.ndim)(*batch.inputs)]
        return [batch.gathered(batch.inputs[0], batch.aligned(1), self.axis)]

    @partial(Element, scalars=scalars)
    def lowering(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        """Read the element which the index arrays name."""
        return read(0, self.positions(b, node, index, read, scalars))


class AdvancedIncSubtensor(Change, Advanced, Op):
    """An array with the elements that integer arrays select incremented or set."""

    __props__ = ("axis", "set_instead_of_inc")

    def __init__(self, axis: int, set_instead_of_inc: bool) -> None:
        super().__init__(axis)
        self.set_instead_of_inc = set_instead_of_inc

    def make_node(self, *inputs: Any) -> Apply:
        """Convert the value to the dtype and number of dimensions of the part."""
        x, y, *arrays = (as_tensor_variable(item) for item in inputs)
        self.check(x, arrays)
        ndim = x.ndim - len(arrays) + arrays[0].ndim
        y = as_tensor_variable(converted(y, x.dtype), ndim=ndim)
        return Apply(self, [x, y, *arrays], [TensorType(x.dtype, x.type.shape)])

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Every index is within its axis, and the value has the shape of the selected part."""
        requirements = self.bounds(node, shapes)
        part = self.selected(node, shapes)
        for axis, (mine, wanted) in enumerate(zip(shapes[1], part, strict=True)):
            if node.inputs[1].type.shape[axis] != 1:
                requirements += same_length(mine, wanted, partial(value_message, node, axis))
        return requirements

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the shape of the part."""
        return list(self.selected(node, shapes))

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy's unbuffered add, which accumulates repeated indices."""
        x, y = inputs[:2]
        key = self.numpy_key(node, inputs)
        result = x.copy()
        for axis, (mine, wanted) in enumerate(zip(y.shape, result[key].shape, strict=True)):
            if mine != wanted and node.inputs[1].type.shape[axis] != 1:
                raise ShapeError(value_message(node, axis, [mine, wanted]))
        if self.set_instead_of_inc:
            result[key] = y
        else:
            with np.errstate(all="ignore"):
                np.add.at(result, key, y)
        output_storage[0][0] = result

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The value's gradient is the selected part, where the value is not overwritten."""
        x, y, *arrays = inputs
        (g,) = output_grads
        left, part = g, AdvancedSubtensor(self.axis)(g, *arrays)
        if self.set_instead_of_inc:
            left = self(g, y.zeros_like(), *arrays)
            if not distinct(arrays):
                stays = last_there(x, self.axis, arrays)
                behind = part.ndim - self.axis - stays.ndim
                stays = stays.dimshuffle(*["x"] * self.axis, *range(stays.ndim), *["x"] * behind)
                part = scalar.switch(stays, part, part.constant_like(0))
        return [left, fit_grad(part, y), *[None] * len(arrays)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        x, n, setting = batch.full(0), batch.ndim, self.set_instead_of_inc
        if not any(batch.batched[2:]):
            return [AdvancedIncSubtensor(self.axis + n, setting)(x, *batch.inputs[1:])]
        return [batch.changed(x, batch.aligned(1)[0], self.axis, setting)]

    def outer_axes(self, node: Apply) -> int:
        """Return the number of axes of the part that select the destinations of its rows."""
        return self.axis + int(node.inputs[2].ndim)

    def destination(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, shape: Sequence[Index]
    ) -> list[Index]:
        """Return the destination of a row of the part, given its index along the outer axes."""
        from symtheano.loopir import Index

        inner = node.inputs[1].ndim - len(index)
        padded = [*index, *[Index.of(0)] * inner]
        return self.positions(b, node, padded, read, shape)[: joint_end(self, node)]

    lowering = Scatter(Change.put, outer_axes, destination, scalars, overwrites=0)

    def __str__(self) -> str:
        kind = "set" if self.set_instead_of_inc else "inc"
        return super().__str__() + f"{{{kind}}}"


class CheckedIndex(Op):
    """Class labels, checked and made non-negative; rules replace gathers and scatters by it.

    Inputs are an integer vector, the length of the axis from which it selects, and the required
    number of labels (0-d int64). The result is int64.
    """

    __props__ = ()
    takes = "i1 l0 l0"
    differentiable_inputs = 0

    def infer(self, *inputs: Any) -> Sequence[Any]:
        array, _, count = inputs
        dim = dim_value(count)
        length = dim if isinstance(dim, int) else array.type.shape[0]
        return [TensorType("int64", (length,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The required number of labels."""
        return [join_dims(node.outputs[0], (node.inputs[2],))]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Every label is within the axis, and there is one for each row."""
        array, *rest = node.inputs
        length, count = (dim_value(item) for item in rest)
        requirements = [
            Requirement(
                condition=_inside_or_unused(array, length),
                values=(length,),
                message=partial(label_message, node),
                code="index",
            )
        ]
        return requirements + same_length(shapes[0][0], count, partial(labels_message, node))

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the length of the axis, to which negative labels are relative."""
        return [dim_value(node.inputs[1])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        array, length, count = inputs[0], int(inputs[1]), int(inputs[2])
        if array.shape[0] != count:
            raise ShapeError(labels_message(node, [array.shape[0], count]))
        if array.size and not (array.min() >= -length and array.max() < length):
            raise BoundsError(label_message(node, [length]))
        wide = array.astype("int64")
        output_storage[0][0] = np.where(wide < 0, wide + length, wide)

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        batch.needs_plain(node, 1)
        _, length, count = batch.inputs
        index = self(batch.full(0).flatten(), length, as_dim(dims_product((*batch.shape, count))))
        return [index.reshape((*batch.dims, count))]

    @partial(Element, scalars=scalars)
    def lowering(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        """Read one label as a non-negative number."""
        label = b.cast(read(0, index), "int64")
        if node.inputs[0].dtype not in dtypes.SIGNED:
            return label
        negative = b.let("lt", "bool", [label, b.operand(0)])
        wrapped = b.let("add", "int64", [label, b.operand(scalars[0])])
        return b.let("switch", "int64", [negative, wrapped, label])


checked_index = CheckedIndex()


def joint_end(op: Advanced, node: Apply) -> int:
    """Return the number of axes of the whole array up to the last indexed one."""
    return op.axis + len(op.indices_of(node))


def last_there(x: Any, axis: int, arrays: Sequence[Any]) -> Any:
    """Return for each indexed element whether it does not occur again later.

    Parameters
    ----------
    x
        The array that is indexed.
    axis
        The first of the indexed axes.
    arrays
        The index arrays; the result has their broadcast shape.
    """
    from symtheano.tensor.creation.filled import zeros
    from symtheano.tensor.creation.ranges import arange

    places = zeros(shape_of(x)[axis : axis + len(arrays)], "int64")
    dims = shape_of(AdvancedSubtensor(0)(places, *arrays))
    number = arange(dims_product(dims)).reshape(dims)
    last = AdvancedIncSubtensor(0, True)(places, number, *arrays)
    return scalar.eq(AdvancedSubtensor(0)(last, *arrays), number)


def _inside_or_unused(array: Any, length: Any) -> Any:
    """Return whether every index is within an axis, or the array is repeated zero times."""
    unrepeated = written(array)
    inside = _inside(unrepeated, length)
    if unrepeated is array:
        return inside
    unused = scalar.eq(as_dim(dims_product(shape_of(array))), 0)
    return scalar.or_(as_tensor_variable(inside), unused)


def _inside(array: Any, length: Any) -> Any:
    """Return whether every index is within an axis; of what is known, only the ends are tested."""
    elements = known_elements(array)
    if elements is not None and not elements.size:
        return as_tensor_variable(True)
    if elements is not None:
        length = as_tensor_variable(length)
        return scalar.and_(
            as_tensor_variable(scalar.ge(length, -int(elements.min()))),
            as_tensor_variable(scalar.gt(length, int(elements.max()))),
        )
    counter = counter_of(array)
    if counter is not None and never_negative(array) and counter.inputs[2].data.item() == 1:
        return scalar.le(as_tensor_variable(counter.inputs[1]), length)
    inside = _all_inside(array, length)
    limit = positions_below(array)
    if limit is None:
        return inside
    limit, length = (cast(as_tensor_variable(item), "int64") for item in (limit, length))
    return scalar.logical_or(as_tensor_variable(scalar.eq(limit, length)), inside)


def _all_inside(array: Any, length: Any) -> Any:
    """Return whether every index is within an axis, by comparing as few numbers as possible."""
    from symtheano.tensor.reductions.reduce import CAReduce, all as all_

    array = without_checks(array)  # so that equal conditions on one array are one
    if array.dtype not in dtypes.SIGNED:  # zero, the largest of no indices, is beyond an empty axis
        return all_(as_tensor_variable(scalar.lt(array, length)))
    # Extrema of integers take fewer operations in vectors than comparisons of every element.
    indices, shift = without_shift(array)
    axes, dtype = tuple(range(indices.ndim)), indices.dtype
    least, largest = (
        CAReduce(row, axes, dtype, dtype, True)(indices) if axes else indices
        for row in ("minimum", "maximum")
    )
    return scalar.and_(
        as_tensor_variable(scalar.ge(least, -length - shift)),
        as_tensor_variable(scalar.lt(largest, length - shift)),
    )


def _joint_requirements(
    arrays: Sequence[Any], node: Apply, shapes: Sequence[Any]
) -> list[Requirement]:
    requirements: list[Requirement] = []
    for axis in range(arrays[0].ndim):
        dims = tuple(
            shape[axis]
            for array, shape in zip(arrays, shapes, strict=True)
            if array.type.shape[axis] != 1
        )
        for other in dims[1:]:
            requirements += same_length(dims[0], other, partial(index_message, node, axis), dims)
    return requirements


def outside_message(node: Apply, number: int, values: Sequence[int]) -> str:
    """Return the message for an index array with an index outside its axis."""
    op = node.op
    assert isinstance(op, Advanced)
    array = written(op.indices_of(node)[number])
    return call_message(
        f"indexing: an index in {label(array)} is outside axis {op.axis + number} of length "
        f"{values[0]}",
        node,
        node.inputs[0],
        array,
    )


def take_at(x: Any, items: Sequence[tuple[int, Any]]) -> Any:
    """Return ``x`` indexed by integer arrays along consecutive axes.

    Parameters
    ----------
    items
        Pairs of (axis, integer array).
    """
    axes = [axis for axis, _ in items]
    arrays = [as_tensor_variable(array) for _, array in items]
    for array in arrays:
        if array.dtype not in dtypes.INTEGER:
            raise TypeError(
                build_message("indexing: an index array must have an integer dtype", array)
            )
    ndim = max(array.ndim for array in arrays)
    padded = [as_tensor_variable(array, ndim=ndim) for array in arrays]
    return AdvancedSubtensor(axes[0])(x, *broadcast_indices(padded))
