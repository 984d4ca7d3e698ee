"""Linear ops that make sparse matrices, with the gradient of the dense function.

A gradient that is made from a dense matrix is *full*: it is passed on as a dense matrix where that
is possible, since most of its elements are not zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.sparse.checked import same_structure
from symtheano.sparse.components import csx_from_dense, piled, scattered
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.merge import converted, kept, ordered, summed, union
from symtheano.sparse.regular import Regular
from symtheano.sparse.type import FORMATS, SparseType, is_sparse
from symtheano.tensor.basic import as_tensor_variable, cast as dense_cast
from symtheano.tensor.checks import one_of
from symtheano.tensor.shapes.join import concatenate


def is_full(matrix: Any) -> bool:
    """Return whether a sparse gradient was made from a dense matrix, by linear ops."""
    return any(isinstance(node.op, FromDense) for node in _linear_nodes(matrix))


def densified(matrix: Any) -> Any:
    """Return a gradient, sparse or dense, as a dense matrix, without a detour over sparse ones."""
    dense: dict[Any, Any] = {}

    def visit(item: Any) -> Any:
        if item in dense:
            return dense[item]
        return scattered(item) if is_sparse(item) else item

    for node in _linear_nodes(matrix):
        dense[node.outputs[0]] = node.op.dense(*map(visit, node.inputs))
    return visit(matrix)


def _linear_nodes(matrix: Any) -> list[Any]:
    """Return the linear ops that a matrix was made by last, each after those of its inputs."""
    stack, nodes, seen = [(matrix, False)], [], set()
    while stack:
        item, done = stack.pop()
        node = getattr(item, "owner", None)
        if node is None or not (isinstance(node.op, Regular) and node.op.linear):
            continue
        if done:
            nodes.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((item, True))
            stack.extend((operand, False) for operand in node.inputs if is_sparse(operand))
    return nodes


class FromDense(Regular):
    """The nonzero elements of a dense matrix."""

    __props__ = ("format",)
    linear = True

    def __init__(self, format: str) -> None:
        self.format = one_of("format", format, *FORMATS)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of matrices of this format."""
        return [SparseType(self.format, inputs[0].dtype)]

    def expand(self, *inputs: Any) -> Any:
        """Select the nonzero elements."""
        return csx_from_dense(inputs[0], self.format)

    def dense(self, *arrays: Any) -> Any:
        """Return the matrix itself."""
        return arrays[0]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient itself, dense."""
        return [densified(output_grads[0])]


class Add(Regular):
    """The sum of two sparse matrices, in the format of the first."""

    linear = True

    def expand(self, *inputs: Any) -> Any:
        """Add the elements on the union of the structures."""
        left, right = map(open_sparse, inputs)
        if same_structure(left, right):
            return pack(left.with_data(left.data + right.data))
        joint = union("add", left, right)
        return pack(joint.parts.with_data(joint.left + joint.right))

    def dense(self, *arrays: Any) -> Any:
        """Add."""
        return arrays[0] + arrays[1]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient itself."""
        return [in_format(output_grads[0], item.format) for item in inputs]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The sum of the directions."""
        points = [item for item in eval_points if item is not None]
        total = points[0] if len(points) == 1 else points[0] + points[1]
        return [in_format(total, inputs[0].format)]


class Neg(Regular):
    """The negative."""

    linear = True

    def expand(self, *inputs: Any) -> Any:
        """Negate the stored elements."""
        parts = open_sparse(inputs[0])
        return pack(parts.with_data(scalar.neg(parts.data)))

    def dense(self, *arrays: Any) -> Any:
        """Negate."""
        return -arrays[0]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The negative gradient."""
        return [-output_grads[0]]


class Transpose(Regular):
    """The transpose, in the other format."""

    linear = True

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of the other format."""
        (x,) = inputs
        return [SparseType(FORMATS[1 - FORMATS.index(x.format)], x.dtype)]

    def expand(self, *inputs: Any) -> Any:
        """Exchange rows and columns."""
        return pack(open_sparse(inputs[0]).transposed)

    def dense(self, *arrays: Any) -> Any:
        """Transpose."""
        return arrays[0].T

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The transposed gradient."""
        return [output_grads[0].T]


