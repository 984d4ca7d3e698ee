"""Diagonals: extracting and setting them, and matrices with a diagonal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import IndexMap, Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import fit_grad, same_length
from symtheano.tensor.indexing.slices import converted, linear_in_both
from symtheano.tensor.indexing.subtensor import set_subtensor
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS
from symtheano.tensor.shapes.shape import as_dim, dim_value, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays, View


def _larger(x: Any, y: Any) -> Any:
    is_static = isinstance(x, int) and isinstance(y, int)
    return max(x, y) if is_static else scalar.maximum(x, y)


def _smaller(x: Any, y: Any) -> Any:
    is_static = isinstance(x, int) and isinstance(y, int)
    return x if x is y else min(x, y) if is_static else scalar.minimum(x, y)


class Diagonal(Op):
    """Common part of extracting and setting a diagonal of the last two axes.

    The last input is the offset of the diagonal, 0-d int64: column minus row.
    """

    __props__: tuple[str, ...] = ()

    def geometry(self, node: Apply, shapes: list[Any]) -> tuple[Any, Any, Any]:
        """Return the first row and column, and the length of the diagonal, as ints if known."""
        offset = offset_within(node.inputs[-1])
        rows, columns = shapes[0][-2:]
        below, right = _larger(-offset, 0), _larger(offset, 0)
        left = _smaller(rows - below, columns - right)
        main = isinstance(offset, int) and offset == 0
        return below, right, left if main else _larger(left, 0)

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the first row and column, and the length of the diagonal."""
        return list(self.geometry(node, shapes))

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """The offset has no gradient."""
        return [*[[True]] * (len(node.inputs) - 1), [False]]

    def part(self, whole: View, scalars: Sequence[Index]) -> View:
        """Return the diagonal as a view."""
        below, right, length = scalars
        corner = whole.sliced(whole.ndim - 2, below, length, 1)
        corner = corner.sliced(whole.ndim - 1, right, length, 1)
        step = corner.strides[-2] + corner.strides[-1]
        return type(whole)(
            whole.buffer, corner.shape[:-1], (*corner.strides[:-2], step), corner.offset
        )


