"""Broadcasting along axes that have length 1 only in a call.

Operations that declare it, such as indexing by several arrays and ``set_subtensor``, apply
:class:`BroadcastInCall` to their operands. Rules remove it where two lengths are known to be equal.
Where this is not known, compiled code chooses in each call between the operand's own memory and a
repeated copy, which is empty if the lengths are equal. The loops that read it are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Element, IndexMap, Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.elemwise import as_scalar, fit_grad
from symtheano.tensor.indexing.index_facts import positions_below
from symtheano.tensor.messages import build_message, call_message, label
from symtheano.tensor.shapes.shape import as_dims, dim_value, join_dims, shape_of, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays, View
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.operands import Operand


def _of_items(op: Op, node: Apply, batch: Any) -> list[Any]:
    """Return the outputs for a batch, whose lengths are in front of the op's own."""
    batch.needs_plain(node, 1)
    return [op(batch.full(0), *batch.dims, *batch.inputs[1:])]


class InCall(Op):
    """Common part of the ops of this module.

    Attributes
    ----------
    use
        The operation that uses the array, for messages: ``indexing``, ``set_subtensor``,
        ``choose``, …
    arrays
        Number of arrays among the inputs. After them come the lengths of the result (0-d int64).
    """

    __call__: Callable[..., Tensor]
    __props__: tuple[str, ...] = ("use",)
    arrays = 1

    def __init__(self, use: str) -> None:
        self.use = use

    def dims_of(self, node: Apply) -> list[Any]:
        """Return the lengths that are given."""
        return node.inputs[self.arrays :]

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type with the lengths that are known."""
        self.check(*inputs)
        return [TensorType(inputs[0].dtype, static_dims(inputs[self.arrays :]))]

    def check(self, *inputs: Any) -> None:
        """Check that there is a length for each axis."""
        if inputs[0].ndim != len(inputs) - self.arrays:
            raise ValueError(build_message(f"{self}: one length for each axis", inputs[0]))

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [join_dims(node.outputs[0], self.dims_of(node))]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Every length is that of the result, or 1."""
        requirements = []
        for axis, (mine, wanted) in enumerate(zip(shapes[0], self.dims_of(node), strict=True)):
            lengths = (mine, dim_value(wanted))
            fits = scalar.or_(_eq(mine, 1), _eq(*lengths))
            requirements.append(Requirement(fits, lengths, partial(length_message, node, axis)))
        return requirements

    def checked_shape(self, node: Apply, inputs: Sequence[Any]) -> tuple[int, ...]:
        """Return the lengths of the result; raise an error if the array does not fit."""
        shape = tuple(int(dim) for dim in inputs[self.arrays :])
        for axis, (mine, wanted) in enumerate(zip(inputs[0].shape, shape, strict=True)):
            if mine not in (1, wanted):
                raise ShapeError(length_message(node, axis, [mine, wanted]))
        return shape

    def positions_below(self, node: Apply, number: int) -> Any:
        """The elements are those of the array."""
        return positions_below(node.inputs[0])


