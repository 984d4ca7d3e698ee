"""LU decomposition of tridiagonal matrices, which are given by their diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.linalg.lengths import broadcast_batches
from symtheano.tensor.linalg.matrices import at_least_zero, columns, lapack_dtype
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.routine import count_rows
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

TRANSPOSED = ("N", "T", "C")
"""What ``trans`` may be: the matrix itself, transposed, or transposed and conjugated."""


class _Tridiagonal(Op):
    """Base class: the lengths of diagonals, which are one and two less beside the main one."""

    shorter: tuple[int, ...]
    """By how much each of the first inputs is shorter than the second one, the main diagonal."""
    called: str

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Diagonals have the lengths that belong together, and batches are equal."""
        requirements: list[Requirement] = []
        n = shapes[1][-1]
        for position, less in enumerate(self.shorter):
            wanted = at_least_zero(n - less) if less else n
            message = partial(self.misfit, node, position)
            requirements += same_length(shapes[position][-1], wanted, message)
            for mine, its in zip(shapes[position][:-1], shapes[1][:-1], strict=True):
                requirements += same_length(mine, its, partial(self.misfit, node, position))
        return requirements

    def misfit(self, node: Apply, position: int, values: Sequence[int]) -> str:
        """Return the message for a diagonal of another length."""
        return call_message(
            f"{self.called}: diagonal {position} has length {values[0]}, but must have length "
            f"{values[1]}",
            node,
            *node.inputs,
        )

    def check(self, node: Apply, values: Sequence[Any]) -> None:
        """Raise ShapeError if arrays do not meet the requirements."""
        n = values[1].shape[-1]
        for position, less in enumerate(self.shorter):
            wanted = (*values[1].shape[:-1], max(n - less, 0))
            for mine, its in zip(values[position].shape, wanted, strict=True):
                if mine != its:
                    raise ShapeError(self.misfit(node, position, [mine, its]))


class TridiagonalLU(_Tridiagonal):
    """The LU decomposition with partial pivoting, from the diagonals below, on and above the main.

    The results are the factors by which rows are multiplied, the three diagonals of U, and the
    number of the row with which each row was exchanged, in order.
    """

    __props__ = ()
    takes = "*1+ *1+ *1+"
    called = "tridiagonal_lu_factor"
    differentiable_inputs = 3
    shorter = (1, 0, 1)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The diagonals of U have n, n - 1 and n - 2 elements."""
        below, d, _ = inputs
        *batch, n = d.type.shape
        beside = below.type.shape[-1] if n is None else max(n - 1, 0)
        twice = None if n is None else max(n - 2, 0)
        lengths = (beside, n, beside, twice)
        kinds = [TensorType(d.dtype, (*batch, length)) for length in lengths]
        return [*kinds, TensorType("int64", (*batch, n))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        below, d, _ = shapes
        *batch, n = d
        return [below, d, below, (*batch, at_least_zero(n - 2)), d]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """LAPACK's gttrf, one matrix after the other."""
        from scipy.linalg import get_lapack_funcs

        self.check(node, inputs)
        below, d, above = inputs
        n = d.shape[-1]
        shapes = [below.shape, d.shape, below.shape, (*d.shape[:-1], max(n - 2, 0)), d.shape]
        results: list[Any] = [
            np.zeros(shape, item.type.dtype)
            for shape, item in zip(shapes, node.outputs, strict=True)
        ]
        (factorize,) = get_lapack_funcs(("gttrf",), (d,))
        for index in np.ndindex(*d.shape[:-1]) if n else ():
            if n < 3:
                parts = _small(below[index], d[index], above[index])
            else:
                *parts, rows, _ = factorize(below[index], d[index], above[index])
                parts.append(rows - 1)
            for result, part in zip(results, parts, strict=True):
                result[index] = part
        for cell, result in zip(output_storage, results, strict=True):
            cell[0] = result

    @partial(Statements, accepts=contiguous)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Eliminate in one matrix after the other."""
        d = arrays.inputs[1]
        addresses = [item.address for item in (*arrays.inputs, *arrays.outputs)]
        b.call("tridiagonal_lu", count_rows(d), d.shape[-1], *addresses)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        raise NotImplementedError("tridiagonal_lu_factor has no gradient; take solve")

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return self.make_node(*(batch.full(k) for k in range(3))).outputs


def _small(below: Any, d: Any, above: Any) -> list[Any]:
    """Return the decomposition of a matrix of one or two rows, which SciPy's wrapper refuses."""
    below, d, above, rows = below.copy(), d.copy(), above.copy(), np.arange(len(d))
    if len(d) == 2:
        first, second = (abs(x.real) + abs(x.imag) for x in (d[0], below[0]))
        if first >= second:
            if first:
                below[0] /= d[0]
                d[1] -= below[0] * above[0]
        else:
            factor = d[0] / below[0]
            d[0], below[0] = below[0], factor
            above[0], d[1] = d[1], above[0] - factor * d[1]
            rows[0] = 1
    return [below, d, above, d[:0], rows]


