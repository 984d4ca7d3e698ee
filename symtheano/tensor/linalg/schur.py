"""Schur decompositions of matrices, and of pairs of matrices."""

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
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.linalg.lengths import broadcast_batches
from symtheano.tensor.linalg.matrices import DIVERGED, LinalgOp, as_matrices
from symtheano.tensor.messages import build_message
from symtheano.tensor.routine import count_rows
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

SORTS = ("lhp", "rhp", "iuc", "ouc")
"""SciPy's names of the eigenvalues that come first: those in the left or right half plane, those
inside of the unit circle, or those outside of it."""


def _check_options(name: str, sort: str | None, on_error: str) -> None:
    if sort is not None and sort not in SORTS:
        names = ", ".join(SORTS)
        raise ValueError(build_message(f"{name}: sort={sort!r} is neither None nor one of {names}"))
    if on_error not in ("raise", "nan"):
        raise ValueError(
            build_message(f"{name}: on_error={on_error!r} is neither 'raise' nor 'nan'")
        )


def _options(op: Schur | QZ) -> tuple[int, int]:
    """Return the two numbers that tell C the attributes of an op."""
    return 0 if op.sort is None else SORTS.index(op.sort) + 1, int(op.on_error == "nan")


def _decompose(
    op: Schur | QZ,
    node: Apply,
    inputs: Sequence[Any],
    output_storage: list[list[Any]],
    results: Callable[..., Sequence[Any]],
) -> None:
    """Store the results of each matrix of batches; ``results`` computes those of one."""
    op.check(node, inputs)
    shapes: Any = op.infer_shape(node, [item.shape for item in inputs])
    arrays = [
        np.full(shape, np.nan, item.type.dtype)
        for item, shape in zip(node.outputs, shapes, strict=True)
    ]
    for index in np.ndindex(*inputs[0].shape[:-2]) if inputs[0].shape[-1] else ():
        matrices = [item[index] for item in inputs]
        if not all(np.isfinite(item).all() for item in matrices):
            continue
        try:
            with np.errstate(all="ignore"):
                parts = results(*matrices)
        except np.linalg.LinAlgError:
            if op.on_error == "raise":
                raise op.fail(node, DIVERGED) from None
            continue
        for array, part in zip(arrays, parts, strict=True):
            array[index] = part
    for cell, array in zip(output_storage, arrays, strict=True):
        cell[0] = array


class Schur(LinalgOp):
    """``A = Z T Z^H``: Z is unitary, T upper triangular, or in blocks of two rows if it is real.

    Attributes
    ----------
    sort
        One of :data:`SORTS`, or None.
    on_error
        ``raise``, or ``nan``: results of matrices whose eigenvalues are not found or not sorted are
        NaN.
    """

    __props__ = ("sort", "on_error")
    called = "schur"

    def __init__(self, sort: str | None = None, on_error: str = "raise") -> None:
        _check_options(self.called, sort, on_error)
        self.sort = sort
        self.on_error = on_error

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Both results have the type of the matrix."""
        return [inputs[0].type, inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0], shapes[0]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        from scipy.linalg import schur as scipy_schur

        def results(a: Any) -> Sequence[Any]:
            return tuple(scipy_schur(a, sort=self.sort)[:2])

        _decompose(self, node, inputs, output_storage, results)

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The iteration does not converge, or rounding prevents sorting."""
        return "the eigenvalues were not found, or could not be sorted", None

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one matrix after the other with LAPACK's gees."""
        (a,), results = arrays.inputs, arrays.outputs
        addresses = [item.address for item in (a, *results)]
        self.call(b, node, "schur", count_rows(a, 2), a.shape[-1], *_options(self), *addresses)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        raise NotImplementedError("schur has no gradient")


