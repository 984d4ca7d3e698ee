"""LU decomposition with partial pivoting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import cast
from symtheano.tensor.linalg.matrices import (
    LinalgOp,
    adjoint,
    lower_part,
    mm,
    smaller,
    upper_part,
)
from symtheano.tensor.linalg.solve import solve_triangular
from symtheano.tensor.routine import count_rows
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class LU(LinalgOp):
    """``A = P L U``: a permutation, a unit lower triangular matrix, an upper triangular one."""

    __props__ = ()
    called = "lu"
    square = False

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The permutation is real."""
        (a,) = inputs
        *batch, m, n = a.type.shape
        k = None if None in (m, n) else min(m, n)
        return [
            TensorType(dtypes.real_of(a.dtype), (*batch, m, m)),
            TensorType(a.dtype, (*batch, m, k)),
            TensorType(a.dtype, (*batch, k, n)),
        ]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The inner dimension is the smaller one."""
        *batch, m, n = shapes[0]
        k = smaller(m, n)
        return [(*batch, m, m), (*batch, m, k), (*batch, k, n)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        from scipy.linalg import lu as scipy_lu

        (a,) = inputs
        m, n = a.shape[-2:]
        k = min(m, n)
        p = np.zeros((*a.shape[:-2], m, m), a.real.dtype)
        p[..., range(m), range(m)] = 1
        low = np.zeros((*a.shape[:-2], m, k), a.dtype)
        up = np.zeros((*a.shape[:-2], k, n), a.dtype)
        for index in np.ndindex(*a.shape[:-2]) if k else ():
            if np.isfinite(a[index]).all():
                order, low[index], up[index] = scipy_lu(a[index])
                p[index] = order.real
            else:
                low[index] = up[index] = np.nan
        for cell, result in zip(output_storage, (p, low, up), strict=True):
            cell[0] = result

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Factorize one matrix after the other with LAPACK's getrf."""
        (a,), results = arrays.inputs, arrays.outputs
        m, n = a.shape[-2:]
        addresses = [result.address for result in results]
        b.call("lu", count_rows(a, 2), m, n, a.address, *addresses)

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """The permutation has no gradient."""
        return [[False, True, True]]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """De Hoog, Anderssen and Lukas 2011, "Differentiation of matrix functionals using LU".

        If ``k`` is the smaller dimension, the part below the first ``k`` rows, or to the right of
        the first ``k`` columns, is a solution with one of the square triangular factors.
        """
        (a,), (p, low, up), (_, g_low, g_up) = inputs, outputs, output_grads
        k = smaller(*shape_of(a)[-2:])
        square, below = low[..., :k, :], low[..., k:, :]
        inside, beside = up[..., :k], up[..., k:]
        g_below, g_beside = g_low[..., k:, :], g_up[..., k:]
        # below = rest U^-1 and beside = L^-1 rest
        from_below = adjoint(solve_triangular(inside, adjoint(g_below), lower=False))
        from_beside = solve_triangular(square, g_beside, trans="C", lower=True, unit_diagonal=True)
        g_square = g_low[..., :k, :] - mm(from_beside, adjoint(beside))
        g_inside = g_up[..., :k] - mm(adjoint(below), from_below)
        middle = lower_part(mm(adjoint(square), g_square), -1)
        middle = middle + upper_part(mm(g_inside, adjoint(inside)))
        left = solve_triangular(square, middle, trans="C", lower=True, unit_diagonal=True)
        first = adjoint(solve_triangular(inside, adjoint(left), lower=False))
        whole = join(a.ndim - 1, join(a.ndim - 2, first, from_below), _fit(from_beside, below))
        return [mm(cast(p, a.dtype), whole)]


def _fit(beside: Any, below: Any) -> Any:
    """Return the part to the right of the square, with zero rows for the rows below it.

    One of the two is always empty.
    """
    corner = mm(below, beside) * 0
    return join(beside.ndim - 2, beside, corner)


@overload
def lu(a: Any, permute_l: Literal[False] = False) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def lu(a: Any, permute_l: Literal[True]) -> tuple[Tensor, Tensor]: ...
def lu(a: Any, permute_l: bool = False) -> Any:
    """Return the LU decomposition ``a = P L U`` with partial pivoting.

    Parameters
    ----------
    a
        Matrices of any shape.
    permute_l
        Whether to return ``P L`` and ``U``.

    Returns
    -------
    P, L and U.

    Notes
    -----
    The gradient raises ``numpy.linalg.LinAlgError`` if the square part of U is singular.

    Examples
    --------
    >>> p, l, u = lu(T.matrix("a", dtype="float64"))
    >>> u.eval({"a": [[1.0, 2.0], [2.0, 4.0]]})
    array([[2., 4.],
           [0., 0.]])
    """
    p, low, up = LU()(a)
    return (mm(cast(p, low.dtype), low), up) if permute_l else (p, low, up)
