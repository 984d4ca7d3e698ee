"""Indexing by integers and slices: the ops that extract, set and increment parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import BoundsError, ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import IndexMap, Parts
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.checks import check_axes
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.indexing.geometry import (
    known_bound,
    minimum,
    slice_geometry,
    static_length,
    unpack,
    wrap,
)
from symtheano.tensor.indexing.keys import Pattern
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.shape import dim_value
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View
    from symtheano.loopir.operands import Operand


# The part of a pattern for an axis that is selected as a whole.
_WHOLE = (False, False, False)


class Indexed:
    """Common part of extracting, setting and incrementing: the pattern.

    The 0-d int64 inputs after the arrays are, for each axis, the integer or the given values of
    start, stop and step.
    """

    __call__: Callable[..., Tensor]
    __props__: tuple[str, ...] = ("pattern",)
    takes = "**..."
    arrays = 1

    def __init__(self, pattern: Pattern) -> None:
        for item in pattern:
            if item is not None and [type(part) for part in item] != [bool] * 3:
                raise ValueError(build_message(f"the pattern of a part has no item {item!r}"))
        self.pattern = pattern

    def items(self, node: Apply) -> Iterator[tuple[int, Any]]:
        """Yield (axis, integer variable) or (axis, (start, stop, step)), with None if absent."""
        return unpack(self.pattern, node.inputs[self.arrays :])

    def geometry(self, node: Apply, dims: Sequence[Any]) -> list[tuple[Any, Any, Any]]:
        """Return (first, length, step) of each axis; the length of an integer's axis is None."""
        result: list[tuple[Any, Any, Any]] = []
        for axis, item in self.items(node):
            if isinstance(item, tuple):
                start, stop, step = (known_bound(part) for part in item)
                result.append(slice_geometry(start, stop, step, dims[axis]))
            else:
                result.append((wrap(dim_value(item), dims[axis]), None, None))
        return result

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return first, length and step of each axis; for an integer's axis its position."""
        flat: list[Any] = []
        for first, length, step in self.geometry(node, shapes[0]):
            flat.extend([first] if length is None else [first, length, step])
        return flat

    def part(self, whole: View, scalars: Sequence[Index]) -> View:
        """Return the selected part of an array as a view."""
        values, axis, view = iter(scalars), 0, whole
        for item in self.pattern:
            if item is None:
                view = view.item(axis, next(values))
            else:
                view = view.sliced(axis, next(values), next(values), next(values))
                axis += 1
        return view

    def bounds(self, node: Apply, dims: Sequence[Any]) -> list[Requirement]:
        """Integers are within their axis, and steps are not zero."""
        requirements = []
        for axis, item in self.items(node):
            if isinstance(item, tuple):
                step = known_bound(item[2])
                if step is not None and not isinstance(step, int):
                    message = partial(step_message, node, axis)
                    requirements.append(Requirement(scalar.neq(step, 0), (), message, code="value"))
            else:
                position = dim_value(item)
                is_static = isinstance(position, int) and isinstance(dims[axis], int)
                inside: Any = (
                    -dims[axis] <= position < dims[axis]
                    if is_static
                    else scalar.and_(
                        as_tensor_variable(scalar.ge(position, -dims[axis])),
                        as_tensor_variable(scalar.lt(position, dims[axis])),
                    )
                )
                requirements.append(
                    Requirement(
                        condition=inside,
                        values=(position, dims[axis]),
                        message=partial(bounds_message, node, axis),
                        code="index",
                    )
                )
        return requirements

    def numpy_key(self, node: Apply, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the key for NumPy's indexing, bounds checked."""
        key: list[Any] = []
        for axis, item in unpack(self.pattern, values[self.arrays :]):
            if isinstance(item, tuple):
                if item[2] is not None and int(item[2]) == 0:
                    raise ValueError(step_message(node, axis, []))
                key.append(slice(*(None if part is None else int(part) for part in item)))
            else:
                length = values[0].shape[axis]
                if not -length <= int(item) < length:
                    raise BoundsError(bounds_message(node, axis, [int(item), length]))
                key.append(int(item))
        return tuple(key)

    def __str__(self) -> str:
        text = []
        for item in self.pattern:
            if item is None:
                text.append("int64")
            else:
                start, stop, step = ("int64" if is_present else "" for is_present in item)
                text.append(f"{start}:{stop}:{step}")
        return f"{type(self).__name__}{{{', '.join(text)}}}"


class Subtensor(Indexed, Op):
    """A part of an array selected by integers and slices; always a view."""

    differentiable_inputs = 1

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the static lengths that follow from known bounds."""
        x, shape = inputs[0], []
        wanted = sum(1 if item is None else sum(item) for item in self.pattern)
        if len(inputs) - 1 != wanted or any(n.ndim or n.dtype != "int64" for n in inputs[1:]):
            raise TypeError(build_message(f"{self}: {wanted} 0-d int64 for the bounds", *inputs))
        check_axes(self, x, range(len(self.pattern)))
        for axis, item in unpack(self.pattern, inputs[1:]):
            if isinstance(item, tuple):
                shape.append(static_length(item, x.type.shape[axis]))
        return [TensorType(x.dtype, [*shape, *x.type.shape[len(self.pattern) :]])]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the lengths of the slices and the untouched axes."""
        lengths = [n for _, n, _ in self.geometry(node, shapes[0]) if n is not None]
        dims = [*lengths, *shapes[0][len(self.pattern) :]]
        static = node.outputs[0].type.shape
        return [
            tuple(
                dim if length is None else length for length, dim in zip(static, dims, strict=True)
            )
        ]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Integers are within their axis."""
        return self.bounds(node, shapes[0])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.asarray(inputs[0][self.numpy_key(node, inputs)])

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Set the part to the gradient, in an array of zeros."""
        x, *bounds = inputs
        whole = IncSubtensor(self.pattern, False)(x.zeros_like(), output_grads[0], *bounds)
        return [whole, *[None] * len(bounds)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Extract the same part of the direction."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Select the same part of all items, or first by slices and then by integers of items."""
        n, (x, *bounds) = batch.ndim, batch.inputs
        if not any(batch.batched[1:]):
            return [Subtensor((*[_WHOLE] * n, *self.pattern))(x, *bounds)]
        pattern: list[Any] = []
        plain: list[Any] = []
        chosen: list[tuple[int, Any]] = []
        batched = dict(zip(map(id, node.inputs), batch.batched, strict=True))
        new, kept = iter(bounds), 0
        for _, item in self.items(node):
            parts = [p for p in (item if isinstance(item, tuple) else (item,)) if p is not None]
            values = [next(new) for _ in parts]
            if not any(batched[id(part)] for part in parts):
                pattern.append(self.pattern[len(pattern)])
                plain += values
            elif isinstance(item, tuple):
                batch.refuse(node, "slices would differ in length")
            else:
                pattern.append(_WHOLE)
                chosen.append((kept, values[0]))
            kept += pattern[-1] is not None
        front = n if batch.batched[0] else 0
        part = Subtensor((*[_WHOLE] * front, *pattern))(x, *plain)
        taken = [front + axis for axis, _ in chosen]
        rest = [axis for axis in range(front, part.ndim) if axis not in taken]
        part = part.dimshuffle(*range(front), *taken, *rest)
        return [batch.gathered(part, [item for _, item in chosen], 0)]

    @partial(IndexMap, scalars=Indexed.scalars)
    def lowering(
        self, node: Apply, operand: View, scalars: list[Index], shape: Sequence[Index]
    ) -> View:
        """Return the part as an index map over the operand's buffer."""
        return self.part(operand, scalars)


def linear_in_both(op: Op, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
    """The directions of an op that is linear in the whole and the value, its first inputs."""
    points = [
        item.zeros_like() if point is None else point
        for item, point in zip(inputs[:2], eval_points[:2], strict=True)
    ]
    return [op(*points, *inputs[2:])]


class Change:
    """Common part of ops that set or increment a part of an array.

    Inputs are the whole array, the value, and the specification of the part.
    """

    arrays = 2
    set_instead_of_inc: bool
    R_op = linear_in_both
    differentiable_inputs: int | None = 2

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def put(
        self, b: Builder, target: View, place: Sequence[Index], value: Operand, before: View
    ) -> None:
        """Set one element of an array, or increment the one that was there before."""
        new = value
        if not self.set_instead_of_inc:
            new = b.let("add", target.dtype, [b.load(before, place), value])
        b.store(target, place, new)


class IncSubtensor(Change, Indexed, Op):
    """An array with a part set to, or incremented by, another array."""

    __props__ = ("pattern", "set_instead_of_inc")

    def __init__(self, pattern: Pattern, set_instead_of_inc: bool) -> None:
        super().__init__(pattern)
        self.set_instead_of_inc = set_instead_of_inc

    def make_node(self, *inputs: Any) -> Apply:
        """Convert the value to the dtype and number of dimensions of the part."""
        x, y, *bounds = (as_tensor_variable(item) for item in inputs)
        part = Subtensor(self.pattern).infer(x, *bounds)[0]
        y = converted(y, x.dtype)
        if y.ndim > part.ndim:
            raise ShapeError(
                build_message(
                    f"{_change(self)}: a part of {part.ndim} dims can't take a value of {y.ndim}",
                    x,
                    y,
                )
            )
        y = as_tensor_variable(y, ndim=part.ndim)
        return Apply(self, [x, y, *bounds], [TensorType(x.dtype, x.type.shape)])

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Integers are within their axis, and the value has the shape of the part."""
        requirements = self.bounds(node, shapes[0])
        lengths = [n for _, n, _ in self.geometry(node, shapes[0]) if n is not None]
        part = [*lengths, *shapes[0][len(self.pattern) :]]
        for axis, (mine, wanted) in enumerate(zip(shapes[1], part, strict=True)):
            if node.inputs[1].type.shape[axis] != 1:
                requirements += same_length(mine, wanted, partial(part_message, node, axis))
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, y = inputs[:2]
        key = self.numpy_key(node, inputs)
        result = x.copy()
        part = result[key]
        for axis, (mine, wanted) in enumerate(zip(y.shape, np.shape(part), strict=True)):
            if mine != wanted and node.inputs[1].type.shape[axis] != 1:
                raise ShapeError(part_message(node, axis, [mine, wanted]))
        with np.errstate(all="ignore"):
            result[key] = y if self.set_instead_of_inc else part + y
        output_storage[0][0] = result

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The value has the gradient of the part; overwritten elements have none."""
        from symtheano.tensor.elemwise import fit_grad

        _, y, *bounds = inputs
        (g,) = output_grads
        part = Subtensor(self.pattern)(g, *bounds)
        left = g
        if self.set_instead_of_inc:
            left = IncSubtensor(self.pattern, True)(g, y.zeros_like(), *bounds)
        return [left, fit_grad(part, y), *[None] * len(bounds)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        x, (_, y, *bounds) = batch.full(0), batch.inputs
        if not any(batch.batched[2:]):
            pattern = (*[_WHOLE] * batch.ndim, *self.pattern)
            return [IncSubtensor(pattern, self.set_instead_of_inc)(x, y, *bounds)]
        if any(item is not None for item in self.pattern):
            batch.refuse(node, "only integers may differ from item to item")
        return [batch.changed(x, y, 0, self.set_instead_of_inc)]

    def put_inputs(self, node: Apply) -> Sequence[int]:
        """Return which input is stored into the part: the value, unless it may be broadcast."""
        return () if 1 in node.inputs[1].type.shape else (1,)

    def shown_inputs(self, node: Apply) -> Sequence[int]:
        """Return the value, if it is all of the result but for edges."""
        whole = self.set_instead_of_inc and self.leaves_edges(node)
        return self.put_inputs(node) if whole else ()

    def parts(
        self, whole: View, scalars: Sequence[Index], shapes: Sequence[Sequence[Index]]
    ) -> dict[int, View]:
        """Return the destination of the value."""
        return {1: self.part(whole, scalars)}

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return first, length and step of each axis; then how many elements precede the part."""
        flat = super().scalars(node, shapes)
        if not self.leaves_edges(node):
            return flat
        for axis, (first, _, _) in enumerate(self.geometry(node, shapes[0])):
            flat.append(first and minimum(first, shapes[0][axis]))
        return flat

    def kept(self, node: Apply, whole: View, scalars: Sequence[Index]) -> list[View]:
        """Return what is beside the part of an array that is put, if it is only the edges."""
        edges: list[View] = []
        if not self.leaves_edges(node):
            return edges
        for axis, _ in enumerate(self.pattern):
            length, before = scalars[3 * axis + 1], scalars[3 * len(self.pattern) + axis]
            behind = before + length
            edges.append(whole.sliced(axis, 0, before, 1))
            edges.append(whole.sliced(axis, behind, whole.shape[axis] - behind, 1))
            whole = whole.sliced(axis, before, length, 1)
        return [part for part in edges if all(dim.constant != 0 for dim in part.shape)]

    def leaves_edges(self, node: Apply) -> bool:
        """Return whether all is known to be put but a few elements at the ends of axes."""
        return all(_leaves_edges(item) for _, item in self.items(node))

    lowering = Parts(
        Change.put, parts, put_inputs, shown_inputs, kept, leaves_edges, scalars, overwrites=0
    )

    def __str__(self) -> str:
        kind = "Set" if self.set_instead_of_inc else "Inc"
        return super().__str__().replace("{", f"{{{kind};", 1)


_WIDEST_EDGE = 8


def _leaves_edges(item: Any) -> bool:
    """Return whether a slice is known to leave out only a few elements at both ends."""
    if not isinstance(item, tuple):
        return False
    start, stop, step = (known_bound(part) for part in item)
    first = 0 if start is None else start
    last = 0 if stop is None else stop
    return bool(
        step in (None, 1)
        and isinstance(first, int) and 0 <= first <= _WIDEST_EDGE
        and isinstance(last, int) and -_WIDEST_EDGE <= last <= 0
        and (stop is None or last < 0)
    )  # fmt: skip


def converted(value: Any, dtype: str) -> Any:
    """Return a value in the dtype of the array into which it is stored.

    As in Theano, floats are rounded to narrower floats, and integers wrap to narrower integers.

    Raises
    ------
    TypeError
        If floats are to become integers, complex numbers real ones, or a constant integer one
        that can't hold it.
    """
    fits = np.can_cast(value.dtype, dtype, "same_kind")
    if dtypes.is_discrete(value.dtype):
        is_constant = isinstance(value, Constant)
        integers = value.dtype in dtypes.INTEGER and dtype in dtypes.INTEGER
        fits = bool(_converts(value.data, dtype)) if is_constant else integers or fits
    elif not fits and isinstance(value, Constant):
        fits = bool(_converts(value.data, dtype))
    if not fits:
        raise TypeError(
            build_message(
                f"set_subtensor or inc_subtensor: an array of {dtype} can't take values of "
                f"{value.dtype}",
                value,
                hint="cast one of them",
            )
        )
    return cast(value, dtype)


def _converts(data: Any, dtype: str) -> bool:
    if dtypes.is_complex(data.dtype.name) and not dtypes.is_complex(dtype):
        return False
    return np.array_equal(data, dtypes.convert(data, dtype), equal_nan=data.dtype.kind in "fc")


def bounds_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for an integer outside its axis."""
    return call_message(
        f"indexing: {values[0]} is outside axis {axis} of length {values[1]}",
        node,
        node.inputs[0],
    )


def step_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for a slice whose step is zero in a call."""
    return call_message(
        f"indexing: the step of a slice of axis {axis} is zero", node, node.inputs[0]
    )


def part_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for a value whose shape does not match the part."""
    return call_message(
        f"{_change(node.op)}: a value of length {values[0]} along axis {axis} does not fit a part "
        f"of length {values[1]}",
        node,
        *node.inputs[:2],
    )


def _change(op: Any) -> str:
    return "set_subtensor" if op.set_instead_of_inc else "inc_subtensor"


# -- x[key] -------------------------------------------------------------------------------------
