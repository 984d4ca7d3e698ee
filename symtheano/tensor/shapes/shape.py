"""Shapes as values, and reshaping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op, Requirement
from symtheano.graph.sources import made_from
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import Length, Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.messages import build_message, call_message, op_name
from symtheano.tensor.shapes.intervals import MOST_ALONG_AXIS, MOST_ELEMENTS, axis_of, factors, most
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

# -- dims: ints where they are known, else 0-d int64 variables -----------------------------------


def dim_value(dim: Any) -> Any:
    """Return a length, given as a number or 0-d integer variable, as an int if it is known."""
    if isinstance(dim, Constant):
        return int(dim.data)
    return dim if isinstance(dim, int) else cast(dim, "int64")


def as_dim(dim: Any) -> Any:
    """Return a length as a 0-d int64 variable.

    Raises
    ------
    TypeError
        If it is not a 0-d integer.
    MemoryError
        If it is a number that no array has as a length, such as a product of others.
    """
    if isinstance(dim, int):
        _check_number(dim)
    variable = as_tensor_variable(dim)
    if variable.ndim != 0 or variable.dtype not in dtypes.INTEGER:
        raise TypeError(build_message("a dim must be a 0-d integer", variable))
    return cast(variable, "int64")


def _check_number(number: int) -> None:
    """Check that a number of elements, which may be a product of lengths, has the dtype int64."""
    if number >= 2**63:
        hint = "no array has more than 2**62 elements"
        raise MemoryError(build_message(f"{number:,} elements are too many", hint=hint))


def as_dims(shape: Any, count: int | None = None) -> list[Any]:
    """Return a shape (int, sequence, or integer vector) as a list of 0-d int64 variables.

    ``count`` is the number of lengths that a vector must have; a call checks it if the length of
    the vector is not known.
    """
    if isinstance(shape, tuple | list) and len(shape) == 1 and not isinstance(shape[0], int):
        only = shape[0]
        shape = only if isinstance(only, tuple | list) or getattr(only, "ndim", 0) == 1 else shape
    if isinstance(shape, tuple | list):
        return [as_dim(dim) for dim in shape]
    variable = as_tensor_variable(shape)
    if variable.ndim == 0:
        return [as_dim(variable)]
    if variable.owner is not None and isinstance(variable.owner.op, MakeVector):
        return [as_dim(item) for item in variable.owner.inputs]
    if count is not None and variable.type.shape == (None,):
        variable = variable.with_lengths((count,))
    return [as_dim(item) for item in variable]


def static_dims(dims: Sequence[Any]) -> tuple[int | None, ...]:
    """Return the lengths that are constants; None for the others."""
    lengths = (dim_value(dim) for dim in dims)
    return tuple(dim if isinstance(dim, int) else None for dim in lengths)


def join_dims(variable: Any, dims: Sequence[Any]) -> tuple[Any, ...]:
    """Return the shape of ``variable``: static lengths from its type, the others from ``dims``."""
    return tuple(
        length if length is not None else dim_value(dim)
        for length, dim in zip(variable.type.shape, dims, strict=True)
    )


def shape_of(x: Any) -> tuple[Any, ...]:
    """Return the shape of ``x``, as ints if known and 0-d int64 variables otherwise."""
    return tuple(
        length if length is not None else shape_i(x, axis)
        for axis, length in enumerate(x.type.shape)
    )


def dims_product(dims: Sequence[Any]) -> Any:
    """Return the product of lengths, as an int if all are known.

    Raises
    ------
    MemoryError
        If the known ones among others are those of no array.
    """
    total: Any = 1
    for dim in dims:
        if isinstance(total, int) and not isinstance(dim, int):
            _check_number(total)
        elif isinstance(dim, int) and not isinstance(total, int):
            _check_number(dim)
        total = dim if isinstance(total, int) and total == 1 else total * dim
    return total


def is_representable(dims: Sequence[Any]) -> bool:
    """Return whether the product of lengths is surely at most :data:`MOST_ELEMENTS`.

    The lengths of one array are the lengths of something that exists.
    """
    static_size = prod(dim for dim in dims if isinstance(dim, int))
    others = [dim for dim in dims if not isinstance(dim, int)]
    if static_size <= 1 and len(others) < 2:
        return True
    axes = [axis_of(item) for item in factors(others)]
    arrays = {axis and axis[0] for axis in axes}
    if None not in arrays and len(arrays) == 1 and len(set(axes)) == len(axes):
        return static_size * MOST_ALONG_AXIS <= MOST_ELEMENTS
    return static_size * prod(most(dim) for dim in others) <= MOST_ELEMENTS


def count_as(dims: Sequence[Any], dtype: str) -> Any:
    """Return the product of lengths in a dtype; as a float it does not overflow."""
    total = dims_product(dims)
    if isinstance(total, int):
        return constant(total, dtype=dtype)
    if dtypes.is_discrete(dtype) or is_representable(dims):
        return cast(total, dtype)
    return cast(float_product(dims), dtype)


def joined_length(dims: Sequence[Any]) -> Any:
    """Return the sum of lengths as a float64, which does not overflow."""
    total = constant(float(sum(dim for dim in dims if isinstance(dim, int))))
    for dim in dims:
        if not isinstance(dim, int):
            total = total + cast(dim, "float64")
    return total


def possible_size(node: Apply, dims: Sequence[Any]) -> Requirement | None:
    """Return the requirement that the product of lengths is that of a possible array.

    There is none where all are lengths of arrays that exist: their products are checked where
    memory is allocated, or a loop runs. As in NumPy, an empty axis does not make others possible:
    products without it are computed elsewhere.
    """
    possible = fits_array(dims)
    if possible is True or all(isinstance(dim, int) or axis_of(dim) for dim in dims):
        return None
    return Requirement(
        condition=possible,
        values=tuple(dims[:8]),
        message=partial(_too_large, node),
        code="value",
        error=MemoryError,
    )


def fits_array(dims: Sequence[Any]) -> Any:
    """Return whether the product of lengths but zeros is that of a possible array.

    It is ``True`` if it surely is, else a 0-d bool variable.
    """
    sizes = [dim for dim in dims if not isinstance(dim, int) or dim > 0]
    if is_representable(sizes):
        return True
    sizes = [dim if isinstance(dim, int) else scalar.maximum(dim, 1) for dim in sizes]
    return scalar.le(float_product(sizes), float(MOST_ELEMENTS))


def float_product(dims: Sequence[Any]) -> Any:
    """Return the product of lengths as a float, which does not overflow."""
    factors = [constant(float(d)) if isinstance(d, int) else cast(d, "float64") for d in dims]
    return dims_product(factors)


def _too_large(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"{op_name(node.op).lower()}: an array of shape {tuple(values)} is too large", node,
        *node.inputs[:1], hint="no array has more than 2**62 elements",
    )  # fmt: skip


# -- shape as a value ---------------------------------------------------------------------------


class Shape_i(Op):
    """The length of one axis, as an int64 scalar."""

    __call__: Callable[..., Tensor]
    __props__ = ("axis",)
    takes = "**"
    differentiable_inputs = 0

    def __init__(self, axis: int) -> None:
        self.axis = axis

    @lazy
    def lowering(self) -> Length:
        return Length(self.axis)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        if not 0 <= self.axis < inputs[0].ndim:
            raise IndexError(
                build_message(
                    f"shape: no axis {self.axis} in an array of {inputs[0].ndim} dims", inputs[0]
                )
            )
        return [TensorType("int64", ())]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [()]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.asarray(inputs[0].shape[self.axis], dtype="int64")

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [shape_i(batch.inputs[0], self.axis + batch.ndim)]

    def __str__(self) -> str:
        return f"Shape_i{{{self.axis}}}"


def shape_i(x: Any, axis: int) -> Any:
    """Return the length of an axis as a 0-d int64 variable.

    Examples
    --------
    >>> shape_i(T.dmatrix("x"), 0).type
    TensorType(int64, scalar)
    """
    x = as_tensor_variable(x)
    length = x.type.shape[axis]
    if length is None:
        return Shape_i(axis)(x)
    return made_from(constant(length, dtype="int64"), [x])


class MakeVector(Op):
    """A vector of 0-d variables of one dtype."""

    __call__: Callable[..., Tensor]
    __props__ = ("dtype",)
    takes = "*0..."

    def __init__(self, dtype: str = "int64") -> None:
        self.dtype = dtypes.canonical(dtype)

    def as_variable(self, value: Any) -> Any:
        """Convert to the vector's dtype."""
        return cast(value, self.dtype)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a vector of static length."""
        return [TensorType(self.dtype, (len(inputs),))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(len(node.inputs),)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.array([item.item() for item in inputs], dtype=self.dtype)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient of each element."""
        (g,) = output_grads
        return [g[position] for position in range(len(inputs))]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The vector of directions."""
        points = [
            item.zeros_like() if point is None else point
            for item, point in zip(inputs, eval_points, strict=True)
        ]
        return [self(*points)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [batch.stacked()]

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Store one element after the other."""
        for position, operand in enumerate(arrays.inputs):
            b.store(arrays.outputs[0], [position], b.load(operand, []))

    def __str__(self) -> str:
        return f"MakeVector{{dtype='{self.dtype}'}}"


