"""Sparse matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import symtheano.tensor as T
from symtheano import sparse
from symtheano_pytensor.registry import Converter, converts
from symtheano_pytensor.shape import check_raising
from symtheano_pytensor.values import cast, is_sparse

_FUNCTIONS: dict[str, str] = {
    "DenseFromSparse": "dense_from_sparse", "CSMProperties": "csm_properties",
    "Transpose": "transpose", "AddSparseSparse": "add_s_s", "AddSparseDense": "add_s_d",
    "StructuredAddSparseDenseVector": "structured_add_s_v", "MultiplySparseSparse": "mul_s_s",
    "MultiplySparseDense": "mul_s_d", "MultiplySparseDenseVector": "mul_s_v",
    "TrueDot": "true_dot", "StructuredDot": "structured_dot", "SamplingDot": "sampling_dot",
    "Dot": "dot", "Usmm": "usmm", "ColScaleCSC": "col_scale", "RowScaleCSC": "row_scale",
    "EnsureSortedIndices": "ensure_sorted_indices", "Remove0": "remove0",
    "GetItemList": "get_item_list", "GetItem2Lists": "get_item_2lists",
    "EqualSparseSparse": "equal_s_s", "EqualSparseDense": "equal_s_d",
    "NotEqualSparseSparse": "not_equal_s_s", "NotEqualSparseDense": "not_equal_s_d",
    "LessEqualSparseSparse": "less_equal_s_s", "LessEqualSparseDense": "less_equal_s_d",
    "GreaterEqualSparseSparse": "greater_equal_s_s",
    "GreaterEqualSparseDense": "greater_equal_s_d",
    "LessThanSparseSparse": "less_than_s_s", "LessThanSparseDense": "less_than_s_d",
    "GreaterThanSparseSparse": "greater_than_s_s", "GreaterThanSparseDense": "greater_than_s_d",
}  # fmt: skip

# Names of version 3.0.
_FUNCTIONS |= {
    "AddSS": "add_s_s", "AddSD": "add_s_d", "StructuredAddSV": "structured_add_s_v",
    "SparseSparseMultiply": "mul_s_s", "SparseDenseMultiply": "mul_s_d",
    "SparseDenseVectorMultiply": "mul_s_v",
    **{
        new.replace("SparseSparse", "SS").replace("SparseDense", "SD"): function
        for new, function in _FUNCTIONS.items()
        if new.startswith(("Equal", "NotEqual", "Less", "Greater"))
    },
}  # fmt: skip


def as_kind(value: Any, kind: Any) -> Any:
    """Return a result in the format and dtype of a PyTensor type."""
    if not is_sparse(kind):
        return cast(value, kind.dtype)
    if value.format != kind.format:
        value = sparse.to_format(value, kind.format)
    return value if value.dtype == kind.dtype else sparse.cast(value, kind.dtype)


def _converter(name: str) -> Converter:
    function: Callable[..., Any] | None = getattr(sparse, name, None)

    def convert(op: Any, node: Any, *operands: Any) -> Any:
        if function is None:
            raise NotImplementedError(name)
        results = function(*operands)
        listed = list(results) if isinstance(results, list | tuple) else [results]
        return [as_kind(new, old.type) for new, old in zip(listed, node.outputs, strict=True)]

    return convert


for _name, _function in _FUNCTIONS.items():
    converts(_name, family="sparse")(_converter(_function))


@converts("CSM", family="sparse")
def _csm(op: Any, node: Any, data: Any, indices: Any, indptr: Any, shape: Any) -> Any:
    return matrix_of(op.format, data, indices, indptr, shape)


def matrix_of(form: str, data: Any, indices: Any, indptr: Any, shape: Any) -> Any:
    """Return the matrix with these components."""
    make = sparse.CSR if form == "csr" else sparse.CSC
    indices, indptr, shape = (T.cast(item, "int32") for item in (indices, indptr, shape))
    return make(data, indices, indptr, shape)


@converts("SparseFromDense", family="sparse")
def _from_dense(op: Any, node: Any, x: Any) -> Any:
    return sparse.csr_from_dense(x) if op.format == "csr" else sparse.csc_from_dense(x)


@converts("SpSum", family="sparse")
def _sum(op: Any, node: Any, x: Any) -> Any:
    return sparse.sp_sum(x, axis=op.axis)


@converts("Cast", family="sparse")
def _cast(op: Any, node: Any, x: Any) -> Any:
    return sparse.cast(x, node.outputs[0].type.dtype)


@converts("HStack", "VStack", family="sparse")
def _stack(op: Any, node: Any, *blocks: Any) -> Any:
    function = sparse.hstack if type(op).__name__ == "HStack" else sparse.vstack
    return function(list(blocks), format=op.format, dtype=op.dtype)


@converts("GetItemScalar", family="sparse")
def _element(op: Any, node: Any, x: Any, row: Any, column: Any) -> Any:
    return x[T.cast(row, "int64"), T.cast(column, "int64")]


@converts("GetItem2d", family="sparse")
def _part(op: Any, node: Any, x: Any, *bounds: Any) -> Any:
    rows, columns = slice(*bounds[:3]), slice(*bounds[3:])
    return x[rows, columns]


def _dense(x: Any) -> Any:
    return sparse.dense_from_sparse(x) if hasattr(x, "format") else x


@converts("StructuredDotGradCSR", "StructuredDotGradCSC", family="sparse")
def _gradient_of_stored(
    op: Any, node: Any, indices: Any, indptr: Any, factor: Any, gradient: Any
) -> Any:
    """Return the gradient of the stored elements of the left factor of a product."""
    factor, gradient = (_dense(item) for item in (factor, gradient))
    lines = _lines(indptr)
    by_rows = type(op).__name__.endswith("CSR")
    rows, columns = (lines, indices) if by_rows else (indices, lines)
    return T.sum(gradient[rows] * factor[columns], axis=1)


def _lines(indptr: Any) -> Any:
    """Return the row of each stored element, or its column in the format csc."""
    return T.repeat(T.arange(indptr.shape[0] - 1), indptr[1:] - indptr[:-1])


@converts("Diag", family="sparse")
def _diag(op: Any, node: Any, x: Any) -> Any:
    shape = sparse.csm_shape(x)
    square = T.eq(shape[0], shape[1])
    return check_raising(ValueError)("diag: the matrix is not square")(sparse.diag(x), square)


@converts("CSMGrad", family="sparse")
def _gradient_of_components(op: Any, node: Any, *operands: Any) -> Any:
    """Return the elements of a gradient at the places of a matrix's stored elements."""
    _, indices, indptr, shape, *components = operands
    count = indptr.shape[0] - 1
    across = T.switch(T.eq(count, shape[0]), shape[1], shape[0])
    data, inner, starts, _ = components
    gradient = matrix_of("csr", data, inner, starts, T.stack([count, across]))
    return sparse.get_item_2lists(gradient, _lines(indptr), indices)


