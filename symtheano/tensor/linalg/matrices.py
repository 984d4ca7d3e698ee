"""Common parts of ops on matrices: base class, triangles, diagonals, checked lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError, SquareError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.stacks import LARGE_STACK, LEAST_STACK
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import Assert
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.creation.identity import eye
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.linalg.matmul import matmul
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.shape import as_dims, shape_of

if TYPE_CHECKING:
    from symtheano.loopir import Builder

Array = np.ndarray[Any, Any]

NOT_REAL, DIVERGED, FIRST = -1, -2, 2
"""What became of a call, as the C helpers tell: an eigenvalue is not real; an iteration did not
converge; this plus k: matrix k of the batch has no answer."""


# OpenBLAS uses several threads from 40,000 elements on, other libraries perhaps for fewer.
_SHARED = 10_000


class LinalgOp(Op):
    """Base class of ops on matrices: operands are promoted to a dtype that LAPACK supports."""

    takes = "**..."
    called: str
    """The user's name of the op."""
    matrices: int = 1
    """Number of inputs, from the first one, that are matrices or batches of them."""
    square: bool = True
    """Whether these matrices are square."""
    joint: bool = True
    """Whether all matrices have the same number of rows and the same batch shape."""

    def stack_needed(self, inputs: Sequence[Any]) -> int:
        """NumPy's and SciPy's libraries use several threads for large matrices."""
        large = any(np.size(item) >= _SHARED for item in inputs)
        return LARGE_STACK if large else LEAST_STACK << 1

    def make_node(self, *inputs: Any) -> Apply:
        """Promote the operands and check their known lengths."""
        operands = [as_tensor_variable(item) for item in inputs]
        name = self.called
        for item in operands:
            if item.ndim < 2:
                raise TypeError(
                    build_message(f"{name} takes matrices, or batches of them", *operands)
                )
        dtype = lapack_dtype(name, *operands)
        operands = [cast(item, dtype) for item in operands]
        for item in operands[: self.matrices] if self.square else ():
            rows, columns = item.type.shape[-2:]
            if None not in (rows, columns) and rows != columns:
                raise SquareError(build_message(f"{name} takes square matrices", *operands))
        return Apply(self, operands, self.infer(*operands))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The result has the type of the first matrix, if nothing else is declared."""
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The result has the shape of the first matrix, if nothing else is declared."""
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Matrices are square if required; batches and rows of all inputs agree."""
        requirements: list[Requirement] = []
        for position in range(self.matrices if self.square else 0):
            rows, columns = shapes[position][-2:]
            message = partial(_not_square, node, position)
            requirements += same_length(rows, columns, message, error=SquareError)
        for other in shapes[1:] if self.joint else ():
            for mine, its in zip(shapes[0][:-1], other[:-1], strict=True):
                requirements += same_length(mine, its, partial(_no_fit, node))
        return requirements

    def check(self, node: Apply, values: Sequence[Any]) -> None:
        """Raise ShapeError if these arrays do not meet the :meth:`requirements`."""
        for position in range(self.matrices if self.square else 0):
            rows, columns = values[position].shape[-2:]
            if rows != columns:
                raise SquareError(_not_square(node, position, [rows, columns]))
        for other in values[1:] if self.joint else ():
            for mine, its in zip(values[0].shape[:-1], other.shape[:-1], strict=True):
                if mine != its:
                    raise ShapeError(_no_fit(node, [mine, its]))

    def trouble(self, status: int, place: int) -> tuple[str, str | None]:
        """Return the message for a nonzero status, and a hint.

        ``place`` is the part of a status besides the number of the matrix; see :meth:`explain`.
        """
        return "the matrix has no answer", None

    def explain(self, node: Apply, values: Sequence[int]) -> str:
        """Return the message for a status.

        Parameters
        ----------
        node
            The call.
        values
            The status, and the number of places per matrix: ``k * places + place + FIRST`` refers
            to matrix k.
        """
        status, places = values
        number, place = divmod(max(status - FIRST, 0), max(places, 1))
        what, hint = self.trouble(status, place)
        if status >= FIRST and node.inputs[0].ndim > 2:
            what += f" (matrix {number} of the batch)"
        return call_message(f"{self.called}: {what}", node, *node.inputs, hint=hint)

    def fail(self, node: Apply, status: int, places: int = 1) -> Exception:
        """Return the error for a status; also used for compiled code."""
        return np.linalg.LinAlgError(self.explain(node, [status, places]))

    def call(
        self,
        b: Builder,
        node: Apply,
        name: str,
        *arguments: Any,
        places: Any = 1,
    ) -> None:
        """Generate the call of a C helper, and the error if it fails."""
        from symtheano.loopir.index import Index

        status = b.call(name, *arguments)
        assert status is not None
        values = [b.as_index(status), Index.of(places)]
        b.check(
            b.is_zero(status), "value", partial(self.explain, node), values, np.linalg.LinAlgError
        )

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        operands = []
        for n, item in enumerate(node.inputs):
            if item.ndim < 2:  # the part of the largest singular value that counts as zero
                batch.needs_plain(node, n)
            operands.append(batch.inputs[n] if item.ndim < 2 else batch.full(n))
        return self.make_node(*operands).outputs


class RequireAnswer(Assert):
    """A number that was computed for a :class:`LinalgOp`, if all the conditions are true.

    Parameters
    ----------
    msg
        The whole message of the error, a ``numpy.linalg.LinAlgError``.
    """

    error = np.linalg.LinAlgError

    def __str__(self) -> str:
        """Return the name with the first line of the message."""
        first, _, _ = self.msg.partition("\n")
        return f"{type(self).__name__}{{{first}}}"

    def message(self, node: Apply, values: Sequence[int]) -> str:
        """Return the error message, which tells of the operation on whole matrices."""
        return self.msg


def known_number(rcond: Any) -> float | None:
    """Return a number that is known when the graph is built; None for a variable, or for None."""
    if isinstance(rcond, Variable):
        rcond = getattr(rcond, "data", None)
    return None if rcond is None else float(rcond)


def cut_off(name: str, rcond: Any, dtype: str) -> Any:
    """Return the part of the largest singular value below which others are zero, as a variable."""
    bound = as_tensor_variable(rcond)
    if bound.ndim or dtypes.is_complex(bound.dtype):
        raise TypeError(build_message(f"{name}: rcond is a real number", bound))
    return cast(bound, dtypes.real_of(dtype))


def _called(node: Apply) -> str:
    return str(getattr(node.op, "called", node.op))


def _not_square(node: Apply, position: int, values: Sequence[int]) -> str:
    return call_message(
        f"{_called(node)} takes square matrices, but this one is {values[0]} × {values[1]}",
        node,
        node.inputs[position],
    )


def _no_fit(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"{_called(node)}: rows or batches of the operands differ: {values[0]} and {values[1]}",
        node,
        *node.inputs,
    )


def lapack_dtype(name: str, *operands: Any) -> str:
    """Return the dtype in which LAPACK computes: float64 for integers, otherwise the promoted one.

    Raises
    ------
    TypeError
        For half precision.
    """
    dtype = dtypes.upcast(*(item.dtype for item in operands))
    if dtype == "float16":
        raise TypeError(
            build_message(f"{name}: half precision is not supported", *operands,
                          hint="cast to float32 first")
        )  # fmt: skip
    return "float64" if dtypes.is_discrete(dtype) else dtype


def as_matrices(name: str, *items: Any) -> list[Any]:
    """Return the items as variables of the dtype in which LAPACK computes."""
    operands = [as_tensor_variable(item) for item in items]
    dtype = lapack_dtype(name, *operands)
    return [cast(item, dtype) for item in operands]


def hide_nonfinite(matrices: Array, *results: Array) -> None:
    """Store NaN in the results of those matrices of a batch that contain NaN or infinities.

    LAPACK may return plausible numbers for them.
    """
    if not np.isfinite(matrices).all():
        bad = ~np.isfinite(matrices).all(axis=(-2, -1))
        for result in results:
            result[bad] = np.nan


def first_failing(function: Callable[..., Any], *arrays: Array) -> int:
    """Return the status for the first matrices of batches with which a function fails."""

    def fails(*matrices: Array) -> bool:
        try:
            function(*matrices)
        except np.linalg.LinAlgError:
            return True
        return False

    return each(fails, *arrays).index(True) + FIRST


def first_nonfinite(a: Array) -> int:
    """Return the status for the first matrix with NaN or infinities; 0 if there is none."""
    bad = np.flatnonzero(~np.isfinite(a).all(axis=(-2, -1)).ravel())
    return int(bad[0]) + FIRST if len(bad) else 0


# -- products of views ----------------------------------------------------------------------------


def swap(x: Any) -> Any:
    """Return the matrices transposed."""
    return x.dimshuffle(*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)


def adjoint(x: Any) -> Any:
    """Return the matrices transposed and conjugated."""
    return swap(scalar.conj(x))


def mm(*factors: Any) -> Any:
    """Return the product of matrices, or of batches of them, from the left to the right."""
    product = factors[0]
    for factor in factors[1:]:
        product = matmul(product, factor)
    return product


def columns(v: Any) -> Any:
    """Return vectors as matrices of one column."""
    return v.dimshuffle(*range(v.ndim), "x")


def rows(v: Any) -> Any:
    """Return vectors as matrices of one row, which scale the columns of a matrix."""
    return v.dimshuffle(*range(v.ndim - 1), "x", v.ndim - 1)


# -- triangles and diagonals ----------------------------------------------------------------------


def _places(x: Any) -> tuple[Any, Any]:
    """Return the row numbers of a matrix as a column, and the column numbers as a row."""
    height, width = shape_of(x)[-2:]
    return arange(height).dimshuffle(0, "x"), arange(width).dimshuffle("x", 0)


def lower_part(x: Any, k: int = 0) -> Any:
    """Return the matrices with zeros above the ``k``-th diagonal."""
    i, j = _places(x)
    return scalar.switch(scalar.ge(i + k, j), x, x.constant_like(0))


def upper_part(x: Any, k: int = 0) -> Any:
    """Return the matrices with zeros below the ``k``-th diagonal."""
    i, j = _places(x)
    return scalar.switch(scalar.le(i + k, j), x, x.constant_like(0))


def diagonal_of(x: Any, offset: int = 0) -> Any:
    """Return the diagonals of matrices with an offset (positive above the main diagonal)."""
    from symtheano.tensor.indexing.advanced import take_at

    first, second = max(-offset, 0), max(offset, 0)
    height, width = shape_of(x)[-2:]
    length = at_least_zero(smaller(height - first, width - second))
    place = arange(length)
    return take_at(x, [(x.ndim - 2, place + first), (x.ndim - 1, place + second)])


def smaller(m: Any, n: Any) -> Any:
    """Return the smaller one of two lengths."""
    if isinstance(m, int) and isinstance(n, int):
        return min(m, n)
    return m if m is n else scalar.minimum(m, n)


def at_least_zero(length: Any) -> Any:
    """Return the maximum of a length and zero."""
    return max(length, 0) if isinstance(length, int) else scalar.maximum(length, 0)


def with_diagonal(v: Any) -> Any:
    """Return square matrices with ``v`` on the diagonal and zeros elsewhere."""
    place = arange(shape_of(v)[-1])
    on = scalar.eq(place.dimshuffle(0, "x"), place.dimshuffle("x", 0))
    return scalar.switch(on, columns(v), v.constant_like(0))


def identity(x: Any) -> Any:
    """Return the identity matrix that multiplies ``x`` from the left."""
    n = as_dims((shape_of(x)[-2],))[0]
    return eye(n, n, 0, dtypes.real_of(x.dtype))


def from_triangle(x: Any, lower: bool) -> Any:
    """Return the Hermitian matrices defined by one triangle of ``x``."""
    part = lower_part(x, -1) if lower else upper_part(x, 1)
    on = _on_diagonal(x)
    return part + adjoint(part) + scalar.switch(on, real_as(x), x.constant_like(0))


def to_triangle(g: Any, lower: bool) -> Any:
    """Return the gradient with respect to one triangle, given that of the Hermitian matrix."""
    whole = g + adjoint(g)
    part = lower_part(whole, -1) if lower else upper_part(whole, 1)
    return part + scalar.switch(_on_diagonal(g), real_as(g), g.constant_like(0))


def _on_diagonal(x: Any) -> Any:
    return scalar.eq(*_places(x))


def reciprocal_gaps(v: Any) -> Any:
    """Return ``1 / (v[j] - v[i])`` at row i and column j, and zeros on the diagonal.

    It is infinite if two of the values are equal.
    """
    gaps = rows(v) - columns(v)
    on = _on_diagonal(gaps)
    return scalar.switch(on, v.constant_like(0), 1 / scalar.switch(on, v.constant_like(1), gaps))


def real_as(x: Any) -> Any:
    """Return the real part in the dtype of ``x``."""
    return cast(scalar.real(x), x.dtype) if dtypes.is_complex(x.dtype) else x


# -- lengths ---------------------------------------------------------------------------------------


def is_zero(g: Any) -> bool:
    """Return whether a gradient is known to be zero, because the output is not used."""
    if g.owner is not None and isinstance(g.owner.op, Alloc):
        g = g.owner.inputs[0]
    return isinstance(g, Constant) and not np.any(g.data)


def each(function: Callable[..., Any], *arrays: Array) -> list[Any]:
    """Apply a function to each matrix of batches, in order."""
    batch = arrays[0].shape[:-2]
    return [function(*(array[index] for array in arrays)) for index in np.ndindex(*batch)]


def number(value: float, model: Any) -> Any:
    """Return a number as a constant of another variable's real dtype."""
    return constant(value, dtype=dtypes.real_of(model.dtype))
