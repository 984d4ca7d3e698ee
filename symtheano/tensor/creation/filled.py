"""Arrays made from shapes and numbers: alloc, zeros, ones, fill, arange, eye."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.errors import ArgumentError, ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.sources import made_from
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.lowering import AxisMap
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.elemwise import fit_grad, same_length
from symtheano.tensor.messages import build_message, call_message, called
from symtheano.tensor.shapes.shape import (
    as_dims,
    dim_value,
    is_length,
    join_dims,
    possible_size,
    shape_of,
    static_dims,
)
from symtheano.tensor.type import TensorType


class Alloc(Op):
    """A value repeated to a shape: inputs are the value and one 0-d integer per dim."""

    __call__: Callable[..., Tensor]
    __props__ = ()
    takes = "** l0..."
    differentiable_inputs = 1

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the value's dtype and the static shape of the dims."""
        value, *dims = inputs
        for axis, dim in enumerate(dims):
            if isinstance(dim, Constant) and int(dim.data) < 0:
                raise ValueError(build_message(f"alloc: axis {axis} can't have length {dim.data}"))
        if value.ndim > len(dims):
            raise ArgumentError(
                build_message(
                    f"alloc: a value of {value.ndim} dims can't be broadcast to {len(dims)} dims"
                )
            )
        shape = list(static_dims(dims))
        for axis in range(1, value.ndim + 1):
            length = value.type.shape[-axis]
            if length not in (None, 1):
                if shape[-axis] not in (None, length):
                    raise ValueError(
                        build_message(
                            f"alloc: a value of static shape {value.type.shape} can't be "
                            f"broadcast to {tuple(shape)}",
                            value,
                        )
                    )
                shape[-axis] = length
        return [TensorType(value.dtype, shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [join_dims(node.outputs[0], node.inputs[1:])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        value, *dims = inputs
        shape = [int(dim) for dim in dims]
        for axis, dim in enumerate(shape):
            if dim < 0:
                raise ValueError(_negative_dim(node, axis, [dim]))
        for axis in range(1, value.ndim + 1):
            if node.inputs[0].type.shape[-axis] != 1 and value.shape[-axis] != shape[-axis]:
                raise ShapeError(_misfit(node, axis, [value.shape[-axis], shape[-axis]]))
        result = np.empty(shape, value.dtype)
        result[...] = value
        output_storage[0][0] = result

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Sum over what was repeated."""
        value, *dims = inputs
        (g,) = output_grads
        extra = g.ndim - value.ndim
        if extra:
            g = g.sum(axis=list(range(extra)))
        return [fit_grad(g, value), *[None] * len(dims)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Broadcast the direction like the value."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        batch.needs_plain(node, 1)
        value, *dims = batch.inputs
        missing = len(dims) - node.inputs[0].ndim
        spread = value.dimshuffle(*batch.front(), *["x"] * missing, *range(batch.ndim, value.ndim))
        return [alloc_op(spread, *batch.dims, *dims)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """No length is negative, and the value can be broadcast."""
        value, *dims = node.inputs
        requirements = [
            Requirement(
                condition=dim_value(dim) >= 0,
                values=(dim_value(dim),),
                message=partial(_negative_dim, node, axis),
                code="value",
            )
            for axis, dim in enumerate(dims)
            if not is_length(dim)
        ]
        shape = join_dims(node.outputs[0], dims)
        for axis in range(1, value.ndim + 1):
            # Where the type of the value tells a length, that of the call must be the same.
            type_length, call_length = shape[-axis], dim_value(dims[-axis])
            if isinstance(type_length, int):
                requirements += same_length(type_length, call_length, partial(_misfit, node, axis))
        size = possible_size(node, shape)
        if size is not None:
            requirements.append(size)
        for axis in range(1, value.ndim + 1):
            mine, wanted = shapes[0][-axis], shape[-axis]
            if value.type.shape[-axis] != 1:
                requirements += same_length(mine, wanted, partial(_misfit, node, axis))
        return requirements

    @AxisMap
    def lowering(self, node: Apply) -> tuple[int | None, ...]:
        """Align the axes of the value to the right; those of length 1 are broadcast."""
        value = node.inputs[0]
        missing = len(node.inputs) - 1 - value.ndim
        kept = (None if dim == 1 else axis for axis, dim in enumerate(value.type.shape))
        return (*[None] * missing, *kept)

    def __str__(self) -> str:
        return "Alloc"


def _negative_dim(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(
        f"alloc: axis {axis} can't have length {values[0]}", node, node.inputs[1 + axis]
    )


def _misfit(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(
        f"alloc: a value of length {values[0]} along axis -{axis} can't be broadcast to length "
        f"{values[1]}",
        node,
        node.inputs[0],
    )


alloc_op = Alloc()


def alloc(value: Any, *shape: Any) -> Tensor:
    """Return ``value`` broadcast to ``shape`` (ints or 0-d integer variables).

    Examples
    --------
    >>> alloc([1, 2], 2, 2).eval().tolist()
    [[1, 2], [1, 2]]
    """
    return alloc_op(as_tensor_variable(value), *as_dims(shape))


def zeros(shape: Any, dtype: Any = None) -> Tensor:
    """Return zeros of a shape; dtype floatX by default.

    Examples
    --------
    >>> zeros((2,), dtype="int8").eval().tolist()
    [0, 0]
    """
    return _full(0, shape, dtype)


def ones(shape: Any, dtype: Any = None) -> Tensor:
    """Return ones of a shape; dtype floatX by default.

    Examples
    --------
    >>> ones((2,), dtype="int8").eval().tolist()
    [1, 1]
    """
    return _full(1, shape, dtype)


def _full(value: float, shape: Any, dtype: Any) -> Tensor:
    if isinstance(dtype, int):
        what = f"{called()}: the dtype is {dtype!r}"
        hint = f"the lengths are one argument: {called()}(({shape!r}, {dtype!r}))"
        raise TypeError(build_message(what, hint=hint))
    return _repeated(constant(value, dtype=dtype or config.floatX), shape)


def _repeated(value: Any, shape: Any) -> Tensor:
    """Return a value broadcast to a shape, which may be symbolic."""
    broadcast = alloc_op(value, *as_dims(shape))
    return made_from(broadcast, [shape]) if isinstance(shape, Variable) else broadcast


def zeros_like(model: Any, dtype: Any = None, opt: bool = False, shape: Any = None) -> Tensor:
    """Return zeros with the shape and dtype of ``model``, unless others are given.

    Examples
    --------
    >>> zeros_like([3, 4]).eval().tolist()
    [0, 0]
    """
    return _full_like(0, model, dtype, shape)


def ones_like(model: Any, dtype: Any = None, opt: bool = False, shape: Any = None) -> Tensor:
    """Return ones with the shape and dtype of ``model``, unless others are given.

    Examples
    --------
    >>> ones_like([3, 4]).eval().tolist()
    [1, 1]
    """
    return _full_like(1, model, dtype, shape)


def _full_like(value: float, model: Any, dtype: Any, shape: Any) -> Tensor:
    model = as_tensor_variable(model)
    item = constant(value, dtype=dtype or model.dtype)
    if shape is not None:
        return _repeated(item, shape)
    return _shaped_as(model, item)


def _shaped_as(model: Any, value: Any) -> Tensor:
    """Return a 0-d value broadcast to the shape of ``model``."""
    broadcast = value if model.ndim == 0 else alloc_op(value, *as_dims(shape_of(model)))
    return made_from(broadcast, [model] if None not in model.type.shape else [])


def full_like(a: TensorLike, fill_value: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return ``fill_value`` broadcast to the shape of ``a``, in the dtype of ``a`` by default.

    Examples
    --------
    >>> full_like([1, 2], 7).eval().tolist()
    [7, 7]
    """
    a = as_tensor_variable(a)
    value = cast(fill_value, dtype or a.dtype)
    if shape is not None:
        return _repeated(value, shape)
    return made_from(alloc_op(value, *as_dims(shape_of(a))), [a])


def fill(a: TensorLike, b: Any) -> Tensor:
    """Return ``b`` broadcast to the shape of ``a``, in the dtype of ``b``.

    Examples
    --------
    >>> fill([1, 2], 7).eval().tolist()
    [7, 7]
    """
    return scalar.second(as_tensor_variable(a), b)


def full(shape: Any, fill_value: TensorLike, dtype: Any = None) -> Tensor:
    """Return ``fill_value`` broadcast to a shape, in its own dtype by default.

    Examples
    --------
    >>> full((2, 2), 7).eval().tolist()
    [[7, 7], [7, 7]]
    """
    value = as_tensor_variable(fill_value)
    return _repeated(value if dtype is None else cast(value, dtype), shape)


def empty(shape: Any, dtype: Any = None) -> Tensor:
    """Return an array whose elements are arbitrary; they are currently zeros.

    Examples
    --------
    >>> empty((2, 3)).type
    TensorType(float64, (2, 3))
    """
    return zeros(shape, dtype)


def empty_like(model: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return an array with the shape of ``model`` and arbitrary elements; see :func:`empty`.

    Examples
    --------
    >>> empty_like(T.fmatrix("x")).type
    TensorType(float32, matrix)
    """
    return zeros_like(model, dtype, shape=shape)


class AllocEmpty:
    """Theano's form of :func:`empty`: made with a dtype, then called with the lengths.

    Examples
    --------
    >>> AllocEmpty("float32")(2, 3).type
    TensorType(float32, (2, 3))
    """

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtypes.canonical(dtype)

    def __call__(self, *shape: Any) -> Any:
        """Return an array of these lengths."""
        return zeros(shape, self.dtype)
