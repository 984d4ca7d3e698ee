"""CSM: a compressed sparse matrix and its components.

A graph constructs sparse matrices with one op, :class:`CSM`, and extracts their components with
one, :class:`CSMProperties`; all other operations work on the components, which are dense vectors.
If a CSM made a matrix, its components are known without an op. Sparse matrices therefore occur only
as inputs and outputs of a graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.sparse.checked import SameLength, checked, same_structure
from symtheano.sparse.merge import values_at
from symtheano.sparse.parts import Parts
from symtheano.sparse.places import gather
from symtheano.sparse.starts import length
from symtheano.sparse.type import FORMATS, SparseType, is_scipy, is_symbolic
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.elemwise import cast_like
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import MakeVector, as_dim, as_dims
from symtheano.tensor.type import TensorType


class CSM(Op):
    """Construction of a sparse matrix from its components.

    ``CSR = CSM("csr")`` and ``CSC = CSM("csc")`` are called with data (a vector), indices and
    indptr (integer vectors) and shape (two lengths). Each call of a compiled function checks that
    they are consistent. The indices of a row may be in any order. Duplicate entries are summed.

    Examples
    --------
    >>> CSM("csr")(T.vector("v"), [0, 2], [0, 1, 2], (2, 3)).type
    SparseType(float64, csr)
    """

    __props__ = ("format",)
    takes = "*1 j1 j1 l0"
    differentiable_inputs = 1

    def __init__(self, format: str, kmap: Any = None) -> None:
        if kmap is not None:
            raise NotImplementedError("CSM: kmap is not supported; index the data instead")
        SparseType(format, "float64")
        self.format = format

    def __call__(self, data: Any, indices: Any, indptr: Any, shape: Any, **kwargs: Any) -> Any:
        dims = as_dims(shape, 2)
        if len(dims) != 2:
            raise ValueError(build_message(f"CSM: a shape has two lengths, not {len(dims)}"))
        vector = as_tensor_variable(data)
        if vector.ndim != 1:
            raise TypeError(build_message("CSM: data must be a vector", vector))
        major = FORMATS.index(self.format)
        starts = _integers(indptr, "indptr")
        places = _integers(indices, "indices")
        parts = checked(Parts(self.format, vector, places, starts, dims[1 - major]))
        whole = SameLength(_MISSHAPEN)(parts.indptr, as_dim(length(starts) - 1), dims[major])
        matrix = pack(replace(parts, indptr=whole))
        matrix.name = kwargs.get("name")
        return matrix

    def make_checked(self, *inputs: Any) -> Apply:
        """Check the structure."""
        from symtheano.sparse import guards

        data, indices, starts, minor = inputs
        data = guards.one_each(data, indices)
        starts = guards.segments(starts, length(guards.bare(indices)))
        return self.make_node(data, guards.inside(indices, minor), starts, minor)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of matrices of this format and the data's dtype."""
        return [SparseType(self.format, inputs[0].dtype)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Construct a SciPy matrix."""
        output_storage[0][0] = node.outputs[0].type.assemble(*inputs)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """For the data: the gradient, sparse or dense, at the stored elements."""
        return [_at(output_grads[0], Parts(self.format, *inputs)), None, None, None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The same structure with the data's direction."""
        parts = Parts(self.format, *inputs)
        return [None if eval_points[0] is None else pack(parts.with_data(eval_points[0]))]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Raise an error: a sparse matrix has two axes."""
        raise NotImplementedError(
            build_message(
                "vectorize: batches of sparse matrices are not supported (use csm_data(matrix))",
                *node.inputs[:1],
            )
        )


def _at(matrix: Any, parts: Parts) -> Any:
    """Return the elements of a matrix at the stored positions of ``parts``."""
    if is_symbolic(matrix):
        matrix = matrix.densified()
    if is_symbolic(matrix):
        its = open_sparse(matrix)
        values = its.data if same_structure(its, parts) else values_at(its, parts)
        return cast_like(values, parts.data)
    rows, columns = parts.coordinates
    return cast_like(gather(matrix, rows, columns), parts.data)


def _integers(value: Any, what: str) -> Any:
    vector = as_tensor_variable(value)
    if vector.ndim != 1 or (vector.dtype not in dtypes.INTEGER and vector.type.shape != (0,)):
        raise TypeError(build_message(f"CSM: {what} must be a vector of integers", vector))
    return cast(vector, "int32")


_MISSHAPEN = (
    "CSM: indptr describes {} rows or columns, the shape {} (it has one item more than a csr "
    "matrix has rows, or a csc matrix columns)"
)

CSR = CSM("csr")
CSC = CSM("csc")


class CSMProperties(Op):
    """The components of a sparse matrix that is not computed in the graph."""

    __props__ = ()
    takes = "sparse"

    def as_variable(self, value: object) -> Variable:
        """Return ``value`` as a sparse matrix."""
        matrix: Variable = as_sparse_variable(value)
        return matrix

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the types of data, indices, indptr and shape."""
        vector = (None,)
        return [
            TensorType(inputs[0].dtype, vector),
            TensorType("int32", vector),
            TensorType("int32", vector),
            TensorType("int64", (2,)),
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Extract the components of a SciPy matrix."""
        data, indices, indptr, _ = node.inputs[0].type.take_apart(inputs[0])
        shape = np.array(inputs[0].shape, "int64")
        for cell, part in zip(output_storage, (data, indices, indptr, shape), strict=True):
            cell[0] = part

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient of the data, as a matrix with the same structure."""
        return [pack(_parts_of(inputs[0].format, outputs).with_data(output_grads[0]))]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The direction at the stored elements."""
        (direction,) = eval_points
        if direction is None:
            return [None] * 4
        return [_at(direction, open_sparse(inputs[0])), None, None, None]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Only the data have a gradient."""
        return [[True, False, False, False]]


def _parts_of(format: str, outputs: Sequence[Any]) -> Parts:
    data, indices, indptr, shape = outputs
    return Parts(format, data, indices, indptr, shape[1 - FORMATS.index(format)])


def pack(parts: Parts) -> Any:
    """Return the sparse matrix of components that are known to be consistent."""
    op = CSR if parts.format == "csr" else CSC
    indices, indptr = (cast(item, "int32") for item in (parts.indices, parts.indptr))
    return Op.__call__(op, parts.data, indices, indptr, as_dim(parts.minor))


def open_sparse(matrix: Any) -> Parts:
    """Return the components of a sparse matrix.

    Those of one variable are always the same variables, so that gradients are added.

    Raises
    ------
    TypeError
        If it is not a sparse matrix.
    """
    matrix = as_sparse_variable(matrix)
    owner = matrix.owner
    if owner is not None and isinstance(owner.op, CSM):
        return Parts(owner.op.format, *owner.inputs)
    is_constant = isinstance(matrix, Constant)
    if is_constant:
        if matrix._opened is None:
            matrix._opened = tuple(constant(item) for item in matrix.type.take_apart(matrix.data))
        return Parts(matrix.format, *matrix._opened)
    if matrix._opened is None or matrix._opened.inputs[0] is not matrix:
        matrix._opened = CSMProperties().make_node(matrix)
    return _parts_of(matrix.format, matrix._opened.outputs)


def as_sparse_variable(x: Any, name: str | None = None) -> Any:
    """Return ``x`` as a symbolic sparse matrix: SciPy matrices become constants.

    Raises
    ------
    TypeError
        If it is neither. To convert a dense matrix, use ``csr_from_dense``.

    Examples
    --------
    >>> import scipy.sparse
    >>> as_sparse_variable(scipy.sparse.csr_matrix([[0.0, 2.0]]))
    SparseConstant{csr (1, 2), 1 stored}
    """
    if is_symbolic(x):
        return x
    if is_scipy(x):
        matrix = x if x.format in FORMATS else x.tocsr()
        kind = SparseType(matrix.format, matrix.dtype)
        parts = kind.take_apart(matrix)
        for part in _structure_errors(parts):
            raise ValueError(build_message(f"as_sparse_variable: {part}"))
        value = kind.assemble(*(np.array(part) for part in parts))
        return kind.constant_class(kind, value, name)
    operands = [x] if hasattr(x, "origin") else []
    raise TypeError(
        build_message(
            f"{type(x).__name__} is not a sparse matrix",
            *operands,
            hint="give a sparse variable or a matrix of scipy.sparse; csr_from_dense and "
            "csc_from_dense convert a dense one",
        )
    )


def _structure_errors(parts: Sequence[Any]) -> list[str]:
    _, indices, indptr, minor = parts
    if indices.size and not (indices.min() >= 0 and indices.max() < minor):
        return [f"an index is outside its axis of length {minor}"]
    return ["indptr falls"] if (np.diff(indptr) < 0).any() else []


# -- what users call -----------------------------------------------------------------------------


def csm_properties(csm: Any) -> list[Any]:
    """Return data, indices, indptr and shape of a sparse matrix.

    Examples
    --------
    >>> [part.type for part in csm_properties(symtheano.sparse.csr_matrix("x"))]
    [TensorType(float64, vector), TensorType(int32, vector), TensorType(int32, vector),
     TensorType(int64, (2))]
    """
    parts = open_sparse(csm)
    return [parts.data, parts.indices, parts.indptr, csm_shape(csm)]


def csm_data(csm: Any) -> Any:
    """Return the stored elements of a sparse matrix, a vector.

    Examples
    --------
    >>> csm_data(symtheano.sparse.csr_matrix("x", "int8")).type
    TensorType(int8, vector)
    """
    return open_sparse(csm).data


def csm_indices(csm: Any) -> Any:
    """Return the column (csr) or row (csc) of each stored element, an int32 vector.

    Examples
    --------
    >>> csm_indices(symtheano.sparse.csr_matrix("x")).dtype
    'int32'
    """
    return open_sparse(csm).indices


def csm_indptr(csm: Any) -> Any:
    """Return the beginning of each row (csr) or column (csc), and the end of the last one; int32.

    Examples
    --------
    >>> csm_indptr(symtheano.sparse.csr_matrix("x")).dtype
    'int32'
    """
    return open_sparse(csm).indptr


def csm_shape(csm: Any) -> Any:
    """Return the shape of a sparse matrix, an int64 vector.

    Examples
    --------
    >>> csm_shape(symtheano.sparse.csr_matrix("x")).type
    TensorType(int64, (2))
    """
    return MakeVector("int64")(*as_dims(open_sparse(csm).shape))