class TridiagonalSolve(_Tridiagonal):
    """``x`` with ``A x = b``, from the results of :class:`TridiagonalLU` and a matrix ``b``.

    Attributes
    ----------
    trans
        One of :data:`TRANSPOSED`: what is done to A.
    """

    __props__ = ("trans",)
    takes = "*1+ *1+ *1+ *1+ l1+ *1+"
    called = "tridiagonal_lu_solve"
    shorter = (1, 0, 1, 2, 0)

    def __init__(self, trans: str = "N") -> None:
        if trans not in TRANSPOSED:
            raise ValueError(
                build_message(f"tridiagonal_lu_solve: trans={trans!r} is not N, T or C")
            )
        self.trans = trans

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """That of the right side."""
        return [inputs[-1].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[-1]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Those of the diagonals, and the rows of the right side."""
        requirements = super().requirements(node, shapes)
        for mine, its in zip(shapes[-1][:-1], shapes[1], strict=True):
            requirements += same_length(mine, its, partial(self.misfit, node, 5))
        return requirements

    def check(self, node: Apply, values: Sequence[Any]) -> None:
        super().check(node, values)
        for mine, its in zip(values[-1].shape[:-1], values[1].shape, strict=True):
            if mine != its:
                raise ShapeError(self.misfit(node, 5, [mine, its]))

    def misfit(self, node: Apply, position: int, values: Sequence[int]) -> str:
        if position < 5:
            return super().misfit(node, position, values)
        what = f"b has {values[0]} rows or items, but the matrix has {values[1]}"
        return call_message(f"{self.called}: {what}", node, *node.inputs)

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Solve with the rows of all matrices at once."""
        self.check(node, inputs)
        factors, pivots, first, second, rows, b = inputs
        if self.trans == "C":
            factors, pivots, first, second = (x.conj() for x in (factors, pivots, first, second))
        factors, pivots, first, second = (x[..., None] for x in (factors, pivots, first, second))
        x, n = b.copy(), pivots.shape[-2]
        exchanged = (rows != np.arange(n))[..., None]
        with np.errstate(all="ignore"):
            for i in range(n - 1) if self.trans == "N" else ():
                pair = x[..., i, :], x[..., i + 1, :]
                row = np.where(exchanged[..., i, :], *pair[::-1])
                x[..., i + 1, :] = np.where(exchanged[..., i, :], *pair) - factors[..., i, :] * row
                x[..., i, :] = row
            forward = self.trans != "N"
            for step in range(n):
                i, back = (step, -1) if forward else (n - 1 - step, 1)
                total = x[..., i, :]
                if step > 0:
                    total = total - first[..., i - forward, :] * x[..., i + back, :]
                if step > 1:
                    total = total - second[..., i - 2 * forward, :] * x[..., i + 2 * back, :]
                x[..., i, :] = total / pivots[..., i, :]
            for i in reversed(range(n - 1)) if forward else ():
                row, kept = x[..., i, :], x[..., i + 1, :].copy()
                other = row - factors[..., i, :] * kept
                x[..., i, :] = np.where(exchanged[..., i, :], kept, other)
                x[..., i + 1, :] = np.where(exchanged[..., i, :], other, kept)
        output_storage[0][0] = x

    @partial(Statements, accepts=contiguous)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Substitute in one matrix after the other."""
        right = arrays.inputs[-1]
        n, k = right.shape[-2:]
        addresses = [item.address for item in (*arrays.inputs, *arrays.outputs)]
        transposed = TRANSPOSED.index(self.trans)
        b.call("tridiagonal_solve", count_rows(right, 2), n, k, transposed, *addresses)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        raise NotImplementedError("tridiagonal_lu_solve has no gradient; take solve")

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return self.make_node(*(batch.full(k) for k in range(6))).outputs


def _promoted(name: str, *items: Any) -> list[Any]:
    operands = [as_tensor_variable(item) for item in items]
    dtype = lapack_dtype(name, *operands)
    return [cast(item, dtype) for item in operands]


def tridiagonal_lu_factor(
    dl: Any, d: Any, du: Any
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Return the LU decomposition of tridiagonal matrices, in time proportional to their rows.

    Parameters
    ----------
    dl, d, du
        The diagonals below, on and above the main one: vectors of n - 1, n and n - 1 elements, or
        batches of them.

    Returns
    -------
    The factors by which rows were multiplied, the three diagonals of U, and, as int64, the row with
    which each row was exchanged. :func:`tridiagonal_lu_solve` takes these.

    Notes
    -----
    A zero in the second result means that the matrix is singular. There is no gradient.

    Examples
    --------
    >>> factors, pivots, first, second, rows = tridiagonal_lu_factor([3.0], [1.0, 6.0], [2.0])
    >>> pivots.eval().tolist(), rows.eval().tolist()
    ([3.0, 0.0], [1, 1])
    """
    below, main, above = _promoted("tridiagonal_lu_factor", dl, d, du)
    if min(below.ndim, main.ndim, above.ndim) < 1:
        raise TypeError(
            build_message("tridiagonal_lu_factor takes vectors, or batches of them", below, main,
                          above)
        )  # fmt: skip
    operands = broadcast_batches("tridiagonal_lu_factor", below, main, above, core=(1, 1, 1))
    factors, pivots, first, second, rows = TridiagonalLU()(*operands)
    return factors, pivots, first, second, rows


def tridiagonal_lu_solve(factors: Sequence[Any], b: Any, trans: str = "N") -> Tensor:
    """Return ``x`` with ``A x = b`` from the LU decomposition of a tridiagonal matrix.

    Parameters
    ----------
    factors
        The results of :func:`tridiagonal_lu_factor`.
    b
        A vector, or matrices.
    trans
        ``T`` or ``C``: A is transposed, or transposed and conjugated.

    Notes
    -----
    If the matrix is singular, the result has infinities or NaN. There is no gradient.

    Examples
    --------
    >>> tridiagonal_lu_solve(
    ...     tridiagonal_lu_factor([0.0], [2.0, 5.0], [1.0]), [3.0, 5.0]
    ... ).eval().tolist()
    [1.0, 1.0]
    """
    *diagonals, rows = factors
    *operands, right = _promoted("tridiagonal_lu_solve", *diagonals, b)
    whole = columns(right) if right.ndim == 1 else right
    rows = cast(as_tensor_variable(rows), "int64")
    operands = broadcast_batches(
        "tridiagonal_lu_solve", *operands, rows, whole, core=(1, 1, 1, 1, 1, 2)
    )
    x: Tensor = TridiagonalSolve(trans)(*operands)
    return x.dimshuffle(*range(x.ndim - 1)) if right.ndim == 1 else x
