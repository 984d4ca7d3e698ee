"""Determinants, their signs and logarithms, and cofactors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.linalg.inverse import matrix_inverse
from symtheano.tensor.linalg.matrices import (
    Array,
    LinalgOp,
    adjoint,
    columns,
    diagonal_of,
    each,
    mm,
    swap,
)
from symtheano.tensor.routine import count_rows
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class Det(LinalgOp):
    """The determinant of square matrices."""

    __call__: Callable[..., Tensor]
    __props__ = ()
    called = "det"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """One number for each matrix."""
        return [TensorType(inputs[0].dtype, inputs[0].type.shape[:-2])]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [tuple(shapes[0][:-2])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        self.check(node, inputs)
        with np.errstate(all="ignore"):
            result = np.array(np.linalg.det(a))
        result[~np.isfinite(a).all(axis=(-2, -1))] = np.nan
        output_storage[0][0] = result

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Factorize one matrix after the other with LAPACK's getrf."""
        (a,), (result,) = arrays.inputs, arrays.outputs
        b.call("det", count_rows(a, 2), a.shape[-1], a.address, result.address)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Jacobi's formula: each element times its cofactor; also correct for singular matrices."""
        return [columns(columns(output_grads[0])) * scalar.conj(Cofactors()(inputs[0]))]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Jacobi's formula."""
        if eval_points[0] is None:
            return [None]
        return [(Cofactors()(inputs[0]) * eval_points[0]).sum(axis=(-2, -1))]


def det(x: Any) -> Tensor:
    """Return the determinant of square matrices.

    Notes
    -----
    The gradient and the second derivative are also correct for singular matrices.

    Examples
    --------
    >>> det(T.matrix("x", dtype="float64")).eval({"x": [[2.0, 0.0], [1.0, 3.0]]})
    array(6.)
    """
    return Det()(x)


class Cofactors(LinalgOp):
    """The cofactors of square matrices: the derivative of the determinant by each element."""

    __props__ = ()
    called = "cofactors"

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy: by the inverse, or by singular values if that is inaccurate."""
        (a,) = inputs
        self.check(node, inputs)
        with np.errstate(all="ignore"):
            output_storage[0][0] = np.array(each(_cofactors, a), a.dtype).reshape(a.shape)

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (a,), (result,) = arrays.inputs, arrays.outputs
        arguments = count_rows(a, 2), a.shape[-1], a.address, result.address
        self.call(b, node, "cofactors", *arguments)

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The iteration for the singular values does not converge."""
        return "the singular values were not found", None

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The second derivative of the determinant is symmetric; also for singular matrices."""
        return [CofactorsTangent()(scalar.conj(inputs[0]), output_grads[0])]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The directional derivative."""
        return [None if eval_points[0] is None else CofactorsTangent()(inputs[0], eval_points[0])]


class CofactorsTangent(LinalgOp):
    """The directional derivative of the cofactors of square matrices.

    The inputs are the matrices and the direction. The derivative by the matrices, which is the
    third of the determinant, exists for regular matrices only.
    """

    __props__ = ()
    called = "cofactors"
    matrices = 2

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The type of the direction, with the lengths that are known of either."""
        a, d = (item.type for item in inputs)
        shape = [m if n is None else n for m, n in zip(a.shape, d.shape, strict=True)]
        return [TensorType(d.dtype, shape)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy: by the inverse, or by singular values if that is inaccurate."""
        a, d = inputs
        self.check(node, inputs)
        with np.errstate(all="ignore"):
            output_storage[0][0] = np.array(each(_tangent, a, d), a.dtype).reshape(a.shape)

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (a, d), (result,) = arrays.inputs, arrays.outputs
        arguments = count_rows(a, 2), a.shape[-1], a.address, d.address, result.address
        self.call(b, node, "cofactors_tangent", *arguments)

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The iteration for the singular values does not converge."""
        return "the singular values were not found", None

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The third derivative of the determinant is symmetric in its two directions."""
        a, d = (scalar.conj(item) for item in inputs)
        (h,) = output_grads
        inverse, cofactors = matrix_inverse(a), Cofactors()(a)
        right, left = mm(inverse, h), mm(inverse, d)
        traces = [columns(columns(diagonal_of(x).sum(axis=-1))) for x in (right, left)]
        both = columns(columns(diagonal_of(mm(right, left)).sum(axis=-1)))
        turned = [mm(cofactors, swap(x)) for x in (right, left)]
        whole = (traces[0] * traces[1] - both) * cofactors
        whole = whole - traces[1] * turned[0] - traces[0] * turned[1]
        whole = whole + mm(turned[0], swap(left)) + mm(turned[1], swap(right))
        return [whole, CofactorsTangent()(a, h)]


