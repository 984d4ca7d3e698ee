"""Inverses and pseudo-inverses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.operand import Tensor
from symtheano.tensor.linalg.matrices import (
    DIVERGED,
    LinalgOp,
    adjoint,
    cut_off,
    first_failing,
    first_nonfinite,
    hide_nonfinite,
    known_number,
    mm,
)
from symtheano.tensor.routine import count_rows
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class MatrixInverse(LinalgOp):
    """The inverse of square matrices."""

    __call__: Callable[..., Tensor]
    __props__ = ()
    called = "matrix_inverse"

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        self.check(node, inputs)
        try:
            with np.errstate(all="ignore"):
                # NumPy visits each matrix, also if there are 2**53 without elements.
                result = np.linalg.inv(a) if a.size else a.copy()
        except np.linalg.LinAlgError:
            raise self.fail(node, first_failing(np.linalg.inv, a)) from None
        hide_nonfinite(a, result)
        output_storage[0][0] = result

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """There is one."""
        return "the matrix is singular", "pinv gives an inverse of any matrix"

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Invert one matrix after the other with LAPACK's getri."""
        (a,), (inverse,) = arrays.inputs, arrays.outputs
        arguments = count_rows(a, 2), a.shape[-1], a.address, inverse.address
        self.call(b, node, "inverse", *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Giles 2008, section 2.2.3."""
        turned = adjoint(outputs[0])
        return [-mm(turned, output_grads[0], turned)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """``-A^-1 dA A^-1``."""
        if eval_points[0] is None:
            return [None]
        inverse = self(*inputs)
        return [-mm(inverse, eval_points[0], inverse)]


def matrix_inverse(x: Any) -> Tensor:
    """Return the inverse of square matrices.

    Parameters
    ----------
    x
        Square matrices. To solve a system, use :func:`~symtheano.tensor.linalg.solve.solve`, which
        is faster and more accurate.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if a matrix is singular.

    Examples
    --------
    >>> matrix_inverse(T.matrix("x", dtype="float64")).eval({"x": [[2.0, 1.0], [1.0, 1.0]]})
    array([[ 1., -1.],
           [-1.,  2.]])
    """
    return MatrixInverse()(x)


inv = matrix_inverse


class MatrixPinv(LinalgOp):
    """The Moore-Penrose inverse of matrices of any shape.

    Inputs are the matrices, and optionally ``rcond`` as a 0-d variable.

    Attributes
    ----------
    rcond
        Singular values below this part of the largest one are taken for zero; None for NumPy's
        default, 1e-15, or for the second input.
    hermitian
        Whether the matrix is Hermitian, and thus square, which costs less.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("rcond", "hermitian")
    called = "pinv"
    joint = False
    differentiable_inputs = 1

    def __init__(self, rcond: float | None = None, hermitian: bool = False) -> None:
        self.rcond = rcond
        self.square = self.hermitian = bool(hermitian)

    def make_node(self, *inputs: Any) -> Apply:
        """Promote the matrices; the part of the largest singular value is real."""
        (a,) = super().make_node(inputs[0]).inputs
        bounds = [cut_off(self.called, item, a.dtype) for item in inputs[1:]]
        return Apply(self, [a, *bounds], self.infer(a))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Rows and columns are exchanged."""
        *batch, m, n = inputs[0].type.shape
        return [TensorType(inputs[0].dtype, (*batch, n, m))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        *batch, m, n = shapes[0]
        return [(*batch, n, m)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        a, *bounds = inputs
        self.check(node, [a])
        rcond = float(bounds[0]) if bounds else self.rcond
        options = {} if rcond is None else {"rcond": rcond}
        bad = first_nonfinite(a)
        if bad:
            raise self.fail(node, bad)
        try:
            with np.errstate(all="ignore"):
                result = np.linalg.pinv(a, hermitian=self.hermitian, **options)
        except np.linalg.LinAlgError:
            raise self.fail(node, DIVERGED) from None
        output_storage[0][0] = result

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The iteration for the singular values does not converge."""
        if status == DIVERGED:
            return "the singular values were not found", None
        return "the matrix holds NaN or infinities", None

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one matrix after the other, and multiply."""
        (a, *bounds), (inverse,) = arrays.inputs, arrays.outputs
        m, n = a.shape[-2:]
        rcond = 1e-15 if self.rcond is None else self.rcond
        bound = b.load(bounds[0], []) if bounds else b.literal(rcond, dtypes.real_of(a.dtype))
        options = (int(self.hermitian), bound)
        arguments = (count_rows(a, 2), m, n, *options, a.address, inverse.address)
        self.call(b, node, "pinv", *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Golub and Pereyra 1973, "The differentiation of pseudo-inverses", theorem 4.3.

        Correct if the rank does not change.
        """
        (a, *bounds), (p,), (g,) = inputs, outputs, output_grads
        ph, gh = adjoint(p), adjoint(g)
        beside = mm(gh, p, ph)
        beyond = mm(ph, p, gh)
        slope = -mm(ph, g, ph) + (beside - mm(a, mm(p, beside))) + (beyond - mm(mm(beyond, p), a))
        return [slope, *[None] * len(bounds)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Golub and Pereyra 1973, theorem 4.3."""
        a, da = inputs[0], eval_points[0]
        if da is None:
            return [None]
        p = self(*inputs)
        ph, dh = adjoint(p), adjoint(da)
        first, second = mm(p, ph, dh), mm(dh, ph, p)
        return [-mm(p, da, p) + (first - mm(mm(first, a), p)) + (second - mm(p, mm(a, second)))]


def pinv(a: Any, rcond: Any = None, hermitian: bool = False) -> Tensor:
    """Return the Moore-Penrose inverse of matrices of any shape.

    Parameters
    ----------
    a
        Matrices.
    rcond
        Singular values below ``rcond`` times the largest one are treated as zero; 1e-15 by default.
        A number or a 0-d variable.
    hermitian
        Whether ``a`` is Hermitian, and thus square. This is faster.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if the iteration for the singular values fails, for example because of NaN, or if
        ``hermitian`` is true and a matrix is not square.

    Notes
    -----
    The gradient is correct if the rank is constant. It does not exist where the rank changes, and
    it is wrong if ``rcond`` excludes singular values that are not zero.

    Examples
    --------
    >>> pinv(T.matrix("a", dtype="float64")).eval({"a": [[2.0], [0.0]]}).round(12)
    array([[0.5, 0. ]])
    """
    number = known_number(rcond)
    if number is None and rcond is not None:
        return MatrixPinv(None, hermitian)(a, rcond)
    return MatrixPinv(number, hermitian)(a)
