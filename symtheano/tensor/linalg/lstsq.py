"""Least squares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from symtheano import dtypes
from symtheano.dtypes import is_complex
from symtheano.errors import ShapeError
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.linalg.dot import dot
from symtheano.tensor.linalg.inverse import MatrixPinv
from symtheano.tensor.linalg.matrices import (
    DIVERGED,
    FIRST,
    LinalgOp,
    adjoint,
    columns,
    cut_off,
    is_zero,
    known_number,
    mm,
    smaller,
)
from symtheano.tensor.linalg.svd import SVD
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.shape import as_dim, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays, View


class Lstsq(LinalgOp):
    """The least-squares solution, with the rank and the singular values of the matrix.

    Inputs are the two matrices, and optionally ``rcond`` as a 0-d variable.

    Attributes
    ----------
    rcond
        Singular values below this part of the largest one are taken for zero; None for NumPy's
        default, the machine precision times the larger side, or for the third input.
    """

    __props__ = ("rcond",)
    called = "lstsq"
    square = False
    joint = False

    def __init__(self, rcond: float | None = None) -> None:
        self.rcond = rcond

    def make_node(self, *inputs: Any) -> Apply:
        """Promote the matrices; the part of the largest singular value is real."""
        a, b = super().make_node(*inputs[:2]).inputs
        bounds = [cut_off(self.called, item, a.dtype) for item in inputs[2:]]
        return Apply(self, [a, b, *bounds], self.infer(a, b))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """As many rows as the matrix has columns."""
        a, b = inputs[:2]
        if a.ndim != 2 or b.ndim != 2:
            raise TypeError(
                build_message("lstsq takes two matrices; batches are not supported", a, b)
            )
        m, n = a.type.shape
        real = dtypes.real_of(a.dtype)
        k = None if None in (m, n) else min(m, n)
        return [
            TensorType(a.dtype, (n, b.type.shape[1])),
            TensorType("int64", ()),
            TensorType(real, (k,)),
        ]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """As many rows as the matrix has columns; singular values of the smaller side."""
        (m, n), (_, k) = shapes[:2]
        return [(n, k), (), (smaller(m, n),)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Both have the same number of rows."""
        return same_length(shapes[0][0], shapes[1][0], partial(_misfit, node))

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        a, b, *bounds = inputs
        rcond = float(bounds[0]) if bounds else self.rcond
        if a.shape[0] != b.shape[0]:
            raise ShapeError(_misfit(node, [a.shape[0], b.shape[0]]))
        if not (np.isfinite(a).all() and np.isfinite(b).all()):
            raise self.fail(node, FIRST)
        try:
            with np.errstate(all="ignore"):
                x, _, rank, s = np.linalg.lstsq(a, b, rcond=rcond)
        except np.linalg.LinAlgError:
            raise self.fail(node, DIVERGED) from None
        results = (x, np.asarray(rank, "int64"), s)
        for cell, result in zip(output_storage, results, strict=True):
            cell[0] = np.asarray(result)

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The iteration does not converge, or the input is not finite."""
        if status == DIVERGED:
            return "the singular values were not found", None
        return "the operands hold NaN or infinities", None

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (a, right, *bounds), (x, rank, values) = arrays.inputs, arrays.outputs
        (m, n), k = a.shape, right.shape[1]
        addresses = (a.address, right.address, x.address, rank.address, values.address)
        bound = b.load(bounds[0], []) if bounds else self._bound(b, a)
        self.call(b, node, "lstsq", m, n, k, bound, *addresses)

    def _bound(self, b: Builder, a: View) -> Any:
        """Return the fraction of the largest singular value below which others are zero."""
        real = dtypes.real_of(a.dtype)
        if self.rcond is not None:
            return b.literal(self.rcond, real)
        side = b.let("maximum", "int64", [b.operand(length) for length in a.shape])
        epsilon = b.literal(float(np.finfo(real).eps), real)
        return b.let("mul", real, [b.cast(side, real), epsilon])

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """The rank is not smooth; singular values don't depend on the right-hand side."""
        pattern = [[True, False, True], [True, False, False], [False, False, False]]
        return pattern[: len(node.inputs)]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """That of ``pinv(a) @ b``, right where the rank does not change, and of the SVD."""
        (a, b, *bounds), (g, _, g_values) = inputs, output_grads
        inverse = self._pinv()
        p = inverse(a, *bounds)
        g_a, *_ = inverse.pullback([a], [p], [mm(g, adjoint(b))])
        if not is_zero(g_values):
            g_a = g_a + _values.pullback([a], outputs[2:], [g_values])[0]
        return [g_a, mm(adjoint(p), g), *[None] * len(bounds)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """That of ``pinv(a) @ b``, and of the singular values."""
        (a, b, *bounds), (da, db, *_) = inputs, eval_points
        inverse = self._pinv()
        terms = [] if da is None else [mm(inverse.R_op([a, *bounds], [da])[0], b)]
        terms += [] if db is None else [mm(inverse(a, *bounds), db)]
        values = _values.R_op([a], [da])[0]
        return [terms[0] if len(terms) == 1 else terms[0] + terms[1], None, values]

    def vectorize(self, node: Apply, batch: Any) -> Any:
        return batch.refuse(node, "it takes one matrix")

    def _pinv(self) -> MatrixPinv:
        return MatrixPinv(self.rcond if self.rcond is None or self.rcond > 0 else None)


_values = SVD(compute_uv=False)


def _misfit(node: Apply, values: Sequence[int]) -> str:
    return call_message(f"lstsq: a has {values[0]} rows, but b has {values[1]}", node, *node.inputs)


class _Solver:
    """The result of ``lstsq()``, for Theano's form ``lstsq()(a, b, rcond)``."""

    def __call__(self, a: Any, b: Any, rcond: Any = None) -> Any:
        return lstsq(a, b, rcond)


@overload
def lstsq(a: Any, b: Any, rcond: Any = None, /) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...
@overload
def lstsq(a: Any, b: Any, /, *, rcond: Any = None) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...
@overload
def lstsq() -> Any: ...
def lstsq(*operands: Any, rcond: Any = None) -> Any:
    """Return the least-squares solution of ``a x = b`` with the smallest norm.

    Parameters
    ----------
    operands
        ``a``, a matrix (m, n); ``b``, a vector or a matrix with m rows; optionally ``rcond``.
        Without operands, a function of them is returned, for Theano's form
        ``lstsq()(a, b, rcond)``.
    rcond
        Singular values of ``a`` below ``rcond`` times the largest one are treated as zero. A number
        or a 0-d variable.

    Returns
    -------
    The solution, the sums of squared residuals (empty if the rank is below n, or m <= n), the rank
    of ``a``, and its singular values.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if an operand contains NaN or infinities, or the iteration for the singular
        values fails.

    Notes
    -----
    The gradient is correct if the rank of ``a`` does not change, and ``rcond`` excludes only
    singular values that are zero.

    Examples
    --------
    >>> x, residuals, rank, s = lstsq(T.matrix("a", dtype="float64"), [2.0, 4.0])
    >>> x.eval({"a": [[1.0], [1.0]]}).round(12)
    array([3.])
    """
    if not operands:
        return _Solver()
    if len(operands) not in (2, 3):
        raise TypeError(build_message(f"lstsq takes a, b and rcond, got {len(operands)} operands"))
    a, b = (as_tensor_variable(item) for item in operands[:2])
    cutoff = operands[2] if len(operands) == 3 else rcond
    number = known_number(cutoff)
    bounds = [] if cutoff is None or number is not None else [cutoff]
    right = columns(b) if b.ndim == 1 else b
    x, rank, s = Lstsq(number)(a, right, *bounds)
    (m, n), (_, count) = shape_of(a), shape_of(right)
    rest = cast(right, x.dtype) - dot(cast(a, x.dtype), x)
    squares = scalar.real(rest) ** 2 + scalar.imag(rest) ** 2 if is_complex(x.dtype) else rest**2
    overdetermined = scalar.and_(scalar.eq(rank, n), scalar.gt(as_dim(m), n))
    residuals = squares.sum(axis=0)[: cast(overdetermined, "int64") * count]
    return (x.dimshuffle(0) if b.ndim == 1 else x), residuals, rank, s