class Converted(Regular):
    """The matrix in a format and dtype; of complex numbers that become real, the real part."""

    __props__ = ("format", "dtype")
    linear = True

    def __init__(self, format: str, dtype: str) -> None:
        self.format = one_of("format", format, *FORMATS)
        self.dtype = dtypes.canonical(dtype)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of this format and dtype."""
        return [SparseType(self.format, self.dtype)]

    def expand(self, *inputs: Any) -> Any:
        """Convert the components."""
        parts = converted(open_sparse(inputs[0]), self.format)
        return pack(parts.with_data(self.dense(parts.data)))

    def dense(self, *arrays: Any) -> Any:
        """Convert the elements."""
        (values,) = arrays
        if dtypes.is_complex(values.dtype) and not dtypes.is_complex(self.dtype):
            values = values.real
        return dense_cast(values, self.dtype)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient itself, in the format of the input."""
        return [in_format(output_grads[0], inputs[0].format)]


class Tidied(Regular):
    """The same matrix with its stored elements in order.

    Attributes
    ----------
    what
        ``sort`` them, ``sum`` those at one position, or ``drop`` zeros.
    """

    __props__ = ("what",)
    linear = True

    def __init__(self, what: str) -> None:
        self.what = what

    def expand(self, *inputs: Any) -> Any:
        """Arrange the components."""
        parts = open_sparse(inputs[0])
        if self.what == "drop":
            return pack(kept(parts, scalar.neq(parts.data, 0)))
        return pack(ordered(parts) if self.what == "sort" else summed(parts))

    def dense(self, *arrays: Any) -> Any:
        """Return the matrix itself."""
        return arrays[0]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient itself."""
        return [output_grads[0]]


class Stacked(Regular):
    """Matrices side by side (``hstack``) or one below the other (``vstack``)."""

    __props__ = ("name", "format", "dtype")
    linear = True

    def __init__(self, name: str, format: str, dtype: str) -> None:
        self.name, self.format, self.dtype = name, format, dtype

    def expand(self, *inputs: Any) -> Any:
        """Stack the rows of the matrices or of their transposes."""
        blocks = [open_sparse(item) for item in inputs]
        if self.name == "vstack":
            return pack(converted(piled(blocks, _COLUMNS, self.dtype), self.format))
        joint = piled([block.transposed for block in blocks], _ROWS, self.dtype)
        return pack(converted(joint.transposed, self.format))

    def dense(self, *arrays: Any) -> Any:
        """Stack."""
        axis = 1 if self.name == "hstack" else 0
        return dense_cast(concatenate(list(arrays), axis), self.dtype)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The block of the gradient that belongs to each matrix."""
        (g,) = output_grads
        full = is_sparse(g) and is_full(g)
        start: Any = 0
        whole, grads = densified(g) if full else g, []
        for item in inputs:
            axis = 1 if self.name == "hstack" else 0
            stop = start + as_tensor_variable(open_sparse(item).shape[axis])
            part = whole[:, start:stop] if axis else whole[start:stop, :]
            grads.append(in_format(FromDense(item.format)(part) if full else part, item.format))
            start = stop
        return grads

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The stacked directions, zero where there is none."""
        pairs = zip(inputs, eval_points, strict=True)
        return [self(*(x.zeros_like() if point is None else point for x, point in pairs))]


_ROWS = "hstack: the blocks have {} and {} rows"
_COLUMNS = "vstack: the blocks have {} and {} columns"


def in_format(gradient: Any, format: str) -> Any:
    """Return a gradient in a format, if it is sparse."""
    if not is_sparse(gradient) or gradient.format == format:
        return gradient
    return Converted(format, gradient.dtype)(as_sparse_variable(gradient))


def neg(x: Any) -> Any:
    """Return the negative of each stored element; dtype as of the dense function.

    Examples
    --------
    >>> import scipy.sparse
    >>> neg(scipy.sparse.csr_matrix([[0, 3]])).eval().toarray()
    array([[ 0, -3]])
    """
    return Neg()(as_sparse_variable(x))


def cast(x: Any, dtype: Any) -> Any:
    """Return a sparse matrix in another dtype.

    Examples
    --------
    >>> cast(symtheano.sparse.csr_matrix("x"), "float32").type
    SparseType(float32, csr)
    """
    x = as_sparse_variable(x)
    kind = SparseType(x.format, dtype)
    dense_cast(open_sparse(x).data, kind.dtype)  # refuses complex numbers that would become real
    return x if x.type == kind else Converted(kind.format, kind.dtype)(x)