class TakeDiagonal(Diagonal):
    """A diagonal of the last two axes, which becomes the last axis; always a view."""

    __call__: Callable[..., Tensor]
    takes = "*2+ l0"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the static length if it is known."""
        x, offset = inputs
        rows, columns = x.type.shape[-2:]
        k = dim_value(offset)
        length = None
        if isinstance(rows, int) and isinstance(columns, int) and isinstance(k, int):
            length = max(min(rows - max(-k, 0), columns - max(k, 0)), 0)
        return [TensorType(x.dtype, (*x.type.shape[:-2], length))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the diagonal's length."""
        static_length = node.outputs[0].type.shape[-1]
        length = self.geometry(node, shapes)[2] if static_length is None else static_length
        return [(*shapes[0][:-2], length)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        below, right = max(-int(inputs[1]), 0), max(int(inputs[1]), 0)
        corner = inputs[0][..., below:, right:]  # the offset of np.diagonal is a C int
        output_storage[0][0] = np.diagonal(corner, 0, -2, -1)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Put the gradient on the diagonal."""
        x, offset = inputs
        return [set_diagonal(x.zeros_like(), output_grads[0], offset), None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Extract the same part of the direction."""
        return [None if eval_points[0] is None else self(eval_points[0], inputs[1])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Take the diagonal of each."""
        batch.needs_plain(node, 1)
        return [self(batch.inputs[0], batch.inputs[1])]

    @partial(IndexMap, scalars=Diagonal.scalars)
    def lowering(
        self, node: Apply, operand: View, scalars: list[Index], shape: Sequence[Index]
    ) -> View:
        """Return the diagonal as an index map over the operand's memory."""
        return self.part(operand, scalars)


class SetDiagonal(Diagonal):
    """An array with a diagonal of its last two axes set to the second input."""

    __call__: Callable[..., Tensor]
    takes = "*2+ *1+ l0"
    R_op = linear_in_both

    def make_node(self, *inputs: Any) -> Apply:
        """Convert the value to the dtype and number of dimensions of the diagonal."""
        x, value, offset = (as_tensor_variable(item) for item in inputs)
        value = as_tensor_variable(converted(value, x.dtype), ndim=x.ndim - 1)
        return Apply(self, [x, value, offset], [TensorType(x.dtype, x.type.shape)])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The value fits the diagonal."""
        part = (*shapes[0][:-2], self.geometry(node, shapes)[2])
        requirements: list[Requirement] = []
        for axis, (mine, wanted) in enumerate(zip(shapes[1], part, strict=True)):
            if node.inputs[1].type.shape[axis] != 1:
                requirements += same_length(mine, wanted, partial(_misfit, node, axis))
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, value, offset = inputs
        result = x.copy()
        rows, columns = x.shape[-2:]
        number = int(offset_within(int(offset)))
        below, right = max(-number, 0), max(number, 0)
        place = np.arange(max(min(rows - below, columns - right), 0))
        part = (*x.shape[:-2], len(place))
        for axis, (mine, wanted) in enumerate(zip(value.shape, part, strict=True)):
            if mine != wanted and node.inputs[1].type.shape[axis] != 1:
                raise ShapeError(_misfit(node, axis, [mine, wanted]))
        result[..., place + below, place + right] = value
        output_storage[0][0] = result

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The value has the gradient of the diagonal; the previous elements have none."""
        _, value, offset = inputs
        (g,) = output_grads
        hidden = set_diagonal(g, value.zeros_like(), offset)
        return [hidden, fit_grad(TakeDiagonal()(g, offset), value), None]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Set the diagonal of each."""
        batch.needs_plain(node, 2)
        return [self(batch.full(0), batch.full(1), batch.inputs[2])]

    @partial(Statements, scalars=Diagonal.scalars, overwrites=0)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Loop over the diagonal; the output already contains the whole array."""
        part = self.part(arrays.outputs[0], arrays.scalars)
        value = arrays.inputs[1].broadcast(part.shape)
        with b.nest(part.shape, kind="independent") as index:
            b.store(part, index, b.load(value, index))


def _misfit(node: Apply, axis: int, values: Sequence[int]) -> str:
    return call_message(
        f"fill_diagonal: a value of length {values[0]} along axis {axis} does not fit a diagonal "
        f"of length {values[1]}",
        node,
        *node.inputs[:2],
    )


def offset_within(offset: Any) -> Any:
    """Return the offset of a diagonal within limits that no array reaches, as an int if known."""
    number = dim_value(as_dim(offset))
    return _smaller(_larger(number, -MOST_ELEMENTS), MOST_ELEMENTS)


def set_diagonal(x: Any, value: Any, offset: Any = 0) -> Tensor:
    """Return ``x`` with a diagonal of its last two axes set to ``value``, which is broadcast.

    Examples
    --------
    >>> set_diagonal(T.zeros((2, 3)), [1.0, 2.0], 1).eval().tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]
    """
    return SetDiagonal()(x, value, as_dim(offset))


# -- taking -------------------------------------------------------------------------------------


def _pair(name: str, a: Any, axis1: int, axis2: int) -> tuple[int, int]:
    if a.ndim < 2:
        raise ValueError(build_message(f"{name}: {a.ndim} dims, but at least two are needed", a))
    (first,), (second,) = normalize_axis(axis1, a.ndim), normalize_axis(axis2, a.ndim)
    if first == second:
        raise ValueError(build_message(f"{name}: axis1 and axis2 are both {first}", a))
    return first, second


def diagonal(a: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return a diagonal of two axes, which are replaced by one axis at the end.

    Parameters
    ----------
    a
        Array of at least two dims.
    offset
        Offset of the diagonal: 0 for the main diagonal, positive above it; may be symbolic.
    axis1, axis2
        The axes of rows and of columns.

    Examples
    --------
    >>> diagonal([[1, 2], [3, 4]]).eval().tolist()
    [1, 4]
    """
    a = as_tensor_variable(a)
    rows, columns = _pair("diagonal", a, axis1, axis2)
    rest = [axis for axis in range(a.ndim) if axis not in (rows, columns)]
    return TakeDiagonal()(a.dimshuffle(*rest, rows, columns), as_dim(offset))


def diag(v: TensorLike, k: int = 0) -> Tensor:
    """Return the ``k``-th diagonal of a matrix, or the matrix with a vector on that diagonal.

    Raises
    ------
    ValueError
        If ``v`` does not have one or two dimensions.

    Examples
    --------
    >>> diag([1, 2]).eval().tolist(), diag([[1, 2], [3, 4]], 1).eval().tolist()
    ([[1, 0], [0, 2]], [2])
    """
    v = as_tensor_variable(v)
    if v.ndim == 1:
        return alloc_diag(v, k)
    if v.ndim == 2:
        return diagonal(v, k)
    raise ValueError(build_message(f"diag: {v.ndim} dims, but one or two are needed", v))


extract_diag = diag


def alloc_diag(v: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return an array of zeros with the last axis of ``v`` on a diagonal of two axes.

    Examples
    --------
    >>> alloc_diag([5, 6], 1).eval().tolist()
    [[0, 5, 0], [0, 0, 6], [0, 0, 0]]
    """
    v = as_tensor_variable(v)
    if v.ndim < 1:
        raise ValueError(build_message("alloc_diag: the diagonal must have at least one axis", v))
    *batch, length = shape_of(v)
    number = offset_within(offset)
    side = length + (abs(number) if isinstance(number, int) else scalar.abs(number))
    array = set_diagonal(zeros((*batch, side, side), v.dtype), v, offset)
    (first,), (second,) = normalize_axis(axis1, array.ndim), normalize_axis(axis2, array.ndim)
    if first == second:
        raise ValueError(build_message(f"alloc_diag: axis1 and axis2 are both {first}", v))
    order = list(range(v.ndim - 1))
    for place, axis in sorted([(first, v.ndim - 1), (second, v.ndim)]):
        order.insert(place, axis)
    return array.dimshuffle(*order)


def diagflat(v: TensorLike, k: int = 0) -> Tensor:
    """Return a matrix with the elements of ``v``, in C order, on its ``k``-th diagonal.

    Examples
    --------
    >>> diagflat([[1], [2]]).eval().tolist()
    [[1, 0], [0, 2]]
    """
    return alloc_diag(as_tensor_variable(v).flatten(), k)


def diag_indices(n: Any, ndim: int = 2) -> tuple[Tensor, ...]:
    """Return the positions of the main diagonal of an array of ``ndim`` axes of length ``n``.

    Examples
    --------
    >>> [place.eval().tolist() for place in diag_indices(3)]
    [[0, 1, 2], [0, 1, 2]]
    """
    return (arange(as_dim(n)),) * ndim


def diag_indices_from(arr: TensorLike) -> tuple[Tensor, ...]:
    """Return the positions of the main diagonal of an array with equal lengths.

    Raises
    ------
    ValueError
        In a call, if the lengths differ.

    Examples
    --------
    >>> [place.eval().tolist() for place in diag_indices_from([[1, 2], [3, 4]])]
    [[0, 1], [0, 1]]
    """
    arr = as_tensor_variable(arr)
    if arr.ndim < 2:
        raise ValueError(
            build_message(f"diag_indices_from: {arr.ndim} dims, but at least two are needed", arr)
        )
    return diag_indices(_cube("diag_indices_from", arr)[0].shape[0], arr.ndim)


def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """Return the sum along a diagonal; arguments as for :func:`diagonal` and :func:`sum`.

    Examples
    --------
    >>> int(trace([[1, 2], [3, 4]]).eval())
    5
    """
    return diagonal(x, offset, axis1, axis2).sum(axis=-1, dtype=dtype)


# -- setting ------------------------------------------------------------------------------------


def fill_diagonal(a: Any, val: TensorLike, wrap: bool = False) -> Tensor:
    """Return ``a`` with its main diagonal set to a number, or to the elements of an array.

    If a matrix has more rows than columns, the diagonal ends in the last column. Arrays with more
    than two dimensions must have equal lengths along all axes.

    Parameters
    ----------
    a
        Array of at least two dims.
    val
        A number, or an array whose elements are used in order, and again from the first one if
        there are too few. Its dtype must be safely castable to that of ``a``.
    wrap
        Whether the diagonal of a matrix with more rows than columns continues in the first column,
        one row below.

    Raises
    ------
    ValueError
        In a call, if an array with more than two dimensions has unequal lengths, or if ``val`` is
        empty.

    Examples
    --------
    >>> fill_diagonal(T.zeros((2, 2)), 1).eval().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    >>> fill_diagonal(T.zeros((4, 2)), [1, 2], wrap=True).eval().tolist()
    [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [1.0, 0.0]]
    """
    a, val = as_tensor_variable(a), as_tensor_variable(val)
    if a.ndim < 2:
        raise TypeError(
            build_message(f"fill_diagonal: {a.ndim} dims, but at least two are needed", a)
        )
    if a.ndim == 2 and not wrap:
        length = _shorter(*shape_of(a))
        return set_diagonal(a, _in_turn(val, length) if val.ndim else val)
    step: Any = shape_of(a)[-1] + 1
    if a.ndim > 2:
        a, step = _cube("fill_diagonal", a)
    part = a.flatten()[:: step if isinstance(step, int) else scalar.maximum(step, 1)]
    return set_subtensor(part, _in_turn(val, shape_of(part)[0]) if val.ndim else val).reshape(
        a.shape
    )


def _cube(name: str, a: Any) -> tuple[Any, Any]:
    """Return an array whose lengths are checked to be equal, and the stride of the diagonal."""
    from symtheano.tensor.assertion import required

    length = a.shape[0]
    for axis in range(1, a.ndim):
        same = scalar.eq(length, a.shape[axis])
        a = required(a, same, f"{name}: an array of {a.ndim} dims has unequal lengths")
    step: Any = 1
    for _ in range(a.ndim - 1):
        step = step * length + 1
    return a, step


def _shorter(rows: Any, columns: Any) -> Any:
    if isinstance(rows, int) and isinstance(columns, int):
        return min(rows, columns)
    return scalar.minimum(rows, columns)


def _in_turn(values: Any, count: Any) -> Any:
    """Return a number of elements of a flat array, cyclically."""
    from symtheano.tensor.assertion import required

    flat = values.flatten()
    some = scalar.gt(as_dim(shape_of(flat)[0]), 0)
    flat = required(flat, some, "fill_diagonal: val has no elements")
    return flat[arange(count) % as_dim(shape_of(flat)[0])]


def fill_diagonal_offset(a: TensorLike, val: TensorLike, offset: Any) -> Tensor:
    """Return a matrix with its ``offset``-th diagonal set to a number.

    Parameters
    ----------
    a
        Matrix.
    val
        0-d; its dtype must be safely castable to that of ``a``.
    offset
        0-d integer: positive to the right of the main diagonal.

    Examples
    --------
    >>> fill_diagonal_offset(T.zeros((2, 2)), 1, 1).eval().tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    a, val = as_tensor_variable(a), as_tensor_variable(val)
    if a.ndim != 2 or val.ndim:
        raise TypeError(
            build_message("fill_diagonal_offset takes a matrix, a number and an offset", a, val)
        )
    return set_diagonal(a, val, offset)


# -- Theano's classes ---------------------------------------------------------------------------


class ExtractDiag:
    """Theano's form of :func:`diagonal`: constructed with the arguments, called with the array."""

    def __init__(self, offset: int = 0, axis1: int = 0, axis2: int = 1, view: bool = False) -> None:
        self.offset, self.axis1, self.axis2 = offset, axis1, axis2

    def __call__(self, x: Any) -> Any:
        """Return the diagonal of ``x``."""
        return diagonal(x, self.offset, self.axis1, self.axis2)


class AllocDiag:
    """Theano's form of :func:`alloc_diag`: constructed with arguments, called with an array."""

    def __init__(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> None:
        self.offset, self.axis1, self.axis2 = offset, axis1, axis2

    def __call__(self, diag: Any) -> Any:
        """Return zeros with ``diag`` on a diagonal."""
        return alloc_diag(diag, self.offset, self.axis1, self.axis2)
