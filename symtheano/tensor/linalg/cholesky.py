"""Cholesky factorization, and solution of systems with its factor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.operand import Tensor
from symtheano.tensor.linalg.matrices import (
    FIRST,
    LinalgOp,
    adjoint,
    each,
    from_triangle,
    lower_part,
    mm,
    to_triangle,
)
from symtheano.tensor.linalg.solve import solve_triangular
from symtheano.tensor.messages import build_message
from symtheano.tensor.routine import count_rows

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class Cholesky(LinalgOp):
    """The triangular factor of positive definite matrices: ``A = L L^H``, or ``A = U^H U``.

    Only the triangle of ``A`` that corresponds to the factor is read.

    Attributes
    ----------
    is_lower
        Whether the factor is lower triangular.
    on_error
        Handling of matrices that are not positive definite: ``raise`` or ``nan``.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("is_lower", "on_error")
    called = "cholesky"

    def __init__(self, lower: bool = True, on_error: str = "raise") -> None:
        if on_error not in ("raise", "nan"):
            raise ValueError(build_message(f"cholesky: on_error={on_error!r} is not raise or nan"))
        self.is_lower = bool(lower)
        self.on_error = on_error

    @classmethod
    def from_fields(cls, is_lower: bool, on_error: str) -> Cholesky:
        """Return the op with these fields."""
        return cls(is_lower, on_error)

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Factorize with NumPy; one matrix after the other if errors are replaced by NaN."""
        (a,) = inputs
        self.check(node, inputs)
        a = a if self.is_lower else a.conj().swapaxes(-1, -2)
        with np.errstate(all="ignore"):
            factors = each(_factor, a)
        bad = [number for number, factor in enumerate(factors) if factor is None]
        if self.on_error == "raise" and bad:
            raise self.fail(node, bad[0] + FIRST)
        result = np.empty(a.shape, a.dtype)
        for index, factor in zip(np.ndindex(*a.shape[:-2]), factors, strict=True):
            result[index] = np.nan if factor is None else factor
        output_storage[0][0] = result if self.is_lower else result.conj().swapaxes(-1, -2)

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The message for a failure."""
        return "the matrix is not positive definite", "on_error='nan' gives NaN for it"

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Factorize one matrix after the other with LAPACK's potrf."""
        (a,), (factor,) = arrays.inputs, arrays.outputs
        n = a.shape[-1]
        options = (int(self.is_lower), int(self.on_error == "nan"))
        arguments = (count_rows(a, 2), n, *options, a.address, factor.address)
        self.call(b, node, "cholesky", *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Murray 2016, "Differentiation of the Cholesky decomposition", equation 10.

        The gradient is in the triangle that is read.
        """
        (factor,), (g,) = outputs, output_grads
        if not self.is_lower:
            factor, g = adjoint(factor), adjoint(g)
        inside = _half(mm(adjoint(factor), lower_part(g)))
        left = solve_triangular(factor, inside, trans="C", lower=True)
        whole = adjoint(solve_triangular(factor, adjoint(left), trans="C", lower=True))
        return [to_triangle((whole + adjoint(whole)) / 2, self.is_lower)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Murray 2016, equation 8."""
        if eval_points[0] is None:
            return [None]
        factor = self(*inputs)
        factor = factor if self.is_lower else adjoint(factor)
        change = from_triangle(eval_points[0], self.is_lower)
        left = solve_triangular(factor, change, lower=True)
        both = solve_triangular(factor, adjoint(left), lower=True)
        result = mm(factor, _half(adjoint(both)))
        return [result if self.is_lower else adjoint(result)]


def _factor(a: Any) -> Any:
    """Return the lower factor, or None if there is none."""
    try:
        factor = np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        return None
    return factor if np.isfinite(factor).all() else None


def _half(x: Any) -> Any:
    """Return the lower triangle with half of the diagonal, whose real part is used."""
    return (lower_part(x) + lower_part(x, -1)) / 2


def cholesky(a: Any, lower: bool = True, on_error: str = "raise") -> Tensor:
    """Return the triangular factor of positive definite matrices.

    Parameters
    ----------
    a
        Symmetric (Hermitian) positive definite matrices; only one triangle is read.
    lower
        True: return ``L`` with ``a = L L^H``, and read the lower triangle. False: return ``U`` with
        ``a = U^H U``, and read the upper triangle.
    on_error
        What to do about a matrix that is not positive definite: ``raise``, or return ``nan``.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if a matrix is not positive definite (or contains NaN) and ``on_error="raise"``.

    Examples
    --------
    >>> cholesky(T.matrix("a", dtype="float64")).eval({"a": [[4.0, 0.0], [2.0, 5.0]]})
    array([[2., 0.],
           [1., 2.]])
    """
    return Cholesky(lower, on_error)(a)


def cho_solve(c_and_lower: Any, b: Any) -> Tensor:
    """Return ``x`` with ``a x = b`` from the Cholesky factor of ``a``.

    Parameters
    ----------
    c_and_lower
        A pair: the factor, and whether it is the lower one.
    b
        Right-hand side, as for :func:`~symtheano.tensor.linalg.solve.solve`.

    Examples
    --------
    >>> L, b = T.matrix("L"), T.vector("b")
    >>> cho_solve((L, True), b).type
    TensorType(float64, vector)
    """
    factor, lower = c_and_lower
    first = solve_triangular(factor, b, trans=0 if lower else "C", lower=lower)
    return solve_triangular(factor, first, trans="C" if lower else 0, lower=lower)
