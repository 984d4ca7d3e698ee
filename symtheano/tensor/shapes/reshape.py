"""Reshaping of arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from symtheano.config import config
from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import IndexMap
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS, factors
from symtheano.tensor.shapes.shape import (
    as_dim,
    as_dims,
    dim_value,
    dims_product,
    float_product,
    is_length,
    is_representable,
    join_dims,
    shape_of,
    static_dims,
)
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Index, View


class Reshape(Op):
    """Reshaping; inputs are the array and one length per axis."""

    __call__: Callable[..., Tensor]
    __props__ = ()
    takes = "** l0..."
    differentiable_inputs = 1

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the static lengths, checked against the operand's if both are known."""
        x, *dims = inputs
        # A negative length is an error of the call.
        new = tuple(None if n is not None and n < 0 else n for n in static_dims(dims))
        old = x.type.shape
        if None not in new and None not in old and prod(new) != prod(old):  # type: ignore[arg-type]
            raise ShapeError(
                build_message(
                    f"reshape: {old} and {new} do not have the same number of elements", x
                )
            )
        return [TensorType(x.dtype, new)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [join_dims(node.outputs[0], node.inputs[1:])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, *dims = inputs
        wanted = tuple(int(dim) for dim in dims)
        for axis, dim in enumerate(wanted):
            if dim < 0:
                raise ShapeError(_negative_length(node, axis, [dim]))
        if prod(wanted) != x.size:
            raise ShapeError(_size_changed(node, [x.size, prod(wanted), *wanted][:8]))
        output_storage[0][0] = x.reshape(wanted)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Reshape the gradient to the operand's shape."""
        x, *dims = inputs
        return [self(output_grads[0], *as_dims(shape_of(x))), *[None] * len(dims)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Reshape the direction."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        batch.needs_plain(node, 1)
        x, *dims = batch.inputs
        return [reshape_op(x, *batch.dims, *dims)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """No length is negative, and the number of elements does not change."""
        dims = join_dims(node.outputs[0], node.inputs[1:])
        requirements = [
            Requirement(
                condition=dim >= 0, values=(dim,), message=partial(_negative_length, node, axis)
            )
            for axis, dim in enumerate(dims)
            if not isinstance(dim, int) and not is_length(dim)
        ]
        old, new = dims_product(shapes[0]), dims_product(dims)
        if old is not new and not (isinstance(old, int) and old == new):
            requirements.append(
                Requirement(
                    condition=self._keeps_size(old, new, dims),
                    values=(old, new, *dims[:6]),
                    message=partial(_size_changed, node),
                )
            )
        return requirements

    def _keeps_size(self, old: Any, new: Any, dims: Sequence[Any]) -> Any:
        if isinstance(old, int) and isinstance(new, int):
            return old == new  # lengths that rules have found later
        same = scalar.eq(old, new)
        if is_representable(dims) or Counter(factors([old])) == Counter(factors([new])):
            return same
        return scalar.and_(same, scalar.le(float_product(dims), float(MOST_ELEMENTS)))

    def accepts(self, number: int, view: View) -> bool:
        """Only contiguous arrays can be reshaped without a copy."""
        return number != 0 or view.is_contiguous()

    @partial(IndexMap, accepts=accepts)
    def lowering(
        self, node: Apply, operand: View, scalars: list[Index], shape: Sequence[Index]
    ) -> View:
        """Return the contiguous operand with the new shape."""
        return operand.reshaped(shape)

    def __str__(self) -> str:
        return "Reshape"


def _negative_length(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(
        f"reshape: axis {axis} can't have length {values[0]}",
        node,
        node.inputs[0],
        hint="only one length may be -1, which is what the others leave",
    )


def _size_changed(node: Apply, values: Sequence[int]) -> str:
    size, _, *dims = values
    wanted = str(tuple(dims))
    if len(node.inputs) + 1 > len(values):  # an error holds only so many numbers
        wanted = f"{str(tuple(dims))[:-1]}, ...)"
    return call_message(
        f"reshape: an array of {size} elements can't have shape {wanted}",
        node,
        node.inputs[0],
        hint="the product of the lengths must be the number of elements; -1 is the quotient, "
        "rounded down",
    )


reshape_op = Reshape()


def reshape(x: TensorLike, newshape: Any, ndim: int | None = None) -> Tensor:
    """Return ``x`` with another shape.

    Parameters
    ----------
    newshape
        Ints and 0-d integer variables, or an integer vector of known length. One length may be -1;
        it is computed from the others.
    ndim
        Length of ``newshape``; needed if it is a vector of unknown length.

    Examples
    --------
    >>> T.matrix("x").reshape((-1, 2)).type
    TensorType(float64, (?, 2))
    """
    x = as_tensor_variable(x)
    dims = as_dims(newshape, ndim)
    if ndim is not None and len(dims) != ndim:
        raise ValueError(
            build_message(f"reshape: the shape has {len(dims)} lengths, but ndim={ndim}", x)
        )
    return reshape_op(x, *_resolve_free_dim(x, dims))


def _resolve_free_dim(x: Any, dims: list[Any]) -> list[Any]:
    """Replace a length of -1, known or in a call, by the value computed from the others."""
    values = [dim_value(dim) for dim in dims]
    free = [axis for axis, value in enumerate(values) if isinstance(value, int) and value == -1]
    if len(free) > 1:
        raise ValueError(build_message(f"reshape: only one dim may be -1, got {len(free)}", x))
    negative = any(isinstance(value, int) and value < -1 for value in values)
    if negative and not config.theano_semantics:  # where it is an error of the call
        raise ValueError(build_message(f"reshape: negative dim in {values}", x))
    total = dims_product(shape_of(x))
    if free:
        rest = dims_product([value for axis, value in enumerate(values) if axis != free[0]])
        dims[free[0]] = as_dim(_quotient(total, rest))
        return dims
    for axis, value in enumerate(values):
        if not isinstance(value, int) and not is_length(value):
            rest = dims_product([v for a, v in enumerate(values) if a != axis])
            dims[axis] = scalar.switch(value < 0, as_dim(_quotient(total, rest)), value)
    return [as_dim(dim) for dim in dims]


def _quotient(total: Any, rest: Any) -> Any:
    if isinstance(rest, int) and isinstance(total, int):
        return total // rest if rest else 0
    if isinstance(rest, int):
        return total if rest == 1 else scalar.int_div(total, as_dim(rest))
    return scalar.int_div(total, rest)


def flatten(x: TensorLike, ndim: int = 1, outdim: int | None = None) -> Tensor:
    """Return ``x`` with its last axes merged, so that it has ``ndim`` axes.

    Examples
    --------
    >>> flatten(T.dtensor3("x")).ndim, flatten(T.dtensor3("x"), 2).ndim
    (1, 2)
    """
    x = as_tensor_variable(x)
    ndim = outdim if outdim is not None else ndim
    if ndim < 1 or ndim > max(x.ndim, 1):
        raise ValueError(build_message(f"flatten: ndim={ndim} is not between 1 and {x.ndim}", x))
    dims = shape_of(x)
    joined = (*dims[: ndim - 1], dims_product(dims[ndim - 1 :]))
    return x if x.ndim == ndim else reshape_op(x, *as_dims(joined))