def _inverse_if_accurate(a: Array) -> Array | None:
    """Return the inverse of a matrix that is far enough from singular ones."""
    try:
        inverse = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return None
    nearness = 1 / (np.abs(a).sum(axis=0).max() * np.abs(inverse).sum(axis=0).max())
    return inverse if nearness > np.sqrt(np.finfo(a.dtype).eps) else None


def _cofactors(a: Array) -> Array:
    if a.shape[0] == 0:
        return a.copy()
    if not np.isfinite(a).all():
        return np.full_like(a, np.nan)
    inverse = _inverse_if_accurate(a)
    if inverse is not None:
        return np.asarray(np.linalg.det(a) * inverse.T)
    u, s, vh = np.linalg.svd(a)
    others = [np.prod(np.delete(s, k)) for k in range(len(s))]
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return np.asarray(sign * ((u.conj() * others) @ vh.conj()), a.dtype)


def _tangent(a: Array, d: Array) -> Array:
    n = a.shape[0]
    if n == 0:
        return a.copy()
    if not np.isfinite(a).all():
        return np.full_like(a, np.nan)
    inverse = _inverse_if_accurate(a)
    if inverse is not None:
        left = inverse @ d
        return np.asarray(np.linalg.det(a) * (np.trace(left) * inverse - left @ inverse).T)
    u, s, vh = np.linalg.svd(a)
    inner = u.conj().T @ d @ vh.conj().T
    others = np.zeros((n, n), s.dtype)
    for i, j in np.ndindex(n, n):
        if i != j:
            others[i, j] = np.prod(np.delete(s, (i, j)))
    change = np.diag(others @ inner.diagonal()) - others * inner.T
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return np.asarray(sign * (u.conj() @ change @ vh.conj()), a.dtype)


class SLogDet(LinalgOp):
    """Sign and logarithm of the absolute value of determinants."""

    __props__ = ()
    called = "slogdet"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Two numbers for each matrix; the logarithm is real."""
        (a,) = inputs
        batch = a.type.shape[:-2]
        return [TensorType(a.dtype, batch), TensorType(dtypes.real_of(a.dtype), batch)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [tuple(shapes[0][:-2])] * 2

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        self.check(node, inputs)
        with np.errstate(all="ignore"):
            results = [np.array(item) for item in np.linalg.slogdet(a)]
        bad = ~np.isfinite(a).all(axis=(-2, -1))
        for cell, result in zip(output_storage, results, strict=True):
            result[bad] = np.nan
            cell[0] = result

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Factorize one matrix after the other with LAPACK's getrf."""
        (a,), (sign, logarithm) = arrays.inputs, arrays.outputs
        addresses = a.address, sign.address, logarithm.address
        b.call("slogdet", count_rows(a, 2), a.shape[-1], *addresses)

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """A real sign is constant."""
        return [[dtypes.is_complex(node.inputs[0].dtype), True]]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Giles 2008, section 2.2.4; a complex sign turns with the imaginary part of the trace."""
        (a,), (sign, _), (g_sign, g) = inputs, outputs, output_grads
        turned = adjoint(matrix_inverse(a))
        if dtypes.is_complex(a.dtype):
            turn = -scalar.imag(scalar.conj(g_sign) * sign)
            g = scalar.complex(g, turn)
        return [columns(columns(g)) * turned]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The trace of ``A^-1 dA``."""
        if eval_points[0] is None:
            return [None, None]
        (a,), (da,) = inputs, eval_points
        trace = diagonal_of(mm(matrix_inverse(a), da)).sum(axis=-1)
        if not dtypes.is_complex(a.dtype):
            return [None, trace]
        sign = self(a)[0]
        return [sign * scalar.complex(trace.real * 0, trace.imag), trace.real]


def slogdet(x: Any) -> tuple[Tensor, Tensor]:
    """Return sign and logarithm of the absolute value of the determinant of square matrices.

    Returns
    -------
    The sign (1, -1 or 0; for complex matrices, a number of modulus 1, or 0), and the logarithm,
    which is -inf if the determinant is 0.

    Notes
    -----
    If the determinant is 0, the gradient does not exist, and computing it raises
    ``numpy.linalg.LinAlgError``.

    Examples
    --------
    >>> sign, logarithm = slogdet(T.matrix("x", dtype="float64"))
    >>> sign.eval({"x": [[0.0, 1.0], [1.0, 0.0]]})
    array(-1.)
    """
    sign, logarithm = SLogDet()(x)
    return sign, logarithm
