"""Declared lengths, which are checked in each call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from symtheano.errors import AxisError, DeclaredShapeError, ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import SAME_AXES
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.shape import as_dims, dim_value
from symtheano.tensor.type import TensorType


class SpecifyShape(Op):
    """A view of an array with some lengths declared and checked.

    Attributes
    ----------
    lengths
        For each axis, the required length, or None.
    by
        What declares them, for messages.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("lengths", "by")
    takes = "**"
    lowering = SAME_AXES

    def __init__(self, lengths: tuple[int | None, ...], by: str = "specify_shape") -> None:
        self.lengths = TensorType("bool", tuple(lengths)).shape
        self.by = str(by)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Merge the lengths into the operand's static shape."""
        (x,) = inputs
        if len(self.lengths) != x.ndim:
            raise ValueError(
                build_message(f"{self.by}: {len(self.lengths)} lengths for {x.ndim} dims", x)
            )
        for axis, (new, old) in enumerate(zip(self.lengths, x.type.shape, strict=True)):
            if new is not None and old not in (None, new):
                raise ShapeError(
                    build_message(
                        f"{self.by}: axis {axis} has static length {old}, so it can't have "
                        f"length {new}",
                        x,
                    )
                )
        merged = [
            old if new is None else new for new, old in zip(self.lengths, x.type.shape, strict=True)
        ]
        return [TensorType(x.dtype, merged)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The operand's shape, with the declared lengths."""
        return [
            tuple(
                dim if length is None else length
                for length, dim in zip(node.outputs[0].type.shape, shapes[0], strict=True)
            )
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (x,) = inputs
        for axis, length in enumerate(self.lengths):
            if length is not None and x.shape[axis] != length:
                raise DeclaredShapeError(self.message(node, axis, [x.shape[axis]]))
        output_storage[0][0] = x

    def message(self, node: Apply, axis: int, values: Sequence[int]) -> str:
        """Return the error message for an axis with another length."""
        return call_message(
            f"{self.by}: axis {axis} was declared to have length {self.lengths[axis]}, but "
            f"has {values[0]}",
            node,
            node.inputs[0],
        )

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The identity."""
        return list(output_grads)

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The direction has the same lengths."""
        return [None if eval_points[0] is None else self(eval_points[0])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [SpecifyShape((*[None] * batch.ndim, *self.lengths), self.by)(batch.inputs[0])]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Each length is as declared."""
        return [
            Requirement(
                condition=scalar.eq(shapes[0][axis], length),
                values=(shapes[0][axis],),
                message=partial(self.message, node, axis),
                equal=(shapes[0][axis], length),
                error=DeclaredShapeError,
            )
            for axis, length in enumerate(self.lengths)
            if length is not None and not isinstance(shapes[0][axis], int)
        ]

    def __str__(self) -> str:
        if set(self.lengths) <= {1, None}:
            axes = ",".join("1" if length == 1 else "?" for length in self.lengths)
            return f"Rebroadcast{{{axes}}}"
        return f"SpecifyShape{{{','.join(map(str, self.lengths))}}}"


def specify_shape(x: Any, shape: Any) -> Tensor:
    """Return ``x`` with declared lengths, which are checked in each call.

    A symbolic length is only checked.

    Examples
    --------
    >>> specify_shape(T.dmatrix("x"), (2, None)).static_shape
    (2, None)
    """
    x = as_tensor_variable(x)
    return declared(x, shape if isinstance(shape, tuple | list) else as_dims(shape, x.ndim))


def declared(x: Any, dims: Sequence[Any] | None, by: str = "specify_shape") -> Tensor:
    """Return ``x`` with lengths declared; ``by`` begins the messages of calls with others.

    Lengths are ints, 0-d variables, or None for those that may be anything.

    Examples
    --------
    >>> declared(T.dmatrix("x"), (None, 3), "f, the second argument").static_shape
    (None, 3)
    """
    x = as_tensor_variable(x)
    if dims is None:
        result: Tensor = x
        return result
    lengths = tuple(
        None if dim is None else value
        for dim, value in ((d, None if d is None else dim_value(d)) for d in dims)
    )
    for axis, length in enumerate(lengths):
        if not isinstance(length, int) and length is not None:
            words = f"{by}: axis {axis} does not have its declared length"
            x = required(x, scalar.eq(x.shape[axis], length), words)
    return SpecifyShape(tuple(n if isinstance(n, int) else None for n in lengths), by)(x)


def addbroadcast(x: TensorLike, *axes: int) -> Tensor:
    """Return ``x`` with some axes declared to have length 1, so that they can be broadcast.

    Examples
    --------
    >>> addbroadcast(T.dmatrix("x"), 0).broadcastable
    (True, False)
    """
    x = as_tensor_variable(x)
    for axis in axes:
        if not 0 <= axis < x.ndim:
            raise AxisError(
                build_message(f"addbroadcast: axis {axis} is out of range for {x.ndim} dims", x)
            )
    lengths = tuple(1 if axis in axes else None for axis in range(x.ndim))
    return x if all(x.type.shape[axis] == 1 for axis in axes) else SpecifyShape(lengths)(x)


def patternbroadcast(x: Any, broadcastable: Sequence[bool]) -> Tensor:
    """Return ``x`` with some axes declared to have length 1: those with True in ``broadcastable``.

    Examples
    --------
    >>> patternbroadcast(T.dmatrix("x"), (False, True)).type
    TensorType(float64, col)
    """
    return addbroadcast(x, *[axis for axis, flag in enumerate(broadcastable) if flag])


def unbroadcast(x: TensorLike, *axes: int) -> Tensor:
    """Return ``x`` unchanged; for compatibility with Theano.

    Examples
    --------
    >>> x = T.drow("x")
    >>> unbroadcast(x, 0) is x
    True
    """
    x = as_tensor_variable(x)
    for axis in axes:
        if not -x.ndim <= axis < x.ndim:
            message = f"unbroadcast: axis {axis} is out of range for {x.ndim} dims"
            raise AxisError(build_message(message, x))
    return x
