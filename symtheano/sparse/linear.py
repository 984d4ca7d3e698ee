"""Linear ops that make sparse matrices, with the gradient of the dense function.

Conversions from dense matrices, and sums, transposes and casts of what these make, are whole
matrices instead of components: a gradient may have elements that the matrix does not store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.sparse.arithmetic import add_s_s
from symtheano.sparse.convert import csx_from_dense, dense_from_sparse, to_format, transpose
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.elementwise import cast, neg
from symtheano.sparse.regular import Regular
from symtheano.sparse.type import FORMATS, SparseType
from symtheano.sparse.variable import is_sparse
from symtheano.tensor.basic import cast as dense_cast


def is_whole(x: Any) -> bool:
    """Return whether a matrix is made by an op whose gradient is regular."""
    owner = getattr(x, "owner", None)
    return owner is not None and is_sparse(x) and isinstance(owner.op, Regular)


def in_parts(x: Any) -> Any:
    """Return a matrix made of its components, whose gradient is structured."""
    return pack(open_sparse(x))


def densified(matrix: Any) -> Any:
    """Return a gradient, sparse or dense, as a dense matrix, without a detour over sparse ones."""
    known: dict[Any, Any] = {}

    def visit(item: Any) -> Any:
        if not is_sparse(item):
            return item
        if item not in known:
            op = item.owner.op if item.owner is not None else None
            known[item] = (
                op.dense(*map(visit, item.owner.inputs))
                if isinstance(op, Linear)
                else dense_from_sparse(item)
            )
        return known[item]

    return visit(matrix)


class Linear(Regular):
    """Base class: ops that are linear in all their inputs together."""

    def dense(self, *arrays: Any) -> Any:
        """Return the result, dense, for dense inputs."""
        raise NotImplementedError


class FromDense(Linear):
    """The nonzero elements of a dense matrix."""

    __props__ = ("format",)

    def __init__(self, format: str) -> None:
        self.format = format

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of matrices of this format."""
        return [SparseType(self.format, inputs[0].dtype)]

    def expand(self, *inputs: Any) -> Any:
        """Select the nonzero elements."""
        return csx_from_dense(inputs[0], self.format)

    def dense(self, *arrays: Any) -> Any:
        """Return the matrix itself."""
        return arrays[0]

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The gradient itself, dense."""
        return [densified(output_grads[0])]


class Add(Linear):
    """The sum of two sparse matrices, in the format of the first."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of the sum."""
        return [add_s_s(*map(in_parts, inputs)).type]

    def expand(self, *inputs: Any) -> Any:
        """Add the elements on the union of the structures."""
        return add_s_s(*map(in_parts, inputs))

    def dense(self, *arrays: Any) -> Any:
        """Add."""
        return arrays[0] + arrays[1]

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The gradient itself."""
        return [_in_format(output_grads[0], item.format) for item in inputs]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The sum of the directions."""
        points = [item for item in eval_points if item is not None]
        total = points[0] if len(points) == 1 else points[0] + points[1]
        return [_in_format(total, inputs[0].format)]


class Neg(Linear):
    """The negative."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the same type."""
        return [inputs[0].type]

    def expand(self, *inputs: Any) -> Any:
        """Negate the stored elements."""
        return neg(in_parts(inputs[0]))

    def dense(self, *arrays: Any) -> Any:
        """Negate."""
        return -arrays[0]

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The negative gradient."""
        return [-output_grads[0]]


class Transpose(Linear):
    """The transpose, in the other format."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of the other format."""
        (x,) = inputs
        return [SparseType(FORMATS[1 - FORMATS.index(x.format)], x.dtype)]

    def expand(self, *inputs: Any) -> Any:
        """Exchange rows and columns."""
        return transpose(in_parts(inputs[0]))

    def dense(self, *arrays: Any) -> Any:
        """Transpose."""
        return arrays[0].T

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The transposed gradient."""
        return [output_grads[0].T]


class Converted(Linear):
    """The matrix in a format and dtype."""

    __props__ = ("format", "dtype")

    def __init__(self, format: str, dtype: str) -> None:
        self.format, self.dtype = format, dtype

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of this format and dtype."""
        return [SparseType(self.format, self.dtype)]

    def expand(self, *inputs: Any) -> Any:
        """Convert the components."""
        return cast(to_format(in_parts(inputs[0]), self.format), self.dtype)

    def dense(self, *arrays: Any) -> Any:
        """Convert the elements."""
        return dense_cast(arrays[0], self.dtype)

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The gradient itself, in the format of the input."""
        return [_in_format(output_grads[0], inputs[0].format)]


def _in_format(gradient: Any, format: str) -> Any:
    if not is_sparse(gradient) or gradient.format == format:
        return gradient
    return to_format(as_sparse_variable(gradient), format)
