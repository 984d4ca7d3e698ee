"""Products: dot of vectors and matrices, batched and tensor products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError, format_error
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, label, op_name
from symtheano.tensor.shapes.axis_numbers import axis_number
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, Literal, NodeArrays, View
    from symtheano.loopir.operands import Operand

BLAS_DTYPES = ("float32", "float64", "complex64", "complex128")


def inner_message(node: Apply, first: int, values: Sequence[int]) -> str:
    """Return the message for factors whose inner lengths differ, starting at input ``first``."""
    x, y = node.inputs[first : first + 2]
    return format_error(
        f"{op_name(node.op)}: the left factor has {values[0]} columns, but the right one has "
        f"{values[1]} rows",
        operands=[(label(x), f"{x.type}, left"), (label(y), f"{y.type}, right")],
        places=[node.origin, x.origin, y.origin],
    )


def same_inner(node: Apply, first: int, left: Any, right: Any) -> list[Requirement]:
    """Require the inner lengths of a product to be equal."""
    return same_length(left, right, partial(inner_message, node, first))


class Product(Op):
    """Base class of products of two arrays, in their promoted dtype."""

    __call__: Callable[..., Tensor]
    __props__ = ()
    takes = "** **"

    def make_node(self, *inputs: Any) -> Apply:
        """Promote the factors to one dtype."""
        x, y = (as_tensor_variable(item) for item in inputs)
        dtype = dtypes.upcast(x.dtype, y.dtype)
        factors = [cast(x, dtype), cast(y, dtype)]
        return Apply(self, factors, self.infer(*factors))


class Dot(Product):
    """The product of two vectors or matrices."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Check known inner lengths and drop them."""
        x, y = inputs
        if not (1 <= x.ndim <= 2 and 1 <= y.ndim <= 2):
            raise TypeError(build_message("dot takes vectors and matrices", x, y))
        left, right = x.type.shape[-1], y.type.shape[0]
        if None not in (left, right) and left != right:
            raise ShapeError(
                build_message(
                    f"dot: the left factor has {left} columns, but the right one has {right} rows",
                    x,
                    y,
                )
            )
        return [TensorType(x.dtype, (*x.type.shape[:-1], *y.type.shape[1:]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(*shapes[0][:-1], *shapes[1][1:])]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The inner lengths are equal."""
        return same_inner(node, 0, shapes[0][-1], shapes[1][0])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, y = inputs
        if x.shape[-1] != y.shape[0]:
            raise ShapeError(inner_message(node, 0, [x.shape[-1], y.shape[0]]))
        with np.errstate(all="ignore"):
            output_storage[0][0] = np.asarray(np.dot(x, y))

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Multiply by the other factor, transposed."""
        (x, y), (g,) = inputs, output_grads
        x_, y_ = scalar.conj(x), scalar.conj(y)
        if x.ndim == 1 and y.ndim == 1:
            return [g * y_, g * x_]
        if x.ndim == 1:
            return [dot(g, y_.T), outer(x_, g)]
        if y.ndim == 1:
            return [outer(g, y_), dot(x_.T, g)]
        return [dot(g, y_.T), dot(x_.T, g)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The product rule."""
        (x, y), (dx, dy) = inputs, eval_points
        terms = [dot(dx, y)] if dx is not None else []
        terms += [dot(x, dy)] if dy is not None else []
        return [None if not terms else terms[0] if len(terms) == 1 else terms[0] + terms[1]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        x, y = batch.inputs
        n, rows = batch.ndim, node.inputs[0].ndim - 1
        if not batch.batched[1]:
            return [tensordot(x, y, [[x.ndim - 1], [0]])]
        if not batch.batched[0]:
            product = tensordot(y, x, [[n], [x.ndim - 1]])
            last = [*range(product.ndim - rows, product.ndim)]
            return [product.dimshuffle(*range(n), *last, *range(n, product.ndim - rows))]
        left, right = batch.full(0), batch.full(1)
        if rows == 0:
            left = left.dimshuffle(*range(n), "x", n)
        columns = node.inputs[1].ndim - 1
        if columns == 0:
            right = right.dimshuffle(*range(n + 1), "x")
        kept = [*range(n), *([n] if rows else []), *([n + 1] if columns else [])]
        return [_batched_product(left, right, n).dimshuffle(*kept)]

    def accepts(self, number: int, view: View) -> bool:
        """BLAS requires that one stride of a matrix is 1."""
        return view.dtype not in BLAS_DTYPES or blas_layout(view) is not None

    @partial(Statements, accepts=accepts)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call GEMM or GEMV; integers, half precision and pairs of vectors use plain loops."""
        x, y = arrays.inputs
        if x.dtype in BLAS_DTYPES and x.ndim + y.ndim > 2:
            product_call(b, 1.0, x, y, 0.0, arrays.outputs[0])
        else:
            _product_loops(b, x, y, arrays.outputs[0])

    def __str__(self) -> str:
        return "dot"


def blas_layout(view: View) -> tuple[bool, Index] | None:
    """Return (transposed, leading dimension) of a matrix for BLAS, or None if unsupported.

    A vector is a matrix with one column, and may have any stride except zero.
    """
    from symtheano.loopir import Index

    if view.ndim == 1:
        return (False, view.strides[0]) if view.strides[0] != 0 else None
    if 0 in view.shape:
        return False, Index.of(1) if view.shape[1] == 0 else view.shape[1]
    rows, columns = view.strides
    if columns == 1 and rows != 0 and _no_less(rows, view.shape[1]):
        return False, rows
    if rows == 1 and columns != 0 and _no_less(columns, view.shape[0]):
        return True, columns
    return None


def _no_less(stride: Index, length: Index) -> bool:
    """Return whether a stride is known to be at least a row: no overlap, not negative."""
    if stride == length:
        return True
    if stride.constant is not None:
        return length.constant is not None and stride.constant >= max(length.constant, 1)
    return all(coefficient > 0 for _, coefficient in stride.terms)


def product_call(
    b: Builder, alpha: float | Operand, x: View, y: View, beta: float | Operand, target: View
) -> None:
    """Write the BLAS call for ``target = beta * target + alpha * x @ y``."""
    factors = [_factor(b, value, target.dtype) for value in (alpha, beta)]
    if x.ndim == 1:
        x, y = y.permuted((1, 0)), x
    if y.ndim == 1:
        layout = blas_layout(x)
        assert layout is not None
        transposed, leading = layout
        m, n = (x.shape[1], x.shape[0]) if transposed else x.shape
        b.call(
            "gemv", transposed, m, n, factors[0], x.address, leading, y.address, y.strides[0],
            factors[1], target.address, target.strides[0],
        )  # fmt: skip
        return
    left, right = blas_layout(x), blas_layout(y)
    assert left is not None
    assert right is not None
    b.call(
        "gemm", left[0], right[0], x.shape[0], y.shape[1], x.shape[1], factors[0], x.address,
        left[1], y.address, right[1], factors[1], target.address, target.strides[0],
    )  # fmt: skip


def batched_call(b: Builder, x: View, y: View, target: View) -> None:
    """Write the call for ``target[i] = x[i] @ y[i]``, for each index of the first axes."""
    left, right = blas_layout(x.item(0, 0)), blas_layout(y.item(0, 0))
    assert left is not None
    assert right is not None
    count, rows, columns = target.shape
    b.call(
        "batched_gemm", left[0], right[0], count, rows, columns, x.shape[2],
        _factor(b, 1.0, target.dtype), x.address, x.strides[0], left[1],
        y.address, y.strides[0], right[1],
        _factor(b, 0.0, target.dtype), target.address, *target.strides[:2],
    )  # fmt: skip


def _factor(b: Builder, value: float | Operand, dtype: str) -> Operand:
    if isinstance(value, float):
        return b.literal(complex(value) if dtypes.is_complex(dtype) else value, dtype)
    return value


def _product_loops(b: Builder, x: View, y: View, target: View, sums: View | None = None) -> None:
    """Write naive loops; the innermost one is that over the last axis of ``y`` if possible.

    ``sums`` is memory for the sums of one row, if they are wider than the target's numbers.
    """
    if y.ndim == 1 or y.strides[1] != 1:
        _sum_after_sum(b, x, y, target)
        return
    if x.ndim == 1:
        _row_of_sums(b, x, y, target, sums)
        return
    with b.loop("i", x.shape[0], kind="independent") as i:
        _row_of_sums(b, x.item(0, i), y, target.item(0, i), sums)


def dtype_of_sums(dtype: str) -> str:
    """Return the dtype of sums."""
    return {"float16": "float32"}.get(dtype, dtype)


def _zero(b: Builder, dtype: str) -> Literal:
    zeros: dict[str, Any] = {"b": False, "f": 0.0}
    return b.literal(zeros.get(dtype[0], 0), dtype)


def _term(b: Builder, x: Operand, y: Operand, dtype: str) -> Operand:
    return b.let("mul", dtype, [b.cast(x, dtype), b.cast(y, dtype)])


def _row_of_sums(b: Builder, x: View, y: View, target: View, sums: View | None) -> None:
    """Add multiples of the rows of a matrix."""
    wide, columns = dtype_of_sums(target.dtype), y.shape[1]
    if sums is None:
        sums = target if wide == target.dtype else b.local("sums", wide, columns)
    with b.loop("j", columns, kind="independent") as j:
        b.store(sums, [j], _zero(b, wide))
    with b.loop("k", x.shape[0], kind="reduce") as k, b.loop("j", columns, kind="independent") as j:
        b.update(sums, [j], "add", _term(b, b.load(x, [k]), b.load(y, [k, j]), wide))
    if sums is not target:
        with b.loop("j", columns, kind="independent") as j:
            b.store(target, [j], b.load(sums, [j]))


def _sum_after_sum(b: Builder, x: View, y: View, target: View) -> None:
    wide, views = dtype_of_sums(target.dtype), [x, y]
    with b.nest(target.shape, kind="independent") as index:
        rest = list(index)
        if x.ndim == 2:
            views[0] = x.item(0, rest.pop(0))
        if y.ndim == 2:
            views[1] = y.item(1, rest.pop(0))
        total = b.declare("total", _zero(b, wide))
        with b.loop("k", x.shape[-1], kind="reduce") as k:
            left, right = (b.load(view, [k]) for view in views)
            b.reduce(total, "add", _term(b, left, right, wide))
        b.store(target, index, total)


dot_op = Dot()


def dot(x: Any, y: Any) -> Tensor:
    """Return the product of ``x`` and ``y``.

    Parameters
    ----------
    x, y
        Scalars, vectors, matrices or arrays with more dimensions. A scalar multiplies the other
        factor. For other arrays, the sum is over the last axis of ``x`` and the second-to-last axis
        of ``y``, as in NumPy.

    Raises
    ------
    ShapeError
        If the inner lengths differ. The error occurs when the graph is built if the lengths are
        known.

    Examples
    --------
    >>> T.dot(T.matrix("A"), T.vector("b")).type
    TensorType(float64, vector)
    """
    left, right = as_tensor_variable(x), as_tensor_variable(y)
    if left.ndim == 0 or right.ndim == 0:
        return left * right
    if left.ndim > 2 or right.ndim > 2:
        return tensordot(left, right, [[left.ndim - 1], [max(right.ndim - 2, 0)]])
    return dot_op(left, right)


def outer(x: TensorLike, y: TensorLike) -> Tensor:
    """Return the outer product of two vectors; other arrays are flattened.

    Examples
    --------
    >>> outer([1, 2], [3, 4]).eval().tolist()
    [[3, 4], [6, 8]]
    """
    x, y = as_tensor_variable(x), as_tensor_variable(y)
    x = x if x.ndim == 1 else x.flatten()
    y = y if y.ndim == 1 else y.flatten()
    return x.dimshuffle(0, "x") * y.dimshuffle("x", 0)


class BatchedDot(Product):
    """Products of matrices, one for each index of the first axis of both factors."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Merge the batch lengths, drop the inner ones."""
        x, y = inputs
        if x.ndim != 3 or y.ndim != 3:
            raise TypeError(build_message("batched_dot takes two arrays of 3 dims", x, y))
        batch = x.type.shape[0] if x.type.shape[0] is not None else y.type.shape[0]
        return [TensorType(x.dtype, (batch, x.type.shape[1], y.type.shape[2]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(shapes[0][0], shapes[0][1], shapes[1][2])]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Batch and inner lengths are equal."""
        return [
            *same_inner(node, 0, shapes[0][0], shapes[1][0]),
            *same_inner(node, 0, shapes[0][2], shapes[1][1]),
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, y = inputs
        if x.shape[0] != y.shape[0] or x.shape[2] != y.shape[1]:
            raise ShapeError(inner_message(node, 0, [x.shape[2], y.shape[1]]))
        with np.errstate(all="ignore"):
            output_storage[0][0] = np.matmul(x, y)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Multiply by the other factor, transposed."""
        (x, y), (g,) = inputs, output_grads
        return [
            self(g, scalar.conj(y).dimshuffle(0, 2, 1)),
            self(scalar.conj(x).dimshuffle(0, 2, 1), g),
        ]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The product rule."""
        (x, y), (dx, dy) = inputs, eval_points
        terms = [self(dx, y)] if dx is not None else []
        terms += [self(x, dy)] if dy is not None else []
        return [None if not terms else terms[0] if len(terms) == 1 else terms[0] + terms[1]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [_batched_product(batch.full(0), batch.full(1), batch.ndim + 1)]

    def accepts(self, number: int, view: View) -> bool:
        """BLAS requires that one stride of each matrix is 1."""
        return view.dtype not in BLAS_DTYPES or blas_layout(view.item(0, 0)) is not None

    @partial(Statements, accepts=accepts)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call GEMM for all pairs at once; integers and half precision use plain loops."""
        if arrays.outputs[0].dtype in BLAS_DTYPES:
            batched_call(b, arrays.inputs[0], arrays.inputs[1], arrays.outputs[0])
            return
        with b.loop("batch", arrays.outputs[0].shape[0], kind="independent") as batch:
            x, y, target = (view.item(0, batch) for view in (*arrays.inputs, arrays.outputs[0]))
            wide = dtype_of_sums(target.dtype)
            sums = None if wide == target.dtype else b.local("sums", wide, target.shape[1])
            _product_loops(b, x, y, target, sums)


batched_dot_op = BatchedDot()


def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """Return the product of two arrays, summed over pairs of axes.

    Parameters
    ----------
    a, b
        Arrays of any number of dims.
    axes
        Number of last axes of ``a`` that are summed with the first ones of ``b``, or two lists of
        axes.

    Raises
    ------
    ValueError
        If an axis does not exist or occurs twice, or the lists have different lengths.
    ShapeError
        If two axes that are summed have different lengths.

    Examples
    --------
    >>> T.tensordot(T.tensor3("a"), T.tensor4("b"), axes=[[0, 2], [3, 1]]).ndim
    3
    """
    from symtheano.tensor.linalg.lengths import checked_lengths

    a, b = as_tensor_variable(a), as_tensor_variable(b)
    if isinstance(axes, int | np.integer) or getattr(axes, "ndim", 1) == 0:
        count = axis_number(axes)
        mine, yours = list(range(-count, 0)), list(range(count))
    else:
        mine, yours = (list(x) if np.ndim(x) else [axis_number(x)] for x in axes)
    mine, yours = _axes_that_meet(mine, a, axes), _axes_that_meet(yours, b, axes)
    if len(mine) != len(yours):
        raise ValueError(
            build_message(
                f"tensordot: {len(mine)} axes of the first array, but {len(yours)} of the second",
                a,
                b,
            )
        )
    kept_a = [axis for axis in range(a.ndim) if axis not in mine]
    kept_b = [axis for axis in range(b.ndim) if axis not in yours]
    dims_a, dims_b = shape_of(a), shape_of(b)
    if len(mine) > 1:  # otherwise the product itself raises the error
        pairs = [(axis, dims_a[met]) for axis, met in zip(yours, mine, strict=True)]
        b = checked_lengths(f"tensordot of {label(a)} and {label(b)}", b, pairs)
    rows = [dims_a[axis] for axis in kept_a]
    columns = [dims_b[axis] for axis in kept_b]
    left = _as_matrix(a.dimshuffle(*kept_a, *mine), rows, [dims_a[axis] for axis in mine])
    right = _as_matrix(b.dimshuffle(*yours, *kept_b), [dims_b[axis] for axis in yours], columns)
    result = dot_op(left, right)
    wanted = [*rows, *columns]
    if len(rows) == 1 and len(columns) == 1:
        return result
    return reshape_op(result, *as_dims(wanted)) if wanted else reshape_op(result)


def _axes_that_meet(chosen: Sequence[int], x: Any, axes: Any) -> list[int]:
    """Return axes as non-negative numbers."""
    if any(not -x.ndim <= axis < x.ndim for axis in chosen):
        raise ValueError(build_message(f"tensordot: axes {axes} are out of range", x))
    numbers = [axis % x.ndim for axis in chosen]
    if len(set(numbers)) != len(numbers):
        raise ValueError(build_message(f"tensordot: axes {axes} contain one axis twice", x))
    return numbers


def _as_matrix(x: Any, rows: Sequence[Any], columns: Sequence[Any]) -> Any:
    if len(rows) == 1 and len(columns) == 1:
        return x
    return reshape_op(x, *as_dims((dims_product(rows), dims_product(columns))))


def _batched_product(x: Any, y: Any, axes: int) -> Any:
    """Multiply matrices for each index of the first ``axes`` axes of both."""
    if axes == 1:
        return batched_dot_op(x, y)
    dims = shape_of(x)[:axes]
    flat = [reshape_op(f, *as_dims((dims_product(dims), *shape_of(f)[axes:]))) for f in (x, y)]
    product = batched_dot_op(*flat)
    return reshape_op(product, *as_dims((*dims, *shape_of(product)[1:])))
