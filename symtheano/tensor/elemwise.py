"""Elemwise: a scalar op applied to arrays with broadcasting. DimShuffle: reordered axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from symtheano import dtypes
from symtheano.errors import ShapeError, format_error
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op, Requirement
from symtheano.graph.type import NullType
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import AxisMap, Elementwise
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.conversion import as_tensor_variable, constant
from symtheano.tensor.messages import build_message, label, op_name
from symtheano.tensor.shapes.axis_numbers import axis_number
from symtheano.tensor.type import TensorType


class RowDocstring:
    """The docstring: :class:`Elemwise` has its own, a function that of its row.

    Attributes
    ----------
    describe
        Function that returns the text of a row; set by ``symtheano/__init__.py``.
    """

    describe: Callable[[ScalarOp], str] | None = None

    def __init__(self, own: str) -> None:
        self.own = own

    def __get__(self, instance: Any, owner: type) -> str:
        describe = RowDocstring.describe
        return self.own if instance is None or describe is None else describe(instance.scalar_op)


class RowSignature:
    """The signature: an :class:`Elemwise` has that of its row, the class that of ``__init__``."""

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            raise AttributeError("__signature__")
        from symtheano.tensor.row_signature import signature_of

        return signature_of(instance.scalar_op)


class Elemwise(Op):
    """A row of the scalar table, applied elementwise.

    Axes whose length is known to be 1 are broadcast. If another axis has length 1 in a call, there
    is an error, because gradients and loops were made for equal lengths.
    """

    __call__: Callable[..., Tensor]
    takes = "**..."
    scalar_op: ScalarOp
    __signature__ = RowSignature()

    def __init__(self, scalar_op: ScalarOp) -> None:
        self.scalar_op = scalar_op

    @lazy
    def lowering(self) -> Elementwise:
        """The row for each element."""
        return Elementwise(self.scalar_op)

    def make_node(self, *inputs: Any, **options: Any) -> Apply:
        """Convert the operands to the same number of dimensions and infer the result's type."""
        row = self.scalar_op
        if options:
            raise TypeError(_unknown_options(row.name, options))
        if len(inputs) != row.nin:
            if row.associative and inputs:
                return self._folded([as_tensor_variable(item) for item in inputs])
            raise TypeError(
                build_message(
                    f"{row.name} takes {row.nin} operand{'' if row.nin == 1 else 's'}, "
                    f"got {len(inputs)}"
                )
            )
        operands = [
            item if isinstance(item, Tensor) else as_tensor_variable(item) for item in inputs
        ]
        if row.whole_as_floatX and all(dtypes.is_discrete(item.dtype) for item in operands):
            operands = [item.astype("floatX") for item in operands]
        dims = [item.type.ndim for item in operands]
        most = max(dims)
        if min(dims) < most:
            operands = [pad_left(item, most) for item in operands]
        return Apply(self, operands, self.infer(*operands))

    def _folded(self, operands: list[Any]) -> Apply:
        """Apply to any number of operands: in the dtype of all, two after two."""
        compute = self.scalar_op.signature(tuple(item.dtype for item in operands)).compute
        first, *rest = (item.astype(to) for item, to in zip(operands, compute, strict=True))
        if not rest:
            return elemwise(scalar.identity).make_node(first)
        for item in rest[:-1]:
            first = self.make_node(first, item).outputs[0]
        return self.make_node(first, rest[-1])

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the broadcast static shape and the dtype of the row's signature."""
        row = self.scalar_op
        try:
            signature = row.signature(tuple([item.type.dtype for item in inputs]))
        except TypeError as error:
            raise TypeError(build_message(f"{row.name}: {error}", *inputs)) from None
        return [TensorType.of(signature.result, broadcast_static(row.name, inputs))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """For each axis, use an operand that is not broadcast along it."""
        return [
            tuple(
                broadcast_dim(length, [(item.type.shape[axis], shape[axis])
                                      for item, shape in zip(node.inputs, shapes, strict=True)])
                for axis, length in enumerate(node.outputs[0].type.shape)
            )
        ]  # fmt: skip

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Along each axis, the operands that are not broadcast have the same length."""
        requirements: list[Requirement] = []
        for axis in range(node.outputs[0].ndim):
            dims = tuple(shapes[position][axis] for position in spread_operands(node, axis))
            message = partial(broadcast_message, node, axis)
            for other in dims[1:]:
                requirements += same_length(dims[0], other, message, dims)
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with the row's NumPy function, in the row's compute dtypes."""
        check_broadcast(node, inputs)
        operands = tuple(item.dtype for item in node.inputs)
        output_storage[0][0] = self.scalar_op.evaluate(inputs, operands)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Multiply by the row's derivative, in each operand's dtype and shape."""
        grads = self._partials(inputs, outputs[0], output_grads[0])
        if grads is None:
            return super().pullback(inputs, outputs, output_grads)
        return [
            None if grad is None or _is_whole_constant(item) else fit_grad(grad, item)
            for grad, item in zip(grads, inputs, strict=True)
        ]

    def _partials(self, inputs: list[Any], y: Any, g: Any) -> Sequence[Any] | None:
        """Return ``g`` times each conjugate derivative, in the shape of the result."""
        row = self.scalar_op
        if dtypes.is_continuous(y.dtype):
            inputs = self._as_computed(inputs)
        if row.derivative is not None:
            return [g * scalar.conj(row.derivative(inputs[0], y))]
        if row.pullback is not None:
            return row.pullback(g, y, *inputs)
        return [None] * len(inputs) if dtypes.is_discrete(y.dtype) else None

    def _as_computed(self, inputs: list[Any]) -> list[Any]:
        """Return the operands, with integers converted to the floats with which the row computes.

        Derivatives are expressed in the operands' dtype; in an integer dtype, 0.5 would be zero.
        """
        if not any(dtypes.is_discrete(item.dtype) for item in inputs):
            return inputs
        signature = self.scalar_op.signature(tuple(item.dtype for item in inputs))
        return [
            item
            if not dtypes.is_discrete(item.dtype)
            or not dtypes.is_continuous(wanted)
            or _is_whole_constant(item)
            else item.astype(wanted)
            for item, wanted in zip(inputs, signature.compute, strict=True)
        ]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Forward derivative, from the pullbacks of g = 1 (real part) and g = i (imaginary part).

        This is correct for all functions of real or complex operands, whether holomorphic or not.
        """
        y = self(*inputs)
        one = y.ones_like()
        if self._partials(inputs, y, one) is None:
            return super().R_op(inputs, eval_points)
        tangent = self._real_change(inputs, eval_points, y, one)
        if tangent is not None and dtypes.is_complex(y.dtype):
            zero = scalar.real(one) * 0
            across = scalar.complex(zero, zero + 1)
            tangent = scalar.complex(tangent, self._real_change(inputs, eval_points, y, across))
        return [None if tangent is None else cast_like(tangent, y)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return self.make_node(*batch.inputs).outputs

    def _real_change(self, inputs: list[Any], points: list[Any], y: Any, g: Any) -> Any:
        """Return the real part of conj(g) times the change of ``y`` along ``points``."""
        total = None
        for slope, point in zip(self._partials(inputs, y, g) or (), points, strict=True):
            if slope is not None and point is not None:
                term = slope * point
                if dtypes.is_complex(term.dtype):
                    term = scalar.real(scalar.conj(slope) * point)
                total = term if total is None else total + term
        return total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Elemwise) and self.scalar_op is other.scalar_op

    def __hash__(self) -> int:
        return hash(self.scalar_op)

    def __str__(self) -> str:
        return f"Elemwise{{{self.scalar_op.name},no_inplace}}"


_INSTEAD = {
    "out": "functions return new variables; use updates=[(shared variable, expression)] to keep "
    "a result",
    "where": "use switch(condition, x, y)",
    "dtype": "use cast(x, dtype) on the operands or the result",
}


def _unknown_options(name: str, options: Mapping[str, Any]) -> str:
    """Return the message for keywords that functions of elements don't take."""
    hints = [_INSTEAD[key] for key in options if key in _INSTEAD]
    keywords = ", ".join(f"{key}=" for key in options)
    hint = (
        "; ".join(hints)
        or "give operands by position; the only keyword is name=, which names the result"
    )
    return build_message(f"{name}: unknown keyword {keywords}", hint=hint)


Elemwise.__doc__ = RowDocstring(str(Elemwise.__doc__))  # type: ignore[assignment]


def pad_left(x: Any, ndim: int) -> Any:
    """Return ``x`` with axes of length 1 added in front, up to ``ndim``."""
    own = x.type.ndim
    return x if own == ndim else DimShuffle((*["x"] * (ndim - own), *range(own)))(x)


_elemwise: dict[ScalarOp, Elemwise] = {}


def elemwise(row: ScalarOp) -> Elemwise:
    """Return the elementwise op of a scalar row; there is one object per row."""
    op = _elemwise.get(row)
    if op is None:
        op = _elemwise.setdefault(row, Elemwise(row))
    return op


def is_elemwise(variable: Any, *rows: ScalarOp) -> bool:
    """Return whether ``variable`` is computed by one of ``rows`` (by default, any row)."""
    owner = variable.owner
    if owner is None or not isinstance(owner.op, Elemwise):
        return False
    return not rows or owner.op.scalar_op in rows


def _is_whole_constant(operand: Any) -> bool:
    """Return whether an operand is an integer constant, whose gradient is not needed."""
    if not dtypes.is_discrete(operand.dtype):
        return False
    while operand.owner is not None and isinstance(operand.owner.op, DimShuffle):
        operand = operand.owner.inputs[0]
    return isinstance(operand, Constant)


def fit_grad(grad: Any, operand: Any) -> Any:
    """Convert the gradient of a broadcast operand to the operand's shape and dtype.

    Gradients of integers are floats: see :func:`gradient_like`.
    """
    if isinstance(grad.type, NullType):
        return grad
    axes = [
        axis
        for axis in range(operand.ndim)
        if operand.type.shape[axis] == 1 and grad.type.shape[axis] != 1
    ]
    if axes:
        grad = grad.sum(axis=axes, keepdims=True)
    return gradient_like(grad, operand)


def gradient_like(grad: Any, operand: Any) -> Any:
    """Return a gradient in the dtype of its operand; for integers, it remains a real float.

    It is zero only if the *result* of an operation is discrete: ``x * n`` is a float and can be
    differentiated with respect to the integer ``n``.
    """
    if not dtypes.is_discrete(operand.dtype):
        return cast_like(grad, operand)
    if dtypes.is_complex(grad.dtype):
        return grad.real
    return grad.astype("floatX") if dtypes.is_discrete(grad.dtype) else grad


def cast_like(value: Any, model: Any) -> Any:
    """Return ``value`` in the dtype of ``model``; complex numbers lose their imaginary part."""
    if value.dtype == model.dtype:
        return value
    if dtypes.is_complex(value.dtype) and not dtypes.is_complex(model.dtype):
        value = value.real
    return value.astype(model.dtype)


def broadcast_static(name: str, inputs: Sequence[Any]) -> tuple[int | None, ...]:
    """Return the broadcast static shape of operands.

    Raises
    ------
    ShapeError
        If two static lengths differ and neither is 1.
    """
    shapes: list[tuple[int | None, ...]] = [item.type.shape for item in inputs]
    if shapes.count(shapes[0]) == len(shapes):
        return shapes[0]
    shape: list[int | None] = []
    for axis, dims in enumerate(zip(*shapes, strict=True)):
        lengths = {dim for dim in dims if dim is not None and dim != 1}
        if len(lengths) > 1:
            raise ShapeError(
                build_message(f"{name}: operands of different length along axis {axis}", *inputs)
            )
        if lengths:
            shape.append(lengths.pop())
        else:
            shape.append(None if None in dims else 1)
    return tuple(shape)


def broadcast_dim(length: int | None, dims: Sequence[tuple[int | None, Any]]) -> Any:
    """Return the length of a broadcast axis from (static, symbolic) lengths of the operands."""
    if length is not None:
        return length
    return next((symbolic for static, symbolic in dims if static != 1), 1)


def check_broadcast(node: Apply, values: Sequence[Any]) -> None:
    """Raise ShapeError unless the arrays agree along every axis that is not statically 1."""
    for axis in range(node.outputs[0].ndim):
        spread = spread_operands(node, axis)
        lengths = [values[position].shape[axis] for position in spread]
        if len(set(lengths)) > 1:
            raise ShapeError(broadcast_message(node, axis, lengths))


def same_length(
    left: Any,
    right: Any,
    message: Callable[[Sequence[int]], str],
    values: tuple[Any, ...] | None = None,
    error: type[Exception] | None = None,
) -> list[Requirement]:
    """Require two lengths to be equal; return nothing if this is known.

    ``message`` gets ``values``, which are the two lengths by default.
    """
    if left is right or (isinstance(left, int) and isinstance(right, int) and left == right):
        return []
    message_values = (left, right) if values is None else values
    same = scalar.eq(as_scalar(left), right)
    return [Requirement(same, message_values, message, equal=(left, right), error=error)]


def as_scalar(length: Any) -> Any:
    """Return a length as a 0-d variable."""
    return constant(length, dtype="int64") if isinstance(length, int) else length


def spread_operands(node: Apply, axis: int) -> list[int]:
    """Return the positions of the operands that are not broadcast along an axis."""
    return [k for k, item in enumerate(node.inputs) if item.type.shape[axis] != 1]


def broadcast_message(node: Apply, axis: int, lengths: Sequence[int]) -> str:
    """Return the message for operands of different lengths along an axis."""
    hint = (
        "an axis of length 1 is broadcast only if this is known when the graph is built: declare "
        "the variable with shape=(..., 1), row() or col(), or use addbroadcast(x, "
        f"{axis})"
    )
    operands = [node.inputs[position] for position in spread_operands(node, axis)]
    return format_error(
        f"{op_name(node.op)}: operands of different length along axis {axis}",
        operands=[
            (label(item), f"{item.type}, length {length} along axis {axis}")
            for item, length in zip(operands, lengths, strict=True)
        ],
        places=[node.origin, *(item.origin for item in operands)],
        hint=hint if 1 in lengths else None,
    )


class DimShuffle(Op):
    """Axes reordered, dropped (if of length 1) or inserted; always a view.

    Attributes
    ----------
    new_order
        For each axis of the result, the axis of the operand, or ``"x"`` for a new axis.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("new_order",)
    takes = "**"

    def __init__(self, new_order: tuple[int | str, ...]) -> None:
        self.new_order = new_order

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Check the pattern against the operand and return the result's type."""
        (x,) = inputs
        shape: tuple[int | None, ...] = x.type.shape
        kept = {axis for axis in self.new_order if axis != "x"}
        dropped = {*range(len(shape))} - kept
        distinct = len(kept) == len(self.new_order) - self.new_order.count("x")
        in_range = len(kept) + len(dropped) == len(shape) and {k.__class__ for k in kept} <= {int}
        if not distinct or not in_range:
            raise ValueError(
                build_message(
                    f"dimshuffle{self.new_order}: not a valid pattern for {x.ndim} axes", x
                )
            )
        for axis in dropped:
            if shape[axis] != 1:
                raise ValueError(
                    build_message(
                        f"dimshuffle{self.new_order} drops axis {axis}, whose length is not known "
                        "to be one",
                        x,
                        hint=f"use addbroadcast(x, {axis}) if it is one",
                    )
                )
        moved = [1 if axis == "x" else shape[axis] for axis in self.new_order]  # type: ignore[index]
        return [TensorType.of(x.type.dtype, tuple(moved))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [tuple(1 if axis == "x" else shapes[0][int(axis)] for axis in self.new_order)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (x,) = inputs
        kept = [int(axis) for axis in self.new_order if axis != "x"]
        dropped = [axis for axis in range(x.ndim) if axis not in kept]
        moved = x.transpose([*kept, *dropped])
        shape = [1 if axis == "x" else x.shape[int(axis)] for axis in self.new_order]
        output_storage[0][0] = moved.reshape(shape)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Restore the axes: an inserted axis has length 1, so there is no sum."""
        (x,), (g,) = inputs, output_grads
        place = {axis: position for position, axis in enumerate(self.new_order)}
        inserted = [p for p, axis in enumerate(self.new_order) if axis == "x"]
        if any(g.type.shape[p] != 1 for p in inserted):
            g = g.sum(axis=[p for p in inserted if g.type.shape[p] != 1], keepdims=True)
        return [dimshuffle(g, *[place.get(axis, "x") for axis in range(x.ndim)])]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """A linear map is its own derivative."""
        return [None if eval_points[0] is None else self(*eval_points)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        order = [axis if axis == "x" else int(axis) + batch.ndim for axis in self.new_order]
        return [dimshuffle(batch.inputs[0], *batch.front(), *order)]

    @AxisMap
    def lowering(self, node: Apply) -> tuple[int | None, ...]:
        """Return the order, with None for inserted axes."""
        return tuple(None if axis == "x" else int(axis) for axis in self.new_order)

    def __str__(self) -> str:
        return f"InplaceDimShuffle{{{','.join(map(str, self.new_order))}}}"


def dimshuffle(x: Any, *pattern: Any) -> Tensor:
    """Return ``x`` with its axes reordered.

    Parameters
    ----------
    x
        Array of any shape.
    pattern
        Axis numbers, and ``"x"`` for new axes of length 1; separately or as one tuple.

    Examples
    --------
    >>> T.vector("v").dimshuffle("x", 0).type
    TensorType(float64, row)
    """
    if len(pattern) == 1 and isinstance(pattern[0], list | tuple):
        pattern = tuple(pattern[0])
    if not {axis.__class__ for axis in pattern} <= {int, str}:
        pattern = tuple(str(a) if isinstance(a, str) else axis_number(a) for a in pattern)
    order = tuple([a if a.__class__ is str or a >= 0 else a + x.ndim for a in pattern])
    if order == tuple(range(x.type.ndim)):
        result: Tensor = x
        return result
    return DimShuffle(order)(x)