class BroadcastInCall(InCall):
    """An array, repeated along axes where it has length 1 in a call."""

    takes = "** l0..."
    differentiable_inputs = 1

    vectorize = _of_items

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        shape = self.checked_shape(node, inputs)
        output_storage[0][0] = np.broadcast_to(inputs[0], shape).copy()

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Sum over the axes along which the array is repeated."""
        x, *dims = inputs
        g = sum_in_call(output_grads[0], *as_dims(shape_of(x)))
        return [fit_grad(g, x), *[None] * len(dims)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Repeat the direction."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return for each axis 0 if it is repeated, else 1."""
        return once(shapes[0], self.dims_of(node))

    @partial(Element, scalars=scalars)
    def lowering(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        """Read the element, or the only one along a repeated axis."""
        return read(0, [place * once for place, once in zip(index, scalars, strict=True)])

    def expanded(self, node: Apply) -> Tensor:
        """Return the choice between the array and its repeated copy."""
        x, *dims = node.inputs
        return Either(self.use)(x, Repeated(self.use)(x, *dims), *dims)


class Repeated(InCall):
    """The same, but empty where no axis is repeated; only made by :class:`BroadcastInCall`."""

    takes = "*1+ l0..."

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type; the first length may be zero."""
        self.check(*inputs)
        return [TensorType(inputs[0].dtype, (None, *static_dims(inputs[2:])))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The given lengths, or none along the first axis."""
        first, *others = (dim_value(dim) for dim in self.dims_of(node))
        fits = as_tensor_variable(_fits(shapes[0], self.dims_of(node)))
        return [(_none_if(fits, first), *others)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        shape = self.checked_shape(node, inputs)
        shown = inputs[0][:0] if inputs[0].shape == shape else np.broadcast_to(inputs[0], shape)
        output_storage[0][0] = shown.copy()

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return for each axis 0 if it is repeated, else 1."""
        return once(shapes[0], self.dims_of(node))

    @partial(Statements, scalars=scalars)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Copy with strides of zero."""
        source, target = arrays.inputs[0], arrays.outputs[0]
        strides = [stride * one for stride, one in zip(source.strides, arrays.scalars, strict=True)]
        arguments = (target.address, source.address, 1, target.ndim)
        b.call("repeat", *arguments, tuple(target.shape), tuple(strides))


class Either(InCall):
    """An array where it has the given lengths, else its alternative; a view of one of them.

    The alternative has these lengths where the array has others, and may be empty elsewhere:
    :class:`Repeated`, or the sum of :class:`SumInCall`.

    Attributes
    ----------
    checked
        Whether its lengths are compared in each call: in graphs from files, it may be any array.
    """

    __props__ = ("use", "checked")
    takes = "** ** l0..."
    arrays = 2

    def __init__(self, use: str, checked: bool = False) -> None:
        super().__init__(use)
        self.checked = checked

    def make_checked(self, *inputs: Any) -> Apply:
        """Compare the lengths of the alternative in each call, unless it is a repeated copy."""
        owner, wanted = inputs[1].owner, [inputs[0], *inputs[2:]]
        if owner is not None and isinstance(owner.op, Repeated) and owner.inputs == wanted:
            return self.make_node(*inputs)
        if inputs[0].dtype != inputs[1].dtype or inputs[0].ndim != inputs[1].ndim:
            raise ValueError(f"{self}: operands 0 and 1 are arrays of different types")
        return Either(self.use, checked=True).make_node(*inputs)

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The alternative has the lengths of the result, or the array has them."""
        if not self.checked:
            return []
        fits = as_tensor_variable(_fits(shapes[0], self.dims_of(node)))
        requirements = []
        for axis, (mine, dim) in enumerate(zip(shapes[1], self.dims_of(node), strict=True)):
            lengths = (mine, dim_value(dim))
            same = scalar.or_(fits, _eq(*lengths))
            requirements.append(Requirement(same, lengths, partial(self._message, axis)))
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        shape = tuple(int(dim) for dim in inputs[self.arrays :])
        shown = output_storage[0][0] = inputs[0] if inputs[0].shape == shape else inputs[1]
        for axis, lengths in enumerate(zip(shown.shape, shape, strict=True)):
            if lengths[0] != lengths[1]:
                raise ShapeError(self._message(axis, lengths))

    def _message(self, axis: int, lengths: Sequence[int]) -> str:
        mine, wanted = lengths
        return f"{self}: along axis {axis}, operand 1 has length {mine}, the result has {wanted}"

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return whether the first array is shown, as 1 or 0."""
        return [cast(_fits(shapes[0], self.dims_of(node)), "int64")]

    @partial(IndexMap, scalars=scalars, alternative=1)
    def lowering(
        self, node: Apply, operand: View, scalars: list[Index], shape: Sequence[Index]
    ) -> View:
        """Return the strides of the array that is shown, from its first element on."""
        from symtheano.loopir import Index, View

        whole = View.contiguous(operand.buffer, shape)
        if operand.is_contiguous():
            return whole
        mixed = [
            own + (stride - own) * scalars[0] if stride != own else own
            for stride, own in zip(operand.strides, whole.strides, strict=True)
        ]
        return View(operand.buffer, whole.shape, tuple(mixed), Index.of(0))


class SumInCall(Op):
    """An array, summed over axes where the given length is 1; the gradient of a broadcast.

    Inputs are the array and the lengths of the result (0-d int64).
    """

    __props__ = ()
    takes = "** l0..."
    differentiable_inputs = 1

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type with the lengths that are known."""
        return [TensorType(inputs[0].dtype, static_dims(inputs[1:]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [join_dims(node.outputs[0], node.inputs[1:])]

    vectorize = _of_items

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, shape = inputs[0], tuple(int(dim) for dim in inputs[1:])
        axes = tuple(k for k, wanted in enumerate(shape) if wanted != x.shape[k])
        output_storage[0][0] = np.asarray(x.sum(axis=axes, keepdims=True, dtype=x.dtype))

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Repeat the gradient along the axes of the sum."""
        x, *dims = inputs
        g = BroadcastInCall("sum")(output_grads[0], *as_dims(shape_of(x)))
        return [fit_grad(g, x), *[None] * len(dims)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Sum the direction."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def expanded(self, node: Apply) -> Tensor:
        """Return the choice between the array and its sum, which is empty where lengths are equal.

        The sum is a reduction over the repetitions along each axis, of which there is one where
        the lengths are equal.
        """
        x: Tensor = node.inputs[0]
        dims = node.inputs[1:]
        mine, wanted = shape_of(x), [dim_value(dim) for dim in dims]
        fits = as_tensor_variable(_fits(mine, dims))
        first, *others = wanted
        split: list[Any] = []
        for own, length, shown in zip(mine, wanted, [_none_if(fits, first), *others], strict=True):
            same = as_tensor_variable(_eq(own, length))
            split += [cast(scalar.switch(same, 1, own), "int64"), shown]
        items = x[: _none_if(fits, mine[0])].reshape(split)
        summed = items.sum(axis=list(range(0, len(split), 2)), dtype=x.dtype)
        return Either("sum")(x, summed, *dims)


sum_in_call = SumInCall()


def broadcast_in_call(use: str, x: Tensor, dims: Sequence[Any]) -> Tensor:
    """Return an array, repeated along axes where it has length 1 and others have not.

    Parameters
    ----------
    use
        See :class:`InCall`.
    x
        The array. Along axes of static length nothing is done.
    dims
        The length of each axis: ints, 0-d variables, or None for the array's own.
    """
    mine = shape_of(x)
    wanted = [
        own if isinstance(own, int) or dim is None or _is(dim, 1) else dim
        for own, dim in zip(mine, dims, strict=True)
    ]
    if all(own is dim for own, dim in zip(mine, wanted, strict=True)):
        return x
    return BroadcastInCall(use)(x, *as_dims(tuple(wanted)))


def once(mine: Sequence[Any], wanted: Sequence[Any]) -> list[Any]:
    """Return for each axis 0 if it is repeated to the wanted length, else 1; ints or int64."""
    return [
        1
        if mine_ is wanted_
        else cast(scalar.or_(scalar.neq(as_scalar(mine_), 1), _eq(mine_, wanted_)), "int64")
        for mine_, wanted_ in zip(mine, wanted, strict=True)
    ]


def broadcast_all(use: str, arrays: Sequence[Any]) -> list[Any]:
    """Return arrays of one number of dimensions and, along axes of unknown length, one shape."""
    ndim = max(array.ndim for array in arrays)
    padded = [as_tensor_variable(array, ndim=ndim) for array in arrays]
    joint = [joint_length(lengths) for lengths in zip(*map(shape_of, padded), strict=True)]
    return [broadcast_in_call(use, array, joint) for array in padded]


def joint_length(lengths: Sequence[Any]) -> Any:
    """Return the length to which arrays are repeated along an axis, given their lengths."""
    spread = [length for length in lengths if not _is(length, 1)]
    static_lengths = [length for length in spread if isinstance(length, int)]
    if static_lengths or not spread:
        return static_lengths[0] if static_lengths else 1
    joint = spread[0]
    for length in spread[1:]:
        joint = scalar.switch(scalar.eq(joint, 1), length, joint)
    return joint


def written(x: Any) -> Any:
    """Return an array as it was given, before it was broadcast."""
    while x.owner is not None and isinstance(x.owner.op, InCall):
        x = x.owner.inputs[0]
    return x


def _is(length: Any, number: int) -> bool:
    return isinstance(length, int) and length == number


def _eq(left: Any, right: Any) -> Any:
    return as_tensor_variable(scalar.eq(as_scalar(left), right))


def _none_if(condition: Tensor, length: Any) -> Any:
    """Return a length, or 0 under a condition (0-d int64)."""
    return cast(scalar.switch(condition, 0, length), "int64")


def _fits(mine: Sequence[Any], wanted: Sequence[Any]) -> Any:
    """Return whether all lengths are equal."""
    lengths = [(own, dim_value(dim)) for own, dim in zip(mine, wanted, strict=True)]
    fits, *others = [
        _eq(*pair) for pair in lengths if not (_is(pair[0], 1) and _is(pair[1], 1))
    ] or [as_tensor_variable(True)]
    for other in others:
        fits = scalar.and_(fits, other)
    return fits


_MESSAGES = {
    "indexing": (
        "indexing: index arrays of different length along axis {axis}: {label} has {0}, "
        "others have {1}"
    ),
}
_VALUE_MESSAGE = "{use}: a value of length {0} along axis {axis} does not fit a part of length {1}"
_MESSAGES.update(dict.fromkeys(["set_subtensor", "inc_subtensor"], _VALUE_MESSAGE))
_GENERAL_MESSAGE = "{use}: along axis {axis}, {label} has length {0}, others have {1}"


def length_message(node: Apply, axis: int, lengths: Sequence[int]) -> str:
    """Return the message for an array whose length is neither 1 nor that of the others."""
    op: Any = node.op
    text = _MESSAGES.get(op.use, _GENERAL_MESSAGE)
    array = written(node.inputs[0])
    return call_message(
        text.format(*lengths, use=op.use, axis=axis, label=label(array)), node, array
    )