@converts("GetItemListGrad", family="sparse")
def _gradient_of_rows(op: Any, node: Any, x: Any, index: Any, gradient: Any) -> Any:
    """Return the gradient's rows at the places of an index, the last of equal ones, and zeros."""
    shape, kind = sparse.csm_shape(x), node.outputs[0].type
    count = index.shape[0]
    rows = T.alloc(count, shape[0])
    rows = T.set_subtensor(rows[index], T.arange(count))
    zeros = sparse.csr_from_dense(T.zeros((1, shape[1]), dtype=kind.dtype))
    padded = sparse.vstack([as_kind(gradient, kind), zeros], format="csr", dtype=kind.dtype)
    return as_kind(sparse.get_item_list(padded, rows), kind)


@converts("GetItem2ListsGrad", family="sparse")
def _gradient_of_elements(
    op: Any, node: Any, x: Any, first: Any, second: Any, gradient: Any
) -> Any:
    """Return a matrix with a gradient's elements at places, the last of several at the same."""
    kind = node.outputs[0].type
    shape = T.cast(sparse.csm_shape(x), "int64")
    numbers = T.arange(shape[0]), T.arange(shape[1])
    # Places are checked as positions of rows and columns.
    places = [numbers[0][first], numbers[1][second]]
    lines, across = places if kind.format == "csr" else places[::-1]
    count, width = (shape[0], shape[1]) if kind.format == "csr" else (shape[1], shape[0])
    keys = lines * width + across
    order = T.argsort(keys)
    keys = keys[order]
    last = T.join(0, T.neq(keys[1:], keys[:-1]), T.ones((T.minimum(keys.shape[0], 1),), "bool"))
    keys = keys[last]
    starts = T.searchsorted(keys, T.arange(count + 1) * width)
    data = T.cast(gradient, kind.dtype)[order][last]
    return matrix_of(kind.format, data, keys % width, starts, shape)
