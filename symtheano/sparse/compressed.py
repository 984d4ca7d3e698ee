"""Products of a compressed matrix and dense ones, in terms of its components.

The stored elements of row ``i`` are ``starts[i]:starts[i + 1]``; each has a column in ``indices``
and a value in ``data``. The callers decide whether the rows are rows or columns of the user's
matrix: the two formats are transposes of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.sparse import guards
from symtheano.sparse.places import Gathered, Scattered, zero_of
from symtheano.sparse.segments import bounds, segment_of
from symtheano.sparse.starts import length
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import call_message
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dim, as_dims, dim_value, dims_product, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays, View
    from symtheano.loopir.operands import Operand


# Cost of finding the dense row of a stored element, or a row's bounds, in additions.
_VISIT = 4


class CompressedProduct(Op):
    """Base class of the three products; inputs 0 and 1 are differentiable."""

    __props__ = ()
    takes = "*1 *1+ i1 j1 l0"
    differentiable_inputs = 2

    def make_node(self, *inputs: Any) -> Apply:
        """Promote the two factors to one dtype."""
        x, y, *rest = (as_tensor_variable(item) for item in inputs)
        dtype = dtypes.upcast(x.dtype, y.dtype)
        operands = [cast(x, dtype), cast(y, dtype), *rest]
        return Apply(self, operands, self.infer(*operands))

    def make_checked(self, *inputs: Any) -> Apply:
        """Check the structure."""
        x, y, indices, starts, columns = inputs
        if not isinstance(self, SampledDot):
            x = guards.one_each(x, indices)
        elif x.ndim != y.ndim:
            raise ValueError(f"{self}: operands of {x.ndim} and {y.ndim} dims")
        starts = guards.segments(starts, length(guards.bare(indices)))
        return self.make_node(x, y, guards.inside(indices, columns), starts, columns)

    def ends(self, indices: Any, starts: Any, columns: Any) -> tuple[Any, Any, Any]:
        """Return each element's row of the dense factor, of the result, and the result's rows."""
        raise NotImplementedError

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Combine dense factors into one matrix; batches of data are separate products."""
        batch.needs_plain(node, 2)
        data, _, *structure = batch.inputs
        n, dense = batch.ndim, batch.full(1)
        rest = range(n + 1, dense.ndim)
        if not batch.batched[0]:
            sides = dense.dimshuffle(n, *range(n), *rest)
            dims = shape_of(sides)
            joined = reshape_op(sides, *as_dims((dims[0], dims_product(dims[1:]))))
            result = self(data, joined, *structure)
            result = reshape_op(result, *as_dims((shape_of(result)[0], *dims[1:])))
            return [result.dimshuffle(*range(1, n + 1), 0, *rest)]
        sources, targets, count = self.ends(*structure)
        factors = batch.full(0).dimshuffle(*range(n + 1), *["x"] * len(rest))
        terms = factors * Gathered(n)(dense, sources)
        front, last = shape_of(terms)[:n], shape_of(dense)[n + 1 :]
        return [Scattered(n, False)(zeros((*front, count, *last), data.dtype), terms, targets)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The product rule."""
        x, y, *rest = inputs
        dx, dy = eval_points[:2]
        terms = [self(dx, y, *rest)] if dx is not None else []
        terms += [self(x, dy, *rest)] if dy is not None else []
        return [None if not terms else terms[0] if len(terms) == 1 else terms[0] + terms[1]]


class RowsDot(CompressedProduct):
    """A compressed matrix times a dense vector or matrix, row by row.

    Inputs are data, the dense factor, indices, starts and the number of columns (0-d).
    """

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The number of rows is the number of segments."""
        x, y, _, starts, _ = inputs
        count = starts.type.shape[0]
        return [TensorType(x.dtype, (None if count is None else count - 1, *y.type.shape[1:]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(shapes[3][0] - 1, *shapes[1][1:])]

    def ends(self, indices: Any, starts: Any, columns: Any) -> tuple[Any, Any, Any]:
        """Indices select rows of the dense factor; segments are rows of the result."""
        return indices, segment_of(starts, length(indices)), length(starts) - 1

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The dense factor has a row for each column."""
        columns = dim_value(node.inputs[4])
        return same_length(columns, shapes[1][0], partial(inner_message, node))

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        data, dense, indices, starts, columns = inputs
        if dense.shape[0] != columns:
            raise ShapeError(inner_message(node, [int(columns), dense.shape[0]]))
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        output_storage[0][0] = _scattered(rows, data, dense[indices], len(starts) - 1)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """For the data, a sampled product; for the dense factor, a product with the transpose."""
        data, dense, indices, starts, columns = inputs
        (g,) = output_grads
        return [
            SampledDot()(g, scalar.conj(dense), indices, starts, columns),
            ColumnsDot()(scalar.conj(data), g, indices, starts, columns),
            None, None, None,
        ]  # fmt: skip

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Sum the terms of each row; rows are divided among threads."""
        data, dense, indices, starts, _ = arrays.inputs
        (target,) = arrays.outputs
        work = _work(data, starts, dense.shape[1:])
        with b.loop("i", starts.shape[0] - 1, kind="parallel", work=work) as i:
            first, last = bounds(b, starts, i)
            if dense.ndim == 1:
                total = b.declare("total", zero_of(wide_of(target.dtype)))
                with b.loop("p", last, first) as p:
                    column = _index(b, indices, p)
                    _accumulate(b, total, b.load(data, [p]), b.load(dense, [column]))
                b.store(target, [i], b.cast(total, target.dtype))
            else:
                with b.nest(target.shape[1:]) as j:
                    b.store(target, [i, *j], zero_of(target.dtype))
                with b.loop("p", last, first) as p:
                    column, factor = _index(b, indices, p), b.load(data, [p])
                    _add_row(b, target, i, factor, dense, column)


class ColumnsDot(CompressedProduct):
    """The transpose of a compressed matrix times a dense vector or matrix.

    Inputs are data, the dense factor, indices, starts and the number of columns (0-d), which is
    that of the result's rows.
    """

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The number of rows is the number of columns."""
        x, y, _, _, columns = inputs
        count = dim_value(columns)
        rows = count if isinstance(count, int) else None
        return [TensorType(x.dtype, (rows, *y.type.shape[1:]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(dim_value(node.inputs[4]), *shapes[1][1:])]

    def ends(self, indices: Any, starts: Any, columns: Any) -> tuple[Any, Any, Any]:
        """Segments are rows of the dense factor; indices select rows of the result."""
        return segment_of(starts, length(indices)), indices, dim_value(columns)

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The dense factor has a row for each segment."""
        return same_length(shapes[3][0] - 1, shapes[1][0], partial(inner_message, node))

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        data, dense, indices, starts, columns = inputs
        if dense.shape[0] != len(starts) - 1:
            raise ShapeError(inner_message(node, [len(starts) - 1, dense.shape[0]]))
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        output_storage[0][0] = _scattered(indices, data, dense[rows], int(columns))

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """For the data, a sampled product; for the dense factor, a product with the matrix."""
        data, dense, indices, starts, columns = inputs
        (g,) = output_grads
        return [
            SampledDot()(scalar.conj(dense), g, indices, starts, columns),
            RowsDot()(scalar.conj(data), g, indices, starts, columns),
            None, None, None,
        ]  # fmt: skip

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Add each term to its row."""
        data, dense, indices, starts, _ = arrays.inputs
        (target,) = arrays.outputs
        with b.nest(target.shape) as place:
            b.store(target, place, zero_of(target.dtype))
        with b.loop("i", starts.shape[0] - 1) as i:
            first, last = bounds(b, starts, i)
            with b.loop("p", last, first) as p:
                column, factor = _index(b, indices, p), b.load(data, [p])
                _add_row(b, target, column, factor, dense, i)


class SampledDot(CompressedProduct):
    """``dot(x, y.T)`` of dense vectors or matrices, computed only at stored elements.

    Inputs are x, y, indices, starts and the number of columns (0-d).
    """

    takes = "*1+ *1+ i1 j1 l0"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return one element for each stored one."""
        return [TensorType(inputs[0].dtype, inputs[2].type.shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """One element for each stored one."""
        return [shapes[2]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """X has a row for each segment, y one for each column, with equal numbers of columns."""
        columns, message = dim_value(node.inputs[4]), partial(sampled_message, node)
        requirements = same_length(shapes[3][0] - 1, shapes[0][0], message)
        requirements += same_length(columns, shapes[1][0], message)
        for left, right in zip(shapes[0][1:], shapes[1][1:], strict=True):
            requirements += same_length(left, right, message)
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, y, indices, starts, columns = inputs
        wanted = (len(starts) - 1, int(columns), *x.shape[1:])
        lengths = (x.shape[0], y.shape[0], *y.shape[1:])
        for values in zip(wanted, lengths, strict=True):
            if values[0] != values[1]:
                raise ShapeError(sampled_message(node, values))
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        with np.errstate(all="ignore"):
            terms = x[rows] * y[indices]
            output_storage[0][0] = terms if x.ndim == 1 else terms.sum(1).astype(x.dtype)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Products of the matrix of gradients, and of its transpose."""
        x, y, indices, starts, columns = inputs
        (g,) = output_grads
        return [
            RowsDot()(g, scalar.conj(y), indices, starts, columns),
            ColumnsDot()(g, scalar.conj(x), indices, starts, columns),
            None, None, None,
        ]  # fmt: skip

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Gather the rows of each item, and multiply them."""
        batch.needs_plain(node, 2)
        _, _, indices, starts, _ = batch.inputs
        n = batch.ndim
        rows = (segment_of(starts, length(indices)), indices)
        left, right = (Gathered(n)(batch.full(k), at) for k, at in enumerate(rows))
        terms = left * right
        return [terms if node.inputs[0].ndim == 1 else cast(terms.sum(-1), terms.dtype)]

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Multiply the two rows of each stored element; rows of x are divided among threads."""
        x, y, indices, starts, _ = arrays.inputs
        (target,) = arrays.outputs
        work = _work(target, starts, x.shape[1:])
        with b.loop("i", starts.shape[0] - 1, kind="parallel", work=work) as i:
            first, last = bounds(b, starts, i)
            with b.loop("p", last, first) as p:
                column = _index(b, indices, p)
                total = b.declare("total", zero_of(wide_of(target.dtype)))
                with b.nest(x.shape[1:], simd=False) as k:
                    _accumulate(b, total, b.load(x, [i, *k]), b.load(y, [column, *k]))
                b.store(target, [p], total)


def wide_of(dtype: str) -> str:
    """Return the dtype in which a sum is accumulated."""
    return {"float16": "float32"}.get(dtype, dtype)


def _work(stored: View, starts: View, row: Sequence[Index]) -> Index:
    """Return the work of a loop over the stored elements and a dense row for each of them."""
    each = (row[0] if row else 1) + _VISIT
    return stored.shape[0] * each + starts.shape[0] * _VISIT


def _index(b: Builder, indices: View, position: Index) -> Index:
    return b.as_index(b.cast(b.load(indices, [position]), "int64"))


def _accumulate(b: Builder, total: Any, left: Operand, right: Operand) -> None:
    term = b.let("mul", total.dtype, [b.cast(left, total.dtype), b.cast(right, total.dtype)])
    b.assign(total, b.let("add", total.dtype, [total, term]))


def _add_row(
    b: Builder, target: View, row: Index, factor: Operand, dense: View, source: Index
) -> None:
    """Add a multiple of a row of the dense factor to a row of the result."""
    with b.nest(target.shape[1:]) as rest:
        term = b.let("mul", target.dtype, [factor, b.load(dense, [source, *rest])])
        old = b.load(target, [row, *rest])
        b.store(target, [row, *rest], b.let("add", target.dtype, [old, term]))


def _scattered(rows: Any, data: Any, dense: Any, count: int) -> Any:
    """Accumulate ``data[p] * dense[p]`` in row ``rows[p]`` of a result with ``count`` rows."""
    result = np.zeros((count, *dense.shape[1:]), data.dtype)
    with np.errstate(all="ignore"):
        np.add.at(result, rows, data.reshape(-1, *[1] * (dense.ndim - 1)) * dense)
    return result


def inner_message(node: Apply, values: Sequence[int]) -> str:
    """Return the message for factors whose inner lengths differ."""
    return call_message(
        f"sparse dot: the inner lengths are {values[0]} and {values[1]}",
        node,
        node.inputs[1],
    )


def sampled_message(node: Apply, values: Sequence[int]) -> str:
    """Return the message for factors of a sampled product that do not match."""
    return call_message(
        f"sampling_dot: lengths {values[0]} and {values[1]} differ",
        node,
        *node.inputs[:2],
        hint="x has as many rows as p, y as many rows as p has columns; both have equally many "
        "columns",
    )


def rows_dot(data: Any, dense: Any, indices: Any, starts: Any, columns: Any) -> Any:
    """Return the compressed matrix times a dense vector or matrix."""
    return RowsDot()(data, dense, indices, starts, as_dim(columns))


def columns_dot(data: Any, dense: Any, indices: Any, starts: Any, columns: Any) -> Any:
    """Return the transposed compressed matrix times a dense vector or matrix."""
    return ColumnsDot()(data, dense, indices, starts, as_dim(columns))


def sampled_dot(x: Any, y: Any, indices: Any, starts: Any) -> Any:
    """Return the elements of ``dot(x, y.T)`` that are part of a structure."""
    return SampledDot()(x, y, indices, starts, as_dim(shape_of(y)[0]))
