"""Systems of linear equations: general, symmetric and triangular matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.keywords import explained
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.linalg.lengths import broadcast_batches
from symtheano.tensor.linalg.matrices import (
    FIRST,
    Array,
    LinalgOp,
    adjoint,
    columns,
    first_failing,
    hide_nonfinite,
    lower_part,
    mm,
    swap,
    upper_part,
)
from symtheano.tensor.messages import build_message
from symtheano.tensor.routine import count_rows
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays, View

STRUCTURES = ("general", "symmetric", "lower_triangular", "upper_triangular")


class Solve(LinalgOp):
    """``x`` with ``A x = b``.

    For a triangular matrix, the other triangle is not read; for a symmetric one, only the triangle
    selected by ``is_lower`` is read. (A symmetric complex matrix equals its transpose, without
    conjugation.)

    Attributes
    ----------
    A_structure
        One of :data:`STRUCTURES`.
    is_lower
        Which triangle of a symmetric matrix is read.
    unit_diagonal
        Whether the diagonal of a triangular matrix is assumed to be ones, and not read.
    """

    __props__ = ("A_structure", "is_lower", "unit_diagonal")
    called = "solve"
    matrices = 1

    def __init__(
        self,
        A_structure: str = "general",
        lower: bool = False,
        overwrite_A: bool = False,
        overwrite_b: bool = False,
        unit_diagonal: bool = False,
    ) -> None:
        if A_structure not in STRUCTURES:
            raise ValueError(
                build_message(
                    f"solve: A_structure={A_structure!r} is not one of {', '.join(STRUCTURES)}"
                )
            )
        self.A_structure = A_structure
        self.is_lower = bool(lower) if A_structure == "symmetric" else A_structure[0] == "l"
        self.unit_diagonal = unit_diagonal and A_structure.endswith("triangular")

    @classmethod
    def from_fields(cls, A_structure: str, is_lower: bool, unit_diagonal: bool) -> Solve:
        """Return the op with these fields."""
        return cls(A_structure, is_lower, unit_diagonal=unit_diagonal)

    def __call__(self, *inputs: Any, **kwargs: Any) -> Tensor:
        """Return the solution, a vector if the right-hand side is one; batches are broadcast."""
        a, b = (as_tensor_variable(item) for item in inputs)
        if a.ndim < 2 or b.ndim < 1:
            raise TypeError(build_message("solve: the first operand must be a matrix", a, b))
        right = columns(b) if b.ndim == 1 else b
        operands = broadcast_batches("solve", a, right, core=(2, 2))
        result = super().__call__(*operands, **kwargs)
        solution: Tensor = result.dimshuffle(*range(result.ndim - 1)) if b.ndim == 1 else result
        return solution

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The rows of the matrix and the columns of the right-hand side."""
        a, b = inputs
        pairs = zip(a.type.shape[:-1], b.type.shape[:-1], strict=True)
        rows = [n if m is None else m for m, n in pairs]
        return [TensorType(b.dtype, (*rows, b.type.shape[-1]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(*shapes[0][:-1], shapes[1][-1])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Solve with NumPy's gesv, or SciPy's sysv and trtrs."""
        a, b = inputs
        self.check(node, inputs)
        if 0 in b.shape or 0 in a.shape:
            result = np.zeros(b.shape, b.dtype)
        elif self.A_structure == "general":
            result = self._general(node, a, b)
        else:
            result = np.empty(b.shape, b.dtype)
            for number, index in enumerate(np.ndindex(*a.shape[:-2])):
                x, info = self._structured(a[index], b[index])
                if info and self.A_structure == "symmetric":
                    raise self.fail(node, number + FIRST)
                if info:
                    n = a.shape[-1]
                    raise self.fail(node, number * n + info - 1 + FIRST, n)
                result[index] = x
        output_storage[0][0] = result

    def _general(self, node: Apply, a: Array, b: Array) -> Array:
        try:
            with np.errstate(all="ignore"):
                result = np.linalg.solve(a, b)
        except np.linalg.LinAlgError:
            raise self.fail(node, first_failing(np.linalg.solve, a, b)) from None
        hide_nonfinite(a, result)
        return result

    def _structured(self, a: Array, b: Array) -> tuple[Array, int]:
        """Return solution and info of LAPACK for one matrix."""
        from scipy.linalg import get_lapack_funcs

        if self.A_structure == "symmetric":
            triangle = np.tril(a) if self.is_lower else np.triu(a)
            if not np.isfinite(triangle).all():
                return np.full(b.shape, np.nan, b.dtype), 0
            (sysv,) = get_lapack_funcs(("sysv",), (a, b))
            _, _, x, info = sysv(a, b, lower=self.is_lower)
            return x, int(info)
        (trtrs,) = get_lapack_funcs(("trtrs",), (a, b))
        # trtrs with Fortran order: the transposed matrix is read without a copy.
        x, info = trtrs(a.T, b, lower=not self.is_lower, trans=1, unitdiag=self.unit_diagonal)
        return x, int(info)

    def accepts(self, number: int, view: View) -> bool:
        """LAPACK also supports transposed matrices."""
        return view.is_contiguous() or (number == 0 and _swapped(view).is_contiguous())

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """The matrix is singular; for a triangular one, the position is known."""
        if self.A_structure in ("general", "symmetric"):
            return "the matrix is singular", None
        return f"the triangular matrix is singular: its diagonal is zero at {place}", None

    @partial(Statements, accepts=accepts, may_fail=True, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Solve one system after the other with LAPACK's getrs, trtrs or sysv."""
        from symtheano.loopir.index import Index

        (a, right), (x,) = arrays.inputs, arrays.outputs
        n, k = right.shape[-2:]
        transposed = int(not a.is_contiguous())
        options: tuple[int, ...] = (transposed,)
        name, places = "solve", Index.of(1)
        if self.A_structure == "symmetric":
            name = "solve_symmetric"
            options = (int(self.is_lower) ^ transposed,)
        elif self.A_structure != "general":
            name, places = "solve_triangular", n
            options = (int(self.is_lower), int(self.unit_diagonal), transposed)
        arguments = (count_rows(a, 2), n, k, *options, a.address, right.address, x.address)
        self.call(b, node, name, *arguments, places=places)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Giles 2008, "An extended collection of matrix derivative results", section 2.3.1.

        The gradient of ``A`` is in the part of ``A`` that is read.
        """
        (a, _), (x,), (g,) = inputs, outputs, output_grads
        right = self._transposed()(adjoint(a), g)
        return [-self._read(mm(right, adjoint(x))), right]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """``A dx = db - dA x``."""
        (a, b), (da, db) = inputs, eval_points
        change = db
        if da is not None:
            term = mm(self._spread(da), self(a, b))
            change = -term if db is None else db - term
        return [None if change is None else self(a, change)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        if batch.batched[0] or node.inputs[0].ndim > 2:
            return super().vectorize(node, batch)
        # A single matrix is factorized once; the right-hand sides of all items are columns of one
        # matrix.
        a, n = batch.inputs[0], batch.ndim
        right = batch.full(1).dimshuffle(n, *batch.front(), n + 1)
        shape = shape_of(right)
        joined = right.reshape(as_dims((shape[0], dims_product(shape[1:]))))
        (solved,) = self.make_node(a, joined).outputs
        return [solved.reshape(as_dims(shape)).dimshuffle(*range(1, n + 1), 0, n + 1)]

    def _transposed(self) -> Solve:
        """Return the op that solves with the transposed matrix."""
        structure = {
            "lower_triangular": "upper_triangular",
            "upper_triangular": "lower_triangular",
        }.get(self.A_structure, self.A_structure)
        return Solve(structure, not self.is_lower, unit_diagonal=self.unit_diagonal)

    def _read(self, g: Any) -> Any:
        """Return a gradient for the part of the matrix that is read."""
        if self.A_structure == "general":
            return g
        part = lower_part if self.is_lower else upper_part
        first = (-1 if self.is_lower else 1) if self.unit_diagonal else 0
        if self.A_structure == "symmetric":
            outside = lower_part(swap(g), -1) if self.is_lower else upper_part(swap(g), 1)
            return part(g) + outside
        return part(g, first)

    def _spread(self, da: Any) -> Any:
        """Return the change of the whole matrix, given that of the part that is read."""
        if self.A_structure == "general":
            return da
        part = lower_part if self.is_lower else upper_part
        first = -1 if self.is_lower else 1
        if self.A_structure == "symmetric":
            return part(da) + swap(part(da, first))
        return part(da, first if self.unit_diagonal else 0)


def _swapped(view: View) -> View:
    *batch, row, column = range(view.ndim)
    return view.permuted((*batch, column, row))


@explained({"assume_a": "A_structure", "sym_pos": "A_structure"})
def solve(a: Any, b: Any, A_structure: str = "general", lower: bool = False) -> Tensor:
    """Return ``x`` with ``a x = b``.

    Parameters
    ----------
    a
        Square matrices.
    b
        Right-hand side: a vector, or matrices with the same number of rows.
    A_structure
        Structure of ``a``: ``general``, ``symmetric``, ``lower_triangular`` or
        ``upper_triangular``.
    lower
        Which triangle of a symmetric matrix is read.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if a matrix is singular.
    ShapeError
        If lengths differ.

    Examples
    --------
    >>> a, b = T.matrix("a", dtype="float64"), T.vector("b", dtype="float64")
    >>> solve(a, b).eval({"a": [[2.0, 0.0], [0.0, 4.0]], "b": [2.0, 2.0]})
    array([1. , 0.5])
    """
    return Solve(A_structure, lower)(a, b)


def solve_lower_triangular(a: Any, b: Any) -> Tensor:
    """Return ``x`` with ``a x = b`` for lower triangular ``a``; its upper triangle is not read.

    Examples
    --------
    >>> solve_lower_triangular(T.matrix("a"), T.vector("b")).type
    TensorType(float64, vector)
    """
    return Solve("lower_triangular")(a, b)


def solve_upper_triangular(a: Any, b: Any) -> Tensor:
    """Return ``x`` with ``a x = b`` for upper triangular ``a``; its lower triangle is not read.

    Examples
    --------
    >>> solve_upper_triangular(T.matrix("a"), T.vector("b")).type
    TensorType(float64, vector)
    """
    return Solve("upper_triangular")(a, b)


def solve_symmetric(a: Any, b: Any) -> Tensor:
    """Return ``x`` with ``a x = b`` for symmetric ``a``; its lower triangle is not read.

    Examples
    --------
    >>> solve_symmetric(T.matrix("a"), T.vector("b")).type
    TensorType(float64, vector)
    """
    return Solve("symmetric")(a, b)


@explained()
def solve_triangular(
    a: TensorLike, b: Any, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False
) -> Tensor:
    """Return ``x`` with ``a x = b``, ``a^T x = b`` or ``a^H x = b`` for triangular ``a``.

    Parameters
    ----------
    a
        Matrices; only one triangle is read.
    b
        Right-hand side: a vector, or matrices with the same number of rows.
    trans
        0 or ``"N"``, 1 or ``"T"`` (transposed), 2 or ``"C"`` (conjugated too).
    lower
        Whether the lower triangle of ``a`` is read.
    unit_diagonal
        Whether the diagonal is assumed to be ones, and not read.

    Raises
    ------
    numpy.linalg.LinAlgError
        In a call, if there is a zero on the diagonal.

    Examples
    --------
    >>> solve_triangular(T.matrix("a"), T.matrix("b"), lower=True).ndim
    2
    """
    kinds = {0: 0, "N": 0, 1: 1, "T": 1, 2: 2, "C": 2}
    if trans not in kinds:
        raise ValueError(build_message(f"solve_triangular: trans={trans!r} is not one of 0, 1, 2"))
    a = as_tensor_variable(a)
    if kinds[trans] and a.ndim >= 2:
        complex_ = kinds[trans] == 2 and dtypes.is_complex(a.dtype)
        a, lower = swap(scalar.conj(a) if complex_ else a), not lower
    structure = "lower_triangular" if lower else "upper_triangular"
    return Solve(structure, unit_diagonal=unit_diagonal)(a, b)