class QZ(LinalgOp):
    """``A = Q S Z^H`` and ``B = Q T Z^H``: Q and Z are unitary, S and T are as in :class:`Schur`.

    The eigenvalues are the quotients of the third and the fourth output. If the matrices are real,
    the third output has the real parts of the dividends in a row, and the imaginary parts in
    another. The attributes are those of :class:`Schur`.
    """

    __props__ = ("sort", "on_error")
    called = "qz"
    matrices = 2

    def __init__(self, sort: str | None = None, on_error: str = "raise") -> None:
        _check_options(self.called, sort, on_error)
        self.sort = sort
        self.on_error = on_error

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Four matrices, and the eigenvalues between them."""
        a, _ = inputs
        *batch, n, _ = a.type.shape
        values = (n,) if dtypes.is_complex(a.dtype) else (2, n)
        alpha, beta = (TensorType(a.dtype, (*batch, *item)) for item in (values, (n,)))
        return [a.type, a.type, alpha, beta, a.type, a.type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        *batch, n, _ = shapes[0]
        values = (n,) if dtypes.is_complex(node.inputs[0].dtype) else (2, n)
        return [shapes[0], shapes[0], (*batch, *values), (*batch, n), shapes[0], shapes[0]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        from scipy.linalg import ordqz as scipy_ordqz

        # Without a sort, no eigenvalue is chosen.
        sort: Any = self.sort or (lambda alpha, beta: np.zeros(alpha.shape, bool))
        is_real = not dtypes.is_complex(node.inputs[0].dtype)

        def results(a: Any, b: Any) -> Sequence[Any]:
            s, t, alpha, beta, q, z = scipy_ordqz(a, b, sort=sort)
            values = np.stack([alpha.real, alpha.imag]) if is_real else alpha
            return s, t, values, beta, q, z

        _decompose(self, node, inputs, output_storage, results)

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The iteration does not converge, or rounding prevents sorting."""
        return "the eigenvalues were not found, or could not be sorted", None

    @partial(Statements, accepts=contiguous, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one pair of matrices after the other with LAPACK's gges."""
        (first, second), results = arrays.inputs, arrays.outputs
        addresses = [item.address for item in (first, second, *results)]
        self.call(b, node, "qz", count_rows(first, 2), first.shape[-1], *_options(self), *addresses)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        raise NotImplementedError("qz has no gradient")


def _output(name: str, output: str, *items: Any) -> list[Any]:
    """Return matrices of the dtype of the results."""
    if output not in ("real", "complex"):
        raise ValueError(
            build_message(f"{name}: output={output!r} is neither 'real' nor 'complex'")
        )
    operands = as_matrices(name, *items)
    for item in operands:
        if item.ndim < 2:
            raise TypeError(build_message(f"{name} takes matrices, or batches of them", *operands))
    dtype = operands[0].dtype
    if output == "complex" and not dtypes.is_complex(dtype):
        dtype = dtypes.complex_of(dtype)
    return [cast(item, dtype) for item in operands]


def schur(
    a: Any, output: str = "real", sort: str | None = None, on_error: str = "raise"
) -> tuple[Tensor, Tensor]:
    """Return the Schur decomposition ``a = Z T Z^H``.

    Parameters
    ----------
    a
        Square matrices.
    output
        ``real``, or ``complex`` for the complex decomposition of real matrices. That of complex
        matrices is complex.
    sort
        Which eigenvalues come first on the diagonal of T: ``lhp`` (the real part is negative),
        ``rhp`` (it is not), ``iuc`` (the absolute value is at most 1), ``ouc`` (it is larger).
    on_error
        What to do about a matrix whose eigenvalues are not found or can't be sorted: ``raise``, or
        return ``nan``.

    Returns
    -------
    T, upper triangular, and the unitary Z. A real T has a block of two rows on its diagonal for
    each pair of complex eigenvalues. Both are NaN for a matrix with NaN or infinities.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if the eigenvalues of a matrix are not found or can't be sorted, and
        ``on_error="raise"``.

    Notes
    -----
    There is no gradient.

    Examples
    --------
    >>> t, z = schur(T.matrix("a", dtype="float64"), sort="rhp")
    >>> t.eval({"a": [[-1.0, 0.0], [0.0, 2.0]]})
    array([[ 2.,  0.],
           [ 0., -1.]])
    """
    t, z = Schur(sort, on_error)(*_output("schur", output, a))
    return t, z


def qz(
    a: Any, b: Any, output: str = "real", sort: str | None = None, on_error: str = "raise"
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the generalized Schur decomposition ``a = Q S Z^H`` and ``b = Q T Z^H``.

    Parameters
    ----------
    a, b
        Square matrices.
    output, sort, on_error
        As for :func:`schur`, but ``rhp`` is a positive real part, ``iuc`` an absolute value less
        than 1, and infinite eigenvalues are those outside of the unit circle.

    Returns
    -------
    S, T, Q and Z; see :func:`ordqz` for the eigenvalues.

    Examples
    --------
    >>> a, b = T.matrices("a", "b", dtype="float64")
    >>> s, t, q, z = qz(a, b)
    >>> abs(q @ t @ z.T).eval({"a": [[1.0, 2.0], [0.0, 1.0]], "b": [[3.0, 0.0], [0.0, 4.0]]})
    array([[3., 0.],
           [0., 4.]])
    """
    s, t, _, _, q, z = ordqz(a, b, sort, output, on_error)
    return s, t, q, z


def ordqz(
    a: Any, b: Any, sort: str | None = "lhp", output: str = "real", on_error: str = "raise"
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Return the generalized Schur decomposition with the eigenvalues, which are sorted.

    Parameters
    ----------
    a, b
        Square matrices.
    sort, output, on_error
        As for :func:`qz`.

    Returns
    -------
    S, T, the complex dividends and the divisors of the eigenvalues, Q and Z.

    Examples
    --------
    >>> a, b = T.matrices("a", "b", dtype="float64")
    >>> s, t, alpha, beta, q, z = ordqz(a, b, sort="ouc")
    >>> (alpha / beta).eval({"a": [[1.0, 0.0], [0.0, 8.0]], "b": [[2.0, 0.0], [0.0, 2.0]]})
    array([4. +0.j, 0.5+0.j])
    """
    operands = _output("qz", output, as_tensor_variable(a), as_tensor_variable(b))
    operands = broadcast_batches("qz", *operands, core=(2, 2))
    s, t, values, beta, q, z = QZ(sort, on_error)(*operands)
    if dtypes.is_complex(values.dtype):
        return s, t, values, beta, q, z
    return s, t, scalar.complex(values[..., 0, :], values[..., 1, :]), beta, q, z