def shape(x: TensorLike) -> Tensor:
    """Return the shape of ``x`` as an int64 vector of static length.

    Examples
    --------
    >>> shape(T.dmatrix("x")).type
    TensorType(int64, (2))
    """
    x = as_tensor_variable(x)
    vector = MakeVector("int64")(*(shape_i(x, axis) for axis in range(x.ndim)))
    return made_from(vector, [] if x.ndim else [x])


def size(x: TensorLike) -> Tensor:
    """Return the number of elements of ``x`` as an int64 scalar.

    Examples
    --------
    >>> int(size([[1, 2], [3, 4]]).eval())
    4
    """
    x = as_tensor_variable(x)
    count: Tensor = as_dim(dims_product(shape_of(x)))
    return made_from(count, [x] if None not in x.type.shape else [])


# -- reshape ------------------------------------------------------------------------------------


def is_length(variable: Any) -> bool:
    """Return whether a 0-d variable is computed from lengths, and so is never negative."""
    stack = [variable]
    while stack:
        item = stack.pop()
        owner = item.owner
        if owner is None:
            if not (isinstance(item, Constant) and int(item.data) >= 0):
                return False
        elif isinstance(owner.op, Shape_i):
            continue
        elif getattr(owner.op, "scalar_op", None) in (scalar.add, scalar.mul, scalar.int_div):
            stack.extend(owner.inputs)
        elif owner.op.__class__.__name__ == "Subtensor" and isinstance(
            getattr(owner.inputs[0].owner, "op", None), MakeVector
        ):
            stack.extend(owner.inputs[0].owner.inputs)
        else:
            return False
    return True


# -- static shape -------------------------------------------------------------------------------


# -- axes ---------------------------------------------------------------------------------------
