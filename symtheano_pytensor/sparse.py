"""Sparse matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import symtheano.tensor as T
from symtheano import sparse
from symtheano_pytensor.registry import Converter, converts
from symtheano_pytensor.values import cast, is_sparse

_FUNCTIONS: dict[str, str] = {
    "DenseFromSparse": "dense_from_sparse", "CSMProperties": "csm_properties",
    "Transpose": "transpose", "AddSparseSparse": "add_s_s", "AddSparseDense": "add_s_d",
    "StructuredAddSparseDenseVector": "structured_add_s_v", "MultiplySparseSparse": "mul_s_s",
    "MultiplySparseDense": "mul_s_d", "MultiplySparseDenseVector": "mul_s_v",
    "TrueDot": "true_dot", "StructuredDot": "structured_dot", "SamplingDot": "sampling_dot",
    "Dot": "dot", "Usmm": "usmm", "ColScaleCSC": "col_scale", "RowScaleCSC": "row_scale",
    "Diag": "diag", "EnsureSortedIndices": "ensure_sorted_indices", "Remove0": "remove0",
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
    lines = T.repeat(T.arange(indptr.shape[0] - 1), indptr[1:] - indptr[:-1])
    by_rows = type(op).__name__.endswith("CSR")
    rows, columns = (lines, indices) if by_rows else (indices, lines)
    return T.sum(gradient[rows] * factor[columns], axis=1)
