"""Singular value decomposition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import cast
from symtheano.tensor.linalg.matrices import (
    DIVERGED,
    LinalgOp,
    adjoint,
    diagonal_of,
    first_nonfinite,
    is_zero,
    mm,
    reciprocal_gaps,
    rows,
    smaller,
    swap,
    with_diagonal,
)
from symtheano.tensor.routine import count_rows
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class SVD(LinalgOp):
    """``A = U diag(s) V^H``; outputs are U, s and V^H, or only s.

    Attributes
    ----------
    full_matrices
        Whether U and V are square.
    compute_uv
        Whether to compute U and V^H.
    """

    __props__ = ("full_matrices", "compute_uv")
    called = "svd"
    square = False

    def __init__(self, full_matrices: bool = True, compute_uv: bool = True) -> None:
        self.full_matrices = bool(full_matrices)
        self.compute_uv = bool(compute_uv)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Singular values are real."""
        (a,) = inputs
        *batch, m, n = a.type.shape
        k = None if None in (m, n) else min(m, n)
        values = TensorType(dtypes.real_of(a.dtype), (*batch, k))
        if not self.compute_uv:
            return [values]
        inner = (m, n) if self.full_matrices else (k, k)
        left = TensorType(a.dtype, (*batch, m, inner[0]))
        return [left, values, TensorType(a.dtype, (*batch, inner[1], n))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """One singular value per index of the smaller dimension."""
        *batch, m, n = shapes[0]
        k = smaller(m, n)
        if not self.compute_uv:
            return [(*batch, k)]
        inner = (m, n) if self.full_matrices else (k, k)
        return [(*batch, m, inner[0]), (*batch, k), (*batch, inner[1], n)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        bad = first_nonfinite(a)
        if bad:
            raise self.fail(node, bad)
        try:
            numpy_svd: Any = np.linalg.svd
            with np.errstate(all="ignore"):
                results = numpy_svd(a, self.full_matrices, self.compute_uv)
        except np.linalg.LinAlgError:
            raise self.fail(node, DIVERGED) from None
        results = results if self.compute_uv else [results]
        for cell, result in zip(output_storage, results, strict=True):
            cell[0] = np.asarray(result)

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The iteration does not converge, or the input is not finite."""
        if status == DIVERGED:
            return "the singular values were not found", None
        return "the matrix holds NaN or infinities", None

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one matrix after the other with LAPACK's gesdd."""
        (a,) = arrays.inputs
        m, n = a.shape[-2:]
        left, values, right = arrays.outputs if self.compute_uv else (None, arrays.outputs[0], None)
        results = (
            0 if left is None else left.address,
            values.address,
            0 if right is None else right.address,
        )
        job = 2 if self.full_matrices else 1
        arguments = (count_rows(a, 2), m, n, job if self.compute_uv else 0, a.address, *results)
        self.call(b, node, "svd", *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Townsend 2016, "Differentiating the singular value decomposition", for thin matrices.

        The complex term is that of Wan and Zhang 2019, "Automatic differentiation for complex
        valued SVD". It does not exist if U or V are used and singular values are equal or zero.
        """
        (a,) = inputs
        if not self.compute_uv:
            u, _, vh = SVD(full_matrices=False)(a)
            return [mm(u * rows(cast(output_grads[0], a.dtype)), vh)]
        (u, s, vh), (gu, gs, gvh) = outputs, output_grads
        vectors = not (is_zero(gu) and is_zero(gvh))
        if self.full_matrices and not _is_square(a):
            if vectors:
                raise NotImplementedError(
                    "svd with full_matrices has a gradient only for matrices that are square by "
                    "their static shape: the vectors beyond the singular values are arbitrary; "
                    "take full_matrices=False"
                )
            u, s, vh = SVD(full_matrices=False)(a)
        inside = with_diagonal(cast(gs, a.dtype))
        if not vectors:
            return [mm(u, inside, vh)]
        v, gv = adjoint(vh), adjoint(gvh)
        values = rows(cast(s, a.dtype))
        gaps = cast(reciprocal_gaps(s * s), a.dtype)
        left, right = mm(adjoint(u), gu), mm(vh, gv)
        left_, right_ = gaps * left, gaps * right
        inside = inside + (left_ + adjoint(left_)) * values
        inside = inside + swap(values) * (right_ + adjoint(right_))
        if dtypes.is_complex(a.dtype):
            turn = diagonal_of(right)
            inside = inside + with_diagonal((scalar.conj(turn) - turn) / (2 * cast(s, a.dtype)))
        beyond_u = mm((gu - mm(u, left)) / values, vh)
        beyond_v = mm(u / values, adjoint(gv - mm(v, right)))
        return [mm(u, inside, vh) + beyond_u + beyond_v]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Townsend 2016: first-order changes of values and vectors."""
        (a,), (da,) = inputs, eval_points
        if da is None:
            return [None] * (3 if self.compute_uv else 1)
        u, s, vh = SVD(full_matrices=False)(a)
        inside = mm(adjoint(u), da, adjoint(vh))
        change = scalar.real(diagonal_of(inside))
        if not self.compute_uv:
            return [change]
        if dtypes.is_complex(a.dtype) or (self.full_matrices and not _is_square(a)):
            raise NotImplementedError(
                "svd has a forward derivative of U and V for real matrices and "
                "full_matrices=False only"
            )
        gaps, values = reciprocal_gaps(s * s), rows(s)
        left = gaps * (inside * values + swap(values) * swap(inside))
        right = gaps * (swap(values) * inside + swap(inside) * values)
        v = swap(vh)
        du = mm(u, left) + (mm(da, v) - mm(u, inside)) / values
        dv = mm(v, right) + (mm(swap(da), u) - mm(v, swap(inside))) / values
        return [du, change, swap(dv)]


def _is_square(a: Any) -> bool:
    """Return whether a matrix is square by its static shape."""
    return a.type.shape[-1] is not None and a.type.shape[-1] == a.type.shape[-2]


@overload
def svd(
    a: Any, full_matrices: bool = True, compute_uv: Literal[True] = True
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def svd(a: Any, full_matrices: bool = True, *, compute_uv: Literal[False]) -> Tensor: ...
@overload
def svd(a: Any, full_matrices: bool, compute_uv: bool) -> Any: ...
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """Return the singular value decomposition ``a = U diag(s) V^H``.

    Parameters
    ----------
    a
        Matrices of any shape (m, n).
    full_matrices
        True: U is (m, m) and V^H is (n, n). False: they are (m, k) and (k, n), where k is the
        smaller dimension.
    compute_uv
        Whether to compute U and V^H.

    Returns
    -------
    U, s and V^H; or only s. The singular values are real and in descending order.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if a matrix contains NaN or infinities, or the iteration does not converge.

    Notes
    -----
    Gradients of U and V exist if all singular values differ and none is zero; the gradient of s
    exists if they differ. With ``full_matrices``, they exist only for square matrices.

    Examples
    --------
    >>> s = svd(T.matrix("a", dtype="float64"), compute_uv=False)
    >>> s.eval({"a": [[3.0, 0.0], [0.0, 4.0]]})
    array([4., 3.])
    """
    result = SVD(full_matrices, compute_uv)(a)
    return tuple(result) if compute_uv else result
