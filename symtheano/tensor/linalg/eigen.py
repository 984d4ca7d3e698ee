"""Eigenvalues and eigenvectors of Hermitian matrices, of pairs of them, and of general matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.linalg.lengths import broadcast_batches
from symtheano.tensor.linalg.matrices import (
    DIVERGED,
    NOT_REAL,
    LinalgOp,
    adjoint,
    as_matrices,
    diagonal_of,
    first_nonfinite,
    from_triangle,
    hide_nonfinite,
    is_zero,
    mm,
    real_as,
    reciprocal_gaps,
    rows,
    to_triangle,
    with_diagonal,
)
from symtheano.tensor.linalg.solve import solve, solve_triangular
from symtheano.tensor.messages import build_message
from symtheano.tensor.routine import count_rows
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays, View


class Eigh(LinalgOp):
    """Eigenvalues (ascending) and orthonormal eigenvectors of Hermitian matrices.

    Attributes
    ----------
    UPLO
        ``L`` or ``U``: the triangle that is read.
    vectors
        Whether the eigenvectors are also an output.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("UPLO", "vectors")
    called = "eigh"

    def __init__(self, UPLO: str = "L", vectors: bool = True) -> None:
        if UPLO not in ("L", "U", "l", "u"):
            raise ValueError(build_message(f"eigh: UPLO={UPLO!r} is not L or U"))
        self.UPLO = UPLO.upper()
        self.vectors = vectors

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Eigenvalues are real."""
        (a,) = inputs
        n = a.type.shape[-1] if a.type.shape[-1] is not None else a.type.shape[-2]
        values = TensorType(dtypes.real_of(a.dtype), (*a.type.shape[:-2], n))
        return [values, a.type] if self.vectors else [values]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        values = tuple(shapes[0][:-1])
        return [values, shapes[0]] if self.vectors else [values]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        self.check(node, inputs)
        if a.size == 0:
            results = [np.zeros(a.shape[:-1], a.real.dtype), np.zeros(a.shape, a.dtype)]
            results = results[: 1 + self.vectors]
        else:
            read = np.tril(a) if self.UPLO == "L" else np.triu(a)
            # With NaN, LAPACK diverges or returns plausible numbers, depending on the build.
            good = np.isfinite(read).all(axis=(-2, -1), keepdims=True)
            try:
                solver: Any = np.linalg.eigh if self.vectors else np.linalg.eigvalsh
                with np.errstate(all="ignore"):
                    decomposition = solver(np.where(good, read, a.dtype.type(0)), self.UPLO)
            except np.linalg.LinAlgError:
                raise self.fail(node, DIVERGED) from None
            results = (
                [np.array(item) for item in decomposition]
                if self.vectors
                else [np.array(decomposition)]
            )
            hide_nonfinite(read, *results)
        for cell, result in zip(output_storage, results, strict=True):
            cell[0] = result

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The iteration does not converge."""
        return "the eigenvalues were not found", None

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one matrix after the other with LAPACK's syevd or heevd."""
        (a,) = arrays.inputs
        options = int(self.UPLO == "L"), int(self.vectors)
        arguments = count_rows(a, 2), a.shape[-1], *options, a.address, *_results(arrays.outputs)
        self.call(b, node, "eigh", *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Giles 2008, section 2.3.1 (symmetric case), converted to the triangle that is read.

        The gradient of eigenvectors does not exist if eigenvalues are equal.
        """
        (a,) = inputs
        v = outputs[1] if self.vectors else Eigh(self.UPLO)(a)[1]
        inside = with_diagonal(cast(output_grads[0], a.dtype))
        if self.vectors and not is_zero(output_grads[1]):
            gaps = cast(reciprocal_gaps(outputs[0]), a.dtype)
            inside = inside + gaps * mm(adjoint(v), output_grads[1])
        whole = mm(v, inside, adjoint(v))
        return [to_triangle((whole + adjoint(whole)) / 2, self.UPLO == "L")]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """First-order perturbation of eigenvalues and vectors."""
        (a,), (da,) = inputs, eval_points
        if da is None:
            return [None] * (1 + self.vectors)
        w, v = Eigh(self.UPLO)(a)
        inside = mm(adjoint(v), from_triangle(da, self.UPLO == "L"), v)
        change = scalar.real(diagonal_of(inside))
        if not self.vectors:
            return [change]
        return [change, mm(v, cast(reciprocal_gaps(w), a.dtype) * inside)]


def _results(outputs: list[View]) -> tuple[Any, Any]:
    """Return the buffers of eigenvalues and vectors; 0 for no vectors."""
    return outputs[0].address, outputs[1].address if len(outputs) > 1 else 0


def eigh(a: Any, UPLO: str = "L", *, b: Any = None) -> tuple[Tensor, Tensor]:
    """Return eigenvalues and eigenvectors of Hermitian (real: symmetric) matrices.

    Parameters
    ----------
    a
        Square matrices, of which one triangle is read.
    UPLO
        ``L`` for the lower triangle, ``U`` for the upper one.
    b
        Positive definite matrices, of which the same triangle is read. If they are there, the
        values ``w`` and vectors ``v`` of ``a v = w b v`` are returned.

    Returns
    -------
    The eigenvalues, real and ascending, and a matrix whose columns are orthonormal eigenvectors
    (with ``b``: ``v^H b v`` is the identity); NaN for a matrix with NaN or infinities in the
    triangle that is read.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if the iteration does not converge, or ``b`` is not positive definite.

    Notes
    -----
    The gradient is in the triangle that is read. The gradient of eigenvectors is infinite or NaN if
    eigenvalues are equal. Eigenvectors are unique only up to a factor of modulus 1; differentiate
    only expressions that do not depend on this factor.

    Examples
    --------
    >>> w, v = eigh(T.matrix("a", dtype="float64"))
    >>> w.eval({"a": [[2.0, 0.0], [1.0, 2.0]]}).round(12)
    array([1., 3.])
    """
    if b is None:
        w, v = Eigh(UPLO)(a)
        return w, v
    reduced, factor = _reduced("eigh", a, b, UPLO in ("L", "l"))
    w, v = Eigh("L")(reduced)
    return w, solve_triangular(factor, v, trans="C", lower=True)


def _reduced(name: str, a: Any, b: Any, lower: bool) -> tuple[Any, Any]:
    """Return the matrix of which the eigenvalues are those of a pair, and the factor of ``b``.

    This is the reduction of LAPACK's sygst: with b = L L^H, the matrix is L^-1 a L^-H.
    """
    from symtheano.tensor.linalg.cholesky import cholesky

    a, b = as_matrices(name, a, b)
    if a.ndim < 2 or b.ndim < 2:
        raise TypeError(build_message(f"{name} takes matrices, or batches of them", a, b))
    a, b = broadcast_batches(name, a, b, core=(2, 2))
    factor = cholesky(b, lower)
    factor = factor if lower else adjoint(factor)
    half = solve_triangular(factor, from_triangle(a, lower), lower=True)
    return adjoint(solve_triangular(factor, adjoint(half), lower=True)), factor


def eigvalsh(a: Any, b: Any = None, lower: bool = True) -> Tensor:
    """Return the eigenvalues of Hermitian matrices, or of pairs of them.

    Parameters
    ----------
    a
        Square matrices, of which one triangle is read.
    b
        Positive definite matrices; if given, the eigenvalues ``w`` of ``a v = w b v`` are returned.
    lower
        Whether the lower triangle is read, or the upper one.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if ``b`` is not positive definite, or the iteration does not converge.

    Examples
    --------
    >>> a, b = T.matrices("a", "b", dtype="float64")
    >>> w = eigvalsh(a, b)
    >>> w.eval({"a": [[2.0, 0.0], [0.0, 3.0]], "b": [[2.0, 0.0], [0.0, 1.0]]}).round(12)
    array([1., 3.])
    """
    if b is None:
        return Eigh("L" if lower else "U", vectors=False)(a)
    return Eigh("L", vectors=False)(_reduced("eigvalsh", a, b, lower)[0])


class Eigvalsh:
    """Theano's form of :func:`eigvalsh`."""

    def __init__(self, lower: bool = True) -> None:
        self.lower = lower

    def __call__(self, a: Any, b: Any = None) -> Any:
        """Return the eigenvalues."""
        return eigvalsh(a, b, self.lower)


class Eig(LinalgOp):
    """Eigenvalues and eigenvectors (of length 1) of general square matrices.

    Attributes
    ----------
    vectors
        Whether the eigenvectors are also an output.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("vectors",)
    called = "eig"

    def __init__(self, vectors: bool = True) -> None:
        self.vectors = vectors

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Of the dtype of the matrix."""
        (a,) = inputs
        n = a.type.shape[-1] if a.type.shape[-1] is not None else a.type.shape[-2]
        values = TensorType(a.dtype, (*a.type.shape[:-2], n))
        return [values, a.type] if self.vectors else [values]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        values = tuple(shapes[0][:-1])
        return [values, shapes[0]] if self.vectors else [values]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        self.check(node, inputs)
        bad = first_nonfinite(a)
        if bad:
            raise self.fail(node, bad)
        if a.size == 0:  # NumPy visits each matrix
            for cell, shape in zip(output_storage, (a.shape[:-1], a.shape), strict=False):
                cell[0] = np.zeros(shape, a.dtype)
            return
        try:
            with np.errstate(all="ignore"):
                decomposition: Any = (np.linalg.eig if self.vectors else np.linalg.eigvals)(a)
        except np.linalg.LinAlgError:
            raise self.fail(node, DIVERGED) from None
        results = list(decomposition) if self.vectors else [decomposition]
        if a.dtype.kind != "c" and results[0].dtype.kind == "c" and results[0].imag.any():
            raise self.fail(node, NOT_REAL)
        for cell, result in zip(output_storage, results, strict=True):
            cell[0] = np.asarray(result.real if a.dtype.kind != "c" else result, a.dtype)

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The result of a real matrix is not real, or there is none."""
        if status == NOT_REAL:
            return (
                "this real matrix has eigenvalues that are not real",
                "cast the matrix to complex128 (or complex64) first",
            )
        if status == DIVERGED:
            return "the eigenvalues were not found", None
        return "the matrix holds NaN or infinities", None

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one matrix after the other with LAPACK's geev."""
        (a,) = arrays.inputs
        results = _results(arrays.outputs)
        arguments = count_rows(a, 2), a.shape[-1], int(self.vectors), a.address, *results
        self.call(b, node, "eig", *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Boeddeker et al. 2017, "On the computation of complex-valued gradients", section 4.3.

        It does not exist if eigenvalues are equal.
        """
        (a,) = inputs
        w, v = outputs if self.vectors else Eig()(a)
        inside = with_diagonal(output_grads[0])
        vh = adjoint(v)
        if self.vectors and not is_zero(output_grads[1]):
            turned = mm(vh, output_grads[1])
            along = real_as(diagonal_of(turned))
            inside = inside + scalar.conj(reciprocal_gaps(w)) * (turned - mm(vh, v) * rows(along))
        return [solve(vh, mm(inside, vh))]


def eig(a: Any) -> tuple[Tensor, Tensor]:
    """Return eigenvalues and eigenvectors of general square matrices.

    Parameters
    ----------
    a
        Square matrices. A real matrix with complex eigenvalues is an error in a call; cast it to a
        complex dtype first.

    Returns
    -------
    The eigenvalues in arbitrary order, and a matrix whose columns are eigenvectors of length 1;
    both in the dtype of ``a``.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if a real matrix has eigenvalues that are not real, if a matrix contains NaN or
        infinities, or if the iteration does not converge.

    Notes
    -----
    The gradient does not exist if eigenvalues are equal. Eigenvectors are unique only up to a
    factor of modulus 1; differentiate only expressions that do not depend on this factor.

    Examples
    --------
    >>> w, v = eig(T.matrix("a", dtype="float64"))
    >>> w.eval({"a": [[2.0, 1.0], [0.0, 3.0]]})
    array([2., 3.])
    """
    w, v = Eig()(a)
    return w, v


def eigvals(a: TensorLike) -> Tensor:
    """Return the eigenvalues of general square matrices; see :func:`eig`.

    Examples
    --------
    >>> eigvals(T.matrix("a")).type
    TensorType(float64, vector)
    """
    return Eig(vectors=False)(as_tensor_variable(a))
